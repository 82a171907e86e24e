"""The files that commands read and write; any failure becomes a refusal."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

import click

from mjscore.refusal import Refused, escape_controls, refuse

if TYPE_CHECKING:
    from mjscore.record.spreadsheet import Sheet

Found = TypeVar("Found")


def check_readable(path: str) -> None:
    """Raise Refused if *path* is a folder, missing or inaccessible; ``-``, standard input, is readable."""
    try:
        if path == "-" or not stat.S_ISDIR(os.stat(path).st_mode):
            return
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise refuse("unreadable", "missing", path=path) from None
    except OSError as error:
        raise unreadable(path, error) from None
    raise refuse("unreadable", "folder", path=path)


def source_of(path: str, column: str | None, expected: str | None) -> str | Sheet:
    """Return *path* or, if it names a spreadsheet, its contents. Raises Refused.

    *column* and *expected* are the names of its columns with hands and scores.
    """
    from mjscore.record.spreadsheet import read_sheet

    check_readable(path)
    try:
        return read_sheet(path, column, expected) or path
    except OSError as error:
        raise unreadable(path, error) from None


def readable(path: str, parts: Iterable[Found]) -> Iterator[Found]:
    """Yield the *parts*, which are read from *path* meanwhile. Raises Refused if *path* cannot be read."""
    check_readable(path)
    try:
        yield from parts
    except (OSError, EOFError) as error:
        raise unreadable(path, error) from None


def unreadable(path: str, error: Exception) -> Refused:
    """Return the refusal of an unreadable file: the one named in the error, or else *path*."""
    named = str(getattr(error, "filename", None) or path)
    reason = getattr(error, "strerror", None) or error
    return refuse("unreadable", "damaged", path="standard input" if named == "-" else named, reason=reason)


def write_file(path: str, content: str | bytes, new: bool = False, announce: bool = False) -> None:
    """Write a file whole or not at all. Raises Refused.

    If *new*, the file must not exist yet; if *announce*, print that it was written.
    """
    from pathlib import Path

    from mjscore.atomic import write_whole

    try:
        write_whole(Path(path), content.encode("utf-8") if isinstance(content, str) else content, new=new)
    except OSError as error:
        kind = "taken" if isinstance(error, FileExistsError) else "closed"
        raise refuse("unwritable", kind, path=escape_controls(path), reason=error.strerror or error) from None
    if announce:
        click.echo(f"written: {escape_controls(path)}", err=True)


def write_drawing(path: str, drawing: str, as_png: bool, instead: str = "as SVG: --svg hand.svg") -> None:
    """Write a drawing as SVG or PNG. Raises Refused, which says what to do *instead* of a PNG."""
    from mjscore.page.png import png_of

    write_file(path, png_of(drawing, instead) if as_png else drawing + "\n", announce=True)
