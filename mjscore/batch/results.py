"""Results written as JSON, CSV or text, and counted."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import PurePath
from typing import NamedTuple

from mjscore import __version__
from mjscore.page.json_text import json_line
from mjscore.page.text import name_of, signed
from mjscore.record.checker import Checked, still_open
from mjscore.record.spreadsheet import Layout
from mjscore.refusal import escape_controls, wrapped
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.settlement import Settlement

_SARIF_RUN = {
    "tool": {"driver": {"name": "mjscore", "version": __version__}},
    "columnKind": "unicodeCodePoints",
    "results": ["..."],
}
# the text before and after the results
SARIF = json.dumps(
    {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [_SARIF_RUN]}
).split('"..."')
_LINES = re.compile("\r?\n|\r")  # line breaks in a cell
CSV_COLUMNS = (
    "file", "line", "kind", "label", "hand", "rulebook", "seat", "round", "won", "score", "points", "doubles", "limit", "expected",
    "ok", "code", "message",
)  # fmt: skip


class ChunkResult(NamedTuple):
    """The results of a chunk as text, and how often each code of a mistake occurs (``differs`` for a wrong figure).

    *counts* has the number of results of each kind (``hand``, ``table``, ``line``, and ``open`` for hands being
    played), of refused ones (``refused``), and of those ``compared`` with an expected figure.
    """

    text: str
    counts: Counter[str]
    codes: Counter[str]
    bytes_read: int


def rendered(results: Iterable[Checked], output: str, size: int) -> ChunkResult:
    """Return results as text, counted; *size* is the number of bytes from which they were read.

    *output* is a format; ``text`` may be followed by the width in columns (``text 60``), ``csv`` by the names of
    the table's columns, in JSON.
    """
    form, _, columns = output.partition(" ")
    render = RENDERERS[form]
    if columns:
        key = {"text": "width", "csv": "columns"}[form]
        render = partial(render, **{key: json.loads(columns)})
    all_results = list(results)
    wrong = [[refusal.code for refusal in checked.refusals] for checked in all_results if not checked.ok]
    counts = Counter("open" if checked.is_open else checked.kind for checked in all_results)
    counts["refused"] = sum(map(bool, wrong))
    counts["compared"] = sum(
        checked.expected is not None or checked.scores_expected for checked in all_results
    )
    codes = Counter(code for refused in wrong for code in refused or ["differs"])
    return ChunkResult("".join(map(render, all_results)), counts, codes, size)


def _as_json(checked: Checked, ascii_only: bool) -> str:
    return "" if checked.kind == "blank" else json_line(checked.members(), ascii_only) + "\n"


def csv_columns(layouts: Iterable[Layout]) -> list[str]:
    """Return the columns' names of spreadsheets, then of results, called ``computed NAME`` if the name is taken."""
    own = {name: layout for layout in layouts for name in layout.header}
    others = {name for layout in own.values() for name in layout.others(CSV_COLUMNS)}
    results = (f"computed {name}" if name in others else name for name in CSV_COLUMNS)
    return [*own, *(name for name in results if name not in own)]


def as_csv(checked: Checked, columns: Iterable[str] = CSV_COLUMNS) -> str:
    """Format a result as a row of CSV with these *columns*, including the cells of its own spreadsheet."""
    if checked.kind == "blank":
        return csv_row({}, checked.cells, columns)
    members = checked.members()
    refusal = checked.refusals[0] if checked.refusals else None
    if isinstance(checked.outcome, Settlement):
        members.update(seat=checked.outcome.winner, score=_nets_text(checked.outcome.net))
    if isinstance(checked.expected, Mapping):
        members["expected"] = _nets_text(checked.expected)
    code = "open" if checked.amiss or (checked.missing and not refusal) else refusal.code if refusal else ""
    members.update(kind=checked.kind, code=code, message=refusal.message if refusal else "")
    return csv_row(members, checked.cells, columns)


