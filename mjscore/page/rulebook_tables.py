"""What a rulebook file can say, as tables: sections, keys, facts, classes of tiles, settling rules; for ``mjscore rules facts``.

They are made from what the code itself goes by.
"""

from __future__ import annotations

from typing import NamedTuple

from mjscore.game.tiles import format_tiles, tiles_in
from mjscore.page.text import Style
from mjscore.rulebook.facts import CLASS_MASKS, HAND_VOCABULARY, OPTION_VOCABULARY, SET_VOCABULARY
from mjscore.rulebook.keys import COMMON, KEYS, SECTIONS, keys_of
from mjscore.rulebook.loading import AFTER_COUNTING, NOT_OF_A_SHAPE, NOT_OF_A_WIN, ONLY_OF_A_WIN
from mjscore.rulebook.settling import SETTLING_KINDS

_GIVES = {"boolean": "yes or no", "number": "number", "": "its value"}
_ALL_HAVE = [key.name for key in COMMON]
_TAKES = {"class": "(class)", "text": '("…")', "texts": '("…")', "": ""}


class RulebookTable(NamedTuple):
    """Rows under a name that programs use, a heading, and a name for each column."""

    name: str
    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def rulebook_tables() -> tuple[RulebookTable, ...]:
    """Give all that entries of a rulebook are written with."""
    facts = {**HAND_VOCABULARY.facts, **SET_VOCABULARY.facts}
    return (
        RulebookTable(
            "sections",
            "Sections",
            ("section", "gives", "to", "keys"),
            tuple((f"[[{name}]]", *said, _own_keys(name)) for name, said in SECTIONS.items()),
        ),
        RulebookTable(
            "keys",
            "Keys",
            ("key", "in", "says"),
            tuple((key.name, key.sections.replace("!", "").replace(" ", ", "), key.meaning) for key in KEYS),
        ),
        RulebookTable(
            "facts",
            "Facts",
            ("fact", "is", "where", "meaning"),
            tuple(
                (f"{name}{_TAKES[fact.takes]}", _GIVES[fact.kind], _where(name), fact.doc)
                for name, fact in facts.items()
            ),
        ),
        RulebookTable(
            "classes",
            "Classes of tiles",
            ("class", "tiles"),
            tuple((name, _tiles(name)) for name in HAND_VOCABULARY.classes),
        ),
        RulebookTable(
            "settling",
            "Settling rules",
            ("rule", "says", "needs"),
            tuple(
                (name, kind.meaning, "; ".join(kind.needs.values())) for name, kind in SETTLING_KINDS.items()
            ),
        ),
    )


def _own_keys(section: str) -> str:
    return ", ".join(key for key in keys_of(section) if key not in _ALL_HAVE) or "when"


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
    without = [
        section for section, names in (("shapes", NOT_OF_A_SHAPE), ("wins", NOT_OF_A_WIN)) if name in names
    ]
    if len(without) == 2:
        return "not shapes, wins"
    return f"hands, not {without[0]}" if without else "hands"


def _tiles(name: str) -> str:
    if name in CLASS_MASKS:
        return format_tiles(tiles_in(CLASS_MASKS[name]))
    return {"own_wind": "the wind of the player's seat", "round_wind": "the wind of the round"}[name]


def show_tables(style: Style) -> str:
    """Show the tables under their headings, the widest columns wrapped to the width."""
    from tabulate import tabulate

    parts = []
    for table in rulebook_tables():
        widths = [max(len(row[column]) for row in table.rows) for column in range(len(table.columns))]
        room = style.width - 2 * (len(widths) - 1)
        while sum(widths) > room:
            widths[widths.index(max(widths))] -= 1
        parts.append(style.strong(table.heading))
        parts.append(
            tabulate(
                table.rows, table.columns, tablefmt="simple", disable_numparse=True, maxcolwidths=[*widths]
            )
        )
    return "\n\n".join(parts)


def markdown_tables() -> str:
    """Write the tables in Markdown; what is typed stands as code."""
    lines: list[str] = []
    for table in rulebook_tables():
        lines += [
            f"### {table.heading}",
            "",
            f"| {' | '.join(table.columns)} |",
            "|---" * len(table.columns) + "|",
        ]
        for name, *cells in table.rows:
            typed = table.columns[-1] in ("keys", "needs", "tiles") and cells[-1]
            if typed and " the " not in typed:
                cells[-1] = f"`{typed}`"
            lines.append(f"| `{name}` | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines).rstrip()
