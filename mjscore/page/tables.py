"""Tables as values: columns with their heads and rows of cells, shown as text in a terminal's width and as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from mjscore.page.markup import escaped, points, spoken_caption
from mjscore.page.text import LONGEST_NAME, Style, short
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
    whole = next(_texts(table, columns, style))
    for whole in _texts(table, columns, style, fewer=False):
        if fits(whole, style):
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
        if fits(text, style):
            return text
    if len(columns) < 4:
        return text
    write = partial(short, columns=table.names[-1])
    parts = []
    first = table.leading
    while first < len(columns):
        for end in range(len(columns), first, -1):
            part = _text(table, [*columns[: table.leading], *columns[first:end]], style, write, True)
            if fits(part, style):
                break
        parts.append(part)
        first = end
    return "\n\n".join(parts)


def _texts(table: Table, columns: Sequence[int], style: Style, fewer: bool = True) -> Iterator[str]:
    """Give the forms of a table, the fullest first; with *fewer* those too that leave out what tells least."""
    most = max(table.columns[number].rank for number in columns)
    small_print = any(isinstance(cell, Cell) and cell.more for row in table.rows for cell in row)
    most = max(most, int(small_print))
    for limit in range(most, -1, -1) if fewer else (most,):
        shown = [number for number in columns if table.columns[number].rank <= limit]
        widths = table.names if limit or not fewer or len(table.names) == 1 else (*table.names, 6, 5, 4)
        for width in widths:
            yield _text(table, shown, style, partial(short, columns=width), limit == most)


def _text(table: Table, columns: Sequence[int], style: Style, write: Callable[[str], str], more: bool) -> str:
    return text_table(
        [[_cell_text(row[number], style, write, more) for number in columns] for row in table.rows],
        [_written(table.columns[number].head, write) for number in columns],
        "".join("r" if table.columns[number].right else "l" for number in columns),
    )


def _cell_text(cell: Cell | str, style: Style, write: Callable[[str], str], more: bool) -> str:
    if isinstance(cell, str):
        return visible(cell)
    text = _written(cell.text, write) if cell.points is None else style.points(cell.points)
    if cell.more and more:
        text += f" {visible(cell.more)}"
    return style.strong(text) if cell.strong else text


def _written(text: Text, write: Callable[[str], str]) -> str:
    return visible(text if isinstance(text, str) else text(write))


def text_table(rows: Sequence[Sequence[str]], heads: Sequence[str], aligned: str) -> str:
    """Set a table in columns; *aligned* has a letter for each, ``l`` or ``r``."""
    from tabulate import SEPARATING_LINE, tabulate

    # headings given as such would be widened by two columns each, and a narrow terminal needs those
    text = tabulate(
        [heads, SEPARATING_LINE, *rows],
        tablefmt="simple",
        disable_numparse=True,
        colalign=["left" if letter == "l" else "right" for letter in aligned],
    )
    return "\n".join(line.rstrip() for line in text.splitlines()[1:-1])


def fits(text: str, style: Style) -> bool:
    """Tell whether a table is no wider than the terminal."""
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
    listed = "\n".join("<tbody>\n" + "\n".join(body) + "\n</tbody>" for body in bodies)
    opening = f'<table class="{kind}">' if kind else "<table>"
    return (
        f'<div class="wide">\n{opening}\n{spoken_caption(caption)}\n<thead><tr>{heads}</tr></thead>\n'
        f"{listed}\n</table>\n</div>"
    )


def _class(column: Column) -> str:
    kinds = " ".join(filter(None, ("n" if column.right else "", column.kind)))
    return f' class="{kinds}"' if kinds else ""


def _head_html(column: Column) -> str:
    head = escaped(_written(column.head, partial(short, columns=10)))
    spoken = f'<span class="spoken">{escaped(column.spoken)}</span>' if column.spoken else ""
    return f'<th scope="col"{_class(column._replace(kind=column.kind if column.kind == "extra" else ""))}>{head}{spoken}</th>'


def _row_html(table: Table, columns: Iterable[int], row: Sequence[Cell | str], kind: str = "") -> str:
    cells = []
    for number in columns:
        column, cell = table.columns[number], row[number]
        cell = Cell(cell) if isinstance(cell, str) else cell
        element, scope = ("th", ' scope="row"') if column.kind == "name" else ("td", "")
        cells.append(f"<{element}{scope}{_class(column)}>{_cell_html(cell)}</{element}>")
    return f"<tr{kind}>{''.join(cells)}</tr>"


def _cell_html(cell: Cell) -> str:
    text = escaped(_written(cell.text, str)) if cell.points is None else points(cell.points)
    if cell.link:
        text = f'<a href="#{cell.link}">{text}</a>'
    if cell.strong:
        text = f"<b>{text}</b>"
    if cell.more:
        text = f'{text} <small class="soft">{escaped(cell.more)}</small>'.strip()
    return ('<span class="east" title="East">E</span>' if cell.east else "") + text
