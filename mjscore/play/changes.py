"""What is typed made part of an evening: rows of the hand under way, an event, a note, the pool; an entry put right.

What adds gives a ``Change``, or raises Refused. Whether the new text reads back is found out by whoever takes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import gcd
from typing import NamedTuple

from mjscore.game.hand import Hand, quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.play.actions import Action
from mjscore.play.evening import (
    Entry,
    Evening,
    block_of,
    checked_block,
    line_end,
    line_of,
    placeless,
    record_of,
    rewritten,
    row_of,
    rows_of,
    text_of,
    with_lines,
)
from mjscore.record import ledger
from mjscore.record.checked import Checked
from mjscore.record.context import State
from mjscore.record.events import EVENTS
from mjscore.record.lines import (
    MOST_DOUBLES,
    MOST_POINTS,
    BlockLine,
    EastRow,
    EventLine,
    Line,
    NoteLine,
    PaysRow,
    Row,
    SeatRow,
    parse_line,
    renamed,
)
from mjscore.record.source import LONGEST_LINE, Block, SourceLine
from mjscore.refusal import Place, Refused, refuse, visible
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.settlement import Settlement

_EDITED = "edited; it paid before: "
_COUNTED = ("set", "bonus", "after", "limit", "shape")  # sections of a rulebook whose points make scores
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_INTO_THE_POOL = NoteLine("into the pool")


class Change(NamedTuple):
    """A file's new text, and in words what it holds that the old one did not: what undoing takes back.

    *sheets* are the score sheets of typed hands.
    """

    text: str
    words: str
    sheets: tuple[ScoreSheet, ...] = ()


def check_row(evening: Evening, row: SeatRow) -> tuple[SeatRow, ScoreSheet | None]:
    """Give a player's row with names for winds, and its score sheet where it holds a hand, as if nobody else had a row.

    Raises Refused.
    """
    round_wind = evening.round_wind
    said = row.given.round if isinstance(row.given, Hand) else row.round
    if said not in (None, round_wind):
        raise refuse("second-round", f"this is the {WIND_NAMES[round_wind]} round", f"leave out @{said}")
    for number, most in ((row.given, MOST_POINTS), (row.doubles, MOST_DOUBLES)):
        if isinstance(number, int) and not 0 <= number <= most:
            raise refuse("huge-number", f"{number} is no score of a hand", "type the points of one hand")
    # a wind that is nobody's stays what it is, and is refused
    named = renamed(_without_round(row), evening.seats)
    source = SourceLine(1, str(named), None, named)
    state = evening.state._replace(position=evening.hand_position)
    head = SourceLine(1, "hand", None, BlockLine(None, None))
    _, (checked,) = checked_block(state, Block(head, (source,), last=True))
    for refusal in checked.refusals:
        raise Refused(refusal._replace(file=""))
    assert isinstance(checked.outcome, Settlement)
    return named, next(iter(checked.outcome.sheets.values()), None)


def _without_round(row: SeatRow) -> SeatRow:
    given = row.given._replace(round=None) if isinstance(row.given, Hand) else row.given
    return row._replace(given=given, round=None)


def check_line(line: str) -> None:
    """Raise Refused for a typed line that no file of text should have."""
    control = _CONTROL.search(line)
    if control:
        raise refuse(
            "control-character",
            "a control character was typed or pasted into the line",
            "type the line again",
            at=Place(line, *control.span()),
        )
    try:
        encoded = line.encode("utf-8")
    except UnicodeEncodeError:
        # a terminal that is set for another encoding gives such characters, and so does a damaged paste
        raise refuse(
            "not-utf-8", "what was typed is not UTF-8 text", "type it again, or set the terminal to UTF-8"
        ) from None
    if 2 * len(encoded) > LONGEST_LINE:
        raise refuse(
            "long-line", f"a line of {len(encoded)} bytes", "one line holds one hand", at=Place(line, 0, 1)
        )


@lru_cache(maxsize=8)
def step_of(book: Rulebook) -> int:
    """Give the points of which every score under a rulebook is a multiple: 2 in the books, which give no odd ones."""
    counted = [rule.points_under(book.limit) for rule in book.rules.values() if rule.section in _COUNTED]
    return gcd(*(points for points in (*counted, book.limit) if points is not None)) or 1


def impossible_score(record: SeatRow | EventLine, book: Rulebook) -> str:
    """Tell why the bare score of a player's row is none that the rules give; empty where it may be."""
    if not isinstance(record, SeatRow) or not isinstance(record.given, int):
        return ""
    step = step_of(book)
    if record.given % step == 0:
        return ""
    theirs = "even" if step == 2 else f"multiples of {step}"
    return f"{record.given} is no score that these rules give: all of theirs are {theirs}"


