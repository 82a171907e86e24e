"""What the phone's tests need that is no Python: Node with the packages of package.json, and Chromium."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

PACKAGES = Path(__file__).parents[2] / ".venv" / "phone" / "node_modules"


@pytest.fixture(scope="session")
def pyodide() -> Path:
    """The folder of the npm package, for Node."""
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")
    folder = PACKAGES / "pyodide"
    if not folder.is_dir():
        pytest.skip(".ci/node was not run")
    return folder


@pytest.fixture(scope="session")
def playwright(pyodide) -> Path:
    """The module by which Node drives a browser."""
    return PACKAGES / "playwright-core" / "index.mjs"
