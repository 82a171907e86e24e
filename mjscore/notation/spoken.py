"""Read a hand as it is told at a table, where the grammar of a typed line finds none.

*Generate and test.* The words of the line (``told_words``) are taken one after another (``telling``): tiles make groups, with the kind
of set that they are called, how they lie, and what is said of the last tile. Where a word can be taken in two ways (a word for how
sets lie belongs to what stands before it or behind it, to one set or to all of a list; a list goes on behind a comma or ends there),
the teller asks for a choice, and the line is taken anew for each, the cheapest choices first, up to a number of times. What the
game knows decides: the size of sets, thirteen and fourteen tiles, no fifth tile, and that the rules score a hand that won.

*Sure or offered.* One hand that is left by far, all of whose words were understood, is read. Where two are as likely, where it is not
told which tile was the last or how it came, they are asked for with their whole lines. Words of which nothing is known are passed
over, and then the hand is not read but offered: the refusal names those words. A word that denies or corrects is never passed over,
nor one that stands where a tile is to be told.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from heapq import heappop, heappush
from typing import NamedTuple

from mjscore.game.hand import Hand
from mjscore.notation.disambiguation import ASKING, Line, line_of, text_of
from mjscore.notation.hand_builder import Worth, hand_of
from mjscore.notation.lexer import Lattice, Piece, said_back
from mjscore.notation.reading import Reading
from mjscore.notation.speech import Typed
from mjscore.notation.telling import LIKELY, RARE, NotTold, Taken, Teller
from mjscore.notation.told_words import Word, words_of
from mjscore.refusal import Refusal, Refused, refuse, whole

MOST_OFFERED = 3  # lines of a question
MOST_WAYS = 48  # to take the words of a line
MOST_HANDS = 120  # that are tried
# of what was no line at all another reading may say more
_NOT_UNDERSTOOD = (
    "unknown-character", "missing-class", "bad-line", "no-seat-line", "unknown-command", "tiles-after-win", "stray-colon", "after-flags",
    "unfinished-line", "no-such-seat", "win-without-tile",
)  # fmt: skip
_COUNTED = ("too-few-tiles", "too-many-tiles", "fifth-tile")


# a line tells a hand that has a word of tiles, and one of what is said of them
_OF_TILES = ("SUIT", "SUITS", "SET", "SETS", "SPECIAL", "BONUS", "OWN", "REST", "TILES", "PLURAL")
_TOLD = (
    "SET", "SETS", "STATE", "SIGN", "WIN", "FROM", "FLAG", "EVERY", "REST", "LOSS", "FINAL", "OWN", "SPECIAL", "BONUS", "THROUGHOUT",
    "PLURAL", "NEEDS", "THROWS", "SUITS",
)  # fmt: skip


class _Fitting(NamedTuple):
    """A hand that can be, as it was *taken*; its *worth* by the rules."""

    taken: Taken
    hand: Hand
    line: Line
    worth: Hashable

    @property
    def text(self) -> str:
        return text_of(self.line)


def told_hand(lattice: Lattice, worth: Worth | None) -> Reading:
    """Return the hand that a line tells. Raises NotTold where it tells none, Refused for what is to be asked, with what is offered."""
    words = words_of(lattice)
    of_tiles = [word for word in words if word.says(*_OF_TILES) and not word.says("WIND", "WHO", "FROM")]
    if not of_tiles or not any(word.says(*_TOLD) for word in words):
        raise NotTold
    questions: list[Refused] = []
    tried = list(_fitting(lattice, words, worth, questions))
    fitting = [one for one in tried if one.worth is not None]
    if not fitting:  # what no rule scores is no more than offered
        fitting = [one for one in tried if not one.taken.untold and _has_owner(one, lattice)]
    if not fitting:
        raise next(iter(questions), NotTold())
    best = min(one.taken.cost for one in fitting)
    left: dict[Hand, _Fitting] = {}
    for one in sorted(fitting, key=lambda one: one.taken.cost):
        if one.taken.cost <= best + LIKELY:
            left.setdefault(one.hand, one)
    hands = _said(list(left.values()), worth)
    first = hands[0]
    asked = first.taken.typed.asked
    if asked:
        raise Refused(asked[0]._replace(text=lattice.typed))
    is_sure = (
        len(hands) == 1
        and first.worth is not None
        and best < RARE
        and not (first.taken.untold or first.taken.unsure or first.taken.passed)
    )
    if not is_sure:
        raise _question(hands, lattice)
    more = ("the rest is not listed, and scores nothing",) if first.hand.unlisted else ()
    remarks = (*said_back(lattice.text), *more)
    return Reading(
        first.text, first.hand, first.text != lattice.typed.strip(), remarks, lattice.typed, first.line
    )


def _fitting(
    lattice: Lattice, words: Sequence[Word], worth: Worth | None, questions: list[Refused]
) -> Iterator[_Fitting]:
    """Yield the hands that the words may tell and that can be, the likeliest first; *questions* gets what is to be asked."""
    ahead: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    best, tried = RARE * 10, 0
    for _ in range(MOST_WAYS):
        if not ahead or ahead[0][0] > best + LIKELY:
            return
        cost, choices = heappop(ahead)
        teller = Teller(lattice, words, choices)
        taken: list[Taken] = []
        try:
            taken = teller.take()
        except NotTold:
            pass
        except Refused as asked:
            questions.append(asked)
        for place in range(len(choices), len(teller.made)):
            for way, price in enumerate(teller.costs[place], 1):
                heappush(ahead, (cost + price, (*teller.made[:place], way)))
        fits = 0
        for one in taken:
            tried += 1
            if tried > MOST_HANDS or (one.untold and fits >= MOST_OFFERED):
                break
            for typed in (one.typed, *_of_anybody(one.typed, lattice)):
                line = line_of(typed, lattice.people)
                try:
                    hand = hand_of(line)
                except Refused as refused:
                    questions += [refused] if refused.refusal.code in _COUNTED else []
                    break
                value = worth(hand) if worth is not None else 0
                yield _Fitting(one, hand, line, value)
                if value is not None:
                    best, fits = min(best, one.cost), fits + 1
                    if typed is one.typed:
                        break


def _of_anybody(typed: Typed, lattice: Lattice) -> list[Typed]:
    """Return a hand of nobody as that of each player who may hold it."""
    threw = typed.ending.of("WHO")
    players = lattice.people.players.items() if typed.seat is None else ()
    seats = [Piece("SEAT", wind, 0, 0) for wind, name in players if {wind, name}.isdisjoint(threw)]
    return [typed._replace(seat=seat) for seat in seats]


def _has_owner(one: _Fitting, lattice: Lattice) -> bool:
    return one.hand.seat is not None or not lattice.people.players


def _said(hands: Sequence[_Fitting], worth: Worth | None) -> list[_Fitting]:
    """Leave out hands with sets on the table of which that is not said, where it makes no difference."""
    worths = {one.worth for one in hands if not one.taken.unsaid}
    left = [one for one in hands if not one.taken.unsaid or worth is None or one.worth not in worths]
    return left or list(hands)


def _question(hands: Sequence[_Fitting], lattice: Lattice) -> Refused:
    """Return the question which of *hands* is meant, with the first of their lines."""
    first = hands[0].taken
    nobodys = hands[0].hand.seat is not None and first.typed.seat is None
    lines = tuple(dict.fromkeys(one.text for one in hands))[: MOST_OFFERED + nobodys]
    held = {str(one.hand._replace(win=None)) for one in hands}
    tiles = list(dict.fromkeys(str(one.hand.win.tile) for one in hands if one.hand.win is not None))
    place = whole(lattice.typed)
    passed = list(
        dict.fromkeys(f"{word.typed} ({word.near}?)" if word.near else word.typed for word in first.passed)
    )
    if first.untold and not passed:
        refusal = refuse("which-tile", at=place, tiles=" or ".join(tiles), tile=tiles[0]).refusal
        if first.typed.ending.tile is not None and first.typed.ending.tile.end == 1:
            return Refused(refusal)
    elif passed:
        refusal = refuse("passed-over", at=place, words=", ".join(passed)).refusal
    elif len(tiles) > 1:
        refusal = refuse("which-tile", at=place, tiles=" or ".join(tiles), tile=tiles[0]).refusal
    elif nobodys and len({one.hand._replace(seat=None) for one in hands}) == 1:
        refusal = refuse("whose-hand", "told", at=place).refusal
    elif len(lines) == 2 and len(held) == 1 and len(tiles) == 1:
        one, other = lines
        return refuse("two-readings", "sign", at=place, one=one, other=other, tile=tiles[0])
    else:
        refusal = refuse("two-readings", "told", at=place).refusal
    return Refused(refusal._replace(hint=f"type {' or '.join(lines)}", lines=lines, otherwise=refusal.hint))


def told_or(
    refusal: Refusal, lattice: Lattice, worth: Worth | None, line_of: Callable[[str], str]
) -> Reading:
    """Return the hand that a line tells in words; where it tells none, raise the *refusal* of what was typed, with the line
    that it is with its words spelt right, where *line_of* that makes one.
    """
    if refusal.code in (*ASKING, "nobody-again", "unknown-player"):
        raise Refused(refusal)
    try:
        return told_hand(lattice, worth)
    except Refused as asked:
        code = asked.refusal.code
        if code in (*ASKING, "passed-over") or refusal.code in _NOT_UNDERSTOOD:
            raise Refused(asked.refusal._replace(text=lattice.typed)) from None
    except NotTold:
        pass
    if refusal.code == "too-few-tiles" and not lattice.text.rstrip().endswith("..."):
        with suppress(Refused):
            line = line_of(f"{lattice.typed} ...")
            if line and not refusal.lines:
                refusal = refusal._replace(
                    hint=f"{refusal.hint}; type {line}", lines=(line,), otherwise=refusal.hint
                )
    raise Refused(refusal)
