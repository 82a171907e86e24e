"""An evening as one page of HTML to look at, send around or print: no script, nothing from elsewhere.

Its text is complete without the drawings, and it is well-formed XML as well as HTML. Lengths in the chart
are whole units of a drawing 360 wide, which is a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from mjscore.game.hand import Hand, format_hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.page.drawings import draw_faces, draw_parts
from mjscore.page.report import counted, hands_text, rules_text, short
from mjscore.page.text import signed
from mjscore.record.statistics import Evening, Played, biggest, fed_whom, rounds, standings, what_happened
from mjscore.refusal import text_width, visible
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.payment import SITTER_OUT

_CHART = (360, 250)
_PLOT = (46, 26, 250, 222)  # left, top, right, bottom of the chart's field
_LABEL = 14  # units from one label to the next
_MARKS = 40  # points of a line that can be told apart


def evening_page(evening: Evening, title: str) -> str:
    """The page, a whole HTML document."""
    parts = [
        _heading(evening, title),
        _refused(evening),
        '<div class="top">',
        "<div>",
        _standings(evening),
        _biggest(evening),
        "</div>",
        _totals(evening),
        "</div>",
        _hands(evening),
        _fed(evening),
        _every_hand(evening),
        _foot(evening),
    ]
    return _DOCUMENT.format(
        title=text(title), style=_STYLE, faces=draw_faces(), body="\n".join(part for part in parts if part)
    )


def text(content: object) -> str:
    """*content* as text of the page: escaped, and nothing in it that reorders or hides what is beside it."""
    return escape(visible(str(content)))


_DOCUMENT = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<svg class="faces" width="0" height="0" aria-hidden="true">{faces}</svg>
<main>
{body}
</main>
</body>
</html>
"""

