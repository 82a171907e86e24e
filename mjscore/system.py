"""All dealings with the operating system; no other module asks which system this is.

mjscore runs on Linux and Windows, and in a browser's Python, which has no users and no hard links. macOS is
supported according to its manuals; mjscore was never run there.
"""

import contextlib
import errno
import os
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any

# errors of a disk that cannot link files or exchange their names
_UNKNOWN_HERE = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EPERM, errno.EACCES)
# Windows' errors when another program has a file open: access denied, sharing violation, lock violation
_HELD_OPEN = (5, 32, 33)
_PAUSES = (0.01, 0.03, 0.1, 0.3, 0.6)  # seconds; a virus scanner is done by then
_MOST_PROCESSES = 60  # Windows can wait for at most 63 pipes at a time


def user() -> int | None:
    """Return the id of the user who runs the program; None on a system without users."""
    return os.geteuid() if hasattr(os, "geteuid") else None


def is_the_users_alone(status: os.stat_result) -> bool:
    """Return whether only the user can have written a file of this *status*; True where nobody can tell."""
    return user() is None or (status.st_uid == user() and not status.st_mode & 0o022)


def can_be_called(path: str) -> bool:
    """Return whether a file can be named *path*: without null bytes; on Windows, not like a device (aux)."""
    return "\0" not in path and not os.path.abspath(path).startswith("\\\\.\\")


def cache_folder() -> str:
    """Return the folder for the program's caches; empty if there is none."""
    return _folder("cache", "XDG_CACHE_HOME", ".cache")


def state_folder() -> str:
    """Return the folder for what mjscore remembers (undo steps, missed questions); empty if there is none."""
    return _folder("state", "XDG_STATE_HOME", ".local/state")


def _folder(kind: str, variable: str, local: str) -> str:
    """Return $*variable*/mjscore, else ~/*local*/mjscore if it exists, else the usual folder; "" if none."""
    chosen = os.environ.get(variable)
    once = os.path.join(chosen or os.path.join(os.path.expanduser("~"), *local.split("/")), "mjscore")
    if chosen or os.path.isdir(once):
        return once
    import platformdirs

    usual: str = getattr(platformdirs, f"user_{kind}_dir")("mjscore", appauthor=False)
    return usual if os.path.isabs(usual) else ""


def current_folder() -> str:
    """Return the current folder; empty if it was deleted."""
    try:
        return os.getcwd()
    except OSError:
        return ""


def path_from(folder: str, path: str) -> str:
    """Return *path* relative to *folder*; the absolute path if that is on another drive of Windows."""
    try:
        return os.path.relpath(path, folder)
    except ValueError:
        return os.path.abspath(path)


def lock(descriptor: int) -> None:
    """Lock an open file until it is closed or this process ends; do nothing on network disks without locks.

    Raises BlockingIOError if another process has locked it.
    """
    from filelock import lock_descriptor

    try:
        locked = lock_descriptor(descriptor, blocking=False)
    except OSError:
        return
    if not locked:
        raise BlockingIOError(errno.EWOULDBLOCK, "it is locked")


def copy_owner(descriptor: int, pattern: os.stat_result) -> None:
    """Give an open file *pattern*'s mode and, if allowed, owner, where there are users. Raises OSError."""
    if user() is not None:
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, -1, pattern.st_gid)
            os.fchown(descriptor, pattern.st_uid, -1)
        os.fchmod(descriptor, stat.S_IMODE(pattern.st_mode) & 0o777)


def link_new(path: os.PathLike[str], name: os.PathLike[str]) -> None:
    """Hard-link *path* as the new *name*; without hard links, move it. Raises FileExistsError, OSError."""
    try:
        os.link(path, name)
    except (OSError, AttributeError) as error:
        if isinstance(error, OSError) and error.errno not in _UNKNOWN_HERE:
            raise
        # no hard links, on some disks and in a browser: the program that creates the name first keeps it
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        replace(path, name)


