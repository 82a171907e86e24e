"""The words of the game from ``glossary.toml``, and finding the one that a user means."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from mjscore.notation.vocabulary import plain, vocabulary
from mjscore.page.html import page_file
from mjscore.rulebook.conditions import names_in
from mjscore.rulebook.entries import RuleEntry
from mjscore.rulebook.rulebook import Rulebook

_LONGEST_WORD = 4  # the number of words in the longest name
# kinds of words that are not of the game
_NO_WORDS = ("empty", "aside", "counted", "number", "everybody", "denial", "others")


class GlossaryWord(NamedTuple):
    """A word of the game: what it *means*, other names (*also*), *tiles* that show it, and related words to *see*.

    It is about the entries of a rulebook that have one of *asks* as id, section or key, or in a condition. Score
    cards with a text that matches *on_cards* explain it.
    """

    name: str
    means: str
    also: Iterable[str] = ()
    tiles: Mapping[str, str] = MappingProxyType({})
    asks: Iterable[str] = ()
    see: Iterable[str] = ()
    on_cards: str = ""

    def entries(self, book: Rulebook) -> tuple[list[RuleEntry], list[str]]:
        """Return the entries in force that the word is about, and the options named by entries about it."""
        entries, options = [], []
        for entry in book.definition.entries.values():
            when = {"when": book.conditions[entry.id]} if entry.id in book.entries else {}
            names = [name for node in {**entry.conditions, **when}.values() for name in names_in(node)]
            about = {entry.id, entry.section, *entry.data, entry.data.get("rule")}
            if not about.union(*((name.name, *name.words) for name in names)).isdisjoint(self.asks):
                entries += [entry] if entry.id in book.entries else []
                options += [name.words[0] for name in names if name.name == "option"]
        return entries, list(dict.fromkeys(options))


@cache
def glossary() -> dict[str, GlossaryWord]:
    """Return all words by name, in the order of ``glossary.toml``."""
    import tomllib  # not needed for cards

    return {
        name: GlossaryWord(name, **row) for name, row in tomllib.loads(page_file("glossary.toml")).items()
    }


def word_called(typed: str) -> GlossaryWord | None:
    """Return the word with this name or synonym, singular or plural, else one of the same meaning, or None."""
    meanings = _meanings(typed)
    alike = (word for name, word in _names() if meanings & _meanings(name))
    return _named(typed) or next(alike, None)


def _names() -> list[tuple[str, GlossaryWord]]:
    return [(plain(name), word) for word in glossary().values() for name in (word.name, *word.also)]


def _named(typed: str) -> GlossaryWord | None:
    forms = {plain(typed), plain(typed).removesuffix("s"), f"{plain(typed)}s"}
    return next((word for name, word in _names() if name in forms), None)


def word_in(typed: str) -> GlossaryWord | None:
    """Return the longest word of the game in a question, as in ``a concealed kong of nines worth``; None if none."""
    words = plain(typed).split()
    sizes = range(min(len(words), _LONGEST_WORD), 0, -1)
    runs = (" ".join(words[start : start + size]) for size in sizes for start in range(len(words) - size + 1))
    return next(filter(None, map(_named, runs)), None)


def _meanings(typed: str) -> set[tuple[str, str]]:
    return {(word.kind, word.value) for word in vocabulary().of(typed) if word.kind not in _NO_WORDS}


def words_on(card: str) -> list[GlossaryWord]:
    """Return the words on a card that need explaining."""
    words, text = glossary().values(), " ".join(card.split())
    return [word for word in words if word.on_cards and re.search(word.on_cards, text, re.IGNORECASE)]
