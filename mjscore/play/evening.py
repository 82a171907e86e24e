"""An evening's file in detail: its blocks, whose lines are kept exactly, what was played, the current state."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain, count
from typing import NamedTuple

from mjscore.game.hand import quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.record.checker import Checked, check_block
from mjscore.record.context import Context, State
from mjscore.record.events import Count, kind_of
from mjscore.record.ledger import Position
from mjscore.record.lines import BlockLine, Line, NoteLine, PaysRow, Row, SeatRow, parse_text
from mjscore.record.source import Block, blocks, is_blank, lines_of
from mjscore.refusal import Place, Refusal, Refused, escape_controls, offering, refuse
from mjscore.settling.payment import SITTER_OUT
from mjscore.settling.settlement import Settlement

INDENT = "  "
_LINE = re.compile(r".*\n|.+")
_BLANK = r"(?!\Z)[ \t]*(?:#.*|\r*)(?:\n|\Z)"
_ROW = r"[ \t](?=.*\S).*\n?"
_BLOCK = re.compile(rf"(?:{_BLANK})+|.+\n?(?:(?:{_BLANK})*{_ROW})*")
# a line without its comment; "flower #4" is none
_SAID = re.compile(
    r'(?:"[^"]*"|\b(?:flower|season)s?\b(?:(?!flower|season)[^#"])*+(?:#(?=[1-4](?!\w))[^#"]*)+|[^#"]|"(?![^"]*"))*',
    re.IGNORECASE,
)
_WAITING = re.compile(r"(?<![ \t])[ \t]*# waiting (?=[^#]*:)")
_MOST_KNOWN = 5_000
_WIND_IN_WORDS = re.compile(r"\b(?P<name>East|South|West|North)\b(?! (?:wind|round))")
_LABEL_IN_WORDS = re.compile(r"(?:(?<=\btype )|(?<=\bor ))[ESWN](?=: )")
_LABEL = re.compile(r"\A[ESWN](?=: )")
_known: dict[str, Line | Row] = {}

# the lines of each block (an unindented line with the indented ones below it), and of the text between blocks
Document = tuple[tuple[str, ...], ...]


def document_of(text: str) -> Document:
    """Split a text into blocks and the text between them, as lines with their endings.

    Blank lines and comments between two rows belong to their block.
    """
    return tuple(tuple(_LINE.findall(block)) for block in _BLOCK.findall(text))


def text_of(document: Iterable[Iterable[str]]) -> str:
    """Return the text of a document."""
    return "".join(chain.from_iterable(document))


def with_lines(document: Document, place: int, lines: Iterable[str]) -> str:
    """Return the text with other *lines* for block *place* of the document; without lines, it is removed."""
    return text_of((*document[:place], lines, *document[place + 1 :]))


def line_end(text: str) -> str:
    """Return the line ending of a text: that of its first line."""
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"


class Entry(NamedTuple):
    """A hand, an event between hands, a note, or the hand under way: *lines*, block *place* of the document.

    *mark* is its number: ``3``, ``3a``, ``n2``. *state* is the state before the entry, with the winds at which it
    was played, which an ``east`` row may say; *checked* is None for a note, and for a hand without lines.
    """

    mark: str
    kind: str
    place: int
    lines: tuple[str, ...]
    state: State
    checked: Checked | None = None

    @property
    def is_open(self) -> bool:
        """Return whether this is the hand under way: players have no row yet, or the rows contradict each other."""
        return self.checked is not None and self.checked.is_open

    @property
    def amiss(self) -> Refusal | None:
        """Return why the rows of the hand under way contradict each other, if they do."""
        checked = self.checked
        return placeless(checked.refusals[0]) if checked is not None and checked.amiss else None

    @property
    def rows(self) -> dict[str, int]:
        """Return the index of each player's row in a hand's lines."""
        rows = ((place, row.name) for place, row in rows_of(self.lines) if isinstance(row, SeatRow))
        seats = self.state.seats
        return {seats.get(name, name): place for place, name in rows}

    @property
    def settlement(self) -> Settlement:
        """Return the settlement of a hand or event."""
        assert self.checked is not None
        assert isinstance(self.checked.outcome, Settlement)
        return self.checked.outcome

    @property
    def nets(self) -> dict[str, int]:
        """Return what each player won or lost, by name."""
        assert self.checked is not None
        return {self.checked.seats[wind]: points for wind, points in self.settlement.net.items()}


class EveningFile(NamedTuple):
    """An evening's file, read and settled.

    *hand* is the hand under way, or else the next one, still without lines; *state* is the state in which it is
    played.
    """

    text: str
    document: Document
    entries: tuple[Entry, ...]
    hand: Entry
    state: State

    @property
    def position(self) -> Position:
        """Return the ledger's position after the entries."""
        assert self.state.position is not None
        return self.state.position

    @property
    def end(self) -> str:
        """Return the line ending of the file."""
        return line_end(self.text)

    @property
    def playing(self) -> dict[str, str]:
        """Return the names of those who play, by wind."""
        return {wind: name for wind, name in self.state.seats.items() if wind != SITTER_OUT}

    @property
    def missing(self) -> dict[str, str]:
        """Return, by wind, the names of those who play and have no row in the hand under way."""
        there = self.hand.rows
        return {wind: name for wind, name in self.playing.items() if name not in there}

    @property
    def blocks(self) -> tuple[Entry, ...]:
        """Return the entries, followed by the hand under way."""
        return (*self.entries, self.hand) if self.hand.is_open else self.entries

    @property
    def played(self) -> tuple[Entry, ...]:
        """Return the entries that moved points or winds: all except notes."""
        return tuple(entry for entry in self.entries if entry.checked is not None)

    @property
    def first_players(self) -> tuple[str, ...]:
        """Return the players with whom the evening began."""
        return self.at((*self.played, self.hand)[0]).position.players

    def entry(self, mark: str) -> Entry | None:
        """Return the entry with that mark, for ``last`` the latest; None if there is none."""
        found = (entry for entry in reversed(self.entries) if mark in (entry.mark, "last"))
        return next(found, None)

    def at(self, entry: Entry) -> EveningFile:
        """Return the evening as it was when an entry was played, with the winds of that entry."""
        state = entry.state if entry.checked is not None else self.state
        earlier = tuple(one for one in self.entries if one.place < entry.place)
        hand = entry._replace(lines=entry.lines[:1], checked=None)
        return self._replace(state=state, entries=earlier, hand=hand)

    def with_text(self, text: str) -> EveningFile:
        """Return the evening with another text. Raises Refused."""
        return read_evening(text, self.state.file, self.state.context.folder)


