"""The process stopped before every single operation on the disk, or that operation failing: what the file
holds is always what it held before the command, or after it.
"""

from __future__ import annotations

import contextlib
import functools
import json
import zlib
from pathlib import Path

import pytest
from amounts import WHOLE
from faults import FAULTS, STOP, Disk, Stopped, disk

import mjscore.play.controller
from mjscore.page.text import Style
from mjscore.play.beginning import NewEvening, beginning
from mjscore.play.changes import Action
from mjscore.play.commands import act
from mjscore.play.controller import Controller
from mjscore.play.history import Step, leading_to, read_steps, to_undo_and_redo
from mjscore.play.session import Outcomes, Session, open_session
from mjscore.play.store import Store
from mjscore.record.checker import check_file
from mjscore.record.context import Context, Occasion
from mjscore.refusal import Refused
from mjscore.system import state_folder

__all__ = ["disk"]

HEAD = beginning(
    NewEvening(
        "harr-limit", {}, ["Ann", "Ben", "Old Cid", "Dee"], Occasion("Tea", "2026-11-21", "babcock", True)
    )
)
EVENING = [
    "Ann: 8", "Ben: (222d) [1111c] 123b 456b 5c +5c!loose", "W: 12", "Ann: 9", "undo", "redo", "Dee: dead",
    "note well played", "undo", "redo", "show", "standings", "counters", "help",
    "E: 20 win", "S: 30 win", "S: 3", "note in the hand", "W: 4", "undo", "drop", "undo", "W: 4", "N: 5",
    "draw", "wash S 11", "pay S E 100", "false W", "undo", "undo", "redo", "nonsense", "Eve: 8",
    "edit 1", "Dee: 80", "yes", "undo", "redo", "edit 1", "Ben: 68", "Ann: 8 win", "keep", "undo", "redo",
    "edit 2", "label Red dragons", "yes", "edit n1", "note not well played", "yes", "edit 3a", "wash S 12", "yes",
    "undo", "undo", "undo", "redo", "edit 1", "no", "pool", "pool Ann", "undo", "undo", "redo", "redo",
    "Ann: 40 win drawn", "edit 1", "Ben: 20", "Ann: 8 win", "keep", "undo", "redo", "2 4", "undo", "label x", "settle",
    "drop", "seat eve for ann", "r", "undo", "eve leaves", "edit 3", "draw four", "yes", "seat fay joins", "undo", "redo",
]  # fmt: skip


@pytest.fixture
def tmp_path(in_memory: Path) -> Path:
    """Nothing waits for a disk: thousands of files are written."""
    return in_memory


@pytest.fixture(autouse=True)
def _once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What depends on nothing but what it is given is worked out once: a text opened, a session acted upon."""
    acted: dict[tuple[int, Action], tuple[Session, Outcomes]] = {}

    def act_once(session: Session, action: Action) -> Outcomes:
        key = id(session), action
        if key not in acted:
            acted[key] = (
                session,
                act(session, action),
            )  # kept with it: another one must not come to be at its place
        return acted[key][1]

    monkeypatch.setattr(
        mjscore.play.controller, "open_session", functools.lru_cache(maxsize=64)(open_session)
    )
    monkeypatch.setattr(mjscore.play.controller, "act", act_once)


def table_of(path: Path, session: Session | None = None) -> Controller:
    table = Controller(Store(str(path)), lambda text: None, Style())
    if session is not None:
        table.session = session
    return table


def take(table: Controller, line: str) -> None:
    with contextlib.suppress(Refused):
        table.take(line)


@functools.cache
def opened(text: str) -> Session:
    """The session of a text, which depends on nothing else."""
    return open_session(text)


def steps_of() -> tuple[Step, ...]:
    """The steps that are kept; nothing half-written is beside them, but what a stop has left."""
    return read_steps()


def state_of(path: Path) -> str:
    """The text that an evening has when it is opened again; nothing is left beside the file."""
    store = Store(str(path))
    text = store.read() or ""
    if text:
        opened(text)
    store.close()
    assert [one for one in path.parent.iterdir() if one != path] == []
    return text


def keep(steps: tuple[Step, ...]) -> None:
    """Keeps these steps and no others."""
    folder = Path(state_folder(), "steps")
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for number, step in enumerate(steps[-2:]):  # written without waiting for the disk
        (folder / f"{number:020d}.json").write_text(json.dumps(step._asdict()))


@functools.cache
def undone_works(text: str, steps: tuple[Step, ...]) -> None:
    session = open_session(text, steps=steps)
    if to_undo_and_redo(session.steps)[0]:
        assert act(session, Action("undo"))[0].evening.text != text


def played(path: Path) -> list[tuple[str, Session, Session]]:
    """Each line of the evening, with the sessions before and after it."""
    path.write_text(HEAD)
    table = table_of(path)
    steps = []
    for line in EVENING:
        before = table.session
        take(table, line)
        steps.append((line, before, table.session))
        assert path.read_text() == table.session.evening.text
    table.store.close()
    assert all(one.ok for one in check_file(str(path), Context()))
    return steps


@pytest.mark.parametrize("fault", FAULTS)
def test_at_every_operation_of_an_evening(tmp_path, disk: Disk, fault):
    path = tmp_path / "e.mj"
    steps = played(path)
    assert len({after.evening.text for _, _, after in steps}) > 20
    operations = 0
    for line, session, after_session in steps:
        before, after = session.evening.text, after_session.evening.text
        after_steps = after_session.steps
        # some operations of each line in turn, more of them where it is stopped
        step = 1 if WHOLE else 2 if fault == STOP else 5
        at = zlib.crc32(line.encode()) % step + 1 - step
        while True:
            at += step
            path.write_text(before)
            keep(session.steps)
            table = table_of(path, session)
            disk.arm(at, fault)
            with contextlib.suppress(Stopped):
                take(table, line)
            happened = disk.count >= at
            disk.arm(None)
            if fault == STOP and happened:
                disk.bury()
                left = state_of(path)
                assert left in (before, after), (line, at)
                # what leads to the text that is there is known, whichever it is
                steps = steps_of()
                assert (
                    leading_to(left, steps)[-1:]
                    == (after_steps if left == after != before else session.steps)[-1:]
                )
                undone_works(left, steps)
            elif happened:
                # the play goes on: what it holds is what the file holds
                take(table, "")
                table.look()
                assert table.session.evening.text == path.read_text(), (line, at)
                assert path.read_text() in (before, after), (line, at)
                table.store.close()
                assert state_of(path) in (before, after), (line, at)
            else:
                table.store.close()
                break
            operations += 1
    assert operations > 500 // step


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("there", [None, "", HEAD])
def test_at_every_operation_of_opening_and_beginning(tmp_path, disk: Disk, fault, there):
    path = tmp_path / "e.mj"
    at = 0
    while True:
        at += 1
        path.unlink(missing_ok=True)
        if there is not None:
            path.write_text(there)
            (tmp_path / f"{mjscore_temporary(path)}0123").write_text("half")
        disk.arm(at, fault)
        store = None
        with contextlib.suppress(Stopped, Refused):
            store = Store(str(path))
            text = store.read()
            if text is None:
                store.create(HEAD)
            elif not text:
                store.replace(HEAD)
        happened = disk.count >= at
        disk.arm(None)
        if store is not None and (fault != STOP or not happened):
            store.close()
        disk.bury()
        assert state_of(path) in ("", HEAD), at
        path.unlink(missing_ok=True)
        if not happened:
            assert at > 5
            return


def mjscore_temporary(path: Path) -> str:
    from mjscore.atomic import temporary_prefix

    return temporary_prefix(path)
