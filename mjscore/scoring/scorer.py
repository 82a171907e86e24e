"""The scorer: from a hand and a rulebook to a score sheet whose items add up to the score.

Among all arrangements of a winning hand, and all sets that the winning tile may have completed, the player takes the
one with the highest final score (D1); for another hand, the best regrouping of the concealed tiles (D5).
"""

from functools import lru_cache
from itertools import chain, compress
from math import gcd

from mjscore.game.hand import Hand, TileSet, set_text
from mjscore.game.tiles import WEIGHT, Tile, format_tiles, kinds_with, tiles_in
from mjscore.refusal import Refused, refuse
from mjscore.rulebook.facts import NOT_ARRANGED, Arrangement, HandFacts, arranged
from mjscore.rulebook.rule import Award, Rule, SetValue
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.arrangement import KONGS, PAIRS, PUNGS, divisions, regroupings
from mjscore.scoring.checks import check_feeders, check_hand, placed_hand
from mjscore.scoring.sheet import AwardTotal, Claim, Doubling, Item, ScoredArrangement, ScoredHand, ScoreSheet
from mjscore.scoring.winning_tiles import (
    arrangements,
    facts_of,
    misread_tiles,
    special_arrangements,
    waits_of,
)

_TALLIES_KEPT = 1 << 12


class SetValues(dict[TileSet, SetValue]):
    """The points of each set, computed on demand; hands alike in all else that these depend on share them."""

    def __init__(self, facts: HandFacts, arrangement: Arrangement, rulebook: Rulebook) -> None:
        self.asked, self.rulebook = (facts, arrangement), rulebook

    def __missing__(self, tile_set: TileSet) -> SetValue:
        awards = self.rulebook.evaluate_set(*self.asked, tile_set)
        rules = tuple(rule for award in awards if (rule := self.rulebook.rules[award.rule]).points)
        tiles = set_text(tile_set.kind, tile_set.tile)
        items = tuple(Item(rule.id, rule.title, rule.points, rule.source, tiles) for rule in rules)
        value = self[tile_set] = SetValue(sum(rule.points for rule in rules), rules, items)
        return value


def score_hand(
    hand: Hand, rulebook: Rulebook, keep_others: bool = False, explains: bool = True
) -> ScoredHand:
    """Score *hand* by *rulebook*; a missing seat or round is East.

    With *keep_others*, the other arrangements are returned too. Without *explains*, a hand that does not win is
    refused without the reason, which takes far longer to find. Raises Refused for an impossible hand: no
    arrangement completes it or may win, a flag contradicts its seat or tiles, a player is not at the table.
    """
    hand = placed_hand(hand)
    check_hand(hand, rulebook)
    facts = facts_of(hand, rulebook)
    if hand.win is not None and (hand.win.earlier or hand.win.all_from):
        check_feeders(facts, rulebook)
    # in the Chinese game, a hand with too few tiles still scores its sets (D72)
    if hand.dead and (rulebook.settling.short_hand_scores is None or hand.tiles_over >= 0 or hand.unlisted):
        place = (rulebook.id, hand.seat, hand.round)
        sheet = ScoreSheet(*place, False, 0, 0, 0, counted=0, dead=True, hand=hand)
        return ScoredHand(facts, None, sheet)
    countings = _won(facts, rulebook, explains) if facts.won else _not_won(facts, rulebook, keep_others)
    best = countings[0] if len(countings) == 1 else max(countings, key=ScoredArrangement.preference)
    if keep_others and hand.win is not None and hand.win.stated is not None:
        countings = _won(_unstated(facts), rulebook)
    others = tuple(counting for counting in countings if counting != best) if keep_others else ()
    return ScoredHand(facts, best, _written(best, hand, rulebook), others)


