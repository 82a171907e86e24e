"""The settler: four scores and a winner to payments and nets.

The winner collects first, then the others pay each other the differences; every payment to or from
East is double (Harr p. 25-26, Babcock p. 25-26). A rulebook's settling entries change that.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from mjscore.game.hand import Hand
from mjscore.game.tiles import KINDS, TILES, WEIGHT, WIND_NAMES, fifth_tile
from mjscore.refusal import About, Refusal, Refused, refuse
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.rule import Rule
from mjscore.scoring.scorer import ScoreSheet, score_hand
from mjscore.settling.liability import Liable, liable_players
from mjscore.settling.payment import SITTER_OUT, Payment, SeatResult

if TYPE_CHECKING:
    from mjscore.counters.sets import Exchange


class Settlement(NamedTuple):
    """Who pays whom after a hand, in points.

    *scores* are the seats' scores after the limit, *net* what each seat wins or (negative) loses; the
    nets sum to zero. *remarks* say what moved the payments from the usual. *error* says why there is
    no settlement.
    """

    label: str | None
    scores: Mapping[str, int]
    winner: str | None
    discarder: str | None
    payments: tuple[Payment, ...] = ()
    net: Mapping[str, int] = {}
    rulebook: str = ""
    kind: str = "hand"
    drawn: bool | None = None
    sheets: Mapping[str, ScoreSheet] = {}
    remarks: tuple[str, ...] = ()
    counters: "Exchange | None" = None
    error: Refusal | None = None

    def as_json(self) -> dict[str, object]:
        """The object that programs read."""
        counters = self.counters
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
            "counters": counters.as_json() if counters is not None else None,
            "error": self.error.as_json() if self.error else None,
        }


def refused_settlement(
    refusal: Refusal, label: str | None = None, rulebook: str = "", kind: str = "hand"
) -> Settlement:
    """A settlement that was refused, and why."""
    return Settlement(label, {}, None, None, rulebook=rulebook, kind=kind, error=refusal)


def two_winners(seats: list[str]) -> Refusal:
    """The refusal of a table at which more than one seat wins."""
    names = " and ".join(WIND_NAMES.get(seat, seat) for seat in seats)
    return Refusal("two-winners", f"{names} cannot both win", "exactly one seat of a hand wins")


def result_of(hand: Hand, book: Rulebook) -> SeatResult:
    """What a seat's hand brings to the settling. Raises Refused."""
    sheet = score_hand(hand, book)
    return SeatResult(sheet.score or 0, sheet.doubles, hand, sheet, hand.dead)


