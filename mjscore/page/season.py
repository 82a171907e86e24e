"""A season as text for the terminal: standings, the course of the evenings, points by evening."""

from __future__ import annotations

from textwrap import wrap

from mjscore.page.chart import chart
from mjscore.page.evening_tables import evenings_table, standings_table
from mjscore.page.picture import draw_report
from mjscore.page.report import heading, section
from mjscore.page.tables import show_table
from mjscore.page.text import Style, counted
from mjscore.record.season import (
    Season,
    hands_played,
    names_alike,
    season_course,
    title_of,
)
from mjscore.record.statistics import standings, what_happened
from mjscore.refusal import visible


def show_season(season: Season, style: Style, title: str) -> str:
    """Show the whole report of a season, in ``style.width`` columns."""
    parts = [
        heading(title, [season_text(season)], style),
        section(
            "Standings", show_table(standings_table(standings(*season.evenings), season=True), style), style
        ),
        section("Running totals", chart(season_course(season), style), style),
        section("Points by evening", show_table(evenings_table(season), style), style),
    ]
    biggest = biggest_text(season)
    parts += [section("The biggest hand", "\n".join(wrap(biggest, style.width)), style)] if biggest else []
    parts += ["\n".join(wrap(line, style.width)) for line in alike_text(season)]
    return "\n\n".join(parts)


def season_picture(season: Season, title: str) -> str:
    """Draw a season as one picture in SVG."""
    found = standings(*season.evenings)
    sheet = season.biggest[1].sheet if season.biggest is not None else None
    return draw_report(
        title, [season_text(season)], found, season_course(season), biggest_text(season), sheet
    )


def season_text(season: Season) -> str:
    """Tell how many evenings and hands a season had, and from when to when."""
    evenings = counted(len(season.evenings), "evening", "evenings")
    hands = counted(sum(map(hands_played, season.evenings)), "hand", "hands")
    dates = [evening.occasion.date for evening in season.evenings]
    return f"{evenings}, {hands}" + (f", {dates[0]} to {dates[-1]}" if all(dates) else "")


def biggest_text(season: Season) -> str:
    """Tell who won the hand with the highest score, and when; empty where nobody won any."""
    if season.biggest is None:
        return ""
    evening, hand = season.biggest
    how = what_happened(hand, visible)
    return f"{visible(str(hand.winner))} wins {hand.score} {how} in hand {hand.mark} of {visible(title_of(evening))}"


def alike_text(season: Season) -> list[str]:
    """Tell what is to be said of names that look alike."""
    return [
        f"“{visible(one)}” and “{visible(other)}” are counted as two players; if they are one, write the name "
        "alike in both files"
        for one, other in names_alike(season.players)
    ]
