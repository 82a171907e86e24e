"""What is shown where the encoding lacks characters, and what is read from a file or pipe."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from programs import run_all
from tables import table

from mjscore.cli import streams
from mjscore.cli.streams import csv_beginning, is_unicode, prepare_streams

ROOT = Path(__file__).parents[2]
HAND = "S: 123b 456b 789b 55c 67d <8d"


def run(*words: str, typed: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Runs a command in an environment that says nothing else of encodings."""
    said = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "COLUMNS": "100", **environment}
    kept = {name: value for name, value in os.environ.items() if name not in ("LANG", "LC_ALL", "LC_CTYPE")}
    return subprocess.run(
        [sys.executable, "-m", "mjscore", *words], input=typed, capture_output=True, env={**kept, **said}, cwd=ROOT, check=False,
    )  # fmt: skip


def shown_in(encoding: str, calls: list[tuple[str, ...]]) -> bytes:
    """What commands say, one after another in one process whose streams have an encoding."""
    said = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "COLUMNS": "100"}
    return run_all(calls, said).stdout


class Stream(io.TextIOWrapper):
    def __init__(self, encoding: str, terminal: bool = False) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.fixture
def prepared(monkeypatch):
    """The output, the errors and the input after they are prepared."""

    def prepare(encoding: str, terminal: bool = False, **environment: str) -> tuple[Stream, ...]:
        for name in ("LANG", "LC_ALL", "LC_CTYPE", "PYTHONIOENCODING"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(os, "device_encoding", lambda number: None)
        found = tuple(Stream(encoding, terminal) for _ in range(3))
        for name, stream in zip(("stdout", "stderr", "stdin"), found, strict=True):
            monkeypatch.setattr(sys, name, stream)
        prepare_streams()
        return found

    return prepare


@table
def test_plain_characters_stand_for_those_that_an_encoding_lacks(prepared, encoding, text, shown):
    for stream in prepared(encoding)[:2]:
        stream.write(text)
        stream.flush()
        assert stream.buffer.getvalue().decode(encoding) == shown


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_no_escape_and_no_question_mark_is_shown(encoding):
    calls = [("settle", "samples/table.mj"), ("report", "samples/evening.mj"), ("score", HAND, "--tiles", "unicode"), ("help", "notation")]  # fmt: skip
    # click takes ASCII for a mistake
    shown = shown_in(encoding, calls).decode("utf-8" if encoding == "ascii" else encoding)
    assert re.findall(r"^exit (\d+) of", shown, re.MULTILINE) == ["0"] * len(calls)
    assert not any(sign in shown for sign in ("\\u", "\\x", "?" * 2))
    if encoding != "ascii":
        assert "-124" in shown.partition("exit 0 of settle")[0]


def test_utf8_is_written_where_the_environment_or_a_terminal_has_it(prepared, monkeypatch):
    def encodings(*given: str, **named: str) -> tuple[str, ...]:
        return tuple(stream.encoding for stream in prepared(*given, **named))

    assert encodings("cp1252") == ("cp1252", "cp1252", "utf-8-sig")
    for environment in (
        {"LANG": "de_DE.UTF-8"},
        {"LC_ALL": "C.utf8", "LANG": "de_DE"},
        {"LC_CTYPE": "de_DE.UTF-8@euro"},
    ):
        assert encodings("cp1252", **environment)[:2] == ("utf-8", "utf-8")
    assert encodings("cp1252", LC_ALL="de_DE.ISO-8859-1", LANG="de_DE.UTF-8")[0] == "cp1252"
    assert encodings("cp437", LANG="de_DE.UTF-8", PYTHONIOENCODING="cp437") == ("cp437",) * 3
    terminal = tuple(Stream("cp850", True) for _ in range(3))
    for name, stream in zip(("stdout", "stderr", "stdin"), terminal, strict=True):
        monkeypatch.setattr(sys, name, stream)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    prepare_streams()
    assert [stream.encoding for stream in terminal] == ["cp850"] * 3  # a terminal knows best
    prepared("cp1252")
    monkeypatch.setattr(os, "device_encoding", lambda number: "cp65001" if number == 2 else None)
    prepare_streams()
    assert sys.stdout.encoding == "utf-8"


def test_what_is_read_from_a_pipe_is_utf8_or_refused(tmp_path):
    begin = ("--players", "Ann Ben Cid Dee", "--date", "2026-11-21")
    for name, typed, said in (
        ("a.mj", "note Käse\n", {"LC_ALL": "C"}),
        ("b.mj", "\ufeffnote Käse\n", {"LC_ALL": "C"}),
        ("d.mj", "\ufeffnote Käse\n", {"PYTHONIOENCODING": "utf-8"}),
    ):
        path = tmp_path / name
        assert run("play", str(path), *begin, typed=typed.encode(), **said).returncode == 0
        assert "note Käse\n" in path.read_text(encoding="utf-8")
    done = run("play", str(tmp_path / "c.mj"), *begin, typed="note Käse\n".encode("cp1252"), LC_ALL="C")
    assert b"not-utf-8" in done.stderr + done.stdout


def test_pages_and_tables_are_utf8_whatever_the_output_is():
    calls = [("report", "samples/evening.mj", "--html", "-"), ("report", "samples/evening.mj", "--csv", "-"), ("check", "samples/evening.mj", "--format", "csv")]  # fmt: skip
    shown = shown_in("utf-8", calls)
    assert shown_in("cp437", calls) == shown
    assert all(
        part.decode().count("\n") > 10 for part in re.split(rb"exit 0 of (?:report|check)\n", shown)[:-1]
    )
    assert shown.count(b"exit 0 of ") == len(calls)


def test_csv_begins_with_a_mark_where_spreadsheets_would_take_it_for_another_encoding(monkeypatch):
    for encoding, mark in (("UTF-8", ""), ("cp1252", "\ufeff")):
        monkeypatch.setattr(
            "locale.getpreferredencoding", lambda do_setlocale=True, encoding=encoding: encoding
        )
        assert csv_beginning(False) == mark
        assert csv_beginning(True) == "\ufeff"


@table
def test_encodings_that_have_every_character(encoding, has):
    assert is_unicode(encoding) == has


def test_what_cannot_be_read_is_not_stood_in_for():
    with pytest.raises(UnicodeDecodeError):
        streams._plain(UnicodeDecodeError("ascii", b"\xff", 0, 1, "no"))
