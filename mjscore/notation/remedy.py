"""What to type instead of a line that the strict notation refuses: the whole line, as it would be read."""

from __future__ import annotations

from typing import Any

from lark import Lark

from mjscore.game.hand import Hand
from mjscore.notation import hands
from mjscore.refusal import Refused


def parse(text: str) -> Hand:
    """The hand written *text* in the notation.

    Raises Refused (a ValueError) whose ``refusal`` says place, reason and what to type instead: the whole line,
    where it can be read as people type. Raises TypeError where *text* is no text.

    >>> parse("S@E: (222d) [1111c] 123b 456b 7c +7c!loose").win.tile.title
    '7 characters'
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be str, not {type(text).__name__}")
    hand: Hand = parsed(hands.hand_parser(), text, "hand")
    return hand


def parsed(parser: Lark, text: str, start: str) -> Any:
    """What *parser* makes of *text* from the rule *start*. Raises Refused with the place and the remedy."""
    try:
        return hands.parsed(parser, text, start)
    except Refused as refused:
        # loaded only where there is something to put right
        from mjscore.notation.retyped import remedied

        raise Refused(remedied(refused.refusal, text, start)) from None
