"""One undo for everything, as pure functions: beside a model, and from what the page of version 1.0 kept."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from mjscore.phone import bridge

HERE = Path(__file__).parent
STEPS = Path(bridge.__file__).with_name("steps.js")


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_what_was_done_is_undone_in_its_order(tmp_path):
    module = tmp_path / "steps.mjs"  # Node goes by the name of the file
    shutil.copy(STEPS, module)
    command = ["node", HERE / "steps.mjs", module, "7", "400"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
