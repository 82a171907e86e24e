"""A file's text, understood: its blocks, its entries and their marks, the hand under way, what does not hold."""

from __future__ import annotations

from itertools import accumulate

import pytest
from evenings import SEATS, account
from hypothesis import example, given
from hypothesis import strategies as st
from refusals import refusal_of
from tables import table

from mjscore.play.evening import (
    document_of,
    line_end,
    line_of,
    read_evening,
    record_of,
    rewritten,
    text_of,
    told_in_names,
    with_lines,
)
from mjscore.record.lines import BlockLine, NoteLine, SeatRow
from mjscore.record.source import blocks, is_blank, lines_of
from mjscore.refusal import Refusal

HAND = 'hand\n  Ann: 8\n  Ben: 68 win\n  "Old Cid": 12\n  Dee: 0\n'
WON_BY_SOUTH = "hand\n  E: 8\n  S: 68 win\n  W: 12\n  N: 0\n"
WON_BY_EAST = 'hand\n  Ann: 8 win\n  Ben: 68\n  "Old Cid": 12\n  Dee: 0\n'


def test_what_was_played_is_counted_by_hands_and_notes_by_themselves():
    evening = account(
        f"pay Ann Dee 20\n# between\nnote one\n{HAND}\npay Ann Dee 20\nnote two\ndraw\n{HAND}"
        "S: (222d) [1111c] 123b 456b 5c\npay Dee Ben 2\n  note for tea\npay Ben Dee 2\n"
    )
    assert [(entry.mark, entry.kind) for entry in evening.entries] == [
        ("0a", "pay"), ("n1", "note"), ("1", "hand"), ("1a", "pay"), ("n2", "note"), ("2", "draw"), ("3", "hand"),
        ("3a", "pay"), ("3b", "pay"),
    ]  # fmt: skip
    assert [evening.document[entry.place][0].split()[0] for entry in evening.entries] == [
        "pay", "note", "hand", "pay", "note", "draw", "hand", "pay", "pay"
    ]  # fmt: skip
    assert [entry.mark for entry in evening.played] == ["0a", "1", "1a", "2", "3", "3a", "3b"]
    assert evening.hand.mark == "4"
    found = evening.entry("1")
    assert found is not None
    assert found.nets == {"Ann": -128, "Ben": 272, "Old Cid": -48, "Dee": -96}
    assert evening.entry("4") is None


