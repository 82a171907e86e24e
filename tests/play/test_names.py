"""Players' names in place of winds; all else in a line stays."""

from __future__ import annotations

import pytest

from mjscore.play.names import told_in_names, with_names
from mjscore.refusal import Refusal

SEATS = {"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("E: 64", "Ann: 64"),
        ("  W : 64  # E and S", '  "Old Cid" : 64  # E and S'),
        ("S@E: (222d) ESWw <5d:W", 'Ben: (222d) ESWw <5d:"Old Cid"'),
        ("Ann: (EEE) SSw < 5d: S!earlier:W!allfrom:E", 'Ann: (EEE) SSw < 5d: Ben!earlier:"Old Cid"!allfrom:Ann'),
        ("E: 20 win from S doubles 2", "Ann: 20 win from Ben doubles 2"),
        ("E: 20 win drawn", "Ann: 20 win drawn"),
        ('"S": 8', '"S": 8'),
        ("Sue: 8", "Sue: 8"),
        ("pays N +1664 W −54 \"E\" 3", 'pays Dee +1664 "Old Cid" −54 "E" 3'),
        ("wash S: 19b ESNw", "wash Ben: 19b ESNw"),
        ("wash S 11", "wash Ben 11"),
        ("pay E S 100", "pay Ann Ben 100"),
        ('pay "Old Cid" S 100', 'pay "Old Cid" Ben 100'),
        ("note E: 64 <5d:S", "note E: 64 <5d:S"),
        ("penalty misnamed-discard S", "penalty misnamed-discard Ben"),
        ('penalty "E" W "S" N  # S', 'penalty "E" "Old Cid" "S" Dee  # S'),
        ("pay: 8", "pay: 8"),
        ("draw", "draw"),
    ],
)  # fmt: skip
def test_names(line, named):
    assert with_names(line, SEATS) == named
    assert with_names(named, SEATS) == named


def test_a_wind_at_which_nobody_sits_is_none():
    three = {"E": "Ann", "S": "Ben", "N": "Cid"}
    assert with_names("W: 8 win from N", three) == "W: 8 win from Cid"


@pytest.mark.parametrize(
    ("message", "hint", "told", "told_hint"),
    [
        ("South and North cannot both win", "one seat wins", "Ben and Dee cannot both win", "one seat wins"),
        ("this is the East round", "leave out @S", "this is the East round", "leave out @S"),
        ("an East wind is missing", "", "an East wind is missing", ""),
        (
            "nothing is said of West",
            "type W: 0 or N: 0",
            "nothing is said of Old Cid",
            'type "Old Cid": 0 or Dee: 0',
        ),
    ],
)
def test_a_refusal_speaks_of_players(message, hint, told, told_hint):
    refusal = told_in_names(Refusal("x", message, hint), SEATS)
    assert (refusal.message, refusal.hint) == (told, told_hint)


def test_where_a_player_is_called_east_winds_are_winds():
    refusal = Refusal("x", "South and North cannot both win", "type S: 0")
    assert told_in_names(refusal, {**SEATS, "N": "East"}) == refusal
