"""Taps make hands: what can be tapped, what cannot and why, what each touch does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tables import table

from mjscore.game.tiles import TILES
from mjscore.phone.keyboard import grey_keys, press, tapped


@table
def test_what_taps_make(taps, body):
    state, taken, refused = tapped(filter(None, taps.split(",")))
    assert (state.body(), refused) == (body, None)
    assert taps.startswith("line") or len(taken) == len([*filter(None, taps.split(","))])
    assert tapped(taken) == (state, taken, None)


@table
def test_what_cannot_be_is_refused_and_changes_nothing(taps, code):
    *before, last = taps.split(",")
    state, taken, refused = tapped([*before, last])
    assert refused is not None
    assert refused.refusal.code == code
    assert taken == before
    assert state == tapped(before)[0]


def test_what_cannot_be_tapped_is_grey_with_its_reason():
    state = tapped(["1f", "5c", "5c", "5c", "5c"])[0]
    assert {key: str(refused) for key, refused in grey_keys(state).items()} == {
        "5c": "there are only four 5 characters",
        "1f": "there is only one flower 1",
    }
    chow = grey_keys(tapped(["5c", "5c", "5c", "5c", "chow"])[0])
    assert {"3c", "4c", "5c", "8c", "9b", "Ew", "Rd", "1f"} <= set(chow)
    assert "6c" not in chow
    assert str(chow["8c"]) == "no chow begins with 8 characters"
    full = grey_keys(tapped(["pung", "1b", "pung", "2b", "pung", "3b", "pung", "4b", "Rd", "Rd"])[0])
    assert {"9d", "pung", "kong", "chow"} <= set(full)
    assert "1f" not in full  # bonus tiles are over and above


def test_the_seat_and_round_of_a_typed_hand_are_known():
    state = tapped(["line W@S: 123b ..."])[0]
    assert (state.seat, state.round) == ("W", "S")


@table
def test_a_touched_set_goes_out_and_nothing_else(taps, left, body):
    state, taken, refused = tapped(taps.split(","))
    assert (",".join(taken), state.body(), refused) == (left, body, None)


KEYS = st.sampled_from(
    [*map(str, TILES[:12]), "pung", "chow", "kong", "drawn", "set 0 1b", "set 1 2b", "in 2b", "out 0"]
)


@given(st.lists(KEYS, max_size=20), st.integers(0, 3))
def test_a_set_that_goes_out_leaves_the_state_without_it(taps, number):
    before, taken, _ = tapped(taps)
    after, left, refused = tapped([*taken, f"out {number}"])
    assert refused is None
    assert after == press(before, f"out {number}")
    assert after.sets == before.sets[:number] + before.sets[number + 1 :]
    assert (after.loose, after.win, after.pending) == (before.loose, before.win, before.pending)
    assert tapped(left)[0]._replace(touched=None) == after
