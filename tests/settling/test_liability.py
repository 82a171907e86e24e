"""The reckless discard (Harr p. 68-70) and insurance (Babcock p. 74-79): every case and every excuse."""

from __future__ import annotations

import pytest
from checks import check_text
from tables import table

import mjscore
from mjscore.settling.liability import Liable

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


@table
@pytest.mark.parametrize("rulebook", ["harr-limit", "babcock-chinese"])
def test_cases_that_nearly_are(winner, rulebook):
    settlement = settled(winner, IDLE, rulebook)
    assert not pays_all(settlement)
    assert len(settlement.payments) >= 4


@table
def test_harrs_excuses(discarder, excused):
    settlement = settled(ONE_SUIT, discarder, "harr-limit")
    assert pays_all(settlement) is not excused
    if excused:
        (remark,) = settlement.remarks
        why = remark.partition("North is excused: ")[2]
        assert why.startswith("He had no other tile") is ("!nochoice" in discarder)


@table
def test_babcocks_ranks(winner, discarder, excused):
    settlement = settled(winner, discarder, "babcock-chinese")
    assert pays_all(settlement) is not excused, settlement.remarks


@table
def test_who_pays_for_all(rulebook, options, winner, discarder, pays, said):
    settlement = settled(winner, discarder, rulebook, **options)
    assert pays_all(settlement) is pays
    assert said is None or said in " ".join(settlement.remarks)
    assert said != "" or not settlement.remarks


def test_who_pays_for_all_by_the_new_method():
    liable = settled(ONE_SUIT, IDLE, "babcock-chinese", new_method=True)
    # his own double, and the others' single
    assert liable.scores["W"] == 224
    assert liable.net == {"W": 4 * 224, "N": -4 * 224, "E": 0, "S": 0}


DOTS = "(111d)(234d)(567d)(999d) 8d"


@table
def test_a_tile_fed_earlier(winner, net):
    settlement = settled(winner, 64, "babcock-chinese")
    assert settlement.net == {**net, "W": -sum(net.values())}
    if "earlier:N" in winner and settlement.net["S"] > -1200:
        assert any("could not be checked" in remark for remark in settlement.remarks)


def test_a_last_discarder_who_is_excused_leaves_the_earlier_one_alone():
    """South waits with one suit, so North pays as after a harmless discard."""
    hands = {"W": DOTS + " <8d:S!earlier:N", "N": 64, "E": 10, "S": "(123c)(456c) 777c 88c99c"}
    settlement = mjscore.settle(hands, rulebook="babcock-chinese")
    assert settlement.net == {"W": 960, "E": -240, "S": -120, "N": -600}


@table
def test_shares_are_even_numbers(limit, winner, net):
    assert settled(winner, 64, "babcock-chinese", limit=limit).net == net


def test_the_new_method_counts_in_what_is_shared():
    """The last discarder would have paid double: 240 + 240 + 480."""
    settlement = settled(DOTS + " <8d:S!earlier:N", 64, "babcock-chinese", new_method=True)
    assert settlement.net == {"W": 960, "E": 0, "S": -480, "N": -480}


@table
def test_an_earlier_discard_that_the_tiles_contradict(winner):
    """D78: the sets that were insured against lie there before it, and one that it can have made."""
    for error in (
        mjscore.score(f"W: {winner}", "babcock-chinese").error,
        mjscore.settle({"W": winner, "N": 0, **LOSERS}, rulebook="babcock-chinese").error,
    ):
        assert error.code in ("not-fed-earlier", "not-a-winning-hand")
        assert error.column is not None
    # it means nothing where nothing is insured, and nothing is said of it
    assert mjscore.settle({"W": DOTS + " +8d!earlier:N", "N": 0, **LOSERS}, rulebook="babcock").remarks == ()
    other = mjscore.score(f"W: {winner}", "babcock").error
    assert other is None or other.code == "not-a-winning-hand"


@pytest.mark.parametrize("feeder", ["E", "S", "N"])
@table
def test_a_run_is_fed_by_the_player_on_the_left_alone(winner, from_the_left_only, feeder):
    """D78: nobody else can."""
    hand = winner.replace("88d 999d +9d", "(789d) 9d +9d") + f"!earlier:{feeder}"
    error = mjscore.score(f"W: {hand}", "babcock-chinese").error
    settlement = mjscore.settle({"W": hand, "N": 0, **LOSERS}, rulebook="babcock-chinese")
    if not from_the_left_only or feeder == "S":
        assert error is settlement.error is None
        assert len(settlement.payments) == 3
        return
    assert error is not None and settlement.error is not None  # noqa: PT018
    assert (error.code, settlement.error.code) == ("not-fed-earlier", "not-fed-earlier")
    assert error.message == "only the player on the winner's left can feed a chow: South"
    assert error.hint.startswith("type !earlier:S, or leave it out")


