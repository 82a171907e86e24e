"""Scores every winning hand of fourteen concealed tiles by mjscore and by the second scorer: a proof, and no sample.

    .venv/bin/python tests/proof/every_hand.py harr              # about an hour
    .venv/bin/python tests/proof/every_hand.py babcock --slice 3/50 --place E@E

Hands that an exchange of suits, a suit's values turned 1 for 9, an exchange of dragons or of the winds that are
neither the player's own nor the round's make of each other score the same, so each stands for all of them. How
many these are must add up to all the hands there are. Each is won by every kind of its tiles, drawn and claimed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations_with_replacement, islice, product
from math import factorial, prod
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from both_ways import both_ways
from hands import make_hand
from independent import Rules

from mjscore.game.hand import Win
from mjscore.game.tiles import TILES
from mjscore.rulebook.binding import bind

RULEBOOKS = ("harr", "harr-limit", "babcock", "babcock-chinese")
WHOLE = 14
DRAGONS = (4, 5, 6)  # among the seven honors
Counts = tuple[int, ...]


class Orbit(NamedTuple):
    """A hand's tiles, each kind so many times, and how many hands it stands for."""

    suits: tuple[Counts, Counts, Counts]
    honors: Counts
    size: int

    def tiles(self) -> list[int]:
        """The kinds of its fourteen tiles."""
        counts = [*self.suits[0], *self.suits[1], *self.suits[2], *self.honors]
        return [kind for kind, count in enumerate(counts) for _ in range(count)]


@cache
def groups(kinds: int) -> dict[int, list[Counts]]:
    """By their number of tiles all groups of so many *kinds*, nine of a suit or seven honors, that may be part of a hand: some
    sets, with a pair or without.
    """
    sets = [(kind,) * 3 for kind in range(kinds)]
    sets += [(kind, kind + 1, kind + 2) for kind in range(kinds - 2) if kinds == 9]
    pairs = [(kind,) * 2 for kind in range(kinds)]
    whole, found = {(0,) * kinds}, {}
    for number in range(0, WHOLE, 3):
        found |= {number: sorted(whole), number + 2: sorted(_with_each(whole, pairs))}
        whole = _with_each(whole, sets)
    return found


def _with_each(whole: set[Counts], parts: list[Counts]) -> set[Counts]:
    """All groups with each of some parts besides, four tiles of a kind at the most."""
    added = {
        tuple(count + part.count(kind) for kind, count in enumerate(counts))
        for counts in whole
        for part in parts
    }
    return {counts for counts in added if max(counts) <= 4}


def divided() -> Iterator[tuple[int, ...]]:
    """How many tiles the three suits and the honors may have: fourteen together, and one of them has the pair."""
    for numbers in product(groups(9), repeat=4):
        if sum(numbers) == WHOLE and sum(number % 3 == 2 for number in numbers) == 1:
            yield numbers


def all_hands() -> int:
    """How many hands there are: counted without looking at any."""
    return sum(
        prod(len(groups(9)[number]) for number in numbers[:3]) * len(groups(7)[numbers[3]])
        for numbers in divided()
    )


def turned(counts: Counts) -> Counts:
    """A suit and its mirror are one: the lesser of both."""
    return min(counts, counts[::-1])


def alike(own: int, round_wind: int) -> list[tuple[int, ...]]:
    """The honors that may be exchanged for each other: dragons, and the winds of nobody here."""
    return [tuple(wind for wind in range(4) if wind not in (own, round_wind)), DRAGONS]


def orbits(own: int, round_wind: int) -> Iterator[Orbit]:
    """Every hand once up to the symmetries."""
    suits = {number: sorted({*map(turned, found)}) for number, found in groups(9).items()}
    exchanged = alike(own, round_wind)
    honors = {
        number: {
            counts: prod(_orders([counts[kind] for kind in kinds]) for kinds in exchanged)
            for counts in found
            if all([counts[kind] for kind in kinds] == sorted(counts[kind] for kind in kinds) for kinds in exchanged)
        }
        for number, found in groups(7).items()
    }  # fmt: skip
    for numbers in sorted({(*sorted(numbers[:3]), numbers[3]) for numbers in divided()}):
        for three in _of_numbers(suits, numbers[:3]):
            orders = _orders(three) * 2 ** sum(counts != counts[::-1] for counts in three)
            for seven, exchanges in honors[numbers[3]].items():
                yield Orbit(three, seven, orders * exchanges)


