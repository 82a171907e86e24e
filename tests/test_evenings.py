"""An evening's file as a value: what ``report`` knows of it, and the counters of its hands."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from programs import run_command
from refusals import refusal_of

import mjscore

SAMPLE = str(Path(__file__).parents[1] / "samples/evening.mj")


@pytest.fixture(scope="module")
def evening():
    return mjscore.evening(SAMPLE)


@pytest.mark.parametrize("width", [60, 100])
def test_an_evening_is_what_report_tells(evening, width):
    assert run_command("report", SAMPLE, "--width", str(width)).stdout == f"{evening.render(width)}\n"
    assert str(evening) == evening.render()
    assert json.loads(run_command("report", SAMPLE, "--format", "json").stdout) == json.loads(
        json.dumps(evening.as_json())
    )
    assert run_command("report", SAMPLE, "--html", "-").stdout == evening.page()
    assert ET.fromstring(evening.picture()).tag.endswith("svg")


def test_its_hands_show_themselves(evening):
    hand = evening.played[0]
    assert type(hand.sheet) is mjscore.ScoredSheet
    assert hand.sheet.book is hand.book
    assert f"Score {hand.score}" in hand.sheet.render()
    assert "Ben (South) wins on a tile from Old Cid (West)" in hand.settlement.render(names=hand.seats)
    assert mjscore.Settlement.from_json(hand.settlement.as_json()) == hand.settlement
    assert sum(standing.total for standing in evening.standings) == 0


def test_what_does_not_hold_is_among_its_refusals(tmp_path):
    path = tmp_path / "tea.mj"
    path.write_text(
        "players Ann Ben Cid Dee\nhand\n  Ann: 20 win\n  Ben: 4\n  Cid: 2\n  Dee: x\nhand\n  Ann: 20 win\n  Ben: 4\n  Cid: 2\n  Dee: 0\n"
    )
    evening = mjscore.evening(path, "harr-limit", options={"limit": 300})
    assert [(one.line, one.file) for one in evening.refusals] == [(6, str(path))]
    assert len(evening.played) == 1
    assert evening.played[0].book.limit == 300


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (None, "unreadable"),
        ("# nothing\n", "no-evening"),
        ("players Ann Ben Cid Dee\nhand\n  Ann: 4\n", "nothing-left"),
    ],
)
def test_a_file_with_nothing_to_tell_is_refused(text, code, tmp_path):
    path = tmp_path / "tea.mj"
    if text is not None:
        path.write_text(text)
    assert refusal_of(mjscore.evening, str(path)).code == code


@pytest.mark.parametrize("name", ["evening.mj", "season/2026-10-03-first-frost.mj"])
def test_its_counters_are_those_that_settle_tells(name):
    path = str(Path(SAMPLE).parent / name)
    evening = mjscore.evening(path)
    told = run_command("settle", path, "--counters", "babcock", "--format", "json").stdout.splitlines()
    exchanges = evening.exchanges("babcock")
    shown = [exchange.as_json(hand.seats) for exchange, hand in zip(exchanges, evening.played, strict=True)]
    assert shown == [json.loads(line)["counters"] for line in told]
    if evening.occasion.counters:
        assert evening.exchanges() == exchanges
    else:
        assert refusal_of(evening.exchanges).code == "no-counters"


def test_counters_are_handed_over_from_what_everybody_holds():
    settlement = mjscore.settle({"E": 480, "S": 64, "W": 272, "N": 16}, winner="E")
    holdings = dict.fromkeys("ESWN", (2, 9, 8, 10))
    moved = mjscore.exchange(settlement, "babcock", holdings=holdings, bank=True)
    values = moved.counters.values
    for seat, counts in moved.holdings.items():
        before, after = (
            sum(value * count for value, count in zip(values, held, strict=True))
            for held in (holdings[seat], counts)
        )
        assert after - before == settlement.net[seat] or moved.owing
    assert refusal_of(mjscore.exchange, settlement, "babcock", holdings={"E": (1,)}).code == "bad-holding"
    assert (
        refusal_of(mjscore.exchange, settlement, "babcock", holdings={"E": (1, 1, 1, 1)}).code
        == "missing-holding"
    )
    assert refusal_of(mjscore.exchange, settlement, "gold").code == "no-counters"
    nobody_won = mjscore.settle({"E": 1, "S": 2, "W": 3, "N": 4})
    assert refusal_of(mjscore.exchange, nobody_won) == nobody_won.error
