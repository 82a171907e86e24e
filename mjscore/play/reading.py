"""A file's text, understood: what was played, whose line is missing, where the evening stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from mjscore.play.document import Document, document_of
from mjscore.play.rows import said, waits
from mjscore.record import ledger
from mjscore.record.checked import Checked
from mjscore.record.context import Context, Occasion, State
from mjscore.record.ledger import Position
from mjscore.record.lines import NoteLine, PaysRow, parse_line, parse_row
from mjscore.record.marks import Count
from mjscore.record.reader import check_block
from mjscore.record.source import Block, SourceLine, blocks, lines_of
from mjscore.refusal import Refusal, Refused, refuse
from mjscore.rulebook.binding import Rulebook
from mjscore.settling.payment import SITTER_OUT
from mjscore.settling.settlement import Settlement

# what stands above a line is all that its result depends on: read again, a file costs only what is new
checked_block = lru_cache(maxsize=1024)(check_block)


class Entry(NamedTuple):
    """A hand, what stands between hands, or a note, at *place* in the document.

    *mark* is what it is called: ``3``, ``3a``, ``n2``. *before* is the state of the file above it;
    *checked* is None for a note.
    """

    mark: str
    kind: str
    place: int
    before: State
    checked: Checked | None = None

    @property
    def settlement(self) -> Settlement:
        """What a hand or event came to."""
        assert self.checked is not None
        assert isinstance(self.checked.outcome, Settlement)
        return self.checked.outcome

    @property
    def seats(self) -> Mapping[str, str]:
        """Who sat at which wind in a hand or event."""
        assert self.checked is not None
        return self.checked.seats

    @property
    def nets(self) -> dict[str, int]:
        """What each player won or lost, by name."""
        return {self.seats[wind]: points for wind, points in self.settlement.net.items()}


class OpenHand(NamedTuple):
    """The hand under way: where each player's line stands in its block, those that wait by themselves; *position*
    is the one at which it is played, which an ``east`` row may have kept as it was.
    """

    place: int
    rows: Mapping[str, int]
    waiting: Mapping[str, int]
    position: Position


class Account(NamedTuple):
    """An evening's file, read and settled. *state* is that after all but the hand under way."""

    text: str
    document: Document
    entries: tuple[Entry, ...]
    open_hand: OpenHand | None
    state: State

    @property
    def position(self) -> Position:
        """Where the evening stands."""
        assert self.state.position is not None
        return self.state.position

    @property
    def book(self) -> Rulebook:
        """The evening's rulebook."""
        return self.state.context.book()

    @property
    def occasion(self) -> Occasion:
        """What the file remembers of its table."""
        return self.state.occasion

    @property
    def seats(self) -> dict[str, str]:
        """Who sits at which wind now (and at X, who sits out)."""
        return ledger.seating(self.hand_position, self.book)

    @property
    def hand_position(self) -> Position:
        """The position at which the hand under way is played, or the next one."""
        return self.open_hand.position if self.open_hand is not None else self.position

    @property
    def playing(self) -> list[str]:
        """Who plays the next hand, from East."""
        return [name for wind, name in self.seats.items() if wind != SITTER_OUT]

    @property
    def round_wind(self) -> str:
        """The wind of the round."""
        return ledger.round_wind(self.hand_position, self.book)

    @property
    def played(self) -> tuple[Entry, ...]:
        """What moved points or winds: all entries but notes."""
        return tuple(entry for entry in self.entries if entry.checked is not None)

    @property
    def hands(self) -> int:
        """How many hands were played."""
        return count_of(self.played).hands

    def entry(self, mark: str) -> Entry | None:
        """The entry of that mark."""
        return next((entry for entry in self.entries if entry.mark == mark), None)


def count_of(entries: tuple[Entry, ...]) -> Count:
    """The count after some entries."""
    count = Count()
    for entry in entries:
        count = count.after(entry.kind)
    return count


def read_account(text: str, file: str = "", folder: str = "") -> Account:
    """The account of a text. Raises Refused, with the first thing that does not hold in it."""
    document = document_of(text)
    places = {block.number: place for place, block in enumerate(document) if block.head}
    state = State(file, Context(folder=folder))
    entries: list[Entry] = []
    open_hand = None
    notes = 0
    count = Count()
    behind = blocks(lines_of(text))
    for block in behind:
        before = state
        state, results = checked_block(state, block)
        for checked in results:
            check_holds(checked, block, (checked_block(before, one)[1] for one in behind))
        place = places[block.head.number]
        for checked in results:
            if checked.kind != "table":
                continue
            if checked.missing:
                open_hand = _open_hand(document, place, checked)
                state = before
                continue
            count = count.after(checked.event)
            entries.append(Entry(count.mark, checked.event, place, before, checked))
        if not results and isinstance(parse_line(block.head.text), NoteLine):
            notes += 1
            entries.append(Entry(f"n{notes}", "note", place, before))
    if state.position is None:
        raise refuse(
            "no-players",
            "the file names no players",
            "write players Ann Ben Cid Dee at its head",
            file=file,
        )
    return Account(text, document, tuple(entries), open_hand, state)


def check_holds(checked: Checked, block: Block, behind: Iterable[tuple[Checked, ...]]) -> None:
    """Raises Refused, with the first thing that does not hold in a block.

    A hand that lacks lines may be under way: then the line *behind* it that cannot be read is what is wrong.
    """
    for refusal in checked.refusals:
        if refusal.code == "missing-seat":
            unread = (one.refusals for results in behind for one in results if one.kind == "line")
            refusal = next((refusals[0] for refusals in unread if refusals), refusal)
        raise Refused(refusal)
    if not checked.ok:
        line = next((row for row in block.rows if isinstance(parse_row(row.text), PaysRow)), block.head)
        raise refuse(
            "expected-net",
            "what this hand pays is not what comes out",
            "put the hand or its pays line right; mjscore check says more",
            line.number,
            1,
            len(line.text),
            line.text,
            checked.file,
        )


def _open_hand(document: Document, place: int, checked: Checked) -> OpenHand:
    rows: dict[str, int] = {}
    waiting: dict[str, int] = {}
    for number, line in enumerate(document[place].lines[1:], 1):
        found = said(line, checked.seats)
        if found.kind == "row" and found.player in checked.seats.values():
            (waiting if waits(line) else rows)[found.player] = number
    assert checked.before is not None
    waiting = {name: number for name, number in waiting.items() if name not in rows}
    return OpenHand(place, rows, waiting, checked.before)


def block_of(lines: tuple[str, ...]) -> Block:
    """Lines that are not in a file yet, as a block that can be checked: a hand may be open."""
    (block,) = blocks(lines_of("".join(lines)))
    return block


def try_block(state: State, lines: tuple[str, ...]) -> Checked:
    """What a block would come to below *state*. Raises Refused."""
    _, (checked,) = checked_block(state, block_of(lines))
    for refusal in checked.refusals:
        raise Refused(refusal)
    return checked


def east_and_round(entry: Entry) -> tuple[str, str]:
    """Who was East in a hand or event, and the round's wind."""
    assert entry.checked is not None
    assert entry.checked.before is not None
    book = entry.before.context.book()
    return entry.seats["E"], ledger.round_wind(entry.checked.before, book)


def placeless(refusal: Refusal) -> Refusal:
    """A refusal of lines that are not in the file yet: its place would mislead."""
    return refusal._replace(file="", line=None, column=None)


def source_line(text: str) -> SourceLine:
    """A typed line as the reader takes it."""
    return SourceLine(1, text)
