"""Two copies of one evening: which of them is newer, or where they have gone apart."""

from __future__ import annotations

from itertools import takewhile

from mjscore.play.evening import Entry, Evening


def are_of_one(one: Evening, other: Evening) -> bool:
    """Return whether two evenings may have been one: the same players began them by the same rules on the same day."""
    heads = [
        (evening.first_players, evening.state.occasion.date, evening.state.book.fingerprint)
        for evening in (one, other)
    ]
    return heads[0] == heads[1] and bool(
        common(one, other) or heads[0][1] or not one.blocks or not other.blocks
    )


def common(one: Evening, other: Evening) -> int:
    """Return how many entries they have in common, from the first."""
    pairs = zip(one.entries, other.entries, strict=False)
    return sum(1 for _ in takewhile(lambda pair: _said(pair[0]) == _said(pair[1]), pairs))


def is_in(one: Evening, other: Evening) -> bool:
    """Return whether *other* has all that *one* has, of a hand under way perhaps more."""
    shared = common(one, other)
    if shared < len(one.entries):
        return False
    behind = other.blocks[shared:]
    return not one.hand.is_open or (bool(behind) and {*_said(one.hand)[1:]} <= {*_said(behind[0])})


def _said(entry: Entry) -> list[str]:
    return [line.strip() for line in entry.lines]
