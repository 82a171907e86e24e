"""From four scores and a winner to who pays whom.

The winner collects first, then the others pay each other the differences; every payment to or from East is doubled
(Harr p. 25-26, Babcock p. 25-26). Each of these is a rule of the rulebook; without the rule there is no payment.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import NamedTuple, NoReturn, TypeVar

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.refusal import Refusal, Refused, refuse
from mjscore.rulebook.rulebook import Rulebook
from mjscore.rulebook.settling import Settling, SettlingRule
from mjscore.scoring.scorer import capped, score_hand
from mjscore.scoring.sheet import ScoredHand, ScoreSheet
from mjscore.settling.checks import check_discarder, check_robbed, check_tiles, check_winner, checked_seats
from mjscore.settling.liability import Liable, liable_players
from mjscore.settling.payment import SITTER_OUT, Payment, SeatResult

Value = TypeVar("Value")


class Frozen(dict[str, Value]):
    """A dictionary that cannot be changed; otherwise it is read, compared, printed and pickled like any other."""

    def _refuse(self, *arguments: object, **named: object) -> NoReturn:
        raise TypeError("a settlement cannot be changed; dict() makes a copy that can")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type, tuple[dict[str, Value]]]:
        return Frozen, (dict(self),)


class Settlement(NamedTuple):
    """Who pays whom after a hand, in points; the fields are described in ``results.Settlement``."""

    label: str | None = None
    scores: Mapping[str, int] = Frozen()
    winner: str | None = None
    discarder: str | None = None
    payments: tuple[Payment, ...] = ()
    net: Mapping[str, int] = Frozen()
    rulebook: str = ""
    kind: str = "hand"
    drawn: bool | None = None
    sheets: Mapping[str, ScoreSheet] = Frozen()
    remarks: tuple[str, ...] = ()
    error: Refusal | None = None
    by: str | None = None

    def as_json(self) -> dict[str, object]:
        """Return scores, winner, payments, net results and the like as a JSON object, without counters."""
        return {
            "label": self.label,
            "kind": self.kind,
            "rulebook": self.rulebook,
            "scores": dict(self.scores),
            "winner": self.winner,
            "from": self.discarder,
            "payments": [payment.as_json() for payment in self.payments],
            "net": dict(self.net),
            "remarks": list(self.remarks),
            "counters": None,
            "error": self.error.as_json() if self.error else None,
        }


def settled(
    kind: str, payments: Iterable[Payment], seats: Sequence[str], book: Rulebook, *remarks: str
) -> Settlement:
    """Return the settlement of *payments* but those of 0, rounded if so played and *kind* is not ``pay``."""
    if kind != "pay":
        payments = [rounded(payment, book.settling) for payment in payments]
    paid = tuple(payment for payment in payments if payment.points)
    net = nets(paid, seats, book.settling)
    return Settlement(payments=paid, net=net, rulebook=book.id, kind=kind, remarks=remarks)


def result_of(hand: Hand, book: Rulebook, scored: ScoredHand | None = None) -> SeatResult:
    """Return a seat's result for the settlement, scoring its hand unless *scored* is given. Raises Refused."""
    scored = scored or score_hand(hand, book)
    return SeatResult(scored.sheet.score or 0, scored.sheet.doubles, scored, scored.sheet.dead)


class _WonHand(NamedTuple):
    """A won hand that is being settled; *scores* are after the limit, by seat."""

    results: Mapping[str, SeatResult]
    winner: str
    drawn: bool | None
    discarder: str | None
    scores: Mapping[str, int]
    book: Rulebook
    names: Mapping[str, str]

    @property
    def losers(self) -> list[str]:
        return [seat for seat in self.scores if seat != self.winner]


