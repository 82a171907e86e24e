"""The settler: four scores and a winner to payments and nets.

The winner collects first, then the others pay each other the differences; every payment to or from
East is double (Harr p. 25-26, Babcock p. 25-26). Each of these is a rule of the rulebook: one that it
has not is not paid by. A table that cannot be is refused: seats that nobody sits at, a fifth tile over all hands, a robbed
four that is nowhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, NoReturn, TypeVar

from mjscore.game.hand import Hand
from mjscore.game.tiles import WEIGHT, WIND_NAMES, Tile, fifth_tile
from mjscore.refusal import About, Refusal, Refused, refuse
from mjscore.rulebook.rulebook import Rulebook
from mjscore.rulebook.settling import SEATS_OF_FEW
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.sheet import ScoredHand, ScoreSheet
from mjscore.settling.liability import Liable, liable_players
from mjscore.settling.payment import (
    SITTER_OUT,
    Payment,
    SeatResult,
    east_factor,
    nets,
    penalty,
    penalty_text,
    rounded,
)

Value = TypeVar("Value")


class Frozen(dict[str, Value]):
    """A dictionary that stays as it was made: it is read, compared, shown and pickled like any other."""

    def _refuse(self, *given: object, **named: object) -> NoReturn:
        raise TypeError("what a settlement says cannot be changed; dict() makes a copy that can")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type, tuple[dict[str, Value]]]:
        return Frozen, (dict(self),)


class Settlement(NamedTuple):
    """Who pays whom after a hand, in points.

    *scores* are the seats' scores after the limit, *net* what each seat wins or (negative) loses; the
    nets sum to zero. *remarks* say what moved the payments from the usual. *error* says why there is
    no settlement. *by* is who won falsely.
    """

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
        """Give the object that programs read; the counters that change hands are added where that was asked."""
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
    """Give what some payments come to, rounded where the table plays so; those of nothing are left out."""
    if kind != "pay":
        payments = [rounded(payment, book.settling) for payment in payments]
    paid = tuple(payment for payment in payments if payment.points)
    net = nets(paid, seats, book.settling)
    return Settlement(payments=paid, net=net, rulebook=book.id, kind=kind, remarks=remarks)


def two_winners(seats: list[str], players: Mapping[str, str] = {}) -> Refusal:
    """Return the refusal of a table at which more than one seat wins, by the names of *players* where none is a wind's."""
    names = (
        WIND_NAMES if set(WIND_NAMES.values()).intersection(players.values()) else {**WIND_NAMES, **players}
    )
    return refuse("two-winners", "both", names=" and ".join(names.get(seat, seat) for seat in seats)).refusal


def result_of(hand: Hand, book: Rulebook, scored: ScoredHand | None = None) -> SeatResult:
    """Tell what a seat's hand brings to the settling; *scored* is what the scorer found, where that is known. Raises Refused."""
    scored = scored or score_hand(hand, book)
    return SeatResult(scored.sheet.score or 0, scored.sheet.doubles, scored, scored.sheet.dead)


