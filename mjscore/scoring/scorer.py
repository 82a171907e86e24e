"""The scorer: a hand and a rulebook to a score sheet whose items add up to the score.

Among all arrangements of a winning hand, and all sets that the winning tile can be said to have
completed, the player takes the one with the highest final score (D1); for another hand, the best
regrouping of the concealed tiles (D5).
"""

from collections.abc import Iterator
from typing import NamedTuple

from mjscore.game.hand import Hand, TileSet, set_text
from mjscore.game.tiles import KINDS, TILES, WEIGHT, format_tiles, tiles_in
from mjscore.refusal import About, Refused, refuse
from mjscore.rulebook.binding import Rulebook, SpecialHand
from mjscore.rulebook.facts import (
    Arrangement,
    HandFacts,
    Situation,
    chow_form,
    special_arrangement,
)
from mjscore.rulebook.rule import Award, Rule, SetValue
from mjscore.rulebook.shapes import match_shape
from mjscore.scoring.arrangement import PAIRS, PUNGS, Division, divisions, regroupings
from mjscore.scoring.checks import check_hand, check_told, placed_hand
from mjscore.scoring.completing import facts_of, waits_of
from mjscore.scoring.elsewhere import won_elsewhere
from mjscore.scoring.sheet import Claim, Doubling, Item, ScoreSheet

_TALLIES_KEPT = 1 << 12

# every set that a winning tile can complete, made once: on the table where it was claimed (D2)
_COMPLETED = {
    (kind, drawn): tuple(TileSet(kind, tile, not drawn, completed=True) for tile in TILES[:KINDS])
    for kind in ("chow", "pung", "pair")
    for drawn in (True, False)
}


class Tally(NamedTuple):
    """What the awards of an arrangement add up to, and their lines on the sheet.

    *points* before doubling, *doubles*, points *added* after it, the claim worth most, and how many of the
    awards are bonuses and doubles.
    """

    points: int
    doubles: int
    added: int
    claim: Claim | None
    scored: int
    items: tuple[Item, ...]
    doubling: tuple[Doubling, ...]
    additions: tuple[Item, ...]
    claims: tuple[Claim, ...]


class Counting(NamedTuple):
    """One arrangement counted: its final score, what it *counted* before limit and claims, and by what.

    *scored* is how many items and doubles that took; *claim* the special score taken instead, *special*
    the special hand that the tiles make.
    """

    score: int
    counted: int
    scored: int
    points: int
    doubles: int
    arrangement: Arrangement
    values: tuple[SetValue, ...]
    given: tuple[Award, ...]
    tally: Tally
    claim: Claim | None = None
    special: Claim | None = None


class ScoredHand(NamedTuple):
    """What the scorer found: the hand's facts, the arrangement that the player takes as it was counted
    (None for a dead hand), the sheet, and, where asked for, the other arrangements.
    """

    facts: HandFacts
    counting: Counting | None
    sheet: ScoreSheet
    others: tuple[Counting, ...] = ()

    @property
    def counted_facts(self) -> HandFacts:
        """The hand's facts with the doubles that it was counted with."""
        return self.facts if self.counting is None else self.facts._replace(doubles=self.counting.doubles)


def score_hand(hand: Hand, rulebook: Rulebook, keep_others: bool = False) -> ScoredHand:
    """*hand* scored by *rulebook*; seat and round not given are East.

    Raises Refused for a hand that cannot be: one that no arrangement completes, a flag that
    contradicts seat or tiles, a player who does not sit at the table.
    """
    hand = placed_hand(hand)
    check_hand(hand, rulebook)
    facts = facts_of(hand, rulebook)
    if hand.win is not None and (hand.win.earlier or hand.win.all_from):
        check_told(facts, rulebook)
    if hand.dead and not _dead_hand_scores(hand, rulebook):
        sheet = ScoreSheet(
            rulebook.id, hand.seat, hand.round, False, 0, 0, 0, counted=0, dead=True, hand=hand
        )
        return ScoredHand(facts, None, sheet)
    countings = _won(facts, rulebook) if facts.won else _not_won(facts, rulebook)
    best = countings[0] if len(countings) == 1 else max(countings, key=_preference)
    others = tuple(counting for counting in countings if counting is not best) if keep_others else ()
    return ScoredHand(facts, best, _written(best, hand, rulebook), others)


