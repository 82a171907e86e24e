"""Files checked block by block: expected against computed.

``check_block`` is the whole of it, and pure: the state before a block and the block go in, the state
after it and its results come out.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from mjscore.notation.places import located
from mjscore.record.checked import Checked, placed
from mjscore.record.context import Context, State, after_line
from mjscore.record.ledger import Position
from mjscore.record.lines import (
    EXPECTS_ERROR,
    BlockLine,
    EventLine,
    Expected,
    FingerprintLine,
    HandLine,
    Line,
    parse_line,
    parse_row,
)
from mjscore.record.source import Block, SourceLine, blocks, open_table, read_lines
from mjscore.record.tables import check_event, check_table, resolved_seat
from mjscore.refusal import PROGRAM_FAULT, Refusal, Refused, program_fault
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.checks import placed_hand
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.sheet import ScoreSheet, refused_sheet

__all__ = ["Checked", "Context", "Reader", "State", "check_block", "check_file", "resolved_seat"]

Results = tuple[Checked, ...]


class Reader:
    """Checks the blocks of one file in order; *state* is what those so far leave for the next."""

    def __init__(self, file: str, context: Context) -> None:
        self.state = State(file, context)

    @property
    def file(self) -> str:
        """Give the file's name."""
        return self.state.file

    @property
    def context(self) -> Context:
        """Rulebook, options and round of the next block."""
        return self.state.context

    @property
    def position(self) -> Position | None:
        """Tell where the evening stands; None where no players are named."""
        return self.state.position

    def book(self) -> Rulebook:
        """Give the rulebook in force. Raises Refused."""
        return self.state.context.book()

    def check(self, found: Iterable[Block]) -> Iterator[Checked]:
        """Give the results of blocks; lines that only set something give none unless refused."""
        for block in found:
            yield from self.check_block(block)

    def check_together(self, found: Iterable[Block]) -> list[Checked]:
        """Give the results of blocks that are all in memory, in a quarter less time than one by one.

        All are read before the first is checked: a processor is quicker at more of the same.
        """
        together = list(found)
        results: list[Checked] = []
        for block, line in zip(together, [_read(block.head) for block in together], strict=True):
            results += self._check(block, line)
        return results

    def check_block(self, block: Block) -> Results:
        """Give the results of one line and its rows."""
        return self._check(block, _read(block.head))

    def _check(self, block: Block, line: Line | Refusal) -> Results:
        try:
            self.state, results = check_read(self.state, block, line)
        except Exception as error:
            # a fault in one line never costs the others
            self.state, results = _refused_line(self.state, block.head, program_fault(error))
        return results


def _read(head: SourceLine) -> Line | Refusal:
    try:
        return read_head(head)
    except Exception as error:
        return program_fault(error)


def check_block(state: State, block: Block) -> tuple[State, Results]:
    """Give the state after one line and its rows, and their results."""
    return check_read(state, block, read_head(block.head))


def read_head(head: SourceLine) -> Line | Refusal:
    """Tell what a line that begins a block says, or why it says nothing."""
    if head.refusal is not None:
        return head.refusal
    if _is_indented(head):
        return _stray_row(head, "an indented line belongs to the block above it, and there is none")
    if head.record is not None:
        line: Line = head.record
        return line
    try:
        return parse_line(head.text)
    except Refused as refused:
        return refused.refusal


def check_read(state: State, block: Block, line: Line | Refusal) -> tuple[State, Results]:
    """Give the same of a block whose first line has been read by ``read_head``."""
    head = block.head
    if isinstance(line, Refusal):
        below = () if head.refusal is not None or _is_indented(head) else _unreadable_rows(block)
        if not EXPECTS_ERROR.search(head.text):
            return _refused_lines(state, [(head, line), *below])
        state, refused = _refused_line(state, head, line)
        return _with_stray_rows(state, block, refused)
    if isinstance(line, HandLine):
        state, checked = _check_hand(state, line, head)
        return _with_stray_rows(state, block, (checked,)) if block.rows else (state, (checked,))
    if isinstance(line, BlockLine):
        state, checked = check_table(state, line, block)
        return state, (checked,)
    if isinstance(line, EventLine):
        state, checked = check_event(state, line, block)
        return state, (checked,)
    state, refusal = after_line(state, line, head.number)
    results: Results = ()
    if refusal is not None:
        state, results = _refused_line(state, head, _underlined(refusal, line, head))
    return _with_stray_rows(state, block, results)


