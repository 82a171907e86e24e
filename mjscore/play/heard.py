"""The known words of a line that is not completely understood, with all their meanings; others are skipped.

Each name, score, word for winning or event between hands becomes a ``HeardWord``, which knows how strongly it is
separated from the word before. The words of ``words/gist.toml`` are used only for these readers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.names import AGAIN
from mjscore.notation.vocabulary import Meaning, gist_words, vocabulary
from mjscore.play.line_speech import LONGEST_NUMBER, AtTable, LineLattice
from mjscore.refusal import Refused

# the kinds that words for hands, scores and events have here
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
    ("others_of", "others"): "others",
    ("others_none", "0"): "none else",
    ("nothing", "0"): "zero",
    ("everybody", "everybody"): "all",
    ("state", "exposed"): "lying",
    ("state", "concealed"): "lying",
    **{(kind, kind): kind for kind in ("from", "fed", "others", "each", "limit", "doubles")},
    **{("event", event): event for event in ("draw", "false", "pay")},
    **dict.fromkeys((("sitting", one) for one in ("for", "takes", "joins", "in", "swap", "seats")), "comes"),
    **dict.fromkeys((("sitting", one) for one in ("leaves", "out")), "leaves"),
    ("sitting", "instead"): "instead",
}
_TILES = frozenset(("suit", "dragon", "set", "sets", "tile", "bonus", "plural", "own", "special"))
_SILENT = frozenset(("empty", "talk", "has", "loss", "small"))
_PART = re.compile(
    r"""(?P<else>(?<![^\s(])[0-9]{1,2}[.:][0-5][0-9](?!\.?[^\s),;.]) | [£$€]\s?[0-9]+(?:[.,][0-9]{2}(?![0-9]))?)
      | (?P<number>[0-9]+(?:_[0-9]{3})*(?:(?<![0-9]{4}),[0-9]{3}(?![0-9,]))?)(?P<behind>[^\W\d_]*)
      | (?P<word>"(?!\s)[^",;!?]+(?<!\s)"|[^\W\d_]+)
      | (?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)
_LETTERS = re.compile(r"[^\W\d_]+")
_CLAUSE = re.compile(r"[^,;]+")
_TAIL = re.compile(r"['’](?P<theirs>s?(?![^\W_]))?[^\W\d_]*")
_TILE = re.compile(r"[1-9]+[bcd]", re.IGNORECASE)
# punctuation that does not separate: an arrow to a score, inside a word, around one number or word, after an abbreviation
_PARTS_NOTHING = re.compile(
    r"(?<=[^\W\d_] )[>→](?= ?[0-9])|(?<=[^\W\d_])[>→](?=[^\W\d_])|(?<=[^\W_])-(?=[^\W_])|\((?=[^\W\d_]+\))|(?<=\([0-9])\)|(?<=\([0-9]{2})\)|(?<=\([0-9]{3})\)"
)
_BRACKETED = re.compile(r"[^\W\d_] ?\([0-9]|\([0-9]")  # Ben (60), or (60) Ben
_HESITATES = re.compile(r"(?<=\.)\.|\.(?=\.)|…")
_ABBREVIATED = re.compile(r"/(?=\s|[0-9])")
# (* went out), ! = won
_LEGEND = re.compile(
    r"(?<![0-9])(?:\*\s*+=?|!\s*+(?:=|([^\W\d_]++)\s))\s*+([^\W\d_][^\d\n,;.)]*+)(?=$|[,;.)])"
)
_MARKED = re.compile(r"[0-9](?: ?\()?!(?=[^!])")
_WITH_WORDS = re.compile(r"[^\W\dwW_]")  # letters beside which a dash is not a score
_STRENGTH = {**dict.fromkeys(".;!?/|\n>", 3), **dict.fromkeys(",()[]–—-", 2), "&": 1}
_MARKS = {
    "+": {"plus"},
    "=": {"makes", "is"},
    ":": {"is"},
    "&": {"and"},
    "/": {"slash"},
    "→": {"to"},
    ">": {"to"},
}
SCORES = frozenset(("number", "zero", "dead", "limit"))
WINS = frozenset(("win", "wins"))
HOW = frozenset(("drawn", "threw", "from", "by", "robbed", "took", "fed"))  # how somebody won, or did not


