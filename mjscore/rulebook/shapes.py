"""Special winning hands, whose shape is told by their tiles: thirteen orphans, seven twins, and others.

A shape is a line such as ``19b 19c 19d ESWNw RGWd twin`` or ``7 pairs(head)``: tiles written out
(``x y z`` stand for suits), twins (one more of the tiles written out), runs of any length, and sets of a
class, some of them across suits.
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
from mjscore.game.tiles import BITS, DIGIT, KINDS, TILES, WEIGHT, WIND_NAMES, Tile, fifth_tile, written_mask
from mjscore.notation.parsers import open_grammar
from mjscore.refusal import Place, Refused, did_you_mean, refuse

WHOLE_HAND = 14
_ODD = sum(WEIGHT[:KINDS])
_TOP = _ODD << BITS - 1  # the top bits of the digits, which no hand has so many tiles to reach
# the tiles of a set from its lowest, so many suits and values up, in each way in which it can be made
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
_MOST_PLACES = 5000  # each of them is looked at for each hand
# the classes of tiles that conditions and shapes name, by their masks
CLASS_MASKS = {
    name: written_mask(tiles)
    for name, tiles in {
        "any": "123456789b 123456789c 123456789d ESWNw RGWd",
        "suited": "123456789b 123456789c 123456789d",
        "honor": "ESWNw RGWd",
        "wind": "ESWNw",
        "dragon": "RGWd",
        "head": "19b 19c 19d ESWNw RGWd",
        "terminal": "19b 19c 19d",
        "simple": "2345678b 2345678c 2345678d",
        "bamboo": "123456789b",
        "characters": "123456789c",
        "dots": "123456789d",
        "one": "1b 1c 1d",
        "nine": "9b 9c 9d",
        **{f"{name.lower()}_wind": f"{letter}w" for letter, name in WIND_NAMES.items()},
        "red_dragon": "Rd",
        "green_dragon": "Gd",
        "white_dragon": "Wd",
    }.items()
}


class Alternative(NamedTuple):
    """A shape with its suits chosen: packed fixed tiles, and sets by kind and class; a twin is a single of the fixed kinds."""

    fixed: int
    sets: tuple[tuple[str, int], ...]


class ShapePart(NamedTuple):
    """A part of a shape as written.

    *kind* is ``tiles`` (those of the one name), ``twin``, ``run`` of *number* tiles, each *copies* times,
    or *number* sets of what the names say.
    """

    kind: str
    number: int = 1
    names: tuple[Token, ...] = ()
    copies: int = 1


@v_args(inline=True)
class _Parts(Transformer):  # type: ignore[type-arg]
    """What the grammar's rules are turned into."""

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
    """Read the parts of a shape, in the order in which they are written. Raises what the parser raises."""
    parts: list[ShapePart] = _Parts().transform(open_grammar("shape.lark", ("shape",)).parse(text))
    return parts


