"""A season: evenings in order, their standings, best hands and totals, and names that may mean one player."""

import unicodedata
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate, combinations
from typing import NamedTuple

from mjscore.notation.names import one_letter_apart
from mjscore.record.statistics import (
    Played,
    RecordedEvening,
    RunningTotals,
    fed_json,
    hands_played,
    label_of,
    standings,
    title_of,
)

BEST_HANDS = 5  # listed


class Season(NamedTuple):
    """The evenings of a season, ordered by date if all have one."""

    evenings: tuple[RecordedEvening, ...]

    @property
    def players(self) -> tuple[str, ...]:
        """Return everybody who played, in the order in which they first appeared."""
        return tuple(dict.fromkeys(name for evening in self.evenings for name in evening.players))

    @property
    def best_hands(self) -> list[tuple[RecordedEvening, Played]]:
        """Return evening and hand of the highest scores, five at most; of equals, the first comes first."""
        hands = [(evening, hand) for evening in self.evenings for hand in evening.hands_won]
        return sorted(hands, key=lambda won: -(won[1].score or 0))[:BEST_HANDS]

    @property
    def biggest(self) -> tuple[RecordedEvening, Played] | None:
        """Return the first of the best hands, or None."""
        return next(iter(self.best_hands), None)

    @property
    def evenings_won(self) -> Counter[str]:
        """Return how many evenings each player has won, counting shared first places."""
        return Counter(one.name for evening in self.evenings for one in standings(evening) if one.place == 1)

    def as_json(self) -> dict[str, object]:
        """Return the JSON object of ``mjscore report`` for a season: its evenings, standings and the like."""
        biggest = self.biggest
        return {
            "players": list(self.players),
            "standings": [standing._asdict() for standing in standings(*self.evenings)],
            "evenings": [
                {
                    "file": evening.file,
                    "title": title_of(evening),
                    "date": evening.occasion.date or None,
                    "hands": hands_played(evening),
                    "points": {name: evening.total(name) for name in evening.players},
                }
                for evening in self.evenings
            ],
            "evenings_won": dict(self.evenings_won),
            "fed": fed_json(*self.evenings),
            "biggest": biggest and {"file": biggest[0].file, "hand": biggest[1].as_json()},
            "best": [{"file": evening.file, "hand": hand.as_json()} for evening, hand in self.best_hands],
            "alike": [list(names) for names in names_alike(self)],
            "errors": [refusal.as_json() for evening in self.evenings for refusal in evening.refusals],
        }


def season_of(evenings: Iterable[RecordedEvening]) -> Season:
    """Return the season of some evenings."""
    in_order = tuple(evenings)
    if all(evening.occasion.date for evening in in_order):
        in_order = tuple(sorted(in_order, key=lambda evening: evening.occasion.date))
    return Season(in_order)


def points_by_evening(season: Season) -> list[dict[str, int | None]]:
    """Return what everybody won or lost each evening; None for players who were not there."""
    return [
        {name: evening.total(name) if name in evening.players else None for name in season.players}
        for evening in season.evenings
    ]


def season_course(season: Season) -> RunningTotals:
    """Return the running totals of a season by evening; the total of an absent player stays unchanged."""
    by_evening = points_by_evening(season)
    names = [standing.name for standing in standings(*season.evenings)]
    won = {name: [points[name] or 0 for points in by_evening] for name in names}
    totals = {name: tuple(accumulate(points, initial=0)) for name, points in won.items()}
    return RunningTotals(totals, tuple(map(label_of, season.evenings)), ())


def names_alike(season: Season) -> list[tuple[str, str]]:
    """Return pairs of names that may mean one player: "Zoe" and "Zoë", or "Ben" and "Benn" if they never met at a table."""
    tables = {tuple(hand.seats.values()) for evening in season.evenings for hand in evening.played}
    met = {frozenset(two) for table in tables for two in combinations(table, 2)}
    return [
        (one, other)
        for one, other in combinations(season.players, 2)
        if _plain(one) == _plain(other) or (one_letter_apart(one, other) and {one, other} not in met)
    ]


def season_csv(season: Season) -> list[list[object]]:
    """Return a heading, then a row for each evening with everybody's points, empty for players who were not there."""
    rows: list[list[object]] = [["date", "title", "file", "hands", *season.players]]
    for evening, points in zip(season.evenings, points_by_evening(season), strict=True):
        head = (evening.occasion.date, title_of(evening), evening.file, hands_played(evening))
        rows.append([*head, *points.values()])
    return rows


def _plain(name: str) -> str:
    """Return a name without the differences that are easily overlooked: case, accents, spaces, punctuation."""
    spelt = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in spelt if letter.isalnum())
