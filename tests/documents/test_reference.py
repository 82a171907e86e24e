"""The reference of the library: every public name has an example that runs, and the page is made from them."""

from __future__ import annotations

import doctest
import inspect
from pathlib import Path

import pytest
import reference

import mjscore


@pytest.mark.parametrize("name", mjscore.__all__)
def test_every_public_name_has_an_example_that_runs(name, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])
    thing = getattr(mjscore, name)
    assert reference.examples(thing), f"{name} has no example"
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(thing, name, globs={"mjscore": mjscore}):
        runner.run(test)
    assert runner.summarize().failed == 0


@pytest.mark.parametrize(
    "name", [name for name in mjscore.__all__ if inspect.isclass(getattr(mjscore, name))]
)
def test_every_method_says_what_it_does(name):
    for member, value in reference.members(getattr(mjscore, name)).items():
        assert inspect.getdoc(value), f"{name}.{member} has no docstring"


def test_the_page_is_current():
    assert reference.PAGE.read_text(encoding="utf-8") == reference.page(), "run .ci/pages"


def test_names_are_found_where_they_are_said_to_be():
    assert list(mjscore._HOMES) == mjscore.__all__
    assert all(getattr(mjscore, name).__name__ == name for name in mjscore.__all__)