_STYLE = """\
:root {
  color-scheme: light dark;
  --paper: #faf7ef; --card: #fffdf8; --ink: #24281f; --soft: #6a6c60; --rule: #ddd6c4; --jade: #17694c;
  --good: #17694c; --bad: #b0301f;
  --line-1: #1b68a8; --line-2: #c2491d; --line-3: #6f4599; --line-4: #4f7a1c; --line-5: #8a6500;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #171a17; --card: #1f2420; --ink: #e9e6db; --soft: #a3a698; --rule: #3a4039; --jade: #6cc9a2;
    --good: #6cc9a2; --bad: #f0907f;
    --line-1: #6db3ee; --line-2: #f19063; --line-3: #bd9be6; --line-4: #a3cc69; --line-5: #d9b24c;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.45 system-ui, sans-serif; }
main { max-width: 66rem; margin: 0 auto; padding: 1.2rem 1rem 3rem; }
h1, h2, h3 { font-family: Georgia, "Times New Roman", serif; line-height: 1.2; }
h1 { margin: 0; font-size: 2.1rem; letter-spacing: -.01em; }
h2 { margin: 2.2rem 0 .6rem; font-size: 1.3rem; color: var(--jade); }
h3 { margin: 0; font-size: 1.15rem; }
header { border-bottom: 3px double var(--rule); padding-bottom: .9rem; }
header p { margin: .25rem 0 0; color: var(--soft); }
header .winner { color: var(--ink); font-size: 1.1rem; }
a { color: inherit; text-decoration-color: var(--rule); text-underline-offset: .2em; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .45rem; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--rule); }
th { font-weight: 600; font-size: .8rem; color: var(--soft); }
td, h1, h3, li, p { overflow-wrap: anywhere; }
.n { text-align: right; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); } .soft { color: var(--soft); }
.wide { overflow-x: auto; }
.refused { border: 1px solid var(--bad); border-radius: .5rem; padding: .6rem .9rem; margin: 1rem 0 0; }
.refused p { margin: 0; } .refused ul { margin: .3rem 0 0; padding-left: 1.1rem; }
.biggest p { margin: 0 0 .5rem; }
.place { font-family: Georgia, serif; font-size: 1.1rem; width: 1.4rem; }
.standings td { padding-block: .45rem; } .standings .name { font-weight: 600; min-width: 4.6rem; }
.standings tr:first-child td { font-size: 1.1rem; }
.chart svg { display: block; width: 100%; height: auto; }
.chart text { font: 11px system-ui, sans-serif; fill: var(--soft); }
.chart .label { font-weight: 600; }
.grid { stroke: var(--rule); stroke-width: 1; } .zero { stroke: var(--soft); }
.round { stroke: var(--rule); stroke-dasharray: 2 3; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.mark { stroke: var(--paper); stroke-width: 1; }
.lead { stroke-width: 1; opacity: .5; }
.p1 { stroke: var(--line-1); } .p2 { stroke: var(--line-2); stroke-dasharray: 7 3; }
.p3 { stroke: var(--line-3); stroke-dasharray: 2 3; } .p4 { stroke: var(--line-4); stroke-dasharray: 9 3 2 3; }
.p5 { stroke: var(--line-5); stroke-dasharray: 4 2; } .lead { stroke-dasharray: none; }
.f1, .chart .f1 { fill: var(--line-1); } .f2, .chart .f2 { fill: var(--line-2); }
.f3, .chart .f3 { fill: var(--line-3); } .f4, .chart .f4 { fill: var(--line-4); }
.f5, .chart .f5 { fill: var(--line-5); }
.hands { font-size: .92rem; } .hands td:first-child { width: 1.8rem; } .hands td:nth-child(2) { width: 30%; min-width: 4.6rem; } .hands .sub th { padding-top: .9rem; color: var(--jade); font-size: .85rem; }
.hands td small { color: var(--soft); font-size: .82em; } .hands .total td { font-weight: 600; border-bottom: 0; }
.east { display: inline-block; margin-right: .3em; padding: 0 .25em; border-radius: .2em; font-size: .68em;
  line-height: 1.35; background: var(--jade); color: var(--paper); vertical-align: .1em; }
.limit { display: inline-block; padding: 0 .4em; border: 1px solid var(--jade); border-radius: 1em;
  color: var(--jade); font: 600 .72rem/1.5 system-ui, sans-serif; vertical-align: .15em; white-space: nowrap; }
.hand { background: var(--card); border: 1px solid var(--rule); border-radius: .7rem; padding: .9rem 1rem; margin: 0 0 1rem; }
.hand header { border: 0; padding: 0; }
.hand .say { margin: .15rem 0 0; color: var(--soft); }
.nets { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; list-style: none; margin: .7rem 0 0; padding: 0; }
.nets b { font-variant-numeric: tabular-nums; }
.seat { margin-top: .9rem; min-width: 0; }
.seat h4 { margin: 0 0 .3rem; font-size: .95rem; display: flex; gap: .5em; align-items: baseline; }
.seat h4 .score { margin-left: auto; font-variant-numeric: tabular-nums; }
.tiles { margin: 0; } .tiles div { display: flex; flex-wrap: wrap; gap: 0 .25rem; }
.tiles svg { display: block; max-width: 100%; height: auto; } .faces { position: absolute; }
.tiles figcaption { font: .78rem/1.4 ui-monospace, monospace; color: var(--soft); margin-top: .2rem; overflow-wrap: anywhere; }
.sheet { margin-top: .4rem; font-size: .86rem; }
.sheet td { padding: .16rem .3rem; border: 0; border-bottom: 1px dotted var(--rule); }
.sheet td:first-child { padding-left: 0; } .sheet td:last-child { padding-right: 0; }
.sheet .source { color: var(--soft); font-size: .9em; width: 34%; }
.sheet .sum td { font-weight: 600; border-bottom: 1px solid var(--soft); }
.others { display: grid; gap: 0 1.6rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); }
.fed th { overflow-wrap: anywhere; }
.pays, .remarks { margin: .8rem 0 0; padding: .6rem 0 0; border-top: 1px solid var(--rule); list-style: none; font-size: .9rem; }
.pays { display: grid; gap: .1rem 1.6rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); }
.pays b { font-variant-numeric: tabular-nums; }
.notes { font-family: Georgia, serif; font-style: italic; margin: .7rem 0 0; }
footer { margin-top: 2rem; color: var(--soft); font-size: .85rem; border-top: 3px double var(--rule); padding-top: .7rem; }
@media (min-width: 56rem) {
  .top { display: grid; grid-template-columns: 2fr 3fr; gap: 0 2.5rem; }
  .hand { padding: 1.1rem 1.4rem; }
  .winner.seat { display: grid; grid-template-columns: 11fr 10fr; gap: 0 2rem; }
  .winner.seat h4 { grid-column: 1 / -1; }
}
@media (max-width: 30rem) {
  body { font-size: 15px; } main { padding-inline: .8rem; } h1 { font-size: 1.8rem; }
  .hands { font-size: .76rem; } .hands th, .hands td { padding-inline: .16rem; } .hands th { font-size: .7rem; }
  .fed table { font-size: .84rem; } .fed th, .fed td { padding-inline: .2rem; }
  .hands td:first-child, .hands td:nth-child(2) { width: auto; } .east { margin-right: .15em; }
  .hand { padding: .8rem .75rem; } .standings th, .standings td { padding-inline: .3rem; }
}
@media print {
  @page { margin: 12mm; }
  html { font-size: 8.5pt; } body { background: #fff; font-size: 8.5pt; line-height: 1.3; } main { max-width: none; padding: 0; }
  .hand { break-inside: avoid; background: none; padding: .5rem .8rem; margin-bottom: .7rem; }
  .tiles svg { height: 30pt; width: auto; }
  .seat, .pays { margin-top: .5rem; } .sheet { font-size: .84em; } .sheet td { padding-block: .08rem; } h2 { break-after: avoid; }
  section, tr, .seat { break-inside: avoid; } .every, .table { break-inside: auto; }
  .top { display: grid; grid-template-columns: 2fr 3fr; gap: 0 1.5rem; }
  .winner.seat { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.2rem; } .winner.seat h4 { grid-column: 1 / -1; }
  .others { grid-template-columns: repeat(3, 1fr); } .wide { overflow: visible; }
  svg, .east { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def _heading(evening: Evening, title: str) -> str:
    first = [one for one in standings(evening) if one.place == 1]
    names = [text(name) for name in evening.players]
    said = " and ".join(f"<b>{text(one.name)}</b>" for one in first)
    verb = "wins" if len(first) == 1 else "share the first place"
    return f"""<header>
