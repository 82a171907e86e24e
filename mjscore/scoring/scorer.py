"""The scorer: a hand and a rulebook to a score sheet whose items add up to the score.

Among all arrangements of a winning hand, and all sets that the winning tile can be said to have
completed, the player takes the one with the highest final score (D1); for another hand, the best
regrouping of the concealed tiles (D5).
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from mjscore.game.hand import Hand, TileSet, set_text
from mjscore.game.tiles import WEIGHT, Tile, format_tiles, tiles_in
from mjscore.refusal import About, Refused, refuse
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.facts import (
    Arrangement,
    HandFacts,
    Situation,
    special_arrangement,
)
from mjscore.rulebook.rule import Award, Rule, SetValue
from mjscore.rulebook.shapes import match_shape
from mjscore.scoring.arrangement import KONGS, PAIRS, PUNGS, divisions, held_thrice, regroupings
from mjscore.scoring.checks import NOT_ARRANGED, check_hand, check_told, placed_hand
from mjscore.scoring.other_rulebooks import won_elsewhere
from mjscore.scoring.reasons import Asked, why_not
from mjscore.scoring.sheet import Claim, Doubling, Item, ScoreSheet
from mjscore.scoring.winning_tiles import arrangements, facts_of, waits_of

_TALLIES_KEPT = 1 << 12


class AwardTotal(NamedTuple):
    """What the awards of an arrangement add up to, and their lines on the sheet.

    *points* before doubling, *doubles*, points *added* after it, the claim worth most, and how many of the
    awards are bonuses and doubles. Of the points *bonus_points* are for bonus tiles, and *bonus_worth* is
    what these and their doubles give by themselves. A claim that is *never_counted* is taken even where
    it is less; *multiplied* claims are the points with doubles of their own.
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
    bonus_points: int
    bonus_worth: int
    never_counted: bool
    multiplied: tuple[Rule, ...]


class ScoredArrangement(NamedTuple):
    """One arrangement counted: its final score, what it *counted* before limit and claims, and by what.

    *scored* is how many items and doubles that took; *claim* the special score taken instead, *special*
    the special hand that the tiles make, *claims* all special scores that may be claimed.
    """

    score: int
    counted: int
    scored: int
    points: int
    doubles: int
    arrangement: Arrangement
    values: tuple[SetValue, ...]
    given: tuple[Award, ...]
    tally: AwardTotal
    claim: Claim | None
    special: Claim | None
    claims: tuple[Claim, ...]


class ScoredHand(NamedTuple):
    """What the scorer found: the hand's facts, the arrangement that the player takes as it was counted
    (None for a dead hand), the sheet, and, where asked for, the other arrangements.
    """

    facts: HandFacts
    counting: ScoredArrangement | None
    sheet: ScoreSheet
    others: tuple[ScoredArrangement, ...] = ()

    @property
    def counted_facts(self) -> HandFacts:
        """Give the hand's facts with the doubles that it was counted with; a dead hand, which is not, has none."""
        assert self.counting is not None
        return self.facts._replace(doubles=self.counting.doubles)


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
    countings = _won(facts, rulebook) if facts.won else _not_won(facts, rulebook, keep_others)
    best = countings[0] if len(countings) == 1 else max(countings, key=_preference)
    if keep_others and hand.win is not None and hand.win.stated is not None:
        countings = _won(_unstated(facts), rulebook)
    others = tuple(counting for counting in countings if counting != best) if keep_others else ()
    return ScoredHand(facts, best, _written(best, hand, rulebook), others)


def _preference(counting: ScoredArrangement) -> tuple[int, int, int]:
    """Of equal scores the arrangement that counts most, then the one with the fewest items (D1)."""
    return counting.score, counting.counted, -counting.scored


def _dead_hand_scores(hand: Hand, rulebook: Rulebook) -> bool:
    """Tell whether a dead hand still scores its sets: one with too few tiles, in the Chinese game (D72)."""
    return rulebook.settling.short_hand_scores is not None and hand.tiles_over < 0 and not hand.unlisted


