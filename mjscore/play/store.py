"""An evening's file on the disk: read, put in its place whole, and kept by one process alone.

Every change is one step: the new text is written beside the file and synced, and takes its place. The lock
is on the file itself, not on a name beside it: the new text's file is locked before it takes the place of
the old one, whose lock is let go after. What a stop leaves behind is at most the file beside, which is taken
away at the next opening, or a new file with nothing in it, which is an evening not begun.

What somebody else saves meanwhile is never written over where the system can exchange two files (Linux can, on most
disks): what was displaced is compared once more, and put back if it is another. Two moments are left, of some
millionths of a second. An editor that writes into the file itself, not beside it, loses what it writes between
that comparison and its own end; on a system that cannot exchange files, any editor loses what it saves between
the comparison and the replacement.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from itertools import count
from pathlib import Path

from mjscore.atomic import temporary_prefix, whole_file, write_whole
from mjscore.play.evening import line_end
from mjscore.refusal import Place, Refused, refuse
from mjscore.system import NONBLOCK, lock, user


class Store:
    """A file that is open for an evening. Raises Refused where it cannot be kept safely."""

    def __init__(self, path: str) -> None:
        if "\0" in path:
            raise refuse("unwritable", "name", path=path)
        self.path = path
        # through links, to the file that they stand for: it is that which is replaced
        self._real = os.path.realpath(path)
        folder = os.path.dirname(self._real)
        self._held: int | None = None  # the descriptor of the file, locked
        self._known = b""
        self.unended = False  # whether the last line has no end
        try:
            if os.path.isdir(self._real):
                raise refuse("unreadable", "folder", path=path)
            if not os.path.isdir(folder):
                raise refuse("unwritable", "folder", folder=folder)
            try:
                self._held = self._opened()
            except FileNotFoundError:
                if not os.access(folder, os.W_OK):
                    raise PermissionError(13, "Permission denied") from None
            else:
                self._check_ours(self._held)
                self._take_away_leftovers()
        except BaseException as error:
            self.close()
            if not isinstance(error, OSError):
                raise
            raise refuse("unwritable", "kept", path=path[:300], problem=error.strerror) from None

    def _opened(self) -> int:
        """Give the file, open and locked. Raises OSError, Refused."""
        while True:
            held = os.open(self._real, os.O_RDWR | NONBLOCK)
            try:
                if not stat.S_ISREG(os.fstat(held).st_mode):
                    raise refuse("unreadable", "device", path=self.path)
                self._lock(held)
                if self._stands_there(held):
                    return held
            except BaseException:
                os.close(held)
                raise
            # whoever had it put another in its place between our opening and our locking it
            os.close(held)

    def _lock(self, held: int) -> None:
        try:
            lock(held)
        except BlockingIOError:
            raise refuse("in-use", path=self.path) from None

    def _stands_there(self, held: int) -> bool:
        """Tell whether an open file is what has the name of ours."""
        try:
            return os.path.samestat(os.fstat(held), os.stat(self._real))
        except OSError:
            return False

    def _check_ours(self, held: int) -> None:
        """Raise Refused for a file that another one in its place would be another thing than."""
        found = os.fstat(held)
        if found.st_nlink > 1:
            raise refuse("second-name", path=self.path, count=found.st_nlink)
        if user() not in (None, 0, found.st_uid):
            raise refuse("unwritable", "owner", path=self.path)

    def _take_away_leftovers(self) -> None:
        """Take away what a stop left beside the file: nobody else writes there while we have the lock."""
        folder = os.path.dirname(self._real)
        prefix = temporary_prefix(Path(self._real))
        for name in os.listdir(folder):
            if name.startswith(prefix):
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(folder, name))

    def close(self) -> None:
        """Let the file go."""
        if self._held is not None:
            held, self._held = self._held, None
            os.close(held)

    def read(self) -> str | None:
        """Give the file's text as it is now, empty where the evening has not begun; None where the file is gone.

        A last line that lacks its end is given one. Raises Refused where it cannot be read, or where another copy of
        play has come to have it.
        """
        try:
            if self._held is None or not self._stands_there(self._held):
                # an editor has put another file in its place: it is that which is kept now
                self._keep(self._opened(), self._known)
            data = Path(self._real).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise refuse("unreadable", "now", path=self.path, problem=error.strerror) from None
        self._known = data
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            raise refuse("not-utf-8", "file", at=Place("", 0, 1, line, self.path)) from None
        self.unended = bool(text) and not text.endswith("\n")
        return text + line_end(text) if self.unended else text

    def create(self, text: str) -> None:
        """Begin the file, or put back one that has been taken away. Raises Refused."""
        try:
            held = os.open(self._real, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        except OSError as error:
            raise self._unwritable(error) from None
        try:
            self._lock(held)
        except BaseException:
            os.close(held)
            raise
        self._keep(held, b"")
        try:
            self.replace(text)
        except BaseException:
            with contextlib.suppress(OSError):
                if not os.path.getsize(self._real):
                    os.unlink(self._real)
            raise

    def keep_beside(self) -> str:
        """Keep what was read last in a file of its own beside this one, and give its name. Raises Refused."""
        name, ending = os.path.splitext(self._real)
        beside = next(
            path for number in count(1) if not (path := Path(f"{name}.found-{number}{ending}")).exists()
        )
        try:
            write_whole(beside, self._known, new=True)
        except OSError as error:
            raise self._unwritable(error) from None
        return str(beside)

    def keep_elsewhere(self, text: str) -> str:
        """Keep *text* where temporary files are, and return the name of its file; empty where that cannot be."""
        with contextlib.suppress(OSError):
            handle, path = tempfile.mkstemp(prefix="mjscore-evening-", suffix=".mj")
            with os.fdopen(handle, "wb") as stream:
                stream.write(text.encode("utf-8"))
            return path
        return ""

    def replace(self, text: str) -> None:
        """Put *text* in the file's place in one step: the old text or the new one, never half.

        Raises Refused, and the file is as before.
        """
        try:
            self._replace(text.encode("utf-8"))
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> Refused:
        return refuse("unwritable", "now", path=self.path, problem=error.strerror)

    def _replace(self, data: bytes) -> None:
        held: int | None = None
        try:
            with whole_file(Path(self._real), check=self._check_unchanged) as stream:
                stream.write(data)
                # the lock of the new file outlives the stream
                held = os.dup(stream.fileno())
                self._lock(held)
        except BaseException as error:
            if held is None or not self._stands_there(held):
                if held is not None:
                    os.close(held)
                raise
            # it is done: what failed after that can take nothing back
            self._keep(held, data)
            if not isinstance(error, OSError):
                raise
        else:
            self._keep(held, data)

    def _keep(self, held: int, data: bytes) -> None:
        """Have the open file *held* in place of the one before it; *data* is what it holds."""
        before, self._held, self._known = self._held, held, data
        if before is not None:
            with contextlib.suppress(OSError):
                os.close(before)

    def _check_unchanged(self, path: Path) -> None:
        """Raise Refused where what stands at *path* is not the file as it was read: somebody has written it since."""
        assert self._held is not None
        ours = os.path.samestat(os.fstat(self._held), os.stat(path))
        if not ours or path.read_bytes() != self._known:
            raise refuse("changed-meanwhile", "written", path=self.path)
        self._check_ours(self._held)
