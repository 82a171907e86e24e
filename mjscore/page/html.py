"""An evening as one page of HTML to look at, send around or print: no script, nothing from elsewhere.

Its text is complete without the drawings, and it is well-formed XML as well as HTML. Its style sheet is
``evening.css``.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources

from mjscore.page.chart_svg import totals_chart
from mjscore.page.drawings import draw_faces
from mjscore.page.evening_tables import fed_table, hands_table, standings_table
from mjscore.page.html_hands import every_hand, tiles_figure
from mjscore.page.markup import escaped, points
from mjscore.page.report import changes_text, hands_text, rules_text
from mjscore.page.tables import table_html
from mjscore.page.text import counted
from mjscore.record.statistics import Evening, biggest, course_of, standings, what_happened

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
        section("table", "Hands", table_html(hands_table(evening), _HANDS, "hands"), _EAST),
        section("fed", "Who fed whom", table_html(fed_table(evening), _FED), _FED)
        if evening.hands_won
        else "",
        every_hand(evening),
        _foot(evening),
    ]
    return document(title, parts, print_hands)


def document(title: str, parts: Iterable[str], print_hands: bool = False) -> str:
    """Put a whole page together of the parts that are not empty; single hands are printed only with *print_hands*."""
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


def section(kind: str, title: str, content: str, note: str = "") -> str:
    """Write a part of a page under its title, with a small note below it."""
    small = f'\n<p class="soft"><small>{note}</small></p>' if note else ""
    return f'<section class="{kind}">\n<h2>{title}</h2>\n{content}{small}\n</section>'


_STANDINGS = (
    "won: hands; drawn: how many of them on a tile of their own drawing; fed: winning tiles discarded; "
    "best: the highest score won. Points won and lost sum to zero."
)
_HANDS = "Hands: who won, the score, and what each player won or lost"
_FED = "Hands won on the discards of each; in brackets what the discarder paid for them."
_EAST = '<span class="east" title="East">E</span>was East in this hand.'


def _standings(evening: Evening) -> str:
    changes = changes_text(evening)
    note = f"{_STANDINGS} {escaped(changes)}." if changes else _STANDINGS
    return section(
        "standings", "Standings", table_html(standings_table(standings(evening)), "Standings"), note
    )


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
