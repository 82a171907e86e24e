"""What comes between hands or stops one: a drawn game, a wash, a false win, a payment. Each is a row of one table.

What a hand or event is called, a player at the prompt, the report and its page all take from here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from mjscore.record import ledger
from mjscore.record.ledger import Position
from mjscore.record.lines import EventLine
from mjscore.rulebook.binding import Rulebook
from mjscore.settling import penalties
from mjscore.settling.settlement import Settlement


class Event(NamedTuple):
    """One thing that can happen besides a hand that is won.

    *word* begins its line, *usage* is how it is typed and *help* what that says; *title* heads its settlement,
    *name* stands in a sentence, *told* in a report, filled with who pays and who is paid. *is_hand* says whether it counts
    as a hand, *names_east* whether play writes below it who was East, *names_sitter_out* whether who sits out may be named,
    *changes_seats* whether it names people who need not sit here, and the table is another behind it. *settle* takes the line, the winds that it names, those at which
    somebody plays, and the rulebook; *after* gives the position behind it, from the one with its points, where that is another.
    """

    word: str
    usage: str
    help: str
    title: str
    name: str
    told: str
    settle: Callable[[EventLine, Sequence[str], list[str], Rulebook], Settlement]
    after: Callable[[EventLine, Sequence[str], Position, Rulebook], Position] | None = None
    is_hand: bool = False
    names_east: bool = True
    names_sitter_out: bool = False
    changes_seats: bool = False


def _settle_wash(line: EventLine, named: Sequence[str], seats: list[str], book: Rulebook) -> Settlement:
    if line.manner:
        return penalties.not_touching(seats, book)
    return penalties.wash(named[0], line.tiles, line.number, seats, book)


def _after_wash(line: EventLine, named: Sequence[str], position: Position, book: Rulebook) -> Position:
    rule = book.settling.not_touching if line.manner else book.settling.wash
    return ledger.after_wash(position, named[0], rule, book)


EVENTS = {
    event.word: event
    for event in (
        Event(
            "draw", "draw, draw four", "nobody won (four: a four was declared)", "Draw", "draw", "draw",
            lambda line, named, seats, book: penalties.drawn_game(seats, book),
            lambda line, named, position, book: ledger.after_draw(position, bool(line.manner), book),
            is_hand=True,
        ),
        Event(
            "wash", "wash S 11, wash S: 19b…", "the tiles were washed", "Washing the tiles",
            "washing of the tiles", "{payee} washes", _settle_wash, _after_wash,
        ),
        Event(
            "false", "false W", "a false win", "False Mah-Jongg", "false win", "{payer}: false win",
            lambda line, named, seats, book: penalties.of_one("false", named[0], seats, book)._replace(by=named[0]),
        ),
        Event(
            "long", "long W", "a hand with too many tiles", "A hand with too many tiles", "long hand", "{payer}: too many tiles",
            lambda line, named, seats, book: penalties.of_one("long", named[0], seats, book),
            lambda line, named, position, book: ledger.after_stop(position),
            is_hand=True,
        ),
        Event(
            "penalty", "penalty ID W", "a penalty of the rulebook, by its id, and who pays", "Penalty", "penalty", "{payer}: penalty",
            lambda line, named, seats, book: penalties.of_the_rulebook(line.rule, list(named), seats, book),
        ),
        Event(
            "pay", "pay S E 100", "a payment", "Agreed payment", "payment", "{payer} pays {payee}",
            lambda line, named, seats, book: penalties.agreed(named[0], named[1], line.number or 0, seats, book),
            names_east=False, names_sitter_out=True,
        ),
        Event(
            "seat", "seat Eve for Ann",
            "who sits there; eve for ann, ann leaves, eve joins; r: the next one rests",
            "Change of seats", "change of seats", "",
            lambda line, named, seats, book: penalties.change_of_seats(named[0], named[1], seats, book),
            names_east=False, changes_seats=True,
        ),
    )
}  # fmt: skip
HANDS = frozenset({"hand", *(event.word for event in EVENTS.values() if event.is_hand)})
TITLES = {"hand": "Hand", **{event.word: event.title for event in EVENTS.values()}}


class Count(NamedTuple):
    """How many hands have been counted, those that were won, stopped or drawn, and how many things since the last of them.

    What a hand or event is called goes by it: ``3`` is the third hand, ``3a`` what came after it.
    """

    hands: int = 0
    since: int = 0

    @property
    def mark(self) -> str:
        """Tell what was counted last: ``3``, ``3a``."""
        return f"{self.hands}{_letters(self.since)}"

    def after(self, kind: str) -> Count:
        """Give the count after something of a kind: ``hand``, ``draw``, ``wash``, ``pay`` …"""
        return Count(self.hands + 1) if kind in HANDS else Count(self.hands, self.since + 1)


def kind_of(head: str) -> str:
    """Give the kind of a block by the word with which its head begins, also where the block was refused."""
    return next((word for word in TITLES if head.startswith(word)), "")


def hand_number(mark: str) -> int | None:
    """Give the number of a hand; None for what stands between hands."""
    return int(mark) if mark.isdecimal() else None


def _letters(number: int) -> str:
    """a, b, …, z, aa, ab …; nothing for 0."""
    text = ""
    while number:
        number, place = divmod(number - 1, 26)
        text = chr(ord("a") + place) + text
    return text
