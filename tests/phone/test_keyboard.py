"""Taps make hands: what can be tapped, what cannot and why, what each touch does."""

from __future__ import annotations

import pytest

from mjscore.phone.keyboard import grey_keys, tapped


@pytest.mark.parametrize(
    ("taps", "body"),
    [
        ("", "0"),
        ("pung,2d", "(222d) ..."),
        ("pung,2d,set 0 2d", "222d ..."),
        ("pung,2d,set 0 2d,set 0 2d", "(222d) ..."),
        ("kong,1c", "(1111c) ..."),
        ("kong,1c,set 0 1c", "[1111c] ..."),
        ("kong,1c,set 0 1c,set 0 1c", "(111+1c) ..."),
        ("kong,1c,set 0 1c,set 0 1c,set 0 1c", "(1111c) ..."),
        ("chow,7b", "(789b) ..."),
        ("pung,pung,5d", "5d ..."),
        ("1f,5d,2s,Ww", "5d Ww 1f 2s ..."),
        ("5d,5d,in 5d", "5d ..."),
        ("1b,2b,3b,4b,5b,6b,7b,8b,9b,Ew,Ew,Ew,Rd", "123456789b EEEw Rd"),
        ("pung,1b,pung,2b,pung,3b,pung,4b,Rd,Rd,drawn,in Rd", "(111b) (222b) (333b) (444b) Rd +Rd"),
        ("pung,1b,pung,2b,pung,3b,pung,4b,Rd,Rd,claimed N,in Rd", "(111b) (222b) (333b) (444b) Rd <Rd:N"),
        # the winning tile completed the set that lies there: its other tiles were held
        ("pung,1b,pung,2b,pung,3b,pung,4b,Rd,Rd,claimed,in 4b", "(111b) (222b) (333b) 44b RRd <4b"),
        ("pung,1b,pung,2b,pung,3b,chow,4b,Rd,Rd,drawn,in 5b", "(111b) (222b) (333b) 46b RRd +5b"),
        # of tiles that are alike the one that is held is meant
        ("chow,4b,pung,2d,pung,3d,4b,5b,6b,Rd,Rd,drawn,in 5b", "(456b) (222d) (333d) 46b RRd +5b"),
        # tapped behind the key, the winning tile goes in as such
        ("pung,1b,pung,2b,pung,3b,pung,4b,Rd,drawn,Rd", "(111b) (222b) (333b) (444b) Rd +Rd"),
        ("pung,1b,pung,2b,pung,3b,pung,4b,Rd,Rd,drawn,in Rd,claimed", "(111b) (222b) (333b) (444b) Rd <Rd"),
        ("pung,1b,pung,2b,pung,3b,pung,4b,Rd,Rd,drawn,in Rd,!loose", "(111b) (222b) (333b) (444b) Rd +Rd!loose"),
        ("pung,1b,pung,2b,pung,3b,pung,4b,Rd,Rd,drawn,in Rd,!loose,claimed", "(111b) (222b) (333b) (444b) Rd <Rd"),
        ("1b,!dead", "1b !dead"),
        ("!dead", "dead"),
        ("number 64", "64"),
        ("number 64,drawn", "64 win drawn"),
        ("number 64,drawn,drawn", "64"),
        ("number 64,claimed S", "64 win from S"),
        ("number 64,claimed", "64 win"),
        ("number 64,5d", "5d ..."),
        ("line 123b 456b 777d 11c 67c <8c(678c):E", "123456b 1167c 777d <8c(678c):E"),
        ("line s@w 444d/11b 22c ...", "(444d) 11b 22c ..."),
    ],
)  # fmt: skip
def test_what_taps_make(taps, body):
    state, taken, refused = tapped(filter(None, taps.split(",")))
    assert (state.body(), refused) == (body, None)
    assert len(taken) == len([*filter(None, taps.split(","))])
    assert tapped(taken) == (state, taken, None)


@pytest.mark.parametrize(
    ("taps", "code"),
    [
        ("5c,5c,5c,5c,5c", "fifth-tile"),
        ("pung,5c,5c,5c", "fifth-tile"),
        ("5c,kong,5c", "fifth-tile"),
        ("4c,4c,4c,4c,chow,3c", "fifth-tile"),
        ("1f,1f", "second-bonus-tile"),
        ("pung,1f", "bonus-in-set"),
        ("chow,8c", "not-a-set"),
        ("chow,Ew", "not-a-set"),
        ("pung,1b,pung,2b,pung,3b,pung,4b,Rd,Rd,Gd", "too-many-tiles"),
        ("pung,1b,pung,2b,pung,3b,pung,4b,Rd,Rd,pung", "too-many-tiles"),
        ("pung,1b,pung,2b,pung,3b,pung,4b,pung", "too-many-tiles"),
        ("kong,1b,drawn,in 1b", "not-that-set"),
        ("1f,drawn,in 1f", "bonus-wins"),
        ("line 123x", "unknown-class"),
        ("number 6x", "bad-line"),
        ("11q", "unknown-character"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(taps, code):
    *before, last = taps.split(",")
    state, taken, refused = tapped([*before, last])
    assert refused is not None
    assert refused.refusal.code == code
    assert taken == before
    assert state == tapped(before)[0]


def test_what_cannot_be_tapped_is_grey_with_its_reason():
    state = tapped(["1f", "5c", "5c", "5c", "5c"])[0]
    assert grey_keys(state) == {
        "5c": "there are only four 5 characters",
        "1f": "there is one flower 1",
    }
    chow = grey_keys(tapped(["5c", "5c", "5c", "5c", "chow"])[0])
    assert {"3c", "4c", "5c", "8c", "9b", "Ew", "Rd", "1f"} <= set(chow)
    assert "6c" not in chow
    assert chow["8c"] == "no run begins with 8 characters"
    full = grey_keys(tapped(["pung", "1b", "pung", "2b", "pung", "3b", "pung", "4b", "Rd", "Rd"])[0])
    assert {"9d", "pung", "kong", "chow"} <= set(full)
    assert "1f" not in full  # bonus tiles are over and above


def test_the_seat_and_round_of_a_typed_hand_are_known():
    state = tapped(["line W@S: 123b ..."])[0]
    assert (state.seat, state.round) == ("W", "S")
