"""A season as one page of HTML, in the look of an evening's."""

from __future__ import annotations

from mjscore.page.chart_svg import totals_chart
from mjscore.page.evening_tables import evenings_table, standings_table
from mjscore.page.html import document, section
from mjscore.page.html_hands import tiles_figure
from mjscore.page.markup import escaped, points
from mjscore.page.season import alike_text, biggest_text, season_text
from mjscore.page.tables import table_html
from mjscore.page.text import counted
from mjscore.record.season import Season, season_course, title_of
from mjscore.record.statistics import standings


def season_page(season: Season, title: str) -> str:
    """Write the page, a whole HTML document."""
    ranks = standings_table(standings(*season.evenings), season=True)
    by_evening = "Points by evening"
    parts = [
        _heading(season, title),
        _refused(season),
        '<div class="top">',
        f"<div>{section('standings season', 'Standings', table_html(ranks, 'Standings'), _STANDINGS)}</div>",
        totals_chart(season_course(season), "evening"),
        "</div>",
        section("table", by_evening, table_html(evenings_table(season), by_evening, "hands evenings")),
        _biggest(season),
        _foot(season),
    ]
    return document(title, parts)


def _heading(season: Season, title: str) -> str:
    first = [standing for standing in standings(*season.evenings) if standing.place == 1]
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


_STANDINGS = (
    "ev.: evenings played; fed: winning tiles discarded; best: the highest score won; mean: points a hand."
)


def _biggest(season: Season) -> str:
    if season.biggest is None:
        return ""
    played = season.biggest[1]
    tiles = f"\n{tiles_figure(played.sheet, played.seats)}" if played.sheet is not None else ""
    return section("biggest", "The biggest hand", f"<p>{escaped(biggest_text(season))}</p>{tiles}")


def _foot(season: Season) -> str:
    files = ", ".join(escaped(evening.file.rpartition("/")[2]) for evening in season.evenings)
    evenings = counted(len(season.evenings), "evening", "evenings")
    return f"<footer>\n<p>Worked out by mjscore from {evenings}: {files}.</p>\n</footer>"
