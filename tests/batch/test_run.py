"""Files checked by one process and by several: the same, in order, whatever the files hold."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from typing import ClassVar

import pytest
from batches import alone, random_lines, whole
from programs import run_command
from tables import table

from mjscore.batch.results import ChunkResult
from mjscore.batch.run import FIRST_CHUNK_LINES, Chunk, check_chunk, check_files
from mjscore.batch.workers import Task, Work, Workers
from mjscore.game.hand import Hand
from mjscore.record.checker import check_file
from mjscore.record.context import Context
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.sheet import ScoredHand


@pytest.mark.parametrize("output", ["json", "text", "csv"])
def test_one_job_and_two_give_the_same_to_the_byte(mixed, output):
    assert alone(mixed, output) == whole(mixed, output, 2)


def test_chunks_change_nothing(mixed):
    plain = [one.as_json() for one in check_file(str(mixed), Context())]
    assert [json.loads(line) for line in alone(mixed, "json").splitlines()] == plain
    bad = [one["line"] for one in plain if one["error"]]
    assert bad
    assert bad == sorted(bad)
    spoiled = {place for place, line in enumerate(mixed.read_text().splitlines(), 1) if ": 0x" in line}
    assert spoiled <= set(bad)


def test_evenings_go_in_order(tmp_path):
    path = tmp_path / "evening.mj"
    hand = "hand\n  Ann: 20\n  Ben: 22 win\n  Cid: 0\n  Dee: 0\n"
    path.write_text("rulebook harr\nplayers Ann Ben Cid Dee\n" + 200 * hand, encoding="utf-8")
    assert whole(path, "json", 2) == whole(path, "json", 1)
    found = [json.loads(line) for line in whole(path, "json", 2).splitlines()]
    assert len(found) == 200
    assert {one["players"]["E"] for one in found} == {"Ann", "Ben"}


def test_gzip_long_lines_and_other_bytes(tmp_path):
    path = tmp_path / "odd.mj.gz"
    body = b"123b\n" + b"1" * 3_000_000 + b"b\n\xff\xfe\n\x00\n(123b) (456c) 22d 789b 11c <2d = 22\n"
    path.write_bytes(gzip.compress(body))
    found = [json.loads(line) for line in whole(path, "json", 1).splitlines()]
    assert [(one["line"], one["error"] and one["error"]["code"]) for one in found] == [
        (1, "too-few-tiles"), (2, "long-line"), (3, "not-utf-8"), (4, "unknown-character"), (5, None),
    ]  # fmt: skip
    assert whole(path, "json", 2) == whole(path, "json", 1)


@pytest.mark.parametrize(("given", "compressed"), [("-", False), ("file", True), ("file", False)])
def test_standard_input_and_gzip_give_what_the_file_gives(mixed, tmp_path, monkeypatch, given, compressed):
    data = mixed.read_bytes()
    path = tmp_path / "other.mj"
    path.write_bytes(gzip.compress(data) if compressed else data)
    if given == "-":
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    name = "-" if given == "-" else str(path)
    found = [json.loads(line) for part in check_files([name], Context()) for line in part.text.splitlines()]
    plain = [json.loads(line) for line in alone(mixed, "json").splitlines()]
    assert {one.pop("file") for one in found} == {"<stdin>" if given == "-" else str(path)}
    assert [{key: value for key, value in one.items() if key != "file"} for one in plain] == found


def test_several_files_come_in_order_and_know_nothing_of_each_other(mixed, tmp_path):
    first, last = tmp_path / "a.mj", tmp_path / "z.mj"
    first.write_text("rulebook babcock\nplayers Ann Ben Cid Dee\ndraw\n")
    last.write_text("(RRR) (GGG) 123b 456b 7d <7d = 120\n")
    for jobs in (1, 2):
        parts = check_files([str(first), str(mixed), str(last)], Context(), "json", jobs)
        files = [json.loads(line)["file"] for part in parts for line in part.text.splitlines()]
        assert list(dict.fromkeys(files)) == [str(first), str(mixed), str(last)]
        assert files == sorted(files, key=[str(first), str(mixed), str(last)].index)
        assert files.count(str(last)) == 1


def test_a_long_file_gives_its_first_results_at_once(mixed):
    results = check_files([str(mixed)], Context(), "json")
    assert len(next(results).text.splitlines()) <= FIRST_CHUNK_LINES
    results.close()


def test_what_stands_around_a_file_that_cannot_be_read_is_not_lost(mixed, tmp_path):
    paths = [str(mixed), str(tmp_path / "none.mj"), str(mixed)]
    for jobs in (1, 2):
        found = list(check_files(paths, Context(), "json", jobs))
        (place,) = (place for place, part in enumerate(found) if isinstance(part, FileNotFoundError))
        assert found.pop(place).filename == paths[1]
        texts = [part.text for part in found]
        assert "".join(texts[:place]) == "".join(texts[place:]) == alone(mixed, "json")


class Counted(Workers):
    """Workers that say how many were asked for, and check here: no process is begun."""

    asked: ClassVar[list[int]] = []

    def __init__(self, count: int, work: Work) -> None:
        self.asked.append(count)
        super().__init__(count, work)

    def submit(self, chunk: Chunk) -> Task:
        task = Task(chunk, self)
        task.set_result(check_chunk(chunk))
        return task


@table
def test_never_more_processes_than_cores_and_chunks(tmp_path, monkeypatch, jobs, cores, hands, workers):
    monkeypatch.setattr("mjscore.batch.run.cores", lambda: cores)
    monkeypatch.setattr("mjscore.batch.run.CHUNK_LINES", 64)
    monkeypatch.setattr("mjscore.batch.workers.Workers", Counted)
    monkeypatch.setattr(Counted, "asked", [])
    path = tmp_path / "hands.mj"
    path.write_text("\n".join(random_lines(64 * (hands + 1))) + "\n")
    assert whole(path, "json", jobs) == whole(path, "json", 1)
    assert Counted.asked == workers


@table
def test_all_cores_work_at_a_long_file(own, monkeypatch, call, workers):
    monkeypatch.setattr("mjscore.batch.run.cores", lambda: 4)
    monkeypatch.setattr("mjscore.cli.check.cores", lambda: 4)
    monkeypatch.setattr("mjscore.batch.workers.Workers", Counted)
    monkeypatch.setattr(Counted, "asked", [])
    monkeypatch.setattr("mjscore.cli.check._WORK_FOR_MANY", 25_000)
    short = own.with_name("short.mj")
    short.write_text("1b ...\n" * 500)
    names = {"LONG": str(own), "SHORT": str(short)}
    result = run_command("check", *(names.get(word, word) for word in call), input=own.read_bytes())
    assert (result.exit_code, Counted.asked) == (int(call[0] != "SHORT"), workers)


def dies(chunk: Chunk) -> ChunkResult:
    """Checks the first chunk; at the others the process ends at once."""
    if chunk.first_line > 1:
        os._exit(1)
    return check_chunk(chunk)


def dies_once(chunk: Chunk) -> ChunkResult:
    """Checks chunks; where one file says so, the process ends in the middle, and takes the file away."""
    mark = chunk.file + ".dies"
    if chunk.first_line > FIRST_CHUNK_LINES + 1 and os.path.exists(mark):
        os.unlink(mark)
        os.kill(os.getpid(), signal.SIGKILL)
    return check_chunk(chunk)


def broken(hand: Hand, *rest: object) -> ScoredHand:
    """Scores a hand; fails itself at one that is dead."""
    if hand.dead:
        raise KeyError(5)
    return score_hand(hand, *rest)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("output", ["json", "text", "csv", "summary"])
def test_a_fault_in_one_line_never_costs_the_others(mixed, own, monkeypatch, output, jobs):
    if multiprocessing.get_start_method() != "fork":
        pytest.skip("the fault is put into copies of this process")
    monkeypatch.setattr("mjscore.batch.run.CHUNK_LINES", 150)
    monkeypatch.setattr("mjscore.batch.run.cores", lambda: 2)
    lines = own.read_text().splitlines()
    call = ["check", str(own), "--format", output, "--jobs", jobs]
    hand = "hand\n  E: 9 win\n  S: 1\n  W: 1b !dead\n  N: 0"
    lines[600:600] = ["1b !dead = 0", "1b !dead = error", hand]
    own.write_text("\n".join(lines) + "\n")
    monkeypatch.setattr("mjscore.record.checker.score_hand", broken)
    monkeypatch.setattr("mjscore.settling.settlement.score_hand", broken)
    result = run_command(*call)
    assert result.exit_code == 3
    assert (result.stdout).count("KeyError: 5") == {"summary": 0, "json": 6}.get(output, 3)
    assert "program-fault" in result.stdout
    if output == "json":
        told = [json.loads(line) for line in result.stdout.splitlines()]
        faults = [one["error"] for one in told if one["error"] and one["error"]["code"] == "program-fault"]
        assert len(faults) == 3
        assert len(told) == len(alone(mixed, "json").splitlines()) + 3
    if output == "text":
        assert "3 faults of the program" in result.stdout


@pytest.mark.parametrize("output", ["json", "text", "csv"])
def test_what_a_dead_process_had_is_done_again(own, monkeypatch, output):
    if multiprocessing.get_start_method() != "fork":
        pytest.skip("the fault is put into copies of this process")
    before = run_command("check", str(own), "--format", output)
    own.with_name("mixed.mj.dies").touch()
    monkeypatch.setattr("mjscore.batch.run.CHUNK_LINES", 150)
    monkeypatch.setattr("mjscore.batch.run.cores", lambda: 2)
    monkeypatch.setattr("mjscore.batch.run.check_chunk", dies_once)
    result = run_command("check", str(own), "--format", output, "--jobs", "2")
    assert not own.with_name("mixed.mj.dies").exists()
    assert (result.exit_code, result.stdout, result.stderr) == (before.exit_code, before.stdout, "")


@table
def test_who_stops_it_leaves_no_process_behind(tmp_path, sent, to_all, status, said):
    path = tmp_path / "long.mj"
    path.write_text("\n".join(random_lines(100)) + "\n")
    path.write_text(path.read_text() * 400)
    call = [sys.executable, "-c", "import mjscore.batch.run as r; r.cores, r.CHUNK_LINES = lambda: 2, 250\n"
            "from mjscore.cli.main import main; main()",
            "check", str(path), "--jobs", "2", "--format", "json"]  # fmt: skip
    # a group of their own: who is left of it can be counted
    process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0)
    group = process.pid
    try:
        for _ in range(150):
            assert process.stdout.readline()
        (os.killpg if to_all else os.kill)(group, sent)
        _, errors = process.communicate(timeout=15)
        assert process.returncode == status
        text = errors.decode()
        assert text.startswith(said)
        assert text.count("\n") == bool(said)
        for _ in range(100):
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                break
            time.sleep(0.05)
        else:
            pytest.fail("somebody is left")
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


def test_a_process_that_dies_is_named_and_ends_the_check(mixed, monkeypatch):
    if multiprocessing.get_start_method() != "fork":
        pytest.skip("the fault is put into copies of this process")
    monkeypatch.setattr("mjscore.batch.run.cores", lambda: 2)
    monkeypatch.setattr("mjscore.batch.run.check_chunk", dies)
    result = run_command("check", str(mixed), "--jobs", "2")
    assert result.exit_code == 2
    assert f"{mixed} was not checked from line {FIRST_CHUNK_LINES + 1} on [process-died]" in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "line", ["rulebook sub dir/x.toml", "rulebook", "rulebook \xff", "rulebook nothing.toml"]
)
def test_hands_below_a_rulebook_that_cannot_be_had_are_held_back_in_every_chunk(tmp_path, line):
    path = tmp_path / "tea.mj"
    path.write_bytes("\n".join([line, *["S: (RRR) GGG 11b 22b 3f ... = 48"] * 200, ""]).encode("latin-1"))
    for jobs in (1, 2):
        found = [json.loads(text) for text in whole(path, "json", jobs).splitlines()]
        assert len(found) == 201
        assert {one["error"]["code"] for one in found[1:]} == {"no-rulebook"}
        assert {one["score"] for one in found} == {None}
