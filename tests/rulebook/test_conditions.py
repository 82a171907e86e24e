"""The language of conditions: what it takes, what it refuses and where, and what it works out."""

from __future__ import annotations

import ast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import mjscore
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind, forget_rulebooks
from mjscore.rulebook.conditions import (
    DEEPEST,
    LONGEST,
    MOST_COUNTED,
    Compare,
    Constant,
    Joined,
    Name,
    Not,
    Text,
    Vocabulary,
    check_condition,
    expression,
    fold,
    most,
    names_in,
    parse_condition,
)
from mjscore.rulebook.facts import HAND_VOCABULARY, OPTION_VOCABULARY, SET_VOCABULARY

OPTIONS = {"mandarins": "boolean", "seasons": "text", "mah-jongg": "number"}
HAND = Vocabulary(HAND_VOCABULARY.facts, HAND_VOCABULARY.classes, OPTIONS)
SET = Vocabulary(SET_VOCABULARY.facts, SET_VOCABULARY.classes, OPTIONS)
SETTLING = Vocabulary(OPTION_VOCABULARY.facts, OPTION_VOCABULARY.classes, OPTIONS)


def refused(text: str, vocabulary: Vocabulary = HAND, wanted: str = "boolean") -> mjscore.Refusal:
    with pytest.raises(Refused) as caught:
        check_condition(parse_condition(text), vocabulary, wanted)
    return caught.value.refusal


@pytest.mark.parametrize(
    ("text", "code", "column"),
    [
        ("wonn", "unknown-name", 1),
        ("won and pongs(dragon) == 3", "unknown-name", 9),
        ("won and pungs(dragoon) == 3", "unknown-name", 9),
        ("pungs('dragon') == 3", "no-such-tiles", 1),
        ("pungs(dragon)", "wrong-type", 1),
        ("won and chows", "wrong-type", 9),
        ("not pungs", "wrong-type", 5),
        ("won == 3", "wrong-type", 1),
        ("won == drawn", "wrong-type", 1),
        ("3 == 'three'", "wrong-type", 1),
        ("chows + won == 3", "wrong-type", 9),
        ("option('seasons') > 'off'", "wrong-type", 1),
        ("option('seasons')", "wrong-type", 1),
        ("option('mah-jongg') == '10'", "wrong-type", 1),
        ("3", "wrong-type", 1),
        ("'won'", "wrong-type", 1),
        ("won(dragon)", "wrong-arguments", 1),
        ("drawn and won('x')", "wrong-arguments", 11),
        ("held(dragon)", "wrong-arguments", 1),
        ("held", "wrong-arguments", 1),
        ("held('1x', '2x')", "wrong-arguments", 1),
        ("held('1x', dragon)", "wrong-arguments", 1),
        ("scores_only('mah-jongg', dragon)", "wrong-arguments", 1),
        ("scores_only", "wrong-arguments", 1),
        ("option", "wrong-arguments", 1),
        ("option(mandarins)", "wrong-arguments", 1),
        ("option('mandarin')", "unknown-option", 1),
        ("", "bad-condition", 1),
        ("won and", "bad-condition", 8),
        ("won and or drawn", "bad-condition", 9),
        ("(won", "bad-condition", 5),
        ("won)", "bad-condition", 4),
        ("won drawn", "bad-condition", 5),
        ("won = drawn", "bad-condition", 5),
        ("won & drawn", "bad-condition", 5),
        ("1 < chows < 3", "bad-condition", 11),
        ("chows * 2 == 4", "bad-condition", 7),
        ("chows == -1", "bad-condition", 10),
        ("chows == 1.5", "bad-condition", 11),
        ("chows == 1234567890", "bad-condition", 19),
        ("won; import os", "bad-condition", 4),
        ("__import__('os')", "bad-condition", 1),
        ("won.__class__", "bad-condition", 4),
        ("f.hand", "bad-condition", 2),
        ("lambda: won", "bad-condition", 7),
        ("pungs(dragon", "bad-condition", 13),
        ("pungs()", "bad-condition", 7),
        ("won and # drawn", "bad-condition", 9),
        ("option('man", "bad-condition", 8),
        ("Won", "bad-condition", 1),
    ],
)
def test_what_is_refused_and_where(text, code, column):
    found = refused(text)
    assert (found.code, found.column) == (code, column), found.render()
    assert found.message
    assert found.hint


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("wonn", "won"),
        ("pung(dragon) == 1", "pungs"),
        ("pungs(dragons) == 1", "dragon"),
        ("one_suite", "one_suit"),
    ],
)
def test_a_misspelt_name_is_met_with_the_right_one(text, near):
    assert refused(text).hint == f"did you mean {near}?"


def test_each_kind_of_entry_has_its_own_facts():
    check_condition(parse_condition("pung and of(head) and exposed and not completed"), SET)
    check_condition(parse_condition("players == 3 and limited and option('mandarins')"), SETTLING)
    assert refused("pung and of(head)").code == "unknown-name"
    assert refused("chows == 0", SET).code == "unknown-name"
    assert refused("won", SETTLING).code == "unknown-name"