def settle(
    results: Mapping[str, SeatResult],
    winner: str | None,
    book: Rulebook,
    *,
    drawn: bool | None = None,
    discarder: str | None = None,
    names: Mapping[str, str] = WIND_NAMES,
) -> Settlement:
    """Give the settlement of one hand, its remarks by *names*. Raises Refused for a table that cannot be."""
    settling = book.settling
    seats = _checked_seats(results, book)
    _check_tiles(results)
    hands = {seat: results[seat].hand for seat in seats if settling.long_hand is not None}
    # only a dead hand may have too many
    long_hands = [seat for seat, hand in hands.items() if hand is not None and hand.tiles_over > 0]
    if winner is None:
        if settling.long_hand is not None and long_hands:
            # play stopped for a hand with too many tiles: nothing else is settled (D72)
            stops = [
                paid for seat in long_hands for paid in penalty([seat], seats, settling.long_hand, settling)
            ]
            scores = {seat: results[seat].score for seat in seats}
            remark = penalty_text(settling.long_hand, settling)
            return settled("long", stops, seats, book, remark)._replace(scores=scores)
        raise refuse("no-winner")
    _check_winner(winner, results, seats)
    winning_hand = results[winner].hand
    win = winning_hand.win if winning_hand is not None else None
    if win is not None:
        drawn, discarder = win.drawn, None if win.drawn else win.discarder
        if discarder is not None and "robbed" in win.flags:
            _check_robbed(results[discarder], win.tile, discarder)
    elif discarder is not None:
        check_discarder(discarder, winner, seats)
        drawn = False
    scores = {seat: _after_limit(results[seat], seat == winner, book) for seat in seats}
    losers = [seat for seat in seats if seat != winner]
    payments, liable, remarks = _to_winner(
        results, winner, scores[winner], losers, discarder, drawn, book, names
    )
    if settling.long_hand is not None and long_hands:
        who = ", ".join(names[seat] for seat in long_hands)
        remarks += (f"{who}: {penalty_text(settling.long_hand, settling)}",)
        payments = [payment for payment in payments if payment.payer not in long_hands]
        for seat in long_hands:
            payments += penalty([seat], seats, settling.long_hand, settling)
    if names is WIND_NAMES and len(seats) < len(book.seats):
        # an evening names its players; elsewhere a row may have been forgotten
        empty = [WIND_NAMES[seat] for seat in book.seats if seat not in seats]
        where = f"{empty[0]}'s seat is" if len(empty) == 1 else f"the seats of {' and '.join(empty)} are"
        remarks += (f"{'three' if len(empty) == 1 else 'two'} play: {where} empty",)
    remarks += tuple(
        f"{names[seat]}: {result.score} is above the limit, and counts as {scores[seat]}"
        for seat, result in results.items()
        if scores[seat] < result.score
    )
    if liable is None and len(losers) > 1:
        cancels = settling.limit_cancels if book.limit is not None and scores[winner] >= book.limit else None
        if settling.losers_settle is None:
            remarks += (f"the others pay each other nothing: {book.id} has no rule that they settle",)
        elif cancels is None:
            payments += _between_losers(scores, [seat for seat in losers if seat not in long_hands], book)
        elif not long_hands:
            remarks += (str(cancels),)
    payments += _to_sitter_out(results[winner], losers, book)
    return settled("hand", payments, seats, book, *remarks)._replace(
        scores=scores,
        winner=winner,
        discarder=discarder,
        drawn=drawn,
        sheets={seat: sheet for seat in seats if (sheet := results[seat].sheet) is not None},
    )


