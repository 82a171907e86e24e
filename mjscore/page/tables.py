"""Tables as values: columns with heads and cells, shown as text in the terminal's width or as HTML."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, zip_longest
from textwrap import wrap
from typing import NamedTuple

from mjscore.page.html import Markup, block, element, joined, points, spoken_caption
from mjscore.page.text import LONGEST_NAME, Style, filled, short, shown_width, signed
from mjscore.refusal import escape_controls, text_width

# a text; or a function that returns one, given a function that writes a player's name, possibly cut short
Text = str | Callable[[Callable[[str], str]], str]

NARROW = 80  # columns; in narrower terminals, sources are listed after all rules
_ALWAYS = 9  # the rank of a column that is always shown below its rows


class Cell(NamedTuple):
    """A text of one or several lines, or *points* won or lost, with *more* in small print.

    In a page it may also have a *link*, or a mark that the player was *east*.
    """

    text: Text = ""
    points: int | None = None
    more: str = ""
    strong: bool = False
    faint: bool = False
    link: str = ""
    east: bool = False


class Column(NamedTuple):
    """A column of a table: its head and cells, aligned *right* or left.

    If a terminal is too narrow, the columns of the highest *rank* are left out first, or put *below* their rows;
    those of rank 0 never, those of rank 9 always. Lines of more than *most* letters are wrapped with a hanging
    indent of *hang*.

    *only* is ``text`` or ``page`` for a column that only one of them shows; *kind* is the class of its cells in a
    page, where ``name`` makes row headings; *spoken* is a head for screen readers, *total* a cell below the others.
    """

    head: Text
    cells: Sequence[Cell]
    right: bool = True
    rank: int = 0
    below: bool = False
    most: int = 400
    hang: int = 0
    only: str = ""
    kind: str = ""
    spoken: str = ""
    total: Cell = Cell()


class Table(NamedTuple):
    """Columns; the first *leading* are repeated if a terminal has to show the others in several parts.

    If a terminal is too narrow, the columns in *narrowed* are wrapped in turn, each to its number of letters, the
    first of them to the room left; then names are cut to each length in *names* in turn. A narrow terminal shows the
    columns *second* separately under *second_title*. Everything is indented by *margin*. In a page, *sections* are
    titles with the number of rows under each.
    """

    columns: Sequence[Column]
    leading: int = 1
    narrowed: Sequence[tuple[int, int]] = ()
    second: Sequence[Column] = ()
    second_title: str = ""
    margin: int = 0
    sections: Sequence[tuple[str, int]] = ()
    names: Sequence[int] = (LONGEST_NAME, 9, 7)


def name_cell(name: str, strong: bool = False) -> Cell:
    """Return the cell of a player's name."""
    return Cell(lambda write: write(name), strong=strong)


def figures_of(name: str, cells: Sequence[Cell], total: Cell) -> Column:
    """Return the column of a player's figures."""
    return Column(lambda write: write(name), cells, total=total)


def columns_of(heads: Sequence[str], rows: Iterable[Sequence[object]], aligned: str) -> list[Column]:
    """Return columns of cells or one-line texts given in *rows*; *aligned* has ``l`` or ``r`` for each column."""
    columns = []
    for head, letter, cells in zip(heads, aligned, zip(*rows, strict=True), strict=True):
        lines = (f"  {line}" if letter == "r" else f"{line}  " for line in head.split("\n"))
        converted = [cell if isinstance(cell, Cell) else Cell(escape_controls(str(cell))) for cell in cells]
        columns.append(Column("\n".join(lines), converted, letter == "r"))
    return columns


def tabulated(heads: Sequence[str], rows: Iterable[Sequence[object]], aligned: str, style: Style) -> str:
    """Return a table as text: *rows* of texts or cells, in columns below their *heads*."""
    return show_table(Table(columns_of(heads, rows, aligned)), style)


def rows_table(rows: Sequence[tuple[str, str, str]], remarks: Sequence[str] = ()) -> Table:
    """Return the table of titles with figures and sources, which move below the titles if there is no room.

    *remarks* are always below the rows.
    """
    titles, figures, sources = zip(*rows, strict=True) if rows else ((), (), ())
    columns = [
        Column("", [Cell(f"{title:<16}") for title in titles], right=False),
        Column("", list(map(Cell, figures)), rank=1, below=True),
        Column("", [Cell(source, faint=True) for source in sources], right=False, rank=2, below=True),
        Column("", [Cell(text, faint=True) for text in remarks], right=False, rank=_ALWAYS, below=True),
    ]
    return Table(columns if remarks else columns[:-1], narrowed=((0, 28), (2, 18), (0, 16)), margin=2)


