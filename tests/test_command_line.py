"""The program: exit statuses, JSON as promised, messages for people, no traceback whatever happens."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mjscore.command_line import COMMANDS, cli

ROOT = Path(__file__).parent.parent
GOOD = "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"


def run(*arguments: str, input: str | None = None, **environment: str) -> Result:
    result = CliRunner().invoke(cli, arguments, input=input, env={"COLUMNS": "100", **environment})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("score", GOOD), 0),
        (("score", "nonsense"), 2),
        (("score", GOOD, "nonsense"), 1),
        (("score", "1b", "nonsense"), 2),
        (("score", GOOD, "-r", "harrr"), 2),
        (("score", GOOD, "-s", "limit"), 2),
        (("score", GOOD, "-s", "limits=3"), 2),
        (("score", GOOD, "-r", "harr", "-r", "babcock", "-s", "seasons=on"), 0),
        (("score", GOOD, "-r", "harr", "-r", "babcock", "-s", "sesons=on"), 2),
        (("score",), 2),
        (("scor", GOOD), 2),
        (("settle", "E=480", "S=64", "W=272", "N=16", "--winner", "E"), 0),
        (("settle", "E=480", "S=64", "W=272", "N=16"), 2),
        (("settle", "E=480", "E=64", "--winner", "E"), 2),
        (("settle", "E=480", "S=x", "--winner", "E"), 2),
        (("settle", "E=480", "S=64", "W=272", "N=16", "--winner", "E", "--from", "S", "--drawn"), 2),
        (("settle", str(ROOT / "samples" / "table.mj")), 0),
        (("settle", "/nowhere.mj"), 2),
        (("settle", str(ROOT)), 2),
        (("settle",), 2),
        (("check", str(ROOT / "samples" / "harr.mj")), 0),
        (("check", "/nowhere.mj"), 2),
        (("check", str(ROOT)), 2),
        (("check",), 2),
        (("waits", "1112345678999c"), 0),
        (("waits", GOOD), 2),
        (("waits", "1b ..."), 2),
        (("rules",), 0),
        (("rules", "list"), 0),
        (("rules", "show", "babcock"), 0),
        (("rules", "show", "nothing"), 2),
        (("rules", "diff", "harr", "babcock"), 0),
        (("rules", "diff", "harr", "nothing"), 2),
        (("--version",), 0),
        (("--help",), 0),
    ],
)
def test_exit_statuses(arguments, status):
    result = run(*arguments)
    assert result.exit_code == status, result.output
    if status == 2:
        assert result.stderr


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_has_help(command):
    result = run(command, "--help")
    assert result.exit_code == 0
    assert "--rulebook" in result.output
    assert "--set" in result.output
    assert "--format" in result.output


def test_score_in_json():
    found = json.loads(run("score", GOOD, "--format", "json").stdout)
    assert set(found) >= {
        "rulebook", "seat", "round", "won", "score", "points", "doubles", "limit", "sets", "items", "doubling", "error",
    }  # fmt: skip
    assert found["sets"][1] == {"kind": "kong", "tiles": "1111c", "exposed": False, "completed": False}
    assert found["items"][0] == {
        "rule": "mah-jongg", "title": "Mah-Jongg", "points": 20, "source": "Harr p. 30", "tiles": None,
    }  # fmt: skip
    assert (found["score"], found["points"], found["doubles"], found["limit"], found["error"]) == (
        68,
        68,
        0,
        None,
        None,
    )
    refused = run("score", "123b 45", "--format", "json")
    assert refused.exit_code == 2
    found = json.loads(refused.stdout)
    assert found["score"] is None
    assert found["error"] == {
        "message": "45 lacks its class letter",
        "hint": "type 45b for bamboo, 45c for characters, 45d for dots",
        "line": 1,
        "column": 6,
        "code": "missing-class",
    }


def test_several_rulebooks_in_json():
    lines = run("score", GOOD, "-r", "harr", "-r", "babcock", "--format", "json").stdout.splitlines()
    assert [json.loads(line)["rulebook"] for line in lines] == ["harr", "babcock"]


def test_settle_and_waits_in_json():
    found = json.loads(
        run("settle", "E=56", "S=10", "W=64", "N=416", "--winner", "N", "--format", "json").stdout
    )
    assert found["net"] == {"E": -756, "S": -562, "W": -346, "N": 1664}
    assert found["payments"][0] == {"from": "E", "to": "N", "points": 832, "for": "the winner's score"}
    assert set(found) >= {"label", "scores", "winner", "from", "payments", "net", "counters", "error"}
    waits = json.loads(run("waits", "(123c) (789c) 678c 45c 11c", "--format", "json").stdout)
    assert waits["waits"][1] == {"tile": "6c", "drawn": 176, "claimed": 240}
    assert waits["error"] is None
    refused = run("waits", "1b", "--format", "json")
    assert json.loads(refused.stdout)["waits"] == []
    assert json.loads(refused.stdout)["error"]["code"] == "too-few-tiles"


def test_check_in_json_has_a_line_a_result(tmp_path):
    path = tmp_path / "x.mj"
    path.write_text(
        '"a" (123b) (456c) 22d 789b 11c <2d = 24\nhand\n  E: 3 win\n  S: 1\n  W: 1\n  N: 1\nbad\n'
    )
    result = run("check", str(path), "--format", "json")
    assert result.exit_code == 1
    hand, table, bad = (json.loads(line) for line in result.stdout.splitlines())
    assert (hand["line"], hand["label"], hand["expected"], hand["score"], hand["ok"]) == (
        1,
        "a",
        24,
        22,
        False,
    )
    assert (table["line"], table["net"]["E"], table["ok"]) == (2, 18, True)
    assert (bad["line"], bad["error"]["code"], bad["score"], bad["ok"]) == (7, "unknown-line", None, False)
    assert {one["file"] for one in (hand, table, bad)} == {str(path)}


def test_check_says_what_does_not_hold_and_sums_up(tmp_path):
    path = tmp_path / "x.mj"
    path.write_text('"a" (123b) (456c) 22d 789b 11c <2d = 24\n')
    shown = run("check", str(path)).stdout
    assert "24 expected, 22 computed" in shown
    assert shown.rstrip().endswith("1 hand and 0 tables: 1 differs")
    assert "differs" in run("check", str(path), "--format", "summary").stdout
    assert (
        run("check", "-", input="(123b) (456c) 22d 789b 11c <2d = 22\n").stdout
        == "1 hand and 0 tables: all hold\n"
    )


def test_update(tmp_path):
    old, new = tmp_path / "old.mj", tmp_path / "new.mj"
    old.write_text("(123b) (456c) 22d 789b 11c <2d\n")
    assert run("check", str(old), "--update", str(new)).exit_code == 0
    assert new.read_text() == "(123b) (456c) 22d 789b 11c <2d = 22\n"
    assert run("check", str(old), "--update", str(new)).exit_code == 2
    assert run("check", str(old), "--update", "/nowhere/new.mj").exit_code == 2


def test_hands_from_standard_input():
    assert "Score 68" in run("score", "-", input=GOOD + "\n").stdout
    assert run("score", "-", input="").exit_code == 2


@pytest.mark.parametrize("width", ["60", "100"])
@pytest.mark.parametrize("tiles", ["plain", "boxed", "unicode"])
def test_sheets_fit_the_terminal(width, tiles):
    for rulebook in ("harr", "harr-limit", "babcock", "babcock-chinese"):
        shown = run(
            "score", "E: (RRR) GGG 123b 456b 5c <5c:W", "-r", rulebook, "--tiles", tiles, COLUMNS=width
        ).stdout
        assert max(map(len, shown.splitlines())) <= int(width)
        card = run("rules", "show", rulebook, COLUMNS=width).stdout
        assert max(map(len, card.splitlines()[2:])) <= int(width)


def test_no_colour_but_on_a_terminal():
    assert "\x1b" not in run("score", GOOD).stdout
    assert "\x1b" not in run("settle", "E=3", "S=1", "W=1", "N=1", "--winner", "E", NO_COLOR="1").stdout


def test_nothing_from_a_file_reaches_the_terminal_raw(tmp_path):
    path = tmp_path / "evil.mj"
    evil = "\x1b[2J\u202e\x07"
    path.write_text(f'"{evil}" 12x\n"{evil}" (123b) (456c) 22d 789b 11c <2d = 3\nhand "{evil}"\n  E: 3 win\n  S: 1\n  W: 1\n  N: 1\n{evil}\n', encoding="utf-8")  # fmt: skip
    for arguments in (("check", str(path)), ("settle", str(path)), ("check", str(path), "--format", "csv")):
        result = run(*arguments)
        assert "\x1b" not in result.output
        assert "\u202e" not in result.output
        assert "\x07" not in result.output


def test_a_reader_that_goes_away_leaves_no_traceback(tmp_path):
    path = tmp_path / "long.mj"
    path.write_text("(123b) (456c) 22d 789b 11c <2d = 22\n" * 3000)
    program = f"{sys.executable} -m mjscore check --format json {path} | head -n 1"
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, cwd=ROOT, check=False)
    assert json.loads(done.stdout)["score"] == 22
    assert "Traceback" not in done.stderr
    shown = subprocess.run(["bash", "-c", f"{sys.executable} -m mjscore rules show babcock | head -n 1"],
                           capture_output=True, text=True, cwd=ROOT, check=False)  # fmt: skip
    assert shown.stderr == ""


def test_an_interrupted_check_says_what_was_done(tmp_path):
    import signal
    import time

    path = tmp_path / "long.mj"
    path.write_text("(123b) (456c) 22d 789b 11c <2d = 22\n" * 300_000)
    process = subprocess.Popen([sys.executable, "-m", "mjscore", "check", "--format", "json", str(path)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, text=True)  # fmt: skip
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted; so far: " in errors
    assert "Traceback" not in errors


def test_the_cache_may_be_missing_or_broken(tmp_path):
    def waits(folder: str) -> str:
        environment = {**os.environ, "MJSCORE_CACHE": folder}
        return subprocess.run([sys.executable, "-m", "mjscore", "waits", "1112345678999c"], env=environment, cwd=ROOT,
                              capture_output=True, text=True, check=True).stdout  # fmt: skip

    plain = waits("")
    assert waits(str(tmp_path)) == plain
    assert list(tmp_path.glob("*.pickle"))
    for kept in tmp_path.glob("*.pickle"):
        kept.write_bytes(b"damaged")
    assert waits(str(tmp_path)) == plain
    assert waits("/proc/nowhere") == plain


def test_why_says_what_was_not_given():
    shown = run("score", "(123c) (789c) 678c 45c 11c <3c", "--why").stdout
    assert "not the only place: 6c and 9c would have won too" in shown
    shown = run("score", "(345d) 2344466667d", "--why", "-r", "babcock").stdout
    assert "the hand did not win" in shown
    found = json.loads(run("score", "(345d) 2344466667d", "--why", "--format", "json").stdout)
    assert {"not_given", "other_arrangements"} == set(found["why"])
