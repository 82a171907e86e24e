"""What a typed line makes of a file's text, in which words undoing tells it, and what is refused where; an entry
put right, and what follows worked out again.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress

import pytest
from amounts import part_of
from checks import check_text
from evenings import HEAD, account, edited
from evenings import after as session_after
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusal_of
from tables import table

from mjscore.notation.hands import parse
from mjscore.play.beginning import NewEvening, beginning
from mjscore.play.changes import (
    Action,
    Change,
    Edit,
    add_event,
    add_label,
    add_note,
    add_pool,
    add_rows,
    check_line,
    check_row,
    describe_entry,
    drop,
    impossible_score,
    score_granularity,
)
from mjscore.play.commands import act
from mjscore.play.evening import EveningFile, read_evening
from mjscore.play.rendering import show_edit
from mjscore.play.session import Session, open_session
from mjscore.record.context import Occasion
from mjscore.record.lines import EventLine, SeatRow, parse_line, parse_row
from mjscore.record.source import LONGEST_LINE
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS

BEGUN = 'hand @E\n  Ann: 8\n  "Old Cid": 12\n  Ben: 68 win\n'
FIRST = 'hand @E\n  Ann: 8\n  Ben: 68 win\n  "Old Cid": 12\n  Dee: 0\n'
SECOND = 'hand @E\n  Ben: 20 win\n  Ann: 4\n  "Old Cid": 6\n  Dee: 8\n  east Ben\n'
WON_BY_ANN = ("Ann: 8 win", "Ben: 68")  # so that she stays East


def below(change: Change | EveningFile) -> str:
    """What stands below the players."""
    assert change.text.startswith(HEAD)
    return change.text.removeprefix(HEAD)


def after(text: str, mark: str, *typed: str, keep: bool = False) -> str:
    """The text below the players after an edit."""
    return below(edited(account(text), mark, *typed, keep=keep).after)


@table
def test_what_is_wrong_with_a_row(line, code, about):
    refusal = refusal_of(check_row, account().state, parse_row(line))
    assert (refusal.code, refusal.about and refusal.about[0], refusal.file) == (code, about, "")


def test_who_plays_is_said_where_a_name_is_none():
    refusal = refusal_of(check_row, account().state, SeatRow("Z" * 50, 8))
    assert refusal.message == f"nobody here is called '{'Z' * 40}'"
    assert refusal.hint == "the players are Ann, Ben, Old Cid, Dee"


def test_a_row_may_say_the_round_that_is_played():
    row, sheet = check_row(account().state, parse_row("S@E: (222d) [1111c] 123b 456b 5c"))
    assert str(row) == "Ben: (222d) [1111c] 123b 456b 5c"
    assert sheet is not None
    assert check_row(account().state, parse_row("W@E: 8")) == (SeatRow("Old Cid", 8), None)


@pytest.mark.parametrize(
    ("line", "column"), [("Ann: 8\a", 7), ("\0", 1), ("Ann\x1f: 8", 4), ("Ann: 8\x7f", 7), ("Ann: 8\n", 7)]
)
def test_a_control_character_is_refused_where_it_stands(line, column):
    refusal = refusal_of(check_line, line)
    assert (refusal.code, refusal.line, refusal.column, refusal.length) == ("control-character", 1, column, 1)


def test_a_tab_is_as_good_as_a_space_and_a_line_holds_one_hand():
    check_line("Ann:\t8 ~ “”")
    longest = LONGEST_LINE // 2
    check_line("x" * longest)
    for long in ("x" * (longest + 1), "é" * (longest // 2 + 1)):
        assert refusal_of(check_line, long).code == "long-line"
    assert refusal_of(check_line, "\udcff").code == "not-utf-8"


@table
def test_lines_of_players(before, typed, after, words):
    change = add_rows(account(before), [parse_row(line) for line in typed])
    assert (below(change), change.words) == (after, words)


def test_a_comment_stays_behind_the_last_row():
    change = add_rows(account(), [SeatRow("E", 8), SeatRow("S", 4)], "  # hm")
    assert below(change) == "hand @E\n  Ann: 8\n  Ben: 4  # hm\n"


@table
def test_labels(before, words, after):
    change = add_label(account(before), words)
    assert (below(change), change.words) == (after, "the label")


@table
def test_what_is_no_label(before, words, said):
    assert said in refusal_of(add_label, account(before), words).message


@pytest.mark.parametrize("before", ["", "draw\n", BEGUN])
def test_notes_are_told_by_how_they_begin(before):
    indent = "  " if before == BEGUN else ""
    for words, told in (("x" * 30, "x" * 30), ("x" * 31, "x" * 30 + "…")):
        change = add_note(account(before), words)
        assert (below(change), change.words) == (f"{before}{indent}note {words}\n", f"the note “{told}”")
    assert refusal_of(add_note, account(before), "").code == "empty-note"


def test_only_a_hand_that_was_begun_can_be_dropped():
    change = drop(account(f"draw\n{BEGUN}"))
    assert (below(change), change.words) == ("draw\n", "the dropping of hand 2")
    assert refusal_of(drop, account("draw\n")).code == "nothing-to-drop"


@table
def test_events(line, after, words):
    change = add_event(account(), parse_line(line))
    assert (below(change), change.words) == (after, words)


def test_an_event_that_the_rules_do_not_know_is_refused():
    assert (
        refusal_of(
            add_event, account(head=HEAD.replace("-limit", "")), EventLine("wash", ("S",), number=11)
        ).code
        == "no-washing"
    )


def test_into_the_pool_pays_who_has_something_and_does_not_win_it():
    shares = {"Ann": 20, "Ben": 0, "Old Cid": 40, "Dee": 2}
    change = add_pool(account(), "Ann", shares)
    assert below(change) == (
        'note the pool goes to Ann\npay "Old Cid" Ann 40\n  note into the pool\n'
        "pay Dee Ann 2\n  note into the pool\n"
    )
    assert change.words == "the pool of Ann"
    assert "nobody has anything" in refusal_of(add_pool, account(), "Ann", {"Ann": 20, "Ben": 0}).message


def test_while_a_hand_is_typed_nothing_comes_between():
    assert refusal_of(add_event, account(BEGUN), EventLine("draw")).code == "hand-in-progress"
    assert refusal_of(add_pool, account(BEGUN), "Ann", {"Dee": 2}).code == "hand-in-progress"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_books_give_even_scores(rulebook):
    book = bind(rulebook)
    assert score_granularity(book) == 2
    assert (
        impossible_score(SeatRow("S", 31), book)
        == "31 is not a possible score under these rules: all scores are even"
    )
    for row in (SeatRow("S", 30), SeatRow("S", 0), SeatRow("S", None), SeatRow("S", parse("123b ..."))):
        assert impossible_score(row, book) == ""


def test_what_is_no_bare_score_is_not_doubted():
    assert impossible_score(EventLine("pay", ("S", "E"), number=31), bind("harr")) == ""


def test_a_limit_that_is_odd_can_be_a_score():
    assert score_granularity(bind("harr", {"limit": "301"})) == 1
    assert impossible_score(SeatRow("S", 31), bind("harr", {"limit": "301"})) == ""


def test_of_a_house_that_gives_multiples_of_ten(tmp_path):
    house = tmp_path / "house.toml"
    house.write_text(
        'id = "house"\ntitle = "House"\nbook = "House"\n\n[[bonus]]\nid = "win"\ntitle = "Win"\npoints = 20\n'
        'when = "won"\nsource = "ours"\n\n[[bonus]]\nid = "drawn"\ntitle = "Drawn"\npoints = 10\nwhen = "drawn"\n'
        'source = "ours"\n',
        encoding="utf-8",
    )
    book = bind(str(house))
    assert score_granularity(book) == 10
    expected = "32 is not a possible score under these rules: all scores are multiples of 10"
    assert impossible_score(SeatRow("E", 32, True), book) == expected
    assert impossible_score(SeatRow("E", 30, True), book) == ""


def test_of_a_house_that_gives_nothing_any_score_is_taken(tmp_path):
    house = tmp_path / "house.toml"
    house.write_text('id = "house"\ntitle = "House"\nbook = "House"\n', encoding="utf-8")
    assert score_granularity(bind(str(house))) == 1
    assert impossible_score(SeatRow("S", 31), bind(str(house))) == ""


@table
def test_what_cannot_be_typed_into_an_entry(text, mark, typed, code, message):
    refusal = refusal_of(edited, account(text), mark, typed.replace("{many}", "9" * 4400))
    assert (refusal.code, refusal.message) == (code, message)


@table
def test_a_note_is_named_by_its_number_where_there_are_several(notes, typed, become):
    text = after(FIRST + "".join(f"  note {note}\n" for note in notes), "1", typed)
    here = [line.removeprefix("  note ") for line in text.splitlines() if line.startswith("  note ")]
    assert (*become, 'edited; it paid before: Ann -128 Ben +272 "Old Cid" -48 Dee -96') == tuple(here)


def test_what_an_edit_noted_itself_is_no_note_of_yours():
    once = after(f"{FIRST}  note one\n", "1", "Dee: 2")
    assert "  note better\n" in after(once, "1", "note better")
    assert "  note one\n" not in after(once, "1", "note better").replace("before:   note one\n", "")


def winds(evening: EveningFile) -> list[object]:
    """Who was East in which round, in all that was played and in what comes next."""
    states = [*(entry.state for entry in evening.played), evening.state]
    return [(state.seats, state.round_wind, state.position.passes) for state in states]


WAYS = [
    ("harr", ""),
    ("babcock", ""),
    ("babcock-chinese", ""),
    ("babcock-chinese", "set east-passes winner\n"),
]


@pytest.mark.parametrize(("book", "setting"), WAYS)
@given(st.lists(st.sampled_from(["Ann", "Ben", "Cid", "Dee", "draw"]), min_size=8, max_size=20), st.data())
@settings(max_examples=part_of(12))
def test_kept_winds_are_those_that_were_played_in_the_next_hand_too(book, setting, winners, data):
    def typed(winner: str) -> str:
        names = ("Ann", "Ben", "Cid", "Dee")
        rows = [f"{name}: {40 if name == winner else 2 * place}" for place, name in enumerate(names)]
        return "\n".join(f"{row} win" if row.startswith(winner) else row for row in rows)

    session = open_session(f"rulebook {book}\n{setting}players Ann Ben Cid Dee\n")
    session = session_after(session, *(typed(who) if who != "draw" else who for who in winners))
    played = data.draw(st.lists(st.sampled_from(range(1, len(winners) - 1)), min_size=1, max_size=3))
    before, changed = winds(session.evening), session
    for hand in played:
        if winners[hand - 1] != "draw":
            winner = data.draw(st.sampled_from(["Ann", "Ben", "Cid", "Dee"]))
            changed = session_after(changed, f"edit {hand}", *typed(winner).split("\n"))
            can_keep = changed.proposal.kept not in (None, changed.proposal.moved)
            changed = session_after(changed, "keep" if can_keep else "yes")
    assert winds(changed.evening) == before


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
    made = edited(before, mark, *typed, keep=keep).after.text
    assert expected.replace("\n", end) in made
    assert made.count("\n") == made.count(end)
    assert made.count("#") == before.text.count("#")
    read_evening(made)


@table
def test_entries_in_words(text, told):
    assert describe_entry(account(text).entries[-1]) == told


def test_a_long_hand_in_words():
    evening = account(
        "long S\n", "rulebook babcock-chinese\nset long-hand-pays-limit on\nplayers Ann Ben Cid Dee\n"
    )
    assert describe_entry(evening.entries[-1]) == "the long hand, hand 1"


@table
def test_what_would_no_longer_fit_is_named(text, told):
    message = refusal_of(after, text, "1", *WON_BY_ANN).message
    assert message.startswith(f"{told} would no longer fit: ")
    assert message.endswith("only East can win as dealt: only East is dealt fourteen tiles")
    after(text, "1", *WON_BY_ANN, keep=True)


BY_WINDS = "hand\n  E: 20 win from S  # E and S\n  N: 4\n  S: 6\n  W: 8\n  note hand @E\n"
PAYS = '  pays Ben +120 Ann −46 "Old Cid" -40 Dee -34  # Ben +120\n'


def told_as_rewritten(made: Edit) -> list[str]:
    """What is said of lines below the entry that say another thing."""
    return [line for line in show_edit(made) if line.startswith("In ")]


@table
def test_what_follows_is_fitted_or_keeps_its_winds(text, moved, rewritten, kept):
    made = edited(account(f"{FIRST}{text}"), "1", *WON_BY_ANN)
    assert made.after.text.endswith(
        f'note edited; it paid before: Ann -128 Ben +272 "Old Cid" -48 Dee -96\n{moved}'
    )
    assert told_as_rewritten(made) == [f"In {mark}, {old} becomes {new}" for mark, old, new in rewritten]
    made = edited(account(f"{FIRST}{text}"), "1", *WON_BY_ANN, keep=True)
    assert made.after.text.endswith(f"-96\n{kept}")


def test_where_the_winds_stay_nothing_that_follows_is_touched():
    for text in (
        BY_WINDS,
        f"{SECOND}{PAYS}",
        "hand\n  E: 20 win\n  N: 4\n  S: 6\n  W: 8\n  pays E 120 N −46 S -40 W -34\n",
    ):
        made = edited(account(f"{FIRST}{text}"), "1", "Dee: 2")
        assert made.after.text.endswith(f"-96\n{text}")
        assert told_as_rewritten(made) == []
        assert edited(account(f"{FIRST}{text}"), "1", "Dee: 2", keep=True) == made


def test_the_round_moves_with_the_winds_in_the_head_alone():
    lost = "hand\n  E: 8\n  S: 68 win\n  W: 12\n  N: 0\n"
    fifth = (
        'hand "hand @S" @S  # hand @S\n  Ann: 8\n  Ben: 20 win\n  "Old Cid": 2\n  Dee: 4\n  note hand @S\n'
    )
    made = edited(account(f"{lost * 3}{FIRST}{fifth}".replace(FIRST, lost)), "1", "Ann: 8 win", "Ben: 68")
    assert made.after.text.endswith(fifth.replace("@S  #", "@E  #"))
    assert not any(line.startswith("In 5,") for line in told_as_rewritten(made))


def test_a_score_that_a_hand_is_expected_to_have_is_worked_out_again():
    """Ben's East winds are his own no more."""
    text = SECOND.replace("Ben: 20 win", "Ben: (EEEw) 123b 456b 789b 5d <5d:Dee = {}  # 5 = 5")
    assert text.format(16) in after(f"{FIRST}{text.format(64)}", "1", *WON_BY_ANN).replace(
        "east Ann", "east Ben"
    )


