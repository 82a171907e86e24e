"""Files: good and bad lines together, blocks, events, evenings whose winds pass."""

from __future__ import annotations

from pathlib import Path

import pytest
from checks import check_text
from tables import table

from mjscore.record.checker import Checked, Reader, check_block
from mjscore.record.context import Context, State
from mjscore.record.source import blocks, lines_of
from mjscore.rulebook.binding import bind


def codes(found: list[Checked]) -> list[tuple[int, str]]:
    return [(refusal.line or 0, refusal.code) for one in found for refusal in one.refusals]


MIXED = Path(__file__).with_name("mixed.mj").read_text(encoding="utf-8")


def test_blocks_together_give_what_they_give_one_by_one():
    text = f"  E: 64\n{MIXED}{'x' * 10_001}\n  S: 3\nhand\n  E: 20 win\n  S: 3 4\n"
    reader = Reader("x.mj", Context())
    together = reader.check_together(blocks(lines_of(text)))
    assert together == check_text(text)
    assert len(together) > 15
    other = Reader("x.mj", Context())
    list(other.check(blocks(lines_of(text))))
    assert reader.state == other.state


def test_a_file_reports_every_bad_line_and_scores_every_good_one():
    found = check_text(MIXED)
    assert codes(found) == [
        (4, "missing-class"), (6, "not-a-set"), (7, "unknown-line"), (11, "stray-row"), (12, "no-rulebook"),
        (13, "no-rulebook"), (15, "option-value"), (16, "unknown-option"), (17, "bad-round"),
    ]  # fmt: skip
    assert [one.line for one in found if not one.ok] == [4, 5, 6, 7, 10, 11, 12, 13, 15, 16, 17]
    assert [one.line for one in found if one.ok] == [3, 8, 9, 19]
    for one in found:
        for refusal in one.refusals:
            assert refusal.file
            assert refusal.column is not None
            assert refusal.hint


@table
def test_what_is_wrong_in_a_file(text, told):
    found = check_text(text)
    assert [f"{line} {code}" for line, code in codes(found)] == told
    assert any(not one.ok for one in found) == bool(told)


def test_hands_below_a_refused_rulebook_name_its_line():
    found = check_text("\n# rules\nrulebook nothing\n(123b) (456c) 22d 789b 11c <2d\n")
    assert "line 3" in found[1].refusals[0].message


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_endings_and_marks(ending, mark):
    text = mark + ending.join(
        ["", "# a comment", '"a" (123b) (456c) 22d 789b 11c <2d = 22 # so it is', "draw"]
    )
    assert [(one.line, one.ok) for one in check_text(text)] == [(3, True), (4, True)]


def test_labels_may_hold_anything():
    (one,) = check_text('"a # b = 3 S: +7c" (123b) (456c) 22d 789b 11c <2d = 22')
    assert one.ok
    assert one.label == "a # b = 3 S: +7c"


@pytest.mark.parametrize("rulebook", ["harr-limit", "babcock", "babcock-chinese"])
def test_a_seat_without_a_row_is_missed_where_four_play(rulebook):
    text = f"rulebook {rulebook}\nplayers Ann Ben Cid Dee\nhand\n  Ann: 3 win\n  Ben: 1\n  Cid: 1\n"
    for below in ("draw\n", "round E\n", "note why\n", "nonsense\n", "  note why\ndraw\n"):
        assert (3, "missing-seat") in codes(check_text(text + below))
    text = f"rulebook {rulebook}\nhand\n  E: 3 win\n"
    assert [code for _, code in codes(check_text(text))] == ["missing-seat"]


PLAYERS = "players Ann Ben Cid Dee\n"


@table
def test_the_last_hand_of_an_evening_may_be_open(rows, missing):
    state = State("x.mj", Context())
    for block in blocks(lines_of(f"{PLAYERS}draw\nhand\n{rows}")):
        before = state
        state, results = check_block(state, block)
    (checked,) = results
    assert checked.ok
    assert checked.missing == missing
    assert checked.as_json()["open"] is True
    assert (checked.outcome.kind, checked.outcome.payments) == ("hand", ())
    assert set(checked.outcome.sheets) == ({"E"} if "RRR" in rows else set())
    assert len(checked.outcome.scores) == 4 - len(missing)
    assert state.position == before.position


@table
def test_what_cannot_be_is_refused_in_an_open_hand_too(rows, code):
    (checked,) = check_text(f"{PLAYERS}hand\n{rows}")
    assert not checked.ok
    assert [refusal.code for refusal in checked.refusals] == [code]