def add_rows(evening: Evening, typed: Sequence[SeatRow], comment: str = "") -> Change:
    """Take players' rows, typed as one line, for the hand under way, in place of earlier ones of theirs; it is settled
    when all have one and they go together.
    """
    found = [check_row(evening, row) for row in typed]
    players = [visible(row.name) for row, _ in found]
    words = f"the line of {', '.join(players)}" if len(players) > 1 else f"{players[0]}’s line"
    hand = evening.open_hand
    lines = _lines_under_way(evening)
    for number, (row, _) in enumerate(found, 1):
        line = row_of(row, evening.end, comment if number == len(found) else "")
        if hand is not None and row.name in hand.rows:
            lines[hand.rows[row.name]] = line
        else:
            lines.append(line)
    _, (checked,) = checked_block(evening.state, block_of(tuple(lines)))
    if checked.refusals and not checked.amiss:
        raise Refused(placeless(checked.refusals[0]))
    if not checked.missing and not checked.amiss:
        number = evening.hands + 1
        words = f"{words}, the last of hand {number}," if hand is not None else f"hand {number}"
        assert isinstance(checked.outcome, Settlement)
        nets = tuple((checked.seats[wind], points) for wind, points in checked.outcome.net.items())
        there = {type(row) for _, row in rows_of(lines)}
        worked_out = (EastRow(checked.seats["E"]), PaysRow(nets))
        lines += [row_of(row, evening.end) for row in worked_out if type(row) not in there]
    sheets = tuple(sheet for _, sheet in found if sheet is not None)
    return Change(_with_hand(evening, lines), words, sheets)


def _lines_under_way(evening: Evening) -> list[str]:
    """Give the lines of the hand under way; where there is none, the head of one."""
    if evening.open_hand is not None:
        return list(evening.open_hand.lines)
    return [line_of(BlockLine(None, evening.round_wind), evening.end)]


def _with_hand(evening: Evening, lines: list[str]) -> str:
    if evening.open_hand is None:
        return evening.text + "".join(lines)
    return with_lines(evening.document, evening.open_hand.place, lines)


def drop(evening: Evening) -> Change:
    """Give the text without the hand under way."""
    if evening.open_hand is None:
        raise refuse("nothing-to-drop", "no hand is being typed", "type undo to take back the last one")
    return Change(_with_hand(evening, []), f"the dropping of hand {evening.hands + 1}")


def check_between_hands(evening: Evening) -> None:
    """Raise Refused while a hand is under way."""
    if evening.open_hand is not None:
        raise refuse("hand-in-progress", "a hand is being typed", "finish it, or type drop")


def add_event(evening: Evening, line: EventLine, comment: str = "") -> Change:
    """Add a draw, a wash, a false win, a long hand, a penalty or a payment."""
    check_between_hands(evening)
    parse_line(str(line))
    return Change(evening.text + "".join(event_lines(evening, line, comment)), describe_event(line.word))


def event_lines(evening: Evening, line: EventLine, comment: str = "") -> list[str]:
    """Give an event's lines, with who was East where that belongs to it. Raises Refused."""
    head = line_of(renamed(line, evening.seats), evening.end, comment=comment)
    _, (checked,) = checked_block(evening.state, block_of((head,)))
    for refusal in checked.refusals:
        raise Refused(refusal._replace(file=""))
    east = EastRow(evening.seats["E"])
    return [head, *([row_of(east, evening.end)] if EVENTS[line.word].names_east else [])]


