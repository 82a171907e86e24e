"""The file of an evening: locked while it is kept, and written so that nothing confirmed can be lost.

Beside ``evening.mj`` lie, while it is kept, ``.evening.mj.lock``, which a second copy finds locked, and
``.evening.mj.unfinished``, the journal: the lines of the hand in progress, and the block about to be
appended. A block is first noted in the journal, then appended in one write; if that breaks off, the next
start finishes it. All else is written to a new file that then takes the old one's place. Every step is
on the disk (fsync, of the folder too) before the next.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from mjscore.refusal import Refusal, Refused, visible

_BINARY = getattr(os, "O_BINARY", 0)
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL)

Typed = tuple[str, str]  # a player's name and the line that was typed for him


class Snapshot(NamedTuple):
    """A state of the file to go to, *text*, from the state whose digest is *when*."""

    when: str
    text: str


class Journal(NamedTuple):
    """What is kept beside the file.

    *typed* are the accepted lines of the hand in progress in their order, a later line for a player in
    the place of an earlier; *dropped* what ``redo`` brings back of them. *block* is about to be appended
    to the file whose first *length* bytes have the digest *base*. *undone* and *mended* are states of the
    file to which ``redo`` and ``undo`` lead.
    """

    typed: tuple[Typed, ...] = ()
    dropped: tuple[tuple[Typed, ...], ...] = ()
    block: str = ""
    base: str = ""
    length: int = 0
    undone: tuple[Snapshot, ...] = ()
    mended: tuple[Snapshot, ...] = ()


class Recovered(NamedTuple):
    """What became of a block whose writing had broken off: it is in the file now, or it is *lost*."""

    block: str
    lost: bool


def digest(data: bytes) -> str:
    """A digest by which a state of the file is known again."""
    return hashlib.sha256(data).hexdigest()


class Store:
    """An open evening. *known* is what the file holds as far as we know, None where there is none yet.

    *locked* is false where the file system knows no locks. Everything raises Refused where the file
    cannot be read or written; what was there before is then there still.
    """

    def __init__(self, path: Path, lock: int | None) -> None:
        self.path = path
        self.known: bytes | None = None
        self.journal = Journal()
        self.locked = lock is not None
        self._lock = lock
        self._torn = b""
        self._kept: Journal | None = None

    @property
    def journal_path(self) -> Path:
        """Where the journal lies."""
        return self.path.with_name(f".{self.path.name}.unfinished")

    def read(self) -> bytes | None:
        """Reads the file again, to be known from now on; None where there is none."""
        self.known = self._found()
        return self.known

    def _found(self) -> bytes | None:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unreadable(self.path, error) from None

    def changed(self) -> bool:
        """Whether somebody else has changed the file since it was last read or written."""
        found = self._found()
        if self._torn and found is not None and self.known is not None and found != self.known:
            rest = found[len(self.known) :]
            if found.startswith(self.known) and self._torn.startswith(rest):
                self._take_back(len(self.known))
                return False
        return found != self.known

    def _check_unchanged(self) -> None:
        if self.changed():
            raise Refused(
                Refusal(
                    "changed-outside",
                    f"{visible(str(self.path))} was changed by somebody else",
                    "it is read again",
                )
            )

    # ------------------------------------------------------------- the journal

    def load_journal(self) -> Journal:
        """The journal as it lies on the disk; an empty one where there is none."""
        try:
            text = self.journal_path.read_bytes()
        except FileNotFoundError:
            self.journal = self._kept = Journal()
            return self.journal
        except OSError as error:
            raise _unreadable(self.journal_path, error) from None
        try:
            self.journal = _journal(json.loads(text))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise Refused(
                Refusal(
                    "damaged-journal",
                    f"{visible(str(self.journal_path))} cannot be understood",
                    "it holds the lines of an unfinished hand: look at it, give it another name, and start again",
                )
            ) from None
        self._kept = self.journal
        return self.journal

    def keep(self, journal: Journal) -> None:
        """Writes the journal; on the disk when this returns. An empty one is taken away."""
        if journal != self._kept:
            # until it is written, what lies there is not known
            self._kept = None
            if journal == Journal():
                try:
                    self.journal_path.unlink(missing_ok=True)
                    _sync_folder(self.path.parent)
                except OSError as error:
                    raise _unwritable(self.journal_path, error) from None
            else:
                text = json.dumps(journal._asdict(), ensure_ascii=False, indent=1)
                _write_whole(self.journal_path, text.encode("utf-8", "surrogatepass"))
            self._kept = journal
        self.journal = journal

    def recover(self) -> Recovered | None:
        """Finishes an append that broke off; None where none did."""
        journal = self.journal
        if not journal.block:
            return None
        found = self.known or b""
        block = journal.block.encode()
        rest = found[journal.length :]
        lost = False
        if digest(found[: journal.length]) == journal.base and block.startswith(rest):
            if rest != block:
                self.replace(found[: journal.length] + block)
        else:
            lost = block.strip() not in found
        done = journal._replace(block="", base="", length=0)
        if not lost:
            done = done._replace(typed=(), dropped=())
        self.keep(done)
        return Recovered(journal.block, lost)

    # ------------------------------------------------------------- the file

    def create(self, data: bytes) -> None:
        """Makes the file; it appears whole or not at all."""
        self._check_unchanged()
        _write_whole(self.path, data)
        self.known = data

    def append(self, block: bytes, then: Journal) -> None:
        """Appends *block* in one write, and keeps *then* as the journal once it is on the disk.

        Where that fails the file is as before, and so is the journal.
        """
        self._check_unchanged()
        assert self.known is not None
        before = self.journal
        length = len(self.known)
        self.keep(before._replace(block=block.decode(), base=digest(self.known), length=length))
        try:
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | _BINARY)
            try:
                _write_all(handle, block)
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            self._torn = block
            with suppress(Refused):
                self._take_back(length)
                self.keep(before)
            raise _unwritable(self.path, error) from None
        self.known += block
        # the block is safe; a journal that cannot be taken away says itself that it is done
        with suppress(Refused):
            self.keep(then)
        self.journal = then

    def _take_back(self, length: int) -> None:
        """Cuts off what a failed append has left behind."""
        try:
            handle = os.open(self.path, os.O_WRONLY | _BINARY)
            try:
                os.ftruncate(handle, length)
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise _unwritable(self.path, error) from None
        self._torn = b""

    def replace(self, data: bytes) -> None:
        """Puts *data* in the place of what the file holds, at once and whole."""
        self._check_unchanged()
        _write_whole(self.path, data)
        self.known = data

    def close(self) -> None:
        """Lets go of the file. The unfinished hand and what ``redo`` would bring back stay for next time."""
        if self._lock is None:
            return
        with suppress(OSError):
            if sys.platform == "win32":
                os.close(self._lock)
                _lock_path(self.path).unlink(missing_ok=True)
            else:
                # taken away while still locked, so that nobody can have got it meanwhile
                _lock_path(self.path).unlink(missing_ok=True)
                os.close(self._lock)
        self._lock = None


def open_store(path: str) -> Store:
    """Locks the evening at *path*, which need not be there yet. Raises Refused."""
    shown = visible(path)
    # one file, by whatever name or link it is called
    real = Path(os.path.realpath(path))
    try:
        found = real.stat()
    except FileNotFoundError:
        if not real.parent.is_dir():
            raise Refused(
                Refusal(
                    "unwritable", f"there is no folder {visible(str(real.parent))}", "make it first"
                )
            ) from None
    except (OSError, ValueError) as error:
        raise _unreadable(real, error) from None
    else:
        if stat.S_ISDIR(found.st_mode):
            raise Refused(Refusal("unreadable", f"{shown} is a folder", "name a file in it"))
        if not stat.S_ISREG(found.st_mode):
            raise Refused(
                Refusal("unreadable", f"{shown} is no plain file", "an evening is kept in a file on the disk")
            )
        _check_writable(real)
    store = Store(real, _locked(real))
    try:
        for beside in (real, store.journal_path):
            # what a copy that was killed had not finished writing
            with suppress(FileNotFoundError):
                _new_path(beside).unlink()
    except OSError as error:
        store.close()
        raise _unwritable(real, error) from None
    return store


def _check_writable(path: Path) -> None:
    try:
        with path.open("r+b") as stream:
            packed = stream.read(2) == b"\x1f\x8b"
    except OSError as error:
        raise _unwritable(path, error) from None
    if packed:
        raise Refused(
            Refusal("unwritable", f"{visible(path.name)} is packed", "unpack it first: gunzip")
        )


def _journal(found: Mapping[str, object]) -> Journal:
    """The journal of a JSON object. Raises ValueError, TypeError or KeyError where it is none."""

    def text(value: object) -> str:
        if not isinstance(value, str):
            raise TypeError(value)
        return value

    def pairs(value: object) -> tuple[Typed, ...]:
        if not isinstance(value, list):
            raise TypeError(value)
        return tuple((text(one), text(other)) for one, other in value)

    if set(found) != set(Journal._fields):
        raise KeyError(*found)
    dropped, length = found["dropped"], found["length"]
    if not isinstance(dropped, list) or not isinstance(length, int):
        raise TypeError(dropped)
    return Journal(
        pairs(found["typed"]),
        tuple(pairs(one) for one in dropped),
        text(found["block"]),
        text(found["base"]),
        length,
        tuple(Snapshot(*one) for one in pairs(found["undone"])),
        tuple(Snapshot(*one) for one in pairs(found["mended"])),
    )


# ------------------------------------------------------------------ writing


def _write_all(handle: int, data: bytes) -> None:
    # one write takes it all but where the disk is full; the next then says why
    while data:
        data = data[os.write(handle, data) :]


def _new_path(path: Path) -> Path:
    return path.with_name(f".{path.name.lstrip('.')}.new")


def _write_whole(path: Path, data: bytes) -> None:
    """Writes a file beside *path* and puts it in its place. Raises Refused; *path* is then as before."""
    new = _new_path(path)
    try:
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, 0o666)
        try:
            _write_all(handle, data)
            with suppress(FileNotFoundError):
                _keep_owner(handle, path)
            os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(new, path)
        _sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise _unwritable(path, error) from None


def _keep_owner(handle: int, path: Path) -> None:
    """The new file is readable by whom the old one was."""
    if sys.platform == "win32":
        return
    old = path.stat()
    os.fchmod(handle, stat.S_IMODE(old.st_mode))
    with suppress(PermissionError):
        os.fchown(handle, old.st_uid, old.st_gid)


def _sync_folder(folder: Path) -> None:
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    except OSError as error:
        # some file systems cannot do it for a folder, and need not
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)


def _unwritable(path: Path, error: OSError) -> Refused:
    hint = "look at the file and its folder"
    if error.errno in _FULL:
        hint = "make room on the disk, then try again"
    elif error.errno in _FORBIDDEN:
        hint = "name a file in a folder that you may write to"
    return Refused(
        Refusal("unwritable", f"{visible(str(path))} cannot be written: {error.strerror or error}", hint)
    )


def _unreadable(path: Path, error: Exception) -> Refused:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Refused(
        Refusal(
            "unreadable", f"{visible(str(path))} cannot be read: {reason}", "look at its name and folder again"
        )
    )


# ------------------------------------------------------------------ locking


def _lock_path(path: Path) -> Path:
    return path.with_name(f".{path.name}.lock")


def _locked(path: Path) -> int | None:
    """An open handle that holds the lock, until it is closed or its process ends in whatever way.

    None where the file system knows no locks. Raises Refused where another copy holds it.
    """
    lock = _lock_path(path)
    while True:
        try:
            handle = os.open(lock, os.O_RDWR | os.O_CREAT | _BINARY, 0o666)
        except OSError as error:
            raise _unwritable(path, error) from None
        try:
            if not _take(handle):
                holder = os.read(handle, 300).decode("utf-8", "replace").strip()
                raise Refused(
                    Refusal(
                        "in-use",
                        f"{visible(path.name)} is being kept by {visible(holder) or 'another copy'}",
                        "go on there, or end it there first",
                    )
                )
            # a copy that ended meanwhile took its lock's file away: what we hold then is nobody's
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), os.stat(lock)):
                    os.ftruncate(handle, 0)
                    os.write(handle, _holder().encode())
                    return handle
        except OSError as error:
            os.close(handle)
            if error.errno in _NO_LOCKS:
                return None
            raise _unwritable(path, error) from None
        except Refused:
            os.close(handle)
            raise
        os.close(handle)


def _holder() -> str:
    import getpass
    import platform
    import time

    who = "somebody"
    # a process may run as nobody that the system knows
    with suppress(KeyError, OSError, ImportError):
        who = getpass.getuser()
    return f"process {os.getpid()} of {who} on {platform.node()} since {time.strftime('%H:%M')}"


if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> bool:
        # far behind the text, which others may read while the byte is locked
        os.lseek(handle, 1 << 20, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def _take(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