@table
def test_rows_that_do_not_go_together_leave_the_last_hand_open(rows, code):
    (checked,) = check_text(f"{PLAYERS}hand\n{rows}")
    assert checked.ok
    assert checked.is_open
    assert [refusal.code for refusal in checked.refusals] == [code]
    closed, _ = check_text(f"{PLAYERS}hand\n{rows}draw\n")
    assert not closed.ok
    assert not closed.is_open
    (paid,) = check_text(f"{PLAYERS}hand\n{rows}  pays Ann +8 Ben -8\n")
    assert not paid.ok


@table
def test_what_a_row_says_wrongly_of_the_table_is_marked_in_that_row(text, place):
    refusal = check_text(text)[-1].refusals[0]
    assert (refusal.line, refusal.column, refusal.length, refusal.code) == place


def test_checking_a_block_changes_nothing_but_what_it_gives():
    first, second = blocks(lines_of(f"{PLAYERS}hand\n  Ann: 3 win\n  Ben: 1\n  Cid: 1\n  Dee: 1\n"))
    state, _ = check_block(State("x.mj", Context()), first)
    assert check_block(state, second) == check_block(state, second)
    assert state.position.hands == 0
    after, (checked,) = check_block(state, second)
    assert checked.state.position == state.position
    assert checked.after == after.position


def test_wrong_nets_do_not_hold():
    text = "hand\n  E: 480 win\n  S: 64\n  W: 272\n  N: 16\n  pays E +2880 S -1120 W -496 N {}\n"
    assert check_text(text.format("-1264"))[0].ok
    assert check_text(text.format("−1264"))[0].ok
    assert not check_text(text.format("-1266"))[0].ok


def test_a_block_round_and_defaults():
    text = "round S\nhand\n  S: (SSS) 123b 456b 789c 5c <5c\n  E: 0\n  W: 0\n  N: 0\n"
    assert check_text(text, rulebook="harr-limit")[0].outcome.sheets["S"].doubles == 2
    assert (
        check_text(text.replace("hand", "hand @E"), rulebook="harr-limit")[0].outcome.sheets["S"].doubles == 1
    )


@table
def test_washes_that_cannot_be(line, code):
    assert [name for _, name in codes(check_text(f"rulebook harr-limit\n{line}"))] == [code]


EVENING = Path(__file__).with_name("evening.mj").read_text(encoding="utf-8")


def test_the_winds_pass_by_themselves():
    found = check_text(EVENING)
    assert codes(found) == []
    assert [one.seats["E"] for one in found] == ["Ann", "Ann", "Ann", "Ben"]
    assert found[0].outcome.scores["W"] == 0  # a dead hand
    assert found[2].outcome.winner == "S"
    assert found[2].outcome.discarder == "E"
    position = found[-1].after
    assert position.passes == 2
    assert position.hands == 4
    assert sum(position.totals) == 0
    assert position.points["Ann"] == sum(
        one.outcome.net[wind] for one in found for wind, name in one.seats.items() if name == "Ann"
    )


@table
def test_evenings_that_cannot_be(text, code):
    assert code in [name for _, name in codes(check_text("rulebook babcock\n" + text))]


def test_a_fingerprint_tells_other_rules():
    mark = bind("babcock", {"limit": 600}).fingerprint
    assert check_text(f"rulebook babcock\nset limit 600\nrules {mark}\n") == []
    assert [name for _, name in codes(check_text(f"rulebook babcock\nrules {mark}\n"))] == ["rules-changed"]


def test_the_ninth_win_in_a_row_is_seen():
    hand = "hand\n  Ann: 22 win\n  Ben: 0\n  Cid: 0\n  Dee: 0\n"
    text = "rulebook babcock-chinese\nset nine-wins on\nplayers Ann Ben Cid Dee\n" + 9 * hand
    assert [one.outcome.scores["E"] for one in check_text(text)] == [22] * 8 + [300]
    played = text.replace("Ann: 22 win", "Ann: (234b) (456b) (789b) 55c 34d <5d")
    assert [one.outcome.scores["E"] for one in check_text(played)] == [30] * 8 + [300]


@pytest.mark.parametrize(
    ("event", "score"), [("draw", 22), ("wash S", 300), ("wash S not-touching", 300), ("pay Ben Cid 4", 300)]
)
def test_a_hand_drawn_to_its_end_breaks_the_row_and_a_new_draw_does_not(event, score):
    """D71: no win stands between."""
    hand = "hand\n  Ann: 22 win\n  Ben: 0\n  Cid: 0\n  Dee: 0\n"
    head = "rulebook babcock-chinese\nset nine-wins on\nset nine-mummies on\nset not-touching on\nplayers Ann Ben Cid Dee\n"
    assert check_text(f"{head}{8 * hand}{event}\n{hand}")[-1].outcome.scores["E"] == score


