"""What else can happen, as forms: those that a rulebook has, filled and done, and put right later."""

from __future__ import annotations

import json
from typing import Any

from tables import table

from mjscore.phone.bridge import answer
from mjscore.record.events import EVENTS

PLAYERS = ["Ann", "Ben", "Old Cid", "Dee"]


def ask(**question: Any) -> dict[str, Any]:
    return json.loads(answer(json.dumps(question)))


def begun(rulebook: str, options: dict[str, str]) -> str:
    return ask(ask="begin", players=PLAYERS, rulebook=rulebook, options=options, counters="babcock")["text"]


def filled(said: str) -> dict[str, list[str]]:
    parts = (part.partition("=") for part in filter(None, said.split(";")))
    return {name: value.split(",") for name, _, value in parts}


@table
def test_a_filled_form_is_the_line_of_the_file(rulebook, options, word, values, line):
    """As somebody would type it; its form is one of those offered, and is filled so when the line is put right."""
    text = begun(rulebook, options)
    forms = {form["word"]: form for form in ask(ask="forms", text=text)["forms"]}
    assert filled(values).keys() == {field["name"] for field in forms[word]["fields"]}
    done = ask(ask="happened", text=text, word=word, filled=filled(values))
    assert "error" not in done
    assert done["text"].removeprefix(text).splitlines()[0] == line
    again = ask(ask="forms", text=done["text"], mark=done["entries"][-1]["mark"])
    assert (again["word"], again["filled"].items() >= filled(values).items()) == (word, True)
    assert again["forms"][0]["word"] == word


@table
def test_a_form_that_is_not_filled_or_cannot_be_is_refused(rulebook, word, values, said):
    refused = ask(ask="happened", text=begun(rulebook, {}), word=word, filled=filled(values))
    assert set(refused) == {"error"}
    assert said in refused["error"]


def test_every_event_has_its_form_where_the_rulebook_knows_it():
    offered = {
        form["word"].partition(" ")[0]
        for rulebook in ("bmja", "harr-limit")
        for form in ask(ask="forms", text=begun(rulebook, {}))["forms"]
    }
    assert EVENTS.keys() - offered <= {"long"}  # of house rules: no rulebook that comes along has it


def test_of_a_payment_that_is_put_right_the_change_is_shown_first():
    text = begun("babcock", {})
    text = ask(ask="happened", text=text, word="pay", filled=filled("who=Ann;to=Ben;points=40"))["text"]
    question = {"ask": "happened", "text": text, "mark": "0a", "word": "pay"}
    proposed = ask(**question, filled=filled("who=Ann;to=Dee;points=40"))
    assert (proposed["text"], proposed["answers"]) == (text, ["yes", "no"])
    assert "Ben +40 → 0" in proposed["said"]
    done = ask(**question, filled=filled("who=Ann;to=Dee;points=40"), answer="yes")
    assert done["text"] != text
    assert done["card"]["paid"] == [["Ann", "Dee", 40]]
    assert "To correct the counters: Ben gives 40" in done["card"]["told"]


def test_a_hand_under_way_is_named_and_forgotten():
    text = begun("harr", {})
    named = ask(ask="happened", text=text, word="label", filled=filled("words=the big one"))["text"]
    assert '"the big one"' in named
    assert "drop" in [form["word"] for form in ask(ask="forms", text=named)["forms"]]
    assert ask(ask="happened", text=named, word="drop", filled={})["text"] == text
