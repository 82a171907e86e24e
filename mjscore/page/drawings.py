"""Drawings in SVG: a hand as tiles, a hand with its score sheet, an evening or a season as one picture.

Lengths are whole units. A picture is 390 wide, like a phone; it can be understood without its colours, and has a text
for screen readers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from mjscore.game.hand import Hand
from mjscore.game.tiles import TILE_NAMES, TILE_TITLES, Tile
from mjscore.page.chart import CHART_SIZE, chart_shapes, chart_style
from mjscore.page.html import Markup, element, joined, symbols
from mjscore.page.sheet_lines import drawn_lines
from mjscore.page.sheets import payments_text, sheet_head
from mjscore.page.text import NOBODY, name_of, short, signed
from mjscore.page.tile_styles import SIGNS, TileGroup, parts_of, rows_of
from mjscore.refusal import escape_controls
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.sheet import ScoredHand, ScoreSheet

if TYPE_CHECKING:
    from mjscore.record.statistics import RunningTotals, Standing

_WIDTH, _HEIGHT, _GAP, _EDGE = 30, 40, 10, 3  # sizes of tiles
_NEAR = 4  # the gap between the winning tile and the set that it completes
_LINE = _HEIGHT + 14
_PAPER, _BACK, _CLOTH, _RIM = "#fffdf5", "#8a6a42", "#2e6b4f", "#6b6252"
_PAGE, _MARGIN = 390, 15  # sizes of a picture
_WHITE, _INK, _SOFT, _RULE, _JADE = "#fffdf8", "#24281f", "#5c5e53", "#cfc7b2", "#17694c"
_TITLE, _SMALL = 40, 50  # letters that fit in a title beside its figure, and in a line of small print


def faces_used(shown: Hand | ScoreSheet) -> Markup:
    """Return SVG definitions of the faces of a hand's tiles."""
    used = {tile for part in parts_of(shown) for tile in part.tiles if tile is not None}
    return element("defs", *(symbols()[tile] for tile in sorted(used)))


def draw_hand(shown: Hand | ScoreSheet, width: int = 600) -> str:
    """Draw the hand as one SVG of at most *width* units, thirty for each tile, including its faces.

    Sets on the table lie on a cloth, held tiles stand on racks; the winning tile comes last, beside the set that it
    completes, with ``+`` or ``<`` below it.
    """
    return _drawing(tile_shapes(shown, width), spoken_hand(shown), faces_used(shown))


def tile_shapes(shown: Hand | ScoreSheet, width: int) -> tuple[Markup, int, int]:
    """Return the shapes of a hand drawn within *width* units, with their own width and height."""
    return _shapes(rows_of(_parts(shown), width - 2 * _EDGE, _WIDTH, _GAP, _NEAR))


def draw_parts(shown: Hand | ScoreSheet) -> list[Markup]:
    """Draw the hand as several SVGs for a page to arrange; they use the faces of ``draw_faces``."""
    return [_drawing(_shapes([[part]]), _spoken(part)) for part in _parts(shown)]


def draw_sets(sets: Iterable[Sequence[Tile]]) -> Markup:
    """Draw concealed sets as one SVG, which uses the faces of ``draw_faces``."""
    parts = [TileGroup(tuple(tiles), "hand", "") for tiles in sets]
    return _drawing(_shapes([parts]), "; ".join(map(_spoken, parts)))


def spoken_hand(shown: Hand | ScoreSheet) -> str:
    """Return the hand in words, as in ``on the table: 2 dots, 2 dots, 2 dots; in hand: …; won on: 5 dots, drawn``."""
    return "; ".join(map(_spoken, _parts(shown)))


def _parts(shown: Hand | ScoreSheet) -> list[TileGroup]:
    return [part for part in parts_of(shown) if part.tiles] or [TileGroup((None,), "hand", "")]


def _spoken(part: TileGroup) -> str:
    tiles = ", ".join("face down" if tile is None else TILE_TITLES[tile] for tile in part.tiles)
    if part.place in SIGNS:
        return f"won on: {tiles}, {part.place}"
    return f"{'on the table' if part.place == 'table' else 'in hand'}: {tiles}"


