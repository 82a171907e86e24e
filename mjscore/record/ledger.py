"""An evening's ledger: who sits where, which round it is, and the running totals.

East passes as the rulebook says: by the books, to the right when East does not win. A round ends when each player has
lost the East (Harr p. 58-59, Babcock p. 8, 26).
"""

from collections.abc import Mapping
from typing import NamedTuple

from mjscore.game.hand import Seat
from mjscore.game.tiles import WINDS
from mjscore.refusal import refuse
from mjscore.rulebook.rulebook import Rulebook
from mjscore.rulebook.settling import SEATS_OF_FEW, SettlingRule
from mjscore.settling.payment import SITTER_OUT


class Position(NamedTuple):
    """The state of an evening before a hand.

    *players* are in the order of their first seats; *east* is the index of East among those who play; *passes* counts
    how often East has passed, *hands* the hands, draws and washes, *east_wins* East's wins in a row; *totals* are
    points; *left* are the points of those who have left the table.
    """

    players: tuple[str, ...]
    east: int = 0
    passes: int = 0
    hands: int = 0
    east_wins: int = 0
    totals: tuple[int, ...] = ()
    left: tuple[tuple[str, int], ...] = ()

    @property
    def points(self) -> dict[str, int]:
        """Return everybody's points by name, with those who have left at the end."""
        return {**dict(zip(self.players, self.totals, strict=True)), **dict(self.left)}


def begin(players: tuple[str, ...]) -> Position:
    """Return the position before the first hand."""
    return Position(players, totals=(0,) * len(players))


def seats_for(players: int, book: Rulebook) -> str:
    """Return the winds for a number of *players*.

    By a rulebook without the option ``players``, two sit opposite each other, and three leave North to the dummy
    (Harr p. 76).
    """
    return book.seats if "players" in book.options else SEATS_OF_FEW.get(players, book.seats)


def round_number(position: Position, book: Rulebook) -> int:
    """Return the number of the round, counted from 0."""
    return position.passes // len(seats_for(len(position.players), book))


def round_wind(position: Position, book: Rulebook) -> str:
    """Return the wind of the round: East, South, West, North, and East again."""
    return WINDS[round_number(position, book) % 4]


def sitting_out(position: Position, book: Rulebook) -> str | None:
    """Return who of five sits out: the fifth first, then each in turn a round (Babcock p. 85); or None."""
    if len(position.players) != 5:
        return None
    out = (len(position.players) - 1 + round_number(position, book)) % len(position.players)
    return position.players[out]


def seating(position: Position, book: Rulebook) -> dict[str, str]:
    """Return the players by wind, and at X the player who sits out."""
    out, playing = sitting_out(position, book), _playing(position, book)
    winds = enumerate(seats_for(len(position.players), book))
    seats = {wind: playing[(place + position.east) % len(playing)] for place, wind in winds}
    return seats if out is None else {**seats, SITTER_OUT: out}


def with_net(position: Position, net: Mapping[str, int], seats: Mapping[str, str]) -> Position:
    """Return the position with a *net* (by wind, or by name of those who have left) added to the totals."""
    names = {seats.get(wind, wind): points for wind, points in net.items()}
    totals = tuple(
        total + names.get(name, 0) for name, total in zip(position.players, position.totals, strict=True)
    )
    left = tuple((name, total + names.get(name, 0)) for name, total in position.left)
    return position._replace(totals=totals, left=left)


def after_win(position: Position, winner: str, book: Rulebook) -> Position:
    """Return the position after a hand won by the player at *winner*, a wind."""
    settling = book.settling
    if settling.every_hand_passes is not None:
        return _east_passes(position, book)
    if winner == "E":
        return position._replace(hands=position.hands + 1, east_wins=position.east_wins + 1)
    if settling.winner_takes_east is not None:
        name = seating(position, book)[winner]
        moved = _east_passes(position, book)
        # with five players, the next East may be the one who sits out next
        playing = _playing(moved, book)
        return moved._replace(east=playing.index(name)) if name in playing else moved
    if settling.east_passes is not None:
        return _east_passes(position, book)
    return position._replace(hands=position.hands + 1, east_wins=0)


