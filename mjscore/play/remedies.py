"""What to type in place of a refused line: the line spelt in another way, or what it seems to say or ask for.

Lines of scores, events between hands and commands are offered; nothing is done before somebody has said yes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import pairwise, takewhile
from types import MappingProxyType
from typing import Any, NamedTuple

from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.names import nobody_called
from mjscore.notation.vocabulary import gist_words, plain, vocabulary
from mjscore.play.gist import Guess, groups_of_tiles, guesses, missing, stranger
from mjscore.play.heard import HOW, WINS, HeardWord, cues_of
from mjscore.play.line_speech import AtTable, LineLattice, may_be_called
from mjscore.play.meant import words_of
from mjscore.play.named import SOMEBODY, Named
from mjscore.play.spelling import respelt, with_one
from mjscore.play.sums import calculated
from mjscore.record.events import unfinished
from mjscore.record.lines import EventLine
from mjscore.record.usages import USAGES
from mjscore.refusal import Place, Refusal, Refused, escape_controls, refuse

_LETTERS = re.compile(r"[^\W\d_]+")
# the cost of a line without a score, and that of unknown words
_NOTHING_TOLD, _UNKNOWN = 5.0, 1.5
_MOST_OFFERED = 2
_MOST_VALUE = 9  # of a tile
_SETS = ("pung", "kong", "pair")
_FEW = 5  # numbers up to this may count players
# refusals of lines taken for hands
_OF_A_HAND = (
    "unknown-character",
    "which-set",
    "missing-class",
    "win-without-tile",
    "no-such-seat",
    "two-meanings",
    "ambiguous-w",
)
_QUESTION = re.compile(r"[,.;!][^,.;!?]+\?\s*\Z")
_CAPITAL = re.compile(r"\b[A-Z][a-z]+\b")
# codes of messages, by kind; those of others are "unfinished-line"
_CODES = {"won": "no-seat-line", "whose": "whose-score", "others": "whose-score", "setting": "bad-line"}
_ASKED_ABOUT = frozenset(("help word", "standings", "who", "show last", "show all", "counters", "pool"))


class Remedy(NamedTuple):
    """*Lines* that may be typed instead; *kind* and *words* are those of a message that asks what is missing."""

    lines: Iterable[str]
    kind: str = ""
    words: Mapping[str, Any] = MappingProxyType({})


class RefusedLine:
    """A refused line, as far as it is understood."""

    def __init__(self, line: str, table: AtTable) -> None:
        self.line, self.table, self.names = line, table, dict(table.seats)
        self.spelt = respelt(line, table)
        ways = {one: self._heard(one) for one in dict.fromkeys((self.spelt, with_one(line)))}
        likeliest = min(ways, key=lambda one: self._cost(one, ways[one][2]))
        self.lattice, self.words, found = ways[likeliest]
        vacant = (
            (one.start, one.end) for one in self.words if one.says.get("name", "") not in ("", *self.names)
        )
        self.vacant = next(vacant, None)  # the wind named at which nobody sits
        self.guesses = [guess for guess in found if not (self.vacant or self._drops_tiles(guess))]
        self.text, self.cues = self.lattice.text, cues_of(self.lattice)
        self.says = {kind for word in self.words for kind in word.says}
        self.named = Named(self.words, self.lattice)
        people = map(self.named.who, sorted(self.named.people))
        self.seats = [seat for seat in dict.fromkeys(people) if seat in table.people.players]
        self.absent = list(dict.fromkeys(word["absent"] for word in self.words if "absent" in word))
        self.numbers = [word["number"] for word in self.words if "number" in word]
        aside = _QUESTION.search(
            self.text, max((word.end for word in self.words), default=0)
        )  # …, anyone for tea?
        self.is_question = (
            self.text.rstrip().endswith("?") and not self.numbers and not (aside and self.guesses)
        )
        self.doubt = self._doubted()

    def _doubted(self) -> str:
        """Return the first word of the line that denies or doubts something; empty if there is none."""
        falsely = {"false"} if self.numbers else {"false", "calls", *WINS}
        for place, word in enumerate(self.words):
            denies = word.any("deny", "doubt", "choice", "unsure", "swap") and not (
                "comes" in word and self.absent
            )
            denies = denies and not ("same" in word and self.cues["same"] and not self.numbers)
            nobody = bool(self.numbers) and _is_nobody(self.text, word)
            if (denies or nobody) and not _is_untrue(self.words, place, falsely):
                return self.text[word.start : word.end]
        return missing(self.words, self.lattice) if self.numbers else ""

    def _heard(self, line: str) -> tuple[LineLattice, list[HeardWord], list[Guess]]:
        lattice = LineLattice(calculated(LineLattice(line, self.table)), self.table)
        words = words_of(lattice)
        return lattice, words, guesses(words, lattice)

    def _drops_tiles(self, guess: Guess) -> bool:
        """Return whether a guess gives 0 to a player of whom the line tells sets, as in "Ben had a pung, the rest nothing"."""
        named = [at for at, word in enumerate(self.words) if "name" in word]
        for at, end in pairwise([*named, len(self.words)]):
            told = list(takewhile(lambda word: not word.is_score, self.words[at + 1 : end]))
            sets = any("others" in word for word in told) and any(
                word.says.get("tile") in _SETS for word in told
            )
            sets = sets or groups_of_tiles(told, "") > 1
            sets = sets and not any(word.any("waits", *HOW) for word in told)
            if sets and (self.words[at]["name"], 0) in guess.scores:
                return True
        return False

    def _cost(self, line: str, found: list[Guess]) -> float:
        """Return how unlikely a spelling of the line is, by its cheapest guess; unknown words are rarely meant."""
        return (found[0].cost if found else _NOTHING_TOLD) + _UNKNOWN * (line != self.spelt)

    def discarder_of(self, winner: str) -> str:
        """Return the seat whose discard a *winner*, already read, has claimed, if the line tells only that; else empty."""
        found = {*self.named.throwers.values()} - {winner}
        other = self.numbers or self.doubt or self.says & {"pay", "false", "draw", "zero", "dead"}
        return found.pop() if len(found) == 1 and not other and {*self.seats} - {winner} <= found else ""

    @property
    def asks(self) -> bool:
        """Return whether the line begins as a question does."""
        first = gist_words().of((_LETTERS.search(self.text) or " ")[0])
        return any(one[:2] == ("small", "asks") for one in first)

    @property
    def _may_ask(self) -> bool:
        """Return whether the line begins as a question, has a question mark, or is short."""
        return self.asks or "?" in self.text or len(self.text.split()) < 5

    @property
    def is_of_scores(self) -> bool:
        """Return whether several players have a score of ten or more in words, or beside such a one, and no suit is named."""
        told = {
            self.named.who(at): number
            for number in self.named.numbers
            if (at := self.named.own(number)) in self.named.people
        }
        suits = any(word.says.get("tile") in ("b", "c", "d") for word in self.words)
        return len(told) > 1 and max(self.numbers, default=0) > _MOST_VALUE and not suits

    @property
    def tells_of_a_hand(self) -> bool:
        """Return whether the line is about tiles rather than scores."""
        scored = {
            self.named.who(place)
            for place in map(self.named.own, self.named.numbers)
            if place in self.named.people
        }
        groups = groups_of_tiles(self.words, self.text)
        tells = any(len(guess.scores) > 2 or (guess.thrower and groups == 2) for guess in self.guesses)
        won = (dict(guess.scores).get(guess.won) or 0 for guess in self.guesses)
        tells |= groups == 2 and max(won, default=0) > _MOST_VALUE
        tells |= any(word.after("makes") and word.says.get("number", 0) > _MOST_VALUE for word in self.words)
        return groups > 1 and not (self.is_question or (tells and groups < 4)) and len(scored) < 2

    def remedies(self) -> Iterator[Remedy]:
        """Yield what the line may have meant, the likeliest kind first."""
        if self.vacant or (self.doubt and self.words[-1].any("from", "by")):
            return  # a name is missing
        yield from filter(None, (self._settled_otherwise(),))
        steps = [self._same, self._paid, self._false, self._seated, self._scored, self._drawn]
        yield from filter(None, (self._limited(), self._edited()))
        asks_for = self.cues and not self.cues["deny"] + self.cues["doubt"]
        if self.doubt and ("unsure" in self.says or not asks_for):
            yield Remedy([], "unsure", {"word": escape_controls(self.doubt)})
        commands = self.asks or (not self.seats and max(self.cues.values(), default=0) > 2)
        if commands and not self.numbers:
            steps = [self._commanded, *([] if self.is_question else steps)]
        elif not {"name", "zero"} <= self.says:
            steps.append(self._commanded)
        yield from filter(None, (step() for step in steps))
        rest = next((word for word in self.words if word.any("or", "lost", "but")), None)
        if rest is not None:
            yield Remedy([], "unsure", {"word": escape_controls(self.text[rest.start : rest.end])})

    def _settled_otherwise(self) -> Remedy | None:
        """Say that seats cannot be swapped, and that no score tells who pays for all, offering the scores; or None."""
        swaps = "swap" in self.says or {"comes", "reversed"} <= self.says
        if swaps and len(self.seats) > 1 and not (self.numbers or "point" in self.says):
            return Remedy([], "swap")
        if "pays all" not in self.says or self.doubt:
            return None
        return Remedy(
            () if self.is_question else [guess.line(self.names) for guess in self.guesses[:1]], "pay-all"
        )

    def _edited(self) -> Remedy | None:
        """Return the edit commands, with the scores told, for which the line seems to ask; None if it asks for none."""
        right = bool(self.cues["redo"])  # hand 3 was right, it's 4
        kinds = ("nth", "number") if "or" in self.says or right else ("nth",)  # hand 2 or 3
        marks = list(dict.fromkeys(word[kind] for word in self.words for kind in kinds if kind in word))
        marks = marks[1:] if right else marks
        edits = "nth" in self.says and self.cues["edit"] > self.cues["deny"] * bool(self.doubt)
        numbers = {str(mark) for mark in marks}
        guesses = [one for one in self.guesses if numbers.isdisjoint(str(points) for _, points in one.scores)]
        told = f": {guesses[0].line(self.names)}" if len(marks) == 1 and guesses else ""
        return Remedy([f"edit {mark}{told}" for mark in marks]) if edits else None

    def _limited(self) -> Remedy | None:
        """Tell how a limit is set, if the line only tells one, as in "we play to a limit of 600"; else None."""
        limits = "caps" in self.says and len(self.numbers) == 1 and not self.seats
        return Remedy([], "setting", {"option": "limit", "value": self.numbers[0]}) if limits else None

    def _same(self) -> Remedy | None:
        """Ask which scores are the same, if the line has "but" or "not" beside "same"; else None."""
        return Remedy([], "same") if self.cues["same"] and self.says & {"but", "deny"} else None

    def _scored(self) -> Remedy | None:
        found = [] if self.is_question else self.guesses
        told = bool(self.says & {"win", "wins", "drawn", "took", "robbed", "threw", "fed", "by"})
        if (
            self.doubt
            or self._is_empty
            or (not told and self.says & {"due", "pay"})
            or (not self.seats and self.says & {"all", "nobody"} and self.says & {"dead", "draw"})
        ):
            return None
        if not found or found[0].won not in ("", *dict(found[0].scores)):
            return self._unscored([found[0].won] if found else self.seats)
        lines = [guess.line(self.names) for guess in found if guess.won in ("", *dict(guess.scores))]
        if found[0].thrower and not told and len(found[0].scores) == 1:  # won from somebody, or paid by them
            lines = [*lines[:1], self._payment(found[0].thrower, found[0].won, found[0].scores[0][1])]
        several = len(lines) > _MOST_OFFERED and "me" in self.says
        return Remedy(lines, "me") if several else Remedy(lines[:_MOST_OFFERED])

    def _unscored(self, won: list[str]) -> Remedy | None:
        """Ask for the winner's score, for one of several winners, or whose the scores are; None if all that is clear."""
        wins, threw = bool(self.says & {"win", "wins"}), set(self.named.throwers.values())
        won = [seat for seat in won if self.numbers or seat not in threw] or won
        others = len(self.table.people.players) - 1
        if len(won) == 1 and "others" in self.says and 1 < len(self.numbers) - 1 < others:
            return Remedy([], "others", {"count": len(self.numbers) - 1, "others": others})
        if won and wins and not self._is_doubtful(won) and (len(won) == 1 or not self.numbers):
            return Remedy([], "winners") if won[1:] else Remedy([], "won", {"player": self.names[won[0]]})
        nobodys = bool(self.numbers) and not self.seats and (wins or bool(self.says & {"losers", "others"}))
        words = {"score": self.numbers[0], "name": next(iter(self.names.values()))} if nobodys else {}
        return Remedy([], "whose", words) if nobodys else None

    def _is_doubtful(self, won: list[str]) -> bool:
        """Return whether a winner's score is told, but something else is not clear: "Ben won 38, Ann 4, or was it 6"."""
        named = self.named
        owned = {named.who(own) for own in map(named.own, named.numbers) if own in named.people}
        return bool(owned & {*won} and self.says & {"or", "lost", "but"})

    def _paid(self) -> Remedy | None:
        """Return the payments in the line; None if it tells none."""
        parties = self._parties()
        pays = self.says & {"pay", "due", "is paid"} or self._passes(parties)
        won = self.says & {"win", "lost"} and not {"pay", "due"} <= self.says
        if len({*self.numbers}) != 1 or won or not pays:
            return None
        points, (payers, payees) = self.numbers[0], self._payers(parties)
        pairs = [(payer, payee) for payer in payers for payee in payees if payer != payee]
        if not pairs:
            return self._paid_by_one(payers, payees, points) if self.says & {"due", "is paid"} else None
        if SOMEBODY in (*payers, *payees):
            return None
        one, other = (self.names.get(name, name) for name in pairs[0])
        lines, words = [self._payment(*pair, points) for pair in pairs], {"one": one, "other": other}
        several = min(len(payers), len(payees)) > 1  # of whom each may pay each, or their own
        kind = "pay-each" if pairs[1:] else ""
        return Remedy([] if several else lines, kind, {**words, "amount": points})

    def _paid_by_one(self, payers: list[str], payees: list[str], points: int) -> Remedy | None:
        """Ask whom the one player named pays, or who pays this player; None if nobody is named."""
        known = (payers or payees)[:1]
        pairs = [
            (known[0], one) if payers else (one, known[0]) for one in self.names if known and one != known[0]
        ]
        return (
            Remedy([self._payment(*pair, points) for pair in pairs], "pay-whom" if payers else "who-pays")
            if pairs
            else None
        )

    def _parties(self) -> dict[int, list[str]]:
        """Return the seats that may pay or be paid, by the indexes of the words that name one or several."""
        named = self.named
        told = [at for at in named.people if at not in named.excepted]
        pronoun = next((at for at in told if "he" in self.words[at]), len(self.words))
        before = [at for at in told if at < pronoun]  # Dee owes Ben 30, take it off her
        found = {at: [named.who(at)] for at in (before if len(before) > 1 else told)}
        without = {seat for seats in found.values() for seat in seats} | set(map(named.who, named.excepted))
        for at, word in enumerate(self.words):
            if word.any("all", "others"):
                found[at] = [seat for seat in self.table.people.players if seat not in without]
        return dict(sorted(found.items()))

    def _passes(self, parties: Mapping[int, list[str]]) -> bool:
        """Return whether points go from one of two players to the other, as in "Ben to Ann 20" and "Ben slipped Ann 20"."""
        told = any(len(guess.scores) > 1 and not guess.cost for guess in self.guesses[:1])  # 18, same for Cid
        if told or len(parties) != 2 or self.says & {*WINS, "each", "comes", "leaves"} - {"comes"}:
            return False
        first, last = parties
        word, ahead = self.words[last], self.named.word(last + 1)
        if "from" in self.named.word(first - 1) and word.after("to"):
            return True  # twenty from Ann to Ben
        slipped = word.unknown == 1 and not word.gap and last - 1 in parties and "number" in ahead
        return (word.after("to") and not self.says & {"from", "by"}) or (slipped and ahead.is_close)

    def _payment(self, payer: str, payee: str, points: int | None) -> str:
        return str(
            EventLine("pay", (self.names.get(payer, payer), self.names.get(payee, payee)), number=points)
        )

    def _payers(self, parties: Mapping[int, list[str]]) -> tuple[list[str], list[str]]:
        """Return the seats that pay and those that are paid, by "from" and "to" and the words for paying and getting."""
        payers = [at for at in parties if self._is_payer(at)]
        payees = [at for at in parties if self.words[at].after("to") and at not in payers]
        payers, payees = self._with_fined(payers, payees)
        rest = [at for at in parties if at not in (*payers, *payees)]
        if rest and payers and not payees:
            payees = rest
        elif rest:
            paying, paid = self._around_verb(rest, parties)
            payers, payees = [*payers, *paying], [*payees, *paid]
        everybody = list(self.table.people.players) if "each" in self.says else []
        both = ([seat for at in places for seat in parties[at]] for places in (payers, payees))
        paying_seats, paid_seats = (list(dict.fromkeys(seats)) or everybody for seats in both)
        return paying_seats, paid_seats

    def _is_payer(self, place: int) -> bool:
        """Return whether a word before the name at *place* says who pays: "from Dee", "paid by Dee", not "fined by Dee"."""
        fined = "is paid" not in self.says and bool(self.says & {"fine", "due"})
        word = self.words[place]
        return "from" in self.named.word(place - 1) or word.after("of") or (word.after("by") and not fined)

    def _with_fined(self, payers: list[int], payees: list[int]) -> tuple[list[int], list[int]]:
        """Return the places of *payers* and *payees*, with who is fined as the payer: "a fine for Dee, 20 to Ben"."""
        fined = (
            payees[1:] and not payers and any("fine" in self.named.word(payees[0] - back) for back in (1, 2))
        )
        return (payees[:1], payees[1:]) if fined else (payers, payees)

    def _around_verb(
        self, places: list[int], parties: Mapping[int, list[str]]
    ) -> tuple[list[int], list[int]]:
        """Return which of *places* (indexes of names) pay, and which are paid, by a word for either."""
        kinds = ("pay", "is paid", *(("gets",) if "due" in self.says else ()))
        verb = next((place for place, word in enumerate(self.words) if word.any(*kinds)), -1)
        subjects = [at for at in places if at < verb] or places[:1]
        others = [at for at in places if parties[at] not in [parties[one] for one in subjects]]
        return (subjects, others) if verb < 0 or "pay" in self.words[verb] else (others, subjects)

    def _false(self) -> Remedy | None:
        claimed = (
            bool(self.says & {"win", "wins", "lost", "calls"})
            and bool(self.says & {"untrue", "short"})
            and not self.numbers
            and len(self.seats) == 1
        )
        if not self.seats and self.cues["undo"] + self.cues["edit"]:
            return None
        fed = {*self.named.throwers.values()} if self.seats[1:] else ()
        callers = [seat for seat in self.seats if seat not in fed]  # on whose tile does not matter
        won = self.numbers and self.says & {"wins", "but"}  # we thought it was false, but he wins 46
        if won or not ("false" in self.says or claimed) or len(self.numbers) > 1 or len(callers) > 1:
            return None
        names = [self.names[seat] for seat in callers] or list(self.names.values())
        lines = [*(str(EventLine("false", (name,))) for name in names), *["draw"] * ("draw" in self.says)]
        return Remedy(lines, "" if callers else "false")

    @property
    def _is_empty(self) -> bool:
        """Return whether the line tells of a draw, and that nobody has any score."""
        ends = "draw" in self.says or ("nobody" in self.says and self.says & {"win", "wins"})
        empty = not any(self.numbers) and (bool(self.numbers) or "zero" in self.says)
        return bool(ends) and empty and not self.says & {"limit", "dead", "none else", "but"}

    def _drawn(self) -> Remedy | None:
        no_score = "nobody" in self.says or {"all", "zero"} <= self.says
        nobody = (no_score and self.says & {"win", "wins"}) or {"all", "dead"} <= self.says
        named = any(
            "name" in word and "dealer" not in word and "draw" not in self.named.word(at + 1)
            for at, word in enumerate(self.words)
        )
        other = self._nobody_moves() or "untrue" in self.says or named or self.numbers
        if self.doubt or not (self._is_empty or (("draw" in self.says or nobody) and not other)):
            return None
        kong = any(
            word.says.get("tile") == "kong" for word in self.words
        )  # it may matter that one was declared
        return Remedy(["draw four", "draw"] if kong else ["draw"])

    def _nobody_moves(self) -> bool:
        """Return whether a word for a draw only says that nobody is coming or leaving."""
        told = [at for at, word in enumerate(self.words) if "draw" in word]
        ahead = self.named.word(told[0] + 1) if len(told) == 1 else HeardWord({})
        return (
            bool(told)
            and "nobody" in self.words[told[0]]
            and ahead.any("leaves", "comes")
            and not ahead.any(*WINS)
        )

    def _seated(self) -> Remedy | None:
        """Return the changes of seats in the line; None if it tells none."""
        if any(number > _FEW for number in self.numbers) or self.says & {"win", "zero", "dead"}:
            return None
        comes, moves = self.absent or self._newcomers(), self._moves()
        if self._is_back():
            return Remedy([], "seat")  # already a player
        leaving = [self.names[seat] for seat in self.seats]
        if "someone" in self.says and "leaves" in self.says and not leaving + comes and not self.numbers:
            return Remedy([], "seat")
        if len(comes) == 1 and moves:
            players = list(self.names.values()) if moves != {"comes"} else []
            is_free = not players or len(players) < len(WIND_NAMES)
            leaving = leaving or [""] * is_free + players
            lines = [str(EventLine("seat", (comes[0], name))) for name in leaving]
            return Remedy(lines, "seat" if len(lines) > 1 else "")
        return self._left(leaving) if not comes and len(leaving) == 1 else None

    def _left(self, leaving: list[str]) -> Remedy | None:
        """Return the change of seats for a player who leaves and has no score; None if the line does not say that."""
        quits = self.cues["quit"] and not self.numbers
        leaves = quits or any("leaves" in word and "wins" not in word for word in self.words)
        scored = any(self.named.own(number) in self.named.people for number in self.named.numbers)
        scored |= bool(self.numbers) and "point" in self.says
        return Remedy([str(EventLine("seat", ("", leaving[0])))]) if leaves and not scored else None

    def _moves(self) -> set[str]:
        """Return the kinds of words for coming and leaving; "names" for a line of only a player's and a guest's name."""
        alone = self.absent and self.seats and self.says <= {"name", "absent", "today"}
        return self.says & {"comes", "instead", "leaves", "someone"} or ({"names"} if alone else set())

    def _is_back(self) -> bool:
        """Return whether the line says that somebody comes back who is playing already."""
        behind = [self.named.word(place + 1) for place in self.named.people]
        return any("back" in word and word.is_close for word in behind)

    def _newcomers(self) -> list[str]:
        """Return possible newcomers: unknown words with a capital, or beside one for joining, or coming where somebody leaves.

        Return none without a player, "instead" or a word for joining.
        """
        known = vocabulary().words.union(map(str.casefold, (*self.names.values(), *self.table.friends)))
        found = [word for word in _CAPITAL.findall(self.text) if word.casefold() not in known]
        comes = ("joins", *(("comes", "instead") if "leaves" in self.says else ()))
        for one, other in pairwise([HeardWord({}), *self.words]):
            joins = other.unknown == 1 and (other.any(*comes) or "puts" in one)  # fay wants in, put fay in
            if joins and not (one.any("theirs", "me", "he") or ("joins" in other and other.after("the"))):
                said = _LETTERS.findall(self.text, one.end, other.start)
                found = found or [new for new in said if may_be_called(new) and not gist_words().of(new)][-1:]
        found = found or self._the_stranger(known)
        return found if self.seats or self.says & {"instead", "joins"} else []

    def _the_stranger(self, known: Set[str]) -> list[str]:
        """Return the only word without a meaning, if it may be a guest's name: no player's, and nobody's thing."""
        words = _LETTERS.findall(self.text)
        strange = [one for one in words if one.casefold() not in known | gist_words().words]
        comes = self.says & {"comes", "instead", "joins", "puts"} and not self.says & {"nobody", "me"}
        counts = any(vocabulary().says(one, "count") for one in words) or bool(self.numbers)
        if not comes or counts or len(strange) != 1 or not may_be_called(strange[0]):
            return []
        before = plain(" ".join(self.text[: self.text.index(strange[0])].split()[-1:]))
        players = {part for name in self.names.values() for part in plain(name).split()}
        owned = before.endswith(" s") and before.removesuffix(" s") in players  # ben's taxi is here
        thing = gist_words().says(before, "ending") and vocabulary().says(before, "leads")  # to the couch
        return [] if owned or thing or plain(strange[0]) in players else strange

    def _commanded(self) -> Remedy | None:
        """Return the commands that the line may ask for; None if there are none."""
        seats = self.line.casefold().startswith("seat ")
        again = self.cues["redo"] and {"nth", "ordered"} <= self.says
        if self.cues["deny"] + self.cues["doubt"] or seats or again:
            return None
        found = self._asked_for()
        scored = max(self.numbers, default=-1) >= _FEW * self.asks * (not self.seats)  # turn 2 deal
        return Remedy(self._of_its_hand(found[:_MOST_OFFERED])) if found and not scored else None

    def _asked_for(self) -> list[str]:
        """Return the commands for which most words of the line speak."""
        asks = self.cues["asks"] or self._may_ask
        kept = {
            one: said
            for one, said in (+self.cues).items()
            if one not in ("asks", "edit", "evening") and (asks or said > 1 or one not in _ASKED_ABOUT)
        }
        found = [command for command, said in kept.items() if said == max(kept.values())]
        if asks and {"nth", "one hand"} <= self.says and _ASKED_ABOUT.issuperset(found):
            return ["show last"]  # what was in hand 5
        if "help word" in kept and found == ["standings"]:
            return ["help word", *found]  # what does robbing the kong mean
        if not found and self.asks and self.seats and not self.says & {"pay", "comes", "leaves"}:
            return ["standings"]  # what's Ann on
        return found

    def _of_its_hand(self, commands: list[str]) -> list[str]:
        """Return commands with "show 3" in place of "show last" if the line names hand 3, what tells of owing, or help on a word."""
        if "help word" in commands:
            from mjscore.page.glossary import word_in  # the glossary is loaded only for a question

            about = word_in(self.text)
            return [f"help {about.name}"] if about else commands[1:]
        if "counters" in self.cues:  # settle up in counters
            commands = [one for one in commands if one != "show last"] or ["counters"]
        if self.cues["show last"] and (self.cues["evening"] or "pay" in self.says):
            asked = "standings" if self.cues["evening"] else "show last"
            commands = list(
                dict.fromkeys(asked if one in ("standings", "show last") else one for one in commands)
            )
        marks = [word["nth"] for word in self.words if "nth" in word]
        return [f"show {marks[0]}" if marks and one == "show last" else one for one in commands]


