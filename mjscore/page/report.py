"""An evening or a season: standings, running totals, hands, who fed whom, the biggest hand.

As text, as a picture, and as one page of HTML that is also valid XML, without scripts or external files.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from textwrap import indent, wrap

from mjscore.game.tiles import WIND_NAMES
from mjscore.page.chart import chart, totals_chart
from mjscore.page.drawings import draw_parts, draw_report
from mjscore.page.html import (
    LINE_END,
    Markup,
    block,
    bullets,
    document,
    element,
    joined,
    points,
    section,
    spoken_caption,
    words,
)
from mjscore.page.sheet_lines import SheetLine, drawn_lines
from mjscore.page.sheets import paid_by_pair, show_sheet
from mjscore.page.tables import Cell, Column, Table, figures_of, name_cell, show_table, table_html
from mjscore.page.text import Style, counted, indented, sections_text, short
from mjscore.page.tile_styles import parts_of, render_tiles
from mjscore.record import statistics
from mjscore.record.events import HANDS, TITLES
from mjscore.record.season import Season, names_alike, points_by_evening, season_course
from mjscore.record.statistics import Played, RecordedEvening, Standing, standings, what_happened
from mjscore.refusal import escape_controls
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.payment import SITTER_OUT

STREAKS = "Streaks"


def show_evening(evening: RecordedEvening, style: Style, title: str, tile_style: str | None = None) -> str:
    """Return the whole report of an evening as text, in ``style.width`` columns."""
    ranks = [show_table(standings_table(standings(evening)), style)]
    ranks += map(style.faint, wrap(changes_text(evening), style.width))
    hands = [show_table(hands_table(evening), style)]
    hands += [
        style.tinted(f"hand {hand.mark} is left out: {escape_controls(evening.file)}:{hand.line}", 31)
        for hand in evening.left_out
    ]
    most = statistics.biggest(evening)
    sections = {
        "Standings": ranks,
        "Running totals": [chart(statistics.course_of(evening), style)],
        "Hands": hands,
        "Who fed whom": _fed(style, evening) if evening.hands_won else [],
        "The biggest hand": _biggest(most, style, tile_style) if most is not None else [],
        **_wrapped_lists(closing_lists(evening), style),
    }
    texts = [evening.occasion.date, rules_text(evening), hands_text(evening)]
    return _report(title, texts, sections, evening.closing_notes, style)


def show_season(season: Season, style: Style, title: str, tile_style: str | None = None) -> str:
    """Return the whole report of a season as text, in ``style.width`` columns."""
    best = []
    for evening, hand in season.best_hands:
        best += wrap(hand_text(evening, hand), style.width)
        if hand.sheet is not None:
            best.append(indent(render_tiles(hand.sheet, tile_style, style.width - 2, hand.seats), "  "))
    sections = {
        "Standings": [show_table(standings_table(standings(*season.evenings), season), style)],
        "Running totals": [chart(season_course(season), style)],
        "Points by evening": [show_table(evenings_table(season), style)],
        "Who fed whom": _fed(style, *season.evenings),
        "The best hands": best,
        **_wrapped_lists({STREAKS: streak_lines(*season.evenings)}, style),
    }
    return _report(title, [season_text(season)], sections, alike_text(season), style)


def _fed(style: Style, *evenings: RecordedEvening) -> list[str]:
    """Return the table of who fed whom as text, with an explanation if it shows figures in brackets."""
    table = show_table(fed_table(*evenings), style)
    has_points = any(f"({fed.points})" in table for fed in statistics.fed_whom(*evenings).values())
    note = wrap("hands, and in brackets what the discarder paid for them", style.width) if has_points else ()
    return [table, *map(style.faint, note)]


def closing_lists(evening: RecordedEvening) -> dict[str, list[str]]:
    """Return the lists that close an evening: the payments that settle it, who holds which counters, streaks."""
    paid = statistics.least_payments({name: evening.total(name) for name in evening.players})
    held = statistics.counters_left(evening)
    return {
        "Settling up": [escape_controls(f"{one.payer} gives {one.payee} {one.points}") for one in paid],
        "Counters": [*held.holding_lines(), *held.pool_lines()] if held is not None else [],
        STREAKS: streak_lines(evening),
    }


def streak_lines(*evenings: RecordedEvening) -> list[str]:
    """Return lines on the longest row of hands, two or more, that a player won, and in which one was East."""
    lines = []
    whose: dict[str, Callable[[Played], str | None]] = {
        "won": lambda hand: hand.winner,
        # if no players are named, East is always East
        "was East for": lambda hand: None if "East" in hand.seats.values() else hand.seats.get("E"),
    }
    for did, of_hand in whose.items():
        rows = [(evening, *statistics.streak(evening, of_hand)) for evening in evenings]
        evening, name, row = max(rows, key=lambda one: len(one[2]))
        if len(row) > 1:
            where = f" of {statistics.title_of(evening)}" if len(evenings) > 1 else ""
            lines.append(f"{name} {did} {len(row)} hands in a row: {row[0].mark} to {row[-1].mark}{where}")
    return list(map(escape_controls, lines))


def _wrapped_lists(lists: Mapping[str, list[str]], style: Style) -> dict[str, list[str]]:
    return {
        title: [part for line in lines for part in wrap(line, style.width, subsequent_indent="  ")]
        for title, lines in lists.items()
    }


def _report(
    title: str, texts: Iterable[str], sections: Mapping[str, list[str]], closing: Iterable[str], style: Style
) -> str:
    """Return a report: the title, *texts* about the evening or season, sections not empty, and *closing* lines."""
    head = [style.strong(line) for line in wrap(escape_controls(title), style.width)]
    head += [style.faint(line) for text in texts for line in wrap(text, style.width)]
    below = ["\n".join(wrap(escape_controls(line), style.width)) for line in closing]
    return "\n\n".join(["\n".join(head), sections_text(sections.items(), style), *below])


def evening_picture(evening: RecordedEvening, title: str) -> str:
    """Draw an evening as one picture in SVG."""
    texts = [evening.occasion.date, rules_text(evening), hands_text(evening)]
    most = statistics.biggest(evening)
    text, sheet = (_won(most), most.sheet) if most is not None else ("", None)
    return draw_report(title, texts, standings(evening), statistics.course_of(evening), text, sheet)


def season_picture(season: Season, title: str) -> str:
    """Draw a season as one picture in SVG."""
    ranks = standings(*season.evenings)
    text, sheet = (
        ("", None) if season.biggest is None else (hand_text(*season.biggest), season.biggest[1].sheet)
    )
    return draw_report(title, [season_text(season)], ranks, season_course(season), text, sheet)


def changes_text(evening: RecordedEvening) -> str:
    """Return which hand was the last of each player who left early; empty if no seats changed."""
    if all(played.settlement.kind != "seat" for played in evening.played):
        return ""
    hands = [played for played in evening.played if played.settlement.kind in HANDS]
    last = {name: played.mark for played in hands for name in evening.players if played.was_played_by(name)}
    return "; ".join(
        f"{escape_controls(name)} played last in hand {mark}"
        for name, mark in last.items()
        if mark != hands[-1].mark
    )


def rules_text(evening: RecordedEvening) -> str:
    """Return the titles of the rulebooks, each with its limit."""
    return "; ".join(
        book.title + (f", limit {book.limit}" if book.limit is not None else "") for book in evening.books
    )


def hands_text(evening: RecordedEvening) -> str:
    """Return how many hands were played, and how many of them were drawn."""
    text = counted(statistics.hands_played(evening), "hand", "hands")
    draws = sum(played.settlement.kind == "draw" for played in evening.played)
    return f"{text}, including {counted(draws, 'draw', 'draws')}" if draws else text


def season_text(season: Season) -> str:
    """Return how many evenings and hands a season had; its first and last date if every evening has one."""
    evenings = counted(len(season.evenings), "evening", "evenings")
    hands = counted(sum(map(statistics.hands_played, season.evenings)), "hand", "hands")
    dates = [evening.occasion.date for evening in season.evenings]
    return f"{evenings}, {hands}" + (f", {dates[0]} to {dates[-1]}" if all(dates) else "")


def _quoted(label: str | None) -> str:
    return f" “{label}”" if label else ""


def _won(played: Played) -> str:
    return (
        f"{escape_controls(str(played.winner))} wins {played.score} {what_happened(played, escape_controls)}"
    )


def hand_text(evening: RecordedEvening, hand: Played) -> str:
    """Return who won a hand of a season, how, and in which hand of which evening."""
    return f"{_won(hand)} in hand {hand.mark} of {escape_controls(statistics.title_of(evening))}"


def _biggest(played: Played, style: Style, tile_style: str | None) -> list[str]:
    """Return the biggest hand of an evening in lines; if it has a sheet, that, who paid, and all remarks."""
    label = f",{_quoted(played.label)}" if played.label else ""
    lines = wrap(escape_controls(f"Hand {played.mark}{label}: ") + _won(played), style.width)
    if played.sheet is None:
        return lines
    tiles = indent(render_tiles(played.sheet, tile_style, style.width - 2, played.seats), "  ")
    # only the settlement knows whether one player paid for the others
    lines.append(show_sheet(played.sheet, played.book, style, tiles, names=played.seats, pays=False))
    settlement = played.settlement
    payers = "; ".join(
        f"{escape_controls(str(played.named(payer)))} pays {points}"
        for (payer, payee), points in paid_by_pair(settlement).items()
        if payee == settlement.winner
    )
    for text in (payers or "nobody pays anything", *map(escape_controls, settlement.remarks)):
        lines += indented(text, style)
    return lines


def alike_text(season: Season) -> list[str]:
    """Return warnings of names that may be the same player's."""
    warning = "“{}” and “{}” are counted as two players; if they are one person, write the name the same way in both files"
    return [
        warning.format(escape_controls(one), escape_controls(other)) for one, other in names_alike(season)
    ]