@dataclass(frozen=True)
class HeardWord:
    """One or a few words with their possible meanings, by kind.

    *says* has the value of each meaning by its kind. *gap* is how strongly it is separated from the known word before:
    1 by "and", 2 by a comma, 3 by a full stop; *unknown* counts the unknown words between the two; *small* are the
    kinds of small words (articles, prepositions) there, or at the end of the known word before.
    """

    says: dict[str, Any]
    start: int = 0
    end: int = 0
    gap: int = 0
    unknown: int = 0
    small: frozenset[str] = frozenset()

    def __contains__(self, kind: object) -> bool:
        return kind in self.says

    def __getitem__(self, kind: Any) -> Any:
        return self.says[kind]

    def any(self, *kinds: str) -> bool:
        """Return whether the word may be of one of these kinds."""
        return not self.says.keys().isdisjoint(kinds)

    def after(self, *small: str) -> bool:
        """Return whether a small word of one of these kinds comes before the word."""
        return not self.small.isdisjoint(small)

    def saying(self, **says: Any) -> HeardWord:
        """Return the word with only these meanings."""
        return replace(self, says=says)

    @property
    def is_score(self) -> bool:
        """Return whether the word can be somebody's score."""
        return self.any(*SCORES)

    @property
    def is_close(self) -> bool:
        """Return whether nothing separates the word from the known word before."""
        return not self.gap and not self.unknown


def beside(words: list[HeardWord], place: int, most: int = 0) -> HeardWord:
    """Return word *place* if its gap is at most *most*, or else a word without meaning."""
    return words[place] if 0 <= place < len(words) and words[place].gap <= most else HeardWord({})


