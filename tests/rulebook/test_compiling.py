"""Conditions as functions: what they are asked, in which order, and what they replace."""

from __future__ import annotations

import pytest
from tables import table

from mjscore.game.hand import TileSet
from mjscore.game.tiles import Tile
from mjscore.notation.hands import parse
from mjscore.rulebook.binding import bind
from mjscore.rulebook.compiling import (
    InForce,
    compile_awards,
    compile_situation,
    holds,
    more_sets_never_hurt,
)
from mjscore.rulebook.conditions import Constant, parse_condition
from mjscore.rulebook.facts import arranged, hand_facts
from mjscore.rulebook.rule import Rule


def rule(name: str, section: str = "double", **given: object) -> Rule:
    return Rule(name, name.title(), "H 1", section, **given)  # type: ignore[arg-type]


def clause(name: str, when: str, section: str = "double", **given: object) -> InForce:
    return InForce(rule(name, section, **given), {"when": parse_condition(when)}, None)  # type: ignore[arg-type]


FACTS = hand_facts(parse("S@E: 123b456b789b SS 11c +1c"))
ARRANGED = arranged((TileSet("pung", Tile.parse("1c"), True), TileSet("pung", Tile.parse("2c"), True)))


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
    given = compile_awards(clauses)(FACTS, ARRANGED, ())
    assert [award.rule for award in given] == ["south", "alone"]
    clauses.append(clause("drawn", "drawn", "bonus"))
    given = compile_awards(clauses)(FACTS, ARRANGED, ())
    assert [award.rule for award in given] == ["south", "drawn"]


def test_what_stands_instead_of_another():
    clauses = [clause("one", "won"), clause("two", "won", instead_of=frozenset({"one"}))]
    assert [award.rule for award in compile_awards(clauses)(FACTS, ARRANGED, ())] == ["two"]


def test_how_many_times():
    nodes = {"when": parse_condition("won"), "times": parse_condition("pungs >= 1").parts[0]}
    times = InForce(rule("twice"), nodes, None)
    (award,) = compile_awards([times])(FACTS, ARRANGED, ())
    assert (award.rule, award.times) == ("twice", 2)


def test_a_situation_tells_only_what_is_asked():
    clauses = [
        clause("own", "pung and of(own_wind)", "set"),
        clause("drawn", "pair and drawn", "set"),
        clause("middle", "middle and not drawn", "set"),
    ]
    assert compile_situation(clauses)(FACTS, ARRANGED) == ("", True, FACTS.own_wind)
    evaluate = compile_awards(clauses, "t")
    (given,) = evaluate(FACTS, ARRANGED, TileSet("pung", Tile.parse("Sw"), True))
    assert given.rule == "own"
    assert evaluate(FACTS, ARRANGED, ARRANGED.sets[0]) == ()


@pytest.mark.parametrize(("book", "asked"), [("harr", 1), ("harr-limit", 6)])
def test_what_the_sets_of_a_book_ask(book, asked):
    """By Harr's first part whose wind it is alone; by the second how the hand was won too."""
    situation = bind(book).situation_of(FACTS, ARRANGED)
    assert len(situation) == asked
    assert FACTS.own_wind in situation
