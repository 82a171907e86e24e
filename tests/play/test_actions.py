"""What a typed line asks for."""

from __future__ import annotations

import pytest

from mjscore.play.actions import ADDING, ASKING, Action, action_of

SEATS = {"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("undo", Action("undo")),
        (" UNDO ", Action("undo")),
        ("undo it", Action("rows", "undo it")),
        ("q", Action("quit")),
        ("bye", Action("quit")),
        ("?", Action("help")),
        ("help edit", Action("help", "edit")),
        ("edit 3a", Action("edit", "3a")),
        ("Show", Action("show")),
        ("pool", Action("pool-shown")),
        ("pool old cid", Action("pool", "old cid")),
        ("note  E: 8", Action("note", "E: 8")),
        ("LABEL Red", Action("label", "Red")),
        ("E: 8", Action("rows", "E: 8")),
        ("wash S: 19b", Action("event", "wash S: 19b")),
        ("pay E S 100", Action("event", "pay E S 100")),
        ("draw: 8", Action("rows", "draw: 8")),
        ("yes", Action("yes")),
        ("n", Action("rows", "n")),
        ("no 8", Action("rows", "no 8")),
    ],
)
def test_between_and_in_hands(line, action):
    assert action_of(line, SEATS, editing=False) == action


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("E: 8", Action("rows", "E: 8")),
        ("y", Action("yes")),
        ("K", Action("keep")),
        ("n", Action("no")),
        ("label Red", Action("label", "Red")),
        ("draw four", Action("event", "draw four")),
        ("drop", Action("drop")),
    ],
)
def test_while_an_entry_is_edited_one_letter_is_an_answer(line, action):
    assert action_of(line, SEATS, editing=True) == action


@pytest.mark.parametrize("name", ["undo", "note", "Q"])
def test_a_player_may_have_the_name_of_a_command(name):
    seats = {**SEATS, "N": name}
    assert action_of(f"{name}: 8", seats, editing=False) == Action("rows", f"{name}: 8")


def test_what_adds_does_not_only_ask():
    assert not ADDING & ASKING
