"""Hands drawn as tiles: well formed, every tile of the hand and no other, nothing from elsewhere."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree
from collections import Counter

import pytest
from click.testing import CliRunner
from strategies import random_loser, random_winner

import mjscore
from mjscore.cli.main import cli
from mjscore.game.tiles import TILE_NAMES, TILE_TITLES, TILES
from mjscore.page.drawings import draw_hand, draw_parts
from mjscore.page.markup import draw_faces, face


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


@pytest.mark.parametrize("seed", range(40))
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
    result = CliRunner().invoke(cli, ["score", "(123b) (456c) 22d 789b 11c <2d", "--svg", str(path)])
    assert result.exit_code == 0
    assert ElementTree.fromstring(path.read_text(encoding="utf-8")).tag.endswith("svg")
    assert (
        CliRunner()
        .invoke(cli, ["score", "(123b) (456c) 22d 789b 11c <2d", "--svg", "/nowhere/x.svg"])
        .exit_code
        == 2
    )
