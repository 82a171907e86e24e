"""The rulebooks' page writes a rulebook of the pieces that the four books do without, and what hands score by it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from checks import check_text
from programs import run_command

import mjscore

PAGE = (Path(mjscore.__file__).parent / "rulebook" / "books" / "README.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("### Possibilities that the shipped rulebooks do not use")[2]
ROWS = re.findall(r"^\| `([^`]*)` \| (\S+) \| `([^`]*)`", SECTION, re.MULTILINE)


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    match = re.search(r"```toml\n(.*?)```", SECTION, re.DOTALL)
    assert match is not None
    path = tmp_path_factory.mktemp("page") / "pieces.toml"
    path.write_text(match[1], encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(("hand", "score", "rule"), ROWS)
def test_the_table_is_what_is_scored(book, hand, score, rule):
    sheet = mjscore.score(hand, book)
    if score == "refused":
        assert sheet.error.code == "may-not-win"
        return
    assert sheet.error is None, sheet.error
    assert sheet.score == int(score)
    lines = (*sheet.items, *sheet.doubling, *sheet.additions, *sheet.claims)
    assert rule in [line.rule for line in lines]


def test_the_penalty(book):
    (checked,) = check_text(f"rulebook {book}\npenalty misnamed S\n")
    assert dict(checked.outcome.net) == {"E": 20, "S": -60, "W": 20, "N": 20}


def test_all_rows_are_read():
    assert len(ROWS) == 16


def test_every_piece_has_its_example():
    pieces = (
        "twofold",
        "concealed_kongs",
        "hidden_hand",
        "triples",
        "mixed chows",
        "doubled run(",
        " run(",
        "discarder-alone",
    )
    text = SECTION.partition("```toml")[2]
    assert [piece for piece in pieces if piece not in text] == []


def test_only_the_discarder_pays(book):
    scores = {"E": 10, "S": 40, "W": 10, "N": 10}
    options = {"winner": "S", "rulebook": book}
    before = mjscore.settle(scores, "S", "babcock").payments
    among_losers = [payment for payment in before if payment.payee != "S"]
    found = {}
    for how in ({"discarder": "W"}, {"drawn": True}):
        payments = mjscore.settle(scores, **options, **how).payments
        assert [payment for payment in payments if payment.payee != "S"] == among_losers
        found[next(iter(how))] = {
            payment.payer: payment.points for payment in payments if payment.payee == "S"
        }
    assert found == {"discarder": {"W": 80}, "drawn": {"E": 80, "W": 40, "N": 40}}
    assert "West pays South 80, and East and North pay South nothing" in SECTION
    assert "East pays 80, West and North 40 each" in SECTION


def test_what_is_said_where_the_discarder_is_not_told(book):
    hand = "S: (222d) 123b 555b 99c 88d <8d"
    result = run_command("score", hand, "-r", book)
    assert "who pays depends on the discarder" in result.stdout
    assert "West pays 56" in run_command("score", f"{hand}:W", "-r", book).stdout
