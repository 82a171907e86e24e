"""Write files whole or not at all: to a temporary file beside the target, flushed, then renamed at once."""

import contextlib
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from mjscore.system import can_be_called, copy_owner, exchange, link_new, replace, sync, sync_folder


def write_whole(path: Path, data: bytes, *, new: bool = False, mode: int = 0o666) -> None:
    """Write *data* as the file *path*, as ``whole_file`` does. Raises OSError."""
    with whole_file(path, new=new, mode=mode) as stream:
        stream.write(data)


@contextlib.contextmanager
def whole_file(
    path: Path,
    *,
    new: bool = False,
    like: Path | None = None,
    mode: int = 0o666,
    check: Callable[[Path], None] | None = None,
) -> Iterator[IO[bytes]]:
    """Yield a stream whose bytes become the file *path* if the block ends well; if it fails, discard them.

    A replaced file keeps its mode and, if the system allows, its owner; a new file takes those of *like*, or
    else *mode* less the umask. A symbolic link is kept and its target written; a pipe or a device is written
    directly. With *new*, the file must not exist yet. *check* is called with the path of the file about to be
    replaced and, where the system can exchange two files, again with the path to which the old file was
    moved; an exception from *check* keeps the old file. Raises OSError about *path*, then unchanged.
    """
    if not can_be_called(os.fspath(path)):
        raise OSError(22, "no file can have such a name", os.fspath(path))
    try:
        before = None if new else _status(path)
        if new and os.path.lexists(path):
            raise FileExistsError(17, "it exists already")
        if before is not None and stat.S_ISDIR(before.st_mode):
            raise IsADirectoryError(21, "it is a folder")
        if before is not None and not stat.S_ISREG(before.st_mode):
            with open(path, "wb") as stream:
                yield stream
            return
        target = Path(path) if new else Path(os.path.realpath(path))
        temporary = target.with_name(f"{temporary_prefix(target)}{os.urandom(6).hex()}")
        pattern = before or (_status(like) if like is not None else None)
        try:
            with open(_created(temporary, pattern, mode), "wb") as stream:
                yield stream
                stream.flush()
                sync(stream.fileno())
            if new:
                link_new(temporary, target)
            elif check is not None:
                _replace_checked(temporary, target, check)
            else:
                replace(temporary, target)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
        sync_folder(target.parent)
    except OSError as error:
        if error.filename is None or Path(error.filename).name.startswith(".mjscore-"):
            error.filename, error.filename2 = os.fspath(path), None
        raise


def _replace_checked(temporary: Path, target: Path, check: Callable[[Path], None]) -> None:
    """Replace *target* unless *check* raises; then check the replaced file, and restore it if that raises."""
    ours = os.stat(temporary)
    check(target)
    if not exchange(temporary, target):
        replace(temporary, target)
        return
    try:
        check(temporary)
    except Exception:
        exchange(temporary, target)
        if not os.path.samestat(os.stat(temporary), ours):
            exchange(temporary, target)  # saved again in the meantime: keep the newest
        raise


def temporary_prefix(path: Path) -> str:
    """Return how the names of temporary files for *path* begin; an interrupted program leaves such a file."""
    return f".mjscore-{zlib.crc32(path.name.encode('utf-8', 'surrogateescape')):08x}-"


def _status(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _created(path: Path, pattern: os.stat_result | None, mode: int) -> int:
    """Create a file, with *pattern*'s mode and owner or *mode*; return its descriptor. Raises OSError."""
    if pattern is not None:
        mode = pattern.st_mode & 0o777
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        if pattern is not None:
            copy_owner(descriptor, pattern)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
