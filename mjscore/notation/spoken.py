"""Read a hand as it is told at a table, where the grammar of a typed line finds none: what is said of several sets at once, the
last tile wherever it stands, and of a hand that lost no more than what scores.

A line is read word by word, and what a mark parts is not joined: a *phrase* is what is said in one breath, ``three open pungs,
twos, fours and sixes in circles``, with the *members* that it names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from mjscore.game.hand import SET_SIZES, Flag, Hand
from mjscore.game.tiles import KINDS, TILES, Tile, format_tiles
from mjscore.notation.disambiguation import ASKING, meant_hand, over, with_states
from mjscore.notation.hand_builder import Worth, read_tiles
from mjscore.notation.lexer import Lattice, Piece
from mjscore.notation.names import nearest
from mjscore.notation.reading import Reading
from mjscore.notation.speech import Ending, Part, Typed, kind_of
from mjscore.notation.vocabulary import LANGUAGES, plain, vocabulary
from mjscore.refusal import Refusal, Refused, refuse, whole

MOST_OFFERED = 3  # lines of a question
_SEATS = "ESWN"
_TOLD = frozenset((
    "SET", "SETS", "STATE", "SIGN", "WIN", "FROM", "FLAG", "EVERY", "REST", "LOSS", "FINAL", "OWN", "SPECIAL", "BONUS", "THROUGHOUT",
    "PLURAL",
))  # fmt: skip
_KINDS = _TOLD | frozenset((
    "TILES", "VALUES", "SUIT", "TIMES", "TIMES_OF", "WHO", "OPEN", "GLUED", "CLOSE", "DOTS", "REMARK", "FAMILY", "SUITS", "UPON",
))  # fmt: skip
_OF_HANDS = _KINDS | {"WIND", "DRAGON", "TILE"}
_MARK = re.compile(r"[\s|&–—-]*+(?:(?P<mark>[,;:/]|\.(?!\.))[\s|&–—-]*+)*+")
_CROSSING = re.compile(r"[,;:/]|\.\s")
_PLURAL = re.compile(r"([1-9])['’]?s(?![^\W_])")
_THEIRS = re.compile(r"([^\W\d_]++)(?:['’]s?)(?![^\W_])")
_LETTERS = re.compile(r"(p|c|k|pr)(?=\s+[^\W_])", re.IGNORECASE)
_LYING = ("pung", "kong", "chow")
_BY_LETTER = {"p": "pung", "c": "chow", "k": "kong", "pr": "pair"}
_AND = re.compile("and|und|en|et|plus", re.IGNORECASE)
# behind a wind that is a seat, and behind one that is a tile
_OF_SEAT = re.compile(r"\s*:|\s+(?:player|has|had|wins|won|is|was)\b", re.IGNORECASE)
_BEHIND_LETTER = re.compile(r"\s+(?:[^\W_]{2}|[(\[])")
_OF_TILE = re.compile(
    r"\s*(?:[x*]|winds?\b|pung|kong|pair|east\b|south\b|west\b|north\b|exposed|concealed|open|hidden|closed)",
    re.IGNORECASE,
)
_ANOTHER = ("a", "an", "another")
# of what was no line at all another reading may say more
_NOT_UNDERSTOOD = (
    "unknown-character", "missing-class", "bad-line", "no-seat-line", "unknown-command", "tiles-after-win", "stray-colon", "after-flags",
)  # fmt: skip
_UNKNOWN = re.compile(r"[^\W_]+")


class _Word(NamedTuple):
    """A word or a few, with all that they may *say*, by kind; *mark* stands before them, "," at the head of a line."""

    said: dict[str, Piece]
    start: int
    end: int
    mark: str
    is_joined: bool = False  # an "and" stands before it

    def value(self, kind: str) -> str:
        return str(self.said[kind].value)

    @property
    def is_of_many(self) -> bool:
        """Return whether a number before it is how many there are."""
        return self.says("PLURAL") or (self.says("TILES") and not self.says("SUIT", "VALUES", "BONUS"))

    def is_of_whom(self, text: str) -> bool:
        """Return whether a name behind it is that of who discarded."""
        return self.says("FROM") or text[self.start : self.end].casefold() == "by"

    def says(self, *kinds: str) -> bool:
        return any(kind in self.said for kind in kinds)


class _Member(NamedTuple):
    """What a phrase names: *digits* that wait for their *suit*, or the *text* of tiles."""

    start: int
    end: int
    clause: int
    digits: str = ""
    text: str = ""
    times: int = 1
    asked: tuple[Refusal, ...] = ()

    @property
    def is_waiting(self) -> bool:
        return not self.text

    def suited(self, suit: str) -> _Member:
        """Return it with a suit, where it waits for one."""
        return self._replace(text=self.text or self.digits + suit)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        run = read_tiles(self.text)
        return (run.tiles + run.bonus) * self.times


class _Phrase:
    """What is said in one breath: a word for the kind of *set*, for *several* or *count* of them, how they lie, and which."""

    def __init__(self, clause: int, kind: str, several: bool, count: int, word: _Word) -> None:
        self.clause, self.set, self.several, self.count = clause, kind, several, count
        self.start, self.end = word.start, word.end
        self.state = ""
        self.members: list[_Member] = []

    @property
    def is_full(self) -> bool:
        """Return whether a word for sets has all that it names."""
        if not self.members or not self.set:
            return False
        if self.count:
            return len(list(self.sets())) >= self.count
        return not self.several

    @property
    def is_uneven(self) -> bool:
        """Return whether it names other than as many sets as are said, or several of one."""
        number = len(list(self.sets()))
        return bool(self.set) and number != self.count and (self.count > 0 or number > 1 > self.several)

    @property
    def is_one_group(self) -> bool:
        """Return whether its members are one tile, said as often as there are, or one group of tiles."""
        return len({(member.digits, member.text) for member in self.members}) == 1

    def sets(self, apart: bool = False) -> Iterator[tuple[_Member, tuple[Tile, ...]]]:
        """Yield the tiles of each set, a single one for those alike, or of each group where no word calls it a set; of tiles
        that lie *apart* each three.
        """
        for member in self.members:
            digits = member.digits
            if member.is_waiting:  # the suit is still to come
                runs = range(0, len(digits), 3) if self.set == "chow" else set(digits)
                yield from ((member, ()) for _ in runs)
                continue
            tiles = member.tiles
            if self.set in ("pung", "kong", "pair"):
                yield from ((member, (tile,)) for tile in dict.fromkeys(tiles))
            elif self.set or (apart and len(tiles) > 4):
                yield from ((member, tiles[at : at + 3]) for at in range(0, len(tiles), 3))
            else:
                yield member, tiles

    def parts(self, state: str, throughout: str) -> Iterator[Part]:
        """Yield its parts; *state* is said of what follows it, *throughout* of all the hand. Raises NotTold."""
        own, size = self.state or state, SET_SIZES.get(self.set, 0)
        groups = list(self.sets(not self.state and "exposed" in (state, throughout)))
        if not self.set:
            alike = groupby(groups, key=lambda group: group[1] if len(group[1]) == 1 else group)
            groups = [(first[0][0], first[0][1] * len(first)) for first in (list(same) for _, same in alike)]
        for member, tiles in groups:
            told = tiles * size if len(tiles) == 1 and self.set not in ("", "chow") else tiles
            part = Part(format_tiles(told), told, member.start, member.end, asked=member.asked)
            kind = kind_of(part)
            if self.set not in ("", kind) or (self.state == "exposed" and kind in ("", "pair")):
                raise NotTold(member.start)
            if kind in _LYING and (self.set or kind == "kong" or "exposed" in (own, not own and throughout)):
                yield part._replace(set=kind, state=own or throughout)
            else:
                yield part._replace(set=self.set, state="concealed" if own == "concealed" != self.set else "")


class NotTold(Exception):  # noqa: N818 - as a refusal, no error of the program
    """A line is not told so, from *position* on."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


