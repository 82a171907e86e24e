"""Files that are missing, damaged or nothing that can be read: each is named itself, and the others are done."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import run_command
from refusals import refusal_of
from tables import table

from mjscore.atomic import write_whole
from mjscore.play.store import Store

HAND = "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"
TABLE = "hand\n  E: 480 win\n  S: 64\n  W: 272\n  N: 16\n"
ODD = ("missing.mj", "folder", "circle", "damaged.mj", "good.mj/within", "x" * 300, "\x00")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("good.mj").write_text(f"{HAND}\n{TABLE}")
    Path("better.mj").write_text(f"{HAND}\n")
    Path("evening.mj").write_text(f"players Ann Ben Cid Dee\n{TABLE}")
    Path("folder").mkdir()
    Path("circle").symlink_to("elsewhere")
    Path("elsewhere").symlink_to("circle")
    Path("damaged.mj").write_bytes(gzip.compress(f"{HAND}\n".encode() * 999)[:60])


@pytest.mark.parametrize("odd", ODD, ids=ascii)
@pytest.mark.parametrize("output", ["text", "json", "csv", "summary"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_check_names_the_file_and_checks_the_others(odd, output, jobs):
    whole = run_command("check", "good.mj", "better.mj", "--format", output, "--jobs", jobs)
    assert whole.exit_code == 0
    for files in (
        (odd, "good.mj", "better.mj"),
        ("good.mj", odd, "better.mj"),
        ("good.mj", "better.mj", odd),
    ):
        result = run_command("check", *files, "--format", output, "--jobs", jobs)
        assert (result.exit_code, result.stdout) == (2, whole.stdout)
        assert result.stderr.count("[unreadable]") == 1
        assert odd.replace("\x00", "\\x00") in result.stderr
        assert "good.mj " not in result.stderr
        assert "better" not in result.stderr


@pytest.mark.parametrize("odd", ODD, ids=ascii)
@table
def test_an_error_of_the_system_names_its_own_file(call, odd):
    if odd == "\x00" or (odd == "folder" and any("{}/" in part for part in call)):
        return  # the command line carries no such character, and a folder can be written into
    result = run_command(*(part.format(odd) for part in call))
    assert result.exit_code == 2
    assert odd.replace("\x00", "\\x00")[:200] in result.stderr.replace("\n", "")
    assert "good.mj " not in result.stderr
    assert "evening.mj" not in result.stderr
    assert not Path("new.mj").exists()


@table
def test_standard_input_is_unpacked_as_files_are(call, text):
    plain, packed = run_command(*call, input=text), run_command(*call, input=gzip.compress(text.encode()))
    assert plain.exit_code == 0
    assert (packed.exit_code, packed.stdout, packed.stderr) == (0, plain.stdout, plain.stderr)
    damaged = run_command(*call, input=gzip.compress(text.encode() * 50)[:40])
    assert (damaged.exit_code, damaged.stdout) == (2, "")
    assert damaged.stderr.startswith("standard input cannot be read: the gzip file is damaged")


@pytest.mark.parametrize(
    "text",
    ["", "\n", "x", "\r\n", "\n\n", "#\n", "é\n", "\x1f\n", f"\n{HAND}\n", f"x{HAND}", f"\ufeff{HAND}\n"],
)
def test_standard_input_of_any_beginning_is_read_as_a_file_is(text):
    Path("same.mj").write_text(text, encoding="utf-8", newline="")
    for call in ("check", "settle", "report"):
        file, typed = run_command(call, "same.mj"), run_command(call, "-", input=text)
        assert typed.exit_code == file.exit_code
        assert typed.stdout.replace("<stdin>", "same.mj") == file.stdout
        assert typed.stderr.replace("<stdin>", "same.mj") == file.stderr


def test_standard_input_that_comes_byte_by_byte():
    packed = gzip.compress(f"{HAND}\n".encode())
    for data in (packed, f"{HAND}\n".encode()):
        process = subprocess.Popen(
            [sys.executable, "-m", "mjscore", "check", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdin is not None
        for place in range(len(data)):
            process.stdin.write(data[place : place + 1])
            process.stdin.flush()
        process.stdin.close()
        assert process.stdout.read().startswith(b"1 hand and 0 tables: all can be scored")
        assert process.wait() == 0


def test_a_pipe_in_the_place_of_a_file_is_read_as_one():
    text = f"{HAND}\n{TABLE}".encode()
    for data in (text, gzip.compress(text)):
        Path("data").write_bytes(data)
        for call in ("check", "settle", "check --format json --jobs 2"):
            program = f"cat data | {sys.executable} -m mjscore {call} /dev/stdin"
            pipe = subprocess.run(["sh", "-c", program], capture_output=True, text=True, check=False)
            assert (pipe.returncode, pipe.stderr) == (0, "")
            assert pipe.stdout.replace("/dev/stdin", "data") == run_command(*call.split(), "data").stdout
    os.mkfifo("pipe")
    result = run_command("check", "pipe", "--update", "new.mj")
    assert (result.exit_code, Path("new.mj").exists()) == (2, False)
    assert "--update copies one file" in result.stderr


def test_a_name_that_no_file_can_have_is_refused_where_it_is_typed():
    assert "no file can be called ev\\x00il" in refusal_of(Store, "ev\x00il").render()
    with pytest.raises(OSError, match="no file can have such a name"):
        write_whole(Path("ev\x00il"), b"")
