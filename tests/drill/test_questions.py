"""What a drill asks, and what wrong answers come from."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import run_command
from tables import rows, table

from mjscore.drill.questions import asked_now, explain, question, questions_of, tell
from mjscore.notation.hands import parse
from mjscore.record.checker import check_file
from mjscore.record.context import Context
from mjscore.rulebook.binding import bind
from mjscore.scoring.scorer import score_hand

ROOT = Path(__file__).parents[2]


def codes(found):
    return [{f"{one.kind} {one.of}".strip() for one in slips} for slips in found]


@table
def test_a_slip_made_on_purpose_is_named(rulebook, hand, asked, guess, slips):
    scored = score_hand(parse(hand), bind(rulebook))
    assert set(slips) in codes(explain(asked, scored, bind(rulebook), guess))


def test_fifty_slips_are_made():
    assert len(rows(__file__, "a_slip_made_on_purpose_is_named")[1]) >= 50


@table
def test_how_slips_are_told(hand, guess, told):
    scored = score_hand(parse(hand), bind("harr"))
    assert tell(explain("score", scored, bind("harr"), guess)) == list(told)


@table
def test_a_payment_that_is_wrong(payer, payee, guess, slips):
    (checked,) = check_file(str(ROOT / "tests" / "drill" / "table.mj"), Context())
    pairs = {one.put.rpartition("What does ")[2]: one for one in questions_of(checked, "score")}
    asked = pairs[f"{payer} pay {payee}?"]
    assert (slips == []) == (guess == asked.right)
    assert [str(one.kind) for slip in asked.explain(guess)[:1] for one in slip] == slips


@pytest.mark.parametrize("name", ["harr", "babcock", "bmja"])
@pytest.mark.parametrize(
    "asked", ["sets", "points", "doubles", "winners", "losers", "payments", "waits", "score"]
)
def test_what_can_be_asked_has_an_answer_that_it_reads(name, asked):
    one = question(bind(name), 6, 7, asked)
    assert one.read(one.typed(one.right)) == one.right
    assert one.hand is None or asked == "score" or (one.outcome.won == (asked != "losers"))
    assert one.explain(one.right + 1234567) is not None


@table
def test_what_an_answer_may_be(asked, typed, read):
    one = question(bind("harr"), 1, 1, asked)
    assert (
        one.read(typed) if asked != "waits" or one.read(typed) is None else one.typed(one.read(typed))
    ) == read


def test_waits_are_told_one_by_one():
    one = question(bind("harr"), 1, 3, "waits")
    assert codes(one.explain(one.right | 1 << 30)) == [{"no-wait Nw"}]
    assert all(code.startswith("missing ") for (code,) in codes(one.explain(0)))


def test_what_is_asked_grows_with_what_is_right():
    asked = [[asked_now(right, number) for number in range(6)] for right in (0, 3, 6, 9, 12, 99)]
    assert asked[0] == ["sets"] * 6
    assert asked[1] == ["points"] * 6
    assert set(asked[2]) == {"doubles", "winners"}
    assert set(asked[3]) == {"winners", "losers"}
    assert set(asked[4]) == {"winners", "losers", "payments"} == set(asked[5])


@table
def test_lessons_are_the_worked_examples(book, samples, count):
    """All hold, each has its page, and each is a line of the samples."""
    known = {
        line.split('" ')[-1].strip()
        for name in samples
        for line in (ROOT / "samples" / name).open(encoding="utf-8")
    }
    lesson = ROOT / "mjscore" / "drill" / f"{book}.mj"
    lines = [line for line in lesson.read_text(encoding="utf-8").splitlines() if line.startswith('"')]
    assert [line for line in lines if line.split('" ')[1] not in known or ", p. " not in line] == []
    checked = list(check_file(str(lesson), Context()))
    assert all(one.ok for one in checked)
    assert len(checked) == count


def test_a_rulebook_without_doubles_has_none_to_ask_for(tmp_path):
    club = tmp_path / "club.toml"
    drops = [name for name, entry in bind("harr").entries.items() if entry.section == "double"]
    club.write_text(f'id = "club"\ntitle = "Club"\nbook = "Club"\nextends = "harr"\ndrop = {drops}\n')
    assert question(bind(str(club)), 1, 1, "doubles").right == 0


def test_a_turn_of_an_entry_that_only_a_winner_has_is_no_loss_of_time():
    book, entries = bind("harr"), []
    for number in range(16, 16 + 8 * 24, 8):
        entries.append(question(book, 1, number, "losers").outcome.won)
    assert entries == [False] * 24


@pytest.mark.parametrize("kept", ["{}", "[]", "{bad", '{"only": {"1": "points"}}'])
def test_a_damaged_list_of_what_was_missed_is_none(kept, tmp_path):
    path = tmp_path / "mjscore" / "missed.json"
    path.parent.mkdir()
    path.write_text(kept)
    result = run_command("drill", "--missed", XDG_STATE_HOME=str(tmp_path))
    assert (result.exit_code, "[nothing-missed]" in result.stderr) == (2, True)