def words_of(lattice: Lattice, position: int) -> Iterator[_Word | int]:
    """Yield the words from *position* on, each the longest that can stand there; where none is known, its place."""
    text, mark, before, joined = lattice.text, ",", None, False
    while True:
        gap = _MARK.match(text, position)
        position = gap.end() if gap else position
        mark = (gap and gap["mark"]) or mark
        if position >= lattice.end:
            return
        found = _at(lattice, position, before is not None and before.is_of_whom(text))
        if found is None:
            yield position
            unknown = _UNKNOWN.match(text, position)
            position = unknown.end() if unknown else position + 1
            continue
        position = found.end
        if found.said:
            before = found._replace(mark=mark, is_joined=joined)
            yield before
            mark, joined = "", False
        else:
            joined |= _AND.fullmatch(text, found.start, found.end) is not None


def _at(lattice: Lattice, position: int, behind_from: bool) -> _Word | None:
    """Return the longest word at *position*; without a meaning where it says nothing."""
    text = lattice.text
    found: dict[int, dict[str, Piece]] = {}
    for piece in lattice.at(position):
        kind = piece.kind if piece.kind == "TIMES_OF" else piece.kind.partition("_")[0]
        known = kind in _KINDS and piece.kind not in ("FLAG", "FLAG_BEGUN")
        if known and (behind_from or kind != "WHO") and _is_whole(lattice, kind, piece):
            found.setdefault(piece.end, {}).setdefault(kind, piece)
    for end, meanings in lattice.phrases(position):
        if any(meaning.kind == "empty" for meaning in meanings):
            found.setdefault(end, {})
    plural, letters = _PLURAL.match(text, position), _LETTERS.match(text, position)
    theirs = _THEIRS.match(text, position)
    if plural:
        found.setdefault(plural.end(), {})["PLURAL"] = Piece("PLURAL", plural[1], *plural.span())
    if letters:
        found[letters.end()] = {"SET": Piece("SET", _BY_LETTER[letters[1].casefold()], *letters.span())}
    name = lattice.people.named(theirs[1], discarder=True) if theirs and behind_from else None
    if theirs and name is not None:
        found[theirs.end()] = {"WHO": Piece("WHO", name, *theirs.span())}
    return _Word(found[max(found)], position, max(found), "") if found else None


