"""A file kept by one process: what somebody else saves in the very moment of a replacement is never written over."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from systems import posix

import mjscore.atomic
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
    with pytest.raises(Refused) as refused:
        store.replace(OURS)
    assert refused.value.refusal.code == "changed-meanwhile"
    assert path.read_text() == THEIRS
    assert [one.name for one in path.parent.iterdir()] == ["e.mj"]
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
    assert [one.name for one in path.parent.iterdir()] == ["e.mj"]


@can_exchange
def test_a_file_taken_away_in_that_moment_is_no_other(path, store, monkeypatch):
    at_each_exchange(monkeypatch, path.unlink)
    with pytest.raises(Refused) as refused:
        store.replace(OURS)
    assert refused.value.refusal.code == "unwritable"
    assert list(path.parent.iterdir()) == []


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
    assert [one.name for one in path.parent.iterdir()] == ["e.mj"]


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
    owner = os.stat(path).st_uid
    for who, refused in ((owner, False), (0, False), (None, False), (owner + 1, True)):
        monkeypatch.setattr("mjscore.play.store.user", lambda who=who: who)
        if refused:
            with pytest.raises(Refused, match="belongs to somebody else"):
                Store(str(path))
        else:
            Store(str(path)).close()


@posix
def test_a_file_that_is_refused_is_let_go(path):
    other = path.with_name("other.mj")
    other.hardlink_to(path)
    with pytest.raises(Refused) as kept:
        Store(str(path))
    other.unlink()
    Store(str(path)).close()
    assert kept.value.refusal.code == "second-name"


def test_what_is_no_place_for_a_file(tmp_path):
    for name, code, words in (
        ("a\0b", "unwritable", "no file can be called"),
        (str(tmp_path), "unreadable", "is a folder"),
        (str(tmp_path / "none" / "e.mj"), "unwritable", "there is no folder"),
    ):
        with pytest.raises(Refused) as refused:
            Store(name)
        assert refused.value.refusal.code == code
        assert words in refused.value.refusal.message