def _preference(counting: Counting) -> tuple[int, int, int]:
    """Of equal scores the arrangement that counts most, then the one with the fewest items (D1)."""
    return counting.score, counting.counted, -counting.scored


def _dead_hand_scores(hand: Hand, rulebook: Rulebook) -> bool:
    """Whether a dead hand still scores its sets: one with too few tiles, in the Chinese game (D72)."""
    return rulebook.settling.short_hand_scores is not None and hand.tiles_over < 0 and not hand.unlisted


def _won(facts: HandFacts, rulebook: Rulebook) -> list[Counting]:
    """Every arrangement with which the hand wins. Raises Refused where there is none."""
    hand, win = facts.hand, facts.hand.win
    assert win is not None
    countings = [
        _counted(arrangement, facts, rulebook)
        for division in divisions(hand.packed_concealed + WEIGHT[win.tile])
        for arrangement in _arrangements(division, facts)
    ]
    if rulebook.special_hands and not hand.sets:
        countings += _special_countings(facts, rulebook)
    if not countings:
        raise _no_win(facts, rulebook)
    rule = rulebook.settling.minimum_doubles
    if rule is None:
        return countings
    # each item that doubles is one, whatever it doubles (D61)
    enough = [counting for counting in countings if len(counting.tally.doubling) >= rule.doubles]
    if not enough:
        most = max(len(counting.tally.doubling) for counting in countings)
        raise refuse(
            "too-few-doubles",
            f"a winning hand needs {rule.doubles} combinations that double, and this one has {most}",
            f"the game for two, {rule.source}; leave out the win clause if the hand did not win",
            about=About("clause"),
        )
    return enough


def _no_win(facts: HandFacts, rulebook: Rulebook) -> Refused:
    """Why a hand with a winning tile is no winning hand: what it was waiting for."""
    assert facts.hand.win is not None
    waits = ", ".join(map(str, tiles_in(waits_of(facts.hand, rulebook))))
    if waits:
        hint = f"the hand was waiting for {waits}; or leave out the win clause if it did not win"
    else:
        hint = won_elsewhere(facts.hand, rulebook)
        hint = hint or "the thirteen tiles before it were not waiting for any tile: count and read them again"
    return refuse(
        "not-a-winning-hand",
        f"{facts.hand.win.tile.title} does not complete the hand: no four sets and a pair",
        hint,
        about=About("clause"),
    )


def _arrangements(division: Division, facts: HandFacts) -> list[Arrangement]:
    """A division of a winning hand, with each set in turn that the winning tile can have completed."""
    laid, win = facts.hand.sets, facts.hand.win
    assert win is not None
    runs, pair, threes = division.chows, division.pair, division.pungs
    chows = facts.laid_chows + len(runs)
    pungs = facts.laid_pungs | division.pungs_mask
    kongs = facts.laid_kongs
    pairs = 1 << pair[0].tile
    concealed = facts.laid_concealed | division.pungs_mask
    begun_concealed = facts.laid_begun_concealed | division.pungs_mask
    if facts.original:
        sets = laid + runs + pair + threes
        return [Arrangement(sets, chows, pungs, kongs, pairs, concealed, begun_concealed)]
    tile, drawn = win.tile, win.drawn
    found = []
    last = None
    for index, run in enumerate(runs):
        # equal runs stand beside each other, and either will do
        if run is not last and 0 <= tile - run.tile <= 2:
            last = run
            completed = _COMPLETED["chow", drawn][run.tile]
            sets = (*laid, *runs[:index], completed, *runs[index + 1 :], *pair, *threes)
            form = chow_form(run.tile, tile)
            found.append(
                Arrangement(sets, chows, pungs, kongs, pairs, concealed, begun_concealed, "chow", form)
            )
    if pair[0].tile == tile:
        sets = (*laid, *runs, _COMPLETED["pair", drawn][tile], *threes)
        found.append(Arrangement(sets, chows, pungs, kongs, pairs, concealed, begun_concealed, "pair"))
    elif division.pungs_mask & facts.win_bit:
        if not drawn:
            concealed &= ~facts.win_bit
            begun_concealed &= ~facts.win_bit
        completed = _COMPLETED["pung", drawn][tile]
        sets = (*laid, *runs, *pair, *[completed if three.tile == tile else three for three in threes])
        found.append(Arrangement(sets, chows, pungs, kongs, pairs, concealed, begun_concealed, "pung"))
    return found