def _won(facts: HandFacts, rulebook: Rulebook, explains: bool = True) -> list[ScoredArrangement]:
    """Return every arrangement, scored, with which the hand wins. Raises Refused if there is none."""
    hand, win = facts.hand, facts.hand.win
    assert win is not None
    countings = [
        _counted(arrangement, facts, rulebook)
        for division in divisions(hand.packed_concealed + WEIGHT[win.tile])
        for arrangement in arrangements(division, facts)
    ]
    specials = rulebook.laid_hands if hand.sets else rulebook.special_hands
    if specials and win.stated is None:
        countings += [
            _counted(arrangement, facts, rulebook, rule)
            for rule, arrangement in special_arrangements(specials, facts)
        ]
    if not countings and not explains:
        raise refuse("not-a-winning-hand", "none", title=win.tile.title, about=win)
    if not countings:
        raise _no_win(facts, rulebook) if win.stated is None else _not_that_set(facts, rulebook)
    if not rulebook.wins:
        return countings
    allowed = [
        counting
        for counting in countings
        if all(win.when(counting.facts_counted(facts), counting.arrangement) for win in rulebook.wins)
    ]
    if not allowed:
        raise _may_not_win(max(countings, key=ScoredArrangement.preference), facts, rulebook)
    return allowed


def _unstated(facts: HandFacts) -> HandFacts:
    """Return the facts of the hand without its statement of the set that the winning tile completed."""
    assert facts.hand.win is not None
    return facts._replace(hand=facts.hand._replace(win=facts.hand.win._replace(stated=None)))


def _not_that_set(facts: HandFacts, rulebook: Rulebook) -> Refused:
    """Return the refusal of a stated set, with those that the winning tile can have completed instead."""
    win = facts.hand.win
    assert win is not None
    completed = dict.fromkeys(
        str(tile_set)
        for counting in _won(_unstated(facts), rulebook)
        for tile_set in counting.arrangement.sets
        if tile_set.completed
    )
    clause = ("+" if win.drawn else "<") + str(win.tile)
    clauses = " or ".join([*(f"{clause}({tiles})" for tiles in completed), clause])
    kind, title, known = "other" if completed else "special", win.tile.title, " or ".join(completed)
    return refuse(
        "not-that-set", kind, title=title, stated=win.stated, completed=known, typed=clauses, about=win
    )


def _may_not_win(best: ScoredArrangement, facts: HandFacts, rulebook: Rulebook) -> Refused:
    """Return the refusal of a complete hand, with the condition that its highest-scoring arrangement fails."""
    from mjscore.scoring.reasons import Evaluation, counts_against

    counted = best.facts_counted(facts)
    win = next(win for win in rulebook.wins if not win.when(counted, best.arrangement))
    why = counts_against(win.nodes["when"], Evaluation(counted, best, rulebook))
    return refuse("may-not-win", why=why, title=win.rule.title, source=win.rule.source, about=facts.hand.win)


def _no_win(facts: HandFacts, rulebook: Rulebook) -> Refused:
    """Return the refusal of a hand that its winning tile does not complete, with the likeliest reason."""
    from mjscore.scoring.reasons import nearly_special, won_elsewhere

    hand, win = facts.hand, facts.hand.win
    assert win is not None
    code, title = "not-a-winning-hand", win.tile.title
    for rule, _ in special_arrangements(rulebook.lacking_a_limit, facts):
        return refuse(code, "no-limit", title=rule.title, source=rule.source, about=win)
    if waits := tiles_in(waits_of(hand, rulebook)):
        return refuse(code, "waits", title=title, waits=", ".join(map(str, waits)), about=win)
    if where := won_elsewhere(hand, rulebook) or nearly_special(facts, rulebook):
        return refuse(code, "elsewhere", title=title, where=where, about=win)
    misread = " or ".join(f"{other} in place of {tile}" for tile, other in misread_tiles(hand))
    return refuse(code, "misread" if misread else "none", title=title, misread=misread, about=win)


def _not_won(facts: HandFacts, rulebook: Rulebook, keep_others: bool) -> list[ScoredArrangement]:
    """Return scored regroupings of a losing hand: those that can be best (D5), more with *keep_others*."""
    hand, every = facts.hand, not rulebook.more_sets_never_hurt
    undeclared = rulebook.settling.undeclared_fours is not None
    no_pairs = 0 if keep_others or not rulebook.threes_never_hurt else _better_as_threes(facts, rulebook)
    countings = []
    for ways in regroupings(hand.packed_concealed, every, undeclared, no_pairs):
        alike = zip((KONGS, PUNGS, PAIRS), ways, strict=True)
        sets = [sets[tile] for sets, mask in alike for tile in tiles_in(mask)]
        countings.append(_counted(arranged((*hand.sets, *sets)), facts, rulebook))
    return countings


