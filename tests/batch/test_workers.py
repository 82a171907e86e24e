"""Worker processes: whatever instant one dies at, its chunk alone is lost, and nobody waits for it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import Counter
from multiprocessing.connection import wait
from pathlib import Path

import pytest

from mjscore.batch.results import ChunkResult
from mjscore.batch.run import Chunk
from mjscore.batch.workers import WorkerDied, Workers
from mjscore.record.context import Context

MORE_THAN_A_PIPE_HOLDS = 5_000_000


def obeys(chunk: Chunk) -> ChunkResult:
    """Does what the chunk's text says, and gives its number back."""
    told = chunk.data.decode()
    if told == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if told == "leave":
        os._exit(0)
    if told == "fail":
        raise ZeroDivisionError("tea")
    if told == "sleep":
        time.sleep(3600)
    text = "x" * (MORE_THAN_A_PIPE_HOLDS if told == "much" else 1)
    return ChunkResult(text, Counter(), Counter(), chunk.first_line)


def chunk(number: int, told: str = "") -> Chunk:
    return Chunk("tea.mj", number, told.encode(), Context())


@pytest.fixture
def workers():
    before = set(multiprocessing.active_children())
    workers = Workers(2, obeys)
    yield workers
    workers.close()
    assert set(multiprocessing.active_children()) == before


def processes() -> list[multiprocessing.process.BaseProcess]:
    return multiprocessing.active_children()


def until(condition) -> None:
    for _ in range(12_000):
        if condition():
            return
        time.sleep(0.01)
    pytest.fail("nothing happened for two minutes")


def test_results_come_to_the_chunk_they_belong_to(workers):
    tasks = [workers.submit(chunk(number, "much" if number % 3 == 0 else "")) for number in range(20)]
    assert [task.result().bytes_read for task in reversed(tasks)] == list(reversed(range(20)))


def test_no_more_processes_than_asked_for_and_none_without_work(workers):
    assert not processes()
    for number in range(9):
        workers.submit(chunk(number, "sleep" if number < 2 else ""))
    assert len(processes()) == 2


@pytest.mark.parametrize("told", ["die", "leave"])
def test_who_dies_loses_his_chunk_alone(workers, told):
    tasks = [workers.submit(chunk(number, told if number in (0, 3, 4) else "much")) for number in range(8)]
    for number, task in enumerate(tasks):
        if number in (0, 3, 4):
            with pytest.raises(WorkerDied):
                task.result()
        else:
            assert task.result().bytes_read == number


def test_who_dies_while_he_hands_a_result_over_loses_it_alone(workers):
    task = workers.submit(chunk(1, "much"))
    (process,) = processes()
    # it writes until the pipe is full, and nobody reads
    until(lambda: wait(list(workers._busy), 0))
    process.kill()
    with pytest.raises(WorkerDied):
        task.result()
    assert workers.submit(chunk(2)).result().bytes_read == 2


def test_who_dies_without_work_is_noticed_at_his_next_chunk_and_replaced(workers):
    assert workers.submit(chunk(1)).result().bytes_read == 1
    (process,) = processes()
    process.kill()
    process.join()
    with pytest.raises(WorkerDied):
        workers.submit(chunk(2, "much")).result()
    assert workers.submit(chunk(3)).result().bytes_read == 3


def test_an_end_waits_for_nobody(workers):
    tasks = [
        workers.submit(chunk(number, told)) for number, told in enumerate(["sleep", "much", "sleep", "sleep"])
    ]
    assert not tasks[0].done()
    begun = time.monotonic()
    workers.close()
    assert time.monotonic() - begun < 20
    assert not processes()


def test_what_a_check_raises_is_raised_here_with_its_place(workers):
    with pytest.raises(ZeroDivisionError, match="tea") as caught:
        workers.submit(chunk(1, "fail")).result()
    assert "in obeys" in "".join(caught.value.__notes__)
    assert workers.submit(chunk(2)).result().bytes_read == 2


def test_a_process_takes_no_notice_of_signals_meant_for_who_began_it(workers):
    task = workers.submit(chunk(1, "sleep"))
    (process,) = processes()
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        pytest.skip("a system that shows no signals of a process")
    wanted = 1 << (signal.SIGINT - 1) | 1 << (signal.SIGTERM - 1)

    def ignored() -> bool:
        line = next(line for line in status.read_text().splitlines() if line.startswith("SigIgn"))
        return int(line.split()[1], 16) & wanted == wanted

    until(ignored)
    os.kill(process.pid, signal.SIGTERM)
    os.kill(process.pid, signal.SIGINT)
    assert not task.done()
    assert process.is_alive()


@pytest.fixture
def at_most(monkeypatch):
    """Has the system begin so many processes and no more; gives the list of those it was asked for."""
    start = multiprocessing.Process.start
    asked = []

    def limit(count):
        def limited(process):
            asked.append(process)
            if len(asked) > count:
                raise BlockingIOError(11, "Resource temporarily unavailable")
            start(process)

        monkeypatch.setattr(multiprocessing.Process, "start", limited)
        return asked

    return limit


@pytest.mark.parametrize("begun", [0, 1])
def test_where_no_process_can_be_had_the_work_is_done_by_those_there_are(workers, at_most, begun):
    asked = at_most(begun)
    tasks = [workers.submit(chunk(number, "much")) for number in range(6)]
    assert [task.result().bytes_read for task in tasks] == list(range(6))
    assert len(processes()) == begun
    assert len(asked) == begun + 1


def test_where_the_last_process_dies_and_none_can_be_had_the_rest_is_done_here(workers, at_most):
    at_most(2)
    tasks = [workers.submit(chunk(number, told)) for number, told in enumerate(["die", "die", "", "", ""])]
    for task in tasks[:2]:
        with pytest.raises(WorkerDied):
            task.result()
    assert [task.result().bytes_read for task in tasks[2:]] == [2, 3, 4]
    assert not processes()
