"""Washes, false wins and long hands: who pays what, and what cannot be."""

from __future__ import annotations

import pytest
from tables import table

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


@table
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


def remark(text: str) -> tuple[str, ...]:
    """What is said of the last table."""
    (*_, found) = Reader("x.mj", Context()).check(blocks(lines_of(text + "\n")))
    assert found.refusals == ()
    return found.outcome.remarks


def test_what_is_said_of_a_wash():
    (said,) = remark("rulebook harr-limit\nwash S 11")
    assert said.startswith("11 heads: 100 from each player (Harr")
    # Babcock's washing is a new draw alone, with a bonus only by another option
    (said,) = remark("rulebook babcock-chinese\nset nine-mummies on\nwash S 9")
    assert said.startswith("9 heads: a new draw, and no bonus (Babcock")
    (said,) = remark("rulebook babcock-chinese\nset nine-mummies on\nwash S")
    assert said.startswith("a new draw, and no bonus (Babcock")


@pytest.mark.parametrize("line", ["pay S E 100", "draw"])
def test_nothing_is_said_where_there_is_nothing_to_say(line):
    assert remark(f"rulebook harr\n{line}") == ()


@table
def test_a_penalty_that_is_not_known_is_paid_as_agreed(line, hint):
    """Who was named first pays one who was not named, if there is any; never himself."""
    (found,) = Reader("x.mj", Context()).check(blocks(lines_of(f"rulebook harr\n{line}\n")))
    assert [refusal.hint for refusal in found.refusals] == [hint]


SLIP = """
id = "house"
title = "House"
extends = "dmjl"

[[settle]]
id = "slip"
title = "A slip"
rule = "penalty"
points = 60
paid = "named"
source = "ours"
"""


def test_one_pays_one_where_both_are_named(tmp_path):
    (tmp_path / "house.toml").write_text(SLIP, encoding="utf-8")
    text = "rulebook house.toml\npenalty slip S W\n"
    (found,) = Reader("x.mj", Context(folder=str(tmp_path))).check(blocks(lines_of(text)))
    assert [payment[:3] for payment in found.outcome.payments] == [("S", "W", 60)]


@table
def test_a_penalty_without_its_players_says_whom_to_name(line, hint, tmp_path):
    (tmp_path / "house.toml").write_text(SLIP, encoding="utf-8")
    text = f"rulebook house.toml\n{line}\n"
    (found,) = Reader("x.mj", Context(folder=str(tmp_path))).check(blocks(lines_of(text)))
    assert [(refusal.code, refusal.hint) for refusal in found.refusals] == [("penalty-players", hint)]


def test_penalties_are_rounded_and_what_was_agreed_is_not():
    """Half of a limit of 250 is 125, to the nearest ten 120 (Babcock p. 82); East's 250 is round."""
    head = "rulebook babcock-chinese\nset limit 250\nset nearest-ten on\nset false-win half\n"
    assert outcome(f"{head}false S")[1] == {"E": 250, "S": -490, "W": 120, "N": 120}
    assert outcome(f"{head}pay S E 114")[1] == {"E": 114, "S": -114, "W": 0, "N": 0}


def test_of_points_that_are_shared_each_gets_a_whole_number():
    """50 among three are 16 each; what is left over nobody pays."""
    nets = outcome("rulebook dmjl\npenalty misnamed-chow S")[1]
    assert nets == {"E": 16, "S": -48, "W": 16, "N": 16}
