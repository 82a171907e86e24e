"""The steps from one text of an evening to the next, which undo and redo follow, even after a restart.

They are saved in the user's own folder, each in a file that only the user can read, written before the evening's
file. Steps are found by the hash of the text that they lead to, not by the file's path: it may be moved, copied or
renamed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Sequence
from itertools import count, takewhile
from operator import eq
from pathlib import Path
from typing import NamedTuple

from mjscore.atomic import write_whole
from mjscore.system import state_folder

_LAST = "last.mj"  # the head of the last evening
MOST_STEPS = 200
_LEFT_BEHIND = 3600  # seconds after which half-written files left by an interruption are removed


class Step(NamedTuple):
    """A change from the text with hash *before* to the text with hash *after*.

    From *line* on (counted from 0), the lines *old* became *new*. *kind* is ``do``, ``undo`` or ``redo``, or
    ``begin`` if an evening begins with a text that another evening may have had too; *words* describe the change.
    """

    kind: str
    before: str
    after: str
    line: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    words: str


def hash_of(text: str) -> str:
    """Return the hash that identifies a text."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def step_between(before: str, after: str, words: str) -> Step:
    """Return the step from one text to another."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    same = sum(1 for _ in takewhile(bool, map(eq, old, new)))
    behind = sum(1 for _ in takewhile(bool, map(eq, reversed(old[same:]), reversed(new[same:]))))
    changed = tuple(old[same : len(old) - behind]), tuple(new[same : len(new) - behind])
    return Step("do", hash_of(before), hash_of(after), same, *changed, words)


def beginning_of(text: str) -> Step:
    """Return the step that begins an evening with *text*."""
    return Step("begin", "", hash_of(text), 0, (), (), "")


def inverse(step: Step, kind: str) -> Step:
    """Return the reverse of a step, as a step of another *kind*."""
    return step._replace(kind=kind, before=step.after, after=step.before, old=step.new, new=step.old)


def applied(text: str, step: Step) -> str:
    """Return what a step that starts from *text* makes of it."""
    lines = text.splitlines(keepends=True)
    lines[step.line : step.line + len(step.old)] = step.new
    return "".join(lines)


def leading_to(text: str, steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return the unbroken chain of steps, oldest first, that ends at *text*."""
    found: tuple[Step, ...] = ()
    now = hash_of(text)
    for step in reversed(steps):
        if step.after == now:
            found, now = (step, *found), step.before
    return found


def to_undo_and_redo(steps: Sequence[Step]) -> tuple[list[Step], list[Step]]:
    """Return the steps that undo would take back, and those that redo would bring back, the next one last."""
    done: list[Step] = []
    undone: list[Step] = []
    for step in steps:
        match step.kind:
            case "begin":
                done, undone = [], []
            case "do":
                done, undone = [*done, step], []
            case "undo":
                done, undone = done[:-1], [*undone, inverse(step, "do")]
            case _:
                done, undone = [*done, step._replace(kind="do")], undone[:-1]
    return done, undone


def keep_last(text: str) -> None:
    """Save how an evening was played, as a proposal for the next; ignored if it cannot be saved."""
    if state_folder():
        with contextlib.suppress(OSError):
            Path(state_folder()).mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(Path(state_folder(), _LAST), text.encode(), mode=0o600)


def read_last() -> str:
    """Return the saved head of the last evening; empty if there is none."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return Path(state_folder() or os.devnull, _LAST).read_text(encoding="utf-8")
    return ""


def read_steps() -> tuple[Step, ...]:
    """Return the latest saved steps, of all evenings, in order; damaged ones are left out."""
    steps = []
    for path in _kept():
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            steps.append(_step_of(path.read_bytes()))
    return tuple(steps)


def keep_step(step: Step) -> str:
    """Save a step and remove the oldest; return why it could not be saved, or an empty text."""
    if not state_folder():
        return "there is no folder to keep steps in"
    folder = Path(state_folder(), "steps")
    data = json.dumps(step._asdict()).encode()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # the clock may have been set back
        last = max((int(path.stem) for path in _kept()), default=0)
        for number in count(max(time.time_ns(), last + 1)):
            with contextlib.suppress(FileExistsError):
                write_whole(folder / f"{number:020d}.json", data, new=True, mode=0o600)
                break
    except OSError as error:
        return f"{folder} cannot be written: {error.strerror}"
    with contextlib.suppress(OSError):
        for path in _kept()[:-MOST_STEPS]:
            os.unlink(path)
        for path in folder.glob(".mjscore-*"):
            if time.time() - os.stat(path).st_mtime > _LEFT_BEHIND:
                os.unlink(path)
    return ""


def _kept() -> list[Path]:
    """Return the files of the saved steps, oldest first."""
    folder = Path(state_folder() or os.devnull, "steps")
    names: list[str] = []
    with contextlib.suppress(OSError):
        names = os.listdir(folder)
    return [folder / name for name in sorted(names) if name.endswith(".json") and name[:-5].isdecimal()]


def _step_of(data: bytes) -> Step:
    """Return the step saved as *data*. Raises ValueError, KeyError, TypeError for anything else."""
    step = Step(**json.loads(data))
    step = step._replace(old=tuple(step.old), new=tuple(step.new))
    texts = (step.kind, step.before, step.after, step.words, *step.old, *step.new)
    if not all(isinstance(text, str) for text in texts) or not isinstance(step.line, int) or step.line < 0:
        raise ValueError("not a step")
    return step
