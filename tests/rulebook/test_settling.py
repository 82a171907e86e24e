"""House files that drop, rename or add settling rules: what is paid, who is East, and what the sheet says."""

from __future__ import annotations

from pathlib import Path

import pytest
from refusals import refusal_of

import mjscore
from mjscore.page.sheet_lines import sheet_lines
from mjscore.record.ledger import after_win, begin, seating
from mjscore.rulebook.binding import bind, read_rulebook
from mjscore.rulebook.keys import SETTLING_KINDS
from mjscore.rulebook.rulebook import Rulebook
from mjscore.rulebook.settling import Settling

SCORES = {"E": 10, "S": 20, "W": 30, "N": 40}
BOOKS = ("harr", "harr-limit", "babcock", "babcock-chinese")


@pytest.fixture
def bound(house):
    return lambda lines, extends="harr", **options: bind(house(lines, extends), options)


@pytest.mark.parametrize("book", BOOKS)
def test_without_losers_settle_only_the_winner_is_paid(bound, book):
    settlement = mjscore.settle(SCORES, "N", bound('drop = ["losers-settle"]', book))
    assert settlement.net == {"E": -80, "S": -40, "W": -40, "N": 160}
    assert {payment.payee for payment in settlement.payments} == {"N"}
    assert settlement.remarks == ("the others pay each other nothing: house has no losers-settle rule",)


@pytest.mark.parametrize("book", BOOKS)
def test_without_winner_collects_nobody_pays_him(bound, book):
    settlement = mjscore.settle(SCORES, "N", bound('drop = ["winner-collects"]', book))
    assert settlement.net == {"E": -60, "S": 10, "W": 50, "N": 0}
    assert settlement.remarks == ("nobody pays the winner: house has no winner-collects rule",)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("winner", "SWN")
def test_without_east_passes_he_never_does(bound, book, winner):
    before = begin(("Ann", "Ben", "Cid", "Dee"))._replace(east=1, passes=1, east_wins=2)
    after = after_win(before, winner, bound('drop = ["east-passes"]', book))
    assert (after.east, after.passes, after.hands, after.east_wins) == (1, 1, 1, 0)
    assert after_win(before, winner, bind(book)).east == 2


def test_few_players_sit_without_a_rule_for_them(bound):
    two = bound('drop = ["two-combinations"]', "babcock", players=2)
    assert two.seats == "EW"
    assert seating(begin(("Ann", "Ben")), two) == {"E": "Ann", "W": "Ben"}
    assert mjscore.settle({"E": 30, "W": 10}, "W", two).net == {"E": -20, "W": 20}
    three = bound('drop = ["three-players"]', "babcock", players=3)
    assert three.seats == "ESW"
    assert mjscore.score("S: 123b 456b 789c Ww Ww 67c <5c", three).error is None


def test_every_kind_of_settling_rule_has_its_place():
    assert {kind.replace("-", "_") for kind in SETTLING_KINDS} == {*Settling._fields} - {"ninth_wins"}
    used = {entry.data["rule"] for book in (*BOOKS, "bmja") for entry in read_rulebook(book).entries.values()
            if entry.section == "settle"}  # fmt: skip
    # what none of them has is tried by rulebooks of a line
    tried = {"penalty", "discarder-alone", "discarder-pays-rest", "added-to-payments", "round-score"}
    assert used | tried == set(SETTLING_KINDS)
    assert all(kind.meaning for kind in SETTLING_KINDS.values())


def settle_rule(rule: str, body: str) -> str:
    return f'[[settle]]\nid = "new"\ntitle = "New"\nrule = "{rule}"\n{body}\n'


ALONE = 'drop = ["losers-settle", "east-double"]\n'


@pytest.mark.parametrize(
    ("score", "drawn", "discarder", "net"),
    [
        (25, None, None, {"S": 75, "E": -25, "W": -25, "N": -25}),
        (26, True, None, {"S": 78, "E": -26, "W": -26, "N": -26}),
        (26, False, "W", {"S": 78, "E": -25, "W": -28, "N": -25}),
        (40, False, "E", {"S": 120, "E": -70, "W": -25, "N": -25}),
    ],
)
def test_the_discarder_pays_the_rest(bound, score, drawn, discarder, net):
    book = bound(ALONE + settle_rule("discarder-pays-rest", "points = 25"), "harr")
    scores = {"E": 0, "S": score, "W": 0, "N": 0}
    assert mjscore.settle(scores, "S", book, drawn=drawn, discarder=discarder).net == net


