"""A hand that is told is read alike whatever its suits and dragons are: with others it is the same hand with others, or is asked."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from tables import each

import mjscore
from mjscore.game.hand import Hand
from mjscore.notation.hands import read_hand
from mjscore.notation.lexer import Lattice
from mjscore.notation.names import People
from mjscore.notation.told_words import words_of
from mjscore.notation.vocabulary import vocabulary
from mjscore.refusal import Refused

PEOPLE = {True: People({"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}, "Ben", "E"), False: People()}
ROWS = [
    line.partition("  =>  ")[::2]
    for line in Path(__file__).with_name("speech.txt").read_text(encoding="utf-8").splitlines()
    if "  =>  " in line
]
# words that mean one suit or dragon, each with what the next one is called
GROUPS = (
    ("bam", "dot", "crak"), ("bams", "dots", "craks"), ("bamboo", "circles", "characters"), ("red", "green", "white"),
    ("reds", "greens", "whites"),
)  # fmt: skip
NEXT = {word: group[(at + 1) % 3] for group in GROUPS for at, word in enumerate(group)}
SUITS, DRAGONS = str.maketrans("bdc", "dcb"), str.maketrans("RGW", "GWR")


def worth(hand: Hand) -> int | None:
    win = hand.win and hand.win._replace(discarder=None)
    return mjscore.score(hand._replace(win=win), "babcock").score


def read(said: str) -> Hand:
    typed = said.removeprefix("{play} ")
    return in_order(read_hand(typed, PEOPLE[typed != said], worth).hand)


def in_order(hand: Hand) -> Hand:
    return hand._replace(sets=tuple(sorted(hand.sets)), concealed=tuple(sorted(hand.concealed)))


def names_tiles_by_other_words(said: str) -> bool:
    """Whether it has tiles as they are typed, or words for suits and dragons that are none of those here."""
    kinds = {
        word: {one.kind for one in vocabulary().of(word)} for word in re.findall(r"[^\W\d_]+", said.lower())
    }
    typed = any(word.says("TILES") and not word.typed.isalpha() for word in words_of(Lattice(said)))
    return typed or any(found & {"suit", "dragon"} and word not in NEXT for word, found in kinds.items())


def renamed(said: str) -> str:
    return re.sub(r"[a-z]+", lambda word: NEXT.get(word[0].lower(), word[0]), said, flags=re.IGNORECASE)


def with_others(strict: str) -> str:
    suited = re.sub(r"[1-9]+[bcd]", lambda tiles: tiles[0].translate(SUITS), strict)
    return re.sub(r"[RGW]+d", lambda tiles: tiles[0][:-1].translate(DRAGONS) + "d", suited)


@cache
def told() -> list[tuple[str, str]]:
    """The rows that can be told with others, found out when they are needed: every process of the tests imports this."""
    return [
        (said, strict)
        for said, strict in ROWS
        if not names_tiles_by_other_words(said) and renamed(said) != said
    ]


@each("row", ROWS)
def test_with_another_suit_it_is_the_same_hand(row):
    if row not in told():
        return
    said, strict = row
    for _ in range(2):
        said, strict = renamed(said), with_others(strict)
        try:
            assert read(said) == in_order(mjscore.parse(strict)), said
        except Refused as asked:
            assert asked.refusal.lines


def test_there_are_hands_to_rename():
    assert len(told()) > 40
