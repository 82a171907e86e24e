"""A file's text, understood: its entries and their marks, the hand under way, what does not hold."""

from __future__ import annotations

import pytest

from mjscore.play.reading import OpenHand, read_account
from mjscore.refusal import Refused

HEAD = 'rulebook harr\nplayers Ann Ben "Old Cid" Dee\n'
HAND = 'hand\n  Ann: 8\n  Ben: 68 win\n  "Old Cid": 12\n  Dee: 0\n'
WON_BY_SOUTH = "hand\n  E: 8\n  S: 68 win\n  W: 12\n  N: 0\n"
WON_BY_EAST = 'hand\n  Ann: 8 win\n  Ben: 68\n  "Old Cid": 12\n  Dee: 0\n'


def test_what_was_played_is_counted_by_hands_and_notes_by_themselves():
    account = read_account(
        f"{HEAD}pay Ann Dee 20\n# between\nnote one\n{HAND}\npay Ann Dee 20\nnote two\ndraw\n{HAND}"
        "S: (222d) [1111c] 123b 456b 5c\npay Dee Ben 2\n  note for tea\npay Ben Dee 2\n"
    )
    assert [(entry.mark, entry.kind) for entry in account.entries] == [
        ("0a", "pay"), ("n1", "note"), ("1", "hand"), ("1a", "pay"), ("n2", "note"), ("2", "draw"), ("3", "hand"),
        ("3a", "pay"), ("3b", "pay"),
    ]  # fmt: skip
    assert [account.document[entry.place].lines[0].split()[0] for entry in account.entries] == [
        "pay", "note", "hand", "pay", "note", "draw", "hand", "pay", "pay"
    ]  # fmt: skip
    assert [entry.mark for entry in account.played] == ["0a", "1", "1a", "2", "3", "3a", "3b"]
    assert account.hands == 3
    found = account.entry("1")
    assert found is not None
    assert found.nets == {"Ann": -128, "Ben": 272, "Old Cid": -48, "Dee": -96}
    assert account.entry("4") is None


def test_of_an_evening_not_begun_nothing_was_played_and_the_first_is_east():
    account = read_account(HEAD)
    assert (account.entries, account.played, account.hands, account.open_hand) == ((), (), 0, None)
    assert account.seats == {"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}
    assert account.playing == ["Ann", "Ben", "Old Cid", "Dee"]
    assert account.round_wind == "E"


def test_the_winds_are_those_of_the_hand_under_way():
    # Ann lost as East, but the hand is played as if she had not
    account = read_account(f"{HEAD}{HAND}hand\n  Ann: 8\n  east Ann @E\n")
    assert account.seats["E"] == "Ann"
    account = read_account(f"{HEAD}{HAND}hand\n  Ann: 8\n")
    assert account.seats == {"E": "Ben", "S": "Old Cid", "W": "Dee", "N": "Ann"}
    assert read_account(HEAD + WON_BY_SOUTH * 4).round_wind == "S"
    assert read_account(HEAD + WON_BY_EAST).seats["E"] == "Ann"


def test_who_sits_out_does_not_play():
    account = read_account("rulebook babcock\nset players = 5\nplayers Ann Ben Cid Dee Eve\n")
    assert account.seats["X"] == "Eve"
    assert account.playing == ["Ann", "Ben", "Cid", "Dee"]


@pytest.mark.parametrize(
    ("rows", "settled", "waiting"),
    [
        ("  Ann: 8\n  Dee: 8\n", {"Ann": 1, "Dee": 2}, {}),
        ("  N: 8\n", {"Dee": 1}, {}),
        ("  # was Ann: 8\n  # Ben: 8\n  note Dee: 8\n  Dee: 0\n", {"Dee": 4}, {}),
        ("  Ann: 8\n  # waiting Ben: 8 win\n", {"Ann": 1}, {"Ben": 2}),
        # who has a line waits no more, and a stranger does not
        ("  # waiting Ann: 9\n  Ann: 8\n  # waiting Zed: 8\n", {"Ann": 2}, {}),
    ],
)
def test_whose_lines_the_hand_under_way_has(rows, settled, waiting):
    account = read_account(f"{HEAD}draw\n\nhand @E\n{rows}")
    assert account.open_hand == OpenHand(4, settled, waiting, account.position)
    assert account.hands == 1


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("rulebook harr\n", "no-players", None),
        (f"{HEAD}draw\nhello\n", "unknown-line", 4),
        (f"{HEAD}hand\n  Ann: 8\ndraw\n", "missing-seat", 3),
        # a row of a player whose name begins like it is not the one that says who pays
        ('players Ann Ben payser Dee\nhand\n  payser: 8\n  Ann: 8\n  Ben: 8 win\n  Dee: 0\n'
         '  pays Ann -1 Ben +3 payser -1 Dee -1\n', "expected-net", 7),
        (f"{HEAD}S: (222d) [1111c] 123b 456b 5c = 1\n", "expected-net", 3),
        ("\n  note x\n" + HEAD, "stray-row", 2),
        (HEAD + HAND + "  note x\n" * 500, "stray-row", 504),
    ],
)  # fmt: skip
def test_the_first_thing_that_does_not_hold_is_told_with_its_place(text, code, line):
    with pytest.raises(Refused) as refused:
        read_account(text, "e.mj")
    refusal = refused.value.refusal
    assert (refusal.code, refusal.line, refusal.file) == (code, line, "e.mj")
    if code == "expected-net":
        assert line is not None
        assert refusal.text == text.splitlines()[line - 1]
        assert (refusal.column, refusal.length) == (1, len(refusal.text))
