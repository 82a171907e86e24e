"""Files of random hands, and their results as one text."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

from strategies import random_loser, random_winner

from mjscore.batch.run import check_files
from mjscore.record.context import Context


def random_lines(count: int, seed: int = 5) -> list[str]:
    chance = random.Random(seed)
    return [str((random_winner if chance.random() < 0.8 else random_loser)(chance)) for _ in range(count)]


def whole(path: Path, output: str, jobs: int) -> str:
    return "".join(part.text for part in check_files([str(path)], Context(), output, jobs))


@cache
def alone(path: Path, output: str) -> str:
    """What one process says of a file that no test changes."""
    return whole(path, output, 1)
