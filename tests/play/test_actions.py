"""What a typed line asks for."""

from __future__ import annotations

import contextlib
from itertools import chain

import pytest
from evenings import SEATS, account
from refusals import refusal_of
from tables import table

from mjscore.notation.vocabulary import vocabulary
from mjscore.play.actions import action_of
from mjscore.play.changes import Action
from mjscore.play.commands import COMMANDS, act
from mjscore.play.reading import read_action
from mjscore.play.session import open_session
from mjscore.record.events import EVENTS
from mjscore.record.lines import EventLine
from mjscore.refusal import Refused


@table
def test_between_and_in_hands(line, kind, words):
    assert action_of(line, SEATS, editing=False) == Action(kind, words)


@table
def test_while_an_entry_is_edited_one_letter_is_an_answer(line, kind, words):
    assert action_of(line, SEATS, editing=True) == Action(kind, words)


@pytest.mark.parametrize("name", ["undo", "note", "Q"])
def test_a_player_may_have_the_name_of_a_command(name):
    seats = {**SEATS, "N": name}
    assert action_of(f"{name}: 8", seats, editing=False) == Action("rows", f"{name}: 8")


def test_every_command_has_words_and_help():
    meanings = chain.from_iterable(vocabulary().meanings.values())
    words = {one.value.split(" ")[0] for one in meanings if one.kind == "command"}
    assert words == COMMANDS.keys() - EVENTS.keys()
    usages = [usage for command in COMMANDS.values() for usage in command.usage.split(", ")]
    assert words - {usage.split(" ")[0] for usage in usages} == set()


@table
def test_changes_of_seats(typed, line):
    session = open_session(account().text)
    told: str | None = None
    with contextlib.suppress(Refused):
        record = read_action(typed, session).records[0]
        told = str(record) if isinstance(record, EventLine) and record.word == "seat" else None
    assert told == line


def test_of_five_friends_the_next_rests_by_one_letter():
    session = open_session("players Ann Ben Cid Dee\n")
    for line in ("rest", "r"):
        assert refusal_of(read_action, line, session).code == "nobody-rests"
    change, told = EventLine("seat", ("Eve", "Ann")), []
    for _ in range(6):
        session, _ = act(session, Action("event", records=(change,)))
        (change,) = read_action("r", session).records
        assert isinstance(change, EventLine)
        told.append(str(change).removeprefix("seat "))
    assert told == ["Ann for Ben", "Ben for Cid", "Cid for Dee", "Dee for Eve", "Eve for Ann", "Ann for Ben"]
    assert str(*read_action("rest dee", session).records) == "seat Ann for Dee"
