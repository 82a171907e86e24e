"""An evening's file as Python programs see it: its players, its hands, the standings."""

import os
from typing import Self

from mjscore.counters.exchange import Exchange
from mjscore.counters.holdings import table_counters
from mjscore.record import statistics
from mjscore.record.statistics import Standing
from mjscore.results import WIDTH, ScoreSheet, Settlement


class PlayedHand(statistics.Played):
    """A hand of an evening, or an event between hands: a draw, a wash, a penalty, a payment.

    *mark* is its number, *seats* the players by wind; *nets* and *totals* after it are points by player.

    >>> hand = mjscore.evening("samples/evening.mj").played[0]
    >>> hand.winner, hand.score, hand.nets
    ('Ben', 52, {'Ann': -88, 'Ben': 208, 'Old Cid': -44, 'Dee': -76})
    """

    __slots__ = ()
    settlement: Settlement

    @property
    def sheet(self) -> ScoreSheet | None:
        """The winner's score sheet; None if nobody won or only the winner's score was given."""
        return self.settlement.sheets.get(self.settlement.winner or "")


class Evening(statistics.RecordedEvening):
    """An evening as recorded in a file: its *players*, the hands *played*, the file's mistakes (*refusals*).

    >>> mjscore.evening("samples/evening.mj").players
    ('Ann', 'Ben', 'Old Cid', 'Dee')
    """

    __slots__ = ()
    played: tuple[PlayedHand, ...]

    @classmethod
    def of(cls, evening: statistics.RecordedEvening) -> Self:
        """Return an evening read by ``record.statistics`` as an ``Evening``."""
        played = [
            PlayedHand(*hand._replace(settlement=Settlement.of(hand.settlement, hand.book)))
            for hand in evening.played
        ]
        return cls(*evening._replace(played=tuple(played)))

    @property
    def title(self) -> str:
        """The title given in the file, or else the file's name."""
        return statistics.title_of(self)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The players with their totals, highest first; equal totals share a place."""
        return statistics.standings(self)

    def render(self, width: int = WIDTH, colour: bool = False) -> str:
        """Return the text of ``mjscore report``."""
        from mjscore.page.report import show_evening
        from mjscore.page.text import Style

        return show_evening(self, Style(width, colour), self.title, "plain")

    def __str__(self) -> str:
        return self.render()

    def page(self, print_hands: bool = False) -> str:
        """Return the page of ``mjscore report --html``; single hands are printed only with *print_hands*."""
        from mjscore.page.report import evening_page

        return evening_page(self, self.title, print_hands)

    def picture(self) -> str:
        """Return the standings, the chart and the biggest hand as one SVG."""
        from mjscore.page.report import evening_picture

        return evening_picture(self, self.title)

    _repr_svg_ = picture

    def exchanges(self, counters: str = "") -> tuple[Exchange, ...]:
        """Return the counters that change hands at each of ``played``: of the set *counters*, or the file's.

        Raises Refused if neither names a set, or if the set is wrong.
        """
        table, folder = self.occasion, os.path.dirname(self.file)
        purses = table_counters(counters or table.counters, (), table.pair_by_pair, table.bank, folder)
        return tuple(purses.settle(hand.settlement, hand.seats) for hand in self.played)
