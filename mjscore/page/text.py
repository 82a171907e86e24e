"""Building blocks of all text for people: styles, figures, names, wrapped lines."""

import re
from collections.abc import Iterable, Mapping
from textwrap import wrap
from types import MappingProxyType
from typing import NamedTuple

from mjscore.game.tiles import WIND_NAMES
from mjscore.refusal import escape_controls, text_width

NOBODY: Mapping[str, str] = MappingProxyType({})  # for names of players when none are known
LONGEST_NAME = 16  # columns; a longer name is cut short
_COLOUR = r"\x1b\[[\d;]*m"


class Style(NamedTuple):
    """How to print: *width* in columns, with or without *colour*."""

    width: int = 100
    colour: bool = False

    def strong(self, text: str) -> str:
        """Make text bold."""
        return self.tinted(text, 1)

    def faint(self, text: str) -> str:
        """Dim text."""
        return self.tinted(text, 2)

    def points(self, number: int) -> str:
        """Format points, green if won, red if lost."""
        return self.tinted(signed(number), 32 if number > 0 else 31) if number else signed(number)

    def tinted(self, text: str, code: int) -> str:
        """Wrap text in an ANSI SGR code."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text


def signed(points: int) -> str:
    """Format points as +12, 0 or −12, with a true minus."""
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"


def counted(number: int, one: str, many: str) -> str:
    """Format a count: ``1 hand``, ``2 hands``."""
    return f"{number} {one if number == 1 else many}"


def shown_width(text: str) -> int:
    """Return the number of columns that a text takes, ignoring colours."""
    return text_width(re.sub(_COLOUR, "", text) if "\x1b" in text else text)


def filled(text: str, width: int, side: str) -> str:
    """Pad a text with spaces to *width* columns, aligned to *side*: ``left`` or ``right``."""
    gap = " " * (width - shown_width(text))
    return gap + text if side == "right" else text + gap


def wrapped(text: str, style: Style) -> str:
    """Return *text* with long lines wrapped at words, their continuations indented by two more columns."""
    lines: list[str] = []
    for line in text.split("\n"):
        margin = line[: len(line) - len(line.lstrip())]
        current = ""
        for words in re.findall(r"\s*\S+|\s+$", line):
            if current.strip() and shown_width(current + words) > style.width:
                lines.append(current)
                current, words = f"{margin}  ", words.lstrip()
            current += words
        lines.append(current)
    return "\n".join(lines)


def indented(text: str, style: Style, more: str = "") -> list[str]:
    """Return the lines of a text that belongs to the line above, indented by two columns, later ones also by *more*."""
    return wrap(text, style.width - 2, initial_indent="  ", subsequent_indent=f"  {more}")


def sections_text(sections: Iterable[tuple[str, Iterable[str]]], style: Style) -> str:
    """Return the sections as text, lines under their titles; sections without lines are left out."""
    return "\n\n".join("\n".join([style.strong(title), *lines]) for title, lines in sections if lines)


def name_of(seat: str, names: Mapping[str, str]) -> str:
    """Return a player's name and wind, or the wind alone if no name is known; in place of a wind, X ``sits out``."""
    wind = WIND_NAMES.get(seat, "sits out")
    return f"{escape_controls(names[seat])} ({wind})" if seat in names else wind


def short(name: str, columns: int = LONGEST_NAME) -> str:
    """Return a name cut to *columns*, with control characters escaped."""
    cut = name = escape_controls(name)
    while text_width(cut) + (cut != name) > columns:
        cut = cut[:-1]
    return cut if cut == name else f"{cut}…"