<h1>{text(title)}</h1>
<p>{", ".join(names[:-1])} and {names[-1]} · {text(hands_text(evening))}</p>
<p>{text(rules_text(evening))}</p>
<p class="winner">{said} {verb} with {_points(first[0].total)}</p>
</header>"""


def _points(number: int) -> str:
    kind = "good" if number > 0 else "bad" if number < 0 else "soft"
    return f'<span class="{kind}">{signed(number)}</span>'


def _refused(evening: Evening) -> str:
    if not evening.refusals and not evening.left_out:
        return ""
    rows = []
    for one in evening.left_out:
        label = f" “{text(one.label)}”" if one.label else ""
        rows.append(f"<li>Hand {one.number}{label}, line {one.line}, is left out</li>")
    rows += [f"<li>Line {refusal.line}: {text(refusal.message)}</li>" for refusal in evening.refusals]
    listed = "\n".join(rows)
    return f"""<section class="refused">
<p><b>Not all of the file holds.</b> The figures are those of the rest.</p>
<ul>
{listed}
</ul>
</section>"""


def _standings(evening: Evening) -> str:
    rows = []
    for one in standings(evening):
        best = "–" if one.best is None else str(one.best)
        rows.append(
            f'<tr><td class="place">{one.place}</td><td class="name">{text(one.name)}</td>'
            f'<td class="n total">{_points(one.total)}</td><td class="n">{one.won}</td>'
            f'<td class="n">{one.drawn}</td><td class="n">{one.fed}</td><td class="n">{best}</td></tr>'
        )
    listed = "\n".join(rows)
    return f"""<section class="standings">
<h2>Standings</h2>
<div class="wide">
<table>
<thead><tr><th></th><th>player</th><th class="n">points</th><th class="n">won</th><th class="n">drawn</th><th class="n">fed</th><th class="n">best</th></tr></thead>
<tbody>
{listed}
</tbody>
</table>
</div>
<p class="soft"><small>won: hands; drawn: how many of them on a tile of his own drawing; fed: winning tiles discarded; best: the highest score won. Points won and lost sum to zero.</small></p>
</section>"""


def _biggest(evening: Evening) -> str:
    most = biggest(evening)
    if most is None or most.sheet is None or most.sheet.hand is None:
        return ""
    label = f" “{text(most.label)}”" if most.label else ""
    return f"""<section class="biggest">
