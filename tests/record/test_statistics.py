"""The statistics of an evening: what is left out of them, and what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

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
