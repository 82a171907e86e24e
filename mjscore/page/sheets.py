"""Score sheets and waits as text for people."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from mjscore.game.tiles import WIND_NAMES
from mjscore.page.text import Style, rows_text
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.rule import Rule
from mjscore.scoring.sheet import ScoreSheet
from mjscore.scoring.waits import Wait
from mjscore.settling.settlement import collected, unpaid_winner


def show_sheet(
    sheet: ScoreSheet, book: Rulebook, style: Style, tiles: str = "", liable: Rule | None = None
) -> str:
    """The itemised sheet of one hand, as the books print it, and what each player pays.

    *liable* is the rule by which a discarder may have to pay for the others.
    """
    head = f"{WIND_NAMES.get(sheet.seat or '', '')}, {WIND_NAMES.get(sheet.round or '', '')} round"
    if len(head) + 2 + len(book.title) < style.width:
        lines = [f"{style.strong(head)}  {style.faint(book.title)}"]
    else:
        lines = [style.strong(head), *map(style.faint, wrap(book.title, style.width - 2))]
    if tiles or sheet.hand is not None:
        lines += [tiles or "  " + str(sheet.hand).partition(": ")[2]]
    lines.append("")
    if sheet.dead:
        lines.append("  a dead hand: it pays everybody's whole score")
    rows = [
        (item.title + (f", {item.tiles}" if item.tiles else ""), str(item.points), item.source)
        for item in sheet.items
    ]
    total = sheet.points or 0
    if sheet.special is None:
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
    texts = [_pays_text(sheet, book), _liability_text(sheet, liable)] if sheet.won else []
    for text in (*texts, *sheet.remarks):
        lines += wrap(text, style.width - 2, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines)


def _pays_text(sheet: ScoreSheet, book: Rulebook) -> str:
    """Who pays a winner how much."""
    payments = collected(sheet, book)
    if payments is None:
        return "who pays double depends on who discarded the tile: type it as in <5d:S"
    if not payments:
        return "nobody pays anything" if book.settling.winner_collects is not None else unpaid_winner(book)
    amounts: dict[int, list[str]] = {}
    for payment in payments:
        amounts.setdefault(payment.points, []).append(WIND_NAMES[payment.payer])
    total = sum(payment.points for payment in payments)
    parts = []
    for points, seats in sorted(amounts.items(), reverse=True):
        who = " and ".join(seats) if len(seats) < 3 else ", ".join(seats[:-1]) + " and " + seats[-1]
        parts.append(
            f"{who} {'pays' if len(seats) == 1 else 'pay'} {points}" + (" each" if len(seats) > 1 else "")
        )
    return "; ".join(parts) + (f": {total} in all" if len(payments) > 1 else "")


def _liability_text(sheet: ScoreSheet, rule: Rule | None) -> str:
    """Who may have to pay for the others; empty where nobody."""
    if rule is None or sheet.hand is None or sheet.hand.win is None:
        return ""
    discarder = WIND_NAMES.get(sheet.hand.win.discarder or "", "The discarder")
    return f"{discarder} pays for all, unless his own hand excuses him: {rule.title} ({rule.source})"


def show_waits(waits: Iterable[Wait], style: Style) -> str:
    """The tiles that would complete a hand, with their scores."""
    from tabulate import tabulate

    rows = [
        [
            str(wait.tile),
            wait.tile.title,
            *("no win" if score is None else str(score) for score in (wait.drawn, wait.claimed)),
        ]
        for wait in waits
    ]
    if not rows:
        return "The hand is not waiting: no tile would complete it."
    return tabulate(
        rows,
        ["tile", "", "drawn", "claimed"],
        tablefmt="simple",
        disable_numparse=True,
        colalign=("left", "left", "right", "right"),
    )
