"""A second settler, slow and plain, written from the books and the decisions and from nothing else here.

It shares with mjscore only the parsed hand, and takes scores and liabilities from the second scorer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from hands import make_hand
from independent import Result, Rules, heaviest, liabilities, score

from mjscore.game.hand import Hand

SITTING_OUT = "X"


class Bare(NamedTuple):
    """A score without its hand; what may stand behind it where it won; *dead* brings nothing."""

    points: int
    doubles: int = 0
    ninth: bool = False
    dead: bool = False


Line = Hand | Bare


class Ending(NamedTuple):
    """A hand's end: each seat's line, who won, and of a bare winner whether he drew or who discarded."""

    lines: Mapping[str, Line]
    winner: str
    discarder: str | None = None
    drawn: bool = False


def seats_of(rules: Rules, players: int) -> str:
    """Where they sit: Harr's two and three (p. 76; D26), Babcock's three without West (p. 83; D61)."""
    if players == 2:
        return "EW"
    if players == 3:
        return "ESN" if rules.babcock else "ESW"
    return "ESWN"


def east(rules: Rules, *seats: str) -> int:
    """Two where East pays or is paid; by the New Method he is one of them all (B 26, 78; D25, D76)."""
    return 2 if "E" in seats and not new_method(rules) else 1


def new_method(rules: Rules) -> bool:
    """Whether the discarder pays double in place of East (B 78)."""
    return rules.chinese and rules.on("new-method")


def settle(ending: Ending, rules: Rules) -> dict[str, int] | None:
    """What each seat (X sits out, of five) wins or loses; None for a table that is to be refused."""
    winner = ending.winner
    results = {seat: _result(line, seat == winner, rules) for seat, line in ending.lines.items()}
    if any(result is None for result in results.values()):
        return None
    scores = {seat: result.score for seat, result in results.items() if result is not None}
    doubles = results[winner].doubles  # type: ignore[union-attr]
    losers = [seat for seat in scores if seat != winner]
    drawn, discarder = ending.drawn, ending.discarder
    line = ending.lines[winner]
    if isinstance(line, Hand):
        drawn, discarder = line.win.drawn, None if line.win.drawn else line.win.discarder
        ninth = "ninth" in line.win.flags
    else:
        ninth = line.ninth
    flat = ninth and rules.ninth_wins and rules.limit is not None
    if new_method(rules) and not drawn and discarder is None:
        return None
    owed = {}
    for seat in losers:
        owed[seat] = scores[winner]
        if not flat:
            owed[seat] *= east(rules, seat, winner)
            if new_method(rules) and (drawn or seat == discarder):
                owed[seat] *= 2
    splits = _liabilities(ending, owed, rules)
    if splits is None:
        return None
    payments: list[tuple[str, str, int]] = []
    shares = owed
    if splits:
        win = line.win if isinstance(line, Hand) else None
        shares = heaviest(splits, {win.discarder, win.earlier} if win is not None else set())
    long_hands = [seat for seat in losers if _pays_limit(ending.lines[seat], rules)]
    if long_hands and rules.limit is None:
        return None
    for seat in losers:
        if seat in long_hands:
            # he pays each of the others the limit, and that is all he pays (B 73; D72)
            payments += [
                (seat, other, (rules.limit or 0) * east(rules, seat, other))
                for other in scores
                if other != seat
            ]
        else:
            payments.append((seat, winner, shares[seat]))
    cancelled = rules.chinese and rules.on("limit-cancels") and rules.limit and scores[winner] >= rules.limit
    if not splits and not cancelled:
        payments += _differences(scores, [seat for seat in losers if seat not in long_hands], rules)
    net = dict.fromkeys(scores, 0)
    if rules.players == 5:
        net[SITTING_OUT] = 0
        payments += [(seat, SITTING_OUT, rules.mah_jongg * 2**doubles * east(rules, seat)) for seat in losers]
    for payer, payee, points in payments:
        paid = _to_tens(points) if rules.chinese and rules.on("nearest-ten") else points
        net[payer] -= paid
        net[payee] += paid
    return net


def _differences(scores: Mapping[str, int], losers: list[str], rules: Rules) -> list[tuple[str, str, int]]:
    """Harr caps the difference, before East's double; Babcock the scores (H 60, B 28-29; D39, D54)."""
    payments = []
    for seat in losers:
        for other in losers:
            more = scores[other] - scores[seat]
            if more > 0:
                if not rules.babcock and rules.limit is not None:
                    more = min(more, rules.limit)
                payments.append((seat, other, more * east(rules, seat, other)))
    return payments


def _to_tens(points: int) -> int:
    """A payment to the nearest ten: 15 is 10, and 16 is 20 (B 82)."""
    tens, ones = divmod(points, 10)
    return 10 * (tens + 1) if ones > 5 else 10 * tens


