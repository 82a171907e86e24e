"""A hand told in words, read word by word into groups of tiles and remarks on their state and on the last tile."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from itertools import groupby, pairwise, takewhile
from typing import Any, NamedTuple

from mjscore.game.hand import SET_SIZES
from mjscore.game.tiles import WINDS, Tile, format_tiles
from mjscore.notation.hand_builder import read_tiles
from mjscore.notation.lexer import Lattice, Piece
from mjscore.notation.speech import Part, kind_of
from mjscore.notation.told_people import TellingPeople
from mjscore.notation.told_words import COLON, COMMA, LAID, NAMING, NO_WORD, SENTENCE, Word, after, word_at
from mjscore.refusal import Place, Refusal, Refused, refuse

# the costs of a way as likely as the first one, and of one tried only if no likelier one fits
LIKELY, RARE = (1, 4)
LYING = ("pung", "kong", "chow")
ENDING = ("SIGN", "THROWS", "FINAL", "FLAG", "FROM")  # remarks on the last tile, found beside it
OTHER = {"exposed": "concealed", "concealed": "exposed"}
_OF_BONUS = {"f": ("flower", "flowers 1 and 3"), "s": ("season", "seasons 1 and 3")}
# if a word has several meanings, the order in which they are tried
_ORDER = (
    "GROWN", "EXCEPT", "SPECIAL", "REST", "LOSS", "REMARK", "THROUGHOUT", "CONTRAST", "DENIAL", "OPEN", "CLOSE", "EVERY", "THEM", "NEEDS", "ORDINAL", "FINAL", "THROWS",
    "COMPLETES", "STATE", "LIES", "SUITS", "OWN", "SET", "SETS", "TIMES", "SUIT", "PLURAL", "VALUES", "TIMES_OF", "TILES", "BONUS",
    "FAMILY", "IT", "PLUS", "LESS", "SIGN", "WIN", "FROM", "FLAG", "UPON", "NOTHING", "SAME", "CORRECTION", "DOTS", "EMPTY", "JOINER", "ASIDE", "NUMBERED",
)  # fmt: skip


_GROWN = re.compile(r"\((([1-9ESWNRG])\2\2)(?:\+|([bcdw])\+(?=.\3))(\2[bcdw])\)")  # (111+1c), (111c+1c)


class NotTold(Exception):  # noqa: N818 - like a refusal, it is not an error of the program
    """Raised if a line, read in this way, tells no hand."""


class Heading:
    """A word for sets of one *kind*, as in "pungs: ...", with the groups listed: *several*, or *count* of them."""

    def __init__(self, kind: str, several: bool, count: int, word: Word) -> None:
        self.kind, self.several, self.count, self.word = kind, several, count, word
        self.state = self.suit = ""
        self.groups: list[Group] = []
        self.is_remark = self.is_drawn = False

    @property
    def is_full(self) -> bool:
        if self.count:
            return sum(len(group.sets()) for group in self.groups) >= self.count
        return bool(self.groups) and not self.several


class Group:
    """Tiles told together, such as "three 5 dots".

    *values* are without a suit, as in 123; *text* has it, as in 123b; there are *times* of them. *set* is the kind of
    set that a word calls them, *state* is exposed, concealed or empty.
    """

    def __init__(self, word: Word, sentence: int, values: str = "", text: str = "", times: int = 1) -> None:
        self.start, self.end, self.sentence = word.start, word.end, sentence
        self.values, self.text, self.times = values, text, times
        self.suit = self.set = self.state = ""
        self.heading: Heading | None = None
        self.asked: tuple[Refusal, ...] = ()
        self.in_brackets = self.is_plural = False
        self.grown = ""  # a grown kong as it is written

    @property
    def waits(self) -> bool:
        """Return whether the tiles still need a suit."""
        return not self.text

    @property
    def is_single(self) -> bool:
        """Return whether the group is one tile that no word calls a set."""
        return not self.set and self.times == 1 and len(self.tiles()) == 1

    @property
    def is_bonus(self) -> bool:
        return self.tiles()[0].is_bonus

    @property
    def is_alike(self) -> bool:
        return len(set(self.tiles())) == 1

    @property
    def can_lie(self) -> bool:
        """Return whether the group has sets that can be on the table; "reds" are taken for a pung."""
        if self.is_single:
            return self.is_plural
        try:
            return all(kind(one) in LYING for one in self.threes() or self.sets())
        except Refused:
            return False

    def threes(self, suit: str = "") -> list[tuple[Tile, ...]]:
        """Return the tiles as sets of three if they are several, as in "123456 dots", and no word says so; else empty."""
        tiles = self.tiles(suit)
        found = [tiles[at : at + 3] for at in range(0, len(tiles), 3)]
        return found if len(tiles) > 4 and not self.set and all(map(kind, found)) else []

    def be_of(self, suits: str) -> None:
        """Give the values a suit, or repeat them in each of several suits."""
        self.text = " ".join(f"{self.values}{suit}" for suit in suits)

    def may_be(self, of_set: str) -> bool:
        """Return whether the tiles may be called *of_set*: a single tile, sets of three tiles, or a repeated tile."""
        threes = {of_set} == set(map(kind, self.threes()))
        return (
            (self.is_single and of_set != "chow")
            or threes
            or (self.is_alike and len(self.tiles()) == SET_SIZES[of_set])
        )

    def is_more(self, other: Group) -> bool:
        """Return whether *other* is the same tile once more, as in "red red"."""
        same = self.is_alike and set(self.tiles()) == set(other.tiles()) and self.waits == other.waits
        return bool((self.text or self.is_plural) and not self.set) and same

    def be_more(self, other: Group) -> None:
        """Add *other*, which is the same tile once more."""
        self.end = other.end
        if self.text and self.times == other.times == 1:
            self.text = f"{self.text} {other.text}"
        else:
            self.times += other.times

    def without(self, sets: Sequence[tuple[Tile, ...]]) -> Group:
        """Remove some *sets* from the group, and return them as a new group."""
        part, threes = copy(self), self.threes()
        left = [one for one in threes or self.sets() if one not in sets]
        for group, its in ((part, sets), (self, left)):
            shown = [one if threes else one[:1] for one in its]
            group.text = " ".join(map(format_tiles, shown)) if self.text else ""
            group.values = "".join(str(tile.value) for one in shown for tile in one)
        return part

    def is_mention_of(self, other: Group) -> bool:
        """Return whether the group may only mention tiles of *other*, as "the 3" mentions 333b."""
        has_more = self.waits < other.waits or len(self.tiles()) > len(other.tiles())
        if self is other or self.is_bonus or has_more:
            return False
        if self.waits:
            return {one.value for one in self.tiles()} <= {one.value for one in other.tiles() if one < 27}
        return set(self.tiles()) <= set(other.tiles())

    def names_again(self, other: Group) -> bool:
        """Return whether the group may mention *other*, if that was told before in full and without a state."""
        told = other.start < self.start and other.text and other.can_lie and not other.state
        is_part = self.is_single or (self.waits and not self.suit and self.set in ("", other.set))
        return bool(told) and is_part and self.is_mention_of(other) and self.times == 1

    def tiles(self, suit: str = "") -> tuple[Tile, ...]:
        run = read_tiles(self.text or self.values + (self.suit or suit or "b"))
        return (run.tiles + run.bonus) * self.times

    def sets(self, suit: str = "") -> list[tuple[Tile, ...]]:
        """Return the tiles of each set in the group. Raise Refused if they are not sets of the kind told."""
        found = self._parted(suit)
        if self.set and not self.is_single and any(kind(one) != self.set for one in found):
            example = "chow 123 bamboo" if self.set == "chow" else f"{self.set} of 5 bamboo"
            place, shown = Place("", self.start, self.end), self.text or self.values
            raise refuse("not-a-set", "called", at=place, tiles=shown, set=self.set, example=example)
        return found

    def _parted(self, suit: str) -> list[tuple[Tile, ...]]:
        """Return the tiles as the sets that they are called; tiles that no word calls a set together."""
        tiles, size = self.tiles(suit), SET_SIZES.get(self.set, 0)
        if self.is_single:
            return [tiles * 3] if self.state == "exposed" and not self.is_bonus else [tiles]
        if self.set == "chow":
            return [tiles[at : at + 3] for at in range(0, len(tiles), 3)]
        if self.state == "exposed" and self.threes(suit):
            return self.threes(suit)
        alike = [tuple(same) for _, same in groupby(sorted(tiles) if self.times > 1 else tiles)]
        if not self.set or (len(alike) > 1 and (self.heading is None or not self.heading.several)):
            return [tiles]
        return [one * size if len(one) == 1 else one for one in alike]


class Mention(NamedTuple):
    """An item of a told line: a *group* of tiles, or a remark of a *kind* such as STATE with a *value*.

    *mark* is the punctuation before it; *is_joined* says whether an "and" comes before it.
    """

    kind: str
    word: Word
    sentence: int
    mark: int
    is_joined: bool
    value: Any = None
    group: Group | None = None


def kind(tiles: Sequence[Tile]) -> str:
    """Return the kind of set that tiles form; empty if they form none."""
    return kind_of(Part("", tuple(tiles), 0, 0))


def groups_of(items: Sequence[Mention]) -> list[Group]:
    """Return the groups of tiles among *items*."""
    return [item.group for item in items if item.group is not None]


NO_MENTION = Mention("", NO_WORD, 0, 0, False)


def _named(word: Word) -> Piece:
    return Piece("WHO", word.who, word.start, word.end)


class Gathering:
    """Reads the words of a line one after another into *items*, in one of the ways in which they can be read.

    *choices* are the options to take wherever there are several; after those, always the first one. *made* records the
    options taken, *costs* what each alternative would cost.
    """

    def __init__(self, lattice: Lattice, words: Sequence[Word], choices: Sequence[int]) -> None:
        self.lattice, self.words, self.choices = lattice, words, choices
        self.made: list[int] = []
        self.costs: list[tuple[int, ...]] = []
        self.items: list[Mention] = []
        self.headings: list[Heading] = []
        self.heading: Heading | None = None
        self.suited: list[Group] = []  # the groups that got the last suit
        self.passed: list[Word] = []
        self.denied: list[Word] = []
        self.asks: list[Refused] = []  # questions to ask if the last tile is not told
        self.roles: dict[int, str] = {}  # the roles of names, by the index of the word
        self.seat: Piece | None = None
        self.at = self.sentence = self.count = self.mark = 0
        self.number = self.completed = ""
        self.set_of_all: Word | None = None
        self.times = 1
        self.suit = self.suit_of_all = self.brackets = ""
        self.suit_holds = False  # over commas
        self.won = self.lost = self.rest = self.is_joined = self.unsure = False

    @property
    def groups(self) -> list[Group]:
        return groups_of(self.items)

    @property
    def bare(self) -> list[Group]:
        """Return the groups of tiles in the current sentence that no word calls a set."""
        return [one for one in self.groups if one.sentence == self.sentence and not one.set]

    @property
    def is_bare(self) -> bool:
        """Return whether a word for sets was told last, without tiles so far."""
        return self.heading is not None and not self.heading.groups

    def tells(self, *kinds: str) -> bool:
        """Return whether some item is of one of these kinds."""
        return any(item.kind in kinds for item in self.items)

    def choose(self, *costs: int) -> int:
        """Return the option to take here: 0, or the number, from 1, of one of *costs*."""
        place = len(self.made)
        self.made.append(self.choices[place] if place < len(self.choices) else 0)
        self.costs.append(costs)
        return self.made[-1]

    def gather(self) -> None:
        """Read all words into items. Raise NotTold if they tell no hand, and Refused for questions."""
        people = TellingPeople(self.lattice, self.words, self.choose)
        self.roles, self.seat, self.unsure = people.roles, people.seat, not people.is_sure
        while self.at < len(self.words):
            word = self.words[self.at]
            self.at += 1
            self._go_on(word)
            if word.near:
                self.passed.append(word)
            role = self.roles.get(self.at - 1)
            if role is not None:
                self._who(word, role)
                continue
            takes = (getattr(self, f"_{said.lower()}") for said in _ORDER if said in word.said)
            if not any(take(word) is not False for take in takes):
                self._pass(word)

    # word by word

    @property
    def said(self) -> Mention:
        """Return the last item; an empty one if there is none."""
        return self.items[-1] if self.items else NO_MENTION

    def _word(self, at: int) -> Word:
        return word_at(self.words, at)

    def _ahead(self, *over: str) -> Word:
        """Return the next known word, skipping the kinds *over*; an empty one if punctuation intervenes."""
        near = takewhile(lambda word: not word.mark, self.words[self.at :])
        return next((word for word in near if word.said and not word.says(*over)), NO_WORD)

    def _before(self) -> Word:
        """Return the word before the current one; an empty one if punctuation intervenes."""
        return NO_WORD if self.words[self.at - 1].mark else word_at(self.words, self.at - 2, any_mark=True)

    def _go_on(self, word: Word) -> None:
        """Handle the punctuation before a word, which may end a sentence or a list of sets."""
        within = (
            word.mark == COLON and self.heading is not None and self.heading.word is self.words[self.at - 2]
        )
        self.is_joined, self.mark = self.is_joined or word.is_joined, max(self.mark, word.mark * (not within))
        if word.mark:
            self.sentence += word.mark == SENTENCE
            held = word.mark == COLON or (word.mark == COMMA and self.suit_holds)
            self.times, self.count, self.suit = 1, 0, self.suit if held else ""
            if self.heading is not None and not self._goes_on(word, self.heading):
                self.heading = None

    def _goes_on(self, word: Word, heading: Heading) -> bool:
        if not heading.groups and word.says(*LAID) and word.mark < SENTENCE:
            return True  # kong, concealed: 4d
        if heading.count and not heading.is_full and word.says(*NAMING, *LAID, "SUIT", "WHO"):
            return True  # two pungs. Sevens exposed. Norths held.
        if heading.is_full or not word.says(*NAMING, "SUIT", "WHO"):
            return bool(heading.count and not heading.groups)
        if word.mark == SENTENCE:
            return False
        if not heading.groups:
            return word.mark in (COMMA, COLON)
        # a word for their state may end the list
        return bool(self.choose(LIKELY)) == (self.said.kind == "STATE")

    def _say(self, kind: str, word: Word, value: Any = None, group: Group | None = None) -> None:
        if kind not in ("GROUP", "STATE") and self.heading is not None and not self.heading.count:
            self.heading = None
        self.items.append(Mention(kind, word, self.sentence, self.mark, self.is_joined, value, group))
        self.mark, self.is_joined = 0, False

    def _pass(self, word: Word) -> None:
        """Skip a word. Raise Refused or NotTold for an unknown one where a tile is expected."""
        heading = self.heading
        if not (word.said or self._ahead().names):
            bare = heading is not None and not heading.groups and self._before().says("SET", "SETS")
            if bare and heading is not None and not self.choose(RARE):
                raise refuse("which-set", at=self.place(heading.word), set=heading.kind)
            if self.at == 1 and after(self.words, 0).mark == COLON and not self.choose(RARE):
                raise NotTold
        self.passed.append(word)

    def place(self, word: Word) -> Any:
        return self.lattice.place(word.start, word.end)

    def _add(self, word: Word, values: str = "", text: str = "") -> Group:
        if self._runs_on(values):
            before = self.groups[-1]
            before.values, before.end = before.values + values, word.end
            self.is_joined, self.mark = False, 0
            return before
        if self._is_once_more(text):
            before = self.groups[-1]
            before.times, before.end = before.times + self.times, word.end
            return before
        told = {tile for one in self.groups if one.is_bonus for tile in one.tiles()}
        heading = self._heading_of(values, text)
        group = Group(word, self.sentence, values, text, self.times)
        self.times = 1
        behind = self._ahead()
        own = behind.says("SUIT") and not (
            behind.is_joined or (self.suit_holds and self._is_next_head(behind))
        )
        group.suit = self.suit if values and not own else ""
        group.state = self.brackets
        group.in_brackets = bool(self.brackets)
        last = self.said.group
        if told.issuperset(group.tiles()):
            return group  # her season, the winter
        if heading is not None:
            group.heading, group.set, group.state = heading, heading.kind, heading.state or group.state
            group.suit = group.suit or heading.suit * (values != "")
            heading.groups.append(group)
        elif last is not None and last.is_more(group) and self._goes_with(last, group):  # red red red
            last.be_more(group)
            return last
        self._say("GROUP", word, None, group)
        return group

    def _goes_with(self, last: Group, group: Group) -> bool:
        """Return whether the tile of *last* is directly repeated by *group*, as in "red red red" or "south, south"."""
        if last.is_single and (self._ahead().says("SIGN", "FROM", "FLAG") or self._is_last_told()):
            return False  # 5 dots, 5 dots self drawn; drew the second 5 dots, 5 dots
        if self.mark or self.is_joined:
            got = self._ahead().says("FROM", "SIGN", "THROWS", "FINAL")
            again = last.text.split()[-1:] == [group.text] and group.times == 1
            return self.mark == COMMA and again and not got
        return True

    def _runs_on(self, values: str) -> bool:
        """Return whether a value continues a chow told value by value, as in "a run of five, six and seven"."""
        before = self.said.group
        if before is None or before.heading is None or not before.waits or len(values) != 1:
            return False
        return (
            before.set == "chow" and len(before.values) % 3 > 0 and int(before.values[-1]) + 1 == int(values)
        )

    def _is_once_more(self, text: str) -> bool:
        """Return whether a tile is repeated in a set told tile by tile, as in "pairs: 2b 2b 5b 5b"."""
        before = None if self.mark or self.is_joined else self.said.group
        if before is None or before.heading is None or not before.text or before.text != text:
            return False
        return len(before.tiles()) < SET_SIZES[before.set]

    def _heading_of(self, values: str, text: str) -> Heading | None:
        """Return the word for sets, as in "pungs: ...", under which the current tiles are listed; None if under none."""
        heading = None if text[-1:] in ("f", "s") else self.heading
        if heading is None or self._is_apart(heading, values or text[:-1]):
            return None
        if self._ends(heading, text):
            self.heading = None
        return self.heading

    def _is_apart(self, heading: Heading, tile: str) -> bool:
        """Return whether a tile is the last one, not in the list, as in "pairs: ..., and cid gave her the other 5 sou"."""
        if not heading.groups:
            needed = self.said.kind == "NEEDS" and not self.mark  # seven pairs, wait on green: ...
            return heading.count > 0 and (self.said.kind == "SIGN" or self.said.value == "on" or needed)
        # seven pairs: ..., and cid gave her the other 5 sou
        return self.said.kind in ENDING and not self.mark and len(tile) == 1

    def _ends(self, heading: Heading, text: str) -> bool:
        """Return whether the current tiles end the list of sets under a heading."""
        if heading.groups and heading.kind != "pair" and self._is_pair(text, heading.kind):
            return True  # pungs of 2s and 3s down and two fives; and red eyes
        lists = self.is_joined or len(text) == 2  # closed trips 2m 3m 4m
        if heading.is_full and lists and not (self.mark or heading.count) and heading.kind != "chow":
            heading.several = bool(self.choose(RARE))  # pung of 2 and 3 bams
        tiles = read_tiles(text).tiles if text and heading.groups and not heading.count else ()
        return heading.is_full or (len(tiles) > 1 and kind(tiles) != heading.kind)

    def _is_pair(self, text: str, of_set: str) -> bool:
        """Return whether the current tile is called a pair, or repeated in another number than a set has."""
        rest = self.words[self.at :]
        again = takewhile(
            lambda one: not one.mark and one.says("TILES") and one.said["TILES"].value == text, rest
        )
        copies = self.times if self.times > 1 else 1 + len(list(again))
        called = self._ahead().said.get("SET") == "pair" and not self._word(self.at + 1).names
        return called or copies not in (1, SET_SIZES[of_set])

    # tiles

    def _values(self, word: Word) -> None:
        digits, behind = word.said["VALUES"], self._ahead()
        in_words = word.typed[:1].isalpha()
        if self._is_size_of_a_hand(word) or (word.says("PRONOUN") and self._is_of_a_kind_told()):
            return
        if len(digits) == 1 and self._is_number(word, digits, behind, in_words):
            return
        if self._stands_for_a_tile(word, behind):
            return
        if len(digits) == 2 and len(word.typed) > 2 and digits[0] in "234" and digits[0] != digits[1]:
            # 3 9 craks, two three dots; two nine characters
            values = not in_words or int(digits[0]) + 1 == int(digits[1])
            if bool(self.choose(LIKELY if values else RARE)) == values:
                self.times, digits, self.unsure = int(digits[0]), digits[1], True
        counts = ("SPECIAL", "FAMILY", "BONUS")[len(digits) > 2 :] + ("LOSS",) * (len(digits) == 1)
        if not behind.says(*counts):
            self._add(word, digits)
        elif behind.says("BONUS"):
            self.count = int(digits)
        else:
            self.passed += [word] * behind.says("FAMILY")

    def _is_size_of_a_hand(self, word: Word) -> bool:
        """Return whether a number counts all tiles of a hand, as in "ann's 13: ..."."""
        ahead = after(self.words, self.at - 1)
        heads = self.at == 2 or ahead.mark == COLON or self._before().says("REST", "EVERY")
        return word.typed in ("13", "14") and heads and (ahead.mark > 0 or ahead.says(*LAID))

    def _stands_for_a_tile(self, word: Word, behind: Word) -> bool:
        """Return whether "one" stands for a tile told before, as in "finished with one she drew"."""
        if not word.says("PRONOUN") or behind.says("SUIT", *NAMING):
            return False
        got = behind.says("SIGN", "FROM", "NEEDS") and not self.choose(LIKELY)
        if got:
            self._say("IT", word)
        return got or self._before().says("FINAL", "ORDINAL", "TILES", *LAID)

    def _is_of_a_kind_told(self) -> bool:
        """Give tiles the kind of set told before: "reds in an exposed one"; return whether "one" is a set."""
        group = self.items[-2].group if self.items[1:] and self.said.kind == "STATE" else None
        kinds = [one.set for one in self.groups if one is not group and one.set]
        within, behind = self.words[max(0, self.at - 3)].says("EMPTY", "COMPLETES"), self._ahead()
        if group is None or not (kinds and within) or (behind.names and not behind.is_joined):
            return False
        if not group.set and group.may_be(kinds[-1]):
            group.set = kinds[-1]
        return True

    def _is_number(self, word: Word, digits: str, behind: Word, in_words: bool) -> bool:
        """Handle a number that is a count, or is about the tile told before; return whether it is either."""
        if self._counts_sets(digits, self._ahead(*LAID, "EVERY", "FAMILY"), in_words) or (
            in_words and digits != "1" and behind.says("SUIT") and self._ahead("SUIT").says("SETS")
        ):
            self.count = int(digits)
        elif not behind.typed:
            return in_words and self._is_said_alone(word, digits)
        elif behind.says("THEM") and (self.groups or digits == "1"):
            if self.groups:  # not: one each of
                self._so_many(word, int(digits), each="each" in behind.typed)
        elif _is_counted(behind, in_words) and not behind.is_joined:
            self.times = int(digits)
        elif in_words and behind.says("SUIT") and self._is_value_last():
            self.times, self.suit, self.unsure = int(digits), behind.said["SUIT"], True
            self._take(behind)  # drei Bambus sechs
        elif in_words and behind.says(*LAID) and self.headings:
            self._begin(word, self.headings[-1].kind, False)  # plus one still in hand
        else:
            return False
        return True

    def _is_value_last(self) -> bool:
        """Return whether a value follows its suit, as in German "drei Bambus sechs"."""
        value, beyond = self._word(self.at + 1), self._word(self.at + 2)
        return value.says("VALUES") and len(value.said["VALUES"]) == 1 and not beyond.says("SUIT", *NAMING)

    def _is_said_alone(self, word: Word, digits: str) -> bool:
        """Handle a number word that nothing follows, as in "whites, three"; return whether it applies to anything."""
        group = self.said.group
        alone = group is not None and group.is_single and bool(group.text or group.is_plural)
        apart = self.mark or (group is not None and group.is_plural)
        if alone and digits in "234" and apart and not self._is_last_told():
            self._so_many(word, int(digits))
            self.unsure = True
        elif digits in "123" and self._single_told() and (alone or self.choose(RARE)):
            self._so_many(word, int(digits), True)
        elif digits == "1" and self.items and (self.heading is None or self.heading.is_full):
            self._say("IT", word)
        else:
            return False
        return True

    def _single_told(self) -> Group | None:
        return next((one for one in reversed(self.groups) if one.is_single and one.text), None)

    def _is_last_told(self) -> bool:
        """Return whether the tile just told is the last tile by the word before it, as in "claimed a red, had two"."""
        return any(item.kind in ("SIGN", "THROWS", "FROM", "FINAL") for item in self.items[-2:-1])

    def _so_many(self, word: Word, times: int, more: bool = False, each: bool = False) -> None:
        """Set the number of the tile told before; if it was the last tile, the number held besides, or *more* of it.

        *each*: of all single tiles told before in the sentence.
        """
        last = self._single_told() if more or self._is_last_told() else None
        if last is None:
            for group in (one for one in self.bare if each and one.is_single and not one.is_bonus):
                group.times = times
            self.groups[-1].times = times
        else:
            self.times, self.unsure = times, True
            self._add(word, text=last.text)

    def _counts_sets(self, digits: str, beyond: Word, in_words: bool) -> bool:
        """Return whether a number counts sets, as in "three pungs"; *beyond* is the word counted."""
        if self.suit or beyond.says("TILES") or not beyond.says("SET", "SETS") or digits not in "1234567":
            return False
        place = self.words.index(beyond)
        return not beyond.says("SET") or in_words or not self._word(place + 1).says("SUIT")

    def _times_of(self, word: Word) -> bool:
        behind, times = self._ahead(), word.said["TIMES_OF"]
        bare = self.heading if self.is_bare else None
        if behind.says("THEM") and bare is not None and (not bare.count or times == SET_SIZES[bare.kind]):
            # kongs, two of them; but: seven pairs, two of each
            bare.count, bare.several = bare.count or times, True
            self._take(behind)
        elif behind.says("THEM") and self.groups:
            self._so_many(word, times, each="each" in behind.typed)
        elif times == 1 and self._before().says(*LAID) and self.headings:
            self._begin(word, self.headings[-1].kind, False)  # and an open one of 7 bams
        elif behind.says(*NAMING, "SUIT", "SPECIAL"):
            self.times = times
        else:
            return False
        return True

    def _times(self, word: Word) -> bool:
        group, behind = self.said.group, self._ahead()
        if (group is None or self.mark or self.is_joined) and behind.says(*NAMING):
            self.times = int(word.said["TIMES"])  # three times 6 bamboo
            return True
        if group is None or not (group.is_single or kind(group.tiles()) == "chow"):
            return False
        group.times = int(word.said["TIMES"])
        if len(group.tiles()) > 4:
            group.set = "chow"  # 123 dots twice
        return True

    def _plural(self, word: Word) -> None:
        value, before = word.said["PLURAL"], self._before()
        group = self.groups[-1] if self.groups else None
        beyond = next((one for one in self.words[self.at :] if not one.says("PLURAL")), NO_WORD)
        after_bonus = group is not None and group.is_bonus and self.mark <= COMMA and self.heading is None
        if self.mark and group is not None and group.set and group.text == value:
            return  # souths, a pair, souths!
        if word.says("TILES") and after_bonus and not beyond.says("SUIT"):
            self._tiles(word)  # 2f 2s
            return
        named = before.says("TILES") and not (before.says("SUIT", "PLURAL") or word.is_joined)
        if value == "1" and named:
            return  # the red ones
        plural = self.times == 1 and not before.says("TIMES_OF")  # one of the ones
        group = self._add(word, value) if value.isdigit() else self._add(word, text=value)
        group.is_plural = plural

    def _tiles(self, word: Word) -> None:
        piece, behind = word.said["TILES"], self._ahead()
        text, answers = piece.value, list(piece.asked.answers) if piece.asked else []
        if behind.says("FAMILY") and set(text[:-1]) == {"W"}:
            text = text[:-1] + behind.said["FAMILY"]
        elif answers:
            answers.sort(key=lambda one: not self.groups or one[-1:] != self.groups[-1].text[-1:])
            text = answers[self.choose(*[LIKELY] * (len(answers) - 1))]
            flowers = any(one.says("BONUS") for one in self.words) or any(one.is_bonus for one in self.groups)
            self.unsure |= text[-1] in "fs" and not flowers  # chun, the spring; nothing but bamboo
        before = self.said.group
        if before is not None and before.waits and not (self.mark or self.is_joined) and text[-1] in "bcd":
            self._of_suits(word, text[-1])  # 123 456 789b
        self._add(word, text=text)

    def _own(self, word: Word) -> None:
        """Handle "own wind", "wind of the round" and "own flower". Raise Refused if it is not known whose."""
        which, behind = word.said["OWN"], self._ahead()
        named = behind.says("TILES")
        wind = self.lattice.people.round if which == "round" else self._wind()
        is_bonus = which not in ("wind", "round")
        number = self._numbers() if is_bonus else ""
        if wind is None and number in ("1", "2", "3", "4") and is_bonus:
            wind = WINDS[int(number) - 1]
        if wind is None and not named:
            raise refuse("whose-wind", which, at=self.place(word))
        if wind is None:
            return
        if is_bonus:
            self.heading = None
            number = number or str(WINDS.index(wind) + 1)
            self.unsure |= number != str(WINDS.index(wind) + 1)  # east's flower is no. 4
            self._add(word, text=f"{number}{which[0]}")
        elif not self._is_told_again(f"{wind}w"):
            self._add(word, text=f"{self._wind_told(wind)}w")

    def _is_told_again(self, wind: str) -> bool:
        """Return whether own wind was told just before, as in "norths, her own wind"."""
        last = self.groups[-1] if self.groups and set(map(str, self.groups[-1].tiles())) == {wind} else None
        return last is not None and (self.mark == COMMA or last.is_plural or not last.is_single)

    def _wind_told(self, wind: str) -> str:
        """Return the wind told after "own wind", as in "own wind, south"; otherwise *wind*."""
        self.at += self._word(self.at).says("FAMILY")
        ahead = after(self.words, self.at - 1)
        if not ahead.says("WIND") or ahead.mark not in (0, COMMA) or self.at in self.roles:
            return wind
        self.at += 1
        self.unsure |= ahead.said["WIND"] != wind
        return str(ahead.said["WIND"])

    def _wind(self) -> str | None:
        """Return the wind of the player just before (unsure: "dee's own wind") or of the holder, or None."""
        before = self._before()
        holder = None if self.seat is None else str(self.seat.value)
        who = before.who if before.says("OWNER") else holder
        self.unsure |= who != holder
        players = {player: wind for wind, player in self.lattice.people.players.items()}
        return None if who is None else players.get(who, who)

    def _special(self, word: Word) -> None:
        said = word.said["SPECIAL"]
        told = [one for one in self.words if one.says("VALUES", "TILES", "PLURAL")]
        each = said[-1] in "wd" and len(said) < 6
        if each and self._ahead(*LAID).says("SET"):
            self.unsure = True  # three dragons pung, red
        elif each and (self.times == 3 or self._ahead("COMPLETES").says("SETS") or self.choose(LIKELY)):
            self._call_each(word, said)
        elif each and self.choose(RARE):
            self.unsure = True  # four winds: easts and souths, ...
        elif not said.isdigit():
            if said not in [one.text for one in self.groups]:
                self._add(word, text=said)
        elif len(told) < 5 and all(len(str(one.said.get("VALUES", ""))) < 9 for one in told):
            self._add(word, said)  # nine gates, without their tiles

    def _call_each(self, word: Word, honors: str) -> None:
        """Add a pung of each wind, or of each dragon, as in "all four winds, and a pair of 2 dots"."""
        self.heading, self.times = None, 1
        if self._ahead("COMPLETES").says("SETS"):
            self._take(self._ahead("COMPLETES"))
        for honor in honors[:-1]:
            self._add(word, text=f"{honor}{honors[-1]}")
            self.groups[-1].set = "pung"

    def _suit(self, word: Word) -> bool:
        return self._of_suits(word, word.said["SUIT"])

    def _suits(self, word: Word) -> bool:
        behind = after(self.words, self.at - 1)
        if (
            behind.mark in (0, COLON)
            and behind.says("VALUES", "PLURAL")
            and not any(one.waits for one in self.groups[-1:])
        ):
            self._take(behind)  # in all three suits 345
            (self._values if behind.says("VALUES") else self._plural)(behind)
            word = word._replace(mark=0)
        self._join_values()
        group = self.groups[-1] if self.groups else None
        if group is not None and group.waits:
            group.times = 1 if group.is_alike else group.times  # nines nines nines, every suit
            group.set = group.set or ("pung" if group.is_alike else "chow")
            group.heading = group.heading or Heading(group.set, True, 0, word)
            group.heading.several = True
        alike = [one for one in self.groups[-3:] if one.waits and group and one.values == group.values]
        if len(alike) < 3:
            return self._of_suits(word, "bcd")
        for one, suit in zip(alike, "bcd", strict=True):  # 678, 678, 678, one in each suit
            one.be_of(suit)
        return True

    def _join_values(self) -> None:
        """Join three single values in a row that have no suit yet, as in "two, three, four in each suit"."""
        told = [one for one in groups_of(self.items[-3:]) if one.waits and one.is_single]
        if len(told) == 3 and kind(read_tiles("".join(one.values for one in told) + "b").tiles) == "chow":
            told[0].values, told[0].end = "".join(one.values for one in told), told[2].end
            self.items = self.items[:-2]

    def _of_suits(self, word: Word, suits: str) -> bool:
        """Give a suit to the values before it, or else to those to come; return whether it applies to any."""
        behind = self._ahead()
        names = behind.says("VALUES", "PLURAL")
        waiting = [] if self._heads_tiles(word) else self._waiting(word)
        heads = word.mark > COMMA * (not self.suit_holds) or not self.groups
        heads = heads or (self.suit_holds and self._is_next_head(word))
        self.suit_holds = heads and self._lists_values()
        if waiting:
            for group in waiting:
                group.be_of(suits)
            waiting[0].end, self.suited = word.end, waiting[::-1]
        elif self.suited and (word.is_joined or word.mark == COMMA) and len(suits) == 1 and not names:
            for group in self.suited:  # twos and fours, dots and bams
                self._again(group, word, suits)
        elif self.said.kind == "EXCEPT" and not names:
            self._say("MENTION", word, suits)
        elif behind.says("PRONOUN") and self.groups and self._ahead("PRONOUN").says(*LAID):
            self._take(behind)  # 2s in every suit, the dots one exposed
            self._say("EXCEPT", word, OTHER[self._ahead().state])
            self._say("MENTION", word, suits)
            self.unsure = True
        else:
            return self._of_those_to_come(word, suits, names or behind.says("SET", "SETS"))
        return True

    def _heads_tiles(self, word: Word) -> bool:
        """Return whether a suit is that of the tiles after it, as in "dots: 12, 45, bams 78"."""
        heads = (self.suit_of_all or self.suit_holds) and self._ahead().says(
            "VALUES", "PLURAL", "SET", "SETS"
        )
        colon = after(self.words, self.at - 1).mark == COLON
        return (
            word.mark == COLON
            or bool(word.mark and (heads or colon))
            or (self.suit_holds and self._is_next_head(word))
        )

    def _is_next_head(self, word: Word) -> bool:
        """Return whether a suit after the values of another one is that of those to come: "bams 1,2,3 cracks 5,5 dots 2"."""
        suits = [one for one in self.words if one.says("SUIT")]
        behind = [
            next((one for one in self.words if one.start >= suit.end), NO_WORD) for suit in (word, suits[-1])
        ]
        return not word.mark and all(one.says("VALUES") and not one.mark for one in behind)

    def _of_those_to_come(self, word: Word, suits: str, names: bool) -> bool:
        """Give a suit to the values after it, or to the whole hand; return whether it applies to any."""
        before = self._before()
        if before.says("EVERY", "REMARK") or (before.says("REST") and not (self.rest or names)):
            self.suit_of_all = suits
        elif names or self.suit_holds:
            self.suit = suits
            self.unsure |= self.suit_holds
        elif before.says("SET", "SETS") and self.heading is not None and not word.mark:
            self.heading.suit = suits  # two chows in bams: ...
        elif word.mark == SENTENCE or after(self.words, self.at - 1).mark == COLON:
            for group in self.groups:
                group.suit = group.suit or self.suit_of_all * group.waits
            self.suit_of_all = suits
        else:
            return False
        return True

    def _lists_values(self) -> bool:
        """Return whether values follow without a suit of their own, as in "dots three, eight"."""
        rest = self.words[self.at :]
        end = next(
            (at for at, one in enumerate(rest) if one.mark == SENTENCE or one.says("SUIT", "SUITS")),
            len(rest),
        )
        while 0 < end < len(rest) and not (rest[end].mark or self._is_next_head(rest[end])):
            end -= 1  # the next suit is that of the values before it
        behind = next((one for one in rest[:end] if one.mark), NO_WORD)
        listed = behind.says("VALUES", "PLURAL") and rest[0].says("VALUES", "PLURAL")
        return listed and rest[0].mark != COLON

    def _waiting(self, word: Word) -> list[Group]:
        """Return the groups before a suit to which it applies, the last first."""
        before, said = (NO_MENTION, NO_MENTION, *self.items)[-2:]
        if before.kind == "EXCEPT" and said.group is not None and not word.mark:
            return [said.group]  # only the 9s of bams
        waiting: list[Group] = []
        for at, item in reversed(list(enumerate(self.items))):
            if item.group is not None and not self._is_waiting(at, item.group, waiting[-1:], word):
                break
            waiting += groups_of([item])
        return waiting

    def _is_waiting(self, at: int, group: Group, next_one: Sequence[Group], word: Word) -> bool:
        """Return whether a suit applies to a group; *next_one* is the group after that one, if the suit applies to it."""
        if group.suit or not group.waits or (NO_MENTION, *self.items)[at].kind == "EXCEPT":
            return False
        # waiting on 3-6 of craks with 4 5, 789 dots; all dots: 123, 55 bams; got the 7 off ben: 234 craks
        for other in next_one:
            alike = group.heading is other.heading or not (group.set or other.set)
            if self._is_completed(at) or self.suit_of_all or self.items[at + 1].kind in ENDING or not alike:
                return False
        is_near = group.sentence == self.sentence or not (next_one or word.mark == SENTENCE)
        return is_near and not self._mentions(at)

    def _mentions(self, at: int) -> bool:
        """Return whether values mention sets told before, as in "pungs of 2s and 8s in dots, the 2s down"."""
        behind = next(
            (one for one in self.items[at + 1 :] if not (one.group and one.group.waits)), NO_MENTION
        )
        group = self.items[at].group
        again = group is not None and any(map(group.names_again, self.groups))
        return again and behind.kind == "STATE" and not behind.mark

    def _is_completed(self, at: int) -> bool:
        """Return whether an item is told as completed by the last tile, or by a tile hoped for."""
        kinds = [item.kind for item in takewhile(lambda item: not item.mark, self.items[at::-1])]
        start = self.items[max(0, at - len(kinds))].kind
        return not {"NEEDS", "COMPLETES"}.isdisjoint([start, *kinds])

    def _again(self, group: Group, word: Word, suit: str) -> None:
        """Repeat the values of a group in another suit."""
        other = Group(word, self.sentence, group.values, f"{group.values}{suit}", group.times)
        other.set, other.heading, other.is_plural = group.set, group.heading, group.is_plural
        if group.heading is not None:
            group.heading.several = True
            group.heading.groups.append(other)
        self._say("GROUP", word, None, other)

    def _same(self, word: Word) -> bool:
        """Apply the suit or state told before, as in "then 567 of the same"; return whether there is one."""
        groups = self.groups
        suits = [tile.suit for group in groups[:-1] if group.text for tile in group.tiles() if tile < 27]
        states = [item.value for item in self.items if item.kind == "STATE"]
        if groups and groups[-1].waits and suits:
            return self._of_suits(word, suits[-1])
        if not (groups and states):
            return False
        self._say("STATE", word, states[-1])
        return True

    def _bonus(self, word: Word) -> None:
        """Handle flowers or seasons and numbers. Raise Refused if those are untold, NotTold if miscounted."""
        count, bonus, self.count, self.heading = self.count, word.said["BONUS"], 0, None
        group, before = next(reversed(self.groups), None), self.words[self.at - 2]
        apart = count or word.mark or word.is_joined or self._ahead().says("VALUES", "ORDINAL")
        again = group is not None and group.is_bonus and group.start == before.start and not apart
        if again or before.typed == "0" or before.says("NOTHING"):
            return  # plum and orchid flowers; 0 seasons
        numbers, self.number = self.number or self._numbers(), ""
        if not numbers and count > 1 and not (word.says("MANY") or before.says("EVERY")):
            numbers, count = str(count), 1  # the 4 flower
        numbers = numbers or "1234" * (count == 4)
        if numbers and count in (0, len(numbers)):
            self._add(word, text=f"{numbers}{bonus}")
        elif numbers:
            raise NotTold
        elif not self._is_named(word, bonus):
            of_bonus, example = _OF_BONUS[bonus]
            raise refuse("which-bonus", at=self.place(word), bonus=of_bonus, example=example)

    def _is_named(self, word: Word, bonus: str) -> bool:
        """Return whether another word tells which flower or season is meant, as in "one season, winter"."""
        if self.words[self.at - 2].says("OWN") and word.is_joined:
            self._own(word._replace(said={"OWN": _OF_BONUS[bonus][0]}))
            return True
        named = [one for one in self.words if one.says("TILES") and len(one.typed) > 2]
        numbered = [
            one.said.get("BONUS")
            for one, other in pairwise(self.words)
            if one is not word and other.says("VALUES") and other.mark < SENTENCE and not other.is_joined
        ]
        told = bonus in numbered or self.said.kind == "DENIAL"
        return told or any(str(one.said["TILES"].value).endswith(bonus) for one in named)

    def _numbers(self) -> str:
        """Read and return the numbers after the word for flowers, as in "1, 2 and 4"; empty if there are none."""
        numbers, start = "", self.at
        while self.at < len(self.words) and not self._begins_tiles(self.words[self.at], bool(numbers)):
            digits = self._number_of_bonus(self.words[self.at], bool(numbers))
            if set(digits) - set("1234"):
                break
            numbers, self.at = numbers + digits, self.at + 1
        self.at = self.at if numbers else start  # all four flowers exposed: that is a state
        return numbers

    def _begins_tiles(self, word: Word, is_told: bool) -> bool:
        """Return whether a word is no number of a flower, but begins tiles; *is_told*: a number was read before."""
        beyond, called = self._word(self.at + 1), self.words[self.at - 1].says("NUMBERED")
        if is_told and beyond.says(*LAID) and self._word(self.at + 2).says("SET", "SETS"):
            return True  # flower 3 and two hidden kongs
        of_tiles = beyond.says("SUIT", "PLURAL", "FAMILY", "TILES", "SET", "SETS") and not beyond.is_joined
        # season no 2, pung
        sure = (called or word.said.get("VALUES") == "1234") and not beyond.says("SUIT")
        return (of_tiles and not sure) or (word.mark == SENTENCE and not called)

    def _number_of_bonus(self, word: Word, is_told: bool) -> str:
        """Return a word's numbers of flowers (*is_told*: not the first); empty between numbers, else "x"."""
        joined = word.mark or word.is_joined  # the first and third; but: season 3 first
        aside = word.says("OPEN") and self._word(self.at + 1).says("VALUES", "ORDINAL", "NUMBERED")
        laid = word.says(*LAID) and not (is_told or word.mark)  # one flower up, number 4
        again = word.typed[:1].isalpha() and not joined and self.words[self.at - 1].says("ORDINAL")
        if word.says("ASIDE", "NUMBERED", "PLUS") or aside or laid or again:
            return ""  # numbers 1 and 2, no. 4, (the second), the 1st one
        return str(((joined or not is_told) and word.said.get("ORDINAL")) or word.said.get("VALUES", "x"))

    def _ordinal(self, word: Word) -> bool:
        """Handle an ordinal, as in "the third north" or "first exposed"; return whether it is used up."""
        behind, number = self._ahead(), word.said["ORDINAL"]
        if self._ahead("ORDINAL").says("BONUS"):
            self.number += number  # the second and fourth flower
            return True
        if behind.says(*LAID) and number in "12" and sum(one.can_lie for one in self.groups) == 2:
            self._lay(word, behind, number)  # first exposed, second concealed
            return True
        if number == "1" and self._lay_in_list(word, "first"):
            return True
        self.completed = {"2": "pair", "3": "pung"}.get(number, "")
        told = self.said.kind in ("SIGN", "COMPLETES")  # drew a second 9 dots, it made a third west
        return told and not (self.mark or word.says("FINAL"))

    def _lay_in_list(self, word: Word, end: str) -> bool:
        """Handle a state of first or last sets, as in "the first two exposed"; return whether it is told."""
        behind, laid = self._ahead(), self._ahead("VALUES", "EVERY")
        count = "1" if behind is laid else behind.said.get("VALUES", "") * behind.typed.isalpha()
        is_count = count in ("1", "2", "3")[end == "last" :]
        if not (is_count and laid.says(*LAID)) or laid.says("SIGN", "EMPTY"):
            return False
        self._lay(word, laid, f"{end} {count}")
        return True

    def _part_lists(self) -> None:
        """Make each value of a list that is a set a group of its own, as in "all pungs, 2 4 6 bams"."""
        for item, group in [(item, item.group) for item in self.items if item.group is not None]:
            alone = group.text and len(set(group.values)) == len(group.values) > 1
            if not alone or not (self.set_of_all or group.set in ("pung", "kong", "pair")):
                continue
            parts = [copy(group) for _ in group.values]
            for part, value in zip(parts, group.values, strict=True):
                part.values, part.text = value, f"{value}{group.text[-1]}"
            if group.heading is not None:
                group.heading.groups = [one for one in group.heading.groups if one is not group] + parts
            at = self.items.index(item)
            self.items[at : at + 1] = [item._replace(group=part) for part in parts]

    def _silently(self, word: Word) -> None:
        """Skip a word that has no meaning here."""

    _family = _them = _empty = _joiner = _aside = _numbered = _silently

    # sets

    def _set(self, word: Word) -> None:
        kind, several, heading = self._kind_of(word), not word.says("SET"), self.heading
        names = self._ahead(*LAID, "SUIT", "EVERY", "FAMILY").says(*NAMING)
        bare = [one for one in self.bare if not one.is_bonus]
        if not names and self._is_said_again(word, kind):
            return
        if bare and self._ahead().says("THEM"):
            self._set_of_them(kind, bare, several)
        elif self._is_of_the_last_group(bare, kind, names, several):
            for group in bare[:-1] if several else ():
                group.set = kind if group.is_single and kind != "chow" else ""
            bare[-1].set, bare[-1].end = kind, word.end
        elif self.said.kind in ("EXCEPT", "DENIAL") and not names and self.mark < SENTENCE:
            self._say("MENTION", word, kind)
        elif names or heading is None or heading.groups or not heading.count:
            self._begin(word, kind, several)  # but in four pungs and a pair: ...

    def _join_run(self, word: Word, of_set: str) -> bool:
        """Join three single tiles, as in "2 bams 3 bams 4 bams as a chow"; return whether they are a chow."""
        told = [item for item in self.items[-4:] if item.kind != "STATE"][-3:]
        groups = [one for one in groups_of(told) if one.text and one.is_single]
        tiles = [tile for group in groups for tile in group.tiles()]
        if len(tiles) != 3 or not (kind(tiles) == of_set == "chow"):
            return False
        first, *others = groups
        first.text, first.set, first.end = " ".join(map(str, tiles)), "chow", word.end
        self.items = [item for item in self.items if item.group not in others]
        return True

    def _is_said_again(self, word: Word, kind: str) -> bool:
        """Return whether a word for a set means the set told last, as in "pung of reds, punged"; a kong may give a tile."""
        if kind == "kong" and self._ahead().said.get("THROWS") == "gives":
            self._say("FLAG", word, "loose")  # the kong gave her the 3 dots
            return True
        told = [item for item in self.items[-3:] if item.kind != "STATE" or item.mark][-1:]
        group = told[0].group if told else None
        grows = group is not None and group.heading is not None and group.heading.word.says("GROWN")
        same = group is not None and group.set == kind
        return grows or (same and (not self.mark or word.says("MADE"))) or self._join_run(word, kind)

    def _set_of_them(self, kind: str, bare: Sequence[Group], several: bool) -> None:
        """Apply a word for a set to the last or, if *several*, all tiles: "2s and 3s, pungs of them"."""
        if self._is_last_told():
            self.completed = kind  # dropped a 2 dot for ann's pung of them
            return
        each = "each" in self._ahead().typed  # whites and 4 craks, a pung of each
        for group in bare[0 if several or each else -1 :]:
            group.set = kind

    def _kind_of(self, word: Word) -> str:
        """Return the kind of set that a word means; "p" may be a pung or a pair."""
        kind = str(word.said.get("SET") or word.said["SETS"])
        self.unsure |= word.says("SHORT") and kind == "pair"  # sparrow 8 craks
        if not word.says("SHORT") or kind != "pung":
            return kind
        either = any(one.says("TIMES_OF") for one in self.words)
        kind = ("pung", "pair")[self.choose(LIKELY if either else RARE)]
        self.unsure |= either or kind == "pair"
        return kind

    _sets = _set

    def _is_of_the_last_group(self, bare: Sequence[Group], of_set: str, names: bool, several: bool) -> bool:
        """Return whether *bare*'s last is called *of_set*; *names*: tiles follow, *several*: plural."""
        said = [item for item in self.items[-2:] if item.kind != "STATE" or item.mark > COMMA]
        last = said[-1].group if said and not (self.is_joined or self.count) else None
        if last is None or last not in bare or self._before().says("OPEN"):
            return False
        return self._fits(last, of_set, names, several, said[-1] is self.said)

    def _fits(self, last: Group, of_set: str, names: bool, several: bool, is_beside: bool) -> bool:
        """Return whether the *last* tiles can be the set that they are called; *is_beside*: directly before that word."""
        is_kind = kind(last.tiles()) == of_set
        fits = is_kind or last.may_be(of_set)
        if self._says_as():  # wests as a concealed pung and whites as a pair
            return fits
        if self.mark or not is_beside:  # four souths, an open kong
            alone = several or after(self.words, self.at - 1).mark in (COMMA, SENTENCE)  # eyes: 2 chars
            return not names and (is_kind or (alone and fits))
        if names and (last.is_single or fits):
            return last.is_single and not self.choose(RARE)
        return fits

    def _says_as(self) -> bool:
        """Return whether "as" is one of the two words before the current one, as in "as a concealed pung"."""
        return "as" in [one.said.get("COMPLETES") for one in self.words[max(0, self.at - 3) : self.at - 1]]

    def _begin(self, word: Word, kind: str, several: bool) -> None:
        old, said = self.heading, self.said
        heading = Heading(kind, several or self.count > 1, self.count, word)
        self.heading, self.count, heading.suit = heading, 0, self.suit if several else ""
        self.headings.append(heading)
        if said.kind == "STATE" and self._is_state_of_the_next():
            heading.state, self.mark = said.value[0], said.mark  # three open pungs
            self.items.pop()
        elif old is not None and old.state and self.is_joined and not self.mark and self.choose(LIKELY):
            heading.state = old.state  # exposed a kong of ones and a pung of souths
        elif said.group is not None and self._is_contrasted(said.group) and not self.choose(LIKELY):
            heading.state = said.group.state
        heading.is_drawn = said.kind == "SIGN" and not self.mark and kind in ("pair", "pung")
        if old is not None and not old.groups and old.word is self._before():
            old.is_remark = heading.is_remark = True  # chow chow chow and a pair
        if not several:
            self._count_repeated(heading)

    def _count_repeated(self, heading: Heading) -> None:
        """Take a repeated word for a set for so many of them, as in "pung pung pung: 2 4 6 dots"."""
        ahead = takewhile(lambda one: not one.mark, self.words[self.at :])
        again = len(list(takewhile(lambda one: one.said.get("SET") == heading.kind, ahead)))
        if again and not self.choose(RARE):
            heading.count, heading.several, self.at = 1 + again, True, self.at + again

    def _is_contrasted(self, group: Group) -> bool:
        """Return whether the next state begins a sentence about others, as in "open pung of 8 bams. In hand, ..."."""
        ahead = next((word for word in self.words[self.at :] if word.says(*LAID)), NO_WORD)
        stated = group.heading is not None and group.heading.state and self.mark < SENTENCE
        if not (stated and ahead.mark and ahead.says("LIES")) or ahead.state == group.state:
            return False
        return ahead.mark == SENTENCE or self._word(self.words.index(ahead) + 1).names

    def _is_state_of_the_next(self) -> bool:
        """Return whether the state told last belongs to the word for sets after it, not to tiles before it."""
        said = self.said
        apart = not self.items[1:] or said.mark or said.is_joined or self.items[-2].group is None
        return bool(apart) and not (self.mark or said.value[1] or said.word.says("LIES"))

    # exposed or concealed

    def _state(self, word: Word) -> bool:
        if word.says("SIGN", "THROWS") and self._is_of_the_last_tile():
            return False
        if not word.says("STATE") and word.says("WIN", "EMPTY", "ASIDE") and not self._lies_there(word):
            return False
        heading = self.heading
        bare = [one for one in (heading,) if one is not None and not one.groups]
        if any(one.state == word.state or self.words[self.at - 2] is one.word for one in bare):
            bare[0].state = word.state  # three winds punged on the table
            return True
        if not self._is_state_told(word):
            self._say("STATE", word, (word.state, ""))
        return True

    _lies = _state

    def _is_state_told(self, word: Word) -> bool:
        """Return whether a state was told just before, as in "hidden in her hand"."""
        said = next((item for item in self.items[::-1] if item.kind != "FROM"), NO_MENTION)
        own = self.is_joined or not word.says("LIES")  # greens exposed and open reds; but: hidden in her hand
        if own and self._ahead().names and groups_of(self.items[-2:-1]):
            return False
        ends = self.mark < SENTENCE and after(self.words, self.at - 1).mark  # open, not hidden, and a pair
        return said.kind == "STATE" and said.value[0] == word.state and bool(ends or not self.mark)

    def _lies_there(self, word: Word) -> bool:
        """Return whether "out", "in" or "hand" is the state of sets, directly after one, or before one or a colon."""
        group, wins, behind = self.said.group, word.says("WIN"), after(self.words, self.at - 1)
        mark, joined = (
            behind.mark or COMMA * (behind.says("OPEN") or self._counts_them(self.at)),
            behind.is_joined,
        )
        named = self.roles.get(self.at - 2) == "seat"
        if mark == COLON:
            # ann's hand: is what it is; ben's out: he won
            return (wins and not named) or self.tells("GROUP", "STATE")
        if self._before().says("OWNER") and word.says("EMPTY") and not self.choose(LIKELY):
            return False  # ann's hand 222b in hand, 333c open
        if group is None or not (mark or joined):
            return self._heads(word, named)
        if not (self.mark or self.is_joined):
            return group.can_lie or group.is_single or not wins
        return bool(wins and mark and group.can_lie and self.choose(RARE))

    def _counts_them(self, at: int) -> bool:
        """Return whether the words at a place say how many there are, as in "three of them"."""
        return self._word(at).says("TIMES_OF", "VALUES") and self._word(at + 1).says("THEM")

    def _heads(self, word: Word, named: bool) -> bool:
        """Return whether "out", "in" or "hand" is the state of tiles after it; *named*: a player is directly before it."""
        heads = (named or word.mark > 0 or self.is_joined) and self._ahead().names
        return heads and not (word.says("WIN") and bool(self.choose(LIKELY)) != named)

    def _is_of_the_last_tile(self) -> bool:
        """Return whether "claimed" or "called" is about the last tile, as in "claimed the 8 of dots from dee"."""
        at, group = self.at, self.said.group
        if self.items[-2:-1] and self.items[-2].kind == "FINAL" and self.mark < SENTENCE:
            return after(self.words, at - 1).mark > 0  # winning tile: white dragon, claimed
        while (word := self._word(at)).says("UPON", "FINAL"):
            at += 1
        if not word.typed or at > self.at or word.says("IT", "FROM"):
            single = group is not None and group.is_single
            return bool(word.typed) and (not word.says("FROM") or single)
        tiles = str(word.said["TILES"].value if word.says("TILES") else word.said.get("VALUES", ""))
        if (len(tiles) if tiles.isdigit() or not tiles else len(read_tiles(tiles).tiles)) != 1:
            return False
        behind = self._word(at + 1)
        behind = self._word(at + 2) if behind.says("SUIT") else behind
        return not behind.says(*NAMING, "SET", "SETS", "TIMES", "SUIT")

    def _every(self, word: Word) -> bool:
        every, behind = word.said["EVERY"], self._ahead()
        if every == "some" and not behind.says(*LAID):
            return False
        if every[-1].isdigit() and not behind.says(*LAID):
            return self._counts_others(word, every[-1])
        if behind.says("BONUS"):
            self.count = 2 if every == "both" else 4
        elif behind.says("SETS") and every == "all" and (not self.groups or self._heads_all(behind)):
            self.at, self.set_of_all = self.at + 1, behind
        elif behind.says(*LAID):
            self._lay(word, behind, every)
        elif behind.says("SUIT") and any(group.waits for group in self.groups):
            self._suit_here(behind)
        elif behind.says("SETS") and not (every == "rest" and self._lists_sets()):
            self._take(behind)
            call_all(self.bare if every == "all" else self.bare[-2:], behind.said["SETS"], word)
            if self._ahead().says(*LAID):  # both pungs shown
                self._lay(word, self._ahead(), every)
        return True

    def _counts_others(self, word: Word, digits: str) -> bool:
        """Handle "the other two" as the number of the tile after it, or of the one told before."""
        if self._ahead().says(*NAMING):
            self.times = int(digits)
            return True
        return self._is_said_alone(word, digits)

    def _lay(self, word: Word, laid: Word, which: str) -> None:
        """Skip the words up to *laid*, a word for a state, and note that *which* of the sets have that state."""
        self._take(laid)
        if " " in which:
            self._part_lists()
        self._say("STATE", word, (laid.state, which))

    def _heads_all(self, word: Word) -> bool:
        """Return whether a list of all sets follows a word, as in "All pairs: ..."."""
        return after(self.words, self.words.index(word, self.at)).mark == COLON

    def _lists_sets(self) -> bool:
        """Return whether words for tiles follow in the sentence."""
        rest = takewhile(lambda word: word.mark < SENTENCE, self.words[self.at :])
        return any(word.says(*NAMING) for word in rest)

    def _suit_here(self, word: Word) -> None:
        """Skip a suit, and give it to all values of the sentence that have none."""
        self._take(word)
        self.unsure |= self.suit_of_all != ""  # all bams: 222 down, the rest craks
        for group in self.groups:
            if group.waits and not (group.suit or self.suit_of_all) and group.sentence == self.sentence:
                group.text = f"{group.values}{word.said['SUIT']}"

    def _take(self, word: Word) -> None:
        """Skip the words up to and including a later one."""
        end = self.words.index(word, self.at) + 1
        self.passed += [one for one in self.words[self.at : end] if one.near]
        self.at = end

    def _grown(self, word: Word) -> bool:
        """Take the pung told just before, or the tiles told next, for a kong on the table."""
        if self._ahead().names:  # added the fourth 7 bams
            self._begin(word, "kong", False)
            self.headings[-1].state = "exposed"
            return True
        for group in [one for one in self.groups[-1:] if one.is_alike and not one.is_bonus]:
            group.text, group.values = str(group.tiles()[0]) * bool(group.text), group.values[:1]
            group.times, group.set, group.state, group.heading = 1, "kong", "exposed", None
            self.heading, self.unsure = None, True
        return self.unsure

    def _throughout(self, word: Word) -> None:
        self._say("STATE", word, (word.said["THROUGHOUT"], "hand"))

    def _nothing(self, word: Word) -> None:
        laid = self._ahead("IT", "THEM")
        if laid.says(*LAID):
            self._take(laid)
            self._say("STATE", word, (OTHER[laid.state], "hand"))
        elif self.said.kind == "STATE" and not self.mark:
            self.items.pop()  # in hand nothing
        else:
            self.rest = True

    def _open(self, word: Word) -> None:
        inside, grown = self._word(self.at), _GROWN.match(self.lattice.text, word.start)
        end = next((at for at in range(self.at, len(self.words)) if self.words[at].says("CLOSE")), self.at)
        aside = self.words[self.at : end]
        states = [one.state for one in aside if one.says(*LAID)]
        if grown:
            self.heading = None
            group = self._add(word, text=f"{grown[1]}{grown[4]}")
            group.grown, group.state, group.in_brackets = f"{grown[1]}+{grown[4]}", "exposed", True
            group.end, self.at = grown.end(), end + 1
            return
        if states and not any(one.names for one in aside):  # (taken from ann, so open)
            self.passed += [one for one in aside if not one.said]
            self.unsure |= len(aside) > 1
            self.at = end + 1
            heads = word.mark > COMMA  # (concealed) three greens
            self._say("STATE", word, (states[-1], "" if heads else "one"))
            self.mark = COLON * heads
        elif len(aside) == 1 and self.groups and self._of_aside(inside):
            self.at = end + 1
        elif self._counts_them(self.at) or self.is_bare:
            return  # easts and wests (three of each); dragons (the green ones)
        elif inside.says(*NAMING, "SET") and not inside.says("OWN"):
            self.heading, self.brackets = None, "exposed" if word.said["OPEN"] == "(" else "concealed"

    def _of_aside(self, word: Word) -> bool:
        """Apply a lone word in brackets to the tiles before it, as in "souths (three)"; return whether it applies."""
        if word.typed.isalpha() and word.says("VALUES"):
            self.groups[-1].times = int(word.said["VALUES"])
        elif word.says("SET", "SETS"):
            call_all(self.bare if word.says("SETS") else self.bare[-1:], self._kind_of(word), word)
        return word.says("SET", "SETS") or (word.typed.isalpha() and word.says("VALUES"))

    def _close(self, word: Word) -> None:
        self.heading, self.brackets = None if self.brackets else self.heading, ""
        self.mark = max(self.mark, COMMA * (self.said.kind == "STATE"))  # (6 bams, exposed) and a pair

    # denials

    def _denial(self, word: Word) -> bool:
        """Handle a denial of a state; for any other denial, note that it is to be asked what it changes."""
        behind, before, said = self._ahead(), self._before(), word.said["DENIAL"]
        if word.says("NEEDS") and self.said.group is not None and not self.mark:
            return False  # 7 dots wait
        if before.says("REST", "NOTHING") or (word.says("TALK") and not self.groups):
            return True  # nothing but; sorry, where there is nothing to correct
        laid = self._ahead("PRONOUN", "TIMES_OF", "THEM")
        hopes = any(item.kind in ("NEEDS", "COMPLETES") for item in self.items[-2:])
        states = [item for item in self.items if item.kind == "STATE"]
        if said == "or" and behind.typed and hopes:
            self._say("NEEDS", word)
        elif said == "not" and laid.says(*LAID):
            self._take(laid)  # all pungs, not one on the table
            self._say("STATE", word, (OTHER[laid.state], "hand" * (laid is not behind)))
        elif said == "not" and states and not behind.typed:
            self.unsure = True  # 456 bams laid down, 678 dots not
            rest = "rest" * (before.said.get("EVERY") == "rest")  # the others not
            self._say("STATE", word, (OTHER[states[-1].value[0]], rest))
        elif behind.says("SET", "SETS") and before.says("SET", "SETS"):
            self._take(behind)  # pung not kong of greens
            self.denied.append(word)
        else:
            self._deny(word, said)
        return True

    def _deny(self, word: Word, how: str = "denial") -> None:
        self.denied.append(word)
        self._say("DENIAL", word, how)

    def _correction(self, word: Word) -> None:
        if self.items:  # hang on, ben: ...
            self._deny(word)

    def _except(self, word: Word) -> bool:
        """Handle a word for sets in another state than the rest, as in "only norths exposed"; return whether it is one."""
        only, behind = word.said["EXCEPT"] == "only", self._ahead(*NAMING, "SUIT", "SET", "SETS", "FAMILY")
        of_all = only or self._before().says("EVERY") or " " in word.typed
        if self.said.kind == "STATE" and self.mark <= COMMA and not only:
            self._say("EXCEPT", word, self.items.pop().value[0])
        elif of_all and behind.says(*LAID) and behind is not self._ahead():
            self._say("EXCEPT", word, OTHER[behind.state] if only else "")
        else:
            return self.rest and not self.groups  # nothing for ann except a pung
        return True

    def _contrast(self, word: Word) -> None:
        before = self.words[max(0, self.at - 4) : self.at - 1]
        self.passed += [word] * (not any(one.says("REST", "NOTHING") for one in before))

    def _remark(self, word: Word) -> bool:
        """Skip a remark that the tiles show anyway; but "no" before tiles, as in "no pung of reds", is a denial."""
        told = self.said.group is not None and self.said.group.waits and not self.mark
        ahead = self._ahead().says("VALUES") and not self._word(self.at + 1).says("SUIT")
        if word.says("SUITS") and (told or ahead):
            return False  # 345 sanshoku, sanshoku 345
        if word.said["REMARK"] == "none" and self._ahead().says(*NAMING, "SUIT"):
            self._deny(word, "not")
        return True

    # how it ended

    def _who(self, word: Word, role: str) -> None:
        if role == "from":
            if word.says("OWNER") and self.said.value == "+" and not self.mark:
                self.items.pop()  # picked up ben's 7 dots
                self.unsure = True
            said = self.words[self.at - 2]
            self.unsure |= said.says("TALK", "COMPLETES")
            if said.says("TALK") and self.choose(RARE):
                return  # drew the 5 dots, thanks ben
            self._say("FROM", word, _named(word))
            if self._ahead().said.get("SET") == "kong":
                self._take(self._ahead())  # robbed cid's kong

    def _from(self, word: Word) -> None:
        """Expect the discarder next; a foreign "from" may also tell the tile of a set. Raise NotTold for anything else."""
        names = self._ahead().says("VALUES", "PLURAL", "TILES")
        if self._ahead().says("FLAG", "SIGN") or (word.says("TALK") and self.roles.get(self.at) != "from"):
            return  # off a loose tile, from a discard
        if self.roles.get(self.at) == "from" or (self.headings and names and self._is_of_a_set(word)):
            return
        if self._is_of_a_run() and not self.mark:
            self._say("COMPLETES", word)
            return
        if not word.says("OF"):
            if self._ahead().typed or len(self._word(self.at).typed) != 1:
                raise NotTold
            self._say("FROM", word)  # fr D
            self.passed.append(word)

    def _is_of_a_set(self, word: Word) -> bool:
        """Return whether "from" tells what a set consists of, as in "pung from 1, from 2 and from 9 characters"."""
        before, heading = self.words[self.at - 2], self.headings[-1]
        if before is heading.word:
            return True
        again = (word.mark == COMMA or word.is_joined) and before.says("VALUES", "SUIT")
        if again and self.said.group in heading.groups:
            self.heading, heading.several = heading, True
            return True
        return False

    def _throws(self, word: Word) -> bool:
        places = [at for at in range(max(0, self.at - 4), self.at - 1) if self.roles.get(at) == "thrower"]
        if not places and word.says("SIGN", *LAID):
            return False
        gives = word.said.get("THROWS") == "gives"  # the loose tile gave me, her kong gave her a loose tile
        flag = self.said.kind == "FLAG" and (gives or self.said.value == "loose") and not self.mark
        if not places and (flag or (gives and self._ahead().says("FLAG"))):
            self._say("SIGN", word, "+")
            return True
        self._say("THROWS", word, _named(self.words[places[-1]]) if places else None)
        return True

    def _plus(self, word: Word) -> None:
        behind, self.is_joined = self._ahead(), True
        within = self.lattice.text[word.start - 1 : word.end + 1].strip()  # red+green
        lists = self.heading is not None and self.heading.several  # pungs of green + red
        lists = lists or self._word(self.at + 1).says(*LAID)  # 2b + 5b shown
        if len(within) < 3 and not (lists or behind.says("IT")) and self._is_of_the_last_tile():
            self._say("SIGN", word, "+")

    def _sign(self, word: Word) -> None:
        if word.says("JOINER") and not (self._is_of_the_last_tile() and self.choose(LIKELY)):
            self.is_joined = True
        else:
            self._say("SIGN", word, word.said["SIGN"])

    def _less(self, word: Word) -> None:
        self._say("SIGN", word, "<")

    def _completes(self, word: Word) -> bool:
        group, ends = self.said.group, after(self.words, self.at - 1).mark > 0
        if word.says("FROM") and self.roles.get(self.at) == "from":
            if group is not None and not (self.mark or group.set) and group.is_alike:
                group.set = kind(group.tiles())  # 222 dots finished off ben
            return True
        as_set = word.says("ASIDE") and not any(
            item.kind in ("SIGN", "NEEDS", "FINAL") for item in self.items[-2:]
        )
        if self._is_of_a_run():
            self.mark, as_set = 0, False
        if word.says("SET") and ends and group is not None and not (group.set or self._is_last_told()):
            return False  # norths paired
        of_a_seat = self.roles.get(self.at) == "seat" and not self._word(self.at + 1).says(*NAMING)
        if not (of_a_seat or as_set):  # two pungs for east, own wind as a pair; but: between cid's 4 and 6
            self._say("COMPLETES", word)
        return True

    def _is_of_a_run(self) -> bool:
        """Return whether the tile told last is one of the three after it, as in "the 4 from 4-5-6"."""
        group, run = self.said.group, str(self._ahead().said.get("VALUES", ""))
        if group is None or not group.is_single or len(run) != 3:
            return False
        return (group.text or group.values)[0] in run

    def _win(self, word: Word) -> None:
        self.won = True
        self._say("WIN", word)

    def _needs(self, word: Word) -> None:
        made = not self.mark and self._ahead(*LAID).says("SET")
        if not (made and self.said.kind == "FLAG"):  # a loose tile after her kong of 3 dots
            self._say("NEEDS", word)

    def _final(self, word: Word) -> None:
        if not self._lay_in_list(word, "last"):
            self._say("FINAL", word, word.said.get("FLAG"))

    def _it(self, word: Word) -> None:
        old = self.headings[-1] if self.headings else None
        if word.says("ANY") and self._ahead().says("VALUES", "PLURAL") and old is not None and old.groups:
            self._begin(word, old.kind, False)  # a chow of 123, another of 456
        elif word.says("ANY") and old is not None and self._is_of_another_suit(old):
            suit = self._ahead()
            self._take(suit)
            self.unsure |= len(old.groups) > 1
            self._again(old.groups[-1], suit, suit.said["SUIT"])  # a pung of 5s in bams, another in dots
        else:
            self._say("IT", word)

    def _is_of_another_suit(self, heading: Heading) -> bool:
        """Return whether a suit alone repeats the values told last, as in "a pung of 5s in bams, another in dots"."""
        suit, told = self._ahead(), heading.groups[-1:]
        beyond = after(self.words, self.words.index(suit)) if suit.says("SUIT") else suit
        alone = beyond.mark > 0 or beyond.is_joined or beyond.says(*LAID)
        return suit.says("SUIT") and alone and any(one.values and one.text for one in told)

    def _flag(self, word: Word) -> None:
        mark = next((one.mark for one in self.words[self.at :] if one.said or one.mark), SENTENCE)
        if word.typed == "thirteen" and (mark == COLON or not (mark and word.mark)):
            won = any(one.says("WIN", "SIGN", "FROM") for one in self.words)
            self.unsure |= won and mark != COLON  # cid's thirteen: ...; held all of the thirteen
        else:
            self._say("FLAG", word, word.said["FLAG"])

    def _upon(self, word: Word) -> None:
        self._say("UPON", word, word.said["UPON"])

    def _loss(self, word: Word) -> None:
        if word.said["LOSS"] == "waiting":
            self._say("NEEDS", word)
        else:
            self.lost = True

    def _rest(self, word: Word) -> None:
        told = any(one.says("VALUES") for one in self.words[self.at :]) and not self.groups
        if told and self._word(self.at).says("SETS"):  # nothing but pungs: ...
            self.at, self.set_of_all = self.at + 1, self.words[self.at]
        elif not (told and self._word(self.at).says("SUIT")):  # nothing but dots: ...
            self.rest = True
            heads = self.said.mark and self.mark in (0, COLON) and not self._ahead().typed
            if self.said.kind == "STATE" and heads:
                self.items.pop()  # in her hand is nothing that counts

    _dots = _rest


def call_all(groups: Sequence[Group], kind: str, word: Word) -> None:
    """Mark every group that can be a set of this *kind*, as in "2 4 6 8 bams all pungs"; do nothing for chows."""
    for group in groups if kind != "chow" else ():
        alone = len(set(group.values)) == len(group.values) > 0
        if not group.is_bonus and (alone or group.may_be(kind)):
            group.set, group.heading = kind, Heading(kind, True, 0, word)


def _is_counted(behind: Word, in_words: bool) -> bool:
    """Return whether a number, maybe *in_words*, before the word *behind* is a count."""
    if behind.says("PLURAL") or (behind.says("TILES") and not behind.says("SUIT", "VALUES", "BONUS")):
        return True
    return in_words and behind.says("VALUES") and len(behind.said["VALUES"]) == 1
