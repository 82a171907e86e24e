"""The statistics of one or more evenings: what was played, standings, who fed whom, the biggest hands.

They are taken from the checked file; refused hands are left out and listed. Players are identified by name.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, groupby
from pathlib import Path
from string import ascii_lowercase
from typing import NamedTuple

from mjscore.counters.exchange import debts
from mjscore.counters.holdings import Purses, table_counters
from mjscore.game.tiles import WIND_NAMES
from mjscore.record.checker import Checked, Reader
from mjscore.record.context import Context, Occasion
from mjscore.record.events import EVENTS, HANDS, Count, hand_number, kind_of
from mjscore.record.source import Block, read_blocks
from mjscore.refusal import Refusal, escape_controls, refuse, whole
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.payment import SITTER_OUT, Payment
from mjscore.settling.settlement import Settlement

CSV_COLUMNS = ("number", "line", "label", "kind", "round", "east", "winner", "won", "from", "score", "limit")

MOST_REFUSALS = 1000  # in an evening; a file with more is hardly one of hands


class Played(NamedTuple):
    """A hand of the evening, or an event between hands: a draw, a wash, a penalty, a payment.

    *mark* is its number (``3``, ``3a``), counting hands left out too; *seats* are the players by wind; *round* is
    a wind, or empty; *nets* and *totals* (after it) are points by player.
    """

    mark: str
    line: int
    label: str | None
    settlement: Settlement
    seats: Mapping[str, str]
    round: str
    nets: Mapping[str, int]
    totals: Mapping[str, int]
    notes: tuple[str, ...]
    book: Rulebook

    @property
    def winner(self) -> str | None:
        """Return the winner's name, or None."""
        return self.named(self.settlement.winner)

    @property
    def discarder(self) -> str | None:
        """Return the name of the player who discarded the winning tile or was robbed of it, or None."""
        return self.named(self.settlement.discarder)

    @property
    def score(self) -> int | None:
        """Return the winner's score, after the limit; None if nobody won."""
        return self.settlement.scores.get(self.settlement.winner or "")

    @property
    def sheet(self) -> ScoreSheet | None:
        """Return the winner's score sheet, if their hand was given."""
        return self.settlement.sheets.get(self.settlement.winner or "")

    @property
    def won_by(self) -> str:
        """Return ``drawn`` or ``claimed``; empty if nobody won or it is unknown."""
        if self.settlement.winner is None:
            return ""
        return {None: "", True: "drawn", False: "claimed"}[self.settlement.drawn]

    @property
    def at_limit(self) -> bool:
        """Return whether the winner's score is the limit, or another of the rulebook's scores above it."""
        return self.score is not None and self.score in (self.book.limit, *self.book.above_limit)

    def named(self, seat: str | None) -> str | None:
        """Return the name of the player at a wind, or else of the wind; None for None."""
        return None if seat is None else self.seats.get(seat, WIND_NAMES.get(seat, seat))

    def was_played_by(self, name: str) -> bool:
        """Return whether this is a hand in which *name* played."""
        return self.settlement.kind in HANDS and self.concerns(name, False)

    def concerns(self, name: str, or_paid: bool = True) -> bool:
        """Return whether *name* plays, or (with *or_paid*) pays or is paid although not playing."""
        playing = (player for wind, player in self.seats.items() if wind != SITTER_OUT)
        return name in playing or (or_paid and self.nets[name] != 0)

    def as_json(self) -> dict[str, object]:
        """Return the mark, scores, payments, totals and the like as a JSON object, with players by name."""
        settlement = self.settlement
        return {
            "number": hand_number(self.mark),
            "mark": self.mark,
            "line": self.line,
            "label": self.label,
            "kind": settlement.kind,
            "rulebook": self.book.id,
            "round": self.round or None,
            "seats": dict(self.seats),
            "winner": self.winner,
            "won": self.won_by or None,
            "from": self.discarder,
            "score": self.score,
            "limit": self.at_limit,
            "scores": {self.named(seat): score for seat, score in settlement.scores.items()},
            "payments": [
                Payment(str(self.named(payer)), str(self.named(payee)), paid, reason).as_json()
                for payer, payee, paid, reason in settlement.payments
            ],
            "net": dict(self.nets),
            "totals": dict(self.totals),
            "remarks": list(settlement.remarks),
            "notes": list(self.notes),
        }


