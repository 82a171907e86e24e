"""The documents: their examples, run as they stand, and the files, commands, flags, facts and options that they name."""

from __future__ import annotations

import doctest
import re
import runpy
import shlex
from pathlib import Path

import pytest
from programs import run_command

import mjscore
from mjscore.cli.main import COMMANDS
from mjscore.page import manual
from mjscore.page.language import rulebook_tables
from mjscore.rulebook.binding import bind, forget_rulebooks
from mjscore.rulebook.entries import RULEBOOKS

ROOT = Path(__file__).parents[2]
BOOKS = ROOT / "mjscore" / "rulebook" / "books"
DOCUMENTS = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (
        *ROOT.glob("*.md"),
        *(ROOT / "grammar").glob("*.md"),
        *(ROOT / "mjscore").rglob("*.md"),
        *(ROOT / "tests").rglob("*.md"),
    )
}
# each is a story: what is written and typed in one stands there in the next example
GUIDES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (ROOT / "samples" / "guides").iterdir()
}
ALL = DOCUMENTS | GUIDES
README = DOCUMENTS["README.md"]
NOTATION = DOCUMENTS["grammar/README.md"]
RULEBOOKS_PAGE = DOCUMENTS["mjscore/rulebook/books/README.md"]
CONTRIBUTING = DOCUMENTS["CONTRIBUTING.md"]


