"""A hand drawn as tiles in SVG: what lies on the table, what is held, face down where it lay so.

Faces are plain: the value, and the sign of its class in the class's colour, so that they read at the
size of a phone and in print without colour.
"""

from __future__ import annotations

from html import escape

from mjscore.hand import Hand, format_hand
from mjscore.tiles import KINDS, TILE_NAMES, TILE_TITLES

_WIDTH, _HEIGHT, _GAP = 30, 42, 10
_COLOURS = {"b": "#2f7d32", "c": "#b3261e", "d": "#1f4e9c", "w": "#222222", "f": "#2f7d32", "s": "#b3261e"}
_DRAGONS = {"R": "#b3261e", "G": "#2f7d32", "W": "#1f4e9c"}

Placed = tuple[int | None, bool]  # a tile (None: not listed) and whether it lies face down


def draw_hand(hand: Hand, width: int = 600) -> str:
    """The hand as one SVG of at most *width* units: sets on the table, concealed tiles, bonus tiles, and
    the winning tile set apart at the end, a ring under it where it was claimed.
    """
    rows: list[list[list[Placed]]] = [[]]
    used = 0
    for group in _groups(hand):
        room = len(group) * _WIDTH + _GAP
        if rows[-1] and used + room > width:
            rows.append([])
            used = 0
        rows[-1].append(group)
        used += room
    shapes = []
    for line, row in enumerate(rows):
        left = 2
        for group in row:
            for tile, down in group:
                shapes.append(_tile(left, 4 + line * (_HEIGHT + 12), tile, down))
                left += _WIDTH
            left += _GAP
    if hand.win is not None:
        place = left - _GAP - _WIDTH // 2
        bottom = 4 + (len(rows) - 1) * (_HEIGHT + 12) + _HEIGHT + 4
        fill = "currentColor" if hand.win.drawn else "none"
        shapes.append(f'<circle cx="{place}" cy="{bottom}" r="2" fill="{fill}" stroke="currentColor"/>')
    height = len(rows) * (_HEIGHT + 12) + 4
    wide = max(sum(len(group) * _WIDTH + _GAP for group in row) for row in rows)
    return (
        f'<svg viewBox="0 0 {wide} {height}" width="{wide}" height="{height}" role="img">'
        f"<title>{escape(format_hand(hand))}</title>{''.join(shapes)}</svg>"
    )


def _groups(hand: Hand) -> list[list[Placed]]:
    # a declared concealed four lies with one tile face down (Babcock p. 18)
    groups: list[list[Placed]] = [
        [(tile, one.origin == "declared" and place == 0) for place, tile in enumerate(one.tiles)]
        for one in hand.sets
    ]
    if hand.concealed:
        groups.append([(tile, False) for tile in hand.concealed])
    if hand.unlisted:
        groups.append([(None, True)] * max(1, -hand.tiles_over))
    if hand.bonus:
        groups.append([(tile, False) for tile in hand.bonus])
    if hand.win is not None:
        groups.append([(hand.win.tile, False)])
    return groups or [[(None, True)]]


def _tile(left: int, top: int, tile: int | None, down: bool) -> str:
    body = (
        f'<rect x="{left}" y="{top}" width="{_WIDTH - 2}" height="{_HEIGHT}" rx="4" '
        f'fill="{"#7a5c3a" if down or tile is None else "#fffdf5"}" stroke="#6b6252"/>'
    )
    if down or tile is None:
        return body
    value, letter = TILE_NAMES[tile][0], TILE_NAMES[tile][1]
    middle = left + (_WIDTH - 2) // 2
    colour = _DRAGONS[value] if 31 <= tile < KINDS else _COLOURS[letter]
    return (
        f'<g class="tile"><title>{TILE_TITLES[tile]}</title>{body}'
        f'<text x="{middle}" y="{top + 20}" font-family="serif" font-size="18" font-weight="bold" '
        f'text-anchor="middle" fill="{colour}">{value}</text>{_sign(middle, top + 31, tile, colour)}</g>'
    )


def _sign(x: int, y: int, tile: int, colour: str) -> str:
    """The sign of a tile's class: sticks, a character's strokes, a dot, a compass, a frame, a flower."""
    if tile < 9:
        return "".join(
            f'<rect x="{x + step}" y="{y - 6}" width="2" height="12" rx="1" fill="{colour}"/>'
            for step in (-5, -1, 3)
        )
    if tile < 18:
        return f'<path d="M{x - 6} {y - 4}h12M{x - 4} {y}h8M{x} {y - 6}v12M{x - 6} {y + 5}h12" stroke="{colour}" stroke-width="2" fill="none"/>'
    if tile < 27:
        return f'<circle cx="{x}" cy="{y}" r="6" fill="none" stroke="{colour}" stroke-width="2"/><circle cx="{x}" cy="{y}" r="2" fill="{colour}"/>'
    if tile < 31:
        return f'<path d="M{x} {y - 7}l3 7l-3 7l-3 -7z" fill="{colour}"/><path d="M{x - 7} {y}h14" stroke="{colour}"/>'
    if tile < KINDS:
        fill = "none" if tile == 33 else colour
        return f'<rect x="{x - 7}" y="{y - 5}" width="14" height="10" rx="2" fill="{fill}" stroke="{colour}" stroke-width="2"/>'
    petals = "".join(
        f'<circle cx="{x + across}" cy="{y + down}" r="3" fill="{colour}"/>'
        for across, down in ((-4, 0), (4, 0), (0, -4), (0, 4))
    )
    return petals + f'<circle cx="{x}" cy="{y}" r="2" fill="#fffdf5"/>'
