"""What comes in by every door is bounded: a text of any length, a file without an end, comes to an end, and is told of."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import pytest
from amounts import in_turn
from programs import run_command
from refusals import refusal_of
from tables import each

import mjscore
from mjscore.phone.bridge import answer
from mjscore.record import source

ENDLESS = (
    "1b ", "E ", "W", "(RRR) ", "64w 2 ", "x", '"', "( ", "[1111c] ", "Ann ", "well ", "!loose", "\n", "\r", "🀀",
)  # fmt: skip
LIMIT = 2_000_000  # kilobytes of memory


def limited(*arguments: str, given: bytes | None = None, file: str | None = None) -> tuple[int, str, str]:
    """Runs the program with little memory, and gives its status and what it said."""
    import resource

    with open(file, "rb") if file else io.BytesIO() as stream:
        done = subprocess.run(
            [sys.executable, "-m", "mjscore", *arguments],
            stdin=stream if file else None,
            input=given,
            capture_output=True,
            timeout=120,
            env={**os.environ, "COLUMNS": "1000"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT << 10, LIMIT << 10)),
        )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@each(("unit", "length"), product(ENDLESS, (301, 1001, 9_999, 10_001, 200_000)))
def test_a_hand_of_any_length_is_refused_at_once(unit, length):
    text = (unit * length)[:length]
    began = time.process_time()
    refusal = refusal_of(mjscore.parse, text)
    assert time.process_time() - began < 4  # it was 12 seconds for 20,000 characters of E
    if length > 10_000:
        assert (refusal.code, refusal.message) == ("long-line", f"a line of {length} characters")
    assert len(refusal.render()) < 1000


def test_a_hand_among_many_blanks_is_read():
    assert str(mjscore.parse("S@E: (222d)" + " " * 9_000 + "123b ...")) == "S@E: (222d) 123b ..."


@pytest.mark.parametrize("unit", [unit for unit in ENDLESS if not unit.isspace()], ids=ascii)
def test_a_line_at_the_table_is_refused_at_once(unit, tmp_path):
    begin = {"ask": "begin", "players": ["Ann", "Ben", "Cid", "Dee"], "rulebook": "harr"}
    text = json.loads(answer(json.dumps(begin)))["text"]
    line = (unit * 400_000)[:400_000]
    for asked in ({"ask": "type", "lines": [line]}, {"ask": "live", "lines": [], "line": line}):
        began = time.process_time()
        said = answer(json.dumps({"text": text, **asked}))
        assert time.process_time() - began < 4
        assert len(said) < 2000


def test_nothing_behind_a_long_line_is_dropped():
    begin = {"ask": "begin", "players": ["Ann", "Ben", "Cid", "Dee"], "rulebook": "harr"}
    text = json.loads(answer(json.dumps(begin)))["text"]
    line = "64w 2 8 0" + " " * 500 + "ann 5000"
    said = json.loads(answer(json.dumps({"ask": "type", "text": text, "lines": [line]})))
    assert said["error"].startswith("a line of 517 characters")


@pytest.fixture(scope="module")
def nothing(tmp_path_factory):
    """300 MB of blank lines."""
    path = tmp_path_factory.mktemp("blank") / "blank.mj.gz"
    path.write_bytes(300 * gzip.compress(b"\n" * 1_000_000))
    return path


@pytest.mark.parametrize("command", ["check", "settle", "report"])
def test_a_file_without_an_end_comes_to_one(command, nothing):
    ways = (("/dev/zero", None), ("-", "/dev/zero"), (str(nothing), None), ("-", str(nothing)))
    for path, file in in_turn(ways, len(command), 2):
        status, _, said = limited(command, path, file=file)
        assert status == 2, said
        assert "cannot be read: it goes on without a readable line" in said
        assert "Traceback" not in said


@pytest.mark.parametrize(
    "arguments", [("score", "-"), ("waits", "-"), ("play", "e.mj", "--players", "A B C D")]
)
def test_standard_input_without_an_end_comes_to_one(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, _, said = limited(*arguments, file="/dev/zero")
    assert status == 2, said
    assert said.startswith("standard input")


def test_lines_without_an_end_that_are_wrong_come_to_one(tmp_path, monkeypatch):
    """It took a line after the other for ever."""
    monkeypatch.setattr("mjscore.record.statistics.MOST_REFUSALS", 20)
    (tmp_path / "wrong.mj").write_text("x\n" * 20)
    result = run_command("report", str(tmp_path / "wrong.mj"))
    assert result.stderr.count("[row-without-seat]") + result.stderr.count("[unknown-character]") == 20
    with (tmp_path / "wrong.mj").open("a") as stream:
        stream.write("x\n")
    result = run_command("report", str(tmp_path / "wrong.mj"))
    assert result.exit_code == 2
    assert "wrong.mj: more than 20 lines are wrong: this is not a file of hands [no-evening]" in result.stderr


def test_many_comments_and_long_files_are_read(tmp_path):
    """What is bounded is what comes to nothing, not a file."""
    comments = ["# a comment\n" * 50_000, "S: (RRR) GGG 11b 22b 3f ... = 42\n"] * 3
    path = tmp_path / "long.mj"
    path.write_text("".join([*comments, "x" * 50_000_000, "\n", *comments]))
    with source.open_table(str(path)) as stream:
        assert len(list(source.read_lines(stream))) == 300_007


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("command", ["check", "settle", "report"])
def test_a_file_in_utf_16_is_refused_once(encoding, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "rulebook babcock\n" + "S: (RRR) GGG 11b 22b 3f ...\n" * 200
    Path("tea.mj").write_bytes(text.encode(encoding))
    result = run_command(command, "tea.mj")
    assert result.exit_code == 2
    assert result.stderr.count("[") == 1
    assert result.stderr.startswith("tea.mj cannot be read: it is UTF-16: save it as UTF-8 [unreadable]")
