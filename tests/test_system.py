"""What is asked of the system is in one module; what a browser's Python lacks is taken away here, too."""

from __future__ import annotations

import ast
import ctypes
import errno
import fcntl
import os
import signal
import sys
import threading
from pathlib import Path

import platformdirs
import pytest
from platformdirs.macos import MacOS
from programs import run_command
from refusals import refusal_of
from tables import table

from mjscore import system
from mjscore.atomic import write_whole
from mjscore.play.store import Store

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "mjscore"
# not everywhere, or not the same everywhere
MODULES = frozenset(
    ("fcntl", "msvcrt", "termios", "tty", "pty", "resource", "pwd", "grp", "signal", "select", "ctypes", "winreg", "posix", "nt")
)  # fmt: skip
NAMES = {
    "os": frozenset((
        "name", "uname", "fork", "forkpty", "kill", "killpg", "getpgid", "setsid", "setpgrp", "wait", "waitpid",
        "mkfifo", "mknod", "openpty", "chown", "lchown", "fchown", "fchmod", "chmod", "chroot", "getuid",
        "geteuid", "getgid", "getegid", "getlogin", "nice", "sync", "fdatasync", "link", "symlink", "readlink",
        "umask", "sched_getaffinity", "sched_setaffinity", "statvfs", "O_NONBLOCK", "O_NOFOLLOW", "O_BINARY",
        "O_DIRECTORY", "O_CLOEXEC", "O_SYNC", "WNOHANG", "pipe2", "getpgrp", "ttyname",
    )),
    "sys": frozenset(("platform", "getwindowsversion", "winver")),
    "stat": frozenset(),
}  # fmt: skip


def asked(source: str) -> list[str]:
    """Where a module asks for something that only some systems have."""
    found = []
    for node in ast.walk(ast.parse(source)):
        modules = (
            [alias.name for alias in node.names] if isinstance(node, ast.Import)
            else [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        )  # fmt: skip
        found += [f"{node.lineno}: {name}" for name in modules if name.partition(".")[0] in MODULES]
        if isinstance(node, ast.ImportFrom) and node.module in NAMES:
            found += [
                f"{node.lineno}: {alias.name}" for alias in node.names if alias.name in NAMES[node.module]
            ]
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.attr in NAMES.get(node.value.id, ())
        ):
            found.append(f"{node.lineno}: {ast.unparse(node)}")
        if (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("hasattr", "getattr")
            and isinstance(node.args[0], ast.Name) and node.args[0].id in (*NAMES, *MODULES)
            and not (isinstance(node.args[1], ast.Name) and node.args[0].id == "sys")
        ):  # fmt: skip
            found.append(f"{node.lineno}: {ast.unparse(node)}")
    return found


def test_nothing_else_asks_which_system_this_is():
    wrong = {
        path.relative_to(PACKAGE).as_posix(): places
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).as_posix() != "system.py"
        and (places := asked(path.read_text(encoding="utf-8")))
    }
    assert not wrong
    assert len(asked((PACKAGE / "system.py").read_text(encoding="utf-8"))) > 10


@table
def test_what_counts_as_asking(source):
    assert len(asked(source)) == 1


def test_a_path_to_another_drive_is_named_whole(monkeypatch):
    assert system.path_from("/club", "/club/books/house.toml") == "books/house.toml"

    def other_drive(path: str, folder: str) -> str:
        raise ValueError("path is on mount 'Z:', start on mount 'C:'")

    monkeypatch.setattr(os.path, "relpath", other_drive)
    assert system.path_from("/club", "/books/house.toml") == "/books/house.toml"
    assert run_command("rules", "list").exit_code == 0


def refused(*given: object) -> None:
    raise PermissionError(errno.EPERM, "Operation not permitted")


