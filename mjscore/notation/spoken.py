"""Reading a hand as it is told at a table, in words; the grammar of typed lines has only the short forms.

*Generate and test.* The words of the line (``told_words``) are read one after another (``telling``): tiles form
groups, with the kind of set they are called, their state, and remarks on the last tile. If a word can be read in two
ways (a word for a state applies to the set before or after it, to one set or to a whole list; a list continues after
a comma or ends there), the teller asks for a choice, and the line is read again for each, cheapest choices first, up
to a maximum. The rules of the game decide: sizes of sets, thirteen and fourteen tiles, no fifth tile, and that the
rulebook scores a hand that won.

*Certain or offered.* A hand that is by far the likeliest, and all of whose words were understood, is read. If two are
equally likely, or it is not told which tile was the last or how it came, the player is asked, with whole lines.
Unknown words are skipped, and then the hand is only offered: the refusal names those words. A word of denial or
correction (``told_denials``) removes what follows it, or replaces what comes before it, or changes nothing: the player
is asked what it changes, with the hands that result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from heapq import heappop, heappush
from typing import NamedTuple

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER, Hand
from mjscore.notation.disambiguation import ASKING, Line, line_of, text_of, without_a_sign
from mjscore.notation.hand_builder import Worth, hand_of
from mjscore.notation.lexer import Lattice, Piece, said_back
from mjscore.notation.reading import HandReading
from mjscore.notation.telling import Taken, Teller
from mjscore.notation.told_items import LIKELY, RARE, NotTold
from mjscore.notation.told_words import Word, words_of
from mjscore.notation.vocabulary import vocabulary
from mjscore.refusal import Refusal, Refused, refuse, whole

__all__ = ["NotTold", "told_hand", "told_or", "with_told_line"]

_FEWEST_NAMED = 3  # words for tiles or sets in a hand told in words
MOST_OFFERED = 3  # lines offered by a question
MOST_WAYS = 48  # to read the words of a line
MOST_HANDS = 40  # hands that are tried
# refusals of lines without meaning, to which another reading may add
_NOT_UNDERSTOOD = (
    "unknown-character", "missing-class", "bad-line", "no-seat-line", "unknown-command", "tiles-after-win", "stray-colon", "after-flags",
    "unfinished-line", "no-such-seat", "win-without-tile", "bad-seat", "second-seat",
)  # fmt: skip
_COUNTED = ("too-few-tiles", "too-many-tiles", "fifth-tile")
# a line is a told hand if it has a word for tiles and one about them
_OF_TILES = ("SUIT", "SUITS", "SET", "SETS", "SPECIAL", "BONUS", "OWN", "REST", "TILES", "PLURAL", "NOTHING")
_TOLD = (
    "SET", "SETS", "STATE", "SIGN", "WIN", "FROM", "FLAG", "EVERY", "REST", "LOSS", "FINAL", "OWN", "SPECIAL", "BONUS", "THROUGHOUT",
    "PLURAL", "NEEDS", "THROWS", "SUITS", "NOTHING", "REMARK", "OWNER",
)  # fmt: skip


_FLAG = re.compile("!([a-z]+)")
_LETTERS = re.compile(r"[^\W\d_]{3,}")
# who discarded as only the notation has it
_IN_SIGNS = re.compile(r"<\s*\w+\s*:")


class _Fitting(NamedTuple):
    """A possible hand, as it was *taken* at a *cost*; *worth* is its score by the rules, None if they refuse it."""

    cost: int
    taken: Taken
    hand: Hand
    line: Line
    worth: Hashable

    @property
    def text(self) -> str:
        return text_of(self.line)

    @property
    def price(self) -> int:
        """Return its total cost: a hand that the rules refuse is rarely meant."""
        return self.cost + self.taken.rank + RARE * (self.worth is None)

    @property
    def is_sure(self) -> bool:
        """Return whether every word was understood and nothing was assumed, so that nothing need be asked."""
        taken = self.taken
        return (
            (self.worth is not None or not self.cost)
            and self.cost < RARE
            and not (taken.untold or taken.unsure or taken.passed or taken.denied)
        )


def told_hand(lattice: Lattice, worth: Worth | None) -> HandReading:
    """Return the hand told by a line.

    Raises NotTold if there is none, Refused for questions, with lines to offer.
    """
    words = words_of(lattice)
    if any(word in (*FLAG_CLAUSES, *FLAGS_OF_A_LOSER) for word in _FLAG.findall(lattice.text)):
        raise NotTold  # that is notation
    if not _tells(words):
        raise NotTold
    questions: list[Refused] = []
    hands = _meant(list(_fitting(lattice, words, worth, questions)), lattice)
    if not hands:
        raise next(iter(questions), NotTold())
    first = hands[0]
    if len(hands) > 1 or not first.is_sure:
        raise _question(hands, lattice)
    more = ("the rest is not listed, and scores nothing",) if first.hand.unlisted else ()
    remarks = (*said_back(lattice.text), *more)
    return HandReading(
        first.text, first.hand, first.text != lattice.typed.strip(), remarks, lattice.typed, first.line
    )


def _tells(words: Sequence[Word]) -> bool:
    """Return whether words tell a hand: some name tiles, and others say something about them.

    One player's name and a suit are enough. "Nothing" counts as tiles only if no more than one player is named.
    """
    named = sum(word.says("WHO") for word in words)
    of_tiles = [
        word
        for word in words
        if (word.says(*_OF_TILES) and not word.says("WIND", "WHO", "FROM"))
        or (word.says("TIMES_OF") and not word.says("VALUES"))  # 4x south
    ]
    if named > 1:
        of_tiles = [word for word in of_tiles if not word.says("NOTHING")]
    told = any(word.says(*_TOLD) or set(word.said) == {"LIES"} for word in words)  # 222b not open
    told = told or all(word.bonus for word in of_tiles)  # plum and winter
    return bool(of_tiles) and (told or (named > 0 and any(word.says("SUIT") for word in of_tiles)))


def _fitting(
    lattice: Lattice, words: Sequence[Word], worth: Worth | None, questions: list[Refused]
) -> Iterator[_Fitting]:
    """Yield the possible hands told by the words, likeliest first; questions are added to *questions*."""
    ahead: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    best, left = RARE * 10, MOST_HANDS
    for _ in range(MOST_WAYS):
        if not ahead or ahead[0][0] > best + LIKELY or left < 1:
            return
        cost, choices = heappop(ahead)
        teller, fits = Teller(lattice, words, choices), 0
        try:
            for taken in teller.tell():
                left -= 1
                for one in _tried(taken, cost, lattice, worth, questions):
                    yield one
                    fits += one.worth is not None
                    best = min(best, one.price)
                if left < 1 or (taken.untold and fits >= MOST_OFFERED):
                    break
        except NotTold:
            pass
        except Refused as asked:
            questions.append(asked)
        questions += teller.asks
        for place in range(len(choices), len(teller.made)):
            for way, price in enumerate(teller.costs[place], 1):
                heappush(ahead, (cost + price, (*teller.made[:place], way)))


def _tried(
    taken: Taken, cost: int, lattice: Lattice, worth: Worth | None, questions: list[Refused]
) -> Iterator[_Fitting]:
    """Yield the hand if possible, also as each player's if holderless and refused; add to *questions*."""
    typed, threw = taken.typed, taken.typed.ending.of("WHO")
    holders = lattice.holders if typed.seat is None else {}
    seats = [Piece("SEAT", wind, 0, 0) for wind, name in holders.items() if {wind, name}.isdisjoint(threw)]
    for one in (typed, *(typed._replace(seat=seat) for seat in seats)):
        line = line_of(one, lattice.people)
        try:
            hand = hand_of(line)
        except Refused as refused:
            questions += without_a_sign(one, lattice, worth)
            questions += [refused] if refused.refusal.code in _COUNTED else []
            return
        value = worth(hand) if worth is not None else 0
        yield _Fitting(cost, taken, hand, line, value)
        if value is not None and one is typed:
            return


