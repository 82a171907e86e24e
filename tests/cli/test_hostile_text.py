"""Text made to do harm: names, labels, file names and arguments that move a cursor, turn lines or run in a spreadsheet."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from click.testing import CliRunner

from mjscore.cli.main import COMMANDS, cli
from mjscore.refusal import for_spreadsheet

ROOT = Path(__file__).parents[2]
HAND = "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"
BAD = "a\x1b[2Jb‮c\x9bd\x07"  # clears the screen, turns the line round, rings
posix = pytest.mark.skipif(
    os.name != "posix", reason="names with any character, and devices, of a POSIX system"
)

TYPED = [
    ("score", BAD), ("score", HAND, "-r", BAD), ("score", HAND, "-r", f"{BAD}.toml"), ("score", HAND, "-s", f"{BAD}=1"),
    ("score", HAND, "-s", f"limit={BAD}"), ("score", HAND, "-s", BAD), ("score", HAND, "--svg", f"{BAD}/x.svg"),
    ("score", HAND, "--svg", f"{BAD}.svg"), ("score", HAND, "--seat", BAD), ("score", HAND, "--tiles", BAD),
    ("score", HAND, "-r", "bad.toml"), ("score", HAND, f"--{BAD}"),
    ("settle", f"{BAD}=3"), ("settle", f"E={BAD}"), ("settle", f"{BAD}.mj"), ("settle", "E=1", "S=2", "--winner", BAD),
    ("settle", "E=1", "S=2", "W=3", "N=4", "--winner", "E", "--counters", BAD),
    ("settle", "E=1", "S=2", "W=3", "N=4", "--winner", "E", "--counters", f"{BAD}.toml"),
    ("settle", "E=1", "S=2", "W=3", "N=4", "--winner", "E", "--counters", "bad.toml"),
    ("settle", "E=1", "S=2", "W=3", "N=4", "--winner", "E", "--counters", "harr", "--holds", BAD),
    ("settle", "{file}"), ("settle", "{folder}"),
    ("check", f"{BAD}.mj"), ("check", "{file}"), ("check", "{folder}"), ("check", "{file}", "--update", "{file}"),
    ("check", "{file}", "--update", f"{BAD}/new.mj"), ("check", "{file}", "--update", f"{BAD}new.mj"),
    ("check", "{file}", "-r", BAD), ("check", "{file}", "--jobs", BAD), ("check", "{file}", "--format", BAD),
    ("check", "{file}", "--cluster", BAD), ("check", "{broken}"),
    ("waits", BAD), ("waits", HAND, "-r", BAD),
    ("rules", "show", BAD), ("rules", "show", f"{BAD}.toml"), ("rules", "diff", "harr", BAD), ("rules", BAD),
    ("rules", "show", "bad.toml"), ("rules", "show", "harr", "-s", f"{BAD}=1"),
    ("report", f"{BAD}.mj"), ("report", "{file}"), ("report", "{folder}"), ("report", "{evening}"),
    ("report", "{evening}", "--title", BAD), ("report", "{evening}", "--html", f"{BAD}/x.html"),
    ("report", "{evening}", "--csv", f"{BAD}.csv"), ("report", "{evening}", "{evening}"), ("report", "{broken}"),
    ("play", f"{BAD}.mj"), ("play", "{folder}"), ("play", f"{BAD}/x.mj"), ("play", "{evening}"), ("play", "{linked}"),
    ("play", "new.mj", "--players", f"Ann Ben Cid {BAD}"), ("play", "new.mj", "--players", BAD), ("play", "{broken}"),
    ("play", "new.mj", "--players", "Ann Ben Cid Dee", "--counters", BAD), ("play", "new.mj", "-r", BAD),
    ("help", BAD), ("explain", BAD), (BAD,), (f"--{BAD}",),
]  # fmt: skip


@posix
@pytest.mark.parametrize("typed", TYPED, ids=lambda typed: repr(" ".join(typed).replace(BAD, "BAD")))
def test_whatever_was_typed_is_shown_spelt_out(tmp_path, monkeypatch, typed):
    monkeypatch.chdir(tmp_path)
    names = {name: f"{name}{BAD}.mj" for name in ("file", "folder", "evening", "linked", "broken")}
    evening = f'players Ann Ben Cid "{BAD}"\nhand "{BAD}"\n  Ann: 20\n  Ben: 64 win\n  Cid: 2\n  "{BAD}": 4\n  note {BAD}\n'
    Path(names["file"]).write_text(f'{evening}"{BAD}" {HAND} = 3\nhand\n  {BAD}: 20\n{BAD}\n')
    Path(names["evening"]).write_text(evening)
    Path(names["linked"]).write_text(evening)
    os.link(names["linked"], "other.mj")
    Path(names["broken"]).write_bytes(b"\x1f\x8b\x08 broken")
    Path(names["folder"]).mkdir()
    Path("bad.toml").write_text(
        f'id = "x"\ntitle = "x"\nsource = "s"\nextends = "{BAD.encode("unicode_escape").decode()}"\n'.replace(
            "\\x", "\\u00"
        )
    )
    arguments = [part.format(**names) for part in typed]
    for more in ((), ("--format", "json")):
        result = CliRunner().invoke(
            cli,
            [*arguments, *more],
            input=f"{BAD}\nAnn: {BAD}\nshow {BAD}\nnote {BAD}\nquit\n",
            env={"COLUMNS": "80"},
        )
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        assert result.exit_code in (0, 1, 2)
        for shown in (result.stdout, result.stderr):
            # JSON is for programs, which get what stands there
            said = "\n".join(line for line in shown.split("\n") if line[:1] != "{")
            harmful = {sign for sign in said if unicodedata.category(sign) in ("Cc", "Cf") and sign != "\n"}
            assert not harmful, shown


def test_every_command_is_among_them():
    assert {typed[0] for typed in TYPED} >= set(COMMANDS)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"), ("=HYPERLINK(1)", "'=HYPERLINK(1)"), ("+A1", "'+A1"), ("-A1", "'-A1"), ("@SUM(1)", "'@SUM(1)"),
        (" =A1", "' =A1"), ("\t=A1", "' =A1"), ("-12", "-12"), ("+12", "+12"), ("12", "12"), ("Ann", "Ann"), ("", ""),
        ("-1+A1", "'-1+A1"), ("E +24, S -8", "E +24, S -8"), ("-", "'-"), ("\x1b=1", "\\x1b=1"),
    ],
)  # fmt: skip
def test_a_field_that_a_spreadsheet_would_run_is_made_text(text, shown):
    assert for_spreadsheet(text) == shown


def test_csv_of_files_and_reports_runs_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["=cmd|1", "+Ann", "-Ben", "@Dee"]
    rows = "".join(f'  "{name}": {score}\n' for name, score in zip(names, (20, "64 win", 2, 4), strict=True))
    players = " ".join(f'"{name}"' for name in names)
    for file in ("=a.mj", "=b.mj"):
        Path(file).write_text(f'players {players}\nhand "=HYPERLINK(1)"\n{rows}')
    fields = []
    for call in (["check", "=a.mj", "--format", "csv"], ["report", "=a.mj", "--csv", "-"],
                 ["report", "=a.mj", "=b.mj", "--csv", "-"]):  # fmt: skip
        result = CliRunner().invoke(cli, call)
        assert result.exit_code == 0, result.output
        fields += [field for row in csv.reader(io.StringIO(result.stdout)) for field in row]
    assert "'=HYPERLINK(1)" in fields
    assert "'-Ben" in fields
    assert any(field.startswith("-") and field[1:].isdigit() for field in fields)
    assert not [field for field in fields if field[:1] in ("=", "+", "-", "@") and not field[1:].isdigit()]


CALLS = [
    ("score", HAND), ("settle", "samples/evening.mj"), ("check", "samples/evening.mj"), ("waits", "1112345678999c"),
    ("check", "samples/harr.mj", "--format", "json"), ("rules",), ("report", "samples/evening.mj"), ("help",),
    ("explain",), ("--help",), ("--version",), ("play", "{new}", "--players", "Ann Ben Cid Dee"),
]  # fmt: skip


@posix
@pytest.mark.parametrize("arguments", CALLS, ids=lambda arguments: arguments[0])
@pytest.mark.parametrize("redirected", [">&-", ">/dev/full", ">&- 2>&-", "2>&-", "2>/dev/full", "<&-"])
def test_streams_that_are_closed_or_full(tmp_path, arguments, redirected):
    if "full" in redirected and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    call = [part.format(new=tmp_path / "new.mj") for part in arguments]
    done = subprocess.run(
        ["sh", "-c", f'"$@" {redirected}', "sh", sys.executable, "-m", "mjscore", *call],
        capture_output=True, stdin=subprocess.DEVNULL, text=True, cwd=ROOT, check=False, timeout=60,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    lost = 0 if arguments[0] == "play" else 2  # all that was typed is in the file
    assert done.returncode == (lost if redirected.startswith(">") else 0)
    assert "Traceback" not in done.stderr
    assert "fault" not in done.stderr
    if redirected in (">&-", ">/dev/full") and arguments[0] != "play":
        assert done.stderr.startswith("the output cannot be written: ")
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "cp1252", "utf-16", "utf-8", "shift_jis"])
def test_an_odd_encoding_is_no_reason_to_fail(encoding):
    for arguments in (
        ("score", HAND, "--tiles", "unicode"),
        ("report", "samples/evening.mj"),
        ("rules", "show", "harr"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "mjscore", *arguments], capture_output=True, cwd=ROOT, check=False,
            env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stdout.decode(
            "utf-8" if encoding == "ascii" else encoding
        )  # click takes ASCII for a mistake