def test_on_the_left_of_east_sits_the_last_who_plays():
    hand = "E: (123d)(234d)(567d)(789d) 9d +9d!earlier:"
    for options, left in (({}, "N"), ({"players": 3}, "N"), ({"players": 2}, "W")):
        error = mjscore.score(hand + left, "babcock-chinese", options=options).error
        assert error is None or error.code == "may-not-win", error
    assert mjscore.score(hand + "S", "babcock-chinese").error is not None


def test_of_two_liabilities_the_one_by_which_who_fed_nothing_pays_least():
    """D74: North and South share a hand of heads; South's dragons, fed before, would cost East half of 600."""
    winner = "(RRR)(GGG)(WWWd)(111b) 9c <9c:N!earlier:S"
    settlement = settled(winner, IDLE.replace("9c", "8c"), "babcock-chinese")
    assert settlement.net == {"W": 1200, "E": 0, "S": -600, "N": -600}


@table
def test_nobody_is_liable_for_a_limit_hand_that_is_not_played(option, winner, made):
    """D74, Babcock p. 76."""
    assert pays_all(settled(winner, IDLE, "babcock-chinese"))
    assert pays_all(settled(winner, IDLE, "babcock-chinese", **{option: False})) is not made
    earlier = winner.replace("SS NN <N:N", "(SSS) N +N").replace("22b Ww Ww <Ww:N", "(WWWw) 2b +2b")
    earlier += "!earlier:N"
    assert len(settled(earlier, 64, "babcock-chinese").payments) == 3
    rows = {"W": earlier, "N": 64, **LOSERS}
    settlement = mjscore.settle(rows, rulebook="babcock-chinese", options={option.replace("_", "-"): False})
    if option == "ones_nines_honors":  # then nobody was insured against these sets
        assert settlement.error.code == "not-fed-earlier"
    else:
        assert len(settlement.payments) == (6 if made else 3)


def test_who_fed_all_four_sets_pays_where_another_would_be_liable_as_well():
    """D75: whoever discards the winning tile."""
    winner = "(111d)(222d)(345d)(678d) 9d <9d:N!allfrom:S"
    assert settled(winner, IDLE.replace("9d", "8b"), "babcock-chinese").net == {
        "W": 896,
        "N": -896,
        "E": 0,
        "S": 0,
    }
    settlement = settled(winner, IDLE.replace("9d", "8b"), "babcock-chinese", four_sets_from_one=True)
    assert settlement.net == {
        "W": 4 * settlement.scores["W"],
        "S": -4 * settlement.scores["W"],
        "E": 0,
        "N": 0,
    }


def test_an_earlier_discard_to_a_hand_that_became_none():
    """Four sets of dots lie there, and the pair is none: no penalty (Babcock p. 76)."""
    settlement = settled(
        "(111d)(234d)(567d)(999d) R +R!earlier:N", IDLE.replace("9d", "8d"), "babcock-chinese"
    )
    assert len(settlement.payments) >= 4
    assert any("earlier discard" in remark for remark in settlement.remarks)


@table
@pytest.mark.parametrize("rulebook", ["harr-limit", "babcock-chinese"])
def test_another_tile_to_discard(winner, discarder, rulebook):
    """D42, D78: he holds a tile that nobody is insured against."""
    error = mjscore.settle({"W": winner, "N": discarder, **LOSERS}, rulebook=rulebook).error
    assert error.code == "other-tile"


@table
@pytest.mark.parametrize("rulebook", ["harr-limit", "babcock-chinese"])
def test_what_could_not_be_looked_at_is_said(discarder, said, rulebook):
    settlement = settled(HEADS.replace("(111d)", "(111b)") if said == "x" else ONE_SUIT, discarder, rulebook)
    assert pays_all(settlement)
    looked = [remark for remark in settlement.remarks if "excuse" in remark]
    assert [said in remark for remark in looked] == ([True] if said else [])


def test_of_two_rules_the_one_hardest_to_excuse_is_cited():
    """The fourth wind is also a head to three sets of heads."""
    heads_and_winds = WINDS.replace("22b", "11b").replace(":N", "")
    (remark,) = settled(heads_and_winds, 0, "babcock-chinese").remarks
    assert remark.startswith("Discarded a wind to three sets of winds")


def test_a_hand_with_a_flag_of_the_rulebook_may_excuse(house):
    late = '[[flag]]\nid = "late"\ntitle = "Late"\nfollows = ["drawn", "claimed", "lost"]\nsource = "ours"'
    for flags in ("", " !late"):
        settlement = settled(ONE_SUIT, f"(RRR)(NNN) 123c 45c 66c{flags}", house(late, "harr-limit"))
        assert not pays_all(settlement)


