"""Who pays whom: the books' tables, every settling option, and what must always hold."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from insured_tables import random_table
from tables import table

import mjscore
from mjscore.page.sheets import payments_text
from mjscore.rulebook.binding import bind
from mjscore.settling.payment import Payment, SeatResult
from mjscore.settling.settlement import collected, penalty_text, rounded
from mjscore.settling.settlement import settle as settle_results

SCORES = {"E": 56, "S": 10, "W": 64, "N": 416}


def nets(scores: dict, winner: str | None = None, rulebook: str = "harr", **more: object) -> dict[str, int]:
    settlement = mjscore.settle(scores, winner, rulebook, **more)  # type: ignore[arg-type]
    assert settlement.error is None, settlement.error
    return dict(settlement.net)


@table
def test_who_loses_and_wins_what(rulebook, options, scores, winner, won, net):
    more = {"discarder": won} if won in (*"ESWN",) else {"drawn": True} if won else {}
    assert nets(scores, winner, rulebook, options=options, **more) == net
    assert sum(net.values()) == 0


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


def test_what_a_table_lacks_is_asked_for():
    missing = mjscore.settle({"E": 30, "S": 40, "N": 10}, "S", "babcock")
    assert missing.error.code == "missing-seat"
    unknown = mjscore.settle(SCORES, "S", "babcock-chinese", options={"new-method": True})
    assert unknown.error.code == "who-discarded"


@pytest.mark.parametrize(
    ("points", "paid"), [(12, 10), (14, 10), (15, 10), (16, 20), (18, 20), (20, 20), (4, 0), (6, 10)]
)
def test_nearest_ten(points, paid):
    """Babcock p. 82: 12 and 14 are 10, 16 and 18 are 20."""
    scores = {"E": points, "S": points, "W": points, "N": points}
    found = nets(scores, "S", "babcock-chinese", options={"nearest-ten": True, "limit": "none"})
    assert found["W"] == -paid
    assert nets(scores, "S", "babcock-chinese")["W"] == -points


def test_only_the_winner_has_a_ninth_win():
    book = bind("babcock-chinese", {"nine-wins": True})
    results = {seat: SeatResult(10, ninth=seat == "E") for seat in "ESWN"}
    assert settle_results(results, "S", book).scores == dict.fromkeys("ESWN", 10)
    assert settle_results(results, "E", book).scores == {"E": 300, "S": 10, "W": 10, "N": 10}
    # without a limit it is worth what it counts, though that is nothing
    unlimited = bind("babcock-chinese", {"nine-wins": True, "limit": "none"})
    for score in (0, 10):
        results["E"] = SeatResult(score, ninth=True)
        settlement = settle_results(results, "E", unlimited)
        assert (settlement.scores["E"], settlement.net["E"]) == (score, 6 * score)


def test_a_drawn_tile_comes_from_nobody():
    hand = mjscore.parse("E: (RRR) 123b 456b 789b 5c +5c")
    named = hand._replace(win=hand.win._replace(discarder="S"))
    assert mjscore.settle({"E": hand, "S": 0, "W": 0, "N": 0}).discarder is None
    assert mjscore.settle({"E": named, "S": 0, "W": 0, "N": 0}).error.code == "drawn-from-a-player"


LONG_HAND = "(RRR) 123b 456b 789b 1122c !dead"
STOPPED_FOR_IT = {"long-hand-pays-limit": True}


def test_a_long_hand_beside_a_win():
    """Babcock p. 73: he pays the limit to each, East twice that; the others settle without him."""
    hands = {"E": LONG_HAND, "S": 0, "W": 10, "N": 300}
    settlement = mjscore.settle(hands, "N", "babcock-chinese", options=STOPPED_FOR_IT)
    assert settlement.net == {"E": -1800, "S": 600 - 300 - 10, "W": 600 - 300 + 10, "N": 600 + 300 + 300}
    assert [remark.partition(":")[0] for remark in settlement.remarks] == ["East"]
    # the winner's limit cancels what the others owe each other; of the long hand alone is spoken
    cancelled = {**STOPPED_FOR_IT, "limit-cancels": True}
    settlement = mjscore.settle(hands, "N", "babcock-chinese", options=cancelled)
    assert settlement.net == {"E": -1800, "S": 300, "W": 300, "N": 1200}
    assert [remark.partition(":")[0] for remark in settlement.remarks] == ["East"]
    settlement = mjscore.settle({**hands, "E": 0}, "N", "babcock-chinese", options=cancelled)
    assert len(settlement.remarks) == 1
    assert "cancels" in settlement.remarks[0]


@table
def test_what_each_pays_for_a_hand_by_itself(win, rulebook, options, expected):
    book = bind(rulebook, options)
    sheet = mjscore.score(f"S: (RRR) 123b 456b 789b 5c {win}", book)
    paid = collected(sheet, book)
    assert (None if paid is None else {one.payer: one.points for one in paid.payments}) == expected


@table
def test_a_sheet_tells_the_payments_that_the_hand_is_settled_by(hand, rulebook, options, shown):
    book = bind(rulebook, options)
    sheet = mjscore.score(hand, book)
    assert shown in payments_text(sheet, book)
    paid = collected(sheet, book)
    unknown = {seat: 0 for seat in "ESWN" if seat != sheet.seat}
    settled = mjscore.settle({**unknown, str(sheet.seat): hand}, rulebook=book)
    assert paid.payments == settled.payments
    assert [remark for remark in settled.remarks if "the others pay" not in remark] == list(paid.remarks)


@pytest.mark.parametrize(
    "options", [{}, {"players": 5}, {"new-method": True}, {"limit": "none"}, {"nearest-ten": True}]
)
def test_random_sheets_tell_the_payments_that_the_hand_is_settled_by(options):
    chance = random.Random(f"sheets {options}")
    book = bind("babcock-chinese", options)
    told = 0
    while told < 40:
        hand = next((one for one in (random_table(chance) or {}).values() if one.win is not None), None)
        if hand is None:
            continue
        settled = mjscore.settle({seat: hand if seat == hand.seat else 0 for seat in "ESWN"}, rulebook=book)
        if settled.error is None:
            paid = collected(mjscore.score(hand, book), book)
            assert paid.payments == settled.payments
            told += 1


@pytest.mark.parametrize("rulebook", ["harr-limit", "babcock-chinese"])
def test_where_the_discarder_is_excused_the_sheet_has_told_it(rulebook):
    """What stands behind "Excused" is what the winner gets where the discarder's own hand excuses them."""
    book = bind(rulebook)
    paid = collected(mjscore.score("W: (111d)(234d)(567d) 88d9d9d <9d:N", book), book)
    north = "(RRR)(NNN) 123c 45c 66c" if rulebook == "harr-limit" else "(123c)(456c) 777c 88c99c"
    hands = {"W": "(111d)(234d)(567d) 88d9d9d <9d:N", "N": north, "E": 0, "S": 0}
    settled = mjscore.settle(hands, rulebook=book)
    assert paid.excused == tuple(one for one in settled.payments if one.payee == "W")


