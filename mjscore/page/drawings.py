"""A hand drawn as tiles in SVG: what lies on the table, what is held, face down where it lay so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from mjscore.game.hand import Hand
from mjscore.game.tiles import TILE_NAMES, TILE_TITLES, Tile
from mjscore.page.faces import HEIGHT as FACE_HEIGHT
from mjscore.page.faces import WIDTH as FACE_WIDTH
from mjscore.page.faces import face
from mjscore.page.tiles import Part, parts_of
from mjscore.scoring.sheet import ScoreSheet

_WIDTH, _HEIGHT, _GAP, _EDGE = 30, 40, 10, 3
_LINE = _HEIGHT + 14
_PAPER, _BACK, _CLOTH, _RIM = "#fffdf5", "#8a6a42", "#2e6b4f", "#6b6252"


def draw_faces() -> str:
    """Give definitions of all 42 faces, for a page whose hands are drawn by ``draw_parts``."""
    return f"<defs>{''.join(_defined(tile) for tile in range(len(TILE_NAMES)))}</defs>"


def draw_hand(shown: Hand | ScoreSheet, width: int = 600) -> str:
    """Draw the hand as one SVG of at most *width* units, thirty a tile, its faces in it.

    Sets on the table lie on a cloth, the sets held stand on racks; the winning tile comes last, beside the
    set that it completes, with ``+`` below it where it was drawn and ``<`` where it was claimed.
    """
    shapes, wide, high = tile_shapes(shown, width)
    return _drawing(shapes, wide, high, spoken_hand(shown), faces_used(shown))


def tile_shapes(shown: Hand | ScoreSheet, width: int) -> tuple[str, int, int]:
    """Draw the shapes of a hand that is *width* units wide at the most, and how wide and high they are."""
    rows = _rows(_parts(shown), width)
    return _shapes(rows)


def faces_used(shown: Hand | ScoreSheet) -> str:
    """Give definitions of the faces of a hand's tiles."""
    used = {tile for part in parts_of(shown) for tile, down in part.tiles if tile is not None and not down}
    return f"<defs>{''.join(_defined(tile) for tile in sorted(used))}</defs>"


def draw_parts(shown: Hand | ScoreSheet) -> list[str]:
    """Draw the hand as several SVGs that a page may put beside or below each other, each spoken in words.

    Their faces are those of ``draw_faces`` in the page.
    """
    return [_drawing(*_shapes([[part]]), _spoken(part), "") for part in _parts(shown)]


def draw_sets(sets: Iterable[Sequence[Tile]]) -> str:
    """Draw sets of tiles that somebody holds, as one SVG; their faces are those of ``draw_faces`` in the page."""
    parts = [Part(tuple((tile, False) for tile in tiles), "hand", "") for tiles in sets]
    return _drawing(*_shapes([parts]), "; ".join(map(_spoken, parts)), "")


def spoken_hand(shown: Hand | ScoreSheet) -> str:
    """Give the hand in words: ``on the table 2 dots 2 dots 2 dots; in hand …; won on 5 characters, drawn``."""
    return "; ".join(_spoken(part) for part in _parts(shown))


def _parts(shown: Hand | ScoreSheet) -> list[Part]:
    return [part for part in parts_of(shown) if part.tiles] or [Part(((None, True),), "hand", "")]


_SPOKEN = {
    "table": "on the table",
    "hand": "in hand",
    "unfinished": "in hand",
    "drawn": "won on",
    "claimed": "won on",
}
_SIGNS = {"drawn": "+", "claimed": "<"}


def _spoken(part: Part) -> str:
    tiles = ", ".join("face down" if down or tile is None else TILE_TITLES[tile] for tile, down in part.tiles)
    how = f", {part.place}" if part.place in _SIGNS else ""
    return f"{_SPOKEN[part.place]}: {tiles}{how}"


def _shapes(rows: list[list[Part]]) -> tuple[str, int, int]:
    shapes = []
    wide = 0
    for line, row in enumerate(rows):
        top = _EDGE + line * _LINE
        left = _EDGE
        for part in row:
            shapes.append(_ground(left, top, len(part.tiles), part.place in ("table", "claimed")))
            for tile, down in part.tiles:
                shapes.append(_tile(left, top, None if down else tile))
                left += _WIDTH
            if part.place in _SIGNS:
                shapes.append(
                    f'<text class="sign" x="{left - _WIDTH // 2 - 1}" y="{top + _HEIGHT + 12}" text-anchor="middle" '
                    'font-family="monospace" font-size="12" font-weight="bold" fill="currentColor">'
                    f"{escape(_SIGNS[part.place])}</text>"
                )
            left += _gap(part)
        wide = max(wide, left - _gap(row[-1]) + _EDGE)
    return "".join(shapes), wide, len(rows) * _LINE + _EDGE


def _gap(part: Part) -> int:
    """Tell what is left free after a part; the winning tile stands near the set that it completes."""
    return 4 if part.place == "unfinished" else _GAP


def _drawing(shapes: str, wide: int, high: int, title: str, faces: str) -> str:
    return (
        f'<svg viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img">'
        f"<title>{escape(title)}</title>{faces}{shapes}</svg>"
    )


def _rows(parts: list[Part], width: int) -> list[list[Part]]:
    """Set the parts in rows that fit; a part is broken only where it is wider than a row."""
    rows: list[list[Part]] = [[]]
    room = width - 2 * _EDGE
    for part in parts:
        # the winning tile is not parted from its set
        together = len(part.tiles) + (part.place == "unfinished")
        if rows[-1] and together * _WIDTH + _gap(part) - _GAP > room:
            rows.append([])
            room = width - 2 * _EDGE
        tiles = part.tiles
        while tiles:
            fitting = max(1, min(len(tiles), room // _WIDTH))
            rows[-1].append(part._replace(tiles=tiles[:fitting]))
            tiles = tiles[fitting:]
            room -= fitting * _WIDTH + _gap(part)
            if tiles:
                rows.append([])
                room = width - 2 * _EDGE
    return rows


def _ground(left: int, top: int, count: int, table: bool) -> str:
    """Draw the cloth under tiles on the table, the rack under those of the hand."""
    wide = count * _WIDTH - 2
    if table:
        return (
            f'<rect class="table" x="{left - 3}" y="{top - 3}" width="{wide + 6}" height="{_HEIGHT + 6}" rx="5" '
            f'fill="{_CLOTH}"/>'
        )
    return f'<rect class="rack" x="{left - 1}" y="{top + _HEIGHT - 1}" width="{wide + 2}" height="4" rx="1" fill="{_BACK}"/>'


def _tile(left: int, top: int, tile: Tile | None) -> str:
    fill = _BACK if tile is None else _PAPER
    body = f'<rect x="{left}" y="{top}" width="{_WIDTH - 2}" height="{_HEIGHT}" rx="4" fill="{fill}" stroke="{_RIM}"/>'
    if tile is None:
        return f'<g class="back">{body}</g>'
    return (
        f'<g class="tile"><title>{TILE_TITLES[tile]}</title>{body}'
        f'<use href="#face-{TILE_NAMES[tile]}" x="{left}" y="{top}" width="{_WIDTH - 2}" height="{_HEIGHT}"/></g>'
    )


def _defined(tile: int) -> str:
    return (
        f'<symbol id="face-{TILE_NAMES[tile]}" viewBox="0 0 {FACE_WIDTH} {FACE_HEIGHT}">{face(tile)}</symbol>'
    )
