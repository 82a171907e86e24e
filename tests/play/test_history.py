"""Steps kept in the user's own folder: the last of them, for the user alone, and nothing that is damaged."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from mjscore.play.history import MOST_STEPS, History, step_between
from mjscore.system import state_folder

STEPS = [step_between(f"{number}\n", f"{number + 1}\n", f"step {number}") for number in range(MOST_STEPS + 3)]


def kept() -> list[Path]:
    return sorted(Path(state_folder(), "steps").glob("*"))


def test_steps_are_kept_in_order_for_the_user_alone():
    history = History(state_folder())
    assert history.read() == ()
    assert all(history.add(step) for step in STEPS[:3])
    assert History(state_folder()).read() == tuple(STEPS[:3])
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept()} == {0o600}
    assert stat.S_IMODE(kept()[0].parent.stat().st_mode) == 0o700


def test_the_last_are_kept_also_where_the_clock_was_put_back(monkeypatch):
    history = History(state_folder())
    assert history.add(STEPS[0])
    monkeypatch.setattr("time.time_ns", lambda: 17)
    folder = kept()[0].parent
    for number, step in enumerate(STEPS[1:-1], 1):
        (folder / f"{10**18 * 2 + number:020d}.json").write_text(json.dumps(step._asdict()))
    assert history.add(STEPS[-1])
    assert History(state_folder()).read() == tuple(STEPS[-MOST_STEPS:])


@pytest.mark.parametrize(
    "damaged",
    ["", "{", "[]", "7", '{"kind": "do"}', json.dumps({**STEPS[0]._asdict(), "line": "x"}),
     json.dumps({**STEPS[0]._asdict(), "old": [1]}), json.dumps({**STEPS[0]._asdict(), "more": 1}), "\x00"],
)  # fmt: skip
def test_what_is_damaged_is_left_out(damaged):
    history = History(state_folder())
    assert history.add(STEPS[0])
    (kept()[0].parent / f"{1:020d}.json").write_text(damaged)
    (kept()[0].parent / "other").write_text("not ours")
    assert history.read() == (STEPS[0],)


def test_what_a_stop_left_long_ago_is_taken_away():
    history = History(state_folder())
    assert history.add(STEPS[0])
    for name, age in ((".mjscore-0-old", 4000), (".mjscore-0-new", 10)):
        path = kept()[0].parent / name
        path.write_text("half")
        os.utime(path, (path.stat().st_atime - age, path.stat().st_mtime - age))
    assert history.add(STEPS[1])
    assert [path.name for path in kept() if path.name.startswith(".")] == [".mjscore-0-new"]


@pytest.mark.parametrize("folder", ["", "file"])
def test_without_a_folder_nothing_is_kept_and_it_is_said_why(tmp_path, folder):
    (tmp_path / "file").write_text("")
    history = History(str(tmp_path / folder) if folder else "")
    assert not history.add(STEPS[0])
    assert history.problem
    assert history.read() == ()
