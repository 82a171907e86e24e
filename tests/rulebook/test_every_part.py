"""Each part of each condition of the rulebooks counts: hands that fail by just one part, and what is seen of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables import rows, table

import mjscore
from mjscore.notation.hands import parse
from mjscore.record.checker import check_file
from mjscore.record.context import Context
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS
from mjscore.scoring.reasons import not_given
from mjscore.scoring.scorer import score_hand

NEIGHBOURS = sorted((Path(__file__).parent / "neighbours").glob("*.mj"))


@pytest.mark.parametrize("path", NEIGHBOURS, ids=lambda path: path.name)
def test_neighbours_of_the_worked_hands(path):
    wrong = [(one.line, one.refusals, one.outcome) for one in check_file(str(path), Context()) if not one.ok]
    assert wrong == []


@table
def test_what_is_played_where_nothing_is_said(book, played):
    options = bind(book).options
    assert {name: value for name, value in options.items() if value is not False} == played


def test_every_rulebook_is_among_them():
    _, told = rows(__file__, "what_is_played_where_nothing_is_said")
    assert [book for book, _ in told] == list(RULEBOOKS)


@table
def test_what_an_option_brings_into_force(book, options, brought, put_out):
    """Without it, it stands on no card, settles nothing, and nobody is told why he was not given it."""
    usual, entries = bind(book).entries, bind(book, options).entries
    assert [name for name in entries if name not in usual] == brought.split()
    assert [name for name in usual if name not in entries] == put_out.split()


DRAGONS = "(RRR)(GGG) 123b 44c WWd <Wd:N"
IDLE = "147b 258c 369d 1c 5c 9c 5b"
SAID = {"bmja": {"cannon": True}}


@table
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
def test_what_only_a_winner_gets_is_denied_by_that(book, options, names):
    rulebook = bind(book, options)
    reasons = not_given(score_hand(parse(f"S: {IDLE}"), rulebook), rulebook)
    assert [reason.rule for reason in reasons if reason.why == "the hand did not win"] == names.split()


@table
def test_nobody_is_told_of_a_hand_that_is_not_played(two_suits, why):
    rulebook = bind("bmja", {"one-pair-of-suits": two_suits})
    reasons = not_given(score_hand(parse(f"S: {IDLE}"), rulebook), rulebook)
    assert [reason.why for reason in reasons if reason.rule == "fishing-knitting"] == [why]


@table
def test_what_is_forfeited_is_denied_by_that(book, options, hand, rule, why):
    """D12, and D62 (Babcock p. 33)."""
    rulebook = bind(book, options)
    reasons = not_given(score_hand(parse(hand), rulebook), rulebook)
    assert [reason.why for reason in reasons if reason.rule == rule] == [why]


def test_a_purity_on_the_last_discard_is_not_the_other_one_too():
    sheet = mjscore.score("E@S: [8888c] 333c 666c 22c 55c <5c!last", "bmja")
    assert [claim.rule for claim in sheet.claims] == ["purity-on-the-last-discard"]
