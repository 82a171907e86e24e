"""Lines of a file as records: whatever stands around a hand, it is the hand that the notation reads."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import random_dead_hand, random_loser, random_winner

import mjscore
from mjscore.record.lines import HandLine, NoteLine, PaysRow, SeatRow, WashLine, parse_line, parse_row
from mjscore.refusal import Refusal, Refused

MAKERS = (random_winner, random_winner, random_loser, random_dead_hand)
hands = st.integers(0, 10**9).map(lambda seed: MAKERS[seed % 4](random.Random(seed)))
ROOT = Path(__file__).parents[2]


def read(parse, text: str) -> object:
    """What a parser makes of a text; its refusal where it makes nothing."""
    try:
        return parse(text)
    except Refused as refused:
        return refused.refusal


@given(
    hands,
    st.sampled_from([("", None), ("  ", None), ('"a" ', "a"), ('"a # b = 3"\t', "a # b = 3"), ('""', "")]),
    st.sampled_from(
        [("", None), (" ", None), (" = 12", 12), ("=12", 12), (" = error", "error"), (" # five", None)]
    ),
    st.sampled_from(["", "  ", "# = 13"]),
)
def test_a_hand_with_label_and_score(hand, label, expected, end):
    line = parse_line(f"{label[0]}{hand}{expected[0]}{end}")
    assert line == HandLine(label[1], hand, None if "#" in expected[0] else expected[1])


@given(hands, st.sampled_from(["E", "Ann", '"Old Cid"']), st.sampled_from([("", None), (" = 12 # five", 12)]))
def test_a_hand_in_a_row(hand, name, expected):
    shown = hand._replace(seat=None, round=None)
    row = parse_row(f"  {name}: {shown}{expected[0]}")
    assert row == SeatRow(name.strip('"'), shown, hand.win is not None, expected=expected[1])


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("S: 64", SeatRow("S", 64)),
        ("Ann: 480 win", SeatRow("Ann", 480, True)),
        ("E: 480 win drawn", SeatRow("E", 480, True, True)),
        ('E: 480 win from "Old Cid" doubles 3 ninth', SeatRow("E", 480, True, False, "Old Cid", 3, True)),
        ("E: dead  # too many", SeatRow("E", None)),
        ("pays N +1664 W −54 E 0", PaysRow((("N", 1664), ("W", -54), ("E", 0)))),
        ("note Ann left", NoteLine("Ann left")),
        ("", None),
    ],
)
def test_rows(text, row):
    assert parse_row(text) == row


def test_tiles_of_a_wash_stand_as_they_were_dealt():
    wash = parse_line("wash S: 19b19c1d ESWw N RG 5d")
    assert isinstance(wash, WashLine)
    assert "".join(map(str, wash.tiles)) == "1b9b1c9c1dEwSwWwNwRdGd5d"


@pytest.mark.parametrize(
    ("parse", "text", "code", "column"),
    [
        (parse_line, "S: 1b ... = 1234567890123456", "huge-number", 13),
        (parse_row, "S: 64 win doubles 61", "huge-number", 19),
        (parse_row, "S: 8s 123b", "bonus-number", 4),
        (parse_row, "S: 480b", "no-zero", 4),
        (parse_line, '"late"', "stray-quote", 1),
        (parse_line, '"a" 5x', "unknown-class", 5),
        (parse_line, "wash S: 1b +1c", "only-tiles", 12),
        (parse_line, 'players Ann S "Old Cid"', "player-name", 13),
        (parse_line, "round Q", "bad-round", 7),
    ],
)
def test_what_is_wrong_with_a_line_is_marked(parse, text, code, column):
    refusal = read(parse, text)
    assert (refusal.code, refusal.column, refusal.text) == (code, column, text)


LINES = [
    line
    for path in sorted((ROOT / "samples").glob("*.mj"))
    for line in path.read_text(encoding="utf-8").splitlines()
]


@given(st.data())
def test_a_slip_in_a_line_gives_a_line_or_a_refusal_with_its_place(data):
    line = data.draw(st.sampled_from(LINES))
    place = data.draw(st.integers(0, len(line)))
    kept = data.draw(st.integers(place, min(len(line), place + 2)))
    any_line(line[:place] + data.draw(st.text('EWSNRGbcdwfs1259()[]+<!:@ .="#', max_size=2)) + line[kept:])


@given(st.text())
@example("\x1f1b ...")
@example("1b ...\x85")
@example("1b ...\u2028")
@example('"a"1b ...=0')
def test_any_text_gives_a_line_or_a_refusal_with_its_place(text):
    any_line(text.replace("\n", " ").replace("\r", " "))


def any_line(text: str) -> None:
    for parse in (parse_line, parse_row):
        record = read(parse, text)
        if isinstance(record, Refusal):
            assert record.line == 1
            assert 1 <= record.column <= max(1, len(text))
        if isinstance(record, HandLine):
            assert mjscore.parse(str(record.hand)) == record.hand


LONG = [
    '"a" 1b ...' + " \t" * 40_000,
    " " * 80_000 + "1b ..." + " " * 80_000 + "# " + " " * 80_000,
    "E" * 60_000,
    "E" * 60_000 + "x",
    "(" + "E" * 60_000,
    "(" + "EEw " * 20_000,
    "1" * 100_000,
    "1b" * 60_000 + "x",
    "+" * 60_000,
    "1b " + "= " * 40_000,
    ": " * 40_000,
    "x" * 100_000 + " y",
    "1b +1c " + "x" * 60_000,
    "W" * 60_000,
    "!" + "a" * 60_000,
    '"' * 60_000,
]


@pytest.mark.parametrize("text", LONG, ids=lambda text: repr(text[:8]))
def test_no_line_takes_long(text):
    """Were there two ways to read a part of a line, or a scan for each character, this would not end."""
    began = time.process_time()
    any_line(text)
    assert time.process_time() - began < 5
