"""Who pays whom: the books' tables, every settling option, and what must always hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mjscore
from mjscore.rulebook.binding import bind
from mjscore.settling.payment import SeatResult
from mjscore.settling.settlement import settle as settle_results

SCORES = {"E": 56, "S": 10, "W": 64, "N": 416}


def nets(scores: dict, winner: str | None = None, rulebook: str = "harr", **more: object) -> dict[str, int]:
    settlement = mjscore.settle(scores, winner, rulebook, **more)  # type: ignore[arg-type]
    assert settlement.error is None, settlement.error
    return dict(settlement.net)


@pytest.mark.parametrize(
    ("scores", "winner", "expected"),
    [
        # Harr p. 46-54, the four layouts as corrected
        ({"E": 480, "S": 64, "W": 272, "N": 16}, "E", {"E": 2880, "S": -1120, "W": -496, "N": -1264}),
        (
            {"E": 4, "S": 8, "W": 2562, "N": 22},
            "N",
            {"E": -44 - 5116 - 8, "S": -22 - 2554 + 8, "W": -22 + 5116 + 2554, "N": 88},
        ),
        (SCORES, "N", {"E": -756, "S": -562, "W": -346, "N": 1664}),
        (
            {"E": 80, "S": 48, "W": 64, "N": 184},
            "N",
            {"E": -368 + 64 + 32, "S": -184 - 64 - 16, "W": -184 - 32 + 16, "N": 736},
        ),
        # Babcock p. 26-27
        ({"E": 48, "S": 16, "W": 4, "N": 0}, "E", {"E": 288, "S": -68, "W": -104, "N": -116}),
        ({"E": 44, "S": 12, "W": 112, "N": 28}, "N", {"E": -128, "S": -192, "W": 208, "N": 112}),
    ],
)
def test_the_books_tables(scores, winner, expected):
    assert nets(scores, winner) == expected


def test_payments_are_named_pair_by_pair():
    settlement = mjscore.settle(SCORES, "N")
    assert next(payment.as_json() for payment in settlement.payments) == {
        "from": "E",
        "to": "N",
        "points": 832,
        "for": "the winner's score",
    }
    paid = {(one.payer, one.payee): one.points for one in settlement.payments}
    assert paid == {
        ("E", "N"): 832,
        ("S", "N"): 416,
        ("W", "N"): 416,
        ("S", "E"): 92,
        ("E", "W"): 16,
        ("S", "W"): 54,
    }


seats = st.fixed_dictionaries({seat: st.integers(0, 5000) for seat in "ESWN"})


@given(seats, st.sampled_from("ESWN"), st.sampled_from(["harr", "harr-limit", "babcock", "babcock-chinese"]))
def test_nets_sum_to_zero_and_the_winner_never_loses(scores, winner, rulebook):
    found = nets(scores, winner, rulebook)
    assert sum(found.values()) == 0
    assert found[winner] >= 0


@given(seats, st.sampled_from("SWN"), st.permutations("SWN"))
def test_losers_other_than_east_double_nothing_between_them(scores, winner, order):
    """A fault of other scorers: East's double between two losers in some seats only."""
    settlement = mjscore.settle(scores, winner)
    for payment in settlement.payments:
        if payment.payee != winner:
            times = 2 if "E" in (payment.payer, payment.payee) else 1
            assert payment.points == times * (scores[payment.payee] - scores[payment.payer])


def test_limits_cap_scores_and_differences():
    scores = {"E": 0, "S": 1000, "W": 20, "N": 5000}
    # Babcock caps every score first (p. 28-29)
    assert nets(scores, "N", "babcock") == {
        "E": -600 - 600 - 40,
        "S": -300 + 600 + 280,
        "W": -300 - 280 + 40,
        "N": 1200,
    }
    # Harr caps the winner, and the differences of the others as payments (p. 60)
    assert nets(scores, "N", "harr-limit") == {
        "E": -600 - 600 - 40,
        "S": -300 + 600 + 300,
        "W": -300 - 300 + 40,
        "N": 1200,
    }
    capped = mjscore.settle(scores, "N", "harr-limit")
    assert capped.scores == {"E": 0, "S": 1000, "W": 20, "N": 300}


def test_dead_hands_pay_whole_scores_and_receive_nothing():
    assert nets({"E": None, "S": 30, "W": 20, "N": 50}, "N") == {
        "E": -100 - 60 - 40,
        "S": -50 + 60 + 10,
        "W": -50 + 40 - 10,
        "N": 150 + 50,
    }
    assert nets({"E": None, "S": None, "W": 20, "N": 50}, "N")["E"] == -100 - 40


def test_two_and_three_seats():
    assert nets({"E": 30, "W": 10}, "W") == {"E": -20, "W": 20}
    assert nets({"E": 30, "S": 40, "W": 10}, "S") == {"E": -80 + 40, "S": 120, "W": -40 - 40}
    three = {"E": 30, "S": 40, "N": 10}
    assert nets(three, "S", "babcock", options={"players": 3})["S"] == 120
    missing = mjscore.settle(three, "S", "babcock")
    assert missing.error is not None
    assert missing.error.code == "missing-seat"


