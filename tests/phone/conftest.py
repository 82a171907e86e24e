"""What the phone's tests need that is no Python: Node with the packages of package.json, and Chromium."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

PACKAGES = Path(__file__).with_name("node_modules")


@pytest.fixture(scope="session")
def pyodide() -> Path:
    """The folder of the npm package, for Node."""
    if shutil.which("node") is None:
        pytest.skip("Node is not installed")
    folder = PACKAGES / "pyodide"
    if not folder.is_dir():
        pytest.skip("npm ci --prefix tests/phone was not run")
    return folder
