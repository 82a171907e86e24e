"""Hands that show what the special and limit hands of a rulebook are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby

from mjscore.game.tiles import WEIGHT, Tile, format_tiles
from mjscore.notation.hands import parse
from mjscore.refusal import Refused
from mjscore.rulebook.binding import Rulebook, SpecialHand
from mjscore.rulebook.facts import special_arrangement
from mjscore.rulebook.shapes import example_of, match_shape
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.winning_tiles import facts_of

# hands that a rulebook is asked about, the plainest of each sort first
_HANDS = (
    "1112345678999c +5c", "222b 444b 666b 888b 3b +3b", "111c 333c 666c 888c 2c +2c", "111b 999b 111c 999d 9c +9c",
    "222d 444d 777d EEE 6d +6d", "111b 999c EEE RRR 1d +1d", "RRR GGG EEE SSS N +N", "RRR GGG WWWd 444c 7b +7b", "EEE SSS WWWw NNN 5c +5c",
    "EEE SSS WWWw 444c N +N", "222b 444c 777d EEE 6d +6d",
    "[2222b] [4444c] [6666d] [7777b] 9d +9d!loose", "111d 234d 678d 999d 5d +5d",
)  # fmt: skip


def example_tiles(name: str, book: Rulebook) -> tuple[tuple[Tile, ...], ...]:
    """Give the tiles, set by set, of a hand that is the special or limit hand *name*; none where no plain hand is."""
    for special in (*book.special_hands, *book.lacking_a_limit):
        if special.rule.id == name:
            tiles = example_of(special.alternatives)
            by_suit = tuple(tuple(group) for _, group in groupby(tiles, key=lambda tile: min(tile // 9, 3)))
            return by_suit if _is_hand(tiles, special, book) else ()
    return _examples(book).get(name, ())


def _is_hand(tiles: tuple[Tile, ...], special: SpecialHand, book: Rulebook) -> bool:
    """Tell whether the tiles hold what a special hand asks for besides its shape."""
    facts = facts_of(parse(f"E@E: {format_tiles(tiles[:-1])} +{tiles[-1]}"), book)
    sets = match_shape(special.alternatives, sum(WEIGHT[tile] for tile in tiles))
    return sets is not None and (special.when is None or special.when(facts, special_arrangement(sets)))


@lru_cache(maxsize=16)
def _examples(book: Rulebook) -> Mapping[str, tuple[tuple[Tile, ...], ...]]:
    """Try all hands, and keep for each limit hand the one that is the fewest others too."""
    found: dict[str, tuple[int, tuple[tuple[Tile, ...], ...]]] = {}
    for text in _HANDS:
        try:
            scored = score_hand(parse(f"E: {text}"), book)
        except Refused:
            continue
        if scored.counting is not None:
            given = [
                award.rule for award in scored.counting.given if book.rules[award.rule].section == "limit"
            ]
            sets = sorted(scored.counting.arrangement.sets, key=lambda one: (len(one.tiles) < 3, one.tile))
            for name in given:
                if name not in found or len(given) < found[name][0]:
                    found[name] = len(given), tuple(one.tiles for one in sets)
    return {name: tiles for name, (_, tiles) in found.items()}