<h2>The biggest hand</h2>
<p>{text(most.winner)} wins <b>{most.score}</b>, {text(what_happened(most))}, in <a href="#hand-{most.number}">hand {most.number}</a>{label}</p>
{_tiles(most.sheet.hand)}
</section>"""


# ------------------------------------------------------------------ the chart


def _totals(evening: Evening) -> str:
    order = [one.name for one in standings(evening)]
    totals = {name: evening.totals(name) for name in order}
    low = min(min(line) for line in totals.values())
    high = max(max(line) for line in totals.values())
    scale = _Scale(low, high if high > low else low + 1, len(evening.played))
    drawn = [*_grid(evening, scale)]
    for place, name in enumerate(reversed(order)):
        drawn.append(_line(name, totals[name], len(order) - place, scale))
    ends = _spread([scale.y(totals[name][-1]) for name in order])
    for place, name in enumerate(order, 1):
        drawn.append(_end(name, totals[name][-1], place, ends[place - 1], scale))
    listed = "\n".join(drawn)
    width, height = _CHART
    return f"""<section class="chart">
<h2>Running totals</h2>
<svg viewBox="0 0 {width} {height}" role="img" aria-labelledby="totals-title">
<title id="totals-title">Points won and lost after each hand</title>
{listed}
</svg>
</section>"""


class _Scale(NamedTuple):
    """Where points and hands stand in the chart."""

    low: int
    high: int
    hands: int

    def x(self, hands: int) -> int:
        """The place of the time after so many hands."""
        left, _, right, _ = _PLOT
        return left + (right - left) * hands // max(1, self.hands)

    def y(self, points: int) -> int:
        """The place of a total."""
        _, top, _, bottom = _PLOT
        span = self.high - self.low
        return top + (2 * (self.high - points) * (bottom - top) + span) // (2 * span)


def _grid(evening: Evening, scale: _Scale) -> list[str]:
    left, top, right, bottom = _PLOT
    drawn = []
    for points in _ticks(scale.low, scale.high):
        y = scale.y(points)
        kind = "grid zero" if points == 0 else "grid"
        drawn.append(f'<path class="{kind}" d="M{left} {y}H{right}"/>')
        drawn.append(f'<text x="{left - 4}" y="{y + 4}" text-anchor="end">{_tick(points)}</text>')
    first = 0
    free = 0
    for wind, played in rounds(evening):
        x = scale.x(first)
        if first:
            drawn.append(f'<path class="round" d="M{x} {top - 14}V{bottom}"/>')
        if wind and x >= free:
            said = f"{WIND_NAMES[wind]} round"
            drawn.append(f'<text x="{x + 3}" y="{top - 8}">{said}</text>')
            free = x + 7 * len(said)
        first += len(played)
    every = max(1, -(-scale.hands // 12))
    for place, one in enumerate(evening.played, 1):
        if place % every == 0:
            drawn.append(
                f'<text x="{scale.x(place)}" y="{bottom + 16}" text-anchor="middle">{one.number}</text>'
            )
    return drawn


def _ticks(low: int, high: int) -> list[int]:
    """Round figures from *low* to *high*, 0 among them, five or so."""
    step = 1
    while True:
        for factor in (1, 2, 5):
            size = step * factor
            if (high - low) // size <= 5:
                return [size * place for place in range(-(-low // size), high // size + 1)]
        step *= 10


def _tick(points: int) -> str:
    """A round figure, in thousands where it is long."""
    return f"{signed(points // 1000)}k" if abs(points) >= 10_000 and not points % 1000 else signed(points)


def _line(name: str, totals: Sequence[int], place: int, scale: _Scale) -> str:
    points = [(scale.x(hands), scale.y(total)) for hands, total in enumerate(totals)]
    path = "M" + "L".join(f"{x} {y}" for x, y in points)
    every = -(-len(points) // _MARKS)
    marks = "".join(
        _mark(x, y, place) for number, (x, y) in enumerate(points) if number and number % every == 0
    )
    said = ", ".join(signed(total) for total in totals)
    return (
        f'<g class="player"><title>{text(name)}: {said}</title><path class="line p{_hue(place)}" d="{path}"/>'
        f"{marks}</g>"
    )


def _hue(place: int) -> int:
    return (place - 1) % 5 + 1


def _mark(x: int, y: int, place: int) -> str:
    """A player's own mark: circle, square, diamond, triangle, upside down."""
    shapes = {
        1: f"M{x - 3} {y}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z",
        2: f"M{x - 3} {y - 3}h6v6h-6Z",
        3: f"M{x} {y - 4}l4 4l-4 4l-4 -4Z",
        4: f"M{x} {y - 4}l4 7h-8Z",
        5: f"M{x} {y + 4}l4 -7h-8Z",
    }
    return f'<path class="mark f{_hue(place)}" d="{shapes[_hue(place)]}"/>'


