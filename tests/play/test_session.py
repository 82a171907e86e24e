"""An evening that cannot be lost, doubled or bent: what went wrong once, command by command."""

from __future__ import annotations

import stat

import pytest
from evenings import after, asked, body, holds, play
from systems import posix
from tables import table

from mjscore.atomic import temporary_prefix
from mjscore.page.text import Style
from mjscore.play.actions import Action
from mjscore.play.history import to_undo_and_redo
from mjscore.play.outcomes import show
from mjscore.play.session import Session, act, open_session, prompt
from mjscore.play.store import Store
from mjscore.refusal import Refused

FIRST = ("Ann: 8", "Ben: 68 win", '"Old Cid": 12', "Dee: 0")
SECOND = ("Ben: 20 win", "Ann: 4", '"Old Cid": 6', "Dee: 8")
AS_DEALT = ("Ben: 123b 456c 789d EEEw 5b +5b!original", *SECOND[1:])
HEAD = 'rulebook harr\nplayers Ann Ben "Old Cid" Dee\n'
BEGUN = {
    "-": (),
    "first": FIRST,
    "edited": (*FIRST, *SECOND, "edit 1"),
    "as-dealt": (*FIRST, *AS_DEALT, "edit 1", "Ben: 68", "Ann: 8 win"),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "e.mj"


def typed(*lines: str) -> tuple[Session, str]:
    """The session after some lines, and what was said of the last."""
    session, values = after(open_session(HEAD), *lines[:-1]), ()
    for line in lines[-1:]:
        session, values = act(session, asked(line, session.evening.seats, session.draft is not None))
    return session, show(values, Style())


@table
def test_the_prompt_says_which_hand_and_whose_line_is_missing(begun, lines, asks):
    assert prompt(typed(*BEGUN[begun], *lines)[0]) == f"{asks} "


@table
def test_what_is_said(begun, lines, says):
    assert typed(*BEGUN[begun], *lines)[1] == says


@table
def test_what_is_refused(begun, lines, message):
    with pytest.raises(Refused) as told:
        typed(*BEGUN[begun], *lines)
    assert told.value.refusal.message == message


def test_help_of_what_is_no_command_is_all_of_it():
    assert typed("help tea")[1] == typed("help")[1] != ""


@table
def test_four_alike_of_a_loser_are_remarked(hand, remark):
    said = typed(hand)[1]
    assert [line for line in said.splitlines() if "undeclared" in line] == [remark] * bool(remark)
    # who pays is told when the hand is settled
    assert " pay" not in said


def test_the_last_eight_entries_are_named_where_one_is_not_found():
    for draws, known in ((0, "none has been played"), (1, "the last entries are 1"),
                         (9, "the last entries are 2, 3, 4, 5, 6, 7, 8, 9")):  # fmt: skip
        session, _ = typed(*["draw"] * draws)
        with pytest.raises(Refused) as told:
            act(session, Action("edit", "n1"))
        assert told.value.refusal.hint == known


def test_the_winds_are_those_of_the_hand_that_is_edited():
    assert typed(*FIRST)[0].seats["E"] == "Ben"
    assert typed(*FIRST, "edit 1")[0].seats["E"] == "Ann"
    assert typed(*FIRST, "note x", "edit n1")[0].seats["E"] == "Ben"


def test_steps_lead_to_the_text_that_is_there_and_to_no_other():
    session, _ = typed("note one", "note two", "draw", "undo", "undo")
    assert [len(steps) for steps in to_undo_and_redo(session.steps)] == [1, 2]
    again, _ = act(session, Action("redo"))
    assert [len(steps) for steps in to_undo_and_redo(again.steps)] == [2, 1]
    assert open_session(again.evening.text, steps=again.steps) == again
    assert to_undo_and_redo(open_session(f"{HEAD}draw\n", steps=again.steps).steps)[1] == []


def test_an_edit_of_who_sat_there_says_who_no_longer_fits():
    session = open_session(f"{HEAD}seat Eve for Ann\nhand\n  Eve: 8\n  Ben: 4 win\n  W: 0\n  N: 0\n")
    for line, who in (("seat - for Ann", ""), ("seat Fay for Ann", "nobody here is called 'Eve'")):
        edit, _ = act(session, Action("edit", "0a"))
        _, values = act(edit, asked(line, editing=True))
        assert show(values, Style()).startswith(f"hand 1 would no longer fit: {who}")


@table
def test_a_row_that_waited_as_a_comment_is_a_row(path, rows, become):
    path.write_text(f"{HEAD}note x\nhand @E\n{rows}")
    play(path, "quit", options=())
    assert body(path) == f"note x\nhand @E\n{become}"


@table
def test_every_entry_can_be_edited(path, edited, typed, expected):
    options = ("--players", "Ann Ben 'Old Cid' Dee", "-r", "harr-limit")
    play(path, "8w 68 12 0", "draw", "pay E N 20", "note good", "wash S 11", "false W", options=options)
    before = body(path)
    play(path, f"edit {edited}", typed, "yes")
    assert expected in body(path)
    assert expected not in before
    holds(path)
    play(path, "undo")
    assert body(path) == before


@posix
def test_links_are_kept_and_two_copies_through_them_refused(path, tmp_path):
    play(path, *FIRST)
    link = tmp_path / "elsewhere" / "link.mj"
    link.parent.mkdir()
    link.symlink_to(path)
    play(link, "draw", "undo", "draw")
    assert link.is_symlink()
    assert holds(path) == ["hand", "draw"]
    store = Store(str(path))
    assert "[in-use]" in play(link, "quit")
    store.close()


@posix
def test_a_file_with_two_names_is_refused(path, tmp_path):
    play(path, *FIRST)
    before = path.read_text()
    (tmp_path / "other.mj").hardlink_to(path)
    assert "[second-name]" in play(path, "draw")
    assert path.read_text() == before


@posix
def test_mode_is_kept_and_what_a_stop_left_is_taken_away(path):
    play(path, *FIRST)
    path.chmod(0o640)
    path.with_name(f"{temporary_prefix(path)}0123").write_text("half")
    play(path, "draw")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_line_ends_are_those_of_the_file(path, end):
    path.write_bytes(HEAD.replace("\n", end).encode())
    play(path, *FIRST, "draw", "note x", "edit 1", "Dee: 2", "yes")
    assert path.read_bytes().count(b"\n") == path.read_bytes().count(end.encode())
    assert holds(path) == ["hand", "draw"]
