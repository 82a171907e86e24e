"""A hand as people type it, read in the strict notation: ``w 123b 444c eee / 77d 67c <8c:e``.

The strict reading goes first: nothing that is valid changes its meaning. What it refuses is read piece by piece, every
way that its words can be taken; what is left with two readings is refused with both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lark import Token
from lark.exceptions import UnexpectedInput

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.hands import parse, parse_strictly
from mjscore.notation.names import ANYBODY, People
from mjscore.refusal import Refusal, Refused

if TYPE_CHECKING:
    from mjscore.notation.choosing import Worth

LONGEST_HAND = 300  # characters; what is longer was not typed as one hand


class Reading(NamedTuple):
    """How a hand was read: its strict *text*, the *hand*, and *remarks* on what was taken for what.

    *loosely* is whether the text as it was typed was not the strict notation; then *typed* is that text, and *tokens*
    are those of the strict line with their places in it.
    """

    text: str
    hand: Hand
    loosely: bool = False
    remarks: tuple[str, ...] = ()
    typed: str = ""
    tokens: tuple[Token, ...] = ()

    def placed(self, refusal: Refusal) -> Refusal:
        """Give a later stage's refusal of the hand with its place in what was typed."""
        from mjscore.notation.places import located

        return located(refusal, self.typed or self.text, self.tokens or None)


def read_hand(text: str, people: People = ANYBODY, worth: Worth | None = None) -> Reading:
    """Read the hand that a person means by *text*, and its strict line.

    *worth* says what a hand scores, None where no rule scores it; of several readings, one that is scored is meant.
    Raises Refused: with what is wrong at the furthest place that any reading came to, and with every reading that is
    left where there are two.
    """
    hand: Hand | None = None
    refused: list[Refused] = []
    try:
        hand = parse(text) if len(text) > LONGEST_HAND else parse_strictly(text)
    except UnexpectedInput:
        pass
    except Refused as no_hand:
        refused.append(no_hand)
    if hand is not None and (_names_known(hand, people) or len(text) > LONGEST_HAND):
        return Reading(text, hand)
    if len(text) > LONGEST_HAND:
        raise refused[0]
    # what loose reading takes is loaded where it is needed first
    from mjscore.notation.choosing import choose

    try:
        chosen = choose(text, hand is not None, refused, people, worth)
    except Refused as unread:
        from mjscore.notation.explaining import with_whole_line

        raise with_whole_line(unread, text, people, worth) from None
    if chosen is None:
        assert hand is not None
        return Reading(text, hand)  # names that nobody here has: the table says so
    line = chosen.line.text
    return Reading(line, chosen.hand, line != text, chosen.remarks, text, chosen.line.tokens)


def _names_known(hand: Hand, people: People) -> bool:
    win = hand.win
    named = [hand.seat] if win is None else [hand.seat, win.discarder, win.earlier, win.all_from]
    return all(name is None or name in WIND_NAMES or name in people.players.values() for name in named)
