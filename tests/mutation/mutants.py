"""Small faults put into Python code and into rulebooks, one at a time."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple


class Mutant(NamedTuple):
    """A file's text with one fault in it; *change* says which, without the line, which may move."""

    path: str
    line: int
    change: str
    text: str

    def __str__(self) -> str:
        return f"{self.path} | {self.change}"


OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def python_mutants(path: str, text: str) -> Iterator[Mutant]:
    """Every small fault of a module, its messages and annotations aside."""
    tree = ast.parse(text)
    for where, node in _places(tree, ""):
        for changed in _changes(node):
            before, after = _short(node), "nothing" if isinstance(changed, ast.Pass) else _short(changed)
            yield Mutant(path, node.lineno, f"{where} | {before} -> {after}", _with(tree, node, changed))


def _places(node: ast.AST, where: str) -> Iterator[tuple[str, ast.expr | ast.stmt]]:
    if isinstance(node, (ast.Raise, ast.Import, ast.ImportFrom, ast.Assert, ast.JoinedStr)):
        return
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        where = f"{where}.{node.name}" if where else node.name
    if isinstance(node, (ast.expr, ast.stmt)):
        yield where, node
    for field, child in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        for one in child if isinstance(child, list) else [child]:
            if isinstance(one, ast.AST):
                yield from _places(one, where)


def _changes(node: ast.expr | ast.stmt) -> Iterator[ast.expr | ast.stmt]:
    match node:
        case ast.Compare(left, operators, others):
            for place, operator in enumerate(operators):
                flipped = [*operators[:place], OPPOSITE[type(operator)](), *operators[place + 1 :]]
                yield ast.Compare(left, flipped, others)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
            for place in range(len(values)):
                rest = values[:place] + values[place + 1 :]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(operator, rest)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
        case ast.BinOp(left, ast.FloorDiv(), right):
            yield ast.UnaryOp(ast.USub(), ast.BinOp(ast.UnaryOp(ast.USub(), left), ast.FloorDiv(), right))
        case ast.Call(ast.Name("min" | "max" as name), arguments, keywords):
            yield ast.Call(ast.Name("max" if name == "min" else "min"), arguments, keywords)
        case ast.IfExp(_, body, orelse):
            yield body
            yield orelse
        case ast.If(_, body, []) if isinstance(body[-1], LEAVES):
            yield ast.Pass()
        case ast.AugAssign() | ast.Expr(ast.Call()):
            yield ast.Pass()


def _with(tree: ast.Module, node: ast.AST, changed: ast.AST) -> str:
    class Change(ast.NodeTransformer):
        def visit(self, other: ast.AST) -> ast.AST:
            return changed if other is node else self.generic_visit(other)

    # the tree is left as it is: the memory names the node itself, so that it is found in the copy
    again = copy.deepcopy(tree, {id(node): node})
    return ast.unparse(ast.fix_missing_locations(Change().visit(again))) + "\n"


def _short(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:110]


FIGURE = re.compile(r"^(?:points|doubles|factor|rank|to) = .*|^(?:when|shown) = .*")


def rulebook_mutants(path: str, text: str) -> Iterator[Mutant]:
    """Every small fault of a rulebook: a figure one off, a condition with a part weaker, turned or missing."""
    lines = text.split("\n")
    entry = ""
    for place, line in enumerate(lines):
        if line.startswith("id = "):
            entry = line[5:].strip('"')
        if not FIGURE.match(line):
            continue
        for changed in _data_changes(line):
            text = "\n".join([*lines[:place], changed, *lines[place + 1 :]])
            yield Mutant(path, place + 1, f"{entry} | {line} -> {changed}", text)


def _data_changes(line: str) -> Iterator[str]:
    key, value = line.split(" = ", 1)
    turned: list[tuple[str, Callable[[re.Match[str]], str]]] = [
        (r"(?<![\w\"/-])\d+(?!\w|\s*=|/)", lambda found: str(int(found[0]) + 1)),
        (r">=|<=|==|!=", lambda found: {">=": ">", "<=": "<", "==": "!=", "!=": "=="}[found[0]]),
        (r"\b(?:and|or)\b", lambda found: "or" if found[0] == "and" else "and"),
        (r"\bnot ", lambda found: ""),
    ]
    for pattern, change in turned:
        for found in re.finditer(pattern, value):
            yield f"{key} = {value[: found.start()]}{change(found)}{value[found.end() :]}"
    parts = value[1:-1].split(" and ") if value[:1] in "\"'" and "(" not in value else []
    for place in range(len(parts) if len(parts) > 1 else 0):
        yield f"{key} = {value[0]}{' and '.join(parts[:place] + parts[place + 1 :])}{value[-1]}"
