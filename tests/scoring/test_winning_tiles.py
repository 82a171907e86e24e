"""A hand completed by a tile, and what of it remains."""

from __future__ import annotations

import random

import pytest
from amounts import part_of
from hands import make_hand
from tables import table

import mjscore
from mjscore.game.tiles import TILES, tiles_in
from mjscore.notation.hands import parse
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS
from mjscore.scoring.checks import placed_hand
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.winning_tiles import completed_by, waits_of

WAITING = "E: (RRR) 123b 456b 789b 5c"
FIVE = next(tile for tile in TILES if str(tile) == "5c")


@pytest.mark.parametrize("drawn", [True, False])
@pytest.mark.parametrize("mark", ["", "!dead", "!nochoice", "..."])
def test_a_hand_that_wins_is_neither_dead_nor_in_part_nor_without_a_choice(mark, drawn):
    won = completed_by(parse(f"{WAITING} {mark}"), FIVE, drawn, bind("harr"))
    assert won == parse(f"{WAITING} {'+' if drawn else '<'}5c")


def test_of_its_flags_it_keeps_those_of_a_winner():
    """That it was declared to be waiting holds of the win too."""
    hand = parse(f"{WAITING} !call")
    assert completed_by(hand, FIVE, True, bind("dmjl")).win.flags == {"call"}


@pytest.fixture
def winning(house):
    """A house rulebook in which not every hand of four sets and a pair wins."""
    win = '[[win]]\nid = "win"\ntitle = "Win"\nwhen = "{} or special"\n'
    pairs = '[[shape]]\nid = "x"\ntitle = "X"\ntiles = "7 pairs"\npoints = 300\nwhen = "own_round"'
    return lambda wins: bind(house(win.format(wins) + pairs))


@table
def test_the_winning_tile_is_a_place_as_it_was_won_and_others_as_they_could_be(
    winning, hand, wins, is_only_place
):
    sheet = score_hand(parse(hand), winning(wins)).sheet
    assert ("only-place" in {item.rule for item in sheet.items}) is is_only_place


@pytest.mark.parametrize("wins", ["drawn", "claimed", "won", "robbed"])
def test_a_tile_is_waited_for_where_it_could_be_drawn_or_claimed(winning, wins):
    waits = waits_of(placed_hand(parse(WAITING)), winning(wins))
    assert [str(tile) for tile in tiles_in(waits)] == ([] if wins == "robbed" else ["5c"])


def test_what_a_shape_asks_for_decides_what_is_waited_for(winning):
    """Six pairs and one tile over wait only where seven pairs would win."""
    book = winning("won")
    hand = placed_hand(parse("11b 33b 55b 22c 99c 77c 8c"))
    assert [str(tile) for tile in tiles_in(waits_of(hand, book))] == ["8c"]
    assert waits_of(hand._replace(round="S"), book) == 0


def test_a_fifth_tile_is_never_tried():
    assert mjscore.score("N: 1199b 999c 119999d", rulebook="bmja").score == 200


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_hands_of_fours_that_are_not_declared_score_and_wait(rulebook):
    """Thirteen tiles of few kinds, of which no tile can make five alike."""
    chance = random.Random(f"fours {rulebook}")
    kinds = [chance.sample((0, 8, 9, 17, 18, 26), chance.randint(4, 6)) for _ in range(part_of(150))]
    kinds += [chance.sample(range(34), chance.randint(4, 6)) for _ in range(part_of(50))]
    for some in kinds:
        tiles = chance.sample([TILES[kind] for kind in some for _ in range(4)], 13)
        hand = make_hand((), tuple(tiles), seat=chance.choice("ESWN"))
        assert mjscore.score(hand, rulebook).error is None
        waits = mjscore.waits(hand, rulebook)
        assert waits.error is None
        assert all(tiles.count(wait.tile) < 4 for wait in waits.waits)


@pytest.mark.parametrize("wins", ["drawn", "claimed"])
def test_a_flag_of_the_house_holds_of_the_win_that_is_waited_for(house, wins):
    flag = '[[flag]]\nid = "pole"\ntitle = "Pole"\nfollows = ["lost", "drawn", "claimed"]\n'
    win = f'[[win]]\nid = "win"\ntitle = "Win"\nwhen = "{wins} and flag(\'pole\')"\n'
    book = bind(house(flag + win))
    for mark, waits in (("!pole", ["5c"]), ("", [])):
        found = waits_of(placed_hand(parse(f"{WAITING} {mark}")), book)
        assert [str(tile) for tile in tiles_in(found)] == waits
