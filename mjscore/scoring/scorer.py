"""The scorer: a hand and a rulebook to a score sheet whose items add up to the score.

Among all arrangements of a winning hand, and all sets that the winning tile can be said to have
completed, the player takes the one with the highest final score (D1); for another hand, the best
regrouping of the concealed tiles (D5).
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from mjscore.game.hand import Hand, TileSet, Win, set_text
from mjscore.game.tiles import KINDS, TILES, WEIGHT, WIND_NAMES, WINDS, Tile, tiles_in
from mjscore.refusal import Refusal, Refused, refuse
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.facts import FIRST_WIND, NO_SET, Facts, chow_form
from mjscore.rulebook.rule import Given, Rule, SetValue
from mjscore.rulebook.shapes import match_shape, may_wait
from mjscore.scoring.arrangement import Division, divisions, own_fours, regroupings, standard_waits

DEFAULT_WIND = "E"
_ROUNDS = {wind: number for number, wind in enumerate(WINDS)}


class Item(NamedTuple):
    """A line of points: the rule, its title, the points, book and page, and the set it was given for."""

    rule: str
    title: str
    points: int
    source: str
    tiles: str | None = None

    def as_json(self) -> dict[str, object]:
        """The object that programs read."""
        return {
            "rule": self.rule,
            "title": self.title,
            "points": self.points,
            "source": self.source,
            "tiles": self.tiles,
        }


class Doubling(NamedTuple):
    """A line of doubles: the rule, its title, how many doubles, book and page."""

    rule: str
    title: str
    doubles: int
    source: str

    def as_json(self) -> dict[str, object]:
        """The object that programs read."""
        return {"rule": self.rule, "title": self.title, "doubles": self.doubles, "source": self.source}


class Claim(NamedTuple):
    """A special score that the hand may claim: the rule, its title, the points, book and page."""

    rule: str
    title: str
    points: int
    source: str

    def as_json(self) -> dict[str, object]:
        """The object that programs read."""
        return {"rule": self.rule, "title": self.title, "points": self.points, "source": self.source}


class ScoreSheet(NamedTuple):
    """What a hand scores, item by item.

    *points* is the sum of the items, before doubling; *doubles* the number of doublings; *additions*
    are points added after them; *counted* is what these come to; *score* the final score, after the
    limit and any special hand. *score_set_by* names the rule that set the score instead of counting
    (``"limit"`` where only the cap did). All figures are None where *error* says why.
    """

    rulebook: str
    seat: str | None
    round: str | None
    won: bool | None
    score: int | None
    points: int | None
    doubles: int | None
    score_set_by: str | None = None
    sets: tuple[TileSet, ...] = ()
    items: tuple[Item, ...] = ()
    doubling: tuple[Doubling, ...] = ()
    additions: tuple[Item, ...] = ()
    claims: tuple[Claim, ...] = ()
    counted: int | None = None
    special: str | None = None
    dead: bool = False
    hand: Hand | None = None
    error: Refusal | None = None

    def as_json(self) -> dict[str, object]:
        """The object that programs read."""
        return {
            "rulebook": self.rulebook,
            "seat": self.seat,
            "round": self.round,
            "won": self.won,
            "score": self.score,
            "points": self.points,
            "doubles": self.doubles,
            "limit": self.score_set_by,
            "sets": [one.as_json() for one in self.sets],
            "items": [item.as_json() for item in self.items],
            "doubling": [doubling.as_json() for doubling in self.doubling],
            "additions": [item.as_json() for item in self.additions],
            "claims": [claim.as_json() for claim in self.claims],
            "counted": self.counted,
            "error": self.error.as_json() if self.error else None,
        }


class Candidate(NamedTuple):
    """One arrangement with its score, before it is written out as a sheet."""

    score: int
    counted: int
    points: int
    doubles: int
    sets: tuple[TileSet, ...]
    given: Given
    special: Rule | None
    claim: Rule | None
    scored_items: int
    values: list[SetValue]


def refused_sheet(refusal: Refusal, rulebook: str, hand: Hand | None = None) -> ScoreSheet:
    """The sheet of a hand that was refused: no figures, and why."""
    seat = hand.seat if hand is not None else None
    round_wind = hand.round if hand is not None else None
    return ScoreSheet(rulebook, seat, round_wind, None, None, None, None, hand=hand, error=refusal)


def placed_hand(hand: Hand, seat: str | None = None, round_wind: str | None = None) -> Hand:
    """*hand* with its seat and round filled in from the context, else East."""
    if hand.seat is None or hand.round is None:
        return hand._replace(
            seat=hand.seat or seat or DEFAULT_WIND, round=hand.round or round_wind or DEFAULT_WIND
        )
    return hand


def score_hand(hand: Hand, rulebook: Rulebook) -> ScoreSheet:
    """The score sheet of *hand* by *rulebook*; seat and round not given are East.

    Raises Refused for a hand that cannot be: one that no arrangement completes, a flag that
    contradicts seat or tiles, a player who does not sit at the table.
    """
    hand = placed_hand(hand)
    facts = checked_facts(hand, rulebook)
    if hand.dead and not _dead_hand_scores(hand, rulebook):
        return ScoreSheet(rulebook.id, hand.seat, hand.round, False, 0, 0, 0, counted=0, dead=True, hand=hand)
    return _written(chosen(hand, facts, rulebook), hand, rulebook)


def chosen(hand: Hand, facts: Facts, rulebook: Rulebook) -> Candidate:
    """The arrangement that the player takes. Raises Refused where there is none that wins."""
    found = candidates(hand, facts, rulebook)
    if rulebook.minimum_doubles and hand.win is not None:
        found = _with_doubles(found, hand, facts, rulebook)
    best = found[0] if len(found) == 1 else best_of(found)
    if best is None:
        raise no_win(hand, facts, rulebook)
    return best


def _with_doubles(every: list[Candidate], hand: Hand, facts: Facts, rulebook: Rulebook) -> list[Candidate]:
    """The winning arrangements that have the doubles which the game for two asks for (D61)."""
    if not every:
        raise no_win(hand, facts, rulebook)
    enough = [one for one in every if one.doubles >= rulebook.minimum_doubles]
    if not enough:
        rule = rulebook.settling.minimum_doubles
        assert rule is not None
        raise refuse(
            "too-few-doubles",
            f"a winning hand needs {rulebook.minimum_doubles} doubles, and this one has {max(one.doubles for one in every)}",
            f"the game for two, {rule.source}; leave out the win clause if the hand did not win",
        )
    return enough


def _dead_hand_scores(hand: Hand, rulebook: Rulebook) -> bool:
    """Whether a dead hand still scores its sets: one with too few tiles, in the Chinese game (D72)."""
    return rulebook.settling.short_hand_scores is not None and hand.tiles_over < 0 and not hand.unlisted


def checked_facts(hand: Hand, rulebook: Rulebook) -> Facts:
    """The facts of a hand that can be; raises Refused for one that cannot."""
    seat, round_wind = hand.seat or DEFAULT_WIND, hand.round or DEFAULT_WIND
    seats = rulebook.seat_numbers
    number = seats.get(seat)
    if number is None:
        raise Refused(_no_such_seat(seat, rulebook))
    if round_wind not in _ROUNDS:
        raise refuse("bad-round", f"there is no round {round_wind!r}", "the rounds are E, S, W and N")
    if rulebook.settling.no_west is not None:
        _check_no_west(hand, rulebook.settling.no_west.source)
    win = hand.win
    if win is not None:
        for name in (win.discarder, win.earlier, win.all_from):
            if name is None:
                continue
            if name not in seats:
                raise Refused(_no_such_seat(name, rulebook))
            if name == seat:
                raise refuse(
                    "from-oneself",
                    f"{WIND_NAMES[seat]} cannot have the tile from his own discard",
                    "name the player who discarded it",
                )
        if win.flags:
            _check_flags(hand, seat)
    return Facts(hand, number, _ROUNDS[round_wind], lambda facts: waits_of(hand, facts, rulebook))


def _no_such_seat(seat: str, rulebook: Rulebook) -> Refusal:
    names = [WIND_NAMES[one] for one in rulebook.seats]
    who = WIND_NAMES.get(seat)
    return Refusal(
        "no-such-seat",
        f"{who} does not play at a table of {rulebook.players}" if who else f"there is no seat {seat[:40]!r}",
        f"the seats are {', '.join(names[:-1])} and {names[-1]}",
    )


def _check_no_west(hand: Hand, source: str) -> None:
    packed = hand.packed_concealed + hand.packed_laid + (WEIGHT[hand.win.tile] if hand.win else 0)
    if packed >> 6 * (FIRST_WIND + 2) & 63:
        raise refuse(
            "no-west",
            "three players play without the west winds",
            f"see {source}; set players 4 if there is a West",
        )


def _check_flags(hand: Hand, seat: str) -> None:
    win = hand.win
    assert win is not None
    flags = win.flags
    if "original" in flags and seat != "E":
        raise refuse(
            "original-not-east",
            "only East can win as dealt: only he has fourteen tiles",
            "leave out !original, or put E: before the hand",
        )
    if "earth" in flags and seat == "E":
        raise refuse(
            "earth-by-east",
            "East cannot win on his own first discard",
            "leave out !earth, or name the seat that won",
        )
    if "ninth" in flags and seat != "E":
        raise refuse(
            "ninth-not-east",
            "only East wins nine times running as East",
            "leave out !ninth, or put E: before the hand",
        )
    dealt = next((flag for flag in ("original", "earth", "thirteen") if flag in flags), None)
    if dealt and hand.sets:
        raise refuse(
            "dealt-with-sets",
            f"!{dealt}: a hand as dealt has no set on the table and no declared four",
            f"leave out !{dealt}, or the brackets",
        )
    if "loose" in flags and not hand.bonus and all(one.kind != "kong" for one in hand.sets):
        raise refuse(
            "loose-without-four",
            "a loose tile is drawn only after a four or a bonus tile",
            "put the four in brackets, [1111c] or (1111c), or leave out !loose",
        )
    if "robbed" in flags and (hand.packed_concealed + hand.packed_laid) >> 6 * win.tile & 63:
        raise refuse(
            "robbed-held",
            f"the fourth {win.tile.title} was robbed from three on another's table, "
            "so the winner can hold none of them",
            "leave out !robbed, or count the tiles again",
        )


def waits_of(hand: Hand, facts: Facts, rulebook: Rulebook) -> int:
    """Mask of the tiles that would complete the hand's tiles before the winning one, by any shape."""
    waits = standard_waits(hand.packed_concealed)
    if rulebook.special_hands and not hand.sets:
        waits |= _special_waits(hand, facts, rulebook)
    return waits & ~own_fours(hand.packed_concealed + hand.packed_laid)


