"""The notation: parse and format invert each other, everything else is refused, and how."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import random_loser, random_winner

import mjscore
from mjscore.tiles import TILE_GLYPHS, TILES, format_tiles

GOLDEN = Path(__file__).with_name("refusals.txt")
hands = st.integers(0, 10**9).map(
    lambda seed: (random_winner if seed % 4 else random_loser)(random.Random(seed))
)


@given(hands)
def test_parse_and_format_invert_each_other(hand):
    text = str(hand)
    assert mjscore.parse(text) == hand
    assert str(mjscore.parse(text)) == text


@given(hands, st.randoms(use_true_random=False))
def test_the_order_of_concealed_tiles_and_the_spaces_change_nothing(hand, chance):
    tiles = [*hand.concealed, *hand.bonus]
    chance.shuffle(tiles)
    words = [str(tile) for tile in tiles]
    words += [one.notation() for one in hand.sets]
    head = f"{hand.seat}@{hand.round}:"
    tail = "..." if hand.unlisted else ""
    tail += str(hand._replace(sets=(), concealed=(), bonus=(), unlisted=False)).partition(":")[2]
    gap = chance.choice(["", " ", "   ", "\t"])
    again = mjscore.parse(head + gap + gap.join(words) + gap + tail)
    assert (again.concealed, again.bonus, again.held, again.laid) == (
        hand.concealed,
        hand.bonus,
        hand.held,
        hand.laid,
    )
    assert sorted(again.sets) == sorted(hand.sets)
    assert mjscore.score(again, "babcock").score == mjscore.score(hand, "babcock").score


@given(hands)
def test_unicode_tiles_stand_for_the_others(hand):
    text = " ".join(TILE_GLYPHS[tile] for tile in (*hand.concealed, *hand.bonus))
    if text and not hand.sets and not hand.unlisted and hand.win is not None:
        again = mjscore.parse(f"{hand.seat}: {text} +{TILE_GLYPHS[hand.win.tile]}")
        assert again.concealed == hand.concealed
        assert again.win.tile == hand.win.tile


def test_every_unicode_tile():
    assert len(TILE_GLYPHS) == 42
    for tile, glyph in zip(TILES, TILE_GLYPHS, strict=True):
        assert glyph == chr(ord(glyph))
        assert 0x1F000 <= ord(glyph) <= 0x1F029
        assert mjscore.parse(f"{glyph} ...") == mjscore.parse(f"{tile} ...")


@settings(max_examples=400)
@given(st.one_of(st.text(), st.text('EWSNRGbcdwfs123456789()[]+<!:@ .="#loase', max_size=60)))
@example("(" + "EEw " * 400)
@example("1" * 5000)
@example("\x00\ud800")
@example("(((((((((((((((((((")
def test_any_text_gives_a_result_or_a_refusal(text):
    sheet = mjscore.score(text)
    if sheet.error is None:
        assert sheet.score is not None
    else:
        assert sheet.score is None
        assert sheet.error.code
        assert sheet.error.message
        assert sheet.error.line == 1
        assert sheet.error.column >= 1
        assert sheet.error.render()


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("EEE RR 123b456c ...", "123b 456c EEEw RRd"),
        ("EEERR123b456c...", "123b 456c EEEw RRd"),
        ("ESWNw RGWd ...", "ESWNw RGWd"),
        ("WWd Ww ...", "Ww WWd"),
        ("EWd WEw ...", "EEWw Wd"),
        ("13f 2s 1b ...", "1b"),
    ],
)
def test_what_class_letters_reach(text, tiles):
    assert format_tiles(mjscore.parse(text).concealed) == tiles


def test_sets_on_the_table():
    hand = mjscore.parse("(132b) (111+1d) (1111c) [RRRR] 5b")
    assert mjscore.parse("(WWW+Wd) (EEE+E) ...").sets[0].tile.title == "white dragon"
    assert [(one.kind, one.origin, one.exposed) for one in hand.sets] == [
        ("chow", "claimed", True),
        ("kong", "grown", True),
        ("kong", "fourth", True),
        ("kong", "declared", False),
    ]


@pytest.mark.parametrize(
    "text", ["123b 456b 789b 11c 2x3c +1c", "123b 456b 789b 11c 23 +1c", "123b 456b 789b 11c 2?3c <1c"]
)
def test_digits_and_unknown_letters_are_never_dropped(text):
    """A fault of other scorers."""
    assert mjscore.score(text).error is not None


def test_a_fifth_tile_never_becomes_another():
    """A fault of other scorers."""
    error = mjscore.score("11111b 456b 789b 11c +1c").error
    assert error is not None
    assert error.code == "fifth-tile"


# ------------------------------------------------------------------ all refusals


def golden() -> list[tuple[str, str, str]]:
    """Code, input and exact text of every refusal of a single hand."""
    found = []
    for part in GOLDEN.read_text(encoding="utf-8").split("\n\n\n"):
        head, _, text = part.strip("\n").partition("\n")
        code, _, shown = head.partition("  ")
        found.append((code, shown[2:], text))
    return found


@pytest.mark.parametrize(("code", "text", "rendered"), golden())
def test_refusals_to_the_letter(code, text, rendered):
    error = mjscore.score(text, **OPTIONS.get(code, {})).error
    assert error is not None
    assert error.code == code
    assert error.render() == rendered
    assert error.hint


OPTIONS = {
    "too-few-doubles": {"rulebook": "babcock", "options": {"players": 2}},
    "no-west": {"rulebook": "babcock", "options": {"players": 3}},
}
# refusals that a single hand cannot provoke stand with the tests of files, tables and rulebooks
ELSEWHERE = {
    "bad-line", "unknown-line", "row-without-seat", "only-tiles", "bad-round", "no-thirteen-tiles", "unfinished-line",
    "bad-expected", "stray-quote",
}  # fmt: skip


def test_every_code_has_its_sample():
    here = Path(__file__).parent.parent / "mjscore"
    source = "".join(
        (here / name).read_text(encoding="utf-8") for name in ("notation.py", "diagnosis.py", "sheet.py")
    )
    codes = set(
        re.findall(
            r'(?:_row|_at|_refused|Refusal|refused_at)\(\s*(?:fifth,\s*|twice,\s*)?"([a-z-]+)"', source
        )
    )
    codes |= {
        "not-a-set",
        "not-a-declared-four",
        "not-a-grown-four",
        "bonus-in-set",
        "empty-set",
        "too-many-tiles",
    }
    assert len(codes) >= 45
    assert codes - ELSEWHERE - {code for code, _, _ in golden()} == set()
    assert len({text for _, text, _ in golden()}) >= 50
