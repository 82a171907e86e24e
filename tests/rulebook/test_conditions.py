"""The language of conditions: what it takes, what it refuses and where, and what it works out."""

from __future__ import annotations

import ast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from refusals import refusal_of
from tables import table

import mjscore
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind, forget_rulebooks
from mjscore.rulebook.compiling import expression
from mjscore.rulebook.conditions import (
    DEEPEST,
    LONGEST,
    MOST_COUNTED,
    Constant,
    Name,
    Namespace,
    Operation,
    check_condition,
    fold,
    most,
    names_in,
    parse_condition,
)
from mjscore.rulebook.facts import HAND_NAMESPACE, OPTION_NAMESPACE, SET_NAMESPACE

OPTIONS = {"mandarins": "boolean", "seasons": "text", "mah-jongg": "number"}
HAND = Namespace(HAND_NAMESPACE.facts, HAND_NAMESPACE.classes, OPTIONS)
SET = Namespace(SET_NAMESPACE.facts, SET_NAMESPACE.classes, OPTIONS)
SETTLING = Namespace(OPTION_NAMESPACE.facts, OPTION_NAMESPACE.classes, OPTIONS)


def refused(text: str, vocabulary: Namespace = HAND, wanted: str = "boolean") -> mjscore.Refusal:
    return refusal_of(lambda: check_condition(parse_condition(text), vocabulary, wanted))


@table
def test_what_is_refused_and_where(text, code, column):
    found = refused(text)
    assert (found.code, found.column) == (code, column), found.render()
    assert found.message
    assert found.hint


@table
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


@table
def test_what_is_marked(text, marked):
    text = text.replace("{blanks}", " " * LONGEST)
    found = refused(text)
    assert found.line == 1
    assert text[found.column - 1 :][: found.length] == marked
    assert found.length == max(1, len(marked))


@table
def test_what_is_said_of_it(text, wanted, message, hint):
    found = refused(text, wanted=wanted)
    assert (found.message, found.hint) == (message, hint)


def test_the_longest_and_the_deepest_that_are_taken():
    longest = "won".ljust(LONGEST)
    check_condition(parse_condition(longest), HAND)
    assert refused(longest + " ").code == "long-condition"
    assert refused(longest + " ").hint == "split it: at most 1000 characters"
    # one in the other, each a level deeper
    deepest = "won and (won or (" * ((DEEPEST - 2) // 2) + "won and won" + "))" * ((DEEPEST - 2) // 2)
    check_condition(parse_condition(deepest), HAND)
    assert refused(f"won or ({deepest})").code == "deep-condition"
    assert refused(f"won or ({deepest})").hint == "use fewer brackets, or two entries"
    assert (LONGEST, DEEPEST) == (1000, 40)


@table
def test_the_most_that_a_number_can_be(text, number):
    """A hand has eighteen tiles at most, four fours and a pair."""
    assert MOST_COUNTED == 18
    assert most(parse_condition(text), {"mah-jongg": 50}) == number


def test_a_limit_is_compared_and_not_counted_with():
    """It may be none."""
    limited = Namespace(HAND.facts, HAND.classes, {"limit": "limit"})
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
    if isinstance(node, Operation):
        return Operation(node.sign, tuple(map(shape, node.parts)))
    return node


WON, DRAWN, LOOSE = named("won"), named("drawn"), named("loose")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("won and drawn or loose", Operation("or", (Operation("and", (WON, DRAWN)), LOOSE))),
        ("won or drawn and loose", Operation("or", (WON, Operation("and", (DRAWN, LOOSE))))),
        ("(won or drawn) and loose", Operation("and", (Operation("or", (WON, DRAWN)), LOOSE))),
        ("not won or drawn", Operation("or", (Operation("not", (WON,)), DRAWN))),
        ("not (won or drawn)", Operation("not", (Operation("or", (WON, DRAWN)),))),
        ("not not won", WON),
        ("not chows == pairs", Operation("not", (Operation("==", (named("chows"), named("pairs"))),))),
        ("won and\n  drawn", Operation("and", (WON, DRAWN))),
        ("((won))", WON),
    ],
)
def test_what_binds_closer(text, meaning):
    assert shape(parse_condition(text)) == meaning


TRUTH = {"won": True, "drawn": False, "loose": True, "chows": 2, "pairs": 1}


@table
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
    assert node == Operation("!=", (Name("option", (Constant("seasons"),), 0), Constant("off")))


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
    code = expression(parse_condition("""held('" or __import__("os") or "')"""))
    call = ast.parse(code, mode="eval").body.values[1].comparators[0]
    assert [argument.value for argument in call.args] == ['" or __import__("os") or "']
    assert expression(parse_condition("held('{0}')")).endswith("patterns('{0}'))")


@table
def test_long_and_deep_conditions_end(text):
    assert len(text) <= LONGEST
    check_condition(parse_condition(text), HAND)


def test_a_condition_that_is_too_long_is_refused():
    assert refused(" and ".join(["won"] * 500)).code == "long-condition"
    assert refused("(" * LONGEST + "won").code == "long-condition"


@table
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
        compile(expression(fold(node, lambda name: told.get(name.name))), "<condition>", "eval")


@pytest.mark.parametrize("limit", ["none", 300])
def test_no_limit_is_more_than_any(house, limit):
    when = "won and option('limit') > 1000"
    book = bind(house(f'[[bonus]]\nid = "x"\ntitle = "X"\npoints = 7\nwhen = "{when}"\n'), {"limit": limit})
    sheet = mjscore.score("S: (RRR)(789c) 123b 456b 5c +5c", book)
    assert ("x" in {item.rule for item in sheet.items}) is (limit == "none")
