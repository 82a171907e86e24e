"""What punctuation parts in a line of play: how far a way to read it goes against that, and names that are nobody's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from mjscore.notation.speech import Typed
from mjscore.play.line_speech import HOLDERS, SCORES, LineLattice, Read, Told

Against = tuple[int, int, int, int]
_AND = re.compile(r"(?<![^\W_])(?:and|und|en|et)(?![^\W_])|&", re.IGNORECASE)


def against_clarity(lattice: LineLattice, told: Sequence[Told]) -> tuple[int, int] | None:
    """Return what goes against one way to read a line in which each name has one score: how often it joins what is parted
    or leaves the style of the line, and how many seats nothing parts from the next one. None for all other ways, to which
    any slip of one name leads.
    """
    if not told or len({one.holder.value for one in told}) < len(told):
        return None
    joined = loose = 0
    parted = [_are_parted(lattice, one, behind) for one, behind in pairwise(told)]
    for place, one in enumerate(told):
        if one.holder.kind not in ("HOLDER", "OWNER") or not one.score.kind:
            return None
        first, last = sorted((one.holder, one.score), key=lambda piece: piece.start)
        between = any(first.end <= piece.start < last.start for piece in one.how)
        if not between and lattice.is_parted(first.end, last.start):
            return None
        mixes = lattice.text[one.holder.start : one.holder.end] in "wW" and one.holder.kind == "OWNER"
        if mixes and any(each.holder.kind == "HOLDER" for each in told):
            return None  # 64 w e 12: west, or a word for winning
        joined += len(lattice.marks_in(one.start, one.end))
        if one.wins_first and one.start == one.how[0].start:
            said = one.how[0]
            joined += _AND.search(lattice.text, said.end, first.start) is not None
            alone = parted.count(True) == 1 and place + 1 < len(told)  # ben 64, mahjong ann 12 cid 8
            joined += alone and place > 0 and parted[place - 1]
            if said.value != "win":  # that is said behind a name
                joined, loose = joined + 1, loose + 1
    joined += sum(one.holder.kind != behind.holder.kind for one, behind in pairwise(told))
    return joined, loose + parted.count(False)


def _are_parted(lattice: LineLattice, one: Told, behind: Told) -> bool:
    """Tell whether a mark parts what is told of two seats, or an "and" that cannot be said of how the first one won."""
    doubtful = behind.wins_first and lattice.marks
    joins = _AND.search(lattice.text, one.end, behind.start)
    return lattice.is_parted(one.end, behind.start) or (joins is not None and not doubtful)


def against_punctuation(lattice: LineLattice, read: Read) -> Against:
    """Count what goes against the punctuation in one way to read a line, what is meant least first: names and scores torn
    from what stands with them behind a mark; what is joined across one; what is joined there to a part of
    something; seats that no mark parts in a line with marks.
    """
    torn, joined = _of_ending(lattice, read.typed, read.told)
    within = close = 0
    for before, one, behind in zip((None, *read.told), read.told, (*read.told[1:], None), strict=False):
        marks = lattice.marks_in(one.start, one.end)
        if one.wins_first:  # the scores of all may stand behind a colon
            marks += lattice.marks_in(one.holder.end, one.score.start, ":")
        behind_it = behind is None or lattice.is_parted(one.end, behind.start)
        before_it = before is None or lattice.is_parted(before.end, one.start, ":")
        if marks:
            torn += any(piece.start <= mark < piece.end for piece in one.pieces for mark in marks)
            torn += not behind_it and any(
                piece.start > marks[-1] and piece.kind in (*HOLDERS, *SCORES) for piece in one.pieces
            )
            first = {piece.kind for piece in one.pieces if piece.start < marks[0]}
            torn += not before_it and not first.isdisjoint(HOLDERS) and first.isdisjoint(SCORES)
            heads = first == {"WINS_OF"} and lattice.text[marks[0]] != ":"
            torn += heads and len(read.told) > 1 and (before is None or bool(one.holder.kind))
            within += not before_it
        joined += bool(marks)
        if behind is not None and not lattice.is_parted(one.end, behind.start, ":"):
            close += bool(lattice.marks)
    return torn, joined, within, close


def _of_ending(lattice: LineLattice, typed: Typed | None, told: Sequence[Told]) -> tuple[int, int]:
    """Count the discarders of a hand that are torn from what is told behind them, and those that a mark parts from it."""
    torn = joined = 0
    named = [piece for piece in (typed.ending.said if typed else ()) if piece.kind == "WHO" and piece.value]
    for piece in named:
        across = bool(lattice.marks_in(piece.start, piece.end))
        alone = lattice.is_behind_mark(piece.start) and not lattice.words_said([piece.start], "from")
        bound = not told or lattice.is_parted(piece.end, told[0].start)
        torn += across or (alone and not bound)
        joined += alone
    return torn, joined


def stray_owner(lattice: LineLattice, told: Sequence[Told]) -> Told | None:
    """Return what has its name behind its score where others have theirs before them or none, and no mark says whose it is;
    None where there is no such thing.
    """
    mixed = any(one.holder.kind == "HOLDER" for one in told)
    if all(one.holder.kind in ("OWNER", "OTHERS") for one in told if one.score.kind):
        return None
    for before, one, behind in zip((None, *told), told, (*told[1:], None), strict=False):
        if one.holder.kind == "OWNER" and one.score.kind:
            parted = behind is not None and lattice.is_parted(one.end, behind.start)
            ends = mixed and behind is None and (before is None or lattice.is_parted(before.end, one.start))
            if not parted and not ends:
                return one
    return None
