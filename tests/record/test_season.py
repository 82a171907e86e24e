"""Seasons: evenings added up, players told by name."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from programs import run_command

from mjscore.record.context import Context
from mjscore.record.season import names_alike, points_by_evening, season_course, season_of
from mjscore.record.statistics import read_evening, standings

SEASON = sorted(map(str, (Path(__file__).parents[2] / "samples" / "season").glob("*.mj")))


def run(*arguments: str) -> str:
    return run_command("report", *arguments).output


@pytest.fixture(scope="module")
def season():
    return season_of(read_evening(path, Context()) for path in SEASON)


def test_the_samples_hold():
    assert len(SEASON) == 4
    assert run_command("check", *SEASON).exit_code == 0


def test_standings_are_the_sum_of_the_evenings(season):
    for standing in standings(*season.evenings):
        mine = [one for evening in season.evenings for one in standings(evening) if one.name == standing.name]
        assert standing.total == sum(one.total for one in mine)
        assert standing.won == sum(one.won for one in mine)
        assert standing.fed == sum(one.fed for one in mine)
        assert standing.evenings == len(mine)
        assert abs(2 * standing.average * standing.hands - 2 * standing.total) <= standing.hands
    assert sum(standing.total for standing in standings(*season.evenings)) == 0
    assert [standing.place for standing in standings(*season.evenings)] == [1, 2, 3, 4, 5]


def test_who_missed_an_evening_stands_where_he_stood(season):
    missed = [points["Eve"] for points in points_by_evening(season)]
    assert [points is None for points in missed] == [True, False, True, False]
    line = season_course(season).totals["Eve"]
    assert line[0] == line[1] == 0
    assert line[2] == line[3] != 0
    eve = next(standing for standing in standings(*season.evenings) if standing.name == "Eve")
    assert eve.evenings == 2


def test_evenings_stand_in_the_order_of_their_dates(season):
    turned = season_of(reversed(season.evenings))
    assert turned == season
    undated = season.evenings[0]._replace(occasion=season.evenings[0].occasion._replace(date=""))
    assert season_of((season.evenings[1], undated)).evenings[1] == undated


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ben", "ben "),
        ("Zoe", "Zoë"),
        ("Old Cid", "Old  Cid"),
        ("D.", "d"),
        ("Ben", "Benn"),
        ("Marc", "Mark"),
        ("Eva", "Vea"),
    ],
)
def test_names_that_look_alike_are_pointed_out(tmp_path, one, other):
    for number, name in enumerate((one, other)):
        (tmp_path / f"{number}.mj").write_text(f'players Ann "{name}" Cid Di\npay Ann Cid 20\n')
    shown = run(str(tmp_path / "0.mj"), str(tmp_path / "1.mj"), "--width", "200")
    assert f"“{one}” and “{other}” are counted as two players" in shown


@pytest.mark.parametrize(
    ("one", "other"), [("Ben", "Dan"), ("老", "小"), ("A", "B"), ("Ben 1", "Ben 2"), ("Ben", "Benno")]
)
def test_names_that_differ_are_let_be(tmp_path, one, other):
    for number, name in enumerate((one, other)):
        (tmp_path / f"{number}.mj").write_text(f'players Ann "{name}" Cid Di\npay Ann Cid 20\n')
    assert "counted as two players" not in run(*(str(tmp_path / f"{number}.mj") for number in (0, 1)))


def test_who_sat_at_one_table_are_two_whatever_their_names(tmp_path):
    (tmp_path / "0.mj").write_text(
        "players Ann Anna Cid Dee\npay Ann Cid 20\nseat Annie for Ann\npay Annie Cid 20\n"
    )
    (tmp_path / "1.mj").write_text("players Ann Anna Cid Lee\npay Ann Cid 20\n")
    evenings = [read_evening(str(tmp_path / f"{number}.mj"), Context()) for number in (0, 1)]
    assert names_alike(season_of(evenings)) == [("Dee", "Lee")]


def test_every_form_has_the_same_totals(season, tmp_path):
    totals = {standing.name: standing.total for standing in standings(*season.evenings)}
    members = json.loads(run(*SEASON, "--format", "json"))
    assert {one["name"]: one["total"] for one in members["standings"]} == totals
    assert [one["date"] for one in members["evenings"]] == sorted(one["date"] for one in members["evenings"])
    rows = list(csv.DictReader(io.StringIO(run(*SEASON, "--csv", "-"))))
    assert {name: sum(int(row[name] or 0) for row in rows) for name in totals} == totals
    text = run(*SEASON, "--title", "Autumn")
    page = run(*SEASON, "--title", "Autumn", "--html", "-")
    for shown in (text, page):
        assert "Autumn" in shown
        for name, total in totals.items():
            assert name in shown
            assert str(abs(total)) in shown


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_nothing_is_wider_than_asked_for(width):
    lines = run(*SEASON, "--width", str(width)).splitlines()
    assert max(map(len, lines)) <= width


def test_one_evening_is_not_counted_twice(tmp_path):
    (tmp_path / "link.mj").symlink_to(SEASON[0])
    assert "[second-evening]" in run(SEASON[0], str(tmp_path / "link.mj"))
