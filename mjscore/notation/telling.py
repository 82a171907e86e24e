"""The hands that a line may tell, in one of the ways in which its words can be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice, pairwise, product, takewhile
from typing import NamedTuple

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER, SET_SIZES, Flag
from mjscore.game.tiles import KINDS, Tile, format_tiles
from mjscore.notation.hand_builder import read_tiles
from mjscore.notation.lexer import Piece
from mjscore.notation.speech import Ending, Part, Typed
from mjscore.notation.told_denials import Denials, part_of
from mjscore.notation.told_groups import Gathering
from mjscore.notation.told_items import (
    ENDING,
    LIKELY,
    LYING,
    NO_MENTION,
    RARE,
    Group,
    Heading,
    Mention,
    NotTold,
    call_all,
    groups_of,
    kind,
)
from mjscore.notation.told_states import States
from mjscore.notation.told_words import COLON, COMMA, LAID, Word
from mjscore.notation.vocabulary import LAST_DISCARD, vocabulary
from mjscore.refusal import Refused, refuse

_HOPING = ("UPON", "WIN", "COMPLETES")  # remarks that may be there
# the set completed by the last tile, by how many of its other tiles are not told
_COMPLETED = {1: "pair", 2: "pung"}


class Taken(NamedTuple):
    """A hand as *typed*, by one way of reading the words of a line.

    *passed* are words skipped, *denied* words of denial; *rank* is the cost of a less likely suit or sign.
    *unsaid*: the state of some sets is not told; *untold*: the last tile is not; *unsure*: something was assumed.
    """

    typed: Typed
    passed: tuple[Word, ...] = ()
    unsaid: bool = False
    untold: bool = False
    unsure: bool = False
    denied: tuple[Word, ...] = ()
    rank: int = 0


class Teller(Gathering):
    """Makes hands from the words of a line, in the way given by *choices*; *at* is an index in *items*."""

    def tell(self) -> Iterator[Taken]:
        """Yield the possible hands: if the last tile is not told, one for each tile that it may be, drawn and claimed.

        Raises NotTold, and Refused for questions.
        """
        self.last: list[Group] = []  # each of these may be the last tile
        self.dropped: list[Group] = []  # groups about the last tile, or about tiles that never came
        self.gather()
        self._take_back()
        self._lay_mentioned()
        self._find_last()
        self._join_last()
        self._find_hopes()
        self._lay_claimed_before()
        if self.set_of_all is not None:  # all pungs: 2 4 6 8 bams
            every = [group for group in self._kept if not group.set and group not in self.last]
            every = [one for one in every if not any(map(one.is_mention_of, self.last))]
            call_all(every, self.set_of_all.said["SETS"], self.set_of_all)
        self._tell_once()
        self._fill_up()
        self._check_headings()
        states = States([item for item in self.items if item.group not in self.dropped], self.choose)
        self.passed += states.unplaced
        groups = self._kept
        is_empty = (self.rest or self.denied) and self._is_somebodys and not self.tells("IT", "COMPLETES")
        if not (groups or self.last or is_empty):
            for heading in self.headings[:1]:  # seven pairs
                self._ask(heading)
            raise NotTold
        self._find_partial(groups)
        for rank, suits in enumerate(self._suits_of(groups)):
            parts = self._parts(groups, suits, states.rest)
            for taken in self._laid(parts, len(suits) > 0 or self.unsure):
                yield taken._replace(rank=taken.rank + min(rank, LIKELY))

    @property
    def _is_somebodys(self) -> bool:
        """Return whether the line tells whose hand it is, or no players are known."""
        return self.seat is not None or not self.lattice.people.players

    def _take_back(self) -> None:
        """Apply words of denial and exception to the items; remove headings that are left without tiles."""
        denials = Denials(self.items, self.choose)
        won = [item for item in self.items if item.kind == "WIN"]
        self.items, self.won = denials.items, any(item in denials.items for item in won)
        self.lost = self.lost or (bool(won) and not self.won)
        for heading in [one for one in self.headings if one.groups]:
            heading.groups = [group for group in heading.groups if group not in denials.dropped]
            if not heading.groups:
                self.headings.remove(heading)

    def _lay_mentioned(self) -> None:
        """Take tiles beside a state for sets told before, as in "pungs of 2s and 8s in dots, the 2s down"."""
        for item in [one for one in self.items if one.kind == "STATE" and not (one.mark or one.value[1])]:
            end = self.items.index(item)
            told = list(takewhile(len, map(self._named_again, self.items[:end][::-1])))
            if told and not self.choose(LIKELY):
                mentions, self.unsure = self.items[end - len(told) : end], True
                self.items = self.items[: end - len(told)] + self.items[end + 1 :]
                for (other,), mention in zip(told, mentions[::-1], strict=True):
                    part = part_of(other, mention)
                    part.state = str(item.value[0])
                    place = next(at for at, one in enumerate(self.items) if one.group is other)
                    self.items[place:place] = [self.items[place]._replace(group=part)] * (part is not other)

    def _named_again(self, item: Mention) -> list[Group]:
        """Return, in a list, the set told before that an item may mention; empty if there is none."""
        return [one for one in self._kept if item.group is not None and item.group.names_again(one)][:1]

    def _tell_once(self) -> None:
        """If there are too many tiles, choose whether one to three groups only mention others; drop those."""
        more = sum(map(_size, self._kept)) - 13
        told = list(self._told_before()) if more > 0 else []
        some = chain.from_iterable(combinations(told, number) for number in (1, 2, 3))
        fitting = (way for way in some if more - 2 < sum(_size(one) for _, one, _ in way) <= more + 1)
        ways = list(islice(fitting, 4))
        way = self.choose(*range(RARE, RARE + len(ways))) if ways else 0
        for at, _, group in ways[way - 1] if way else ():
            self.items[at], self.unsure = self.items[at]._replace(group=group), True

    def _fill_up(self) -> None:
        """If there are too few tiles, choose whether single ones are pungs: "3 craks, 7 craks and 7 bams"."""
        kept = self._kept
        tiles = [tile for group in kept for tile in group.tiles()]
        singles = [one for one in kept if one.is_single and not (one.is_plural or one.is_bonus)]
        singles = [one for one in singles if tiles.count(one.tiles()[0]) == 1]
        few = 13 - sum(map(_size, kept)) if kept and (self.last or not self.won) else 0
        least = few - 2 - 2 * (self.completed == "pung")  # my third white
        some = chain.from_iterable(combinations(singles, number) for number in range(len(singles), 0, -1))
        ways = list(islice((way for way in some if least < 2 * len(way) < few + 2), 2))
        least = LIKELY if self.won else RARE
        way = self.choose(*range(least, least + len(ways))) if ways else 0
        for group in ways[way - 1] if way else ():
            group.set, self.unsure = "pung", True

    @property
    def _kept(self) -> list[Group]:
        """Return the groups of tiles that are neither the last tile nor taken back."""
        return [group for group in dict.fromkeys(self.groups) if group not in self.dropped]

    def _told_before(self) -> Iterator[tuple[int, Group, Group]]:
        """Yield each group that may mention another one: its index in *items*, the group, the other one."""
        kept = self._kept
        for at, item in enumerate(self.items):
            if item.group is not None and item.group in kept:
                for group in [one for one in kept if item.group.is_mention_of(one)][:1]:
                    yield at, item.group, group

    def _find_partial(self, groups: Sequence[Group]) -> None:
        """Choose whether only some sets of a losing hand are told; then "drawn" and "claimed" are about those."""
        by_word = any(item.kind == "WIN" and not item.word.says("LIES") for item in self.items)
        few = sum(map(_size, groups)) < 11
        if self.won and few and not by_word and self.choose(RARE):
            self.won, self.unsure = False, True
        self._lay_claimed()
        singles = [group for group in groups if group.is_single and group.state and not group.is_plural]
        if few and not self.won and singles and self.choose(RARE):  # open 1 craks, shut 8 craks
            call_all(singles, "pung", self.words[0])
            self.unsure = True

    def _lay_claimed(self) -> None:
        """Lay sets that a loser claimed on the table, as in "one pung, 6 dots, claimed from ben"."""
        for at, (before, item) in enumerate(pairwise(self.items), 1):
            behind, claimed = self._beside(at, 1).group, item.kind == "FROM" or item.value == "<"
            claimed = claimed or (item.kind == "THROWS" and item.value is not None and behind is None)
            group = behind if item.kind == "FROM" and item.mark and behind else before.group
            if claimed and not self.won and group is not None and group.can_lie and not group.is_single:
                group.state = group.state or "exposed"

    # the last tile

    def _find_last(self) -> None:
        """Find the last tile, and tiles only hoped for. Raise NotTold if two different tiles are told as the last."""
        robbed = self._of_a_robbed_kong()
        if self.lost and self.tells("SIGN", "WIN", "FROM", "THROWS") and self.choose(RARE):
            self.lost, self.unsure = False, True  # drew the 8 dots. So close to a limit
        self.won = self.won or (not self.lost and self._tells_how_it_came())
        found = self._by_role()
        sure = robbed or found["sure"] or self._told_behind_robbed()
        needed, maybe = found["needed"], found["maybe"]
        waits = list(self._hoped_for())
        waits = [] if waits and self.choose(RARE) else waits
        needed = self._hoped_in_vain(needed, [sure, maybe, found["alone"]])
        self.dropped = [*sure, *needed, *waits]
        if sure:
            self._take_for_last(sure, needed, [one for one in maybe if _agree([one, *sure])])
        elif not self.lost and (self.won or self.tells("THROWS")):
            self.last = needed or self._of_a_set() or self._supposed(maybe, found["alone"])
        self.won = self.won or bool(self.last)
        self.unsure |= any(self._is_passed_over(at) for at in range(len(self.items)))
        self._drop_told_twice()

    def _hoped_in_vain(self, needed: list[Group], others: Sequence[list[Group]]) -> list[Group]:
        """Return the tiles *needed*; none if they were held, as in "drew it, the 5 bams. Before, 4 and 6 bams waiting"."""
        came = next(filter(None, others), [])
        told_first = came and needed and came[0].start < needed[0].start and not needed[0].is_plural
        if self.lost or not told_first or _agree([*needed, *came]):
            return needed
        self.unsure = True
        return needed if self.choose(LIKELY) else []

    def _take_for_last(self, sure: list[Group], needed: list[Group], again: list[Group]) -> None:
        """Take the *sure* groups for the last tile; *again* tell the same tile less surely, *needed* were hoped for."""
        needed = [one for one in needed if not one.is_plural]
        self.unsure |= bool(needed) and not _agree([*needed, *sure])
        self.last = _agreeing([*sure, *again[:1], *(one for one in needed if _agree([one, *sure]))])
        self.dropped += again

    def _is_passed_over(self, at: int) -> bool:
        """Return whether a single tile after a word such as "drew" was not found to be the last one."""
        ahead = self._beside(at, 1) if self.items[at].kind in ("SIGN", "THROWS", "FINAL") else NO_MENTION
        tile = ahead.group if not ahead.mark else None
        return tile is not None and len(tile.tiles()) == 1 and not (tile.is_bonus or tile in self.dropped)

    def _of_a_robbed_kong(self) -> list[Group]:
        """Return, in a list, the tile that another player added to a pung, as in "robs ann's 6c kong"."""
        told = [item.sentence for item in self.items if item.value == "robbed"]
        theirs = [item.group for item in self.items if item.group and item.sentence in told]
        theirs = theirs or self.groups * bool(told)
        robbed = [one for one in theirs if one.set in ("pung", "kong") and one.is_alike][:1]
        for group in robbed if robbed and self.choose(RARE) else ():
            group.set, group.times, self.unsure = "", 1, True
        return [one for one in robbed if one.is_single]

    def _told_behind_robbed(self) -> list[Group]:
        """Return, in a list, the first tile told after a robbed kong, as in "robbed ben, the 7 dots, beside my 8 and 9"."""
        at = next((at for at, item in enumerate(self.items) if item.value == "robbed"), len(self.items))
        near = [item for item in self.items[at + 1 : at + 4] if item.kind != "FROM"]
        first = [one.group for one in near[:1] if one.mark == COMMA and (near[1:] or near)[-1].mark]
        robbed = [one for one in first if one is not None and one.is_single and one.suits]
        self.unsure |= bool(robbed)
        return robbed

    def _tells_how_it_came(self) -> bool:
        """Return whether the line tells how the last tile came, or who discarded it."""
        signs = [at for at, item in enumerate(self.items) if item.kind in ("SIGN", "FROM")]
        flags = any(item.kind == "FLAG" and item.value in ("loose", "last", "robbed") for item in self.items)
        return flags or not all(map(self._is_of_another, signs))

    def _hoped_for(self) -> Iterator[Group]:
        """Yield groups of tiles of which one was hoped for, as in "waiting on 3-6 of dots"."""
        for at, item in enumerate(self.items):
            hoped = self._beside(at, -1).kind == "NEEDS" and not item.mark
            group = item.group if hoped or self._beside(at, 1).kind == "NEEDS" else None
            if group is None or group.set or not 1 < len(group.tiles()) < 5 or kind(group.tiles()):
                continue
            if hoped or group.tiles()[-1] == group.tiles()[0] + 3:  # 2-5 wait; but: 2-3 waiting
                yield group

    def _lay_claimed_before(self) -> None:
        """Lay sets on the table that were claimed before the last tile was drawn: "EEE, third one off ben, ..., drew 5 dots"."""
        drawn = self.last and any(item.value == "+" for item in self.items if item.kind == "SIGN")
        for at, item in enumerate(self.items if drawn else ()):
            claimed = item.kind == "FROM" and item.value is not None and self._is_of_a_claimed_set(at)
            group = next((one.group for one in self.items[:at][::-1] if one.group), None) if claimed else None
            if group is not None and not (group.state or group.is_single):
                group.state = "exposed"

    def _join_last(self) -> None:
        """Give values without a suit that of the last tile if they make a chow with it: "the 7 bams, between my 6 and 8"."""
        for last, at, step in product(self.last, range(len(self.items)), (1, 2)):
            held = [one for one in groups_of(self.items[at : at + step]) if not (one.set or one.is_plural)]
            suits = {suit for one in (*held, last) for suit in one.suits}
            tiles = [tile for one in (*held, last) for tile in one.tiles(*list(suits)[:1])]
            if len(held) == step and len(suits) == 1 and kind(sorted(tiles)) == "chow":
                self.dropped = [one for one in self.dropped if one not in held]
                for one in [one for one in (*held, last) if not one.suits]:
                    one.be_of(*suits)

    def _find_hopes(self) -> None:
        """Take a set that a loser hoped for, as in "waiting for a pung of greens", with one tile less, or for none."""
        for at, item in enumerate(self.items if not self.won else ()):
            group = item.group if self._beside(at, -1).kind == "NEEDS" and not item.mark else None
            if group is None or not group.set:
                continue
            less, self.unsure = {"pung": "pair", "kong": "pung"}.get(group.set), True
            if less and group.is_alike and not (group.state or self.choose(LIKELY)):
                group.set = less
            else:
                self.dropped.append(group)

    def _by_role(self) -> dict[str, list[Group]]:
        """Return the groups of a single tile by their role (see ``_role_of``)."""
        found: dict[str, list[Group]] = {"sure": [], "needed": [], "maybe": [], "alone": [], "": []}
        for at, item in enumerate(self.items):
            if item.group is not None and item.group.is_single and not item.group.is_bonus:
                found[self._role_of(at)].append(item.group)
        return found

    def _drop_told_twice(self) -> None:
        """Drop a set made by the last tile if its other tiles are told as well, as in "drew 7 cracks, makes 567"."""
        for at, item in enumerate(self.items):
            group = item.group
            if group is None or group.is_single or self._beside(at, -1).kind != "COMPLETES":
                continue
            if self._has_the_rest_of(group) and not self.choose(LIKELY):
                self.dropped.append(group)

    def _has_the_rest_of(self, group: Group) -> bool:
        """Return whether a set, or the set without the last tile, is told elsewhere as well."""
        others = [one for one in self.groups if one is not group and one not in self.dropped]
        others = [one for one in others if "" in (_suit(one), _suit(group)) or _suit(one) == _suit(group)]
        told = [_values(one) for one in others]
        told += [_values(one, other) for one, other in pairwise(others) if one.is_single and other.is_single]
        return any(_values(group) in (one, *(_values(last) + one for last in self.last)) for one in told)

    def _supposed(self, maybe: list[Group], alone: list[Group]) -> list[Group]:
        """Return, in a list, the single tile that may have been the last; empty if there is none."""
        if not (maybe or (self.won and alone)):
            return []
        self.dropped += maybe or alone
        self.unsure |= not maybe
        return _agreeing(maybe or alone)

    def _of_a_set(self) -> list[Group]:
        """Return, in a list, the set whose tile came last, as in "drew his pair, 3 cracks"."""
        drawn = [one for one in self.groups if one.heading is not None and one.heading.is_drawn]
        for at, item in enumerate(self.items):
            said = self._beside(at, -1).group if item.kind in ("SIGN", "FROM") else None
            drawn += [said] if said is not None and said.heading is not None and said.heading.several else []
            if self._completes_the_last(at):
                drawn += self._told_last_before(at)
                self.unsure |= item.kind == "FINAL" and not item.word.says("ORDINAL")
        if not drawn:  # finished the pair of 8s with ann's discard
            drawn = [one for at, item in enumerate(self.items) if (one := item.group) and self._is_got(at)]
            self.unsure |= bool(drawn)
        return [one for one in drawn if one.is_alike][:1]

    def _told_last_before(self, at: int) -> list[Group]:
        """Return, in a list, the group told last before item *at*; none if the item says only "the one she needed"."""
        groups = [one.group for one in self.items[:at] if one.group and not one.group.is_bonus]
        hoped = self._beside(at, 1).kind == "NEEDS"
        return [one for one in groups[-1:] if one.is_single or not hoped]

    def _completes_the_last(self, at: int) -> bool:
        """Return whether an item says that the set told last got the last tile, as in "drew another"."""
        item, before, behind = self.items[at], self._beside(at, -1), self._beside(at, 1)
        paired = item.kind == "COMPLETES" and behind.kind not in ("GROUP", "FLAG")
        remarked = not {before.kind, behind.kind}.isdisjoint(("SIGN", "THROWS", "FROM", "WIN"))
        if behind.group is not None and behind.group.is_single:
            return False  # cid gave her the other 5 sou
        return remarked and (paired or item.kind in ("IT", "FINAL"))

    def _is_got(self, at: int) -> bool:
        """Return whether a pair or pung is beside words on how it was completed, as in "two 5 craks, drew it"."""
        group, before, behind = self.items[at].group, self._beside(at, -1), self._beside(at, 1)
        behind = self._beside(at + 1, 1) if behind.kind == "UPON" else behind
        beside = (behind,) if self.items[at].mark and before.kind != "FLAG" else (before, behind)
        clause = self.items[at].mark and group is not None and kind(group.tiles()) == "pair"
        ahead = (*self.items[at + 1 : at + 3], NO_MENTION, NO_MENTION)
        if clause and ahead[0].kind == "SIGN" and (ahead[1].mark or not ahead[1].kind):
            return not ahead[0].mark or " it" in ahead[0].word.typed  # two 5 craks, drew it; 33b off the wall
        got = [
            item.kind for item in beside if item.kind in (*ENDING, "COMPLETES") and not item.word.says(*LAID)
        ]
        of_set = (group.set or kind(group.tiles()) * ("THROWS" in got)) if got and group is not None else ""
        return of_set in ("pair", "pung")

    def _role_of(self, at: int) -> str:
        """Return the role of the single tile that item *at* tells.

        That is ``sure`` for the last tile, ``needed`` for one hoped for, ``maybe`` or ``alone`` for one that may be the
        last; empty for others.
        """
        before, behind = self._about(at)
        kinds = {before.kind, behind.kind}
        if self._is_called_the_last(at) or not kinds.isdisjoint(ENDING):
            return "sure"
        if "NEEDS" in kinds:
            return "needed"
        if self._is_listed(at):
            return ""
        group = self.items[at].group
        completes = behind.kind == "COMPLETES" and not (group and group.is_plural)  # not: nines for the pair
        if before.kind in _HOPING or completes or self._is_thrown_apart(at):
            return "maybe"
        return "alone" if at and self.items[at - 1].kind in (*ENDING, "IT", "WIN") else ""

    def _about(self, at: int) -> tuple[Mention, Mention]:
        """Return the remarks before and after the single tile that item *at* tells that may be about it."""
        before, behind = self._beside(at, -1), self._beside(at, 1)
        beyond = self._beside(at - 1, -1) if before.kind in ("UPON", "IT") else NO_MENTION
        if beyond.kind and not (
            before.value == "with" and self._is_of_the_last(at - 2)
        ):  # 5b off ben with 4 6
            before = beyond
        if self.items[at].mark and (before.kind == "THROWS" or self._is_of_the_last(at - 1)):
            before = NO_MENTION  # the 5 that Cid threw: four and six
        joined = behind.is_joined and behind.value != "robbed"
        if joined or behind.kind == "FINAL" or self._is_of_the_next(at + 1, behind):
            behind = NO_MENTION
        return before, behind

    def _is_thrown_apart(self, at: int) -> bool:
        """Return whether a tile is discarded by words after a comma, as in "ben discarded it, the 5 cracks"."""
        before, group, *ahead = (NO_MENTION, *self.items)[at : at + 3]
        if before.value is not None and before.kind == "THROWS" and group.mark == COMMA:
            return all(item.mark for item in ahead)  # ben discarded it, the 5 cracks
        apart = [item for item in ahead if item.mark == COMMA and not self._is_of_the_next(at + 1, item)]
        ends = not self._beside(at + 1, 1).kind  # 5 dots, self drawn. Before that, ...
        return any(item.kind in ("FROM", "THROWS", *["SIGN"] * ends) for item in apart)

    def _is_of_the_next(self, at: int, said: Mention) -> bool:
        """Return whether a word such as "drew" or "needed" is about the single tile after it, as in "5 dots, drew 5 dots"."""
        ahead = self._beside(at, 1) if said.kind in ("SIGN", "THROWS", "NEEDS") else NO_MENTION
        return not ahead.mark and ahead.group is not None and ahead.group.is_single

    def _is_of_the_last(self, at: int) -> bool:
        """Return whether a word for how a tile came follows a single tile, as in "3 of dots off a discard: ..."."""
        before = self._beside(at, -1).group
        return self.items[at].kind in ENDING and before is not None and before.is_single

    def _is_called_the_last(self, at: int) -> bool:
        """Return whether the words after a tile call it the last, as in "the green dragon, my last tile, was ..."."""
        behind = self.items[at + 1 : at + 3]
        ends = len(behind) < 2 or behind[1].mark > 0 or behind[1].kind in ENDING
        return bool(behind) and behind[0].kind == "FINAL" and behind[0].mark <= COMMA and ends

    def _beside(self, at: int, step: int) -> Mention:
        """Return the item after (*step* 1) or before (-1) item *at*; NO_MENTION past a comma or full stop."""
        place = at + step
        if not 0 <= place < len(self.items) or self.items[max(at, place)].mark not in (0, COLON):
            return NO_MENTION
        return self.items[place]

    def _is_of_another(self, at: int) -> bool:
        """Return whether "drew" or "claimed" is about a flower or its replacement, as in "took a loose tile"."""
        behind = self._beside(at, 1)
        flag = behind.kind == "FLAG" and behind.value != "robbed"
        return flag or (behind.group is not None and behind.group.is_bonus)

    def _is_listed(self, at: int) -> bool:
        """Return whether a single tile is next to another one, as in a list."""
        beside = [place for place in (at - 1, at + 1) if 0 <= place < len(self.items)]
        singles = [(self.items[place].group, self.items[max(at, place)].mark) for place in beside]
        return any(group is not None and group.is_single and mark <= COMMA for group, mark in singles)

    # sets

    def _check_headings(self) -> None:
        """Apply words for sets that have no tiles, such as "pung", to the last tile. Raise Refused if none is told."""
        for heading in [one for one in self.headings if not one.groups and not one.count]:
            group = self._for(heading)
            just_chows = heading.kind == "chow" and (self.rest or self.lost)
            self.unsure |= just_chows and not heading.several
            if group is not None:
                group.set = heading.kind
            elif not just_chows:
                self._apply_to_last(heading)
        for heading in [one for one in self.headings if one.groups and len(one.suit) == 1]:
            if not any(heading.suit in group.suits for group in heading.groups):
                self._ask(heading)  # pungs of characters and 9 bamboos
        self._check_numbers()

    def _apply_to_last(self, heading: Heading) -> None:
        """Take a word for a set without tiles for the set that the last tile completed. Raise Refused if there is none."""
        is_remark = heading.several or heading.is_remark or self._is_mention(heading)
        last = [one for one in self.last if heading.suit in ("", _suit(one))]
        if last and self.completed in ("", heading.kind) and not is_remark and heading.kind != "kong":
            self.completed = heading.kind
            self.unsure = self.unsure or heading.state != ""  # pung exposed ... drew 4 characters
        elif is_remark or (self.won and self.choose(RARE)):
            self.passed.append(heading.word)
        else:
            self._ask(heading)

    def _is_mention(self, heading: Heading) -> bool:
        """Return whether a word, as in "the hidden kong", only mentions the one kong told, which then gets its state."""
        told = [one for one in self.headings if one.groups and one.kind == heading.kind]
        again = len(told) == 1 and heading.state != "" and heading.state != told[0].state
        for group in told[0].groups if again else ():
            group.state = group.state or heading.state
        return again

    def _check_numbers(self) -> None:
        """Raise NotTold if the sets listed are not as many as announced; for pairs, only mark the hand unsure."""
        for heading in [one for one in self.headings if one.count]:
            number = sum(len(group.sets()) for group in heading.groups)
            if number and number != heading.count:
                if heading.kind != "pair":
                    raise NotTold
                self.unsure = True
            alike = [group for one in self.headings if one.kind == heading.kind for group in one.groups]
            told = number or sum(len(group.sets()) for group in alike) == heading.count
            self.passed += [heading.word] * (not told)  # but: two kongs: one hidden, 9s, one open, easts

    def _ask(self, heading: Heading) -> None:
        """Raise Refused, asking for the tile of a set; NotTold if the word for the set was guessed from a misspelt one."""
        if heading.word.near:
            raise NotTold
        raise refuse("which-set", at=self.place(heading.word), set=heading.kind)

    def _for(self, heading: Heading) -> Group | None:
        """Return the tile told before a word for its set, as in "5 craks for the pair"; None if there is none."""
        place = self.words.index(heading.word)
        for before, item in zip(self.items, self.items[1:], strict=False):
            group, apart = before.group, item.mark or heading.word.mark
            beside = item.kind == "COMPLETES" and item.word is self.words[place - 1] and not apart
            if beside and group is not None and group.is_single and group not in self.dropped:
                return group
        if heading.word.mark == COMMA and place:  # greens, a pair
            told = [one for one in self.groups if one.end == self.words[place - 1].end and one.is_single]
            told = [one for one in told if not (one.set or one.is_bonus)]
            return next((one for one in told if one not in (*self.last, *self.dropped)), None)
        return None

    def _suits_of(self, groups: Sequence[Group]) -> list[dict[int, str]]:
        """Return, likeliest first, the suits that the groups without one may have, each by the ``id`` of its group."""
        told = [*reversed(groups), *self.last]
        near = [_suit(group) for group in self.dropped if group.tiles()[0] < 27 and _suit(group)]
        known = near + [
            tile.suit for group in told if group.text or group.suit for tile in group.tiles() if tile < 27
        ]
        waiting = []
        of_all = {self.suit_of_all}.issuperset(known)  # not: all bams: ..., pair of 5 dots, drew the 5
        for group in (group for group in (*groups, *self.last * of_all) if group.waits):
            group.suit = group.suit or self.suit_of_all
            waiting += [id(group)] * (group in groups and not group.suit)
        return [dict.fromkeys(waiting, suit) for suit in dict.fromkeys([*known, *"bcd"])] if waiting else [{}]

    def _parts(self, groups: Sequence[Group], suits: dict[int, str], rest: str) -> list[Part]:
        """Return the tiles of each set with its state, as far as told. Raise NotTold if it cannot have that state."""
        marked = any(group.state == "exposed" for group in groups if group.can_lie)
        orphans = any(len(set(group.tiles())) == 13 for group in groups)
        parts: list[Part] = []
        loose = self._fours_in_hand(groups)
        for group in groups:
            if group.is_plural and group.is_single and group.state != "exposed":
                group.set, self.unsure = "pair" if self.choose(LIKELY) else "pung", True  # reds
            lone = group.is_single and not (group.is_plural or group.is_bonus)
            self.unsure |= lone and group.state == "exposed"
            self.unsure |= orphans and self.completed == "pung"  # a third east
            group.state = group.state or (rest if group.threes() else "")
            for tiles in group.sets(suits.get(id(group), "")):
                held = tiles[:1] if orphans and kind(tiles) == "pair" else tiles
                part = _part(held, group, rest, marked)
                parts.append(part._replace(set="", state="") if group in loose else part)
        return parts

    def _fours_in_hand(self, groups: Sequence[Group]) -> list[Group]:
        """Return groups of four equal tiles that no word calls a kong, if the hand is full so or need not be full."""
        bare = [one for one in groups if one.is_alike and not (one.set or one.state)]
        fours = [one for one in bare if len(one.tiles()) == 4]
        is_full = sum(map(_size, groups)) + len(fours) == 13
        return fours if is_full or self._is_unlisted or "dead" in self._flags() else []

    @property
    def _is_unlisted(self) -> bool:
        """Return whether the line says by "..." that further tiles are not listed."""
        return any(word.says("DOTS") for word in self.words)

    def _laid(self, parts: list[Part], unsure: bool) -> Iterator[Taken]:
        """Yield the hand with the sets of unknown state concealed, then on the table."""
        unsaid = {part.set == "kong" for part in parts if part.set in LYING and not part.state}
        states = ("concealed", "exposed")
        for of_kongs in states if True in unsaid else states[:1]:
            for of_others in states if False in unsaid else states[:1]:
                laid = [_lying(one, one.state or {"kong": of_kongs}.get(one.set, of_others)) for one in parts]
                yield from self._ended(laid, unsure, of_others == "exposed")

    # how it ended

    def _ended(self, parts: list[Part], unsure: bool, unsaid: bool) -> Iterator[Taken]:
        end, passed = self.lattice.end, tuple(self.passed)
        sizes = [
            3 if one.bracket and len(one.tiles) == 4 else len(one.tiles) for one in _without_bonus(parts)
        ]
        held = sum(sizes)
        if self.won and self.lost:
            raise NotTold
        if not self.won:
            typed = self._of_a_loser(parts, sizes)
            yield Taken(typed, passed, unsaid, False, unsure, tuple(self.denied))
            return
        if held < 11:
            raise refuse("too-few-tiles", "told", held=held, at=self.lattice.place(0, end))
        for tile, group in self._last_tiles(parts, held).items():
            start, stop = (group.start, group.end) if group is not None else (end, max(end, 1))
            part = Part(str(tile), (tile,), start, stop)
            for sign, said, rank in self._signs():
                ending = Ending(start, stop, sign, part, None, said)
                for left in self._without(parts, tile, held, sign):
                    typed = Typed(self.seat, None, tuple(left), ending)
                    supposed = unsure or (held < 13 and not self.completed)
                    yield Taken(typed, passed, unsaid, group is None, supposed, tuple(self.denied), rank)

    def _of_a_loser(self, parts: Sequence[Part], sizes: Sequence[int]) -> Typed:
        """Return a hand that did not win. Raise Refused for thirteen orphans, which surely won; NotTold for loose tiles."""
        end, held = self.lattice.end, sum(sizes)
        said = tuple(flag for word, flag in self._flags().items() if word in FLAGS_OF_A_LOSER)
        unlisted = self._is_unlisted or (said and "..." in self.lattice.text)
        scores = (said or unlisted) and not any(one.waits and not one.suit for one in self._kept)
        if (held < 13 and 1 in sizes and not scores) or (said and not parts):
            raise NotTold  # a single tile does not tell what scores, nor does a flag alone
        if not (self.lost or said) and any(len(set(part.tiles)) == 13 for part in parts):
            raise refuse("which-tile", "untold", at=self.lattice.place(0, end))
        more = [Part("...", (), end, end)] * (unlisted or (held < 13 and not said))
        return Typed(self.seat, None, (*parts, *more), Ending(said=said))

    def _last_tiles(self, parts: Sequence[Part], held: int) -> dict[Tile, Group | None]:
        """Return the possible last tiles, each with its group or None; ask if 13 tiles do not tell it."""
        if not self.last and held == 13:
            self.asks.append(refuse("which-tile", "untold", at=self.lattice.place(0, self.lattice.end)))
            return dict.fromkeys(_beside_loose_ones(parts))
        told = [tile for part in _without_bonus(parts)[::-1] for tile in part.tiles[::-1]]
        told = told[:1] if held > 14 else told  # too many, whichever was the last
        tiles: dict[Tile, Group | None] = dict.fromkeys(told) if not self.last else {}
        for group in self.last:
            text = group.text or f"{group.values}{group.suit}"
            texts = [text] if _suit(group) else _of_any_suit(group, parts, self._is_any(group))
            tiles |= {read_tiles(text).tiles[0]: group for text in texts}
        return tiles

    def _is_any(self, group: Group) -> bool:
        """Return whether a group means any tile of its value, as in "a 9"."""
        before = self.lattice.text[: group.start].split()[-1:]
        return any(meaning.kind == "any" for word in before for meaning in vocabulary().of(word))

    def _signs(self) -> Iterator[tuple[str, tuple[Piece, ...], int]]:
        """Yield each sign (``+``, ``<``) that the last tile may have, the remarks on it, and the cost of assuming this.

        The last discard may not count by the rules. Raise NotTold, and Refused if the tile was both drawn and claimed.
        """
        said = self._flags()
        discard = said.pop(LAST_DISCARD, None)
        flags = [set(FLAG_CLAUSES.get(word, "")) for word in said] + [{"<"}] * bool(discard)
        left, who = self._ways_of_coming(flags)
        for sign in sorted(left):
            remarks = (*(who.values() if sign == "<" else ()), *said.values())
            if discard is not None:
                yield sign, (*remarks, discard._replace(value=Flag("last"))), 0
            yield sign, remarks, 2 * LIKELY * (discard is not None)

    def _ways_of_coming(self, flags: Sequence[set[str]]) -> tuple[set[str], dict[str, Piece]]:
        """Return the possible signs (``+``, ``<``), and the discarder by name. Raise NotTold, Refused."""
        items = [(at, item) for at, item in enumerate(self.items) if item.kind in ("FROM", "THROWS", "SIGN")]
        items = [(at, item) for at, item in items if item.kind == "THROWS" or not self._is_of_another(at)]
        left, who = _ways_of_coming([item for _, item in items], flags)
        if not left or len(who) > 1:  # some may be about sets on the table
            items = [(at, item) for at, item in items if not self._is_of_a_claimed_set(at)]
            left, who = _ways_of_coming([item for _, item in items], flags)
            self.unsure = True
        if len(who) > 1 or (self.seat is not None and self.seat.value in who):
            raise NotTold
        if not left:
            word = [item.word for item in self.items if item.kind in ("FLAG", "FROM", "THROWS", "SIGN")][-1]
            raise refuse("second-win", "sign", at=self.place(word))
        return left, who

    def _is_of_a_claimed_set(self, at: int) -> bool:
        """Return whether a word such as "claimed" follows a set and is not beside the last tile."""
        behind = next((item for item in self.items[at + 1 :] if item.kind not in ENDING), None)
        over = (*ENDING, "STATE", "IT")
        group = next((item.group for item in self.items[:at][::-1] if item.kind not in over), None)
        if behind is not None and behind.group is not None and behind.group.is_single and not behind.mark:
            return False
        return group is not None and group.can_lie and group not in self.dropped

    def _flags(self) -> dict[str, Piece]:
        """Return the flags of the winning tile by their words; "last" only if it is about the wall."""
        items = [
            item
            for item in self.items
            if item.kind == "FLAG" or (item.kind == "FINAL" and item.value and self._tells_of_the_wall(item))
        ]
        return {item.value: Piece("FLAG", Flag(item.value), item.word.start, item.word.end) for item in items}

    def _tells_of_the_wall(self, item: Mention) -> bool:
        """Return whether "last" means the last of the wall: it ends the line, or no other word tells the last tile."""
        behind = self.items[self.items.index(item) + 1 :]
        ends = item.mark == COMMA and all(one.kind == "FLAG" for one in behind)
        return not self.last or ends

    def _without(self, parts: Sequence[Part], tile: Tile, held: int, sign: str) -> Iterator[list[Part]]:
        """Yield the parts without the last tile, or with the set that it completed if that is not told. Raise Refused."""
        if held == 13 or held > 14:  # too many tiles are refused elsewhere
            yield list(parts)
        elif held == 14:
            fitting = _parts_with(parts, tile, sign)
            if not fitting:
                yield list(parts)
            for part in fitting:
                left, place = list(part.tiles), parts.index(part)
                left.remove(tile)
                less = [part._replace(text=format_tiles(left), tiles=tuple(left), bracket="")] if left else []
                yield [*parts[:place], *less, *parts[place + 1 :]]
        elif self.completed in ("" if held == 12 else "chow", _COMPLETED.get(13 - held)):
            more = (tile,) * (13 - held)
            yield [*parts, Part(format_tiles(more), more, self.lattice.end, self.lattice.end)]
        else:
            raise refuse("too-few-tiles", "told", held=held, at=self.lattice.place(0, self.lattice.end))


def _parts_with(parts: Sequence[Part], tile: Tile, sign: str) -> list[Part]:
    """Return the parts, of fourteen tiles, that may have the last tile: none if it is a lone one besides a lone honor."""
    lone = [part.tiles[0] for part in _without_bonus(parts) if len(part.tiles) == 1]
    least = 1 + any(tile != one >= 27 for one in lone)  # a red, a white, drew the red: one too many
    having = [part for part in parts if tile in part.tiles and len(part.tiles) >= least]
    # in the hand if the last tile was drawn: pungs, 2 bams, 5 dots, drew a 5 dots
    claimed = [one for one in having if one.bracket == "(" and len(one.tiles) == 3]
    return [
        *[one for one in having if not one.bracket][-1:],
        *[one for one in claimed if sign == "<" or not one.state],
    ]


def _ways_of_coming(items: Sequence[Mention], flags: Sequence[set[str]]) -> tuple[set[str], dict[str, Piece]]:
    """Return the signs (``+``, ``<``) that remarks allow for the last tile, and the discarders by name."""
    threw = [item for item in items if item.kind in ("FROM", "THROWS")]
    signs = [{item.value} for item in items if item.kind == "SIGN"]
    ways = (signs if threw else signs[-1:]) + [{"<"}] * bool(threw)  # took it from the wall
    who = {item.value.value: item.value for item in threw if item.value is not None}
    return set("+<").intersection(*ways, *flags), who


def _size(group: Group | None) -> int:
    """Return the number of tiles in a group, a kong counting as three; "reds" are a pung, bonus tiles none."""
    if group is None or group.is_bonus:
        return 0
    if group.is_single:
        return 3 if group.is_plural or group.state == "exposed" else 1
    try:
        return sum(min(len(one), 3) if kind(one) == "kong" else len(one) for one in group.sets())
    except Refused:
        return len(group.tiles())


def _agree(groups: Sequence[Group]) -> bool:
    """Return whether *groups* of a single tile can all be the same tile."""
    values = {group.tiles()[0].value for group in groups}
    return len(values) == 1 and len({_suit(group) for group in groups} - {""}) < 2


def _agreeing(groups: Sequence[Group]) -> list[Group]:
    """Return, in a list, the first of *groups* with a suit, else the first. Raise NotTold if they differ."""
    if not _agree(groups):
        raise NotTold
    return [next((group for group in groups if _suit(group)), groups[0])]


def _values(*groups: Group) -> Counter[str]:
    """Return how many tiles of each value are in some groups."""
    return Counter(tile.value for group in groups for tile in _tiles(group))


def _tiles(group: Group) -> Sequence[Tile]:
    """Return the tiles of all sets of a group, or as told if they are not sets of its kind."""
    try:
        return [tile for one in group.sets() for tile in one]
    except Refused:
        return group.tiles()


def _suit(group: Group) -> str:
    return group.text[-1:] or group.suit


def _of_any_suit(group: Group, parts: Sequence[Part], is_any: bool) -> list[str]:
    """Return what the last tile may be if no suit is told: like the pair told just before, or like any tile told."""
    before = next((one.tiles for one in _without_bonus(parts)[::-1] if one.start < group.start), ())
    told = [str(tile) for part in parts for tile in part.tiles if tile < 27 and tile.value == group.values]
    again = [str(before[0])] if len(set(before)) == 1 and str(before[0]) in told and not is_any else []
    if again and len(before) < 3:
        return _also_hidden(again, told, _without_bonus(parts))
    steps = [(tile.suit, abs(int(tile.value) - int(group.values))) for tile in _loose(parts) if tile < 27]
    near = [f"{group.values}{suit}" for suit, step in steps if 0 < step < 3]
    if again or len(set(told)) == 1:
        return list(dict.fromkeys([*near, *(again or told)]))
    return [f"{group.values}{suit}" for suit in "bcd"]


def _also_hidden(paired: list[str], told: Sequence[str], parts: Sequence[Part]) -> list[str]:
    """Return the tile of a pair and, if all fourteen tiles are told, the others of its value in the hand."""
    hidden = [str(tile) for part in parts if not part.bracket for tile in part.tiles]
    held = sum(len(part.tiles) for part in parts)
    return list(dict.fromkeys([*paired, *(tile for tile in told if tile in hidden and held > 13)]))


def _beside_loose_ones(parts: Sequence[Part]) -> Iterator[Tile]:
    """Yield the tiles that would go into a set with a tile that is not yet in one."""
    loose = _loose(parts)
    for tile in loose if len(loose) < 9 else ():
        steps = (-2, -1, 0, 1, 2) if tile < 27 else (0,)
        yield from (Tile(tile + step) for step in steps if 0 <= tile + step < 27 or not step)


def _loose(parts: Sequence[Part]) -> list[Tile]:
    """Return the tiles, but no flowers or seasons, that are not yet in a set."""
    return [tile for part in parts if part.set not in SET_SIZES for tile in part.tiles if tile < KINDS]


def _without_bonus(parts: Sequence[Part]) -> list[Part]:
    return [part for part in parts if not (part.tiles and part.tiles[0].is_bonus)]


def _part(tiles: Sequence[Tile], group: Group, rest: str, marked: bool) -> Part:
    """Return *tiles* with their state; *marked*: others are told as exposed. Raise NotTold for an exposed pair."""
    of_set = "" if tiles[0] >= KINDS else kind(tiles)
    state = group.state or (rest if of_set in LYING else "")
    if of_set not in LYING and state == "exposed" and not group.in_brackets:
        raise NotTold
    if not state and (of_set == "kong") < (of_set in LYING) and (marked or not group.set):
        state = "concealed"
    text = group.text if group.times == 1 and tuple(tiles) == group.tiles() else ""
    added = tuple(tiles[:1]) if group.grown else None
    text = group.grown or text or format_tiles(tiles)
    return Part(text, tuple(tiles), group.start, group.end, set=of_set, state=state, added=added)


def _lying(part: Part, state: str) -> Part:
    if state == "exposed" and part.set in LYING:
        return part.within("()")
    return part.within("[]") if part.set == "kong" else part
