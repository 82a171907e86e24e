"""The score sheet: what a hand scores, line by line, each with its rule and page; and how it was counted."""

from typing import Any, NamedTuple

from mjscore.game.hand import Hand, TileSet
from mjscore.refusal import Refusal
from mjscore.rulebook.facts import Arrangement, HandFacts
from mjscore.rulebook.rule import Award, Rule, SetValue


class Item(NamedTuple):
    """A line of points: the rule, its title, the points, book and page, and the set it was given for.

    >>> item = mjscore.score("S: (RRR) ...").items[0]
    >>> item.points, item.tiles, item.source
    (4, 'RRRd', 'Harr p. 6')
    """

    rule: str
    title: str
    points: int
    source: str
    tiles: str | None = None


class Doubling(NamedTuple):
    """A line of doubles: the rule, its title, how many doubles, book and page.

    >>> mjscore.score("S: (RRR) ...").doubling[0]
    Doubling(rule='red-dragons', title='Red dragons', doubles=1, source='Harr p. 6, 31')
    """

    rule: str
    title: str
    doubles: int
    source: str


class Claim(NamedTuple):
    """A special score to which the hand is entitled: the rule, its title, the points, book and page.

    >>> mjscore.score("E: RRR GGG WWWd EEE S +S", "harr-limit").claims[0].title
    'Sets of heads and a pair of heads'
    """

    rule: str
    title: str
    points: int
    source: str


class ScoreSheet(NamedTuple):
    """What a hand scores, item by item, as the scorer writes it; ``results.ScoreSheet`` says what its fields are."""

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
        """The former name of *limit*."""
        return self.limit

    def as_json(self) -> dict[str, object]:
        """Return the fields but *special*, *dead* and *hand* as a JSON object."""
        return plain(self.members())

    def members(self) -> dict[str, object]:
        """Return the members of the JSON object, with items and sets still as values."""
        members: dict[str, object] = dict(zip(_IN_JSON, self, strict=False))
        members["error"] = self.error.as_json() if self.error else None
        return members


# the JSON leaves out the special hand, whether the hand is dead, and the hand itself
_IN_JSON = ScoreSheet._fields[:-3]


def plain(members: dict[str, object]) -> dict[str, object]:
    """Return *members* with items and sets replaced by plain lists and objects."""
    return {
        key: [as_object(part) for part in value] if isinstance(value, tuple) else value
        for key, value in members.items()
    }


def as_object(part: Any) -> Any:
    """Return the JSON object of an item or a set; any other *part* is returned unchanged."""
    if hasattr(part, "as_json"):
        return part.as_json()
    return part._asdict() if hasattr(part, "_asdict") else part


def refused_sheet(refusal: Refusal, rulebook: str, hand: Hand | None = None) -> ScoreSheet:
    """Return the sheet of a hand that was refused: no figures, only the error."""
    seat, round_wind = (hand.seat, hand.round) if hand is not None else (None, None)
    return ScoreSheet(rulebook, seat, round_wind, None, None, None, None, hand=hand, error=refusal)


class AwardTotal(NamedTuple):
    """The totals of an arrangement's awards, and their lines on the sheet.

    *points* are given before doubling, *added* points after it. *bonus_points* is the part of the points given for
    bonus tiles, and *bonus_worth* what these come to with their own doubles. A *never_counted* claim is taken even if
    counting would bring more; *multiplied* are the limit hands that double the points instead of setting them.
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
    """One arrangement with its score.

    *counted* is the score before limit and claims, *points* are those before doubling. *claim* is the special score
    taken instead, *special* the special hand that the tiles make, *claims* all special scores to which the hand is
    entitled.
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
        """The number of items and doubles that were counted."""
        of_sets = sum(len(value.rules) for value in self.values if value.points)
        return of_sets + len(self.tally.items) + len(self.tally.doubling)

    def preference(self) -> tuple[int, int, int]:
        """Return the key by which arrangements are compared: score, then counted score, then fewest items (D1)."""
        return self.score, self.counted, -self.scored

    def facts_counted(self, facts: HandFacts) -> HandFacts:
        """Return the hand's facts together with those known only after counting."""
        tally = self.tally
        return facts._replace(doubles=tally.doubles, doublings=len(tally.doubling), score=self.score)


class ScoredHand(NamedTuple):
    """A scored hand: facts, the arrangement taken (None if dead), sheet, and the other arrangements if kept."""

    facts: HandFacts
    counting: ScoredArrangement | None
    sheet: ScoreSheet
    others: tuple[ScoredArrangement, ...] = ()

    @property
    def counted_facts(self) -> HandFacts:
        """The hand's facts, with those known only after counting (except for a dead hand, which is not counted)."""
        assert self.counting is not None
        return self.counting.facts_counted(self.facts)
