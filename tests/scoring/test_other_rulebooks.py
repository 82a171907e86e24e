"""What would let a hand win that does not: an option of its rulebook, or another rulebook."""

from __future__ import annotations

from tables import table

import mjscore
from mjscore.notation.hands import parse
from mjscore.rulebook.binding import bind
from mjscore.scoring.reasons import won_elsewhere

ORPHANS = "E: 19b19c19d ESWNw RGd Wd +Wd"
TWINS = "E: 1133b 55b 2299c 77c 8c +8c"


@table
def test_what_would_let_it_win(hand, rulebook, hint):
    error = mjscore.score(hand, rulebook).error
    assert (error.code, error.hint) == ("not-a-winning-hand", hint)


def test_a_rulebook_does_not_send_to_itself():
    """Knitting in three suits, where the table plays it in two."""
    hand = "E: 12b 12c 34c 34d 56b 56d 7c +7b"
    assert mjscore.score(hand, "bmja").score == 500
    error = mjscore.score(hand, "bmja", options={"one-pair-of-suits": True}).error
    assert error.hint.endswith("count and read them again")


def test_with_tiles_on_the_table_no_special_hand_is_made():
    assert won_elsewhere(parse("E: (EEE) 19b19c19d Sw Ww Nw R +R"), bind("babcock")) == ""


def test_an_option_that_is_set_is_not_proposed():
    """The rulebook may still keep the hand from winning; then no other rulebook is better."""
    assert "thirteen-orphans" not in won_elsewhere(
        parse(TWINS), bind("babcock", {"seven-twins": False, "thirteen-orphans": True})
    )
    assert mjscore.score(ORPHANS, "babcock", options={"thirteen-orphans": True}).error is None


@table
def test_a_hand_that_no_option_would_let_win_names_none(house, condition, options):
    ladder = '[[shape]]\nid = "ladder"\ntitle = "Ladder"\ntiles = "147b 258c 369d ESWNw Rd"\npoints = 100\n'
    book = house(f"{ladder}when = '{condition}'", "babcock")
    error = mjscore.score("E: 147b 258c 369d ESWNw <Rd", book, options=options).error
    assert error.code == "not-a-winning-hand"
    assert "option" not in error.hint
