"""Read a typed line that changes who sits at the table: ``eve for ann``, ``ann leaves``, ``eve joins``, ``rest``."""

from __future__ import annotations

import re

from mjscore.notation.names import People, nobody_called
from mjscore.play.evening import Evening
from mjscore.record.lines import EventLine
from mjscore.refusal import refuse

_NAME = r'"?(?P<{}>[^"\s]++(?:\s++[^"\s]++)*?)"?'
_COMES = _NAME.format("comes")
_LEAVES = _NAME.format("leaves")
_LINES = (
    re.compile(rf"seat\s++-\s++for\s++{_LEAVES}", re.IGNORECASE),
    re.compile(rf"(?:seat\s++)?{_COMES}\s++for\s++{_LEAVES}", re.IGNORECASE),
    re.compile(rf"seat\s++{_COMES}", re.IGNORECASE),
    re.compile(rf"{_LEAVES}\s++leaves", re.IGNORECASE),
    re.compile(rf"{_COMES}\s++joins", re.IGNORECASE),
)
_REST = re.compile(rf"(?:rest|r)(?:\s++{_LEAVES})?", re.IGNORECASE)


def seat_change(line: str, evening: Evening) -> EventLine | None:
    """Give the change of seats that a line asks for; None where it asks for none.

    ``rest`` has the next player to the right of whoever sat down last rest, and ``rest ann`` has Ann: who has been away
    longest comes in their place. Raises Refused.
    """
    text = line.partition("#")[0].strip()
    rest = _REST.fullmatch(text)
    if rest and text not in evening.position.players:
        return _resting(rest["leaves"], evening)
    found = next(filter(None, (pattern.fullmatch(text) for pattern in _LINES)), None)
    if found is None:
        return None
    named = found.groupdict()
    comes, leaves = named.get("comes"), named.get("leaves")
    return EventLine(
        "seat", (_newcomer(comes, evening) if comes else "", _sitting(leaves, evening) if leaves else "")
    )


def _sitting(word: str, evening: Evening) -> str:
    """Give the player at the table whom a word names. Raises Refused."""
    named = People(evening.seats).seat(word)
    players = evening.position.players
    name = evening.seats.get(named, named) if named is not None else None
    if name not in players:
        raise nobody_called(word, players)
    return name


def _newcomer(word: str, evening: Evening) -> str:
    """Give the name of who comes: as it was written when they sat here before, else with a capital."""
    known = {name.casefold(): name for name in evening.points}
    return known.get(word.casefold(), word[:1].upper() + word[1:] if word.islower() else word)


def _resting(word: str | None, evening: Evening) -> EventLine:
    players = evening.position.players
    away = [name for name, _ in evening.position.left]
    if not away:
        raise refuse(
            "nobody-rests",
            "it is not known who would come",
            "say it the first time: eve for ann; then rest is enough",
        )
    if word:
        return EventLine("seat", (away[0], _sitting(word, evening)))
    changes = [entry for entry in evening.entries if entry.kind == "seat"]
    came = changes[-1].settlement.remarks[0].partition(" for ")[0] if changes else players[-1]
    place = players.index(came) if came in players else -1
    return EventLine("seat", (away[0], players[(place + 1) % len(players)]))