class _Hearing:
    """Reads the words of a line one after another."""

    def __init__(self, lattice: LineLattice) -> None:
        self.lattice, self.text, self.table = lattice, lattice.text, lattice.table
        self.names = names_of(self.table)
        self.long_names = [name for name in self.names if " " in name]
        self.seats = {name[:1].casefold() for one in self.table.people.players.items() for name in one}
        self.words: list[HeardWord] = []
        self.gap, self.unknown, self.at = 3, 0, 0
        self.small: set[str] = set()

    def take(self) -> list[HeardWord]:
        while self.at < self.lattice.end:
            part = _PART.match(self.text, self.at)
            assert part is not None
            if part["else"]:  # a time, or money
                self._add(part.end(), unit="else")
                continue
            take = self._number if part["number"] else self._word if part["word"] else self._mark
            take(part)
        return self.words

    def _add(self, end: int, /, **says: Any) -> None:
        small = self._small(end)
        self.words.append(HeardWord(says, self.at, end, self.gap, self.unknown, frozenset(self.small)))
        self.gap, self.unknown, self.small, self.at = 0, 0, small, end

    def _small(self, end: int) -> set[str]:
        """Return the kinds of small word that the phrase from here to *end* is, or that its last word is."""
        said = self.text[self.at : end]
        phrases = {said, *said.split()[-1:]}
        return {one.value for phrase in phrases for one in gist_words().of(phrase) if one.kind == "small"}

    @property
    def _last(self) -> HeardWord:
        """Return the word heard last; one without meaning if punctuation or an unknown word came since."""
        return self.words[-1] if self.words and not self.gap and not self.unknown else HeardWord({})

    def _mark(self, part: re.Match[str]) -> None:
        mark, at = part["mark"], self.at
        legend, tail = _LEGEND.match(self.text, at), _TAIL.match(self.text, at)
        if legend and (self.names.keys() & legend[2].casefold().split() or not self._makes(legend[1])):
            legend = None
        if not legend and mark in "*!" and (wins := self._mark_of_winner(at)):
            return self._add(at + 1, win=wins)
        if mark in "-–—−" and not _WITH_WORDS.search(self.text):
            return self._add(at + 1, zero="-")
        hesitates = _HESITATES.match(self.text, at) and self._last.any("from", "by")  # off... Ann
        is_own = self._is_own_bracket(at)
        parts_nothing = _PARTS_NOTHING.match(self.text, at) if is_own is None else is_own
        if not (parts_nothing or hesitates or (mark == "." and self._is_short(at))):
            self.gap = max(self.gap, _STRENGTH.get(mark, 0))
        self.small |= _MARKS.get(mark, set())
        self.at = legend.end() if legend else tail.end() if tail else at + 1
        return None

    @staticmethod
    def _makes(said: str | None) -> bool:
        """Return whether the word *said* between a mark and its meaning is one such as "is", or is not there."""
        return said is None or any(one[:2] == ("small", "makes") for one in gist_words().of(said))

    def _is_own_bracket(self, at: int) -> bool | None:
        """Return whether the bracket at a place opens before a score, or closes behind it, where names stand before all
        brackets, as in "Ben (60) Ann (4)"; None for other marks and lines.
        """
        opens = at if self.text[at] == "(" else self.text.rfind("(", 0, at) if self.text[at] == ")" else -1
        first = _BRACKETED.search(self.text) if opens > 0 else None
        own = first is not None and first[0][0] != "(" and _BRACKETED.match(self.text, opens)
        return opens == at if own and self.text[:opens].rstrip()[-1:].isalpha() else None

    def _mark_of_winner(self, at: int) -> str:
        """Return how the mark at a place, an asterisk or a score's lone "!", says who won; or empty."""
        before, ahead = self.text[:at], self.text[at + 1 :]
        if self.text[at] == "!":
            marks = [mark.end() - 1 for mark in _MARKED.finditer(self.text.rstrip())]
            return "!" if marks == [at] and len(re.findall("[0-9]+", self.text)) > 1 else ""
        if ahead[:1].isalpha() and not before[-1:].strip():  # *Ben 40
            self.gap = 2
            return "ahead"
        return "glued" if "number" in self._last or before.rstrip(" (")[-1:].isdecimal() else ""

    def _is_short(self, end: int) -> bool:
        """Return whether the word that ends at *end* is an abbreviation, as in "no. 3" and "64 pts."."""
        return bool(self.words) and self.words[-1].end == end and self.words[-1].any("ordered", "points")

    def _is_glued(self) -> bool:
        """Return whether a number is glued to a word, as in "x4", but not in "h2" and "e4"."""
        last = self._last
        glued = last.end == self.at > 0 and "ordered" not in last
        return glued and last.says.get("letter", "a") not in self.seats

    def _number(self, part: re.Match[str]) -> None:
        behind, end = part["behind"].casefold(), part.end("number")
        value = int(re.sub("[,_]", "", part["number"])[: LONGEST_NUMBER + 1])
        kinds = {one.kind for one in vocabulary().of(behind)}
        said_behind = {one.value for one in gist_words().of(behind)}
        of_points = said_behind & {"point", "points"}
        hundreds = self.lattice.in_words(self.at)
        if hundreds:  # 2 hundred
            self._add(hundreds[0][1], number=hundreds[0][0])
        elif self._is_glued():
            self._add(part.end(), unit="x4")
        elif "ordered" in self._last and behind:
            self._add(part.end(), nth=part[0])
        elif not behind or of_points:
            self._add(part.end(), number=value)
        elif "ordinal" in said_behind:
            self._add(part.end(), nth=value)
        elif _TILE.fullmatch(part[0]):
            self._add(part.end(), tile=part[0])
        elif behind == "w" or "win" in kinds or (behind[0] == "w" and behind[1:] in self.seats):
            is_discarder = len(behind) == 2 and behind[1:] in self.seats
            self._add(end, number=value)
            self._add(
                end + 1 if is_discarder else part.end(), win="glued", **{"from": "w"} if is_discarder else {}
            )
        elif "sign" in kinds or behind in self.names:
            self._add(end, number=value)
        else:
            self._add(part.end(), unit=behind)

    def _word(self, part: re.Match[str]) -> None:
        said, end = part["word"].strip('"').casefold(), part.end()
        if self._name(said, end):
            return
        if len(said) == 1 and _ABBREVIATED.match(self.text, end):  # w/ 38
            self.small.add("with")
            self.at = end + 1
            return
        says, known = self._meanings()
        number = self._in_words(known)
        begun = self._begun(said) if not says and self._last.any("from", "by") else None
        if number is not None:
            self._add(number[1], number=number[0])
        elif len(said) == 1 and known <= end:
            self._add(end, **says, letter=said)
        elif begun is not None:
            self._add(end, name=begun)
        elif says and "and" not in (small := self._small(known)):
            self._add(known, **says)
        else:
            small = self._small(known or end)
            self.gap = max(int("and" in small), self.gap)
            self.unknown += not (known or small)
            self.small |= small
            self.at = known or end

    def _name(self, said: str, end: int) -> bool:
        """Add a name, also one such as "Ann's", to the words; return whether there is one."""
        text, at = self.text, self.at
        long = (name for name in self.long_names if text[at : at + len(name)].casefold() == name)
        name = next(
            long, said if said in self.names else said[:-1] if said[-1] == "s" and len(said) > 2 else ""
        )
        if name not in self.names:
            return False
        end = at + len(name) if " " in name and text[at] != '"' else end
        tail, seat = _TAIL.match(text, end), self.names[name]
        before = beside(self.words, len(self.words) - 2, 3)  # on, or with, Cid's east
        is_tile = "theirs" in self._last and name.capitalize() in WIND_NAMES.values()
        if is_tile and (before.any("on", "from", "by") or self._last.after("with")):
            self._add(end, tile=name)
            return True
        theirs = {"theirs": seat} if name == said[:-1] or (tail and tail["theirs"] is not None) else {}
        self._add(
            tail.end() if tail else end, **{"name" if seat in self.table.seats else "absent": seat}, **theirs
        )
        return True

    def _in_words(self, known: int) -> tuple[int, int] | None:
        """Return the number in words here, and its end, unless a phrase ends later (*known*); None for "nice one"."""
        for value, end in self.lattice.in_words(self.at):
            is_one = (
                "name" in self._last
                and "the" not in self.small
                and not re.match(r"\s*[0-9]", self.text[end:])
            )
            if end >= known and (value != 1 or is_one):
                return value, end
        return None

    def _begun(self, said: str) -> str | None:
        """Return the wind of the player whose name begins with *said*; None if there is none or several."""
        with suppress(Refused):
            return self.table.seat_of(self.table.people.named(said, discarder=True) or "")
        return None

    def _meanings(self) -> tuple[dict[str, Any], int]:
        """Return the meanings, by kind, of the longest known phrase here, and its end, 0 if there is none."""
        found: dict[int, dict[str, Any]] = {}
        for end, meanings in (*self.lattice.phrases(self.at), *self.lattice.phrases(self.at, gist_words())):
            for kind, value, _ in meanings:
                said = _KINDS.get(
                    (kind, value), value if kind == "gist" else "tile" if kind in _TILES else ""
                )
                if said or kind in _SILENT:
                    found.setdefault(end, {}).update({said: value} if said not in ("", "silent") else {})
                if kind == "wind" or said == "dealer":
                    found.setdefault(end, {})["name"] = value if kind == "wind" else "E"
                numbered = _numbered(said)
                if numbered:
                    found[end] = numbered
        end = max(found, default=0)
        if "name" in self._last and "oneself" in found.get(end, {}):
            return {"he": "he"}, end
        tail = _TAIL.match(self.text, end) if end and found[end] else None
        return found.get(end, {}), tail.end() if tail else end