def _is_whole(lattice: Lattice, kind: str, piece: Piece) -> bool:
    """Return whether tiles and numbers end where a word does, with no mark in them; "three of bamboo" is no three of a tile."""
    text, end = lattice.text, piece.end
    if kind == "TIMES_OF":
        return all(meaning.kind != "suit" for _, meanings in lattice.phrases(end) for meaning in meanings)
    if kind == "TILES" and text[end - 1].isalpha() and text[end : end + 1].isalpha():
        return False
    return kind not in ("VALUES", "TILES") or not _CROSSING.search(text, piece.start, end)


class _Teller:
    """Takes a line word by word; *greedily* whether sets of which no number is said go on behind a mark."""

    def __init__(self, lattice: Lattice, words: Sequence[_Word], seat: Piece | None, greedily: bool) -> None:
        self.lattice, self.words, self.seat, self.greedily = lattice, words, seat, greedily
        self.at = self.clause = self.count = 0
        self.phrases: list[tuple[_Phrase, str]] = []  # with what was said before of all that follows
        self.phrase: _Phrase | None = None
        self.state = self.section = self.throughout = self.suit = self.sign = ""
        self.suit_of_all = ""
        self.times = 1
        self.tile: _Member | None = None
        self.said: list[Piece] = []
        self.won = self.lost = self.rest = self.was_greedy = False

    def take(self) -> Typed:
        """Return the hand that is told; its winning tile may have no suit, or be missing. Raises NotTold."""
        while self.at < len(self.words):
            word = self.words[self.at]
            if word.mark:
                self._mark(word.mark)
            take = next((getattr(self, f"_{kind.lower()}") for kind in _ORDER if kind in word.said), None)
            if take is None:
                raise NotTold(word.start)
            self.at += 1
            take(word)
        return self._typed()

    def _next(self, skip: int = 0) -> _Word | None:
        """Return the word behind, where no mark parts it."""
        words = self.words[self.at : self.at + skip + 1]
        joined = len(words) > skip and all(word.mark == "" for word in words)
        return words[skip] if joined else None

    def _mark(self, mark: str) -> None:
        self.clause += 1
        phrase = self.phrase
        if mark != ":":
            self.state, self.times = "", 1
        is_open = phrase is not None and bool(phrase.set) and not phrase.is_full
        told = phrase.members if is_open and phrase is not None and not phrase.count else []
        if told and not any(member.is_waiting for member in told):
            goes_on = self.words[self.at].says("TILES", "VALUES", "PLURAL") and mark != "."
            self.was_greedy |= goes_on
            is_open = goes_on and self.greedily
        if not is_open:
            self.phrase = None
            self.suit = self.suit if mark == ":" else ""

    def _begin(self, kind: str = "", several: bool = False) -> _Phrase:
        phrase = self.phrase = _Phrase(self.clause, kind, several, self.count, self.words[self.at - 1])
        phrase.state, self.state, self.count = self.state, "", 0
        self.phrases.append((phrase, self.section))
        return phrase

    # what is told of tiles

    def _add(self, word: _Word, digits: str = "", text: str = "", asked: tuple[Refusal, ...] = ()) -> None:
        phrase = self.phrase
        if phrase is None or phrase.is_full:
            phrase = self._begin()
        suited = text or (f"{digits}{self.suit}" if self.suit else "")
        phrase.members.append(_Member(word.start, word.end, self.clause, digits, suited, self.times, asked))
        self.times = 1

    def _values(self, word: _Word) -> None:
        digits, ahead = word.value("VALUES"), 0
        while (behind := self._next(ahead)) is not None and behind.says("STATE", "EVERY"):
            ahead += 1
        if behind is not None and behind.says("SETS") and len(digits) == 1:
            self.count = int(digits)
        elif (behind := self._next()) is not None and digits in ("1", "2", "3", "4") and behind.is_of_many:
            self.times = int(digits)
        elif behind is not None and behind.says("BONUS"):
            self.count = int(digits)
        else:
            self._add(word, digits)

    def _plural(self, word: _Word) -> None:
        value, phrase = word.value("PLURAL"), self.phrase
        of_sets = self.times > 1 or (phrase is not None and phrase.set and not phrase.is_full)
        if word.says("TILES") and not of_sets:
            self._tiles(word)
        elif value.isdigit():
            self._add(word, value)
        else:
            self._add(word, text=value)

    def _tiles(self, word: _Word) -> None:
        piece = word.said["TILES"]
        self._add(word, text=piece.value, asked=(piece.asked,) if piece.asked else ())

    def _times_of(self, word: _Word) -> None:
        self.times = int(word.value("TIMES_OF"))

    def _times(self, word: _Word) -> None:
        if self.phrase is None or not self.phrase.members:
            raise NotTold(word.start)
        self.phrase.members[-1] = self.phrase.members[-1]._replace(times=int(word.value("TIMES")))

    def _suit(self, word: _Word) -> None:
        self._of_suits(word, word.value("SUIT"))

    def _suits(self, word: _Word) -> None:
        if self.phrase is not None and (self.phrase.set or self.words[self.at - 2].says("PLURAL")):
            self.phrase.set, self.phrase.several = self.phrase.set or "pung", True  # sevens in every suit
        self._of_suits(word, "bcd")

    def _of_suits(self, word: _Word, suits: str) -> None:
        phrase, waiting = self.phrase, False
        for member in list(phrase.members) if phrase is not None else ():
            if member.is_waiting and phrase is not None:
                place, waiting = phrase.members.index(member), True
                phrase.members[place : place + 1] = [
                    member._replace(text=f"{member.digits}{suit}", end=word.end) for suit in suits
                ]
        behind = self.words[self.at] if self.at < len(self.words) else None
        if waiting or self.suit == suits:
            return
        if behind is None or behind.mark not in ("", ":") or len(suits) > 1 or self.suit:
            raise NotTold(word.start)
        self.suit = suits
        if self.at > 1 and self.words[self.at - 2].says("REMARK"):  # a clean hand of bamboo
            self.suit_of_all = suits

    def _bonus(self, word: _Word) -> None:
        letter, numbers = word.value("BONUS"), ""
        behind = self._next()
        if behind is not None and behind.says("TILES") and not behind.says("VALUES"):
            self.count = 0
            return
        while (behind := self._next()) is not None and behind.says("VALUES"):
            numbers += behind.value("VALUES")
            self.at += 1
        number = self.count or len(numbers)
        if not numbers and self.count == 4:
            numbers = "1234"
        self.count = 0
        if not numbers:
            kind, other = ("flower", "flowers 1 and 3") if letter == "f" else ("season", "seasons 1 and 3")
            raise refuse(
                "which-bonus", at=self.lattice.place(word.start, word.end), bonus=kind, example=other
            )
        if len(numbers) != number or set(numbers) - set("1234"):
            raise NotTold(word.start)
        self.phrase = None
        self._add(word, text=f"{numbers}{letter}")
        self.phrase = None

    def _own(self, word: _Word) -> None:
        which = word.value("OWN")
        wind = self._wind() if which != "round" else self.lattice.people.round
        behind = self._next()
        if wind is None and which in ("flower", "season") and behind is not None and behind.says("VALUES"):
            wind = dict(enumerate(_SEATS, 1)).get(int(behind.value("VALUES")))
        if wind is None:
            raise refuse("whose-wind", which, at=self.lattice.place(word.start, word.end))
        number = _SEATS.index(wind) + 1
        text = {"flower": f"{number}f", "season": f"{number}s"}.get(which, f"{wind}w")
        if which in ("flower", "season"):
            self.phrase = None
            if behind is not None and behind.says("VALUES"):  # own flower 2
                self.at += 1
                if behind.value("VALUES") != str(number):
                    raise NotTold(behind.start)
        elif (
            behind is not None
            and behind.says("TILES")
            and read_tiles(behind.value("TILES")) == read_tiles(text)
        ):
            self.at += 1  # own wind, south
        self._add(word, text=text)

    def _wind(self) -> str | None:
        if self.seat is None:
            return None
        players = {player: wind for wind, player in self.lattice.people.players.items()}
        return players.get(self.seat.value, str(self.seat.value))

    def _special(self, word: _Word) -> None:
        self.phrase = None
        self._add(word, text=word.value("SPECIAL"))
        self.phrase = None

    def _family(self, word: _Word) -> None:
        """Winds and dragons of a kind are told behind that."""

    # what is told of sets

    def _set(self, word: _Word) -> None:
        kind = "SET" if word.says("SET") else "SETS"
        phrase, value = self.phrase, word.value(kind)
        behind = self._next()
        while behind is not None and behind.says("STATE", "SUIT", "EVERY", "FAMILY"):
            behind = self._next(self.words.index(behind, self.at) - self.at + 1)
        names = behind is not None and behind.says("TILES", "VALUES", "PLURAL", "TIMES_OF", "OWN")
        if phrase is not None and not phrase.set and phrase.members and not names:
            phrase.set, phrase.several = value, kind == "SETS"
        elif phrase is not None and phrase.count and not phrase.members:
            # four pungs and a pair: ...
            if behind is not None or self.at >= len(self.words) or self.words[self.at].mark != ":":
                raise NotTold(word.start)
        else:
            self._begin(value, kind == "SETS")

    _sets = _set

    def _state(self, word: _Word, every: str = "") -> None:
        value, phrase = word.value("STATE"), self.phrase
        ahead = self.words[self.at] if self.at < len(self.words) else None
        if word.says("SIGN") and self._is_sign():
            self._sign(word)
        elif every and (phrase is None or not phrase.set or not phrase.several):
            self._of_several(word, every, value)
        elif phrase is not None and phrase.set and not phrase.members and not phrase.state:
            phrase.state = value
        elif ahead is not None and ahead.mark == ":":
            self.section, self.phrase = value, None
        elif self._stands_before(word):
            self.state, self.phrase = value, None
        else:
            self._lies(phrase or (self.phrases[-1][0] if self.phrases and word.mark else None), word, value)

    def _lies(self, phrase: _Phrase | None, word: _Word, value: str) -> None:
        """Say how the sets of a phrase lie. Raises NotTold where it has been said, or can be of one of several groups."""
        if phrase is None or phrase.state or not (phrase.set or phrase.is_one_group):
            raise NotTold(word.start)
        phrase.state = value

    def _stands_before(self, word: _Word) -> bool:
        """Return whether a word for how sets lie belongs to what stands behind it, not to what stands before."""
        behind, phrase = self._next(), self.phrase
        if behind is None or not behind.says(
            "SET", "SETS", "TILES", "VALUES", "PLURAL", "SUIT", "TIMES_OF", "OWN"
        ):
            return False
        before = phrase is not None and phrase.members and phrase.clause <= self.clause and not word.is_joined
        if before and behind.is_joined:
            return False
        if not before or phrase is None or phrase.state:
            return True
        if behind.says("SUIT") and any(member.is_waiting for member in phrase.members):
            return False
        first = next(place for place in range(self.at - 1, -1, -1) if self.words[place].mark)
        clause = [self.words[first]]
        for one in self.words[first + 1 :]:
            if one.mark:
                break
            clause.append(one)
        if clause[-1].says("STATE") and not clause[0].says("STATE"):
            return False
        raise NotTold(word.start)

    def _of_several(self, word: _Word, every: str, value: str) -> None:
        """Say of both last sets, or of all, how they lie."""
        if every == "all":
            if self.throughout not in ("", value):
                raise NotTold(word.start)
            self.throughout = value
            return
        left = 2
        for phrase, _ in reversed(self.phrases):
            if left and phrase.set in _LYING:
                left -= len(list(phrase.sets()))
                if phrase.state or left < 0:
                    raise NotTold(word.start)
                phrase.state = value
        if left:
            raise NotTold(word.start)

    def _every(self, word: _Word) -> None:
        behind = self._next()
        if behind is not None and behind.says("STATE"):
            self.at += 1
            self._state(behind, word.value("EVERY"))
        elif behind is not None and behind.says("SUIT") and word.value("EVERY") == "both":
            self.at += 1
            for phrase, _ in self.phrases[-2:]:
                self.phrase = phrase
                self._of_suits(behind, behind.value("SUIT"))
        elif behind is not None and behind.says("BONUS"):
            self.count = 4
        elif behind is None or not behind.says("VALUES", "SETS"):
            raise NotTold(word.start)

    def _throughout(self, word: _Word) -> None:
        self._of_several(word, "all", word.value("THROUGHOUT"))

    def _open(self, word: _Word) -> None:
        piece = word.said.get("OPEN") or word.said["GLUED"]
        inside = self._next()
        if inside is not None and inside.says("STATE"):
            self.at += 1
            self._lies(
                self.phrase or (self.phrases[-1][0] if self.phrases else None), word, inside.value("STATE")
            )
        elif inside is None or not inside.says("REMARK"):
            self.phrase, self.state = None, "exposed" if piece.value == "(" else "concealed"
            self._begin()

    _glued = _open

    def _close(self, word: _Word) -> None:
        self.phrase, self.state = None, ""

    # what is told of how it ended

    def _is_sign(self) -> bool:
        """Return whether a word for exposed says how the last tile came: ``claimed the 8 of dots from dee``."""
        return self._tile_ahead(0) is not None or (self.phrase is None and self.tile is not None)

    def _tile_ahead(self, skip: int) -> tuple[_Member, int] | None:
        """Return the one tile that stands behind, and how many words it takes; nothing where more is told there."""
        while (word := self._next(skip)) is not None and word.says("UPON", "FINAL"):
            skip += 1
        if word is None:
            return None
        member = _Member(word.start, word.end, self.clause)
        if word.says("VALUES") and len(word.value("VALUES")) == 1:
            behind = self._next(skip + 1)
            member = member._replace(digits=word.value("VALUES"))
            if behind is not None and behind.says("SUIT"):
                suit = behind.value("SUIT")
                member, skip = member._replace(text=f"{member.digits}{suit}", end=behind.end), skip + 1
        elif word.says("OWN") and word.value("OWN") in ("wind", "round"):
            wind = self._wind() if word.value("OWN") == "wind" else self.lattice.people.round
            if wind is None:
                return None
            member = member._replace(text=f"{wind}w")
        elif word.says("TILES", "PLURAL"):
            piece = word.said.get("TILES") or word.said["PLURAL"]
            if piece.value.isdigit():
                return None
            member = member._replace(text=piece.value, asked=(piece.asked,) if piece.asked else ())
            if len(member.tiles) != 1 or member.tiles[0].is_bonus:
                return None
        else:
            return None
        behind = self._next(skip + 1)
        if behind is not None and not behind.says("SIGN", "FROM", "WIN", "FLAG", "FINAL", "UPON"):
            return None
        return member, skip + 1

    def _won_with(self, word: _Word) -> bool:
        """Take the winning tile that stands behind; or before, where it stands alone there."""
        ahead = self._tile_ahead(0)
        phrase = self.phrase
        if ahead is not None:
            tile, words = ahead
            self.at += words
            self.phrase = None
        elif (
            phrase is not None
            and not phrase.set
            and not phrase.state
            and phrase.clause == self.clause
            and len(phrase.members) == 1
            and word.mark == ""
            and (
                (phrase.members[0].is_waiting and len(phrase.members[0].digits) == 1)
                or len(phrase.members[0].tiles) == 1
            )
        ):
            tile = phrase.members[0]
            self.phrases.pop()
            self.phrase = None
        else:
            return False
        if self.tile is not None and (self.tile.text, self.tile.digits) != (tile.text, tile.digits):
            if self.tile.text and tile.text:
                raise NotTold(tile.start)
            tile = tile if tile.text else self.tile
        self.tile = tile
        return True

    def _win(self, word: _Word) -> None:
        self.won = True
        behind = self._next()
        named = behind is not None and behind.says("UPON", "FINAL") and self._tile_ahead(0) is not None
        if named or (self.phrase is not None and word.mark == ""):
            self._won_with(word)

    def _upon(self, word: _Word) -> None:
        behind = self._next()
        if behind is not None and behind.says("WHO") and word.is_of_whom(self.lattice.text):
            self._from(word)
            return
        ahead = self._tile_ahead(0)
        if ahead is not None and (self.won or word.mark or self.said or self.sign):
            self._won_with(word)

    def _final(self, word: _Word) -> None:
        if not self._won_with(word):
            if not word.says("FLAG"):
                raise NotTold(word.start)
            self._flag(word)
        self.won = True

    def _sign(self, word: _Word) -> None:
        sign = word.value("SIGN")
        if self.lattice.text[word.start : word.end].casefold() == "plus":
            return  # between what is told
        if self.sign not in ("", sign):
            raise NotTold(word.start)
        self.sign, self.won = sign, True
        self._won_with(word)

    def _from(self, word: _Word) -> None:
        who = self._next()
        of_set = self.phrase is not None and self.phrase.set and not self.phrase.members
        if who is None or not who.says("WHO") or (of_set and who.says("TILES")):  # paire de vent d'ouest
            meanings = [
                one for end, said in self.lattice.phrases(word.start) for one in said if end == word.end
            ]
            if any(one.language == "en" for one in meanings if one.kind == "from"):
                raise NotTold(word.start)
            return  # brelan de 3 cercles
        self.won = True
        self.at += 1
        piece = who.said["WHO"]
        if any(one.kind == "WHO" and one.value != piece.value for one in self.said):
            raise NotTold(word.start)
        if all(one.kind != "WHO" for one in self.said):
            self.said.append(piece)
        self._won_with(word)

    def _flag(self, word: _Word) -> None:
        piece = word.said["FLAG"]
        if all(one.value != Flag(piece.value) for one in self.said):
            self.said.append(piece._replace(kind="FLAG", value=Flag(piece.value)))
        self.won = True
        self._won_with(word)

    def _loss(self, word: _Word) -> None:
        self.lost = True

    def _rest(self, word: _Word) -> None:
        self.rest = True

    _dots = _rest

    def _remark(self, word: _Word) -> None:
        """Pass by what the tiles show; no pung of reds is more than that. Raises NotTold."""
        if (
            (behind := self._next()) is not None
            and behind.says("TILES", "PLURAL", "VALUES", "SUIT")
            and self._denies(word)
        ):
            raise NotTold(word.start)

    def _denies(self, word: _Word) -> bool:
        return self.lattice.text[word.start : word.end].casefold().startswith("no ")

    def _typed(self) -> Typed:
        parts = self._parts()
        if self.won and self.lost:
            raise NotTold(self.words[0].start)
        held = sum(3 if part.set == "kong" else len(part.tiles) for part in parts if not _is_bonus(part))
        end, ending = self.lattice.end, Ending()
        if not self.won and held < 13:
            if any(len(part.tiles) == 1 and not _is_bonus(part) for part in parts):
                raise NotTold(self.words[0].start)  # of a single tile it is not told what of it scores
            parts.append(Part("...", (), end, end))
        if self.won:
            tile = self.tile or _Member(end, end, 0)
            tiles = tile.tiles if tile.text else ()
            told = Part(tile.text or tile.digits, tiles, tile.start, tile.end, asked=tile.asked)
            ending = Ending(tile.start, max(tile.end, 1), self.sign or "?", told, None, tuple(self.said))
        return Typed(self.seat, None, tuple(parts), ending, True)

    def _parts(self) -> list[Part]:
        """Return what is told of tiles. Raises Refused for what is not told of them."""
        for phrase, _ in self.phrases:
            if phrase.set and not phrase.members:
                raise refuse("which-set", at=self.lattice.place(phrase.start, phrase.end), set=phrase.set)
            if phrase.is_uneven:
                raise NotTold(phrase.start)
            if self.suit_of_all:
                phrase.members = [member.suited(self.suit_of_all) for member in phrase.members]
        self._take_last()
        parts = [part for phrase, state in self.phrases for part in phrase.parts(state, self.throughout)]
        if self.throughout == "exposed" and not any(part.state == "exposed" for part in parts):
            raise NotTold(self.words[0].start)
        if any(len(set(part.tiles)) == 13 for part in parts):  # the pair is of one of the thirteen
            parts = [_one_of(part) if part.set == "pair" else part for part in parts]
        return parts

    def _take_last(self) -> None:
        """Take a number without a suit for the last tile, where no other is told. Raises Refused for more of them."""
        phrases = [phrase for phrase, _ in self.phrases]
        waiting = [member for phrase in phrases for member in phrase.members if member.is_waiting]
        alone = [phrase for phrase in phrases if phrase.members == waiting and len(phrases) > 1]
        if self.won and self.tile is None and len(waiting) == 1 and alone:
            self.tile, waiting = waiting[0], []
            self.phrases = [one for one in self.phrases if one[0] is not alone[0]]
        empty = all(phrase.members == waiting for phrase in phrases)
        if empty and not (self.tile or (self.rest and self.seat)):
            raise NotTold(self.words[0].start)
        if waiting:
            place, digits = self.lattice.place(waiting[0].start, waiting[0].end), waiting[0].digits
            raise refuse("missing-class", at=place, typed=digits, values=digits)


