"""What a typed line asks for: a command with its argument, rows, an event, a change of seats."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise

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
_LONGEST_CORRECTION = 4  # words
_NEAR = 2  # the word asked about begins among so many words after "what is"
_SIGN = re.compile(r"[^\w\s.'’-]|\b[0-9]+\b|->")  # that an unquoted name does not have
_HEADED = re.compile(r"\W*hand \w+:", re.IGNORECASE)
_OF_A_HAND = re.compile(r"(?:\W*|.*\bin )hand \w", re.IGNORECASE)  # not: the limit hand 500
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


def edit_with_line(line: str, seats: Mapping[str, str], marks: Collection[str]) -> tuple[str, str]:
    """Return the mark, one of *marks*, that a line opens for correction, and the line to be typed there: "edit 3: dee 12".

    Return empty texts for other lines.
    """
    head, _, rest = line.partition(":")
    words = line.split()
    parts = ((" ".join(words[:end]), " ".join(words[end:])) for end in range(2, len(words)))
    for said, left in ((head, rest), *parts):
        action = action_of(said, seats, False)
        if action.kind == "edit" and action.text in marks and left.strip():
            return action.text, left.strip()
    return "", ""


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
        talk = next((end for end in ends if _says_nothing(" ".join(words[:end]), "talk")), len(words))
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
    silent = names if command.shows is not None and command.takes is None else ()
    said = [word for word in words if not (_says_nothing(word) or plain(word) in silent)]
    return " ".join(_as_number(word) for word in said)


def _as_number(word: str) -> str:
    """Return the figure of an ordinal, as 2 for "second"; any other word unchanged."""
    return next((one.value for one in vocabulary().of(word) if one.kind == "ordinal"), word)


def _says_nothing(said: str, *kinds: str) -> bool:
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


def corrected(line: str, evening: EveningFile, has_tiles: bool) -> str:
    """Return the mark of the earlier hand that a line seems to correct; empty if it seems to be about the next hand.

    The mark is the hand's number. A line of scores may name it, as in "hand 3: ann 12"; one that *has_tiles* only at its
    head, as in "hand 3 is wrong", not: "hand three greens". A correction without a number is about the last hand. A hand
    later than the next has a mark too, though there is none.
    """
    words = plain(line).split()
    mark = named_hand(line, evening, has_tiles)
    if mark or not evening.entries or evening.hand.is_open:
        return mark
    last = evening.entries[-1]
    denied = says(line.partition(",")[0], "no")  # no, dee had 12
    return last.mark if last.kind == "hand" and (denied or _corrects(words, has_tiles)) else ""


def named_hand(line: str, evening: EveningFile, has_tiles: bool) -> str:
    """Return the mark of a hand named in a line that was played, or is later than the next; empty if none is."""
    words = plain(line).split()
    is_head = words[:1] == ["hand"] and (_HEADED.match(line) or all(map(_says_nothing, words[2:3])))
    marks = [entry.mark for entry in evening.entries if entry.kind == "hand"]
    within = words if not has_tiles else words[: 2 if is_head else 4]
    named = list(_hands_named(within, marks, bool(is_head) or not has_tiles))  # but: in hand three greens
    known = next((mark for mark in named if mark in marks), "")
    later = (one for one in named if one.isdecimal() and int(one[:4]) > len(marks) + 1)
    return known or (next(later, "") if _OF_A_HAND.match(line) else "")


def _hands_named(words: Sequence[str], marks: Sequence[str], numbered: bool) -> Iterator[str]:
    """Yield what may be the mark of a hand: of "the third hand", "the last hand" and, if *numbered*, "hand 3"."""
    for word, ahead in pairwise(words):
        meanings = vocabulary().of(ahead if word == "hand" else word)
        if word == "hand" and numbered:
            yield from (ahead, *(one.value for one in meanings if one.kind == "number"))
        elif ahead == "hand" and _as_number(word) == word and any(one.kind == "final" for one in meanings):
            yield from marks[-1:]
        elif ahead == "hand":
            yield _as_number(word)


def tells_two_hands(line: str, names: Iterable[str]) -> bool:
    """Return whether players are named before the word "hand" in a line, and others of *names* after it."""
    words = plain(line).split()
    known = [set(plain(name).split()) for name in names]
    at = words.index("hand") if "hand" in words else len(words)
    before, behind = (
        [name for name in known if not name.isdisjoint(part)] for part in (words[:at], words[at:])
    )
    return bool(before) and any(name not in before for name in behind)


def behind_hand(line: str) -> str:
    """Return what follows "hand 1 is wrong," or the like, if only a hand is named before its first comma or colon; else empty."""
    head, _, rest = line.replace(":", ",").partition(",")
    words = plain(head).split()
    told = [word for word in words if _is_number(word) or word.capitalize() in WIND_NAMES.values()]
    return line[-len(rest) :] if rest and len(told) < 2 and "hand" in words else ""


def _corrects(words: Sequence[str], has_tiles: bool) -> bool:
    """Return whether a word of correction begins a line or, without tiles, is before its first number or at its end."""
    number = next((at for at, word in enumerate(words) if _is_number(word)), len(words))
    sizes = range(1, _LONGEST_CORRECTION + 1)
    phrases = [words[at : at + size] for at in range(1 if has_tiles else number) for size in sizes]
    phrases += [words[-size:] for size in sizes if not has_tiles]
    return any(says(" ".join(phrase), "correction") for phrase in phrases)


def _is_number(word: str) -> bool:
    return word.isdecimal() or any(one.kind in ("number", "count") for one in vocabulary().of(word))


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
