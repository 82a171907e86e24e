"""A refused line is offered with the one word that is a letter away from a known one, where it is read then."""

from __future__ import annotations

import pytest
from refusals import refusal_of
from tables import table

from mjscore.play.reading import read_action
from mjscore.play.session import open_session

SESSION = open_session('rulebook harr\nplayers Ann Ben "Old Cid" Dee\n')


@table
def test_a_word_that_is_a_letter_away_is_offered(line, offered):
    assert refusal_of(read_action, line, SESSION).lines == offered


@table
def test_what_is_not_all_understood_is_offered(line, offered):
    assert refusal_of(read_action, line, SESSION).lines == offered


@table
def test_each_kind_of_line_is_offered_or_asked_about(line, said, offered):
    refusal = refusal_of(read_action, line, SESSION)
    assert said in refusal.message
    assert list(refusal.lines) == offered


@pytest.mark.parametrize(
    "line", ["West 88 mah jong, East 20 lol", "c 40 mj, west 6 hehe", "whoo west wins 40 off east"]
)
def test_a_wind_at_which_nobody_sits_is_told(line):
    three = open_session("rulebook babcock\nset players 3\nplayers Ann Ben Cid\n")
    refusal = refusal_of(read_action, line, three)
    assert (refusal.code, refusal.lines) == ("unknown-player", ())
    assert "est'" in refusal.message


@pytest.mark.parametrize(
    "line", [". cid hands ann 100 in counters", ", ben 36 win off ann, everyone else 0 incl her"]
)
def test_a_line_may_begin_with_a_point(line):
    assert refusal_of(read_action, line, SESSION).code
