"""The benchmark: ``mjscore check`` and PyPI's ``mahjong``, whole processes side by side.

    python tests/benchmarks/run.py [--sizes 400 6000 300000] [--runs 5] [--warm]

Needs ``pip install mahjong``, and mjscore installed as it is used (not ``-e``). Each run measures all one after the
other, so that a change of the machine's speed touches all alike; the figures are medians of the ratios, run by run. Nothing kept between runs is used, as on the
first run after an installation; ``--warm`` uses it.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
_MAIN = "from mjscore.__main__ import main; main()"


class Spent(NamedTuple):
    """Seconds of a process and of those that it began: by the processor and by the clock."""

    processor: float
    clock: float


def spent(*command: str) -> Spent:
    """Run *command* to its end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        subprocess.run(command, check=True, stdout=out, cwd=HERE)
    clock = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock)


def check_command(path: str, jobs: int = 1) -> tuple[str, ...]:
    """``mjscore check`` as a process of this Python."""
    return (sys.executable, "-c", _MAIN, "check", "--format", "json", "--jobs", str(jobs), path)


def compare(size: int, runs: int) -> list[str]:
    """The table's rows for files of *size* hands, one hand to a line."""
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = str(Path(folder, "hands.mj")), str(Path(folder, "peer.txt"))
        subprocess.run(
            [sys.executable, str(HERE / "hands.py"), str(size), ours, theirs], check=True, cwd=HERE
        )
        spent(*check_command(ours))  # compiled, and with --warm kept
        one, two, peer = [], [], []
        for _ in range(runs):
            one.append(spent(*check_command(ours)))
            peer.append(spent(sys.executable, str(HERE / "peer.py"), theirs))
            two.append(spent(*check_command(ours, 2)))
    jobs = statistics.median(alone.clock / both.clock for alone, both in zip(one, two, strict=True))
    return [
        row("mjscore", size, one, peer),
        row("`mahjong`", size, peer, peer),
        f"| {size:,} | two jobs | | {jobs:.2f} times one, by the clock |",
    ]


def row(name: str, size: int, times: list[Spent], peer: list[Spent]) -> str:
    """Hands a second of processor time, and how many times the peer's."""
    rate = statistics.median(size / one.processor for one in times)
    ratio = statistics.median(other.processor / one.processor for one, other in zip(times, peer, strict=True))
    return f"| {size:,} | {name} | {rate:,.0f} | {ratio:.2f} |"


def start_of_the_program(runs: int) -> str:
    """``mjscore score HAND`` against the imports that it cannot do without."""
    program = str(Path(sys.executable).with_name("mjscore"))
    scores, imports = [], []
    for _ in range(runs):
        scores.append(spent(program, "score", "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"))
        imports.append(spent(sys.executable, "-c", "import click, lark"))
    ratio = statistics.median(
        one.processor / other.processor for one, other in zip(scores, imports, strict=True)
    )
    return (
        f"`mjscore score HAND`: {1000 * statistics.median(one.processor for one in scores):.0f} ms, "
        f'{ratio:.2f} times `python -c "import click, lark"`.'
    )


def main() -> None:
    """Read the options, and measure."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sizes", type=int, nargs="+", default=[400, 6_000, 300_000])
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--warm", action="store_true", help="use what earlier runs have kept")
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as kept:
        os.environ["MJSCORE_CACHE"] = kept if arguments.warm else ""
        measure(arguments.sizes, arguments.runs)


def measure(sizes: list[int], runs: int) -> None:
    """Print the table."""
    print(f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}.\n")
    print("| hands in the file | what | hands a second | against `mahjong` |")
    print("|---|---|---|---|")
    for size in sizes:
        # a short run tells little, so there are more of them
        for line in compare(size, runs * (4 if size < 10_000 else 1)):
            print(line, flush=True)
    print()
    print(start_of_the_program(4 * runs))


if __name__ == "__main__":
    main()
