"""The tables of an evening and of a season, each worked out once for the terminal and for the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
    more = int(season)  # a season's table has more columns, of which some tell less
    columns: list[tuple[bool, Column, Callable[[Standing], Cell]]] = [
        (True, Column(right=False, kind="place", spoken="place"), lambda one: Cell(str(one.place))),
        (True, Column("player", right=False, kind="name"), lambda one: name_cell(one.name, one.place == 1)),
        (True, Column("points", kind="total"), lambda one: Cell(points=one.total)),
        (season, Column("ev.", rank=2), lambda one: Cell(str(one.evenings))),
        (
            hands,
            Column("hands", rank=1 + 2 * more, kind="extra" if season else ""),
            lambda one: Cell(str(one.hands)),
        ),
        (True, Column("won", rank=1 + more), lambda one: Cell(str(one.won))),
        (
            True,
            Column("drawn", rank=1 + 2 * more, only="text" if season else ""),
            lambda one: Cell(str(one.drawn)),
        ),
        (True, Column("fed", rank=2 + more), lambda one: Cell(str(one.fed))),
        (True, Column("best", rank=1 + more), lambda one: Cell("–" if one.best is None else str(one.best))),
        (season, Column("mean"), lambda one: Cell(points=one.average)),
    ]
    chosen = [(column, cell) for wanted, column, cell in columns if wanted]
    rows = [[cell(standing) for _, cell in chosen] for standing in found]
    return Table([column for column, _ in chosen], rows, names=(16,))


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
