"""The words of a line of which not all is understood: known ones are taken for all that they may say, the rest is passed over.

Names, scores, who won and how, what happened between hands: each is a ``Word`` that knows how strongly it is parted from the one
before it. What a word says in ``words/gist.toml`` it says here alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.names import AGAIN, one_letter_apart
from mjscore.notation.vocabulary import gist_words, vocabulary
from mjscore.play.line_speech import LONGEST_NUMBER, AtTable, LineLattice
from mjscore.refusal import Refused

# what words for hands, scores and events say here
_KINDS = {
    ("win", "win"): "win",
    ("win", "wins"): "wins",
    ("sign", "+"): "drawn",
    ("flag", "loose"): "drawn",
    ("sign", "<"): "took",
    ("deed", "claims"): "took",
    ("deed", "throws"): "threw",
    ("flag", "robbed"): "robbed",
    ("flag", "dead"): "dead",
    ("from", "from"): "from",
    ("fed", "fed"): "fed",
    ("others", "others"): "others",
    ("others_of", "others"): "others",
    ("others_none", "0"): "none else",
    ("nothing", "0"): "zero",
    ("each", "each"): "each",
    ("limit", "limit"): "limit",
    ("everybody", "everybody"): "all",
    ("doubles", "doubles"): "doubles",
    ("loss", "loser"): "loss",
    ("event", "draw"): "draw",
    ("event", "false"): "false",
    ("event", "pay"): "pay",
    ("state", "exposed"): "lying",
    ("state", "concealed"): "lying",
    **dict.fromkeys((("sitting", one) for one in ("for", "takes", "joins", "in", "swap", "seats")), "comes"),
    **dict.fromkeys((("sitting", one) for one in ("leaves", "out")), "leaves"),
}
_TILES = frozenset(("suit", "dragon", "set", "sets", "tile", "bonus", "plural", "own", "special"))
_SILENT = frozenset(("empty", "talk", "has"))
_PART = re.compile(
    r"""(?P<number>[0-9]+(?:_[0-9]{3})*(?:(?<![0-9][0-9][0-9][0-9]),[0-9]{3}(?![0-9,]))?)(?P<behind>[^\W\d_]*)
      | (?P<word>"[^"]+"|[^\W\d_]+)
      | (?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)
_THEIRS = re.compile(r"['’]s?(?![^\W_])")
_FIGURES = re.compile(r"[^\W\dwW_]")  # letters with which a dash is no score
_LEGEND = re.compile(r"(?<![0-9])\*\s*=?\s*[^\W\d_]+")
_IN_BRACKETS = re.compile(r"\([0-9]+\)\Z")
_BRACKETED = re.compile(r"\([^\W\d_]+\)")
_SHORT = re.compile(r"\b(?:pts?|no|nr|pnts)\Z", re.IGNORECASE)
_TAIL = re.compile(r"['’][^\W\d_]+")  # of a word of which only the beginning is known: I'm
_STRENGTH = {**dict.fromkeys(".;!?/|\n>", 3), **dict.fromkeys(",()[]–—", 2), "-": 2, "&": 1}
_AND = frozenset(("and", "n", "und", "et", "en"))
_POINTS = frozenset(("", "s", "p", "pt", "pts", "ps"))
_SPELT = frozenset(("win", "wins", "drawn", "zero", "others", "each", "pay", "draw", "number", "count", "from", "threw", "dead", "command"))
_LETTERS = re.compile(r"[^\W\d_]+")
_TILE = re.compile(r"[1-9]+[bcd]")
_OF_LETTER = re.compile(r"(?<![^\W_])(?:for|to|from|off|by|winner)\s+\Z")
_ALL = re.compile(r"all\b", re.IGNORECASE)
_OTHER = re.compile(r"\b(?:other|the|all)\s+\Z", re.IGNORECASE)
_BEATEN = re.compile(r"\b(?:beat|beats|beating|beaten|ahead|better|up|more|less|down)\b[^,;.0-9]*\bby\s+(?:only\s+|just\s+)?\Z", re.IGNORECASE)
_FIGURE = re.compile(r"\s*[0-9]")
_PLUS = re.compile(r"\s*(?:\+|plus|and)\s*")
_MAKES = re.compile(r"\s*(?:points?|pts)?[\s,]*(?:=|(?:doubled|twice|so|makes|making|equals|comes to|that's|thats|is|once|again|=)(?:\b|\s))[^0-9;.]*")

SCORES = frozenset(("number", "zero", "dead", "limit"))


