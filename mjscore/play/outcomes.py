"""What an action came to, as values: the terminal shows them as text, and so may anything else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mjscore.counters.holdings import Purses
from mjscore.counters.sets import Exchange
from mjscore.play.edits import Rewritten
from mjscore.play.evening import Entry, Evening
from mjscore.refusal import Refusal
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.sheet import ScoreSheet


class Scored(NamedTuple):
    """A hand was typed and scored; who pays is told when it is settled."""

    sheet: ScoreSheet
    book: Rulebook
    seats: Mapping[str, str]


class Amiss(NamedTuple):
    """The rows of the hand under way are all kept, and do not go together."""

    refusal: Refusal


class Played(NamedTuple):
    """A hand or an event with its payments, and the counters that it moved, where they are kept."""

    entry: Entry
    exchange: Exchange | None = None


class Totals(NamedTuple):
    """Everybody's points, as they sat at the beginning."""

    points: Mapping[str, int]


class Next(NamedTuple):
    """What comes next: who is East, which round, whose rows are there already."""

    evening: Evening


class Noted(NamedTuple):
    """A note was taken, or the hand has a label now: *words* say so."""

    words: str


class Undone(NamedTuple):
    """What *words* name was taken back, or with *again* brought back."""

    words: str
    again: bool = False


class Tracked(NamedTuple):
    """What everybody is taken to hold from here on, after the pool."""

    purses: Purses


class Left(NamedTuple):
    """What those hold who have left the table, and owe."""

    purses: Purses


class EditBegun(NamedTuple):
    """An entry is to be put right: its lines as people wrote them."""

    entry: Entry
    lines: tuple[str, ...]


class EditLeft(NamedTuple):
    """An edit, in *words*, was given up."""

    words: str


class Unfit(NamedTuple):
    """What was typed into an entry does not hold yet; another line may put it right."""

    refusal: Refusal


class Edit(NamedTuple):
    """What an edit would make of an evening: the evening after it, and the lines of others that change."""

    before: Evening
    after: Evening
    entry: Entry
    rewritten: tuple[Rewritten, ...]


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


class Block(NamedTuple):
    """Lines of the evening as they stand."""

    lines: tuple[str, ...]


class Standings(NamedTuple):
    """Everybody's points."""

    points: Mapping[str, int]


class Holdings(NamedTuple):
    """Who holds which counters, and who owes."""

    purses: Purses


class Pool(NamedTuple):
    """What everybody would put into the pool."""

    purses: Purses


class Help(NamedTuple):
    """What can be typed, or what one command does."""

    command: str = ""


class SettlesItself(NamedTuple):
    """Somebody asked to settle: a hand is settled by its last line."""


Outcome = tuple[object, ...]  # one of these
