"""What a typed line asks for: a command with its words, rows, an event; who comes to the table and who leaves it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from mjscore.notation.names import People, nobody_called
from mjscore.play.evening import Evening
from mjscore.record.events import EVENTS
from mjscore.record.lines import EventLine, SeatRow
from mjscore.refusal import refuse

_ALONE = ("undo", "redo", "standings", "drop", "help", "counters", "settle", "quit")
_ALIASES = {"exit": "quit", "q": "quit", "bye": "quit", "?": "help", "h": "help"}
_ANSWERS = {"yes": "yes", "y": "yes", "no": "no", "n": "no", "keep": "keep", "k": "keep"}
# what adds to an evening holds its sense though somebody else has just added to it, too
ADDING = frozenset({"rows", "event", "note", "label"})
ASKING = frozenset({"standings", "counters", "show", "help", "pool-shown"})
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


class Action(NamedTuple):
    """What is to be done: its *kind*, and the words that say to what or with what.

    *records* are what was typed of hands, scores and events, for the kinds ``rows`` and ``event``; winds in them are
    those that whoever typed them saw. *comment* is what stood behind them, from its ``#`` on; *strict* is whether they
    were typed in the notation.
    """

    kind: str
    text: str = ""
    records: tuple[SeatRow | EventLine, ...] = ()
    comment: str = ""
    strict: bool = True


def action_of(line: str, seats: Mapping[str, str], editing: bool) -> Action:
    """Give the action that a line asks for, with the line itself where its records are to be read yet."""
    word, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    if word not in seats.values():
        word = word.casefold()
    word = _ALIASES.get(word, word)
    if word in _ALONE and not rest:
        return Action(word)
    if (editing or len(word) > 1) and word in _ANSWERS and not rest:
        return Action(_ANSWERS[word])
    if word in ("show", "edit", "note", "help", "label"):
        return Action(word, rest)
    if word == "pool":
        return Action("pool", rest) if rest else Action("pool-shown")
    happens = word.partition(":")[0] in EVENTS and ":" not in word
    return Action("event" if happens else "rows", line.strip())


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
    comes, leaves = (found.groupdict().get(name) or "" for name in ("comes", "leaves"))
    # a name as it was written when they sat here before, else with a capital
    known = {name.casefold(): name for name in evening.points}
    comes = known.get(comes.casefold(), comes[:1].upper() + comes[1:] if comes.islower() else comes)
    return EventLine("seat", (comes, _sitting(leaves, evening) if leaves else ""))


def _sitting(word: str, evening: Evening) -> str:
    """Give the player at the table whom a word names. Raises Refused."""
    named = People(evening.seats).named(word)
    players = evening.position.players
    name = evening.seats.get(named, named) if named is not None else None
    if name not in players:
        raise nobody_called(word, players)
    return name


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
