"""Read a hand as it is told at a table, where the grammar of a typed line finds none: what is said of several sets at once, the
last tile wherever it stands, and of a hand that lost no more than what scores.

A line is read word by word, and what a mark parts is not joined: a *phrase* is what is said in one breath, ``three open pungs,
twos, fours and sixes in circles``, with the *members* that it names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
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
_KINDS = frozenset(
    [
        "TILES",
        "VALUES",
        "PLURAL",
        "SUIT",
        "BONUS",
        "TIMES",
        "TIMES_OF",
        "SET",
        "SETS",
        "STATE",
        "SIGN",
        "WIN",
        "FROM",
        "WHO",
        "FLAG",
        "OPEN",
        "GLUED",
        "CLOSE",
        "DOTS",
        "EVERY",
        "REST",
        "LOSS",
        "REMARK",
        "FINAL",
        "OWN",
        "SPECIAL",
        "FAMILY",
        "SUITS",
        "UPON",
        "THROUGHOUT",
    ]
)
_TOLD = frozenset(
    [
        "SET",
        "SETS",
        "STATE",
        "SIGN",
        "WIN",
        "FROM",
        "FLAG",
        "EVERY",
        "REST",
        "LOSS",
        "FINAL",
        "OWN",
        "SPECIAL",
        "BONUS",
        "THROUGHOUT",
        "PLURAL",
    ]
)
_OF_HANDS = _KINDS | {"WIND", "DRAGON", "TILE"}
_MARK = re.compile(r"[\s|&–—-]*+(?:(?P<mark>[,;:/]|\.(?!\.))[\s|&–—-]*+)*+")
_CROSSING = re.compile(r"[,;:/]|\.\s")
_PLURAL = re.compile(r"([1-9])['’]?s(?![^\W_])")
_THEIRS = re.compile(r"([^\W\d_]++)(?:['’]s?)(?![^\W_])")
_LETTERS = re.compile(r"(p|c|k|pr)(?=\s+[^\W_])", re.IGNORECASE)
_BY_LETTER = {"p": "pung", "c": "chow", "k": "kong", "pr": "pair"}
_AND = re.compile("and|und|en|et|plus", re.IGNORECASE)
_A = re.compile(r"\b(?:a|an|another)\s+\Z", re.IGNORECASE)
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

    @property
    def tiles(self) -> tuple[Tile, ...]:
        run = read_tiles(self.text)
        return (run.tiles + run.bonus) * self.times


class _Phrase:
    """What is said in one breath: a word for the kind of *set*, for *several* or *count* of them, how they lie, and which."""

    def __init__(self, clause: int, kind: str = "", several: bool = False, count: int = 0) -> None:
        self.clause, self.set, self.several, self.count = clause, kind, several, count
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
        """Yield its parts; *state* is said of what follows it, *throughout* of all the hand. Raises Refused."""
        own = self.state or state
        size = SET_SIZES.get(self.set, 0)
        groups = list(self.sets(not self.state and "exposed" in (state, throughout)))
        if not self.set:
            alike = groupby(groups, key=lambda group: group[1] if len(group[1]) == 1 else group)
            groups = [(first[0][0], first[0][1] * len(first)) for first in (list(same) for _, same in alike)]
        for member, tiles in groups:
            told = tiles * size if len(tiles) == 1 and self.set not in ("", "chow") else tiles
            part = Part(format_tiles(told), told, member.start, member.end, asked=member.asked)
            kind = self.set or kind_of(part)
            if self.set and kind_of(part) != self.set:
                raise _unread(member.start)
            lies = own or (throughout if kind in ("pung", "kong", "chow") else "")
            if not self.set and (kind not in ("pung", "kong", "chow") or lies != "exposed"):
                if self.state == "exposed":
                    raise _unread(member.start)
                lies, kind = ("", "") if kind != "kong" else (lies, kind)
                lies = lies or ("concealed" if own == "concealed" else "")
            yield part._replace(set=kind, state="" if kind == "pair" else lies)


class NotTold(Exception):  # noqa: N818 - as a refusal, no error of the program
    """A line is not told so, from *position* on."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


