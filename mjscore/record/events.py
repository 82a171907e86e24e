"""What happens between hands or stops one: a drawn game, a wash, a false win, a payment. Each is a row of one table.

The prompt, the report and its page take the names of hands and events from here.
"""

from collections.abc import Callable
from itertools import accumulate
from typing import Any, NamedTuple

from mjscore.game.tiles import HEADS, WIND_NAMES, Tile
from mjscore.record import ledger
from mjscore.record.ledger import Position
from mjscore.record.lines import EventLine
from mjscore.record.usages import USAGES
from mjscore.refusal import Place, Refused, did_you_mean, refuse
from mjscore.rulebook.rulebook import Rulebook
from mjscore.rulebook.settling import SettlingRule
from mjscore.settling.payment import Payment
from mjscore.settling.settlement import Settlement, penalty, penalty_text, settled

_ROOM = 25  # columns that a usage may take


class Event(NamedTuple):
    """Something that can happen apart from a hand being won.

    *word* begins its line, which *help* explains; *title* heads its settlement, *name* is for use in a sentence,
    *told* is for a report, filled in with who pays and who is paid. *is_hand* says whether it counts as a hand,
    *names_east* whether play writes below it who was East, *names_absent* whether a player who sits out or has left
    may be named, *changes_seats* whether it names people who are not at the table yet and changes who sits there.
    *settle* takes the line, the winds that it names, the winds in play (a game of four may have two or three players)
    and the rulebook, and raises Refused; *after* turns the position that has the new totals into the one after the
    event.
    """

    word: str
    help: str
    title: str
    name: str
    told: str
    settle: Callable[[EventLine, list[str], list[str], Rulebook], Settlement]
    after: Callable[[EventLine, list[str], Position, Rulebook], Position] = (
        lambda line, named, position, book: position
    )
    is_hand: bool = False
    names_east: bool = True
    names_absent: bool = False
    changes_seats: bool = False

    @property
    def usage(self) -> str:
        """Return how the event's line is written, with as many forms as fit beside its help."""
        ways = accumulate(USAGES[self.word].split(", "), "{}, {}".format)
        return [usage for usage in ways if len(usage) < _ROOM][-1]


def _wash(line: EventLine, named: list[str], seats: list[str], book: Rulebook) -> Settlement:
    """Return the settlement of a wash: the washing player collects from the others (Harr p. 61, Babcock p. 80-81).

    A line without tiles or number asks only for the new draw; nobody pays where the rule requires a deal without
    pairs.
    """
    if line.manner:
        rule = _required(book.settling.not_touching, book, "no-washing", "not-touching")
        return settled("wash", [], seats, book, str(rule))
    rule = _required(book.settling.wash, book, "no-washing", "wash")
    (seat,), count, by_heads = named, line.number, rule.points_by_heads
    if line.tiles:
        count = _heads(seat, line.tiles, rule)
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
    """Return how many different heads are among the tiles. Raises Refused for too many tiles, or a forbidden pair."""
    dealt = 14 if seat == "E" or rule.no_pair else 13
    if len(tiles) > dealt:
        raise refuse("too-many-tiles", "washed", count=len(tiles), who=WIND_NAMES[seat], dealt=dealt)
    pair = next((tile for tile in tiles if tiles.count(tile) > 1), None)
    if rule.no_pair and pair is not None:
        raise refuse("wash-with-pair", tile=pair.title, source=rule.source)
    return len({tile for tile in tiles if HEADS >> tile & 1})


def _after_wash(line: EventLine, named: list[str], position: Position, book: Rulebook) -> Position:
    rule = book.settling.not_touching if line.manner else book.settling.wash
    return ledger.after_wash(position, named[0], rule, book)


def _mistake(line: EventLine, named: list[str], seats: list[str], book: Rulebook) -> Settlement:
    """Return the settlement for announcing Mah-Jongg by mistake, or for holding too many tiles.

    The lines are ``false`` (Harr p. 67, Babcock p. 33, 74) and ``long``, where too many tiles stop the play (Babcock
    p. 73).
    """
    (seat,), is_false = named, line.word == "false"
    rule = book.settling.false_win if is_false else book.settling.long_hand
    rule = _required(rule, book, "no-penalty", line.word, seat=seat, other=_another(seats, named))
    payments, text = penalty(named, seats, rule, book.settling), penalty_text(rule, book.settling)
    return settled(line.word, payments, seats, book, text)._replace(by=seat if is_false else None)


