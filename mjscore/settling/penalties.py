"""What a file says beside won hands: washes, false wins, agreed payments, hands with too many tiles.

*seats* are those at which somebody sits: two or three may play a game of four.
"""

from __future__ import annotations

from typing import Any

from mjscore.game.tiles import HEADS, WIND_NAMES, Tile
from mjscore.refusal import did_you_mean, refuse
from mjscore.rulebook.binding import Rulebook
from mjscore.rulebook.settling import SettlingRule
from mjscore.settling.payment import Payment, penalty, penalty_payments, penalty_text
from mjscore.settling.settlement import Settlement, settled


def wash(
    seat: str, tiles: tuple[Tile, ...], count: int | None, seats: list[str], book: Rulebook
) -> Settlement:
    """Tell what a player who washes the tiles collects from each other (Harr p. 61, Babcock p. 80-81).

    Neither *tiles* nor *count* where they ask for the new draw alone.
    """
    rule = _known(book.settling.wash, book, "no-washing", "wash")
    if tiles:
        count = _heads(seat, tiles, rule)
    by_heads = rule.points_by_heads
    if count is None and not rule.no_pair:
        raise refuse("heads-not-told", seat=seat, source=rule.source)
    if count is not None and count not in by_heads:
        least, most = min(by_heads), max(by_heads)
        raise refuse("too-few-heads", count=count, least=least, most=most, source=rule.source)
    points = by_heads[count] if count is not None else 0
    payments = [Payment(other, seat, points, rule.title) for other in seats if other != seat]
    heads = f"{count} heads: " if count is not None else ""
    brings = f"{points} from each player" if points else "a new draw, and no bonus"
    return settled("wash", payments, seats, book, f"{heads}{brings} ({rule.source})")


def _heads(seat: str, tiles: tuple[Tile, ...], rule: SettlingRule) -> int:
    """Tell how many different heads are among the tiles as dealt. Raises Refused for more than were dealt."""
    dealt = 14 if seat == "E" or rule.no_pair else 13
    if len(tiles) > dealt:
        raise refuse("too-many-tiles", "washed", count=len(tiles), who=WIND_NAMES[seat], dealt=dealt)
    pair = next((tile for tile in tiles if tiles.count(tile) > 1), None)
    if rule.no_pair and pair is not None:
        raise refuse("wash-with-pair", tile=pair.title, source=rule.source)
    return len({tile for tile in tiles if HEADS >> tile & 1})


def not_touching(seats: list[str], book: Rulebook) -> Settlement:
    """Give a new draw for thirteen tiles of which no two go together (Babcock p. 81): nobody pays."""
    rule = _known(book.settling.not_touching, book, "no-washing", "not-touching")
    return settled("wash", [], seats, book, str(rule))


def of_one(kind: str, seat: str, seats: list[str], book: Rulebook) -> Settlement:
    """Tell what a player pays for a kind of mistake: ``false``, who announced Mah-Jongg by mistake (Harr p. 67,
    Babcock p. 33, 74); ``long``, who holds too many tiles, where that stops the play (Babcock p. 73).
    """
    rule = {"false": book.settling.false_win, "long": book.settling.long_hand}[kind]
    rule = _known(rule, book, "no-penalty", kind, seat=seat, other=_another(seats, [seat]))
    payments = penalty(seat, seats, rule, book.settling)
    return settled(kind, payments, seats, book, penalty_text(rule, book.settling))


def of_the_rulebook(name: str, named: list[str], seats: list[str], book: Rulebook) -> Settlement:
    """Tell what a penalty of the rulebook costs: the *named* pay the others, or the first of them the second."""
    rules = book.settling.penalty
    hint = did_you_mean(name, rules, f"write what was agreed: pay {named[0]} {_another(seats, named)} 100")
    rule = _known(rules.get(name), book, "no-penalty", "id", name=name, hint=hint)
    twice = next((seat for seat in named if named.count(seat) > 1), None)
    if twice is not None:
        raise refuse("pays-himself", "twice", who=WIND_NAMES[twice])
    if rule.paid == "named":
        payers, payees = named[:1], named[1:]
        wanted, hint = len(named) == 2, "name who pays, then who is paid"
    else:
        payers, payees = named, [seat for seat in seats if seat not in named]
        wanted, hint = bool(payees), "name those who pay"
    if not wanted:
        raise refuse("penalty-players", title=rule.title, hint=f"{hint}: penalty {name} S E"[:80])
    return settled("penalty", penalty_payments(payers, payees, rule, book.settling), seats, book, str(rule))


def _another(seats: list[str], named: list[str]) -> str:
    """Give a seat that the first of the *named* can pay: one that is not named, if there is any."""
    return min((seat for seat in seats if seat != named[0]), key=lambda seat: seat in named)


def agreed(payer: str, payee: str, points: int, seats: list[str], book: Rulebook) -> Settlement:
    """Give a payment that the players agreed on."""
    if payer == payee:
        raise refuse("pays-himself", "agreed", who=WIND_NAMES.get(payer, payer))
    return settled("pay", [Payment(payer, payee, points, "as agreed")], seats, book)


def drawn_game(seats: list[str], book: Rulebook) -> Settlement:
    """Give a drawn game: nobody pays."""
    return settled("draw", [], seats, book)


def change_of_seats(comes: str, leaves: str, seats: list[str], book: Rulebook) -> Settlement:
    """Somebody comes to the table, or leaves it, or both: nobody pays."""
    told = f"{comes} for {leaves}" if comes and leaves else f"{comes} joins" if comes else f"{leaves} leaves"
    return settled("seat", [], seats, book, told)


def _known(rule: SettlingRule | None, book: Rulebook, code: str, kind: str, **words: Any) -> SettlingRule:
    """Give a rule that a rulebook has. Raises Refused where it has none."""
    if rule is None:
        raise refuse(code, kind, book=book.id, **words)
    return rule