def _special_waits(hand: Hand, facts: Facts, rulebook: Rulebook) -> int:
    waits = 0
    for special in rulebook.special_hands:
        if not may_wait(special.alternatives, hand.packed_concealed):
            continue
        for kind in range(KINDS):
            if waits >> kind & 1:
                continue
            sets = match_shape(special.alternatives, hand.packed_concealed + WEIGHT[kind])
            if sets is None:
                continue
            if special.when is not None:
                won = (
                    hand
                    if hand.win is not None and hand.win.tile == kind
                    else completed_by(hand, TILES[kind], True)
                )
                tried = Facts(
                    won, facts.seat, facts.round_wind.bit_length() - 1 - FIRST_WIND, facts.waits_for
                )
                arrange_special(tried, sets)
                if not special.when(tried):
                    continue
            waits |= 1 << kind
    return waits


def completed_by(hand: Hand, tile: Tile, drawn: bool) -> Hand:
    """The hand won by *tile*, with the rest of its win clause dropped."""
    return hand._replace(win=Win(tile, drawn), dead=False, no_choice=False, unlisted=False)


def candidates(hand: Hand, facts: Facts, rulebook: Rulebook) -> list[Candidate]:
    """Every arrangement of the hand with what it scores."""
    win = hand.win
    if win is None:
        return _regrouped(hand, facts, rulebook)
    found: list[Candidate] = []
    for division in divisions(hand.packed_concealed + WEIGHT[win.tile]):
        sets = _concealed(division)
        if facts.original:
            found.append(_winner(sets, NO_SET, hand, facts, rulebook))
        else:
            _completions(sets, win, found, hand, facts, rulebook)
    if rulebook.special_hands and not hand.sets:
        found += _special(hand, facts, rulebook)
    return found


