"""Settlements, and the counters that change hands for them, as text for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from textwrap import wrap
from typing import TYPE_CHECKING

from mjscore.game.tiles import WIND_NAMES
from mjscore.page.text import Style, indented, name_of, tabulated
from mjscore.record.events import TITLES
from mjscore.refusal import visible
from mjscore.settling.settlement import Settlement

if TYPE_CHECKING:
    from mjscore.counters.sets import Exchange


def show_settlement(settlement: Settlement, names: Mapping[str, str], style: Style) -> str:
    """Show who won a hand, who pays whom, the nets, and what moved them from the usual."""
    title = TITLES[settlement.kind]
    if settlement.label:
        # play gives the hands their numbers for labels
        title = f"Hand {settlement.label}" if settlement.label.isdecimal() else visible(settlement.label)
    told = []
    if settlement.by is not None:
        told.append(f"{name_of(settlement.by, names)} called it and had no winning hand")
    if settlement.winner is not None:
        how = " by drawing" if settlement.drawn else ""
        if settlement.discarder is not None:
            how = f" on a tile from {name_of(settlement.discarder, names)}"
        told.append(f"{name_of(settlement.winner, names)} wins{how}")
    lines = [style.strong(title)]
    for text in told:
        lines += wrap(text, style.width, subsequent_indent="  ")
    if settlement.payments:
        lines += _payments(settlement, names, style)
    elif settlement.kind == "draw":
        lines.append("a drawn game: nobody pays")
    else:
        lines.append("nobody pays anything")
    for remark in settlement.remarks:
        lines += indented(visible(remark), style)
    return "\n".join(lines)


def _payments(settlement: Settlement, names: Mapping[str, str], style: Style) -> list[str]:
    """Show a matrix of payments, who pays along the rows; in a narrow terminal each player's score, net and payments."""
    paid = paid_by_pair(settlement)
    called = {
        seat: visible(names[seat]) if seat in names else WIND_NAMES.get(seat, "sits out")
        for seat in settlement.net
    }
    table = [
        [
            called[seat],
            settlement.scores.get(seat, ""),
            *("·" if seat == other else paid.get((seat, other)) or "" for other in called),
            style.points(net),
        ]
        for seat, net in settlement.net.items()
    ]
    heads = ["pays ↓ to →", "score", *called.values(), "net"]
    lines = tabulated(table, heads, "l" + "r" * (len(heads) - 1)).splitlines()
    if len(lines[1]) <= style.width:
        return lines
    lines = []
    for seat, net in settlement.net.items():
        score = f" ({settlement.scores[seat]})" if seat in settlement.scores else ""
        lines.append(f"{called[seat]}{score}: {style.points(net)}")
        pays = [f"{called[payee]} {points}" for (payer, payee), points in paid.items() if payer == seat]
        if pays:
            lines += indented(f"pays {', '.join(pays)}", style, "  ")
    return lines


def paid_by_pair(settlement: Settlement) -> Mapping[tuple[str, str], int]:
    """Add up what each payer pays each payee, in the order of the payments."""
    paid: Counter[tuple[str, str]] = Counter()
    for payment in settlement.payments:
        paid[payment.payer, payment.payee] += payment.points
    return paid


def show_exchange(exchange: Exchange, names: Mapping[str, str], style: Style) -> str:
    """Show the counters that change hands, a line a transfer."""
    lines = []
    for line in exchange.lines({seat: visible(name) for seat, name in names.items()}):
        lines += wrap(line, style.width, subsequent_indent="  ")
    return "\n".join(lines)
