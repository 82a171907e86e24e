"""The rulebooks that people play by today, against the results that Kajongg publishes for its classes of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from tables import table

import mjscore
from mjscore.cli.main import cli
from mjscore.record.reader import Context, check_file

HERE = Path(__file__).parent

# the hands of Kajongg's calling test, and what each waits for by its rules
WAITS = {
    "E@E: (789d) 133356d ESWNw 2f": ("", ""),
    "E@E: 123356789d ESWNw 2f": ("", ""),
    "E@E: 123456789d ESWNw 2f": ("1d", ""),
    "E@E: 112346789d ESWNw 2f": ("5d", ""),
    "E@E: 1234556677888b": ("", "1b 3b 4b 6b 7b 9b"),
    "E@E: 19b 1c 19d ESWNNw RGG": ("", ""),
    "E@E: 179b 1c 19d ESWNw WRGd": ("", ""),
    "E@E: 19b 1c 19d ESWNNw WRGd": ("9c", "9c"),
    "E@E: 19b 19c 19d SWNNw WRGd": ("Ew", "Ew"),
    "E@E: 2467b 2467c 24678d": ("8b 8c", ""),
    "E@E: 2467b 24678c 2468d": ("8b 7d", ""),
    "E@E: 234567b 2345679d": ("9b", "9d"),
    "E@E: (111+1d) (567b) 18b 22678c": ("", ""),
    "E@E: (456c) (666b) (888b) 12b NN 13s": ("", "3b"),
    "E@E: (GGG) (666b) (888b) 12b NN 13s": ("3b", "3b"),
    "E@E: (111+1d) (567b) 88b 22678c": ("", "8b 2c"),
    "E@E: (111+1d) (567b) 78b 22678c": ("", "6b 9b"),
    "E@E: (333c) 22b 56778d WWWd": ("", "6d 9d"),
    "E@E: (GGG) (666d) 4455678c": ("4c 5c", "4c 5c"),
    "E@E: (GGG) (666d) 55678c 14d": ("", ""),
    "E@E: 19b 19c 19d ESWNw WRGd": ("1b 9b 1c 9c 1d 9d Ew Sw Ww Nw Rd Gd Wd",) * 2,
}  # fmt: skip


@pytest.mark.parametrize(("book", "hands", "agreeing"), [("bmja", 197, 148), ("dmjl", 173, 173)])
def test_hands_of_kajongg(book, hands, agreeing):
    """Those that agree with the rulebook, those that do not, and these again by Kajongg's own rules."""
    found = list(check_file(str(HERE / f"kajongg-{book}.mj"), Context()))
    assert [one.line for one in found if not one.ok] == []
    assert len(found) == hands
    head = (
        (HERE / f"kajongg-{book}.mj")
        .read_text(encoding="utf-8")
        .partition("# The association's page differs")[0]
    )
    assert head.count('\n"') == agreeing


@pytest.mark.parametrize("hand", WAITS)
def test_waits_of_kajongg(hand):
    british, german = WAITS[hand]
    # Kajongg's Knitting keeps to the same two suits
    options = {"one-pair-of-suits": True}
    assert " ".join(str(wait.tile) for wait in mjscore.waits(hand, "bmja", options=options).waits) == british
    assert " ".join(str(wait.tile) for wait in mjscore.waits(hand, "dmjl").waits) == german


@table
def test_why_a_hand_was_not_fishing(hand, why):
    shown = CliRunner().invoke(cli, ["score", hand, "-r", "bmja", "--why"], terminal_width=200).output
    assert why in " ".join(shown.split())
