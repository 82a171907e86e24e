"""A cache between runs for the tables of the grammars and the shipped rulebooks.

Each item is a file in the user's own cache folder: a checksum, followed by the item. The checksum covers the item,
its sources, and the versions of everything that makes it; an item that does not match exactly, or could have been
written by somebody else, is made and saved again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import stat
import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeVar

from mjscore import system
from mjscore.system import is_the_users_alone

Made = TypeVar("Made")

_LARGEST = 1 << 24  # bytes; tables and rulebooks take up to 60,000, a phone's memory 7 million
_DIGEST = hashlib.sha256().digest_size


@lru_cache(maxsize=1)
def cache_folder() -> str | None:
    """Return the cache folder, creating it if necessary; None if that fails or others can write to it.

    ``MJSCORE_CACHE`` names another folder, or disables the cache if it is empty.
    """
    folder = os.environ.get("MJSCORE_CACHE")
    if folder is None:
        folder = system.cache_folder()
    if not folder:
        return None
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        return folder if is_the_users_alone(os.stat(folder)) else None
    except (OSError, ValueError):
        return None


def cached_on_disk(
    name: str,
    sources: Callable[[], Iterable[bytes]],
    make: Callable[[], Made],
    save: Callable[[Made], bytes] = pickle.dumps,
    load: Callable[[bytes], Made] = pickle.loads,
) -> Made:
    """Return what *make* makes from *sources*: from the cache if it is there, and otherwise made and saved as *name*."""
    folder = cache_folder()
    if folder is None:
        return make()
    try:
        key = _key(name, sources())
    except OSError:
        return make()  # the sources are not files, but in a zip for example
    path = os.path.join(folder, f"{name}-{sys.implementation.cache_tag}")
    kept = _kept(path, key)
    if kept is not None:
        with contextlib.suppress(Exception):  # whatever the problem is, it can be made again
            return load(kept)
    made = make()
    with contextlib.suppress(Exception):  # if it cannot be saved, it is made again next time
        from pathlib import Path

        from mjscore.atomic import write_whole

        data = save(made)
        Path(path).unlink(missing_ok=True)  # so that nothing is written through a link or into a pipe
        write_whole(Path(path), hashlib.sha256(key + data).digest() + data, new=True, mode=0o600)
    return made


def _key(name: str, sources: Iterable[bytes]) -> bytes:
    import lark

    from mjscore import __version__

    digest = hashlib.sha256(repr((name, __version__, sys.version, lark.__version__)).encode())
    for source in sources:
        digest.update(hashlib.sha256(source).digest())
    return digest.digest()


def _kept(path: str, key: bytes) -> bytes | None:
    """Return the cached item at *path*; None unless it is whole, the user's own, and made for *key*."""
    try:
        status = os.lstat(path)  # do not follow links or wait for pipes
        if not (stat.S_ISREG(status.st_mode) and status.st_size < _LARGEST and is_the_users_alone(status)):
            return None
        with open(path, "rb") as stream:
            data = stream.read(_LARGEST)
    except OSError:
        return None
    kept = data[_DIGEST:]
    return kept if data[:_DIGEST] == hashlib.sha256(key + kept).digest() else None
