"""Reading .mj files: lines of any encoding, length and ending, one block at a time.

Nothing is held but the block being read, so a file may be larger than memory.
"""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, NamedTuple, Protocol

from mjscore.refusal import Refusal

LONGEST_LINE = 10_000  # bytes; a hand takes a hundred
MOST_ROWS = 500  # rows of one block; more are reported one by one


class SourceLine(NamedTuple):
    """A line of a file: its number from 1, its text, and why it could not be read, if so."""

    number: int
    text: str
    refusal: Refusal | None = None


class Group(NamedTuple):
    """A line with the indented lines that belong to it."""

    head: SourceLine
    rows: tuple[SourceLine, ...] = ()


def open_table(path: str) -> IO[bytes]:
    """The bytes of a file, unpacked if it is gzip; ``-`` is standard input. Raises OSError."""
    if path == "-":
        return sys.stdin.buffer
    stream = Path(path).open("rb")  # noqa: SIM115 - the caller closes it
    if stream.read(2) == b"\x1f\x8b":
        stream.seek(0)
        return gzip.open(stream, "rb")  # type: ignore[return-value]
    stream.seek(0)
    return stream


class LineStream(Protocol):
    """What lines can be read from."""

    def readline(self, size: int = -1, /) -> bytes:
        """The next line, or so many bytes of it."""


def read_lines(stream: LineStream, file: str = "") -> Iterator[SourceLine]:
    """The lines of *stream*: UTF-8, with or without a byte order mark, ended by LF, CRLF or nothing."""
    number = 0
    while True:
        raw = stream.readline(LONGEST_LINE)
        if not raw:
            return
        number += 1
        if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
            _skip_rest(stream)
            shown = raw[:200].decode("utf-8", "replace")
            yield SourceLine(
                number,
                shown,
                Refusal(
                    "long-line",
                    f"a line of more than {LONGEST_LINE} bytes",
                    "one line holds one hand",
                    number,
                    1,
                    1,
                    shown,
                    file,
                ),
            )
            continue
        if number == 1 and raw.startswith(b"\xef\xbb\xbf"):
            raw = raw[3:]
        try:
            yield SourceLine(number, raw.rstrip(b"\r\n").decode("utf-8"))
        except UnicodeDecodeError as error:
            shown = raw.rstrip(b"\r\n").decode("utf-8", "replace")
            column = len(raw[: error.start].decode("utf-8", "replace")) + 1
            yield SourceLine(
                number,
                shown,
                Refusal(
                    "not-utf-8",
                    "a byte that is no UTF-8 text",
                    "save the file as UTF-8",
                    number,
                    column,
                    1,
                    shown,
                    file,
                ),
            )


def _skip_rest(stream: LineStream) -> None:
    while True:
        more = stream.readline(1 << 16)
        if not more or more.endswith(b"\n"):
            return


def lines_of(text: str) -> Iterator[SourceLine]:
    """The lines of a text in memory."""
    return read_lines(io.BytesIO(text.encode("utf-8", "surrogatepass")))


def is_blank(text: str) -> bool:
    """Whether a line holds nothing, or a comment only."""
    stripped = text.strip(" \t")
    return not stripped or stripped[0] == "#"


def groups(lines: Iterable[SourceLine]) -> Iterator[Group]:
    """Lines with the indented lines below them; blank lines and comments are left out."""
    head: SourceLine | None = None
    rows: list[SourceLine] = []
    for line in lines:
        if line.refusal is None and is_blank(line.text):
            continue
        indented = line.text[:1] in (" ", "\t")
        if indented and head is not None and len(rows) < MOST_ROWS:
            rows.append(line)
            continue
        if head is not None:
            yield Group(head, tuple(rows))
        head, rows = line, []
    if head is not None:
        yield Group(head, tuple(rows))
