"""The table of refusals: every code of the program stands in it, and none that there is not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cache

from sources import PACKAGE, sources
from tables import each

from mjscore.page.manual import GROUPS, explanations, file_content, refusal_in, topic_text
from mjscore.page.text import Style
from mjscore.refusal import messages


def makers(nodes: Iterable[ast.AST]) -> dict[str, int]:
    """What takes a code, with the code's place among the arguments: parameters and fields of that name."""
    found = {}
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            names = [argument.arg for argument in node.args.args if argument.arg not in ("self", "cls")]
        elif isinstance(node, ast.ClassDef):
            names = [line.target.id for line in node.body if isinstance(line, ast.AnnAssign)]
        else:
            continue
        if "code" in names:
            found[node.name] = names.index("code")
    return found


@cache
def everywhere() -> dict[str, int]:
    """What takes a code, anywhere in the package."""
    return {name: place for source in sources().values() for name, place in makers(source.nodes).items()}


def codes_in(tree: ast.Module, nodes: Iterable[ast.AST]) -> set[str]:
    """The codes that a module gives to refusals, and those that it prints itself, as ``[expected-net]``."""
    # a callable that is handed on has its type's parameters, which are not named: key, code, message, hint
    known = {"complaint": 1, **everywhere(), **makers(nodes)}
    constants = {
        ast.unparse(node.targets[0]): node.value for node in tree.body if isinstance(node, ast.Assign)
    }
    found = set()
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            with_values = node.args.args[::-1]
            for argument, value in zip(with_values, node.args.defaults[::-1], strict=False):
                if argument.arg == "code":
                    found.add(value.value)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= set(re.findall(r" \[([a-z]+-[a-z-]+)\](?:\n|$)", node.value))
        given = []
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            given = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
            if name in known:
                given += node.args[known[name] : known[name] + 1]
        if isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple) and len(node.value.elts) == 4:
            given = node.value.elts[1:2]  # a fault: where, code, message, hint
        for value in given:
            for choice in (value.body, value.orelse) if isinstance(value, ast.IfExp) else (value,):
                choice = constants.get(ast.unparse(choice), choice)
                if isinstance(choice, ast.Constant) and isinstance(choice.value, str):
                    found.add(choice.value)
    return found


@cache
def codes() -> set[str]:
    """The codes of the whole package."""
    return set(messages()).union(*(codes_in(source.tree, source.nodes) for source in sources().values()))


def test_the_codes_of_a_module_are_found():
    tree = ast.parse(
        "def _made(message, code, hint='', *, file=''): ...\n"
        "def _other(message, code='six-codes'): ...\n"
        "raise refuse('one-code', 'no tile', 'type one')\n"
        "raise _made('no tile', 'two-codes' if few else 'three-codes', 'type one')\n"
        "_FOUR = 'four-codes'\n"
        "refusal._replace(code=_FOUR)\n"
        "print(f'{place}: wrong [five-codes]\\n')\n"
        "text = f'{place}: wrong [seven-codes]'\n"
        "def faults():\n    yield 'id', 'eight-codes', 'no id', 'type one'\n"
    )
    found = codes_in(tree, list(ast.walk(tree)))
    assert found == {
        "one-code", "two-codes", "three-codes", "four-codes", "five-codes", "six-codes", "seven-codes",
        "eight-codes",
    }  # fmt: skip
    assert len(codes()) > 140


def test_every_refusal_is_in_the_table():
    assert sorted(codes() - set(explanations())) == [], "add it to a table in mjscore/refusals"


def test_the_table_has_no_refusal_that_there_is_not():
    assert sorted(set(explanations()) - codes()) == []


def test_every_table_is_read():
    assert {path.stem for path in (PACKAGE / "refusals").glob("*.toml")} == set(GROUPS)


@each("explanation", explanations().values())
def test_it_is_told_in_sentences(explanation):
    for text in (explanation.means, explanation.remedy):
        assert text.strip() == text
    assert explanation.means.endswith(".")
    assert explanation.example.startswith("mjscore ")


def test_files_of_examples_may_hold_any_byte_and_long_lines():
    assert file_content("a<byte e9>b<3 times: xy>\n") == b"a\xe9bxyxyxy\n"


def test_the_refusal_is_found_in_what_is_printed():
    printed = "all well\n1:1: no tile [no-tile]\n  1 | x\n    | ^\n  help: type one\n1 refused\n"
    assert refusal_in(printed, "no-tile") == "1:1: no tile [no-tile]\n  1 | x\n    | ^\n  help: type one"
    assert refusal_in(printed, "no-hand") == ""
    assert refusal_in('{"problem": {"message": "x", "code": "no-tile"}}', "no-tile").startswith('{"message"')


def test_a_table_of_the_notation_has_its_head_as_a_row():
    lines = topic_text("notation", Style(100)).splitlines()
    first = lines.index("  typed                         is")
    assert lines[first - 1] == ""
    assert lines[first + 1] == "  1b to 9b, 1c to 9c, 1d to 9d  bamboo, characters, dots"