class Collected(NamedTuple):
    """What a winner's hand by itself brings, as far as it tells: payments, and remarks on who pays for others.

    *excused* are the payments where the discarder's own hand excuses them; None where they do not pay for all.
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
    """Work out what is paid for the winner's hand of *sheet*, as ``settle`` does it where the others are unknown.

    *scored* is the hand as the scorer took it, where that is known. None where what is paid depends on a
    discarder who is not named (the New Method).
    """
    hand, winner = sheet.hand, sheet.seat or ""
    assert hand is not None
    assert hand.win is not None
    won = result_of(hand, book, scored)
    results = dict.fromkeys(book.seats, SeatResult(0)) | {winner: won}
    losers = [seat for seat in book.seats if seat != winner]
    discarder, drawn = hand.win.discarder, hand.win.drawn
    try:
        ways = [
            _to_winner(results, winner, won.score, losers, discarder, drawn, book, names, excused)
            for excused in (False, True)
        ]
    except Refused:
        return None
    paid, excused = (
        tuple(rounded(one, book.settling) for one in way[0] + _to_sitter_out(won, losers, book) if one.points)
        for way in ways
    )
    return Collected(paid, ways[0][2], excused if excused != paid else None)


def _after_limit(result: SeatResult, won: bool, book: Rulebook) -> int:
    """Give a seat's score after the limit, bare scores too, which may be East's ninth win in a row.

    A hand's own score has been capped already; a bare one that is just what an entry gives above the limit stays.
    """
    above = won and result.score in book.above_limit
    score = result.score if result.sheet is not None or above else book.capped(result.score, won)
    if won and result.ninth:
        return max([score, *(rule.points_under(book.limit) or 0 for rule in book.settling.ninth_wins)])
    return score


def _is_undoubled(winner: SeatResult, book: Rulebook) -> bool:
    """Tell whether what the winner collects is not doubled: by their ninth win they collect the limit itself (D71)."""
    if winner.sheet is None:
        return winner.ninth and any(
            not rule.doubled and rule.points_under(book.limit) is not None
            for rule in book.settling.ninth_wins
        )
    return any(not book.rules[claim.rule].doubled for claim in winner.sheet.claims)


def _to_winner(
    results: Mapping[str, SeatResult],
    winner: str,
    score: int,
    losers: list[str],
    discarder: str | None,
    drawn: bool | None,
    book: Rulebook,
    names: Mapping[str, str],
    is_excused: bool = False,
) -> tuple[list[Payment], Liable | None, tuple[str, ...]]:
    """Say who pays the winner, who of them pays for others, and why; *is_excused* is the discarder, whatever they
    hold.
    """
    if book.settling.winner_collects is None:
        return [], None, (f"nobody pays the winner: {book.id} has no rule that a winner collects",)
    by_discard, alone = book.settling.discarder_factor, book.settling.discarder_alone
    rest, added = book.settling.discarder_pays_rest, book.settling.added_to_payments
    if rest is not None and (drawn or score <= (rest.points or 0)):
        rest = None
    if (deciding := by_discard or alone or rest) is not None and not drawn and discarder is None:
        raise refuse("who-discarded", rule=deciding)
    if alone is not None and discarder is not None and not drawn:
        losers, score = [discarder], score * alone.factor
    owed = dict.fromkeys(losers, score)
    if rest is not None and discarder in losers:
        each = rest.points or 0
        owed = dict.fromkeys(losers, each) | {discarder: score + (score - each) * (len(losers) - 1)}
    if not _is_undoubled(results[winner], book):
        for loser in losers:
            owed[loser] *= east_factor(loser, winner, book.settling)
            if by_discard is not None and (drawn or loser == discarder):
                owed[loser] *= by_discard.factor
    if added is not None:
        owed = {loser: points + (added.points or 0) for loser, points in owed.items()}
    liable, remarks = liable_players(results, winner, None if is_excused else discarder, owed, book, names)
    reasons = dict.fromkeys(liable.payers, liable.rule.title) if liable is not None else {}
    payments = [
        Payment(loser, winner, points, reasons.get(loser, "the winner's score"))
        for loser, points in (liable.split(owed) if liable is not None else owed).items()
    ]
    return payments, liable, remarks


def _between_losers(scores: Mapping[str, int], losers: list[str], book: Rulebook) -> list[Payment]:
    """Give the losers' differences, each capped where the rulebook caps them, then doubled for East."""
    payments = []
    for two in combinations(losers, 2):
        payer, payee = sorted(two, key=lambda seat: scores[seat])
        difference = scores[payee] - scores[payer]
        if book.settling.difference_limit is not None and book.limit is not None:
            difference = min(difference, book.limit)
        points = difference * east_factor(payer, payee, book.settling)
        payments.append(Payment(payer, payee, points, "the difference of the scores"))
    return payments


def _to_sitter_out(winner: SeatResult, losers: list[str], book: Rulebook) -> list[Payment]:
    """Give the fifth player gets the points for Mah-Jongg, doubled as often as the winner's hand (D61)."""
    rule = book.settling.sitter_out
    if rule is None:
        return []
    if winner.doubles is None:
        raise refuse("doubles-needed")
    points = book.doubled(rule.points or 0, winner.doubles)
    return [
        Payment(loser, SITTER_OUT, points * east_factor(loser, SITTER_OUT, book.settling), rule.title)
        for loser in losers
    ]


