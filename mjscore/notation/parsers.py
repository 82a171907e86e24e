"""The Lark parsers, each made once in a process."""

from __future__ import annotations

import contextlib
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from lark import Lark, Transformer


class _Tokens(Transformer):  # type: ignore[type-arg]
    """A hand is one token, tiles are the list of theirs; lines of other kinds stay trees."""

    def hand(self, children: list[Any]) -> Any:
        return children[0]

    def tiles(self, children: list[Any]) -> list[Any]:
        return children


@lru_cache(maxsize=1)
def hand_parser() -> Lark:
    """The parser of one hand (``hand``) and of tiles alone (``tiles``)."""
    return _open("hand.lark", ("hand", "tiles", "piece"), _Tokens())


@lru_cache(maxsize=1)
def table_parser() -> Lark:
    """The parser of a file's lines (``line``) and of a block's rows (``row``); it takes hands from the same file."""
    return _open("table.lark", ("line", "row", "piece"), _Tokens())


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


def _open(name: str, start: tuple[str, ...], transformer: Any) -> Lark:
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
    )


@lru_cache(maxsize=1)
def condition_parser() -> Lark:
    """The parser of rulebook conditions."""
    return _open("condition.lark", ("condition",), None)


@lru_cache(maxsize=1)
def shape_parser() -> Lark:
    """The parser of special hands' shapes."""
    return _open("shape.lark", ("shape",), None)
