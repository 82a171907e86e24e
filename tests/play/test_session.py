"""An evening that cannot be lost, doubled or bent: what went wrong once, command by command."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner
from evenings import asked
from systems import posix
from tables import table

from mjscore.cli.main import cli
from mjscore.page.text import Style
from mjscore.play.actions import Action
from mjscore.play.history import to_undo_and_redo
from mjscore.play.session import Session, act, open_session, prompt
from mjscore.play.showing import show
from mjscore.record.context import Context
from mjscore.record.reader import check_file
from mjscore.refusal import Refused

NAMES = "Ann Ben 'Old Cid' Dee"
FIRST = ["Ann: 8", "Ben: 68 win", '"Old Cid": 12', "Dee: 0"]
SECOND = ["Ben: 20 win", "Ann: 4", '"Old Cid": 6', "Dee: 8"]
HEAD = 'rulebook harr\nplayers Ann Ben "Old Cid" Dee\n'


def play(path: Path, *lines: str, options: tuple[str, ...] = ("--players", NAMES)) -> str:
    result = CliRunner().invoke(cli, ["play", str(path), *options], input="\n".join(lines) + "\n")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.output


def holds(path: Path) -> list[str]:
    """The kinds of all that an evening has; all of it holds."""
    results = list(check_file(str(path), Context()))
    assert all(result.ok for result in results), [result.refusals for result in results]
    return [result.event for result in results]


def body(path: Path) -> str:
    """The file below its players."""
    return path.read_text(encoding="utf-8").partition("players ")[2].partition("\n")[2]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "e.mj"


# ------------------------------------------------------------- files as they are found


def test_a_broken_line_behind_a_hand_under_way_is_what_is_reported():
    for broken, line in (("nonsense", 5), ("pay Ann", 5), ("draw\nbank bank", 6)):
        with pytest.raises(Refused) as refused:
            open_session(f"{HEAD}hand\n  Ann: 8\n{broken}\n")
        assert refused.value.refusal.line == line, broken
    with pytest.raises(Refused) as refused:
        open_session(f"{HEAD}hand\n  Ann: 8\ndraw\n")
    assert refused.value.refusal.code == "missing-seat"


def test_the_hand_that_is_to_be_edited_is_shown_as_people_wrote_it(path):
    shown = play(path, *FIRST, "note well played", "edit 1", "Ann: 10", "yes", "edit 1", "no")
    asked = shown.rpartition("edit 1")[0].rpartition("type the line to change")[0].rpartition("2> ")[2]
    assert asked.split("\n")[1:7] == [
        "hand @E",
        "  Ann: 10",
        "  Ben: 68 win",
        '  "Old Cid": 12',
        "  Dee: 0",
        "",
    ]


# ------------------------------------------------------------- what is typed and what is said


def typed(*lines: str, begun: str = HEAD) -> tuple[Session, str]:
    """The session after some lines, and what was said of the last."""
    session, said = open_session(begun), ""
    for line in lines:
        session, values = act(session, asked(line, session.evening.seats, session.draft is not None))
        said = show(values, Style())
    return session, said


def refused(*lines: str, begun: str = HEAD) -> str:
    """What the last line is refused with; the others are not."""
    session, _ = typed(*lines[:-1], begun=begun)
    with pytest.raises(Refused) as told:
        act(session, asked(lines[-1], session.evening.seats, session.draft is not None))
    return told.value.refusal.message


EDITED = (*FIRST, *SECOND, "edit 1")
AS_DEALT = ("Ben: 123b 456c 789d EEEw 5b +5b!original", "Ann: 4", '"Old Cid": 6', "Dee: 8")
AS_DEALT_ONLY_KEPT = (*FIRST, *AS_DEALT, "edit 1", "Ben: 68", "Ann: 8 win")
COUNTED = HEAD.replace("players", "counters babcock\nplayers")
BEGINS = "Hand 1, East round: Ann is East  E Ann, S Ben, W Old Cid, N Dee"


@pytest.mark.parametrize(
    ("lines", "asks"),
    [
        ((), "1> "),
        (("note x",), "1> "),
        (("draw",), "2> "),
        (FIRST[:1], "1 (Ben, Old Cid, Dee)> "),
        (("Ann: 8 win", "Ben: 4 win"), "1 (Old Cid, Dee)> "),
        (("Ann: 8 win", "Ben: 4 win", "W: 0", "N: 0"), "1 (a line put right)> "),
        (EDITED, "edit 1> "),
        ((*EDITED, "Dee: 2"), "edit 1: write it? yes or no> "),
        ((*EDITED, "Ben: 68"), "edit 1> "),
        ((*EDITED, "Ben: 68", "Ann: 8 win"), "edit 1: write it? yes, keep or no> "),
        ((*EDITED, "Dee: 2", "no"), "3> "),
        (AS_DEALT_ONLY_KEPT, "edit 1: write it? keep or no> "),
    ],
)
def test_the_prompt_says_which_hand_and_whose_line_is_missing(lines, asks):
    assert prompt(typed(*lines)[0]) == asks


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (("Ann: 8",), ""),
        (("Ann: 8", "note x"), "noted"),
        (("label Red",), "this hand is called Red"),
        (("label Red", "label"), "this hand has no label"),
        (("Ann: 8", "show"), "hand @E\n  Ann: 8"),
        (("show",), BEGINS),
        (("note x", "show n1"), "note x"),
        (("settle",), f"a hand is settled by its last line\n{BEGINS}"),
        (("help drop",), "  drop  forget the lines of this hand"),
        (("note x", "edit n1", "note y", "yes"), BEGINS),
        (
            (*EDITED, "Dee: 2", "show"),
            'hand @E\n  Ann: 8\n  Ben: 68 win\n  "Old Cid": 12\n  Dee: 2\n  east Ann\n'
            '  pays Ann -128 Ben +272 "Old Cid" -48 Dee -96',
        ),
        (
            (*EDITED, "standings"),
            "  1. Ben                      +392\n  2. Old Cid                   −88\n"
            "  3. Dee                      −130\n  4. Ann                      −174",
        ),
        (
            (*EDITED, "drop"),
            "the edit of hand 1 is left; nothing has changed\n"
            "Hand 3, East round: Ben is East  E Ben, S Old Cid, W Dee, N Ann",
        ),
        ((*EDITED, "note x"), "Hand 1: the points stay as they were\nTotals: as before"),
        (
            (*EDITED, "Ben: 68"),
            "hand 1 would no longer fit: nobody wins this hand; type the other line too, or drop",
        ),
        (
            ("Ann: 8 win", "Ben: 4 win"),
            "Ann and Ben cannot both win [two-winners]\n  help: exactly one seat of a hand wins\n"
            "the line is kept; type the line to change",
        ),
        (("pay E S 20",), f"Ann pays Ben 20\nTotals: Ann −20, Ben +20, Old Cid 0, Dee 0\n{BEGINS}"),
        (
            ("pay E S 20", "show 0a"),
            "pay Ann Ben 20\nAnn pays Ben 20\nTotals: Ann −20, Ben +20, Old Cid 0, Dee 0",
        ),
    ],
)
def test_what_is_said(lines, says):
    assert typed(*lines)[1] == says


def test_help_of_what_is_no_command_is_all_of_it():
    assert typed("help tea")[1] == typed("help")[1] != ""


@table
def test_four_alike_of_a_loser_are_remarked(hand, remark):
    said = typed(hand)[1]
    assert [line for line in said.splitlines() if "undeclared" in line] == [remark] * bool(remark)
    # who pays is told when the hand is settled
    assert " pay" not in said


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("undo",), "nothing has been played yet"),
        (("redo",), "nothing was undone since"),
        (("draw", "undo", "note x", "redo"), "nothing was undone since"),
        (("edit",), "which hand?"),
        (("edit 7",), "there is no hand 7"),
        (("edit 3333333333333333333333",), "there is no hand 33333333333333333333"),
        (("yes",), "nothing was asked"),
        (("draw", "edit 1", "yes"), "nothing has been changed yet"),
        (("draw", "edit 1", "keep"), "nothing has been changed yet"),
        (("draw", "edit 1", "undo"), "the edit of the draw, hand 1 is under way"),
        (("pool Ann",), "no counters are kept"),
        ((*AS_DEALT_ONLY_KEPT, "yes"), "what follows holds only as it was played"),
    ],
)  # fmt: skip
def test_what_is_refused(lines, message):
    assert refused(*lines) == message


def test_the_last_eight_entries_are_named_where_one_is_not_found():
    for draws, known in ((0, "none has been played"), (1, "the last entries are 1"),
                         (9, "the last entries are 2, 3, 4, 5, 6, 7, 8, 9")):  # fmt: skip
        session, _ = typed(*["draw"] * draws)
        with pytest.raises(Refused) as told:
            act(session, Action("edit", "n1"))
        assert told.value.refusal.hint == known


def test_an_edit_after_which_a_hand_would_not_hold_may_keep_the_winds():
    """Ben won as dealt, which only East can."""
    session, said = typed(*AS_DEALT_ONLY_KEPT)
    assert said.endswith(
        "\nWith the winds moved, hand 2 would no longer fit: only Ann can win as dealt: only he has fourteen"
        "\n  tiles; with keep they stay as they were played"
    )
    after, _ = act(session, Action("keep"))
    assert "  east Ben @E\n" in after.evening.text
    assert "Ann: 8 win\n" in after.evening.text


def test_what_keep_would_come_to_is_shown_below_what_yes_would():
    said = typed(*EDITED, "Ben: 68", "Ann: 8 win")[1]
    assert said.splitlines() == [
        "Hand 1: nets Ann −128 → +48, Ben +272 → +108, Old Cid −48 → −60",
        "Hand 2: Ann is East, not Ben; nets Ann −46 → −52, Ben +120 → +80, Old Cid −40 → −18, Dee −34 → −10",
        "Totals: Ann −174 → −4, Ben +392 → +188, Old Cid −88 → −78, Dee −130 → −106",
        "With keep, the winds stay as they were played",
        "Totals: Ann −174 → +2, Ben +392 → +228, Old Cid −88 → −100",
    ]


@pytest.mark.parametrize("answer", ["yes", "keep"])
def test_after_an_edit_the_totals_are_those_of_now(answer):
    said = typed(*EDITED, "Dee: 2", answer)[1]
    assert "\nTotals: Ann −178, Ben +392, Old Cid −90, Dee −124\nHand 3, " in said


def test_the_winds_are_those_of_the_hand_that_is_edited():
    assert typed(*FIRST)[0].seats["E"] == "Ben"
    assert typed(*FIRST, "edit 1")[0].seats["E"] == "Ann"
    assert typed(*FIRST, "note x", "edit n1")[0].seats["E"] == "Ben"


def test_undo_and_redo_go_back_and_forth_as_long_as_nobody_else_has_written():
    session, _ = typed("note one", "note two", "draw", "undo", "undo")
    assert session.evening.text == f"{HEAD}note one\n"
    assert [len(steps) for steps in to_undo_and_redo(session.steps)] == [1, 2]
    again, _ = act(session, Action("redo"))
    assert again.evening.text == f"{HEAD}note one\nnote two\n"
    assert [len(steps) for steps in to_undo_and_redo(again.steps)] == [2, 1]
    # opened again with the same steps it is the same
    assert open_session(again.evening.text, steps=again.steps) == again
    # where somebody else has written, nothing leads to what is there
    other = open_session(f"{HEAD}draw\n", steps=again.steps)
    for kind, message in (
        ("undo", "the file was changed since by something else"),
        ("redo", "nothing was undone"),
    ):
        with pytest.raises(Refused) as told:
            act(other, Action(kind))
        assert told.value.refusal.message.startswith(message)


def test_counters_are_told_of_the_hand_that_is_shown_and_of_no_pool():
    first = typed(*FIRST, begun=COUNTED)[1]
    assert first.count(" hands ") == 6
    told = [line for line in first.splitlines() if " hands " in line]
    again = typed(*FIRST, *SECOND, "show 1", begun=COUNTED)[1]
    assert [line for line in again.splitlines() if " hands " in line] == told
    pool = typed(*FIRST, "pool E", begun=COUNTED)[1]
    assert pool.splitlines()[:3] == ["Ann pays Ben 72", "Old Cid pays Ben 52", "Dee pays Ben 4"]
    assert pool.splitlines()[3] == "Totals: Ann −200, Ben +400, Old Cid −100, Dee −100"
    assert " hands " not in pool
    two = "rulebook babcock\nset players = 2\ncounters babcock\nplayers Ann Ben\n"
    for lines in (("pool Ann",), ("pool Ann", "undo", "redo"), ("pool Ann", "show 1a")):
        said = typed("E: 8", "W: 20 win", *lines, begun=two)[1]
        assert "\nBen pays Ann 40\n" in f"\n{said}"
        assert " hands " not in said
    assert refused("pool Zed", begun=COUNTED) == "nobody here is called 'Zed'"
    three = "rulebook babcock\nset players = 3\ncounters babcock\nplayers Ann Ben Cid\n"
    assert refused("pool W", begun=three) == "nobody here is called 'W'"


def test_counters_are_told_between_hands():
    assert (
        typed("counters", begun=COUNTED)[1].splitlines()[0]
        == "Ann holds 2000: 2 × 500, 9 × 100, 8 × 10, 10 × 2"
    )
    assert typed("pool", begun=COUNTED)[1].splitlines()[0] == "Ann puts in 0"
    owing = typed("Ann: 0", "Ben: 1200 win", "W: 0", "N: 0", "counters", begun=COUNTED)[1]
    assert owing.endswith("\nAnn owes 400\nBen is owed 400")
    for asks in ("counters", "pool", "pool Ann"):
        assert refused("Ann: 8", asks, begun=COUNTED) == "a hand is being typed"


def test_of_a_set_that_does_not_say_with_how_many_a_player_begins_nothing_is_known():
    harr = COUNTED.replace("babcock", "harr")
    unknown = "it is not known who holds which counters: the set does not say with how many a player begins"
    for asks in ("counters", "pool"):
        assert typed(asks, begun=harr)[1] == unknown
    assert refused("pool Ann", begun=harr) == unknown


# ------------------------------------------------------------- the hand under way


def test_a_note_in_the_middle_of_a_hand_keeps_its_lines(path):
    play(path, *FIRST[:2], "note hello", *FIRST[2:])
    assert "  Ben: 68 win\n  note hello\n" in body(path)
    assert holds(path) == ["hand"]


def test_an_edit_of_who_sat_there_says_who_no_longer_fits():
    head = HEAD + "seat Eve for Ann\nhand\n  Eve: 8\n  Ben: 4 win\n  W: 0\n  N: 0\n"
    said = typed("edit 0a", "seat - for Ann", begun=head)[1]
    assert said.startswith("hand 1 would no longer fit: ")
    said = typed("edit 0a", "seat Fay for Ann", begun=head)[1]
    assert said.startswith("hand 1 would no longer fit: nobody here is called 'Eve'")


def test_a_line_typed_again_as_it_was_is_nothing_to_undo(path):
    for line in ("Ann: 8", "Ann: 8"):
        play(path, line)
    assert "Ann’s line is undone" in play(path, "Ann: 8", "undo")
    assert body(path) == ""


def test_redo_in_the_middle_of_a_hand_moves_nothing(path):
    shown = play(path, *FIRST, "undo", "E: 30", "redo", "show")
    assert "nothing-to-redo" in shown
    assert body(path) == 'hand @E\n  Ann: 30\n  Ben: 68 win\n  "Old Cid": 12\n'


def test_undo_then_edit_then_redo_opens(path):
    play(path, *FIRST, *SECOND, "undo", "edit 1", "Ben: 68", "Ann: 8 win", "yes", "redo")
    assert holds(path) == ["hand", "open"]


def test_a_line_is_replaced_and_brought_back_over_a_restart(path):
    play(path, "Ann: 8", "Ben: 4", "Ann: 9 win")
    play(path, "undo")
    assert body(path) == "hand @E\n  Ann: 8\n  Ben: 4\n"
    play(path, "undo", "undo")
    assert body(path) == ""


def test_undo_takes_back_a_hand_a_note_and_a_payment_each_by_itself(path):
    texts = []
    for line in ("note x", "pay S E 100", "draw", "note y"):
        texts.append(body(path) if path.exists() else "")
        play(path, line)
    for text in reversed(texts):
        play(path, "undo")
        assert body(path) == text


@pytest.mark.parametrize("name", ["ben", "BEN", "b", "East", "cid", "old cid", '"Old Cid"'])
def test_a_pool_takes_names_as_everywhere(path, name):
    options = ("--players", NAMES, "--counters", "babcock")
    shown = play(path, *FIRST, f"pool {name}", "undo", options=options)
    assert f"the pool of {'Old Cid' if 'cid' in name.casefold() else 'Ben'} is undone" in shown.replace(
        '"', ""
    )


def test_a_pool_of_two_names(path):
    play(path, *FIRST, options=("--players", "Ann Ada Ben Dee", "--counters", "babcock"))
    assert "[two-people]" in play(path, "pool a", options=())


def test_a_pool_is_one_thing(path):
    options = ("--players", NAMES, "--counters", "babcock", "--bank", "-r", "babcock")
    play(path, "Ann: 8", "Ben: 68 win", "W: 12", "Dee: dead", options=options)
    before = body(path)
    assert "the pool of Ben is undone" in play(path, "pool Ben", "undo")
    assert body(path) == before
    play(path, "pool Ben")
    assert "the pool of Ben is undone" in play(path, "undo")
    assert body(path) == before


def test_what_was_dropped_comes_back(path):
    play(path, "Ann: 8", "Ben: 4", "drop", "undo")
    assert body(path) == "hand @E\n  Ann: 8\n  Ben: 4\n"


def test_undo_takes_back_the_line_that_settled_a_hand_and_no_more(path):
    shown = play(path, *FIRST, "undo")
    assert "Dee’s line, the last of hand 1, is undone; redo brings it back" in shown
    assert "typed so far: Ann, Ben, Old Cid" in shown
    assert body(path) == 'hand @E\n  Ann: 8\n  Ben: 68 win\n  "Old Cid": 12\n'
    settled = [*FIRST[:3], "Dee: 4"]
    play(path, settled[3])
    assert holds(path) == ["hand"]
    play(path, "undo", "undo")
    assert body(path) == "hand @E\n  Ann: 8\n  Ben: 68 win\n"


def test_what_was_typed_as_one_line_is_undone_as_one(path):
    texts = []
    for line in (
        "2 8 64w 0",
        "e 2, s 8",
        "w 60, n 4 win",
        "2 8 60 0",
        "8 2 60w 4",
        "label x",
        "w 8",
        "label y",
        "4 4 4w",
    ):
        texts.append(body(path) if path.exists() else "")
        play(path, line)
    for text in reversed(texts):
        play(path, "undo")
        assert body(path) == text
    assert "the line of Ann, Ben is undone" in play(path, "e 2, s 8", "undo")
    assert "hand 1 is undone" in play(path, "2 8 64w 0", "undo")
    assert "hand 1 is undone" in play(path, "2 8 64w 0", "quit") + play(path, "undo")


def test_a_line_that_does_not_go_with_the_others_is_a_row_of_the_hand(path):
    shown = play(path, "Ann: 8 win", "Ben: 20 win", "W: 12", "N: 0")
    assert shown.count("Ann and Ben cannot both win") == 3
    assert "1 (a line put right)> " in shown
    assert body(path) == 'hand @E\n  Ann: 8 win\n  Ben: 20 win\n  "Old Cid": 12\n  Dee: 0\n'
    play(path, "Ann: 8")
    assert holds(path) == ["hand"]
    play(path, "undo")
    assert body(path) == 'hand @E\n  Ann: 8 win\n  Ben: 20 win\n  "Old Cid": 12\n  Dee: 0\n'


@table
def test_a_row_that_waited_as_a_comment_is_a_row(path, rows, become):
    path.write_text(f"{HEAD}note x\nhand @E\n{rows}")
    play(path, "quit", options=())
    assert body(path) == f"note x\nhand @E\n{become}"


def test_what_is_typed_after_somebody_else_has_written_is_undone_and_no_more(path):
    play(path, "Ann: 8")
    path.write_text(path.read_text() + "  # by hand\n")
    shown = play(path, "Ben: 4", "undo", "undo")
    assert "Ben’s line is undone" in shown
    assert "the file was changed since by something else" in " ".join(shown.split())
    assert body(path) == "hand @E\n  Ann: 8\n  # by hand\n"


def test_undo_goes_back_over_restarts_wherever_the_file_stands(path, tmp_path):
    texts = []
    options = ("--players", NAMES, "--counters", "babcock")
    for lines in (FIRST[:2], FIRST[2:], ["Ann: 1", "drop"], ["edit 1", "Dee: 2", "yes"], ["pool Ben"]):
        texts.append(path.read_text() if path.exists() else None)
        play(path, *lines, options=options)
    path = path.rename(tmp_path / "moved.mj")
    for number, text in zip((1, 1, 2, 2), reversed(texts[1:]), strict=True):
        for _ in range(number):
            play(path, "undo", options=())
        assert path.read_text() == text
    for _ in range(6):
        play(path, "redo", options=())
    assert body(path).endswith("  note into the pool\n")


def test_steps_that_cannot_be_kept_are_told_once_and_undo_works_here(path, monkeypatch):
    path.with_name("state").write_text("a file, and no folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(path.with_name("state")))
    shown = play(path, "Ann: 8", "Ann: 9", "undo")
    assert shown.count("undo will not outlive this session") == 1
    assert body(path) == "hand @E\n  Ann: 8\n"
    assert "nothing-to-undo" in play(path, "undo")


# ------------------------------------------------------------- players, not seats


def test_winds_are_stored_as_players(path):
    play(
        path,
        "E: 8",
        "S: (222d) [1111c] 123b 456b 5c <5c:W!earlier:N",
        "W: 4 # W had it",
        "N: 0",
        "pay E W 20",
    )
    text = body(path)
    assert '<5c:"Old Cid"!earlier:Dee' in text
    assert '  "Old Cid": 4 # W had it\n' in text
    assert "pay Ben Dee 20\n" in text
    play(path, "E: 20 win from S", "S: 4", "W: 6", "N: 2")
    assert '  Ben: 20 win from "Old Cid"\n' in body(path)
    # with another East the same player has fed the hand
    play(path, "edit 1", "Ben: 68", "Ann: 8 win", "yes")
    assert '  Ben: 20 win from "Old Cid"\n' in body(path)
    assert holds(path) == ["hand", "pay", "hand"]


# ------------------------------------------------------------- an edit

WRITTEN = (
    HEAD
    + """
