"""Hands drawn as tiles: well formed, every tile of the hand and no other, nothing from elsewhere."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree

import pytest
from click.testing import CliRunner
from strategies import random_loser, random_winner

import mjscore
from mjscore.command_line import cli
from mjscore.drawing import draw_hand
from mjscore.tiles import TILE_TITLES, TILES


def titles(drawing: str) -> list[str]:
    """The names of the tiles that are drawn face up."""
    root = ElementTree.fromstring(drawing)
    return [title.text or "" for group in root.iter("g") for title in group.iter("title")]


@pytest.mark.parametrize("seed", range(40))
def test_every_tile_of_a_hand_is_drawn(seed):
    hand = (random_winner if seed % 3 else random_loser)(random.Random(seed))
    drawing = draw_hand(hand)
    down = sum(one.origin == "declared" for one in hand.sets)
    tiles = [*hand.concealed, *hand.bonus, *(tile for one in hand.sets for tile in one.tiles)]
    if hand.win is not None:
        tiles.append(hand.win.tile)
    assert len(titles(drawing)) == len(tiles) - down
    assert set(titles(drawing)) <= {tile.title for tile in tiles}
    assert "http" not in drawing
    assert "<script" not in drawing


def test_faces_are_all_different():
    faces = set()
    for tile in TILES:
        drawing = draw_hand(mjscore.parse(f"{tile} ..."))
        faces.add(drawing.split("</title>", 2)[2].split("</g>")[0])
        assert TILE_TITLES[tile] in titles(drawing)
    assert len(faces) == 42


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
