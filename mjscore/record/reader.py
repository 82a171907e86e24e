"""Files checked block by block: expected against computed.

``check_block`` is the whole of it, and pure: the state before a block and the block go in, the state
after it and its results come out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mjscore.notation.places import located
from mjscore.record.checked import Checked, finished, placed
from mjscore.record.context import Context, State, after_line
from mjscore.record.lines import (
    EXPECTS_ERROR,
    BlockLine,
    EventLine,
    HandLine,
    HeaderLine,
    Line,
    parse_line,
    parse_row,
)
from mjscore.record.source import Block, SourceLine, read_blocks
from mjscore.record.tables import check_table, resolved_seat
from mjscore.refusal import PROGRAM_FAULT, Place, Refusal, Refused, program_fault, refuse
from mjscore.scoring.checks import placed_hand
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.sheet import refused_sheet

__all__ = ["Checked", "Context", "Reader", "State", "check_block", "check_file", "resolved_seat"]

Results = tuple[Checked, ...]


class Reader:
    """Checks the blocks of one file in order; *state* is what those so far leave for the next."""

    def __init__(self, file: str, context: Context) -> None:
        self.state = State.before(file, context)

    def check(self, found: Iterable[Block]) -> Iterator[Checked]:
        """Give the results of blocks; lines that only set something give none unless refused."""
        for block in found:
            yield from self._check(block, self._read(block))

    def check_together(self, found: Iterable[Block]) -> list[Checked]:
        """Give the results of blocks that are all in memory, in a quarter less time than one by one.

        All are read before the first is checked: a processor is quicker at more of the same.
        """
        together = list(found)
        results: list[Checked] = []
        for block, line in zip(together, [self._read(block) for block in together], strict=True):
            results += self._check(block, line)
        return results

    def _read(self, block: Block) -> Line | Refusal:
        try:
            return _read(block.head)
        except Exception as error:
            return program_fault(error)

    def _check(self, block: Block, line: Line | Refusal) -> Results:
        try:
            self.state, results = _check_read(self.state, block, line)
        except Exception as error:
            # a fault in one line never costs the others
            self.state, results = _refused_line(self.state, block.head, program_fault(error))
        return results


def check_block(state: State, block: Block) -> tuple[State, Results]:
    """Give the state after one line and its rows, and their results."""
    return _check_read(state, block, _read(block.head))


def _read(head: SourceLine) -> Line | Refusal:
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


def _check_read(state: State, block: Block, line: Line | Refusal) -> tuple[State, Results]:
    """Give the same of a block whose first line has been read."""
    head = block.head
    results: Results = ()
    if isinstance(line, HandLine):
        state, results = _check_hand(state, line, head)
    elif isinstance(line, BlockLine | EventLine):
        state, checked = check_table(state, line, block)
        return state, (checked,)
    elif isinstance(line, Refusal):
        state, results = _refused_line(state, head, line)
        if not EXPECTS_ERROR.search(head.text):
            # what is wrong with the rows below a refused line is said too
            for row in () if head.refusal is not None or _is_indented(head) else block.rows:
                try:
                    parse_row(row.text)
                except Refused as refused:
                    state, more = _refused_line(state, row, refused.refusal)
                    results += more
            return state, results
    else:
        state, refusal = after_line(state, line, head.number)
        if refusal is not None:
            if isinstance(line, HeaderLine) and line.word == "rules":
                column = head.text.index(line.value) + 1
                refusal = refusal._replace(column=column, length=len(line.value))
            state, results = _refused_line(state, head, refusal)
    for row in block.rows:
        stray = _stray_row(row, "an indented line belongs to a block, and the line above begins none")
        state, more = _refused_line(state, row, stray)
        results += more
    return state, results


def _is_indented(line: SourceLine) -> bool:
    return line.text[:1] in (" ", "\t")


def _check_hand(state: State, line: HandLine, head: SourceLine) -> tuple[State, Results]:
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
    state, checked = finished(state, head, "hand", line.label, sheet, expected, holds, refusals)
    return state, (checked,)


def _refused_line(state: State, line: SourceLine, refusal: Refusal) -> tuple[State, Results]:
    refusal = placed(refusal, state.file, line)
    holds = refusal.code != PROGRAM_FAULT and bool(EXPECTS_ERROR.search(line.text))
    label = line.text[1:].partition('"') if line.text.startswith('"') else ("", "", "")
    sheet = refused_sheet(refusal, state.context.rulebook)
    state, checked = finished(
        state, line, "line", label[0] if label[1] else None, sheet, "error" if holds else None, holds,
        () if holds else (refusal,),
    )  # fmt: skip
    return state, (checked,)


def _stray_row(row: SourceLine, message: str) -> Refusal:
    hint = "begin the line at the margin, or put hand above it"
    return refuse("stray-row", message, hint, at=Place(row.text, 0, len(row.text))).refusal


def check_file(path: str, context: Context) -> Iterator[Checked]:
    """Give the results of every hand and table of a file, in order. Raises OSError where it cannot be read."""
    reader = Reader(path, context)
    return reader.check(read_blocks(path, reader.state.file))
