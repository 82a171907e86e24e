"""One result of a checked file: a hand, a table or a refused line, expected against computed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mjscore.record.context import Occasion, State
from mjscore.record.ledger import Position
from mjscore.record.lines import Expected
from mjscore.record.source import SourceLine
from mjscore.refusal import PROGRAM_FAULT, Refusal, visible
from mjscore.scoring.sheet import ScoreSheet, plain
from mjscore.settling.settlement import Settlement


class Checked(NamedTuple):
    """One hand, table or refused line of a file, and whether it holds.

    *kind* is ``hand``, ``table`` or ``line``; *expected* what the file expects (a score, ``error``, or
    the nets by seat); *refusals* all that is wrong with it; *seats* who sat at which wind, *before* and
    *after* the ledger's positions, where the file names its players. *missing* are the players who have
    no line yet in an evening's last hand: it is open then, and its settlement holds what is known so far.
    *amiss* is true where the rows of that hand hold one by one and not together, as play keeps them until one is put
    right. *occasion* is what the file remembers of its table, *scores_expected* whether a row says what it scores.
    """

    file: str
    line: int
    text: str
    kind: str
    label: str | None
    outcome: ScoreSheet | Settlement
    expected: Expected | Mapping[str, int]
    ok: bool
    refusals: tuple[Refusal, ...] = ()
    seats: Mapping[str, str] = {}
    before: Position | None = None
    after: Position | None = None
    notes: tuple[str, ...] = ()
    rulebook: str = "harr"
    settings: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()
    occasion: Occasion = Occasion()
    scores_expected: bool = False
    amiss: bool = False

    @property
    def is_fault(self) -> bool:
        """Tell whether the program itself failed at it."""
        return any(refusal.code == PROGRAM_FAULT for refusal in self.refusals)

    def as_json(self) -> dict[str, object]:
        """Give the object that programs read: the outcome with file, line, label, expected, ok."""
        return plain(self.members())

    def members(self) -> dict[str, object]:
        """Give the members of that object, the items and sets of a score sheet as they are."""
        outcome = self.outcome
        members = outcome.members() if isinstance(outcome, ScoreSheet) else outcome.as_json()
        expected = dict(self.expected) if isinstance(self.expected, Mapping) else self.expected
        members["file"], members["line"], members["label"] = self.file, self.line, self.label
        members["expected"], members["ok"] = expected, self.ok
        if self.refusals:
            members["error"] = self.refusals[0].as_json()
            members["errors"] = [refusal.as_json() for refusal in self.refusals]
        if self.seats:
            members["players"] = dict(self.seats)
        if self.missing:
            members["open"] = True
        return members


def finished(
    state: State,
    head: SourceLine,
    kind: str,
    label: str | None,
    outcome: ScoreSheet | Settlement,
    expected: Expected | Mapping[str, int],
    ok: bool,
    refusals: tuple[Refusal, ...],
    **more: Any,
) -> tuple[State, Checked]:
    """Give the result of the line or block that begins with *head*, and the state after it: the notes went with it."""
    notes, context = state.notes, state.context
    checked = Checked(
        state.file, head.number, head.text, kind, label, outcome, expected, ok, refusals,
        notes=notes, rulebook=context.rulebook, settings=context.settings, **more,
    )  # fmt: skip
    return state._replace(notes=()) if notes else state, checked


def still_open(file: str, line: int, missing: Iterable[str]) -> str:
    """Tell what to say of an evening's last hand while players are *missing*."""
    names = ", ".join(visible(name) for name in missing)
    return f"{visible(file)}:{line}: the hand is open: nothing is said yet of {names}"


def placed(refusal: Refusal, file: str, line: SourceLine) -> Refusal:
    """Give a refusal of something in *line* with its place there; one of a rulebook's file keeps its own."""
    if refusal.file:
        return refusal
    column = refusal.column or 1
    length = refusal.length if refusal.column else max(1, len(line.text.rstrip()))
    return refusal._replace(file=file, line=line.number, column=column, length=length, text=line.text)
