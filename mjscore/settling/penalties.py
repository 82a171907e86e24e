"""What a file says beside won hands: washes, false wins, agreed payments, hands with too many tiles.

*seats* are those at which somebody sits: two or three may play a game of four.
"""

from __future__ import annotations

from mjscore.game.tiles import HEADS, WIND_NAMES, Tile
from mjscore.refusal import did_you_mean, refuse
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.settling import SettlingRule
from mjscore.settling.payment import Payment, nets, penalty, penalty_payments, penalty_text, rounded
from mjscore.settling.settlement import Settlement


def wash(
    seat: str, tiles: tuple[Tile, ...], count: int | None, seats: list[str], book: Rulebook
) -> Settlement:
    """Tell what a player who washes the tiles collects from each other (Harr p. 61, Babcock p. 80-81).

    Neither *tiles* nor *count* where they ask for the new draw alone.
    """
    rule = book.settling.wash
    if rule is None:
        raise refuse(
            "no-washing",
            f"the rulebook {book.id} does not know washing",
            "harr-limit does, and babcock-chinese with the option nine-mummies",
        )
    if tiles:
        count = _heads(seat, tiles, rule)
    by_heads = rule.points_by_heads
    if count is None and not rule.no_pair:
        raise refuse(
            "heads-not-told",
            "what washing brings depends on the number of heads",
            f"type wash {seat} 11, or the tiles: wash {seat}: 19b19c1d ESWNw … ({rule.source})",
        )
    if count is not None and count not in by_heads:
        raise refuse(
            "too-few-heads",
            f"{count} different ones, nines, winds and dragons; it takes {min(by_heads)} to {max(by_heads)}",
            f"play the hand ({rule.source})",
        )
    points = by_heads[count] if count is not None else 0
    payments = [Payment(other, seat, points, rule.title) for other in seats if other != seat]
    heads = f"{count} heads: " if count is not None else ""
    brings = f"{points} from each player" if points else "a new draw, and no bonus"
    return _settled("wash", payments, seats, book, f"{heads}{brings} ({rule.source})")


def _heads(seat: str, tiles: tuple[Tile, ...], rule: SettlingRule) -> int:
    """Tell how many different heads are among the tiles as dealt. Raises Refused for more than were dealt."""
    dealt = 14 if seat == "E" or rule.no_pair else 13
    if len(tiles) > dealt:
        raise refuse(
            "too-many-tiles",
            f"{len(tiles)} tiles; {WIND_NAMES[seat]} was dealt {dealt}",
            "type the tiles as dealt",
        )
    if rule.no_pair and len(set(tiles)) < len(tiles):
        pair = next(tile for tile in tiles if tiles.count(tile) > 1)
        raise refuse(
            "wash-with-pair",
            f"a pair of {pair.title}: Nine Mummies are single tiles",
            f"play the hand ({rule.source})",
        )
    return len({tile for tile in tiles if HEADS >> tile & 1})


def not_touching(seats: list[str], book: Rulebook) -> Settlement:
    """Give a new draw for thirteen tiles of which no two go together (Babcock p. 81): nobody pays."""
    rule = book.settling.not_touching
    if rule is None:
        raise refuse(
            "no-washing",
            f"the rulebook {book.id} has no new draw for tiles that do not touch",
            "babcock-chinese has, with the option not-touching",
        )
    return _settled("wash", [], seats, book, str(rule))


def false_win(seat: str, seats: list[str], book: Rulebook) -> Settlement:
    """Tell what a player pays who announced Mah-Jongg by mistake (Harr p. 67, Babcock p. 33, 74)."""
    rule = book.settling.false_win
    if rule is None:
        raise refuse(
            "no-penalty",
            f"the rulebook {book.id} has no penalty for a false Mah-Jongg",
            f"write what was agreed: pay {seat} {next(other for other in seats if other != seat)} 100",
        )
    return _settled(
        "false", penalty(seat, seats, rule, book.settling), seats, book, penalty_text(rule, book.settling)
    )


def long_hand(seat: str, seats: list[str], book: Rulebook) -> Settlement:
    """Tell what a player pays who holds too many tiles, where that stops the play (Babcock p. 73)."""
    rule = book.settling.long_hand
    if rule is None:
        raise refuse(
            "no-penalty",
            f"the rulebook {book.id} does not stop the play for a hand with too many tiles",
            "mark the hand !dead, or set long-hand-pays-limit in babcock-chinese",
        )
    return _settled(
        "long", penalty(seat, seats, rule, book.settling), seats, book, penalty_text(rule, book.settling)
    )


def of_the_rulebook(name: str, named: list[str], seats: list[str], book: Rulebook) -> Settlement:
    """Tell what a penalty of the rulebook costs: the *named* pay the others, or the first of them the second."""
    rules = book.settling.penalty
    rule = rules.get(name)
    if rule is None:
        raise refuse(
            "no-penalty",
            f"the rulebook {book.id} has no penalty {name!r}",
            did_you_mean(name, rules, f"write what was agreed: pay {named[0]} {_another(seats, named)} 100"),
        )
    twice = next((seat for seat in named if named.count(seat) > 1), None)
    if twice is not None:
        raise refuse("pays-himself", f"{WIND_NAMES[twice]} is named twice", "name each player once")
    if rule.paid == "named":
        payers, payees = named[:1], named[1:]
        wanted = len(named) == 2
    else:
        payers, payees = named, [seat for seat in seats if seat not in named]
        wanted = bool(payees)
    if not wanted:
        hint = "name who pays, then who is paid" if rule.paid == "named" else "name those who pay"
        raise refuse("penalty-players", f"{rule.title}: who pays whom?", f"{hint}: penalty {name} S E"[:80])
    return _settled("penalty", penalty_payments(payers, payees, rule, book.settling), seats, book, str(rule))


def _another(seats: list[str], named: list[str]) -> str:
    """Give a seat that the first of the *named* can pay: one that is not named, if there is any."""
    return min((seat for seat in seats if seat != named[0]), key=lambda seat: seat in named)


def agreed(payer: str, payee: str, points: int, seats: list[str], book: Rulebook) -> Settlement:
    """Give a payment that the players agreed on."""
    if payer == payee:
        raise refuse(
            "pays-himself", f"{WIND_NAMES.get(payer, payer)} cannot pay themselves", "name two players"
        )
    return _settled("pay", [Payment(payer, payee, points, "as agreed")], seats, book, "")


def drawn_game(seats: list[str], book: Rulebook) -> Settlement:
    """Give a drawn game: nobody pays."""
    return _settled("draw", [], seats, book, "")


def change_of_seats(comes: str, leaves: str, seats: list[str], book: Rulebook) -> Settlement:
    """Somebody comes to the table, or leaves it, or both: nobody pays."""
    told = f"{comes} for {leaves}" if comes and leaves else f"{comes} joins" if comes else f"{leaves} leaves"
    return _settled("seat", [], seats, book, told)


def _settled(kind: str, payments: list[Payment], seats: list[str], book: Rulebook, remark: str) -> Settlement:
    if kind != "pay":
        payments = [rounded(payment, book.settling) for payment in payments]
    return Settlement(
        None,
        {},
        None,
        None,
        tuple(payment for payment in payments if payment.points),
        nets(payments, seats, book.settling),
        book.id,
        kind,
        remarks=(remark,) if remark else (),
    )
