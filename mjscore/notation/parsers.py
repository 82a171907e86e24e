"""The Lark parsers, each made once in a process."""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import re
from functools import cached_property, lru_cache
from typing import Any, cast

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput
from lark.lexer import LexerThread
from lark.parsers.lalr_interactive_parser import InteractiveParser


def packaged(*path: str) -> bytes:
    """Return a file of the package: from inside it if installed (even in a zip), or from beside it in a checkout."""
    package = os.path.dirname(os.path.dirname(__file__))
    for folder in (package, os.path.join(package, ".."), os.path.join(package, "..", "samples")):
        with contextlib.suppress(OSError), open(os.path.join(folder, *path), "rb") as stream:
            return stream.read()
    from importlib import resources

    return resources.files("mjscore").joinpath(*path).read_bytes()


def grammar_text(name: str) -> str:
    """Return the text of a grammar, or of the README about them."""
    return packaged("grammar", name).decode("utf-8")


def _imported(base: object, path: str) -> tuple[str, str]:
    """Return the path and the text of an imported grammar; Lark calls this."""
    return path, grammar_text(os.path.basename(path))


def _grammars(name: str) -> list[bytes]:
    """Return the texts of a grammar and of those it imports."""
    text = grammar_text(name)
    imported = dict.fromkeys(re.findall(r"^%import \.(\w+)", text, re.MULTILINE))
    return [text.encode(), *(part for grammar in imported for part in _grammars(f"{grammar}.lark"))]


@lru_cache(maxsize=16)
def open_grammar(
    name: str, start: tuple[str, ...], transformer: type[Transformer[Any, Any]] | None = None
) -> Lark:
    """Return the parser of the grammar file *name*, which applies a *transformer* while parsing."""
    from mjscore.notation.cache import cached_on_disk

    def make() -> Lark:
        return Lark(
            grammar_text(name),
            parser="lalr",
            start=list(start),
            maybe_placeholders=False,
            import_paths=[_imported],
            **at_hand,
        )

    def save(parser: Lark) -> bytes:
        stream = io.BytesIO()
        parser.save(stream, exclude_options=at_hand)
        return stream.getvalue()

    def load(data: bytes) -> Lark:
        # a private name of Lark's: if it is gone, the cache fails and the parser is made again
        parser: Lark = Lark._load_from_dict(**pickle.loads(data), **at_hand)  # type: ignore[no-untyped-call]
        return parser

    # not cached: the tables do not depend on it
    at_hand = {"transformer": transformer and transformer()}
    parser = cached_on_disk(f"{name}-{'-'.join(start)}", lambda: _grammars(name), make, save, load)
    _name_plainly(parser)
    return parser


def _name_plainly(parser: Lark) -> None:
    """Make *parser* look up rules by plain strings, because Lark's own keys are tokens, which compare slowly."""
    try:
        table = parser.parser.parser._parse_table
    except AttributeError:
        return  # a private name of Lark's, and only an optimization
    for state, actions in table.states.items():
        table.states[state] = {str(name): action for name, action in actions.items()}
    for rule in parser.rules:
        rule.origin.name = str(rule.origin.name)


END = Token("$END", "")


def reader_of_tokens(parser: Lark, start: str) -> Any:
    """Return Lark's interactive parser for the rule *start*, without a lexer: the caller feeds it tokens."""
    no_lexer: Any = LexerThread  # not copied at each token: Lark uses it only to make tokens
    return InteractiveParser(None, parser.parse_interactive("", start=start).parser_state, no_lexer)


def fed(reader: Any, token: Any) -> Any:
    """Feed *token* (anything with a ``type``) to a copy of Lark's parser and return that; after ``END``, the line's value.

    Raises UnexpectedInput.
    """
    after = reader.copy(deepcopy_values=False)
    told = after.feed_token(token)
    return told if token is END else after


class Progress:
    """Lark's state inside a line that is read by the rule *start*: what may follow, and which rule ends here."""

    def __init__(self, parser: Lark, start: str) -> None:
        self._lark = parser
        self._reader: Any = reader_of_tokens(parser, start)

    @cached_property
    def key(self) -> tuple[object, ...]:
        """A value equal for states that continue alike: where each token leads, and which rule ends here."""
        kinds = sorted(self._reader.accepts() - {"$END"})
        stacks = ((kind, *self.after(kind)._reader.parser_state.state_stack) for kind in kinds)
        return self.rule, *stacks

    def lexed(self, text: str) -> Token:
        """Return the first token of *text*. Raises UnexpectedInput, and EOFError if there is none."""
        state = LexerThread.from_text(self._lark.parser.lexer, text).state
        lexer = self._lark.parser.lexer.lexers[self._reader.parser_state.position]
        return cast(Token, lexer.next_token(state))

    def after(self, kind: str) -> Progress:
        """Return the state after a token of this kind. Raises UnexpectedInput."""
        after = object.__new__(Progress)
        after._lark, after._reader = self._lark, fed(self._reader, Token(kind, ""))
        return after

    @cached_property
    def rule(self) -> str | None:
        """The name of the rule if the line ends here; None if it cannot."""
        try:
            return str(fed(self._reader, END).data)
        except UnexpectedInput:
            return None


def read_whole(parser: Lark, text: str, start: str) -> tuple[str, list[Token]]:
    """Return the name of the rule that *text* matches, from the alternatives of *start*, and its tokens.

    Raises UnexpectedInput.
    """
    reader: Any = parser.parse_interactive(text, start=start)
    tokens = reader.exhaust_lexer()
    return str(reader.feed_eof(tokens[-1] if tokens else None).data), tokens
