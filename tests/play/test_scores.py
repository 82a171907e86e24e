"""Bare scores that a rulebook cannot give."""

from __future__ import annotations

import pytest

from mjscore.play.scores import impossible_score, step_of
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS


@pytest.mark.parametrize("name", RULEBOOKS)
def test_the_books_give_even_scores_alone(name):
    book = bind(name)
    assert step_of(book) == 2
    assert "all of theirs are even" in impossible_score("Ann: 7", book)
    assert impossible_score("Ann: 8", book) == ""


@pytest.mark.parametrize(
    "row", ["Ann: dead", "Ann: 123b ...", "note x", "Ann", "hello", "draw", "", 'Ann: "']
)
def test_what_is_no_bare_score_is_not_doubted(row):
    assert impossible_score(row, bind("harr")) == ""


def test_a_limit_that_is_odd_makes_odd_scores_possible():
    assert step_of(bind("harr-limit", {"limit": 301})) == 1
    assert impossible_score("Ann: 7", bind("harr-limit", {"limit": 301})) == ""
