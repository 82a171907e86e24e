"""Lines of a file as records: the quick way to a hand against the parser's."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import random_dead_hand, random_loser, random_winner

from mjscore.record.lines import HandLine, Line, parse_hand_line, parse_line
from mjscore.refusal import Refused

MAKERS = (random_winner, random_winner, random_loser, random_dead_hand)
hands = st.integers(0, 10**9).map(lambda seed: MAKERS[seed % 4](random.Random(seed)))
ROOT = Path(__file__).parents[2]


def read(parser, text: str) -> Line | str:
    """What a parser makes of a line; the code of its refusal."""
    try:
        return parser(text)
    except Refused as refused:
        return refused.refusal.render()


def same(text: str) -> None:
    """The quick way reads just the lines that are hands, and reads them as the parser does."""
    quick, plain = read(parse_hand_line, text), read(parse_line, text)
    if quick is None:
        # what is no hand by the grammar, or is refused by it
        assert not isinstance(plain, HandLine)
    else:
        assert quick == plain


LINES = [
    line
    for path in sorted((ROOT / "samples").glob("*.mj"))
    for line in path.read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("path", sorted((ROOT / "samples").glob("*.mj")), ids=lambda path: path.name)
def test_the_quick_way_reads_the_samples_as_the_parser_does(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        same(line)


@given(
    hands,
    st.sampled_from(["", "  ", '"a" ', '"a # b = 3" ', '"" ']),
    st.sampled_from(
        ["", " ", " = 12", "=12", " = error", " = ", " = x", " # five", " = 12 # five", ' "late"']
    ),
)
def test_the_quick_way_reads_any_hand_as_the_parser_does(hand, label, end):
    same(f"{label}{hand}{end}")


@given(st.data())
def test_and_any_slip_in_a_line(data):
    line = data.draw(st.sampled_from(LINES))
    place = data.draw(st.integers(0, len(line)))
    kept = data.draw(st.integers(place, min(len(line), place + 2)))
    same(line[:place] + data.draw(st.text('EWSNRGbcdwfs1259()[]+<!:@ .="#', max_size=2)) + line[kept:])


@given(st.text())
@example("\x1f1b ...")
@example("1b ...\x85")
@example("1b ...\u2028")
@example('"a"1b ...=0')
def test_and_any_text(text):
    same(text.replace("\n", " ").replace("\r", " "))


@pytest.mark.parametrize("end", ["N: 1b", "x", '"', "= 3 4", ""])
def test_long_gaps_take_no_longer(end):
    # were there two ways to read a gap, this would not end
    same('"a" 1b ...' + " \t" * 40 + end)
    same(" " * 80 + "1b ..." + " " * 80 + "# " + " " * 80 + end)
