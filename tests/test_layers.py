"""Imports go one way: each stage knows only the stages before it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "mjscore"
# a new module takes its place here
STAGES = [
    "tiles", "refusal", "cache", "grammars", "hand", "diagnosis", "notation", "arrangement", "conditions", "shapes",
    "rule", "facts", "rulebook_file", "rulebook_text", "rulebook_checks", "rulebook_reading", "rulebook", "sheet", "scoring", "waiting",
    "payment", "liability", "counters", "settlement", "events", "exchange", "purses", "table_file", "lines", "ledger", "checking", "update", "show", "why", "terminal_tiles", "tile_faces", "drawing",
    "batch", "cluster", "store", "play", "evening", "report", "page", "command_line", "__main__",
]  # fmt: skip
MODULES = sorted(path.stem for path in PACKAGE.glob("*.py") if path.stem != "__init__")
COMMANDS = sorted(path.stem for path in (PACKAGE / "commands").glob("*.py") if path.stem != "__init__")


def imported(path: Path) -> set[str]:
    """The modules of mjscore that a file imports, at its head, inside functions or for types only.

    Those of the commands are named ``commands.NAME``.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] != "mjscore" or len(parts) < 2:
                continue
            if parts[1] == "commands" and len(parts) > 2:
                found.add(f"commands.{parts[2]}")
            elif (PACKAGE / f"{parts[1]}.py").exists():
                found.add(parts[1])
    return found


def test_what_counts_as_an_import(tmp_path):
    path = tmp_path / "sample.py"
    path.write_text(
        "from typing import TYPE_CHECKING\nimport mjscore.tiles\nfrom mjscore import events, ledger\n"
        "from mjscore.commands.options import bound\n"
        "if TYPE_CHECKING:\n    from mjscore.batch import Tally\nelse:\n    from mjscore.show import Style\n"
        "def later():\n    from mjscore.hand import Hand\n"
    )
    assert imported(path) == {"tiles", "events", "ledger", "commands.options", "batch", "show", "hand"}


@pytest.mark.parametrize("module", MODULES)
def test_a_stage_knows_only_those_before_it(module):
    assert module in STAGES, "give the new module its place in STAGES"
    assert imported(PACKAGE / f"{module}.py") <= set(STAGES[: STAGES.index(module)])


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_knows_the_stages_and_no_other_command(command):
    found = imported(PACKAGE / "commands" / f"{command}.py")
    assert "command_line" not in found
    for name in found:
        if name.startswith("commands."):
            text = (PACKAGE / "commands" / f"{name.partition('.')[2]}.py").read_text(encoding="utf-8")
            assert "def command(" not in text, f"{command} imports the command {name}"


def test_the_stages_print_nothing_and_only_the_page_knows_click():
    for path in PACKAGE.glob("*.py"):
        if path.stem in ("command_line", "__main__", "show"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert "click" not in {alias.name.split(".")[0] for alias in node.names}, path.name
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] != "click", path.name
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id != "print", path.name


def test_no_floats_for_scores():
    """Whole numbers only: no true division and no float anywhere before the page."""
    page = {
        "show",
        "terminal_tiles",
        "tile_faces",
        "drawing",
        "report",
        "page",
        "play",
        "store",
        "batch",
        "cluster",
    }
    for module in set(MODULES) - page:
        for node in ast.walk(ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
                operands = ast.unparse(node)
                # a path is divided into folders
                assert any(word in operands for word in ("folder", "Path", "path", "here", "files(")), (
                    f"{module}: {operands}"
                )
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), module


def test_nothing_is_called_utils():
    assert not [path for path in PACKAGE.rglob("*") if path.stem in ("utils", "helpers", "misc", "common")]


def test_importing_the_package_loads_nothing_else():
    names = ("lark", "click", "tabulate", "dask", "json", "tomllib", "concurrent.futures")
    code = f"import sys, mjscore; print([name for name in {names!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_public_names_are_documented():
    import mjscore

    for name in mjscore.__all__:
        assert getattr(mjscore, name).__doc__, name