class LeftOut(NamedTuple):
    """A hand that no statistic includes: refused, for *refusals*, or the evening's last and still open.

    It is open while players are *missing*, or while its lines contradict each other as *refusals* explain.
    """

    mark: str
    line: int
    label: str | None
    refusals: tuple[Refusal, ...] = ()
    missing: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the number, mark, line and label as a JSON object."""
        return {"number": hand_number(self.mark), "mark": self.mark, "line": self.line, "label": self.label}

    def errors(self) -> dict[str, object]:
        """Return the JSON member ``errors``, the refusals."""
        return {"errors": [refusal.as_json() for refusal in self.refusals]}


class Standing(NamedTuple):
    """A player's standing after an evening or a season; players with equal totals share a place.

    *total* is in points; *drawn* counts the wins with a drawn tile, *fed* the winning tiles that the player
    discarded. *best* is the highest score won (None without a win), *average* the points a hand, rounded.

    >>> mjscore.evening("samples/evening.mj").standings[0]
    Standing(place=1, name='Ben', total=2178, evenings=1, hands=12, won=4, drawn=2, fed=2, best=300, average=182)
    """

    place: int
    name: str
    total: int
    evenings: int
    hands: int
    won: int
    drawn: int
    fed: int
    best: int | None
    average: int


class Fed(NamedTuple):
    """How many of a player's discards another player won with, and the points paid for them."""

    hands: int
    points: int


class RecordedEvening(NamedTuple):
    """An evening as recorded in its file; *refusals* are all its mistakes, including those in hands that count."""

    file: str
    players: tuple[str, ...]
    played: tuple[Played, ...]
    left_out: tuple[LeftOut, ...]
    refusals: tuple[Refusal, ...]
    closing_notes: tuple[str, ...] = ()
    open_hand: LeftOut | None = None
    occasion: Occasion = Occasion()

    @property
    def books(self) -> tuple[Rulebook, ...]:
        """Return the rulebooks in order of use."""
        return tuple({hand.book.fingerprint: hand.book for hand in self.played}.values())

    @property
    def hands_won(self) -> tuple[Played, ...]:
        """Return the hands that somebody won."""
        return tuple(hand for hand in self.played if hand.winner is not None)

    def totals(self, name: str) -> list[int]:
        """Return a player's running totals: 0 before the first hand, then the total after each."""
        return [0, *(hand.totals[name] for hand in self.played)]

    def total(self, name: str) -> int:
        """Return what a player has won or lost in all, in points."""
        return self.totals(name)[-1]

    def as_json(self) -> dict[str, object]:
        """Return the JSON object of ``mjscore report`` for an evening: its hands, standings and the like."""
        most = biggest(self)
        members: dict[str, object] = {
            "file": self.file,
            "title": self.occasion.title or None,
            "date": self.occasion.date or None,
            "rulebooks": [{"id": book.id, "fingerprint": book.fingerprint} for book in self.books],
            "players": list(self.players),
            "standings": [standing._asdict() for standing in standings(self)],
            "hands": [hand.as_json() for hand in self.played],
            "fed": fed_json(self),
            "biggest": hand_number(most.mark) if most is not None else None,
            "transfers": [
                {"from": one.payer, "to": one.payee, "points": one.points}
                for one in least_payments({name: self.total(name) for name in self.players})
            ],
            "left_out": [hand.as_json() | hand.errors() for hand in self.left_out],
            "errors": [refusal.as_json() for refusal in self.refusals],
            "notes": list(self.closing_notes),
        }
        if self.open_hand is not None:
            number, *others = (self.open_hand.as_json() | {"missing": list(self.open_hand.missing)}).items()
            members["open"] = dict([*others, number]) | self.open_hand.errors()
        return members


