"""HTML and SVG: elements that escape their content, and the document around them with the style of ``evening.css``."""

import pkgutil
import re
from collections.abc import Iterable
from functools import cache
from string import Template
from typing import Any

from mjscore.page.text import signed
from mjscore.refusal import escape_controls

# as in html.escape, whose module would bring a table of all entities to a phone
_ESCAPES = {
    ord(one): f"&{name};"
    for one, name in {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#x27"}.items()
}


class Markup(str):
    """Finished HTML or SVG. Any other text is escaped by the element that contains it."""

    __slots__ = ()


LINE_END = Markup("\n")
_EMPTY = ("br", "path", "rect", "use")  # elements without content


def document(title: str, parts: Iterable[object], print_hands: bool = False) -> str:
    """Return a whole page of the parts that are not empty; single hands are printed only with *print_hands*."""
    printed = ' class="print-hands"' if print_hands else ""
    return Template(page_file("document.html")).substitute(
        title=escaped(title),
        style=page_file("evening.css"),
        printed=printed,
        faces=draw_faces(),
        body=joined(*parts, between="\n"),
    )


def page_file(name: str) -> str:
    """Return the text of a file beside this one: a style sheet, drawings, a template."""
    return (pkgutil.get_data("mjscore.page", name) or b"").decode()


@cache
def symbols() -> list[Markup]:
    """Return the definitions of all faces, in the order of the tiles."""
    text = re.sub(r"\n *", "", page_file("faces.svg"))
    return [Markup(f"<symbol{one.partition('</symbol>')[0]}</symbol>") for one in text.split("<symbol")[1:]]


def draw_faces() -> Markup:
    """Return the definitions of all 42 faces, for a page whose hands are drawn by ``draw_parts``."""
    return element("defs", *symbols())


@cache
def words() -> dict[str, Any]:
    """Return the contents of ``words.toml``: fixed texts of pages, example hands."""
    import tomllib  # not needed for showing a hand

    return tomllib.loads(page_file("words.toml"))


def escaped(content: object) -> str:
    """Escape *content*, and characters that would reorder or hide the text around it."""
    return escape_controls(str(content)).translate(_ESCAPES)


def joined(*parts: object, between: str = "") -> Markup:
    """Join parts, skipping None and empty ones; markup is kept, anything else is escaped."""
    texts = (part if isinstance(part, Markup) else escaped(part) for part in parts if part is not None)
    return Markup(between.join(filter(None, texts)))


def element(name: str, *content: object, **attributes: object) -> Markup:
    """Return an element without the attributes that are None or empty.

    ``class_`` becomes class, ``text_anchor`` text-anchor.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(value)}"'
        for key, value in attributes.items()
        if value not in (None, "")
    )
    end = "/>" if name in _EMPTY else f">{joined(*content)}</{name}>"
    return Markup(f"<{name}{written}{end}")


def block(name: str, parts: Iterable[object], **attributes: object) -> Markup:
    """Return an element with each of its parts on a line; empty if all parts are empty."""
    lines = joined(*parts, between="\n")
    return element(name, Markup(f"\n{lines}\n"), **attributes) if lines else lines


def points(number: int) -> Markup:
    """Return a *number* of points won or lost as HTML, coloured by the style sheet."""
    return element("span", signed(number), class_="good" if number > 0 else "bad" if number < 0 else "soft")


def spoken_caption(words: str) -> Markup:
    """Return a table's caption for screen readers only, since it repeats the heading above."""
    return element("caption", words, class_="spoken")


def section(kind: str, title: str, content: object, note: str = "") -> Markup:
    """Return a part of a page under its title, with a small note below it."""
    small = element("p", element("small", note), class_="soft") if note else None
    return block("section", [element("h2", title), content, small], class_=kind)


def bullets(items: Iterable[object], kind: str = "") -> Markup:
    """Return an HTML list of *items*; empty if there are none."""
    return block("ul", (element("li", item) for item in items), class_=kind)
