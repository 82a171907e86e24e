"""Spreadsheets saved as CSV or TSV: a column of hands, one of expected scores, and any others."""

import csv
import errno
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from mjscore.game.hand import quote_name
from mjscore.notation.names import ANYBODY
from mjscore.record.checker import Checked, after_head, check_block
from mjscore.record.context import Context, State
from mjscore.record.lines import HandLine, Line, parse_line
from mjscore.record.source import Block, SourceLine, open_table
from mjscore.refusal import Refused, escape_controls, refuse, whole
from mjscore.scoring.sheet import ScoreSheet

_NAMED = re.compile(r"\.[ct]sv(\.gz)?$", re.IGNORECASE)
_EXPECTED = re.compile("error|[0-9]+")
_SAYING = ("hand", "expected", "label", "seat", "round", "rulebook")  # columns that describe a hand
# a spreadsheet program may name the separator in a line above the head
_HEAD = re.compile(r"(?:sep=(.)(?:\r\n?|\n))?([^\r\n]*)")


class Row(NamedTuple):
    """A row: the *number* of the line on which it begins, and its cells."""

    number: int
    cells: tuple[str, ...]


class Layout(NamedTuple):
    """A spreadsheet's column names, all different; *places* are the indexes of those that describe a hand."""

    header: tuple[str, ...]
    places: Mapping[str, int]

    def cell(self, name: str, row: Row) -> str:
        """Return the cell of a row in the column *name*; empty if there is none."""
        place = self.places.get(name, len(row.cells))
        return row.cells[place].strip() if place < len(row.cells) else ""

    def others(self, results: Collection[str]) -> set[str]:
        """Return the user's columns named like *results*; if all are there, only those used as other ones."""
        says = {self.header[place]: name for name, place in self.places.items()}
        own = self.header if not set(results) <= set(self.header) else says
        return {name for name in own if name in results and says.get(name) != name}

    def kept(self, row: Row, results: Collection[str]) -> dict[str, str]:
        """Return the cells of a row by column, without earlier *results*."""
        cells = zip(self.header, (*row.cells, *[""] * len(self.header)), strict=False)
        own = {name: cell for name, cell in cells if name not in results}
        return own | {
            name: cell for name in self.places if name in results and (cell := self.cell(name, row))
        }


class Sheet(NamedTuple):
    """A spreadsheet that has been read."""

    path: str
    layout: Layout
    rows: tuple[Row, ...]


def read_sheet(path: str, hand: str | None, expected: str | None) -> Sheet | None:
    """Return a spreadsheet in UTF-8 or UTF-16, with any separator; None if *path* is not named like one.

    *hand* and *expected* name the columns of hands and scores, if these have other names; with *hand*, any file
    but an .mj file is a spreadsheet. Raises OSError, and Refused if the columns are missing.
    """
    if not _NAMED.search(path) and (hand is None or path.endswith(".mj")):
        return None
    text = _decoded(path)
    named = {"hand": hand, "expected": expected}
    words = {name: (named.get(name) or name).strip().casefold() for name in _SAYING}
    head = _HEAD.match(text)
    assert head is not None

    def fitting(separator: str) -> tuple[bool, int]:
        cells = [cell.strip().casefold() for cell in next(csv.reader([head[2]], delimiter=separator), [])]
        return words["hand"] in cells, len(cells)

    lines = io.StringIO(text[head.start(2) :], newline="")
    reader = csv.reader(lines, delimiter=head[1] or max(",;\t|", key=fitting))
    above = int(bool(head[1])) + 1
    rows: list[Row] = []
    first = above
    try:
        for cells in reader:
            rows.append(Row(first, tuple(cells)))
            first = above + reader.line_num
    except csv.Error as error:
        raise OSError(errno.EINVAL, f"line {first} cannot be read as a row: {error}", path) from None
    head_cells = rows.pop(0).cells if rows else ()
    layout = _laid_out(path, head_cells, words, named)
    return Sheet(path, layout, tuple(rows))


