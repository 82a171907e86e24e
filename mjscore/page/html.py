"""An evening, or a season, as one page of HTML to look at, send around or print: no script, nothing from elsewhere.

Its text is complete without the drawings, and it is well-formed XML as well as HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mjscore.game.tiles import WIND_NAMES
from mjscore.page import report
from mjscore.page.chart import totals_chart
from mjscore.page.columns import table_html
from mjscore.page.drawings import draw_parts
from mjscore.page.markup import block, bullets, document, escaped, points, section, spoken_caption, words
from mjscore.page.sheets import SheetLine, drawn_lines
from mjscore.page.text import counted
from mjscore.page.tile_styles import parts_of
from mjscore.record.events import TITLES
from mjscore.record.season import Season, season_course, title_of
from mjscore.record.statistics import Evening, Played, Standing, biggest, course_of, standings, what_happened
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.payment import SITTER_OUT


def evening_page(evening: Evening, title: str, print_hands: bool = False) -> str:
    """Write the page, a whole HTML document; with *print_hands* the sheets of the single hands are printed too."""
    notes, found = words()["notes"], standings(evening)
    *names, last = map(escaped, evening.players)
    texts = [
        f"{', '.join(names)} and {last} · {escaped(report.hands_text(evening))}",
        escaped(report.rules_text(evening)),
        escaped(evening.occasion.date),
    ]
    left_out = []
    for hand in evening.left_out:
        label = f" “{hand.label}”" if hand.label else ""
        left_out.append(f"Hand {hand.mark}{label}, line {hand.line}, is left out")
    left_out += [f"Line {refusal.line}: {refusal.message}" for refusal in evening.refusals]
    note = f"{notes['standings']} {escaped(report.changes_text(evening))}".strip()
    most = biggest(evening)
    top = [section("standings", "Standings", table_html(report.standings_table(found), "Standings"), note)]
    if most is not None and most.sheet is not None and most.sheet.hand is not None:
        label = f" “{escaped(most.label)}”" if most.label else ""
        won = f"{escaped(most.winner)} wins <b>{most.score}</b>, {escaped(what_happened(most))}"
        said = f'<p>{won}, in <a href="#hand-{most.mark}">hand {most.mark}</a>{label}</p>'
        top.append(section("biggest", "The biggest hand", f"{said}\n{_tiles(most.sheet, most.seats)}"))
    hands = "\n".join(_article(played, played is most) for played in evening.played)
    fed = section("fed", "Who fed whom", table_html(report.fed_table(evening), notes["fed"]), notes["fed"])
    closing = "".join(f"<p>{escaped(note)}</p>" for note in evening.closing_notes)
    books = "; ".join(f"{escaped(book.book)} (rules {book.fingerprint})" for book in evening.books)
    entries = counted(len(evening.played), "entry", "entries")
    parts = [
        _heading(title, texts, found, ("wins", "share the first place")),
        _told("Not all of the file holds.", "The figures are those of the rest.", left_out),
        '<div class="top">\n<div>',
        *top,
        "</div>",
        totals_chart(course_of(evening)),
        "</div>",
        section(
            "table", "Hands", table_html(report.hands_table(evening), notes["hands"], "hands"), notes["east"]
        ),
        fed if evening.hands_won else "",
        section("every", "Hand by hand", hands),
        f"<footer>{closing}\n<p>Pages are those of {books}. Worked out by mjscore from {entries} of "
        f"{_file(evening)}.</p>\n</footer>",
    ]
    return document(title, parts, print_hands)


def season_page(season: Season, title: str) -> str:
    """Write the page of a season, a whole HTML document in the look of an evening's."""
    found = standings(*season.evenings)
    ranks = table_html(report.standings_table(found, season=True), "Standings")
    by_evening = "Points by evening"
    refused = report.alike_text(season)
    refused += [
        f"{title_of(evening)}, line {refusal.line}: {refusal.message}"
        for evening in season.evenings
        for refusal in evening.refusals
    ]
    most = season.biggest[1] if season.biggest is not None else None
    tiles = f"\n{_tiles(most.sheet, most.seats)}" if most is not None and most.sheet is not None else ""
    biggest_hand = section(
        "biggest", "The biggest hand", f"<p>{escaped(report.biggest_text(season))}</p>{tiles}"
    )
    evenings = counted(len(season.evenings), "evening", "evenings")
    parts = [
        _heading(title, [escaped(report.season_text(season))], found, ("leads", "share the lead")),
        _told("To be looked at.", "What was refused is in no figure.", refused),
        f'<div class="top">\n<div>{section("standings season", "Standings", ranks, words()["notes"]["season"])}</div>',
        totals_chart(season_course(season), "evening"),
        "</div>",
        section("table", by_evening, table_html(report.evenings_table(season), by_evening, "hands evenings")),
        biggest_hand if most else "",
        f"<footer>\n<p>Worked out by mjscore from {evenings}: {', '.join(map(_file, season.evenings))}.</p>\n</footer>",
    ]
    return document(title, parts)


