"""The exchange of counters that settles a hand and moves the fewest, where it is known what everybody holds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from math import gcd

from mjscore.counters.sets import (
    BANK,
    CounterSet,
    Exchange,
    Holdings,
    SearchTooLongError,
    Steps,
    Transfer,
    holder_name,
)
from mjscore.refusal import Refusal, refuse

_BANK_HOLDS = 60  # of each counter; more never helps an exchange that moves few


def exchange(
    counters: CounterSet,
    holdings: Holdings,
    net: Mapping[str, int],
    bank: bool = False,
    steps: Steps | None = None,
) -> Exchange:
    """Return the exchange that settles *net* (points by player, summing to zero) and moves the fewest counters.

    *holdings* are counts of each kind in the order of the set. Change is given between the players and,
    with *bank*, by a bank that has plenty. Where it cannot be done, ``problem`` says why. The search takes no more
    than *steps*, which are then the fewer for the next.
    """
    steps = steps or Steps()
    stays = Exchange(counters, holdings=holdings)
    short = lacking(counters, holdings, net)
    if not any(net.values()):
        return stays
    if short:
        return stays._replace(problem=cannot_pay(short, net))
    due, held = dict(net), [holdings[player][::-1] for player in net]  # the lowest value first
    if bank:
        due[BANK] = 0
        held.append((_BANK_HOLDS,) * len(counters.values))
    gains, steps.left = _fewest_moves(counters.values[::-1], tuple(held), tuple(due.values()), steps.left)
    if not gains:
        refused = refuse("no-change", "table") if gains is None else refuse("no-exchange-found", "table")
        return stays._replace(problem=refused.refusal)
    moves = gains[::-1]  # the highest value first
    after = {
        player: tuple(count + row[place] for count, row in zip(holdings[player], moves, strict=True))
        for place, player in enumerate(net)
    }
    return Exchange(counters, _transfers(due, moves), after)


def lacking(counters: CounterSet, holdings: Holdings, net: Mapping[str, int]) -> dict[str, int]:
    """Give by who cannot pay how many points they lack."""
    lacks = {seat: -points - counters.points(holdings[seat]) for seat, points in net.items()}
    return {seat: points for seat, points in lacks.items() if points > 0}


def cannot_pay(short: Mapping[str, int], net: Mapping[str, int]) -> Refusal:
    """Give the refusal that names those who lack some of what they owe."""
    owing = [
        f"{holder_name(seat, None)} owes {-net[seat]} points and holds {-net[seat] - lacks}"
        for seat, lacks in short.items()
    ]
    points = " and ".join(map(str, short.values()))
    return refuse("cannot-pay", owing=", ".join(owing), points=points).refusal


class _Needs:
    """The fewest counters that each player alone must give and take: the bound that ends branches early.

    They give what they hold and take what the others hold, and need not care what those have to do.
    """

    def __init__(self, values: tuple[int, ...], held: tuple[tuple[int, ...], ...], steps: Steps) -> None:
        self.values = values
        self.steps = steps
        self.divisors = [gcd(*values[kind:]) for kind in range(len(values))]
        # by kind and player what they can gain: from all that they hold, given, to all that the others hold
        self.gains = [
            [range(-has, sum(column) - has + 1) for has in column] for column in zip(*held, strict=True)
        ]
        self.of = cache(self._of)

    def _of(self, player: int, kind: int, points: int) -> int | None:
        """For *points* in the kinds of counters from *kind* on; None where they cannot be made. Raises SearchTooLongError."""
        self.steps.take(2)  # it takes twice as long as others, for it is remembered
        if kind == len(self.values):
            return None if points else 0
        if points % self.divisors[kind]:
            return None
        gains = self.gains[kind][player]
        if kind == len(self.values) - 1:
            gain = points // self.values[kind]
            return abs(gain) if gain in gains else None
        best: int | None = None
        for size in range(len(gains)):
            if best is not None and size >= best:
                break
            self.steps.take()
            for gain in {size, -size}:
                if gain in gains:
                    rest = self.of(player, kind + 1, points - self.values[kind] * gain)
                    if rest is not None:
                        best = size + rest if best is None else min(best, size + rest)
        return best


@lru_cache(maxsize=1 << 9)
def _fewest_moves(
    values: tuple[int, ...], held: tuple[tuple[int, ...], ...], wanted: tuple[int, ...], most: int
) -> tuple[list[tuple[int, ...]] | None, int]:
    """By kind of counter, lowest value first, what each player gains (or gives), None where it cannot be; and how many of
    at *most* so many steps are left.

    Kind after kind is chosen, with what is left to pay as the only memory, and a budget of counters that
    grows until the exchange fits it. A counter that moves is one player's gain and another's loss: half of
    what everybody needs alone is the least that it takes. Empty where it was not found in so many steps.
    """
    steps = Steps(most - most // 4)
    needs = _Needs(values, held, steps)

    def solve(kind: int, left: tuple[int, ...], twice: int) -> list[tuple[int, ...]] | None:
        if kind == len(values):
            return []
        for gains in _choices(needs, kind, left, twice):
            rest = tuple(points - values[kind] * gain for points, gain in zip(left, gains, strict=True))
            gains_of_rest = solve(kind + 1, rest, twice - sum(map(abs, gains)))
            if gains_of_rest is not None:
                return [gains, *gains_of_rest]
        return None

    try:
        least = [needs.of(player, 0, points) for player, points in enumerate(wanted)]
        if None in least or not _can_be(values, held, wanted, Steps(most // 4)):
            return None, steps.left
        twice = sum(filter(None, least))
        while (gains := solve(0, wanted, twice)) is None:
            twice += 2  # the first that fits is the least
    except SearchTooLongError:
        return [], 0
    return gains, steps.left


def _can_be(
    values: tuple[int, ...], held: tuple[tuple[int, ...], ...], wanted: tuple[int, ...], steps: Steps
) -> bool:
    """Tell whether the counters on the table can be divided as wanted at all, whatever it moves.

    What is over the multiples of a divisor of some values is paid in the lower ones; where each value is a multiple of the
    one below there is no more to it. For counters of odd values it may take too many *steps*; it is then taken to be so.
    """
    stock = [sum(column) for column in zip(*held, strict=True)]
    targets = tuple(
        sum(value * count for value, count in zip(values, counts, strict=True)) + points
        for counts, points in zip(held, wanted, strict=True)
    )
    for kind in range(len(values)):
        divisor, lower = gcd(*values[kind:]), zip(values[:kind], stock, strict=False)
        if sum(target % divisor for target in targets) > sum(value * count for value, count in lower):
            return False
    try:
        return _can_be_dealt(values, stock, targets, steps)
    except SearchTooLongError:
        return True


def _can_be_dealt(values: tuple[int, ...], stock: list[int], targets: tuple[int, ...], steps: Steps) -> bool:
    """Tell whether a *stock* makes what everybody is to have, dealt out kind after kind, the highest first.

    Raises SearchTooLongError.
    """

    @cache
    def share(kind: int, left: tuple[int, ...]) -> bool:
        if kind == 0:  # there are as many as are due to all together
            return all(points % values[0] == 0 for points in left)
        below = gcd(*values[:kind])

        def deal(player: int, rest_of_kind: int, given: tuple[int, ...]) -> bool:
            if player == len(left):
                return rest_of_kind == 0 and share(kind - 1, given)
            for count in range(min(rest_of_kind, left[player] // values[kind]), -1, -1):
                steps.take()
                rest = left[player] - count * values[kind]
                if rest % below == 0 and deal(player + 1, rest_of_kind - count, (*given, rest)):
                    return True
            return False

        return deal(0, stock[kind], ())

    return share(len(values) - 1, targets)


def _choices(needs: _Needs, kind: int, left: tuple[int, ...], twice: int) -> list[tuple[int, ...]]:
    """Tell what each player can gain of one kind, the gains summing to zero, the most promising first.

    *twice* is what all players together may still give and gain.
    """
    half = twice // 2  # each counter that one player gains another gives
    options: list[list[tuple[int, int]]] = []  # by player: how many counters it costs them at least, the gain
    for gains, (player, points) in zip(needs.gains[kind], enumerate(left), strict=True):
        fitting = []
        possible = range(max(gains.start, -half), min(gains.stop, half + 1))
        needs.steps.take(len(possible))
        for gain in possible:
            after = needs.of(player, kind + 1, points - needs.values[kind] * gain)
            if after is not None:
                fitting.append((abs(gain) + after, gain))
        if not fitting:
            return []
        options.append(sorted(fitting))
    choices: list[tuple[int, tuple[int, ...]]] = []
    last = {gain: moved for moved, gain in options[-1]}  # who gains what the others give

    def choose(player: int, gains: tuple[int, ...], spare: int) -> None:
        needs.steps.take()
        least, _ = options[player][0]
        if player == len(options) - 1:
            left = spare + least - last.get(-sum(gains), spare + least + 1)
            if left >= 0:
                choices.append((-left, (*gains, -sum(gains))))
            return
        for moved, gain in options[player]:
            if moved - least > spare:
                break
            choose(player + 1, (*gains, gain), spare - (moved - least))

    choose(0, (), twice - sum(fitting[0][0] for fitting in options))
    return [gains for _, gains in sorted(choices)]


def _transfers(due: Mapping[str, int], moves: list[tuple[int, ...]]) -> tuple[Transfer, ...]:
    """Tell who hands what to whom: of each kind, those who give matched with those who gain, payers first."""
    given: dict[tuple[str, str], list[int]] = {}
    order = sorted(due, key=lambda player: due[player])
    for kind, row in enumerate(moves):
        gains = dict(zip(due, row, strict=True))
        for taker in reversed(order):
            while gains[taker] > 0:
                giver = next(player for player in order if gains[player] < 0)
                part = min(gains[taker], -gains[giver])
                given.setdefault((giver, taker), [0] * len(moves))[kind] += part
                gains[giver] += part
                gains[taker] -= part
    return tuple(Transfer(giver, taker, tuple(counts)) for (giver, taker), counts in given.items())
