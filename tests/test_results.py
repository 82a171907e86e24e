"""What programs are given shows itself as the commands do, and comes back from JSON as it was."""

from __future__ import annotations

import json
import operator
import pickle
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from programs import run_command
from strategies import random_dead_hand, random_loser, random_winner

import mjscore

ROOT = Path(__file__).parents[1]
HANDS = (
    "S@E: (222d) [1111c] 123b 456b 5c +5c!loose",
    "S: (111+1d) (2222b) GGG 11b 22b 3f ...",
    "E: RRR GGG WWWd EEE S +S!original",
    "W: (RRR) (9999b) 12b !dead",
    "S: WW 123b ...",
    "N: (RRR) 22b 345c 99c 678d +9d",
)
BOOKS = {
    "harr": {},
    "harr-limit": {"limit": "500"},
    "babcock": {"seasons": "on"},
    "babcock-chinese": {},
    "bmja": {},
    "dmjl": {},
}
SCORES = {"E": 480, "S": 64, "W": 272, "N": 16}


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("book", ["harr", "harr-limit", "dmjl"])
@pytest.mark.parametrize("width", [60, 100])
def test_a_sheet_renders_as_score_shows_it(hand, book, width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    options = BOOKS[book]
    sheet = mjscore.score(hand, book, options=options)
    typed = [word for option in options.items() for word in ("-s", "=".join(option))]
    shown = run_command("score", hand, "-r", book, *typed)
    if sheet.error is None:
        assert shown.stdout == f"{sheet.render(width)}\n"
    else:
        # what score says of a hand is what it says of the loosely read one
        assert sheet.render(width) == sheet.error.render(width)
    assert str(sheet) == sheet.render()
    for style in ("unicode", "boxed"):
        if sheet.error is None:
            shown = run_command("score", hand, "-r", book, *typed, "--tiles", style)
            assert shown.stdout == f"{sheet.render(width, style)}\n"


def test_a_settlement_renders_as_settle_shows_it(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    settlement = mjscore.settle(SCORES, "E")
    told = [f"{seat}={score}" for seat, score in SCORES.items()]
    assert run_command("settle", *told, "--winner", "E").stdout == f"{settlement.render()}\n"
    assert str(mjscore.settle(SCORES, "Q")).startswith("'Q' is not a seat at this table [no-such-seat]")


@pytest.mark.parametrize("hand", HANDS)
def test_a_sheet_is_drawn_in_notebooks(hand):
    sheet = mjscore.score(hand, "babcock")
    shown = ET.fromstring(sheet._repr_html_())
    if sheet.error is not None:
        assert shown.tag == "pre"
        assert "^^" in shown.text
        assert sheet._repr_svg_() is None
        return
    assert sheet._repr_html_() == sheet._repr_svg_()
    # of a declared four one tile lies face down
    tiles = sum(3 if one.origin == "declared" else len(one.tiles) for one in sheet.hand.sets)
    tiles += len(sheet.hand.concealed) + len(sheet.hand.bonus) + (sheet.hand.win is not None)
    assert len(list(shown.iter("{http://www.w3.org/2000/svg}use"))) == tiles
    assert str(sheet.score) in [text.text for text in shown.iter("{http://www.w3.org/2000/svg}text")]


def test_names_in_a_page_are_escaped():
    settlement = mjscore.settle(SCORES, "E", label="<script>")
    assert "<script>" not in settlement._repr_html_()
    assert "<script>" not in mjscore.score("<script>")._repr_html_()


def back(told):
    return json.loads(json.dumps(told.as_json()))


@settings(max_examples=25)
@given(st.randoms(use_true_random=False), st.sampled_from(sorted(BOOKS)))
def test_sheets_and_settlements_come_back_from_json(chance, name):
    book = mjscore.load_rulebook(name, BOOKS[name])
    hands = {seat: chance.choice((random_loser, random_dead_hand))(chance) for seat in "SWN"}
    hands = {seat: hand._replace(seat=seat) for seat, hand in hands.items()}
    hands["E"] = random_winner(chance)._replace(seat="E")
    for hand in hands.values():
        sheet = mjscore.score(hand, book)
        again = mjscore.ScoreSheet.from_json(back(sheet), None if chance.random() < 0.5 else book)
        assert again == sheet
        if sheet.error is None:
            assert again.book.fingerprint == book.fingerprint
        assert type(again) is type(sheet)
        assert again.as_json() == sheet.as_json()
        assert str(again) == str(sheet)
    settlement = mjscore.settle(
        {**SCORES, "E": hands["E"], "S": hands["S"]}, "E", book, discarder=chance.choice("SWN")
    )
    again = mjscore.Settlement.from_json(back(settlement))
    assert again == settlement
    assert again.as_json() == settlement.as_json()
    assert str(again) == str(settlement)


@pytest.mark.parametrize(
    "hand", ["S: WW 123b ...", "(RRR) 22b 345c 99c 678d +9d", "E: 1x", "123b 444c eee 77d 67c 8c"]
)
def test_what_was_refused_comes_back_equal(hand):
    sheet, settlement = mjscore.score(hand), mjscore.settle({**SCORES, "E": hand})
    assert sheet.error is not None
    assert settlement.error is not None
    assert mjscore.ScoreSheet.from_json(back(sheet)) == sheet
    assert mjscore.Settlement.from_json(back(settlement)) == settlement
    again = mjscore.Refusal.from_json(sheet.error.as_json())
    assert not operator.ne(again, sheet.error)
    assert hash(again) == hash(sheet.error)
    assert sheet.error != mjscore.score("E: 2x").error


@pytest.mark.parametrize("odd", [{}, {"error": 5}, {"remarks": None}, [], None, "x"], ids=repr)
@pytest.mark.parametrize("kind", [mjscore.ScoreSheet, mjscore.Settlement])
def test_what_is_no_sheet_is_told(kind, odd):
    whole = mjscore.score(HANDS[0]) if kind is mjscore.ScoreSheet else mjscore.settle(SCORES, "E")
    with pytest.raises(ValueError, match="is not the JSON object of"):
        kind.from_json({**whole.as_json(), **odd} if odd and isinstance(odd, dict) else odd)


def test_a_sheet_of_a_rulebook_of_ones_own_names_it(tmp_path, monkeypatch):
    path = tmp_path / "house.toml"
    path.write_text('id = "house"\ntitle = "House"\nextends = "harr-limit"\n[options]\nlimit = 700\n')
    sheet = mjscore.score(HANDS[2], str(path))
    assert "Score 700" in sheet.render()
    with pytest.raises(ValueError, match="nothing tells the rulebook house and its options"):
        mjscore.ScoreSheet.from_json(back(sheet)).render()
    assert mjscore.ScoreSheet.from_json(back(sheet), str(path)).render() == sheet.render()


def test_what_is_kept_beside_a_sheet_stays_with_it():
    sheet = mjscore.score(HANDS[2], "harr-limit", options={"limit": 700})
    for other in (sheet._replace(remarks=()), pickle.loads(pickle.dumps(sheet))):
        assert (type(other), other.book.limit) == (mjscore.ScoredSheet, 700)
    settled = mjscore.settle(
        {"E": HANDS[2], "S": 0, "W": 0, "N": 0}, rulebook="harr-limit", options={"limit": 700}
    )
    assert settled.sheets["E"].render() == sheet.render()


def test_nothing_can_be_set_on_what_is_given():
    evening = mjscore.evening(ROOT / "samples/evening.mj")
    for thing in (
        mjscore.score(HANDS[0]),
        mjscore.score("x"),
        mjscore.settle(SCORES, "E"),
        evening,
        evening.played[0],
        mjscore.read(HANDS[0]),
    ):
        for name in ("score", "net", "_book", "scroe"):
            with pytest.raises(AttributeError):
                setattr(thing, name, 1)


def test_the_lines_of_check_are_read_back():
    """They do not tell the options, so nobody is shown payments by others."""
    book = mjscore.load_rulebook("babcock")
    lines = run_command(
        "check", str(ROOT / "samples/babcock.mj"), str(ROOT / "samples/table.mj"), "--format", "json"
    ).stdout
    told = [json.loads(line) for line in lines.splitlines()]
    sheets = [mjscore.ScoreSheet.from_json(one, book) for one in told if "items" in one]
    assert [sheet.as_json()["items"] for sheet in sheets] == [one["items"] for one in told if "items" in one]
    assert sum(sheet.error is None for sheet in sheets) > 100
    assert str(sheets[0]).startswith("East, East round  Babcock's Red Book")
    tables = [mjscore.Settlement.from_json(one) for one in told if "payments" in one]
    assert [dict(table.net) for table in tables] == [one["net"] for one in told if "payments" in one]
