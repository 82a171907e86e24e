"""Lines as they are typed at the table: scores of all seats in one line, names by beginnings, fours asked about."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from click.testing import CliRunner
from tables import table

from mjscore.cli.main import cli
from mjscore.play.score_lines import AtTable
from mjscore.play.typing import read_line
from mjscore.refusal import Refused

SEATS = {"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}
ALL = AtTable(SEATS, list("ESWN"), "Ben")
PLAYERS = "Ann Ben 'Old Cid' Dee"
FOUR = ["E: 2", "S: 8", "W: 64 win", "N: 0"]
FROM_BEN = ["E: 2", "S: 8", "W: 64 win from S", "N: 0"]
HAND = "W: (123b) (444c) (EEE) 77d 67c <8c:E"


@table
def test_read_as_rows(line, rows):
    if "64w from be" in line:
        rows = ["E: 2", "S: 8", "W: 64 win from Ben", "N: 0"]
    read = rows_of(line, ALL)
    assert [row.replace("from S", "from Ben") for row in read] == [
        row.replace("from S", "from Ben") for row in rows
    ]


def test_a_seat_is_a_seat_where_a_hand_must_have_one(path):
    """``s`` is South, or a tile of a hand that would be nobody's."""
    assert "read: Ben: 123b 9c 55d RRRd ...\n" in play(path, "s 123b rrr 55d 9c ...")


def test_digits_alone_go_to_those_who_are_missing():
    table = ALL._replace(missing=list("ESN"))
    assert rows_of("2 8 0", table) == ["E: 2", "S: 8", "N: 0"]
    assert rows_of("7", ALL._replace(missing=["N"])) == ["N: 7"]
    assert rows_of("(rrr) 123b 456b 789b 5d <5d", ALL._replace(missing=["N"])) == [
        "N: (RRR) 123b 456b 789b 5d <5d"
    ]


@table
def test_refused_with_what_to_type(line, code, help_text):
    with pytest.raises(Refused) as refused:
        rows_of(line, ALL)
    assert refused.value.refusal.code == code
    assert help_text in refused.value.refusal.hint


def test_a_name_that_another_has_in_capitals():
    table = AtTable({"E": "ann", "S": "Ann", "W": "Cid", "N": "Dee"}, list("ESWN"))
    assert rows_of("Ann 4", table) == ["S: 4"]
    with pytest.raises(Refused, match="the beginning of ann and of Ann"):
        rows_of("ANN 4", table)


def test_a_name_that_fits_two_is_refused_at_its_place():
    table = AtTable({"E": "Ann Lee", "S": "Anna", "W": "Cid", "N": "Dee"}, list("ESWN"))
    with pytest.raises(Refused) as refused:
        rows_of("ann 11b 234c 567d ss gg", table)
    assert (refused.value.refusal.code, refused.value.refusal.column) == ("two-people", 1)


@table
def test_what_is_no_hand_and_no_score(line, code):
    with pytest.raises(Refused) as refused:
        rows_of(line, ALL)
    assert refused.value.refusal.code == code


def test_an_empty_line_tells_nothing():
    assert rows_of(" ", ALL) == []


@pytest.mark.parametrize(
    "line",
    ["2 8 64 win from again 0", "2 8 64wagain 0", "w 123b 444c eee / 77d 67c <8c:again", "W: 64 win from AGAIN",
     "w 123b 444c eee / 77d 67c <8c again", "w 123b 444c eee / 77d 67c <8c:ag", "W: (123b) (444c) (EEE) 77d 67c <8c:again",
     "w 123b 444c eee / 77d 67c 8c from again"],
)  # fmt: skip
def test_again_where_nobody_discarded_before(line):
    with pytest.raises(Refused) as refused:
        rows_of(line, ALL._replace(again=None))
    assert refused.value.refusal.code == "nobody-again"
    assert refused.value.refusal.hint == "name who discarded it: Ann, Ben, Old Cid, Dee"


