"""A club's rulebook: special hands told by their tiles, and what it changes, drops and adds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from programs import run_command
from tables import table

import mjscore
from mjscore.game.hand import TileSet
from mjscore.rulebook.binding import bind

CLUB = str(Path(__file__).parents[2] / "samples" / "house-rules.toml")
PAIRS, SNAKE, HEADS = "two-suit-pairs", "run-and-winds", "all-pairs-of-heads"


def run(*arguments: str) -> str:
    result = run_command(*arguments, COLUMNS="100", NO_COLOR="1")
    assert result.exit_code == 0, result.output
    return result.output


@table
def test_special_hands_score_their_part_of_the_limit(hand, rule, score):
    sheet = mjscore.score(hand, CLUB)
    assert sheet.error is None
    assert (sheet.special, sheet.limit, sheet.score) == (rule, rule, score)
    best = max(sheet.claims, key=lambda claim: claim.points)
    assert (best.rule, best.title, best.points) == (rule, bind(CLUB).rules[rule].title, score)
    assert best.source.startswith("Thursday Club")
    # nothing in a special hand is counted
    assert (sheet.points, sheet.doubles, sheet.items, sheet.doubling) == (0, 0, (), ())


def test_a_special_hand_as_dealt_is_the_hand_from_heaven():
    sheet = mjscore.score("E: 1133b 55b 2299c 77c 8c +8c!original", CLUB)
    assert (sheet.score, sheet.limit) == (500, "heaven")


def test_the_twin_of_a_snake_is_shown_as_a_pair():
    sheet = mjscore.score("E: 123456789d ESWNw +5d", CLUB)
    kinds = [(one["kind"], one["tiles"]) for one in map(TileSet.as_json, sheet.sets)]
    assert kinds.count(("pair", "55d")) == 1
    assert [kind for kind, _ in kinds].count("single") == 12


@pytest.mark.parametrize("hand", ["S: 1133b 55b 2299c 77c 8c +8c", "E: 123456789d ESWNw +5d"])
def test_special_hands_are_the_clubs_alone(hand):
    assert mjscore.score(hand, "babcock").error.code == "not-a-winning-hand"


@table
def test_the_part_follows_the_limit(hand, half):
    assert mjscore.score(hand, CLUB, options={"limit": 300}).score == (150 if half else 300)
    # and without a limit there is no part of it
    assert mjscore.score(hand, CLUB, options={"limit": "none"}).error.code == "not-a-winning-hand"


@table
def test_hands_that_nearly_are_do_not_win(hand):
    sheet = mjscore.score(hand, CLUB)
    assert sheet.error.code == "not-a-winning-hand"
    assert sheet.score is None


def test_four_sets_and_a_pair_are_no_special_hand():
    sheet = mjscore.score("E: 123456789d EEEw N +N", CLUB)
    assert (sheet.special, sheet.limit) == (None, None)
    # 20, 2 drawn, 2 only place, 8 for three concealed east winds; own wind, and one suit and honors
    assert (sheet.points, sheet.doubles, sheet.score) == (32, 2, 128)


@table
def test_waits(held, waits):
    found = mjscore.waits(f"S: {held}", CLUB)
    assert found.error is None
    assert {str(one.tile): one.drawn for one in found.waits} == waits
    for tile, score in waits.items():
        assert mjscore.score(f"S: {held} +{tile}", CLUB).score == score


def test_every_entry_of_the_club_has_a_source():
    own = [
        entry
        for entry in bind(CLUB).entries.values()
        if entry.place.document.path.endswith("house-rules.toml")
    ]
    assert [entry.id for entry in own] == ["loose-tile", "all-simples", PAIRS, SNAKE, HEADS]
    assert all(entry.source.startswith("Thursday Club ") for entry in own)


def test_rules_show_marks_what_differs():
    shown = run("rules", "show", CLUB)
    marked = [line.strip() for line in shown.splitlines() if line.strip().startswith("* ")]
    assert marked.pop() == "* differs from babcock"
    assert marked.pop().startswith("* limit: The most that a hand can score")
    assert [line[2:].split("  ")[0].split(":")[0].split(" (")[0] for line in marked] == [
        "Won on a loose tile",
        "All simples",
        "Seven pairs in two suits",
        "The snake",
        "All pairs of ones, nines and honors",
    ]
    assert shown.count("; Thursday Club ") + shown.count("  Thursday Club ") == len(marked)
    assert "No chows" not in shown.partition("Dropped from babcock")[0]
    assert "No chows" in shown
    assert "* " not in run("rules", "show", "babcock")


def test_rules_show_json_tells_what_changed():
    card = json.loads(run("rules", "show", CLUB, "--format", "json"))
    changed = [entry["rule"] for entry in card["entries"] if entry["changed"]]
    assert changed == ["loose-tile", "all-simples", PAIRS, SNAKE, HEADS]
    assert card["limit"] == 500


def test_rules_diff_shows_both_columns():
    shown = run("rules", "diff", "babcock", CLUB)
    assert shown.split()[:2] == ["babcock", "house-rules"]
    rows = {}
    for line in run("rules", "diff", "babcock", CLUB, "--format", "json").splitlines():
        row = json.loads(line)
        rows[row["title"]] = (row["babcock"], row["house-rules"])
    assert rows["No chows"] == ("10", "–")
    assert rows["All simples"] == ("–", "×2")
    assert rows["Seven pairs in two suits"] == ("–", "1/2 limit (250)")
    assert rows["The Hand from Heaven"] == ("limit (300)", "limit (500)")
    assert ("8", "18") in rows.values()
    assert "Only place to win" not in rows
