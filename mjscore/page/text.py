"""Score sheets, settlements, waits and score cards as text for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from mjscore.game.tiles import WIND_NAMES
from mjscore.refusal import visible
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.conditions import expression
from mjscore.rulebook.entries import Entry
from mjscore.rulebook.facts import HAND_VOCABULARY, SET_VOCABULARY
from mjscore.rulebook.rule import Rule
from mjscore.scoring.sheet import Item, ScoreSheet
from mjscore.scoring.waits import Wait
from mjscore.settling.settlement import Settlement, collected

if TYPE_CHECKING:
    from mjscore.counters.sets import Exchange


class Style:
    """How to print: *width* in columns, *colour* or none."""

    __slots__ = ("colour", "width")

    def __init__(self, width: int = 100, colour: bool = False) -> None:
        self.width = width
        self.colour = colour

    def strong(self, text: str) -> str:
        """Text that stands out."""
        return click.style(text, bold=True) if self.colour else text

    def faint(self, text: str) -> str:
        """Text that stands back."""
        return click.style(text, dim=True) if self.colour else text

    def good(self, text: str) -> str:
        """Points won."""
        return click.style(text, fg="green") if self.colour else text

    def bad(self, text: str) -> str:
        """Points lost, and what does not hold."""
        return click.style(text, fg="red") if self.colour else text


def signed(points: int) -> str:
    """+12, 0 or −12, with a true minus."""
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"


def name_of(seat: str, names: Mapping[str, str]) -> str:
    """A player's name with his wind, or the wind's name; who sits out has no wind."""
    wind = WIND_NAMES.get(seat, "sits out")
    return f"{visible(names[seat])} ({wind})" if seat in names else wind


def _rows(rows: Sequence[tuple[str, str, str]], style: Style, indent: str = "  ") -> str:
    """Lines of title, figure and source; a title too long for the width goes on below itself."""
    if not rows:
        return ""
    sources = max(len(row[2]) for row in rows)
    figures = max(len(row[1]) for row in rows)
    room = style.width - len(indent) - figures - 4
    narrow = room - sources < 28
    source_room = min(sources, 18) if narrow else sources
    title_room = max(16, min(max(len(row[0]) for row in rows), room - source_room))
    lines = []
    for title, figure, source in rows:
        left = wrap(title, title_room) or [""]
        right = wrap(source, source_room) if source_room else [""]
        for place in range(max(len(left), len(right) or 1)):
            first = left[place] if place < len(left) else ""
            last = right[place] if place < len(right) else ""
            middle = figure if place == 0 else ""
            lines.append(f"{indent}{first:<{title_room}}  {middle:>{figures}}  {style.faint(last)}".rstrip())
    return "\n".join(lines)


def show_sheet(
    sheet: ScoreSheet, book: Rulebook, style: Style, tiles: str = "", liable: Rule | None = None
) -> str:
    """The itemised sheet of one hand, as the books print it, and what each player pays.

    *liable* is the rule by which a discarder may have to pay for the others.
    """
    head = f"{WIND_NAMES.get(sheet.seat or '', '')}, {WIND_NAMES.get(sheet.round or '', '')} round"
    one_line = len(head) + 2 + len(book.title) < style.width
    titles = [book.title] if one_line else wrap(book.title, style.width - 2)
    lines = [style.strong(head) + ("  " + style.faint(titles.pop()) if one_line else "")]
    lines += [style.faint(title) for title in titles]
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
        rows.append((style_total("before doubling" if sheet.doubling else "total"), str(total), ""))
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
    lines.append(_rows(rows, style))
    score = f"  Score {sheet.score}"
    if sheet.score_set_by == "limit":
        score += f"  (counted {sheet.counted}; the limit is {book.limit})"
    elif sheet.score_set_by is not None and sheet.special is None:
        score += f"  (counted {sheet.counted})"
    lines += ["", style.strong(score)]
    if sheet.won:
        for text in (pays_text(sheet, book), _liability_text(sheet, liable)):
            lines += wrap(text, style.width - 2, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(line for line in lines if line is not None)


def style_total(text: str) -> str:
    """The title of a sum."""
    return f"— {text}"


def pays_text(sheet: ScoreSheet, book: Rulebook) -> str:
    """Who pays a winner how much."""
    payments = collected(sheet, book)
    if payments is None:
        return "who pays double depends on who discarded the tile: type it as in <5d:S"
    if not payments:
        return "nobody pays anything"
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


def show_settlement(settlement: Settlement, names: Mapping[str, str], style: Style) -> str:
    """What a hand came to: who won, who pays whom, the nets, and what moved them from the usual."""
    title = _kind_title(settlement, names)
    if settlement.label:
        # play gives the hands their numbers for labels
        title = f"Hand {settlement.label}" if settlement.label.isdecimal() else visible(settlement.label)
    lines = [style.strong(title)]
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


def _paid(settlement: Settlement) -> dict[tuple[str, str], int]:
    paid = {(one.payer, one.payee): 0 for one in settlement.payments}
    for one in settlement.payments:
        paid[one.payer, one.payee] += one.points
    return paid


def _short_name(seat: str, names: Mapping[str, str]) -> str:
    return visible(names[seat]) if seat in names else WIND_NAMES.get(seat, "sits out")


def _matrix(settlement: Settlement, names: Mapping[str, str], style: Style) -> list[str]:
    """A matrix of payments, who pays along the rows; empty where the terminal is too narrow for it."""
    from tabulate import tabulate

    seats = list(settlement.net)
    paid = _paid(settlement)
    table = []
    for seat in seats:
        cells = ["·" if seat == other else paid.get((seat, other)) or "" for other in seats]
        score = settlement.scores.get(seat, "")
        table.append([_short_name(seat, names), score, *cells, _coloured(settlement.net[seat], style)])
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
    """The same for a narrow terminal: a player's score and net, and below it what he pays."""
    paid = _paid(settlement)
    lines = []
    for seat, net in settlement.net.items():
        score = f" ({settlement.scores[seat]})" if seat in settlement.scores else ""
        lines.append(f"{_short_name(seat, names)}{score}: {_coloured(net, style)}")
        pays = ", ".join(
            f"{_short_name(payee, names)} {points}"
            for (payer, payee), points in paid.items()
            if payer == seat
        )
        if pays:
            lines += wrap(f"pays {pays}", style.width - 2, initial_indent="  ", subsequent_indent="    ")
    return lines


