"""The faults that mutation testing puts in: each is one, is named once, and can be read by Python."""

from __future__ import annotations

import importlib.util
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from tables import table

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture(scope="module")
def mutants():
    """The module beside this file, which is no part of a package."""
    spec = importlib.util.spec_from_file_location("mutants", HERE / "mutants.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutants"] = module
    spec.loader.exec_module(module)
    return module


@table
def test_faults_of_a_line(mutants, line, changed):
    found = list(mutants.python_mutants("x.py", f"def f(a, b, c):\n    {line}\n"))
    assert [one.text for one in found] == [f"def f(a, b, c):\n    {one}\n" for one in changed]
    assert all(list(one.lines) == [2] and one.inside for one in found)


@table
def test_faults_of_a_rulebook(mutants, line, changed):
    found = list(mutants.rulebook_mutants("x.toml", f'id = "entry"\n{line}'))
    assert [one.text for one in found] == [f'id = "entry"\n{one}' for one in changed]
    assert {one.entry for one in found} <= {"entry"}


@pytest.mark.parametrize(
    "path",
    ["mjscore/settling/liability.py", "mjscore/play/history.py", "mjscore/rulebook/books/harr-limit.toml"],
)
def test_every_fault_of_a_file_has_its_name_and_can_be_read(mutants, path):
    text = (ROOT / path).read_text(encoding="utf-8")
    found = mutants.mutants_of(path, text)
    assert len({str(one) for one in found}) == len(found) > 50
    for one in found:
        assert one.text != text
        if path.endswith(".py"):
            compile(one.text, path, "exec")
        else:
            tomllib.loads(one.text)


def test_as_many_as_cannot_be_noticed_are_there_still(mutants):
    lines = (HERE / "equivalent.txt").read_text(encoding="utf-8").splitlines()
    places = [line.rpartition(" | ") for line in lines if line and not line.startswith("#")]
    paths = {place.partition(" | ")[0] for place, _, _ in places}
    there = Counter(
        mutants.place_of(str(one))
        for path in paths
        if (ROOT / path).exists()
        for one in mutants.mutants_of(path, (ROOT / path).read_text(encoding="utf-8"))
    )
    named = Counter()
    for place, _, number in places:
        named[place] += int(number)
    assert {place: number for place, number in named.items() if number > there[place]} == {}
