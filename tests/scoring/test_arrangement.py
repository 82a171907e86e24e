"""Divisions and waits against brute force, and counts that are known otherwise."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from operator import mul

import pytest
from amounts import WHOLE, in_turn, part_of
from hands import make_hand, pack
from independent import divide, regroup
from strategies import random_loser, random_winner

import mjscore
from mjscore.game.tiles import KINDS, TILES, WEIGHT, fifth_tile, fours_in, kinds_with, tiles_in
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS
from mjscore.scoring.arrangement import divisions, regroupings, standard_waits
from mjscore.scoring.scorer import score_hand

ONE_SUIT_SETS = [*((kind,) * 3 for kind in range(9)), *((low, low + 1, low + 2) for low in range(7))]


@cache
def suit_counts(total: int, kinds: int = 9) -> list[tuple[int, ...]]:
    """All ways to take *total* tiles of one suit, four of a kind at the most."""
    if kinds == 0:
        return [()] if total == 0 else []
    return [
        (many, *rest) for many in range(min(4, total) + 1) for rest in suit_counts(total - many, kinds - 1)
    ]


def winning_counts() -> Counter[tuple[int, ...]]:
    """The one-suit hands of 14 that win, put together from four sets and a pair instead of taken apart.

    Each with how many choices of sets and pair give it, which is the number of its divisions.
    """
    found: Counter[tuple[int, ...]] = Counter()
    for sets in combinations_with_replacement(ONE_SUIT_SETS, 4):
        counts = Counter(tile for one in sets for tile in one)
        for pair in range(9):
            counts[pair] += 2
            if max(counts.values()) <= 4:
                found[tuple(counts[kind] for kind in range(9))] += 1
            counts[pair] -= 2
    return found


@pytest.fixture(scope="module")
def winning() -> Counter[tuple[int, ...]]:
    return winning_counts()


@pytest.mark.parametrize("first", [0, 9, 18])
def test_all_one_suit_hands_of_fourteen(winning, first):
    every = suit_counts(14)
    assert len(every) == 118_800
    found = {}
    # the hands that win, in two suits some of them, and some of those that do not; all in one suit where all is tried
    tried = {*(winning if first == 0 else in_turn([*winning], first))}
    tried.update(every if WHOLE and first == 0 else every[first % 4 :: 9])
    for counts in tried:
        ways = divisions(sum(map(mul, counts, WEIGHT[first:])))
        assert len(set(ways)) == len(ways)
        if ways:
            found[counts] = len(ways)
    assert found == {counts: ways for counts, ways in winning.items() if counts in tried}
    assert len(winning) == 13_259


def test_all_honor_hands():
    # honors make no runs: four of the seven kinds in threes, and one of the other three as the pair
    wins = 0
    for counts in suit_counts(14, 7):
        ways = divisions(pack(27 + kind for kind in range(7) for _ in range(counts[kind])))
        slow = sorted(counts) == [0, 0, 2, 3, 3, 3, 3]
        assert len(ways) == slow
        wins += slow
    assert wins == 35 * 3


def as_masks(division: list[tuple[str, int]]) -> tuple[int, tuple[int, ...], int]:
    """A division of the slow way in the form of the fast one."""
    pungs = sum(1 << tile for kind, tile in division if kind == "three")
    chows = tuple(sorted(tile for kind, tile in division if kind == "run"))
    return pungs, chows, next(tile for kind, tile in division if kind == "pair")


def test_divisions_are_those_of_the_slow_way():
    chance = random.Random(18)
    several = none = 0
    for number in range(part_of(3000)):
        hand = random_winner(chance)
        tiles = sorted([*map(int, hand.concealed), int(hand.win.tile)])
        if number % 3 == 0:
            tiles[chance.randrange(len(tiles))] = chance.randrange(KINDS)
            tiles.sort()
        if fifth_tile(pack(tiles)) is not None:
            continue
        slow = {as_masks(division) for division in divide(tiles)}
        fast = [
            (way.pungs_mask, tuple(sorted(chow.tile for chow in way.chows)), way.pair[0].tile)
            for way in divisions(pack(tiles))
        ]
        assert all(
            way.pungs_mask == sum(1 << pung.tile for pung in way.pungs) for way in divisions(pack(tiles))
        )
        assert sorted(fast) == sorted(slow)
        several += len(fast) > 1
        none += not fast
    assert several > part_of(30)
    assert none > part_of(100)


def slow_waits(held: list[int]) -> set[int]:
    """The tiles that complete *held*, all 34 tried, a fifth among them too."""
    return {kind for kind in range(KINDS) if next(divide(sorted([*held, kind])), None) is not None}


def test_waits_are_those_of_the_slow_way():
    chance = random.Random(21)
    several = none = 0
    for _ in range(part_of(1000)):
        held = sorted(map(int, random_winner(chance).concealed))
        if chance.random() < 0.3:
            held[chance.randrange(len(held))] = chance.randrange(KINDS)
        if max(Counter(held).values()) > 4:
            continue
        slow = slow_waits(held)
        assert set(map(int, tiles_in(standard_waits(pack(held))))) == slow
        several += len(slow) > 1
        none += not slow
    assert several > part_of(100)
    assert none > part_of(50)


def test_waits_of_one_suit_are_those_of_the_slow_way():
    chance = random.Random(93)
    for counts in chance.sample(suit_counts(13), part_of(1500)):
        held = [9 + kind for kind in range(9) for _ in range(counts[kind])]
        assert set(map(int, tiles_in(standard_waits(pack(held))))) == slow_waits(held)


def test_fours_in():
    chance = random.Random(5)
    assert tiles_in(fours_in(pack([0] * 4 + [33] * 4 + [5] * 3))) == (TILES[0], TILES[33])
    for _ in range(300):
        counts = [chance.randrange(5) for _ in range(KINDS)]
        packed = pack(kind for kind in range(KINDS) for _ in range(counts[kind]))
        assert [int(tile) for tile in tiles_in(fours_in(packed))] == [
            kind for kind in range(KINDS) if counts[kind] == 4
        ]


def test_a_fifth_tile_is_seen_wherever_it_is():
    everything = pack([kind for kind in range(KINDS) for _ in range(4)])
    assert fifth_tile(everything) is None
    for kind in range(KINDS):
        assert fifth_tile(everything + pack([kind])) == kind


def test_a_kind_held_four_times_is_no_wait_and_another_place_nevertheless():
    # 45 waits for 3 and 6, but all four threes lie on the table (D6)
    assert [str(one.tile) for one in mjscore.waits("[3333b] 45b 111c 222c 99d").waits] == ["6b"]
    sheet = mjscore.score("[3333b] 45b 111c 222c 99d <6b")
    assert "only-place" not in {item.rule for item in sheet.items}
    # undeclared, a fifth five would make the pair of 555 and 5
    sheet = mjscore.score("5555b 67b (111c) (222c) 99d <8b")
    assert "only-place" not in {item.rule for item in sheet.items}
    sheet = mjscore.score("(333b) 45b 111c 222c 99d <6b")
    assert "only-place" not in {item.rule for item in sheet.items}
    # 12 waits for the 3 alone, so it waits for nothing
    waits = mjscore.waits("[3333b] 12b 111c 222c 99d")
    assert waits.error is None
    assert waits.waits == ()


def test_nine_gates_wait_for_nine_tiles():
    waits = mjscore.waits("1112345678999c").waits
    assert [str(one.tile) for one in waits] == [f"{value}c" for value in range(1, 10)]
    assert {str(one.tile): (one.drawn, one.claimed) for one in waits}["2c"] == (304, 288)


def test_example_nine_waits_for_the_six():
    assert [str(one.tile) for one in mjscore.waits("(123c) (789c) 678c 45c 11c").waits] == ["3c", "6c", "9c"]


def test_regroupings_take_every_set():
    ways = regroupings(pack([0, 0, 0, 0, 5, 5, 9]))
    assert sorted(ways) == [(0, 0, 1 | 1 << 5), (0, 1, 1 << 5)]
    assert len(regroupings(pack([0, 0, 0, 5, 5]), every=True)) == 6
    # where four alike count as a four, though not declared
    assert sorted(regroupings(pack([0, 0, 0, 0]), fours=True)) == [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
    assert regroupings(pack([0, 0, 0]), fours=True) == regroupings(pack([0, 0, 0]))


def test_regroupings_are_those_of_the_slow_way():
    chance = random.Random(30)
    for _ in range(300):
        held = sorted(map(int, random_loser(chance).concealed))
        slow = {
            (
                0,
                sum(1 << one.tile for one in sets if one.kind == "three"),
                sum(1 << one.tile for one in sets if one.kind == "pair"),
            )
            for sets in regroup(held)
        }
        every = regroupings(pack(held), every=True)
        assert sorted(every) == sorted(slow)
        # those that leave nothing alone which could be a set
        many = {kind for kind, count in Counter(held).items() if count >= 2}
        full = [way for way in slow if (way[1] | way[2]).bit_count() == len(many)]
        assert sorted(regroupings(pack(held))) == sorted(full)


def test_a_pair_in_each_suit_and_among_the_honors_is_no_winning_hand():
    """Fourteen tiles and each group whole by itself, but four pairs where one belongs."""
    for win in ("SSS N +N", "SS NN +S"):
        error = mjscore.score(f"E: 11b 22c 33d EEE {win}").error
        assert error.code == "not-a-winning-hand"
    assert mjscore.waits("11b 22c 33d EEE SSS N").waits == ()


def house_rules(chance: random.Random, extends: str) -> str:
    """A house rulebook of entries at random, some of which make a pair more than a three."""
    lines = [f'id = "house"\ntitle = "House"\nextends = "{extends}"\n']
    counts = ("pungs(any) >= 2", "pungs(dragon) == 1", "concealed_pungs(head) >= 1", "pairs(wind) == 1", "pungs(simple) < 2",
              "pungs(own_wind) == 1 and own_round", "not won and one_suit", "chows == 0")  # fmt: skip
    for number in range(chance.randint(1, 4)):
        section = chance.choice(("set", "double", "bonus", "limit"))
        what = {
            "set": f"points = {chance.randrange(9)}\nwhen = '{chance.choice(('pair', 'pung', 'pung and concealed'))} and of({chance.choice(('dragon', 'simple', 'head', 'any'))})'",
            "double": f"doubles = {chance.randint(1, 3)}\nwhen = '{chance.choice(counts)}'",
            "bonus": f"points = {chance.randrange(20)}\nwhen = '{chance.choice(counts)}'",
            "limit": f"points = {chance.choice((4, 100))}\nwhen = '{chance.choice(counts)}'\ninstead = {chance.choice(('true', 'false'))}",
        }[section]
        lines.append(
            f'[[{section}]]\nid = "house-{number}"\ntitle = "House {number}"\nsource = "ours"\n{what}\n'
        )
        if section == "double" and chance.random() < 0.3:
            lines.append('instead_of = ["house-0"]\n')
    return "\n".join(lines)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_three_is_a_pair_only_where_that_may_be_more(rulebook, tmp_path):
    """By every rulebook, and by house rules at random: the sheet is the one of all regroupings."""
    chance = random.Random(f"threes {rulebook}")
    books = [bind(rulebook)]
    for number in range(part_of(15, 3)):
        path = tmp_path / f"house{number}.toml"
        path.write_text(house_rules(chance, rulebook), encoding="utf-8")
        with contextlib.suppress(Refused):  # two that clash
            books.append(bind(str(path)))
    assert books[0].threes_never_hurt is (rulebook != "dmjl")
    assert len(books) > part_of(6, 3)
    tried = Counter()
    for _ in range(part_of(400, 8)):
        kinds = chance.sample(range(34), chance.randint(4, 9))
        tiles = chance.sample([kind for kind in kinds for _ in range(4)], 13)
        hand = make_hand((), tuple(TILES[kind] for kind in tiles), seat=chance.choice("ESWN"), round="E")
        book = chance.choice(books)
        quick, whole = score_hand(hand, book), score_hand(hand, book, True)
        assert quick.sheet == whole.sheet, (str(hand), book.definition.entries.keys())
        tried[book.threes_never_hurt] += 1
    assert min(tried.values()) > part_of(20, 8)


def test_of_which_tiles_three_are_held():
    for many, held in ((2, []), (3, [4, 33]), (4, [4, 33])):
        assert kinds_with(3, pack([TILES[4]] * many + [TILES[33]] * many)) == held
