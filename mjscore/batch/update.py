"""Writing computed scores behind the hands of a file that have none, into a new file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from mjscore.atomic import whole_file
from mjscore.game.hand import Hand
from mjscore.record.checker import Checked, Reader, resolved_seat
from mjscore.record.context import Context
from mjscore.record.lines import SeatRow, parse_row
from mjscore.record.source import Block, blocks, open_table, read_lines
from mjscore.scoring.sheet import ScoreSheet

_BEFORE_COMMENT = re.compile(rb'(?:[^"#]|"[^"]*"?)*+')


class Updated(NamedTuple):
    """How many scores were *added*, and the results that do not hold: lines refused, figures that differ."""

    added: int
    wrong: tuple[Checked, ...]


def updated_file(path: str, target: str, context: Context) -> Updated:
    """Copy *path* to *target* with the scores that were missing.

    Lines that have a score, even another one, are refused, or are no hands stay exactly as they are. The new file has the
    mode and owner of the old one, and appears whole or not at all. Raises OSError, and FileExistsError for
    a target that exists.
    """
    reader = Reader(path, context)
    with (
        whole_file(Path(target), new=True, like=Path(path)) as new,
        open_table(path) as old,
        open_table(path) as again,
    ):
        scores: dict[int, int] = {}
        wrong: list[Checked] = []
        for block in blocks(read_lines(old, path)):
            for checked in reader.check((block,)):
                wrong += [] if checked.ok else [checked]
                scores |= _missing_scores(block, checked)
        for number, raw in enumerate(iter(again.readline, b""), 1):
            new.write(_with_score(raw, scores[number]) if number in scores else raw)
    return Updated(len(scores), tuple(wrong))


def _missing_scores(block: Block, checked: Checked) -> dict[int, int]:
    """Return the scores of the hands of a block that have none, by line number."""
    outcome = checked.outcome
    sheets: dict[int, ScoreSheet | None] = {}
    if isinstance(outcome, ScoreSheet):
        if checked.kind == "hand" and checked.expected is None:
            sheets[block.head.number] = outcome
    elif outcome.error is None:  # all rows can be read
        for source in block.rows:
            row = parse_row(source.text)
            if isinstance(row, SeatRow) and isinstance(row.given, Hand) and row.expected is None:
                sheets[source.number] = outcome.sheets.get(resolved_seat(row.name, checked.seats))
    return {line: sheet.score for line, sheet in sheets.items() if sheet and sheet.score is not None}


def _with_score(raw: bytes, score: int) -> bytes:
    """Return a line with ``= score`` put before its comment and its line ending."""
    before = _BEFORE_COMMENT.match(raw)
    assert before is not None
    hand = before[0].rstrip()
    return hand + f" = {score}".encode() + raw[len(hand) :]