@pytest.mark.parametrize("name", ["again", "ben", "South", "BEN"])
def test_a_whole_name_behind_the_winning_tile(name):
    assert rows_of(f"w 123b 444c eee / 77d 67c <8c {name}", ALL)[0] in (
        "W: (123b) (444c) (EEE) 77d 67c <8c:Ben",
        "W: (123b) (444c) (EEE) 77d 67c <8c:S",
    )


def test_a_name_between_the_winning_tile_and_a_score_is_asked():
    """Ben discarded the tile, or has the 2."""
    with pytest.raises(Refused) as refused:
        rows_of("w 123b 444c eee / 77d 67c <8c ben 2 8 0", ALL)
    assert refused.value.refusal.code == "two-readings"
    assert "<8c:Ben, E 2, S 8, N 0 or" in refused.value.refusal.hint


def rows_of(line, table):
    return read_line(line, table).lines


def play(path: Path, *lines: str) -> str:
    result = CliRunner().invoke(
        cli, ["play", str(path), "--players", PLAYERS], input="\n".join(lines) + "\n", env={"COLUMNS": "100"}
    )
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tea.mj"


def test_the_file_has_the_strict_lines(path):
    shown = play(path, "2 8 64ws 0")
    assert "read: Ann: 2\n" in shown
    assert '  Ann: 2\n  Ben: 8\n  "Old Cid": 64 win from Ben\n  Dee: 0\n' in path.read_text()


def test_a_line_of_all_seats_is_one_step(path):
    play(path, "2 8 64w 0", "undo")
    assert "hand" not in path.read_text()


def test_of_a_line_that_does_not_hold_nothing_is_kept(path):
    shown = play(path, "2 8 64w+ 0", "e (123b) rrr 123c 456c 5d <5d:e 2 2 2")
    assert "[from-oneself]" in shown
    assert path.read_text().count("hand @") == 1


def test_the_hand_first_and_the_others_as_scores(path):
    play(path, "w 123b444ceee/77d67c<8c:e 2 8 0")
    assert '"Old Cid": (123b) (444c) (EEEw) 67c 77d <8c:Ann\n' in path.read_text()


@pytest.mark.parametrize("between", [[], ["draw"], ["pay e s 8"]])
def test_the_last_discarder_again(path, between):
    play(path, "2 8 64ws 0", *between, "e 2, s 40 win from again, w 0, n 0")
    assert "40 win from Ben" in path.read_text()


@pytest.mark.parametrize(
    ("answer", "four"), [("declared", "[RRRR]"), ("d", "[RRRR]"), ("Claimed", "(RRRR)"), ("ex", "(RRRR)")]
)
def test_a_four_is_asked_about(path, answer, four):
    shown = play(path, "ben rrrr 22b 345c 99c 678d +9c", answer)
    assert "was it claimed, or declared concealed?" in shown
    assert f"Ben: {four.replace('R)', 'Rd)').replace('R]', 'Rd]')} 22b 345c 99c 678d +9c\n" in path.read_text()


@pytest.mark.parametrize("answer", ["2 8 64w 0", "c"])
def test_a_four_that_is_not_answered_is_forgotten(path, answer):
    """Claimed and concealed begin alike: c is no answer."""
    play(path, "ben rrrr 22b 345c 99c 678d +9c", answer, "d")
    assert "RRRR" not in path.read_text()


@pytest.mark.parametrize("line", ["q", "Q", "quit", "exit", "EXIT", "bye"])
def test_leaving(path, line):
    assert "hand @" not in play(path, line, "2 8 64w 0")
    assert "hand" not in path.read_text()


@pytest.mark.parametrize("line", ["Note x", "NOTE x", "note x"])
def test_commands_in_any_case(path, line):
    play(path, line)
    assert path.read_text().endswith("note x\n")


@pytest.mark.parametrize("line", ["?", "h", "help", "HELP"])
def test_help(path, line):
    assert "take back what was done last" in play(path, line)


def test_help_with_one_command(path):
    shown = play(path, "help edit")
    assert "put hand 3 right" in shown
    assert "standings" not in shown


