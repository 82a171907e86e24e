"""Hands typed by the user: as arguments, in lines of standard input or in rows of a spreadsheet."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mjscore.cli.file_access import unreadable
from mjscore.refusal import Refusal, Refused, escape_controls, refuse, whole

if TYPE_CHECKING:
    from mjscore.game.hand import Hand
    from mjscore.notation.hand_builder import Worth
    from mjscore.notation.reading import HandReading
    from mjscore.record.context import Context, State
    from mjscore.record.source import SourceLine
    from mjscore.record.spreadsheet import Sheet
    from mjscore.rulebook.rulebook import Rulebook


class TypedHand(NamedTuple):
    """What was typed: *given* is a hand, its refusal, or None for a spreadsheet row without a hand.

    *reading* has remarks on how the hand was read, *line* is its line of input. In a spreadsheet, *state* has
    the rules, seat and round of its row, and *cells* are the row's other cells.
    """

    given: Hand | Refusal | None
    reading: HandReading | None = None
    line: SourceLine | None = None
    state: State | None = None
    cells: Mapping[str, str] = {}

    def hand(self, seat: str | None, round_wind: str | None) -> Hand:
        """Return the hand; *seat* and *round_wind* apply if neither hand nor row has them. Raises Refused."""
        from mjscore.scoring.checks import placed_hand

        assert self.given is not None
        if isinstance(self.given, Refusal):
            raise Refused(self.given)
        if self.state is not None:
            seat, round_wind = self.state.context.seat or seat, self.state.context.round or round_wind
        return placed_hand(self.given, seat, round_wind)

    def placed(self, refusal: Refusal) -> Refusal:
        """Return a *refusal* of this hand with its place in the input."""
        if self.reading is not None:
            refusal = self.reading.placed(refusal)
        if self.line is not None:
            from mjscore.record.checker import placed

            return placed(refusal, "<stdin>" if self.state is None else self.state.file, self.line)
        return refusal

    def books(self, books: list[Rulebook]) -> list[Rulebook]:
        """Return *books*; in a spreadsheet, the row's rulebook in place of a single one. Raises Refused."""
        if self.state is None or len(books) > 1:
            return books
        return [self.state.context.book()]

    def members(self) -> dict[str, object]:
        """Return the JSON member ``read``, a loosely typed hand in strict notation; empty for other hands."""
        return {"read": self.reading.text} if self.reading is not None and self.reading.loosely else {}


def typed_hands(
    arguments: Iterable[str | Sheet],
    books: Sequence[Rulebook],
    seat: str | None,
    round_wind: str | None,
    waiting: bool = False,
    context: Callable[[], Context] | None = None,
) -> Iterator[TypedHand]:
    """Yield the hands, or their refusals, of typed arguments, spreadsheets and, for ``-``, standard input.

    Of two readings, prefer the one that one of *books* scores or, if *waiting*, the one with 13 tiles.
    """
    from mjscore.notation.hands import read_hand

    worth = worth_by(books, seat, round_wind, waiting)
    for text in arguments:
        if not isinstance(text, str):
            assert context is not None
            yield from _hands_of_sheet(text, context())
        elif text == "-":
            yield from _hands_of_input()
        else:
            try:
                reading = read_hand(text, worth=worth)
                yield TypedHand(reading.hand, reading)
            except Refused as refused:
                refusal = refused.refusal
                if text.endswith((".mj", ".csv", ".tsv")) or os.path.isfile(text):
                    path = escape_controls(text)
                    refusal = refuse("unknown-character", "file", at=whole(text), path=path).refusal
                yield TypedHand(refusal)


def _hands_of_input() -> Iterator[TypedHand]:
    from mjscore.record.source import is_blank, open_table, read_lines

    try:
        for line in read_lines(open_table("-"), "<stdin>"):
            if line.refusal is not None:
                yield TypedHand(line.refusal, None, line)
            elif not is_blank(line.text):
                yield strictly_typed(line.text.partition("#")[0].rstrip(), line)
    except OSError as error:
        raise unreadable("-", error) from None


def _hands_of_sheet(sheet: Sheet, context: Context) -> Iterator[TypedHand]:
    from mjscore.batch.results import CSV_COLUMNS
    from mjscore.record.context import State
    from mjscore.record.spreadsheet import read_rows

    before = State.before(sheet.path, context)
    for _, line, state, cells in read_rows(sheet.layout, sheet.rows, before, CSV_COLUMNS):
        typed = TypedHand(line.refusal, None, line if line.refusal else None)
        if line.text and line.refusal is None:
            typed = strictly_typed(line.text, line)
        yield typed._replace(state=state, cells=cells)


def strictly_typed(text: str, line: SourceLine | None = None) -> TypedHand:
    """Return the hand in *text*, in strict notation, or its refusal; *line* is its line of input, if any."""
    from mjscore.notation.hands import parse_reading

    try:
        reading = parse_reading(text)
    except Refused as refused:
        return TypedHand(refused.refusal, None, line)
    return TypedHand(reading.hand, reading, line)


def worth_by(
    books: Sequence[Rulebook], seat: str | None, round_wind: str | None, waiting: bool = False
) -> Worth:
    """Return a function from a hand to its scores by *books*, or to None if none of them scores it.

    If *waiting*, a hand that has won or does not have 13 tiles has no score.
    """

    def worth_in_all(hand: Hand) -> tuple[int | None, ...] | None:
        from mjscore.scoring.waits import worth

        if waiting and (hand.win is not None or hand.tiles_over != 0):
            return None
        scores = tuple(worth(hand, book, seat, round_wind) for book in books)
        return scores if any(score is not None for score in scores) else None

    return worth_in_all
