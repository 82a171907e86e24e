"""Tables of text that keep within a terminal's width."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mjscore.page.text import Style
from mjscore.refusal import text_width


def table(rows: Sequence[Sequence[str]], headers: Sequence[str], aligned: str) -> str:
    """A table; *aligned* has a letter for each column, ``l`` or ``r``."""
    from tabulate import SEPARATING_LINE, tabulate

    # headings given as such would be widened by two columns each, and a narrow terminal needs those
    text = tabulate(
        [headers, SEPARATING_LINE, *rows],
        tablefmt="simple",
        disable_numparse=True,
        colalign=["left" if letter == "l" else "right" for letter in aligned],
    )
    return "\n".join(line.rstrip() for line in text.splitlines()[1:-1])


def columns_of(
    rows: Sequence[Sequence[str]], headers: Sequence[str], aligned: str, shown: Sequence[int]
) -> str:
    """A table of the columns *shown* alone."""
    return table(
        [[row[column] for column in shown] for row in rows],
        [headers[column] for column in shown],
        "".join(aligned[column] for column in shown),
    )


def fits(text: str, style: Style) -> bool:
    """Whether a table is no wider than the terminal."""
    # the rule below the heading is as wide as the table, and has no colour in it
    return text_width(text.splitlines()[1]) <= style.width


def first_that_fits(tables: Iterable[str], style: Style) -> str:
    """The first of some tables, the fullest first, that is no wider than the terminal; else the last."""
    text = ""
    for text in tables:
        if fits(text, style):
            break
    return text


def broken_table(
    rows: Sequence[Sequence[str]], headers: Sequence[str], aligned: str, leading: int, style: Style
) -> str:
    """A table in parts below each other, as wide as the terminal has room for, each with the *leading* columns."""
    parts = []
    first = leading
    while first < len(headers):
        for end in range(len(headers), first, -1):
            part = columns_of(rows, headers, aligned, (*range(leading), *range(first, end)))
            if fits(part, style):
                break
        parts.append(part)
        first = end
    return "\n\n".join(parts)
