"""Read a hand in the strict notation; what it refuses is explained, with the whole line as it would be read."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput

from mjscore.game.hand import Hand
from mjscore.notation.building import hand_of
from mjscore.notation.known_words import known_words
from mjscore.notation.parsers import open_grammar
from mjscore.refusal import Refused


class Hands(Transformer):  # type: ignore[type-arg]
    """What the rules of ``hand.lark`` stand for. Lark calls a method for each rule while it parses."""

    def hand(self, children: list[Any]) -> Hand:
        return hand_of(*children)

    def held(self, children: list[Any]) -> list[Token]:
        """Give the tokens so far, in one list that grows."""
        tokens: list[Token] = children[0]
        if type(tokens) is not list:
            return children
        tokens.append(children[1])
        return tokens

    flags = seat_held = held


@lru_cache(maxsize=1)
def hand_parser() -> Lark:
    """Give the parser of one hand."""
    return open_grammar("hand.lark", ("hand",), Hands())


def parse(text: str) -> Hand:
    """Read the hand written *text* in the notation.

    Raises Refused (a ValueError) whose ``refusal`` says place, reason and what to type instead: the whole line,
    where it can be read as people type. Raises TypeError where *text* is no text.

    >>> parse("S@E: (222d) [1111c] 123b 456b 7c +7c!loose").win.tile.title
    '7 characters'
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be str, not {type(text).__name__}")
    try:
        return parse_strictly(text)
    except UnexpectedInput as unexpected:
        # loaded only where there is something to put right
        from mjscore.notation.explaining import explain

        raise Refused(explain(text, unexpected.pos_in_stream)) from None
    except Refused as refused:
        if refused.refusal.code != "too-many-tiles":
            raise
        from mjscore.notation.explaining import recount

        raise Refused(recount(text, refused.refusal)) from None


def parse_strictly(text: str) -> Hand:
    """Read the same, without a word on what is no hand of the grammar: raises Lark's UnexpectedInput for that."""
    hand: Hand = parsed(hand_parser(), text, "hand")
    return hand


def parsed(parser: Lark, text: str, start: str) -> Any:
    """Read by *parser* what *text* is from the rule *start*. Raises Refused with the place, and UnexpectedInput."""
    if "\n" in text or "\r" in text:
        text = text.replace("\r", " ").replace("\n", " ")
    known = known_words(parser, start)
    try:
        record = known.read(text) if known is not None else None
        if record is None:
            record = parser.parse(text, start=start)
            if known is not None:
                known.learn(text)
        return record
    except Refused as refused:
        from mjscore.notation.places import located

        raise Refused(located(refused.refusal, text)) from None
