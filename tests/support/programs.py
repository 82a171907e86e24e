"""Several commands in one new process, which is what takes the time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

RUN_ALL = """
import json, sys
from mjscore.cli.main import main
sys.stderr = sys.stdout
for arguments in json.loads(sys.argv[1]):
    sys.argv = ["mjscore", *arguments]
    try:
        main()
        status = 0
    except SystemExit as ended:
        status = ended.code or 0
    print("exit", status, "of", arguments[0])
"""


def run_all(
    calls: Iterable[tuple[str, ...]],
    environment: dict[str, str],
    python: Path | str = sys.executable,
    folder: Path = Path(__file__).parents[2],
) -> subprocess.CompletedProcess[bytes]:
    """What commands say, and how each of them ended; standard error goes where the output goes."""
    return subprocess.run(
        [str(python), "-c", RUN_ALL, json.dumps(list(calls))],
        cwd=folder, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
