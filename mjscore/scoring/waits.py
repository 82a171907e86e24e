"""The tiles that a hand waits for, and what each would score."""

from contextlib import suppress
from typing import NamedTuple

from mjscore.game.hand import Hand
from mjscore.game.tiles import Tile, tiles_in
from mjscore.refusal import Refusal, Refused, refuse
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.checks import check_hand, placed_hand
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.winning_tiles import completed_by, waits_of


def worth(hand: Hand, rulebook: Rulebook, seat: str | None, round_wind: str | None) -> int | None:
    """Return the score of a hand that is being typed; None if the rules refuse it.

    The players whom its win clause names are ignored: they make no difference to the score.
    """
    win = hand.win and hand.win._replace(discarder=None, earlier=None, all_from=None)
    return _score(placed_hand(hand._replace(win=win), seat, round_wind), rulebook)


class Wait(NamedTuple):
    """A tile that would complete a hand, and what it would score, drawn and claimed.

    A score is None if the win would not be allowed (two players, too few doubles).

    >>> mjscore.waits("(123c) (789c) 678c 45c 11c").waits[0]
    Wait(tile=Tile('3c'), drawn=176, claimed=240)
    """

    tile: Tile
    drawn: int | None
    claimed: int | None

    def as_json(self) -> dict[str, object]:
        """Return the JSON object of the wait."""
        return {"tile": str(self.tile), "drawn": self.drawn, "claimed": self.claimed}


class Waits(NamedTuple):
    """The waits of a hand by a rulebook; *error* says why there are none.

    >>> mjscore.waits("(123c) (789c) 678c 45c").error.message
    '11 tiles; there must be 13'
    """

    rulebook: str
    waits: tuple[Wait, ...] = ()
    hand: Hand | None = None
    error: Refusal | None = None

    def as_json(self) -> dict[str, object]:
        """Return the JSON object of the waits."""
        return {
            "rulebook": self.rulebook,
            "waits": [wait.as_json() for wait in self.waits],
            "error": self.error.as_json() if self.error else None,
        }


def waiting_tiles(hand: Hand, rulebook: Rulebook) -> list[Wait]:
    """Return the tiles that would complete a hand of 13, with the scores they would bring.

    Raises Refused for a hand that has its winning tile, is dead, or does not list its tiles.
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
        return score_hand(hand, rulebook).sheet.score
    return None
