"""Patterns of sets such as ``klmx klmy klmz``, which a hand's sets match whatever their suits and values.

A pattern is compiled to all the groups of sets that it stands for, each packed into one number with a digit for each
possible chow, pung, kong and pair. A hand's sets are packed likewise, so that testing for a group takes one
subtraction.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import permutations, product
from typing import TypeAlias

from lark.exceptions import UnexpectedInput

from mjscore.game.hand import TileSet, set_text
from mjscore.game.tiles import BITS, DIGIT, KINDS, TILES, WEIGHT, Tile, fifth_tile
from mjscore.notation.parsers import open_grammar
from mjscore.refusal import refuse

_KINDS_OF_SET = ("chow", "pung", "kong", "pair")
_TOP = sum(1 << BITS * number + BITS - 1 for number in range(len(_KINDS_OF_SET) * KINDS))
_VALUES = "klmnopqrs"  # letters for values, each higher by one than the letter before
_MOST_GROUPS = 5000
# packed sets, and their packed tiles
_Group: TypeAlias = tuple[int, int]

_WEIGHTS = {
    (kind, tile): 1 << BITS * (KINDS * number + tile)
    for number, kind in enumerate(_KINDS_OF_SET)
    for tile in range(KINDS)
}
for _tile in range(KINDS):
    _WEIGHTS["kong", _tile] += _WEIGHTS["pung", _tile]  # a kong counts as a pung too


def has_sets(sets: Iterable[TileSet], patterns: tuple[str, ...]) -> bool:
    """Return whether *sets* match all the *patterns*, using each set once."""
    return _has(sum([_WEIGHTS.get((tile_set.kind, tile_set.tile), 0) for tile_set in sets]), patterns)


@lru_cache(maxsize=1 << 14)
def _has(packed: int, patterns: tuple[str, ...]) -> bool:
    return any(not _TOP & ~((packed | _TOP) - group) for group in groups_of(patterns))


def lacking_sets(sets: Iterable[TileSet], patterns: tuple[str, ...]) -> list[str]:
    """Return the missing sets, in the notation, of the group that *sets* come nearest to."""
    packed = sum([_WEIGHTS.get((tile_set.kind, tile_set.tile), 0) for tile_set in sets])

    def lacking(group: int) -> list[str]:
        missing: list[str] = []
        for number, (kind, tile) in enumerate(_WEIGHTS):
            wanted, there = (sets >> BITS * number & DIGIT for sets in (group, packed))
            # a missing kong would be counted as a missing pung too
            if kind != "pung" or not group >> BITS * (number + KINDS) & DIGIT:
                missing += [set_text(kind, TILES[tile])] * (wanted - there)
        return missing

    return min(map(lacking, groups_of(patterns)), key=len)


@lru_cache(maxsize=256)
def groups_of(patterns: tuple[str, ...]) -> tuple[int, ...]:
    """Return the packed groups of sets that *patterns* together stand for. Raises Refused for a bad pattern."""
    joined: set[_Group] = {(0, 0)}
    for pattern in patterns:
        groups = _groups(pattern)
        if len(joined) * len(groups) > _MOST_GROUPS:
            raise refuse("bad-sets", "many", most=_MOST_GROUPS)
        both = ((sets + more, tiles + of_more) for (sets, tiles), (more, of_more) in product(joined, groups))
        joined = {(sets, tiles) for sets, tiles in both if fifth_tile(tiles) is None}
    if not joined:
        raise refuse("bad-sets", "impossible")
    return tuple(sorted(sets for sets, _ in joined))


def _groups(pattern: str) -> set[_Group]:
    """Return the groups of sets of a pattern, packed, and their packed tiles. Raises Refused."""
    try:
        words = [str(word) for word in open_grammar("shape.lark", ("pattern",)).parse(pattern).children]
    except UnexpectedInput as unexpected:
        start = min(unexpected.pos_in_stream or 0, max(0, len(pattern) - 1))
        fault = repr(pattern[start:].split(" ")[0]) if pattern.strip() else "nothing"
        raise refuse("bad-sets", "part", said=fault) from None
    letters = sorted({word[-1] for word in words} & set("xyz"))
    values = [_VALUES.index(value) for word in words for value in word[:-1] if value in _VALUES] or [0]
    groups = set()
    for suits, first in product(permutations("bcd", len(letters)), range(-min(values), 9 - max(values))):
        sets = [_set_of(word, dict(zip(letters, suits, strict=True)), first) for word in words]
        tiles = sum(WEIGHT[tile] for tile_set in sets for tile in tile_set.tiles)
        groups.add((sum(_WEIGHTS[tile_set.kind, tile_set.tile] for tile_set in sets), tiles))
    return groups


def _set_of(word: str, suit_of: dict[str, str], first: int) -> TileSet:
    """Return the set that a word stands for if ``k`` is the value *first*, from 0. Raises Refused."""
    values, steps = word[:-1], [ord(value) - ord(word[0]) for value in word[:-1]]
    if len(set(values)) == 1 and 2 <= len(values) <= 4:
        kind = {2: "pair", 3: "pung", 4: "kong"}[len(values)]
    elif steps == [0, 1, 2] and word[-1] in "bcdxyz":
        kind = "chow"
    else:
        raise refuse("bad-sets", "part", said=repr(word))
    value = str(first + _VALUES.index(values[0]) + 1) if values[0] in _VALUES else values[0]
    return TileSet(kind, Tile.parse(value + suit_of.get(word[-1], word[-1])), False)
