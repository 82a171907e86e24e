"""Files written whole or not at all, with mode and owner kept."""

from __future__ import annotations

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from mjscore.atomic import temporary_prefix, whole_file, write_whole
from mjscore.system import user


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def umask():
    before = os.umask(0o027)
    yield
    os.umask(before)


def test_a_new_file_follows_the_umask_and_an_old_one_keeps_its_mode(tmp_path, umask):
    path = tmp_path / "evening.html"
    write_whole(path, b"one")
    assert (path.read_bytes(), mode(path)) == (b"one", 0o640)
    for kept in (0o600, 0o666, 0o444):
        path.chmod(kept)
        write_whole(path, b"two")
        assert (path.read_bytes(), mode(path)) == (b"two", kept)
    assert [entry.name for entry in tmp_path.iterdir()] == ["evening.html"]


def test_a_new_file_can_have_the_mode_of_another(tmp_path, umask):
    old, new = tmp_path / "old.mj", tmp_path / "new.mj"
    old.write_bytes(b"old")
    old.chmod(0o664)
    with whole_file(new, new=True, like=old) as stream:
        stream.write(b"new")
    assert mode(new) == 0o664


@pytest.mark.skipif(user() != 0, reason="only root gives files away")
def test_the_owner_is_kept(tmp_path):
    path = tmp_path / "evening.mj"
    path.write_bytes(b"one")
    os.chown(path, 12345, 23456)
    write_whole(path, b"two")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 23456)


def test_links_stay_and_what_they_stand_for_is_written(tmp_path):
    (tmp_path / "far").mkdir()
    real, link, second = tmp_path / "far" / "real.mj", tmp_path / "link.mj", tmp_path / "second.mj"
    link.symlink_to(real)
    second.symlink_to(link)
    for data in (b"begun", b"gone on"):  # at first the link leads nowhere
        write_whole(second, data)
        assert real.read_bytes() == data
        assert second.is_symlink()
        assert link.is_symlink()


def test_a_new_file_never_replaces_anything(tmp_path):
    path, link = tmp_path / "there.mj", tmp_path / "link.mj"
    path.write_bytes(b"old")
    link.symlink_to(tmp_path / "nowhere")
    for target in (path, link, tmp_path):
        with pytest.raises(FileExistsError):
            write_whole(target, b"new", new=True)

    def overtaken() -> None:
        with whole_file(tmp_path / "late.mj", new=True):
            (tmp_path / "late.mj").write_bytes(b"somebody else's")

    with pytest.raises(FileExistsError):
        overtaken()
    assert (tmp_path / "late.mj").read_bytes() == b"somebody else's"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["late.mj", "link.mj", "there.mj"]


def test_a_pipe_is_written_directly(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_whole(pipe, b"through")
    reader.join(10)
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("new", [False, True])
@pytest.mark.parametrize("function", ["open", "fsync", "fchmod", "replace", "link"])
def test_a_failed_write_leaves_what_was_there_and_nothing_else(tmp_path, monkeypatch, function, new):
    path, pattern = tmp_path / "evening.mj", tmp_path / "pattern.mj"
    for file in (pattern,) if new else (pattern, path):
        file.write_bytes(b"old")
    there = sorted(tmp_path.iterdir())

    def full(*given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    used = (function != "replace") if new else (function != "link")
    monkeypatch.setattr(os, function, full)
    if used:
        with (
            pytest.raises(OSError, match="No space") as caught,
            whole_file(path, new=new, like=pattern) as stream,
        ):
            stream.write(b"new")
        assert caught.value.filename == str(path)
        monkeypatch.undo()
        assert sorted(tmp_path.iterdir()) == there
        assert new or path.read_bytes() == b"old"


def test_a_block_that_fails_writes_nothing(tmp_path):
    path = tmp_path / "evening.mj"
    path.write_bytes(b"old")

    def interrupted() -> None:
        with whole_file(path) as stream:
            stream.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_names_the_file_that_was_meant(tmp_path):
    for path in (tmp_path, tmp_path / "none" / "evening.mj"):
        with pytest.raises(OSError) as caught:  # noqa: PT011 - of either kind
            write_whole(path, b"new")
        assert caught.value.filename == str(path)


def test_what_a_stop_left_behind_is_known_by_its_name(tmp_path):
    path = tmp_path / "evening.mj"
    with whole_file(path):
        (left,) = (entry.name for entry in tmp_path.iterdir())
        assert left.startswith(temporary_prefix(path))
    assert temporary_prefix(path) != temporary_prefix(tmp_path / "other.mj")