def standings_table(ranks: Sequence[Standing], season: Season | None = None) -> Table:
    """Return the table of standings; for a *season*, with evenings played and won, and averages.

    The column of hands is left out if all players have played equally many of an evening.
    """
    hands = season is not None or len({one.hands for one in ranks}) > 1
    first = season.evenings_won if season is not None else Counter[str]()
    more = int(season is not None)  # a season's table has more columns, and can do without some

    def figures(field: str) -> list[Cell]:
        values = [getattr(standing, field) for standing in ranks]
        return [Cell("–" if value is None else str(value)) for value in values]

    columns = [
        Column("", figures("place"), False, kind="place", spoken="place"),
        Column("player", [name_cell(one.name, one.place == 1) for one in ranks], False, kind="name"),
        Column("points", [Cell(points=one.total) for one in ranks], kind="total"),
        Column("ev.", figures("evenings"), rank=2),
        Column("1st", [Cell(str(first[one.name])) for one in ranks], rank=1),
        Column("hands", figures("hands"), rank=1 + 2 * more, kind="extra" if season else ""),
        Column("won", figures("won"), rank=1 + more),
        Column("drawn", figures("drawn"), rank=1 + 2 * more, only="text" if season else ""),
        Column("fed", figures("fed"), rank=2 + more, kind="extra" if season else ""),
        Column("best", figures("best"), rank=1 + more, kind="extra" if season else ""),
        Column(
            "per ev.", [Cell(points=statistics.rounded(one.total, one.evenings)) for one in ranks], rank=2
        ),
        Column("mean", [Cell(points=one.average) for one in ranks]),
    ]
    of_a_season = ["ev.", "1st", "per ev.", "mean"]
    left_out = [] if season is not None else of_a_season if hands else [*of_a_season, "hands"]
    return Table([column for column in columns if column.head not in left_out], names=(16,))


