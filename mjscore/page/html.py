"""How HTML is written: text, points, lists and sections, and the document around them, whose style is ``evening.css``."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterable
from functools import cache
from html import escape
from string import Template
from typing import Any

from mjscore.page.text import signed
from mjscore.refusal import escape_controls


def document(title: str, parts: Iterable[str], print_hands: bool = False) -> str:
    """Put a whole page together of the parts that are not empty; single hands are printed only with *print_hands*."""
    printed = ' class="print-hands"' if print_hands else ""
    return Template(page_file("document.html")).substitute(
        title=escaped(title),
        style=page_file("evening.css"),
        printed=printed,
        faces=draw_faces(),
        body="\n".join(filter(None, parts)),
    )


def page_file(name: str) -> str:
    """Return the text of a file beside this one: a style sheet, drawings, a template."""
    return (pkgutil.get_data("mjscore.page", name) or b"").decode()


@cache
def symbols() -> list[str]:
    """Return the definition of each face, in the order of the tiles."""
    text = re.sub(r"\n *", "", page_file("faces.svg"))
    return [f"<symbol{one.partition('</symbol>')[0]}</symbol>" for one in text.split("<symbol")[1:]]


def face(tile: int) -> str:
    """Return the face of a tile as SVG shapes in a box of 56 by 80."""
    return symbols()[tile].partition(">")[2].removesuffix("</symbol>")


def draw_faces() -> str:
    """Return definitions of all 42 faces, for a page whose hands are drawn by ``draw_parts``."""
    return f"<defs>{''.join(symbols())}</defs>"


@cache
def words() -> dict[str, Any]:
    """Return the fixed texts of pages, and the example hands, of ``words.toml``."""
    import tomllib  # a hand is shown without it

    return tomllib.loads(page_file("words.toml"))


def escaped(content: object) -> str:
    """Escape *content* for a page, including whatever would reorder or hide what is beside it."""
    return escape(escape_controls(str(content)))


def points(number: int) -> str:
    """Write points won or lost, coloured by the style sheet."""
    kind = "good" if number > 0 else "bad" if number < 0 else "soft"
    return f'<span class="{kind}">{signed(number)}</span>'


def spoken_caption(words: str) -> str:
    """Write a table's caption for who listens to the page; the heading above it says the same to the eye."""
    return f'<caption class="spoken">{escaped(words)}</caption>'


def section(kind: str, title: str, content: str, note: str = "") -> str:
    """Write a part of a page under its title, with a small note below it."""
    small = f'\n<p class="soft"><small>{note}</small></p>' if note else ""
    return f'<section class="{kind}">\n<h2>{title}</h2>\n{content}{small}\n</section>'


def block(opening: str, parts: Iterable[str]) -> str:
    """Write an element with the parts that are not empty, a line each; nothing where all are.

    *opening* is what stands between ``<`` and ``>``.
    """
    listed = "\n".join(filter(None, parts))
    return f"<{opening}>\n{listed}\n</{opening.partition(' ')[0]}>" if listed else ""


def bullets(items: Iterable[str], kind: str = "") -> str:
    """Write a list; nothing where it has no items."""
    return block(f'ul class="{kind}"' if kind else "ul", (f"<li>{item}</li>" for item in items))