def read_evening(path: str, context: Context) -> RecordedEvening:
    """Return the evening recorded in the file *path*. Raises OSError, or Refused for too many mistakes."""
    reader = Reader(path, context)
    return evening_of(reader, read_blocks(path, reader.state.file))


def evening_of(reader: Reader, blocks: Iterable[Block]) -> RecordedEvening:
    """Return the evening of the tables in *blocks*; winds serve if no player is named. Raises Refused."""
    played: list[Played] = []
    left_out: list[LeftOut] = []
    refusals: list[Refusal] = []
    notes: tuple[str, ...] = ()
    open_hand: LeftOut | None = None
    count = Count()
    for result in reader.check(blocks):
        refusals += () if result.amiss else result.refusals
        if len(refusals) > MOST_REFUSALS:  # a pipe may be endless
            raise refuse("no-evening", "refusals", file=result.state.file, most=MOST_REFUSALS)
        notes += result.notes
        settlement = result.outcome
        if not isinstance(settlement, Settlement):
            continue
        count = count.after(kind_of(result.text))
        left = LeftOut(count.mark, result.line, result.label, result.refusals, result.missing)
        if result.is_open:
            open_hand = left
            continue
        if settlement.error is not None:
            left_out.append(left)
            continue
        state, net = result.state, settlement.net
        seats = dict(result.seats) or {seat: WIND_NAMES.get(seat, seat) for seat in net}
        refusals += _differing_nets(result, net, seats)
        if state.position is not None:
            players, round_wind = state.position.players, state.round_wind
        else:
            players = tuple(seats.values())
            round_wind = next((sheet.round for sheet in settlement.sheets.values() if sheet.round), "")
        nets = dict.fromkeys(players, 0) | {seats[seat]: points for seat, points in net.items()}
        # hands are numbered here, whatever number an older file has as a label
        label = None if (result.label or "").isdecimal() else result.label
        played.append(
            Played(count.mark, result.line, label, settlement, seats, round_wind, nets, {}, notes, state.book)
        )
        notes = ()
    state = reader.state
    everybody = tuple(dict.fromkeys(name for hand in played for name in hand.nets))
    return RecordedEvening(
        state.file,
        everybody,
        _with_totals(played, everybody),
        tuple(left_out),
        tuple(refusals),
        notes + state.notes,
        open_hand,
        state.occasion,
    )


def _differing_nets(result: Checked, net: Mapping[str, int], seats: Mapping[str, str]) -> Iterator[Refusal]:
    """Yield a refusal for each seat whose net differs from that in the file."""
    at, names = whole(result.text, result.line, result.state.file), {**WIND_NAMES, **seats}
    for seat, points in result.expected.items() if isinstance(result.expected, Mapping) else ():
        if points != net.get(seat):
            name, now = names.get(seat, seat), net.get(seat, 0)
            yield refuse("nets-differ", "now", at=at, name=name, points=points, now=now).refusal


def _with_totals(played: Iterable[Played], everybody: Iterable[str]) -> tuple[Played, ...]:
    """Return the hands with the totals after each; players who joined later had 0 before."""
    nobody_played = totals = dict.fromkeys(everybody, 0)
    hands = []
    for hand in played:
        nets = {**nobody_played, **hand.nets}
        totals = {name: total + nets[name] for name, total in totals.items()}
        hands.append(hand._replace(nets=nets, totals=totals))
    return tuple(hands)


def standings(*evenings: RecordedEvening) -> tuple[Standing, ...]:
    """Return the standings of the players over some evenings, highest total first; equal totals share a place."""
    totals: Counter[str] = Counter()
    for evening in evenings:
        totals.update({name: evening.total(name) for name in evening.players})
    played = [hand for evening in evenings for hand in evening.played]
    ranks = []
    for name, total in totals.items():
        won = [hand for hand in played if hand.winner == name]
        hands = sum(hand.was_played_by(name) for hand in played)
        ranks.append(
            Standing(
                1 + sum(other > total for other in totals.values()),
                name,
                total,
                sum(name in evening.players for evening in evenings),
                hands,
                len(won),
                sum(hand.won_by == "drawn" for hand in won),
                sum(hand.discarder == name for hand in played),
                max((hand.score for hand in won if hand.score is not None), default=None),
                rounded(total, hands),
            )
        )
    return tuple(sorted(ranks, key=lambda standing: standing.place))


