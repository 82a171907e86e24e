"""How HTML is written: text, points, lists and sections, and the document around them, whose style is ``evening.css``."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib import resources

from mjscore.page.text import signed
from mjscore.refusal import visible

_DOCUMENT = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<title>{title}</title>
<style>
{style}</style>
</head>
<body{printed}>
<svg class="faces" width="0" height="0" aria-hidden="true">{faces}</svg>
<main>
{body}
</main>
</body>
</html>
"""


def document(title: str, parts: Iterable[str], print_hands: bool = False) -> str:
    """Put a whole page together of the parts that are not empty; single hands are printed only with *print_hands*."""
    from mjscore.page.drawings import draw_faces

    printed = ' class="print-hands"' if print_hands else ""
    body = "\n".join(filter(None, parts))
    return _DOCUMENT.format(
        title=escaped(title), style=style_sheet(), printed=printed, faces=draw_faces(), body=body
    )


def style_sheet() -> str:
    """Give the style sheet of all pages."""
    return (resources.files("mjscore.page") / "evening.css").read_text(encoding="utf-8")


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
