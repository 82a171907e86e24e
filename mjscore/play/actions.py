"""What can be typed at the table, and what a typed line asks for: a command with its words, rows, an event, a change of seats."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from mjscore.game.hand import Hand, quote_name
from mjscore.notation.names import People, nobody_called, one_letter_apart
from mjscore.notation.vocabulary import MOST_WORDS, plain, vocabulary
from mjscore.play.evening import Evening, record_of, rows_of
from mjscore.record.events import EVENTS
from mjscore.record.lines import EventLine, SeatRow
from mjscore.refusal import Refused, escape_controls, refuse


class Command(NamedTuple):
    """A command by its name: *usage* is how it is typed, *help* what that does; the row above tells both where they are
    empty. *takes* is what may stand behind it: ``words``, the ``mark`` of a hand, a ``player``, a ``set`` of counters. What else people say for it
    stands in the files of words.
    """

    word: str
    usage: str = ""
    help: str = ""
    takes: str = ""


_TABLE = (
    *(Command(event.word, event.usage, event.help) for event in EVENTS.values()),
    Command("undo", "undo, redo", "take back what was done last, whatever it was; bring it back"),
    Command("redo"),
    Command(
        "edit", "edit 3, edit 3a", "put hand 3 right, or what came after it; what follows is worked out again"
        " (there: a line as it is to be, label words, note words; then yes, keep or no)", "mark",
    ),
    Command("show", "show, show 3, show last", "the hand in progress; hand 3; what was played last", "mark"),
    Command("standings", "standings, who", "who has what; who sits where, and which round it is"),
    Command("who"),
    Command(
        "counters", "counters, pool", "who holds which counters (counters babcock: take them up, or change to them;"
        " counters none); the pool at the end (pool Ann: it is hers)", "set",
    ),
    Command("pool", takes="player"),
    Command("note", "note any words", "a remark, kept in the file", "words"),
    Command("label", "label any words", "what the hand under way is called", "words"),
    Command("drop", "drop", "forget the lines of this hand"),
    Command("same", "same again", "the scores of the last hand, or what was played last, once more"),
    Command("help", "help, help edit, quit", "this; of one command; the end", "words"),
    Command("quit"),
)  # fmt: skip
COMMANDS = {command.word: command for command in _TABLE}
# answers to a question; and settle, which people type though the last line settles by itself
_ANSWERS = {"yes": "yes", "y": "yes", "no": "no", "n": "no", "keep": "keep", "k": "keep", "settle": "settle"}
_MARK = re.compile(r"n?[0-9]+[a-z]*")  # of an entry: 3, 3a, n2
_LETTERS = {"?": "help", "h": "help", "q": "quit"}
# what adds to an evening holds its sense though somebody else has just added to it, too
ADDING = frozenset({"rows", "event", "note", "label"})
ASKING = frozenset({"standings", "who", "counters", "show", "help", "pool-shown"})


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
    """Return the action that a line asks for, with the line itself where its records are to be read yet."""
    text = line.strip()
    word, _, rest = text.partition(" ")
    if word not in seats.values():
        names = set(map(plain, seats.values()))
        asked = _commanded(f"{_LETTERS.get(word.casefold(), word)} {rest}".strip(), names)
        if asked is not None:
            return asked
        word = word.casefold()
    if (editing or len(word) > 1) and word in _ANSWERS and not rest:
        return Action(_ANSWERS[word])
    return Action("event" if word in EVENTS else "rows", text)


def _commanded(text: str, names: Collection[str]) -> Action | None:
    """Return the action for the command that a line begins with, in whatever words, and with *names* where it asks for what
    everybody has; None where it is none.
    """
    words = text.split(" ")
    for end in range(min(len(words), MOST_WORDS), 0, -1):
        head = " ".join(words[:end])
        said = next((one.value for one in vocabulary().of(head) if one.kind == "command"), None)
        kind, _, last = (said or "").partition(" ")
        takes = COMMANDS[kind].takes if kind else ""
        if not kind or head[0] == '"' or head[-1] in ":=" or not plain(words[end - 1]):
            continue
        rest = " ".join(
            word
            for word in words[end:]
            if takes in ("words", "player")
            or not (_says_nothing(word) or (kind in ASKING and plain(word) in names))
        ).strip()
        # a word for it may be one of talk as well, its own name is not
        is_other = takes == "mark" and head.casefold() != kind and not _MARK.fullmatch(rest)
        if rest and (not takes or last or is_other):
            continue
        other = {("pool", False): "pool-shown", ("counters", True): "other-counters"}
        return Action(other.get((kind, bool(rest)), kind), rest or last)
    talk = next((end for end in range(1, len(words)) if _says_nothing(" ".join(words[:end]), "talk")), 0)
    return _commanded(" ".join(words[talk:]), names) if talk else None


def _says_nothing(said: str, *kinds: str) -> bool:
    return not plain(said) or any(one.kind in (kinds or ("empty", "talk")) for one in vocabulary().of(said))


def who_rests(evening: Evening) -> tuple[str, str] | None:
    """Return who comes, away longest, and for whom, the next to the right of whoever sat down last; None where nobody is away."""
    left, players = evening.position.left, evening.position.players
    if not left:
        return None
    told = (record_of(entry.lines[0]) for entry in reversed(evening.entries))
    came = (one.names[0] for one in told if isinstance(one, EventLine) and one.word == "seat")
    last = next(came, players[-1])
    place = players.index(last) if last in players else -1
    return left[0][0], players[(place + 1) % len(players)]


def again(evening: Evening) -> str:
    """Return the line for what was played last, once more. Raises Refused where nothing was, or tiles were told."""
    last = next((entry for entry in reversed(evening.played) if entry.kind != "seat"), None)
    if last is None:
        raise refuse("nothing-again", "yet")
    if last.kind != "hand":
        return last.lines[0].partition("#")[0].strip()
    rows = [row for _, row in rows_of(last.lines) if isinstance(row, SeatRow)]
    if any(isinstance(row.given, Hand) for row in rows):
        raise refuse("nothing-again", "tiles")
    return ", ".join(str(row._replace(expected=None)).replace(":", "", 1) for row in rows)


def newcomer(line: str, action: Action, evening: Evening) -> Refused | None:
    """Return the question that a newcomer raises who is to be seated without the word for it, or whose name is a letter away
    from a friend's and does not stand in quotes; None where there is none.
    """
    record, friends = action.records[0] if action.records else None, evening.position.points
    if not isinstance(record, EventLine) or record.word != "seat":
        return None
    comes, leaves = record.names
    if not comes or comes in friends:
        return None
    near = next((name for name in friends if one_letter_apart(comes, name)), None)
    if near is not None and f'"{comes}"' not in line:
        told = str(record).replace(quote_name(comes), f'"{comes}"', 1)
        friend = str(record._replace(names=(near, leaves)))
        new, known, quoted = map(escape_controls, (comes, near, told))
        asked = refuse("near-name", comes=new, near=known, line=quoted)
        return Refused(asked.refusal._replace(lines=(friend, told)))
    if line.strip().casefold().startswith("seat "):
        return None
    new, old, told = map(escape_controls, (comes, leaves, str(record)))
    asked = refuse("newcomer", "for" if leaves else "joins", comes=new, leaves=old, line=told)
    return Refused(asked.refusal._replace(lines=(str(record),)))


def player_called(word: str, evening: Evening, or_away: bool = False) -> str:
    """Return the player at the table whom a word names, or who has left it, where asked. Raises Refused."""
    seats = {**evening.state.seats, **{name: name for name, _ in evening.position.left if or_away}}
    named = People(seats).named(word) or ""
    name = seats.get(named, named)
    if name not in seats.values():
        raise nobody_called(word, seats.values())
    return name
