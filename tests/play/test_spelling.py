"""A refused line is offered with the one word that is a letter away from a known one, where it is read then."""

from __future__ import annotations

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
