"""Conditions and shapes in words: what an entry requires, what is counted, what a special hand is."""

import pkgutil
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from mjscore.rulebook.conditions import Constant, Name, Node, Operation
from mjscore.rulebook.set_patterns import lacking_sets
from mjscore.rulebook.shapes import ShapePart, shape_parts

SIGNS = {">=": "at least ", "<=": "at most ", ">": "more than ", "<": "fewer than ", "!=": "not ", "==": ""}


@cache
def _wording() -> dict[str, Any]:
    import tomllib  # needed only for cards and reasons

    text = pkgutil.get_data(__package__, "wording.toml")
    assert text is not None
    return tomllib.loads(text.decode())


def meaning(fact: str) -> str:
    """Return what a fact means."""
    return str(_wording()["meanings"][fact])


def denial(fact: str) -> str:
    """Return the words for a fact that does not hold; empty if it is denied in another way."""
    return str(_wording()["denials"].get(fact, ""))


def condition_words(node: Node, title: Callable[[str], str], of_winner: bool = False) -> str:
    """Return a condition in words, with other entries by their *title*; *of_winner* omits that the hand won."""

    def words(part: Node) -> str:
        return condition_words(part, title, of_winner)

    match node:
        case Operation("and", parts):
            return ", ".join(text for text in map(words, parts) if text)
        case Operation("or", parts):
            return " or ".join(map(words, parts))
        case Operation("not", (Name() as name,)):
            fact = words(name)
            return denial(name.name) if fact.startswith("nothing ") else f"not {fact}"
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


_BEFORE_CLASSES = {"all_tiles": "nothing but ", "of": "of ", "held": "the concealed tiles are ", "flag": "!"}


def _fact(fact: Name, title: Callable[[str], str]) -> str:
    name = fact.name
    if name == "scores_only":
        return "nothing else scores"
    if name == "sets":
        return f"sets such as {' '.join(lacking_sets((), tuple(fact.words)))}"
    if name == "waiting_for":
        return f"one tile short of {title(fact.words[0])}"
    if name == "winning_tile":
        is_written = all(isinstance(argument, Constant) for argument in fact.arguments)
        return f"the winning tile {'is' if is_written else 'of'} {of_classes(fact)}"
    if name in _BEFORE_CLASSES:
        return _BEFORE_CLASSES[name] + of_classes(fact)
    short: str = _wording()["facts"].get(name) or meaning(name).partition(";")[0].partition(" (D")[0]
    return short


def listed(words: Sequence[str]) -> str:
    """Return *words* joined: ``a, b and c``."""
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else "".join(words)


def of_classes(fact: Name) -> str:
    """Return the classes of tiles that a fact is about, in words."""
    words = (str(one.value) if isinstance(one, Constant) else _class_of_tiles(one) for one in fact.arguments)
    return " that are ".join(words)


def _class_of_tiles(name: str) -> str:
    words = name.replace("_", " ")
    plural = words if words.endswith("s") or words == "bamboo" else f"{words}s"
    return str(_wording()["classes"].get(name, plural))


def _counted(node: Node, sign: str, count: int) -> str:
    """Return a comparison in words, such as ``no chows`` or ``at least 1 tile of bamboo``."""
    if count == 0 and sign in ("==", "<="):
        return f"no {many(node)}"
    if isinstance(node, Operation):
        return f"{many(node)}, {SIGNS[sign]}{count} in all"
    if count == 0 and sign in (">", "!="):
        sign, count = ">=", 1
    return f"{SIGNS[sign]}{count} {many(node, count == 1)}"


def many(node: Node, one: bool = False) -> str:
    """Return the name of what is counted, in the plural unless *one*."""
    if isinstance(node, Constant):
        return str(node.value)
    if isinstance(node, Operation):
        return "less " * (node.sign == "-") + listed([*map(many, node.parts)])
    of = of_classes(node)
    single, several, behind = _wording()["counted"].get(node.name, (node.name, node.name, ""))
    return f"{single if one else several}{f' of {of}' if of else ''}{behind}"


def shape_words(text: str) -> str:
    """Return the tiles of a special hand in words; *text* is their shape."""
    parts: list[str] = []
    named: list[str] = []  # the letters of suits named so far
    for part in shape_parts(text):
        words = _part_words(part, named)
        is_written = part.kind == "tiles" and " of " not in words
        if is_written and parts and parts[-1][0].isdigit() and " of " not in parts[-1]:
            parts[-1] += f" {words}"  # consecutive written tiles are joined
        else:
            parts.append(words)
    return ", ".join(parts).replace(", and", " and")


def _part_words(part: ShapePart, named: list[str]) -> str:
    """Return a part of a shape in words, and add to *named* the letters of the suits named in it."""
    suit_of, several = _wording()["letters"], part.number > 1
    is_known = any(name[-1] in named for name in part.names)
    lettered = dict.fromkeys(name[-1] for name in part.names if name[-1] in suit_of and len(name) > 1)
    letters = [_suit(letter, named) for letter in lettered]
    suits = [_suit(name, named) for name in part.names if name in suit_of]
    of = f" of {' or '.join(letters)}" if letters else f" of {', '.join(suits)}" if suits else ""
    match part.kind:
        case "tiles":
            return f"{part.names[0][:-1]}{of}" if letters else str(part.names[0])
        case "twin":
            return f"{part.number} of these once more" if several else "and one of these once more"
        case "run":
            return f"a run of {part.number}{', doubled' if part.copies > 1 else ''}{of}"
    what = f"{part.number} " * several + _wording()["sets"][part.kind][several]
    names = _names_of(part)
    if letters:
        return f"{what if several else 'one of'} {names}{of if is_known else ''}"
    return f"{what}{' of ' if names else ''}{names}{of}"


def _names_of(part: ShapePart) -> str:
    """Return the names of the classes and tiles of a set, without its suits."""
    suit_of = _wording()["letters"]
    return ", ".join(
        _class_of_tiles(name) if name.type != "TILES" else name[:-1] if name[-1] in suit_of else str(name)
        for name in part.names
        if name not in suit_of
    )


def _suit(letter: str, named: list[str]) -> str:
    """Return the suit that a letter stands for, in words: for a letter in *named*, "the same suit" or the like."""
    if letter in named:
        return str(_wording()["letters-again"]["alone" if len(named) == 1 else letter])
    named.append(letter)
    return str(_wording()["letters"][letter])
