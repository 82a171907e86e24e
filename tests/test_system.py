"""What differs between operating systems is in one module, and what it does without is tried here as far as that can be."""

from __future__ import annotations

import ast
import errno
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from systems import posix
from tables import table

from mjscore import system
from mjscore.atomic import write_whole
from mjscore.play.beginning import Asked, beginning
from mjscore.play.store import Store
from mjscore.record.context import Occasion
from mjscore.refusal import Refused

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "mjscore"
TESTS = ROOT / "tests"
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


def test_every_test_module_can_be_imported_where_there_is_no_posix():
    """In a process whose ``os`` and ``signal`` lack what Windows lacks, and without the modules that it has not."""
    paths = [
        path for path in sorted(TESTS.rglob("*.py")) if path.parent.name not in ("benchmarks", "mutation")
    ]
    done = subprocess.run(
        [sys.executable, str(TESTS / "support" / "elsewhere.py"), *map(str, paths)],
        capture_output=True, text=True, check=False, timeout=100, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(TESTS / "support"), str(TESTS / "fuzz")))},
    )  # fmt: skip
    assert done.stdout.splitlines()[-1:] == [f"{len(paths)} imported"], done.stdout + done.stderr


POSIX_CALLS = frozenset((
    "symlink_to", "hardlink_to", "chmod", "mkfifo", "symlink", "chown", "umask", "fork", "kill", "killpg", "getuid", "geteuid",
    "SIGKILL", "SIGHUP", "SIGSTOP", "SIGCONT", "pthread_sigmask", "Terminal", "Screen", "pty",
))  # fmt: skip


def unmarked(source: str) -> list[str]:
    """The tests of a module that need a POSIX system and do not say so."""
    tree = ast.parse(source)
    if any(
        isinstance(node, ast.Assign) and "pytestmark" in ast.unparse(node.targets[0]) for node in tree.body
    ):
        return []
    found = []
    for test in tree.body:
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
            said = [ast.unparse(decorator) for decorator in test.decorator_list]
            called = {
                node.attr if isinstance(node, ast.Attribute) else node.id
                for node in ast.walk(test)
                if isinstance(node, (ast.Attribute, ast.Name))
            }
            if called & POSIX_CALLS and not any("posix" in one or "skipif" in one for one in said):
                found.append(f"{test.lineno}: {test.name}: {', '.join(sorted(called & POSIX_CALLS))}")
    return found


def test_tests_that_need_a_posix_system_say_so():
    wrong = {
        path.relative_to(TESTS).as_posix(): places
        for path in TESTS.rglob("test_*.py")
        if (places := unmarked(path.read_text(encoding="utf-8")))
    }
    assert not wrong


@pytest.mark.parametrize(
    "need", ["path.chmod(0)", "import os\n    os.kill(1, 9)", "Terminal(path)", "signal.SIGKILL"]
)
def test_what_counts_as_a_need(need):
    test = f"def test_it():\n    {need}\n"
    assert len(unmarked(test)) == 1
    assert unmarked(f"@posix\n{test}") == unmarked(f"pytestmark = posix\n{test}") == []


@pytest.fixture
def elsewhere(monkeypatch):
    """A system without locks, modes, hard links and folders that can be synced, as far as one can be had here."""
    monkeypatch.setattr(system, "fcntl", None)
    monkeypatch.setattr(system, "POSIX", False)
    for name in ("fchown", "fchmod", "link", "geteuid"):
        monkeypatch.delattr(os, name, raising=False)


def head() -> str:
    return beginning(Asked("harr", {}, ["Ann", "Ben", "Cid", "Dee"], Occasion("Tea", "2026-11-21")))


def test_without_locks_an_evening_is_kept(tmp_path, elsewhere):
    path = tmp_path / "tea.mj"
    store = Store(str(path))
    assert store.read() is None
    store.create(head())
    for number in range(3):
        store.replace(f"{head()}# {number}\n")
    store.close()
    assert path.read_text(encoding="utf-8") == f"{head()}# 2\n"
    assert list(tmp_path.iterdir()) == [path]
    again = Store(str(path))
    assert again.read() == f"{head()}# 2\n"


def test_without_locks_two_copies_notice_each_other_by_what_they_write(tmp_path, elsewhere):
    path = tmp_path / "tea.mj"
    first = Store(str(path))
    first.create(head())
    second = Store(str(path))
    assert first.read() == second.read() == head()
    first.replace(f"{head()}# first\n")
    with pytest.raises(Refused) as caught:
        second.replace(f"{head()}# second\n")
    assert caught.value.refusal.code == "changed-meanwhile"
    assert second.read() == path.read_text(encoding="utf-8") == f"{head()}# first\n"
    second.replace(f"{head()}# second\n")
    assert first.read() == f"{head()}# second\n"


def test_without_locks_no_file_stays_open(tmp_path, elsewhere):
    """Where a file that is open cannot be replaced, none may be."""
    path = tmp_path / "tea.mj"
    store = Store(str(path))
    store.create(head())
    before = set(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else set()
    store.replace(f"{head()}# 1\n")
    assert all(
        f"{tmp_path}" not in os.readlink(f"/proc/self/fd/{one}")
        for one in before
        if os.path.exists(f"/proc/self/fd/{one}")
    )


def test_without_hard_links_a_new_file_takes_nobodys_name(tmp_path, elsewhere, monkeypatch):
    path = tmp_path / "new.html"
    # there, a name that is taken cannot be renamed to
    monkeypatch.setattr(
        os,
        "rename",
        lambda one, name: os.replace(one, name) if not name.exists() else pytest.fail("overwritten"),
    )
    write_whole(path, b"one", new=True)
    assert path.read_bytes() == b"one"
    with pytest.raises(FileExistsError):
        write_whole(path, b"two", new=True)
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_a_disk_without_hard_links(tmp_path, monkeypatch):
    def refused(*given: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    path = tmp_path / "new.html"
    write_whole(path, b"one", new=True)
    assert path.read_bytes() == b"one"
    with pytest.raises(FileExistsError):
        write_whole(path, b"two", new=True)
    assert path.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [path]


def test_the_folder_of_what_can_be_made_again(monkeypatch):
    for name in ("LOCALAPPDATA", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(system.sys, "platform", "win32")
    assert system.cache_folder() == ""
    monkeypatch.setenv("LOCALAPPDATA", "C:/Users/ann")
    assert Path(system.cache_folder()) == Path("C:/Users/ann/mjscore/cache")
    monkeypatch.setattr(system.sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/home/ann/kept")
    assert Path(system.cache_folder()) == Path("/home/ann/kept/mjscore")


def test_what_cannot_be_told_is_taken_for_the_users_own(tmp_path, elsewhere):
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
