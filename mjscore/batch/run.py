"""Files cut into chunks and checked by one or more processes, with the results in order.

Only the chunks being checked are in memory, so a file may be larger than memory.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain, count, islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from mjscore.batch.results import CSV_COLUMNS, ChunkResult, rendered
from mjscore.record.checker import Reader, after_head
from mjscore.record.context import Context, State
from mjscore.record.source import (
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    MOST_ROWS,
    blocks,
    open_table,
    read_lines,
    skip_rest,
)
from mjscore.record.spreadsheet import Layout, Row, Sheet, check_rows
from mjscore.refusal import refuse
from mjscore.system import cores, waits_to_be_read

if TYPE_CHECKING:
    from concurrent.futures import Future

FIRST_CHUNK_LINES = 64  # few, so that the first results come immediately
CHUNK_LINES = 2000
CHUNKS_AHEAD = 2  # chunks submitted for each process: the current one and the next
_ALONE = re.compile(rb"[^a-z \t\r\n#]")  # the first character of a single hand's line, which has no rows
_CONTEXT_WORDS = (b"rulebook", b"rules", b"set", b"round")


class Chunk(NamedTuple):
    """Some lines of a file, to be checked by any process or machine: their bytes, and the *context* before them.

    A chunk of a spreadsheet has *rows* and their *layout* instead.
    """

    file: str
    first_line: int
    data: bytes
    context: Context
    output: str = "json"
    layout: Layout | None = None
    rows: tuple[Row, ...] = ()


Result = ChunkResult | OSError  # the error if a file cannot be read, or not to its end
# a part of a file; lines that this process must check in order come as an iterator of their results
Part = Chunk | OSError | Iterator[Result]
Read = TypeVar("Read")


def parts_of(paths: Iterable[str | Sheet], context: Context, output: str) -> Iterator[Part]:
    """Yield the parts of each file in order, with the error where a file cannot be read any further."""
    for path in paths:
        if isinstance(path, Sheet):
            yield from _chunks_of(path, context, output)
        else:
            yield from as_far_as_read(path, chunks(path, context, output))


def as_far_as_read(path: str, parts: Iterable[Read]) -> Iterator[Read | OSError]:
    """Yield the *parts* read from a file, followed by the error if the file cannot be read to its end."""
    try:
        yield from parts
    except OSError as error:
        error.filename = error.filename or path
        yield error


def _chunks_of(sheet: Sheet, context: Context, output: str) -> Iterator[Chunk]:
    """Yield the chunks of a spreadsheet, in order."""
    size = FIRST_CHUNK_LINES
    rest = iter(sheet.rows)
    while rows := tuple(islice(rest, size)):
        yield Chunk(sheet.path, rows[0].number, b"", context, output, sheet.layout, rows)
        size = CHUNK_LINES


def chunks(path: str, context: Context, output: str) -> Iterator[Chunk | Iterator[Result]]:
    """Yield the chunks of a file, in order. Raises OSError.

    From a ``players`` line on, each hand depends on the one before: an iterator of all later results is yielded.
    """
    state = State.before(path, context)
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
        # a block is not cut, unless it is so long that it is hardly a block
        whole = len(lines) >= size and (begins or since_head > MOST_ROWS)
        if lines and (whole or names_players or not raw):
            yield Chunk(state.file, first, b"".join(lines), start, output)
            first, lines, start, size = number, [], state.context, CHUNK_LINES
        if names_players:
            head = read_lines(io.BytesIO(raw), state.file, number)
            reader = Reader(state.file, state.context)
            reader.state = state
            rest = reader.check(blocks(chain(head, read_lines(stream, state.file, number + 1))))
            yield as_far_as_read(path, (rendered((checked,), output, 0) for checked in rest))
            return
        if not raw:
            return
        lines.append(raw)
        if too_long:
            skip_rest(stream)
            lines.append(b"x\n")  # one byte more, so that the chunk's reader sees that it is too long
        else:
            state = _after_context_line(state, bare, number)
        if path == "-" and _ALONE.match(raw) and not waits_to_be_read(otherwise=True):
            # the writer of the stream is waiting: check the lines so far
            yield Chunk(state.file, first, b"".join(lines), start, output)
            first, lines, start = number + 1, [], state.context


def _after_context_line(state: State, raw: bytes, number: int) -> State:
    """Return the state after a line, which may set a rulebook, an option or the round."""
    if raw[:8].lower().startswith(_CONTEXT_WORDS):
        # the line's own chunk reports its mistake
        with contextlib.suppress(Exception):
            return after_head(state, next(read_lines(io.BytesIO(raw), state.file, number)))
    return state


def check_chunk(chunk: Chunk) -> ChunkResult:
    """Return the results of a chunk, which depend only on the chunk and on the rulebook files that it names."""
    if chunk.layout is not None:
        size = sum(len("".join(row.cells)) for row in chunk.rows)
        results = check_rows(chunk.layout, chunk.rows, chunk.file, chunk.context, CSV_COLUMNS)
        return rendered(results, chunk.output, size)
    reader = Reader(chunk.file, chunk.context)
    lines = read_lines(io.BytesIO(chunk.data), chunk.file, chunk.first_line)
    return rendered(reader.check_together(blocks(lines)), chunk.output, len(chunk.data))


def check_files(
    paths: Iterable[str | Sheet], context: Context, output: str = "json", jobs: int = 1
) -> Generator[Result, None, None]:
    """Yield the results of all files, in order, using *jobs* processes, but never more than cores or chunks.

    The error of an unreadable file is one of the results. If a process dies, another checks its lines again.
    Raises Refused, after all earlier results, if that process dies too.
    """
    parts = parts_of(paths, context, output)
    # the first chunk is checked here before the other processes start: if these are forked, they inherit
    # the loaded grammar and rulebook
    for part in islice(parts, 1):
        yield from _check_here(part)
    jobs = min(jobs, cores())
    ahead = list(islice(parts, jobs)) if jobs > 1 else []
    processes = sum(isinstance(part, Chunk) for part in ahead) if len(ahead) < jobs else jobs
    parts = chain(ahead, parts)
    if processes < 2:
        for part in parts:
            yield from _check_here(part)
        return
    from mjscore.batch.workers import WorkerDied, Workers

    with contextlib.closing(Workers(processes, check_chunk)) as workers:
        yield from in_order(parts, workers.submit, CHUNKS_AHEAD * processes, (WorkerDied,))


def in_order(
    parts: Iterable[Part],
    submit: Callable[[Chunk], Future[ChunkResult] | None],
    ahead: int,
    died: tuple[type[BaseException], ...],
) -> Iterator[Result]:
    """Yield the results of *parts*, with at most *ahead* chunks submitted before they are needed.

    This process checks the chunks for which *submit* returns None. A chunk whose result raises one of *died* is
    checked again by a process of its own. Raises Refused if that dies too.
    """
    waiting: deque[tuple[Part, Future[ChunkResult] | None]] = deque()
    for part in chain(parts, (None,)):  # None: wait for all that are left
        if part is not None:
            waiting.append((part, submit(part) if isinstance(part, Chunk) else None))
        while waiting and (
            part is None or len(waiting) > ahead or waiting[0][1] is None or waiting[0][1].done()
        ):
            first, pending = waiting.popleft()
            if pending is None or not isinstance(first, Chunk):
                yield from _check_here(first)
                continue
            try:
                result = pending.result()
            except died:
                result = _check_again(first)
            yield result


def _check_here(part: Part) -> Iterable[Result]:
    """Return or yield the results of a part, checked by this process."""
    if isinstance(part, Chunk):
        return [check_chunk(part)]
    return [part] if isinstance(part, OSError) else part


def _check_again(chunk: Chunk) -> ChunkResult:
    """Return the results of a chunk whose process died, from a new process. Raises Refused if that dies too."""
    from mjscore.batch.workers import WorkerDied, Workers

    with contextlib.closing(Workers(1, check_chunk)) as worker, contextlib.suppress(WorkerDied):
        result: ChunkResult = worker.submit(chunk).result()
        return result
    raise refuse("process-died", path=chunk.file, line=chunk.first_line)
