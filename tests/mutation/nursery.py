"""Tests that are collected once in a copy of the repository: each run is forked, and has its fault put into memory."""

from __future__ import annotations

import gc
import inspect
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from forked import Say, arguments_of, close, kill, settle_in
from remembered import forget

_OURS: list[int] = []  # the ends of pipes that only the first process may hold


class Nursery:
    """A process that has collected *files* in a *copy*. It says what it does on *pipe*, line by line."""

    def __init__(self, copy: Path, files: Sequence[str]) -> None:
        hears, self._tells = os.pipe()
        self.pipe, says = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                close([*_OURS, self._tells, self.pipe])
                settle_in(copy)
                serving = _Serving(hears, lambda **what: _say(says, what))
                pytest.main(arguments_of(copy, files), plugins=[serving])
            finally:
                os._exit(0)
        close([hears, says])
        _OURS.extend([self._tells, self.pipe])

    def ready(self) -> bool:
        """Waits until the tests are collected; False where they cannot be."""
        return bool(os.read(self.pipe, 100))

    def begin(self, names: Sequence[str], changed: str) -> None:
        """Has the tests of these *names* run, with the file *changed*, if any, as it stands in the copy now."""
        data = json.dumps({"names": list(names), "changed": changed}).encode() + b"\n"
        while data:
            data = data[os.write(self._tells, data) :]

    def end(self) -> None:
        """Ends the process, if it has not ended."""
        if self.pid:
            kill(self.pid)
            os.waitpid(self.pid, 0)
            close([self._tells, self.pipe])
            _OURS.remove(self._tells)
            _OURS.remove(self.pipe)
            self.pid = 0


def _say(pipe: int, what: dict[str, Any]) -> None:
    os.write(pipe, json.dumps(what).encode() + b"\n")


class _Serving:
    """A plugin that runs no test itself, but forks a process for each run that it is told of."""

    def __init__(self, hears: int, say: Say) -> None:
        self.hears = hears
        self.say = say

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        self.functions = _functions()
        self.texts = {
            path.as_posix(): path.read_text(encoding="utf-8") for path in Path("mjscore").rglob("*.py")
        }
        forget()
        gc.collect()
        gc.freeze()  # a forked process need not copy what it does not change
        self.say(ready=True)
        with os.fdopen(self.hears) as lines:
            for line in lines:
                told = json.loads(line)
                pid = os.fork()
                if pid == 0:
                    try:
                        os.setsid()
                        self.say(pid=os.getpid())
                        self._run(told["names"], told["changed"])
                    finally:
                        os._exit(0)
                os.waitpid(pid, 0)
                self.say(over=True)
        return True

    def _run(self, names: Sequence[str], changed: str) -> None:
        if changed and not self._put_in(changed):
            self.say(unchanged=True)
            return
        items = [self.items[name] for name in names if name in self.items]
        for item, following in zip(items, [*items[1:], None], strict=True):
            self.say(test=item.nodeid)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        self.say(end=0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.say(failed=report.nodeid)

    def _put_in(self, path: str) -> bool:
        """Gives the functions of a module the code of its file in the copy; whether there was any to give."""
        if not path.endswith(".py"):
            return True  # a rulebook is read by each run
        name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if name not in sys.modules:
            return True  # so is a module that is imported later
        old, new = (
            list(_codes(compile(text, path, "exec")))
            for text in (self.texts[path], Path(path).read_text("utf-8"))
        )
        if len(old) != len(new):
            return False
        other = {one: two for one, two in zip(old, new, strict=True) if one != two}
        here = [function for function in self.functions[name] if function.__code__ in other]
        try:
            for function in here:
                function.__code__ = other[function.__code__]
        except ValueError:
            return False  # the new code sees other variables of the functions around it
        return bool(here)


def _codes(code: CodeType) -> Iterator[CodeType]:
    if code.co_flags & inspect.CO_OPTIMIZED:
        yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)


def _functions() -> dict[str, list[FunctionType]]:
    """Every function of mjscore that there is, by its module."""
    found: defaultdict[str, list[FunctionType]] = defaultdict(list)
    for one in gc.get_objects():
        if type(one) is FunctionType and str(one.__globals__.get("__name__")).startswith("mjscore"):
            found[one.__globals__["__name__"]].append(one)
    return found
