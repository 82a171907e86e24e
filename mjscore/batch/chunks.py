"""Checking many hands: a file cut into chunks, each a unit of work that can go to another process.

``check_chunk`` is pure: a chunk of lines with what the lines above said of them goes in, the rendered
results come out. Nothing is held but the chunks under way, so a file may be larger than memory.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from mjscore.game.hand import TileSet
from mjscore.page.text import name_of, signed
from mjscore.record.lines import PlayersLine, parse_line
from mjscore.record.reader import Checked, Context, Reader
from mjscore.record.source import (
    BYTE_ORDER_MARK,
    LONGEST_LINE,
    MOST_ROWS,
    LineStream,
    groups,
    open_table,
    read_lines,
)
from mjscore.refusal import Refused, visible
from mjscore.scoring.sheet import Claim, Doubling, Item, ScoreSheet
from mjscore.settling.settlement import Settlement

FIRST_CHUNK = 64  # lines; small, so that the first results come at once
LINES = 2000
_CONTEXT_WORDS = (b"rulebook", b"set", b"round", b"players")
CSV_COLUMNS = (
    "file",
    "line",
    "kind",
    "label",
    "rulebook",
    "seat",
    "round",
    "won",
    "score",
    "points",
    "doubles",
    "limit",
    "expected",
    "ok",
    "code",
    "message",
)


class Chunk(NamedTuple):
    """Some lines of a file: from which line on, the bytes, and what lines above said."""

    file: str
    first_line: int
    data: bytes
    context: Context
    output: str = "json"


class Rest(NamedTuple):
    """What is left of a file from its ``players`` line on, to be gone through in order."""

    stream: LineStream
    reader: Reader
    first_line: int


class Tally(NamedTuple):
    """How many results there were, how many do not hold, and the codes of what was refused."""

    hands: int = 0
    tables: int = 0
    wrong: int = 0
    refused: int = 0
    codes: Mapping[str, int] = {}

    def plus(self, other: Tally) -> Tally:
        """Two tallies together."""
        return Tally(
            self.hands + other.hands,
            self.tables + other.tables,
            self.wrong + other.wrong,
            self.refused + other.refused,
            Counter(self.codes) + Counter(other.codes),
        )


class ChunkResult(NamedTuple):
    """What a chunk came to: its results rendered in the format asked for, and their tally."""

    text: str
    tally: Tally
    bytes_read: int


def check_chunk(chunk: Chunk) -> ChunkResult:
    """Checks one chunk. Depends on nothing but its argument (and the rulebook files it names)."""
    reader = Reader(chunk.file, chunk.context)
    lines = read_lines(io.BytesIO(chunk.data), chunk.file, chunk.first_line)
    return _rendered(reader.check(groups(lines)), chunk.output, len(chunk.data))


def _rendered(results: Iterable[Checked], output: str, size: int) -> ChunkResult:
    render = RENDERERS[output]
    parts: list[str] = []
    hands = tables = wrong = refused = 0
    codes: Counter[str] = Counter()
    for one in results:
        if one.kind == "hand":
            hands += 1
        elif one.kind == "table":
            tables += 1
        if not one.ok:
            wrong += 1
            refused += bool(one.refusals)
            codes.update(refusal.code for refusal in one.refusals)
            if not one.refusals:
                codes["differs"] += 1
        text = render(one)
        if text:
            parts.append(text)
    return ChunkResult("".join(parts), Tally(hands, tables, wrong, refused, codes), size)


_encoder = json.JSONEncoder(ensure_ascii=False)
_quoted = json.encoder.encode_basestring


@lru_cache(maxsize=1 << 14)
def _fragment(part: Item | Doubling | Claim | TileSet) -> str:
    return _encoder.encode(part.as_json())


def _as_json(one: Checked) -> str:
    """A result as a line of JSON: to the letter what ``as_json`` of the result gives.

    Nearly all that a score sheet holds are the same few items and sets, so their text is kept and put
    together; the rest, and every other result, goes through the encoder.
    """
    sheet = one.outcome
    if not isinstance(sheet, ScoreSheet) or one.refusals or sheet.error is not None or one.seats:
        return _encoder.encode(one.as_json()) + "\n"
    expected = one.expected
    return (
        f'{{"rulebook": {_quoted(sheet.rulebook)}, "seat": "{sheet.seat}", "round": "{sheet.round}", '
        f'"won": {"true" if sheet.won else "false"}, "score": {sheet.score}, "points": {sheet.points}, '
        f'"doubles": {sheet.doubles}, "limit": {_quoted(sheet.score_set_by) if sheet.score_set_by else "null"}, '
        f'"sets": [{_fragments(sheet.sets)}], "items": [{_fragments(sheet.items)}], '
        f'"doubling": [{_fragments(sheet.doubling)}], "additions": [{_fragments(sheet.additions)}], '
        f'"claims": [{_fragments(sheet.claims)}], "counted": {sheet.counted}, "error": null, '
        f'"file": {_quoted(one.file)}, "line": {one.line}, "label": {_quoted(one.label) if one.label is not None else "null"}, '
        f'"expected": {"null" if expected is None else _encoder.encode(expected)}, "ok": {"true" if one.ok else "false"}}}\n'
    )


def _fragments(parts: tuple[Any, ...]) -> str:
    return ", ".join(map(_fragment, parts)) if parts else ""


def _as_csv(one: Checked) -> str:
    sheet = one.outcome
    refusal = one.refusals[0] if one.refusals else None
    expected = (
        " ".join(f"{seat} {signed(points)}" for seat, points in one.expected.items())
        if isinstance(one.expected, Mapping)
        else one.expected
    )
    figures: tuple[object, ...]
    if isinstance(sheet, ScoreSheet):
        figures = (
            sheet.rulebook,
            sheet.seat,
            sheet.round,
            sheet.won,
            sheet.score,
            sheet.points,
            sheet.doubles,
            sheet.score_set_by,
        )
    else:
        net = " ".join(f"{seat} {signed(points)}" for seat, points in sheet.net.items())
        figures = (sheet.rulebook, sheet.winner, None, None, net, None, None, None)
    stream = io.StringIO()
    cells = (
        one.file,
        one.line,
        one.kind,
        one.label or "",
        *figures,
        expected,
        "yes" if one.ok else "no",
        refusal.code if refusal else "",
        refusal.message if refusal else "",
    )
    csv.writer(stream, lineterminator="\n").writerow(
        visible(cell) if isinstance(cell, str) else cell for cell in cells
    )
    return stream.getvalue()


def _as_text(one: Checked) -> str:
    """Nothing where all is well; else what does not hold."""
    if one.ok:
        return ""
    if one.refusals:
        return "".join(refusal.render() + "\n" for refusal in one.refusals)
    place = f"{visible(one.file)}:{one.line}"
    label = f'"{visible(one.label)}": ' if one.label else ""
    sheet = one.outcome
    if isinstance(sheet, Settlement):
        expected = one.expected if isinstance(one.expected, Mapping) else {}
        wrong = [
            f"{name_of(seat, one.seats)} {signed(points)} expected, {signed(sheet.net.get(seat, 0))} computed"
            for seat, points in expected.items()
            if sheet.net.get(seat) != points
        ]
        return f"{place}: {label}{'; '.join(wrong)} [expected-net]\n"
    if one.expected == "error":
        return f"{place}: {label}expected to be refused, and it scores {sheet.score} [expected-error]\n  {one.line} | {visible(one.text)}\n"
    return (
        f"{place}: {label}{one.expected} expected, {sheet.score} computed [expected-score]\n"
        f"  {one.line} | {visible(one.text)}\n  {_sum_of(sheet)}\n"
    )


def _sum_of(sheet: ScoreSheet) -> str:
    points = " + ".join(f"{item.points} {item.title.lower()}" for item in sheet.items)
    doubles = "".join(f", ×{2**line.doubles} {line.title.lower()}" for line in sheet.doubling)
    limit = f"; set by {sheet.score_set_by}" if sheet.score_set_by else ""
    return f"{points or 'nothing counted'}{doubles}{limit}"


def _as_ascii_json(one: Checked) -> str:
    """The same for an output that takes no other characters."""
    return json.dumps(one.as_json()) + "\n"


RENDERERS: dict[str, Callable[[Checked], str]] = {
    "json": _as_json,
    "json-ascii": _as_ascii_json,
    "csv": _as_csv,
    "text": _as_text,
    "summary": lambda one: "",
}


def chunks(path: str, context: Context, output: str) -> Iterator[Chunk | Rest]:
    """A file's chunks, in order, each with its context.

    From a ``players`` line on, each hand depends on the one before: what is left then comes as the open
    stream with its reader and line number, to be gone through in order. Raises OSError.
    """
    name = path if path != "-" else "<stdin>"
    folder = context.folder or (str(Path(path).parent) if path != "-" else "")
    tracker = Reader(name, context._replace(folder=folder))
    stream = open_table(path)
    first, number, size = 1, 1, FIRST_CHUNK
    lines: list[bytes] = []
    start = tracker.context
    raw = stream.readline(LONGEST_LINE)
    since_head = 0
    while raw:
        bare = raw.removeprefix(BYTE_ORDER_MARK) if number == 1 else raw
        if bare.startswith(b"players"):
            if lines:
                yield Chunk(name, first, b"".join(lines), start, output)
            yield Rest(_Prefixed(raw, stream), tracker, number)
            return
        lines.append(raw)
        if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
            lines.append(_kept_marker(stream))
        elif bare.startswith(_CONTEXT_WORDS):
            _track(bare, tracker, number)
        raw = stream.readline(LONGEST_LINE)
        number += 1
        begins = raw[:1] not in (b" ", b"\t", b"\n", b"\r", b"#")
        since_head = 0 if begins else since_head + 1
        # a block is not cut, but a thousand lines that begin nothing are no block
        if len(lines) >= size and (begins or since_head > MOST_ROWS):
            yield Chunk(name, first, b"".join(lines), start, output)
            first, lines, start, size = number, [], tracker.context, LINES
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
    """Leaves out the rest of a line that is too long; one byte more keeps it too long in its chunk."""
    while True:
        more = stream.readline(1 << 16)
        if not more or more.endswith(b"\n"):
            return b"x\n"


def _track(raw: bytes, tracker: Reader, number: int) -> None:
    try:
        line = parse_line(raw.decode("utf-8").rstrip("\r\n"))
    except (Refused, UnicodeDecodeError):
        return  # the chunk that holds the line reports it
    if not isinstance(line, PlayersLine):
        tracker.set_context(line, number)


def check_files(
    paths: Iterable[str], context: Context, output: str = "json", jobs: int = 1
) -> Generator[ChunkResult, None, None]:
    """The results of whole files, in order; with *jobs* above 1, chunks go to that many processes."""
    if jobs == 1:
        for path in paths:
            for part in chunks(path, context, output):
                yield from check_rest(part, output) if not isinstance(part, Chunk) else (check_chunk(part),)
        return
    from concurrent.futures import Future, ProcessPoolExecutor

    with ProcessPoolExecutor(jobs) as pool:
        first = True
        # a bounded queue: reading never runs far ahead of what was written
        waiting: deque[Future[ChunkResult]] = deque()
        try:
            for path in paths:
                for part in chunks(path, context, output):
                    if not isinstance(part, Chunk):
                        while waiting:
                            yield waiting.popleft().result()
                        yield from check_rest(part, output)
                        continue
                    if first:
                        # done here, before the other processes begin: where these are copies of this one,
                        # they have the grammar and the rulebook ready
                        yield check_chunk(part)
                        first = False
                        continue
                    waiting.append(pool.submit(check_chunk, part))
                    while len(waiting) > 2 * jobs or (waiting and waiting[0].done()):
                        yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            # waited for: a pool left behind can complain when Python ends
            pool.shutdown(cancel_futures=True)


def check_rest(rest: Rest, output: str) -> Iterator[ChunkResult]:
    """What is left of an evening's file, hand after hand."""
    lines = (
        line._replace(number=line.number + rest.first_line - 1)
        for line in read_lines(rest.stream, rest.reader.file)
    )
    for one in rest.reader.check(groups(lines)):
        yield _rendered((one,), output, 0)
