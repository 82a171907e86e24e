"""Every rulebook and option against an independent slow scorer, on thousands of random hands."""

from __future__ import annotations

import ast
import random
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from amounts import part_of
from both_ways import both_ways
from independent import OPTIONAL_SCORES, Rules, score, waits
from strategies import random_dead_hand, random_loser, random_winner, waiting_hand

from mjscore.game.hand import Hand
from mjscore.rulebook.binding import bind, read_rulebook
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.sheet import ScoreSheet
from mjscore.scoring.waits import waiting_tiles
from mjscore.scoring.winning_tiles import completed_by

FLAGS = (*OPTIONAL_SCORES, "four-concealed-drawn")
OPTIONS: dict[str, dict[str, tuple[object, ...]]] = {
    "harr": {"mandarins": (True, False), "limit": ("none", 500, 1000)},
    "harr-limit": {"mah-jongg": (10, 20), "limit": ("none", 300, 400, 600), "mandarins": (True, False)},
    "babcock": {
        "limit": (300, 600, "none", 400, 350),
        "seasons": ("off", "on", "shanghai"),
        "optional": ("none", "all"),
        "players": (4, 4, 4, 5, 3, 2),
        **dict.fromkeys(FLAGS, (True, False)),
    },
}
OPTIONS["babcock-chinese"] = {
    **OPTIONS["babcock"],
    "mah-jongg": (10, 20, 30, 50, 100),
    "round-wind": (True, False),
    "nine-wins": (True, False),
}
HANDS = part_of(4000, 2)
SCORING = ("set", "bonus", "double", "after", "limit", "shape")


class Compared(NamedTuple):
    """What differs on random hands, how many of them had won, and how often each rule was given."""

    differences: list[object]
    won: int
    given: Counter[str]


def random_options(chance: random.Random, rulebook: str) -> dict[str, object]:
    """Some options of a rulebook, each at one of its values."""
    known = OPTIONS[rulebook]
    names = chance.sample(sorted(known), chance.randint(0, len(known)))
    return {name: chance.choice(known[name]) for name in names}


def random_hand(chance: random.Random, players: int) -> Hand:
    """A winner, a loser or a dead hand that can sit at a table of so many players."""
    while True:
        kind = chance.random()
        make = random_winner if kind < 0.72 else random_loser if kind < 0.95 else random_dead_hand
        hand = seated(make(chance), players)
        if hand is not None:
            return hand


def seated(hand: Hand, players: int) -> Hand | None:
    """*hand* at a table of two or three: its seat and flags changed, or None where its tiles are not played with."""
    if players > 3:
        return hand
    win = hand.win._replace(discarder=None) if hand.win is not None else None
    if players == 2 and hand.seat in ("S", "N"):
        seat = {"S": "E", "N": "W"}[hand.seat]
        if win is not None:
            win = win._replace(flags=win.flags - {"original", "earth", "ninth"})
        return hand._replace(seat=seat, win=win)
    west = "Ww" in map(str, (*hand.concealed, *(tile for one in hand.sets for tile in one.tiles)))
    if players == 3 and (hand.seat == "W" or west or (win is not None and str(win.tile) == "Ww")):
        return None
    return hand._replace(win=win)


def compared(
    rulebook: str,
    seed: int,
    hands: int,
    bound: Rulebook | None = None,
    settings: dict[str, object] | None = None,
) -> Compared:
    """So many random hands scored both ways; with *bound* by that rulebook, else under options as they come."""
    chance = random.Random(f"{rulebook} {seed}")
    differences: list[object] = []
    won = 0
    given: Counter[str] = Counter()
    for number in range(hands):
        if number % 20 == 0:
            options = settings if settings is not None else random_options(chance, rulebook)
            book = bound or bind(rulebook, options)
            rules = Rules(rulebook, options)
        hand = random_hand(chance, rules.players)
        sheet, difference = both_ways(hand, book, rules)
        if sheet is not None:
            won += bool(sheet.won)
            lines = (*sheet.items, *sheet.doubling, *sheet.additions, *sheet.claims)
            given.update(line.rule for line in lines)
            check_sheet(sheet)
        if difference is not None:
            differences.append((str(hand), options, difference))
    return Compared(differences, won, given)


def check_sheet(sheet: ScoreSheet) -> None:
    """The items of a sheet add up to its score."""
    assert sum(item.points for item in sheet.items) == sheet.points
    assert sum(line.doubles for line in sheet.doubling) == sheet.doubles
    if sheet.limit is None:
        added = sum(item.points for item in sheet.additions)
        assert sheet.points * 2**sheet.doubles + added == sheet.score


def test_the_slow_scorer_shares_nothing_but_the_hand():
    tree = ast.parse((Path(__file__).parents[1] / "support" / "independent.py").read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in imported if name and name.startswith("mjscore")} == {"mjscore.game.hand"}
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))


@pytest.mark.parametrize("rulebook", OPTIONS)
def test_the_score_is_that_of_the_slow_way(rulebook):
    found = compared(rulebook, 1923, HANDS)
    assert not found.differences, found.differences[:5]
    assert found.won > HANDS // 3
    # no rule has stood by unused
    scoring = {entry.id for entry in read_rulebook(rulebook).entries.values() if entry.section in SCORING}
    assert scoring - set(found.given) == set()


@pytest.mark.parametrize("rulebook", OPTIONS)
def test_the_waits_and_their_scores_are_those_of_the_slow_way(rulebook):
    chance = random.Random(f"waits {rulebook}")
    several = 0
    for _ in range(part_of(150, 2)):
        options = random_options(chance, rulebook) | (
            {"players": 4} if rulebook.startswith("babcock") else {}
        )
        rules, book = Rules(rulebook, options), bind(rulebook, options)
        hand = waiting_hand(chance)
        found = {int(one.tile): (one.drawn, one.claimed) for one in waiting_tiles(hand, book)}
        expected = {}
        for tile in waits(hand, rules):
            scores = [score(completed_by(hand, tile, drawn, book), rules) for drawn in (True, False)]
            expected[tile] = tuple(one and one.score for one in scores)
        assert found == expected, (str(hand), options)
        several += len(found) > 1
    assert several > part_of(30, 2)