def test_hands_and_bare_scores_together():
    hands = {
        "E": "(RRR) 22b 345c 99c 678d",
        "S": "(222d) [1111c] 123b 456b 5c +5c!loose",
        "W": 2,
        "N": "(NNN) 456b 456c 78d 99d",
    }
    settlement = mjscore.settle(hands)
    assert settlement.winner == "S"
    assert settlement.scores == {"E": 8, "S": 68, "W": 2, "N": 8}
    assert settlement.net["S"] == 272
    assert set(settlement.sheets) == {"E", "S", "N"}


# ------------------------------------------------------------------ the Chinese game's settling options


def test_limit_cancels():
    scores = {"E": 0, "S": 10, "W": 20, "N": 5000}
    plain = nets(scores, "N", "babcock-chinese")
    assert plain == {"E": -600 - 20 - 40, "S": -300 + 20 - 10, "W": -300 + 40 + 10, "N": 1200}
    assert nets(scores, "N", "babcock-chinese", options={"limit-cancels": True}) == {
        "E": -600,
        "S": -300,
        "W": -300,
        "N": 1200,
    }
    below = {**scores, "N": 100}
    assert nets(below, "N", "babcock-chinese", options={"limit-cancels": True}) == nets(
        below, "N", "babcock-chinese"
    )


@pytest.mark.parametrize(
    ("points", "paid"), [(12, 10), (14, 10), (15, 10), (16, 20), (18, 20), (20, 20), (4, 0), (6, 10)]
)
def test_nearest_ten(points, paid):
    """Babcock p. 82: 12 and 14 are 10, 16 and 18 are 20."""
    scores = {"E": points, "S": points, "W": points, "N": points}
    found = nets(scores, "S", "babcock-chinese", options={"nearest-ten": True, "limit": "none"})
    assert found["W"] == -paid
    assert nets(scores, "S", "babcock-chinese")["W"] == -points


def test_the_new_method():
    """Babcock p. 78-79: East not double; the discarder double, or all three on a drawn win."""
    options = {"new-method": True}
    assert nets(
        {"E": 10, "S": 40, "W": 20, "N": 0}, "S", "babcock-chinese", options=options, discarder="W"
    ) == {
        "E": -40 - 10 + 10,
        "S": 160,
        "W": -80 + 10 + 20,
        "N": -40 - 10 - 20,
    }
    assert nets({"E": 0, "S": 40, "W": 0, "N": 0}, "S", "babcock-chinese", options=options, drawn=True) == {
        "E": -80,
        "S": 240,
        "W": -80,
        "N": -80,
    }
    unknown = mjscore.settle({"E": 0, "S": 40, "W": 0, "N": 0}, "S", "babcock-chinese", options=options)
    assert unknown.error is not None
    assert unknown.error.code == "who-discarded"


def test_five_players():
    """Babcock p. 85: with two doubles, 80 from two losers and 160 from East to who sits out."""
    winner = "(RRR) (GGG) 123b 456c 9d +9d"
    settlement = mjscore.settle(
        {"E": 0, "S": winner, "W": 0, "N": 0}, rulebook="babcock", options={"players": 5}
    )
    assert settlement.error is None
    to_sitter = {one.payer: one.points for one in settlement.payments if one.payee == "X"}
    assert to_sitter == {"E": 160, "W": 80, "N": 80}
    assert settlement.net["X"] == 320
    assert sum(settlement.net.values()) == 0
    bare = mjscore.settle({"E": 0, "S": 128, "W": 0, "N": 0}, "S", "babcock", options={"players": 5})
    assert bare.error is not None
    assert bare.error.code == "doubles-needed"


def test_dead_hands_of_the_chinese_game():
    """Babcock p. 73: too few tiles still score, too many do not; the limit for them by option."""
    short = {"E": "(RRR) 123b 456b 789b !dead", "S": 40, "W": 0, "N": 0}
    assert mjscore.settle(short, "S", "babcock-chinese").scores["E"] == 8
    assert mjscore.settle(short, "S", "babcock").scores["E"] == 0
    long = {"E": "(RRR) 123b 456b 789b 1122c !dead", "S": 0, "W": 0, "N": 0}
    assert mjscore.settle(long, "S", "babcock-chinese").scores["E"] == 0
    stopped = mjscore.settle(long, None, "babcock-chinese", options={"long-hand-pays-limit": True})
    assert stopped.error is None
    assert stopped.net == {"E": -1800, "S": 600, "W": 600, "N": 600}
    assert mjscore.settle(long, None, "babcock-chinese").error is not None


def test_only_the_winner_has_a_ninth_win():
    book = bind("babcock-chinese", {"nine-wins": True})
    results = {seat: SeatResult(10, ninth=seat == "E") for seat in "ESWN"}
    assert settle_results(results, "S", book).scores == dict.fromkeys("ESWN", 10)
    assert settle_results(results, "E", book).scores == {"E": 300, "S": 10, "W": 10, "N": 10}


def test_a_drawn_tile_comes_from_nobody():
    hand = mjscore.parse("E: (RRR) 123b 456b 789b 5c +5c")
    assert hand.win is not None
    named = hand._replace(win=hand.win._replace(discarder="S"))
    drawn, settlement = (
        mjscore.settle(
            {"E": one, "S": 0, "W": 0, "N": 0}, rulebook="babcock-chinese", options={"new-method": True}
        )
        for one in (hand, named)
    )
    assert settlement.error is None
    assert settlement.discarder is None
    assert settlement.net == drawn.net
