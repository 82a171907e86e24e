"""The package's own source, each module parsed once for all tests that look at it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[2] / "mjscore"
MODULES = sorted(PACKAGE.rglob("*.py"))


class Source(NamedTuple):
    """A module: its path within the package, its name as ``scoring.waits``, its text, its tree and all nodes of that."""

    place: str
    name: str
    text: str
    tree: ast.Module
    nodes: tuple[ast.AST, ...]


@cache
def sources() -> dict[str, Source]:
    """Every module of the package but its own ``__init__``, by name."""
    found = {}
    for path in MODULES:
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name:
            text = path.read_text(encoding="utf-8")
            tree = ast.parse(text)
            place = path.relative_to(PACKAGE).as_posix()
            found[name] = Source(place, name, text, tree, tuple(ast.walk(tree)))
    return found
