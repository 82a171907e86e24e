"""Special winning hands defined by their tiles: thirteen orphans, seven twins, and others.

A shape is a line such as ``19b 19c 19d ESWNw RGWd twin`` or ``7 pairs(head)``: written tiles (``x y z`` stand for
suits), twins (one more of the written tiles), runs of any length, and sets from a class of tiles, some of them across
suits.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain, combinations_with_replacement, permutations, product
from math import comb, prod
from typing import Any, NamedTuple

from lark import Token, Transformer, v_args
from lark.exceptions import UnexpectedInput

from mjscore.game.hand import SET_SIZES, TileSet
from mjscore.game.tiles import (
    BITS,
    CLASS_MASKS,
    DIGIT,
    KINDS,
    ONES,
    SUIT_BITS,
    SUIT_DIGITS,
    TILES,
    WEIGHT,
    Tile,
    fifth_tile,
    kinds_with,
    written_mask,
)
from mjscore.notation.parsers import open_grammar
from mjscore.refusal import Place, Refused, did_you_mean, refuse

WHOLE_HAND = 14
_TOP = ONES << BITS - 1  # the top bits of the digits, which no count of tiles reaches
# every way to make a set: its tiles as offsets in suit and value from the lowest
_WAYS: dict[str, tuple[tuple[tuple[int, int], ...], ...]] = {
    **{name: (((0, 0),) * size,) for name, size in SET_SIZES.items()},
    "chow": (((0, 0), (0, 1), (0, 2)),),
    "knit": (((0, 0), (1, 0)), ((0, 0), (2, 0))),
    "triple": (((0, 0), (1, 0), (2, 0)),),
    "mixed chow": tuple(
        ((0, 0), (1, second), (2, third))
        for second, third in ((1, 2), (2, 1), (-1, 1), (1, -1), (-2, -1), (-1, -2))
    ),
}
_ALIKE = ("", "single", "pair", "pung", "kong")
_COUNTING = {"pair": "pairs", "pung": "pungs", "kong": "kongs"}  # the facts that count sets
_MOST_PLACES = 5000  # combinations of starting tiles of runs; all are tried for each hand


class Alternative(NamedTuple):
    """A shape with its suits chosen: its *fixed* tiles, packed, and its *sets*, each a kind and a mask of tiles.

    A twin is a single tile of one of the fixed kinds.
    """

    fixed: int
    sets: tuple[tuple[str, int], ...]


class ShapePart(NamedTuple):
    """A part of a shape as written.

    *kind* is ``tiles`` (written in the single name), ``twin``, ``run`` (of *number* tiles, each *copies* times), or
    else a kind of set, of which there are *number*, taken from the classes of *names*.
    """

    kind: str
    number: int = 1
    names: tuple[Token, ...] = ()
    copies: int = 1

    @property
    def tiles(self) -> int:
        """The number of tiles in this part."""
        if self.kind == "tiles":
            return len(self.names[0]) - 1
        return self.number * self.copies * len(_WAYS.get(self.kind, _WAYS["single"])[0])


@v_args(inline=True)
class _Parts(Transformer):  # type: ignore[type-arg]
    """Turns the grammar's rules into parts."""

    INTEGER = int

    def shape(self, *parts: ShapePart) -> list[ShapePart]:
        return list(parts)

    def tiles(self, written: Token) -> ShapePart:
        return ShapePart("tiles", 1, (written,))

    def twins(self, number: int = 1) -> ShapePart:
        return ShapePart("twin", number)

    def run(self, *children: Any) -> ShapePart:
        copies = 2 if isinstance(children[0], Token) else 1
        number, *names = children[copies - 1 :]
        return ShapePart("run", number, tuple(names), copies)

    def sets(self, *children: Any) -> ShapePart:
        number, kind, *names = children if isinstance(children[0], int) else (1, *children)
        return ShapePart(str(kind).rstrip("s"), number, tuple(names))


def shape_parts(text: str) -> list[ShapePart]:
    """Return the parts of a shape as written. Raises lark's UnexpectedInput."""
    parts: list[ShapePart] = _Parts().transform(open_grammar("shape.lark", ("shape",)).parse(text))
    return parts