def _won(facts: HandFacts, rulebook: Rulebook) -> list[ScoredArrangement]:
    """Give every arrangement with which the hand wins. Raises Refused where there is none."""
    hand, win = facts.hand, facts.hand.win
    assert win is not None
    countings = [
        _counted(arrangement, facts, rulebook)
        for division in divisions(hand.packed_concealed + WEIGHT[win.tile])
        for arrangement in arrangements(division, facts)
    ]
    if not hand.sets and win.stated is None:
        countings += _special_countings(facts, rulebook)
    if not countings:
        raise _no_win(facts, rulebook) if win.stated is None else _not_that_set(facts, rulebook)
    if not rulebook.wins:
        return countings
    allowed = [
        counting
        for counting in countings
        if all(win.when(_as_counted(counting, facts), counting.arrangement) for win in rulebook.wins)
    ]
    if not allowed:
        raise _may_not_win(max(countings, key=_preference), facts, rulebook)
    return allowed


def _unstated(facts: HandFacts) -> HandFacts:
    """Give the facts of the same hand where nobody says which set the winning tile completed."""
    assert facts.hand.win is not None
    return facts._replace(hand=facts.hand._replace(win=facts.hand.win._replace(stated=None)))


def _not_that_set(facts: HandFacts, rulebook: Rulebook) -> Refused:
    """Tell which sets the winning tile can have completed, where it is said to have completed another."""
    win = facts.hand.win
    assert win is not None
    completed = dict.fromkeys(
        str(tile_set)
        for counting in _won(_unstated(facts), rulebook)
        for tile_set in counting.arrangement.sets
        if tile_set.completed
    )
    clause = ("+" if win.drawn else "<") + str(win.tile)
    typed = [f"{clause}({tiles})" for tiles in completed]
    return refuse(
        "not-that-set",
        "other" if completed else "special",
        title=win.tile.title,
        stated=win.stated,
        completed=" or ".join(completed),
        typed=" or ".join([*typed, clause]),
        about=About("clause"),
    )


def _as_counted(counting: ScoredArrangement, facts: HandFacts) -> HandFacts:
    return facts._replace(
        doubles=counting.doubles, doublings=len(counting.tally.doubling), score=counting.score
    )


def _may_not_win(best: ScoredArrangement, facts: HandFacts, rulebook: Rulebook) -> Refused:
    """Tell which condition keeps a whole hand from winning, told of the arrangement that scores most."""
    counted = _as_counted(best, facts)
    win = next(win for win in rulebook.wins if not win.when(counted, best.arrangement))
    asked = Asked(counted, best.arrangement, best.values, best.given, rulebook)
    why = why_not(win.node, asked)
    return refuse("may-not-win", why=why, title=win.rule.title, source=win.rule.source, about=About("clause"))


def _no_win(facts: HandFacts, rulebook: Rulebook) -> Refused:
    """Tell why a hand with a winning tile is no winning hand: what it was waiting for."""
    assert facts.hand.win is not None
    packed = facts.hand.packed_concealed + WEIGHT[facts.hand.win.tile]
    for special in rulebook.lacking_a_limit:
        sets = match_shape(special.alternatives, packed)
        if sets is not None and (special.when is None or special.when(facts, special_arrangement(sets))):
            title, source = special.rule.title, special.rule.source
            return refuse("not-a-winning-hand", "no-limit", title=title, source=source, about=About("clause"))
    waits = ", ".join(map(str, tiles_in(waits_of(facts.hand, rulebook))))
    where = "" if waits else won_elsewhere(facts.hand, rulebook)
    kind, title = "waits" if waits else "elsewhere" if where else "none", facts.hand.win.tile.title
    return refuse("not-a-winning-hand", kind, title=title, waits=waits, where=where, about=About("clause"))


def _not_won(facts: HandFacts, rulebook: Rulebook, keep_others: bool) -> list[ScoredArrangement]:
    """Regroup a hand that did not win, its concealed tiles in every way that can be best (D5), or in all ways."""
    countings = []
    undeclared = rulebook.settling.undeclared_fours is not None
    no_pairs = 0 if keep_others or not rulebook.threes_never_hurt else _better_as_threes(facts, rulebook)
    for fours, threes, pairs in regroupings(
        facts.hand.packed_concealed, not rulebook.more_sets_never_hurt, undeclared, no_pairs
    ):
        sets = (
            *facts.hand.sets,
            *[KONGS[tile] for tile in tiles_in(fours)],
            *[PUNGS[tile] for tile in tiles_in(threes)],
            *[PAIRS[tile] for tile in tiles_in(pairs)],
        )
        arrangement = Arrangement(
            sets,
            facts.laid_chows,
            facts.laid_pungs | threes | fours,
            facts.laid_kongs | fours,
            pairs,
            facts.laid_concealed | threes | fours,
            facts.laid_begun_concealed | threes | fours,
        )
        countings.append(_counted(arrangement, facts, rulebook))
    return countings


