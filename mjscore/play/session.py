"""An evening at the table: what the prompt understands, and the file that it keeps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from textwrap import wrap
from typing import NamedTuple

from mjscore.counters.holdings import EveningCounters, Purses, pool_of_small_counters
from mjscore.counters.sets import load_counters
from mjscore.game.hand import Hand, quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.places import located
from mjscore.page.cards import option_text
from mjscore.page.settlements import show_exchange, show_settlement
from mjscore.page.sheets import show_sheet
from mjscore.page.text import Style, name_of, signed
from mjscore.play.store import Store
from mjscore.record import ledger
from mjscore.record.checked import Checked
from mjscore.record.context import Context
from mjscore.record.lines import SeatRow, parse_row
from mjscore.record.reader import Reader, resolved_seat
from mjscore.record.source import Block, SourceLine, blocks, lines_of
from mjscore.refusal import Refusal, Refused, refuse, text_width, visible
from mjscore.rulebook.binding import Rulebook, bind
from mjscore.scoring.checks import placed_hand
from mjscore.settling.liability import possible_liability
from mjscore.settling.payment import SITTER_OUT
from mjscore.settling.settlement import Settlement, result_of

HELP = """A line for each seat, by wind or name; the winner's hand ends with his last tile:
  Ann: (RRR) 123b 456b 789b 5d <5d:Ben     E: 64     S: dead     W: 40 win from N
Typed again, a seat's line replaces the first. When all have one, the hand is settled.
  draw, draw four        nobody won (four: a four was declared)
  wash S 11, false W, long W, pay S E 100
  undo, redo             take back the last hand; bring it back
  edit 3                 put hand 3 right; what follows is worked out again
  show, show 3           the hand in progress; hand 3
  standings              who has what
  counters, pool         who holds which counters; the pool at the end (pool Ann: it is hers)
  note any words         a remark, kept in the file
  drop                   forget the lines of this hand
  help, quit"""
_EVENTS = re.compile(r"(draw|wash|false|long|pay)\b")


class Entry(NamedTuple):
    """A hand or event of the file: its lines (from, to) and what it came to."""

    first: int
    last: int
    checked: Checked


def _check_typed(line: str) -> None:
    """Raises Refused for a line with a character that no file of text should have."""
    for place, character in enumerate(line):
        if (character < " " and character != "\t") or character == "\x7f":
            raise refuse(
                "control-character",
                "a control character was typed or pasted into the line",
                "type the line again",
                1,
                place + 1,
                1,
                line,
            )


def beginning(names: list[str], rulebook: str, settings: dict[str, object], folder: str = "") -> str:
    """The head of a new evening's file. Raises Refused for rules or players that cannot be."""
    book = bind(rulebook, settings, folder)
    lines = [f"rulebook {quote_name(rulebook)}"]
    lines += [f"set {name} {option_text(book.options[name])}" for name in settings]
    lines += [f"rules {book.fingerprint}", "players " + " ".join(quote_name(name) for name in names)]
    text = "\n".join(lines) + "\n"
    for one in Reader("", Context(folder=folder)).check(blocks(lines_of(text))):
        for refusal in one.refusals:
            raise Refused(refusal._replace(file="", line=None, column=None))
    return text


_NOT_KNOWN = "it is not known who holds which counters: the set does not say with how many a player begins"