def hands_table(evening: RecordedEvening) -> Table:
    """Return the table of hands: how each was won, the score, and what each player won or lost."""
    hands = evening.played
    scores = [Cell("" if hand.score is None else str(hand.score), strong=hand.at_limit) for hand in hands]
    won_by = [name_cell(hand.winner or "")._replace(more=what_happened(hand)) for hand in hands]
    columns = [
        Column("", [Cell(hand.mark, link=f"hand-{hand.mark}") for hand in hands], spoken="hand"),
        Column("", [Cell(hand.round) for hand in hands], False, only="text"),
        Column("East", [name_cell(hand.seats.get("E", "")) for hand in hands], False, rank=1, only="text"),
        Column("winner", [name_cell(hand.winner or "–") for hand in hands], False, only="text"),
        Column("", [Cell(partial(what_happened, hand)) for hand in hands], False, only="text"),
        Column("won by", won_by, False, only="page", total=Cell("Total")),
        Column("score", scores),
    ]
    players = []
    for name in evening.players:
        nets = [
            Cell(points=hand.nets[name] if hand.concerns(name) else None, east=hand.seats.get("E") == name)
            for hand in hands
        ]
        players.append(figures_of(name, nets, Cell(points=evening.total(name))))
    return Table(columns, second=players, second_title="Won and lost", sections=statistics.rounds(evening))