class Word(NamedTuple):
    """What a word, or a few, may say, each kind with its value; *gap* is how strongly it is parted from the word before it: 1 by
    an "and", 2 by a comma, 3 by a full stop. *unknown* is how many words between them nobody knows.
    """

    says: Mapping[str, Any]
    start: int
    end: int
    gap: int = 0
    unknown: int = 0

    def __contains__(self, kind: object) -> bool:
        return kind in self.says

    def __getitem__(self, kind: Any) -> Any:
        return self.says[kind]

    def saying(self, kind: str, value: Any = None) -> Word:
        """Return it as saying only that."""
        return self._replace(says={kind: value})


_NOTHING = Word({}, 0, 0)


class _Hearing:
    """Takes the words of a line one behind the other."""

    def __init__(self, lattice: LineLattice) -> None:
        self.lattice, self.text, self.table = lattice, lattice.text, lattice.table
        self.names = _names_of(self.table)
        self.seats = {name[:1].casefold() for one in self.table.people.players.items() for name in one}
        self.words: list[Word] = []
        self.gap, self.unknown, self.at = 3, 0, 0

    def take(self) -> list[Word]:
        while self.at < self.lattice.end:
            part = _PART.match(self.text, self.at)
            assert part is not None
            if part["number"] and self.at and self.words and self.words[-1].end == self.at and self.words[-1].says.get("letter", "a") not in self.seats:
                self._add(part.end(), unit=None)  # x4
            elif part["number"]:
                self._number(part)
            elif part["word"]:
                self._word(part)
            else:
                before = self.at
                self._mark(part["mark"])
                self.at = max(self.at, before + 1)
        return self.words

    def _add(self, end: int, **says: Any) -> None:
        self.words.append(Word(says, self.at, end, self.gap, self.unknown))
        self.gap, self.unknown, self.at = 0, 0, end

    def _mark(self, mark: str) -> None:
        legend, tail = _LEGEND.match(self.text, self.at), _TAIL.match(self.text, self.at)
        if mark == "*" and (legend or (self.words and "number" in self.words[-1])):
            says = {} if legend else {"win": "glued"}
            self._add(legend.end() if legend else self.at + 1, **says)
        elif tail:
            self.at = tail.end()
        elif mark == "." and _SHORT.search(self.text, 0, self.at):
            return
        elif mark in "-–—−" and not _FIGURES.search(self.text):
            self._add(self.at + 1, zero="-")
        elif not (mark == "-" and self.text[self.at - 1 : self.at + 2].strip("-").replace(" ", "x").isalnum() and " " not in self.text[self.at - 1 : self.at + 2]):
            bracketed = (mark == ")" and _IN_BRACKETS.search(self.text, 0, self.at + 1)) or (mark == "(" and _BRACKETED.match(self.text, self.at))
            self.gap = max(self.gap, 0 if bracketed else _STRENGTH.get(mark, 0))
        self.at = max(self.at, tail.end() if tail else 0)

    def _number(self, part: re.Match[str]) -> None:
        behind, digits = part["behind"].casefold(), re.sub("[,_]", "", part["number"])
        value, end = int(digits[: LONGEST_NUMBER + 1]), part.end("number")
        kinds = {one.kind for one in vocabulary().of(behind)} if behind else set()
        if behind in _POINTS or behind.startswith("point"):
            self._add(part.end() + (bool(behind) and self.text[part.end() : part.end() + 1] == "."), number=value)
        elif _TILE.fullmatch(part[0].casefold()):
            self._add(part.end(), tile=part[0])
        elif behind == "w" or "win" in kinds:
            self._add(end, number=value)
            self._add(part.end(), win="glued")
        elif behind[0] == "w" and behind[1:] in self.seats:
            self._add(end, number=value)
            self._add(end + 1, win="glued")
            self.words[-1].says["from"] = "from"  # type: ignore[index]
        elif kinds & {"sign"} or behind in self.names:
            self._add(end, number=value)
        else:
            self._add(part.end(), unit=None)

    def _word(self, part: re.Match[str]) -> None:
        said = part["word"].strip('"').casefold()
        for name in (name for name in self.names if " " in name):
            behind = self.at + len(name)
            if self.text[self.at : behind].casefold() == name and not self.text[behind : behind + 1].isalnum():
                return self._named(name, behind)
        if said in self.names or (said[-1] == "s" and said[:-1] in self.names and len(said) > 2):
            return self._named(said if said in self.names else said[:-1], part.end(), said not in self.names)
        says, end = self._meanings()
        alone = not (self.words and "name" in self.words[-1]) or self.gap or self.unknown  # nice one
        numbers = [one for one in self.lattice.in_words(self.at) if (one[0] != 1 or not alone) and one[1] >= end]
        if numbers and numbers[0][0] == 1 and _FIGURE.match(self.text, numbers[0][1]):
            numbers = []  # an article
        if numbers:
            return self._add(numbers[-1][1], number=numbers[-1][0])
        if len(said) == 1 and end <= part.end():
            return self._add(part.end(), **says, letter=said)
        if not says and self.words and {"from", "by"} & self.words[-1].says.keys() and not self.unknown:
            with suppress(Refused):
                named = self.table.seat_of(self.table.people.named(said, discarder=True) or "")
                if named is not None:
                    return self._add(part.end(), name=named)
        if said in _AND:
            self.gap, self.at = max(1, self.gap), part.end()
            return None
        if says:
            return self._add(end, **says)
        if end:
            self.at = end
            return None
        self.unknown += 1
        self.at = part.end()
        return None

    def _named(self, name: str, end: int, theirs: bool = False) -> None:
        possessive = _THEIRS.match(self.text, end)
        seat = self.names[name]
        says = {"name" if seat in self.table.seats else "absent": seat}
        if possessive or theirs:
            says["theirs"] = seat
        self._add(possessive.end() if possessive else end, **says)

    def _meanings(self) -> tuple[dict[str, Any], int]:
        """Return what the longest known phrase here says, and where it ends; 0 where none is known."""
        found: dict[int, dict[str, Any]] = {}
        for end, meanings in (*self.lattice.phrases(self.at), *self.lattice.phrases(self.at, gist_words())):
            for kind, value, _ in meanings:
                said = _KINDS.get((kind, value), value if kind == "gist" else "tile" if kind in _TILES else "")
                if said or kind in _SILENT:
                    found.setdefault(end, {}).update({said: value} if said not in ("", "silent") else {})
                if kind == "wind" or said == "dealer":
                    found.setdefault(end, {})["name"] = value if kind == "wind" else "E"
        end = max(found, default=0)
        if self.text[self.at : end].casefold() in ("himself", "herself") and self.words and "name" in self.words[-1]:
            return {"he": None}, end
        tail = _TAIL.match(self.text, end) if end and found[end] else None
        return found.get(end, {}), tail.end() if tail else end