def _meant(tried: Sequence[_Fitting], lattice: Lattice) -> list[_Fitting]:
    """Return the hands that may be meant, likeliest first: scored, or told with holder and last tile."""
    anybodys = not lattice.people.players
    fitting = [
        one
        for one in tried
        if one.worth is not None or ((one.hand.seat or anybodys) and not one.taken.untold)
    ]
    best = min((one.price for one in fitting), default=0)
    left: dict[Hand, _Fitting] = {}
    for one in sorted(fitting, key=lambda one: one.price):
        if one.price <= best + LIKELY:
            left.setdefault(one.hand, one)
    # exposed sets whose state was not told count only if they make a difference
    said = {one.worth for one in left.values() if not one.taken.unsaid}
    return [one for one in left.values() if not one.taken.unsaid or one.worth not in said]


def _in_turn(hands: Sequence[_Fitting]) -> Iterator[_Fitting]:
    """Yield the hands so that each different one comes once before any comes again as another player's."""
    left = list(hands)
    while left:
        turn = {one.hand._replace(seat=None): one for one in reversed(left)}
        yield from reversed(turn.values())
        left = [one for one in left if one not in turn.values()]


def _question(hands: Sequence[_Fitting], lattice: Lattice) -> Refused:
    """Return the question which of *hands* is meant, offering the strict lines of the first few."""
    first, place = hands[0].taken, whole(lattice.typed)
    nobodys = hands[0].hand.seat is not None and first.typed.seat is None
    lines = tuple(dict.fromkeys(one.text for one in _in_turn(hands)))[: MOST_OFFERED * (1 + nobodys)]
    wins = [one.hand.win for one in hands if one.hand.win is not None]
    tiles, ways = list(dict.fromkeys(str(win.tile) for win in wins)), {win.drawn for win in wins}
    same = len({one.hand._replace(win=None) for one in hands}) == len(tiles) == 1
    if first.denied or first.passed:
        refusal = _about_words(first.denied, first.passed, lattice)
    elif first.untold or len(tiles) > 1:
        refusal = refuse("which-tile", "told", at=place, tiles=" or ".join(tiles), tile=tiles[0]).refusal
    elif nobodys and len({one.hand._replace(seat=None) for one in hands}) == 1:
        refusal = refuse("whose-hand", "told", at=place).refusal
    elif same and len(lines) == len(ways) == 2:
        return refuse("two-readings", "sign", at=place, one=lines[0], other=lines[1], tile=tiles[0])
    else:
        refusal = refuse("two-readings", "told" if len(lines) > 1 else "told-once", at=place).refusal
    return Refused(refusal._replace(hint=f"type {' or '.join(lines)}", lines=lines, otherwise=refusal.hint))


