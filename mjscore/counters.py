"""Which counters change hands after a settlement (Harr p. 26, Babcock p. 4-5).

A set of counters is data. Where it is known what everybody holds, the exchange is the one that moves the
fewest counters, change included, found exactly; where not, every amount is paid with the fewest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from math import gcd
from pathlib import Path
from typing import NamedTuple

from mjscore.refusal import Refusal, Refused, visible
from mjscore.rulebook_file import Document, place_of, read_document
from mjscore.settlement import SITTER_OUT, Payment, Settlement
from mjscore.tiles import WIND_NAMES

COUNTER_SETS = ("harr", "babcock")
BANK = "\x00bank"  # no player can be called so
_MOST_STEPS = 300_000  # of a search: some seconds; the books' counters and the usual ones need hundreds
_BANK_HOLDS = 60  # of each counter; more never helps an exchange that moves few


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
        """The values in points, highest first."""
        return tuple(counter.value for counter in self.counters)

    def starting(self, seats: Iterable[str]) -> dict[str, tuple[int, ...]] | None:
        """What everybody holds at the start, or None where the set does not say."""
        if not any(counter.each for counter in self.counters):
            return None
        return {seat: tuple(counter.each for counter in self.counters) for seat in seats}


class Transfer(NamedTuple):
    """Counters that one player hands another: how many of each kind, in the order of the set."""

    giver: str
    taker: str
    counts: tuple[int, ...]


class Exchange(NamedTuple):
    """The counters that change hands: transfers, how many counters that moves, and what nobody can pay.

    *holdings* are what everybody holds afterwards, where it was known before.
    """

    counters: CounterSet
    transfers: tuple[Transfer, ...] = ()
    moved: int = 0
    holdings: Mapping[str, tuple[int, ...]] | None = None
    problem: Refusal | None = None

    def as_json(self) -> dict[str, object]:
        """The object that programs read."""
        values = self.counters.values
        return {
            "set": self.counters.id,
            "moved": self.moved,
            "transfers": [
                {
                    "from": _plain(one.giver),
                    "to": _plain(one.taker),
                    "counters": {
                        str(value): count for value, count in zip(values, one.counts, strict=True) if count
                    },
                }
                for one in self.transfers
            ],
            "problem": self.problem.as_json() if self.problem else None,
        }

    def lines(self, names: Mapping[str, str] | None = None) -> list[str]:
        """The exchange in words, a line a transfer."""
        found = [f"{self.problem.message}; {self.problem.hint}"] if self.problem is not None else []
        if not self.transfers:
            return found or ["no counters change hands"]
        for one in self.transfers:
            parts = [
                f"{count} × {counter.value} ({counter.title})"
                for counter, count in zip(self.counters.counters, one.counts, strict=True)
                if count
            ]
            found.append(f"{_name(one.giver, names)} hands {_name(one.taker, names)}: {', '.join(parts)}")
        return found


def _plain(holder: str) -> str:
    return "bank" if holder == BANK else holder


def _name(holder: str, names: Mapping[str, str] | None) -> str:
    """A holder as he is called: a player's name, a wind, the bank, who sits out."""
    if names and holder in names:
        return names[holder]
    if holder == BANK:
        return "the bank"
    return "who sits out" if holder == SITTER_OUT else WIND_NAMES.get(holder, visible(holder))


# ------------------------------------------------------------------ reading


@lru_cache(maxsize=16)
def load_counters(name: str, folder: str = "") -> CounterSet:
    """The counter set *name*: one that comes along, or a TOML file. Raises Refused."""
    if name in COUNTER_SETS:
        from importlib import resources

        source = resources.files("mjscore.counter_sets") / f"{name}.toml"
        return _checked(read_document(source.read_text(encoding="utf-8"), f"{name}.toml"))
    path = Path(folder, name)
    if path.suffix != ".toml":
        raise Refused(
            Refusal(
                "no-counters",
                f"there is no set of counters {name!r}",
                f"the sets are {' and '.join(COUNTER_SETS)}; a file of your own ends in .toml",
            )
        )
    try:
        return _checked(read_document(path.read_text(encoding="utf-8"), str(path)))
    except UnicodeDecodeError:
        raise Refused(
            Refusal("not-utf-8", "the file of counters is not UTF-8 text", "save it as UTF-8", file=str(path))
        ) from None
    except OSError as error:
        raise Refused(
            Refusal(
                "no-counters", f"{name} cannot be read: {error.strerror}", "look at its name and folder again"
            )
        ) from None


