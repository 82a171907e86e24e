"""Who is named where in a line that is not completely understood, who discarded, how far names are from numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import accumulate, pairwise

from mjscore.play.heard import SCORES, WINS, HeardWord, beside
from mjscore.play.line_speech import LineLattice

SOMEBODY = "?"  # the player who says "I", if unknown
_STEP = (0.0, 0.6, 1.2, 3.0)  # the cost of a gap: none, an "and", a comma, a full stop
_UNKNOWN = 0.15  # the cost of an unknown word, for the first few of them
_MOST_UNKNOWN = 6
# the cost of a word of such a kind between two others
_PASSING = {
    **dict.fromkeys(("name", "number", "zero", "dead", "others", "losers"), 2.5),
    "he": 0.4,
    "me": 1.0,
}
_THROWER = 1.0  # the cost of the discarder's name between two words
_JOINING = {"and", "the", "slash", "plus"}
_SIGNED = re.compile(r"\s*\)\W*\Z")


class Named:
    """The *words* of a line and the people named in it.

    *people* has, by index in *words*, the seats that may be meant there, each with a cost; *throwers* has, by
    index, the seat of whoever is said to have discarded. *place* is the index of a word everywhere.
    """

    def __init__(self, words: list[HeardWord], lattice: LineLattice) -> None:
        self.words, self.text, self.table = words, lattice.text, lattice.table
        self._steps = [
            0.0,
            *accumulate(_STEP[word.gap] + _UNKNOWN * min(word.unknown, _MOST_UNKNOWN) for word in words),
        ]
        self.order = list(self.table.untold)  # the seats of scores without names
        self.start = self._start()
        self.people = self._people()
        self.throwers = self._throwers()
        passing = (
            next((cost for kind, cost in _PASSING.items() if kind in word), 0.0)
            if at not in self.throwers
            else _THROWER
            for at, word in enumerate(words)
        )
        self._passed = [0.0, *accumulate(passing)]
        self.excepted = set(self._excepted())
        self.losing = {self.subject(place) for place, word in enumerate(words) if "lost" in word} - {None}
        self.numbers = [place for place, word in enumerate(words) if word.is_score]
        told = [pair for place, meant in self.people.items() if place not in self.throwers for pair in meant]
        self.seats = {seat for seat, cost in told if not cost} - {SOMEBODY}  # those who did more than discard
        holders = sorted({*self.people, *self.numbers} - {*self.throwers})
        last = max((at for at, word in enumerate(words) if word.gap > 2), default=0)
        self.is_behind = self._are_behind(holders, 3) or self._are_behind(
            [at for at in holders if at >= last], 6
        )

    def _are_behind(self, holders: list[int], least: int) -> bool:
        """Return whether each score comes before its name, for *least* of both or more: "8 ann 16 ben 2 dee"."""
        names = [place in self.people for place in holders]
        return len(names) >= least and names == [False, True] * (len(names) // 2)

    def word(self, place: int) -> HeardWord:
        """Return word *place*; beyond the line, one without meaning."""
        return beside(self.words, place, 3)

    @property
    def threw(self) -> set[str]:
        """Return the seats of whom it is said that they threw the winning tile, as in "Ben threw it"."""
        return {seat for at, seat in self.throwers.items() if self.word(at + 1).any("threw", "fed")}

    def says(self, *kinds: str) -> bool:
        """Return whether any word is of one of these kinds."""
        return any(word.any(*kinds) for word in self.words)

    def is_won_by_most(self) -> bool:
        """Return whether the highest score is said to win: not in "Ann has most, Dee won", or beside a word for losing."""
        top = next((place for place, word in enumerate(self.words) if "top" in word), None)
        if top is None or self.says("lost", "losers"):
            return False
        subject = self.subject(top)
        won = [
            self.subject(place) for place, word in enumerate(self.words) if word.any(*WINS) and place > top
        ]
        return subject is None or not won or subject in won

    def who(self, place: int) -> str:
        """Return the likeliest person whom word *place* means."""
        return self.people[place][0][0]

    def far(self, one: int, other: int) -> float:
        """Return the distance between the words *one* and *other*: the costs of gaps and words between."""
        first, last = sorted((one, other))
        steps = self._steps[last + 1] - self._steps[first + 1]
        return steps + (self._passed[last] - self._passed[first + 1] if last > first else 0.0)

    def between(self, one: int, other: int) -> str:
        """Return the text between the words *one* and *other*."""
        return self.text[self.words[one].end : self.words[other].start]

    def says_between(self, one: int, other: int, *small: str) -> bool:
        """Return whether a small word of one of these kinds is between two words."""
        return any(word.after(*small) for word in self.words[one + 1 : other + 1])

    def _start(self) -> range:
        """Return the indexes of names that tell the order of bare scores, or its first seat; set *order*."""
        if self._is_headed():
            self.order = [str(one["name"]) for one in self.words[:4]]
            return range(4)
        for place, word in enumerate(self.words):
            names = [str(one.says.get("name")) for one in self.words[place + 1 : place + 5]]
            if "order" in word and {*names} == {*self.table.people.players}:
                self.order = names
                return range(place + 1, place + 5)
            ahead = [at for at in (place + 1, place + 2) if self.word(at).says and not self.word(at).gap]
            if "order" in word:
                first = [at for at in ahead if "name" in self.words[at]][:1]
                seats = list(self.table.untold)
                if first and self.words[first[0]]["name"] in seats:
                    begin = seats.index(self.words[first[0]]["name"])
                    self.order = seats[begin:] + seats[:begin]
                return range(first[0], first[0] + 1) if first else range(0)
        return range(0)

    def _is_headed(self) -> bool:
        """Return whether everybody is named before four bare scores: "Ann, Ben, Cid, Dee: 16, 4, 92 win, 0"."""
        names = {word.says.get("name") for word in self.words[:4]}
        scores = [place for place, word in enumerate(self.words) if word.is_score]
        among = self.words[scores[0] : scores[-1]] if len(scores) == 4 else ()
        everybody = names == {*self.table.people.players}
        return everybody and len(among) > 0 and not any("name" in word for word in among)

    def _people(self) -> dict[int, list[tuple[str, float]]]:
        """Return, by index, pairs of a possible seat and its cost; "he" is likeliest the name before."""
        found: dict[int, list[tuple[str, float]]] = {}
        meant = _Pronouns(self)
        me, signed = self._me()
        for place, word in enumerate(self.words):
            if place in self.start or place == signed:
                continue
            if "name" in word:
                found[place] = [(word["name"], 0.0)]
                meant.name(place)
            elif "me" in word:
                found[place] = [(me, 0.0)]
            elif "he" in word and meant.named:
                found[place] = [(seat, 0.3 + 0.9 * number) for number, seat in enumerate(meant.by(place))]
        return found

    def _me(self) -> tuple[str, int | None]:
        """Return who says "I", or ``SOMEBODY``; and the index of a name that only signs, as in "… (ann)"."""
        introduced = self._introduced()
        if introduced is not None:
            return introduced, None
        for place, word in enumerate(self.words):  # it was me who threw it (Dee)
            threw = any("threw" in one for one in self.words[max(0, place - 2) : place])
            is_me = any("me" in one for one in self.words[max(0, place - 3) : place])
            if threw and is_me and "name" in word and _SIGNED.match(self.text[: word.end + 1], word.end):
                return str(word["name"]), place
        last = self.word(len(self.words) - 1)
        is_signed = "name" in last and _SIGNED.match(self.text, last.end) and self.text[last.start - 1] == "("
        if is_signed and any("me" in word for word in self.words):
            return str(last["name"]), len(self.words) - 1
        return SOMEBODY, None

    def _introduced(self) -> str | None:
        """Return who says "I" by "me (ben)", "I'm dee" or "cid here"; None if nobody does."""
        for one, other in pairwise(self.words):
            is_me = "me" in one and "name" in other and other.gap < 3 and not other.unknown
            is_me = is_me or ("witness" in one and "name" in other and other.is_close)  # says Ann
            if is_me or ("name" in one and "signed" in other and other.is_close and one.gap > 1):
                return str((other if is_me else one)["name"])
        return None

    def _throwers(self) -> dict[int, str]:
        found: dict[int, str] = {}
        for place, word in enumerate(self.words):
            clause = list(self._clause(place))
            before = next((one for one in clause if one in self.people), None)
            ahead = place + 1 if place + 1 in self.people and self.words[place + 1].gap < 2 else None
            if (
                word.any("from", "by", "robbed")
                and ahead is not None
                and not any("order" in self.words[one] for one in clause)
                and not self._is_nothing_from(place)
            ):
                found[ahead] = self.who(ahead)
            elif word.any("threw", "fed") and before is not None:
                found[before] = self.who(before)
            elif found.keys() & clause or any("fed" in self.words[at] for at in clause):
                continue  # Ben gave Dee her last tile
            elif self._is_tile_of(place, whose := place - 1 - ("number" in self.word(place - 1))):
                found[whose] = self.who(whose)  # also on Ben's 40 discard
            elif "thrown" in word and ahead is not None and self.words[ahead].after("is"):  # discard: Ann
                found[ahead] = self.who(ahead)
        return found

    def _is_nothing_from(self, place: int) -> bool:
        """Return whether word *place* tells who has no score, as in "Ben won, nothing from Dee"."""
        nobodys = not self.word(place - 2).any("name", "he", "me", "others", "all", "losers")
        return "zero" in self.word(place - 1) and self.words[place].is_close and nobodys

    def _is_tile_of(self, place: int, whose: int) -> bool:
        """Return whether word *place* is the discard of the name before, *whose* index is told, as in "Dee's tile"."""
        word, owner = self.words[place], self.word(whose)
        before = self.word(place - 2)
        told = before.any("took", "from", "lying", "belongs") or (before.any(*WINS) and owner.after("with"))
        return (
            ("thrown" in word or ("tile" in word and told))
            and whose in self.people
            and not word.gap
            and word.unknown <= self.word(place - 2).any("belongs")
            and not self.word(place + 1).any("from", "by")  # Dee's last tile came from Ben
            and owner.any("theirs", "me", "he")
        )

    def _excepted(self) -> Iterator[int]:
        """Yield the indexes of names excepted from a score, as in "4 each except Ben and Dee"."""
        for place, word in enumerate(self.words):
            behind = "but" in word and any(one.is_score for one in self.words[max(0, place - 3) : place])
            at = place + 1
            while at in self.people and (
                "excepts" in word or (behind and not self.word(at + 1).any(*SCORES, *WINS))
            ):
                yield at
                at += 1
                behind = behind and self.word(at).gap < 3

    def subject(self, place: int) -> str | None:
        """Return the seat that word *place* is about: the last one named before, or right after; or None."""
        at = next((at for at in range(place, -1, -1) if at in self.people), place + 1)
        return self.who(at) if at in self.people else None

    def _clause(self, place: int) -> range:
        """Return the indexes of the words between the last comma and word *place*, nearest first."""
        first = place
        while first and self.words[first].gap < 2:
            first -= 1
        return range(place - 1, first - 1, -1)

    def may_tell_of(self, seat: str, place: int) -> bool:
        """Return whether word *place* may be about a *seat*: its clause names nobody, or that seat too."""
        here = [self.people[at] for at in (*self._clause(place), place) if at in self.people]
        return not here or any(seat == one for people in here for one, _ in people)

    def lists(self) -> Iterator[tuple[int, int]]:
        """Yield the first and last index of names joined by "and" or "or", and of fewer of these names.

        Fewer, since the last name may belong to the next score, as in "8 each for Ann and Ben and Cid has 10".
        """
        together: list[int] = []
        for place in [*sorted(self.people), len(self.words)]:
            goes_on = place in self.people and self.who(place) != SOMEBODY
            if not (together and goes_on and self._is_joined(together[-1], place)):
                for fewer in range(len(together) - 1):
                    yield from {(together[0], together[-1 - fewer]), (together[fewer], together[-1])}
                together = []
            together.append(place)

    def is_taken(self, seat: str, scores: Mapping[str, tuple[int | None, int | None]]) -> bool:
        """Return whether a seat other than *seat* comes, by name or score, right before "from" and a discarder."""
        owners = {place: seat for seat, (_, place) in scores.items()}
        for place in self.throwers:
            if "from" in self.word(place - 1) and self.words[place - 1].is_close:
                return (
                    owners.get(place - 2, self.who(place - 2) if place - 2 in self.people else seat) != seat
                )
        return False

    def _is_joined(self, one: int, other: int) -> bool:
        between, ahead = self.words[one + 1 : other + 1], self.word(other + 1)
        is_run = "number" in self.word(other + 2) and self.word(other + 2).is_close
        is_own = self.words[other].gap == 2 and ahead.any("number", *WINS) and ahead.is_close and not is_run
        if is_own and not any("each" in word for word in self.words[other + 2 : other + 4]):
            return False  # ann and ben, cid 30
        return (len(between) == 1 or (len(between) == 2 and "or" in between[0])) and all(
            (word.gap < 3 or word.after("slash")) and not word.unknown and word.small <= _JOINING
            for word in between
        )

    def own(self, number: int) -> int | None:
        """Return the index of a name, or "others", directly before word *number*; None if there is none."""
        for place in range(number, 0, -1):
            word, before = self.words[place], self.words[place - 1]
            if self.is_behind or word.gap or word.unknown > 1 or (place < number and word.is_score):
                return None
            if place - 1 in self.excepted:
                return None
            if before.any("others", "losers") or (
                place - 1 in self.people and place - 1 not in self.throwers
            ):
                return place - 1
        return None

    def is_corrected(self, first: int, last: int) -> bool:
        """Return whether one of the words from *first* up to *last* corrects something told before."""
        return any("corrects" in word for word in self.words[first:last])


class _Pronouns:
    """Whom "he" and "she" may mean: those *named* so far, the likeliest first."""

    def __init__(self, line: Named) -> None:
        self._line = line
        self.named: list[str] = []
        self._called: dict[str, str] = {}  # whether a seat was she or him
        self._owners = set[str]()  # those with a score, who will not get another

    def name(self, place: int) -> None:
        """Take note of the name that word *place* is."""
        seat, before, ahead = self._line.words[place]["name"], *map(self._line.word, (place - 1, place + 1))
        # who fed the winner is less likely meant
        behind = before.any("from", "by") or before.says.get("name") == seat
        first = [*self.named[: int(behind)], seat]
        self.named = list(dict.fromkeys([*first, *self.named]))
        if "number" in ahead and ahead.is_close:
            self._owners.add(seat)

    def by(self, place: int) -> list[str]:
        """Return the one or two seats that the pronoun at word *place* may mean."""
        word, before, ahead = map(self._line.word, (place, place - 1, place + 1))
        which = next((kind for kind in ("she", "him") if kind in word), "")
        scores = ("number" in before and word.is_close) or ("number" in ahead and ahead.is_close)
        may = [
            seat
            for seat in self.named
            if which in ("", self._called.get(seat, which)) and not (scores and seat in self._owners)
        ][:2] or self.named[:1]
        if which:
            self._called[may[0]] = which
        return may
