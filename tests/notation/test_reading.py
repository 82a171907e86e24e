"""What people type is read as they mean it, or refused with what they may have meant: readings.txt, whole."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from amounts import in_turn, part_of
from hypothesis import given
from hypothesis import strategies as st
from lark.exceptions import UnexpectedInput
from programs import run_command
from refusals import refusal_of
from strategies import random_dead_hand, random_loser, random_winner
from tables import each, table

import mjscore
from mjscore.notation.disambiguation import choose
from mjscore.notation.hands import parse_strictly, read_hand
from mjscore.notation.lexer import Lattice
from mjscore.notation.names import People
from mjscore.refusal import Refused

TABLE = People({"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}, "Ben", "E")
LINES = [
    line.replace("\\t", "\t")
    for table in ("readings.txt", "speech.txt")
    for line in Path(__file__).with_name(table).read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("#")
]

MAKERS = (random_winner, random_winner, random_loser, random_dead_hand)
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


@each("line", [line for line in LINES if "  =>  " in line])
def test_read_as_it_is_meant(line):
    typed, _, expected = line.partition("  =>  ")
    reading = read(typed)
    assert reading.text == expected
    # the strict line is strict, and means the hand that was read
    assert mjscore.parse(reading.text) == reading.hand


@each("line", [line for line in LINES if "  =!  " in line])
def test_refused_with_what_to_type(line):
    typed, _, expected = line.partition("  =!  ")
    code, _, help_text = expected.strip().partition(": ")
    refusal = refusal_of(read, typed)
    assert refusal.code.startswith(code)
    assert help_text in refusal.hint
    assert refusal.hint


@each("line", [line for line in LINES if "  =!  " in line])
def test_a_line_that_a_help_tells_to_type_is_read(line):
    typed = line.partition("  =!  ")[0]
    refusal = refusal_of(read, typed)
    for whole_line in refusal.lines:
        assert whole_line in refusal.hint
        asked = typed.partition("} ")[0] + "} " if typed.startswith("{play} ") else ""
        assert read(asked + whole_line).text == whole_line
    # and what is marked is a part of what was typed
    text = typed.removeprefix("{play} ")
    assert refusal.text == text
    assert 1 <= refusal.column <= refusal.column + refusal.length - 1 <= max(1, len(text))


@table
def test_the_one_fault_of_a_loose_line_is_told_where_it_was_typed(typed, code, marked):
    shown = run_command("score", typed, "--format", "json")
    error = json.loads(shown.stdout)["error"]
    assert (error["code"], error["column"]) == (code, typed.index(marked) + 1)
    assert f"| {' ' * typed.index(marked)}{'^' * len(marked)}\n" in run_command("score", typed).output


def of_pieces(text: str) -> mjscore.Hand:
    """The hand that the pieces of a line give, without its strict reading."""
    return choose(Lattice(text), worth).hand


@given(st.integers(0, 10**9).map(lambda seed: MAKERS[seed % 4](random.Random(seed))))
def test_pieces_read_every_strict_hand_alike(hand):
    assert of_pieces(str(hand)) == hand


def test_pieces_read_the_hands_of_the_samples_alike():
    found = 0
    for file in (Path(__file__).parents[2] / "samples").rglob("*.mj"):
        for line in in_turn(file.read_text(encoding="utf-8").splitlines(), file.name, 3):
            text = re.sub(r'^"[^"]*"', "", line).partition("#")[0].rpartition("=")[0] or line
            try:
                hand = parse_strictly(text.strip()).hand
            except (Refused, UnexpectedInput):
                continue
            if hand.seat is not None and (hand.win is None or hand.win.discarder in (None, *"ESWN")):
                found += 1
                assert of_pieces(text.strip()) == hand, text
    assert found > part_of(300, 3)


def test_a_fault_behind_a_seat_that_is_a_word_is_marked_in_its_own_place():
    refusal = refusal_of(read, "South (RRR) 456")
    assert (refusal.column, refusal.length, refusal.text) == (13, 3, "South (RRR) 456")


def test_the_table_is_large():
    assert sum("  =>  " in line for line in LINES) >= 290
    assert sum("  =!  " in line for line in LINES) >= 110


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


@pytest.mark.parametrize(
    "typed",
    [
        "(RRR 123b 456b 789b 5d <5d",
        "Q: (RRR) 123b 456b 789b 5d <5d:E",
        "EEE (RRR) 123b 456b 99c, won with 9c off ben",
        "(RRR) 123 456b 789b 5d +5d",
        "(RRR) 123b 456b 789b +5d",
    ],
)
def test_nothing_is_offered_that_would_say_something_else(typed):
    """Without a bracket, a denial or a name it would be another hand; what was not typed is not made up."""
    refusal = refusal_of(read, typed)
    assert refusal.lines == ()
    assert "would be read" not in refusal.hint
    assert "a whole hand is" not in refusal.hint


def test_what_is_offered_is_scored_by_the_same_rules():
    """A reading that the rules refuse is no answer to a question."""
    assert "as in GGGd" in refusal_of(read, "FFF 123b 456b 789b 5d +5d").hint
    refusal = refusal_of(read, "FFF 123b 456b 79d 5b 1c +1d")
    assert refusal.code == "two-meanings"
    assert "as in" not in refusal.hint
