"""An evening or a season as text for the terminal: standings, running totals, hands, who fed whom, the biggest hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from textwrap import indent, wrap

from mjscore.page.chart import chart
from mjscore.page.evening_tables import evenings_table, fed_table, hands_table, standings_table
from mjscore.page.picture import draw_report
from mjscore.page.settlements import paid_by_pair
from mjscore.page.sheets import show_sheet
from mjscore.page.tables import show_table
from mjscore.page.text import Style, counted, indented
from mjscore.page.tiles import render_tiles
from mjscore.record.events import HANDS
from mjscore.record.season import Season, hands_played, names_alike, season_course, title_of
from mjscore.record.statistics import (
    Evening,
    Played,
    biggest,
    course_of,
    standings,
    what_happened,
)
from mjscore.refusal import visible


def show_evening(evening: Evening, style: Style, title: str, tile_style: str | None = None) -> str:
    """Show the whole report, in ``style.width`` columns."""
    ranks = [show_table(standings_table(standings(evening)), style)]
    ranks += map(style.faint, wrap(changes_text(evening), style.width))
    hands = [show_table(hands_table(evening), style)]
    hands += [
        style.bad(f"hand {hand.mark} is left out: {visible(evening.file)}:{hand.line}")
        for hand in evening.left_out
    ]
    fed = [show_table(fed_table(evening), style)]
    if "(" in fed[0]:
        note = "hands, and in brackets what the discarder paid for them"
        fed += map(style.faint, wrap(note, style.width))
    most = biggest(evening)
    sections = {
        "Standings": ranks,
        "Running totals": [chart(course_of(evening), style)],
        "Hands": hands,
        "Who fed whom": fed if evening.hands_won else [],
        "The biggest hand": _biggest(most, style, tile_style) if most is not None else [],
    }
    texts = [evening.occasion.date, rules_text(evening), hands_text(evening)]
    return _report(title, texts, sections, evening.closing_notes, style)


def show_season(season: Season, style: Style, title: str) -> str:
    """Show the whole report of a season, in ``style.width`` columns."""
    sections = {
        "Standings": [show_table(standings_table(standings(*season.evenings), season=True), style)],
        "Running totals": [chart(season_course(season), style)],
        "Points by evening": [show_table(evenings_table(season), style)],
        "The biggest hand": wrap(biggest_text(season), style.width),
    }
    return _report(title, [season_text(season)], sections, alike_text(season), style)


def _report(
    title: str,
    texts: Iterable[str],
    sections: Mapping[str, Iterable[str]],
    closing: Iterable[str],
    style: Style,
) -> str:
    """Put a report together: its title, *texts* of what it is about, the sections that are not empty, *closing* lines."""
    head = [style.strong(line) for line in wrap(visible(title), style.width)]
    head += [style.faint(line) for text in texts for line in wrap(text, style.width)]
    parts = [head]
    parts += [[style.strong(name), *lines] for name, lines in sections.items() if lines]
    parts += [wrap(visible(line), style.width) for line in closing]
    return "\n\n".join(map("\n".join, parts))


def evening_picture(evening: Evening, title: str) -> str:
    """Draw an evening as one picture in SVG."""
    texts = [evening.occasion.date, rules_text(evening), hands_text(evening)]
    most = biggest(evening)
    said, sheet = (_won(most), most.sheet) if most is not None else ("", None)
    return draw_report(title, texts, standings(evening), course_of(evening), said, sheet)


def season_picture(season: Season, title: str) -> str:
    """Draw a season as one picture in SVG."""
    found = standings(*season.evenings)
    sheet = season.biggest[1].sheet if season.biggest is not None else None
    return draw_report(
        title, [season_text(season)], found, season_course(season), biggest_text(season), sheet
    )


def changes_text(evening: Evening) -> str:
    """Say of everybody who did not play to the end which hand they played last, where seats changed; else nothing."""
    if all(played.settlement.kind != "seat" for played in evening.played):
        return ""
    hands = [played for played in evening.played if played.settlement.kind in HANDS]
    last = {name: played.mark for played in hands for name in evening.players if played.was_played_by(name)}
    return "; ".join(
        f"{visible(name)} played last in hand {mark}" for name, mark in last.items() if mark != hands[-1].mark
    )


def rules_text(evening: Evening) -> str:
    """Give the rulebooks played by, each with its limit if it has played."""
    return "; ".join(
        book.title + (f", limit {book.limit}" if book.limit is not None else "") for book in evening.books
    )


def hands_text(evening: Evening) -> str:
    """Tell how many hands were played, and how many of them nobody won."""
    text = counted(hands_played(evening), "hand", "hands")
    draws = sum(played.settlement.kind == "draw" for played in evening.played)
    return f"{text}, {counted(draws, 'draw', 'draws')} among them" if draws else text


def season_text(season: Season) -> str:
    """Tell how many evenings and hands a season had, and from when to when."""
    evenings = counted(len(season.evenings), "evening", "evenings")
    hands = counted(sum(map(hands_played, season.evenings)), "hand", "hands")
    dates = [evening.occasion.date for evening in season.evenings]
    return f"{evenings}, {hands}" + (f", {dates[0]} to {dates[-1]}" if all(dates) else "")


def _won(played: Played) -> str:
    return f"{visible(str(played.winner))} wins {played.score} {what_happened(played, visible)}"


def biggest_text(season: Season) -> str:
    """Tell who won the hand with the highest score, and when; empty where nobody won any."""
    if season.biggest is None:
        return ""
    evening, hand = season.biggest
    return f"{_won(hand)} in hand {hand.mark} of {visible(title_of(evening))}"


def _biggest(played: Played, style: Style, tile_style: str | None) -> list[str]:
    """Show the biggest hand of an evening: its sheet, who paid the winner, and what moved that from the usual."""
    label = f", “{visible(played.label)}”" if played.label else ""
    lines = wrap(f"Hand {played.mark}{label}: {_won(played)}", style.width)
    if played.sheet is None:
        return lines
    tiles = indent(render_tiles(played.sheet, tile_style, style.width - 2, played.seats), "  ")
    # the sheet alone cannot know of a player who pays for others: who paid is told from the settlement
    lines.append(show_sheet(played.sheet, played.book, style, tiles, names=played.seats, pays=False))
    settlement = played.settlement
    payers = "; ".join(
        f"{visible(str(played.named(payer)))} pays {points}"
        for (payer, payee), points in paid_by_pair(settlement).items()
        if payee == settlement.winner
    )
    for text in (payers or "nobody pays anything", *map(visible, settlement.remarks)):
        lines += indented(text, style)
    return lines


def alike_text(season: Season) -> list[str]:
    """Tell what is to be said of names that look alike."""
    return [
        f"“{visible(one)}” and “{visible(other)}” are counted as two players; if they are one, write the name "
        "alike in both files"
        for one, other in names_alike(season.players)
    ]
