"""A hand told in words, read word by word into groups of tiles and remarks on their state and on the last tile."""

from __future__ import annotations

from mjscore.notation.lexer import Piece
from mjscore.notation.told_items import LIKELY, OTHER, RARE, Heading, NotTold, kind
from mjscore.notation.told_people import TellingPeople
from mjscore.notation.told_sets import GatheredSets
from mjscore.notation.told_words import COLON, COMMA, LAID, NAMING, NO_WORD, SENTENCE, Word, after

# if a word has several meanings, the order in which they are tried
_ORDER = (
    "GROWN", "EXCEPT", "SPECIAL", "REST", "LOSS", "REMARK", "THROUGHOUT", "CONTRAST", "DENIAL", "OPEN", "CLOSE", "EVERY", "THEM", "NEEDS", "MIDDLE", "ORDINAL", "FINAL", "THROWS",
    "COMPLETES", "STATE", "LIES", "SUITS", "OWN", "SET", "SETS", "TIMES", "SUIT", "PLURAL", "VALUES", "TIMES_OF", "TILES", "BONUS",
    "FAMILY", "IT", "PLUS", "LESS", "SIGN", "WIN", "FROM", "FLAG", "UPON", "NOTHING", "SAME", "CORRECTION", "DOTS", "EMPTY", "JOINER", "ASIDE", "NUMBERED",
)  # fmt: skip


