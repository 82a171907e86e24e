"""What bare scores a rulebook can give."""

from __future__ import annotations

from functools import lru_cache
from math import gcd

from mjscore.record.lines import EventLine, SeatRow
from mjscore.rulebook.binding import Rulebook

_COUNTED = ("set", "bonus", "after", "limit", "shape")


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
