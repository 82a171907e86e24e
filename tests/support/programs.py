"""Commands run here, several in one new process, or each in a copy of one: to start Python is what takes the time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner, Result

from mjscore.cli.main import cli


def run_command(*arguments: str, input: str | bytes | None = None, **environment: str | None) -> Result:
    """What a command says, and how it ends: never by an exception."""
    result = CliRunner().invoke(cli, arguments, input=input, env=environment)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


RUN_ALL = """
import json, sys
from mjscore.cli.main import main
sys.stderr = sys.stdout
for arguments in json.loads(sys.argv[1]):
    if arguments[0] == "in":
        sys.stdout.flush()
        sys.stdout.buffer.write(b"<<>>")
        sys.stdout.reconfigure(encoding=arguments[1], errors="strict")
        continue
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
    """What commands say, and how each of them ended; standard error goes where the output goes.

    Behind ``("in", encoding)``, which is told by ``<<>>``, output is in that encoding, as if the process had begun in it.
    """
    return subprocess.run(
        [str(python), "-c", RUN_ALL, json.dumps(list(calls))],
        cwd=folder, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip


EACH_FORKED = """
import json, os, sys
from click.testing import CliRunner
from mjscore.cli.main import COMMANDS, cli, main
for command in COMMANDS:
    cli.get_command(None, command)
calls, told, results = json.loads(sys.argv[1]), sys.argv[2], []
for arguments in set(map(tuple, calls)):
    if arguments[0] != "play":  # it would leave its file; what the others import and open is there for the copies
        CliRunner().invoke(cli, arguments)
for arguments in calls:
    child = os.fork()
    if not child:
        sys.argv = ["mjscore", *arguments]
        main()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    results.append([status, os.stat(told).st_size])
with open(told + ".json", "w") as stream:
    json.dump(results, stream)
"""


class Done(NamedTuple):
    """How a command ended, and what it said on standard error."""

    status: int
    errors: str


def each_forked(calls: Iterable[Iterable[str]], redirected: str, folder: Path) -> list[Done]:
    """Run commands one by one, in copies of a process that the shell has started with these streams *redirected*.

    Its streams are as Python finds them when it starts; a copy ends as a program does. What else they write lands in *folder*.
    """
    told = folder / "told"
    with told.open("wb") as errors:
        subprocess.run(
            ["sh", "-c", f'"$@" {redirected}', "sh", sys.executable, "-c", EACH_FORKED, json.dumps([*calls]), told],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, check=True,
            cwd=Path(__file__).parents[2], env={**os.environ, "TMPDIR": str(folder)},
        )  # fmt: skip
    said, start, found = told.read_text(encoding="utf-8"), 0, []
    for status, end in json.loads(told.with_name("told.json").read_text()):
        found.append(Done(status, said.encode()[start:end].decode()))
        start = end
    return found
