"""What a seat brings to the settling, and what one player pays another."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mjscore.game.hand import Hand
from mjscore.refusal import refuse
from mjscore.rulebook.settling import Settling, SettlingRule
from mjscore.scoring.sheet import ScoredHand, ScoreSheet

SITTER_OUT = "X"  # the fifth player of five, who plays no seat this hand


class Payment(NamedTuple):
    """Points that one player pays another, and what for."""

    payer: str
    payee: str
    points: int
    reason: str = ""

    def as_json(self) -> dict[str, object]:
        """From, to, points, and for what."""
        return {"from": self.payer, "to": self.payee, "points": self.points, "for": self.reason}


class SeatResult(NamedTuple):
    """What a seat brings to the settling: its score in points, and what is known of its hand.

    *doubles* is None for a bare score; *scored* is its hand as the scorer took it, where that is known;
    *dead* marks a dead hand; *ninth* East's ninth win in a row.
    """

    score: int
    doubles: int | None = None
    scored: ScoredHand | None = None
    dead: bool = False
    ninth: bool = False

    @property
    def hand(self) -> Hand | None:
        """Give the hand, where it is known."""
        return self.scored.facts.hand if self.scored is not None else None

    @property
    def sheet(self) -> ScoreSheet | None:
        """Give its score sheet, where the hand is known."""
        return self.scored.sheet if self.scored is not None else None


def east_factor(seat: str, other: str, settling: Settling) -> int:
    """Tell what a payment between two seats is multiplied by: 2 by the books where one of them is East, else 1."""
    return settling.east_factor.factor if settling.east_factor is not None and "E" in (seat, other) else 1


def rounded(payment: Payment, settling: Settling) -> Payment:
    """Round a payment to tens, say, where the table plays so."""
    rule = settling.round_payments
    return payment if rule is None else payment._replace(points=rule.rounded(payment.points))


def penalty(
    payers: Sequence[str], seats: Iterable[str], rule: SettlingRule, settling: Settling
) -> list[Payment]:
    """Tell what *payers* pay the others at *seats* by *rule*: the whole of it each to each, or where it is shared an equal
    part.

    Raises Refused where it is a part of no limit.
    """
    if rule.points is None:
        raise refuse("penalty-without-limit", rule=rule)
    payees = [seat for seat in seats if seat not in payers]
    points = rule.points // (len(payers) * len(payees)) if rule.paid == "shared" else rule.points
    return [
        Payment(
            payer,
            payee,
            points * (east_factor(payer, payee, settling) if rule.east_doubled else 1),
            rule.title,
        )
        for payer in payers
        for payee in payees
    ]


def penalty_text(rule: SettlingRule, settling: Settling) -> str:
    """Tell what a penalty is, and that East's is double where it is."""
    east = (
        ", double to or from East"
        if rule.points and rule.east_doubled and settling.east_factor is not None
        else ""
    )
    return f"{rule.title}{east} ({rule.source})"


def nets(payments: Iterable[Payment], seats: Iterable[str], settling: Settling) -> dict[str, int]:
    """Tell what each seat (and who sits out, of five) wins or loses, in points; sums to zero."""
    net = dict.fromkeys(seats, 0)
    if settling.sitter_out is not None:
        net[SITTER_OUT] = 0
    for payment in payments:
        net[payment.payer] -= payment.points
        net[payment.payee] += payment.points
    return net
