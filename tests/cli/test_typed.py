"""What is typed as an argument may be loose and is said back; files, standard input and parse stay strict."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from tables import table

import mjscore
from mjscore.cli.main import cli
from mjscore.refusal import Refused

LOOSE = "w 123b 444c eee / 77d 67c <8c:e"
STRICT = "W: (123b) (444c) (EEE) 77d 67c <8c:E"


def run(*arguments: str, typed: str | None = None):
    return CliRunner().invoke(cli, arguments, input=typed, env={"COLUMNS": "100"})


def test_score_shows_the_strict_line():
    assert run("score", LOOSE).stdout == f"read: {STRICT}\n{run('score', STRICT).stdout}"
    assert "read:" not in run("score", STRICT).stdout


def test_score_as_json():
    loose = json.loads(run("score", LOOSE, "--format", "json").stdout)
    strict = json.loads(run("score", STRICT, "--format", "json").stdout)
    assert loose.pop("read") == STRICT
    assert loose == strict


def test_other_letters_are_said_back():
    shown = run("score", "(RRR) 123m 456m 789m 5p +5p").stdout
    assert shown.startswith("read: (RRR) 123c 456c 789c 5d +5d  (m is c, characters; p is d, dots)\n")


def test_of_two_readings_the_rules_tell_which_is_a_hand():
    # East's seat, or his wind as a fourteenth tile with the winning tile typed twice
    assert "read: E: (RRR) 123b 456b 789b 5d <5d\n" in run("score", "e (rrr) 123b 456b 789b 5d <5d").stdout


def test_waits():
    assert run("waits", "rrr 123b 456b 789b 5p").stdout.startswith(
        "read: RRR 123b 456b 789b 5d  (p is d, dots)\n"
    )
    assert (
        json.loads(run("waits", "rrr 123b 456b 789b 5p", "--format", "json").stdout)["read"]
        == "RRR 123b 456b 789b 5d"
    )


@pytest.mark.parametrize("hand", ["wwww 123b", "123b", "-"])
def test_waits_that_are_refused_are_the_same_object(hand):
    whole = json.loads(run("waits", "1112345678999c", "--format", "json", "-r", "babcock").stdout)
    refused = run("waits", hand, "--format", "json", "-r", "babcock", typed="nonsense")
    assert refused.exit_code == 2
    shown = json.loads(refused.stdout)
    assert set(shown) == set(whole)
    assert (shown["rulebook"], shown["waits"]) == ("babcock", [])
    assert shown["error"]["code"]


def test_settle_takes_seats_in_any_case_and_commas():
    strict = run("settle", "E=480", "S=64", "W=272", "N=16", "--winner", "E").stdout
    assert run("settle", "e=480", "south=64", "West=272", "n=16", "--winner", "east").stdout == strict
    assert run("settle", "E=480,S=64,W=272,N=16", "--winner", "e").stdout == strict


@table
def test_settle_takes_scores_as_play_does(arguments):
    strict = run("settle", "E=480", "S=64", "W=272", "N=16", "--winner", "E").stdout
    assert run("settle", *arguments).stdout == strict


def test_settle_takes_what_is_said_of_the_others_and_of_how_it_was_won():
    strict = run("settle", "E=0", "S=64", "W=0", "N=0", "--winner", "S", "--from", "N").stdout
    assert run("settle", "south", "wins", "64", "from", "north,", "others", "0").stdout == strict
    assert "wins by drawing" in run("settle", "-r", "babcock", "--", "-", "64w+", "-", "-").stdout


def test_settle_takes_a_comma_of_thousands_behind_a_seat_alone():
    strict = run("settle", "E=1000", "S=64", "W=272", "N=16", "--winner", "E").stdout
    assert run("settle", "E=1,000", "S=64", "W=272", "N=16", "--winner", "E").stdout == strict
    assert run("settle", "E=1,000w,S=64,W=272,N=16").exit_code == 2
    assert "[bad-line]" in run("settle", "1,000w", "64", "272", "16").stderr


@table
def test_settle_says_what_is_no_score(arguments, told):
    result = run("settle", *arguments)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.split())


NAMED = ("settle", "Ann=480", "Ben=64", "Cid=272", "Dee=16")


@pytest.mark.parametrize("winner", ["Ben", "ben", "b", "south", "S"])
def test_settle_takes_names_in_order_from_east(winner):
    shown = run(*NAMED, "--winner", winner, "--from", "an").stdout
    assert "Ben (South) wins on a tile from Ann (East)" in shown
    by_wind = run("settle", "E=480", "S=64", "W=272", "N=16", "--winner", "S", "--from", "E").stdout
    assert [line.split()[-1] for line in shown.splitlines()[4:]] == [
        line.split()[-1] for line in by_wind.splitlines()[4:]
    ]


@pytest.mark.parametrize("discarder", ["Ben", "be", "S"])
def test_settle_takes_names_in_a_hand_too(discarder):
    hand = f"(RRR) (GGG) 123b 99d WWd <Wd:{discarder}"
    shown = json.loads(
        run("settle", f"Ann={hand}", *NAMED[2:], "-r", "harr-limit", "--format", "json").stdout
    )
    assert (shown["winner"], shown["from"]) == ("E", "S")
    # who gave the third dragon pays for all
    assert shown["net"] == {"E": 1800, "S": -1800, "W": 0, "N": 0}
    assert "the players are Ann" in run("settle", f"Ann={hand}x", *NAMED[2:]).output


def test_settle_with_names_that_are_not_there():
    assert "the players are Ann, Ben, Cid, Dee" in run(*NAMED, "--winner", "Eve").output
    # one wind, and all are winds
    assert (
        "the seats are E S W N" in run("settle", "E=480", "Ben=64", "W=272", "N=16", "--winner", "E").output
    )
    assert run("settle", "Ann=480", "Ben=64", "ann=272", "Dee=16", "--winner", "ann").exit_code == 2


def test_settle_with_names_in_json_and_with_counters():
    shown = json.loads(run(*NAMED, "--winner", "dee", "--format", "json").stdout)
    assert shown["winner"] == "N"
    assert shown["players"] == {"E": "Ann", "S": "Ben", "W": "Cid", "N": "Dee"}
    held = [word for name in ("Ann", "Ben", "Cid", "Dee") for word in ("--holds", f"{name}=2,9,8,10")]
    assert "Ben hands Ann" in run(*NAMED, "--winner", "ann", "--counters", "babcock", *held).output


@pytest.mark.parametrize("wind", ["s", "South", "so"])
def test_seat_and_round_in_any_case(wind):
    hand = "(123b) (444c) (EEE) 77d 67c <8c"
    strict = run("score", hand, "--seat", "S", "--round", "S").stdout
    assert "South, South round" in strict
    assert run("score", hand, "--seat", wind, "--round", wind).stdout == strict
    assert "is no wind" in run("score", hand, "--seat", "x").output


def test_settle_reads_hands():
    shown = run("settle", f"w={LOOSE[2:]}", "E=2", "S=8", "N=DEAD")
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.startswith("read: (123b) (444c) (EEE) 77d 67c <8c:E\n")


def test_settle_says_back_in_json_too():
    others = ("E=2", "S=8", "N=DEAD", "--format", "json")
    shown = json.loads(run("settle", f"w={LOOSE[2:]}", *others).stdout)
    assert shown.pop("read") == {"W": STRICT[3:]}
    assert shown == json.loads(run("settle", f"W={STRICT[3:]}", *others).stdout)
    refused = run("settle", f"w={LOOSE[2:]}", *others, "--winner", "S")
    assert refused.exit_code == 2
    assert json.loads(refused.stdout)["read"] == {"W": STRICT[3:]}


def test_settle_without_a_winner_names_the_option():
    result = run("settle", "E=480", "S=64", "W=272", "N=16")
    assert result.exit_code == 2
    assert "--winner E" in result.stderr


@pytest.mark.parametrize(
    "text", [LOOSE, "W: (123B) (444C) (EEE) 77D 67C <8C:E", "W: (123b), (444c), (eee), 77d, 67c, <8c:E"]
)
def test_other_rulebooks_it_stays_strict_and_the_help_is_the_whole_line(text, tmp_path):
    with pytest.raises(Refused) as refused:
        mjscore.parse(text)
    assert refused.value.refusal.hint == f"type {STRICT}"
    assert mjscore.score(text).error.hint == f"type {STRICT}"
    result = run("score", "-", typed=f"{text}\n")
    assert result.exit_code == 2
    assert f"help: type {STRICT}\n" in result.stderr


@table
def test_a_line_of_a_file_is_shown_with_what_stands_around_its_hand(line, mended, tmp_path):
    file = tmp_path / "tea.mj"
    file.write_text(f"{line}\n")
    assert f"help: type {mended}\n" in run("check", str(file)).output


def test_a_row_of_a_file_is_shown_with_its_player(tmp_path):
    file = tmp_path / "tea.mj"
    file.write_text(
        'players Ann Ben "Old Cid" Dee\nhand\n  "Old Cid": (222D) 123b 456b 789b 5d +5d\n  Ann: 2\n  Ben: 2\n  Dee: 2\n'
    )
    assert 'help: type "Old Cid": (222d) 123b 456b 789b 5d +5d\n' in run("check", str(file)).output


def test_what_only_the_rules_tell_is_not_put_into_a_help():
    with pytest.raises(Refused) as refused:
        mjscore.parse("[1111c] 123b 456b 789b 5c 6d +5c")
    assert refused.value.refusal.code == "too-many-tiles"
    assert "type" not in refused.value.refusal.hint
    with pytest.raises(Refused) as refused:
        mjscore.parse("RRRR 22b 345c 99c 678d +9c")
    assert refused.value.refusal.code == "four-without-brackets"


def test_a_long_text_is_read_in_good_time():
    for text in ("e" * 100_000, "1 " * 50_000, "(" * 50_000, "eswnrgd" * 10_000, "rrr, " * 60, "east " * 60):
        run("score", text)


@table
def test_a_special_hand_names_the_option_under_which_it_wins(options, named):
    result = run("score", "19b 19c 19d ESWNw RGWd +Ew", *options)
    assert result.exit_code == 2
    assert named in result.stderr


def test_nothing_says_line_where_there_is_none():
    for text in ("S: W: 22b", "hello", "", "+5d", "S:", "(RRR) 5d +5d <5d", "22b = 5", '"x" 22b'):
        assert "line" not in run("score", text).stderr
    for arguments in (
        ("E=480",),
        ("E=480", "S=64", "W=272", "N=16"),
        ("E=1", "S=2", "W=3", "N=4", "--winner", "X"),
    ):
        assert " line" not in run("settle", *arguments).stderr