def _result(line: Line, won: bool, rules: Rules) -> Result | None:
    if isinstance(line, Hand):
        return score(line, rules)
    if line.dead:
        return Result(0, 0, 0)
    points = line.points
    if rules.limit is not None and (won or rules.babcock):
        points = min(points, rules.limit)
        if won and line.ninth and rules.ninth_wins:
            points = rules.limit
    return Result(points, 0, line.doubles)


def _pays_limit(line: Line, rules: Rules) -> bool:
    """A dead hand seen to hold too many tiles, where that costs the limit (B 73; D72)."""
    if not (rules.chinese and rules.on("long-hand-pays-limit") and isinstance(line, Hand) and line.dead):
        return False
    return len(line.concealed) + 3 * len(line.sets) > 13


def _liabilities(ending: Ending, owed: dict[str, int], rules: Rules) -> list[dict[str, int]] | None:
    line = ending.lines[ending.winner]
    if not isinstance(line, Hand):
        return []
    assert line.win is not None
    # of a hand that nobody has seen no excuse can be known (D42)
    hands = {
        seat: hand if isinstance(hand, Hand) else make_hand((), (), seat=seat, unlisted=True)
        for seat, hand in ending.lines.items()
    }
    splits = liabilities(hands, ending.winner, owed, rules)
    if splits is None:
        return None
    fed_all = line.win.all_from
    if fed_all is not None and rules.chinese and rules.on("four-sets-from-one"):
        # whoever else would be liable, it is the one who fed all four who pays (B 78; D75)
        return [{**dict.fromkeys(owed, 0), fed_all: sum(owed.values())}]
    return splits


def penalty_of_false_win(rules: Rules) -> int | None:
    """To each of the others, East double; None where the book has none, or a part of no limit (D41, D73)."""
    if rules.name == "harr" or (rules.limit is None and rules.false_win != "100" and rules.name != "babcock"):
        return None
    if rules.name == "babcock":
        return 0
    limit = rules.limit or 0
    if rules.name == "harr-limit":
        return limit // 2
    return {"100": 100, "half": limit // 2, "limit": limit}[rules.false_win]


def pay_each(payer: str, points: int, seats: str, rules: Rules) -> dict[str, int]:
    """Who pays each of the others *points*, double where one of the two is East."""
    net = dict.fromkeys(seats, 0)
    for seat in seats:
        if seat != payer:
            paid = points * east(rules, seat, payer)
            if rules.chinese and rules.on("nearest-ten"):
                paid = _to_tens(paid)
            net[seat] += paid
            net[payer] -= paid
    return net


def wash(washer: str, heads: int, seats: str, rules: Rules) -> dict[str, int] | None:
    """From each, East not double: Harr's 50 to 200 (p. 61), Babcock's 50 and 50 a tile over nine (p. 80-81)."""
    if not 9 <= heads <= 13:
        return None
    if rules.name == "harr-limit":
        points = (50, 70, 100, 150, 200)[heads - 9]
    elif rules.chinese and rules.on("nine-mummies"):
        points = 50 * (heads - 8) if rules.on("nine-mummies-bonus") else 0
    else:
        return None
    return {seat: points * (len(seats) - 1) if seat == washer else -points for seat in seats}


class Chairs(NamedTuple):
    """Who is East among those who play, and how often East has passed."""

    players: tuple[str, ...]
    east: int = 0
    passes: int = 0

    def round(self) -> str:
        """The wind of the round: each player has been East once in it (H 58-59)."""
        return "ESWN"[self.passes // min(4, len(self.players)) % 4]

    def seating(self, seats: str) -> dict[str, str]:
        """Who sits where; of five the fifth sits out first, then each in turn, a round each (B 85)."""
        playing = list(self.players)
        out = playing.pop((4 + self.passes // 4) % 5) if len(playing) == 5 else None
        chairs = {seat: playing[(self.east + place) % len(playing)] for place, seat in enumerate(seats)}
        return {**chairs, SITTING_OUT: out} if out is not None else chairs

    def pass_east(self) -> Chairs:
        """East passes to the right; of five the first who plays begins a new round (H 58, B 26, 85)."""
        number = min(4, len(self.players))
        passes = self.passes + 1
        fresh = len(self.players) == 5 and passes % 4 == 0
        return Chairs(self.players, 0 if fresh else (self.east + 1) % number, passes)

    def to_winner(self, name: str) -> Chairs:
        """The winner takes East (B 79); who sits out from now on cannot, and the first of the others begins."""
        after = self.pass_east()
        seating = Chairs(after.players, 0, after.passes).seating("ESWN"[: min(4, len(self.players))])
        order = [player for seat, player in seating.items() if seat != SITTING_OUT]
        return after._replace(east=order.index(name)) if name in order else after._replace(east=0)
