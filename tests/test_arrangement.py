"""Divisions and waits against brute force, and a count that is known otherwise."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations_with_replacement

from independent import divide
from strategies import random_winner

import mjscore
from mjscore.arrangement import divisions, own_fours, regroupings, standard_waits
from mjscore.tiles import KINDS, TILES, pack, tiles_in

ONE_SUIT_SETS = [*((kind,) * 3 for kind in range(9)), *((low, low + 1, low + 2) for low in range(7))]


def suit_counts(total: int, kinds: int = 9) -> list[tuple[int, ...]]:
    """All ways to take *total* tiles of one suit, four of a kind at the most."""
    if kinds == 0:
        return [()] if total == 0 else []
    return [
        (many, *rest) for many in range(min(4, total) + 1) for rest in suit_counts(total - many, kinds - 1)
    ]


def winning_counts() -> set[tuple[int, ...]]:
    """The one-suit hands of 14 that win, put together from four sets and a pair instead of taken apart."""
    found = set()
    for sets in combinations_with_replacement(ONE_SUIT_SETS, 4):
        counts = Counter(tile for one in sets for tile in one)
        for pair in range(9):
            counts[pair] += 2
            if max(counts.values()) <= 4:
                found.add(tuple(counts[kind] for kind in range(9)))
            counts[pair] -= 2
    return found


def test_all_one_suit_hands_of_fourteen():
    every = suit_counts(14)
    assert len(every) == 118_800
    winning = {counts for counts in every if divisions(pack(k for k in range(9) for _ in range(counts[k])))}
    assert winning == winning_counts()
    assert len(winning) == 13_259


def test_divisions_are_those_of_the_slow_way():
    chance = random.Random(18)
    for _ in range(1500):
        hand = random_winner(chance)
        tiles = sorted([*map(int, hand.concealed), int(hand.win.tile)])
        slow = set()
        for division in divide(tiles):
            pungs = sum(1 << tile for kind, tile in division if kind == "three")
            chows = tuple(sorted(tile for kind, tile in division if kind == "run"))
            pair = next(tile for kind, tile in division if kind == "pair")
            slow.add((pungs, chows, pair))
        fast = [(one.pungs, tuple(sorted(one.chows)), one.pair) for one in divisions(pack(tiles))]
        assert sorted(fast) == sorted(slow)


def test_waits_are_those_of_the_slow_way():
    chance = random.Random(21)
    for _ in range(600):
        held = sorted(map(int, random_winner(chance).concealed))
        if chance.random() < 0.3:
            held[chance.randrange(len(held))] = chance.randrange(KINDS)
        if max(Counter(held).values()) > 4:
            continue
        slow = {
            kind
            for kind in range(KINDS)
            if held.count(kind) < 4 and next(divide(sorted([*held, kind])), None) is not None
        }
        assert set(map(int, tiles_in(standard_waits(pack(held))))) == slow


def test_own_fours():
    assert tiles_in(own_fours(pack([0] * 4 + [33] * 4 + [5] * 3))) == (TILES[0], TILES[33])
    assert own_fours(pack([0] * 3)) == 0


def test_a_kind_held_four_times_is_no_place_to_win():
    # 3-3-3-3 held: only the 6 completes 4-5
    waits = mjscore.waits("3333b 45b 111c 222c 9d".replace("9d", "8b"))
    assert waits.error is None
    assert "3b" not in [str(one.tile) for one in waits.waits]


def test_nine_gates_wait_for_nine_tiles():
    waits = mjscore.waits("1112345678999c").waits
    assert [str(one.tile) for one in waits] == [f"{value}c" for value in range(1, 10)]
    assert {str(one.tile): (one.drawn, one.claimed) for one in waits}["2c"] == (304, 288)


def test_example_nine_waits_for_the_six():
    assert [str(one.tile) for one in mjscore.waits("(123c) (789c) 678c 45c 11c").waits] == ["3c", "6c", "9c"]


def test_regroupings_take_every_set():
    ways = regroupings(pack([0, 0, 0, 0, 5, 5, 9]))
    assert sorted(ways) == [(0, 1 | 1 << 5), (1, 1 << 5)]
    assert len(regroupings(pack([0, 0, 0, 5, 5]), every=True)) == 6
