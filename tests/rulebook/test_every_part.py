"""Each part of each condition of the rulebooks counts: hands that fail by just one part, and what is seen of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables import table

import mjscore
from mjscore.notation.hands import parse
from mjscore.record.reader import Context, check_file
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.why import not_given

NEIGHBOURS = sorted((Path(__file__).parent / "neighbours").glob("*.mj"))


@pytest.mark.parametrize("path", NEIGHBOURS, ids=lambda path: path.name)
def test_neighbours_of_the_worked_hands(path):
    wrong = [(one.line, one.refusals, one.outcome) for one in check_file(str(path), Context()) if not one.ok]
    assert wrong == []


# of each rulebook the options that are on, or what they are, where nobody says anything
DEFAULTS: dict[str, dict[str, object]] = {
    "harr": {"limit": None},
    "harr-limit": {"limit": 300, "mah-jongg": 10},
    "babcock": {"limit": 300, "players": 4, "seasons": "off", "optional": "none"},
    "babcock-chinese": {
        "limit": 300,
        "players": 4,
        "seasons": "off",
        "optional": "none",
        "mah-jongg": 20,
        "east-passes": "loss",
        "false-win": "half",
        "round-wind": True,
        "insurance": True,
        "four-wind-hand": True,
        "ones-nines-honors": True,
        "four-concealed": True,
    },
    "bmja": {"limit": 1000, "treasure-claimed": True, "gates-claimed": "any"},
    "dmjl": {"limit": 500},
}


@pytest.mark.parametrize("book", RULEBOOKS)
def test_what_is_played_where_nothing_is_said(book):
    options = bind(book).options
    assert {name: value for name, value in options.items() if value is not False} == DEFAULTS[book]


# what an option brings into force that is not so where nothing is said, and what it puts out of force
IN_FORCE = [
    ("harr", {"mandarins": True}, "mandarins", ""),
    ("harr", {"limit": 100}, "score-limit difference-limit", ""),
    ("harr-limit", {"mandarins": True}, "mandarins", ""),
    ("harr-limit", {"limit": "none"}, "", "score-limit difference-limit"),
    ("babcock", {"limit": "none"}, "heaven-without-limit", "score-limit"),
    ("babcock", {"players": 2}, "east-of-two west-of-two", ""),
    ("babcock", {"players": 3}, "three-players", ""),
    ("babcock", {"players": 5}, "fifth-player", ""),
    ("babcock", {"progressive": True}, "every-hand-passes", ""),
    ("babcock", {"seasons": "on"}, "seasons series-of-seasons own-season", ""),
    ("babcock", {"seasons": "shanghai"}, "seasons series-of-seasons both-own-seasons", ""),
    ("babcock", {"four-wind-hand": True}, "four-wind-hand", ""),
    ("babcock", {"ones-nines-honors": True}, "ones-nines-honors", ""),
    ("babcock", {"nine-gates": True}, "nine-gates", ""),
    ("babcock", {"four-fours": True}, "four-fours", ""),
    ("babcock", {"three-concealed": True}, "three-concealed", ""),
    ("babcock", {"four-concealed": True}, "four-concealed", ""),
    ("babcock", {"thirteen-orphans": True}, "thirteen-orphans", ""),
    ("babcock", {"seven-twins": True}, "seven-twins", ""),
    (
        "babcock",
        {"doubling-bonuses": True},
        "loose-tile-doubles no-runs-doubles stealing-the-fourth-doubles last-tile-doubles no-other-score-doubles",
        "loose-tile no-runs stealing-the-fourth last-tile no-other-score",
    ),
    ("babcock", {"drawn-no-score": True}, "drawn-no-score", ""),
    ("babcock-chinese", {"round-wind": False}, "", "round-wind"),
    ("babcock-chinese", {"nine-wins": True}, "ninth-win", ""),
    ("babcock-chinese", {"new-method": True}, "discarder-double waiting-new-method", "east-double"),
    ("babcock-chinese", {"limit-cancels": True}, "limit-cancels", ""),
    # nothing is at a limit where there is none
    (
        "babcock-chinese",
        {"limit-cancels": True, "limit": "none"},
        "all-honors heaven-without-limit",
        "score-limit",
    ),
    ("babcock-chinese", {"nearest-ten": True}, "nearest-ten", ""),
    ("babcock-chinese", {"nine-mummies": True}, "nine-mummies", ""),
    ("babcock-chinese", {"nine-mummies": True, "nine-mummies-bonus": True}, "nine-mummies-bonus", ""),
    ("babcock-chinese", {"not-touching": True}, "not-touching", ""),
    ("babcock-chinese", {"long-hand-pays-limit": True}, "long-hand", ""),
    ("babcock-chinese", {"false-win": "100"}, "false-win-100", "false-win-half"),
    ("babcock-chinese", {"false-win": "limit"}, "false-win-limit", "false-win-half"),
    ("babcock-chinese", {"east-passes": "winner"}, "winner-takes-east", ""),
    (
        "babcock-chinese",
        {"insurance": False},
        "",
        "insured-dragons insured-one-suit insured-winds insured-heads",
    ),
    ("babcock-chinese", {"four-sets-from-one": True}, "four-sets-from-one", ""),
    ("bmja", {"limit": "none"}, "", "score-limit"),
    ("bmja", {"one-pair-of-suits": True}, "knitting-of-two-suits", "knitting"),
    (
        "bmja",
        {"cannon": True},
        "reckless-one-suit reckless-heads reckless-greens reckless-winds no-choice",
        "",
    ),
    ("dmjl", {"limit": "none"}, "all-honors-double", "score-limit"),
]


@pytest.mark.parametrize(("book", "options", "brought", "put_out"), IN_FORCE)
def test_what_an_option_brings_into_force(book, options, brought, put_out):
    """Without it, it stands on no card, settles nothing, and nobody is told why he was not given it."""
    usual, entries = bind(book).entries, bind(book, options).entries
    assert [name for name in entries if name not in usual] == brought.split()
    assert [name for name in usual if name not in entries] == put_out.split()


# North discards the tile with which West wins
ONE_SUIT = "(111d)(234d)(567d) 88d 99d <9d:N"
HEADS = "(111d)(999c)(EEE) SS NN <N:N"
DRAGONS = "(RRR)(GGG) 123b 44c WWd <Wd:N"
WINDS = "(EEE)(SSS)(WWWw) 22b NN <N:N"
IDLE = "147b 258c 369d 1c 5c 9c 5b"
# by which rulebook, the two hands, and whether North pays for all
PAYS_FOR_ALL = [
    # Harr p. 68
    ("harr-limit", ONE_SUIT, IDLE, True),
    ("harr-limit", "(111d)(234d) 567d 88d 99d <9d:N", IDLE, False),  # two sets of dots on the table
    ("harr-limit", "(111d)(234d)(567d) 99d EE <9d:N", IDLE, False),  # all one suit but for honors
    ("harr-limit", HEADS, IDLE, True),
    ("harr-limit", "(111d)(999c) EEE SS NN <N:N", IDLE, False),  # two sets of heads on the table
    ("harr-limit", "(111d)(999c)(EEE) SS 22b <S:N", IDLE, False),  # and a pair of twos
    ("harr-limit", DRAGONS, IDLE, True),
    ("harr-limit", "(RRR) GGG 123b 44c WWd <Wd:N", IDLE, False),  # one set of dragons on the table
    ("harr-limit", "(RRR)(GGG) 123b 456c Wd <Wd:N", IDLE, False),  # the third dragon for the pair
    ("harr-limit", "(RRR)(GGG) WWWd 23b 44c <1b:N", IDLE, False),  # it is in the hand already
    ("harr-limit", WINDS, IDLE, True),
    ("harr-limit", "(SSS)(WWWw) NNN 22b EE <E:N", IDLE, False),  # two sets of winds on the table
    ("harr-limit", "(EEE)(SSS)(NNN) 22b 34d <5d:N", IDLE, False),  # the discard is no wind
    ("harr-limit", "(EEE)(SSS)(NNN) 345b Ww <Ww:N", IDLE, True),  # the fourth wind for the pair
    ("harr-limit", ONE_SUIT, "(RRR)(NNN) 123c 45c 66b", False),  # excused: waiting, two honors
    ("harr-limit", ONE_SUIT, "(RRR)(NNN) 123c 47c 66b", True),  # not waiting
    ("harr-limit", ONE_SUIT, "(RRR)(NNN)(GGG) 47c 66b", True),  # not waiting, three honors
    ("harr-limit", ONE_SUIT, "(RRR) 123c 456b 77c 89c", True),  # waiting, one honor
    ("harr-limit", ONE_SUIT, "(RRR) NN 99c 123c 456c", False),  # waiting for a third double
    ("harr-limit", ONE_SUIT, "(RRR) NN 99c 123c 456c ...", True),  # given in part, so nobody knows
    # Babcock p. 74-76
    ("babcock-chinese", ONE_SUIT, IDLE, True),
    ("babcock-chinese", "(111d)(234d) 567d 88d 99d <9d:N", IDLE, False),
    ("babcock-chinese", "(111d)(234d)(567d) 99d EE <9d:N", IDLE, False),
    ("babcock-chinese", HEADS, IDLE, True),
    ("babcock-chinese", "(111d)(999c) EEE SS NN <N:N", IDLE, False),
    ("babcock-chinese", "(111d)(999c)(EEE) SS 22b <S:N", IDLE, False),
    ("babcock-chinese", DRAGONS, IDLE, True),
    ("babcock-chinese", "(RRR) GGG 123b 44c WWd <Wd:N", IDLE, False),
    ("babcock-chinese", "(RRR)(GGG) 123b 456c Wd <Wd:N", IDLE, False),
    ("babcock-chinese", "(RRR)(GGG) WWWd 23b 44c <1b:N", IDLE, False),
    ("babcock-chinese", WINDS, IDLE, True),
    ("babcock-chinese", "(SSS)(WWWw) NNN 22b EE <E:N", IDLE, False),
    ("babcock-chinese", "(EEE)(SSS)(WWWw) 22b 34d <5d:N", IDLE, False),
    ("babcock-chinese", "(SSS)(WWWw)(NNN) 345b E <E:N", IDLE, True),  # a Four Wind Hand with a pair
    ("babcock-chinese", "(EEE)(SSS)(NNN) 345b Ww <Ww:N", IDLE, False),  # none: his own are the pair
    # p. 77: hands of the first rank that wait, and neighbours of these
    ("babcock-chinese", ONE_SUIT, "(123c)(456c) 777c 88c 99c", False),
    ("babcock-chinese", ONE_SUIT, "(123c)(456c) 11c 44c 77c 9c", True),  # one suit, not waiting
    ("babcock-chinese", ONE_SUIT, "(123c)(456c) 777c 88c RR", True),  # not all one suit
    ("babcock-chinese", ONE_SUIT, "(EEE)(SSS)(NNN) Ww 123c", False),  # three sets of winds and the fourth
    ("babcock-chinese", ONE_SUIT, "(SSS)(WWWw)(NNN) E 123c", False),  # his own, not those of the round
    ("babcock-chinese", ONE_SUIT, "(EEE)(SSS)(WWWw) N 123c", True),  # not his own
    ("babcock-chinese", ONE_SUIT, "(EEE)(SSS)(NNN) Ww 159c", True),  # not waiting
    ("babcock-chinese", ONE_SUIT, "(EEE)(SSS)(NNN) 5b 123c", True),  # nothing of the fourth
    ("babcock-chinese", ONE_SUIT, "(SSS)(NNN) EE Ww Ww 123c", True),  # two sets and two pairs: second rank
    ("babcock-chinese", WINDS, "(RRR)(GGG) WWd 123c 45c", True),  # second rank against first
    # of the second rank
    ("babcock-chinese", DRAGONS, "(EEE)(SSS) NN Ww Ww 123c", False),
    ("babcock-chinese", DRAGONS, "(EEE)(SSS) NN Ww Ww 15c 9b", True),  # not waiting
    ("babcock-chinese", DRAGONS, "(EEE)(SSS) NN 123c 45c", True),  # the fourth wind is lacking
    ("babcock-chinese", DRAGONS, "(EEE)(SSS) 123c 456c 7c", True),  # the third too
    ("babcock-chinese", DRAGONS, "(999b)(111b) 999d 111c E", True),  # third rank against second
    ("babcock-chinese", HEADS, "(RRR)(GGG) WWd 123c 45c", False),
    ("babcock-chinese", HEADS, "(RRR)(GGG)(WWWd) 123c 4c", False),
    ("babcock-chinese", HEADS, "(RRR)(GGG) WWd 15c 2d 69b", True),  # not waiting
    ("babcock-chinese", HEADS, "(RRR)(GGG) 123c 456b 7d", True),  # nothing of the third dragon
    ("babcock-chinese", HEADS, "(RRR) GG WWd 123c 456b", True),  # one set and two pairs
    # of the third rank
    ("babcock-chinese", HEADS, "(999b)(111b) 999d 111c R", False),
    ("babcock-chinese", HEADS, "(999b)(111b) 1c 9d R G Wd Ww Ww", True),  # not waiting
    ("babcock-chinese", HEADS, "(RRR) 123b 45b 66c 789c", True),  # not all ones, nines and honors
    # British: the cannon
    ("bmja", "(222b)(345b)(777b) 88b 55b <8b:N", IDLE, True),
    ("bmja", "(222c)(345c)(777c) 88c RR <8c:N", IDLE, True),  # one suit but for honors
    ("bmja", "(222c)(345c)(777c) 88c RR <R:N", IDLE, False),  # the discard is an honor
    ("bmja", "(222c)(345c)(777c) 88d 55d <8d:N", IDLE, False),  # two suits
    ("bmja", "(222b)(345b) 777b 88b 55b <8b:N", IDLE, False),  # two sets on the table
    ("bmja", "(111b)(999c)(111d) 99b 55b <9b:N", IDLE, True),
    ("bmja", "(111b)(999c) 111d 99b 55b <9b:N", IDLE, False),  # two sets of ones and nines on the table
    ("bmja", "(111b)(999c)(111d) 88b 55b <8b:N", IDLE, False),  # the discard is an eight
    ("bmja", "(222b)(GGG)(666b) 88b 55c <8b:N", IDLE, True),
    ("bmja", "(222b)(GGG) 666b 88b 55c <8b:N", IDLE, False),  # two green sets on the table
    ("bmja", "(222b)(GGG)(666b) 88b 77d <7d:N", IDLE, False),  # the discard is not green
    ("bmja", "(EEE)(SSS)(WWWw) NN 55c <N:N", IDLE, True),
    ("bmja", "(EEE)(SSS) WWWw NN 55c <N:N", IDLE, False),  # two sets of winds on the table
    ("bmja", "(EEE)(SSS)(WWWw) 88b 55c <8b:N", IDLE, False),  # the discard is no wind
    # whoever misnames the tile pays, though he had no other
    ("bmja", "(123b)(444c)(777d) 88b 55c <8b:N!misnamed", "(234b)(567c)(789b) 1367d !nochoice", True),
    ("bmja", "(EEE)(SSS)(WWWw) NN 55c <N:N", "(234b)(567c)(789b) 1367d !nochoice", False),
    # German: the dangerous game
    ("dmjl", "(222b)(GGG)(666b) 88b 55c <8b:N", IDLE, True),
    ("dmjl", "(222b)(GGG) 666b 88b 55c <8b:N", IDLE, False),
    ("dmjl", "(222b)(GGG)(777b) 88b 55c <8b:N", IDLE, False),  # one of the sets is not all green
    ("dmjl", "(222b)(GGG)(666b) 88b 77d <7d:N", IDLE, False),
    *(
        (
            "dmjl",
            f"(222{suit})(345{suit})(777{third}) 88{pair} RR <8{pair}:N",
            "(EEE)(SSS) 147b 258c 3d",
            pays,
        )
        for suit, other in ("bc", "cd", "db")
        # of another suit is the third set on the table, or the discard
        for third, pair, pays in ((suit, suit, True), (other, suit, False), (suit, other, False))
    ),
    ("dmjl", "(222c)(345c) 777c 88c RR <8c:N", IDLE, False),
    ("dmjl", "(111b)(999c)(111d) 99b 55b <9b:N", IDLE, True),
    ("dmjl", "(111b)(999c) 111d 99b 55b <9b:N", IDLE, False),
    ("dmjl", "(111b)(999c)(222d) 99b 55b <9b:N", IDLE, False),  # one set of twos
    ("dmjl", "(111b)(999c)(111d) 88b 55b <8b:N", IDLE, False),
    ("dmjl", "(EEE)(SSS)(WWWw) NN 55c <N:N", IDLE, True),
    ("dmjl", "(EEE)(SSS)(WWWw) 88b 55c <8b:N", IDLE, False),
    ("dmjl", "(RRR)(GGG) 234c 55b WWd <Wd:N", IDLE, True),
    ("dmjl", "(RRR) GGG 234c 55b WWd <Wd:N", IDLE, False),  # one set of dragons on the table
    ("dmjl", "(RRR)(GGG) 234c 88b 55c <8b:N", IDLE, False),  # the discard is no dragon
    ("dmjl", "(RRR)(EEE)(NNN) 55b WWw <Ww:N", IDLE, True),
    ("dmjl", "(RRR)(EEE) NNN 55b WWw <Ww:N", IDLE, False),  # two sets of honors on the table
    ("dmjl", "(RRR)(EEE)(444c) 55b WWw <Ww:N", IDLE, False),  # and one of fours
    ("dmjl", "(RRR)(EEE)(NNN) 88b 55c <8b:N", IDLE, False),  # the discard is an eight
    ("dmjl", "(RRR)(EEE)(NNN) 55b WWw <Ww:N", "(234b)(567c)(789b) 1367d !nochoice", False),
]
SAID = {"bmja": {"cannon": True}}


@pytest.mark.parametrize(("book", "winner", "discarder", "pays"), PAYS_FOR_ALL)
def test_who_pays_for_all(book, winner, discarder, pays):
    hands = {"W": winner, "N": discarder, "E": 10, "S": 20}
    settlement = mjscore.settle(hands, rulebook=book, options=SAID.get(book))
    assert settlement.error is None, settlement.error.render()
    assert ({one.payer for one in settlement.payments} == {"N"}) is pays, settlement.remarks


def test_four_pairs_of_winds_excuse_nobody_though_they_wait():
    """Babcock p. 77 asks for two sets of winds; the Seven Twins wait for their last with none."""
    hands = {"W": DRAGONS, "N": "EE SS Ww Ww NN 11b 22c 3c", "E": 10, "S": 20}
    settlement = mjscore.settle(hands, rulebook="babcock-chinese", options={"seven-twins": True})
    assert {one.payer for one in settlement.payments} == {"N"}


@table
@pytest.mark.parametrize("book", ["harr-limit", "babcock-chinese"])
def test_who_holds_another_tile_had_a_choice(book, winner, discarder):
    """D42: a tile that nobody is insured against."""
    error = mjscore.settle({"W": winner, "N": discarder, "E": 10, "S": 20}, rulebook=book).error
    assert error is not None
    assert error.code == "other-tile"


# what a hand that has nothing is not given because it did not win
WINNERS_ALONE = [
    ("harr", {}, "mah-jongg no-runs loose-tile only-place no-other-score"),
    (
        "harr-limit",
        {},
        "mah-jongg no-other-score one-suit-and-honors no-runs one-suit last-tile loose-tile fourth-of-exposed-three "
        "heads-only four-winds three-winds-and-a-pair four-fours three-dragons",
    ),
    (
        "babcock",
        {},
        "mah-jongg loose-tile only-place no-runs stealing-the-fourth last-tile no-other-score lucky-thirteen",
    ),
    (
        "babcock",
        {"optional": "all"},
        "mah-jongg only-place three-concealed loose-tile-doubles no-runs-doubles stealing-the-fourth-doubles "
        "last-tile-doubles no-other-score-doubles lucky-thirteen four-wind-hand ones-nines-honors nine-gates "
        "four-fours four-concealed",
    ),
    (
        "babcock-chinese",
        {},
        "mah-jongg loose-tile only-place no-runs stealing-the-fourth last-tile no-other-score one-suit-and-honors "
        "one-suit lucky-thirteen four-wind-hand ones-nines-honors four-concealed all-honors-limit three-dragons",
    ),
    (
        "bmja",
        {},
        "mah-jongg no-runs one-suit-and-honors ones-nines-honors all-concealed loose-tile last-tile last-discard "
        "stealing-the-fourth original-call-of-the-winner purity purity-on-the-last-discard buried-treasure heads-only "
        "imperial-jade all-honors three-dragons four-winds four-fours plum-blossom moon twofold-fortune",
    ),
    (
        "dmjl",
        {"limit": "none"},
        "mah-jongg only-place no-other-score no-runs all-concealed one-suit-and-honors one-suit ones-nines-honors "
        "all-honors-double loose-tile last-tile last-discard stealing-the-fourth original-call concealed-one-suit "
        "all-honors four-concealed heads-only four-fours three-dragons four-winds imperial-jade squirming-snake "
        "plum-blossom moon carrying-pole twofold-fortune",
    ),
]


@pytest.mark.parametrize(("book", "options", "names"), WINNERS_ALONE)
def test_what_only_a_winner_gets_is_denied_by_that(book, options, names):
    rulebook = bind(book, options)
    reasons = not_given(score_hand(parse(f"S: {IDLE}"), rulebook), rulebook)
    assert [reason.rule for reason in reasons if reason.why == "the hand did not win"] == names.split()


@table
def test_nobody_is_told_of_a_hand_that_is_not_played(two_suits, why):
    rulebook = bind("bmja", {"one-pair-of-suits": two_suits})
    reasons = not_given(score_hand(parse(f"S: {IDLE}"), rulebook), rulebook)
    assert [reason.why for reason in reasons if reason.rule == "fishing-knitting"] == [why]


MIXED = "the drawn tile was put among the others"
AS_DEALT = "the hand was won as dealt"


@table
def test_what_is_forfeited_is_denied_by_that(book, options, hand, rule, why):
    """D12, and D62 (Babcock p. 33)."""
    rulebook = bind(book, options)
    reasons = not_given(score_hand(parse(hand), rulebook), rulebook)
    assert [reason.why for reason in reasons if reason.rule == rule] == [why]


def test_a_purity_on_the_last_discard_is_not_the_other_one_too():
    sheet = mjscore.score("E@S: [8888c] 333c 666c 22c 55c <5c!last", "bmja")
    assert [claim.rule for claim in sheet.claims] == ["purity-on-the-last-discard"]
