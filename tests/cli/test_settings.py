"""The settings file: what it says counts in every command that reads it, behind the environment and what is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from programs import run_command
from tables import table

import mjscore
from mjscore.notation.vocabulary import use_languages

HAND = "S: (RRR) (GGG) (WWWd) EEE 5c <5c:E"  # the limit where there is one
TABLE = f"hand\n  E: 4\n  {HAND}\n  W: 4\n  N: 4\n"
EVENING = f"players Ann Ben Cid Dee\n{TABLE}"
LIMITED = 'rulebook = "babcock"\n'


@pytest.fixture
def keep(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("table.mj", TABLE), ("evening.mj", EVENING), ("hand.mj", f"{HAND}\n")):
        Path(name).write_text(text)

    def write(text: str) -> None:
        Path("settings.toml").write_text(text)
        monkeypatch.setenv("MJSCORE_SETTINGS", str(tmp_path / "settings.toml"))

    yield write
    use_languages(())


def run(*arguments: str, status: int = 0) -> Result:
    result = run_command(*arguments)
    assert result.exit_code == status, result.output
    return result


def winners_score(output: str) -> int | None:
    """The score of the hand above, wherever a command's JSON has it."""
    found = json.loads(output)
    if "standings" in found:
        return found["hands"][0]["score"]
    return found["score"] if "score" in found else found["scores"]["S"]


SCORING = [
    ("score", HAND), ("settle", "table.mj"), ("check", "hand.mj"), ("check", "table.mj"), ("report", "evening.mj"),
    ("settle", "E=4", "W=4", "N=4", f"S={HAND.removeprefix('S: ')}"),
]  # fmt: skip


@pytest.mark.parametrize("call", SCORING, ids=" ".join)
def test_rulebook_and_options_count_behind_the_environment_and_what_is_typed(call, keep, monkeypatch):
    def score(*more: str) -> tuple[int | None, str]:
        result = run(*call, *more, "--format", "json")
        return winners_score(result.stdout), result.stderr

    by_harr, nothing = score()
    assert by_harr > 500
    assert nothing == ""
    keep(LIMITED + "[options]\nlimit = 600\nnine-gates = false\n")
    by_settings, told = score()
    assert by_settings == 600
    assert (
        told
        == f"settings: rulebook babcock, limit 600, nine-gates off ({Path('settings.toml').absolute()})\n"
    )
    assert score("-s", "limit=500")[0] == 500
    assert "limit" not in score("-s", "limit=500")[1].partition("nine-gates")[0]
    monkeypatch.setenv("MJSCORE_RULEBOOK", "harr")
    assert score()[0] == by_harr
    assert "settings: rulebook harr by MJSCORE_RULEBOOK" in score()[1]
    assert score("-r", "babcock")[0] == 600
    assert "rulebook babcock" not in score("-r", "babcock")[1]


def test_words_of_some_languages(keep):
    call = "score", "roter drache roter drache roter drache 123b 456b 789b 5d +5d"
    run(*call)
    keep('languages = ["fr"]\n')
    run(*call, status=2)
    keep('languages = ["de"]\n')
    run(*call)
    keep("")
    run(*call)


def test_the_file_stands_where_the_system_keeps_such_things(tmp_path, monkeypatch):
    monkeypatch.delenv("MJSCORE_SETTINGS")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert json.loads(run("settings", "--format", "json").stdout)["path"].endswith("settings.toml")
    assert "mjscore" in json.loads(run("settings", "--format", "json").stdout)["path"].lower()


@table
def test_what_cannot_be_is_told_with_its_line(text, said, keep):
    keep("")
    Path("settings.toml").write_bytes(text.encode("latin-1"))
    for call in (("score", HAND), ("settings",)):
        result = run(*call, status=2)
        assert result.stdout == ""
        assert said in result.stderr


def test_python_reads_none(keep):
    keep(LIMITED)
    assert mjscore.score(HAND).rulebook == "harr"
    assert mjscore.load_rulebook().id == "harr"


def test_a_page_for_a_phone_reads_none(keep, monkeypatch):
    keep(LIMITED + "[options]\nlimit = 500\n")
    monkeypatch.setenv("MJSCORE_RULEBOOK", "bmja")
    begun = []

    def build_site(folder, pyodide, rulebook, progress):
        begun.append(rulebook)
        return "1"

    monkeypatch.setattr("mjscore.phone.site.build_site", build_site)
    run("phone", "site")
    assert begun == ["harr"]
