"""A file kept by one process: what somebody else saves in the very moment of a replacement is never written over."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from refusals import refusal_of

import mjscore.atomic
import mjscore.play.store
import mjscore.system
from mjscore.play.store import Store
from mjscore.refusal import Refused

BEFORE, OURS, THEIRS, NEWER = "before\n", "ours\n", "theirs\n", "newer\n"

can_exchange = pytest.mark.skipif(
    mjscore.system._renameat2() is None, reason="the system cannot exchange two files"
)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "e.mj"
    path.write_text(BEFORE)
    return path


@pytest.fixture
def store(path):
    store = Store(str(path))
    assert store.read() == BEFORE
    yield store
    store.close()


def names(folder: Path) -> list[str]:
    """What stands in a folder but for the files that are locked there."""
    return [one.name for one in folder.iterdir() if not one.name.startswith(".~lock.")]


def saves_beside(path: Path, text: str) -> None:
    """As most editors do: another file takes the place of this one."""
    other = path.with_name("editor")
    other.write_text(text)
    other.replace(path)


def writes_into(path: Path, text: str) -> None:
    """As some do: the file itself is written."""
    path.write_text(text)


def at_each_exchange(monkeypatch: pytest.MonkeyPatch, *done: Callable[[], None]) -> None:
    """Has something done right before each exchange of two files, the first first."""
    exchange, left = mjscore.atomic.exchange, list(done)

    def exchanged(one: Path, other: Path) -> bool:
        if left:
            left.pop(0)()
        return exchange(one, other)

    monkeypatch.setattr(mjscore.atomic, "exchange", exchanged)


@can_exchange
@pytest.mark.parametrize("save", [saves_beside, writes_into])
def test_what_is_saved_after_the_last_comparison_stays(path, store, monkeypatch, save):
    at_each_exchange(monkeypatch, lambda: save(path, THEIRS))
    assert refusal_of(store.replace, OURS).code == "changed-meanwhile"
    assert path.read_text() == THEIRS
    assert names(path.parent) == ["e.mj"]
    # it goes on from there
    assert store.read() == THEIRS
    store.replace(OURS)
    assert path.read_text() == OURS


@can_exchange
def test_what_is_saved_twice_in_that_moment_stays_as_it_was_saved_last(path, store, monkeypatch):
    at_each_exchange(monkeypatch, lambda: saves_beside(path, THEIRS), lambda: saves_beside(path, NEWER))
    with pytest.raises(Refused):
        store.replace(OURS)
    assert path.read_text() == NEWER
    assert names(path.parent) == ["e.mj"]


@can_exchange
def test_a_file_taken_away_in_that_moment_is_no_other(path, store, monkeypatch):
    at_each_exchange(monkeypatch, path.unlink)
    assert refusal_of(store.replace, OURS).code == "unwritable"
    assert names(path.parent) == []


@pytest.mark.parametrize("save", [saves_beside, writes_into])
def test_what_was_saved_before_is_seen_without_an_exchange_too(path, store, monkeypatch, save):
    monkeypatch.setattr(mjscore.system, "_renameat2", lambda: None)
    save(path, THEIRS)
    with pytest.raises(Refused):
        store.replace(OURS)
    assert path.read_text() == THEIRS
    assert store.read() == THEIRS
    store.replace(OURS)
    assert path.read_text() == OURS
    assert names(path.parent) == ["e.mj"]


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOSYS])
def test_a_disk_that_cannot_exchange(path, store, monkeypatch, number):
    def cannot(*given: object) -> int:
        ctypes.set_errno(number)
        return -1

    monkeypatch.setattr(mjscore.system, "_renameat2", lambda: cannot)
    store.replace(OURS)
    assert path.read_text() == OURS


@can_exchange
def test_two_files_exchange_their_names(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("1")
    other.write_text("2")
    inode = os.stat(one).st_ino
    assert mjscore.system.exchange(one, other)
    assert (one.read_text(), other.read_text()) == ("2", "1")
    assert os.stat(other).st_ino == inode
    with pytest.raises(FileNotFoundError):
        mjscore.system.exchange(one, tmp_path / "none")


def test_a_file_of_somebody_else_is_not_replaced_by_ones_own(path, monkeypatch):
    """The administrator may write it, and where there are no users everybody."""
    with contextlib.suppress(PermissionError):
        os.chown(path, 1234, -1)  # where the tests are the administrator's
    owner = os.stat(path).st_uid
    for who, refused in ((owner, False), (0, False), (None, False), (owner + 1, True)):
        monkeypatch.setattr("mjscore.play.store.user", lambda who=who: who)
        if refused:
            with pytest.raises(Refused, match="belongs to somebody else"):
                Store(str(path))
        else:
            Store(str(path)).close()


def test_a_file_that_is_refused_is_let_go(path):
    other = path.with_name("other.mj")
    other.hardlink_to(path)
    with pytest.raises(Refused, match="has 2 names") as kept:
        Store(str(path))
    other.unlink()
    Store(str(path)).close()
    assert kept  # and with it what was open


def test_what_is_no_place_for_a_file(tmp_path):
    for name, code, words in (
        ("a\0b", "unwritable", "no file can be called"),
        (str(tmp_path), "unreadable", "is a folder"),
        (str(tmp_path / "none" / "e.mj"), "unwritable", "there is no folder"),
    ):
        refusal = refusal_of(Store, name)
        assert refusal.code == code
        assert words in refusal.message


@pytest.mark.parametrize(
    ("data", "text"), [(b"a\nbcd", "a\nbcd\n"), (b"a", "a\n"), (b"a\r\nb", "a\r\nb\r\n"), (b"", "")]
)
def test_a_last_line_that_lacks_only_its_end_is_read(path, store, data, text):
    path.write_bytes(data)
    assert store.read() == text
    assert path.read_bytes() == data
    store.replace(f"{text}more\n")
    assert path.read_bytes().decode() == f"{text}more\n"


@pytest.mark.parametrize(
    ("data", "code", "line", "length"),
    [(b"a\nb\n\xff\n", "not-utf-8", 3, 1)],
)
def test_what_cannot_be_read_is_told_with_its_line(path, store, data, code, line, length):
    path.write_bytes(data)
    refusal = refusal_of(store.read)
    assert (refusal.code, refusal.line, refusal.length) == (code, line, length)


def test_a_file_of_some_size_is_read_whole_and_an_empty_one_is_an_evening_not_begun(path, store):
    for text in ("", "draw\r\n", "note Ann “won”\n" * 100_000):
        path.write_text(text, encoding="utf-8", newline="")
        assert store.read() == text
    path.unlink()
    assert store.read() is None


def test_a_file_that_is_kept_is_kept_by_one_alone(path, store):
    def in_use() -> bool:
        return refusal_of(Store, str(path)).code == "in-use"

    assert in_use()
    store.replace(OURS)
    assert in_use()
    saves_beside(path, THEIRS)
    assert store.read() == THEIRS
    assert in_use()
    path.unlink()
    store.create(OURS)
    assert in_use()
    store.close()
    Store(str(path)).close()


def test_a_file_that_is_not_there_yet_is_kept_already(tmp_path):
    path = tmp_path / "new.mj"
    store = Store(str(path))
    assert refusal_of(Store, str(path)).code == "in-use"
    store.create(OURS)
    assert refusal_of(Store, str(path)).code == "in-use"
    assert path.read_text() == OURS
    store.close()
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_has_come_meanwhile_is_not_begun_anew(tmp_path):
    path = tmp_path / "new.mj"
    store = Store(str(path))
    path.write_text(THEIRS)
    assert refusal_of(store.create, OURS).code == "unwritable"
    assert path.read_text() == THEIRS
    store.close()


def test_a_second_name_is_noticed_also_when_it_comes_later(path, store):
    os.link(path, path.with_name("other.mj"))
    assert refusal_of(store.replace, OURS).code == "second-name"
    assert path.read_text() == BEFORE
    store.close()
    with pytest.raises(Refused, match="has 2 names"):
        Store(str(path))


def test_the_same_text_saved_by_somebody_else_changes_nothing(path, store):
    saves_beside(path, BEFORE)
    store.replace(OURS)
    assert path.read_text() == OURS


@pytest.mark.parametrize("then", ["none", "another"])
def test_a_lock_taken_away_before_it_was_had_is_none(path, monkeypatch, then):
    """As by another copy that ends between our opening of the file that it had locked and our locking it."""
    lock, beside = mjscore.play.store.lock, path.with_name(".~lock.e.mj#")

    def locked(held: int) -> None:
        monkeypatch.setattr(mjscore.play.store, "lock", lock)
        beside.unlink()
        if then == "another":
            beside.touch()
        lock(held)

    monkeypatch.setattr(mjscore.play.store, "lock", locked)
    store = Store(str(path))
    assert refusal_of(Store, str(path)).code == "in-use"
    store.close()
    assert [one.name for one in path.parent.iterdir()] == ["e.mj"]


def test_a_lock_goes_with_its_process(path):
    """Killed, it leaves the file beside, which locks nobody out and goes with the next who ends."""
    kept = "import os, sys; from mjscore.play.store import Store; Store(sys.argv[1]); os.kill(os.getpid(), 9)"
    assert subprocess.run([sys.executable, "-c", kept, str(path)], check=False).returncode == -9
    assert path.with_name(".~lock.e.mj#").exists()
    store = Store(str(path))
    assert refusal_of(Store, str(path)).code == "in-use"
    store.close()
    assert [one.name for one in path.parent.iterdir()] == ["e.mj"]


def test_where_what_is_open_keeps_its_name_it_is_closed_first(path, monkeypatch):
    """As on Windows."""
    unlink, held = os.unlink, []

    def kept_open(name: Path) -> None:
        held.append(name)
        if len(held) == 1:
            raise PermissionError(errno.EACCES, "it is open")
        unlink(name)

    store = Store(str(path))
    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", kept_open)
        store.close()
    assert len(held) == 2
    Store(str(path)).close()
    assert [one.name for one in path.parent.iterdir()] == ["e.mj"]


def test_a_network_without_locks_keeps_an_evening_all_the_same(path, monkeypatch):
    def none(descriptor: int, blocking: bool) -> bool:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("filelock.lock_descriptor", none)
    store = Store(str(path))
    store.read()
    store.replace(OURS)
    store.close()
    assert path.read_text() == OURS


def test_what_is_no_place_for_a_new_file(tmp_path, monkeypatch):
    with pytest.raises(Refused, match="is not a file"):
        Store(os.devnull)
    monkeypatch.setattr("mjscore.play.store.os.access", lambda folder, how: False)
    with pytest.raises(Refused, match="Permission denied"):
        Store(str(tmp_path / "new.mj"))


def test_a_new_file_may_be_read_by_whom_the_system_lets(tmp_path):
    mask = os.umask(0o002)
    try:
        store = Store(str(tmp_path / "new.mj"))
        store.create(OURS)
        store.close()
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new.mj").stat().st_mode) == 0o664


def fails(monkeypatch: pytest.MonkeyPatch, where: str, error: BaseException) -> None:
    def failing(*given: object) -> None:
        raise error

    monkeypatch.setattr(where, failing)


@pytest.mark.parametrize("where", ["mjscore.atomic._created", "mjscore.atomic.os.fsync"])
def test_where_the_disk_is_full_nothing_has_changed(path, store, tmp_path, monkeypatch, where):
    new = Store(str(tmp_path / "new.mj"))
    with monkeypatch.context() as full:
        fails(full, where, OSError(errno.ENOSPC, "No space left on device"))
        with pytest.raises(Refused, match="No space left on device; it is unchanged"):
            store.replace(OURS)
        with pytest.raises(Refused, match="No space left on device"):
            new.create(OURS)
    assert path.read_text() == BEFORE
    assert names(tmp_path) == ["e.mj"]
    store.replace(OURS)
    assert path.read_text() == OURS
    new.close()


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(errno.EIO, "Input/output error")])
def test_what_fails_when_it_is_done_takes_nothing_back(path, store, tmp_path, monkeypatch, error):
    new = Store(str(tmp_path / "new.mj"))
    for one, put in ((store, store.replace), (new, new.create)):
        with monkeypatch.context() as late:
            fails(late, "mjscore.atomic.sync_folder", error)
            if isinstance(error, OSError):
                put(OURS)
            else:
                with pytest.raises(KeyboardInterrupt):
                    put(OURS)
        assert Path(one.path).read_text() == OURS
        assert one.read() == OURS
        one.replace(NEWER)
        assert Path(one.path).read_text() == NEWER
    new.close()


@pytest.mark.skipif(
    not os.path.isdir("/proc/self/fd"), reason="the system does not tell which files are open"
)
def test_no_file_stays_open(path, store, tmp_path, monkeypatch):
    def refused(put: Callable[[], object]) -> None:
        with pytest.raises((Refused, KeyboardInterrupt)):
            put()

    def full() -> None:
        with monkeypatch.context() as disk:
            fails(disk, "mjscore.atomic.os.fsync", OSError(errno.ENOSPC, "No space left on device"))
            refused(lambda: store.replace(NEWER))

    def saved_by_somebody_else() -> None:
        saves_beside(path, THEIRS)
        refused(lambda: store.replace(OURS))
        store.read()

    def taken_away() -> None:
        path.unlink()
        store.read()
        store.create(OURS)

    def of_a_broken_disk() -> None:
        with monkeypatch.context() as disk:
            fails(disk, "mjscore.play.store.os.path.samestat", OSError(errno.EIO, "Input/output error"))
            refused(lambda: Store(str(tmp_path / "new.mj")))

    def of_two_names() -> None:
        (tmp_path / "one.mj").write_text(BEFORE)
        os.link(tmp_path / "one.mj", tmp_path / "two.mj")
        refused(lambda: Store(str(tmp_path / "one.mj")))

    before = len(os.listdir("/proc/self/fd"))
    for done in (
        store.read,
        lambda: store.replace(OURS),
        lambda: refused(lambda: Store(str(path))),
        lambda: refused(lambda: Store(os.devnull)),
        full,
        saved_by_somebody_else,
        taken_away,
        of_two_names,
        of_a_broken_disk,
    ):
        done()
        assert len(os.listdir("/proc/self/fd")) == before, done
