"""A hand as tiles in SVG; a hand with its sheet, and an evening, as one picture: what stands there, where, and as PNG."""

from __future__ import annotations

import json
import random
import re
import struct
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

import pytest
from programs import run_command
from strategies import random_loser, random_winner
from tables import each

import mjscore
from mjscore.game.tiles import TILE_NAMES, TILE_TITLES, TILES
from mjscore.page import png
from mjscore.page.drawings import draw_hand, draw_parts, draw_sheet
from mjscore.page.html import draw_faces, page_file, symbols
from mjscore.page.report import evening_picture
from mjscore.page.text import signed
from mjscore.record.context import Context
from mjscore.record.statistics import read_evening, standings
from mjscore.system import user


def face(tile: int) -> str:
    """A tile's face as SVG shapes in a box of 56 by 80."""
    return symbols()[tile].partition(">")[2].removesuffix("</symbol>")


def titles(*drawings: str) -> list[str]:
    """The names of the tiles that are drawn face up, each with its own face."""
    found = []
    for drawing in drawings:
        for group in ElementTree.fromstring(drawing).iter("g"):
            if group.get("class") == "tile":
                title = group.findtext("title") or ""
                assert group.find("use").get("href") == f"#face-{TILE_NAMES[TILE_TITLES.index(title)]}"
                found.append(title)
    return found


@each("seed", range(40))
def test_every_tile_of_a_hand_is_drawn(seed):
    hand = (random_winner if seed % 3 else random_loser)(random.Random(seed))
    drawing = draw_hand(hand)
    down = sum(one.origin == "declared" for one in hand.sets)
    tiles = [*hand.concealed, *hand.bonus, *(tile for one in hand.sets for tile in one.tiles)]
    if hand.win is not None:
        tiles.append(hand.win.tile)
    hidden = Counter(one.tile.title for one in hand.sets if one.origin == "declared")
    assert Counter(titles(drawing)) + hidden == Counter(tile.title for tile in tiles)
    assert sorted(titles(*draw_parts(hand))) == sorted(titles(drawing))
    # what lies on the table lies on the cloth, with its fourth tile face down where it was declared concealed
    exposed = len(hand.sets) + bool(hand.bonus) + (hand.win is not None and not hand.win.drawn)
    assert drawing.count('class="table"') == exposed
    unlisted = max(1, -hand.tiles_over) if hand.unlisted else 0
    assert drawing.count('class="back"') == down + unlisted
    assert "http" not in drawing
    assert "<script" not in drawing


def test_faces_are_all_different():
    faces = {tile: face(tile) for tile in TILES}
    assert len(set(faces.values())) == 42
    for tile, drawn in faces.items():
        root = ElementTree.fromstring(f"<svg>{drawn}</svg>")
        # its value stands in the corner, and there is a picture below
        assert root[0].text == tile.value
        assert len(root) > 1 or tile == 31
        assert TILE_TITLES[tile] in titles(draw_hand(mjscore.parse(f"{tile} ...")))
    assert draw_faces().count("<symbol ") == 42


@pytest.mark.parametrize("value", range(1, 10))
def test_as_many_circles_and_bamboos_as_the_tile_is_worth(value):
    circles = ElementTree.fromstring(f"<svg>{face(18 + value - 1)}</svg>").findall("circle")
    assert len(circles) == (3 if value == 1 else 2 * value)
    bamboos = ElementTree.fromstring(f"<svg>{face(value - 1)}</svg>").findall("g")
    assert len(bamboos) == (0 if value == 1 else value)


def test_faces_lie_in_the_drawing_that_uses_them():
    root = ElementTree.fromstring(draw_hand(mjscore.parse("S@E: (222d) [1111c] 123b 456b 5c +5c!loose")))
    used = {use.get("href") for use in root.iter("use")}
    assert used == {f"#{symbol.get('id')}" for symbol in root.iter("symbol")}


@pytest.mark.parametrize("width", [100, 200, 330, 500, 2000])
@pytest.mark.parametrize(
    "text", ["E: (111+1d) (345b) WWWd 1f 3s 78c 99d <9c:S", "123456789b 1123c +1c", "W: (EEE) 11b ..."]
)
def test_a_hand_fits_the_width(text, width):
    hand = mjscore.parse(text)
    root = ElementTree.fromstring(draw_hand(hand, width))
    assert int(root.get("width")) <= max(width, 4 * 30 + 6)
    tiles = [one.find("rect") for one in root.iter("g") if one.get("class") in ("tile", "back")]
    places = [(int(one.get("x")), int(one.get("y"))) for one in tiles]
    # no tile upon another, none outside
    assert (
        len(set(places))
        == len(places)
        == 14 + (len(hand.sets) and hand.sets[0].kind == "kong") + len(hand.bonus) - (hand.win is None)
    )
    for left, top in places:
        assert 0 <= left <= int(root.get("width")) - 28
        assert 0 <= top <= int(root.get("height")) - 40


@pytest.mark.parametrize("width", range(130, 400, 10))
def test_the_winning_tile_stands_beside_the_set_that_it_completes(width):
    sheet = mjscore.score("S: (123b) (456c) 22d 789b 23c +1c")
    root = ElementTree.fromstring(draw_hand(sheet, width))
    tops = [one.find("rect").get("y") for one in root.iter("g") if one.get("class") == "tile"]
    assert len(set(tops[-3:])) == 1


def test_a_hand_wraps_to_a_width():
    hand = mjscore.parse("(123b) (456c) 22d 789b 11c <2d")
    assert ElementTree.fromstring(draw_hand(hand)).get("width") != ElementTree.fromstring(
        draw_hand(hand, 200)
    ).get("width")


