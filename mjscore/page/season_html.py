"""A season as one page of HTML, in the look of an evening's."""

from __future__ import annotations

from mjscore.page.chart_svg import totals_chart
from mjscore.page.html import document
from mjscore.page.html_hands import tiles_figure
from mjscore.page.markup import escaped, points, spoken_caption
from mjscore.page.season import alike_text, biggest_text, season_text
from mjscore.page.text import counted, short
from mjscore.record.season import (
    Season,
    hands_played,
    points_by_evening,
    season_course,
    season_standings,
    title_of,
)


def season_page(season: Season, title: str) -> str:
    """The page, a whole HTML document."""
    parts = [
        _heading(season, title),
        _refused(season),
        '<div class="top">',
        f"<div>{_standings(season)}</div>",
        totals_chart(season_course(season), "evening"),
        "</div>",
        _by_evening(season),
        _biggest(season),
        _foot(season),
    ]
    return document(title, parts)


def _heading(season: Season, title: str) -> str:
    first = [standing for standing in season_standings(season) if standing.place == 1]
    winners = " and ".join(f"<b>{escaped(standing.name)}</b>" for standing in first)
    verb = "leads" if len(first) == 1 else "share the lead"
    return f"""<header>
<h1>{escaped(title)}</h1>
<p>{escaped(season_text(season))}</p>
<p class="winner">{winners} {verb} with {points(first[0].total)}</p>
</header>"""


def _refused(season: Season) -> str:
    rows = [f"<li>{escaped(line)}</li>" for line in alike_text(season)]
    for evening in season.evenings:
        rows += [
            f"<li>{escaped(title_of(evening))}, line {refusal.line}: {escaped(refusal.message)}</li>"
            for refusal in evening.refusals
        ]
    if not rows:
        return ""
    listed = "\n".join(rows)
    return f"""<section class="refused">
<p><b>To be looked at.</b> What was refused is in no figure.</p>
<ul>
{listed}
</ul>
</section>"""


# the columns between the total and the points a hand; a phone has no room for all of them
_KINDS = ("n", "n extra", "n", "n", "n")


def _standings(season: Season) -> str:
    rows = []
    for standing in season_standings(season):
        best = "–" if standing.best is None else str(standing.best)
        figures = (standing.evenings, standing.hands, standing.won, standing.fed, best)
        cells = "".join(
            f'<td class="{kind}">{figure}</td>' for kind, figure in zip(_KINDS, figures, strict=True)
        )
        rows.append(
            f'<tr><td class="place">{standing.place}</td><th scope="row" class="name">{escaped(standing.name)}</th>'
            f'<td class="n total">{points(standing.total)}</td>{cells}<td class="n">{points(standing.average)}</td></tr>'
        )
    listed = "\n".join(rows)
    heads = "".join(
        f'<th scope="col" class="{kind}">{head}</th>'
        for kind, head in zip(
            ("n", *_KINDS, "n"), ("points", "ev.", "hands", "won", "fed", "best", "⌀"), strict=True
        )
    )
    return f"""<section class="standings season">
<h2>Standings</h2>
<div class="wide">
<table>
{spoken_caption("Standings")}
<thead><tr><th scope="col"><span class="spoken">place</span></th><th scope="col">player</th>{heads}</tr></thead>
<tbody>
{listed}
</tbody>
</table>
</div>
<p class="soft"><small>ev.: evenings played; fed: winning tiles discarded; best: the highest score won; ⌀: points a hand.</small></p>
</section>"""


def _by_evening(season: Season) -> str:
    heads = "".join(f'<th scope="col" class="n">{escaped(short(name, 10))}</th>' for name in season.players)
    rows = []
    for number, (evening, amounts) in enumerate(points_by_evening(season), 1):
        cells = "".join(
            f'<td class="n">{"" if amount is None else points(amount)}</td>' for amount in amounts.values()
        )
        rows.append(
            f'<tr><td class="n extra">{number}</td><td>{escaped(title_of(evening))} '
            f"<small>{escaped(evening.occasion.date)}</small></td>"
            f'<td class="n extra">{hands_played(evening)}</td>{cells}</tr>'
        )
    totals = {standing.name: standing.total for standing in season_standings(season)}
    cells = "".join(f'<td class="n">{points(totals[name])}</td>' for name in season.players)
    rows.append(f'<tr class="total"><td class="extra"></td><td>Total</td><td class="extra"></td>{cells}</tr>')
    listed = "\n".join(rows)
    return f"""<section class="table">
<h2>Points by evening</h2>
<div class="wide">
<table class="hands evenings">
{spoken_caption("Points by evening")}
<thead><tr><th scope="col" class="extra"><span class="spoken">number</span></th><th scope="col">evening</th><th scope="col" class="n extra">hands</th>{heads}</tr></thead>
<tbody>
{listed}
</tbody>
</table>
</div>
</section>"""


def _biggest(season: Season) -> str:
    if season.biggest is None:
        return ""
    played = season.biggest[1]
    tiles = f"\n{tiles_figure(played.sheet, played.seats)}" if played.sheet is not None else ""
    return f"""<section class="biggest">
<h2>The biggest hand</h2>
<p>{escaped(biggest_text(season))}</p>{tiles}
</section>"""


def _foot(season: Season) -> str:
    files = ", ".join(escaped(evening.file.rpartition("/")[2]) for evening in season.evenings)
    evenings = counted(len(season.evenings), "evening", "evenings")
    return f"<footer>\n<p>Worked out by mjscore from {evenings}: {files}.</p>\n</footer>"
