"""The reference of the library, made from the docstrings of its public names; ``.ci/pages`` writes it."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path
from typing import Any

import mjscore

PAGE = Path(mjscore.__file__).parent / "README.md"
HEAD = """\
# The library

Made from the docstrings by `.ci/pages`; the tests run every example, after `import mjscore` and in the project's folder.
Figures are whole numbers, results are frozen, and nothing here reads settings files or the environment. A user's mistake
is a value, `error`, with code, place, message and remedy; if a function *raises* it instead, its docstring says so. A program
that passes a value of another type gets a `TypeError`.

`score` and `read` return one of two classes, so that a type checker knows which fields there are:

    sheet = mjscore.score(text)
    if sheet.error is not None:        # RefusedSheet: sheet.error is a Refusal
        return sheet.error.message
    return sheet.score + 1             # ScoredSheet: sheet.score is an int

mypy and pyright follow `is not None`, `isinstance` and `match`; mypy also a plain `if sheet.error:`.

A `Refusal` has everything needed to underline a mistake: `text` (the line), `offset` and `length` in whole characters (JavaScript
counts 🀙 as two: use `[...text]`), `line`, `seat` (whose hand, at a table), and `lines`, whole lines to offer instead.
"""

# of classes what only mjscore itself needs
INNER = {"of", "at", "unshown", "members", "score_set_by"}
OF_A_RULEBOOK = ("offered_options", "fingerprint", "doubled", "above_limit")


def examples(thing: Any) -> list[doctest.Example]:
    """The examples in a docstring."""
    return doctest.DocTestParser().get_examples(inspect.getdoc(thing) or "")


def members(kind: type) -> dict[str, Any]:
    """What a class has besides its fields, by name: its own, and those it has from classes of mjscore that are not public."""
    found: dict[str, Any] = {}
    for one in kind.__mro__:
        if one is not kind and getattr(mjscore, one.__name__, None) is one:
            break
        for name, value in vars(one).items() if one.__module__.startswith("mjscore.") else ():
            told = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
            told = getattr(told, "func", told)  # a cached property
            inner = name.startswith("_") or name in {*INNER, *getattr(kind, "_fields", ())}
            if (
                not inner
                and inspect.isfunction(told)
                and (kind is not mjscore.Rulebook or name in OF_A_RULEBOOK)
            ):
                found.setdefault(name, value)
    return found


def signature(name: str, function: Any) -> str:
    """How a function is called, and what it returns."""
    parts, before = [], ""
    for one in inspect.signature(function).parameters.values():
        parts += ["*"] if one.kind is one.KEYWORD_ONLY and before != one.kind else []
        before = one.kind
        if one.name not in ("self", "cls"):
            default = "" if one.default is one.empty else f" = {one.default!r}"
            parts.append(f"{one.name}: {annotation(one.annotation)}{default}")
    return f"{name}({', '.join(parts)}) -> {annotation(inspect.signature(function).return_annotation)}"


def annotation(kind: Any) -> str:
    """A type as it is written."""
    kind = getattr(kind, "__forward_arg__", kind)
    written = kind if isinstance(kind, str) else inspect.formatannotation(kind)
    return re.sub(r"(?:(?:mjscore|collections)\.[\w.]*|typing)\.|'", "", written).replace("NoneType", "None")


def shown(docstring: str) -> str:
    """A docstring as Markdown."""
    text, found = docstring.replace("``", "`"), []
    blocks = doctest.DocTestParser().parse(docstring)
    if not any(isinstance(block, doctest.Example) for block in blocks):
        return text
    text = text.partition(">>>")[0].rstrip()
    for block in blocks:
        if isinstance(block, doctest.Example):
            lines = block.source.rstrip("\n").split("\n")
            found += [
                f"{'>>>' if not number else '...'} {line}".rstrip() for number, line in enumerate(lines)
            ]
            found += block.want.rstrip("\n").split("\n") if block.want else []
    return "\n".join([text, "", "```pycon", *found, "```"])


def function_text(name: str) -> str:
    function = getattr(mjscore, name)
    return f"### {name}\n\n`{signature(name, function)}`\n\n{shown(inspect.getdoc(function) or '')}\n"


def class_text(name: str) -> str:
    kind = getattr(mjscore, name)
    lines = [f"### {name}\n\n{shown(inspect.getdoc(kind) or '')}\n"]
    kinds: dict[str, Any] = {}
    known: tuple[str, ...] = getattr(kind, "_fields", ())
    for one in reversed(kind.__mro__):
        own = vars(one).get("__annotations__", {})
        kinds |= own
    base = next((one.__name__ for one in kind.__mro__[1:] if one.__name__ in mjscore.__all__), None)
    fields = [f"`{field}: {annotation(kinds[field])}`" for field in known if not base or field in own]
    if fields:
        lines.append(f"{f'Of the fields of `{base}`' if base else 'Fields'}: {', '.join(fields)}.\n")
    for member, value in members(kind).items():
        function = getattr(value, "__func__", value)
        head = signature(member, function) if inspect.isfunction(function) else member
        told = (inspect.getdoc(value) or "").partition(">>>")[0].replace("``", "`")
        lines.append(f"- `{head}`: {' '.join(told.split())}")
    return "\n".join(lines).rstrip() + "\n"


def page() -> str:
    """The whole page."""
    functions = [name for name in mjscore.__all__ if inspect.isfunction(getattr(mjscore, name))]
    classes = [name for name in mjscore.__all__ if name not in functions]
    # of two heads that differ by a capital only, the second has a number behind its anchor
    classed = [f"[{name}](#{name.lower()}{'-1' if name.lower() in functions else ''})" for name in classes]
    links = (" · ".join(f"[{name}](#{name})" for name in functions), " · ".join(classed))
    parts = [HEAD, *(f"{line}\n" for line in links)]
    parts += ["## Functions\n", *map(function_text, functions), "## Values\n", *map(class_text, classes)]
    return "\n".join(parts).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