def settle(
    results: Mapping[str, SeatResult],
    winner: str | None,
    book: Rulebook,
    *,
    drawn: bool | None = None,
    discarder: str | None = None,
    names: Mapping[str, str] = WIND_NAMES,
) -> Settlement:
    """Return a hand's settlement, with *names* in its remarks. Raises Refused if impossible or unclear."""
    seats = checked_seats(results, book)
    check_tiles(results)
    fined = _with_a_long_hand(results, seats, book.settling)
    fines, fine_remarks = _fines(fined, seats, book.settling)
    if winner is None:
        if not fined:
            raise refuse("no-winner")
        # the hand ends because of too many tiles: only the fine is paid (D72)
        scores = {seat: results[seat].score for seat in seats}
        return settled("long", fines, seats, book, *fine_remarks)._replace(scores=scores)
    drawn, discarder = _how_won(winner, results, seats, drawn, discarder)
    scores = {seat: _after_limit(results[seat], seat == winner, book) for seat in seats}
    won = _WonHand(results, winner, drawn, discarder, scores, book, names)
    collected, liable, remarks = _to_winner(won)
    between, between_remarks = ([], []) if liable is not None else _between_losers(won, fined)
    payments = [
        *(payment for payment in collected if payment.payer not in fined),
        *fines,
        *between,
        *_to_sitter_out(won),
    ]
    if fined:
        remarks += [f"{', '.join(names[seat] for seat in fined)}: {fine_remarks[0]}"]
    remarks += [*_empty_seats(won), *_above_limit(won), *between_remarks]
    return settled("hand", payments, seats, book, *remarks)._replace(
        scores=scores,
        winner=winner,
        discarder=discarder,
        drawn=drawn,
        sheets={seat: sheet for seat in seats if (sheet := results[seat].sheet) is not None},
    )


class Collected(NamedTuple):
    """What a winner's hand alone earns: the payments, and remarks on who pays for the others.

    *excused* are the payments if the discarder's own hand is an excuse; None if an excuse changes nothing.
    """

    payments: tuple[Payment, ...]
    remarks: tuple[str, ...]
    excused: tuple[Payment, ...] | None = None


def collected(
    sheet: ScoreSheet,
    book: Rulebook,
    names: Mapping[str, str] = WIND_NAMES,
    scored: ScoredHand | None = None,
) -> Collected | None:
    """Return the payments that ``settle`` would make to the winner of *sheet*, without knowing the other hands.

    *scored* is the scored hand, if known. Return None if the payments depend on a discarder who is not named.
    """
    hand, winner = sheet.hand, sheet.seat or ""
    assert hand is not None
    assert hand.win is not None
    results = dict.fromkeys(book.seats, SeatResult(0)) | {winner: result_of(hand, book, scored)}
    scores = {seat: result.score for seat, result in results.items()}
    won = _WonHand(results, winner, hand.win.drawn, hand.win.discarder, scores, book, names)
    try:
        ways = [_to_winner(won, is_excused) for is_excused in (False, True)]
    except Refused:
        return None
    paid, excused = (
        tuple(rounded(one, book.settling) for one in (*payments, *_to_sitter_out(won)) if one.points)
        for payments, _, _ in ways
    )
    return Collected(paid, tuple(ways[0][2]), excused if excused != paid else None)


def _with_a_long_hand(results: Mapping[str, SeatResult], seats: list[str], settling: Settling) -> list[str]:
    """Return the seats fined by the rulebook for too many tiles, which only a dead hand can have."""
    hands = {seat: results[seat].hand for seat in seats if settling.long_hand is not None}
    return [seat for seat, hand in hands.items() if hand is not None and hand.tiles_over > 0]


def _fines(fined: list[str], seats: list[str], settling: Settling) -> tuple[list[Payment], list[str]]:
    """Return the payments of players *fined* for too many tiles, and a remark naming the rule; empty if nobody is."""
    if settling.long_hand is None or not fined:
        return [], []
    paid = [payment for seat in fined for payment in penalty([seat], seats, settling.long_hand, settling)]
    return paid, [penalty_text(settling.long_hand, settling)]


def _how_won(
    winner: str,
    results: Mapping[str, SeatResult],
    seats: list[str],
    drawn: bool | None,
    discarder: str | None,
) -> tuple[bool | None, str | None]:
    """Return whether the winning tile was drawn and who discarded it, by the hand first. Raises Refused."""
    check_winner(winner, results, seats)
    hand = results[winner].hand
    win = hand.win if hand is not None else None
    if win is None and discarder is not None:
        check_discarder(discarder, winner, seats)
    if win is None:
        return (drawn, None) if discarder is None else (False, discarder)
    if win.drawn or win.discarder is None:
        return win.drawn, None
    if "robbed" in win.flags:
        check_robbed(results[win.discarder], win.tile, win.discarder)
    return False, win.discarder