def _laid_out(
    path: str, cells: Iterable[str], words: Mapping[str, str], named: Mapping[str, str | None]
) -> Layout:
    """Return the layout of a table by the *cells* of its head. Raises Refused if a needed column is missing."""
    header: list[str] = []
    for place, cell in enumerate(map(str.strip, cells), 1):
        header.append(cell if cell and cell not in header else f"{cell} {place}".strip())
    called = list(map(str.casefold, header))
    places = {name: called.index(word) for name, word in words.items() if word in called}
    for name in ("hand", "expected"):
        if name not in places and (named[name] or name == "hand"):
            known = escape_controls(", ".join(header)[:200])
            raise refuse("no-column", name, file=path, name=named[name] or name, known=known)
    return Layout(tuple(header), places)


def _decoded(path: str) -> str:
    """Return the text of a file in UTF-8 or UTF-16. Raises OSError."""
    with open_table(path, utf_16=True) as stream:
        data = b"".join(iter(partial(stream.readline, 1 << 20), b""))
    encoding = "utf-16-be" if data[:1] == b"\0" else "utf-16-le" if data[1:2] == b"\0" else "utf-8-sig"
    try:
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else encoding)
    except UnicodeError:
        raise OSError(errno.EILSEQ, "it is neither UTF-8 nor UTF-16: save it as CSV UTF-8", path) from None


def _check_row(layout: Layout, row: Row, file: str) -> None:
    """Raise Refused unless a row fits the head and its expected score, if any, is valid."""
    for cell in filter(None, row.cells[len(layout.header) :]):
        at = whole(cell, row.number, file)
        raise refuse("row-cells", at=at, count=len(row.cells), columns=len(layout.header))
    expected = layout.cell("expected", row)
    if expected and not _EXPECTED.fullmatch(expected):
        at = whole(expected, row.number, file)
        raise refuse("bad-expected", "figure", at=at, said=escape_controls(expected[:40]))


def _state_at(layout: Layout, row: Row, state: State) -> State:
    """Return the state for the hand in a row. Raises Refused for an unknown wind or rulebook."""
    winds: dict[str, str | None] = {"seat": state.context.seat, "round": state.context.round}
    for name in winds:
        if cell := layout.cell(name, row):
            winds[name] = ANYBODY.named(cell)
            if winds[name] is None:
                at = whole(cell, row.number, state.file)
                raise refuse("no-wind", at=at, name=name, cell=escape_controls(cell[:20]))
    state = state._replace(context=state.context._replace(seat=winds["seat"], round=winds["round"]))
    if (book := layout.cell("rulebook", row)) and book not in (state.context.rulebook, state.book.id):
        state = after_head(state, SourceLine(row.number, f"rulebook {quote_name(book)}"))
        if state.context.refused is not None:
            raise Refused(state.context.refused.at(whole(book, row.number, state.file)))
    return state


def read_rows(
    layout: Layout, rows: Iterable[Row], before: State, results: Collection[str]
) -> Iterator[tuple[Row, SourceLine, State, dict[str, str]]]:
    """Yield each row, its hand as a line, its state, and its cells without earlier *results*."""
    results = set(results) - layout.others(results)
    states: dict[tuple[str, ...], State] = {}  # most rows have the same settings
    for row in rows:
        line, state = SourceLine(row.number, layout.cell("hand", row)), before
        try:
            _check_row(layout, row, before.file)
            place = layout.cell("seat", row), layout.cell("round", row), layout.cell("rulebook", row)
            state = states.get(place) or states.setdefault(place, _state_at(layout, row, before))
        except Refused as refused:
            line = line._replace(refusal=refused.refusal)
        yield row, line, state, layout.kept(row, results)


def check_rows(
    layout: Layout, rows: Iterable[Row], file: str, context: Context, results: Collection[str]
) -> Iterator[Checked]:
    """Yield the results of rows with their cells, without earlier *results*; a row without a hand is *blank*."""
    for row, line, state, cells in read_rows(layout, rows, State.before(file, context), results):
        if not line.text:
            sheet, cells = ScoreSheet("", None, None, None, None, None, None), layout.kept(row, ())
            yield Checked(state, row.number, "", "blank", None, sheet, None, True, cells=cells)
            continue
        if expected := layout.cell("expected", row):
            line = line._replace(text=f"{line.text} = {expected}")
        for checked in check_block(state, Block(line), _hand_line)[1]:
            yield checked._replace(label=layout.cell("label", row) or checked.label, cells=cells)


def _hand_line(text: str) -> Line:
    """Return the hand in the text of a cell. Raises Refused if the text is something else."""
    line = parse_line(text)
    if not isinstance(line, HandLine):
        raise refuse("no-hand", at=whole(text))
    return line
