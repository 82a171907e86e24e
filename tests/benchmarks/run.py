"""How many hands a second: mjscore from file to JSON, its Python API, and PyPI's ``mahjong``, side by side.

    python tests/benchmarks/run.py [--hands 100000] [--runs 5] [--write]

Needs ``pip install mahjong``; for the start of the program, mjscore installed as it is used (not ``-e``). Every run measures all of them one after the other, so that a change of the
machine's speed touches all alike; the table gives medians of the ratios, run by run.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from hands import hands, riichi_hands

HERE = Path(__file__).parent


def timed(work: Callable[[], object]) -> float:
    """Seconds that *work* takes."""
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def check_command(path: str, jobs: int) -> list[str]:
    """``mjscore check`` as a program."""
    return [sys.executable, "-m", "mjscore", "check", "--format", "json", "--jobs", str(jobs), path]


def run_check(path: str, jobs: int = 1) -> float:
    """Seconds of a whole ``mjscore check`` process."""
    with tempfile.TemporaryFile() as out:
        return timed(lambda: subprocess.run(check_command(path, jobs), check=True, stdout=out, cwd=HERE))


_LAUNCHER = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def peak_memory(path: str) -> int:
    """Peak memory of ``mjscore check`` in kB; begun by a small process, whose size would be counted in."""
    command = [sys.executable, "-c", _LAUNCHER, *check_command(path, 1)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True, cwd=HERE).stdout)


def run_api(texts: list[str]) -> None:
    """The Python API: text to result to JSON."""
    import mjscore

    book = mjscore.load_rulebook("harr")
    for text in texts:
        sheet = mjscore.score(text, book)
        assert sheet.error is None
        json.dumps(sheet.as_json())


def run_mahjong(found: list[tuple[str, str, str, str, str, int]]) -> None:
    """PyPI's ``mahjong``: strings to tiles to the value of the hand."""
    from mahjong.constants import EAST, NORTH, SOUTH, WEST
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig
    from mahjong.tile import TilesConverter

    calculator = HandCalculator()
    winds = (EAST, SOUTH, WEST, NORTH)
    for man, pin, sou, honors, winning, place in found:
        tiles = TilesConverter.string_to_136_array(man=man, pin=pin, sou=sou, honors=honors)
        kind = 9 * int(winning[0]) + int(winning[1]) - 1
        tile = next(tile for tile in tiles if tile // 4 == kind)
        config = HandConfig(is_tsumo=True, player_wind=winds[place % 4], round_wind=winds[place // 4])
        calculator.estimate_hand_value(tiles, tile, config=config)


def stages(texts: list[str]) -> dict[str, float]:
    """Microseconds a hand of our own stages."""
    from mjscore.batch.results import _as_json
    from mjscore.record.lines import parse_hand_line
    from mjscore.record.reader import Context, Reader
    from mjscore.record.source import blocks, lines_of
    from mjscore.rulebook.binding import bind
    from mjscore.scoring.scorer import placed_hand, score_hand

    book = bind("harr")
    data = "\n".join(texts)
    parsed = [placed_hand(line.hand) for line in map(parse_hand_line, texts) if line is not None]
    checked = list(Reader("x", Context()).check(blocks(lines_of(data))))
    found = {
        "read lines": timed(lambda: [None for _ in blocks(lines_of(data))]),
        "parse": timed(lambda: [None for text in texts if parse_hand_line(text) is None]),
        "arrange and score": timed(lambda: [None for hand in parsed if score_hand(hand, book) is None]),
        "write JSON": timed(lambda: [None for one in checked if _as_json(one) is None]),
    }
    return {name: seconds / len(texts) * 1e6 for name, seconds in found.items()}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--hands", type=int, default=100_000)
    options.add_argument("--runs", type=int, default=5)
    options.add_argument(
        "--write", action="store_true", help="write the table into README.md beside this file"
    )
    arguments = options.parse_args()
    texts = list(hands(arguments.hands))
    theirs = riichi_hands(arguments.hands)
    rates: dict[str, list[float]] = {name: [] for name in ("check", "check, 2 jobs", "API", "mahjong")}
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "hands.mj"))
        Path(path).write_text("\n".join(texts) + "\n", encoding="utf-8")
        memory = peak_memory(path)  # and what is kept between runs is prepared
        for _ in range(arguments.runs):
            rates["check"].append(len(texts) / run_check(path))
            rates["check, 2 jobs"].append(len(texts) / run_check(path, 2))
            rates["API"].append(len(texts) / timed(lambda: run_api(texts)))
            rates["mahjong"].append(len(theirs) / timed(lambda: run_mahjong(theirs)))
    single = [str(Path(sys.executable).with_name("mjscore")), "score", texts[0]]
    imports = [sys.executable, "-c", "import click, lark"]
    starts = []
    for _ in range(4 * arguments.runs):
        ours = timed(lambda: subprocess.run(single, check=True, stdout=subprocess.DEVNULL, cwd=HERE))
        base = timed(lambda: subprocess.run(imports, check=True, cwd=HERE))
        starts.append((ours, base))
    lines = [
        f"Made by `python tests/benchmarks/run.py --hands {arguments.hands} --runs {arguments.runs}` on "
        f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}.",
        "",
        "| what | hands a second (median) | against `mahjong`, run by run (median) |",
        "|---|---|---|",
    ]
    for name, values in rates.items():
        ratio = statistics.median(one / other for one, other in zip(values, rates["mahjong"], strict=True))
        lines.append(f"| {name} | {statistics.median(values):.0f} | {ratio:.2f} |")
    two = statistics.median(b / a for a, b in zip(rates["check"], rates["check, 2 jobs"], strict=True))
    start = statistics.median(ours / base for ours, base in starts)
    lines += [
        "",
        f"Two jobs against one: {two:.2f}. Peak memory of `check`: {memory / 1024:.0f} MB.",
        f"`mjscore score HAND` as a whole process: {1000 * statistics.median(one for one, _ in starts):.0f} ms, "
        f'{start:.2f} times `python -c "import click, lark"`.',
        "",
        "| our own stages | microseconds a hand |",
        "|---|---|",
        *(f"| {name} | {value:.1f} |" for name, value in stages(texts).items()),
    ]
    text = "\n".join(lines)
    print(text)
    if arguments.write:
        readme = HERE / "README.md"
        head, mark, _ = readme.read_text(encoding="utf-8").partition("<!-- table -->\n")
        readme.write_text(f"{head}{mark}{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
