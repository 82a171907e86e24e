"""Conditions and shapes of a rulebook in words: what an entry asks for, what is counted, what a special hand is."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from mjscore.rulebook.conditions import (
    Compare,
    Constant,
    Joined,
    Name,
    Node,
    Not,
    Number,
    Sum,
    Text,
    words_of,
)
from mjscore.rulebook.shapes import shape_parts

SIGNS = {">=": "at least ", "<=": "at most ", ">": "more than ", "<": "fewer than ", "!=": "not ", "==": ""}


@cache
def _said() -> dict[str, Any]:
    """Read what classes, facts and sets are called."""
    import tomllib  # only a card or a reason asks for it

    text = pkgutil.get_data(__package__, "wording.toml")
    assert text is not None
    return tomllib.loads(text.decode())


def meaning(fact: str) -> str:
    """Tell what a fact means."""
    return str(_said()["meanings"][fact])


def denial(fact: str) -> str:
    """Tell a player that a fact does not hold; empty where it names what it is about itself."""
    return str(_said()["denials"].get(fact, ""))


def condition_words(node: Node, title: Callable[[str], str], of_winner: bool = False) -> str:
    """Tell a condition in words, other entries by their *title*; with *of_winner* it goes without saying that the hand won."""

    def words(part: Node) -> str:
        return condition_words(part, title, of_winner)

    match node:
        case Joined("and", parts):
            return ", ".join(text for text in map(words, parts) if text)
        case Joined(_, parts):
            return " or ".join(map(words, parts))
        case Not(Name() as name):
            return f"not {words(name)}"
        case Not(part):
            return f"not: {words(part)}"
        case Compare(sign, left, Number(count) | Constant(count)):
            return _counted(left, sign, int(count))
        case Compare(sign, left, right):
            return f"{many(left)}: {SIGNS[sign] or 'as many as '}{many(right)}"
        case Name("won", _):
            return "" if of_winner else "won"
        case Name(name, arguments):
            return _fact(name, arguments, title)
    return ""


def _fact(name: str, arguments: Sequence[str | Text], title: Callable[[str], str]) -> str:
    of = _of(arguments)
    if name == "scores_only":
        return "nothing else scores"
    if name == "waiting_for":
        return f"one tile short of {title(words_of(arguments)[0])}"
    if name in ("winning_tile", "all_tiles", "of", "held", "flag"):
        written = all(isinstance(argument, Text) for argument in arguments)
        says = {"winning_tile": f"the winning tile {'is' if written else 'of'} ", "all_tiles": "nothing but ", "of": "of ",
                "held": "the concealed tiles are ", "flag": "!"}  # fmt: skip
        return says[name] + of
    short: str = _said()["facts"].get(name) or meaning(name).partition(";")[0].partition(" (D")[0]
    return short


def listed(words: Sequence[str]) -> str:
    """Join words: ``a, b and c``."""
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else "".join(words)


def _of(arguments: Sequence[str | Text]) -> str:
    return " that are ".join(
        argument.value if isinstance(argument, Text) else _class_of_tiles(argument) for argument in arguments
    )


def _class_of_tiles(name: str) -> str:
    words = name.replace("_", " ")
    plural = words if words.endswith("s") or words == "bamboo" else f"{words}s"
    return str(_said()["classes"].get(name, plural))


def _counted(node: Node, sign: str, count: int) -> str:
    """Tell a number that is asked for: ``3 sets of dragons``, ``no runs``, ``at least 1 tile of bamboo``."""
    if count == 0 and sign in ("==", "<="):
        return f"no {many(node)}"
    if isinstance(node, Sum):
        return f"{many(node)}, {SIGNS[sign]}{count} in all"
    if count == 0 and sign in (">", "!="):
        sign, count = ">=", 1
    return f"{SIGNS[sign]}{count} {many(node, count == 1)}"


def many(node: Node, one: bool = False) -> str:
    """Tell what is counted: of several, or of *one*."""
    if isinstance(node, Sum):
        return listed([f"{'less ' if sign == '-' else ''}{many(term)}" for sign, term in node.terms])
    if not isinstance(node, Name):
        return str(node.value) if isinstance(node, (Number, Constant)) else ""
    of = _of(node.arguments)
    single, several, behind = _said()["counted"].get(node.name, (node.name, node.name, ""))
    return f"{single if one else several}{f' of {of}' if of else ''}{behind}"


def shape_words(text: str) -> str:
    """Tell the tiles of a special hand in words."""
    told: list[str] = []
    suit_of: dict[str, str] = _said()["letters"]
    for part in shape_parts(text):
        letters = {suit_of[name[-1]] for name in part.names if name[-1] in suit_of and len(name) > 1}
        names = ", ".join(
            name[:-1] if name.type == "TILES" and name[-1] in suit_of else _class_of_tiles(name)
            for name in part.names
            if name not in suit_of
        )
        suits = ", ".join(suit_of[name] for name in part.names if name in suit_of)
        of = f" of {' or '.join(letters)}" if letters else f" of {suits}" if suits else ""
        if part.kind == "tiles":
            told.append(f"{part.names[0][:-1]}{of}" if letters else str(part.names[0]))
            if not letters and len(told) > 1 and told[-2][0].isdigit() and " of " not in told[-2]:
                told[-2:] = [" ".join(told[-2:])]  # tiles written out stand together
        elif part.kind == "twin":
            told.append(
                "and one of these once more" if part.number == 1 else f"{part.number} of these once more"
            )
        elif part.kind == "run":
            told.append(f"a run of {part.number}{', doubled' if part.copies > 1 else ''}{of}")
        else:
            what = "one of" if letters and part.number == 1 else _said()["sets"][part.kind][part.number > 1]
            count = f"{part.number} " if part.number > 1 else ""
            told.append(
                f"{count}{what}{' ' if letters else ' of ' if names else ''}{names}{'' if letters else of}"
            )
    return ", ".join(told).replace(", and", " and")
