"""Each piece of the rulebooks' language, switched both ways by a house rulebook of a line or two."""

from __future__ import annotations

import pytest
from tables import table

import mjscore
from mjscore.rulebook.binding import bind


def entry(section: str, body: str, name: str = "new") -> str:
    return f'[[{section}]]\nid = "{name}"\ntitle = "{name.title()}"\nsource = "House 1"\n{body}\n'


def given(hand: str, rulebook: str, name: str = "new", **options: object) -> bool:
    """Whether the entry is on the hand's sheet."""
    sheet = mjscore.score(hand, rulebook=rulebook, options=options)
    assert sheet.error is None, sheet.error
    lines = (*sheet.items, *sheet.doubling, *sheet.additions, *sheet.claims)
    return name in [line.rule for line in lines]


ONE_RUN = "E: (RRR) 111b 456b 99c 88d +8d"


@table
def test_when_an_entry_is_given(house, section, when, hand, is_given):
    worth = "doubles = 1" if section == "double" else "points = 9"
    assert given(hand, house(entry(section, f"{worth}\nwhen = '{when}'"))) is is_given


@pytest.mark.parametrize("word", ["123", "1f", "dragon", "", "0b", "Rw"])
def test_what_is_no_tile(house, word):
    book = house(entry("bonus", f"points = 2\nwhen = 'all_tiles(\"{word}\")'"))
    assert mjscore.score(ONE_RUN, book).error.code == "no-such-tiles"


def test_nothing_is_asked_or_looked_for_where_nothing_is_said(house):
    twins = bind(house(entry("shape", 'tiles = "7 pairs(head)"\npoints = 500', "twins")))
    for book in (bind("babcock"), twins):
        assert (book.wins, book.shape_wins, book.waited_for) == ((), (), {})


@table
def test_across_suits_and_runs(house, tiles, has, nearly):
    book = house(entry("shape", f'tiles = "{tiles}"\npoints = 999999'))
    sheet = mjscore.score(has, book)
    assert sheet.error is None, sheet.error
    assert sheet.special == "new"
    assert mjscore.score(nearly, book).special is None


FLOWERS = entry("bonus", 'points = 4\ntimes = "bonus_tiles"\nbonus_tiles = true', "flower") + entry(
    "double", 'doubles = 1\nwhen = "own_bonus >= 1"\nbonus_tiles = true', "own"
)


@pytest.mark.parametrize(
    ("says", "claim"), [("", ("New", 500)), ("bonus_tiles = true", ("New, and 16 for bonus tiles", 516))]
)
def test_bonus_tiles_are_added_to_a_limit_hand_that_says_so(house, says, claim):
    hand = "N@E: (RRR)(GGG) 123b 456c 9d 4f 2s <9d"
    book = house(FLOWERS + entry("limit", f'points = 500\nwhen = "pungs(dragon) == 2"\n{says}'), "babcock")
    sheet = mjscore.score(hand, book, options={"limit": 1000})
    assert [(one.title, one.points) for one in sheet.claims] == [claim]


def test_the_points_with_doubles_of_their_own(house):
    hand = "E@E: [9999c] 333c 666c 22c 55c 1f 2s <2c"
    purity = 'when = "one_suit and chows == 0"\ndoubles = 3\nbonus_tiles = true'
    book = house(FLOWERS + entry("limit", purity), "babcock")
    sheet = mjscore.score(hand, book, options={"limit": 100000})
    (claim,) = [claim for claim in sheet.claims if claim.rule == "new"]
    assert claim.points == (sheet.points - 8) * 8 + 16
    assert claim.source == "House 1"
    # without bonus tiles there is nothing to add, and where they count as all else, nothing apart
    sheet = mjscore.score(hand.replace("1f 2s ", ""), book, options={"limit": 100000})
    assert ("New", sheet.points * 8) in [(claim.title, claim.points) for claim in sheet.claims]
    as_all_else = house(FLOWERS + entry("limit", purity.replace("bonus_tiles = true", "")), "babcock")
    sheet = mjscore.score(hand, as_all_else, options={"limit": 100000})
    assert ("New", sheet.points * 8, "House 1") in [claim[1:] for claim in sheet.claims]


def test_one_worth(house):
    for body in ('tiles = "7 pairs"', 'tiles = "7 pairs"\npoints = 5\nof_limit = "1"'):
        assert mjscore.score(ONE_RUN, house(entry("shape", body))).error.code == "one-worth"


@pytest.mark.parametrize(
    "tiles", ["7 pairs(dragon)", "11111b 9 singles", "4 kongs(dragon)", "5 pungs(dragon) pair"]
)
def test_no_such_tiles(house, tiles):
    error = mjscore.score(ONE_RUN, house(entry("shape", f'tiles = "{tiles}"\npoints = 5'))).error
    assert error.code in ("impossible-shape", "bad-shape")


def test_the_bad_word(house):
    error = mjscore.score(ONE_RUN, house(entry("shape", 'tiles = "7 twinz(head)"\npoints = 5'))).error
    assert (error.code, error.column, error.length) == ("bad-shape", 12, 5)
    assert "'twinz' is not a part of a shape" in error.message


@table
def test_what_is_refused(house, body, code, says):
    error = mjscore.score(ONE_RUN, house(body.replace("WHO", 'id = "new"\ntitle = "New"') + "\n")).error
    assert error.code == code, error.render()
    assert says in error.render()
    assert error.line > 3


