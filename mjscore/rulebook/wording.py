"""Conditions and shapes of a rulebook in words: what an entry asks for, what is counted, what a special hand is."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from mjscore.rulebook.conditions import Constant, Name, Node, Operation
from mjscore.rulebook.set_patterns import lacking_sets
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
        case Operation("and", parts):
            return ", ".join(text for text in map(words, parts) if text)
        case Operation("or", parts):
            return " or ".join(map(words, parts))
        case Operation("not", (Name() as name,)):
            said = words(name)
            return denial(name.name) if said.startswith("nothing ") else f"not {said}"
        case Operation("not", (part,)):
            return f"not: {words(part)}"
        case Operation(sign, (left, Constant(int(count)))):
            return _counted(left, sign, count)
        case Operation(sign, (left, right)):
            return f"{many(left)}: {SIGNS[sign] or 'as many as '}{many(right)}"
        case Name("won"):
            return "" if of_winner else "won"
        case Name():
            return _fact(node, title)
    return ""


def _fact(fact: Name, title: Callable[[str], str]) -> str:
    name = fact.name
    if name == "scores_only":
        return "nothing else scores"
    if name == "sets":
        return f"sets such as {' '.join(lacking_sets((), tuple(fact.words)))}"
    if name == "waiting_for":
        return f"one tile short of {title(fact.words[0])}"
    if name in ("winning_tile", "all_tiles", "of", "held", "flag"):
        written = all(isinstance(argument, Constant) for argument in fact.arguments)
        says = {"winning_tile": f"the winning tile {'is' if written else 'of'} ", "all_tiles": "nothing but ", "of": "of ",
                "held": "the concealed tiles are ", "flag": "!"}  # fmt: skip
        return says[name] + of_classes(fact)
    short: str = _said()["facts"].get(name) or meaning(name).partition(";")[0].partition(" (D")[0]
    return short


def listed(words: Sequence[str]) -> str:
    """Join words: ``a, b and c``."""
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else "".join(words)


def of_classes(fact: Name) -> str:
    """Return of which classes of tiles a fact is, in words."""
    return " that are ".join(
        str(one.value) if isinstance(one, Constant) else _class_of_tiles(one) for one in fact.arguments
    )


def _class_of_tiles(name: str) -> str:
    words = name.replace("_", " ")
    plural = words if words.endswith("s") or words == "bamboo" else f"{words}s"
    return str(_said()["classes"].get(name, plural))


def _counted(node: Node, sign: str, count: int) -> str:
    """Tell a number that is asked for: ``3 sets of dragons``, ``no runs``, ``at least 1 tile of bamboo``."""
    if count == 0 and sign in ("==", "<="):
        return f"no {many(node)}"
    if isinstance(node, Operation):
        return f"{many(node)}, {SIGNS[sign]}{count} in all"
    if count == 0 and sign in (">", "!="):
        sign, count = ">=", 1
    return f"{SIGNS[sign]}{count} {many(node, count == 1)}"


def many(node: Node, one: bool = False) -> str:
    """Tell what is counted: of several, or of *one*."""
    if isinstance(node, Constant):
        return str(node.value)
    if isinstance(node, Operation):
        return "less " * (node.sign == "-") + listed([*map(many, node.parts)])
    of = of_classes(node)
    single, several, behind = _said()["counted"].get(node.name, (node.name, node.name, ""))
    return f"{single if one else several}{f' of {of}' if of else ''}{behind}"


def shape_words(text: str) -> str:
    """Tell the tiles of a special hand in words."""
    told: list[str] = []
    suit_of: dict[str, str] = _said()["letters"]
    again: dict[str, str] = _said()["letters-again"]
    said: list[str] = []

    def suit(letter: str) -> str:
        """Return the suit that a letter stands for, and of one that was said before that it is that suit."""
        if letter in said:
            return again["alone" if len(said) == 1 else letter]
        said.append(letter)
        return suit_of[letter]

    for part in shape_parts(text):
        is_known = any(name[-1] in said for name in part.names)
        lettered = [name[-1] for name in part.names if name[-1] in suit_of and len(name) > 1]
        letters = list(map(suit, dict.fromkeys(lettered)))
        names = ", ".join(
            _class_of_tiles(name) if name.type != "TILES" else name[:-1] if name[-1] in suit_of else str(name)
            for name in part.names
            if name not in suit_of
        )
        suits = ", ".join(suit(name) for name in part.names if name in suit_of)
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
                f"{count}{what}{' ' if letters else ' of ' if names else ''}{names}{'' if letters and not is_known else of}"
            )
    return ", ".join(told).replace(", and", " and")
