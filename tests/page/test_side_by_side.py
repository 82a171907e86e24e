"""One hand under several rulebooks: what is alike stands on one line, what differs is marked."""

from __future__ import annotations

import re

import pytest

import mjscore
from mjscore.page.rulebooks import show_diff
from mjscore.page.sheets import show_side_by_side
from mjscore.page.text import Style
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS

BOOKS = [bind("harr"), bind("babcock")]


def shown(hand: str) -> list[str]:
    return show_side_by_side([mjscore.score(hand, book) for book in BOOKS], BOOKS, Style(80)).splitlines()


def test_rows_that_differ_are_marked():
    assert shown("S@E: (222d) [1111c] 123b 456b 5c +5c!loose") == [
        "                                                            harr    babcock",
        "--  ----------------------------------------------------  ------  ---------",
        "    Mah-Jongg                                                 20         20",
        "≠   Won on a loose tile                                       10          8",
        "    Winning tile drawn                                         2          2",
        "    Only place to win                                          2          2",
        "    Three alike of 2 to 8, on the table, 222d                  2          2",
        "    Four ones, nines, winds or dragons, concealed, 1111c      32         32",
        "≠   — before doubling                                         68         66",
        "≠   Score                                                     68         66",
        "≠   East pays                                                136        132",
        "≠   West pays                                                 68         66",
        "≠   North pays                                                68         66",
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
    assert (
        lines[below + 1] == "babcock: the hand is whole, but may not win: combinations that double: none, not"
    )
    assert lines[below + 3].startswith("  help: ")
    assert max(map(len, lines)) <= 80
