"""One hand under several rulebooks: what is alike stands on one line, what differs is marked."""

from __future__ import annotations

import mjscore
from mjscore.page.side_by_side import show_side_by_side
from mjscore.page.text import Style
from mjscore.rulebook.binding import bind

BOOKS = [bind("harr"), bind("babcock")]


def shown(hand: str) -> list[str]:
    return show_side_by_side([mjscore.score(hand, book) for book in BOOKS], BOOKS, Style(80)).splitlines()


def test_lines_that_differ_are_marked():
    assert shown("S@E: (222d) [1111c] 123b 456b 5c +5c!loose") == [
        "                                                            harr    babcock",
        "--  ----------------------------------------------------  ------  ---------",
        "    Mah-Jongg                                                 20         20",
        "≠   Won on a loose tile                                       10          –",
        "    Winning tile drawn                                         2          2",
        "≠   Won on a loose tile (10 in all, 2 of them for the          –          8",
        "    draw)",
        "    Only place to win                                          2          2",
        "    Three alike of 2 to 8, on the table, 222d                  2          2",
        "    Four ones, nines, winds or dragons, concealed, 1111c      32         32",
        "≠   — before doubling                                         68         66",
        "≠   Score                                                     68         66",
    ]


def test_a_rulebook_that_refuses_the_hand_says_why_below():
    book = bind("babcock", {"players": 2})
    sheets = [mjscore.score("E: 123b 456b 789b 11c 23c +1c", one) for one in (BOOKS[0], book)]
    lines = show_side_by_side(sheets, [BOOKS[0], book], Style(80)).splitlines()
    assert lines[-3].split()[-1] == "refused"
    assert lines[-2].startswith(
        "babcock: the hand is whole, but may not win: combinations that double: none, not at least 2"
    )
    assert lines[-1].startswith("  help: ")
