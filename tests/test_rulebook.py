"""Rulebook files: what they can do, and how a mistake in one is reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mjscore
from mjscore.conditions import LONGEST, check_condition, parse_condition
from mjscore.facts import HAND_VOCABULARY
from mjscore.refusal import Refused
from mjscore.rulebook import RULEBOOKS, bind, forget_rulebooks, read_rulebook

HOUSE = """
id = "house"
title = "A small house rulebook"
extends = "harr"

[options]
limit = 1000

[change.only-place]
points = 4
source = "house 1"

[[double]]
id = "no-honors"
title = "No honors"
doubles = 1
when = "won and tiles(honor) == 0 and chows >= 1"
source = "house 2"
"""


@pytest.fixture
def write(tmp_path):
    def write(text: str, name: str = "house.toml") -> str:
        forget_rulebooks()
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    yield write
    forget_rulebooks()


def refusal(path: str, **options: object):
    with pytest.raises(Refused) as caught:
        bind(path, options)
    return caught.value.refusal


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_entry_has_its_page(name):
    text = read_rulebook(name)
    for entry in (*text.entries.values(), *text.options.values()):
        assert ("Harr p. " if name.startswith("harr") else "Babcock p. ") in entry.source, entry.id
        assert entry.title[0].isupper(), entry.id


def test_a_small_house_rulebook_extends_harr(write):
    path = write(HOUSE)
    hand = "(123b) 456b 789c 22d 5d7d +6d"
    plain = mjscore.score(hand)
    house = mjscore.score(hand, path)
    assert (plain.score, house.score) == (24, 52)
    assert [line.rule for line in house.doubling] == ["no-honors"]
    assert {item.rule: item.points for item in house.items}["only-place"] == 4
    big = "E: RRR GGG WWWd EEE S +S!original"
    assert mjscore.score(big).score == 63488
    assert mjscore.score(big, path).score == 1000
    assert mjscore.score(big, path).limit == "limit"
    assert bind(path).fingerprint != bind("harr").fingerprint


def test_one_may_extend_another_and_options_reach_through(write, tmp_path):
    write(HOUSE)
    path = write(
        'id = "guests"\ntitle = "Guests"\nextends = "house.toml"\ndrop = ["no-honors"]\n', "guests.toml"
    )
    assert bind(path).limit == 1000
    assert "no-honors" not in bind(path).entries
    assert bind(path, {"limit": "none"}).limit is None
    assert bind(path).text.lineage == ("harr", "house", "guests")


DOUBLE = '\n[[double]]\nid = "x"\ntitle = "X"\ndoubles = 1\nsource = "house 2"\nwhen = "{when}"\n'
HEAD = 'id = "h"\ntitle = "H"\nextends = "harr"\n'


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        (HEAD + DOUBLE.format(when="won and pongs(dragon) == 3"), "unknown-name", 10, 17),
        (HEAD + DOUBLE.format(when="pungs(dragoon) == 3"), "unknown-name", 10, 9),
        (HEAD + DOUBLE.format(when="pungs(dragon)"), "wrong-type", 10, 9),
        (HEAD + DOUBLE.format(when="won == 3"), "wrong-type", 10, 9),
        (HEAD + DOUBLE.format(when="won and"), "bad-condition", 10, 16),
        (HEAD + DOUBLE.format(when="won; import os"), "bad-condition", 10, 12),
        (HEAD + DOUBLE.format(when="__import__('os')"), "bad-condition", 10, 9),
        (HEAD + DOUBLE.format(when="option('mandarin')"), "unknown-option", 10, 9),
        (HEAD + DOUBLE.format(when="won(3)"), "bad-condition", 10, 13),
        (HEAD + DOUBLE.format(when="scores_only('nothing')"), "unknown-entry", 10, 9),
        (HEAD + DOUBLE.format(when="held('12x')").replace("12x", "12q"), "bad-shape", 10, 9),
        (HEAD + DOUBLE.replace('source = "house 2"\n', "").format(when="won"), "missing-source", 6, 1),
        (HEAD + DOUBLE.replace('"house 2"', '" "').format(when="won"), "missing-source", 6, 1),
        (HEAD + DOUBLE.replace('title = "X"\n', "").format(when="won"), "missing-key", 6, 1),
        (HEAD + DOUBLE.replace("doubles = 1\n", "").format(when="won"), "missing-key", 6, 1),
        (HEAD + DOUBLE.replace("doubles = 1", "doubles = -1").format(when="won"), "wrong-type", 8, 1),
        (HEAD + DOUBLE.replace("doubles = 1", 'doubles = "one"').format(when="won"), "wrong-type", 8, 1),
        (HEAD + DOUBLE.replace("doubles", "dubbles").format(when="won"), "unknown-key", 8, 1),
        (HEAD + DOUBLE.replace('"x"', '"own-wind"').format(when="won"), "clash", 6, 1),
        (HEAD.replace("harr", "hrr"), "extends-nothing", 3, 1),
        (HEAD.replace("harr", "house.toml"), "extends-cycle", 3, 1),
        (HEAD + 'drop = ["nothing"]\n', "unknown-entry", 4, 1),
        (HEAD + "[options]\nlimits = 3\n", "unknown-option", 5, 1),
        (HEAD + '[options]\nlimit = "much"\n', "option-value", 5, 1),
        (HEAD + '[change.nothing]\npoints = 3\nsource = "x"\n', "unknown-entry", 4, 1),
        (HEAD + "[change.only-place]\npoints = 3\n", "missing-source", 4, 1),
        (HEAD + '[change.only-place]\npints = 3\nsource = "x"\n', "unknown-key", 5, 1),
        (HEAD + '[[shape]]\nid = "s"\ntitle = "S"\nsource = "x"\nof_limit = "1"\ntiles = "6 pairs"\n', "bad-shape", 9, 1),
        (HEAD + '[[shape]]\nid = "s"\ntitle = "S"\nsource = "x"\nof_limit = "1/0"\ntiles = "7 pairs"\n', "wrong-type", 8, 1),
        (HEAD + '[[settle]]\nid = "s"\ntitle = "S"\nsource = "x"\nrule = "magic"\n', "unknown-rule", 8, 1),
        (HEAD + "colour = 3\n", "unknown-key", 4, 1),
        (HEAD + "[double]\n", "wrong-type", 4, 1),
        ('title = "H"\n', "missing-key", 1, 1),
        ("id = \n", "bad-toml", 1, 6),
    ],
)  # fmt: skip
def test_mistakes_are_reported_with_their_place(write, text, code, line, column):
    found = refusal(write(text))
    assert (found.code, found.line, found.column) == (code, line, column), found.render()
    assert found.hint
    assert found.file.endswith("house.toml")
    assert "help:" in found.render()


def test_a_rulebook_that_is_none():
    found = refusal("harrr")
    assert found.code == "no-rulebook"
    assert found.hint == "did you mean harr?"
    assert refusal("/nowhere/x.toml").code == "no-rulebook"
    assert refusal("babcock", limmit=3).code == "unknown-option"
    assert refusal("babcock", limit="much").code == "option-value"
    assert mjscore.score("123b ...", "nothing").error.code == "no-rulebook"


@pytest.mark.parametrize(
    ("text", "names"),
    [("won and drawn or loose", "or"), ("not won or drawn", "or"), ("won and (drawn or loose)", "and")],
)
def test_and_binds_closer_than_or(text, names):
    assert parse_condition(text).word == names  # type: ignore[union-attr]


def test_long_and_deep_conditions_end():
    deep = "(" * (LONGEST // 2 - 2) + "won" + ")" * (LONGEST // 2 - 2)
    check_condition(parse_condition(deep), HAND_VOCABULARY)
    check_condition(parse_condition("not " * (LONGEST // 4 - 1) + "won"), HAND_VOCABULARY)
    with pytest.raises(Refused):
        parse_condition("won and " * 1000 + "won")


@settings(max_examples=150)
@given(st.text("won pungs(dragon) == 3 andrt\"'<>=!+-0123456789", max_size=80))
def test_any_condition_is_taken_or_refused(text):
    try:
        check_condition(parse_condition(text), HAND_VOCABULARY)
    except Refused as refused:
        assert refused.refusal.message


# ------------------------------------------------------------------ special hands of clubs

CLUB = str(Path(__file__).parent.parent / "samples" / "house-rules.toml")


@pytest.mark.parametrize(
    ("held", "waits", "rule"),
    [
        ("1133b 55b 2299c 77c 8c", ["8c"], "two-suit-pairs"),
        ("1133b 55b 2299c 77d 8c", [], ""),
        (
            "123456789d ESWNw",
            [*(f"{value}d" for value in range(1, 10)), "Ew", "Sw", "Ww", "Nw"],
            "run-and-winds",
        ),
        ("1123456789d ESWw", ["Nw"], "run-and-winds"),
        ("1234567d 99d ESWNw", ["8d"], "run-and-winds"),
        ("1199b 11c EE NN RR G", ["Gd"], "all-pairs-of-heads"),
        ("1188b 11c EE NN RR G", [], ""),
    ],
)
def test_special_hands_wait_win_and_are_named(held, waits, rule):
    found = mjscore.waits(held, CLUB)
    assert found.error is None
    assert [str(one.tile) for one in found.waits] == waits
    for one in waits:
        sheet = mjscore.score(f"{held} +{one}", CLUB)
        assert (sheet.special, sheet.limit) == (rule, rule)
        assert sheet.claims[0].rule == rule
        assert sheet.items == ()
        assert mjscore.score(f"{held} +{one}", "babcock").error is not None


def test_an_only_place_looks_at_special_hands_too():
    # 7 pairs of heads wait for G as well as for nothing else; four sets and a pair do not
    sheet = mjscore.score("(RRR) 123b 456b 789b 5d <5d", CLUB)
    assert "only-place" in {item.rule for item in sheet.items}


def test_a_special_hand_needs_a_limit_to_be_a_part_of():
    assert mjscore.score("1133b 55b 2299c 77c 8c +8c", CLUB, options={"limit": "none"}).error is not None
