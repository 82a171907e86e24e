"""The Lark parsers, each made once in a process."""

from __future__ import annotations

import io
import os
import pickle
import re
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


def _grammars(name: str) -> list[bytes]:
    """The text of a grammar and of those that it imports."""
    text = grammar_text(name)
    imported = re.findall(r"^%import +\.(\w+)", text, re.MULTILINE)
    return [
        text.encode(),
        *(part for grammar in dict.fromkeys(imported) for part in _grammars(f"{grammar}.lark")),
    ]


def _open(name: str, start: tuple[str, ...], transformer: Any) -> Lark:
    from mjscore.notation.cache import remembered

    def make() -> Lark:
        return Lark(
            grammar_text(name),
            parser="lalr",
            start=list(start),
            maybe_placeholders=False,
            import_paths=[_imported],
            **at_hand,
        )

    def save(parser: Lark) -> bytes:
        stream = io.BytesIO()
        parser.save(stream, exclude_options=at_hand)
        return stream.getvalue()

    def load(data: bytes) -> Lark:
        parser: Lark = Lark._load_from_dict(**pickle.loads(data), **at_hand)  # type: ignore[no-untyped-call]
        return parser

    # what the tables do not depend on is not kept with them
    at_hand = {"transformer": transformer}
    return remembered(f"{name}-{'-'.join(start)}", lambda: _grammars(name), make, save, load)


@lru_cache(maxsize=1)
def condition_parser() -> Lark:
    """The parser of rulebook conditions."""
    return _open("condition.lark", ("condition",), None)


@lru_cache(maxsize=1)
def shape_parser() -> Lark:
    """The parser of special hands' shapes."""
    return _open("shape.lark", ("shape",), None)