def describe_event(word: str) -> str:
    """Give an event in words: ``the draw``, ``the payment``."""
    return f"the {EVENTS[word].name}"


def add_note(evening: Evening, words: str) -> Change:
    """Add a remark: in the hand under way, else between hands."""
    note = note_of(words)
    told = f"the note “{visible(words[:30])}{'…' if len(words) > 30 else ''}”"
    if evening.open_hand is None:
        return Change(evening.text + line_of(note, evening.end), told)
    return Change(_with_hand(evening, [*_lines_under_way(evening), row_of(note, evening.end)]), told)


def note_of(words: str) -> NoteLine:
    """Give the note that says *words*. Raises Refused where it says nothing."""
    if not words.strip():
        raise refuse("empty-note", "the note says nothing", "type note and what it is to say")
    return NoteLine(words.strip())


def add_label(evening: Evening, words: str) -> Change:
    """Label the hand that is being typed; the first of its lines may come afterwards."""
    before, *rows = _lines_under_way(evening)
    head = labelled(before, words)
    if head == before:
        raise refuse(
            "empty-label",
            "it has that label" if words else "label what?",
            "type label and what the hand is called",
        )
    return Change(_with_hand(evening, [head, *rows]), "the label")


def labelled(head: str, words: str) -> str:
    """Give the head of a hand with a label, or without one. Raises Refused."""
    words = words.strip().strip('"')
    if '"' in words:
        raise refuse("not-in-entry", "a quotation mark cannot stand in a label", "leave it out")
    record = record_of(head)
    assert isinstance(record, BlockLine)
    return rewritten(head, record._replace(label=words or None))


def add_pool(evening: Evening, winner: str, shares: dict[str, int]) -> Change:
    """Add the pool of small counters, which *winner* has thrown the highest for: a payment from each of the others."""
    check_between_hands(evening)
    payers = {name: points for name, points in shares.items() if points and name != winner}
    if not payers:
        raise refuse(
            "empty-pool", "nobody has anything to put into the pool", "play on: everybody holds even hundreds"
        )
    text = evening.text + line_of(NoteLine(f"the pool goes to {quote_name(winner)}"), evening.end)
    for name, points in payers.items():
        text += line_of(EventLine("pay", (name, winner), number=points), evening.end)
        text += row_of(_INTO_THE_POOL, evening.end)
    return Change(text, f"the pool of {visible(winner)}")


def is_of_pool(entry: Entry) -> bool:
    """Tell whether an entry is what a player has put into the pool."""
    return entry.kind == "pay" and any(row == _INTO_THE_POOL for _, row in rows_of(entry.lines))


class Draft(NamedTuple):
    """An edit under way: the entry, and its lines as they are to be."""

    entry: Entry
    lines: tuple[str, ...]


class Rewritten(NamedTuple):
    """A line of a later entry that would be changed because a wind stands in it."""

    mark: str
    before: str
    after: str


class Edit(NamedTuple):
    """What an edit would make of an evening: the evening after it, and the lines of others that change."""

    before: Evening
    after: Evening
    entry: Entry
    rewritten: tuple[Rewritten, ...]


def typed_into(evening: Evening, draft: Draft, action: Action) -> Draft:
    """Give the draft with what was typed in place of what it stands for. Raises Refused."""
    entry, lines = draft.entry, list(draft.lines)
    is_hand = entry.kind == "hand"
    if action.kind == "note":
        _put_note(lines, action.text, evening.end)
    elif action.kind == "label":
        if not is_hand:
            raise refuse("not-in-entry", "only a hand has a label", "type note and what is to be said")
        lines[0] = labelled(lines[0], action.text)
    elif entry.checked is None:
        raise refuse("not-in-entry", "this entry is a note", "type note and what it is to say; or drop")
    for record in action.records:
        if is_hand and isinstance(record, SeatRow):
            row, _ = check_row(evening.at(entry), record)
            place = next(
                place
                for place, old in rows_of(lines)
                if isinstance(old, SeatRow) and entry.seats.get(old.name, old.name) == row.name
            )
            lines[place] = row_of(row, evening.end, action.comment)
        elif not is_hand and isinstance(record, EventLine):
            lines[0] = event_lines(evening.at(entry), record, action.comment)[0]
        elif is_hand:
            raise refuse("not-in-entry", "this entry is a hand", "type the line of a player as it is to be")
        else:
            hint = "type the line that it is to be: draw, wash S 11, pay S E 100"
            raise refuse("not-in-entry", "this entry is no hand", hint)
    return Draft(entry, tuple(lines))


