"""Lines of a file as records: whatever stands around a hand, it is the hand that the notation reads."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import random_dead_hand, random_loser, random_winner
from tables import table

import mjscore
from mjscore.game.hand import Hand
from mjscore.record.events import EVENTS
from mjscore.record.lines import (
    BlockLine,
    EastRow,
    EventLine,
    HandLine,
    HeaderLine,
    NoteLine,
    PaysRow,
    PlayersLine,
    SeatRow,
    SettingLine,
    parse_line,
    parse_row,
    renamed,
)
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
    assert isinstance(wash, EventLine)
    assert "".join(map(str, wash.tiles)) == "1b9b1c9c1dEwSwWwNwRdGd5d"


NAMES = st.sampled_from(["E", "N", "Ann", "Old Cid", "12", "Zoë, 3rd", "a#b", "Ben's", "x:y", "=", "@S"])
WORDS = st.sampled_from(["", "Thursday at Ann's", "# 3", "a = 3", "西"])
WINDS = st.sampled_from("ESWN")
NUMBERS = st.integers(0, 10**6)
NUMBERED = st.integers(-(10**6), 10**6)
EXPECTED = st.none() | NUMBERS | st.just("error")


def lines(*records: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.one_of(*records)


def event(word, names=(), rule="", **rest) -> EventLine:
    return EventLine(word, names, rule, **rest)


SETTINGS = lines(
    st.builds(HeaderLine, st.just("rulebook"), NAMES),
    st.builds(
        SettingLine, st.sampled_from(["limit", "nine-mummies"]), st.sampled_from(["600", "on", "none", "a b"])
    ),
    st.builds(HeaderLine, st.just("round"), WINDS),
    st.builds(
        PlayersLine,
        st.lists(NAMES.filter(lambda name: name not in "ESWN"), min_size=2, max_size=5, unique=True).map(
            tuple
        ),
    ),
    st.builds(HeaderLine, st.just("rules"), st.sampled_from(["b53494b3c97a", "123456789012"])),
    st.builds(HeaderLine, st.sampled_from(["title", "counters", "date"]), WORDS),
    st.builds(HeaderLine, st.sampled_from(["bank", "pair-by-pair"]), st.just("")),
    st.builds(BlockLine, st.none() | WORDS, st.none() | WINDS),
    st.builds(NoteLine, WORDS),
    st.builds(HandLine, st.none() | WORDS, hands, EXPECTED),
)
TILES_DEALT = hands.map(lambda hand: hand.concealed[::-1]).filter(bool)
HAPPENED = lines(
    st.builds(event, st.just("draw"), manner=st.sampled_from(["", "four"])),
    st.builds(event, st.just("wash"), st.tuples(NAMES), number=st.none() | NUMBERS),
    st.builds(event, st.just("wash"), st.tuples(NAMES), tiles=TILES_DEALT),
    st.builds(event, st.just("wash"), st.tuples(NAMES), manner=st.just("not-touching")),
    st.builds(event, st.sampled_from(["false", "long"]), st.tuples(NAMES)),
    st.builds(event, st.just("penalty"), st.lists(NAMES, min_size=1, max_size=4).map(tuple), NAMES),
    st.builds(event, st.just("pay"), st.tuples(NAMES, NAMES), number=NUMBERS),
    st.builds(event, st.just("seat"), st.tuples(NAMES, NAMES | st.just(""))),
    st.builds(event, st.just("seat"), st.tuples(st.just(""), NAMES)),
)
OWN_ROUND = st.none() | WINDS
HOW_WON = st.sampled_from([(None, None), (True, None), (False, "Ann"), (False, "Old Cid"), (False, "S")])


def with_round(row: SeatRow, wind: str | None) -> SeatRow:
    """The round stands behind a name only where that is one word."""
    if wind is None or str(row).startswith('"'):
        return row
    return (
        row._replace(given=row.given._replace(round=wind))
        if isinstance(row.given, Hand)
        else row._replace(round=wind)
    )


ROWS = lines(
    st.builds(
        lambda name, hand, expected, wind: with_round(
            SeatRow(name, hand._replace(seat=None, round=None), hand.win is not None, expected=expected), wind
        ),
        NAMES, hands, EXPECTED, OWN_ROUND,
    ),
    st.builds(lambda name, given, wind: with_round(SeatRow(name, given), wind), NAMES, st.none() | NUMBERS, OWN_ROUND),
    st.builds(
        lambda name, score, how, doubles, ninth: SeatRow(name, score, True, *how, doubles, ninth),
        NAMES, NUMBERS, HOW_WON, st.none() | st.integers(0, 60), st.booleans(),
    ),
    st.builds(PaysRow, st.lists(st.tuples(NAMES, NUMBERED), min_size=1).map(tuple)),
    st.builds(EastRow, NAMES, st.none(), st.none()),
    st.builds(EastRow, NAMES, WINDS, st.none() | st.integers(0, 9)),
    st.builds(NoteLine, WORDS),
)  # fmt: skip


@given(SETTINGS | HAPPENED)
def test_a_line_is_what_its_text_is_read_as(record):
    assert parse_line(str(record)) == record


@given(ROWS)
def test_a_row_is_what_its_text_is_read_as(record):
    assert parse_row(f"  {record}") == record


def test_every_event_has_its_row_in_the_table():
    assert {word for word, event in EVENTS.items() if event.word == word} == {
        "draw", "wash", "false", "long", "penalty", "pay", "seat"
    }  # fmt: skip


@pytest.mark.parametrize("path", sorted((ROOT / "samples").rglob("*.mj")), ids=lambda path: path.stem)
def test_the_lines_of_the_samples_are_what_their_texts_are_read_as(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        parse = parse_row if line.startswith(" ") else parse_line
        record = read(parse, line)
        if record is not None and not isinstance(record, Refusal):
            assert parse(str(record)) == record


SEATED = {"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}


@table
def test_players_in_place_of_winds(text, named):
    assert str(renamed(parse_row(text), SEATED)) == named


@table
def test_players_in_place_of_winds_in_events(text, named):
    assert str(renamed(parse_line(text), SEATED)) == named


@table
def test_what_is_wrong_with_a_line_is_marked(read_as, text, code, column):
    refusal = read({"line": parse_line, "row": parse_row}[read_as], text)
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
@example("S\x1f:")
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


LONG = {
    "blanks behind": lambda n: '"a" 1b ...' + " \t" * n,
    "blanks around": lambda n: " " * n + "1b ..." + " " * n + "# " + " " * n,
    "winds": lambda n: "E" * n,
    "winds, a letter": lambda n: "E" * n + "x",
    "an open set": lambda n: "(" + "E" * n,
    "an open set of words": lambda n: "(" + "EEw " * n,
    "digits": lambda n: "1" * n,
    "tiles, a letter": lambda n: "1b" * n + "x",
    "signs": lambda n: "+" * n,
    "signs of equality": lambda n: "1b " + "= " * n,
    "colons": lambda n: ": " * n,
    "letters, a name": lambda n: "x" * n + " y",
    "letters behind": lambda n: "1b +1c " + "x" * n,
    "West": lambda n: "W" * n,
    "a flag": lambda n: "!" + "a" * n,
    "quotation marks": lambda n: '"' * n,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_eight_times_the_line_takes_about_eight_times_the_time(text):
    """Were there two ways to read a part of a line, or a scan for each character, it would take 64 times the time."""

    def quickest(length: int) -> float:
        return min(seconds(text(length)) for _ in range(3))

    assert quickest(40_000) < 32 * quickest(5_000)


def seconds(text: str) -> float:
    """How long it takes to read a line, in the time of the processor."""
    began = time.process_time()
    any_line(text)
    return time.process_time() - began
