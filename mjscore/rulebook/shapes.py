"""Special winning hands, whose shape is told by their tiles: thirteen orphans, seven twins, and others.

A shape is a line such as ``19b 19c 19d ESWNw RGWd twin`` or ``7 pairs(head)``: tiles written out
(``x y z`` stand for suits), twins (one more of the tiles written out), and sets of a class.
"""

from collections.abc import Mapping
from itertools import permutations
from typing import Any, NamedTuple

from lark import Token, Transformer
from lark.exceptions import UnexpectedInput

from mjscore.game.hand import SET_SIZES, TileSet
from mjscore.game.tiles import BITS, DIGIT, KINDS, SUITED, TILES, WEIGHT, Tile
from mjscore.notation.parsers import shape_parser
from mjscore.refusal import Refused, refuse

WHOLE_HAND = 14
_ODD = sum(WEIGHT[:KINDS])


class Alternative(NamedTuple):
    """A shape with its suits chosen: packed fixed tiles, their mask, twins, and sets by kind and class."""

    fixed: int
    mask: int
    twins: int
    sets: tuple[tuple[str, int], ...]


class _Part(NamedTuple):
    """A part of a shape as written: *kind* is ``tiles`` (those of *name*), ``twin``, or sets of the class *name*."""

    kind: str
    number: int = 1
    name: str = "any"


class _Parts(Transformer):  # type: ignore[type-arg]
    """What the grammar's rules are turned into."""

    def INTEGER(self, digits: Token) -> int:  # noqa: N802 - the terminal's name
        return int(digits)

    def shape(self, parts: list[_Part]) -> list[_Part]:
        return parts

    def tiles(self, written: list[Token]) -> _Part:
        return _Part("tiles", 1, str(written[0]))

    def twins(self, numbers: list[int]) -> _Part:
        return _Part("twin", numbers[0] if numbers else 1)

    def sets(self, children: list[Any]) -> _Part:
        number = children.pop(0) if isinstance(children[0], int) else 1
        kind, *names = map(str, children)
        return _Part(kind.rstrip("s"), number, *names)


def compile_shape(
    text: str, classes: Mapping[str, int], size: int | None = WHOLE_HAND
) -> tuple[Alternative, ...]:
    """The alternatives of the shape written *text*.

    Raises Refused where it is malformed or, with *size*, where it has another number of tiles.
    """

    def refused(
        message: str, hint: str, column: int = 1, length: int = 1, code: str = "bad-shape"
    ) -> Refused:
        return refuse(code, message, hint, 1, column, length, text)

    try:
        parts: list[_Part] = _Parts().transform(shape_parser().parse(text))
    except UnexpectedInput as unexpected:
        start = unexpected.pos_in_stream
        raise refused(
            "this is no shape of a hand",
            "a shape is like: 19b 19c 19d ESWNw RGWd twin, or 7 pairs(head)",
            (len(text) if start is None else start) + 1,
        ) from None
    written = [part.name for part in parts if part.kind == "tiles"]
    twins = sum(part.number for part in parts if part.kind == "twin")
    sets: list[tuple[str, int]] = []
    for part in parts:
        if part.kind in SET_SIZES:
            if part.name not in classes:
                message = f"there is no class of tiles {part.name!r}"
                raise refused(message, f"known: {', '.join(sorted(classes))}", code="unknown-name")
            sets += [(part.kind, classes[part.name])] * part.number
    count = sum(len(group) - 1 for group in written) + twins + sum(SET_SIZES[kind] for kind, _ in sets)
    if size is not None and count != size:
        raise refused(
            f"the shape has {count} tiles",
            f"a special hand has {size} tiles, the winning tile included",
            length=len(text),
        )
    letters = sorted({group[-1] for group in written if group[-1] in "xyz"})
    alternatives: dict[Alternative, None] = {}
    for suits in permutations("bcd", len(letters)):
        suit_of = dict(zip(letters, suits, strict=True))
        tiles = [
            Tile.parse(value + suit_of.get(group[-1], group[-1])) for group in written for value in group[:-1]
        ]
        fixed = sum(WEIGHT[tile] for tile in tiles)
        alternatives[Alternative(fixed, sum(1 << tile for tile in set(tiles)), twins, tuple(sets))] = None
    return tuple(alternatives)


def match_shape(alternatives: tuple[Alternative, ...], packed: int) -> tuple[TileSet, ...] | None:
    """The parts into which *packed* falls by one of the alternatives, or None."""
    for alternative in alternatives:
        if not _contains(packed, alternative.fixed):
            continue
        rest = _match(packed - alternative.fixed, alternative.twins, alternative.sets, alternative.mask)
        if rest is not None:
            return _merged(alternative.fixed, rest)
    return None


def may_wait(alternatives: tuple[Alternative, ...], held: int) -> bool:
    """Whether thirteen tiles can lack only one for one of the alternatives; a quick look, may be too kind."""
    for alternative in alternatives:
        if alternative.sets and not alternative.fixed:
            if any(kind != "pair" for kind, _ in alternative.sets) or (held & _ODD).bit_count() == 1:
                return True
        elif _missing(held, alternative.fixed) <= 1:
            return True
    return False


def _contains(packed: int, part: int) -> bool:
    return _missing(packed, part) == 0


def _missing(packed: int, part: int) -> int:
    """How many tiles of *part* are not in *packed*."""
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
) -> list[tuple[str, Tile]] | None:
    """Covers the packed tiles with twins and sets, the lowest tile first."""
    if not packed:
        return [] if not twins and not sets else None
    kind = ((packed & -packed).bit_length() - 1) // BITS
    count = packed >> BITS * kind & DIGIT
    tile = TILES[kind]
    if twins and twin_mask >> kind & 1:
        rest = _match(packed - WEIGHT[kind], twins - 1, sets, twin_mask)
        if rest is not None:
            return [("single", tile), *rest]
    for name, mask in dict.fromkeys(sets):
        if name == "chow":
            chow = 7 << kind
            if not SUITED >> kind & 1 or kind % 9 > 6 or chow & ~mask:
                continue
            weight = WEIGHT[kind] + WEIGHT[kind + 1] + WEIGHT[kind + 2]
            if not _contains(packed, weight):
                continue
        else:
            if count < SET_SIZES[name] or not mask >> kind & 1:
                continue
            weight = WEIGHT[kind] * SET_SIZES[name]
        left = list(sets)
        left.remove((name, mask))
        rest = _match(packed - weight, twins, tuple(left), twin_mask)
        if rest is not None:
            return [(name, tile), *rest]
    return None


def _merged(fixed: int, rest: list[tuple[str, Tile]]) -> tuple[TileSet, ...]:
    """Singles that have a twin shown as pairs, everything in the order of the tiles."""
    counts = {kind: fixed >> BITS * kind & DIGIT for kind in range(KINDS) if fixed >> BITS * kind & DIGIT}
    sets = [TileSet(kind, tile, False) for kind, tile in rest if kind != "single"]
    for kind, tile in rest:
        if kind == "single":
            counts[int(tile)] = counts.get(int(tile), 0) + 1
    names = {1: "single", 2: "pair", 3: "pung", 4: "kong"}
    sets += [TileSet(names[count], TILES[kind], False) for kind, count in counts.items()]
    return tuple(sorted(sets, key=lambda one: (one.tile, one.kind)))
