"""Players' names in place of winds; all else in a line stays."""

from __future__ import annotations

from tables import table

from mjscore.play.names import told_in_names, with_names
from mjscore.refusal import Refusal

SEATS = {"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}


@table
def test_names(line, named):
    assert with_names(line, SEATS) == named
    assert with_names(named, SEATS) == named


def test_a_wind_at_which_nobody_sits_is_none():
    three = {"E": "Ann", "S": "Ben", "N": "Cid"}
    assert with_names("W: 8 win from N", three) == "W: 8 win from Cid"


@table
def test_a_refusal_speaks_of_players(message, hint, told, told_hint):
    refusal = told_in_names(Refusal("x", message, hint), SEATS)
    assert (refusal.message, refusal.hint) == (told, told_hint)


def test_where_a_player_is_called_east_winds_are_winds():
    refusal = Refusal("x", "South and North cannot both win", "type S: 0")
    assert told_in_names(refusal, {**SEATS, "N": "East"}) == refusal