# of all that a word may say, what is tried first
_ORDER = (
    "SPECIAL", "REST", "LOSS", "REMARK", "THROUGHOUT", "OPEN", "GLUED", "CLOSE", "DOTS", "EVERY", "FINAL", "STATE", "SUITS", "OWN",
    "SET", "SETS", "TIMES", "SUIT", "PLURAL", "VALUES", "TIMES_OF", "TILES", "BONUS", "FAMILY", "WIN", "SIGN", "FROM", "FLAG", "UPON",
)  # fmt: skip


def _one_of(part: Part) -> Part:
    return part._replace(text=str(part.tiles[0]), tiles=part.tiles[:1], set="")


def _is_bonus(part: Part) -> bool:
    return bool(part.tiles) and part.tiles[0].is_bonus


def told_hand(lattice: Lattice, worth: Worth | None) -> Reading:
    """Return the hand that a line tells. Raises NotTold where it tells none so, Refused for what is to be asked."""
    start, seat = _seat_of(lattice)
    words = list(words_of(lattice, start))
    unknown = next((word for word in words if isinstance(word, int)), None)
    if unknown is not None:
        raise NotTold(unknown)
    known = [word for word in words if isinstance(word, _Word)]
    if not any(word.says(*_TOLD) for word in known):
        raise NotTold(start)
    teller = _Teller(lattice, known, seat, True)
    told = [teller.take()]
    if teller.was_greedy and told[0].ending:
        with suppress(NotTold, Refused):
            told.append(_Teller(lattice, known, seat, False).take())
    return _the_one(
        [one for typed in told for one in _with_a_last_tile(typed, lattice.text)], told[0], lattice, worth
    )


