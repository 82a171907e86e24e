"""What a typed line asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mjscore.record.events import EVENTS
from mjscore.record.lines import EventLine, SeatRow

_ALONE = ("undo", "redo", "standings", "drop", "help", "counters", "settle", "quit")
_ALIASES = {"exit": "quit", "q": "quit", "bye": "quit", "?": "help", "h": "help"}
_ANSWERS = {"yes": "yes", "y": "yes", "no": "no", "n": "no", "keep": "keep", "k": "keep"}
# what adds to an evening holds its sense though somebody else has just added to it, too
ADDING = frozenset({"rows", "event", "note", "label"})
ASKING = frozenset({"standings", "counters", "show", "help", "pool-shown"})


class Action(NamedTuple):
    """What is to be done: its *kind*, and the words that say to what or with what.

    *records* are what was typed of hands, scores and events, for the kinds ``rows`` and ``event``; winds in them are
    those that whoever typed them saw. *comment* is what stood behind them, from its ``#`` on.
    """

    kind: str
    text: str = ""
    records: tuple[SeatRow | EventLine, ...] = ()
    comment: str = ""


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
