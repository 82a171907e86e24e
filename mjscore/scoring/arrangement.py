"""All ways to divide tiles into sets, and the tiles that would complete a hand.

Everything works on packed counts (see ``game.tiles``), one suit at a time: the divisions of a suit depend on its nine
counts only, so they are worked out once and cached. Honors are seven kinds without chows.
"""

from functools import lru_cache, partial
from itertools import product
from typing import NamedTuple

from mjscore.game.hand import TileSet
from mjscore.game.tiles import BITS, DIGIT, KINDS, SUIT_BITS, SUIT_DIGITS, TILES, WEIGHT, kinds_with

_KEPT = 1 << 13  # size of each cache; bounded, so that a long file cannot fill the memory
_HONOR_SHIFT = 3 * SUIT_BITS
_HONORS = 27  # the first honor

# every set that can be held concealed
CHOWS, PUNGS, KONGS, PAIRS = (
    tuple(TileSet(kind, tile, False) for tile in TILES[:KINDS]) for kind in ("chow", "pung", "kong", "pair")
)

# the pungs, pairs and tiles of one kind that a hand can use, if it has no pair so far, or one
_OF_A_KIND = (((0, 0, 0), (1, 0, 3), (0, 1, 2)), ((0, 0, 0), (1, 0, 3)))


class Division(NamedTuple):
    """One way to divide concealed tiles: its chows, its pair (empty if none), its pungs, and their mask."""

    chows: tuple[TileSet, ...]
    pair: tuple[TileSet, ...]
    pungs: tuple[TileSet, ...]
    pungs_mask: int


_NOTHING = Division((), (), (), 0)


def divisions(packed: int) -> list[Division]:
    """Return all ways to divide the packed tiles into sets and one pair; empty if there is none."""
    bamboo = _BAMBOO(packed & SUIT_DIGITS)
    characters = _CHARACTERS(packed >> SUIT_BITS & SUIT_DIGITS)
    dots = _DOTS(packed >> 2 * SUIT_BITS & SUIT_DIGITS)
    honors = _HONOR_TILES(packed >> _HONOR_SHIFT)
    if not (bamboo and characters and dots and honors):
        return []
    # the group with the pair has two tiles more than a multiple of three
    if len(bamboo[0].pair + characters[0].pair + dots[0].pair + honors[0].pair) != 1:
        return []
    return [
        Division(
            one.chows + two.chows + three.chows,
            one.pair or two.pair or three.pair or four.pair,
            one.pungs + two.pungs + three.pungs + four.pungs,
            one.pungs_mask | two.pungs_mask | three.pungs_mask | four.pungs_mask,
        )
        for one in bamboo
        for two in characters
        for three in dots
        for four in honors
    ]


def _divided(first: int, digits: int) -> tuple[Division, ...]:
    """Return every way to divide a group (*digits*, from the kind *first* on) into sets, and a pair if two are left."""
    tiles = _number_of_tiles(digits) % 3
    if tiles == 0:
        return tuple(_sets(first, digits))
    if tiles == 1:
        return ()
    return tuple(
        sets._replace(pair=(PAIRS[first + kind],))
        for kind in kinds_with(2, digits)
        for sets in _sets(first, digits - 2 * WEIGHT[kind])
    )


_BAMBOO, _CHARACTERS, _DOTS, _HONOR_TILES = (
    lru_cache(maxsize=_KEPT)(partial(_divided, first)) for first in (0, 9, 18, _HONORS)
)


def _sets(first: int, digits: int) -> list[Division]:
    """Return all divisions into sets alone: each kind forms a pung or not, and every tile left begins a chow."""
    if not digits:
        return [_NOTHING]
    kind = (digits & -digits).bit_length() // BITS
    count = digits >> BITS * kind & DIGIT
    ways: list[Division] = []
    for threes in (1, 0) if count >= 3 else (0,):
        runs = count - 3 * threes
        rest = digits - (count << BITS * kind)
        if runs:
            rest = _without_runs(first, kind, runs, rest)
            if rest < 0:
                continue
        chows = (CHOWS[first + kind],) * runs
        pungs = (PUNGS[first + kind],) * threes
        mask = threes << first + kind
        ways += [
            Division(chows + sets.chows, (), pungs + sets.pungs, mask | sets.pungs_mask)
            for sets in _sets(first, rest)
        ]
    return ways


