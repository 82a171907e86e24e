"""`mjscore report`: figures of an evening as text, CSV and JSON, and what it says of files that do not hold."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from click.testing import Result
from programs import run_command
from terminal import shown_on_terminal

from mjscore.page.chart import chart, totals_chart
from mjscore.page.report import show_evening
from mjscore.page.text import Style
from mjscore.record.checker import check_file
from mjscore.record.context import Context
from mjscore.record.statistics import biggest, course_of, fed_whom, read_evening, rounds, standings
from mjscore.refusal import text_width
from mjscore.settling.settlement import Settlement

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
SAMPLE = str(ROOT / "samples" / "evening.mj")
SMALL = (HERE / "small.mj").read_text(encoding="utf-8")


def run(*arguments: str, input: str | None = None, columns: str = "100") -> Result:
    return run_command("report", *arguments, input=input, COLUMNS=columns)


@pytest.fixture
def keep(tmp_path):
    def write(text: str, name: str = "evening.mj") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_totals_are_those_of_the_ledger():
    evening = read_evening(SAMPLE, Context())
    checked = [one for one in check_file(SAMPLE, Context()) if isinstance(one.outcome, Settlement)]
    assert len(evening.played) == len(checked)
    for one, found in zip(evening.played, checked, strict=True):
        assert one.totals == {name: found.after.points[name] for name in found.after.players}


def test_the_sample_evening():
    """A full round and more, with a draw, a dead hand, limit hands, a wash and penalties, and all of it holds."""
    checked = list(check_file(SAMPLE, Context()))
    assert all(one.ok and not one.refusals for one in checked)
    # the nets of everybody stand below each
    assert all(set(one.expected) == set(one.seats) for one in checked)
    evening = read_evening(SAMPLE, Context())
    assert {one.settlement.kind for one in evening.played} == {"hand", "draw", "wash", "false", "pay"}
    assert sum(one.at_limit for one in evening.played) == 2
    assert any(sheet.dead for one in evening.played for sheet in one.settlement.sheets.values())
    assert rounds(evening) == (("East round", 9), ("South round", 6))
    for one in evening.played:
        assert sum(one.nets.values()) == 0
        # a real hand for everybody
        assert set(one.settlement.sheets) == set(one.settlement.scores)


def test_standings():
    found = {one.name: one for one in standings(read_evening(SAMPLE, Context()))}
    assert [(one.place, one.name, one.total) for one in found.values()] == [
        (1, "Ben", 2178),
        (2, "Dee", 1164),
        (3, "Old Cid", -946),
        (4, "Ann", -2396),
    ]
    ben = found["Ben"]
    assert (ben.won, ben.drawn, ben.fed, ben.best) == (4, 2, 2, 300)


def test_who_fed_whom():
    fed = fed_whom(read_evening(SAMPLE, Context()))
    assert fed["Ann", "Ben"] == (1, 1200)
    assert fed["Ben", "Dee"] == (1, 80)  # robbed of a four
    assert ("Ben", "Ben") not in fed
    assert sum(found.hands for found in fed.values()) == 6


def test_of_equal_scores_the_biggest_is_the_one_that_brought_most(keep):
    text = "rulebook harr\nplayers A B C D\n"
    rows = "hand\n  {0}: 100 win\n  {1}: 0\n  {2}: 0\n  {3}: 0\n"
    evening = read_evening(keep(text + rows.format(*"BACD") + rows.format(*"BCDA")), Context())
    most = biggest(evening)
    assert most is not None
    # as East he is paid double by everybody
    assert (most.mark, most.nets["B"]) == ("2", 600)


def test_five_players(keep):
    text = (
        "rulebook babcock\nset players 5\nplayers A B C D Eve\n"
        "hand\n  A: 40 win from B doubles 1\n  B: 2\n  C: 0\n  D: dead\n"
    )
    evening = read_evening(keep(text), Context())
    assert evening.players == ("A", "B", "C", "D", "Eve")
    # 20 for Mah-Jongg doubled once from each loser
    assert evening.played[0].nets["Eve"] == 120
    assert evening.total("A") == 240


def test_without_players_the_winds_are_the_names():
    evening = read_evening(str(ROOT / "samples" / "table.mj"), Context())
    assert evening.players == ("East", "South", "West", "North")
    assert evening.played[0].winner == "South"
    assert evening.played[2].round == "S"


def test_the_report_in_60_columns(keep):
    assert run(keep(SMALL), "--width", "60").stdout == (HERE / "evening_60.txt").read_text(encoding="utf-8")


def test_the_report_in_100_columns(keep):
    text = run(keep(SMALL), "--width", "100").stdout
    assert text[text.index("Hands\n") :] == (HERE / "evening_100.txt").read_text(encoding="utf-8")


LONG_NAMES = (HERE / "long_names.mj").read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [40, 50, 60])
def test_long_names_and_high_figures_keep_within_the_width(width, keep):
    text = run(keep(LONG_NAMES), "--width", str(width)).stdout
    assert [line for line in text.splitlines() if text_width(line) > width] == []
    for figure in ("+652853", "+32", "−1444", "−651441", "−654321", "+654321"):
        assert figure in text


@pytest.mark.parametrize("width", [40, 60, 80, 100, 140])
def test_nothing_is_wider_than_asked_for(width):
    lines = run(SAMPLE, "--width", str(width)).stdout.splitlines()
    assert not [line for line in lines if text_width(line) > width]


@pytest.mark.parametrize("hands", [1, 2, 37, 200])
def test_a_chart_of_any_length_fits(hands, keep):
    text = "players Ann Bo C Dee\n" + "".join(
        f"pay {('Ann', 'Bo', 'Ann', 'Dee')[number % 4]} C {7 * number + 1}\n" for number in range(hands)
    )
    evening = read_evening(keep(text), Context())
    for width in (40, 60, 100):
        drawn = chart(course_of(evening), Style(width))
        assert max(map(text_width, drawn.splitlines())) <= width
        for name in evening.players:
            assert re.search(rf"{name} \S*{abs(evening.total(name))}\n", drawn + "\n")
        assert len(drawn.splitlines()) <= 15


@pytest.mark.parametrize(("wins", "width"), [(2, 100), (2, 60), (1, 60), (1, 44)])
def test_a_chart_names_every_round(wins, width, keep):
    # Ann, Ben, Cid and Dee win in turn, and the winds pass; or each keeps East once
    hand = "hand\n" + "".join(f"  {name}: {{}}\n" for name in ("Ann", "Ben", "Cid", "Dee"))
    text = "players Ann Ben Cid Dee\n"
    for number in range(64):
        east = number // wins % 4
        winner = east if number % wins else (east + 1) % 4
        text += hand.format(*("8 win" if seat == winner else "2" for seat in range(4)))
    evening = read_evening(keep(text), Context())
    winds = [title[0] for title, _ in rounds(evening)]
    assert len(winds) > 7
    drawn = chart(course_of(evening), Style(width)).splitlines()
    rows = [number for number, line in enumerate(drawn) if re.search("[│┼]", line)]
    below = " ".join(drawn[rows[-1] + 2 :])
    assert sorted(word[0] for word in below.split() if word != "round") == sorted(winds)
    svg = totals_chart(course_of(evening))
    assert len(re.findall(r'<text [^>]*y="18">', svg)) == len(winds)


def test_colour_on_a_terminal_only_and_not_with_no_color():
    def shown(**environment: str) -> str:
        told, status = shown_on_terminal(
            ["report", SAMPLE, "--no-pager"], MJSCORE_TILES="plain", **environment
        )
        assert status == 0
        return told.decode()

    coloured, plain = shown(), shown(NO_COLOR="1")
    assert "\x1b[32m+208" in coloured
    assert "\x1b" not in plain
    # what is printed faint keeps the spaces behind it
    uncoloured = re.sub(r"\x1b\[\d+m", "", coloured)
    assert [line.rstrip() for line in uncoloured.splitlines()] == plain.splitlines()
    assert "\x1b" not in run(SAMPLE).stdout


def test_names_too_long_for_the_table_are_cut(keep):
    name = "Bartholomew von und zu Hohenstein"
    path = keep(SMALL.replace("Ben", f'"{name}"'))
    for width in ("60", "100"):
        lines = run(path, "--width", width).stdout.splitlines()
        assert max(map(text_width, lines)) <= int(width)


def test_brackets_are_explained_where_there_are_any(keep):
    """Not where a player's name has them."""
    path = keep(
        'players "Ann (old)" Ben Cid Dee\nhand\n  "Ann (old)": 8 win drawn\n  Ben: 2\n  Cid: 2\n  Dee: 2\n'
    )
    assert "in brackets" not in run(path).stdout
    assert "in brackets" in run(SAMPLE).stdout