def remedied(refusal: Refusal, line: RefusedLine, read: Callable[[str], str]) -> Refused:
    """Return *refusal* as an exception, reworded if need be, offering what *line* may have meant, if any.

    Only lines that *read* accepts are offered; of those for which it returns the same text, one.
    """
    lines, remedy = _read([line.spelt] if line.spelt != line.line else [], read), Remedy([])
    is_spelt = bool(lines)
    for remedy in () if is_spelt else line.remedies():
        lines = _read(remedy.lines, read)
        if lines or not remedy.lines:
            break
    players, at = ", ".join(map(escape_controls, line.names.values())), Place(line.line, 0, len(line.line))
    if remedy.kind in USAGES:
        refusal = unfinished(remedy.kind, at).refusal
    elif remedy.kind in _CODES:
        refusal = refuse(_CODES[remedy.kind], remedy.kind, at=at, **remedy.words).refusal
    elif remedy.kind:
        words = {"players": players, "example": line.table.example, **remedy.words}
        refusal = refuse("unfinished-line", remedy.kind, at=at, **words).refusal
    elif not lines and (name := line.vacant or stranger(line.words, line.lattice)):
        place = Place(line.line, *name) if line.lattice.typed == line.line else at
        refusal = nobody_called(line.text[slice(*name)], line.names.values()).refusal.at(place)
    elif lines and not is_spelt and refusal.code in _OF_A_HAND:
        refusal = refusal._replace(message="not every word of this is understood")
    if lines:
        hint = f"did you mean {' or '.join(map(escape_controls, lines))}?"
        refusal = refusal._replace(hint=hint, lines=tuple(lines), otherwise=refusal.hint, answers=())
    return Refused(refusal, remedy.kind)


def _is_nobody(text: str, word: HeardWord) -> bool:
    """Return whether a word says that nobody won."""
    first = gist_words().of(text[word.start : word.end].split()[0])
    return "nobody" in word or ("draw" in word and any(one.value == "deny" for one in first))


def _is_untrue(words: Sequence[HeardWord], place: int, falsely: Set[str]) -> bool:
    """Return whether a word denies what was *falsely* declared before it."""
    return "untrue" in words[place] and any(word.any(*falsely) for word in words[:place])


def _read(lines: Iterable[str], read: Callable[[str], str]) -> list[str]:
    """Return those of *lines* that *read* accepts, one for each text that it returns."""
    found: dict[str, str] = {}
    for line in lines:
        with suppress(Refused):
            found.setdefault(read(line), line.strip())
    return list(found.values())
