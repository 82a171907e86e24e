"""What a hand was not given, and why: for the player who thinks that they should have had it."""

from __future__ import annotations

from typing import NamedTuple

from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.reasons import Asked, why_not
from mjscore.scoring.scorer import ScoredArrangement, ScoredHand


class Reason(NamedTuple):
    """A rule that did not apply: its title, why not, and its source."""

    rule: str
    title: str
    why: str
    source: str


def not_given(scored: ScoredHand, book: Rulebook) -> list[Reason]:
    """Give every bonus, double and limit hand that the hand was not given, with the reason."""
    if scored.sheet.dead:
        return []
    counting = scored.counting
    assert counting is not None
    if counting.special is not None:
        return []
    asked = Asked(scored.counted_facts, counting.arrangement, counting.values, counting.given, book)
    given = {award.rule for award in counting.given}
    reasons = []
    for name, entry in book.entries.items():
        if entry.section not in ("bonus", "double", "after", "limit") or name in given:
            continue
        why = why_not(book.conditions[name], asked)
        if not why and "times" in entry.data:
            why = "there are none"
        if why:
            reasons.append(Reason(name, entry.title, why, entry.source))
    return reasons


def other_arrangements(scored: ScoredHand) -> list[ScoredArrangement]:
    """Of the arrangements or regroupings kept those that scored less than the one chosen, best first."""
    if scored.sheet.dead:
        return []
    best = scored.counting
    assert best is not None
    figures = (best.score, best.points, best.doubles)
    others = [one for one in scored.others if (one.score, one.points, one.doubles) != figures]
    return sorted(others, key=lambda counting: -counting.score)


def reasons_json(scored: ScoredHand, book: Rulebook) -> dict[str, object]:
    """Give the same for programs."""
    return {
        "not_given": [reason._asdict() for reason in not_given(scored, book)],
        "other_arrangements": [
            {
                "score": one.score,
                "points": one.points,
                "doubles": one.doubles,
                "sets": [tile_set.as_json() for tile_set in one.arrangement.sets],
            }
            for one in other_arrangements(scored)
        ],
    }
