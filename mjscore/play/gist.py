"""What a line that is not completely understood seems to say about scores, so that whole lines can be offered.

Each number is given to somebody named near it, and so is each word for winning. Every way has a cost, the distance
between such words, and the cheapest way is what the line seems to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain, pairwise
from typing import NamedTuple

from mjscore.notation.vocabulary import gist_words
from mjscore.play.heard import WINS, HeardWord, beside
from mjscore.play.line_speech import LineLattice
from mjscore.play.named import SOMEBODY, Named
from mjscore.play.sharing import Shared, Sharing
from mjscore.record.lines import SeatRow

# tiles in digits: 999 d, 345p, 45s
_IN_DIGITS = re.compile(
    r"\b(?:[1-9]{2,4}[bcms]|(?:([1-9])\1{2,3}|123|234|345|456|567|678|789)(?:[bcdmps]| [bcdmps](?!\s*\d)))\b"
)
_NUMBER = re.compile(r"\d+")
_STRANGER = re.compile(r"(?:^|[,;.])\s*([^\W\d_]+)\s*(?:[:=]\s*)?\Z")
_ENDS = re.compile(r"\s*[,;.!].*|\s*", re.DOTALL)
_CUT = re.compile(r"[^\W\d_]-[^\W\d_]")
_LAST = re.compile(r"[^\W\d_]+(?=\W*\Z)")
_MARGIN = 0.5  # a guess that costs at most this much more than the cheapest may be meant as well
_MOST_GUESSES = 4
_MOST_FORCED = 2.5  # a guess about everybody named may cost this much more than the cheapest
_MOST_NUMBERS, _MOST_WORDS = 8, 70
_UNBOUND = 1.5  # the cost of saying nothing about somebody who is named
_UNTOLD = 0.4  # the cost of a winner of whom the line does not say so
_FROM_ELSEWHERE = 1.6  # the cost of a winner who is not named before the word for taking somebody's tile
_UNSCORED = 2.0  # the cost of a winner without a score
# how strongly words say that somebody won, and the cost of a name after them
_WINNING = {
    "win": (1.0, 0.4), "wins": (1.0, 1.5), "robbed": (0.7, 3.0), "took": (0.7, 1.0), "drawn": (0.5, 1.0), "belongs": (0.5, 0.0), "limit": (0.6, 0.2),
}  # fmt: skip


class Guess(NamedTuple):
    """What a line seems to say: the *scores* of seats (None for a dead hand), which seat *won*, how, and the *cost*."""

    scores: tuple[tuple[str, int | None], ...]
    won: str = ""
    drawn: bool = False
    thrower: str = ""
    cost: float = 0.0

    def line(self, names: Mapping[str, str]) -> str:
        """Return the guess as a line that can be typed; *names* are the players by seat."""
        rows = {seat: SeatRow(names[seat], score) for seat, score in self.scores}
        if self.won in rows:
            drawn, discarder = self.drawn or None, names.get(self.thrower)
            rows[self.won] = rows[self.won]._replace(won=True, drawn=drawn, discarder=discarder)
        return ", ".join(str(row).replace(":", "", 1) for row in rows.values())


def guesses(words: list[HeardWord], lattice: LineLattice) -> list[Guess]:
    """Return what the words of a line may say about scores: the cheapest guess and those that cost hardly more.

    Return none if the line seems to name a stranger, or is very long.
    """
    behind = (
        HeardWord({}, unknown=len(lattice.text[words[-1].end :].strip(" .,;!?)"))) if words else HeardWord({})
    )
    unknown = any(
        (one.any("from", "by") or ("took" in one and "thrown" in ahead)) and ahead.unknown and ahead.gap < 2
        for one, ahead in pairwise([*words, behind])
    )
    if unknown or missing(words, lattice) or len(words) > _MOST_WORDS or stranger(words, lattice):
        return []
    found = [_of_one(Named(way, lattice)) for way in _alternatives(words)]
    return list(chain.from_iterable(one[:1] for one in found)) if found[1:] else found[0]


def missing(words: list[HeardWord], lattice: LineLattice) -> str:
    """Return the words at which something is missing: a last "and", "cid and nothing", "fifty-to"; or empty."""
    for place, one in enumerate(words):
        ahead, owners = beside(words, place + 1, 1), words[place + 2 : place + 4]
        owned = any("name" in word and word.after("to") for word in owners)  # and nothing for Dee
        bare = "name" in one and "zero" in ahead and ahead.gap == 1 and not ahead.unknown + owned
        if bare or ("number" in one and _CUT.match(lattice.text, one.end - 1) and "point" not in ahead):
            return lattice.text[one.start : max(one.end, ahead.end)]
    end = (
        words[-1] if words else HeardWord({})
    )  # of several words, only such as "threw the" may be unfinished
    whole = "name" in end or (" " in lattice.text[end.start : end.end] and not end.any("from", "by", "threw"))
    last = _LAST.search(lattice.text, end.end if whole else end.start)
    return last[0] if last and gist_words().says(last[0], "ending") else ""


def stranger(words: list[HeardWord], lattice: LineLattice) -> tuple[int, int] | None:
    """Return the start and end of a stranger's name with a score or win, as in "eve 8", "fay won"; or None.

    An unknown word is such a name between punctuation and a score that nothing follows, if others are named, or
    between punctuation and a word for winning before a number.
    """
    pairs = [(one, other) for one, other in pairwise(words) if other.is_close]
    for one, other in pairs:
        if "absent" in one and (other.is_score or other.any(*WINS)):
            return one.start, one.end
    told = [one for one, other in pairs if one.any(*WINS) and "number" in other]
    if sum("name" in one and "number" in other for one, other in pairs) > 1:
        told += _unfollowed(words, lattice)
    places = (word.start for word in told if word.unknown == 1 and word.gap > 1)
    found = (_STRANGER.search(lattice.text, 0, place) for place in places)
    return next((name.span(1) for name in found if name), None)


def _unfollowed(words: list[HeardWord], lattice: LineLattice) -> list[HeardWord]:
    """Return the number words that nothing follows before the next comma."""
    behind = [*words[1:], HeardWord({}, lattice.end)]
    return [
        word
        for word, ahead in zip(words, behind, strict=False)
        if "number" in word and _ENDS.fullmatch(lattice.text, word.end, ahead.start)
    ]


def groups_of_tiles(words: list[HeardWord], text: str) -> int:
    """Count the words of a line about tiles; a set counts twice, and so does a numbered flower with no other number."""
    tiles = [word.says.get("tile", "") for word in words if word.any("tile", "lying")]
    sets = sum(len(str(tile)) > 3 and str(tile)[0].isdigit() for tile in tiles)
    numbered = any("nth" in word for word in words) and len(_NUMBER.findall(text)) == 1
    sets += numbered and not {"f", "s"}.isdisjoint(tiles)
    return len(tiles) + max(sets, 2 * len(_IN_DIGITS.findall(text)))


def _alternatives(words: list[HeardWord]) -> Iterator[list[HeardWord]]:
    """Yield the words with only one of two scores or names joined by "or", in both ways; else the words unchanged."""
    for place in range(1, len(words) - 1):
        before, ahead = words[place - 1], words[place + 1]
        kind = next((kind for kind in ("number", "name") if kind in before and kind in ahead), None)
        listed = any("zero" in word for word in words) and kind == "name"
        if "or" in words[place] and kind is not None and not listed and ahead.gap < 2:
            yield [*words[: place - 1], *words[place + 1 :]]
            yield [*words[:place], *words[place + 2 :]]
            return
    yield words


def _of_one(named: Named) -> list[Guess]:
    """Return the guesses for words without an "or", cheapest first."""
    found: dict[Guess, Guess] = {}
    sharing, winning, limit = Sharing(named), _Winning(named), named.table.limit
    without = [place for place in named.numbers if "limit" not in named.words[place]]
    numbers = [without, *([named.numbers] if limit and without != named.numbers else [])]
    ways = (way for some in numbers if 0 < len(some) <= _MOST_NUMBERS for way in sharing.ways(some))
    for way in ways if not _is_torn(named, sharing) else ():
        for guess in _won(named, winning, way):
            told = guess._replace(cost=0.0, scores=tuple(sorted(guess.scores, key=str)))
            found[told] = min(guess, found.get(told, guess), key=lambda one: one.cost)
    best = sorted(found.values(), key=lambda one: (one.cost, one.won not in ("", *dict(one.scores))))
    ranked = [guess for guess in best if _is_whole(named, guess) and guess.cost < best[0].cost + _MOST_FORCED]
    if ranked and ranked[0].won in named.losing:
        return []
    return [
        guess
        for guess in ranked[:_MOST_GUESSES]
        if guess.won not in named.losing and guess.cost <= ranked[0].cost + _MARGIN
    ]


def _is_whole(named: Named, guess: Guess) -> bool:
    """Return whether a guess tells of all players named, and of all at the table if the line speaks of the others."""
    told = {*dict(guess.scores), guess.won, guess.thrower}
    people = {
        meant[0][0]
        for place, meant in named.people.items()
        if not meant[0][1] and place not in named.excepted
    }
    spreads = any(word.any("others", "all") for word in named.words)
    is_short = spreads and len(guess.scores) <= len(people - {SOMEBODY})
    is_spread = not is_short or len(guess.scores) == len(named.table.untold)
    people -= named.losing if guess.won else set()  # Cid did not win, Ann did
    return people - {SOMEBODY} <= told and SOMEBODY not in told and is_spread


def _is_torn(named: Named, sharing: Sharing) -> bool:
    """Return whether two different scores directly follow the same player's name."""
    owned: dict[str, tuple[int, int]] = {}
    for number in named.numbers:
        place, value = named.own(number), sharing.value(number)
        if place in named.people and value is not None and not named.people[place][1:]:
            before, last = owned.setdefault(named.who(place), (value, number))
            if before != value and not named.is_corrected(last, number):
                return True
    return False