def _better_as_threes(facts: HandFacts, rulebook: Rulebook) -> int:
    """Return the mask of the kinds of which a concealed pung scores more than a pair."""
    worths, kinds = _set_values(facts, NOT_ARRANGED, rulebook), kinds_with(3, facts.hand.packed_concealed)
    return sum([1 << kind for kind in kinds if worths[PUNGS[kind]].points > worths[PAIRS[kind]].points])


def _set_values(facts: HandFacts, arrangement: Arrangement, rulebook: Rulebook) -> SetValues:
    """Return the points of sets for an arrangement, cached by ``Rulebook.situation_of`` for later hands."""
    situation, known = rulebook.situation_of(facts, arrangement), rulebook.set_values
    values: SetValues = known.get(situation) or known.setdefault(
        situation, SetValues(facts, arrangement, rulebook)
    )
    return values


def _counted(
    arrangement: Arrangement, facts: HandFacts, rulebook: Rulebook, special: Rule | None = None
) -> ScoredArrangement:
    """Return an arrangement scored by its sets and its awards.

    A *special* hand scores its own points and nothing in it is counted (D58), unless the rule allows counting.
    """
    counts = special is None or special.may_be_counted
    values: tuple[SetValue, ...] = ()
    if counts:
        worths = _set_values(facts, arrangement, rulebook)
        values = tuple([worths[tile_set] for tile_set in arrangement.sets])
    awards = (rulebook.evaluate_winner if facts.won else rulebook.evaluate_other)(facts, arrangement, values)
    if special is not None and not counts:
        awards = _given_beside(special, awards, rulebook)
    tally = _total(awards, rulebook)
    points = sum([value.points for value in values]) + tally.points
    counted = score = (points << tally.doubles) + tally.added
    if rulebook.counts_otherwise:
        counted = score = rulebook.counted(points, tally.doubles, tally.added)
    if rulebook.limit is not None and score > rulebook.limit:
        score = capped(score, facts.won, rulebook)
    claims = tally.claims
    if special is not None:
        claims = (_claim(special, special.points_under(rulebook.limit) or 0, tally.bonus_worth), *claims)
    if counts and tally.multiplied:
        claims += _multiplied(points, tally, rulebook)
    claim = max(claims, key=lambda claim: claim.points) if claims else None
    if claim is not None:
        worth = capped(claim.points, facts.won, rulebook, rulebook.rules[claim.rule])
        if worth >= score or tally.never_counted or not counts:
            score = worth
        else:
            claim = None
    return ScoredArrangement(
        score, counted, points, arrangement, values, awards, tally, claim, special, claims
    )


def _multiplied(points: int, tally: AwardTotal, rulebook: Rulebook) -> tuple[Claim, ...]:
    """Return the claims of limit hands that double *points* by their own doubles; bonus tiles count separately."""
    worths = [(rule, points - (tally.bonus_points if rule.bonus_tiles else 0)) for rule in tally.multiplied]
    return tuple(
        _claim(rule, rulebook.doubled(worth, rule.doubles), tally.bonus_worth) for rule, worth in worths
    )


def _given_beside(special: Rule, awards: tuple[Award, ...], rulebook: Rulebook) -> tuple[Award, ...]:
    """Return the awards added to a special hand's points: those meant for special hands, and those of its bonus tiles."""
    rules = [(award, rulebook.rules[award.rule]) for award in awards]
    return tuple(
        award
        for award, rule in rules
        if rule.special or (special.bonus_tiles and rule.bonus_tiles and rule.section != "limit")
    )


def capped(score: int, won: bool, rulebook: Rulebook, giver: Rule | None = None) -> int:
    """Return *score* in points, capped at the limit if the rulebook has one for such a hand.

    The points of *giver* may exceed the limit; the score is then capped at those points.
    """
    rule = rulebook.settling.score_limit
    if rulebook.limit is None or rule is None or not (won or rule.who == "all"):
        return score
    above = giver.points_under(rulebook.limit) or 0 if giver is not None and giver.of_limit is not None else 0
    return min(score, max(rulebook.limit, above))


def _claim(rule: Rule, points: int, bonus_worth: int) -> Claim:
    """Return the claim of a special or limit hand to *points*, plus *bonus_worth* if its bonus tiles count on top."""
    title = rule.title
    if rule.bonus_tiles and bonus_worth:
        title, points = f"{title}, and {bonus_worth} for bonus tiles", points + bonus_worth
    return Claim(rule.id, title, points, rule.source)


