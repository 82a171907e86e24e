"""An evening or a season as text for the terminal: standings, running totals, hands, who fed whom, the biggest hand."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import indent, wrap

from mjscore.page.chart import chart
from mjscore.page.evening_tables import evenings_table, fed_table, hands_table, standings_table
from mjscore.page.picture import draw_report
from mjscore.page.sheets import show_sheet
from mjscore.page.tables import show_table
from mjscore.page.text import Style, counted
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
    parts = [
        heading(title, [evening.occasion.date, rules_text(evening), hands_text(evening)], style),
        section("Standings", _standings(evening, style), style),
        section("Running totals", chart(course_of(evening), style), style),
        section(
            "Hands", "\n".join([show_table(hands_table(evening), style), *_left_out(evening, style)]), style
        ),
    ]
    if evening.hands_won:
        parts.append(section("Who fed whom", _fed(evening, style), style))
    most = biggest(evening)
    if most is not None:
        parts.append(section("The biggest hand", _biggest(most, style, tile_style), style))
    parts += ["\n".join(wrap(visible(note), style.width)) for note in evening.closing_notes]
    return "\n\n".join(parts)


def changes_text(evening: Evening) -> str:
    """Say of everybody who did not play to the end which hand they played last, where seats changed; else nothing."""
    if all(played.settlement.kind != "seat" for played in evening.played):
        return ""
    hands = [played for played in evening.played if played.settlement.kind in HANDS]
    last = {name: played.mark for played in hands for name in evening.players if played.was_played_by(name)}
    return "; ".join(
        f"{visible(name)} played last in hand {mark}" for name, mark in last.items() if mark != hands[-1].mark
    )


def evening_picture(evening: Evening, title: str) -> str:
    """Draw an evening as one picture in SVG."""
    texts = [text for text in (evening.occasion.date, rules_text(evening), hands_text(evening)) if text]
    most = biggest(evening)
    said = _won(most) if most is not None else ""
    sheet = most.sheet if most is not None else None
    return draw_report(title, texts, standings(evening), course_of(evening), said, sheet)


def heading(title: str, texts: Iterable[str], style: Style) -> str:
    """Show the head of a report: its title, and below it what it is about."""
    lines = [style.strong(line) for line in wrap(visible(title), style.width)]
    return "\n".join(lines + [style.faint(line) for text in texts for line in wrap(text, style.width)])


def section(title: str, text: str, style: Style) -> str:
    """Show a part of a report under its title."""
    return f"{style.strong(title)}\n{text}"


def rules_text(evening: Evening) -> str:
    """Give the rulebooks played by, each with its limit if it has played."""
    return "; ".join(
        book.title + (f", limit {book.limit}" if book.limit is not None else "") for book in evening.books
    )


def hands_text(evening: Evening) -> str:
    """Tell how many hands were played, and how many of them nobody won."""
    hands = [played for played in evening.played if played.settlement.kind in HANDS]
    draws = sum(played.settlement.kind == "draw" for played in hands)
    text = counted(len(hands), "hand", "hands")
    return f"{text}, {counted(draws, 'draw', 'draws')} among them" if draws else text


def _standings(evening: Evening, style: Style) -> str:
    note = wrap(changes_text(evening), style.width)
    return "\n".join([show_table(standings_table(standings(evening)), style), *map(style.faint, note)])


def _left_out(evening: Evening, style: Style) -> list[str]:
    return [
        style.bad(f"hand {hand.mark} is left out: {visible(evening.file)}:{hand.line}")
        for hand in evening.left_out
    ]


def _fed(evening: Evening, style: Style) -> str:
    shown = show_table(fed_table(evening), style)
    note = wrap("hands, and in brackets what the discarder paid for them", style.width)
    return "\n".join([shown, *(map(style.faint, note) if "(" in shown else ())])


def _biggest(played: Played, style: Style, tile_style: str | None) -> str:
    label = f", “{visible(played.label)}”" if played.label else ""
    head = "\n".join(wrap(f"Hand {played.mark}{label}: {_won(played)}", style.width))
    if played.sheet is None:
        return head
    tiles = indent(render_tiles(played.sheet, tile_style, style.width - 2, played.seats), "  ")
    # the sheet alone cannot know of a player who pays for others: who paid is told from the settlement
    sheet = show_sheet(played.sheet, played.book, style, tiles, names=played.seats, pays=False)
    return "\n".join([head, sheet, *_paid(played, style)])


def _won(played: Played) -> str:
    return f"{visible(str(played.winner))} wins {played.score} {what_happened(played, visible)}"


def _paid(played: Played, style: Style) -> list[str]:
    """Tell who paid the winner, and what moved that from the usual."""
    settlement = played.settlement
    paid: dict[str, int] = {}
    for payment in settlement.payments:
        if payment.payee == settlement.winner:
            payer = visible(str(played.named(payment.payer)))
            paid[payer] = paid.get(payer, 0) + payment.points
    payers = "; ".join(f"{payer} pays {amount}" for payer, amount in paid.items()) or "nobody pays anything"
    lines = []
    for line in (payers, *map(visible, settlement.remarks)):
        lines += wrap(line, style.width - 2, initial_indent="  ", subsequent_indent="  ")
    return lines


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
