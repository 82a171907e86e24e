"""What is typed as an argument may be looser than the notation: read, and the strict line shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from mjscore.notation.names import People
from mjscore.refusal import Refused, visible

if TYPE_CHECKING:
    from mjscore.game.hand import Hand
    from mjscore.notation.reading import Reading
    from mjscore.rulebook.binding import Rulebook


def read_argument(
    text: str, books: Sequence[Rulebook], seat: str | None, round_wind: str | None, waiting: bool = False
) -> Reading:
    """The hand that an argument means; of two readings, the one that some of *books* scores. Raises Refused.

    *waiting* asks for a hand of thirteen tiles instead.
    """
    from mjscore.notation.reading import read_hand
    from mjscore.scoring.checks import placed_hand
    from mjscore.scoring.scorer import score_hand

    def holds(hand: Hand) -> bool:
        if waiting:
            return hand.win is None and hand.tiles_over == 0
        for book in books:
            try:
                score_hand(placed_hand(hand, seat, round_wind), book)
            except Refused:
                continue
            return True
        return False

    return read_hand(text, holds=holds)


def show_reading(reading: Reading) -> None:
    """Says how a loosely typed hand was read."""
    if reading.loosely:
        remarks = f"  ({'; '.join(reading.remarks)})" if reading.remarks else ""
        click.echo(f"read: {visible(reading.text)}{remarks}")


def seat_argument(word: str) -> str:
    """The wind that an argument names, in any case and by any beginning; the word itself where it names none."""
    return People().strict(word) or word