def _numbered(said: str) -> dict[str, Any]:
    """Return the meanings of a kind with a number in its name, as "2nd" or "listed 3"; empty for others."""
    kind, _, which = said.partition(" ")
    if said[:1].isdigit():
        return {"nth": int(said[:-2])}
    if kind == "number":
        return {"number": int(which)}
    if kind == "listed":
        return {"listed": which, **({"nth": int(which)} if which.isdigit() else {})}
    return {"others": 2} if said == "two others" else {}


def kind_of(meaning: Meaning) -> str:
    """Return the kind of ``HeardWord`` that has this meaning, or else the meaning's own kind."""
    return _KINDS.get(meaning[:2], meaning.value if meaning.kind == "gist" else meaning.kind)


def names_of(table: AtTable) -> dict[str, str]:
    """Return the names that may be typed, in small letters, with the wind; of people without a seat, their name."""
    winds = {name: wind for wind, name in table.people.players.items()}
    absent = {name: name for name in (*table.friends, table.sitting_out or "") if name and name not in winds}
    parts = Counter(part for name in (*winds, *absent) for part in {*name.casefold().split()})
    found = {
        part: who
        for name, who in {**winds, **absent}.items()
        for part in name.casefold().split()
        if parts[part] == 1
    }
    found |= {
        wind.casefold(): letter for letter, wind in WIND_NAMES.items() if letter in table.people.players
    }
    found |= {AGAIN: winds[table.again]} if table.again in winds else {}
    return found | {name.casefold(): who for name, who in {**winds, **absent}.items()}


