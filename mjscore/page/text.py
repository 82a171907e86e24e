"""What all text for people is made of: styles, figures, names, and rows of figures with their pages."""

import re
from collections.abc import Mapping, Sequence
from textwrap import wrap
from types import MappingProxyType
from typing import Any, NamedTuple

from mjscore.game.tiles import WIND_NAMES
from mjscore.refusal import text_width, visible

NOBODY: Mapping[str, str] = MappingProxyType({})  # the names of players where none are known
LONGEST_NAME = 16  # columns; a longer name is cut short


class Style(NamedTuple):
    """How to print: *width* in columns, *colour* or none."""

    width: int = 100
    colour: bool = False

    def strong(self, text: str) -> str:
        """Make text stand out."""
        return _coloured(text, bold=True) if self.colour else text

    def faint(self, text: str) -> str:
        """Make text stand back."""
        return _coloured(text, dim=True) if self.colour else text

    def bad(self, text: str) -> str:
        """Make what does not hold red."""
        return _coloured(text, fg="red") if self.colour else text

    def points(self, number: int) -> str:
        """Show points won in green, points lost in red."""
        text = signed(number)
        if not self.colour or not number:
            return text
        return _coloured(text, fg="green" if number > 0 else "red")


def _coloured(text: str, **how: Any) -> str:
    import click  # for terminals alone: a browser's Python need not have it

    return click.style(text, **how)


def signed(points: int) -> str:
    """+12, 0 or −12, with a true minus."""
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"


def counted(number: int, one: str, many: str) -> str:
    """``1 hand``, ``2 hands``."""
    return f"{number} {one if number == 1 else many}"


def wrapped(text: str, style: Style) -> str:
    """Wrap every line that is too long by words, indented as it was and two more."""
    lines: list[str] = []
    for line in text.split("\n"):
        margin = line[: len(line) - len(line.lstrip())]
        shown = ""
        for words in re.findall(r"\s*\S+|\s+$", line):
            if shown.strip() and _columns(shown + words) > style.width:
                lines.append(shown)
                shown, words = f"{margin}  ", words.lstrip()
            shown += words
        lines.append(shown)
    return "\n".join(lines)


def _columns(text: str) -> int:
    """Tell how many columns *text* takes, its colours aside."""
    if "\x1b" not in text:
        return text_width(text)
    import click

    return text_width(click.unstyle(text))


def name_of(seat: str, names: Mapping[str, str]) -> str:
    """Give a player's name with their wind, or the wind's name; who sits out has no wind."""
    wind = WIND_NAMES.get(seat, "sits out")
    return f"{visible(names[seat])} ({wind})" if seat in names else wind


def short(name: str, columns: int = LONGEST_NAME) -> str:
    """Cut a name that can be echoed to *columns*."""
    name = visible(name)
    if text_width(name) <= columns:
        return name
    while name and text_width(name) > columns - 1:
        name = name[:-1]
    return name + "…"


def rows_text(rows: Sequence[tuple[str, str, str]], style: Style) -> str:
    """Set lines of title, figure and source; a title too long for the width is continued below itself."""
    return "\n".join(rows_texts(rows, style))


def rows_texts(rows: Sequence[tuple[str, str, str]], style: Style) -> list[str]:
    """Set the same, each row by itself."""
    if not rows:
        return []
    sources = max(len(row[2]) for row in rows)
    figures = max(len(row[1]) for row in rows)
    room = style.width - figures - 6
    source_room = min(sources, 18) if room - sources < 28 else sources
    title_room = max(16, min(max(len(row[0]) for row in rows), room - source_room))
    if title_room > room - source_room:
        return [_stacked(row, style, figures) for row in rows]
    texts = []
    for title, figure, source in rows:
        left = wrap(title, title_room) or [""]
        right = wrap(source, source_room) if source_room else []
        lines = []
        for number in range(max(len(left), len(right))):
            first = left[number] if number < len(left) else ""
            last = right[number] if number < len(right) else ""
            middle = "" if number else figure
            lines.append(f"  {first:<{title_room}}  {middle:>{figures}}  {style.faint(last)}".rstrip())
        texts.append("\n".join(lines))
    return texts


def _stacked(row: tuple[str, str, str], style: Style, figures: int) -> str:
    """Set the same where the width has no room for three columns: the source stands below its title."""
    room = style.width - figures - 4
    title, figure, source = row
    first, *rest = wrap(title, room, subsequent_indent="  ") or [""]
    lines = [f"  {first:<{room}}{figure:>{figures + 2}}".rstrip(), *(f"  {line}" for line in rest)]
    return "\n".join([*lines, *(style.faint(f"      {line}") for line in wrap(source, style.width - 6))])
