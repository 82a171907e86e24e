"""Who pays for the others: the reckless discard (Harr p. 68-70) and insurance (Babcock p. 74-78).

The conditions and the excuses stand in the rulebooks; here is how the payments are divided.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES, tiles_in
from mjscore.refusal import About, Refused, refuse
from mjscore.rulebook.facts import Arrangement, HandFacts
from mjscore.rulebook.rule import Rule
from mjscore.rulebook.rulebook import InForce, Rulebook
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.winning_tiles import before_each_set, completed_by, waits_of
from mjscore.settling.payment import SeatResult


class Liable(NamedTuple):
    """Who is liable by which rule, and how they pay.

    *whole*: the *payers* share all that is due to the winner, half each where there are two. Else the one
    payer pays their own loss and half of the others', who bear the rest.
    """

    rule: Rule
    payers: tuple[str, ...]
    whole: bool

    def split(self, owed: Mapping[str, int]) -> dict[str, int]:
        """Tell what each loser pays the winner, in points, out of what each would have owed.

        A share that is no even number is rounded down to one; the first of the payers pays the rest (D74).
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


def liable_players(
    results: Mapping[str, SeatResult],
    winner: str,
    discarder: str | None,
    owed: Mapping[str, int],
    book: Rulebook,
    names: Mapping[str, str] = WIND_NAMES,
) -> tuple[Liable | None, tuple[str, ...]]:
    """Tell who pays for the others, if anybody, and remarks that say why or why not, by *names*.

    *owed* is what each loser would have to pay the winner. Of two liabilities at once one holds alone: that of
    who fed all four sets (D75), else the one by which those who fed nothing pay least, and of equal ones that by
    which one player pays most (D74). Raises Refused where a hand contradicts that it had no other tile to discard.
    """
    scored = results[winner].scored
    win = scored.facts.hand.win if scored is not None else None
    if not book.liabilities or scored is None or scored.counting is None or win is None:
        return None, ()
    facts, arrangement = scored.counted_facts, scored.counting.arrangement
    remarks: list[str] = []
    found: list[Liable] = []
    if win.all_from is not None:
        rule = next((case.rule for case in book.liabilities if case.rule.kind == "all-from"), None)
        if rule is not None:
            found.append(Liable(rule, (win.all_from,), True))
        else:
            remarks.append(
                "who fed all four sets pays for the others only where the rulebook's option says so"
            )
    # those hardest to excuse first (rank 1 before 2 before 3)
    direct = sorted(
        (
            case
            for case in book.liabilities
            if facts.claimed
            and case.rule.kind == ""
            and case.shown(facts, arrangement)
            and case.when(facts, arrangement)
        ),
        key=lambda case: case.rule.rank,
    )
    blamed: list[InForce] = []
    if direct and discarder is None:
        remarks.append(f"{direct[0].rule.title}: name the discarder, as in <5d:S, if they are to pay for all")
    elif discarder is not None and direct:
        result, name = results[discarder], names[discarder]
        _check_no_choice(result.hand, discarder, facts, arrangement, direct)
        excuses = [(case, _excuse(result, case.rule, book)) for case in direct]
        blamed = [case for case, excuse in excuses if excuse is None]
        found += [Liable(case.rule, (discarder,), True) for case in blamed]
        remarks += [
            f"{case.rule}, but {name} is excused: {excuse}" for case, excuse in excuses if excuse is not None
        ]
        if blamed:
            remarks += _unseen_excuse(result, name)
    if win.earlier is not None:
        before = list(before_each_set(facts, win.earlier, book))
        earlier = [
            case
            for case in book.liabilities
            if case.rule.earlier
            and case.when(facts, arrangement)
            and any(case.shown(fed, arrangement) for fed in before)
        ]
        if earlier:
            remarks.append(
                f"whether {names[win.earlier]} had an excuse could not be looked at: "
                "that hand is known as it was at the end"
            )
        else:
            remarks.append("the earlier discard is not one that the rulebook has the discarder pay for")
        for liability in earlier:
            shared = [case for case in blamed if "shared" == case.rule.earlier == liability.rule.earlier]
            if not shared or discarder is None:
                found.append(Liable(liability.rule, (win.earlier,), False))
            elif discarder != win.earlier:
                # the two share what the last discarder would have paid alone
                found = [liable for liable in found if liable.rule not in [case.rule for case in shared]]
                found.append(Liable(liability.rule, (win.earlier, discarder), True))
    if not found:
        return None, tuple(remarks)
    fed = (discarder, win.earlier, win.all_from)

    def preference(liable: Liable) -> tuple[bool, int, int]:
        paid = liable.split(owed)
        others = sum(points for seat, points in paid.items() if seat not in fed)
        return liable.rule.kind != "all-from", others, -max(paid.values())

    first = min(found, key=preference)
    how = "pays half of what the others lose"
    if first.whole:
        how = "and the last discarder share the whole" if len(first.payers) > 1 else "pays for all"
    return first, (*remarks, f"{names[first.payers[0]]} {how}: {first.rule}")


def _unseen_excuse(result: SeatResult, name: str) -> list[str]:
    """Tell why the excuse of who is liable was not looked for, or not in all of their hand (D42)."""
    if result.dead:
        return [f"{name} has a dead hand, which cannot be waiting, so it is no excuse"]
    if result.hand is None:
        return [f"{name}'s hand is not given, so an excuse could not be looked at"]
    if result.hand.unlisted:
        return [f"{name}'s hand is given in part, so an excuse could not be looked at"]
    return []


def _check_no_choice(
    hand: Hand | None, who: str, facts: HandFacts, arrangement: Arrangement, direct: list[InForce]
) -> None:
    """Tell whether a hand said to have had no other tile to discard holds such tiles alone (D42). Raises Refused."""
    if hand is None or not hand.no_choice or hand.unlisted:
        return
    for tile in hand.concealed:
        fed = facts._replace(win_bit=1 << tile)
        if not any(liability.shown(fed, arrangement) for liability in direct):
            about, source = About("flag", "nochoice"), direct[0].rule.source
            raise refuse("other-tile", about=about, who=WIND_NAMES[who], tile=tile.title, source=source)


def _excuse(result: SeatResult, blamed: Rule, book: Rulebook) -> Rule | None:
    """Find the excuse that a discarder's own hand gives them, if any: of the liability's rank or a higher one."""
    scored = result.scored
    if scored is None or scored.counting is None or scored.facts.hand.dead:
        return None
    hand, waits = scored.facts.hand, waits_of(scored.facts.hand, book)
    excuses = [(one.rule, one.when) for one in book.excuses if one.rule.rank <= blamed.rank]
    no_choice = next((rule for rule, _ in excuses if rule.kind == "no-choice" and hand.no_choice), None)
    facts = scored.counted_facts._replace(
        waits=waits, waiting_doubles=0 if hand.unlisted else _most_doubles(hand, waits, book)
    )
    arrangement = scored.counting.arrangement
    waiting = (rule for rule, holds in excuses if rule.kind != "no-choice" and holds(facts, arrangement))
    return no_choice or next(waiting, None)


def _most_doubles(hand: Hand, waits: int, book: Rulebook) -> int:
    """Give the most doubles that a tile which the hand waits for would give it (D42)."""
    most = 0
    for tile in tiles_in(waits):
        with suppress(Refused):
            most = max(most, score_hand(completed_by(hand, tile, False, book), book).sheet.doubles or 0)
    return most
