"""What the fuzz targets share: mutating samples, looking for the shortest input, keeping what was found."""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
import unicodedata
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
SAMPLES = HERE.parent.parent / "samples"
SLOW = 3.0  # seconds for one input; more is reported as a hang would be

Target = Callable[[bytes], None]
ODD = [
    b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r", b"\t", b"\x1b[2J", "\u202e".encode(), "e\u0301".encode(), b"\n",
    "\U0001f004".encode(), "\u2026".encode(), "\u2212".encode(), b'"', b"'", b"#", b"!", b"@", b":", b"=", b"...",
    b"(", b")", b"[", b"]", b"+", b"<", b"99999999999999999999", b"-1", b"0", b"1111b", b"E", b"X", b"  ",
    "\u0663".encode(), b"!dead", b"!robbed", b"!loose", b"win", b"win from ",
]  # fmt: skip


class Found(NamedTuple):
    """An input that a target did not stand, and the last line of the exception."""

    data: bytes
    reason: str


def visible_only(text: str) -> None:
    """Fails where *text*, about to be shown, could move a cursor or reorder what stands beside it."""
    for character in text:
        harmless = character == "\n" or character.isprintable() or unicodedata.category(character) == "Zs"
        assert harmless, ascii(text)[:200]


def mutated(chance: random.Random, seeds: list[bytes]) -> bytes:
    """One of the seeds with a few changes: pieces cut, doubled, moved, taken from another seed, made odd."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 2, 3, 5, 8))):
        place = chance.randrange(len(data) + 1)
        end = min(len(data), place + chance.choice((1, 1, 2, 4, 8, 30)))
        change = chance.randrange(7)
        if change == 0:
            del data[place:end]
        elif change == 1:
            data[place:place] = chance.choice(ODD)
        elif change == 2:
            data[place:place] = data[place:end] * chance.choice((1, 2, 20))
        elif change == 3:
            other = chance.choice(seeds)
            start = chance.randrange(len(other) + 1)
            data[place:end] = other[start : start + chance.choice((2, 8, 40, 200))]
        elif change == 4 and data:
            data[place % len(data)] = chance.randrange(256)
        elif change == 5:
            data[place:end] = data[place:end][::-1]
        else:
            lines = bytes(data).split(b"\n")
            chance.shuffle(lines)
            data = bytearray(b"\n".join(lines))
    return bytes(data)


def attempt(target: Target, data: bytes) -> str:
    """Why *target* does not stand *data*: where which exception arose; empty where it does."""
    began = time.perf_counter()
    try:
        target(data)
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
    return "slow" if time.perf_counter() - began > SLOW else ""


def shortest(target: Target, data: bytes, reason: str, tries: int = 1500) -> bytes:
    """A shorter input that fails in the same way, by leaving out ever smaller pieces."""
    size = max(1, len(data) // 2)
    while size and tries > 0:
        place = 0
        while place < len(data) and tries > 0:
            tries -= 1
            shorter = data[:place] + data[place + size :]
            if attempt(target, shorter) == reason:
                data = shorter
            else:
                place += size
        size //= 2
    return data


def seeds_of(name: str, more: Iterable[bytes]) -> list[bytes]:
    """The seeds of a target: its own, and what was found with it before."""
    return [*more, *(path.read_bytes() for path in sorted(CORPUS.glob(f"{name}-*")))]


def run(name: str, target: Target, seeds: list[bytes], inputs: int, seconds: float, seed: int) -> list[Found]:
    """Tries so many inputs, or for so long; each kind of failure is found once."""
    chance = random.Random(seed)
    found: dict[str, Found] = {}
    until = time.monotonic() + seconds
    tried = 0
    while tried < inputs and time.monotonic() < until:
        tried += 1
        data = mutated(chance, seeds)
        reason = attempt(target, data)
        if reason and reason not in found:
            found[reason] = Found(shortest(target, data, reason, 30 if reason == "slow" else 1500), reason)
    print(f"{name}: {tried} inputs from seed {seed}, {len(found)} kinds of failure")
    return list(found.values())


def main(name: str, target: Target, seeds: list[bytes]) -> None:
    """The command line of a target; ends with 1 where something was found, which is kept in corpus/."""
    parser = argparse.ArgumentParser(description=f"Mutates samples and feeds them to {name}.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--inputs", type=int, default=1 << 60)
    parser.add_argument("--no-keep", action="store_true", help="do not write what is found to corpus/")
    parser.add_argument("file", nargs="?", type=Path, help="feed this one file and show the traceback")
    given = parser.parse_args()
    if given.file is not None:
        target(given.file.read_bytes())
        return
    found = run(name, target, seeds_of(name, seeds), given.inputs, given.seconds, given.seed)
    for one in found:
        path = CORPUS / f"{name}-{zlib.crc32(one.data):08x}"
        if not given.no_keep:
            path.write_bytes(one.data)
        print(f"  {one.reason}: {one.data[:300]!r}\n    {sys.argv[0]} {path}")
    sys.exit(bool(found))
