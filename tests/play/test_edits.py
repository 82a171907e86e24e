"""An entry put right: its marks, what follows worked out again, and the text as it was."""

from __future__ import annotations

import random

import pytest
from evenings import after as session_after
from evenings import asked
from tables import table

from mjscore.play.actions import Action
from mjscore.play.beginning import Asked, beginning
from mjscore.play.changes import Draft, Edit, apply, describe_entry, typed_into
from mjscore.play.evening import Evening, read_evening
from mjscore.play.session import Session, act, open_session
from mjscore.record.context import Occasion
from mjscore.record.lines import SeatRow
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind

HEAD = 'rulebook harr-limit\nplayers Ann Ben "Old Cid" Dee\n'
FIRST = 'hand @E\n  Ann: 8\n  Ben: 68 win\n  "Old Cid": 12\n  Dee: 0\n'
SECOND = 'hand @E\n  Ben: 20 win\n  Ann: 4\n  "Old Cid": 6\n  Dee: 8\n  east Ben\n'
WON_BY_ANN = ("Ann: 8 win", "Ben: 68")  # so that she stays East


def account(below: str) -> Evening:
    return read_evening(HEAD + below)


def edited(below: str, mark: str, *typed: str, keep: bool = False) -> Edit:
    """What an edit makes of a text that stands below the players; the new text reads back."""
    before = account(below)
    entry = before.entry(mark)
    assert entry is not None
    draft = Draft(entry, entry.lines)
    for line in typed:
        draft = typed_into(before, draft, asked(line))
    return apply(before, draft, keep)


def below(text: str) -> str:
    assert text.startswith(HEAD)
    return text.removeprefix(HEAD)


def after(below_players: str, mark: str, *typed: str, keep: bool = False) -> str:
    """The text below the players after an edit."""
    return below(edited(below_players, mark, *typed, keep=keep).after.text)


def refused(below: str, mark: str, *typed: str, keep: bool = False) -> tuple[str, str]:
    with pytest.raises(Refused) as told:
        edited(below, mark, *typed, keep=keep)
    refusal = told.value.refusal
    return refusal.code, refusal.message


@table
def test_what_cannot_be_typed_into_an_entry(text, mark, typed, code, message):
    assert refused(text, mark, typed.replace("{many}", "9" * 4400)) == (code, message)


@table
def test_a_note_is_named_by_its_number_where_there_are_several(notes, typed, become):
    text = after(FIRST + "".join(f"  note {note}\n" for note in notes), "1", typed)
    here = [line.removeprefix("  note ") for line in text.splitlines() if line.startswith("  note ")]
    assert (*become, 'edited; it paid before: Ann -128 Ben +272 "Old Cid" -48 Dee -96') == tuple(here)


def test_what_an_edit_noted_itself_is_no_note_of_yours():
    once = after(f"{FIRST}  note one\n", "1", "Dee: 2")
    assert "  note better\n" in after(once, "1", "note better")
    assert "  note one\n" not in after(once, "1", "note better").replace("before:   note one\n", "")


def test_a_line_typed_twice_stands_for_the_one_that_was_played():
    text = after(FIRST, "1", "Ann: 20", "E: 30  # I think")
    assert text.splitlines()[:4] == [
        "hand @E", "  Ann: 30  # I think", "  Ben: 68 win", '  "Old Cid": 12'
    ]  # fmt: skip


def test_a_hand_of_an_edit_may_say_its_round():
    assert "  Ann: (222d) [1111c] 123b 456b 5c\n" in after(FIRST, "1", "E@E: (222d) [1111c] 123b 456b 5c")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("keep", [False, True])
@table
def test_an_edit_leaves_no_marks_and_the_line_ends_of_the_file(text, mark, typed, expected, keep, end):
    before = read_evening((HEAD + text).replace("\n", end))
    entry = before.entry(mark)
    assert entry is not None
    draft = Draft(entry, entry.lines)
    for line in typed:
        draft = typed_into(before, draft, asked(line))
    made = apply(before, draft, keep).after.text
    assert expected.replace("\n", end) in made
    assert made.count("\n") == made.count(end)
    assert made.count("#") == before.text.count("#")
    read_evening(made)


@table
def test_entries_in_words(text, told):
    assert describe_entry(account(text).entries[-1]) == told


@table
def test_what_would_no_longer_fit_is_named(text, told):
    _, message = refused(text, "1", *WON_BY_ANN)
    assert message.startswith(f"{told} would no longer fit: ")
    assert message.endswith("only East can win as dealt: only East has fourteen tiles")
    after(text, "1", *WON_BY_ANN, keep=True)


BY_WINDS = "hand\n  E: 20 win from S  # E and S\n  N: 4\n  S: 6\n  W: 8\n  note hand @E\n"
PAYS = '  pays Ben +120 Ann −46 "Old Cid" -40 Dee -34  # Ben +120\n'


@table
def test_what_follows_is_fitted_or_keeps_its_winds(text, moved, rewritten, kept):
    made = edited(f"{FIRST}{text}", "1", *WON_BY_ANN)
    assert made.after.text.endswith(
        f'note edited; it paid before: Ann -128 Ben +272 "Old Cid" -48 Dee -96\n{moved}'
    )
    assert made.rewritten == rewritten
    made = edited(f"{FIRST}{text}", "1", *WON_BY_ANN, keep=True)
    assert made.after.text.endswith(f"-96\n{kept}")


