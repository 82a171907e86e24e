"""A hand won by a tile that is said to have completed a certain set, against the independent slow scorer."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest
from amounts import part_of
from independent import Rules, score
from programs import run_command
from strategies import random_winner
from tables import table

import mjscore
from mjscore.game.hand import Hand, TileSet
from mjscore.game.tiles import Tile
from mjscore.notation.hands import parse
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind
from mjscore.scoring.reasons import other_arrangements
from mjscore.scoring.scorer import score_hand

HAND = "S: 5667c 99d 123b 456b 8c <7c"


def said(hand: Hand, kind: str, tile: Tile) -> Hand:
    """*hand*, its winning tile said to have completed a set."""
    stated = TileSet(kind, tile, not hand.win.drawn, completed=True)
    return hand._replace(win=hand.win._replace(stated=stated))


def sets_with(tile: Tile) -> Iterator[tuple[str, Tile]]:
    """Every set that a tile can be in."""
    yield "pair", tile
    yield "pung", tile
    if tile < 27:
        suit, value = divmod(tile, 9)
        yield from (("chow", Tile(9 * suit + first)) for first in range(max(0, value - 2), min(value, 6) + 1))


@pytest.mark.parametrize("rulebook", ["harr", "harr-limit", "babcock", "babcock-chinese"])
def test_each_set_gives_its_best_and_the_best_of_them_is_the_score(rulebook):
    book, rules = bind(rulebook), Rules(rulebook, {})
    chance = random.Random(f"stated {rulebook}")
    several = refused = 0
    for _ in range(part_of(900, 8)):
        hand = random_winner(chance)
        if "original" in hand.win.flags:
            continue
        expected = score(hand, rules)
        worths = []
        for kind, tile in sets_with(hand.win.tile):
            stated = said(hand, kind, tile)
            assert parse(str(stated)) == stated
            by_hand = score(stated, rules)
            try:
                sheet = score_hand(stated, book).sheet
            except Refused as error:
                assert by_hand is None, str(stated)
                assert error.refusal.code == ("not-that-set" if expected else "not-a-winning-hand")
                refused += 1
                continue
            assert by_hand is not None, str(stated)
            assert (sheet.score, sheet.counted) == (by_hand.score, by_hand.counted), str(stated)
            assert [(one.kind, one.tile) for one in sheet.sets if one.completed] == [(kind, tile)]
            worths.append(sheet.score)
        if not worths:
            # a special hand's winning tile completes no set
            assert expected is None or score_hand(hand, book).sheet.special, str(hand)
        else:
            assert max(worths) == expected.score, str(hand)
            several += len(worths) > 1
    assert several > part_of(40, 8)
    assert refused > part_of(400, 8)


@pytest.mark.parametrize(
    ("stated", "worth", "exposed"), [("", 20, "567c"), ("(567c)", 20, "567c"), ("(678c)", 12, "678c")]
)
def test_the_set_lies_on_the_table_as_claimed(stated, worth, exposed):
    sheet = mjscore.score(HAND + stated, "harr-limit")
    assert sheet.score == worth
    shown = [one for one in sheet.as_json()["sets"] if one["completed"]]
    assert shown == [{"kind": "chow", "tiles": exposed, "exposed": True, "completed": True}]


@pytest.mark.parametrize(
    "clause", ["<7c(678c)", "<7c(678c):N", "+7c(678c)", "+7c(678c)!last", "<7c(678c):N!call"]
)
def test_it_is_written_as_it_is_read(clause):
    hand = mjscore.parse(HAND.replace("<7c", clause))
    assert str(hand).endswith(clause)
    assert mjscore.parse(str(hand)) == hand
    assert str(hand.win.stated) == "678c"


@pytest.mark.parametrize("bracket", ["(678c)", "( 8c 6c 7c )", "(687c)", "(🀍🀌🀎)"])
def test_its_tiles_stand_in_any_order(bracket):
    assert mjscore.parse(HAND + bracket) == mjscore.parse(HAND + "(678c)")


def test_a_pair_is_a_set_too():
    assert (
        mjscore.score("123b 456b 789b RRR 5d <5d(55d)").score
        == mjscore.score("123b 456b 789b RRR 5d <5d").score
    )


def test_nothing_that_was_refused_for_its_order_is_read():
    assert mjscore.score(f"{HAND} (678c)").error.code == "tiles-after-win"


@table
def test_what_it_cannot_have_completed(hand, code, message, hint):
    error = mjscore.score(hand).error
    assert error.code == code
    assert message in error.message
    assert hint in error.hint
    if code == "not-that-set":
        assert error.column == max(hand.find("<"), hand.find("+")) + 1


def test_a_special_hand_has_no_set_that_was_completed():
    options = {"seven-twins": True}
    twins = "S: 1155b 2288c 33d EE G <G"
    assert mjscore.score(twins, "babcock", options=options).error is None
    error = mjscore.score(f"{twins}(GG)", "babcock", options=options).error
    assert (error.code, "special hand" in error.message) == ("not-that-set", True)


def test_the_reasons_list_what_the_other_sets_would_have_given():
    scored = score_hand(parse(HAND + "(678c)"), bind("harr-limit"), keep_others=True)
    assert scored.sheet.score == 12
    assert [counting.score for counting in other_arrangements(scored)] == [20]
    shown = run_command("score", HAND + "(678c)", "-r", "harr-limit", "--why").stdout
    assert "20 points: " in shown
    assert "567c+" in shown


def test_who_fed_all_four_sets_goes_by_the_set_that_is_said():
    fed = "N: (123b)(456b)(789b) 1123c <1c{}!allfrom:W"
    options = {"four-sets-from-one": True}
    assert mjscore.score(fed.format("(123c)"), "babcock-chinese", options=options).error is None
    error = mjscore.score(fed.format("(11c)"), "babcock-chinese", options=options).error
    assert error.code == "not-all-fed"


@table
def test_typed_more_loosely(typed, strict):
    result = run_command("score", typed, "--format", "json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["read"] == strict
