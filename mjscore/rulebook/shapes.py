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
from mjscore.game.tiles import ANY, BITS, DIGIT, KINDS, SUITED, TILES, WEIGHT, Tile, written_mask
from mjscore.notation.parsers import shape_parser
from mjscore.refusal import Place, Refused, did_you_mean, refuse

WHOLE_HAND = 14
_ODD = sum(WEIGHT[:KINDS])
_SIZES = {**SET_SIZES, "knit": 2, "triple": 3, "mixed chow": 3}
_MOST_OF_A_KIND = 4
_MOST_PLACES = 5000  # each of them is looked at for each hand
_PARTS = (
    "its parts are tiles (19b, ESWNw, 123456789x), twin, run(7), doubled run(7), and single, pair, pung, chow, "
    "kong, knit, triple or mixed chow, with a class, tiles or suits in brackets: 7 pairs(head), 7 knits(x, y)"
)
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
        "east_wind": "Ew",
        "south_wind": "Sw",
        "west_wind": "Ww",
        "north_wind": "Nw",
        "red_dragon": "Rd",
        "green_dragon": "Gd",
        "white_dragon": "Wd",
    }.items()
}


class Alternative(NamedTuple):
    """A shape with its suits chosen: packed fixed tiles, their mask, twins, and sets by kind and class."""

    fixed: int
    mask: int
    twins: int
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
    parts: list[ShapePart] = _Parts().transform(shape_parser().parse(text))
    return parts


def compile_shape(text: str, size: int | None = WHOLE_HAND) -> tuple[Alternative, ...]:
    """Compile the shape written *text* to its alternatives.

    Raises Refused where it is malformed or, with *size*, where it has another number of tiles.
    """

    def refused(message: str, hint: str, start: int = 0, length: int = 1, code: str = "bad-shape") -> Refused:
        return refuse(code, message, hint, at=Place(text, start, start + length))

    try:
        parts = shape_parts(text)
    except UnexpectedInput as unexpected:
        start = unexpected.pos_in_stream
        if start is None or getattr(getattr(unexpected, "token", None), "type", "") == "$END":
            raise refused("the shape ends too early", _PARTS, len(text)) from None
        words = (match for match in re.finditer(r"[^\s(),]+", text) if match.start() <= start < match.end())
        if (word := next(words, None)) is not None:
            raise refused(f"{word[0]!r} is no part of a shape", _PARTS, word.start(), len(word[0])) from None
        raise refused(f"{text[start]!r} is no part of a shape", _PARTS, start) from None
    for part in parts:
        if part.kind == "run" and not 1 <= part.number <= 9:
            raise refused(f"a run of {part.number}", "a suit has nine values: run(1) to run(9)")
        for name in part.names:
            if not (name.type == "TILES" or name in CLASS_MASKS or name in ("x", "y", "z")):
                message, hint = f"there is no class of tiles {str(name)!r}", did_you_mean(name, CLASS_MASKS)
                raise refused(message, hint, name.start_pos or 0, len(name), "unknown-name")
    count = sum(
        len(part.names[0]) - 1
        if part.kind == "tiles"
        else part.number * part.copies * _SIZES.get(part.kind, 1)
        for part in parts
    )
    if size is not None and count != size:
        hint = f"a special hand has {size} tiles, the winning tile included"
        raise refused(f"the shape has {count} tiles", hint, length=len(text))
    names = [name for part in parts for name in part.names]
    letters = sorted(
        {name[-1] for name in names if name[-1] in "xyz" and (name.type == "TILES" or len(name) == 1)}
    )
    alternatives: dict[Alternative, None] = {}
    for suits in permutations("bcd", len(letters)):
        suit_of = dict(zip(letters, suits, strict=True))
        # where runs may begin, packed, and how many runs there are of each such kind
        runs = Counter(
            tuple(_runs(part.number, part.copies, _mask_of(part.names, suit_of) & SUITED))
            for part in parts
            if part.kind == "run"
        )
        places = prod(comb(len(ways) + count - 1, count) for ways, count in runs.items())
        if places > _MOST_PLACES:
            hint = f"{_MOST_PLACES} are the most; of three tiles write chow: 4 chows pair"
            raise refused(f"the runs of the shape can begin in {places} ways", hint, length=len(text))
        alternatives |= dict.fromkeys(_with_suits(parts, runs, suit_of))
    return tuple(alternatives)


