"""Replacing unknown words by names, or by words for scores, events and commands, that are one letter away."""

from __future__ import annotations

import re
from functools import lru_cache

from mjscore.notation.names import nearest, one_letter_apart
from mjscore.notation.vocabulary import gist_words, vocabulary
from mjscore.play.heard import kind_of, names_of
from mjscore.play.line_speech import AtTable

_LETTERS = re.compile(r"[^\W\d_]+")
_ONE = re.compile(r"(?<![^\W_])([^\W\d_]+|[^\W\d_]{3,} )1(?![^\W_])")  # no1, that 1; but: no 1
_TILES = frozenset("eswnrgd")  # letters each of which is a tile
_MOST_UNKNOWN = 4  # with more of them, a line is not about the game
# the meanings of words that are often misspelt
_SAID = frozenset(
    (
        "win",
        "wins",
        "drawn",
        "zero",
        "others",
        "none else",
        "each",
        "pay",
        "draw",
        "number",
        "count",
        "from",
        "threw",
    )
) | {"dead", "command", "comes", "leaves"}


def respelt(line: str, table: AtTable) -> str:
    """Return a line with unknown words, up to four, replaced by names or English words one letter away."""
    names, line = names_of(table), with_one(line)
    known = {*vocabulary().words, *gist_words().words, *names}
    said = dict.fromkeys(word.casefold() for word in _LETTERS.findall(line))
    unknown = [word for word in said if not (word in known or word.removesuffix("s") in names)]
    unknown = [word for word in unknown if len(word) > 2 and not _TILES.issuperset(word)]
    absent = [
        name for name, who in names.items() if name not in said and who in table.seats and len(name) > 2
    ]
    spelt = {word: nearest(word, absent) or _near(word) or _number(word) for word in unknown}
    if len(unknown) > _MOST_UNKNOWN:
        return line
    return _LETTERS.sub(lambda word: spelt.get(word[0].casefold()) or word[0], line)


def with_one(line: str) -> str:
    """Return a line with "one" in place of a 1 behind a word, if that is known: "no one" for "no1", "that one" for "that 1"."""
    return _ONE.sub(lambda word: _known(f"{word[1]}one") or _known(f"{word[1]} one") or word[0], line)


def _known(phrase: str) -> str:
    return phrase if gist_words().of(phrase) else ""


def _near(word: str) -> str | None:
    """Return the known word one letter away from *word*, preferably with the same letters; None if there is none.

    For a word of three letters, it must have the same letters, or one more inside, or be a word for winning.
    """
    near = (one for one in _often_misspelt() if one_letter_apart(word, one))
    likely = (
        one
        for one in near
        if len(word) > 3 or sorted(one) == sorted(word) or _is_of_winning(one) or _is_shortened(word, one)
    )
    return min(likely, key=lambda one: sorted(one) != sorted(word), default=None)


def _is_shortened(word: str, known: str) -> bool:
    """Return whether a word is a known one without one of its inner letters, as "ded" is."""
    return len(known) > len(word) and word[0] == known[0] and word[-1] == known[-1]


def _is_of_winning(word: str) -> bool:
    return vocabulary().says(word, "win")


def _number(word: str) -> str | None:
    """Return the tens and ones of a number typed as one word, as "forty four" of "fourtyfour"; None for others."""
    tens, ones = _tens_and_ones()
    for at in range(3, len(word) - 2):
        head, tail = word[:at], word[at:]
        parts = (
            (head if head in tens else nearest(head, tens)),
            (tail if tail in ones else nearest(tail, ones)),
        )
        if parts[0] and parts[1]:
            return " ".join(filter(None, parts))
    return None


@lru_cache(maxsize=1)
def _tens_and_ones() -> tuple[list[str], list[str]]:
    """Return the English words for tens from twenty on, and for one to nine."""
    values = {
        word: int(one.value)
        for word in _often_misspelt()
        for one in vocabulary().of(word)
        if one.kind in ("number", "count")
    }
    return [word for word, value in values.items() if 20 <= value < 100], [
        word for word, value in values.items() if value < 10
    ]


@lru_cache(maxsize=1)
def _often_misspelt() -> tuple[str, ...]:
    """Return the English words for scores, events and commands, whole phrases first."""
    phrases = [
        phrase
        for known in (vocabulary(), gist_words())
        for phrase, meanings in known.meanings.items()
        if not _SAID.isdisjoint(kind_of(one) for one in meanings if one.language == "en")
    ]
    return tuple(
        dict.fromkeys(
            word
            for phrase in sorted(phrases, key=lambda one: " " in one)
            for word in phrase.split()
            if len(word) > 2
        )
    )
