"""The settings file: what it says counts in every command that reads it, behind the environment and what is typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tables import table

import mjscore
from mjscore.cli.main import cli
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


def run(*arguments: str, status: int = 0, **named: str) -> Result:
    result = CliRunner().invoke(cli, arguments, **named)
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


def test_the_rulebook_for_hands_that_wait(keep):
    call = "waits", "(RRR) (GGG) (WWWd) EEE 5c", "--format", "json"
    by_harr = json.loads(run(*call).stdout)["waits"][0]["drawn"]
    keep(LIMITED + "[options]\nlimit = 500\n")
    assert by_harr > json.loads(run(*call).stdout)["waits"][0]["drawn"] == 500


def test_text_names_what_decided_and_pages_are_left_clean(keep):
    keep(LIMITED)
    said = "settings: rulebook babcock ("
    for call in (("score", HAND), ("check", "hand.mj"), ("settle", "table.mj"), ("report", "evening.mj")):
        assert run(*call).stdout.startswith(said)
    page = run("report", "evening.mj", "--html", "-")
    assert page.stdout.startswith("<!DOCTYPE html>")
    assert page.stderr.startswith(said)
    for call in (("rules", "list"), ("help",), ("explain", "fifth-tile"), ("settings",)):
        assert said not in run(*call).output


def test_a_files_own_lines_go_before_all(keep):
    keep(LIMITED + 'counters = "harr"\n[options]\nlimit = 600\n')
    Path("table.mj").write_text(f"rulebook harr\n{TABLE}")
    assert winners_score(run("settle", "table.mj", "--format", "json").stdout) > 600
    Path("table.mj").write_text(f"set limit 500\n{TABLE}")
    assert winners_score(run("settle", "table.mj", "--format", "json").stdout) == 500
    Path("table.mj").write_text(f"players Ann Ben Cid Dee\ncounters babcock\n{TABLE}")
    assert "gold dot" not in run("settle", "table.mj").stdout
    Path("table.mj").write_text(f"players Ann Ben Cid Dee\n{TABLE}")
    assert "gold dot" in run("settle", "table.mj").stdout


def test_counters_are_handed_over(keep):
    call = "settle", "E=480", "S=64", "W=272", "N=16", "--winner", "E"
    keep('counters = "harr"\n')
    assert "gold dot" in run(*call).stdout
    assert "gold dot" not in run(*call, "--counters", "babcock").stdout


def test_tiles_are_shown_so(keep, monkeypatch):
    calls = ("score", HAND), ("waits", "1112345678999c"), ("report", "evening.mj")
    keep('tiles = "unicode"\n')
    for call in calls:
        assert "🀏" in run(*call).stdout or "🀄" in run(*call).stdout
        assert "🀄" not in run(*call, "--tiles", "plain").stdout
        with monkeypatch.context() as context:
            context.setenv("MJSCORE_TILES", "plain")
            assert "🀄" not in run(*call).stdout


def test_a_new_evening_begins_with_all_of_it_and_one_that_goes_on_keeps_its_own(keep):
    keep(LIMITED + 'counters = "harr"\nplayers = ["Ann", "Ben", "Old Cid", "Dee"]\n[options]\nlimit = 500\n')
    shown = run("play", "new.mj", input="quit\n").stdout
    assert "settings: rulebook babcock, limit 500, counters harr, players Ann Ben " in shown
    head = Path("new.mj").read_text()
    for line in (
        "rulebook babcock\n",
        "set limit 500\n",
        "counters harr\n",
        'players Ann Ben "Old Cid" Dee\n',
    ):
        assert line in head
    keep('rulebook = "harr"\ncounters = "babcock"\nplayers = ["Eve", "Fay", "Gil", "Hal"]\n')
    run("play", "new.mj", input="quit\n")
    assert Path("new.mj").read_text() == head
    run("play", "typed.mj", "-r", "bmja", "--players", "A B C D", input="quit\n")
    assert "rulebook bmja\n" in Path("typed.mj").read_text()
    assert "players A B C D\n" in Path("typed.mj").read_text()
    # what is typed still may not say otherwise than the evening
    run("play", "new.mj", "-r", "harr", input="quit\n", status=2)


def test_words_of_some_languages(keep):
    call = "score", "roter drache roter drache roter drache 123b 456b 789b 5d +5d"
    run(*call)
    keep('languages = ["fr"]\n')
    run(*call, status=2)
    keep('languages = ["de"]\n')
    run(*call)
    keep("")
    run(*call)


def test_settings_are_shown_with_where_they_are_from(keep, monkeypatch):
    keep(LIMITED + 'tiles = "plain"\nlanguages = ["de", "fr"]\n[options]\nlimit = 600\nseasons = true\n')
    found = json.loads(run("settings", "--format", "json").stdout)
    path = str(Path("settings.toml").absolute())
    assert (found["path"], found["read"]) == (path, True)
    assert found["settings"] == {
        "rulebook": {"value": "babcock", "from": "the file"},
        "option limit": {"value": "600", "from": "the file"},
        "option seasons": {"value": "on", "from": "the file"},
        "tiles": {"value": "plain", "from": "the file"},
        "languages": {"value": ["de", "fr"], "from": "the file"},
    }

    def shown(*more: str) -> list[str]:
        return [" ".join(line.split()) for line in run("settings", *more).stdout.splitlines()]

    monkeypatch.setenv("MJSCORE_TILES", "boxed")
    assert shown("-s", "limit=300")[0] == path
    for line in (
        "option limit 300 the command line",
        "option seasons on the file",
        "tiles boxed MJSCORE_TILES",
    ):
        assert line in shown("-s", "limit=300")
    assert "rulebook harr the command line" in shown("-r", "harr")
    assert not any(line.startswith("option") for line in shown("-r", "harr"))
    monkeypatch.setenv("MJSCORE_RULEBOOK", "babcock-chinese")
    assert "rulebook babcock-chinese MJSCORE_RULEBOOK" in shown()


@pytest.mark.parametrize("named", ["", "none.toml"])
def test_without_a_file_there_are_no_settings(named, keep, monkeypatch):
    monkeypatch.setenv("MJSCORE_SETTINGS", named)
    shown = run("settings").stdout
    assert shown.splitlines()[0] == (f"{named} (there is no such file)" if named else "no file")
    assert shown.splitlines()[-1].split() == ["rulebook", "harr", "mjscore"]


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


def test_an_option_that_cannot_be_so_is_refused_and_named(keep):
    keep(LIMITED + '[options]\nlimit = "much"\n')
    result = run("score", HAND, status=2)
    assert "settings: rulebook babcock, limit much (" in result.stdout
    assert "limit cannot be 'much'" in result.stderr


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
