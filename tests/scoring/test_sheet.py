"""The score sheet as programs read it."""

from __future__ import annotations

import mjscore
from mjscore.refusal import Refusal
from mjscore.scoring.sheet import refused_sheet


def test_what_set_the_score_is_called_limit_in_json():
    sheet = mjscore.score("222333444b 5b RRRd +5b", options={"limit": 100})
    assert sheet.limit == "limit"
    assert sheet.as_json()["limit"] == "limit"
    assert "score_set_by" not in sheet.as_json()


def test_a_refused_hand_has_no_figures():
    sheet = refused_sheet(Refusal("x", "no"), "harr", None)
    assert (sheet.score, sheet.points, sheet.doubles, sheet.won) == (None, None, None, None)
    assert not sheet.dead
    lists = (sheet.items, sheet.sets, sheet.doubling, sheet.additions, sheet.claims, sheet.remarks)
    assert lists == ((),) * 6
    assert sheet.as_json()["error"]["code"] == "x"


def test_a_refused_hand_keeps_its_seat_and_round():
    sheet = mjscore.score("S@W: (111b)(234c)(567d) 123b 5c <6c")
    shown = sheet.as_json()
    assert sheet.hand is not None
    assert (shown["seat"], shown["round"]) == ("S", "W")
    assert shown["error"]["code"] == "not-a-winning-hand"


def test_what_programs_read_from_the_object_is_what_they_read_in_json():
    sheet = mjscore.score("S@E: (8888d) EEE WWd GGd 1b2b3b <Gd", rulebook="babcock", options={"limit": 50})
    shown = sheet.as_json()
    assert sheet.limit == shown["limit"] == "limit"
    assert all(getattr(sheet, name) == shown[name] for name in ("score", "points", "doubles", "won", "seat"))