def _seat_of(lattice: Lattice) -> tuple[int, Piece | None]:
    """Return where a line goes on behind its seat, and the seat."""
    (first, *_) = lattice.starts(0)
    seats = [piece for piece in lattice.at(first) if piece.kind == "SEAT"] if first < lattice.end else []
    if not seats:
        return first, None
    seat = max(seats, key=lambda piece: piece.end)
    words = lattice.text[seat.start : seat.end]
    begun = len(words) > 1 or _BEHIND_LETTER.match(lattice.text, seat.end) is not None
    is_name = begun and seat.value in (*lattice.people.players, *lattice.people.players.values())
    if is_name or _OF_SEAT.match(lattice.text, seat.end):
        return seat.end, seat
    if not _OF_TILE.match(lattice.text, seat.end):
        raise NotTold(first)  # a seat, or a tile of the hand
    return first, None


def _with_a_last_tile(typed: Typed, text: str) -> Iterator[Typed]:
    """Yield the hand with each tile that can have been the last, the one told last first."""
    tile = typed.ending.tile
    if tile is None or tile.tiles:
        yield typed
        return
    if tile.text:
        # that of the pair told right before it, unless it is another
        last = next((part.tiles for part in reversed(typed.parts) if part.start < tile.start), ())
        is_it = len(set(last)) == 1 and str(last[0])[0] == tile.text and last[0].suit in "bcd"
        found = [read_tiles(f"{tile.text}{suit}").tiles[0] for suit in "bcd"]
        tiles = last[:1] if is_it and text[: tile.start].split()[-1] not in _ANOTHER else found
    elif _is_untold(typed):
        tiles = TILES[:KINDS]
    else:
        among = (part.tiles for part in reversed(typed.parts) if part.set != "kong" and not _is_bonus(part))
        tiles = [one for told in among for one in reversed(told)]
    for one in dict.fromkeys(tiles):
        yield typed._replace(ending=typed.ending._replace(tile=tile._replace(text=str(one), tiles=(one,))))