def _completions(
    sets: tuple[TileSet, ...], win: Win, found: list[Candidate], hand: Hand, facts: Facts, rulebook: Rulebook
) -> None:
    """One division, with each set in turn that the winning tile can have completed."""
    tile = win.tile
    last: TileSet | None = None
    for place, one in enumerate(sets):
        # sets of the same tiles stand beside each other, and any of them will do
        if one == last or not _holds(one, tile):
            continue
        last = one
        completed = _completed(one, not win.drawn)
        found.append(
            _winner((*sets[:place], completed, *sets[place + 1 :]), completed, hand, facts, rulebook)
        )


@lru_cache(maxsize=256)
def _completed(one: TileSet, exposed: bool) -> TileSet:
    """The set as the winning tile completed it: on the table where the tile was claimed (D2)."""
    return one._replace(exposed=exposed, completed=True)


def _holds(one: TileSet, tile: int) -> bool:
    if one.kind == "chow":
        return 0 <= tile - one.tile <= 2
    return one.tile == tile


# every set that can be held concealed, made once
_PUNGS, _CHOWS, _PAIRS = (
    tuple(TileSet(kind, tile, False) for tile in TILES[:KINDS]) for kind in ("pung", "chow", "pair")
)


def _concealed(division: Division) -> tuple[TileSet, ...]:
    sets = [_CHOWS[chow] for chow in division.chows]
    sets.append(_PAIRS[division.pair])
    pungs = division.pungs
    while pungs:
        lowest = pungs & -pungs
        sets.append(_PUNGS[lowest.bit_length() - 1])
        pungs ^= lowest
    return tuple(sets)


