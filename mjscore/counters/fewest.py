"""The fewest counters that make an amount, and the fewest that must move so that everybody gets their due."""

from functools import cache, lru_cache
from math import gcd

# for all searches of a hand: less than a second; the usual counters need far fewer
MOST_STEPS = 800_000


class SearchTooLongError(Exception):
    """The search took more steps than players would wait for."""


class Steps:
    """The steps left to a search, so that even with odd values it ends, and alike on every machine."""

    def __init__(self, most: int = MOST_STEPS) -> None:
        self.left = most

    def take(self, steps: int = 1) -> None:
        """Use up some of the steps left. Raises SearchTooLongError if there are not enough."""
        self.left -= steps
        if self.left < 0:
            raise SearchTooLongError


@lru_cache(maxsize=1 << 12)
def fewest(
    values: tuple[int, ...], amount: int, held: tuple[int, ...] | None = None, most_steps: int = MOST_STEPS
) -> tuple[int, ...] | None:
    """Return the fewest counters that make *amount*, as the number of each of *values*; None if none do.

    *values* descend; *held* is how many there are of each, None as many as needed. Raises SearchTooLongError.
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


class _Needs:
    """The fewest counters that each player alone must give and take: a bound that cuts off branches early.

    Each is treated as if they could give all they hold, and take all that others hold, whatever others need.
    """

    def __init__(self, values: tuple[int, ...], held: tuple[tuple[int, ...], ...], steps: Steps) -> None:
        self.values = values
        self.steps = steps
        self.divisors = [gcd(*values[kind:]) for kind in range(len(values))]
        # by kind and player, their possible gains: from losing all they hold to gaining all the others hold
        self.gains = [
            [range(-has, sum(column) - has + 1) for has in column] for column in zip(*held, strict=True)
        ]
        self.of = cache(self._of)

    def _of(self, player: int, kind: int, points: int) -> int | None:
        """Return the fewest counters of *kind* and up to move for a gain of *points*; None if none can."""
        self.steps.take(2)  # caching makes this step twice as slow as others
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
def fewest_moves(
    values: tuple[int, ...], held: tuple[tuple[int, ...], ...], wanted: tuple[int, ...], most: int
) -> tuple[list[tuple[int, ...]] | None, int]:
    """Return how many counters each player gains, for each of *values*, and how many steps are left.

    Everybody gains the points *wanted*, and the fewest counters move. *values* ascend. None if this is
    impossible; empty if *most* steps are too few.
    """
    # Kinds are chosen in turn, within a budget of counters that grows until an exchange fits it. As a counter
    # moved is one player's gain and another's loss, it begins at half the sum of what each needs alone.
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
            twice += 2  # the first exchange that fits is the smallest
    except SearchTooLongError:
        return [], 0
    return gains, steps.left


def _can_be(
    values: tuple[int, ...], held: tuple[tuple[int, ...], ...], wanted: tuple[int, ...], steps: Steps
) -> bool:
    """Return whether the counters on the table can be divided so that everybody gains the points *wanted*.

    The remainder of an amount by the common divisor of a value and all higher ones must be paid in lower
    values, so these must suffice. Then all counters are dealt out in trial; True if *steps* are too few.
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
    """Return whether a *stock* can be dealt out to make all *targets*. Raises SearchTooLongError."""

    @cache
    def share(kind: int, left: tuple[int, ...]) -> bool:
        if kind == 0:  # there are as many as are due to all together
            return all(points % values[0] == 0 for points in left)
        below = gcd(*values[:kind])

        def deal(player: int, rest_of_kind: int, left_after: tuple[int, ...]) -> bool:
            if player == len(left):
                return rest_of_kind == 0 and share(kind - 1, left_after)
            for count in range(min(rest_of_kind, left[player] // values[kind]), -1, -1):
                steps.take()
                rest = left[player] - count * values[kind]
                if rest % below == 0 and deal(player + 1, rest_of_kind - count, (*left_after, rest)):
                    return True
            return False

        return deal(0, stock[kind], ())

    return share(len(values) - 1, targets)


def _choices(needs: _Needs, kind: int, left: tuple[int, ...], twice: int) -> list[tuple[int, ...]]:
    """Return choices of what each player gains of one kind, summing to zero, most promising choice first.

    *left* are the points still due to each; *twice* is how many counters may still be given and gained.
    """
    half = twice // 2  # each counter is both given and gained
    options: list[list[tuple[int, int]]] = []  # by player: the fewest counters it costs them, the gain
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
    last = {gain: moved for moved, gain in options[-1]}  # the last player's gain follows from the others'

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
