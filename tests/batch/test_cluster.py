"""A Dask cluster gives what one process gives, and one that is not there is refused."""

from __future__ import annotations

import contextlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from importlib.util import find_spec

import pytest
from batches import alone, random_lines
from programs import run_command

from mjscore.record.context import Context

# which takes long to import, and each process of the tests would
pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="the extra cluster is not installed")


@contextlib.contextmanager
def running(*arguments):
    """A Dask program that runs for as long as the block; gives its process and what it says."""
    process = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextlib.contextmanager
def scheduler_process():
    """A real scheduler; gives its address and its process."""
    with running(
        "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"
    ) as process:
        for line in process.stderr:
            address = re.search(r"tcp://127\.0\.0\.1:\d+", line)
            if address:
                yield address[0], process
                return
        pytest.fail("no scheduler")


@pytest.fixture(scope="module")
def scheduler():
    """The address of a real scheduler, to which each test brings its workers."""
    with scheduler_process() as (address, _):
        yield address


@contextlib.contextmanager
def worker(address, *more):
    """A worker that the scheduler knows; gives its process."""
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0", *more)
    with running("dask_worker", address, *options) as process:
        for line in process.stderr:
            if "Registered to" in line:
                yield process
                return
        pytest.fail("no worker")


def test_a_local_cluster_gives_the_same(mixed):
    from mjscore.batch.cluster import check_on_cluster

    parts = check_on_cluster([str(mixed)], Context(), "json", workers=2)
    assert "".join(part.text for part in parts) == alone(mixed, "json")


def test_a_fault_in_one_line_never_costs_the_others(tmp_path, scheduler):
    broken = tmp_path / "broken.py"
    broken.write_text(
        "import mjscore.record.checker as reader\nfrom mjscore.scoring.scorer import score_hand\n"
        "reader.score_hand = lambda hand, book: {}[5] if hand.dead else score_hand(hand, book)\n"
    )
    path = tmp_path / "tea.mj"
    path.write_text("\n".join([*random_lines(100), "1b !dead", *random_lines(30)]) + "\n")
    with worker(scheduler, "--preload", str(broken)):
        result = run_command("check", str(path), "--cluster", scheduler)
    assert result.exit_code == 3
    assert f"{path}:101:1: mjscore has a fault here: KeyError: 5 [program-fault]" in result.stdout
    assert result.stdout.count(", 1 fault of the program;") == 1
    assert "130 hands and 0 tables: " in result.stdout


def test_a_cluster_that_loses_a_worker_gives_the_same(mixed, monkeypatch, scheduler):
    from mjscore.batch.cluster import check_on_cluster

    expected = alone(mixed, "json")
    monkeypatch.setattr("mjscore.batch.run.CHUNK_LINES", 25)
    with worker(scheduler) as first, worker(scheduler):
        parts = check_on_cluster([str(mixed)], Context(), "json", scheduler)
        texts = [next(parts).text for _ in range(5)]
        assert first.poll() is None
        first.send_signal(signal.SIGKILL)
        rest = [part.text for part in parts]
    assert len(rest) > 20
    assert "".join(texts + rest) == expected
    assert first.returncode == -signal.SIGKILL


def test_a_cluster_that_loses_its_scheduler_gives_the_same(mixed, monkeypatch, capfd):
    from mjscore.batch.cluster import check_on_cluster

    expected = alone(mixed, "json")
    monkeypatch.setattr("mjscore.batch.run.CHUNK_LINES", 250)
    # how long the client hopes for its scheduler to come back
    monkeypatch.setattr("mjscore.batch.cluster.LONGEST_WAIT", 4)
    with scheduler_process() as (address, process), worker(address):
        parts = check_on_cluster([str(mixed)], Context(), "json", address)
        texts = [next(parts).text for _ in range(2)]
        process.kill()
        texts += [part.text for part in parts]
    assert "".join(texts) == expected
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:1", "127.0.0.1:1", "nonsense", "x://y", "tcp://", " ", "::::"]
)
def test_a_cluster_that_does_not_answer_is_refused(mixed, monkeypatch, address):
    monkeypatch.setattr("mjscore.batch.cluster.LONGEST_WAIT", 1)
    began = time.monotonic()
    result = run_command("check", str(mixed), "--cluster", address)
    assert time.monotonic() - began < 20
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"no Dask scheduler answers at {address} [cluster-silent]\n")
    assert result.stderr.count("\n") == 2


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_a_port_that_is_no_scheduler_is_refused(mixed, monkeypatch, said):
    monkeypatch.setattr("mjscore.batch.cluster.LONGEST_WAIT", 1)
    held = []

    def speak(listening):
        while True:
            held.append(listening.accept()[0])
            held[-1].sendall(said)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"tcp://127.0.0.1:{listening.getsockname()[1]}"
        threading.Thread(target=speak, args=(listening,), daemon=True).start()
        began = time.monotonic()
        result = run_command("check", str(mixed), "--cluster", address)
    assert time.monotonic() - began < 20
    assert result.exit_code == 2
    assert result.stderr.startswith(f"no Dask scheduler answers at {address} [cluster-silent]\n")


def test_a_cluster_without_workers_is_refused(mixed, monkeypatch, scheduler):
    monkeypatch.setattr("mjscore.batch.cluster.LONGEST_WAIT", 1)
    result = run_command("check", str(mixed), "--cluster", scheduler)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"the Dask scheduler at {scheduler} has no workers [cluster-silent]\n")