def show_exchange(found: Exchange, names: Mapping[str, str], style: Style) -> str:
    """The counters that change hands, a line a transfer."""
    lines = []
    for line in found.lines({seat: visible(name) for seat, name in names.items()}):
        lines += wrap(line, style.width, subsequent_indent="  ")
    return "\n".join(lines)


def _kind_title(settlement: Settlement, names: Mapping[str, str]) -> str:
    titles = {
        "draw": "Draw",
        "wash": "Washing the tiles",
        "false": "False Mah-Jongg",
        "pay": "Agreed payment",
        "long": "A hand with too many tiles",
        "hand": "Hand",
    }
    return titles[settlement.kind]


def _coloured(points: int, style: Style) -> str:
    text = signed(points)
    return style.good(text) if points > 0 else style.bad(text) if points < 0 else text


def show_waits(waits: Iterable[Wait], style: Style) -> str:
    """The tiles that would complete a hand, with their scores."""
    from tabulate import tabulate

    rows = [[str(one.tile), one.tile.title, _or_none(one.drawn), _or_none(one.claimed)] for one in waits]
    if not rows:
        return "The hand is not waiting: no tile would complete it."
    return tabulate(
        rows,
        ["tile", "", "drawn", "claimed"],
        tablefmt="simple",
        disable_numparse=True,
        colalign=("left", "left", "right", "right"),
    )


def _or_none(score: int | None) -> str:
    return "no win" if score is None else str(score)


SECTION_TITLES = {
    "set": "Sets and pairs",
    "bonus": "Bonuses",
    "after": "Added after doubling",
    "double": "Doubles",
    "limit": "Limit hands and special scores",
    "shape": "Special hands",
    "settle": "Settling",
    "liability": "Who pays for the others",
    "excuse": "Excuses",
}


