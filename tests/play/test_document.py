"""Blocks keep their lines: joined again they are the text."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mjscore.play.evening import document_of, line_end, text_of, with_lines
from mjscore.record.source import blocks, lines_of

LINES = [
    "hand",
    "  Ann: 8",
    "\tBen: 4",
    "# a comment",
    "  # a comment",
    "",
    "   ",
    "draw",
    "note x",
    "  east Ann",
]


@given(st.lists(st.sampled_from(LINES)), st.sampled_from(["\n", "\r\n"]))
@example(["# a comment", "  Ann: 8"], "\n")
@example(["hand", "# a comment"], "\r\n")
def test_joined_again_they_are_the_text_and_begin_where_the_reader_says(lines, end):
    text = "".join(line + end for line in lines)
    document = document_of(text)
    assert text_of(document) == text
    numbers = [block.number for block in document if block.head]
    found = [block.head.number for block in blocks(lines_of(text))]
    assert numbers == found


@given(st.text(alphabet="ab \t#\n\r"))
def test_any_text_is_joined_again(text):
    assert text_of(document_of(text)) == text


def test_comments_between_rows_belong_to_the_block_and_others_stand_between():
    document = document_of(
        "# top\nhand\n  Ann: 8\n\n# in it\n  Ben: 4\n  # below\n  \n# between\ndraw\n\n# end\n"
    )
    assert [(block.head, len(block.lines), block.number) for block in document] == [
        (False, 1, 1), (True, 6, 2), (False, 2, 8), (True, 1, 10), (False, 2, 11)
    ]  # fmt: skip
    assert with_lines(document, 3, ["wash\n"]).endswith("# between\nwash\n\n# end\n")
    assert with_lines(document, 1, []) == "# top\n  \n# between\ndraw\n\n# end\n"


@pytest.mark.parametrize(("text", "end"), [("a\r\nb\n", "\r\n"), ("a\nb\r\n", "\n"), ("a", "\n"), ("", "\n")])
def test_lines_end_as_the_first_does(text, end):
    assert line_end(text) == end
