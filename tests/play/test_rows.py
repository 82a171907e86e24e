"""The lines of a hand's block as they were typed, and back: what each is, what settles, what is taken back."""

from __future__ import annotations

import pytest

from mjscore.play.rows import (
    Said,
    before_last_line,
    before_settling,
    in_one_line,
    is_typed,
    replaced,
    said,
    settled,
    taken_in,
    told_rows,
    waiting,
    waits,
)

SEATS = {"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}
HEAD = "hand @E\n"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("  Ann: 8\n", Said("row", "Ann")),
        ("\tS: 8  # by hand\r\n", Said("row", "Ben")),
        ("  # waiting Dee: 8 win\n", Said("row", "Dee")),
        ('  # was "Old Cid": 8\n', Said("was", "Old Cid")),
        ("  # was # waiting Dee: 8 win\n", Said("was", "Dee")),
        ('  # was hand "x" @E\n', Said("label")),
        ("  # was hand: 8\n", Said("was", "hand")),
        ("  note Ann: 8\n", Said("note")),
        ("  east Ann\n", Said("worked out")),
        ("  pays Ann -8 Ben +8\n", Said("worked out")),
        ("  # settled by\n", Said("")),
        ("  # 3 in one line\n", Said("")),
        ("  # was here\n", Said("")),
        ("  # was note x\n", Said("")),
        ("  # waiting for the tea\n", Said("")),
        ("  # waiting note x\n", Said("")),
        ("  # waiting east Ann\n", Said("")),
        ("  # Ann: 8\n", Said("")),
        ("\n", Said("")),
    ],
)
def test_what_a_line_is(line, found):
    assert said(line, SEATS) == found


@pytest.mark.parametrize(
    "row",
    [
        "  Ann: 8\n",
        "\tAnn: 8  # by hand\r\n",
        '    "Old Cid": dead \n',
        "  Ann: 8  # was 9\n",
        "  Ann: 8  # waiting for Ben\n",
    ],
)
def test_what_is_replaced_or_waits_is_the_same_line_again(row):
    assert taken_in(row) == row
    assert not waits(row)
    lines, told = before_last_line([HEAD, replaced(row), "  note x\n", row.replace("8", "9")], SEATS)
    assert lines == [HEAD, row, "  note x\n"]
    assert told in ("Ann’s line", "Old Cid’s line")
    assert waits(waiting("  Ann: 8\n"))
    assert taken_in(waiting("  Ann: 8\n")) == "  Ann: 8\n"


def test_settled_and_back():
    before = [
        HEAD,
        "  Ann: 8 win\n",
        "  # waiting Ben: 20 win\n",
        "  # a comment\n",
        "  Dee: 0\n",
        '  "Old Cid": 2\n',
    ]
    open_lines = [before[0], replaced(before[1]), *before[2:]]
    lines = settled(open_lines, ["  Ann: 8\n"], "\n")
    assert lines == [
        HEAD, "  # was Ann: 8 win\n", "  # was # waiting Ben: 20 win\n", "  # a comment\n", "  Dee: 0\n",
        '  "Old Cid": 2\n', "  # settled by\n", "  Ben: 20 win\n", "  Ann: 8\n",
    ]  # fmt: skip
    by_hand = [*lines, "  east Ann\n", "  # by hand\n", "  pays Ann +1\n", "  note y\n"]
    assert before_settling(by_hand, SEATS) == ([*before, "  # by hand\n", "  note y\n"], ["Ann"])


def test_what_waits_is_a_line_of_a_player():
    assert not any(map(waits, ["  # waiting for the tea\n", "  # waiting note x\n", "  Ann: 8\n"]))
    # at the margin it would fall out of its hand
    assert replaced("# waiting Ben: 8\n") == "  # was # waiting Ben: 8\n"


def test_a_comment_stands_above_several_rows_typed_as_one():
    assert in_one_line(["  Ann: 8\n"], "\n") == ["  Ann: 8\n"]
    assert in_one_line(["  Ann: 8\n", "  Ben: 4\n"], "\n") == [
        "  # 2 in one line\n",
        "  Ann: 8\n",
        "  Ben: 4\n",
    ]


def test_a_hand_typed_as_one_line_has_nothing_before():
    assert before_settling([HEAD, "  Ann: 8\n", "  Ben: 4 win\n"], SEATS) is None


@pytest.mark.parametrize(
    ("lines", "before", "told"),
    [
        ([HEAD, "  Ann: 8\n"], [], "Ann’s line"),
        ([HEAD], [], ""),
        (['hand "x" @E\n', "  Ann: 8\n"], ['hand "x" @E\n'], "Ann’s line"),
        ([HEAD, "  Ann: 8\n", "  note x\n"], [HEAD, "  Ann: 8\n"], "the note"),
        (['hand "y" @E\n', "  Ann: 8\n", '  # was hand "x" @E\n'], ['hand "x" @E\n', "  Ann: 8\n"], "the label"),
        ([HEAD, "  Ann: 8\n", *in_one_line(["  Ben: 2\n", "  Dee: 4\n"], "\n")], [HEAD, "  Ann: 8\n"],
         "the line of Ben, Dee"),
        ([HEAD, *in_one_line(["  Ben: 2\n", "  Dee: 4\n"], "\n"), "  Ann: 8\n"],
         [HEAD, "  # 2 in one line\n", "  Ben: 2\n", "  Dee: 4\n"], "Ann’s line"),
        ([HEAD, *in_one_line(["  Ben: 2\n", "  Dee: 4\n"], "\n")], [], "the line of Ben, Dee"),
        ([HEAD, "  Ben: 2\n", *in_one_line(["  Ann: 2\n", "  Dee: 4\n"], "\n"), "  # by hand\n"],
         [HEAD, "  Ben: 2\n", "  # by hand\n"], "the line of Ann, Dee"),
        # one of those in the line has been typed anew since
        ([HEAD, "  # 2 in one line\n", "  # was Ben: 2\n", "  Dee: 4\n", "  Ben: 6\n"],
         [HEAD, "  # 2 in one line\n", "  Ben: 2\n", "  Dee: 4\n"], "Ben’s line"),
        # somebody has taken one out by hand
        ([HEAD, "  # 3 in one line\n", "  Ben: 2\n", "  Dee: 4\n"], [HEAD, "  # 3 in one line\n", "  Ben: 2\n"],
         "Dee’s line"),
        ([HEAD, "  Ann: 8\n", "  # by hand\n"], [HEAD, "  # by hand\n"], "Ann’s line"),
        ([HEAD, "  Ann: 8\n", "  east Ben @E\n", "  Dee: 8\n"], [HEAD, "  Ann: 8\n", "  east Ben @E\n"], "Dee’s line"),
    ],
)  # fmt: skip
def test_what_was_typed_last_is_taken_back(lines, before, told):
    assert before_last_line(lines, SEATS) == (before, told)


def test_what_was_typed_and_what_not():
    typed = [
        "  Ann: 8\n",
        "  note x\n",
        "  # was Ann: 8\n",
        "  # waiting Ben: 2 win\n",
        '  # was hand "x" @E\n',
    ]
    assert all(map(is_typed, typed))
    assert not any(
        map(is_typed, ["  # 2 in one line\n", "  # by hand\n", "  east Ben @E\n", "  # settled by\n"])
    )


def test_one_line_is_told_by_those_whose_it_is():
    assert told_rows(["Ann"]) == "Ann’s line"
    assert told_rows(["Ann", "Old Cid"]) == "the line of Ann, Old Cid"
