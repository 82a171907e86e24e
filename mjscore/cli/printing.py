"""Printing: text for people, in pages, colours and the terminal's width; JSON for programs; refusals."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, NoReturn, TextIO

import click

from mjscore.cli.options import NO_PAGER
from mjscore.cli.streams import is_unicode
from mjscore.page.text import Style
from mjscore.refusal import Refusal, escape_controls

if TYPE_CHECKING:
    from mjscore.notation.reading import HandReading


def show_long(text: str) -> None:
    """Print a text, through a pager if it is longer than the terminal."""
    no_pager = click.get_current_context().meta.get(NO_PAGER)
    if no_pager or not on_terminal() or text.count("\n") < shutil.get_terminal_size((100, 24)).lines - 1:
        click.echo(text)
    else:
        # with None, click tells less that there are colours
        click.echo_via_pager(text + "\n", color=None if coloured() else False)


def width() -> int:
    """Return the number of columns to print in: those of the terminal, but at least 40 and at most 100."""
    return max(40, min(shutil.get_terminal_size((100, 24)).columns, 100))


def on_terminal() -> bool:
    """Return whether standard output is a terminal, and not a dumb one."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def coloured() -> bool:
    """Return whether to use colours: on a terminal, unless NO_COLOR is set."""
    return on_terminal() and not os.environ.get("NO_COLOR")


def style() -> Style:
    return Style(width(), coloured())


def message_width(stream: TextIO | None = None) -> int | None:
    """Return the width of the terminal for messages (or of *stream*); None if lines are not to be wrapped."""
    if not (stream or sys.stderr).isatty() and not os.environ.get("COLUMNS"):
        return None
    return max(40, shutil.get_terminal_size((100, 24)).columns)


def say_refusal(refusal: Refusal) -> None:
    """Print a refusal to standard error, wrapped on a terminal."""
    click.echo(refusal.render(message_width()), err=True)


def takes_unicode() -> bool:
    """Return whether standard output can show every character."""
    return is_unicode(getattr(sys.stdout, "encoding", ""))


def print_json(*objects: Mapping[str, object]) -> None:
    """Print objects as JSON, one per line."""
    from mjscore.page.json_text import json_line

    for members in objects:
        click.echo(json_line(members, ascii_only=not takes_unicode()))


def end_refused(
    refusal: Refusal, output: str = "text", members: Mapping[str, object] | None = None
) -> NoReturn:
    """Print a refusal, in JSON also the object *members* that contains it, and end with status 2."""
    if output == "json":
        print_json(members if members is not None else {"error": refusal.as_json()})
    say_refusal(refusal)
    sys.exit(2)


def show_reading(reading: HandReading | None) -> None:
    """Print how a loosely typed hand was read; nothing for other hands."""
    if reading is not None and reading.loosely:
        remarks = f"  ({'; '.join(reading.remarks)})" if reading.remarks else ""
        click.echo(f"read: {escape_controls(reading.text)}{remarks}")
