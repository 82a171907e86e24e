"""What is kept between runs can be lost, spoilt or swapped: the next run is slower, and nothing else."""

from __future__ import annotations

import os
import pickle
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mjscore.notation import cache
from mjscore.notation.cache import cache_folder, cached_on_disk
from mjscore.system import user

ROOT = Path(__file__).parents[2]
HAND = "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A cache folder of the test's own, empty."""
    path = tmp_path / "cache"
    monkeypatch.setenv("MJSCORE_CACHE", str(path))
    cache_folder.cache_clear()
    yield path
    cache_folder.cache_clear()


class Workshop:
    """Makes a thing and counts how often."""

    def __init__(self) -> None:
        self.made = 0
        self.sources = [b"grammar"]

    def make(self) -> list[str]:
        self.made += 1
        return ["a", "table"]

    def get(self) -> list[str]:
        thing = cached_on_disk("thing", lambda: self.sources, self.make)
        assert thing == ["a", "table"]
        return thing


def kept_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_a_thing_is_made_once(folder):
    workshop = Workshop()
    for _ in range(3):
        workshop.get()
    assert workshop.made == 1
    assert stat.S_IMODE(kept_file(folder).stat().st_mode) == 0o600


@pytest.mark.parametrize("changed", ["sources", "version", "python", "lark", "name"])
def test_it_is_made_again_where_anything_that_makes_it_has_changed(folder, monkeypatch, changed):
    workshop = Workshop()
    workshop.get()
    if changed == "sources":
        workshop.sources = [b"gram", b"mar"]
    elif changed == "version":
        monkeypatch.setattr("mjscore.__version__", "0")
    elif changed == "python":
        monkeypatch.setattr(sys, "version", "3.99")
    elif changed == "lark":
        monkeypatch.setattr("lark.__version__", "0")
    else:
        kept_file(folder).rename(folder / f"other-{sys.implementation.cache_tag}")
        cached_on_disk("other", lambda: workshop.sources, workshop.make)
        assert workshop.made == 2
        return
    workshop.get()
    assert workshop.made == 2
    workshop.get()
    assert workshop.made == 2
    assert kept_file(folder)


def test_every_flipped_bit_and_every_cut_is_noticed(folder):
    workshop = Workshop()
    workshop.get()
    path = kept_file(folder)
    whole = path.read_bytes()
    spoilt = [whole[:length] for length in range(len(whole))] + [whole + b"\0"]
    for index in range(len(whole)):
        for bit in range(8):
            spoilt.append(whole[:index] + bytes([whole[index] ^ 1 << bit]) + whole[index + 1 :])
    for number, data in enumerate(spoilt):
        path.write_bytes(data)
        assert cache._kept(str(path), cache._key("thing", workshop.sources)) is None
        if number % 50 == 0:
            workshop.made = 0
            workshop.get()
            assert workshop.made == 1
            assert path.read_bytes() == whole  # and mended


@pytest.mark.parametrize("kind", ["pipe", "link", "folder", "full folder", "dangling", "circle"])
def test_something_else_in_its_place(folder, tmp_path, kind):
    workshop = Workshop()
    workshop.get()
    path = kept_file(folder)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(path.read_bytes())
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind in ("folder", "full folder"):
        path.mkdir()
        if kind == "full folder":
            (path / "file").touch()
    else:
        path.symlink_to({"link": elsewhere, "dangling": tmp_path / "nowhere", "circle": path}[kind])
    before = elsewhere.read_bytes()
    for _ in range(2):
        workshop.get()
    assert workshop.made == (3 if "folder" in kind else 2)
    assert elsewhere.read_bytes() == before
    assert not (tmp_path / "nowhere").exists()


def test_a_device_or_an_endless_file_is_not_read(folder, monkeypatch):
    workshop = Workshop()
    workshop.get()
    path = kept_file(folder)
    with path.open("ab") as stream:
        stream.truncate(1 << 40)  # takes no room, and no time
    workshop.get()
    assert workshop.made == 2
    assert cache._kept("/dev/zero", b"") is None