def read_evening(text: str, file: str = "", folder: str = "") -> EveningFile:
    """Read the evening in a text. Raises Refused for its first mistake."""
    if len(_known) > _MOST_KNOWN:
        _known.clear()
    document = document_of(text)
    places = {number: place for place, number in enumerate(accumulate(map(len, document), initial=1))}
    state = State(file, Context(folder=folder))
    entries: list[Entry] = []
    hand: Entry | None = None
    notes, counted = count(1), Count()
    behind = blocks(lines_of(text))
    for block in behind:
        before = state
        state, results = checked_block(state, block)
        place = places.get(block.head.number, 0)  # text outside of blocks is refused
        for checked in results:
            kind = kind_of(checked.text)
            now = counted.after(kind)
            entry = Entry(now.mark, kind, place, document[place], checked.state, checked)
            if entry.is_open:
                hand, state = entry, checked.state
                continue
            check_holds(checked, block, (checked_block(before, one)[1] for one in behind))
            if checked.kind == "table":
                counted = now
                entries.append(entry)
        if not results and isinstance(record_of(block.head.text), NoteLine):
            entries.append(Entry(f"n{next(notes)}", "note", place, document[place], before))
    if state.position is None:
        raise refuse("no-players", "file", file=file)
    if hand is None:
        head = line_of(BlockLine(None, state.round_wind), line_end(text))
        hand = Entry(str(counted.hands + 1), "hand", len(document), (head,), state)
    return EveningFile(text, document, tuple(entries), hand, state)


def check_holds(checked: Checked, block: Block, behind: Iterable[tuple[Checked, ...]]) -> None:
    """Raise Refused for the first mistake in a block.

    A hand that lacks rows may be under way; then an unreadable line after it, *behind*, is the mistake. Hands
    recorded under other rules stand as they were recorded.
    """
    booked = checked.state.other_rules and checked.outcome.error is None
    for refusal in checked.refusals if not booked else ():
        if refusal.code == "rules-changed":
            continue
        if refusal.code == "missing-seat":
            unread = (one.refusals for results in behind for one in results if one.kind == "line")
            refusal = next((refusals[0] for refusals in unread if refusals), refusal)
        raise Refused(refusal)
    if not checked.ok and not checked.refusals:
        line = next((row for row in block.rows if isinstance(record_of(row.text), PaysRow)), block.head)
        raise refuse("expected-net", at=Place(line.text, 0, len(line.text), line.number, checked.state.file))


