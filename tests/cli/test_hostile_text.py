"""Text made to do harm: names, labels, file names and arguments that move a cursor, turn lines or run in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import unicodedata
from pathlib import Path

import pytest
from amounts import in_turn
from click.testing import CliRunner
from programs import each_forked, run_all, run_command
from tables import table

from mjscore.batch.results import for_spreadsheet
from mjscore.cli.main import COMMANDS, cli
from mjscore.page.json_text import for_json

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HAND = "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"
# clears the screen, turns the line round, rings, goes to the line's beginning, parts lines, hides
BAD = "a\x1b[2Jb\u202ec\x9bd\x07\r\x7f\x85\u2066\u2028\u200b"
FORGED = "error: all is well"  # looks like a line of ours where the line before it can be ended


LINES = (
    "", "Ann:", "show", "note", "label", "edit", "drop", "wash", "false", "long", "pay", "pay Ann", "pay Ann Ben 20 ", "pool",
    "counters", "help", "undo", "standings", "20 64w 2", '"', "S: 123b", "12b <1b:", "hand", "edit 1\nnote", "drop\nset", "rulebook",
)  # fmt: skip


def harmful(shown: str) -> set[str]:
    """The characters of an output that a terminal would obey and not show."""
    return {sign for sign in shown if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") and sign != "\n"}


@table
def test_whatever_was_typed_is_shown_spelt_out(tmp_path, monkeypatch, typed):
    monkeypatch.chdir(tmp_path)
    bad = f"{BAD}\n{FORGED}"
    names = {name: f"{name}{bad}.mj" for name in ("file", "folder", "evening", "linked", "broken", "good")}
    evening = f'players Ann Ben Cid "{BAD}"\nhand "{BAD}"\n  Ann: 20\n  Ben: 64 win\n  Cid: 2\n  "{BAD}": 4\n  note {BAD}\n'
    Path(names["file"]).write_text(f'{evening}"{BAD}" {HAND} = 3\nhand\n  {BAD}: 20\n{BAD}\n')
    Path(names["evening"]).write_text(evening)
    Path(names["linked"]).write_text(evening)
    os.link(names["linked"], "other.mj")
    Path(names["broken"]).write_bytes(b"\x1f\x8b\x08 broken")
    Path(names["folder"]).mkdir()
    spelt = json.dumps(bad)
    Path("bad.toml").write_text(f'id = "x"\ntitle = "x"\nsource = "s"\nextends = {spelt}\n')
    for name in ("house", "counters"):
        text = HERE.joinpath(f"hostile_{name}.toml").read_text(encoding="utf-8")
        Path(f"{name}.toml").write_text(text.replace("BAD", spelt), encoding="utf-8")
    Path(names["good"]).write_text(f'rulebook house.toml\ncounters counters.toml\ntitle "{BAD}"\n{evening}')
    arguments = [part.replace("BAD", bad).format(**names) for part in typed]
    for more in ((), ("--format", "json")):
        result = run_command(
            *arguments, *more, input="".join(f"{line} {BAD}\n" for line in LINES) + "quit\n", COLUMNS="80"
        )
        assert result.exit_code in (0, 1, 2)
        for shown in (result.stdout, result.stderr):
            assert not harmful(shown), shown
            assert f"\n{FORGED}" not in shown
            for line in shown.split("\n") if more else ():
                if line[:1] == "{":
                    json.loads(line)


def test_every_command_is_among_them():
    rows = test_whatever_was_typed_is_shown_spelt_out.pytestmark[0].args[1]
    assert {typed[0] for (typed,) in rows} >= set(COMMANDS)


@table
def test_a_field_that_a_spreadsheet_would_run_is_made_text(text, shown):
    assert for_spreadsheet(text) == shown


def test_csv_of_files_and_reports_runs_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["=cmd|1", "+Ann", "-Ben", "@Dee"]
    rows = "".join(f'  "{name}": {score}\n' for name, score in zip(names, (20, "64 win", 2, 4), strict=True))
    players = " ".join(f'"{name}"' for name in names)
    for file in ("=a.mj", "=b.mj"):
        Path(file).write_text(f'title "=T(1)"\nplayers {players}\nhand "=HYPERLINK(1)"\n{rows}  note =N(1)\n')
    fields = []
    for call in (["check", "=a.mj", "--format", "csv"], ["check", "=a.mj", "=b.mj", "--format", "csv", "--jobs", "2"], ["report", "=a.mj", "--csv", "-"],
                 ["report", "=a.mj", "=b.mj", "--csv", "-"]):  # fmt: skip
        result = run_command(*call)
        assert result.exit_code == 0, result.output
        fields += [field for row in csv.reader(io.StringIO(result.stdout)) for field in row]
    assert "'=HYPERLINK(1)" in fields
    assert "'-Ben" in fields
    assert any(field.startswith("-") and field[1:].isdigit() for field in fields)
    assert not [field for field in fields if field[:1] in ("=", "+", "-", "@") and not field[1:].isdigit()]


CALLS = [
    ("score", HAND), ("settle", "samples/evening.mj"), ("check", "samples/evening.mj"), ("waits", "1112345678999c"),
    ("check", "samples/harr.mj", "--format", "json"), ("rules",), ("report", "samples/evening.mj"), ("help",),
    ("explain",), ("settings",), ("drill", "--hands", "samples/table.mj"), ("phone", "--help"), ("--help",), ("--version",), ("play", "{new}", "--players", "Ann Ben Cid Dee"),
]  # fmt: skip


def test_every_command_has_its_streams_closed():
    assert {call[0] for call in CALLS} >= set(COMMANDS)


REDIRECTED = [">&-", ">/dev/full", ">&- 2>&-", "2>&-", "2>/dev/full", "<&-"]


@pytest.mark.parametrize("redirected", REDIRECTED)
def test_streams_that_are_closed_or_full(tmp_path, redirected):
    """Each command in two of the six ways, in all of them where all is tried."""
    if "full" in redirected and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    some = in_turn(CALLS, REDIRECTED.index(redirected), 3)
    calls = [[part.format(new=tmp_path / "new.mj") for part in arguments] for arguments in some]
    for call, done in zip(calls, each_forked(calls, redirected, tmp_path), strict=True):
        lost = 0 if call[0] == "play" else 2  # all that was typed is in the file
        assert done.status == (lost if redirected.startswith(">") else 0), call
        assert "Traceback" not in done.errors
        assert "fault" not in done.errors
        if redirected in (">&-", ">/dev/full") and call[0] != "play":
            assert done.errors.startswith("the output cannot be written: ")
            assert done.errors.count("\n") == 1


@pytest.mark.parametrize(
    "encodings",
    [["ascii"], ["latin-1", "cp437", "cp1252", "utf-16", "utf-8", "shift_jis"]],
    ids=["ascii", "others"],
)
def test_an_odd_encoding_is_no_reason_to_fail(encodings):
    calls = [
        ("score", HAND, "--tiles", "unicode"),
        ("report", "samples/evening.mj"),
        ("rules", "show", "harr"),
    ]
    every = [call for encoding in encodings for call in (("in", encoding), *calls)]
    done = run_all(every, {"PYTHONIOENCODING": encodings[0], "PYTHONUTF8": "0"})
    _, *told = done.stdout.split(b"<<>>")
    for encoding, said in zip(encodings, told, strict=True):
        # click takes ASCII for a mistake, for as long as a process runs
        shown = said.decode("utf-8" if encoding == "ascii" else encoding)
        assert re.findall(r"^exit (\d+) of", shown, re.MULTILINE) == ["0"] * 3, encoding
        assert "Standings" in shown


def test_json_says_what_was_typed_and_shows_nothing_of_it(tmp_path, monkeypatch):
    """Escaped, so that a terminal obeys nothing; what programs read is what stood there."""
    monkeypatch.chdir(tmp_path)
    odd = BAD.replace("\r", "") + "\u00a0é🀙"
    Path("odd.mj").write_text(
        f'"{odd}" {HAND}\nhand "{odd}"\n  E: 20 win\n  S: 3\n  W: 3\n  N: 4\n', encoding="utf-8"
    )
    Path("evening.mj").write_text(
        f'players Ann Ben Cid "{odd}"\nhand\n  E: 20 win\n  S: 3\n  W: 3\n  N: 4\n', encoding="utf-8"
    )
    for encoding in ("utf-8", "ascii"):
        for call in (
            ("check", "odd.mj"),
            ("settle", "odd.mj"),
            ("report", "evening.mj"),
            ("check", "evening.mj"),
        ):
            result = CliRunner(charset=encoding).invoke(cli, [*call, "--format", "json"])
            assert result.exit_code == 0, result.output
            assert not harmful(result.stdout)
            assert any(
                odd in str(json.loads(line)) or repr(odd)[1:-1] in str(json.loads(line))
                for line in result.stdout.splitlines()
            )


@table
def test_a_line_of_json_keeps_its_value(sign):
    for ascii_only in (False, True):
        line = json.dumps({sign: [sign, f"a{sign}\\"]}, ensure_ascii=ascii_only)
        assert json.loads(for_json(line)) == {sign: [sign, f"a{sign}\\"]}
        assert for_json(line).isprintable()
        assert not harmful(for_json(line))
