"""What functions of mjscore remember, forgotten."""

from __future__ import annotations

import functools
import gc
import sys
from typing import Any

# these keep their parsers from test to test: to build them each time would take longer than the tests
LASTING = ("mjscore.notation.parsers", "mjscore.notation.hands", "mjscore.notation.cache")
_known: dict[int, list[Any]] = {}  # by the number of modules loaded


def forget() -> None:
    """Empties what functions remember, so that a test runs all the lines that it needs."""
    if len(sys.modules) not in _known:
        kept = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]
        _known.clear()
        _known[len(sys.modules)] = [one for one in kept if _forgettable(one)]
    for one in _known[len(sys.modules)]:
        one.cache_clear()


def _forgettable(one: Any) -> bool:
    function = getattr(one, "__wrapped__", one)
    module = getattr(getattr(function, "func", function), "__module__", "") or ""
    return module.startswith("mjscore.") and module not in LASTING