def compile_shape(text: str, size: int | None = WHOLE_HAND) -> tuple[Alternative, ...]:
    """Return the alternatives of a shape.

    Raises Refused if it is malformed or, with *size*, has another number of tiles.
    """
    try:
        parts = shape_parts(text)
    except UnexpectedInput as unexpected:
        raise _malformed(text, unexpected) from None
    for part in parts:
        if part.kind == "run" and not 1 <= part.number <= 9:
            raise refuse("bad-shape", "run", number=part.number, at=Place(text, 0, 1))
        for name in part.names:
            _check_name(name, part, text)
    count = sum(part.tiles for part in parts)
    if size is not None and count != size:
        raise refuse("bad-shape", "count", count=count, size=size, at=Place(text, 0, len(text)))
    names = [name for part in parts for name in part.names]
    letters = {name[-1] for name in names if name[-1] in "xyz" and (name.type == "TILES" or len(name) == 1)}
    alternatives: dict[Alternative, None] = {}
    for suits in permutations("bcd", len(letters)):
        suit_of = dict(zip(sorted(letters), suits, strict=True))
        alternatives |= dict.fromkeys(_alternatives(parts, suit_of, text))
    return tuple(alternatives)


def _malformed(text: str, unexpected: UnexpectedInput) -> Refused:
    """Return the refusal of a shape that cannot be parsed, at the word that is wrong."""
    start = unexpected.pos_in_stream
    if start is None or getattr(getattr(unexpected, "token", None), "type", "") == "$END":
        at = Place(text, len(text), len(text) + 1)
        return refuse("bad-shape", "part", said="the shape ends too early", at=at)
    words = (match.span() for match in re.finditer(r"[^\s(),]+", text))
    start, end = next(((a, z) for a, z in words if a <= start < z), (start, start + 1))
    fault = f"{text[start:end]!r} is not a part of a shape"
    return refuse("bad-shape", "part", said=fault, at=Place(text, start, end))


def _check_name(name: Token, part: ShapePart, text: str) -> None:
    if name.type == "TILES" or name in CLASS_MASKS or name in ("x", "y", "z"):
        return
    near = did_you_mean(name, CLASS_MASKS)
    if name in ("own_wind", "round_wind"):
        near = f'write {part.kind}(wind), and when = "{_COUNTING.get(part.kind, "kinds")}({name}) == 1"'
    start = name.start_pos or 0
    at = Place(text, start, start + len(name))
    raise refuse("unknown-name", "class", name=str(name), near=near, at=at)


def _alternatives(parts: list[ShapePart], suit_of: Mapping[str, str], text: str) -> Iterator[Alternative]:
    """Yield the shape with its suits chosen, for all ways to place its runs. Raises Refused if too many."""
    written = Counter(_packed(part, suit_of) for part in parts if part.kind in ("tiles", "run"))
    places = prod(comb(len(ways) + count - 1, count) for ways, count in written.items())
    if places > _MOST_PLACES:
        at = Place(text, 0, len(text))
        raise refuse("bad-shape", "places", places=places, most=_MOST_PLACES, at=at)
    twins = sum(part.number for part in parts if part.kind == "twin")
    sets = [
        (part.kind, _mask_of(part.names, suit_of))
        for part in parts
        if part.kind not in ("tiles", "run", "twin")
        for _ in range(part.number)
    ]
    for chosen in product(*(combinations_with_replacement(*one) for one in written.items())):
        fixed = sum(chain(*chosen))
        again = ("single", sum(1 << kind for kind in _counts(fixed)))
        yield Alternative(fixed, (*[again] * twins, *sets))


def _packed(part: ShapePart, suit_of: Mapping[str, str]) -> tuple[int, ...]:
    """Return the packed tiles of a part: one value for written tiles, or one for each possible start of a run."""
    if part.kind == "tiles":
        (name,) = part.names
        suit = suit_of.get(name[-1], name[-1])
        return (sum(WEIGHT[Tile.parse(value + suit)] for value in name[:-1]),)
    mask, run = _mask_of(part.names, suit_of) & CLASS_MASKS["suited"], (1 << part.number) - 1
    firsts = [9 * suit + value for suit, value in product(range(3), range(10 - part.number))]
    return tuple(
        part.copies * sum(WEIGHT[first : first + part.number]) for first in firsts if not run << first & ~mask
    )


