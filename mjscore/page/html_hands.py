"""Every hand of an evening in HTML: its tiles, its score sheets, who paid whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mjscore.game.tiles import WIND_NAMES
from mjscore.page.drawings import draw_parts
from mjscore.page.markup import escaped, points, spoken_caption
from mjscore.page.tiles import parts_of
from mjscore.record.statistics import Evening, Played, biggest, what_happened
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.payment import SITTER_OUT


def every_hand(evening: Evening) -> str:
    """The section of the page that shows hand by hand."""
    most = biggest(evening)
    hands = "\n".join(_article(played, played is most) for played in evening.played)
    return f"""<section class="every">
<h2>Hand by hand</h2>
{hands}
</section>"""


def _article(played: Played, biggest_hand: bool) -> str:
    parts = [f"<h3>{_hand_title(played)}{_badges(played, biggest_hand)}</h3>"]
    happened = _happened(played)
    if happened:
        parts.append(f'<p class="say">{happened}</p>')
    parts.append(_nets(played))
    settlement = played.settlement
    if settlement.winner is not None:
        parts.append(_seat(played, settlement.winner, True))
    others = [seat for seat in settlement.scores if seat != settlement.winner]
    if others:
        parts.append(
            '<div class="others">\n' + "\n".join(_seat(played, seat, False) for seat in others) + "\n</div>"
        )
    parts += [_payments(played), _remarks(played)]
    parts += [f'<p class="notes">{escaped(note)}</p>' for note in played.notes]
    listed = "\n".join(part for part in parts if part)
    return f'<article class="hand" id="hand-{played.mark}">\n{listed}\n</article>'


def _hand_title(played: Played) -> str:
    if played.label:
        return f"{played.mark} · {escaped(played.label)}"
    if played.winner is not None:
        return f"{played.mark} · {escaped(played.winner)} wins"
    return f"{played.mark} · {_KINDS[played.settlement.kind]}"


_KINDS = {
    "hand": "Hand",
    "draw": "A draw",
    "wash": "The tiles are washed",
    "false": "A false Mah-Jongg",
    "penalty": "A penalty",
    "pay": "An agreed payment",
    "long": "A hand with too many tiles",
}


def _badges(played: Played, biggest_hand: bool) -> str:
    badges = ["the limit"] if played.at_limit else []
    badges += ["biggest hand"] if biggest_hand else []
    return "".join(f' <span class="limit">{badge}</span>' for badge in badges)


def _happened(played: Played) -> str:
    round_name = f"{WIND_NAMES[played.round]} round" if played.round else ""
    east = played.seats.get("E", "")
    where = ", ".join(
        part for part in (round_name, f"{escaped(east)} is East" if east != "East" else "") if part
    )
    happened = escaped(what_happened(played))
    if played.winner is not None:
        happened = f"{escaped(played.winner)} wins {played.score}, {happened}"
    elif played.settlement.kind == "draw":
        happened = "Nobody wins, nobody pays"
    return " · ".join(part for part in (happened, where) if part)


def _nets(played: Played) -> str:
    if not any(played.nets.values()):
        return ""
    items = " ".join(f"<li>{escaped(name)} <b>{points(net)}</b></li>" for name, net in played.nets.items())
    return f'<ul class="nets">{items}</ul>'


def _seat(played: Played, seat: str, winner: bool) -> str:
    score = played.settlement.scores[seat]
    sheet = played.settlement.sheets.get(seat)
    named = escaped(played.named(seat))
    wind = f' <span class="soft">{WIND_NAMES[seat]}</span>' if played.named(seat) != WIND_NAMES[seat] else ""
    parts = [f'<h4><span>{named}{wind}</span><span class="score">{score}</span></h4>']
    if sheet is None:
        parts.append('<p class="soft"><small>the score was given, not the hand</small></p>')
    else:
        if sheet.hand is not None:
            parts.append(tiles_figure(sheet, played.seats))
        parts.append(_sheet(sheet, played.book, str(played.named(seat))))
    kind = "seat winner" if winner else "seat"
    listed = "\n".join(part for part in parts if part)
    return f'<div class="{kind}">\n{listed}\n</div>'


def tiles_figure(sheet: ScoreSheet, names: Mapping[str, str]) -> str:
    """The hand drawn in the sets that were scored, in as many rows as the page needs, and typed."""
    notation = " ".join(part.text for part in parts_of(sheet, names))
    pictures = "".join(draw_parts(sheet))
    return f'<figure class="tiles"><div>{pictures}</div><figcaption>{escaped(notation)}</figcaption></figure>'


class Row(NamedTuple):
    """A line of a score sheet: what for, the figure, the page; *sum* where it draws a line under."""

    title: str
    figure: str
    source: str = ""
    sum: bool = False


def _sheet(sheet: ScoreSheet, book: Rulebook, name: str) -> str:
    rows = sheet_rows(sheet, book)
    if not rows:
        return ""
    lines = []
    for row in rows:
        opening = '<tr class="sum">' if row.sum else "<tr>"
        lines.append(
            f'{opening}<td>{escaped(row.title)}</td><td class="n">{row.figure}</td>'
            f'<td class="source">{escaped(row.source)}</td></tr>'
        )
    listed = "\n".join(lines)
    return (
        f'<table class="sheet">{spoken_caption(f"Score sheet of {name}")}<tbody>\n{listed}\n</tbody></table>'
    )


def sheet_rows(sheet: ScoreSheet, book: Rulebook) -> list[Row]:
    """The lines of a score sheet, the score last where the hand won."""
    rows = [
        Row(item.title + (f", {item.tiles}" if item.tiles else ""), str(item.points), item.source)
        for item in sheet.items
    ]
    if sheet.dead:
        rows.insert(0, Row("a dead hand", ""))
    total = sheet.points or 0
    if sheet.special is None:
        if sheet.doubling or sheet.additions:
            rows.append(Row("before doubling", str(total), sum=True))
        for doubling in sheet.doubling:
            total <<= doubling.doubles
            rows.append(Row(f"{doubling.title}, ×{2**doubling.doubles}", str(total), doubling.source))
        for item in sheet.additions:
            total += item.points
            rows.append(Row(f"{item.title}, +{item.points}", str(total), item.source))
    for claim in sheet.claims:
        less = "" if claim.rule == sheet.score_set_by else " (less than what it counts)"
        rows.append(Row(claim.title + less, str(claim.points), claim.source))
    if sheet.score_set_by == "limit":
        rows.append(Row("the limit", str(book.limit)))
    rows += [Row(remark, "") for remark in sheet.remarks]
    if sheet.won:
        rows.append(Row("Score", str(sheet.score), sum=True))
    return rows


def _payments(played: Played) -> str:
    if not played.settlement.payments:
        return ""
    items = "\n".join(
        f"<li>{escaped(played.named(payment.payer))} pays {escaped(played.named(payment.payee))} <b>{payment.points}</b> "
        f'<span class="soft">{escaped(payment.reason)}</span></li>'
        for payment in played.settlement.payments
    )
    return f'<ul class="pays">\n{items}\n</ul>'


def _remarks(played: Played) -> str:
    lines = [escaped(remark) for remark in played.settlement.remarks]
    if SITTER_OUT in played.seats:
        lines.append(f"{escaped(played.seats[SITTER_OUT])} sits out")
    if not lines:
        return ""
    return '<ul class="remarks">' + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"