def _after_limit(result: SeatResult, won: bool, book: Rulebook) -> int:
    """Return a seat's score, capped if it was typed without a hand and no rule for a win gives exactly that.

    East's ninth win in a row scores at least the points of its rule.
    """
    above = won and result.score in book.above_limit
    score = result.score if result.sheet is not None or above else capped(result.score, won, book)
    if won and result.ninth:
        return max([score, *(rule.points_under(book.limit) or 0 for rule in book.settling.ninth_wins)])
    return score


def _to_winner(won: _WonHand, is_excused: bool = False) -> tuple[list[Payment], Liable | None, list[str]]:
    """Return the payments to the winner, who pays for the others, and remarks; *is_excused* excuses the discarder."""
    book, added = won.book, won.book.settling.added_to_payments
    if book.settling.winner_collects is None:
        return [], None, [f"nobody pays the winner: {book.id} has no winner-collects rule"]
    owed = _doubled(_owed(won), won)
    if added is not None:
        owed = {loser: points + (added.points or 0) for loser, points in owed.items()}
    discarder = None if is_excused else won.discarder
    liable, remarks = liable_players(won.results, won.winner, discarder, owed, book, won.names)
    reasons = dict.fromkeys(liable.payers, liable.rule.title) if liable is not None else {}
    payments = [
        Payment(loser, won.winner, points, reasons.get(loser, "the winner's score"))
        for loser, points in (liable.split(owed) if liable is not None else owed).items()
    ]
    return payments, liable, remarks


def _owed(won: _WonHand) -> dict[str, int]:
    """Return what each loser owes the winner before any doubling.

    Raises Refused if that, or the doubling, depends on a discarder whom nobody named.
    """
    settling, score, discarder = won.book.settling, won.scores[won.winner], won.discarder
    alone, rest = settling.discarder_alone, settling.discarder_pays_rest
    each = rest.points or 0 if rest is not None else 0
    if score <= each:
        rest = None
    deciding = settling.discarder_factor or alone or rest
    if deciding is not None and not won.drawn and discarder is None:
        raise refuse("who-discarded", rule=deciding)
    if discarder is None or won.drawn:
        return dict.fromkeys(won.losers, score)
    if alone is not None:
        return {discarder: score * alone.factor}
    if rest is not None:
        return dict.fromkeys(won.losers, each) | {discarder: score + (score - each) * (len(won.losers) - 1)}
    return dict.fromkeys(won.losers, score)


def _doubled(owed: Mapping[str, int], won: _WonHand) -> dict[str, int]:
    """Return *owed*, if the win allows doubled for East and, by some books, for discarder or drawn tile."""
    by_discard = won.book.settling.discarder_factor
    if _is_undoubled(won.results[won.winner], won.book):
        return dict(owed)
    return {
        loser: points
        * east_factor(loser, won.winner, won.book.settling)
        * (by_discard.factor if by_discard is not None and (won.drawn or loser == won.discarder) else 1)
        for loser, points in owed.items()
    }


def _is_undoubled(winner: SeatResult, book: Rulebook) -> bool:
    """Return whether a rule for the win forbids doubling the payments, such as East's ninth win in a row (D71)."""
    if winner.sheet is None:
        return winner.ninth and any(
            not rule.doubled and rule.points_under(book.limit) is not None
            for rule in book.settling.ninth_wins
        )
    return any(not book.rules[claim.rule].doubled for claim in winner.sheet.claims)


def east_factor(seat: str, other: str, settling: Settling) -> int:
    """Return what a payment between two seats is multiplied by: 2 by the books if one of them is East, else 1."""
    return settling.east_factor.factor if settling.east_factor is not None and "E" in (seat, other) else 1


