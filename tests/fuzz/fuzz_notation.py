"""Hands of any text. Run it longer with: python tests/fuzz/fuzz_notation.py --seconds 600"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from mutation import SAMPLES, main, visible_only
from strategies import random_loser, random_winner

import mjscore
from mjscore.rulebook import RULEBOOKS

NAME = "notation"
ALL_ON = {"babcock": {"optional": "all", "seasons": "on"}, "babcock-chinese": {"optional": "all"}}


def target(data: bytes) -> None:
    """A text is refused with a place and a remedy, or is a hand that formats, parses and scores alike."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        hand = mjscore.parse(text)
    except mjscore.Refused as refused:
        visible_only(refused.refusal.render())
        assert refused.refusal.code
        return
    assert mjscore.parse(str(hand)) == hand, (text, str(hand))
    for rulebook in RULEBOOKS:
        sheet = mjscore.score(hand, rulebook, options=ALL_ON.get(rulebook))
        assert sheet == mjscore.score(text, rulebook, options=ALL_ON.get(rulebook)) or sheet.error is not None
        if sheet.error is not None:
            visible_only(sheet.error.render())
            assert sheet.score is None
        else:
            assert sheet.score is not None
            assert sheet.score >= 0
            assert sheet.points == sum(item.points for item in sheet.items)
            assert sheet.doubles == sum(line.doubles for line in sheet.doubling)
        waits = mjscore.waits(hand, rulebook)
        if waits.error is not None:
            visible_only(waits.error.render())


def seeds() -> list[bytes]:
    """The hands of the samples, and random ones."""
    import random

    chance = random.Random(1)
    found = [str(make(chance)).encode() for make in (random_winner, random_loser) for _ in range(60)]
    for path in sorted(SAMPLES.glob("*.mj")):
        for line in path.read_bytes().split(b"\n"):
            hand = line.split(b"#")[0].split(b"=")[0]
            if b"b" in hand and (b":" in hand or b"<" in hand or b"+" in hand):
                found.append(hand.rsplit(b'"', 1)[-1].strip())
    return found


if __name__ == "__main__":
    main(NAME, target, seeds())