def _put_note(lines: list[str], words: str, end: str) -> None:
    """Have the lines of an entry say a note in place of theirs, or besides. Raises Refused."""
    note = note_of(words)
    notes = [place for place, row in rows_of(lines) if is_peoples_note(row)]
    if isinstance(record_of(lines[0]), NoteLine):
        lines[0] = rewritten(lines[0], note)
    elif not notes:
        lines.append(row_of(note, end))
    elif len(notes) == 1:
        lines[notes[0]] = row_of(note, end)
    else:
        number, _, rest = words.partition(" ")
        numbered = {str(number): place for number, place in enumerate(notes, 1)}
        if number not in numbered or not rest:
            message, hint = f"there are {len(notes)} notes here", "say which: note 1 and what it is to say"
            raise refuse("not-in-entry", message, hint)
        lines[numbered[number]] = row_of(note_of(rest), end)


def is_peoples_note(row: Line | Row) -> bool:
    """Tell whether a row is a note that people wrote, and not an edit."""
    return isinstance(row, NoteLine) and not row.text.startswith("edited; ")


def apply(evening: Evening, draft: Draft, keep_winds: bool) -> Edit:
    """Put a draft in the place of its entry, and fit every later one to it; *keep_winds* leaves later hands the seats
    that they had. Raises Refused where the entry, or one that follows, would not hold.
    """
    first = draft.entry.place
    lines = draft.lines
    if draft.entry.checked is not None:
        nets = str(PaysRow(tuple(draft.entry.nets.items()))).partition(" ")[2]
        lines = (*lines, row_of(NoteLine(f"{_EDITED}{nets}"), evening.end))
    entries = {entry.place: entry for entry in evening.entries}
    hand = evening.open_hand
    state = entries[first].before
    text = text_of(evening.document[:first])
    changed: list[Rewritten] = []
    for place, block in enumerate(evening.document[first:], first):
        new = lines if place == first else block.lines
        entry = entries.get(place)
        if entry is not None and entry.checked is not None:
            new = _recomputed(new, entry, state, keep_winds)
        elif hand is not None and place == hand.place:
            new = _reseated(new, evening.seats, evening.round_wind, state, keep_winds)
            _, (checked,) = checked_block(state, block_of(new))
            if not checked.amiss:
                _check_fits(checked, "the hand under way")
        if place != first and block.head:
            mark = entry.mark if entry is not None else str(evening.hands + 1)
            changed += _rewritten(mark, block.lines, new)
        text += "".join(new)
        if block.head:
            state, _ = checked_block(state, block_of(new))
    return Edit(evening, evening.with_text(text), draft.entry, tuple(changed))


def describe_draft(draft: Draft) -> str:
    """Give an edit in words."""
    return f"the edit of {describe_entry(draft.entry)}"


def describe_entry(entry: Entry) -> str:
    """Give an entry in words: ``hand 3``, ``the draw, hand 4``, ``the payment 4a``."""
    if entry.kind == "hand":
        return f"hand {entry.mark}"
    if entry.kind == "note":
        return f"note {entry.mark[1:]}"
    told = describe_event(entry.kind)
    return f"{told}, hand {entry.mark}" if entry.mark.isdecimal() else f"{told} {entry.mark}"


def _check_fits(checked: Checked, told: str, unless: str = "") -> None:
    """Raise Refused where a block has a refusal, unless it is of that code."""
    for refusal in checked.refusals:
        if refusal.code != unless:
            message = f"{told} would no longer fit: {refusal.message}"
            raise Refused(placeless(refusal)._replace(message=message))


