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
def cache_folder() -> Path | None:
    """The folder, made where it is not there yet; None where there can be none.

    ``MJSCORE_CACHE`` names another, or none where it is empty.
    """
    named = os.environ.get("MJSCORE_CACHE")
    if named is not None:
        folder = Path(named) if named else None
    elif sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        folder = Path(base, "mjscore", "cache") if base else None
    else:
        base = os.environ.get("XDG_CACHE_HOME")
        home = os.path.expanduser("~")
        folder = Path(base, "mjscore") if base else Path(home, ".cache", "mjscore") if home != "~" else None
    if folder is None:
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
    except OSError:
        return None
    # what is read from here is trusted, so nobody else may have written it
    if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o022):
        return None
    return folder


@lru_cache(maxsize=1)
def state() -> str:
    """A short text that changes whenever a file of the package does, or Python or Lark."""
    import zlib

    import lark

    here = Path(__file__).parent
    grammar = (
        os.path.dirname(os.path.abspath(sys.modules["mjscore.grammar"].__file__ or ""))
        if "mjscore.grammar" in sys.modules
        else ""
    )
    parts = [sys.version, lark.__version__]
    for folder in (here, here / "rulebooks", *([Path(grammar)] if grammar else [])):
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda one: one.name):
                if entry.name.endswith((".py", ".toml", ".lark")):
                    found = entry.stat()
                    parts.append(f"{entry.path} {found.st_mtime_ns} {found.st_size}")
    return f"{zlib.crc32(repr(parts).encode()):08x}"


def remembered(name: str, make: Callable[[], Made]) -> Made:
    """What *make* makes, from the cache where it is there, else made and kept."""
    folder = cache_folder()
    if folder is None:
        return make()
    path = folder / f"{name}-{state()}.pickle"
    with contextlib.suppress(OSError, pickle.PickleError, EOFError, AttributeError, ImportError, IndexError):
        with path.open("rb") as stream:
            kept: Made = pickle.load(stream)
        return kept
    made = make()
    with contextlib.suppress(OSError, pickle.PickleError):
        _forget_older(folder, name)
        temporary = path.with_suffix(f".{os.getpid()}")
        temporary.write_bytes(pickle.dumps(made, pickle.HIGHEST_PROTOCOL))
        temporary.replace(path)
    return made


def _forget_older(folder: Path, name: str) -> None:
    for old in folder.glob(f"{name}-????????.*"):
        old.unlink(missing_ok=True)