class Evening:
    """The state of play. *say* prints; what is typed comes in through ``take``."""

    def __init__(
        self,
        store: Store,
        say: Callable[[str], None],
        style: Style,
        counters: str | None = None,
        folder: str = "",
        pair_by_pair: bool = False,
        bank: bool = False,
    ) -> None:
        self.store = store
        self.say = say
        self.style = style
        self.counters = (
            EveningCounters(load_counters(counters, folder), pair_by_pair, bank) if counters else None
        )
        self.folder = folder
        self.text = ""
        self.entries: list[Entry] = []
        self.rows: dict[str, str] = {}
        self.editing: int | None = None
        self.reader = Reader("", Context())
        self.load()
        for line in store.journal():
            self._accept(line, quietly=True)

    # ------------------------------------------------------------- reading the file

    def load(self) -> None:
        """Reads the file again. Raises Refused, with the first thing that is wrong in it."""
        text = self.store.read()
        entries, reader = _entries(text, str(self.store.path), self.folder)
        if reader.position is None:
            raise refuse(
                "no-players",
                "the file names no players",
                "write players Ann Ben Cid Dee at its head",
                file=str(self.store.path),
            )
        self.text, self.entries, self.reader = text, entries, reader

    @property
    def book(self) -> Rulebook:
        """The evening's rulebook."""
        return self.reader.book()

    @property
    def position(self) -> ledger.Position:
        """Where the evening stands."""
        assert self.reader.position is not None
        return self.reader.position

    @property
    def seats(self) -> dict[str, str]:
        """Who sits at which wind now."""
        return ledger.seating(self.position, self.book)

    def prompt(self) -> str:
        """Which hand is being typed, and whose line is missing."""
        if self.editing is not None:
            return f"edit {self.editing}> "
        missing = [name for wind, name in self.seats.items() if wind != SITTER_OUT and wind not in self.rows]
        waiting = f" ({', '.join(visible(name) for name in missing)})" if self.rows and missing else ""
        return f"{len(self.entries) + 1}{waiting}> "

    def greeting(self) -> str:
        """Who is East, which round, which hand."""
        seats = self.seats
        wind = WIND_NAMES[ledger.round_wind(self.position, self.book)]
        head = f"Hand {len(self.entries) + 1}, {wind} round: {visible(seats['E'])} is East"
        players = ", ".join(f"{one} {visible(name)}" for one, name in seats.items() if one in WIND_NAMES)
        lines = [self.style.strong(head) + "  " + self.style.faint(players)]
        if text_width(head) + 2 + text_width(players) > self.style.width:
            lines = [self.style.strong(line) for line in wrap(head, self.style.width)]
            lines += [
                self.style.faint(line)
                for line in wrap(players, self.style.width, initial_indent="  ", subsequent_indent="  ")
            ]
        if SITTER_OUT in seats:
            lines.append(f"{visible(seats[SITTER_OUT])} sits out")
        if self.rows:
            lines.append(f"kept from before: {', '.join(visible(seats[wind]) for wind in self.rows)}")
        return "\n".join(lines)

    # ------------------------------------------------------------- what is typed

    def take(self, line: str) -> bool:
        """Does what a line says; False where it ends the evening. Raises Refused for a line to be mended."""
        words = line.split()
        if not words:
            return True
        _check_typed(line)
        if self.store.changed():
            self.load()
            self.say("The file was changed by hand and has been read again.")
            self.say(self.greeting())
        word = words[0]
        simple: dict[str, Callable[[], None]] = {
            "undo": self.undo, "redo": self.redo, "standings": self.standings, "drop": self.drop,
            "settle": self._settle_if_complete, "help": lambda: self.say(HELP), "counters": self.holdings,
        }  # fmt: skip
        if word in ("quit", "exit") and len(words) == 1:
            return False
        if word in simple and len(words) == 1:
            simple[word]()
        elif word in ("show", "edit") and len(words) <= 2:
            self._numbered(word, words[1:])
        elif word == "pool":
            self.pool(line[len(word) :].strip())
        elif word == "note":
            self._write(line + "\n")
            self.say("noted")
        elif _EVENTS.match(word) and ":" not in word:
            self._event(line)
        else:
            self._accept(line)
            self._settle_if_complete()
        return True

    def _accept(self, line: str, quietly: bool = False) -> None:
        """One seat's line: checked, scored, kept."""
        row = parse_row(line)
        if not isinstance(row, SeatRow):
            raise refuse(
                "no-seat-line",
                "a line begins with a seat, or is a command",
                "type help",
                1,
                1,
                len(line),
                line,
            )
        seats = self._seats_now()
        wind = resolved_seat(row.name, seats)
        if wind not in seats or wind == SITTER_OUT:
            names = ", ".join(visible(name) for one, name in seats.items() if one != SITTER_OUT)
            raise refuse(
                "unknown-player",
                f"nobody here is called {row.name[:40]!r}",
                f"the players are {names}",
                1,
                1,
                len(row.name),
                line,
            )
        shown = ""
        if isinstance(row.given, Hand):
            shown = self._scored(row, row.given, wind, line)
        if not quietly:
            if self.editing is None:
                # on the disk before it is shown
                self.store.keep_line(line)
            if shown:
                self.say(shown)
        body = (
            line.split(":", 1)[1]
            if not line.startswith('"')
            else line[line.index('"', 1) + 1 :].split(":", 1)[1]
        )
        self.rows[wind] = body.strip()

    def _scored(self, row: SeatRow, given: Hand, wind: str, line: str) -> str:
        round_wind = self._round_now()
        if given.round is not None and given.round != round_wind:
            raise refuse(
                "second-round",
                f"this is the {WIND_NAMES[round_wind]} round",
                f"leave out @{given.round}",
                1,
                1,
                len(line),
                line,
            )
        seats = self._seats_now()
        hand = placed_hand(given._replace(seat=wind), wind, round_wind)
        win = hand.win
        if win is not None:
            hand = hand._replace(
                win=win._replace(
                    discarder=resolved_seat(win.discarder, seats) if win.discarder else None,
                    earlier=resolved_seat(win.earlier, seats) if win.earlier else None,
                    all_from=resolved_seat(win.all_from, seats) if win.all_from else None,
                )
            )
        try:
            result = result_of(hand, self.book)
        except Refused as refused:
            raise Refused(located(refused.refusal, line)) from None
        if result.scored is None:
            return ""
        liable = possible_liability(result.scored, self.book)
        return show_sheet(result.scored.sheet, self.book, self.style, liable=liable)

    def _seats_now(self) -> dict[str, str]:
        if self.editing is not None:
            return dict(self.entries[self.editing - 1].checked.seats)
        return self.seats

    def _round_now(self) -> str:
        if self.editing is not None:
            before = self.entries[self.editing - 1].checked.before
            assert before is not None
            return ledger.round_wind(before, self.book)
        return ledger.round_wind(self.position, self.book)

    def _settle_if_complete(self) -> None:
        seats = {wind: name for wind, name in self._seats_now().items() if wind != SITTER_OUT}
        if any(wind not in self.rows for wind in seats):
            return
        number = self.editing or len(self.entries) + 1
        lines = [f'hand "{number}" @{self._round_now()}']
        lines += [f"  {quote_name(name)}: {self.rows[wind]}" for wind, name in seats.items()]
        lines.append(f"  east {quote_name(seats['E'])}")
        settlement = self._tried("\n".join(lines) + "\n")
        pays = " ".join(
            f"{quote_name(self._seats_now()[wind])} {points:+d}" for wind, points in settlement.net.items()
        )
        block = "\n".join([*lines, f"  pays {pays}"]) + "\n"
        if self.editing is not None:
            self._replace_block(block)
            return
        self._write(block)
        self.rows = {}
        self._show_last()

    def _tried(self, block: str) -> Settlement:
        """What a block comes to, before it is written. Raises Refused, the lines kept to be mended."""
        reader = reader_at(self.reader)
        if self.editing is not None:
            before = self.entries[self.editing - 1].checked.before
            reader.state = reader.state._replace(position=before)
        (one,) = reader.check(blocks(lines_of(block)))
        for refusal in one.refusals:
            raise Refused(refusal._replace(file="", hint=f"{refusal.hint}; type that seat's line again"))
        assert isinstance(one.outcome, Settlement)
        return one.outcome

    def _event(self, line: str) -> None:
        if self.rows:
            raise refuse(
                "hand-in-progress", "a hand is being typed", "finish it, or type drop", 1, 1, len(line), line
            )
        seats = self.seats
        if not line.startswith("pay"):
            line = f"{line}\n  east {quote_name(seats['E'])}"
        (one,) = reader_at(self.reader).check(blocks(lines_of(line + "\n")))
        for refusal in one.refusals:
            raise Refused(refusal._replace(file=""))
        self._write(line + "\n")
        self._show_last()

    # ------------------------------------------------------------- writing

    def _write(self, block: str) -> None:
        self.store.append(block)
        self.store.keep_undone([])
        self.load()

    def _show_last(self) -> None:
        self.say(self.shown(len(self.entries)))
        self.say(self.greeting())

    def shown(self, number: int) -> str:
        """A hand's payments, counters and the totals after it."""
        checked = self.entries[number - 1].checked
        assert isinstance(checked.outcome, Settlement)
        parts = [show_settlement(checked.outcome, checked.seats, self.style)]
        if self.counters:
            parts.append(self._counters_of(number))
        assert checked.after is not None
        totals = zip(checked.after.players, checked.after.totals, strict=True)
        text = "Totals: " + ", ".join(f"{visible(name)} {signed(points)}" for name, points in totals)
        parts += wrap(text, self.style.width, subsequent_indent="  ")
        return "\n".join(parts)

    def _counters_of(self, number: int) -> str:
        assert self.counters is not None
        found = self.counters.after(self.position.players, self._hands(number))[1]
        assert found is not None
        return show_exchange(found, self.entries[number - 1].checked.seats, self.style)

    def _hands(self, number: int) -> Iterator[tuple[Settlement, Mapping[str, str]]]:
        for entry in self.entries[:number]:
            assert isinstance(entry.checked.outcome, Settlement)
            yield entry.checked.outcome, entry.checked.seats

    def holdings(self) -> None:
        """Who holds which counters, and what is still owed."""
        purses = self._counted_purses()
        self._say_lines(purses.holding_lines() or [_NOT_KNOWN])
        for name, points in purses.owing.items():
            self.say(f"{visible(name)} {'is owed' if points > 0 else 'owes'} {abs(points)}")

    def pool(self, winner: str = "") -> None:
        """The pool of small counters at the end of an evening; *winner* gets what the others put in."""
        purses = self._counted_purses()
        if not winner:
            self._say_lines(purses.pool_lines() or [_NOT_KNOWN])
            return
        name = self.seats.get(resolved_seat(winner.strip('"'), self.seats), "")
        if name not in self.position.players:
            raise refuse(
                "unknown-player",
                f"nobody here is called {winner[:40]!r}",
                f"the players are {', '.join(map(visible, self.position.players))}",
            )
        if purses.holdings is None:
            raise refuse("no-holdings", _NOT_KNOWN, "play with --counters babcock")
        shares = pool_of_small_counters(purses.counters, purses.holdings)
        for other, share in shares.items():
            if share.points and other != name:
                self._write(f"note {quote_name(other)} puts {share.points} into the pool\n")
                self._event(f"pay {quote_name(other)} {quote_name(name)} {share.points}")

    def _say_lines(self, lines: list[str]) -> None:
        for line in lines:
            self.say("\n".join(wrap(line, self.style.width, subsequent_indent="  ")))

    def _counted_purses(self) -> Purses:
        if self.counters is None:
            raise refuse("no-counters", "no counters are kept", "call mjscore play with --counters babcock")
        if self.rows:
            raise refuse("hand-in-progress", "a hand is being typed", "finish it, or type drop")
        return self.counters.after(self.position.players, self._hands(len(self.entries)))[0]

    def undo(self) -> None:
        """Takes the last hand or event back; it can be brought back."""
        if self.rows:
            raise refuse(
                "hand-in-progress", "a hand is being typed", "type drop to forget its lines, then undo"
            )
        if not self.entries:
            raise refuse("nothing-to-undo", "nothing has been played yet", "type the first hand")
        entry = self.entries[-1]
        lines = self.text.split("\n")
        block = "\n".join(lines[entry.first - 1 : entry.last]) + "\n"
        self.store.keep_undone([*self.store.undone(), block])
        self.store.rewrite("\n".join([*lines[: entry.first - 1], *lines[entry.last :]]))
        self.load()
        self.say(f"hand {len(self.entries) + 1} is undone; redo brings it back")
        self.say(self.greeting())

    def redo(self) -> None:
        """Brings back what was undone last."""
        undone = self.store.undone()
        if not undone:
            raise refuse("nothing-to-redo", "nothing was undone", "type a hand")
        self.store.append(undone[-1].strip("\n") + "\n")
        self.store.keep_undone(undone[:-1])
        self.load()
        self._show_last()

    def drop(self) -> None:
        """Forgets the lines of the hand in progress."""
        self.rows = {}
        self.editing = None
        self.store.forget_journal()
        self.say("the lines of this hand are forgotten")
        self.say(self.greeting())

    def _numbered(self, word: str, rest: list[str]) -> None:
        if word == "show" and not rest:
            seats = self._seats_now()
            for wind, body in self.rows.items():
                self.say(f"{name_of(wind, seats)}: {visible(body)}")
            if not self.rows:
                self.say(self.greeting())
            return
        if (
            not rest
            or not rest[0].isascii()
            or not rest[0].isdigit()
            or not 1 <= int(rest[0][:9]) <= len(self.entries)
        ):
            raise refuse(
                "no-such-hand",
                f"there is no hand {' '.join(rest)[:20]}",
                f"hands are 1 to {len(self.entries)}",
            )
        number = int(rest[0])
        if word == "show":
            self.say(self.text_of(number))
            self.say(self.shown(number))
            return
        self._begin_edit(number)

    def text_of(self, number: int) -> str:
        """A hand as it stands in the file."""
        entry = self.entries[number - 1]
        return "\n".join(visible(line) for line in self.text.split("\n")[entry.first - 1 : entry.last])

    def _begin_edit(self, number: int) -> None:
        if self.rows:
            raise refuse("hand-in-progress", "a hand is being typed", "finish it, or type drop")
        entry = self.entries[number - 1]
        if entry.checked.event != "hand":
            raise refuse(
                "no-such-hand",
                f"{number} is no hand but {entry.checked.event}",
                "undo it, or mend the file in an editor",
            )
        self.editing = number
        for line in self.text.split("\n")[entry.first : entry.last]:
            row = parse_row(line)
            if isinstance(row, SeatRow):
                wind = resolved_seat(row.name, entry.checked.seats)
                body = (
                    line.strip()[len(quote_name(row.name)) :]
                    if line.strip().startswith('"')
                    else line.strip()
                )
                self.rows[wind] = body.split(":", 1)[1].strip()
        self.say(self.text_of(number))
        self.say("type the line that is to be another; drop leaves the hand as it was")

    def _replace_block(self, block: str) -> None:
        """Puts an earlier hand right, works out everything after it again, and says what changed."""
        assert self.editing is not None
        number, self.editing, self.rows = self.editing, None, {}
        before = self.position
        entry = self.entries[number - 1]
        lines = self.text.split("\n")
        old = dict(entry.checked.outcome.net) if isinstance(entry.checked.outcome, Settlement) else {}
        was = " ".join(f"{quote_name(entry.checked.seats[wind])} {points:+d}" for wind, points in old.items())
        remark = f"  note edited; it paid before: {was}\n"
        text = "\n".join(lines[: entry.first - 1]) + "\n" + block + remark + "\n".join(lines[entry.last :])
        text = _worked_out_again(text.lstrip("\n"), self.folder)
        self.store.rewrite(text)
        self.load()
        self.say(self.shown(number))
        for name, one, other in zip(before.players, before.totals, self.position.totals, strict=True):
            if one != other:
                self.say(f"{visible(name)}: {signed(one)} before, {signed(other)} now")
        if before.east != self.position.east or before.passes != self.position.passes:
            self.say("the winds have moved: " + self.greeting())
        else:
            self.say(self.greeting())

    def standings(self) -> None:
        """Who has what, the most first."""
        ranked = sorted(zip(self.position.totals, self.position.players, strict=True), reverse=True)
        for place, (points, name) in enumerate(ranked, 1):
            self.say(f"  {place}. {visible(name):<20} {signed(points):>8}")


