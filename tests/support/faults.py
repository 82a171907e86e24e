"""A file system that stops the process before an operation, or lets one fail.

Everything that the store does on a disk goes through the module ``os``, the stream of ``mjscore.atomic``, the lock and
the exchange of two files; each of those calls is counted here.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import mjscore.atomic
import mjscore.play.history
import mjscore.play.store
import mjscore.system

OPERATIONS = frozenset(
    {"open", "close", "read", "fsync", "replace", "unlink", "link", "fchmod", "fchown", "stat", "fstat",
     "lstat", "listdir", "dup", "access", "write", "flush"}
)  # fmt: skip
STOP = "stop"
FAULTS = {STOP: 0, "no space": errno.ENOSPC, "not permitted": errno.EACCES}


class Stopped(BaseException):
    """The process ends here: nothing that it would do after this is done."""


class Disk:
    """Counts operations, and lets the one of the number *at* fail by *fault*."""

    def __init__(self) -> None:
        self.count = 0
        self.at: int | None = None
        self.fault = STOP
        self.dead = False
        self.handles: set[int] = set()
        self.trail: list[str] = []

    def before(self, name: str) -> None:
        """What happens in place of an operation, if anything."""
        if self.dead:
            raise Stopped
        self.count += 1
        self.trail.append(name)
        if self.count != self.at:
            return
        if self.fault == STOP:
            self.dead = True
            raise Stopped
        raise OSError(FAULTS[self.fault], os.strerror(FAULTS[self.fault]))

    def arm(self, at: int | None, fault: str = STOP) -> None:
        """Counts from here on."""
        self.count, self.at, self.fault, self.dead, self.trail = 0, at, fault, False, []

    def bury(self) -> None:
        """Lets go what a stopped process had open, as its system would."""
        for handle in self.handles:
            with contextlib.suppress(OSError):
                os.close(handle)
        self.handles.clear()
        self.dead = False


class _Module:
    def __init__(self, disk: Disk, module: Any) -> None:
        self._disk, self._module = disk, module

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module, name)
        if name not in OPERATIONS or not callable(value):
            return value

        def operation(*given: Any, **named: Any) -> Any:
            try:
                self._disk.before(name)
            except OSError:
                if name == "close":  # a failing close has closed all the same
                    self._disk.handles.discard(given[0])
                    value(*given)
                raise
            result = value(*given, **named)
            if name in ("open", "dup"):
                self._disk.handles.add(result)
            elif name == "close":
                self._disk.handles.discard(given[0])
            return result

        return operation


def _counted(disk: Disk, name: str, operation: Callable[..., Any]) -> Callable[..., Any]:
    """What goes past the module ``os``, counted too."""

    def counted(*given: Any) -> Any:
        disk.before(name)
        return operation(*given)

    return counted


class _Stream:
    """A file that is written without any buffer, so that a stop leaves half of what was to be written."""

    def __init__(self, disk: Disk, handle: int) -> None:
        self._disk, self._handle = disk, handle

    def write(self, data: bytes) -> int:
        try:
            self._disk.before("write")
        except BaseException:
            os.write(self._handle, data[: len(data) // 2])
            raise
        return os.write(self._handle, data)

    def flush(self) -> None:
        self._disk.before("flush")

    def fileno(self) -> int:
        return self._handle

    def __enter__(self) -> _Stream:
        return self

    def __exit__(self, *ended: object) -> None:
        self._disk.handles.discard(self._handle)
        os.close(self._handle)


@pytest.fixture
def disk() -> Iterator[Disk]:
    """A disk between the store and the real one."""
    with faulty_disk() as disk:
        yield disk


@contextlib.contextmanager
def faulty_disk() -> Iterator[Disk]:
    """A disk between the store and the real one, as long as the block lasts."""
    disk = Disk()
    with pytest.MonkeyPatch.context() as patch:
        for module in (mjscore.system, mjscore.atomic, mjscore.play.store, mjscore.play.history):
            patch.setattr(module, "os", _Module(disk, os))
        patch.setattr(mjscore.atomic, "exchange", _counted(disk, "exchange", mjscore.atomic.exchange))
        patch.setattr(mjscore.play.store, "lock", _counted(disk, "lock", mjscore.play.store.lock))
        patch.setattr(mjscore.atomic, "open", lambda handle, mode: _Stream(disk, handle), raising=False)
        yield disk
        disk.bury()
