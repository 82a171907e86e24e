"""The statistics of an evening: what was played, who stands where, who fed whom, the biggest hand.

All of it comes from what checking a file gave; hands that were refused are left out and named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from mjscore.game.tiles import WIND_NAMES
from mjscore.record import ledger
from mjscore.record.checked import Checked
from mjscore.record.context import Context
from mjscore.record.reader import Reader
from mjscore.record.source import blocks, open_table, read_lines
from mjscore.refusal import Refusal, refuse, visible
from mjscore.rulebook.binding import Rulebook, bind
from mjscore.scoring.scorer import ScoreSheet
from mjscore.settling.settlement import Settlement

CSV_COLUMNS = ("number", "line", "label", "kind", "round", "east", "winner", "won", "from", "score", "limit")


class Played(NamedTuple):
    """A hand of the evening, or what came between hands: a draw, a wash, a penalty, a payment.

    *number* counts them from 1, those left out too; *seats* say who sat at which wind; *round* is its
    wind, empty where nothing tells it; *nets* and *totals* (after it) are points by player.
    """

    number: int
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
        """Who won, by name."""
        return self.named(self.settlement.winner)

    @property
    def discarder(self) -> str | None:
        """Who discarded the winning tile (or was robbed of it), by name."""
        return self.named(self.settlement.discarder)

    @property
    def score(self) -> int | None:
        """The winner's score, after the limit."""
        winner = self.settlement.winner
        return None if winner is None else self.settlement.scores[winner]

    @property
    def sheet(self) -> ScoreSheet | None:
        """The winner's score sheet, where his hand was given."""
        winner = self.settlement.winner
        return None if winner is None else self.settlement.sheets.get(winner)

    @property
    def won_by(self) -> str:
        """``drawn``, ``claimed``, or nothing where nobody won or it was not said."""
        if self.settlement.winner is None or self.settlement.drawn is None:
            return ""
        return "drawn" if self.settlement.drawn else "claimed"

    @property
    def at_limit(self) -> bool:
        """Whether the winner's score is the limit."""
        return self.book.limit is not None and self.score == self.book.limit

    def named(self, seat: str | None) -> str | None:
        """The player at a wind; the wind's name where the file names nobody."""
        return None if seat is None else self.seats.get(seat, WIND_NAMES.get(seat, seat))

    def as_json(self) -> dict[str, object]:
        """The object that programs read, with players by name."""
        settlement = self.settlement
        return {
            "number": self.number,
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
                one._replace(payer=str(self.named(one.payer)), payee=str(self.named(one.payee))).as_json()
                for one in settlement.payments
            ],
            "net": dict(self.nets),
            "totals": dict(self.totals),
            "remarks": list(settlement.remarks),
            "notes": list(self.notes),
        }


class LeftOut(NamedTuple):
    """A hand that was refused, and why; it is in no figure."""

    number: int
    line: int
    label: str | None
    refusals: tuple[Refusal, ...]


class OpenHand(NamedTuple):
    """The evening's last hand while players are *missing* who have no line yet; it is in no figure."""

    number: int
    line: int
    label: str | None
    missing: tuple[str, ...]


class Standing(NamedTuple):
    """A player at the end: place (equals share one), total in points, hands won, how many of them drawn,
    winning tiles discarded, and the highest score won (None without a win).
    """

    place: int
    name: str
    total: int
    won: int
    drawn: int
    fed: int
    best: int | None


class Fed(NamedTuple):
    """How often a player's discards won for another, and the points that he paid for it."""

    hands: int
    points: int


