"""Tables that cannot be: seats that nobody sits at, a fifth tile over all hands, a robbed four that is nowhere."""

from collections.abc import Mapping

from mjscore.game.hand import Hand
from mjscore.game.tiles import WEIGHT, WIND_NAMES, Tile, fifth_tile
from mjscore.refusal import About, refuse
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.settling import SEATS_OF_FEW
from mjscore.settling.payment import SeatResult


def checked_seats(results: Mapping[str, SeatResult], book: Rulebook) -> list[str]:
    """Give the seats at the table in their order. Raises Refused for one that there is not, or that is missing."""
    for seat in results:
        if seat not in tuple(book.seats):
            who = WIND_NAMES.get(seat)
            message = f"{who} does not play at a table of {book.players}"
            hint = f"the seats are {' '.join(book.seats)}"
            raise refuse("no-such-seat", message if who else f"there is no seat {seat[:40]!r}", hint)
    seats = [seat for seat in book.seats if seat in results]
    missing = [seat for seat in book.seats if seat not in results]
    fewer = ""
    if missing and "players" not in book.options:
        # Harr's game may be played by two or three (p. 76; D26)
        missing = [seat for seat in SEATS_OF_FEW.get(len(seats), book.seats) if seat not in results]
        fewer = "; two players are East and West, three are East, South and West"
    if missing:
        names = ", ".join(WIND_NAMES[seat] for seat in missing)
        hint = f"give every seat a hand, a score or dead: {missing[0]}: 0{fewer}"
        raise refuse("missing-seat", f"nothing is said of {names}", hint)
    return seats


def check_winner(winner: str, results: Mapping[str, SeatResult], seats: list[str]) -> None:
    """Tell whether *winner* and the players whom their win clause names sit at the table. Raises Refused."""
    _check_seat(winner, seats)
    result = results[winner]
    if result.dead:
        raise refuse("dead-wins", "a dead hand cannot win", "leave out dead, or the win")
    win = result.hand.win if result.hand is not None else None
    for name in (win.discarder, win.earlier, win.all_from) if win is not None else ():
        if name is not None and name not in seats:
            message = f"{WIND_NAMES.get(name, name)} is named in the winner's hand and has no line"
            hint = f"give every seat a hand, a score or dead: {name}: 0"
            raise refuse("no-such-seat", message, hint, about=About("seat", name))


def check_discarder(discarder: str, winner: str, seats: list[str]) -> None:
    """Tell whether *discarder* can have discarded the tile that *winner* won with. Raises Refused."""
    if discarder == winner:
        message = f"{WIND_NAMES[winner]} cannot win on their own discard"
        raise refuse("from-oneself", message, "name the player who discarded the tile")
    _check_seat(discarder, seats)


def _check_seat(seat: str, seats: list[str]) -> None:
    if seat not in seats:
        hint = f"the seats are {' '.join(seats)}"
        raise refuse("no-such-seat", f"{seat!r} is no seat at this table", hint)


def check_tiles(results: Mapping[str, SeatResult]) -> None:
    """No fifth tile of a kind and no second bonus tile over the hands of one table. Raises Refused."""
    hands = {seat: result.hand for seat, result in results.items() if result.hand is not None}
    fifth = fifth_tile(sum(_packed(hand) for hand in hands.values()))
    if fifth is not None:
        holders = [WIND_NAMES[seat] for seat, hand in hands.items() if _packed(hand) >> 6 * fifth & 63]
        message = f"a fifth {fifth.title} at the table: {', '.join(holders)} together hold more than four"
        hint = "read these hands again; one of the tiles is another"
        raise refuse("fifth-tile", message, hint, about=About("tile", str(fifth)))
    bonus = sorted(tile for hand in hands.values() for tile in hand.bonus)
    second = next((tile for tile in bonus if bonus.count(tile) > 1), None)
    if second is not None:
        hint, about = "there is only one of each flower and season", About("tile", str(second))
        raise refuse("second-bonus-tile", f"a second {second.title} at the table", hint, about=about)


def _packed(hand: Hand) -> int:
    return hand.packed_concealed + hand.packed_laid + (WEIGHT[hand.win.tile] if hand.win is not None else 0)


def check_robbed(result: SeatResult, tile: Tile, seat: str) -> None:
    """Tell whether a hand shows the three of which the fourth was robbed, where it is known. Raises Refused."""
    hand = result.hand
    if hand is not None and not any(
        tile_set.kind == "pung" and tile_set.tile == tile and tile_set.exposed for tile_set in hand.sets
    ):
        message = f"{WIND_NAMES[seat]} shows no three {tile.title} to rob the fourth of"
        hint = "leave out !robbed, or put the three in brackets in that hand"
        raise refuse("robbed-nobody", message, hint, about=About("flag", "robbed"))
