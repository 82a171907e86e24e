"""Results as JSON, CSV and text, and their tally."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter

from batches import alone, whole
from programs import run_command

from mjscore.batch.results import CSV_COLUMNS, RENDERERS
from mjscore.batch.run import check_files
from mjscore.page.json_text import json_line
from mjscore.record.checker import check_file
from mjscore.record.context import Context
from mjscore.scoring.sheet import Claim, Doubling


def test_json_is_what_the_encoder_gives(mixed):
    for one in check_file(str(mixed), Context()):
        assert RENDERERS["json"](one) == json.dumps(one.as_json(), ensure_ascii=False) + "\n"


def test_lines_of_two_kinds_that_are_equal_as_tuples_keep_their_members():
    parts = ("x", "X", 3, "p. 1")
    members = {"doubling": (Doubling(*parts),), "claims": (Claim(*parts),)}
    assert json.loads(json_line(members)) == {
        "doubling": [{"rule": "x", "title": "X", "doubles": 3, "source": "p. 1"}],
        "claims": [{"rule": "x", "title": "X", "points": 3, "source": "p. 1"}],
    }


def test_csv_has_a_row_a_hand(mixed):
    rows = list(csv.reader(io.StringIO(alone(mixed, "csv"))))
    assert {len(row) for row in rows} == {len(CSV_COLUMNS)}
    assert len(rows) == len(alone(mixed, "json").splitlines())


def test_sarif_is_one_document_of_all_that_does_not_hold(mixed, tmp_path):
    for call in (["--jobs", "2"], ["--jobs", "1"]):
        document = json.loads(run_command("check", str(mixed), "--format", "sarif", *call).stdout)
    (run,) = document["runs"]
    found = [
        (one["ruleId"], place["artifactLocation"]["uri"], place["region"])
        for one in run["results"]
        for place in [one["locations"][0]["physicalLocation"]]
    ]
    told = [json.loads(line) for line in alone(mixed, "json").splitlines()]
    errors = [error for one in told for error in one.get("errors", ())]
    assert [(code, region["startLine"]) for code, _, region in found] == [
        (one["code"], one["line"]) for one in errors
    ]
    assert {path for _, path, _ in found} == {str(mixed)}
    assert all(region["endColumn"] > region["startColumn"] > 0 for _, _, region in found)
    (tmp_path / "good.mj").write_text("1b ... = 0\n")
    assert (
        json.loads(run_command("check", str(tmp_path / "good.mj"), "--format", "sarif").stdout)["runs"][0][
            "results"
        ]
        == []
    )


def test_the_tally_is_the_sum_of_the_results(mixed):
    parts = list(check_files([str(mixed)], Context(), "json"))
    found = [json.loads(line) for part in parts for line in part.text.splitlines()]
    counts, codes = (
        sum(one, Counter()) for one in zip(*((part.counts, part.codes) for part in parts), strict=True)
    )
    wrong = sum(not one["ok"] for one in found)
    assert counts["refused"] + codes["differs"] == wrong
    assert counts["refused"] == sum(bool(one["error"]) for one in found)
    assert counts["table"] == sum("net" in one for one in found)
    assert codes.total() >= wrong
    assert {one["error"]["code"] for one in found if one["error"]} <= set(codes)
    assert sum(part.bytes_read for part in parts) == mixed.stat().st_size


OPEN = """players Ann Ben "Old Cid" Dee
hand
  Ann: 22 win
  Ben: 3
  "Old Cid": dead
  Dee: 4
hand
  Ben: 3
  "Old Cid": 0
"""


def test_an_open_hand_is_named_and_not_counted(tmp_path):
    path = tmp_path / "open.mj"
    path.write_text(OPEN)
    counts = sum((part.counts for part in check_files([str(path)], Context(), "text")), Counter())
    assert counts == Counter(table=1, open=1)
    assert whole(path, "text", 1) == f"{path}:7: the hand is open: no line yet for Ann, Dee\n"
    rows = list(csv.DictReader(io.StringIO(",".join(CSV_COLUMNS) + "\n" + whole(path, "csv", 1))))
    assert [(row["ok"], row["code"]) for row in rows] == [("yes", ""), ("yes", "open")]
    settled, opened = (json.loads(line) for line in whole(path, "json", 1).splitlines())
    assert "open" not in settled
    assert (opened["open"], opened["ok"], opened["error"]) == (True, True, None)
    path.write_text(OPEN + "draw\n")
    assert "[missing-seat]" in whole(path, "text", 1)
