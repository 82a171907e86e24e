"""The records that conditions ask: made once, frozen, and a set's worth depends on its situation alone."""

from __future__ import annotations

import re

import pytest

from mjscore.game.hand import TileSet
from mjscore.game.tiles import TILES, Tile
from mjscore.notation.hands import parse
from mjscore.rulebook.facts import (
    HAND_NAMESPACE,
    SET_NAMESPACE,
    arranged,
    chow_form,
    complete_series,
    hand_facts,
    own_bonus,
    own_bonus_outside,
    tile_count,
)
from mjscore.rulebook.wording import denial


def strange(template: str) -> set[str]:
    """What a template asks for that is neither told of how the hand was won nor of the set."""
    told = ("own_wind", "round_wind", "won", "drawn", "claimed", "original")
    known = {f"h.{name}" for name in told} | {"a.form"} | {f"t.{name}" for name in TileSet._fields}
    return set(re.findall(r"\b[a-z_]+\.\w+|\b[a-z_]+(?=\()|\b[ha]\b(?!\.)", template)) - known


def test_a_set_condition_asks_for_little_but_the_set():
    """The worth of a set is kept by what is asked of hand and arrangement."""
    templates = [fact.template for fact in SET_NAMESPACE.facts.values()]
    assert not set().union(*map(strange, [*templates, *SET_NAMESPACE.classes.values()]))
    for name in ("special", "loose", "only_place", "held", "tiles", "scores_only"):
        assert strange(HAND_NAMESPACE.facts[name].template)


def test_facts_are_frozen():
    facts = hand_facts(parse("E@E: 123b456b789b EE 11c +1c"))
    for record in (facts, facts.laid):
        with pytest.raises(AttributeError):
            setattr(record, record._fields[0], 1)


def test_the_facts_of_a_hand():
    hand = parse("S@W: (222d) [RRRR] (111+1b) (9999c) 5d 3f <5d!robbed")
    facts = hand_facts(hand)
    assert (facts.own_wind, facts.round_wind) == (1 << 28, 1 << 29)
    assert (facts.won, facts.drawn, facts.claimed, facts.original) == (True, False, True, False)
    assert facts.flags == {"robbed"}
    assert facts.suits == 3
    two, red, one, nine = (1 << Tile.parse(name) for name in ("2d", "Rd", "1b", "9c"))
    assert facts.laid.pungs == two | red | one | nine
    assert facts.laid.kongs == red | one | nine
    assert facts.laid.concealed_pungs == red
    assert (
        facts.laid.pungs_begun_concealed == red | nine
    )  # (1111d): the fourth claimed from a concealed three
    assert tile_count(facts, 1 << Tile.parse("5d")) == 2


def test_a_hand_won_as_dealt_was_neither_drawn_nor_claimed():
    facts = hand_facts(parse("E@E: 123b456b789b EE 11c +1c!original"))
    assert (facts.won, facts.drawn, facts.claimed, facts.original) == (True, False, False, True)


def test_bonus_tiles():
    whole = (*TILES[34:38], TILES[38])
    assert complete_series(whole) == 1
    assert (own_bonus(whole, "E"), own_bonus_outside(whole, "E")) == (2, 1)
    assert (own_bonus(whole, "S"), own_bonus_outside(whole, "S")) == (1, 0)


@pytest.mark.parametrize(
    ("low", "tile", "form"),
    [(0, 2, "one_end"), (6, 6, "one_end"), (0, 0, "both_ends"), (3, 4, "middle"), (6, 8, "both_ends")],
)
def test_how_a_run_is_filled(low, tile, form):
    assert chow_form(low, tile) == form


def test_a_special_hand_is_all_concealed_and_completed_by_no_one_tile():
    sets = (
        TileSet("single", TILES[0], False),
        TileSet("pair", TILES[3], False),
        TileSet("kong", TILES[5], False),
    )
    arrangement = arranged(sets, special=True)
    assert (arrangement.pairs, arrangement.kongs, arrangement.concealed_pungs) == (1 << 3, 1 << 5, 1 << 5)
    assert (arrangement.completed, arrangement.form, arrangement.special) == ("", "", True)


def test_every_fact_that_may_fail_by_itself_is_denied_in_words():
    """``--why`` says so to a player; a flag and what is waited for it names itself."""
    silent = {
        name for name, fact in HAND_NAMESPACE.facts.items() if fact.kind == "boolean" and not denial(name)
    }
    assert silent == {"flag", "waiting_for"}