def _is_untold(typed: Typed) -> bool:
    """Return whether the last tile is none of those told."""
    tile = typed.ending.tile
    return tile is not None and not tile.text and over(next(with_states(typed))) == 0


def _the_one(typed: Sequence[Typed], first: Typed, lattice: Lattice, worth: Worth | None) -> Reading:
    """Return the hand that is meant by one of *typed*, which differ in their last tile. Raises Refused."""
    readings: dict[Hand, Reading] = {}
    asked: list[Refused] = []
    wrong: list[Refused] = []
    tiles: list[str] = []  # that can have been the last
    for one in typed:
        try:
            reading = meant_hand([one], lattice, worth)
        except Refused as refused:
            fits = refused.refusal.code in ASKING
            (asked if fits else wrong).append(refused)
        else:
            fits = len(typed) == 1 or worth is None or worth(reading.hand) is not None
            readings.update({reading.hand: reading} if fits else {})
        if fits and one.ending.tile is not None:
            tiles.append(one.ending.tile.text)
    if not readings and len(asked) < 2:
        raise [*asked, *wrong, NotTold(0)][0]
    if asked or not _is_settled(list(readings), first, worth):
        lines = [reading.text for reading in readings.values()]
        lines += [line for one in asked for line in one.refusal.lines]
        raise _which_tile(
            tiles, [] if _is_untold(first) else lines, lattice
        )  # what was not told is not made up
    reading = next(iter(readings.values()))
    more = ("the rest is not listed, and scores nothing",) if reading.hand.unlisted else ()
    return reading._replace(remarks=(*reading.remarks, *more))