def test_a_ninth_win_that_doubles_for_east_and_one_that_does_not():
    """Babcock's pays the limit itself (D71); by the league's rules East collects it double."""
    results = {seat: SeatResult(10, ninth=seat == "E") for seat in "ESWN"}
    single = settle_results(results, "E", bind("babcock-chinese", {"nine-wins": True}))
    assert single.net == {"E": 900, "S": -300, "W": -300, "N": -300}
    double = settle_results(results, "E", bind("dmjl"), drawn=True)
    assert double.net == {"E": 3000, "S": -1000, "W": -1000, "N": -1000}


def test_who_pays_for_all_pays_by_the_rule_and_the_others_for_the_score():
    winner = "(RRR)(GGG)(WWWd) 123b 4c +4c!earlier:N"
    hands = {"W": winner, "N": 64, "E": 10, "S": 20}
    settlement = mjscore.settle(hands, rulebook="babcock-chinese")
    reasons = {one.payer: one.reason for one in settlement.payments}
    assert reasons["E"] == reasons["S"] == "the winner's score"
    assert "dragons" in reasons["N"]


@pytest.mark.parametrize("hand", ["(222b) 456b ...", "(222b) 456b 456c 777d 1d"])
def test_a_hand_without_a_winning_tile_is_not_settled_as_the_winners(hand):
    settlement = mjscore.settle({"E": hand, "S": 0, "W": 2, "N": 4}, "E")
    assert settlement.error.code == "no-winning-tile"
    assert settlement.error.message == "East is named as winner, but the hand has no winning tile"
    assert settlement.net == {}
    assert mjscore.settle({"E": 2, "S": hand, "W": 2, "N": 4}, "E").error is None


