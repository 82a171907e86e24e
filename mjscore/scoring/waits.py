"""The tiles that a hand waits for and what each would score; how far a hand is from waiting, and its best discards."""

import re
from collections import Counter
from contextlib import suppress
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from mjscore.game.hand import Hand
from mjscore.game.tiles import ANY, BITS, DIGIT, WEIGHT, Tile, fours_in, tiles_in
from mjscore.notation.hands import parse_strictly
from mjscore.refusal import Refusal, Refused, refuse
from mjscore.rulebook.rulebook import Rulebook
from mjscore.rulebook.shapes import may_wait
from mjscore.scoring.arrangement import lacking
from mjscore.scoring.checks import check_hand, placed_hand
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.winning_tiles import completed_by, waits_of


def worth(hand: Hand, rulebook: Rulebook, seat: str | None, round_wind: str | None) -> int | None:
    """Return the score of a hand still being typed; None if the rules refuse it.

    Players named in its win clause are ignored, since they do not affect the score.
    """
    win = hand.win and hand.win._replace(discarder=None, earlier=None, all_from=None)
    return _score(placed_hand(hand._replace(win=win), seat, round_wind), rulebook)


class Wait(NamedTuple):
    """A tile that would complete a hand, and its score if drawn and if claimed.

    A score is None if the win would not be allowed (two players, too few doubles).

    >>> mjscore.waits("(123c) (789c) 678c 45c 11c").waits[0]
    Wait(tile=Tile('3c'), drawn=176, claimed=240)
    """

    tile: Tile
    drawn: int | None
    claimed: int | None

    def as_json(self) -> dict[str, object]:
        """Return the tile, and what it scores drawn and claimed, as a JSON object."""
        return {"tile": str(self.tile), "drawn": self.drawn, "claimed": self.claimed}


class Waits(NamedTuple):
    """The waits of a hand by a rulebook; *error* says why the hand was refused, or is None.

    A hand that waits for nothing is *away* tiles away from waiting, and the tiles of *nearer* help. For a hand of
    fourteen, *discards* are those that leave it nearest to winning, each with the waits of the rest.

    >>> mjscore.waits("(123c) (789c) 678c 45c").error.message
    '11 tiles; there must be 13'
    """

    rulebook: str
    waits: tuple[Wait, ...] = ()
    hand: Hand | None = None
    error: Refusal | None = None
    away: int = 0
    nearer: tuple[Tile, ...] = ()
    discards: tuple[tuple[Tile, "Waits"], ...] = ()

    @property
    def left(self) -> dict[Tile, int]:
        """Return how many of each useful tile (waited for, or bringing the hand nearer) the hand does not hold itself."""
        assert self.hand is not None
        held, wanted = self.hand.packed_before, self.nearer or [wait.tile for wait in self.waits]
        return {tile: 4 - (held >> BITS * tile & DIGIT) for tile in wanted}

    def as_json(self) -> dict[str, object]:
        """Return the fields but *hand* as a JSON object; *away*, *nearer*, *discards* only if they apply."""
        waits = [wait.as_json() for wait in self.waits]
        members: dict[str, object] = {"rulebook": self.rulebook, "waits": waits}
        members["error"] = self.error.as_json() if self.error else None
        if self.nearer:
            members |= {"away": self.away, "nearer": list(map(str, self.nearer))}
        if self.discards:
            members["discards"] = [{"discard": str(tile), **rest.as_json()} for tile, rest in self.discards]
        return members


