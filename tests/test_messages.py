"""The messages: every row of every ``messages.toml`` is raised somewhere, and whatever is raised has its row."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache

from sources import PACKAGE, Source, sources

from mjscore.refusal import messages

ROWS = [
    (path.parent.name, code, kind)
    for path in PACKAGE.glob("*/messages.toml")
    for code, told in tomllib.loads(path.read_text(encoding="utf-8")).items()
    for kind in (told if isinstance(told, dict) else ("",))
]


def words_of(expression: ast.expr | None) -> list[str | None]:
    """The texts that an expression may give; None where only the running program knows one."""
    if isinstance(expression, ast.IfExp):
        return [*words_of(expression.body), *words_of(expression.orelse)]
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        return [expression.value]
    return [None]


@cache
def makers() -> dict[str, set[tuple[int, int]]]:
    """The functions that take a code and a kind of message, and where these may stand among their arguments."""
    found: dict[str, set[tuple[int, int]]] = {}
    for source in sources().values():
        for node in source.nodes:
            if isinstance(node, ast.FunctionDef):
                names = [argument.arg for argument in node.args.args if argument.arg != "self"]
                if {"code", "kind"} <= set(names):
                    found.setdefault(node.name, set()).add((names.index("code"), names.index("kind")))
    return found


def raised(source: Source) -> Iterator[tuple[int, list[list[tuple[str, str | None]]]]]:
    """Each line of a module that takes a message, and the codes and kinds that it takes, by each way to read its call.

    A kind is None where only the running program knows it.
    """
    known = makers()
    for node in source.nodes:
        if not isinstance(node, ast.Call) or any(isinstance(one, ast.Starred) for one in node.args):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        ways = []
        for places in known.get(name, ()):
            code, kind = (
                node.args[place] if place < len(node.args) else given.get(word)
                for word, place in zip(("code", "kind"), places, strict=True)
            )
            kinds = words_of(kind) if kind is not None else [""]
            ways.append([(one, other) for one in words_of(code) for other in kinds if one is not None])
        if ways:
            yield node.lineno, ways


def test_every_file_is_read_and_no_row_stands_twice():
    assert len({folder for folder, *_ in ROWS}) > 5
    assert [row for row, count in Counter(row[1:] for row in ROWS).items() if count > 1] == []
    assert {(code, kind) for code, told in messages().items() for kind in told} == {row[1:] for row in ROWS}


def test_whatever_is_raised_has_its_row():
    rows = {row[1:] for row in ROWS} | {(code, None) for _, code, _ in ROWS}
    missing = [
        f"{source.place}:{line}: {ways}"
        for source in sources().values()
        for line, ways in raised(source)
        if not any(rows.issuperset(way) for way in ways)
    ]
    assert missing == []


def test_every_row_is_raised():
    texts = {
        source.name: {node.value for node in source.nodes if isinstance(node, ast.Constant)}
        for source in sources().values()
    }
    needless = [
        f"{folder}/messages.toml: {code} {kind}"
        for folder, code, kind in ROWS
        if not any(code in said and kind in {*said, ""} for said in texts.values())
    ]
    assert needless == []
