"""Score cards, two rulebooks beside each other, what a rulebook file can say, and the start of one."""

from __future__ import annotations

import json
import re
import shlex
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from programs import run_command
from tables import table

from mjscore.game.tiles import WEIGHT, format_tiles
from mjscore.page.cards import card_groups, card_json, card_page, show_rulebook
from mjscore.page.differences import DiffRow, diff_rows, show_diff
from mjscore.page.language import rulebook_tables
from mjscore.page.tables import rows_table, show_table
from mjscore.page.text import Style
from mjscore.rulebook.binding import bind
from mjscore.rulebook.compiling import OF_A_WINNER
from mjscore.rulebook.conditions import Constant, Name, names_in, parse_condition
from mjscore.rulebook.entries import RULEBOOKS
from mjscore.rulebook.shapes import match_shape
from mjscore.rulebook.wording import condition_words, shape_words

HOUSE = str(Path(__file__).parents[2] / "samples" / "house-rules.toml")


SAMPLES = sorted(map(str, (Path(__file__).parents[2] / "samples" / "rules").glob("*.toml")))


def test_the_card_of_a_rulebook_of_today_is_short_on_a_narrow_screen():
    lines = show_rulebook(bind("bmja"), Style(60)).splitlines()
    assert len(lines) <= 200
    assert "  Fishing for Thirteen Unique Wonders                400 †" in lines
    # where all are added to, or most are taken in place of counting, the head of the section says it
    assert "bonus tiles are added; †: in place of" in " ".join(lines)
    (settling,) = [line for line in lines if line.startswith("  The winner collects his score")]
    # a source stands behind all rules, and not between a rule and its worth
    (number,) = re.findall(r"others \[(\d+)\]", lines[lines.index(settling) + 1])
    sources = " ".join(" ".join(lines[lines.index("Sources") :]).split())
    assert f"[{number}] BMJA: settling up [" in sources
    assert "Not counted: This worth replaces what the hand" in sources
    assert "1 is East's, 2 South's" in sources


def test_a_card_tells_its_table_of_doubles():
    book = bind(next(path for path in SAMPLES if "hong-kong" in path))
    card = " ".join(show_rulebook(book, Style(60)).split())
    assert (
        "points are multiplied by 1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128; the last also holds for more."
        in card
    )
    assert "All in triplets 3 doubles" in card
    assert "24, 32, 48" in card_page(book)
    assert card_json(book)["table"][-1] == 128


def test_a_card_has_every_entry_and_option_and_fits():
    for name in ("harr", "babcock-chinese", *SAMPLES):
        book = bind(name)
        for columns in (60, 100):
            card = show_rulebook(book, Style(columns))
            assert max(map(len, card.splitlines()[2:])) <= columns
        card = show_rulebook(book, Style(400))
        for entry in book.entries.values():
            assert entry.title in card
        for option in book.options:
            assert f" {option}: " in card


@pytest.mark.parametrize("name", [*RULEBOOKS, *SAMPLES])
def test_every_entry_of_every_rulebook_is_told(name):
    """What it asks for, in words without a name of the language; what a special hand is, as tiles that are it."""
    every = {"optional": "all"} if "babcock" in name else {}
    for options in ({}, every, {"limit": "none"} if "limit" in bind(name).options else {}):
        book = bind(name, options)
        groups = [group for group in card_groups(book, everything=True) if "Dropped" not in group.title]
        rows = [row for group in groups for row in group.rows if row.entry.section != "option"]
        assert [
            row.entry.id for row in sorted(rows, key=lambda row: list(book.entries).index(row.entry.id))
        ] == [*book.entries]
        for row in rows:
            node = book.conditions[row.entry.id]
            if node not in (Constant(True), Name("won", (), 0)):
                assert row.means, row.entry.id
            assert not re.search(r"[_()\[\]{}]|==|[<>]", row.means), row.means
            if "tiles" in row.entry.data:
                tiles = sorted(tile for group in row.tiles for tile in group)
                special = next(
                    one for one in (*book.special_hands, *book.lacking_a_limit) if one.rule.id == row.entry.id
                )
                assert match_shape(special.alternatives, sum(WEIGHT[tile] for tile in tiles)), row.entry.id
    # of the hands that tiles decide each is shown, and of the six none is shown that is not it
    limits = [
        row
        for group in card_groups(bind(name, every))
        for row in group.rows
        if row.entry.section == "limit" and row.worth != "–"
    ]
    won_how = set(OF_A_WINNER) | {"flag", "waiting_for"}
    for row in limits:
        facts = {one.name for one in names_in(bind(name, every).conditions[row.entry.id])}
        if not facts & won_how - {"claimed", "winning_tile"}:
            assert row.tiles, row.entry.id


