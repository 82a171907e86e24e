"""Who pays for the others: the reckless discard (Harr p. 68-70) and insurance (Babcock p. 74-78).

The rulebooks say what makes a discarder liable and what excuses one; here the payments are divided.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from mjscore.game.hand import Flag, Hand, Win
from mjscore.game.tiles import WIND_NAMES, tiles_in
from mjscore.refusal import Refused, refuse
from mjscore.rulebook.compiling import InForce
from mjscore.rulebook.facts import Arrangement, HandFacts
from mjscore.rulebook.rule import Rule
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.winning_tiles import before_each_set, completed_by, waits_of
from mjscore.settling.payment import SeatResult


class Liable(NamedTuple):
    """Who is liable by which rule, and how they pay.

    If *whole*, the *payers* pay everything due to the winner, half each if there are two. Otherwise the one payer
    pays their own loss and half of the others' losses; the others pay the rest.
    """

    rule: Rule
    payers: tuple[str, ...]
    whole: bool

    def split(self, owed: Mapping[str, int]) -> dict[str, int]:
        """Return what each loser pays the winner, in points, given what each would have *owed*.

        A share that is odd is rounded down to an even number; the first payer pays the rest (D74).
        """
        total = sum(owed.values())
        liable, *sharing = self.payers
        if self.whole:
            paid = dict.fromkeys(owed, 0) | dict.fromkeys(sharing, total // 4 * 2)
        else:
            paid = {seat: points // 4 * 2 for seat, points in owed.items()}
        paid[liable] = 0
        paid[liable] = total - sum(paid.values())
        return paid

    @property
    def manner(self) -> str:
        """Return in words how the first payer pays."""
        if not self.whole:
            return "pays half of what the others lose"
        return "and the last discarder share the whole" if len(self.payers) > 1 else "pays for all"


class _WinningHand(NamedTuple):
    """The winner's hand after counting, and who fed it."""

    win: Win
    facts: HandFacts
    arrangement: Arrangement
    discarder: str | None
    book: Rulebook
    names: Mapping[str, str]

    def holds(self, case: InForce) -> bool:
        return case.when(self.facts, self.arrangement)


def liable_players(
    results: Mapping[str, SeatResult],
    winner: str,
    discarder: str | None,
    owed: Mapping[str, int],
    book: Rulebook,
    names: Mapping[str, str] = WIND_NAMES,
) -> tuple[Liable | None, list[str]]:
    """Return who pays for the others, if anybody, and remarks on why or why not, calling the players by *names*.

    *owed* is what each loser would have to pay the winner. Only one liability applies: that of a player who fed
    all four sets (D75), else that by which those who fed nothing pay least, and among equals that by which one
    player pays most (D74). Raises Refused if a hand holds a safe tile although its player claims to have had no
    other tile to discard.
    """
    scored = results[winner].scored
    win = scored.facts.hand.win if scored is not None else None
    if not book.liabilities or scored is None or scored.counting is None or win is None:
        return None, []
    hand = _WinningHand(win, scored.counted_facts, scored.counting.arrangement, discarder, book, names)
    liabilities, all_remarks = _for_all_sets(hand)
    blamed, direct_remarks = _for_the_last_discard(hand, results)
    earlier, earlier_remarks = _for_an_earlier_discard(hand)
    liabilities += _divided(blamed, earlier, hand)
    remarks = [*all_remarks, *direct_remarks, *earlier_remarks]
    if not liabilities:
        return None, remarks
    fed = (discarder, win.earlier, win.all_from)

    def preference(liable: Liable) -> tuple[bool, int, int]:
        paid = liable.split(owed)
        others = sum(points for seat, points in paid.items() if seat not in fed)
        return liable.rule.kind != "all-from", others, -max(paid.values())

    first = min(liabilities, key=preference)
    return first, [*remarks, f"{names[first.payers[0]]} {first.manner}: {first.rule}"]


def _for_all_sets(hand: _WinningHand) -> tuple[list[Liable], list[str]]:
    """Return the liability of a player who fed all four sets, in a list, and remarks."""
    if hand.win.all_from is None:
        return [], []
    for case in hand.book.liabilities:
        if case.rule.kind == "all-from":
            return [Liable(case.rule, (hand.win.all_from,), True)], []
    return [], ["whoever fed all four sets pays for the others only if the rulebook's option is on"]


