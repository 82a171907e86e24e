"""An evening that cannot be lost, doubled or bent: what went wrong once, command by command."""

from __future__ import annotations

import random
import stat

import pytest
from evenings import after, asked, body, holds, play
from refusals import refusal_of
from tables import table

from mjscore.atomic import temporary_prefix
from mjscore.page.text import Style
from mjscore.play.beginning import NewEvening, beginning
from mjscore.play.changes import Action
from mjscore.play.commands import act
from mjscore.play.history import to_undo_and_redo
from mjscore.play.rendering import show
from mjscore.play.session import Session, open_session, prompt, purses
from mjscore.play.store import Store
from mjscore.record.checker import Reader
from mjscore.record.context import Context, Occasion
from mjscore.record.lines import EventLine, SeatRow
from mjscore.record.source import blocks, lines_of
from mjscore.record.statistics import evening_of, standings

FIRST = ("Ann: 8", "Ben: 68 win", '"Old Cid": 12', "Dee: 0")
SECOND = ("Ben: 20 win", "Ann: 4", '"Old Cid": 6', "Dee: 8")
AS_DEALT = ("Ben: 123b 456c 789d EEEw 5b +5b!original", *SECOND[1:])
FRIENDS = ("Ann", "Ben", "Cid", "Dee", "Eve")
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
        session, values = act(session, asked(line, session.evening.state.seats, session.draft is not None))
    return session, show(values, Style())


@table
def test_the_prompt_says_which_hand_and_whose_line_is_missing(begun, lines, asks):
    assert prompt(typed(*BEGUN[begun], *lines)[0]) == f"{asks} "


@table
def test_what_is_said(begun, lines, says):
    assert typed(*BEGUN[begun], *lines)[1] == says


@table
def test_what_is_refused(begun, lines, message):
    assert refusal_of(typed, *BEGUN[begun], *lines).message == message


def test_keep_never_moves_the_winds():
    """Where the edit does not hold with the winds as they were, it is not written with others instead."""
    session, _ = typed(*FIRST, *SECOND, "edit 1", "Ben: 68", "Ann: 8 win")
    assert session.proposal.moved is not None is not session.proposal.kept
    unkept = session._replace(proposal=session.proposal._replace(kept=None))
    assert refusal_of(act, unkept, asked("keep", session.seats, True)).hint == "type yes or no"


def test_help_of_what_is_no_command_is_all_of_it():
    assert typed("help tea")[1] == typed("help")[1] != ""


@table
def test_four_alike_of_a_loser_are_remarked(hand, remark):
    said = typed(hand)[1]
    assert [line for line in said.splitlines() if "not declared" in line] == [remark] * bool(remark)
    # who pays is told when the hand is settled
    assert " pay" not in said


def test_the_last_eight_entries_are_named_where_one_is_not_found():
    for draws, known in ((0, "none has been played"), (1, "the last entries are 1"),
                         (9, "the last entries are 2, 3, 4, 5, 6, 7, 8, 9")):  # fmt: skip
        session, _ = typed(*["draw"] * draws)
        assert refusal_of(act, session, Action("edit", "n1")).hint == known


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


def test_a_file_with_two_names_is_refused(path, tmp_path):
    play(path, *FIRST)
    before = path.read_text()
    (tmp_path / "other.mj").hardlink_to(path)
    assert "[second-name]" in play(path, "draw")
    assert path.read_text() == before


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


def seated(session: Session, comes: str, leaves: str) -> Session:
    """The session after a change of seats."""
    return act(session, Action("event", records=(EventLine("seat", (comes, leaves)),)))[0]


@table
def test_changes_of_seats_that_cannot_be(head, below, change, code):
    assert refusal_of(seated, open_session(f"{head}\n{below}"), *change).code == code


def test_a_change_of_seats_is_undone_and_edited_like_an_event():
    session = seated(open_session(HEAD), "Eve", "Ann")
    assert session.evening.text == f"{HEAD}seat Eve for Ann\n"
    assert [(entry.mark, entry.kind) for entry in session.evening.entries] == [("0a", "seat")]
    edit, _ = act(session, Action("edit", "0a"))
    edit, _ = act(edit, asked("seat Fay for Ann", editing=True))
    after, _ = act(edit, Action("yes"))
    assert after.evening.position.players == ("Fay", "Ben", "Old Cid", "Dee")
    undone, _ = act(act(after, Action("undo"))[0], Action("undo"))
    assert undone.evening.text == HEAD


