"""What the words of a line come to that tell of no score by themselves: denials and corrections, numbers that are no scores, sums."""

from __future__ import annotations

import re

from mjscore.play.heard import Word, beside, heard, joined
from mjscore.play.line_speech import LineLattice

_ALL = re.compile(r"all\b", re.IGNORECASE)
_THE = re.compile(r"\b(?:other|the|all)\s+\Z", re.IGNORECASE)
_BY = re.compile(r"\bby\s+(?:only\s+|just\s+)?\Z", re.IGNORECASE)
_TIMES = {"twice": 2.0, "half": 0.5, "same": 1.0}
_PLUS = re.compile(r"\s*(?:\+|plus)\s*", re.IGNORECASE)
_MAKES = re.compile(
    r"[\s,]*+(?:(?:points?|pts)\b[\s,]*+)?(?:=|(?:doubled|twice|so|makes|making|equals|comes to|that's|thats|is|once|again)\b)[^0-9;.]*+",
    re.IGNORECASE,
)  # fmt: skip


def words_of(lattice: LineLattice) -> list[Word]:
    """Return the known words of a line that tell something in it."""
    words = joined(heard(lattice))
    for step in (_take_losses, _take_dozens, _take_denials, _take_units, _take_sums, _take_corrections):
        step(words, lattice)
        words = joined(words)
    return words


def _silence(words: list[Word], *places: int) -> None:
    for place in places:
        words[place] = words[place].saying()


def _take_losses(words: list[Word], lattice: LineLattice) -> None:
    """Make a loss of a win that is denied, and a win of "did" behind it: Ben did not win, Ann did. A "no" begins as talk."""
    for place, word in enumerate(list(words)):
        ahead, is_no = beside(words, place + 1, 3), word.end - word.start < 3
        if "did" in word and any("lost" in one for one in words[:place]):
            words[place] = word.saying(win="did")
        elif "deny" not in word:
            continue
        elif not place and (ahead.gap > 1 or is_no):
            _silence(words, place)
        elif ahead.any("win", "wins") and not ahead.gap:
            words[place] = word.saying(lost=True)
            _silence(words, place + 1)
        elif "drawn" in ahead and not ahead.gap and "draw" not in ahead and place:
            _silence(words, place, place + 1)


def _take_dozens(words: list[Word], lattice: LineLattice) -> None:
    """Make numbers of dozens, and a win of the "game" that stands behind a number."""
    for place, word in enumerate(list(words)):
        numbers = [at for at in (place - 1, place - 2) if "number" in beside(words, at, 3)]
        is_end = beside(words, place + 1).gap > 1 or place + 1 == len(words)
        if "game" in word and numbers and is_end:
            words[place] = word.saying(win="game")
        elif "twelve" in word:
            times = numbers[:1] if word.is_close and place - 1 in numbers else []
            words[place] = word.saying(number=12 * (words[times[0]]["number"] if times else 1))
            _silence(words, *times)


def _take_denials(words: list[Word], lattice: LineLattice) -> None:
    """Make nothing of a denied score, the others of "nobody else", and who did not win somebody of whom nothing is told."""
    for place, word in enumerate(list(words)):
        after = [beside(words, place + 1, 1), beside(words, place + 2, 1)]
        excepts = any("but" in one for one in words[place:])
        scoring = (
            any("point" in one and not one.any("win", "wins") for one in after)
            and after[0].unknown + after[1].unknown < 3
        )
        if "none else" in word:
            words[place] = word.saying(others=True, zero=0)
        elif "nobody" in word and scoring:
            words[place] = word.saying(zero=0, **{"others" if excepts else "all": True})
        elif "deny" in word and scoring:
            words[place] = word.saying(zero=0)
        elif excepts and ("all" in word or _ALL.match(lattice.text, word.start)):
            words[place] = word.saying(others=True)


def _take_units(words: list[Word], lattice: LineLattice) -> None:
    """Take out numbers that are no scores: of tiles, doubles, a hand, "the three others", or by how much somebody beat another."""
    for place, word in enumerate(list(words)):
        if "number" not in word:
            continue
        before, ahead = beside(words, place - 1, 3), beside(words, place + 1)
        several = word["number"] in (2, 3) and ahead.says and _THE.search(lattice.text, 0, word.start)
        numbered = word.is_close and (_is_numbered(words, place, lattice) or "doubles" in before)
        beaten = sum("name" in one for one in words[:place]) > 1 and _BY.search(lattice.text, 0, word.start)
        if several or numbered or _is_of_a_unit(words, place, lattice):
            _silence(words, place)
        elif (word.is_close and "by how much" in before) or beaten:
            words[place] = word.saying(less=word["number"])


def _is_of_a_unit(words: list[Word], place: int, lattice: LineLattice) -> bool:
    """Return whether something is counted behind a number: tiles, doubles, or by how many of them a hand is dead."""
    ahead = beside(words, place + 1)
    if "dead" in ahead and "unit" not in ahead:
        return words[place]["number"] < 5 and not lattice.text.casefold().startswith("dead", ahead.start)
    counts = (
        ahead.any("unit", "tile", "doubles") and not ahead.any("win", "wins", "point") and not ahead.unknown
    )
    return counts and not ("doubles" in ahead and "number" in beside(words, place + 2))


def _is_numbered(words: list[Word], place: int, lattice: LineLattice) -> bool:
    """Return whether a number is that of a hand: "hand 3", and not "ben's hand 24"."""
    before = beside(words, place - 1, 3)
    whose = beside(words, place - 2, 3) if before.is_close else Word({})
    between = lattice.text[before.end : words[place].start].strip(" #")
    return "ordered" in before and not between and not whose.any("name", "theirs", "he", "win", "limit")


def _take_sums(words: list[Word], lattice: LineLattice) -> None:
    """Add up numbers, take the last of those that one makes of another, and "double that" for a number."""
    last = -1
    for place, word in enumerate(list(words)):
        factor = next((times for kind, times in _TIMES.items() if kind in word), None)
        if factor is not None and last >= 0 and sum("name" in one for one in words[last + 1 : place]) < 2:
            words[place] = word = word.saying(number=int(words[last]["number"] * factor))
        if "number" not in word:
            continue
        if 0 <= last == place - 1:
            number, between = words[last]["number"], lattice.text[words[last].end : word.start]
            hundreds = between.strip() == "n" and number and not number % 100 and 0 < word["number"] < 100
            adds = bool(hundreds or _PLUS.fullmatch(between))
            if adds or _MAKES.fullmatch(between):
                words[place] = word.saying(number=word["number"] + number * adds)
                _silence(words, last)
        last = place


def _take_corrections(words: list[Word], lattice: LineLattice) -> None:
    """Take out what is denied beside another of its kind, "14 not 40", or put right by one, "18 sorry 28"."""
    for place, word in enumerate(list(words)):
        before, ahead, further = (beside(words, place + at, 3 if at < 0 else 2) for at in (-1, 1, 2))
        if "deny" in word and place and word.end - word.start < 3 and beside(words, place + 1, 3).gap > 1:
            words[place] = word = word.saying(corrects=True)
        kind = "number" if "number" in ahead else "name" if "name" in ahead else ""
        if "corrects" in word and kind and kind in before:
            _silence(words, place - 1, place)
        elif (
            "deny" in word
            and kind
            and ahead.is_close
            and not (kind == "number" and word.end - word.start < 3)
        ):
            behind = [further, beside(words, place + 3, 2)][: 1 + further.any("corrects", "but")]
            if any(kind in one for one in (before, *behind)):
                _silence(words, place, place + 1)
