"""Reckless discards and insurance: random tables settled by the slow way and by the rulebooks."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from amounts import part_of
from independent import Rules, settle
from insured_tables import random_table

from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind
from mjscore.settling.settlement import result_of
from mjscore.settling.settlement import settle as settle_results

TABLES = part_of(1600, 8)


def way_of(remarks: tuple[str, ...]) -> str:
    """How it was paid, by the remarks of a settlement."""
    ways = {"is excused": "excused", "share the whole": "share", "pays half": "half", "pays for all": "all"}
    return next((way for words, way in ways.items() if any(words in remark for remark in remarks)), "each")


@pytest.mark.parametrize("rulebook", ["harr-limit", "babcock-chinese"])
def test_who_pays_for_the_others_is_found_the_slow_way(rulebook):
    chance = random.Random(f"insurance {rulebook}")
    ways: Counter[str] = Counter()
    while sum(ways.values()) < TABLES:
        hands = random_table(chance)
        if hands is None:
            continue
        options: dict[str, object] = {}
        if rulebook == "babcock-chinese":
            options = {"limit": chance.choice((300, 250, 301, 1000)), "new-method": chance.random() < 0.15}
        winner = next(seat for seat, hand in hands.items() if hand.win is not None)
        expected = settle(hands, winner, Rules(rulebook, options))
        book = bind(rulebook, options)
        net = None
        how = "refused"
        try:
            settlement = settle_results(
                {seat: result_of(hand, book) for seat, hand in hands.items()}, winner, book
            )
        except Refused as refused:
            how = refused.refusal.code
            assert how in ("not-fed-earlier", "other-tile", "not-a-winning-hand"), refused.refusal
        else:
            net = dict(settlement.net)
            how = way_of(settlement.remarks)
        ways[how] += 1
        assert net == expected, (how, options, {seat: str(hand) for seat, hand in hands.items()})
    needed = {"harr-limit": ("all", "each", "excused", "other-tile")}.get(
        rulebook, ("all", "each", "excused", "other-tile", "half", "share", "not-fed-earlier")
    )
    assert all(ways[way] > part_of(10, 8) for way in needed), ways
