"""One hand with its score sheet, or an evening, as one picture in SVG, to send to somebody who looks at it on a phone.

Lengths are whole units of a drawing 390 wide, which is a phone. Nothing is told by colour alone, and all of
it is told in words besides, for who listens instead of looking.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import Any

from mjscore.page.chart import CHART_SIZE, chart_shapes, chart_style
from mjscore.page.drawings import faces_used, spoken_hand, tile_shapes
from mjscore.page.markup import escaped
from mjscore.page.sheets import drawn_lines, sheet_head
from mjscore.page.text import NOBODY, name_of, short, signed
from mjscore.page.tile_styles import parts_of
from mjscore.record.statistics import Course, Standing
from mjscore.refusal import visible
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.sheet import ScoreSheet

_WIDTH, _MARGIN = 390, 15
_PAPER, _INK, _SOFT, _RULE, _JADE = "#fffdf8", "#24281f", "#5c5e53", "#cfc7b2", "#17694c"
_TITLE, _LINE = 40, 50  # how many letters fit: of a title beside its figure, of a line of small print


class _Picture:
    """A picture that grows downwards: its shapes, and the *top* of what comes next."""

    def __init__(self, title: str) -> None:
        self.top = 34
        self.shapes: list[str] = []
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
        """Write a line so far *down* from the top, from the margin or up to the margin at the *right*."""
        left, anchor = (_WIDTH - _MARGIN, "end") if right else (_MARGIN, "start")
        self.shapes.append(
            f'<text x="{left}" y="{self.top + down}" font-family="{family}" font-size="{size}" font-weight="{weight}" '
            f'text-anchor="{anchor}" fill="{colour}">{escaped(words)}</text>'
        )

    def lines(self, words: str, letters: int, high: int, size: int, down: int = 0, **how: Any) -> None:
        """Write lines of so many *letters*, each so *high*."""
        for line in wrap(words, letters):
            self.text(down, line, size, **how)
            self.top += high

    def rule(self, colour: str = _RULE) -> None:
        """Draw a rule from margin to margin."""
        self.shapes.append(f'<path d="M{_MARGIN} {self.top}H{_WIDTH - _MARGIN}" stroke="{colour}"/>')

    def tiles(self, sheet: ScoreSheet, down: int = 0) -> None:
        """Draw the tiles of a hand."""
        tiles, _, high = tile_shapes(sheet, _WIDTH - 2 * _MARGIN + 6)
        place = f"translate({_MARGIN - 3} {self.top + down})"
        self.shapes.append(f'<g transform="{place}" color="{_INK}">{tiles}</g>')
        self.top += high

    def svg(self, title: str, words: Iterable[str], before: str, below: int) -> str:
        """Write the picture, with *title* and *words* for who listens and so much free *below*."""
        high = self.top + below
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {high}" width="{_WIDTH}" height="{high}" '
            f'role="img" aria-labelledby="title words" xml:lang="en"><title id="title">{escaped(title)}</title>'
            f'<desc id="words">{escaped(" ".join(words))}</desc>{before}'
            f'<rect width="{_WIDTH}" height="{high}" fill="{_PAPER}"/>{"".join(self.shapes)}</svg>'
        )


def draw_sheet(
    sheet: ScoreSheet, book: Rulebook, payments: str = "", names: Mapping[str, str] = NOBODY
) -> str:
    """Draw the picture: the hand as tiles, its sheet line by line, the score, and *payments*, who pays it."""
    head = sheet_head(sheet, names)
    picture = _Picture(head)
    picture.lines(book.title, _LINE, 16, 12, -2, colour=_SOFT)
    win = sheet.hand.win if sheet.hand is not None else None
    if win is not None:
        how = f" from {name_of(win.discarder, names)}" if win.discarder else ""
        won = f"won on {win.tile.title}{', drawn' if win.drawn else how}"
        picture.lines(won, _LINE, 16, 12, -2)
    picture.tiles(sheet)
    picture.top += 12
    typed = " ".join(part.text for part in parts_of(sheet, names))
    picture.lines(typed, 48, 15, 11, colour=_SOFT, family="monospace")
    picture.top += 6
    words = [f"Tiles: {spoken_hand(sheet)}.", f"By {book.title}:"]
    for row in drawn_lines(sheet, book):
        is_sum = row.kind == "sum"
        weight = "bold" if is_sum else "normal"
        picture.rule(_INK if is_sum else _RULE)
        picture.text(17, row.figure, 14, right=True, weight=weight)
        picture.lines(row.title, _TITLE, 16, 13, 17, weight=weight)
        picture.lines(row.source, _LINE, 12, 10, 15, colour=_SOFT)
        picture.top += 8
        words.append(f"{row.title}: {row.figure}." if row.figure else f"{row.title}.")
    picture.rule(_INK)
    picture.text(26, "Score", 19, weight="bold", colour=_JADE)
    picture.text(26, str(sheet.score), 22, right=True, weight="bold", colour=_JADE)
    picture.top += 46
    picture.lines(payments.replace(" in all", "\xa0in\xa0all"), _LINE, 17, 12)
    words += [f"Score: {sheet.score}.", *([f"{payments}."] if payments else [])]
    return picture.svg(f"{head}: {sheet.score} points", words, faces_used(sheet), 4)


def draw_report(
    title: str,
    texts: Iterable[str],
    found: Iterable[Standing],
    course: Course,
    most: str,
    sheet: ScoreSheet | None = None,
) -> str:
    """Draw an evening or a season: *texts* about it, who stands where, the running totals, and *most*, the biggest hand."""
    picture = _Picture(title)
    for text in texts:
        picture.lines(text, _LINE, 16, 12, -2, colour=_SOFT)
    words = []
    for standing in found:
        weight = "bold" if standing.place == 1 else "normal"
        picture.rule()
        picture.text(19, f"{standing.place}  {short(standing.name)}", 15, weight=weight)
        picture.text(19, signed(standing.total), 15, right=True, weight=weight)
        picture.top += 27
        words.append(f"{standing.place}: {visible(standing.name)} {signed(standing.total)}.")
    place = f"translate({_MARGIN} {picture.top + 8})"
    picture.shapes.append(f'<g class="chart" transform="{place}">{chart_shapes(course)}</g>')
    picture.top += CHART_SIZE[1] + 22
    picture.lines(most, _LINE, 16, 12)
    faces = ""
    if sheet is not None:
        picture.tiles(sheet, -6)
        faces = faces_used(sheet)
    return picture.svg(title, [*words, most], f"<style>{chart_style()}</style>{faces}", 10)