_unread = NotTold


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
        if piece.kind in ("FLAG", "FLAG_BEGUN") or (kind == "WHO" and not behind_from) or kind not in _KINDS:
            continue
        crosses = kind in ("VALUES", "TILES") and _CROSSING.search(text, piece.start, piece.end)
        torn = kind == "TILES" and text[piece.end - 1 : piece.end + 1].isalpha() and piece.end < lattice.end
        of_suit = kind == "TIMES_OF" and any(
            meaning.kind == "suit" for _, meanings in lattice.phrases(piece.end) for meaning in meanings
        )
        if not (crosses or of_suit or (torn and text[piece.end].isalpha())):
            found.setdefault(piece.end, {}).setdefault(kind, piece)
    for end, meanings in lattice.phrases(position):
        if any(meaning.kind == "empty" for meaning in meanings):
            found.setdefault(end, {})
    plural, letters, theirs = (pattern.match(text, position) for pattern in (_PLURAL, _LETTERS, _THEIRS))
    if plural:
        found.setdefault(plural.end(), {})["PLURAL"] = Piece("PLURAL", plural[1], *plural.span())
    if letters:
        found[letters.end()] = {"SET": Piece("SET", _BY_LETTER[letters[1].casefold()], *letters.span())}
    if theirs and behind_from:
        name = lattice.people.named(theirs[1], discarder=True)
        if name is not None:
            found[theirs.end()] = {"WHO": Piece("WHO", name, *theirs.span())}
    if not found:
        return None
    end = max(found)
    return _Word(found[end], position, end, "")


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
                raise _unread(word.start)
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
        phrase = self.phrase = _Phrase(self.clause, kind, several, self.count)
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
        elif (behind := self._next()) is not None and behind.says("PLURAL") and digits in ("2", "3", "4"):
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
            raise _unread(word.start)
        self.phrase.members[-1] = self.phrase.members[-1]._replace(times=int(word.value("TIMES")))

    def _suit(self, word: _Word) -> None:
        self._of_suits(word, word.value("SUIT"))

    def _suits(self, word: _Word) -> None:
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
            raise _unread(word.start)
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
            raise _unread(word.start)
        self.phrase = None
        self._add(word, text=f"{numbers}{letter}")
        self.phrase = None

    def _own(self, word: _Word) -> None:
        which = word.value("OWN")
        wind = self._wind() if which != "round" else self.lattice.people.round
        if wind is None:
            raise refuse("whose-wind", which, at=self.lattice.place(word.start, word.end))
        number = _SEATS.index(wind) + 1
        text = {"flower": f"{number}f", "season": f"{number}s"}.get(which, f"{wind}w")
        behind = self._next()
        if which in ("flower", "season"):
            self.phrase = None
            if behind is not None and behind.says("VALUES"):  # own flower 2
                self.at += 1
                if behind.value("VALUES") != str(number):
                    raise _unread(behind.start)
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
            self.rest = self.rest  # "four pungs and a pair: …"
            if behind is not None or self.at >= len(self.words) or self.words[self.at].mark != ":":
                raise _unread(word.start)
        else:
            self._begin(value, kind == "SETS")

    _sets = _set

    def _state(self, word: _Word, every: str = "") -> None:
        value, phrase = word.value("STATE"), self.phrase
        ahead = self.words[self.at] if self.at < len(self.words) else None
        if word.says("SIGN") and self._is_sign(word):
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
            target = phrase or (self.phrases[-1][0] if self.phrases and word.mark else None)
            if (
                target is None
                or target.state
                or (not target.set and len(target.members) > 1 and not self._alike(target))
            ):
                raise _unread(word.start)
            target.state = value

    def _alike(self, phrase: _Phrase) -> bool:
        return len({(member.digits, member.text) for member in phrase.members}) == 1

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
        raise _unread(word.start)

    def _of_several(self, word: _Word, every: str, value: str) -> None:
        """Say of both last sets, or of all, how they lie."""
        if every == "all":
            if self.throughout not in ("", value):
                raise _unread(word.start)
            self.throughout = value
            return
        left = 2
        for phrase, _ in reversed(self.phrases):
            if left and phrase.set in ("pung", "kong", "chow"):
                left -= len(list(phrase.sets()))
                if phrase.state or left < 0:
                    raise _unread(word.start)
                phrase.state = value
        if left:
            raise _unread(word.start)

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
            raise _unread(word.start)

    def _throughout(self, word: _Word) -> None:
        self._of_several(word, "all", word.value("THROUGHOUT"))

    def _open(self, word: _Word) -> None:
        piece = word.said.get("OPEN") or word.said["GLUED"]
        inside = self._next()
        if inside is not None and inside.says("STATE"):
            self.phrase = self.phrase or (self.phrases[-1][0] if self.phrases else None)
            target, value = self.phrase, inside.value("STATE")
            if target is None or target.state:
                raise _unread(word.start)
            target.state = value
            self.at += 1
            return
        if inside is not None and inside.says("REMARK"):
            return
        self.phrase, self.state = None, "exposed" if piece.value == "(" else "concealed"
        self._begin()

    _glued = _open

    def _close(self, word: _Word) -> None:
        self.phrase, self.state = None, ""

    # what is told of how it ended

    def _is_sign(self, word: _Word) -> bool:
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
                raise _unread(tile.start)
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
                raise _unread(word.start)
            self._flag(word)
        self.won = True

    def _sign(self, word: _Word) -> None:
        sign = word.value("SIGN")
        if self.lattice.text[word.start : word.end].casefold() == "plus":
            return  # between what is told
        if self.sign not in ("", sign):
            raise _unread(word.start)
        self.sign, self.won = sign, True
        self._won_with(word)

    def _from(self, word: _Word) -> None:
        who = self._next()
        if who is None or not who.says("WHO"):
            meanings = [
                one for end, said in self.lattice.phrases(word.start) for one in said if end == word.end
            ]
            if any(one.language == "en" for one in meanings if one.kind == "from"):
                raise _unread(word.start)
            return  # brelan de 3 cercles
        self.won = True
        self.at += 1
        piece = who.said["WHO"]
        if any(one.kind == "WHO" and one.value != piece.value for one in self.said):
            raise _unread(word.start)
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
        """What the tiles show is not to be told."""

    def _typed(self) -> Typed:
        for phrase, _ in self.phrases if self.suit_of_all else ():
            phrase.members = [
                member._replace(text=member.text or f"{member.digits}{self.suit_of_all}")
                for member in phrase.members
            ]
        waiting = [
            (phrase, member) for phrase, _ in self.phrases for member in phrase.members if member.is_waiting
        ]
        if len(waiting) == 1 and self.won and self.tile is None and len(waiting[0][0].members) == 1:
            ((phrase, self.tile),) = waiting
            self.phrases = [one for one in self.phrases if one[0] is not phrase]
        elif waiting:
            if len(waiting) == sum(len(phrase.members) for phrase, _ in self.phrases):
                raise _unread(self.words[0].start)
            place = self.lattice.place(waiting[0][1].start, waiting[0][1].end)
            raise refuse("missing-class", at=place, typed=waiting[0][1].digits, values=waiting[0][1].digits)
        parts = [part for phrase, state in self.phrases for part in phrase.parts(state, self.throughout)]
        if any(len(set(part.tiles)) == 13 for part in parts):  # the pair is of one of the thirteen
            parts = [_one_of(part) if part.set == "pair" else part for part in parts]
        if self.won and self.lost:
            raise _unread(self.words[0].start)
        held = sum(3 if part.set == "kong" else len(part.tiles) for part in parts if not _is_bonus(part))
        end = self.lattice.end
        if not self.won and held < 13:
            parts.append(Part("...", (), end, end))
        ending = Ending()
        if self.won:
            tile = self.tile or _Member(end, end, 0)
            told = Part(
                tile.text or tile.digits,
                tile.tiles if tile.text else (),
                tile.start,
                tile.end,
                asked=tile.asked,
            )
            ending = Ending(tile.start, max(tile.end, 1), self.sign or "?", told, None, tuple(self.said))
        return Typed(self.seat, None, tuple(parts), ending, True)


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
    is_wind = len(words) > 1 and any(player == seat.value for player in lattice.people.players.values())
    if not is_wind and lattice.text[seat.end : seat.end + 1] != ":":
        return first, None  # a wind may be a tile of the hand
    return seat.end, seat


