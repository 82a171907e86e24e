"""Imports go one way: each stage, a folder, knows only the stages before it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable

import pytest
from sources import PACKAGE, sources
from tables import table

# from text to page; what stands on one line stands side by side
STAGES = [
    ("system",),
    ("refusal", "atomic"),
    ("game",),
    ("notation",),
    ("rulebook",),
    ("scoring",),
    ("settling",),
    ("counters",),
    ("record",),
    ("page",),
    ("batch", "play"),
    ("results",),
    ("evenings",),
    ("api",),
    ("drill",),
    ("phone",),
    ("cli",),
    ("__main__",),
]  # fmt: skip
FLOOR = {name: floor for floor, names in enumerate(STAGES) for name in names}


def imported(nodes: Iterable[ast.AST]) -> set[str]:
    """The modules of mjscore that a file imports, at its head, inside functions or for types only."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name.startswith("mjscore."):
                longest = name.removeprefix("mjscore.")
                while longest and longest not in sources():
                    longest = longest.rpartition(".")[0]
                if longest:
                    found.add(longest)
    return found


def test_what_counts_as_an_import():
    tree = ast.parse(
        "from typing import TYPE_CHECKING\nimport mjscore.game.tiles\nfrom mjscore.record import ledger\n"
        "from mjscore.cli.options import bound\nimport json\nfrom mjscore import __version__\n"
        "if TYPE_CHECKING:\n    from mjscore.batch.run import Tally\nelse:\n    from mjscore.page.text import Style\n"
        "def later():\n    from mjscore.game.hand import Hand\n"
    )
    assert imported(ast.walk(tree)) == {
        "game.tiles", "record.ledger", "cli.options", "batch.run", "page.text", "game.hand"
    }  # fmt: skip


def test_every_folder_has_its_place():
    assert {name.partition(".")[0] for name in sources()} <= set(FLOOR), (
        "give the new folder its place in STAGES"
    )


def test_a_stage_knows_only_those_before_it():
    wrong = [
        f"{name} imports {other}"
        for name, source in sources().items()
        for other in imported(source.nodes)
        if FLOOR[other.partition(".")[0]] >= FLOOR[name.partition(".")[0]]
        and other.partition(".")[0] != name.partition(".")[0]
    ]
    assert wrong == []


def test_no_circles_within_a_stage():
    knows = {name: imported(source.nodes) - {name} for name, source in sources().items()}

    def reached(name: str, trail: tuple[str, ...] = ()) -> None:
        assert name not in trail, " → ".join((*trail, name))
        if name not in done:
            for other in sorted(knows[name]):
                reached(other, (*trail, name))
            done.add(name)

    done: set[str] = set()
    for name in knows:
        reached(name)


def test_no_two_classes_have_one_name():
    """But for a result's public form, which is derived from the one of that name that the stage gives."""
    homes: dict[str, list[str]] = {}
    for name, source in sources().items():
        for node in source.nodes:
            if isinstance(node, ast.ClassDef):
                bases = {base.attr for base in node.bases if isinstance(base, ast.Attribute)}
                homes.setdefault(node.name, []).extend([name] * (node.name not in bases))
    assert {name: both for name, both in homes.items() if both[1:]} == {}


def test_commands_know_no_other_command():
    for name, source in sources().items():
        if name.startswith("cli.") and name != "cli.main":
            for other in imported(source.nodes):
                assert other in (
                    "cli.options",
                    "cli.printing",
                    "cli.file_access",
                    "cli.typed_hands",
                    "cli.completion",
                    "cli.prompt",
                    "cli.live_line",
                    "cli.live_prompt",
                    "cli.streams",
                    "cli.settings_file",
                ) or not other.startswith("cli."), f"{name} imports {other}"


