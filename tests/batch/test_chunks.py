"""Files cut into chunks: never inside a block, and without holding more than one."""

from __future__ import annotations

import pickle
import tracemalloc

from batches import random_lines

from mjscore.batch.run import FIRST_CHUNK_LINES, Chunk, check_chunk, check_files, chunks
from mjscore.record.context import Context


def test_a_chunk_is_a_pure_unit_of_work(mixed):

    parts = list(chunks(str(mixed), Context(), "json"))
    assert all(isinstance(part, Chunk) for part in parts)
    again = pickle.loads(pickle.dumps(parts[1]))
    assert check_chunk(again) == check_chunk(parts[1])
    assert parts[2].context.rulebook == "babcock"


def test_blocks_are_never_cut(tmp_path):
    """Chunks end before a line at the margin, whatever stands inside the blocks."""
    block = b"hand\n  E: 20 win\n\n# between\n  S: 3\n   \n\tW: 4\n#\n  N: 5\n  pays E +120\n\n"
    for before in range(FIRST_CHUNK_LINES + 3):
        path = tmp_path / "blocks.mj"
        path.write_bytes(b"draw\n" * before + 20 * block)
        parts = list(chunks(str(path), Context(), "json"))
        assert b"".join(part.data for part in parts) == path.read_bytes()
        assert len(parts) > 1
        for part in parts:
            assert part.data[:1] not in (b" ", b"\t")
        assert sum(check_chunk(part).codes.total() for part in parts) == 0


def test_memory_does_not_grow_with_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr("mjscore.batch.run.CHUNK_LINES", 100)
    path = tmp_path / "long.mj"
    lines = random_lines(150)
    peaks = []
    for times in (2, 2, 8):  # the first fills the memories of values
        path.write_text("\n".join(lines * times) + "\n", encoding="utf-8")
        tracemalloc.start()
        for _ in check_files([str(path)], Context(), "json"):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < peaks[1] + 400_000
