"""Batches: chunks, processes, formats, and files of any kind."""

from __future__ import annotations

import gzip
import io
import json
import random
import sys
import tracemalloc
from pathlib import Path

import pytest
from strategies import random_loser, random_winner

from mjscore.batch.chunks import FIRST_CHUNK_LINES, Chunk, chunks
from mjscore.batch.results import _as_json
from mjscore.batch.run import check_chunk, check_files
from mjscore.batch.update import updated_file
from mjscore.record.reader import Context, check_file


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


def test_memory_does_not_grow_with_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr("mjscore.batch.chunks.CHUNK_LINES", 200)
    path = tmp_path / "long.mj"
    lines = random_lines(300)
    peaks = []
    for times in (2, 2, 8):  # the first fills the memories of values
        path.write_text("\n".join(lines * times) + "\n", encoding="utf-8")
        tracemalloc.start()
        for _ in check_files([str(path)], Context(), "json"):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < peaks[1] + 400_000


def test_csv_has_a_row_a_hand(mixed):
    import csv

    from mjscore.batch.results import CSV_COLUMNS

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
    from mjscore.batch.cluster import check_on_cluster

    parts = check_on_cluster([str(mixed)], Context(), "json", workers=2)
    assert "".join(part.text for part in parts) == whole(mixed, "json", 1)


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
        assert sum(check_chunk(part).tally.wrong for part in parts) == 0


@pytest.mark.parametrize(("given", "compressed"), [("-", False), ("file", True), ("file", False)])
def test_standard_input_and_gzip_give_what_the_file_gives(mixed, tmp_path, monkeypatch, given, compressed):
    data = mixed.read_bytes()
    path = tmp_path / "other.mj"
    path.write_bytes(gzip.compress(data) if compressed else data)
    if given == "-":
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    name = "-" if given == "-" else str(path)
    found = [json.loads(line) for part in check_files([name], Context()) for line in part.text.splitlines()]
    plain = [json.loads(line) for line in whole(mixed, "json", 1).splitlines()]
    assert {one.pop("file") for one in found} == {"<stdin>" if given == "-" else str(path)}
    assert [{key: value for key, value in one.items() if key != "file"} for one in plain] == found


def test_several_files_come_in_order_and_know_nothing_of_each_other(mixed, tmp_path):
    first, last = tmp_path / "a.mj", tmp_path / "z.mj"
    first.write_text("rulebook babcock\nplayers Ann Ben Cid Dee\ndraw\n")
    last.write_text("(RRR) (GGG) 123b 456b 7d <7d = 120\n")
    for jobs in (1, 2):
        parts = check_files([str(first), str(mixed), str(last)], Context(), "json", jobs)
        files = [json.loads(line)["file"] for part in parts for line in part.text.splitlines()]
        assert list(dict.fromkeys(files)) == [str(first), str(mixed), str(last)]
        assert files == sorted(files, key=[str(first), str(mixed), str(last)].index)
        assert files.count(str(last)) == 1


def test_the_tally_is_the_sum_of_the_results(mixed):
    parts = list(check_files([str(mixed)], Context(), "json"))
    found = [json.loads(line) for part in parts for line in part.text.splitlines()]
    total = parts[0].tally
    for part in parts[1:]:
        total = total.plus(part.tally)
    assert total.wrong == sum(not one["ok"] for one in found)
    assert total.refused == sum(bool(one["error"]) for one in found)
    assert total.tables == sum("net" in one for one in found)
    assert sum(total.codes.values()) >= total.wrong
    assert {one["error"]["code"] for one in found if one["error"]} <= set(total.codes)
    assert sum(part.bytes_read for part in parts) == mixed.stat().st_size


def test_update_leaves_nothing_behind_where_it_fails(tmp_path, monkeypatch):
    old, new = tmp_path / "old.mj", tmp_path / "new.mj"
    old.write_text("(123b) (456c) 22d 789b 11c <2d\n" * 3)

    def full(*given: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(OSError, match="No space"):
            updated_file(str(old), str(new), Context())
    assert [path.name for path in tmp_path.iterdir()] == ["old.mj"]
    new.symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileExistsError):
        updated_file(str(old), str(new), Context())
    with pytest.raises(OSError, match="No such file"):
        updated_file(str(old), str(tmp_path / "none" / "new.mj"), Context())


def test_an_updated_file_holds_and_updates_to_itself(tmp_path):
    old, new, again = (tmp_path / name for name in ("old.mj", "new.mj", "again.mj"))
    old.write_text(
        "\n".join(random_lines(300)) + "\nrulebook babcock\n" + "\n".join(random_lines(100, 6)) + "\n"
    )
    added = updated_file(str(old), str(new), Context())
    plain = [one for one in check_file(str(old), Context()) if not one.refusals]
    assert added == len(plain)
    found = [one for one in check_file(str(new), Context()) if not one.refusals]
    assert [one.expected for one in found] == [one.outcome.score for one in plain]
    assert all(one.ok for one in found)
    assert updated_file(str(new), str(again), Context()) == 0
    assert again.read_bytes() == new.read_bytes()


def test_a_long_file_gives_its_first_results_at_once(mixed):
    results = check_files([str(mixed)], Context(), "json")
    assert len(next(results).text.splitlines()) <= FIRST_CHUNK_LINES
    results.close()