def _about_words(denied: Sequence[Word], passed: Sequence[Word], lattice: Lattice) -> Refusal:
    """Return the refusal that asks what a word of denial changes, or names the unknown words; it marks the first one."""
    word, *_ = (*denied, *passed)
    place = lattice.place(word.start, word.end)
    if denied:
        return refuse("passed-over", "denied", at=place, typed=word.typed).refusal
    words = dict.fromkeys(f"{one.typed} ({one.near}?)" if one.near else one.typed for one in passed)
    return refuse("passed-over", "words", at=place, words=", ".join(words)).refusal


def _is_word(letters: str) -> bool:
    """Return whether *letters* are a word of the vocabulary that is not just a wind."""
    return any(one.kind != "wind" for one in vocabulary().of(letters))


def _not_understood(refusal: Refusal, lattice: Lattice, marked: str) -> Refused:
    """Return the refusal of unknown words if enough others name tiles; else *refusal*, of the text *marked*."""
    words = words_of(lattice)
    unknown = [word for word in words if not word.said]
    named, won = sum(word.names for word in words), [word for word in words if word.says("WIN")]
    if won and not named:
        return lattice.refused("win-without-tile", won[0].start, won[0].end, "sign", sign="")
    if named < _FEWEST_NAMED or not _is_word(marked):
        return Refused(refusal)
    if unknown:
        return Refused(_about_words((), unknown, lattice))
    return refuse("passed-over", "all", at=whole(lattice.typed))


def told_or(
    refusal: Refusal,
    lattice: Lattice,
    worth: Worth | None,
    line_of: Callable[[str], str],
    mended: Callable[[], Refusal] | None = None,
) -> HandReading:
    """Return the hand that a line tells in words; raise *refusal*, that of the line as notation, if it tells none.

    Raise instead a question about a told hand, or what *mended* returns, the refusal with a remedy; if tiles
    are missing, with the strict line that *line_of* returns for the line with "..." at its end.
    """
    marked = lattice.typed[(refusal.column or 1) - 1 :][: refusal.length].rstrip(" :")
    nobody = refusal.code == "unknown-player" and not _is_word(marked)  # table: three easts; hand: ...
    if refusal.code in (*ASKING, "nobody-again") or nobody:
        raise Refused(mended() if mended else refusal)
    is_told = True
    try:
        if _IN_SIGNS.search(lattice.text) or not any(map(_is_word, _LETTERS.findall(lattice.text))):
            raise NotTold
        return told_hand(lattice, worth)
    except Refused as asked:
        code = asked.refusal.code
        asks = code in (*ASKING, "passed-over", "whose-hand") or asked.refusal.lines
        if asks or refusal.code in _NOT_UNDERSTOOD:
            asking = asked.refusal if asked.refusal.column else asked.refusal.at(whole(lattice.typed))
            raise Refused(asking._replace(text=lattice.typed)) from None
    except NotTold:
        is_told = False
    refusal = mended() if mended else refusal
    if not is_told and refusal.code == "unknown-character" and not refusal.lines:
        raise _not_understood(refusal, lattice, marked)
    raise Refused(_with_the_rest(refusal, lattice, line_of))


def with_told_line(refusal: Refusal, text: str) -> Refusal:
    """Return the refusal of a line of a file; for a hand told in words, with its strict line or a question instead."""
    in_words = any(map(_is_word, _LETTERS.findall(text)))
    if refusal.lines or not in_words or refusal.code not in (*_NOT_UNDERSTOOD, "flag-without-win"):
        return refusal
    try:
        line = told_hand(
            Lattice(text), lambda hand: hand
        ).text  # each hand has a worth of its own: none is assumed
        return refusal._replace(hint=f"type {line}", lines=(line,), otherwise=refusal.hint)
    except Refused as asked:
        return asked.refusal._replace(text=text) if asked.refusal.code == "two-readings" else refusal
    except NotTold:
        return refusal


def _with_the_rest(refusal: Refusal, lattice: Lattice, line_of: Callable[[str], str]) -> Refusal:
    """Return a refusal of too few tiles with the line in which the rest is not listed, if that can be read."""
    listed = refusal.code == "too-few-tiles" and not lattice.text.rstrip().endswith("...")
    if listed and not refusal.lines:
        with suppress(Refused):
            line = line_of(f"{lattice.typed} ...")
            return refusal._replace(
                hint=f"{refusal.hint}; type {line}", lines=(line,), otherwise=refusal.hint
            )
    return refusal
