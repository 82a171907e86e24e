"""What is found in the text of a file."""

from __future__ import annotations

from mjscore.record.checker import Checked, Reader
from mjscore.record.context import Context
from mjscore.record.source import blocks, lines_of


def check_text(text: str, **context: object) -> list[Checked]:
    """All that is checked in a text, one by one."""
    return list(Reader("x.mj", Context(**context)).check(blocks(lines_of(text))))
