"""Lines as they are typed at the table: scores of all seats in one line, names by beginnings, fours asked about."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from amounts import WHOLE
from evenings import SEATS, play
from refusals import refusal_of
from tables import table

from mjscore.play.line_speech import AtTable
from mjscore.play.typed_line import read_line
from mjscore.refusal import Refused

ALL = AtTable(SEATS, list("ESWN"), "Ben")


@table
def test_read_as_rows(line, rows):
    if "64w from be" in line:
        rows = ["E: 2", "S: 8", "W: 64 win from Ben", "N: 0"]
    read = rows_of(line, ALL)
    assert [row.replace("from S", "from Ben") for row in read] == [
        row.replace("from S", "from Ben") for row in rows
    ]


def test_digits_alone_go_to_those_who_are_missing():
    table = ALL._replace(missing=list("ESN"))
    assert rows_of("2 8 0", table) == ["E: 2", "S: 8", "N: 0"]
    assert rows_of("7", ALL._replace(missing=["N"])) == ["N: 7"]
    assert rows_of("(rrr) 123b 456b 789b 5d <5d", ALL._replace(missing=["N"])) == [
        "N: (RRR) 123b 456b 789b 5d <5d"
    ]


@table
def test_refused_with_what_to_type(line, code, help_text):
    refusal = refusal_of(rows_of, line, ALL)
    assert refusal.code == code
    assert help_text in refusal.hint


def test_a_name_that_another_has_in_capitals():
    table = AtTable({"E": "ann", "S": "Ann", "W": "Cid", "N": "Dee"}, list("ESWN"))
    assert rows_of("Ann 4", table) == ["S: 4"]
    with pytest.raises(Refused, match="could be short for ann or Ann"):
        rows_of("ANN 4", table)


def test_a_name_that_fits_two_is_refused_at_its_place():
    table = AtTable({"E": "Ann Lee", "S": "Anna", "W": "Cid", "N": "Dee"}, list("ESWN"))
    refusal = refusal_of(rows_of, "ann 11b 234c 567d ss gg", table)
    assert (refusal.code, refusal.column) == ("two-people", 1)


def test_scores_that_are_too_many_are_named_as_they_were_typed():
    """How the winner won may be said behind all of them."""
    refusal = refusal_of(rows_of, "12 64w 8 4 from dee", ALL._replace(missing=["S", "W"]))
    assert refusal.message == "whose scores are 12 64w 8 4?"


@table
def test_what_is_no_hand_and_no_score(line, code):
    assert refusal_of(rows_of, line, ALL).code == code


def test_an_empty_line_tells_nothing():
    assert rows_of(" ", ALL) == []


@table
def test_again_where_nobody_discarded_before(line):
    refusal = refusal_of(rows_of, line, ALL._replace(again=None))
    assert refusal.code == "nobody-again"
    assert refusal.hint == "name who discarded this one: Ann, Ben, Old Cid, Dee"


@pytest.mark.parametrize("name", ["again", "ben", "South", "BEN"])
def test_a_whole_name_behind_the_winning_tile(name):
    assert rows_of(f"w 123b 444c eee / 77d 67c <8c {name}", ALL)[0] in (
        "W: (123b) (444c) (EEE) 77d 67c <8c:Ben",
        "W: (123b) (444c) (EEE) 77d 67c <8c:S",
    )


def test_a_name_between_the_winning_tile_and_a_score_is_asked():
    """Ben discarded the tile, or has the 2."""
    refusal = refusal_of(rows_of, "w 123b 444c eee / 77d 67c <8c ben 2 8 0", ALL)
    assert refusal.code == "two-readings"
    assert "<8c:Ben, E 2, S 8, N 0 or" in refusal.hint


def rows_of(line, table):
    return read_line(line, table).lines


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tea.mj"


def test_what_a_hand_costs_in_keys():
    counted = runpy.run_path(str(Path(__file__).parents[2] / ".ci" / "keys"))["counted"](1 if WHOLE else 3)
    costs = [after for _, after in counted.values()]
    scores, example, mean, _ = costs
    assert scores <= 20
    assert example <= 32
    assert mean <= 28


@table
def test_behind_a_name_the_tile_is_blamed(path, line, place, code):
    shown = play(path, line)
    assert place in shown
    assert f"[{code}]" in shown


@table
def test_a_command_that_is_not_whole(path, line, words, help_text):
    shown = play(path, line)
    assert words in shown
    assert help_text in shown
    assert "did you mean" not in shown


@table
def test_play_speaks_of_players(path, lines, words):
    assert words in play(path, *lines)


@pytest.mark.parametrize("columns", [40, 60])
def test_all_that_play_says_wraps_by_words(path, columns):
    lines = (
        "help",
        "e (123b) rrr 123c 456c 5d <5d:s",
        "2 8 0",
        "undo",
        "redo",
        "edit 1",
        "show",
        "drop",
        "s 9",
    )
    shown = play(path, *lines, columns=columns)
    # the folder of the test is one word, and wider than some terminals
    told = [line for line in shown.splitlines() if str(path.parent) not in line]
    assert [line for line in told if len(line) > columns] == []


@table
def test_how_who_sits_out_is_named(path, line, told):
    options = ["--players", "Ann Ben Cid Dee 'Zoe Poe'", "-r", "babcock", "-s", "players=5"]
    assert told in play(path, line, options=options)
