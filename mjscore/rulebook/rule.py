"""An entry of a rulebook as the scorer sees it, and what it gives."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Rule(NamedTuple):
    """An entry with the options settled: what it gives and from where."""

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
    details: Mapping[str, Any] = {}


class Award(NamedTuple):
    """A rule given to an arranged hand: its id, how many times, and whether it spoils "no other score"."""

    rule: str
    times: int
    is_other_score: bool


class SetValue(NamedTuple):
    """What a set is worth in one situation: points, the rules that give them, its lines on a score sheet."""

    points: int
    rules: tuple[Rule, ...]
    items: tuple[Any, ...] = ()
