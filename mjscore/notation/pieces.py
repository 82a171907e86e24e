"""A piece of what was typed: what it can be taken for, and where it stands."""

from __future__ import annotations

from typing import Any, NamedTuple

from mjscore.refusal import Refusal


class Piece(NamedTuple):
    """A part of a typed line, taken for one *kind* of thing: ``TILES``, ``SEAT``, ``PLUS``; *value* says which one.

    *start* and *end* are its characters in the line as it was typed. *asked* is the question that it raises where no
    reading without it is left: a letter or a name that can mean two. *parted* is whether a comma stands before it.
    """

    kind: str
    value: Any
    start: int
    end: int
    asked: Refusal | None = None
    parted: bool = False

    @property
    def type(self) -> str:
        """Give its kind, by the name that Lark looks for."""
        return self.kind