@pytest.mark.parametrize(
    "line", ["hello", "hello there", "q1", "standing", "east Ann", "rulebok babcock", "set limit"]
)
def test_mistakes_are_answered_in_the_language_of_the_table(path, line):
    shown = play(path, line)
    assert "block" not in shown
    assert "indented" not in shown
    assert "rulebook" not in shown.partition("is East")[2]
    assert "no line begins" not in shown


def test_what_a_hand_costs_in_keys():
    counted = runpy.run_path(str(Path(__file__).parents[2] / ".ci" / "keys"))["counted"]()
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


@pytest.mark.parametrize("line", ["Dee 123b", "Dee: 123b", "n 123b"])
def test_a_hand_that_is_half_typed(path, line):
    shown = play(path, line)
    assert "1:1: 3 tiles; there must be 13" in shown
    assert "10 missing" in shown


def test_a_player_by_a_word_of_his_name(path):
    assert 'read: "Old Cid": 30\n' in play(path, "cid 30")


def test_who_is_unknown_is_told_who_plays(path):
    assert "the players are Ann, Ben, Old Cid, Dee" in play(path, "eve 30")


@table
def test_a_command_that_is_not_whole(path, line, words, help_text):
    shown = play(path, line)
    assert words in shown
    assert help_text in shown
    assert "did you mean" not in shown


def test_scores_typed_anew_when_nobody_won(path):
    shown = play(path, "2 8 60 0", "8 2 60w+ 4")
    assert "nobody wins" in shown
    assert "60 win drawn" in path.read_text()
    assert "Ann: 8\n" in path.read_text()
    assert path.read_text().count("hand @") == 1


def test_scores_of_named_seats_typed_anew_settle_one_hand(path):
    play(path, "2 8 60 0", "e 8, s 60w, w 2, n 4")
    assert path.read_text().count("hand @") == 1
    assert "Dee: 4\n" in path.read_text()


def test_a_hand_with_scores_behind_it_typed_anew_when_nobody_won(path):
    hand = "w 123b444ceee/77d67c<8c:e"
    shown = play(path, "2 8 60 0", f"{hand} 2 8 4 0", f"{hand} 4 8 0")
    assert "type 3 scores, in order from East: Ann, Ben, Dee; or name a seat, as in Ann 2" in shown
    assert path.read_text().count("hand @") == 1
    assert '  "Old Cid": (123b) (444c) (EEEw) 67c 77d <8c:Ann\n' in path.read_text()


def test_scores_behind_the_hand_that_alone_was_missing(path):
    shown = play(path, "e 2, s 8, n 0", "w 123b444ceee/77d67c<8c:e 2")
    assert "it is not said whose 2 is" in shown
    assert "every seat has its score already" in shown


def test_too_few_scores_when_all_are_told(path):
    shown = play(path, "2 8 60 0", "8 2 60w+")
    assert "type 0 scores" not in shown
    assert "type 4 scores, in order from East: Ann, Ben, Old Cid, Dee; or name a seat, as in Ann 8" in shown


def test_after_an_edit_the_totals_are_those_of_the_evening(path):
    shown = play(path, "2 8 64w 0", "2 8 64w 0", "edit 1", "e 4", "yes")
    edited = shown.rpartition("is East")[0].rpartition("Totals: ")[2]
    standings = play(path, "standings")
    for name, points in (line.split()[-2:] for line in standings.splitlines() if line[:3] == "  1"):
        assert f"{name} {points}" in edited


@table
def test_play_speaks_of_players(path, lines, words):
    assert words in play(path, *lines)


def test_play_speaks_of_winds_where_a_player_is_called_by_one(path):
    options = ["--players", "West Ben Cid Dee"]
    result = CliRunner().invoke(cli, ["play", str(path), *options], input="ben 30 win\ndee 30 win\n")
    assert "South and North cannot both win" in result.output


