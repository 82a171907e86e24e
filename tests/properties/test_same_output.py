"""The same input gives the same output in every run: nothing printed depends on the order of a set."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "S@E: (222d) [1111c] 123b 456b 5c +5c!loose", "--why"),
        ("settle", str(SAMPLES / "table.mj"), "--counters", "harr"),
        ("rules", "show", "babcock-chinese"),
    ],
)
def test_the_hash_seed_changes_nothing(arguments):
    def output(seed: int) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": str(seed), "COLUMNS": "100"}
        command = [sys.executable, "-m", "mjscore", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert len({output(seed) for seed in range(1, 7)}) == 1
