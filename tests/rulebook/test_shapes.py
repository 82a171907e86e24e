"""Shapes of special hands: what they stand for, what fits them, and what is refused where."""

from __future__ import annotations

import random

import pytest
from refusals import refusal_of
from tables import table

from mjscore.game.tiles import BITS, DIGIT, KINDS, WEIGHT, Tile, fifth_tile
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS
from mjscore.rulebook.shapes import _ways, compile_shape, match_shape, may_complete, may_wait


def packed(tiles: str) -> int:
    return sum(WEIGHT[Tile.parse(value + group[-1])] for group in tiles.split() for value in group[:-1])


@table
def test_what_a_shape_stands_for(shape, alternatives, twins, sets):
    compiled = compile_shape(shape)
    assert len(compiled) == alternatives
    assert {len(one.sets) for one in compiled} == {twins + sets}


@table
def test_what_is_refused_and_where(shape, code, column, length):
    refusal = refusal_of(compile_shape, shape)
    assert (refusal.code, refusal.line, refusal.column, refusal.length) == (code, 1, column, length)
    assert refusal.hint


def test_what_fits_a_shape():
    twins = compile_shape("7 pairs(head)")
    assert match_shape(twins, packed("1199b 1199c 1199d EEw")) is not None
    assert match_shape(twins, packed("1199b 1199c 1188d EEw")) is None
    orphans = compile_shape("19b 19c 19d ESWNw RGWd twin")
    sets = match_shape(orphans, packed("119b 19c 19d ESWNw RGWd"))
    assert sets is not None
    assert [(one.kind, str(one.tile)) for one in sets if one.kind != "single"] == [("pair", "1b")]
    assert may_wait(orphans, packed("119b 19c 19d ESWNw RGd"))
    assert not may_wait(orphans, packed("1199b 19c 19d ESWw RGd"))


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_what_is_one_tile_short_is_never_overlooked(rulebook):
    chance, found = random.Random(4), 0
    for special in bind(rulebook).special_hands:
        for fixed, sets in [chance.choice(special.alternatives) for _ in range(40)]:
            whole = fixed + sum(
                chance.choice([way for kind in range(KINDS) for way in _ways(name, mask, kind)])
                for name, mask in sets
            )
            held = chance.choice([tile for tile in range(KINDS) if whole >> BITS * tile & DIGIT])
            if fifth_tile(whole) is None:
                found += 1
                assert may_wait(special.alternatives, whole - WEIGHT[held]), special.rule.id
                assert may_complete(special.alternatives, whole - WEIGHT[held]) >> held & 1, special.rule.id
    assert found > 20 or not bind(rulebook).special_hands