def test_a_number_is_wanted_where_something_is_counted():
    check_condition(parse_condition("own_bonus + complete_series - 1"), HAND, "number")
    found = refused("won", wanted="number")
    assert (found.code, found.column) == ("wrong-type", 1)


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("won and pongs(dragon) == 3", "pongs"),
        ("won and pungs(dragoon) == 3", "pungs(d"),  # as long as the class, from the fact on
        ("won and drawn(dragon)", "drawn"),
        ("won and held(dragon)", "held"),
        ("won and option('mandarin')", "option"),
        ("won and pungs('9x') == 1", "pungs"),
        ("won and chows", "c"),
        ("won and 3 > drawn", "d"),
        ("won and * drawn", "*"),
        ("won and", ""),
        ("3 == 'three'", "3"),
        ("won".ljust(LONGEST + 1), "w"),
    ],
)
def test_what_is_marked(text, marked):
    found = refused(text)
    assert found.line == 1
    assert text[found.column - 1 :][: found.length] == marked
    assert found.length == max(1, len(marked))


@pytest.mark.parametrize(
    ("text", "wanted", "message", "hint"),
    [
        ("chows", "boolean", "a number where a yes or no is needed", "compare it: pungs(dragon) >= 1"),
        ("won", "number", "a yes or no where a number is needed", "name a fact that counts"),
        (
            "won * 2 == 4",
            "boolean",
            "'* 2 == 4' cannot stand here",
            "numbers are added and subtracted, no more: for two each, write the points of one twice as high",
        ),
        (
            "won ; an assignment = 2",
            "boolean",
            "'; an assignm' cannot stand here",
            "a condition is like: won and pungs(dragon) == 3 and not drawn",
        ),
        (
            "won or",
            "boolean",
            "the condition ends too early",
            "a condition is like: won and pungs(dragon) == 3 and not drawn",
        ),
    ],
)
def test_what_is_said_of_it(text, wanted, message, hint):
    found = refused(text, wanted=wanted)
    assert (found.message, found.hint) == (message, hint)


def test_the_longest_and_the_deepest_that_are_taken():
    longest = "won".ljust(LONGEST)
    check_condition(parse_condition(longest), HAND)
    assert refused(longest + " ").code == "long-condition"
    # one in the other, each a level deeper
    deepest = "won and (won or (" * ((DEEPEST - 2) // 2) + "won and won" + "))" * ((DEEPEST - 2) // 2)
    check_condition(parse_condition(deepest), HAND)
    assert refused(f"won or ({deepest})").code == "deep-condition"
    assert (LONGEST, DEEPEST) == (1000, 40)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("kongs", 18),
        ("kongs + 3", 21),
        ("kongs + bonus_tiles - chows - 1", 36),  # the least that is taken away is nothing
        ("option('mah-jongg') + 1", 51),
        ("option('other')", 0),
    ],
)
def test_the_most_that_a_number_can_be(text, number):
    """A hand has eighteen tiles at most, four fours and a pair."""
    assert MOST_COUNTED == 18
    assert most(parse_condition(text), {"mah-jongg": 50}) == number


def test_a_limit_is_compared_and_not_counted_with():
    """It may be none."""
    limited = Vocabulary(HAND.facts, HAND.classes, {"limit": "limit"})
    check_condition(parse_condition("option('limit') >= 300 and 500 > option('limit')"), limited)
    assert refused("option('limit') + 1 > 300", limited).code == "wrong-type"
    assert refused("option('limit') == 'none'", limited).code == "wrong-type"
    assert refused("option('limit')", limited).message.startswith("a limit, which may be none, where")


def named(text: str) -> Name:
    return Name(text, (), 0)


def shape(node: object) -> object:
    """A condition with the columns left out."""
    if isinstance(node, Name):
        return named(node.name)
    if isinstance(node, Joined):
        return Joined(node.word, tuple(shape(part) for part in node.parts))
    if isinstance(node, Not):
        return Not(shape(node.part))
    if isinstance(node, Compare):
        return Compare(node.sign, shape(node.left), shape(node.right))
    return node


WON, DRAWN, LOOSE = named("won"), named("drawn"), named("loose")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("won and drawn or loose", Joined("or", (Joined("and", (WON, DRAWN)), LOOSE))),
        ("won or drawn and loose", Joined("or", (WON, Joined("and", (DRAWN, LOOSE))))),
        ("(won or drawn) and loose", Joined("and", (Joined("or", (WON, DRAWN)), LOOSE))),
        ("not won or drawn", Joined("or", (Not(WON), DRAWN))),
        ("not (won or drawn)", Not(Joined("or", (WON, DRAWN)))),
        ("not not won", WON),
        ("not chows == pairs", Not(Compare("==", named("chows"), named("pairs")))),
        ("won and\n  drawn", Joined("and", (WON, DRAWN))),
        ("((won))", WON),
    ],
)
def test_what_binds_closer(text, meaning):
    assert shape(parse_condition(text)) == meaning