def _winner(
    concealed: tuple[TileSet, ...], completed: TileSet, hand: Hand, facts: Facts, rulebook: Rulebook
) -> Candidate:
    sets = hand.sets + concealed
    arrange(facts, sets)
    facts.completed_pair = completed.completed and completed.kind == "pair"
    facts.completed_chow = completed.completed and completed.kind == "chow"
    facts.completed_pung = completed.completed and completed.kind == "pung"
    facts.form = chow_form(completed.tile, hand.win.tile) if facts.completed_chow and hand.win else ""
    facts.special = False
    return _counted(sets, facts, rulebook, rulebook.evaluate_winner)


def _regrouped(hand: Hand, facts: Facts, rulebook: Rulebook) -> list[Candidate]:
    """A hand that did not win, its concealed tiles regrouped in every way that can be best (D5)."""
    facts.completed_pair = facts.completed_chow = facts.completed_pung = False
    facts.form = ""
    found = []
    for threes, pairs in regroupings(hand.packed_concealed, not rulebook.monotone):
        grouped = (
            *[_PUNGS[tile] for tile in tiles_in(threes)],
            *[_PAIRS[tile] for tile in tiles_in(pairs)],
        )
        sets = hand.sets + grouped
        arrange(facts, sets)
        found.append(_counted(sets, facts, rulebook, rulebook.evaluate_other))
    return found


def arrange(facts: Facts, sets: tuple[TileSet, ...]) -> None:
    """Tells the facts which sets the tiles are divided into."""
    pungs = kongs = pairs = concealed = hidden = chows = 0
    for one in sets:
        kind = one.kind
        if kind == "chow":
            chows += 1
        elif kind == "pair":
            pairs |= 1 << one.tile
        else:
            bit = 1 << one.tile
            pungs |= bit
            if kind == "kong":
                kongs |= bit
            if not one.exposed:
                concealed |= bit
                hidden |= bit
            elif one.origin == "fourth":
                hidden |= bit
    facts.chows = chows
    facts.pungs = pungs
    facts.kongs = kongs
    facts.pairs = pairs
    facts.concealed_pungs = concealed
    facts.hidden_pungs = hidden


def arrange_special(facts: Facts, sets: tuple[TileSet, ...]) -> None:
    """Tells the facts which sets a special hand has; its winning tile completes none of them."""
    arrange(facts, tuple(one for one in sets if one.kind != "single"))
    facts.completed_pair = facts.completed_chow = facts.completed_pung = False
    facts.form = ""
    facts.special = True


def set_values(facts: Facts, rulebook: Rulebook) -> dict[TileSet, SetValue]:
    """The values of sets found so far for the facts' situation: who holds them and how the hand was won.

    A set's worth depends on the set and on little else, so it is worked out once and kept.
    """
    situation = (facts.own_wind, facts.round_wind, facts.won, facts.drawn, facts.claimed, facts.form)
    values = rulebook.set_values.get(situation)
    if values is None:
        values = rulebook.set_values[situation] = {}
    return values


def _counted(
    sets: tuple[TileSet, ...], facts: Facts, rulebook: Rulebook, evaluate: Callable[[Facts], Given]
) -> Candidate:
    values = set_values(facts, rulebook)
    points = items = 0
    scored: list[SetValue] = []
    for one in sets:
        value = values.get(one)
        if value is None:
            rules = tuple(rule for rule in rulebook.evaluate_set(facts, one) if rule.points)
            tiles = set_text(one.kind, one.tile)
            value = values[one] = SetValue(
                sum(rule.points for rule in rules),
                rules,
                tuple(Item(rule.id, rule.title, rule.points, rule.source, tiles) for rule in rules),
            )
        scored.append(value)
        if value.points:
            points += value.points
            items += len(value.rules)
    facts.set_values = scored
    given = evaluate(facts)
    doubles = extra = 0
    claim: Rule | None = None
    claimed = -1
    for rule, times in given:
        section = rule.section
        if section == "bonus":
            points += rule.points * times
            items += 1
        elif section == "double":
            doubles += rule.doubles * times
            items += 1
        elif section == "after":
            extra += rulebook.part_of_limit(rule) or 0
        else:
            worth = rulebook.part_of_limit(rule)
            if worth is not None and worth > claimed:
                claim, claimed = rule, worth
    counted = (points << doubles) + extra
    score = counted
    if (
        rulebook.limit is not None
        and score > rulebook.limit
        and (rulebook.score_limit == "all" or (rulebook.score_limit == "winner" and facts.won))
    ):
        score = rulebook.limit
    if claim is not None and claimed >= score:
        score = claimed
    else:
        claim = None
    return Candidate(score, counted, points, doubles, sets, given, None, claim, items, scored)


