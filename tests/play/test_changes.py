"""What a typed line makes of a file's text, in which words undoing tells it, and what is refused where."""

from __future__ import annotations

import pytest
from tables import table

from mjscore.play.changes import (
    Change,
    add_event,
    add_label,
    add_note,
    add_pool,
    add_rows,
    check_line,
    check_row,
    describe_event,
    drop,
)
from mjscore.play.evening import Evening, read_evening
from mjscore.record.lines import EventLine, SeatRow, parse_line, parse_row
from mjscore.record.source import LONGEST_LINE
from mjscore.refusal import Refusal, Refused

HEAD = 'rulebook harr\nplayers Ann Ben "Old Cid" Dee\n'
BEGUN = 'hand @E\n  Ann: 8\n  "Old Cid": 12\n  Ben: 68 win\n'


def account(below: str = "") -> Evening:
    return read_evening(HEAD + below)


def below(change: Change) -> str:
    """What stands below the players."""
    assert change.text.startswith(HEAD)
    return change.text.removeprefix(HEAD)


def refused(told: pytest.ExceptionInfo[Refused]) -> Refusal:
    return told.value.refusal


@table
def test_what_is_wrong_with_a_row(line, code, about):
    with pytest.raises(Refused) as told:
        check_row(account(), parse_row(line))
    refusal = refused(told)
    assert (refusal.code, refusal.about and refusal.about.name, refusal.file) == (code, about, "")


def test_who_plays_is_said_where_a_name_is_none():
    with pytest.raises(Refused) as told:
        check_row(account(), SeatRow("Z" * 50, 8))
    assert refused(told).message == f"nobody here is called '{'Z' * 40}'"
    assert refused(told).hint == "the players are Ann, Ben, Old Cid, Dee"


def test_a_row_may_say_the_round_that_is_played():
    row, sheet = check_row(account(), parse_row("S@E: (222d) [1111c] 123b 456b 5c"))
    assert str(row) == "Ben: (222d) [1111c] 123b 456b 5c"
    assert sheet is not None
    assert check_row(account(), parse_row("W@E: 8")) == (SeatRow("Old Cid", 8), None)


@pytest.mark.parametrize(
    ("line", "column"), [("Ann: 8\a", 7), ("\0", 1), ("Ann\x1f: 8", 4), ("Ann: 8\x7f", 7), ("Ann: 8\n", 7)]
)
def test_a_control_character_is_refused_where_it_stands(line, column):
    with pytest.raises(Refused) as told:
        check_line(line)
    refusal = refused(told)
    assert (refusal.code, refusal.line, refusal.column, refusal.length) == ("control-character", 1, column, 1)


def test_a_tab_is_as_good_as_a_space_and_a_line_holds_one_hand():
    check_line("Ann:\t8 ~ “”")
    longest = LONGEST_LINE // 2
    check_line("x" * longest)
    for long in ("x" * (longest + 1), "é" * (longest // 2 + 1)):
        with pytest.raises(Refused, match="bytes") as told:
            check_line(long)
        assert refused(told).code == "long-line"
    with pytest.raises(Refused) as told:
        check_line("\udcff")
    assert refused(told).code == "not-utf-8"


@table
def test_lines_of_players(before, typed, after, words):
    change = add_rows(account(before), [parse_row(line) for line in typed])
    assert (below(change), change.words) == (after, words)


def test_a_comment_stays_behind_the_last_row():
    change = add_rows(account(), [SeatRow("E", 8), SeatRow("S", 4)], "  # hm")
    assert below(change) == "hand @E\n  Ann: 8\n  Ben: 4  # hm\n"


@table
def test_labels(before, words, after):
    change = add_label(account(before), words)
    assert (below(change), change.words) == (after, "the label")


@table
def test_what_is_no_label(before, words, said):
    with pytest.raises(Refused, match=said.replace("?", r"\?")):
        add_label(account(before), words)


@pytest.mark.parametrize("before", ["", "draw\n", BEGUN])
def test_notes_are_told_by_how_they_begin(before):
    indent = "  " if before == BEGUN else ""
    for words, told in (("x" * 30, "x" * 30), ("x" * 31, "x" * 30 + "…")):
        change = add_note(account(before), words)
        assert (below(change), change.words) == (f"{before}{indent}note {words}\n", f"the note “{told}”")
    with pytest.raises(Refused, match="the note says nothing"):
        add_note(account(before), "")


def test_only_a_hand_that_was_begun_can_be_dropped():
    change = drop(account(f"draw\n{BEGUN}"))
    assert (below(change), change.words) == ("draw\n", "the dropping of hand 2")
    with pytest.raises(Refused) as told:
        drop(account("draw\n"))
    assert refused(told).code == "nothing-to-drop"


@table
def test_events(line, after, words):
    change = add_event(account(), parse_line(line))
    assert (below(change), change.words) == (after, words)


@table
def test_every_event_has_words(line, words):
    assert describe_event(line) == words


def test_an_event_that_the_rules_do_not_know_is_refused():
    with pytest.raises(Refused) as told:
        add_event(account(), EventLine("wash", ("S",), number=11))
    assert refused(told).code == "no-washing"


def test_into_the_pool_pays_who_has_something_and_does_not_win_it():
    shares = {"Ann": 20, "Ben": 0, "Old Cid": 40, "Dee": 2}
    change = add_pool(account(), "Ann", shares)
    assert below(change) == (
        'note the pool goes to Ann\npay "Old Cid" Ann 40\n  note into the pool\n'
        "pay Dee Ann 2\n  note into the pool\n"
    )
    assert change.words == "the pool of Ann"
    with pytest.raises(Refused, match="nobody has anything to put into the pool"):
        add_pool(account(), "Ann", {"Ann": 20, "Ben": 0})


def test_while_a_hand_is_typed_nothing_comes_between():
    for change in (
        lambda: add_event(account(BEGUN), EventLine("draw")),
        lambda: add_pool(account(BEGUN), "Ann", {"Dee": 2}),
    ):
        with pytest.raises(Refused) as told:
            change()
        assert refused(told).code == "hand-in-progress"
