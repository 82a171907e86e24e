"""The programs among the samples, which know the public names alone."""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path

import pytest

import mjscore

SAMPLES = Path(__file__).parents[2] / "samples"
PROGRAMS = sorted(SAMPLES.glob("*.py"))
HANDS = """\
player,rulebook,hand
Ann,harr,S@E: (222d) [1111c] 123b 456b 5c +5c!loose
Ben,babcock,S@E: (222d) [1111c] 123b 456b 5c +5c!loose
Cid,babcock,"S: (RRR) GGG 11b 22b 3f ..."
Dee,babcock,S: 11111b ...
"""


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_they_know_the_public_names_alone(program):
    tree = ast.parse(program.read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert "mjscore" in imported
    assert not [name for name in imported if name.startswith("mjscore.")]
    assert not [
        node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and "mjscore" in (node.module or "")
    ]
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "mjscore"
    }
    assert used
    assert used <= {*mjscore.__all__}


def answers(*lines: str) -> list[str]:
    answer = runpy.run_path(str(SAMPLES / "chat_bot.py"))["answer"]
    return [answer(line) for line in lines]


def test_a_bot_scores_what_is_said_and_asks_back():
    said, question, wrong, refused = answers(
        "/score babcock w 123b 444c eee / 77d 67c <8c:e",
        "score 123b 444c eee 77d 67c 8c",
        "score S: 123x",
        "score S: 11122b 345c 99c 678d <9d",
    )
    sheet = mjscore.score("W: (123b) (444c) (EEE) 77d 67c <8c:E", "babcock", options={})
    assert said.startswith("I read: W: (123b) (444c) (EEE) 77d 67c <8c:E\n\nWest, East round")
    assert f"  Score {sheet.score}\n" in said
    assert question.endswith("\n- 123b 444c EEE 77d 67c +8c\n- 123b 444c EEE 77d 67c <8c")
    assert wrong.startswith("S: **123x**\n")
    assert "**<9d**" in refused
    assert "2b, 9c" in refused


def test_a_bot_tells_waits_and_options_and_what_it_can():
    waits, books, options, told, nothing = answers(
        "waits (123c) (789c) 678c 45c 11c", "rules", "rules harr-limit", "hello", ""
    )
    assert "3 characters: 176 drawn, 240 claimed" in waits
    assert [line.partition(":")[0] for line in books.splitlines()] == [
        book.id for book in mjscore.rulebooks()
    ]
    assert "limit (none, 300, 500, 600, 1000)" in options
    assert told == nothing
    assert "score [RULEBOOK] HAND" in told


class Columns(dict[str, list[str]]):
    """As much of a DataFrame as is asked for."""

    @property
    def columns(self):
        return list(self)

    def assign(self, **columns):
        return Columns({**self, **columns})


def test_a_table_of_hands_has_its_scores_beside_it():
    scored = runpy.run_path(str(SAMPLES / "table_of_hands.py"))["scored"]
    rows = [line.split(",") for line in HANDS.replace('"', "").splitlines()]
    table = scored(Columns(zip(rows[0], map(list, zip(*rows[1:], strict=True)), strict=True)))
    assert table["score"] == [mjscore.score(hand, book).score for _, book, hand in rows[1:]]
    assert table["doubles"][2] == 2
    assert table["error"][:3] == ["", "", ""]
    assert table["error"][3].startswith("a fifth 1 bamboo")
    alone = scored(Columns(hand=[rows[1][2]]))
    assert (alone["rulebook"], alone["score"]) == (["harr"], [68])


def test_the_table_with_pandas(tmp_path, monkeypatch, capsys):
    pytest.importorskip("pandas")
    (tmp_path / "hands.csv").write_text(HANDS)
    monkeypatch.setattr(sys, "argv", ["table_of_hands.py", str(tmp_path / "hands.csv")])
    runpy.run_path(str(SAMPLES / "table_of_hands.py"), run_name="__main__")
    shown = capsys.readouterr().out
    assert "Ann" in shown
    assert "a fifth 1 bamboo" in shown
    assert [line.split()[:2] for line in shown.splitlines()[-2:]] == [["babcock", "2"], ["harr", "1"]]
