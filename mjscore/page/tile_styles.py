"""Tiles in the terminal: the notation always, and faces if the terminal can show them.

The style is chosen by an option or by the environment variable ``MJSCORE_TILES``: ``plain`` is the notation,
``unicode`` uses the faces of the Unicode block, ``boxed`` draws small tiles. ``auto``, the default, is ``boxed``,
which every font can show, if the output is a terminal that takes UTF-8, and otherwise ``plain``.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from textwrap import TextWrapper
from typing import NamedTuple

from mjscore.game.hand import SET_SIZES, Hand, TileSet, format_win
from mjscore.game.tiles import TILE_GLYPHS, TILE_NAMES, Tile, format_tiles
from mjscore.page.text import NOBODY
from mjscore.scoring.sheet import ScoreSheet

STYLES = ("auto", "plain", "unicode", "boxed")
_BACK = "🀫"
SIGNS = {"drawn": "+", "claimed": "<"}  # signs before the winning tile


def chosen_style(style: str | None) -> str:
    """Return the style for showing tiles, choosing one if neither option nor environment does."""
    wanted = style or os.environ.get("MJSCORE_TILES", "auto")
    if wanted in STYLES and wanted != "auto":
        return wanted
    encoding = (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "")
    return "boxed" if sys.stdout.isatty() and encoding == "utf8" else "plain"


def render_tiles(
    shown: Hand | ScoreSheet, style: str | None = None, width: int = 98, names: Mapping[str, str] = NOBODY
) -> str:
    """Return a hand's tiles as text in *width* columns, those on the table first; for a score sheet, in sets.

    The notation is always below, with players called by *names*.
    """
    chosen = chosen_style(style)
    parts = parts_of(shown, names)
    drawn = [part for part in parts if part.tiles]
    by_words = TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    lines = by_words.wrap(" ".join(part.text for part in parts))
    if chosen == "unicode":
        # a group is not broken
        glyphs = [
            SIGNS.get(part.place, "")
            + "\xa0".join(_BACK if tile is None else TILE_GLYPHS[tile] for tile in part.tiles)
            for part in drawn
        ]
        lines = [line.replace("\xa0", " ") for line in by_words.wrap("   ".join(glyphs))] + lines
    elif chosen == "boxed":
        # a group is wider than its tiles by a frame and a space
        rows = rows_of(drawn, width - 1, 3, 2, 2)
        lines = [line for row in rows for line in _boxed(row)] + lines
    return "\n".join(lines)


class TileGroup(NamedTuple):
    """Tiles that belong together (None for one face down), and the notation for them.

    *place* is ``table``, ``hand``, ``unfinished`` (the set that the winning tile completes), ``drawn`` or ``claimed``
    (the winning tile), or ``remark`` (a flag).
    """

    tiles: tuple[Tile | None, ...]
    place: str
    text: str


def parts_of(shown: Hand | ScoreSheet, names: Mapping[str, str] = NOBODY) -> list[TileGroup]:
    """Return the parts of a hand in the order of display; their notation together parses to the same hand.

    *names* are the players by wind. For a score sheet, parts are the sets scored, the one completed by the winning
    tile last.
    """
    hand = shown.hand if isinstance(shown, ScoreSheet) else shown
    if hand is None:
        return []
    parts = []
    for tile_set in hand.sets:
        # a declared concealed kong has one tile face down (Babcock p. 18)
        first = None if tile_set.origin == "declared" else tile_set.tiles[0]
        parts.append(TileGroup((first, *tile_set.tiles[1:]), "table", tile_set.notation()))
    if hand.bonus:
        parts.append(_part(hand.bonus, "table"))
    scored = shown.sets[len(hand.sets) :] if isinstance(shown, ScoreSheet) and not shown.dead else ()
    parts += _held(hand, scored)
    if hand.unlisted:
        parts.append(TileGroup((None,) * max(1, -hand.tiles_over), "hand", "..."))
    win = hand.win
    if win is not None:
        players = ("discarder", "earlier", "all_from")
        win = win._replace(**{who: names.get(getattr(win, who) or "", getattr(win, who)) for who in players})
        parts.append(TileGroup((win.tile,), "drawn" if win.drawn else "claimed", format_win(win)))
    flags = {"dead": hand.dead, "nochoice": hand.no_choice}
    return parts + [TileGroup((), "remark", f"!{flag}") for flag, is_set in flags.items() if is_set]


def _held(hand: Hand, scored: Sequence[TileSet]) -> Iterator[TileGroup]:
    """Yield the concealed tiles: scored sets, other tiles, and the set that the winning tile completes."""
    if any(tile_set.kind == "single" for tile_set in scored):
        scored = ()  # a special hand does not consist of sets
    held = sorted(scored, key=lambda tile_set: (SET_SIZES[tile_set.kind] < 3, tile_set.tile))
    unfinished: list[Tile] = []
    if hand.win is not None and held:
        tile = hand.win.tile
        completed = max(held, key=lambda tile_set: (tile_set.completed, tile in tile_set.tiles))
        held.remove(completed)
        unfinished = list(completed.tiles)
        unfinished.remove(tile)
    rest = Counter(hand.concealed)
    rest.subtract(unfinished)
    for tile_set in held:
        rest.subtract(tile_set.tiles)
        yield _part(tile_set.tiles, "hand")
    for _, tiles in groupby(sorted(rest.elements()), key=lambda tile: min(tile // 9, 3)):
        yield _part(tuple(tiles), "hand")
    if unfinished:
        yield _part(tuple(unfinished), "unfinished")


def _part(tiles: tuple[Tile, ...], place: str) -> TileGroup:
    return TileGroup(tiles, place, format_tiles(tiles))


def rows_of(parts: Iterable[TileGroup], room: int, tile: int, gap: int, near: int) -> list[list[TileGroup]]:
    """Return *parts* arranged in rows of width *room*, with a *gap* between them and tiles *tile* wide.

    Only a part wider than a row is broken. The winning tile is put *near* the set that it completes, in the same row.
    """
    rows: list[list[TileGroup]] = [[]]
    left = room
    most = max(1, room // tile)
    for part in parts:
        for first in range(0, len(part.tiles), most):
            piece = part._replace(tiles=part.tiles[first : first + most])
            wide = tile * len(piece.tiles)
            if rows[-1] and wide + (near + tile if part.place == "unfinished" else 0) > left:
                rows.append([])
                left = room
            rows[-1].append(piece)
            left -= wide + (near if part.place == "unfinished" else gap)
    return rows


def _boxed(row: Sequence[TileGroup]) -> list[str]:
    """Return a row of tiles drawn in three lines, the winning tile in a double frame."""
    lines: tuple[list[str], ...] = [], [], []
    for part in row:
        frame = "╔╦╗║║║╚╩╝═" if part.place in SIGNS else "┌┬┐│││└┴┘─"
        faces = ["▒▒" if tile is None else TILE_NAMES[tile] for tile in part.tiles]
        edge = [frame[9] * 2] * len(faces)
        for line, cells, left in zip(lines, (edge, faces, edge), (0, 3, 6), strict=True):
            line.append(frame[left] + frame[left + 1].join(cells) + frame[left + 2])
    return [" ".join(line) for line in lines]