def heard(lattice: LineLattice) -> list[HeardWord]:
    """Return the known words of a line, with single letters replaced by the names that they stand for."""
    words = _Hearing(lattice).take()
    _name_letters(words, lattice)
    return words


def joined(words: list[HeardWord]) -> list[HeardWord]:
    """Return the words without those that have no meaning, whose gaps and small words pass to the next word."""
    found: list[HeardWord] = []
    gap, unknown, small = 0, 0, frozenset[str]()
    for word in words:
        gap, unknown, small = max(gap, word.gap), unknown + word.unknown, small | word.small
        if word.says:
            is_same = (gap, unknown, small) == (word.gap, word.unknown, word.small)
            found.append(word if is_same else replace(word, gap=gap, unknown=unknown, small=small))
            gap, unknown, small = 0, 0, frozenset()
    return found


def _name_letters(words: list[HeardWord], lattice: LineLattice) -> None:
    """Replace single letters by names.

    Two letters of one sort, winds or initials, are names, and so is a letter without another meaning.
    """
    people = lattice.table.people.players
    winds = {wind.casefold(): wind for wind in people}
    seats = {**{name[:1].casefold(): wind for wind, name in people.items()}, **winds}
    letters = _letters_of(words, seats)
    strong = {place for place in letters if _is_somebody(words, place, letters)}
    sure = _sure_letters(words, {place: letters[place] for place in strong}, winds.keys())
    for place, word in enumerate(words):
        letter, before = word.says.get("letter"), letters.get(place - 1)
        if letter is None:
            continue
        across = letters.get(place - 2) if "or" in beside(words, place - 1, 3) else None
        near = {before, letters.get(place + 1), across}
        twice = letter == "w" == before  # west wins
        if place in letters and ((place in strong and letter in sure) or near & sure) and not twice:
            _name(words, place, seats[letter])
            sure |= {letter} - {*"anw"}  # which makes names of letters behind it
        elif letter == "w" and not word.gap and ("number" in beside(words, place - 1, 3) or twice):
            words[place] = word.saying(win="w")
        else:
            del word.says["letter"]
            joins = ("small", "and", "en") in gist_words().of(letter)
            words[place] = replace(word, gap=max(word.gap, int(joins)))


def _name(words: list[HeardWord], place: int, seat: str) -> None:
    """Read word *place*, a letter, as the name of *seat*, no longer as a small word such as "a"."""
    small = {one.value for one in gist_words().of(words[place]["letter"]) if one.kind == "small"}
    words[place] = words[place].saying(name=seat)
    for at, word in enumerate(words[place + 1 : place + 2], place + 1):
        words[at] = replace(word, small=word.small - small)


def _sure_letters(words: list[HeardWord], strong: Mapping[int, str], winds: Collection[str]) -> set[str]:
    """Return the letters surely names: no words, at the beginning, several of a kind, or the only names."""
    sure = {
        letter
        for place, letter in strong.items()
        if letter not in "anw" or (place == 0 and (letter != "a" or "pay" in beside(words, 1)))
    }
    if all("name" not in word for word in words):
        sure |= set(strong.values())
    for of_winds in (False, True):
        kind = {letter for letter in strong.values() if (letter in winds) == of_winds}
        sure |= kind if len(kind) > 1 or kind & sure else set()
    return sure


