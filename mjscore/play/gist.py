"""What a line seems to tell of scores, where not all of it is understood: nothing is read so, whole lines are offered.

Each number goes to somebody who is named near it, to the others, or in order from East; each word for winning to somebody too.
Every way costs what lies between them, and the cheapest is what seems to be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from mjscore.play.heard import Word, is_score
from mjscore.play.line_speech import LineLattice
from mjscore.record.lines import SeatRow

OTHERS, SOMEBODY = "*", "?"  # who is not named, and who says "I"
_STEP = (0.0, 0.6, 1.2, 3.0)  # what it costs to go on behind nothing, an "and", a comma, a full stop
_UNKNOWN = 0.15
_PASSING = {"name": 2.5, "number": 2.5, "zero": 2.5, "dead": 2.5, "others": 2.5, "losers": 2.5, "he": 0.4, "me": 1.0}
_MARGIN = 0.5  # what costs no more than that besides may be meant as well
_MOST_NUMBERS = 8
_MOST_HOLDERS = 5
_MOST_WAYS = 60
_MOST_WORDS = 70
_MOST_COST = 20.0
# how much words say that somebody won, and what it costs if the name stands behind
_WINNING = {"win": (1.0, 0.4), "wins": (1.0, 1.5), "robbed": (0.7, 3.0), "took": (0.7, 1.0), "drawn": (0.5, 1.0), "belongs": (0.5, 0.0), "limit": (0.6, 0.2)}
_DENIABLE = frozenset(("win", "wins", "drawn", "from", "threw", "number", "name", "others", "each", "limit", "took"))
_FOR = re.compile(r"(?:^|[\s,])(?:for|to|by|goes to|went to)\b[^,;.]*$", re.IGNORECASE)
_IS = re.compile(r"[:=]|\b(?:is|was|by|for|to)\b", re.IGNORECASE)
_WITH = re.compile(r"(?:\b(?:with|on|has|had|have|gets|got|scores|scored|of|at|a)|[:=])\s*\Z", re.IGNORECASE)
_SIGNED = re.compile(r"\s*\)\W*\Z")
_AND = re.compile(r"[\s,/&()]*(?:(?:and|n|or|nor|und|et|en)\s+)?(?:the\s+)?", re.IGNORECASE)
_I_AM = re.compile(r"(?:['’]?m|am|is|here|it's|,|\(|\s)*", re.IGNORECASE)


class Guess(NamedTuple):
    """What a line seems to tell: the *scores* of seats, None for a dead hand, who *won*, how, and what that *cost*."""

    scores: tuple[tuple[str, int | None], ...]
    won: str = ""
    drawn: bool = False
    thrower: str = ""
    cost: float = 0.0

    def line(self, names: Mapping[str, str]) -> str:
        """Return it as a line that can be typed."""
        rows = (
            SeatRow(names[seat], score, seat == self.won, self.drawn or None, names.get(self.thrower))
            if seat == self.won
            else SeatRow(names[seat], score)
            for seat, score in self.scores
        )
        return ", ".join(str(row).replace(":", "", 1) for row in rows)


class _Holder(NamedTuple):
    """Who may have a number, at a *cost*: some *seats*, each as much, the others, or nobody by name; named at *place*."""

    cost: float
    seats: tuple[str, ...]
    place: int


class _Shared(NamedTuple):
    """Numbers given away so far: each seat's score with the number's place, those of the *others* and of nobody by name."""

    scores: dict[str, tuple[int | None, int]]
    others: tuple[int | None, ...] = ()
    bare: tuple[int, ...] = ()  # their places
    last: int = -1
    cost: float = 0.0


class Sharing:
    """The ways to give the numbers of a line to those who are named in it."""

    def __init__(self, words: Sequence[Word], lattice: LineLattice) -> None:
        self.words, self.text, self.table = words, lattice.text, lattice.table
        self._steps = [0.0, *accumulate(_STEP[word.gap] + _UNKNOWN * min(word.unknown, 6) for word in words)]
        passing = (next((cost for kind, cost in _PASSING.items() if kind in word), 0.0) for word in words)
        self._passed = [0.0, *accumulate(passing)]
        self.start = self._start()
        self.people = self._people()
        self.throwers = self._throwers()
        self.numbers = [place for place, word in enumerate(words) if is_score(word)]
        self.winning = [place for place in range(len(words)) if self._tells_of_winning(place)]
        self._lists = list(self._named_together())
        self._begin = self._runs()
        order = [place in self.people for place in sorted({*self.people, *self.numbers} - {*self.throwers})]
        self.is_behind = len(order) > 2 and order == [False, True] * (len(order) // 2)  # 8 ann 16 ben 2 dee

    # who is named where

    def _people(self) -> dict[int, list[tuple[str, float]]]:
        """Return who may be meant at each place, each at a cost: a pronoun is of those named before it."""
        found: dict[int, list[tuple[str, float]]] = {}
        named: list[str] = []
        me = self._me()
        for place, word in enumerate(self.words):
            if place == self.start or (place == len(self.words) - 1 and me == word.says.get("name") and self.text[word.start - 1 : word.start] == "("):
                continue
            if "name" in word:
                found[place] = [(word["name"], 0.0)]
                named = [word["name"], *(one for one in named if one != word["name"])]
            elif "me" in word:
                found[place] = [(me, 0.0)]
            elif "he" in word and named:
                found[place] = [(seat, 0.3 + 0.9 * number) for number, seat in enumerate(named[:2])]
        return found

    def _me(self) -> str:
        """Return who says "I", where the line tells it."""
        for one, other in pairwise(self.words):
            if "me" in one and "name" in other and _I_AM.fullmatch(self.text, one.end, other.start):
                return str(other["name"])
        last = self.words[-1] if self.words else None
        speaks = any("me" in word for word in self.words)
        if speaks and last is not None and "name" in last and _SIGNED.search(self.text, last.end) and self.text[last.start - 1] == "(":
            return str(last["name"])
        return SOMEBODY

    def _clause(self, place: int) -> range:
        """Return the places from the last comma before *place* on, the nearest first."""
        first = place
        while first and self.words[first].gap < 2:
            first -= 1
        return range(place - 1, first - 1, -1)

    def _throwers(self) -> dict[int, str]:
        """Return the places of those who are said to have discarded."""
        found: dict[int, str] = {}
        for place, word in enumerate(self.words):
            ahead = place + 1 if place + 1 in self.people and self.words[place + 1].gap < 2 else None
            before = next((one for one in self._clause(place) if one in self.people), None)
            ordered = any("order" in self.words[one] for one in self._clause(place))
            if {"from", "by", "robbed"} & word.says.keys() and ahead is not None and not ordered:
                found[ahead] = self.people[ahead][0][0]
            elif {"threw", "fed"} & word.says.keys() and before is not None:
                found[before] = self.people[before][0][0]
            elif ("thrown" in word or self._is_on_tile(place)) and place - 1 in self.people and not word.gap:
                if {"theirs", "me", "he"} & self.words[place - 1].says.keys():
                    found[place - 1] = self.people[place - 1][0][0]
        return found

    def _is_on_tile(self, place: int) -> bool:
        """Return whether a tile is that on which somebody won."""
        return "tile" in self.words[place] and place > 1 and not {"took", "from"}.isdisjoint(self.words[place - 2].says)

    def _named_together(self) -> Iterator[tuple[int, int]]:
        """Return where names stand with no more than an "and" between them."""
        first = None
        for place in range(len(self.words) + 1):
            if place < len(self.words) and "or" in self.words[place] and first is not None:
                continue
            goes_on = first is not None and place in self.people and self._is_joined(place) and self.people[place][0][0] != SOMEBODY
            if not goes_on:
                if first is not None and place - first > 1:
                    yield first, place - 1 - ("or" in self.words[place - 1])
                first = place if place in self.people else None

    def _tells_of_winning(self, place: int) -> bool:
        """Return whether a word tells that somebody won; "that was Ann's" does."""
        word = self.words[place]
        belongs = "belongs" in word and place + 1 < len(self.words) and "theirs" in self.words[place + 1]
        return belongs or not word.says.keys().isdisjoint(_WINNING.keys() - {"belongs"})

    def _is_joined(self, place: int) -> bool:
        """Return whether a name has no more than an "and" between it and the name before it."""
        before = place - 1 - ("or" in self.words[place - 1])
        return before in self.people and _AND.fullmatch(self.text, self.words[before].end, self.words[place].start) is not None

    def far(self, one: int, other: int) -> float:
        """Return what lies between two words."""
        first, last = sorted((one, other))
        steps = self._steps[last + 1] - self._steps[first + 1]
        return steps + (self._passed[last] - self._passed[first + 1] if last > first else 0.0)

    def _runs(self) -> dict[int, int]:
        """Return of each number the first of those that stand together with it."""
        found: dict[int, int] = {}
        for place in self.numbers:
            goes_on = place - 1 in found and self.words[place].gap < 3 and "number" in self.words[place - 1]
            found[place] = found[place - 1] if goes_on else place
        return found

    def own(self, number: int) -> int | None:
        """Return where somebody is named right before a number, with nothing else told between."""
        if self.is_behind:
            return None
        for place in range(number, 0, -1):
            if self.words[place].gap or self.words[place].unknown > 1 or (place < number and is_score(self.words[place])):
                return None
            if {"others", "losers"} & self.words[place - 1].says.keys() or (place - 1 in self.people and place - 1 not in self.throwers):
                return place - 1
        return None

    # who may have which number

    def _behind(self, number: int, place: int) -> float:
        """Return what it costs that a name stands behind a number: nothing where it is "for" somebody."""
        between = self.text[self.words[number].end : self.words[place].start]
        if self.is_behind or _FOR.search(between) or between.strip() in (")", "("):
            return 0.0
        is_bound = _WITH.search(self.text[: self.words[number].start]) is not None
        parted = any(self.words[at].gap > 1 for at in range(number + 1, place + 1))
        return 0.8 + 1.5 * is_bound + 1.5 * parted

    def _holders(self, number: int) -> list[_Holder]:
        """Return who may have a number, the cheapest first."""
        word, begin = self.words[number], self._begin[number]
        is_full = sum(first == begin for first in self._begin.values()) == len(self.table.untold)
        found = [_Holder(0.4 if is_full else 1.5, (), number)]
        each = any("each" in one for one in self.words[max(0, number - 2) : number + 3])
        is_none, own = "zero" in word or "dead" in word, None if is_full else self.own(number)
        for place, people in self.people.items():
            cost = self.far(number, place) + 4.0 * (place in self.throwers)
            cost += self._behind(number, place) if place > number else 1.5 * self.is_behind
            found += [_Holder(cost + extra, (seat,), place) for seat, extra in people]
        for first, last in self._lists:
            seats = tuple(dict.fromkeys(self.people[at][0][0] for at in range(first, last + 1) if at in self.people))
            place = last if last < number else first
            joined = re.search(r"\b(?:and|n)\b|&", self.text[self.words[first].end : self.words[last].start])
            cost = self.far(number, place) + (0.0 if each or is_none else 0.8 if joined else 3.0)
            cost += self._behind(number, place) / 2 if place > number else 0.0
            found += [_Holder(cost - 0.5, seats, place)] * (len(seats) > 1 and not first < number < last)
        for place, one in enumerate(self.words):
            if "all" in one and "others" not in one:
                found.append(_Holder(self.far(number, place), tuple(self.table.untold), place))
            if "others" in one or "losers" in one:
                behind = self._behind(number, place) / 2 if place > number else 0.0
                found.append(_Holder(self.far(begin if place < number else number, place) + behind, (OTHERS,), place))
        torn = 2.0 if own is not None else 0.0
        found = [one._replace(cost=one.cost + torn * (one.place != own)) for one in found]
        return sorted(found)[:_MOST_HOLDERS]

    def _value(self, number: int) -> int | None:
        word = self.words[number]
        if "number" in word:
            return int(word["number"])
        return 0 if "zero" in word else None if "dead" in word else self.table.limit

    def _ways(self, numbers: Sequence[int]) -> Iterator[_Shared]:
        """Return the ways to give away numbers, one after another."""
        holders = [self._holders(number) for number in numbers]
        least = [0.0, *accumulate(min(one.cost for one in here) for here in reversed(holders))][::-1]
        best = _MOST_COST
        ways = [_Shared({})]
        for at, (number, here) in enumerate(zip(numbers, holders, strict=True)):
            onward = [more for way in ways for holder in here if (more := self._given(way, number, holder)) is not None]
            onward = [way for way in onward if way.cost + least[at + 1] < best]
            ways = sorted(onward, key=lambda way: way.cost)[:_MOST_WAYS]
        yield from ways

    def _given(self, way: _Shared, number: int, holder: _Holder) -> _Shared | None:
        """Return a way with one number more given to somebody; None where they have one, and it is not put right."""
        value, cost = self._value(number), way.cost + holder.cost
        if not holder.seats:
            return way._replace(bare=(*way.bare, number), cost=cost)
        if holder.seats == (OTHERS,):
            return way._replace(others=(*way.others, value), cost=cost, last=max(way.last, holder.place))
        for seat in holder.seats:
            before = way.scores.get(seat)
            if before and None in (value, before[0]) and 0 in (value, before[0]):
                value = None  # a dead hand has nothing
            elif before and before[0] != value and not any("corrects" in one for one in self.words[before[1] : number]):
                return None
        back = 2.0 * (holder.place < way.last)
        scores = {**way.scores, **dict.fromkeys(holder.seats, (value, number))}
        return way._replace(scores=scores, cost=cost + back, last=max(way.last, holder.place))

    # what it comes to

    def guesses(self) -> list[Guess]:
        """Return what the line may tell, the likeliest first, with all that costs hardly more."""
        found: dict[Guess, Guess] = {}
        if self._is_torn():
            return []
        without = [place for place in self.numbers if "limit" not in self.words[place]]
        kinds = [without, *([self.numbers] if self.table.limit and without != self.numbers else [])]
        for way in (way for numbers in kinds if 0 < len(numbers) <= _MOST_NUMBERS for way in self._ways(numbers)):
            for whole in self._whole(way):
                for guess in self._won(whole):
                    key = guess._replace(cost=0.0, scores=tuple(sorted(guess.scores, key=str)))
                    if key not in found or guess.cost < found[key].cost:
                        found[key] = guess
        ranked = sorted(found.values(), key=lambda guess: guess.cost)
        return [guess for guess in ranked[:4] if guess.cost <= ranked[0].cost + _MARGIN]

    def _is_torn(self) -> bool:
        """Return whether two scores stand right behind one who is named."""
        owned: dict[str, tuple[int, int]] = {}
        for number in self.numbers:
            place = self.own(number)
            seat = self.people[place][0][0] if place in self.people else None
            value = self._value(number)
            if seat is None or value is None:
                continue
            before, last = owned.setdefault(seat, (value, number))
            if before != value and not any("corrects" in one for one in self.words[last:number]):
                return True
        return False

    def _whole(self, way: _Shared) -> Iterator[_Shared]:
        """Return a way with the numbers of the others, and those without a name, given to the seats that are left."""
        scores = dict(way.scores)
        named = {seat for place, people in self.people.items() if place not in self.throwers for seat, cost in people if not cost}
        left = [seat for seat in self._in_order() if seat not in scores and not (way.others and seat in named)]
        others_than_whom = way.others and not (scores or named) and len(left) == len(self.table.people.players)
        nobodys = way.bare and not named and any("others" in word or "losers" in word for word in self.words)
        if (way.others and way.bare) or others_than_whom or nobodys:
            return
        spread = [(value, len(self.words)) for value in way.others] or [(self._value(place), place) for place in way.bare]
        if spread:
            spread = spread * len(left) if way.others and len(spread) == 1 else spread
            if len(spread) != len(left):
                return
            scores.update(zip(left, spread, strict=True))
        if SOMEBODY in scores:
            unnamed = [seat for seat in self.table.untold if seat not in scores and seat not in named]
            for seat in unnamed:
                mine = {seat if one == SOMEBODY else one: score for one, score in scores.items()}
                yield way._replace(scores=mine, bare=(), others=())
            return
        yield way._replace(scores=scores)

    def _start(self) -> int | None:
        """Return where it is said with whom scores begin that follow each other round the table."""
        for place, word in enumerate(self.words):
            ahead = range(place + 1, min(place + 3, len(self.words)))
            if "order" in word and all(self.words[at].gap == 0 for at in ahead):
                return next((at for at in ahead if "name" in self.words[at]), None)
        return None

    def _in_order(self) -> list[str]:
        """Return the seats in the order of scores without names: from East, or from whom it is said that they begin with."""
        seats = list(self.table.untold)
        first = self.words[self.start]["name"] if self.start is not None else None
        return seats[seats.index(first) :] + seats[: seats.index(first)] if first in seats else seats

    def _winning(self, seat: str, way: _Shared) -> float:
        """Return what it costs that the words for winning are said of a seat."""
        total = 0.0
        places = self.winning
        corrected = next((at for at in range(len(self.words) - 1, -1, -1) if "corrects" in self.words[at]), -1)
        if any(place > corrected for place in places):
            places = [place for place in places if place > corrected]
        for place in places:
            kind = next(kind for kind in _WINNING if kind in self.words[place])
            if any("tie" in self.words[at] for at in range(max(0, place - 3), place)):
                continue  # both won
            weight, behind = _WINNING[kind]
            if self.words[place][kind] == "glued":
                total += 0.0 if way.scores.get(seat, (0, 0))[1] == place - 1 else 3.0
                continue
            costs = [6.0]
            for at, people in self.people.items():
                extra = next((cost for one, cost in people if one == seat), None)
                if extra is not None and not (at in self.throwers and kind != "limit"):
                    is_bound = at > place and _IS.search(self.text, self.words[place].end, self.words[at].start)
                    costs.append(self.far(place, at) + extra + (behind if at > place and not is_bound else 0.0))
            if seat in way.scores and way.scores[seat][1] < len(self.words):
                costs.append(self.far(place, way.scores[seat][1]) + 0.3)
            total += weight * min(costs)
        return total

    def _won(self, way: _Shared) -> Iterator[Guess]:
        """Return what a way may tell of who won, and how."""
        says = {kind for word in self.words for kind in word.says}
        by_most = "top" in says
        scores = tuple((seat, value) for seat, (value, _) in way.scores.items())
        throwers = list(dict.fromkeys(self.throwers.values()))
        is_told = bool(self.winning) or by_most
        alone = "losers" in says and sum(place < len(self.words) for _, place in way.scores.values()) == 1
        most = max((value or 0 for _, value in scores), default=0)
        unbound = {word["name"] for place, word in enumerate(self.words) if "name" in word and place not in self.throwers}
        unbound -= way.scores.keys()
        for seat, value in scores:
            if value is None or not (is_told or throwers or alone) or (alone and way.scores[seat][1] == len(self.words)):
                continue
            by = [one for one in throwers if one != seat]
            cost = way.cost + 3.0 * (len(throwers) - len(by)) + 1.5 * len(unbound - {seat})
            cost += 3.0 * (value < most) if by_most else self._winning(seat, way)
            cost += 0.0 if is_told or alone else 1.0 + 1.5 * (value < most)
            drawn = [Guess(scores, seat, "drawn" in says, cost=cost)] if "drawn" in says or not by else []
            yield from (*drawn, *(Guess(scores, seat, False, one, cost) for one in by))
        for seat in unbound if is_told and not by_most else ():
            if seat not in throwers:
                yield Guess(scores, seat, cost=way.cost + 2.0 + self._winning(seat, way) + 1.5 * len(unbound - {seat}))
        if not is_told and not alone:
            yield Guess(scores, cost=way.cost + 3.0 * bool(throwers) + 1.5 * len(unbound))


def guesses(words: Sequence[Word], lattice: LineLattice) -> list[Guess]:
    """Return what the words of a line may tell of scores, the likeliest first; nothing where they deny what nobody can tell."""
    for one, ahead in pairwise(words):
        denied = "deny" in one and ahead.gap < 2 and not ahead.unknown and not _DENIABLE.isdisjoint(ahead.says)
        stranger = {"from", "by"} & one.says.keys() and ahead.unknown and ahead.gap < 2
        if denied or stranger:
            return []
    if words and {"from", "by"} & words[-1].says.keys() and lattice.text[words[-1].end :].strip(" .,;!?"):
        return []
    found: list[Guess] = []
    for way in _alternatives(words) if len(words) < _MOST_WORDS else ():
        found += Sharing(way, lattice).guesses()
    return found


def _alternatives(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Return the words with one of two scores or names between which there is an "or"."""
    for place in range(1, len(words) - 1):
        before, ahead = words[place - 1], words[place + 1]
        kind = next((kind for kind in ("number", "name") if kind in before and kind in ahead), None)
        listed = any("zero" in word for word in words) and kind == "name"
        if "or" in words[place] and kind is not None and not listed and ahead.gap < 2:
            yield [*words[: place - 1], *words[place + 1 :]]
            yield [*words[:place], *words[place + 2 :]]
            return
    yield list(words)