def _is_indented(line: SourceLine) -> bool:
    return line.text[:1] in (" ", "\t")


def _underlined(refusal: Refusal, line: Line, head: SourceLine) -> Refusal:
    if isinstance(line, FingerprintLine):
        column = head.text.index(line.fingerprint) + 1
        return refusal._replace(column=column, length=len(line.fingerprint))
    return refusal


def _check_hand(state: State, line: HandLine, head: SourceLine) -> tuple[State, Checked]:
    context = state.context
    expected, hand = line.expected, line.hand
    refusals: tuple[Refusal, ...] = ()
    try:
        book = context.book()
        hand = placed_hand(hand, context.seat, context.round)
        sheet = score_hand(hand, book).sheet
        holds = expected is None or expected == sheet.score
    except Refused as refused:
        refusal = placed(located(refused.refusal, head.text), state.file, head)
        sheet = refused_sheet(refusal, context.rulebook, hand)
        holds = expected == "error"
        refusals = () if holds else (refusal,)
    return _result(state, head, "hand", line.label, sheet, expected, holds, refusals)


def _result(
    state: State,
    head: SourceLine,
    kind: str,
    label: str | None,
    sheet: ScoreSheet,
    expected: Expected,
    ok: bool,
    refusals: tuple[Refusal, ...],
) -> tuple[State, Checked]:
    context, notes = state.context, state.notes
    checked = Checked(
        state.file, head.number, head.text, kind, label, sheet, expected, ok, refusals,
        {}, None, None, "", notes, context.rulebook, context.settings,
    )  # fmt: skip
    return state._replace(notes=()) if notes else state, checked


def _refused_line(state: State, line: SourceLine, refusal: Refusal) -> tuple[State, Results]:
    refusal = placed(refusal, state.file, line)
    holds = refusal.code != PROGRAM_FAULT and bool(EXPECTS_ERROR.search(line.text))
    sheet = refused_sheet(refusal, state.context.rulebook)
    expected = "error" if holds else None
    refusals = () if holds else (refusal,)
    state, checked = _result(state, line, "line", _label_of(line.text), sheet, expected, holds, refusals)
    return state, (checked,)


def _refused_lines(state: State, refused: Iterable[tuple[SourceLine, Refusal]]) -> tuple[State, Results]:
    results: Results = ()
    for line, refusal in refused:
        state, more = _refused_line(state, line, refusal)
        results += more
    return state, results


def _unreadable_rows(block: Block) -> Iterator[tuple[SourceLine, Refusal]]:
    """Give the rows below a refused line are not lost: what is wrong with them is said too."""
    for row in block.rows:
        try:
            parse_row(row.text)
        except Refused as refused:
            yield row, refused.refusal


def _with_stray_rows(state: State, block: Block, results: Results) -> tuple[State, Results]:
    message = "an indented line belongs to a block, and the line above begins none"
    stray = [(row, _stray_row(row, message)) for row in block.rows]
    state, more = _refused_lines(state, stray)
    return state, results + more


def _stray_row(row: SourceLine, message: str) -> Refusal:
    hint = "begin the line at the margin, or put hand above it"
    return Refusal("stray-row", message, hint, 1, 1, max(1, len(row.text)), row.text)


def _label_of(text: str) -> str | None:
    if text.startswith('"') and '"' in text[1:]:
        return text[1 : text.index('"', 1)]
    return None


def check_file(path: str, context: Context) -> Iterator[Checked]:
    """Give the results of every hand and table of a file, in order. Raises OSError where it cannot be read."""
    folder = os.path.dirname(path) if path != "-" else ""
    reader = Reader(path if path != "-" else "<stdin>", context._replace(folder=context.folder or folder))
    with open_table(path) as stream:
        yield from reader.check(blocks(read_lines(stream, reader.file)))
