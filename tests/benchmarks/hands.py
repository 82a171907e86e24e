"""A file as a club's secretary keeps it, and one of the same size for the peer; both from a seed.

    python tests/benchmarks/hands.py 6000 hands.mj peer.txt

Nine hands of ten are won; there are labels, expected scores, fours of every kind, bonus tiles, hands told in
part, tiles in any order and now and then in Unicode. The same count and seed give the same files.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from typing import NamedTuple

import mjscore

WINDS = "ESWN"
NAMES = [f"{value}{suit}" for suit in "bcd" for value in range(1, 10)]
NAMES += ["Ew", "Sw", "Ww", "Nw", "Rd", "Gd", "Wd"]
KINDS = len(NAMES)
BONUS = [f"{value}{series}" for series in "fs" for value in range(1, 5)]
# in the order of NAMES: bamboo, characters, dots, winds, dragons
UNICODE = [chr(0x1F000 + code) for code in (*range(16, 25), *range(7, 16), *range(25, 34), *range(7))]
FIRST_UNICODE_BONUS = 0x1F022
PLAYERS = ("Ann", "Ben", "Old Cid", "Dee", "Mrs Gray", "Hobbs")


class TileSet(NamedTuple):
    """Tiles of a set, and how it stands: concealed, on the table, or one of the three ways to have a four."""

    tiles: list[int]
    standing: str


def lines(count: int, seed: int = 1922) -> Iterator[str]:
    """*count* lines of an ``.mj`` file, each hand another."""
    chance = random.Random(seed)
    seen: set[str] = set()
    while len(seen) < count:
        hand = _hand(chance)
        if hand in seen:
            continue
        seen.add(hand)
        label = f'"{chance.choice(PLAYERS)}, hand {len(seen)}" ' if chance.random() < 0.7 else ""
        expected = ""
        if chance.random() < 0.85:
            sheet = mjscore.score(hand)
            assert sheet.error is None, (hand, sheet.error)
            expected = f" = {sheet.score}"
        yield f"{label}{hand}{expected}"


def _hand(chance: random.Random) -> str:
    """One hand as text: header, sets on the table, concealed tiles, and how it was won."""
    unicode = chance.random() < 0.03
    won = chance.random() < 0.9
    sets = _sets(chance, 4)
    on_table = [tile_set for tile_set in sets if tile_set.standing != "concealed"]
    held = [tile for tile_set in sets if tile_set.standing == "concealed" for tile in tile_set.tiles]
    pair = chance.choice([kind for kind in range(KINDS) if _fits(sets, kind)])
    held += [pair, pair]
    winning = held.pop(chance.randrange(len(held)))
    if not won and held:
        # a hand that lost has some tile instead of one that it needs
        tiles = [tile for tile_set in sets for tile in tile_set.tiles] + [pair, pair]
        held[-1] = chance.choice([kind for kind in range(KINDS) if tiles.count(kind) < 4])
    bonus = chance.sample(range(8), chance.choice((1, 1, 2, 3))) if chance.random() < 0.35 else []
    order = chance.random()
    if order < 0.35:
        held.sort()
    else:
        chance.shuffle(held)
    pieces = [_table_set(tile_set, unicode) for tile_set in on_table]
    if not won and chance.random() < 0.1:
        pieces += [_tiles(held[: len(held) // 2], unicode, chance), "..."]
    else:
        pieces.append(_tiles(held, unicode, chance))
    if bonus:
        place = chance.randrange(len(pieces) + 1) if order < 0.75 else len(pieces)
        pieces.insert(place, " ".join(_bonus(tile, unicode) for tile in bonus))
    if won:
        has_loose = bool(bonus) or any(len(tile_set.tiles) == 4 for tile_set in on_table)
        pieces.append(_ending(chance, winning, unicode, has_loose))
    return " ".join([f"{chance.choice(WINDS)}@{chance.choice(WINDS)}:", *pieces])


def _sets(chance: random.Random, number: int) -> list[TileSet]:
    """Runs, threes and fours of which a wall has the tiles."""
    sets: list[TileSet] = []
    while len(sets) < number:
        on_table = chance.random() < 0.3
        if chance.random() < 0.5:
            first = 9 * chance.randrange(3) + chance.randrange(7)
            tile_set = TileSet([first, first + 1, first + 2], "table" if on_table else "concealed")
        elif chance.random() < 0.2:
            kind = chance.randrange(KINDS)
            tile_set = TileSet([kind] * 4, chance.choice(("table", "declared", "grown")))
        else:
            tile_set = TileSet([chance.randrange(KINDS)] * 3, "table" if on_table else "concealed")
        tiles = [tile for other in (*sets, tile_set) for tile in other.tiles]
        if all(tiles.count(kind) <= 4 for kind in tile_set.tiles):
            sets.append(tile_set)
    return sets


def _fits(sets: list[TileSet], kind: int) -> bool:
    return sum(tile_set.tiles.count(kind) for tile_set in sets) <= 2


def _name(tile: int, unicode: bool) -> str:
    return UNICODE[tile] if unicode else NAMES[tile]


def _table_set(tile_set: TileSet, unicode: bool) -> str:
    names = [_name(tile, unicode) for tile in tile_set.tiles]
    if tile_set.standing == "grown":
        return f"({_joined(names[:3])}+{names[3]})"
    return f"[{_joined(names)}]" if tile_set.standing == "declared" else f"({_joined(names)})"


def _tiles(tiles: list[int], unicode: bool, chance: random.Random) -> str:
    names = [_name(tile, unicode) for tile in tiles]
    if chance.random() < 0.2:
        return " ".join(names)
    return _joined(names)


def _joined(names: list[str]) -> str:
    """Neighbours of one class share its letter: 123b, EEEw."""
    text = ""
    for name in names:
        if len(name) == 2 and text.endswith(name[1]) and name[0].isdigit() == text[-2].isdigit():
            text = text[:-1] + name
        else:
            text += f" {name}" if text and len(name) == 2 else name
    return text


def _bonus(tile: int, unicode: bool) -> str:
    return chr(FIRST_UNICODE_BONUS + tile) if unicode else BONUS[tile]


def _ending(chance: random.Random, winning: int, unicode: bool, has_loose: bool) -> str:
    if chance.random() < 0.5:
        flag = "!loose" if has_loose and chance.random() < 0.2 else "!last" if chance.random() < 0.03 else ""
        return f"+{_name(winning, unicode)}{flag}"
    return f"<{_name(winning, unicode)}"


def peer_lines(count: int, seed: int = 1922) -> Iterator[str]:
    """*count* winning hands for PyPI's ``mahjong``: tiles in its notation, the winning tile, winds.

    All are concealed and won, which spares it sets on the table and losers.
    """
    chance = random.Random(seed)
    seen: set[str] = set()
    while len(seen) < count:
        sets = [TileSet(tile_set.tiles[:3], "concealed") for tile_set in _sets(chance, 4)]
        pair = chance.choice([kind for kind in range(KINDS) if _fits(sets, kind)])
        tiles = sorted([tile for tile_set in sets for tile in tile_set.tiles] + [pair, pair])
        winning = chance.choice(tiles)
        hand = "".join(
            "".join(str(tile % 9 + 1) for tile in tiles if tile // 9 == suit) + letter
            for suit, letter in enumerate("mpsz")
            if any(tile // 9 == suit for tile in tiles)
        )
        last = f"{winning % 9 + 1}{'mpsz'[winning // 9]}"
        line = f"{hand} {last} {chance.choice(WINDS)} {chance.choice(WINDS)}"
        if line not in seen:
            seen.add(line)
            yield line


def main() -> None:
    """Write the two files."""
    count, ours, theirs = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    for path, made in ((ours, lines(count)), (theirs, peer_lines(count))):
        with open(path, "w", encoding="utf-8") as stream:
            stream.writelines(f"{line}\n" for line in made)


if __name__ == "__main__":
    main()
