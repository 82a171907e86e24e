"""Which tests run which lines of mjscore and read which rulebooks: measured once, and kept in .mutation_cache/."""

from __future__ import annotations

import functools
import hashlib
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import coverage
import pytest
from forked import ROOT, Ended, Job, Say, run_all
from remembered import forget

KEPT = ROOT / ".mutation_cache"
SECONDS = 240.0  # that a test may take while it is measured
# what a measurement depends on besides the test file itself and the modules that it runs
SOURCES = ("mjscore/rulebook/books", "grammar", "samples", "tests/support", "tests/conftest.py")


class Touched(NamedTuple):
    """A test: its name for pytest, its seconds, and as bits the lines that it ran of each file."""

    name: str
    seconds: float
    lines: dict[str, int]
    books: frozenset[str]

    @property
    def file(self) -> str:
        return self.name.partition("::")[0]


class Loaded(NamedTuple):
    """A test file: the lines that run while it is imported, and its tests."""

    lines: dict[str, int]
    tests: list[Touched]


def touched(files: Sequence[str], places: Sequence[Path]) -> dict[str, Loaded]:
    """What each of the test files touches; those that changed since the last time are measured."""
    KEPT.mkdir(exist_ok=True)
    base = _digest(SOURCES)
    kept = {file: KEPT / f"{file.replace('/', '-')}.json" for file in files}
    digests = {file: _digest([file, *_texts(file)], base) for file in files}
    old = {file: _read(path, digests[file]) for file, path in kept.items()}
    missing = [file for file in files if old[file] is None]

    def after(key: object, copy: Path, ended: Ended) -> Iterable[tuple[object, Job]]:
        file = str(key)
        found = {**json.loads((copy.parent / "measured").read_text()), "digest": digests[file]}
        paths = {path for test in found["tests"].values() for path in test["lines"]}
        found["modules"] = {path: _module(path) for path in paths}
        kept[file].write_text(json.dumps(found), encoding="utf-8")
        (copy.parent / "measured").unlink()
        old[file] = _read(kept[file], digests[file])
        if ended.how != "ended":
            kept[file].unlink()  # it is measured again the next time
        left_out = [name for name, test in found["tests"].items() if not test["passed"]]
        note = f"; left out: {', '.join(left_out)}" if left_out else ""
        print(f"measured {len(found['tests'])} tests of {file} ({ended.how}){note}", flush=True)
        return ()

    def job(file: str) -> Job:
        return Job([file], lambda say: _Measuring(say, file), lambda test: SECONDS)

    def before(key: object, copy: Path) -> None:
        (copy.parent / "measured").write_text('{"lines": {}, "tests": {}}')

    run_all(((file, job(file)) for file in missing), places, before, after)
    return {file: found for file, found in old.items() if found is not None}


def _texts(file: str) -> list[str]:
    """Give the rows and transcripts of a test file, and what else of text stands beside it."""
    folder = (ROOT / file).parent
    return [
        one.relative_to(ROOT).as_posix()
        for one in sorted(folder.rglob("*"))
        if one.suffix in (".txt", ".transcript") and one.name != "equivalent.txt"
    ]


def _digest(paths: Iterable[str], base: str = "") -> str:
    digest = hashlib.sha256(base.encode())
    for name in paths:
        path = ROOT / name
        if not path.exists():
            continue
        for one in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if one.suffix in (".py", ".toml", ".lark", ".mj", ".md", ".txt", ".css", ".transcript"):
                digest.update(one.relative_to(ROOT).as_posix().encode() + b"\0" + one.read_bytes())
    return digest.hexdigest()


@functools.cache
def _module(path: str) -> str:
    return _digest([path])


def _read(path: Path, digest: str) -> Loaded | None:
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        return None
    if data["digest"] != digest or any(_module(path) != was for path, was in data["modules"].items()):
        return None
    tests = [
        Touched(name, test["seconds"], _bits(test["lines"]), frozenset(test["books"]))
        for name, test in data["tests"].items()
        if test["passed"]
    ]
    return Loaded(_bits(data["lines"]), tests)


def _bits(lines: dict[str, str]) -> dict[str, int]:
    return {path: int(bits, 16) for path, bits in lines.items()}


class _Measuring:
    """A plugin that notes what each test of a file touches, with nothing remembered from the test before."""

    def __init__(self, say: Say, file: str) -> None:
        self.say = say
        self.base = Path.cwd()
        self.cover = coverage.Coverage(
            data_file=None, include=[f"{self.base}/mjscore/*"], config_file=False, messages=False
        )
        self.tests: dict[str, dict[str, Any]] = {}
        self.books: set[str] = set()
        sys.addaudithook(self.noticed)
        self.cover.start()
        self.cover.switch_context("import")

    def noticed(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Notes the rulebooks that are taken from the cache, where each is a file of its name."""
        if event == "open" and isinstance(arguments[0], str) and ".toml-" in arguments[0]:
            self.books.add(Path(arguments[0]).name.partition(".toml-")[0])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        forget()
        self.books.clear()
        self.say(test=item.nodeid)
        self.cover.switch_context(item.nodeid)
        start = time.perf_counter()
        self.tests[item.nodeid] = {"passed": True}
        yield
        self.tests[item.nodeid]["seconds"] = round(time.perf_counter() - start, 4)
        self.tests[item.nodeid]["books"] = sorted(self.books)
        self.cover.switch_context("import")
        return None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome != "passed":
            self.tests[report.nodeid]["passed"] = False

    def pytest_sessionfinish(self) -> None:
        self.cover.stop()
        data = self.cover.get_data()
        lines: dict[str, dict[str, int]] = {"import": {}, **{name: {} for name in self.tests}}
        for path in data.measured_files():
            name = Path(path).relative_to(self.base).as_posix()
            for line, contexts in data.contexts_by_lineno(path).items():
                for context in contexts:
                    if context in lines:
                        lines[context][name] = lines[context].get(name, 0) | 1 << line
        hexadecimal = {
            context: {path: f"{bits:x}" for path, bits in found.items()} for context, found in lines.items()
        }
        for name, test in self.tests.items():
            test["lines"] = hexadecimal[name]
        found = {"lines": hexadecimal["import"], "tests": self.tests}
        (self.base.parent / "measured").write_text(json.dumps(found))
