"""What everybody holds through an evening, hand after hand, and the pool of small counters at its end."""

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from math import gcd
from typing import NamedTuple

from mjscore.counters.counter_sets import CounterSet, Holdings, load_counters, parse_holding
from mjscore.counters.exchange import (
    BANK,
    Exchange,
    Transfer,
    cannot_pay,
    debt_line,
    debts,
    exchange,
    holder_name,
    lacking,
    paid_outright,
)
from mjscore.counters.fewest import MOST_STEPS, Steps, fewest
from mjscore.game.tiles import WIND_NAMES
from mjscore.refusal import program_fault, refuse
from mjscore.settling.payment import Payment
from mjscore.settling.settlement import Settlement

_LEAST_STEPS = 10_000  # allowed for each hand, however many searches failed before


class Share(NamedTuple):
    """What a player puts into the pool: points, and how many of each counter; None if change is needed."""

    points: int
    counts: tuple[int, ...] | None


@dataclass(eq=False)
class Purses:
    """What everybody holds through an evening, as far as it is known, and who owes whom.

    Until the players of an evening are *named*, holders are seats. Then everybody starts with the counters of
    the set, unless their seat's holding was given; so does anyone who joins later. *debts* are points by
    debtor and creditor, whether they are at the table or not. A hand is settled together with the debts
    between its players; those who cannot pay everything hand over what they have, and those who are to
    receive most get less. The *bank* only gives change. *most_steps* bounds the next search; a search that
    fails halves it, so that an evening never takes long.
    """

    counters: CounterSet
    holdings: Holdings
    pair_by_pair: bool = False
    bank: bool = False
    debts: Mapping[tuple[str, str], int] = field(default_factory=dict)
    named: bool = False
    most_steps: int = MOST_STEPS

    @property
    def owing(self) -> dict[str, int]:
        """Return the points that each debtor or creditor is to receive (negative: pay); the sum is zero."""
        return dict(_owed(self.debts))

    def settle(self, settlement: Settlement, names: Mapping[str, str] | None = None) -> Exchange:
        """Book and return the counters that change hands; *names* (players by seat) become the holders.

        ``problem`` says why not everything due is handed over. The rest is owed: everything if no exchange
        could be worked out. Raises Refused if the holdings of some are given but not those of another.
        """
        names = names or {}
        come = self.seat(names, settlement.net)
        if settlement.kind == "seat":
            return Exchange(self.counters, tuple(Transfer(BANK, *one) for one in come.items()), self.holdings)
        net = {names.get(seat, seat): points for seat, points in settlement.net.items()}
        here = [holder for holder in self.holdings or net if not names or holder in net]
        due = Counter({holder: net.get(holder, 0) for holder in here})
        old = {pair: points for pair, points in self.debts.items() if due.keys() >= {*pair}}
        due.update(_owed(old))
        payments, by_itself = debts(due, old), self.pair_by_pair and not old
        if by_itself:
            payments = [
                Payment(names.get(payer, payer), names.get(payee, payee), points)
                for payer, payee, points, _ in settlement.payments
            ]
        moved = self._moved(payments, due, by_itself)
        self.holdings = {**self.holdings, **moved.holdings}
        for giver, taker, counts in moved.transfers:
            due[giver] += self.counters.points(counts)
            due[taker] -= self.counters.points(counts)
        away = {pair: points for pair, points in self.debts.items() if pair not in old}
        self.debts = away | {(debt.payer, debt.payee): debt.points for debt in debts(due, old)}
        return moved._replace(owing=tuple(Payment(*pair, points) for pair, points in self.debts.items()))

    def _moved(self, payments: list[Payment], due: Mapping[str, int], by_itself: bool) -> Exchange:
        """Return the exchange for *payments*, singly if *by_itself* and possible, or else for the sums *due*.

        If holdings are unknown, each payment uses the fewest counters. A failed search halves ``most_steps``.
        """
        own, steps = (Steps(self.most_steps // (1 + by_itself)) for _ in range(2))
        try:
            if not self.holdings:
                moved = paid_outright(self.counters, payments, steps)
            else:
                moved = (by_itself and self._pair_by_pair(payments, own)) or self._net(due, steps)
        except Exception as error:  # counters never stop the file from being read
            moved = Exchange(self.counters, (), self.holdings, program_fault(error))
        if not own.left or not steps.left:
            self.most_steps = max(self.most_steps // 2, _LEAST_STEPS)
        return moved

    def seat(self, names: Mapping[str, str], seats: Iterable[str] = ()) -> Holdings:
        """Hand starting counters to newcomers, and at the first naming to all whose holdings are unknown.

        Return what newcomers got; a first naming clears debts. Raises Refused if only some *seats* are known.
        """
        starting = self.counters.starting
        if names and not self.named:
            known = {names.get(seat, seat): counts for seat, counts in self.holdings.items()}
            self.holdings, self.debts, self.named = {**starting(names.values()), **known}, {}, True
        come = starting(name for name in names.values() if name not in self.holdings)
        self.holdings = {**self.holdings, **come}
        for seat in seats:
            begins = names and starting([seat])
            if self.holdings and not begins and names.get(seat, seat) not in self.holdings:
                raise refuse("missing-holding", who=WIND_NAMES.get(seat, seat), seat=seat)
        return come

    def _net(self, due: Mapping[str, int], steps: Steps) -> Exchange:
        """Return the exchange in which everybody pays what is *due*, or as much of it as they hold.

        If nobody can give change, the amounts are rounded as little as possible, to tens for example.
        """
        holdings, values = {holder: self.holdings[holder] for holder in due}, self.counters.values
        short = lacking(self.counters, holdings, due)
        paid = _balanced({holder: points + short.get(holder, 0) for holder, points in due.items()})
        moved = exchange(self.counters, holdings, paid, self.bank, steps)
        problem = moved.problem
        for unit in (*sorted({gcd(*values), *values}), 0):
            if moved.problem is None or moved.problem.code != "no-change":
                break
            moved = exchange(self.counters, holdings, _balanced(paid, unit), self.bank, steps)
        if short:
            why = cannot_pay(short, due)
            message = f"{why.message}; {problem.message}" if problem is not None else why.message
            problem = (problem or why)._replace(code=why.code, message=message)
        return moved._replace(problem=problem)

    def _pair_by_pair(self, payments: Iterable[Payment], steps: Steps) -> Exchange | None:
        """Return the exchange that makes each payment by itself; None if one payment cannot be made so."""
        now = dict(self.holdings)
        transfers: list[Transfer] = []
        for payer, payee, points, _ in payments:
            two = {payer: now[payer], payee: now[payee]}
            moved = exchange(self.counters, two, {payer: -points, payee: points}, self.bank, steps)
            if moved.problem is not None:
                return None
            now.update(moved.holdings)
            transfers += moved.transfers
        return Exchange(self.counters, tuple(transfers), now)

    def differences(self, after: "Purses") -> dict[str, int]:
        """Return the points that each player's counters gained until *after*; newcomers began with a set."""
        everybody = {**after.holdings, **self.holdings}
        now, before = ({**self.counters.starting(everybody), **purses.holdings} for purses in (after, self))
        points = self.counters.points
        return {holder: points(now[holder]) - points(before[holder]) for holder in everybody}

    def of(self, holders: Set[str]) -> "Purses":
        """Return the purses of these holders only: what they hold, owe and are owed."""
        holdings = {name: held for name, held in self.holdings.items() if name in holders}
        theirs = {pair: points for pair, points in self.debts.items() if holders & {*pair}}
        return replace(self, holdings=holdings, debts=theirs)

    def pool(self) -> dict[str, Share]:
        """Return what everybody puts into the pool: their counters beyond an even hundred (Babcock p. 82).

        Empty if holdings are unknown.
        """
        shares = {}
        for holder, counts in self.holdings.items():
            over = self.counters.points(counts) % 100
            shares[holder] = Share(over, fewest(self.counters.values, over, counts))
        return shares

    def pool_json(self) -> dict[str, object] | None:
        """Return the points and counters that each player puts into the pool; None if unknown."""
        pool: dict[str, object] = {}
        for holder, (points, counts) in self.pool().items():
            counters = None if counts is None else self.counters.by_value(counts)
            pool[holder] = {"points": points, "counters": counters}
        return pool or None

    def pool_lines(self) -> list[str]:
        """Return the pool in words, a line for each player and the sum; empty if holdings are unknown."""
        shares = self.pool()
        lines = []
        for holder, (points, counts) in shares.items():
            paid = ", after changing a counter" if counts is None else self.counters.spoken(counts)
            lines.append(f"{holder_name(holder, None)} puts in {points}{paid}")
        total = sum(share.points for share in shares.values())
        last = f"{total} in the pool: each player throws the dice once, and the highest throw takes it"
        return [*lines, last] if shares else []

    def holding_lines(self) -> list[str]:
        """Return in words what everybody holds, a line for each player, then who owes whom."""
        return [
            f"{holder_name(holder, None)} holds {self.counters.points(counts)}{self.counters.spoken(counts)}"
            for holder, counts in self.holdings.items()
        ] + self.debt_lines()

    def debt_lines(self) -> list[str]:
        return [debt_line(Payment(*pair, points)) for pair, points in self.debts.items()]


def _owed(debts: Mapping[tuple[str, str], int]) -> Counter[str]:
    """Return the points that each player is to receive of *debts*, negative if to pay."""
    owed: Counter[str] = Counter()
    for (debtor, creditor), points in debts.items():
        owed[debtor] -= points
        owed[creditor] += points
    return owed


def _balanced(points: Mapping[str, int], unit: int = 1) -> dict[str, int]:
    """Return the points rounded toward zero to multiples of *unit*, or all 0 if that is 0.

    The largest amounts of the receivers, or of the payers, are then reduced until the sum is zero.
    """
    whole = {holder: abs(due) // unit * unit if unit else 0 for holder, due in points.items()}
    shares = {holder: whole[holder] if due > 0 else -whole[holder] for holder, due in points.items()}
    over = sum(shares.values())
    sign = 1 if over > 0 else -1
    for holder in sorted(shares, key=lambda holder: -sign * shares[holder]):
        part = sign * min(abs(over), max(0, sign * shares[holder]))
        shares[holder] -= part
        over -= part
    return shares


def table_counters(
    name: str, holdings: Iterable[str], pair_by_pair: bool, bank: bool, folder: str = ""
) -> Purses:
    """Return the purses for the counter set *name*, with *holdings* like ``E=2,9,8,10``. Raises Refused."""
    counters = load_counters(name, folder)
    return Purses(counters, dict(parse_holding(text, counters) for text in holdings), pair_by_pair, bank)
