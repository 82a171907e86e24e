"""An evening as text for the terminal: standings, running totals, hands, who fed whom, the biggest hand."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent, wrap

from mjscore.page.chart import chart
from mjscore.page.sheets import show_sheet
from mjscore.page.text import LONGEST_NAME, Style, counted, short
from mjscore.page.tiles import render_tiles
from mjscore.record.marks import HANDS
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
        _heading(evening, style, title),
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


def _heading(evening: Evening, style: Style, title: str) -> str:
    lines = [style.strong(line) for line in wrap(visible(title), style.width)]
    for text in (evening.occasion.date, rules_text(evening), hands_text(evening)):
        lines += [style.faint(line) for line in wrap(text, style.width)]
    return "\n".join(lines)


def table(rows: Sequence[Sequence[str]], headers: Sequence[str], aligned: str) -> str:
    """A table; *aligned* has a letter for each column, ``l`` or ``r``."""
    from tabulate import SEPARATING_LINE, tabulate

    # headings given as such would be widened by two columns each, and a narrow terminal needs those
    table = tabulate(
        [headers, SEPARATING_LINE, *rows],
        tablefmt="simple",
        disable_numparse=True,
        colalign=["left" if letter == "l" else "right" for letter in aligned],
    )
    return "\n".join(line.rstrip() for line in table.splitlines()[1:-1])


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
    return table(rows, ["", "player", "points", "won", "drawn", "fed", "best"], "llrrrrr")


def _hands(evening: Evening, style: Style) -> str:
    longest = max(text_width(visible(name)) for name in evening.players)
    for columns in (min(longest, LONGEST_NAME), 9, 7):
        wide = table(
            [
                [*_hand_cells(played, columns, style), *_net_cells(played, evening, style)]
                for played in evening.played
            ],
            ["", "", "East", "winner", "", "score", *(short(name, columns) for name in evening.players)],
            "rllllr" + "r" * len(evening.players),
        )
        if _fits(wide, style):
            return "\n".join([wide, *_left_out(evening, style)])
    hands = table(
        [_hand_cells(played, 8, style) for played in evening.played],
        ["", "", "East", "winner", "", "score"],
        "rllllr",
    )
    nets = table(
        [[str(played.mark), *_net_cells(played, evening, style)] for played in evening.played],
        ["", *(short(name, 7) for name in evening.players)],
        "r" * (len(evening.players) + 1),
    )
    return "\n".join([hands, *_left_out(evening, style), "", style.strong("Won and lost"), nets])


def _fits(table: str, style: Style) -> bool:
    # the rule below the heading is as wide as the table, and has no colour in it
    return text_width(table.splitlines()[1]) <= style.width


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
        if _fits(fed_table, style):
            return fed_table + "\n" + style.faint("hands, and in brackets what the discarder paid for them")
    return _fed_table(evening, 6, False)


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
    return table(rows, ["gave ↓ to →", *(short(name, columns) for name in names)], "l" + "r" * len(names))


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
