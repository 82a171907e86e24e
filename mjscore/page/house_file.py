"""The start of a house rulebook: a file in which every line but its head is still a remark."""

from __future__ import annotations

import os
import re
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
    bonuses = [entry.id for entry in book.entries.values() if entry.section in ("bonus", "double")]
    dropped, changed = bonuses[-1], bonuses[0]
    key = "points" if book.entries[changed].section == "bonus" else "doubles"
    return f'''\
# A house rulebook. What it does not say is as in {extended}; mjscore rules show {path.name} prints its card.
id = "{name}"
title = "{name.replace("-", " ").title()}"
extends = "{base}"

# Entries that the house does without, by their ids; mjscore rules show {extended} --ids has them all.
#drop = ["{dropped}"]

# Options that the house sets otherwise; the card ends with them.
#[options]
#limit = 500

# What an entry becomes: any of its keys; unset = ["when"] takes keys away.
#[change.{changed}]
#{key} = 3

# Entries of the house's own. Facts, classes of tiles and sections: mjscore rules facts
#[[bonus]]
#id = "all-simples"
#title = "No ones, nines, winds or dragons"
#points = 10
#when = "won and tiles(head) == 0"

#[[double]]
#id = "three-fours"
#title = "Three fours"
#doubles = 1
#when = "kongs == 3"

# What every winner needs.
#[[win]]
#id = "two-runs"
#title = "A winning hand has two runs at most"
#when = "chows <= 2 or special"

# A special hand, by its tiles.
#[[shape]]
#id = "house-snake"
#title = "One to nine, the winds, and one of them twice"
#tiles = "123456789x ESWNw twin"
#points = 300
'''
