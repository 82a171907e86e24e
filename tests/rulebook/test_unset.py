"""``unset`` in a change takes a key of an entry away: of every kind of entry, for every key that it can do without."""

from __future__ import annotations

from collections.abc import Iterator

from refusals import refusal_of
from tables import each, rows, table

import mjscore
from mjscore.refusal import Refusal, Refused
from mjscore.rulebook.binding import bind, read_rulebook
from mjscore.rulebook.entries import RULEBOOKS
from mjscore.rulebook.keys import needed


def refusal(name: str) -> Refusal:
    return refusal_of(bind, name)


def one_of_each() -> Iterator[tuple[str, str, str, str]]:
    """For each section and key that some entry has there: the rulebook, the entry, its section, the key."""
    seen = set()
    for book in RULEBOOKS:
        for entry in read_rulebook(book).entries.values():
            for key in entry.data:
                if (entry.section, key) not in seen and key not in ("id", "title", "source", "replaces"):
                    seen.add((entry.section, key))
                    yield book, entry.id, entry.section, key


# what an entry asks for beside what its section needs, and how a rulebook without it is refused
LACKING = {(section, key): code for section, key, code in rows(__file__, "lacking")[1]}


@each(("book", "name", "section", "key"), one_of_each())
def test_each_key_of_each_kind_of_entry(book, name, section, key, house):
    path = house(f'[change.{name}]\nunset = ["{key}"]\n', book)
    try:
        changed = read_rulebook(path).entries[name]
    except Refused as refused:
        found = refused.refusal
        if key in needed(section):
            assert (found.code, found.line, found.column) == ("cannot-unset", 5, 1)
            assert f'drop = ["{name}"]' in found.hint
        else:
            assert found.code == LACKING[section, key]
        return
    assert key not in (*needed(section), *changed.data)
    before = read_rulebook(book).entries[name]
    assert changed.changed
    assert {**changed.data, key: before.data[key], "source": before.source} == before.data
    bind(path)


def test_without_its_condition_an_entry_holds_for_everybody(house):
    book = bind(house('[change.own-wind]\nunset = ["when"]\n'))
    for hand in ("S: 123b 456b 789c 444d 5d +5d", "S: 123b 456b 789c 44d 5d ..."):
        assert [line.rule for line in mjscore.score(hand, book).doubling] == ["own-wind"]
        assert mjscore.score(hand, "harr").doubling == ()


def test_one_worth_takes_the_place_of_another(house):
    text = '[change.winds-and-pair]\nunset = ["of_limit"]\npoints = 250\n'
    names = [entry.id for entry in read_rulebook("harr-limit").entries.values() if "of_limit" in entry.data]
    book = bind(house(text.replace("winds-and-pair", names[-1]), "harr-limit"))
    assert book.rules[names[-1]].points == 250
    assert book.rules[names[-1]].of_limit is None


@table
def test_what_cannot_be_taken_away_is_said(unset, code, said, house):
    found = refusal(house(f"[change.no-runs]\nunset = {unset}\n"))
    assert (found.code, found.line) == (code, 6 if "unste" in unset else 5)
    assert said in found.hint


def test_the_card_marks_it(house):
    from mjscore.page.cards import show_rulebook
    from mjscore.page.text import Style

    card = show_rulebook(bind(house('[change.own-wind]\nunset = ["when"]\n')), Style(100))
    assert any(line.startswith("  * Own wind") for line in card.splitlines())