def _not_won(facts: HandFacts, rulebook: Rulebook) -> list[Counting]:
    """A hand that did not win, its concealed tiles regrouped in every way that can be best (D5)."""
    countings = []
    for threes, pairs in regroupings(facts.hand.packed_concealed, not rulebook.more_sets_never_hurt):
        sets = (
            *facts.hand.sets,
            *[PUNGS[tile] for tile in tiles_in(threes)],
            *[PAIRS[tile] for tile in tiles_in(pairs)],
        )
        arrangement = Arrangement(
            sets,
            facts.laid_chows,
            facts.laid_pungs | threes,
            facts.laid_kongs,
            pairs,
            facts.laid_concealed | threes,
            facts.laid_begun_concealed | threes,
        )
        countings.append(_counted(arrangement, facts, rulebook))
    return countings


def _counted(arrangement: Arrangement, facts: HandFacts, rulebook: Rulebook) -> Counting:
    """What an arrangement scores, by its sets and by its awards."""
    situation = rulebook.situation_of(facts, arrangement)
    known = rulebook.set_values.get(situation)
    if known is None:
        known = rulebook.set_values[situation] = {}
    points = scored = 0
    values = []
    for tile_set in arrangement.sets:
        value = known.get(tile_set)
        if value is None:
            value = known[tile_set] = _set_value(tile_set, situation, rulebook)
        values.append(value)
        if value.points:
            points += value.points
            scored += len(value.rules)
    evaluate = rulebook.evaluate_winner if facts.won else rulebook.evaluate_other
    given = evaluate(facts, arrangement, values)
    tally: Tally | None = rulebook.tallies.get(given)
    if tally is None:
        tally = _tallied(given, rulebook)
    points += tally.points
    counted = score = (points << tally.doubles) + tally.added
    if rulebook.limit is not None and score > rulebook.limit:
        score = rulebook.capped(score, facts.won)
    claim = tally.claim
    if claim is not None:
        if claim.points >= score:
            score = claim.points
        else:
            claim = None
    return Counting(
        score,
        counted,
        scored + tally.scored,
        points,
        tally.doubles,
        arrangement,
        tuple(values),
        given,
        tally,
        claim,
    )


def _set_value(tile_set: TileSet, situation: Situation, rulebook: Rulebook) -> SetValue:
    rules = tuple(rule for rule in rulebook.evaluate_set(situation, tile_set) if rule.points)
    tiles = set_text(tile_set.kind, tile_set.tile)
    items = tuple(Item(rule.id, rule.title, rule.points, rule.source, tiles) for rule in rules)
    return SetValue(sum(rule.points for rule in rules), rules, items)


