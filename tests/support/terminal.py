"""mjscore play at a pseudo-terminal."""

from __future__ import annotations

import contextlib
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMES = "Ann Ben 'Old Cid' Dee"


def shown_on_terminal(arguments: Sequence[str], folder: Path = ROOT, **environment: str) -> tuple[bytes, int]:
    """Give what mjscore shows at a pseudo-terminal, and how it ends."""
    import pty

    ours, theirs = pty.openpty()
    plain = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    process = subprocess.Popen(
        [sys.executable, "-m", "mjscore", *arguments], stdin=theirs, stdout=theirs, stderr=theirs,
        cwd=folder, env={**plain, "TERM": "xterm", **environment},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # the program has ended
        while part := os.read(ours, 1 << 16):
            shown += part
    os.close(ours)
    return shown, process.wait(60)


class Terminal:
    """mjscore play at a pseudo-terminal."""

    def __init__(self, path: Path) -> None:
        import pty

        self.shown = ""
        self.process, self.handle = pty.fork()
        if self.process == 0:
            os.chdir(ROOT)
            os.environ.update(COLUMNS="80", TERM="dumb")
            os.execv(sys.executable, [sys.executable, "-m", "mjscore", "play", str(path), "--players", NAMES])

    def until(self, pattern: str) -> re.Match[str]:
        """Reads until *pattern* is shown."""
        found = self.shows(pattern, 30)
        if found is None:
            raise AssertionError(f"{pattern!r} not shown in {self.shown!r}")
        return found

    def shows(self, pattern: str, seconds: float) -> re.Match[str] | None:
        """Where *pattern* is shown, if within the time; what stood before it is read away."""
        ends = time.monotonic() + seconds
        while True:
            found = re.search(pattern, self.shown)
            if found:
                self.shown = self.shown[found.end() :]
                return found
            if time.monotonic() > ends:
                return None
            if select.select([self.handle], [], [], 0.2)[0]:
                try:
                    self.shown += os.read(self.handle, 4096).decode("utf-8", "replace")
                except OSError:
                    ends = 0

    def type(self, line: str) -> None:
        os.write(self.handle, line.encode() + b"\n")

    def interrupt(self, pattern: str) -> None:
        """Ctrl-C, again where readline had just been busy with a key and let the first one pass."""
        for _ in range(5):
            os.write(self.handle, b"\x03")
            if self.shows(pattern, 2):
                return
        raise AssertionError(f"{pattern!r} not shown in {self.shown!r}")

    def kill(self, number: int = 9) -> None:
        os.kill(self.process, number)

    def end(self) -> int:
        _, status = os.waitpid(self.process, 0)
        os.close(self.handle)
        return os.waitstatus_to_exitcode(status)
