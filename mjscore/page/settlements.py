"""Settlements, and the counters that change hands for them, as text for people."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import TYPE_CHECKING

from mjscore.game.tiles import WIND_NAMES
from mjscore.page.text import Style, name_of
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
    lines = [style.strong(title)]
    if settlement.by is not None:
        lines += wrap(
            f"{name_of(settlement.by, names)} called it and had no winning hand",
            style.width,
            subsequent_indent="  ",
        )
    if settlement.winner is not None:
        how = ""
        if settlement.discarder is not None:
            how = f" on a tile from {name_of(settlement.discarder, names)}"
        elif settlement.drawn:
            how = " by drawing"
        lines += wrap(f"{name_of(settlement.winner, names)} wins{how}", style.width, subsequent_indent="  ")
    if settlement.payments:
        lines += _matrix(settlement, names, style) or _payment_list(settlement, names, style)
    elif settlement.kind == "draw":
        lines.append("a drawn game: nobody pays")
    else:
        lines.append("nobody pays anything")
    for remark in settlement.remarks:
        lines += wrap(visible(remark), style.width - 2, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(lines)


def _matrix(settlement: Settlement, names: Mapping[str, str], style: Style) -> list[str]:
    """Show a matrix of payments, who pays along the rows; empty where the terminal is too narrow for it."""
    from tabulate import tabulate

    seats = list(settlement.net)
    paid = _paid(settlement)
    table = []
    for seat in seats:
        cells = ["·" if seat == other else paid.get((seat, other)) or "" for other in seats]
        score = settlement.scores.get(seat, "")
        table.append([_short_name(seat, names), score, *cells, style.points(settlement.net[seat])])
    headers = ["pays ↓ to →", "score", *(_short_name(seat, names) for seat in seats), "net"]
    lines = tabulate(
        table,
        headers,
        tablefmt="simple",
        stralign="right",
        numalign="right",
        disable_numparse=True,
        colalign=("left",),
    ).splitlines()
    return lines if len(lines[1]) <= style.width else []


def _payment_list(settlement: Settlement, names: Mapping[str, str], style: Style) -> list[str]:
    """Show the same in a narrow terminal: a player's score and net, and below it what they pay."""
    paid = _paid(settlement)
    lines = []
    for seat, net in settlement.net.items():
        score = f" ({settlement.scores[seat]})" if seat in settlement.scores else ""
        lines.append(f"{_short_name(seat, names)}{score}: {style.points(net)}")
        pays = ", ".join(
            f"{_short_name(payee, names)} {points}"
            for (payer, payee), points in paid.items()
            if payer == seat
        )
        if pays:
            lines += wrap(f"pays {pays}", style.width - 2, initial_indent="  ", subsequent_indent="    ")
    return lines


def _paid(settlement: Settlement) -> dict[tuple[str, str], int]:
    """Add up what each payer pays each payee, in the order of the payments."""
    paid: dict[tuple[str, str], int] = {}
    for payment in settlement.payments:
        pair = payment.payer, payment.payee
        paid[pair] = paid.get(pair, 0) + payment.points
    return paid


def _short_name(seat: str, names: Mapping[str, str]) -> str:
    return visible(names[seat]) if seat in names else WIND_NAMES.get(seat, "sits out")


def show_exchange(exchange: Exchange, names: Mapping[str, str], style: Style) -> str:
    """Show the counters that change hands, a line a transfer."""
    lines = []
    for line in exchange.lines({seat: visible(name) for seat, name in names.items()}):
        lines += wrap(line, style.width, subsequent_indent="  ")
    return "\n".join(lines)
