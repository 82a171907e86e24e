"""What a hand *is*: the named facts that rulebook conditions refer to.

The code here knows sets, waits, suits and how a hand was won; only rulebooks know what that is worth. The facts are
two frozen records: ``HandFacts``, one for each hand, and ``Arrangement``, one for each way to divide its tiles. Masks
have one bit for each kind of tile.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from mjscore.game.hand import Hand, TileSet
from mjscore.game.tiles import (
    BITS,
    CLASS_MASKS,
    DIGIT,
    HONORS,
    KINDS,
    SUIT_MASKS,
    WIND_NAMES,
    WINDS,
    fours_in,
)
from mjscore.rulebook.conditions import Fact, Namespace
from mjscore.rulebook.rule import Award, SetValue
from mjscore.rulebook.set_patterns import has_sets
from mjscore.rulebook.shapes import compile_shape

FIRST_WIND = 27
SEASONS = KINDS + 4  # after the flowers
BONUS_FACTS = frozenset({"bonus_tiles", "own_bonus", "own_bonus_outside", "complete_series"})
WEST = 1 << FIRST_WIND + 2
_WIND_BITS = {wind: 1 << FIRST_WIND + number for number, wind in enumerate(WINDS)}
_NO_FLAGS: frozenset[str] = frozenset()


class Arrangement(NamedTuple):
    """The sets into which a hand's tiles are divided, and the facts that follow from them.

    *pungs* includes kongs, as in the books. *pungs_begun_concealed* are the concealed ones and kongs made by claiming
    the fourth tile of a concealed pung (D4). *completed* is the kind of set that the winning tile completed, *form*
    how it filled a chow.
    """

    sets: tuple[TileSet, ...]
    chows: int
    pungs: int
    kongs: int
    pairs: int
    concealed_pungs: int
    pungs_begun_concealed: int
    completed: str = ""
    form: str = ""
    special: bool = False


class HandFacts(NamedTuple):
    """The facts of a hand that do not depend on how its tiles are arranged; made by ``hand_facts``.

    *kinds* includes the winning tile. *laid* are the sets on the table before the winning tile. *waits* are the tiles
    that would have completed the hand, 0 if no condition uses them. *doubles* and *waiting_doubles* are for a
    discarder's excuses (D42), *doubles* and *score* for the requirements of a win. *waiting_for* are the entries for
    which a losing hand lacks one tile.
    """

    hand: Hand
    own_wind: int
    round_wind: int
    won: bool
    drawn: bool
    claimed: bool
    original: bool
    flags: frozenset[str]
    win_bit: int
    kinds: int
    suits: int
    laid: Arrangement
    waits: int = 0
    doubles: int = 0
    doublings: int = 0
    waiting_doubles: int = 0
    score: int = 0
    waiting_for: frozenset[str] = _NO_FLAGS


def hand_facts(hand: Hand, waits: int = 0) -> HandFacts:
    """Return the facts of a hand whose seat and round are known."""
    assert hand.seat is not None
    assert hand.round is not None
    own_wind, round_wind, win = _WIND_BITS[hand.seat], _WIND_BITS[hand.round], hand.win
    laid = arranged(hand.sets) if hand.sets else NOT_ARRANGED
    if win is None:
        kinds, won = hand.kinds_mask, (False, False, False, False, hand.flags, 0)
    else:
        original, win_bit = "original" in win.flags, 1 << win.tile
        # no single tile completed a hand that won as dealt (D12)
        won = (True, win.drawn and not original, not win.drawn, original, win.flags, win_bit)
        kinds = hand.kinds_mask | win_bit
    return HandFacts(hand, own_wind, round_wind, *won, kinds, suits_among(kinds), laid, waits)


def suits_among(kinds: int) -> int:
    """Return the number of suits in a mask of kinds."""
    bamboo, characters, dots = SUIT_MASKS
    return (kinds & bamboo != 0) + (kinds & characters != 0) + (kinds & dots != 0)


def arranged(sets: tuple[TileSet, ...], special: bool = False) -> Arrangement:
    """Return the arrangement of *sets*, none of which the winning tile completed."""
    chows = pungs = kongs = pairs = concealed = begun_concealed = 0
    for kind, tile, exposed, origin, _ in sets:
        if kind == "chow":
            chows += 1
        elif kind == "pair":
            pairs |= 1 << tile
        elif kind != "single":
            bit = 1 << tile
            pungs |= bit
            if kind == "kong":
                kongs |= bit
            if not exposed:
                concealed |= bit
                begun_concealed |= bit
            elif origin == "fourth":
                begun_concealed |= bit
    return Arrangement(sets, chows, pungs, kongs, pairs, concealed, begun_concealed, "", "", special)


NOT_ARRANGED = arranged(())


def scores_only(set_values: Sequence[SetValue], given: Sequence[Award], names: frozenset[str]) -> bool:
    """Return whether nothing but the entries *names* scores: no set, no pair, no other bonus (D7)."""
    scoring = [rule.id for value in set_values for rule in value.rules]
    return names.issuperset([*scoring, *(award.rule for award in given if award.is_other_score)])


def tile_count(hand: HandFacts, mask: int) -> int:
    """Return how many tiles of the hand, including the winning one, belong to *mask*."""
    packed = hand.hand.packed
    return sum(packed >> BITS * kind & DIGIT for kind in range(KINDS) if mask >> kind & 1)


def laid_tiles(sets: tuple[TileSet, ...], mask: int) -> int:
    """Return how many tiles of *mask* are in sets on the table."""
    return sum(mask >> tile & 1 for tile_set in sets for tile in tile_set.tiles)


def sets_with(sets: tuple[TileSet, ...], mask: int) -> int:
    """Return the number of sets and pairs with a tile of *mask*; a chow has three kinds of tile."""
    return sum(
        [mask >> tile & (7 if kind == "chow" else 1) != 0 for kind, tile, *_ in sets if kind != "single"]
    )


def laid_of_suit(hand: HandFacts) -> int:
    """Return how many sets on the table are of the winning tile's suit; 0 if it is an honor."""
    suit = next((mask for mask in SUIT_MASKS if hand.win_bit & mask), 0)
    return sum(1 << tile_set.tile & suit != 0 for tile_set in hand.hand.sets)


