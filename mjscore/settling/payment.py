"""What a seat contributes to a settlement, and a payment from one player to another."""

from typing import NamedTuple

from mjscore.game.hand import Hand
from mjscore.scoring.sheet import ScoredHand, ScoreSheet

SITTER_OUT = "X"  # the fifth of five players, who has no seat in this hand


class Payment(NamedTuple):
    """Points that one player pays another, and what for.

    >>> mjscore.settle({"E": 20, "S": 4, "W": 4, "N": 4}, winner="E").payments[0]
    Payment(payer='S', payee='E', points=40, reason="the winner's score")
    """

    payer: str
    payee: str
    points: int
    reason: str = ""

    def as_json(self) -> dict[str, object]:
        """Return payer, payee, points and reason as a JSON object."""
        return {"from": self.payer, "to": self.payee, "points": self.points, "for": self.reason}


class SeatResult(NamedTuple):
    """A seat's result for the settlement: its score in points, and what is known of its hand.

    *doubles* is None if unknown; *scored* is the scored hand, if known; *dead* marks a dead hand, *ninth* East's
    ninth win in a row.
    """

    score: int
    doubles: int | None = None
    scored: ScoredHand | None = None
    dead: bool = False
    ninth: bool = False

    @property
    def hand(self) -> Hand | None:
        """The hand, if it is known."""
        return self.scored.facts.hand if self.scored is not None else None

    @property
    def sheet(self) -> ScoreSheet | None:
        """The score sheet, if the hand is known."""
        return self.scored.sheet if self.scored is not None else None
