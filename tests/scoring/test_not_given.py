"""Why a hand was not given something, and what else its tiles could have been."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import run_command
from refusals import refusal_of
from tables import table

from mjscore.notation.hands import parse
from mjscore.page.sheets import arrangement_text, show_why
from mjscore.page.text import Style
from mjscore.rulebook.binding import bind
from mjscore.scoring.reasons import not_given, other_arrangements, reasons_json
from mjscore.scoring.scorer import score_hand


def reasons(hand: str, book: str = "harr") -> dict[str, str]:
    rulebook = bind(book)
    return {reason.rule: reason.why for reason in not_given(score_hand(parse(hand), rulebook), rulebook)}


@table
def test_the_reason(hand, book, rule, why):
    assert reasons(hand, book)[rule] == why


def test_what_was_given_is_not_among_it():
    given = {"mah-jongg", "red-dragons"}
    assert not given & set(reasons("(RRR)(789c) 678c 45c 11c <3c"))


@pytest.mark.parametrize("hand", ["147b 258c 369d 1d 4d 7d Ew !dead"])
def test_a_dead_hand_has_no_reasons(hand):
    assert reasons(hand) == {}
    assert other_arrangements(score_hand(parse(hand), bind("harr"), keep_others=True)) == []


def test_of_what_is_given_for_each_the_condition_comes_first():
    found = reasons("(RRR)(222d)(345c) 999b 5c <5c", "bmja")
    assert found["seasons"] == "the hand has no flower or season"


def test_of_what_is_given_for_each_there_may_be_none():
    book = bind("harr", {"mandarins": True})
    for bonus, why in (("", "the hand has none"), ("2f", "the hand has none"), ("1f", None)):
        scored = score_hand(parse(f"E: {bonus} (RRR)(789c) 678c 45c 11c <3c"), book)
        found = {reason.rule: reason.why for reason in not_given(scored, book)}
        assert found.get("mandarins") == why


def test_what_another_entry_took_the_place_of_is_not_missed():
    """Harr p. 67: the own wind doubles once, in its own round twice instead."""
    hand = "E@{}: (EEE)(123c)(456c) 789c S <S"
    assert reasons(hand.format("E"), "harr-limit").keys().isdisjoint({"own-wind", "own-wind-in-its-round"})
    assert "own-wind-in-its-round" in reasons(hand.format("S"), "harr-limit")


def test_a_dead_hand_that_scores_has_none_either():
    """Babcock p. 73: with too few tiles its sets count."""
    book = bind("babcock-chinese")
    scored = score_hand(parse("(RRR) 111b 222b 99c !dead"), book, keep_others=True)
    assert scored.sheet.score > 0
    assert len(scored.others) > 0 or scored.counting is not None
    assert not_given(scored, book) == other_arrangements(scored) == []


def test_a_special_hand_has_no_reasons():
    """Nothing in it is counted (D58)."""
    book = bind("babcock", {"thirteen-orphans": True})
    scored = score_hand(parse("E: 19b19c19d ESWNw RGd Wd +Wd"), book)
    assert scored.sheet.score == 300
    assert not_given(scored, book) == []


def test_other_arrangements_are_those_that_scored_less_the_best_first():
    book = bind("harr")
    scored = score_hand(parse("E: 111222333c 99c 45c +6c"), book, keep_others=True)
    others = other_arrangements(scored)
    scores = [other.score for other in others]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] <= scored.sheet.score
    loser = score_hand(parse("(345d) 2344466667d"), book, keep_others=True)
    assert [other.score for other in other_arrangements(loser)] == [32, 32, 0]
    assert arrangement_text(others[0])
    data = reasons_json(scored, book)
    assert [other["score"] for other in data["other_arrangements"]] == scores
    shown = show_why([(scored, book)], Style(80))
    assert "\n\nOther arrangements\n" in shown
    assert f"{scores[0]} points: {arrangement_text(others[0])}" in " ".join(shown.split())


def test_of_two_equal_runs_that_the_winning_tile_can_have_filled_one_is_told():
    scored = score_hand(parse("E: (EEE) 345b 45b 33b 789c <3b"), bind("harr-limit"), keep_others=True)
    arrangements = [scored.counting, *scored.others]
    assert [str(one) for found in arrangements for one in found.arrangement.sets if one.completed] == [
        "33b",
        "345b",
    ]


def test_what_several_rulebooks_withhold_for_one_reason_is_said_once():
    books = [bind("harr"), bind("babcock")]
    hand = parse("S: (222d) [1111c] 123b 456b 5c +5c!loose")
    shown = show_why([(score_hand(hand, book), book) for book in books], Style(200)).splitlines()
    assert [line for line in shown if line.startswith("Not given")] == [
        "Not given (harr and babcock)",
        "Not given (harr)",
        "Not given (babcock)",
    ]
    once = "  No chow in the hand or on the table: the hand has 2 chows (Harr p. 30 | Babcock p. 35, 40)"
    assert [line for line in shown if "2 chows" in line] == [once]
    assert shown.index(once) < shown.index("Not given (harr)")
    # what they withhold for different reasons stands with each
    assert sum("No other score than Mah-Jongg: " in line for line in shown) == 2


def test_a_hand_that_is_asked_nothing_else_says_so():
    book = bind("harr")
    scored = score_hand(parse("147b 258c 369d 1d 4d 7d Ew !dead"), book)
    assert show_why([(scored, book)], Style(80)) == "There is nothing more to say about this hand."


@table
def test_reasons_of_a_house(hand, rule, why):
    assert reasons(hand, str(Path(__file__).with_name("not_given.toml")))[rule] == why


SEASON, ZUNG_JUNG = (
    str(Path(__file__).parents[2] / "samples" / "rules" / f"{name}.toml") for name in ("season", "zung-jung")
)


@pytest.mark.parametrize(
    ("hand", "rule", "why"),
    [
        ("S: (234b) (234c) 77d EEE 34d <5d", "same-runs", "234d is missing"),
        ("S: (234b) (678c) 77d EEE 34d <5d", "same-runs", "234c and 234d are missing"),
        ("S: (222b) (444c) (666d) 88d EE <E", "same-runs", "the hand does not have these sets"),
        ("S: (111b) (222b) (444b) 67c 9d 9d <8c", "three-in-a-row", "333b is missing"),
    ],
)
def test_of_sets_that_are_asked_for_those_that_are_missing(hand, rule, why):
    assert reasons(hand, ZUNG_JUNG)[rule] == why


@pytest.mark.parametrize(
    ("hand", "hint"),
    [
        # one tile is another
        ("S: 123456789d ESWw R <5d", "Wriggly Snake has Nw in place of Rd"),
        ("S: 19b 19c 29d ESWNw RGWd <9d", "Thirteen Unique Wonders has 1d in place of 2d"),
        ("S: 1122b 4455c 6677d 8d <9d", "the thirteen tiles before it were not waiting"),
        # the tiles are there, and something else is asked for
        (
            "S: 1177b 3355c EE RR G <G",
            "All Pair also requires: all one suit or one suit and honors or nothing but honors",
        ),
        ("S: 147b 258c 369d ESN R <1b", "the thirteen tiles before it were not waiting for any tile"),
    ],
)
def test_a_hand_that_is_nearly_a_special_one_hears_what_is_wrong(hand, hint):
    refusal = refusal_of(score_hand, parse(hand), bind(SEASON))
    assert refusal.code == "not-a-winning-hand"
    assert refusal.hint.startswith(hint)


@pytest.mark.parametrize(
    ("typed", "options", "words"),
    [
        ("(123b) 1b 456789b Ew Sw Ww +Nw", ("-r", "bmja"), "Wriggling Snake has no set on the table"),
        (
            "E: (111b) 999b EEE 55b 11d +1d",
            ("-r", "harr-limit", "--why"),
            "not all of its tiles are ones, nines",
        ),
    ],
)
def test_words_of_why_are_those_of_the_card(typed, options, words):
    result = run_command("score", typed, *options)
    assert words in result.output.replace("\n", " ")
