"""A hand drawn as tiles in SVG: what lies on the table, what is held, face down where it lay so.

The faces of the tiles are the drawings of ``faces.svg``, in the order of the tiles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib import resources

from mjscore.game.hand import Hand
from mjscore.game.tiles import TILE_NAMES, TILE_TITLES, Tile
from mjscore.page.tile_styles import SIGNS, Part, parts_of, rows_of
from mjscore.scoring.sheet import ScoreSheet

_WIDTH, _HEIGHT, _GAP, _EDGE = 30, 40, 10, 3
_NEAR = 4  # what is left free between the winning tile and the set that it completes
_LINE = _HEIGHT + 14
_PAPER, _BACK, _CLOTH, _RIM = "#fffdf5", "#8a6a42", "#2e6b4f", "#6b6252"


@cache
def _symbols() -> list[str]:
    """Give the definition of each face."""
    text = (resources.files("mjscore.page") / "faces.svg").read_text(encoding="utf-8")
    shapes = [part.partition("</symbol>")[0] for part in re.sub(r"\n *", "", text).split("<symbol")[1:]]
    return [f"<symbol{shape}</symbol>" for shape in shapes]


def face(tile: int) -> str:
    """Give the face of a tile as SVG shapes in a box of 56 by 80."""
    return _symbols()[tile].partition(">")[2].removesuffix("</symbol>")


def draw_faces() -> str:
    """Give definitions of all 42 faces, for a page whose hands are drawn by ``draw_parts``."""
    return f"<defs>{''.join(_symbols())}</defs>"


def faces_used(shown: Hand | ScoreSheet) -> str:
    """Give definitions of the faces of a hand's tiles."""
    used = {tile for part in parts_of(shown) for tile in part.tiles if tile is not None}
    return f"<defs>{''.join(_symbols()[tile] for tile in sorted(used))}</defs>"


def draw_hand(shown: Hand | ScoreSheet, width: int = 600) -> str:
    """Draw the hand as one SVG of at most *width* units, thirty a tile, its faces in it.

    Sets on the table lie on a cloth, the sets held stand on racks; the winning tile comes last, beside the
    set that it completes, with ``+`` below it where it was drawn and ``<`` where it was claimed.
    """
    return _drawing(tile_shapes(shown, width), spoken_hand(shown), faces_used(shown))


def tile_shapes(shown: Hand | ScoreSheet, width: int) -> tuple[str, int, int]:
    """Draw the shapes of a hand that is *width* units wide at the most, and how wide and high they are."""
    return _shapes(rows_of(_parts(shown), width - 2 * _EDGE, _WIDTH, _GAP, _NEAR))


def draw_parts(shown: Hand | ScoreSheet) -> list[str]:
    """Draw the hand as several SVGs that a page may put beside or below each other, each spoken in words.

    Their faces are those of ``draw_faces`` in the page.
    """
    return [_drawing(_shapes([[part]]), _spoken(part)) for part in _parts(shown)]


def draw_sets(sets: Iterable[Sequence[Tile]]) -> str:
    """Draw sets of tiles that somebody holds, as one SVG; their faces are those of ``draw_faces`` in the page."""
    parts = [Part(tuple(tiles), "hand", "") for tiles in sets]
    return _drawing(_shapes([parts]), "; ".join(map(_spoken, parts)))


def spoken_hand(shown: Hand | ScoreSheet) -> str:
    """Give the hand in words: ``on the table 2 dots 2 dots 2 dots; in hand …; won on 5 characters, drawn``."""
    return "; ".join(map(_spoken, _parts(shown)))


def _parts(shown: Hand | ScoreSheet) -> list[Part]:
    return [part for part in parts_of(shown) if part.tiles] or [Part((None,), "hand", "")]


def _spoken(part: Part) -> str:
    tiles = ", ".join("face down" if tile is None else TILE_TITLES[tile] for tile in part.tiles)
    if part.place in SIGNS:
        return f"won on: {tiles}, {part.place}"
    return f"{'on the table' if part.place == 'table' else 'in hand'}: {tiles}"


def _drawing(drawn: tuple[str, int, int], title: str, faces: str = "") -> str:
    shapes, wide, high = drawn
    return (
        f'<svg viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img">'
        f"<title>{escape(title)}</title>{faces}{shapes}</svg>"
    )


def _shapes(rows: Sequence[Sequence[Part]]) -> tuple[str, int, int]:
    """Draw rows of parts: cloth under what lies on the table, racks under what is held."""
    shapes = []
    wide = 0
    for line, row in enumerate(rows):
        top = _EDGE + line * _LINE
        left = _EDGE
        for part in row:
            across = len(part.tiles) * _WIDTH - 2
            if part.place in ("table", "claimed"):
                shapes.append(
                    f'<rect class="table" x="{left - 3}" y="{top - 3}" width="{across + 6}" height="{_HEIGHT + 6}" rx="5" '
                    f'fill="{_CLOTH}"/>'
                )
            else:
                shapes.append(
                    f'<rect class="rack" x="{left - 1}" y="{top + _HEIGHT - 1}" width="{across + 2}" height="4" rx="1" '
                    f'fill="{_BACK}"/>'
                )
            shapes += [_tile(left + number * _WIDTH, top, tile) for number, tile in enumerate(part.tiles)]
            left += across + 2
            if part.place in SIGNS:
                shapes.append(
                    f'<text class="sign" x="{left - _WIDTH // 2 - 1}" y="{top + _HEIGHT + 12}" text-anchor="middle" '
                    'font-family="monospace" font-size="12" font-weight="bold" fill="currentColor">'
                    f"{escape(SIGNS[part.place])}</text>"
                )
            wide = max(wide, left + _EDGE)
            left += _NEAR if part.place == "unfinished" else _GAP
    return "".join(shapes), wide, len(rows) * _LINE + _EDGE


def _tile(left: int, top: int, tile: Tile | None) -> str:
    fill = _BACK if tile is None else _PAPER
    body = f'<rect x="{left}" y="{top}" width="{_WIDTH - 2}" height="{_HEIGHT}" rx="4" fill="{fill}" stroke="{_RIM}"/>'
    if tile is None:
        return f'<g class="back">{body}</g>'
    return (
        f'<g class="tile"><title>{TILE_TITLES[tile]}</title>{body}'
        f'<use href="#face-{TILE_NAMES[tile]}" x="{left}" y="{top}" width="{_WIDTH - 2}" height="{_HEIGHT}"/></g>'
    )
