"""An evening at the table: what the prompt understands, and what it does to the file.

A line that is accepted is in the journal before its score sheet is shown, and a hand that is settled is
in the file before its payments are: what was shown is kept. Nothing here prints; every answer is data.
"""

from __future__ import annotations

import copy
import io
import re
from collections.abc import Mapping
from typing import NamedTuple

from mjscore import ledger
from mjscore.checking import Checked, Context, Reader, resolved_seat
from mjscore.counters import Exchange
from mjscore.hand import quote_name
from mjscore.ledger import Position
from mjscore.lines import (
    BlockLine,
    DrawLine,
    EastRow,
    FalseLine,
    HandLine,
    LongLine,
    PayLine,
    PaysRow,
    PlayersLine,
    SeatRow,
    WashLine,
    parse_line,
    parse_row,
)
from mjscore.refusal import Refusal, Refused, visible
from mjscore.rulebook import Rulebook, bind
from mjscore.settlement import SITTER_OUT, SeatResult, Settlement
from mjscore.show import signed
from mjscore.store import Typed
from mjscore.table_file import Group, SourceLine, groups, read_lines
from mjscore.tiles import WIND_NAMES

EventLine = DrawLine | WashLine | FalseLine | LongLine | PayLine
COMMANDS = (
    "draw", "wash", "false", "pay", "long", "undo", "redo", "edit", "abandon", "show", "standings", "note",
    "help", "quit",
)  # fmt: skip
_OTHER_WORDS = {"?": "help", "exit": "quit", "q": "quit", "h": "help"}
_STEPS_KEPT = 20  # of undo through mended hands, and of redo

HELP = """\
One line a player, in any order; without a name it is for the one asked:
  Ann: (RRR) 123b 456b 789b 5d <5d:Ben     +5d: drawn   <5d:Ben: from Ben
  Ben: 64     Cid: dead     E: 480 win from S
When all have a line and one wins, the hand is settled. A line typed
again takes the place of the first.
  draw, draw four      nobody won; a four was declared
  wash Ann 11          false Ann      long Ann      pay Ann Ben 100
  undo, redo           the last line, or the last hand
  abandon              drop the lines of this hand
  edit 3               put hand 3 right; edit 3 Ann: 64 for one line of it
  show, show 3         all hands; one with its sheets
  standings            note TEXT      quit
Tab completes, arrow up brings back lines, Ctrl-C drops a line."""


class Entry(NamedTuple):
    """A hand or an event of the evening, counted from 1, and its lines in the file."""

    number: int
    checked: Checked
    group: Group

    @property
    def settlement(self) -> Settlement:
        """Its payments."""
        assert isinstance(self.checked.outcome, Settlement)
        return self.checked.outcome

    @property
    def nets(self) -> dict[str, int]:
        """What each player won or lost."""
        return {self.checked.seats[seat]: points for seat, points in self.settlement.net.items()}


class Reading(NamedTuple):
    """What a file of an evening says. *refusals* are all that does not hold in it.

    *cut_off* is the last line, where it has no end and nothing vouches for it.
    """

    groups: tuple[Group, ...]
    entries: tuple[Entry, ...]
    reader: Reader
    refusals: tuple[Refusal, ...]
    cut_off: SourceLine | None


class Seated(NamedTuple):
    """A player's line was accepted: what it scores."""

    name: str
    seat: str
    result: SeatResult


class Settled(NamedTuple):
    """A hand or an event is in the file: payments, counters that change hands, the position after it."""

    entry: Entry
    exchange: Exchange | None
    after: Position


class Listed(NamedTuple):
    """Hands and events so far."""

    entries: tuple[Entry, ...]


class Detail(NamedTuple):
    """One hand with its sheets."""

    entry: Entry


class Standings(NamedTuple):
    """The totals, highest first."""

    totals: tuple[tuple[str, int], ...]


Said = str | Refusal | Seated | Settled | Listed | Detail | Standings


class Answer(NamedTuple):
    """What is said to a line. *again* is a line offered for mending, with the *cursor* in it."""

    said: tuple[Said, ...] = ()
    again: str = ""
    cursor: int | None = None
    ended: bool = False


class Prompt(NamedTuple):
    """What is asked for: the round's wind, who is East, whose line (and *seat*); what stands there already."""

    round: str
    east: str
    whose: str
    default: str = ""
    hand: int | None = None


