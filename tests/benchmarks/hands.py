"""Distinct random hands of every kind, from a seed: winners and losers, every seat and round, as text."""

from __future__ import annotations

import random
from collections.abc import Iterator

from mjscore.game.tiles import KINDS, TILES, format_tiles


def hands(count: int, seed: int = 1922) -> Iterator[str]:
    """*count* distinct hands in the notation; seven of eight have won."""
    chance = random.Random(seed)
    seen: set[str] = set()
    while len(seen) < count:
        text = _winner(chance) if chance.random() < 0.875 else _loser(chance)
        if text not in seen:
            seen.add(text)
            yield text


def _sets(chance: random.Random, number: int) -> list[list[int]]:
    sets = []
    for _ in range(number):
        if chance.random() < 0.55:
            first = 9 * chance.randrange(3) + chance.randrange(7)
            sets.append([first, first + 1, first + 2])
        else:
            sets.append([chance.randrange(KINDS)] * 3)
    return sets


def _winner(chance: random.Random) -> str:
    while True:
        sets = _sets(chance, 4)
        pair = [chance.randrange(KINDS)] * 2
        every = [tile for one in sets for tile in one] + pair
        if max(map(every.count, every)) > 4:
            continue
        laid = chance.choice((0, 0, 1, 1, 2, 3))
        held = [tile for one in sets[laid:] for tile in one] + pair
        winning = held.pop(chance.randrange(len(held)))
        chance.shuffle(held)
        table = [f"({format_tiles(one)})" for one in sets[:laid]]
        last = ("+" if chance.random() < 0.5 else "<") + str(TILES[winning])
        return " ".join([_header(chance), *table, format_tiles(held), last])


def _loser(chance: random.Random) -> str:
    wall = [kind for kind in range(KINDS) for _ in range(4)]
    laid = chance.choice((0, 1, 2))
    while True:
        sets = _sets(chance, laid)
        used = [tile for one in sets for tile in one]
        if not used or max(map(used.count, used)) <= 4:
            break
    left = wall.copy()
    for tile in used:
        left.remove(tile)
    held = chance.sample(left, 13 - 3 * laid)
    return " ".join([_header(chance), *(f"({format_tiles(one)})" for one in sets), format_tiles(held)])


def _header(chance: random.Random) -> str:
    return f"{chance.choice('ESWN')}@{chance.choice('ESWN')}:"


def riichi_hands(count: int, seed: int = 1922) -> list[tuple[str, str, str, str, str, int]]:
    """*count* distinct winning hands for PyPI's ``mahjong``: man, pin, sou, honors, winning tile, seat and round.

    They are the same random hands, all concealed and all won, which spares it melds and losers.
    """
    chance = random.Random(seed)
    seen: set[tuple[str, str, str, str, str, int]] = set()
    while len(seen) < count:
        sets = _sets(chance, 4)
        pair = [chance.randrange(KINDS)] * 2
        every = sorted([tile for one in sets for tile in one] + pair)
        if max(map(every.count, every)) > 4:
            continue
        suits = ["", "", "", ""]
        for tile in every:
            suits[tile // 9] += str(tile % 9 + 1)
        winning = chance.choice(every)
        seen.add((*suits, f"{winning // 9}{winning % 9 + 1}", chance.randrange(16)))  # type: ignore[arg-type]
    return sorted(seen)