def _penalty(line: EventLine, named: list[str], seats: list[str], book: Rulebook) -> Settlement:
    """Return a penalty's settlement: the *named* pay the others, or the first the second. Raises Refused."""
    rules, name = book.settling.penalty, line.rule
    hint = did_you_mean(name, rules, f"write the payment agreed: pay {named[0]} {_another(seats, named)} 100")
    rule = _required(rules.get(name), book, "no-penalty", "id", name=name, hint=hint)
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
    return settled("penalty", penalty(payers, payees, rule, book.settling), seats, book, str(rule))


def _another(seats: list[str], named: list[str]) -> str:
    """Return a seat other than the first of *named*, preferably one that is not in *named* at all."""
    return min((seat for seat in seats if seat != named[0]), key=lambda seat: seat in named)


def _required(rule: SettlingRule | None, book: Rulebook, code: str, kind: str, **words: Any) -> SettlingRule:
    """Return *rule*. Raises Refused, with *code* and *kind*, if the rulebook has none."""
    if rule is None:
        raise refuse(code, kind, book=book.id, **words)
    return rule


def _pay(line: EventLine, named: list[str], seats: list[str], book: Rulebook) -> Settlement:
    payer, payee = named
    if payer == payee:
        raise refuse("pays-himself", "agreed", who=WIND_NAMES.get(payer, payer))
    return settled("pay", [Payment(payer, payee, line.number or 0, "as agreed")], [*seats, *named], book)


def _seat(line: EventLine, named: list[str], seats: list[str], book: Rulebook) -> Settlement:
    comes, leaves = named
    text = f"{comes} for {leaves}" if comes and leaves else f"{comes} joins" if comes else f"{leaves} leaves"
    return settled("seat", [], seats, book, text)


EVENTS = {
    event.word: event
    for event in (
        Event(
            "draw", "nobody won (draw four: and a kong was declared)", "Draw", "draw", "draw",
            lambda line, named, seats, book: settled("draw", [], seats, book),
            lambda line, named, position, book: ledger.after_draw(position, bool(line.manner), book),
            is_hand=True,
        ),
        Event(
            "wash", "the tiles were washed", "Washing the tiles",
            "washing of the tiles", "{payee} washes", _wash, _after_wash,
        ),
        Event(
            "false", "a false win", "False Mah-Jongg", "false win", "{payer}: false win", _mistake,
        ),
        Event(
            "long", "a hand with too many tiles", "A hand with too many tiles", "long hand", "{payer}: too many tiles",
            _mistake,
            lambda line, named, position, book: ledger.after_stop(position),
            is_hand=True,
        ),
        Event(
            "penalty", "a penalty of the rulebook, by its id, and who pays", "Penalty", "penalty", "{payer}: penalty",
            _penalty,
        ),
        Event(
            "pay", "a payment", "Agreed payment", "payment", "{payer} pays {payee}", _pay,
            names_east=False, names_absent=True,
        ),
        Event(
            "seat", "a change of seats; eve for ann, ann leaves, eve joins; r: the next player rests",
            "Change of seats", "change of seats", "", _seat,
            names_east=False, changes_seats=True,
        ),
    )
}  # fmt: skip


def unfinished(word: str, at: Place) -> Refused:
    """Return the refusal of an event's line that is incomplete."""
    return refuse("unfinished-line", word, at=at, usage=EVENTS[word].usage.replace(", ", " or "))


HANDS = frozenset({"hand", *(event.word for event in EVENTS.values() if event.is_hand)})
TITLES = {"hand": "Hand", **{event.word: event.title for event in EVENTS.values()}}


class Count(NamedTuple):
    """How many hands have been counted (won, stopped or drawn), and how many events since the last of them.

    These number the hands and events: ``3`` is the third hand, ``3a`` the first event after it.
    """

    hands: int = 0
    since: int = 0

    @property
    def mark(self) -> str:
        """Return the number of the hand or event counted last, such as ``3`` or ``3a``."""
        return f"{self.hands}{_letters(self.since)}"

    def after(self, kind: str) -> "Count":
        """Return the count after a hand or event of this kind: ``hand``, ``draw``, ``wash``, ``pay`` …"""
        return Count(self.hands + 1) if kind in HANDS else Count(self.hands, self.since + 1)


def kind_of(head: str) -> str:
    """Return the kind of a block by the word that begins its head, even if the block was refused."""
    return next((word for word in TITLES if head.startswith(word)), "")


def hand_number(mark: str) -> int | None:
    """Return the number in the *mark* of a hand; None for an event between hands, such as ``3a``."""
    return int(mark) if mark.isdecimal() else None


def _letters(number: int) -> str:
    """Return a, b, …, z, aa, ab, … for 1, 2, …; nothing for 0."""
    text = ""
    while number:
        number, place = divmod(number - 1, 26)
        text = chr(ord("a") + place) + text
    return text