def after_draw(position: Position, four: bool, book: Rulebook) -> Position:
    """Return the position after a drawn game; *four* says that a kong was declared in it (D77)."""
    settling = book.settling
    if settling.every_hand_passes is not None or (four and settling.draw_after_four_passes is not None):
        return _east_passes(position, book)
    # a drawn game ends a row of wins: the count to nine starts again (D71)
    return position._replace(hands=position.hands + 1, east_wins=0)


def after_wash(position: Position, washer: str, rule: SettlingRule | None, book: Rulebook) -> Position:
    """Return the position after a new draw by *rule*: East stays, unless East asked for it and must pass."""
    if washer == "E" and rule is not None and rule.east_passes:
        return _east_passes(position, book)
    return position._replace(hands=position.hands + 1)


def after_stop(position: Position) -> Position:
    """Return the position after a hand that was stopped: the winds stay."""
    return position._replace(hands=position.hands + 1)


def change_seats(position: Position, comes: str, leaves: str, book: Rulebook, after: Rulebook) -> Position:
    """Return the position after *comes* replaces *leaves* (either may be empty). Raises Refused.

    *after* is the rulebook for the new number of players. A replacement takes over the seat. If a player just leaves,
    the others close up, and East stays; if East left, the next player is East (D16).
    """
    if comes in position.players:
        raise refuse("player-name", "sits", name=comes)
    if leaves and leaves not in position.players:
        names, about = ", ".join(position.players), Seat(leaves)
        raise refuse("unknown-player", "file", about=about, name=leaves[:40], players=names)
    playing, totals, left = _playing(position, book), position.points, dict(position.left)
    east, next_east = playing[position.east], playing[(position.east + 1) % len(playing)]
    number, in_round = divmod(position.passes, len(seats_for(len(position.players), book)))
    players = list(position.players)
    if leaves:
        left[leaves] = totals[leaves]
        place = players.index(leaves)
        players[place : place + 1] = [comes] if comes else []
    else:
        players.append(comes)
    left.pop(comes, None)
    if leaves == east:
        number += not comes and next_east == playing[0]
        east = comes or next_east
    tried = position._replace(
        players=tuple(players),
        totals=tuple(totals.get(name, 0) for name in players),
        left=tuple(left.items()),
        passes=number * len(seats_for(len(players), after)),
        east_wins=0 if leaves == playing[position.east] else position.east_wins,
    )
    playing = _playing(tried, after)
    # with five players, East may be the one who sits out this round: then the next one is East
    place = playing.index(east) if east in playing else players.index(east) % len(playing)
    if after.settling.winner_takes_east is None:
        in_round = place
    return tried._replace(east=place, passes=tried.passes + min(in_round, len(playing) - 1))


def as_played(position: Position, east: str, round_wind: str, passed: int | None, book: Rulebook) -> Position:
    """Return the position with a hand's East and round; unchanged if that East does not play in that round.

    The nearest round of that wind is taken. *passed*, East's passes in it, is worked out if None.
    """
    seats = len(seats_for(len(position.players), book))
    now = round_number(position, book)
    number = min(
        (number for number in range(max(0, now - 4), now + 5) if WINDS[number % 4] == round_wind),
        key=lambda number: abs(number - now),
    )
    tried = position._replace(passes=number * seats)
    playing = _playing(tried, book)
    if east not in playing:
        return position
    place, is_east = playing.index(east), number == now and playing[position.east] == east
    if passed is None:
        by_passes = number == now and (is_east or book.settling.winner_takes_east is not None)
        passed = position.passes % seats if by_passes else place
    wins = position.east_wins if is_east else 0
    return tried._replace(east=place, passes=number * seats + min(passed, seats - 1), east_wins=wins)


def _playing(position: Position, book: Rulebook) -> list[str]:
    out = sitting_out(position, book)
    return [name for name in position.players if name != out]


def _east_passes(position: Position, book: Rulebook) -> Position:
    passes = position.passes + 1
    seats = len(seats_for(len(position.players), book))
    # with five players, others play in each round, and the first of them begins as East
    new_table = passes % seats == 0 and len(position.players) == 5
    east = 0 if new_table else (position.east + 1) % seats
    return position._replace(east=east, passes=passes, hands=position.hands + 1, east_wins=0)
