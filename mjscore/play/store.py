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
from pathlib import Path

from mjscore.atomic import temporary_prefix, whole_file
from mjscore.refusal import Refused, refuse

try:
    import fcntl
except ImportError:  # a system without such locks: two copies notice each other by what they write
    fcntl = None  # type: ignore[assignment]


class Store:
    """A file that is open for an evening. Raises Refused where it cannot be kept safely."""

    def __init__(self, path: str) -> None:
        self.path = path
        # through links, to the file that they stand for: it is that which is replaced
        self._real = os.path.realpath(path)
        folder = os.path.dirname(self._real)
        self._handle: int | None = None
        self._known = b""
        try:
            if os.path.isdir(self._real):
                raise refuse("unreadable", f"{path} is a folder", "name a file")
            if not os.path.isdir(folder):
                raise refuse("unwritable", f"there is no folder {folder}", "make it first, or name another")
            self._handle = self._opened()
            if self._handle is not None:
                self._check_ours(self._handle)
                self._take_away_leftovers()
            elif not os.access(folder, os.W_OK):
                raise PermissionError(13, "Permission denied")
        except OSError as error:
            raise refuse(
                "unwritable",
                f"{path[:300]} cannot be kept: {error.strerror}",
                "name a file in a folder of yours",
            ) from None

    # ------------------------------------------------------------- the lock

    def _opened(self) -> int | None:
        """The file, open and locked; None where there is none. Raises OSError, Refused."""
        while True:
            try:
                handle = os.open(self._real, os.O_RDWR | getattr(os, "O_NONBLOCK", 0))
            except FileNotFoundError:
                return None
            try:
                if not stat.S_ISREG(os.fstat(handle).st_mode):
                    raise refuse("unreadable", f"{self.path} is no file", "name a file")
                self._lock(handle)
                if self._is_real(handle):
                    return handle
            except BaseException:
                os.close(handle)
                raise
            # whoever had it put another in its place between our opening and our locking it
            os.close(handle)

    def _lock(self, handle: int) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise refuse(
                "in-use",
                f"{self.path} is open in another copy of mjscore play",
                "go on there (fg, if it was stopped), or end it first",
            ) from None
        except OSError:
            return  # a network's file system without locks

    def _check_ours(self, handle: int) -> None:
        """Raises Refused for a file that another one in its place would be another thing than."""
        found = os.fstat(handle)
        if found.st_nlink > 1:
            raise refuse(
                "second-name",
                f"{self.path} has {found.st_nlink} names (hard links), and the others would be left behind",
                f"make a file of its own: cp {self.path} another.mj; a symbolic link (ln -s) may stay",
            )
        user = os.geteuid() if hasattr(os, "geteuid") else 0
        if user not in (0, found.st_uid):
            raise refuse(
                "unwritable",
                f"{self.path} belongs to somebody else, and would be yours after the first hand",
                f"copy it: cp {self.path} another.mj",
            )

    def _take_away_leftovers(self) -> None:
        """Takes away what a stop left beside the file: nobody else writes there while we have the lock."""
        folder = os.path.dirname(self._real)
        prefix = temporary_prefix(Path(self._real))
        for name in os.listdir(folder):
            if name.startswith(prefix):
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(folder, name))

    def close(self) -> None:
        """Lets the file go."""
        if self._handle is not None:
            handle, self._handle = self._handle, None
            os.close(handle)

    # ------------------------------------------------------------- reading

    def read(self) -> str | None:
        """The file's text as it is now, empty where the evening has not begun; None where the file is gone.

        Raises Refused where it cannot be read, or where another copy of play has come to have it.
        """
        try:
            data = self._bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise refuse(
                "unreadable", f"{self.path} cannot be read: {error.strerror}", "look at the file"
            ) from None
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise refuse(
                "not-utf-8",
                "a byte that is no UTF-8 text",
                "mend the file in an editor",
                data[: error.start].count(b"\n") + 1,
                1,
                1,
                "",
                self.path,
            ) from None
        if text and not text.endswith("\n"):
            lines = text.split("\n")
            raise refuse(
                "cut-short",
                "the last line is cut short",
                "complete it, or take it out, in an editor; nothing was changed",
                len(lines),
                1,
                max(1, len(lines[-1])),
                lines[-1],
                self.path,
            )
        self._known = data
        return text

    def _bytes(self) -> bytes:
        if self._handle is None or not self._is_real(self._handle):
            # an editor has put another file in its place: it is that which is kept now
            handle = self._opened()
            if handle is None:
                raise FileNotFoundError(2, "No such file or directory")
            self.close()
            self._handle = handle
        return self._content(Path(self._real))

    def _content(self, path: Path) -> bytes:
        handle = os.open(path, os.O_RDONLY)
        try:
            parts = []
            while part := os.read(handle, 1 << 20):
                parts.append(part)
            return b"".join(parts)
        finally:
            os.close(handle)

    # ------------------------------------------------------------- writing

    def create(self, text: str) -> None:
        """Begins the file, or puts back one that has been taken away. Raises Refused."""
        try:
            handle = os.open(self._real, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        except OSError as error:
            raise self._unwritable(error) from None
        try:
            self._lock(handle)
        except BaseException:
            os.close(handle)
            raise
        self.close()
        self._handle, self._known = handle, b""
        try:
            self.replace(text)
        except BaseException:
            with contextlib.suppress(OSError):
                if not os.fstat(self._handle).st_size:
                    os.unlink(self._real)
            raise

    def replace(self, text: str) -> None:
        """Puts *text* in the file's place in one step: the old text or the new one, never half.

        Raises Refused, and the file is as before.
        """
        data = text.encode("utf-8")
        try:
            self._replace(data)
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> Refused:
        return refuse(
            "unwritable",
            f"{self.path} could not be written: {error.strerror}; it is as before",
            "see to that, and type it again",
        )

    def _replace(self, data: bytes) -> None:
        handle: int | None = None
        try:
            with whole_file(Path(self._real), check=self._check_unchanged) as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
                # the lock of the new file outlives the stream
                handle = os.dup(stream.fileno())
                self._lock(handle)
        except BaseException as error:
            if handle is None or not self._is_real(handle):
                if handle is not None:
                    os.close(handle)
                raise
            # it is done: what failed after that can take nothing back
            self._keep(handle, data)
            if not isinstance(error, OSError):
                raise
        else:
            self._keep(handle, data)

    def _keep(self, handle: int, data: bytes) -> None:
        before, self._handle, self._known = self._handle, handle, data
        if before is not None:
            with contextlib.suppress(OSError):
                os.close(before)

    def _is_real(self, handle: int) -> bool:
        """Whether what is open is what stands under the file's name."""
        try:
            return os.path.samestat(os.fstat(handle), os.stat(self._real))
        except OSError:
            return False

    def _check_unchanged(self, path: Path) -> None:
        """Raises Refused where what stands at *path* is not the file as it was read: somebody has written it since."""
        assert self._handle is not None
        ours = os.path.samestat(os.fstat(self._handle), os.stat(path))
        if not ours or self._content(path) != self._known:
            raise refuse(
                "changed-meanwhile",
                f"somebody else has just written {self.path}; nothing was written over it",
                "type it again",
            )
        self._check_ours(self._handle)
