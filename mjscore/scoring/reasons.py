"""Why a condition does not hold of a hand, in words: for what was not given, and for a hand that may not win."""

from __future__ import annotations

from typing import NamedTuple

from mjscore.game.tiles import tiles_in
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.conditions import (
    Compare,
    Constant,
    Joined,
    Name,
    Node,
    Not,
    Number,
    expression,
    words_of,
)
from mjscore.rulebook.facts import FUNCTIONS, HAND_VOCABULARY, Arrangement, HandFacts
from mjscore.rulebook.rule import Award, SetValue
from mjscore.rulebook.wording import SIGNS, denial, listed, many, meaning
from mjscore.scoring.winning_tiles import places_of, waits_of


class Asked(NamedTuple):
    """What a condition is asked of: a hand's facts, its doubles and score among them, and how it was counted."""

    facts: HandFacts
    arrangement: Arrangement
    values: tuple[SetValue, ...]
    given: tuple[Award, ...]
    book: Rulebook

    def value(self, node: Node) -> int:
        """Give the value of a condition, or of a part of one."""
        names = {"h": self.facts, "a": self.arrangement, "set_values": self.values, "given": self.given}
        return int(eval(expression(node, HAND_VOCABULARY), {**FUNCTIONS, **names}))


def why_not(node: Node, asked: Asked) -> str:
    """Give the first part of a condition that does not hold, in words; empty where all of it holds."""
    match node:
        case Joined("and", parts):
            return next(filter(None, (why_not(part, asked) for part in parts)), "")
        case _ if asked.value(node):
            return ""
        case Joined(_, parts):
            return ", and ".join(why_not(part, asked) for part in parts)
        case Name():
            return _denied(node, asked)
        case Not(Name() as name):
            return _of_entry(name, asked, True) or meaning(name.name).partition(";")[0]
        case Not():
            return "what excludes it holds"
        case Compare():
            return _compared(node, asked)
    return "it does not apply"


def _denied(name: Name, asked: Asked) -> str:
    if name.name in ("only_place", "only_wait"):
        facts = asked.facts
        places = places_of if name.name == "only_place" else waits_of
        tiles = [str(tile) for tile in tiles_in(places(facts.hand, asked.book) & ~facts.win_bit)]
        return f"not the only place: {listed(tiles)} would have won too"
    if name.name == "scores_only":
        scoring = [rule.id for value in asked.values for rule in value.rules]
        scoring += [award.rule for award in asked.given if award.is_other_score]
        others = [rule for rule in scoring if rule not in words_of(name.arguments)]
        titles = dict.fromkeys(asked.book.rules[rule].title.lower() for rule in others)
        return f"something else scores: {listed([*titles][:3])}"
    if name.name == "all_tiles" and name.arguments:
        return f"not all of its tiles are of {' and '.join(words_of(name.arguments)).replace('_', ' ')}"
    if name.name == "waiting_for" and asked.facts.won:
        return "the hand won"
    return _of_entry(name, asked, False) or denial(name.name)


def _of_entry(name: Name, asked: Asked, holds: bool) -> str:
    """That a hand has a flag or waits for a special hand, or that not; empty for any other fact."""
    if name.name not in ("flag", "waiting_for"):
        return ""
    (word,) = words_of(name.arguments)
    if name.name == "flag":
        return f"the hand has {'' if holds else 'no '}!{word}"
    entry = asked.book.entries.get(word)
    return f"the hand is {'' if holds else 'not '}waiting for {entry.title if entry is not None else word}"


_TURNED = {">=": "<=", "<=": ">=", ">": "<", "<": ">"}


def _compared(node: Compare, asked: Asked) -> str:
    if isinstance(node.left, (Number, Constant)):
        # what is counted is named first, on whichever side it stands
        node = Compare(_TURNED.get(node.sign, node.sign), node.right, node.left)
    what, has, needed = many(node.left), asked.value(node.left), asked.value(node.right)
    least = SIGNS[node.sign]
    if not isinstance(node.right, (Number, Constant)):
        least += f"{many(node.right)}: "
    elif not needed and node.sign == "==":
        return f"{what}: {has}"
    return f"{what}: {has or 'none'}" + (f", not {least}{needed}" if node.sign != "!=" else "")
