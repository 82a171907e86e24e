"""Every pattern takes time in proportion to its text, whatever was typed to slow it.

The patterns are found in the source: a use of ``re`` that is not understood here fails. For each of them texts are made
of its own characters, each beside one of a quarter of its length, for every way in which the code applies it.
"""

from __future__ import annotations

import ast
import gc
import importlib
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

import pytest
from sources import MODULES, PACKAGE, Source, sources
from tables import table

from mjscore.notation.parsers import open_grammar
from mjscore.page.glossary import glossary
from mjscore.rulebook.keys import KEYS
from mjscore.rulebook.toml_places import _SLIPS

GRAMMARS = {
    "table.lark": open_grammar("table.lark", ("line", "row")),
    "condition.lark": open_grammar("condition.lark", ("condition",)),
    "shape.lark": open_grammar("shape.lark", ("shape",)),
}
REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
WAYS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
HARMLESS = ("Pattern", "Match", "escape", "IGNORECASE", "DOTALL", "VERBOSE", "MULTILINE", "ASCII")
# what stands at the places of a pattern that only the running program fills, by module and name
FILLINGS: dict[tuple[str, str], tuple[object, ...]] = {
    ("page/glossary.py", "word"): tuple(word for word in glossary().values() if word.on_cards),
    ("page/manual.py", "code"): ("not-a-winning-hand",),
    ("notation/lexer.py", "letter"): ("b",),
    ("play/live.py", "word"): ("wash",),
    ("rulebook/toml_places.py", "pattern"): tuple(_SLIPS.values()),
    ("refusal.py", "old"): ("one line|another",),
    ("rulebook/keys.py", "pattern"): tuple(
        {key.schema["pattern"] for key in KEYS if "pattern" in key.schema}
    ),
    **dict.fromkeys((("play/session.py", "words"), ("phone/bridge.py", "words")), ("wash", "set|rules")),
    ("play/typed_line.py", "name"): ('"[^"]*"|Old\\ Cid|Old\\ Dee|[^\\s:"@\\[(]+', '"[^"]*"|[^\\s:"@\\[(]+'),
}
# characters; at the first already an exponential pattern shows, and ends
LENGTHS = (20, 96, 1024)
LENGTHS_OF_TWO = (20, 1024)  # of texts that repeat two characters, of which there are many
SUSPICIOUS = 0.00005  # seconds; hardly any linear pattern takes as long: what takes longer is compared
# what takes long on this machine, now: a million steps of a quadratic search. At the first length linear takes
# some dozen, and exponential millions
YARDSTICK = (re.compile("a*b"), "search", 1300 * "a")
GROWTH = 64  # at sixteen times the length
COMPILED: dict[str, re.Pattern[str]] = {}


class Used(NamedTuple):
    """A pattern, where it stands, and the ways in which it is applied; ``scan`` goes from match to match."""

    place: str
    pattern: re.Pattern[Any]
    ways: frozenset[str]


def uses(source: Source, kept: dict[str, Any], others: Iterable[Source] = ()) -> Iterator[Used]:
    """The patterns of a module, whose names are *kept*. Raises AssertionError for a use that is not understood.

    *others* are the modules that may import them.
    """
    calls = {id(node.func): node for node in source.nodes if isinstance(node, ast.Call)}
    attributes = {
        id(node.value): node
        for node in source.nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re"
    }
    for node in source.nodes:
        where = f"{source.place}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.ImportFrom):
            assert node.module not in ("re", "regex", "sre_compile"), f"{where}: import re as a whole"
        if isinstance(node, ast.Import):
            assert all(
                alias.name != "regex" and (alias.name != "re" or alias.asname is None) for alias in node.names
            ), where
        if not (isinstance(node, ast.Name) and node.id == "re"):
            continue
        assert id(node) in attributes, f"{where}: re given away; call its functions by name"
        attribute = attributes[id(node)]
        if attribute.attr in HARMLESS:
            continue
        assert attribute.attr in ("compile", *WAYS), f"{where}: re.{attribute.attr} is not known here"
        call = calls.get(id(attribute))
        assert call is not None and call.args and not isinstance(call.args[0], ast.Starred), (  # noqa: PT018 - one condition
            f"{where}: re.{attribute.attr} given away; call it with its pattern"
        )
        flags = _flags(call, attribute.attr, kept)
        ways = (
            frozenset((_way(call, attribute.attr),))
            if attribute.attr != "compile"
            else _applied(source, call, others)
        )
        assert ways, f"{where}: it cannot be seen how this pattern is applied"
        for text in _texts(call.args[0], source.place, kept):
            yield Used(where, re.compile(text, flags), ways)


