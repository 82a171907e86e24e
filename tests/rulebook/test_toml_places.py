"""Where something stands in a TOML file, and refusals there."""

from __future__ import annotations

import pytest
from tables import table

from mjscore.refusal import Refused
from mjscore.rulebook.toml_places import Place, read_document

TEXT = """id = "x"  # the head
[options]
limit = 3

[[double]]
id = "a"
  when = "won and pongs"

[[double]] # the second
id = 'b'
when = 'wonn'

[change."no-runs"]
points = 3"""
DOCUMENT = read_document(TEXT, "x.toml")


@table
def test_keys_and_headers_are_found(section, number, key, line, column):
    assert Place(DOCUMENT, section, number).find(key)[:2] == (line, column)


def test_a_column_counts_in_the_text_of_the_key():
    for number, line, column in ((0, 7, 19), (1, 11, 17)):
        refusal = Place(DOCUMENT, "double", number).refused("when", "x", "m", "h", column=9, length=5).refusal
        assert (refusal.file, refusal.line, refusal.column, refusal.length) == ("x.toml", line, column, 5)
        assert refusal.text == TEXT.splitlines()[line - 1]
    refusal = Place(DOCUMENT, "double", 0).refused("when", "x", "m", "h").refusal
    assert (refusal.column, refusal.length) == (3, 4)


@pytest.mark.parametrize(("text", "line"), [("a = 1\nb =\n", 2), ("x", 1), ("[" * 5000, 1)])
def test_what_is_no_toml_is_refused_with_its_place(text, line):
    with pytest.raises(Refused) as caught:
        read_document(text, "x.toml")
    assert (caught.value.refusal.code, caught.value.refusal.line) == ("bad-toml", line)