@pytest.mark.parametrize("won", ["22 win ninth", "(RRR) 123b 456b 789b 5d +5d!ninth"])
def test_where_nobody_counts_the_wins_a_ninth_is_taken_at_its_word(won):
    head = "rulebook babcock-chinese\nset nine-wins on\n"
    (one,) = check_text(f"{head}hand\n  E: {won}\n  S: 0\n  W: 0\n  N: 0\n")
    assert one.ok, one.refusals
    assert one.outcome.scores["E"] == 300


def test_a_table_of_two_has_two_seats():
    found = check_text("players Ann Ben\nhand\n  Ann: 8 win\n  Ben: 2\n")
    assert found[0].after.totals == (16, -16)


@pytest.mark.parametrize("ending", ["", "\n", "\r\n", "\n\n\n", "\n#", "\n   ", "\n\t\n"])
def test_the_end_of_a_file(ending):
    text = "hand\n\tE: 3 win\n \tS:\t1\n   # between\n\n\tW: 1 # one\n\n  N:1"
    (one,) = check_text(text + ending)
    assert one.ok, one.refusals
    assert one.outcome.scores == {"E": 3, "S": 1, "W": 1, "N": 1}


@table
def test_expectations(line, ok):
    (one,) = check_text(line)
    assert one.ok is ok
    assert one.as_json()["ok"] is ok


def test_a_name_may_be_anything_that_is_quoted():
    text = (
        'players "E:" "= 3" "# a" "hand"\nhand\n  "E:": 3 win from "= 3"\n  "= 3": 1\n  "# a": 1\n  hand: 1\n'
    )
    (one,) = check_text(text)
    assert one.ok, one.refusals
    assert one.outcome.winner == "E"
    assert one.outcome.discarder == "S"


def test_what_is_refused_keeps_its_kind():
    text = "wash X 11\nfalse X\ndraw\n  E: 3\npay X E 3\npenalty nothing X\nlong X\nhand\n  E: 3\n"
    found = check_text(text, rulebook="harr-limit")
    assert not any(one.ok for one in found)
    assert [one.outcome.kind for one in found] == ["wash", "false", "draw", "pay", "penalty", "long", "hand"]


BABCOCK = "rulebook babcock\nplayers Ann Ben Cid Dee\n"
ANN_WINS = "hand\n  Ann: 22 win\n  Ben: 0\n  Cid: 0\n  Dee: 0\n"


@table
def test_a_row_may_keep_the_winds_as_they_were_played(head, row, easts):
    ben_loses = f"{head}\n  Ann: 0\n  Ben: 0\n  Cid: 22 win\n  Dee: 0\n  {row}\n"
    found = check_text(f"{BABCOCK}{ANN_WINS}{ben_loses}draw\n")
    if easts is None:
        assert {code for _, code in codes(found)} == {"winds-differ"}
        return
    assert codes(found) == []
    assert [one.seats["E"] for one in found] == easts
    assert found[1].state.position.passes == (5 if row.endswith("@S") else 1)


def test_what_comes_between_hands_may_keep_the_winds_too():
    (_, drawn) = check_text(f"{BABCOCK}{ANN_WINS}draw\n  east Ben @S\n")
    assert drawn.ok, drawn.refusals
    assert (drawn.seats["E"], drawn.state.position.passes) == ("Ben", 5)


@pytest.mark.parametrize("given", ["(RRR) 123b 456b 789b 5d <5d", "64 win"])
@table
def test_a_row_of_a_block_is_of_its_round(head, row, code, given):
    text = f"hand{head}\n  E{row}: {given}\n  S@{head[-1:] or 'E'}: dead\n  W: 0\n  N: 0\n"
    assert codes(check_text(f"round E\n{text}")) == ([(3, code)] if code else [])
    # where nothing tells the round, a row may
    if not head and code == "second-round":
        assert codes(check_text(text)) == []


def test_after_a_hand_that_was_stopped_nobody_moves():
    """Babcock p. 73: too many tiles."""
    long = "hand\n  Ann: 0\n  Ben: (RRR) 123b 456b 789b 1122c !dead\n  Cid: 0\n  Dee: 0\n"
    (stopped,) = check_text(f"rulebook babcock-chinese\nset long-hand-pays-limit on\n{PLAYERS}{long}")
    assert stopped.ok, stopped.refusals
    assert (stopped.after.east, stopped.after.passes, stopped.after.hands) == (0, 0, 1)


