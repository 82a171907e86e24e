"""mjscore play at a pseudo-terminal."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
NAMES = "Ann Ben 'Old Cid' Dee"
LONGEST_WAIT = 120  # seconds, on a machine that does much else


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
    """mjscore play at a pseudo-terminal of some columns and thirty lines."""

    def __init__(self, path: Path, columns: int = 80, **environment: str) -> None:
        import fcntl
        import pty
        import termios

        self.shown, self.ended = "", False
        self.process, self.handle = pty.fork()
        if self.process == 0:
            for name in ("NO_COLOR", "MJSCORE_TILES"):
                os.environ.pop(name, None)
            os.environ.update({"COLUMNS": str(columns), "TERM": "dumb", **environment})
            os.chdir(ROOT)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
            os.execv(sys.executable, [sys.executable, "-m", "mjscore", "play", str(path), "--players", NAMES])

    def until(self, pattern: str) -> re.Match[str]:
        """Reads until *pattern* is shown."""
        found = self.shows(pattern, LONGEST_WAIT)
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
            if self.ended or time.monotonic() > ends:
                return None
            self.shown += self.read(0.2).decode("utf-8", "replace")

    def read(self, seconds: float) -> bytes:
        """What comes within the time: nothing where the program has ended."""
        if select.select([self.handle], [], [], seconds)[0]:
            with contextlib.suppress(OSError):
                return os.read(self.handle, 1 << 16)
            self.ended = True
        return b""

    def type(self, line: str) -> None:
        self.press(f"{line}\n")

    def press(self, keys: str) -> None:
        os.write(self.handle, keys.encode())

    def interrupt(self, pattern: str) -> None:
        """Ctrl-C, again where readline had just been busy with a key and let the first one pass."""
        for _ in range(5):
            self.press("\x03")
            if self.shows(pattern, 2):
                return
        raise AssertionError(f"{pattern!r} not shown in {self.shown!r}")

    def kill(self, number: int = 9) -> None:
        os.kill(self.process, number)

    def hang_up(self) -> None:
        """Close the terminal as its window does.

        The signal alone may come between readline's prompt and its wait, and is then seen only at the next key.
        """
        self.kill(signal.SIGHUP)
        os.close(self.handle)
        os.waitpid(self.process, 0)

    def end(self) -> int:
        _, status = os.waitpid(self.process, 0)
        os.close(self.handle)
        return os.waitstatus_to_exitcode(status)


class Screen(Terminal):
    """A terminal whose screen is read by an emulator, the module *pyte*."""

    def __init__(self, pyte: Any, columns: int, path: Path, **environment: str) -> None:
        super().__init__(path, columns, TERM="xterm", LANG="C.UTF-8", PYTHONIOENCODING="utf-8", **environment)
        self.screen = pyte.Screen(columns, 30)
        # prompt_toolkit asks where the cursor is
        self.screen.write_process_input = self.press
        self.stream = pyte.ByteStream(self.screen)

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *raised: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.kill()
        self.end()

    def lines(self) -> list[str]:
        return list(self.screen.display)

    def cursor(self) -> tuple[int, int]:
        """Line and column, from 0."""
        return self.screen.cursor.y, self.screen.cursor.x

    def selected(self) -> str:
        """What stands on the screen in reverse."""
        cells = (line[at] for _, line in sorted(self.screen.buffer.items()) for at in sorted(line))
        return "".join(cell.data for cell in cells if cell.reverse)

    def text_with(self, pattern: str, selected: str | None = None) -> str:
        """What is on the screen once *pattern* is, *selected* is in reverse, and nothing more comes for a moment.

        A pattern that stood there before the last key is no sign that the key has been seen: *selected* may be.
        """
        ends = time.monotonic() + LONGEST_WAIT
        while time.monotonic() < ends:
            if data := self.read(0.3):
                self.stream.feed(data)
            elif re.search(pattern, text := "\n".join(self.lines())) and selected in (None, self.selected()):
                return text
            elif self.ended:
                break
        raise AssertionError("\n".join([f"in reverse: {self.selected()!r}", *self.lines()]))