def _won(named: Named, winning: _Winning, way: Shared) -> Iterator[Guess]:
    """Yield the guesses who may have won, and how, for one way of giving scores."""
    scores = tuple((seat, value) for seat, (value, _) in way.scores.items())
    unbound = named.seats - way.scores.keys()
    by_most = named.is_won_by_most()
    alone = _alone(named, way) if not (winning.places or by_most) else []
    if way.scores.keys() <= named.threw or not (winning.places or by_most or alone):
        plain = Guess(scores, cost=way.cost + 3.0 * bool(named.throwers) + _UNBOUND * len(unbound))
        yield plain
        yield from _untold(named, plain)
        if not named.throwers:
            return
    most = max((value or 0 for _, value in scores), default=0)
    for seat, value in scores:
        cost = way.cost + _UNBOUND * len(unbound - {seat})
        if not by_most and (winning.places or alone):
            cost += winning.cost(seat, way)
        else:
            less = 1.5 + 1.5 * by_most  # the cost of a winner who has less than another
            cost += (
                less * (value != most)
                + 1.0 * (not by_most)
                + _FROM_ELSEWHERE * named.is_taken(seat, way.scores)
            )
        if value is not None and seat in (alone or way.scores):
            yield from _how(named, Guess(scores, seat, cost=cost))
    if winning.places and not by_most:
        yield from _unscored(named, way, winning, scores)


