"""Arguments of any text. Run it longer with: python tests/fuzz/fuzz_command_line.py --seconds 600"""

from __future__ import annotations

import json
import os
import tempfile

from click.testing import CliRunner
from mutation import SAMPLES, main

from mjscore.command_line import COMMANDS, cli

NAME = "command"
HAND = "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"
WORDS = [
    *(["score", HAND, *more] for more in (
        ["--why"], ["-r", "babcock", "-r", "harr", "-s", "limit=600"], ["--format", "json", "--why"],
        ["--seat", "E", "--round", "N"], ["--tiles", "unicode"], ["--tiles", "boxed"], ["-", "1b"],
        ["-r", "babcock-chinese", "-s", "mah-jongg=50", "-s", "round-wind=off"],
    )),
    ["score", HAND, "123b", "--format", "json"],
    ["settle", "E=480", "S=64", "W=272", "N=16", "--winner", "E", "--from", "S"],
    ["settle", "E=480", "S=64", "W=272", "N=dead", "--winner", "E", "--drawn", "--counters", "harr"],
    ["settle", "E=480", "S=(RRR) ...", "W=272", "N=16", "--winner", "E", "-r", "babcock", "--format", "json"],
    ["settle", "table.mj", "--counters", "babcock", "--pair-by-pair", "--round", "S"],
    ["check", "table.mj", "--format", "csv"],
    ["check", "table.mj", "--format", "summary", "-r", "house-rules.toml"],
    ["check", "table.mj", "--format", "json", "-s", "limit=100"],
    ["check", "-", "table.mj"],
    ["waits", "1112345678999c", "-r", "babcock", "-s", "optional=all"],
    ["waits", "-", "--format", "json"],
    ["rules"], ["rules", "list"], ["rules", "show", "house-rules.toml"], ["rules", "diff", "harr", "house-rules.toml"],
    *([name, "--help"] for name in COMMANDS),
    *([name, "table.mj", "--format", "json"] for name in COMMANDS),
]  # fmt: skip


def target(data: bytes) -> None:
    """Any arguments end with status 0, 1 or 2 and no exception; JSON stays JSON."""
    arguments = [word.decode("utf-8", "surrogateescape") for word in data.split(b"\n")]
    if any("\0" in word or word.startswith(("/", "~", "--update", "--svg", "--j")) for word in arguments):
        return  # no system hands over a NUL; nothing is to be written or read outside the folder
    here = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="mjscore-fuzz-") as folder:
        for name in ("table.mj", "house-rules.toml"):
            with open(os.path.join(folder, name), "wb") as copy:
                copy.write((SAMPLES / name).read_bytes())
        os.chdir(folder)
        try:
            result = CliRunner().invoke(
                cli, arguments, input="(RRR) 123b 456b 789b 5d <5d\n", catch_exceptions=False
            )
        finally:
            os.chdir(here)
    assert result.exit_code in (0, 1, 2), result.exit_code
    assert result.exit_code != 2 or result.stderr
    for line in result.stdout.splitlines() if "json" in arguments else ():
        if line.startswith("{"):
            json.loads(line)


def seeds() -> list[bytes]:
    """Command lines, an argument a line."""
    return ["\n".join(words).encode() for words in WORDS]


if __name__ == "__main__":
    main(NAME, target, seeds())
