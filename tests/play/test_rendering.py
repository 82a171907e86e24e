"""What play shows: help, the greeting, payments, totals, what an edit or somebody else has changed."""

from __future__ import annotations

from evenings import HEAD, account, edited
from tables import table

from mjscore.page.text import Style, wrapped
from mjscore.play.commands import show_help
from mjscore.play.evening import read_evening
from mjscore.play.rendering import (
    Outcome,
    PlayedEntry,
    Points,
    show,
    show_edit,
    show_external_changes,
    show_greeting,
)

FIRST = 'hand\n  Ann: 8\n  Ben: 68 win\n  "Old Cid": 12\n  Dee: 0\n'
SECOND = 'hand\n  Ben: 20 win\n  Ann: 4\n  "Old Cid": 6\n  Dee: 8\n'
WON_BY_ANN = ("Ann: 8 win", "Ben: 68")


def shown(value: Outcome, width: int = 100) -> str:
    return show([value], Style(width))


def test_beside_what_can_be_typed_stands_what_it_does_where_there_is_room():
    lines = show_help(72)
    assert "  drop                     discard the lines of this hand" in lines
    assert f"{' ' * 27}was; bring it back" in lines
    assert "  help, help edit, quit    this list; a command's help; the end" in lines
    assert "  drop: discard the lines of this hand" in show_help(71)
    assert "      bring it back" in show_help(64)
    assert all(len(line) <= width for width in (40, 71, 72, 100) for line in show_help(width))


def test_help_begins_with_how_hands_are_typed():
    example = "  2 8 64w 0     e 2, s 8, w 64 win from s, n 0"
    assert show_help(100)[0].startswith("A line for each seat")
    assert example in show_help(len(example))
    narrow = show_help(len(example) - 1)
    assert example not in narrow
    at = narrow.index("  2 8 64w 0")
    assert narrow[at + 1] == "  e 2, s 8, w 64 win from s, n 0"
    assert "  E: 64     S: dead     W: 40 win from N" in narrow


@table
def test_help_of_a_command_is_that_alone(command, lines):
    assert show_help(100, command) == lines


def test_the_greeting_takes_two_lines_where_one_is_too_narrow():
    head, players = "Hand 1, East round: Ann is East", "E Ann, S Ben, W Old Cid, N Dee"
    width = len(head) + 2 + len(players)
    assert show_greeting(account(), Style(width)) == f"{head}  {players}"
    assert show_greeting(account(), Style(width - 1)) == f"{head}\n  {players}"
    assert show_greeting(account(), Style(20)).splitlines() == [
        "Hand 1, East round:", "Ann is East", "  E Ann, S Ben, W", "  Old Cid, N Dee"
    ]  # fmt: skip


def test_the_greeting_says_who_sits_out_and_whose_lines_are_there():
    five = "rulebook babcock\nset players = 5\nplayers Ann Ben Cid Dee Eve\n"
    assert show_greeting(read_evening(five), Style()).splitlines() == [
        "Hand 1, East round: Ann is East  E Ann, S Ben, W Cid, N Dee", "Eve sits out"
    ]  # fmt: skip
    begun = account(f"{FIRST}hand\n  Dee: 8 win\n  Ann: 4 win\n")
    assert show_greeting(begun, Style()).splitlines() == [
        "Hand 2, East round: Ben is East  E Ben, S Old Cid, W Dee, N Ann", "typed so far: Dee, Ann"
    ]  # fmt: skip
    assert "typed so far" not in show_greeting(account(f"{FIRST}hand\n  note x\n"), Style())


@table
def test_a_payment_is_told_in_a_line_and_a_note_is_none(text, told):
    assert shown(PlayedEntry(account(text).entries[-1])) == told


@table
def test_a_hand_goes_by_its_number_unless_it_has_a_label(text, head):
    now = read_evening(text) if text.startswith("rulebook") else account(text)
    assert shown(PlayedEntry(now.entries[-1])).splitlines()[0] == head


def test_totals_and_standings():
    now = account(f"{FIRST}pay Ben Dee 96\n")
    assert shown(Points(now.position.points)) == "Totals: Ann −128, Ben +176, Old Cid −48, Dee 0"
    assert shown(Points(now.position.points), 30) == "Totals: Ann −128, Ben +176,\n  Old Cid −48, Dee 0"
    assert shown(Points(now.position.points, "standings")).splitlines() == [
        "  1. Ben                      +176",
        "  2. Dee                         0",
        "  3. Old Cid                   −48",
        "  4. Ann                      −128",
        "To settle up now: Ann gives Ben 128, Old Cid gives Ben 48",
    ]


