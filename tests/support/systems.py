"""Which tests need what only some systems have."""

from __future__ import annotations

import os

import pytest

posix = pytest.mark.skipif(
    os.name != "posix",
    reason="links, modes, pipes, devices, signals or terminals of a POSIX system",
)
