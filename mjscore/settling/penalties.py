"""What a file says beside won hands: washes, false wins, agreed payments, hands with too many tiles.

*seats* are those at which somebody sits: two or three may play a game of four.
"""

from __future__ import annotations

from mjscore.game.tiles import HEADS, WIND_NAMES, Tile
from mjscore.refusal import refuse
from mjscore.rulebook.binding import Rulebook
from mjscore.settling.payment import Payment
from mjscore.settling.settlement import Settlement, east_factor, nets, penalty_points


def wash(
    seat: str, tiles: tuple[Tile, ...], count: int | None, seats: list[str], book: Rulebook
) -> Settlement:
    """What a player who washes the tiles collects from each other (Harr p. 61, Babcock p. 80-81)."""
    rule = book.settle.get("wash")
    if rule is None:
        raise refuse(
            "no-washing",
            f"the rulebook {book.id} does not know washing",
            "harr-limit does, and babcock-chinese with the option nine-mummies",
        )
    dealt = 14 if seat == "E" else 13
    if rule.details.get("no_pair"):
        dealt = 14
    if tiles:
        if len(tiles) > dealt:
            raise refuse(
                "too-many-tiles",
                f"{len(tiles)} tiles; {WIND_NAMES[seat]} was dealt {dealt}",
                "type the tiles as dealt",
            )
        if rule.details.get("no_pair") and len(set(tiles)) < len(tiles):
            twice = next(tile for tile in tiles if tiles.count(tile) > 1)
            raise refuse(
                "wash-with-pair",
                f"a pair of {twice.title}: Nine Mummies are single tiles",
                f"play the hand ({rule.source})",
            )
        count = len({tile for tile in tiles if HEADS >> tile & 1})
    table = rule.details["table"]
    if count not in table:
        most = max(table)
        raise refuse(
            "too-few-heads",
            f"{count} different ones, nines, winds and dragons; it takes {min(table)} to {most}",
            f"play the hand ({rule.source})",
        )
    payments = [Payment(other, seat, table[count], rule.title) for other in seats if other != seat]
    return _event(
        "wash", payments, seats, book, f"{count} heads: {table[count]} from each player ({rule.source})"
    )


def false_win(seat: str, seats: list[str], book: Rulebook) -> Settlement:
    """What a player pays who announced Mah-Jongg by mistake (Harr p. 67, Babcock p. 33, 74)."""
    rule = book.settle.get("false-win")
    if rule is None:
        raise refuse(
            "no-penalty",
            f"the rulebook {book.id} has no penalty for a false Mah-Jongg",
            f"write what was agreed: pay {seat} {next(one for one in seats if one != seat)} 100",
        )
    points = penalty_points(rule, book)
    payments = [
        Payment(seat, other, points * east_factor(seat, other, book), rule.title)
        for other in seats
        if other != seat
    ]
    return _event("false", payments, seats, book, f"{rule.title} ({rule.source})")


def long_hand(seat: str, seats: list[str], book: Rulebook) -> Settlement:
    """What a player pays who holds too many tiles, where that stops the play (Babcock p. 73)."""
    rule = book.settle.get("long-hand")
    if rule is None:
        raise refuse(
            "no-penalty",
            f"the rulebook {book.id} does not stop the play for a hand with too many tiles",
            "mark the hand !dead, or set long-hand-pays-limit in babcock-chinese",
        )
    points = penalty_points(rule, book)
    payments = [
        Payment(seat, other, points * east_factor(seat, other, book), rule.title)
        for other in seats
        if other != seat
    ]
    return _event("long", payments, seats, book, f"{rule.title} ({rule.source})")


def agreed(payer: str, payee: str, points: int, seats: list[str], book: Rulebook) -> Settlement:
    """A payment that the players agreed on."""
    if payer == payee:
        raise refuse("pays-himself", f"{WIND_NAMES.get(payer, payer)} cannot pay himself", "name two players")
    return _event("pay", [Payment(payer, payee, points, "as agreed")], seats, book, "")


def drawn_game(seats: list[str], book: Rulebook) -> Settlement:
    """A drawn game: nobody pays."""
    return _event("draw", [], seats, book, "")


def _event(kind: str, payments: list[Payment], seats: list[str], book: Rulebook, remark: str) -> Settlement:
    return Settlement(
        None,
        {},
        None,
        None,
        tuple(one for one in payments if one.points),
        nets(payments, seats, book),
        book.id,
        kind,
        remarks=(remark,) if remark else (),
    )