def _mask_of(names: tuple[Token, ...], suit_of: Mapping[str, str]) -> int:
    """Return the mask of the tiles allowed by names in brackets: in all the classes and, if suits are named, in one."""
    mask, suits = CLASS_MASKS["any"], 0
    for name in names:
        if name.type == "TILES":
            mask &= written_mask(name[:-1] + suit_of.get(name[-1], name[-1]))
        elif name in suit_of:
            suits |= written_mask(f"123456789{suit_of[name]}")
        else:
            mask &= CLASS_MASKS[name]
    return mask & (suits or mask)


def can_be_made(alternative: Alternative) -> bool:
    """Return whether the shape can be made with four tiles of each kind."""
    return any(_made_of(alternative))


def examples_of(alternatives: tuple[Alternative, ...]) -> Iterator[tuple[Tile, ...]]:
    """Yield the tiles of hands that have the shape, the lowest tiles first, with different sets if possible."""
    made = (packed for one in alternatives for packed in chain(_made_of(one, apart=True), _made_of(one)))
    return (tuple(TILES[kind] for kind in _counts(packed).elements()) for packed in made)


def _made_of(alternative: Alternative, apart: bool = False) -> Iterator[int]:
    """Yield the packed tiles of hands that have the shape; with *apart*, sets described alike differ."""

    def made(packed: int, sets: list[tuple[str, int]], least: int) -> Iterator[int]:
        if fifth_tile(packed) is not None:
            return
        if not sets:
            yield packed
        for kind in range(least, KINDS) if sets else ():
            following = kind + apart if sets[1:2] == sets[:1] else 0
            for weight in _ways(*sets[0], kind):
                yield from made(packed + weight, sets[1:], following)

    # sets with the fewest possibilities first, so that dead ends are found early
    places = {one: sum(len(_ways(*one, kind)) for kind in range(KINDS)) for one in alternative.sets}
    return made(alternative.fixed, sorted(alternative.sets, key=lambda one: (places[one], one)), 0)


def _counts(packed: int) -> Counter[int]:
    """Return the number of tiles of each kind present."""
    return Counter({kind: count for kind in range(KINDS) if (count := packed >> BITS * kind & DIGIT)})


def match_shape(
    alternatives: tuple[Alternative, ...], packed: int, laid: tuple[TileSet, ...] = ()
) -> tuple[TileSet, ...] | None:
    """Return the sets into which *packed* divides by one of the alternatives, or None.

    Sets *laid* on the table may be the shape's pungs, as pungs or kongs. A single tile with its twin becomes a pair.
    """
    for fixed, sets in _beside(laid, alternatives) if laid else alternatives:
        match = None if _lacking(packed, fixed) else _match(packed - fixed, sets)
        if match is not None:
            single, matched = match
            alike = _counts(fixed + single).items()
            matched += tuple(TileSet(_ALIKE[count], TILES[kind], False) for kind, count in alike)
            return laid + tuple(sorted(matched, key=lambda one: (one.tile, one.kind)))
    return None


def _beside(laid: tuple[TileSet, ...], alternatives: tuple[Alternative, ...]) -> tuple[Alternative, ...]:
    """Return the rest of the alternatives, for each way in which the *laid* sets can be some of their pungs."""
    for tile_set in laid:
        alternatives = tuple(
            Alternative(fixed, _less(sets, (name, mask)))
            for fixed, sets in (alternatives if tile_set.kind in ("pung", "kong") else ())
            for name, mask in dict.fromkeys(sets)
            if name == "pung" and mask >> tile_set.tile & 1
        )
    return alternatives


def _less(sets: tuple[tuple[str, int], ...], part: tuple[str, int]) -> tuple[tuple[str, int], ...]:
    """Return *sets* without the first one equal to *part*."""
    at = sets.index(part)
    return sets[:at] + sets[at + 1 :]


def may_wait(alternatives: tuple[Alternative, ...], held: int) -> bool:
    """Return whether 13 tiles may lack one tile of an alternative. A quick test that is never wrongly False."""
    for fixed, sets in alternatives:
        if sets and not fixed:
            if not held & _strange(sets) and _may_lack_one(Counter(kind for kind, _ in sets), held):
                return True
        else:
            lacking = _lacking(held, fixed)
            if lacking.bit_count() < 2 and not _lacking(held + (lacking >> BITS - 1), fixed):
                return True
    return False