def _untold(named: Named, guess: Guess) -> Iterator[Guess]:
    """Yield the guess that the highest score won, if all have scores, or if one has and there are unknown words."""
    best, most = max(guess.scores, key=lambda one: one[1] or 0, default=("", 0))
    others = [value for seat, value in guess.scores if seat != best and value is not None]
    is_whole = len(guess.scores) == len(named.table.people.players) and most not in others
    is_unclear = len(guess.scores) == 1 and any(word.unknown for word in named.words)
    is_unclear |= any("claims" in word and best == named.subject(at) for at, word in enumerate(named.words))
    if most and best in named.seats - named.losing - named.threw and (is_whole or is_unclear):
        yield guess._replace(won=best, cost=guess.cost + _UNTOLD)


def _unscored(
    named: Named, way: Shared, winning: _Winning, scores: tuple[tuple[str, int | None], ...]
) -> Iterator[Guess]:
    """Yield guesses with winners who are named without a score."""
    unbound = named.seats - way.scores.keys()
    for seat in unbound:
        cost = way.cost + _UNSCORED + _UNBOUND * len(unbound - {seat})
        yield Guess(scores, seat, cost=cost + winning.cost(seat, way))


def _how(named: Named, guess: Guess) -> Iterator[Guess]:
    """Yield a guess for each way in which the winner may have won: on a drawn tile, or on somebody's discard."""
    throwers = list(dict.fromkeys(named.throwers.values()))
    if not throwers and named.says("thrown") and not named.says("tie"):
        throwers = sorted(named.seats - {guess.won, *dict(guess.scores)})
    by = [one for one in throwers if one != guess.won]
    own = any("theirs" in named.words[at] for at, seat in named.throwers.items() if seat == guess.won)
    if own or guess.won in named.threw or sum(named.word(at - 2).is_score for at in named.throwers) > 1:
        return  # on their own discard; "8 from Ann, 4 from Cid"
    drawn = any("drawn" in word and named.may_tell_of(guess.won, at) for at, word in enumerate(named.words))
    guess = guess._replace(cost=guess.cost + 3.0 * (len(throwers) - len(by)))
    if drawn or not by:
        yield guess._replace(drawn=drawn)
    yield from (guess._replace(thrower=one) for one in by)


