"""Imports modules as a system would that has no POSIX: ``python elsewhere.py FILE…`` says how many could be."""

from __future__ import annotations

import concurrent.futures.process  # noqa: F401 - what tests may need of Python itself is there before it is taken away
import importlib.util
import multiprocessing.connection
import multiprocessing.util  # noqa: F401
import os
import signal
import subprocess  # noqa: F401
import sys
import tempfile
from pathlib import Path

import hypothesis  # noqa: F401
import prompt_toolkit  # noqa: F401
import pytest

MODULES = ("fcntl", "pty", "tty", "termios", "resource", "pwd", "grp", "posix", "readline", "curses")
OF_OS = (
    "killpg", "getpgid", "setsid", "fork", "forkpty", "openpty", "mkfifo", "getuid", "geteuid", "getgid", "chown", "fchown",
    "sched_getaffinity", "O_NONBLOCK", "O_NOFOLLOW", "WNOHANG", "statvfs", "uname", "setpgrp",
)  # fmt: skip
OF_SIGNAL = ("SIGKILL", "SIGHUP", "SIGSTOP", "SIGCONT", "SIGTSTP", "SIGALRM", "SIGUSR1", "SIGPIPE", "SIGCHLD", "SIGWINCH",
             "SIGQUIT", "alarm", "setitimer", "pthread_sigmask", "sigwait", "pause")  # fmt: skip


def main(paths: list[str]) -> int:
    """Imports each file; 1 where one of them cannot be."""
    tempfile.gettempdir()
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for module, names in ((os, OF_OS), (signal, OF_SIGNAL)):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    failed = 0
    for number, path in enumerate(paths):
        spec = importlib.util.spec_from_file_location(f"test_{number}", path)
        assert spec.loader is not None
        sys.path.insert(0, str(Path(path).parent))
        try:
            module = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = module
            spec.loader.exec_module(module)
        except pytest.skip.Exception:
            pass
        except Exception as error:
            failed += 1
            print(f"{path}: {type(error).__name__}: {error}")
    if not failed:
        print(f"{len(paths)} imported")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
