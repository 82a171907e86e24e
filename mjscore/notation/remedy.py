"""What to type instead of a line that the strict notation refuses: the whole line, as it would be read."""

from __future__ import annotations

import re
from typing import Any

from lark import Lark

from mjscore.game.hand import Hand
from mjscore.notation import hands
from mjscore.notation.pieces import FOUR_WITHOUT_BRACKETS
from mjscore.notation.reading import read_hand
from mjscore.refusal import Refusal, Refused

# what only a count of the tiles tells is not put right without the rules
_COUNTED = ("too-many-tiles", "too-few-tiles")
_AROUND = {
    "hand": re.compile(r"(?P<before>)(?P<hand>.*)(?P<after>)", re.DOTALL),
    "line": re.compile(r'(?P<before>(?:\s*"[^"\n]*")?)(?P<hand>[^"#=]*)(?P<after>(?:=\s*\w+\s*)?(?:#.*)?)'),
    "row": re.compile(
        r'(?P<before>\s*(?:"[^"\n]*"|[^\s"#:!=+<>()\[\],]+)\s*:)(?P<hand>[^#=]*)(?P<after>(?:=\s*\w+\s*)?(?:#.*)?)'
    ),
}


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
        raise Refused(remedied(refused.refusal, text, start)) from None


def remedied(refusal: Refusal, text: str, start: str) -> Refusal:
    """*refusal* with the whole of *text* as it would be read for its help, where there is one reading."""
    around = _AROUND[start].fullmatch(text) if start in _AROUND and len(text) <= 300 else None
    if around is None or not around["hand"].strip():
        return refusal
    try:
        reading = read_hand(around["hand"])
    except Refused as refused:
        if refused.refusal.code == FOUR_WITHOUT_BRACKETS and start == "hand":
            return refused.refusal
        return refusal
    if not reading.loosely or refusal.code in _COUNTED:
        return refusal
    line = " ".join(
        part.strip() for part in (around["before"], reading.text, around["after"]) if part.strip()
    )
    return refusal._replace(hint=f"type {line}")
