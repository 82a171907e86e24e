"""Read a hand: in the strict notation, or as people type it, ``w 123b 444c eee / 77d 67c <8c:e``.

The strict reading goes first: nothing that is valid changes its meaning. What it refuses is read piece by piece, every
way that its words can be taken: to explain what is wrong, with the whole line as it would be read, or as what is meant;
what is left with two readings is refused with both.
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
from mjscore.notation.reading import Reading
from mjscore.notation.strict_reader import StrictReader
from mjscore.refusal import Refused, tried

LONGEST_HAND = 500  # characters; what is longer was not typed as one hand


class _Builder:
    """Builds what the rule of ``hand.lark`` has let pass."""

    def hand(self, parts: Sequence[Written]) -> tuple[Hand, Sequence[Written]]:
        return hand_of(parts), parts


@lru_cache(maxsize=1)
def hand_reader() -> StrictReader:
    """Return the reader of strict hands."""
    return StrictReader(open_grammar("hand.lark", ("hand",)), _Builder())


def parse(text: str) -> Hand:
    """Read the hand written *text* in the notation.

    Raises Refused (a ValueError) whose ``refusal`` says place, reason and what to type instead: the whole line,
    where it can be read as people type. Raises TypeError where *text* is no text.

    >>> mjscore.parse("S@E: (222d) [1111c] 123b 456b 7c +7c!loose").win.tile.title
    '7 characters'
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be str, not {type(text).__name__}")
    return parse_reading(text).hand


def parse_reading(text: str) -> Reading:
    """Read the same, and where its parts stand."""
    try:
        return parse_strictly(text)
    except (UnexpectedInput, Refused) as unfit:
        # loaded only where there is something to put right
        from mjscore.notation.disambiguation import explain

        raise Refused(tried(explain(text, unfit), _parsed)) from None


def _parsed(line: str) -> Reading | None:
    """Read a line that is offered, which may still not be the notation."""
    with suppress(UnexpectedInput):
        return parse_strictly(line)
    return None


def parse_strictly(text: str) -> Reading:
    """Read the same, without a word on what is not the strict notation: raises Lark's UnexpectedInput for that."""
    hand, parts = hand_reader().read(text, "hand")
    return Reading(text, hand, typed=text, parts=parts)


def read_hand(text: str, people: People = ANYBODY, worth: Worth | None = None) -> Reading:
    """Read the hand that a person means by *text*, and its strict line.

    *worth* says what a hand scores, None where no rule scores it; of several readings, one that is scored is meant.
    Raises Refused: with what is wrong at the furthest place that any reading came to, and with every reading that is
    left where there are two.
    """
    if len(text) > LONGEST_HAND:
        return parse_reading(text)
    strictly: Reading | Refused | None = None
    try:
        strictly = parse_strictly(text)
    except UnexpectedInput:
        pass
    except Refused as no_hand:
        strictly = no_hand
    if isinstance(strictly, Reading):
        win, seat = strictly.hand.win, strictly.hand.seat
        named = [seat] if win is None else [seat, win.discarder, win.earlier, win.all_from]
        if {None, *WIND_NAMES, *people.players.values()}.issuperset(named):
            return strictly
    # what loose reading takes is loaded where it is needed first
    from mjscore.notation.disambiguation import choose

    def offered(line: str) -> Hashable:
        hand = read_hand(line, people, worth).hand
        return hand if worth is None else worth(hand)

    def line_of(line: str) -> str:
        return read_hand(line, people, worth).text

    try:
        return choose(text, people, worth, strictly)
    except Refused as refused:
        refusal = tried(refused.refusal, offered)
    from mjscore.notation.lexer import Lattice
    from mjscore.notation.spoken import told_or

    return told_or(refusal, Lattice(text, people), worth, line_of)
