"""Which of the named people holds a told hand, and who discarded its last tile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, takewhile
from typing import Any

from mjscore.notation.lexer import Lattice, Piece
from mjscore.notation.told_words import COLON, COMMA, LAID, NAMING, SENTENCE, Word, after, word_at
from mjscore.notation.vocabulary import plain, vocabulary

_TELLING = (
    "TILES", "VALUES", "PLURAL", "TIMES_OF", "SET", "SETS", "TIMES", "SIGN", "FROM", "UPON", "OPEN", "THROWS",
)  # fmt: skip
_COMING = ("SIGN", "THROWS", "FINAL", "FLAG", "NEEDS")  # how a last tile came


class TellingPeople:
    """Finds the *roles* of names (such as ``seat``, ``from``) by the word's index, and the hand's *seat*.

    *choose* decides between possible holders of the hand; *is_sure* is then false. *at* is a word's index.
    """

    def __init__(self, lattice: Lattice, words: Sequence[Word], choose: Callable[..., int]) -> None:
        self.lattice, self.words, self.choose = lattice, words, choose
        self.roles: dict[int, str] = {}
        self.seat: Piece | None = None
        self.is_sure = True
        self.begin = self._after_talk()
        for at, word in enumerate(words):
            if word.says("WHO"):
                self.roles[at] = self._role(word, at)
            elif word.says("WIND") and self._throws(at):
                self.roles[at], self.is_sure = "thrower", self.is_sure and at > 0 and word.mark > 0
            elif word.says("WIND") and word.mark == SENTENCE and at > self.begin and self._is_beaten_by(at):
                self.roles[at] = "aside"
            elif word.says("WIND") and self._is_seat(word, at):
                self.roles[at] = "seat"
        self._find_seats()
        for at in [at for at, role in self.roles.items() if role in ("seat", "from")]:
            self._skip_beside(at)
        self._find_holders()
        for at in (at for at, role in self.roles.items() if role == "seat"):
            self.seat = Piece("SEAT", words[at].who, words[at].start, words[at].end)

    def _is_beaten_by(self, at: int) -> bool:
        """Return whether a wind is somebody else who won, as in "three reds. North beat her to it"."""
        return word_at(self.words, at + 1).says("LOSS") and after(self.words, at + 1).mark == SENTENCE

    def _after_talk(self) -> int:
        """Return the index of the first word after sentences of small talk, as in "ok, got it. West: ..."."""
        places = [at for at, word in enumerate(self.words) if word.mark == SENTENCE]
        return max((at for at in places if not any(map(_tells, self.words[:at]))), default=0)

    def _throws(self, at: int) -> bool:
        """Return whether a wind discards a tile, as in "east parted with the 5 dots"."""
        word, before = self.words[at], self._before(at)
        got = before.says("SIGN", "UPON", "COMPLETES", "SET", "IT", "FINAL")
        throws = len(word.typed) > 1 and word_at(self.words, at + 1).says("THROWS")
        told = word_at(self.words, at - 2, True)
        if throws and before.typed == "that" and (told.names or told.says("FAMILY")):
            return True  # the 5 dots that west threw
        throws = throws and not got
        begins = word.mark > 0 or at == self.begin + 1
        ends = begins and after(self.words, at + 1).mark > 0  # last tile green, east chucked it
        behind = word_at(self.words, at + 2)
        return throws and (ends or behind.says("VALUES", "TILES", "PLURAL", "IT", "FINAL"))

    def _throws_it(self, at: int, behind: Word) -> bool:
        """Return whether a player discards a tile, as in "ann kindly threw it" or "and ann, let it go"."""
        apart = after(self.words, at)
        clause = self.words[at].is_joined and apart.mark == COMMA and apart.says("THROWS")
        return clause or behind.says("THROWS")

    def _find_holders(self) -> None:
        """Find whose hand it is if several players are named, or one in brackets, as in "won with 5d (ann)"."""
        if "seat" not in self.roles.values():  # pair of easts, ann's own wind
            self.roles |= {at: "seat" for at, role in self.roles.items() if role == "owner"}
        self._skip_those_with_nothing()
        self._skip_the_winner()
        holders = {self._who(at): at for at, role in self.roles.items() if role == "seat"}
        for at in (at for at, role in self.roles.items() if role == "aside"):
            discards = holders and self._who(at) not in holders
            if not holders and self.words[at].says("OWNER"):
                self.is_sure, discards = False, bool(self.choose(1))
            self.roles[at] = "from" if discards else "seat"
            if not discards:
                holders[self._who(at)] = at
        if len(holders) > 1:
            self._find_holder(list(holders.values()))
        elif holders and self._robs_nobody():  # ann was adding the fourth
            self.is_sure, at = False, holders.popitem()[1]
            self.roles[at] = ("from", "seat")[self._robs(at) or self.choose(1)]

    def _robs_nobody(self) -> bool:
        """Return whether a kong was robbed, and it is not said whose."""
        heads = after(self.words, 0).mark == COLON
        robs = any(word.said.get("FLAG") == "robbed" for word in self.words)
        return robs and not heads and "from" not in self.roles.values()

    def _skip_those_with_nothing(self) -> None:
        """Skip players who have nothing if others are named, as in "Ben and Eve have nothing, Dee three whites"."""
        seats, empty = [at for at, role in self.roles.items() if role == "seat"], dict[int, range]()
        for at in reversed(seats):
            behind = takewhile(lambda place: not self.words[place].mark, range(at + 1, len(self.words)))
            end = next((place for place in behind if not self.words[place].says("EMPTY", "HAS")), at)
            ends = after(self.words, end).mark or word_at(self.words, end + 1).says("WHO")
            if self.words[end].says("NOTHING") and ends:
                empty[at] = range(at, end + 1)
            elif end in empty and self.words[end].is_joined:
                empty[at] = range(at, end)
        if empty.keys() < {*seats}:
            self.is_sure = self.is_sure and not empty
            self.roles |= {place: "beside" for places in empty.values() for place in places}

    def _skip_the_winner(self) -> None:
        """Skip one who won while another one's hand is told, as in "while ann was winning, dee held three wests"."""
        seats = [at for at, role in self.roles.items() if role == "seat"]
        untold = not any(one.says("FROM", *_COMING) for one in self.words)
        for at, end in pairwise([*seats, len(self.words)]) if untold and len(seats) > 1 else ():
            wins = word_at(self.words, at + 1).said.get("WIN") == "wins"  # but: winner ann
            if wins and not any(one.names for one in self.words[at:end]) and not self.choose(1):
                self.is_sure = False
                self.roles |= {at: "beside", at + 1: "winner"}

    def _find_seats(self) -> None:
        """Find the winds that only tell where a named player sits, as in "Ann, who is East"."""
        free = [at for at in range(len(self.words)) if at not in self.roles]
        for at in list(filter(self._is_beside_its_player, free)):
            self.roles[at] = "beside"
            if self.words[at - 1].says("EMPTY"):  # dee in the north, I had my own wind
                self.roles[at - 1] = "beside"

    def _skip_beside(self, at: int) -> None:
        """Skip words beside a name that only say that somebody sits there or has tiles, as in "in the east seat"."""
        beside = [place for place in (at - 1, at + 1) if word_at(self.words, place, True).says("CHAIR")]
        start = min([at, *beside]) - 1
        if beside and start >= 0 and self.words[start].says("EMPTY"):
            beside.append(start)
        behind = word_at(self.words, at + 1)
        has = [end for end, said in self._phrases(behind) if any(one.kind == "has" for one in said)]
        beside += [
            place
            for place in range(at + 1, len(self.words))
            if has and self.words[place].end <= max(has) and not behind.says("WIN", "LOSS")
        ]
        self.roles |= dict.fromkeys(beside, "beside")

    def _phrases(self, word: Word) -> Sequence[tuple[int, Sequence[Any]]]:
        return list(self.lattice.phrases(word.start)) if word.typed else []

    def _find_holder(self, places: list[int]) -> None:
        """Choose the hand's holder among the players whom words *places* name; others may have discarded."""
        self.is_sure = False
        if 0 not in places:  # thats cid
            places.sort(key=lambda at: not (self.words[at].mark and after(self.words, at).mark))
        robbers = list(filter(self._robs, places))
        holder = robbers[-1] if robbers else places.pop(self.choose(*[1] * (len(places) - 1)))
        others = [at for at, role in self.roles.items() if role == "seat" and at != holder]
        told = not {"from", "thrower"}.isdisjoint(self.roles.values())
        may_throw = not told or any(word.says("DENIAL") for word in self.words)
        robs = any(word.said.get("FLAG") == "robbed" for word in self.words)
        throws = may_throw and (bool(robbers) > len(others[1:]) or bool(self.choose(1)) != robs)
        self.roles |= dict.fromkeys(others, "from" if throws else "aside")
        won = robs or any(word.says("WIN", "SIGN", "FROM", "FINAL") for word in self.words)
        for at in others if not won else ():
            self.roles |= dict.fromkeys(self._theirs(at), "beside")

    def _robs(self, at: int) -> bool:
        """Return whether a player robbed a kong, as in "dee robbed it", "it was robbed by dee", or claimed the last tile."""
        by = self._before(at).said.get("UPON") == "by"
        if by and word_at(self.words, at - 3, True).says("FINAL"):
            return not word_at(self.words, at - 2, True).says("THROWS")  # dee's last tile was claimed by ben
        return word_at(self.words, at - 2 if by else at + 1, True).said.get("FLAG") == "robbed"

    def _theirs(self, at: int) -> range:
        """Return the words after a name that tell what another player had, as in "..., ann had the greens"."""
        behind, word = word_at(self.words, at + 1), self.words[at]
        has = (
            any(one.kind == "has" for end, said in self._phrases(behind) for one in said) or behind.is_linked
        )
        sits = not behind.said or behind.says(*LAID) or (word.says("OWNER") and behind.says("SET", "SETS"))
        end = next(
            (place for place in range(at + 1, len(self.words)) if self.words[place].mark), len(self.words)
        )
        return range(at + 1, end) if behind.typed and (has or sits) else range(0)

    def _who(self, at: int) -> str:
        """Return the player whom word *at* names."""
        return self.lattice.people.players.get(self.words[at].who, self.words[at].who)

    def _is_beside_its_player(self, at: int) -> bool:
        """Return whether a wind is that of the player named directly beside it."""
        word = self.words[at]
        before, behind = word_at(self.words, at - 1, True), after(self.words, at)
        around = [before] * (not before.says("OPEN"))
        around += [behind] * (
            not (behind.says("UPON", "CLOSE") or behind.is_linked)
        )  # as East had three souths
        # who is west, hidden
        of_a_tile = any(_tells_of_a_tile(one) and not (one.mark and one.says(*LAID)) for one in around)
        if not word.says("WIND") or len(word.typed) < 2 or of_a_tile:
            return False
        beside = range(at - 2, at if at > 2 else at + 3)
        return self._who(at) in [self._who(place) for place in beside if place in self.roles]

    def _role(self, word: Word, at: int) -> str:
        before, behind = self._before(at), self._known_behind(at)
        told = word_at(self.words, at - 2, True)
        by = before.said.get("UPON") == "by"
        if by and (self._robs(at) or told.says("SIGN", "NOTHING", "SPECIAL", "SETS") > told.says("THROWS")):
            return "seat"  # self drawn by dee, no points by ben, thirteen orphans by ann
        if by or before.says("FROM", "LESS") or before.said.get("FLAG") == "robbed":
            return "seat" if before.says("FROM") and self._heads_from(at) else "from"
        if before.says("OPEN") and behind.says("CLOSE"):
            return "aside"
        if self._throws_it(at, behind):
            return "thrower"
        if not word.says("OWNER") or before.says("COMPLETES", "LOSS"):
            return "seat"
        if not behind.typed or behind.says("CLOSE"):
            return "aside"
        if behind.says("OWN"):
            return "owner"
        return "from" if self._is_a_discard(at, behind) and not self._heads_from(at) else "seat"

    def _heads_from(self, at: int) -> bool:
        """Return whether a hand that did not win is from a player, as in "from dee a pung of reds", "just one from ben"."""
        owns = not self._before(at).says("FROM")  # i see ben's reds were open
        begins = (owns or at == 1 or self.words[0].says("REST")) and "seat" not in self.roles.values()
        heads = begins and not any(one.says("WIN", *_COMING) for one in self.words)
        all_told = not owns and word_at(self.words, at - 2, True).says(
            "NOTHING", "REST"
        )  # that's all from cid
        self.is_sure = self.is_sure and (all_told or not heads)
        return all_told or (heads and not self.choose(1))

    def _is_a_discard(self, at: int, behind: Word) -> bool:
        """Return whether a tile *behind* its player's name is a discard, as in "won with ben's 5 dots"."""
        named = at > 0 or any(word_at(self.words, at + beyond).says("WIN") for beyond in (2, 3))
        last = behind.says("FINAL") and not behind.says("ORDINAL") and at > self.begin  # not: dee's 2nd kong
        return last or behind.said.get("SIGN") == "<" or (behind.says(*NAMING) and named)

    def _before(self, at: int) -> Word:
        """Return the word before word *at*; an empty one if punctuation intervenes."""
        return word_at(self.words, at - 1, any_mark=True) if not self.words[at].mark else word_at((), 0)

    def _known_behind(self, at: int) -> Word:
        """Return the first known word of the three behind a name; an empty one if punctuation intervenes."""
        behind = [word_at(self.words, place) for place in range(at + 1, at + 4)]
        return next((word for word in behind if word.said or not word.typed), behind[-1])

    def _is_ones_own(self, word: Word) -> bool:
        """Return whether the words before a wind say that somebody sits there, as in "I'm east"."""
        before = plain(self.lattice.text[: word.start]).split()
        said = (vocabulary().of(" ".join(before[-size:])) for size in (1, 2, 3))
        return any(one.kind == "self" for meanings in said for one in meanings)

    def _is_seat(self, word: Word, at: int) -> bool:
        """Return whether a wind is the holder of the hand, not a tile."""
        before, behind, ahead = self._before(at), word_at(self.words, at + 1), after(self.words, at)
        is_name = len(word.typed) > 1
        chair = word_at(self.words, at - 1, True) if word.mark == COLON else before  # seat: n
        if chair.says("CHAIR") or behind.says("CHAIR"):
            return True
        if at == self.begin:
            return self._begins(word, ahead)
        does = behind.says("WIN", "LOSS") or ahead.mark == COLON or (ahead.is_linked and is_name)
        if word.mark == SENTENCE and does:
            return not any(one.names for one in self.words[:at])  # ann had a fit. West wins: ...
        return is_name and self._is_told_of(word, at)

    def _begins(self, word: Word, ahead: Word) -> bool:
        """Return whether the wind that begins the line holds the hand, as in "east: 222b"."""
        if len(word.typed) > 1 and self._is_ones_own(word):
            return True
        behind, beyond = word_at(self.words, self.begin + 1), word_at(self.words, self.begin + 2)
        lying = takewhile(lambda one: one.says("EVERY", "THROUGHOUT", *LAID), self.words[self.begin + 1 :])
        end = self.begin + len(list(lying))
        if end > self.begin and after(self.words, end).mark == COLON:
            return True  # N all in hand: ...
        named = behind.typed == "hand" or behind.says("REMARK")
        heads = named and after(self.words, self.begin + 1).mark > 0
        if (
            heads
            or self._robs(self.begin)
            or behind.says("WIN", "LOSS")
            or (behind.says("NEEDS") and _tells(beyond))
        ):
            return True
        if ahead.typed and (ahead.mark or ahead.is_linked):
            return True
        if len(word.typed) == 1:
            return self._is_letter_of_a_seat()
        if str(getattr(behind.said.get("TILES"), "value", "")).casefold() == behind.typed != "":
            self.is_sure = False  # South SSS in hand
            return True
        return self._does_something(ahead) or self._has_sets()

    def _is_told_of(self, word: Word, at: int) -> bool:
        """Return whether a wind holds the hand by the words before it, as in "loser is north"."""
        before, own = self._before(at), self._is_ones_own(word)
        if not after(self.words, at).mark:  # Mah-Jongg by North on a loose tile
            return before.says("WIN") and before.typed.endswith((" by", " for"))
        if not (before.typed or own):  # loser, north, one season
            return at == 1 and word.mark > 0 and self.words[0].says("LOSS", "WIN")
        gets = before.says("COMPLETES") and not before.says("UPON", "THROWS")
        own = own and not before.says("THROWS")
        return own or gets or (at < 4 and before.says("WIN", "LOSS"))

    def _is_letter_of_a_seat(self) -> bool:
        """Return whether the letter that begins the line is a seat, as in "n 55d", not a tile, as in "n pung"."""
        behind, beyond = word_at(self.words, self.begin + 1), word_at(self.words, self.begin + 2)
        called = behind.says("SET") and beyond.names
        return (behind.says("TILES", "VALUES", "STATE", "OPEN") or called) and not behind.says("WIND")

    def _does_something(self, ahead: Word) -> bool:
        """Return whether the wind that begins the line does something, as in "west put down a pung"."""
        behind, beyond = word_at(self.words, self.begin + 1), word_at(self.words, self.begin + 2)
        if any(one.kind == "has" for end, said in self._phrases(behind) for one in said if end > behind.end):
            return True  # north down for three pungs
        if behind.says(*LAID) and not ahead.mark and after(self.words, self.begin + 1).mark == COLON:
            return True  # north exposed: three 8 dots
        does = behind.typed and (not behind.said or (behind.says("LIES") and not ahead.mark))
        if does and (beyond.names or beyond.says(*LAID)) and not self.choose(1):
            self.is_sure = False
            return True
        return behind.says("SIGN", "REMARK") or (behind.says("EXCEPT") and beyond.is_linked)

    def _has_sets(self) -> bool:
        """Return whether sets follow the wind that begins the line, as in "south pungs of 5s", not "south pung exposed"."""
        if word_at(self.words, 1).says("SUIT", "EVERY"):
            return True
        near = list(takewhile(lambda word: not word.mark, self.words[1:5]))
        named = [word for word in near if not word.says("STATE") or word.says("LIES")]
        told = len(named) > 1 and (named[1].names or named[1].says("TIMES", "LIES"))
        if not told or named[0].says("TILES", "WIND", "LIES"):
            return False
        is_set = named[0].says("SET", "SETS") and named[1].names
        self.is_sure = self.is_sure and is_set
        return is_set or (named[0].says(*NAMING) and not self.choose(1))


def _tells(word: Word) -> bool:
    """Return whether a word tells something of a hand."""
    return word.names or word.says("WHO", "WIND", "SIGN", "WIN", "LOSS", "FINAL", "OPEN", *LAID)


def _tells_of_a_tile(word: Word) -> bool:
    """Return whether a wind beside the word is a tile."""
    return word.says(*_TELLING) or (word.says(*LAID) and not word.says("EMPTY"))
