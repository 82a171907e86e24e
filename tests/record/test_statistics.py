"""The statistics of an evening: what is left out of them, and what is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mjscore.cli.main import cli
from mjscore.record.context import Context
from mjscore.record.statistics import LeftOut, read_evening

HAND = "hand\n  Ann: 22 win\n  Ben: 3\n  Cid: dead\n  Dee: 4\n"
OPEN = f"rulebook babcock\nplayers Ann Ben Cid Dee\n{HAND}note before it\nhand\n  note within\n  Ben: 3\n"


@pytest.fixture
def path(tmp_path) -> Path:
    file = tmp_path / "evening.mj"
    file.write_text(OPEN)
    return file


def test_an_open_hand_is_in_no_figure(path):
    evening = read_evening(str(path), Context())
    assert evening.open_hand == LeftOut("2", 9, None, missing=("Ann", "Cid", "Dee"))
    assert [hand.mark for hand in evening.played] == ["1"]
    assert not evening.left_out
    assert not evening.refusals
    assert evening.closing_notes == ("before it", "within")
    path.write_text(OPEN.replace("note within\n  Ben: 3\n", "Ben: x\n") + "note last\n")
    assert read_evening(str(path), Context()).closing_notes == ("before it", "last")


@pytest.mark.parametrize("command", ["settle", "report"])
@pytest.mark.parametrize("output", ["text", "json"])
def test_settle_and_report_leave_it_out_and_say_so(path, command, output):
    result = CliRunner().invoke(cli, [command, str(path), "--format", output])
    assert result.exit_code == 0
    assert (
        result.stderr == f"{path}:9: the hand is open: nothing is said yet of Ann, Cid, Dee; it is left out\n"
    )
    if command == "settle":
        path.write_text(OPEN.partition("note before")[0])
        assert result.stdout == CliRunner().invoke(cli, [command, str(path), "--format", output]).stdout
    if command == "report" and output == "json":
        members = json.loads(result.stdout)
        assert len(members["hands"]) == 1
        assert members["open"] == {
            "number": 2,
            "mark": "2",
            "line": 9,
            "label": None,
            "missing": ["Ann", "Cid", "Dee"],
        }


def test_an_evening_of_nothing_but_an_open_hand(path):
    path.write_text("players Ann Ben Cid Dee\nhand\n")
    result = CliRunner().invoke(cli, ["report", str(path)])
    assert result.exit_code == 2
    assert "still open [nothing-left]" in result.stderr
