"""The faces of the 42 tiles, drawn: circles, bamboos, characters, winds, dragons, flowers, seasons.

A face is a piece of SVG in a box 56 wide and 80 high. As on the sets that were made for the West, each
has its value in the corner; the picture fills what is below.
"""

from __future__ import annotations

from functools import lru_cache

from mjscore.game.tiles import KINDS, TILE_NAMES

WIDTH, HEIGHT = 56, 80
_RED, _GREEN, _BLUE, _INK = "#b3261e", "#1f6b3a", "#1f4e9c", "#2b2b2b"
_PAPER = "#fffdf5"

# Where the dots or bamboos of each value lie, and the colour of each: r, g, b.
_CIRCLES: dict[int, tuple[tuple[int, int, str], ...]] = {
    2: ((28, 33, "g"), (28, 63, "b")),
    3: ((14, 32, "b"), (28, 48, "r"), (42, 64, "g")),
    4: ((16, 34, "b"), (40, 34, "g"), (16, 62, "g"), (40, 62, "b")),
    5: ((14, 31, "b"), (42, 31, "g"), (28, 48, "r"), (14, 65, "g"), (42, 65, "b")),
    6: ((18, 29, "g"), (38, 29, "g"), (18, 49, "r"), (38, 49, "r"), (18, 67, "r"), (38, 67, "r")),
    7: ((12, 26, "g"), (28, 32, "g"), (44, 38, "g"), (18, 53, "r"), (38, 53, "r"), (18, 69, "r"), (38, 69, "r")),
    8: tuple((across, down, "b") for down in (26, 41, 56, 71) for across in (18, 38)),
    9: tuple((across, down, colour) for down, colour in ((29, "g"), (48, "r"), (67, "b")) for across in (11, 28, 45)),
}  # fmt: skip
_BAMBOOS: dict[int, tuple[tuple[int, int, str], ...]] = {
    2: ((28, 33, "b"), (28, 62, "g")),
    3: ((28, 33, "b"), (16, 62, "g"), (40, 62, "g")),
    4: ((16, 33, "b"), (40, 33, "g"), (16, 62, "g"), (40, 62, "b")),
    5: ((13, 33, "g"), (43, 33, "b"), (28, 48, "r"), (13, 62, "b"), (43, 62, "g")),
    6: tuple((across, down, colour) for down, colour in ((33, "g"), (62, "b")) for across in (13, 28, 43)),
    7: ((28, 27, "r"), *((across, down, "gbg"[place]) for down in (48, 68) for place, across in enumerate((13, 28, 43)))),
    9: tuple((across, down, "rbg"[place]) for down in (28, 48, 68) for place, across in enumerate((13, 28, 43))),
}  # fmt: skip
_INKS = {"r": _RED, "g": _GREEN, "b": _BLUE}

# The strokes of the Chinese characters, each in the box that _written puts it into.
_NUMERALS = (
    "M10 20H50",
    "M16 12H44M10 28H50",
    "M14 9H46M17 19H43M10 30H50",
    "M13 9H47V31H13zM25 9V17Q25 24 17 25M35 9V19Q35 23 42 23",
    "M14 8H46M29 8L24 31M17 19H40V31M10 31H50",
    "M30 3V10M11 14H49M24 19L13 33M36 19L47 33",
    "M11 20L48 13M27 5V26Q27 31 32 31H45V25",
    "M24 10Q22 25 11 33M33 7Q38 24 50 33",
    "M13 15H36V26Q36 31 41 31H48V25M25 5Q25 24 11 33",
)
_MYRIAD = "M11 6H49M22 1V10M38 1V10M18 14H42V26H18zM18 20H42M30 14V35M12 42V30H48V38Q48 41 43 40M22 37L37 34M36 30L41 39"
_WINDS = (
    "M12 18H48M18 26H42V46H18zM18 36H42M30 8V74M28 47L11 66M32 47L50 66",
    "M13 17H47M30 8V26M14 74V26H46V68Q46 74 39 72M23 33L27 40M37 33L33 40M21 44H39M19 55H41M30 44V68",
    "M11 14H49M15 30H45V70H15zM25 14V40Q25 49 17 52M35 14V44Q35 49 43 49",
    "M23 10V68M11 31H23M9 63L23 53M36 10V60Q36 67 42 67H51V56M50 26L36 38",
)
_CENTRE = "M13 26H47V50H13zM30 8V76"
_PROSPER = (
    "M14 14H28Q24 26 11 35M17 21L24 28M35 9Q38 24 50 34M46 12L38 19M51 20L43 26"
    "M15 41H28V50H16V59H28V71Q28 75 21 73M36 40V48Q36 53 31 55M36 40H45V50H50M33 58H46Q43 69 32 75M35 62L50 75"
)


@lru_cache(maxsize=64)
def face(tile: int) -> str:
    """Draw the face of a tile as SVG shapes in a box of 56 by 80."""
    value, letter = TILE_NAMES[tile][0], TILE_NAMES[tile][1]
    return _corner(tile, value, letter) + _picture(tile, letter)


