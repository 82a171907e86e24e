"""Tables that cannot be: seats that nobody sits at, a fifth tile over all hands, a robbed four that is nowhere."""

from collections.abc import Mapping

from mjscore.game.hand import Hand
from mjscore.game.tiles import KINDS, TILES, WEIGHT, WIND_NAMES, Tile, fifth_tile
from mjscore.refusal import About, refuse
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.settling import SEATS_OF_FEW
from mjscore.settling.payment import SeatResult


def checked_seats(results: Mapping[str, SeatResult], book: Rulebook) -> list[str]:
    """Give the seats at the table in their order. Raises Refused for one that there is not, or that is missing."""
    for seat in results:
        if seat not in tuple(book.seats):
            who = WIND_NAMES.get(seat)
            raise refuse(
                "no-such-seat",
                f"{who} does not play at a table of {book.players}"
                if who
                else f"there is no seat {seat[:40]!r}",
                f"the seats are {' '.join(book.seats)}",
            )
    seats = [seat for seat in book.seats if seat in results]
    missing = [seat for seat in book.seats if seat not in results]
    hint = ""
    if missing and "players" not in book.options:
        # Harr's game may be played by two or three (p. 76; D26)
        missing = [seat for seat in SEATS_OF_FEW.get(len(seats), book.seats) if seat not in results]
        hint = "; two players are East and West, three are East, South and West"
    if missing:
        raise refuse(
            "missing-seat",
            f"nothing is said of {', '.join(WIND_NAMES[seat] for seat in missing)}",
            f"give every seat a hand, a score or dead: {missing[0]}: 0{hint}",
        )
    return seats


def check_winner(winner: str, results: Mapping[str, SeatResult], seats: list[str]) -> None:
    """Tell whether *winner* and the players whom their win clause names sit at the table. Raises Refused."""
    if winner not in seats:
        raise refuse(
            "no-such-seat", f"{winner!r} is no seat at this table", f"the seats are {' '.join(seats)}"
        )
    result = results[winner]
    if result.dead:
        raise refuse("dead-wins", "a dead hand cannot win", "leave out dead, or the win")
    if result.hand is not None and result.hand.win is not None:
        win = result.hand.win
        for name in (win.discarder, win.earlier, win.all_from):
            if name is not None and name not in seats:
                raise refuse(
                    "no-such-seat",
                    f"{WIND_NAMES.get(name, name)} is named in the winner's hand and has no line",
                    f"give every seat a hand, a score or dead: {name}: 0",
                    about=About("seat", name),
                )


def check_discarder(discarder: str, winner: str, seats: list[str]) -> None:
    """Tell whether *discarder* can have discarded the tile that *winner* won with. Raises Refused."""
    if discarder == winner:
        raise refuse(
            "from-oneself",
            f"{WIND_NAMES[winner]} cannot win on their own discard",
            "name the player who discarded the tile",
        )
    if discarder not in seats:
        raise refuse(
            "no-such-seat", f"{discarder!r} is no seat at this table", f"the seats are {' '.join(seats)}"
        )


def check_tiles(results: Mapping[str, SeatResult]) -> None:
    """No fifth tile of a kind and no second bonus tile over the hands of one table. Raises Refused."""
    hands = {seat: result.hand for seat, result in results.items() if result.hand is not None}
    fifth = fifth_tile(sum(_packed(hand) for hand in hands.values()))
    if fifth is not None:
        holders = [WIND_NAMES[seat] for seat, hand in hands.items() if _packed(hand) >> 6 * fifth & 63]
        raise refuse(
            "fifth-tile",
            f"a fifth {fifth.title} at the table: {', '.join(holders)} together hold more than four",
            "read these hands again; one of the tiles is another",
            about=About("tile", str(fifth)),
        )
    bonus = [tile for hand in hands.values() for tile in hand.bonus]
    for tile in range(KINDS, KINDS + 8):
        if bonus.count(TILES[tile]) > 1:
            raise refuse(
                "second-bonus-tile",
                f"a second {TILES[tile].title} at the table",
                "there is only one of each flower and season",
                about=About("tile", str(TILES[tile])),
            )


def _packed(hand: Hand) -> int:
    return hand.packed_concealed + hand.packed_laid + (WEIGHT[hand.win.tile] if hand.win is not None else 0)


def check_robbed(result: SeatResult, tile: Tile, seat: str) -> None:
    """Tell whether a hand shows the three of which the fourth was robbed, where it is known. Raises Refused."""
    hand = result.hand
    if hand is not None and not any(
        tile_set.kind == "pung" and tile_set.tile == tile and tile_set.exposed for tile_set in hand.sets
    ):
        raise refuse(
            "robbed-nobody",
            f"{WIND_NAMES[seat]} shows no three {TILES[tile].title} to rob the fourth of",
            "leave out !robbed, or put the three in brackets in that hand",
            about=About("flag", "robbed"),
        )
