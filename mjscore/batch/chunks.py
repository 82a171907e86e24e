"""A file cut into chunks, each a unit of work that can go to another process or machine.

Nothing is held but the chunk being read, so a file may be larger than memory.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from itertools import chain, count
from typing import NamedTuple

from mjscore.record.context import Context, State, after_line
from mjscore.record.lines import parse_line
from mjscore.record.source import (
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    MOST_ROWS,
    SourceLine,
    open_table,
    read_lines,
    skip_rest,
)

FIRST_CHUNK_LINES = 64  # few, so that the first results come at once
CHUNK_LINES = 2000
_CONTEXT_WORDS = (b"rulebook", b"set", b"round")


class Chunk(NamedTuple):
    """Some lines of a file: from which line on, the bytes, and what lines above said."""

    file: str
    first_line: int
    data: bytes
    context: Context
    output: str = "json"


class Rest(NamedTuple):
    """What is left of a file from its ``players`` line on, to be checked in order after *state*."""

    lines: Iterator[SourceLine]
    state: State


def chunks(path: str, context: Context, output: str) -> Iterator[Chunk | Rest]:
    """Cut a file into chunks, in order, each with its context.

    From a ``players`` line on, each hand depends on the one before: what is left then comes as its lines with the
    state before them. Raises OSError.
    """
    state = State.before(path, context)
    name = state.file
    stream = open_table(path)
    first, size, start = 1, FIRST_CHUNK_LINES, state.context
    lines: list[bytes] = []
    since_head = 0
    for number in count(1):
        raw = stream.readline(LONGEST_LINE)
        bare = raw.removeprefix(BYTE_ORDER_MARK) if number == 1 else raw
        begins = raw[:1] not in (b" ", b"\t", b"\n", b"\r", b"#")
        since_head = 0 if begins else since_head + 1
        too_long = len(raw) == LONGEST_LINE and not raw.endswith(b"\n")
        names_players = bare.startswith(b"players") and not too_long
        # a block is not cut, but a thousand lines that begin nothing are no block
        whole = len(lines) >= size and (begins or since_head > MOST_ROWS)
        if lines and (whole or names_players or not raw):
            yield Chunk(name, first, b"".join(lines), start, output)
            first, lines, start, size = number, [], state.context, CHUNK_LINES
        if names_players:
            head = read_lines(io.BytesIO(raw), name, number)
            yield Rest(chain(head, read_lines(stream, name, number + 1)), state)
        if names_players or not raw:
            return
        lines.append(raw)
        if too_long:
            skip_rest(stream)
            lines.append(b"x\n")  # a byte more keeps it too long in its chunk
        elif bare.startswith(_CONTEXT_WORDS):
            # the chunk that holds the line says what is wrong with it
            with contextlib.suppress(Exception):
                state, _ = after_line(state, parse_line(bare.decode().rstrip("\r\n")), number)
