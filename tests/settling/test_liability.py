"""The reckless discard (Harr p. 68-70) and insurance (Babcock p. 74-79): every case and every excuse."""

from __future__ import annotations

import pytest

import mjscore

LOSERS = {"E": 10, "S": 20}
# North discards to West; what all three would have paid West is 300 + 300 + 600 at the limit
ONE_SUIT = "(111d)(234d)(567d) 88d9d9d <9d:N"
HEADS = "(111d)(999c)(EEE) SS NN <N:N"
DRAGONS = "(RRR)(GGG) 123b 44c WWd <Wd:N"
WINDS = "(EEE)(SSS)(NNN) 22b Ww Ww <Ww:N"
IDLE = "147b 258c 369d 1c 5c 9c 5b"


def settled(winner: str, discarder: object, rulebook: str, **options: object):
    hands = {"W": winner, "N": discarder, **LOSERS}
    settlement = mjscore.settle(
        hands, rulebook=rulebook, options={key.replace("_", "-"): value for key, value in options.items()}
    )  # type: ignore[arg-type]
    assert settlement.error is None, settlement.error.render()
    assert sum(settlement.net.values()) == 0
    return settlement


def pays_all(settlement) -> bool:
    return {one.payer for one in settlement.payments} == {"N"} and len(settlement.payments) == 1


@pytest.mark.parametrize("winner", [ONE_SUIT, HEADS, DRAGONS, WINDS])
@pytest.mark.parametrize("rulebook", ["harr-limit", "babcock-chinese"])
def test_the_discarder_alone_pays(winner, rulebook):
    settlement = settled(winner, IDLE, rulebook)
    score = settlement.scores["W"]
    assert pays_all(settlement)
    assert settlement.net == {"W": 4 * score, "N": -4 * score, "E": 0, "S": 0}
    assert any("pays for all" in remark for remark in settlement.remarks)


@pytest.mark.parametrize(
    "winner",
    [
        "(111d)(234d) 567d 88d99d <9d:N",  # six tiles of the suit exposed
        "(111d)(234d)(567d) 88d RR <R:N",  # not all of one suit
        "(111d)(999c) EEE SS NN <N:N",  # six heads exposed
        "(RRR) GGG 123b 44c WWd <Wd:N",  # one set of dragons exposed
        "(RRR)(GGG) WWWd 23b 44c <1b:N",  # the discard is no dragon
        "(EEE)(SSS) NNN 22b Ww Ww <Ww:N",  # two sets of winds exposed
    ],
)
@pytest.mark.parametrize("rulebook", ["harr-limit", "babcock-chinese"])
def test_cases_that_nearly_are(winner, rulebook):
    settlement = settled(winner, IDLE, rulebook)
    assert not pays_all(settlement)
    assert len(settlement.payments) >= 4


def test_declared_concealed_fours_lie_on_the_table():
    assert pays_all(settled("[RRRR](GGG) 123b 44c WWd <Wd:N", IDLE, "harr-limit"))
    assert pays_all(settled("[RRRR](GGG) 123b 44c WWd <Wd:N", IDLE, "babcock-chinese"))


def test_a_drawn_win_or_an_unnamed_discarder_blames_nobody():
    assert not pays_all(settled(ONE_SUIT.replace("<9d:N", "+9d"), IDLE, "harr-limit"))
    unnamed = settled(ONE_SUIT.replace(":N", ""), IDLE, "harr-limit")
    assert not pays_all(unnamed)
    assert any("name the discarder" in remark for remark in unnamed.remarks)


@pytest.mark.parametrize(
    ("discarder", "excused"),
    [
        (IDLE, False),
        (IDLE + " !nochoice", True),  # Harr p. 70
        ("(RRR)(NNN) 123c 45c 66c", True),  # waiting, two doubling honors
        ("(RRR)(NNN) 123c 4c7c 66c", False),  # two doubling honors, not waiting
        ("(RRR) 123c 456c 77c 89c", False),  # waiting: one honor now, two with the tile
        (
            "(NNN) 111c 444c 66c RR",
            True,
        ),  # waiting for the red dragon: red, own wind, one suit and honors, no runs
        (64, False),  # a bare score shows no excuse
    ],
)
def test_harrs_excuses(discarder, excused):
    settlement = settled(ONE_SUIT, discarder, "harr-limit")
    assert pays_all(settlement) is not excused
    if excused:
        assert any("excused" in remark for remark in settlement.remarks)