def _end(name: str, total: int, place: int, y: int, scale: _Scale) -> str:
    _, _, right, _ = _PLOT
    end = scale.y(total)
    lead = f'<path class="lead p{_hue(place)}" d="M{right + 4} {end}L{right + 11} {y}"/>'
    # two lines would be hard to keep apart, so a long name is cut; the table has it whole
    room = max(3, 11 - text_width(signed(total)))
    return (
        f"{lead}{_mark(right + 15, y, place)}"
        f'<text class="label f{_hue(place)}" x="{right + 21}" y="{y + 4}">'
        f"{text(short(name, room))} {signed(total)}</text>"
    )


def _spread(ends: Sequence[int]) -> list[int]:
    """Places for the labels, each as near to its line's end as the others let it be."""
    _, top, _, bottom = _PLOT
    placed = list(ends)
    order = sorted(range(len(ends)), key=lambda place: (ends[place], place))
    above = top - _LABEL
    for place in order:
        placed[place] = above = max(placed[place], above + _LABEL)
    below = bottom + _LABEL
    for place in reversed(order):
        placed[place] = below = min(placed[place], below - _LABEL)
    return placed


# ------------------------------------------------------------------ tables


def _hands(evening: Evening) -> str:
    names = evening.players
    heads = "".join(f'<th class="n">{text(short(name, 10))}</th>' for name in names)
    bodies = []
    for wind, played in rounds(evening):
        rows = [_hand_row(one, names) for one in played]
        if wind:
            said = f"{WIND_NAMES[wind]} round"
            rows.insert(0, f'<tr class="sub"><th colspan="{3 + len(names)}">{said}</th></tr>')
        bodies.append("<tbody>\n" + "\n".join(rows) + "\n</tbody>")
    totals = "".join(f'<td class="n">{_points(evening.total(name))}</td>' for name in names)
    listed = "\n".join(bodies)
    return f"""<section class="table">
<h2>Hands</h2>
<div class="wide">
<table class="hands">
<thead><tr><th></th><th>won by</th><th class="n">score</th>{heads}</tr></thead>
{listed}
<tbody><tr class="total"><td></td><td>Total</td><td></td>{totals}</tr></tbody>
</table>
</div>
<p class="soft"><small><span class="east">E</span>was East in this hand.</small></p>
</section>"""


def _hand_row(one: Played, names: Sequence[str]) -> str:
    if one.winner is not None:
        what = f"{text(one.winner)} <small>{text(what_happened(one))}</small>"
    else:
        what = f"<small>{text(what_happened(one))}</small>"
    score = "" if one.score is None else str(one.score)
    if one.at_limit:
        score = f"<b>{score}</b>"
    east = '<span class="east">E</span>'
    nets = "".join(
        f'<td class="n">{east if one.seats.get("E") == name else ""}{_points(one.nets[name])}</td>'
        for name in names
    )
    return (
        f'<tr><td class="n"><a href="#hand-{one.number}">{one.number}</a></td><td>{what}</td>'
        f'<td class="n">{score}</td>{nets}</tr>'
    )