def test_names_that_look_like_patterns_are_names():
    head = r"players A\d B\1 Cid Dee" + "\n"
    lost = "hand\n  E: 8\n  S: 68 win\n  W: 12\n  N: 0\n"
    made = edited(account(lost + "draw\n  east B\\1\n", head), "1", "E: 8 win", "S: 68")
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
        ({entry.state.seats[wind]: score for wind, score in entry.settlement.scores.items()},
         entry.state.seats[entry.settlement.winner or ""])
        for entry in session.evening.played
    ]  # fmt: skip


def ledger_of(evening: EveningFile) -> list[object]:
    played = [
        (dict(entry.state.seats), entry.state.seats["E"], entry.state.round_wind, entry.nets)
        for entry in evening.played
    ]
    return [*played, evening.position, evening.state.round_wind]


@pytest.mark.parametrize(
    ("book", "options", "count"), [(book, options, count) for book, options, counts in WAYS for count in counts]
)  # fmt: skip
def test_changed_winners_beside_the_hands_played_anew(book, options, count):
    chance = random.Random(f"{book}{options}{count}")
    names = ("Ann", "Ben", "Cid", "Dee", "Eve")[:count]
    counted = {"players": str(count)} if "players" in bind(book).options else {}
    head = beginning(NewEvening(book, {**options, **counted}, names, Occasion(date="2026-11-22")))
    changed = 0
    for _ in range(part_of(2, 2)):
        session = open_session(head)
        for _ in range(16):
            playing = list(session.evening.missing.values())
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
    assert changed > part_of(5, 2)


