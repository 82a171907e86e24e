"""Running totals of an evening or a season: as lines of letters for a terminal, and as a chart in SVG.

Lengths in SVG are whole units in a drawing 360 wide, like a phone.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, compress, count, cycle, pairwise
from typing import TYPE_CHECKING, NamedTuple

from mjscore.page.html import Markup, block, element, joined, page_file, section
from mjscore.page.text import Style, short, signed
from mjscore.refusal import text_width

if TYPE_CHECKING:
    from mjscore.record.statistics import RunningTotals

_TINTS = (36, 33, 35, 32, 34)  # cyan, yellow, magenta, green, blue; lines are also marked by letters

CHART_SIZE = (360, 250)
_PLOT = (46, 26, 250, 222)  # left, top, right, bottom of the plot
_LABEL = 14  # units from one label to the next
_MARKS = 40  # more marks on a line could not be told apart
_HUES = (1, 2, 3, 4, 5)  # numbers of the style sheet's colours


def chart(course: RunningTotals, style: Style) -> str:
    """Return the running totals drawn as lines of letters, one for each player; ``*`` marks where lines meet."""
    totals = course.totals
    letters, tints = _letters(totals), dict(zip(totals, cycle(_TINTS), strict=False))
    low, high = min(map(min, totals.values())), max(map(max, totals.values()))
    height = 10 if style.width < 80 else 13
    span = high - low or 1

    def row_of(total: int, times: int = 1) -> int:
        """Return the row of a total, given as *total* times *times* to stay in whole numbers."""
        return (2 * (high * times - total) * (height - 1) + span * times) // (2 * span * times)

    axis = max(len(signed(low)), len(signed(high)))
    labels = {name: f"{letters[name]} {short(name, 10)} {signed(totals[name][-1])}" for name in totals}
    room = style.width - axis - 4 - max(map(text_width, labels.values()))
    steps = max(1, min(8, (room - 1) // len(course.steps)))
    # the first step, the last, and others evenly spaced
    last = len(course.steps)
    shown = min(last, max(1, (room - 1) // steps))
    numbers = [number * last // shown for number in range(shown + 1)]
    columns = (len(numbers) - 1) * steps + 1
    marks: dict[tuple[int, int], str] = {}
    for name in reversed(list(totals)):
        line = [totals[name][time] for time in numbers]
        away = course.away.get(name, frozenset())
        drawn = [not away.issuperset(range(*between)) for between in pairwise(numbers)]
        for column in range(columns):
            time, beyond = divmod(column, steps)
            if not (drawn[time] if beyond else any(drawn[max(0, time - 1) : time + 1])):
                continue
            between = line[time] * (steps - beyond) + line[time + (beyond > 0)] * beyond
            place = row_of(between, steps), column
            if beyond:
                marks[place] = style.tinted("·", tints[name])
            elif "·" in marks.get(place, "·"):
                marks[place] = style.tinted(letters[name], tints[name])
            else:
                marks[place] = "*"
    zero = row_of(0)
    ends = spread([row_of(line[-1]) for line in totals.values()], 0, height - 1, 1)
    at_end = {row: style.tinted(labels[name], tints[name]) for row, name in zip(ends, totals, strict=True)}
    figures = {0: signed(high), height - 1: signed(low), zero: "0"}
    lines = []
    for row in range(height):
        blank = style.faint("┄") if row == zero else " "
        picture = "".join(marks.get((row, column), blank) for column in range(columns))
        edge = "┼" if row == zero else "│"
        lines.append(f"{figures.get(row, ''):>{axis}} {edge}{picture} {at_end.get(row, '')}".rstrip())
    return "\n".join([*lines, *(f"{'':{axis + 2}}{line}" for line in _below(course, numbers, steps))])


def _letters(names: Iterable[str]) -> dict[str, str]:
    """Return a letter for each player: the first of the name that no earlier player has, or else a number."""
    letters: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        own = (letter.upper() for letter in name if letter.isalpha() and text_width(letter) == 1)
        free = (letter for letter in own if letter not in letters.values() and len(letter) == 1)
        letters[name] = next(free, str(number))
    return letters


def _below(course: RunningTotals, times: Sequence[int], steps: int) -> list[str]:
    """Return the lines below the chart: labels of the steps, then of the parts where they begin."""
    numbers = ""
    for index, time in enumerate(times[1:], 1):
        if len(numbers) < index * steps:
            numbers = f"{numbers:<{index * steps}}{short(course.steps[time - 1], 10)}"
    lines = [numbers]
    # a part begins after the end of the one before
    left = part_labels(course, lambda first: steps * bisect_left(times, first))
    while any(label for _, label in left):
        shown, below = "", []
        for column, label in left:
            if shown and column <= len(shown):
                below.append((column, label))  # short parts: their labels continue on the next line
            else:
                shown = f"{shown:<{column}}{label}"
        lines.append(shown)
        left = below
    return lines


def part_labels(course: RunningTotals, place: Callable[[int], int], letter: int = 1) -> list[tuple[int, str]]:
    """Return where each part begins, and its label, in the longest form in which the labels do not overlap.

    *place* returns the position after a number of steps; *letter* is the width of a letter there.
    """
    titles = [title for title, _ in course.parts]
    firsts = accumulate((steps for _, steps in course.parts), initial=0)
    starts = [place(first) for first, _ in zip(firsts, titles, strict=False)]
    for labels in (titles, [title.partition(" ")[0] for title in titles]):
        ends = [start + letter * (len(label) + 1) for start, label in zip(starts, labels, strict=True)]
        if all(end <= start for end, start in zip(ends, starts[1:], strict=False)):
            return list(zip(starts, labels, strict=True))
    return [(start, title[:1]) for start, title in zip(starts, titles, strict=True)]


def spread(ends: Sequence[int], first: int, last: int, gap: int) -> list[int]:
    """Return positions of labels, *first* to *last*: *ends*, moved on or back to be at least *gap* apart."""
    placed = list(ends)
    order = sorted(range(len(ends)), key=lambda rank: (ends[rank], rank))
    before, after = first - gap, last + gap
    for rank in order:
        placed[rank] = before = max(placed[rank], before + gap)
    for rank in reversed(order):
        placed[rank] = after = min(placed[rank], after - gap)
    return placed


def totals_chart(course: RunningTotals, after: str = "hand") -> Markup:
    """Return the section of a page with the chart; *after* is what each step is, a hand or an evening."""
    title = element("title", f"Points won and lost after each {after}", id="totals-title")
    box = f"0 0 {CHART_SIZE[0]} {CHART_SIZE[1]}"
    drawing = block(
        "svg", [title, chart_shapes(course)], viewBox=box, role="img", aria_labelledby="totals-title"
    )
    return section("chart", "Running totals", drawing)


def chart_style() -> str:
    """Return the chart's style sheet for use in a picture of its own, in the colours of the printed page."""
    css = page_file("evening.css")
    colours = dict(re.findall(r"(?<![\w-])--(\w[\w-]*): (#\w+)", css.partition("}")[0]))
    style = css.partition("/* chart */")[2].partition("/* end */")[0].strip()
    return re.sub(r"var\(--([\w-]+)\)", lambda match: colours[match[1]], style)


