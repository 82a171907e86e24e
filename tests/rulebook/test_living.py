"""The rulebooks that people play by today, against the results that Kajongg publishes for its classes of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import run_command
from tables import table

import mjscore
from mjscore.record.checker import check_file
from mjscore.record.context import Context

HERE = Path(__file__).parent


@pytest.mark.parametrize(("book", "hands", "agreeing"), [("bmja", 197, 148), ("dmjl", 173, 173)])
def test_hands_of_kajongg(book, hands, agreeing):
    """Those that agree with the rulebook, those that do not, and these again by Kajongg's own rules."""
    found = list(check_file(str(HERE / f"kajongg-{book}.mj"), Context()))
    assert [one.line for one in found if not one.ok] == []
    assert len(found) == hands
    head = (
        (HERE / f"kajongg-{book}.mj")
        .read_text(encoding="utf-8")
        .partition("# The association's page differs")[0]
    )
    assert head.count('\n"') == agreeing


@table
def test_waits_of_kajongg(hand, british, german):
    # Kajongg's Knitting keeps to the same two suits
    options = {"one-pair-of-suits": True}
    assert " ".join(str(wait.tile) for wait in mjscore.waits(hand, "bmja", options=options).waits) == british
    assert " ".join(str(wait.tile) for wait in mjscore.waits(hand, "dmjl").waits) == german


@table
def test_why_a_hand_was_not_fishing(hand, why):
    shown = run_command("score", hand, "-r", "bmja", "--why", COLUMNS="200").output
    assert why in " ".join(shown.split())
