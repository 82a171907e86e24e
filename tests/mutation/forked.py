"""Tests run in a copy of the repository, in processes that are forked from one that has imported all but mjscore."""

from __future__ import annotations

import contextlib
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
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from nursery import Nursery

ROOT = Path(__file__).parents[2]
MEMORY = 4 << 30  # bytes that a process may take
STARTS_WITHIN = 60.0  # seconds until the first test begins
IMPORTED = (
    "_pytest",
    "hypothesis",
    "click",
    "lark",
    "tabulate",
    "prompt_toolkit",
    "filelock",
    "coverage",
    "pyte",
)
OMITTED = (".venv", ".git", "__pycache__", ".*_cache", ".hypothesis", "build")
Say = Callable[..., None]


class Job(NamedTuple):
    """A run of tests: its files, the plugin made for it in the process, and seconds allowed for each test.

    It is over where the plugin says ``failed``, but with *to_the_end*. Where a nursery has collected the tests, it
    runs those of these *names*, with the code of the file *changed*; without names all is imported anew.
    """

    files: Sequence[str]
    plugin: Callable[[Say], object]
    seconds: Callable[[str], float]
    to_the_end: bool = False
    names: Sequence[str] = ()
    changed: str = ""


class Ended(NamedTuple):
    """What a run said, line by line, and how it ended: ``ended``, ``died``, ``timed out``."""

    said: list[dict[str, Any]]
    how: str


@dataclass
class _Running:
    pid: int  # 0 until the nursery has said it
    pipe: int
    job: Job
    key: object
    copy: Path
    said: list[dict[str, Any]]
    half: bytes = b""  # of a line
    how: str = ""
    spoke: float = 0.0
    silent: float = 0.0  # seconds that it may be silent


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
    nurseries: dict[Path, Nursery] | None = None,
) -> None:
    """Runs *jobs*, one process in each of the *places* at a time, until there are none.

    *before* readies the copy for a job's key, *after* takes what came of it and names the jobs that follow in
    the same copy. Of the *nurseries* those that end by themselves are left out.
    """
    selector = selectors.DefaultSelector()
    idle = list(places)
    running: dict[int, _Running] = {}
    nurseries = {} if nurseries is None else nurseries

    def begin(key: object, job: Job, copy: Path) -> None:
        before(key, copy)
        if job.names and copy in nurseries:
            nurseries[copy].begin(job.names, job.changed)
            one = _Running(0, nurseries[copy].pipe, job, key, copy, [])
        else:
            one = _fork(key, job, copy)
        one.spoke, one.silent = time.monotonic(), STARTS_WITHIN
        running[one.pipe] = one
        selector.register(one.pipe, selectors.EVENT_READ)

    def finish(one: _Running) -> None:
        selector.unregister(one.pipe)
        del running[one.pipe]
        if one.copy in nurseries and one.pipe == nurseries[one.copy].pipe:
            if {"over": True} not in one.said:
                nurseries.pop(one.copy).end()
            one.said = [line for line in one.said if "over" not in line]
        else:
            kill(one.pid)
            os.waitpid(one.pid, 0)
            os.close(one.pipe)
        if {"unchanged": True} in one.said:
            begin(one.key, one.job._replace(names=()), one.copy)
            return
        how = one.how or ("ended" if one.said and "end" in one.said[-1] else "died")
        following = list(after(one.key, one.copy, Ended(one.said, how)))
        if following:
            begin(*following[0], one.copy)
        else:
            idle.append(one.copy)

    def stop(one: _Running, how: str) -> None:
        """Ends what runs; its pipe says when that is done."""
        one.how = one.how or how
        if one.pid:
            kill(one.pid)
        one.spoke, one.silent = time.monotonic(), STARTS_WITHIN

    def hear(one: _Running, line: bytes) -> None:
        said = json.loads(line)
        if "pid" in said:
            one.pid = said["pid"]
            return
        one.said.append(said)
        if "failed" in said and not one.job.to_the_end:
            stop(one, "ended")
        elif "test" in said:
            one.spoke, one.silent = time.monotonic(), one.job.seconds(said["test"])

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
                *lines, one.half = (one.half + chunk).split(b"\n")
                for line in lines:
                    hear(one, line)
                if not chunk or {"over": True} in one.said[-1:]:
                    finish(one)
            for one in list(running.values()):
                if time.monotonic() > one.spoke + one.silent:
                    if one.how:
                        finish(one)  # it does not even end
                    else:
                        stop(one, "timed out")
    finally:
        for one in running.values():
            if one.pid:
                kill(one.pid)


def kill(pid: int) -> None:
    """Ends a process with all that it started."""
    for end in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            end(pid, signal.SIGKILL)


def close(pipes: Iterable[int]) -> None:
    """Closes the ends of pipes."""
    for pipe in pipes:
        os.close(pipe)


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
    settle_in(copy)

    def say(**what: object) -> None:
        os.write(pipe, json.dumps(what).encode() + b"\n")

    say(begin=True)
    status = pytest.main(arguments_of(copy, job.files), plugins=[job.plugin(say)])
    say(end=int(status))


def settle_in(copy: Path) -> None:
    """Makes a forked process one of a *copy*, with bounds, that says nothing but by its pipe."""
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


def arguments_of(copy: Path, files: Sequence[str]) -> list[str]:
    """What pytest is called with for test *files* in a *copy*."""
    return ["-p", "no:cacheprovider", "-p", "no:xdist", f"--basetemp={copy.parent / 'temporary'}", *files]
