"""What people read in a narrow terminal: every table and message wraps by words."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from mjscore.cli.main import cli
from mjscore.refusal import Refusal, text_width

ROOT = Path(__file__).parents[2]
HAND = "(123c) (789c) 678c 45c 11c <3c"
AT_60 = [
    ("rules", "diff", "harr", "babcock"),
    ("rules", "diff", "babcock", "babcock-chinese", "--all"),
    ("rules", "list"),
    ("rules", "facts"),
    ("settle", "samples/evening.mj", "--counters", "babcock"),
    ("settle", "samples/table.mj", "--counters", "harr"),
    ("report", "samples/evening.mj"),
    ("explain",),
    ("explain", "fifth-tile"),
    ("help", "notation"),
    ("score", HAND, "--why", "--tiles", "boxed"),
    ("score", HAND, "-r", "harr", "-r", "babcock", "-r", "babcock-chinese"),
    ("waits", "(123c) (789c) 678c 45c 11c", "--tiles", "unicode"),
    ("score", "(RRR) 22b 345c 99c 678d +9d"),
    ("rules", "show", "nothing"),
    ("settle", "E=480", "S=64", "W=272", "--winner", "E"),
]
AT_40 = [("rules", "show", name) for name in ("harr", "babcock", "babcock-chinese")] + [
    ("rules", "diff", "harr", "babcock"),
    ("rules", "list"),
    ("score", HAND, "--tiles", "boxed"),
    ("settle", "samples/evening.mj", "--counters", "babcock"),
    ("waits", "1112345678999c", "--tiles", "boxed"),
    ("score", "(RRR) 22b 345c 99c 678d +9d"),
]


@pytest.mark.parametrize(
    ("columns", "arguments"), [*((60, one) for one in AT_60), *((40, one) for one in AT_40)]
)
def test_it_fits(columns, arguments, monkeypatch):
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(cli, arguments, env={"COLUMNS": str(columns)})
    assert result.output.strip()
    assert [line for line in result.output.splitlines() if text_width(line) > columns] == []


def test_a_refusal_wraps_by_words_and_keeps_its_mark():
    text = "S: " + "(123b) " * 12 + "22b 345c 99c 678d +9d"
    refusal = Refusal(
        "no-such", "a message that is longer than forty columns", "what to type " * 5, 3, 106, 3, text
    )
    assert refusal.render(40).splitlines() == [
        "3:106: a message that is longer than",
        "  forty columns [no-such]",
        "  3 | …3b) (123b) 22b 345c 99c 678d +9d",
        "    |                               ^^^",
        "  help: what to type what to type what",
        "        to type what to type what to",
        "        type",
    ]
    assert refusal.render().splitlines()[0] == "3:106: a message that is longer than forty columns [no-such]"


def test_a_message_that_goes_to_no_terminal_stays_whole(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    result = CliRunner().invoke(cli, ["rules", "show", "nothing"])
    assert len(result.stderr.splitlines()) == 2


def test_update_says_what_it_left_undone(tmp_path):
    old, new = tmp_path / "old.mj", tmp_path / "new.mj"
    old.write_text("S: (123b) (456c) 22d 789b 11c <2d\nnonsense\nS: (RRR) 1b = 9\nS: 1b = error\n")
    result = CliRunner().invoke(cli, ["check", str(old), "--update", str(new)])
    assert result.exit_code == 1
    assert result.stdout == f"1 score added in {new}\n"
    assert f"{old}:2:1: " in result.stderr
    assert result.stderr.endswith("2 lines are refused and left as before\n")
    assert new.read_text() == old.read_text().replace("<2d\n", "<2d = 22\n")
