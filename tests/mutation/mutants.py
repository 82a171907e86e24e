"""Small faults put into Python code and into rulebooks, one at a time."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple


class Mutant(NamedTuple):
    """A file's text with one fault in it, and the *whole* text.

    *change* says which, without its lines, which may move: the function, the kind of fault, what became of what.
    *lines* are those that a test has to run to
    notice it; none where that is no question of lines: in a rulebook, or outside all functions, which *inside*
    says.
    """

    path: str
    change: str
    text: str
    whole: str
    lines: range
    inside: bool
    entry: str = ""

    def __str__(self) -> str:
        return f"{self.path} | {self.change}"


def place_of(name: str) -> str:
    """The file, the function and the kind of fault of a mutant called *name*: what stays where code is written anew."""
    return " | ".join(name.split(" | ")[:3])


OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def mutants_of(path: str, text: str) -> list[Mutant]:
    """Every small fault of a file; two that read alike are told apart by their number."""
    make = {".py": python_mutants, ".toml": rulebook_mutants}[path[path.rindex(".") :]]
    seen: Counter[str] = Counter()
    found = []
    for mutant in make(path, text):
        seen[mutant.change] += 1
        number = seen[mutant.change]
        found.append(mutant if number == 1 else mutant._replace(change=f"{mutant.change} ({number})"))
    return found


def python_mutants(path: str, text: str) -> Iterator[Mutant]:
    """Every small fault of a module, its messages and annotations aside."""
    tree = ast.parse(text)
    cut = _Cut(text)
    for place in _places(tree, _Place("", False, tree, None)):
        node = place.node
        for kind, changed in _changes(node):
            before, after = _short(node), "nothing" if isinstance(changed, ast.Pass) else _short(changed)
            change = f"{place.where} | {kind} | {before} -> {after}"
            yield Mutant(path, change, cut.with_change(node, changed), text, _lines(place), place.inside)


class _Place(NamedTuple):
    """An expression or statement, where it stands, and the statement that it is part of."""

    where: str
    inside: bool
    node: ast.AST
    statement: ast.stmt | None


def _places(node: ast.AST, outer: _Place) -> Iterator[_Place]:
    if isinstance(node, (ast.Raise, ast.Import, ast.ImportFrom, ast.Assert, ast.JoinedStr)):
        return
    if isinstance(node, ast.keyword) and node.arg == "strict":
        return  # of zip: it says what holds anyway
    place = outer._replace(node=node)
    if isinstance(node, ast.stmt):
        place = place._replace(statement=node)
    if isinstance(node, (ast.expr, ast.stmt)):
        yield place
    for field, child in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        within = place
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            where = f"{outer.where}.{node.name}" if outer.where else node.name
            is_body = isinstance(node, ast.FunctionDef) and field == "body"
            within = place._replace(where=where, inside=outer.inside or is_body)
        for one in child if isinstance(child, list) else [child]:
            if isinstance(one, ast.AST):
                yield from _places(one, within)


def _lines(place: _Place) -> range:
    """The lines of the statement, or of the head of one that has others within it, as far as the node."""
    statement, node = place.statement, place.node
    assert statement is not None
    body = getattr(statement, "body", None)
    if isinstance(statement, ast.Match):
        last = statement.subject.end_lineno or statement.lineno
        if node is statement or node.lineno <= last:  # type: ignore[attr-defined]
            return range(statement.lineno, last + 1)
        return range(node.lineno, node.end_lineno + 1)  # type: ignore[attr-defined]
    if body:
        return range(statement.lineno, max(statement.lineno + 1, body[0].lineno))
    return range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.expr | ast.stmt]]:
    match node:
        case ast.Compare(left, operators, others):
            for place, operator in enumerate(operators):
                flipped = [*operators[:place], OPPOSITE[type(operator)](), *operators[place + 1 :]]
                yield "comparison", ast.Compare(left, flipped, others)
        case ast.BoolOp(operator, values):
            yield "and, or", ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
            for place in range(len(values)):
                rest = values[:place] + values[place + 1 :]
                yield "part left out", rest[0] if len(rest) == 1 else ast.BoolOp(operator, rest)
        case ast.UnaryOp(ast.Not(), operand):
            yield "not", operand
        case ast.Constant(bool() as value):
            yield "yes, no", ast.Constant(not value)
        case ast.Constant(int() as value):
            yield "number", ast.Constant(value + 1)
            yield "number", ast.Constant(value - 1)
        case ast.BinOp(left, ast.FloorDiv(), right):
            yield (
                "rounding",
                ast.UnaryOp(ast.USub(), ast.BinOp(ast.UnaryOp(ast.USub(), left), ast.FloorDiv(), right)),
            )
        case ast.BinOp(left, ast.Add() | ast.Sub() as operator, right):
            yield "sign", ast.BinOp(left, ast.Sub() if isinstance(operator, ast.Add) else ast.Add(), right)
        case ast.Call(ast.Name("min" | "max" as name), arguments, keywords):
            yield "least, most", ast.Call(ast.Name("max" if name == "min" else "min"), arguments, keywords)
        case ast.IfExp(_, body, orelse):
            yield "branch", body
            yield "branch", orelse
        case ast.If(_, body, []) if isinstance(body[-1], LEAVES):
            yield "statement left out", ast.Pass()
        case ast.AugAssign() | ast.Expr(ast.Call()):
            yield "statement left out", ast.Pass()
        case ast.Assign(targets, value) if not _is_none(value):
            yield "None", ast.Assign(targets, ast.Constant(None), lineno=node.lineno)
        case ast.AnnAssign(target, annotation, ast.expr() as value, simple) if not _is_none(value):
            yield "None", ast.AnnAssign(target, annotation, ast.Constant(None), simple)
    if isinstance(node, ast.Call):
        yield from _other_arguments(node)


def _other_arguments(call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """The call with each of its arguments None, and with each left out."""
    arguments, keywords = call.args, call.keywords
    for place, argument in enumerate(arguments):
        if isinstance(argument, ast.Starred):
            continue
        if not _is_none(argument):
            yield (
                "None",
                ast.Call(
                    call.func, [*arguments[:place], ast.Constant(None), *arguments[place + 1 :]], keywords
                ),
            )
        yield "argument left out", ast.Call(call.func, arguments[:place] + arguments[place + 1 :], keywords)
    for place, keyword in enumerate(keywords):
        if keyword.arg in (None, "strict"):
            continue  # of zip: it says what holds anyway
        before, after = keywords[:place], keywords[place + 1 :]
        if not _is_none(keyword.value):
            none = ast.keyword(keyword.arg, ast.Constant(None))
            yield "None", ast.Call(call.func, arguments, [*before, none, *after])
        yield "argument left out", ast.Call(call.func, arguments, [*before, *after])


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


class _Cut:
    """A text from which the part of a node can be cut out and another put in."""

    def __init__(self, text: str) -> None:
        self.data = text.encode()
        self.starts = [0]
        for line in self.data.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def with_change(self, node: ast.AST, changed: ast.expr | ast.stmt) -> str:
        start = self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        end = self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        written = ast.unparse(ast.fix_missing_locations(changed))
        if isinstance(changed, ast.expr):
            written = f"({written})"
        return (self.data[:start] + written.encode() + self.data[end:]).decode()


def _short(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:110]


FIGURE = re.compile(r"^(?:points|doubles|factor|rank|to|default|times|when|shown) = ")
OTHER_WORD = {
    "exposed": "concealed", "concealed": "exposed", "simple": "head", "head": "simple", "drawn": "claimed",
    "claimed": "drawn", "own_wind": "round_wind", "round_wind": "own_wind", "last": "last_discard",
    "last_discard": "last", "true": "false", "false": "true", "own_bonus": "bonus_tiles", "bonus_tiles": "own_bonus",
    "one_suit": "one_suit_and_honors", "one_suit_and_honors": "one_suit", "pung": "kong", "kong": "pung",
}  # fmt: skip


def rulebook_mutants(path: str, text: str) -> Iterator[Mutant]:
    """Every small fault of a rulebook: a figure one off, a condition with a part weaker, turned or missing."""
    lines = text.split("\n")
    entry = ""
    for place, line in enumerate(lines):
        named = re.match(r'id = "(.*)"|\[change\.(.*)\]', line)
        if named:
            entry = named[1] or named[2]
        if not FIGURE.match(line):
            continue
        for kind, changed in _data_changes(line):
            other = "\n".join([*lines[:place], changed, *lines[place + 1 :]])
            yield Mutant(path, f"{entry} | {kind} | {line} -> {changed}", other, text, range(0), False, entry)


def _data_changes(line: str) -> Iterator[tuple[str, str]]:
    key, value = line.split(" = ", 1)
    turned: list[tuple[str, str, Callable[[re.Match[str]], str]]] = [
        ("number", r"(?<![\w\"/-])\d+(?!\w|\s*=|/)", lambda found: str(int(found[0]) + 1)),
        (
            "comparison",
            r">=|<=|==|!=",
            lambda found: {">=": ">", "<=": "<", "==": "!=", "!=": "=="}[found[0]],
        ),
        ("and, or", r"\b(?:and|or)\b", lambda found: "or" if found[0] == "and" else "and"),
        ("not", r"\bnot ", lambda found: ""),
        ("word", rf"(?<![\w\"-])(?:{'|'.join(OTHER_WORD)})(?![\w-])", lambda found: OTHER_WORD[found[0]]),
    ]
    for kind, pattern, change in turned:
        for found in re.finditer(pattern, value):
            yield kind, f"{key} = {value[: found.start()]}{change(found)}{value[found.end() :]}"
    # a condition without one of its parts; an `or` among them, outside brackets, has parts of its own
    parts = re.split(r" and (?![^()]*\))", value[1:-1]) if value[:1] in "\"'" else []
    if len(parts) > 1 and not re.search(r" or (?![^()]*\))", value):
        for place in range(len(parts)):
            yield (
                "part left out",
                f"{key} = {value[0]}{' and '.join(parts[:place] + parts[place + 1 :])}{value[-1]}",
            )
