"""An evening, or a season, as one page of HTML to look at, send around or print: no script, nothing from elsewhere.

Its text is complete without the drawings, and it is well-formed XML as well as HTML. Its style sheet is
``evening.css``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import resources

from mjscore.page.chart_svg import totals_chart
from mjscore.page.drawings import draw_faces
from mjscore.page.evening_tables import evenings_table, fed_table, hands_table, standings_table
from mjscore.page.html_hands import every_hand, tiles_figure
from mjscore.page.markup import escaped, points
from mjscore.page.report import alike_text, biggest_text, changes_text, hands_text, rules_text, season_text
from mjscore.page.tables import table_html
from mjscore.page.text import counted
from mjscore.record.season import Season, season_course, title_of
from mjscore.record.statistics import Evening, Standing, biggest, course_of, standings, what_happened

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
    """Write the page, a whole HTML document; with *print_hands* the sheets of the single hands are printed too."""
    found = standings(evening)
    *names, last = map(escaped, evening.players)
    texts = [f"{', '.join(names)} and {last} · {escaped(hands_text(evening))}", escaped(rules_text(evening))]
    changes = changes_text(evening)
    ranks = table_html(standings_table(found), "Standings")
    parts = [
        _heading(title, [*texts, escaped(evening.occasion.date)], found, ("wins", "share the first place")),
        _told("Not all of the file holds.</b> The figures are those of the rest.", _left_out(evening)),
        '<div class="top">\n<div>',
        section("standings", "Standings", ranks, f"{_STANDINGS} {escaped(changes)}".strip()),
        _biggest(evening),
        "</div>",
        totals_chart(course_of(evening)),
        "</div>",
        section("table", "Hands", table_html(hands_table(evening), _HANDS, "hands"), _EAST),
    ]
    if evening.hands_won:
        parts.append(section("fed", "Who fed whom", table_html(fed_table(evening), _FED), _FED))
    return document(title, [*parts, every_hand(evening), _foot(evening)], print_hands)


def season_page(season: Season, title: str) -> str:
    """Write the page of a season, a whole HTML document in the look of an evening's."""
    found = standings(*season.evenings)
    ranks = table_html(standings_table(found, season=True), "Standings")
    by_evening = "Points by evening"
    refused = [
        f"{title_of(evening)}, line {refusal.line}: {refusal.message}"
        for evening in season.evenings
        for refusal in evening.refusals
    ]
    most = season.biggest[1] if season.biggest is not None else None
    tiles = f"\n{tiles_figure(most.sheet, most.seats)}" if most is not None and most.sheet is not None else ""
    files = ", ".join(escaped(evening.file.rpartition("/")[2]) for evening in season.evenings)
    evenings = counted(len(season.evenings), "evening", "evenings")
    parts = [
        _heading(title, [escaped(season_text(season))], found, ("leads", "share the lead")),
        _told("To be looked at.</b> What was refused is in no figure.", [*alike_text(season), *refused]),
        f'<div class="top">\n<div>{section("standings season", "Standings", ranks, _STANDINGS_OF_SEASON)}</div>',
        totals_chart(season_course(season), "evening"),
        "</div>",
        section("table", by_evening, table_html(evenings_table(season), by_evening, "hands evenings")),
        section("biggest", "The biggest hand", f"<p>{escaped(biggest_text(season))}</p>{tiles}")
        if most
        else "",
        f"<footer>\n<p>Worked out by mjscore from {evenings}: {files}.</p>\n</footer>",
    ]
    return document(title, parts)


def document(title: str, parts: Iterable[str], print_hands: bool = False) -> str:
    """Put a whole page together of the parts that are not empty; single hands are printed only with *print_hands*."""
    style = (resources.files("mjscore.page") / "evening.css").read_text(encoding="utf-8")
    body = "\n".join(part for part in parts if part)
    printed = ' class="print-hands"' if print_hands else ""
    return _DOCUMENT.format(title=escaped(title), style=style, printed=printed, faces=draw_faces(), body=body)


def _heading(title: str, texts: Iterable[str], found: Sequence[Standing], verbs: tuple[str, str]) -> str:
    first = [standing for standing in found if standing.place == 1]
    winners = " and ".join(f"<b>{escaped(standing.name)}</b>" for standing in first)
    lines = "\n".join(f"<p>{text}</p>" for text in texts if text)
    won = f"{winners} {verbs[len(first) > 1]} with {points(first[0].total)}"
    return f'<header>\n<h1>{escaped(title)}</h1>\n{lines}\n<p class="winner">{won}</p>\n</header>'


def _told(title: str, lines: Iterable[str]) -> str:
    listed = "\n".join(f"<li>{escaped(line)}</li>" for line in lines)
    return (
        f'<section class="refused">\n<p><b>{title}</p>\n<ul>\n{listed}\n</ul>\n</section>' if listed else ""
    )


def _left_out(evening: Evening) -> Iterator[str]:
    for hand in evening.left_out:
        label = f" “{hand.label}”" if hand.label else ""
        yield f"Hand {hand.mark}{label}, line {hand.line}, is left out"
    for refusal in evening.refusals:
        yield f"Line {refusal.line}: {refusal.message}"


def section(kind: str, title: str, content: str, note: str = "") -> str:
    """Write a part of a page under its title, with a small note below it."""
    small = f'\n<p class="soft"><small>{note}</small></p>' if note else ""
    return f'<section class="{kind}">\n<h2>{title}</h2>\n{content}{small}\n</section>'


_STANDINGS = (
    "won: hands; drawn: how many of them on a tile of their own drawing; fed: winning tiles discarded; "
    "best: the highest score won. Points won and lost sum to zero."
)
_STANDINGS_OF_SEASON = (
    "ev.: evenings played; fed: winning tiles discarded; best: the highest score won; mean: points a hand."
)
_HANDS = "Hands: who won, the score, and what each player won or lost"
_FED = "Hands won on the discards of each; in brackets what the discarder paid for them."
_EAST = '<span class="east" title="East">E</span>was East in this hand.'


def _biggest(evening: Evening) -> str:
    most = biggest(evening)
    if most is None or most.sheet is None or most.sheet.hand is None:
        return ""
    label = f" “{escaped(most.label)}”" if most.label else ""
    won = f"{escaped(most.winner)} wins <b>{most.score}</b>, {escaped(what_happened(most))}"
    said = f'<p>{won}, in <a href="#hand-{most.mark}">hand {most.mark}</a>{label}</p>'
    return section("biggest", "The biggest hand", f"{said}\n{tiles_figure(most.sheet, most.seats)}")


def _foot(evening: Evening) -> str:
    notes = "".join(f"<p>{escaped(note)}</p>" for note in evening.closing_notes)
    books = "; ".join(f"{escaped(book.book)} (rules {book.fingerprint})" for book in evening.books)
    hands = counted(len(evening.played), "entry", "entries")
    return f"""<footer>{notes}
<p>Pages are those of {books}. Worked out by mjscore from {hands} of {escaped(evening.file.rpartition("/")[2])}.</p>
</footer>"""
