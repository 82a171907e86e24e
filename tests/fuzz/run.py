"""Throws mutated bytes at a target for a while, keeping the inputs that reach new code.

    python tests/fuzz/run.py notation --seconds 600 [--seed 1]

Coverage-guided: the lines of mjscore that an input executes are its coverage, and an input that
executes new ones joins the pool that is mutated. Whatever raises, or takes longer than two seconds, is
written into tests/fuzz/corpus and ends the run; what lies there is run by the tests from then on.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import sys
import time
import traceback
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from targets import TARGETS

from mjscore.rulebook.facts import HAND_NAMESPACE
from mjscore.rulebook.keys import KEYS, SECTIONS, SETTLING_KINDS

HERE = Path(__file__).parent
os.environ.setdefault("COLUMNS", "80")
ROOT = HERE.parent.parent
WORDS = [
    b"(111+1d)", b"[1111c]", b"+7c", b"<5d:E", b"!loose", b"!original", b"!dead", b"...", b"WWd", b"Ww", b"EEE", b"S@E:",
    b"= 84", b"= error", b"hand", b"\n  E: ", b"\n  pays E +3", b"players A B C D\n", b"rulebook babcock\n", b"set limit 3\n",
    b"wash S 11\n", b"draw four\n", b"win from S", b'"', b"#", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r\n", b"\t", b"\x1b[2J",
    "‮".encode(), "é".encode(), "\U0001f000".encode(), b"9" * 40, b"(" * 200, b"and not ", b"pungs(dragon) == 3",
    b"[[double]]\n", b'when = "', b'extends = "harr"\n', b'tiles = "7 pairs"\n', b"points = ", b"[change.own-wind]\n",
    *(f'[[{section}]]\nid = "x"\ntitle = "X"\nsource = "s"\n'.encode() for section in SECTIONS),
    *(f"{key.name} = ".encode() for key in KEYS),
    *(f'rule = "{rule}"\n'.encode() for rule in SETTLING_KINDS),
    *(f" and {name} ".encode() for name in HAND_NAMESPACE.facts),
    b"{ option = \"limit\" }", b"'option(\"limit\") > 3'", b"[]", b"[1]", b'"1/2"', '"²"'.encode(), b'"ESN"', b"9999999", b"true",
    b"\x01", b"\x00", b"--format", b"--why", b"-", b"hands.mj", b"book.toml", b"undo\n", b"edit 2\n", b"redo\n", b"E: 20 win\n",
    b"drop = [\"mah-jongg\"]\n", b"[options]\nlimit = 500\n", b'kind = "number"\nchoices = [2, 3]\ndefault = 2\n',
]  # fmt: skip


def seeds(target: str) -> list[bytes]:
    """What is mutated first: the samples, cut up for the target."""
    files = [path.read_bytes() for path in sorted((ROOT / "samples").glob("*.mj"))]
    if target == "rulebook":
        files = [
            path.read_bytes() for path in sorted((ROOT / "mjscore" / "rulebook" / "books").glob("*.toml"))
        ]
        files.append((ROOT / "samples" / "house-rules.toml").read_bytes())
        heads = (b'id = "h"\ntitle = "H"\n', b'id = "h"\ntitle = "H"\nextends = "harr"\n')
        # each entry alone too: small files are quick, and what is new in them is kept
        return files + [
            head + b"\n[[" + entry for data in files for entry in data.split(b"\n[[")[1:] for head in heads
        ]
    if target == "table":
        return [
            b"\n".join(data.split(b"\n")[place : place + 12]) for data in files for place in range(0, 200, 12)
        ]
    lines = [line for data in files for line in data.split(b"\n") if line.strip()]
    return [*lines, *command_lines(files)] if target == "command" else lines


def command_lines(files: list[bytes]) -> list[bytes]:
    """Every command with each of its options, on a sample, with an evening typed."""
    evening = (ROOT / "samples" / "evening.mj").read_bytes()
    house = (ROOT / "samples" / "house-rules.toml").read_bytes()
    typed = (
        b"Ann: 8\nBen: 68 win\nW: 12\nDee: dead\nstandings\ncounters\npool\npool Ben\nundo\nredo\nedit 1\nAnn: 9\n"
        b"show 1\nnote x\nfalse Ann\nwash Ann\ndraw\npay Ann Ben 20\ndrop\nhelp\nquit\n"
    )
    hand = b"S@E: (222d) [1111c] 123b 456b 5c +5c!loose"
    calls = [
        *(b"score\0" + hand + b"\0" + more for more in (
            b"--why", b"--format\0json", b"-r\0harr\0-r\0babcock\0--why", b"-r\0book.toml", b"--tiles\0boxed",
            b"--tiles\0unicode", b"--svg\0hand.svg", b"-s\0limit=600\0-r\0babcock")),
        *(b"settle\0E=480\0S=64\0W=272\0N=16\0--winner\0E\0" + more for more in (
            b"--counters\0babcock\0--holds\0E=2,9,8,10\0--pool\0--bank", b"--counters\0harr\0--pair-by-pair",
            b"--counters\0book.toml", b"--from\0S", b"--drawn\0--format\0json", b"--round\0S")),
        b"settle\0hands.mj\0--counters\0babcock", b"settle\0-",
        *(b"check\0hands.mj\0--format\0" + form for form in (b"text", b"json", b"csv", b"summary")),
        b"check\0hands.mj\0--update\0new.mj", b"check\0-\0-r\0book.toml",
        b"waits\x00" + hand, b"waits\x001112345678999c\0--format\0json",
        b"rules\0list", b"rules\0show\0book.toml", b"rules\0diff\0harr\0book.toml", b"rules\0show\0babcock\0--format\0json",
        b"report\0hands.mj", b"report\0hands.mj\0--html\0page.html\0--csv\0rows.csv", b"report\0hands.mj\0--format\0json",
        b"play\0hands.mj\0--counters\0babcock", b"play\0new.mj\0--players\0Ann Ben Cid Dee\0-r\0babcock\0--counters\0babcock",
        b"play\0new.mj\0--players\0Ann Ben Cid Dee\0--counters\0book.toml\0--bank",
        b"help\0notation", b"help\0score", b"explain", b"explain\0ambiguous-w", b"rules\0new\0mine.toml\0--extends\0book.toml",
    ]  # fmt: skip
    counters = (ROOT / "mjscore" / "counters" / "babcock.toml").read_bytes()
    return [
        b"\x01".join((call, data, typed))
        for call in calls
        for data in (evening, house, counters, files[0][:800])
    ]


def mutated(chance: random.Random, pool: list[bytes]) -> bytes:
    """A few small changes to an input, or two inputs joined."""
    data = bytearray(chance.choice(pool))
    for _ in range(chance.choice((1, 1, 2, 3, 5, 8))):
        place = chance.randrange(len(data) + 1)
        kind = chance.randrange(6)
        if kind == 0:
            data[place:place] = chance.choice(WORDS)
        elif kind == 1 and data:
            del data[place : place + chance.choice((1, 1, 2, 5, 20))]
        elif kind == 2 and data:
            data[min(place, len(data) - 1)] = chance.randrange(256)
        elif kind == 3:
            other = chance.choice(pool)
            cut = chance.randrange(len(other) + 1)
            data[place:] = other[cut:]
        elif kind == 4:
            data[place:place] = data[place : place + chance.randrange(40)] * chance.choice((1, 2, 30))
        else:
            data[place:place] = bytes([chance.choice(b'123456789bcdfswESWNRG()[]+<!:@ .="#')])
    return bytes(data[:20_000])


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("target", choices=sorted(TARGETS))
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--seed", type=int, default=int(time.time()))
    arguments = options.parse_args()
    target = TARGETS[arguments.target]
    chance = random.Random(arguments.seed)
    pool = seeds(arguments.target)
    covered: set[tuple[str, str, int]] = set()
    new = False

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal new
        code = frame.f_code
        if "mjscore" not in code.co_filename:
            return None
        if event == "line":
            place = (code.co_filename, code.co_name, frame.f_lineno)
            if place not in covered:
                covered.add(place)
                new = True
        return trace

    ends = time.monotonic() + arguments.seconds
    runs = 0
    while time.monotonic() < ends:
        data = mutated(chance, pool)
        new = False
        # following every line is slow, so only every fourth input is looked at for new ones
        watched = runs % 4 == 0
        started = time.process_time()
        try:
            if watched:
                sys.settrace(trace)
            target(data)
        except BaseException:
            sys.settrace(None)
            return _found(arguments.target, data, traceback.format_exc())
        finally:
            sys.settrace(None)
        if not watched and time.process_time() - started > 2:
            return _found(arguments.target, data, f"took {time.process_time() - started:.1f} seconds")
        if new and len(data) < 4000:
            pool.append(data)
        runs += 1
    print(f"{arguments.target}: {runs} inputs, {len(covered)} lines reached, {len(pool)} kept, nothing found")
    return 0


def _found(target: str, data: bytes, why: str) -> int:
    name = f"{target}-{hashlib.sha256(data).hexdigest()[:12]}"
    (HERE / "corpus" / name).write_bytes(data)
    print(f"{target}: {name}\n{why}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