def reader_at(reader: Reader) -> Reader:
    """A reader that stands where another does, to try something out."""
    tried = Reader("", reader.context)
    tried.state = tried.state._replace(position=reader.position)
    return tried


def _entries(text: str, path: str, folder: str) -> tuple[list[Entry], Reader]:
    """The hands and events of a file. Raises Refused with the first thing that does not hold."""
    reader = Reader(path, Context(folder=folder))
    entries = []
    for block in blocks(lines_of(text)):
        for one in reader.check_block(block):
            for refusal in one.refusals:
                raise Refused(refusal)
            if not one.ok or one.missing:
                raise Refused(_differs(one, block, path))
            if one.kind == "table":
                last = block.rows[-1].number if block.rows else block.head.number
                entries.append(Entry(block.head.number, last, one))
    return entries, reader


def _differs(one: Checked, block: Block, path: str) -> Refusal:
    line: SourceLine = next((row for row in block.rows if row.text.strip().startswith("pays")), block.head)
    return Refusal(
        "expected-net", "what this hand pays is not what comes out",
        "put the hand or its pays line right; mjscore check says more", line.number, 1, max(1, len(line.text)), line.text, path,
    )  # fmt: skip


def _worked_out_again(text: str, folder: str) -> str:
    """A file's text with every ``east`` and ``pays`` row worked out anew from the hands above it."""
    lines = text.split("\n")
    reader = Reader("", Context(folder=folder))
    bare = [line for line in lines if not line.strip().startswith(("east ", "pays "))]
    made: list[str] = []
    found: dict[int, Checked] = {}
    ends: dict[int, int] = {}
    for block in blocks(lines_of("\n".join(bare))):
        for one in reader.check_block(block):
            for refusal in one.refusals:
                raise Refused(
                    refusal._replace(file="", hint=f"{refusal.hint}; hand {len(found) + 1} no longer fits")
                )
            if one.kind == "table":
                found[block.head.number] = one
                last = [row for row in block.rows if not row.text.strip().startswith("note")]
                ends[last[-1].number if last else block.head.number] = block.head.number
    for number, line in enumerate(bare, 1):
        if number in found and line.startswith("hand"):
            checked = found[number]
            assert checked.before is not None
            wind = ledger.round_wind(checked.before, bind_of(checked, folder))
            line = re.sub(r"@\s*[ESWN]", f"@{wind}", line)
        made.append(line)
        if number in ends:
            made += _fitting_rows(found[ends[number]])
    return "\n".join(made)


def bind_of(checked: Checked, folder: str) -> Rulebook:
    """The rulebook that a result was worked out by."""
    return bind(checked.rulebook, dict(checked.settings), folder)


def _fitting_rows(checked: Checked) -> Iterator[str]:
    assert isinstance(checked.outcome, Settlement)
    if checked.event != "pay":
        yield f"  east {quote_name(checked.seats['E'])}"
    if checked.event == "hand":
        pays = " ".join(
            f"{quote_name(checked.seats[wind])} {points:+d}" for wind, points in checked.outcome.net.items()
        )
        yield f"  pays {pays}"
