"""A file's text as blocks that keep their lines exactly, and back: joining the blocks gives the text.

Nothing is understood here but which lines belong together; ``reading`` says what they mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mjscore.record.source import is_blank

INDENT = "  "
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class Lines(NamedTuple):
    """Lines of the file as they stand, each with its ending: a line at the margin with the indented lines
    below it (*head* is true), or blank lines and comments between such blocks. *number* is the first line's.
    """

    lines: tuple[str, ...]
    number: int
    head: bool

    @property
    def text(self) -> str:
        """Give the lines as they stand in the file."""
        return "".join(self.lines)


Document = tuple[Lines, ...]


def document_of(text: str) -> Document:
    """Give the blocks of a text, and what stands between them."""
    return tuple(_blocks(text))


def _blocks(text: str) -> Iterator[Lines]:
    block: list[str] = []
    between: list[str] = []
    number = 1
    for line in _LINE.findall(text):
        indented = line[:1] in (" ", "\t") and line.strip() != ""
        if indented and block:
            # what stands between two rows belongs to their block
            block += [*between, line]
            between = []
        elif is_blank(line.rstrip("\r\n")):
            between.append(line)
        else:
            if block:
                yield Lines(tuple(block), number, True)
                number += len(block)
            if between:
                yield Lines(tuple(between), number, False)
                number += len(between)
            block, between = [line], []
    for lines, head in ((block, True), (between, False)):
        if lines:
            yield Lines(tuple(lines), number, head)
            number += len(lines)


def text_of(document: Document) -> str:
    """Give the text of a document."""
    return "".join(block.text for block in document)


def with_lines(document: Document, place: int, lines: Iterable[str]) -> str:
    """Give the text in which the block at *place* has other lines; none take it out."""
    return text_of(document[:place]) + "".join(lines) + text_of(document[place + 1 :])


def without(document: Document, places: Iterable[int]) -> str:
    """Give the text without the blocks at *places*."""
    left_out = set(places)
    return "".join(block.text for place, block in enumerate(document) if place not in left_out)


def line_end(text: str) -> str:
    """Tell how the lines of a text end: as its first one does."""
    first = text.partition("\n")[0]
    return "\r\n" if first.endswith("\r") else "\n"
