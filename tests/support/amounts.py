"""How much is tried of what there is much of: a part of it in the ordinary run, and all of it with ``WHOLE=1``."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from typing import TypeVar

Row = TypeVar("Row")
WHOLE = bool(os.environ.get("WHOLE"))


def part_of(many: int, share: int = 4) -> int:
    """So many examples, of which the ordinary run tries one in *share*: the first ones, the same each time."""
    return many if WHOLE else many // share


def in_turn(rows: Sequence[Row], turn: int | str, share: int = 4) -> Sequence[Row]:
    """Of *rows* one in *share*, beginning with that whose *turn* it is; of a text it is always the same."""
    first = turn if isinstance(turn, int) else zlib.crc32(turn.encode())
    return rows if WHOLE else rows[first % share :: share]