class Gathering(GatheredSets):
    """Reads the words of a line one after another into *items*, in one of the ways in which they can be read."""

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
        if self.unnamed is not None and not any(one.is_bonus for one in self.groups):
            self._ask_bonus(self.unnamed)

    def _denial(self, word: Word) -> bool:
        """Handle a denial of a state; for any other denial, note that it is to be asked what it changes."""
        behind, before, said = self._ahead(), self._before(), word.said["DENIAL"]
        if word.says("NEEDS") and self.said.group is not None and not self.mark:
            return False  # 7 dots wait
        if self._changes_nothing(word):
            return True
        other = self._ahead("FROM")
        if said in ("not", "away") and (self._is_suit_alone(behind) or self._is_another(other)):
            self._take(other)  # twos in bams and chars, not in dots; off ben, not off cid
            self.unsure = True
            return True
        near = [item.kind for item in self.items[-2:] if item.sentence == self.sentence]
        hopes = not {"NEEDS", "COMPLETES"}.isdisjoint(near)
        if said == "or" and behind.typed and hopes:
            self._say("NEEDS", word)
        elif said in ("not", "neither") and self._is_other_state(word, behind):
            pass
        elif behind.says("SET", "SETS") and before.says("SET", "SETS"):
            self._take(behind)  # pung not kong of greens
            self.denied.append(word)
        else:
            self._deny(word, "not" if self._is_none_of(word, behind) else said)
        return True

    def _is_none_of(self, word: Word, behind: Word) -> bool:
        """Return whether "no" denies the tiles after it: "no reds"; but: "no, reds", "greens no reds"."""
        return word.mark > 0 and word.says("NUMBERED") and behind.names and not self._is_last_told()

    def _is_another(self, name: Word) -> bool:
        """Return whether the word after a denial is a player, told alone, who does not hold the hand."""
        holder = None if self.seat is None else self.seat.value
        ends = name.says("WHO") and after(self.words, self.words.index(name, self.at)).mark > 0
        return ends and not name.says("WIND") and name.who != holder

    def _is_suit_alone(self, suit: Word) -> bool:
        """Return whether the word after a denial is a suit told alone."""
        beyond = after(self.words, self.words.index(suit, self.at)) if suit.says("SUIT") else NO_WORD
        return beyond.mark > 0 or beyond.says("CONTRAST")

    def _is_other_state(self, word: Word, behind: Word) -> bool:
        """Handle "not" as the state other than that after it, or than that told last; return whether it is one."""
        laid = self._ahead("PRONOUN", "TIMES_OF", "THEM")
        states = [item for item in self.items if item.kind == "STATE"]
        if laid.says(*LAID):
            self._take(laid)  # all pungs, not one on the table; not a hidden one
            self.at += self._ahead().says("PRONOUN") and after(self.words, self.at).mark > 0
            every = "both" if word.said["DENIAL"] == "neither" else "hand" * (laid is not behind)
            self._say("STATE", word, (OTHER[laid.state], every))
        elif states and not behind.typed:
            self.unsure = True  # 456 bams laid down, 678 dots not
            rest = "rest" * (self._before().said.get("EVERY") == "rest")  # the others not
            self._say("STATE", word, (OTHER[states[-1].value[0]], rest))
        else:
            return False
        return True

    def _changes_nothing(self, word: Word) -> bool:
        """Return whether a denial denies nothing: nothing but; nothing neither; sorry, where there is nothing to correct."""
        ends = self._before().says("REST", "NOTHING") and (word.says("EXCEPT") or not self._ahead().typed)
        return ends or (word.says("TALK") and not self.groups)

    def _deny(self, word: Word, how: str = "denial") -> None:
        self.denied.append(word)
        self._say("DENIAL", word, how)

    def _correction(self, word: Word) -> None:
        if self.items:  # hang on, ben: ...
            self._deny(word)

    def _except(self, word: Word) -> bool:
        """Handle a word for sets in another state than the rest, as in "only norths exposed"; return whether it is one."""
        only, behind = (
            word.said["EXCEPT"] == "only",
            self._ahead(*NAMING, "SUIT", "SET", "SETS", "FAMILY", "ORDINAL", "FINAL", "MIDDLE"),
        )
        of_all = only or self._before().says("EVERY") or " " in word.typed
        nothing = self.rest or any(one.says("NOTHING", "REST") for one in self.words[-3:])
        if self.said.kind == "STATE" and self.mark <= COMMA and not only:
            self._say("EXCEPT", word, self.items.pop().value[0])
        elif nothing and not (only or self.groups):
            pass  # nothing for ann except a pung; apart from a pung, ann had nothing
        elif of_all and behind.says(*LAID) and behind is not self._ahead():
            self._say("EXCEPT", word, OTHER[behind.state] if only else "")
        else:
            return False
        return True

    def _contrast(self, word: Word) -> None:
        near = self.words[max(0, self.at - 4) : self.at + 2]  # hidden, yet ann lost
        self.passed += [word] * (not any(one.says("REST", "NOTHING", "LOSS") for one in near))
        self.mark = max(self.mark, COMMA)  # not drawn but off ben

    def _remark(self, word: Word) -> bool:
        """Skip a remark that the tiles show anyway; but "no" before tiles, as in "no pung of reds", is a denial."""
        told = self.said.group is not None and self.said.group.waits and not self.mark
        ahead = self._ahead().says("VALUES") and not self._word(self.at + 1).says("SUIT")
        if word.says("SUITS") and (told or ahead):
            return False  # 345 sanshoku, sanshoku 345
        if word.said["REMARK"] == "none" and self._ahead().says(*NAMING, "SUIT"):
            self._deny(word, "not")
        return True

    def _who(self, word: Word, role: str) -> None:
        self.lost = self.lost or role == "winner"
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
        if self.at == 1 and self.at not in self.roles:
            self.passed.append(word)  # from me: ...
            return
        if self._ahead().says("FLAG", "SIGN") or (word.says("TALK") and self.roles.get(self.at) != "from"):
            return  # off a loose tile, from a discard
        if self.at in self.roles or (self.headings and names and self._is_of_a_set(word)):
            return
        if self._is_of_a_run() and not self.mark:
            self._say("COMPLETES", word)
            return
        if self.said.kind == "STATE" and not self._ahead().typed:
            return  # punged off me
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
        away = self.lost and word.said["THROWS"] == "throws" and not self._before().says("FROM", "UPON")
        if away and not places:
            self._deny(word, "gone")  # not out: a pair of reds he threw away
            return True
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
            # last of the wall, ann took it; but: claimed by ann
            of_wall = (
                self.said.kind == "FLAG" and self.said.value == "last" and not word.says("STATE", "UPON")
            )
            self._say("SIGN", word, "+" if of_wall and not self.choose(LIKELY) else word.said["SIGN"])
            if word.says("FLAG") and self.choose(LIKELY):
                self._say("FLAG", word, word.said["FLAG"])  # stole dee's 2 bams

    def _less(self, word: Word) -> None:
        self._say("SIGN", word, "<")

    def _completes(self, word: Word) -> bool:
        group, ends = self.said.group, after(self.words, self.at - 1).mark > 0
        if word.says("FROM") and self.roles.get(self.at) == "from":
            if group is not None and not (self.mark or group.set) and group.is_alike:
                group.set = kind(group.tiles())  # 222 dots finished off ben
            return True
        came = ("SIGN", "NEEDS", "FINAL", *["WIN"] * (word.said["COMPLETES"] == "completes"))
        near = self.items[-3:] if [one.kind for one in self.items[-2:-1]] == ["UPON"] else self.items[-2:]
        # of its own: two 3 dots for her pair; but: out on 3 dots for her pair
        as_set = word.says("ASIDE") and not any(item.kind in came for item in near)
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
        ahead = self._ahead(*LAID)
        made = not self.mark and self.said.kind == "FLAG" and ahead.says("SET")  # a loose tile after her kong
        if not (made or (word.says("ASIDE") and ahead.says("SET", "SETS"))):  # sat on two hidden pungs
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
        if (
            word.said["FLAG"] == "thirteen"
            and word.typed.isalpha()
            and (mark == COLON or not (mark and word.mark))
        ):
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
            if self.said.kind == "STATE" and heads and not word.says("EXCEPT"):
                self.items.pop()  # in her hand is nothing that counts

    _dots = _rest


def _named(word: Word) -> Piece:
    return Piece("WHO", word.who, word.start, word.end)
