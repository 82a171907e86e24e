"""The Lark parsers, each made once in a process; by lark-cython where it is installed (the extra ``fast``)."""

from __future__ import annotations

import contextlib
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from lark import Lark


def grammar_text(name: str) -> str:
    """The grammar file *name*: inside an installed package (a zip too), beside the package in a checkout."""
    from importlib import resources

    package = resources.files("mjscore")
    installed = package / "grammar" / name
    if installed.is_file():
        return installed.read_text(encoding="utf-8")
    return (Path(str(package)).parent / "grammar" / name).read_text(encoding="utf-8")


def _imported(base: object, path: str) -> tuple[str, str]:
    """Lark's way to a grammar that another imports."""
    return path, grammar_text(os.path.basename(path))


def _plugins() -> dict[str, Any]:
    try:
        import lark_cython
    except ImportError:
        return {}
    plugins: dict[str, Any] = lark_cython.plugins
    return plugins


def open_grammar(name: str, start: tuple[str, ...], transformer: Any = None) -> Lark:
    """The parser of the grammar file *name*; what *transformer* has a method for, it builds while parsing."""
    from mjscore.notation.cache import cache_folder, forget_older, state

    folder = cache_folder()
    kept: bool | str = False
    if folder is not None:
        kept = os.path.join(folder, f"{name}-{state()}.pickle")
        if not os.path.exists(kept):
            with contextlib.suppress(OSError):
                forget_older(folder, name)
    return Lark(
        grammar_text(name),
        parser="lalr",
        start=list(start),
        maybe_placeholders=False,
        transformer=transformer,
        cache=kept,
        import_paths=[_imported],
        # only what builds hands is asked often enough
        _plugins=_plugins() if transformer is not None else {},
    )


TABLE_STARTS = ("line", "row", "hand", "tiles")


@lru_cache(maxsize=1)
def token_parser() -> Lark:
    """The parser of a file's lines that builds nothing: for what stands where in a line that was refused."""
    return open_grammar("table.lark", TABLE_STARTS)


@lru_cache(maxsize=1)
def condition_parser() -> Lark:
    """The parser of rulebook conditions."""
    return open_grammar("condition.lark", ("condition",))


@lru_cache(maxsize=1)
def shape_parser() -> Lark:
    """The parser of special hands' shapes."""
    return open_grammar("shape.lark", ("shape",))