def test_who_discarded_must_be_known_above_the_sum(bound):
    book = bound(ALONE + settle_rule("discarder-pays-rest", "points = 25"), "harr")
    error = mjscore.settle({"E": 0, "S": 26, "W": 0, "N": 0}, "S", book).error
    assert error.code == "who-discarded"
    assert "New (House)" in error.message


def test_a_sum_on_top_of_each_payment(bound):
    book = bound(settle_rule("added-to-payments", "points = 5"), "harr")
    settlement = mjscore.settle({"E": 20, "S": 100, "W": 0, "N": 0}, "S", book)
    assert settlement.net == {"S": 205 + 105 + 105, "E": -205 + 80, "W": -105 - 40, "N": -105 - 40}


@pytest.mark.parametrize(
    ("way", "low", "high"),
    [("", 20, 60), ('way = "up"', 30, 60), ('way = "down"', 20, 50), ('way = "nearest"', 20, 60)],
)
def test_a_score_is_rounded(bound, way, low, high):
    book = bound(settle_rule("round-score", f"to = 10\n{way}"), "harr")
    for hand, points, score in (
        ("S: (123b) (456c) 777c NN 67d <8d", 24, low),
        ("S: (RRR) (456c) 777c NN 67d <8d", 28, high),
    ):
        sheet = mjscore.score(hand, book)
        assert (sheet.points, sheet.counted, sheet.score, sheet.limit) == (points, score, score, None)
        lines = [line.title for line in sheet_lines(sheet, book)]
        assert "New" in lines


NINTH = '[[limit]]\nid = "{0}"\ntitle = "Nine in a row"\nof_limit = "{1}"\nwhen = "{2}"\nsource = "x"\n'


def ninth_score(book: Rulebook) -> tuple[int, int]:
    """What East's ninth win scores, as a hand and as a bare score of 22."""
    from mjscore.settling.payment import SeatResult
    from mjscore.settling.settlement import settle

    sheet = mjscore.score("E: (567c) (789b) 34d 22b 234b +2d!ninth", book)
    results = {seat: SeatResult(22 if seat == "E" else 0, ninth=seat == "E") for seat in "ESWN"}
    return sheet.score, settle(results, "E", book).scores["E"]


def test_the_ninth_win_is_whatever_entry_asks_for_it(bound):
    assert ninth_score(bind("babcock-chinese", {"nine-wins": True})) == (300, 300)
    assert ninth_score(bind("babcock-chinese")) == (22, 22)
    dropped = bound('drop = ["ninth-win"]', "babcock-chinese", **{"nine-wins": True})
    assert ninth_score(dropped) == (22, 22)
    assert ninth_score(bound(NINTH.format("nine-in-a-row", "1", "east and ninth"), "babcock")) == (300, 300)
    assert ninth_score(bound(NINTH.format("nine-in-a-row", "1/2", "won and ninth"), "babcock")) == (150, 150)
    # an entry of that name which asks for something else has nothing to do with it
    assert ninth_score(bound(NINTH.format("ninth-win", "1", "won and robbed"), "babcock")) == (22, 22)
    # and one that asks for certain tiles too cannot be claimed by a bare score
    assert ninth_score(bound(NINTH.format("x", "1", "ninth and chows == 4"), "babcock"))[1] == 22


EAST_PAYS_TRIPLE = '\n[[settle]]\nid = "east-triple"\ntitle = "East triple"\nrule = "east-factor"\nfactor = 3\nsource = "x"\n'


def test_two_settling_rules_for_one_thing_are_refused(bound):
    refusal = refusal_of(bound, EAST_PAYS_TRIPLE)
    assert (refusal.code, refusal.line, Path(refusal.file).name) == ("clash", 8, "house0.toml")
    assert "east-double (harr.toml, line " in refusal.message
    assert 'replaces = "east-double"' in refusal.hint
    triple = bound(EAST_PAYS_TRIPLE + 'replaces = "east-double"\n')
    assert mjscore.settle(SCORES, "N", triple).net["N"] == 120 + 40 + 40
    assert bound('drop = ["east-double"]' + EAST_PAYS_TRIPLE).settling.east_factor.factor == 3


def test_two_rules_that_are_never_in_force_at_once_may_stand_side_by_side(bound):
    by_option = EAST_PAYS_TRIPLE + 'when = \'option("mandarins")\'\n[change.east-double]\nsource = "x"\n'
    either = by_option + "when = 'not option(\"mandarins\")'\n"
    assert bound(either).settling.east_factor.factor == 2
    assert bound(either, mandarins=True).settling.east_factor.factor == 3
    assert bound(by_option).settling.east_factor.factor == 2
    assert refusal_of(bound, by_option, mandarins=True).code == "clash"
