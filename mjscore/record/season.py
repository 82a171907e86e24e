"""A season: many evenings, their standings added up. Players are told by name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import accumulate, combinations
from pathlib import Path
from typing import NamedTuple

from mjscore.record.events import HANDS
from mjscore.record.statistics import Course, Evening, Played, standings


class Season(NamedTuple):
    """The evenings of a season, in their order: by date where all have one, else as they were given."""

    evenings: tuple[Evening, ...]

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody who played, in the order in which they came."""
        return tuple(dict.fromkeys(name for evening in self.evenings for name in evening.players))

    @property
    def biggest(self) -> tuple[Evening, Played] | None:
        """Give the hand with the highest score, and its evening; of equals the first."""
        hands = [(evening, hand) for evening in self.evenings for hand in evening.hands_won]
        return max(hands, key=lambda found: found[1].score or 0, default=None)

    def as_json(self) -> dict[str, object]:
        """Give the object that programs read."""
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
            "biggest": biggest and {"file": biggest[0].file, "hand": biggest[1].as_json()},
            "alike": [list(names) for names in names_alike(self.players)],
            "errors": [refusal.as_json() for evening in self.evenings for refusal in evening.refusals],
        }


def season_of(evenings: Iterable[Evening]) -> Season:
    """Give the season that some evenings make up."""
    found = tuple(evenings)
    if all(evening.occasion.date for evening in found):
        found = tuple(sorted(found, key=lambda evening: evening.occasion.date))
    return Season(found)


def title_of(evening: Evening) -> str:
    """Tell what an evening is called: by its title, else by its file, where ``tea-at-anns.mj`` is Tea at anns."""
    if evening.occasion.title:
        return evening.occasion.title
    stem = Path(evening.file).name.partition(".")[0].replace("-", " ").replace("_", " ").strip()
    return stem[:1].upper() + stem[1:] if stem and evening.file != "<stdin>" else "Evening"


def label_of(evening: Evening) -> str:
    """Give the short name of an evening in a chart or table: its day and month, else its title."""
    date = evening.occasion.date
    return date[5:] if date else title_of(evening)


def hands_played(evening: Evening) -> int:
    """Tell how many hands an evening had, draws among them."""
    return sum(played.settlement.kind in HANDS for played in evening.played)


def points_by_evening(season: Season) -> list[tuple[Evening, dict[str, int | None]]]:
    """Tell what everybody won or lost each evening; None who was not there."""
    return [
        (
            evening,
            {name: evening.total(name) if name in evening.players else None for name in season.players},
        )
        for evening in season.evenings
    ]


def season_course(season: Season) -> Course:
    """Give the course of a season, evening by evening; who is not there stands where they stood."""
    by_evening = points_by_evening(season)
    totals = {
        standing.name: tuple(accumulate((points[standing.name] or 0 for _, points in by_evening), initial=0))
        for standing in standings(*season.evenings)
    }
    return Course(totals, tuple(map(label_of, season.evenings)), ())


def names_alike(names: Sequence[str]) -> list[tuple[str, str]]:
    """Give names that look alike, which may be one player's: "Ben" and "ben ", "Zoe" and "Zoë"."""
    return [(one, other) for one, other in combinations(names, 2) if _plain(one) == _plain(other)]


def season_csv(season: Season) -> list[list[object]]:
    """Give a heading, then a row for each evening: everybody's points, empty who was not there; then the totals."""
    rows: list[list[object]] = [["date", "title", "file", "hands", *season.players]]
    for evening, points in points_by_evening(season):
        head = (evening.occasion.date, title_of(evening), evening.file, hands_played(evening))
        rows.append([*head, *points.values()])
    return rows


def _plain(name: str) -> str:
    """Give a name without what the eye passes over: case, accents, spaces, points."""
    spelt = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in spelt if letter.isalnum())
