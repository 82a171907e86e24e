"""What may be typed in place of a refused line: it spelt otherwise, or what it seems to say of scores, of what happened between
hands, or to ask for. Nothing of it is done before somebody has said yes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.names import People, one_letter_apart
from mjscore.notation.vocabulary import gist_words, vocabulary
from mjscore.play.gist import SOMEBODY, Sharing, guesses
from mjscore.play.heard import cues_of, respelt, words_of
from mjscore.play.line_speech import AtTable, LineLattice
from mjscore.record.events import unfinished
from mjscore.record.lines import EventLine
from mjscore.record.usages import USAGES
from mjscore.refusal import Place, Refusal, Refused, escape_controls, refuse

_WORD = re.compile(r'"[^"]*"|(?<![^\W_])[^\W\d_]+(?![^\W_])')
_LETTERS_OF_TILES = frozenset("eswnrgd")  # that are tiles one by one
_MOST_UNKNOWN = 2  # with more of them no one word mends a line
_MOST_OFFERED = 2
_DIGITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth")
_OF_HANDS = r"(?:hand|game|deal|entry|one|score|round)s?"
_MARK = re.compile(
    rf"\b(?:hand|game|deal|number|entry|no[.]?|nr[.]?|line|#)\s*#?\s*(?P<number>[0-9]+[a-z]?\b|(?:{'|'.join(_DIGITS)})\b)"
    rf"|\b(?P<ordinal>{'|'.join(_ORDINALS)}|[0-9]+(?=st|nd|rd|th))(?:st|nd|rd|th)?\s+{_OF_HANDS}\b",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"\b[A-Z][a-z]+\b")
_TO = re.compile(r"\b(?:to|for)\s+(?:the\s+)?\Z", re.IGNORECASE)
_ASKED_ABOUT = frozenset(("standings", "who", "show last", "show all", "counters", "pool"))
_OF_A_TILE = ("unknown-character", "missing-class", "win-without-tile")  # as a line is refused that is taken for a hand
_FEW = 5  # who go on to play, and no score


class Remedy(NamedTuple):
    """Lines that may be typed instead, and how they are told: by the *kind* of an unfinished line, where something is asked."""

    lines: list[str]
    kind: str = ""
    words: dict[str, Any] = {}


class Heard:
    """A refused line as far as it is understood."""

    def __init__(self, line: str, table: AtTable) -> None:
        self.table = table
        self.lattice = LineLattice(respelt(line, table), table)
        self.text = self.lattice.text
        self.words = words_of(self.lattice)
        self.says = {kind for word in self.words for kind in word.says}
        self.cues = cues_of(self.lattice)
        self.sharing = Sharing(self.words, self.lattice)
        self.names = dict(table.seats)
        people = (self.who(place) for place in sorted(self.sharing.people))
        self.seats = [seat for seat in dict.fromkeys(people) if seat in table.people.players]
        self.absent = list(dict.fromkeys(word["absent"] for word in self.words if "absent" in word))
        self.numbers = [word["number"] for word in self.words if "number" in word]

    def who(self, place: int) -> str:
        return self.sharing.people[place][0][0]

    @property
    def tells_of_a_hand(self) -> bool:
        """Return whether the line tells of tiles rather than of scores."""
        tiles = sum(1 + (len(str(word["tile"])) > 3) if "tile" in word else "lying" in word for word in self.words)
        scored = {self.who(place) for place in map(self.sharing.own, self.sharing.numbers) if place in self.sharing.people}
        return tiles > 1 and len(scored) < 2

    def remedies(self) -> Iterator[Remedy]:
        """Yield what the line may have meant, the likeliest kind first."""
        steps = (self._edited, self._paid, self._false, self._seated, self._scored, self._drawn, self._commanded)
        yield from filter(None, (step() for step in steps))

    def _edited(self) -> Remedy | None:
        """Return the hand that is to be put right."""
        found = _MARK.search(self.text)
        if found is None or not self.cues["edit"]:
            return None
        said = (found["number"] or found["ordinal"]).casefold()
        numbers = [value for value, _ in self.lattice.in_words(found.start("number"))] if found["number"] else []
        mark = said if said[0].isdigit() else next(iter(numbers), None) or _ORDINALS.index(said) + 1
        return Remedy([f"edit {mark}"])

    def _scored(self) -> Remedy | None:
        found = guesses(self.words, self.lattice)
        pays = bool({"due", "pay"} & self.says) and not {"win", "wins", "drawn"} & self.says
        if pays or not found:
            return None
        unscored = next((one.won for one in found[:1] if one.won and one.won not in dict(one.scores)), None)
        if unscored is not None:
            return Remedy([], "won", {"player": self.names[unscored]})
        lines = [guess.line(self.names) for guess in found]
        told = {"win", "wins", "drawn", "took", "robbed", "threw", "fed", "by"} & self.says
        if found[0].thrower and not told and len(found[0].scores) == 1:  # won from somebody, or paid by them
            lines = [*lines[:1], self._payment(found[0].thrower, found[0].won)]
        return Remedy(lines[:4], "me") if len(lines) > _MOST_OFFERED and "me" in self.says else Remedy(lines[:_MOST_OFFERED])

    def _paid(self) -> Remedy | None:
        """Return the payments that are told."""
        verbs = [place for place, word in enumerate(self.words) if "pay" in word or ("gets" in word and "due" in self.says)]
        if len(self.numbers) != 1 or "win" in self.says or not (verbs or "due" in self.says):
            return None
        payers, payees = self._payers(verbs[0] if verbs else None)
        pairs = [(payer, payee) for payer in payers for payee in payees if payer != payee]
        if not pairs and payers and "due" in self.says:
            return Remedy([self._payment(payers[0], other) for other in self.names if other not in payers], "pay-whom")
        if not pairs or min(len(payers), len(payees)) > 1 or SOMEBODY in (*payers, *payees):
            return None
        lines = [self._payment(*pair) for pair in pairs]
        one, other, amount = self.names[pairs[0][0]], self.names[pairs[0][1]], self.numbers[0]
        words = {"one": one, "other": other, "amount": amount}
        return Remedy(lines, "pay-each", words) if len(lines) > 1 else Remedy(lines)

    def _payment(self, payer: str, payee: str) -> str:
        return str(EventLine("pay", (self.names.get(payer, payer), self.names.get(payee, payee)), number=self.numbers[0]))

    def _payers(self, verb: int | None) -> tuple[list[str], list[str]]:
        """Return who pays, and who is paid: from whom, to whom, and who stands before a word for the one or the other."""
        people = sorted(self.sharing.people)
        takes = verb is not None and "pay" not in self.words[verb]
        payers = [self.who(at) for at in people if at and "from" in self.words[at - 1]]
        payees = [self.who(at) for at in people if _TO.search(self.text, 0, self.words[at].start)]
        rest = [at for at in people if self.who(at) not in (*payers, *payees)]
        before = [at for at in rest if verb is not None and at < verb] or rest
        everybody = [one for one in self.table.people.players if {"all", "others", "each"} & self.says]
        if before:
            subject = self.who(before[0])
            others = [self.who(at) for at in rest if self.who(at) != subject]
            payers, payees = ([*payers, *others], [*payees, subject]) if takes else ([*payers, subject], [*payees, *others])
        first = {"all", "others"} & self.words[0].says.keys()
        if everybody and first and payers and not payees:
            payers, payees = payees, payers  # everybody pays
        payers = list(dict.fromkeys(payers or everybody))
        return payers, list(dict.fromkeys(payees or everybody))

    def _false(self) -> Remedy | None:
        claimed = bool(self.says & {"win", "wins"}) and "untrue" in self.says and not self.numbers
        if not ("false" in self.says or claimed) or len(self.numbers) > 1:
            return None
        if not self.seats and len(self.words) > 1:
            return Remedy([str(EventLine("false", (name,))) for name in self.names.values()], "false")
        if len(self.seats) != 1:
            return None
        return Remedy([str(EventLine("false", (self.names[self.seats[0]],)))])

    def _drawn(self) -> Remedy | None:
        nobody = ("nobody" in self.says or {"all", "zero"} <= self.says) and bool(self.says & {"win", "wins"})
        return Remedy(["draw"]) if ("draw" in self.says or nobody) and not (self.seats or self.numbers) else None

    def _seated(self) -> Remedy | None:
        """Return who sits down, and for whom."""
        if any(number > _FEW for number in self.numbers) or self.says & {"win", "zero", "dead"}:
            return None
        comes = self.absent or self._newcomers()
        moves = self.says & {"comes", "leaves", "someone"}
        if len(comes) == 1 and moves:
            named = [self.names[seat] for seat in self.seats]
            leaving = named or (list(self.names.values()) if moves != {"comes"} else [""])
            lines = [str(EventLine("seat", (comes[0], name))) for name in leaving]
            return Remedy(lines, "seat") if len(lines) > 1 else Remedy(lines)
        leaves = self.cues["quit"] or any("leaves" in word and "wins" not in word for word in self.words)
        if not comes and len(self.seats) == 1 and leaves:
            return Remedy([str(EventLine("seat", ("", self.names[self.seats[0]])))])
        return None

    def _newcomers(self) -> list[str]:
        """Return who may be new here: a word with a capital that nobody knows."""
        known, names = vocabulary().words, {name.casefold() for name in self.names.values()}
        found = [word for word in _CAPITAL.findall(self.text) if word.casefold() not in {*known, *names}]
        return found if self.seats else []

    def _commanded(self) -> Remedy | None:
        """Return the commands for which a line may ask."""
        votes = self.cues.copy()
        asks = votes.pop("asks", 0) or "?" in self.text or len(self.text.split()) < 5
        del votes["edit"]
        for command in [one for one in votes if one in _ASKED_ABOUT and not asks and votes[one] < 2]:
            del votes[command]
        most = max(votes.values(), default=0)
        found = [command for command in votes if votes[command] == most]
        return Remedy(found[:_MOST_OFFERED]) if found and not self.numbers else None


def remedied(refusal: Refusal, line: str, heard: Heard, read: Callable[[str], str]) -> Refusal:
    """Return the refusal of a *line* that offers what it may have meant, as far as *read* makes something of that, which it
    returns in the program's words.
    """
    spelt = _read(_spelt_otherwise(line, heard.table.people), read)[:_MOST_OFFERED]
    remedy, lines = Remedy([]), spelt
    for remedy in heard.remedies() if not spelt else ():
        lines = _read(remedy.lines, read)
        if lines or not remedy.lines:
            break
    words = {"players": ", ".join(map(escape_controls, heard.names.values())), **remedy.words}
    if not lines:
        if remedy.kind == "won":
            return refuse("no-seat-line", "won", at=Place(line, 0, len(line)), **words).refusal
        return refusal
    hint = f"did you mean {' or '.join(map(escape_controls, lines))}?"
    if remedy.kind in USAGES:
        refusal = unfinished(remedy.kind, Place(line, 0, len(line))).refusal
    elif remedy.kind:
        refusal = refuse("unfinished-line", remedy.kind, at=Place(line, 0, len(line)), **words).refusal
    elif refusal.code in _OF_A_TILE and not spelt:
        refusal = refusal._replace(message="not every word of this is understood")
    return refusal._replace(hint=hint, lines=tuple(lines), otherwise=refusal.hint, answers=())


def _read(lines, read: Callable[[str], str]) -> list[str]:
    """Return those of *lines* that are read, one for each thing that they say."""
    found: dict[str, str] = {}
    for line in lines:
        with suppress(Refused):
            found.setdefault(read(line), line.strip())
    return list(found.values())


def _spelt_otherwise(line: str, people: People) -> Iterator[str]:
    """Return the line with one word that is unknown put for a known one; names go before words."""
    unknown = [word for word in _WORD.finditer(line) if word[0][0] != '"' and _is_unknown(word[0], people)]
    for word in unknown if len(unknown) <= _MOST_UNKNOWN else ():
        for known in _near(word[0].casefold(), people):
            is_command = {one.kind for one in vocabulary().of(known)} == {"command"}
            if not (is_command and re.search(r"\d", line)):  # a command has no scores
                yield f"{line[: word.start()]}{known}{line[word.end() :]}"


def _is_unknown(word: str, people: People) -> bool:
    said = word.casefold()
    with suppress(Refused):
        known = said in USAGES or said in vocabulary().words or said in gist_words().words or people.named(word) is not None
        return len(said) > 1 and not known and not _LETTERS_OF_TILES.issuperset(said)
    return False  # the beginning of two names


def _near(word: str, people: People) -> list[str]:
    """Return the names that are a letter away; where none is, the English words, then others; the same letters first."""
    names = [*(part for name in people.players.values() for part in name.split()), *WIND_NAMES.values()]
    kinds: list[list[str]] = [list(map(str.casefold, names)), [], []]
    for known, meanings in vocabulary().meanings.items():
        if len(known) > 2 and " " not in known:
            kinds[1 if meanings[0].language == "en" else 2].append(known)
    near = ([known for known in words if one_letter_apart(word, known)] for words in kinds)
    return sorted(next(filter(None, near), []), key=lambda known: sorted(known) != sorted(word))
