"""Tables of examples in text files: a test's rows stand beside its module, in the section of its name.

``tests/rulebook/test_conditions.py`` has its rows in ``tests/rulebook/conditions.txt``::

    [what_is_refused_and_where]
    text               | code         | column:int
    # a comment stands on a line of its own
    won and chows      | wrong-type   | 9

The head names the test's arguments. Behind one of them stands what it is if not text: ``:int`` a number, ``:ints`` several,
``:value`` a number or text, ``:words`` a list, ``:names`` a tuple, ``:list`` and ``:several`` the same of texts parted by
`` ; ``, ``:call`` the words of a command line, ``:yes`` yes or no, ``:lines`` lines parted by ``\\n``, ``:quoted`` text as
Python writes it, ``:python`` another value so written, ``:values`` a dictionary such as ``limit=300 seasons=yes``; with a question mark behind that, ``-`` is None.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from inspect import Signature, signature
from pathlib import Path
from typing import Any

import pytest

YES = {"yes": True, "no": False}


def _value(cell: str) -> int | str:
    return int(cell) if re.fullmatch(r"[+-]?\d+", cell) else cell


def _values(cell: str) -> dict[str, Any]:
    pairs = (word.partition("=")[::2] for word in cell.split())
    return {key: YES.get(value, _value(value)) for key, value in pairs}


KINDS: dict[str, Callable[[str], Any]] = {
    "": str,
    "int": int,
    "ints": lambda cell: tuple(map(int, cell.split())),
    "value": _value,
    "words": str.split,
    "list": lambda cell: cell.split(" ; ") if cell else [],
    "several": lambda cell: tuple(cell.split(" ; ")) if cell else (),
    "names": lambda cell: tuple(cell.split()),
    "call": lambda cell: tuple(shlex.split(cell)),
    "yes": YES.__getitem__,
    "lines": lambda cell: cell.replace("\\n", "\n"),
    "quoted": ast.literal_eval,
    "python": ast.literal_eval,
    "values": _values,
}


def table(test: Callable[..., None]) -> Any:
    """Gives a test its rows: all at once, or, where it takes something else besides, as a test each."""
    names, found = rows(test.__code__.co_filename, test.__name__.removeprefix("test_"))
    assert found, f"no rows for {test.__name__}"
    alone = {*names} == {*signature(test).parameters}
    return (each if alone else pytest.mark.parametrize)(names, found)(test)


def each(names: str | Sequence[str], found: Iterable[Any]) -> Callable[[Callable[..., None]], Any]:
    """Has a test go through rows, like ``parametrize``, but as one test, which tells of every row that fails; what else it
    takes is the same for all. A test for each would take longer to begin and to end than most of them do.
    """
    given = [(row,) for row in found] if isinstance(names, str) else [*found]
    names = (names,) if isinstance(names, str) else names

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        def every_row(**others: Any) -> None:
            failed = []
            for row in given:
                try:
                    test(**dict(zip(names, row, strict=True)), **others)
                except (Exception, pytest.fail.Exception) as fault:
                    fault.add_note(f"with {', '.join(names)}: {ascii(row)[:1000]}")
                    failed.append(fault)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(given)} rows", failed)

        others = [one for one in signature(test).parameters.values() if one.name not in names]
        every_row.__signature__ = Signature(others)
        every_row.__doc__ = test.__doc__
        assert given, f"no rows for {test.__name__}"
        return every_row

    return decorate


def rows(module: str, section: str) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Give the names of the columns, and the rows, of a section beside a test module."""
    path = Path(module)
    head, *lines = _sections(path.with_name(f"{path.stem.removeprefix('test_')}.txt"))[section]
    names, kinds = zip(*(column.partition(":")[::2] for column in head), strict=True)
    return names, [
        tuple(
            None if kind[-1:] == "?" and cell == "-" else KINDS[kind.rstrip("?")](cell)
            for kind, cell in zip(kinds, line, strict=True)
        )
        for line in lines
    ]


@cache
def _sections(path: Path) -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]") and " | " not in line:
            assert line[1:-1] not in found, line
            rows = found[line[1:-1]] = []
        elif line.strip() and not line.startswith("#"):
            rows.append([cell.strip() for cell in re.split(r" \|(?: |$)", line)])
    return found