def compile_shape(text: str, size: int | None = WHOLE_HAND) -> tuple[Alternative, ...]:
    """Compile the shape written *text* to its alternatives.

    Raises Refused where it is malformed or, with *size*, where it has another number of tiles.
    """

    def refused(code: str, kind: str, start: int = 0, length: int = 1, **words: Any) -> Refused:
        return refuse(code, kind, at=Place(text, start, start + length), **words)

    try:
        parts = shape_parts(text)
    except UnexpectedInput as unexpected:
        start = unexpected.pos_in_stream
        if start is None or getattr(getattr(unexpected, "token", None), "type", "") == "$END":
            raise refused("bad-shape", "part", len(text), said="the shape ends too early") from None
        words = (match for match in re.finditer(r"[^\s(),]+", text) if match.start() <= start < match.end())
        word = next(words, None)
        start, part = (start, text[start]) if word is None else (word.start(), word[0])
        raise refused("bad-shape", "part", start, len(part), said=f"{part!r} is no part of a shape") from None
    for part in parts:
        if part.kind == "run" and not 1 <= part.number <= 9:
            raise refused("bad-shape", "run", number=part.number)
        for name in part.names:
            if not (name.type == "TILES" or name in CLASS_MASKS or name in ("x", "y", "z")):
                near = did_you_mean(name, CLASS_MASKS)
                if name in ("own_wind", "round_wind"):
                    near = f'write {part.kind}(wind), and when = "{_COUNTING.get(part.kind, "kinds")}({name}) == 1"'
                raise refused(
                    "unknown-name", "class", name.start_pos or 0, len(name), name=str(name), near=near
                )
    count = sum(
        len(part.names[0]) - 1
        if part.kind == "tiles"
        else part.number * part.copies * len(_WAYS.get(part.kind, _WAYS["single"])[0])
        for part in parts
    )
    if size is not None and count != size:
        raise refused("bad-shape", "count", length=len(text), count=count, size=size)
    names = [name for part in parts for name in part.names]
    letters = sorted(
        {name[-1] for name in names if name[-1] in "xyz" and (name.type == "TILES" or len(name) == 1)}
    )
    twins = sum(part.number for part in parts if part.kind == "twin")
    alternatives: dict[Alternative, None] = {}
    for suits in permutations("bcd", len(letters)):
        suit_of = dict(zip(letters, suits, strict=True))
        # the packed tiles of each part that is written out, and of runs wherever these may begin; how many there are
        written = Counter(_packed(part, suit_of) for part in parts if part.kind in ("tiles", "run"))
        places = prod(comb(len(ways) + count - 1, count) for ways, count in written.items())
        if places > _MOST_PLACES:
            raise refused("bad-shape", "places", length=len(text), places=places, most=_MOST_PLACES)
        sets: list[tuple[str, int]] = []
        for part in parts:
            if part.kind not in ("tiles", "run", "twin"):
                sets += [(part.kind, _mask_of(part.names, suit_of))] * part.number
        for chosen in product(*(combinations_with_replacement(*one) for one in written.items())):
            fixed = sum(chain(*chosen))
            again = ("single", sum(1 << kind for kind in _counts(fixed)))
            alternatives[Alternative(fixed, (*[again] * twins, *sets))] = None
    return tuple(alternatives)


def _packed(part: ShapePart, suit_of: Mapping[str, str]) -> tuple[int, ...]:
    """Give the packed tiles of a part that is written out, or of a run by each place at which it may begin."""
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
    """Give the tiles that the names in brackets allow: of any of the suits, of all the classes."""
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
    """Tell whether there are tiles for it: four of each kind."""
    return any(_made_of(alternative))


def examples_of(alternatives: tuple[Alternative, ...]) -> Iterator[tuple[Tile, ...]]:
    """Yield the tiles of hands that have the shape, the lowest that there are first, each set another where it can be."""
    made = (packed for one in alternatives for packed in chain(_made_of(one, apart=True), _made_of(one)))
    return (tuple(TILES[kind] for kind in _counts(packed).elements()) for packed in made)


def _made_of(alternative: Alternative, apart: bool = False) -> Iterator[int]:
    """Give the packed tiles of the hands of the shape, its sets all *apart* or not."""

    def made(packed: int, sets: list[tuple[str, int]], least: int) -> Iterator[int]:
        if fifth_tile(packed) is not None:
            return
        if not sets:
            yield packed
        for kind in range(least, KINDS) if sets else ():
            following = kind + apart if sets[1:2] == sets[:1] else 0
            for weight in _ways(*sets[0], kind):
                yield from made(packed + weight, sets[1:], following)

    # what has the fewest places comes first, so that it is not missed only when all else has found one
    places = {one: sum(len(_ways(*one, kind)) for kind in range(KINDS)) for one in alternative.sets}
    return made(alternative.fixed, sorted(alternative.sets, key=lambda one: (places[one], one)), 0)


def _counts(packed: int) -> Counter[int]:
    """Tell how many of each kind there are, of those that there are."""
    return Counter({kind: count for kind in range(KINDS) if (count := packed >> BITS * kind & DIGIT)})


