"""Hands of words in an order that the parser has let pass: they are not parsed again.

It is no reader of its own: a word is taken apart by the grammar's own tokens, the order is one that the parser has
read, and where anything is new or wrong the parser reads the line, and alone says what is the matter.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from lark import Lark, Token

from mjscore.notation.building import LONGEST_WORD
from mjscore.refusal import Refused

_FIRST_LINES = 2  # for a hand or two, its patterns are not worth making
_MOST_WORDS, _MOST_ORDERS = 1 << 14, 1 << 10  # no more are kept, so that a long file cannot fill the memory
# a letter for the kind of each token; a header is looked for before tiles, as the grammar has it
_LETTERS = {
    "HEADER": "H",
    "SET": "T",
    "UNLISTED": "T",
    "DRAWN": "W",
    "CLAIMED": "W",
    "FLAG": "F",
    "TILES": "T",
}
_ORDER = re.compile("(?:HT*|T+)W?F*")
# by the rule that a parser starts from, the one whose callback builds a hand
_BUILDERS = {"hand": "hand", "line": "hand_line"}


class _Beside(NamedTuple):
    """What stands before or behind the words of a line: like a token, but made in a quarter of the time."""

    type: str
    value: str
    start_pos: int | None = None
    end_pos: int | None = None


class KnownWords:
    """The orders of tokens in hands that *parser* has read from the rule *start*, and the words of which they were."""

    def __init__(self, parser: Lark, start: str) -> None:
        self._build = getattr(parser.options.transformer, _BUILDERS[start])
        self._patterns = {str(one.name): one.pattern.to_regexp() for one in parser.terminals}
        self._lines = 0
        self._known = lru_cache(maxsize=_MOST_WORDS)(self._taken_apart)
        self._orders: set[str] = set()

    @cached_property
    def _line(self) -> re.Pattern[str]:
        """Give what a line has before and behind its words, as the grammar says it; read in one way only, so never for long."""
        label, expected = (self._patterns.get(name, "(?!)") for name in ("LABEL", "EXPECTED"))
        return re.compile(f'((?>{label}))?+([^"#=]*+)((?>{expected}))?+[ \t]*')

    @cached_property
    def _token(self) -> re.Pattern[str]:
        return re.compile("|".join(f"(?P<{name}>{self._patterns[name]})" for name in _LETTERS))

    def read(self, text: str) -> Any:
        """Build what the parser would build of *text*; None where it has to be asked."""
        parts = self._line.fullmatch(text) if self._orders else None
        if parts is None:
            return None
        label, words, expected = parts.groups()
        found = self._tokens(words)
        if found is None or found[0] not in self._orders:
            return None
        children: list[Any] = [found[1]]
        if label:
            children.insert(0, _Beside("LABEL", label))
        if expected:
            children.append(_Beside("EXPECTED", expected))
        try:
            return self._build(children)
        except Refused:
            return None  # the parser knows the place

    def learn(self, text: str) -> None:
        """Keep the order of the tokens of *text*, which the parser has just read."""
        self._lines += 1
        parts = self._line.fullmatch(text) if self._lines > _FIRST_LINES else None
        found = self._tokens(parts[2]) if parts is not None else None
        if found is not None and len(self._orders) < _MOST_ORDERS and _ORDER.fullmatch(found[0]):
            self._orders.add(found[0])

    def _tokens(self, words: str) -> tuple[str, list[Token]] | None:
        """Give the letters and the tokens of some words; None where one of them is more or less than whole tokens."""
        letters = ""
        tokens: list[Token] = []
        for word in words.split(" "):
            if word:
                known = self._known(word)
                if known is None:
                    return None
                letters += known[0]
                tokens += known[1]
        return letters, tokens

    def _taken_apart(self, word: str) -> tuple[str, tuple[Token, ...]] | None:
        tokens = []
        place = 0
        while place < len(word) <= LONGEST_WORD:
            found = self._token.match(word, place)
            if found is None:
                return None
            tokens.append(Token(found.lastgroup or "", found[0]))
            place = found.end()
        return ("".join(_LETTERS[token.type] for token in tokens), tuple(tokens)) if tokens else None


@lru_cache(maxsize=4)
def known_words(parser: Lark, start: str) -> KnownWords | None:
    """Give the words that *parser* knows; None where what it reads from the rule *start* is no hand."""
    builds_hands = start in _BUILDERS and parser.options.transformer is not None
    return KnownWords(parser, start) if builds_hands else None
