"""Every number that is read from outside: too long for Python, negative, of other scripts, no number at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from amounts import in_turn
from programs import run_command
from tables import table

import mjscore
from mjscore.counters.counter_sets import load_counters
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind

# Python itself makes no number of more than 4,300 digits
NUMBERS = [
    "000000001999", "0" * 5000 + "7", "9" * 16, "9" * 5000, "-1", "-" + "9" * 5000, "²", "٣", "１２", "½", "1e400", "0x10",
    "1_000", "+5", "-0", "1.5", "nan", "inf", "", " ", "−3", "1 2", "9" * 300 + "!", "③", "Ⅷ", "𝟗", "\u06f1" * 5000,
]  # fmt: skip
HAND = "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"
SCORES = ("E=480", "S=64", "W=272", "N=16", "--winner", "E")


def run(*arguments: str, typed: str = "") -> None:
    result = run_command(*arguments, input=typed)
    assert result.exit_code in (0, 1, 2)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("hands.mj").write_text(f"{HAND}\n")
    Path("evening.mj").write_text(
        "players Ann Ben Cid Dee\ncounters harr\nhand\n  Ann: 20\n  Ben: 64 win\n  Cid: 2\n  Dee: 4\n  note one\n"
    )


@table
def test_on_the_command_line(call):
    for number in in_turn(NUMBERS, " ".join(call), 8):
        arguments = [part.format(number) for part in call]
        if arguments[0] == "play":
            Path("new.mj").unlink(missing_ok=True)
        run(*arguments)


@pytest.mark.parametrize("digits", ["480", "٤٨٠", "４８０"])
def test_a_score_may_be_typed_in_the_digits_of_the_keyboard(digits):
    arguments = [f"E={digits}", *SCORES[1:], "--format", "json"]
    result = run_command("settle", *arguments)
    assert json.loads(result.stdout)["scores"]["E"] == 480


@table
def test_in_a_file(text):
    for number in in_turn(NUMBERS, text, 8):
        Path("odd.mj").write_text(text.format(number))
        run("check", "odd.mj")
        run("settle", "odd.mj", "--counters", "harr")
        run("report", "odd.mj")
        run("play", "odd.mj", typed="standings\nshow 1\n")


@table
def test_at_the_table(typed):
    lines = [typed.format(number) for number in in_turn(NUMBERS, typed, 8)]
    run("play", "evening.mj", typed="\n".join([*lines, "edit 1", *lines, ""]))
    run("check", "evening.mj")


BOOK = 'id = "x"\ntitle = "x"\nsource = "s"\nextends = "babcock"\n'
COUNTERS = (
    'id = "x"\ntitle = "x"\nsource = "s"\n[[counter]]\ntitle = "t"\nvalue = {0}\neach = 8\n'
    '[[counter]]\ntitle = "u"\nvalue = 2\neach = {0}\n'
)


@table
def test_in_a_rulebook(key):
    for number in in_turn(NUMBERS, key):
        for written in (number, f'"{number}"'):
            Path("odd.toml").write_text(BOOK + key.format(written), encoding="utf-8")
            try:
                bind("odd.toml")
            except Refused as refused:
                assert "odd.toml" in refused.refusal.render()


def test_in_a_set_of_counters():
    for number in NUMBERS:
        Path("odd.toml").write_text(COUNTERS.format(number), encoding="utf-8")
        try:
            load_counters("odd.toml")
        except Refused as refused:
            assert "odd.toml" in refused.refusal.render()


@pytest.mark.parametrize("columns", NUMBERS)
def test_in_the_environment(columns):
    result = run_command("score", HAND, "-r", columns or "none", COLUMNS=columns, MJSCORE_TILES=columns)
    assert result.exit_code == 2
    result = run_command("score", HAND, COLUMNS=columns, MJSCORE_TILES=columns)
    assert result.exit_code == 0


@pytest.mark.parametrize(
    "score", [10**15, 10**5000, -1, -(10**5000)], ids=["large", "endless", "negative", "endless and negative"]
)
def test_in_python(score):
    settlement = mjscore.settle({"E": score, "S": 64, "W": 272, "N": 16}, "E")
    assert settlement.error is not None or sum(settlement.net.values()) == 0
    assert settlement.error.code == ("negative-score" if score == -1 else "huge-number")


@pytest.mark.parametrize("score", ["9" * 16, "0" * 5000 + "7", "-" + "9" * 5000])
def test_a_score_of_too_many_digits_is_said_to_be_one(score):
    result = run_command("settle", f"E={score}", "S=64", "W=272", "N=16", "--winner", "E")
    assert "[huge-number]" in result.stderr
