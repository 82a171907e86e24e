"""Settlements as text: a matrix where it fits, else a list."""

from __future__ import annotations

import subprocess
import sys

import pytest

import mjscore
from mjscore.page.settlements import show_settlement
from mjscore.page.text import Style

SETTLED = mjscore.settle({"E": 480, "S": 64, "W": 272, "N": 16}, winner="E")
NAMES = {"E": "Ann", "S": "Ben", "W": "Cid", "N": "Dee"}


def test_a_matrix_of_who_pays_whom():
    assert show_settlement(SETTLED, {}, Style(80)).splitlines() == [
        "Hand",
        "East wins",
        "pays ↓ to →      score    East    South    West    North    net",
        "-------------  -------  ------  -------  ------  -------  -----",
        "East               480       ·                            +2880",
        "South               64     960        ·     208           −1120",
        "West               272     960                ·            −496",
        "North               16     960       48     256        ·  −1264",
    ]


def test_a_list_where_the_matrix_does_not_fit():
    assert show_settlement(SETTLED, NAMES, Style(40)).splitlines() == [
        "Hand",
        "Ann (East) wins",
        "Ann (480): +2880",
        "Ben (64): −1120",
        "  pays Ann 960, Cid 208",
        "Cid (272): −496",
        "  pays Ann 960",
        "Dee (16): −1264",
        "  pays Ann 960, Ben 48, Cid 256",
    ]


@pytest.mark.parametrize(("label", "title"), [("7", "Hand 7"), ("late\x1b[2J", "late\\x1b[2J")])
def test_a_label_is_the_title(label, title):
    assert show_settlement(SETTLED._replace(label=label), {}, Style(80)).splitlines()[0] == title


def test_a_false_win_says_whose():
    settlement = mjscore.settle({"E": 480, "S": 64, "W": 272, "N": 16}, "E")._replace(
        kind="false", by="S", winner=None
    )
    shown = show_settlement(settlement, {"S": "Ben"}, Style(60))
    assert shown.splitlines()[:2] == ["False Mah-Jongg", "Ben (South) called it and had no winning hand"]


def test_click_is_wanted_only_for_colours():
    code = (
        "import sys; sys.modules['click'] = None\n"
        "from mjscore.page.text import Style, wrapped\n"
        "print(wrapped(Style().strong('a'), Style()) + Style().points(-3))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "a−3\n"
