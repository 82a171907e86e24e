"""What is made once and kept between runs: the tables of the grammars and the shipped rulebooks.

Each thing is a file in the user's own cache folder: a checksum, then the thing. The checksum covers the
thing, what it was made from, and the versions of everything that makes it; what does not fit to the last
bit, or could have been written by somebody else, is made afresh and kept anew.
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

_LARGEST = 1 << 24  # bytes; the tables and rulebooks take up to 60,000, what a phone starts with 7 million
_DIGEST = hashlib.sha256().digest_size


@lru_cache(maxsize=1)
def cache_folder() -> str | None:
    """Return the folder, made where it is not there yet; None where there can be none.

    ``MJSCORE_CACHE`` names another, or none where it is empty.
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
    """Return what *make* makes from *sources*, from the cache where it is there, else made and kept as *name*."""
    folder = cache_folder()
    if folder is None:
        return make()
    try:
        key = _key(name, sources())
    except OSError:
        return make()  # the sources are no files: in a zip, say
    path = os.path.join(folder, f"{name}-{sys.implementation.cache_tag}")
    kept = _kept(path, key)
    if kept is not None:
        with contextlib.suppress(Exception):  # whatever is the matter, it can be made afresh
            return load(kept)
    made = make()
    with contextlib.suppress(Exception):  # what cannot be kept is made again another time
        from pathlib import Path

        from mjscore.atomic import write_whole

        data = save(made)
        Path(path).unlink(missing_ok=True)  # whatever it is: nothing is written through a link or into a pipe
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
    """Return what is kept at *path*, where it is whole, ours and made from what *key* stands for."""
    try:
        status = os.lstat(path)  # a link is not followed and a pipe not waited for
        if not (stat.S_ISREG(status.st_mode) and status.st_size < _LARGEST and is_the_users_alone(status)):
            return None
        with open(path, "rb") as stream:
            data = stream.read(_LARGEST)
    except OSError:
        return None
    kept = data[_DIGEST:]
    return kept if data[:_DIGEST] == hashlib.sha256(key + kept).digest() else None
