"""Tables as values: columns with their heads and rows of cells, shown as text in a terminal's width and as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
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
    """A column of a table: its head, and whether its cells stand at the *right*.

    Where a terminal has no room, the columns of the highest *rank* are left out first, those of rank 0 never. *only*
    is ``text`` or ``page`` for a column that the other has not, *kind* the class of its cells in a page, where ``name``
    heads the row; *spoken* is a head that is heard and not seen.
    """

    head: Text = ""
    right: bool = True
    rank: int = 0
    only: str = ""
    kind: str = ""
    spoken: str = ""


class Table(NamedTuple):
    """Columns and rows; *leading* columns are repeated where the others have to stand below each other.

    From the column *second* on stands what a narrow terminal shows by itself, below, under *second_title*. In a page,
    *sections* are titles of rows, each with how many rows there are under it, and *total* is the last row.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell | str]]
    leading: int = 1
    second: int = 0
    second_title: str = ""
    sections: Sequence[tuple[str, int]] = ()
    total: Sequence[Cell | str] = ()
    names: Sequence[int] = (LONGEST_NAME, 9, 7)


def name_cell(name: str, strong: bool = False) -> Cell:
    """Make the cell of a player's name, which is cut where it is too long."""
    return Cell(lambda write: write(name), strong=strong)


def name_column(name: str) -> Column:
    """Make the column of a player's figures."""
    return Column(lambda write: write(name))


def show_table(table: Table, style: Style) -> str:
    """Show a table in the terminal's width: with shorter names, fewer columns or in parts where there is no room."""
    columns = [number for number, column in enumerate(table.columns) if column.only != "page"]
    if not table.second:
        return _fitting(table, columns, style)
    for whole in _texts(table, columns, style, fewer=False):
        if _fits(whole, style):
            return whole
    first = [number for number in columns if number < table.second]
    second = [number for number in columns if number < table.leading or number >= table.second]
    return "\n".join(
        [_fitting(table, first, style), "", style.strong(table.second_title), _fitting(table, second, style)]
    )


def _fitting(table: Table, columns: Sequence[int], style: Style) -> str:
    """Show some columns of a table in the fullest form that fits, or in parts below each other where none does."""
    text = ""
    for text in _texts(table, columns, style):
        if _fits(text, style):
            return text
    if len(columns) < 4:
        return text
    parts = []
    first = table.leading
    while first < len(columns):
        for end in range(len(columns), first, -1):
            part = _text(table, [*columns[: table.leading], *columns[first:end]], style, table.names[-1])
            if _fits(part, style):
                break
        parts.append(part)
        first = end
    return "\n\n".join(parts)


def _texts(table: Table, columns: Sequence[int], style: Style, fewer: bool = True) -> Iterator[str]:
    """Give the forms of a table, the fullest first; with *fewer* those too that leave out what tells least."""
    small_print = any(isinstance(cell, Cell) and cell.more for row in table.rows for cell in row)
    most = max(small_print, *(table.columns[number].rank for number in columns))
    for limit in range(most, -1, -1) if fewer else (most,):
        shown = [number for number in columns if table.columns[number].rank <= limit]
        widths = table.names if limit or not fewer or len(table.names) == 1 else (*table.names, 6, 5, 4)
        for width in widths:
            yield _text(table, shown, style, width, limit == most)


def _text(table: Table, columns: Sequence[int], style: Style, names: int, more: bool = True) -> str:
    """Set some columns of a table, names cut to so many columns, with or without the small print."""
    from tabulate import SEPARATING_LINE

    write = partial(short, columns=names)
    rows = []
    for row in table.rows:
        texts = []
        for number in columns:
            cell = _cell(row[number])
            text = _written(cell.text, write) if cell.points is None else style.points(cell.points)
            if cell.more and more:
                text += f" {visible(cell.more)}"
            texts.append(style.strong(text) if cell.strong else text)
        rows.append(texts)
    shown = [table.columns[number] for number in columns]
    # headings given as such would be widened by two columns each, and a narrow terminal needs those
    heads = [_written(column.head, write) for column in shown]
    aligned = "".join("r" if column.right else "l" for column in shown)
    text = tabulated([heads, SEPARATING_LINE, *rows], (), aligned)
    return "\n".join(line.rstrip() for line in text.splitlines()[1:-1])


def _cell(cell: Cell | str) -> Cell:
    return Cell(cell) if isinstance(cell, str) else cell


def _written(text: Text, write: Callable[[str], str]) -> str:
    return visible(text if isinstance(text, str) else text(write))


def _fits(text: str, style: Style) -> bool:
    # the rule below the heading is as wide as the table, and has no colour in it
    return text_width(text.splitlines()[1]) <= style.width


def table_html(table: Table, caption: str, kind: str = "") -> str:
    """Write a table for a page; *caption* is for who listens, *kind* the class of the table."""
    columns = [number for number, column in enumerate(table.columns) if column.only != "text"]
    heads = "".join(_head_html(table.columns[number]) for number in columns)
    rows = [_row_html(table, columns, row) for row in table.rows]
    bodies = []
    for title, count in table.sections or [("", len(rows))]:
        head = f'<tr class="sub"><th scope="rowgroup" colspan="{len(columns)}">{escaped(title)}</th></tr>'
        bodies.append([*([head] if title else []), *rows[:count]])
        del rows[:count]
    if table.total:
        bodies.append([_row_html(table, columns, table.total, ' class="total"')])
    parts = [
        spoken_caption(caption),
        f"<thead><tr>{heads}</tr></thead>",
        *(block("tbody", body) for body in bodies),
    ]
    return block('div class="wide"', [block(f'table class="{kind}"' if kind else "table", parts)])


def _class(column: Column, kind: str) -> str:
    kinds = " ".join(filter(None, ("n" if column.right else "", kind)))
    return f' class="{kinds}"' if kinds else ""


def _head_html(column: Column) -> str:
    head = escaped(_written(column.head, partial(short, columns=10)))
    spoken = f'<span class="spoken">{escaped(column.spoken)}</span>' if column.spoken else ""
    kind = "extra" if column.kind == "extra" else ""
    return f'<th scope="col"{_class(column, kind)}>{head}{spoken}</th>'


def _row_html(table: Table, columns: Iterable[int], row: Sequence[Cell | str], kind: str = "") -> str:
    cells = []
    for number in columns:
        column, cell = table.columns[number], _cell(row[number])
        text = escaped(_written(cell.text, str)) if cell.points is None else points(cell.points)
        if cell.link:
            text = f'<a href="#{cell.link}">{text}</a>'
        if cell.strong:
            text = f"<b>{text}</b>"
        if cell.more:
            text = f'{text} <small class="soft">{escaped(cell.more)}</small>'.strip()
        east = '<span class="east" title="East">E</span>' if cell.east else ""
        element, scope = ("th", ' scope="row"') if column.kind == "name" else ("td", "")
        cells.append(f"<{element}{scope}{_class(column, column.kind)}>{east}{text}</{element}>")
    return f"<tr{kind}>{''.join(cells)}</tr>"
