"""mjscore in a browser's Python: the same bytes as from this one."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLES = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "samples").rglob("*.mj"))]


def folder_of(package: str) -> str:
    """The folder from which a package is imported here."""
    return str(Path(find_spec(package).origin).parents[1])


def test_every_sample_gives_the_same_bytes(pyodide):
    check = ["check", "--format", "json", *SAMPLES]
    here = subprocess.run(
        [sys.executable, "-m", "mjscore", *check], cwd=ROOT, capture_output=True, check=True
    )
    packages = dict.fromkeys(map(folder_of, ("lark", "click")))
    there = subprocess.run(
        ["node", Path(__file__).with_name("python.mjs"), pyodide, ROOT, *packages, "--", *check],
        env={key: value for key, value in os.environ.items() if key != "MJSCORE_CACHE"},
        capture_output=True,
    )
    assert there.stderr == b""
    assert there.stdout == here.stdout
    assert there.returncode == 0
    assert len(here.stdout.splitlines()) > 700
