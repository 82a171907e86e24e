"""A new evening by questions, each with its default on Enter; and what is said where names do not fit."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from evenings import play
from refusals import refusal_of
from tables import table

from mjscore.page.text import Style, wrapped
from mjscore.play.beginning import (
    Guide,
    NewEvening,
    as_played,
    beginning,
    free_file,
    guided,
    names_of,
    read_as_played,
    told_rules,
)
from mjscore.play.evening import read_evening
from mjscore.record.context import Occasion
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind, forget_rulebooks
from mjscore.rulebook.entries import RULEBOOKS, option_choices, option_text

ROOT = Path(__file__).parents[2]
FOUR = ["Ann", "Ben", "Old Cid", "Dee"]


LAST = NewEvening("babcock", {"limit": "600"}, FOUR, Occasion(counters="babcock"))
EVENINGS = {"none": None, "last": LAST, "three": LAST._replace(players=FOUR[:3]), "bmja": NewEvening("bmja")}


class Answers:
    """Answers questions in order; *asked* are the prompts, *said* what was told."""

    def __init__(self, *answers: str) -> None:
        self.answers = ["" if answer == "Enter" else answer for answer in answers if answer]
        self.asked: list[str] = []
        self.said: list[str] = []

    def ask(self, prompt: str, known: Sequence[str]) -> str:
        self.asked.append(prompt)
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)


def begun(answers: Answers, asked: NewEvening | None = None, last: NewEvening | None = None) -> NewEvening:
    return guided(asked or NewEvening(), answers.ask, answers.said.append, last)


@table
def test_names_as_they_are_typed(typed, names):
    assert names_of(typed) == names


@table
def test_wind_told_of_some_alone(typed):
    refusal = refusal_of(names_of, typed)
    assert (refusal.code, refusal.hint.split(",")[0]) == ("player-count", "give everyone a wind")


@table
def test_two_questions(given, last, typed, rules, players):
    answers = Answers(*typed)
    chosen = begun(answers, EVENINGS[given] or NewEvening(), EVENINGS[last])
    assert told_rules(chosen) == rules
    assert list(chosen.players or ()) == players
    # what is said back can be typed: it is the same again
    retyped = Answers("Ann Ben", rules, "Enter") if "players" not in chosen.settings else Answers()
    assert not retyped.answers or told_rules(begun(retyped)) == rules
    assert beginning(chosen)


@table
def test_what_is_asked_and_said(last, typed, said):
    answers = Answers(*typed)
    with pytest.raises(EOFError):
        begun(answers, None, EVENINGS[last])
    assert said in answers.said[-1]


@pytest.mark.parametrize("typed", ["ann wins 64 off cid", "Cid's 12", "dees 8"])
def test_a_score_before_the_rules_is_told_to_wait(typed):
    guide, _ = Guide(NewEvening("babcock")).after("Ann, Ben, Old Cid, Dee")
    refusal = refusal_of(guide.after, typed)
    assert (refusal.code, refusal.hint.split(",")[0]) == (
        "bad-line",
        "press Enter to begin by the rules above",
    )


def test_every_option_of_a_rulebook_can_be_named():
    for name in RULEBOOKS:
        book = bind(name)
        (told,) = Guide(NewEvening(name)).after("Ann Ben Cid Dee")[0].after("?")[1:]
        for option, entry in book.definition.options.items():
            value = option_choices(entry)[-1]
            if option == "players" or entry.data.get("needs") or entry.data.get("not_with"):
                continue
            assert entry.title in told
            chosen = begun(Answers("Ann Ben Cid Dee", f"{option} {value}", "Enter"), NewEvening(name))
            assert option_text(bind(name, dict(chosen.settings)).options[option]) == value


def test_what_the_command_line_says_is_not_asked():
    answers = Answers("Ann, Ben, Old Cid, Dee")
    asked = NewEvening("babcock", {"limit": "400"}, None, Occasion("", "", "harr"))
    assert begun(answers, asked, LAST) == asked._replace(players=FOUR)
    assert answers.asked == ["players> "]


def test_as_many_play_as_the_command_line_says():
    answers = Answers("Ann Ben Cid Dee Eve", "Ann Ben Cid", "Enter")
    assert begun(answers, NewEvening("babcock", {"players": "3"})).players == ["Ann", "Ben", "Cid"]
    assert "[player-count]" in answers.said[1]


def test_a_house_rulebook_beside_the_evening_and_in_the_next_one(tmp_path):
    (tmp_path / "tea").mkdir()
    shutil.copy(ROOT / "samples" / "house-rules.toml", tmp_path / "tea" / "ours.toml")
    folder = str(tmp_path / "tea")
    chosen = begun(Answers("Ann Ben Cid", "ours.toml", "Enter"), NewEvening(folder=folder))
    text = beginning(chosen)
    assert text.startswith("rulebook ours.toml\n")
    last = as_played(read_evening(text, folder=folder))
    assert read_as_played(beginning(last.with_number())) == last
    assert begun(Answers("Enter", "Enter"), None, last).rulebook == str(tmp_path / "tea" / "ours.toml")
    shutil.rmtree(folder)
    forget_rulebooks()
    # it is gone: that evening is no pattern any more
    assert read_as_played(f"rulebook {last.rulebook}\nplayers Ann Ben Cid\n") is None


def test_an_evening_is_kept_in_a_file_that_is_not_there_yet(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert free_file() == "evening.mj"
    (tmp_path / "evening.mj").touch()
    assert free_file() == "evening-2.mj"


@pytest.mark.parametrize("last", EVENINGS.values())
def test_no_word_is_broken_at_sixty_columns(last):
    answers = Answers("?", "Ann Ben Cid Dee", "?", "babcock", "?")
    with pytest.raises(EOFError):
        begun(answers, None, last)
    for told in answers.said:
        lines = wrapped(told, Style(60)).split("\n")
        assert max(map(len, lines)) <= 60
        assert " ".join(" ".join(lines).split()) == " ".join(told.split())


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
    with pytest.raises(Refused, match="no players are named"):
        beginning(NewEvening())
    refusal = refusal_of(beginning, NewEvening(players=FOUR, occasion=Occasion(title="At\x07Ann's")))
    assert refusal.code == "bad-title"