def _heading(title: str, texts: Iterable[str], found: Sequence[Standing], verbs: tuple[str, str]) -> str:
    first = [standing for standing in found if standing.place == 1]
    winners = " and ".join(f"<b>{escaped(standing.name)}</b>" for standing in first)
    lines = "\n".join(f"<p>{text}</p>" for text in texts if text)
    won = f"{winners} {verbs[len(first) > 1]} with {points(first[0].total)}"
    return f'<header>\n<h1>{escaped(title)}</h1>\n{lines}\n<p class="winner">{won}</p>\n</header>'


def _told(title: str, note: str, lines: Sequence[str]) -> str:
    listed = bullets(map(escaped, lines))
    return block('section class="refused"', [f"<p><b>{title}</b> {note}</p>", listed]) if lines else ""


def _file(evening: Evening) -> str:
    return escaped(evening.file.rpartition("/")[2])


def _article(played: Played, is_biggest: bool) -> str:
    """Write a hand: what happened, its tiles and sheets, who paid whom."""
    settlement = played.settlement
    title, happened = TITLES[settlement.kind], escaped(what_happened(played))
    if played.winner is not None:
        title = f"{escaped(played.winner)} wins"
        happened = f"{title} {played.score}, {happened}"
    elif settlement.kind == "draw":
        happened = "Nobody wins, nobody pays"
    east = played.seats.get("E", "")
    where = [f"{WIND_NAMES[played.round]} round"] if played.round else []
    where += [f"{escaped(east)} is East"] if east != "East" else []
    said = " · ".join(filter(None, (happened, ", ".join(where))))
    badges = [text for text, is_so in (("the limit", played.at_limit), ("biggest hand", is_biggest)) if is_so]
    marks = "".join(f' <span class="limit">{badge}</span>' for badge in badges)
    nets = [f"{escaped(name)} <b>{points(net)}</b>" for name, net in played.nets.items()]
    payments = [
        f"{escaped(played.named(payment.payer))} pays {escaped(played.named(payment.payee))} <b>{payment.points}</b> "
        f'<span class="soft">{escaped(payment.reason)}</span>'
        for payment in settlement.payments
    ]
    remarks = list(map(escaped, settlement.remarks))
    if SITTER_OUT in played.seats:
        remarks.append(f"{escaped(played.seats[SITTER_OUT])} sits out")
    others = [seat for seat in settlement.scores if seat != settlement.winner]
    parts = [
        f"<h3>{played.mark} · {escaped(played.label) if played.label else title}{marks}</h3>",
        f'<p class="say">{said}</p>' if said else "",
        bullets(nets if any(played.nets.values()) else (), "nets"),
        _seat(played, settlement.winner, "seat winner") if settlement.winner is not None else "",
        block('div class="others"', [_seat(played, seat, "seat") for seat in others]),
        bullets(payments, "pays"),
        bullets(remarks, "remarks"),
        *(f'<p class="notes">{escaped(note)}</p>' for note in played.notes),
    ]
    return block(f'article class="hand" id="hand-{played.mark}"', parts)


def _seat(played: Played, seat: str, kind: str) -> str:
    """Write what a player had: the score, and where the hand is known its tiles and its sheet."""
    name, wind = str(played.named(seat)), WIND_NAMES[seat]
    sheet = played.settlement.sheets.get(seat)
    called = escaped(name) + (f' <span class="soft">{wind}</span>' if name != wind else "")
    score = f'<span class="score">{played.settlement.scores[seat]}</span>'
    parts = [f"<h4><span>{called}</span>{score}</h4>"]
    if sheet is None:
        parts.append('<p class="soft"><small>the score was given, not the hand</small></p>')
        return block(f'div class="{kind}"', parts)
    if sheet.hand is not None:
        parts.append(_tiles(sheet, played.seats))
    lines = drawn_lines(sheet, played.book)
    if sheet.won:
        lines.append(SheetLine("Score", str(sheet.score), kind="sum"))
    rows = []
    for line in lines:
        opening = '<tr class="sum">' if line.kind == "sum" else "<tr>"
        cells = f'<td>{escaped(line.title)}</td><td class="n">{line.figure}</td><td class="source">{escaped(line.source)}</td>'
        rows.append(f"{opening}{cells}</tr>")
    if rows:
        listed = "\n".join(rows)
        caption = spoken_caption(f"Score sheet of {name}")
        parts.append(f'<table class="sheet">{caption}<tbody>\n{listed}\n</tbody></table>')
    return block(f'div class="{kind}"', parts)


def _tiles(sheet: ScoreSheet, names: Mapping[str, str]) -> str:
    """Draw the hand in the sets that were scored, in as many rows as the page needs, and typed."""
    notation = " ".join(part.text for part in parts_of(sheet, names))
    pictures = "".join(draw_parts(sheet))
    return f'<figure class="tiles"><div>{pictures}</div><figcaption>{escaped(notation)}</figcaption></figure>'
