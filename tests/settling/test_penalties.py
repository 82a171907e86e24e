"""Washes, false wins and long hands: who pays what, and what cannot be."""

from __future__ import annotations

import pytest

from mjscore.record.context import Context
from mjscore.record.reader import Reader
from mjscore.record.source import blocks, lines_of

THIRTEEN = "19b19c19d ESNw R 258c"
FOURTEEN = "19b19c19d ESNw R 2588c"
SINGLE_FOURTEEN = "19b19c19d ESNw R 258c 4d"


def outcome(text: str) -> tuple[str, dict[str, int]]:
    """The code of what is refused, or the nets."""
    found = list(Reader("x.mj", Context()).check(blocks(lines_of(text + "\n"))))
    refusals = [refusal.code for one in found for refusal in one.refusals]
    return (refusals[0], {}) if refusals else ("", dict(found[-1].outcome.net))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"rulebook harr-limit\nwash S: {THIRTEEN}", ""),
        (f"rulebook harr-limit\nwash S: {FOURTEEN}", "too-many-tiles"),
        (f"rulebook harr-limit\nwash E: {FOURTEEN}", ""),
        (f"rulebook harr-limit\nwash E: {FOURTEEN} 3b", "too-many-tiles"),
        # Babcock's Nine Mummies are among the original fourteen of any player (p. 80)
        (f"rulebook babcock-chinese\nset nine-mummies on\nwash S: {SINGLE_FOURTEEN}", ""),
        (f"rulebook babcock-chinese\nset nine-mummies on\nwash S: {FOURTEEN}", "wash-with-pair"),
        (f"rulebook babcock-chinese\nset nine-mummies on\nwash S: {SINGLE_FOURTEEN} 6d", "too-many-tiles"),
        ("rulebook harr-limit\nwash S 8", "too-few-heads"),
        ("rulebook harr-limit\nwash S 14", "too-few-heads"),
        ("rulebook harr-limit\nwash S", "heads-not-told"),
    ],
)
def test_how_many_tiles_are_washed(text, code):
    assert outcome(text)[0] == code


def test_heads_are_counted_once_each():
    assert outcome(f"rulebook harr-limit\nwash S: {THIRTEEN}")[1] == {"E": -70, "S": 210, "W": -70, "N": -70}
    assert outcome("rulebook harr-limit\nwash S: 1199b 99c 19d ESw RR 2c")[0] == "too-few-heads"


def test_south_does_not_win_easts_ninth():
    won = "hand\n  E: 10 win\n  S: 0\n  W: 0\n  N: 0\n"
    head = "rulebook babcock-chinese\nset nine-wins on\nplayers Ann Ben Cid Dee\n" + 8 * won
    assert outcome(head + won)[1] == {"E": 900, "S": -300, "W": -300, "N": -300}
    souths = won.replace("E: 10 win", "E: 0").replace("S: 0", "S: 10 win")
    assert outcome(head + souths)[1] == {"E": -20, "S": 40, "W": -10, "N": -10}


def test_a_wash_with_a_pair_names_the_pair():
    text = f"rulebook babcock-chinese\nset nine-mummies on\nwash S: {FOURTEEN}\n"
    (found,) = (one for one in Reader("x.mj", Context()).check(blocks(lines_of(text))) if one.refusals)
    assert found.refusals[0].message.startswith("a pair of 8 characters")