@lru_cache(maxsize=256)
def _strange(sets: tuple[tuple[str, int], ...]) -> int:
    """Return a mask of the digits of the kinds that none of *sets* can contain."""
    ways = [
        way for name, mask in dict.fromkeys(sets) for kind in range(KINDS) for way in _ways(name, mask, kind)
    ]
    return sum(
        DIGIT << BITS * kind for kind in range(KINDS) if not any(way >> BITS * kind & DIGIT for way in ways)
    )


def _may_lack_one(sets: Mapping[str, int], held: int) -> bool:
    """Return whether 13 tiles may lack one of the *sets*, counted by kind. A quick test that is never wrongly False."""
    if sets.keys() == {"pair"}:
        return (held & ONES).bit_count() == 1
    if not sets.keys() <= {"knit", "triple"}:
        return True
    suits = [held >> SUIT_BITS * suit & SUIT_DIGITS for suit in range(3)]
    if "triple" not in sets and ((suits[0] ^ suits[1] ^ suits[2]) & ONES).bit_count() != 1:
        return False
    # a triple takes a tile of each suit, a knit of two: so suits differ only by the knits and by the missing tile
    counts = [[suit >> BITS * value & DIGIT for suit in suits] for value in range(9)]
    return sum(max(three) - min(three) for three in counts) <= sets.get("knit", 0) + 1


def may_complete(alternatives: tuple[Alternative, ...], held: int) -> int:
    """Return the mask of the tiles that may complete 13 tiles to an alternative. A quick test that never misses one."""
    mask = 0
    for fixed, sets in alternatives:
        mask |= sum([1 << tile for tile in kinds_with(1, fixed)])
        for tile, rest in _with_rests(sets):
            if not _lacking(held, rest):
                mask |= 1 << tile
    return mask


@lru_cache(maxsize=256)
def _with_rests(sets: tuple[tuple[str, int], ...]) -> list[tuple[int, int]]:
    """Return, for each way to make one of *sets*, each of its tiles with the packed rest of that way."""
    ways = {way for name, mask in sets for kind in range(KINDS) for way in _ways(name, mask, kind)}
    return sorted({(tile, way - WEIGHT[tile]) for way in ways for tile in kinds_with(1, way)})


def may_be_near(alternatives: tuple[Alternative, ...], packed: int) -> bool:
    """Return whether 14 tiles may lack one tile of the shape. A quick test that is never wrongly False."""
    return any(
        _lacking(packed, fixed).bit_count() < 2
        if fixed
        else (packed & ONES).bit_count() == 2 and all(kind == "pair" for kind, _ in sets)
        for fixed, sets in alternatives
    )


def _lacking(packed: int, part: int) -> int:
    """Return a mask, by the top bits of digits, of the kinds of which *packed* has fewer tiles than *part*."""
    return _TOP & ~((packed | _TOP) - part)


def _match(packed: int, sets: tuple[tuple[str, int], ...]) -> tuple[int, tuple[TileSet, ...]] | None:
    """Divide *packed* into *sets*: return singles and sets across suits packed, then other sets; or None."""
    if not packed:
        return None if sets else (0, ())
    parts = dict.fromkeys(sets)
    # different kinds of sets reach the same remaining tiles in many ways
    match = _remembered if len(parts) > 1 else _match
    kind = ((packed & -packed).bit_length() - 1) // BITS
    for name, mask in parts:
        for weight in _ways(name, mask, kind):
            if _lacking(packed, weight):
                continue
            rest = match(packed - weight, _less(sets, (name, mask)))
            if rest is not None:
                single, matched = rest
                if name in SET_SIZES and name != "single":
                    return single, (TileSet(name, TILES[kind], False), *matched)
                # the sheet lists sets across suits as single tiles
                return single + weight, matched
    return None


_remembered = lru_cache(maxsize=1 << 14)(_match)


@lru_cache(maxsize=1 << 12)
def _ways(name: str, mask: int, kind: int) -> tuple[int, ...]:
    """Return the packed tiles of each set *name* within *mask* whose lowest tile is *kind*."""
    suit, value = divmod(kind, 9)

    def fits(up: int, on: int) -> bool:
        is_there = not (up or on) or (suit + up < 3 and 0 <= value + on < 9)
        return is_there and bool(mask >> kind + 9 * up + on & 1)

    ways = [way for way in _WAYS[name] if all(fits(*step) for step in way)]
    return tuple(sum(WEIGHT[kind + 9 * up + on] for up, on in way) for way in ways)