def _fed(evening: Evening) -> str:
    fed = fed_whom(evening)
    if not evening.hands_won:
        return ""
    names = evening.players
    heads = "".join(f'<th class="n">{text(short(name, 10))}</th>' for name in names)
    rows = []
    for one in names:
        cells = []
        for other in names:
            found = fed.get((one, other))
            if one == other:
                cells.append('<td class="n soft">·</td>')
            elif found is None:
                cells.append('<td class="n"></td>')
            else:
                cells.append(f'<td class="n">{found.hands} <small class="soft">({found.points})</small></td>')
        rows.append(f'<tr><th scope="row">{text(one)}</th>{"".join(cells)}</tr>')
    drawn = {one.name: one.drawn for one in standings(evening)}
    cells = [f'<td class="n">{drawn[name] or ""}</td>' for name in names]
    rows.append(f'<tr><th scope="row">drawn himself</th>{"".join(cells)}</tr>')
    listed = "\n".join(rows)
    return f"""<section class="fed">
<h2>Who fed whom</h2>
<div class="wide">
<table>
<thead><tr><th>discarded by ↓ for →</th>{heads}</tr></thead>
<tbody>
{listed}
</tbody>
</table>
</div>
<p class="soft"><small>Hands won on the discards of each; in brackets what the discarder paid for them.</small></p>
</section>"""


# ------------------------------------------------------------------ every hand


def _every_hand(evening: Evening) -> str:
    most = biggest(evening)
    hands = "\n".join(_article(one, one is most) for one in evening.played)
    return f"""<section class="every">
<h2>Hand by hand</h2>
{hands}
</section>"""


def _article(one: Played, biggest_hand: bool) -> str:
    parts = [f"<h3>{_hand_title(one)}{_badges(one, biggest_hand)}</h3>"]
    said = _said(one)
    if said:
        parts.append(f'<p class="say">{said}</p>')
    parts.append(_nets(one))
    settlement = one.settlement
    if settlement.winner is not None:
        parts.append(_seat(one, settlement.winner, True))
    others = [seat for seat in settlement.scores if seat != settlement.winner]
    if others:
        parts.append(
            '<div class="others">\n' + "\n".join(_seat(one, seat, False) for seat in others) + "\n</div>"
        )
    parts += [_payments(one), _remarks(one)]
    parts += [f'<p class="notes">{text(note)}</p>' for note in one.notes]
    listed = "\n".join(part for part in parts if part)
    return f'<article class="hand" id="hand-{one.number}">\n{listed}\n</article>'


def _hand_title(one: Played) -> str:
    if one.label:
        return f"{one.number} · {text(one.label)}"
    if one.winner is not None:
        return f"{one.number} · {text(one.winner)} wins"
    return f"{one.number} · {_KINDS[one.settlement.kind]}"


_KINDS = {
    "hand": "Hand",
    "draw": "A draw",
    "wash": "The tiles are washed",
    "false": "A false Mah-Jongg",
    "pay": "An agreed payment",
    "long": "A hand with too many tiles",
}


def _badges(one: Played, biggest_hand: bool) -> str:
    badges = ["the limit"] if one.at_limit else []
    badges += ["biggest hand"] if biggest_hand else []
    return "".join(f' <span class="limit">{badge}</span>' for badge in badges)


def _said(one: Played) -> str:
    where = f"{WIND_NAMES[one.round]} round" if one.round else ""
    east = one.seats.get("E", "")
    place = ", ".join(part for part in (where, f"{text(east)} is East" if east != "East" else "") if part)
    happened = text(what_happened(one))
    if one.winner is not None:
        happened = f"{text(one.winner)} wins {one.score}, {happened}"
    elif one.settlement.kind == "draw":
        happened = "Nobody wins, nobody pays"
    return " · ".join(part for part in (happened, place) if part)


def _nets(one: Played) -> str:
    if not any(one.nets.values()):
        return ""
    items = " ".join(f"<li>{text(name)} <b>{_points(net)}</b></li>" for name, net in one.nets.items())
    return f'<ul class="nets">{items}</ul>'


