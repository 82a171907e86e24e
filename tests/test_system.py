"""What is asked of the system is in one module; what a browser's Python lacks is taken away here, too."""

from __future__ import annotations

import ast
import errno
import os
import signal
import threading
from pathlib import Path

import pytest
from tables import table

from mjscore import system
from mjscore.atomic import write_whole

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


def test_the_folders_of_what_can_be_made_again_and_of_what_cannot(monkeypatch):
    for variable, folder, name in (
        ("XDG_CACHE_HOME", system.cache_folder, ".cache"),
        ("XDG_STATE_HOME", system.state_folder, ".local/state"),
    ):
        monkeypatch.setenv(variable, "/home/ann/kept")
        assert folder() == "/home/ann/kept/mjscore"
        monkeypatch.delenv(variable)
        monkeypatch.setenv("HOME", "/home/ann")
        assert folder() == f"/home/ann/{name}/mjscore"


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
