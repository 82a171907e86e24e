"""The hands of a drill: every entry of every rulebook has its turn, the rulebook takes them all, their shares are as is said."""

from __future__ import annotations

from itertools import islice

import pytest
from refusals import refusal_of
from tables import table

from mjscore.drill.dealing import drawn, drill_data, entries_of
from mjscore.rulebook.binding import bind


def entries_on(sheet):
    return {line.rule for line in (*sheet.items, *sheet.doubling, *sheet.additions, *sheet.claims)}


@table
def test_every_entry_is_reached(rulebook, options, unreachable):
    book = bind(rulebook, options)
    for name in entries_of(book):
        if name not in unreachable:
            assert name in entries_on(next(drawn(book, 1, 1, name)).sheet)


@pytest.mark.parametrize("rulebook", ["harr", "bmja"])
def test_every_entry_has_its_turn_within_two_thousand_hands(rulebook):
    book = bind(rulebook)
    names = entries_of(book)
    turns = range(16, 16 + 8 * len(names), 8)
    assert turns[-1] < 2000
    assert set(names) <= set().union(*(entries_on(next(drawn(book, 1, number)).sheet) for number in turns))


@table
def test_a_hand_about_an_entry(rulebook, entry):
    sheets = [next(drawn(bind(rulebook), 5, number, entry)).sheet for number in range(3)]
    assert all(entry in entries_on(sheet) for sheet in sheets)


def test_the_same_seed_draws_the_same_hands():
    hands = [
        [str(next(drawn(bind("harr"), seed, number)).sheet.hand) for number in range(9)] for seed in (3, 3, 4)
    ]
    assert hands[0] == hands[1] != hands[2]
    assert len(set(hands[0])) == 9


def test_the_shares_are_as_the_file_says():
    found = [next(drawn(bind("harr"), 8, number, None)) for number in range(300)]
    winners = [scored.facts for scored in found if scored.facts.won]
    of_tiles = {tuple(kind["tiles"]): kind["share"] for kind in drill_data()["kind"]}

    def per_cent(some: list[object], of: list[object]) -> int:
        return round(100 * len(some) / len(of))

    assert per_cent(winners, found) == pytest.approx(drill_data()["won"], abs=4)
    assert per_cent([one for one in winners if one.drawn], winners) == pytest.approx(
        drill_data()["drawn"], abs=4
    )
    one_suit = [one for one in winners if one.suits == 1]
    alone = [one for one in one_suit if not one.kinds >> 27]
    assert per_cent(one_suit, winners) == pytest.approx(of_tiles["suit", "honor"] + of_tiles["suit",], abs=4)
    assert per_cent(alone, winners) == pytest.approx(of_tiles["suit",], abs=5)


def test_the_first_hands_are_likely_ones_and_limit_hands_come_now_and_then():
    book = bind("bmja")
    limits = [next(drawn(book, 2, number)).sheet.limit is not None for number in range(120)]
    assert sum(limits[:16]) <= 2
    assert 3 <= sum(limits) <= 30


def test_a_hand_that_won_or_lost_can_be_asked_for():
    for won in (True, False):
        assert {scored.sheet.won for scored in islice(drawn(bind("harr"), 1, 1, won=won), 5)} == {won}


def test_an_entry_that_no_sheet_can_have():
    for name in ("no-rums", "east-double"):
        assert refusal_of(lambda name=name: next(drawn(bind("harr"), 1, 1, name))).code == "unknown-name"
