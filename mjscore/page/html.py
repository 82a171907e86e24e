"""An evening as one page of HTML to look at, send around or print: no script, nothing from elsewhere.

Its text is complete without the drawings, and it is well-formed XML as well as HTML. Its style sheet is
``evening.css``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import resources

from mjscore.game.tiles import WIND_NAMES
from mjscore.page.chart_svg import totals_chart
from mjscore.page.drawings import draw_faces
from mjscore.page.html_hands import every_hand, tiles_figure
from mjscore.page.markup import escaped, points, spoken_caption
from mjscore.page.report import hands_text, rules_text
from mjscore.page.text import counted, short
from mjscore.record.statistics import (
    Evening,
    Played,
    biggest,
    course_of,
    fed_whom,
    rounds,
    standings,
    what_happened,
)

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
<body{printed}>
<svg class="faces" width="0" height="0" aria-hidden="true">{faces}</svg>
<main>
{body}
</main>
</body>
</html>
"""


def evening_page(evening: Evening, title: str, print_hands: bool = False) -> str:
    """The page, a whole HTML document; with *print_hands* the sheets of the single hands are printed too."""
    parts = [
        _heading(evening, title),
        _refused(evening),
        '<div class="top">',
        "<div>",
        _standings(evening),
        _biggest(evening),
        "</div>",
        totals_chart(course_of(evening)),
        "</div>",
        _hands(evening),
        _fed(evening),
        every_hand(evening),
        _foot(evening),
    ]
    return document(title, parts, print_hands)


def document(title: str, parts: Iterable[str], print_hands: bool = False) -> str:
    """A whole page of the parts that are not empty; single hands are printed only with *print_hands*."""
    style = (resources.files("mjscore.page") / "evening.css").read_text(encoding="utf-8")
    body = "\n".join(part for part in parts if part)
    printed = ' class="print-hands"' if print_hands else ""
    return _DOCUMENT.format(title=escaped(title), style=style, printed=printed, faces=draw_faces(), body=body)


def _heading(evening: Evening, title: str) -> str:
    first = [standing for standing in standings(evening) if standing.place == 1]
    names = [escaped(name) for name in evening.players]
    winners = " and ".join(f"<b>{escaped(standing.name)}</b>" for standing in first)
    verb = "wins" if len(first) == 1 else "share the first place"
    date = f"\n<p>{escaped(evening.occasion.date)}</p>" if evening.occasion.date else ""
    return f"""<header>
<h1>{escaped(title)}</h1>
<p>{", ".join(names[:-1])} and {names[-1]} · {escaped(hands_text(evening))}</p>
<p>{escaped(rules_text(evening))}</p>{date}
<p class="winner">{winners} {verb} with {points(first[0].total)}</p>
</header>"""


def _refused(evening: Evening) -> str:
    if not evening.refusals and not evening.left_out:
        return ""
    rows = []
    for hand in evening.left_out:
        label = f" “{escaped(hand.label)}”" if hand.label else ""
        rows.append(f"<li>Hand {hand.mark}{label}, line {hand.line}, is left out</li>")
    rows += [f"<li>Line {refusal.line}: {escaped(refusal.message)}</li>" for refusal in evening.refusals]
    listed = "\n".join(rows)
    return f"""<section class="refused">
<p><b>Not all of the file holds.</b> The figures are those of the rest.</p>
<ul>
{listed}
</ul>
</section>"""


def _standings(evening: Evening) -> str:
    rows = []
    for standing in standings(evening):
        best = "–" if standing.best is None else str(standing.best)
        rows.append(
            f'<tr><td class="place">{standing.place}</td><th scope="row" class="name">{escaped(standing.name)}</th>'
            f'<td class="n total">{points(standing.total)}</td><td class="n">{standing.won}</td>'
            f'<td class="n">{standing.drawn}</td><td class="n">{standing.fed}</td><td class="n">{best}</td></tr>'
        )
    listed = "\n".join(rows)
    return f"""<section class="standings">
<h2>Standings</h2>
<div class="wide">
<table>
{spoken_caption("Standings")}
<thead><tr><th scope="col"><span class="spoken">place</span></th><th scope="col">player</th><th scope="col" class="n">points</th><th scope="col" class="n">won</th><th scope="col" class="n">drawn</th><th scope="col" class="n">fed</th><th scope="col" class="n">best</th></tr></thead>
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
    label = f" “{escaped(most.label)}”" if most.label else ""
    return f"""<section class="biggest">
