"""The tables of an evening and of a season, each worked out once for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Sequence

from mjscore.game.tiles import WIND_NAMES
from mjscore.page.tables import Cell, Column, Table, name_cell, name_column
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
    hands = season or len({standing.hands for standing in found}) > 1
    columns = [
        Column(right=False, kind="place", spoken="place"),
        Column("player", right=False, kind="name"),
        Column("points", kind="total"),
        *([Column("ev.", rank=2)] if season else []),
        *([Column("hands", rank=3 if season else 1, kind="extra" if season else "")] if hands else []),
        Column("won", rank=2 if season else 1),
        Column("drawn", rank=3 if season else 1, only="text" if season else ""),
        Column("fed", rank=3 if season else 2),
        Column("best", rank=2 if season else 1),
        *([Column("mean")] if season else []),
    ]
    rows: list[list[Cell | str]] = [
        [
            str(standing.place),
            name_cell(standing.name, strong=standing.place == 1),
            Cell(points=standing.total),
            *([str(standing.evenings)] if season else []),
            *([str(standing.hands)] if hands else []),
            str(standing.won),
            str(standing.drawn),
            str(standing.fed),
            "–" if standing.best is None else str(standing.best),
            *([Cell(points=standing.average)] if season else []),
        ]
        for standing in found
    ]
    return Table(columns, rows, names=(16,))


def hands_table(evening: Evening) -> Table:
    """Make the table of what was played: how it was won, the score, and what each player won or lost."""
    columns = [
        Column(spoken="hand"),
        Column(right=False, only="text"),
        Column("East", right=False, rank=1, only="text"),
        Column("winner", right=False, only="text"),
        Column(right=False, only="text"),
        Column("won by", right=False, only="page"),
        Column("score"),
    ]
    rows = [
        [*_hand_cells(played), *(_net_cell(played, name) for name in evening.players)]
        for played in evening.played
    ]
    sections = [
        (f"{WIND_NAMES[wind]} round" if wind else "", len(played)) for wind, played in rounds(evening)
    ]
    total: list[Cell | str] = [
        "",
        "",
        "",
        "",
        "",
        "Total",
        "",
        *(Cell(points=evening.total(name)) for name in evening.players),
    ]
    players = [name_column(name) for name in evening.players]
    return Table([*columns, *players], rows, 1, len(columns), "Won and lost", sections, total)


def _hand_cells(played: Played) -> list[Cell | str]:
    happened = Cell(lambda write: what_happened(played, write))
    winner = name_cell(played.winner) if played.winner is not None else Cell("–")
    won = winner if played.winner is not None else Cell()
    return [
        Cell(played.mark, link=f"hand-{played.mark}"),
        played.round,
        name_cell(played.seats.get("E", "")),
        winner,
        happened,
        won._replace(more=what_happened(played)),
        Cell("" if played.score is None else str(played.score), strong=played.at_limit),
    ]


def _net_cell(played: Played, name: str) -> Cell:
    return Cell(points=played.nets[name], east=played.seats.get("E") == name)


def fed_table(evening: Evening) -> Table:
    """Make the table of who discarded how many winning tiles for whom, and what was paid for them."""
    fed = fed_whom(evening)
    names = evening.players
    rows: list[list[Cell | str]] = []
    for discarder in names:
        cells: list[Cell | str] = []
        for winner in names:
            given = fed.get((discarder, winner))
            if given is None:
                cells.append("·" if discarder == winner else "")
            else:
                cells.append(Cell(str(given.hands), more=f"({given.points})"))
        rows.append([name_cell(discarder), *cells])
    drawn = {standing.name: standing.drawn for standing in standings(evening)}
    rows.append(["drawn", *(str(drawn[name] or "") for name in names)])
    head = Column("gave ↓ to →", right=False, kind="name")
    return Table([head, *map(name_column, names)], rows)


def evenings_table(season: Season) -> Table:
    """Make the table of what everybody won or lost each evening."""
    columns = [
        Column(only="page", kind="extra", spoken="number"),
        Column(right=False, only="text"),
        Column("evening", right=False, only="page"),
        Column("hands", kind="extra"),
    ]
    rows: list[list[Cell | str]] = [
        [
            str(number),
            short(label_of(evening)),
            Cell(title_of(evening), more=evening.occasion.date),
            str(hands_played(evening)),
            *("" if amount is None else Cell(points=amount) for amount in points.values()),
        ]
        for number, (evening, points) in enumerate(points_by_evening(season), 1)
    ]
    totals = {standing.name: standing.total for standing in standings(*season.evenings)}
    total: list[Cell | str] = ["", "", "Total", "", *(Cell(points=totals[name]) for name in season.players)]
    players = map(name_column, season.players)
    return Table([*columns, *players], rows, 2, total=total, names=(8,))
