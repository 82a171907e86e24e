"""What was done, as values that lead from one text of an evening to the next: what undo and redo go by."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

MOST_STEPS = 200


class Step(NamedTuple):
    """What was done: from the text whose hash is *before* to that of *after*, from *line* on (counted from 0) the
    lines *old* have become *new*. *kind* is ``do``, ``undo`` or ``redo``; *words* say what it was.
    """

    kind: str
    before: str
    after: str
    line: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    words: str


def hash_of(text: str) -> str:
    """Give the hash by which a text is known."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def step_between(before: str, after: str, words: str) -> Step:
    """Give the step from one text to another."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    same = next(
        (number for number, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]),
        min(len(old), len(new)),
    )
    room = min(len(old), len(new)) - same
    behind = next(
        (number for number in range(room) if old[-1 - number] != new[-1 - number]),
        room,
    )
    changed = tuple(old[same : len(old) - behind]), tuple(new[same : len(new) - behind])
    return Step("do", hash_of(before), hash_of(after), same, *changed, words)


def inverse(step: Step, kind: str) -> Step:
    """Give the step back."""
    return step._replace(kind=kind, before=step.after, after=step.before, old=step.new, new=step.old)


def applied(text: str, step: Step) -> str:
    """Give the text after a step that begins at it."""
    lines = text.splitlines(keepends=True)
    lines[step.line : step.line + len(step.old)] = step.new
    return "".join(lines)


def leading_to(text: str, steps: Sequence[Step]) -> tuple[Step, ...]:
    """Of *steps* in the order in which they were done those that lead to a text, one from the other."""
    found: list[Step] = []
    now = hash_of(text)
    for step in reversed(steps):
        if step.after == now:
            found.append(step)
            now = step.before
    return tuple(reversed(found))


def to_undo_and_redo(steps: Sequence[Step]) -> tuple[list[Step], list[Step]]:
    """Tell what undo would take back and what redo would bring back, the next one last, as steps forward."""
    done: list[Step] = []
    undone: list[Step] = []
    for step in steps:
        if step.kind == "do":
            done.append(step)
            undone.clear()
        elif step.kind == "undo":
            undone.append(inverse(step, "do"))
            del done[-1:]
        else:
            done.append(step._replace(kind="do"))
            del undone[-1:]
    return done, undone