def test_the_stages_print_nothing_and_only_the_page_knows_click():
    for name, source in sources().items():
        if name.startswith("cli") or name in ("__main__", "page.text"):
            continue
        for node in source.nodes:
            if isinstance(node, ast.Import):
                assert "click" not in {alias.name.split(".")[0] for alias in node.names}, name
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] != "click", name
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id != "print", name


def test_no_floats_for_scores():
    """Whole numbers only: no true division and no float anywhere before the page."""
    for name, source in sources().items():
        if FLOOR[name.partition(".")[0]] >= FLOOR["page"] or name == "system":
            continue  # what is asked of the system is a matter of seconds, too
        for node in source.nodes:
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
                operands = ast.unparse(node)
                # a path is divided into folders
                words = ("folder", "Path", "path", "here", "files(", "package")
                assert any(word in operands for word in words), f"{name}: {operands}"
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), name


TAKING = frozenset(("find", "rfind", "index", "rindex", "split", "rsplit", "partition", "rpartition", "search", "match", "fullmatch", "findall", "finditer"))  # fmt: skip


def taken_from_messages(nodes: Iterable[ast.AST]) -> list[str]:
    """Where a module looks into the words of a refusal: for a part of them, or for where a part stands."""

    def worded(node: ast.AST) -> bool:
        return any(
            isinstance(part, ast.Attribute) and part.attr in ("message", "hint") for part in ast.walk(node)
        )

    found = []
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in TAKING:
            looked = [node.func.value, *node.args]
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            looked = node.comparators
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
            looked = [node.value]
        else:
            continue
        if any(map(worded, looked)):
            found.append(f"{node.lineno}: {ast.unparse(node)}")
    return found


def test_a_place_is_known_and_never_looked_for_in_a_message():
    wrong = {source.place: taken_from_messages(source.nodes) for source in sources().values()}
    assert {place: found for place, found in wrong.items() if found} == {}


@table
def test_what_counts_as_looking(source):
    assert taken_from_messages(ast.walk(ast.parse(source)))


def test_no_name_of_a_file_stands_more_than_three_times():
    names = Counter(source.place.rpartition("/")[2] for source in sources().values())
    assert {name: many for name, many in names.items() if many > 3 and name != "__init__.py"} == {}


MOST_WAYS = 20  # through one function, by radon


def test_no_function_becomes_a_knot():
    radon = pytest.importorskip("radon.complexity")
    blocks = [
        (block.complexity, f"{source.place}:{block.lineno} {block.name}")
        for source in sources().values()
        for block in radon.cc_visit(source.text)
        if block.letter != "C"
    ]
    assert len(blocks) > 2000
    assert [block for block in blocks if block[0] > MOST_WAYS] == []


def test_nothing_is_called_utils():
    assert not [path for path in PACKAGE.rglob("*") if path.stem in ("utils", "helpers", "misc", "common")]


def test_importing_the_package_loads_nothing_else():
    names = ("lark", "click", "dask", "json", "tomllib", "concurrent.futures")
    code = f"import sys, mjscore; print([name for name in {names!r} if name in sys.modules])"
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_a_hand_that_is_read_and_scored_loads_nothing_that_puts_right():
    names = (
        "mjscore.notation.lexer",
        "mjscore.notation.parses",
        "mjscore.notation.vocabulary",
        "fractions",
    )
    names += ("prompt_toolkit", "multiprocessing", "importlib.resources", "filelock", "anyascii")
    names += ("click.shell_completion", "glob", "mjscore.cli.completion")
    names += ("mjscore.scoring.reasons", "mjscore.scoring.waits", "mjscore.rulebook.wording")
    code = (
        "import sys; from mjscore.cli.main import main; sys.argv = ['mjscore', 'score', '(222d) 123b 456b 789b 5c +5c']\n"
        "try: main()\n"
        f"except SystemExit: pass\nprint([name for name in {names!r} if name in sys.modules])"
    )
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_public_names_are_documented():
    import mjscore

    for name in mjscore.__all__:
        assert getattr(mjscore, name).__doc__, name
