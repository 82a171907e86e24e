"""Where files are written thousands of times: nothing there waits for a disk."""

from __future__ import annotations

import os
import shutil


def folder_in_memory(room: int = 1 << 25) -> str | None:
    """Return the folder that the system has in memory; None where it has none, or that has not so many bytes of *room*."""
    shared = "/dev/shm"
    return shared if os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > room else None


def folder_for_all() -> str | None:
    """Return it where there is room for all that the tests write, and what they write there can be run as a program."""
    shared = folder_in_memory(1 << 32)
    return shared if shared and not os.statvfs(shared).f_flag & os.ST_NOEXEC else None
