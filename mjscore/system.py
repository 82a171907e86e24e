"""What is asked of the operating system, in one place: nothing else asks which one this is.

mjscore is run and tested on Linux, and in a browser's Python, which has no users and no hard links. ``play`` needs locks.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

# files are opened without waiting for a pipe, and not through a link
NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)
NOT_THROUGH_LINKS: int = getattr(os, "O_NOFOLLOW", 0)


def user() -> int | None:
    """Give the number of the user for whom the program runs; None on a system that has none."""
    return os.geteuid() if hasattr(os, "geteuid") else None


def is_the_users_alone(status: os.stat_result) -> bool:
    """Tell whether the user alone can have written what has this status; true where that cannot be told."""
    return user() is None or (status.st_uid == user() and not status.st_mode & 0o022)


def cache_folder() -> str:
    """Tell where programs keep what can be made again; empty where no folder is meant for that."""
    return _folder("XDG_CACHE_HOME", ".cache")


def state_folder() -> str:
    """Tell where programs keep what is the user's own and cannot be made again; empty where there is no such folder."""
    return _folder("XDG_STATE_HOME", ".local/state")


def _folder(variable: str, local: str) -> str:
    """Give this program's folder: where *variable* has such folders, else in *local* of the user's own."""
    home = os.path.expanduser("~")
    base = os.environ.get(variable) or (os.path.join(home, local) if home != "~" else "")
    return os.path.join(base, "mjscore") if base else ""


def current_folder() -> str:
    """Return the folder in which the program runs; empty where it was deleted."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def lock(descriptor: int) -> None:
    """Lock an open file. Raises BlockingIOError where another process has; a network's file may have no locks."""
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if isinstance(error, BlockingIOError):
            raise


def copy_owner(descriptor: int, pattern: os.stat_result) -> None:
    """Set an open file's mode and, where the system lets us, its owner as *pattern* has them. Raises OSError."""
    if hasattr(os, "fchown"):
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, -1, pattern.st_gid)
            os.fchown(descriptor, pattern.st_uid, -1)
        os.fchmod(descriptor, stat.S_IMODE(pattern.st_mode) & 0o777)


def link_new(path: Path, name: Path) -> None:
    """Name the file *path* *name*, where nothing stands yet. Raises OSError, FileExistsError where something does."""
    try:
        os.link(path, name)
    except (PermissionError, AttributeError):
        # without hard links, on some disks and in a browser, what takes the name first keeps it
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        os.replace(path, name)


def exchange(one: Path, other: Path) -> bool:
    """Give two files each other's names in one step; False where the system or the disk cannot. Raises OSError."""
    import ctypes

    rename = _renameat2()
    if rename is None:
        return False
    here, swap = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux
    if rename(here, os.fsencode(one), here, os.fsencode(other), swap) == 0:
        return True
    number = ctypes.get_errno()
    if number in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EPERM):
        return False
    raise OSError(number, os.strerror(number), os.fspath(one))


@lru_cache(maxsize=1)
def _renameat2() -> Any:
    import ctypes

    try:
        return ctypes.CDLL(None, use_errno=True).renameat2
    except AttributeError:
        return None  # no Linux, or one before 2.28 of its library


def sync_folder(folder: Path) -> None:
    """Have the names in a folder outlast a loss of power, where we may read it. Raises OSError."""
    with contextlib.suppress(PermissionError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def cores() -> int:
    """Tell how many processes can work at a time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextlib.contextmanager
def terminations(told: Callable[[], None]) -> Iterator[None]:
    """Call *told* when the process is to end or its terminal is gone, as long as the block lasts; what it raises, the block raises."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the first thread of a process is asked
        return
    numbers = {signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}
    before = {number: signal.getsignal(number) for number in numbers}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:  # as nohup has it
            signal.signal(number, lambda number, frame: told())
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def ignore_signals() -> None:
    """Ignore interruptions and terminations in this process: the one that began it ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


@contextlib.contextmanager
def stops_held_back() -> Iterator[None]:
    """Have interruptions and terminations wait for the end of the block."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def waits_to_be_read(otherwise: bool = False) -> bool:
    """Return whether something was typed that has not been read yet, *otherwise* where standard input cannot be asked."""
    import select

    try:
        return bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):
        return otherwise
