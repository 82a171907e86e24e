"""Rulebook files of any bytes. Run it longer with: python tests/fuzz/fuzz_rulebooks.py --seconds 600"""

from __future__ import annotations

import tempfile
from itertools import count
from pathlib import Path

from mutation import SAMPLES, main, visible_only

import mjscore
from mjscore.rulebook import RULEBOOKS, bind

NAME = "rulebook"
FOLDER = tempfile.TemporaryDirectory(prefix="mjscore-fuzz-")
NUMBERS = count()
BOOKS = Path(mjscore.__file__).parent / "rulebooks"
TABLES = [
    {"E": "(RRR) (GGG) (1111c) 22b Ww Ww <Ww:S!robbed 1f2s", "S": 20, "W": "(NNN) [2222d] ...", "N": None},
    {"E": 3, "S": "(EEE) 19b 19c 19d SN RR <R:W", "W": 4, "N": "1112345678999c !nochoice"},
    {"E": "123b 456b 789b 11c 23d +4d!last", "S": 1, "W": 2, "N": 3},
]


def target(data: bytes) -> None:
    """A file is refused with its place, or is a rulebook by which any hand can be scored and settled."""
    path = Path(FOLDER.name, f"house-{next(NUMBERS)}.toml")
    path.write_bytes(data)
    try:
        book = bind(str(path))
    except mjscore.Refused as refused:
        visible_only(refused.refusal.render())
        assert refused.refusal.code
        return
    finally:
        path.unlink()
    for option in book.options:
        visible_only(option)
    for hands in TABLES:
        settlement = mjscore.settle(hands, rulebook=book)  # type: ignore[arg-type]
        assert sum(settlement.net.values()) == 0
        if settlement.error is not None:
            visible_only(settlement.error.render())
        for hand in hands.values():
            if isinstance(hand, str):
                sheet = mjscore.score(hand, book)
                if sheet.error is not None:
                    visible_only(sheet.error.render())


def seeds() -> list[bytes]:
    """The rulebooks, whole and by pieces, and house rules."""
    found = [path.read_bytes() for path in sorted(SAMPLES.glob("*.toml"))]
    for name in RULEBOOKS:
        whole = (BOOKS / f"{name}.toml").read_bytes()
        found.append(whole)
        head = b'id = "house"\ntitle = "House"\nbook = "House"\nextends = "%s"\n\n' % name.encode()
        entries = [piece for piece in whole.split(b"\n\n") if piece.startswith(b"[")]
        for place in range(0, len(entries), 3):
            entry = b"\n\n".join(entries[place : place + 3])
            found.append(head + entry)
            found.append(head + entry.replace(b'id = "', b'id = "my-'))
    return found


if __name__ == "__main__":
    main(NAME, target, seeds())
