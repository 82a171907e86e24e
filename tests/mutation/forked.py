"""Tests run in a copy of the repository, in processes that are forked from one that has imported all but mjscore."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import resource
import selectors
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
MEMORY = 4 << 30  # bytes that a process may take
STARTS_WITHIN = 60.0  # seconds until the first test begins
IMPORTED = ("_pytest", "hypothesis", "click", "lark", "tabulate", "prompt_toolkit", "coverage", "pyte")
OMITTED = (".venv", ".git", "__pycache__", ".*_cache", ".hypothesis", "build")
Say = Callable[..., None]


class Job(NamedTuple):
    """A run of tests: its files, the plugin made for it in the process, and seconds allowed for each test.

    It is over where the plugin says ``failed``, but with *to_the_end*.
    """

    files: Sequence[str]
    plugin: Callable[[Say], object]
    seconds: Callable[[str], float]
    to_the_end: bool = False


class Ended(NamedTuple):
    """What a run said, line by line, and how it ended: ``ended``, ``died``, ``timed out``."""

    said: list[dict[str, Any]]
    how: str


class _Running(NamedTuple):
    pid: int
    pipe: int
    job: Job
    key: object
    copy: Path
    lines: list[bytes]


def warm() -> None:
    """Imports what every test needs, so that a forked process has it already."""
    for name in IMPORTED:
        package = importlib.import_module(name)
        if name in ("_pytest", "click", "lark"):
            for one in pkgutil.iter_modules(package.__path__):
                if one.name not in ("__main__", "_winconsole", "_winpty", "__pyinstaller"):
                    importlib.import_module(f"{name}.{one.name}")
    importlib.import_module("hypothesis.strategies")
    importlib.import_module("hypothesis.stateful")
    importlib.import_module("click.testing")


def copies(folder: Path, count: int) -> list[Path]:
    """So many copies of the repository, each for one process at a time; their files are of the time 0."""
    made = []
    for number in range(count):
        copy = folder / str(number) / "repository"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*OMITTED))
        for path in (copy / "mjscore").rglob("*.*"):
            os.utime(path, (0, 0))
        made.append(copy)
    return made


def run_all(
    jobs: Iterator[tuple[object, Job]],
    places: Sequence[Path],
    before: Callable[[object, Path], None],
    after: Callable[[object, Path, Ended], Iterable[tuple[object, Job]]],
) -> None:
    """Runs *jobs*, one process in each of the *places* at a time, until there are none.

    *before* readies the copy for a job's key, *after* takes what came of it and names the jobs that follow in
    the same copy.
    """
    selector = selectors.DefaultSelector()
    idle = list(places)
    running: dict[int, _Running] = {}
    since: dict[
        int, tuple[float, float]
    ] = {}  # for each pipe when it last spoke, and how long it may be silent

    def begin(key: object, job: Job, copy: Path) -> None:
        before(key, copy)
        one = _fork(key, job, copy)
        running[one.pipe] = one
        since[one.pipe] = (time.monotonic(), STARTS_WITHIN)
        selector.register(one.pipe, selectors.EVENT_READ)

    def finish(one: _Running, how: str) -> None:
        selector.unregister(one.pipe)
        del running[one.pipe], since[one.pipe]
        _kill(one.pid)
        os.close(one.pipe)
        said = [json.loads(line) for line in b"".join(one.lines).split(b"\n")[:-1]]
        if how == "":
            how = "ended" if said and "end" in said[-1] else "died"
        following = list(after(one.key, one.copy, Ended(said, how)))
        if following:
            begin(*following[0], one.copy)
        else:
            idle.append(one.copy)

    try:
        while True:
            while idle:
                one_more = next(jobs, None)
                if one_more is None:
                    break
                begin(*one_more, idle.pop())
            if not running:
                return
            for ready, _ in selector.select(timeout=0.5):
                one = running[ready.fd]
                chunk = os.read(one.pipe, 1 << 16)
                if not chunk:
                    finish(one, "")
                    continue
                one.lines.append(chunk)
                if b'{"failed"' in chunk and chunk.endswith(b"\n") and not one.job.to_the_end:
                    finish(one, "ended")
                    continue
                test = _last_test(chunk)
                if test is not None:
                    since[one.pipe] = (time.monotonic(), one.job.seconds(test))
            now = time.monotonic()
            for one in list(running.values()):
                spoke, allowed = since[one.pipe]
                if now > spoke + allowed:
                    finish(one, "timed out")
    finally:
        for one in running.values():
            _kill(one.pid)


def _last_test(chunk: bytes) -> str | None:
    for line in reversed(chunk.split(b"\n")):
        if line.startswith(b'{"test"'):
            try:
                return str(json.loads(line)["test"])
            except ValueError:
                continue
    return None


def _kill(pid: int) -> None:
    """Ends a process with all that it started."""
    for kill in (os.killpg, os.kill):
        try:
            kill(pid, signal.SIGKILL)
        except OSError:
            continue
    os.waitpid(pid, 0)


def _fork(key: object, job: Job, copy: Path) -> _Running:
    reads, writes = os.pipe()
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(reads)
            _in_the_child(job, copy, writes)
        finally:
            os._exit(0)
    os.close(writes)
    return _Running(pid, reads, job, key, copy, [])


def _in_the_child(job: Job, copy: Path, pipe: int) -> None:
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.chdir(copy)
    sys.path.insert(0, str(copy))
    os.environ.update(
        PYTHONPATH=str(copy),
        MJSCORE_CACHE=str(copy.parent / "cache"),
        HYPOTHESIS_PROFILE="mutation",
    )

    def say(**what: object) -> None:
        os.write(pipe, json.dumps(what).encode() + b"\n")

    say(begin=True)
    arguments = ["-p", "no:cacheprovider", f"--basetemp={copy.parent / 'temporary'}", *job.files]
    status = pytest.main(arguments, plugins=[job.plugin(say)])
    say(end=int(status))
