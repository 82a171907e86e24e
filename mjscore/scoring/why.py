"""What a hand was not given, and why: for the player who thinks that he should have had it."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

from mjscore.game.tiles import tiles_in
from mjscore.page.text import Style
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.conditions import Compare, Constant, Joined, Name, Node, Not, Number, expression
from mjscore.rulebook.facts import HAND_VOCABULARY, Facts, patterns
from mjscore.rulebook.rule import SetValue
from mjscore.scoring.scorer import Candidate, ScoreSheet, candidates, checked_facts, waits_of
from mjscore.settling.liability import arranged_facts

_OTHERS_SHOWN = 5


class Reason(NamedTuple):
    """A rule that did not apply: its title, why not, and its source."""

    rule: str
    title: str
    why: str
    source: str


def not_given(sheet: ScoreSheet, book: Rulebook) -> list[Reason]:
    """Every bonus, double and limit hand that the hand was not given, with the reason."""
    if sheet.hand is None or sheet.error is not None or sheet.dead:
        return []
    if sheet.special is not None:
        return []
    facts = arranged_facts(sheet.hand, book)
    facts.set_values = [
        SetValue(item.points, (book.rules[item.rule],)) for item in sheet.items if item.tiles is not None
    ]
    given = {item.rule for item in (*sheet.items, *sheet.additions)}
    given |= {doubling.rule for doubling in sheet.doubling} | {claim.rule for claim in sheet.claims}
    facts.given = [(rule, 1) for name, rule in book.rules.items() if name in given]
    reasons = []
    for name, entry in book.entries.items():
        if entry.section not in ("bonus", "double", "after", "limit") or name in given:
            continue
        why = _why_not(book.conditions[name], facts, sheet, book)
        if not why and "times" in entry.data:
            why = "there are none"
        if why:
            reasons.append(Reason(name, entry.title, why, entry.source))
    return reasons


def other_arrangements(sheet: ScoreSheet, book: Rulebook) -> list[Candidate]:
    """The arrangements or regroupings that scored less than the one chosen, best first."""
    if sheet.hand is None or sheet.error is not None or sheet.dead:
        return []
    found = list(candidates(sheet.hand, checked_facts(sheet.hand, book), book))
    rest = [
        one
        for one in found
        if (one.score, one.points, one.doubles) != (sheet.score, sheet.points, sheet.doubles)
    ]
    return sorted(rest, key=lambda one: -one.score)


def _why_not(node: Node, facts: Facts, sheet: ScoreSheet, book: Rulebook) -> str:
    """The first part of a condition that does not hold, in words; empty where all of it holds."""
    if isinstance(node, Joined) and node.word == "and":
        for part in node.parts:
            why = _why_not(part, facts, sheet, book)
            if why:
                return why
        return ""
    if _holds(node, facts):
        return ""
    if isinstance(node, Joined):
        return ", and ".join(_why_not(part, facts, sheet, book) for part in node.parts)
    if isinstance(node, Name):
        return _denied(node, facts, sheet, book)
    if isinstance(node, Not):
        inside = node.part
        return f"{_phrase(inside)}" if isinstance(inside, Name) else "what excludes it holds"
    if isinstance(node, Compare):
        return _compared(node, facts)
    return "it does not apply"


def _holds(node: Node, facts: Facts) -> bool:
    if isinstance(node, Constant):
        return bool(node.value)
    return bool(eval(expression(node, HAND_VOCABULARY), {"f": facts, "patterns": patterns}))


def _value(node: Node, facts: Facts) -> int:
    return int(eval(expression(node, HAND_VOCABULARY), {"f": facts, "patterns": patterns}))


def _denied(name: Name, facts: Facts, sheet: ScoreSheet, book: Rulebook) -> str:
    if name.name == "only_place" and sheet.hand is not None and sheet.hand.win is not None:
        waits = waits_of(sheet.hand, facts, book)
        others = [str(tile) for tile in tiles_in(waits) if tile != sheet.hand.win.tile]
        return f"not the only place: {_listed(others)} would have won too"
    if name.name == "scores_only":
        scoring = [
            rule.title.lower()
            for rule in (
                *(value.rules[0] for value in facts.set_values),
                *(rule for rule, _ in facts.given if rule.is_other_score),
            )
            if rule.id not in _words(name)
        ]
        scoring = list(dict.fromkeys(scoring))
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


def _compared(node: Compare, facts: Facts) -> str:
    left = node.left
    has = _value(left, facts)
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


def show_why(sheet: ScoreSheet, book: Rulebook, style: Style) -> str:
    """What was not given and why, and the arrangements that scored less."""
    lines = [style.strong(f"Not given ({book.id})")]
    for reason in not_given(sheet, book):
        text = f"{reason.title}: {reason.why} ({reason.source})"
        lines += wrap(text, style.width - 4, initial_indent="  ", subsequent_indent="      ")
    for claim in sheet.claims:
        if claim.rule != sheet.score_set_by:
            lines.append(
                f"  {claim.title} would be {claim.points}: counting gives {sheet.score}, and the player takes the better"
            )
    others = other_arrangements(sheet, book)
    if others:
        lines += ["", style.strong("Other arrangements" if sheet.won else "Regroupings that score less")]
        for one in others[:_OTHERS_SHOWN]:
            text = f"{one.score} points: {arrangement_text(one)}"
            lines += wrap(text, style.width - 4, initial_indent="  ", subsequent_indent="      ")
        if len(others) > _OTHERS_SHOWN:
            lines.append(f"  and {len(others) - _OTHERS_SHOWN} more")
    return "\n".join(lines)


def arrangement_text(candidate: Candidate) -> str:
    """The sets of an arrangement in the notation, the one that the winning tile completed marked +."""
    words = []
    for one in candidate.sets:
        text = one.notation() if one.origin != "hand" else str(one)
        words.append(text + ("+" if one.completed else ""))
    return " ".join(words) or "nothing"


def reasons_json(sheet: ScoreSheet, book: Rulebook) -> dict[str, object]:
    """The same for programs."""
    return {
        "not_given": [reason._asdict() for reason in not_given(sheet, book)],
        "other_arrangements": [
            {
                "score": one.score,
                "points": one.points,
                "doubles": one.doubles,
                "sets": [s.as_json() for s in one.sets],
            }
            for one in other_arrangements(sheet, book)
        ],
    }
