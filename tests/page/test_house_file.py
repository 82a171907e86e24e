"""``mjscore rules new``: the file it writes changes nothing, and each of its remarks says something that holds."""

from __future__ import annotations

import re
import shlex

import pytest
from click.testing import CliRunner

from mjscore.cli.main import cli
from mjscore.page.rulebooks import card_json, show_rulebook
from mjscore.page.text import Style
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS


def run(*arguments: str):
    return CliRunner().invoke(cli, ["rules", *arguments], env={"COLUMNS": "100"})


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
    assert card["changed_options"] == ["limit"]
    assert len(card["dropped"]) == 1


def test_it_extends_a_file_beside_it(tmp_path):
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    run("new", str(first), "--extends", "harr")
    assert run("new", str(second), "--extends", str(first)).exit_code == 0
    assert bind(str(second)).definition.lineage == ("harr", "first", "second")


def test_nothing_is_written_over(tmp_path):
    path = tmp_path / "club.toml"
    path.write_text("mine", encoding="utf-8")
    result = run("new", str(path))
    assert result.exit_code == 2
    assert "[unwritable]" in result.stderr
    assert path.read_text(encoding="utf-8") == "mine"
    assert "[no-rulebook]" in run("new", str(tmp_path / "club.txt")).stderr


def test_the_card_of_a_house(tmp_path):
    path = tmp_path / "club.toml"
    path.write_text(
        'id = "club"\ntitle = "The club"\nextends = "babcock"\ndrop = ["no-runs"]\n[options]\nlimit = 500\n',
        encoding="utf-8",
    )
    card = show_rulebook(bind(str(path)), Style(100))
    assert card.startswith("The club\nafter J. P. Babcock")
    assert "Dropped from babcock\n  No runs  " in card
    assert "* limit: The most that a hand can score" in card
    assert "* seasons" not in card
    ids = run("show", "babcock", "--ids").stdout
    assert "  no-runs: No runs" in ids


def test_the_command_that_is_told_can_be_typed(tmp_path):
    path = tmp_path / "my club's [rules].toml"
    told = run("new", str(path)).output.partition("is written: ")[2]
    assert shlex.split(told) == ["mjscore", "rules", "show", str(path)]


def test_a_name_keeps_its_letters(tmp_path):
    path = tmp_path / "käthes_runde.toml"
    assert run("new", str(path)).exit_code == 0
    assert (bind(str(path)).id, bind(str(path)).title) == ("käthes-runde", "Käthes Runde")


def test_a_file_that_is_there_asks_for_another_name(tmp_path):
    path = tmp_path / "club.toml"
    path.write_text("")
    assert "name a file that is not there yet" in run("new", str(path)).output
