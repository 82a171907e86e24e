"""Random tables at which somebody may have to pay for the others (Harr p. 68-70, Babcock p. 74-78)."""

from __future__ import annotations

import random
from collections import Counter

from hands import make_hand
from independent import DRAGONS, HEADS, WINDS

from mjscore.game.hand import Hand, TileSet, Win
from mjscore.game.tiles import TILES

SEATS = "ESWN"
Tiles = tuple[int, ...]


def some_set(chance: random.Random, kind: str, suit: int) -> Tiles:
    if kind == "suit":
        first = 9 * suit + chance.randrange(7)
        return (
            (first, first + 1, first + 2) if chance.random() < 0.6 else (9 * suit + chance.randrange(9),) * 3
        )
    if kind == "any":
        return some_set(chance, chance.choice(("suit", "suit", "heads")), chance.randrange(3))
    return (chance.choice({"heads": sorted(HEADS), "winds": WINDS, "dragons": DRAGONS}[kind]),) * 3


def sets_of(chance: random.Random, kind: str) -> list[Tiles]:
    """Four sets, most of them of a kind that is insured against."""
    suit = chance.randrange(3)
    number = {"dragons": 3, "winds": chance.choice((3, 4))}.get(kind, 4)
    first = {"dragons": list(DRAGONS), "winds": chance.sample(WINDS, 4)}.get(kind)
    sets = (
        [(one,) * 3 for one in first[:number]] if first else [some_set(chance, kind, suit) for _ in range(4)]
    )
    other = "heads" if chance.random() < 0.4 else "any"
    return [*sets, *(some_set(chance, other, suit) for _ in range(4 - len(sets)))]


def pair_of(chance: random.Random, kind: str, sets: list[Tiles]) -> Tiles:
    if kind == "suit":
        return (sets[0][0] // 9 * 9 + chance.randrange(9),) * 2
    if kind == "winds" and chance.random() < 0.6:
        rest = [wind for wind in WINDS if (wind,) * 3 not in sets]
        if rest:
            return (rest[0],) * 2
    return (chance.choice(sorted(HEADS)) if chance.random() < 0.7 else chance.randrange(34),) * 2


def laid_set(chance: random.Random, tiles: Tiles) -> TileSet:
    tile = TILES[tiles[0]]
    if tiles[0] != tiles[1]:
        return TileSet("chow", tile, True, "claimed")
    if chance.random() < 0.15:
        origin = chance.choice(("fourth", "grown", "declared"))
        return TileSet("kong", tile, origin != "declared", origin)
    return TileSet("pung", tile, True, "claimed")


def random_table(chance: random.Random) -> dict[str, Hand] | None:
    kind = chance.choice(("suit", "heads", "winds", "dragons", "dragons"))
    winner = chance.choice(SEATS)
    sets = sets_of(chance, kind)
    shown = chance.choice((2, 3, 3, 4, 4, 4))
    pair = pair_of(chance, kind, sets)
    if kind != "dragons" or chance.random() < 0.3:
        chance.shuffle(sets)
    laid = [laid_set(chance, one) for one in sets[:shown]]
    held = [tile for one in (*sets[shown:], pair) for tile in one]
    winning = held.pop(chance.randrange(len(held)))
    others = [seat for seat in SEATS if seat != winner]
    drawn = chance.random() < 0.25
    discarder = None if drawn else chance.choice(others)
    earlier = chance.choice(others) if chance.random() < (0.6 if shown > 2 else 0.1) else None
    win = Win(TILES[winning], drawn, discarder, frozenset(), earlier)
    hands = {winner: make_hand(tuple(laid), tuple(TILES[one] for one in held), win, seat=winner, round="E")}
    left = Counter(dict.fromkeys(range(34), 4))
    left.subtract([winning, *held, *(tile for one in laid for tile in one.tiles)])
    for seat in others:
        if min(left.values()) < 0:
            return None
        hand = other_hand(chance, seat, left, seat == discarder)
        if hand is None:
            return None
        hands[seat] = hand
    return hands


def other_hand(chance: random.Random, seat: str, left: Counter[int], discards: bool) -> Hand | None:
    """A hand that did not win: waiting with something grand, or anything at all, and sometimes dead."""
    want = chance.random()
    if want < (0.75 if discards else 0.3):
        kind = chance.choice(("suit", "heads", "winds", "dragons", "any"))
        sets = sets_of(chance, kind)
        tiles = [*(tile for one in sets for tile in one), *pair_of(chance, kind, sets)]
        shown = chance.randrange(4)
        laid = [
            TileSet("chow" if one[0] != one[1] else "pung", TILES[one[0]], True, "claimed")
            for one in sets[:shown]
        ]
        held = tiles[3 * shown :]
        held.pop(chance.randrange(len(held)))
        if chance.random() < 0.2 and held:
            held[chance.randrange(len(held))] = chance.randrange(34)
    else:
        laid = []
        pool = [kind for kind in range(34) for _ in range(max(0, left[kind]))]
        held = chance.sample(pool, 13)
    left.subtract([*held, *(tile for one in laid for tile in one.tiles)])
    if min(left.values()) < 0:
        return None
    dead = chance.random() < 0.05
    no_choice = discards and not dead and chance.random() < 0.25
    if dead:
        held = held[:-1]
    return make_hand(
        tuple(laid), tuple(TILES[one] for one in held), seat=seat, round="E", dead=dead, no_choice=no_choice
    )
