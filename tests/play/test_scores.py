"""What bare scores a rulebook can give."""

from __future__ import annotations

import pytest

from mjscore.notation.hands import parse
from mjscore.play.changes import impossible_score, step_of
from mjscore.record.lines import EventLine, SeatRow
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_books_give_even_scores(rulebook):
    book = bind(rulebook)
    assert step_of(book) == 2
    assert (
        impossible_score(SeatRow("S", 31), book)
        == "31 is no score that these rules give: all of theirs are even"
    )
    for row in (SeatRow("S", 30), SeatRow("S", 0), SeatRow("S", None), SeatRow("S", parse("123b ..."))):
        assert impossible_score(row, book) == ""


def test_what_is_no_bare_score_is_not_doubted():
    assert impossible_score(EventLine("pay", ("S", "E"), number=31), bind("harr")) == ""


def test_a_limit_that_is_odd_can_be_a_score():
    assert step_of(bind("harr", {"limit": "301"})) == 1
    assert impossible_score(SeatRow("S", 31), bind("harr", {"limit": "301"})) == ""


def test_of_a_house_that_gives_multiples_of_ten(tmp_path):
    house = tmp_path / "house.toml"
    house.write_text(
        'id = "house"\ntitle = "House"\nbook = "House"\n\n[[bonus]]\nid = "win"\ntitle = "Win"\npoints = 20\n'
        'when = "won"\nsource = "ours"\n\n[[bonus]]\nid = "drawn"\ntitle = "Drawn"\npoints = 10\nwhen = "drawn"\n'
        'source = "ours"\n',
        encoding="utf-8",
    )
    book = bind(str(house))
    assert step_of(book) == 10
    expected = "32 is no score that these rules give: all of theirs are multiples of 10"
    assert impossible_score(SeatRow("E", 32, True), book) == expected
    assert impossible_score(SeatRow("E", 30, True), book) == ""


def test_of_a_house_that_gives_nothing_any_score_is_taken(tmp_path):
    house = tmp_path / "house.toml"
    house.write_text('id = "house"\ntitle = "House"\nbook = "House"\n', encoding="utf-8")
    assert step_of(bind(str(house))) == 1
    assert impossible_score(SeatRow("S", 31), bind(str(house))) == ""
