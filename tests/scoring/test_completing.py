"""A hand completed by a tile, and what of it remains."""

from __future__ import annotations

import pytest

from mjscore.game.tiles import TILES
from mjscore.notation.hands import parse
from mjscore.rulebook.binding import bind
from mjscore.scoring.completing import completed_by

WAITING = "E: (RRR) 123b 456b 789b 5c"
FIVE = next(tile for tile in TILES if str(tile) == "5c")


@pytest.mark.parametrize("drawn", [True, False])
@pytest.mark.parametrize("mark", ["", "!dead", "!nochoice", "..."])
def test_a_hand_that_wins_is_neither_dead_nor_in_part_nor_without_a_choice(mark, drawn):
    won = completed_by(parse(f"{WAITING} {mark}"), FIVE, drawn, bind("harr"))
    assert won == parse(f"{WAITING} {'+' if drawn else '<'}5c")


def test_of_its_flags_it_keeps_those_of_a_winner():
    """That it was declared to be waiting holds of the win too."""
    hand = parse(f"{WAITING} !call")
    assert completed_by(hand, FIVE, True, bind("dmjl")).win.flags == {"call"}
