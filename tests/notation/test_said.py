"""Hands said in words, in many ways, are read as they were meant: the sets, exposed or not, and how it was won."""

from __future__ import annotations

import random

from amounts import part_of
from hypothesis import given, settings
from hypothesis import strategies as st
from spoken import MAKERS, said_hand

import mjscore
from mjscore.game.hand import Hand
from mjscore.notation import told_groups
from mjscore.notation.hands import read_hand
from mjscore.notation.telling import Teller


def worth(hand: Hand) -> object:
    """A hand's score, where a rulebook has one."""
    win = hand.win and hand.win._replace(discarder=None)
    return mjscore.score(hand._replace(win=win), "harr").score


@settings(max_examples=part_of(200))
@given(st.integers(0, 10**9))
def test_a_hand_said_in_words_is_read_as_it_was_meant(seed):
    chance = random.Random(seed)
    hand = MAKERS[seed % 4](chance)._replace(round=None, no_choice=False, flags=frozenset())
    if hand.win is not None:
        hand = hand._replace(win=hand.win._replace(earlier=None, all_from=None, stated=None))
    read = read_hand(said_hand(hand, chance), worth=worth).hand
    assert read._replace(sets=tuple(sorted(read.sets))) == hand._replace(sets=tuple(sorted(hand.sets)))


def test_every_kind_of_word_in_a_told_hand_is_handled():
    assert [kind for kind in told_groups._ORDER if not hasattr(Teller, f"_{kind.lower()}")] == []
