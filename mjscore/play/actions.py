"""What a typed line asks for: a command with its argument, rows, an event, a change of seats."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence, Set

from mjscore.game.hand import quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.names import one_letter_apart
from mjscore.notation.vocabulary import MOST_WORDS, plain, vocabulary
from mjscore.play.changes import Action
from mjscore.play.commands import ANSWERS, COMMANDS, Command
from mjscore.play.evening import EveningFile, record_of
from mjscore.play.line_speech import AtTable, may_be_called
from mjscore.play.offers import says
from mjscore.record.events import EVENTS
from mjscore.record.lines import EventLine, line_reader
from mjscore.refusal import Refused, escape_controls, refuse

# answers to a question; and settle, which people type although the last line settles the hand
_ANSWERS = {"settle": "settle", **{word[:end]: word for word in ANSWERS for end in (1, None)}}
_NEAR = 2  # the word asked about begins among so many words after "what is"
_SIGN = re.compile(r"[^\w\s.'’-]|\b[0-9]+\b|->")  # that an unquoted name does not have
_LETTERS = {"?": "help", "h": "help", "q": "quit"}


def action_of(line: str, seats: Mapping[str, str], editing: bool) -> Action:
    """Return the action that a line asks for, rows and events unparsed. If *editing*, a letter may answer."""
    text = line.strip()
    word, _, rest = text.partition(" ")
    if word not in seats.values():
        names = set(map(plain, seats.values()))
        action = _asked(text, names) or _commanded(
            f"{_LETTERS.get(word.casefold(), word)} {rest}".strip(), names
        )
        if action is not None:
            return action
        word = word.casefold()
    if (editing or len(word) > 1) and word in _ANSWERS and not rest:
        return Action(_ANSWERS[word])
    return Action("event" if word in EVENTS else "rows", text)


def _asked(text: str, names: Set[str]) -> Action | None:
    """Return the action "help" for a question such as "what is a kong worth".

    Return None for other texts, and for a question that mentions one of *names*.
    """
    words = text.split()
    for end in range(min(len(words) - 1, MOST_WORDS), 0, -1):
        rest = " ".join(words[end:])
        if says(" ".join(words[:end]), "question") and names.isdisjoint(plain(rest).split()):
            from mjscore.page.glossary import word_in  # the glossary is loaded only for a question

            about = " ".join(words[end : end + _NEAR])  # "what's that in counters" is not about counters
            return Action("help", rest) if word_in(about) is not None else None
    return None


def _commanded(text: str, names: Set[str]) -> Action | None:
    """Return the action for the command with which a line begins; None if there is no command.

    Any word or phrase for the command counts, also after talk. Players' *names* may follow a command that shows
    something.
    """
    words = text.split(" ")
    for _ in range(MOST_WORDS):  # skip talk, but not endlessly
        for end in range(min(len(words), MOST_WORDS), 0, -1):
            head = " ".join(words[:end])
            meant = next((one.value for one in vocabulary().of(head) if one.kind == "command"), None)
            if meant is None or head[0] == '"' or head[-1] in ":=" or not plain(words[end - 1]):
                continue
            command, _, last = meant.partition(" ")
            row, own = COMMANDS[command], head.casefold() == command
            rest = _argument(row, words[end:], names)
            if rest and (last or not _may_take(row, rest, own)):
                continue
            return Action(command, rest or last)
        ends = range(1, min(len(words), MOST_WORDS + 1))
        talk = next((end for end in ends if says_nothing(" ".join(words[:end]), "talk")), len(words))
        words = words[talk:]
    return None


def _may_take(command: Command, rest: str, is_own: bool) -> bool:
    """Return whether *rest* may be the argument of a command; after its own name, anything but another command is."""
    if command.takes is None or command.takes.fits(rest):
        return command.takes is not None
    return is_own and all(one.kind != "command" for one in vocabulary().of(rest.partition(",")[0]))


def _argument(command: Command, words: Sequence[str], names: Set[str]) -> str:
    """Return the *words* after a command as its argument, without those that have no meaning there."""
    if command.takes is not None and command.takes.verbatim:
        return " ".join(words).strip()
    denied = (at for at, word in enumerate(words) if at and says(word, "exception"))  # hand 3, not 13
    end = next(denied, None)
    silent = names if command.shows is not None and command.takes is None else ()
    said = [word for word in words[:end] if not (says_nothing(word) or plain(word) in silent)]
    return " ".join(as_number(word) for word in said).rstrip(" ,")


def as_number(word: str) -> str:
    """Return the figure of an ordinal, as 2 for "second"; any other word unchanged."""
    return next((one.value for one in vocabulary().of(word) if one.kind == "ordinal"), word)


def says_nothing(said: str, *kinds: str) -> bool:
    return not plain(said) or any(one.kind in (kinds or ("empty", "talk")) for one in vocabulary().of(said))


def command_begun(text: str, table: AtTable) -> str:
    """Return the command that a line asks for, or of which it may be the beginning; empty if there is none."""
    kind, (word, space, _) = action_of(text, table.seats, False).kind, text.casefold().partition(" ")
    known = (*COMMANDS, *ANSWERS)
    if kind not in ("rows", "event"):
        return kind
    if word in known:
        return word
    if space:
        begun = [one for meanings in vocabulary().begun(text).values() for one in meanings]
        is_command = begun and all(one.kind == "command" for one in begun)
        return begun[-1].value.split()[0] if is_command else ""
    with contextlib.suppress(Refused):
        if len(word) > 1 and table.people.named(word) is None:
            return word if any(name.startswith(word) for name in known) else ""
    return ""


def who_rests(evening: EveningFile) -> tuple[str, str] | None:
    """Return the absent player who may sit down next, and the player who leaves for them; None if nobody is away.

    Whoever has been away longest comes, for the player on the right of the one who sat down last.
    """
    left, players = evening.position.left, evening.position.players
    if not left:
        return None
    records = (record_of(entry.lines[0]) for entry in reversed(evening.entries))
    came = (event.names[0] for event in records if isinstance(event, EventLine) and event.word == "seat")
    last = next(came, players[-1])
    place = players.index(last) if last in players else -1
    return left[0][0], players[(place + 1) % len(players)]


def _is_name(comes: str) -> bool:
    """Return whether unquoted words are somebody's name, rather than words of the game or of the notation."""
    if comes.istitle() and comes.isalpha():
        return comes not in WIND_NAMES.values() and comes.casefold() not in line_reader().words
    return may_be_called(comes) and not _SIGN.search(comes)