def _corner(tile: int, value: str, letter: str) -> str:
    """Draw the value in the corner, of honors and bonus tiles as they are typed.

    So the west wind (Ww) and the white dragon (Wd) differ, and flowers from seasons by more than colour.
    """
    colour = {"f": _GREEN, "s": _RED}.get(letter, _INK)
    kind = f'<tspan font-size="13">{letter}</tspan>' if tile >= 27 else ""
    return (
        f'<text x="4" y="18" font-family="Georgia,serif" font-size="19" font-weight="bold" fill="{colour}">'
        f"{value}{kind}</text>"
    )


def _picture(tile: int, letter: str) -> str:
    number = tile % 9 + 1
    if tile < 9:
        return _bamboos(number)
    if tile < 18:
        return _written(_NUMERALS[number - 1], _INK, 28, 16, 0.8) + _written(_MYRIAD, _RED, 28, 45, 0.74)
    if tile < 27:
        return _circles(number)
    if tile < 31:
        return _written(_WINDS[tile - 27], _INK, 28, 14, 0.84)
    if tile < KINDS:
        return (
            _written(_CENTRE, _RED, 28, 13, 0.84),
            _written(_PROSPER, _GREEN, 28, 14, 0.84),
            f'<path d="M9 25H47V73H9zM14 30H42V68H14z" fill="none" stroke="{_BLUE}" stroke-width="3"/>',
        )[tile - 31]
    return _FLOWERS[tile - KINDS]() if letter == "f" else _SEASONS[tile - KINDS - 4]()


