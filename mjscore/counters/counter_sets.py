"""Sets of counters, and which counters pay a number of points (Harr p. 26, Babcock p. 4-5).

A set of counters is data. If holdings are unknown, every amount is paid with the fewest counters.
"""

import pkgutil
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from mjscore.game.tiles import WIND_NAMES
from mjscore.refusal import Refused, refuse
from mjscore.rulebook.toml_places import Document, NotOurs, read_document, read_file

COUNTER_SETS = ("harr", "babcock")
NO_SET = "none"
_BAD = "bad-counters"
_MOST_KINDS = 20


Holdings = Mapping[str, tuple[int, ...]]  # by holder: the count of each kind, in the order of the set


class Counter(NamedTuple):
    """A kind of counter: its face, its value in points, how many each player starts with (0 if not known)."""

    title: str
    value: int
    each: int


class CounterSet(NamedTuple):
    """The kinds of counters at a table, most valuable first, and the source that describes them.

    >>> settlement = mjscore.settle({"E": 4, "S": 0, "W": 0, "N": 0}, winner="E")
    >>> mjscore.exchange(settlement).counters.values
    (1000, 500, 100, 10, 2)
    """

    id: str
    title: str
    source: str
    counters: tuple[Counter, ...]

    @property
    def values(self) -> tuple[int, ...]:
        """The value of each kind in points, highest first."""
        return tuple(counter.value for counter in self.counters)

    def points(self, counts: tuple[int, ...]) -> int:
        """Return how many points these *counts* of each kind, in the order of the set, are worth together."""
        return sum(value * count for value, count in zip(self.values, counts, strict=True))

    def by_value(self, counts: tuple[int, ...]) -> dict[str, int]:
        """Return the counts other than 0 by the counter's value, for JSON."""
        return {str(value): count for value, count in zip(self.values, counts, strict=True) if count}

    def spoken(self, counts: tuple[int, ...], titled: bool = False) -> str:
        """Return counts in words, as ``: 2 × 500, 1 × 100``, with faces if *titled*; empty if all are 0."""
        parts = [
            f"{count} × {counter.value}{f' ({counter.title})' if titled else ''}"
            for counter, count in zip(self.counters, counts, strict=True)
            if count
        ]
        return f": {', '.join(parts)}" if parts else ""

    def starting(self, seats: Iterable[str]) -> dict[str, tuple[int, ...]]:
        """Return how many of each kind each seat starts with; empty if the set does not say so."""
        each = tuple(counter.each for counter in self.counters)
        return dict.fromkeys(seats, each) if any(each) else {}


@lru_cache(maxsize=16)
def load_counters(name: str, folder: str = "") -> CounterSet:
    """Return the counter set *name*: a shipped one, or a TOML file in *folder*. Raises Refused."""
    if name in COUNTER_SETS:
        shipped = pkgutil.get_data("mjscore.counters", f"{name}.toml") or b""
        return _checked(read_document(shipped.decode(), f"{name}.toml"))
    path = Path(folder, name)
    if path.suffix != ".toml":
        raise refuse("no-counters", "name", name=name, sets=" and ".join(COUNTER_SETS))
    large, unread = (_BAD, "large"), ("no-counters", "unread")
    document: Document | None = None
    try:
        document = read_file(str(path), "the file of counters", large, unread, name=name)
        return _checked(document)
    except Refused as refused:
        if document is not None and {"id", "title", "counter"} <= document.data.keys():
            raise
        raise NotOurs(refused.refusal, "no-counters", "through") from None


def _checked(document: Document) -> CounterSet:
    """Return the set described in a file. Raises Refused for the first mistake in it."""
    data, head = document.data, document.at()
    for key in ("id", "title", "source"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            raise head.refused(key, _BAD, "head")
    kinds: Any = data.get("counter")
    if not isinstance(kinds, list) or not kinds or not all(isinstance(kind, dict) for kind in kinds):
        raise head.refused("counter", _BAD, "none")
    if len(kinds) > _MOST_KINDS:
        raise head.refused(("counter", _MOST_KINDS), _BAD, "many", count=len(kinds), most=_MOST_KINDS)
    for number, kind in enumerate(kinds):
        here, value, each = document.at("counter", number), kind.get("value"), kind.get("each", 0)
        if type(value) is not int or not 0 < value <= 1_000_000:
            raise here.refused("value", _BAD, "value")
        if type(each) is not int or not 0 <= each <= 1000:
            raise here.refused("each", _BAD, "each")
        if not isinstance(kind.get("title"), str):
            raise here.refused("title", _BAD, "title")
        if value in [other["value"] for other in kinds[:number]]:
            raise here.refused("value", _BAD, "twice", value=value)
    counters = [Counter(kind["title"], kind["value"], kind.get("each", 0)) for kind in kinds]
    counters.sort(key=lambda counter: -counter.value)
    return CounterSet(data["id"], data["title"], data["source"], tuple(counters))


def parse_holding(text: str, counters: CounterSet) -> tuple[str, tuple[int, ...]]:
    """Return a seat and its counts, as from ``E=2,9,8,10``, the most valuable kind first. Raises Refused."""
    seat, _, figures = text.partition("=")
    counts = [count.strip() for count in figures.split(",")]
    are_numbers = all(count.isascii() and count.isdigit() and len(count) < 5 for count in counts)
    if seat not in WIND_NAMES or len(counts) != len(counters.counters) or not are_numbers:
        kinds = ", ".join(str(value) for value in counters.values)
        example = ",".join(str(counter.each) for counter in counters.counters)
        raise refuse("bad-holding", said=text[:60], kinds=kinds, example=example)
    return seat, tuple(map(int, counts))
