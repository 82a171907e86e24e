"""Ways to give the numbers of a line to seats named, to the others, or in order from East, each with a cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from mjscore.play.named import SOMEBODY, Named

OTHERS = ("*",)
_MOST_HOLDERS, _MOST_WAYS, _MOST_COST = 7, 60, 20.0
_OF_NOBODY = 1.5  # the cost of a score without a name
_IN_A_LIST = 0.4  # the same in a list with a score for each player
_OF_A_THROWER = 4.0  # the cost of giving a number to the discarder
_TORN = 2.0  # of taking a number from the name directly before it
_BACK = 2.0  # of giving it to somebody named earlier who has the number before


class _Holder(NamedTuple):
    """A possible owner of a number, at a *cost*: some *seats*, each with that number, the others, or no seat.

    *place* is the index of the word, in the line's words, that names these seats.
    """

    cost: float
    seats: tuple[str, ...]
    place: int


class Shared(NamedTuple):
    """Numbers given to owners.

    *scores* has each seat's points (None for a dead hand) and the index of the number, None if the others
    have it; *others* and *bare* are the indexes of numbers of the others, and of numbers without a name;
    *last* is the last index of a name used.
    """

    scores: dict[str, tuple[int | None, int | None]]
    others: tuple[int, ...] = ()
    bare: tuple[int, ...] = ()
    last: int = -1
    cost: float = 0.0


class Sharing:
    """Who may have which number of a line."""

    def __init__(self, named: Named) -> None:
        self.named, self.words, self.table = named, named.words, named.table
        self._lists = list(named.lists())
        self._runs: dict[int, int] = {}  # for each number, the first of its group
        for place in named.numbers:
            goes_on = place - 1 in self._runs and "number" in self.words[place - 1]
            goes_on = goes_on and "each" not in named.word(place + 1)
            goes_on = goes_on and (
                self.words[place].gap < 3 or named.between(place - 1, place).strip() in (";", "/")
            )
            self._runs[place] = self._runs[place - 1] if goes_on else place

    def ways(self, numbers: Sequence[int]) -> Iterator[Shared]:
        """Yield the ways to give all numbers to owners, cheap ways first."""
        holders = [self._holders(number) for number in numbers]
        least = [0.0, *accumulate(here[0].cost for here in reversed(holders))][::-1]
        ways = [Shared({})]
        for at, (number, here) in enumerate(zip(numbers, holders, strict=True)):
            onward = [
                more
                for way in ways
                for holder in here
                if (more := self._given(way, number, holder)) is not None
            ]
            onward = [way for way in onward if way.cost + least[at + 1] < _MOST_COST]
            ways = sorted(onward, key=lambda way: way.cost)[:_MOST_WAYS]
        for way in ways:
            yield from self._whole(way)

    def _holders(self, number: int) -> list[_Holder]:
        """Return the possible owners of a number, cheapest first."""
        begin, named = self._runs[number], self.named
        is_list = sum(first == begin for first in self._runs.values()) == len(self.table.untold)
        found = [_Holder(_IN_A_LIST if is_list else _OF_NOBODY, (), number)]
        for place, people in named.people.items():
            cost = (
                named.far(number, place)
                + self._behind(number, place)
                + _OF_A_THROWER * (place in named.throwers)
            )
            if place not in named.excepted or place > named.numbers[0]:
                found += [_Holder(cost + extra, (seat,), place) for seat, extra in people]
        for first, last in self._lists:
            found += [*self._respectively(number, first, last), *self._of_list(number, first, last)]
        for place, word in enumerate(self.words):
            if word.any("others", "losers"):
                cost = named.far(begin if place < number else number, place) + self._behind(number, place) / 2
                found.append(_Holder(cost, OTHERS, place))
            elif "all" in word:
                found.append(_Holder(named.far(number, place), tuple(self.table.untold), place))
        in_turn = not named.says("each") and any(self._respectively(number, *ends) for ends in self._lists)
        own = None if is_list or in_turn else named.own(number)
        found = [one._replace(cost=one.cost + _TORN * (own not in (None, one.place))) for one in found]
        return sorted(found)[:_MOST_HOLDERS]

    def _respectively(self, number: int, first: int, last: int) -> list[_Holder]:
        """Return whose a number is if as many numbers as names are listed, as in "Ann and Ben 4 and 8"; else none."""
        begin, people = self._runs[number], [at for at in range(first, last + 1) if at in self.named.people]
        run = [at for at, one in self._runs.items() if one == begin]
        if len(run) != len(people) or len(run) < 2 or not (last < run[0] or run[-1] < first):
            return []
        place = people[run.index(number)]
        between = self.named.far(last, run[0]) if last < run[0] else self.named.far(run[-1], first)
        return [_Holder(between - 0.5, (self.named.who(place),), place)]

    def _of_list(self, number: int, first: int, last: int) -> list[_Holder]:
        """Return the seats of a list of names, each with the same number, as one possible owner; none if they cannot be.

        They can if "each", 0 or "and" says so, no name is excepted, and the number is not between.
        """
        named, word = self.named, self.words[number]
        seats = tuple(dict.fromkeys(named.who(at) for at in range(first, last + 1) if at in named.people))
        each = word.any("zero", "dead") or word.says.get("number") == 0
        each = each or any("each" in one for one in self.words[max(0, number - 2) : number + 3])
        place = last if last < number else first
        cost = named.far(number, place) + self._behind(number, place) / 2 - 0.5
        joined = named.says_between(first, last, "and")
        cost += 0.0 if each else 0.8
        fits = (
            len(seats) > 1
            and (each or joined)
            and not first < number < last
            and named.excepted.isdisjoint(range(first, last + 1))
        )
        return [_Holder(cost, seats, place)] * fits

    def _behind(self, number: int, place: int) -> float:
        """Return the cost of a name after its number: 0 if "for" is between, or if all names come after their numbers."""
        if place <= number:
            has_another = (
                self.words[place].after("to") and self.named.word(place - 1).is_score
            )  # 24 to Ben 16 to Ann
            return 1.5 * ((self.named.is_behind or has_another) and place in self.named.people)
        between = self.named.between(number, place)
        words = self.words[number + 1 : place + 1]
        parted = [at for at, word in enumerate(words) if word.gap > 1]
        is_for = any(word.after("to", "by") for word in words[max(parted, default=0) :])
        if self.named.is_behind or is_for or between.strip() in (")", "("):
            return 0.0
        return 0.8 + 1.5 * self.words[number].after("with", "is") + 1.5 * bool(parted)

    def value(self, number: int) -> int | None:
        """Return the points that word *number* tells; None for a dead hand."""
        word = self.words[number]
        if "number" in word:
            return int(word["number"])
        return 0 if "zero" in word else None if "dead" in word else self.table.limit

    def _given(self, way: Shared, number: int, holder: _Holder) -> Shared | None:
        """Return a way with one more number given; None if the owner has another number, unless this one corrects it."""
        value, way = self.value(number), way._replace(cost=way.cost + holder.cost)
        if not holder.seats:
            return way._replace(bare=(*way.bare, number))
        way = way._replace(
            cost=way.cost + _BACK * (holder.place < way.last), last=max(way.last, holder.place)
        )
        if holder.seats == OTHERS:
            return way._replace(others=(*way.others, number))
        for seat in holder.seats:
            before, at = way.scores.get(seat, (value, None))
            if {value, before} == {None, 0}:
                value = None  # a dead hand scores nothing
            elif before != value and not self.named.is_corrected(at or 0, number):
                return None
        return way._replace(scores={**way.scores, **dict.fromkeys(holder.seats, (value, number))})

    def _whole(self, way: Shared) -> Iterator[Shared]:
        """Yield *way* with numbers of "the others", or in order those without a name, given to seats left."""
        named = self.named.seats
        left = [
            seat for seat in self.named.order if seat not in way.scores and not (way.others and seat in named)
        ]
        if len(left) > 2 and any(word.says.get("others") == 2 for word in self.words):
            # Cid won from Dee, the other two got 8
            left = [seat for seat in left if seat not in self.named.throwers.values()]
        # who says "I" is any of them whom the line does not name
        for me in [seat for seat in left if seat not in named and SOMEBODY in way.scores] or [SOMEBODY]:
            rest = [seat for seat in left if seat != me]
            spread = self._spread(way, rest)
            if spread is not None:
                mine = {me if seat == SOMEBODY else seat: score for seat, score in way.scores.items()}
                yield way._replace(scores={**mine, **dict(zip(rest, spread, strict=False))})

    def _spread(self, way: Shared, left: list[str]) -> list[tuple[int | None, int | None]] | None:
        """Return pairs of score and index for the seats *left*; None if the scores are too many or too few.

        Also None if it is not clear who "the others" are.
        """
        told, named = way.others or way.bare, self.named.seats
        if way.others and (
            way.bare or not (way.scores or named or len(left) < len(self.table.people.players))
        ):
            return None
        if way.bare and (self.named.start or not named) and self.named.says("others", "losers"):
            return None
        each = len(left) if len(way.others) == 1 else 1
        spread = [(self.value(place), None if way.others else place) for place in told * each]
        return spread if len(spread) == len(left) or not told else None