def _without_runs(first: int, kind: int, runs: int, digits: int) -> int:
    """Return *digits* less the second and third tiles of the *runs* that begin with *kind*; -1 if some are missing."""
    if first == _HONORS:
        return -1
    shift = BITS * (kind + 1)
    if digits >> shift & DIGIT < runs or digits >> shift + BITS & DIGIT < runs:
        return -1
    return digits - (runs << shift) - (runs << shift + BITS)


def _number_of_tiles(digits: int) -> int:
    return sum([digits >> BITS * kind & DIGIT for kind in range(9)])


class _GroupWaits(NamedTuple):
    """Whether a group is all sets, or sets and a pair; and the masks of the tiles any one of which would make it so."""

    is_sets: bool
    is_paired: bool
    to_sets: int
    to_paired: int


@lru_cache(maxsize=2 * _KEPT)
def _group_waits(first: int, digits: int) -> _GroupWaits:
    tiles = _number_of_tiles(digits) % 3
    if tiles == 0:
        return _GroupWaits(_is_sets(first, digits), False, 0, 0)
    twos = kinds_with(2, digits)
    if tiles == 2:
        is_paired = any(_is_sets(first, digits - 2 * WEIGHT[kind]) for kind in twos)
        return _GroupWaits(False, is_paired, _to_sets(first, digits), 0)
    to_paired = 0
    for kind in kinds_with(1, digits):
        if _is_sets(first, digits - WEIGHT[kind]):
            to_paired |= 1 << kind
    for kind in twos:
        to_paired |= _to_sets(first, digits - 2 * WEIGHT[kind])
    return _GroupWaits(False, False, 0, to_paired)


def _to_sets(first: int, digits: int) -> int:
    """Return the mask of the tiles any one of which makes the whole group sets; its lowest bit is the kind *first*."""
    near = kinds_with(1, digits)
    if first != _HONORS:
        # the numbers of the kinds in a pung or a chow add up to a multiple of three
        total = sum([kind * (digits >> BITS * kind & DIGIT) for kind in near])
        near = list(range(-total % 3, 9, 3))
    return sum([1 << kind for kind in near if _is_sets(first, digits + WEIGHT[kind])])


def _is_sets(first: int, digits: int) -> bool:
    """Return whether a group is all sets; pungs are taken first, since three equal chows are three pungs too."""
    while digits:
        kind = (digits & -digits).bit_length() // BITS
        count = digits >> BITS * kind & DIGIT
        digits -= count << BITS * kind
        if count % 3:
            digits = _without_runs(first, kind, count % 3, digits)
            if digits < 0:
                return False
    return True


def standard_waits(concealed: int) -> int:
    """Return the mask of the tiles that complete the packed concealed tiles to sets and a pair.

    Only the concealed tiles are considered; ``waits_of`` checks that such a tile can still be had.
    """
    bamboo = _group_waits(0, concealed & SUIT_DIGITS)
    characters = _group_waits(0, concealed >> SUIT_BITS & SUIT_DIGITS)
    dots = _group_waits(0, concealed >> 2 * SUIT_BITS & SUIT_DIGITS)
    honors = _group_waits(_HONORS, concealed >> _HONOR_SHIFT)
    unfinished = 4 - bamboo[0] - characters[0] - dots[0] - honors[0]
    if unfinished == 1:
        # a group that is all sets waits for nothing
        return bamboo[3] | characters[3] << 9 | dots[3] << 18 | honors[3] << _HONORS
    waits = 0
    if unfinished == 2:
        # if one of the two has the pair, the other waits for its last set
        to_sets = bamboo[2] | characters[2] << 9 | dots[2] << 18 | honors[2] << _HONORS
        for number, group in enumerate((bamboo, characters, dots, honors)):
            if group[1]:
                waits |= to_sets & ~(511 << 9 * number)
    return waits