def settle(
    results: Mapping[str, SeatResult],
    winner: str | None,
    book: Rulebook,
    *,
    drawn: bool | None = None,
    discarder: str | None = None,
    label: str | None = None,
    names: Mapping[str, str] = WIND_NAMES,
) -> Settlement:
    """The settlement of one hand, its remarks by *names*. Raises Refused for a table that cannot be."""
    seats = _checked_seats(results, book)
    _check_tiles(results)
    long_hands = [seat for seat in seats if _is_long(results[seat]) and "long-hand" in book.settle]
    if winner is None:
        if long_hands:
            return _stopped(results, seats, long_hands, book, label)
        raise refuse(
            "no-winner",
            "nobody wins this hand",
            "one seat has a winning tile, or win behind its score; a drawn game is the line draw",
        )
    if winner not in seats:
        raise refuse(
            "no-such-seat", f"{winner!r} is no seat at this table", f"the seats are {' '.join(seats)}"
        )
    if results[winner].dead:
        raise refuse("dead-wins", "a dead hand cannot win", "leave out dead, or the win")
    win = results[winner].hand.win if results[winner].hand else None  # type: ignore[union-attr]
    if win is not None:
        drawn, discarder = win.drawn, win.discarder if not win.drawn else None
        for name in (win.discarder, win.earlier, win.all_from):
            if name is not None and name not in seats:
                raise refuse(
                    "no-such-seat",
                    f"{WIND_NAMES.get(name, name)} is named in the winner's hand and has no line",
                    f"give every seat a hand, a score or dead: {name}: 0",
                    about=About("seat", name),
                )
    elif discarder is not None:
        if discarder == winner:
            raise refuse(
                "from-oneself",
                f"{WIND_NAMES[winner]} cannot win on his own discard",
                "name the player who discarded the tile",
            )
        if discarder not in seats:
            raise refuse(
                "no-such-seat", f"{discarder!r} is no seat at this table", f"the seats are {' '.join(seats)}"
            )
        drawn = False
    scores = {seat: _capped(results[seat], seat == winner, book) for seat in seats}
    if win is not None and "robbed" in win.flags and discarder is not None:
        _check_robbed(results[discarder], win.tile, discarder)
    losers = [seat for seat in seats if seat != winner]
    table = _Table(scores, winner, losers, discarder, drawn, book)
    liable, remarks = liable_players(results, winner, discarder, drawn, book, names)
    payments = table.to_winner(liable)
    if liable is None and not long_hands and not table.losers_cancelled():
        payments += table.between_losers()
    elif long_hands:
        remarks = (
            *remarks,
            f"{', '.join(names[seat] for seat in long_hands)}: {book.settle['long-hand'].title} ({book.settle['long-hand'].source})",
        )
        payments = [one for one in payments if one.payer not in long_hands]
        payments += _long_hand_payments(long_hands, seats, book)
        payments += [
            one
            for one in table.between_losers()
            if one.payer not in long_hands
            and one.payee not in long_hands
            and liable is None
            and not table.losers_cancelled()
        ]
    elif liable is None:
        rule = book.settle["limit-cancels"]
        remarks = (*remarks, f"{rule.title} ({rule.source})")
    if "sitter-out" in book.settle:
        payments += _to_sitter_out(results[winner], losers, book)
    payments = [_rounded(one, book) for one in payments]
    return Settlement(
        label,
        scores,
        winner,
        discarder,
        tuple(one for one in payments if one.points),
        nets(payments, seats, book),
        book.id,
        "hand",
        drawn,
        {seat: sheet for seat in seats if (sheet := results[seat].sheet) is not None},
        remarks,
    )


def collected(sheet: ScoreSheet, book: Rulebook) -> list[Payment] | None:
    """What each other seat pays the winner of *sheet*, in points; None where that depends on a discarder
    who is not named (the New Method). Liabilities need the other hands and are left out here.
    """
    assert sheet.seat is not None
    assert sheet.score is not None
    win = sheet.hand.win if sheet.hand is not None else None
    losers = [seat for seat in book.seats if seat != sheet.seat]
    table = _Table(
        {sheet.seat: sheet.score},
        sheet.seat,
        losers,
        win.discarder if win else None,
        win.drawn if win else None,
        book,
    )
    try:
        return [_rounded(one, book) for one in table.to_winner(None) if one.points]
    except Refused:
        return None


def nets(payments: list[Payment] | tuple[Payment, ...], seats: list[str], book: Rulebook) -> dict[str, int]:
    """What each seat (and who sits out, of five) wins or loses; sums to zero."""
    net = dict.fromkeys(seats, 0)
    if "sitter-out" in book.settle:
        net[SITTER_OUT] = 0
    for one in payments:
        net[one.payer] -= one.points
        net[one.payee] += one.points
    return net


def _names(seats: list[str]) -> str:
    return ", ".join(WIND_NAMES[seat] for seat in seats)


