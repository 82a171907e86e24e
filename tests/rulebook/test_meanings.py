"""What the rulebooks' page says of entries and conditions is what they do."""

from __future__ import annotations

import pytest

import mjscore
from mjscore.page.language import rulebook_tables

WINNER = "E: (RRR) 123b 456b 789b 5d <5d"
LOSER = "E: (RRR) 123b 456b 789b 5d"
DEALT = "E: RRR 123b 456b 789b 5d +5d!original"


@pytest.fixture
def with_new(house):
    """Writes a house rulebook of the entry *new* more."""
    return lambda entry, *more: house(f'{entry}\nid = "new"\ntitle = "New"\nsource = "House 1"', *more)


def given(hand: str, rulebook: str, **options: object) -> bool:
    """Whether the entry *new* is on the hand's sheet."""
    sheet = mjscore.score(hand, rulebook=rulebook, options=options)
    assert sheet.error is None, sheet.error
    lines = (*sheet.items, *sheet.doubling, *sheet.additions, *sheet.claims)
    return "new" in [line.rule for line in lines]


GIVES = {
    "set": 'points = 7\nwhen = "pung"',
    "bonus": 'points = 7\nwhen = "east"',
    "double": 'doubles = 1\nwhen = "east"',
    "after": 'points = 7\nwhen = "east"',
    "limit": 'of_limit = "1"\nwhen = "east"',
}


@pytest.mark.parametrize("section", GIVES)
def test_sections_that_count_for_losers_too(with_new, section):
    book = with_new(f"[[{section}]]\n{GIVES[section]}", "babcock")
    (row,) = (row for table in rulebook_tables() for row in table.rows if row[0] == f"[[{section}]]")
    assert row[2].startswith("every hand")
    assert given(WINNER, book)
    assert given(LOSER, book)


def test_original_is_neither_drawn_nor_claimed(with_new):
    for when, dealt in (("original", True), ("drawn", False), ("claimed", False), ("completed_pair", False)):
        assert given(DEALT, with_new(f'[[bonus]]\npoints = 7\nwhen = "{when}"')) is dealt, when


def test_several_classes_mean_and(with_new):
    book = with_new('[[bonus]]\npoints = 7\nwhen = "pungs(wind, own_wind) == 1 and pungs(dragon, wind) == 0"')
    assert given("E: (EEE) (RRR) 123b 456b 5d <5d", book)
    assert not given("S: (EEE) (RRR) 123b 456b 5d <5d", book)


def test_held_is_what_is_concealed(with_new):
    book = with_new("[[bonus]]\npoints = 7\nwhen = 'held(\"123456789b5d\")'")
    assert given(WINNER, book)
    assert given(LOSER, book)
    assert given(f"{LOSER} 1f", book)
    assert not given("E: RRR 123b 456b 789b 5d", book)
    assert not given("E: (RRR) 123456789b5d ...", book)


def test_a_set_condition_sees_one_set(with_new):
    error = mjscore.score(WINNER, rulebook=with_new('[[set]]\npoints = 7\nwhen = "pungs(dragon) == 1"')).error
    assert error.code == "unknown-name"
    assert given(WINNER, with_new('[[set]]\npoints = 7\nwhen = "pung and of(dragon) and claimed"'))


def test_a_part_of_the_limit_works_without_the_cap(with_new):
    entry = 'drop = ["score-limit"]\n[[limit]]\nof_limit = "1/2"\nwhen = "won"'
    book = with_new(entry, "babcock")
    sheet = mjscore.score(WINNER, rulebook=book)
    assert sheet.error is None, sheet.error
    assert sheet.score == 150
    dear = mjscore.score("E: [RRRR] [GGGG] [EEEE] SSS Ww +Ww", rulebook=book)
    assert dear.score is not None
    assert dear.score > 300
    assert not given(WINNER, book, limit="none")
