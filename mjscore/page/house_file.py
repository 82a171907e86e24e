"""The start of a house rulebook, ``house.toml``: a file in which every line but its head is still a remark."""

from __future__ import annotations

import os
import re
from importlib import resources
from pathlib import Path

from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.entries import RULEBOOKS, rulebook_called


def house_file(book: Rulebook, path: Path, extended: str) -> str:
    """Write the text of a rulebook file at *path* that extends *book*, which is called *extended*.

    A line that begins with ``#`` and no space behind it says something when its ``#`` is taken away.
    """
    name = re.sub(r"[\W_]+", "-", path.stem.lower()).strip("-") or "house"
    extended = rulebook_called(extended)
    base = extended if extended in RULEBOOKS else os.path.relpath(extended, path.parent).replace(os.sep, "/")
    bonuses = [entry for entry in book.entries.values() if entry.section in ("bonus", "double")]
    return (
        (resources.files("mjscore.page") / "house.toml")
        .read_text(encoding="utf-8")
        .format(
            file=path.name,
            name=name,
            title=name.replace("-", " ").title(),
            extended=extended,
            base=base,
            dropped=bonuses[-1].id,
            changed=bonuses[0].id,
            key="points" if bonuses[0].section == "bonus" else "doubles",
        )
    )