def csv_row(members: Mapping[str, object], cells: Mapping[str, str], columns: Iterable[str]) -> str:
    """Format a row of CSV: each column has the spreadsheet's own cell if there is one, or else the result."""
    own = {name: "\n".join(map(for_spreadsheet, _LINES.split(cell))) for name, cell in cells.items()}
    results = ((name, members.get(name.removeprefix("computed "))) for name in columns)
    return _written([[own[name] if name in own else _field(result) for name, result in results]])


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Format rows as CSV, escaping whatever a spreadsheet would run as a formula."""
    return _written(map(_field, row) for row in rows)


def _written(rows: Iterable[Iterable[object]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def _field(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return for_spreadsheet(value) if isinstance(value, str) else value


def for_spreadsheet(text: str) -> str:
    """Escape *text* for a field of CSV, putting an apostrophe before what a spreadsheet would run as a formula."""
    escaped = escape_controls(text)
    sign, rest = escaped.lstrip()[:1], escaped.strip()[1:]
    # spreadsheets treat full-width signs alike
    if sign and (sign in "=@＝＠＋－" or (sign in "+-" and not (rest.isascii() and rest.isdigit()))):
        return f"'{escaped}"
    return escaped


def _nets_text(nets: Mapping[str, int]) -> str:
    return " ".join(f"{seat} {signed(points)}" for seat, points in nets.items())


def as_text(checked: Checked, width: int | None = None) -> str:
    """Return what is wrong with a hand, or that it is open, wrapped at *width* columns; empty if all is well."""
    lines = []
    if checked.is_open:
        lines.append(still_open(checked.state.file, checked.line, checked.missing, checked.refusals))
    difference = "" if checked.ok else _difference(checked)
    if difference:
        label = f'"{escape_controls(checked.label)}": ' if checked.label else ""
        lines.append(f"{escape_controls(checked.state.file)}:{checked.line}: {label}{difference}")
        if isinstance(checked.outcome, ScoreSheet):
            lines.append(f"  {checked.line} | {escape_controls(checked.text)}")
            lines += [] if checked.expected == "error" else [f"  {_sum_of(checked.outcome)}"]
    parts = [refusal.render(width) for refusal in checked.refusals if not checked.amiss]
    parts += [part for line in lines for part in wrapped(line, "    ", width)]
    return "".join(f"{part}\n" for part in parts)


def _difference(checked: Checked) -> str:
    """Return in words how a wrong result differs, and a code in brackets; empty if anything was refused."""
    outcome = checked.outcome
    if outcome.error is not None:
        return ""
    if isinstance(outcome, ScoreSheet):
        if checked.expected == "error":
            return f"expected to be refused, but it scores {outcome.score} [expected-error]"
        return f"{checked.expected} expected, {outcome.score} computed [expected-score]"
    expected = checked.expected if isinstance(checked.expected, Mapping) else {}
    wrong = [
        f"{name_of(seat, checked.seats)} {signed(points)} expected, {signed(outcome.net.get(seat, 0))} computed"
        for seat, points in expected.items()
        if outcome.net.get(seat) != points
    ]
    return f"{'; '.join(wrong)} [expected-net]" if wrong else ""


class _Finding(NamedTuple):
    """A mistake at a place in a file, with its code as *title*, or an open hand."""

    level: str
    title: str
    message: str
    file: str
    line: int
    column: int | None = None
    length: int = 1


def _findings(checked: Checked) -> list[_Finding]:
    file, findings = checked.state.file, []
    if checked.is_open:
        message = still_open(file, checked.line, checked.missing, checked.refusals)
        findings.append(_Finding("note", "open", message.partition(": ")[2], file, checked.line))
    message, _, code = ("" if checked.ok else _difference(checked)).rstrip("]").rpartition(" [")
    if code:
        findings.append(_Finding("error", code, message, file, checked.line))
    for refusal in () if checked.amiss else checked.refusals:
        text = f"{refusal.message}; help: {refusal.hint}" if refusal.hint else refusal.message
        place = refusal.file or file, refusal.line or checked.line, refusal.column, refusal.length
        findings.append(_Finding("error", refusal.code, text, *place))
    return findings


def _as_github(checked: Checked) -> str:
    """Format a result's mistakes as annotations, which GitHub shows beside the lines of a change."""
    lines = []
    for level, title, message, file, line, column, length in _findings(checked):
        place = f",col={column},endColumn={column + length}" if column else ""
        named = f"file={_percented(file, ':,')},line={line}{place},title={title}"
        lines.append(f"::{level.replace('note', 'notice')} {named}::{_percented(message)}\n")
    return "".join(lines)


def _percented(text: str, more: str = "") -> str:
    return "".join(f"%{ord(sign):02X}" if sign in f"%{more}" else sign for sign in escape_controls(text))


def _as_sarif(checked: Checked) -> str:
    """Format a result's mistakes as results for SARIF, each preceded by a comma."""
    from urllib.parse import quote

    written = []
    for level, title, message, file, line, column, length in _findings(checked):
        region = {"startLine": line}
        if column:
            region |= {"startColumn": column, "endColumn": column + length}
        path = {"uri": quote(PurePath(file).as_posix())}
        place = {"physicalLocation": {"artifactLocation": path, "region": region}}
        result = {"ruleId": title, "level": level, "message": {"text": message}, "locations": [place]}
        written.append(f",\n{json.dumps(result)}")
    return "".join(written)


def _sum_of(sheet: ScoreSheet) -> str:
    points = " + ".join(f"{item.points} {item.title.lower()}" for item in sheet.items)
    doubles = "".join(f", ×{2**line.doubles} {line.title.lower()}" for line in sheet.doubling)
    limit = f"; set by {sheet.limit}" if sheet.limit else ""
    return f"{points or 'nothing counted'}{doubles}{limit}"


RENDERERS: dict[str, Callable[[Checked], str]] = {
    "json": lambda checked: _as_json(checked, False),
    "json-ascii": lambda checked: _as_json(checked, True),
    "csv": as_csv,
    "github": _as_github,
    "sarif": _as_sarif,
    "text": as_text,
    "summary": lambda checked: "",
}
