"""Parts of the documents at the prompt: a page of Markdown as text for a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from textwrap import wrap

from mjscore.notation.parsers import grammar_text
from mjscore.page.text import Style
from mjscore.refusal import text_width

# topics, each with the headings of grammar/README.md that tell it
TOPICS = {"notation": ("Tiles", "A hand"), "files": ("Files",)}
_GAP = 2  # columns between those of a table


def topic_text(topic: str, style: Style) -> str:
    """Tell what the notation's page says of a topic, wrapped to the width."""
    page = grammar_text("README.md")
    parts = []
    for title in TOPICS[topic]:
        start = page.index(f"## {title}\n")
        end = page.find("\n## ", start)
        parts.append(show_markdown(page[start : end if end >= 0 else len(page)].rstrip(), style))
    return "\n\n".join(parts)


def show_markdown(text: str, style: Style) -> str:
    """Headings stand out, prose and tables are wrapped by words, examples stay as they are."""
    blocks: list[list[str]] = []
    # what stands at every other place is an example between fences
    for number, part in enumerate(re.split(r"^```.*\n?", text, flags=re.MULTILINE)):
        if number % 2:
            blocks.append(["  " + line if line else "" for line in part.splitlines()])
        else:
            paragraphs = filter(None, re.split(r"\n\n+", part.strip("\n")))
            blocks += [_shown(paragraph.splitlines(), style) for paragraph in paragraphs]
    return "\n\n".join(map("\n".join, blocks))


def _shown(block: list[str], style: Style) -> list[str]:
    first = block[0]
    if first.startswith("#"):
        return [style.strong(first.lstrip("# "))]
    if first.startswith("    "):
        return ["  " + line[4:] for line in block]
    if first.startswith("|"):
        rows = [re.split(r"(?<!\\) \| ", line.strip("| ")) for line in block if not line.startswith("|--")]
        return _table([[_plain(cell) for cell in row] for row in rows], style)
    return wrap(_plain(" ".join(block)), style.width)


def _plain(text: str) -> str:
    """Give a text without the marks of links and of what is typed."""
    return re.sub(r"`([^`]*)`", r"\1", re.sub(r"\[([^\[\]`]*)\]\([^()]*\)", r"\1", text))


def _table(rows: Sequence[Sequence[str]], style: Style) -> list[str]:
    """Give a table whose last column takes the room that the others leave; where that is too narrow, stands below."""
    *others, _ = zip_longest(*rows, fillvalue="")
    widths = [max(map(text_width, column)) for column in others]
    room = style.width - 2 - sum(widths) - _GAP * len(widths)
    lines = []
    for number, row in enumerate(rows):
        cells = [
            cell + " " * (width + _GAP - text_width(cell)) for cell, width in zip(row, widths, strict=False)
        ]
        head = f"  {''.join(cells)}"
        if room >= 20:
            first, *rest = wrap(row[-1], room) or [""]
            shown = [head + first, *(" " * text_width(head) + line for line in rest)]
        else:
            shown = wrap(head, style.width, subsequent_indent="  ")
            shown += wrap(row[-1], style.width - 6, initial_indent="      ", subsequent_indent="      ")
        lines += [style.faint(line.rstrip()) if number == 0 else line.rstrip() for line in shown]
    return lines