@pytest.mark.parametrize("disk", ["in a browser", "a disk"])
def test_without_hard_links_a_new_file_takes_nobodys_name(tmp_path, monkeypatch, disk):
    if disk == "in a browser":
        monkeypatch.delattr(os, "link")
    else:
        monkeypatch.setattr(os, "link", refused)
    path = tmp_path / "new.html"
    write_whole(path, b"one", new=True)
    assert path.read_bytes() == b"one"
    with pytest.raises(FileExistsError):
        write_whole(path, b"two", new=True)
    assert path.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [path]


FOLDERS = (
    ("XDG_CACHE_HOME", system.cache_folder, ".cache"),
    ("XDG_STATE_HOME", system.state_folder, ".local/state"),
)


@pytest.mark.parametrize(("variable", "folder", "name"), FOLDERS)
def test_the_folders_of_what_can_be_made_again_and_of_what_cannot(monkeypatch, variable, folder, name):
    monkeypatch.setenv(variable, "/home/ann/kept")
    assert folder() == "/home/ann/kept/mjscore"
    monkeypatch.delenv(variable)
    monkeypatch.setenv("HOME", "/home/ann")
    assert folder() == f"/home/ann/{name}/mjscore"


@pytest.mark.parametrize(("variable", "folder", "name"), FOLDERS)
def test_elsewhere_the_folders_are_where_that_system_has_them(tmp_path, monkeypatch, variable, folder, name):
    """As on macOS; what stands where mjscore had it before goes on to be used."""
    usual = {"cache": "Library/Caches", "state": "Library/Application Support"}[folder.__name__.split("_")[0]]
    monkeypatch.setattr(platformdirs, "PlatformDirs", MacOS)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv(variable, raising=False)
    assert folder() == f"{tmp_path}/{usual}/mjscore"
    before = tmp_path / name / "mjscore"
    before.mkdir(parents=True)
    assert folder() == str(before)
    monkeypatch.setenv(variable, str(tmp_path / "chosen"))
    assert folder() == f"{tmp_path}/chosen/mjscore"


def test_without_a_home_there_is_no_folder(monkeypatch):
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.setattr(platformdirs, "user_state_dir", lambda *given, **named: "~/.local/state/mjscore")
    monkeypatch.delenv("XDG_STATE_HOME")
    assert system.state_folder() == ""


def test_names_that_no_file_can_have(tmp_path, monkeypatch):
    for name in ("tea.mj", "aux.mj", "tea:1.mj", "Gäste und Öl/tea.mj"):
        assert system.can_be_called(name)
    assert not system.can_be_called("te\0a.mj")
    monkeypatch.setattr(os.path, "abspath", lambda path: "\\\\.\\aux")  # as Windows has it
    assert not system.can_be_called("aux.mj")
    with pytest.raises(OSError, match="no file can have such a name"):
        write_whole(Path("aux.mj"), b"lost")
    assert refusal_of(Store, "aux.mj").code == "unwritable"


class HeldOpenError(PermissionError):
    """As Windows says it."""

    winerror = 32


@pytest.mark.parametrize("times", [0, 3, 100])
def test_a_file_that_another_program_has_open_is_replaced_as_soon_as_that_closes_it(
    tmp_path, monkeypatch, times
):
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("new")
    other.write_text("old")
    replace, refusals = os.replace, iter(range(times))
    waited: list[float] = []

    def held(path: Path, name: Path) -> None:
        if next(refusals, None) is not None:
            raise HeldOpenError(errno.EACCES, "it is open elsewhere")
        replace(path, name)

    monkeypatch.setattr(os, "replace", held)
    monkeypatch.setattr(system.time, "sleep", waited.append)
    if times == 100:
        with pytest.raises(HeldOpenError) as caught:
            system.replace(one, other)
        assert system.is_held_open(caught.value)
        assert sum(waited) > 1
    else:
        system.replace(one, other)
        assert len(waited) == times
    assert other.read_text() == ("old" if times == 100 else "new")


def test_what_is_not_held_open_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "replace", refused)
    monkeypatch.setattr(system.time, "sleep", lambda seconds: pytest.fail("it waited"))
    with pytest.raises(PermissionError) as caught:
        system.replace(tmp_path / "one", tmp_path / "other")
    assert not system.is_held_open(caught.value)


