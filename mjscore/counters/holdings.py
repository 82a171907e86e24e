"""What everybody holds through an evening, hand after hand, and the pool of small counters at its end."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from mjscore.counters.exchange import cannot_pay, exchange, lacking
from mjscore.counters.sets import (
    CounterSet,
    Exchange,
    Transfer,
    debts,
    fewest,
    holder_name,
    load_counters,
    paid_outright,
    parse_holding,
)
from mjscore.game.tiles import WIND_NAMES
from mjscore.refusal import refuse
from mjscore.settling.payment import Payment
from mjscore.settling.settlement import Settlement


class Share(NamedTuple):
    """What a player puts into the pool: points, and which counters make them (None: they have to change)."""

    points: int
    counts: tuple[int, ...] | None


@dataclass(eq=False)
class Purses:
    """What everybody holds through an evening, as far as it is known, and what they owe.

    Until the players of an evening are *named*, holders are seats. Then each begins with what the set gives, where nothing
    else is said of their seat; so does who comes later.
    Who cannot pay hands over what they have; what they lack is owed and settled together with the next hand,
    at the cost of who is to receive most. *bank* gives change; it has a share in nothing.
    """

    counters: CounterSet
    holdings: Mapping[str, tuple[int, ...]]
    pair_by_pair: bool = False
    bank: bool = False
    owing: Mapping[str, int] = field(default_factory=dict)
    named: bool = False

    def settle(self, settlement: Settlement, names: Mapping[str, str] | None = None) -> Exchange:
        """Give the counters that change hands for a hand, by seat; *names* are an evening's players by seat.

        ``problem`` says who cannot pay and what they owe. Where no exchange is found nothing is handed over. Raises Refused
        where it is said what some hold and not what another does.
        """
        self._begin(names or {}, settlement.net)
        if not self.holdings:
            pairs = settlement.payments if self.pair_by_pair else debts(settlement.net)
            return paid_outright(self.counters, pairs)
        named = {seat: (names or {}).get(seat, seat) for seat in settlement.net}
        seats = {holder: seat for seat, holder in named.items()}
        due = {
            holder: settlement.net.get(seats.get(holder, ""), 0) + self.owing.get(holder, 0)
            for holder in self.holdings
            if not names or holder in named.values()
        }
        moved = None
        if self.pair_by_pair and not self.owing:
            moved = self._pair_by_pair(
                payment._replace(payer=named[payment.payer], payee=named[payment.payee])
                for payment in settlement.payments
            )
        if moved is None:
            moved = self._net(due)
        by_seat = (
            Transfer(seats.get(giver, giver), seats.get(taker, taker), counts)
            for giver, taker, counts in moved.transfers
        )
        return moved._replace(transfers=tuple(by_seat))

    def _begin(self, names: Mapping[str, str], seats: Iterable[str]) -> None:
        """Give what they begin with to who has come, and to all once an evening names them. Raises Refused."""
        starting = self.counters.starting
        if names and not self.named:
            said = {names.get(seat, seat): counts for seat, counts in self.holdings.items()}
            self.holdings, self.owing, self.named = {**starting(names.values()), **said}, {}, True
        come = [name for name in names.values() if name not in self.holdings]
        self.holdings = {**self.holdings, **starting(come)}
        for seat in seats:
            begins = names and starting([seat])
            if self.holdings and not begins and names.get(seat, seat) not in self.holdings:
                raise refuse("missing-holding", who=WIND_NAMES.get(seat, seat), seat=seat)

    def _net(self, due: dict[str, int]) -> Exchange:
        """Tell what is due, as far as it can be paid; the rest is owed."""
        holdings = {holder: self.holdings[holder] for holder in due}
        short = lacking(self.counters, holdings, due)
        paid = dict(due)
        for holder, lacks in short.items():
            paid[holder] += lacks
            while lacks:
                waiting = max(paid, key=lambda holder: paid[holder])
                part = min(lacks, paid[waiting])
                paid[waiting] -= part
                lacks -= part
        moved = exchange(self.counters, holdings, paid, self.bank)
        self.holdings = {**self.holdings, **moved.holdings}
        if moved.problem is not None:
            paid = dict.fromkeys(due, 0)
        away = {holder: points for holder, points in self.owing.items() if holder not in due}
        owed = {holder: points - paid[holder] for holder, points in due.items() if points != paid[holder]}
        self.owing = {**away, **owed}
        if not short:
            return moved
        problem = cannot_pay(short, due)
        if moved.problem is not None:
            problem = moved.problem._replace(
                code=problem.code, message=f"{problem.message}; {moved.problem.message}"
            )
        return moved._replace(problem=problem)

    def _pair_by_pair(self, payments: Iterable[Payment]) -> Exchange | None:
        """Pay each payment by itself, one after the other; None where one of them cannot be paid so."""
        now = dict(self.holdings)
        transfers: list[Transfer] = []
        for payer, payee, points, _ in payments:
            two = {payer: now[payer], payee: now[payee]}
            moved = exchange(self.counters, two, {payer: -points, payee: points}, self.bank)
            if moved.problem is not None:
                return None
            now.update(moved.holdings)
            transfers += moved.transfers
        self.holdings = now
        return Exchange(self.counters, tuple(transfers), now)

    def of(self, holders: Container[str]) -> Purses:
        """Tell what some alone hold and owe."""
        holdings = {name: held for name, held in self.holdings.items() if name in holders}
        owing = {name: points for name, points in self.owing.items() if name in holders}
        return replace(self, holdings=holdings, owing=owing)

    def pool(self) -> dict[str, Share]:
        """Tell what everybody puts into the pool at the end: what they hold over an even hundred (Babcock p. 82).

        Empty where it is not known who holds what.
        """
        return {
            holder: Share(
                over := self.counters.points(counts) % 100, fewest(self.counters.values, over, counts)
            )
            for holder, counts in self.holdings.items()
        }

    def pool_json(self) -> dict[str, object] | None:
        """Give the pool for programs; None where it is not known who holds what."""
        by_value = self.counters.by_value
        pool: dict[str, object] = {
            holder: {"points": points, "counters": None if counts is None else by_value(counts)}
            for holder, (points, counts) in self.pool().items()
        }
        return pool or None

    def pool_lines(self) -> list[str]:
        """Give the pool, a line a player; empty where it is not known who holds what."""
        shares = self.pool()
        lines = [
            f"{holder_name(holder, None)} puts in {points}"
            + (", after changing a counter" if counts is None else self.counters.spoken(counts))
            for holder, (points, counts) in shares.items()
        ]
        total = sum(share.points for share in shares.values())
        last = f"{total} in the pool: each throws the dice once, and the high throw takes it"
        return [*lines, last] if shares else []

    def holding_lines(self) -> list[str]:
        """Tell what everybody holds, a line a player."""
        return [
            f"{holder_name(holder, None)} holds {self.counters.points(counts)}{self.counters.spoken(counts)}"
            for holder, counts in self.holdings.items()
        ]


def table_counters(
    name: str, holdings: Iterable[str], pair_by_pair: bool, bank: bool, folder: str = ""
) -> Purses:
    """Give the set *name*, as seen from *folder*, on a table; *holdings* are written ``E=2,9,8,10``. Raises Refused."""
    counters = load_counters(name, folder)
    return Purses(counters, dict(parse_holding(text, counters) for text in holdings), pair_by_pair, bank)
