"""Reading a hand: in the strict notation, or as people type it, ``w 123b 444c eee / 77d 67c <8c:e``.

Strict parsing comes first, so no valid line changes its meaning. A line that it refuses is read loosely, with every
meaning that its words can have, either to explain the mistake and offer the corrected line, or to find the hand that
is meant; if two readings are left, the refusal offers both.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from functools import lru_cache

from lark.exceptions import UnexpectedInput

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.hand_builder import Worth, Written, hand_of
from mjscore.notation.names import ANYBODY, People
from mjscore.notation.parsers import open_grammar
from mjscore.notation.reading import HandReading
from mjscore.notation.strict_reader import StrictReader
from mjscore.refusal import Refused, tried

LONGEST_HAND = 500  # characters; nobody types more for one hand


class _Builder:
    """Builds a hand from the parts accepted by ``hand.lark``."""

    def hand(self, parts: Sequence[Written]) -> tuple[Hand, Sequence[Written]]:
        return hand_of(parts), parts


@lru_cache(maxsize=1)
def hand_reader() -> StrictReader:
    """Return the parser of strict hands."""
    return StrictReader(open_grammar("hand.lark", ("hand",)), _Builder())


def parse(text: str) -> Hand:
    """Parse a hand in the strict notation; raise TypeError if *text* is not a string.

    Raise Refused (a ValueError) whose ``refusal`` has place, reason and what to type instead: for a loosely typed hand,
    the whole line in strict notation.

    >>> mjscore.parse("S@E: (222d) [1111c] 123b 456b 7c +7c!loose").win.tile.title
    '7 characters'
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be str, not {type(text).__name__}")
    return parse_reading(text).hand


def parse_reading(text: str) -> HandReading:
    """Parse a hand in the strict notation, and return it with the places of its parts. Raises Refused."""
    try:
        return parse_strictly(text)
    except (UnexpectedInput, Refused) as unfit:
        # loaded only if a line is refused
        from mjscore.notation.disambiguation import explain
        from mjscore.notation.spoken import with_told_line

        raise Refused(with_told_line(tried(explain(text, unfit), _parsed), text)) from None


def _parsed(line: str) -> HandReading | None:
    """Parse a line that is to be offered; return None if it is not notation. Raises Refused."""
    with suppress(UnexpectedInput):
        return parse_strictly(line)
    return None


def parse_strictly(text: str) -> HandReading:
    """Parse a hand without explaining faults of notation: raises Lark's UnexpectedInput for these."""
    hand, parts = hand_reader().read(text, "hand")
    return HandReading(text, hand, typed=text, parts=parts)


def read_hand(text: str, people: People = ANYBODY, worth: Worth | None = None) -> HandReading:
    """Read the hand that a person means by *text*, and its strict line.

    *worth* returns the score of a hand, None if the rules refuse it; of several readings, one that is scored is
    taken. Raises Refused: with the fault at the furthest place that any reading reached, or with both readings if two
    are left.
    """
    if len(text) > LONGEST_HAND:
        return parse_reading(text)
    strictly: HandReading | Refused | None = None
    try:
        strictly = parse_strictly(text)
    except UnexpectedInput:
        pass
    except Refused as no_hand:
        strictly = no_hand
    if isinstance(strictly, HandReading):
        win, seat = strictly.hand.win, strictly.hand.seat
        named = [seat] if win is None else [seat, win.discarder, win.earlier, win.all_from]
        if {None, *WIND_NAMES, *people.players.values()}.issuperset(named):
            return strictly
    # modules for loose reading are loaded when first needed
    from mjscore.notation.disambiguation import choose, mended
    from mjscore.notation.lexer import Lattice

    def offered(line: str) -> Hashable:
        hand = read_hand(line, people, worth).hand
        return hand if worth is None else worth(hand)

    def line_of(line: str) -> str:
        return read_hand(line, people, worth).text

    lattice = Lattice(text, people)
    try:
        return choose(lattice, worth, strictly)
    except Refused as refused:
        refusal = refused.refusal
    from mjscore.notation.spoken import told_or

    return told_or(refusal, lattice, worth, line_of, lambda: tried(mended(refusal, lattice, worth), offered))