class Mending(NamedTuple):
    """A hand that is being put right: its players' lines (or its *event*), and which of them is asked for."""

    number: int
    rows: tuple[Typed, ...]
    place: int = 0
    event: str = ""


class Counting(NamedTuple):
    """How counters are to change hands: the set, net or pair by pair, with a bank or without."""

    name: str
    pair_by_pair: bool = False
    bank: bool = False


# ------------------------------------------------------------------ reading


def read_evening(data: bytes, file: str, folder: str) -> Reading:
    """Goes through an evening; what does not hold is in ``refusals``, every one with its place."""
    found = tuple(groups(read_lines(io.BytesIO(data), file)))
    reader = Reader(file, Context(folder=folder))
    entries: list[Entry] = []
    refusals: list[Refusal] = []
    for group in found:
        for one in reader.check_group(group):
            entry = Entry(len(entries) + 1, one, group)
            complaints = _complaints(one, group)
            refusals += complaints
            if one.event and one.before is not None and not complaints:
                entries.append(entry)
    if reader.position is None and not refusals:
        refusals += _played_without_players(found, file)
    return Reading(found, tuple(entries), reader, tuple(refusals), _cut_off(data, found, entries))


def _complaints(one: Checked, group: Group) -> list[Refusal]:
    refusals = list(one.refusals)
    head = group.head

    def complain(code: str, message: str, hint: str, source: SourceLine) -> None:
        length = max(1, len(source.text.strip()))
        column = len(source.text) - len(source.text.lstrip()) + 1
        refusals.append(
            Refusal(code, message, hint, source.number, column, length, source.text, one.file)
        )

    outcome = one.outcome
    if isinstance(outcome, Settlement):
        if one.event == "hand" and outcome.kind == "hand" and one.before is not None:
            missing = [name for seat, name in one.seats.items() if seat not in (*outcome.scores, SITTER_OUT)]
            if missing:
                complain(
                    "missing-seat",
                    f"nothing is said of {', '.join(missing)}",
                    f"give every player a line: {quote_name(missing[0])}: 0",
                    head,
                )
        if not one.ok and not refusals and isinstance(one.expected, Mapping):
            pays = [row for row in group.rows if row.text.split()[:1] == ["pays"]]
            for seat, points in one.expected.items():
                if outcome.net.get(seat) != points:
                    name = one.seats.get(seat, seat)
                    complain(
                        "nets-differ",
                        f"{name} has {signed(points)} here, and by the hands it is {signed(outcome.net.get(seat, 0))}",
                        "put right the hand, or this line",
                        pays[-1] if pays else head,
                    )
    elif not one.ok and not refusals:
        complain("expected-score", f"it scores {outcome.score}", "put the score right, or the hand", head)
    return refusals


def _played_without_players(found: tuple[Group, ...], file: str) -> list[Refusal]:
    for group in found:
        head = group.head
        if isinstance(parse_line(head.text), (HandLine, BlockLine, EventLine)):
            return [
                Refusal(
                    "no-players",
                    "hands are played here, and nobody is named who plays",
                    "put above it a line such as: players Ann Ben Cid Dee",
                    head.number,
                    1,
                    max(1, len(head.text.rstrip())),
                    head.text,
                    file,
                )
            ]
    return []


def _cut_off(data: bytes, found: tuple[Group, ...], entries: list[Entry]) -> SourceLine | None:
    """The last line, where it does not end; nets of everybody that hold show that it is whole."""
    if not data or data.endswith(b"\n"):
        return None
    last = data[data.rfind(b"\n") + 1 :]
    number = data.count(b"\n") + 1
    if entries and found and entries[-1].group is found[-1] and last.lstrip().startswith(b"pays "):
        checked = entries[-1].checked
        if isinstance(checked.expected, Mapping) and set(checked.expected) == set(checked.seats):
            return None
    return SourceLine(number, last.decode("utf-8", "replace"))


def cut_off_refusal(reading: Reading) -> Refusal | None:
    """The refusal of a file whose last line may have been cut off."""
    line = reading.cut_off
    if line is None:
        return None
    end = max(1, len(line.text))
    return Refusal(
        "cut-off",
        "the last line does not end: a part of it may be missing",
        "see whether it is whole, put it right, and end it with Enter",
        line.number,
        end,
        1,
        line.text,
        reading.reader.file,
    )


# ------------------------------------------------------------------ beginning