def _with_suits(
    parts: list[ShapePart], runs: Counter[tuple[int, ...]], suit_of: Mapping[str, str]
) -> Iterator[Alternative]:
    """Give the alternatives of a shape whose letters stand for the suits *suit_of*: where its *runs* begin."""
    fixed = twins = 0
    sets: list[tuple[str, int]] = []
    for part in parts:
        if part.kind == "tiles":
            name = part.names[0]
            suit = suit_of.get(name[-1], name[-1])
            fixed += sum(WEIGHT[Tile.parse(value + suit)] for value in name[:-1])
        elif part.kind == "twin":
            twins += part.number
        elif part.kind != "run":
            sets += [(part.kind, _mask_of(part.names, suit_of))] * part.number
    for chosen in product(*(combinations_with_replacement(ways, count) for ways, count in runs.items())):
        packed = fixed + sum(chain(*chosen))
        yield Alternative(packed, sum(1 << kind for kind in _counts(packed)), twins, tuple(sets))


def _mask_of(names: tuple[Token, ...], suit_of: Mapping[str, str]) -> int:
    """Give the tiles that the names in brackets allow: of any of the suits, of all the classes."""
    mask, suits = ANY, 0
    for name in names:
        if name.type == "TILES":
            mask &= written_mask(name[:-1] + suit_of.get(name[-1], name[-1]))
        elif name in suit_of:
            suits |= written_mask(f"123456789{suit_of[name]}")
        else:
            mask &= CLASS_MASKS[name]
    return mask & (suits or ANY)


def _runs(length: int, copies: int, mask: int) -> Iterator[int]:
    """Give the packed runs of *length* tiles of the mask, each tile *copies* times."""
    for suit in range(3):
        for value in range(10 - length):
            first = 9 * suit + value
            if ((1 << length) - 1 << first) & ~mask == 0:
                yield copies * sum(WEIGHT[first + offset] for offset in range(length))


def can_be_made(alternative: Alternative) -> bool:
    """Tell whether there are tiles for it: four of each kind."""
    return _made_of(alternative) is not None


def example_of(alternatives: tuple[Alternative, ...]) -> tuple[Tile, ...]:
    """Give the tiles of a hand that has the shape, the lowest that there are, each set another where it can be."""
    packed = next(filter(None, (_made_of(one, True) or _made_of(one) for one in alternatives)), 0)
    return tuple(TILES[kind] for kind, count in _counts(packed).items() for _ in range(count))


def _made_of(alternative: Alternative, apart: bool = False) -> int | None:
    """Give the packed tiles of a hand of the shape, its sets all *apart* or not; None where there are no such tiles."""

    def made(counts: int, sets: list[tuple[str, int]], least: int) -> int | None:
        if any(count > _MOST_OF_A_KIND for count in _counts(counts).values()):
            return None
        if not sets:
            return counts
        (name, mask), *rest = sets
        for kind in range(least, KINDS):
            for tiles in _ways(name, kind, mask):
                weight = sum(WEIGHT[tile] for tile in tiles)
                following = kind + apart if rest and rest[0] == sets[0] else 0
                if (found := made(counts + weight, rest, following)) is not None:
                    return found
        return None

    # what has the fewest places comes first, so that it is not missed only when all else has found one
    sets = [*alternative.sets, *[("single", alternative.mask)] * alternative.twins]
    places = {one: sum(1 for kind in range(KINDS) for _ in _ways(one[0], kind, one[1])) for one in sets}
    return made(alternative.fixed, sorted(sets, key=lambda one: (places[one], one)), 0)


def _counts(packed: int) -> Counter[int]:
    """Tell how many of each kind there are, of those that there are."""
    return Counter({kind: count for kind in range(KINDS) if (count := packed >> BITS * kind & DIGIT)})


