"""The drill on the page: what the bridge asks and answers."""

from __future__ import annotations

import json

from mjscore.phone.bridge import answer


def asked(**question):
    return json.loads(
        answer(json.dumps({"ask": "drill", "seed": 4, "number": 0, "right": 0, "guess": "", **question}))
    )


def test_a_question_with_its_tiles_and_what_an_answer_comes_from():
    said = asked()
    assert said["question"].endswith("What do the sets and the pair alone score?")
    assert sum(len(tiles) for _, tiles in said["parts"]) >= 14
    assert said["parts"][-1][0] in ("drawn", "claimed")
    right = asked(guess=said["answer"])
    assert (right["right"], right["slips"]) == (True, [])
    score = right["sheet"].rpartition("Score ")[2]
    assert asked(guess=score)["slips"][0] == "more counted than the question asks for"
    assert (said["right"], said["slips"]) == (False, [])


def test_what_is_asked_grows_and_goes_by_the_rulebook():
    assert "before doubling" in asked(right=3)["question"]
    said = asked(right=50, number=2, rulebook="bmja")
    assert "What does" in said["question"]
    assert said["parts"] == []
    assert asked(rulebook="nothing.toml")["error"]