def _checked_seats(results: Mapping[str, SeatResult], book: Rulebook) -> list[str]:
    for seat in results:
        if seat not in tuple(book.seats):
            who = WIND_NAMES.get(seat)
            raise refuse(
                "no-such-seat",
                f"{who} does not play at a table of {book.players}"
                if who
                else f"there is no seat {seat[:40]!r}",
                f"the seats are {' '.join(book.seats)}",
            )
    seats = [seat for seat in book.seats if seat in results]
    missing = [seat for seat in book.seats if seat not in results]
    # Harr's game may be played by two or three (p. 76); where the rulebook counts its players, all are named
    if missing and ("players" in book.options or len(seats) < 2):
        raise refuse(
            "missing-seat",
            f"nothing is said of {_names(missing)}",
            f"give every seat a hand, a score or dead: {missing[0]}: 0",
        )
    return seats


def _check_tiles(results: Mapping[str, SeatResult]) -> None:
    """No fifth tile of a kind and no second bonus tile over the hands of one table."""
    packed = 0
    bonus: list[int] = []
    for result in results.values():
        hand = result.hand
        if hand is not None:
            packed += hand.held + hand.laid
            bonus += hand.bonus
            if hand.win is not None:
                packed += WEIGHT[hand.win.tile]
    fifth = fifth_tile(packed)
    if fifth is not None:
        seats = [
            WIND_NAMES[seat]
            for seat, result in results.items()
            if result.hand is not None
            and (
                result.hand.held + result.hand.laid + (WEIGHT[result.hand.win.tile] if result.hand.win else 0)
            )
            >> 6 * fifth
            & 63
        ]
        raise refuse(
            "fifth-tile",
            f"a fifth {fifth.title} at the table: {', '.join(seats)} together hold more than four",
            "read these hands again; one of the tiles is another",
            about=About("tile", str(fifth)),
        )
    for tile in range(KINDS, KINDS + 8):
        if bonus.count(tile) > 1:
            raise refuse(
                "second-bonus-tile",
                f"a second {TILES[tile].title} at the table",
                "there is only one of each flower and season",
                about=About("tile", str(TILES[tile])),
            )


def _check_robbed(result: SeatResult, tile: int, seat: str) -> None:
    hand = result.hand
    if hand is not None and not any(
        one.kind == "pung" and one.tile == tile and one.exposed for one in hand.sets
    ):
        raise refuse(
            "robbed-nobody",
            f"{WIND_NAMES[seat]} shows no three {TILES[tile].title} to rob the fourth of",
            "leave out !robbed, or put the three in brackets in that hand",
            about=About("flag", "robbed"),
        )


def _is_long(result: SeatResult) -> bool:
    return result.dead and result.hand is not None and result.hand.tiles_over > 0


def _capped(result: SeatResult, won: bool, book: Rulebook) -> int:
    """A seat's score after the limit (bare scores too); East's ninth win in a row scores it."""
    if result.dead and result.sheet is None:
        return 0
    if book.limit is None:
        return result.score
    if won and result.ninth and "ninth-win" in book.rules:
        return book.limit
    if book.score_limit == "all" or (book.score_limit == "winner" and won):
        return min(result.score, book.limit)
    return result.score


class _Table(NamedTuple):
    """One table's scores and what the rulebook says of paying."""

    scores: Mapping[str, int]
    winner: str
    losers: list[str]
    discarder: str | None
    drawn: bool | None
    book: Rulebook

    def factor(self, one: str, other: str) -> int:
        return east_factor(one, other, self.book)

    def owed_to_winner(self, loser: str) -> int:
        """What a loser owes the winner, doubled for East or, by the New Method, for the discard."""
        points = self.scores[self.winner] * self.factor(loser, self.winner)
        rule = self.book.settle.get("discarder-factor")
        if rule is not None:
            if self.drawn is None or (not self.drawn and self.discarder is None):
                raise refuse(
                    "who-discarded",
                    "by the New Method it must be known who discarded the winning tile",
                    "type <5d:S for a tile from South, +5d for one drawn; behind a bare score, win from S or win drawn",
                )
            if self.drawn or loser == self.discarder:
                points *= int(rule.details["factor"])
        return points

    def to_winner(self, liable: Liable | None) -> list[Payment]:
        owed = {loser: self.owed_to_winner(loser) for loser in self.losers}
        if liable is None:
            return [
                Payment(loser, self.winner, points, "the winner's score") for loser, points in owed.items()
            ]
        return [
            Payment(
                loser,
                self.winner,
                points,
                liable.rule.title if loser in liable.shares else "the winner's score",
            )
            for loser, points in liable.split(owed).items()
        ]

    def losers_cancelled(self) -> bool:
        limit = self.book.limit
        return "limit-cancels" in self.book.settle and limit is not None and self.scores[self.winner] >= limit

    def between_losers(self) -> list[Payment]:
        """The losers' differences, each capped where the rulebook caps them, then doubled for East."""
        payments = []
        for place, one in enumerate(self.losers):
            for other in self.losers[place + 1 :]:
                difference = abs(self.scores[one] - self.scores[other])
                if "difference-limit" in self.book.settle and self.book.limit is not None:
                    difference = min(difference, self.book.limit)
                lower, higher = (one, other) if self.scores[one] < self.scores[other] else (other, one)
                payments.append(
                    Payment(
                        lower, higher, difference * self.factor(one, other), "the difference of the scores"
                    )
                )
        return payments


