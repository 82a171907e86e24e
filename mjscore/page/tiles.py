"""Tiles in the terminal: the notation everywhere, faces where the terminal can show them.

The style is chosen by an option or by the environment variable ``MJSCORE_TILES``: ``plain`` is the
notation, ``unicode`` the faces of the Unicode block, ``boxed`` little drawn tiles. ``auto``, the default,
is ``plain`` unless the output is a terminal that takes UTF-8, and then ``boxed``, which every font shows.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence

from mjscore.game.hand import Hand, TileSet, format_hand
from mjscore.game.tiles import TILE_GLYPHS, TILE_NAMES, Tile
from mjscore.scoring.sheet import ScoreSheet

STYLES = ("auto", "plain", "unicode", "boxed")
_BACK = "🀫"


def chosen_style(style: str | None) -> str:
    """The style to show tiles in, where the option or the environment leave it open."""
    wanted = style or os.environ.get("MJSCORE_TILES", "auto")
    if wanted in STYLES and wanted != "auto":
        return wanted
    encoding = (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "")
    return "boxed" if sys.stdout.isatty() and encoding == "utf8" else "plain"


def render_tiles(shown: Hand | ScoreSheet, style: str | None = None, width: int = 98) -> str:
    """A hand's tiles in lines of at most *width* columns: sets on the table first, then those held.

    A score sheet shows the sets that it was counted in.
    """
    hand = shown.hand if isinstance(shown, ScoreSheet) else shown
    if hand is None:
        return ""
    chosen = chosen_style(style)
    notation = format_hand(hand._replace(seat=None, round=None))
    if chosen == "plain":
        return "\n".join(_wrapped(notation.split(" "), width))
    groups = _groups(hand)
    if chosen == "unicode":
        words = ["".join(f"{_glyph(tile, down)} " for tile, down in group).rstrip() for group in groups]
        return "\n".join([*_wrapped(words, width, "   "), *_wrapped(notation.split(" "), width)])
    return "\n".join([*_boxed(groups, width), *_wrapped(notation.split(" "), width)])


Shown = tuple[Tile | None, bool]  # a tile (None: not listed) and whether it lies face down


def set_shown(tile_set: TileSet) -> tuple[Shown, ...]:
    """A set as it lies on the table: a declared concealed four with one tile face down (Babcock p. 18)."""
    declared = tile_set.origin == "declared"
    return tuple((tile, declared and index == 0) for index, tile in enumerate(tile_set.tiles))


def tiles_shown(tiles: Iterable[Tile]) -> tuple[Shown, ...]:
    """Tiles that all lie face up."""
    return tuple((tile, False) for tile in tiles)


def unlisted_shown(hand: Hand) -> tuple[Shown, ...]:
    """The tiles that a hand does not list, face down; at least one where it has ``...``."""
    return ((None, True),) * max(1, -hand.tiles_over) if hand.unlisted else ()


def _groups(hand: Hand) -> list[tuple[Shown, ...]]:
    groups = [set_shown(tile_set) for tile_set in hand.sets]
    groups += [tiles_shown(hand.concealed), unlisted_shown(hand), tiles_shown(hand.bonus)]
    if hand.win is not None:
        groups.append(tiles_shown((hand.win.tile,)))
    return [group for group in groups if group]


def _glyph(tile: Tile | None, down: bool) -> str:
    return _BACK if down or tile is None else TILE_GLYPHS[tile]


def _wrapped(words: Sequence[str], width: int, gap: str = " ") -> list[str]:
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(gap) + len(word) <= width:
            lines[-1] += gap + word
        else:
            lines.append(word)
    return lines


def _boxed(groups: Sequence[tuple[Shown, ...]], width: int) -> list[str]:
    """Drawn tiles, three lines a row; a group that does not fit goes on in the next row."""
    rows: list[list[tuple[Shown, ...]]] = [[]]
    used = 0
    for group in groups:
        room = 3 * len(group) + 2
        if rows[-1] and used + room > width:
            rows.append([])
            used = 0
        rows[-1].append(group)
        used += room + 1
    lines: list[str] = []
    for row in rows:
        tops, middles, bottoms = [], [], []
        for group in row:
            faces = ["▒▒" if down or tile is None else TILE_NAMES[tile] for tile, down in group]
            tops.append("┌" + "┬".join(["──"] * len(faces)) + "┐")
            middles.append("│" + "│".join(faces) + "│")
            bottoms.append("└" + "┴".join(["──"] * len(faces)) + "┘")
        lines += [" ".join(tops), " ".join(middles), " ".join(bottoms)]
    return lines
