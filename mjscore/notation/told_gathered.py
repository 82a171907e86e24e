"""What has been gathered from the words of a told hand so far."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from itertools import takewhile
from typing import Any

from mjscore.game.hand import SET_SIZES
from mjscore.notation.hand_builder import read_tiles
from mjscore.notation.lexer import Lattice, Piece
from mjscore.notation.told_items import (
    ENDING,
    LIKELY,
    NO_MENTION,
    RARE,
    Group,
    Heading,
    Mention,
    NotTold,
    groups_of,
    kind,
)
from mjscore.notation.told_words import COLON, COMMA, LAID, NAMING, NO_WORD, SENTENCE, Word, after, word_at
from mjscore.refusal import Refused, refuse


class Gathered:
    """The items told so far, and what the words read last say about the next.

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
        self.unnamed: Word | None = None  # flower, whose name is told elsewhere
        self.value_of_all: Group | None = None  # my ones: bams a pung, dots a pair
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
            return heading.kind != "pair" or not self.choose(RARE)  # kong, concealed: 4d
        if heading.count and not heading.is_full and word.says(*NAMING, *LAID, "SUIT", "WHO"):
            return True  # two pungs. Sevens exposed. Norths held.
        if heading.is_full or not word.says(*NAMING, "SUIT", "WHO", *["EVERY"] * self._ahead().says("TILES")):
            return bool(heading.count and not heading.groups)
        if word.mark == SENTENCE:
            return False
        if not heading.groups:
            return word.mark in (COMMA, COLON)
        # a word for their state may end the list
        return bool(self.choose(LIKELY)) == (self.said.kind == "STATE")

    def _say(self, kind: str, word: Word, value: Any = None, group: Group | None = None) -> None:
        if kind not in ("GROUP", "STATE", "EXCEPT") and self.heading is not None and not self.heading.count:
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
        self.unsure |= own and self._has_idle_suit()
        group.state = self.brackets
        group.in_brackets = bool(self.brackets)
        last = self.said.group
        if told.issuperset(group.tiles()):
            return group  # her season, the winter
        if heading is not None:
            group.heading, group.set, group.state = heading, heading.kind, heading.state or group.state
            group.suit = group.suit or heading.suit * (values != "" and not own)
            heading.groups.append(group)
        elif last is not None and last.is_more(group) and self._goes_with(last, group):  # red red red
            last.be_more(group)
            return last
        self._say("GROUP", word, None, group)
        return group

    def _has_idle_suit(self) -> bool:
        """Return whether a suit was told before tiles with another one, as in "dots 123 bams"."""
        return (
            self.suit not in ("", *(suit for one in self.groups for suit in one.suits)) and not self.headings
        )

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
            drew = self.said.kind == "SIGN" and self.mark < COLON  # seven pairs, self drawn: 2 and 5 bam, ...
            return heading.count > 0 and (drew or self.said.value == "on" or needed)
        if heading.kind == "pair" and heading.count and (self.lost or self.tells("NEEDS")):
            return self._before().said.get("TIMES_OF") == 1  # one tile off seven pairs: ..., and one green
        # seven pairs: ..., and cid gave her the other 5 sou
        return self.said.kind in ENDING and not self.mark and len(tile) == 1

    def _ends(self, heading: Heading, text: str) -> bool:
        """Return whether the current tiles end the list of sets under a heading."""
        if heading.groups and heading.kind != "pair" and self._is_pair(text, heading.kind):
            return True  # pungs of 2s and 3s down and two fives; and red eyes
        if heading.suit and text and text[-1] in "bcd" and text[-1] != heading.suit:
            return True  # both bam chows open, 123b 456b 789c
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

    def _is_last_told(self) -> bool:
        """Return whether the tile just told is the last tile by the word before it, as in "claimed a red, had two"."""
        return any(item.kind in ("SIGN", "THROWS", "FROM", "FINAL") for item in self.items[-2:-1])

    def _is_next_head(self, word: Word) -> bool:
        """Return whether a suit after the values of another one is that of those to come: "bams 1,2,3 cracks 5,5 dots 2"."""
        suits = [one for one in self.words if one.says("SUIT")]
        behind = [
            next((one for one in self.words if one.start >= suit.end), NO_WORD) for suit in (word, suits[-1])
        ]
        return not word.mark and all(one.says("VALUES") and not one.mark for one in behind)

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

    def _begin(self, word: Word, kind: str, several: bool) -> None:
        old, said = self.heading, self.said
        heading = Heading(kind, several or self.count > 1, self.count, word)
        before = (self.headings or [heading])[-1]
        self.heading, self.count, heading.suit = heading, 0, self.suit if several else ""
        self.headings.append(heading)
        if said.kind == "STATE" and (said.word.start == word.start or self._is_state_of_the_next()):
            heading.state, self.mark = said.value[0], said.mark  # three open pungs
            heading.goes_on = self.lattice.text[said.word.end : word.start].strip() in ("a", "the")
            self.items.pop()
        elif before.state and self._is_next_of(before, kind, before is old):
            heading.state, heading.goes_on = before.state, before.goes_on
        elif (
            said.group and not before.goes_on and self._is_contrasted(said.group) and not self.choose(LIKELY)
        ):
            heading.state = said.group.state
        heading.is_drawn = said.kind == "SIGN" and not self.mark and kind in ("pair", "pung")
        if old is not None and not old.groups and old.word is self._before():
            old.is_remark = heading.is_remark = True  # chow chow chow and a pair
        if not several:
            self._count_repeated(heading)

    def _is_next_of(self, before: Heading, kind: str, goes_on: bool) -> bool:
        """Return whether a set has the state of the one told before: "exposed a kong of 1 dots, a pung of 9s and a pung of 2s"."""
        if before.goes_on and kind != "pair" and self.mark <= COMMA and self.said.group in before.groups:
            return not self.choose(LIKELY)
        return goes_on and self.is_joined and not self.mark and bool(self.choose(LIKELY))

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

    def _lay(self, word: Word, laid: Word, which: str) -> None:
        """Skip the words up to *laid*, a word for a state, and note that *which* of the sets have that state."""
        self._take(laid)
        if which[-1:].isdigit():
            self._part_lists()
        self._say("STATE", word, (laid.state, which))

    def _take(self, word: Word) -> None:
        """Skip the words up to and including a later one."""
        end = self.words.index(word, self.at) + 1
        self.passed += [one for one in self.words[self.at : end] if one.near]
        self.at = end