def cues_of(lattice: LineLattice) -> Counter[str]:
    """Return the commands for which the words of a line ask, each with how many of them do."""
    found = Counter[str]()
    at = 0
    while at < lattice.end:
        phrases = (*lattice.phrases(at), *lattice.phrases(at, gist_words()))
        cues = [(end, {one.value for one in meanings if one.kind in ("cue", "command")}) for end, meanings in phrases]
        end, commands = max(((end, said) for end, said in cues if said), key=lambda one: one[0], default=(at, set[str]()))
        for command in commands:
            found[command] += len(lattice.text[at:end].split())
        word = _LETTERS.match(lattice.text, at)
        at = max(end, word.end() if word else at + 1)
    return found


def _names_of(table: AtTable) -> dict[str, str]:
    """Return the names by which somebody may be called, each with the wind, or the name of who does not play."""
    winds = {name: wind for wind, name in table.people.players.items()}
    everybody = {**winds, **{name: name for name in (*table.friends, *filter(None, [table.sitting_out])) if name not in winds}}
    parts = Counter(part for name in everybody for part in {*name.casefold().split()})
    found = {part: who for name, who in everybody.items() for part in name.casefold().split() if parts[part] == 1}
    found |= {wind.casefold(): letter for letter, wind in WIND_NAMES.items() if letter in table.people.players}
    again = {AGAIN: winds[table.again]} if table.again in winds else {}
    return found | again | {name.casefold(): who for name, who in everybody.items()}


@lru_cache(maxsize=1)
def _often_misspelt() -> tuple[str, ...]:
    """Return the longer words of scores and events."""
    found = dict[str, None]()
    for known in (vocabulary(), gist_words()):
        for phrase, meanings in known.meanings.items():
            kinds = {_KINDS.get(one[:2], one.value if one.kind == "gist" else one.kind) for one in meanings if one.language == "en"}
            if kinds & _SPELT:
                found.update(dict.fromkeys(word for word in phrase.split() if len(word) > 3))
    return tuple(found)


