"""Imports go one way: each stage knows only the stages before it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "mjscore"
STAGES = [
    "tiles", "refusal", "cache", "grammars", "hand", "diagnosis", "notation", "arrangement", "conditions", "shapes",
    "facts", "rulebook_file", "rulebook", "sheet", "scoring", "waiting", "liability", "settlement", "events",
    "counters", "table_file", "lines", "ledger", "checking", "update", "show", "why", "terminal_tiles", "batch",
    "cluster", "command_line", "__main__",
]  # fmt: skip


def imported(path: Path) -> set[str]:
    """The modules of mjscore that a file imports, at its head or inside functions, but not for types only."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(node)
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and "TYPE_CHECKING" in ast.unparse(branch.test)
        for node in ast.walk(branch)
    }
    found = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.ImportFrom)
            and id(node) not in skipped
            and (node.module or "").startswith("mjscore")
        ):
            parts = (node.module or "").split(".")
            names = [parts[1]] if len(parts) > 1 else [alias.name for alias in node.names]
            found.update(name for name in names if (PACKAGE / f"{name}.py").exists())
    return found


MODULES = sorted(path.stem for path in PACKAGE.glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("module", MODULES)
def test_a_stage_knows_only_those_before_it(module):
    before = STAGES[: STAGES.index(module)]
    # shapes and patterns of tiles need each other's grammar; both only inside functions
    allowed = {"facts": {"shapes"}, "notation": set()}.get(module, set())
    assert imported(PACKAGE / f"{module}.py") - set(before) - allowed == set()


def test_commands_come_last():
    for path in (PACKAGE / "commands").glob("*.py"):
        assert "command_line" not in imported(path)


def test_nothing_is_called_utils():
    assert not [path for path in PACKAGE.rglob("*") if path.stem in ("utils", "helpers", "misc", "common")]


def test_importing_the_package_loads_nothing_else():
    code = "import sys, mjscore; print([name for name in ('lark', 'click', 'tabulate', 'dask') if name in sys.modules])"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "[]\n"
    )


def test_public_names_are_documented():
    import mjscore

    for name in mjscore.__all__:
        assert getattr(mjscore, name).__doc__, name
