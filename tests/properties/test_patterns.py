"""Every pattern takes time in proportion to its text, whatever was typed to slow it.

The patterns are those of the source and of the grammars. Hypothesis makes texts that fit one; a part of such a text is
repeated, and what stands behind it left out or spoilt, so that whatever can be tried another way is.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import re
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest
from amounts import part_of
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from sources import Source, sources
from tables import table

from mjscore.notation.parsers import open_grammar
from mjscore.page.glossary import glossary
from mjscore.rulebook.keys import KEYS
from mjscore.rulebook.toml_places import _SLIPS

GRAMMARS = {"table.lark": ("line", "row"), "condition.lark": ("condition",), "shape.lark": ("shape",)}
WAYS = ("match", "fullmatch", "search", "sub", "split", "findall", "finditer")
CALL = re.compile(rf"re\.(compile|{'|'.join(WAYS)})")
HARMLESS = re.compile(r"re\.(Pattern|Match|escape|[A-Z]+)")
SAMPLES = part_of(6, 3)  # texts that fit
LONGEST, PART = 12, 3  # their characters that are looked at; those that are repeated
ALWAYS = " \n-=.,:\"'#a1w"  # what is repeated for each pattern, whatever the texts that fit
SOON = 0.0002  # seconds; what is linear takes less, and is not measured again


class Names(dict[str, Any]):
    """The names of a module; what only the running program knows is a word, and so is all that is asked of it."""

    def __missing__(self, name: str) -> Any:
        return type("Word", (str,), {"__getattr__": lambda self, name: self})("word")


def of_re(node: ast.AST) -> bool:
    """Whether it is something of the module re, by its name."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re"


def way_of(call: Any, given: int) -> str:
    """Give how a call goes through its text, which is the last of so many *given* arguments."""
    if call.func.attr == "match":
        return "scan" if len(call.args) > given else "match"  # from match to match
    once = any(word.arg == "count" for word in call.keywords)
    return call.func.attr if call.func.attr in ("fullmatch", "search") else "search" if once else "finditer"


@cache
def applied(nodes: tuple[ast.AST, ...]) -> dict[str, set[str]]:
    """Give how a source applies patterns, by their names; without a name how it applies any."""
    ways = defaultdict(set)
    for call in nodes:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in WAYS:
            name = ast.unparse(call.func.value).partition("[")[0]
            for known in (name, "") if name != "re" else ():
                ways[known].add(way_of(call, 1))
    return ways


def uses(source: Source, kept: dict[str, Any]) -> Iterator[tuple[str, Any, set[str]]]:
    """Give the patterns of a module, whose names are *kept*: place, pattern, and the ways in which it is applied, by its name
    here or else anywhere. Raises AssertionError where that cannot be seen.
    """
    names, here = Names({**vars(builtins), **kept}), applied(source.nodes)
    assigned = [node for node in source.tree.body if isinstance(node, ast.Assign)]
    named = {part: ast.unparse(node.targets[0]) for node in assigned for part in ast.walk(node.value)}
    seen = 0
    for node in source.nodes:
        told = of_re(node) or isinstance(node, ast.Import | ast.ImportFrom)
        text = ast.unparse(node) if told else ""
        assert text == "import re" or not re.search(r"import.*\b(re|regex)\b|from re\b", text), source.place
        seen += HARMLESS.fullmatch(text) is not None
        if (
            isinstance(node, ast.Call)
            and of_re(node.func)
            and (call := CALL.fullmatch(ast.unparse(node.func)))
            and node.args
        ):
            first, *others = map(ast.unparse, (*node.args, *(word.value for word in node.keywords)))
            assert not first.startswith("*"), f"{source.place}: {first}"
            flags = [eval(one, names) for one in others if re.match(r"re\.[A-Z]", one)]
            pattern, name, seen = re.compile(eval(first, names), *flags), named.get(node, ""), seen + 1
            anywhere = (applied(other.nodes).get(name) for other in sources().values())
            ways = here.get(name) or next(filter(None, anywhere), None) or here.get("", {"search"})
            yield (
                f"{source.place}:{node.lineno}",
                pattern,
                {way_of(node, 2)} if call[1] != "compile" else ways,
            )
    there = [node for node in source.nodes if isinstance(node, ast.Name) and node.id == "re"]
    assert len(there) == seen, f"{source.place}: call the functions of re, each with its pattern"