@pytest.mark.parametrize(
    ("winner", "discarder", "excused"),
    [
        (ONE_SUIT, "(123c)(456c) 777c 88c99c", True),  # first rank against first
        (ONE_SUIT, "(EEE)(NNN) SSS Ww 345c", True),  # three sets of winds with his own, and the fourth: first
        (ONE_SUIT, "(EEE)(NNN) SSS Ww 346c", False),  # the same, not waiting
        (ONE_SUIT, "(111c)(999b) 999c EE SS", False),  # third rank against first
        (HEADS, "(123b)(456b) 777b 44b66b", True),
        (HEADS, "(111c)(111b)(999b) RR GG", True),  # third against third
        (HEADS, "(RRR)(GGG) WWd 123c 44c", True),  # second against third
        (DRAGONS, "(111c)(111b)(999b) EE SS", False),  # third rank against second
        (DRAGONS, "(EEE)(SSS) NN Ww Ww 34c 5c", True),  # second against second
        (DRAGONS, IDLE + " !nochoice", True),
        (ONE_SUIT, "(RRR)(NNN) 123c 45c 66c", False),  # one suit but for honors is no excuse
    ],
)
def test_babcocks_ranks(winner, discarder, excused):
    settlement = settled(winner, discarder, "babcock-chinese")
    assert pays_all(settlement) is not excused, settlement.remarks


def test_insurance_is_an_option():
    assert not pays_all(settled(ONE_SUIT, IDLE, "babcock-chinese", insurance=False))
    assert not pays_all(settled(ONE_SUIT, IDLE, "babcock"))
    assert not pays_all(settled(ONE_SUIT, IDLE, "harr"))


def test_any_waiting_hand_excuses_by_the_new_method():
    waiting = "123c 456b 777c 88c 45b"
    assert pays_all(settled(ONE_SUIT, waiting, "babcock-chinese"))
    new = settled(ONE_SUIT, waiting, "babcock-chinese", new_method=True)
    assert not pays_all(new)
    liable = settled(ONE_SUIT, IDLE, "babcock-chinese", new_method=True)
    # his own double, and the others' single
    assert liable.scores["W"] == 224
    assert liable.net == {"W": 4 * 224, "N": -4 * 224, "E": 0, "S": 0}


def test_an_earlier_discard_after_a_draw():
    """He pays half of what the others lose, who bear the other half (Babcock p. 75-76)."""
    settlement = settled("(111d)(234d)(567d) 88d9d9d +9d!earlier:N", IDLE, "babcock-chinese")
    assert settlement.scores["W"] == 272
    assert settlement.net == {"W": 4 * 272, "E": -272, "S": -136, "N": -272 - 272 - 136}


def test_an_earlier_discard_and_a_last_one_share_the_whole():
    settlement = settled("(111d)(234d)(567d) 88d9d9d <9d:S!earlier:N", IDLE, "babcock-chinese")
    assert settlement.scores["W"] == 224
    assert settlement.net == {"W": 896, "E": 0, "S": -448, "N": -448}
    alone = settled("(111d)(234d)(567d) 88d9d9d <9d:N!earlier:N", IDLE, "babcock-chinese")
    assert alone.net == {"W": 896, "E": 0, "S": 0, "N": -896}


def test_an_earlier_discard_to_a_hand_that_became_none():
    settlement = settled("(111d)(234d)(567d) 88d R R +R!earlier:N", IDLE, "babcock-chinese")
    assert len(settlement.payments) >= 4
    assert any("earlier discard" in remark for remark in settlement.remarks)


def test_four_sets_from_one_player():
    fed = "(123b)(456b)(789c)(111d) 5c <5c:N!allfrom:S"
    assert len(settled(fed, IDLE, "babcock-chinese").payments) >= 4
    settlement = settled(fed, IDLE, "babcock-chinese", four_sets_from_one=True)
    score = settlement.scores["W"]
    assert settlement.net == {"W": 4 * score, "S": -4 * score, "E": 0, "N": 0}
    wrong = mjscore.settle(
        {"W": fed.replace("allfrom:S", "allfrom:E"), "N": 0, **LOSERS},
        rulebook="babcock-chinese",
        options={"four-sets-from-one": True},
    )
    assert wrong.error is not None
    assert wrong.error.code == "not-on-the-left"
    few = mjscore.settle(
        {"W": fed.replace("(111d)", "111d"), "N": 0, **LOSERS},
        rulebook="babcock-chinese",
        options={"four-sets-from-one": True},
    )
    assert few.error is not None
    assert few.error.code == "not-all-fed"
