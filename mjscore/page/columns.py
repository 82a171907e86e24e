"""Tables as values: columns with their heads and rows of cells, shown as text in a terminal's width and as HTML."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from mjscore.page.markup import block, escaped, points, spoken_caption
from mjscore.page.text import LONGEST_NAME, Style, short, tabulated
from mjscore.refusal import text_width, visible

# a text that names players is given how to write a name, which may be cut where there is little room
Text = str | Callable[[Callable[[str], str]], str]


class Cell(NamedTuple):
    """What stands in a row: its text or the *points* won or lost, and *more*, small print behind it.

    In a page it may be a *link*, and say that this player was *east*.
    """

    text: Text = ""
    points: int | None = None
    more: str = ""
    strong: bool = False
    link: str = ""
    east: bool = False


class Column(NamedTuple):
    """A column of a table: its head and cells, and whether these stand at the *right*.

    Where a terminal has no room, the columns of the highest *rank* are left out first, those of rank 0 never. *only*
    is ``text`` or ``page`` for a column that the other has not, *kind* the class of its cells in a page, where ``name``
    heads the row; *spoken* is a head that is heard and not seen, *total* stands below the cells.
    """

    head: Text
    cells: Sequence[Cell]
    right: bool = True
    rank: int = 0
    only: str = ""
    kind: str = ""
    spoken: str = ""
    total: Cell = Cell()


class Table(NamedTuple):
    """Columns; the first *leading* of a terminal are repeated where the others have to stand below each other.

    The columns *second* a narrow terminal shows by themselves, below, under *second_title*. In a page, *sections* are
    titles of rows, each with how many rows there are under it.
    """

    columns: Sequence[Column]
    leading: int = 1
    second: Sequence[Column] = ()
    second_title: str = ""
    sections: Sequence[tuple[str, int]] = ()
    names: Sequence[int] = (LONGEST_NAME, 9, 7)


def name_cell(name: str, strong: bool = False) -> Cell:
    """Make the cell of a player's name, which is cut where it is too long."""
    return Cell(lambda write: write(name), strong=strong)


def figures_of(name: str, cells: Sequence[Cell], total: Cell) -> Column:
    """Make the column of a player's figures."""
    return Column(lambda write: write(name), cells, total=total)


def show_table(table: Table, style: Style) -> str:
    """Show a table in the terminal's width: with shorter names, fewer columns or in parts where there is no room."""
    columns = [column for column in table.columns if column.only != "page"]
    if not table.second:
        return _fitting(table, columns, style)
    for width in table.names:
        whole = _text([*columns, *table.second], style, width)
        if _fits(whole, style):
            return whole
    first = _fitting(table, columns, style)
    second = _fitting(table, [*columns[: table.leading], *table.second], style)
    return "\n".join([first, "", style.strong(table.second_title), second])


def _fitting(table: Table, columns: Sequence[Column], style: Style) -> str:
    """Show some columns of a table in the fullest form that fits, or in parts below each other where none does.

    What is fuller has its small print, the columns that tell less, and longer names.
    """
    small_print = any(cell.more for column in columns for cell in column.cells)
    most = max(small_print, *(column.rank for column in columns))
    for limit in range(most, -1, -1):
        shown = [column for column in columns if column.rank <= limit]
        for width in table.names if limit or len(table.names) == 1 else (*table.names, 6, 5, 4):
            text = _text(shown, style, width, limit == most)
            if _fits(text, style):
                return text
    if len(columns) < 4:
        return text
    parts = []
    first = table.leading
    while first < len(columns):
        for end in range(len(columns), first, -1):
            part = _text([*columns[: table.leading], *columns[first:end]], style, table.names[-1])
            if _fits(part, style):
                break
        parts.append(part)
        first = end
    return "\n\n".join(parts)


def _text(columns: Sequence[Column], style: Style, names: int, more: bool = True) -> str:
    """Set columns beside each other, names cut to so many columns, with or without the small print."""
    from tabulate import SEPARATING_LINE

    write = partial(short, columns=names)
    shown = []
    for column in columns:
        texts = [_written(column.head, write)]
        for cell in column.cells:
            text = _written(cell.text, write) if cell.points is None else style.points(cell.points)
            if cell.more and more:
                text += f" {visible(cell.more)}"
            texts.append(style.strong(text) if cell.strong else text)
        shown.append(texts)
    # headings given as such would be widened by two columns each, and a narrow terminal needs those
    heads, *rows = zip(*shown, strict=True)
    aligned = "".join("r" if column.right else "l" for column in columns)
    text = tabulated([heads, SEPARATING_LINE, *rows], (), aligned)
    return "\n".join(line.rstrip() for line in text.splitlines()[1:-1])


def _written(text: Text, write: Callable[[str], str]) -> str:
    return visible(text if isinstance(text, str) else text(write))


def _fits(text: str, style: Style) -> bool:
    # the rule below the heading is as wide as the table, and has no colour in it
    return text_width(text.splitlines()[1]) <= style.width


def table_html(table: Table, caption: str, kind: str = "") -> str:
    """Write a table for a page; *caption* is for who listens, *kind* the class of the table."""
    columns = [column for column in (*table.columns, *table.second) if column.only != "text"]
    heads = []
    for column in columns:
        head = escaped(_written(column.head, partial(short, columns=10)))
        spoken = f'<span class="spoken">{escaped(column.spoken)}</span>' if column.spoken else ""
        attribute = _class(column, "extra" if column.kind == "extra" else "")
        heads.append(f'<th scope="col"{attribute}>{head}{spoken}</th>')
    cells = zip(*(column.cells for column in columns), strict=True)
    rows = [f"<tr>{''.join(map(_cell_html, columns, row))}</tr>" for row in cells]
    left, bodies = iter(rows), []
    for title, count in table.sections or [("", len(rows))]:
        head = f'<tr class="sub"><th scope="rowgroup" colspan="{len(columns)}">{escaped(title)}</th></tr>'
        bodies.append(block("tbody", [head if title else "", *islice(left, count)]))
    totals = [column.total for column in columns]
    if any(total != Cell() for total in totals):
        row = "".join(map(_cell_html, columns, totals))
        bodies.append(block("tbody", [f'<tr class="total">{row}</tr>']))
    parts = [spoken_caption(caption), f"<thead><tr>{''.join(heads)}</tr></thead>", *bodies]
    return block('div class="wide"', [block(f'table class="{kind}"' if kind else "table", parts)])


def _class(column: Column, kind: str) -> str:
    kinds = " ".join(filter(None, ("n" if column.right else "", kind)))
    return f' class="{kinds}"' if kinds else ""


def _cell_html(column: Column, cell: Cell) -> str:
    text = escaped(_written(cell.text, str)) if cell.points is None else points(cell.points)
    if cell.link:
        text = f'<a href="#{cell.link}">{text}</a>'
    if cell.strong:
        text = f"<b>{text}</b>"
    if cell.more:
        text = f'{text} <small class="soft">{escaped(cell.more)}</small>'.strip()
    east = '<span class="east" title="East">E</span>' if cell.east else ""
    element, scope = ("th", ' scope="row"') if column.kind == "name" else ("td", "")
    return f"<{element}{scope}{_class(column, column.kind)}>{east}{text}</{element}>"
