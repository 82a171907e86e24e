"""A refused line as it would be typed, for the help of its refusal."""

from __future__ import annotations

import re

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


def remedied(refusal: Refusal, text: str, start: str) -> Refusal:
    """*refusal* with the whole of *text* as it would be read for its help, where there is one reading."""
    around = _AROUND[start].fullmatch(text) if start in _AROUND and len(text) <= 300 else None
    if around is None or not around["hand"].strip():
        return refusal
    try:
        reading = read_hand(around["hand"])
    except Refused as refused:
        if refused.refusal.code == "four-without-brackets" and start == "hand":
            return refused.refusal
        return refusal
    if not reading.loosely or refusal.code in _COUNTED:
        return refusal
    line = " ".join(
        part.strip() for part in (around["before"], reading.text, around["after"]) if part.strip()
    )
    return refusal._replace(hint=f"type {line}")