TRUTH = {"won": True, "drawn": False, "loose": True, "chows": 2, "pairs": 1}


@pytest.mark.parametrize(
    "text",
    [
        "won and drawn or loose",
        "won or drawn and not loose",
        "not won or drawn",
        "not (won and drawn) and chows > pairs",
        "chows - pairs + 1 == 2 and won",
        "chows - pairs - 1 == 0",
        "chows != 2 or pairs >= 1 and chows <= 1",
        "drawn or (chows < 3 and won)",
    ],
)
def test_folding_works_out_what_python_does(text):
    folded = fold(parse_condition(text), lambda name: TRUTH[name.name])
    assert folded == Constant(eval(text, {}, TRUTH))


def test_folding_keeps_what_is_not_known():
    known = {"won": True, "drawn": False}.get
    folded = fold(parse_condition("won and (drawn or loose) and not drawn"), lambda name: known(name.name))
    assert shape(folded) == LOOSE
    assert fold(parse_condition("won or loose"), lambda name: known(name.name)) == Constant(True)
    assert fold(parse_condition("loose and drawn"), lambda name: known(name.name)) == Constant(False)


def test_words_stand_without_their_quotes():
    node = parse_condition("option('seasons') != \"off\"")
    assert node == Compare("!=", Name("option", (Text("seasons"),), 1), Text("off"))


def test_names_are_found_wherever_they_stand():
    node = parse_condition('not won or chows + pairs == 3 and scores_only("a", "b") and (drawn or loose)')
    assert [name.name for name in names_in(node)] == [
        "won",
        "chows",
        "pairs",
        "scores_only",
        "drawn",
        "loose",
    ]


def test_words_in_quotes_stay_words():
    # what stands in quotes reaches Python only as a text
    code = expression(parse_condition("""held('" or __import__("os") or "')"""), HAND)
    call = ast.parse(code, mode="eval").body.values[1].comparators[0]
    assert [argument.value for argument in call.args] == ['" or __import__("os") or "']
    assert expression(parse_condition("held('{0}')"), HAND).endswith("patterns('{0}'))")


@pytest.mark.parametrize(
    "text",
    [
        "(" * (LONGEST // 2 - 2) + "won" + ")" * (LONGEST // 2 - 2),
        "not " * (LONGEST // 4 - 1) + "won",
        " and ".join(["won"] * (LONGEST // 9)),
        "chows" + " + 1" * ((LONGEST - 10) // 4) + " > 1",
    ],
)
def test_long_and_deep_conditions_end(text):
    assert len(text) <= LONGEST
    check_condition(parse_condition(text), HAND)


def test_a_condition_that_is_too_long_is_refused():
    assert refused(" and ".join(["won"] * 500)).code == "long-condition"
    assert refused("(" * LONGEST + "won").code == "long-condition"


@pytest.mark.parametrize(
    "condition",
    [
        "not " * 240 + "chows == 0",
        "(loose or (last and " * 40 + "drawn" + "))" * 40,
        "not (" * 160 + "drawn" + ")" * 160,
    ],
)
def test_a_deep_condition_is_compiled_or_refused(condition, tmp_path):
    path = tmp_path / "deep.toml"
    path.write_text(
        'id = "deep"\ntitle = "Deep"\nextends = "harr"\n\n[[double]]\nid = "x"\ntitle = "X"\ndoubles = 1\n'
        f'source = "x"\nwhen = "{condition}"\n',
        encoding="utf-8",
    )
    forget_rulebooks()
    try:
        bind(str(path))
    except Refused as found:
        assert found.refusal.line == 10


WORDS = st.lists(
    st.sampled_from(
        [
            *("won", "drawn", "chows", "pungs", "pairs", "dragon", "head", "held", "option", "players"),
            *("scores_only", "and", "or", "not", "(", ")", ",", "==", "!=", ">=", "<", "+", "-", "0", "3"),
            *("'off'", '"mah-jongg"'),
        ]
    ),
    max_size=25,
).map(" ".join)


@given(
    st.one_of(
        st.text(max_size=80), st.text("won pungs(dragon) == 3 andrt\"'<>=!+-0123456789", max_size=80), WORDS
    )
)
@example("players<chows")
def test_any_condition_is_taken_or_refused(text):
    try:
        node = parse_condition(text)
        check_condition(node, HAND)
    except Refused as found:
        assert found.refusal.message
        assert found.refusal.hint
        assert 1 <= found.refusal.column <= len(text) + 1
    else:
        # what the options tell is worked out before a condition is compiled
        told = {"players": 4, "limited": True, "option": True}
        compile(expression(fold(node, lambda name: told.get(name.name)), HAND), "<condition>", "eval")