def _tallied(given: tuple[Award, ...], rulebook: Rulebook) -> Tally:
    """What awards add up to, kept for the next hand that has the same."""
    items: list[Item] = []
    doubling: list[Doubling] = []
    additions: list[Item] = []
    claims: list[Claim] = []
    for award in given:
        rule = rulebook.rules[award.rule]
        if rule.section == "bonus":
            items.append(Item(rule.id, rule.title, rule.points * award.times, rule.source))
        elif rule.section == "double":
            doubling.append(Doubling(rule.id, rule.title, rule.doubles * award.times, rule.source))
        else:
            points = rulebook.part_of_limit(rule)
            if rule.section == "limit" and points is not None:
                claims.append(Claim(rule.id, rule.title, points, rule.source))
            elif points:
                additions.append(Item(rule.id, rule.title, points, rule.source))
    tally = Tally(
        sum(item.points for item in items),
        sum(line.doubles for line in doubling),
        sum(item.points for item in additions),
        max(claims, key=lambda claim: claim.points, default=None),
        len(items) + len(doubling),
        tuple(items),
        tuple(doubling),
        tuple(additions),
        tuple(claims),
    )
    if len(rulebook.tallies) >= _TALLIES_KEPT:
        rulebook.tallies.clear()
    rulebook.tallies[given] = tally
    return tally


def _special_countings(facts: HandFacts, rulebook: Rulebook) -> Iterator[Counting]:
    """Special hands score what they are worth and nothing in them is counted (D58)."""
    hand = facts.hand
    assert hand.win is not None
    for special in rulebook.special_hands:
        sets = match_shape(special.alternatives, hand.packed_concealed + WEIGHT[hand.win.tile])
        if sets is None:
            continue
        arrangement = special_arrangement(sets)
        if special.when is None or special.when(facts, arrangement):
            yield _special_counting(special, arrangement, facts, rulebook)


def _special_counting(
    special: SpecialHand, arrangement: Arrangement, facts: HandFacts, rulebook: Rulebook
) -> Counting:
    """A special hand, which scores more only by what is given to special hands too."""
    own = claim = _claim(special.rule, rulebook)
    given = tuple(
        award
        for award in rulebook.evaluate_winner(facts, arrangement, ())
        if rulebook.rules[award.rule].special
    )
    for award in given:
        other = _claim(rulebook.rules[award.rule], rulebook)
        if other.points > claim.points:
            claim = other
    score = rulebook.capped(claim.points, True)
    return Counting(score, 0, 0, 0, 0, arrangement, (), given, _tallied(given, rulebook), claim, own)


def _claim(rule: Rule, rulebook: Rulebook) -> Claim:
    return Claim(rule.id, rule.title, rulebook.part_of_limit(rule) or 0, rule.source)


def _written(best: Counting, hand: Hand, rulebook: Rulebook) -> ScoreSheet:
    """The score sheet of the arrangement that the player takes."""
    tally, special, sets = best.tally, best.special, best.arrangement.sets
    won = hand.win is not None
    items = tally.items
    for value in best.values:
        if value.items:
            items += value.items
    if not won:
        # of the concealed tiles only the sets that score are shown
        laid = len(hand.sets)
        sets = sets[:laid] + tuple(
            [tile_set for tile_set, value in zip(sets[laid:], best.values[laid:], strict=True) if value.rules]
        )
    if best.claim is not None:
        score_set_by: str | None = best.claim.rule
    else:
        score_set_by = "limit" if best.score < best.counted else None
    return ScoreSheet(
        rulebook.id,
        hand.seat,
        hand.round,
        won,
        best.score,
        best.points,
        best.doubles,
        score_set_by,
        sets,
        items,
        tally.doubling,
        tally.additions,
        tally.claims if special is None else (special, *tally.claims),
        best.counted,
        special.rule if special is not None else None,
        hand.dead,
        hand,
        remarks=_remarks(hand, rulebook) if hand.bonus else (),
    )


def _remarks(hand: Hand, rulebook: Rulebook) -> tuple[str, ...]:
    """What whoever typed the hand should know: which of its bonus tiles bring nothing (D15)."""
    idle = [tile for tile in hand.bonus if not rulebook.counts_bonus(tile, hand)]
    if not idle:
        return ()
    verb = "brings" if len(idle) == 1 else "bring"
    return (f"{format_tiles(idle)} {verb} nothing by {rulebook.id} as it is played here",)
