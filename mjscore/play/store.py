"""The file of an evening: read, appended to safely, rewritten whole, and never shared or overwritten.

What is confirmed is on the disk before it is shown. A hand is one append, synced; the lines of a hand
not yet settled lie in a journal beside the file, each synced as it is accepted; undoing rewrites the
file beside itself and puts it in its place in one step.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path
from typing import IO

from mjscore.refusal import Refused, refuse


def _refused(code: str, message: str, hint: str) -> Refused:
    return refuse(code, message, hint)


class Store:
    """An evening's file, locked while it is open. Raises Refused where it cannot be kept safely."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        try:
            is_folder, in_folder = self.path.is_dir(), self.path.parent.is_dir()
        except OSError as error:
            raise _refused("unreadable", f"{path[:60]}: {error.strerror}", "name a file") from None
        if is_folder:
            raise _refused("unreadable", f"{path} is a folder", "name a file")
        if not in_folder:
            raise _refused(
                "unwritable", f"there is no folder {self.path.parent}", "make it first, or name another"
            )
        self._journal = self.path.with_name(f".{self.path.name}.unfinished")
        self._undone = self.path.with_name(f".{self.path.name}.undone")
        self._lock = self._locked(self.path.with_name(f".{self.path.name}.lock"))
        self._known = ""

    def _locked(self, path: Path) -> IO[str]:
        try:
            lock = path.open("a+", encoding="ascii")
        except OSError as error:
            raise _refused(
                "unwritable",
                f"{self.path} cannot be kept: {error.strerror}",
                "name a file in a folder of yours",
            ) from None
        try:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:
            # no such locks on this system: two copies are noticed by what they write
            return lock
        except OSError:
            lock.seek(0)
            who = lock.read(20).strip()
            lock.close()
            raise _refused(
                "in-use",
                f"{self.path} is open in another copy of mjscore play" + (f" (process {who})" if who else ""),
                "go on there, or end it first",
            ) from None
        if not self._is_at(path, lock):
            # whoever ended just now took the file away between our opening and our locking it
            lock.close()
            return self._locked(path)
        lock.seek(0)
        lock.truncate()
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        return lock

    @staticmethod
    def _is_at(path: Path, lock: IO[str]) -> bool:
        try:
            return os.path.samestat(os.fstat(lock.fileno()), path.stat())
        except FileNotFoundError:
            return False

    def close(self) -> None:
        """Lets the file go."""
        # taken away while it is still locked, so that nobody's but our own is
        with contextlib.suppress(OSError):
            os.unlink(self._lock.name)
        self._lock.close()

    def exists(self) -> bool:
        """Whether the evening has begun."""
        return self.path.exists()

    def read(self) -> str:
        """The file's text; remembered, so that a change by hand is noticed. Raises Refused."""
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise _refused(
                "unreadable", f"{self.path} cannot be read: {error.strerror}", "look at the file"
            ) from None
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            raise refuse(
                "not-utf-8",
                "a byte that is no UTF-8 text",
                "mend the file in an editor",
                line,
                1,
                1,
                "",
                str(self.path),
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
                str(self.path),
            )
        self._known = hashlib.sha256(data).hexdigest()
        return text

    def changed(self) -> bool:
        """Whether somebody else has written the file since it was read."""
        try:
            return hashlib.sha256(self.path.read_bytes()).hexdigest() != self._known
        except OSError:
            return True

    def create(self, text: str) -> None:
        """Begins the file. Raises Refused."""
        self.rewrite(text)

    def append(self, text: str) -> None:
        """Adds a hand, on the disk before this returns, and forgets the journal. Raises Refused."""
        data = _encoded(text)
        try:
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND)
            before = os.fstat(handle).st_size
            try:
                written = os.write(handle, data)
                if written < len(data):
                    raise OSError(28, "No space left on device")
                os.fsync(handle)
            except OSError:
                os.ftruncate(handle, before)
                raise
            finally:
                os.close(handle)
        except OSError as error:
            raise _refused(
                "unwritable",
                f"the hand could not be written: {error.strerror}; the lines typed are kept",
                "make room, then type settle",
            ) from None
        self.read()
        self.forget_journal()

    def rewrite(self, text: str) -> None:
        """Puts *text* in the file's place in one step: the old file or the new one, never half. Raises Refused."""
        folder = self.path.parent
        data = _encoded(text)
        try:
            handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{self.path.name}.", suffix=".new")
            try:
                with os.fdopen(handle, "wb") as stream:
                    stream.write(data)
                    stream.flush()
                    os.fsync(stream.fileno())
                if self.path.exists():
                    os.chmod(temporary, self.path.stat().st_mode & 0o777)
                else:
                    os.chmod(temporary, 0o644)
                os.replace(temporary, self.path)
            except OSError:
                os.unlink(temporary)
                raise
            _sync_folder(folder)
        except OSError as error:
            raise _refused(
                "unwritable",
                f"{self.path} cannot be written: {error.strerror}",
                "make room, or name another file",
            ) from None
        self.read()

    # ------------------------------------------------------------- the hand in progress

    def journal(self) -> list[str]:
        """The accepted lines of a hand that was not settled, whole lines only."""
        return _whole_lines(self._journal)

    def keep_line(self, line: str) -> None:
        """Keeps an accepted line of the hand in progress, on the disk before this returns."""
        _append_synced(self._journal, line + "\n")

    def forget_journal(self) -> None:
        """The hand in progress is settled, or dropped."""
        self._journal.unlink(missing_ok=True)
        _sync_folder(self.path.parent)

    # ------------------------------------------------------------- what was undone

    def undone(self) -> list[str]:
        """Blocks that were undone, the latest last."""
        return [part for part in "\n".join(_whole_lines(self._undone)).split("\f") if part.strip()]

    def keep_undone(self, blocks: list[str]) -> None:
        """Keeps the blocks that redo would bring back."""
        if not blocks:
            self._undone.unlink(missing_ok=True)
            return
        temporary = self._undone.with_suffix(".new")
        temporary.unlink(missing_ok=True)
        _append_synced(temporary, "\f".join(blocks) + "\n")
        temporary.replace(self._undone)


def _encoded(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        # a terminal that is set for another encoding gives such characters, and so does a damaged paste
        raise _refused(
            "not-utf-8", "what was typed is not UTF-8 text", "type it again, or set the terminal to UTF-8"
        ) from None


def _append_synced(path: Path, text: str) -> None:
    data = _encoded(text)
    try:
        with path.open("ab") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise _refused(
            "unwritable", f"the line could not be kept: {error.strerror}", "make room, and type it again"
        ) from None


def _whole_lines(path: Path) -> list[str]:
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return []
    # what was cut off in the middle of a line had not been confirmed
    return text.split("\n")[:-1]


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
