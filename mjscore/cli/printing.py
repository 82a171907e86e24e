"""What commands print: text for people, page by page, in colour and in the width of the terminal; JSON for programs; refusals."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, NoReturn, TextIO

import click

from mjscore.cli.options import NO_PAGER
from mjscore.cli.streams import is_unicode
from mjscore.refusal import Refusal, escape_controls

if TYPE_CHECKING:
    from mjscore.notation.reading import Reading
    from mjscore.page.text import Style


def show_long(text: str) -> None:
    """Print a text, page by page where it is longer than the terminal."""
    no_pager = click.get_current_context().meta.get(NO_PAGER)
    if no_pager or not on_terminal() or text.count("\n") < shutil.get_terminal_size((100, 24)).lines - 1:
        click.echo(text)
    else:
        click.echo_via_pager(text + "\n", color=coloured())


def width() -> int:
    """Return the columns to print in: those of the terminal, at the most 100."""
    return max(40, min(shutil.get_terminal_size((100, 24)).columns, 100))


def on_terminal() -> bool:
    """Return whether what is printed goes to a terminal that can do more than print."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def coloured() -> bool:
    """Return whether to colour: on a terminal only, and unless NO_COLOR is set."""
    return on_terminal() and not os.environ.get("NO_COLOR")


def style() -> Style:
    """Return the style in which text for people is printed."""
    from mjscore.page.text import Style

    return Style(width(), coloured())


def message_width(stream: TextIO | None = None) -> int | None:
    """Return the columns of the terminal that messages go to, or *stream*; None where they go elsewhere and stay whole."""
    if not (stream or sys.stderr).isatty() and not os.environ.get("COLUMNS"):
        return None
    return max(40, shutil.get_terminal_size((100, 24)).columns)


def say_refusal(refusal: Refusal) -> None:
    """Print a refusal to standard error, wrapped by words where that is a terminal."""
    click.echo(refusal.render(message_width()), err=True)


def takes_unicode() -> bool:
    """Return whether the output takes any character; elsewhere JSON escapes them."""
    return is_unicode(getattr(sys.stdout, "encoding", ""))


def print_json(*shown: Mapping[str, object]) -> None:
    """Print objects, each on a line."""
    from mjscore.page.json_text import json_line

    for one in shown:
        click.echo(json_line(one, ascii_only=not takes_unicode()))


def end_refused(
    refusal: Refusal, output: str = "text", shown: Mapping[str, object] | None = None
) -> NoReturn:
    """End the program with status 2 and a refusal, in JSON too where that is asked for."""
    if output == "json":
        print_json(shown if shown is not None else {"error": refusal.as_json()})
    say_refusal(refusal)
    sys.exit(2)


def show_reading(reading: Reading | None) -> None:
    """Say how a loosely typed hand was read."""
    if reading is not None and reading.loosely:
        remarks = f"  ({'; '.join(reading.remarks)})" if reading.remarks else ""
        click.echo(f"read: {escape_controls(reading.text)}{remarks}")