class Evening(NamedTuple):
    """An evening as its file has it. *refusals* are all that does not hold, also in hands that count."""

    file: str
    players: tuple[str, ...]
    played: tuple[Played, ...]
    left_out: tuple[LeftOut, ...]
    refusals: tuple[Refusal, ...]
    closing_notes: tuple[str, ...] = ()
    open_hand: OpenHand | None = None

    @property
    def books(self) -> tuple[Rulebook, ...]:
        """The rulebooks played by, in their order."""
        return tuple({one.book.fingerprint: one.book for one in self.played}.values())

    @property
    def hands_won(self) -> tuple[Played, ...]:
        """The hands that somebody won."""
        return tuple(one for one in self.played if one.winner is not None)

    def totals(self, name: str) -> list[int]:
        """A player's running total: 0 before the first hand, then after each."""
        return [0, *(one.totals[name] for one in self.played)]

    def total(self, name: str) -> int:
        """What a player has won or lost in all."""
        return self.totals(name)[-1]

    def as_json(self) -> dict[str, object]:
        """The object that programs read."""
        most = biggest(self)
        members: dict[str, object] = {
            "file": self.file,
            "rulebooks": [{"id": book.id, "fingerprint": book.fingerprint} for book in self.books],
            "players": list(self.players),
            "standings": [one._asdict() for one in standings(self)],
            "hands": [one.as_json() for one in self.played],
            "fed": [
                {"from": one, "to": other, **fed._asdict()} for (one, other), fed in fed_whom(self).items()
            ],
            "biggest": most.number if most is not None else None,
            "left_out": [
                {
                    "number": one.number,
                    "line": one.line,
                    "label": one.label,
                    "errors": [refusal.as_json() for refusal in one.refusals],
                }
                for one in self.left_out
            ],
            "errors": [refusal.as_json() for refusal in self.refusals],
            "notes": list(self.closing_notes),
        }
        if self.open_hand is not None:
            members["open"] = self.open_hand._asdict() | {"missing": list(self.open_hand.missing)}
        return members


def read_evening(path: str, context: Context) -> Evening:
    """The evening that the file *path* keeps. Raises OSError where it cannot be read."""
    folder = context.folder or (str(Path(path).parent) if path != "-" else "")
    reader = Reader(path if path != "-" else "<stdin>", context._replace(folder=folder))
    with open_table(path) as stream:
        evening = evening_of(reader.check(blocks(read_lines(stream, path))), reader.file, folder)
    return evening._replace(closing_notes=evening.closing_notes + reader.state.notes)


def evening_of(checked: Iterable[Checked], file: str, folder: str = "") -> Evening:
    """The evening that the tables among *checked* make up; rulebook files are named from *folder*.

    Without named players the winds are the names.
    """
    players: list[str] = []
    played: list[Played] = []
    left_out: list[LeftOut] = []
    refusals: list[Refusal] = []
    totals: dict[str, int] = {}
    notes: tuple[str, ...] = ()
    number = 0
    open_hand: OpenHand | None = None
    for one in checked:
        refusals += one.refusals
        settlement = one.outcome
        if not isinstance(settlement, Settlement):
            notes += one.notes
            continue
        number += 1
        if settlement.error is not None:
            left_out.append(LeftOut(number, one.line, one.label, one.refusals))
            notes += one.notes
            continue
        if one.missing:
            open_hand = OpenHand(number, one.line, one.label, one.missing)
            notes += one.notes
            continue
        refusals += _nets_that_differ(one, settlement)
        book = bind(one.rulebook, dict(one.settings), folder)
        seats = dict(one.seats) or {seat: WIND_NAMES.get(seat, seat) for seat in settlement.net}
        for name in one.before.players if one.before is not None else seats.values():
            if name not in totals:
                players.append(name)
                totals[name] = 0
        nets = dict.fromkeys(players, 0) | {seats[seat]: points for seat, points in settlement.net.items()}
        for name, points in nets.items():
            totals[name] += points
        played.append(
            Played(
                number,
                one.line,
                one.label if one.label != str(number) else None,  # play names a hand by its number
                settlement,
                seats,
                _round_of(one, settlement, book),
                nets,
                dict(totals),
                notes + one.notes,
                book,
            )
        )
        notes = ()
    # whoever joined later stood at 0 before
    everybody = dict.fromkeys(players, 0)
    played = [
        one._replace(nets={**everybody, **one.nets}, totals={**everybody, **one.totals}) for one in played
    ]
    return Evening(file, tuple(players), tuple(played), tuple(left_out), tuple(refusals), notes, open_hand)


def _round_of(one: Checked, settlement: Settlement, book: Rulebook) -> str:
    if one.before is not None:
        return ledger.round_wind(one.before, book)
    return next((sheet.round for sheet in settlement.sheets.values() if sheet.round), "")


def _nets_that_differ(one: Checked, settlement: Settlement) -> list[Refusal]:
    if not isinstance(one.expected, Mapping):
        return []
    return [
        Refusal(
            "nets-differ",
            f"{one.seats.get(seat, WIND_NAMES.get(seat, seat))} has {points} in the file, "
            f"and by the hands it is {settlement.net.get(seat, 0)}",
            "put right the hand, or its pays line; the report goes by the hands",
            one.line,
            1,
            max(1, len(one.text.rstrip())),
            one.text,
            one.file,
        )
        for seat, points in one.expected.items()
        if settlement.net.get(seat) != points
    ]


