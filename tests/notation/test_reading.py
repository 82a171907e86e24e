"""What people type is read as they mean it, or refused with what they may have meant: readings.txt, whole."""

from __future__ import annotations

from pathlib import Path

import pytest

import mjscore
from mjscore.notation.names import People
from mjscore.notation.reading import read_hand
from mjscore.refusal import Refused

TABLE = People({"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}, "Ben")
LINES = [
    line.replace("\\t", "\t")
    for line in (Path(__file__).parent / "readings.txt").read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("#")
]


def holds(hand: mjscore.Hand) -> bool:
    """Whether some rulebook scores a hand."""
    hand = hand._replace(win=hand.win and hand.win._replace(discarder=None, earlier=None))
    return any(mjscore.score(hand, book).error is None for book in ("harr", "babcock"))


def read(typed: str):
    people = TABLE if typed.startswith("{play} ") else People()
    return read_hand(typed.removeprefix("{play} "), people, holds)


@pytest.mark.parametrize("line", [line for line in LINES if "  =>  " in line])
def test_read_as_it_is_meant(line):
    typed, _, expected = line.partition("  =>  ")
    reading = read(typed)
    assert reading.text == expected
    # the strict line is strict, and means the hand that was read
    assert mjscore.parse(reading.text) == reading.hand


@pytest.mark.parametrize("line", [line for line in LINES if "  =!  " in line])
def test_refused_with_what_to_type(line):
    typed, _, expected = line.partition("  =!  ")
    code, _, help_text = expected.strip().partition(": ")
    with pytest.raises(Refused) as refused:
        read(typed)
    assert refused.value.refusal.code.startswith(code)
    assert help_text in refused.value.refusal.hint
    assert refused.value.refusal.hint


def test_the_table_is_large():
    assert sum("  =>  " in line for line in LINES) >= 150
    assert sum("  =!  " in line for line in LINES) >= 80
