"""Score sheets by one or several rulebooks, reasons why not, waits, and settlements, as text for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from textwrap import indent, wrap
from typing import TYPE_CHECKING

from mjscore.game.hand import Hand
from mjscore.game.tiles import TILE_GLYPHS, WIND_NAMES, Tile, format_tiles
from mjscore.page.sheet_lines import sheet_lines
from mjscore.page.tables import Cell, Table, columns_of, rows_table, show_table, tabulated
from mjscore.page.text import NOBODY, Style, counted, indented, name_of, sections_text
from mjscore.page.tile_styles import chosen_style, render_tiles
from mjscore.refusal import escape_controls, text_width
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.sheet import ScoredArrangement, ScoredHand, ScoreSheet
from mjscore.scoring.winning_tiles import completed_by
from mjscore.settling.payment import Payment
from mjscore.settling.settlement import Settlement, collected

if TYPE_CHECKING:
    from mjscore.counters.exchange import Exchange
    from mjscore.scoring.waits import Waits


def show_sheet(
    sheet: ScoreSheet,
    book: Rulebook,
    style: Style,
    tiles: str = "",
    names: Mapping[str, str] = NOBODY,
    pays: bool = True,
    scored: ScoredHand | None = None,
) -> str:
    """Return the itemised sheet of one hand as text and, unless *pays* is false, what each player pays.

    *names* are the players by wind.
    """
    head = sheet_head(sheet, names)
    if text_width(head) + 2 + len(book.title) < style.width:
        lines = [f"{style.strong(head)}  {style.faint(book.title)}"]
    else:
        lines = [style.strong(head), *map(style.faint, wrap(book.title, style.width - 2))]
    if tiles or sheet.hand is not None:
        lines.append(tiles or indent(render_tiles(sheet, "plain", style.width - 2, names), "  "))
    lines.append("")
    counted = sheet_lines(sheet, book)
    lines += [f"  {line.title}" for line in counted if line.kind == "dead"]
    rows = [
        (f"— {line.title}" if line.kind == "sum" else line.title, line.figure, line.source)
        for line in counted
        if line.kind in ("item", "sum")
    ]
    if rows:
        lines.append(show_table(rows_table(rows), style))
    score = f"  Score {sheet.score}"
    if sheet.limit == "limit":
        score += f"  (counted {sheet.counted}; the limit is {book.limit})"
    elif sheet.limit is not None and sheet.special is None:
        score += f"  (counted {sheet.counted})"
    lines += ["", style.strong(score)]
    if pays:
        lines += indented(payments_text(sheet, book, names, scored), style)
    for remark in sheet.remarks:
        lines += indented(escape_controls(remark), style)
    return "\n".join(lines)


def sheet_head(sheet: ScoreSheet, names: Mapping[str, str]) -> str:
    """Return the heading of a score sheet: whose hand it is, and in which round."""
    return f"{name_of(sheet.seat or '', names)}, {WIND_NAMES.get(sheet.round or '', '')} round"


_BOOK_NAME = 16  # columns at most for the name of a rulebook
_TITLE_ROOM = 16  # columns at least for titles; whatever does not fit beside them goes below
_OF_A_HAND = (0, 2, 3)  # kinds of row: points, doubles, additions
_SCORE = 5, 0  # the position of the score's row
_OTHERS_SHOWN = 5  # arrangements at most that scored less


def payments_text(
    sheet: ScoreSheet, book: Rulebook, names: Mapping[str, str] = NOBODY, scored: ScoredHand | None = None
) -> str:
    """Return who pays a winner how much, who pays for others and why, and what an excuse changes; empty for losers."""
    if not sheet.won:
        return ""
    paid = collected(sheet, book, names or WIND_NAMES, scored)
    if paid is None:
        who = "who pays double" if book.settling.discarder_factor is not None else "who pays"
        who = "what each pays" if book.settling.discarder_pays_rest is not None else who
        return f"{who} depends on the discarder: name one, as in <5d:S"
    amounts = _amounts(paid.payments, sheet.seat, names)
    sentences = [amounts] if amounts or paid.remarks else ["nobody pays anything"]
    sentences += paid.remarks
    if paid.excused is not None:
        sentences.append(f"Excused: {_amounts(paid.excused, sheet.seat, names)}")
    first, *rest = filter(None, sentences)
    return ". ".join([first, *(sentence[0].upper() + sentence[1:] for sentence in rest)])


def _amounts(payments: Sequence[Payment], winner: str | None, names: Mapping[str, str]) -> str:
    """Return in words what each player pays the winner, and what they pay the player sitting out."""
    called = {**WIND_NAMES, **{seat: escape_controls(name) for seat, name in names.items()}}
    sentences = []
    for payee in dict.fromkeys(payment.payee for payment in payments):
        amounts: dict[int, list[str]] = {}
        for payment in payments:
            if payment.payee == payee:
                name = called.get(payment.payer, "the player sitting out")
                amounts.setdefault(payment.points, []).append(name)
        parts = []
        for points, seats in sorted(amounts.items(), reverse=True):
            who = " and ".join(filter(None, (", ".join(seats[:-1]), seats[-1])))
            parts.append(f"{who} pays {points}" if len(seats) == 1 else f"{who} pay {points} each")
        total = sum(points * len(seats) for points, seats in amounts.items())
        text = "; ".join(parts) + (f": {total} in all" if total not in amounts else "")
        sentences.append(
            text if payee == winner else f"{text}, to {called.get(payee, 'the player sitting out')}"
        )
    return ". ".join(sentences)


def show_side_by_side(sheets: Sequence[ScoreSheet], books: Sequence[Rulebook], style: Style) -> str:
    """Return one hand by several rulebooks as text, a column each, marking the rows in which they differ.

    A row is about one thing, whatever the rulebooks call it: a set, or the rules with one id. Refusals are below.
    """
    matters: dict[str, dict[int, tuple[tuple[int, int], str, str]]] = {}
    for column, (sheet, book) in enumerate(zip(sheets, books, strict=True)):
        for matter, place, title, figure in _matters(sheet, book):
            matters.setdefault(matter, {})[column] = place, title, figure
    nothing = ["–" if sheet.error is None else "" for sheet in sheets]
    rows = []
    for cells in sorted(matters.values(), key=lambda cells: min(place for place, _, _ in cells.values())):
        place, title, _ = next(iter(cells.values()))
        figures = [cells[column][2] if column in cells else none for column, none in enumerate(nothing)]
        if not {*figures} <= {"", "–", "?"}:
            differs = len({*figures} - {""}) > 1
            row = ("≠" if differs else "", title, *figures)
            rows.append([Cell(text, strong=differs and place < _SCORE) for text in row])
    names = [wrap(book.id, _BOOK_NAME) for book in books]
    mark, titles, *of_books = columns_of(["", "", *map("\n".join, names)], rows, "ll" + "r" * len(books))
    room = style.width - 4 - sum(max(7, max(map(len, name)) + 2) + 2 for name in names)
    titles = titles._replace(hang=2, most=room if room >= _TITLE_ROOM else style.width)
    table = Table([mark, titles, *of_books], leading=2, narrowed=((1, _TITLE_ROOM),))
    lines = [show_table(table, style)]
    for sheet, book in zip(sheets, books, strict=True):
        if sheet.error is not None:
            lines += ["", *wrap(f"{book.id}: {sheet.error.message}", style.width, subsequent_indent="  ")]
            lines += wrap(f"  help: {sheet.error.hint}", style.width, subsequent_indent=" " * len("  help: "))
    return "\n".join(lines)


def _matters(sheet: ScoreSheet, book: Rulebook) -> Iterator[tuple[str, tuple[int, int], str, str]]:
    """Yield the rows of a sheet: what the row is about, its position, its title, its figure."""
    points: Counter[str] = Counter()
    for item in sheet.items:
        points[item.tiles or item.rule] += item.points
    for number, item in enumerate(sheet.items):
        matter = item.tiles or item.rule
        if matter in points:
            title = f"{item.title}, {item.tiles}" if item.tiles else item.title
            yield matter, (0, number), title, str(points.pop(matter))
    if sheet.error is None and (sheet.special is None or sheet.items):
        yield "— before doubling", (1, 0), "— before doubling", str(sheet.points)
    for number, doubling in enumerate(sheet.doubling):
        yield doubling.rule, (2, number), doubling.title, book.doubles_text(doubling.doubles)
    for number, addition in enumerate(sheet.additions):
        yield addition.rule, (3, number), addition.title, f"+{addition.points}"
    for number, claim in enumerate(sheet.claims, len(sheet.additions)):
        yield claim.rule, (3, number), claim.title, str(claim.points)
    if sheet.limit == "limit":
        yield "— counted", (4, 0), "— counted", str(sheet.counted)
    yield "Score", _SCORE, "Score", "refused" if sheet.error is not None else str(sheet.score)
    yield from _paid_matters(sheet, book)


def _paid_matters(sheet: ScoreSheet, book: Rulebook) -> Iterator[tuple[str, tuple[int, int], str, str]]:
    """Yield a row for what each seat pays; ``?`` if that depends on the discarder."""
    paid = collected(sheet, book) if sheet.won else None
    payments = paid.payments if paid is not None else ()
    amounts = {payment.payer: str(payment.points) for payment in payments if payment.payee == sheet.seat}
    for number, (seat, name) in enumerate(WIND_NAMES.items()):
        unknown = "" if not sheet.won else "?" if paid is None else "–"
        yield f"{name} pays", (6, number), f"{name} pays", amounts.get(seat, unknown)


def show_waits(waits: Waits, book: Rulebook, style: Style, tile_style: str | None = None) -> str:
    """Return as text what would complete a hand, with scores, or how far it is from waiting, or what to discard."""
    drawn_style = chosen_style(tile_style)
    lines = []
    if drawn_style != "plain" and waits.hand is not None:
        lines = [indent(render_tiles(waits.hand, drawn_style, style.width - 2), "  "), ""]
    if waits.discards:
        lines += _discards(waits.discards, style)
    elif waits.waits:
        rows = [
            [
                (f"{TILE_GLYPHS[wait.tile]}  " if drawn_style == "unicode" else "") + str(wait.tile),
                wait.tile.title,
                *("no win" if score is None else str(score) for score in (wait.drawn, wait.claimed)),
            ]
            for wait in waits.waits
        ]
        lines.append(tabulated(["tile", "", "drawn", "claimed"], rows, "llrr", style))
        lines += _drawn_or_claimed(waits, waits.hand, book, style) if waits.hand is not None else ()
    else:
        tiles, text = format_tiles(waits.nearer), "no tile would complete it."
        if waits.away:
            text = f"{counted(waits.away, 'tile', 'tiles')} away. Nearer with {tiles}."
        elif tiles:
            rules = "; ".join(win.rule.title for win in book.wins)
            text = f"{tiles} would complete it, but it may not win. {rules}."
        lines += wrap(f"The hand is not waiting: {text}", style.width)
    return "\n".join(lines)


def _discards(discards: Sequence[tuple[Tile, Waits]], style: Style) -> list[str]:
    """Return lines on what the hand would wait for and win after each discard, or else what would bring it nearer."""
    away, head = discards[0][1].away, "What each discard leaves to wait for, the best first."
    won = [wait[1::-1] for tile, rest in discards for wait in rest.waits if wait.tile == tile and wait.drawn]
    if away:
        head = f"No discard leaves the hand waiting: {counted(away, 'tile', 'tiles')} away with these."
    elif won:
        head = f"These tiles are Mah-Jongg: {max(won)[0]} with +{max(won)[1]}. {head}"
    rows = []
    for tile, rest in discards:
        scores = {score for wait in rest.waits for score in (wait.drawn, wait.claimed) if score is not None}
        worth = "–".join(map(str, sorted({min(scores), max(scores)}))) if scores else ""
        left = sum(rest.left.values()) - (tile in rest.left)
        rows.append([str(tile), format_tiles(rest.left), str(left), worth])
    heads = ["discard", "nearer with" if away else "waits for", "left", "" if away else "wins"]
    table = Table(columns_of(heads, rows, "llrr"), narrowed=((1, 12),))
    return [*wrap(head, style.width), "", show_table(table, style)]


def _drawn_or_claimed(waits: Waits, thirteen: Hand, book: Rulebook, style: Style) -> list[str]:
    """Return lines on the tiles that score differently when drawn and when claimed, and why."""
    reasons: dict[str, list[Tile]] = {}
    for tile in (wait.tile for wait in waits.waits if None not in wait):
        won = (completed_by(thirteen, tile, drawn, book) for drawn in (True, False))
        drawn, claimed = (
            {
                matter: f"{title.removesuffix(f', {matter}')} {figure}"
                for matter, (kind, _), title, figure in _matters(score_hand(hand, book).sheet, book)
                if kind in _OF_A_HAND
            }
            for hand in won
        )
        for matter in {**drawn, **claimed}:
            both = {"drawn": drawn.get(matter), "claimed": claimed.get(matter)}
            if both["drawn"] != both["claimed"]:
                reason = "; ".join(f"{how}: {text}" for how, text in both.items() if text)
                reasons.setdefault(reason, []).append(tile)
    lines = [""] if reasons else []
    for reason, tiles in reasons.items():
        more = f" (with {format_tiles(tiles)})" if len(tiles) < len(waits.waits) else ""
        lines += wrap(reason + more, style.width, subsequent_indent="  ")
    return lines


def show_why(results: Sequence[tuple[ScoredHand, Rulebook]], style: Style) -> str:
    """Return as text what each rulebook did not give a hand, and why, and the arrangements that scored less.

    A reason shared by several rulebooks is shown once, with all their pages.
    """
    from mjscore.scoring.reasons import not_given, other_arrangements

    reasons: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    for scored, book in results:
        for reason in not_given(scored, book):
            by_book = reasons.setdefault((reason.rule, reason.why), [])
            by_book.append((book.id, reason.title, reason.source))
    every = tuple(book.id for _, book in results)
    withheld: dict[tuple[str, ...], list[str]] = {every: [], **{(name,): [] for name in every}}
    for (_, why), by_book in reasons.items():
        names, titles, sources = zip(*by_book, strict=True)
        text = f"{titles[0]}: {why} ({' | '.join(dict.fromkeys(sources))})"
        withheld.setdefault(names, []).append(text)
    behind = []
    for scored, book in results:
        sheet, others = scored.sheet, other_arrangements(scored)
        withheld[book.id,] += [
            f"{claim.title} would be {claim.points}: counting gives {sheet.score}, "
            f"and the better is taken ({claim.source})"
            for claim in sheet.claims
            if claim.rule != sheet.limit
        ]
        title = "Other arrangements" if sheet.won else "Regroupings that score less"
        texts = [f"{other.score} points: {arrangement_text(other)}" for other in others[:_OTHERS_SHOWN]]
        more = len(others) - _OTHERS_SHOWN
        texts += [f"and {more} more"] if more > 0 else []
        behind.append((title if len(results) == 1 else f"{title} ({book.id})", texts))
    parts = [(f"Not given ({' and '.join(names)})", texts) for names, texts in withheld.items()]
    narrower = style._replace(width=style.width - 2)
    sections = [
        (title, [line for text in texts for line in indented(text, narrower, "    ")])
        for title, texts in (*parts, *behind)
    ]
    return sections_text(sections, style) or "There is nothing more to say about this hand."


def arrangement_text(counting: ScoredArrangement) -> str:
    """Return the sets of an arrangement in the notation, with + after the one that the winning tile completed."""
    sets = counting.arrangement.sets
    texts = (str(tile_set) if tile_set.origin == "hand" else tile_set.notation() for tile_set in sets)
    marks = ("+" * tile_set.completed for tile_set in sets)
    return " ".join(map("".join, zip(texts, marks, strict=True))) or "nothing"


def show_settlement(settlement: Settlement, names: Mapping[str, str], style: Style) -> str:
    """Return as text who won a hand, who pays whom, the nets, and all remarks."""
    from mjscore.record.events import TITLES  # a single hand does not need the table of events

    title = TITLES[settlement.kind]
    if settlement.label:
        # play labels the hands with their numbers
        title = (
            f"Hand {settlement.label}" if settlement.label.isdecimal() else escape_controls(settlement.label)
        )
    lines, text = [style.strong(title)], ""
    if settlement.by is not None:
        text = f"{name_of(settlement.by, names)} called Mah-Jongg without a winning hand"
    if settlement.winner is not None:
        how = " by drawing" if settlement.drawn else ""
        if settlement.discarder is not None:
            how = f" on a tile from {name_of(settlement.discarder, names)}"
        text = f"{name_of(settlement.winner, names)} wins{how}"
    lines += wrap(text, style.width, subsequent_indent="  ")
    nobody = "a drawn game: nobody pays" if settlement.kind == "draw" else "nobody pays anything"
    lines += _payments(settlement, names, style) if settlement.payments else [nobody]
    for remark in settlement.remarks:
        lines += indented(escape_controls(remark), style)
    return "\n".join(lines)


def _payments(settlement: Settlement, names: Mapping[str, str], style: Style) -> list[str]:
    """Return lines of payments: a matrix with payers in rows or, in a narrow terminal, a list by player."""
    paid = paid_by_pair(settlement)
    called = {
        seat: escape_controls(names[seat]) if seat in names else WIND_NAMES.get(seat, "sits out")
        for seat in settlement.net
    }
    rows = [
        [
            called[seat],
            settlement.scores.get(seat, ""),
            *("·" if seat == other else paid.get((seat, other)) or "" for other in called),
            Cell(points=net),
        ]
        for seat, net in settlement.net.items()
    ]
    heads = ["pays ↓ to →", "score", *called.values(), "net"]
    table = tabulated(heads, rows, "l" + "r" * (len(heads) - 1), Style(400, style.colour))
    if text_width(table.splitlines()[1]) <= style.width:
        return [table]
    lines = []
    for seat, net in settlement.net.items():
        score = f" ({settlement.scores[seat]})" if seat in settlement.scores else ""
        lines.append(f"{called[seat]}{score}: {style.points(net)}")
        pays = [f"{called[payee]} {points}" for (payer, payee), points in paid.items() if payer == seat]
        if pays:
            lines += indented(f"pays {', '.join(pays)}", style, "  ")
    return lines


def paid_by_pair(settlement: Settlement) -> Mapping[tuple[str, str], int]:
    """Return the sum of points paid, by payer and payee, in the order of the payments."""
    paid: Counter[tuple[str, str]] = Counter()
    for payment in settlement.payments:
        paid[payment.payer, payment.payee] += payment.points
    return paid


def show_exchange(exchange: Exchange, names: Mapping[str, str], style: Style) -> str:
    """Return as text the counters that change hands, one transfer on a line."""
    lines = exchange.lines({seat: escape_controls(name) for seat, name in names.items()})
    return "\n".join(part for line in lines for part in wrap(line, style.width, subsequent_indent="  "))
