"""What a rulebook file can say, as tables: sections, keys, facts, classes of tiles, settling rules; for ``mjscore rules facts``.

They are made from what the code itself goes by.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mjscore.game.tiles import format_tiles, tiles_in
from mjscore.page.text import Style, tabulated
from mjscore.rulebook.facts import HAND_VOCABULARY, OPTION_VOCABULARY, SET_VOCABULARY
from mjscore.rulebook.keys import COMMON, KEYS, SECTIONS, SETTLING_KINDS, keys_of
from mjscore.rulebook.loading import AFTER_COUNTING, NOT_OF_A_SHAPE, NOT_OF_A_WIN, ONLY_OF_A_WIN
from mjscore.rulebook.shapes import CLASS_MASKS
from mjscore.rulebook.wording import meaning

_GIVES = {"boolean": "yes or no", "number": "number", "": "its value"}
_ALL_HAVE = [key.name for key in COMMON]
_WINDS = {"own_wind": "the wind of the player's seat", "round_wind": "the wind of the round"}
_TAKES = {"class": "(class)", "text": '("…")', "texts": '("…")', "": ""}


class RulebookTable(NamedTuple):
    """Rows under a name that programs use, a heading, and a name for each column."""

    name: str
    heading: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def rulebook_tables() -> tuple[RulebookTable, ...]:
    """Give all that entries of a rulebook are written with."""
    sections, facts, settling = [], [], []
    for name, said in SECTIONS.items():
        own = ", ".join(key for key in keys_of(name) if key not in _ALL_HAVE)
        sections.append((f"[[{name}]]", *said, own or "when"))
    keys = [(key.name, key.sections.replace("!", "").replace(" ", ", "), key.meaning) for key in KEYS]
    for name, fact in {**HAND_VOCABULARY.facts, **SET_VOCABULARY.facts}.items():
        facts.append((f"{name}{_TAKES[fact.takes]}", _GIVES[fact.kind], _where(name), meaning(name)))
    tiles = {name: format_tiles(tiles_in(mask)) for name, mask in CLASS_MASKS.items()} | _WINDS
    classes = [(name, tiles[name]) for name in HAND_VOCABULARY.classes]
    for name, kind in SETTLING_KINDS.items():
        settling.append((name, kind.meaning, "; ".join(kind.needs.values())))
    return (
        RulebookTable("sections", "Sections", ("section", "gives", "to", "keys"), sections),
        RulebookTable("keys", "Keys", ("key", "in", "says"), keys),
        RulebookTable("facts", "Facts", ("fact", "is", "where", "meaning"), facts),
        RulebookTable("classes", "Classes of tiles", ("class", "tiles"), classes),
        RulebookTable("settling", "Settling rules", ("rule", "says", "needs"), settling),
    )


def _where(name: str) -> str:
    """Give the conditions in which a fact may be named."""
    if name in OPTION_VOCABULARY.facts:
        return "everywhere"
    if name not in HAND_VOCABULARY.facts:
        return "sets"
    if name in SET_VOCABULARY.facts:
        return "hands, sets"
    if name in ONLY_OF_A_WIN:
        return "wins"
    if name in AFTER_COUNTING:
        return "who pays" if name in NOT_OF_A_WIN else "wins, who pays"
    if name in NOT_OF_A_SHAPE and name in NOT_OF_A_WIN:
        return "not shapes, wins"
    if name in NOT_OF_A_SHAPE:
        return "hands, not shapes"
    return "hands, not wins" if name in NOT_OF_A_WIN else "hands"


def show_tables(style: Style) -> str:
    """Show the tables under their headings, the widest columns wrapped to the width."""
    parts = []
    for _, heading, columns, rows in rulebook_tables():
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        room = style.width - 2 * (len(widths) - 1)
        while sum(widths) > room:
            widths[widths.index(max(widths))] -= 1
        parts.append(style.strong(heading))
        parts.append(tabulated(rows, columns, "l" * len(columns), maxcolwidths=widths))
    return "\n\n".join(parts)


def markdown_tables() -> str:
    """Write the tables in Markdown; what is typed stands as code."""
    parts = []
    for _, heading, columns, rows in rulebook_tables():
        lines = [f"### {heading}", "", f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
        for name, *cells in rows:
            typed = columns[-1] in ("keys", "needs", "tiles") and cells[-1]
            if typed and " the " not in typed:
                cells[-1] = f"`{typed}`"
            lines.append(f"| `{name}` | {' | '.join(cells)} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)
