"""The tiles a hand waits for, from text, with a refusal as a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mjscore.hand import Hand
from mjscore.notation import parse
from mjscore.refusal import Refusal, Refused
from mjscore.rulebook import Rulebook
from mjscore.scoring import located, rulebook_of
from mjscore.sheet import Wait, placed_hand, waiting_tiles


class Waits(NamedTuple):
    """The waits of a hand by a rulebook; *error* says why there are none to tell."""

    rulebook: str
    waits: tuple[Wait, ...] = ()
    hand: Hand | None = None
    error: Refusal | None = None

    def as_json(self) -> dict[str, object]:
        """The object that programs read."""
        return {
            "rulebook": self.rulebook,
            "waits": [one.as_json() for one in self.waits],
            "error": self.error.as_json() if self.error else None,
        }


def waits_text(
    hand: str | Hand,
    rulebook: str | Rulebook,
    options: Mapping[str, object] | None = None,
    seat: str | None = None,
    round_wind: str | None = None,
) -> Waits:
    """The waits of a hand of thirteen, parsed or not."""
    name = rulebook if isinstance(rulebook, str) else rulebook.id
    text = hand if isinstance(hand, str) else ""
    parsed = None if isinstance(hand, str) else hand
    try:
        book = rulebook_of(rulebook, options)
        name = book.id
        parsed = placed_hand(parse(hand) if isinstance(hand, str) else hand, seat, round_wind)
        return Waits(name, tuple(waiting_tiles(parsed, book)), parsed)
    except Refused as refused:
        return Waits(name, (), parsed, located(refused.refusal, text, parsed))
