"""Conditions that hold for no hand: a number out of reach, two things of which only one can be."""

from __future__ import annotations

from mjscore.rulebook.compiling import OF_A_WINNER
from mjscore.rulebook.conditions import COMPARISONS, Compare, Joined, Name, Node, Not, Number
from mjscore.rulebook.facts import HAND_VOCABULARY

# of each group only one can hold
_EXCLUDING = (
    ("drawn", "claimed", "original"),
    ("middle", "one_end", "both_ends"),
    ("completed_pair", "completed_chow", "completed_pung"),
    ("one_suit", "one_suit_and_honors", "all_honors"),
    ("east", "south", "west", "north"),
    ("chow", "pung", "kong", "pair"),
    ("exposed", "concealed"),
    ("won", "waiting"),
    ("won", "waiting_for"),
    ("last", "last_discard"),
)


def never_holds(node: Node) -> bool:
    """Tell whether a condition can be seen to hold for no hand; it may be too kind."""
    match node:
        case Joined("or", parts):
            return all(map(never_holds, parts))
        case Joined(_, parts):
            return any(map(never_holds, parts)) or _contradict(parts)
        case Compare(sign, Name(name), Number(figure)) if name in HAND_VOCABULARY.facts:
            most = HAND_VOCABULARY.facts[name].most
            return most is not None and not any(COMPARISONS[sign](count, figure) for count in range(most + 1))
    return False


def _contradict(parts: tuple[Node, ...]) -> bool:
    said = {part for part in parts if isinstance(part, Name)}
    denied = {part.part for part in parts if isinstance(part, Not)}
    names = {name.name for name in said}
    without_places = {(name.name, name.arguments) for name in said}
    if any(isinstance(part, Name) and (part.name, part.arguments) in without_places for part in denied):
        return True
    if any(isinstance(part, Name) and part.name == "won" for part in denied) and names & set(OF_A_WINNER):
        return True
    return any(len(names & set(group)) > 1 for group in _EXCLUDING)