def test_score_draws_into_a_file(tmp_path):
    path = tmp_path / "hand.svg"
    result = run_command("score", "(123b) (456c) 22d 789b 11c <2d", "--svg", str(path))
    assert result.exit_code == 0
    assert ElementTree.fromstring(path.read_text(encoding="utf-8")).tag.endswith("svg")
    assert run_command("score", "(123b) (456c) 22d 789b 11c <2d", "--svg", "/nowhere/x.svg").exit_code == 2


SVG = "{http://www.w3.org/2000/svg}"
HAND = "S@E: (RRR) (GGGG) 77b 123d WWd 3f <Wd:E"
SAMPLES = Path(__file__).parents[2] / "samples"
EVENING = str(SAMPLES / "evening.mj")
SEASON = SAMPLES / "season"
GOLDEN = Path(__file__).parent / "drawings.txt"


def drawn(text: str, **names: str) -> ElementTree.Element:
    book = mjscore.load_rulebook("babcock-chinese", {"seasons": "on"})
    sheet = mjscore.score(text, book)
    assert sheet.error is None, sheet.error
    return ElementTree.fromstring(draw_sheet(sheet, book, names))


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
    sheet = mjscore.score(hand, book)
    picture = ElementTree.fromstring(draw_sheet(sheet, book))
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
    result = run_command(
        "score", HAND, "-r", "babcock-chinese", "-s", "seasons=on", "--svg", "hand.svg", "--sheet"
    )
    assert result.exit_code == 0
    assert result.stderr == "written: hand.svg\n"
    assert ElementTree.parse("hand.svg").getroot().get("width") == "390"
    result = run_command("score", HAND, "--sheet")
    assert result.exit_code == 2
    assert "add --svg FILE" in result.stderr


def pixels(path: str) -> tuple[int, int]:
    data = Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


@pytest.mark.parametrize("by", ["resvg", "a program"])
def test_a_png(by, tmp_path, monkeypatch):
    if by == "resvg":
        pytest.importorskip("resvg_py", reason="the extra png is not installed")
        monkeypatch.setattr(png, "converters", dict)
    else:
        monkeypatch.setitem(sys.modules, "resvg_py", None)
        if not png.converters() or user() == 0:
            pytest.skip("no program makes a PNG here, or it is a browser that has no sandbox for root")
    monkeypatch.chdir(tmp_path)
    for option, name in (("--svg", "hand.PNG"), ("--png", "hand")):
        result = run_command("score", "(RRR) 123b 456b 789b 5d <5d", option, name, "--sheet")
        assert (result.exit_code, result.stderr) == (0, f"written: {name}\n")
        assert pixels(name)[0] == 780
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hand", "hand.PNG"]
    for number, files in enumerate(([EVENING], [str(path) for path in sorted(SEASON.glob("*.mj"))])):
        result = run_command("report", *files, "--png", f"{number}.png")
        assert (result.exit_code, result.stdout) == (0, "")
        assert pixels(f"{number}.png")[0] == 780


def test_words_that_no_font_is_there_for_are_not_left_out(tmp_path, monkeypatch):
    """resvg draws no letter without a font, and says nothing."""
    resvg = pytest.importorskip("resvg_py", reason="the extra png is not installed")
    draw = resvg.svg_to_bytes
    monkeypatch.setattr(resvg, "svg_to_bytes", lambda **given: draw(**given, skip_system_fonts=True))
    monkeypatch.setattr(png, "converters", dict)
    monkeypatch.chdir(tmp_path)
    result = run_command("score", HAND, "-r", "babcock-chinese", "--png", "hand.png")
    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert "[no-converter]" in result.stderr


@pytest.mark.parametrize("installed", [[], ["false"]])
def test_what_to_do_without_a_png_is_what_the_command_can_do(installed, tmp_path, monkeypatch):
    evening = Path(__file__).parents[2] / "samples" / "evening.mj"
    monkeypatch.setattr(png, "_by_resvg", lambda drawing: None)
    monkeypatch.setattr(png, "converters", lambda: dict.fromkeys(installed, ""))
    monkeypatch.chdir(tmp_path)
    for call, instead, not_that in (
        (("score", HAND, "-r", "babcock-chinese"), "--svg hand.svg", "--html"),
        (("report", str(evening)), "--html evening.html", "--svg"),
    ):
        result = run_command(*call, "--png", "x.png")
        assert result.exit_code == 2
        assert "[no-converter]" in result.stderr
        assert instead in result.stderr
        assert not_that not in result.stderr


def test_no_browser_without_its_sandbox():
    assert "--no-sandbox" not in page_file("words.toml")


@pytest.mark.parametrize("name", ["Ann", "serif", "<b>'&"])
def test_the_picture_of_an_evening(name, tmp_path):
    text = re.sub(r"\bAnn\b", json.dumps(name), Path(EVENING).read_text(encoding="utf-8"))
    (tmp_path / "tea.mj").write_text(text, encoding="utf-8")
    evening = read_evening(str(tmp_path / "tea.mj"), Context())
    picture = ElementTree.fromstring(evening_picture(evening, "Tea"))
    written = [element.text or "" for element in picture.iter(f"{SVG}text")]
    for standing in standings(evening):
        assert f"{standing.place}  {standing.name}" in written
        assert signed(standing.total) in written
    assert "Tea" in written
    assert any("wins 300 from" in line for line in written)
    assert "var(" not in "".join(element.text or "" for element in picture.iter(f"{SVG}style"))


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