def rounded(total: int, hands: int) -> int:
    """Return points a hand, or an evening, rounded to whole points, halves away from 0."""
    if not hands:
        return 0
    average = (2 * abs(total) + hands) // (2 * hands)
    return average if total >= 0 else -average


def fed_whom(*evenings: RecordedEvening) -> dict[tuple[str, str], Fed]:
    """Return, by discarder and winner, how many winning tiles were discarded, and what the discarder paid for them."""
    fed: dict[tuple[str, str], Fed] = {}
    for hand in (hand for evening in evenings for hand in evening.hands_won):
        if hand.discarder is not None and hand.winner is not None:
            two = hand.settlement.discarder, hand.settlement.winner
            paid = sum(one.points for one in hand.settlement.payments if (one.payer, one.payee) == two)
            hands, points = fed.get((hand.discarder, hand.winner), (0, 0))
            fed[hand.discarder, hand.winner] = Fed(hands + 1, points + paid)
    return fed


def fed_json(*evenings: RecordedEvening) -> list[dict[str, object]]:
    """Return who fed whom as JSON objects."""
    found = fed_whom(*evenings)
    return [{"from": discarder, "to": winner, **fed._asdict()} for (discarder, winner), fed in found.items()]


def least_payments(points: Mapping[str, int]) -> list[Payment]:
    """Return payments that settle everybody's *points*: the fewest possible, of at most twelve players."""
    parties = _parties([name for name in points if points[name]], points)
    return [payment for party in parties for payment in debts({name: points[name] for name in party})]


def _parties(names: list[str], points: Mapping[str, int]) -> list[list[str]]:
    """Return players in as many groups as possible whose points sum to 0; more than twelve stay one group."""
    best = [names]
    for size in range(1, len(names) - 1 if len(names) <= 12 else 0):
        for others in combinations(names[1:], size):
            if points[names[0]] + sum(points[name] for name in others) == 0:
                rest = [name for name in names[1:] if name not in others]
                best = max(best, [[names[0], *others], *_parties(rest, points)], key=len)
    return best


def counters_left(evening: RecordedEvening) -> Purses | None:
    """Return the counters that everybody holds at the end; None if the file names no set."""
    occasion, folder = evening.occasion, str(Path(evening.file).parent)
    if not occasion.counters:
        return None
    held = table_counters(occasion.counters, (), occasion.pair_by_pair, occasion.bank, folder)
    for hand in evening.played:
        held.settle(hand.settlement, hand.seats)
    return held


def streak(evening: RecordedEvening, whose: Callable[[Played], str | None]) -> tuple[str, list[Played]]:
    """Return the player whom *whose* returns for most hands in a row, and these hands; of equals, the first."""
    hands = (hand for hand in evening.played if hand.settlement.kind in HANDS)
    rows = [(name, list(row)) for name, row in groupby(hands, whose) if name is not None]
    return max(rows, key=lambda one: len(one[1]), default=("", []))


def biggest(evening: RecordedEvening) -> Played | None:
    """Return the hand with the highest score, of equals the one that won most, then the first; or None."""
    return max(
        evening.hands_won, key=lambda hand: (hand.score or 0, hand.nets[hand.winner or ""]), default=None
    )


class RunningTotals(NamedTuple):
    """Running totals for a chart.

    *totals* are points by player, the leader first: 0, then the total after each of the *steps*. *parts* are titles
    with the number of steps in each; *away* are the steps in which a player took no part.
    """

    totals: Mapping[str, tuple[int, ...]]
    steps: tuple[str, ...]
    parts: tuple[tuple[str, int], ...]
    away: Mapping[str, frozenset[int]] = {}