def own_bonus(bonus: tuple[int, ...], seat: str) -> int:
    """Return how many bonus tiles have the number of the player's seat."""
    return sum([WINDS[(tile - KINDS) % 4] == seat for tile in bonus])


def complete_series(bonus: tuple[int, ...]) -> int:
    """Return how many of the two series of bonus tiles are complete."""
    flowers = sum([tile < SEASONS for tile in bonus])
    return (flowers == 4) + (len(bonus) - flowers == 4)


def own_bonus_outside(bonus: tuple[int, ...], seat: str) -> int:
    """Return how many of the player's own bonus tiles are not in a complete series."""
    return own_bonus(bonus, seat) - complete_series(bonus)


@lru_cache(maxsize=256)
def patterns(text: str) -> frozenset[int]:
    """Return the packed tiles of each hand that a pattern like ``1112345678999x`` stands for."""
    return frozenset(alternative.fixed for alternative in compile_shape(text, size=None))


# which wind is the own wind or the round wind depends on the hand
CLASSES = {name: str(mask) for name, mask in CLASS_MASKS.items()} | {
    "own_wind": "h.own_wind",
    "round_wind": "h.round_wind",
}
_FROM_OPTIONS = {
    "option": Fact("", "", "text"),
    "players": Fact("number", ""),
    "limited": Fact("boolean", ""),
}
# how a hand was won, and how the winning tile filled a chow: for a hand and for each of its sets
_HOW_WON = {
    **{name: Fact("boolean", f"h.{name}") for name in ("won", "drawn", "claimed", "original")},
    "own_round": Fact("boolean", "(h.own_wind == h.round_wind)"),
    **{name: Fact("boolean", f'(a.form == "{name}")') for name in ("middle", "one_end", "both_ends")},
}
_FLAGS = ("loose", "twofold", "call", "robbed", "earth", "thirteen", "mixed", "ninth")
_HAND_FACTS = {
    **_FROM_OPTIONS,
    **_HOW_WON,
    **{flag: Fact("boolean", f"({flag!r} in h.flags)") for flag in _FLAGS},
    "last": Fact("boolean", '("last" in h.flags and not h.claimed)'),
    "last_discard": Fact("boolean", '("last" in h.flags and h.claimed)'),
    "flag": Fact("boolean", "({0} in h.flags)", "text"),
    **{
        name.lower(): Fact("boolean", f"(h.own_wind == {_WIND_BITS[wind]})")
        for wind, name in WIND_NAMES.items()
    },
    "chows": Fact("number", "a.chows", most=4),
    "pungs": Fact("number", "(a.pungs & {0}).bit_count()", "class", most=4),
    "kongs": Fact("number", "(a.kongs & {0}).bit_count()", "class", most=4),
    "pairs": Fact("number", "(a.pairs & {0}).bit_count()", "class", most=7),
    "concealed_pungs": Fact("number", "(a.concealed_pungs & {0}).bit_count()", "class", most=4),
    "hidden_pungs": Fact("number", "(a.pungs_begun_concealed & {0}).bit_count()", "class", most=4),
    "concealed_kongs": Fact("number", "(a.kongs & a.concealed_pungs & {0}).bit_count()", "class", most=4),
    "concealed_hand": Fact(
        "boolean", "(not h.laid.chows and h.laid.pungs == h.laid.concealed_pungs and not h.hand.unlisted)"
    ),
    "hidden_hand": Fact(
        "boolean",
        "(not h.laid.chows and h.laid.pungs == h.laid.pungs_begun_concealed and not h.hand.unlisted)",
    ),
    "sets": Fact("boolean", "has_sets(a.sets, {0})", "patterns"),
    "sets_with": Fact("number", "sets_with(a.sets, {0})", "class", most=7),
    "laid_sets": Fact("number", "len(h.hand.sets)", most=4),
    "laid_pungs": Fact("number", "(h.laid.pungs & {0}).bit_count()", "class", most=4),
    "laid_tiles": Fact("number", "laid_tiles(h.hand.sets, {0})", "class", most=16),
    "laid_of_suit": Fact("number", "laid_of_suit(h)"),
    **{
        f"completed_{kind}": Fact("boolean", f'(a.completed == "{kind}")')
        for kind in ("pair", "chow", "pung")
    },
    "winning_tile": Fact("boolean", "(h.win_bit & {0} != 0)", "class"),
    "only_place": Fact("boolean", "(h.waits == h.win_bit)"),
    "only_wait": Fact("boolean", "(h.waits & ~fours_in(h.hand.packed_before) == h.win_bit)"),
    "fourth_of_exposed_three": Fact("boolean", "(h.win_bit & h.laid.pungs & ~h.laid.kongs != 0)"),
    "one_suit": Fact("boolean", "(h.suits == 1 and not h.kinds & HONORS and not h.hand.unlisted)"),
    "one_suit_and_honors": Fact(
        "boolean", "(h.suits == 1 and h.kinds & HONORS != 0 and not h.hand.unlisted)"
    ),
    "all_honors": Fact("boolean", "(h.suits == 0 and h.kinds != 0 and not h.hand.unlisted)"),
    "all_tiles": Fact("boolean", "(not h.kinds & ~{0} and not h.hand.unlisted)", "class"),
    "suits": Fact("number", "h.suits", most=3),
    "tiles": Fact("number", "tile_count(h, {0})", "class", most=18),
    "kinds": Fact("number", "(h.kinds & {0}).bit_count()", "class", most=14),
    "held": Fact("boolean", "(not h.hand.unlisted and h.hand.packed_concealed in patterns({0}))", "text"),
    "bonus_tiles": Fact("number", "len(h.hand.bonus)", most=8),
    "own_bonus": Fact("number", "own_bonus(h.hand.bonus, h.hand.seat)", most=2),
    "complete_series": Fact("number", "complete_series(h.hand.bonus)", most=2),
    "own_bonus_outside": Fact("number", "own_bonus_outside(h.hand.bonus, h.hand.seat)", most=2),
    "scores_only": Fact("boolean", "scores_only(set_values, given, {0})", "texts"),
    "special": Fact("boolean", "a.special"),
    "waiting": Fact("boolean", "(not h.won and not h.hand.unlisted and h.waits != 0)"),
    "waiting_for": Fact("boolean", "({0} in h.waiting_for)", "text"),
    "doubles": Fact("number", "h.doubles"),
    "doublings": Fact("number", "h.doublings"),
    "score": Fact("number", "h.score"),
    "waiting_doubles": Fact("number", "h.waiting_doubles"),
}
_SET_FACTS = {
    **_FROM_OPTIONS,
    **_HOW_WON,
    **{kind: Fact("boolean", f'(t.kind == "{kind}")') for kind in ("chow", "pung", "kong", "pair")},
    "exposed": Fact("boolean", "t.exposed"),
    "concealed": Fact("boolean", "(not t.exposed)"),
    "of": Fact("boolean", "((1 << t.tile) & {0} != 0)", "class"),
    "completed": Fact("boolean", "t.completed"),
}

FACTS = {**_HAND_FACTS, **_SET_FACTS}
HAND_NAMESPACE = Namespace(_HAND_FACTS, CLASSES)
# few facts, since the values of sets are cached by the fields of h and a that their conditions use
SET_NAMESPACE = Namespace(_SET_FACTS, CLASSES)
OPTION_NAMESPACE = Namespace(_FROM_OPTIONS, {})


_CALLED: tuple[Callable[..., Any], ...] = (
    *(complete_series, own_bonus, own_bonus_outside, scores_only, patterns),
    *(fours_in, laid_of_suit, laid_tiles, tile_count, has_sets, sets_with),
)
# the functions that the facts' templates call
FUNCTIONS: Mapping[str, Any] = {"HONORS": HONORS, **{function.__name__: function for function in _CALLED}}


def chow_form(chow: int, tile: int) -> str:
    """Return how *tile* filled the chow beginning with *chow*: ``middle``, ``one_end`` or ``both_ends``."""
    offset = tile - chow
    if offset == 1:
        return "middle"
    return "one_end" if (offset, chow % 9) in ((2, 0), (0, 6)) else "both_ends"
