"""A typed word as groups of tiles in the notation: any case, either order of value and class, other tools' letters."""

from __future__ import annotations

import re
from typing import NamedTuple

from mjscore.notation.words import CLASS_LETTERS, CLASS_NAMES, TWO_CLASSES, Z_VALUES
from mjscore.refusal import Refused, refuse, visible

_STRICT_HONORS = re.compile(r"(?:[ESWN]{1,20}w|[RGW]{1,20}d|[ESN]|[RG])+")
_CLASS_FIRST = re.compile(r"(?:[bcdpmBCDPMfs][1-9]+)+")
_HONORS_CLASS_FIRST = re.compile(r"w(?P<winds>[ESWN]+)|d(?P<dragons>[RGW]+)")
_ONE_CLASS = re.compile(r"[esn]+w|[rgw]+d|[esn]*w[esn]+w")
_SPAN = re.compile(r"(?P<values>[0-9]+)(?P<letter>\D)?|(?P<honors>\D+)")
_CLASS_OF_GROUP = re.compile(
    r"[1-9](?P<after>[a-zA-Z萬万筒餅饼條条索])|(?<![a-zA-Z0-9])(?P<before>[a-zA-Z])[1-9]"
)
_NUMBERED_HONORS = re.compile(r"(?<![0-9])([0-9]{1,20})[zZ]")
LONGEST_GROUP = 40


class Letters(NamedTuple):
    """Which class letters a whole hand is written with: other tools' (*foreign*), this notation's (*own*).

    *bamboo* is whether ``s`` can only be other tools' bamboo in it; *each_dragon* whether ``5z`` and ``7z``
    are one tile each, so that it does not matter which of the two is white.
    """

    foreign: bool
    own: bool
    bamboo: bool
    each_dragon: bool


def letters_of(text: str) -> Letters:
    """The letters that stand behind the values, or before them, in *text*."""
    used = {match["after"] or match["before"] for match in _CLASS_OF_GROUP.finditer(text)}
    own = not used.isdisjoint("bcdBCD")
    bamboo = not own and re.search("[5-9][1-9]{0,20}s", text) is not None
    honors = "".join(_NUMBERED_HONORS.findall(text))
    each_dragon = honors.count("5") == honors.count("7") == 1
    return Letters(not used.isdisjoint("mMpPzZ萬万筒餅饼條条索"), own, bamboo, each_dragon)


def two_meanings(word: str, meanings: tuple[tuple[str, str], ...]) -> Refused:
    """The refusal of a word that is two things, with what to type for each."""
    return refuse(
        "two-meanings",
        f"{visible(word)} can mean {' or '.join(meaning for _, meaning in meanings)}",
        "type " + ", ".join(f"{typed} for {meaning}" for typed, meaning in meanings),
    )


def groups_of(word: str, letters: Letters, in_set: bool) -> list[str] | None:
    """The groups of tiles that *word* writes loosely, in the notation; None where it writes none.

    Raises Refused where it can mean two things, with what to type for each.
    """
    if len(word) > LONGEST_GROUP:
        return None
    if _CLASS_FIRST.fullmatch(word):
        word = re.sub(r"([a-zA-Z])([1-9]+)", r"\2\1", word)
    swapped = _HONORS_CLASS_FIRST.fullmatch(word)
    if swapped:
        return [f"{swapped['winds']}w" if swapped["winds"] else f"{swapped['dragons']}d"]
    groups: list[str] = []
    for span in _SPAN.finditer(word):
        if span["honors"]:
            honors = _honors(span["honors"])
            if honors is None:
                return None
            groups += honors
        else:
            if span["letter"] is None or "0" in span["values"]:
                return None
            suited = _suited(span["values"], span["letter"], letters, in_set)
            if suited is None:
                return None
            groups += suited
    return groups


def _suited(values: str, letter: str, letters: Letters, in_set: bool) -> list[str] | None:
    if letter in "zZ":
        return _numbered_honors(values, letters)
    if letter in TWO_CLASSES:
        (first, first_name), (second, second_name) = TWO_CLASSES[letter]
        other = f"{values}{second}"
        if second == "w":
            if any(value not in "1234" for value in values):
                return [f"{values}{first}"]
            other = "".join(Z_VALUES[value][0] for value in values) + "w"
        raise two_meanings(f"{values}{letter}", ((f"{values}{first}", first_name), (other, second_name)))
    if letter == "s":
        return [f"{values}{_bamboo_or_season(values, letters, in_set)}"]
    return [values + CLASS_LETTERS[letter]] if letter in CLASS_LETTERS else None


def _bamboo_or_season(values: str, letters: Letters, in_set: bool) -> str:
    """``s``, a season's letter here and bamboo's with other tools."""
    can_be_seasons = not in_set and len(set(values)) == len(values) and not set(values) - set("1234")
    if can_be_seasons and not letters.foreign and not letters.bamboo:
        return "s"
    if letters.bamboo or (not can_be_seasons and not letters.own):
        return "b"
    season = f"{values}s" if can_be_seasons else "1s to 4s"
    raise two_meanings(f"{values}s", ((f"{values}b", "bamboo"), (season, "the seasons")))


def _numbered_honors(values: str, letters: Letters) -> list[str] | None:
    """1 to 4 are the winds, 6 the green dragon; of 5 and 7, tools differ which is white and which is red."""
    if any(value in "089" for value in values):
        return None
    for value, first, second in (("5", "white", "red"), ("7", "red", "white")):
        if value in values and not letters.each_dragon:
            number = values.count(value)
            meanings = tuple(
                (f"{name[0].upper() * number}d", f"the {name} dragon") for name in (first, second)
            )
            raise two_meanings(f"{values}z", meanings)
    return [Z_VALUES[value] for value in values]


def _honors(word: str) -> list[str] | None:
    """Winds and dragons in any case; class letters stay where they stand."""
    if _STRICT_HONORS.fullmatch(word):
        return [word]
    typed = word.lower()
    if set(typed) == {"w"}:
        values = "W" * len(word)
        raise _west_or_white(word, f"{values}w for west wind, {values}d for white dragon")
    if _ONE_CLASS.fullmatch(typed) and not word.endswith("W"):
        return [typed[:-1].upper() + typed[-1]]
    if not set(typed) - set("esnrg"):
        return [typed.upper()]
    if "w" in typed and not set(typed) - set("eswnrgd"):
        raise _west_or_white(word, "Ww for west wind, Wd for white dragon")
    return None


def _west_or_white(word: str, typed: str) -> Refused:
    return refuse(
        "ambiguous-w", f"{visible(word)}: W is both the west wind and the white dragon", f"type {typed}"
    )


def said_back(word: str) -> list[str]:
    """What is said of other tools' class letters in *word*: how each was read."""
    remarks = []
    for letter in dict.fromkeys(word):
        read = CLASS_LETTERS.get(letter)
        if read is not None and read != letter.lower() and re.search(rf"[1-9]{letter}|{letter}[1-9]", word):
            remarks.append(f"{letter} is {read}, {CLASS_NAMES[read]}")
    return remarks
