"""Running totals, of an evening or a season, as lines of letters for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from mjscore.page.text import Style, short, signed
from mjscore.record.statistics import Course
from mjscore.refusal import text_width


def chart(course: Course, style: Style) -> str:
    """Draw the running totals as lines of letters, a letter for each player; ``*`` where lines meet."""
    order = list(course.totals)
    letters = _letters(order)
    totals = course.totals
    low = min(min(line) for line in totals.values())
    high = max(max(line) for line in totals.values())
    height = 10 if style.width < 80 else 13
    span = high - low or 1

    def row_of(total: int) -> int:
        return (2 * (high - total) * (height - 1) + span) // (2 * span)

    axis = max(len(signed(low)), len(signed(high)), 1)
    labels = {name: f"{letters[name]} {short(name, 10)} {signed(totals[name][-1])}" for name in order}
    room = style.width - axis - 4 - max(text_width(label) for label in labels.values())
    steps = max(1, min(8, (room - 1) // len(course.steps)))
    kept = _kept(len(course.steps) + 1, (room - 1) // steps + 1)
    columns = (len(kept) - 1) * steps + 1
    cells: list[list[str]] = [[" "] * columns for _ in range(height)]
    owners: dict[tuple[int, int], str] = {}
    for name in reversed(order):
        line = [totals[name][time] for time in kept]
        for column in range(columns):
            time, beyond = divmod(column, steps)
            if beyond:
                between = line[time] * (steps - beyond) + line[time + 1] * beyond
                row = (2 * (high * steps - between) * (height - 1) + span * steps) // (2 * span * steps)
            else:
                row = row_of(line[time])
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
        picture = "".join(
            _cell(cells[row][column], row == zero, owners.get((row, column)), order, style)
            for column in range(columns)
        )
        label = _tint(labels[ends[row]], order.index(ends[row]), style) if row in ends else ""
        lines.append(f"{figure:>{axis}} {'┼' if row == zero else '│'}{picture} {label}".rstrip())
    lines += _below(course, kept, steps, axis)
    return "\n".join(lines)


def _kept(count: int, room: int) -> list[int]:
    """Tell which of *count* times are shown where there is room for *room*: the first, the last, others evenly."""
    room = max(2, room)
    if count <= room:
        return list(range(count))
    return [number * (count - 1) // (room - 1) for number in range(room)]


def _cell(mark: str, zero: bool, owner: str | None, order: list[str], style: Style) -> str:
    if mark == " ":
        return style.faint("┄") if zero else " "
    return _tint(mark, order.index(owner), style) if owner else mark


_TINTS = (36, 33, 35, 32, 34)  # cyan, yellow, magenta, green, blue: lines also have letters


def _tint(text: str, rank: int, style: Style) -> str:
    return f"\x1b[{_TINTS[rank % len(_TINTS)]}m{text}\x1b[0m" if style.colour else text


def _letters(names: Sequence[str]) -> dict[str, str]:
    """Give a letter for each player: one of their name that nobody else has, else a figure."""
    letters: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        own = [letter.upper() for letter in name if letter.isalpha() and text_width(letter) == 1]
        free = [letter for letter in own if letter not in letters.values() and len(letter) == 1]
        letters[name] = free[0] if free else str(number)
    return letters


def _ends(ends: list[tuple[int, str]], height: int) -> dict[int, str]:
    """Place each label at the right in a row of its own, as near as possible to the end of its line."""
    placed: list[tuple[int, str]] = []
    for row, name in sorted(ends, key=lambda end: end[0]):
        placed.append((max(row, placed[-1][0] + 1 if placed else 0), name))
    last = height
    labels = {}
    for row, name in reversed(placed):
        last = min(row, last - 1)
        labels[last] = name
    return labels


def _below(course: Course, kept: list[int], steps: int, axis: int) -> list[str]:
    """Name the steps below the chart, and the parts where they begin."""
    width = (len(kept) - 1) * steps + 1
    numbers = [" "] * (width + 4)
    free = 0
    for index, time in enumerate(kept[1:], 1):
        text = short(course.steps[time - 1], 10)
        column = index * steps
        if column >= free:
            numbers[column : column + len(text)] = text
            free = column + len(text) + 1
    lines = [" " * (axis + 2) + "".join(numbers).rstrip()]
    starts, first = [], 0
    for _, steps_of_part in course.parts:
        # a part begins after the point at which the last one ended
        starts.append(steps * next(index for index, time in enumerate(kept) if time >= first))
        first += steps_of_part
    left = list(zip(starts, part_labels(course, starts), strict=True))
    while any(label for _, label in left):
        shown, below = "", []
        for column, label in left:
            if shown and column <= len(shown):
                below.append((column, label))  # parts of a hand or two: the next line has the others
            else:
                shown = f"{shown:<{column}}{label}"
        lines.append(f"{' ' * (axis + 2)}{shown}")
        left = below
    return lines


def part_labels(course: Course, starts: Sequence[int], letter: int = 1) -> list[str]:
    """Name the parts of a course in the longest form in which none of these runs into the next.

    *starts* are where they begin in the chart, *letter* is how wide a letter is there.
    """
    titles = [title for title, _ in course.parts]
    forms = titles, [title.partition(" ")[0] for title in titles], [title[:1] for title in titles]
    for labels in forms[:-1]:
        ends = [start + letter * (len(label) + 1) for start, label in zip(starts, labels, strict=True)]
        if all(end <= start for end, start in zip(ends, starts[1:], strict=False)):
            return labels
    return forms[-1]
