"""Refusals of impossible tables: unknown seats, five tiles of a kind in all hands, a robbed kong in no hand."""

from collections.abc import Mapping

from mjscore.game.hand import Discarder, Flag, Seat
from mjscore.game.tiles import WIND_NAMES, Tile, fifth_tile
from mjscore.refusal import Refusal, refuse
from mjscore.rulebook.rulebook import Rulebook
from mjscore.rulebook.settling import SEATS_OF_FEW
from mjscore.settling.payment import SeatResult


def checked_seats(results: Mapping[str, SeatResult], book: Rulebook) -> list[str]:
    """Return the seats in play, East first. Raises Refused for a seat that does not exist or has no result."""
    for seat in results:
        if seat not in tuple(book.seats):
            kind, who = "few" if seat in WIND_NAMES else "none", WIND_NAMES.get(seat)
            seats_here, players = " ".join(book.seats), book.players
            raise refuse("no-such-seat", kind, who=who, players=players, seat=seat[:40], seats=seats_here)
    seats = [seat for seat in book.seats if seat in results]
    missing = [seat for seat in book.seats if seat not in results]
    fewer = ""
    if missing and "players" not in book.options:
        # Harr's game may be played by two or three (p. 76; D26)
        missing = [seat for seat in SEATS_OF_FEW.get(len(seats), book.seats) if seat not in results]
        fewer = "; two players are East and West, three are East, South and West"
    if missing:
        names = ", ".join(WIND_NAMES[seat] for seat in missing)
        raise refuse("missing-seat", "seat", names=names, seat=missing[0], fewer=fewer)
    return seats


def check_winner(winner: str, results: Mapping[str, SeatResult], seats: list[str]) -> None:
    """Raise Refused if *winner*, or anybody named in the hand, is not at the table, or the hand is dead."""
    _check_seat(winner, seats)
    result = results[winner]
    if result.dead:
        raise refuse("dead-wins")
    win = result.hand.win if result.hand is not None else None
    for name in (win.discarder, win.earlier, win.all_from) if win is not None else ():
        if name is not None and name not in seats:
            who, about = WIND_NAMES.get(name, name), Seat(name)
            raise refuse("no-such-seat", "named", about=about, who=who, seat=name)


def check_discarder(discarder: str, winner: str, seats: list[str], name: str = "") -> None:
    """Raise Refused unless *discarder*, typed as *name*, can have discarded the winning tile."""
    about = Discarder(name or discarder)
    if discarder == winner:
        raise refuse("from-oneself", about=about, who=WIND_NAMES[winner])
    _check_seat(discarder, seats, about)


def _check_seat(seat: str, seats: list[str], about: object = None) -> None:
    if seat not in seats:
        raise refuse("no-such-seat", "here", about=about, seat=seat, seats=" ".join(seats))


def check_tiles(results: Mapping[str, SeatResult]) -> None:
    """Raise Refused for a fifth tile of a kind, or a second copy of a bonus tile, over all hands of the table."""
    hands = {seat: result.hand for seat, result in results.items() if result.hand is not None}
    fifth = fifth_tile(sum(hand.packed for hand in hands.values()))
    if fifth is not None:
        holders = ", ".join(WIND_NAMES[seat] for seat, hand in hands.items() if hand.packed >> 6 * fifth & 63)
        raise refuse("fifth-tile", "table", about=fifth, tile=fifth.title, holders=holders)
    bonus = sorted(tile for hand in hands.values() for tile in hand.bonus)
    second = next((tile for tile in bonus if bonus.count(tile) > 1), None)
    if second is not None:
        raise refuse("second-bonus-tile", "table", about=second, tile=second.title)


def check_robbed(result: SeatResult, tile: Tile, seat: str) -> None:
    """Raise Refused if the robbed hand is known and does not have the exposed pung of *tile*."""
    hand = result.hand
    if hand is not None and not any(
        tile_set.kind == "pung" and tile_set.tile == tile and tile_set.exposed for tile_set in hand.sets
    ):
        about = Flag("robbed")
        raise refuse("robbed-nobody", about=about, who=WIND_NAMES[seat], tile=tile.title)


def two_winners(seats: list[str], players: Mapping[str, str] = {}) -> Refusal:
    """Return the refusal of several winners (*seats*), naming players, or winds if a player is called like a wind."""
    names = {**WIND_NAMES, **players}
    if set(WIND_NAMES.values()).intersection(players.values()):
        names = WIND_NAMES
    return refuse("two-winners", "both", names=" and ".join(names.get(seat, seat) for seat in seats)).refusal