def replace(path: os.PathLike[str], name: os.PathLike[str]) -> None:
    """Rename *path* to *name*, replacing any file; retry a while if a program has it open. Raises OSError."""
    for pause in (*_PAUSES, 0.0):
        try:
            os.replace(path, name)
            return
        except OSError as error:
            if not pause or not is_held_open(error):
                raise
            time.sleep(pause)


def is_held_open(error: OSError) -> bool:
    """Return whether an error means that another program has the file open, as happens on Windows."""
    return getattr(error, "winerror", None) in _HELD_OPEN


def exchange(one: os.PathLike[str], other: os.PathLike[str]) -> bool:
    """Swap the names of two files in one step; return False if the system or disk cannot. Raises OSError."""
    import ctypes

    rename = _renameat2()
    if rename is None:
        return False
    here, swap = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux
    if rename(here, os.fsencode(one), here, os.fsencode(other), swap) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNKNOWN_HERE and number != errno.EACCES:
        return False
    raise OSError(number, os.strerror(number), os.fspath(one))


@lru_cache(maxsize=1)
def _renameat2() -> Any:
    import ctypes

    try:
        return ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, TypeError):
        return None  # not Linux, or glibc before 2.28


def sync(descriptor: int) -> None:
    """Flush an open file to disk, so that it survives a loss of power. Raises OSError."""
    try:
        import fcntl

        # on macOS, fsync alone may leave it in the disk's own memory
        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)  # type: ignore[attr-defined, unused-ignore]
    except (ImportError, AttributeError, OSError):
        os.fsync(descriptor)


def sync_folder(folder: os.PathLike[str]) -> None:
    """Flush a folder's names to disk, if readable, so that they survive a loss of power. Raises OSError."""
    with contextlib.suppress(PermissionError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            sync(descriptor)
        finally:
            os.close(descriptor)


def cores() -> int:
    """Return how many processes can run at a time, at most 60."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(count or 1, _MOST_PROCESSES)


@contextlib.contextmanager
def terminations(notify: Callable[[], None]) -> Iterator[None]:
    """In the block, call *notify*, which may raise, on a signal to end; only in the main thread."""
    # only the main thread may set handlers; SIGBREAK is Windows' own, sent also when a window is closed
    is_first = threading.current_thread() is threading.main_thread()
    names = ("SIGTERM", "SIGHUP", "SIGBREAK") if is_first else ()
    before = {number: signal.getsignal(number) for number in signal.Signals if number.name in names}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:  # ignored under nohup
            signal.signal(number, lambda number, frame: notify())
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def wait_for_input(descriptor: int) -> None:
    """Wait until *descriptor* can be read, with every signal handled meanwhile.

    Otherwise a signal just before a call to read would be handled only after that call, which may never end.
    On Windows, and outside the main thread, return at once.
    """
    import select

    if os.name != "posix" or threading.current_thread() is not threading.main_thread():
        return
    woken, waker = os.pipe()
    os.set_blocking(waker, False)
    before = signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    try:
        while descriptor not in select.select([descriptor, woken], [], [])[0]:
            os.read(woken, 1)
    finally:
        signal.set_wakeup_fd(before)
        os.close(woken)
        os.close(waker)


def ignore_signals() -> None:
    """Ignore interruptions and terminations in this process: its parent will end it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


@contextlib.contextmanager
def stops_held_back() -> Iterator[None]:
    """Hold back interruptions and terminations until the block ends; a process started in it ignores them."""
    try:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    except AttributeError:
        release = _deaf_console()
    else:
        release = partial(signal.pthread_sigmask, signal.SIG_SETMASK, before)
    try:
        yield
    finally:
        release()


def _deaf_console() -> Callable[[], object]:
    """Make this process and its children ignore Ctrl-C in a Windows console; return how to undo that."""
    import ctypes

    console: Any = ctypes.windll.kernel32  # type: ignore[attr-defined, unused-ignore]
    console.SetConsoleCtrlHandler(None, True)
    return partial(console.SetConsoleCtrlHandler, None, False)


def waits_to_be_read(otherwise: bool = False) -> bool:
    """Return whether typed input is waiting to be read; *otherwise* if standard input cannot tell."""
    import select

    try:
        return bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):
        return otherwise
