"""The tables of an evening and of a season, each worked out once for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from mjscore.game.tiles import WIND_NAMES
from mjscore.page.tables import Cell, Column, Table, figures_of, name_cell
from mjscore.page.text import short
from mjscore.record.season import Season, hands_played, label_of, points_by_evening, title_of
from mjscore.record.statistics import (
    Evening,
    Played,
    Standing,
    fed_whom,
    rounds,
    standings,
    what_happened,
)


def standings_table(found: Sequence[Standing], season: bool = False) -> Table:
    """Make the table of who stands where; of a *season* with the evenings, the hands and the points a hand.

    Where not all played as many hands of an evening, it has the hands too.
    """
    hands = season or len({one.hands for one in found}) > 1
    more = int(season)  # a season's table has more columns, of which some tell less
    columns = [
        Column("", [Cell(str(one.place)) for one in found], False, kind="place", spoken="place"),
        Column("player", [name_cell(one.name, one.place == 1) for one in found], False, kind="name"),
        Column("points", [Cell(points=one.total) for one in found], kind="total"),
        Column("ev.", [Cell(str(one.evenings)) for one in found], rank=2),
        Column(
            "hands",
            [Cell(str(one.hands)) for one in found],
            rank=1 + 2 * more,
            kind="extra" if season else "",
        ),
        Column("won", [Cell(str(one.won)) for one in found], rank=1 + more),
        Column(
            "drawn", [Cell(str(one.drawn)) for one in found], rank=1 + 2 * more, only="text" if season else ""
        ),
        Column("fed", [Cell(str(one.fed)) for one in found], rank=2 + more),
        Column("best", [Cell("–" if one.best is None else str(one.best)) for one in found], rank=1 + more),
        Column("mean", [Cell(points=one.average) for one in found]),
    ]
    left_out = [] if season else ["ev.", "mean"] if hands else ["ev.", "mean", "hands"]
    return Table([column for column in columns if column.head not in left_out], names=(16,))


def hands_table(evening: Evening) -> Table:
    """Make the table of what was played: how it was won, the score, and what each player won or lost."""
    hands = evening.played
    columns = [
        Column("", [Cell(hand.mark, link=f"hand-{hand.mark}") for hand in hands], spoken="hand"),
        Column("", [Cell(hand.round) for hand in hands], False, only="text"),
        Column("East", [name_cell(hand.seats.get("E", "")) for hand in hands], False, rank=1, only="text"),
        Column("winner", [name_cell(hand.winner or "–") for hand in hands], False, only="text"),
        Column("", [Cell(partial(what_happened, hand)) for hand in hands], False, only="text"),
        Column("won by", list(map(_won_by, hands)), False, only="page", total=Cell("Total")),
        Column(
            "score",
            [Cell("" if hand.score is None else str(hand.score), strong=hand.at_limit) for hand in hands],
        ),
    ]
    players = [
        figures_of(
            name,
            [Cell(points=hand.nets[name], east=hand.seats.get("E") == name) for hand in hands],
            Cell(points=evening.total(name)),
        )
        for name in evening.players
    ]
    sections = [
        (f"{WIND_NAMES[wind]} round" if wind else "", len(played)) for wind, played in rounds(evening)
    ]
    return Table(columns, second=players, second_title="Won and lost", sections=sections)


def _won_by(hand: Played) -> Cell:
    winner = name_cell(hand.winner) if hand.winner is not None else Cell()
    return winner._replace(more=what_happened(hand))


def fed_table(evening: Evening) -> Table:
    """Make the table of who discarded how many winning tiles for whom, and what was paid for them."""
    fed = fed_whom(evening)
    discarders = [*map(name_cell, evening.players), Cell("drawn")]
    columns = [Column("gave ↓ to →", discarders, right=False, kind="name")]
    drawn = {standing.name: standing.drawn for standing in standings(evening)}
    for winner in evening.players:
        cells = []
        for discarder in evening.players:
            given = fed.get((discarder, winner))
            if given is not None:
                cells.append(Cell(str(given.hands), more=f"({given.points})"))
            else:
                cells.append(Cell("·" if discarder == winner else ""))
        columns.append(figures_of(winner, [*cells, Cell(str(drawn[winner] or ""))], Cell()))
    return Table(columns)


def evenings_table(season: Season) -> Table:
    """Make the table of what everybody won or lost each evening."""
    evenings = season.evenings
    titles = [Cell(title_of(evening), more=evening.occasion.date) for evening in evenings]
    numbers = [Cell(str(number)) for number, _ in enumerate(evenings, 1)]
    columns = [
        Column("", numbers, only="page", kind="extra", spoken="number"),
        Column("", [Cell(short(label_of(evening))) for evening in evenings], False, only="text"),
        Column("evening", titles, False, only="page", total=Cell("Total")),
        Column("hands", [Cell(str(hands_played(evening))) for evening in evenings], kind="extra"),
    ]
    won = points_by_evening(season)
    totals = {standing.name: standing.total for standing in standings(*evenings)}
    for name in season.players:
        cells = [Cell(points=points[name]) for _, points in won]
        columns.append(figures_of(name, cells, Cell(points=totals[name])))
    return Table(columns, leading=2, names=(8,))
