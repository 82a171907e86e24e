"""Which tiles would complete a hand; and the facts of a hand, some of which depend on those tiles."""

from collections.abc import Iterable, Iterator

from mjscore.game.hand import FLAGS_OF_EVERY_HAND, Hand, TileSet, Win
from mjscore.game.tiles import KINDS, TILES, WEIGHT, Tile, fours_in, tiles_in
from mjscore.rulebook.compiling import InForce, Test
from mjscore.rulebook.entries import FLAG_FOLLOWS
from mjscore.rulebook.facts import Arrangement, HandFacts, arranged, chow_form, hand_facts
from mjscore.rulebook.rule import Rule
from mjscore.rulebook.rulebook import Rulebook
from mjscore.rulebook.shapes import match_shape, may_complete, may_wait
from mjscore.scoring.arrangement import Division, divisions, standard_waits

# every set that a winning tile can complete: exposed if the tile was claimed (D2)
_COMPLETED = {
    (kind, drawn): tuple(TileSet(kind, tile, not drawn, completed=True) for tile in TILES[:KINDS])
    for kind in ("chow", "pung", "pair")
    for drawn in (True, False)
}


def facts_of(hand: Hand, rulebook: Rulebook) -> HandFacts:
    """Return the facts of a checked hand; its waits only if the rulebook needs them.

    A dead hand, or one given in part, waits for nothing.
    """
    if hand.win is not None:
        asks_places = "only_place" in rulebook.asked or "only_wait" in rulebook.asked
        return hand_facts(hand, places_of(hand, rulebook) if asks_places else 0)
    if hand.unlisted or hand.dead:
        return hand_facts(hand)
    facts = hand_facts(hand, waits_of(hand, rulebook) if "waiting" in rulebook.asked else 0)
    if rulebook.waited_for:
        facts = facts._replace(waiting_for=_entries_waited_for(hand, rulebook))
    return facts


def waits_of(hand: Hand, rulebook: Rulebook) -> int:
    """Return the mask of the tiles that would complete the hand, before its winning tile, and are still to be had."""
    return places_of(hand, rulebook) & ~fours_in(hand.packed_before)


def places_of(hand: Hand, rulebook: Rulebook) -> int:
    """Return the mask of the tiles that would complete the hand, including those of which it holds all four (D6).

    The rulebook's requirements for a win are checked as far as the arrangement decides them.
    """
    waits = standard_waits(hand.packed_concealed)
    if rulebook.shape_wins:
        waits = sum(1 << tile for tile in tiles_in(waits) if next(_wins_with(hand, tile, rulebook), None))
    for special in rulebook.laid_hands if hand.sets else rulebook.special_hands:
        waits |= _special_waits(hand, special, rulebook)
    return waits


def misread_tiles(hand: Hand) -> list[tuple[Tile, Tile]]:
    """Return pairs: a held tile, and one of its suit with which the winning tile would complete the hand.

    Of these pairs, only those nearest in value are returned.
    """
    assert hand.win is not None
    packed = hand.packed_concealed + WEIGHT[hand.win.tile]
    misread = [
        (abs(tile - other), tile, other)
        for tile in dict.fromkeys(hand.concealed)
        for other in tiles_in(standard_waits(packed - WEIGHT[tile]) & ~fours_in(packed + hand.packed_laid))
        if tile // 9 == other // 9 and tile != other
    ]
    nearest = min((far for far, _, _ in misread), default=0)
    return [(tile, other) for far, tile, other in misread if far == nearest]


def player_on_the_left(hand: Hand, rulebook: Rulebook) -> str:
    """Return the seat whose discards the player of *hand* may claim for a chow."""
    assert hand.seat is not None
    return rulebook.seats[rulebook.seats.index(hand.seat) - 1]


def before_each_set(facts: HandFacts, feeder: str, rulebook: Rulebook) -> Iterator[HandFacts]:
    """Yield, for each exposed set that *feeder* may have completed, the facts of the hand without that set.

    The set's tiles are the winning tiles in these facts. Only the player on the left can feed a chow (D78).
    """
    hand = facts.hand
    on_the_left = feeder == player_on_the_left(hand, rulebook)
    for index, tile_set in enumerate(hand.sets):
        if tile_set.exposed and (on_the_left or tile_set.kind != "chow"):
            before = hand._replace(sets=hand.sets[:index] + hand.sets[index + 1 :])
            fed = sum(1 << tile for tile in set(tile_set.tiles))
            yield hand_facts(before)._replace(win_bit=fed)


def completed_by(hand: Hand, tile: Tile, drawn: bool, rulebook: Rulebook) -> Hand:
    """Return the hand won by *tile*, keeping only those of its flags that such a winner may have."""
    how, flags = "drawn" if drawn else "claimed", rulebook.flags.items()
    fitting = {flag for flag, entry in flags if how in entry.data.get("follows", FLAG_FOLLOWS)}
    win = Win(
        tile, drawn, flags=hand.flags & fitting.union(FLAGS_OF_EVERY_HAND) if hand.flags else hand.flags
    )
    return hand._replace(win=win, flags=frozenset(), dead=False, no_choice=False, unlisted=False)