def course_of(evening: RecordedEvening) -> RunningTotals:
    """Return the running totals of an evening by hand, including the events after it; the parts are the rounds."""
    hands = groupby(evening.played, lambda one: one.mark.rstrip(ascii_lowercase))
    steps = {mark: list(played) for mark, played in hands}
    firsts = evening._replace(played=tuple(played[0] for played in steps.values()))
    ends = [played[-1].totals for played in steps.values()]
    there = [
        {name for hand in played for name in evening.players if hand.was_played_by(name) or hand.nets[name]}
        for played in steps.values()
    ]
    return RunningTotals(
        {one.name: (0, *(totals[one.name] for totals in ends)) for one in standings(evening)},
        tuple(steps),
        rounds(firsts),
        {name: frozenset(n for n, some in enumerate(there) if name not in some) for name in evening.players},
    )


def rounds(evening: RecordedEvening) -> tuple[tuple[str, int], ...]:
    """Return the title of each round (empty if unknown) and the number of hands and events in it."""
    return tuple(
        (f"{WIND_NAMES[wind]} round" if wind else "", len(list(played)))
        for wind, played in groupby(evening.played, lambda hand: hand.round)
    )


def what_happened(hand: Played, say: Callable[[str], str] = str) -> str:
    """Return how the hand was won or what happened instead, such as ``from Ben`` or ``draw``; *say* formats a name."""
    settlement = hand.settlement
    if hand.winner is not None:
        shown = hand.sheet.hand if hand.sheet is not None else None
        flags = shown.win.flags if shown is not None and shown.win is not None else frozenset()
        if hand.discarder is not None:
            return f"{'robbing' if 'robbed' in flags else 'from'} {say(hand.discarder)}"
        if settlement.drawn:
            return "as dealt" if "original" in flags else "drawn"
        return "claimed" if settlement.drawn is False else "won"
    if settlement.kind == "draw":
        return "draw"
    if settlement.by is not None:
        return f"{say(str(hand.named(settlement.by)))}: false win"
    if settlement.kind == "seat":
        return settlement.remarks[0]
    if not settlement.payments:
        return "nothing paid"
    payer, payee = (say(str(hand.named(seat))) for seat in settlement.payments[0][:2])
    return EVENTS[settlement.kind].told.format(payer=payer, payee=payee)


def csv_rows(evening: RecordedEvening) -> list[list[object]]:
    """Return a heading, then a row for each hand and event, with every player's net and total."""
    heading: list[object] = list(CSV_COLUMNS)
    heading += [f"{what} {escape_controls(name)}" for what in ("net", "total") for name in evening.players]
    rows = [heading]
    for hand in evening.played:
        limit = "limit" if hand.at_limit else ""
        members = hand.as_json() | {"number": hand.mark, "east": hand.seats.get("E"), "limit": limit}
        nets = [hand.nets[name] if hand.concerns(name) else None for name in evening.players]
        totals = [hand.totals[name] for name in evening.players]
        rows.append([*(members[column] for column in CSV_COLUMNS), *nets, *totals])
    return rows


def check_played(evening: RecordedEvening, path: str) -> None:
    """Raise Refused if there is nothing to report."""
    if not evening.played and (evening.open_hand is not None or evening.left_out):
        raise refuse("nothing-left", "open" if evening.open_hand is not None else "refused", path=path)
    if not evening.played:
        raise refuse("no-evening", "none", path=path)


def title_of(evening: RecordedEvening) -> str:
    """Return the title of an evening, or else its file's name as a title: ``tea-at-anns.mj`` becomes Tea at anns."""
    if evening.occasion.title:
        return evening.occasion.title
    stem = Path(evening.file).name.partition(".")[0].replace("-", " ").replace("_", " ").strip()
    return stem[:1].upper() + stem[1:] if stem and evening.file != "<stdin>" else "Evening"


def label_of(evening: RecordedEvening) -> str:
    """Return the short name of an evening for a chart or table: its month and day, or else its title."""
    return evening.occasion.date[5:] or title_of(evening)


def hands_played(evening: RecordedEvening) -> int:
    """Return how many hands an evening had, including drawn ones."""
    return sum(played.settlement.kind in HANDS for played in evening.played)
