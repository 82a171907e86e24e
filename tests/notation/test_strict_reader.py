"""Lines of known words are what Lark makes of them whole: result, message and place."""

from __future__ import annotations

import os
import random
from contextlib import suppress
from unittest.mock import patch

from amounts import part_of
from lark.exceptions import UnexpectedInput
from strategies import random_loser, random_winner
from tables import table

from mjscore.notation import hands, strict_reader
from mjscore.notation.strict_reader import StrictReader
from mjscore.record.lines import line_reader, parse_line, parse_row
from mjscore.refusal import Refused

LINES = int(os.environ.get("LINES_TRIED", part_of(2000, 8)))
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
        return refused.refusal._replace(about=None)  # a part: with the blanks behind it, or without


def by_the_parser_alone(text: str) -> object:
    with patch.object(StrictReader, "remembered", lambda self, text, start: None):
        return outcomes(text)


def outcomes(text: str) -> object:
    """What it is as a line of a file, as a row of a block, and as a hand."""
    return outcome(text, parse_line), outcome(text, parse_row), outcome(text, hands.parse)


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


def some_row(chance: random.Random) -> str:
    """A row or a line of an evening, or with a word of another in it."""
    rows = ("Ann: 480 win from Ben doubles 3", '"Old Cid": 16', "Ben: dead", "Dee@S: 12 win drawn ninth", "east Ann @E 2",
            "pays Ann +312 Ben -12", "draw four", "wash Ann 11", "wash Ann: 1b 2b", "pay Dee Ann 100", "seat Eve for Ann",
            "players Ann Ben", "set limit 600", 'hand "first" @S', "note a b", "rules 475dc6e2d98c", "bank", "E: 7b 8b ...")  # fmt: skip
    words = chance.choice(rows).split(" ")
    for _ in range(chance.choice((0, 1, 2))):
        words[chance.randrange(len(words))] = chance.choice(chance.choice(rows).split(" "))
    return " ".join(words)


def reader_of_lines() -> StrictReader:
    """A reader that has read nothing yet."""
    known = line_reader()
    return StrictReader(known.parser, known.builder)


def test_known_words_are_what_the_parser_makes_of_them():
    chance = random.Random(f"words {os.environ.get('SEED', '')}")
    quick = 0
    for number in range(LINES):
        text = (some_row if number % 3 == 0 else some_line)(chance)
        expected = by_the_parser_alone(text)
        for _ in range(2):  # as it comes, and as it is known
            assert outcomes(text) == expected, text
        quick += line_reader().remembered(text, "line") is not None
    assert quick > LINES // 4


@table
def test_what_is_known(before, text, known):
    reader = reader_of_lines()
    with suppress(UnexpectedInput):
        outcome(before, lambda text: reader.read(text, "line"))
    assert (reader.remembered(text, "line") is not None) is known


def test_no_more_is_remembered_than_a_table_needs(monkeypatch):
    monkeypatch.setattr(strict_reader, "_MOST_WORDS", 10)
    reader = reader_of_lines()
    for number in range(1, 9):
        reader.read(f"{number}b {number}c {' '.join(f'{one}d' for one in range(1, number))} ...", "line")
        assert sum(len(state.words) for state in reader.states) <= 10
