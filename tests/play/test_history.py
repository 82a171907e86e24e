"""Steps from text to text, there, back and found again by their hashes; kept in the user's own folder."""

from __future__ import annotations

import itertools
import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import table

from mjscore.play.history import (
    MOST_STEPS,
    Step,
    applied,
    beginning_of,
    hash_of,
    inverse,
    keep_step,
    leading_to,
    read_steps,
    step_between,
    to_undo_and_redo,
)
from mjscore.system import state_folder

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


STEPS = [step_between(f"{number}\n", f"{number + 1}\n", f"step {number}") for number in range(MOST_STEPS + 3)]


def kept() -> list[Path]:
    return sorted(Path(state_folder(), "steps").glob("*"))


def test_steps_are_kept_in_order_for_the_user_alone():
    assert read_steps() == ()
    assert not any(keep_step(step) for step in STEPS[:3])
    assert read_steps() == tuple(STEPS[:3])
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept()} == {0o600}
    assert stat.S_IMODE(kept()[0].parent.stat().st_mode) == 0o700


def test_the_last_are_kept_also_where_the_clock_was_put_back(monkeypatch):
    assert keep_step(STEPS[0]) == ""
    monkeypatch.setattr("time.time_ns", lambda: 17)
    folder = kept()[0].parent
    for number, step in enumerate(STEPS[1:-1], 1):
        (folder / f"{10**18 * 2 + number:020d}.json").write_text(json.dumps(step._asdict()))
    assert keep_step(STEPS[-1]) == ""
    assert read_steps() == tuple(STEPS[-MOST_STEPS:])


@pytest.mark.parametrize(
    "damaged",
    ["", "{", "[]", "7", '{"kind": "do"}', json.dumps({**STEPS[0]._asdict(), "line": "x"}),
     json.dumps({**STEPS[0]._asdict(), "old": [1]}), json.dumps({**STEPS[0]._asdict(), "more": 1}), "\x00"],
)  # fmt: skip
def test_what_is_damaged_is_left_out(damaged):
    assert keep_step(STEPS[0]) == ""
    (kept()[0].parent / f"{1:020d}.json").write_text(damaged)
    (kept()[0].parent / "other").write_text("not ours")
    assert read_steps() == (STEPS[0],)


def test_what_a_stop_left_long_ago_is_taken_away():
    assert keep_step(STEPS[0]) == ""
    for name, age in ((".mjscore-0-old", 4000), (".mjscore-0-new", 10)):
        path = kept()[0].parent / name
        path.write_text("half")
        os.utime(path, (path.stat().st_atime - age, path.stat().st_mtime - age))
    assert keep_step(STEPS[1]) == ""
    assert [path.name for path in kept() if path.name.startswith(".")] == [".mjscore-0-new"]


@pytest.mark.parametrize("folder", ["", "file"])
def test_without_a_folder_nothing_is_kept_and_it_is_said_why(tmp_path, monkeypatch, folder):
    (tmp_path / "file").write_text("")
    named = str(tmp_path / folder) if folder else ""
    monkeypatch.setattr("mjscore.play.history.state_folder", lambda: named)
    assert ("cannot be written" if folder else "there is no folder") in keep_step(STEPS[0])
    assert read_steps() == ()