def _is_settled(hands: Sequence[Hand], typed: Typed, worth: Worth | None) -> bool:
    """Return whether it is known which tile was the last of those told, or makes no difference."""
    unnamed = typed.ending.tile is not None and not typed.ending.tile.text
    alike = unnamed and worth is not None and len({worth(hand) for hand in hands}) == 1
    return not _is_untold(typed) and (len(hands) == 1 or alike)


def _which_tile(tiles: Sequence[str], lines: Sequence[str], lattice: Lattice) -> Refused:
    """Ask which of *tiles* was the last, with the first of the *lines* that they make."""
    offered = tuple(dict.fromkeys(lines))[:MOST_OFFERED]
    words = {"tiles": " or ".join(dict.fromkeys(tiles)), "tile": tiles[0]}
    refusal = refuse("which-tile", at=whole(lattice.typed), **words).refusal
    if not offered:
        return Refused(refusal)
    hint = f"type {' or '.join(offered)}"
    return Refused(refusal._replace(hint=hint, lines=offered, otherwise=refusal.hint))


@lru_cache(maxsize=1)
def _words_of_hands(every: frozenset[str]) -> tuple[str, ...]:
    """Return the words that a hand may have, English ones first; they are kept as long as *every* known word is the same."""
    return tuple(
        word
        for language in LANGUAGES
        for phrase, meanings in vocabulary().meanings.items()
        if any(meaning.language == language and meaning.kind.upper() in _OF_HANDS for meaning in meanings)
        for word in phrase.split()
        if word in every
    )


