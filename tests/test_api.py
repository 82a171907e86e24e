"""What Python programs give to the functions of the package: what is promised, or a TypeError."""

from __future__ import annotations

import re

import pytest

import mjscore

HAND = "S: (RRR) GGG 11b 22b 3f ..."
WAITING = "1112345678999c"
SCORES = {"E": 480, "S": 64, "W": 272, "N": 16}
ODD = [None, 1, 1.5, b"x", [], {}, object(), True, "", "Q", "\ud800"]

CALLS = {
    "score": lambda odd: mjscore.score(odd),
    "score rulebook": lambda odd: mjscore.score(HAND, odd),
    "score options": lambda odd: mjscore.score(HAND, options=odd),
    "score option": lambda odd: mjscore.score(HAND, options={"limit": odd}),
    "score option's name": lambda odd: mjscore.score(HAND, options={odd if odd.__hash__ else 0: 1}),
    "score seat": lambda odd: mjscore.score(HAND, seat=odd),
    "score round": lambda odd: mjscore.score(HAND, round=odd),
    "waits": lambda odd: mjscore.waits(odd),
    "waits rulebook": lambda odd: mjscore.waits(WAITING, odd),
    "waits options": lambda odd: mjscore.waits(WAITING, options=odd),
    "waits seat": lambda odd: mjscore.waits(WAITING, seat=odd),
    "waits round": lambda odd: mjscore.waits(WAITING, round=odd),
    "parse": lambda odd: mjscore.parse(odd),
    "settle": lambda odd: mjscore.settle(odd),
    "settle seat": lambda odd: mjscore.settle({**SCORES, (odd if odd.__hash__ else 0): 3}, "E"),
    "settle hand": lambda odd: mjscore.settle({**SCORES, "S": odd}, "E"),
    "settle winner": lambda odd: mjscore.settle(SCORES, odd),
    "settle rulebook": lambda odd: mjscore.settle(SCORES, "E", odd),
    "settle options": lambda odd: mjscore.settle(SCORES, "E", options=odd),
    "settle discarder": lambda odd: mjscore.settle(SCORES, "E", discarder=odd),
    "settle drawn": lambda odd: mjscore.settle(SCORES, "E", drawn=odd),
    "settle round": lambda odd: mjscore.settle(SCORES, "E", round=odd),
    "settle label": lambda odd: mjscore.settle(SCORES, "E", label=odd),
    "load_rulebook": lambda odd: mjscore.load_rulebook(odd),
    "load_rulebook options": lambda odd: mjscore.load_rulebook("harr", odd),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_a_value_a_refusal_or_a_type_error_that_names_what_is_wrong(call, odd):
    try:
        CALLS[call](odd)
    except mjscore.Refused:
        assert call.startswith(("parse", "load_rulebook"))
        assert isinstance(odd, str)
    except TypeError as error:
        assert re.fullmatch(r".* must be .*, not \w+", str(error))


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: mjscore.score("(RRR) GGG 11b 22b 3f ...", seat="Q"), "no-such-seat"),
        (lambda: mjscore.score("(RRR) GGG 11b 22b 3f ...", round="Q"), "bad-round"),
        (lambda: mjscore.waits(WAITING, seat="Q"), "no-such-seat"),
        (lambda: mjscore.settle(SCORES, "Q"), "no-such-seat"),
        (lambda: mjscore.settle({**SCORES, "Q": 3}, "E"), "no-such-seat"),
        (lambda: mjscore.settle(SCORES, "E", discarder="Q"), "no-such-seat"),
    ],
)
def test_a_seat_that_there_is_not_is_refused(call, code):
    assert call().error.code == code
