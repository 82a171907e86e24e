"""Score sheets and waits as text for people."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import indent, wrap
from typing import TYPE_CHECKING

from mjscore.game.tiles import TILE_GLYPHS, WIND_NAMES
from mjscore.page.text import NOBODY, Style, name_of, rows_text
from mjscore.page.tiles import chosen_style, render_tiles
from mjscore.refusal import text_width, visible
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.rule import Rule
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.settlement import collected, unpaid_winner

if TYPE_CHECKING:
    from mjscore.scoring.waits import Waits


def show_sheet(
    sheet: ScoreSheet,
    book: Rulebook,
    style: Style,
    tiles: str = "",
    liable: Rule | None = None,
    names: Mapping[str, str] = NOBODY,
    pays: bool = True,
) -> str:
    """The itemised sheet of one hand, as the books print it, and what each player pays.

    *liable* is the rule by which a discarder may have to pay for the others. *names* has the players of an
    evening by their winds; without *pays* nothing is said of payments, where a settlement tells them.
    """
    head = f"{name_of(sheet.seat or '', names)}, {WIND_NAMES.get(sheet.round or '', '')} round"
    if text_width(head) + 2 + len(book.title) < style.width:
        lines = [f"{style.strong(head)}  {style.faint(book.title)}"]
    else:
        lines = [style.strong(head), *map(style.faint, wrap(book.title, style.width - 2))]
    if tiles or sheet.hand is not None:
        lines.append(tiles or indent(render_tiles(sheet, "plain", style.width - 2, names), "  "))
    lines.append("")
    if sheet.dead:
        does = "it cannot win, and its sets count" if sheet.score else "it pays everybody's whole score"
        lines.append(f"  a dead hand: {does}")
    rows = [
        (item.title + (f", {item.tiles}" if item.tiles else ""), str(item.points), item.source)
        for item in sheet.items
    ]
    total = sheet.points or 0
    if sheet.special is None or sheet.items:
        rows.append(("— before doubling" if sheet.doubling else "— total", str(total), ""))
        for doubling in sheet.doubling:
            total <<= doubling.doubles
            times = {1: "doubles once", 2: "doubles twice", 3: "doubles three times"}
            how = times.get(doubling.doubles, f"doubles {doubling.doubles} times")
            rows.append((f"{doubling.title}: {how}", str(total), doubling.source))
        for item in sheet.additions:
            total += item.points
            rows.append((f"{item.title}, +{item.points}", str(total), item.source))
    rows += [
        (
            f"{claim.title}: {claim.points} points"
            + ("" if claim.rule == sheet.score_set_by else ", less than what it counts"),
            str(claim.points) if claim.rule == sheet.score_set_by else "",
            claim.source,
        )
        for claim in sheet.claims
    ]
    lines.append(rows_text(rows, style))
    score = f"  Score {sheet.score}"
    if sheet.score_set_by == "limit":
        score += f"  (counted {sheet.counted}; the limit is {book.limit})"
    elif sheet.score_set_by is not None and sheet.special is None:
        score += f"  (counted {sheet.counted})"
    lines += ["", style.strong(score)]
    if sheet.won and pays:
        text = payments_text(sheet, book, liable, names)
        lines += wrap(text, style.width - 2, initial_indent="  ", subsequent_indent="  ")
    for remark in sheet.remarks:
        lines += wrap(visible(remark), style.width - 2, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines)


def payments_text(
    sheet: ScoreSheet, book: Rulebook, liable: Rule | None = None, names: Mapping[str, str] = NOBODY
) -> str:
    """Who pays a winner how much, and by which rule the discarder may have to pay for the others."""
    usual = _usual_payments(sheet, book, names)
    if liable is None or sheet.hand is None or sheet.hand.win is None:
        return usual
    seat = sheet.hand.win.discarder
    discarder = _called(seat, names) if seat in WIND_NAMES else "The discarder"
    return (
        f"{discarder} pays for all, unless his own hand excuses him: {liable.title} ({liable.source}). "
        f"Excused: {usual}"
    )


def _usual_payments(sheet: ScoreSheet, book: Rulebook, names: Mapping[str, str]) -> str:
    payments = collected(sheet, book)
    if payments is None:
        who = "who pays" if book.settling.discarder_alone is not None else "who pays double"
        return f"{who} depends on who discarded the tile: type it as in <5d:S"
    if not payments:
        return "nobody pays anything" if book.settling.winner_collects is not None else unpaid_winner(book)
    amounts: dict[int, list[str]] = {}
    for payment in payments:
        amounts.setdefault(payment.points, []).append(_called(payment.payer, names))
    total = sum(payment.points for payment in payments)
    parts = []
    for points, seats in sorted(amounts.items(), reverse=True):
        who = " and ".join(seats) if len(seats) < 3 else ", ".join(seats[:-1]) + " and " + seats[-1]
        parts.append(
            f"{who} {'pays' if len(seats) == 1 else 'pay'} {points}" + (" each" if len(seats) > 1 else "")
        )
    return "; ".join(parts) + (f": {total} in all" if len(payments) > 1 else "")


def _called(seat: str, names: Mapping[str, str]) -> str:
    return visible(names[seat]) if seat in names else WIND_NAMES[seat]


def show_waits(found: Waits, style: Style, tile_style: str | None = None) -> str:
    """The tiles that would complete a hand, with their scores; below the hand's tiles where these are drawn."""
    from tabulate import tabulate

    drawn_style = chosen_style(tile_style)
    hand = ""
    if drawn_style != "plain" and found.hand is not None:
        hand = indent(render_tiles(found.hand, drawn_style, style.width - 2), "  ") + "\n\n"
    rows = [
        [
            (f"{TILE_GLYPHS[wait.tile]}  " if drawn_style == "unicode" else "") + str(wait.tile),
            wait.tile.title,
            *("no win" if score is None else str(score) for score in (wait.drawn, wait.claimed)),
        ]
        for wait in found.waits
    ]
    if not rows:
        return f"{hand}The hand is not waiting: no tile would complete it."
    return hand + tabulate(
        rows,
        ["tile", "", "drawn", "claimed"],
        tablefmt="simple",
        disable_numparse=True,
        colalign=("left", "left", "right", "right"),
    )