def _between_losers(won: _WonHand, fined: list[str]) -> tuple[list[Payment], list[str]]:
    """Return what losers not *fined* pay each other (differences, capped, East's doubled), and remarks."""
    book, settling = won.book, won.book.settling
    if len(won.losers) < 2:
        return [], []
    if settling.losers_settle is None:
        return [], [f"the others pay each other nothing: {book.id} has no losers-settle rule"]
    if settling.limit_cancels is not None and book.limit is not None and won.scores[won.winner] >= book.limit:
        return [], [] if fined else [str(settling.limit_cancels)]
    payments = []
    for two in combinations([seat for seat in won.losers if seat not in fined], 2):
        payer, payee = sorted(two, key=lambda seat: won.scores[seat])
        difference = won.scores[payee] - won.scores[payer]
        if settling.difference_limit is not None and book.limit is not None:
            difference = min(difference, book.limit)
        points = difference * east_factor(payer, payee, settling)
        payments.append(Payment(payer, payee, points, "the difference of the scores"))
    return payments, []


def _to_sitter_out(won: _WonHand) -> list[Payment]:
    """Return payments for Mah-Jongg, with the winner's doubles, to a fifth player (D61). Raises Refused."""
    settling, doubles = won.book.settling, won.results[won.winner].doubles
    rule = settling.sitter_out
    if rule is None:
        return []
    if doubles is None:
        raise refuse("doubles-needed")
    points = won.book.doubled(rule.points or 0, doubles)
    owed = {loser: points * east_factor(loser, SITTER_OUT, settling) for loser in won.losers}
    return [Payment(loser, SITTER_OUT, points, rule.title) for loser, points in owed.items()]


def _empty_seats(won: _WonHand) -> list[str]:
    """Return a remark on empty seats, in case a row was forgotten; none in an evening, which names its players."""
    empty = [WIND_NAMES[seat] for seat in won.book.seats if seat not in won.scores]
    if not empty or won.names is not WIND_NAMES:
        return []
    where = f"{empty[0]}'s seat is" if len(empty) == 1 else f"the seats of {' and '.join(empty)} are"
    return [f"{'three' if len(empty) == 1 else 'two'} play: {where} empty"]


def _above_limit(won: _WonHand) -> list[str]:
    return [
        f"{won.names[seat]}: {result.score} is above the limit and counts as {won.scores[seat]}"
        for seat, result in won.results.items()
        if won.scores[seat] < result.score
    ]


def penalty(
    payers: Sequence[str], seats: Iterable[str], rule: SettlingRule, settling: Settling
) -> list[Payment]:
    """Return what *payers* pay the others at *seats* by *rule*: the whole to each, or equal parts of it.

    Doubled for East if *rule* says so. Raises Refused if it is a fraction of the limit and there is none.
    """
    if rule.points is None:
        raise refuse("penalty-without-limit", rule=rule)
    payees = [seat for seat in seats if seat not in payers]
    points = rule.points // (len(payers) * len(payees)) if rule.paid == "shared" else rule.points
    settling = settling if rule.east_doubled else settling._replace(east_factor=None)
    return [
        Payment(payer, payee, points * east_factor(payer, payee, settling), rule.title)
        for payer, payee in product(payers, payees)
    ]


def penalty_text(rule: SettlingRule, settling: Settling) -> str:
    """Return the title of a penalty with its page, and whether it is doubled for East."""
    is_doubled = rule.points and rule.east_doubled and settling.east_factor is not None
    return f"{rule.title}{', double to or from East' if is_doubled else ''} ({rule.source})"


def rounded(payment: Payment, settling: Settling) -> Payment:
    """Return a payment, rounded if the table plays so, e.g. to tens."""
    rule = settling.round_payments
    return payment if rule is None else payment._replace(points=rule.rounded(payment.points))


def nets(payments: Iterable[Payment], seats: Iterable[str], settling: Settling) -> dict[str, int]:
    """Return what each seat, and the player sitting out of five, wins or loses in points; the nets sum to zero."""
    net = dict.fromkeys(seats, 0)
    if settling.sitter_out is not None:
        net[SITTER_OUT] = 0
    for payment in payments:
        net[payment.payer] -= payment.points
        net[payment.payee] += payment.points
    return net
