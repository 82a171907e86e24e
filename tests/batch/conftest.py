"""A file with good and bad lines, for every test of batches."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from batches import random_lines


@pytest.fixture(scope="session")
def mixed(tmp_path_factory) -> Path:
    """Every tenth line is bad; blocks and settings stand between."""
    lines = random_lines(650)
    for place in range(9, len(lines), 10):
        lines[place] = lines[place].replace(":", ": 0x", 1)
    for place in range(50, len(lines), 97):
        lines[place] = "hand\n  E: 20 win\n  S: 3\n\n# between\n  W: 4\n  N: 5\n  pays E +120"
    lines[100] = "rulebook babcock"
    lines[250] = "set seasons on"
    lines[575] = "rulebook harr-limit"
    path = tmp_path_factory.mktemp("batch") / "mixed.mj"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def own(mixed, tmp_path) -> Path:
    """A copy of it that a test may change."""
    return Path(shutil.copy(mixed, tmp_path))


@pytest.fixture(autouse=True)
def _several_chunks(monkeypatch) -> None:
    """Chunks of which such a file has several."""
    monkeypatch.setattr("mjscore.batch.run.CHUNK_LINES", 250)
