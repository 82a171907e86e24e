"""Reading .mj files block by block, so that they may be larger than memory; unreadable lines are refused."""

import errno
import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, cast

from mjscore.refusal import Place, Refusal, refuse

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PACKED = b"\x1f\x8b"  # the first bytes of gzip; no text begins with them
_OF_A_PROGRAM = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # the first bytes of spreadsheet programs' files
LONGEST_LINE = 10_000  # bytes; a hand takes a hundred
MOST_NOTHING = 100_000_000  # bytes without a readable line, each line counting as a thousand more
_UTF_16 = re.compile(rb"\xff\xfe|\xfe\xff|\0[^\0]\0[^\0]|[^\0]\0[^\0]\0", re.DOTALL)
MOST_ROWS = 500  # rows of one block; more are reported one by one


class SourceLine(NamedTuple):
    """A line of a file: its number, counted from 1, its text, and the refusal if it could not be read."""

    number: int
    text: str
    refusal: Refusal | None = None

    @property
    def is_indented(self) -> bool:
        """Return whether the line is indented, so that it belongs to the one above."""
        return self.text[:1] in (" ", "\t")


class Block(NamedTuple):
    """A line with the indented lines that belong to it; *last* if nothing follows them."""

    head: SourceLine
    rows: tuple[SourceLine, ...] = ()
    last: bool = False


class _Bounded:
    """A mixin whose ``readline`` raises OSError after too many bytes without a readable line, as in endless streams."""

    _nothing = 0  # bytes since the last readable line

    def readline(self, size: int | None = -1) -> bytes:
        line: bytes = super().readline(size)  # type: ignore[misc]
        if line.endswith(b"\n") and line.strip()[:1] not in (b"", b"#"):
            self._nothing = 0
            return line
        self._nothing += len(line) + 1000
        if self._nothing > MOST_NOTHING:
            raise OSError(errno.EFBIG, "it goes on without a readable line")
        return line


class _File(_Bounded, io.BufferedReader):
    """An uncompressed file."""


class _StandardInput(_Bounded, io.BufferedReader):
    """Standard input, which ``close`` leaves open for later readers."""

    def close(self) -> None:
        pass


class _Unpacked(_Bounded, gzip.GzipFile):
    """A gzip file; damage raises OSError with the file's name."""

    def __init__(self, packed: io.BufferedReader, path: str) -> None:
        super().__init__(fileobj=packed)
        self._packed = packed
        self._path = path

    def readline(self, size: int | None = -1) -> bytes:
        try:
            return super().readline(size)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise OSError(5, f"the gzip file is damaged ({error})", self._path) from None

    def close(self) -> None:
        super().close()
        self._packed.close()


def open_table(path: str, utf_16: bool = False) -> io.BufferedIOBase:
    """Open a file, or ``-`` for standard input, unpacking gzip.

    Raises OSError, also for a file that is not text, or is UTF-16 unless *utf_16* allows that; ``readline`` raises it
    if the stream goes on without a readable line.
    """
    stdin: Any = sys.stdin.buffer
    stream: Any = _StandardInput(getattr(stdin, "raw", stdin)) if path == "-" else _File(io.FileIO(path))
    head = stream.peek(len(_PACKED))
    # a pipe may have only one byte so far; no text begins with it
    if head and _PACKED.startswith(head[: len(_PACKED)]):
        return _Unpacked(stream, path)
    reason = "it is UTF-16: save it as UTF-8" if _UTF_16.match(head) and not utf_16 else ""
    if head.startswith(_OF_A_PROGRAM):
        reason = "it is not a text file: save a spreadsheet as CSV"
    if reason:
        stream.close()
        raise OSError(errno.EILSEQ, reason, path)
    return cast("io.BufferedIOBase", stream)


def read_lines(stream: io.BufferedIOBase, file: str = "", first: int = 1) -> Iterator[SourceLine]:
    """Yield the UTF-8 lines (byte order mark or not, LF or CRLF), refusals with others and too long ones."""
    number = first - 1
    while raw := stream.readline(LONGEST_LINE):
        number += 1
        if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
            skip_rest(stream)
            beginning = raw[:200].decode("utf-8", "replace")
            at = Place(beginning, 0, 1, number, file)
            long = refuse("long-line", "file", at=at, most=LONGEST_LINE)
            yield SourceLine(number, beginning, long.refusal)
            continue
        if number == 1:
            raw = raw.removeprefix(BYTE_ORDER_MARK)
        try:
            yield SourceLine(number, raw.rstrip(b"\r\n").decode("utf-8"))
        except UnicodeDecodeError as error:
            beginning = raw.rstrip(b"\r\n").decode("utf-8", "replace")
            start = len(raw[: error.start].decode("utf-8", "replace"))
            at = Place(beginning, start, start + 1, number, file)
            yield SourceLine(number, beginning, refuse("not-utf-8", "line", at=at).refusal)


def skip_rest(stream: io.BufferedIOBase) -> None:
    """Skip the rest of a line that is too long."""
    while (more := stream.readline(1 << 16)) and not more.endswith(b"\n"):
        pass


def lines_of(text: str) -> Iterator[SourceLine]:
    """Yield the lines of a text in memory."""
    return read_lines(io.BytesIO(text.encode("utf-8", "surrogatepass")))


def is_blank(text: str) -> bool:
    """Return whether a line is empty or a comment."""
    return text.lstrip(" \t")[:1] in ("", "#")


def blocks(lines: Iterable[SourceLine]) -> Iterator[Block]:
    """Yield lines together with the indented lines below them, leaving out blank lines and comments."""
    head: SourceLine | None = None
    rows: list[SourceLine] = []
    for line in lines:
        if line.refusal is None and is_blank(line.text):
            continue
        if line.is_indented and head is not None and len(rows) < MOST_ROWS:
            rows.append(line)
            continue
        if head is not None:
            yield Block(head, tuple(rows))
        head, rows = line, []
    if head is not None:
        yield Block(head, tuple(rows), last=True)


def read_blocks(path: str, file: str) -> Iterator[Block]:
    """Yield the blocks of the file *path*, which messages call *file*. Raises OSError."""
    with open_table(path) as stream:
        yield from blocks(read_lines(stream, file))
