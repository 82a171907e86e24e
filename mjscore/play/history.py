"""The steps of evenings on the disk, in the user's own folder: undo and redo go by them after a restart too.

Each step is a file of its own, readable by the user alone and written before the evening's file is. Steps are found by
the hash of the text that they lead to, not by where the evening stands: it may be moved, copied or called otherwise.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from pathlib import Path
from typing import Any

from mjscore.atomic import write_whole
from mjscore.play.steps import MOST_STEPS, Step

_LEFT_BEHIND = 3600  # seconds after which what a stop left half-written is taken away


class History:
    """The last steps that were done, of all evenings; *problem* says why one could not be kept."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder, "steps") if folder else None
        self.problem = "" if folder else "there is no folder to keep steps in"

    def read(self) -> tuple[Step, ...]:
        """Give the steps that are kept, in the order in which they were done; what is damaged is left out."""
        steps = []
        for name in self._names():
            with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
                steps.append(_step_of(json.loads((self._folder / name).read_bytes())))  # type: ignore[operator]
        return tuple(steps)

    def add(self, step: Step) -> bool:
        """Keep a step; False where that cannot be."""
        if self._folder is None:
            return False
        data = json.dumps(step._asdict()).encode()
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._write(data)
        except OSError as error:
            self.problem = f"{self._folder} cannot be written: {error.strerror}"
            return False
        with contextlib.suppress(OSError):
            self._take_away_old()
        return True

    def _write(self, data: bytes) -> None:
        assert self._folder is not None
        number = time.time_ns()
        names = self._names()
        if names:  # the clock may have been put back
            number = max(number, int(names[-1].partition(".")[0]) + 1)
        while True:
            try:
                write_whole(self._folder / f"{number:020d}.json", data, new=True, mode=0o600)
            except FileExistsError:
                number += 1
            else:
                return

    def _names(self) -> list[str]:
        """Give the files of the steps, the oldest first."""
        if self._folder is None:
            return []
        try:
            names = os.listdir(self._folder)
        except OSError:
            return []
        return sorted(name for name in names if name.endswith(".json") and name[:-5].isdecimal())

    def _take_away_old(self) -> None:
        assert self._folder is not None
        for name in self._names()[:-MOST_STEPS]:
            os.unlink(self._folder / name)
        for name in os.listdir(self._folder):
            path = self._folder / name
            if name.startswith(".mjscore-") and time.time() - os.stat(path).st_mtime > _LEFT_BEHIND:
                os.unlink(path)


def _step_of(members: dict[str, Any]) -> Step:
    """Give the step that was kept as *members*. Raises ValueError, KeyError, TypeError for anything else."""
    old, new = (tuple(members.pop(name)) for name in ("old", "new"))
    step = Step(**members, old=old, new=new)
    texts = (step.kind, step.before, step.after, step.words, *old, *new)
    if not all(isinstance(text, str) for text in texts) or not isinstance(step.line, int) or step.line < 0:
        raise ValueError("not a step")
    return step
