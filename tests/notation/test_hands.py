"""The notation: parse and format invert each other, everything else is refused, and how."""

from __future__ import annotations

import random
import re
from itertools import product
from pathlib import Path

import pytest
from amounts import part_of
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import random_dead_hand, random_loser, random_winner
from tables import each, table

import mjscore
from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER
from mjscore.game.tiles import TILE_GLYPHS, TILES, format_tiles
from mjscore.notation.hand_builder import MOST_TILES
from mjscore.record.lines import parse_line, parse_row
from mjscore.refusal import Refusal, Refused

GOLDEN = Path(__file__).with_name("refusals.txt")
MAKERS = (random_winner, random_winner, random_loser, random_dead_hand)
hands = st.integers(0, 10**9).map(lambda seed: MAKERS[seed % 4](random.Random(seed)))


@given(hands)
def test_parse_and_format_invert_each_other(hand):
    text = str(hand)
    assert mjscore.parse(text) == hand
    assert str(mjscore.parse(text)) == text


@pytest.mark.parametrize("flag", [*FLAG_CLAUSES, *FLAGS_OF_A_LOSER])
@pytest.mark.parametrize("sign", ["+", "<"])
def test_every_flag_is_written_as_it_is_read(flag, sign):
    if flag in FLAGS_OF_A_LOSER:
        text = f"S@E: 123b 456b 789b 11c 23c !{flag}"
    else:
        named = ":N" if flag in ("earlier", "allfrom") else ""
        text = f"S@E: 123b 456b 789b 11c 23c {sign}1c!{flag}{named}"
        if sign not in FLAG_CLAUSES[flag]:
            assert refused_by(mjscore.parse, text).code == "flag-clause"
            return
    hand = mjscore.parse(text)
    assert str(hand) == text.replace("11c 23c", "123c 1c")
    assert mjscore.parse(str(hand)) == hand


def test_a_loose_tile_for_a_loose_tile_is_a_loose_tile_too():
    hand = mjscore.parse("E: (1111b) [2222c] 123d 45d RR +6d!twofold")
    assert hand.win.flags == {"twofold", "loose"}
    assert str(hand).endswith("+6d!twofold")
    assert mjscore.parse(str(hand).replace("!twofold", "!loose!twofold")) == mjscore.parse(str(hand)) == hand


@table
def test_flags_that_cannot_stand_together(flags, code, marked):
    text = f"S: 123b 456b 789b 11c 23c {flags}"
    error = mjscore.score(text).error
    if code is None:
        assert error is None
    else:
        assert (error.code, error.column, error.length) == (code, text.index(marked) + 1, len(marked))


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
    assert (again.concealed, again.bonus, again.packed_concealed, again.packed_laid) == (
        hand.concealed,
        hand.bonus,
        hand.packed_concealed,
        hand.packed_laid,
    )
    assert sorted(again.sets) == sorted(hand.sets)
    assert again.win == hand.win
    for rulebook in ("harr", "harr-limit", "babcock", "babcock-chinese"):
        first, second = mjscore.score(hand, rulebook), mjscore.score(again, rulebook)
        assert (first.score, first.points, first.doubles) == (second.score, second.points, second.doubles)


@given(hands)
def test_unicode_tiles_stand_for_the_others(hand):
    def glyphs(tiles):
        return "".join(TILE_GLYPHS[tile] for tile in tiles)

    text = f"{hand.seat}@{hand.round}:"
    for one in hand.sets:
        inside = glyphs(one.tiles)
        if one.origin == "grown":
            inside = f"{inside[:3]}+{inside[3]}"
        text += f"[{inside}]" if one.origin == "declared" else f"({inside})"
    text += glyphs(hand.concealed) + " ".join(glyphs((tile,)) for tile in hand.bonus)
    text += "…" if hand.unlisted else ""
    if hand.win is not None:
        tail = str(hand).rsplit("+" if hand.win.drawn else "<", 1)[1]
        text += ("+" if hand.win.drawn else "<") + glyphs((hand.win.tile,)) + tail[len(str(hand.win.tile)) :]
    text += "!dead" if hand.dead else ""
    assert mjscore.parse(text) == hand