def _drawing(drawn: tuple[Markup, int, int], title: str, faces: str = "") -> Markup:
    shapes, wide, high = drawn
    box, size = f"0 0 {wide} {high}", {"width": wide, "height": high}
    return element("svg", element("title", title), faces, shapes, viewBox=box, **size, role="img")


def _shapes(rows: Sequence[Sequence[TileGroup]]) -> tuple[Markup, int, int]:
    """Return the shapes of rows of parts (on cloth if on the table, else on racks), and their width and height."""
    shapes = []
    wide = 0
    for line, row in enumerate(rows):
        top = _EDGE + line * _LINE
        left = _EDGE
        for part in row:
            across = len(part.tiles) * _WIDTH - 2
            kind, out, y, high, bend, fill = (
                ("table", 3, top - 3, _HEIGHT + 6, 5, _CLOTH)
                if part.place in ("table", "claimed")
                else ("rack", 1, top + _HEIGHT - 1, 4, 1, _BACK)
            )
            size = {"width": across + 2 * out, "height": high, "rx": bend}
            shapes.append(element("rect", class_=kind, x=left - out, y=y, **size, fill=fill))
            shapes += [_tile(left + number * _WIDTH, top, tile) for number, tile in enumerate(part.tiles)]
            left += across + 2
            if sign := SIGNS.get(part.place):
                place = {"x": left - _WIDTH // 2 - 1, "y": top + _HEIGHT + 12, "text_anchor": "middle"}
                font = {"font_family": "monospace", "font_size": 12, "font_weight": "bold"}
                shapes.append(element("text", sign, class_="sign", **place, **font, fill="currentColor"))
            wide = max(wide, left + _EDGE)
            left += _NEAR if part.place == "unfinished" else _GAP
    return joined(*shapes), wide, len(rows) * _LINE + _EDGE


def _tile(left: int, top: int, tile: Tile | None) -> Markup:
    box = {"x": left, "y": top, "width": _WIDTH - 2, "height": _HEIGHT}
    if tile is None:
        return element("g", element("rect", **box, rx=4, fill=_BACK, stroke=_RIM), class_="back")
    paper = element("rect", **box, rx=4, fill=_PAPER, stroke=_RIM)
    shape = element("use", href=f"#face-{TILE_NAMES[tile]}", **box)
    return element("g", element("title", TILE_TITLES[tile]), paper, shape, class_="tile")


class _Picture:
    """A picture that grows downwards: its shapes, and *top*, where the next one goes."""

    def __init__(self, title: str) -> None:
        self.top = 34
        self.shapes: list[Markup] = []
        self.lines(title, 34, 22, 19, weight="bold")

    def text(
        self,
        down: int,
        words: str,
        size: int,
        right: bool = False,
        weight: str = "normal",
        colour: str = _INK,
        family: str = "sans-serif",
    ) -> None:
        """Write a line, *down* units below the top, at the left or the *right* margin."""
        left, anchor = (_PAGE - _MARGIN, "end") if right else (_MARGIN, "start")
        font = {"font_family": family, "font_size": size, "font_weight": weight, "text_anchor": anchor}
        self.shapes.append(element("text", words, x=left, y=self.top + down, **font, fill=colour))

    def lines(self, words: str, letters: int, high: int, size: int, down: int = 0, **how: Any) -> None:
        """Write a text in lines of *letters* letters, each *high* units high."""
        for line in wrap(words, letters):
            self.text(down, line, size, **how)
            self.top += high

    def rule(self, colour: str = _RULE) -> None:
        """Draw a rule from margin to margin."""
        self.shapes.append(element("path", d=f"M{_MARGIN} {self.top}H{_PAGE - _MARGIN}", stroke=colour))

    def tiles(self, sheet: ScoreSheet, down: int = 0) -> None:
        """Draw the tiles of a hand."""
        tiles, _, high = tile_shapes(sheet, _PAGE - 2 * _MARGIN + 6)
        place = f"translate({_MARGIN - 3} {self.top + down})"
        self.shapes.append(element("g", tiles, transform=place, color=_INK))
        self.top += high

    def svg(self, title: str, words: Iterable[str], before: Markup, below: int) -> Markup:
        """Return the picture, with *title* and *words* for screen readers and *below* units of room at the bottom."""
        high = self.top + below
        size = {"width": _PAGE, "height": high}
        return element(
            "svg",
            element("title", title, id="title"),
            element("desc", " ".join(words), id="words"),
            before,
            element("rect", **size, fill=_WHITE),
            *self.shapes,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {_PAGE} {high}",
            **size,
            role="img",
            aria_labelledby="title words",
            **{"xml:lang": "en"},
        )


def draw_sheet(
    sheet: ScoreSheet, book: Rulebook, names: Mapping[str, str] = NOBODY, scored: ScoredHand | None = None
) -> str:
    """Draw a hand as tiles, with its sheet, the score, and who pays it."""
    payments = payments_text(sheet, book, names, scored)
    head = sheet_head(sheet, names)
    picture = _Picture(head)
    picture.lines(book.title, _SMALL, 16, 12, -2, colour=_SOFT)
    win = sheet.hand.win if sheet.hand is not None else None
    if win is not None:
        how = f" from {name_of(win.discarder, names)}" if win.discarder else ""
        won = f"won on {win.tile.title}{', drawn' if win.drawn else how}"
        picture.lines(won, _SMALL, 16, 12, -2)
    picture.tiles(sheet)
    picture.top += 12
    notation = " ".join(part.text for part in parts_of(sheet, names))
    picture.lines(notation, 48, 15, 11, colour=_SOFT, family="monospace")
    picture.top += 6
    words = [f"Tiles: {spoken_hand(sheet)}.", f"By {book.title}:"]
    for row in drawn_lines(sheet, book):
        is_sum = row.kind == "sum"
        weight = "bold" if is_sum else "normal"
        picture.rule(_INK if is_sum else _RULE)
        picture.text(17, row.figure, 14, right=True, weight=weight)
        picture.lines(row.title, _TITLE, 16, 13, 17, weight=weight)
        picture.lines(row.source, _SMALL, 12, 10, 15, colour=_SOFT)
        picture.top += 8
        words.append(f"{row.title}: {row.figure}." if row.figure else f"{row.title}.")
    picture.rule(_INK)
    picture.text(26, "Score", 19, weight="bold", colour=_JADE)
    picture.text(26, str(sheet.score), 22, right=True, weight="bold", colour=_JADE)
    picture.top += 46
    picture.lines(payments.replace(" in all", "\xa0in\xa0all"), _SMALL, 17, 12)
    words += [f"Score: {sheet.score}.", *([f"{payments}."] if payments else [])]
    return picture.svg(f"{head}: {sheet.score} points", words, faces_used(sheet), 4)


def draw_report(
    title: str,
    texts: Iterable[str],
    ranks: Iterable[Standing],
    course: RunningTotals,
    most: str,
    sheet: ScoreSheet | None = None,
) -> str:
    """Draw an evening or a season: *texts* about it, standings, running totals, and *most* about the biggest hand."""
    picture = _Picture(title)
    for text in texts:
        picture.lines(text, _SMALL, 16, 12, -2, colour=_SOFT)
    words = []
    for standing in ranks:
        weight = "bold" if standing.place == 1 else "normal"
        picture.rule()
        picture.text(19, f"{standing.place}  {short(standing.name)}", 15, weight=weight)
        picture.text(19, signed(standing.total), 15, right=True, weight=weight)
        picture.top += 27
        words.append(f"{standing.place}: {escape_controls(standing.name)} {signed(standing.total)}.")
    place = f"translate({_MARGIN} {picture.top + 8})"
    picture.shapes.append(element("g", chart_shapes(course), class_="chart", transform=place))
    picture.top += CHART_SIZE[1] + 22
    picture.lines(most, _SMALL, 16, 12)
    if sheet is not None:
        picture.tiles(sheet, -6)
    style = element("style", Markup(chart_style()))
    before = joined(style, faces_used(sheet) if sheet is not None else None)
    return picture.svg(title, [*words, most], before, 10)
