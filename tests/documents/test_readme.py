"""The README's examples, run as they stand, and what it and the rulebooks' pages name."""

from __future__ import annotations

import doctest
import re
import shlex
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner

import mjscore
from mjscore.cli.main import COMMANDS, cli
from mjscore.game import tiles
from mjscore.notation import hands as notation
from mjscore.rulebook import facts
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BOOKS = ROOT / "mjscore" / "rulebooks"
EXAMPLES = [
    (command, shown)
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    for command, shown in re.findall(r"\$ (.*?)\n(.*?)(?=\n\$ |\Z)", block, re.DOTALL)
]


def section(title: str) -> str:
    """The part of the README under a heading, to the next heading as high."""
    marks = re.search(rf"^(#+) {re.escape(title)}$", README, re.MULTILINE)
    assert marks, title
    rest = README[marks.end() :]
    end = re.search(rf"^#{{1,{len(marks[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def test_the_tour_goes_through_the_commands():
    shown = {shlex.split(command)[1] for command, _ in EXAMPLES}
    assert shown == {"score", "waits", "settle", "check"}
    assert [name for name in COMMANDS if f"mjscore {name} " not in README] == []
    commands = " ".join(command for command, _ in EXAMPLES)
    for option in ("--why", "--winner", "-r harr -r babcock", "-r samples/house-rules.toml"):
        assert option in commands


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_examples_come_out_as_shown(command, shown, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("MJSCORE_TILES", raising=False)
    program, *arguments = shlex.split(command)
    assert program == "mjscore"
    result = CliRunner().invoke(cli, arguments)
    assert result.output.rstrip() == shown.rstrip()


def test_the_python_example(monkeypatch):
    monkeypatch.chdir(ROOT)
    runner = doctest.DocTestRunner()
    for block in re.findall(r"```pycon\n(.*?)```", README, re.DOTALL):
        runner.run(doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0))
    found = runner.summarize()
    assert found.attempted >= 6
    assert found.failed == 0


@pytest.mark.parametrize("module", [mjscore, notation, tiles])
def test_examples_of_modules(module):
    found = doctest.testmod(module)
    assert found.attempted
    assert found.failed == 0


def test_the_lines_of_a_file_are_understood(tmp_path):
    block = re.search(r"\n((?:    .*\n)+)", section("Files"))
    assert block
    path = tmp_path / "lines.mj"
    path.write_text(textwrap.dedent(block[1]), encoding="utf-8")
    result = CliRunner().invoke(cli, ["check", str(path)])
    assert result.output.endswith("all hold\n"), result.output
    assert result.exit_code == 0


def test_every_flag_of_the_notation_is_one():
    flags = set(re.findall(r"^\| `!(\w+)", section("The notation"), re.MULTILINE))
    assert len(flags) == 12
    unknown = mjscore.score("S: 11122b 345c 99c 678d <9c!nonsense").error
    assert unknown is not None
    for flag in flags:
        error = mjscore.score(f"S: 11122b 345c 99c 678d <9c!{flag}").error
        assert error is None or error.code != unknown.code, flag


# ------------------------------------------------------------------ what it names


@pytest.mark.parametrize(
    "page", ["README.md", "mjscore/rulebooks/README.md", "mjscore/rulebooks/decisions.md"]
)
def test_links_lead_somewhere(page):
    path = ROOT / page
    names = re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8"))
    assert names
    assert [name for name in names if not (path.parent / name).exists()] == []


def test_files_it_names_are_there():
    names = set(re.findall(r"\b(?:samples|mjscore|grammar|tests)/[\w./-]*\w", README))
    assert {"samples/table.mj", "samples/harr.mj", "samples/house-rules.toml"} <= names
    assert [name for name in sorted(names) if not (ROOT / name).exists()] == []


def test_every_module_has_its_place():
    table = section("Where to find what").split("\n\n[")[0]
    modules = {path.stem for path in (ROOT / "mjscore").glob("*.py")} - {"__init__", "__main__"}
    assert sorted(re.findall(r"`(\w+)`", table)) == sorted(modules)


def test_every_fact_and_class_is_told():
    told = set(re.findall(r"`(\w+)", section("Writing a house rulebook")))
    vocabulary = facts.HAND_VOCABULARY
    known = {*vocabulary.facts, *facts.SET_VOCABULARY.facts, *vocabulary.classes}
    assert sorted(known - told) == []


# ------------------------------------------------------------------ the rulebooks' pages


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_option_stands_on_its_rulebooks_page(name):
    page = (BOOKS / "README.md").read_text(encoding="utf-8")
    start = page.index(f"## `{name}`:")
    here = page[start : page.index("\n## ", start)]
    rows = dict(re.findall(r"^\| `([\w-]+)` \| (\S+) \|", here, re.MULTILINE))
    words = {True: "on", False: "off", None: "none"}
    options = {
        key: words[value] if value is None or isinstance(value, bool) else str(value)
        for key, value in bind(name).options.items()
    }
    inherited = bind("babcock").options if name == "babcock-chinese" else {}
    assert rows == {key: value for key, value in options.items() if key not in inherited}


def test_every_decision_cited_is_told():
    page = (BOOKS / "decisions.md").read_text(encoding="utf-8")
    told = re.findall(r"^- \*\*(D\d+)\b", page, re.MULTILINE)
    assert len(told) == len(set(told))
    cited = {
        number
        for folder, pattern in ((ROOT / "mjscore", "*.py"), (BOOKS, "*.toml"), (BOOKS, "README.md"))
        for path in folder.glob(pattern)
        for number in re.findall(r"\bD\d+\b", path.read_text(encoding="utf-8"))
    }
    assert cited
    assert sorted(cited - set(told)) == []