def _checked_seats(results: Mapping[str, SeatResult], book: Rulebook) -> list[str]:
    """Give the seats at the table in their order. Raises Refused for one that there is not, or that is missing."""
    for seat in results:
        if seat not in tuple(book.seats):
            seats_here = " ".join(book.seats)
            if seat not in WIND_NAMES:
                raise refuse("no-such-seat", "none", seat=seat[:40], seats=seats_here)
            raise refuse("no-such-seat", "few", who=WIND_NAMES[seat], players=book.players, seats=seats_here)
    seats = [seat for seat in book.seats if seat in results]
    missing = [seat for seat in book.seats if seat not in results]
    fewer = ""
    if missing and "players" not in book.options:
        # Harr's game may be played by two or three (p. 76; D26)
        missing = [seat for seat in SEATS_OF_FEW.get(len(seats), book.seats) if seat not in results]
        fewer = "; two players are East and West, three are East, South and West"
    if missing:
        names = ", ".join(WIND_NAMES[seat] for seat in missing)
        raise refuse("missing-seat", "seat", names=names, seat=missing[0], fewer=fewer)
    return seats


def _check_winner(winner: str, results: Mapping[str, SeatResult], seats: list[str]) -> None:
    """Tell whether *winner* and the players whom their win clause names sit at the table. Raises Refused."""
    _check_seat(winner, seats)
    result = results[winner]
    if result.dead:
        raise refuse("dead-wins")
    win = result.hand.win if result.hand is not None else None
    for name in (win.discarder, win.earlier, win.all_from) if win is not None else ():
        if name is not None and name not in seats:
            who, about = WIND_NAMES.get(name, name), About("seat", name)
            raise refuse("no-such-seat", "named", about=about, who=who, seat=name)


def check_discarder(discarder: str, winner: str, seats: list[str]) -> None:
    """Tell whether *discarder* can have discarded the tile that *winner* won with. Raises Refused."""
    if discarder == winner:
        raise refuse("from-oneself", who=WIND_NAMES[winner])
    _check_seat(discarder, seats)


def _check_seat(seat: str, seats: list[str]) -> None:
    if seat not in seats:
        raise refuse("no-such-seat", "here", seat=seat, seats=" ".join(seats))


def _check_tiles(results: Mapping[str, SeatResult]) -> None:
    """No fifth tile of a kind and no second bonus tile over the hands of one table. Raises Refused."""
    hands = {seat: result.hand for seat, result in results.items() if result.hand is not None}
    fifth = fifth_tile(sum(_packed(hand) for hand in hands.values()))
    if fifth is not None:
        holders = ", ".join(
            WIND_NAMES[seat] for seat, hand in hands.items() if _packed(hand) >> 6 * fifth & 63
        )
        about = About("tile", str(fifth))
        raise refuse("fifth-tile", "table", about=about, tile=fifth.title, holders=holders)
    bonus = sorted(tile for hand in hands.values() for tile in hand.bonus)
    second = next((tile for tile in bonus if bonus.count(tile) > 1), None)
    if second is not None:
        about = About("tile", str(second))
        raise refuse("second-bonus-tile", "table", about=about, tile=second.title)


def _packed(hand: Hand) -> int:
    return hand.packed_concealed + hand.packed_laid + (WEIGHT[hand.win.tile] if hand.win is not None else 0)


def _check_robbed(result: SeatResult, tile: Tile, seat: str) -> None:
    """Tell whether a hand shows the three of which the fourth was robbed, where it is known. Raises Refused."""
    hand = result.hand
    if hand is not None and not any(
        tile_set.kind == "pung" and tile_set.tile == tile and tile_set.exposed for tile_set in hand.sets
    ):
        about = About("flag", "robbed")
        raise refuse("robbed-nobody", about=about, who=WIND_NAMES[seat], tile=tile.title)
