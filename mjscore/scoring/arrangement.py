"""All ways to divide tiles into sets, and the tiles that would complete a hand.

Everything works on packed counts (see ``tiles``), one suit at a time: a suit's divisions depend on
its nine counts only, so they are worked out once and kept. Honors are seven kinds without chows.
"""

from functools import lru_cache
from typing import NamedTuple

from mjscore.game.tiles import BITS, DIGIT, KINDS, SUIT_BITS, SUIT_DIGITS, WEIGHT

_KEPT = 1 << 13  # suits remembered; bounded, so that a long file cannot fill the memory
_HONOR_SHIFT = 3 * SUIT_BITS
_HONOR_DIGITS = (1 << (7 * BITS)) - 1
_TO_FOUR = 28 * sum(WEIGHT[:KINDS])
_FOUR_FLAGS = 32 * sum(WEIGHT[:KINDS])


class Division(NamedTuple):
    """One way to divide concealed tiles: threes alike as a mask, chows by lowest tile, the pair or -1."""

    pungs: int
    chows: tuple[int, ...]
    pair: int


class _Group(NamedTuple):
    """What one suit (or the honors) can do: its divisions, and the tiles it waits for.

    *sets* divides it into sets alone, *paired* into sets and a pair. *to_sets* and *to_pair* are
    masks of the tiles (of the group, from 0) that would make it so.
    """

    sets: tuple[Division, ...]
    paired: tuple[Division, ...]


def divisions(packed: int) -> list[Division]:
    """All ways to divide the packed tiles into sets and one pair; empty where there is none."""
    bamboo = _divide(packed & SUIT_DIGITS, False)
    characters = _divide(packed >> SUIT_BITS & SUIT_DIGITS, False)
    dots = _divide(packed >> 2 * SUIT_BITS & SUIT_DIGITS, False)
    honors = _divide(packed >> _HONOR_SHIFT & _HONOR_DIGITS, True)
    # Exactly one group has the pair: its number of tiles is two more than a multiple of three.
    if bool(bamboo[1]) + bool(characters[1]) + bool(dots[1]) + bool(honors[1]) != 1:
        return []
    return [
        _joined(one, other, third, honor)
        for one in bamboo[1] or bamboo[0]
        for other in characters[1] or characters[0]
        for third in dots[1] or dots[0]
        for honor in honors[1] or honors[0]
    ]


def _joined(bamboo: Division, characters: Division, dots: Division, honor: Division) -> Division:
    pair = bamboo.pair
    if characters.pair >= 0:
        pair = 9 + characters.pair
    elif dots.pair >= 0:
        pair = 18 + dots.pair
    elif honor.pair >= 0:
        pair = 27 + honor.pair
    chows = bamboo.chows
    if characters.chows:
        chows += tuple([9 + chow for chow in characters.chows])
    if dots.chows:
        chows += tuple([18 + chow for chow in dots.chows])
    return Division(
        bamboo.pungs | characters.pungs << 9 | dots.pungs << 18 | honor.pungs << 27,
        chows,
        pair,
    )


_NOTHING = Division(0, (), -1)
_EMPTY = _Group((_NOTHING,), ())


@lru_cache(maxsize=_KEPT)
def _divide(digits: int, honors: bool) -> _Group:
    if not digits:
        return _EMPTY
    counts = _counts(digits)
    total = sum(counts)
    if total % 3 == 0:
        return _Group(tuple(_sets(counts, 0, honors)), ())
    if total % 3 == 2:
        paired = []
        for kind, count in enumerate(counts):
            if count >= 2:
                counts[kind] -= 2
                paired += [one._replace(pair=kind) for one in _sets(counts, 0, honors)]
                counts[kind] += 2
        return _Group((), tuple(paired))
    return _Group((), ())


def _counts(digits: int) -> list[int]:
    return [digits >> (BITS * kind) & DIGIT for kind in range(9)]