def _seat(one: Played, seat: str, winner: bool) -> str:
    score = one.settlement.scores[seat]
    sheet = one.settlement.sheets.get(seat)
    named = text(one.named(seat))
    wind = f' <span class="soft">{WIND_NAMES[seat]}</span>' if one.named(seat) != WIND_NAMES[seat] else ""
    parts = [f'<h4><span>{named}{wind}</span><span class="score">{score}</span></h4>']
    if sheet is None:
        parts.append('<p class="soft"><small>the score was given, not the hand</small></p>')
    else:
        if sheet.hand is not None:
            parts.append(_tiles(sheet.hand))
        parts.append(_sheet(sheet, one.book))
    kind = "seat winner" if winner else "seat"
    listed = "\n".join(part for part in parts if part)
    return f'<div class="{kind}">\n{listed}\n</div>'


def _tiles(hand: Hand) -> str:
    """The hand drawn, its parts in as many rows as the page needs, and typed as the file has it."""
    notation = format_hand(hand._replace(seat=None, round=None))
    drawn = "".join(draw_parts(hand))
    return f'<figure class="tiles"><div>{drawn}</div><figcaption>{text(notation)}</figcaption></figure>'


class _Row(NamedTuple):
    """A line of a score sheet: what for, the figure, the page; *sum* where it draws a line under."""

    title: str
    figure: str
    source: str = ""
    sum: bool = False


def _sheet(sheet: ScoreSheet, book: Rulebook) -> str:
    rows = _sheet_rows(sheet, book)
    if not rows:
        return ""
    listed = "\n".join(
        f"<tr{' class=' + chr(34) + 'sum' + chr(34) if row.sum else ''}><td>{text(row.title)}</td>"
        f'<td class="n">{row.figure}</td><td class="source">{text(row.source)}</td></tr>'
        for row in rows
    )
    return f'<table class="sheet"><tbody>\n{listed}\n</tbody></table>'


def _sheet_rows(sheet: ScoreSheet, book: Rulebook) -> list[_Row]:
    rows = [
        _Row(item.title + (f", {item.tiles}" if item.tiles else ""), str(item.points), item.source)
        for item in sheet.items
    ]
    if sheet.dead:
        rows.insert(0, _Row("a dead hand", ""))
    total = sheet.points or 0
    if sheet.special is None:
        if sheet.doubling or sheet.additions:
            rows.append(_Row("before doubling", str(total), sum=True))
        for doubling in sheet.doubling:
            total <<= doubling.doubles
            rows.append(_Row(f"{doubling.title}, ×{2**doubling.doubles}", str(total), doubling.source))
        for item in sheet.additions:
            total += item.points
            rows.append(_Row(f"{item.title}, +{item.points}", str(total), item.source))
    for claim in sheet.claims:
        less = "" if claim.rule == sheet.score_set_by else " (less than what it counts)"
        rows.append(_Row(claim.title + less, str(claim.points), claim.source))
    if sheet.score_set_by == "limit":
        rows.append(_Row("the limit", str(book.limit)))
    if sheet.won:
        rows.append(_Row("Score", str(sheet.score), sum=True))
    return rows


def _payments(one: Played) -> str:
    if not one.settlement.payments:
        return ""
    items = "\n".join(
        f"<li>{text(one.named(pay.payer))} pays {text(one.named(pay.payee))} <b>{pay.points}</b> "
        f'<span class="soft">{text(pay.reason)}</span></li>'
        for pay in one.settlement.payments
    )
    return f'<ul class="pays">\n{items}\n</ul>'


def _remarks(one: Played) -> str:
    lines = [text(remark) for remark in one.settlement.remarks]
    if SITTER_OUT in one.seats:
        lines.append(f"{text(one.seats[SITTER_OUT])} sits out")
    if not lines:
        return ""
    return '<ul class="remarks">' + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"


def _foot(evening: Evening) -> str:
    notes = "".join(f"<p>{text(note)}</p>" for note in evening.closing_notes)
    books = "; ".join(f"{text(book.book)} (rules {book.fingerprint})" for book in evening.books)
    hands = counted(len(evening.played), "entry", "entries")
    return f"""<footer>{notes}
<p>Pages are those of {books}. Worked out by mjscore from {hands} of {text(evening.file.rpartition("/")[2])}.</p>
</footer>"""
