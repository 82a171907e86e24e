"""What a typed line asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mjscore.play.names import with_names
from mjscore.record.events import EVENTS

_ALONE = ("undo", "redo", "standings", "drop", "help", "counters", "settle", "quit")
_ALIASES = {"exit": "quit", "q": "quit", "bye": "quit", "?": "help", "h": "help"}
_ANSWERS = {"yes": "yes", "y": "yes", "no": "no", "n": "no", "keep": "keep", "k": "keep"}
# what adds to an evening holds its sense though somebody else has just added to it, too
ADDING = frozenset({"rows", "event", "note", "label"})
ASKING = frozenset({"standings", "counters", "show", "help", "pool-shown"})


class Action(NamedTuple):
    """What is to be done: its *kind*, and the words that say to what or with what: players' rows one below the other."""

    kind: str
    text: str = ""


def action_of(line: str, seats: Mapping[str, str], editing: bool) -> Action:
    """The action that a line asks for; winds are the players whom its writer saw at them.

    While an entry is edited its line speaks of the winds of that entry, and is left as it is.
    """
    word, _, rest = line.strip().partition(" ")
    rest = rest.strip()
    if word not in seats.values():
        word = word.casefold()
    word = _ALIASES.get(word, word)
    if word in _ALONE and not rest:
        return Action(word)
    if word == "help":
        return Action("help", rest)
    if (editing or len(word) > 1) and word in _ANSWERS and not rest:
        return Action(_ANSWERS[word])
    if word in ("show", "edit"):
        return Action(word, rest)
    if word == "pool":
        return Action("pool", rest) if rest else Action("pool-shown")
    if word == "note":
        return Action("note", rest)
    if editing:
        return Action("rows", line.strip())
    if word == "label":
        return Action("label", rest)
    named = with_names(line.strip(), seats)
    return Action("event" if word.partition(":")[0] in EVENTS and ":" not in word else "rows", named)
