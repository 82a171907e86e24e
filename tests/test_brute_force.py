"""Every rulebook and option against an independent slow scorer, on thousands of random hands."""

from __future__ import annotations

import random

import pytest
from independent import Rules, score
from strategies import random_loser, random_winner

from mjscore.refusal import Refused
from mjscore.rulebook import bind
from mjscore.sheet import score_hand

OPTIONS: dict[str, dict[str, tuple[object, ...]]] = {
    "harr": {"mandarins": (True, False), "limit": ("none", 500, 1000)},
    "harr-limit": {"mah-jongg": (10, 20), "limit": ("none", 300, 400, 600)},
    "babcock": {
        "limit": (300, 600, "none", 400, 350),
        "seasons": ("off", "on", "shanghai"),
        "optional": ("none", "all"),
        "players": (4, 4, 4, 5, 2),
        **dict.fromkeys(
            (
                "four-wind-hand",
                "ones-nines-honors",
                "nine-gates",
                "four-fours",
                "three-concealed",
                "four-concealed",
                "four-concealed-drawn",
                "thirteen-orphans",
                "seven-twins",
                "doubling-bonuses",
                "drawn-no-score",
            ),
            (True, False),
        ),
    },
}
OPTIONS["babcock-chinese"] = {
    **OPTIONS["babcock"],
    "mah-jongg": (10, 20, 30, 50, 100),
    "round-wind": (True, False),
    "players": (4,),
}
HANDS = 1500


def random_options(chance: random.Random, rulebook: str) -> dict[str, object]:
    """Some options of a rulebook, each at one of its values."""
    known = OPTIONS[rulebook]
    names = chance.sample(sorted(known), chance.randint(0, len(known)))
    return {name: chance.choice(known[name]) for name in names}


@pytest.mark.parametrize("rulebook", sorted(OPTIONS))
def test_the_score_is_that_of_the_slow_way(rulebook: str) -> None:
    differences, won = compared(rulebook, 1923, HANDS)
    assert not differences, differences[:5]
    assert won > HANDS // 3


def compared(rulebook: str, seed: int, hands: int) -> tuple[list[object], int]:
    """What differs on so many random hands, and how many of them had won."""
    chance = random.Random(f"{rulebook} {seed}")
    differences: list[object] = []
    won = 0
    for number in range(hands):
        if number % 25 == 0:
            options = random_options(chance, rulebook)
            book = bind(rulebook, options)
            rules = Rules(rulebook, options)
        hand = random_winner(chance) if chance.random() < 0.75 else random_loser(chance)
        if rules.players == 2 and hand.seat in ("S", "N"):
            hand = hand._replace(seat={"S": "E", "N": "W"}[hand.seat])
            if hand.win is not None:
                flags = hand.win.flags - {"original", "earth"}
                hand = hand._replace(win=hand.win._replace(discarder=None, flags=flags))
        elif rules.players == 2 and hand.win is not None:
            hand = hand._replace(win=hand.win._replace(discarder=None))
        expected = score(hand, rules)
        try:
            sheet = score_hand(hand, book)
            found = (sheet.score, sheet.points, sheet.doubles)
            won += bool(sheet.won)
            # the items add up to the score
            assert sum(item.points for item in sheet.items) == sheet.points
            assert sum(line.doubles for line in sheet.doubling) == sheet.doubles
            if sheet.limit is None:
                added = sum(item.points for item in sheet.additions)
                assert sheet.points * 2**sheet.doubles + added == sheet.score
        except Refused as refused:
            assert refused.refusal.code in ("not-a-winning-hand", "too-few-doubles"), refused.refusal
            found = None
        if (found and found[0]) != (expected and expected.score) or (
            found and expected and found[1:] != expected[1:] and sheet.limit is None
        ):
            differences.append((str(hand), options, found, expected))
    return differences, won
