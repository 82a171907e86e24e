"""Which sets a hand has: patterns of letters against looking at every choice of suits and values one by one."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from amounts import part_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mjscore.game.hand import TileSet
from mjscore.game.tiles import TILES
from mjscore.rulebook.set_patterns import has_sets, lacking_sets

WORDS = ("klmx", "klmy", "klmz", "lmnx", "nopx", "nopy", "kkkx", "lllx", "mmmy", "kkky", "kkkkx", "kkx", "llz", "123x", "777x", "EEEw", "RRd")  # fmt: skip
patterns = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join), min_size=1, max_size=2
)
# few tiles, so that many patterns hold
runs = st.builds(
    lambda suit, value: TileSet("chow", TILES[9 * suit + value], False), st.integers(0, 2), st.integers(0, 4)
)
alike = st.builds(
    lambda kind, tile: TileSet(kind, TILES[tile], False),
    st.sampled_from(("pung", "kong", "pair")),
    st.sampled_from((0, 1, 2, 9, 10, 11, 18, 19, 20, 6, 15, 24, 27, 31)),
)
hands = st.lists(st.one_of(runs, alike), max_size=5).map(tuple)


def wanted(word: str, suits: dict[str, str], first: int) -> tuple[str, str]:
    """The kind and the lowest tile of the set that a word stands for; nothing where there is no such value."""
    values = [
        value if value in "123456789ESWNRGW" else str(first + "klmnopqrs".index(value)) for value in word[:-1]
    ]
    kind = {2: "pair", 3: "pung", 4: "kong"}[len(values)] if len({*values}) == 1 else "chow"
    too_high = any(value.isdigit() and int(value) > 9 for value in values)
    return ("", "") if too_high else (kind, values[0] + suits.get(word[-1], word[-1]))


def found_one_by_one(sets: tuple[TileSet, ...], texts: list[str]) -> bool:
    """Whether each pattern is found among the sets that those before it left."""
    if not texts:
        return True
    words = texts[0].split()
    known = {(kind, str(one.tile)) for one in sets for kind in (one.kind, one.kind.replace("kong", "pung"))}
    lowest = [*("klmnopqrs".index(value) for word in words for value in word[:-1] if value in "klmnopqrs"), 9]
    for letters, first in product(permutations("bcd"), range(1 - min(lowest), 10)):
        asked = [wanted(word, dict(zip("xyz", letters, strict=True)), first) for word in words]
        if not {*asked} <= known:
            continue
        for chosen in permutations(range(len(sets)), len(words)):
            if all(
                str(sets[place].tile) == tile
                and (sets[place].kind == kind or (sets[place].kind, kind) == ("kong", "pung"))
                for place, (kind, tile) in zip(chosen, asked, strict=True)
            ):
                left = tuple(one for place, one in enumerate(sets) if place not in chosen)
                if found_one_by_one(left, texts[1:]):
                    return True
    return False


def possible(sets: tuple[TileSet, ...]) -> bool:
    tiles = [tile for one in sets for tile in one.tiles]
    return all(tiles.count(tile) <= 4 for tile in tiles)


@settings(max_examples=part_of(100, 8))
@given(hands.filter(possible), patterns)
@example((TileSet("chow", TILES[0], False),) * 2, ["klmx", "klmx"])
@example((TileSet("chow", TILES[0], False), TileSet("chow", TILES[3], False)), ["klmx nopx"])
@example((TileSet("kong", TILES[0], False), TileSet("pair", TILES[9], False)), ["kkkx kky"])
def test_patterns_hold_where_looking_one_by_one_finds_them(sets, texts):
    if any(len({*text.split()}) < len(text.split()) and "kk" in text for text in texts):
        return  # the same three twice: more tiles than there are
    try:
        holds = has_sets(sets, tuple(texts))
    except ValueError:
        assert not found_one_by_one(sets, texts)  # there are no such sets
        return
    assert holds is found_one_by_one(sets, texts)
    assert (lacking_sets(sets, tuple(texts)) == []) is holds


@pytest.mark.parametrize(
    ("pattern", "groups"),
    [
        ("klmx klmy klmz", 7),
        ("123x 456x 789x", 3),
        ("kkkx lllx mmmx", 21),
        ("lmnx", 21),
        ("EEEw", 1),
        ("kkkx kkky kkz", 27),
    ],
)
def test_how_many_groups_of_sets_a_pattern_stands_for(pattern, groups):
    from mjscore.rulebook.set_patterns import groups_of

    assert len(groups_of((pattern,))) == groups