def test_those_who_have_the_same_stand_as_they_sit():
    assert [
        line.split()[1] for line in shown(Points(account().position.points, "standings")).splitlines()
    ] == [
        "Ann",
        "Ben",
        "Old",
        "Dee",
    ]


def test_a_line_that_is_too_long_is_wrapped_by_words_and_indented_as_it_was():
    text = "  one two-three four\n\nshort"
    assert wrapped(text, Style(len("  one two-three four"))) == text
    assert wrapped(text, Style(len("  one two-three four") - 1)) == "  one two-three\n    four\n\nshort"
    assert wrapped("one two ", Style(8)) == "one two "
    # neither a hyphen nor a long word is a place to break
    assert wrapped(text, Style(10)) == "  one\n    two-three\n    four\n\nshort"


LOST = "hand\n  E: 8\n  S: 68 win\n  W: 12\n  N: 0\n"
NETS = "nets Ann −128 → +48, Ben +272 → +108, Old Cid −48 → −60"


def edit(below: str, mark: str, *typed: str, keep: bool = False) -> list[str]:
    """What is said of an edit."""
    return show_edit(edited(account(below), mark, *typed, keep=keep))


@table
def test_what_an_edit_would_change(text, mark, typed, lines):
    assert edit(text, mark, *typed) == lines


def test_of_a_hand_that_follows_east_the_round_and_the_nets_are_told_and_of_a_payment_none_of_them():
    told = edit(f"{LOST * 4}draw\npay E S 20\npay Ann Dee 10\n  east Ann\n", "1", "E: 8 win", "S: 68")
    assert told[:5] == [
        f"Hand 1: {NETS}",
        "Hand 2: Ann is East, not Ben; nets Ann −96 → −176, Ben −128 → −56, Dee −48 → −40",
        "Hand 3: Ben is East, not Old Cid; nets Ben −96 → −176, Old Cid −128 → −56, Ann −48 → −40",
        "Hand 4: Old Cid is East, not Dee; nets Old Cid −96 → −176, Dee −128 → −56, Ben −48 → −40",
        "The draw, hand 5: Dee is East, not Ann; East round, not South",
    ]
    assert told[5] == "In 2, E: 8 becomes Ben: 8"
    assert "In 5a, pay E S 20 becomes pay Ann Ben 20" in told
    kept = edit(f"{FIRST}{SECOND}", "1", *WON_BY_ANN, keep=True)
    assert kept == [f"Hand 1: {NETS}", "Totals: Ann −174 → +2, Ben +392 → +228, Old Cid −88 → −100"]


def test_counters_that_changed_hands_are_put_right():
    assert shown(Points({"Ann": 0, "Dee": 0}, "corrected")) == ""
    assert shown(Points({"Ann": -4, "Ben": 0, "Old Cid": -2, "Dee": 6}, "corrected")) == (
        "To correct the counters: Ann gives 4, Old Cid gives 2; Dee gets 6"
    )


@table
def test_what_somebody_else_has_changed(before, after, news):
    assert show_external_changes(account(before), account(after)) == news


def test_of_a_long_evening_the_same_is_still_the_same():
    notes = "".join(f"note {number}\n" for number in range(1, 201))
    assert show_external_changes(account("draw\n" * 4), account(notes + "draw\n" * 4)) == [
        f"note {number} is new" for number in range(1, 201)
    ]


def test_who_is_called_otherwise_and_who_came():
    before = account()
    after = read_evening(HEAD.replace("Dee", "Eve"))
    assert show_external_changes(before, after) == ["Dee is now called Eve"]
    five = read_evening("rulebook babcock\nset players = 5\nplayers Ann Ben Cid Dee Eve\n")
    assert show_external_changes(before, five) == ["Old Cid is now called Cid"]


def test_colours_take_no_columns():
    row = "Ann        2 \x1b[31m−72\x1b[0m \x1b[1m+128\x1b[0m"
    assert wrapped(row, Style(24, True)) == row
    assert wrapped(row, Style(20, True)).splitlines() == [
        "Ann        2 \x1b[31m−72\x1b[0m",
        "  \x1b[1m+128\x1b[0m",
    ]
    assert wrapped("  a bb\n\n  cc", Style(40, True)) == "  a bb\n\n  cc"
