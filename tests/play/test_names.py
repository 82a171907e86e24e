"""Players' names in place of winds, in what is said."""

from __future__ import annotations

from tables import table

from mjscore.play.evening import told_in_names
from mjscore.refusal import Refusal

SEATS = {"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}


@table
def test_a_refusal_speaks_of_players(message, hint, told, told_hint):
    refusal = told_in_names(Refusal("x", message, hint), SEATS)
    assert (refusal.message, refusal.hint) == (told, told_hint)


def test_where_a_player_is_called_east_winds_are_winds():
    refusal = Refusal("x", "South and North cannot both win", "type S: 0")
    assert told_in_names(refusal, {**SEATS, "N": "East"}) == refusal
