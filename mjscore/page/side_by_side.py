"""One hand under several rulebooks, a column each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from mjscore.game.tiles import WIND_NAMES
from mjscore.page.text import Style
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.settlement import collected

_HEAD = 16  # columns that the name of a rulebook has at the most
_TITLE = 16  # columns that titles have at the least; what has no room beside them stands below


class _Cell(NamedTuple):
    """What one rulebook has for a matter: the matter's name, its title there, where its row stands, the figure."""

    matter: str
    title: str
    place: tuple[int, int]
    figure: str


def show_side_by_side(sheets: Sequence[ScoreSheet], books: Sequence[Rulebook], style: Style) -> str:
    """Show one hand under several rulebooks, a column each; rows in which they differ are marked.

    A row is one matter, whatever the rulebooks call it: a set on its tiles, or the rule with one id, in points
    here and doubles there. A rulebook that refuses the hand says why below.
    """
    scoring = [column for column, sheet in enumerate(sheets) if sheet.error is None]
    rows: dict[str, dict[int, _Cell]] = {}
    for column in scoring:
        for cell in _cells(sheets[column]):
            rows.setdefault(cell.matter, {})[column] = cell
    widths = [max(7, max(map(len, wrap(book.id, _HEAD))) + 2) + 2 for book in books]
    parts = _parted(widths, style.width - 4)
    room = style.width - 4 - max(width for _, width in parts)
    table = []
    for cells in sorted(rows.values(), key=lambda cells: min(cell.place for cell in cells.values())):
        figures = ["" if sheet.error is not None else "–" for sheet in sheets]
        for column, cell in cells.items():
            figures[column] = cell.figure
        title = "\n".join(wrap(next(iter(cells.values())).title, room, subsequent_indent="  "))
        differs = len({figures[column] for column in scoring}) > 1
        row = ["≠" if differs else "", title, *figures]
        table.append([style.strong(text) if differs else text for text in row])
    scores = ["refused" if sheet.error is not None else str(sheet.score) for sheet in sheets]
    table.append(["≠" if len(set(scores)) > 1 else "", "Score", *scores])
    table += _payments(sheets, books)
    lines = ["\n\n".join(_columns(table, books, columns) for columns, _ in parts)]
    for sheet, book in zip(sheets, books, strict=True):
        if sheet.error is not None:
            lines += ["", *wrap(f"{book.id}: {sheet.error.message}", style.width, subsequent_indent="  ")]
            lines += wrap(f"  help: {sheet.error.hint}", style.width, subsequent_indent=" " * len("  help: "))
    return "\n".join(lines)


def _parted(widths: Sequence[int], room: int) -> list[tuple[range, int]]:
    """Part columns so that beside each part there is room for titles: the columns of each, and how wide it is."""
    parts: list[tuple[range, int]] = []
    first = 0
    while first < len(widths):
        last = first + 1
        while last < len(widths) and sum(widths[first : last + 1]) <= room - _TITLE:
            last += 1
        parts.append((range(first, last), sum(widths[first:last])))
        first = last
    return parts


def _columns(table: Sequence[Sequence[str]], books: Sequence[Rulebook], columns: range) -> str:
    """Show the marks and titles of a table with some of its columns, without rows in which these have nothing."""
    from tabulate import tabulate

    rows = [[*row[:2], *(row[2 + column] for column in columns)] for row in table]
    return tabulate(
        [row for row in rows if any(figure not in ("", "–") for figure in row[2:])],
        ["", "", *("\n".join(wrap(books[column].id, _HEAD)) for column in columns)],
        tablefmt="simple",
        disable_numparse=True,
        preserve_whitespace=True,
        colalign=("left", "left", *["right"] * len(columns)),
    )


def _cells(sheet: ScoreSheet) -> Iterator[_Cell]:
    points: dict[str, int] = {}
    for item in sheet.items:
        points[item.tiles or item.rule] = points.get(item.tiles or item.rule, 0) + item.points
    for number, item in enumerate(sheet.items):
        matter = item.tiles or item.rule
        if matter in points:
            title = f"{item.title}, {item.tiles}" if item.tiles else item.title
            yield _Cell(matter, title, (0, number), str(points.pop(matter)))
    if sheet.special is None or sheet.items:
        yield _Cell("— before doubling", "— before doubling", (1, 0), str(sheet.points))
    for number, doubling in enumerate(sheet.doubling):
        yield _Cell(doubling.rule, doubling.title, (2, number), f"×{2**doubling.doubles}")
    for number, addition in enumerate(sheet.additions):
        yield _Cell(addition.rule, addition.title, (3, number), f"+{addition.points}")
    for number, claim in enumerate(sheet.claims, len(sheet.additions)):
        yield _Cell(claim.rule, claim.title, (3, number), str(claim.points))
    if sheet.score_set_by == "limit":
        yield _Cell("— counted", "— counted", (4, 0), str(sheet.counted))


def _payments(sheets: Sequence[ScoreSheet], books: Sequence[Rulebook]) -> Iterator[list[str]]:
    """Give a row for each player who pays the winner; ``?`` where a rulebook has to know the discarder."""
    paid = [collected(sheet, book) if sheet.won else None for sheet, book in zip(sheets, books, strict=True)]
    points = [
        {one.payer: str(one.points) for one in of_book.payments if one.payee == sheet.seat} if of_book else {}
        for sheet, of_book in zip(sheets, paid, strict=True)
    ]
    for seat, name in WIND_NAMES.items():
        if any(seat in of_book for of_book in points):
            figures = [
                "?" if sheet.won and of_book is None else of_points.get(seat, "–" if sheet.won else "")
                for sheet, of_book, of_points in zip(sheets, paid, points, strict=True)
            ]
            yield ["≠" if len({*figures} - {""}) > 1 else "", f"{name} pays", *figures]
