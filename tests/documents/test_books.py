"""The samples hold every worked example and figure of both books, and check fails when one is changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from checks import check_text

from mjscore.record.checker import check_file
from mjscore.record.context import Context

SAMPLES = Path(__file__).parents[2] / "samples"
FILES = sorted([*SAMPLES.glob("*.mj"), *SAMPLES.glob("rules/*.mj")])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_samples_hold(path):
    wrong = [(one.line, one.refusals, one.outcome) for one in check_file(str(path), Context()) if not one.ok]
    assert wrong == []


def labels(name: str) -> list[str]:
    return re.findall(r'^(?:hand )?"([^"]+)"', (SAMPLES / name).read_text(encoding="utf-8"), re.MULTILINE)


def test_harrs_examples_and_layouts_are_all_there():
    found = labels("harr.mj")
    assert {f"Example {number}" for number in range(1, 21)} | {"Example 7E"} <= set(found)
    assert {f"Layout {number}" for number in range(1, 5)} <= set(found)
    limit = " ".join(labels("harr-limit.mj"))
    for number in range(1, 11):
        assert f"Part II example {number}" in limit
    for number in range(1, 5):
        assert f"Reckless discard {number}" in limit


def test_babcocks_figures_are_all_there():
    found = " ".join(f"<{label}" for label in labels("babcock.mj"))
    for number in (*range(16, 35), 39, 40, 41):
        assert f"<Fig. {number}" in found, number
    assert "<Settling I" in found
    chinese = " ".join(labels("babcock-chinese.mj"))
    for number in (21, 36, 37):
        assert f"Fig. {number}" in chinese
    assert len(labels("babcock.mj")) >= 100


@pytest.mark.parametrize("path", [SAMPLES / "harr.mj", SAMPLES / "babcock.mj"], ids=lambda path: path.name)
def test_any_changed_figure_is_found(path):
    """Every expected figure of the file, one after the other, made wrong by 2."""
    lines = path.read_text(encoding="utf-8").split("\n")
    context = ""
    for place, line in enumerate(lines):
        if re.match(r"(rulebook|set) ", line):
            context = line if line.startswith("rulebook") else f"{context}\n{line}"
        match = re.search(r"= (\d+)$", line)
        if match and not line.startswith(("#", " ", "set")):
            changed = f"{line[: match.start(1)]}{int(match.group(1)) + 2}"
            (one,) = check_text(f"{context}\n{changed}\n")
            assert not one.ok, (place, changed)
        match = re.match(r"  pays \w ([+-]\d+)", line)
        if match:
            head = max(index for index in range(place) if not lines[index].startswith(" "))
            block = "\n".join(lines[head:place])
            changed = line.replace(match.group(1), f"{int(match.group(1)) + 2:+d}", 1)
            (one,) = check_text(f"{context}\n{block}\n{changed}\n")
            assert not one.ok, (place, changed)


def test_harrs_claims():
    import mjscore

    lowest = mjscore.score("(123b) (456c) 22d 789b 11c <2d")
    assert lowest.score == 22
    dealt = {"E": "RRR GGG WWWd EEE S +S!original", "S": 0, "W": 0, "N": 0}
    assert mjscore.settle(dealt).net["E"] == 380_928
    assert mjscore.settle(dealt, rulebook="babcock", options={"limit": "none"}).net["E"] == 380_928
    assert mjscore.settle(dealt, rulebook="babcock").net["E"] == 1800
    twenty = {"E": "[RRRR] [GGGG] [WWWWd] [EEEE] S +S!loose", "S": 0, "W": 0, "N": 0}
    assert mjscore.settle(twenty).net["E"] == 132_096