class Plain:
    """A plain list: who sits where in the order of the seats, who is East, the round, everybody's points and hands."""

    def __init__(self, names: list[str]) -> None:
        self.order, self.east, self.round = list(names), names[0], 0
        self.points = dict.fromkeys(names, 0)
        self.hands = dict.fromkeys(names, 0)

    def hand(self, scores: dict[str, int], winner: str) -> None:
        for one in self.order:
            self.hands[one] += 1
            for other in self.order:
                pays = scores[one] if one == winner else max(0, scores[one] - scores[other])
                if one != other and other != winner:
                    pays *= 2 if self.east in (one, other) else 1
                    self.points[one] += pays
                    self.points[other] -= pays
        if winner != self.east:
            self.next_east()

    def next_east(self) -> None:
        place = self.order.index(self.east) + 1
        self.round += place == len(self.order)
        self.east = self.order[place % len(self.order)]

    def change(self, comes: str, leaves: str) -> None:
        if comes:
            self.points.setdefault(comes, 0)
            self.hands.setdefault(comes, 0)
        if not leaves:
            self.order.append(comes)
        elif comes:
            self.order[self.order.index(leaves)] = comes
            self.east = comes if self.east == leaves else self.east
        else:
            if self.east == leaves:
                self.next_east()
            self.order.remove(leaves)

    def seats(self, book: str) -> dict[str, str]:
        place = self.order.index(self.east)
        turned = self.order[place:] + self.order[:place]
        return dict(
            zip({2: "EW", 3: "ESW" if book == "harr" else "ESN", 4: "ESWN"}[len(turned)], turned, strict=True)
        )


@pytest.mark.parametrize("book", ["harr", "babcock"])
@pytest.mark.parametrize("number", range(6))
def test_evenings_of_friends_beside_a_plain_list(book, number):
    chance = random.Random(f"{book}{number}")
    count = 4 if book == "harr" else chance.choice([3, 4])
    names = list(FRIENDS[:count])
    options = {"players": str(count)} if book == "babcock" else {}
    occasion = Occasion(date="2026-11-22", counters="babcock", bank=True)
    session = open_session(beginning(NewEvening(book, options, names, occasion)))
    plain = Plain(names)
    for _ in range(40):
        if chance.random() < 0.6:
            scores = {name: 2 * chance.randint(0, 40) for name in plain.order}
            winner = chance.choice(plain.order)
            rows = tuple(SeatRow(name, score, name == winner) for name, score in scores.items())
            session, _ = act(session, Action("rows", records=rows))
            plain.hand(scores, winner)
        else:
            away = [name for name in FRIENDS if name not in plain.order]
            comes = chance.choice(["", *away])
            leaves = chance.choice(["", *plain.order])
            if (not comes and not leaves) or not 2 <= len(plain.order) + bool(comes) - bool(leaves) <= 4:
                continue
            if book == "babcock" and len(plain.order) + bool(comes) - bool(leaves) == 2:
                continue  # the game for two settles otherwise
            changed = seated(session, comes, leaves)
            back, _ = act(changed, Action("undo"))
            assert back.evening.position == session.evening.position
            session = changed
            plain.change(comes, leaves)
        evening = session.evening
        assert evening.position.points == {name: plain.points[name] for name in evening.position.points}
        assert {name for name, points in plain.points.items() if points} <= evening.position.points.keys()
        assert evening.state.seats == plain.seats(book)
        assert "ESWN"[plain.round % 4] == evening.state.round_wind
        held = purses(session)
        assert held.holdings is not None
        for name, counts in held.holdings.items():
            assert held.counters.points(counts) + held.owing.get(name, 0) == 2000 + plain.points[name]
    found = evening_of(Reader("e.mj", Context()), blocks(lines_of(session.evening.text)))
    assert not found.refusals
    assert {name: found.total(name) for name in found.players} == {
        name: plain.points[name] for name in found.players
    }
    ranks = {standing.name: standing for standing in standings(found, found)}
    for name in found.players:
        assert (ranks[name].total, ranks[name].hands) == (2 * plain.points[name], 2 * plain.hands[name])
        assert sum(hand.was_played_by(name) for hand in found.played) == plain.hands[name]