def package() -> list[tuple[str, re.Pattern[Any], set[str]]]:
    """Give every pattern of the package and of its grammars with its place, and the ways in which it is applied."""
    found: list[tuple[str, re.Pattern[Any], set[str]]] = []
    for source in sources().values():
        if re.search(r"\bre\b", source.text):
            found += uses(source, vars(importlib.import_module(f"mjscore.{source.name}")))
    for name, starts in GRAMMARS.items():
        terminals = open_grammar(name, starts).terminals
        found += [(name, re.compile(one.pattern.to_regexp()), {"scan"}) for one in terminals]
    for word in filter(None, [word.on_cards for word in glossary().values()]):
        found.append((word, re.compile(word), {"search"}))
    for text in (*_SLIPS.values(), *(key.schema["pattern"] for key in KEYS if "pattern" in key.schema)):
        found.append((text, re.compile(text), {"fullmatch"}))
    return found


@cache
def slow_texts(pattern: re.Pattern[Any]) -> list[tuple[Any, Any, Any]]:
    """Give what is tried: what stands before, what is repeated, and what stands behind; the same each time."""
    tried: set[tuple[Any, Any, Any]] = set()
    told = str(pattern.pattern)
    nothing, spoilt = ("", "\0") if isinstance(pattern.pattern, str) else (b"", b"\0")
    ends = (nothing, spoilt, *({*re.findall(r"\\(\W)", told)} if "(?!" in told else ()))

    # derandomize would take each source apart again for a seed of its own
    @seed(1)
    @settings(max_examples=SAMPLES, database=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(st.from_regex(pattern, fullmatch=not re.search(r"\(\?<?=", told)))
    def add(text: Any) -> None:
        fitting = pattern.search(text)
        assert fitting
        text = text[max(0, fitting.start() - 1) : fitting.end() + 1][:LONGEST]
        always = ALWAYS if isinstance(text, str) else (bytes([each]) for each in ALWAYS.encode())
        tried.update(product((nothing, text), always, (nothing, spoilt)))
        for start, end in combinations(range(len(text) + 1), 2):
            if end == start + 1:
                tried.update((nothing, text[start:end], behind) for behind in ends)
            if end <= start + PART or end >= len(text) - 1:
                tried.update((text[:start], text[start:end], behind) for behind in (nothing, spoilt))

    if re.search(r"[*+{]", told):
        add()
    return sorted(tried)


def seconds(pattern: re.Pattern[Any], way: str, text: Any) -> float:
    """Give how long it takes, in the time of the processor."""
    began, position = time.process_time(), 0
    if way == "scan":
        while (match := pattern.match(text, position)) and match.end() > position:
            position = match.end()
    elif way == "finditer":
        deque(pattern.finditer(text), 0)
    else:
        getattr(pattern, way)(text)
    return time.process_time() - began


def slow(pattern: re.Pattern[Any], ways: Iterable[str]) -> str:
    """Give a text that is slow to the pattern: a third more of it takes three times as long, or four times as much eight
    times; empty where none is. A busy machine is no reason: it is so again and again, each time of the quickest of three.
    """

    def grows(few: int, many: int, times: int) -> bool:
        def quickest(length: int, tries: int) -> float:
            text = head + length // len(body) * body + end
            return min(seconds(pattern, way, text) for _ in range(tries))

        return all(SOON < quickest(many, tries) > times * quickest(few, tries) for tries in (1, 3, 3, 3))

    for way, (head, body, end) in product(ways, slow_texts(pattern)):
        # what is slow already at 300 is not tried at 1200
        if any(grows(length * 3 // 4, length, 3) for length in (16, 24, 32, 64)) or any(
            grows(length // 4, length, 8) for length in (300, 1200)
        ):
            return f"{way}: {head!r}, many {body!r}, {end!r}"
    return ""


@pytest.mark.timeout(600)  # it begins with the others that are long
def test_more_text_takes_no_more_than_its_share_of_time():
    found = package()
    places = {where.partition(":")[0] for where, _, _ in found}
    assert {"notation/lexer.py", "rulebook/toml_places.py", "batch/run.py", "table.lark"} <= places
    assert len(found) > 150
    told = {where: text for where, *used in found if (text := slow(*used))}
    assert told == {}


@table
def test_a_slow_pattern_is_seen(pattern, way):
    # what a busy machine hides once is looked for again
    assert any(slow(re.compile(pattern), [way]) for _ in range(5))


@table
def test_what_cannot_be_collected_fails(source):
    tree = ast.parse(source)
    with pytest.raises(AssertionError):
        list(uses(Source("new.py", "new", source, tree, tuple(ast.walk(tree))), {}))
