"""Sums told in a line (20 * 2 * 2 = 80; 18, one double, 36): the result is the score, and what does not agree is asked about."""

from __future__ import annotations

import re
from typing import NamedTuple

from mjscore.notation.vocabulary import gist_words
from mjscore.play.line_speech import LineLattice

_ITEM = re.compile(r"[0-9]+|[^\W\d_]+|\S")
_TILE = re.compile(r"[0-9]+(?!x)[^\W\d_]")
_ARROW = re.compile(r"[-–=]*>(?=\s*[0-9])")
_SIGNS = {"+": "plus", "*": "times", "×": "times", "x": "times", "=": "makes", "→": "makes", ">": "makes", ".": "stop", ";": "stop", "?": "stop"}  # fmt: skip
_KINDS = ("double", "doubled", "twice", "thrice", "plus", "times", "makes", "and")
_MOST_ASIDE = 6  # words between the parts of a sum
_MOST_DOUBLES = 10


class _Item(NamedTuple):
    """A number, a sign or a word of a line; a number's *value* is what it is."""

    kind: str
    start: int
    end: int
    value: int = 0


class _Sum(NamedTuple):
    """The *value* of a sum, its *parts*, and the number told as its *result*, at a place *behind*.

    *sure* says whether a word or sign tells that this is the result.
    """

    value: int
    parts: list[_Item]
    behind: int
    result: _Item | None = None
    sure: bool = False


def calculated(lattice: LineLattice) -> str:
    """Return a line with blanks in place of sums, but for their results; two stand there if the one told does not agree."""
    items, told, at = _items(lattice), list(lattice.typed), 0
    while at < len(items):
        found = _sum(items, at) if items[at].kind == "number" else None
        if found is not None:
            first, last = found.parts[0], found.parts[-1]
            before = next((one for one in reversed(items[:at]) if one.kind == "number"), None)
            agrees = found.value in (one.value for one in (found.result, before) if one is not None)
            doubt = f"{found.value} or "
            if found.result is None and last.kind in ("doubled", "twice", "thrice"):
                doubt += str(first.value)
            fits = agrees or (len(doubt) <= last.end - first.start and (found.sure or doubt[-1].isdigit()))
            for part in (part for part in found.parts if fits and part.kind != "makes"):
                told[part.start : part.end] = " " * (part.end - part.start)
            if fits and not agrees:
                told[first.start : last.end] = doubt.ljust(last.end - first.start)
        at = found.behind if found is not None else at + 1
    return _ARROW.sub(lambda arrow: ":".ljust(len(arrow[0])), "".join(told))


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
    """Return the sum that begins with a number; None if it is none."""
    value, parts, by, aside, at = items[first].value, [items[first]], "", 0, first + 1
    for at in range(first + 1, len(items)):
        item, ahead = items[at], items[at + 1].kind if at + 1 < len(items) else ""
        is_count = ahead == "double" or (ahead == "times" and by == "doubled")
        if item.kind == "number" and is_count and 0 < item.value < _MOST_DOUBLES:
            value, by = value * 2 ** (item.value - 1), "counted"  # the word beside it doubles too
        elif item.kind == "number" and by in ("plus", "and", "times"):
            value, by = value * item.value if by == "times" else value + item.value, "done"
        elif item.kind == "number":
            done = _is_done(parts) and parts[-1].kind != "and"
            return _Sum(value, parts, at, item, by == "makes") if done else None
        elif item.kind in ("double", "doubled") or (item.kind in ("twice", "thrice") and by == "doubled"):
            value, by = value * (4 if item.kind == "thrice" else 2), "doubled"
        elif item.kind in ("plus", "makes", "and") or (
            item.kind == "times" and (ahead == "number" or by == "counted")
        ):
            kept = (by == "counted" and item.kind == "times") or (by == "plus" and item.kind == "and")
            by = by if kept else item.kind
        elif item.kind == "name" and len(parts) < 2:
            by = ""
            continue
        elif aside == _MOST_ASIDE:
            return None
        elif item.kind in ("stop", "name"):
            break
        else:
            aside += item.kind == "word"
            continue
        parts, aside = [*parts, item], 0
    return _Sum(value, parts, at) if _is_done(parts) else None


def _is_done(parts: list[_Item]) -> bool:
    """Return whether anything is done with the first number."""
    return any(part.kind not in ("makes", "and") for part in parts[1:])
