"""Resolving a typed word to a wind or a player: by a unique beginning or a word of the name, ignoring case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile
from operator import eq
from typing import NamedTuple

from mjscore.game.hand import quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.refusal import Refused, escape_controls, refuse

AGAIN = "again"


class People(NamedTuple):
    """The people who can be named.

    *players* are by their winds (empty if only the winds are known); *again* is the player who discarded the last
    winning tile; *round* is the wind of the round.
    """

    players: Mapping[str, str] = {}
    again: str | None = None
    round: str | None = None

    def named(self, word: str, discarder: bool = False) -> str | None:
        """Return the wind or player meant by *word*, as written in the notation; None if it means nobody.

        Only a *discarder* may be called ``again``. Raises Refused if the word fits two people, and for ``again`` if
        nobody discarded the last winning tile.
        """
        name = word.strip().strip('"')
        if not name or word in WIND_NAMES or name in self.players.values():
            return name or None
        # every name that may be typed, with its form in the notation
        known = {name: wind for wind, name in WIND_NAMES.items() if not self.players or wind in self.players}
        known |= {name: name for name in self.players.values()}
        if discarder and self.again is not None:
            known[AGAIN] = self.again
        seats = {player: wind for wind, player in self.players.items()}
        # a person named in two ways is one person
        meant = {seats.get(known[name], known[name]): known[name] for name in self._fitting(word, known)}
        if len(meant) > 1:
            one, other = map(escape_controls, list(meant.values())[:2])
            names = escape_controls(" or ".join(WIND_NAMES.get(name, name) for name in meant.values()))
            answers = list(map(quote_name, meant.values()))
            shown = escape_controls(word)
            raise refuse("two-people", word=shown, names=names, one=one, other=other, answers=answers)
        begun = word.strip().casefold()
        if not meant and discarder and self.players and len(begun) > 1 and AGAIN.startswith(begun):
            players = ", ".join(map(escape_controls, self.players.values()))
            raise refuse("nobody-again", players=players)
        return next(iter(meant.values()), None)

    def _fitting(self, word: str, known: Iterable[str]) -> list[str]:
        """Return the *known* names that a word can mean: that name, or else those beginning with it, or containing it."""
        said = word.strip().strip('"').casefold()
        if word.strip().startswith('"'):  # a quoted name is whole, though in any case
            return [name for name in self.players.values() if name.casefold() == said]
        return (
            [name for name in known if name.casefold() == said and name not in WIND_NAMES]
            or [name for name in known if name.casefold().startswith(said)]
            or [name for name in known if said in name.casefold().split()]
        )


def one_letter_apart(one: str, other: str) -> bool:
    """Return whether two names differ by one letter: changed, added or swapped with the next.

    One of the names must have three letters or more.
    """
    short, long = sorted((one.casefold(), other.casefold()), key=len)
    if len(long) - len(short) > 1:
        return False
    same = sum(takewhile(bool, map(eq, short, long)))
    rest, more = short[same:], long[same:]
    another = rest[1:] == more[1:] or rest == more[1:] or (rest[2:] == more[2:] and rest[:2] == more[1::-1])
    return len(long) > 2 and another and more[:1].isalpha() and (rest[:1] or "a").isalpha()


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the first of *known* that is one letter away from *word*; None if there is none."""
    return next((one for one in known if one_letter_apart(word, one)), None)


def nobody_called(word: str, players: Iterable[str]) -> Refused:
    """Return the refusal of a *word* that means none of the *players*."""
    names = ", ".join(map(escape_controls, players))
    return refuse("unknown-player", word=escape_controls(word[:40]), players=names)


ANYBODY = People()
