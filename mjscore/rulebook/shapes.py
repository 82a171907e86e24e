"""Special winning hands, whose shape is told by their tiles: thirteen orphans, seven twins, and others.

A shape is a line such as ``19b 19c 19d ESWNw RGWd twin`` or ``7 pairs(head)``: tiles written out
(``x y z`` stand for suits), twins (one more of the tiles written out), and sets of a class.
"""

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any, NamedTuple

from mjscore.game.hand import SET_SIZES, TileSet
from mjscore.game.tiles import BITS, DIGIT, KINDS, SUITED, TILES, WEIGHT, Tile
from mjscore.refusal import refuse

WHOLE_HAND = 14
_ODD = sum(WEIGHT[:KINDS])


class Alternative(NamedTuple):
    """A shape with its suits chosen: packed fixed tiles, their mask, twins, and sets by kind and class."""

    fixed: int
    mask: int
    twins: int
    sets: tuple[tuple[str, int], ...]


def compile_shape(
    text: str, classes: Mapping[str, int], size: int | None = WHOLE_HAND
) -> tuple[Alternative, ...]:
    """The alternatives of the shape written *text*.

    Raises Refused where it is malformed or, with *size*, where it has another number of tiles.
    """
    from lark.exceptions import UnexpectedInput

    from mjscore.notation.parsers import shape_parser

    try:
        tree: Any = shape_parser().parse(text)
    except UnexpectedInput as unexpected:
        column = unexpected.pos_in_stream
        raise refuse(
            "bad-shape",
            "this is no shape of a hand",
            "a shape is like: 19b 19c 19d ESWNw RGWd twin, or 7 pairs(head)",
            1,
            (len(text) if column is None else column) + 1,
            1,
            text,
        ) from None
    written: list[str] = []
    twins = 0
    sets: list[tuple[str, int]] = []
    for part in tree.children:
        if part.data == "tiles":
            written.append(str(part.children[0]))
        elif part.data == "twins":
            twins += int(part.children[0]) if part.children else 1
        else:
            sets += _sets_of(part.children, classes)
    letters = sorted({group[-1] for group in written if group[-1] in "xyz"})
    found: dict[Alternative, None] = {}
    for suits in permutations("bcd", len(letters)):
        chosen = dict(zip(letters, suits, strict=True))
        fixed = mask = 0
        for group in written:
            letter = chosen.get(group[-1], group[-1])
            for value in group[:-1]:
                tile = Tile.parse(value + letter)
                fixed += WEIGHT[tile]
                mask |= 1 << tile
        found[Alternative(fixed, mask, twins, tuple(sets))] = None
    count = sum(len(group) - 1 for group in written) + twins + sum(SET_SIZES[kind] for kind, _ in sets)
    if size is not None and count != size:
        raise refuse(
            "bad-shape",
            f"the shape has {count} tiles",
            f"a special hand has {size} tiles, the winning tile included",
            1,
            1,
            len(text),
            text,
        )
    return tuple(found)


def _sets_of(children: list[Any], classes: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    number, kind, name = 1, "", "any"
    for token in children:
        if token.type == "INTEGER":
            number = int(token)
        elif token.type == "KIND":
            kind = str(token).rstrip("s")
        else:
            name = str(token)
    if name not in classes:
        raise refuse(
            "unknown-name",
            f"there is no class of tiles {name!r}",
            f"known: {', '.join(sorted(classes))}",
            1,
            1,
        )
    for _ in range(number):
        yield kind, classes[name]


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