def lacking(concealed: int, laid: int, sets: int, chows: int) -> tuple[int, int]:
    """Return how many tiles the concealed ones lack to be sets and a pair, and the mask of those that help.

    The hand needs *sets* sets, at most *chows* of them chows. No more than four tiles of a kind are used, counting
    those of the *laid* sets. Return (99, 0) if that is impossible.
    """
    chows = min(sets, chows)
    ways: dict[_Way, _Lack] = {(sets, chows, 1): (0, 0)}
    for first in (0, 9, 18, _HONORS):
        held, on_table = (packed >> BITS * first & SUIT_DIGITS for packed in (concealed, laid))
        group, joined = _group_lacks(first, held, on_table, sets, chows), dict[_Way, _Lack]()
        for (left, chows_left, pair), (lack, mask) in ways.items():
            for (some, runs, pairs), (lacks, lacked) in group.items():
                if some <= left and runs <= chows_left and pairs <= pair:
                    # if every set may be a chow, chows need not be counted
                    way = left - some, chows_left - runs, pair - pairs
                    joined[way] = _nearer(joined.get(way), lack + lacks, mask | lacked)
        ways = joined
    whole = None
    for (left, _, pair), (lack, mask) in ways.items():
        if not left and not pair:
            whole = _nearer(whole, lack, mask)
    return whole or (99, 0)


_Way = tuple[int, int, int]  # sets, the chows among them, pairs
_Lack = tuple[int, int]  # how many tiles are lacking, and which


def _nearer(known: _Lack | None, lack: int, mask: int) -> _Lack:
    """Return the way that lacks fewer tiles; if both lack equally many, the union of the tiles that they lack."""
    if known is None or lack < known[0]:
        return lack, mask
    return known if lack > known[0] else (lack, known[1] | mask)


@lru_cache(maxsize=_KEPT)
def _group_lacks(first: int, held: int, laid: int, most_sets: int, most_chows: int) -> dict[_Way, _Lack]:
    """Return what a group of tiles beginning with *first* lacks, for every number of sets, chows and pairs.

    Chows are counted only if there may be fewer of them than sets.
    """
    counted = most_chows < most_sets
    # sets, chows and pairs are followed by the chows begun at the kind before, and at the kind before that
    ways: dict[tuple[int, int, int, int, int], _Lack] = {(0, 0, 0, 0, 0): (0, 0)}
    for kind in range(min(9, KINDS - first)):
        has, room = held >> BITS * kind & DIGIT, 4 - (laid >> BITS * kind & DIGIT)
        bit, is_low = 1 << first + kind, first != _HONORS and kind < 7
        following: dict[tuple[int, int, int, int, int], _Lack] = {}
        for (sets, chows, pairs, begun, going_on), (lack, mask) in ways.items():
            free = room - begun - going_on
            most = min(most_sets - sets, free, most_chows - chows) if is_low else 0
            for runs, (pungs, pair, tiles) in product(range(most + 1), _OF_A_KIND[pairs]):
                spare = free - runs - tiles
                if spare < 0 or sets + runs + pungs > most_sets:
                    continue
                way = sets + runs + pungs, chows + runs * counted, pairs + pair, runs, begun
                more = room - spare - has
                following[way] = _nearer(
                    following.get(way), *((lack + more, mask | bit) if more > 0 else (lack, mask))
                )
        ways = following
    return {way[:3]: lacks for way, lacks in ways.items()}


def regroupings(
    concealed: int, every: bool = False, fours: bool = False, no_pairs: int = 0
) -> list[tuple[int, int, int]]:
    """Return the ways to regroup a losing hand's concealed tiles: masks of kongs, pungs and pairs.

    Three or four of a kind are a pung or a pair, two a pair (Babcock p. 24-25); with *fours*, four may be a kong too.
    With *every*, each kind may also be left alone. The kinds of *no_pairs* are not made pairs if they can be pungs.
    """
    ways = [(0, 0, 0)]
    for kind in kinds_with(2, concealed):
        bit, count, more = 1 << kind, concealed >> BITS * kind & DIGIT, []
        if count < 3 or not no_pairs & bit:
            more = [(kongs, threes, pairs | bit) for kongs, threes, pairs in ways]
        if count >= 3:
            more += [(kongs, threes | bit, pairs) for kongs, threes, pairs in ways]
        if count == 4 and fours:
            more += [(kongs | bit, threes, pairs) for kongs, threes, pairs in ways]
        ways = more + ways if every else more
    return ways
