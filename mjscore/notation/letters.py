"""Read letters and digits as tiles: any case, either order of value and class, other tools' class letters."""

from __future__ import annotations

import re
from typing import NamedTuple

Meanings = list[tuple[str, str]]  # the tiles that letters can mean, in the notation, each with its name

_STRICT_HONORS = re.compile(r"(?:[ESWN]{1,20}w|[RGW]{1,20}d|[ESN]|[RG])+")
# each class letter of a word stands before its values: b22c123
CLASS_FIRST = re.compile(r"(?:[bcdpmsfzBCDPMZ][1-9]+)+")
_HONORS_CLASS_FIRST = re.compile(r"w(?P<winds>[ESWN]+)|d(?P<dragons>[RGW]+)")
_ONE_CLASS = re.compile(r"[esn]+w|[rgw]+d|[esn]*w[esn]+w")
# letters of a class before those of its tiles: capitals for concealed, small ones all the same
_PAIRS = re.compile(r"(?:W[eswn]|D[rgbw])+|(w[esn]|d[rgb])\1*|(?:w[esn]|d[rgb]){2,}")
_CLASS_OF_GROUP = re.compile(
    r"[1-9](?P<after>[a-zA-Z萬万筒餅饼條条索])|(?<![a-zA-Z0-9])(?P<before>[a-zA-Z])[1-9]"
)
_NUMBERED_HONORS = re.compile(r"(?<![0-9])([0-9]{1,20})[zZ]|(?<![a-zA-Z])[zZ]([1-9]{1,20})")
_WRONG_CLASS = re.compile("[ESWNRG]+[wd]")
LONGEST_GROUP = 40
# letters that stand on the dragons of some sets: the dragon, what else they may mean
_INITIALS = {
    "F": (("G", "the green dragon (fa)"), "1f", "a flower"),
    "C": (("R", "the red dragon (chung)"), "1c", "characters"),
    "P": (("W", "the white dragon (pak)"), "1d", "dots"),
}

CLASS_LETTERS: dict[str, str] = {
    **{letter: letter for letter in "bcdf"},
    **{letter.upper(): letter for letter in "bcdf"},
    **dict.fromkeys("mM萬万", "c"),
    **dict.fromkeys("pP筒餅饼", "d"),
    **dict.fromkeys("條条索", "b"),
}
CLASS_NAMES = {"b": "bamboo", "c": "characters", "d": "dots"}
_NUMBERED = {"1": "Ew", "2": "Sw", "3": "Ww", "4": "Nw", "5": "Wd", "6": "Gd", "7": "Rd"}


class Letters(NamedTuple):
    """Which class letters a whole line is written with: other tools' (*foreign*), this notation's (*own*).

    *bamboo* is whether ``s`` can only be other tools' bamboo in it; *each_dragon* whether ``5z`` and ``7z``
    are one tile each, so that it does not matter which of the two is white; *pairs* whether honors have their class
    before them, as in ``We`` and ``Dr``.
    """

    foreign: bool
    own: bool
    bamboo: bool
    each_dragon: bool
    pairs: bool


def letters_of(text: str) -> Letters:
    """Find the letters that stand behind the values, or before them, in *text*."""
    used = {match["after"] or match["before"] for match in _CLASS_OF_GROUP.finditer(text)}
    own = not used.isdisjoint("bcdBCD")
    bamboo = not own and re.search("[5-9][1-9]{0,20}s|(?<![a-zA-Z])s[1-9]{0,20}[5-9]", text) is not None
    honors = "".join(match[1] or match[2] for match in _NUMBERED_HONORS.finditer(text))
    each_dragon = honors.count("5") == honors.count("7") == 1
    pairs = re.search(r"\b(?:W[eswn]|D[rgb])", text) is not None
    return Letters(not used.isdisjoint("mMpPzZ萬万筒餅饼條条索"), own, bamboo, each_dragon, pairs)


def suited_of(values: str, letter: str, letters: Letters, in_set: bool) -> str | Meanings | None:
    """Give the tiles of *values* with a class *letter*, several meanings, or None where there is no such class."""
    can_be_numbers = not set(values) - set("1234")
    if (
        letter in "zZ"
    ):  # winds from 1 to 4, 6 the green dragon; of 5 and 7, tools differ which is white and which is red
        if set(values) & set("89"):
            return None
        for value, names in (("5", ("white", "red")), ("7", ("red", "white"))):
            if value in values and not letters.each_dragon:
                number = values.count(value)
                return [(f"{name[0].upper() * number}d", f"the {name} dragon") for name in names]
        return " ".join(_NUMBERED[value] for value in values)
    if letter == "w":
        winds = "".join(_NUMBERED[value][0] for value in values) if can_be_numbers else ""
        characters = f"{values}c"
        return [(characters, "characters (wan)"), (f"{winds}w", "winds by number")] if winds else characters
    if letter == "t":
        return [(f"{values}b", "bamboo (tiao)"), (f"{values}d", "dots (tong)")]
    if letter == "s":  # a season's here, bamboo's with other tools
        can_be_seasons = can_be_numbers and not in_set and len(set(values)) == len(values)
        if can_be_seasons and not letters.foreign and not letters.bamboo:
            return f"{values}s"
        if letters.bamboo or (not can_be_seasons and not letters.own):
            return f"{values}b"
        return [(f"{values}b", "bamboo"), (f"{values}s" if can_be_seasons else "1s to 4s", "the seasons")]
    kind = CLASS_LETTERS.get(letter)
    return None if kind is None or (kind == "f" and not can_be_numbers) else values + kind


def honors_of(word: str, letters: Letters) -> str | Meanings | None:
    """Give the winds and dragons of a word in any case, their several meanings, or None where it is none."""
    if len(word) > LONGEST_GROUP:
        return None
    if _STRICT_HONORS.fullmatch(word):
        return word
    swapped = _HONORS_CLASS_FIRST.fullmatch(word)
    if swapped:
        return f"{swapped['winds']}w" if swapped["winds"] else f"{swapped['dragons']}d"
    pairs = _PAIRS.fullmatch(word)
    if pairs and (letters.pairs or len(word) > 2 or word[0] in "Dd") and not _ONE_CLASS.fullmatch(word):
        return " ".join(
            f"{word[place + 1].upper().replace('B', 'W')}{word[place].lower()}"
            for place in range(0, len(word), 2)
        )
    initial = _INITIALS.get(word[0])
    if initial and word == word[0] * len(word):
        (dragon, name), other, kind = initial
        return [(f"{dragon * len(word)}d", name), (other, kind)]
    if _WRONG_CLASS.fullmatch(word):
        return None
    typed = word.lower()
    if set(typed) == {"w"}:
        values = "W" * len(word)
        return [(f"{values}w", "west wind"), (f"{values}d", "white dragon")]
    if _ONE_CLASS.fullmatch(typed) and not word.endswith("W"):
        return typed[:-1].upper() + typed[-1]
    if not set(typed) - set("esnrg"):
        return typed.upper()
    if "w" in typed and not set(typed) - set("eswnrgd"):
        return [("Ww", "west wind"), ("Wd", "white dragon")]
    return None


def said_back(text: str) -> tuple[str, ...]:
    """Say of other tools' class letters in *text* how each was read."""
    remarks = []
    for letter in dict.fromkeys(text):
        read = CLASS_LETTERS.get(letter)
        if read is not None and read != letter.lower() and re.search(rf"[1-9]{letter}|{letter}[1-9]", text):
            remarks.append(f"{letter} is {read}, {CLASS_NAMES[read]}")
    return tuple(remarks)
