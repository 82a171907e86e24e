"""One hand with its score sheet, or an evening, as one picture in SVG, to send to somebody who looks at it on a phone.

Lengths are whole units of a drawing 390 wide, which is a phone. Nothing is told by colour alone, and all of
it is told in words besides, for who listens instead of looking.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap

from mjscore.game.tiles import WIND_NAMES
from mjscore.page.chart import CHART_SIZE, chart_shapes, chart_style
from mjscore.page.drawings import faces_used, spoken_hand, tile_shapes
from mjscore.page.markup import escaped
from mjscore.page.sheets import drawn_lines
from mjscore.page.text import NOBODY, name_of, short, signed
from mjscore.page.tiles import parts_of
from mjscore.record.statistics import Course, Standing
from mjscore.refusal import visible
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.sheet import ScoreSheet

_WIDTH, _MARGIN = 390, 15
_PAPER, _INK, _SOFT, _RULE, _JADE = "#fffdf8", "#24281f", "#5c5e53", "#cfc7b2", "#17694c"
_TITLE, _LINE = 40, 50  # how many letters fit: of a title beside its figure, of a line of small print


def draw_sheet(
    sheet: ScoreSheet, book: Rulebook, payments: str = "", names: Mapping[str, str] = NOBODY
) -> str:
    """Draw the picture: the hand as tiles, its sheet line by line, the score, and *payments*, who pays it."""
    head = f"{name_of(sheet.seat or '', names)}, {WIND_NAMES.get(sheet.round or '', '')} round"
    shapes = []
    top = 34
    for line in wrap(head, 34):
        shapes.append(_text(_MARGIN, top, line, 19, weight="bold"))
        top += 22
    for line in wrap(book.title, _LINE):
        shapes.append(_text(_MARGIN, top - 2, line, 12, colour=_SOFT))
        top += 16
    for line in wrap(_how_won(sheet, names), _LINE):
        shapes.append(_text(_MARGIN, top - 2, line, 12))
        top += 16
    tiles, _, high = tile_shapes(sheet, _WIDTH - 2 * _MARGIN + 6)
    shapes.append(f'<g transform="translate({_MARGIN - 3} {top})" color="{_INK}">{tiles}</g>')
    top += high + 12
    for line in wrap(" ".join(part.text for part in parts_of(sheet, names)), 48):
        shapes.append(_text(_MARGIN, top, line, 11, colour=_SOFT, family="monospace"))
        top += 15
    top += 6
    for row in drawn_lines(sheet, book):
        shapes.append(_rule(top, _INK if row.kind == "sum" else _RULE))
        weight = "bold" if row.kind == "sum" else "normal"
        shapes.append(_text(_WIDTH - _MARGIN, top + 17, row.figure, 14, "end", weight=weight))
        for line in wrap(row.title, _TITLE):
            shapes.append(_text(_MARGIN, top + 17, line, 13, weight=weight))
            top += 16
        for line in wrap(row.source, _LINE):
            shapes.append(_text(_MARGIN, top + 15, line, 10, colour=_SOFT))
            top += 12
        top += 8
    shapes.append(_rule(top, _INK))
    shapes.append(_text(_MARGIN, top + 26, "Score", 19, weight="bold", colour=_JADE))
    shapes.append(_text(_WIDTH - _MARGIN, top + 26, str(sheet.score), 22, "end", "bold", _JADE))
    top += 46
    for line in wrap(payments.replace(" in all", "\xa0in\xa0all"), _LINE):
        shapes.append(_text(_MARGIN, top, line, 12))
        top += 17
    words = " ".join(_words(sheet, book, payments))
    return _picture(f"{head}: {sheet.score} points", words, faces_used(sheet), shapes, top + 4)


def draw_report(
    title: str,
    texts: Iterable[str],
    found: Iterable[Standing],
    course: Course,
    most: str,
    sheet: ScoreSheet | None = None,
) -> str:
    """Draw an evening or a season: *texts* about it, who stands where, the running totals, and *most*, the biggest hand."""
    shapes = []
    top = 34
    for line in wrap(title, 34):
        shapes.append(_text(_MARGIN, top, line, 19, weight="bold"))
        top += 22
    for line in (line for text in texts for line in wrap(text, _LINE)):
        shapes.append(_text(_MARGIN, top - 2, line, 12, colour=_SOFT))
        top += 16
    words = []
    for standing in found:
        shapes.append(_rule(top, _RULE))
        weight = "bold" if standing.place == 1 else "normal"
        shapes.append(
            _text(_MARGIN, top + 19, f"{standing.place}  {short(standing.name)}", 15, weight=weight)
        )
        shapes.append(_text(_WIDTH - _MARGIN, top + 19, signed(standing.total), 15, "end", weight))
        words.append(f"{standing.place}: {visible(standing.name)} {signed(standing.total)}.")
        top += 27
    shapes.append(f'<g class="chart" transform="translate({_MARGIN} {top + 8})">{chart_shapes(course)}</g>')
    top += CHART_SIZE[1] + 22
    for line in wrap(most, _LINE):
        shapes.append(_text(_MARGIN, top, line, 12))
        top += 16
    if sheet is not None:
        tiles, _, high = tile_shapes(sheet, _WIDTH - 2 * _MARGIN + 6)
        shapes.append(f'<g transform="translate({_MARGIN - 3} {top - 6})" color="{_INK}">{tiles}</g>')
        top += high
    before = f"<style>{chart_style()}</style>{faces_used(sheet) if sheet is not None else ''}"
    return _picture(title, " ".join([*words, most]), before, shapes, top + 10)


def _picture(title: str, words: str, before: str, shapes: Sequence[str], high: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {high}" width="{_WIDTH}" height="{high}" '
        f'role="img" aria-labelledby="title words" xml:lang="en"><title id="title">{escaped(title)}</title>'
        f'<desc id="words">{escaped(words)}</desc>{before}'
        f'<rect width="{_WIDTH}" height="{high}" fill="{_PAPER}"/>{"".join(shapes)}</svg>'
    )


def _how_won(sheet: ScoreSheet, names: Mapping[str, str]) -> str:
    """By which tile the hand was won, and from whom; empty where it was not."""
    win = sheet.hand.win if sheet.hand is not None else None
    if win is None:
        return ""
    if win.drawn:
        return f"won on {win.tile.title}, drawn"
    return f"won on {win.tile.title}" + (f" from {name_of(win.discarder, names)}" if win.discarder else "")


def _words(sheet: ScoreSheet, book: Rulebook, payments: str) -> Iterator[str]:
    """Say the picture in words, a sentence a line."""
    yield f"Tiles: {spoken_hand(sheet)}."
    yield f"By {book.title}:"
    for row in drawn_lines(sheet, book):
        yield f"{row.title}: {row.figure}." if row.figure else f"{row.title}."
    yield f"Score: {sheet.score}."
    if payments:
        yield f"{payments}."


def _text(
    left: int,
    top: int,
    words: str,
    size: int,
    anchor: str = "start",
    weight: str = "normal",
    colour: str = _INK,
    family: str = "sans-serif",
) -> str:
    return (
        f'<text x="{left}" y="{top}" font-family="{family}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="{anchor}" fill="{colour}">{escaped(words)}</text>'
    )


def _rule(top: int, colour: str) -> str:
    return f'<path d="M{_MARGIN} {top}H{_WIDTH - _MARGIN}" stroke="{colour}"/>'
