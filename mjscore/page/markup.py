"""Text and points in HTML."""

from __future__ import annotations

from html import escape

from mjscore.page.text import signed
from mjscore.refusal import visible


def escaped(content: object) -> str:
    """*content* as text of the page: escaped, and nothing in it that reorders or hides what is beside it."""
    return escape(visible(str(content)))


def points(number: int) -> str:
    """Write points won or lost, coloured by the style sheet."""
    kind = "good" if number > 0 else "bad" if number < 0 else "soft"
    return f'<span class="{kind}">{signed(number)}</span>'


def spoken_caption(words: str) -> str:
    """Write a table's caption for who listens to the page; the heading above it says the same to the eye."""
    return f'<caption class="spoken">{escaped(words)}</caption>'
