"""Sets of counters, and which counters pay a number of points (Harr p. 26, Babcock p. 4-5).

A set of counters is data. Where it is not known what anybody holds, every amount is paid with the fewest.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from math import gcd
from pathlib import Path
from typing import Any, NamedTuple

from mjscore.game.tiles import WIND_NAMES
from mjscore.refusal import Refusal, Refused, refuse, visible
from mjscore.rulebook.toml_places import Document, NotOurs, read_document, read_file
from mjscore.settling.payment import SITTER_OUT, Payment

COUNTER_SETS = ("harr", "babcock")
_BAD = "bad-counters"
_MOST_KINDS = 20
MOST_STEPS = (
    800_000  # of all that is searched for a hand: less than a second; the usual counters need far fewer
)
_UNTYPED = "\x00"  # stands in no player's name
BANK = f"{_UNTYPED}bank"
Holdings = Mapping[str, tuple[int, ...]]  # counts of each kind, in the order of the set, by who holds them


class Counter(NamedTuple):
    """A kind of counter: its face, its value in points, how many each player starts with (0: not said)."""

    title: str
    value: int
    each: int


class CounterSet(NamedTuple):
    """The kinds of counters of a table, the most valuable first, and where they are described."""

    id: str
    title: str
    source: str
    counters: tuple[Counter, ...]

    @property
    def values(self) -> tuple[int, ...]:
        """Give the values in points, highest first."""
        return tuple(counter.value for counter in self.counters)

    def points(self, counts: tuple[int, ...]) -> int:
        """Tell what so many counters of each kind are worth."""
        return sum(value * count for value, count in zip(self.values, counts, strict=True))

    def by_value(self, counts: tuple[int, ...]) -> dict[str, int]:
        """Tell how many there are of which value, where there are any, as programs read it."""
        return {str(value): count for value, count in zip(self.values, counts, strict=True) if count}

    def spoken(self, counts: tuple[int, ...], titled: bool = False) -> str:
        """Tell how many there are of which value in words: ``: 2 × 500, 1 × 100``; nothing where there are none."""
        parts = [
            f"{count} × {counter.value}{f' ({counter.title})' if titled else ''}"
            for counter, count in zip(self.counters, counts, strict=True)
            if count
        ]
        return f": {', '.join(parts)}" if parts else ""

    def starting(self, seats: Iterable[str]) -> dict[str, tuple[int, ...]]:
        """Tell what everybody holds at the start; nothing where the set does not say."""
        each = tuple(counter.each for counter in self.counters)
        return dict.fromkeys(seats, each) if any(each) else {}


class Transfer(NamedTuple):
    """Counters that one player hands another: how many of each kind, in the order of the set."""

    giver: str
    taker: str
    counts: tuple[int, ...]


class Exchange(NamedTuple):
    """The counters that change hands: transfers, and why nobody can pay more.

    *holdings* are what everybody holds afterwards, where it was known before; *owing* is who owes whom then.
    """

    counters: CounterSet
    transfers: tuple[Transfer, ...] = ()
    holdings: Mapping[str, tuple[int, ...]] = {}
    problem: Refusal | None = None
    owing: tuple[Payment, ...] = ()

    @property
    def moved(self) -> int:
        """Tell how many counters that moves."""
        return sum(sum(transfer.counts) for transfer in self.transfers)

    def as_json(self, names: Mapping[str, str] | None = None) -> dict[str, object]:
        """Return the object that programs read, where *names* has players by seat with their seats."""
        seats = {name: seat for seat, name in (names or {}).items()} | {BANK: BANK.lstrip(_UNTYPED)}
        by_value = self.counters.by_value

        def between(one: str, other: str) -> dict[str, object]:
            return {"from": seats.get(one, one), "to": seats.get(other, other)}

        return {
            "set": self.counters.id,
            "moved": self.moved,
            "transfers": [
                between(giver, taker) | {"counters": by_value(counts)}
                for giver, taker, counts in self.transfers
            ],
            "owing": [between(payer, payee) | {"points": points} for payer, payee, points, _ in self.owing],
            "problem": self.problem.as_json() if self.problem else None,
        }

    def lines(self, names: Mapping[str, str] | None = None) -> list[str]:
        """Give the exchange in words, a line a transfer, and who owes whom behind it."""
        lines = [f"{self.problem.message}; {self.problem.hint}"] if self.problem is not None else []
        lines += [
            f"{holder_name(giver, names)} hands {holder_name(taker, names)}{self.counters.spoken(counts, titled=True)}"
            for giver, taker, counts in self.transfers
        ]
        return [*(lines or ["no counters change hands"]), *(debt_line(debt, names) for debt in self.owing)]


def holder_name(holder: str, names: Mapping[str, str] | None) -> str:
    """Give a holder as they are called: a player's name, a wind, the bank, who sits out."""
    if names and holder in names:
        return names[holder]
    if holder == BANK:
        return "the bank"
    return "who sits out" if holder == SITTER_OUT else WIND_NAMES.get(holder, visible(holder))