def _sets(counts: list[int], kind: int, honors: bool) -> list[Division]:
    """All divisions of *counts* from *kind* on into sets.

    Of each kind a three is taken or not, and every tile left must begin a chow.
    """
    while kind < 9 and not counts[kind]:
        kind += 1
    if kind == 9:
        return [_NOTHING]
    count = counts[kind]
    found: list[Division] = []
    for pung in (1, 0) if count >= 3 else (0,):
        chows = count - 3 * pung
        if chows and (honors or kind > 6 or counts[kind + 1] < chows or counts[kind + 2] < chows):
            continue
        if chows:
            counts[kind + 1] -= chows
            counts[kind + 2] -= chows
        found += [
            Division(one.pungs | pung << kind, (kind,) * chows + one.chows, -1)
            for one in _sets(counts, kind + 1, honors)
        ]
        if chows:
            counts[kind + 1] += chows
            counts[kind + 2] += chows
    return found


class _Waits(NamedTuple):
    """What a group still needs: whether it is complete, and the tiles that would complete it."""

    is_sets: bool
    is_paired: bool
    to_sets: int
    to_paired: int


@lru_cache(maxsize=_KEPT)
def _group_waits(digits: int, honors: bool) -> _Waits:
    group = _divide(digits, honors)
    total = sum(_counts(digits)) % 3
    to_sets = to_paired = 0
    for kind in range(7 if honors else 9):
        # more than four of a kind never occurs on a table, so neither does a wait for a fifth
        if total == 0 or digits >> (BITS * kind) & DIGIT >= 4:
            continue
        after = _divide(digits + WEIGHT[kind], honors)
        if total == 2 and after.sets:
            to_sets |= 1 << kind
        elif total == 1 and after.paired:
            to_paired |= 1 << kind
    return _Waits(bool(group.sets), bool(group.paired), to_sets, to_paired)


def standard_waits(held: int) -> int:
    """Mask of the tiles that complete the packed concealed tiles to sets and a pair.

    Only the concealed tiles are looked at: whether a tile can still be had is asked by ``waits_of``.
    """
    bamboo = _group_waits(held & SUIT_DIGITS, False)
    characters = _group_waits(held >> SUIT_BITS & SUIT_DIGITS, False)
    dots = _group_waits(held >> 2 * SUIT_BITS & SUIT_DIGITS, False)
    honors = _group_waits(held >> _HONOR_SHIFT & _HONOR_DIGITS, True)
    unfinished = 4 - bamboo[0] - characters[0] - dots[0] - honors[0]
    if unfinished == 1:
        # a group that is all sets waits for nothing
        return bamboo[3] | characters[3] << 9 | dots[3] << 18 | honors[3] << 27
    waits = 0
    if unfinished == 2:
        # where one of the two has its pair, the other waits for its last set
        to_sets = bamboo[2] | characters[2] << 9 | dots[2] << 18 | honors[2] << 27
        for place, group in enumerate((bamboo, characters, dots, honors)):
            if group[1]:
                waits |= to_sets & ~(511 << 9 * place)
    return waits


def own_fours(owned: int) -> int:
    """Mask of the kinds of which the packed tiles hold all four."""
    # 28 more in each digit carries into its top bit exactly where there are four tiles
    flags = (owned + _TO_FOUR) & _FOUR_FLAGS
    fours = 0
    while flags:
        lowest = flags & -flags
        fours |= 1 << (lowest.bit_length() - 1) // BITS
        flags ^= lowest
    return fours


def regroupings(held: int, every: bool = False) -> list[tuple[int, int]]:
    """The ways to regroup the concealed tiles of a hand that did not win: (threes, pairs) as masks.

    A kind held three or four times is a three or a pair, a kind held twice a pair (Harr p. 30,
    Babcock p. 24-25). With *every*, each may also be left alone.
    """
    ways: list[tuple[int, int]] = [(0, 0)]
    for kind in range(KINDS):
        count = held >> (BITS * kind) & DIGIT
        if count < 2:
            continue
        bit = 1 << kind
        more = [(threes, pairs | bit) for threes, pairs in ways]
        if count >= 3:
            more += [(threes | bit, pairs) for threes, pairs in ways]
        ways = more + ways if every else more
    return ways