@pytest.mark.parametrize("disk", ["can", "cannot"])
def test_macos_is_asked_for_more_than_fsync(tmp_path, monkeypatch, disk):
    """Its fsync leaves what was written in the disk's own memory; a network's disk may not know better."""
    asked_for: list[object] = []

    def full(descriptor: int, wanted: int) -> None:
        asked_for.append(wanted)
        if disk == "cannot":
            raise OSError(errno.ENOTSUP, "Operation not supported")

    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", full)
    monkeypatch.setattr(os, "fsync", lambda descriptor: asked_for.append("fsync"))
    write_whole(tmp_path / "file", b"kept")
    once = [51] if disk == "can" else [51, "fsync"]
    assert asked_for == once * 2  # the file, then its folder


def as_on_macos(patch: pytest.MonkeyPatch) -> None:
    patch.delattr(os, "sched_getaffinity", raising=False)
    patch.setattr(system, "_renameat2", lambda: None)
    patch.setattr(fcntl, "F_FULLFSYNC", fcntl.F_GETFD, raising=False)


def as_on_windows(patch: pytest.MonkeyPatch) -> None:
    for name in ("geteuid", "fchown", "fchmod", "sched_getaffinity"):
        patch.delattr(os, name, raising=False)
    for name in ("pthread_sigmask", "SIGHUP"):
        patch.delattr(signal, name, raising=False)
    patch.setattr(system, "_renameat2", lambda: None)
    patch.setattr(system, "_deaf_console", lambda: lambda: None)
    patch.setitem(sys.modules, "fcntl", None)


@pytest.mark.parametrize("taken_away", [as_on_macos, as_on_windows])
def test_an_evening_and_a_batch_without_what_only_linux_has(tmp_path, monkeypatch, taken_away):
    path = tmp_path / "e.mj"
    with monkeypatch.context() as patch:
        taken_away(patch)
        begun = run_command("play", str(path), "--players", "Ann Ben Cid Dee", input="2 8 64w 0\ndraw\n")
        gone_on = run_command("play", str(path), input="undo\nundo\nredo\n")
        hands = tmp_path / "many.mj"
        hands.write_text("S: 123b 456b 789b 55c 67d <8d = 26\n" * 3000)
        checked = run_command("check", str(hands), "--jobs", "2")
        assert 1 <= system.cores() <= (os.cpu_count() or 1)
    assert [begun.exit_code, gone_on.exit_code] == [0, 0]
    assert "Cid: 64 win" in path.read_text()
    assert "draw" not in path.read_text()
    assert "3000 hands" in checked.output
    assert [one.name for one in tmp_path.iterdir() if one.suffix != ".mj"] == []


def test_on_windows_a_process_is_begun_deaf_to_a_console(monkeypatch):
    told: list[tuple[object, bool]] = []

    class Kernel:
        SetConsoleCtrlHandler = staticmethod(lambda handler, ignored: told.append((handler, ignored)))

    class Libraries:
        kernel32 = Kernel

    monkeypatch.delattr(signal, "pthread_sigmask")
    monkeypatch.setattr(ctypes, "windll", Libraries, raising=False)
    with system.stops_held_back():
        assert told == [(None, True)]
    assert told == [(None, True), (None, False)]


def test_what_cannot_be_told_is_taken_for_the_users_own(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "geteuid")
    assert system.user() is None
    assert system.is_the_users_alone(tmp_path.stat())


def test_terminations_are_told_and_then_no_more():
    told: list[int] = []
    before = signal.getsignal(signal.SIGTERM)
    with system.terminations(lambda: told.append(1)):
        signal.raise_signal(signal.SIGTERM)
    assert told == [1]
    assert signal.getsignal(signal.SIGTERM) is before


def test_terminations_outside_the_first_thread_are_left_alone():
    ended: list[bool] = []

    def run() -> None:
        with system.terminations(lambda: None):
            ended.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert ended == [True]


def test_at_least_one_core():
    assert 1 <= system.cores() <= (os.cpu_count() or 1)