def _total(awards: tuple[Award, ...], rulebook: Rulebook) -> AwardTotal:
    """Return the totals of awards, cached for later hands with the same awards."""
    kept: AwardTotal | None = rulebook.tallies.get(awards)
    if kept is not None:
        return kept
    by_section: dict[str, list[tuple[Rule, int]]] = {"bonus": [], "double": [], "after": [], "limit": []}
    for award in awards:
        rule = rulebook.rules[award.rule]
        by_section[rule.section].append((rule, award.times))
    bonuses, doubles, afterwards, limits = by_section.values()
    items = [Item(rule.id, rule.title, rule.points * times, rule.source) for rule, times in bonuses]
    doubling = [Doubling(rule.id, rule.title, rule.doubles * times, rule.source) for rule, times in doubles]
    additions = [
        Item(rule.id, rule.title, points, rule.source)
        for rule, _ in afterwards
        if (points := rule.points_under(rulebook.limit))
    ]
    bonus_points = sum(rule.points * times * rule.bonus_tiles for rule, times in bonuses)
    bonus_doubles = sum(rule.doubles * times * rule.bonus_tiles for rule, times in doubles)
    bonus_worth = rulebook.doubled(bonus_points, bonus_doubles)
    worths = [(rule, rule.points_under(rulebook.limit)) for rule, _ in limits if not rule.doubles]
    tally = AwardTotal(
        sum(item.points for item in items),
        sum(line.doubles for line in doubling),
        sum(item.points for item in additions),
        tuple(items),
        tuple(doubling),
        tuple(additions),
        tuple(_claim(rule, points, bonus_worth) for rule, points in worths if points is not None),
        bonus_points,
        bonus_worth,
        any(rule.never_counted for rule, _ in limits),
        tuple(rule for rule, _ in limits if rule.doubles),
    )
    if len(rulebook.tallies) >= _TALLIES_KEPT:
        rulebook.tallies.clear()
    rulebook.tallies[awards] = tally
    return tally


def _written(best: ScoredArrangement, hand: Hand, rulebook: Rulebook) -> ScoreSheet:
    """Return the score sheet of the arrangement that the player takes."""
    tally, sets, won, laid = best.tally, best.arrangement.sets, hand.win is not None, len(hand.sets)
    items = (*tally.items, *chain.from_iterable([value.items for value in best.values]))
    if not won:
        # of the concealed sets, only those that score are shown
        sets = sets[:laid] + tuple(compress(sets[laid:], [value.rules for value in best.values[laid:]]))
    return ScoreSheet(
        rulebook.id,
        hand.seat,
        hand.round,
        won,
        best.score,
        best.points,
        tally.doubles,
        best.claim.rule if best.claim is not None else "limit" if best.score < best.counted else None,
        sets,
        items,
        tally.doubling,
        tally.additions,
        best.claims,
        best.counted,
        _capped_remarks(best, rulebook) + (_remarks(hand.bonus, hand.seat, rulebook) if hand.bonus else ()),
        None,
        best.special.id if best.special is not None else None,
        hand.dead,
        hand,
    )


def _capped_remarks(best: ScoredArrangement, rulebook: Rulebook) -> tuple[str, ...]:
    """Return a remark if the limit caps the points of a special or limit hand, with how its rule could exceed it."""
    claim, limit = best.claim, rulebook.limit
    if claim is None or limit is None or claim.points <= best.score:
        return ()
    rule = rulebook.rules[claim.rule]
    common = gcd(rule.points, limit)
    above, below = rule.points // common, limit // common
    hint = ""
    if rule.points > limit and max(above, below) < 100:
        part = f"{above}/{below}" if below > 1 else str(above)
        hint = f', unless its entry says of_limit = "{part}" instead of points = {rule.points}'
    return (f"the limit of {limit} caps the {claim.points} of {rule.title}{hint}",)


@lru_cache(maxsize=1 << 10)
def _remarks(bonus: tuple[Tile, ...], seat: str | None, rulebook: Rulebook) -> tuple[str, ...]:
    """Return a remark on bonus tiles that score nothing, in case the player did not know (D15)."""
    idle = [tile for tile in bonus if not rulebook.counts_bonus(tile, bonus, seat)]
    if not idle:
        return ()
    verb = "scores" if len(idle) == 1 else "score"
    return (f"{format_tiles(idle)} {verb} nothing in {rulebook.id} as played here",)
