"""What people read in a narrow terminal: every table and message wraps by words."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import run_command
from tables import table

from mjscore.refusal import Refusal, text_width

ROOT = Path(__file__).parents[2]


@table
def test_it_fits(columns, arguments, monkeypatch):
    monkeypatch.chdir(ROOT)
    result = run_command(*arguments, COLUMNS=str(columns))
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
    result = run_command("rules", "show", "nothing")
    assert len(result.stderr.splitlines()) == 2


MIXED = """S: (123b) (456c) 22d 789b 11c <2d
nonsense and more of it
S: (RRR) 1b = 9
S: 1b = error
"a label" (123b) (456c) 22d 789b 11c <2d = 24   # a remark
hand
  E: 22 win
  S: 3
  W: dead
  N: 4
  pays E +3
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_check_finds_wraps_on_a_terminal(jobs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mixed.mj").write_text(MIXED)
    arguments = ["check", "mixed.mj", "--jobs", jobs]
    narrow = run_command(*arguments, COLUMNS="50").stdout.splitlines()
    assert max(map(text_width, narrow)) <= 50
    whole = run_command(*arguments, COLUMNS=None).stdout.splitlines()
    assert " ".join(" ".join(narrow).split()) == " ".join(" ".join(whole).split())
    assert len(whole) < len(narrow)
