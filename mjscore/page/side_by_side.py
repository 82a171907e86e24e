"""One hand under several rulebooks, a column each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import wrap

from mjscore.game.tiles import WIND_NAMES
from mjscore.page.text import Style, tabulated
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.settlement import collected

_HEAD = 16  # columns that the name of a rulebook has at the most
_TITLE = 16  # columns that titles have at the least; what has no room beside them stands below


def show_side_by_side(sheets: Sequence[ScoreSheet], books: Sequence[Rulebook], style: Style) -> str:
    """Show one hand under several rulebooks, a column each; rows in which they differ are marked.

    A row is one matter, whatever the rulebooks call it: a set on its tiles, or the rule with one id, in points
    here and doubles there. A rulebook that refuses the hand says why below.
    """
    scoring = [column for column, sheet in enumerate(sheets) if sheet.error is None]
    rows: dict[str, dict[int, tuple[tuple[int, int], str, str]]] = {}
    for column in scoring:
        for matter, place, title, figure in _matters(sheets[column]):
            rows.setdefault(matter, {})[column] = place, title, figure
    widths = [max(7, max(map(len, wrap(book.id, _HEAD))) + 2) + 2 for book in books]
    parts = _parted(widths, style.width - 4)
    room = style.width - 4 - max(sum(widths[column] for column in columns) for columns in parts)
    table = []
    for cells in sorted(rows.values(), key=lambda cells: min(place for place, _, _ in cells.values())):
        figures = ["" if sheet.error is not None else "–" for sheet in sheets]
        for column, (_, _, figure) in cells.items():
            figures[column] = figure
        _, title, _ = next(iter(cells.values()))
        title = "\n".join(wrap(title, room, subsequent_indent="  "))
        differs = len({figures[column] for column in scoring}) > 1
        row = ["≠" if differs else "", title, *figures]
        table.append([style.strong(text) if differs else text for text in row])
    scores = ["refused" if sheet.error is not None else str(sheet.score) for sheet in sheets]
    table.append(["≠" if len(set(scores)) > 1 else "", "Score", *scores])
    table += _payments(sheets, books)
    shown = []
    for columns in parts:
        # without rows in which the rulebooks of this part have nothing
        figures_of = [(row[:2], [row[2 + column] for column in columns]) for row in table]
        part = [[*title, *figures] for title, figures in figures_of if not {*figures} <= {"", "–"}]
        heads = ["", "", *("\n".join(wrap(books[column].id, _HEAD)) for column in columns)]
        shown.append(tabulated(part, heads, "ll" + "r" * len(columns), preserve_whitespace=True))
    lines = ["\n\n".join(shown)]
    for sheet, book in zip(sheets, books, strict=True):
        if sheet.error is not None:
            lines += ["", *wrap(f"{book.id}: {sheet.error.message}", style.width, subsequent_indent="  ")]
            lines += wrap(f"  help: {sheet.error.hint}", style.width, subsequent_indent=" " * len("  help: "))
    return "\n".join(lines)


def _parted(widths: Sequence[int], room: int) -> list[range]:
    """Part columns so that beside each part there is room for titles."""
    parts: list[range] = []
    first = 0
    while first < len(widths):
        last = first + 1
        while last < len(widths) and sum(widths[first : last + 1]) <= room - _TITLE:
            last += 1
        parts.append(range(first, last))
        first = last
    return parts


def _matters(sheet: ScoreSheet) -> Iterator[tuple[str, tuple[int, int], str, str]]:
    """Give what one rulebook has for each matter: the matter's name, where its row stands, its title, the figure."""
    points: Counter[str] = Counter()
    for item in sheet.items:
        points[item.tiles or item.rule] += item.points
    for number, item in enumerate(sheet.items):
        matter = item.tiles or item.rule
        if matter in points:
            title = f"{item.title}, {item.tiles}" if item.tiles else item.title
            yield matter, (0, number), title, str(points.pop(matter))
    if sheet.special is None or sheet.items:
        yield "— before doubling", (1, 0), "— before doubling", str(sheet.points)
    for number, doubling in enumerate(sheet.doubling):
        yield doubling.rule, (2, number), doubling.title, f"×{2**doubling.doubles}"
    for number, addition in enumerate(sheet.additions):
        yield addition.rule, (3, number), addition.title, f"+{addition.points}"
    for number, claim in enumerate(sheet.claims, len(sheet.additions)):
        yield claim.rule, (3, number), claim.title, str(claim.points)
    if sheet.score_set_by == "limit":
        yield "— counted", (4, 0), "— counted", str(sheet.counted)


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
