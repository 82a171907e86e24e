"""Running totals, of an evening or a season, as a chart in SVG, a line a player.

Lengths are whole units of a drawing 360 wide, which is a phone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources
from typing import NamedTuple

from mjscore.page.chart import part_labels
from mjscore.page.markup import escaped
from mjscore.page.text import short, signed
from mjscore.record.statistics import Course
from mjscore.refusal import text_width

CHART_SIZE = (360, 250)
_PLOT = (46, 26, 250, 222)  # left, top, right, bottom of the chart's field
_LABEL = 14  # units from one label to the next
_MARKS = 40  # points of a line that can be told apart


def totals_chart(course: Course, after: str = "hand") -> str:
    """Write the section of a page that has the chart; *after* is what each step is, a hand or an evening."""
    width, height = CHART_SIZE
    return f"""<section class="chart">
<h2>Running totals</h2>
<svg viewBox="0 0 {width} {height}" role="img" aria-labelledby="totals-title">
<title id="totals-title">Points won and lost after each {after}</title>
{chart_shapes(course)}
</svg>
</section>"""


def chart_style() -> str:
    """Give the chart's style sheet for a picture of its own, in the colours of paper."""
    css = (resources.files("mjscore.page") / "evening.css").read_text(encoding="utf-8")
    colours = dict(re.findall(r"(?<![\w-])--(\w[\w-]*): (#\w+)", css.partition("}")[0]))
    style = css.partition("/* chart */")[2].partition("/* end */")[0].strip()
    return re.sub(r"var\(--([\w-]+)\)", lambda match: colours[match[1]], style)


def chart_shapes(course: Course) -> str:
    """Draw the chart, without the drawing that it stands in."""
    order = list(course.totals)
    totals = course.totals
    low = min(min(line) for line in totals.values())
    high = max(max(line) for line in totals.values())
    scale = _Scale(low, high if high > low else low + 1, len(course.steps))
    shapes = _grid(course, scale)
    # the winner's line lies on top
    for rank, name in reversed(list(enumerate(order, 1))):
        shapes.append(_line(name, totals[name], rank, scale))
    ends = _spread([scale.y(totals[name][-1]) for name in order])
    for rank, name in enumerate(order, 1):
        shapes.append(_end(name, totals[name][-1], rank, ends[rank - 1], scale))
    return "\n".join(shapes)


class _Scale(NamedTuple):
    """Where points and hands stand in the chart."""

    low: int
    high: int
    hands: int

    def x(self, hands: int) -> int:
        """Tell how far across the time after *hands* stands."""
        left, _, right, _ = _PLOT
        return left + (right - left) * hands // max(1, self.hands)

    def y(self, points: int) -> int:
        """Tell how far down a total stands."""
        _, top, _, bottom = _PLOT
        span = self.high - self.low
        return top + (2 * (self.high - points) * (bottom - top) + span) // (2 * span)


def _grid(course: Course, scale: _Scale) -> list[str]:
    left, top, right, bottom = _PLOT
    shapes = []
    for points in _ticks(scale.low, scale.high):
        y = scale.y(points)
        kind = "grid zero" if points == 0 else "grid"
        shapes.append(f'<path class="{kind}" d="M{left} {y}H{right}"/>')
        shapes.append(f'<text x="{left - 4}" y="{y + 4}" text-anchor="end">{_tick(points)}</text>')
    starts, first = [], 0
    for _, steps in course.parts:
        starts.append(scale.x(first))
        first += steps
    for x, label in zip(starts, part_labels(course, starts, 7), strict=True):
        if x > left:
            shapes.append(f'<path class="round" d="M{x} {top - 14}V{bottom}"/>')
        if label:
            shapes.append(f'<text x="{x + 3}" y="{top - 8}">{label}</text>')
    labels = [short(step, 10) for step in course.steps]
    longest = max(map(text_width, labels))
    # as many labels as there is room for, at 6 units a letter
    every = max(1, -(-scale.hands // max(1, (right - left) // (6 * max(2, longest) + 5))))
    for hands, step in enumerate(labels, 1):
        if hands % every == 0:
            shapes.append(
                f'<text x="{scale.x(hands)}" y="{bottom + 16}" text-anchor="middle">{escaped(step)}</text>'
            )
    return shapes


def _ticks(low: int, high: int) -> list[int]:
    """Round figures from *low* to *high*, 0 among them, five or so."""
    step = 1
    while True:
        for factor in (1, 2, 5):
            size = step * factor
            if (high - low) // size <= 5:
                return [size * number for number in range(-(-low // size), high // size + 1)]
        step *= 10


def _tick(points: int) -> str:
    """Give a round figure, in thousands where it is long."""
    return f"{signed(points // 1000)}k" if abs(points) >= 10_000 and not points % 1000 else signed(points)


def _line(name: str, totals: Sequence[int], rank: int, scale: _Scale) -> str:
    points = [(scale.x(hands), scale.y(total)) for hands, total in enumerate(totals)]
    path = "M" + "L".join(f"{x} {y}" for x, y in points)
    every = -(-len(points) // _MARKS)
    marks = "".join(
        _mark(x, y, rank) for number, (x, y) in enumerate(points) if number and number % every == 0
    )
    figures = ", ".join(signed(total) for total in totals)
    return (
        f'<g class="player"><title>{escaped(name)}: {figures}</title><path class="line p{_hue(rank)}" d="{path}"/>'
        f"{marks}</g>"
    )


def _hue(rank: int) -> int:
    """Tell which of the five colours of the style sheet a player has."""
    return (rank - 1) % 5 + 1


def _mark(x: int, y: int, rank: int) -> str:
    """Draw a player's own mark: circle, square, diamond, triangle, upside down."""
    shapes = {
        1: f"M{x - 3} {y}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z",
        2: f"M{x - 3} {y - 3}h6v6h-6Z",
        3: f"M{x} {y - 4}l4 4l-4 4l-4 -4Z",
        4: f"M{x} {y - 4}l4 7h-8Z",
        5: f"M{x} {y + 4}l4 -7h-8Z",
    }
    return f'<path class="mark f{_hue(rank)}" d="{shapes[_hue(rank)]}"/>'


def _end(name: str, total: int, rank: int, y: int, scale: _Scale) -> str:
    _, _, right, _ = _PLOT
    end = scale.y(total)
    lead = f'<path class="lead p{_hue(rank)}" d="M{right + 4} {end}L{right + 11} {y}"/>'
    # two lines would be hard to keep apart, so a long name is cut; the table has it whole
    room = max(3, 11 - text_width(signed(total)))
    return (
        f"{lead}{_mark(right + 15, y, rank)}"
        f'<text class="label f{_hue(rank)}" x="{right + 21}" y="{y + 4}">'
        f"{escaped(short(name, room))} {signed(total)}</text>"
    )


def _spread(ends: Sequence[int]) -> list[int]:
    """Place each label, as near to its line's end as the others let it."""
    _, top, _, bottom = _PLOT
    placed = list(ends)
    order = sorted(range(len(ends)), key=lambda rank: (ends[rank], rank))
    above = top - _LABEL
    for rank in order:
        placed[rank] = above = max(placed[rank], above + _LABEL)
    below = bottom + _LABEL
    for rank in reversed(order):
        placed[rank] = below = min(placed[rank], below - _LABEL)
    return placed
