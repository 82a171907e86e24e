"""An evening's file on disk: read, replaced as a whole, and used by only one process.

Every change is one step: the new text is written beside the file and synced, then renamed to it. While an evening is
open, an empty file beside it, named in a way that office programs and synchronizing folders recognize, is locked; the
lock ends with its process, however that ends. An interruption leaves at most these two files, which are removed the
next time the evening is opened and closed.

If the system can exchange two files (Linux can, on most disks), nothing that somebody else saves in the meantime is
overwritten: the displaced file is compared once more, and put back if it is another. Two moments of some microseconds
remain. An editor that writes into the file itself, not beside it, loses what it writes between that comparison and
its own end; on a system that cannot exchange files, any editor loses what it saves between the comparison and the
replacement.
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
from mjscore.system import can_be_called, is_held_open, lock, user


class Store:
    """A file opened for an evening. Raises Refused if it cannot be kept safely."""

    def __init__(self, path: str) -> None:
        if not can_be_called(path):
            raise refuse("unwritable", "name", path=path)
        self.path = path
        # follow links, because their target is what is replaced
        self._real = Path(os.path.realpath(path))
        self._beside = self._real.parent / f".~lock.{self._real.name}#"
        self._held: int | None = None  # descriptor of the locked file beside it
        self._known = b""
        self.unended = False  # whether the last line has no line ending
        try:
            self._open()
        except BaseException as error:
            self.close()
            if not isinstance(error, OSError):
                raise
            raise refuse("unwritable", "kept", path=path[:300], problem=error.strerror) from None

    def _open(self) -> None:
        """Lock the evening, and remove what an interruption left beside it. Raises OSError, Refused."""
        folder = self._real.parent
        if self._real.is_dir():
            raise refuse("unreadable", "folder", path=self.path)
        if not folder.is_dir():
            raise refuse("unwritable", "folder", folder=folder)
        is_there = self._real.exists()
        if is_there and not self._real.is_file():
            raise refuse("unreadable", "device", path=self.path)
        for path in (folder, self._real)[: 1 + is_there]:
            if not os.access(path, os.R_OK | os.W_OK):
                raise PermissionError(13, "Permission denied")
        while self._held is None:
            self._held = self._locked()
        # nobody else writes there while we hold the lock
        prefix = temporary_prefix(self._real)
        for name in os.listdir(folder):
            if name.startswith(prefix):
                with contextlib.suppress(OSError):
                    os.unlink(folder / name)
        with contextlib.suppress(FileNotFoundError):
            self._check_ours(self._real)

    def _locked(self) -> int | None:
        """Open and lock the file beside; return None if it was just removed by another process. Raises OSError, Refused."""
        held = os.open(self._beside, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            lock(held)
            if os.path.samestat(os.fstat(held), os.stat(self._beside)):
                return held
        except BlockingIOError:
            os.close(held)
            raise refuse("in-use", path=self.path) from None
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(held)
            raise
        os.close(held)
        return None

    def _check_ours(self, path: Path) -> None:
        """Raise Refused if the file has a second name, or belongs to another user. Raises OSError."""
        found = os.stat(path)
        if found.st_nlink > 1:
            raise refuse("second-name", path=self.path, count=found.st_nlink)
        if user() not in (None, 0, found.st_uid):
            raise refuse("unwritable", "owner", path=self.path)

    def close(self) -> None:
        """Unlock the file, and remove the empty one beside it."""
        if self._held is None:
            return
        held, self._held = self._held, None
        with contextlib.suppress(OSError):
            try:
                os.unlink(self._beside)
            except PermissionError:
                # Windows does not remove open files; closing it first is safe there, since nobody can remove the next
                os.close(held)
                os.unlink(self._beside)
            else:
                os.close(held)

    def read(self) -> str | None:
        """Return the file's current text, empty if the evening has not begun; None if the file is gone.

        A missing line ending is added to its last line. Raises Refused if it cannot be read.
        """
        try:
            if not stat.S_ISREG(os.stat(self._real).st_mode):
                raise refuse("unreadable", "device", path=self.path)
            data = self._real.read_bytes()
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
        """Create the file, also after somebody removed it. Raises Refused if it cannot be written."""
        self._put(text, new=True)

    def replace(self, text: str) -> None:
        """Replace the file's text in one step: the file has the old text or the new one, never a part.

        Raises Refused, and then the file is unchanged.
        """
        self._put(text)

    def _put(self, text: str, new: bool = False) -> None:
        data = text.encode("utf-8")
        try:
            with whole_file(self._real, new=new, check=None if new else self._check_unchanged) as stream:
                stream.write(data)
        except OSError as error:
            # a failure after the text is in place must not undo it
            with contextlib.suppress(OSError):
                if self._real.read_bytes() == data:
                    self._known = data
                    return
            raise self._unwritable(error) from None
        self._known = data

    def _check_unchanged(self, path: Path) -> None:
        """Raise Refused if somebody has written the file at *path* since it was read. Raises OSError."""
        if path.read_bytes() != self._known:
            raise refuse("changed-meanwhile", "written", path=self.path)
        self._check_ours(path)

    def keep_beside(self) -> str:
        """Save the text read last in a new file beside this one, and return its name. Raises Refused."""
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
        """Save *text* in the folder for temporary files, and return the file's name; empty if that fails."""
        with contextlib.suppress(OSError):
            handle, path = tempfile.mkstemp(prefix="mjscore-evening-", suffix=".mj")
            with os.fdopen(handle, "wb") as stream:
                stream.write(text.encode("utf-8"))
            return path
        return ""

    def _unwritable(self, error: OSError) -> Refused:
        if is_held_open(error):
            return refuse("held-open", path=self.path)
        return refuse("unwritable", "now", path=self.path, problem=error.strerror)
