"""Reckless discards and insurance: random tables settled by the slow way and by the rulebooks."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from independent import DRAGONS, HEADS, WINDS, Rules, settle

from mjscore.game.hand import Hand, TileSet, Win, make_hand
from mjscore.game.tiles import TILES
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind
from mjscore.settling.settlement import result_of
from mjscore.settling.settlement import settle as settle_results

SEATS = "ESWN"
TABLES = 2500
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


def way_of(remarks: tuple[str, ...]) -> str:
    """How it was paid, by the remarks of a settlement."""
    ways = {"is excused": "excused", "share the whole": "share", "pays half": "half", "pays for all": "all"}
    return next((way for words, way in ways.items() if any(words in remark for remark in remarks)), "each")


@pytest.mark.parametrize("rulebook", ["harr-limit", "babcock-chinese"])
def test_who_pays_for_the_others_is_found_the_slow_way(rulebook):
    chance = random.Random(f"insurance {rulebook}")
    ways: Counter[str] = Counter()
    while sum(ways.values()) < TABLES:
        hands = random_table(chance)
        if hands is None:
            continue
        options: dict[str, object] = {}
        if rulebook == "babcock-chinese":
            options = {"limit": chance.choice((300, 250, 301, 1000)), "new-method": chance.random() < 0.15}
        winner = next(seat for seat, hand in hands.items() if hand.win is not None)
        expected = settle(hands, winner, Rules(rulebook, options))
        book = bind(rulebook, options)
        net = None
        how = "refused"
        try:
            settlement = settle_results(
                {seat: result_of(hand, book) for seat, hand in hands.items()}, winner, book
            )
        except Refused as refused:
            how = refused.refusal.code
            assert how in ("not-fed-earlier", "other-tile", "not-a-winning-hand"), refused.refusal
        else:
            net = dict(settlement.net)
            how = way_of(settlement.remarks)
        ways[how] += 1
        assert net == expected, (how, options, {seat: str(hand) for seat, hand in hands.items()})
    needed = {"harr-limit": ("all", "each", "excused", "other-tile")}.get(
        rulebook, ("all", "each", "excused", "other-tile", "half", "share", "not-fed-earlier")
    )
    assert all(ways[way] > 10 for way in needed), ways
