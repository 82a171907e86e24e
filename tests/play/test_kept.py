"""What older versions have kept opens as it did: evenings, the steps of undo, what a phone stores. The files in ``kept`` were
written by those versions themselves: 1.0.0, and commit f7a48f6.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from programs import run_command
from tables import table

from mjscore.game.tiles import WIND_NAMES
from mjscore.phone.bridge import answer
from mjscore.play.evening import checked_block
from mjscore.play.session import open_session
from mjscore.record.context import Context
from mjscore.record.statistics import read_evening
from mjscore.rulebook.binding import forget_rulebooks
from mjscore.system import state_folder

KEPT = Path(__file__).parent / "kept"
CLUB = """id = "club"
title = "The rules of a club"
extends = "babcock"

[change.mah-jongg]
points = {mah_jongg}
source = "club 1"
{more}"""
FISH = """
[[shape]]
id = "fish"
title = "Fish"
tiles = "7 pairs"
of_limit = "1/2"
source = "club 2"
"""
EVENING = (
    "E 22b 44b 66c 88c 22d 44d 6d +6d",
    "0 0 0",
    "ann 48 win, ben 8, cid 4, dee 2",
    "ann 8, ben 66 win, cid 4, dee 2",
)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """The files, in a folder in which they may be written."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(KEPT, tmp_path, dirs_exist_ok=True)
    return tmp_path


@table
def test_evenings_open_as_they_did(file, next, totals, kept):
    path = kept / file
    before = path.read_bytes()
    evening = open_session(before.decode(), file).evening
    east, round_wind = evening.state.seats["E"], WIND_NAMES[evening.state.round_wind]
    assert f"{evening.hand.mark} {round_wind} {east} {' '.join(evening.hand.rows)}".strip() == next
    assert " ".join(f"{name} {total}" for name, total in evening.position.points.items()) == totals
    found = read_evening(file, Context())
    assert {name: found.total(name) for name in found.players} == evening.position.points
    ended = run_command("play", file, input="quit\n")
    assert ended.exit_code == 0
    assert ("kept under different rules" in ended.output) == (file == "1.0.mj")
    assert path.read_bytes() == before


def test_steps_lead_back_to_the_beginning_and_forward_again(kept):
    steps = Path(state_folder(), "steps")
    shutil.copytree(kept / "steps", steps, dirs_exist_ok=True)
    path = kept / "f7a48f6.mj"
    before = path.read_text()
    shown = run_command("play", path.name, input="undo\n" * 12 + "quit\n").output
    assert shown.count(" is undone") == 9
    assert "nothing-to-undo" in shown
    assert path.read_text() == before[: before.index("hand @E")]
    shown = run_command("play", path.name, input="redo\n" * 12 + "quit\n").output
    assert shown.count(" is back") == 9
    assert path.read_text() == before


def test_a_phone_goes_on_with_what_it_has_stored():
    def ask(**question):
        return json.loads(answer(json.dumps(question)))

    stored = json.loads((KEPT / "f7a48f6.storage.json").read_text())
    text = stored["mjscore.evening"]
    steps, draft, view = (json.loads(stored[f"mjscore.{name}"]) for name in ("steps", "draft", "view"))
    assert steps["text"] == draft["text"] == view["text"] == text
    now = ask(ask="evening", text=text)
    for shown in ("text", "round", "hand", "seats", "sits_out", "totals", "entries"):
        assert now[shown] == view[shown]
    for there in (*steps["past"], *steps["future"]):
        opened = ask(ask="evening", text=there["text"])
        assert opened["text"] == there["text"]
        if there["taps"]:
            assert "error" not in ask(ask="settle", text=there["text"], hands=there["taps"])
    scores = {
        seat: ask(ask="hand", text=text, seat=seat, taps=taps)["score"]
        for seat, taps in draft["taps"].items()
    }
    assert scores == {"E": 16, "S": 52}
    settled = ask(ask="settle", text=text, hands=draft["taps"])
    assert settled["totals"][0] == ["Ann", "−680"]


def rules(mah_jongg: int, more: str = "") -> None:
    """Writes the rulebook of the club."""
    Path("club.toml").write_text(CLUB.format(mah_jongg=mah_jongg, more=more))
    forget_rulebooks()
    checked_block.cache_clear()


def typed(*lines: str, options: tuple[str, ...] = ()) -> str:
    ended = run_command("play", "e.mj", *options, input="".join(f"{line}\n" for line in (*lines, "quit")))
    assert ended.exit_code == 0, ended.output
    return ended.output


def test_booked_payments_stay_where_the_rules_have_changed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rules(20, FISH)
    typed(*EVENING, options=("-r", "club.toml", "--players", "Ann Ben Cid Dee"))
    booked, path = read_evening("e.mj", Context()), Path("e.mj")
    before, *_, last = path.read_text(), path.read_text().rpartition("hand")[2]
    totals = {name: booked.total(name) for name in booked.players}
    rules(40)
    shown = typed("standings")
    assert "kept under different rules" in shown
    assert "recorded payments\n  stay" in shown
    assert path.read_text() == before
    told = json.loads(answer(json.dumps({"ask": "evening", "text": before.replace("club.toml", "babcock")})))
    assert "kept under different rules" in " ".join(told["other_rules"].split())
    now = open_session(before, "e.mj").evening
    assert now.position.points == totals
    assert now.hand.mark == "4"
    # a hand to come goes by the rules of now, and one above it is put right by them; the others stay
    typed("edit 2", "Dee: 4", "yes", "E (RRR) 123b 456b 789b 5d +5d", "0 0 0")
    assert last in path.read_text()
    assert path.read_text().count(" pays ") == 4
    (first,) = (line for line in before.splitlines() if "pays Ann +900" in line)
    assert first in path.read_text()


def test_what_was_booked_is_told_beside_what_the_rules_would_give(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rules(20, FISH)
    typed(
        "E (RRR) 123b 456b 789b 5d +5d",
        "0 0 0",
        *EVENING[:2],
        options=("-r", "club.toml", "--players", "Ann Ben Cid Dee"),
    )
    totals = {name: read_evening("e.mj", Context()).total(name) for name in ("Ann", "Ben", "Cid", "Dee")}
    rules(40)
    evening = read_evening("e.mj", Context())
    assert {name: evening.total(name) for name in evening.players} == totals
    assert [refusal.code for refusal in evening.refusals] == ["rules-changed", "nets-differ", "nets-differ"]
    assert not evening.left_out
    for command in ("check", "settle", "report"):
        ended = run_command(command, "e.mj")
        assert ended.exit_code == 1
        assert "was kept under different rules" in ended.stderr + ended.stdout
        assert ended.output.count("payments recorded under different rules stay") >= 2