def test_a_hand_that_expects_nothing_says_so():
    table = "hand\n  E: 3 win\n  S: 1\n  W: 1\n  N: 1\n"
    assert check_text(table)[0].as_json()["expected"] is None
    assert check_text(f"{table}  pays E 16\n")[0].as_json()["expected"] == {"E": 16}


def test_from_the_first_misfit_on_the_winds_are_taken_as_named():
    """Of those that follow from it nothing is said; and whoever sits out is no East."""
    five = "rulebook babcock\nset players 5\nplayers Ann Ben Cid Dee Eve\n"
    rows = "  Ann: 0\n  Ben: {}\n  Cid: {}\n  Dee: {}\n  east {}\n"
    ben, dee = rows.format("22 win doubles 1", 0, 0, "Ben"), rows.format(0, 0, "22 win doubles 1", "Dee")
    found = check_text(f"{five}hand\n{ben}hand\n{dee}draw\n")
    assert codes(found) == [(9, "winds-differ")]
    # the refused hands are not settled, and East is who was named
    assert [one.seats["E"] for one in found] == ["Ben", "Dee", "Dee"]
    assert [one.seats["X"] for one in found] == ["Eve"] * 3
    sitting = check_text(f"{five}hand\n{rows.format('22 win doubles 1', 0, 0, 'Eve')}draw\n")
    assert [one.seats["E"] for one in sitting] == ["Ann", "Ann"]


def test_the_settlement_of_a_refused_hand_names_the_first_that_is_wrong_with_it():
    (one,) = check_text("hand\n  E: 12x\n  Q: 3\n  S: 3 win\n")
    assert [code for _, code in codes([one])] == ["unknown-class", "no-such-seat"]
    assert one.outcome.error.code == "unknown-class"


@table
def test_an_evening_counts_the_wins_of_east_itself(before, row, won):
    rows = {"Ann": "Ann: 0", "Ben": "Ben: 0", "Cid": "Cid: 0", "Dee": "Dee: 0", row[:3]: row}
    found = check_text(f"{BABCOCK}{before}hand\n" + "".join(f"  {one}\n" for one in rows.values()))
    (refusal,) = found[-1].refusals
    assert refusal.code == "not-the-ninth"
    assert refusal.message == f"{won} in a row as East before this hand, not eight"
    assert refusal.hint == "leave out ninth: an evening counts the wins itself"


@table
def test_the_flags_of_a_winner_name_players_or_winds(clause, net):
    """Babcock p. 74-78."""
    head = "rulebook babcock-chinese\nset four-sets-from-one on\nplayers Ann Ben Cid Dee\n"
    blamed = ("Dee", "N") if "allfrom" in clause else ("Ben", "S")
    for name in blamed:
        winner = f"(RRR)(GGG)(WWWd)(123b) 4c {clause.format(name)}"
        (one,) = check_text(f"{head}hand\n  Ann: {winner}\n  Ben: 2\n  Cid: 4\n  Dee: 8\n")
        assert one.ok, one.refusals
        assert tuple(one.outcome.net[seat] for seat in "ESWN") == net
        assert one.outcome.remarks[-1].startswith(blamed[0])


@table
def test_what_is_said_of_a_row_and_what_helps(text, message, hint):
    refusals = [refusal for one in check_text(text) for refusal in one.refusals]
    assert [(refusal.message, refusal.hint) for refusal in refusals] == [(message, hint)]


@table
def test_what_does_not_go_together_waits_to_be_put_right(text, amiss):
    refused = next(one for one in check_text(text) if one.refusals)
    assert refused.amiss is amiss
    assert refused.after == refused.state.position


@table
def test_a_hand_keeps_its_label_whatever_comes_of_it(head, rows):
    one = check_text(f'{head}hand "tea"\n  {rows}')[-1]
    assert (one.label, one.outcome.label) == ("tea", "tea")


def test_east_is_who_is_named_among_those_who_play():
    """In the second round it is Ann who sits out."""
    south_wins = "hand\n  E: 0\n  S: 22 win doubles 1\n  W: 0\n  N: 0\n"
    five = "rulebook babcock\nset players 5\nplayers Ann Ben Cid Dee Eve\n"
    found = check_text(f"{five}{4 * south_wins}{south_wins}  east Dee\ndraw\n")
    assert [one.seats["X"] for one in found] == ["Eve"] * 4 + ["Ann"] * 2
    assert found[-1].seats["E"] == "Dee"
