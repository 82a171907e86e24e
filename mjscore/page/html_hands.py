"""Every hand of an evening in HTML: its tiles, its score sheets, who paid whom."""

from __future__ import annotations

from collections.abc import Mapping

from mjscore.game.tiles import WIND_NAMES
from mjscore.page.drawings import draw_parts
from mjscore.page.markup import escaped, points, spoken_caption
from mjscore.page.sheets import SheetLine, drawn_lines
from mjscore.page.tiles import parts_of
from mjscore.record.events import TITLES
from mjscore.record.statistics import Evening, Played, biggest, what_happened
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.payment import SITTER_OUT


def every_hand(evening: Evening) -> str:
    """Write the section of the page that shows hand by hand."""
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
    return f"{played.mark} · {TITLES[played.settlement.kind]}"


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
    """Draw the hand in the sets that were scored, in as many rows as the page needs, and typed."""
    notation = " ".join(part.text for part in parts_of(sheet, names))
    pictures = "".join(draw_parts(sheet))
    return f'<figure class="tiles"><div>{pictures}</div><figcaption>{escaped(notation)}</figcaption></figure>'


def _sheet(sheet: ScoreSheet, book: Rulebook, name: str) -> str:
    lines = drawn_lines(sheet, book)
    if sheet.won:
        lines.append(SheetLine("Score", str(sheet.score), kind="sum"))
    rows = []
    for line in lines:
        opening = '<tr class="sum">' if line.kind == "sum" else "<tr>"
        cells = f'<td>{escaped(line.title)}</td><td class="n">{line.figure}</td><td class="source">{escaped(line.source)}</td>'
        rows.append(f"{opening}{cells}</tr>")
    if not rows:
        return ""
    caption = spoken_caption(f"Score sheet of {name}")
    listed = "\n".join(rows)
    return f'<table class="sheet">{caption}<tbody>\n{listed}\n</tbody></table>'


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
