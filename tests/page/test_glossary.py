"""The words of the game: what they ask a rulebook for is there, their tiles can be typed, and each is found."""

from __future__ import annotations

import json

from programs import run_command
from tables import each, table

from mjscore.notation.hands import parse
from mjscore.page.glossary import glossary, word_called
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS
from mjscore.rulebook.facts import CLASSES, FACTS
from mjscore.rulebook.keys import KEYS, SECTIONS, SETTLING_KINDS
from mjscore.scoring.scorer import score_hand

BOOKS = [bind(name) for name in RULEBOOKS]
WITH_ALL = bind("babcock", {"optional": "all"})
KNOWN = {
    *(*FACTS, *CLASSES, *SECTIONS, *SETTLING_KINDS),
    *(key.name for key in KEYS),
    *(name for book in BOOKS for name in book.definition.entries),
}


@each("word", glossary().values())
def test_a_word_can_be_looked_up_whole(word):
    assert {*word.asks} <= KNOWN
    assert {*word.see} <= {*glossary()} - {word.name}
    assert word_called(word.name) == word
    assert all(word_called(name) == word for name in word.also)
    # it brings something somewhere, or nothing is looked up at all
    assert not word.asks or any(word.entries(book) != ([], []) for book in BOOKS)
    for tiles in word.tiles:
        hand = parse(tiles)
        book = WITH_ALL if hand.win is not None or hand.dead else BOOKS[0]
        score_hand(hand._replace(win=hand.win and hand.win._replace(discarder=None)), book)


@table
def test_a_word_is_found_by_what_people_call_it(typed, word):
    found = word_called(typed)
    assert ((found and found.name) or "none") == word


@table
def test_a_word_brings_what_the_rulebook_in_force_gives(typed, book, settings, brings):
    word = word_called(typed)
    assert word is not None
    found, more = word.entries(bind(book, settings))
    assert " ".join([*(entry.id for entry in found), *(f"({name})" for name in more)]) == brings


def test_all_words_for_programs_and_as_a_page():
    told = [
        json.loads(line) for line in run_command("explain", "words", "--format", "json").stdout.splitlines()
    ]
    assert [one["word"] for one in told] == list(glossary())
    rows = {one["word"]: one for one in told}
    assert rows["kong"]["rules"][0] == {
        "title": "Kong of 2 to 8, on the table",
        "worth": "8",
        "source": "Harr p. 6",
    }
    page = run_command("explain", "words", "-r", "bmja", "--format", "markdown").stdout
    assert page.count("\n## ") == len(glossary())
    assert (
        "- Won on a loose tile: ×2 (BMJA: doubling)"
        in page.partition("## loose tile")[2].partition("\n## ")[0]
    )