@table
def test_conditions_in_words(when, words):
    assert condition_words(parse_condition(when), str.title, of_winner=True) == words


@table
def test_shapes_in_words(tiles, words):
    assert shape_words(tiles) == words


def test_an_example_holds_what_a_special_hand_asks_for_besides_its_shape():
    (pairs,) = (
        row for group in card_groups(bind(HOUSE)) for row in group.rows if "in two suits" in row.title
    )
    # the lowest seven pairs are of one suit
    assert [format_tiles(group) for group in pairs.tiles] == ["112233445566b", "11c"]


def test_a_card_says_whose_an_entry_is_and_its_page_once():
    groups = {group.title: group for group in card_groups(bind("bmja"))}
    assert groups["Doubles, for the winner"].source == "BMJA: doubling"
    assert [row.source for row in groups["Doubles"].rows][-2:] == ["", "BMJA: doubling; some terms"]
    assert "No chows" in [row.title for row in groups["Doubles, for the winner"].rows]
    fishing = groups["Limit hands and special scores, for the losers"]
    assert all(row.title.startswith("Fishing") for row in fishing.rows)


def test_the_card_as_a_page_has_all_of_it_and_the_tiles_drawn():
    book = bind("bmja")
    page = card_page(book)
    root = ElementTree.fromstring(page.replace("<!DOCTYPE html>", ""))
    text = " ".join("".join(root.itertext()).split())
    for entry in book.entries.values():
        assert entry.title in text
    assert page.count('<div class="tiles"><svg') == sum(
        bool(row.tiles) for group in card_groups(book) for row in group.rows
    )


def test_what_a_house_rulebook_changed_is_marked():
    card = show_rulebook(bind(HOUSE), Style(100))
    assert "  * Won on a loose tile (20 in all" in card
    assert "  * differs from babcock" in card
    changed = {entry["rule"] for entry in card_json(bind(HOUSE))["entries"] if entry["changed"]}
    assert {"loose-tile", "all-simples", "two-suit-pairs"} <= changed
    assert "* " not in show_rulebook(bind("babcock"), Style(100))


def test_a_rulebook_does_not_differ_from_itself():
    book = bind("harr")
    assert diff_rows(book, book) == []
    assert show_diff(book, book, Style(100)) == "The two rulebooks are the same."
    assert len(diff_rows(book, book, everything=True)) == len(book.entries) + len(book.options)


def test_options_are_compared_too():
    rows = {row.title: row for row in diff_rows(bind("harr"), bind("harr-limit")) if row.section == "Options"}
    assert rows["limit: The most that a winner can score"].sides == (
        ("harr", "none", "Harr p. 60; D24"),
        ("harr-limit", "300", "Harr p. 60; D30"),
    )
    assert rows["mah-jongg: Points for Mah-Jongg"].sides[0] == ("harr", "–", "")


def test_a_long_title_goes_on_below_itself():
    rows = [("A title that is long enough to be broken in two", "12", "Harr p. 30"), ("Short", "3", "")]
    assert show_table(rows_table(rows), Style(40)).splitlines() == [
        "  A title that is long    12  Harr p. 30",
        "  enough to be broken in",
        "  two",
        "  Short                    3",
    ]


def test_the_same_thing_in_another_section_stands_in_one_row():
    rows = {row.title: row for row in diff_rows(bind("babcock"), bind("bmja"))}
    assert (rows["No chows"].section, worths(rows["No chows"])) == ("Bonuses", ("10", "×2"))
    assert worths(rows["All honors / All Winds and Dragons"]) == ("×8", "limit (1000) + bonus tiles")


def worths(row: DiffRow) -> tuple[str, ...]:
    return tuple(side.worth for side in row.sides)


def test_only_what_differs_in_its_condition_alone_has_the_mark():
    rows = diff_rows(bind("babcock"), bind("babcock-chinese"), everything=True)
    marked = [row.title for row in rows if "¹" in "".join(worths(row))]
    assert 0 < len(marked) < len(rows) / 4
    assert marked == [
        row.title
        for row in diff_rows(bind("babcock"), bind("babcock-chinese"))
        if "¹" in "".join(worths(row))
    ]


@pytest.mark.parametrize("columns", [40, 60, 80, 100])
def test_of_two_rulebooks_only_headings_stand_at_the_left_margin(columns):
    left, right = bind("babcock"), bind("bmja")
    lines = show_diff(left, right, Style(columns)).splitlines()
    headings = list(dict.fromkeys(row.section for row in diff_rows(left, right)))
    at_margin = [line for line in lines if line and not line.startswith((" ", "-", "¹"))]
    assert at_margin[: len(headings)] == headings
    assert all(line.startswith("condition:") for line in at_margin[len(headings) :])
    assert all(above == "" for above, line in pairwise(lines) if line in headings[1:])