def _of_numbers(
    suits: dict[int, list[Counts]], numbers: tuple[int, ...]
) -> Iterator[tuple[Counts, Counts, Counts]]:
    """Three suits of so many tiles, in every way once up to their order."""
    different = dict.fromkeys(numbers)
    chosen = (combinations_with_replacement(suits[number], numbers.count(number)) for number in different)
    for parts in product(*chosen):
        first, second, third = (counts for part in parts for counts in part)
        yield first, second, third


def _orders(parts: Sequence[object]) -> int:
    """In how many orders they can stand, those that are alike being one."""
    return factorial(len(parts)) // prod(factorial(parts.count(part)) for part in {*parts})


class Proved(NamedTuple):
    """How many hands were scored, how many they stand for, how many wins that was, and what differs."""

    hands: int = 0
    size: int = 0
    wins: int = 0
    differences: tuple[object, ...] = ()

    def plus(self, other: Proved) -> Proved:
        """Both together; of the differences the first ten."""
        return Proved(
            self.hands + other.hands,
            self.size + other.size,
            self.wins + other.wins,
            (self.differences + other.differences)[:10],
        )


def proved(rulebook: str, place: str, some: Sequence[Orbit]) -> Proved:
    """Score *some* hands both ways, each won by every kind of its tiles, drawn and claimed."""
    book, rules = bind(rulebook), Rules(rulebook, {})
    seat, _, round_wind = place.partition("@")
    wins = 0
    differences: list[object] = []
    for orbit in some:
        tiles = orbit.tiles()
        for kind in dict.fromkeys(tiles):
            held = tiles.copy()
            held.remove(kind)
            for drawn in (True, False):
                wins += 1
                win = Win(TILES[kind], drawn)
                hand = make_hand((), tuple(TILES[one] for one in held), win, seat=seat, round=round_wind)
                sheet, difference = both_ways(hand, book, rules)
                if difference is not None or sheet is None:
                    differences.append((str(hand), difference))
    return Proved(len(some), sum(orbit.size for orbit in some), wins, tuple(differences[:10]))


def orbits_at(place: str) -> Iterator[Orbit]:
    """The hands of a player's seat and a round, written E@S."""
    seat, _, round_wind = place.partition("@")
    return orbits("ESWN".index(seat), "ESWN".index(round_wind))


def orphans(rulebook: str) -> list[Orbit]:
    """The hands of thirteen different heads and one of them twice, where they win; none of those that are counted."""
    if not Rules(rulebook, {}).orphans:
        return []
    heads = [(1, 0, 0, 0, 0, 0, 0, 0, 1)] * 3 + [(1,) * 7]
    found = []
    for group, counts in enumerate(heads):
        for kind in (kind for kind, count in enumerate(counts) if count):
            twin = (*counts[:kind], 2, *counts[kind + 1 :])
            first, second, third, honors = (*heads[:group], twin, *heads[group + 1 :])
            found.append(Orbit((first, second, third), honors, 0))
    return found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rulebook", choices=RULEBOOKS)
    parser.add_argument("--place", default="E@S", help="the player's seat and the round")
    parser.add_argument("--slice", default="1/1", help="2/50: every fiftieth hand, from the second on")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    part, parts = map(int, given.slice.split("/"))
    begun = time.monotonic()
    some = islice(chain(orphans(given.rulebook), orbits_at(given.place)), part - 1, None, parts)
    found = Proved()
    with Pool(given.jobs) as pool:
        calls = (
            (given.rulebook, given.place, list(chunk)) for chunk in iter(lambda: list(islice(some, 500)), [])
        )
        for result in pool.imap_unordered(_proved, calls):
            found = found.plus(result)
            minutes = (time.monotonic() - begun) / 60
            print(f"\r{found.hands:,} hands, {minutes:.0f} min", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    size = f"{found.hands:,} hands, {found.size:,} with those that they stand for"
    print(f"{given.rulebook} {given.place}: {size}, {found.wins:,} wins")
    for difference in found.differences:
        print(f"differs: {difference}")
    missing = parts == 1 and found.size != all_hands()
    if missing:
        print(f"there are {all_hands():,} hands")
    sys.exit(1 if found.differences or missing else 0)


def _proved(call: tuple[str, str, list[Orbit]]) -> Proved:
    return proved(*call)


if __name__ == "__main__":
    main()
