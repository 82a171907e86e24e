"""Worker processes, each connected by a pipe of its own.

They share no queue, lock or thread: so nothing waits for a process that has ended, and all can be ended at once.
"""

import contextlib
import multiprocessing
import traceback
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, cast

from mjscore.system import ignore_signals, stops_held_back

Work = Callable[[Any], Any]
# this process's ends of all pipes: a forked worker closes its copies, or the workers would never see a pipe end
_OPEN: set[Connection] = set()


class WorkerDied(Exception):  # noqa: N818 - it is an event, not a mistake
    """Raised if a process ended before it had the result of its task."""


class Task(Future[Any]):
    """A task of the workers; its result is what the work returned, its exception what that raised, or WorkerDied."""

    def __init__(self, given: Any, workers: "Workers") -> None:
        super().__init__()
        self.given = given
        self._workers = workers

    def done(self) -> bool:
        """Collect results, and return whether the task is finished."""
        if not super().done():
            self._workers.gather(0)
        return super().done()

    def result(self, timeout: float | None = None) -> Any:
        """Wait for the result, whatever *timeout* is, and return it or raise the task's exception."""
        while not super().done():
            self._workers.gather(timeout)
        return super().result()


class Workers:
    """At most *count* processes that do *work*, started when needed and replaced when they die.

    If none can be started, the current process does the work.
    """

    def __init__(self, count: int, work: Work) -> None:
        self._count = count
        self._work = work
        self._waiting: deque[Task] = deque()
        self._processes: dict[Connection, BaseProcess] = {}
        self._idle: list[Connection] = []
        self._busy: dict[Connection, Task] = {}

    def submit(self, argument: Any) -> Task:
        """Queue a task for the next free process, and return it."""
        task = Task(argument, self)
        self._waiting.append(task)
        self.gather(0)
        return task

    def gather(self, timeout: float | None) -> None:
        """Collect results, waiting at most *timeout* seconds for one (None: for ever), and hand out tasks."""
        self._give_out()
        for pipe in cast("list[Connection]", wait(list(self._busy), timeout)):
            task = self._busy.pop(pipe)
            try:
                outcome = pipe.recv()
                self._idle.append(pipe)
            except (EOFError, OSError):
                self._end(pipe)
                outcome = WorkerDied()
            (task.set_exception if isinstance(outcome, BaseException) else task.set_result)(outcome)
        self._give_out()

    def close(self) -> None:
        """Kill all processes immediately; results not collected are lost."""
        for pipes in (self._waiting, self._idle, self._busy):
            pipes.clear()
        for pipe in list(self._processes):
            self._end(pipe)

    def _give_out(self) -> None:
        while self._waiting:
            if not self._idle and len(self._busy) < self._count:
                try:
                    self._begin()
                except OSError:
                    # the system allows no more processes: the existing ones do the work, or this one
                    self._count = len(self._busy)
            if self._idle:
                pipe, task = self._idle.pop(), self._waiting.popleft()
                self._busy[pipe] = task
                # a process that has died is noticed when its result is awaited
                with contextlib.suppress(OSError):
                    pipe.send(task.given)
            elif self._busy:
                return
            else:
                task = self._waiting.popleft()
                task.set_result(self._work(task.given))

    def _begin(self) -> None:
        """Start a process. Raises OSError."""
        here, there = multiprocessing.Pipe()
        _OPEN.add(here)
        process = multiprocessing.Process(target=_work, args=(there, self._work), daemon=True)
        try:
            # signals are held back, so that none reaches the process before it ignores them
            with stops_held_back():
                process.start()
                self._processes[here] = process
                self._idle.append(here)
        except OSError:
            _OPEN.discard(here)
            here.close()
            raise
        finally:
            there.close()

    def _end(self, pipe: Connection) -> None:
        """Kill the process behind a pipe."""
        process = self._processes.pop(pipe)
        process.kill()
        process.join()
        _OPEN.discard(pipe)
        pipe.close()


def _work(pipe: Connection, work: Work) -> None:
    """Do the tasks received through *pipe* until the process that sends them has ended."""
    for other in _OPEN:
        other.close()
    ignore_signals()
    with contextlib.suppress(EOFError, OSError):
        while True:
            argument = pipe.recv()
            try:
                outcome = work(argument)
            except Exception as error:
                error.add_note(traceback.format_exc())
                outcome = error
            pipe.send(outcome)