def fed_table(*evenings: RecordedEvening) -> Table:
    """Return the table of who discarded how many winning tiles for whom, and what they paid for them."""
    fed, players = (
        statistics.fed_whom(*evenings),
        dict.fromkeys(name for one in evenings for name in one.players),
    )
    drawn = {standing.name: standing.drawn for standing in standings(*evenings)}

    def given(discarder: str, winner: str) -> Cell:
        pair = fed.get((discarder, winner))
        if pair is None:
            return Cell("·" if discarder == winner else "")
        return Cell(str(pair.hands), more=f"({pair.points})")

    columns = [Column("gave ↓ to →", [*map(name_cell, players), Cell("drawn")], right=False, kind="name")]
    for winner in players:
        cells = [given(discarder, winner) for discarder in players]
        columns.append(figures_of(winner, [*cells, Cell(str(drawn[winner] or ""))], Cell()))
    return Table(columns)


def evenings_table(season: Season) -> Table:
    """Return the table of what everybody won or lost each evening."""
    evenings = season.evenings
    titles = [Cell(statistics.title_of(evening), more=evening.occasion.date) for evening in evenings]
    numbers = [Cell(str(number)) for number in range(1, len(evenings) + 1)]
    columns = [
        Column("", numbers, only="page", kind="extra", spoken="number"),
        Column("", [Cell(short(statistics.label_of(evening))) for evening in evenings], False, only="text"),
        Column("evening", titles, False, only="page", total=Cell("Total")),
        Column("hands", [Cell(str(statistics.hands_played(evening))) for evening in evenings], kind="extra"),
    ]
    by_evening = points_by_evening(season)
    totals = {standing.name: standing.total for standing in standings(*evenings)}
    for name in season.players:
        cells = [Cell(points=won[name]) for won in by_evening]
        columns.append(figures_of(name, cells, Cell(points=totals[name])))
    return Table(columns, leading=2, names=(8,))