CHART_CORNERS = [
    *[
        ("🀀", "Ew"),
        ("🀃", "Nw"),
        ("🀄", "Rd"),
        ("🀆", "Wd"),
        ("🀇", "1c"),
        ("🀏", "9c"),
        ("🀐", "1b"),
        ("🀘", "9b"),
    ],
    *[("🀙", "1d"), ("🀡", "9d"), ("🀢", "1f"), ("🀥", "4f"), ("🀦", "1s"), ("🀩", "4s")],
]


def test_every_unicode_tile():
    assert len(set(TILE_GLYPHS)) == 42
    for tile, glyph in zip(TILES, TILE_GLYPHS, strict=True):
        assert 0x1F000 <= ord(glyph) <= 0x1F029
        assert mjscore.parse(f"{glyph} ...") == mjscore.parse(f"{tile} ...")
        # as some keyboards type them: with a sign that asks for text or for a picture
        assert mjscore.parse(f"{glyph}\ufe0e{'' if tile >= 34 else glyph}\ufe0f ...").tile_count == 2 * (
            tile < 34
        )
    # the first and last of each row of the Unicode chart
    for glyph, tile in CHART_CORNERS:
        assert mjscore.parse(f"{glyph} ...") == mjscore.parse(f"{tile} ...")


@table
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


ALPHABET = 'EWSNRGbcdwfs123456789()[]+<!:@ .="#loase…🀀🀇🀢'


def checked(text: str) -> mjscore.ScoreSheet:
    """The sheet of any text whatever: a score, or a refusal that can be shown."""
    sheet = mjscore.score(text)
    if sheet.error is None:
        assert sheet.score is not None
        return sheet
    error = sheet.error
    assert (sheet.score, sheet.points, sheet.doubles) == (None, None, None)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", error.code)
    assert error.message
    assert error.hint
    assert error.line == 1
    assert 1 <= error.column <= max(1, len(text))
    assert "\n" not in error.message + error.hint
    assert len(error.render().splitlines()) in (2, 4)
    return sheet


@settings(max_examples=part_of(500))
@given(st.one_of(st.text(), st.text(ALPHABET, max_size=60)))
@example("(" + "EEw " * 400)
@example("1" * 5000)
@example("\x00\ud800")
@example("(((((((((((((((((((")
@example("1b\n2b\r3b ...")
@example("S@E: 123456789b 1123c +1c\x85")
def test_any_text_gives_a_result_or_a_refusal(text):
    checked(text)


@settings(max_examples=part_of(500))
@given(hands, st.data())
def test_a_hand_with_a_slip_of_the_finger_gives_a_result_or_a_refusal(hand, data):
    text = str(hand)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        kept = data.draw(st.integers(place, min(len(text), place + 2)))
        text = text[:place] + data.draw(st.text(ALPHABET, max_size=2)) + text[kept:]
    sheet = checked(text)
    if sheet.error is None:
        nothing_is_dropped(text, sheet.hand)


def nothing_is_dropped(text: str, hand: mjscore.Hand) -> None:
    """Every value typed is a tile of the hand, with a class letter that was typed or has one reading only."""
    body = re.sub(r"^\s*[ESWN](@[ESWN])?\s*:", "", text.partition("#")[0])
    body = re.sub(r"![a-z]+(\s*:\s*[^\s!]+)?|(?<=[a-zESWNRG🀀-🀩])\s*:\s*[^\s!]+", "", body)
    typed = len(re.findall(r"[1-9ESWNRG🀀-🀩]", body))
    assert typed == hand.tile_count + len(hand.bonus) + (hand.win is not None), (text, str(hand))


@given(hands)
def test_nothing_typed_is_dropped(hand):
    nothing_is_dropped(str(hand), mjscore.parse(str(hand)))


WINNER = "123b 456b 789b 11c 23c +1c"