def newcomer(line: str, action: Action, evening: EveningFile) -> Refused | None:
    """Return the question whether a line really names a newcomer, or None if that is clear.

    It is asked if no word says that somebody sits down, or if the unquoted name may be no name, or is one letter away
    from a known player's name.
    """
    record, friends = action.records[0] if action.records else None, evening.position.points
    if not isinstance(record, EventLine) or record.word != "seat":
        return None
    comes, leaves = record.names
    if not comes or comes in friends:
        return None
    near = next((name for name in friends if one_letter_apart(comes, name)), None)
    if near is not None and f'"{comes}"' not in line:
        quoted = str(record).replace(quote_name(comes), f'"{comes}"', 1)
        new, known, shown = map(escape_controls, (comes, near, quoted))
        question = refuse("near-name", comes=new, near=known, line=shown)
        lines: tuple[str, ...] = (str(record._replace(names=(near, leaves))), quoted)
    elif line.strip().casefold().startswith("seat ") and (f'"{comes}"' in line or _is_name(comes)):
        return None
    else:
        quoted = str(record) if _is_name(comes) else str(record).replace(quote_name(comes), f'"{comes}"', 1)
        new, old, shown = map(escape_controls, (comes, leaves, quoted))
        question = refuse("newcomer", "for" if leaves else "joins", comes=new, leaves=old, line=shown)
        lines = (quoted,)
    return Refused(question.refusal._replace(lines=lines))
