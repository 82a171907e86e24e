"""What a typed line asks for."""

from __future__ import annotations

import pytest
from tables import table

from mjscore.play.actions import ADDING, ASKING, Action, action_of

SEATS = {"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}


@table
def test_between_and_in_hands(line, kind, words):
    assert action_of(line, SEATS, editing=False) == Action(kind, words)


@table
def test_while_an_entry_is_edited_one_letter_is_an_answer(line, kind, words):
    assert action_of(line, SEATS, editing=True) == Action(kind, words)


@pytest.mark.parametrize("name", ["undo", "note", "Q"])
def test_a_player_may_have_the_name_of_a_command(name):
    seats = {**SEATS, "N": name}
    assert action_of(f"{name}: 8", seats, editing=False) == Action("rows", f"{name}: 8")


def test_what_adds_does_not_only_ask():
    assert not ADDING & ASKING
