"""The tiles that a hand waits for, and what each would score."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from tables import table

import mjscore
from mjscore.game.tiles import ANY, KINDS, TILES, WEIGHT, fours_in, tiles_in
from mjscore.notation.hands import parse
from mjscore.rulebook.binding import bind
from mjscore.scoring.arrangement import divisions, lacking, standard_waits
from mjscore.scoring.checks import placed_hand
from mjscore.scoring.waits import Waits
from mjscore.scoring.winning_tiles import completed_by, facts_of, waits_of


def test_each_tile_with_its_scores():
    found = mjscore.waits("(222d)(789c) 123b 456b 5c", "harr")
    assert [wait.as_json() for wait in found.waits] == [{"tile": "5c", "drawn": 26, "claimed": 24}]
    assert found.as_json()["error"] is None
    assert Waits("harr").as_json() == {"rulebook": "harr", "waits": [], "error": None}


@pytest.mark.parametrize("hand", ["123b 456b 789c EEEw 5c +5c", "147b ...", "123b 456b 789c EEEw 5c !dead"])
def test_only_thirteen_listed_tiles_wait(hand):
    found = mjscore.waits(hand)
    assert (found.error.code, found.waits) == ("no-thirteen-tiles", ())


def test_where_three_play_nobody_waits_for_west():
    orphans = "S: 19b 19c 19d ESSNw RGWd"
    options = {"thirteen-orphans": True, "players": 4}
    assert [str(wait.tile) for wait in mjscore.waits(orphans, "babcock", options=options).waits] == ["Ww"]
    assert mjscore.waits(orphans, "babcock", options={**options, "players": 3}).waits == ()


def test_special_hands_wait_too():
    orphans = "19b 19c 19d ESWNw RGWd"
    assert len(mjscore.waits(orphans, "babcock", options={"thirteen-orphans": True}).waits) == 13
    assert mjscore.waits(orphans, "babcock").waits == ()


def test_the_facts_know_the_waits_only_where_a_rule_asks():
    hand = placed_hand(parse("123b 456b 789c EEEw 5c +5c"))
    assert facts_of(hand, bind("harr")).waits == waits_of(hand, bind("harr"))
    assert facts_of(hand, bind("harr-limit")).waits == 0


def test_a_hand_completed():
    hand = parse("123b 456b 789c EEEw 5c")
    (tile,) = tiles_in(waits_of(placed_hand(hand), bind("harr")))
    won = completed_by(hand, tile, False, bind("harr"))
    assert (won.win.tile, won.win.drawn, won.win.flags) == (tile, False, frozenset())


@table
def test_what_the_hand_has_already_is_counted(flags, drawn, claimed):
    found = mjscore.waits(
        f"S: (222d)(789c) 123b 456b 5c {flags}", str(Path(__file__).with_name("called.toml"))
    )
    assert [wait.as_json() for wait in found.waits] == [{"tile": "5c", "drawn": drawn, "claimed": claimed}]


@pytest.mark.parametrize("chows", [4, 1])
def test_what_brings_a_hand_nearer_is_what_every_exchange_finds(chows):
    def waits(packed: int) -> int:
        tiles = tiles_in(standard_waits(packed) & ~fours_in(packed))
        whole = [(tile, divisions(packed + WEIGHT[tile])) for tile in tiles]
        return sum(1 << tile for tile, ways in whole if min(len(way.chows) for way in ways) <= chows)

    chosen = random.Random(33)
    found = Counter()
    for number in range(30):
        # of one suit, of two, or of all: few tiles away
        tiles = chosen.sample([tile for tile in TILES[: (9, 18, KINDS)[number % 3]] for _ in range(4)], 13)
        packed = sum(WEIGHT[tile] for tile in tiles)
        lack, mask = lacking(packed, 0, 4, chows)
        found[lack] += 1
        waiting = waits(packed)
        near = 0
        for tile, other in product(tiles_in(ANY & ~fours_in(packed)), {*tiles}):
            exchanged = packed + WEIGHT[tile] - WEIGHT[other]
            if waits(exchanged):
                near |= 1 << tile
        assert (lack == 1, lack <= 2) == (waiting != 0, near != 0)
        assert lack > 2 or mask == (waiting or near)
    assert found[1] + found[2] > 5
    assert found[2] > 2


def test_programs_are_told_what_a_discard_leaves():
    found = mjscore.waits("123b 456b 789b 11c 2d 5d 6d", seat="S")
    ((tile, rest),) = found.discards
    assert (str(tile), [str(one.tile) for one in rest.waits], sum(rest.left.values())) == (
        "2d",
        ["4d", "7d"],
        8,
    )
    assert (found.hand.seat, found.error, found.waits) == ("S", None, ())
    assert mjscore.waits("123b 456b 789b 11c 2d 5d 6d 7d").error.code == "too-many-tiles"
    assert mjscore.waits("123b 456b 789b 11c 2d 5d 6d", "nobody").error.code == "no-rulebook"


def test_refused_waits_say_why_to_programs():
    told = mjscore.waits("(222d) 123b", "harr").as_json()
    assert told["waits"] == []
    assert told["error"]["code"] == "too-few-tiles"  # type: ignore[index]
    assert mjscore.waits("(222d)(789c) 123b 456b 5c").as_json()["error"] is None