def debt_line(debt: Payment, names: Mapping[str, str] | None = None) -> str:
    """Tell who owes whom how much."""
    return f"{holder_name(debt.payer, names)} owes {holder_name(debt.payee, names)} {debt.points}"


@lru_cache(maxsize=16)
def load_counters(name: str, folder: str = "") -> CounterSet:
    """Give the counter set *name*: one that comes along, or a TOML file. Raises Refused."""
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
    """Give the set that a file describes. Raises Refused, with the first thing that is wrong in it."""
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


class SearchTooLongError(Exception):
    """The search has taken more steps than a table would wait for."""


class Steps:
    """Counts the steps of a search, so that one with odd values ends, on every machine at the same place."""

    def __init__(self, most: int = MOST_STEPS) -> None:
        self.left = most

    def take(self, steps: int = 1) -> None:
        """Take some of the steps that are left. Raises SearchTooLongError where there are not so many."""
        self.left -= steps
        if self.left < 0:
            raise SearchTooLongError


@lru_cache(maxsize=1 << 12)
def fewest(
    values: tuple[int, ...], amount: int, held: tuple[int, ...] | None = None, most_steps: int = MOST_STEPS
) -> tuple[int, ...] | None:
    """Find the fewest counters that make *amount*, as counts in the order of *values*; None where none do.

    Of each kind there are as many as *held* says, or as are needed. Raises SearchTooLongError for odd values.
    """
    steps = Steps(most_steps)

    @cache
    def of(kind: int, amount: int) -> tuple[int, ...] | None:
        if amount % divisors[kind]:
            return None
        most = amount // values[kind]
        if held is not None:
            most = min(most, held[kind])
        if kind == len(values) - 1:
            return (most,) if most * values[kind] == amount else None
        best: tuple[int, ...] | None = None
        for count in range(most, -1, -1):
            steps.take()
            rest = amount - count * values[kind]
            # with fewer of the highest kind the rest takes more of the others, each worth less
            if best is not None and count + rest // values[kind + 1] >= sum(best):
                break
            of_lower = of(kind + 1, rest)
            if of_lower is not None:
                best = min(best or (count, *of_lower), (count, *of_lower), key=sum)
        return best

    divisors = [gcd(*values[kind:]) for kind in range(len(values))]
    return of(0, amount)


def debts(net: Mapping[str, int], old: Iterable[tuple[str, str]] = ()) -> list[Payment]:
    """Tell who pays whom to settle the nets: those who have *old* debts between them first, else each payer's debt going
    to as few as can be.
    """
    due = dict(net)
    payments: dict[tuple[str, str], int] = {}

    def pay(payer: str, payee: str) -> None:
        part = min(-due[payer], due[payee])
        if part > 0:
            payments[payer, payee] = payments.get((payer, payee), 0) + part
            due[payer] += part
            due[payee] -= part

    for payer, payee in old:
        pay(payer, payee)
    for payer in net:
        for payee in sorted(due, key=lambda payee: -due[payee]):
            pay(payer, payee)
    return [Payment(*pair, points) for pair, points in payments.items()]


def paid_outright(counters: CounterSet, payments: Sequence[Payment], steps: Steps | None = None) -> Exchange:
    """Pay each with the fewest counters, where it is not known what anybody holds. What cannot be paid is left out."""
    transfers, problem, steps = [], None, steps or Steps()
    most = steps.left // max(len(payments), 1)
    for payment in payments:
        try:
            counts = fewest(counters.values, payment.points, None, most)
        except SearchTooLongError:
            steps.left = 0
            late = refuse("no-exchange-found", "amount", points=payment.points)
            return Exchange(counters, problem=late.refusal)
        if counts is None:
            kinds = ", ".join(map(str, counters.values))
            problem = refuse("no-change", "amount", points=payment.points, kinds=kinds).refusal
        elif any(counts):
            transfers.append(Transfer(payment.payer, payment.payee, counts))
    return Exchange(counters, tuple(transfers), problem=problem)


def parse_holding(text: str, counters: CounterSet) -> tuple[str, tuple[int, ...]]:
    """Tell who holds what, written ``E=2,9,8,10``: how many of each kind, the most valuable first. Raises Refused."""
    seat, _, figures = text.partition("=")
    counts = [count.strip() for count in figures.split(",")]
    are_numbers = all(count.isascii() and count.isdigit() and len(count) < 5 for count in counts)
    if seat not in WIND_NAMES or len(counts) != len(counters.counters) or not are_numbers:
        kinds = ", ".join(str(value) for value in counters.values)
        example = ",".join(str(counter.each) for counter in counters.counters)
        raise refuse("bad-holding", said=text[:60], kinds=kinds, example=example)
    return seat, tuple(map(int, counts))
