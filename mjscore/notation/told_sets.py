"""Words for sets in a told hand, and for whether they are exposed or concealed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from mjscore.notation.hand_builder import read_tiles
from mjscore.notation.told_items import LIKELY, NO_MENTION, OTHER, RARE, Group, call_all, groups_of, kind
from mjscore.notation.told_tiles import GatheredTiles
from mjscore.notation.told_words import COLON, COMMA, LAID, NAMING, SENTENCE, Word, after, word_at

_GROWN = re.compile(r"\((([1-9ESWNRG])\2\2)(?:\+|([bcdw])\+(?=.\3))(\2[bcdw])\)")  # (111+1c), (111c+1c)


class GatheredSets(GatheredTiles):
    """Adds the sets that words tell, and the states told of them."""

    def _set(self, word: Word) -> None:
        kind, several, heading = self._kind_of(word), self._begins_list(word), self.heading
        names = self._names_its_tiles()
        bare = [one for one in self.bare if not one.is_bonus]
        if not names and (self._is_said_again(word, kind) or self._is_so_after_all(kind)):
            return
        if bare and self._ahead().says("THEM"):
            self._set_of_them(kind, bare, several)
        elif self._is_of_the_last_group(bare, kind, names, several):
            for group in bare[:-1] if several else ():
                group.set = kind if group.is_single and kind != "chow" else ""
            bare[-1].set, bare[-1].end = kind, word.end
            if word.says("MADE"):
                self._call_list(kind, word)
        elif not names and self._mentions_set(word, kind):
            return
        elif names or heading is None or heading.groups or not heading.count:
            self._begin(word, kind, several)  # but in four pungs and a pair: ...

    def _begins_list(self, word: Word) -> bool:
        """Return whether a word for sets may be one for several, as in "pungs", or "punged: reds, 4 bams"."""
        ahead = next((one for one in self.words[self.at :] if not one.says(*LAID)), word)
        return not word.says("SET") or (word.says("MADE") and ahead.mark == COLON)

    def _names_its_tiles(self) -> bool:
        """Return whether tiles follow a word for a set; but: all except the pair and the reds."""
        ahead = self._ahead(*LAID, "SUIT", "EVERY", "FAMILY")
        return ahead.says(*NAMING) and not (ahead.is_joined and self.said.kind == "EXCEPT")

    def _mentions_set(self, word: Word, kind: str) -> bool:
        """Note that sets of a kind are denied or excepted, as in "all but the pung", "only the bam chow"; return whether."""
        further = (
            self.is_joined and self.items[-2:-1] and self.items[-2].kind == "EXCEPT"
        )  # but reds and the pair
        if further or (self.said.kind in ("EXCEPT", "DENIAL") and self.mark < SENTENCE):
            self._say("MENTION", word, kind)
        elif self.said.kind == "IT" and not self.mark and (laid := self._ahead()).says(*LAID):
            lies = any(one.can_lie for one in self.groups[-1:])  # but: drew a third white, that pung's closed
            (self._lay(word, laid, "one") if lies else self._take(laid))
            self.unsure = True
        elif self.said.value in ("b", "c", "d") and not self.mark:
            self.items[-1] = self.said._replace(value=f"{self.said.value} {kind}")
        else:
            return False
        return True

    def _call_list(self, kind: str, word: Word) -> None:
        """Call single tiles before the last group so too, as in "1 bams, 9 bams, 1 dots punged"."""
        *before, last = self.groups
        near = [one for one in before[::-1] if one.sentence == last.sentence]
        listed = list(takewhile(lambda one: one.is_single and not one.is_bonus, near))
        if listed and not self.choose(LIKELY):
            call_all([last, *listed], kind, word)
            for group in (last, *listed):
                group.heading = listed[-1].heading
            self.unsure = True

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
        if self.said.kind == "FROM" and any(item.value == "robbed" for item in self.items):
            return True  # the 4 bam that cid was adding to his pung
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
        if self._says_as():  # wests as a concealed pung; four wests as a pung: that is refused
            return fits or not last.is_single
        if self.mark or not is_beside:  # four souths, an open kong
            alone = several or after(self.words, self.at - 1).mark in (COMMA, SENTENCE)  # eyes: 2 chars
            return not names and (is_kind or (alone and fits))
        if names and (last.is_single or fits):
            return last.is_single and not self.choose(RARE)
        return fits

    def _says_as(self) -> bool:
        """Return whether "as" is one of the two words before the current one, as in "as a concealed pung"."""
        return "as" in [one.said.get("COMPLETES") for one in self.words[max(0, self.at - 3) : self.at - 1]]

    def _state(self, word: Word) -> bool:
        if word.says("SIGN", "THROWS") and self._is_of_the_last_tile():
            return False
        if self.roles.get(self.at) == "from" and word.says("FROM"):
            return False  # 5d ex east; but: pung 5d ex
        if word.says("STANDS") and self._is_last_told() and self._ahead().says("SIGN"):
            return True  # picked the last 8 up herself
        if not word.says("STATE") and word.says("WIN", "EMPTY", "ASIDE") and not self._lies_there(word):
            return False
        joined = ("MADE",) * word.is_joined  # chowed and laid out: ...
        bare = [one for one in self.headings[-1:] if self.is_bare and not one.word.says(*joined)]
        if any(one.state == word.state or self.words[self.at - 2] is one.word for one in bare):
            bare[0].state = word.state  # three winds punged on the table
            return True
        if not self._is_state_told(word):
            self._say("STATE", word, (word.state, ""))
        return True

    _lies = _state

    def _is_state_told(self, word: Word) -> bool:
        """Return whether a state was told just before ("hidden in her hand"), or another is ("lays down a hidden kong")."""
        if word.says("LIES") and (self.said.group is None or self.mark) and self._ahead().says("STATE"):
            return self._ahead().state != word.state
        said = next((item for item in self.items[::-1] if item.kind != "FROM"), NO_MENTION)
        own = self.is_joined or not (
            word.says("LIES") or self._says_as()
        )  # greens exposed and open reds; but: hidden in her hand
        if own and self._ahead().names and groups_of(self.items[-2:-1]):
            return False
        ends = self.mark < SENTENCE and after(self.words, self.at - 1).mark  # open, not hidden, and a pair
        return said.kind == "STATE" and said.value[0] == word.state and bool(ends or not self.mark)

    def _lies_there(self, word: Word) -> bool:
        """Return whether "out", "in" or "hand" is the state of sets, directly after one, or before one or a colon."""
        group, wins, behind = self.said.group, word.says("WIN"), after(self.words, self.at - 1)
        mark, joined = (
            behind.mark or COMMA * (behind.says("OPEN", *["SAME"] * wins) or self._counts_them(self.at)),
            behind.is_joined,
        )
        named = self.roles.get(self.at - 2) == "seat"
        if mark == COLON:
            return self._heads_list(word, wins, named)
        if self._before().says("OWNER") and word.says("EMPTY") and not self.choose(LIKELY):
            return False  # ann's hand 222b in hand, 333c open
        if group is None or not (mark or joined):
            return self._heads(word, named)
        if not (self.mark or self.is_joined):
            return group.can_lie or group.is_single or not wins
        return bool(wins and mark and group.can_lie and self.choose(RARE))

    def _heads_list(self, word: Word, wins: bool, named: bool) -> bool:
        """Return whether "out", "in" or "hand" before a colon is a state: ann's hand: is what it is; ben's out: he won."""
        if wins and not word.mark and self.tells("SIGN", "FROM", "THROWS"):
            return False  # drew the white and was out: ...
        return (wins and not named) or self.tells("GROUP", "STATE")

    def _counts_them(self, at: int) -> bool:
        """Return whether the words at a place say how many there are, as in "three of them"."""
        return self._word(at).says("TIMES_OF", "VALUES") and self._word(at + 1).says("THEM")

    def _heads(self, word: Word, named: bool) -> bool:
        """Return whether "out", "in" or "hand" is the state of tiles after it; *named*: a player is directly before it."""
        heads = (named or word.mark > 0 or self.is_joined) and self._ahead().names
        return heads and not (word.says("WIN") and bool(self.choose(LIKELY)) != named)

    def _is_of_the_last_tile(self) -> bool:
        """Return whether "claimed" or "called" is about the last tile, as in "claimed the 8 of dots from dee"."""
        group, ordinal = self.said.group, set(self._word(self.at).said) == {"ORDINAL"}
        at = start = self.at + ordinal  # claimed 2nd green
        if self.items[-2:-1] and self.items[-2].kind == "FINAL" and self.mark < SENTENCE:
            return after(self.words, at - 1).mark > 0  # winning tile: white dragon, claimed
        while (word := self._word(at)).says("UPON", "FINAL"):
            at += 1
        if not word.typed or at > start or word.says("IT", "FROM"):
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
        told = None if behind.says(*LAID) else self._is_no_state(word, every)
        if told is not None:
            return told
        if self._is_count(every, behind):
            self.count = 2 if every == "both" else 4  # both her pungs were hidden, 4 chars and 6 dots
        elif behind.says("SETS") and every == "all" and (not self.groups or self._heads_all(behind)):
            self.at, self.set_of_all = self.at + 1, behind
        elif behind.says(*LAID):
            self._lay(word, behind, every)
        elif behind.says("SUIT") and any(group.waits for group in self.groups):
            if every == "rest" and self._ahead("SUIT").says("VALUES"):
                return True  # the rest is chars 234
            self._suit_here(behind)
        elif behind.says("SETS") and not (every == "rest" and self._lists_sets()):
            self._take(behind)
            call_all(self.bare if every == "all" else self.bare[-2:], behind.said["SETS"], word)
            if self._ahead().says(*LAID):  # both pungs shown
                self._lay(word, self._ahead(), every)
        return True

    def _is_count(self, every: str, behind: Word) -> bool:
        """Return whether "both" or "all" is the number of flowers, or of sets to come."""
        return behind.says("BONUS") or (every == "both" and behind.says("SETS") and not self.groups)

    def _is_no_state(self, word: Word, every: str) -> bool | None:
        """Return whether a word that is about no state applies to anything; None if it may be about sets to come."""
        if every == "some":
            return False
        if every[-1].isdigit():
            return self._counts_others(word, every[-1])
        # no pung of greens, just the pair of them
        return ("pair" in word.typed and self._is_so_after_all("", 2)) or None

    def _counts_others(self, word: Word, digits: str) -> bool:
        """Handle "the other two" as the number of the tile after it, or of the one told before."""
        if self._ahead().says(*NAMING):
            self.times = int(digits)
            return True
        return self._is_said_alone(word, digits)

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
        # nothing of dee's is on the table
        laid, group = self._ahead("IT", "THEM", "UPON", "OWNER"), self.said.group
        if laid.says(*LAID):
            every = "all" if self._ahead().says("THEM") and self.groups else "hand"  # none of them down
            self._take(laid)
            self._say("STATE", word, (OTHER[laid.state], every))
            self.rest = self.rest or laid.state == "concealed"  # nothing in ann's hand
        elif self.mark in (0, COLON) and word_at(self.words, self.at - 2, any_mark=True).says(*LAID):
            self.items.pop()  # in hand nothing
            self.rest = True
        elif group and group.is_plural and not self.mark and (group.is_single or "none" in word.typed):
            self.items.pop()  # whites none
            if group.heading:
                group.heading.groups.remove(group)
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
        if self._is_of_no_set(aside):
            self.passed += aside
            self.at = end + 1
        elif states and not any(one.names for one in aside):  # (taken from ann, so open)
            self.at = end + 1
            self._lay_aside(word, aside, states[-1])
        elif len(aside) == 1 and self.groups and self._of_aside(inside):
            self.at = end + 1
        elif self._counts_them(self.at) or self.is_bare:
            return  # easts and wests (three of each); dragons (the green ones)
        elif inside.says(*NAMING, "SET") and not inside.says("OWN"):
            self.heading, self.brackets = None, "exposed" if word.said["OPEN"] == "(" else "concealed"

    def _is_of_no_set(self, aside: Sequence[Word]) -> bool:
        """Return whether words in brackets tell what might be, or is another's: "a limit if hidden", "flower 2 was ann's"."""
        holder = None if self.seat is None else self.seat.value
        others = aside[-1:] and aside[-1].says("OWNER") and aside[-1].who != holder
        return bool(others) or any(one.said.get("DENIAL") == "away" for one in aside)

    def _lay_aside(self, word: Word, aside: Sequence[Word], state: str) -> None:
        """Note a state told in brackets, which may head tiles: "(concealed) three greens"."""
        self.passed += [one for one in aside if not one.said]
        self.unsure |= len(aside) > 1
        heads = word.mark > COMMA or not self.groups
        every = next((one.said["EVERY"] for one in aside if one.says("EVERY")), "one")  # (both in hand)
        self._say("STATE", word, (state, "" if heads else every))
        self.mark = COLON * heads

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
