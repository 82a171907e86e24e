"""Who pays for the others: the reckless discard (Harr p. 68-70) and insurance (Babcock p. 74-78).

The conditions and the excuses stand in the rulebooks; here is how the payments are divided.
"""

from collections.abc import Mapping
from typing import NamedTuple

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES, WINDS, tiles_in
from mjscore.refusal import About, Refused, refuse
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.facts import Arrangement, HandFacts
from mjscore.rulebook.rule import Rule
from mjscore.scoring.completing import completed_by, waits_of
from mjscore.scoring.scorer import ScoredHand, score_hand
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.payment import SeatResult


class Liable(NamedTuple):
    """Who is liable by which rule, and the part of the others' losses that each bears, in halves."""

    rule: Rule
    shares: Mapping[str, int]
    whole: bool

    def split(self, owed: Mapping[str, int]) -> dict[str, int]:
        """What each loser pays the winner, out of what each would have owed."""
        paid = dict.fromkeys(owed, 0)
        if self.whole:
            total = sum(owed.values())
            first, *others = self.shares
            for seat in others:
                paid[seat] = total * self.shares[seat] // 2
            paid[first] = total - sum(paid.values())
            return paid
        (liable,) = self.shares
        for seat, points in owed.items():
            if seat != liable:
                paid[seat] = points // 2
        paid[liable] = sum(owed.values()) - sum(paid.values())
        return paid


def liable_players(
    results: Mapping[str, SeatResult],
    winner: str,
    discarder: str | None,
    drawn: bool | None,
    book: Rulebook,
    names: Mapping[str, str] = WIND_NAMES,
) -> tuple[Liable | None, tuple[str, ...]]:
    """Who pays for the others, if anybody, and remarks that say why or why not, by *names*."""
    scored = results[winner].scored
    win = scored.facts.hand.win if scored is not None else None
    if not book.liabilities or scored is None or scored.counting is None or win is None:
        return None, ()
    facts, arrangement = scored.counted_facts, scored.counting.arrangement
    remarks: list[str] = []
    if win.all_from is not None:
        fed = _fed_all_sets(scored.sheet, win.all_from, winner, book)
        if fed is not None:
            return fed, (_remark(fed.rule, names[win.all_from], "pays for all"),)
        remarks.append("who fed all four sets pays for the others only where the rulebook's option says so")
    direct = _strictest(facts, arrangement, book)
    blamed: Rule | None = None
    if direct is not None and discarder is None:
        remarks.append(f"{direct.title}: name the discarder, as in <5d:S, if he is to pay for all")
    elif direct is not None and discarder is not None:
        excuse = _excuse(results[discarder], direct, book)
        if excuse is None:
            blamed = direct
            if results[discarder].hand is None:
                remarks.append(f"{names[discarder]}'s hand is not given, so no excuse could be looked for")
        else:
            remarks.append(
                f"{direct.title} ({direct.source}), but {names[discarder]} is excused: "
                f"{excuse.title} ({excuse.source})"
            )
    earlier = win.earlier
    if earlier is not None:
        shared = _earlier(
            results,
            earlier,
            discarder,
            [
                liability.rule
                for liability in book.liabilities
                if liability.earlier is not None and liability.earlier(facts, arrangement)
            ],
            final_excused=direct is not None and blamed is None,
        )
        if shared is not None:
            how = (
                "pays half of what the others lose"
                if not shared.whole
                else "and the last discarder share the whole"
            )
            return shared, (
                *remarks,
                _remark(shared.rule, names[earlier], how if discarder != earlier else "pays for all"),
            )
        remarks.append("the earlier discard is not one that the rulebook has the discarder pay for")
    if blamed is not None and discarder is not None:
        return Liable(blamed, {discarder: 2}, True), (
            *remarks,
            _remark(blamed, names[discarder], "pays for all"),
        )
    return None, tuple(remarks)


def possible_liability(scored: ScoredHand, book: Rulebook) -> Rule | None:
    """What may make the discarder of the winning tile pay for all; whether it does, the other hands tell."""
    if not scored.facts.won or scored.counting is None:
        return None
    return _strictest(scored.counted_facts, scored.counting.arrangement, book)


def _remark(rule: Rule, name: str, how: str) -> str:
    return f"{name} {how}: {rule.title} ({rule.source})"


def _strictest(facts: HandFacts, arrangement: Arrangement, book: Rulebook) -> Rule | None:
    """Of the liabilities for a claimed tile the one hardest to excuse (rank 1 before 2 before 3)."""
    if not facts.claimed:
        return None
    rules = [
        liability.rule
        for liability in book.liabilities
        if liability.rule.kind == "" and liability.when(facts, arrangement)
    ]
    return min(rules, key=lambda rule: rule.rank, default=None)


def _earlier(
    results: Mapping[str, SeatResult],
    earlier: str,
    discarder: str | None,
    rules: list[Rule],
    final_excused: bool,
) -> Liable | None:
    """An earlier discard: half of the others' losses after a draw, half of the whole after a discard (D74)."""
    hand = results[earlier].hand
    if not rules or (hand is not None and hand.no_choice):
        return None
    rule = min(rules, key=lambda rule: rule.rank)
    if discarder == earlier:
        return Liable(rule, {earlier: 2}, True)
    if discarder is None or final_excused:
        return Liable(rule, {earlier: 1}, False)
    return Liable(rule, {earlier: 1, discarder: 1}, True)


def _fed_all_sets(sheet: ScoreSheet, feeder: str, winner: str, book: Rulebook) -> Liable | None:
    rule = next((liability.rule for liability in book.liabilities if liability.rule.kind == "all-from"), None)
    if rule is None:
        return None
    seats = [wind for wind in WINDS if wind in book.seats]
    left = seats[seats.index(winner) - 1]
    if feeder != left:
        raise refuse(
            "not-on-the-left",
            f"only the player on the winner's left can feed all four sets: {WIND_NAMES[left]}",
            f"type !allfrom:{left}, or leave it out ({rule.source})",
            about=About("flag", "allfrom"),
        )
    if sum(tile_set.exposed and tile_set.kind != "pair" for tile_set in sheet.sets) < 4:
        raise refuse(
            "not-all-fed",
            "not all four sets of the winner are exposed",
            f"leave out !allfrom: a set made by drawing was fed by nobody ({rule.source})",
            about=About("flag", "allfrom"),
        )
    return Liable(rule, {feeder: 2}, True)


def _excuse(result: SeatResult, blamed: Rule, book: Rulebook) -> Rule | None:
    """The excuse that a discarder's own hand gives him, if any: of the liability's rank or a higher one."""
    scored = result.scored
    if scored is None:
        return None
    hand = scored.facts.hand
    for rule, _ in book.excuses:
        if rule.kind == "no-choice" and hand.no_choice:
            return rule
    if hand.dead or scored.counting is None:
        return None
    waits = waits_of(hand, book)
    facts = scored.counted_facts._replace(
        waits=waits,
        waiting_doubles=0 if hand.unlisted else _most_doubles(hand, waits, book),
    )
    for rule, holds in book.excuses:
        if (
            rule.kind != "no-choice"
            and rule.rank <= blamed.rank
            and holds(facts, scored.counting.arrangement)
        ):
            return rule
    return None


def _most_doubles(hand: Hand, waits: int, book: Rulebook) -> int:
    """The most doubles that a tile which the hand waits for would give it (D42)."""
    most = 0
    for tile in tiles_in(waits):
        try:
            most = max(most, score_hand(completed_by(hand, tile, False), book).sheet.doubles or 0)
        except Refused:
            continue
    return most
