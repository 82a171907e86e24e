"""Conditions and shapes of a rulebook in words: what an entry asks for, what is counted, what a special hand is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
from mjscore.rulebook.facts import HAND_VOCABULARY, SET_VOCABULARY
from mjscore.rulebook.shapes import shape_parts

_CLASSES = {
    "any": "any tile", "suited": "suit tiles", "honor": "winds and dragons", "wind": "winds", "dragon": "dragons",
    "head": "ones, nines, winds and dragons", "terminal": "ones and nines", "simple": "2 to 8", "one": "ones",
    "nine": "nines", "own_wind": "the own wind", "round_wind": "the round's wind",
}  # fmt: skip
# facts in fewer words than rules facts has for them
_FACTS = {
    "won": "won", "drawn": "drawn", "claimed": "claimed", "original": "won as dealt", "loose": "a loose tile",
    "last": "the last tile of the wall", "last_discard": "the last discard", "robbed": "a fourth robbed",
    "earth": "East's first discard", "thirteen": "declared on the thirteen as dealt", "call": "an original call",
    "twofold": "a loose tile of a four that a loose tile made", "mixed": "the drawn tile mixed among the others",
    "ninth": "East's ninth win in a row", "one_suit": "all one suit", "one_suit_and_honors": "one suit and honors",
    "all_honors": "nothing but honors", "special": "a special hand", "limited": "there is a limit",
    "concealed_hand": "nothing claimed before the winning tile", "chow": "a run", "pung": "three alike",
    "kong": "four alike", "pair": "a pair", "exposed": "on the table", "concealed": "concealed",
    "completed": "completed last", "waiting": "waiting", "only_place": "the only place to win",
    "only_wait": "the only place to win", "completed_pair": "the pair completed last",
    "hidden_hand": "nothing claimed before but fours of a concealed three",
}  # fmt: skip
# what is counted: of one, of many, and what stands behind the class
_COUNTED = {
    "chows": ("run", "runs", ""), "pungs": ("set", "sets", ""), "kongs": ("four", "fours", ""),
    "pairs": ("pair", "pairs", ""), "concealed_pungs": ("concealed set", "concealed sets", ""),
    "hidden_pungs": ("concealed set", "concealed sets", ""), "concealed_kongs": ("concealed four", "concealed fours", ""),
    "laid_sets": ("set", "sets", " on the table"), "laid_pungs": ("set", "sets", " on the table"),
    "laid_tiles": ("tile", "tiles", " on the table"), "laid_of_suit": ("set", "sets", " on the table of that suit"),
    "suits": ("suit", "suits", ""), "tiles": ("tile", "tiles", ""), "kinds": ("kind", "kinds", ""),
    "bonus_tiles": ("flower or season", "flowers and seasons", ""),
    "own_bonus": ("own flower or season", "own flowers and seasons", ""),
    "own_bonus_outside": ("own flower or season outside a whole series",) * 2 + ("",),
    "complete_series": ("whole series", "whole series", ""), "doubles": ("double", "doubles", ""),
    "doublings": ("combination that doubles", "combinations that double", ""), "score": ("point", "points", ""),
    "waiting_doubles": ("double by a tile waited for", "doubles by a tile waited for", ""),
    "players": ("player", "players", ""),
}  # fmt: skip
SIGNS = {">=": "at least ", "<=": "at most ", ">": "more than ", "<": "fewer than ", "!=": "not ", "==": ""}
_SETS = {
    "pair": ("a pair", "pairs"), "single": ("a tile", "single tiles"), "pung": ("a three", "threes"),
    "kong": ("a four", "fours"), "chow": ("a run", "runs"),
    "knit": ("a pair of a value in two suits", "pairs of a value in two suits"),
    "triple": ("a value in all suits", "threes of a value in all suits"),
    "mixed chow": ("a run across the suits", "runs across the suits"),
}  # fmt: skip
_LETTERS = {"x": "one suit", "y": "another suit", "z": "the third suit"}


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
    fact = {**SET_VOCABULARY.facts, **HAND_VOCABULARY.facts}[name]
    return _FACTS.get(name) or fact.doc.partition(";")[0].partition(" (D")[0]


def listed(words: Sequence[str]) -> str:
    """Join words: ``a, b and c``."""
    return ", ".join(words[:-1]) + f" and {words[-1]}" if len(words) > 1 else "".join(words)


def _of(arguments: Sequence[str | Text]) -> str:
    return " that are ".join(
        argument.value if isinstance(argument, Text) else _CLASSES.get(argument) or _plural(argument)
        for argument in arguments
    )


def _plural(name: str) -> str:
    words = name.replace("_", " ")
    return words if words.endswith("s") or words == "bamboo" else f"{words}s"


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
    single, several, behind = _COUNTED.get(node.name, (node.name, node.name, ""))
    return (single if one else several) + (f" of {of}" if of else "") + behind


def shape_words(text: str) -> str:
    """Tell the tiles of a special hand in words."""
    told: list[str] = []
    for part in shape_parts(text):
        letters = {_LETTERS[name[-1]] for name in part.names if name[-1] in _LETTERS and len(name) > 1}
        names = ", ".join(
            name[:-1]
            if name.type == "TILES" and name[-1] in _LETTERS
            else _CLASSES.get(name) or _plural(name)
            for name in part.names
            if name not in _LETTERS
        )
        suits = ", ".join(_LETTERS[name] for name in part.names if name in _LETTERS)
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
            what = "one of" if letters and part.number == 1 else _SETS[part.kind][part.number > 1]
            count = f"{part.number} " if part.number > 1 else ""
            told.append(
                f"{count}{what}{' ' if letters else ' of ' if names else ''}{names}{'' if letters else of}"
            )
    return ", ".join(told).replace(", and", " and")