def _written(strokes: str, colour: str, middle: int, top: int, scale: float) -> str:
    left = round(middle - 30 * scale, 1)
    return (
        f'<path transform="translate({left} {top}) scale({scale})" d="{strokes}" fill="none" stroke="{colour}" '
        'stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _circles(number: int) -> str:
    if number == 1:
        petals = "".join(
            f'<ellipse cx="28" cy="35" rx="4" ry="7" fill="{_GREEN}" transform="rotate({turn} 28 48)"/>'
            for turn in range(0, 360, 45)
        )
        return (
            f'<circle cx="28" cy="48" r="22" fill="{_PAPER}" stroke="{_BLUE}" stroke-width="4"/>{petals}'
            f'<circle cx="28" cy="48" r="7" fill="{_RED}"/><circle cx="28" cy="48" r="2.5" fill="{_PAPER}"/>'
        )
    size = 12 if number == 2 else 10 if number < 5 else 8.5 if number < 7 else 7.5 if number < 9 else 8
    return "".join(
        f'<circle cx="{across}" cy="{down}" r="{size - 1.5}" fill="{_PAPER}" stroke="{_INKS[colour]}" stroke-width="3"/>'
        f'<circle cx="{across}" cy="{down}" r="{round(size / 3, 1)}" fill="{_INKS[colour]}"/>'
        for across, down, colour in _CIRCLES[number]
    )


def _bamboos(number: int) -> str:
    if number == 1:
        return _bird()
    if number == 8:
        # two rows that lean on each other, as they are engraved
        upper = ((10, 33, 0), (22, 33, 35), (34, 33, -35), (46, 33, 0))
        lower = ((10, 62, 0), (22, 62, -35), (34, 62, 35), (46, 62, 0))
        return "".join(_bamboo(across, down, _GREEN, 24, turn) for across, down, turn in upper) + "".join(
            _bamboo(across, down, _BLUE, 24, turn) for across, down, turn in lower
        )
    length = 17 if number in (7, 9) else 25
    return "".join(_bamboo(across, down, _INKS[colour], length) for across, down, colour in _BAMBOOS[number])


def _bamboo(across: int, down: int, colour: str, length: int, turn: int = 0) -> str:
    half = length / 2
    turned = f' transform="rotate({turn} {across} {down})"' if turn else ""
    return (
        f'<g fill="{colour}"{turned}><rect x="{across - 2.5}" y="{down - half}" width="5" height="{length}" rx="2"/>'
        f'<rect x="{across - 4.5}" y="{down - half}" width="9" height="3.5" rx="1.5"/>'
        f'<rect x="{across - 4.5}" y="{down - 1.75}" width="9" height="3.5" rx="1.5"/>'
        f'<rect x="{across - 4.5}" y="{down + half - 3.5}" width="9" height="3.5" rx="1.5"/></g>'
    )


def _bird() -> str:
    """Draw the bird of the first bamboo."""
    return (
        f'<path d="M22 40Q14 56 8 76Q18 68 26 58zM27 44Q24 60 22 77Q31 66 34 54z" fill="{_GREEN}"/>'
        f'<path d="M20 40Q20 25 34 26Q45 28 42 42Q38 56 28 56Q20 52 20 40z" fill="{_BLUE}"/>'
        f'<path d="M24 41Q30 47 38 42Q34 54 28 53Q24 49 24 41z" fill="{_GREEN}"/>'
        f'<circle cx="38" cy="28" r="8" fill="{_RED}"/><circle cx="40" cy="26" r="2" fill="{_PAPER}"/>'
        f'<path d="M45 26L53 29L45 31z" fill="#c98a1b"/>'
        f'<path d="M36 19Q36 14 32 13M40 19Q42 14 40 11" fill="none" stroke="{_RED}" stroke-width="2"/>'
        f'<path d="M33 56L34 66M38 53L41 64M8 68H50" fill="none" stroke="{_INK}" stroke-width="2"/>'
    )


def _blossom(across: int, down: int, size: float, colour: str, petals: int = 5) -> str:
    turns = "".join(
        f'<ellipse cx="{across}" cy="{down - size}" rx="{round(size * 0.62, 1)}" ry="{size}" '
        f'transform="rotate({360 * turn // petals} {across} {down})"/>'
        for turn in range(petals)
    )
    return (
        f'<g fill="{colour}">{turns}</g>'
        f'<circle cx="{across}" cy="{down}" r="{round(size * 0.45, 1)}" fill="#e0b23c"/>'
    )


def _drawn(strokes: str, colour: str, width: int = 3) -> str:
    return (
        f'<path d="{strokes}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'
    )


def _plum() -> str:
    return (
        _drawn("M8 76Q20 66 24 52T46 24M25 50Q15 44 14 34M34 38Q44 40 50 48", _INK)
        + _blossom(14, 32, 5, _RED)
        + _blossom(42, 26, 5, _RED)
        + _blossom(46, 52, 5, _RED)
        + _blossom(26, 58, 4, _RED)
    )


def _orchid() -> str:
    return (
        _drawn("M26 76Q24 46 6 34M28 76Q28 44 34 24M30 76Q34 52 52 42M27 76Q16 60 5 58M30 76Q40 66 52 64", _GREEN)
        + _blossom(18, 44, 5, "#7b3fa0", 6)
        + _blossom(38, 36, 5, "#7b3fa0", 6)
    )  # fmt: skip


def _bamboo_grove() -> str:
    leaves = "".join(
        f'<path d="M{across} {down}q{reach} -2 {2 * reach} 8q-{reach} 0 -{2 * reach} -8z" fill="{_GREEN}"/>'.replace("--", "")
        for across, down, reach in ((20, 36, 8), (20, 52, -7), (38, 30, 7), (38, 46, -8), (38, 58, 7))
    )  # fmt: skip
    return (
        _drawn("M20 76V60M20 57V42M20 39V24M38 76V56M38 53V38M38 35V20", _GREEN, 4)
        + leaves
        + _drawn("M8 76H50", _INK, 2)
    )


def _chrysanthemum() -> str:
    return (
        _drawn("M28 50Q30 64 27 77", _GREEN)
        + f'<path d="M27 70Q12 70 10 58Q24 58 27 70zM28 66Q42 66 46 56Q32 54 28 66z" fill="{_GREEN}"/>'
        + _blossom(28, 38, 9, "#d99a1b", 14)
        + _blossom(28, 38, 5, "#e7b94a", 9)
    )


def _spring() -> str:
    return (
        f'<circle cx="41" cy="30" r="7" fill="#e0b23c"/>{_drawn("M41 18V20M41 40V42M29 30H31M51 30H53M33 22L34 23M48 37L49 38M33 38L34 37M48 23L49 22", "#e0b23c", 2)}'
        + _drawn("M26 76Q28 62 26 48", _GREEN)
        + f'<path d="M26 58Q8 60 7 42Q24 42 26 58zM27 64Q44 64 46 50Q30 48 27 64z" fill="{_GREEN}"/>'
        + _drawn("M10 76H46", _INK, 2)
    )


def _summer() -> str:
    petals = "".join(
        f'<ellipse cx="28" cy="40" rx="6" ry="15" fill="{colour}" transform="rotate({turn} 28 54)"/>'
        for turn, colour in ((-70, "#d9697a"), (70, "#d9697a"), (-38, "#c94a5e"), (38, "#c94a5e"), (0, _RED))
    )
    return petals + _drawn("M4 64Q10 60 16 64T28 64T40 64T52 64M8 72Q14 68 20 72T32 72T44 72", _BLUE)


def _autumn() -> str:
    return (
        f'<path d="M42 20A12 12 0 1 0 52 38A10 10 0 0 1 42 20z" fill="#e0b23c"/>'
        f'<path d="M24 34L29 46L42 44L35 53L42 64L30 61L24 73L19 61L6 63L14 53L8 43L20 46z" fill="{_RED}"/>'
        + _drawn("M24 42V78", "#7a2a14", 2)
    )


def _winter() -> str:
    arm = "M28 48V24M28 31L22 26M28 31L34 26M28 39L23 35M28 39L33 35"
    arms = "".join(
        f'<path d="{arm}" transform="rotate({turn} 28 48)" fill="none" stroke="{_BLUE}" stroke-width="2.5" stroke-linecap="round"/>'
        for turn in range(0, 360, 60)
    )
    return arms + f'<circle cx="28" cy="48" r="3" fill="{_BLUE}"/>'


_FLOWERS = (_plum, _orchid, _bamboo_grove, _chrysanthemum)
_SEASONS = (_spring, _summer, _autumn, _winter)
