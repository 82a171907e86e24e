"""What an action came to, as values: the terminal shows them as text, and so may anything else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mjscore.counters.holdings import Purses
from mjscore.counters.sets import Exchange
from mjscore.play.changes import Edit
from mjscore.play.evening import Entry, Evening
from mjscore.refusal import Refusal
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.sheet import ScoreSheet


class Said(NamedTuple):
    """What was done, in *words*."""

    words: str


class Scored(NamedTuple):
    """A hand was typed and scored; who pays is told when it is settled."""

    sheet: ScoreSheet
    book: Rulebook
    seats: Mapping[str, str]


class Amiss(NamedTuple):
    """The rows of the hand under way are all kept, and do not go together."""

    refusal: Refusal


class Unfit(NamedTuple):
    """What was typed into an entry does not hold yet; another line may put it right."""

    refusal: Refusal


class Played(NamedTuple):
    """A hand or an event with its payments, and the counters that it moved, where they are kept."""

    entry: Entry
    exchange: Exchange | None = None


class Totals(NamedTuple):
    """Everybody's points, as they sat at the beginning."""

    points: Mapping[str, int]


class Standings(NamedTuple):
    """Everybody's points, the most first."""

    points: Mapping[str, int]


class Next(NamedTuple):
    """What comes next: who is East, which round, whose rows are there already."""

    evening: Evening


class Block(NamedTuple):
    """Lines of the evening as they stand."""

    lines: tuple[str, ...]


class Proposal(NamedTuple):
    """An edit that waits for an answer: what it would come to with the winds *moved*, None where what follows would
    not hold then (*unfit* says why), and with the winds *kept*, None where none would move.
    """

    moved: Edit | None
    kept: Edit | None
    unfit: Refusal | None = None

    @property
    def answers(self) -> str:
        """Tell what can be answered."""
        if self.kept is None:
            return "yes or no"
        return "keep or no" if self.moved is None else "yes, keep or no"


class Corrected(NamedTuple):
    """How everybody's total differs from what was handed over before an edit."""

    differences: Mapping[str, int]


class Counters(NamedTuple):
    """Counters between hands. *shown* says what of them: ``holdings``, who holds which and who owes, of all at the table
    or of those who have left it; ``reckoned``, what everybody is taken to hold from here on; ``pool``, what everybody
    would put into it.
    """

    purses: Purses
    shown: str = "holdings"


class Help(NamedTuple):
    """What can be typed, or what one command does."""

    command: str = ""


Outcome = (
    Said | Scored | Amiss | Unfit | Played | Totals | Standings | Next | Block | Proposal | Corrected | Counters | Help
)  # fmt: skip
