"""Where something stands in a TOML file, and refusals there."""

from __future__ import annotations

import pytest
from refusals import refusal_of
from tables import table

from mjscore.refusal import Refusal, Refused
from mjscore.rulebook.toml_places import read_document

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
def test_keys_and_headers_are_found(path, key, line, column):
    refusal = DOCUMENT.at(*path).moved(key, Refused(Refusal("x", "m"))).refusal
    assert (refusal.line, refusal.column) == (line, column)


OTHERWISE = """id = "x"
drop = ["a", "no-runs",
  "b"]
double = [ { id = "a", title = "A" },
  { id = "b", doubles = "x" } ]
change."no-runs" = { points = "x" }
"change" . only-place.points = 2
options = { limit = "much" }
[[ 'limit' ]]
"when" = '''
[[limit]]
a = 1''' # [[limit]]
[[limit]]
when = "won"
"""


@table
def test_every_way_to_write_a_table_has_its_place(path, key, marked):
    refusal = read_document(OTHERWISE, "x.toml").at(*path).moved(key, Refused(Refusal("x", "m"))).refusal
    start = refusal.column - 1
    assert (refusal.line, refusal.text[start : start + refusal.length]) == marked


def test_a_column_counts_in_the_text_of_the_key():
    for number, line, column in ((0, 7, 19), (1, 11, 17)):
        refusal = (
            DOCUMENT.at("double", number)
            .moved("when", Refused(Refusal("x", "m", column=9, length=5)))
            .refusal
        )
        assert (refusal.file, refusal.line, refusal.column, refusal.length) == ("x.toml", line, column, 5)
        assert refusal.text == TEXT.splitlines()[line - 1]
    refusal = DOCUMENT.at("double", 0).moved("when", Refused(Refusal("x", "m"))).refusal
    assert (refusal.column, refusal.length) == (3, 4)


@pytest.mark.parametrize(("text", "line"), [("a = 1\nb =\n", 2), ("x", 1), ("[" * 5000, 1)])
def test_what_is_no_toml_is_refused_with_its_place(text, line):
    refusal = refusal_of(read_document, text, "x.toml")
    assert (refusal.code, refusal.line) == ("bad-toml", line)