def match_shape(
    alternatives: tuple[Alternative, ...], packed: int, laid: tuple[TileSet, ...] = ()
) -> tuple[TileSet, ...] | None:
    """Return the parts into which *packed* falls by one of the alternatives, or None; single tiles that have a twin as pairs.

    The sets *laid* on the table are threes of it, as threes or fours.
    """
    for fixed, sets in _beside(laid, alternatives) if laid else alternatives:
        found = None if _lacking(packed, fixed) else _match(packed - fixed, sets)
        if found is not None:
            single, matched = found
            alike = _counts(fixed + single).items()
            matched += tuple(TileSet(_ALIKE[count], TILES[kind], False) for kind, count in alike)
            return laid + tuple(sorted(matched, key=lambda one: (one.tile, one.kind)))
    return None


def _beside(laid: tuple[TileSet, ...], alternatives: tuple[Alternative, ...]) -> tuple[Alternative, ...]:
    """Return what is left of the alternatives, in each way in which the sets *laid* on the table are threes among theirs."""
    for tile_set in laid:
        found = []
        for fixed, sets in alternatives if tile_set.kind in ("pung", "kong") else ():
            for part in dict.fromkeys(sets):
                if part[0] == "pung" and part[1] >> tile_set.tile & 1:
                    left = list(sets)
                    left.remove(part)
                    found.append(Alternative(fixed, tuple(left)))
        alternatives = tuple(found)
    return alternatives


def may_wait(alternatives: tuple[Alternative, ...], held: int) -> bool:
    """Tell whether thirteen tiles can lack only one for one of the alternatives; a quick look, may be too kind."""
    for fixed, sets in alternatives:
        if sets and not fixed:
            if any(kind != "pair" for kind, _ in sets) or (held & _ODD).bit_count() == 1:
                return True
        else:
            lacking = _lacking(held, fixed)
            if lacking.bit_count() < 2 and not _lacking(held + (lacking >> BITS - 1), fixed):
                return True
    return False


def may_be_near(alternatives: tuple[Alternative, ...], packed: int) -> bool:
    """Tell whether fourteen tiles can have one tile that is wrong for a shape of tiles written out, or of pairs; a quick look."""
    return any(
        _lacking(packed, fixed).bit_count() < 2
        if fixed
        else (packed & _ODD).bit_count() == 2 and all(kind == "pair" for kind, _ in sets)
        for fixed, sets in alternatives
    )


def _lacking(packed: int, part: int) -> int:
    """Mark, by the top bits of their digits, the kinds of which *packed* has fewer tiles than *part*."""
    return _TOP & ~((packed | _TOP) - part)


def _match(packed: int, sets: tuple[tuple[str, int], ...]) -> tuple[int, tuple[TileSet, ...]] | None:
    """Cover the packed tiles with sets, the lowest tile first: give the packed single tiles, and the sets."""
    if not packed:
        return None if sets else (0, ())
    parts = dict.fromkeys(sets)
    # parts of several kinds come to the same rest in many ways
    match = _remembered if len(parts) > 1 else _match
    kind = ((packed & -packed).bit_length() - 1) // BITS
    for name, mask in parts:
        for weight in _ways(name, mask, kind):
            if _lacking(packed, weight):
                continue
            left = list(sets)
            left.remove((name, mask))
            rest = match(packed - weight, tuple(left))
            if rest is not None:
                single, found = rest
                if name in SET_SIZES and name != "single":
                    return single, (TileSet(name, TILES[kind], False), *found)
                # what lies across suits is single tiles on a sheet
                return single + weight, found
    return None


_remembered = lru_cache(maxsize=1 << 14)(_match)


@lru_cache(maxsize=1 << 12)
def _ways(name: str, mask: int, kind: int) -> tuple[int, ...]:
    """Give the packed tiles of *mask* that a set may have whose lowest tile is of *kind*."""
    suit, value = divmod(kind, 9)
    found = []
    for way in _WAYS[name]:
        tiles = [kind + 9 * up + on for up, on in way]
        fit = all(not (up or on) or (suit + up < 3 and 0 <= value + on < 9) for up, on in way)
        if fit and all(mask >> tile & 1 for tile in tiles):
            found.append(sum(WEIGHT[tile] for tile in tiles))
    return tuple(found)