def test_of_an_evening_not_begun_nothing_was_played_and_the_first_is_east():
    evening = account()
    assert (evening.entries, evening.played, evening.hand.mark, evening.hand.lines) == (
        (),
        (),
        "1",
        ("hand @E\n",),
    )
    assert evening.state.seats == SEATS
    assert evening.missing == {"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}
    assert evening.state.round_wind == "E"


def test_the_winds_are_those_of_the_hand_under_way():
    # Ann lost as East, but the hand is played as if she had not
    evening = account(f"{HAND}hand\n  Ann: 8\n  east Ann @E\n")
    assert evening.state.seats["E"] == "Ann"
    evening = account(f"{HAND}hand\n  Ann: 8\n")
    assert evening.state.seats == {"E": "Ben", "S": "Old Cid", "W": "Dee", "N": "Ann"}
    assert account(WON_BY_SOUTH * 4).state.round_wind == "S"
    assert account(WON_BY_EAST).state.seats["E"] == "Ann"


def test_who_sits_out_does_not_play():
    evening = read_evening("rulebook babcock\nset players = 5\nplayers Ann Ben Cid Dee Eve\n")
    assert evening.state.seats["X"] == "Eve"
    assert list(evening.missing.values()) == ["Ann", "Ben", "Cid", "Dee"]


@table
def test_whose_lines_the_hand_under_way_has(rows, whose, amiss):
    evening = account(f"draw\n\nhand @E\n{rows}")
    hand = evening.hand
    assert hand.is_open
    assert (hand.place, hand.rows, hand.state.position) == (4, whose, evening.position)
    assert (hand.amiss.code if hand.amiss else None) == amiss
    assert hand.amiss is None or (hand.amiss.file, hand.amiss.line) == ("", None)
    assert hand.mark == "2"


@pytest.mark.parametrize(
    ("line", "record", "rewritten_as"),
    [
        ("  Ann: 8\n", SeatRow("Ann", 8), "  Ann: 8\n"),
        ("\tAnn :8  # by hand\r\n", SeatRow("Ann", 8), "\tAnn :8  # by hand\r\n"),
        ("\tAnn :8  # by hand\r\n", SeatRow("Ben", 8), "\tBen: 8  # by hand\r\n"),
        ('  "a # b": 8\t#1\n', SeatRow("a # b", 9), '  "a # b": 9\t#1\n'),
        ("hand  @E # x\n", BlockLine("y", "S"), 'hand "y" @S # x\n'),
        ("note a # b\n", NoteLine("c"), "note c\n"),
    ],
)
def test_a_line_that_says_the_same_stays_byte_for_byte(line, record, rewritten_as):
    assert rewritten(line, record) == rewritten_as
    assert record_of(rewritten_as) == record


def test_what_was_written_is_not_read_again(monkeypatch):
    text = line_of(SeatRow("Ann", 8641), "\n", "  ")
    monkeypatch.setattr("mjscore.play.evening.parse_text", None)
    assert record_of(text) == SeatRow("Ann", 8641)


@table
def test_the_first_thing_that_does_not_hold_is_told_with_its_place(text, code, line):
    refusal = refusal_of(read_evening, text.replace("{500 notes}", "  note x\n" * 500), "e.mj")
    assert (refusal.code, refusal.line, refusal.file) == (code, line, "e.mj")
    if code == "expected-net":
        assert line is not None
        assert refusal.text == text.splitlines()[line - 1]
        assert (refusal.column, refusal.length) == (1, len(refusal.text))


LINES = [
    "hand",
    "  Ann: 8",
    "\tBen: 4",
    "# a comment",
    "  # a comment",
    "",
    "   ",
    "draw",
    "note x",
    "  east Ann",
]


@given(st.lists(st.sampled_from(LINES)), st.sampled_from(["\n", "\r\n"]))
@example(["# a comment", "  Ann: 8"], "\n")
@example(["hand", "# a comment"], "\r\n")
def test_joined_again_they_are_the_text_and_begin_where_the_reader_says(lines, end):
    text = "".join(line + end for line in lines)
    document = document_of(text)
    assert text_of(document) == text
    numbers = accumulate(map(len, document), initial=1)
    heads = [
        number for number, block in zip(numbers, document, strict=False) if not is_blank(block[0].rstrip())
    ]
    assert heads == [block.head.number for block in blocks(lines_of(text))]


@given(st.text(alphabet="ab \t#\n\r"))
def test_any_text_is_joined_again(text):
    assert text_of(document_of(text)) == text


def test_comments_between_rows_belong_to_the_block_and_others_stand_between():
    document = document_of(
        "# top\nhand\n  Ann: 8\n\n# in it\n  Ben: 4\n  # below\n  \n# between\ndraw\n\n# end\n"
    )
    assert [len(block) for block in document] == [1, 6, 2, 1, 2]
    assert with_lines(document, 3, ["wash\n"]).endswith("# between\nwash\n\n# end\n")
    assert with_lines(document, 1, []) == "# top\n  \n# between\ndraw\n\n# end\n"


@pytest.mark.parametrize(("text", "end"), [("a\r\nb\n", "\r\n"), ("a\nb\r\n", "\n"), ("a", "\n"), ("", "\n")])
def test_lines_end_as_the_first_does(text, end):
    assert line_end(text) == end


@table
def test_a_refusal_speaks_of_players(message, hint, told, told_hint):
    refusal = told_in_names(Refusal("x", message, hint), SEATS)
    assert (refusal.message, refusal.hint) == (told, told_hint)


def test_where_a_player_is_called_east_winds_are_winds():
    refusal = Refusal("x", "South and North cannot both win", "type S: 0")
    assert told_in_names(refusal, {**SEATS, "N": "East"}) == refusal
