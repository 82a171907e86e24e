"""Batches: chunks, processes, formats, and files of any kind."""

from __future__ import annotations

import gzip
import json
import random
import tracemalloc
from pathlib import Path

import pytest
from strategies import random_loser, random_winner

from mjscore.batch import Chunk, _as_json, check_chunk, check_files, chunks
from mjscore.checking import Context, check_file
from mjscore.update import updated_file


def random_lines(count: int, seed: int = 5) -> list[str]:
    chance = random.Random(seed)
    return [str((random_winner if chance.random() < 0.8 else random_loser)(chance)) for _ in range(count)]


@pytest.fixture
def mixed(tmp_path) -> Path:
    """Every tenth line is bad; blocks and settings stand between."""
    lines = random_lines(4000)
    for place in range(9, len(lines), 10):
        lines[place] = lines[place].replace(":", ": 0x", 1)
    for place in range(50, len(lines), 97):
        lines[place] = "hand\n  E: 20 win\n  S: 3\n\n# between\n  W: 4\n  N: 5\n  pays E +120"
    lines[100] = "rulebook babcock"
    lines[700] = "set seasons on"
    lines[2300] = "rulebook harr-limit"
    path = tmp_path / "mixed.mj"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def whole(path: Path, output: str, jobs: int) -> str:
    return "".join(part.text for part in check_files([str(path)], Context(), output, jobs))


@pytest.mark.parametrize("output", ["json", "text", "csv"])
def test_one_job_and_two_give_the_same_to_the_byte(mixed, output):
    assert whole(mixed, output, 1) == whole(mixed, output, 2)


def test_chunks_change_nothing(mixed):
    plain = [one.as_json() for one in check_file(str(mixed), Context())]
    assert [json.loads(line) for line in whole(mixed, "json", 1).splitlines()] == plain
    bad = [one["line"] for one in plain if one["error"]]
    assert bad
    assert bad == sorted(bad)
    spoiled = {place for place, line in enumerate(mixed.read_text().splitlines(), 1) if ": 0x" in line}
    assert spoiled <= set(bad)


def test_json_is_what_the_encoder_gives(mixed):
    for one in check_file(str(mixed), Context()):
        assert _as_json(one) == json.dumps(one.as_json(), ensure_ascii=False) + "\n"


def test_a_chunk_is_a_pure_unit_of_work(mixed):
    import pickle

    parts = list(chunks(str(mixed), Context(), "json"))
    assert all(isinstance(part, Chunk) for part in parts)
    again = pickle.loads(pickle.dumps(parts[1]))
    assert check_chunk(again) == check_chunk(parts[1])
    assert parts[2].context.rulebook == "babcock"


def test_evenings_go_in_order(tmp_path):
    path = tmp_path / "evening.mj"
    hand = "hand\n  Ann: 20\n  Ben: 22 win\n  Cid: 0\n  Dee: 0\n"
    path.write_text("rulebook harr\nplayers Ann Ben Cid Dee\n" + 200 * hand, encoding="utf-8")
    assert whole(path, "json", 2) == whole(path, "json", 1)
    found = [json.loads(line) for line in whole(path, "json", 2).splitlines()]
    assert len(found) == 200
    assert {one["players"]["E"] for one in found} == {"Ann", "Ben"}


def test_gzip_long_lines_and_other_bytes(tmp_path):
    path = tmp_path / "odd.mj.gz"
    body = b"123b\n" + b"1" * 3_000_000 + b"b\n\xff\xfe\n\x00\n(123b) (456c) 22d 789b 11c <2d = 22\n"
    path.write_bytes(gzip.compress(body))
    found = [json.loads(line) for line in whole(path, "json", 1).splitlines()]
    assert [(one["line"], one["error"] and one["error"]["code"]) for one in found] == [
        (1, "too-few-tiles"), (2, "long-line"), (3, "not-utf-8"), (4, "unknown-character"), (5, None),
    ]  # fmt: skip
    assert whole(path, "json", 2) == whole(path, "json", 1)


def test_memory_does_not_grow_with_the_file(tmp_path):
    path = tmp_path / "long.mj"
    lines = random_lines(1000)
    peaks = []
    for times in (2, 12):
        path.write_text("\n".join(lines * times) + "\n", encoding="utf-8")
        tracemalloc.start()
        for _ in check_files([str(path)], Context(), "json"):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 4_000_000


def test_csv_has_a_row_a_hand(mixed):
    import csv
    import io

    from mjscore.batch import CSV_COLUMNS

    rows = list(csv.reader(io.StringIO(whole(mixed, "csv", 1))))
    assert {len(row) for row in rows} == {len(CSV_COLUMNS)}
    assert len(rows) == len(whole(mixed, "json", 1).splitlines())


def test_update_adds_what_is_missing_and_nothing_else(tmp_path):
    old, new = tmp_path / "old.mj", tmp_path / "new.mj"
    old.write_bytes(
        b'# a file\r\n"a # b" (123b) (456c) 22d 789b 11c <2d   # with a remark\r\n'
        b"(123b) (456c) 22d 789b 11c <2d = 24\nnonsense\n\nhand\n  E: (RRR) 123b 456b 789b 5d <5d\n  S: 3\n  W: 4\n  N: 5"
    )
    assert updated_file(str(old), str(new), Context()) == 2
    assert new.read_bytes() == old.read_bytes().replace(b"<2d   # with", b"<2d = 22   # with").replace(
        b"<5d\n", b"<5d = 52\n"
    )
    with pytest.raises(FileExistsError):
        updated_file(str(old), str(new), Context())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.mj", "old.mj"]


def test_a_local_cluster_gives_the_same(mixed):
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    from mjscore.cluster import check_on_cluster

    parts = check_on_cluster([str(mixed)], Context(), "json", workers=2)
    assert "".join(part.text for part in parts) == whole(mixed, "json", 1)
