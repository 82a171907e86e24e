"""An evening as text for the terminal: standings, running totals, hands, who fed whom, the biggest hand."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from mjscore.game.tiles import WIND_NAMES
from mjscore.page.text import Style, show_sheet, signed
from mjscore.page.tiles import render_tiles
from mjscore.record.statistics import (
    Evening,
    Played,
    biggest,
    fed_whom,
    rounds,
    standings,
    what_happened,
)
from mjscore.refusal import text_width, visible

_LONGEST_NAME = 16  # columns; a longer name is cut short


def show_evening(evening: Evening, style: Style, title: str, tile_style: str | None = None) -> str:
    """The whole report, in ``style.width`` columns."""
    parts = [
        _heading(evening, style, title),
        _section("Standings", _standings(evening, style), style),
        _section("Running totals", chart(evening, style), style),
        _section("Hands", _hands(evening, style), style),
    ]
    if evening.hands_won:
        parts.append(_section("Who fed whom", _fed(evening, style), style))
    most = biggest(evening)
    if most is not None:
        parts.append(_section("The biggest hand", _biggest(most, style, tile_style), style))
    if evening.closing_notes:
        parts += ["\n".join(wrap(visible(note), style.width)) for note in evening.closing_notes]
    return "\n\n".join(parts)


def _section(title: str, text: str, style: Style) -> str:
    return f"{style.strong(title)}\n{text}"


def rules_text(evening: Evening) -> str:
    """The rulebooks played by, each with its limit if it has one."""
    return "; ".join(
        book.title + (f", limit {book.limit}" if book.limit is not None else "") for book in evening.books
    )


def counted(number: int, one: str, many: str) -> str:
    """``1 hand``, ``2 hands``."""
    return f"{number} {one if number == 1 else many}"


def hands_text(evening: Evening) -> str:
    """How many hands were played, and how many of them nobody won."""
    hands = [one for one in evening.played if one.settlement.kind in ("hand", "draw", "long")]
    draws = sum(one.settlement.kind == "draw" for one in hands)
    text = counted(len(hands), "hand", "hands")
    return f"{text}, {counted(draws, 'draw', 'draws')} among them" if draws else text


def _heading(evening: Evening, style: Style, title: str) -> str:
    lines = [style.strong(line) for line in wrap(visible(title), style.width)]
    for said in (rules_text(evening), hands_text(evening)):
        lines += [style.faint(line) for line in wrap(said, style.width)]
    return "\n".join(lines)


def _table(rows: Sequence[Sequence[str]], headers: Sequence[str], aligned: str) -> str:
    """A table; *aligned* has a letter for each column, ``l`` or ``r``."""
    from tabulate import SEPARATING_LINE, tabulate

    # headings given as such would be widened by two columns each, and a narrow terminal needs those
    table = tabulate(
        [headers, SEPARATING_LINE, *rows],
        tablefmt="simple",
        disable_numparse=True,
        colalign=["left" if letter == "l" else "right" for letter in aligned],
    )
    return "\n".join(line.rstrip() for line in table.splitlines()[1:-1])


def short(name: str, columns: int = _LONGEST_NAME) -> str:
    """A name that can be echoed, cut to *columns*."""
    name = visible(name)
    if text_width(name) <= columns:
        return name
    while name and text_width(name) > columns - 1:
        name = name[:-1]
    return name + "…"


def points(number: int, style: Style) -> str:
    """Points won or lost, in colour where the style has it."""
    text = signed(number)
    return style.good(text) if number > 0 else style.bad(text) if number < 0 else text


def _standings(evening: Evening, style: Style) -> str:
    rows = [
        [
            str(one.place),
            style.strong(short(one.name)) if one.place == 1 else short(one.name),
            points(one.total, style),
            str(one.won),
            str(one.drawn),
            str(one.fed),
            "–" if one.best is None else str(one.best),
        ]
        for one in standings(evening)
    ]
    return _table(rows, ["", "player", "points", "won", "drawn", "fed", "best"], "llrrrrr")


# ------------------------------------------------------------------ hands


def _hands(evening: Evening, style: Style) -> str:
    longest = max(text_width(visible(name)) for name in evening.players)
    for columns in (min(longest, _LONGEST_NAME), 9, 7):
        wide = _table(
            [[*_hand_cells(one, columns, style), *_net_cells(one, evening, style)] for one in evening.played],
            ["", "", "East", "winner", "", "score", *(short(name, columns) for name in evening.players)],
            "rllllr" + "r" * len(evening.players),
        )
        if _fits(wide, style):
            return "\n".join([wide, *_left_out(evening, style)])
    hands = _table(
        [_hand_cells(one, 8, style) for one in evening.played],
        ["", "", "East", "winner", "", "score"],
        "rllllr",
    )
    nets = _table(
        [[str(one.number), *_net_cells(one, evening, style)] for one in evening.played],
        ["", *(short(name, 7) for name in evening.players)],
        "r" * (len(evening.players) + 1),
    )
    return "\n".join([hands, *_left_out(evening, style), "", style.strong("Won and lost"), nets])


def _fits(table: str, style: Style) -> bool:
    # the rule below the heading is as wide as the table, and has no colour in it
    return text_width(table.splitlines()[1]) <= style.width


def _hand_cells(one: Played, columns: int, style: Style) -> list[str]:
    score = "" if one.score is None else str(one.score)
    return [
        str(one.number),
        one.round,
        short(one.seats.get("E", ""), columns),
        short(one.winner, columns) if one.winner is not None else "–",
        what_happened(one, lambda name: short(name, columns)),
        style.strong(score) if one.at_limit else score,
    ]


def _net_cells(one: Played, evening: Evening, style: Style) -> list[str]:
    return [points(one.nets[name], style) for name in evening.players]


def _left_out(evening: Evening, style: Style) -> list[str]:
    return [
        style.bad(f"hand {one.number} is left out: {visible(evening.file)}:{one.line}")
        for one in evening.left_out
    ]


def _fed(evening: Evening, style: Style) -> str:
    said = "hands, and in brackets what the discarder paid for them"
    for columns in (_LONGEST_NAME, 10, 7):
        table = _fed_table(evening, columns, True)
        if _fits(table, style):
            return table + "\n" + style.faint(said)
    return _fed_table(evening, 6, False)


def _fed_table(evening: Evening, columns: int, paid: bool) -> str:
    fed = fed_whom(evening)
    names = evening.players
    rows = []
    for one in names:
        cells = []
        for other in names:
            found = fed.get((one, other))
            if found is None:
                cells.append("·" if one == other else "")
            else:
                cells.append(f"{found.hands} ({found.points})" if paid else str(found.hands))
        rows.append([short(one, columns), *cells])
    drawn = {one.name: one.drawn for one in standings(evening)}
    rows.append(["drawn", *(str(drawn[name] or "") for name in names)])
    return _table(rows, ["gave ↓ to →", *(short(name, columns) for name in names)], "l" + "r" * len(names))


def _biggest(one: Played, style: Style, tile_style: str | None) -> str:
    label = f", “{visible(one.label)}”" if one.label else ""
    said = f"{visible(str(one.winner))} wins {one.score} {what_happened(one, visible)}"
    head = "\n".join(wrap(f"Hand {one.number}{label}: {said}", style.width))
    if one.sheet is None:
        return head
    drawn = render_tiles(one.sheet, tile_style, style.width - 2)
    tiles = "\n".join("  " + line for line in drawn.splitlines())
    # the sheet alone cannot know of a player who pays for others: who paid is told from the settlement
    sheet = show_sheet(one.sheet._replace(won=False), one.book, style, tiles)
    return "\n".join([head, sheet, *_paid(one, style)])


def _paid(one: Played, style: Style) -> list[str]:
    """Who paid the winner, and what moved that from the usual."""
    settlement = one.settlement
    paid: dict[str, int] = {}
    for payment in settlement.payments:
        if payment.payee == settlement.winner:
            payer = visible(str(one.named(payment.payer)))
            paid[payer] = paid.get(payer, 0) + payment.points
    said = "; ".join(f"{payer} pays {amount}" for payer, amount in paid.items()) or "nobody pays anything"
    lines = []
    for line in (said, *map(visible, settlement.remarks)):
        lines += wrap(line, style.width - 2, initial_indent="  ", subsequent_indent="  ")
    return lines


# ------------------------------------------------------------------ chart


def chart(evening: Evening, style: Style) -> str:
    """The running totals as lines of letters, a letter for each player; ``*`` where lines meet."""
    order = [one.name for one in standings(evening)]
    letters = _letters(order)
    totals = {name: evening.totals(name) for name in order}
    low = min(min(line) for line in totals.values())
    high = max(max(line) for line in totals.values())
    height = 10 if style.width < 80 else 13
    span = high - low or 1

    def row_of(total: int) -> int:
        return (2 * (high - total) * (height - 1) + span) // (2 * span)

    axis = max(len(signed(low)), len(signed(high)), 1)
    labels = {name: f"{letters[name]} {short(name, 10)} {signed(totals[name][-1])}" for name in order}
    room = style.width - axis - 4 - max(text_width(label) for label in labels.values())
    steps = max(1, min(8, (room - 1) // len(evening.played)))
    kept = _kept(len(evening.played) + 1, (room - 1) // steps + 1)
    columns = (len(kept) - 1) * steps + 1
    cells: list[list[str]] = [[" "] * columns for _ in range(height)]
    owners: dict[tuple[int, int], str] = {}
    for name in reversed(order):
        line = [totals[name][place] for place in kept]
        for column in range(columns):
            place, beyond = divmod(column, steps)
            if beyond:
                between = line[place] * (steps - beyond) + line[place + 1] * beyond
                row = (2 * (high * steps - between) * (height - 1) + span * steps) // (2 * span * steps)
            else:
                row = row_of(line[place])
            mark = "·" if beyond else letters[name]
            before = cells[row][column]
            if not beyond and before not in (" ", "·"):
                mark = "*"
            cells[row][column] = mark
            owners[row, column] = name if mark != "*" else ""
    zero = row_of(0)
    ends = _ends([(row_of(totals[name][-1]), name) for name in order], height)
    lines = []
    for row in range(height):
        figure = {0: signed(high), height - 1: signed(low)}.get(row, "")
        figure = "0" if row == zero else figure
        drawn = "".join(
            _cell(cells[row][column], row == zero, owners.get((row, column)), order, style)
            for column in range(columns)
        )
        label = _tint(labels[ends[row]], order.index(ends[row]), style) if row in ends else ""
        lines.append(f"{figure:>{axis}} {'┼' if row == zero else '│'}{drawn} {label}".rstrip())
    lines += _below(evening, kept, steps, axis)
    return "\n".join(lines)


def _kept(count: int, room: int) -> list[int]:
    """Which of *count* points in time are shown where there is room for *room*: the first, the last, and
    those between as evenly as they go.
    """
    room = max(2, room)
    if count <= room:
        return list(range(count))
    return [place * (count - 1) // (room - 1) for place in range(room)]


def _cell(mark: str, zero: bool, owner: str | None, order: list[str], style: Style) -> str:
    if mark == " ":
        return style.faint("┄") if zero else " "
    return _tint(mark, order.index(owner), style) if owner else mark


_TINTS = (36, 33, 35, 32, 34)  # cyan, yellow, magenta, green, blue: lines also have letters


def _tint(text: str, place: int, style: Style) -> str:
    return f"\x1b[{_TINTS[place % len(_TINTS)]}m{text}\x1b[0m" if style.colour else text


def _letters(names: Sequence[str]) -> dict[str, str]:
    """A letter for each player: one of his name that nobody else has, else a figure."""
    letters: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        own = [letter.upper() for letter in name if letter.isalpha() and text_width(letter) == 1]
        free = [letter for letter in own if letter not in letters.values() and len(letter) == 1]
        letters[name] = free[0] if free else str(number)
    return letters


def _ends(ends: list[tuple[int, str]], height: int) -> dict[int, str]:
    """A row of its own for each label at the right, as near to its line's end as may be."""
    placed: list[tuple[int, str]] = []
    for row, name in sorted(ends, key=lambda end: end[0]):
        placed.append((max(row, placed[-1][0] + 1 if placed else 0), name))
    last = height
    found = {}
    for row, name in reversed(placed):
        last = min(row, last - 1)
        found[last] = name
    return found


def _below(evening: Evening, kept: list[int], steps: int, axis: int) -> list[str]:
    """The hands' numbers below the chart, and where a round begins."""
    width = (len(kept) - 1) * steps + 1
    numbers = [" "] * (width + 4)
    free = 0
    for place, point in enumerate(kept[1:], 1):
        text = str(evening.played[point - 1].number)
        column = place * steps
        if column >= free:
            numbers[column : column + len(text)] = text
            free = column + len(text) + 1
    lines = [" " * (axis + 2) + "".join(numbers).rstrip()]
    winds = [" "] * (width + 12)
    free = 0
    first = 0
    known = [wind for wind, _ in rounds(evening) if wind]
    for wind, played in rounds(evening):
        # a round begins after the point at which the last one ended
        column = steps * next(index for index, point in enumerate(kept) if point >= first)
        text = f"{WIND_NAMES[wind]} round" if wind else ""
        if text and column >= free and column + len(text) <= len(winds):
            winds[column : column + len(text)] = text
            free = column + len(text) + 1
        first += len(played)
    if known:
        lines.append(" " * (axis + 2) + "".join(winds).rstrip())
    return lines