def evening_page(evening: RecordedEvening, title: str, print_hands: bool = False) -> str:
    """Return an evening's report as a whole HTML document; single hands are printed only with *print_hands*."""
    notes, ranks = words()["notes"], standings(evening)
    *names, last = evening.players
    texts = [
        f"{', '.join(names)} and {last} · {hands_text(evening)}",
        rules_text(evening),
        evening.occasion.date,
    ]
    left_out = [
        f"Hand {hand.mark}{_quoted(hand.label)}, line {hand.line}, is left out" for hand in evening.left_out
    ]
    left_out += [f"Line {refusal.line}: {refusal.message}" for refusal in evening.refusals]
    note = f"{notes['standings']} {changes_text(evening)}".strip()
    most = statistics.biggest(evening)
    top = [section("standings", "Standings", table_html(standings_table(ranks), "Standings"), note)]
    if most is not None and most.sheet is not None and most.sheet.hand is not None:
        won = f"{most.winner} wins ", element("b", most.score), f", {what_happened(most)}, in "
        hand = element("a", f"hand {most.mark}", href=f"#hand-{most.mark}"), _quoted(most.label)
        tiles = joined(element("p", *won, *hand), LINE_END, _tiles(most.sheet, most.seats))
        top.append(section("biggest", "The biggest hand", tiles))
    hands = joined(*(_article(played, played is most) for played in evening.played), between="\n")
    table = table_html(hands_table(evening), notes["hands"], "hands")
    fed = section("fed", "Who fed whom", table_html(fed_table(evening), notes["fed"]), notes["fed"])
    books = "; ".join(f"{book.book} (rules {book.fingerprint})" for book in evening.books)
    entries = counted(len(evening.played), "entry", "entries")
    closing = [element("p", note) for note in evening.closing_notes]
    origin = f"Pages refer to {books}. Worked out by mjscore from {entries} of {_file(evening)}."
    parts = [
        _heading(title, texts, ranks, ("wins", "share first place")),
        _told("Part of the file was refused.", "The figures cover the rest.", left_out),
        block("div", [block("div", top), totals_chart(statistics.course_of(evening))], class_="top"),
        section("table", "Hands", table, Markup(notes["east"])),
        fed if evening.hands_won else None,
        *_list_sections(closing_lists(evening)),
        section("every", "Hand by hand", hands),
        element("footer", *closing, LINE_END, element("p", origin), LINE_END),
    ]
    return document(title, parts, print_hands)


def season_page(season: Season, title: str) -> str:
    """Return the report of a season as a whole HTML document, in the style of an evening's."""
    ranked = standings(*season.evenings)
    ranks = table_html(standings_table(ranked, season), "Standings")
    by_evening, notes = "Points by evening", words()["notes"]
    refused = alike_text(season)
    refused += [
        f"{statistics.title_of(evening)}, line {refusal.line}: {refusal.message}"
        for evening in season.evenings
        for refusal in evening.refusals
    ]
    best = []
    for evening, hand in season.best_hands:
        tiles = _tiles(hand.sheet, hand.seats) if hand.sheet is not None else None
        best.append(joined(element("p", hand_text(evening, hand)), tiles))
    fed = table_html(fed_table(*season.evenings), notes["fed"])
    evenings = counted(len(season.evenings), "evening", "evenings")
    origin = f"Worked out by mjscore from {evenings}: {', '.join(map(_file, season.evenings))}."
    top = element("div", section("standings season", "Standings", ranks, notes["season"]))
    parts = [
        _heading(title, [season_text(season)], ranked, ("leads", "share the lead")),
        _told("Please check.", "What was refused is not in the figures.", refused),
        block("div", [top, totals_chart(season_course(season), "evening")], class_="top"),
        section("table", by_evening, table_html(evenings_table(season), by_evening, "hands evenings")),
        section("fed", "Who fed whom", fed, notes["fed"]),
        section("biggest", "The best hands", joined(*best, between="\n")) if best else None,
        *_list_sections({STREAKS: streak_lines(*season.evenings)}),
        block("footer", [element("p", origin)]),
    ]
    return document(title, parts)


def _list_sections(lists: Mapping[str, list[str]]) -> list[Markup]:
    return [section("lists", title, bullets(lines)) for title, lines in lists.items() if lines]


def _heading(title: str, texts: Iterable[str], ranks: Sequence[Standing], verbs: tuple[str, str]) -> Markup:
    first = [standing for standing in ranks if standing.place == 1]
    winners = joined(*(element("b", standing.name) for standing in first), between=" and ")
    won = winners, f" {verbs[len(first) > 1]} with ", points(first[0].total)
    lines = [element("p", text) for text in texts if text]
    return block("header", [element("h1", title), *lines, element("p", *won, class_="winner")])


def _told(title: str, note: str, lines: Sequence[str]) -> Markup | None:
    head = element("p", element("b", title), f" {note}")
    return block("section", [head, bullets(lines)], class_="refused") if lines else None


