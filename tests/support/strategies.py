"""Random hands for the tests: winners of every kind and losers, as parsed hands and as text."""

from __future__ import annotations

import random

from hands import make_hand

from mjscore.game.hand import Hand, TileSet, Win
from mjscore.game.tiles import KINDS, TILES, Tile

SEATS = "ESWN"
HONORS = range(27, 34)
HEADS = [suit + value for suit in (0, 9, 18) for value in (0, 8)] + list(HONORS)


def random_set(chance: random.Random, pool: list[int] | None) -> list[int]:
    """A run or three alike, from *pool* where there is one."""
    if pool is None and chance.random() < 0.5:
        first = 9 * chance.randrange(3) + chance.randrange(7)
        return [first, first + 1, first + 2]
    kinds = pool if pool is not None else list(range(KINDS))
    kind = chance.choice(kinds)
    runs = [k for k in kinds if k < 27 and k % 9 < 7 and k + 1 in kinds and k + 2 in kinds]
    if runs and chance.random() < 0.5:
        first = chance.choice(runs)
        return [first, first + 1, first + 2]
    return [kind] * 3


def random_pool(chance: random.Random) -> list[int] | None:
    """Sometimes the tiles are of few kinds, so that doubles and limit hands occur."""
    suit = 9 * chance.randrange(3)
    return chance.choice(
        [
            None,
            None,
            None,
            list(range(suit, suit + 9)),
            [*range(suit, suit + 9), *HONORS],
            list(HONORS),
            HEADS,
            [*range(27, 31), suit, suit + 1, suit + 2],
            [*range(31, 34), suit + 3, suit + 4, suit + 5],
        ]
    )


def _bonus(chance: random.Random) -> tuple[Tile, ...]:
    if chance.random() < 0.6:
        return ()
    return tuple(chance.sample(TILES[KINDS:], chance.randint(1, 6)))


def _four(chance: random.Random, kind: int) -> TileSet:
    origin = chance.choice(("fourth", "grown", "declared"))
    return TileSet("kong", TILES[kind], origin != "declared", origin)


def _table_set(chance: random.Random, tiles: list[int], counts: list[int]) -> TileSet:
    tile = TILES[tiles[0]]
    if tiles[0] != tiles[1]:
        return TileSet("chow", tile, True, "claimed")
    if counts[tile] == 3 and chance.random() < 0.45:
        counts[tile] += 1
        return _four(chance, tiles[0])
    return TileSet("pung", tile, True, "claimed")


def random_winner(chance: random.Random) -> Hand:
    """A hand that has won, by four sets and a pair or, now and then, by a special shape."""
    special = chance.random()
    seat, round_wind = chance.choice(SEATS), chance.choice(SEATS)
    if special < 0.02:
        suit = 9 * chance.randrange(3)
        return _finish(
            chance,
            [],
            [*nine_gates(suit), suit + chance.randrange(9)],
            seat,
            round_wind,
            last=chance.random() < 0.8,
        )
    if special < 0.03:
        kinds = chance.sample(range(KINDS), 5)
        return _finish(chance, [_four(chance, kind) for kind in kinds[:4]], [kinds[4]] * 2, seat, round_wind)
    if special < 0.06:
        tiles = [*HEADS, chance.choice(HEADS)]
        return _finish(chance, [], tiles, seat, round_wind)
    if special < 0.1:
        pool = random_pool(chance) or list(range(KINDS))
        if len(pool) >= 7:
            return _finish(
                chance, [], [kind for kind in chance.sample(pool, 7) for _ in (0, 1)], seat, round_wind
            )
    honors: list[list[int]] = []
    fourth_wind: int | None = None
    if special < 0.14:
        # three winds or dragons, or all four winds
        kinds = chance.choice((range(27, 31), range(31, 34)))
        chosen = chance.sample(kinds, chance.randint(3, len(kinds)))
        honors = [[kind] * 3 for kind in chosen]
        if len(chosen) < len(kinds) and chance.random() < 0.4:
            fourth_wind = next(kind for kind in kinds if kind not in chosen)
    while True:
        pool = random_pool(chance)
        sets = honors + [random_set(chance, pool) for _ in range(4 - len(honors))]
        chance.shuffle(sets)
        pair = fourth_wind or chance.choice(pool if pool else range(KINDS))
        every = [tile for one in sets for tile in one] + [pair, pair]
        counts = [every.count(kind) for kind in range(KINDS)]
        if max(counts) > 4:
            continue
        laid = [_table_set(chance, one, counts) for one in sets[: chance.choice((0, 0, 1, 2, 3, 4))]]
        held = [tile for one in sets[len(laid) :] for tile in one] + [pair, pair]
        return _finish(chance, laid, held, seat, round_wind)


