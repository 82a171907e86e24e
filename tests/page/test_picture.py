"""A hand with its sheet as one picture: as wide as a phone, its words within it, told in words besides."""

from __future__ import annotations

import random
import re
import struct
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from click.testing import CliRunner
from strategies import random_loser, random_winner

import mjscore
from mjscore.api import score_in_full
from mjscore.cli.main import cli
from mjscore.page import png
from mjscore.page.picture import draw_sheet
from mjscore.page.sheets import payments_text

SVG = "{http://www.w3.org/2000/svg}"
HAND = "S@E: (RRR) (GGGG) 77b 123d WWd 3f <Wd:E"
GOLDEN = Path(__file__).parent / "picture.txt"


def drawn(text: str, **names: str) -> ElementTree.Element:
    book = mjscore.load_rulebook("babcock-chinese", {"seasons": "on"})
    sheet, _ = score_in_full(text, book)
    assert sheet.error is None, sheet.error
    return ElementTree.fromstring(draw_sheet(sheet, book, payments_text(sheet, book, names), names))


def lines(picture: ElementTree.Element) -> list[str]:
    """What is written in the picture, its tiles aside."""
    return [element.text or "" for element in picture.findall(f"{SVG}text")]


def test_what_is_written_and_what_is_told():
    picture = drawn(HAND, E="Ann", S="Ben", W="Old Cid", N="Dee")
    told = [picture.findtext(f"{SVG}title"), *(picture.findtext(f"{SVG}desc") or "").split(". ")]
    assert "\n".join([*lines(picture), "", *map(str, told)]) + "\n" == GOLDEN.read_text(encoding="utf-8")
    assert picture.get("role") == "img"
    ids = {element.get("id") for element in picture.iter()}
    assert set((picture.get("aria-labelledby") or "").split()) <= ids


def test_what_is_paid_in_all_stands_in_one_line():
    written = [
        line.replace("\xa0", " ") for line in lines(drawn("S@E: (222d) [1111c] 123b 456b 5c +5c!loose"))
    ]
    assert any(line.endswith(" in all") and any(digit.isdigit() for digit in line) for line in written)


@pytest.mark.parametrize("seed", range(30))
def test_everything_lies_within_a_phones_width(seed):
    hand = (random_winner if seed % 3 else random_loser)(random.Random(seed))
    book = mjscore.load_rulebook("harr")
    sheet, _ = score_in_full(hand, book)
    picture = ElementTree.fromstring(draw_sheet(sheet, book, payments_text(sheet, book) if sheet.won else ""))
    assert picture.get("width") == "390"
    high = int(picture.get("height") or 0)
    bottoms = []
    for text in picture.findall(f"{SVG}text"):
        left, size = int(text.get("x") or 0), int(text.get("font-size") or 0)
        # letters of a broad font are six tenths of their size wide
        wide = 6 * size * len(text.text or "") // 10
        start = left - wide if text.get("text-anchor") == "end" else left
        assert 0 <= start <= start + wide <= 392, text.text
        bottoms.append(int(text.get("y") or 0))
    assert max(bottoms) < high
    assert str(sheet.score) in lines(picture)
    for tile in picture.iter(f"{SVG}use"):
        assert 0 <= int(tile.get("x") or 0) <= 378 - 12 - 28


def test_it_is_written_and_that_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(
        cli, ["score", HAND, "-r", "babcock-chinese", "-s", "seasons=on", "--svg", "hand.svg", "--sheet"]
    )
    assert result.exit_code == 0
    assert result.stderr == "written: hand.svg\n"
    assert ElementTree.parse("hand.svg").getroot().get("width") == "390"
    result = CliRunner().invoke(cli, ["score", HAND, "--sheet"])
    assert result.exit_code == 2
    assert "add --svg FILE" in result.stderr


@pytest.mark.skipif(not png.converters(), reason="no program that makes a PNG is installed here")
def test_a_png_where_a_program_makes_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, ["score", "(RRR) 123b 456b 789b 5d <5d", "--svg", "hand.PNG", "--sheet"])
    assert (result.exit_code, result.stderr) == (0, "written: hand.PNG\n")
    data = Path("hand.PNG").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24])[0] == 780
    assert [path.name for path in tmp_path.iterdir()] == ["hand.PNG"]


def test_west_wind_and_white_dragon_differ_in_their_corners():
    faces = {
        symbol.get("id"): "".join(symbol[0].itertext())
        for symbol in drawn("E: (WWWw) (WWWd) 1f 1s EE 123b 78b <9b").iter(f"{SVG}symbol")
    }
    assert faces["face-Ww"] == "Ww"
    assert faces["face-Wd"] == "Wd"
    assert (faces["face-1f"], faces["face-1s"]) == ("1f", "1s")


def test_no_colour_alone():
    """What is drawn or claimed has its sign, and every figure its words."""
    for text, sign in ((HAND, "<"), ("S: (RRR) 123b 456b 789b 5d +5d", "+")):
        signs = [element.text for element in drawn(text).iter(f"{SVG}text") if element.get("class") == "sign"]
        assert signs == [sign]
    assert not re.search(r"\d\s*$", lines(drawn(HAND))[0])
