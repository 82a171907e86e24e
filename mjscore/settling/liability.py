"""Who pays for the others: the reckless discard (Harr p. 68-70) and insurance (Babcock p. 74-78).

The conditions and the excuses stand in the rulebooks; here is how the payments are divided.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from mjscore.game.tiles import WIND_NAMES, WINDS, tiles_in
from mjscore.refusal import Refused, refuse
from mjscore.rulebook.binding import Liability, Rulebook
from mjscore.rulebook.facts import Facts, chow_form
from mjscore.rulebook.rule import Rule
from mjscore.scoring.scorer import (
    arrange,
    checked_facts,
    chosen,
    completed_by,
    placed_hand,
    score_hand,
    waits_of,
)
from mjscore.settling.payment import SeatResult

if TYPE_CHECKING:
    from mjscore.game.hand import Hand
    from mjscore.scoring.scorer import ScoreSheet


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
    result = results[winner]
    if not book.liabilities or result.hand is None or result.hand.win is None or result.sheet is None:
        return None, ()
    hand, win = result.hand, result.hand.win
    facts = arranged_facts(hand, book)
    remarks: list[str] = []
    if win.all_from is not None:
        fed = _fed_all_sets(result.sheet, win.all_from, winner, book)
        if fed is not None:
            return fed, (_remark(fed.rule, names[win.all_from], "pays for all"),)
        remarks.append("who fed all four sets pays for the others only where the rulebook's option says so")
    direct = _strictest(
        [one for one in book.liabilities if one.rule.kind == "" and one.when(facts)], win.drawn
    )
    blamed: Rule | None = None
    if direct is not None and discarder is None:
        remarks.append(f"{direct.rule.title}: name the discarder, as in <5d:S, if he is to pay for all")
    elif direct is not None and discarder is not None:
        excuse = _excuse(results[discarder], direct.rule, book)
        if excuse is None:
            blamed = direct.rule
            if results[discarder].hand is None:
                remarks.append(f"{names[discarder]}'s hand is not given, so no excuse could be looked for")
        else:
            remarks.append(
                f"{direct.rule.title} ({direct.rule.source}), but {names[discarder]} is excused: "
                f"{excuse.title} ({excuse.source})"
            )
    earlier = win.earlier
    if earlier is not None:
        shared = _earlier(
            results, earlier, discarder, facts, book, final_excused=direct is not None and blamed is None
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


def possible_liability(hand: Hand, book: Rulebook) -> Rule | None:
    """What may make the discarder of the winning tile pay for all; whether it does, the other hands tell."""
    if not book.liabilities or hand.win is None or hand.win.drawn:
        return None
    facts = arranged_facts(hand, book)
    found = [one for one in book.liabilities if one.rule.kind == "" and one.when(facts)]
    direct = _strictest(found, hand.win.drawn)
    return direct.rule if direct is not None else None


def _remark(rule: Rule, name: str, how: str) -> str:
    return f"{name} {how}: {rule.title} ({rule.source})"


def _strictest(found: list[Liability], drawn: bool) -> Liability | None:
    """Of several liabilities the one hardest to excuse (rank 1 before 2 before 3)."""
    return None if drawn or not found else min(found, key=lambda one: one.rule.rank)


def _earlier(
    results: Mapping[str, SeatResult],
    earlier: str,
    discarder: str | None,
    facts: Facts,
    book: Rulebook,
    final_excused: bool,
) -> Liable | None:
    """An earlier discard: half of the others' losses after a draw, half of the whole after a discard (D74)."""
    found = [one for one in book.liabilities if one.earlier is not None and one.earlier(facts)]
    hand = results[earlier].hand
    if not found or (hand is not None and hand.no_choice):
        return None
    rule = min(found, key=lambda one: one.rule.rank).rule
    if discarder == earlier:
        return Liable(rule, {earlier: 2}, True)
    if discarder is None or final_excused:
        return Liable(rule, {earlier: 1}, False)
    return Liable(rule, {earlier: 1, discarder: 1}, True)


def _fed_all_sets(sheet: ScoreSheet, feeder: str, winner: str, book: Rulebook) -> Liable | None:
    rule = next((one.rule for one in book.liabilities if one.rule.kind == "all-from"), None)
    if rule is None:
        return None
    seats = [wind for wind in WINDS if wind in book.seats]
    left = seats[seats.index(winner) - 1]
    if feeder != left:
        raise refuse(
            "not-on-the-left",
            f"only the player on the winner's left can feed all four sets: {WIND_NAMES[left]}",
            f"type !allfrom:{left}, or leave it out ({rule.source})",
        )
    if sum(one.exposed and one.kind != "pair" for one in sheet.sets) < 4:
        raise refuse(
            "not-all-fed",
            "not all four sets of the winner are exposed",
            f"leave out !allfrom: a set made by drawing was fed by nobody ({rule.source})",
        )
    return Liable(rule, {feeder: 2}, True)


def arranged_facts(hand: Hand, book: Rulebook) -> Facts:
    """The facts of a hand in the arrangement that it is scored in."""
    hand = placed_hand(hand)
    facts = checked_facts(hand, book)
    best = chosen(hand, facts, book)
    sets = tuple(one for one in best.sets if one.kind != "single")
    arrange(facts, sets)
    completed = next((one for one in sets if one.completed), None)
    facts.completed_pair = completed is not None and completed.kind == "pair"
    facts.completed_chow = completed is not None and completed.kind == "chow"
    facts.completed_pung = completed is not None and completed.kind == "pung"
    facts.form = (
        chow_form(completed.tile, hand.win.tile) if completed and facts.completed_chow and hand.win else ""
    )
    facts.special = best.special is not None
    facts.doubles = best.doubles
    return facts


def _excuse(result: SeatResult, blamed: Rule, book: Rulebook) -> Rule | None:
    """The excuse that a discarder's own hand gives him, if any: of the liability's rank or a higher one."""
    hand, sheet = result.hand, result.sheet
    if hand is None or sheet is None:
        return None
    for rule, _ in book.excuses:
        if rule.kind == "no-choice" and hand.no_choice:
            return rule
    if hand.dead:
        return None
    facts = arranged_facts(hand, book)
    facts.waiting_doubles = _waiting_doubles(hand, facts, book)
    for rule, holds in book.excuses:
        if rule.kind != "no-choice" and rule.rank <= blamed.rank and holds(facts):
            return rule
    return None


def _waiting_doubles(hand: Hand, facts: Facts, book: Rulebook) -> int:
    """The most doubles that a tile which the hand waits for would give it (D42)."""
    if hand.unlisted:
        return 0
    most = 0
    for tile in tiles_in(waits_of(hand, facts, book)):
        try:
            most = max(most, score_hand(completed_by(hand, tile, False), book).doubles or 0)
        except Refused:
            continue
    return most