def worth(entry: Entry, book: Rulebook) -> str:
    """What an entry gives, in a word or two."""
    rule = book.rules.get(entry.id)
    if rule is None:
        return "–"
    times = " each" if "times" in entry.data else ""
    if "of_limit" in rule.details:
        above, below = rule.details["of_limit"]
        part = "limit" if (above, below) == (1, 1) else f"{above}/{below} limit"
        points = book.part_of_limit(rule)
        return part + (f" ({points})" if points is not None else "")
    if rule.doubles:
        return f"×{2**rule.doubles}{times}"
    if "factor" in rule.details:
        return f"×{rule.details['factor']}"
    if "table" in rule.details:
        table = rule.details["table"]
        return f"{min(table.values())}–{max(table.values())}"
    return (
        f"{rule.points}{times}" if entry.section in ("set", "bonus", "after", "shape") or rule.points else ""
    )


def show_rulebook(book: Rulebook, style: Style) -> str:
    """A score card to keep beside the table: every entry with its worth and page, and the options.

    Entries that a house rulebook has of its own, or changed, are marked ``*``.
    """
    lines = [style.strong(book.title), style.faint(book.book)]
    own = book.text.path if len(book.text.lineage) > 1 else ""
    for section, title in SECTION_TITLES.items():
        entries = [entry for entry in book.entries.values() if entry.section == section]
        if not entries:
            continue
        rows = []
        for entry in entries:
            mark = "* " if own and (entry.document.path == own) else ""
            rows.append((mark + entry.title, worth(entry, book), entry.source))
        lines += ["", style.strong(title), _rows(rows, style)]
    if own:
        lines += ["", f"  * differs from {book.text.lineage[-2]}"]
    if book.text.options:
        lines += ["", style.strong("Options"), _rows(option_rows(book), style)]
    lines += ["", style.faint(f"fingerprint {book.fingerprint}")]
    return "\n".join(lines)


def option_rows(book: Rulebook) -> list[tuple[str, str, str]]:
    """Options with their value in force, choices and pages."""
    rows = []
    for name, entry in book.text.options.items():
        choices = {"flag": "on, off", "limit": "points, none", "group": "all, none"}.get(
            str(entry.data["kind"])
        ) or ", ".join(str(choice) for choice in entry.data["choices"])
        rows.append((f"{name}: {entry.title} ({choices})", option_text(book.options[name]), entry.source))
    return rows


def option_text(value: object) -> str:
    """An option's value as it is typed."""
    return "on" if value is True else "off" if value is False else "none" if value is None else str(value)


def diff_rows(
    one: Rulebook, other: Rulebook, everything: bool = False
) -> list[tuple[str, str, str, str, str]]:
    """Entries of two rulebooks beside each other: section, title, worth in the one and in the other, pages."""
    rows = []
    for section, section_title in SECTION_TITLES.items():
        ids = [
            name for book in (one, other) for name, entry in book.entries.items() if entry.section == section
        ]
        for name in dict.fromkeys(ids):
            left, right = one.entries.get(name), other.entries.get(name)
            left = left if left is not None and left.section == section else None
            right = right if right is not None and right.section == section else None
            shown = [
                worth(entry, book) or "yes" if entry else "–" for entry, book in ((left, one), (right, other))
            ]
            condition = [_condition(entry, book) for entry, book in ((left, one), (right, other))]
            entry = left or right
            if entry is None or (not everything and shown[0] == shown[1] and condition[0] == condition[1]):
                continue
            if left and right and shown[0] == shown[1]:
                shown = [f"{text} ¹" for text in shown]
            title = (
                entry.title
                if not (left and right) or left.title == right.title
                else f"{left.title} / {right.title}"
            )
            sources = " | ".join(found.source if found else "–" for found in (left, right))
            rows.append((section_title, title, shown[0], shown[1], sources))
    for name in dict.fromkeys([*one.options, *other.options]):
        values = [option_text(book.options[name]) if name in book.options else "–" for book in (one, other)]
        if everything or values[0] != values[1]:
            entry = one.text.options.get(name) or other.text.options[name]
            rows.append(("Options", f"{name}: {entry.title}", values[0], values[1], entry.source))
    return rows


def _condition(entry: Entry | None, book: Rulebook) -> str:
    """An entry's condition under the options in force, in a form that can be compared."""
    if entry is None:
        return ""
    vocabulary = SET_VOCABULARY if entry.section == "set" else HAND_VOCABULARY
    return expression(book.conditions[entry.id], vocabulary)


