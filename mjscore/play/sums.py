"""Sums in a line, as in "20 * 2 * 2 = 80", "18, one double, 36": the result is the score, a wrong one a doubt."""

from __future__ import annotations

import re
from typing import NamedTuple

from mjscore.notation.vocabulary import gist_words
from mjscore.play.line_speech import LineLattice

_ITEM = re.compile(r"[0-9]+|[^\W\d_]+|\S")
_TILE = re.compile(r"[0-9]+(?!x)[^\W\d_]")
_NOTHING = re.compile(r"\([\s()]{0,20}\)")
_ARROW = re.compile(r"(?<![-–=])[-–=]*+>(?=\s*[0-9])")
_SIGNS = {"+": "plus", "*": "times", "×": "times", "x": "times", "=": "makes", "→": "makes", ">": "makes", ".": "stop", ";": "stop", "?": "stop"}  # fmt: skip
_KINDS = ("double", "doubled", "twice", "thrice", "plus", "times", "makes", "and")
_MOST_ASIDE = 6  # words between the parts of a sum
_MOST_DOUBLES = 10


class _Item(NamedTuple):
    """A number, a sign or a word of a line, with its *kind* and position; a number has a *value*."""

    kind: str
    start: int
    end: int
    value: int = 0


class _Sum(NamedTuple):
    """The computed *value* of a sum, its *parts*, its typed *result*, the index of the next item (*behind*).

    *sure* tells whether a word or sign says that this number is the result.
    """

    value: int
    parts: list[_Item]
    behind: int
    result: _Item | None = None
    sure: bool = False


def calculated(lattice: LineLattice) -> str:
    """Return a line with blanks in place of sums, but for their results; for a wrong result, "36 or 40" is there."""
    items, told, at = _items(lattice), list(lattice.typed), 0
    while at < len(items):
        found = _sum(items, at) if items[at].kind == "number" else None
        if found is not None:
            before = next((one for one in reversed(items[:at]) if one.kind == "number"), None)
            agrees = found.value in (one.value for one in (found.result, before) if one is not None)
            first, last = found.parts[0].start, found.parts[-1].end
            doubt = "" if agrees else _doubt(found)
            if agrees:
                for part in found.parts:
                    told[part.start : part.end] = _left(part, lattice.text)
            elif doubt and len(doubt) <= last - first:
                told[first:last] = doubt.ljust(last - first)
        at = found.behind if found is not None else at + 1
    left = _NOTHING.sub(lambda brackets: " " * len(brackets[0]), "".join(told))
    return _ARROW.sub(lambda arrow: ":".ljust(len(arrow[0])), left)


def _left(part: _Item, text: str) -> str:
    """Return blanks for a part of a sum, or the part itself if it is a word such as "makes" after a comma."""
    is_apart = part.kind == "makes" and text[: part.start].rstrip().endswith(",")
    return text[part.start : part.end] if is_apart else " " * (part.end - part.start)


def _doubt(found: _Sum) -> str:
    """Return the start of a doubt, as "40 or ", if the result is wrong or, after a doubling, left out; else nothing."""
    if found.result is None:
        told = found.parts[-1].kind in ("doubled", "twice", "thrice")
        return f"{found.value} or {found.parts[0].value}" if told else ""
    return f"{found.value} or " if found.sure else ""


def _items(lattice: LineLattice) -> list[_Item]:
    """Return the numbers, names, signs and words of a line."""
    found: list[_Item] = []
    names = {word for name in lattice.table.seats.values() for word in name.casefold().split()}
    for said in _ITEM.finditer(lattice.text.casefold()):
        if found and said.start() < found[-1].end:
            continue
        number = lattice.in_words(said.start()) if said[0].isalpha() else []
        if said[0].isdecimal() and not _TILE.match(lattice.text, said.start()):
            number = [(int(said[0][:15]), said.end())]
        small = {one.value for one in gist_words().of(said[0]) if one.kind == "small"}
        kind = next((kind for kind in _KINDS if kind in small), "name" if said[0] in names else "word")
        kind = _SIGNS.get(said[0], kind if said[0].isalpha() else "")
        value, end = number[0] if number else (0, said.end())
        found.append(_Item("number" if number else kind, said.start(), end, value))
    return found


def _sum(items: list[_Item], first: int) -> _Sum | None:
    """Return the sum that begins with item *first*, a number; None if none does."""
    value, parts, by, aside, at = items[first].value, [items[first]], "", 0, first + 1
    for at in range(first + 1, len(items)):
        item = items[at]
        after = _after(value, by, item, items[at + 1].kind if at + 1 < len(items) else "")
        if after is not None:
            value, by = after
            parts, aside = [*parts, item], 0
        elif item.kind == "number":
            found = _Sum(value, parts, at, item, by == "makes")
            return found if _is_done(found) and parts[-1].kind != "and" else None
        elif aside == _MOST_ASIDE:
            return None
        elif item.kind == "stop" or (item.kind == "name" and parts[1:]):
            break
        else:
            by, aside = "" if item.kind == "name" else by, aside + (item.kind == "word")
    found = _Sum(value, parts, at)
    return found if _is_done(found) else None


def _after(value: int, by: str, item: _Item, ahead: str) -> tuple[int, str] | None:
    """Return the value after one more part of a sum, and how the next number counts; None if *item* is no part."""
    if item.kind == "number":
        counts = ahead == "double" or (ahead == "times" and by == "doubled")
        if counts and 0 < item.value < _MOST_DOUBLES:
            return value * 2 ** (item.value - 1), "counted"  # the word beside it doubles too
        done = {"plus": value + item.value, "and": value + item.value, "times": value * item.value}
        return (done[by], "done") if by in done else None
    if item.kind in ("double", "doubled") or (item.kind in ("twice", "thrice") and by == "doubled"):
        return value * (4 if item.kind == "thrice" else 2), "doubled"
    if (item.kind == "times" and by == "counted") or (item.kind == "and" and by == "plus"):
        return value, by
    is_sign = item.kind in ("plus", "makes", "and") or (item.kind == "times" and ahead == "number")
    return (value, item.kind) if is_sign else None


def _is_done(found: _Sum) -> bool:
    """Return whether something is added, multiplied or doubled; an "and" adds only where the result agrees."""
    agrees = found.result is not None and found.result.value == found.value
    adds = agrees or all(part.kind != "and" for part in found.parts)
    return adds and any(part.kind not in ("makes", "and") for part in found.parts[1:])