def _letters_of(words: list[HeardWord], seats: Collection[str]) -> dict[int, str]:
    """Return the letters that may name *seats*, by place; none if the only one is an article."""
    found = {place: word["letter"] for place, word in enumerate(words) if word.says.get("letter") in seats}
    return {} if [*found.values()] == ["a"] and _is_article(words, min(found)) else found


def _is_article(words: list[HeardWord], place: int) -> bool:
    """Return whether the letter a is before a noun for winning, as in "64 and a win"."""
    ahead = beside(words, place + 1)
    return ahead.any("noun", "tile") or ("win" in ahead and "number" in beside(words, place - 1, 3))


def _is_somebody(words: list[HeardWord], place: int, letters: Mapping[int, str]) -> bool:
    """Return whether a letter is where a name would be: before a score or a verb, or in a list of letters."""
    ahead = beside(words, place + 1)
    joined = [at for at in (place, place + 1) if at in letters and at - 1 in letters]
    lists = any(words[at].gap < 2 or words[at].after("slash") for at in joined)
    does = ahead.is_score or ahead.any(
        "win", "wins", "threw", "took", "drawn", "leaves", "unit", "dead", "absent", "pay"
    )
    lists = lists or any("order" in one for one in words[max(0, place - 4) : place])
    before = beside(words, place - 1, 3)
    after = words[place].after("to", "by", "of") or before.any("from", "by")
    after = after or (words[place].after("is") and before.any(*WINS))  # win: S
    return does or lists or after


def cues_of(lattice: LineLattice) -> Counter[str]:
    """Return the commands suggested by the words of a line, each with how many words suggest it.

    A clause that says what is not asked counts only if no other suggests anything: "not the hands, just the totals".
    """
    clauses = [clause.span() for clause in _CLAUSE.finditer(lattice.text)]
    found = [_cues_between(lattice, *clause) for clause in clauses]
    ends = lattice.text.rstrip().endswith("?")  # who's east, not Dee?
    denied = [
        _says_what_not(lattice, clause[0]) and (ends or bool(+cues - Counter(deny=99, doubt=99)))
        for clause, cues in zip(clauses, found, strict=True)
    ]
    wanted = [cues for cues, is_denied in zip(found, denied, strict=True) if not is_denied]
    told = sum(wanted, Counter[str]()) if any(denied) else Counter[str]()
    if found and found[0]["undo"] > found[0]["deny"] and _names_somebody(lattice, clauses[1:]):
        return found[0]  # undo that, Ben never won
    return told or _cues_between(lattice, 0, lattice.end)


def _names_somebody(lattice: LineLattice, clauses: list[tuple[int, int]]) -> bool:
    """Return whether the first of the *clauses* that denies something names a player, without a "but"."""
    denies = (lattice.text[begin:end] for begin, end in clauses if _cues_between(lattice, begin, end)["deny"])
    said = _LETTERS.findall(next(denies, "").casefold())
    is_but = any(one.value == "but" for word in said[:1] for one in gist_words().of(word))
    return not (is_but or names_of(lattice.table).keys().isdisjoint(said))


def _says_what_not(lattice: LineLattice, begin: int) -> bool:
    first = lattice.starts(begin)[0]
    phrases = lattice.phrases(first, gist_words())
    return any(one[:2] == ("gist", "not asked") for _, meanings in phrases for one in meanings)


def _cues_between(lattice: LineLattice, begin: int, behind: int) -> Counter[str]:
    found = Counter[str]()
    at = begin
    while at < behind:
        phrases = (*lattice.phrases(at), *lattice.phrases(at, gist_words()))
        cues = [
            (end, one.value)
            for end, meanings in phrases
            for one in meanings
            if one.kind in ("cue", "command")
            or (one.kind == "gist" and one.value in ("deny", "doubt", "silent"))
        ]
        end = max((end for end, _ in cues), default=at)
        said = {value for last, value in cues if last == end}
        for command in said - ({"doubt"} if "same" in said else set()):
            is_no = command == "deny" and end - at < 3  # which may begin as talk
            found[command] += 0 if is_no else len(lattice.text[at:end].split())
        word = _LETTERS.match(lattice.text, at)
        at = max(end, word.end() if word else at + 1)
    del found["silent"]
    return found
