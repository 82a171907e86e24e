"""Which tiles would complete a hand, and the facts of a hand, which may ask for them."""

from collections.abc import Iterator

from mjscore.game.hand import Hand, Win
from mjscore.game.tiles import KINDS, TILES, WEIGHT, WINDS, Tile
from mjscore.rulebook.binding import Rulebook, SpecialHand
from mjscore.rulebook.facts import HandFacts, hand_facts, special_arrangement
from mjscore.rulebook.shapes import match_shape, may_wait
from mjscore.scoring.arrangement import own_fours, standard_waits

_ROUND_NUMBERS = {wind: number for number, wind in enumerate(WINDS)}


def facts_of(hand: Hand, rulebook: Rulebook) -> HandFacts:
    """The facts of a hand that ``check_hand`` has let pass; what it waits for only where the rulebook asks."""
    assert hand.seat is not None
    assert hand.round is not None
    if hand.win is None:
        waits = waits_of(hand, rulebook) if rulebook.asks_waiting else 0
    else:
        waits = places_of(hand, rulebook) if rulebook.asks_only_place else 0
    return hand_facts(hand, rulebook.seat_numbers[hand.seat], _ROUND_NUMBERS[hand.round], waits)


def waits_of(hand: Hand, rulebook: Rulebook) -> int:
    """Mask of the tiles that would complete the hand's tiles before the winning one and that can be had."""
    return places_of(hand, rulebook) & ~own_fours(hand.packed_concealed + hand.packed_laid)


def places_of(hand: Hand, rulebook: Rulebook) -> int:
    """Mask of the tiles that would complete the hand by any shape, wherever the four of them are (D6)."""
    waits = standard_waits(hand.packed_concealed)
    if rulebook.special_hands and not hand.sets:
        for special in rulebook.special_hands:
            waits |= _special_waits(hand, special, rulebook)
    return waits


def before_each_set(facts: HandFacts) -> Iterator[HandFacts]:
    """The hand as it lay on the table before each set that a claimed tile may have made, fed with its tiles."""
    hand = facts.hand
    for index, tile_set in enumerate(hand.sets):
        if tile_set.exposed:
            before = hand._replace(sets=hand.sets[:index] + hand.sets[index + 1 :])
            round_number = WINDS.index(hand.round or "E")
            fed = sum(1 << tile for tile in set(tile_set.tiles))
            yield hand_facts(before, facts.seat, round_number)._replace(win_bit=fed)


def completed_by(hand: Hand, tile: Tile, drawn: bool) -> Hand:
    """The hand won by *tile*, with the rest of its win clause dropped."""
    return hand._replace(win=Win(tile, drawn), dead=False, no_choice=False, unlisted=False)


def _facts(hand: Hand, rulebook: Rulebook, waits: int) -> HandFacts:
    assert hand.seat is not None
    assert hand.round is not None
    return hand_facts(hand, rulebook.seat_numbers[hand.seat], _ROUND_NUMBERS[hand.round], waits)


def _special_waits(hand: Hand, special: SpecialHand, rulebook: Rulebook) -> int:
    waits = 0
    if not may_wait(special.alternatives, hand.packed_concealed):
        return waits
    for tile in TILES[:KINDS]:
        sets = match_shape(special.alternatives, hand.packed_concealed + WEIGHT[tile])
        if sets is None:
            continue
        if special.when is not None:
            as_won = hand.win is not None and hand.win.tile == tile
            won = hand if as_won else completed_by(hand, tile, True)
            # what a hand waits for is no part of the condition of a shape
            if not special.when(_facts(won, rulebook, 0), special_arrangement(sets)):
                continue
        waits |= 1 << tile
    return waits