def nine_gates(suit: int) -> list[int]:
    """The thirteen tiles 1112345678999 of the suit that begins with tile *suit*."""
    return [suit + value for value in (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8)]


def _finish(
    chance: random.Random,
    laid: list[TileSet],
    held: list[int],
    seat: str,
    round_wind: str,
    last: bool = False,
) -> Hand:
    """The hand with one of its tiles (with *last* the last of them) as the winning one, and flags that fit."""
    held = list(held)
    winning = TILES[held.pop(-1 if last else chance.randrange(len(held)))]
    bonus = _bonus(chance)
    drawn = chance.random() < 0.5
    flags: set[str] = set()
    if not laid and chance.random() < 0.25:
        if drawn and seat == "E":
            flags = {"original"}
        elif not drawn and seat != "E":
            flags = {"earth"}
        else:
            flags = {"thirteen"}
    elif drawn:
        if chance.random() < 0.2 and (bonus or any(one.kind == "kong" for one in laid)):
            flags.add("loose")
        if chance.random() < 0.2:
            flags.add("last")
        if chance.random() < 0.1:
            flags.add("mixed")
    elif chance.random() < 0.2 and winning not in held and all(winning not in one.tiles for one in laid):
        flags.add("robbed")
    if seat == "E" and chance.random() < 0.1:
        flags.add("ninth")
    discarder = None
    if not drawn and chance.random() < 0.5:
        discarder = "E" if "earth" in flags else chance.choice([wind for wind in SEATS if wind != seat])
    win = Win(winning, drawn, discarder, frozenset(flags))
    return make_hand(
        tuple(laid), tuple(TILES[tile] for tile in held), win, seat=seat, round=round_wind, bonus=bonus
    )


def random_loser(chance: random.Random) -> Hand:
    """A hand that has not won: sets on the table, then tiles with many pairs and threes among them.

    Now and then one that lacks a single tile.
    """
    if chance.random() < 0.2:
        return waiting_hand(chance)
    while True:
        pool = random_pool(chance)
        laid_tiles = [random_set(chance, pool) for _ in range(chance.choice((0, 1, 2, 3)))]
        every = [tile for one in laid_tiles for tile in one]
        counts = [every.count(kind) for kind in range(KINDS)]
        if max(counts) > 4:
            continue
        laid = [_table_set(chance, one, counts) for one in laid_tiles]
        held: list[int] = []
        need = 13 - 3 * len(laid)
        unlisted = chance.random() < 0.1
        if unlisted:
            need = chance.randrange(need + 1)
        kinds = pool if pool else list(range(KINDS))
        tries = 0
        while len(held) < need and tries < 200:
            tries += 1
            kind = chance.choice(kinds)
            many = min(chance.choice((1, 1, 2, 2, 3, 4)), need - len(held), 4 - counts[kind])
            counts[kind] += many
            held += [kind] * many
        if len(held) < need:
            continue
        return make_hand(
            tuple(laid),
            tuple(TILES[tile] for tile in held),
            seat=chance.choice(SEATS),
            round=chance.choice(SEATS),
            bonus=_bonus(chance),
            unlisted=unlisted,
        )


def random_dead_hand(chance: random.Random) -> Hand:
    """A hand with a tile too few or too many, or with the right number, that is said to be dead."""
    hand = random_loser(chance)
    concealed = list(hand.concealed)
    for _ in range(chance.randrange(4)):
        if concealed and chance.random() < 0.6:
            concealed.pop(chance.randrange(len(concealed)))
        else:
            tile = TILES[chance.randrange(KINDS)]
            if [*concealed, *(one for each in hand.sets for one in each.tiles)].count(tile) < 4:
                concealed.append(tile)
    return make_hand(
        hand.sets,
        tuple(concealed),
        seat=hand.seat,
        round=hand.round,
        bonus=hand.bonus,
        dead=True,
        unlisted=hand.unlisted,
    )


def waiting_hand(chance: random.Random) -> Hand:
    """A winner's hand before its winning tile, now and then with one tile changed."""
    hand = random_winner(chance)
    concealed = list(hand.concealed)
    if chance.random() < 0.3:
        tile = TILES[chance.randrange(KINDS)]
        if [*concealed, *(one for each in hand.sets for one in each.tiles)].count(tile) < 4:
            concealed[chance.randrange(len(concealed))] = tile
    return make_hand(hand.sets, tuple(concealed), seat=hand.seat, round=hand.round, bonus=hand.bonus)