def _better_as_threes(facts: HandFacts, rulebook: Rulebook) -> int:
    """Mask of the kinds of which a concealed three scores more than a pair."""
    situation = rulebook.situation_of(facts, NOT_ARRANGED)
    known = rulebook.set_values.setdefault(situation, {})
    mask = 0
    for tile in held_thrice(facts.hand.packed_concealed):
        three, pair = (
            known.get(one) or known.setdefault(one, _set_value(one, situation, rulebook))
            for one in (PUNGS[tile], PAIRS[tile])
        )
        mask |= (three.points > pair.points) << tile
    return mask


def _counted(
    arrangement: Arrangement, facts: HandFacts, rulebook: Rulebook, shape: Rule | None = None
) -> ScoredArrangement:
    """Tell what an arrangement scores, by its sets and by its awards, or as the special hand *shape*."""
    situation = rulebook.situation_of(facts, arrangement)
    known = rulebook.set_values.setdefault(situation, {})
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
    tally: AwardTotal | None = rulebook.tallies.get(given)
    if tally is None:
        tally = _tallied(given, rulebook)
    points += tally.points
    counted = score = (points << tally.doubles) + tally.added
    if rulebook.limit is not None and score > rulebook.limit:
        score = rulebook.capped(score, facts.won)
    claim, claims = tally.claim, tally.claims
    special = None
    if shape is not None or tally.multiplied:
        if shape is not None:
            special = _claim(shape, rulebook, tally.bonus_worth)
            claims = (special, *claims)
        claims += tuple(_multiplied(rule, points, tally) for rule in tally.multiplied)
        claim = max(claims, key=_points_of)
    if claim is not None:
        worth = rulebook.capped(claim.points, facts.won, rulebook.rules[claim.rule])
        if worth >= score or tally.never_counted:
            score = worth
        else:
            claim = None
    return ScoredArrangement(
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
        special,
        claims,
    )


def _points_of(claim: Claim) -> int:
    return claim.points


def _multiplied(rule: Rule, points: int, tally: AwardTotal) -> Claim:
    """Give the points of sets and bonuses with the doubles of *rule* alone; bonus tiles are counted apart."""
    if not rule.bonus_tiles:
        return Claim(rule.id, rule.title, points << rule.doubles, rule.source)
    worth = (points - tally.bonus_points << rule.doubles) + tally.bonus_worth
    more = f", and {tally.bonus_worth} for bonus tiles" if tally.bonus_worth else ""
    return Claim(rule.id, rule.title + more, worth, rule.source)


def _set_value(tile_set: TileSet, situation: Situation, rulebook: Rulebook) -> SetValue:
    rules = tuple(rule for rule in rulebook.evaluate_set(situation, tile_set) if rule.points)
    tiles = set_text(tile_set.kind, tile_set.tile)
    items = tuple(Item(rule.id, rule.title, rule.points, rule.source, tiles) for rule in rules)
    return SetValue(sum(rule.points for rule in rules), rules, items)


