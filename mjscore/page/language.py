"""Tables of everything that a rulebook file may contain, and a file to start from."""

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mjscore.game.tiles import CLASS_MASKS, format_tiles, tiles_in
from mjscore.page.html import page_file
from mjscore.page.json_text import for_json
from mjscore.page.tables import Table, columns_of, show_table
from mjscore.page.text import Style
from mjscore.refusal import escape_controls
from mjscore.rulebook.consistency import AFTER_COUNTING, NOT_OF_A_SHAPE, NOT_OF_A_WIN, ONLY_OF_A_WIN
from mjscore.rulebook.entries import RULEBOOKS, rulebook_called
from mjscore.rulebook.facts import CLASSES, FACTS, HAND_NAMESPACE, OPTION_NAMESPACE, SET_NAMESPACE
from mjscore.rulebook.keys import COMMON, KEYS, SECTIONS, SETTLING_KINDS, keys_of
from mjscore.rulebook.rulebook import Rulebook
from mjscore.rulebook.wording import meaning
from mjscore.system import path_from

_GIVES = {"boolean": "yes or no", "number": "number", "": "its value"}
_WINDS = {"own_wind": "the wind of the player's seat", "round_wind": "the wind of the round"}
_TAKES = {"class": "(class)", **dict.fromkeys(("text", "texts", "patterns"), '("…")'), "": ""}
# the conditions in which a fact may be used, from the first row that has the fact
_WHERE = (
    ({*OPTION_NAMESPACE.facts}, "everywhere"),
    ({*SET_NAMESPACE.facts} - {*HAND_NAMESPACE.facts}, "sets"),
    ({*SET_NAMESPACE.facts}, "hands, sets"),
    ({*ONLY_OF_A_WIN}, "wins"),
    ({*AFTER_COUNTING} & {*NOT_OF_A_WIN}, "who pays"),
    ({*AFTER_COUNTING}, "wins, who pays"),
    ({*NOT_OF_A_SHAPE} & {*NOT_OF_A_WIN}, "not shapes, wins"),
    ({*NOT_OF_A_SHAPE}, "hands, not shapes"),
    ({*NOT_OF_A_WIN}, "hands, not wins"),
    ({*HAND_NAMESPACE.facts}, "hands"),
)


class RulebookTable(NamedTuple):
    """A table: its *name* for programs, its heading, the names of its columns, and its rows."""

    name: str
    heading: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def rulebook_tables() -> tuple[RulebookTable, ...]:
    """Return tables of everything used to write rulebook entries, made from the tables that the program itself uses."""
    sections, facts = [], []
    common = {key.name for key in COMMON}
    for name, section in SECTIONS.items():
        own = ", ".join(key for key in keys_of(name) if key not in common)
        sections.append((f"[[{name}]]", *section, own or "when"))
    keys = [(key.name, key.sections.replace("!", "").replace(" ", ", "), key.meaning) for key in KEYS]
    for name, fact in FACTS.items():
        where = next(where for names, where in _WHERE if name in names)
        facts.append((f"{name}{_TAKES[fact.takes]}", _GIVES[fact.kind], where, meaning(name)))
    tiles = {name: format_tiles(tiles_in(mask)) for name, mask in CLASS_MASKS.items()} | _WINDS
    classes = [(name, tiles[name]) for name in CLASSES]
    settling = [(name, kind.meaning, "; ".join(kind.needs.values())) for name, kind in SETTLING_KINDS.items()]
    return (
        RulebookTable("sections", "Sections", ("section", "gives", "to", "keys"), sections),
        RulebookTable("keys", "Keys", ("key", "in", "says"), keys),
        RulebookTable("facts", "Facts", ("fact", "is", "where", "meaning"), facts),
        RulebookTable("classes", "Classes of tiles", ("class", "tiles"), classes),
        RulebookTable("settling", "Settling rules", ("rule", "says", "needs"), settling),
    )


def show_tables(style: Style) -> str:
    """Return the tables as text under their headings, with the widest columns wrapped to fit."""
    parts = []
    for _, heading, heads, rows in rulebook_tables():
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        while sum(widths) + 2 * (len(widths) - 1) > style.width:
            widths[widths.index(max(widths))] -= 1
        columns = columns_of(heads, rows, "l" * len(heads))
        wrapped = [column._replace(most=width) for column, width in zip(columns, widths, strict=True)]
        parts += [style.strong(heading), show_table(Table(wrapped), style)]
    return "\n\n".join(parts)


def markdown_tables() -> str:
    """Return the tables in Markdown, with typed words as code."""
    parts = []
    for _, heading, columns, rows in rulebook_tables():
        lines = [f"### {heading}", "", f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
        for name, *cells in rows:
            is_code = columns[-1] in ("keys", "needs", "tiles") and cells[-1]
            if is_code and " the " not in is_code:
                cells[-1] = f"`{is_code}`"
            lines.append(f"| `{name}` | {' | '.join(cells)} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def house_file(book: Rulebook, path: Path, extended: str) -> str:
    """Return the text of a rulebook file at *path* that extends *book*, which is named *extended*.

    All but its head is commented out; removing a ``#`` that no space follows activates its line.
    """
    name = re.sub(r"[\W_]+", "-", path.stem.lower()).strip("-") or "house"
    extended = rulebook_called(extended)
    base = extended if extended in RULEBOOKS else path_from(str(path.parent), extended).replace(os.sep, "/")
    bonuses = [entry for entry in book.entries.values() if entry.section in ("bonus", "double")]
    return page_file("house.toml").format(
        file=escape_controls(path.name),
        name=name,
        title=name.replace("-", " ").title(),
        extended=escape_controls(extended),
        base=for_json(json.dumps(base, ensure_ascii=False)),  # TOML writes texts in the same way
        dropped=bonuses[-1].id,
        changed=bonuses[0].id,
        key="points" if bonuses[0].section == "bonus" else "doubles",
    )