def _texts(expression: ast.expr, place: str, kept: dict[str, Any]) -> Iterator[Any]:
    """What a pattern may be, with each of the fillings of its open places."""
    names = [node for node in ast.walk(expression) if isinstance(node, ast.Name)]
    local = sorted(
        {name.id for name in names if isinstance(name.ctx, ast.Load)}
        - {name.id for name in names if isinstance(name.ctx, ast.Store)}
        - {"re", *kept}
    )
    code = compile(ast.Expression(expression), place, "eval")
    for name in local:
        assert (place, name) in FILLINGS, f"{place}:{expression.lineno}: say in FILLINGS what {name} may be"
    for fillings in product(*(FILLINGS[place, name] for name in local)):
        yield eval(code, {**kept, "re": re, **dict(zip(local, fillings, strict=True))})


def _flags(call: ast.Call, function: str, kept: dict[str, Any]) -> int:
    at = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(function, 2)
    given = [keyword.value for keyword in call.keywords if keyword.arg == "flags"] + call.args[at : at + 1]
    return eval(compile(ast.Expression(given[0]), "", "eval"), {**kept, "re": re}) if given else 0


def _applied(source: Source, compiled: ast.Call, others: Iterable[Source]) -> frozenset[str]:
    """How a module applies what it compiles: by its name, there or where that is imported; else in every way that it
    has for what it takes out of something."""
    names = {
        target.id
        for node in source.nodes
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        and node.value is not None
        and node.lineno <= compiled.lineno <= (node.end_lineno or 0)
        and any(part is compiled for part in ast.walk(node.value))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    importing = [other for other in others if names & imported(other)]
    named = {way for part in (source, *importing) for root, way in _calls(part) if root in names}
    ways = frozenset(named or {way for root, way in _calls(source) if root != "re" and way != "split"})
    return ways - {"match"} if "scan" in ways else ways


@cache
def imported(source: Source) -> frozenset[str]:
    """The names that a module takes from others."""
    return frozenset(
        alias.name for node in source.nodes if isinstance(node, ast.ImportFrom) for alias in node.names
    )


@cache
def _calls(source: Source) -> tuple[tuple[str, str], ...]:
    """What a method of patterns is called on, by its name where it has one, and the method."""
    found = []
    for call in source.nodes:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in WAYS:
            on = call.func.value
            root = on.value if isinstance(on, ast.Subscript) else on
            found.append((root.id if isinstance(root, ast.Name) else "", _way(call, call.func.attr)))
    return tuple(found)


def _way(call: ast.Call, name: str) -> str:
    once = name == "sub" and "count" in {keyword.arg for keyword in call.keywords}
    return "scan" if name == "match" and len(call.args) > 1 else "search" if once else name


@cache
def package() -> dict[str, list[Used]]:
    """Every pattern of the package, and every terminal of its grammars, each in the last file that has it."""
    found: list[Used] = []
    for source in sources().values():
        if re.search(r"\b(import|from) re", source.text):
            kept = vars(importlib.import_module(f"mjscore.{source.name}"))
            found += uses(source, kept, sources().values())
    for name, parser in GRAMMARS.items():
        for terminal in parser.terminals:
            pattern = re.compile(terminal.pattern.to_regexp())
            found.append(Used(f"{name} {terminal.name}", pattern, frozenset(("scan",))))
    files: dict[str, list[Used]] = {}
    for used in {used[1:]: used for used in found}.values():
        files.setdefault(re.split("[: ]", used.place)[0], []).append(used)
    return files


def alphabet(pattern: re.Pattern[Any], words: bool = True) -> list[str]:
    """A character for each kind that the pattern tells apart; without *words* its own letters are of one kind."""
    found = list(nodes(parsed(pattern)))
    literals = {chr(value) for kind, value in found if kind is _constants.LITERAL}
    classes = [node for node in found if node[0] in (_constants.IN, _constants.NOT_LITERAL)]
    candidates = literals | {chr(value) for kind, value in found if kind is _constants.NOT_LITERAL}
    for kind, value in [part for kind, parts in classes if kind is _constants.IN for part in parts]:
        if kind is _constants.LITERAL:
            candidates.add(chr(value))
        elif kind is _constants.RANGE:
            candidates |= {chr(value[0]), chr(value[1])}
    kinds: dict[tuple[object, ...], str] = {}
    for sign in (*sorted(candidates), *' \t\naZ09_".(<\x00\xe9²'):
        itself = sign if sign in literals and (words or not sign.isalnum()) else ""
        kinds.setdefault(
            (itself, sign == "\n", sign.isalnum(), *(fits(node, sign) for node in classes)), sign
        )
    return list(kinds.values())


def parsed(pattern: re.Pattern[Any]) -> Any:
    """The parts of a pattern, as Python reads it."""
    return _parser.parse(
        pattern.pattern, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
    )


def nodes(part: Any) -> Iterator[tuple[Any, Any]]:
    """All parts within a part."""
    if isinstance(part, _parser.SubPattern):
        for node in part.data:
            yield node
            yield from nodes(node[1])
    elif isinstance(part, (tuple, list)):
        for one in part:
            yield from nodes(one)


def fits(node: tuple[Any, Any], sign: str) -> bool:
    """Whether one part that stands for a single character stands for *sign*."""
    if node[0] is _constants.NOT_LITERAL:
        return ord(sign) != node[1]
    said = repr(node)
    if said not in COMPILED:
        whole = _parser.SubPattern(_parser.State())
        whole.append(node)
        COMPILED[said] = re._compiler.compile(whole)  # type: ignore[attr-defined]
    return COMPILED[said].match(sign) is not None


def sample(part: Any) -> tuple[str, list[tuple[str, str, str]]]:
    """A short text that a part fits, and for each repetition in it: what stands before it, one turn of it, what stands after."""
    text = ""
    turns: list[tuple[str, str, str]] = []
    for kind, value in part.data:
        inner: list[tuple[str, str, str]] = []
        if kind is _constants.LITERAL:
            said = chr(value)
        elif kind is _constants.NOT_LITERAL:
            said = "a" if value != ord("a") else "b"
        elif kind is _constants.ANY:
            said = "a"
        elif kind is _constants.IN:
            said = next(
                (
                    sign
                    for sign in 'a1E b("<+!:#RW.x\t'
                    + "".join(chr(n) for n in range(33, 127))
                    + "\U0001f000…“ａ"
                    if fits((kind, value), sign)
                ),
                "a",
            )
        elif kind is _constants.BRANCH:
            choices = [sample(choice) for choice in value[1]]
            said = choices[0][0]
            inner = [turn for choice in choices for turn in choice[1]]
            turns += [(text + choice[0], said, "") for choice in choices[1:]]
        elif kind is _constants.SUBPATTERN:
            said, inner = sample(value[3])
        elif kind is _constants.ATOMIC_GROUP:
            said, inner = sample(value)
        elif kind in REPEATS:
            once, inner = sample(value[2])
            said = once * max(1, value[0])
            turns.append((text, once, ""))
        elif kind in (_constants.ASSERT, _constants.ASSERT_NOT):
            ahead, inner = sample(value[1])
            turns.append((text, ahead, ""))
            said = ""
        else:
            assert kind in (_constants.AT, _constants.GROUPREF, _constants.FAILURE), kind
            said = ""
        turns += [(text + before, once, after) for before, once, after in inner]
        turns = [
            (before, once, after + said if before != text or kind not in REPEATS else after)
            for before, once, after in turns
        ]
        text += said
    return text, turns


def slow_texts(pattern: re.Pattern[Any]) -> dict[tuple[str, str, str], tuple[int, ...]]:
    """What is tried, with its lengths: a beginning, what is repeated behind it, and an end, mostly one that does not fit."""
    signs, two = alphabet(pattern), alphabet(pattern, words=False)
    whole, turns = sample(parsed(pattern))
    heads = ("", whole, *(before for before, _, _ in turns))
    bodies = (*signs, *(once for _, once, _ in turns), whole, whole[: len(whole) // 2], whole[:-1])
    ends = ("", "\x00", whole[-1:])
    tried = {
        (first, one + other, end): LENGTHS_OF_TWO
        for one in two
        for other in two
        for first in ("", one)
        for end in ends[:2]
    }
    tried |= {(head, body, end): LENGTHS for head in heads for body in bodies for end in ends if body}
    tried |= {(before, once, after[:-1] + "\x00"): LENGTHS for before, once, after in turns if once}
    return tried


def seconds(
    pattern: re.Pattern[Any], way: str, text: str, now: Callable[[], float] = time.process_time
) -> float:
    """How long one application takes, in the time of the processor, or by another clock."""
    given: Any = text.encode("utf-8", "replace") if isinstance(pattern.pattern, bytes) else text
    replaced: Any = b"" if isinstance(pattern.pattern, bytes) else ""
    began = now()
    if way == "scan":
        position = 0
        while (match := pattern.match(given, position)) and match.end() > position:
            position = match.end()
    elif way in ("sub", "subn"):
        pattern.sub(replaced, given)
    elif way == "finditer":
        deque(pattern.finditer(given), maxlen=0)
    else:
        getattr(pattern, way)(given)
    return now() - began


def is_slow(pattern: re.Pattern[Any], way: str, text: Callable[[int], str], length: int) -> bool:
    """Whether texts of about a *length* take more than their share of time.

    Of each the quickest of three counts; and there is room for a machine that is busy: what grows sixteenfold may take
    64 times as long, where quadratic takes 256 times, and its last fourfold 8 times, where quadratic takes 16 times: what
    looks at the next forty characters only grows faster at first, and no longer there.
    """

    def quickest(length: int) -> float:
        return min(seconds(pattern, way, text(length)) for _ in range(3))

    # the processor's time takes long to ask for, and is never more than that of the clock
    if seconds(pattern, way, text(length), time.perf_counter) <= SUSPICIOUS:
        return False
    now = seconds(pattern, way, text(length))
    if now <= SUSPICIOUS:
        return False
    if length == LENGTHS[0]:
        return quickest(length) > min(seconds(*YARDSTICK) for _ in range(3))
    # what was slow by chance is not so three times
    return now > 6 * quickest(length // 4) and all(
        (longest := quickest(4 * length)) > GROWTH * quickest(length // 4) and longest > 8 * quickest(length)
        for _ in range(3)
    )


def slow(pattern: re.Pattern[Any], ways: Iterable[str]) -> str:
    """How a text is slow to the pattern, at the shortest length where that shows; empty where none is."""
    for (head, body, end), lengths in sorted(slow_texts(pattern).items()):
        for way, length in product(ways, lengths):
            if is_slow(pattern, way, lambda long: head + body * (long // len(body)) + end, length):  # noqa: B023
                return f"{way}: {head!r}, {length // len(body)} times {body!r}, {end!r}"
    return ""


@pytest.fixture(autouse=True)
def no_garbage():
    """What other tests have left behind is collected at another time."""
    gc.disable()
    yield
    gc.enable()


def test_patterns_are_found_in_every_form():
    found = [used for file in package().values() for used in file]
    places = {used.place.partition(":")[0] for used in found}
    assert len(found) > 150
    assert {
        "notation/lexer.py",
        "play/typed_line.py",
        "rulebook/toml_places.py",
        "rulebook/loading.py",
        "table.lark HEADER",
    } <= places


# found when they are tried, not where pytest asks each of its processes for the names of all tests
@pytest.mark.parametrize("file", [*(path.relative_to(PACKAGE).as_posix() for path in MODULES), *GRAMMARS])
def test_twice_the_text_takes_twice_the_time(file):
    used = package().get(file, ())
    assert [one.place for one in used if slow(one.pattern, one.ways)] == []


@table
def test_a_slow_pattern_is_seen(pattern, way):
    assert slow(re.compile(pattern), (way,))


@table
def test_what_cannot_be_collected_fails(source):
    tree = ast.parse(source)
    new = Source("new.py", "new", source, tree, tuple(ast.walk(tree)))
    with pytest.raises(AssertionError):
        list(uses(new, {}))