def _rewritten(mark: str, before: Sequence[str], after: Sequence[str]) -> Iterator[Rewritten]:
    """Give the lines that somebody wrote and that say another thing now; what is worked out is not among them."""
    written = [
        [line for line in lines if not isinstance(record_of(line), EastRow | PaysRow)]
        for lines in (before, after)
    ]
    for old, new in zip(*written, strict=True):
        said = record_of(old)
        if said != record_of(new) and not isinstance(said, BlockLine):
            yield Rewritten(mark, old.strip(), new.strip())


def _with(lines: Sequence[str], change: Callable[[Line | Row], Line | Row]) -> tuple[str, ...]:
    """Give lines that say what *change* makes of what they say."""
    return tuple(rewritten(line, change(record_of(line))) for line in lines)


def _recomputed(lines: Sequence[str], entry: Entry, state: State, keep_winds: bool) -> tuple[str, ...]:
    """Give the lines of a hand or event, fitted to where it is played now: winds, round, points."""
    says_east = any(isinstance(row, EastRow) for _, row in rows_of(lines))
    names_east = entry.kind == "hand" or EVENTS[entry.kind].names_east
    keep = keep_winds and (says_east or names_east)
    lines = _reseated(lines, dict(entry.seats), entry.round_wind, state, keep)
    bare = tuple(line for line in lines if not isinstance(record_of(line), PaysRow))
    _, (checked,) = checked_block(state, block_of(bare))
    _check_fits(checked, describe_entry(entry), unless="expected-score")
    if checked.missing:  # after a change of seats others may play
        message = f"would no longer fit: nothing is said of {', '.join(checked.missing)}"
        hint = "put the change of seats right first"
        raise refuse("missing-seat", f"{describe_entry(entry)} {message}", hint)
    return _with(lines, lambda record: _with_figures(record, checked))


def _reseated(
    lines: Sequence[str], seats: dict[str, str], round_wind: str, state: State, keep: bool
) -> tuple[str, ...]:
    """Fit the lines of a block that was played at *seats* to who sits where now; with *keep* as it was played."""
    book = state.context.book()
    assert state.position is not None
    seats_now, round_now = ledger.seating(state.position, book), ledger.round_wind(state.position, book)
    rows = list(rows_of(lines))
    as_played = any(isinstance(row, EastRow) and row.round for _, row in rows)
    if as_played or (seats_now, round_now) == (seats, round_wind):
        return tuple(lines)
    if keep:
        east = EastRow(seats["E"], round_wind)
        if any(isinstance(row, EastRow) for _, row in rows):
            return _with(lines, lambda record: east if isinstance(record, EastRow) else record)
        return (*lines, row_of(east, line_end("".join(lines))))
    return _with(lines, lambda record: _moved(record, seats, seats_now["E"], round_now))


def _moved(record: Line | Row, seats: dict[str, str], east: str, round_wind: str) -> Line | Row:
    """Give a record with the players who sat at the winds that it names, and with the new East and round."""
    if isinstance(record, BlockLine):
        return record._replace(round=round_wind) if record.round else record
    if isinstance(record, EastRow):
        return record._replace(name=east)
    if isinstance(record, SeatRow):
        return renamed(_without_round(record), seats)
    return renamed(record, seats) if isinstance(record, PaysRow | EventLine) else record


def _with_figures(record: Line | Row, checked: Checked) -> Line | Row:
    """Give a record with the points that are worked out now, where it says any."""
    settlement = checked.outcome
    assert isinstance(settlement, Settlement)
    winds = {name: wind for wind, name in checked.seats.items()}
    if isinstance(record, PaysRow):
        nets = ((name, settlement.net[winds.get(name, name)]) for name, _ in record.nets)
        return record._replace(nets=tuple(nets))
    if isinstance(record, SeatRow) and record.expected is not None:
        return record._replace(expected=settlement.sheets[winds.get(record.name, record.name)].score)
    return record
