"""The score sheet: what a hand scores, line by line, each with its rule and page; and how it was counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mjscore.game.hand import Hand, TileSet
from mjscore.refusal import Refusal

if TYPE_CHECKING:
    from mjscore.rulebook.facts import Arrangement, HandFacts
    from mjscore.rulebook.rule import Award, Rule, SetValue


class Item(NamedTuple):
    """A line of points: the rule, its title, the points, book and page, and the set it was given for."""

    rule: str
    title: str
    points: int
    source: str
    tiles: str | None = None


class Doubling(NamedTuple):
    """A line of doubles: the rule, its title, how many doubles, book and page."""

    rule: str
    title: str
    doubles: int
    source: str


class Claim(NamedTuple):
    """A special score that the hand may claim: the rule, its title, the points, book and page."""

    rule: str
    title: str
    points: int
    source: str


class ScoreSheet(NamedTuple):
    """What a hand scores, item by item.

    *points* is the sum of the items, before doubling; *doubles* the number of doublings; *additions*
    are points added after them; *counted* is what these come to; *score* the final score, after the
    limit and any special hand; *remarks* say what is there and counts for nothing. *limit* names
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
    limit: str | None = None
    sets: tuple[TileSet, ...] = ()
    items: tuple[Item, ...] = ()
    doubling: tuple[Doubling, ...] = ()
    additions: tuple[Item, ...] = ()
    claims: tuple[Claim, ...] = ()
    counted: int | None = None
    remarks: tuple[str, ...] = ()
    error: Refusal | None = None
    special: str | None = None
    dead: bool = False
    hand: Hand | None = None

    @property
    def score_set_by(self) -> str | None:
        """*limit*, under an older name."""
        return self.limit

    def as_json(self) -> dict[str, object]:
        """Give the object that programs read."""
        return plain(self.members())

    def members(self) -> dict[str, object]:
        """Give the members of the object that programs read, items and sets as they are."""
        shown: dict[str, object] = dict(zip(_IN_JSON, self, strict=False))
        shown["error"] = self.error.as_json() if self.error else None
        return shown


# programs read all but the special hand, whether it is dead, and the hand itself
_IN_JSON = ScoreSheet._fields[:-3]


def plain(members: dict[str, object]) -> dict[str, object]:
    """Put plain lists and objects in the place of items and sets."""
    return {
        key: [as_object(part) for part in value] if isinstance(value, tuple) else value
        for key, value in members.items()
    }


def as_object(part: Any) -> Any:
    """Give the object that programs read for an item or a set; a text is its own."""
    if hasattr(part, "as_json"):
        return part.as_json()
    return part._asdict() if hasattr(part, "_asdict") else part


def refused_sheet(refusal: Refusal, rulebook: str, hand: Hand | None = None) -> ScoreSheet:
    """Give the sheet of a hand that was refused: no figures, and why."""
    seat, round_wind = (hand.seat, hand.round) if hand is not None else (None, None)
    return ScoreSheet(rulebook, seat, round_wind, None, None, None, None, hand=hand, error=refusal)


class AwardTotal(NamedTuple):
    """What the awards of an arrangement add up to, and their lines on the sheet.

    *points* before doubling, *doubles*, points *added* after it. Of the points *bonus_points* are for bonus tiles, and
    *bonus_worth* is what these and their doubles give by themselves. A claim that is *never_counted* is taken even
    where it is less; *multiplied* claims are the points with doubles of their own.
    """

    points: int
    doubles: int
    added: int
    items: tuple[Item, ...]
    doubling: tuple[Doubling, ...]
    additions: tuple[Item, ...]
    claims: tuple[Claim, ...]
    bonus_points: int
    bonus_worth: int
    never_counted: bool
    multiplied: tuple[Rule, ...]


class ScoredArrangement(NamedTuple):
    """One arrangement counted: its final score, what it *counted* before limit and claims, *points* before doubling.

    *claim* is the special score taken instead, *special* the special hand that the tiles make, *claims* all special
    scores that may be claimed.
    """

    score: int
    counted: int
    points: int
    arrangement: Arrangement
    values: tuple[SetValue, ...]
    given: tuple[Award, ...]
    tally: AwardTotal
    claim: Claim | None
    special: Rule | None
    claims: tuple[Claim, ...]

    @property
    def scored(self) -> int:
        """Tell how many items and doubles it took to count it."""
        of_sets = sum(len(value.rules) for value in self.values if value.points)
        return of_sets + len(self.tally.items) + len(self.tally.doubling)

    def preference(self) -> tuple[int, int, int]:
        """Of equal scores the arrangement that counts most, then the one with the fewest items (D1)."""
        return self.score, self.counted, -self.scored

    def facts_counted(self, facts: HandFacts) -> HandFacts:
        """Give the hand's facts with what is known of it when it is counted so."""
        tally = self.tally
        return facts._replace(doubles=tally.doubles, doublings=len(tally.doubling), score=self.score)


class ScoredHand(NamedTuple):
    """What the scorer found: the hand's facts, the arrangement that the player takes as it was counted
    (None for a dead hand), the sheet, and, where asked for, the other arrangements.
    """

    facts: HandFacts
    counting: ScoredArrangement | None
    sheet: ScoreSheet
    others: tuple[ScoredArrangement, ...] = ()

    @property
    def counted_facts(self) -> HandFacts:
        """Give the hand's facts as it was counted; a dead hand, which is not, has none."""
        assert self.counting is not None
        return self.counting.facts_counted(self.facts)
