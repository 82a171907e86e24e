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
    more = int(season)  # a season's table has more columns, of which some tell less
    columns = {
        "place": Column(right=False, kind="place", spoken="place"),
        "name": Column("player", right=False, kind="name"),
        "total": Column("points", kind="total"),
        "evenings": Column("ev.", rank=2),
        "hands": Column("hands", rank=1 + 2 * more, kind="extra" if season else ""),
        "won": Column("won", rank=1 + more),
        "drawn": Column("drawn", rank=1 + 2 * more, only="text" if season else ""),
        "fed": Column("fed", rank=2 + more),
        "best": Column("best", rank=1 + more),
        "average": Column("mean"),
    }
    if not season:
        del columns["evenings"], columns["average"]
        if len({standing.hands for standing in found}) == 1:
            del columns["hands"]
    rows = [[_standing_cell(standing, field) for field in columns] for standing in found]
    return Table(list(columns.values()), rows, names=(16,))


def _standing_cell(standing: Standing, field: str) -> Cell:
    value = getattr(standing, field)
    if field == "name":
        return name_cell(value, strong=standing.place == 1)
    if field in ("total", "average"):
        return Cell(points=value)
    return Cell("–" if value is None else str(value))


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
    rows = [_hand_row(played, evening.players) for played in evening.played]
    sections = [
        (f"{WIND_NAMES[wind]} round" if wind else "", len(played)) for wind, played in rounds(evening)
    ]
    totals = (Cell(points=evening.total(name)) for name in evening.players)
    total: list[Cell | str] = ["", "", "", "", "", "Total", "", *totals]
    players = map(name_column, evening.players)
    return Table([*columns, *players], rows, 1, len(columns), "Won and lost", sections, total)


def _hand_row(played: Played, players: Sequence[str]) -> list[Cell | str]:
    winner = name_cell(played.winner) if played.winner is not None else Cell()
    return [
        Cell(played.mark, link=f"hand-{played.mark}"),
        played.round,
        name_cell(played.seats.get("E", "")),
        winner if played.winner is not None else "–",
        Cell(lambda write: what_happened(played, write)),
        winner._replace(more=what_happened(played)),
        Cell("" if played.score is None else str(played.score), strong=played.at_limit),
        *(Cell(points=played.nets[name], east=played.seats.get("E") == name) for name in players),
    ]


def fed_table(evening: Evening) -> Table:
    """Make the table of who discarded how many winning tiles for whom, and what was paid for them."""
    fed = fed_whom(evening)
    names = evening.players
    rows: list[list[Cell | str]] = []
    for discarder in names:
        cells: list[Cell | str] = [name_cell(discarder)]
        for winner in names:
            given = fed.get((discarder, winner))
            if given is not None:
                cells.append(Cell(str(given.hands), more=f"({given.points})"))
            else:
                cells.append("·" if discarder == winner else "")
        rows.append(cells)
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