@pytest.mark.parametrize("columns", [40, 60])
def test_all_that_play_says_wraps_by_words(path, columns):
    lines = [
        "help",
        "e (123b) rrr 123c 456c 5d <5d:s",
        "2 8 0",
        "undo",
        "redo",
        "edit 1",
        "show",
        "drop",
        "s 9",
    ]
    result = CliRunner().invoke(
        cli,
        ["play", str(path), "--players", PLAYERS],
        input="\n".join(lines) + "\n",
        env={"COLUMNS": str(columns)},
    )
    # the folder of the test is one word, and wider than some terminals
    told = [line for line in result.output.splitlines() if str(path.parent) not in line]
    assert [line for line in told if len(line) > columns] == []


def test_equal_totals_stand_as_the_players_sit(path):
    shown = play(path, "standings")
    assert [
        line.split("  ")[1].strip()[3:] for line in shown.splitlines() if re.match("  [1-4][.]", line)
    ] == [
        "Ann",
        "Ben",
        "Old Cid",
        "Dee",
    ]


def test_edit_asks_which_hand(path):
    assert "which hand?" in play(path, "2 8 64w 0", "edit")


def test_the_tiles_of_a_wash_are_typed_loosely(path):
    lines = "wash ann: 19b 19c 19d eswn rgw 2b"
    result = CliRunner().invoke(
        cli, ["play", str(path), "--players", PLAYERS, "-r", "harr-limit"], input=f"{lines}\n"
    )
    assert "read: wash Ann: 19b 19c 19d ESWNw RGWd 2b\n" in result.output
    assert "wash Ann: 19b 19c 19d ESWNw RGWd 2b\n" in path.read_text()


def test_a_loser_s_four_without_brackets_is_remarked_on(path):
    remark = "undeclared count as three"
    shown = play(path, "dee RRRR 22b 345c 99c 67d")
    assert f"four RRRRd {remark}; type [RRRRd] if declared, (RRRRd) if claimed" in " ".join(shown.split())
    assert "Dee: 22b 345c 99c 67d RRRRd" in path.read_text()
    assert remark not in play(path, "ben [RRRR] 22b 345c 99c 678d")


@pytest.mark.parametrize("line", ["ben hello", "east Ann", "old cid what"])
def test_words_behind_a_name_are_no_tiles(path, line):
    assert "stands neither a hand nor a score" in play(path, line)


@table
def test_how_who_sits_out_is_named(path, line, told):
    options = ["--players", "Ann Ben Cid Dee 'Zoe Poe'", "-r", "babcock", "-s", "players=5"]
    assert told in CliRunner().invoke(cli, ["play", str(path), *options], input=f"{line}\n").output


FIVE = ["--players", "Ann Ben Cid Dee Eve", "-r", "babcock", "-s", "players=5"]


def test_who_sits_out_of_five(path):
    lines = [
        "eve 20",
        "Eve: 20",
        "pay eve ann 20",
        "pay dee ev 30",
        "4 10w+ 20 8",
        "4 10 win drawn doubles 2 20 8",
    ]
    shown = (
        CliRunner()
        .invoke(cli, ["play", str(path), *FIVE], input="\n".join(lines) + "\n", env={"COLUMNS": "100"})
        .output
    )
    assert shown.count("Eve sits out, and has no line in this hand [sits-out]") == 2
    assert "Eve pays Ann 20\n" in shown
    assert "Dee pays Eve 30\n" in shown
    # what is refused is told without the file's lines
    assert "[doubles-needed]" in shown
    assert "| hand" not in shown
    assert "Ben (South) wins by drawing" in shown


@pytest.mark.parametrize("line", ["yes", "no", "keep", "YES"])
def test_an_answer_where_nothing_was_asked(path, line):
    assert "nothing was asked [nothing-to-write]" in play(path, line)


def test_an_entry_that_is_not_there_is_told_which_are(path):
    assert "the last entries are 0a, 1" in play(path, "pay ann ben 20", "2 8 64w 0", "edit 9")


def test_where_one_score_is_left_one_is_asked_for(path):
    assert "type 1 score for Dee" in play(path, "e 2, s 8, w 64 win", "4 6")