def _checked(document: Document) -> CounterSet:
    data = document.data

    def complain(index: int | None, key: str, message: str, hint: str) -> Refused:
        line, column, text = place_of(document, "counter" if index is not None else "", index, key)
        return Refused(
            Refusal("bad-counters", message, hint, line, column, max(1, len(key)), text, document.path)
        )

    for key in ("id", "title", "source"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            raise complain(None, key, f"the counters have no {key}", f'write {key} = "…" at the head')
    entries = data.get("counter")
    if not isinstance(entries, list) or not entries:
        raise complain(None, "counter", "there are no counters", "begin each with [[counter]]")
    counters: list[Counter] = []
    for index, entry in enumerate(entries):
        value, each = entry.get("value"), entry.get("each", 0)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= 1_000_000:
            raise complain(index, "value", "a counter is worth a whole number of points", "write value = 100")
        if isinstance(each, bool) or not isinstance(each, int) or not 0 <= each <= 1000:
            raise complain(index, "each", "each player starts with a whole number of them", "write each = 8")
        if not isinstance(entry.get("title"), str):
            raise complain(index, "title", "a counter has no title", 'write title = "five red dots"')
        if any(other.value == value for other in counters):
            raise complain(
                index, "value", f"two counters are worth {value}", "every kind has a value of its own"
            )
        counters.append(Counter(entry["title"], value, each))
    counters.sort(key=lambda counter: -counter.value)
    return CounterSet(data["id"], data["title"], data["source"], tuple(counters))


# ------------------------------------------------------------------ paying without knowing who holds what


def fewest(values: tuple[int, ...], amount: int) -> tuple[int, ...] | None:
    """The fewest counters that make *amount*, as counts in the order of *values*; None where none do."""
    if all(higher % lower == 0 for higher, lower in pairwise(values)):
        counts = []
        for value in values:
            counts.append(amount // value)
            amount %= value
        return tuple(counts) if amount == 0 else None
    best: list[tuple[int, int] | None] = [(0, -1)]
    for total in range(1, amount + 1):
        choices = [
            (known[0] + 1, place)
            for place, value in enumerate(values)
            if value <= total and (known := best[total - value]) is not None
        ]
        best.append(min(choices, default=None))
    if best[amount] is None:
        return None
    found = [0] * len(values)
    while amount:
        step = best[amount]
        assert step is not None
        found[step[1]] += 1
        amount -= values[step[1]]
    return tuple(found)


def debts(net: Mapping[str, int]) -> list[Payment]:
    """Who pays whom to settle the nets, each payer's debt going to as few as can be."""
    due = {seat: points for seat, points in net.items() if points > 0}
    payments = []
    for seat, points in net.items():
        left = -points
        for other in sorted(due, key=lambda one: -due[one]):
            part = min(left, due[other])
            if part > 0:
                payments.append(Payment(seat, other, part))
                due[other] -= part
                left -= part
    return payments


def paid_outright(counters: CounterSet, payments: Iterable[Payment]) -> Exchange:
    """Every payment with the fewest counters, where it is not known what anybody holds."""
    transfers = []
    for payment in payments:
        counts = fewest(counters.values, payment.points)
        if counts is None:
            problem = Refusal(
                "no-change",
                f"{payment.points} points cannot be paid in counters of {', '.join(map(str, counters.values))}",
                "settle what is over by word",
            )
            return Exchange(counters, problem=problem)
        if any(counts):
            transfers.append(Transfer(payment.payer, payment.payee, counts))
    return Exchange(counters, tuple(transfers), sum(sum(one.counts) for one in transfers))


# ------------------------------------------------------------------ the exchange that moves the fewest


def exchange(
    counters: CounterSet, holdings: Mapping[str, tuple[int, ...]], net: Mapping[str, int], bank: bool = False
) -> Exchange:
    """The exchange that settles *net* (points by player, summing to zero) and moves the fewest counters.

    *holdings* are counts of each kind in the order of the set. Change is given between the players and,
    with *bank*, by a bank that has plenty. Where it cannot be done, ``problem`` says who cannot pay.
    """
    values = counters.values
    short = _short(counters, holdings, net)
    if short:
        return Exchange(counters, holdings=holdings, problem=_cannot_pay(short, net))
    players = [*net, BANK] if bank else list(net)
    held = [list(holdings[seat]) for seat in net] + ([[_BANK_HOLDS] * len(values)] if bank else [])
    wanted = tuple(net.values()) + ((0,) if bank else ())
    try:
        found = _fewest_moves(tuple(reversed(values)), [counts[::-1] for counts in held], wanted)
    except _TooLongError:
        return Exchange(counters, holdings=holdings, problem=Refusal(
            "no-exchange-found", "no exchange was found among the counters on the table",
            "change some at the bank, or use counters of which each is worth a few of the next"))  # fmt: skip
    if found is None:
        return Exchange(counters, holdings=holdings, problem=Refusal(
            "no-change", "the counters on the table cannot be divided so that everybody is paid exactly",
            "change some at the bank, or settle what is over by word"))  # fmt: skip
    moves = [tuple(reversed(row)) for row in zip(*found, strict=True)]  # by player, highest value first
    after = {
        seat: tuple(count + change for count, change in zip(holdings[seat], moves[place], strict=True))
        for place, seat in enumerate(net)
    }
    transfers = _transfers(players, moves, net)
    return Exchange(counters, transfers, sum(sum(one.counts) for one in transfers), after)


def _short(
    counters: CounterSet, holdings: Mapping[str, tuple[int, ...]], net: Mapping[str, int]
) -> dict[str, int]:
    """By who cannot pay, how many points he lacks."""
    lacks = {seat: -points - _worth(counters, holdings[seat]) for seat, points in net.items()}
    return {seat: points for seat, points in lacks.items() if points > 0}


def _cannot_pay(short: Mapping[str, int], net: Mapping[str, int]) -> Refusal:
    owing = [
        f"{_name(seat, None)} owes {-net[seat]} points and holds {-net[seat] - lacks}"
        for seat, lacks in short.items()
    ]
    return Refusal(
        "cannot-pay", ", ".join(owing), f"{' and '.join(map(str, short.values()))} points remain owing"
    )


class _TooLongError(Exception):
    """The search has taken more steps than a table would wait for."""


class _Steps:
    """Counts the steps of a search, so that one with odd values ends, on every machine at the same place."""

    def __init__(self, most: int) -> None:
        self.left = most

    def take(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise _TooLongError


@lru_cache(maxsize=1 << 16)
def _fewest_counters(values: tuple[int, ...], points: int) -> int | None:
    """The fewest counters that make *points* of 0 or more, given and taken, whatever anybody holds.

    *values* from low to high; None where they cannot make it. It is the bound that ends the search early.
    """
    if points % gcd(*values):
        return None
    if len(values) == 1:
        return points // values[0]
    highest, lower = values[-1], values[:-1]
    best: int | None = None
    # so much of it is made of the lower kinds; each of these is worth at most lower[-1], hence the two stops
    for start, step in ((points % highest, highest), (points % highest - highest, -highest)):
        part = start
        while best is None or abs(points - part) // highest + -(-abs(part) // lower[-1]) < best:
            of_lower = _fewest_counters(lower, abs(part))
            if of_lower is not None:
                count = abs(points - part) // highest + of_lower
                best = count if best is None else min(best, count)
            part += step
    return best


def _fewest_moves(
    values: tuple[int, ...], held: list[list[int]], wanted: tuple[int, ...]
) -> list[tuple[int, ...]] | None:
    """By kind of counter, lowest value first, what each player gains (or gives); None where it cannot be.

    Kind after kind is chosen, with what is left to pay as the only memory, and a budget of counters that
    grows until the exchange fits it. A counter that moves is one player's gain and another's loss: the
    fewest counters by which everybody could come to what is left, halved, end a branch early.
    Raises _TooLongError.
    """
    failed: dict[tuple[int, tuple[int, ...]], int] = {}
    steps = _Steps(_MOST_STEPS)

    def solve(place: int, left: tuple[int, ...], twice: int) -> list[tuple[int, ...]] | None:
        if place == len(values):
            return [] if not any(left) else None
        if failed.get((place, left), -1) >= twice:
            return None
        steps.take()
        stock = [one[place] for one in held]
        for gains in _choices(values[place], values[place + 1 :], stock, left, twice, steps):
            cost = sum(map(abs, gains))
            rest = tuple(points - values[place] * gain for points, gain in zip(left, gains, strict=True))
            found = solve(place + 1, rest, twice - cost)
            if found is not None:
                return [gains, *found]
        failed[place, left] = twice
        return None

    least = [_fewest_counters(values, abs(points)) for points in wanted]
    most = sum(sum(one) for one in held)
    budget = -(-sum(one for one in least if one is not None) // 2)
    if None in least or not _can_be(values, held, wanted):
        return None
    while budget <= most:
        found = solve(0, wanted, 2 * budget)
        if found is not None:
            return found
        # the first that fits is the least, since the budget grows by one
        budget += 1
    return None


def _can_be(values: tuple[int, ...], held: list[list[int]], wanted: tuple[int, ...]) -> bool:
    """Whether the counters on the table can be divided as wanted at all, whatever it moves. Raises _TooLongError."""
    steps = _Steps(_MOST_STEPS)
    targets = [
        sum(value * count for value, count in zip(values, counts, strict=True)) + points
        for counts, points in zip(held, wanted, strict=True)
    ]
    pool = [sum(column) for column in zip(*held, strict=True)]
    seen: set[tuple[int, tuple[int, ...]]] = set()

    def share(place: int, left: tuple[int, ...]) -> bool:
        if place < 0:
            return not any(left)
        if (place, left) in seen:
            return False
        seen.add((place, left))
        below = gcd(*values[:place]) if place else 0

        def deal(player: int, stock: int, given: tuple[int, ...]) -> bool:
            if player == len(left):
                return stock == 0 and share(place - 1, given)
            steps.take()
            for count in range(min(stock, left[player] // values[place]), -1, -1):
                rest = left[player] - count * values[place]
                if (below and rest % below) or (not below and rest):
                    continue
                if deal(player + 1, stock - count, (*given, rest)):
                    return True
            return False

        return deal(0, pool[place], ())

    return share(len(values) - 1, tuple(targets))


def _choices(
    value: int, higher: tuple[int, ...], stock: list[int], left: tuple[int, ...], twice: int, steps: _Steps
) -> list[tuple[int, ...]]:
    """What each player can gain of one kind, the gains summing to zero, the most promising first.

    *twice* is what all players together may still give and gain, *higher* the kinds that come after.
    """
    options: list[list[tuple[int, int]]] = []  # by player: how many counters it costs him at least, the gain
    total = sum(stock)
    for has, points in zip(stock, left, strict=True):
        options.append(fitting := [])
        for gain in range(max(-has, -twice), min(total - has, twice) + 1):
            rest = points - value * gain
            after = (_fewest_counters(higher, abs(rest)) if higher else None) if rest else 0
            if after is not None and abs(gain) + after <= twice:
                fitting.append((abs(gain) + after, gain))
        if not fitting:
            return []
        fitting.sort()
    needed = [0] * (len(options) + 1)  # from this player on, at least
    for player in range(len(options) - 1, -1, -1):
        needed[player] = needed[player + 1] + options[player][0][0]
    found: list[tuple[int, tuple[int, ...]]] = []

    def choose(player: int, gains: tuple[int, ...], cost: int) -> None:
        if player == len(options):
            if sum(gains) == 0:
                found.append((cost, gains))
            return
        steps.take()
        for one, gain in options[player]:
            if cost + one + needed[player + 1] > twice:
                break
            choose(player + 1, (*gains, gain), cost + one)

    choose(0, (), 0)
    return [gains for _, gains in sorted(found)]


def _transfers(
    players: list[str], moves: list[tuple[int, ...]], net: Mapping[str, int]
) -> tuple[Transfer, ...]:
    """Who hands what to whom: of each kind, those who give matched with those who gain, payers first."""
    given: dict[tuple[str, str], list[int]] = {}
    order = sorted(range(len(players)), key=lambda place: net.get(players[place], 0))
    for kind in range(len(moves[0])):
        giving = {players[place]: -moves[place][kind] for place in order if moves[place][kind] < 0}
        for place in reversed(order):
            gain = moves[place][kind]
            while gain > 0:
                giver = next(seat for seat, left in giving.items() if left)
                part = min(gain, giving[giver])
                given.setdefault((giver, players[place]), [0] * len(moves[0]))[kind] += part
                giving[giver] -= part
                gain -= part
    return tuple(Transfer(giver, taker, tuple(counts)) for (giver, taker), counts in given.items())


class Share(NamedTuple):
    """What a player puts into the pool: points, and which counters make them (None: he has to change)."""

    points: int
    counts: tuple[int, ...] | None


def pool_of_small_counters(
    counters: CounterSet, holdings: Mapping[str, tuple[int, ...]], to: int = 100
) -> dict[str, Share]:
    """What everybody puts into the pool at the end: what he holds over an even hundred (Babcock p. 82)."""
    shares = {}
    for seat, counts in holdings.items():
        over = sum(value * count for value, count in zip(counters.values, counts, strict=True)) % to
        shares[seat] = Share(over, _held_making(over, counters.values, counts))
    return shares


def _held_making(amount: int, values: tuple[int, ...], held: tuple[int, ...]) -> tuple[int, ...] | None:
    """The fewest counters of those *held* that make *amount*; None where they cannot."""
    if not values:
        return () if amount == 0 else None
    best: tuple[int, ...] | None = None
    for count in range(min(held[0], amount // values[0]), -1, -1):
        rest = _held_making(amount - count * values[0], values[1:], held[1:])
        if rest is not None and (best is None or count + sum(rest) < sum(best)):
            best = (count, *rest)
    return best


# ------------------------------------------------------------------ for a settlement


def counters_for(settlement: Settlement, counters: CounterSet, pair_by_pair: bool = False) -> Exchange:
    """The counters that settle one hand, net or pair by pair, where it is not known what anybody holds."""
    return paid_outright(counters, settlement.payments if pair_by_pair else debts(settlement.net))


class Purses:
    """What everybody holds through an evening, as far as the set of counters says with what they began.

    Who cannot pay hands over what he has; what he lacks is owed and settled together with the next hand,
    at the cost of who is to receive most. *bank* gives change; it has a share in nothing.
    """

    def __init__(
        self,
        counters: CounterSet,
        holdings: Mapping[str, tuple[int, ...]] | None,
        pair_by_pair: bool = False,
        bank: bool = False,
    ) -> None:
        self.counters = counters
        self.holdings = dict(holdings) if holdings is not None else None
        self.pair_by_pair = pair_by_pair
        self.bank = bank
        self.owing: dict[str, int] = {}

    def settle(self, settlement: Settlement, names: Mapping[str, str] | None = None) -> Exchange:
        """The counters that change hands for a hand, by seat; *names* gives the holder at each.

        ``problem`` says who cannot pay and what he owes. Where no exchange is found nothing is handed over.
        """
        if self.holdings is None:
            return counters_for(settlement, self.counters, self.pair_by_pair)
        named = {seat: (names or {}).get(seat, seat) for seat in settlement.net}
        due = dict.fromkeys(self.holdings, 0)
        for seat, points in settlement.net.items():
            due[named[seat]] += points
        for holder, points in self.owing.items():
            due[holder] += points
        found = None
        if self.pair_by_pair and not self.owing:
            payments = [
                one._replace(payer=named[one.payer], payee=named[one.payee]) for one in settlement.payments
            ]
            found = self._pair_by_pair(payments)
        if found is None:
            found = self._net(due)
        elif found.holdings is not None:
            self.holdings = dict(found.holdings)
        seats = {holder: seat for seat, holder in named.items()}
        return found._replace(
            transfers=tuple(
                one._replace(giver=seats.get(one.giver, one.giver), taker=seats.get(one.taker, one.taker))
                for one in found.transfers
            )
        )

    def _net(self, due: dict[str, int]) -> Exchange:
        """What is due, as far as it can be paid; the rest is owed."""
        assert self.holdings is not None
        short = _short(self.counters, self.holdings, due)
        paid = dict(due)
        for holder, lacks in short.items():
            paid[holder] += lacks
            while lacks:
                waiting = max(paid, key=lambda one: paid[one])
                part = min(lacks, paid[waiting])
                paid[waiting] -= part
                lacks -= part
        found = exchange(self.counters, self.holdings, paid, self.bank)
        if found.problem is not None:
            paid = dict.fromkeys(due, 0)
        elif found.holdings is not None:
            self.holdings = dict(found.holdings)
        self.owing = {
            holder: points - paid[holder] for holder, points in due.items() if points != paid[holder]
        }
        return found._replace(problem=_cannot_pay(short, due)) if short else found

    def _pair_by_pair(self, payments: Iterable[Payment]) -> Exchange | None:
        """Each payment by itself, one after the other; None where one of them cannot be paid so."""
        assert self.holdings is not None
        now = dict(self.holdings)
        transfers: list[Transfer] = []
        for payment in payments:
            two = {payment.payer: now[payment.payer], payment.payee: now[payment.payee]}
            nets = {payment.payer: -payment.points, payment.payee: payment.points}
            one = exchange(self.counters, two, nets, self.bank)
            if one.problem is not None or one.holdings is None:
                return None
            now.update(one.holdings)
            transfers += one.transfers
        return Exchange(self.counters, tuple(transfers), sum(sum(one.counts) for one in transfers), now)

    def pool_lines(self) -> list[str]:
        """The pool at the end of an evening, a line a player; empty where it is not known who holds what."""
        if self.holdings is None:
            return []
        shares = pool_of_small_counters(self.counters, self.holdings)
        lines = []
        for holder, share in shares.items():
            name = _name(holder, None)
            if share.counts is None:
                lines.append(f"{name} puts in {share.points}, after changing a counter")
            else:
                lines.append(f"{name} puts in {share.points}" + _spoken(self.counters, share.counts))
        total = sum(share.points for share in shares.values())
        lines.append(f"{total} in the pool: each throws the dice once, and the high throw takes it")
        return lines

    def holding_lines(self) -> list[str]:
        """What everybody holds, a line a player."""
        return [
            f"{_name(holder, None)} holds {_worth(self.counters, counts)}{_spoken(self.counters, counts)}"
            for holder, counts in (self.holdings or {}).items()
        ]


def _worth(counters: CounterSet, counts: tuple[int, ...]) -> int:
    return sum(value * count for value, count in zip(counters.values, counts, strict=True))


def _spoken(counters: CounterSet, counts: tuple[int, ...]) -> str:
    parts = [
        f"{count} × {counter.value}"
        for counter, count in zip(counters.counters, counts, strict=True)
        if count
    ]
    return f": {', '.join(parts)}" if parts else ""


def parse_holding(text: str, counters: CounterSet) -> tuple[str, tuple[int, ...]]:
    """Who holds what, written ``E=2,9,8,10``: how many of each kind, the most valuable first. Raises Refused."""
    seat, _, figures = text.partition("=")
    counts = figures.split(",")
    if (
        seat not in WIND_NAMES
        or len(counts) != len(counters.counters)
        or not all(one.strip().isascii() and one.strip().isdigit() and len(one.strip()) < 5 for one in counts)
    ):
        kinds = ", ".join(str(value) for value in counters.values)
        example = ",".join(str(counter.each) for counter in counters.counters)
        raise Refused(
            Refusal(
                "bad-holding",
                f"{text[:60]!r} does not say what a player holds",
                f"type a seat and how many he has of {kinds}: E={example}",
            )
        )
    return seat, tuple(int(one) for one in counts)
