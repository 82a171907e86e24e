"""What can be prepared once and kept: the tables of the grammars and the rulebooks that come along.

Kept in the user's own cache folder, which only he can write; a name carries the state of the files that
it was made from, so nothing old is ever read. Without such a folder everything is made afresh.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

Made = TypeVar("Made")


@lru_cache(maxsize=1)
def cache_folder() -> str | None:
    """The folder, made where it is not there yet; None where there can be none.

    ``MJSCORE_CACHE`` names another, or none where it is empty.
    """
    folder = os.environ.get("MJSCORE_CACHE")
    if folder is None:
        folder = _usual_folder()
    if not folder:
        return None
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        found = os.stat(folder)
    except OSError:
        return None
    # what is read from here is trusted, so nobody else may have written it
    if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o022):
        return None
    return folder


def _usual_folder() -> str:
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return os.path.join(base, "mjscore", "cache") if base else ""
    base = os.environ.get("XDG_CACHE_HOME")
    if base:
        return os.path.join(base, "mjscore")
    home = os.path.expanduser("~")
    return os.path.join(home, ".cache", "mjscore") if home != "~" else ""


@lru_cache(maxsize=1)
def state() -> str:
    """A short text that changes whenever a file of the package does, or Python or Lark."""
    import zlib

    import lark

    here = Path(__file__).parent.parent
    parts = [sys.version, lark.__version__]
    for path in (
        *here.rglob("*.py"),
        *here.rglob("*.toml"),
        *here.parent.glob("grammar/*.lark"),
        *here.glob("grammar/*.lark"),
    ):
        found = path.stat()
        parts.append(f"{path} {found.st_mtime_ns} {found.st_size}")
    return f"{zlib.crc32(repr(parts).encode()):08x}"


def remembered(name: str, make: Callable[[], Made]) -> Made:
    """What *make* makes, from the cache where it is there, else made and kept."""
    folder = cache_folder()
    if folder is None:
        return make()
    path = os.path.join(folder, f"{name}-{state()}.pickle")
    with contextlib.suppress(OSError, pickle.PickleError, EOFError, AttributeError, ImportError, IndexError):
        with open(path, "rb") as stream:
            kept: Made = pickle.load(stream)
        return kept
    made = make()
    with contextlib.suppress(OSError, pickle.PickleError):
        forget_older(folder, name)
        temporary = f"{path}.{os.getpid()}"
        with open(temporary, "wb") as stream:
            stream.write(pickle.dumps(made, pickle.HIGHEST_PROTOCOL))
        os.replace(temporary, path)
    return made


def forget_older(folder: str, name: str) -> None:
    """Takes away what was kept under *name* for files that have changed since. Raises OSError."""
    for old in os.listdir(folder):
        if old.startswith(f"{name}-") and ".pickle" in old:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, old))