def test_what_can_hold(house):
    for when in (
        "chows == 4",
        "drawn or claimed",
        "won and not drawn",
        "not won and kongs == 1",
        "pairs == 7",
    ):
        assert mjscore.score(ONE_RUN, house(entry("bonus", f'points = 5\nwhen = "{when}"'))).error is None
    limited = entry("limit", 'of_limit = "2/5"\nwhen = "won"')
    assert mjscore.score(ONE_RUN, house(limited, "harr-limit")).error is None
    assert mjscore.score(ONE_RUN, house(f"[options]\nlimit = 500\n{limited}")).error is None


TABLE_OF_DRAGONS = """
[table]
option = "table"
doubles.half = [1, 2, 4, 6]
doubles.full = [1, 2, 4, 8]
[[option]]
id = "table"
title = "Table"
kind = "choice"
choices = ["half", "full"]
default = "half"
"""


@pytest.mark.parametrize(
    ("hand", "doubles", "half", "full"),
    [
        ("S: (123b) (456b) 777c 11d 67d <8d", 0, 24, 24),
        ("S: (RRR) (456b) 777c 11d 67d <8d", 1, 56, 56),
        ("S: (RRR) (GGG) (SSS) 11d 67d <8d", 4, 192, 256),
        # the last figure stays
        ("S: (RRR) (GGG) (SSS) (WWWd) 1d <1d", 5, 288, 384),
    ],
)
def test_a_table_of_doubles(house, hand, doubles, half, full):
    book = house(TABLE_OF_DRAGONS)
    for choice, score in (("half", half), ("full", full)):
        sheet = mjscore.score(hand, book, options={"table": choice})
        assert sheet.error is None, sheet.error
        assert (sheet.doubles, sheet.score) == (doubles, score)
    # who extends it has the table too, or one of their own
    assert mjscore.score(hand, house("", book)).score == half
    own = mjscore.score(hand, house("[table]\ndoubles = [3]", book))
    assert own.score == 3 * own.points


def test_a_number_without_a_list_of_choices(house):
    body = 'kind = "number"\nleast = 0\nmost = 500\ndefault = 7'
    book = house(entry("option", body, "tip") + entry("bonus", 'points = { option = "tip" }\nwhen = "won"'))
    for given_value, points in ((None, 7), ("0", 0), (500, 500)):
        options = {} if given_value is None else {"tip": given_value}
        sheet = mjscore.score(ONE_RUN, book, options=options)
        assert sum(item.points for item in sheet.items if item.rule == "new") == points
    for wrong in ("501", "-1", "x", "1.5"):
        error = mjscore.score(ONE_RUN, book, options={"tip": wrong}).error
        assert error.code == "option-value"
        assert "a whole number from 0 to 500" in error.render()


def test_waiting_for_one_of_several(house):
    shapes = entry("shape", 'tiles = "7 pairs"\npoints = 500\nwhen = "one_suit"', "pairs") + entry(
        "shape", 'tiles = "123456789x ESWNw twin"\npoints = 500', "snake"
    )
    book = house(shapes + entry("bonus", "points = 9\nwhen = \"waiting_for('pairs', 'snake')\""))
    assert given("E: 11335577b 88b 99b 2b", book)
    assert given("E: 123456789d ESWNw", book)
    assert not given("E: 11335577b 88b 99b 2c", book)
    unknown = house(entry("bonus", "points = 9\nwhen = \"waiting_for('pairs', 'snakes')\""))
    assert mjscore.score(ONE_RUN, unknown).error.code == "unknown-entry"


LAID = entry("shape", 'tiles = "RGWd pung(x) pung(y) pung(z) pair(suited)"\npoints = 4000\nlaid = true')


@pytest.mark.parametrize(
    ("hand", "wins"),
    [
        ("E: RGWd 222b 555c 88d 99d <8d", True),
        ("E: (222b) (555c) RGWd 88d 99d <8d", True),
        ("E: (2222b) [5555c] (888+8d) RGWd 9d +9d", True),
        # a run is not a three, nor are threes in two suits threes in three
        ("E: (234b) (555c) RGWd 88d 99d <8d", False),
        ("E: (222b) (555b) RGWd 88d 99d <8d", False),
        # what is written out is held, and the pair too
        ("E: (RRR) (555b) GWd 222c 88d 9d <9d", False),
    ],
)
def test_threes_of_a_special_hand_on_the_table(house, hand, wins):
    sheet = mjscore.score(hand, house(LAID))
    assert (sheet.special == "new") is wins, sheet
    assert mjscore.score(hand, house(LAID.replace("laid = true", ""))).special == (
        "new" if wins and "(" not in hand and "[" not in hand else None
    )


def test_waiting_with_threes_on_the_table(house):
    book = house(LAID + entry("bonus", "points = 9\nwhen = \"waiting_for('new')\"", "waits"))
    for held, tiles in (
        ("(2222b) (555c) RGWd 88d 99d", "8d 9d"),
        ("(222b) RGWd 555c 888d 9d", "9d"),
        ("(123b) RGWd 555c 888d 9d", ""),
    ):
        assert " ".join(str(wait.tile) for wait in mjscore.waits(f"E: {held}", book).waits) == tiles
        assert given(f"E: {held}", book, "waits") is bool(tiles)