def record_of(line: str) -> Line | Row:
    """Parse a line of the file; cached. Raises Refused."""
    text = line.rstrip("\r\n")
    if text not in _known:
        _known[text] = parse_text(text)
    return _known[text]


@lru_cache(maxsize=1024)
def checked_block(state: State, block: Block) -> tuple[State, tuple[Checked, ...]]:
    """Check a block; cached by the state before it, so that only new blocks of a file are computed."""
    return check_block(state, block, record_of)


def line_of(record: Line | Row, end: str, margin: str = "", comment: str = "") -> str:
    """Return a record as a line of the file, and cache its parse."""
    text = f"{margin}{record}{comment}"
    _known[text] = record
    return text + end


def row_of(record: Row, end: str, comment: str = "") -> str:
    """Return a record as a row of a block."""
    return line_of(record, end, INDENT, comment)


def written(lines: Iterable[str]) -> str:
    """Return lines of the file for display."""
    return "\n".join(escape_controls(line.rstrip("\r\n")) for line in lines)


def rows_of(lines: Sequence[str]) -> Iterator[tuple[int, Row]]:
    """Yield the index and the record of each row of a block; blank lines and comments are left out."""
    for place, line in enumerate(lines[1:], 1):
        row = record_of(line)
        if row is not None:
            yield place, row  # type: ignore[misc]


def rewritten(line: str, record: Line | Row, comment: str = "") -> str:
    """Return a line changed to *record*; unchanged if it says that already and no *comment* was typed.

    The line keeps its margin, and its own comment if no other was typed.
    """
    if record_of(line) == record and not comment:
        return line
    text = line.rstrip("\r\n")
    margin = text[: len(text) - len(text.lstrip())]
    comment = comment or ("" if isinstance(record, NoteLine) else comment_of(line))
    return line_of(record, line[len(text) :], margin, comment)


def comment_of(line: str) -> str:
    """Return the comment of a line, with the spaces before it; empty if it has none."""
    text = line.rstrip()
    return text[len(_SAID.findall(text)[0].rstrip()) :]


def with_waiting(text: str) -> str:
    """Return the text of an old evening with rows in place of its last hand's comments "# waiting ..."."""
    document = document_of(text)
    heads = [place for place, lines in enumerate(document) if not is_blank(lines[0].rstrip("\r\n"))]
    if not heads:
        return text
    lines = list(document[heads[-1]])
    try:
        names = [row.name for _, row in rows_of(lines) if isinstance(row, SeatRow)]
        for place, line in enumerate(lines):
            row = _WAITING.sub(INDENT, line)
            found = record_of(row) if row != line else None
            if isinstance(found, SeatRow) and found.name not in names:
                lines[place] = row
    except Refused:
        return text
    return with_lines(document, heads[-1], lines)


def checked_lines(state: State, lines: Iterable[str]) -> tuple[State, tuple[Checked, ...]]:
    """Return the state after the lines of a block that is not in the file yet, and what its check found."""
    results: tuple[Checked, ...] = ()
    for block in blocks(lines_of("".join(lines))):
        state, results = checked_block(state, block)
    return state, results


def placeless(refusal: Refusal) -> Refusal:
    """Return a refusal without its place, which would be misleading for lines not in the file."""
    return refusal._replace(file="", line=None, column=None)


def told_in_names(refusal: Refusal, seats: Mapping[str, str]) -> Refusal:
    """Return a refusal that names an evening's players in place of the winds where they sit."""
    players = {WIND_NAMES[wind]: escape_controls(name) for wind, name in seats.items() if wind in WIND_NAMES}
    if not players.keys().isdisjoint(players.values()):
        return refusal  # a player is called East: it would not be clear who is meant
    message = _WIND_IN_WORDS.sub(lambda match: players.get(match["name"], match["name"]), refusal.message)

    def named(label: re.Match[str]) -> str:
        return quote_name(seats.get(label[0], label[0]))

    lines = tuple(_LABEL.sub(named, line) for line in refusal.lines)
    offered = offering(refusal, lines)
    hint = _LABEL_IN_WORDS.sub(lambda label: escape_controls(named(label)), offered.hint)
    return offered._replace(message=message, hint=hint)