def east_factor(one: str, other: str, book: Rulebook) -> int:
    """2 where one of the two is East and the rulebook has East pay and receive double, else 1."""
    rule = book.settle.get("east-factor")
    return int(rule.details["factor"]) if rule is not None and "E" in (one, other) else 1


def _to_sitter_out(winner: SeatResult, losers: list[str], book: Rulebook) -> list[Payment]:
    """The fifth player gets the points for Mah-Jongg, doubled as often as the winner's hand (D61)."""
    if winner.doubles is None:
        raise refuse(
            "doubles-needed",
            "of five players, who sits out is paid by the doubles of the winner's hand",
            "type the winner's hand, or its doubles: E: 480 win doubles 2",
        )
    rule = book.settle["sitter-out"]
    given = book.rules.get(rule.details["points_of"])
    base = (given.points if given else 0) << winner.doubles
    return [
        Payment(loser, SITTER_OUT, base * east_factor(loser, SITTER_OUT, book), rule.title)
        for loser in losers
    ]


def _rounded(payment: Payment, book: Rulebook) -> Payment:
    """To the nearest ten where the table plays so: 12 and 14 are 10, 16 and 18 are 20 (Babcock p. 82)."""
    rule = book.settle.get("round-payments")
    if rule is None:
        return payment
    to = int(rule.details["to"])
    return payment._replace(points=(payment.points + (to - 1) // 2) // to * to)


def _long_hand_payments(long_hands: list[str], seats: list[str], book: Rulebook) -> list[Payment]:
    rule = book.settle["long-hand"]
    points = penalty_points(rule, book)
    return [
        Payment(seat, other, points * east_factor(seat, other, book), rule.title)
        for seat in long_hands
        for other in seats
        if other != seat
    ]


def _stopped(
    results: Mapping[str, SeatResult],
    seats: list[str],
    long_hands: list[str],
    book: Rulebook,
    label: str | None,
) -> Settlement:
    """Play stopped for a hand with too many tiles: nobody wins, nothing else is settled (D72)."""
    payments = [_rounded(one, book) for one in _long_hand_payments(long_hands, seats, book)]
    rule = book.settle["long-hand"]
    return Settlement(
        label,
        {seat: results[seat].score for seat in seats},
        None,
        None,
        tuple(payments),
        nets(payments, seats, book),
        book.id,
        "long",
        None,
        {},
        (f"{rule.title} ({rule.source})",),
    )


def penalty_points(rule: Rule, book: Rulebook) -> int:
    """A penalty in points; raises Refused where it is a part of a limit that there is not."""
    points = book.part_of_limit(rule)
    if points is None:
        raise refuse(
            "penalty-without-limit",
            f"{rule.title}: there is no limit",
            f"set a limit, or write what was agreed: pay S E 100 ({rule.source})",
        )
    return points
