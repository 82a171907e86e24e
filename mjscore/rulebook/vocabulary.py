"""What a rulebook file can say, as tables: sections, facts, classes of tiles, settling rules.

They are made from what the code itself goes by, for ``mjscore rules facts`` and for the rulebooks' page.
"""

from __future__ import annotations

from typing import NamedTuple

from mjscore.game.tiles import format_tiles, tiles_in
from mjscore.rulebook.facts import CLASS_MASKS, HAND_VOCABULARY, OPTION_VOCABULARY, SET_VOCABULARY
from mjscore.rulebook.keys import COMMON, KEYS, SECTIONS, keys_of
from mjscore.rulebook.loading import AFTER_COUNTING, NOT_OF_A_SHAPE, NOT_OF_A_WIN, ONLY_OF_A_WIN
from mjscore.rulebook.settling import SETTLING_KINDS

_GIVES = {"boolean": "yes or no", "number": "number", "": "its value"}
_ALL_HAVE = [key.name for key in COMMON]
_TAKES = {"class": "(class)", "text": '("…")', "texts": '("…")', "": ""}


class Table(NamedTuple):
    """Rows under a name that programs use, a heading, and a name for each column."""

    name: str
    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables() -> tuple[Table, ...]:
    """Give all that entries of a rulebook are written with."""
    facts = {**HAND_VOCABULARY.facts, **SET_VOCABULARY.facts}
    return (
        Table(
            "sections",
            "Sections",
            ("section", "gives", "to", "keys"),
            tuple((f"[[{name}]]", *said, _own_keys(name)) for name, said in SECTIONS.items()),
        ),
        Table(
            "keys",
            "Keys",
            ("key", "in", "says"),
            tuple((key.name, key.sections.replace("!", "").replace(" ", ", "), key.meaning) for key in KEYS),
        ),
        Table(
            "facts",
            "Facts",
            ("fact", "is", "where", "meaning"),
            tuple(
                (f"{name}{_TAKES[fact.takes]}", _GIVES[fact.kind], _where(name), fact.doc)
                for name, fact in facts.items()
            ),
        ),
        Table(
            "classes",
            "Classes of tiles",
            ("class", "tiles"),
            tuple((name, _tiles(name)) for name in HAND_VOCABULARY.classes),
        ),
        Table(
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
