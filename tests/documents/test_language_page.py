"""The rulebooks' page writes a rulebook of the pieces that the four books do without, and what hands score by it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import mjscore
from mjscore.record.context import Context
from mjscore.record.reader import Reader
from mjscore.record.source import groups, lines_of

PAGE = (Path(mjscore.__file__).parent / "rulebook" / "books" / "README.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("### Pieces that the four books do without")[2]
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
        assert sheet.error is not None
        assert sheet.error.code == "may-not-win"
        return
    assert sheet.error is None, sheet.error
    assert sheet.score == int(score)
    lines = (*sheet.items, *sheet.doubling, *sheet.additions, *sheet.claims)
    assert rule in [line.rule for line in lines]


def test_the_penalty(book):
    (checked,) = Reader("x", Context()).check(groups(lines_of(f"rulebook {book}\npenalty misnamed S\n")))
    assert dict(checked.outcome.net) == {"E": 20, "S": -60, "W": 20, "N": 20}


def test_all_rows_are_read():
    assert len(ROWS) == 7
