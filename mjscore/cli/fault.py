"""What is said of a fault of the program itself, and the file that keeps its details."""

from __future__ import annotations

import os
import sys

from mjscore import __version__
from mjscore.refusal import visible


def describe_fault(error: Exception) -> str:
    """One line about a fault of the program itself; its details are kept in a file that can be sent along."""
    import platform
    import tempfile
    import traceback

    said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    details = (
        f"mjscore {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"{' '.join(map(repr, sys.argv[1:]))}\n\n{''.join(traceback.format_exception(error))}"
    )
    try:
        handle, path = tempfile.mkstemp(prefix="mjscore-fault-", suffix=".txt")
        with os.fdopen(handle, "wb") as stream:
            stream.write(details.encode("utf-8", "backslashreplace"))
    except OSError:
        path = ""
    where = f"what was typed and the file {path}" if path else "what was typed"
    return f"mjscore has a fault: {visible(said)}; please report it with {where}"
