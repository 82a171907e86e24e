"""A hand as people type it, read in the strict notation: ``w 123b 444c eee / 77d 67c <8c:e``.

The strict reading goes first. Only what it refuses is written anew, piece by piece, and read again by the
same parser: nothing that is valid changes its meaning. What would have two readings is refused with both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.hands import parse
from mjscore.notation.names import ANYBODY, People
from mjscore.refusal import Refusal, Refused, refuse

LONGEST_HAND = 300  # characters; what is longer was not typed as one hand
_ASKING = (
    "nobody-again",
    "unknown-player",
    "two-meanings",
    "ambiguous-w",
    "two-people",
    "four-without-brackets",
)


class Reading(NamedTuple):
    """How a hand was read: its strict *text*, the *hand*, and *remarks* on what was taken for what.

    *loosely* is whether the text as it was typed was not the strict notation.
    """

    text: str
    hand: Hand
    loosely: bool = False
    remarks: tuple[str, ...] = ()


def read_hand(text: str, people: People = ANYBODY, holds: Callable[[Hand], bool] | None = None) -> Reading:
    """The hand that a person means by *text*, and its strict line.

    *holds* says of a hand whether the rules score it; of several readings, the one that holds is meant.
    Raises Refused: with the refusal of the strict reading where the text cannot be read loosely either, and
    with every reading that is left where there are two.
    """
    try:
        hand = parse(text)
        if _names_known(hand, people):
            return Reading(text, hand)
        strict = None
    except Refused as refused:
        hand, strict = None, refused
    if len(text) > LONGEST_HAND:
        if strict is not None:
            raise strict
        assert hand is not None
        return Reading(text, hand)
    return _read_loosely(text, hand, strict, people, holds)


def _read_loosely(
    text: str,
    hand: Hand | None,
    strict: Refused | None,
    people: People,
    holds: Callable[[Hand], bool] | None,
) -> Reading:
    """The hand that is meant by a text of which the strict reading gave a *hand* of strangers, or refused it."""
    # the patterns and words of loose reading are loaded where they are needed first
    from mjscore.notation.apart import taken_apart
    from mjscore.notation.characters import normal
    from mjscore.notation.groups import said_back
    from mjscore.notation.pieces import OpenFour, strict_lines

    readings: dict[Hand, str] = {}
    others: list[Refused] = []
    for typed in taken_apart(normal(text), people, others):
        for line in strict_lines(typed, others):
            try:
                readings.setdefault(parse(line), line)
            except Refused as refused:
                if _words(line) != _words(text):
                    others.append(refused)
    if readings:
        read, line = _meant(readings, holds)
        if (
            strict is not None
            and strict.refusal.code == "too-many-tiles"
            and holds is not None
            and not holds(read)
        ):
            raise strict
        return Reading(line, read, line != text, tuple(said_back(normal(text))))
    asked = next((other for other in others if other.refusal.code in _ASKING), None)
    if strict is None and asked is None:
        assert hand is not None
        return Reading(text, hand)  # names that nobody here has: the table says so
    if strict is None:
        strict = asked
    assert strict is not None
    if strict.refusal.code == "ambiguous-w" and asked is not None and asked.refusal.code == "ambiguous-w":
        raise strict
    if isinstance(asked, OpenFour):
        raise OpenFour(_placed(asked.refusal, text), asked.lines)
    if asked is not None:
        raise Refused(_placed(asked.refusal, text))
    raise others[0] if others else _with_seat_known(text, people, strict)


def _with_seat_known(text: str, people: People, strict: Refused) -> Refused:
    """What is refused of a text that cannot be read, where its first word is a seat and no tiles."""
    from mjscore.notation.apart import with_short_seat

    seated = with_short_seat(text, people)
    if seated == text:
        return strict
    try:
        parse(seated)
    except Refused as refused:
        return Refused(refused.refusal._replace(text=text))
    return strict


def read_tiles(text: str) -> str | None:
    """Tiles that are no hand, in the notation; None where *text* is none. Raises Refused for two meanings."""
    from mjscore.notation.apart import body_of
    from mjscore.notation.characters import normal

    typed = body_of("", normal(text), ANYBODY)
    if typed is None or typed.ending or any(piece.bracket or not piece.tiles for piece in typed.pieces):
        return None
    return typed.line()


def _meant(readings: dict[Hand, str], holds: Callable[[Hand], bool] | None) -> tuple[Hand, str]:
    """The one hand that is meant, with its line. Raises Refused where two are left."""
    if len(readings) > 1 and holds is not None:
        # of hands that no rule scores, the first is as good as any: its refusal is shown
        readings = {hand: line for hand, line in readings.items() if holds(hand)} or dict(
            [*readings.items()][:1]
        )
    if len(readings) > 1:
        first, second = list(readings.values())[:2]
        raise refuse("two-readings", "this can be read as two hands", f"type {first} or {second}")
    return next(iter(readings.items()))


def _words(text: str) -> str:
    return "".join(text.split())


def _names_known(hand: Hand, people: People) -> bool:
    win = hand.win
    named = [hand.seat] if win is None else [hand.seat, win.discarder, win.earlier, win.all_from]
    return all(name is None or name in WIND_NAMES or name in people.players.values() for name in named)


def _placed(refusal: Refusal, text: str) -> Refusal:
    """A refusal with its first word marked in the text as it was typed."""
    if refusal.column is not None:
        return refusal
    word = refusal.about.name if refusal.about is not None else refusal.message.split(" ")[0]
    column = text.rfind(word) if refusal.about is not None else text.find(word)
    if column < 0:
        return refusal._replace(line=1, column=1, length=max(1, len(text)), text=text)
    return refusal._replace(line=1, column=column + 1, length=len(word), text=text)