def test_csv_and_json_agree_with_the_totals():
    found = json.loads(run(SAMPLE, "--format", "json").stdout)
    rows = list(csv.DictReader(io.StringIO(run(SAMPLE, "--csv", "-").stdout)))
    assert len(rows) == len(found["hands"]) == 15
    for row, hand in zip(rows, found["hands"], strict=True):
        assert row["number"] == hand["mark"]
        assert int(row["line"]) == hand["line"]
        assert row["kind"] == hand["kind"]
        assert row["winner"] == (hand["winner"] or "")
        assert row["from"] == (hand["from"] or "")
        assert row["score"] == ("" if hand["score"] is None else str(hand["score"]))
        assert (row["limit"] == "limit") == hand["limit"]
        for name in found["players"]:
            assert int(row[f"net {name}"]) == hand["net"][name]
            assert int(row[f"total {name}"]) == hand["totals"][name]
    last = found["hands"][-1]["totals"]
    assert {one["name"]: one["total"] for one in found["standings"]} == last
    assert found["biggest"] == 7
    assert found["errors"] == found["left_out"] == []
    won = [hand for hand in found["hands"] if hand["from"]]
    assert sum(one["hands"] for one in found["fed"]) == len(won)


def test_notes_stay_with_what_they_stand_at(keep):
    evening = read_evening(keep("note it rains\n" + SMALL + "note good night\n"), Context())
    assert evening.played[0].notes == ("it rains",)
    assert evening.played[3].notes == ("for the tea",)
    assert evening.closing_notes == ("good night",)
    assert "good night" in show_evening(evening, Style(), "Evening")
