"""What the words of a told hand come to, taken in one of the ways in which they can be taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, product
from typing import Any, NamedTuple

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER, SET_SIZES, Flag
from mjscore.game.tiles import KINDS, TILES, WINDS, Tile, format_tiles
from mjscore.notation.hand_builder import read_tiles
from mjscore.notation.lexer import Lattice, Piece
from mjscore.notation.speech import Ending, Part, Typed, kind_of
from mjscore.notation.told_words import STRENGTH, Word
from mjscore.notation.vocabulary import LAST_DISCARD, vocabulary
from mjscore.refusal import Refusal, refuse

LIKELY, RARE = (
    1,
    4,
)  # what a way costs that is as likely as the first one, and one that is tried where no likelier fits
_LYING = ("pung", "kong", "chow")
_NAMING = ("TILES", "VALUES", "PLURAL", "OWN", "TIMES_OF")
_LAID = ("STATE", "LIES")
_OTHER = {"exposed": "concealed", "concealed": "exposed"}
_GETTING = ("SIGN", "THROWS", "FINAL", "FLAG", "FROM")  # what stands beside the last tile
_HOPING = ("NEEDS", "UPON", "WIN", "COMPLETES")  # what may
# of all that a word may say, what is tried first
_ORDER = (
    "SHORT", "SPECIAL", "REST", "LOSS", "REMARK", "THROUGHOUT", "CONTRAST", "DENIAL", "OPEN", "CLOSE", "EVERY", "THEM", "NEEDS", "FINAL",
    "THROWS", "COMPLETES", "STATE", "LIES", "SUITS", "OWN", "SET", "SETS", "TIMES", "SUIT", "PLURAL", "VALUES", "TIMES_OF", "TILES",
    "BONUS", "FAMILY", "IT", "PLUS", "LESS", "SIGN", "WIN", "FROM", "FLAG", "UPON", "NOTHING", "DOTS", "EMPTY",
)  # fmt: skip


class NotTold(Exception):  # noqa: N818 - as a refusal, no error of the program
    """A line is not told so."""


class _Heading:
    """A word for sets of one *kind*, said once for all that follow: *several* of them, or as many as the *count*."""

    def __init__(self, kind: str, several: bool, count: int, word: Word, sentence: int) -> None:
        self.kind, self.several, self.count, self.word, self.sentence = kind, several, count, word, sentence
        self.state = ""
        self.groups: list[_Group] = []
        self.is_remark = self.is_drawn = False

    @property
    def is_full(self) -> bool:
        if self.count:
            return sum(len(group.sets()) for group in self.groups) >= self.count
        return bool(self.groups) and not self.several


class _Group:
    """Tiles that are told together: *values* that wait for a suit, or their *text*, so many *times*; the *set* that they are
    called, and how they lie.
    """

    def __init__(self, word: Word, sentence: int, values: str, text: str, times: int) -> None:
        self.start, self.end, self.sentence = word.start, word.end, sentence
        self.values, self.text, self.times = values, text, times
        self.suit = self.set = self.state = ""
        self.heading: _Heading | None = None
        self.asked: tuple[Refusal, ...] = ()
        self.in_brackets = self.is_plural = False

    @property
    def waits(self) -> bool:
        """Return whether its suit is not said beside it."""
        return not self.text

    @property
    def is_single(self) -> bool:
        """Return whether it is one tile, which no word calls a set."""
        return not self.set and self.times == 1 and len(self.tiles()) == 1

    @property
    def is_bonus(self) -> bool:
        return self.tiles()[0].is_bonus

    def tiles(self, suit: str = "") -> tuple[Tile, ...]:
        run = read_tiles(self.text or self.values + (self.suit or suit or "b"))
        return (run.tiles + run.bonus) * self.times

    def sets(self, suit: str = "") -> list[tuple[Tile, ...]]:
        """Return the tiles of each set that it holds. Raises NotTold where they are none of its kind."""
        tiles, size = self.tiles(suit), SET_SIZES.get(self.set, 0)
        if self.is_single and self.state == "exposed" and not self.is_bonus:
            found = [tiles * 3]
        elif self.set == "chow" or (not self.set and self.state == "exposed" and len(tiles) > 4):
            found = [tiles[at : at + 3] for at in range(0, len(tiles), 3)]
        elif self.set:
            found = [tuple(same) for _, same in groupby(tiles)]
            if len(found) > 1 and not (self.heading and self.heading.several):
                raise NotTold
            found = [one * size if len(one) == 1 else one for one in found]
        else:
            found = [tiles]
        if self.set and any(_kind(one) != self.set for one in found):
            raise NotTold
        return found

    @property
    def can_lie(self) -> bool:
        """Return whether it holds sets that can lie on the table; a single tile there is a pung."""
        if self.is_single and not self.is_bonus:
            return True
        try:
            return all(_kind(one) in _LYING for one in self.sets())
        except NotTold:
            return False


class _Item(NamedTuple):
    """A *group* of tiles, or what is said between them: its *kind* and *value*; the *mark* before it, and whether an "and" is."""

    kind: str
    word: Word
    sentence: int
    mark: str
    is_joined: bool
    value: Any = None
    group: _Group | None = None


class Taken(NamedTuple):
    """A hand as one way of taking the words has it, and what that *cost*; *passed* are the words of which it knows nothing.

    *unsaid* is whether it has sets on the table of which that is not said, *untold* whether its last tile is not told,
    *unsure* whether more is supposed than was said.
    """

    cost: int
    typed: Typed
    passed: tuple[Word, ...] = ()
    unsaid: bool = False
    untold: bool = False
    unsure: bool = False


def _kind(tiles: Sequence[Tile]) -> str:
    return kind_of(Part("", tuple(tiles), 0, 0))


def _named(word: Word) -> Piece:
    return Piece("WHO", word.said["WHO"], word.start, word.end)


class Teller:
    """Takes the words of a line in one way: where there are several, *choices* says which, the first one beyond those.

    *made* are the choices that were met, with what each of the other ways would *cost*.
    """

    def __init__(self, lattice: Lattice, words: Sequence[Word], choices: Sequence[int]) -> None:
        self.lattice, self.words, self.choices = lattice, words, choices
        self.made: list[int] = []
        self.costs: list[tuple[int, ...]] = []
        self.cost = self.at = self.sentence = self.count = 0
        self.times = 1
        self.items: list[_Item] = []
        self.headings: list[_Heading] = []
        self.heading: _Heading | None = None
        self.suit = self.suit_of_all = self.brackets = self.mark = ""
        self.passed: list[Word] = []
        self.roles: dict[int, str] = {}
        self.seat: Piece | None = None
        self.won = self.lost = self.waiting = self.rest = self.is_joined = self.unsure = False
        self.suited: list[_Group] = []  # which the last word for a suit was said of
        self.last: list[_Group] = []  # each may be the last tile
        self.dropped: list[_Group] = []  # told of the last tile, or of what never came
        self.last_of: _Group | None = None  # the set that the last tile was drawn for
        self.completed: str = ""  # the set that the last tile made

    def choose(self, *costs: int) -> int:
        """Return the number of the way to be taken here: 0, or one that has a cost."""
        place = len(self.made)
        chosen = self.choices[place] if place < len(self.choices) else 0
        self.made.append(chosen)
        self.costs.append(costs)
        self.cost += costs[chosen - 1] if chosen else 0
        return chosen

    def take(self) -> list[Taken]:
        """Return the hands that are told so; which tile was the last, and how it came, may be left open. Raises NotTold, and
        Refused for what is to be asked.
        """
        self._find_people()
        while self.at < len(self.words):
            word = self.words[self.at]
            self.at += 1
            self._part(word)
            if word.near:
                self.passed.append(word)
            kinds = ("WHO",) if self.at - 1 in self.roles else _ORDER
            takes = (getattr(self, f"_{kind.lower()}") for kind in kinds if kind in word.said)
            if self.roles.get(self.at - 1) != "seat" and not any(take(word) is not False for take in takes):
                self._pass(word)
        self._find_last()
        self._lay()
        return list(self._hands())

    # who

    def _find_people(self) -> None:
        """Say of each name whose it is: who holds the hand, or who discarded. Raises NotTold where two hold it."""
        holders: dict[str, Word] = {}
        aside: list[tuple[int, str]] = []
        for at, word in enumerate(self.words):
            before = self.words[at - 1] if at and not word.mark else None
            behind = self._word_behind(at)
            if word.says("WHO"):
                role = self._role(word, before, at)
                if role == "aside":
                    aside.append((at, word.said["WHO"]))
                self.roles[at] = role
                if role == "seat":
                    holders.setdefault(word.said["WHO"], word)
            elif word.says("WIND") and self._is_seat(word, before, behind, at):
                self.roles[at] = "seat"
                holders.setdefault(word.said["WIND"], word)
        for at, who in aside:  # cid (west), won with 5d (ann)
            self.roles[at] = "from" if holders and who not in holders else "seat"
            if self.roles[at] == "seat":
                holders.setdefault(who, self.words[at])
        if len(holders) > 1:
            raise NotTold
        for who, word in holders.items():
            self.seat = Piece("SEAT", who, word.start, word.end)

    def _role(self, word: Word, before: Word | None, at: int) -> str:
        behind = self._word_behind(at)
        robbed = before is not None and before.said.get("FLAG") == "robbed"
        if before is not None and (before.says("FROM") or before.said.get("UPON") == "by" or robbed):
            return "from"
        if before is not None and before.says("OPEN") and behind is not None and behind.says("CLOSE"):
            return "aside"
        for step in range(1, 4):  # ann kindly threw it
            one = self.words[at + step] if at + step < len(self.words) else None
            if one is None or one.mark or (one.said and not one.says("THROWS")):
                break
            if one.says("THROWS"):
                return "thrower"
        if word.says("OWNER") and behind is not None:
            if behind.says("THROWS") or behind.said.get("SIGN") == "<" or behind.says("FINAL"):
                return "from"
            if behind.says(*_NAMING) and at:
                return "from"
        return "seat"

    def _is_seat(self, word: Word, before: Word | None, behind: Word | None, at: int) -> bool:
        """Return whether a wind is who holds the hand, not a tile."""
        ends = at + 1 == len(self.words) or bool(self.words[at + 1].mark)
        colon = at + 1 < len(self.words) and self.words[at + 1].mark == "colon"
        if before is not None and before.says("COMPLETES", "WIN", "LOSS") and len(word.typed) > 1:
            return ends and at < 4 or before.says("COMPLETES") and ends
        if at or self._text_behind(word).startswith("winds"):
            return False
        if colon or (ends and len(self.words) > 1):
            return True
        return behind is not None and behind.says("WIN", "LOSS", "SIGN") and len(word.typed) > 1

    def _text_behind(self, word: Word) -> str:
        return self.lattice.text[word.end :].lstrip().casefold()

    def _word_behind(self, at: int) -> Word | None:
        """Return the word behind one, where no mark parts them."""
        word = self.words[at + 1] if at + 1 < len(self.words) else None
        return word if word is not None and not word.mark else None

    # word by word

    def _next(self, skip: int = 0) -> Word | None:
        """Return a word ahead, where no mark parts it."""
        words = self.words[self.at : self.at + skip + 1]
        return words[skip] if len(words) > skip and not any(word.mark for word in words) else None

    def _part(self, word: Word) -> None:
        """Take the mark before a word: it ends a sentence, and a list, unless that goes on behind it."""
        self.is_joined = word.is_joined or self.is_joined
        self.mark = max(self.mark, word.mark, key=STRENGTH.index)
        if not word.mark:
            return
        self.sentence += word.begins
        self.times, self.suit = 1, self.suit if word.mark == "colon" else ""
        heading = self.heading
        if heading is None:
            return
        goes_on = word.says(*_NAMING, "SUIT") and not heading.is_full
        if heading.groups and not heading.count and self.items[-1].kind == "STATE":
            goes_on = goes_on and not word.begins and bool(self.choose(LIKELY))
        elif heading.groups:
            goes_on = goes_on and not word.begins and (heading.count > 0 or not self.choose(LIKELY))
        elif not heading.count:
            goes_on = goes_on and not word.begins and word.mark != "colon"
        if not goes_on and (heading.groups or not heading.count):
            self.heading = None

    def _say(self, kind: str, word: Word, value: Any = None, group: _Group | None = None) -> None:
        if kind not in ("GROUP", "STATE"):
            self.heading = self.heading if self.heading is not None and self.heading.count else None
        self.items.append(_Item(kind, word, self.sentence, self.mark, self.is_joined, value, group))
        self.mark, self.is_joined = "", False

    def _pass(self, word: Word) -> None:
        """Pass over a word; none that stands where a tile is to be told. Raises NotTold."""
        before = self.words[self.at - 2] if self.at > 1 and not word.mark else None
        heading, ahead = self.heading, self._next()
        names = ahead is not None and ahead.says(*_NAMING, "SUIT", "SET", "SETS")
        begun = self.at == 1 and self.at < len(self.words) and self.words[self.at].mark == "colon"
        begun = (
            begun
            or heading is not None
            and not heading.groups
            and before is not None
            and before.says("SET", "SETS")
        )
        counts = before is not None and before.says("VALUES", "TIMES_OF")
        if (counts or begun) and not names and not word.said:
            raise NotTold(word)
        self.passed.append(word)

    def _groups(self) -> list[_Group]:
        return [item.group for item in self.items if item.group is not None]

    def _add(self, word: Word, values: str = "", text: str = "", asked: tuple[Refusal, ...] = ()) -> _Group:
        heading = self.heading
        if heading is not None and text and heading.groups and not heading.count:
            run = read_tiles(text).tiles
            if len(run) > 1 and _kind(run) != heading.kind:
                heading = self.heading = None
        if heading is not None and heading.is_full:
            joined = self.is_joined and not word.mark and heading.kind != "chow" and not heading.count
            if joined and self.choose(RARE):
                heading.several = True
            else:
                heading = self.heading = None
        group = _Group(word, self.sentence, values, text, self.times)
        group.asked, group.suit = asked, self.suit if values else ""
        group.state, group.in_brackets = self.brackets, bool(self.brackets)
        before = self.items[-1].group if self.items else None
        if heading is not None:
            group.heading, group.set, group.state = heading, heading.kind, heading.state or group.state
            heading.groups.append(group)
        elif before is not None and self._is_same(before, group, word):  # red red red
            before.times, before.end = before.times + group.times, word.end
            self.times = 1
            return before
        self.times = 1
        self._say("GROUP", word, None, group)
        return group

    def _is_same(self, before: _Group, group: _Group, word: Word) -> bool:
        alike = before.text and group.text and set(before.tiles()) == set(group.tiles())
        return bool(alike and not word.mark and not self.is_joined and not before.set and not before.heading)

    # tiles

    def _short(self, word: Word) -> bool:
        """Take a letter for a word, where it stands as one: 3b n 7b, p 5d."""
        meant, ahead = word.said["SHORT"], self._next()
        before = self.words[self.at - 2] if self.at > 1 and not word.mark else None
        named = ahead is not None and ahead.says(*_NAMING, "SET", "SETS", *_LAID, "FINAL")
        if meant in SET_SIZES:
            if ahead is None or not ahead.says(*_NAMING) or len(ahead.typed) < 2:
                return False
            self._begin(word, meant, False)
            return True
        letters = [
            one for one in (before, ahead) if one is not None and len(one.typed) == 1 and one.says("TILES")
        ]
        groups = self._groups()
        letters += [word] if word.mark and groups and len(groups[-1].text) == 1 else []
        waits = self.heading is not None and not self.heading.groups
        ends = ahead is None and meant == "and"
        if letters or waits or ends or (meant == "with" and not named):
            return False
        self.is_joined = True
        return True

    def _values(self, word: Word) -> None:
        digits, behind = word.said["VALUES"], self._next()
        ahead, skip = behind, 0
        while ahead is not None and ahead.says(*_LAID, "EVERY") and not ahead.says("SET"):
            skip += 1
            ahead = self._next(skip)
        beyond = self._next(skip + 1)
        one = len(digits) == 1
        in_words = word.typed[:1].isalpha()
        if one and ahead is not None and ahead.says("SETS") and not ahead.says("TILES"):
            self.count = int(digits)
        elif one and ahead is not None and ahead.says("SET") and in_words and digits != "1" and beyond:
            self.count = int(digits)
        elif behind is not None and behind.says("SPECIAL", "LOSS"):
            return
        elif one and behind is not None and behind.says("THEM") and self._groups():
            self._groups()[-1].times = int(digits)
        elif behind is not None and behind.says("BONUS"):
            self.count = int(digits)
        elif one and behind is not None and self._is_counted(behind, in_words):
            self.times = int(digits)
        elif one and behind is not None and behind.says("FAMILY"):
            self.passed.append(word)
        elif one and in_words and skip and self.headings:
            # plus one still in hand
            self._begin(word, self.headings[-1].kind, False)
        elif not (one and digits == "1" and in_words and behind is not None and behind.says("IT", "FROM")):
            self._add(word, digits)

    def _is_counted(self, behind: Word, in_words: bool) -> bool:
        """Return whether a number before a word is how many there are."""
        if behind.says("PLURAL") or (behind.says("TILES") and not behind.says("SUIT", "VALUES", "BONUS")):
            return True
        return in_words and behind.says("VALUES") and len(behind.said["VALUES"]) == 1

    def _times_of(self, word: Word) -> bool | None:
        behind = self._next()
        if behind is not None and behind.says("THEM") and self._groups():
            self._groups()[-1].times = word.said["TIMES_OF"]
        elif behind is not None and (behind.says(*_NAMING) or behind.says("SUIT")):
            self.times = word.said["TIMES_OF"]
        else:
            return False
        return None

    def _times(self, word: Word) -> bool | None:
        groups = self._groups()
        if not groups or groups[-1].set or not groups[-1].is_single:
            return False
        groups[-1].times = int(word.said["TIMES"])
        return None

    def _plural(self, word: Word) -> None:
        value = word.said["PLURAL"]
        counted = self.times > 1
        group = self._add(word, value) if value.isdigit() else self._add(word, text=value)
        group.is_plural = not counted

    def _tiles(self, word: Word) -> bool | None:
        piece, behind = word.said["TILES"], self._next()
        text, asked = piece.value, (piece.asked,) if piece.asked else ()
        if asked and behind is not None and behind.says("FAMILY") and set(text[:-1]) == {"W"}:
            text, asked = text[:-1] + behind.said["FAMILY"], ()
        if asked and asked[0].answers:
            told = list(asked[0].answers)
            told = (
                told[:1] + told[1:]
                if not self._groups() or self._groups()[-1].text[-1:] != "d"
                else told[::-1]
            )
            text, asked = told[self.choose(*[LIKELY] * (len(told) - 1))], ()
        self._add(word, text=text, asked=asked)
        return None

    def _own(self, word: Word) -> bool | None:
        """Take own wind, the wind of the round, one's own flower. Raises Refused where it is not known whose."""
        which, behind = word.said["OWN"], self._next()
        wind = self.lattice.people.round if which == "round" else self._wind()
        named = behind.said["TILES"].value if behind is not None and behind.says("TILES") else ""
        if wind is None and named and which in ("wind", "round"):
            return None  # own wind, south
        number = behind.said["VALUES"] if behind is not None and behind.says("VALUES") else ""
        if wind is None and which in ("flower", "season") and number in ("1", "2", "3", "4"):
            wind = WINDS[int(number) - 1]
        if wind is None:
            place = self.lattice.place(word.start, word.end)
            raise refuse("whose-wind", which, at=place)
        if which in ("flower", "season"):
            self.heading = None
            if number and number != str(WINDS.index(wind) + 1):
                raise NotTold
            self.at += bool(number)
            self._add(word, text=f"{WINDS.index(wind) + 1}{which[0]}")
            return None
        if behind is not None and behind.says("FAMILY"):
            self.at += 1
        ahead = self.words[self.at] if self.at < len(self.words) else None
        if ahead is not None and ahead.says("WIND") and ahead.mark in ("", "comma"):
            said = read_tiles(ahead.said["TILES"].value).tiles[0].value
            self.unsure |= said != wind
            wind, self.at = said, self.at + 1  # own wind, south
        self._add(word, text=f"{wind}w")
        return None

    def _wind(self) -> str | None:
        if self.seat is None:
            return None
        players = {player: wind for wind, player in self.lattice.people.players.items()}
        return players.get(self.seat.value, str(self.seat.value))

    def _special(self, word: Word) -> None:
        said = word.said["SPECIAL"]
        if self.heading is not None and not self.heading.several:
            self.heading = None
        if said.isdigit():
            if sum(one.says("VALUES", "TILES", "PLURAL") for one in self.words) < 5 and not any(
                len(str(one.said.get("VALUES", ""))) > 8 for one in self.words
            ):
                self._add(word, said)
        else:
            self._add(word, text=said)

    def _suit(self, word: Word) -> bool | None:
        return self._of_suits(word, word.said["SUIT"])

    def _suits(self, word: Word) -> bool | None:
        groups = [group for group in self._groups()[-1:] if group.waits]
        for group in groups:
            group.set = group.set or ("pung" if len(set(group.values)) == 1 else "chow")
            if group.heading is None:
                group.heading = _Heading(group.set, True, 0, word, self.sentence)
            group.heading.several = True
        return self._of_suits(word, "bcd")

    def _of_suits(self, word: Word, suits: str) -> bool | None:
        """Give the values before a suit that suit; where none stand there, those behind it."""
        waiting: list[_Group] = []
        for group in reversed(self._groups()):
            near = group.sentence == self.sentence or (not waiting and not word.begins)
            alike = not waiting or group.heading is waiting[-1].heading or not (group.set or waiting[-1].set)
            if not near or not group.waits or group.suit or not alike:
                break
            waiting.append(group)
        behind, before = self._next(), self.words[self.at - 2] if self.at > 1 else None
        if not waiting and self.suited and (word.is_joined or word.mark == "comma") and len(suits) == 1:
            if behind is None or not behind.says("VALUES", "PLURAL"):
                for group in self.suited:  # twos and fours, dots and bams
                    self._again(group, word, suits)
                return None
        if waiting and not (word.mark == "colon"):
            for group in waiting:
                group.text = " ".join(f"{group.values}{suit}" for suit in suits)
            waiting[0].end, self.suited = word.end, waiting[::-1]
        elif before is not None and not word.mark and before.says("EVERY", "REMARK"):
            self.suit_of_all = suits
        elif behind is not None and behind.says("VALUES", "PLURAL", "SET"):
            self.suit = suits
        elif self.at < len(self.words) and self.words[self.at].mark == "colon":
            self.suit_of_all = suits
        elif self.at == 1 or word.begins:
            self.suit_of_all = suits
        else:
            return False
        return None

    def _again(self, group: _Group, word: Word, suit: str) -> None:
        """Add the values of a group once more, in another suit."""
        other = _Group(word, self.sentence, group.values, f"{group.values}{suit}", group.times)
        other.set, other.heading = group.set, group.heading
        if group.heading is not None:
            group.heading.several = True
            group.heading.groups.append(other)
        self._say("GROUP", word, None, other)

    def _bonus(self, word: Word) -> None:
        """Take flowers or seasons, by number. Raises Refused where it is not said which."""
        letter, numbers, count = word.said["BONUS"], "", self.count
        self.count, self.heading = 0, None
        behind = self.words[self.at] if self.at < len(self.words) else None
        bonus = behind is not None and behind.says("TILES") and read_tiles(behind.said["TILES"].value).bonus
        groups = self._groups()
        told = bool(groups) and groups[-1].is_bonus and groups[-1].start == self.words[self.at - 2].start
        if bonus or (told and not count and self.at > 1):
            return  # flowers plum and orchid
        while behind is not None and behind.says("VALUES") and not behind.begins:
            beyond = self.words[self.at + 1] if self.at + 1 < len(self.words) else None
            of_tiles = beyond is not None and not beyond.mark and beyond.says("SUIT", "SET", "SETS", "PLURAL")
            comma = behind.mark and not (count and len(numbers) < count)
            if (
                of_tiles
                or set(behind.said["VALUES"]) - set("1234")
                or (numbers and comma and not behind.is_joined)
            ):
                break
            numbers += behind.said["VALUES"]
            self.at += 1
            behind = beyond
            if behind is not None and behind.said.get("SHORT") == "and" and not behind.mark:
                following = self.words[self.at + 1] if self.at + 1 < len(self.words) else None
                if following is not None and following.says("VALUES"):
                    self.at, behind = self.at + 1, following._replace(is_joined=True)
        if not numbers and count and not word.typed.endswith(("s", "n")) and count != 1:
            numbers, count = str(count), 1  # the 4 flower
        if not numbers and count == 4:
            numbers = "1234"
        if not numbers:
            kind, other = ("flower", "flowers 1 and 3") if letter == "f" else ("season", "seasons 1 and 3")
            place = self.lattice.place(word.start, word.end)
            raise refuse("which-bonus", at=place, bonus=kind, example=other)
        if count not in (0, len(numbers)):
            raise NotTold
        self._add(word, text=f"{numbers}{letter}")

    def _empty(self, word: Word) -> None:
        """It says nothing here."""

    def _family(self, word: Word) -> None:
        """Winds and dragons of a kind are told behind that."""

    # sets

    def _set(self, word: Word) -> bool | None:
        kind = word.said.get("SET") or word.said["SETS"]
        several = not word.says("SET")
        skip = 0
        while (ahead := self._next(skip)) is not None and ahead.says(*_LAID, "SUIT", "EVERY", "FAMILY"):
            skip += 1
        names = ahead is not None and ahead.says(*_NAMING)
        groups = self._groups()
        bare = [one for one in groups if one.sentence == self.sentence and not one.set and not one.asked]
        behind = self._next()
        if behind is not None and behind.says("THEM") and bare:
            for group in bare if several else bare[-1:]:
                group.set = kind
            return None
        last = self.items[-1].group if self.items else None
        if last is not None and last in bare and not word.mark and not self.is_joined and not self.count:
            alone = len(set(last.values if last.waits else last.tiles())) == 1
            fits = (
                last.is_single
                or (alone and last.times in (1, SET_SIZES[kind]))
                or _kind(last.tiles()) == kind
            )
            of_it = fits and not (kind == "chow" and last.is_single) and (not names or last.is_single)
            if of_it and not (names and self.choose(RARE)):
                last.set, last.end = kind, word.end
                if several:
                    for group in bare:
                        group.set = kind if group.is_single else group.set
                return None
        heading = self.heading
        if heading is not None and heading.count and not heading.groups and not names:
            return None  # four pungs and a pair: ...
        self._begin(word, kind, several)
        return None

    _sets = _set

    def _begin(self, word: Word, kind: str, several: bool) -> None:
        place = self.at - 2
        while place > 0 and self.words[place].says("SHORT"):
            place -= 1
        before, old = self.words[place] if place >= 0 and not word.mark else None, self.heading
        self.heading = _Heading(kind, several or self.count > 1, self.count, word, self.sentence)
        state, before_it = (
            self.items[-1] if self.items else None,
            self._beside(len(self.items) - 1, -1) if self.items else None,
        )
        if (
            state is not None
            and state.kind == "STATE"
            and not self.mark
            and state.value[1] == ""
            and not state.word.says("LIES")
        ):
            if before_it is None or before_it.group is None or state.is_joined:
                self.heading.state = state.value[0]  # three open pungs
                self.items.pop()
                self.mark = state.mark
        if old is not None and not old.groups and old.word is before:  # chow chow chow and a pair
            old.is_remark = self.heading.is_remark = True
        self.heading.is_drawn = (
            bool(self.items) and self.items[-1].kind == "SIGN" and not self.mark and kind in ("pair", "pung")
        )
        self.headings.append(self.heading)
        self.count = 0

    def _state(self, word: Word) -> bool | None:
        value = word.said.get("STATE") or word.said["LIES"]
        previous = self.words[self.at - 2] if self.at > 1 else None
        if word.says("SIGN", "THROWS") and self._is_of_the_last():
            return False
        if not word.says("STATE") and word.says("WIN", "EMPTY", "ASIDE") and not self._lies_there(word):
            return False
        heading = self.heading
        if heading is not None and not heading.groups and previous is heading.word:
            if not word.mark:
                heading.state = value
                return None
        self._say("STATE", word, (value, ""))
        return None

    _lies = _state

    def _lies_there(self, word: Word) -> bool:
        """Return whether out, in or hand is said of sets: right behind one, before one or a colon."""
        group = self.items[-1].group if self.items else None
        behind, ahead = self.words[self.at] if self.at < len(self.words) else None, self._next()
        ends = behind is None or bool(behind.mark) or behind.is_joined
        if behind is not None and behind.mark == "colon":
            # ann's hand: is what it is
            return word.says("WIN") or any(item.kind in ("GROUP", "STATE") for item in self.items)
        if group is not None and not word.mark and not self.is_joined and ends:
            return group.can_lie or not word.says("WIN")
        before = self.words[self.at - 2] if self.at > 1 else None
        heads = (
            bool(word.mark)
            or self.is_joined
            or (before is not None and self.roles.get(self.at - 2) == "seat")
        )
        names = ahead is not None and ahead.says(*_NAMING, "SET", "SETS")
        return heads and names and not (word.says("WIN") and self.choose(LIKELY))

    def _is_of_the_last(self) -> bool:
        """Return whether claimed or called is said of the last tile: claimed the 8 of dots from dee."""
        skip = 0
        while (word := self._next(skip)) is not None and word.says("UPON", "FINAL"):
            skip += 1
        group = self.items[-1].group if self.items else None
        if word is None:
            return False
        if skip or word.says("IT"):
            return True
        if word.says("FROM"):
            return group is not None and group.is_single
        if word.says("VALUES") and len(word.said["VALUES"]) == 1:
            skip += 1
            while (word := self._next(skip)) is not None and word.says("SUIT"):
                skip += 1
        elif word.says("TILES") and len(read_tiles(word.said["TILES"].value).tiles) == 1:
            word = self._next(skip + 1)
        else:
            return False
        return word is None or not word.says(*_NAMING, "SET", "SETS", "TIMES", "SUIT")

    def _every(self, word: Word) -> None:
        every, behind = word.said["EVERY"], self._next()
        if behind is not None and behind.says(*_LAID):
            self.at += 1
            self._say("STATE", word, (behind.said.get("STATE") or behind.said["LIES"], every))
        elif behind is not None and behind.says("BONUS"):
            self.count = 2 if every == "both" else 4
        elif behind is not None and behind.says("SUIT") and any(group.waits for group in self._groups()):
            self.at += 1
            for group in self._groups():
                if group.waits and not group.suit and group.sentence == self.sentence:
                    group.text = f"{group.values}{behind.said['SUIT']}"
        elif behind is not None and behind.says("SETS") and every == "all":
            self.at += 1
            self._all_are(behind)

    def _all_are(self, word: Word) -> None:
        """Say of the groups before what sets they are: 2 4 6 8 bams all pungs."""
        kind = word.said["SETS"]
        for group in self._groups():
            if (
                not group.set
                and kind != "chow"
                and len(set(group.tiles())) == len(group.tiles())
                and group.values
            ):
                group.set, group.heading = kind, _Heading(kind, True, 0, word, self.sentence)

    def _throughout(self, word: Word) -> None:
        self._say("STATE", word, (word.said["THROUGHOUT"], "hand"))

    def _nothing(self, word: Word) -> None:
        behind = self._next()
        if behind is not None and behind.says(*_LAID):
            self.at += 1
            value = _OTHER[behind.said.get("STATE") or behind.said["LIES"]]
            self._say("STATE", word, (value, "hand"))
        else:
            self.rest = True

    def _open(self, word: Word) -> None:
        inside, behind = self._next(), self._next(1)
        if inside is not None and inside.says(*_LAID) and (behind is None or behind.says("CLOSE")):
            self.at += 2
            self._say("STATE", word, (inside.said.get("STATE") or inside.said["LIES"], "one"))
        elif inside is not None and inside.says(*_NAMING, "SET"):
            self.heading, self.brackets = None, "exposed" if word.said["OPEN"] == "(" else "concealed"

    def _close(self, word: Word) -> None:
        self.heading, self.brackets = None, ""

    # how it ended

    def _denial(self, word: Word) -> None:
        """Take how a set does not lie; what else is denied is not understood. Raises NotTold."""
        behind, before = self._next(), self.words[self.at - 2] if self.at > 1 else None
        if before is not None and before.says("REST", "NOTHING") and not word.mark:
            return  # nothing but
        if (
            word.said["DENIAL"] == "or"
            and len(self.items) > 1
            and self.items[-2].kind == "NEEDS"
            and behind is not None
        ):
            self._say("NEEDS", word)
            return
        if behind is None or not behind.says(*_LAID) or word.said["DENIAL"] != "not":
            raise NotTold(word)
        self.at += 1
        self._say("STATE", word, (_OTHER[behind.said.get("STATE") or behind.said["LIES"]], ""))

    def _contrast(self, word: Word) -> bool | None:
        before = [one for one in self.words[max(0, self.at - 4) : self.at - 1]]
        if any(one.says("EVERY", "NOTHING", "THROUGHOUT", "REST") for one in before):
            raise NotTold  # all but ...
        return False if not word.says("DENIAL") else self._pass(word)

    def _needs(self, word: Word) -> None:
        self._say("NEEDS", word)

    def _final(self, word: Word) -> None:
        self._say("FINAL", word, word.said.get("FLAG"))

    def _it(self, word: Word) -> None:
        self._say("IT", word)

    def _them(self, word: Word) -> None:
        """It has been said of what."""

    def _completes(self, word: Word) -> None:
        if self.roles.get(self.at) != "seat":
            self._say("COMPLETES", word)

    def _throws(self, word: Word) -> bool | None:
        thrower = next(
            (at for at in range(self.at - 2, max(-1, self.at - 5), -1) if self.roles.get(at) == "thrower"),
            None,
        )
        if thrower is None and word.says("SIGN"):
            return False
        self._say("THROWS", word, None if thrower is None else _named(self.words[thrower]))
        return None

    def _plus(self, word: Word) -> None:
        ahead = self._next()
        one = ahead is not None and ahead.says("TILES", "VALUES") and self._is_of_the_last()
        if one:
            self._say("SIGN", word, "+")
        else:
            self.is_joined = True

    def _less(self, word: Word) -> None:
        self._say("SIGN", word, "<")

    def _sign(self, word: Word) -> None:
        if word.says("JOINER"):
            self.is_joined = True
        else:
            self._say("SIGN", word, word.said["SIGN"])

    def _win(self, word: Word) -> None:
        self.won = True
        self._say("WIN", word)

    def _from(self, word: Word) -> bool | None:
        """Behind it stands who discarded; a foreign word for it may say of what a set is."""
        if self.roles.get(self.at) == "from":
            return None
        meanings = [one for end, said in self.lattice.phrases(word.start) for one in said if end == word.end]
        if any(one.language == "en" for one in meanings if one.kind == "from") and not word.says("ASIDE"):
            raise NotTold(word)
        return None

    def _who(self, word: Word) -> None:
        if self.roles.get(self.at - 1) == "from":
            self._say("FROM", word, _named(word))
            kong = self._next()
            if kong is not None and kong.said.get("SET") == "kong":
                self.at += 1  # robbed cid's kong

    def _flag(self, word: Word) -> None:
        self._say("FLAG", word, word.said["FLAG"])

    def _upon(self, word: Word) -> None:
        self._say("UPON", word)

    def _loss(self, word: Word) -> None:
        if word.said["LOSS"] == "waiting":
            self.waiting = True
            self._say("NEEDS", word)
        else:
            self.lost = True

    def _rest(self, word: Word) -> None:
        self.rest = True

    _dots = _rest

    def _remark(self, word: Word) -> None:
        """Pass by what the tiles show; no pung of reds is more than that. Raises NotTold."""
        behind = self._next()
        if word.said["REMARK"] == "none" and behind is not None and behind.says(*_NAMING, "SUIT"):
            raise NotTold

    # the last tile

    def _beside(self, at: int, step: int) -> _Item | None:
        """Return the item beside one, where no mark parts them."""
        place = at + step
        if not 0 <= place < len(self.items):
            return None
        mark = self.items[max(at, place)].mark
        return self.items[place] if mark in ("", "colon") else None

    def _find_last(self) -> None:
        """Find the tile that came last, and what was only hoped for. Raises NotTold where two tiles are told to be the last."""
        sure: list[_Group] = []
        alone: list[_Group] = []
        needed: list[_Group] = []
        maybe: list[_Group] = []
        for at, item in enumerate(self.items):
            group = item.group
            before, behind = self._beside(at, -1), self._beside(at, 1)
            if before is not None and before.kind == "UPON":
                before = self._beside(at - 1, -1) or before
            if group is not None and group.heading is not None and group.heading.is_drawn:
                self.last_of = self.last_of or group  # drew his pair, 3 cracks
            if group is None or not group.is_single or group.is_bonus:
                continue
            if behind is not None and (behind.is_joined or behind.kind == "FINAL"):
                behind = None
            kinds = {one.kind for one in (before, behind) if one is not None}
            if not kinds.isdisjoint(_GETTING):
                sure.append(group)
            elif before is not None and before.kind == "NEEDS":
                needed.append(group)
            elif at and self.items[at - 1].kind in (*_GETTING, "IT") and not self._is_listed(at):
                alone.append(group)
            elif (before is not None and before.kind in _HOPING) or (
                behind is not None and behind.kind == "COMPLETES"
            ):
                maybe += [group] if not self._is_listed(at) else []
        kinds = {item.kind for item in self.items}
        signs = [
            at
            for at, item in enumerate(self.items)
            if item.kind in ("SIGN", "FROM") and not self._is_of_another(at)
        ]
        self.won = self.won or bool(signs and not self.lost)
        got = self.won or "THROWS" in kinds
        self.dropped += needed
        if sure:
            self.last = _agreeing(sure)
            self.dropped += sure
            self.dropped += [one for one in maybe if _agreeing([one, *self.last], False)]
        elif needed and got and not self.lost:
            self.last = needed
        elif self.last_of is not None and len(set(self.last_of.tiles())) == 1:
            self.last = [self.last_of]
        elif got and (it := self._meant_by_it()) is not None:
            self.last = [it]
        elif self.won and (maybe or alone):
            self.last = _agreeing(maybe or alone)
            self.dropped += maybe or alone
            self.unsure |= not maybe
        self.won = self.won or bool(self.last)
        if self.last and self.headings:
            alone = [one for one in self.headings if not one.groups and not one.several]
            if alone:
                self.completed = alone[0].kind
                self.headings.remove(alone[0])

    def _is_of_another(self, at: int) -> bool:
        """Return whether a word for drawing or claiming is said of a flower, or of the tile for that: took a loose tile."""
        behind = self._beside(at, 1)
        return behind is not None and (
            behind.kind == "FLAG" or (behind.group is not None and behind.group.is_bonus)
        )

    def _is_listed(self, at: int) -> bool:
        """Return whether another single tile stands beside one, as in a list of them."""
        for place in (at - 1, at + 1):
            item = self.items[place] if 0 <= place < len(self.items) else None
            mark = self.items[max(at, place)].mark if item is not None else ""
            if item is not None and item.group is not None and item.group.is_single and mark in ("", "comma"):
                return True
        return False

    def _meant_by_it(self) -> _Group | None:
        """Return the group whose tile was the last: drew another, got the third off ben."""
        for at, item in enumerate(self.items):
            if item.kind not in ("IT", "FINAL"):
                continue
            around = {one.kind for one in (self._beside(at, -1), self._beside(at, 1)) if one is not None}
            if around.isdisjoint(("SIGN", "THROWS", "FROM", "WIN")):
                continue
            groups = [
                one.group for one in self.items[:at] if one.group is not None and not one.group.is_bonus
            ]
            if groups and len(set(groups[-1].tiles())) == 1:
                return groups[-1]
        return None

    # how sets lie

    def _lay(self) -> None:
        """Say of each set how it lies, as far as that is said. Raises NotTold where it is said in two ways."""
        items = [item for item in self.items if item.group is None or item.group not in self.dropped]
        self.rest_state = ""
        told = [(at, item) for at, item in enumerate(items) if item.kind == "STATE"]
        for number, (at, item) in enumerate(told):
            state, every = item.value
            last = told[number - 1][0] if number else -1
            next_at = told[number + 1][0] if number + 1 < len(told) else len(items)
            before = [one for one in items[last + 1 : at] if one.group is not None]
            behind = [one for one in items[at + 1 : next_at] if one.group is not None]
            if every == "hand":
                self._set_state([one for one in items if one.group is not None], state, True)
            elif every == "rest":
                self.rest_state = state
            elif every in ("all", "both"):
                self._lay_several(items, before, behind, item, state, every)
            elif every == "one":
                self._set_state(before[-1:] or self._last_group(items, at), state)
            else:
                self._lay_one(items, at, before, behind, state, number + 1 < len(told))

    def _last_group(self, items: Sequence[_Item], at: int) -> list[_Item]:
        return [one for one in items[:at] if one.group is not None][-1:]

    def _set_state(self, items: Iterable[_Item], state: str, mildly: bool = False) -> None:
        """Say how sets lie; *mildly* only of those of which it is not said, and which can lie so."""
        for group in (item.group for item in items):
            if group is None or group.is_bonus or (mildly and (group.state or not group.can_lie)):
                continue
            if group.state not in ("", state) and not group.in_brackets:
                raise NotTold
            group.state = state

    def _lay_several(self, items, before, behind, item, state, every) -> None:
        if every == "both":
            lying = [one for one in before if one.group.can_lie and not one.group.state][-2:]
            if len(lying) < 2:
                lying = [one for one in behind if one.group.can_lie][:2] if not before else lying
            self._set_state(lying, state)
            return
        here = [one for one in before if one.sentence == item.sentence]
        following = [one for one in behind if one.sentence == item.sentence]
        if here:
            self._set_state(here, state, True)
        elif following and item.mark != "comma":
            self._set_state(following, state, True)
        else:
            self._set_state([one for one in items if one.group is not None], state, True)

    def _lay_one(self, items, at, before, behind, state, more) -> None:
        """Say how the sets before a word lie, or those behind it."""
        item = items[at]
        next_item = items[at + 1] if at + 1 < len(items) else None
        after = behind[0] if behind and next_item is behind[0] else None
        previous = items[at - 1] if at else None
        prior = before[-1] if before and previous is before[-1] and item.mark in ("", "comma") else None
        pre = after is not None and after.mark in ("", "colon")
        post = prior is not None
        section = item.word.says("LIES") or (after is not None and after.mark == "colon")
        if pre and post:
            if item.mark or item.is_joined or after.mark == "colon":
                post = False
            elif after.is_joined:
                pre = False
            else:
                # where no mark tells, the words of a line stand all before their sets, or all behind them
                first = next(one for one in items if one.kind in ("STATE", "GROUP"))
                ahead = first.kind == "STATE"
                if self.choose(LIKELY):
                    ahead = not ahead
                pre, post = ahead, not ahead
        if pre and after is not None:
            self._lay_behind(behind, state, section, more)
        elif post and prior is not None:
            self._lay_before(before, state, item)
        elif before and item.mark in ("", "comma"):
            self._set_state(before[-1:], state)
        elif behind and next_item is behind[0] and behind[0].mark in ("comma",) and section:
            self._lay_behind(behind, state, section, more)
        else:
            self.passed.append(item.word)

    def _lay_behind(self, behind, state, section, more) -> None:
        first = behind[0].group
        mates = [
            one
            for one in behind
            if one.group is first or (one.group.heading is first.heading and first.heading is not None)
        ]
        self._set_state(mates, state)
        wide = [one for one in behind if one not in mates]
        run = []
        for one in wide:
            if (
                one.group.state
                or one.sentence != behind[0].sentence
                or (state == "exposed" and not one.group.can_lie)
            ):
                break
            run.append(one)
        if not run or not self._matters(run, state):
            return
        joined = run[0].is_joined and run[0].mark == ""
        if section:
            if more or not self.choose(LIKELY):
                self._set_state(run, state)
        elif joined and self.choose(LIKELY):
            self._set_state(run[:1], state)

    def _lay_before(self, before, state, item) -> None:
        last = before[-1].group
        mates = [
            one
            for one in before
            if one.group is last or (one.group.heading is last.heading and last.heading is not None)
        ]
        self._set_state(mates, state)
        run = []
        mark = before[before.index(mates[0])]
        follower = mates[0]
        for one in reversed([one for one in before if one not in mates]):
            if (
                follower.mark not in ("", "comma")
                or one.group.state
                or (state == "exposed" and not one.group.can_lie)
            ):
                break
            run.append(one)
            follower = one
        if run and self._matters(run, state) and self.choose(LIKELY):
            self._set_state(run, state)

    def _matters(self, items, state) -> bool:
        kinds = {_kind(one) for item in items for one in item.group.sets()}
        return state == "exposed" or "kong" in kinds

    # the hands

    def _hands(self) -> Iterator[Taken]:
        """Yield the hand with each tile that can have been the last, drawn and claimed where neither is said."""
        alone = [one for one in self.headings if not one.groups and not one.count]
        for heading in alone:
            if not heading.several and not heading.is_remark:
                word = heading.word
                raise refuse("which-set", at=self.lattice.place(word.start, word.end), set=heading.kind)
            self.passed.append(heading.word)
        for heading in self.headings:
            if heading.groups and heading.count:
                if (
                    heading.kind != "pair"
                    and sum(len(group.sets()) for group in heading.groups) != heading.count
                ):
                    raise NotTold
            elif heading.count:
                self.passed.append(heading.word)
        groups = [group for group in self._groups() if group not in self.dropped]
        if not groups and not self.last and not (self.rest and self.seat):
            raise NotTold
        for suits in self._suit_ways(groups):
            parts = self._parts(groups, suits)
            yield from self._ended(parts, bool(suits) or self.unsure)

    def _suit_ways(self, groups: Sequence[_Group]) -> list[dict[int, str]]:
        """Return the suits that the groups may have that wait for one, the likeliest first."""
        for group in groups:
            if group.waits and not group.suit:
                group.suit = self.suit_of_all
        open_groups = [group for group in groups if group.waits and not group.suit]
        known = [
            tile.suit
            for group in groups
            if not group.waits
            for tile in group.tiles()
            if tile.suit in "bcd" and tile < 27
        ]
        known += [one.text[-1] for one in self.last if one.text and one.tiles()[0] < 27]
        suits = list(dict.fromkeys([*reversed(known), *"bcd"]))
        if not open_groups:
            return [{}]
        return [{id(group): suit for group in open_groups} for suit in suits]

    def _parts(self, groups: Sequence[_Group], suits: dict[int, str]) -> list[Part]:
        said = {group.state for group in groups if group.can_lie}
        parts: list[Part] = []
        orphans = any(len(set(group.tiles())) == 13 for group in groups)
        for group in groups:
            state = group.state or (self.rest_state if group.can_lie else "")
            if group.is_plural and group.is_single and state != "exposed":
                group.set, self.unsure = "pair" if self.choose(LIKELY) else "pung", True  # reds
            for tiles in group.sets(suits.get(id(group), "")):
                if orphans and len(set(tiles)) == 1 and len(tiles) == 2:
                    tiles = tiles[:1]
                kind = "" if group.is_bonus else _kind(tiles)
                if kind not in _LYING and state == "exposed":
                    if not group.in_brackets:
                        raise NotTold
                    state = ""
                if not state and kind in _LYING and "exposed" in said and kind != "kong":
                    state = "concealed"
                if not state and kind in ("pung", "chow") and not group.set:
                    state = "concealed"
                parts.append(
                    Part(
                        format_tiles(tiles),
                        tiles,
                        group.start,
                        group.end,
                        set=kind,
                        state=state,
                        asked=group.asked,
                    )
                )
        return parts

    def _ended(self, parts: list[Part], unsure: bool) -> Iterator[Taken]:
        unsaid = [part for part in parts if part.set in _LYING and not part.state]
        kongs = [part for part in unsaid if part.set == "kong"]
        ways = [("concealed", "concealed")]
        if kongs:
            ways.append(("exposed", "concealed"))
        others = [part for part in unsaid if part.set != "kong"]
        if others:
            ways += [(kong, "exposed") for kong in ("concealed", "exposed")[: 1 + bool(kongs)]]
        for kong, other in ways:
            laid = [
                _laid(part, kong if part.set == "kong" else other)
                if part in unsaid
                else _laid(part, part.state)
                for part in parts
            ]
            yield from self._won(laid, unsure, other == "exposed")

    def _won(self, parts: list[Part], unsure: bool, unsaid: bool) -> Iterator[Taken]:
        held = sum(
            3 if part.bracket and len(part.tiles) == 4 else len(part.tiles)
            for part in parts
            if not _is_bonus(part)
        )
        end, passed = self.lattice.end, tuple(self.passed)

        def taken(
            ending: Ending, parts: list[Part], cost: int = 0, untold: bool = False, unsure: bool = unsure
        ) -> Taken:
            return Taken(
                self.cost + cost,
                Typed(self.seat, None, tuple(parts), ending, True),
                passed,
                unsaid,
                untold,
                unsure,
            )

        if self.won and self.lost:
            raise NotTold
        if not self.won:
            if held < 13:
                if any(len(part.tiles) == 1 and not _is_bonus(part) for part in parts):
                    raise NotTold  # of a single tile it is not told what of it scores
                parts = [*parts, Part("...", (), end, end)]
            yield taken(Ending(), parts)
            return
        tiles: list[tuple[Tile, _Group | None]] = []
        for group in self.last:
            text = [group.text] if group.text else self._last_of(group, parts)
            tiles += [(read_tiles(one).tiles[0], group) for one in text]
        untold = not tiles
        if held < 11:
            raise refuse("too-few-tiles", "told", held=held, at=self.lattice.place(0, self.lattice.end))
        if untold and held == 14:
            among = (part.tiles for part in reversed(parts) if not _is_bonus(part))
            tiles = [(tile, None) for told in among for tile in reversed(told)]
        elif untold and held == 13:
            tiles = [(tile, None) for tile in TILES[:KINDS]]
        for tile, group in dict(tiles).items():
            place = group or None
            for sign, said in self._signs():
                for cost, left in self._without(parts, tile, held, sign):
                    start, stop = (group.start, group.end) if group else (end, max(end, 1))
                    part = Part(str(tile), (tile,), start, max(stop, 1), asked=group.asked if group else ())
                    yield taken(
                        Ending(start, max(stop, 1), sign, part, None, said),
                        left,
                        cost,
                        untold,
                        unsure or cost > 0,
                    )

    def _last_of(self, group: _Group, parts: Sequence[Part]) -> list[str]:
        """Return what a last tile of which no suit is said may be: that of the pair told right before it, or of any told."""
        before = next(
            (part.tiles for part in reversed(parts) if part.start < group.start and not _is_bonus(part)), ()
        )
        told = [
            str(tile)
            for part in parts
            for tile in part.tiles
            if tile.value == group.values and tile.suit in "bcd"
        ]
        told = list(dict.fromkeys(told))
        if len(set(before)) == 1 and str(before[0]) in told and not self._is_another(group):
            return [str(before[0])]
        return told if len(told) == 1 else [f"{group.values}{suit}" for suit in "bcd"]

    def _is_another(self, group: _Group) -> bool:
        """Return whether it is said to be any tile of that value: a 9."""
        before = self.lattice.text[: group.start].split()[-1:]
        return any(meaning.kind == "any" for word in before for meaning in vocabulary().of(word))

    def _signs(self) -> Iterator[tuple[str, tuple[Piece, ...]]]:
        """Yield how the last tile can have come, with what else is said of that. Raises NotTold where it is said in two ways."""
        signs = {
            item.value
            for at, item in enumerate(self.items)
            if item.kind == "SIGN" and not self._is_of_another(at)
        }
        whos = {
            item.value.value: item.value
            for item in self.items
            if item.kind in ("FROM", "THROWS") and item.value
        }
        flags: dict[str, Piece] = {}
        for item in self.items:
            if item.kind == "FLAG" or (item.kind == "FINAL" and item.value and not self.last):
                flags.setdefault(item.value, Piece("FLAG", Flag(item.value), item.word.start, item.word.end))
        thrown = any(item.kind == "THROWS" for item in self.items) or bool(whos) or LAST_DISCARD in flags
        signs |= {"<"} if thrown else set()
        if self.seat is not None and self.seat.value in whos:
            raise NotTold
        if len(signs) > 1 or len(whos) > 1:
            raise NotTold
        flags.pop(LAST_DISCARD, None)
        for word in flags:
            fits = set(FLAG_CLAUSES.get(word, ""))
            left = (signs or set("+<")) & fits
            if not left:
                raise NotTold
            signs = left if signs or len(fits) == 1 else signs
        for sign in "+<":
            if not signs or sign in signs:
                who = tuple(whos.values()) if sign == "<" else ()
                yield sign, (*who, *flags.values())

    def _without(
        self, parts: list[Part], tile: Tile, held: int, sign: str
    ) -> Iterator[tuple[int, list[Part]]]:
        """Yield the parts without the last tile, where it is among them; with what it completed, where that is not."""
        if held == 13:
            yield 0, parts
        elif held == 14:
            plain = [part for part in parts if not part.bracket and tile in part.tiles]
            laid = [
                part
                for part in parts
                if sign == "<" and part.bracket == "(" and len(part.tiles) == 3 and tile in part.tiles
            ]
            for part in (*plain[-1:], *laid):
                left = list(part.tiles)
                left.remove(tile)
                place = parts.index(part)
                less = [part._replace(text=format_tiles(left), tiles=tuple(left), bracket="")] if left else []
                yield 0, [*parts[:place], *less, *parts[place + 1 :]]
        else:
            missing = 13 - held
            sizes = {1: "pair", 2: "pung"}
            if missing in sizes and (self.completed == sizes[missing] or missing == 1):
                more = (tile,) * missing
                cost = 0 if self.completed == sizes[missing] else 2
                yield (
                    cost,
                    [
                        *parts,
                        Part(
                            format_tiles(more),
                            more,
                            parts[-1].end if parts else 0,
                            parts[-1].end if parts else 0,
                        ),
                    ],
                )


def _agreeing(groups: Sequence[_Group], strictly: bool = True) -> list[_Group]:
    """Return the one of *groups* that says most, where they are one tile; else raise NotTold, or return nothing."""
    values = {group.tiles()[0].value for group in groups}
    suits = {group.text[-1] for group in groups if group.text}
    if len(values) > 1 or len(suits) > 1:
        if strictly:
            raise NotTold
        return []
    return [next((group for group in groups if group.text), groups[0])]


def _is_bonus(part: Part) -> bool:
    return bool(part.tiles) and part.tiles[0].is_bonus


def _laid(part: Part, state: str) -> Part:
    if state == "exposed" and part.set in _LYING:
        return part.within("()")
    return part.within("[]") if part.set == "kong" else part
