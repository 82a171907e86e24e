"""Steps from text to text: there, back, found again by their hashes, and what undo and redo would do."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st
from tables import table

from mjscore.play.history import (
    Step,
    applied,
    beginning_of,
    hash_of,
    inverse,
    leading_to,
    step_between,
    to_undo_and_redo,
)

texts = st.lists(st.sampled_from(["a\n", "b\n", "hand\n", "\u2028x\n", "\r\n"]), max_size=8).map("".join)


@given(texts, texts)
def test_a_step_leads_there_and_back(before, after):
    step = step_between(before, after, "it")
    assert (step.before, step.after) == (hash_of(before), hash_of(after))
    assert applied(before, step) == after
    assert applied(after, inverse(step, "undo")) == before
    assert inverse(inverse(step, "undo"), "do") == step


@table
def test_a_step_has_the_lines_that_differ_alone(before, after, line, old, new):
    assert step_between(before, after, "it")[3:6] == (line, old, new)


def walk(*texts: str) -> list[Step]:
    return [step_between(one, other, other) for one, other in itertools.pairwise(texts)]


def test_of_many_steps_those_count_that_lead_to_a_text():
    steps = walk("", "1", "2", "3")
    elsewhere = walk("x", "y")
    never_done = step_between("2", "other", "stopped before the file was written")
    kept = [*steps[:2], *elsewhere, never_done, steps[2]]
    assert leading_to("3", kept) == tuple(steps)
    assert leading_to("2", kept) == tuple(steps[:2])
    assert leading_to("y", kept) == tuple(elsewhere)
    assert leading_to("nowhere", kept) == ()
    # what was left behind is not gone through twice
    there_and_back = walk("1", "2", "1", "2")
    assert leading_to("2", there_and_back) == tuple(there_and_back)


def test_undo_and_redo_go_by_the_steps_done():
    one, two, three = walk("", "1", "2", "3")
    back = [inverse(three, "undo"), inverse(two, "undo")]
    assert to_undo_and_redo([one, two, three]) == ([one, two, three], [])
    assert to_undo_and_redo([one, two, three, *back]) == ([one], [three, two])
    again = two._replace(kind="redo")
    assert to_undo_and_redo([one, two, three, *back, again]) == ([one, two], [three])
    assert to_undo_and_redo([one, two, three, *back, *walk("1", "x")])[1] == []
    # a new evening may begin with the text that another one has come back to
    begun = [one, inverse(one, "undo"), beginning_of("")]
    assert leading_to("", begun) == (begun[-1],)
    assert to_undo_and_redo(begun) == ([], [])
    # where what was done first is no longer kept, what was undone can be brought back still
    assert to_undo_and_redo([inverse(three, "undo")]) == ([], [three])
    assert to_undo_and_redo([again]) == ([two], [])
