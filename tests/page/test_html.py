"""The page of an evening: whole, self-contained, escaped, and looked at in a browser."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import stat
import struct
import subprocess
from html import escape, unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from colours import channels, contrast
from programs import run_command
from sources import sources

from mjscore.page import html
from mjscore.page.report import evening_page, season_page
from mjscore.page.text import signed
from mjscore.page.tile_styles import parts_of
from mjscore.record.context import Context
from mjscore.record.season import Season, season_of
from mjscore.record.statistics import RecordedEvening, course_of, hands_played, read_evening, standings

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def test_only_elements_write_tags():
    """An f-string with a tag in it is where somebody may forget to escape."""
    for name, source in sources().items():
        if name.startswith("page.") and name != "page.html":
            parts = [part for node in source.nodes if isinstance(node, ast.JoinedStr) for part in node.values]
            texts = [part.value for part in parts if isinstance(part, ast.Constant)]
            assert not [text for text in texts if re.search(r"</?[a-z]", str(text))], name


def test_an_element_escapes_what_it_takes():
    written = html.element(
        "p", "<b>", html.element("b", "x & y"), None, "", 0, class_='"', id="", text_anchor=None
    )
    assert written == '<p class="&quot;">&lt;b&gt;<b>x &amp; y</b>0</p>'
    assert html.element("path", d="M0 0") == '<path d="M0 0"/>'


SAMPLE = str(ROOT / "samples" / "evening.mj")
SEASON = ROOT / "samples" / "season"
SVG = "{http://www.w3.org/2000/svg}"
BROWSER = next(
    (
        found
        for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
        if (found := shutil.which(name))
    ),
    None,
)
HOSTILE = str(HERE / "hostile.mj")


@pytest.fixture(scope="module")
def evening() -> RecordedEvening:
    return read_evening(SAMPLE, Context())


@pytest.fixture(scope="module")
def page(evening) -> str:
    return evening_page(evening, "An evening")


def tree(page: str) -> ElementTree.Element:
    # a browser puts SVG into its own namespace by itself; here it is said
    return ElementTree.fromstring(page)


def local(element: ElementTree.Element) -> str:
    return element.tag.removeprefix(SVG)


def words(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


class Tags(HTMLParser):
    """What a parser of HTML (not XML) makes of the page: elements with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def tags(page: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Tags()
    parser.feed(page)
    return parser.found


def test_it_is_well_formed_and_its_names_are_unique(page):
    ids = [element.get("id") for element in tree(page).iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    targets = {
        value.removeprefix("#")
        for _, attributes in tags(page)
        for name, value in attributes.items()
        if name in ("href", "xlink:href", "aria-labelledby") and value
    }
    assert targets <= set(ids)


@pytest.mark.parametrize("hostile", [False, True])
def test_no_script_and_nothing_from_elsewhere(hostile, page):
    if hostile:
        page = evening_page(read_evening(HOSTILE, Context()), "<script>")
    found = tags(page)
    allowed = (
        "html head meta title style body main header footer section article div span p h1 h2 h3 h4 a b small "
        "ul li table caption thead tbody tr th td figure figcaption svg g defs symbol use path rect circle ellipse line polyline polygon "
        "text tspan use symbol defs desc"
    )
    assert {tag for tag, _ in found} <= set(allowed.split())
    for _, attributes in found:
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name not in ("src", "srcset", "data", "action", "background")
            if name.endswith("href"):
                assert value.startswith("#")
    styles = " ".join(element.text or "" for element in tree(page).iter() if local(element) == "style")
    assert "@import" not in styles
    assert not re.search(r"url\((?!#)", page)
    assert "http" not in page.replace('"http://www.w3.org/2000/svg"', "").replace(
        '"http://www.w3.org/1999/xlink"', ""
    )


def test_names_and_notes_are_text():
    evening = read_evening(HOSTILE, Context())
    assert not evening.refusals
    page = evening_page(evening, "A <title>")
    said = words(tree(page))
    for text in (
        "<b>Ann</b>",
        "A&B '",
        "</title><script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
    ):
        assert text in said, text
    # what would reorder the text beside it is spelt out
    assert "\u202e" not in page
    assert "x\\u{202e}y" in said
    assert "A <title>" in said


def test_the_standings_are_the_ledgers(evening, page):
    table = of_class(tree(page), "standings")[0]
    rows = [[words(cell) for cell in row] for row in table.iter() if local(row) == "tr"]
    found = [tuple(row[:3]) for row in rows[1:]]
    assert found == [(str(one.place), one.name, signed(one.total)) for one in standings(evening)]
    totals = [words(cell) for cell in of_class(tree(page), "total")[-1].iter() if local(cell) == "td"]
    assert totals[3:] == [signed(evening.total(name)) for name in evening.players]


def test_the_table_has_every_hand(evening, page):
    table = of_class(tree(page), "hands")[0]
    rows = [row for row in table.iter() if local(row) == "tr" and row.get("class") is None][1:]
    assert len(rows) == len(evening.played)
    for row, one in zip(rows, evening.played, strict=True):
        cells = [words(cell) for cell in row]
        assert cells[0] == one.mark
        assert cells[2] == ("" if one.score is None else str(one.score))
        for cell, name in zip(cells[3:], evening.players, strict=True):
            east = "E" if one.seats["E"] == name else ""
            assert cell == east + signed(one.nets[name])


def test_every_hand_has_its_sheet_with_pages_its_payments_and_notes(evening, page):
    articles = [element for element in tree(page).iter() if local(element) == "article"]
    assert len(articles) == len(evening.played)
    for article, one in zip(articles, evening.played, strict=True):
        said = words(article)
        for sheet in one.settlement.sheets.values():
            assert sheet.hand is not None
            assert " ".join(part.text for part in parts_of(sheet, one.seats)) in said
            for item in (*sheet.items, *sheet.doubling, *sheet.claims):
                assert item.title in said
                assert item.source in said
        for payment in one.settlement.payments:
            assert f"{one.named(payment.payer)} pays {one.named(payment.payee)} {payment.points}" in said
        for remark in (*one.settlement.remarks, *one.notes):
            assert remark in said


def test_the_figures_of_a_sheet_lead_to_its_score(evening, page):
    """The last figure of the winner's sheet is his score, and the items add up to what is before doubling."""
    for seat in of_class(tree(page), "winner"):
        if "seat" not in seat.get("class", "").split():
            continue
        rows = [[words(cell) for cell in row] for row in seat.iter() if local(row) == "tr"]
        titles = [row[0] for row in rows]
        assert titles[-1] == "Score"
        assert rows[-1][1] == words(of_class(seat, "score")[0])
        if "before doubling" in titles:
            place = titles.index("before doubling")
            assert sum(int(row[1]) for row in rows[:place]) == int(rows[place][1])


def test_the_chart_has_a_line_and_a_label_for_every_player(evening, page):
    chart = of_class(tree(page), "chart")[0]
    lines = of_class(chart, "line")
    assert len(lines) == len(evening.players)
    for line in lines:
        # the axis counts hands: what came behind one is in its point
        assert len(re.findall(r"-?\d+ -?\d+", line.get("d", ""))) == hands_played(evening) + 1 == 13
    # neither the lines' dashes nor the marks are the same for two, so that colour is not needed
    assert len({line.get("class") for line in lines}) == len(lines)
    said = words(chart)
    for name in evening.players:
        assert f"{name}: {', '.join(map(signed, course_of(evening).totals[name]))}" in said
        assert f"{name} {signed(evening.total(name))}" in said
    # labels lie within the drawing and not upon one another
    places = sorted(int(label.get("y", "0")) for label in of_class(chart, "label"))
    assert all(after - before >= 12 for before, after in pairwise(places))
    assert places[0] > 0
    assert places[-1] < 250


@pytest.mark.parametrize("hands", [1, 3, 250])
def test_a_chart_of_any_evening(hands, tmp_path):
    path = tmp_path / "long.mj"
    path.write_text("players A B C D\n" + "pay A B 1\npay C D 1\n" * hands, encoding="utf-8")
    page = evening_page(read_evening(str(path), Context()), "Long")
    places = [int(label.get("y", "0")) for label in of_class(tree(page), "label")]
    assert len(set(places)) == 4
    assert len(of_class(tree(page), "mark")) <= 4 * 45


def test_a_hand_left_out_is_named(tmp_path):
    path = tmp_path / "broken.mj"
    path.write_text('players A B C D\nhand "bad"\n  A: 111b 11b\npay A B 10\n', encoding="utf-8")
    evening = read_evening(str(path), Context())
    said = words(of_class(tree(evening_page(evening, "Broken")), "refused")[0])
    assert "Hand 1 “bad”, line 2, is left out" in said
    assert "a fifth 1 bamboo" in said


def test_without_players_and_without_hands_shown(tmp_path):
    path = tmp_path / "scores.mj"
    path.write_text("hand\n  E: 480 win\n  S: 64\n  W: dead\n  N: 16\n", encoding="utf-8")
    root = tree(evening_page(read_evening(str(path), Context()), "Scores"))
    assert "only the score was given" in words(root)
    assert words(of_class(root, "nets")[0]) == "East +2880 South −848 West −1040 North −992"


def test_the_page_is_written_whole_and_for_whom_the_old_one_was(tmp_path):
    out = tmp_path / "page.html"
    out.write_text("old", encoding="utf-8")
    out.chmod(0o640)
    result = run_command("report", SAMPLE, "--html", str(out), "--title", "Tea <at> Ann's")
    assert result.exit_code == 0, result.output
    assert out.read_text(encoding="utf-8") == evening_page(read_evening(SAMPLE, Context()), "Tea <at> Ann's")
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["page.html"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.html").write_text("old", encoding="utf-8")
    (tmp_path / "link.html").symlink_to("real.html")
    result = run_command("report", SAMPLE, "--html", str(tmp_path / "link.html"))
    assert result.exit_code == 0
    assert (tmp_path / "link.html").is_symlink()
    assert "</html>" in (tmp_path / "real.html").read_text(encoding="utf-8")


needs_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome is installed here")


def browse(page: Path, profile: Path, *options: str) -> str:
    assert BROWSER is not None
    quiet = (
        "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    )
    more = (
        "--disable-component-update --disable-sync --hide-scrollbars --disable-features=PreloadTopChromeWebUI"
    )
    command = [BROWSER, *quiet.split(), *more.split(), f"--user-data-dir={profile}", *options, page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


# what a browser has laid out, told to the page around it, which --dump-dom shows; the page itself has no script
MEASURE = f"<script>\n{(HERE / 'measure.js').read_text(encoding='utf-8')}</script></body>"


@pytest.fixture(scope="module")
def measured(page, season, tmp_path_factory) -> dict[str, dict[str, Any]]:
    """What a browser measures of pages at so many pixels, each in a frame, for a window is never as narrow as a phone."""
    pages = {"evening": (page, (360, 1200)), "season": (season_page(season, "A season"), (360, 768))}
    frames = "".join(
        f'<iframe name="{name}{width}" style="width:{width}px;height:9000px;border:0" '
        f'srcdoc="{escape(text.replace("</body>", MEASURE))}"></iframe>'
        for name, (text, widths) in pages.items()
        for width in widths
    )
    folder = tmp_path_factory.mktemp("browser")
    around = folder / "around.html"
    around.write_text(f'<!DOCTYPE html><meta charset="utf-8"/><body>{frames}</body>', encoding="utf-8")
    dumped = browse(around, folder / "profile", "--window-size=1300,2000", "--dump-dom")
    found = re.findall(r'data-([a-z]+\d+)="([^"]*)"', dumped.partition("<iframe")[0])
    assert len(found) == 4, dumped[:500]
    return {name: json.loads(unescape(told)) for name, told in found}


@pytest.fixture(scope="module")
def season() -> Season:
    return season_of(read_evening(str(path), Context()) for path in sorted(SEASON.glob("*.mj")))


@needs_browser
@pytest.mark.parametrize("width", [360, 1200])
def test_a_browser_lays_it_out(width, evening, measured):
    """Totals, chart and tiles are there, and nothing sticks out at the width of a phone or of a desk."""
    found = measured[f"evening{width}"]
    assert found["width"] == width
    assert found["scroll"] <= width
    assert found["wide"] == 0
    assert [(row[1], row[2]) for row in found["standings"]] == [
        (one.name, signed(one.total)) for one in standings(evening)
    ]
    assert 300 <= found["chart"][0] <= width
    assert found["chart"][1] > 200
    assert len(found["lines"]) == 4
    assert min(found["lines"]) > 200
    assert found["labels"] == [f"{one.name} {signed(one.total)}" for one in standings(evening)]
    assert found["outside"] == []
    assert found["hands"] == len(evening.played)
    # each hand of each player, and the biggest once more
    assert len(found["tiles"]) == sum(len(one.settlement.sheets) for one in evening.played) + 1
    assert min(one for size in found["tiles"] for one in size) >= 20
    # faces are painted, and large enough to tell apart
    assert len(found["faces"]) > 500
    assert min(width for width, _ in found["faces"]) >= 18
    assert min(height for _, height in found["faces"]) >= 25


@needs_browser
@pytest.mark.parametrize("width", [360, 768])
def test_the_page_of_a_season_fits_too(width, season, measured):
    found = measured[f"season{width}"]
    assert found["scroll"] <= found["width"] == width
    assert found["wide"] == 0
    assert [(row[1], row[2]) for row in found["standings"]] == [
        (one.name, signed(one.total)) for one in standings(*season.evenings)
    ]
    # points a hand are told on a phone too
    assert found["standings"][0][-1] == "+37"
    assert 300 <= found["chart"][0] <= min(width, 560)
    assert found["outside"] == []


@needs_browser
@pytest.mark.parametrize(("hands", "fewest", "most"), [(False, 1, 2), (True, 4, 15)])
def test_a_browser_draws_and_prints_it(hands, fewest, most, evening, tmp_path):
    """On paper standings, chart and hands of sixteen entries on two sheets at most; each hand's sheet if asked for."""
    path = tmp_path / "evening.mj"
    path.write_text(Path(SAMPLE).read_text(encoding="utf-8") + "pay Ann Ben 4\n", encoding="utf-8")
    evening = read_evening(str(path), Context())
    assert len(evening.played) == 16
    page = tmp_path / "page.html"
    page.write_text(evening_page(evening, "An evening", print_hands=hands), encoding="utf-8")
    paper, picture = tmp_path / "page.pdf", tmp_path / "page.png"
    printed = (f"--print-to-pdf={paper}", "--no-pdf-header-footer")
    browse(page, tmp_path / "profile", *printed, "--window-size=390,1000", f"--screenshot={picture}")
    drawn = picture.read_bytes()
    assert drawn[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", drawn[16:24]) == (390, 1000)
    # an empty page of that size packs to some three thousand bytes
    assert len(drawn) > 30_000
    data = paper.read_bytes()
    assert data.startswith(b"%PDF")
    pages = [int(number) for number in re.findall(rb"/Count (\d+)", data)]
    assert fewest <= max(pages) <= most


def test_who_does_not_look_is_told(page):
    """One heading of the first rank, no rank left out, tables with captions and scopes, pictures with words."""
    root = tree(page)
    assert root.get("lang") == "en"
    ranks = [int(local(element)[1]) for element in root.iter() if re.fullmatch("h[1-6]", local(element))]
    assert ranks[0] == 1
    assert ranks.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(ranks))
    for table in (element for element in root.iter() if local(element) == "table"):
        assert local(table[0]) == "caption"
        assert words(table[0])
        heads = [element for element in table.iter() if local(element) == "th"]
        assert all(head.get("scope") in ("col", "row", "colgroup", "rowgroup") for head in heads)
    for picture in (element for element in root.iter() if local(element) == "svg"):
        if picture.get("aria-hidden") != "true":
            assert picture.get("role") == "img"
            assert words(picture[0])
            assert local(picture[0]) == "title"


@pytest.mark.parametrize("name", ["paper", "dark"])
def test_colours_have_contrast_and_are_told_apart_without_red_and_green(name):
    """Text has at least 4.5 : 1 (WCAG AA); what is won and lost, and two lines, differ for a deuteranope too."""
    style = html.page_file("evening.css")
    block = style.split("@media screen and (prefers-color-scheme: dark)")[name == "dark"]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block.split("}")[0]))
    for text in ("ink", "soft", "jade", "good", "bad", *(f"line-{number}" for number in range(1, 6))):
        for ground in ("paper", "card"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    assert distance(colours["good"], colours["bad"]) > 40


def distance(one: str, other: str) -> float:
    """How far two colours are apart where red and green are one: along blue and yellow, and light and dark."""
    seen = []
    for colour in (one, other):
        red, green, blue = (255 * value ** (1 / 2.2) for value in channels(colour))
        yellow = 0.625 * red + 0.375 * green
        seen.append((yellow, blue))
    return sum(abs(left - right) for left, right in zip(*seen, strict=True))