def test_who_pays_for_all_is_called_by_name_in_an_evening():
    rows = f"  Cid: {ONE_SUIT}\n  Dee: 0\n  Ann: 10\n  Ben: 20\n"
    text = f"rulebook harr-limit\nplayers Ann Ben Cid Dee\nhand\n{rows}"
    (one,) = check_text(text)
    assert any(remark.startswith("Dee pays for all: ") for remark in one.outcome.remarks)


def test_a_dead_row_cannot_be_waiting_either():
    text = f"rulebook harr-limit\nhand\n  W: {ONE_SUIT}\n  N: dead\n  E: 10\n  S: 20\n"
    (table,) = check_text(text)
    assert any("cannot be waiting" in remark for remark in table.outcome.remarks)


def test_own_wind_in_its_own_round_is_two_doubling_honors():
    """D42: the one combination that doubles twice excuses by itself."""
    hands = {"W@N": ONE_SUIT, "N": "(NNN) 123c 456c 55b 67b", **LOSERS}
    text = "rulebook harr-limit\nhand @{}\n" + "".join(f"  {seat[0]}: {row}\n" for seat, row in hands.items())
    for round_wind, excused in (("N", True), ("S", False)):
        (table,) = check_text(text.format(round_wind))
        assert table.refusals == ()
        assert pays_all(table.outcome) is not excused


def test_four_sets_from_one_player():
    fed = "(123b)(456b)(789c)(111d) 5c <5c:N!allfrom:S"
    assert len(settled(fed, IDLE, "babcock-chinese").payments) >= 4
    unsaid = settled(fed.replace("!allfrom:S", ""), IDLE, "babcock-chinese", four_sets_from_one=True)
    assert (len(unsaid.payments) >= 4, unsaid.remarks) == (True, ())
    settlement = settled(fed, IDLE, "babcock-chinese", four_sets_from_one=True)
    score = settlement.scores["W"]
    assert settlement.net == {"W": 4 * score, "S": -4 * score, "E": 0, "N": 0}


@table
def test_four_sets_that_the_tiles_contradict(winner, code):
    """D78: the player on the left, four claimed sets, and the winning tile where it made one of them."""
    options = {"four-sets-from-one": True}
    settlement = mjscore.settle({"W": winner, "N": 0, **LOSERS}, rulebook="babcock-chinese", options=options)
    assert (settlement.error.code if settlement.error else None) == code
    if code is None:
        assert settlement.net["E"] == settlement.net["N"] == 0
    error = mjscore.score(f"W: {winner}", "babcock-chinese").error
    assert (error.code if error else None) == code


RULE = mjscore.load_rulebook("harr-limit").liabilities[0].rule


@table
def test_how_what_is_owed_is_divided(payers, whole, owed, paid):
    """D74: shares are even numbers rounded down, and the first who is liable makes up the whole."""
    assert Liable(RULE, payers, whole).split(owed) == paid


def test_a_discarder_who_is_not_named_is_asked_for_by_the_hardest_rule():
    settlement = settled("(RRR)(GGG)(111b) 99c WWd <Wd", IDLE, "babcock-chinese")
    dragons = mjscore.load_rulebook("babcock-chinese").rules["insured-dragons"]
    (said,) = (remark for remark in settlement.remarks if "name the discarder" in remark)
    assert said.startswith(dragons.title)


def test_no_other_choice_is_not_looked_at_where_nobody_would_pay_for_all():
    harmless = "(111d)(234d) 567d 88d99d <9d:N"
    hands = {"W": harmless, "N": IDLE.replace("9d", "8c") + " !nochoice", **LOSERS}
    assert mjscore.settle(hands, rulebook="harr-limit").error is None


def test_a_dead_hand_excuses_nobody_whatever_it_shows(house):
    """D42, also by an excuse that does not ask for a waiting hand: two tiles short, it scores by the Chinese game."""
    red = (
        '[[excuse]]\nid = "red"\ntitle = "Red"\nsource = "ours"\nrank = 1\nwhen = "pungs(red_dragon) == 1"\n'
    )
    book = house(red, "babcock-chinese")
    alive = "(RRR) 147b 258c 3d 1c 5c 9c"
    assert not pays_all(settled(ONE_SUIT, alive, book))
    assert pays_all(settled(ONE_SUIT, "(RRR) 147b 258c 3d 1c !dead", book))


def test_an_excuse_may_ask_for_any_double_that_a_tile_would_give(house):
    """The most that any waited-for tile gives: none, one for the red dragon's three, or no tile at all."""
    one = (
        '[[excuse]]\nid = "one"\ntitle = "One"\nsource = "ours"\nwhen = "waiting and waiting_doubles >= 1"\n'
    )
    book = house(one, "harr-limit")
    assert pays_all(settled(ONE_SUIT, "(234b)(567c) 678b 11c 23c", book))
    assert not pays_all(settled(ONE_SUIT, "(234b)(567c) 678b 11c RR", book))
