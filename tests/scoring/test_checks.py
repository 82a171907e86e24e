"""What cannot be: each refusal, and what part of the hand it is about."""

from __future__ import annotations

import pytest
from refusals import refusal_of
from tables import table

import mjscore
from mjscore.game.hand import Flag, Seat, Win
from mjscore.notation.hands import parse
from mjscore.rulebook.binding import bind
from mjscore.scoring.checks import check_hand, placed_hand

WON = "123b 456b 789c EEEw 5c"


def named(about: object) -> tuple[str, str]:
    """The kind of thing that a refusal is about, and its name."""
    match about:
        case Win():
            return "clause", ""
        case Flag(word):
            return "flag", word
        case Seat(name):
            return "seat", name
    return "tile", str(about)


@table
def test_what_cannot_be(hand, options, code, about):
    refusal = refusal_of(check_hand, placed_hand(parse(hand)), bind("babcock", options))
    assert refusal.code == code
    assert named(refusal.about) == about
    assert refusal.hint


@table
def test_who_does_not_sit_at_a_small_table_is_named(hand, message, hint):
    refusal = refusal_of(check_hand, placed_hand(parse(hand)), bind("babcock", {"players": 2}))
    assert (refusal.message, refusal.hint) == (message, hint)


def test_a_seat_that_there_is_nowhere():
    refusal = refusal_of(check_hand, parse(f"S: {WON} +5c")._replace(seat="Q", round="E"), bind("harr"))
    assert refusal.message == "there is no seat 'Q'"
    assert refusal.hint == "the seats are East, South, West and North"


def test_a_round_that_there_is_not():
    refusal = refusal_of(check_hand, parse(f"S: {WON} +5c")._replace(round="X"), bind("harr"))
    assert refusal.code == "bad-round"


def test_seat_and_round_come_from_the_context_else_east():
    hand = parse(f"{WON} +5c")
    assert placed_hand(hand)[:2] == ("E", "E")
    assert placed_hand(hand, "S", "W")[:2] == ("S", "W")
    assert placed_hand(parse(f"N@S: {WON} +5c"), "S", "W")[:2] == ("N", "S")
    # each by itself
    assert placed_hand(hand._replace(round="N"), "S", "W")[:2] == ("S", "N")
    assert placed_hand(hand._replace(seat="N"), "S", "W")[:2] == ("N", "W")


FED = {"four-sets-from-one": True}


@table
def test_who_fed_all_four_sets(hand, code):
    """Babcock p. 78 (D75, D78)."""
    error = mjscore.score(hand, "babcock-chinese", options=FED).error
    assert (error and error.code) == code


def test_an_earlier_discard_is_of_the_suit_that_it_fed():
    """Three nines of bamboo are bamboo, though the tile that follows them is of characters."""
    hand = "S: [1111b] [2222b] [3333b] ({}) 5b +5b!earlier:N"
    assert mjscore.score(hand.format("999b"), "babcock-chinese").error is None
    error = mjscore.score(hand.format("111c"), "babcock-chinese").error
    assert (error and error.code) == "not-fed-earlier"


@pytest.mark.parametrize("hand", ["E: 123b 456b 789c EEEw 5c", "E: 123b 456b 789c EEEw 5c +5c"])
def test_three_play_without_the_west_winds_alone(hand):
    assert mjscore.score(hand, "babcock", options={"players": 3}).error is None


def test_two_fours_are_enough_for_the_loose_tile_of_a_loose_tile():
    assert mjscore.score("E: [1111c] [2222c] 789c EEEw 5c +5c!twofold", "babcock").error is None


@table
def test_what_is_said_of_it(hand, rulebook, message, hint):
    error = mjscore.score(hand, rulebook, options=FED if rulebook == "babcock-chinese" else {}).error
    assert (error.message, error.hint) == (message, hint)
