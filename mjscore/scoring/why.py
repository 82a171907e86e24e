"""What a hand was not given, and why: for the player who thinks that he should have had it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mjscore.game.tiles import tiles_in
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.conditions import Compare, Constant, Joined, Name, Node, Not, Number, expression
from mjscore.rulebook.facts import FUNCTIONS, HAND_VOCABULARY
from mjscore.scoring.completing import places_of
from mjscore.scoring.scorer import Counting, ScoredHand


class Reason(NamedTuple):
    """A rule that did not apply: its title, why not, and its source."""

    rule: str
    title: str
    why: str
    source: str


class Asked(NamedTuple):
    """What a condition is asked of: a hand and how it was counted."""

    scored: ScoredHand
    counting: Counting
    book: Rulebook

    def value(self, node: Node) -> int:
        """The value of a condition, or of a part of one."""
        if isinstance(node, Constant):
            return int(node.value)
        names = {
            "h": self.scored.counted_facts,
            "a": self.counting.arrangement,
            "set_values": self.counting.values,
            "given": self.counting.given,
        }
        return int(eval(expression(node, HAND_VOCABULARY), {**FUNCTIONS, **names}))


def not_given(scored: ScoredHand, book: Rulebook) -> list[Reason]:
    """Every bonus, double and limit hand that the hand was not given, with the reason."""
    counting = scored.counting
    if counting is None or scored.sheet.dead or counting.special is not None:
        return []
    asked = Asked(scored, counting, book)
    given = {award.rule for award in counting.given}
    reasons = []
    for name, entry in book.entries.items():
        if entry.section not in ("bonus", "double", "after", "limit") or name in given:
            continue
        why = _why_not(book.conditions[name], asked)
        if not why and "times" in entry.data:
            why = "there are none"
        if why:
            reasons.append(Reason(name, entry.title, why, entry.source))
    return reasons


def other_arrangements(scored: ScoredHand) -> list[Counting]:
    """Of the arrangements or regroupings kept those that scored less than the one chosen, best first."""
    best = scored.counting
    if best is None or scored.sheet.dead:
        return []
    figures = (best.score, best.points, best.doubles)
    others = [one for one in scored.others if (one.score, one.points, one.doubles) != figures]
    return sorted(others, key=lambda counting: -counting.score)


def _why_not(node: Node, asked: Asked) -> str:
    """The first part of a condition that does not hold, in words; empty where all of it holds."""
    if isinstance(node, Joined) and node.word == "and":
        for part in node.parts:
            why = _why_not(part, asked)
            if why:
                return why
        return ""
    if asked.value(node):
        return ""
    if isinstance(node, Joined):
        return ", and ".join(_why_not(part, asked) for part in node.parts)
    if isinstance(node, Name):
        return _denied(node, asked)
    if isinstance(node, Not):
        inside = node.part
        return f"{_phrase(inside)}" if isinstance(inside, Name) else "what excludes it holds"
    if isinstance(node, Compare):
        return _compared(node, asked)
    return "it does not apply"


def _denied(name: Name, asked: Asked) -> str:
    if name.name == "only_place":
        facts = asked.scored.facts
        others = [str(tile) for tile in tiles_in(places_of(facts.hand, asked.book) & ~facts.win_bit)]
        return f"not the only place: {_listed(others)} would have won too"
    if name.name == "scores_only":
        counting, rules = asked.counting, asked.book.rules
        scoring = [rule.id for value in counting.values for rule in value.rules]
        scoring += [award.rule for award in counting.given if award.is_other_score]
        scoring = list(
            dict.fromkeys(rules[rule].title.lower() for rule in scoring if rule not in _words(name))
        )
        return f"something else scores: {_listed(scoring[:3])}" if scoring else "something else scores"
    return HAND_VOCABULARY.facts[name.name].denial or f"not: {_phrase(name)}"


def _words(name: Name) -> tuple[str, ...]:
    return tuple(argument if isinstance(argument, str) else argument.value for argument in name.arguments)


def _phrase(name: Name) -> str:
    words = {
        "mixed": "the drawn tile was put among the others",
        "original": "the hand was won as dealt",
        "drawn": "the winning tile was drawn",
        "claimed": "the winning tile was claimed",
        "won": "the hand won",
        "limited": "there is a limit",
    }
    return words.get(name.name, name.name.replace("_", " "))


def _compared(node: Compare, asked: Asked) -> str:
    left = node.left
    has = asked.value(left)
    if isinstance(left, Name):
        what = {
            "chows": "runs",
            "pungs": "sets",
            "kongs": "fours",
            "pairs": "pairs",
            "hidden_pungs": "concealed sets",
            "concealed_pungs": "concealed sets",
        }.get(left.name, left.name.replace("_", " "))
        if left.arguments:
            what += " of " + " and ".join(word.replace("_", " ") for word in _words(left))
            what = what.replace("_", " ")
    else:
        what = "count"
    if isinstance(node.right, (Number, Constant)):
        needed = int(node.right.value)
        least = {">=": "at least ", ">": "more than ", "<": "fewer than ", "<=": "at most "}.get(
            node.sign, ""
        )
        return f"{what}: {has or 'none'}" + (f", not {least}{needed}" if needed or node.sign != "==" else "")
    return f"{what}: {has}"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else "".join(words)


def reasons_json(scored: ScoredHand, book: Rulebook) -> dict[str, object]:
    """The same for programs."""
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
