"""The tiles: 34 kinds of four, and the eight bonus tiles.

A tile is a small whole number: bamboo 0-8, characters 9-17, dots 18-26, winds 27-30 (East, South,
West, North), dragons 31-33 (red, green, white), flowers 34-37, seasons 38-41. A collection of tiles
is *packed* into one integer with six bits a kind, so that counting a hand is one addition a group and
a fifth tile of a kind shows in a single mask.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

WINDS = "ESWN"
WIND_NAMES = {"E": "East", "S": "South", "W": "West", "N": "North"}
KINDS = 34  # the kinds of tile that make sets; the bonus tiles come after them
_SUITS = "bcd"
_SUIT_NAMES = ("bamboo", "characters", "dots")
_DRAGON_NAMES = ("red dragon", "green dragon", "white dragon")


class Tile(int):
    """One kind of tile. Compares and sorts as its number; prints in the notation (``7c``, ``Ew``, ``Rd``).

    >>> mjscore.Tile.parse("7c"), mjscore.Tile.parse("Wd").title
    (Tile('7c'), 'white dragon')
    """

    __slots__ = ()

    @staticmethod
    def parse(text: str) -> "Tile":
        """Return the tile written *text*, with its class letter. Raises KeyError for anything else."""
        return _BY_NAME[text]

    @property
    def value(self) -> str:
        """Return its value: ``1`` to ``9``, ``E S W N`` or ``R G W``."""
        return TILE_NAMES[self][0]

    @property
    def suit(self) -> str:
        """Return its letter: ``b c d`` for suits, ``w`` wind, ``d`` dragon, ``f`` flower, ``s`` season."""
        return TILE_NAMES[self][1]

    @property
    def title(self) -> str:
        """Return its name in words."""
        return TILE_TITLES[self]

    @property
    def is_bonus(self) -> bool:
        """Return whether it is a flower or a season."""
        return self >= KINDS

    def __str__(self) -> str:
        return TILE_NAMES[self]

    def __repr__(self) -> str:
        return f"Tile({TILE_NAMES[self]!r})"


TILE_NAMES: tuple[str, ...] = (
    *(f"{value}{suit}" for suit in _SUITS for value in range(1, 10)),
    *(f"{wind}w" for wind in WINDS),
    *(f"{dragon}d" for dragon in "RGW"),
    *(f"{number}{bonus}" for bonus in "fs" for number in range(1, 5)),
)
TILE_TITLES: tuple[str, ...] = (
    *(f"{value} {suit}" for suit in _SUIT_NAMES for value in range(1, 10)),
    *(f"{WIND_NAMES[wind]} wind" for wind in WINDS),
    *_DRAGON_NAMES,
    *(f"{bonus} {number}" for bonus in ("flower", "season") for number in range(1, 5)),
)
TILES: tuple[Tile, ...] = tuple(Tile(number) for number in range(42))
_BY_NAME = dict(zip(TILE_NAMES, TILES, strict=True))

# Where the Unicode block U+1F000-U+1F029 has each tile: winds, dragons (red, green, white),
# characters, bamboo, dots, then plum orchid bamboo chrysanthemum and the seasons.
UNICODE_TILES: dict[str, Tile] = {
    chr(0x1F000 + offset): tile
    for offset, tile in enumerate((*TILES[27:34], *TILES[9:18], *TILES[0:9], *TILES[18:27], *TILES[34:42]))
}
TILE_GLYPHS: tuple[str, ...] = tuple(
    glyph for glyph, _ in sorted(UNICODE_TILES.items(), key=lambda pair: pair[1])
)

BITS = 6
DIGIT = (1 << BITS) - 1
SUIT_BITS = 9 * BITS
SUIT_DIGITS = (1 << SUIT_BITS) - 1
WEIGHT: tuple[int, ...] = tuple(1 << (BITS * kind) for kind in range(42))
ONES = sum(WEIGHT[:KINDS])
_TOP_BITS = ONES << BITS - 1


def kinds_with(count: int, packed: int) -> list[int]:
    """Return the kinds of which *packed* has at least *count* tiles, in order."""
    # adding 32 - count to a digit carries into its top bit exactly where there are enough
    flags = packed + (32 - count) * ONES & _TOP_BITS
    kinds = []
    while flags:
        lowest = flags & -flags
        kinds.append((lowest.bit_length() - 1) // BITS)
        flags ^= lowest
    return kinds


def fours_in(packed: int) -> int:
    """Return the mask of the kinds of which *packed* has all four tiles."""
    return sum([1 << kind for kind in kinds_with(4, packed)])


def fifth_tile(packed: int) -> Tile | None:
    """Return the first kind of which *packed* has more than four tiles, or None."""
    kinds = kinds_with(5, packed)
    return TILES[kinds[0]] if kinds else None


def tiles_in(mask: int) -> tuple[Tile, ...]:
    """Return the tiles of a 34-bit mask in their order."""
    tiles = []
    while mask:
        lowest = mask & -mask
        tiles.append(TILES[lowest.bit_length() - 1])
        mask ^= lowest
    return tuple(tiles)


@lru_cache(maxsize=256)
def written_mask(text: str) -> int:
    """Return a 34-bit mask of the tiles in *text*, groups with letters (``23468b Gd``). Raises KeyError."""
    mask = 0
    for group in text.split() or [text]:
        for value in group[:-1] or group:
            tile = _BY_NAME[value + group[-1]]
            if tile >= KINDS:
                raise KeyError(str(tile))
            mask |= 1 << tile
    if not mask:
        raise KeyError(text)
    return mask


# masks of the classes of tiles that conditions and shapes name; Harr calls a one, nine or honor a head
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
ANY, HEADS, HONORS = (CLASS_MASKS[name] for name in ("any", "head", "honor"))
SUIT_MASKS = tuple(CLASS_MASKS[name] for name in _SUIT_NAMES)


def format_tiles(tiles: Iterable[int]) -> str:
    """Return the tiles in the notation, tiles of one class sharing its letter: ``123b 55c Ew``.

    Inverse of parsing up to order: tiles are sorted, winds and dragons keep their letter.
    """
    groups: list[tuple[str, str]] = []
    for tile in sorted(tiles):
        name = TILE_NAMES[tile]
        # dots and dragons share the letter d, but are never in one group
        family = "dragon" if 31 <= tile < 34 else name[1]
        if groups and groups[-1][0] == family:
            groups[-1] = (family, groups[-1][1][:-1] + name)
        else:
            groups.append((family, name))
    return " ".join(text for _, text in groups)


def grouped_tiles(tiles: Iterable[int]) -> str:
    """Return the tiles in the notation, grouped as a player holds them: ``22b 345c 999c 67d EE Sw``.

    Inverse of parsing up to order, like ``format_tiles``; within a class, sets, pairs and neighbours (67) are
    written apart, then the tiles that belong to none.
    """
    held = sorted(tiles)
    words = []
    for first, end in pairwise(_CLASS_STARTS):
        groups = _groups(tuple([tile for tile in held if first <= tile < end]))
        loose = [group[0] for group in groups if len(group) == 1]
        words += [format_tiles(group) for group in (*(one for one in groups if len(one) > 1), loose) if group]
    return " ".join(words)


@lru_cache(maxsize=1 << 10)
def _groups(held: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Group sorted tiles of a class: as many as possible in sets, the rest in pairs, neighbours or alone."""
    if not held:
        return ()
    first = held[0]
    alike = held.count(first)
    begun = [(first,) * number for number in range(1, alike + 1)]
    if first < _CLASS_STARTS[3]:
        begun += [(first, first + 1, first + 2), (first, first + 1)]
    ways = []
    for group in begun:
        rest = list(held)
        if all(tile in rest for tile in group):
            for tile in group:
                rest.remove(tile)
            ways.append((group, *_groups(tuple(rest))))
    return min(ways, key=_out_of_sets)


def _out_of_sets(groups: tuple[tuple[int, ...], ...]) -> tuple[int, int, int]:
    """Return the numbers that the best grouping minimizes: tiles outside of sets, single tiles, groups."""
    sizes = [len(group) for group in groups]
    return sum(size for size in sizes if size < 3), sizes.count(1), len(sizes)


_CLASS_STARTS = (0, 9, 18, 27, 31, KINDS)  # bamboo, characters, dots, winds, dragons
