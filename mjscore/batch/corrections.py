"""Correcting files: lines replaced as refusals suggest, scores as computed; other lines keep every byte."""

import contextlib
import errno
import gzip
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mjscore.atomic import whole_file
from mjscore.game.hand import Hand
from mjscore.record.checker import Checked, Reader, resolved_seat
from mjscore.record.context import Context
from mjscore.record.lines import PaysRow, SeatRow, parse_row
from mjscore.record.source import BYTE_ORDER_MARK, Block, SourceLine, blocks, open_table, read_lines
from mjscore.refusal import Refusal
from mjscore.scoring.sheet import ScoreSheet

_BEFORE_COMMENT = re.compile(r'(?:[^"#]|"[^"]*"?)*+')
_EXPECTED = re.compile(r"(?<!\s)\s*+=\s*+(?:error|[0-9]++)$")


class _NothingToCorrect(Exception):  # noqa: N818 - it is not an error
    """Raised to leave a file unchanged, since no line needs correcting."""


class Correction(NamedTuple):
    """A line before and after, ``fixed`` as its refusal suggested or with a figure ``changed`` or ``added``."""

    kind: str
    line: int
    before: str
    after: str


def corrected_file(
    path: str, target: str | None, context: Context, fix: bool = False, accept: bool = False
) -> list[Correction]:
    """Correct a file in place, or as the new file *target*, and return the corrections.

    With *fix*, a line whose refusal offers exactly one line is replaced by that. With *accept*, computed
    figures replace others or are added; a new file always gets missing scores. It is written whole or not at
    all, keeps mode and owner, and is not touched if there is nothing to correct. Raises OSError, also if the file was
    changed in the meantime, and FileExistsError if *target* exists.
    """
    before = os.stat(path)

    def check_unchanged(now: Path) -> None:
        after = os.stat(now)
        if (after.st_mtime_ns, after.st_size) != (before.st_mtime_ns, before.st_size):
            raise OSError(errno.EBUSY, "somebody has changed it in the meantime: try again", path)

    corrections: dict[int, Correction] = {}
    with (
        contextlib.suppress(_NothingToCorrect),
        whole_file(
            Path(target or path), new=target is not None, like=Path(path), check=check_unchanged
        ) as new,
        open_table(path) as old,
        open_table(path) as again,
    ):
        if target is None and isinstance(old, gzip.GzipFile):
            raise OSError(errno.EINVAL, "it is compressed: unpack it first", path)
        reader = Reader(path, context)
        for block in blocks(read_lines(old, path)):
            for correction in _corrected(reader, block, fix, accept, target is not None):
                first = corrections.get(correction.line, correction)
                corrections[correction.line] = first._replace(after=correction.after)
        if target is None and not corrections:
            raise _NothingToCorrect
        for number, raw in enumerate(iter(again.readline, b""), 1):
            new.write(_rewritten(raw, corrections[number].after) if number in corrections else raw)
    return list(corrections.values())


def _corrected(reader: Reader, block: Block, fix: bool, accept: bool, add: bool) -> Iterator[Correction]:
    """Yield corrections of refused lines if *fix*, then of figures: all if *accept*, missing if *add*."""
    state = reader.state
    results = reader.check_together((block,))
    if fix:
        lines = []
        for line in (block.head, *block.rows):
            refusals = [one for checked in results for one in checked.refusals if one.line == line.number]
            offered = next(filter(None, map(_offered, refusals)), "")
            if offered and line.text.strip() == refusals[0].text.strip():
                indent = line.text[: len(line.text) - len(line.text.lstrip())]
                yield Correction("fixed", line.number, line.text, indent + offered)
                line = line._replace(text=indent + offered)
            lines.append(line)
        block = block._replace(head=lines[0], rows=tuple(lines[1:]))
        reader.state = state
        results = reader.check_together((block,))
    for checked in results:
        for line, kind, after in _figures(block, checked):
            if accept or (add and kind == "added"):
                yield Correction(kind, line.number, line.text, after)


def _offered(refusal: Refusal) -> str:
    """Return the line that a refusal offers; empty unless it offers exactly one."""
    line = refusal.lines[0] if len(refusal.lines) == 1 else ""
    return line if refusal.hint == f"type {line}" else ""


def _figures(block: Block, checked: Checked) -> Iterator[tuple[SourceLine, str, str]]:
    """Yield each line whose figure is wrong or missing, with ``changed`` or ``added`` and the corrected line."""
    outcome = checked.outcome
    if isinstance(outcome, ScoreSheet):
        if checked.kind == "hand" and outcome.score is not None and outcome.score != checked.expected:
            kind = "added" if checked.expected is None else "changed"
            yield block.head, kind, _with_score(block.head.text, outcome.score)
        return
    for line in block.rows if outcome.error is None else ():  # all rows were parsed
        row = parse_row(line.text)
        if isinstance(row, SeatRow) and isinstance(row.given, Hand):
            sheet = outcome.sheets.get(resolved_seat(row.name, checked.seats))
            if sheet and sheet.score is not None and sheet.score != row.expected:
                kind = "added" if row.expected is None else "changed"
                yield line, kind, _with_score(line.text, sheet.score)
        if isinstance(row, PaysRow) and not checked.is_open:
            nets = [(name, outcome.net.get(resolved_seat(name, checked.seats), 0)) for name, _ in row.nets]
            if tuple(nets) != row.nets:
                written = _BEFORE_COMMENT.findall(line.text)[0].rstrip()
                indent = written[: len(written) - len(written.lstrip())]
                yield line, "changed", f"{indent}{PaysRow(tuple(nets))}{line.text[len(written) :]}"


def _with_score(text: str, score: int) -> str:
    """Return a line with *score* as its expected score."""
    line = _BEFORE_COMMENT.findall(text)[0].rstrip()
    return f"{_EXPECTED.sub('', line)} = {score}{text[len(line) :]}"


def _rewritten(raw: bytes, text: str) -> bytes:
    """Return *text* as bytes, with the byte order mark and the line ending of the old line *raw*."""
    mark = BYTE_ORDER_MARK if raw.startswith(BYTE_ORDER_MARK) else b""
    return mark + text.encode() + raw[len(raw.rstrip(b"\r\n")) :]