def _tallied(given: tuple[Award, ...], rulebook: Rulebook) -> AwardTotal:
    """Tell what awards add up to, kept for the next hand that has the same."""
    items: list[Item] = []
    doubling: list[Doubling] = []
    additions: list[Item] = []
    claims: list[Claim] = []
    special: list[Rule] = []
    bonus_points = bonus_doubles = 0
    for award in given:
        rule = rulebook.rules[award.rule]
        if rule.bonus_tiles:
            bonus_points += rule.points * award.times if rule.section == "bonus" else 0
            bonus_doubles += rule.doubles * award.times if rule.section == "double" else 0
        if rule.section == "bonus":
            items.append(Item(rule.id, rule.title, rule.points * award.times, rule.source))
        elif rule.section == "double":
            doubling.append(Doubling(rule.id, rule.title, rule.doubles * award.times, rule.source))
        elif rule.section == "limit":
            special.append(rule)
        elif points := rulebook.part_of_limit(rule):
            additions.append(Item(rule.id, rule.title, points, rule.source))
    bonus_worth = bonus_points << bonus_doubles
    for rule in special:
        points = rulebook.part_of_limit(rule)
        if points is not None and not rule.doubles:
            claims.append(_claim(rule, rulebook, bonus_worth))
    tally = AwardTotal(
        sum(item.points for item in items),
        sum(line.doubles for line in doubling),
        sum(item.points for item in additions),
        max(claims, key=lambda claim: claim.points, default=None),
        len(items) + len(doubling),
        tuple(items),
        tuple(doubling),
        tuple(additions),
        tuple(claims),
        bonus_points,
        bonus_worth,
        any(rule.never_counted for rule in special),
        tuple(rule for rule in special if rule.doubles),
    )
    if len(rulebook.tallies) >= _TALLIES_KEPT:
        rulebook.tallies.clear()
    rulebook.tallies[given] = tally
    return tally


def _special_countings(facts: HandFacts, rulebook: Rulebook) -> Iterator[ScoredArrangement]:
    """Special hands score what they are worth and nothing in them is counted (D58)."""
    hand = facts.hand
    assert hand.win is not None
    for special in rulebook.special_hands:
        sets = match_shape(special.alternatives, hand.packed_concealed + WEIGHT[hand.win.tile])
        if sets is None:
            continue
        arrangement = special_arrangement(sets)
        if special.when is None or special.when(facts, arrangement):
            if special.rule.may_be_counted:
                yield _counted(arrangement, facts, rulebook, special.rule)
            else:
                yield _special_counting(special.rule, arrangement, facts, rulebook)


def _special_counting(
    shape: Rule, arrangement: Arrangement, facts: HandFacts, rulebook: Rulebook
) -> ScoredArrangement:
    """Give a special hand, which scores more only by what is given to special hands too, or for bonus tiles."""
    rules = rulebook.rules
    given = tuple(
        award
        for award in rulebook.evaluate_winner(facts, arrangement, ())
        if rules[award.rule].special
        or (shape.bonus_tiles and rules[award.rule].bonus_tiles and rules[award.rule].section != "limit")
    )
    tally: AwardTotal = rulebook.tallies.get(given) or _tallied(given, rulebook)
    own = _claim(shape, rulebook, tally.bonus_worth)
    claims = (own, *tally.claims)
    claim = max(claims, key=_points_of)
    score = rulebook.capped(claim.points, True, rulebook.rules[claim.rule])
    points, doubles = tally.points, tally.doubles
    counted = points << doubles
    return ScoredArrangement(
        score, counted, tally.scored, points, doubles, arrangement, (), given, tally, claim, own, claims
    )


def _claim(rule: Rule, rulebook: Rulebook, bonus_worth: int) -> Claim:
    """Tell what a special or limit hand is worth, with *bonus_worth* points where bonus tiles are added to it."""
    title, points = rule.title, rulebook.part_of_limit(rule) or 0
    if rule.bonus_tiles and bonus_worth:
        title, points = f"{title}, and {bonus_worth} for bonus tiles", points + bonus_worth
    return Claim(rule.id, title, points, rule.source)


def _written(best: ScoredArrangement, hand: Hand, rulebook: Rulebook) -> ScoreSheet:
    """Give the score sheet of the arrangement that the player takes."""
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
        best.claims,
        best.counted,
        special.rule if special is not None else None,
        hand.dead,
        hand,
        remarks=_remarks(hand.bonus, hand.seat, rulebook) if hand.bonus else (),
    )


@lru_cache(maxsize=1 << 10)
def _remarks(bonus: tuple[Tile, ...], seat: str | None, rulebook: Rulebook) -> tuple[str, ...]:
    """Tell what whoever typed the hand should know: which of its bonus tiles bring nothing (D15)."""
    idle = [tile for tile in bonus if not rulebook.counts_bonus(tile, bonus, seat)]
    if not idle:
        return ()
    verb = "brings" if len(idle) == 1 else "bring"
    return (f"{format_tiles(idle)} {verb} nothing by {rulebook.id} as it is played here",)
