"""The head of an evening's file: what is written, what is refused, and what may not be said otherwise later."""

from __future__ import annotations

import pytest
from tables import table

from mjscore.play.beginning import Asked, beginning, check_as_begun
from mjscore.play.evening import read_evening
from mjscore.record.context import Occasion
from mjscore.refusal import Refused

NAMES = ("Ann", "Ben", "Cid", "Dee", "Eve", "Fay")
QUOTES = "a name of two words stands in quotes: --players \"Ann Ben 'Cid Dee' Eve{}\""


@table
def test_more_or_fewer_players_than_the_rules_seat(count, rulebook, hint):
    with pytest.raises(Refused) as refused:
        beginning(Asked(rulebook, players=NAMES[:count]))
    assert (refused.value.refusal.code, refused.value.refusal.hint) == ("player-count", hint)


def test_more_names_than_the_option_says():
    with pytest.raises(Refused) as refused:
        beginning(Asked("babcock", {"players": "3"}, NAMES[:4]))
    assert refused.value.refusal.hint == "for 4 players add -s players=4"


def test_an_evening_needs_players():
    with pytest.raises(Refused) as refused:
        beginning(Asked())
    assert refused.value.refusal.message == "nobody is named to play"


@pytest.mark.parametrize(
    ("occasion", "lines"),
    [
        (Occasion(), ()),
        (Occasion(title="Tea"), ('title "Tea"',)),
        (Occasion(counters="babcock", bank=True), ("counters babcock", "bank")),
        (Occasion(date="2026-11-21", counters="harr", pair_by_pair=True), ("date 2026-11-21", "counters harr", "pair-by-pair")),
    ],
)  # fmt: skip
def test_the_head_says_what_was_asked_and_no_more(occasion, lines):
    rulebook, rules, *head, players = beginning(Asked(players=NAMES[:4], occasion=occasion)).splitlines()
    assert (rulebook, rules.split()[0], players) == ("rulebook harr", "rules", "players Ann Ben Cid Dee")
    assert tuple(head) == lines


ASKED = Asked(
    "babcock",
    {"limit": "500"},
    NAMES[:4],
    Occasion(title="At Ann's", date="2026-11-21", counters="babcock", bank=True),
)


@pytest.mark.parametrize(
    "again",
    [
        Asked(),
        ASKED,
        Asked(settings={"limit": "500"}),
        Asked(players=list(NAMES[:4])),
        Asked(occasion=Occasion(bank=True)),
    ],
)
def test_an_evening_goes_on_where_nothing_else_is_said(again):
    check_as_begun(read_evening(beginning(ASKED)), again, "x.mj")


@pytest.mark.parametrize(
    ("again", "there", "option", "here"),
    [
        (Asked("harr"), "rulebook babcock", "-r", "rulebook harr"),
        (Asked(settings={"limit": "300"}), "set limit 500", "-s", "set limit 300"),
        (Asked(players=NAMES[1:5]), "players Ann Ben Cid Dee", "--players", "players Ben Cid Dee Eve"),
        (Asked(players=NAMES[:3]), "players Ann Ben Cid Dee", "--players", "players Ann Ben Cid"),
        (Asked(occasion=Occasion(title="At Ben's")), "title At Ann's", "--title", "title At Ben's"),
        (
            Asked(occasion=Occasion(pair_by_pair=True)),
            "no line pair-by-pair",
            "--pair-by-pair",
            "pair-by-pair",
        ),
    ],
)
def test_what_was_begun_with_is_not_said_otherwise(again, there, option, here):
    with pytest.raises(Refused) as refused:
        check_as_begun(read_evening(beginning(ASKED)), again, "x.mj")
    refusal = refused.value.refusal
    assert refusal.code == "begun-otherwise"
    assert refusal.message == f"x.mj was begun with {there}"
    assert refusal.hint == (
        f"leave out {option}; to change the evening itself, write {here} at the head of the file, above its hands"
    )


@pytest.mark.parametrize("title", ['At "Ann\'s"', "At\x07Ann's"])
def test_a_title_is_words(title):
    with pytest.raises(Refused) as refused:
        beginning(Asked(players=NAMES[:4], occasion=Occasion(title=title)))
    assert refused.value.refusal.code == "bad-title"