hand "first" @E   # the first
  # a comment
  Ann: 8   # counted twice
  Ben: 68 win
  "Old Cid": 12
  note a note
  Dee: 0
  east Ann  # Ann it was
  pays Ann -128 Ben +272 "Old Cid" -48 Dee -96  # so much

# between
hand "meet @Sue"
  E: 20 win from S  # E and S
  N: 4
  S: 6
  W: 8
  pays E +120 N -46 S -40 W -34
pay S W 20
"""
)


def test_an_edit_keeps_what_people_wrote(path):
    path.write_text(WRITTEN)
    assert holds(path) == ["hand", "hand", "pay"]
    play(path, "edit 1", "Dee: 2", "yes")
    kept = [line for line in body(path).splitlines() if "edited" not in line and "Dee: " not in line]
    for line in WRITTEN.partition("Dee\n")[2].splitlines():
        if "pays Ann" not in line and "Dee: 0" not in line:
            assert line in kept
    assert len(kept) == len(WRITTEN.partition("Dee\n")[2].splitlines()) - 1
    assert "# so much" in body(path)
    play(path, "undo")
    assert body(path) == WRITTEN.partition("Dee\n")[2]


def test_winds_in_later_hands_become_the_players_that_sat_there_and_are_shown(path):
    path.write_text(WRITTEN)
    shown = play(path, "edit 1", "Ben: 68", "Ann: 10 win", "yes")
    assert 'E: 20 win from S # E and S becomes Ben: 20 win from "Old Cid" # E and S' in re.sub(
        r"\s+", " ", shown
    )
    assert '  Ben: 20 win from "Old Cid"  # E and S\n' in body(path)
    # who sits where at the payment is as it was
    assert "pay S W 20\n" in body(path)
    assert 'hand "meet @Sue"\n' in body(path)
    assert holds(path) == ["hand", "hand", "pay"]


def test_an_edit_shows_what_changes_and_writes_after_yes_only(path):
    play(path, *FIRST, *SECOND)
    before = path.read_text()
    shown = play(path, "edit 1", "Ben: 68", "Ann: 8 win", "no")
    assert "Hand 1: nets Ann −128 → +48" in shown
    assert "Hand 2: Ann is East, not Ben" in shown
    assert "Totals: Ann −174 → " in shown
    assert path.read_text() == before
    assert "is not written" in play(path, "edit 1", "Dee: 2")
    assert path.read_text() == before


def test_later_hands_may_keep_the_winds_as_they_were_played(path):
    play(path, *FIRST, *SECOND, "draw")
    play(path, "edit 1", "Ben: 68", "Ann: 8 win", "keep")
    assert "  east Ben @E\n" in body(path)
    assert "Hand 4, East round: Ben is East" in play(path, "quit")
    assert holds(path) == ["hand", "hand", "draw"]
    play(path, "undo")
    assert "@E\n" not in body(path).replace("hand @E", "")


@table
def test_every_entry_can_be_edited(path, edited, typed, expected):
    options = ("--players", NAMES, "-r", "harr-limit")
    lines = [
        "Ann: 8 win",
        "Ben: 68",
        "W: 12",
        "N: 0",
        "draw",
        "pay E N 20",
        "note good",
        "wash S 11",
        "false W",
    ]
    play(path, *lines, options=options)
    before = body(path)
    play(path, f"edit {edited}", typed, "yes")
    assert expected in body(path)
    assert expected not in before
    holds(path)
    play(path, "undo")
    assert body(path) == before


def test_a_draw_that_was_a_wash_is_counted_as_one(path):
    """The edited entry has another mark then."""
    play(path, *FIRST, "draw", options=("--players", NAMES, "-r", "harr-limit"))
    assert "Washing the tiles" in play(path, "edit 2", "wash S 11", "yes")
    assert holds(path) == ["hand", "wash"]
    assert "Hand 2, " in play(path, "quit")


def test_a_payment_is_told_in_a_line(path):
    shown = play(path, "pay E N 20", "pay E N 0", *FIRST, "pay E N 30", "edit 1", "Dee: 2", "no")
    assert "\nAnn pays Dee 20\nTotals: Ann −20, Ben 0, Old Cid 0, Dee +20\n" in shown
    assert "\nBen pays Ann 30\n" in shown
    assert holds(path) == ["pay", "pay", "hand", "pay"]


def test_after_an_edit_who_gives_what_where_counters_are_kept(path):
    edit = ["edit 1", "Dee: 20", "yes"]
    shown = play(path, *FIRST, *edit, options=("--players", NAMES, "--counters", "babcock"))
    (said,) = re.findall(r"To put the counters right: (.*)", shown)
    gives = sum(int(points) for points in re.findall(r"gives (\d+)", said))
    gets = sum(int(points) for points in re.findall(r"gets (\d+)", said))
    assert gives == gets > 0
    # the counters of the hand as it was have changed hands already
    assert shown.count(" hands Ben: ") == 3
    path.unlink()
    assert "put the counters right" not in play(path, *FIRST, *edit)


def test_edits_are_undone_over_a_restart_in_their_order(path):
    play(path, *FIRST, *SECOND)
    texts = []
    for line in ("Dee: 2", "Dee: 4", "Ann: 10"):
        texts.append(body(path))
        play(path, "edit 1", line, "yes")
    texts.append(body(path))
    play(path, "draw")
    for text in reversed(texts):
        play(path, "undo")
        assert body(path) == text


def test_an_edit_while_a_hand_is_typed_leaves_its_lines(path):
    shown = play(path, *FIRST, "Ben: 20 win", "Cid: 4", "edit 1", "Dee: 2", "yes", "undo", "undo")
    assert "hand-in-progress" not in shown
    assert body(path).endswith("hand @E\n  Ben: 20 win\n")
    play(path, "Cid: 4", "edit 1", "Dee: 2", "yes")
    assert body(path).endswith('hand @E\n  Ben: 20 win\n  "Old Cid": 4\n')
    assert "the edit of hand 1 is undone" in play(path, "undo")
    assert "Old Cid’s line is undone" in play(path, "undo")
    play(path, "Cid: 4", "Ann: 8", "Dee: 0")
    assert holds(path) == ["hand", "hand"]


def test_an_edit_moves_the_winds_of_the_hand_under_way_or_keeps_them(path):
    path.write_text(WRITTEN + "hand @E\n  E: 20\n")
    before = path.read_text()
    edit = ["edit 2", "Ben: 20", "Ann: 4 win"]
    shown = play(path, *edit, "no")
    assert "The hand under way: East round, Old Cid is East" in shown
    assert "In 3, E: 20 becomes Ben: 20" in shown
    assert path.read_text() == before
    play(path, *edit, "yes")
    assert body(path).endswith("hand @E\n  Ben: 20\n")
    play(path, "undo")
    assert "3 (Dee, Ann)> " in play(path, *edit, "keep", "S: 4")
    assert "  E: 20\n  east Ben @E\n" in body(path)


def test_an_open_hand_that_keeps_its_winds_is_typed_at_them(path):
    play(path, *FIRST, "S: 20")
    play(path, "edit 1", "Ben: 68", "Ann: 8 win", "keep")
    assert body(path).endswith('hand @E\n  "Old Cid": 20\n  east Ben @E\n')
    # Ben is East, and has his own wind
    shown = play(path, "E: (EEEw) 123b 456b 789b 5d <5d:S", "W: 0", "N: 0")
    assert "Ben (East) wins" in shown
    assert "Own wind" in shown
    assert holds(path) == ["hand", "hand"]


def test_what_was_dropped_after_an_edit_comes_back_first(path):
    play(path, *FIRST, *SECOND, "Ann: 8", "edit 1", "Dee: 2", "yes", "drop")
    assert "the dropping of hand 3 is undone" in play(path, "undo")
    assert "the edit of hand 1 is undone" in play(path, "undo")
    assert "Ann’s line is undone" in play(path, "undo")
    assert "the last of hand 2, is undone" in play(path, "undo")


def test_a_line_typed_after_an_edit_and_a_drop_is_undone_before_the_edit(path):
    play(path, *FIRST, "Ben: 8", "Cid: 2", "edit 1", "Dee: 2", "yes", "drop")
    assert "Ann’s line is undone" in play(path, "Ann: 8", "undo")
    play(path, "Ann: 8")
    assert "Ann’s line is undone" in play(path, "undo")
    assert "the dropping of hand 2 is undone" in play(path, "undo")
    assert "the edit of hand 1 is undone" in play(path, "undo")


# ------------------------------------------------------------- the file remembers its table


def test_the_file_remembers_its_table(path):
    begun = ("--players", NAMES, "--counters", "babcock", "--bank", "--title", "Tea", "--date", "2026-11-21")
    play(path, *FIRST, options=begun)
    assert path.read_text().startswith("rulebook harr\nrules ")
    assert (
        'title "Tea"\ndate 2026-11-21\ncounters babcock\nbank\nplayers Ann Ben "Old Cid" Dee\n'
        in path.read_text()
    )
    assert "Ben holds 2272" in play(path, "counters", options=())
    report = CliRunner().invoke(cli, ["report", str(path)]).output
    assert report.startswith("Tea\n2026-11-21\n")
    assert " hands Ben: " in CliRunner().invoke(cli, ["settle", str(path)]).output


@pytest.mark.parametrize(
    "options",
    [("-r", "babcock"), ("--players", "Ann Ben Cid Dee"), ("--counters", "harr"), ("--bank",), ("--title", "Tea"),
     ("-s", "players=3"), ("--date", "1923-01-01")],
)  # fmt: skip
def test_what_the_command_line_says_otherwise_is_refused(path, options):
    play(path, *FIRST)
    before = path.read_text()
    shown = play(path, "draw", options=options)
    assert "[begun-otherwise]" in shown or "[unknown-option]" in shown
    assert path.read_text() == before


def test_an_evening_deleted_and_begun_again_inherits_nothing(path):
    play(path, *FIRST, "undo", "Ann: 8")
    path.unlink()
    shown = play(path, "redo", "show")
    assert "nothing-to-redo" in shown
    assert "typed so far" not in shown
    assert body(path) == ""
    play(path, "Ann: 8", "drop", "draw", "undo")
    path.unlink()
    shown = play(path, "undo", "redo")
    assert "nothing has been played yet" in shown
    assert "nothing-to-redo" in shown


# ------------------------------------------------------------- the file


@posix
def test_links_are_kept_and_two_copies_through_them_refused(path, tmp_path):
    play(path, *FIRST)
    link = tmp_path / "elsewhere" / "link.mj"
    link.parent.mkdir()
    link.symlink_to(path)
    play(link, "draw", "undo", "draw")
    assert link.is_symlink()
    assert holds(path) == ["hand", "draw"]
    from mjscore.play.store import Store

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
    from mjscore.atomic import temporary_prefix

    play(path, *FIRST)
    path.chmod(0o640)
    path.with_name(f"{temporary_prefix(path)}0123").write_text("half")
    play(path, "draw")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(path.parent.iterdir()) == [path]


def test_a_file_that_has_no_text_is_an_evening_not_begun(path):
    path.write_text("")
    play(path, *FIRST)
    assert holds(path) == ["hand"]


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_line_ends_are_those_of_the_file(path, end):
    path.write_bytes(HEAD.replace("\n", end).encode())
    play(path, *FIRST, "draw", "note x", "edit 1", "Dee: 2", "yes")
    assert path.read_bytes().count(b"\n") == path.read_bytes().count(end.encode())
    assert holds(path) == ["hand", "draw"]


def test_names_that_need_quotes_are_kept(path):
    play(path, "S: 8 win from W", "E: 4", "W: 2", "N: 2", options=("--players", "'A@E' 'E: x' '#1' 'dead'"))
    assert holds(path) == ["hand"]
    assert '  "E: x": 8 win from "#1"\n' in body(path)


def test_hands_are_counted_as_hands(path):
    play(path, *FIRST, "pay E S 20", "note x", "draw", "pay S E 20", "pay S E 20")
    assert "Hand 3, " in play(path, "quit")
    report = CliRunner().invoke(cli, ["report", str(path)]).output
    assert re.findall(r"(?m)^ ?(\w+)  E  ", report) == ["1", "1a", "2", "2a", "2b"]
    page = CliRunner().invoke(cli, ["report", str(path), "--html", "-"]).output
    assert re.findall(r'id="hand-(\w+)"', page) == ["1", "1a", "2", "2a", "2b"]
    os.unlink(path)


def test_a_penalty_of_the_rulebook_is_an_entry_like_another(path):
    options = ("--players", NAMES, "-r", "bmja")
    shown = play(path, "2 8 100w+ 0", "penalty misnamed-discard S", "undo", "redo", options=options)
    assert "the penalty is undone; redo brings it back" in shown
    assert 'penalty misnamed-discard "Old Cid"\n  east Ben\n' in body(path)
    play(path, "edit 1a", "penalty misnamed-discard E N", "yes")
    assert "penalty misnamed-discard Ben Ann\n" in body(path)
    assert "the edit of the penalty 1a is undone" in play(path, "undo")
    assert "no penalty 'nothing'" in play(path, "penalty nothing S")