class Notes(dict[str, int]):
    """Numbered sources that do not fit beside their rules and are listed after them all."""

    def mark(self, source: str) -> str:
        """Return the mark that refers to a source, numbered at its first use; empty if there is no source."""
        return f" [{self.setdefault(source, len(self) + 1)}]" if source else ""

    def lines(self, style: Style) -> list[str]:
        """Return the sources with their numbers."""
        text = "  ".join(f"[{number}]\N{NO-BREAK SPACE}{source}" for source, number in self.items())
        return [style.faint(line.replace("\N{NO-BREAK SPACE}", " ")) for line in wrap(text, style.width)]


def show_table(table: Table, style: Style) -> str:
    """Return a table as text in the terminal's width; if needed wrapped, with cut names, fewer columns or in parts."""
    columns = [column for column in table.columns if column.only != "page"]
    if not table.second:
        return _fitting(table, columns, style)
    for names in table.names:
        fits, whole = _set(table, [*columns, *table.second], style, names)
        if fits:
            return whole
    first = _fitting(table, columns, style)
    second = _fitting(table, [*columns[: table.leading], *table.second], style)
    return "\n".join([first, "", style.strong(table.second_title), second])


def _fitting(table: Table, columns: Sequence[Column], style: Style) -> str:
    """Return columns as text, in the fullest form that fits (small print, high ranks, long names), or else in parts."""
    small_print = any(cell.more for column in columns for cell in column.cells)
    most = max(small_print, *(column.rank for column in columns if column.rank < _ALWAYS))
    for limit in range(most, -1, -1):
        for names in table.names if limit or len(table.names) == 1 else (*table.names, 6, 5, 4):
            fits, text = _set(table, columns, style, names, limit, limit == most)
            if fits:
                return text
    if len(columns) < 4:
        return text
    parts = []
    first = table.leading
    while first < len(columns):
        for end in range(len(columns), first, -1):
            fits, part = _set(table, [*columns[: table.leading], *columns[first:end]], style, table.names[-1])
            if fits:
                break
        parts.append(part)
        first = end
    return "\n\n".join(parts)


def _set(
    table: Table,
    columns: Sequence[Column],
    style: Style,
    names: int,
    limit: int = _ALWAYS - 1,
    more: bool = True,
) -> tuple[bool, str]:
    """Lay out columns of ranks up to *limit*, and return whether they fit, and the text.

    Names are cut to *names* columns; small print is shown only with *more*.
    """
    write = partial(short, columns=names)
    columns = [column._replace(cells=[Cell(column.head), *column.cells]) for column in columns]
    beside = [column for column in columns if column.rank <= limit]
    below = [column for column in columns if column.rank > limit and column.below]
    texts = [
        [_wrapped(_text(cell, write, more).split("\n"), column.most, column.hang) for cell in column.cells]
        for column in beside
    ]
    whole = [max(text_width(line) for lines in column for line in lines) for column in texts]
    room = style.width - table.margin - 2 * (len(whole) - 1)
    widths = _narrowed(whole, room, table.narrowed)
    tinted = [
        [
            [_tinted(line, cell, style) for line in _wrapped(lines, width, column.hang)]
            for lines, cell in zip(of_column, column.cells, strict=True)
        ]
        for of_column, width, column in zip(texts, widths, beside, strict=True)
    ]
    shown = []
    for number, lines in enumerate(
        _rows(tinted, widths, ["right" if one.right else "left" for one in beside])
    ):
        shown += [f"{'':{table.margin}}{line}".rstrip() for line in lines]
        shown += _below(below, number, style) if number else ()
    return sum(widths) <= room, "\n".join(shown)


def _rows(
    columns: Sequence[Sequence[Sequence[str]]], widths: Sequence[int], sides: Sequence[str]
) -> Iterator[list[str]]:
    """Yield the lines of each row, beginning with the heads and a rule below them, if there are heads."""
    heads, *rows = zip(*columns, strict=True)
    below = []
    if any(line.strip() for head in heads for line in head):
        widths = [max(shown_width(line) for cell in column for line in cell) for column in columns]
        below = ["  ".join("-" * width for width in widths)]
    else:
        heads = ()
    for cells in (heads, *rows):
        parts = zip_longest(*cells, fillvalue="")
        yield ["  ".join(map(filled, row, widths, sides)) for row in parts] + below
        below = []


