"""What the parser has found in the words of hands: a hand of nothing but known words in a known order is not parsed again.

It is no reader of its own: it knows only what the parser told it of lines that it read, and where anything is new
or wrong the parser reads the line, and alone says what is the matter.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from lark import Lark, Token

from mjscore.notation.tokens import LONGEST_WORD, offset_of
from mjscore.refusal import Refused

_MOST_WORDS, _MOST_ORDERS = 1 << 14, 1 << 10  # no more are kept, so that a long file cannot fill the memory
_LETTERS = {
    "HEADER": "H",
    "TILES": "T",
    "SET": "T",
    "UNLISTED": "T",
    "DRAWN": "W",
    "CLAIMED": "W",
    "FLAG": "F",
}
_ORDER = re.compile("(H?T*)(W?)(F*)")
_WORD, _ALL = re.compile(r"[^ \t]+"), re.compile(".+")
# by the rule that a parser starts from, the one whose callback builds a hand
_BUILDERS = {"hand": "hand", "line": "hand_line"}


class _Word(NamedTuple):
    """The tokens of a word, and a letter for the kind of each."""

    letters: str
    tokens: tuple[Token, ...]


class _Beside(NamedTuple):
    """What stands before or behind the words of a line: like a token, but made in a quarter of the time."""

    type: str
    value: str
    start_pos: int | None = None


class _Begun(NamedTuple):
    """A word of a line, from where to where it stands, and its tokens as far as they have come."""

    begin: int
    end: int
    text: str
    tokens: list[Token]


class KnownWords:
    """The words of the hands that *parser* has read from the rule *start*, and the orders in which they may stand."""

    def __init__(self, parser: Lark, start: str) -> None:
        self._builder: Any = parser.options.transformer
        self._build = getattr(self._builder, _BUILDERS[start])
        patterns = {terminal.name: terminal.pattern.to_regexp() for terminal in parser.terminals}
        label, expected = (patterns.get(name, "(?!)") for name in ("LABEL", "EXPECTED"))
        # what a line has before and behind its words, as the grammar says it; read in one way only, so never for long
        self._line = re.compile(f'((?>{label}))?+([^"#=]*+)((?>{expected}))?+[ \t]*')
        self._words: dict[str, _Word] = {}
        self._orders: dict[str, tuple[int, int]] = {}

    def read(self, text: str) -> Any:
        """Build what the parser would build of *text*; None where it has to be asked."""
        parts = self._line.fullmatch(text)
        if parts is None:
            return None
        label, words, expected = parts.groups()
        letters = ""
        tokens: list[Token] = []
        for word in words.split(" "):
            if word:
                known = self._words.get(word)
                if known is None:
                    return None
                letters += known.letters
                tokens += known.tokens
        order = self._orders.get(letters)
        if order is None:
            return None
        held, flags = order
        children: list[Any] = [tokens[:held], *tokens[held:flags]]
        if label:
            children.insert(0, _Beside("LABEL", label))
        if flags < len(tokens):
            children.append(tokens[flags:])
        if expected:
            children.append(_Beside("EXPECTED", expected))
        try:
            return self._build(children)
        except Refused:
            return None  # the parser knows the place

    def learn(self, text: str) -> None:
        """Keep what the words of *text* are, which the parser has just read."""
        read, self._builder.tokens = self._builder.tokens, ()
        parts = self._line.fullmatch(text) if read and len(self._words) < _MOST_WORDS else None
        if parts is None:
            return
        begin = parts.start(2)
        words = [
            _Begun(begin + word.start(), begin + word.end(), word[0], []) for word in _WORD.finditer(parts[2])
        ]
        for token in (token for child in read for token in (child if type(child) is list else (child,))):
            # tiles of one token may stand apart; nothing else may
            pieces = (
                _WORD.finditer(token.value) if token.type == "TILES" else _ALL.finditer(token.value.rstrip())
            )
            for piece in pieces:
                place = offset_of(token) + piece.start()
                word = next((word for word in words if word.begin <= place < word.end), None)
                if word is None or not text.startswith(piece[0], place):
                    return
                word.tokens.append(Token(token.type, piece[0]))
        if any("".join(token.value for token in word.tokens) != word.text for word in words):
            return  # a word is only known where its tokens are all of it
        letters = ""
        for word in words:
            kinds = "".join(_LETTERS[token.type] for token in word.tokens)
            letters += kinds
            if len(word.text) <= LONGEST_WORD:
                self._words[word.text] = _Word(kinds, tuple(word.tokens))
        order = _ORDER.fullmatch(letters)
        if order is not None and len(self._orders) < _MOST_ORDERS:
            self._orders[letters] = order.end(1), order.end(2)


@lru_cache(maxsize=4)
def known_words(parser: Lark, start: str) -> KnownWords | None:
    """The words that *parser* knows; None where what it reads from the rule *start* is no hand."""
    return (
        KnownWords(parser, start) if start in _BUILDERS and parser.options.transformer is not None else None
    )
