"""One hand under several rulebooks, a column each."""

from __future__ import annotations

from collections.abc import Sequence

from mjscore.page.text import Style
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.sheet import Item, ScoreSheet

_BEFORE, _COUNTED = "— before doubling", "— counted"


def show_side_by_side(sheets: Sequence[ScoreSheet], books: Sequence[Rulebook], style: Style) -> str:
    """One hand under several rulebooks, a column each; lines in which they differ are marked."""
    from tabulate import tabulate

    order = {_BEFORE: (1, 0), _COUNTED: (4, 0)}
    cells: dict[str, dict[int, str]] = {}
    for column, sheet in enumerate(sheets):
        if sheet.error is not None:
            continue
        points: dict[str, int] = {}
        for number, item in enumerate(sheet.items):
            title = _row_title(item, sheets)
            order.setdefault(title, (0, number))
            points[title] = points.get(title, 0) + item.points
        rows = [(title, str(figure)) for title, figure in points.items()]
        rows.append((_BEFORE, str(sheet.points)))
        for number, doubling in enumerate(sheet.doubling):
            order.setdefault(doubling.title, (2, number))
            rows.append((doubling.title, f"×{2**doubling.doubles}"))
        rows += [(item.title, f"+{item.points}") for item in sheet.additions]
        rows += [(claim.title, str(claim.points)) for claim in sheet.claims]
        if sheet.score_set_by == "limit":
            rows.append((_COUNTED, str(sheet.counted)))
        for title, figure in rows:
            cells.setdefault(title, {})[column] = figure
    table = []
    for title in sorted(cells, key=lambda title: order.get(title, (3, 0))):
        values = [cells[title].get(column, "–") for column in range(len(sheets))]
        differs = len(set(values)) > 1
        row = ["≠" if differs else "", title, *values]
        table.append([style.strong(cell) if differs else cell for cell in row])
    scores = ["refused" if sheet.error is not None else str(sheet.score) for sheet in sheets]
    table.append(["≠" if len(set(scores)) > 1 else "", "Score", *scores])
    headers = ["", "", *(book.id for book in books)]
    title_room = max(12, style.width - 7 - sum(max(8, len(book.id)) + 2 for book in books))
    text = tabulate(
        table,
        headers,
        tablefmt="simple",
        disable_numparse=True,
        maxcolwidths=[2, title_room, *[None] * len(books)],
        colalign=("left", "left", *["right"] * len(books)),
    )
    refused = [
        f"{book.id}: {sheet.error.message}\n  help: {sheet.error.hint}"
        for sheet, book in zip(sheets, books, strict=True)
        if sheet.error is not None
    ]
    return "\n".join([text, *refused])


def _row_title(item: Item, sheets: Sequence[ScoreSheet]) -> str:
    """The title of an item's row: what a set is called in the first rulebook that scores it."""
    if item.tiles is None:
        return item.title
    first = next(other for sheet in sheets for other in sheet.items if other.tiles == item.tiles)
    return f"{first.title}, {item.tiles}"
