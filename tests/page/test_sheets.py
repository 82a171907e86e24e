"""Score sheets of several rulebooks side by side, and settlements: what is alike on one line, what differs marked, who pays whom."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import mjscore
from mjscore.page.differences import show_diff
from mjscore.page.sheets import show_settlement, show_side_by_side
from mjscore.page.text import Style
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS

BOOKS = [bind("harr"), bind("babcock")]


def shown(hand: str) -> list[str]:
    return show_side_by_side([mjscore.score(hand, book) for book in BOOKS], BOOKS, Style(80)).splitlines()


def test_rows_that_differ_are_marked():
    assert shown("S@E: (222d) [1111c] 123b 456b 5c +5c!loose") == [
        "                                                       harr    babcock",
        "--  -----------------------------------------------  ------  ---------",
        "    Mah-Jongg                                            20         20",
        "≠   Won on a loose tile                                  10          8",
        "    Winning tile drawn                                    2          2",
        "    Only place to win                                     2          2",
        "    Pung of 2 to 8, on the table, 222d                    2          2",
        "    Kong of ones, nines or honors, concealed, 1111c      32         32",
        "≠   — before doubling                                    68         66",
        "≠   Score                                                68         66",
        "≠   East pays                                           136        132",
        "≠   West pays                                            68         66",
        "≠   North pays                                           68         66",
    ]


@pytest.mark.parametrize("columns", [40, 60, 80, 100])
def test_many_rulebooks_keep_the_width(columns, tmp_path):
    house = tmp_path / "house.toml"
    house.write_text(
        f'id = "{"our-long-" * 5}house"\ntitle = "House"\nextends = "harr"\ndrop = ["loose-tile"]\n'
    )
    books = [*map(bind, RULEBOOKS), bind(str(house))]
    sheets = [mjscore.score("S@E: (222d) [1111c] 123b 456b 5c +5c!loose", book) for book in books]
    text = show_side_by_side(sheets, books, Style(columns))
    assert max(map(len, text.splitlines())) <= columns
    assert all(book.id in text for book in books[:-1])
    assert "house" in text
    assert max(map(len, show_diff(books[-1], books[0], Style(columns)).splitlines())) <= columns
    assert text.count(" Score ") == text.count("\n--  ---")


def test_colour_changes_no_row():
    books = [*map(bind, RULEBOOKS)]
    sheets = [mjscore.score("S@E: (222d) [1111c] 444b EEw SSw +Sw!loose", book) for book in books]
    plain, coloured = (show_side_by_side(sheets, books, Style(40, colour)) for colour in (False, True))
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plain


def test_points_here_and_doubles_there_are_one_row():
    books = [bind("harr"), bind("bmja")]
    sheets = [mjscore.score("S: (222d) [1111c] 444b EEw SSw +Sw!loose", book) for book in books]
    rows = [line for line in show_side_by_side(sheets, books, Style(80)).splitlines() if "loose" in line]
    assert [row.split()[-2:] for row in rows] == [["10", "×2"]]


def test_who_pays_is_open_where_a_rulebook_has_to_know_the_discarder():
    books = [bind("harr"), bind("babcock-chinese", {"new-method": True})]
    hand = "S: (222d) [1111c] 444b EEw SSw <Sw"
    lines = show_side_by_side([mjscore.score(hand, book) for book in books], books, Style(80)).splitlines()
    assert [line.split() for line in lines if "pays" in line] == [
        ["≠", "East", "pays", "288", "?"],
        ["≠", "West", "pays", "144", "?"],
        ["≠", "North", "pays", "144", "?"],
    ]


def test_a_rulebook_that_refuses_the_hand_says_why_below():
    book = bind("babcock", {"players": 2})
    sheets = [mjscore.score("E: 123b 456b 789b 11c 23c +1c", one) for one in (BOOKS[0], book)]
    lines = show_side_by_side(sheets, [BOOKS[0], book], Style(80)).splitlines()
    assert [line.split()[-1] for line in lines if "Score" in line or "Mah-Jongg" in line] == ["20", "refused"]
    assert [line for line in lines if line.startswith("≠")] == [
        next(line for line in lines if "Score" in line)
    ]
    below = lines.index("")
    assert lines[below + 1].startswith("babcock: the hand is complete, but may not win. Where two play, a")
    assert " ".join(lines[below + 1 : below + 4]).count("it has no combinations that double") == 1
    assert any(line.startswith("  help: see Babcock") for line in lines[below + 2 :])
    assert max(map(len, lines)) <= 80


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
    assert shown.splitlines()[:2] == [
        "False Mah-Jongg",
        "Ben (South) called Mah-Jongg without a winning hand",
    ]


def test_text_needs_no_click():
    code = (
        "import sys; sys.modules['click'] = None\n"
        "from mjscore.page.text import Style, wrapped\n"
        "print(wrapped(Style(colour=True).strong('a'), Style()) + Style().points(-3))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\x1b[1ma\x1b[0m−3\n"