def _special(hand: Hand, facts: Facts, rulebook: Rulebook) -> Iterator[Candidate]:
    """Special hands score what they are worth and nothing in them is counted (D58)."""
    assert hand.win is not None
    for special in rulebook.special_hands:
        sets = match_shape(special.alternatives, hand.packed_concealed + WEIGHT[hand.win.tile])
        if sets is None:
            continue
        arrange_special(facts, sets)
        if special.when is not None and not special.when(facts):
            continue
        worth = rulebook.part_of_limit(special.rule) or 0
        rule = special.rule
        given = [(one, times) for one, times in rulebook.evaluate_winner(facts) if one.special]
        for one, _ in given:
            more = rulebook.part_of_limit(one)
            if more is not None and more > worth:
                rule, worth = one, more
        worth = rulebook.capped(worth, True)
        yield Candidate(worth, 0, 0, 0, sets, given, special.rule, rule, 0, [])


def best_of(found: Iterable[Candidate]) -> Candidate | None:
    """The candidate with the highest score; of equals the one with fewest scored items, then the first."""
    best: Candidate | None = None
    for one in found:
        if best is None or (one.score, -one.scored_items) > (best.score, -best.scored_items):
            best = one
    return best


def no_win(hand: Hand, facts: Facts, rulebook: Rulebook) -> Refused:
    """Why a hand with a winning tile is no winning hand: what it was waiting for."""
    assert hand.win is not None
    tile = hand.win.tile
    mask = facts.waits if facts.waits >= 0 else waits_of(hand, facts, rulebook)
    waits = [str(one) for one in tiles_in(mask)]
    if waits:
        waiting = ", ".join(waits)
        hint = f"the hand was waiting for {waiting}; or leave out the win clause if it did not win"
    else:
        hint = "the thirteen tiles before it were not waiting for any tile: count and read them again"
    refusal = Refusal(
        "not-a-winning-hand", f"{tile.title} does not complete the hand: no four sets and a pair", hint
    )
    return Refused(refusal)


def _written(best: Candidate, hand: Hand, rulebook: Rulebook) -> ScoreSheet:
    """The candidate as a score sheet."""
    won = hand.win is not None
    items: list[Item] = []
    doubling: list[Doubling] = []
    additions: list[Item] = []
    claims: list[Claim] = []
    if best.special is not None:
        rule = best.special
        claims.append(Claim(rule.id, rule.title, rulebook.part_of_limit(rule) or 0, rule.source))
    for rule, times in best.given:
        section = rule.section
        if section == "bonus":
            items.append(Item(rule.id, rule.title, rule.points * times, rule.source))
        elif section == "double":
            doubling.append(Doubling(rule.id, rule.title, rule.doubles * times, rule.source))
        elif section == "after":
            worth = rulebook.part_of_limit(rule)
            if worth:
                additions.append(Item(rule.id, rule.title, worth, rule.source))
        else:
            worth = rulebook.part_of_limit(rule)
            if worth is not None:
                claims.append(Claim(rule.id, rule.title, worth, rule.source))
    shown = best.sets
    if best.special is None:
        if not won:
            shown = tuple(
                one
                for one, value in zip(best.sets, best.values, strict=True)
                if value.rules or one in hand.sets
            )
        for value in best.values:
            if value.items:
                items += value.items
    if best.claim is not None:
        limit: str | None = best.claim.id
    else:
        limit = "limit" if best.score < best.counted else None
    return ScoreSheet(
        rulebook.id,
        hand.seat,
        hand.round,
        won,
        best.score,
        best.points,
        best.doubles,
        limit,
        shown,
        tuple(items),
        tuple(doubling),
        tuple(additions),
        tuple(claims),
        best.counted,
        best.special.id if best.special else None,
        hand.dead,
        hand,
    )