def test_where_the_winds_stay_nothing_that_follows_is_touched():
    for text in (
        BY_WINDS,
        f"{SECOND}{PAYS}",
        "hand\n  E: 20 win\n  N: 4\n  S: 6\n  W: 8\n  pays E 120 N −46 S -40 W -34\n",
    ):
        made = edited(f"{FIRST}{text}", "1", "Dee: 2")
        assert made.after.text.endswith(f"-96\n{text}")
        assert made.rewritten == ()
        assert edited(f"{FIRST}{text}", "1", "Dee: 2", keep=True) == made


def test_the_round_moves_with_the_winds_in_the_head_alone():
    lost = "hand\n  E: 8\n  S: 68 win\n  W: 12\n  N: 0\n"
    fifth = (
        'hand "hand @S" @S  # hand @S\n  Ann: 8\n  Ben: 20 win\n  "Old Cid": 2\n  Dee: 4\n  note hand @S\n'
    )
    made = edited(f"{lost * 3}{FIRST}{fifth}".replace(FIRST, lost), "1", "Ann: 8 win", "Ben: 68")
    assert made.after.text.endswith(fifth.replace("@S  #", "@E  #"))
    assert all(one.mark != "5" for one in made.rewritten)


def test_a_score_that_a_hand_is_expected_to_have_is_worked_out_again():
    """Ben's East winds are his own no more."""
    text = SECOND.replace("Ben: 20 win", "Ben: (EEEw) 123b 456b 789b 5d <5d:Dee = {}  # 5 = 5")
    assert text.format(16) in after(f"{FIRST}{text.format(64)}", "1", *WON_BY_ANN).replace(
        "east Ann", "east Ben"
    )


def test_names_that_look_like_patterns_are_names():
    head = r"players A\d B\1 Cid Dee" + "\n"
    lost = "hand\n  E: 8\n  S: 68 win\n  W: 12\n  N: 0\n"
    before = read_evening(head + lost + "draw\n  east B\\1\n")
    entry = before.entries[0]
    draft = Draft(entry, entry.lines)
    for line in ("E: 8 win", "S: 68"):
        draft = typed_into(before, draft, asked(line))
    made = apply(before, draft, False)
    assert made.after.text.endswith("draw\n  east A\\d\n")


WAYS = [
    ("harr", {}, (2, 3, 4)),
    ("babcock", {}, (2, 3, 4, 5)),
    ("babcock", {"progressive": "on"}, (2, 3, 4, 5)),
    ("babcock-chinese", {}, (4,)),
    ("babcock-chinese", {"east-passes": "winner"}, (4,)),
    ("dmjl", {}, (4,)),
]
Scores = dict[str, int]


def take_hand(session: Session, scores: Scores, winner: str) -> Session:
    rows = (
        SeatRow(name, score, name == winner, doubles=1 if name == winner else None)
        for name, score in scores.items()
    )
    return act(session, Action("rows", records=tuple(rows)))[0]


def hands_of(session: Session) -> list[tuple[Scores, str]]:
    """Everybody's score and who won, hand by hand."""
    return [
        ({entry.seats[wind]: score for wind, score in entry.settlement.scores.items()},
         entry.seats[entry.settlement.winner or ""])
        for entry in session.evening.played
    ]  # fmt: skip


def ledger_of(evening: Evening) -> list[object]:
    played = [(dict(entry.seats), entry.seats["E"], entry.round_wind, entry.nets) for entry in evening.played]
    return [*played, evening.position, evening.round_wind]


@pytest.mark.parametrize(
    ("book", "options", "count"), [(book, options, count) for book, options, counts in WAYS for count in counts]
)  # fmt: skip
def test_changed_winners_beside_the_hands_played_anew(book, options, count):
    chance = random.Random(f"{book}{options}{count}")
    names = ("Ann", "Ben", "Cid", "Dee", "Eve")[:count]
    counted = {"players": str(count)} if "players" in bind(book).options else {}
    head = beginning(Asked(book, {**options, **counted}, names, Occasion(date="2026-11-22")))
    changed = 0
    for _ in range(2):
        session = open_session(head)
        for _ in range(16):
            playing = session.evening.playing
            session = take_hand(
                session, {name: 2 * chance.randint(0, 40) for name in playing}, chance.choice(playing)
            )
        for _ in range(5):
            number = chance.randrange(16)
            scores, before = hands_of(session)[number]
            winner = chance.choice([name for name in scores if name != before])
            draft = session_after(session, f"edit {number + 1}")
            rows = (SeatRow(before, scores[before]), SeatRow(winner, scores[winner], True, doubles=1))
            proposed, _ = act(draft, Action("rows", records=rows))
            if proposed.proposal is None or proposed.proposal.moved is None:
                assert count == 5  # where another would sit out, who has a line there
                continue
            changed += 1
            session, _ = act(proposed, Action("yes"))
            assert hands_of(session)[number] == (scores, winner)
            anew = open_session(head)
            for hand in hands_of(session):
                anew = take_hand(anew, *hand)
            assert ledger_of(anew.evening) == ledger_of(session.evening)
    assert changed > 5
