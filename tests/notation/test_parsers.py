"""The parsers: where their grammars are found, and what holds of them."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from lark import Lark
from sources import sources

from mjscore.notation.hands import hand_reader
from mjscore.notation.parsers import (
    END,
    Progress,
    _name_plainly,
    fed,
    grammar_text,
    open_grammar,
    read_whole,
    reader_of_tokens,
)
from mjscore.record.lines import line_reader

TESTS = Path(__file__).parents[1]


def test_without_the_names_that_lark_keeps_to_itself_all_is_read(monkeypatch):
    monkeypatch.delattr(Lark, "_load_from_dict")
    without = open_grammar.__wrapped__("hand.lark", ("hand",))
    _name_plainly(SimpleNamespace(parser=object()))
    text = "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"
    assert read_whole(without, text, "hand") == read_whole(hand_reader().parser, text, "hand")


def test_lark_tells_where_each_token_leads_and_what_ends_there():
    """What is relied on beyond Lark's documented names: its lexers by state, and the stack of states."""
    start = Progress(line_reader().parser, "row")
    token = start.lexed("Ann: 480")
    behind = start.after(token.type)
    assert (token.type, str(token), start.rule, behind.rule) == ("SEAT_LABEL", "Ann:", "empty", None)
    score = behind.after("SCORE")
    assert (behind.lexed("480").type, score.rule, score.lexed("win").type) == ("SCORE", "seat_score", "WIN")
    hand, longer = behind.after("TILES"), behind.after("TILES").after("SET")
    assert hand.rule == longer.rule == "seat_hand"
    assert hand.key == longer.key != score.key


def test_only_one_module_knows_what_lark_does_not_document():
    names = re.compile(
        r"from lark\.(?!exceptions)|_load_from_dict|_parse_table|parser_state|LexerThread|parse_interactive"
    )
    knowing = [name for name, source in sources().items() if names.search(source.text)]
    assert knowing == ["notation.parsers"]


def test_a_reader_of_tokens_goes_on_from_each_place_without_a_lexer():
    """What is relied on beyond Lark's documented names: a state that is copied and fed with anything that has a type."""
    begun = reader_of_tokens(hand_reader().parser, "hand")
    tokens = read_whole(hand_reader().parser, "123b 5c +5c", "hand")[1]
    held = fed(begun, tokens[0])
    assert "DRAWN" in held.accepts()
    assert "DRAWN" not in begun.accepts()
    assert fed(fed(held, tokens[1]), END).data == fed(held, END).data == "hand"


@pytest.mark.parametrize("name", ["hand.lark", "table.lark", "condition.lark", "shape.lark"])
def test_a_grammar_is_found_wherever_the_package_lies(name):
    assert grammar_text(name).startswith("//")


def test_the_tokens_of_a_hand_are_its_pieces():
    text = '"a" S@E: (222d) [1111c] 123b 45c ... 5c <6c:N !robbed!last = 84'
    rule, found = read_whole(line_reader().parser, text, "line")
    assert rule == "hand_line"
    tokens = [(token.type, token.value.rstrip()) for token in found]
    assert tokens == [
        ("LABEL", '"a"'),
        ("HEADER", "S@E:"),
        ("SET", "(222d)"),
        ("SET", "[1111c]"),
        ("TILES", "123b 45c"),
        ("UNLISTED", "..."),
        ("TILES", "5c"),
        ("CLAIMED", "<6c:N"),
        ("FLAG", "!robbed"),
        ("FLAG", "!last"),
        ("EQUAL", "="),
        ("INTEGER", "84"),
    ]


@pytest.mark.parametrize(("name", "start"), [("speech.lark", "hand"), ("scores.lark", "line")])
def test_two_kinds_of_pieces_always_tell_which_rule_goes_on(name, start, caplog):
    """Lark settles what two rules could take silently for one of them: the other way would be lost."""
    caplog.set_level(logging.DEBUG, "lark")
    grammar = (TESTS.parent / "grammar" / name).read_text(encoding="utf-8")
    Lark(grammar, parser="lalr", start=start, debug=True, import_paths=[str(TESTS.parent / "grammar")])
    assert [record.message for record in caplog.records if "conflict" in record.message] == []
    # and no lists that several ways would share
    rules = "\n".join(line.partition("//")[0] for line in grammar.splitlines() if not line.startswith("%"))
    assert not re.search(r"[*+]|^_|\s_[a-z]", rules, re.MULTILINE)