FRIENDS = ("Ann", "Ben", "Cid", "Dee", "Eve", "Fay", "Gus")


def line_of_a_hand(names: Sequence[str], chance: random.Random) -> str:
    """A row for each, one of whom wins."""
    winner = chance.choice(names)
    manner = f" win{chance.choice(['', ' drawn'])} doubles {chance.randint(0, 2)}"
    scores = {name: 2 * chance.randint(0, 40) for name in names}
    return "\n".join(f"{name}: {score}{manner if name == winner else ''}" for name, score in scores.items())


def line_of_seats(players: Sequence[str], chance: random.Random) -> str:
    """Somebody comes, somebody leaves, or one for the other; whom for may be said by a wind, or by X, who sits out."""
    comes = chance.choice([name for name in FRIENDS if name not in players])
    leaves = chance.choice([*players, "X", "E"])
    return chance.choice(
        [f"seat {comes}", f"seat - for {leaves}", f"seat {comes} for {leaves}", f"seat {comes} for X"]
    )


@pytest.mark.parametrize("seed", range(part_of(40)))
def test_whatever_seats_change_and_are_put_right_the_evening_holds(seed):
    chance = random.Random(seed)
    book = chance.choice(
        ["babcock", "babcock", "harr", "babcock-chinese", "babcock-chinese\nset east-passes winner"]
    )
    five = "" if book == "harr" else chance.choice(["", "seat Eve\n"])
    session = open_session(f"rulebook {book}\nplayers Ann Ben Cid Dee\n{five}")
    for _ in range(12):
        evening, lines = session.evening, []
        found = [entry for entry in evening.entries if entry.kind == "seat" or chance.random() < 0.5]
        entry = chance.choice(found) if found and chance.random() < 0.4 else None
        if entry is None and chance.random() < 0.6:
            lines = [line_of_a_hand(list(evening.playing.values()), chance)]
        elif entry is None:
            lines = [line_of_seats(evening.position.players, chance)]
        elif entry.kind == "seat":
            players = evening.at(entry).position.players
            lines = [f"edit {entry.mark}", line_of_seats(players, chance), chance.choice(["yes", "keep"])]
        else:
            names = [name for wind, name in entry.state.seats.items() if wind != "X"]
            rows = line_of_a_hand(names, chance).split("\n")
            lines = [f"edit {entry.mark}", *rows, chance.choice(["yes", "keep"])]
        with suppress(Refused):
            session = session_after(session, *lines)
        assert session.draft is None
        assert sum(session.evening.position.points.values()) == 0
        assert all(checked.ok for checked in check_text(session.evening.text))