def arrangements(division: Division, facts: HandFacts) -> list[Arrangement]:
    """Return a winning hand's arrangements by a division, one for each set that its tile may have completed.

    If the hand states that set, only its arrangement; if won as dealt, only one with no set completed.
    """
    laid, win = facts.laid, facts.hand.win
    assert win is not None
    runs, pair, threes, mask = division
    concealed, begun_concealed = laid.concealed_pungs | mask, laid.pungs_begun_concealed | mask
    counted = (laid.chows + len(runs), laid.pungs | mask, laid.kongs, 1 << pair[0].tile)
    if facts.original:
        return [Arrangement(laid.sets + runs + pair + threes, *counted, concealed, begun_concealed)]
    tile, drawn = win.tile, win.drawn
    completed_by = []
    last = None
    for index, run in enumerate(runs):
        # equal chows are next to each other, and either will do
        if run is not last and 0 <= tile - run.tile <= 2:
            last, completed, form = run, _COMPLETED["chow", drawn][run.tile], chow_form(run.tile, tile)
            sets = (*laid.sets, *runs[:index], completed, *runs[index + 1 :], *pair, *threes)
            completed_by.append(Arrangement(sets, *counted, concealed, begun_concealed, "chow", form))
    if pair[0].tile == tile:
        sets = (*laid.sets, *runs, _COMPLETED["pair", drawn][tile], *threes)
        completed_by.append(Arrangement(sets, *counted, concealed, begun_concealed, "pair"))
    elif mask & facts.win_bit:
        if not drawn:
            concealed &= ~facts.win_bit
            begun_concealed &= ~facts.win_bit
        completed = _COMPLETED["pung", drawn][tile]
        sets = (*laid.sets, *runs, *pair, *[completed if three.tile == tile else three for three in threes])
        completed_by.append(Arrangement(sets, *counted, concealed, begun_concealed, "pung"))
    if win.stated is not None:
        return [arrangement for arrangement in completed_by if win.stated in arrangement.sets]
    return completed_by


def special_arrangements(specials: Iterable[InForce], facts: HandFacts) -> Iterator[tuple[Rule, Arrangement]]:
    """Yield the rule and the arrangement of each of the *specials* that a winning hand's tiles make."""
    hand = facts.hand
    assert hand.win is not None
    for special in specials:
        if hand.sets and not special.rule.laid:
            continue
        sets = match_shape(special.alternatives, hand.packed_concealed + WEIGHT[hand.win.tile], hand.sets)
        if sets is not None:
            arrangement = arranged(sets, special=True)
            if special.when(facts, arrangement):
                yield special.rule, arrangement


def _wins_with(hand: Hand, tile: Tile, rulebook: Rulebook) -> Iterator[tuple[HandFacts, Arrangement]]:
    """Yield the facts and arrangement of each way in which *tile*, drawn or claimed, completes four sets and a pair."""
    for facts in _won_by(hand, tile, rulebook):
        for division in divisions(hand.packed_concealed + WEIGHT[tile]):
            for arrangement in arrangements(division, facts):
                if all(when(facts, arrangement) for when in rulebook.shape_wins):
                    yield facts, arrangement


def _won_by(hand: Hand, tile: Tile, rulebook: Rulebook) -> Iterator[HandFacts]:
    """Yield the facts of the hand won by *tile*: as it was if that is its winning tile, else drawn, then claimed."""
    as_it_was = hand.win is not None and hand.win.tile == tile
    for drawn in (None,) if as_it_was else (True, False):
        yield hand_facts(hand if drawn is None else completed_by(hand, tile, drawn, rulebook))


def _entries_waited_for(hand: Hand, rulebook: Rulebook) -> frozenset[str]:
    """Return the ids of the special and limit hands named in conditions that a losing hand lacks one tile of."""
    fours = fours_in(hand.packed_before)
    waited_for: set[str] = set()
    limits: dict[str, Test] = {}
    for name, waited in rulebook.waited_for.items():
        if waited.rule.section == "limit":
            limits[name] = waited.when
        elif (waited.rule.laid or not hand.sets) and _special_waits(hand, waited, rulebook) & ~fours:
            waited_for.add(name)
    for tile in tiles_in(standard_waits(hand.packed_concealed) & ~fours) if limits else ():
        for facts, arrangement in _wins_with(hand, tile, rulebook):
            waited_for |= {name for name, when in limits.items() if when(facts, arrangement)}
    return frozenset(waited_for)


def _special_waits(hand: Hand, special: InForce, rulebook: Rulebook) -> int:
    waits = 0
    # the quick test takes thirteen tiles
    if not hand.sets and not may_wait(special.alternatives, hand.packed_concealed):
        return waits
    # a tile of which the hand holds all four would be the fifth
    may_win = may_complete(special.alternatives, hand.packed_concealed)
    for tile in tiles_in(may_win & ~fours_in(hand.packed_before)):
        sets = match_shape(special.alternatives, hand.packed_concealed + WEIGHT[tile], hand.sets)
        if sets is None:
            continue
        # the condition of a shape never asks for waits
        tests = (*rulebook.shape_wins, special.when)
        arrangement = arranged(sets, special=True)
        if any(all(test(facts, arrangement) for test in tests) for facts in _won_by(hand, tile, rulebook)):
            waits |= 1 << tile
    return waits
