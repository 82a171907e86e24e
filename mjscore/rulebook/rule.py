"""An entry of a rulebook as the scorer uses it, and what it awards."""

import re
from typing import Any, NamedTuple


def part_of_limit(value: object) -> tuple[int, int] | None:
    """Parse a fraction of the limit like ``1/2``; None if it is not one."""
    match = re.fullmatch(r"([0-9]{1,2})(?:/([1-9][0-9]?))?", value) if isinstance(value, str) else None
    return (int(match[1]), int(match[2] or 1)) if match else None


class Rule(NamedTuple):
    """An entry with the options settled: what it awards and its source.

    *of_limit* is a fraction of the limit; *doubled* says whether East or a discard doubles the payments for it. A
    hand that is *never_counted* takes its points even if counting would bring more; a special hand that
    *may_be_counted* is counted if that brings more. For a bonus or a double, *bonus_tiles* says that it is given for
    bonus tiles; for a special or limit hand, that its bonus tiles count on top. A special hand that may be *laid* may
    have its pungs on the table. For a liability, *earlier* says whether a tile that fed a set some turns ago counts
    too: ``alone``, or ``shared`` with a last discarder who is liable too; otherwise it is empty.
    """

    id: str
    title: str
    source: str
    section: str
    points: int = 0
    doubles: int = 0
    is_other_score: bool = True
    instead_of: frozenset[str] = frozenset()
    special: bool = False
    rank: int = 0
    kind: str = ""
    of_limit: tuple[int, int] | None = None
    even: bool = False
    doubled: bool = True
    never_counted: bool = False
    may_be_counted: bool = False
    bonus_tiles: bool = False
    earlier: str = ""
    laid: bool = False

    def __str__(self) -> str:
        return f"{self.title} ({self.source})"

    def points_under(self, limit: int | None) -> int | None:
        """Return the rule's points, or its fraction of *limit*, rounded down; None if that limit is None."""
        if self.of_limit is None:
            return self.points
        if limit is None:
            return None
        above, below = self.of_limit
        points = limit * above // below
        return points // 2 * 2 if self.even else points


class Award(NamedTuple):
    """A rule awarded to an arranged hand: its id, how many times, and whether rules for "no other score" count it."""

    rule: str
    times: int
    is_other_score: bool


class SetValue(NamedTuple):
    """The value of a set in one situation: points, the rules that give them, its lines on a score sheet."""

    points: int
    rules: tuple[Rule, ...]
    items: tuple[Any, ...] = ()