def _alone(named: Named, way: Shared) -> list[str]:
    """Return, in a list, the only seat with a score of its own, if the line speaks of losers; else none."""
    by_name = [seat for seat, (_, place) in way.scores.items() if place is not None]
    return by_name if len(by_name) == 1 and any("losers" in word for word in named.words) else []


def _belongs_to(named: Named, place: int) -> bool:
    """Return whether a hand is said to be that of word *place*, as in "it's Ben's", or "it was Ben with 36"."""
    word, ahead = named.word(place), named.word(place + 1)
    return "theirs" in word or (place == 1 and "name" in word and "number" in ahead and ahead.after("with"))


class _Winning:
    """The words of a line for winning, without those corrected later, and what it costs to give them to a seat."""

    def __init__(self, named: Named) -> None:
        found = [
            place
            for place, word in enumerate(named.words)
            if word.any(*_WINNING.keys() - {"belongs"})
            or ("belongs" in word and place + 1 not in named.throwers and _belongs_to(named, place + 1))
        ]
        self.named = named
        self.places = [place for place in found if not named.is_corrected(place, found[-1])]
        self._costs: dict[tuple[str, int | None], float] = {}

    def cost(self, seat: str, way: Shared) -> float:
        """Return the cost of giving the words to *seat*: how far they are from its name or its score."""
        key = seat, way.scores.get(seat, (0, None))[1]
        if key not in self._costs:
            self._costs[key] = sum(self._cost(place, *key) for place in self.places)
        return self._costs[key]

    def _before(self, place: int) -> float:
        """Return the cost of whoever is named before a word for winning, as in "Ann 20, the win for Ben"."""
        word, *ahead = self.named.words[place : place + 3]
        theirs = any("name" in one and one.is_close and one.after("to") for one in ahead)
        return 1.5 * (theirs and word.after("the"))

    def _cost(self, place: int, seat: str, number: int | None) -> float:
        named = self.named
        kind = next(kind for kind in _WINNING if kind in named.words[place])
        weight, behind = _WINNING[kind]
        before = self._before(place)
        costs = [6.0] if number is None else [6.0, named.far(place, number) + 0.3 + before * (number < place)]
        for at, people in named.people.items():
            extra = next((cost for one, cost in people if one == seat), None)
            if extra is not None and (at not in named.throwers or kind == "limit"):
                is_bound = at < place or named.says_between(place, at, "is", "by", "to")
                costs.append(named.far(place, at) + extra + (before * (at < place) if is_bound else behind))
        if named.words[place][kind] == "glued":
            costs = [0.0 if number == place - ("number" not in named.words[place]) else 3.0]
        since = named.words[max(place - 3, 0) : place]  # a word that both have won, and no score
        both = any(
            "tie" in word and not any(one.is_score for one in since[at:]) for at, word in enumerate(since)
        )
        return 0.0 if both else weight * min(costs)
