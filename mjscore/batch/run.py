"""Files checked by one process or by several, the results always in the order of the lines."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain, islice
from typing import Protocol

from mjscore.batch.chunks import Chunk, Rest, chunks
from mjscore.batch.results import ChunkResult, rendered
from mjscore.record.context import Context
from mjscore.record.reader import Reader
from mjscore.record.source import blocks, read_lines
from mjscore.refusal import refuse
from mjscore.system import cores

CHUNKS_AHEAD = 2  # chunks handed out for each process: one to work at and one to go on with


class Pending(Protocol):
    """A chunk's result that another process is working out."""

    def done(self) -> bool:
        """Tell whether it is there."""

    def result(self) -> ChunkResult:
        """Give the result, waited for."""


# what a file is cut into; the error where it cannot be read, or no further
Part = Chunk | Rest | OSError
Result = ChunkResult | OSError


def parts_of(paths: Iterable[str], context: Context, output: str) -> Iterator[Part]:
    """Give the parts of files in order."""
    for path in paths:
        try:
            yield from chunks(path, context, output)
        except OSError as error:
            error.filename = error.filename or path
            yield error


def check_chunk(chunk: Chunk) -> ChunkResult:
    """Check one chunk. Depends on nothing but its argument (and the rulebook files it names)."""
    reader = Reader(chunk.file, chunk.context)
    lines = read_lines(io.BytesIO(chunk.data), chunk.file, chunk.first_line)
    return rendered(reader.check_together(blocks(lines)), chunk.output, len(chunk.data))


def check_part(part: Part, output: str) -> Iterator[Result]:
    """Check a part here."""
    if isinstance(part, OSError):
        yield part
    elif isinstance(part, Chunk):
        yield check_chunk(part)
    else:
        reader = Reader(part.state.file, part.state.context)
        reader.state = part.state
        try:
            for checked in reader.check(blocks(part.lines)):
                yield rendered((checked,), output, 0)
        except OSError as error:
            error.filename = error.filename or part.state.file
            yield error


def check_files(
    paths: Iterable[str], context: Context, output: str = "json", jobs: int = 1
) -> Generator[Result, None, None]:
    """Give the results of whole files, in order, by *jobs* processes, but never more than cores or chunks.

    Where a file cannot be read its error stands among them. Lines whose process died are checked again by a process
    of their own. Raises Refused where that died too, after all results before.
    """
    parts = parts_of(paths, context, output)
    # the first is done here, before the other processes begin: where these are copies of this one, they
    # have the grammar and the rulebook ready
    for part in islice(parts, 1):
        yield from check_part(part, output)
    jobs = min(jobs, cores())
    ahead = list(islice(parts, jobs)) if jobs > 1 else []
    processes = sum(isinstance(part, Chunk) for part in ahead) if len(ahead) < jobs else jobs
    parts = chain(ahead, parts)
    if processes < 2:
        for part in parts:
            yield from check_part(part, output)
        return
    from mjscore.batch.workers import WorkerDied, Workers

    workers = Workers(processes, check_chunk)
    try:
        yield from in_order(parts, output, workers.submit, CHUNKS_AHEAD * processes, (WorkerDied,))
    finally:
        workers.end()


def in_order(
    parts: Iterable[Part],
    output: str,
    submit: Callable[[Chunk], Pending | None],
    ahead: int,
    died: tuple[type[BaseException], ...],
) -> Iterator[Result]:
    """Give the results of *parts*, chunks worked out wherever *submit* sends them, at most *ahead* at a time.

    A chunk that raises one of *died* is checked again, alone. Raises Refused where that process dies too.
    """
    waiting: deque[tuple[Part, Pending | None]] = deque()

    def first() -> Iterator[Result]:
        part, pending = waiting.popleft()
        if pending is None or not isinstance(part, Chunk):
            yield from check_part(part, output)
            return
        try:
            result = pending.result()
        except died:
            result = _again(part)
        yield result

    for part in parts:
        waiting.append((part, submit(part) if isinstance(part, Chunk) else None))
        while waiting and (len(waiting) > ahead or waiting[0][1] is None or waiting[0][1].done()):
            yield from first()
    while waiting:
        yield from first()


def _again(chunk: Chunk) -> ChunkResult:
    """Give the results of a chunk whose process died, by a process that works at nothing else. Raises Refused."""
    from mjscore.batch.workers import WorkerDied, Workers

    worker = Workers(1, check_chunk)
    try:
        return worker.submit(chunk).result()
    except WorkerDied:
        pass
    finally:
        worker.end()
    raise refuse(
        "process-died",
        f"a process died; {chunk.file} is not checked from line {chunk.first_line} on",
        "it may have been out of memory: try fewer --jobs",
    )
