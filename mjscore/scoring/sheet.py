"""The score sheet: what a hand scores, line by line, each with its rule and page."""

from typing import NamedTuple

from mjscore.game.hand import Hand, TileSet
from mjscore.refusal import Refusal


class Item(NamedTuple):
    """A line of points: the rule, its title, the points, book and page, and the set it was given for."""

    rule: str
    title: str
    points: int
    source: str
    tiles: str | None = None

    def as_json(self) -> dict[str, object]:
        """Give the object that programs read."""
        return self._asdict()


class Doubling(NamedTuple):
    """A line of doubles: the rule, its title, how many doubles, book and page."""

    rule: str
    title: str
    doubles: int
    source: str

    def as_json(self) -> dict[str, object]:
        """Give the object that programs read."""
        return self._asdict()


class Claim(NamedTuple):
    """A special score that the hand may claim: the rule, its title, the points, book and page."""

    rule: str
    title: str
    points: int
    source: str

    def as_json(self) -> dict[str, object]:
        """Give the object that programs read."""
        return self._asdict()


class ScoreSheet(NamedTuple):
    """What a hand scores, item by item.

    *points* is the sum of the items, before doubling; *doubles* the number of doublings; *additions*
    are points added after them; *counted* is what these come to; *score* the final score, after the
    limit and any special hand; *remarks* say what is there and counts for nothing. *score_set_by* names
    the rule that set the score instead of counting (``"limit"`` where only the cap did). All figures are
    None where *error* says why.
    """

    rulebook: str
    seat: str | None
    round: str | None
    won: bool | None
    score: int | None
    points: int | None
    doubles: int | None
    score_set_by: str | None = None
    sets: tuple[TileSet, ...] = ()
    items: tuple[Item, ...] = ()
    doubling: tuple[Doubling, ...] = ()
    additions: tuple[Item, ...] = ()
    claims: tuple[Claim, ...] = ()
    counted: int | None = None
    special: str | None = None
    dead: bool = False
    hand: Hand | None = None
    error: Refusal | None = None
    remarks: tuple[str, ...] = ()

    @property
    def limit(self) -> str | None:
        """*score_set_by*, under the name that it has in JSON."""
        return self.score_set_by

    def as_json(self) -> dict[str, object]:
        """Give the object that programs read."""
        return plain(self.members())

    def members(self) -> dict[str, object]:
        """Give the members of the object that programs read, items and sets as they are."""
        return {
            "rulebook": self.rulebook,
            "seat": self.seat,
            "round": self.round,
            "won": self.won,
            "score": self.score,
            "points": self.points,
            "doubles": self.doubles,
            "limit": self.score_set_by,
            "sets": self.sets,
            "items": self.items,
            "doubling": self.doubling,
            "additions": self.additions,
            "claims": self.claims,
            "counted": self.counted,
            "remarks": self.remarks,
            "error": self.error.as_json() if self.error else None,
        }


def plain(members: dict[str, object]) -> dict[str, object]:
    """Put plain lists and objects in the place of items and sets."""
    return {
        key: [part.as_json() if hasattr(part, "as_json") else part for part in value]
        if isinstance(value, tuple)
        else value
        for key, value in members.items()
    }


def refused_sheet(refusal: Refusal, rulebook: str, hand: Hand | None = None) -> ScoreSheet:
    """Give the sheet of a hand that was refused: no figures, and why."""
    seat = hand.seat if hand is not None else None
    round_wind = hand.round if hand is not None else None
    return ScoreSheet(rulebook, seat, round_wind, None, None, None, None, hand=hand, error=refusal)
