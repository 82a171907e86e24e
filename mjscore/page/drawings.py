"""A hand drawn as tiles in SVG: what lies on the table, what is held, face down where it lay so."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import NamedTuple

from mjscore.game.hand import Hand, format_hand
from mjscore.game.tiles import TILE_NAMES, TILE_TITLES, Tile
from mjscore.page.faces import HEIGHT as FACE_HEIGHT
from mjscore.page.faces import WIDTH as FACE_WIDTH
from mjscore.page.faces import face
from mjscore.page.tiles import Shown, set_shown, tiles_shown, unlisted_shown

_WIDTH, _HEIGHT, _GAP, _EDGE = 30, 40, 10, 3
_LINE = _HEIGHT + 14
_PAPER, _BACK, _CLOTH, _RIM = "#fffdf5", "#8a6a42", "#2e6b4f", "#6b6252"


class _Group(NamedTuple):
    """Tiles beside each other; *table* where they lie on it, else they stand in the player's hand.

    *won* is ``+`` or ``<`` for the winning tile, drawn or claimed.
    """

    tiles: tuple[Shown, ...]
    table: bool
    won: str = ""


def draw_faces() -> str:
    """Definitions of all 42 faces, for a page whose hands are drawn by ``draw_parts``."""
    return f"<defs>{''.join(_defined(tile) for tile in range(len(TILE_NAMES)))}</defs>"


def draw_hand(hand: Hand, width: int = 600) -> str:
    """The hand as one SVG of at most *width* units, thirty a tile, its faces in it.

    Sets on the table lie on a cloth, concealed tiles stand on a rack, the winning tile is set apart at the
    end with a dot under it where it was drawn, a ring where it was claimed.
    """
    rows = _rows(_groups(hand), width)
    used = {
        tile for row in rows for group in row for tile, down in group.tiles if tile is not None and not down
    }
    faces = f"<defs>{''.join(_defined(tile) for tile in sorted(used))}</defs>"
    return _drawing(rows, format_hand(hand), faces)


def draw_parts(hand: Hand) -> list[str]:
    """The hand as several SVGs that a page may put beside or below each other: each set, the concealed
    tiles by suit, the bonus tiles, the winning tile. The faces are those of ``draw_faces`` in the page.
    """
    parts: list[_Group] = []
    for group in _groups(hand):
        if group.table or group.won:
            parts.append(group)
            continue
        for _, tiles in groupby(group.tiles, key=_suit):
            parts.append(group._replace(tiles=tuple(tiles)))
    return [_drawing([[part]], _spoken(part), "") for part in parts]


def _suit(shown: Shown) -> int:
    tile = shown[0]
    return -1 if tile is None else min(tile // 9, 3)


def _spoken(group: _Group) -> str:
    return " ".join("face down" if down or tile is None else TILE_TITLES[tile] for tile, down in group.tiles)


def _drawing(rows: list[list[_Group]], title: str, faces: str) -> str:
    shapes = []
    wide = 0
    for line, row in enumerate(rows):
        top = _EDGE + line * _LINE
        left = _EDGE
        for group in row:
            shapes.append(_ground(left, top, len(group.tiles), group.table))
            for tile, down in group.tiles:
                shapes.append(_tile(left, top, None if down else tile))
                left += _WIDTH
            if group.won:
                fill = "currentColor" if group.won == "+" else "none"
                shapes.append(
                    f'<circle cx="{left - _WIDTH // 2 - 1}" cy="{top + _HEIGHT + 8}" r="2.5" fill="{fill}" '
                    'stroke="currentColor"/>'
                )
            left += _GAP
        wide = max(wide, left - _GAP + _EDGE)
    height = len(rows) * _LINE + _EDGE
    return (
        f'<svg viewBox="0 0 {wide} {height}" width="{wide}" height="{height}" role="img">'
        f"<title>{escape(title)}</title>{faces}{''.join(shapes)}</svg>"
    )


def _rows(groups: list[_Group], width: int) -> list[list[_Group]]:
    """The groups in rows that fit; only tiles of the hand are parted, a set is not."""
    rows: list[list[_Group]] = [[]]
    room = width - 2 * _EDGE
    for group in groups:
        tiles = group.tiles
        while tiles:
            fitting = len(tiles)
            if fitting * _WIDTH > room:
                # a row of the hand is broken where there is room for some of it
                fitting = room // _WIDTH if not group.table and room >= 4 * _WIDTH else 0
            if not fitting and rows[-1]:
                rows.append([])
                room = width - 2 * _EDGE
                continue
            fitting = fitting or max(1, room // _WIDTH)
            rows[-1].append(group._replace(tiles=tiles[:fitting]))
            tiles = tiles[fitting:]
            room -= fitting * _WIDTH + _GAP
    return rows


def _groups(hand: Hand) -> list[_Group]:
    groups = [_Group(set_shown(tile_set), True) for tile_set in hand.sets]
    if hand.bonus:
        groups.append(_Group(tiles_shown(hand.bonus), True))
    held = tiles_shown(hand.concealed) + unlisted_shown(hand)
    if held:
        groups.append(_Group(held, False))
    if hand.win is not None:
        win = tiles_shown((hand.win.tile,))
        groups.append(_Group(win, not hand.win.drawn, "+" if hand.win.drawn else "<"))
    return groups or [_Group(((None, True),), False)]


def _ground(left: int, top: int, count: int, table: bool) -> str:
    """The cloth under tiles on the table, the rack under those of the hand."""
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