def _with_a_last_tile(typed: Typed, text: str) -> Iterator[Typed]:
    """Yield the hand with each tile that can have been the last, the one told last first."""
    tile = typed.ending.tile
    if tile is None or tile.tiles:
        yield typed
        return
    told = [
        one
        for part in reversed(typed.parts)
        if part.set != "kong"
        for one in reversed(part.tiles)
        if not one.is_bonus
    ]
    if tile.text:
        last = next((part.tiles for part in reversed(typed.parts) if part.start < tile.start), ())
        is_another = _A.search(text, 0, tile.start)  # not the one told before
        same = (
            []
            if is_another or len(set(last)) != 1
            else [one for one in last if one.suit in "bcd" and str(one)[0] == tile.text]
        )
        same = same or [one for one in told if one.suit in "bcd" and str(one)[0] == tile.text]
        told = same or [read_tiles(f"{tile.text}{suit}").tiles[0] for suit in "bcd"]
    if not tile.text and over(next(with_states(typed))) == 0:
        told = list(TILES[:KINDS])  # it was not told at all
    for one in dict.fromkeys(told):
        named = tile._replace(text=str(one), tiles=(one,))
        yield typed._replace(ending=typed.ending._replace(tile=named))


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
            (asked if refused.refusal.code in ASKING else wrong).append(refused)
            fits = refused.refusal.code in ASKING
        else:
            fits = len(typed) == 1 or worth is None or worth(reading.hand) is not None
            readings.update({reading.hand: reading} if fits else {})
        if fits and one.ending.tile is not None:
            tiles.append(one.ending.tile.text)
    tile = first.ending.tile
    named = tile is None or bool(tile.text)
    untold = not named and over(next(with_states(first))) == 0
    alike = worth is not None and len({worth(hand) for hand in readings}) == 1
    for reading in readings.values():
        if (
            not untold and not asked and (len(readings) == 1 or (alike and not named))
        ):  # or it makes no difference
            more = ("the rest is not listed, and scores nothing",) if reading.hand.unlisted else ()
            return reading._replace(remarks=(*reading.remarks, *more))
    if not readings and (len(asked) == 1 or not asked):
        raise [*asked, *wrong, NotTold(0)][0]
    lines = [reading.text for reading in readings.values()]
    lines += [line for refused in asked for line in refused.refusal.lines if line not in lines]
    words = {
        "tiles": " or ".join(dict.fromkeys(tiles)),
        "tile": tiles[0],
        "lines": " or ".join(lines[:MOST_OFFERED]),
    }
    refusal = refuse("two-readings", "last", at=whole(lattice.typed), **words).refusal
    raise Refused(
        refusal._replace(lines=tuple(lines[:MOST_OFFERED]), otherwise=f"name it, as in drew {tiles[0]}")
    )