<h2>The biggest hand</h2>
<p>{escaped(most.winner)} wins <b>{most.score}</b>, {escaped(what_happened(most))}, in <a href="#hand-{most.mark}">hand {most.mark}</a>{label}</p>
{tiles_figure(most.sheet, most.seats)}
</section>"""


def _hands(evening: Evening) -> str:
    names = evening.players
    heads = "".join(f'<th scope="col" class="n">{escaped(short(name, 10))}</th>' for name in names)
    bodies = []
    for wind, hands in rounds(evening):
        rows = [_hand_row(played, names) for played in hands]
        if wind:
            head = f'<th scope="rowgroup" colspan="{3 + len(names)}">{WIND_NAMES[wind]} round</th>'
            rows.insert(0, f'<tr class="sub">{head}</tr>')
        bodies.append("<tbody>\n" + "\n".join(rows) + "\n</tbody>")
    totals = "".join(f'<td class="n">{points(evening.total(name))}</td>' for name in names)
    listed = "\n".join(bodies)
    return f"""<section class="table">
<h2>Hands</h2>
<div class="wide">
<table class="hands">
{spoken_caption("Hands: who won, the score, and what each player won or lost")}
<thead><tr><th scope="col"><span class="spoken">hand</span></th><th scope="col">won by</th><th scope="col" class="n">score</th>{heads}</tr></thead>
{listed}
<tbody><tr class="total"><td></td><td>Total</td><td></td>{totals}</tr></tbody>
</table>
</div>
<p class="soft"><small><span class="east" title="East">E</span>was East in this hand.</small></p>
</section>"""


def _hand_row(played: Played, names: Sequence[str]) -> str:
    if played.winner is not None:
        what = f"{escaped(played.winner)} <small>{escaped(what_happened(played))}</small>"
    else:
        what = f"<small>{escaped(what_happened(played))}</small>"
    score = "" if played.score is None else str(played.score)
    if played.at_limit:
        score = f"<b>{score}</b>"
    east = '<span class="east" title="East">E</span>'
    nets = "".join(
        f'<td class="n">{east if played.seats.get("E") == name else ""}{points(played.nets[name])}</td>'
        for name in names
    )
    return (
        f'<tr><td class="n"><a href="#hand-{played.mark}">{played.mark}</a></td><td>{what}</td>'
        f'<td class="n">{score}</td>{nets}</tr>'
    )


def _fed(evening: Evening) -> str:
    fed = fed_whom(evening)
    if not evening.hands_won:
        return ""
    names = evening.players
    heads = "".join(f'<th scope="col" class="n">{escaped(short(name, 10))}</th>' for name in names)
    rows = []
    for discarder in names:
        cells = []
        for winner in names:
            given = fed.get((discarder, winner))
            if discarder == winner:
                cells.append('<td class="n soft">·</td>')
            elif given is None:
                cells.append('<td class="n"></td>')
            else:
                cells.append(f'<td class="n">{given.hands} <small class="soft">({given.points})</small></td>')
        rows.append(f'<tr><th scope="row">{escaped(discarder)}</th>{"".join(cells)}</tr>')
    drawn = {standing.name: standing.drawn for standing in standings(evening)}
    cells = [f'<td class="n">{drawn[name] or ""}</td>' for name in names]
    rows.append(f'<tr><th scope="row">drawn himself</th>{"".join(cells)}</tr>')
    listed = "\n".join(rows)
    return f"""<section class="fed">
<h2>Who fed whom</h2>
<div class="wide">
<table>
{spoken_caption("Who fed whom: hands won on the discards of each player")}
<thead><tr><th scope="col">discarded by ↓ for →</th>{heads}</tr></thead>
<tbody>
{listed}
</tbody>
</table>
</div>
<p class="soft"><small>Hands won on the discards of each; in brackets what the discarder paid for them.</small></p>
</section>"""


def _foot(evening: Evening) -> str:
    notes = "".join(f"<p>{escaped(note)}</p>" for note in evening.closing_notes)
    books = "; ".join(f"{escaped(book.book)} (rules {book.fingerprint})" for book in evening.books)
    hands = counted(len(evening.played), "entry", "entries")
    return f"""<footer>{notes}
<p>Pages are those of {books}. Worked out by mjscore from {hands} of {escaped(evening.file.rpartition("/")[2])}.</p>
</footer>"""
