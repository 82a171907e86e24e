"""Where in a text something stands that a later stage refused: the grammar's own tokens, never a search."""

from __future__ import annotations

import ast

import pytest
from lark.exceptions import UnexpectedInput
from sources import sources
from tables import table

from mjscore.game.hand import Flag, Seat, Win
from mjscore.game.tiles import Tile
from mjscore.notation.reading import at_its_place
from mjscore.record.lines import line_reader
from mjscore.refusal import Refusal

LINE = (
    '"+5d (111d)!last 1d" S@E: (111+1d) [2222c] 12b3b 1b 45b ... <1b:"W +1" !robbed!last!earlier:N = 12 # 1b'
)


THINGS = {
    "tile": Tile.parse,
    "clause": lambda name: Win(Tile.parse("9c"), True),
    "flag": Flag,
    "seat": Seat,
}


def located(text: str, about: object = None) -> Refusal:
    """A refusal with its place in a line of a file."""
    try:
        _, parts = line_reader().remembered(text, "line") or line_reader().by_lark(text, "line")
    except UnexpectedInput:
        parts = ()
    return at_its_place(Refusal("code", "message", "hint", about=about), text, parts)


@table
def test_what_a_refusal_is_about_is_marked(about, marked):
    refusal = located(LINE, about and THINGS[about[0]](about[1]))
    assert LINE[refusal.column - 1 :][: refusal.length] == marked
    assert (refusal.line, refusal.text) == (1, LINE)


def test_the_last_copy_of_a_tile_is_marked():
    refusal = located("S: 1111b 2b1b3b +5c", Tile.parse("1b"))
    assert (refusal.column, refusal.length) == (12, 2)
    refusal = located("S: 1111b 2b <1b:N!last", Tile.parse("1b"))
    assert (refusal.column, refusal.length) == (14, 2)


@table
def test_a_whole_hand_is_marked_without_what_stands_around_it(text, marked):
    refusal = located(text)
    assert text[refusal.column - 1 :][: refusal.length] == marked


def test_a_place_that_is_known_stays():
    known = Refusal("code", "", "", 3, 7, 2, "another line")
    assert at_its_place(known, LINE, ()) == known
    of_a_file = Refusal("code", "", file="house.toml")
    assert at_its_place(of_a_file, LINE, ()) == of_a_file


@pytest.mark.parametrize("piece", ["(123b)", "11b ", "...", "(123b) 4b "])
def test_a_line_of_any_length_has_its_places(piece):
    text = piece * 3000
    refusal = located(text)
    assert (refusal.column, refusal.length) == (1, len(text.rstrip()))


def test_no_place_is_looked_up_in_what_a_refusal_says():
    """A place is known, never looked for: nothing searches for, or in, a message, a help, or what they are about."""
    finders = {"find", "rfind", "index", "rindex", "search", "match", "fullmatch", "finditer"}
    finders |= {"split", "partition"}
    for source in sources().values():
        if source.place.split("/")[0] not in ("notation", "play", "cli"):
            continue
        for call in source.nodes:
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
                continue
            if call.func.attr in finders:
                told = {node.attr for node in ast.walk(call) if isinstance(node, ast.Attribute)}
                assert told.isdisjoint({"message", "hint", "about"}), f"{source.place}:{call.lineno}"
