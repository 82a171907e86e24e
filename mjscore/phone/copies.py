"""Two copies of one evening: which of them is newer, or where they diverge."""

from itertools import takewhile

from mjscore.play.evening import Entry, EveningFile


def are_of_one(*two: EveningFile) -> bool:
    """Return whether two files may be of one evening: equal players, rules, date or (undated) first entry."""
    heads = {(one.first_players, one.state.occasion.date, one.state.book.fingerprint) for one in two}
    has_date, has_nothing = bool(two[0].state.occasion.date), not all(one.blocks for one in two)
    return len(heads) == 1 and (has_date or has_nothing or common(*two) > 0)


def common(*two: EveningFile) -> int:
    """Return how many entries two copies of an evening share at the beginning."""
    pairs = zip(*([_stripped(entry) for entry in one.entries] for one in two), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def is_in(one: EveningFile, other: EveningFile) -> bool:
    """Return whether *other* contains all of *one*; a hand in progress may have more rows there."""
    whole, behind = len(one.entries), other.blocks[len(one.entries) :]
    rows = {*_stripped(one.hand)[1:]} if one.hand.is_open else set()
    return common(one, other) == whole and rows <= {line for entry in behind[:1] for line in _stripped(entry)}


def _stripped(entry: Entry) -> list[str]:
    return [line.strip() for line in entry.lines]