def respelt(line: str, table: AtTable) -> str:
    """Return a line with each word that nobody knows put for a name or a word of scores that is a letter away, where one is."""
    names = _names_of(table)
    known = {*vocabulary().words, *gist_words().words, *names}
    said = {word.casefold() for word in _LETTERS.findall(line)}
    absent = [name for name, who in names.items() if name not in said and who in table.seats and len(name) > 2]

    @lru_cache
    def spelt(typed: str) -> str:
        if len(typed) < 3 or typed in known or (typed[-1] == "s" and typed[:-1] in names):
            return typed
        near = [name for name in absent if one_letter_apart(typed, name)]
        near = near or [one for one in _often_misspelt() if len(typed) > 3 and one_letter_apart(typed, one)]
        return near[0] if near else typed

    def put(word: re.Match[str]) -> str:
        near = spelt(word[0].casefold())
        return word[0] if near == word[0].casefold() else near

    return _LETTERS.sub(put, line)


def words_of(lattice: LineLattice) -> list[Word]:
    """Return the known words of a line, with what they say in it."""
    words = _Hearing(lattice).take()
    for step in (_with_letters, _with_nobody, _without_units, _added_up, _corrected):
        words = _joined(step(words, lattice))
    return words


def _joined(words: Sequence[Word]) -> list[Word]:
    """Return the words without those that say nothing, each parted as strongly as by what was left out."""
    found: list[Word] = []
    gap = unknown = 0
    for word in words:
        gap, unknown = max(gap, word.gap), unknown + word.unknown
        if word.says:
            found.append(word._replace(gap=gap, unknown=unknown))
            gap = unknown = 0
    return found


def _near(words: Sequence[Word], place: int, most: int = 0) -> Word:
    """Return the word at a *place* where no more than *most* parts it from the one before it; else one that says nothing."""
    return words[place] if 0 <= place < len(words) and words[place].gap <= most else _NOTHING


def is_score(word: Word) -> bool:
    """Return whether a word can be somebody's score."""
    return not word.says.keys().isdisjoint(SCORES)


def word_letter(words: Sequence[Word], place: int) -> bool:
    return 0 <= place < len(words) and "letter" in words[place]


def _with_letters(words: list[Word], lattice: LineLattice) -> list[Word]:
    """Return single letters as the names that they stand for: where two of a kind do, or one that is no word otherwise."""
    people, typed = lattice.table.people, lattice.text.casefold()
    winds = {wind.casefold(): wind for wind in people.players}
    seats = {name[:1].casefold(): wind for wind, name in people.players.items()}
    seats = {**winds, **{letter: wind for letter, wind in seats.items() if letter not in winds}}
    letters = {place: word["letter"] for place, word in enumerate(words) if word.says.get("letter") in seats}
    strong = set[int]()
    for place in letters:
        ahead = _near(words, place + 1)
        listed = _near(words, place + 1, 1).says.get("letter") in seats or (word_letter(words, place) and word_letter(words, place - 1))
        told = is_score(ahead) or not ahead.says.keys().isdisjoint(("win", "wins", "threw", "took", "drawn"))
        if told or listed or _OF_LETTER.search(typed[: words[place].start]):
            strong.add(place)
    told = [{letters[place] for place in strong if (letters[place] in winds) == of_winds} for of_winds in (False, True)]
    leads = {letter for letter in "nw" if letters.get(0) == letter and 0 in strong}
    leads |= set() if any("name" in word for word in words) else {letters[place] for place in strong}
    active = [len(here) > 1 or bool(here - ({"a", "n", "w"} - leads)) for here in told]
    found = list(words)
    for place, word in enumerate(words):
        letter = word.says.get("letter")
        beside = {letters.get(at) for at in (place - 1, place + 1)} | {letters.get(place - 2) for _ in range(place > 1 and "or" in words[place - 1])}
        beside -= {None}
        twice = place > 0 and letter == "w" == letters.get(place - 1)  # west wins
        if place in letters and active[letter in winds] and (place in strong or beside) and not twice:
            found[place] = word.saying("name", seats[letter])
        elif letter is not None:
            wins = letter == "w" and place > 0 and word.gap == 0 and ("number" in found[place - 1] or twice)
            says = {kind: value for kind, value in word.says.items() if kind != "letter"}
            found[place] = word._replace(says={"win": None} if wins else says, gap=max(word.gap, int(letter == "n")))
    return found