def test_easts_double_is_said_of_penalties_that_cost_points():
    settling = bind("harr-limit").settling
    rule = settling.false_win
    assert rule is not None
    assert "double to or from East" in penalty_text(rule, settling)
    assert "double" not in penalty_text(rule._replace(points=0), settling)
    assert "double" not in penalty_text(rule._replace(east_doubled=False), settling)
    assert "double" not in penalty_text(rule, settling._replace(east_factor=None))


@table
def test_payments_are_rounded_to_the_nearest_and_down_from_the_middle(to, rounds):
    """Babcock p. 82 for tens; a house rulebook may say another."""
    settling = bind("babcock-chinese", {"nearest-ten": True}).settling
    settling = settling._replace(round_payments=settling.round_payments._replace(to=to))
    found = {points: rounded(Payment("S", "E", points), settling).points for points in rounds}
    assert found == rounds


def test_of_two_players_only_the_winner_is_settled_with(house):
    """Where one loses there is nobody whom he might pay besides, and nothing is said of it."""
    options = {"players": 2, "limit-cancels": True}
    settlement = mjscore.settle({"E": 0, "W": 300}, "W", "babcock-chinese", options=options)
    assert (settlement.net, settlement.remarks) == ({"E": -600, "W": 600}, ())
    book = house('drop = ["losers-settle"]')
    assert mjscore.settle({"E": 0, "W": 50}, "W", book).remarks == (
        "two play: the seats of South and North are empty",
    )
    three = mjscore.settle({"E": 0, "S": 2, "W": 50}, "W", book)
    assert (three.net["S"], len(three.remarks)) == (-50, 2)


def test_differences_are_capped_only_by_a_rule_that_says_so(house):
    book = house('drop = ["difference-limit"]', "harr-limit")
    scores = {"E": 0, "S": 1000, "W": 20, "N": 5000}
    assert nets(scores, "N", book)["S"] == -300 + 2000 + 980
    assert nets(scores, "N", "harr-limit")["S"] == -300 + 600 + 300


def test_nobody_has_won_or_died_or_won_eight_times_unsaid():
    assert SeatResult(10) == SeatResult(10, None, None, False, False)
    assert Payment("S", "E", 4).as_json() == {"from": "S", "to": "E", "points": 4, "for": ""}


def test_a_discarder_who_pays_alone_pays_no_drawn_win(house):
    rule = '[[settle]]\nid = "alone"\ntitle = "Alone"\nrule = "discarder-alone"\nfactor = 2\nsource = "ours"'
    book = house(rule, "babcock")
    scores = dict.fromkeys("ESWN", 10)
    assert nets(scores, "S", book, drawn=True) == {"E": -20, "S": 40, "W": -10, "N": -10}
    assert nets(scores, "S", book, discarder="W") == {"E": 0, "S": 20, "W": -20, "N": 0}
    for drawn in (None, False):
        assert mjscore.settle(scores, "S", book, drawn=drawn).error.code == "who-discarded"


def test_a_bare_score_that_an_entry_gives_above_the_limit_is_paid_whole(house):
    entry = '[[limit]]\nid = "green"\ntitle = "Green"\nof_limit = "2"\nwhen = "won and one_suit"'
    book = house(entry, "babcock")
    for told, scored in ((600, 600), (601, 300), (599, 300)):
        settlement = mjscore.settle({"E": 600, "S": told, "W": 0, "N": 0}, "S", book)
        assert (settlement.scores["S"], settlement.scores["E"]) == (scored, 300)


def test_a_stopped_hand_as_programs_read_it():
    hands = {"E": LONG_HAND, "S": 0, "W": 0, "N": 0}
    stopped = mjscore.settle(hands, None, "babcock-chinese", options=STOPPED_FOR_IT, label="tea").as_json()
    assert (stopped["kind"], stopped["label"]) == ("long", "tea")
    assert stopped["rulebook"] == "babcock-chinese"


def test_a_refused_settlement_as_programs_read_it():
    refused = mjscore.settle({"E": 1, "S": 2, "W": 3, "N": 4})
    assert refused.as_json()["error"]["code"] == "no-winner"
    assert refused.as_json()["rulebook"] == "harr"
    assert refused.sheets == {}
    assert mjscore.settle({"E": 1, "S": 2, "W": 3, "N": 4}, "E").as_json()["error"] is None