def _narrowed(whole: Sequence[int], room: int, steps: Sequence[tuple[int, int]]) -> list[int]:
    """Return the widths of columns, narrowed in turn by *steps* (index of a column, width) until they fit the room."""
    widths = list(whole)
    for number, least in steps:
        if number < len(widths) and sum(widths) > room:
            widths[number] = min(widths[number], least)
    for number, _ in steps[:1]:
        widths[number] = max(widths[number], min(whole[number], widths[number] + room - sum(widths)))
    return widths


def _text(cell: Cell, write: Callable[[str], str], more: bool) -> str:
    text = written(cell.text, write) if cell.points is None else signed(cell.points)
    return f"{text} {escape_controls(cell.more)}" if cell.more and more else text


def _wrapped(lines: Iterable[str], width: int, hang: int) -> list[str]:
    """Return the *lines*, the long ones wrapped with a hanging indent of *hang* columns."""
    return [
        part
        for line in lines
        for part in (wrap(line, width, subsequent_indent=" " * hang) if text_width(line) > width else [line])
    ]


def _below(columns: Sequence[Column], number: int, style: Style) -> list[str]:
    """Return the lines of the cells shown below their row, each after the head of its column."""
    heads = [written(column.head, str).strip() for column in columns]
    lines = []
    for head, column in zip(heads, columns, strict=True):
        cell = column.cells[number]
        text = "  ".join(map(str.strip, _text(cell, str, True).split("\n")))
        label = f"    {head:<{max(map(len, heads))}}  " if head else "    "
        indent = " " * min(len(label), style.width // 2)
        below = wrap(label + text, style.width, subsequent_indent=indent) if text else ()
        lines += [_tinted(line, cell, style) for line in below]
    return lines


def _tinted(text: str, cell: Cell, style: Style) -> str:
    won = cell.points or 0
    for code, counts in ((32, won > 0), (31, won < 0), (1, cell.strong), (2, cell.faint)):
        text = style.tinted(text, code) if counts and text else text
    return text


def written(text: Text, write: Callable[[str], str]) -> str:
    """Return a text, with its names formatted by *write*."""
    return "\n".join(map(escape_controls, (text if isinstance(text, str) else text(write)).split("\n")))


def table_html(table: Table, caption: str, kind: str = "") -> Markup:
    """Return a table for a page; *caption* is for screen readers, *kind* is the table's class."""
    columns = [column for column in (*table.columns, *table.second) if column.only != "text"]
    heads = []
    for column in columns:
        head = written(column.head, partial(short, columns=10))
        spoken = element("span", column.spoken, class_="spoken") if column.spoken else None
        extra = "extra" if column.kind == "extra" else ""
        heads.append(element("th", head, spoken, scope="col", class_=_class(column, extra)))
    cells = zip(*(column.cells for column in columns), strict=True)
    rows = [element("tr", *map(_cell_html, columns, row)) for row in cells]
    left, bodies = iter(rows), []
    for title, count in table.sections or [("", len(rows))]:
        head = element("tr", element("th", title, scope="rowgroup", colspan=len(columns)), class_="sub")
        bodies.append(block("tbody", [head if title else None, *islice(left, count)]))
    totals = [column.total for column in columns]
    if any(total != Cell() for total in totals):
        bodies.append(block("tbody", [element("tr", *map(_cell_html, columns, totals), class_="total")]))
    parts = [spoken_caption(caption), element("thead", element("tr", *heads)), *bodies]
    return block("div", [block("table", parts, class_=kind)], class_="wide")


def _class(column: Column, kind: str) -> str:
    return " ".join(filter(None, ("n" if column.right else "", kind)))


def _cell_html(column: Column, cell: Cell) -> Markup:
    text: object = written(cell.text, str) if cell.points is None else points(cell.points)
    text = element("a", text, href=f"#{cell.link}") if cell.link else text
    text = element("b", text) if cell.strong else text
    more = element("small", cell.more, class_="soft") if cell.more else None
    east = element("span", "E", class_="east", title="East") if cell.east else None
    name, scope = ("th", "row") if column.kind == "name" else ("td", "")
    parts = joined(text, more, between=" ")
    return element(name, east, parts, scope=scope, class_=_class(column, column.kind))
