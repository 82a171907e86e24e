"""An evening as text for the terminal: standings, running totals, hands, who fed whom, the biggest hand."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import indent, wrap

from mjscore.page.chart import chart
from mjscore.page.sheets import show_sheet
from mjscore.page.tables import broken_table, columns_of, first_that_fits, fits, table
from mjscore.page.text import LONGEST_NAME, Style, counted, short
from mjscore.page.tiles import render_tiles
from mjscore.record.events import HANDS
from mjscore.record.statistics import (
    Evening,
    Played,
    biggest,
    course_of,
    fed_whom,
    standings,
    what_happened,
)
from mjscore.refusal import text_width, visible


def show_evening(evening: Evening, style: Style, title: str, tile_style: str | None = None) -> str:
    """The whole report, in ``style.width`` columns."""
    parts = [
        heading(title, [evening.occasion.date, rules_text(evening), hands_text(evening)], style),
        section("Standings", _standings(evening, style), style),
        section("Running totals", chart(course_of(evening), style), style),
        section("Hands", _hands(evening, style), style),
    ]
    if evening.hands_won:
        parts.append(section("Who fed whom", _fed(evening, style), style))
    most = biggest(evening)
    if most is not None:
        parts.append(section("The biggest hand", _biggest(most, style, tile_style), style))
    parts += ["\n".join(wrap(visible(note), style.width)) for note in evening.closing_notes]
    return "\n\n".join(parts)


def heading(title: str, texts: Iterable[str], style: Style) -> str:
    """The head of a report: its title, and below it what it is about."""
    lines = [style.strong(line) for line in wrap(visible(title), style.width)]
    return "\n".join(lines + [style.faint(line) for text in texts for line in wrap(text, style.width)])


def section(title: str, text: str, style: Style) -> str:
    """A part of a report under its title."""
    return f"{style.strong(title)}\n{text}"


def rules_text(evening: Evening) -> str:
    """The rulebooks played by, each with its limit if it has played."""
    return "; ".join(
        book.title + (f", limit {book.limit}" if book.limit is not None else "") for book in evening.books
    )


def hands_text(evening: Evening) -> str:
    """How many hands were played, and how many of them nobody won."""
    hands = [played for played in evening.played if played.settlement.kind in HANDS]
    draws = sum(played.settlement.kind == "draw" for played in hands)
    text = counted(len(hands), "hand", "hands")
    return f"{text}, {counted(draws, 'draw', 'draws')} among them" if draws else text


def _standings(evening: Evening, style: Style) -> str:
    rows = [
        [
            str(standing.place),
            style.strong(short(standing.name)) if standing.place == 1 else short(standing.name),
            style.points(standing.total),
            str(standing.won),
            str(standing.drawn),
            str(standing.fed),
            "–" if standing.best is None else str(standing.best),
        ]
        for standing in standings(evening)
    ]
    heads = ["", "player", "points", "won", "drawn", "fed", "best"]
    # of what there is no room for, the least telling is left out
    shown = (range(len(heads)), (0, 1, 2, 3, 6), (0, 1, 2))
    return first_that_fits((columns_of(rows, heads, "llrrrrr", columns) for columns in shown), style)


def _hands(evening: Evening, style: Style) -> str:
    longest = max(text_width(visible(name)) for name in evening.players)
    for columns in (min(longest, LONGEST_NAME), 9, 7):
        rows = [
            [*_hand_cells(played, columns, style), *_net_cells(played, evening, style)]
            for played in evening.played
        ]
        heads = [*_HAND_HEADS, *(short(name, columns) for name in evening.players)]
        wide = table(rows, heads, "rllllr" + "r" * len(evening.players))
        if fits(wide, style):
            return "\n".join([wide, *_left_out(evening, style)])
    everything, without_east = range(6), (0, 1, 3, 4, 5)
    hands = first_that_fits(
        (
            columns_of(
                [_hand_cells(played, columns, style) for played in evening.played],
                _HAND_HEADS,
                "rllllr",
                shown,
            )
            for shown, several in ((everything, (8, 7)), (without_east, (8, 7, 6, 5)))
            for columns in several
        ),
        style,
    )
    nets = broken_table(
        [[str(played.mark), *_net_cells(played, evening, style)] for played in evening.played],
        ["", *(short(name, 7) for name in evening.players)],
        "r" * (len(evening.players) + 1),
        1,
        style,
    )
    return "\n".join([hands, *_left_out(evening, style), "", style.strong("Won and lost"), nets])


_HAND_HEADS = ["", "", "East", "winner", "", "score"]


def _hand_cells(played: Played, columns: int, style: Style) -> list[str]:
    score = "" if played.score is None else str(played.score)
    return [
        str(played.mark),
        played.round,
        short(played.seats.get("E", ""), columns),
        short(played.winner, columns) if played.winner is not None else "–",
        what_happened(played, lambda name: short(name, columns)),
        style.strong(score) if played.at_limit else score,
    ]


def _net_cells(played: Played, evening: Evening, style: Style) -> list[str]:
    return [style.points(played.nets[name]) for name in evening.players]


def _left_out(evening: Evening, style: Style) -> list[str]:
    return [
        style.bad(f"hand {hand.mark} is left out: {visible(evening.file)}:{hand.line}")
        for hand in evening.left_out
    ]


def _fed(evening: Evening, style: Style) -> str:
    for columns in (LONGEST_NAME, 10, 7):
        fed_table = _fed_table(evening, columns, True)
        if fits(fed_table, style):
            note = wrap("hands, and in brackets what the discarder paid for them", style.width)
            return "\n".join([fed_table, *map(style.faint, note)])
    return first_that_fits((_fed_table(evening, columns, False) for columns in (7, 6, 5, 4)), style)


def _fed_table(evening: Evening, columns: int, paid: bool) -> str:
    fed = fed_whom(evening)
    names = evening.players
    rows = []
    for discarder in names:
        cells = []
        for winner in names:
            given = fed.get((discarder, winner))
            if given is None:
                cells.append("·" if discarder == winner else "")
            else:
                cells.append(f"{given.hands} ({given.points})" if paid else str(given.hands))
        rows.append([short(discarder, columns), *cells])
    drawn = {standing.name: standing.drawn for standing in standings(evening)}
    rows.append(["drawn", *(str(drawn[name] or "") for name in names)])
    head = "gave ↓ to →" if paid else "↓ to →"
    return table(rows, [head, *(short(name, columns) for name in names)], "l" + "r" * len(names))


def _biggest(played: Played, style: Style, tile_style: str | None) -> str:
    label = f", “{visible(played.label)}”" if played.label else ""
    happened = f"{visible(str(played.winner))} wins {played.score} {what_happened(played, visible)}"
    head = "\n".join(wrap(f"Hand {played.mark}{label}: {happened}", style.width))
    if played.sheet is None:
        return head
    tiles = indent(render_tiles(played.sheet, tile_style, style.width - 2, played.seats), "  ")
    # the sheet alone cannot know of a player who pays for others: who paid is told from the settlement
    sheet = show_sheet(played.sheet, played.book, style, tiles, names=played.seats, pays=False)
    return "\n".join([head, sheet, *_paid(played, style)])


def _paid(played: Played, style: Style) -> list[str]:
    """Who paid the winner, and what moved that from the usual."""
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
