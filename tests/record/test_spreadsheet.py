"""Spreadsheets: four hundred hands there and back, in whatever way a program saves them."""

from __future__ import annotations

import csv
import io
import json
import random

import pytest
from batches import random_lines
from programs import run_command

import mjscore
from mjscore.batch.results import CSV_COLUMNS
from mjscore.record.spreadsheet import read_sheet

WRONG = range(7, 400, 33)  # expected otherwise
MISTYPED = range(20, 400, 80)
HEAD = ["Day", "Note", "Tiles", "score", ""]


@pytest.fixture(scope="module")
def rows() -> list[list[str]]:
    chance, found = random.Random(3), []
    hands = [hand for hand in random_lines(450, 11) if mjscore.score(hand).error is None][:400]
    for number, hand in enumerate(hands):
        score = mjscore.score(hand).score + 1 * (number in WRONG)
        note = chance.choice(["", "first; last", 'Zoë said, "no"', "two\nlines", "-5"])
        found.append(
            [f"{number}", note, hand.replace(":", ": 0x", 1) if number in MISTYPED else hand, f"{score}", "x"]
        )
    found.insert(3, ["so far", "", "", "", ""])
    return found


def written(rows: list[list[str]], separator: str, ending: str, above: str = "") -> str:
    stream = io.StringIO()
    csv.writer(stream, delimiter=separator, lineterminator=ending, quoting=csv.QUOTE_ALL).writerows(
        [HEAD, *rows]
    )
    return above + stream.getvalue()


@pytest.mark.parametrize(
    ("separator", "ending", "encoding", "above"),
    [
        (",", "\n", "utf-8", ""),
        (";", "\r\n", "utf-8-sig", ""),
        ("\t", "\r\n", "utf-16", ""),
        (";", "\r\n", "utf-16-le", "sep=;\r\n"),
        ("|", "\r", "utf-16-be", ""),
    ],
)
def test_four_hundred_hands_there_and_back(rows, tmp_path, separator, ending, encoding, above):
    path = tmp_path / "hands.csv"
    path.write_bytes(written(rows, separator, ending, above).encode(encoding))
    call = ["check", str(path), "--column", "tiles", "--expected", "SCORE"]
    told = run_command(*call, "--format", "csv", "--jobs", "1")
    assert run_command(*call, "--format", "csv", "--jobs", "2").stdout == told.stdout
    assert (told.exit_code, told.stderr) == (1, "")
    table = list(csv.DictReader(io.StringIO(told.stdout)))
    assert list(table[0]) == [
        *HEAD[:-1],
        "5",
        *(f"computed {one}" if one == "score" else one for one in CSV_COLUMNS),
    ]
    assert [[one[name] for name in [*HEAD[:-1], "5"]] for one in table] == rows
    hands = [one for one in table if one["hand"]]
    assert [number for number, one in enumerate(hands) if one["code"]] == list(MISTYPED)
    assert [number for number, one in enumerate(hands) if one["ok"] == "no"] == sorted([*WRONG, *MISTYPED])
    for number, one in enumerate(hands):
        assert (one["hand"], one["expected"]) == (rows[number + (number > 2)][2], one["score"])
        if number not in MISTYPED:
            assert int(one["computed score"]) == int(one["score"]) - (number in WRONG)
    # a refusal tells the line of the file on which its row begins
    lines = written(rows, separator, "\n", above).split("\n")
    assert all(lines[int(one["line"]) - 1].startswith(f'"{one["Day"]}"') for one in hands)
    (tmp_path / "back.tsv").write_text(told.stdout)
    back = run_command(
        "check", str(tmp_path / "back.tsv"), "--format", "csv", "--expected", "score", "--column", "Tiles"
    )
    again = list(csv.DictReader(io.StringIO(back.stdout)))
    assert len(again) == len(table)
    assert [one["ok"] for one in again] == [one["ok"] for one in table]


def test_a_table_of_results_is_read_again_and_told_anew(tmp_path):
    path = tmp_path / "hands.csv"
    path.write_text(run_command("check", "samples/harr.mj", "samples/table.mj", "--format", "csv").stdout)
    first = run_command("check", str(path), "--format", "csv")
    assert first.stdout.splitlines()[0] == ",".join(CSV_COLUMNS)
    assert first.exit_code == 0
    path.write_text(
        first.stdout.replace(
            "(123b) (456c) 22d 789b 11c <2d,harr,E,E,yes,22,",
            "(123b) (456c) 22d 789b 11c <2d,harr,E,E,yes,23,",
        )
    )
    assert run_command("check", str(path), "--format", "csv").stdout == first.stdout


def test_rows_say_where_a_hand_is_played_and_by_which_rulebook(tmp_path):
    path = tmp_path / "hands.csv"
    path.write_text(
        "seat,Round,rulebook,label,hand\nnorth,s,babcock,one,NNN SSS GGG 11b 2b ...\n,,,,S: (RRR) ...\nW,,harr,two,S: (RRR) ...\n"
    )
    for call in (["check", str(path)], ["score", str(path)]):
        found = [json.loads(line) for line in run_command(*call, "--format", "json").stdout.splitlines()]
        assert [(one["seat"], one["round"], one["rulebook"]) for one in found] == [
            ("N", "S", "babcock"), ("S", "E", "harr"), ("S", "E", "harr"),
        ]  # fmt: skip
        assert found[0]["score"] == mjscore.score("N@S: NNN SSS GGG 11b 2b ...", "babcock").score
        table = list(csv.DictReader(io.StringIO(run_command(*call, "--format", "csv").stdout)))
        assert [(one["seat"], one["label"], one["score"]) for one in table] == [
            (said, label, str(one["score"])) for said, label, one in zip(["north", "S", "W"], ["one", "", "two"], found, strict=True)
        ]  # fmt: skip
    both = list(
        csv.DictReader(
            io.StringIO(run_command("score", str(path), "-r", "harr", "-r", "bmja", "--format", "csv").stdout)
        )
    )
    assert [one["rulebook"] for one in both] == ["harr", "bmja"] * 3


def test_what_is_no_spreadsheet_is_none(tmp_path):
    (tmp_path / "hands.txt").write_text("hand\n1b ...\n")
    assert read_sheet(str(tmp_path / "hands.txt"), None, None) is None
    assert read_sheet(str(tmp_path / "hands.txt"), "Hand", None).rows[0].cells == ("1b ...",)
