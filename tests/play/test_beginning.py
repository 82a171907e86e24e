"""A new evening by questions, each with its default on Enter; and what is said where names do not fit."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from evenings import play
from refusals import refusal_of
from tables import table

from mjscore.play.beginning import NewEvening, asked_file, beginning, guided, names_of
from mjscore.record.context import Occasion
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS

ROOT = Path(__file__).parents[2]
FOUR = ["Ann", "Ben", "Old Cid", "Dee"]


class Answers:
    """Answers questions by a word of theirs, the others by Enter; *asked* are those that were asked, *said* what was told."""

    def __init__(self, **answers: str | list[str]) -> None:
        self.answers = {key: [one] if isinstance(one, str) else list(one) for key, one in answers.items()}
        self.asked: list[str] = []
        self.said: list[str] = []

    def ask(self, question: str, default: str, known: Sequence[str]) -> str:
        self.asked.append(question)
        for word, left in self.answers.items():
            if word in question.replace(" ", "_") and left:
                return left.pop(0)
        assert default or "Players" not in question, "nobody answers"
        return default


def begun(answers: Answers, asked: NewEvening | None = None) -> NewEvening:
    return guided(asked or NewEvening(), answers.ask, answers.said.append)


@table
def test_names_as_they_are_typed(typed, names):
    assert names_of(typed) == names


def test_enter_alone_takes_what_the_book_has():
    answers = Answers(Players="Ann Ben Cid Dee")
    chosen = begun(answers)
    assert (chosen.rulebook, chosen.players, chosen.occasion.counters) == (
        "harr",
        ["Ann", "Ben", "Cid", "Dee"],
        "",
    )
    assert bind("harr", dict(chosen.settings)).options == bind("harr").options
    assert sum(line.startswith("  harr") for line in answers.said) == 2


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_option_of_a_rulebook_is_asked_for_but_those_of_a_group(name):
    answers = Answers(Players="Ann Ben Cid Dee")
    chosen = begun(answers, NewEvening(rulebook=name))
    options = bind(name).definition.options
    grouped = {member for entry in options.values() for member in entry.data.get("turns_on", ())}
    assert set(chosen.settings) == set(options) - grouped - {"players"}
    for option in chosen.settings:
        assert any(options[option].title in question for question in answers.asked)
    assert bind(name, dict(chosen.settings)).options == bind(name).options


def test_of_a_group_some_are_asked_for_one_by_one():
    answers = Answers(Players="Ann Ben Cid Dee", optional_scores="some", Seven_Twins="on", Nine_Gates="yes")
    chosen = begun(answers, NewEvening(rulebook="babcock"))
    assert "optional" not in chosen.settings
    book = bind("babcock", dict(chosen.settings))
    turned_on = [name for name, value in book.options.items() if value is True]
    assert turned_on == ["nine-gates", "seven-twins"]


def test_what_cannot_be_is_asked_again():
    answers = Answers(
        Players=["Ann", "Ann Ben Cid Dee Eve Fay", "Ann Ann Ben Dee", "Ann Ben Cid Dee"],
        Rulebook=["hoyle", "harr-limit"],
        limit=["much", "none"],
        most_that=["a lot", "500"],
        Own_season=["some", "on"],
        Counters=["beans", "harr"],
    )
    chosen = begun(answers)
    assert (chosen.rulebook, chosen.settings["limit"], chosen.occasion.counters) == (
        "harr-limit",
        "500",
        "harr",
    )
    assert chosen.settings["mandarins"] == "on"
    told = "\n".join(answers.said)
    for part in (
        "1 names: two to five can play",
        "6 names: two to five can play",
        "two players are called Ann",
        "hoyle",
        "'a lot'",
        "beans",
    ):
        assert part in told


def test_a_rulebook_of_four_is_asked_again_for_five():
    answers = Answers(Players="Ann Ben Cid Dee Eve", Rulebook=["harr", "babcock"])
    assert begun(answers).rulebook == "babcock"
    assert any("[player-count]" in line for line in answers.said)


def test_as_many_play_as_the_command_line_says():
    refusal = refusal_of(
        begun, Answers(Players="Ann Ben Cid Dee Eve"), NewEvening("babcock", {"players": "3"})
    )
    assert refusal.code == "player-count"


def test_what_the_command_line_says_is_not_asked():
    answers = Answers(Players="Ann, Ben, Old Cid, Dee")
    asked = NewEvening("babcock", {"limit": "400"}, None, Occasion("", "", "harr"))
    assert begun(answers, asked) == asked._replace(players=FOUR)
    assert len(answers.asked) == 1


@table
def test_two_three_and_five_are_said_back(players, told):
    answers = Answers(Players=players)
    chosen = begun(answers)
    assert answers.said[-1] == told
    assert len(chosen.players or ()) == len(players.split())
    assert chosen.rulebook == ("babcock" if "Eve" in players else "harr")


def test_a_no_begins_anew():
    answers = Answers(Players=["Ann Ben Old Cid Dee", "Ann, Ben, Old Cid, Dee"], right="no")
    assert begun(answers).players == FOUR


def test_a_house_rulebook_beside_the_evening(tmp_path):
    shutil.copy(ROOT / "samples" / "house-rules.toml", tmp_path / "ours.toml")
    answers = Answers(Players="Ann Ben Cid", Rulebook="ours.toml")
    chosen = begun(answers, NewEvening(folder=str(tmp_path)))
    assert beginning(chosen).startswith("rulebook ours.toml\n")
    assert len(answers.asked) > 4


def test_the_file_is_asked_for_until_it_can_be(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    assert asked_file(Answers().ask, print) == "evening.mj"
    assert asked_file(Answers(File="here/tea").ask, print) == "here/tea.mj"
    (tmp_path / "evening.mj").touch()
    answers = Answers(File=["here", "nowhere/tea", "tea"])
    assert asked_file(answers.ask, answers.said.append) == "tea.mj"
    assert answers.said == [
        "here is a folder: type the name of a file",
        "there is no folder nowhere: type another name",
    ]
    assert asked_file(Answers().ask, print) == "evening-2.mj"


@table
def test_too_many_or_too_few_names(tmp_path, arguments, hint):
    shown = " ".join(play(tmp_path / "e.mj", options=arguments).split())
    assert "[player-count]" in shown
    assert hint in shown
    assert list(tmp_path.iterdir()) == []


def test_names_of_which_one_is_empty_are_refused():
    with pytest.raises(Refused):
        beginning(NewEvening(players=["Ann", "", "Cid", "Dee"]))


@table
def test_more_or_fewer_players_than_the_rules_seat(count, rulebook, hint):
    refusal = refusal_of(
        beginning, NewEvening(rulebook, players=("Ann", "Ben", "Cid", "Dee", "Eve", "Fay")[:count])
    )
    assert (refusal.code, refusal.hint) == ("player-count", hint)


def test_an_evening_needs_players_and_a_title_that_is_words():
    with pytest.raises(Refused, match="nobody is named to play"):
        beginning(NewEvening())
    refusal = refusal_of(beginning, NewEvening(players=FOUR, occasion=Occasion(title="At\x07Ann's")))
    assert refusal.code == "bad-title"
