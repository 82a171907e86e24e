"""Tables that cannot be: two winners, seats that nobody sits at, a fifth tile over all hands, a four that is nowhere."""

from __future__ import annotations

import pytest
from tables import table

import mjscore
from mjscore.game.tiles import WIND_NAMES, Tile
from mjscore.settling.settlement import Settlement


@table
def test_tables_that_cannot_be(hands, winner, code):
    settlement = mjscore.settle(hands, winner)
    assert isinstance(settlement, Settlement)
    assert settlement.error.code == code
    assert settlement.error.hint
    assert settlement.payments == ()


def test_a_robbed_four_is_seen_at_the_table():
    hands = {"E": "123b 456b 789b 55c 3d4d <2d:N!robbed", "S": 0, "W": 0, "N": "(222d) ..."}
    assert mjscore.settle(hands, rulebook="babcock").error is None
    assert mjscore.settle({**hands, "N": 64}, rulebook="babcock").error is None  # his hand is not known
    unnamed = {**hands, "E": hands["E"].replace("<2d:N", "<2d"), "N": 64}
    assert mjscore.settle(unnamed, rulebook="babcock").error is None  # nor who he is
    for other in ("(333d) ...", "(234d) ...", "(888d) (234d) ...", "22d ..."):
        error = mjscore.settle({**hands, "N": other}, rulebook="babcock").error
        assert error is not None, other
        assert (error.code, error.hint) == (
            "robbed-nobody",
            "leave out !robbed, or put the pung in brackets in that hand",
        )


@table
def test_who_can_have_discarded(winner, discarder, code):
    error = mjscore.settle({"E": 1, "S": 2, "W": 3, "N": 4}, winner, discarder=discarder).error
    assert (error.code, bool(error.hint)) == (code, True)


def test_a_discarder_who_has_no_line():
    hands = {"E": "123b 456b 789b 55c 3d4d <2d:N", "W": 0}
    error = mjscore.settle(hands).error
    assert (error.code, error.hint) == ("no-such-seat", "give every seat a hand, a score or dead: N: 0")


def test_a_seat_that_is_not_there_is_named():
    three = mjscore.settle(dict.fromkeys("ESWN", 0), "E", "babcock", options={"players": 3}).error
    assert (three.code, three.message) == ("no-such-seat", "West does not play at a table of 3")
    other = mjscore.settle({"E": 0, "S": 0, "W": 0, "Q": 0}, "E").error
    assert (other.code, other.message) == ("no-such-seat", "there is no seat 'Q'")


def test_who_holds_the_fifth_tile_is_named():
    hands = {"E": "(RRR) 123b 456b 789b 5c <5c:N", "S": "(666c) ...", "W": "(555c) ...", "N": "(222d) ..."}
    error = mjscore.settle(hands).error
    assert error.message.endswith("East, West together hold more than four")
    # also who has but one of them
    hands = {"E": "123b 456b 789b 2c 34d 5d", "S": "(5555d) ...", "W": "123c (RRR) 789c 44b 22d <4b", "N": 0}
    error = mjscore.settle(hands).error
    assert error.message.endswith("East, South together hold more than four")


def test_each_of_the_bonus_tiles_is_there_once():
    hands = {"E": "(RRR) 14f 2s 123b 456b 789b 5c +5c", "S": "23f ...", "W": "134s ...", "N": 0}
    assert mjscore.settle(hands).error is None
    assert mjscore.settle({**hands, "N": "3s ..."}).error.about == Tile.parse("3s")


@pytest.mark.parametrize("seats", ["ESW", "EW", "ESN"])
def test_a_rulebook_that_counts_its_players_wants_as_many(seats):
    """Harr's game is played by fewer where fewer are named; Babcock's says how many there are (D26)."""
    error = mjscore.settle(dict.fromkeys(seats, 10), "E", "babcock").error
    assert error is not None
    missing = next(seat for seat in "ESWN" if seat not in seats)
    assert error.message.startswith(f"missing: {WIND_NAMES[missing]}")
    assert (error.code, error.hint) == (
        "missing-seat",
        f"give every seat a hand, a score or dead: {missing}: 0",
    )
