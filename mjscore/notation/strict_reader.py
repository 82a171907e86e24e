"""Parsing strict lines word by word; what Lark made of a word in its position is cached."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedInput

from mjscore.notation.hand_builder import Written, thing_of
from mjscore.notation.parsers import Progress, read_whole
from mjscore.notation.reading import at_its_place
from mjscore.refusal import Place, Refused, refuse

LONGEST_TEXT = 10_000  # characters; longer texts are refused, whoever passes them
LONGEST_WORD = 90  # characters; longer words are not part of a hand, and are not cached
_MOST_WORDS = 1 << 14  # size of the cache, so that a long file cannot fill the memory
_QUOTED = re.compile('"[^"]*"')
_WORDS = re.compile('(?:"[^"]*"|[^ "])+')  # blanks inside quotation marks do not separate words


class _State:
    """A point in a line reached by Lark: the *rule* that would end there, and the words seen there before."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.rule = progress.rule
        self.after: dict[str, _State] = {}
        self.words: dict[str, tuple[tuple[Written, ...], _State]] = {}


class StrictReader:
    """Parses lines with *parser*, and builds the result by the method of *builder* named like the rule.

    Words that Lark has seen in that position are not lexed again; if anything else follows, or the line is
    incomplete, Lark parses the whole line, and it alone reports errors.
    """

    def __init__(self, parser: Lark, builder: object) -> None:
        self.parser = parser
        self.builder = builder
        self.words = [one.pattern.value for one in parser.terminals if one.pattern.value.isalpha()]
        self._starts: dict[str, _State] = {}
        self._states: dict[tuple[Any, ...], _State] = {}
        self._count = 0

    def read(self, text: str, start: str) -> Any:
        """Parse *text* by the rule *start* and build its result. Raises Refused with the place, and UnexpectedInput."""
        if len(text) > LONGEST_TEXT:
            raise refuse("long-line", "hand", at=Place(text, 0, 1), count=len(text), most=LONGEST_TEXT)
        line = text.replace("\r", " ").replace("\n", " ") if "\n" in text or "\r" in text else text
        rule, parts = self.remembered(line, start) or self.by_lark(line, start)
        try:
            return getattr(self.builder, rule)(parts)
        except Refused as refused:
            raise Refused(at_its_place(refused.refusal, line, parts)) from None

    def remembered(self, text: str, start: str) -> tuple[str, list[Written]] | None:
        """Return the rule and the parts of a line; None if Lark must parse it whole."""
        if start not in self._starts:
            self._starts[start] = _State(Progress(self.parser, start))
        if '"' in text and text.count('"') % 2:
            return None
        state = self._starts[start]
        parts: list[Written] = []
        for word in _WORDS.findall(text) if '"' in text else text.split(" "):
            if not word:
                continue
            known = state.words.get(word) or self._met(state, word)
            if known is None:
                return None
            parts += known[0]
            state = known[1]
        return (state.rule, parts) if state.rule is not None else None

    def _met(self, state: _State, word: str) -> tuple[tuple[Written, ...], _State] | None:
        """Return the parts of a word and the state after it; None if it is not a sequence of whole tokens."""
        if word[0] == '"':  # names and labels differ from line to line, but are parsed alike
            known = state.words.get(shape := _QUOTED.sub('""', word)) or self._lexed(state, shape)
            if known is None or len(known[0]) > 1:
                return known and self._lexed(state, word)
            kind = known[0][0].type
            return (Written(kind, word, thing_of(kind, word)),), known[1]
        return self._lexed(state, word)

    def _lexed(self, state: _State, word: str) -> tuple[tuple[Written, ...], _State] | None:
        parts: list[Written] = []
        begin, position = state, 0
        try:
            while position < len(word) <= LONGEST_WORD:
                token = state.progress.lexed(word[position:])
                if token.start_pos:
                    return None
                state = self._after(state, token.type)
                parts.append(Written(token.type, str(token), thing_of(token.type, token)))
                position += len(token)
        except (UnexpectedInput, EOFError):
            return None
        if not parts:
            return None
        if self._count >= _MOST_WORDS:
            self._forget()
        self._count += 1
        begin.words[word] = tuple(parts), state
        return begin.words[word]

    def _after(self, state: _State, kind: str) -> _State:
        if kind not in state.after:
            progress = state.progress.after(kind)
            state.after[kind] = self._states.setdefault(progress.key, _State(progress))
        return state.after[kind]

    @property
    def states(self) -> Iterable[_State]:
        """All points reached in any line so far."""
        return *self._starts.values(), *self._states.values()

    def _forget(self) -> None:
        self._count = 0
        for state in self.states:
            state.words.clear()

    def by_lark(self, text: str, start: str) -> tuple[str, list[Written]]:
        rule, tokens = read_whole(self.parser, text, start)
        return rule, [Written(token.type, str(token), thing_of(token.type, token)) for token in tokens]
