"""Hands in letters: the sets that were scored, the winning tile beside the set that it completes."""

from __future__ import annotations

import random

import pytest
from programs import run_command
from strategies import random_loser, random_winner
from tables import each, table

import mjscore
from mjscore.page.tile_styles import parts_of, render_tiles

NAMES = {"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}


@table
def test_the_sets_that_were_scored(typed, shown):
    sheet = mjscore.score(typed, "babcock", options={"seasons": "on"})
    assert sheet.error is None, sheet.error
    assert render_tiles(sheet, "plain") == shown


@each("seed", range(60))
def test_what_is_shown_reads_as_the_hand_that_was_typed(seed):
    hand = (random_winner if seed % 3 else random_loser)(random.Random(seed))
    for book in ("harr", "babcock"):
        sheet = mjscore.score(hand, book)
        for shown in (hand, sheet):
            text = " ".join(part.text for part in parts_of(shown))
            assert mjscore.parse(text) == hand._replace(seat=None, round=None), text


@table
def test_special_hands(text, options, shown):
    sheet = mjscore.score(text, "babcock", options=options)
    assert sheet.error is None, sheet.error
    assert render_tiles(sheet, "plain") == shown


def test_players_by_name():
    sheet = mjscore.score("W: (123b) (444c) 77d (EEE) 67c <8c:S", "babcock")
    assert render_tiles(sheet, "plain", names=NAMES).endswith("67c <8c:Ben")
    sheet = mjscore.score("E: (123b) (444c) 77d (EEE) 67c <8c:W", "babcock")
    assert render_tiles(sheet, "plain", names=NAMES).endswith('67c <8c:"Old Cid"')


def test_the_winning_tile_is_marked():
    sheet = mjscore.score("W: (123b) [1111c] 77d (EEE) 67c <8c:E", "babcock")
    assert render_tiles(sheet, "boxed", 70) == (
        "┌──┬──┬──┐ ┌──┬──┬──┬──┐ ┌──┬──┬──┐ ┌──┬──┐ ┌──┬──┐ ╔══╗\n"
        "│1b│2b│3b│ │▒▒│1c│1c│1c│ │Ew│Ew│Ew│ │7d│7d│ │6c│7c│ ║8c║\n"
        "└──┴──┴──┘ └──┴──┴──┴──┘ └──┴──┴──┘ └──┴──┘ └──┴──┘ ╚══╝\n"
        "(123b) [1111c] (EEEw) 77d 67c <8c:E"
    )
    assert render_tiles(sheet, "unicode", 60) == (
        "🀐 🀑 🀒   🀫 🀇 🀇 🀇   🀀 🀀 🀀   🀟 🀟   🀌 🀍   <🀎\n(123b) [1111c] (EEEw) 77d 67c <8c:E"
    )


@pytest.mark.parametrize("style", ["plain", "unicode", "boxed"])
@pytest.mark.parametrize("width", [28, 40, 60, 100])
def test_no_line_is_wider_than_asked_for(style, width):
    for seed in range(10):
        hand = random_winner(random.Random(seed))
        assert max(map(len, render_tiles(hand, style, width).splitlines())) <= width


def test_waits_shows_tiles_too():
    plain, drawn, boxed = (
        run_command("waits", "(EEE) 1112345678c", "--tiles", style).output
        for style in ("plain", "unicode", "boxed")
    )
    assert plain.splitlines()[0].split() == ["tile", "drawn", "claimed"]
    assert drawn.splitlines()[0] == "  🀀 🀀 🀀   🀇 🀇 🀇 🀈 🀉 🀊 🀋 🀌 🀍 🀎"
    assert "🀈  2c   2 characters" in drawn
    assert boxed.splitlines()[1] == "  │Ew│Ew│Ew│ │1c│1c│1c│2c│3c│4c│5c│6c│7c│8c│"
    assert boxed.endswith(plain)