class _Field(NamedTuple):
    """The plot of the chart: totals from *low* to *high*, over a number of *steps*."""

    low: int
    high: int
    steps: int

    def across(self, step: int) -> int:
        """Return the x coordinate after a number of steps."""
        left, _, right, _ = _PLOT
        return left + (right - left) * step // max(1, self.steps)

    def down(self, points: int) -> int:
        """Return the y coordinate of a total."""
        _, top, _, bottom = _PLOT
        span = self.high - self.low
        return top + (2 * (self.high - points) * (bottom - top) + span) // (2 * span)


def chart_shapes(course: RunningTotals) -> Markup:
    """Return the shapes of the chart, without the SVG element around them."""
    low, high = min(map(min, course.totals.values())), max(map(max, course.totals.values()))
    field = _Field(low, max(high, low + 1), len(course.steps))
    # the winner's line is on top
    shapes = [*_grid(field), *_steps(course, field), *reversed(_lines(course, field)), *_ends(course, field)]
    return joined(*shapes, between="\n")


def _grid(field: _Field) -> Iterator[Markup]:
    """Yield lines and labels of the chart for about five round figures, including 0."""
    left, _, right, _ = _PLOT
    sizes = (factor * 10**power for power in count() for factor in (1, 2, 5))
    size = next(size for size in sizes if (field.high - field.low) // size <= 5)
    for points in range(-(-field.low // size) * size, field.high + 1, size):
        y, is_round = field.down(points), abs(points) >= 10_000 and not points % 1000
        figure = f"{signed(points // 1000)}k" if is_round else signed(points)
        yield element("path", class_="grid" if points else "grid zero", d=f"M{left} {y}H{right}")
        yield element("text", figure, x=left - 4, y=y + 4, text_anchor="end")


def _steps(course: RunningTotals, field: _Field) -> Iterator[Markup]:
    """Yield labels for the parts above the plot, and for as many steps below it as fit, at 6 units a letter."""
    left, top, right, bottom = _PLOT
    for x, label in part_labels(course, field.across, 7):
        if x > left:
            yield element("path", class_="round", d=f"M{x} {top - 14}V{bottom}")
        if label:
            yield element("text", label, x=x + 3, y=top - 8)
    labels = [short(step, 10) for step in course.steps]
    longest = max(2, *map(text_width, labels))
    every = max(1, -(-len(labels) // max(1, (right - left) // (6 * longest + 5))))
    for step in range(every, len(labels) + 1, every):
        yield element("text", labels[step - 1], x=field.across(step), y=bottom + 16, text_anchor="middle")


def _lines(course: RunningTotals, field: _Field) -> list[Markup]:
    """Return each player's line, with marks that differ from the others'."""
    lines = []
    for hue, (name, totals) in zip(cycle(_HUES), course.totals.items(), strict=False):
        places = [(field.across(step), field.down(total)) for step, total in enumerate(totals)]
        every = -(-len(places) // _MARKS)
        away = course.away.get(name, frozenset())
        there = [step not in away for step in range(len(course.steps))]
        marks = [_mark(*place, hue) for place in compress(places[every::every], there[every - 1 :: every])]
        moves = zip(places, [False, *there], strict=True)
        path = "".join(f"{'L' if drawn else 'M'}{x} {y}" for (x, y), drawn in moves)
        spoken = ", ".join(map(signed, compress(totals, [True, *there])))
        line = element("path", class_=f"line p{hue}", d=path)
        lines.append(element("g", element("title", f"{name}: {spoken}"), line, *marks, class_="player"))
    return lines


def _ends(course: RunningTotals, field: _Field) -> Iterator[Markup]:
    """Yield each player's name and total, at the end of their line."""
    _, top, right, bottom = _PLOT
    ends = [field.down(line[-1]) for line in course.totals.values()]
    labels = zip(cycle(_HUES), course.totals.items(), ends, spread(ends, top, bottom, _LABEL), strict=False)
    for hue, (name, line), end, y in labels:
        total = signed(line[-1])
        # a name on two lines would run into others, so a long name is cut; the table has it in full
        shown = short(name, max(3, 11 - text_width(total)))
        lead = element("path", class_=f"lead p{hue}", d=f"M{right + 4} {end}L{right + 11} {y}")
        label = element("text", f"{shown} {total}", class_=f"label f{hue}", x=right + 21, y=y + 4)
        yield joined(lead, _mark(right + 15, y, hue), label)


def _mark(x: int, y: int, hue: int) -> Markup:
    """Return a player's mark: circle, square, diamond, triangle, or triangle upside down."""
    shapes = (
        f"M{x - 3} {y}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z",
        f"M{x - 3} {y - 3}h6v6h-6Z",
        f"M{x} {y - 4}l4 4l-4 4l-4 -4Z",
        f"M{x} {y - 4}l4 7h-8Z",
        f"M{x} {y + 4}l4 -7h-8Z",
    )
    return element("path", class_=f"mark f{hue}", d=shapes[hue - 1])
