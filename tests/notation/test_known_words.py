"""Hands of known words are what the whole parser makes of them: result, message and place."""

from __future__ import annotations

import os
import random
from unittest.mock import patch

from strategies import random_loser, random_winner
from tables import table

from mjscore.notation import hands
from mjscore.record.lines import line_parser, parse_line
from mjscore.refusal import Refused

LINES = int(os.environ.get("LINES_TRIED", "2000"))
PIECES = (
    "5c", "123b", "E", "EE", "W", "Ww", "w", "RR", "Wd", "(222d)", "(", ")", "[1111c]", "(111+1d)", "(11d)", "+5c", "+",
    "<5c", "<5c:E", "<5d:", ":", "S:", "S@E:", "@E", "!loose", "!", "!dead", "!nochoice", "!earlier:S", "...", "…", "5c(567c)",
    "+5c(456c)", "= 20", "=", "20", "= error", '"x"', '"', "# note", "1f", "13f", "2s", "🀙", "🀙🀙", "\ufe0f", "0b", "hand",
    "draw", "set", "rulebook", "wash", "\t", "  ", "\u00a0", "12345678901234567890", "1" * 45 + "b",
)  # fmt: skip


def outcome(text: str, read: object) -> object:
    """What *read* makes of a line: the record, or the refusal."""
    try:
        return read(text)
    except Refused as refused:
        return refused.refusal


def by_the_parser_alone(text: str) -> object:
    with patch.object(hands, "known_words", lambda parser, start: None):
        return outcome(text, parse_line), outcome(text, hands.parse)


def some_line(chance: random.Random) -> str:
    """A hand as it may be typed, or with something in it that does not belong there."""
    words = str((random_winner if chance.random() < 0.7 else random_loser)(chance)).split()
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2, 4))):
        place = chance.randrange(len(words) + 1)
        how = chance.randrange(5)
        if how == 0:
            words.insert(place, chance.choice(PIECES))
        elif how == 1 and words:
            word = words.pop(place - 1)
            cut = chance.randrange(len(word) + 1)
            words[place:place] = [word[:cut] + chance.choice((" ", "", *PIECES)) + word[cut:]]
        elif how == 2 and len(words) > 1:
            words[place - 1 : place + 1] = ["".join(words[place - 1 : place + 1])]
        elif how == 3:
            chance.shuffle(words)
        else:
            words = words[:place]
    line = chance.choice((" ", " ", " ", "  ", "\t")).join(words)
    label = chance.choice(("", "", '"Fig. 18" ', '"= 3 # (5c)"', '""'))
    return (
        label
        + line
        + chance.choice(("", "", " = 22", "=22  ", " = error", " = 99999999999999999", " # tea", " "))
    )


def test_known_words_are_what_the_parser_makes_of_them():
    chance = random.Random(f"words {os.environ.get('SEED', '')}")
    hands.known_words.cache_clear()
    quick = 0
    for _ in range(LINES):
        text = some_line(chance)
        expected = by_the_parser_alone(text)
        for _ in range(2):  # as it comes, and as it is known
            assert (outcome(text, parse_line), outcome(text, hands.parse)) == expected, text
        known = hands.known_words(line_parser(), "line")
        assert known is not None
        quick += known.read(text) is not None
    assert quick > LINES // 4


@table
def test_what_is_known(monkeypatch, before, text, known):
    monkeypatch.setattr(hands, "_FIRST_LINES", 0)
    reader = hands.KnownWords(line_parser(), "line")
    with patch.object(hands, "known_words", lambda parser, start: reader):
        outcome(before, parse_line)
        assert (reader.read(text) is not None) is known


def test_no_more_is_kept_than_a_table_needs(monkeypatch):
    monkeypatch.setattr(hands, "_FIRST_LINES", 0)
    monkeypatch.setattr(hands, "_MOST_WORDS", 10)
    monkeypatch.setattr(hands, "_MOST_ORDERS", 2)
    reader = hands.KnownWords(line_parser(), "line")
    with patch.object(hands, "known_words", lambda parser, start: reader):
        for number in range(1, 9):
            parse_line(f"{number}b {number}c {' '.join(f'{one}d' for one in range(number))[3:]} ...")
    assert reader._known.cache_info().currsize == 10
    assert len(reader._orders) == 2