@each(("place", "slip"), product(range(len(WINNER) + 1), "x?07qeZ-*\u200b٣１"))
def test_digits_and_unknown_letters_are_never_dropped(place, slip):
    text = WINNER[:place] + slip + WINNER[place:]
    assert mjscore.score(text).error is not None, text


@each("tile", TILES[:34])
def test_a_fifth_tile_never_becomes_another(tile):
    for text in (
        f"{str(tile) * 5} ...",
        f"({str(tile) * 3}) {tile} {tile} ...",
        f"[{str(tile) * 4}] {tile} ...",
    ):
        error = mjscore.score(text).error
        assert error is not None
        assert error.code == "fifth-tile"
        assert tile.title in error.message
    error = mjscore.score(f"{str(tile) * 4} +{tile}").error
    assert error is not None
    assert error.code == "fifth-tile"


@pytest.mark.parametrize("text", ["11223344d +5d", "123b 456b +7b", "1b ...+1b"])
def test_missing_tiles_are_never_added(text):
    assert mjscore.score(text).error is not None


@table
def test_a_hand_is_read_the_same_with_no_spaces_or_many(text):
    hand = mjscore.parse("S@E: (222d) [1111c] 123b 456b 7c +7c!loose")
    assert mjscore.parse(text) == hand
    assert mjscore.score(text).score == mjscore.score(hand).score


def test_too_many_tiles_are_refused_before_they_can_spill_over():
    text = " ".join(f"{value}{suit}" for suit in "bcd" for value in range(1, 10)) + " EESSNNRRGG"
    assert mjscore.score(text).error.code == "too-many-tiles"
    for many in (MOST_TILES, 63, 64, 65, 200):
        error = mjscore.score("1b " * many + "...").error
        assert error.code in ("fifth-tile", "too-many-tiles")


def refused_by(read, text: str) -> Refusal | None:
    try:
        read(text)
    except Refused as refused:
        return refused.refusal
    return None


# how a sample of refusals.txt is read, by what stands before its $
READERS = {
    "": lambda text: mjscore.score(text).error,
    "two players": lambda text: mjscore.score(text, "babcock", options={"players": 2}).error,
    "three players": lambda text: mjscore.score(text, "babcock", options={"players": 3}).error,
    "round Q": lambda text: mjscore.score(text, round="Q").error,
    "waits": lambda text: mjscore.waits(text).error,
    "line": lambda text: refused_by(parse_line, text),
    "row": lambda text: refused_by(parse_row, text),
}


def golden() -> list[tuple[str, str, str, str]]:
    """Code, reader, input and exact text of refusals beside those of the table in mjscore/refusals."""
    found = []
    for part in GOLDEN.read_text(encoding="utf-8").split("\n\n\n"):
        head, _, text = part.strip("\n").partition("\n")
        code, _, rest = head.partition("  ")
        how, _, shown = rest.partition("$ ")
        found.append((code, how, shown, text))
    return found


@each(("code", "how", "text", "rendered"), golden())
def test_refusals_exactly(code, how, text, rendered):
    error = READERS[how](text)
    assert error is not None
    assert error.code == code
    assert error.render() == rendered
    assert error.hint


def test_every_sample_is_another():
    samples = [(how, text) for _, how, text, _ in golden()]
    assert len(set(samples)) == len(samples)


@each(("how", "text"), [(how, text) for _, how, text, _ in golden()])
def test_the_help_names_no_tile_that_there_is_not(how, text):
    hint = READERS[how](text).hint
    for word in re.findall(r"\b([1-9]+[bcdfsw]|[ESWNRG]+[bcdfsw])\b", hint):
        assert refused_by(mjscore.parse, f"{word} ...") is None, hint


@table
def test_the_place_and_the_reason_are_the_right_ones(how, text, code, column):
    error = READERS[how](text)
    assert (error.code, error.column) == (code, column), error.render()


@table
def test_a_hand_is_written_in_its_groups(text, written):
    assert str(mjscore.parse(text)) == written
    assert mjscore.parse(written) == mjscore.parse(text)
