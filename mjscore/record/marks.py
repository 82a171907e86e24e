"""What a hand, or something between hands, is called: ``3`` is the third hand, ``3a`` what came after it.

Hands are counted as hands: those that were won, stopped or drawn. Washes, false wins and payments stand
between them. A player at the prompt, the report and its page all go by these marks.
"""

from __future__ import annotations

from typing import NamedTuple

from mjscore.record.events import HANDS, TITLES


class Count(NamedTuple):
    """How many hands have been counted, and how many things since the last of them."""

    hands: int = 0
    since: int = 0

    @property
    def mark(self) -> str:
        """Tell what was counted last: ``3``, ``3a``."""
        return f"{self.hands}{_letters(self.since)}"

    def after(self, kind: str) -> Count:
        """Give the count after something of a kind: ``hand``, ``draw``, ``wash``, ``pay`` …"""
        return Count(self.hands + 1) if kind in HANDS else Count(self.hands, self.since + 1)


def kind_of(head: str) -> str:
    """Give the kind of a block by the word with which its head begins, also where the block was refused."""
    return next((word for word in TITLES if head.startswith(word)), "")


def hand_number(mark: str) -> int | None:
    """Give the number of a hand; None for what stands between hands."""
    return int(mark) if mark.isdecimal() else None


def _letters(number: int) -> str:
    """a, b, …, z, aa, ab …; nothing for 0."""
    text = ""
    while number:
        number, place = divmod(number - 1, 26)
        text = chr(ord("a") + place) + text
    return text
