"""Conditions as functions: what they are asked, in which order, and what they replace."""

from __future__ import annotations

import pytest
from tables import table

from mjscore.game.hand import TileSet
from mjscore.game.tiles import Tile
from mjscore.notation.hands import parse
from mjscore.rulebook.binding import bind
from mjscore.rulebook.compiling import Clause, compile_hand, compile_sets, holds, more_sets_never_hurt
from mjscore.rulebook.conditions import Constant, parse_condition
from mjscore.rulebook.facts import Situation, hand_facts, special_arrangement
from mjscore.rulebook.rule import Rule


def rule(name: str, section: str = "double", **given: object) -> Rule:
    return Rule(name, name.title(), "H 1", section, **given)  # type: ignore[arg-type]


def clause(name: str, when: str, section: str = "double", **given: object) -> Clause:
    return Clause(rule(name, section, **given), parse_condition(when))


FACTS = hand_facts(parse("S@E: 123b456b789b SS 11c +1c"), 1, 0)
ARRANGED = special_arrangement(
    (TileSet("pung", Tile.parse("1c"), True), TileSet("pung", Tile.parse("2c"), True))
)


@table
def test_whether_more_sets_never_hurt(condition, never):
    assert more_sets_never_hurt(parse_condition(condition)) is never


def test_what_is_known_of_a_loser():
    assert holds(parse_condition("won or only_place or loose"), False) == Constant(False)
    assert (
        holds(parse_condition("won and only_place"), True) == parse_condition("won and only_place").parts[1]
    )


def test_who_asks_what_else_scored_comes_last():
    clauses = [
        clause("alone", 'scores_only("south")'),
        clause("south", "south", "bonus"),
        clause("east", "east"),
    ]
    given = compile_hand(clauses, True)(FACTS, ARRANGED, ())
    assert [award.rule for award in given] == ["south", "alone"]
    clauses.append(clause("drawn", "drawn", "bonus"))
    given = compile_hand(clauses, True)(FACTS, ARRANGED, ())
    assert [award.rule for award in given] == ["south", "drawn"]


def test_what_stands_instead_of_another():
    clauses = [clause("one", "won"), clause("two", "won", instead_of=frozenset({"one"}))]
    assert [award.rule for award in compile_hand(clauses, True)(FACTS, ARRANGED, ())] == ["two"]


def test_how_many_times():
    times = Clause(rule("twice"), parse_condition("won"), parse_condition("pungs >= 1").left)
    (award,) = compile_hand([times], True)(FACTS, ARRANGED, ())
    assert (award.rule, award.times) == ("twice", 2)


def test_a_situation_tells_only_what_is_asked():
    evaluate, situation_of = compile_sets(
        [clause("own", "pung and of(own_wind)", "set"), clause("drawn", "pair and drawn", "set")]
    )
    situation = situation_of(FACTS, ARRANGED)
    assert situation == Situation(FACTS.own_wind, 0, False, True, False, False, "")
    (given,) = evaluate(situation, TileSet("pung", Tile.parse("Sw"), True))
    assert given.id == "own"
    assert evaluate(situation, ARRANGED.sets[0]) == ()


@pytest.mark.parametrize(
    ("book", "asked"),
    [("harr", {"own_wind"}), ("harr-limit", {"own_wind", "round_wind", "won", "drawn", "claimed", "form"})],
)
def test_what_the_sets_of_a_book_ask(book, asked):
    facts = FACTS._replace(claimed=True, original=True)
    situation = bind(book).situation_of(facts, ARRANGED._replace(form="middle"))
    told = {name for name in Situation._fields if getattr(situation, name)}
    assert told <= asked
    assert "own_wind" in told