@pytest.mark.parametrize("mode", [0o622, 0o660, 0o602])
def test_what_others_could_have_written_is_not_read(folder, mode):
    workshop = Workshop()
    workshop.get()
    kept_file(folder).chmod(mode)
    workshop.get()
    assert workshop.made == 2
    folder.chmod(0o770)
    cache_folder.cache_clear()
    workshop.get()
    assert workshop.made == 3


@pytest.mark.skipif(user() != 0, reason="only root gives files away")
def test_what_belongs_to_another_is_not_read(folder):
    workshop = Workshop()
    workshop.get()
    os.chown(kept_file(folder), 12345, 12345)
    workshop.get()
    assert workshop.made == 2
    os.chown(folder, 12345, 12345)
    cache_folder.cache_clear()
    workshop.get()
    assert workshop.made == 3


def test_a_home_that_takes_nothing(folder, monkeypatch):
    def full(*given: object, **more: object) -> None:
        raise OSError(28, "No space left on device")

    workshop = Workshop()
    workshop.get()
    kept_file(folder).write_bytes(b"spoilt")
    for function in ("open", "fsync", "link", "unlink"):
        with monkeypatch.context() as patch:
            patch.setattr(os, function, full)
            workshop.made = 0
            workshop.get()
            assert workshop.made == 1
    for name in ("", "/proc/nowhere", "/dev/null", "\0", str(folder / "none" / "\udcff")):
        monkeypatch.setattr(os, "environ", {**os.environ, "MJSCORE_CACHE": name})
        cache_folder.cache_clear()
        workshop.get()


def test_what_cannot_be_read_back_is_made(folder):
    def fail(data: bytes) -> int:
        raise pickle.UnpicklingError

    for _ in range(2):
        assert cached_on_disk("thing", list, lambda: 3, load=fail) == 3

    def no_files() -> list[bytes]:
        raise NotADirectoryError

    assert cached_on_disk("other", no_files, lambda: 4) == 4
    assert len(list(folder.iterdir())) == 1


def scored(folder: Path | str) -> str:
    """What the whole program says, with its cache in *folder*."""
    environment = {**os.environ, "MJSCORE_CACHE": str(folder)}
    command = [sys.executable, "-m", "mjscore", "score", HAND, "-r", "harr", "-r", "babcock-chinese"]
    done = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == ""
    return done.stdout


def test_the_whole_program_with_a_spoilt_cache(tmp_path):
    plain = scored("")
    folder = tmp_path / "cache"
    assert scored(folder) == plain
    kept = {path: path.read_bytes() for path in folder.iterdir()}
    assert len(kept) >= 3
    assert scored(folder) == plain
    assert {path: path.read_bytes() for path in folder.iterdir()} == kept
    spoilt = {path: data[:-1] + bytes([data[-1] ^ 1]) for path, data in kept.items()}
    for path, data in spoilt.items():
        path.write_bytes(data)
    assert scored(folder) == plain
    assert not [path for path, data in spoilt.items() if path.read_bytes() == data]
    for path in kept:
        path.unlink()
        os.mkfifo(path)
    assert scored(folder) == plain
    assert all(path.is_file() for path in kept)
    assert scored("/proc/nowhere") == plain


def test_what_cannot_be_kept_is_made_all_the_same(folder):
    def save(thing: str) -> bytes:
        raise AttributeError("this system has no such thing")

    assert cached_on_disk("thing", lambda: [b"grammar"], lambda: "made", save) == "made"


def test_a_system_without_links_keeps_what_was_made(folder, monkeypatch):
    monkeypatch.delattr(os, "link", raising=False)
    workshop = Workshop()
    for _ in range(3):
        workshop.get()
    assert workshop.made == 1
