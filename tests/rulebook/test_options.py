"""Every option of every rulebook, switched both ways on a hand or table where it matters."""

from __future__ import annotations

import random

import pytest
from strategies import random_winner
from tables import rows, table

import mjscore
from mjscore.record.ledger import after_draw, after_win, begin
from mjscore.rulebook.binding import bind, read_rulebook
from mjscore.rulebook.entries import RULEBOOKS

NO_SCORE = "(567c) (789b) 34d 22b 234b +2d"
WIND_HAND = "S: (SSS) (NNN) EE Ww Ww 345d <E"


@table
def test_options_of_hands(rulebook, option, values, hand, scores):
    found = []
    for value in values:
        sheet = mjscore.score(hand, rulebook, options={option: value})
        assert sheet.error is None, sheet.error.render()
        found.append(sheet.score)
    assert tuple(found) == scores


@pytest.mark.parametrize(("value", "winning"), [("any", "18"), ("one-or-nine", "1"), ("two-to-eight", "8")])
def test_what_gates_of_heaven_may_be_claimed_with(value, winning):
    for tile, held in (("1", "1123455678999b"), ("8", "1112345678999b")):
        sheet = mjscore.score(f"E: {held} <{tile}b", "bmja", options={"gates-claimed": value})
        assert (sheet.score == 1000, sheet.error is None) == (tile in winning, tile in winning)
        assert mjscore.score(f"E: {held} +{tile}b", "bmja", options={"gates-claimed": value}).score == 1000


@pytest.mark.parametrize("value", [10, 20, 30, 50, 100])
def test_the_base_of_the_chinese_game(value):
    assert mjscore.score(NO_SCORE, "babcock-chinese", options={"mah-jongg": value}).score == value + 2


@table
def test_hands_that_win_only_by_option(option, hand, score):
    assert mjscore.score(hand, "babcock").error.code == "not-a-winning-hand"
    assert mjscore.score(hand, "babcock", options={option: True}).score == score
    assert mjscore.score(hand, "babcock", options={option: True, "limit": "none"}).error is not None


def test_four_concealed_drawn_is_a_restriction():
    hand = "666c 444d 222b 999c 3d {}3d"
    for drawn, claimed, options in (
        (300, 300, {"four-concealed": True}),
        (300, 50, {"four-concealed": True, "four-concealed-drawn": True}),
        (54, 50, {"four-concealed-drawn": True}),
    ):
        assert mjscore.score(hand.format("+"), "babcock", options=options).score == drawn - 2 * (drawn == 54)
        assert mjscore.score(hand.format("<"), "babcock", options=options).score == claimed
    every = {"optional": "all"}
    assert bind("babcock", every).options["four-concealed-drawn"] is False
    assert bind("babcock", {"optional": "all", "nine-gates": False}).options["nine-gates"] is False


def test_a_house_rulebook_may_turn_on_a_group(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text(
        'id = "h"\ntitle = "H"\nextends = "babcock"\n[options]\noptional = "all"\nnine-gates = false\n'
    )
    options = bind(str(path)).options
    assert (options["optional"], options["seven-twins"], options["nine-gates"]) == ("all", True, False)
    assert bind(str(path), {"seven-twins": False}).options["seven-twins"] is False
    assert bind(str(path), {"optional": "none"}).options["seven-twins"] is False
    assert bind(str(path), {"optional": "all"}).options["nine-gates"] is True


def test_limits_that_follow_other_options():
    assert bind("harr-limit").limit == 300
    assert bind("harr-limit", {"mah-jongg": 20}).limit == 400
    assert bind("harr-limit", {"mah-jongg": 20, "limit": 600}).limit == 600
    assert bind("babcock").limit == 300
    assert bind("babcock", {"players": 3}).limit == 600
    assert bind("babcock", {"players": 3, "limit": 300}).limit == 300


def test_no_west_at_a_table_of_three():
    options = {"players": 3}
    assert mjscore.score("W: 123b ...", "babcock", options=options).error.code == "no-such-seat"
    assert mjscore.score("E: Ww ...", "babcock", options=options).error.code == "no-west"
    assert mjscore.score("S: 123b ...", "babcock", options={"players": 2}).error.code == "no-such-seat"
    assert (
        mjscore.score("E: (RRR) 123b 456b 789b 7d <7d", "babcock", options={"players": 2}).error.code
        == "may-not-win"
    )


def test_options_of_passing():
    four = begin(("Ann", "Ben", "Cid", "Dee"))
    loss, winner = bind("babcock-chinese"), bind("babcock-chinese", {"east-passes": "winner"})
    assert after_win(four, "N", loss).east == 1
    assert after_win(four, "N", winner).east == 3
    progressive = bind("babcock", {"progressive": True})
    assert after_win(four, "E", bind("babcock")).east == 0
    assert after_win(four, "E", progressive).east == 1
    assert after_draw(four, False, progressive).east == 1
    assert after_draw(four, True, loss).east == 1
    assert after_draw(four, True, bind("babcock")).east == 0


@table
def test_options_of_settling(rulebook, option, values, hands, winner, more, expected):
    for value, points in zip(values, expected, strict=True):
        settlement = mjscore.settle(hands, winner, rulebook, options={option: value}, **more)
        assert settlement.error is None, settlement.error.render()
        assert tuple(settlement.net[seat] for seat in "ESWN") == points
        assert sum(points) == 0


@table
def test_each_bonus_that_doubles(hand, scores):
    """Babcock p. 62: one double instead of the ten points; the 2 for the draw stay."""
    found = [
        mjscore.score(hand, "babcock", options={"doubling-bonuses": value}).score for value in (False, True)
    ]
    assert tuple(found) == scores


def test_twenty_two_is_the_lowest_winning_hand():
    """A hand without any other score gets ten for that, so nobody wins with less than 22."""
    chance = random.Random(22)
    scores = [mjscore.score(random_winner(chance), "babcock").score for _ in range(600)]
    assert min(score for score in scores if score is not None) >= 22
    assert mjscore.score(NO_SCORE, "babcock").score == 22


def test_every_option_is_here():
    told = (rows(__file__, section)[1] for section in ("options_of_hands", "options_of_settling"))
    tested = {(rulebook, option) for found in told for rulebook, option, *_ in found} | {
        ("bmja", "gates-claimed")
    }
    names = ("thirteen-orphans", "seven-twins", "four-concealed-drawn", "progressive")
    tested |= {("babcock", name) for name in names}
    names = (
        "false-win",
        "long-hand-pays-limit",
        "nine-mummies",
        "nine-mummies-bonus",
        "not-touching",
        "east-passes",
    )
    tested |= {("babcock-chinese", name) for name in names}
    for name in RULEBOOKS:
        inherited = set(read_rulebook("babcock").options) if name == "babcock-chinese" else set()
        for option in read_rulebook(name).options:
            assert (name, option) in tested or option in inherited, (name, option)


def test_optional_hands_are_limit_hands_of_the_chinese_game():
    for option, hand in (
        ("four-wind-hand", WIND_HAND),
        ("ones-nines-honors", "S: (EEE) (9999b) 999d WWd 11c <1c"),
        ("four-concealed", "666c 444d 222b 99c 33d +9c"),
    ):
        assert mjscore.score(hand, "babcock-chinese").limit == option
        assert mjscore.score(hand, "babcock-chinese", options={option: False}).limit != option