def respelt(lattice: Lattice) -> tuple[str, list[str]]:
    """Return the line with each word that nobody knows as the nearest one that a hand may have, and these; none where all are
    known, or one of them is like none.
    """
    start, _ = _seat_of(lattice)
    text, changed, last = lattice.text, "", 0
    words: list[str] = []
    every = vocabulary().words
    known = _words_of_hands(every)
    names = [name.casefold() for name in lattice.people.players.values()]
    people = {part for name in names for part in name.split()}
    for place in words_of(lattice, start):
        if isinstance(place, _Word):
            names = [] if place.says("FROM") else names
            continue
        word = _UNKNOWN.match(text, place)
        if word is None or len(word[0]) < 3 or plain(word[0]) in every or word[0].casefold() in people:
            return "", []
        near = nearest(word[0], [*names, *known] if place == start else known)
        if near is None:
            return "", []
        changed += f"{text[last:place]}{near}"
        last = word.end()
        words.append(near)
    return f"{changed}{text[last:]}" if words else "", words


def told_or(
    refusal: Refusal, lattice: Lattice, worth: Worth | None, line_of: Callable[[str], str]
) -> Reading:
    """Return the hand that a line tells in words; where it tells none, raise the *refusal* of what was typed, with the line
    that it is with its words spelt right, where *line_of* that makes one.
    """
    if refusal.code in (*ASKING, "nobody-again", "unknown-player", "no-such-seat"):
        raise Refused(refusal)
    try:
        return told_hand(lattice, worth)
    except Refused as asked:
        if asked.refusal.code in ASKING or refusal.code in _NOT_UNDERSTOOD:
            refusal = asked.refusal._replace(text=lattice.typed)
        if asked.refusal.code in ASKING:
            raise Refused(refusal) from None
    except NotTold:
        pass
    text, words = "", list[str]()
    with suppress(NotTold):
        text, words = respelt(lattice)
    hint = f"did you mean {' and '.join(dict.fromkeys(words))}"
    if refusal.code == "too-few-tiles" and not lattice.text.rstrip().endswith("..."):
        text, hint = f"{lattice.typed} ...", refusal.hint
    with suppress(Refused):
        line = line_of(text) if text else ""
        if line and not refusal.lines:
            refusal = refusal._replace(hint=f"{hint}; type {line}", lines=(line,), otherwise=refusal.hint)
    raise Refused(refusal)
