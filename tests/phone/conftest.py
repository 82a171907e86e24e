"""What the phone's tests need that is no Python: Node with the packages of package.json, Chromium, and a Pyodide."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mjscore.phone import site

PACKAGES = Path(__file__).parents[2] / ".venv" / "phone" / "node_modules"

FILES = {
    "pyodide.mjs": f'var version="{site.PYODIDE}"'.encode(),
    "pyodide.asm.mjs": b"export default 1",
    "pyodide.asm.wasm": b"\0asm",
    "python_stdlib.zip": b"PK\x05\x06" + bytes(18),
    "pyodide-lock.json": b'{"info": {"python": "3.14.2"}, "packages": {"numpy": {}}}',
}


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


@pytest.fixture
def empty(tmp_path) -> Path:
    """A Pyodide that would not start, for a site that nobody opens."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    return folder