def examples(kind: str) -> list[tuple[str, str]]:
    """The blocks of a kind in the documents, the guides apart, each with the document's name."""
    return [
        (name, block)
        for name, text in (ALL if kind in ("pycon", "sh") else DOCUMENTS).items()
        for block in re.findall(rf"^```{kind}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    ]


COMMAND = re.compile(r"\$ (.*?)\n(.*?)(?=\n\$ |\Z)", re.DOTALL)
# what is typed at the prompt of play
PROMPTED = re.compile(r"^((?:\d|edit)[^>\n]*> )(.+)$", re.MULTILINE)
COMMAND_EXAMPLES = [
    pytest.param(command, shown, id=f"{name}: {command[:50]}")
    for name, block in examples("console")
    for command, shown in COMMAND.findall(block)
]


def section(text: str, title: str) -> str:
    """The part of a document under a heading, to the next heading as high."""
    marks = re.search(rf"^(#+) {re.escape(title)}$", text, re.MULTILINE)
    assert marks, title
    rest = text[marks.end() :]
    end = re.search(rf"^#{{1,{len(marks[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


# what is run


@pytest.mark.parametrize(("command", "shown"), COMMAND_EXAMPLES)
def test_examples_come_out_as_shown(command, shown, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("MJSCORE_TILES", raising=False)
    program, *arguments = shlex.split(command)
    assert program == "mjscore"
    result = run_command(*arguments)
    assert result.output.rstrip() == shown.rstrip()


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_can_be_followed(name, tmp_path, monkeypatch):
    """Its files are written, its commands run and their lines typed, one after the other, as wide as help can show them."""
    monkeypatch.chdir(tmp_path)
    forget_rulebooks()
    parts = re.findall(r"(?:^`([\w.-]+)`:\n\n)?^```(\w+)\n(.*?)^```", GUIDES[name], re.DOTALL | re.MULTILINE)
    assert parts
    for file, kind, block in parts:
        if file:
            Path(file).write_text(block, encoding="utf-8")
        for command, shown in COMMAND.findall(block) if kind == "console" else ():
            program, *arguments = shlex.split(command)
            assert program == "mjscore"
            typed = PROMPTED.findall(shown)
            result = run_command(
                *arguments, input="".join(f"{line}\n" for _, line in typed), COLUMNS="56", NO_COLOR="1"
            )
            if typed or "\n...\n" in f"\n{shown}\n":
                # in this order, and other lines between them
                place = 0
                for line in PROMPTED.sub(r"\1", shown).replace("...", "").splitlines():
                    assert line in result.output[place:], result.output[place:]
                    place = result.output.index(line, place) + len(line)
            else:
                assert result.output.rstrip() == shown.rstrip()


@pytest.mark.parametrize(("topic", "title"), manual.GUIDES.items())
def test_a_guide_is_called_as_it_is_headed(topic, title):
    assert GUIDES[f"samples/guides/{topic}.md"].startswith(f"# {title[0].upper()}{title[1:]}\n")


def test_every_kind_of_block_is_run():
    kinds = {kind for text in ALL.values() for kind in re.findall(r"^```(\w+)", text, re.MULTILINE)}
    # what installs, plays or reports is run by continuous integration and by the tests of those commands
    # the rulebook in toml by test_language_page
    assert kinds == {"console", "pycon", "mj", "sh", "powershell", "toml", "text"}


def test_the_python_examples(monkeypatch):
    monkeypatch.chdir(ROOT)
    runner = doctest.DocTestRunner()
    for name, block in examples("pycon"):
        runner.run(doctest.DocTestParser().get_doctest(block, {"mjscore": mjscore}, name, name, 0))
    summary = runner.summarize()
    assert summary.attempted >= 6
    assert summary.failed == 0


def test_the_examples_of_the_package():
    summary = doctest.testmod(mjscore)
    assert summary.attempted
    assert summary.failed == 0


@pytest.mark.parametrize("block", [block for _, block in examples("mj")])
def test_files_shown_hold(block, tmp_path):
    path = tmp_path / "shown.mj"
    path.write_text(block, encoding="utf-8")
    result = run_command("check", str(path))
    assert result.exit_code == 0, result.output


def test_every_line_of_a_file_is_shown():
    grammar = (ROOT / "grammar" / "table.lark").read_text(encoding="utf-8")
    words = set(re.findall(r'"([a-z-]+)"', re.sub(r"//.*", "", grammar)))
    shown = "".join(block for _, block in examples("mj"))
    assert len(words) > 15
    assert sorted(word for word in words if not re.search(rf"\b{word}\b", shown)) == []


def test_commands_that_only_people_type_have_their_options():
    """The lines in plain shell blocks are not run here; each option they name is one."""
    lines = [
        line for _, block in examples("sh") for line in block.splitlines() if line.startswith("mjscore ")
    ]
    assert lines
    for line in lines:
        _, name, *rest = shlex.split(line, comments=True)
        help_text = run_command(name, *rest[: name == "rules"], "--help").output
        for option in (word for word in rest if word.startswith("-")):
            assert option in help_text, line


# what is named


def test_readme_is_short_and_names_every_command():
    assert README.count("\n") <= 210
    assert [name for name in COMMANDS if not re.search(rf"`?(mjscore )?{name} ", README)] == []


def test_the_command_for_the_tests_is_the_one_that_is_run_before_a_change_lands():
    (line,) = [line for line in README.splitlines() if "&& .venv/bin/python -m pytest" in line]
    assert '-e ".[dev]"' in line
    assert "grep -F '&& .venv/bin/python -m pytest' README.md" in (ROOT / ".ci/run").read_text(
        encoding="utf-8"
    )


def test_sets_score_as_the_readme_says():
    rows = re.findall(r"^\| .* \| `(\w+)` \| (\d+) \| (\d+) \|$", README, re.MULTILINE)
    assert len(rows) == 5
    for typed, exposed, concealed in rows:
        hidden = f"[{typed}]" if len(typed) == 5 else typed
        hands = mjscore.score(f"S: ({typed}) ..."), mjscore.score(f"S: {hidden} ...")
        assert [hand.score for hand in hands] == [int(exposed), int(concealed)], typed


def test_the_pictures_say_what_the_program_says():
    pictures = runpy.run_path(str(ROOT / ".ci" / "pictures"))
    assert not {"terminal", "words"} & {*pictures["out_of_date"]()}, "run .venv/bin/python .ci/pictures"


def test_every_flag_of_the_notation_is_one():
    flags = set(re.findall(r"^\| `!(\w+)", NOTATION, re.MULTILINE))
    unknown = mjscore.score("S: 11122b 345c 99c 678d <9c!nonsense").error
    assert unknown is not None
    for flag in flags:
        error = mjscore.score(f"S: 11122b 345c 99c 678d <9c!{flag}").error
        assert error is None or error.code != unknown.code, flag
    assert {"loose", "last", "robbed", "original", "earth", "thirteen", "call", "twofold", "mixed"} <= flags
    assert {"ninth", "earlier", "allfrom", "dead", "nochoice"} <= flags


@pytest.mark.parametrize("page", ALL)
def test_links_lead_somewhere(page):
    path = ROOT / page
    for name, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(#[^)]*)?\)", ALL[page]):
        target = path.parent / name if name else path
        assert target.exists(), name
        if anchor:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            heads = [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
            # of two heads alike the second has a number behind its anchor
            again = [f"{head}-{heads[:at].count(head)}" for at, head in enumerate(heads)]
            anchors = {*heads, *again}
            assert anchor[1:] in anchors, anchor


@pytest.mark.parametrize("page", ALL)
def test_files_named_are_there(page):
    text = re.sub(r"https?://\S+", "", ALL[page])
    names = re.findall(r"(?<![\w/.])(?:samples|mjscore|grammar|tests|\.ci)/[\w./-]*[\w/]", text)
    assert [name for name in sorted(set(names)) if not (ROOT / name).exists()] == []


def test_every_folder_has_its_line_in_the_picture():
    picture = re.findall(r"[├▼│]─ ([\w.]+/?) ", section(CONTRIBUTING, "The house"))
    here = {
        f"{path.name}/" if path.is_dir() else path.name
        for path in (ROOT / "mjscore").iterdir()
        if (path.is_dir() or path.suffix == ".py")
        and path.name not in ("__init__.py", "__pycache__", "grammar")
    }
    assert sorted(picture) == sorted(here)


def test_the_tables_of_the_rulebooks_page_are_those_of_the_code(monkeypatch):
    shown = re.search(
        r"<!-- mjscore rules facts --format markdown -->\n(.*?)\n<!-- end -->", RULEBOOKS_PAGE, re.DOTALL
    )
    assert shown
    printed = run_command("rules", "facts", "--format", "markdown")
    assert shown[1] == printed.output.rstrip()


def test_everything_that_a_rulebook_can_say_is_described():
    for table in rulebook_tables():
        needed = [place for place, column in enumerate(table.columns) if column != "needs"]
        for row in table.rows:
            assert all(row[place] for place in needed), (table.name, row)


# the rulebooks


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_option_stands_on_its_rulebooks_page(name):
    start = RULEBOOKS_PAGE.index(f"## `{name}`:")
    here = RULEBOOKS_PAGE[start : RULEBOOKS_PAGE.index("\n## ", start)]
    rows = dict(re.findall(r"^\| `([\w-]+)` \| (\S+) \|", here, re.MULTILINE))
    words = {True: "on", False: "off", None: "none"}
    options = {
        key: words[value] if value is None or isinstance(value, bool) else str(value)
        for key, value in bind(name).options.items()
    }
    inherited = bind("babcock").options if name == "babcock-chinese" else {}
    assert rows == {key: value for key, value in options.items() if key not in inherited}


def test_every_decision_cited_is_told():
    told = re.findall(r"^- \*\*(D\d+)\b", DOCUMENTS["mjscore/rulebook/books/decisions.md"], re.MULTILINE)
    assert len(told) == len(set(told))
    cited = {
        number
        for path in (*(ROOT / "mjscore").rglob("*"), *(ROOT / "grammar").glob("*"))
        if path.suffix in (".py", ".toml", ".lark", ".md") and path.name != "decisions.md"
        for number in re.findall(r"\bD\d+\b", path.read_text(encoding="utf-8"))
    }
    assert cited
    assert sorted(cited - set(told)) == []
