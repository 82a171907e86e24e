"""A season as text for the terminal: standings, the course of the evenings, points by evening."""

from __future__ import annotations

from textwrap import wrap

from mjscore.page.chart import chart
from mjscore.page.report import heading, section
from mjscore.page.tables import broken_table, columns_of, first_that_fits
from mjscore.page.text import Style, counted, short
from mjscore.record.season import (
    Season,
    hands_played,
    label_of,
    names_alike,
    points_by_evening,
    season_course,
    season_standings,
    title_of,
)
from mjscore.record.statistics import what_happened
from mjscore.refusal import visible


def show_season(season: Season, style: Style, title: str) -> str:
    """The whole report of a season, in ``style.width`` columns."""
    parts = [
        heading(title, [season_text(season)], style),
        section("Standings", _standings(season, style), style),
        section("Running totals", chart(season_course(season), style), style),
        section("Points by evening", _by_evening(season, style), style),
    ]
    biggest = biggest_text(season)
    parts += [section("The biggest hand", "\n".join(wrap(biggest, style.width)), style)] if biggest else []
    parts += ["\n".join(wrap(line, style.width)) for line in alike_text(season)]
    return "\n\n".join(parts)


def season_text(season: Season) -> str:
    """How many evenings and hands a season had, and from when to when."""
    evenings = counted(len(season.evenings), "evening", "evenings")
    hands = counted(sum(map(hands_played, season.evenings)), "hand", "hands")
    dates = [evening.occasion.date for evening in season.evenings]
    return f"{evenings}, {hands}" + (f", {dates[0]} to {dates[-1]}" if all(dates) else "")


def biggest_text(season: Season) -> str:
    """Who won the hand with the highest score, and when; empty where nobody won any."""
    if season.biggest is None:
        return ""
    evening, hand = season.biggest
    how = what_happened(hand, visible)
    return f"{visible(str(hand.winner))} wins {hand.score} {how} in hand {hand.mark} of {visible(title_of(evening))}"


def alike_text(season: Season) -> list[str]:
    """What is to be said of names that look alike."""
    return [
        f"“{visible(one)}” and “{visible(other)}” are counted as two players; if they are one, write the name "
        "alike in both files"
        for one, other in names_alike(season.players)
    ]


def _standings(season: Season, style: Style) -> str:
    rows = [
        [
            str(standing.place),
            style.strong(short(standing.name)) if standing.place == 1 else short(standing.name),
            style.points(standing.total),
            str(standing.evenings),
            str(standing.hands),
            str(standing.won),
            str(standing.drawn),
            str(standing.fed),
            "–" if standing.best is None else str(standing.best),
            style.points(standing.average),
        ]
        for standing in season_standings(season)
    ]
    heads = ["", "player", "points", "evenings", "hands", "won", "drawn", "fed", "best", "a hand"]
    # of what there is no room for, the least telling is left out
    shown = (range(len(heads)), (0, 1, 2, 3, 5, 7, 9), (0, 1, 2, 9))
    return first_that_fits((columns_of(rows, heads, "ll" + "r" * 8, columns) for columns in shown), style)


def _by_evening(season: Season, style: Style) -> str:
    rows = [
        [
            short(label_of(evening)),
            str(hands_played(evening)),
            *("" if amount is None else style.points(amount) for amount in points.values()),
        ]
        for evening, points in points_by_evening(season)
    ]
    heads = ["", "hands", *(short(name, 8) for name in season.players)]
    return broken_table(rows, heads, "l" + "r" * (len(heads) - 1), 2, style)