def waits_for(
    typed: Hand | Refusal, rulebook: Rulebook, seat: str | None = None, round_wind: str | None = None
) -> Waits:
    """Return what a hand of thirteen waits for, or what the best discards from a hand of fourteen would leave.

    The hand of fourteen comes as the refusal of its surplus tile. Raises Refused for any other hand.
    """
    if isinstance(typed, Hand):
        hand = placed_hand(typed, seat, round_wind)
        waits = tuple(waiting_tiles(hand, rulebook))
        return Waits(rulebook.id, waits, hand, None, *(() if waits else _nearest(hand, rulebook)))
    if not isinstance(typed.about, Hand) or typed.about.win is not None or typed.about.tiles_over != 1:
        raise Refused(typed)
    hand = placed_hand(typed.about, seat, round_wind)
    rests = {tile: waits_for(_holding(hand, [], [tile]), rulebook) for tile in hand.concealed}
    least = min(rest.away for rest in rests.values())
    discards = [(tile, rest) for tile, rest in rests.items() if rest.away == least]
    discards.sort(key=lambda discard: _promise(*discard), reverse=True)
    return Waits(rulebook.id, (), hand, discards=tuple(discards))


def _promise(discard: Tile, rest: Waits) -> tuple[int, int]:
    """Return what the useful tiles left could score in all, and their number: higher figures for better discards."""
    left = rest.left | {tile: count - 1 for tile, count in rest.left.items() if tile == discard}
    worth = sum(left[wait.tile] * max(wait.drawn or 0, wait.claimed or 0) for wait in rest.waits)
    return worth, sum(left.values())


def _holding(hand: Hand, more: list[Tile], less: list[Tile]) -> Hand:
    """Return a hand of thirteen with the tiles *more* added and *less* removed."""
    held = Counter([*hand.concealed, *more]) - Counter(less)
    return parse_strictly(str(hand._replace(concealed=tuple(sorted(held.elements()))))).hand


@lru_cache(maxsize=1 << 12)
def _is_waiting(hand: Hand, rulebook: Rulebook) -> bool:
    return waits_of(hand, rulebook) != 0


def _nearest(hand: Hand, rulebook: Rulebook) -> tuple[int, tuple[Tile, ...]]:
    """Return how many tiles a hand is away from waiting, and the tiles that bring it nearer.

    It may become four sets and a pair, or a special hand that it would wait for with one tile exchanged.
    """
    conditions = " ".join(str(win.entry.data["when"]) for win in rulebook.wins)
    chows = min(map(int, re.findall(r"chows <= (\d)", conditions)), default=4)
    chows -= sum(laid.kind == "chow" for laid in hand.sets)
    lack, mask = lacking(hand.packed_concealed, hand.packed_laid, 4 - len(hand.sets), chows)
    if lack > 2 and not hand.sets:
        shapes = [special.alternatives for special in rulebook.special_hands]
        for less, more in product({*hand.concealed}, tiles_in(ANY & ~fours_in(hand.packed_concealed))):
            packed = hand.packed_concealed - WEIGHT[less] + WEIGHT[more]
            if any(may_wait(shape, packed) for shape in shapes) and _is_waiting(
                _holding(hand, [more], [less]), rulebook
            ):
                lack, mask = 2, mask * (lack == 2) | 1 << more
    return lack - 1, tiles_in(mask)


def waiting_tiles(hand: Hand, rulebook: Rulebook) -> list[Wait]:
    """Return the tiles that would complete a hand of 13, with the scores they would bring.

    Raises Refused for a hand that is impossible, has its winning tile, is dead, or lists only some tiles.
    """
    hand = placed_hand(hand)
    if hand.win is not None or hand.dead or hand.unlisted:
        raise refuse("no-thirteen-tiles", "won" if hand.win else "unlisted", about=hand.win)
    check_hand(hand, rulebook)
    waits = []
    for tile in tiles_in(waits_of(hand, rulebook)):
        drawn, claimed = (_score(completed_by(hand, tile, how, rulebook), rulebook) for how in (True, False))
        if (drawn, claimed) != (None, None):
            waits.append(Wait(tile, drawn, claimed))
    return waits


def _score(hand: Hand, rulebook: Rulebook) -> int | None:
    with suppress(Refused):
        return score_hand(hand, rulebook, explains=False).sheet.score
    return None
