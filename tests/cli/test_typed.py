"""What is typed as an argument may be loose and is said back; files, standard input and parse stay strict."""

from __future__ import annotations

import json

import pytest
from programs import run_command
from refusals import refusal_of
from tables import table

import mjscore

LOOSE = "w 123b 444c eee / 77d 67c <8c:e"
STRICT = "W: (123b) (444c) (EEE) 77d 67c <8c:E"


def test_score_shows_the_strict_line():
    assert run_command("score", LOOSE).stdout == f"read: {STRICT}\n{run_command('score', STRICT).stdout}"


def test_score_as_json():
    loose = json.loads(run_command("score", LOOSE, "--format", "json").stdout)
    strict = json.loads(run_command("score", STRICT, "--format", "json").stdout)
    assert loose.pop("read") == STRICT
    assert loose == strict


@pytest.mark.parametrize("hand", ["wwww 123b", "123b", "-"])
def test_waits_that_are_refused_are_the_same_object(hand):
    whole = json.loads(run_command("waits", "1112345678999c", "--format", "json", "-r", "babcock").stdout)
    refused = run_command("waits", hand, "--format", "json", "-r", "babcock", input="nonsense")
    assert refused.exit_code == 2
    shown = json.loads(refused.stdout)
    assert set(shown) == set(whole)
    assert (shown["rulebook"], shown["waits"]) == ("babcock", [])
    assert shown["error"]["code"]


@table
def test_settle_takes_scores_as_play_does(arguments):
    strict = run_command("settle", "E=480", "S=64", "W=272", "N=16", "--winner", "E").stdout
    assert run_command("settle", *arguments).stdout == strict


def test_settle_takes_thousands_in_one_argument():
    strict = run_command("settle", "E=1200", "S=12", "W=0", "N=8", "--winner", "E").stdout
    for typed in ("E=1,200 win, S=12, W=0, N=8", "E 1,200 win, S 12, W 0, N 8", "E=1,200w,S=12,W=0,N=8"):
        assert run_command("settle", typed).stdout == strict


@table
def test_settle_says_what_is_no_score(arguments, told):
    result = run_command("settle", *arguments)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    "text", [LOOSE, "W: (123B) (444C) (EEE) 77D 67C <8C:E", "W: (123b), (444c), (eee), 77d, 67c, <8c:E"]
)
def test_other_rulebooks_it_stays_strict_and_the_help_is_the_whole_line(text, tmp_path):
    assert refusal_of(mjscore.parse, text).hint == f"type {STRICT}"
    assert mjscore.score(text).error.hint == f"type {STRICT}"
    result = run_command("score", "-", input=f"{text}\n")
    assert result.exit_code == 2
    assert f"help: type {STRICT}\n" in result.stderr


def test_what_only_the_rules_tell_is_not_put_into_a_help():
    refusal = refusal_of(mjscore.parse, "[1111c] 123b 456b 789b 5c 6d +5c")
    assert refusal.code == "too-many-tiles"
    assert "type" not in refusal.hint
    assert refusal_of(mjscore.parse, "RRRR 22b 345c 99c 678d +9c").code == "four-without-brackets"


def test_a_long_text_is_read_in_good_time():
    for text in ("e" * 100_000, "1 " * 50_000, "(" * 50_000, "eswnrgd" * 10_000, "rrr, " * 60, "east " * 60):
        run_command("score", text)


def test_nothing_says_line_where_there_is_none():
    for text in ("S: W: 22b", "hello", "", "+5d", "S:", "(RRR) 5d +5d <5d", "22b = 5", '"x" 22b'):
        assert "line" not in run_command("score", text).stderr
    for arguments in (
        ["E=480"],
        ["E=480", "S=64", "W=272", "N=16"],
        ["E=1", "S=2", "W=3", "N=4", "--winner", "X"],
    ):
        assert " line" not in run_command("settle", *arguments).stderr
