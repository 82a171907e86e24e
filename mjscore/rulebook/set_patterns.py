"""Patterns of sets, such as ``klmx klmy klmz``: which sets a hand has, whatever their suits and values.

A pattern is compiled to every group of sets that it stands for, packed into one number: a digit for each run, three, four and
pair that there is. A hand's sets are packed likewise, so that looking for a group is one subtraction.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import permutations, product
from typing import TypeAlias

from lark import Token
from lark.exceptions import UnexpectedInput

from mjscore.game.hand import TileSet, set_text
from mjscore.game.tiles import BITS, DIGIT, KINDS, TILES, WEIGHT, Tile, fifth_tile
from mjscore.notation.parsers import open_grammar
from mjscore.refusal import Place, refuse

_KINDS_OF_SET = ("chow", "pung", "kong", "pair")
_TOP = sum(1 << BITS * number + BITS - 1 for number in range(len(_KINDS_OF_SET) * KINDS))
_VALUES = "klmnopqrs"  # letters for values, each one higher than the one before
_MOST_GROUPS = 5000
# sets packed, and their tiles packed
_Group: TypeAlias = tuple[int, int]

_WEIGHTS = {
    (kind, tile): 1 << BITS * (KINDS * number + tile)
    for number, kind in enumerate(_KINDS_OF_SET)
    for tile in range(KINDS)
}
for _tile in range(KINDS):
    _WEIGHTS["kong", _tile] += _WEIGHTS["pung", _tile]  # a four is a three too


def has_sets(sets: Iterable[TileSet], patterns: tuple[str, ...]) -> bool:
    """Tell whether *sets* have those of all the *patterns*, each by sets of its own."""
    return _has(sum([_WEIGHTS.get((one.kind, one.tile), 0) for one in sets]), patterns)


@lru_cache(maxsize=1 << 14)
def _has(packed: int, patterns: tuple[str, ...]) -> bool:
    return any(not _TOP & ~((packed | _TOP) - group) for group in groups_of(patterns))


def lacking_sets(sets: Iterable[TileSet], patterns: tuple[str, ...]) -> list[str]:
    """Return the sets, in the notation, that the group which *sets* come nearest to has and they have not."""
    packed = sum([_WEIGHTS.get((one.kind, one.tile), 0) for one in sets])

    def lacking(group: int) -> list[str]:
        missing: list[str] = []
        for number, (kind, tile) in enumerate(_WEIGHTS):
            wanted, there = (one >> BITS * number & DIGIT for one in (group, packed))
            # what is asked for as a four is a three too
            if kind != "pung" or not group >> BITS * (number + KINDS) & DIGIT:
                missing += [set_text(kind, TILES[tile])] * (wanted - there)
        return missing

    return min(map(lacking, groups_of(patterns)), key=len)


@lru_cache(maxsize=256)
def groups_of(patterns: tuple[str, ...]) -> tuple[int, ...]:
    """Return the packed groups of sets for which *patterns* stand together. Raises Refused for what is no pattern."""
    found: set[_Group] = {(0, 0)}
    for pattern in patterns:
        groups = _groups(pattern)
        if len(found) * len(groups) > _MOST_GROUPS:
            raise refuse("bad-sets", "many", most=_MOST_GROUPS, at=Place(pattern, 0, 1))
        both = (
            (one + other, of_one + of_other) for (one, of_one), (other, of_other) in product(found, groups)
        )
        found = {(sets, tiles) for sets, tiles in both if fifth_tile(tiles) is None}
    if not found:
        raise refuse("bad-sets", "impossible", at=Place(patterns[0], 0, 1))
    return tuple(sorted(sets for sets, _ in found))


def _groups(pattern: str) -> set[_Group]:
    """Return the groups of sets for which one pattern stands, with its suits and values chosen in every way."""
    try:
        parsed = open_grammar("shape.lark", ("pattern",)).parse(pattern)
    except UnexpectedInput as unexpected:
        start = min(unexpected.pos_in_stream or 0, max(0, len(pattern) - 1))
        said = repr(pattern[start:].split(" ")[0]) if pattern.strip() else "nothing"
        raise refuse("bad-sets", "part", said=said, at=Place(pattern, start, start + 1)) from None
    words = [str(word) for word in parsed.children if isinstance(word, Token)]
    letters = sorted({word[-1] for word in words} & set("xyz"))
    named = {_VALUES.index(value) for word in words for value in word[:-1] if value in _VALUES}
    lowest = range(-min(named), 9 - min(named)) if named else range(1)  # of what k stands for
    found = set()
    for suits, first in product(permutations("bcd", len(letters)), lowest):
        sets = [_set_of(word, dict(zip(letters, suits, strict=True)), first, pattern) for word in words]
        if all(one is not None for one in sets):
            chosen = [one for one in sets if one is not None]
            tiles = sum(WEIGHT[tile] for one in chosen for tile in one.tiles)
            found.add((sum(_WEIGHTS[one.kind, one.tile] for one in chosen), tiles))
    return {(sets, tiles) for sets, tiles in found if fifth_tile(tiles) is None}


def _set_of(word: str, suit_of: dict[str, str], first: int, pattern: str) -> TileSet | None:
    """Return the set for which a word stands where ``k`` is *first*, from 0; None where a value would be above nine."""
    values, suit = word[:-1], suit_of.get(word[-1], word[-1])
    places = [first + _VALUES.index(value) if value in _VALUES else -1 for value in values]
    steps = [ord(value) - ord(values[0]) for value in values]
    if len(set(values)) == 1 and 2 <= len(values) <= 4:
        kind = {2: "pair", 3: "pung", 4: "kong"}[len(values)]
    elif steps == [0, 1, 2] and word[-1] in "bcdxyz":
        kind = "chow"
    else:
        start = pattern.index(word)
        raise refuse("bad-sets", "part", said=repr(word), at=Place(pattern, start, start + len(word)))
    if max(places) > 8:
        return None
    value = values[0] if places[0] < 0 else str(places[0] + 1)
    return TileSet(kind, Tile.parse(value + suit), False)
