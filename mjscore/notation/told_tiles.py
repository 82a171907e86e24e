"""Words for tiles in a told hand: values, suits, winds, how many of them, bonus tiles."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

from mjscore.game.hand import SET_SIZES
from mjscore.game.tiles import WINDS
from mjscore.notation.hand_builder import read_tiles
from mjscore.notation.told_gathered import Gathered
from mjscore.notation.told_items import (
    ENDING,
    LIKELY,
    NO_MENTION,
    OTHER,
    RARE,
    Group,
    Heading,
    NotTold,
    groups_of,
    kind,
)
from mjscore.notation.told_words import COLON, COMMA, LAID, NAMING, NO_WORD, SENTENCE, Word, after, word_at
from mjscore.notation.vocabulary import vocabulary
from mjscore.refusal import refuse

_OF_BONUS = {"f": ("flower", "flowers 1 and 3"), "s": ("season", "seasons 1 and 3")}


class GatheredTiles(Gathered):
    """Adds the tiles that words tell, each by the method named after its kind."""

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
        """Return whether "one" is a tile told before; in "finished with one she drew", also add it as IT."""
        if not word.says("PRONOUN") or behind.says("SUIT", *NAMING):
            return False
        got = behind.says("SIGN", "FROM", "NEEDS") and not self.choose(LIKELY)
        if got:
            self._say("IT", word)
        return got or self._before().says("FINAL", "ORDINAL", "TILES", "COMPLETES", *LAID)

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
            if self.groups and not (digits == "1" and self._ahead("THEM").says(*NAMING)):  # not: one each of
                self._so_many(word, int(digits), each="each" in behind.typed)
        elif _is_counted(behind, in_words) and not behind.is_joined:
            self.times = int(digits)
        elif in_words and behind.says("SUIT") and self._is_value_last():
            self.times, self.suit, self.unsure = int(digits), behind.said["SUIT"], True
            self._take(behind)  # drei Bambus sechs
        else:
            return behind.says(*LAID) and self._is_one_lying(word, digits, behind)
        return True

    def _is_one_lying(self, word: Word, digits: str, laid: Word) -> bool:
        """Take "one" before a state for a set: one told before ("222b 333b 444c, one open"), or to come ("one still in hand")."""
        if word.typed.isdigit() and not (digits == "1" and any(one.count > 1 for one in self.headings)):
            return False  # but: 2 kongs: 1 hidden, 7s, 1 open, 8s
        told = [one for one in self.groups if one.can_lie]
        ends = after(self.words, self.words.index(laid, self.at)).mark == SENTENCE
        if digits == "1" and len(told) > 1 and ends and self.mark == COMMA:
            self._lay(word, laid, "some")
        elif self.headings:
            self._begin(word, self.headings[-1].kind, False)
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
        if alone and digits in "234" and not self._is_last_told():
            self._so_many(word, int(digits))
            self.unsure = True
        elif digits in "123" and self._single_told() and (alone or self.choose(RARE)):
            self._so_many(word, int(digits), True)
        elif digits in "23" and self._corrects_number(digits):
            return True
        elif digits == "1" and self.items and (self.heading is None or self.heading.is_full):
            self._say("IT", word)
        else:
            return False
        return True

    def _single_told(self) -> Group | None:
        return next((one for one in reversed(self.groups) if one.is_single and one.text), None)

    def _so_many(self, word: Word, times: int, more: bool = False, each: bool = False) -> None:
        """Set the number of the tile told before; if it was the last tile, the number held besides, or *more* of it.

        *each*: of all single tiles told before in the sentence.
        """
        if self._is_so_after_all("", times):
            return
        last = self._single_told() if more or self._is_last_told() else None
        if last is None:
            for group in (one for one in self.bare if each and one.is_single and not one.is_bonus):
                group.times = times
            self.groups[-1].times = times
        else:
            self.times, self.unsure = times, True
            self._add(word, text=last.text)

    def _is_so_after_all(self, of_set: str, times: int = 1) -> bool:
        """Take a set denied for *times* of its tile or another set, as in "no pung of easts, only two"; return whether it is."""
        told = (
            (item, before.group) for before, item in pairwise(self.items[::-1]) if before.group is not None
        )
        denial, group = next(told, (NO_MENTION, None))
        is_less = not of_set or SET_SIZES[of_set] < SET_SIZES.get(group.set if group else "", 5)
        away = denial.kind != "DENIAL" or denial.value == "gone"
        if group is None or away or not (is_less and group.is_alike):
            return False
        if group.heading is not None:
            group.heading.groups.remove(group)
            self.headings = [one for one in self.headings if one is not group.heading or one.groups]
        group.set, group.times, group.heading, group.is_plural = of_set, times, None, False
        self.heading, self.items = None, [item for item in self.items if item is not denial]
        return True

    def _corrects_number(self, digits: str) -> bool:
        """Correct the number of the tile told last, as in "three easts, sorry, only two"; return whether it is one."""
        if self._is_so_after_all("", int(digits)):
            return True
        group = self.groups[-1] if self.groups and self.said.value == "denial" else None
        if group is None or not group.is_alike or group.heading is not None:
            return False
        group.set, group.times = "", int(digits)
        self.items.pop()
        return True

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
        if group is not None and self._is_said_twice(group, value):
            return
        if word.says("TILES") and after_bonus and not beyond.says("SUIT"):
            self._tiles(word)  # 2f 2s
            return
        named = before.says("TILES") and not (before.says("SUIT", "PLURAL") or word.is_joined)
        if value == "1" and named:
            return  # the red ones
        plural = self.times == 1 and not before.says("TIMES_OF")  # one of the ones
        group = self._add(word, value) if value.isdigit() else self._add(word, text=value)
        group.is_plural = plural

    def _is_said_twice(self, group: Group, text: str) -> bool:
        """Return whether a tile is that of the last group once more, as in "souths, a pair, souths!"."""
        return self.mark > 0 and (group.set != "" or group.is_plural) and group.text == text

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
        is_bonus = word.says("TILES") and self._ahead().says("BONUS") and not self._before().says("VALUES")
        return not is_bonus and self._of_suits(word, word.said["SUIT"])  # 3 dots, the bamboo flower

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
        suits = self._suits_but_one()
        group = self.groups[-1] if self.groups else None
        if group is not None and group.waits:
            group.times = 1 if group.is_alike else group.times  # nines nines nines, every suit
            group.set = group.set or ("pung" if group.is_alike else "chow")
            group.heading = group.heading or Heading(group.set, True, 0, word)
            group.heading.several = True
        alike = [one for one in self.groups[-3:] if one.waits and group and one.values == group.values]
        if len(alike) < 3:
            return self._of_suits(word, suits)
        for one, suit in zip(alike, "bcd", strict=True):  # 678, 678, 678, one in each suit
            one.be_of(suit)
        return True

    def _suits_but_one(self) -> str:
        """Return the letters of all suits but that excepted after the current word, as in "in every suit but dots"."""
        but, other = self._word(self.at), self._word(self.at + 1)
        if not (but.says("EXCEPT") and other.says("SUIT")):
            return "bcd"
        self.at += 2
        return "bcd".replace(other.said["SUIT"], "")

    def _join_values(self) -> None:
        """Join three single values in a row that have no suit yet, as in "two, three, four in each suit"."""
        told = [one for one in groups_of(self.items[-3:]) if one.waits and one.is_single]
        if len(told) == 3 and kind(read_tiles("".join(one.values for one in told) + "b").tiles) == "chow":
            told[0].values, told[0].end = "".join(one.values for one in told), told[2].end
            self.items = self.items[:-2]

    def _of_suits(self, word: Word, suits: str) -> bool:
        """Give a suit to the values before it, or else to those to come; return whether it applies to any."""
        behind = self._ahead()
        if self._is_of_the_value_of_all(word, suits) or self._is_the_same(word, suits, behind):
            return True
        names = self._names_values()
        waiting = [] if self._heads_tiles(word) else self._waiting(word)
        heads = word.mark > COMMA * (not self.suit_holds) or not self.groups
        heads = heads or (self.suit_holds and self._is_next_head(word))
        self.suit_holds = heads and self._lists_values()
        if waiting:
            for group in waiting:
                group.be_of(suits)
            waiting[0].end, self.suited = word.end, waiting[::-1]
        elif self.said.kind == "EXCEPT" and not names:
            self._say("MENTION", word, suits)
        elif self._is_of_sets_told(suits, behind):
            self._mention_sets(word, suits, behind)
        elif self.suited and (word.is_joined or word.mark == COMMA) and len(suits) == 1 and not names:
            for group in self.suited:  # twos and fours, dots and bams
                self._again(group, word, suits)
        else:
            return self._of_those_to_come(word, suits, names or self._ahead("ASIDE").says("SET", "SETS"))
        return True

    def _names_values(self) -> bool:
        """Return whether values follow that may be of the suit told, as in "in dots only the pair of 4s"."""
        ahead = self._ahead("ASIDE")
        return ahead.says("VALUES", "PLURAL") and not ahead.is_joined

    def _mention_sets(self, word: Word, suit: str, behind: Word) -> None:
        """Note that the sets told in a suit lie otherwise than the rest."""
        if not behind.says(*LAID):
            self._take(behind)
        if "EXCEPT" not in [item.kind for item in self.items[-2:]]:
            self._say("EXCEPT", word, OTHER[self._ahead().state])
            self.unsure = True
        self._say("MENTION", word, suit)

    def _is_of_the_value_of_all(self, word: Word, suit: str) -> bool:
        """Add a tile of a value told for several suits, as in "my ones: bams a closed pung, dots a pair"; return whether it is."""
        ahead, at = self._ahead(*LAID, "EXCEPT", "ASIDE", "TIMES_OF"), self.at
        if after(self.words, at - 1).mark == COMMA and (self.mark == COLON or self.value_of_all is not None):
            at += self.words[at].says(*LAID)  # nines: dots, an open pung; but: nines: dots, a pung of reds
            ahead = NO_WORD if self._word(at + 1).names else word_at(self.words, at, any_mark=True)
        if not (len(suit) == 1 and (ahead.says("SET") or self._ahead(*LAID).says("PRONOUN"))):
            return False
        last = self.said.group
        if self.value_of_all is None and last is not None and last.waits and last.is_plural and self.mark:
            self.value_of_all = last
            self.items.pop()
        if self.value_of_all is None:
            return False
        self._add(word, text=f"{self.value_of_all.values}{suit}")
        if not ahead.says("SET"):
            self.groups[-1].set = next((one.set for one in self.groups[-2::-1] if one.set), "")
        return True

    def _is_of_sets_told(self, suit: str, behind: Word) -> bool:
        """Return whether "one" or "ones" *behind* a suit means sets: "2s in every suit, the dots one exposed"."""
        told = [one for one in self.groups if suit in one.suits]
        apart = self.mark == COMMA or self._before().says("OPEN")
        if behind.says(*LAID) and not behind.says("EMPTY") and apart:
            return any(one.can_lie for one in told)  # 222b 333b 444c, the bams open
        if not behind.says("PRONOUN") and behind.said.get("PLURAL") != "1":
            return False
        ones = any(tile.value == "1" for one in told for tile in one.tiles() if tile.suit == suit)
        laid = self._ahead("PRONOUN", "PLURAL").says(*LAID)
        return laid and bool(told) and (behind.says("PRONOUN") or not ones)

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

    def _of_those_to_come(self, word: Word, suits: str, names: bool) -> bool:
        """Give a suit to the values after it, or to the whole hand; return whether it applies to any."""
        before, behind = self._before(), self._ahead()
        if self._is_of_all(before, behind, names):
            self.suit_of_all = suits
        elif names or self.suit_holds:
            self.suit = suits
            self.unsure |= self.suit_holds
        elif before.says("SET", "SETS") and self.heading is not None and not word.mark:
            self.heading.suit = suits  # two chows in bams: ...
        elif len(suits) > 1 and self.groups[-1:] and self.groups[-1].waits:
            self.groups[-1].be_of(suits)  # pungs of aces. One in each suit
        elif word.mark == SENTENCE or after(self.words, self.at - 1 + behind.says("CLOSE")).mark == COLON:
            for group in self.groups:
                group.suit = group.suit or self.suit_of_all * group.waits
            self.suit_of_all = suits
        else:
            return False
        return True

    def _is_of_all(self, before: Word, behind: Word, names: bool) -> bool:
        """Return whether a suit is that of the whole hand by the words beside it, as in "dots only"; *names*: values follow."""
        heads = behind.said.get("EVERY") == "all" and after(self.words, self.at).mark == COLON
        heads |= behind.said.get("EXCEPT") == "only" and not self._ahead("EXCEPT", "ASIDE").names
        every = before.says("EVERY", "REMARK") and before.said.get("EVERY") not in ("both", "rest" * names)
        return heads or every or (before.says("REST") and not (self.rest or names))

    def _lists_values(self) -> bool:
        """Return whether values follow without a suit of their own, as in "dots three, eight"."""
        rest = self.words[self.at :]
        end = next(
            (at for at, one in enumerate(rest) if one.mark == SENTENCE or one.says("SUIT", "SUITS")),
            len(rest),
        )
        while 0 < end < len(rest) and not (rest[end].mark or self._is_head(rest, end)):
            end -= 1  # the next suit is that of the values before it
        behind = next((one for one in rest[:end] if one.mark), NO_WORD)
        suit = next((one for one in takewhile(lambda one: not one.mark, rest) if one.says("SUIT")), NO_WORD)
        if suit.typed and rest[0].says("VALUES") and self._is_next_head(suit):
            return True  # dots 123 234 bams 345
        listed = behind.says("VALUES", "PLURAL") and rest[0].says("VALUES", "PLURAL")
        return listed and rest[0].mark != COLON

    def _is_head(self, words: Sequence[Word], at: int) -> bool:
        """Return whether a suit is that of the values after it, as in "in bams 5, 6 and in dots 7"."""
        values = words[at].is_joined and word_at(words, at + 1).says("VALUES")
        return self._is_next_head(words[at]) or (values and not word_at(words, at + 2).says("SUIT"))

    def _waiting(self, word: Word) -> list[Group]:
        """Return the groups before a suit to which it applies, the last first."""
        before, said = (NO_MENTION, NO_MENTION, *self.items)[-2:]
        if before.kind == "EXCEPT" and said.group is not None and said.group.waits and not word.mark:
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
            before = (NO_MENTION, *self.items)[at].kind
            came = (
                before in (*ENDING, *["UPON"] * self.won) and not self.items[at].mark
            )  # drew the 5, 345 bams
            ended = self.items[at + 1].kind in (*ENDING, "WIN", "COMPLETES") or (
                came and self.items[at + 1].mark
            )
            apart = self._is_completed(at) and not (self.items[at + 1].is_joined and other.is_single)
            if apart or self.suit_of_all or ended or not alike:
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
        if self.items[at + 1].kind == "STATE" and self.items[at + 1].mark and self.choose(RARE):
            return True  # so 234; exposed 666 chars
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
        groups, suit = self.groups, self._ahead()
        if groups and suit.says("SUIT") and not word_at(self.words, self.words.index(suit) + 1).says(*NAMING):
            self._take(suit)
            return self._repeat(suit, suit.said["SUIT"])  # the same in dots
        if word.says("JOINER", "ASIDE") and not self._lies_too():
            return False
        suits = [tile.suit for group in groups[:-1] if group.text for tile in group.tiles() if tile < 27]
        states = [item.value for item in self.items if item.kind == "STATE"]
        if groups and groups[-1].waits and suits:
            return self._of_suits(word, suits[-1])
        if not (groups and states):
            return False
        self._say("STATE", word, states[-1])
        return True

    def _is_the_same(self, word: Word, suit: str, behind: Word) -> bool:
        """Repeat the set told last in a suit before "the same", as in "222 bams, chars the same"; return whether it is that."""
        if not (self.mark and behind.says("SAME") and not behind.says("JOINER", "ASIDE") and self.groups):
            return False
        self._take(behind)
        return self._repeat(word, suit)

    def _repeat(self, word: Word, suit: str) -> bool:
        """Repeat the set told last in another suit, apart from it: "pung of 4 bams exposed, the same in dots hidden"."""
        last = self.groups[-1]
        if len(last.suits) != 1:
            return False
        values = last.values or "".join(tile.value for tile in last.tiles()[:: last.times or 1])
        other = Group(word, self.sentence, values, f"{values}{suit}", last.times)
        other.set, other.is_plural = last.set, last.is_plural
        self._say("GROUP", word, None, other)
        return True

    def _lies_too(self) -> bool:
        """Return whether the set told last lies as the one before, as in "222b open, 333b as well"."""
        behind, told = after(self.words, self.at - 1), self.items[-2:]
        lying = [item.kind for item in told] == ["STATE", "GROUP"] and told[1].mark <= COMMA
        denied = behind.says("DENIAL") > behind.says("CONTRAST")
        return lying and self.groups[-1].can_lie and behind.mark > 0 and not (denied or behind.says(*LAID))

    def _bonus(self, word: Word) -> None:
        """Handle flowers or seasons and numbers. Raise Refused if those are untold, NotTold if miscounted."""
        count, bonus, self.count, self.heading = self.count, word.said["BONUS"], 0, None
        if self._is_no_bonus(word, bool(count)):
            return
        before, is_garbled = self.words[self.at - 2], self._is_garbled(word, count)
        numbers = self.number or ("" if is_garbled else self._numbers())
        singular = vocabulary().says(f"{word.typed}s", "many")
        self.unsure |= singular and not self.number and len(numbers) > 1  # flower, one number 3
        self.number = ""
        if not numbers and count > 1 and not (word.says("MANY") or before.says("EVERY")):
            numbers, count = str(count), 1  # the 4 flower; but 4 fl may be four
            self.unsure |= not singular
        numbers = numbers or "1234" * (count == 4)
        if numbers and count in (0, len(numbers)):
            self._add(word, text=f"{numbers}{bonus}")
        elif numbers:
            raise NotTold
        elif is_garbled or not self._is_named(word, bonus):
            self._ask_bonus(word)
        elif self.said.kind != "DENIAL":
            self.unnamed = word

    def _ask_bonus(self, word: Word) -> None:
        of_bonus, example = _OF_BONUS[word.said["BONUS"]]
        raise refuse("which-bonus", at=self.place(word), bonus=of_bonus, example=example)

    def _is_garbled(self, word: Word, count: int) -> bool:
        """Return whether a number is missing or one too many, as in "flowers and 4", "1 flowers to 4"."""
        ahead = word_at(self.words, self.at, any_mark=True)
        missing = (
            ahead.is_joined and ahead.says("VALUES") and ahead.mark <= COMMA and not (count or self.number)
        )
        return missing or (count == 1 and word.says("MANY"))

    def _is_no_bonus(self, word: Word, is_counted: bool) -> bool:
        """Return whether "flowers" names tiles told just before, as in "plum and orchid flowers", or none: "0 seasons"."""
        group, before = next(reversed(self.groups), None), self.words[self.at - 2]
        apart = is_counted or word.is_joined or self._ahead().says("VALUES", "ORDINAL")
        again = group is not None and group.is_bonus and group.start == before.start and not apart
        none = before.typed == "0" or (before.says("NOTHING") and not apart)  # but: nothing, season 1
        return (again or none) and not word.mark

    def _is_named(self, word: Word, bonus: str) -> bool:
        """Return whether another word tells which flower or season is meant, as in "one season, winter"."""
        if self.words[self.at - 2].says("OWN") and word.is_joined:
            self._own(word._replace(said={"OWN": _OF_BONUS[bonus][0]}))
            return True
        named = [one.bonus for one in self.words]
        numbered = [
            one.said.get("BONUS")
            for one, other in pairwise(self.words)
            if one is not word and other.says("VALUES") and other.mark < SENTENCE and not other.is_joined
        ]
        told = bonus in numbered or self.said.kind == "DENIAL"
        other = not told and bonus not in named and after(self.words, self.at - 1).bonus != ""
        self.unsure |= other  # a flower, spring
        return told or other or bonus in named

    def _numbers(self) -> str:
        """Read and return the numbers after the word for flowers, as in "1, 2 and 4"; empty if there are none."""
        numbers, start = "", self.at
        self.at += self._is_their_number(word_at(self.words, self.at, any_mark=True))
        while self.at < len(self.words) and not self._begins_tiles(self.words[self.at], bool(numbers)):
            digits = self._number_of_bonus(self.words[self.at], bool(numbers))
            if set(digits) - set("1234"):
                break
            numbers, self.at = numbers + digits, self.at + 1
        self.at = self.at if numbers else start  # all four flowers exposed: that is a state
        return numbers

    def _is_their_number(self, count: Word) -> bool:
        """Return whether a number behind the word for flowers is how many follow: "flowers two: 1 and 3", "flowers 2 (1 and 3)"."""
        listed = [one for one in self.words[self.at + 1 :] if not one.says("OPEN", "NUMBERED")]
        listed = list(takewhile(lambda one: one.says("VALUES", "ORDINAL"), listed))
        apart = after(self.words, self.at).mark == COLON or after(self.words, self.at).says(
            "OPEN", "NUMBERED"
        )
        apart = apart or (count.typed.isalpha() and bool(listed) and listed[0].typed.isdigit())
        return (
            apart and len(listed) > 1 and count.said.get("VALUES") == str(len("".join(map(_number, listed))))
        )

    def _begins_tiles(self, word: Word, is_told: bool) -> bool:
        """Return whether a word is no number of a flower, but begins tiles; *is_told*: a number was read before."""
        beyond, called = self._word(self.at + 1), self.words[self.at - 1].says("NUMBERED")
        if is_told and beyond.says(*LAID) and self._word(self.at + 2).says("SET", "SETS"):
            return True  # flower 3 and two hidden kongs
        of_tiles = beyond.says("SUIT", "PLURAL", "FAMILY", "TILES", "SET", "SETS") and not beyond.is_joined
        of_tiles |= beyond.says("VALUES") and self._word(self.at + 2).says("SUIT")  # and three 5 dots
        # season no 2, pung
        sure = (called or word.said.get("VALUES") == "1234") and not beyond.says("SUIT")
        return (of_tiles and not sure) or (word.mark == SENTENCE and not called)

    def _number_of_bonus(self, word: Word, is_told: bool) -> str:
        """Return a word's numbers of flowers (*is_told*: not the first); empty between numbers, else "x"."""
        joined = word.mark or word.is_joined  # the first and third; but: season 3 first
        aside = word.says("OPEN") and self._word(self.at + 1).says("VALUES", "ORDINAL", "NUMBERED")
        laid = word.says(*LAID) and not (is_told or word.mark)  # one flower up, number 4
        again = word.typed[:1].isalpha() and not joined and self.words[self.at - 1].says("ORDINAL")
        if word.says("DENIAL") and not (word.says("NUMBERED") and after(self.words, self.at).mark != COMMA):
            return "x"  # flower 1, sorry, 2
        if word.says("ASIDE", "NUMBERED", "PLUS") or aside or laid or again:
            return ""  # numbers 1 and 2, no. 4, (the second), the 1st one
        return str(((joined or not is_told) and word.said.get("ORDINAL")) or word.said.get("VALUES", "x"))

    def _ordinal(self, word: Word) -> bool:
        """Handle an ordinal, as in "the third north" or "first exposed"; return whether it is used up."""
        number = word.said["ORDINAL"]
        if self._ahead("ORDINAL").says("BONUS"):
            self.number += number  # the second and fourth flower
            return True
        if self._lay_in_list(word, "first" if number == "1" else number):
            return True  # first exposed, second concealed
        self.completed = {"2": "pair", "3": "pung"}.get(number, "")
        told = self.said.kind in ("SIGN", "COMPLETES")  # drew a second 9 dots, it made a third west
        return told and not (self.mark or word.says("FINAL"))

    def _lay_in_list(self, word: Word, end: str) -> bool:
        """Handle a state of, or an exception for, some sets by their place: "the first two exposed", "all but the last".

        *end* is "first", "middle", "last", or the number of one set. Return whether it is that.
        """
        behind = self._ahead()
        count = behind.said.get("VALUES", "") * behind.typed.isalpha()
        which = end if end.isdigit() else f"{end} {count or 1}"
        excepted = self.said.kind == "EXCEPT" or (self.is_joined and self.said.kind == "MENTION")
        laid = NO_WORD if excepted else self._laid_in_list(behind, end, count)
        if not (excepted or laid.typed):
            return False
        self._part_lists()
        self.at += count != "" or laid.says("DENIAL")
        if excepted:
            self._say("MENTION", word, which)
        elif laid is self._ahead("EVERY"):
            self._lay(word, laid, which)
        else:
            self._say("STATE", word, (laid.state if laid.says(*LAID) else OTHER[self.said.value[0]], which))
        return True

    def _laid_in_list(self, behind: Word, end: str, count: str) -> Word:
        """Return the word for the state of some sets told (see ``_lay_in_list``), *behind* their place; or no word."""
        laid, told = self._ahead("VALUES", "EVERY"), [one for one in self.groups if one.can_lie]
        if behind.is_joined and behind.says("ORDINAL", "FINAL", "MIDDLE"):  # the first and the last exposed
            laid = self._ahead("VALUES", "EVERY", "ORDINAL", "FINAL", "MIDDLE")
        elif end == "last" and behind is laid and not after(self.words, self.at).mark:
            return NO_WORD  # the last exposed
        number = sum(len(one.sets()) if one.set else 1 for one in told)
        ends = self.said.kind == "STATE" and not self._ahead("DENIAL").typed
        able = (ends and laid.said.get("DENIAL") == "not") or laid.says(*LAID) > laid.says("SIGN", "EMPTY")
        return laid if able and (count or number > (end != "first")) else NO_WORD

    def _middle(self, word: Word) -> bool:
        return self._lay_in_list(word, word.said["MIDDLE"])

    def _silently(self, word: Word) -> None:
        """Skip a word that has no meaning here."""

    _family = _them = _empty = _joiner = _aside = _numbered = _silently


def _number(word: Word) -> str:
    return str(word.said.get("ORDINAL") or word.said.get("VALUES", ""))


def _is_counted(behind: Word, in_words: bool) -> bool:
    """Return whether a number, maybe *in_words*, before the word *behind* is a count."""
    if behind.says("PLURAL") or (behind.says("TILES") and not behind.says("SUIT", "VALUES", "BONUS")):
        return True
    return in_words and behind.says("VALUES") and len(behind.said["VALUES"]) == 1
