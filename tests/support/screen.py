"""mjscore play on a screen of its own, read by a terminal emulator."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import struct
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


class Screen:
    """mjscore play at a pseudo-terminal of some columns and thirty lines; *pyte* is the emulator's module."""

    def __init__(self, pyte: Any, columns: int, path: Path, **environment: str) -> None:
        import fcntl
        import pty
        import termios

        self.process, self.handle = pty.fork()
        if self.process == 0:
            for name in ("NO_COLOR", "COLUMNS", "LINES", "MJSCORE_TILES"):
                os.environ.pop(name, None)
            os.environ.update(TERM="xterm", LANG="C.UTF-8", COLUMNS=str(columns), PYTHONIOENCODING="utf-8")
            os.environ.update(environment)
            os.chdir(ROOT)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
            names = "Ann Ben 'Old Cid' Dee"
            os.execv(sys.executable, [sys.executable, "-m", "mjscore", "play", str(path), "--players", names])
        self.screen = pyte.Screen(columns, 30)
        # prompt_toolkit asks where the cursor is
        self.screen.write_process_input = lambda data: os.write(self.handle, data.encode())
        self.stream = pyte.ByteStream(self.screen)

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *raised: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.handle)

    def type(self, keys: str) -> None:
        os.write(self.handle, keys.encode())

    def lines(self) -> list[str]:
        return list(self.screen.display)

    def cursor(self) -> tuple[int, int]:
        """Line and column, from 0."""
        return self.screen.cursor.y, self.screen.cursor.x

    def until(self, pattern: str, seconds: float = 30) -> str:
        """What is on the screen once *pattern* is, and nothing more comes for a moment."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            if select.select([self.handle], [], [], 0.3)[0]:
                try:
                    self.stream.feed(os.read(self.handle, 65536))
                except OSError:
                    ends = 0
            elif re.search(pattern, "\n".join(self.lines())):
                break
        text = "\n".join(self.lines())
        assert re.search(pattern, text), text
        return text
