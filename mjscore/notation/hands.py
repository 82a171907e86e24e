"""Read a hand: in the strict notation, or as people type it, ``w 123b 444c eee / 77d 67c <8c:e``.

The strict reading goes first: nothing that is valid changes its meaning. What it refuses is read piece by piece, every
way that its words can be taken: to explain what is wrong, with the whole line as it would be read, or as what is meant;
what is left with two readings is refused with both.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.building import Reading, Worth, hand_of
from mjscore.notation.known_words import known_words
from mjscore.notation.names import ANYBODY, People
from mjscore.notation.parsers import open_grammar
from mjscore.refusal import Refused

LONGEST_HAND = 300  # characters; what is longer was not typed as one hand


class Hands(Transformer):  # type: ignore[type-arg]
    """What the rules of ``hand.lark`` stand for. Lark calls a method for each rule while it parses."""

    def hand(self, children: list[Any]) -> Hand:
        return hand_of(tokens_of(children))

    def held(self, children: list[Any]) -> list[Token]:
        """Give the tokens so far, in one list that grows."""
        tokens: list[Token] = children[0]
        if type(tokens) is not list:
            return children
        tokens.append(children[1])
        return tokens

    flags = seat_held = held


def tokens_of(children: Iterable[Any]) -> list[Token]:
    """Give the tokens of a rule's children in one list; those held and the flags come as lists."""
    tokens: list[Token] = []
    for child in children:
        tokens += child if type(child) is list else (child,)
    return tokens


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
    except (UnexpectedInput, Refused) as unfit:
        # loaded only where there is something to put right
        from mjscore.notation.choosing import explain

        raise Refused(explain(text, unfit)) from None


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


def read_hand(text: str, people: People = ANYBODY, worth: Worth | None = None) -> Reading:
    """Read the hand that a person means by *text*, and its strict line.

    *worth* says what a hand scores, None where no rule scores it; of several readings, one that is scored is meant.
    Raises Refused: with what is wrong at the furthest place that any reading came to, and with every reading that is
    left where there are two.
    """
    strictly: Hand | Refused | None = None
    is_long = len(text) > LONGEST_HAND
    try:
        strictly = parse(text) if is_long else parse_strictly(text)
    except UnexpectedInput:
        pass
    except Refused as no_hand:
        if is_long:
            raise
        strictly = no_hand
    if isinstance(strictly, Hand):
        win = strictly.win
        named = [strictly.seat] if win is None else [strictly.seat, win.discarder, win.earlier, win.all_from]
        if is_long or {None, *WIND_NAMES, *people.players.values()}.issuperset(named):
            return Reading(text, strictly)
    # what loose reading takes is loaded where it is needed first
    from mjscore.notation.choosing import choose

    return choose(text, people, worth, strictly)
