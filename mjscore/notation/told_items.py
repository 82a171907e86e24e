"""What a line tells of a hand: groups of tiles, the headings over them, and remarks."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from itertools import groupby
from typing import Any, NamedTuple

from mjscore.game.hand import SET_SIZES
from mjscore.game.tiles import Tile, format_tiles
from mjscore.notation.hand_builder import read_tiles
from mjscore.notation.speech import Part, kind_of
from mjscore.notation.told_words import NO_WORD, Word
from mjscore.refusal import Place, Refusal, Refused, refuse

# the costs of a way as likely as the first one, and of one tried only if no likelier one fits
LIKELY, RARE = (1, 4)
LYING = ("pung", "kong", "chow")
ENDING = ("SIGN", "THROWS", "FINAL", "FLAG", "FROM")  # remarks on the last tile, found beside it
OTHER = {"exposed": "concealed", "concealed": "exposed"}


class NotTold(Exception):  # noqa: N818 - like a refusal, it is not an error of the program
    """Raised if a line, read in this way, tells no hand."""


class Heading:
    """A word for sets of one *kind*, as in "pungs: ...", with the groups listed: *several*, or *count* of them."""

    def __init__(self, kind: str, several: bool, count: int, word: Word) -> None:
        self.kind, self.several, self.count, self.word = kind, several, count, word
        self.state = self.suit = ""
        self.groups: list[Group] = []
        self.is_remark = self.is_drawn = False
        self.goes_on = (
            False  # the sets listed after it may have its state: laid down a pung, a kong and a chow
        )

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
    def suits(self) -> set[str]:
        """Return the suits told of its tiles; honors have none."""
        return {tile.suit for tile in self.tiles() if tile < 27} if self.text or self.suit else set()

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

    def replace(self, other: Group) -> None:
        """Take what is not told again from *other*, which it corrects: "open pung of 8 chars, I mean 7"."""
        fits = len(other.suits) == 1 or (other.is_bonus and {*self.values} <= {*"1234"})
        if self.waits and not self.suit and fits:
            self.text = f"{self.values}{other.text[-1:] or other.suit}"
        if self.is_single:
            self.set, self.heading, self.times = other.set, other.heading, other.times
            self.state, self.is_plural = self.state or other.state, other.is_plural
        if not self.set and kind(self.tiles()) == other.set:
            self.set = other.set
        if self.set and self.set == other.set:
            self.heading, self.state = other.heading, self.state or other.state

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
        if self.waits and not (self.suit and other.text):
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
            place, shown = Place("", self.start, self.end), format_tiles(self.tiles())
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
        whole = all(len(one) == size for one in alike)  # 444 555 666 chars, each a pung
        if not self.set or not (whole or len(alike) == 1 or (self.heading and self.heading.several)):
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


def by_number(told: Sequence[Any], which: str) -> list[Any]:
    """Return those sets that are meant by "first 2", "last 1", "middle 1" or, for the second one, "2"; or none."""
    end, _, count = which.partition(" ")
    if end.lstrip("-").isdigit():
        return list(told[int(end) - (int(end) > 0) :][:1])
    start = {"first": 0, "middle": (len(told) - int(count)) // 2}.get(end, len(told) - int(count))
    return list(told[max(start, 0) :][: int(count)]) if int(count) <= len(told) else []


def call_all(groups: Sequence[Group], kind: str, word: Word) -> None:
    """Mark every group that can be a set of this *kind*, as in "2 4 6 8 bams all pungs"; do nothing for chows."""
    for group in groups if kind != "chow" else ():
        alone = len(set(group.values)) == len(group.values) > 0
        if not group.is_bonus and (alone or group.may_be(kind)):
            group.set, group.heading = kind, Heading(kind, True, 0, word)


NO_MENTION = Mention("", NO_WORD, 0, 0, False)