def _for_the_last_discard(
    hand: _WinningHand, results: Mapping[str, SeatResult]
) -> tuple[list[InForce], list[str]]:
    """Return the last discarder's unexcused liabilities, by rank, and remarks. Raises Refused."""
    direct = [
        case
        for case in hand.book.liabilities
        if hand.facts.claimed
        and case.rule.kind == ""
        and case.shown(hand.facts, hand.arrangement)
        and hand.holds(case)
    ]
    if not direct:
        return [], []
    direct.sort(key=lambda case: case.rule.rank)
    if hand.discarder is None:
        title = direct[0].rule.title
        return [], [f"{title}: name the discarder, as in <5d:S, if they are to pay for all"]
    result, name = results[hand.discarder], hand.names[hand.discarder]
    _check_no_choice(result.hand, hand, direct)
    excuses = [(case, _excuse(result, case.rule, hand.book)) for case in direct]
    blamed = [case for case, excuse in excuses if excuse is None]
    remarks = [
        f"{case.rule}, but {name} is excused: {excuse}" for case, excuse in excuses if excuse is not None
    ]
    return blamed, remarks + (_unseen_excuse(result, name) if blamed else [])


def _for_an_earlier_discard(hand: _WinningHand) -> tuple[list[InForce], list[str]]:
    """Return the liabilities of a player who fed a set some turns before the win, and remarks."""
    feeder = hand.win.earlier
    if feeder is None:
        return [], []
    before = list(before_each_set(hand.facts, feeder, hand.book))
    earlier = [
        case
        for case in hand.book.liabilities
        if case.rule.earlier and hand.holds(case) and any(case.shown(fed, hand.arrangement) for fed in before)
    ]
    if not earlier:
        return [], [
            "the earlier discard is not one that makes the discarder pay for the others by this rulebook"
        ]
    return earlier, [
        f"whether {hand.names[feeder]} had an excuse could not be checked: "
        "that hand is known only as it was at the end"
    ]


def _divided(blamed: list[InForce], earlier: list[InForce], hand: _WinningHand) -> list[Liable]:
    """Return who pays by each liability of the last discarder (*blamed*) and the *earlier* one, who may share."""
    feeder, discarder = hand.win.earlier, hand.discarder
    divided = [Liable(case.rule, (discarder,), True) for case in blamed if discarder is not None]
    if feeder is None:
        return divided
    for case in earlier:
        shared = [other.rule for other in blamed if "shared" == other.rule.earlier == case.rule.earlier]
        if not shared or discarder is None:
            divided.append(Liable(case.rule, (feeder,), False))
        elif discarder != feeder:
            # they share what the last discarder would have paid alone
            divided = [liable for liable in divided if liable.rule not in shared]
            divided.append(Liable(case.rule, (feeder, discarder), True))
    return divided


def _unseen_excuse(result: SeatResult, name: str) -> list[str]:
    """Return a remark, in a list, if a liable player's hand was not, or not fully, searched for an excuse (D42)."""
    if result.dead:
        return [f"{name} has a dead hand, which cannot be waiting, so there is no excuse"]
    if result.hand is not None and not result.hand.unlisted:
        return []
    known = "not given" if result.hand is None else "only partly listed"
    return [f"{name}'s hand is {known}, so an excuse could not be checked"]


def _check_no_choice(held: Hand | None, won: _WinningHand, direct: list[InForce]) -> None:
    """Raise Refused if the discarder, said to have had no choice, is known to hold a safe tile (D42)."""
    if held is None or not held.no_choice or held.unlisted:
        return
    for tile in held.concealed:
        fed = won.facts._replace(win_bit=1 << tile)
        if not any(case.shown(fed, won.arrangement) for case in direct):
            about, source = Flag("nochoice"), direct[0].rule.source
            who = WIND_NAMES[won.discarder or ""]
            raise refuse("other-tile", about=about, who=who, tile=tile.title, source=source)


def _excuse(result: SeatResult, blamed: Rule, book: Rulebook) -> Rule | None:
    """Return the rule that excuses a discarder from *blamed*, if possible no choice; None if none does."""
    scored = result.scored
    if scored is None or scored.counting is None or scored.facts.hand.dead:
        return None
    hand, waits = scored.facts.hand, waits_of(scored.facts.hand, book)
    excuses = [(case.rule, case.when) for case in book.excuses if case.rule.rank <= blamed.rank]
    no_choice = next((rule for rule, _ in excuses if rule.kind == "no-choice" and hand.no_choice), None)
    facts = scored.counted_facts._replace(
        waits=waits, waiting_doubles=0 if hand.unlisted else _most_doubles(hand, waits, book)
    )
    arrangement = scored.counting.arrangement
    waiting = (rule for rule, holds in excuses if rule.kind != "no-choice" and holds(facts, arrangement))
    return no_choice or next(waiting, None)


def _most_doubles(hand: Hand, waits: int, book: Rulebook) -> int:
    """Return the most doubles that the hand would have with any of the tiles it waits for (D42)."""
    most = 0
    for tile in tiles_in(waits):
        with suppress(Refused):
            most = max(most, score_hand(completed_by(hand, tile, False, book), book).sheet.doubles or 0)
    return most