def players_named(text: str) -> tuple[str, ...]:
    """Players' names from a typed list, with commas or spaces between them. Raises Refused."""
    text = re.sub(r"^\s*players\s+(?=\S)", "", text)
    if "," in text:
        names = [part.strip().strip('"').strip() for part in text.split(",")]
    else:
        names = [quoted or plain for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', text)]
    if not [name for name in names if name]:
        raise Refused(Refusal("no-players", "nobody is named", "type for instance Ann, Ben, Cid, Dee"))
    line = "players " + " ".join(quote_name(name) for name in names)
    try:
        found = parse_line(line)
        for name in names:
            row = parse_row(f"{quote_name(name)}: 0")
            if not isinstance(row, SeatRow) or row.name != name:
                raise Refused(
                    Refusal("player-name", f"{name} cannot be read as a name", "letters and spaces can")
                )
    except Refused as refused:
        # the place is one in the line of the file, which nobody typed
        raise Refused(refused.refusal._replace(line=None, column=None, text="")) from None
    assert isinstance(found, PlayersLine)
    return found.names


def heading(names: tuple[str, ...], rulebook: str, settings: Mapping[str, str], folder: str) -> str:
    """The first lines of an evening: rulebook, options, fingerprint, players. Raises Refused.

    *rulebook* is a name, or the path of a file as seen from *folder*.
    """
    settings = dict(settings)
    book = bind(rulebook, settings, folder)
    if "players" in book.options and len(names) != book.players and "players" not in settings:
        settings["players"] = str(len(names))
        book = bind(rulebook, settings, folder)
    lines = [f"rulebook {quote_name(rulebook)}"]
    lines += [f"set {option} {quote_name(value) if value else '""'}" for option, value in settings.items()]
    lines += [f"rules {book.fingerprint}", _players_line(names)]
    text = "".join(f"{line}\n" for line in lines)
    reading = read_evening(text.encode(), "", folder)
    if reading.refusals:
        raise Refused(reading.refusals[0]._replace(line=None, column=None, text="", file=""))
    return text


def _players_line(names: tuple[str, ...]) -> str:
    return "players " + " ".join(quote_name(name) for name in names)


# ------------------------------------------------------------------ texts of the file

_HEAD = re.compile(r'\s*(?:"(?P<quoted>[^"]*)"|(?P<plain>[^":<+(\[#]+?))\s*:(?P<rest>.*)', re.DOTALL)
# the names of seats in the ending of a hand, or behind a bare score that wins
_SEATS_NAMED = re.compile(
    r'((?:<\s*[^\s:"<]+|!earlier|!allfrom)\s*:\s*|\bwin\s+from\s+)([^\s"#:!=+<>()\[\],]+|"[^"]*")'
)


def player(text: str, seats: Mapping[str, str]) -> str | None:
    """The player whom *text* means: a name, in whatever case, or the wind that he sits at."""
    text = text.strip()
    if text in seats.values():
        return text
    folded = text.casefold()
    for name in seats.values():
        if name.casefold() == folded:
            return name
    for wind, name in seats.items():
        if wind in WIND_NAMES and folded in (wind.casefold(), WIND_NAMES[wind].casefold()):
            return name
    return None


def with_names(text: str, seats: Mapping[str, str]) -> str:
    """A seat's line with names in the place of the winds that its ending names."""

    def named(match: re.Match[str]) -> str:
        name = player(match[2].strip('"'), seats)
        return match[1] + (quote_name(name) if name is not None else match[2])

    line, mark, comment = text.partition("#")
    return _SEATS_NAMED.sub(named, line) + mark + comment


def event_text(line: EventLine, text: str, seats: Mapping[str, str]) -> str:
    """An event as it stands in the file, with players' names. Raises Refused for an unknown one."""

    def name(given: str) -> str:
        found = player(given, seats)
        if found is None:
            raise Refused(_nobody(given, seats))
        return quote_name(found)

    if isinstance(line, DrawLine):
        return "draw four" if line.four else "draw"
    if isinstance(line, WashLine):
        if line.heads is not None:
            return f"wash {name(line.seat)} {line.heads}"
        return f"wash {name(line.seat)}: {text.partition(':')[2].strip()}"
    if isinstance(line, FalseLine):
        return f"false {name(line.seat)}"
    if isinstance(line, LongLine):
        return f"long {name(line.seat)}"
    return f"pay {name(line.payer)} {name(line.payee)} {line.points}"


def pays_text(nets: Mapping[str, int]) -> str:
    """The row that states everybody's net."""
    return "pays " + " ".join(f"{quote_name(name)} {points:+d}" for name, points in nets.items())


def _nobody(given: str, seats: Mapping[str, str]) -> Refusal:
    names = ", ".join(name for seat, name in seats.items() if seat != SITTER_OUT)
    return Refusal("unknown-player", f"nobody here is called {visible(given[:40])!r}", f"the players are {names}")


def _nets_text(nets: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {signed(points)}" for name, points in nets.items())


def _in_words(refusal: Refusal) -> Refusal:
    """A refusal of a hand as a whole, or of a line that was not typed: without a place."""
    return refusal._replace(file="", line=None, column=None, text="")


# ------------------------------------------------------------------ putting an earlier hand right


class Mended(NamedTuple):
    """An evening with a hand put right: its text, and in words what else changed by it."""

    text: str
    changes: tuple[str, ...]


def _before(reading: Reading, entry: Entry) -> Reader:
    """A reader that stands before an entry."""
    reader = Reader(reading.reader.file, Context(folder=reading.reader.context.folder))
    for group in reading.groups:
        if group is entry.group:
            break
        list(reader.check_group(group))
    return reader


def _peek(reader: Reader, group: Group) -> Checked:
    """What a group would come to, without the reader going on."""
    aside = copy.copy(reader)
    aside.notes = list(reader.notes)
    return next(aside.check_group(group))


def mended(text: str, reading: Reading, entry: Entry, head: str, rows: Mapping[str, str]) -> Mended:
    """The evening with *entry* as *head* and *rows* (a line a player) say, and all after it worked out again.

    What stood there before is kept as notes, in the entry and wherever nets or winds change. Raises
    Refused where a hand would no longer hold.
    """
    reader = _before(reading, entry)
    numbers = {one.group.head.number: one for one in reading.entries}
    replaced: dict[int, str | None] = {}
    added: dict[int, list[str]] = {}
    changes: list[str] = []
    reached = False
    for group in reading.groups:
        reached = reached or group is entry.group
        if not reached:
            continue
        old = numbers.get(group.head.number)
        if old is None:
            list(reader.check_group(group))
            continue
        target = old is entry
        new_head, new_rows, notes = _reworked(old, reader, head if target else None, rows if target else None)
        found = _peek(reader, _group(group, new_head, [row for row in new_rows if row[1] is not _PAYS]))
        if found.refusals:
            raise Refused(_of_entry(found.refusals[0], old, target))
        nets = {found.seats[seat]: points for seat, points in found.outcome.net.items()}  # type: ignore[union-attr]
        said = _what_changed(old, found, nets)
        if said:
            changes.append(f"hand {old.number}: " + "; ".join(new for new, _ in said))
            was = "; ".join(before for _, before in said)
            notes.append(f"  note before hand {entry.number} was put right: {was}")
        finished = [(number, f"  {pays_text(nets)}" if row is _PAYS else row) for number, row in new_rows]
        finished += [(None, note) for note in notes]
        list(reader.check_group(_group(group, new_head, finished)))
        for source in (group.head, *group.rows):
            replaced[source.number] = None
        replaced[group.head.number] = new_head
        last = group.head.number
        for number, row in finished:
            assert row is not None
            if number is not None:
                replaced[number] = row
                last = number
            else:
                added.setdefault(last, []).append(row)
    lines = text.split("\n")
    ending = "\r" if lines[0].endswith("\r") else ""
    result: list[str] = []
    for number, line in enumerate(lines, 1):
        kept = replaced.get(number, line)
        if kept is not None:
            result.append(kept if number not in replaced else kept.rstrip("\r") + ending)
        result += [row + ending for row in added.get(number, ())]
    assert reader.position is not None
    assert reading.reader.position is not None
    totals = [
        f"{name} {signed(before)} → {signed(after)}"
        for name, before, after in zip(
            reader.position.players, reading.reader.position.totals, reader.position.totals, strict=True
        )
        if before != after
    ]
    if totals:
        changes.append("totals: " + ", ".join(totals))
    return Mended("\n".join(result), tuple(changes))


_PAYS = None  # stands for the row of nets until they are known
NewRow = tuple[int | None, str | None]  # the number of the line that it replaces, and its text


def _group(old: Group, head: str, rows: list[NewRow]) -> Group:
    number = old.head.number
    return Group(
        SourceLine(number, head),
        tuple(SourceLine(place or number, row) for place, row in rows if row is not None),
    )


def _reworked(
    old: Entry, reader: Reader, new_head: str | None, lines: Mapping[str, str] | None
) -> tuple[str, list[NewRow], list[str]]:
    """Head, rows and notes of an entry: with other *lines* if it is put right, and under the winds as they are now."""
    assert reader.position is not None
    book = reader.book()
    were, are = old.checked.seats, ledger.seating(reader.position, book)
    group = old.group
    head = new_head if new_head is not None else _head_again(group.head.text, were, are, reader, book)
    rows: list[NewRow] = []
    notes: list[str] = []
    seen: set[str] = set()
    states_nets = False
    for source in group.rows:
        row = parse_row(source.text)
        if isinstance(row, SeatRow):
            name = were[resolved_seat(row.name, were)]
            before = source.text.strip()
            text = _renamed(source.text, name, were) if were != are else source.text
            if lines is not None:
                seen.add(name)
                line = lines.get(name)
                if line != before:
                    notes.append(f"  note put right; before: {before}")
                if line is None:
                    continue
                text = f"  {line}" if line != before else text
            rows.append((source.number, text))
        elif isinstance(row, EastRow):
            rows.append((source.number, f"  east {quote_name(are['E'])}" if were["E"] != are["E"] else source.text))
        elif isinstance(row, PaysRow):
            if not states_nets:
                rows.append((source.number, _PAYS))
            states_nets = True
        else:
            rows.append((source.number, source.text))
    if lines is not None:
        new = [(None, f"  {line}") for name, line in lines.items() if name not in seen]
        # before the nets, where a reader looks for them
        place = next((index for index, row in enumerate(rows) if row[1] is _PAYS), len(rows))
        rows[place:place] = new
        if not states_nets:
            rows.append((None, _PAYS))
        if head != group.head.text and not (isinstance(parse_line(group.head.text), BlockLine) and lines):
            notes.insert(0, f"  note put right; before: {group.head.text.strip()}")
    return head, rows, notes


def _head_again(
    text: str, were: Mapping[str, str], are: Mapping[str, str], reader: Reader, book: Rulebook
) -> str:
    line = parse_line(text)
    assert reader.position is not None
    if isinstance(line, BlockLine):
        now = ledger.round_wind(reader.position, book)
        if line.round is None or line.round == now:
            return text
        return re.sub(r'("[^"]*")|@[ \t]*[ESWN]', lambda match: match[1] or f"@{now}", text)
    return event_text(line, text, were) if were != are and isinstance(line, EventLine) else text


def _renamed(text: str, name: str, seats: Mapping[str, str]) -> str:
    """A seat's row with the player's name in the place of his wind."""
    match = _HEAD.match(text)
    if match is None:
        return text
    indent = text[: len(text) - len(text.lstrip())]
    return f"{indent}{quote_name(name)}:{with_names(match['rest'], seats)}"


def _what_changed(old: Entry, found: Checked, nets: Mapping[str, int]) -> list[tuple[str, str]]:
    """What is otherwise than it was, each as said to the players and as kept in the note."""
    said: list[tuple[str, str]] = []
    were, are = old.checked.seats, found.seats
    if were["E"] != are["E"]:
        said.append((f"East {were['E']} → {are['E']}", f"East {were['E']}"))
    before, now = (one.before for one in (old.checked, found))
    if before is not None and now is not None and before.passes != now.passes:
        # the round follows from how often East has passed
        book = bind(found.rulebook, dict(found.settings), "") if not found.rulebook.endswith(".toml") else None
        winds = [ledger.round_wind(one, book) for one in (before, now)] if book is not None else []
        if winds and winds[0] != winds[1]:
            said.append(
                (f"{WIND_NAMES[winds[0]]} round → {WIND_NAMES[winds[1]]} round", f"{WIND_NAMES[winds[0]]} round")
            )
    if dict(nets) != old.nets:
        different = {name: points for name, points in nets.items() if old.nets.get(name) != points}
        said.append(
            (
                ", ".join(f"{name} {signed(old.nets.get(name, 0))} → {signed(points)}" for name, points in different.items()),
                pays_text(old.nets),
            )
        )
    return said


def _of_entry(refusal: Refusal, entry: Entry, target: bool) -> Refusal:
    if target:
        return _in_words(refusal)
    return Refusal(
        refusal.code,
        f"hand {entry.number} would no longer hold by this: {refusal.message}",
        f"nothing is changed; put hand {entry.number} right first",
    )