def show_diff(one: Rulebook, other: Rulebook, style: Style, everything: bool = False) -> str:
    """Two columns of what is worth what."""
    from tabulate import tabulate

    rows = diff_rows(one, other, everything)
    if not rows:
        return "The two rulebooks are the same."
    columns = max(12, (style.width - 14) // 4)
    lines = []
    section = ""
    table: list[list[str]] = []
    for row in rows:
        if row[0] != section:
            section = row[0]
            table.append([style.strong(section), "", "", ""])
        table.append([f"  {row[1]}", row[2], row[3], row[4]])
    lines.append(
        tabulate(
            table,
            ["", one.id, other.id, "pages"],
            tablefmt="simple",
            disable_numparse=True,
            maxcolwidths=[columns * 2 - 6, max(10, columns - 8), max(10, columns - 8), columns],
            colalign=("left", "right", "right", "left"),
            preserve_whitespace=True,
        )
    )
    if any(row[2].endswith("¹") for row in rows):
        lines.append("¹ worth the same, under another condition: see rules show")
    return "\n".join(lines)


def show_side_by_side(sheets: Sequence[ScoreSheet], books: Sequence[Rulebook], style: Style) -> str:
    """One hand under several rulebooks, a column each; lines in which they differ are marked."""
    from tabulate import tabulate

    cells: dict[str, dict[int, str]] = {}
    for place, sheet in enumerate(sheets):
        if sheet.error is not None:
            continue
        counted: dict[str, int] = {}
        for item in sheet.items:
            key = _row_title(item, sheets)
            counted[key] = counted.get(key, 0) + item.points
        for key, points in counted.items():
            cells.setdefault(key, {})[place] = str(points)
        cells.setdefault("— before doubling", {})[place] = str(sheet.points)
        for doubling in sheet.doubling:
            cells.setdefault(doubling.title, {})[place] = f"×{2**doubling.doubles}"
        for item in sheet.additions:
            cells.setdefault(item.title, {})[place] = f"+{item.points}"
        for claim in sheet.claims:
            cells.setdefault(claim.title, {})[place] = str(claim.points)
        if sheet.score_set_by == "limit":
            cells.setdefault("— counted", {})[place] = str(sheet.counted)
    ordered = sorted(cells, key=lambda key: _side_order(key, sheets))
    table = []
    for key in ordered:
        values = [cells[key].get(place, "–") for place in range(len(sheets))]
        differs = len(set(values)) > 1
        row = ["≠" if differs else "", key, *values]
        table.append([style.strong(cell) if differs else cell for cell in row])
    scores = ["refused" if sheet.error is not None else str(sheet.score) for sheet in sheets]
    table.append(["≠" if len(set(scores)) > 1 else "", "Score", *scores])
    headers = ["", "", *(book.id for book in books)]
    title_room = max(20, style.width - 6 - sum(max(8, len(book.id)) + 2 for book in books))
    text = tabulate(
        table,
        headers,
        tablefmt="simple",
        disable_numparse=True,
        maxcolwidths=[2, title_room, *[None] * len(books)],
        colalign=("left", "left", *["right"] * len(books)),
    )
    refused = [
        f"{book.id}: {sheet.error.message}\n  help: {sheet.error.hint}"
        for sheet, book in zip(sheets, books, strict=True)
        if sheet.error is not None
    ]
    return "\n".join([text, *refused])


def _row_title(item: Item, sheets: Sequence[ScoreSheet]) -> str:
    """The title of an item's row: what a set is called in the first rulebook that scores it."""
    if item.tiles is None:
        return item.title
    first = next(one for sheet in sheets for one in sheet.items if one.tiles == item.tiles)
    return f"{first.title}, {item.tiles}"


def _side_order(key: str, sheets: Sequence[ScoreSheet]) -> tuple[int, int]:
    if key.startswith("— before"):
        return (1, 0)
    if key.startswith("— counted"):
        return (4, 0)
    for sheet in sheets:
        for place, item in enumerate(sheet.items):
            if key == _row_title(item, sheets):
                return (0, place)
        for place, doubling in enumerate(sheet.doubling):
            if key == doubling.title:
                return (2, place)
    return (3, 0)
