"""What was read, part by part, with the place of each part in the text, which gives refusals their place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mjscore.game.hand import Discarder, Flag, Hand, Seat, Win
from mjscore.notation.hand_builder import Clause, Laid, TileRun, Written, read_tiles, unquote
from mjscore.refusal import Refusal

_BLANKS = re.compile(r"\s*")
# in tiles accepted by the grammar: a group sharing its class letter, or one tile
_GROUP = re.compile("(?:[1-9]{1,40}|[ESWN]{1,40}|[RGW]{1,40})[bcdfsw]|\\S\ufe0e?\ufe0f?")
_OF_A_HAND = ("HEADER", "SEAT_LABEL", "DRAWN", "CLAIMED", "TILES", "GROUP", "SET", "UNLISTED", "FLAG")


class Parts(tuple[Written, ...]):
    """The parts of a record. Any two are equal, so that only the record's other fields are compared."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parts)

    def __hash__(self) -> int:
        return 0

    def flag(self, word: str) -> bool:
        """Return whether there is a flag with this word."""
        return any(isinstance(part.thing, Flag) and part.thing.word == word for part in self)


class HandReading(NamedTuple):
    """A hand with how it was read: the strict line *text*, the *hand*, and *remarks* on what was assumed.

    *typed* is the typed text, *parts* are the parts of the hand in it; *loosely* says that it was not strict.
    """

    text: str
    hand: Hand
    loosely: bool = False
    remarks: tuple[str, ...] = ()
    typed: str = ""
    parts: Sequence[Written] = ()

    def placed(self, refusal: Refusal) -> Refusal:
        """Return a refusal of the hand with its place in the typed text."""
        return at_its_place(refusal, self.typed, self.parts)


def at_its_place(refusal: Refusal, text: str, parts: Sequence[Written]) -> Refusal:
    """Return *refusal* with the place in *text* of what it is about: a part, a thing in a part, or else the whole hand.

    A place already known is kept.
    """
    if not text or refusal.file or refusal.text:
        return refusal
    if refusal.column is None:
        start, end = _span_of(refusal.about, text, parts)
        refusal = refusal._replace(column=start + 1, length=max(1, end - start))
    return refusal._replace(line=refusal.line or 1, text=text)


def _span_of(about: object, text: str, parts: Sequence[Written]) -> tuple[int, int]:
    if isinstance(about, Written) and about.start >= 0:
        return about.start, about.end
    spans = list(_spans(text, parts))
    for part, start, end in spans:
        if part is about:
            return start, end
    places = [place for span in spans for thing, *place in _things(*span) if _is_same(thing, about)]
    hand = [span for span in spans if span[0].type in _OF_A_HAND]
    first, last = (hand[0][1], hand[-1][2]) if hand else (0, len(text))
    if not places:
        return first, last
    start, end = places[0 if isinstance(about, Seat | Win) else -1]
    return start, last if isinstance(about, Win) else end


def _spans(text: str, parts: Sequence[Written]) -> Iterator[tuple[Written, int, int]]:
    """Yield each part, its start, and its end without trailing blanks."""
    position = 0
    for part in parts:
        if part.start < 0:
            blanks = _BLANKS.match(text, position)
            start = blanks.end() if blanks else position
            position = start + len(part.value)
            yield part, start, start + len(part.value.rstrip())
        else:
            yield part, part.start, part.end


def _is_same(thing: object, about: object) -> bool:
    """Return whether a thing in the text is what a refusal is about; wins and flags compare only in part."""
    if isinstance(about, Win):
        return isinstance(thing, Win)
    if isinstance(about, Flag):
        return isinstance(thing, Flag) and thing.word == about.word
    return type(thing) is type(about) and thing == about


def _things(part: Written, start: int, end: int) -> Iterator[tuple[object, int, int]]:
    """Yield the things in a part, each with its place: the whole part if that was not typed as its value."""
    thing, value = part.thing, part.value
    as_written = end - start == len(value.rstrip())
    if isinstance(thing, Seat):
        yield Seat(thing.name), start, start + len(value.rstrip(": \t")) if as_written else end
    elif part.type in ("NAME", "QUOTED"):
        yield from ((one(unquote(value)), start, end) for one in (Seat, Discarder))
    elif isinstance(thing, Flag):
        yield from ((one, start, end) for one in (thing, Seat(thing.player or "")))
    elif isinstance(thing, Clause):
        name = value.rpartition(":")[2].rstrip()
        place = (end - len(name), end) if as_written and thing.win.discarder else (start, end)
        yield from ((one, start, end) for one in (thing.win, Seat(thing.win.discarder or "")))
        yield Discarder(thing.win.discarder or ""), *place
        yield thing.win.tile, *_inside(value, value[1:].partition(":")[0].partition("(")[0], start, end)
    elif isinstance(thing, Laid):
        place = _inside(value, value.strip("()[] \t"), start, end)
        yield from ((tile, *place) for tile in thing.tiles)
    elif isinstance(thing, TileRun):
        for group in _GROUP.finditer(value):
            run = read_tiles(group[0])
            place = (start + group.start(), start + group.end()) if as_written else (start, end)
            yield from ((tile, *place) for tile in (*run.tiles, *run.bonus))


def _inside(value: str, inside: str, start: int, end: int) -> tuple[int, int]:
    """Return the place of *inside* in a part, or *start* and *end* if that was not typed as its *value*."""
    if end - start != len(value.rstrip()):
        return start, end
    start += value.index(inside.strip())
    return start, start + len(inside.strip())