def match_shape(alternatives: tuple[Alternative, ...], packed: int) -> tuple[TileSet, ...] | None:
    """Give the parts into which *packed* falls by one of the alternatives, or None."""
    for alternative in alternatives:
        if _missing(packed, alternative.fixed):
            continue
        rest = _match(packed - alternative.fixed, alternative.twins, alternative.sets, alternative.mask)
        if rest is not None:
            return _merged(alternative.fixed, rest)
    return None


def may_wait(alternatives: tuple[Alternative, ...], held: int) -> bool:
    """Tell whether thirteen tiles can lack only one for one of the alternatives; a quick look, may be too kind."""
    for alternative in alternatives:
        if alternative.sets and not alternative.fixed:
            if any(kind != "pair" for kind, _ in alternative.sets) or (held & _ODD).bit_count() == 1:
                return True
        elif _missing(held, alternative.fixed) <= 1:
            return True
    return False


def _missing(packed: int, part: int) -> int:
    """Tell how many tiles of *part* are not in *packed*."""
    missing = 0
    while part:
        lowest = (part & -part).bit_length() - 1
        shift = lowest // BITS * BITS
        short = (part >> shift & DIGIT) - (packed >> shift & DIGIT)
        if short > 0:
            missing += short
        part &= ~(DIGIT << shift)
    return missing


def _match(
    packed: int, twins: int, sets: tuple[tuple[str, int], ...], twin_mask: int
) -> tuple[tuple[str, Tile], ...] | None:
    """Cover the packed tiles with twins and sets, the lowest tile first."""
    if not packed:
        return () if not twins and not sets else None
    parts = dict.fromkeys(sets)
    # parts of several kinds come to the same rest in many ways
    match = _remembered if len(parts) > 1 else _match
    kind = ((packed & -packed).bit_length() - 1) // BITS
    tile = TILES[kind]
    if twins and twin_mask >> kind & 1:
        rest = match(packed - WEIGHT[kind], twins - 1, sets, twin_mask)
        if rest is not None:
            return (("single", tile), *rest)
    for name, mask in parts:
        for tiles in _ways(name, kind, mask):
            weight = sum(WEIGHT[member] for member in tiles)
            if _missing(packed, weight):
                continue
            left = list(sets)
            left.remove((name, mask))
            rest = match(packed - weight, twins, tuple(left), twin_mask)
            if rest is not None:
                # what lies across suits is single tiles on a sheet
                shown = [(name, tile)] if name in SET_SIZES else [("single", TILES[one]) for one in tiles]
                return (*shown, *rest)
    return None


_remembered = lru_cache(maxsize=1 << 14)(_match)


def _ways(name: str, kind: int, mask: int) -> Iterator[tuple[int, ...]]:
    """Give the tiles of *mask* that a set may have whose lowest tile is of *kind*."""
    suit, value = divmod(kind, 9)
    if name in SET_SIZES and name != "chow":
        ways = [(kind,) * SET_SIZES[name]]
    elif suit > 2:
        return
    elif name == "chow":
        ways = [(kind, kind + 1, kind + 2)] if value <= 6 else []
    elif name == "knit":
        ways = [(kind, 9 * other + value) for other in range(suit + 1, 3)]
    elif suit > 0:
        return  # what takes a tile of each suit begins with one of the first
    elif name == "triple":
        ways = [(kind, kind + 9, kind + 18)]
    else:
        ways = [
            (kind, 9 + value + second, 18 + value + third)
            for second, third in ((1, 2), (2, 1), (-1, 1), (1, -1), (-2, -1), (-1, -2))
            if value + min(second, third) >= 0 and value + max(second, third) <= 8
        ]
    yield from (way for way in ways if all(mask >> tile & 1 for tile in way))


def _merged(fixed: int, rest: tuple[tuple[str, Tile], ...]) -> tuple[TileSet, ...]:
    """Show singles that have a twin as pairs, everything in the order of the tiles."""
    counts = _counts(fixed) + Counter(int(tile) for kind, tile in rest if kind == "single")
    sets = [TileSet(kind, tile, False) for kind, tile in rest if kind != "single"]
    names = {1: "single", 2: "pair", 3: "pung", 4: "kong"}
    sets += [TileSet(names[count], TILES[kind], False) for kind, count in counts.items()]
    return tuple(sorted(sets, key=lambda one: (one.tile, one.kind)))
