"""A file cut into chunks, each a unit of work that can go to another process or machine.

Nothing is held but the chunk being read, so a file may be larger than memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mjscore.record.context import Context, State, after_line
from mjscore.record.lines import PlayersLine, parse_line
from mjscore.record.source import BYTE_ORDER_MARK, LONGEST_LINE, MOST_ROWS, LineStream, open_table

FIRST_CHUNK_LINES = 64  # few, so that the first results come at once
CHUNK_LINES = 2000
_CONTEXT_WORDS = (b"rulebook", b"set", b"round", b"players")


class Chunk(NamedTuple):
    """Some lines of a file: from which line on, the bytes, and what lines above said."""

    file: str
    first_line: int
    data: bytes
    context: Context
    output: str = "json"


class Rest(NamedTuple):
    """What is left of a file from its ``players`` line on, to be checked in order."""

    stream: LineStream
    state: State
    first_line: int


def chunks(path: str, context: Context, output: str) -> Iterator[Chunk | Rest]:
    """Cut a file into chunks, in order, each with its context.

    From a ``players`` line on, each hand depends on the one before: what is left then comes as the open
    stream with its state and line number, to be checked in order. Raises OSError.
    """
    state = State.before(path, context)
    name = state.file
    stream = open_table(path)
    first, number, size = 1, 1, FIRST_CHUNK_LINES
    lines: list[bytes] = []
    start = state.context
    raw = stream.readline(LONGEST_LINE)
    since_head = 0
    while raw:
        bare = raw.removeprefix(BYTE_ORDER_MARK) if number == 1 else raw
        if bare.startswith(b"players"):
            if lines:
                yield Chunk(name, first, b"".join(lines), start, output)
            yield Rest(_Prefixed(raw, stream), state, number)
            return
        lines.append(raw)
        if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
            lines.append(_kept_marker(stream))
        elif bare.startswith(_CONTEXT_WORDS):
            state = _after(state, bare, number)
        raw = stream.readline(LONGEST_LINE)
        number += 1
        begins = raw[:1] not in (b" ", b"\t", b"\n", b"\r", b"#")
        since_head = 0 if begins else since_head + 1
        # a block is not cut, but a thousand lines that begin nothing are no block
        if len(lines) >= size and (begins or since_head > MOST_ROWS):
            yield Chunk(name, first, b"".join(lines), start, output)
            first, lines, start, size = number, [], state.context, CHUNK_LINES
    if lines:
        yield Chunk(name, first, b"".join(lines), start, output)


class _Prefixed:
    """A stream with one line put back before it."""

    def __init__(self, line: bytes, stream: LineStream) -> None:
        self._line = line
        self._stream = stream

    def readline(self, size: int = -1, /) -> bytes:
        if self._line:
            line, self._line = self._line, b""
            return line
        return self._stream.readline(size)


def _kept_marker(stream: LineStream) -> bytes:
    """Leave out the rest of a line that is too long; one byte more keeps it too long in its chunk."""
    while True:
        more = stream.readline(1 << 16)
        if not more or more.endswith(b"\n"):
            return b"x\n"


def _after(state: State, raw: bytes, number: int) -> State:
    try:
        line = parse_line(raw.decode("utf-8").rstrip("\r\n"))
    except Exception:
        return state  # the chunk that holds the line reports it
    return state if isinstance(line, PlayersLine) else after_line(state, line, number)[0]