def _with_nobody(words: list[Word], lattice: LineLattice) -> list[Word]:
    """Return what denies a score as nothing, and "nobody else" as the others, who have nothing."""
    found: list[Word] = []
    for place, word in enumerate(words):
        after = [_near(words, place + 1, 1), _near(words, place + 2, 1)]
        scoring = next((one for one in after if "point" in one and not {"win", "wins"} & one.says.keys()), None)
        if "none else" in word:
            found += [word.saying("others"), word.saying("zero", 0)._replace(gap=0, start=word.end)]
        elif ("deny" in word or "nobody" in word) and scoring is not None and after[0].unknown + after[1].unknown < 3:
            everybody = "others" if any("but" in one for one in words[place:]) else "all"
            found += [word.saying(everybody)] * ("nobody" in word) + [word.saying("zero", 0)]
        elif "deny" in word and {"win", "wins", "drawn"} & after[0].says.keys() and not after[0].gap:
            words[place + 1] = after[0]._replace(says={})  # who is told of did not win
        elif ("all" in word or _ALL.match(lattice.text, word.start)) and any("but" in one for one in words[place:]):
            found.append(word.saying("others"))
        else:
            found.append(word)
    return found


def _without_units(words: list[Word], lattice: LineLattice) -> list[Word]:
    """Return numbers that are no scores as saying nothing: of tiles, of a hand, or by how much somebody beat another."""
    found = list(words)
    for place, word in enumerate(words):
        if "number" not in word:
            continue
        before, ahead = _near(words, place - 1, 3), _near(words, place + 1)
        close = word.gap == 0 and word.unknown == 0
        if close and "doubles" in before:
            found[place] = word._replace(says={})
            continue
        told_of = not ahead.says.keys().isdisjoint(("unit", "tile", "doubles")) and ahead.unknown == 0
        short = "dead" in ahead and word["number"] < 5 and not lattice.text.casefold().startswith("dead", ahead.start)
        told_of = (told_of or short) and not ("doubles" in ahead and "number" in _near(words, place + 2))
        if told_of and not ({"win", "wins", "point"} & ahead.says.keys()):
            found[place] = word._replace(says={})
        elif word["number"] in (2, 3) and ahead.says and _OTHER.search(lattice.text, 0, word.start):
            found[place] = word._replace(says={})
        elif close and "ordered" in before and _is_first(words, place - 1) and not lattice.text[before.end : word.start].strip(" #"):
            found[place] = word._replace(says={})
        elif (close and "by how much" in before) or _BEATEN.search(lattice.text, 0, word.start):
            found[place] = word.saying("less")
    return found


def _is_first(words: Sequence[Word], place: int) -> bool:
    return place == 0 or words[place].gap > 0 or words[place - 1].says.keys().isdisjoint(("name", "theirs", "he", "win", "limit"))


def _added_up(words: list[Word], lattice: LineLattice) -> list[Word]:
    """Return numbers that are added up, doubled or put right as the last of them, and "double that" as a number."""
    found: list[Word] = []
    for word in words:
        number = next((at for at in range(len(found) - 1, -1, -1) if "number" in found[at]), None)
        last = found[number] if number is not None else None
        factor = next((times for kind, times in (("twice", 2), ("half", 0.5), ("same", 1)) if kind in word), None)
        if factor is not None and last is not None and number == len(found) - 2:
            word = word.saying("number", int(last["number"] * factor))
        elif "number" in word and last is not None and number is not None:
            between = lattice.text[last.end : word.start].casefold()
            same = number == len(found) - 1
            if same and _PLUS.fullmatch(between) and "and" not in between:
                word = word.saying("number", last["number"] + word["number"])
                found[number] = last._replace(says={})
            elif same and _MAKES.fullmatch(between):
                found[number] = last._replace(says={})
            elif same and between.strip() == "n" and not last["number"] % 100 and 0 < word["number"] < 100:
                word = word.saying("number", last["number"] + word["number"])
                found[number] = last._replace(says={})
        found.append(word)
    return found


def _corrected(words: list[Word], lattice: LineLattice) -> list[Word]:
    """Return them without what is denied beside another of its kind, "14 not 40", or put right by one, "18 sorry 28"."""
    words = [
        word.saying("corrects") if "deny" in word and place and _near(words, place + 1, 3).gap > 1 else word
        for place, word in enumerate(words)
    ]
    found = list(words)
    for place, word in enumerate(words):
        before, ahead = _near(words, place - 1, 3), _near(words, place + 1, 2)
        kind = next((kind for kind in ("number", "name") if kind in before and kind in ahead), None)
        if kind is not None and "corrects" in word:
            found[place - 1] = before._replace(says={})
            found[place] = word._replace(says={})
        elif "deny" in word and ahead.gap < 2 and ("number" in ahead or "name" in ahead) and ahead.unknown == 0:
            more = [_near(words, place + 2, 2), _near(words, place + 3, 2)]
            kind = "number" if "number" in ahead else "name"
            if kind in before or any(kind in one for one in more[: 1 + ("corrects" in more[0] or "but" in more[0])]):
                found[place] = word._replace(says={})
                found[place + 1] = ahead._replace(says={})
    return found