def standings(evening: Evening) -> tuple[Standing, ...]:
    """The players, highest total first; equal totals share a place."""
    found = []
    for name in evening.players:
        won = [one for one in evening.hands_won if one.winner == name]
        total = evening.total(name)
        found.append(
            Standing(
                1 + sum(evening.total(other) > total for other in evening.players),
                name,
                total,
                len(won),
                sum(one.won_by == "drawn" for one in won),
                sum(one.discarder == name for one in evening.played),
                max((one.score for one in won if one.score is not None), default=None),
            )
        )
    return tuple(sorted(found, key=lambda one: one.place))


def fed_whom(evening: Evening) -> dict[tuple[str, str], Fed]:
    """Discarder and winner, with how many hands and what the discarder paid the winner in them."""
    found: dict[tuple[str, str], Fed] = {}
    for one in evening.hands_won:
        settlement = one.settlement
        if one.discarder is None or one.winner is None:
            continue
        paid = sum(
            payment.points
            for payment in settlement.payments
            if payment.payer == settlement.discarder and payment.payee == settlement.winner
        )
        before = found.get((one.discarder, one.winner), Fed(0, 0))
        found[one.discarder, one.winner] = Fed(before.hands + 1, before.points + paid)
    return found


def biggest(evening: Evening) -> Played | None:
    """The hand with the highest score; of equals the one that brought its winner most, then the first."""
    return max(evening.hands_won, key=lambda one: (one.score or 0, one.nets[one.winner or ""]), default=None)


def rounds(evening: Evening) -> tuple[tuple[str, tuple[Played, ...]], ...]:
    """What was played, by rounds: the wind (empty where it is not known) and what belongs to it."""
    found: list[tuple[str, list[Played]]] = []
    for one in evening.played:
        if not found or found[-1][0] != one.round:
            found.append((one.round, []))
        found[-1][1].append(one)
    return tuple((wind, tuple(played)) for wind, played in found)


def what_happened(one: Played, say: Callable[[str], str] = str) -> str:
    """How the hand was won or what came instead, without the winner's name: ``from Ben``, ``draw``.

    *say* writes a name.
    """
    settlement = one.settlement
    if one.winner is not None:
        flags = _win_flags(one)
        if one.discarder is not None:
            return f"{'robbing' if 'robbed' in flags else 'from'} {say(one.discarder)}"
        if settlement.drawn:
            return "as dealt" if "original" in flags else "drawn"
        return "claimed" if settlement.drawn is False else "won"
    if settlement.kind == "draw":
        return "draw"
    if not settlement.payments:
        return "nothing paid"
    payer = say(str(one.named(settlement.payments[0].payer)))
    payee = say(str(one.named(settlement.payments[0].payee)))
    return {
        "wash": f"{payee} washes",
        "false": f"{payer}: false win",
        "pay": f"{payer} pays {payee}",
    }.get(settlement.kind, f"{payer}: too many tiles")


def _win_flags(one: Played) -> frozenset[str]:
    hand = one.sheet.hand if one.sheet is not None else None
    return hand.win.flags if hand is not None and hand.win is not None else frozenset()


def csv_rows(evening: Evening) -> list[list[object]]:
    """A heading, then one row for each thing played: what it was, and every player's net and total."""
    heading: list[object] = list(CSV_COLUMNS)
    heading += [f"{what} {visible(name)}" for what in ("net", "total") for name in evening.players]
    rows = [heading]
    for one in evening.played:
        rows.append(
            [
                one.number,
                one.line,
                visible(one.label or ""),
                one.settlement.kind,
                one.round,
                visible(one.seats.get("E", "")),
                visible(one.winner or ""),
                one.won_by,
                visible(one.discarder or ""),
                "" if one.score is None else one.score,
                "limit" if one.at_limit else "",
                *(one.nets[name] for name in evening.players),
                *(one.totals[name] for name in evening.players),
            ]
        )
    return rows


def check_played(evening: Evening, path: str) -> None:
    """Raises Refused where there is nothing to report."""
    if evening.played:
        return
    if evening.open_hand is not None:
        raise refuse(
            "nothing-left",
            f"the only hand of {path} that could be reported is still open",
            "go on with it: a hand counts once every player has his line",
        )
    if evening.left_out:
        raise refuse(
            "nothing-left",
            f"every hand of {path} was refused",
            "put the first of them right, and see what follows",
        )
    raise refuse(
        "no-evening",
        f"{path} keeps no evening: there is no hand played at a table in it",
        "an evening is players Ann Ben Cid Dee and then blocks that begin with hand, draw and so on; "
        "single hands are for mjscore check",
    )
