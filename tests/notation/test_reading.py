"""What people type is read as they mean it, or refused with what they may have meant: readings.txt, whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

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

CHARACTERS = "123456789bcdfswESWNRGeswnrgmpz +<>!()[]/:;,.@\"'…萬中🀇 loose from self west "


def _spoilt(line: str):
    """A line of the table with a character put in, taken out or changed."""
    typed = line.partition("  =")[0]
    places = st.integers(0, len(typed))
    return st.builds(
        lambda place, new, gone: typed[:place] + new + typed[place + gone :],
        places,
        st.text(CHARACTERS, max_size=2),
        st.integers(0, 2),
    )


def worth(hand: mjscore.Hand) -> tuple[int | None, ...] | None:
    """What two rulebooks score a hand, None where neither does."""
    hand = hand._replace(win=hand.win and hand.win._replace(discarder=None, earlier=None))
    scores = tuple(mjscore.score(hand, book).score for book in ("harr", "babcock"))
    return None if scores == (None, None) else scores


def read(typed: str):
    people = TABLE if typed.startswith("{play} ") else People()
    return read_hand(typed.removeprefix("{play} "), people, worth)


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


def test_a_fault_behind_a_seat_that_is_a_word_is_marked_in_its_own_place():
    with pytest.raises(Refused) as refused:
        read("South (RRR) 456")
    refusal = refused.value.refusal
    assert (refusal.column, refusal.length, refusal.text) == (13, 3, "South (RRR) 456")


def test_the_table_is_large():
    assert sum("  =>  " in line for line in LINES) >= 150
    assert sum("  =!  " in line for line in LINES) >= 80


@given(st.text(CHARACTERS, max_size=60) | st.sampled_from(LINES).flatmap(_spoilt))
def test_whatever_is_typed_is_read_or_refused(typed):
    try:
        reading = read(typed)
    except Refused as refused:
        assert refused.refusal.code
        return
    if reading.hand.win is None or reading.hand.win.discarder is None:
        assert mjscore.parse(reading.text) == reading.hand
    if not reading.loosely:
        assert mjscore.parse(typed.removeprefix("{play} ")) == reading.hand


def test_what_is_strict_stays_what_it_is():
    for line in LINES:
        text = line.partition("  =>  ")[2]
        if text:
            assert read_hand(text, TABLE, worth).text == text