def _file(evening: RecordedEvening) -> str:
    return evening.file.rpartition("/")[2]


def _article(played: Played, is_biggest: bool) -> Markup:
    """Return a hand or an event as HTML: what happened, tiles and sheets, who paid whom."""
    settlement, (title, happened) = played.settlement, _headline(played)
    badges = [text for text, is_so in (("the limit", played.at_limit), ("biggest hand", is_biggest)) if is_so]
    marks = [part for badge in badges for part in (" ", element("span", badge, class_="limit"))]
    nets = [
        joined(f"{name} ", element("b", points(net)))
        for name, net in played.nets.items()
        if played.concerns(name)
    ]
    payments = []
    for payer, payee, paid, reason in settlement.payments:
        who, why = (
            f"{played.named(payer)} pays {played.named(payee)} ",
            element("span", reason, class_="soft"),
        )
        payments.append(joined(who, element("b", paid), " ", why))
    sits_out = [f"{played.seats[SITTER_OUT]} sits out"] if SITTER_OUT in played.seats else []
    others = [seat for seat in settlement.scores if seat != settlement.winner]
    parts = [
        element("h3", f"{played.mark} · {played.label or title}", *marks),
        element("p", happened, class_="say") if happened else None,
        bullets(nets if any(played.nets.values()) else (), "nets"),
        _seat(played, settlement.winner, "seat winner") if settlement.winner is not None else None,
        block("div", [_seat(played, seat, "seat") for seat in others], class_="others"),
        bullets(payments, "pays"),
        bullets([*settlement.remarks, *sits_out], "remarks"),
        *(element("p", note, class_="notes") for note in played.notes),
    ]
    return block("article", parts, class_="hand", id=f"hand-{played.mark}")


def _headline(played: Played) -> tuple[str, str]:
    """Return the title of a hand, and what happened in it, with its round and East."""
    title, happened = TITLES[played.settlement.kind], what_happened(played)
    if played.winner is not None:
        title = f"{played.winner} wins"
        happened = f"{title} {played.score}, {happened}"
    elif played.settlement.kind == "draw":
        happened = "Nobody wins, nobody pays"
    east = played.seats.get("E", "")
    where = [f"{WIND_NAMES[played.round]} round"] if played.round else []
    where += [f"{east} is East"] if east != "East" else []
    return title, " · ".join(filter(None, (happened, ", ".join(where))))


def _seat(played: Played, seat: str, kind: str) -> Markup:
    """Return a player's score as HTML, with tiles and sheet if the hand is known."""
    name, wind = str(played.named(seat)), WIND_NAMES[seat]
    sheet = played.settlement.sheets.get(seat)
    where = (" ", element("span", wind, class_="soft")) if name != wind else ()
    score = element("span", played.settlement.scores[seat], class_="score")
    parts: list[object] = [element("h4", element("span", name, *where), score)]
    if sheet is None:
        note = element("small", "only the score was given")
        return block("div", [*parts, element("p", note, class_="soft")], class_=kind)
    if sheet.hand is not None:
        parts.append(_tiles(sheet, played.seats))
    lines = drawn_lines(sheet, played.book)
    if sheet.won:
        lines.append(SheetLine("Score", str(sheet.score), kind="sum"))
    rows = []
    for line in lines:
        figure, source = element("td", line.figure, class_="n"), element("td", line.source, class_="source")
        kind_of_row = "sum" if line.kind == "sum" else ""
        rows.append(element("tr", element("td", line.title), figure, source, class_=kind_of_row))
    if rows:
        caption = spoken_caption(f"Score sheet of {name}")
        parts.append(element("table", caption, block("tbody", rows), class_="sheet"))
    return block("div", parts, class_=kind)


def _tiles(sheet: ScoreSheet, names: Mapping[str, str]) -> Markup:
    """Return a hand drawn in the sets that were scored, above its notation."""
    notation = " ".join(part.text for part in parts_of(sheet, names))
    return element(
        "figure", element("div", *draw_parts(sheet)), element("figcaption", notation), class_="tiles"
    )