def test_a_page_stands_with_the_worth_of_its_rulebook():
    left, right = bind("babcock"), bind("bmja")
    wide = show_diff(left, right, Style(100)).splitlines()
    assert [line for line in wide if "Robbing" in line or line.startswith("    kong")] == [
        "  Stealing the fourth to win / Robbing the  10    Babcock p. 22, 35;     ×2    BMJA: doubling; some",
        "    kong                                          D53                          terms",
    ]
    narrow = show_diff(left, right, Style(60)).splitlines()
    first = narrow.index("  All honors / All Winds and Dragons")
    assert narrow[first + 1 : first + 3] == [
        "    babcock  ×8    Babcock p. 36; D8",
        "    bmja     limit (1000) + bonus tiles  BMJA: special hands",
    ]


def printed(*arguments: str, columns: int = 100) -> str:
    result = run_command("rules", "facts", *arguments, COLUMNS=str(columns))
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("columns", [80, 100])
def test_text_fits_and_names_everything(columns):
    text = printed(columns=columns)
    assert max(map(len, text.splitlines())) <= columns
    names = {line.split()[0] for line in text.splitlines() if line.strip()}
    assert [row[0] for table in rulebook_tables() for row in table.rows if row[0] not in names] == []


def test_json_and_markdown_have_the_same_rows():
    data = json.loads(printed("--format", "json"))
    markdown = printed("--format", "markdown")
    for printable in rulebook_tables():
        assert [tuple(row.values()) for row in data[printable.name]] == list(printable.rows)
        for name, *_, last in printable.rows:
            assert any(line.startswith(f"| `{name}` |") and last in line for line in markdown.splitlines()), (
                name
            )


def run(*arguments: str):
    return run_command("rules", *arguments, COLUMNS="100")


@pytest.mark.parametrize("extended", RULEBOOKS)
def test_what_is_written(tmp_path, extended):
    path = tmp_path / "club-night.toml"
    assert run("new", str(path), "--extends", extended).exit_code == 0
    book, base = bind(str(path)), bind(extended)
    assert (book.id, book.title) == ("club-night", "Club Night")
    assert dict(book.entries) == dict(base.entries)
    assert "* " not in show_rulebook(book, Style(100)).replace("  * differs", "")
    said = tmp_path / "said.toml"
    said.write_text(
        re.sub(r"^#(?! )", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE), encoding="utf-8"
    )
    card = card_json(bind(str(said)))
    changed = {entry["rule"] for entry in card["entries"] if entry["changed"]}
    assert {"all-simples", "three-fours", "two-runs", "house-snake"} < changed
    assert len(changed) == 5
    # the limit that is written is the one that this rulebook has
    assert card["changed_options"] == ([] if extended == "dmjl" else ["limit"])
    assert len(card["dropped"]) == 1


def test_it_extends_a_file_beside_it(tmp_path):
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    run("new", str(first), "--extends", "harr")
    assert run("new", str(second), "--extends", str(first)).exit_code == 0
    assert bind(str(second)).definition.lineage == ("harr", "first", "second")


@pytest.mark.parametrize("name", ['we"ird.toml', "new\nline.toml", "b\\ack.toml"])
def test_a_file_may_have_any_name(tmp_path, name):
    (tmp_path / name).write_bytes(Path(HOUSE).read_bytes())
    path = str(tmp_path / f"of {name}")
    assert run("new", path, "--extends", str(tmp_path / name)).exit_code == 0
    assert bind(path).definition.lineage[-2] == bind(HOUSE).id


def test_the_card_of_a_house(tmp_path):
    path = tmp_path / "club.toml"
    path.write_text(
        'id = "club"\ntitle = "The club"\nextends = "babcock"\ndrop = ["no-runs"]\n[options]\nlimit = 500\n',
        encoding="utf-8",
    )
    card = show_rulebook(bind(str(path)), Style(100))
    assert card.startswith("The club\nafter J. P. Babcock")
    assert "Dropped from babcock\n  No chows  " in card
    assert "* limit: The most that a hand can score" in card
    assert "* seasons" not in card
    ids = run("show", "babcock", "--ids").stdout
    assert "  no-runs: No chows" in ids


def test_the_command_that_is_told_can_be_typed(tmp_path):
    path = tmp_path / "my club's [rules].toml"
    told = run("new", str(path)).output.partition("is written: ")[2]
    assert shlex.split(told) == ["mjscore", "rules", "show", str(path)]


def test_a_name_keeps_its_letters(tmp_path):
    path = tmp_path / "käthes_runde.toml"
    assert run("new", str(path)).exit_code == 0
    assert (bind(str(path)).id, bind(str(path)).title) == ("käthes-runde", "Käthes Runde")
