"""Score cards, and two rulebooks beside each other."""

from __future__ import annotations

from pathlib import Path

from mjscore.page.cards import card_json, diff_rows, show_diff, show_rulebook
from mjscore.page.text import Style, rows_text
from mjscore.rulebook.binding import bind

HOUSE = str(Path(__file__).parents[2] / "samples" / "house-rules.toml")


def test_a_card_has_every_entry_and_option_and_fits():
    for name in ("harr", "babcock-chinese"):
        book = bind(name)
        for columns in (60, 100):
            card = show_rulebook(book, Style(columns))
            assert max(map(len, card.splitlines()[2:])) <= columns
        card = show_rulebook(book, Style(400))
        for entry in book.entries.values():
            assert entry.title in card
        for option in book.options:
            assert f" {option}: " in card


def test_what_a_house_rulebook_changed_is_marked():
    card = show_rulebook(bind(HOUSE), Style(100))
    assert "  * Won on a loose tile (20 in all" in card
    assert "  * differs from babcock" in card
    changed = {entry["rule"] for entry in card_json(bind(HOUSE))["entries"] if entry["changed"]}
    assert {"loose-tile", "all-simples", "two-suit-pairs"} <= changed
    assert "* " not in show_rulebook(bind("babcock"), Style(100))


def test_a_rulebook_does_not_differ_from_itself():
    book = bind("harr")
    assert diff_rows(book, book) == []
    assert show_diff(book, book, Style(100)) == "The two rulebooks are the same."
    assert len(diff_rows(book, book, everything=True)) == len(book.entries) + len(book.options)


def test_options_are_compared_too():
    rows = [row for row in diff_rows(bind("harr"), bind("harr-limit")) if row.section == "Options"]
    assert ("Options", "limit: The most that a winner can score", "none", "300", "Harr p. 60; D24") in rows


def test_a_long_title_goes_on_below_itself():
    rows = [("A title that is long enough to be broken in two", "12", "Harr p. 30"), ("Short", "3", "")]
    assert rows_text(rows, Style(40)).splitlines() == [
        "  A title that is long    12  Harr p. 30",
        "  enough to be broken in",
        "  two",
        "  Short                    3",
    ]


def test_the_same_thing_in_another_section_stands_in_one_row():
    rows = {row.title: row for row in diff_rows(bind("babcock"), bind("bmja"))}
    assert (rows["No runs"].section, *rows["No runs"][2:4]) == ("Bonuses", "10", "×2")
    assert rows["All honors / All Winds and Dragons"][2:4] == ("×8", "limit (1000) + bonus tiles")