def respelt(lattice: Lattice) -> str:
    """Return the line with each word that nobody knows as the nearest one that a hand may have; nothing where all are known,
    or one of them is like none.
    """
    start, _ = _seat_of(lattice)
    text, changed, last = lattice.text, "", 0
    phrases = vocabulary().meanings.items()
    every = {word for phrase, _ in phrases for word in phrase.split()}
    names = [name.casefold() for name in lattice.people.players.values()]
    known = [
        word
        for language in LANGUAGES
        for phrase, meanings in phrases
        if any(meaning.language == language and meaning.kind.upper() in _OF_HANDS for meaning in meanings)
        for word in phrase.split()
    ]
    for place in words_of(lattice, start):
        if isinstance(place, _Word):
            continue
        word = _UNKNOWN.match(text, place)
        near = nearest(word[0], [*names, *known] if place == start else known) if word else None
        if word is None or near is None or plain(word[0]) in every:
            return ""
        changed += f"{text[last:place]}{near}"
        last = word.end()
    return f"{changed}{text[last:]}" if changed else ""


def told_or(
    refusal: Refusal, lattice: Lattice, worth: Worth | None, line_of: Callable[[str], str]
) -> Reading:
    """Return the hand that a line tells in words; where it tells none, raise the *refusal* of what was typed, with the line
    that it is with its words spelt right, where *line_of* that makes one.
    """
    if refusal.code in ASKING:
        raise Refused(refusal)
    try:
        return told_hand(lattice, worth)
    except Refused as asked:
        if asked.refusal.code in (*ASKING, "missing-class"):
            raise Refused(asked.refusal._replace(text=lattice.typed)) from None
    except NotTold:
        pass
    if refusal.code == "too-few-tiles" and not refusal.lines:
        with suppress(Refused):
            line = line_of(f"{lattice.typed} ...")
            raise Refused(
                refusal._replace(hint=f"{refusal.hint}: {line}", lines=(line,), otherwise=refusal.hint)
            )
    text = respelt(lattice)
    with suppress(Refused):
        if text:
            line = line_of(text)
            hint = f"did you mean {text.strip()}? that would be read as {line}"
            refusal = refusal._replace(hint=hint, lines=(line,), otherwise=refusal.hint)
    raise Refused(refusal)
