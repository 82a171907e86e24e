"""The program: exit statuses, JSON as promised, messages for people, no traceback whatever happens."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from amounts import in_turn
from programs import each_forked, run_command
from tables import table
from terminal import shown_on_terminal

import mjscore
from mjscore.batch.results import ChunkResult
from mjscore.cli.main import COMMANDS, main
from mjscore.refusal import refuse

ROOT = Path(__file__).parents[2]
GOOD = "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"


@table
def test_exit_statuses(arguments, status):
    result = run_command(*arguments)
    assert result.exit_code == status, result.output
    if status == 2:
        assert result.stderr


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_has_help(command):
    result = run_command(command, "--help")
    assert result.exit_code == 0
    assert "--rulebook" in result.output
    assert "--set" in result.output
    assert "--format" in result.output


@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGHUP", 143), ("SIGINT", 130)])
def test_an_update_that_is_stopped_leaves_nothing_behind(name, status, tmp_path):
    (tmp_path / "old.mj").write_text("(123b) (456c) 22d 789b 11c <2d\n" * 200_000)
    updating = subprocess.Popen(
        [sys.executable, "-m", "mjscore", "check", "old.mj", "--update", "new.mj"], cwd=tmp_path
    )
    ends = time.monotonic() + 60
    while not list(tmp_path.glob(".mjscore-*")) and time.monotonic() < ends:
        time.sleep(0.01)
    assert list(tmp_path.glob(".mjscore-*"))
    updating.send_signal(getattr(signal, name))
    assert updating.wait(30) == status
    assert [path.name for path in tmp_path.iterdir()] == ["old.mj"]


def test_csv_may_begin_with_a_byte_order_mark():
    for call in (("check", str(ROOT / "samples" / "harr.mj"), "--format", "csv"),
                 ("report", str(ROOT / "samples" / "evening.mj"), "--csv", "-")):  # fmt: skip
        assert run_command(*call, "--bom").stdout == "\ufeff" + run_command(*call).stdout


def test_a_hand_is_scored_before_the_next_is_read():
    scoring = subprocess.Popen(
        [sys.executable, "-m", "mjscore", "score", "-", "--format", "json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert scoring.stdin is not None
    assert scoring.stdout is not None
    try:
        for _ in range(2):
            scoring.stdin.write(GOOD.encode() + b"\n")
            scoring.stdin.flush()
            assert select.select([scoring.stdout], [], [], 30)[0], "it waits for the end of its input"
            assert json.loads(scoring.stdout.readline())["score"] == 68
    finally:
        scoring.communicate()
    assert scoring.returncode == 0


def test_progress_is_shown_in_a_terminal_beside_the_text(tmp_path):
    lines = f"(123b) (456c) 22d 789b 11c <2d = 22\n# {'x' * 80}\n"  # a file is long by its bytes
    (tmp_path / "many.mj").write_text(lines * 10_000 + "bad\n")
    shown, status = shown_on_terminal(["check", "many.mj"], tmp_path, COLUMNS="80")
    assert status == 1
    assert shown.count(b"checking") > 2
    assert re.search(rb"\d%  .*[1-9][\d,]* hands/s", shown)
    # the line is cleared for what does not hold, which begins at the margin
    assert b"\r\x1b[Kmany.mj:20001:1: " in shown
    assert b"10000 hands and 0 tables: 1 refused" in shown


def test_standard_input_is_read_as_a_file_is():
    lines = f"\ufeff# dealt\r\n  # again\r\n{GOOD}  # Ann\r\n\r\nbad\n".encode()
    result = run_command("score", "-", "--format", "json", input=lines)
    good, bad = map(json.loads, result.stdout.splitlines())
    assert (good["score"], bad["error"]["line"], result.exit_code) == (68, 5, 1)
    assert "<stdin>:5:1: bad is not a tile" in result.stderr
    for command in ("score", "waits"):
        told = run_command(command, "-", input=b"S: \xff\n").stderr
        assert "<stdin>:1:4: a byte that is not valid UTF-8" in told


def test_a_settlement_fits_a_telephone():
    wide = run_command("settle", "samples/evening.mj", "--counters", "babcock", COLUMNS="100").stdout
    narrow = run_command("settle", "samples/evening.mj", "--counters", "babcock", COLUMNS="45").stdout
    assert max(map(len, narrow.splitlines())) <= 45
    assert "pays ↓ to →" in wide
    assert "pays ↓ to →" not in narrow
    assert "Ann (8): −88\n  pays Ben 104\nBen (52): +208\n" in narrow


def test_a_reader_that_goes_away_leaves_no_traceback(tmp_path):
    path = tmp_path / "long.mj"
    path.write_text("(123b) (456c) 22d 789b 11c <2d = 22\n" * 3000)
    program = f"{sys.executable} -m mjscore check --format json {path} | head -n 1"
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, cwd=ROOT, check=False)
    assert json.loads(done.stdout)["score"] == 22
    assert done.stderr == ""
    shown = subprocess.run(["bash", "-c", f"{sys.executable} -m mjscore rules show babcock | head -n 1"],
                           capture_output=True, text=True, cwd=ROOT, check=False)  # fmt: skip
    assert shown.stderr == ""


def test_an_interrupted_check_says_what_was_done(tmp_path):
    path = tmp_path / "long.mj"
    path.write_text("(123b) (456c) 22d 789b 11c <2d = 22\n" * 300_000)
    process = subprocess.Popen([sys.executable, "-m", "mjscore", "check", "--format", "json", str(path)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, text=True)  # fmt: skip
    process.stdout.readline()
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted; so far: " in errors
    assert "Traceback" not in errors


SHEET_KEYS = {
    "rulebook": str, "seat": str, "round": str, "won": bool, "score": int, "points": int, "doubles": int,
    "limit": (str, type(None)), "sets": list, "items": list, "doubling": list, "error": type(None),
}  # fmt: skip


@pytest.mark.parametrize("rulebook", ["harr", "harr-limit", "babcock", "babcock-chinese"])
@pytest.mark.parametrize("hand", [GOOD, "N: (RRR) ... 1f", "E: RRR GGG WWWd EEE S +S!original"])
def test_every_sheet_has_the_same_keys(rulebook, hand):
    found = json.loads(run_command("score", hand, "-r", rulebook, "--format", "json").stdout)
    for key, sort in SHEET_KEYS.items():
        assert isinstance(found[key], sort), key
    for one in found["sets"]:
        assert {"kind", "tiles", "exposed"} <= set(one)
    for one in found["items"]:
        assert {"rule", "title", "points", "source"} <= set(one)
    for one in found["doubling"]:
        assert {"rule", "title", "doubles", "source"} <= set(one)
    assert found["points"] == sum(one["points"] for one in found["items"])
    assert found["doubles"] == sum(one["doubles"] for one in found["doubling"])
    assert found["rulebook"] == rulebook
    assert found["limit"] is None or found["score"] <= 300


@table
def test_errors_go_to_stderr_and_results_to_stdout(arguments):
    result = run_command(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr
    assert "Traceback" not in result.stderr


@pytest.fixture
def unreadable(tmp_path):
    path = tmp_path / "closed.mj"
    path.write_text("draw\n")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("whoever runs this reads everything")
    return path


@pytest.mark.parametrize("command", ["check", "settle"])
def test_files_that_cannot_be_read(command, unreadable):
    result = run_command(command, str(unreadable))
    assert result.exit_code == 2
    assert "unreadable" in result.stderr


@pytest.mark.parametrize("columns", ["0", "1", "20", "40", "nonsense"])
def test_a_narrow_terminal_is_no_reason_to_fail(columns):
    for arguments in (("score", GOOD, "--why"), ("rules",), ("rules", "show", "babcock"), ("waits", "1112345678999c"),
                      ("settle", "E=480", "S=64", "W=272", "N=16", "--winner", "E"),
                      ("score", GOOD, "-r", "harr", "-r", "babcock")):  # fmt: skip
        assert run_command(*arguments, COLUMNS=columns).exit_code == 0


def test_no_color_holds_on_a_terminal_too():
    for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        shown, status = shown_on_terminal(["score", GOOD], **environment)
        assert status == 0
        assert (b"\x1b[" in shown) is coloured, environment


@table
def test_a_closed_pipe_leaves_no_traceback(arguments, tmp_path):
    assert {done.errors for done in each_forked([arguments] * 3, "| true", tmp_path)} == {""}


def test_a_fault_of_the_program_is_one_line_and_a_file_of_details(tmp_path, monkeypatch, capsys):
    def broken(**options):
        return {}["no such\nkey"]

    monkeypatch.setattr("mjscore.cli.main.cli", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("sys.argv", ["mjscore", "score", "5b"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    (details,) = tmp_path.iterdir()
    assert printed.err.count("\n") == 1
    assert "KeyError" in printed.err
    assert str(details) in printed.err
    text = details.read_text(encoding="utf-8")
    assert "Traceback (most recent call last)" in text
    assert "'score' '5b'" in text
    assert mjscore.__version__ in text


def test_a_fault_is_told_where_no_file_can_be_written_too(tmp_path, monkeypatch, capsys):
    def broken(**options):
        raise ValueError("x")

    monkeypatch.setattr("mjscore.cli.main.cli", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 3
    assert "ValueError: x; please report it" in capsys.readouterr().err


def test_who_interrupts_gets_130():
    process = subprocess.Popen(
        [sys.executable, "-m", "mjscore", "score", "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    process.stdin.write(f"{GOOD}\n")
    process.stdin.flush()
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors == "interrupted\n"


def test_a_process_that_died_is_told_with_what_was_done(tmp_path, monkeypatch):
    def check_files(paths, context, output, jobs):
        yield ChunkResult("", Counter(hand=7, compared=7), Counter(), 10)
        raise refuse("process-died", path="x.mj", line=8)

    monkeypatch.setattr("mjscore.cli.check.check_files", check_files)
    result = run_command("check", str(ROOT / "samples" / "harr.mj"))
    assert result.exit_code == 2
    assert result.stderr == (
        "a process died; x.mj was not checked from line 8 on [process-died]\n"
        "  help: it may have been out of memory: try fewer --jobs\nso far: 7 hands and 0 tables: all correct\n"
    )


def test_less_is_told_of_colours(tmp_path):
    less = tmp_path / "less"
    less.write_text(f'#!/bin/sh\necho "$LESS" >{tmp_path}/options; cat >/dev/null\n')
    less.chmod(0o755)
    shown_on_terminal(["rules", "show", "harr"], PAGER=str(less), LESS="", COLUMNS="80", LINES="24")
    assert (tmp_path / "options").read_text() == "-R\n"


LONG = [("rules", "show", "bmja"), ("rules", "diff", "harr", "babcock"), ("rules", "facts"), ("explain",), ("help", "files"),
        ("report", "samples/evening.mj")]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "more"),
    [*((call, ()) for call in LONG), *((call, ("--no-pager",)) for call in in_turn(LONG, 0, 3))],
)
def test_long_texts_are_paged_in_a_terminal_and_only_there(call, more, tmp_path):
    pager = tmp_path / "pager"
    pager.write_text(f"#!/bin/sh\ncat >{tmp_path}/paged\n")
    pager.chmod(0o755)
    _, status = shown_on_terminal([*call, *more], PAGER=str(pager), COLUMNS="80", LINES="24")
    assert status == 0
    assert (tmp_path / "paged").exists() == (not more)
    assert run_command(*call).stdout.count("\n") > 24
