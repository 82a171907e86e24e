"""Settling a hand by moving the fewest counters, as transfers between players."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mjscore.counters.counter_sets import CounterSet, Holdings
from mjscore.counters.fewest import SearchTooLongError, Steps, fewest, fewest_moves
from mjscore.game.tiles import WIND_NAMES
from mjscore.refusal import Refusal, escape_controls, refuse
from mjscore.settling.payment import SITTER_OUT, Payment

_UNTYPED = "\x00"  # never part of a player's name
BANK = f"{_UNTYPED}bank"


class Transfer(NamedTuple):
    """Counters that one player hands to another: how many of each kind, in the order of the set.

    >>> mjscore.exchange(mjscore.settle({"E": 4, "S": 0, "W": 0, "N": 0}, winner="E")).transfers[0]
    Transfer(giver='S', taker='E', counts=(0, 0, 0, 0, 4))
    """

    giver: str
    taker: str
    counts: tuple[int, ...]


class Exchange(NamedTuple):
    """The counters that change hands: transfers, and the problem if not everything can be paid.

    *holdings* are what everybody holds afterwards, if known before; *owing* are the debts that remain.

    >>> settlement = mjscore.settle({"E": 480, "S": 64, "W": 272, "N": 16}, winner="E")
    >>> mjscore.exchange(settlement, "babcock").moved
    33
    """

    counters: CounterSet
    transfers: tuple[Transfer, ...] = ()
    holdings: Mapping[str, tuple[int, ...]] = {}
    problem: Refusal | None = None
    owing: tuple[Payment, ...] = ()

    @property
    def moved(self) -> int:
        """The number of counters that change hands."""
        return sum(sum(transfer.counts) for transfer in self.transfers)

    def as_json(self, names: Mapping[str, str] | None = None) -> dict[str, object]:
        """Return transfers, debts and the like as a JSON object, with seats in place of *names* (by seat)."""
        seats = {name: seat for seat, name in (names or {}).items()} | {BANK: BANK.lstrip(_UNTYPED)}
        by_value = self.counters.by_value

        def between(giver: str, other: str) -> dict[str, object]:
            return {"from": seats.get(giver, giver), "to": seats.get(other, other)}

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
        """Return the exchange in words: the problem, if any, a line for each transfer, then who owes whom."""
        lines = [f"{self.problem.message}; {self.problem.hint}"] if self.problem is not None else []
        for giver, taker, counts in self.transfers:
            hands = f"{holder_name(giver, names)} hands {holder_name(taker, names)}"
            lines.append(f"{hands}{self.counters.spoken(counts, titled=True)}")
        return [*(lines or ["no counters change hands"]), *(debt_line(debt, names) for debt in self.owing)]


def holder_name(holder: str, names: Mapping[str, str] | None) -> str:
    """Return what to call a holder: a player's name, a wind, the bank, the player sitting out."""
    if names and holder in names:
        return names[holder]
    if holder == BANK:
        return "the bank"
    return (
        "the player sitting out" if holder == SITTER_OUT else WIND_NAMES.get(holder, escape_controls(holder))
    )


def debt_line(debt: Payment, names: Mapping[str, str] | None = None) -> str:
    """Return in words who owes whom how many points."""
    return f"{holder_name(debt.payer, names)} owes {holder_name(debt.payee, names)} {debt.points}"


def debts(net: Mapping[str, int], old: Iterable[tuple[str, str]] = ()) -> list[Payment]:
    """Return payments that settle *net*: between the pairs of *old* debts first, then to few payees each."""
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
    """Return each possible payment in the fewest counters, as if all held enough; none if *steps* run out."""
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


_BANK_HOLDS = 60  # of each kind; more would never shorten an exchange


def exchange(
    counters: CounterSet,
    holdings: Holdings,
    net: Mapping[str, int],
    bank: bool = False,
    steps: Steps | None = None,
) -> Exchange:
    """Return the exchange that settles *net* (points by player) and moves the fewest counters.

    *holdings* are counts of each kind in the order of the set. The players give each other change and, with
    *bank*, so does a bank with plenty of counters. If *net* cannot be settled, ``problem`` says why. The
    search takes at most *steps*, and uses them up.
    """
    steps = steps or Steps()
    stays = Exchange(counters, holdings=holdings)
    short = lacking(counters, holdings, net)
    if not any(net.values()):
        return stays
    if short:
        return stays._replace(problem=cannot_pay(short, net))
    due, held = dict(net), [holdings[player][::-1] for player in net]  # lowest value first
    if bank:
        due[BANK] = 0
        held.append((_BANK_HOLDS,) * len(counters.values))
    gains, steps.left = fewest_moves(counters.values[::-1], tuple(held), tuple(due.values()), steps.left)
    if not gains:
        refused = refuse("no-change", "table") if gains is None else refuse("no-exchange-found", "table")
        return stays._replace(problem=refused.refusal)
    moves = gains[::-1]  # highest value first
    after = {
        player: tuple(count + row[place] for count, row in zip(holdings[player], moves, strict=True))
        for place, player in enumerate(net)
    }
    return Exchange(counters, _transfers(due, moves), after)


def lacking(counters: CounterSet, holdings: Holdings, net: Mapping[str, int]) -> dict[str, int]:
    """Return how many points each player is short, for those who cannot pay."""
    lacks = {seat: -points - counters.points(holdings[seat]) for seat, points in net.items()}
    return {seat: points for seat, points in lacks.items() if points > 0}


def cannot_pay(short: Mapping[str, int], net: Mapping[str, int]) -> Refusal:
    """Return the refusal that names the players who cannot pay; *short* is how many points they lack."""
    owing = [
        f"{holder_name(seat, None)} owes {-net[seat]} points and holds {-net[seat] - lacks}"
        for seat, lacks in short.items()
    ]
    points = " and ".join(map(str, short.values()))
    return refuse("cannot-pay", owing=", ".join(owing), points=points).refusal


def _transfers(due: Mapping[str, int], moves: list[tuple[int, ...]]) -> tuple[Transfer, ...]:
    """Return the transfers for *moves*, the players' gains of each kind; who pays most gives first."""
    handed: dict[tuple[str, str], list[int]] = {}
    order = sorted(due, key=lambda player: due[player])
    for kind, row in enumerate(moves):
        gains = dict(zip(due, row, strict=True))
        for taker in reversed(order):
            while gains[taker] > 0:
                giver = next(player for player in order if gains[player] < 0)
                part = min(gains[taker], -gains[giver])
                handed.setdefault((giver, taker), [0] * len(moves))[kind] += part
                gains[giver] += part
                gains[taker] -= part
    return tuple(Transfer(giver, taker, tuple(counts)) for (giver, taker), counts in handed.items())
