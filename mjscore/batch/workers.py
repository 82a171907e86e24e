"""Processes that check chunks beside this one.

Each has a pipe of its own to this process, and nothing else is shared: no queue, no lock, no thread. So a process that ends, at
whatever instant, leaves nothing behind that anybody could wait for, and all can be ended at once.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import traceback
from collections import deque
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import NamedTuple

from mjscore.batch.chunks import Chunk
from mjscore.batch.results import ChunkResult
from mjscore.system import ignore_signals, stops_held_back

Check = Callable[[Chunk], ChunkResult]
# this process's ends of all pipes: a copy of it closes its own, or no pipe would ever end for the workers
_OPEN: set[Connection] = set()


class WorkerDied(Exception):  # noqa: N818 - it is what happened, not a mistake
    """The process that worked at a chunk ended before it had the result."""


class Task:
    """A chunk handed to the workers, and what came of it."""

    def __init__(self, chunk: Chunk, workers: Workers) -> None:
        self.chunk = chunk
        self.outcome: ChunkResult | BaseException | None = None
        self._workers = workers

    def done(self) -> bool:
        """Tell whether the result is there."""
        if self.outcome is None:
            self._workers.gather(0)
        return self.outcome is not None

    def result(self) -> ChunkResult:
        """Give the result, waited for. Raises WorkerDied, and what the checking raised."""
        while self.outcome is None:
            self._workers.gather(None)
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome


class _Worker(NamedTuple):
    process: BaseProcess
    pipe: Connection

    def end(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.join()
        _OPEN.discard(self.pipe)
        self.pipe.close()


class Workers:
    """At most *count* processes, begun when there is work for them; one that dies is replaced.

    Where no process can be begun, chunks are checked by this one.
    """

    def __init__(self, count: int, check: Check) -> None:
        self._count = count
        self._check = check
        self._waiting: deque[Task] = deque()
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, tuple[_Worker, Task]] = {}

    def submit(self, chunk: Chunk) -> Task:
        """Have a chunk checked as soon as a process is free."""
        task = Task(chunk, self)
        self._waiting.append(task)
        self.gather(0)
        return task

    def gather(self, timeout: float | None) -> None:
        """Take the results that are there, waiting at most *timeout* seconds, and give out the chunks that wait."""
        self._give_out()
        for pipe in wait(list(self._busy), timeout):
            assert isinstance(pipe, Connection)
            worker, task = self._busy.pop(pipe)
            try:
                outcome = pipe.recv()
            except (EOFError, OSError):
                worker.end()
                task.outcome = WorkerDied()
            else:
                self._idle.append(worker)
                task.outcome = outcome
        self._give_out()

    def end(self) -> None:
        """End all processes at once; results not taken yet are lost."""
        self._waiting.clear()
        for worker in (*self._idle, *(worker for worker, _ in self._busy.values())):
            worker.end()
        self._idle.clear()
        self._busy.clear()

    def _give_out(self) -> None:
        while self._waiting:
            if not self._idle and len(self._busy) < self._count:
                try:
                    self._idle.append(_begin(self._check))
                except OSError:
                    # the system gives no more: those there are do the work, or this process
                    self._count = len(self._busy)
            if self._idle:
                worker, task = self._idle.pop(), self._waiting.popleft()
                self._busy[worker.pipe] = (worker, task)
                # one that has died is noticed where its result is waited for
                with contextlib.suppress(OSError):
                    worker.pipe.send(task.chunk)
            elif self._busy:
                return
            else:
                task = self._waiting.popleft()
                task.outcome = self._check(task.chunk)


def _begin(check: Check) -> _Worker:
    here, there = multiprocessing.Pipe()
    _OPEN.add(here)
    process = multiprocessing.Process(target=_work, args=(there, check), daemon=True)
    try:
        # begun as a whole, and deaf to signals before one can reach it
        with stops_held_back():
            process.start()
            return _Worker(process, here)
    except OSError:
        _OPEN.discard(here)
        here.close()
        raise
    finally:
        there.close()


def _work(pipe: Connection, check: Check) -> None:
    """Check one chunk after another, until the process that sends them is gone."""
    for other in _OPEN:
        other.close()
    ignore_signals()
    with contextlib.suppress(EOFError, OSError):
        while True:
            chunk = pipe.recv()
            try:
                outcome: ChunkResult | Exception = check(chunk)
            except Exception as error:
                error.add_note(traceback.format_exc())
                outcome = error
            pipe.send(outcome)
