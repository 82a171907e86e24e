"""The functions that Python programs call: text in, values out. The package itself exports these names."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.hands import parse as parse
from mjscore.notation.hands import parse_reading, read_hand
from mjscore.notation.names import People
from mjscore.notation.reading import HandReading
from mjscore.refusal import Refusal, Refused, escape_controls, refuse
from mjscore.results import Reading, RefusedReading, RefusedSheet, ScoredSheet, ScoreSheet, Settlement
from mjscore.rulebook.binding import bind, rulebook_of
from mjscore.rulebook.entries import RULEBOOKS
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.checks import placed_hand
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.sheet import refused_sheet
from mjscore.settling.checks import two_winners
from mjscore.settling.payment import SeatResult
from mjscore.settling.settlement import result_of
from mjscore.settling.settlement import settle as settle_results
from mjscore.system import current_folder

if TYPE_CHECKING:
    from mjscore.counters.exchange import Exchange
    from mjscore.evenings import Evening
    from mjscore.scoring.waits import Waits

Result = TypeVar("Result")


def load_rulebook(name: str = "harr", options: Mapping[str, object] | None = None) -> Rulebook:
    """Return the rulebook *name* (shipped, or a TOML file) with *options*. Raises Refused, or TypeError.

    >>> mjscore.load_rulebook("babcock", {"limit": 600}).limit
    600
    """
    _check_types(name=name, options=options)
    return bind(name, options)


def rulebooks() -> tuple[Rulebook, ...]:
    """Return the shipped rulebooks; each lists its options in ``offered_options``.

    >>> [book.id for book in mjscore.rulebooks()]
    ['harr', 'harr-limit', 'babcock', 'babcock-chinese', 'bmja', 'dmjl']
    """
    return tuple(map(bind, RULEBOOKS))


def score(
    hand: str | Hand,
    rulebook: str | Rulebook = "harr",
    *,
    options: Mapping[str, object] | None = None,
    seat: str | None = None,
    round: str | None = None,
) -> ScoredSheet | RefusedSheet:
    """Return the score sheet of a hand: its items in points, its doubles, its final score in points.

    *seat* and *round* (``E S W N``) apply where the hand does not name them; both default to East. For a
    refused hand, the returned sheet has an ``error`` that says why. Raises TypeError for other types.

    >>> mjscore.score("(RRR) GGG 11b 22b 3f ...", "babcock", options={"limit": 600}, seat="S").score
    48
    """

    def sheet(hand: Hand, book: Rulebook) -> ScoredSheet | RefusedSheet:
        return ScoreSheet.of(score_hand(hand, book).sheet, book)

    def without(*refused: Any) -> ScoredSheet | RefusedSheet:
        return ScoreSheet.of(refused_sheet(*refused))

    return _answer(hand, rulebook, options, seat, round, sheet, without)


def waits(
    hand: str | Hand,
    rulebook: str | Rulebook = "harr",
    *,
    options: Mapping[str, object] | None = None,
    seat: str | None = None,
    round: str | None = None,
) -> Waits:
    """Return the tiles that would complete a hand of thirteen, each with its scores if drawn and if claimed.

    For fourteen tiles, return the waits that each discard would leave, best first; for a hand that does not
    wait, how many tiles away it is. For a refused hand, ``error`` says why. Raises TypeError for other types.

    >>> [(wait.tile, wait.drawn) for wait in mjscore.waits("(123c) (789c) 678c 45c 11c").waits]
    [(Tile('3c'), 176), (Tile('6c'), 176), (Tile('9c'), 176)]
    """
    from mjscore.scoring.waits import Waits, waits_for

    def without(refusal: Refusal, name: str, read: Hand | None) -> Waits:
        try:
            return waits_for(refusal, rulebook_of(rulebook, options), seat, round)
        except Refused as refused:
            return Waits(name, (), read, refused.refusal)

    return _answer(hand, rulebook, options, seat, round, waits_for, without)


def read(
    text: str,
    rulebook: str | Rulebook = "harr",
    *,
    options: Mapping[str, object] | None = None,
    seat: str | None = None,
    round: str | None = None,
    players: Mapping[str, str] | None = None,
) -> Reading | RefusedReading:
    """Read a hand as players type or say it; *players* maps winds to the names that the text may mention.

    Of two possible readings, the one that the rulebook accepts is taken; if it accepts both, ``error`` asks
    which is meant, and ``choices`` are the lines to choose from. Raises TypeError for other types.

    >>> seats = {"E": "Ann", "S": "Ben", "W": "Cid", "N": "Dee"}
    >>> mjscore.read("cid: 123b 444c eee 77d 67c won on 8c off ben", players=seats).hand
    <Hand W: 123b 444c 67c 77d EEEw <8c:S>
    >>> mjscore.read("123b 444c eee 77d 67c 8c").choices
    ('123b 444c EEE 77d 67c +8c', '123b 444c EEE 77d 67c <8c')
    """
    _check_types(**locals())
    from mjscore.play.offers import offered_lines
    from mjscore.record.lines import renamed
    from mjscore.scoring.waits import worth

    people = People(players or {})

    def reading_of(line: str) -> HandReading:
        return read_hand(line, people, lambda hand: worth(hand, book, seat, round))

    def is_read(line: str) -> bool:
        with suppress(Refused):
            return bool(reading_of(line))
        return False

    try:
        book = rulebook_of(rulebook, options)
        reading = reading_of(text)
    except Refused as refused:
        return RefusedReading(text, refused.refusal, offered_lines(refused.refusal, is_read))
    winds = {name: wind for wind, name in people.players.items()}
    read = reading.hand
    hand = read._replace(seat=winds.get(read.seat or "", read.seat), win=renamed(read.win, winds))
    return Reading(text, hand, reading.text if hand == read else str(hand), reading.remarks)


def evening(
    path: str | os.PathLike[str],
    rulebook: str = "harr",
    *,
    options: Mapping[str, object] | None = None,
) -> Evening:
    """Return the evening recorded in a file: standings, hands and payments, as in ``mjscore report``.

    *rulebook* and *options* apply if the file names none. Mistakes in the file are listed in ``refusals``.
    Raises Refused if the file cannot be read or has no hands to report or the rulebook is wrong; TypeError.

    >>> evening = mjscore.evening("samples/evening.mj")
    >>> [(standing.name, standing.total) for standing in evening.standings][:2]
    [('Ben', 2178), ('Dee', 1164)]
    """
    from mjscore.evenings import Evening
    from mjscore.record.context import Context
    from mjscore.record.statistics import check_played, read_evening

    _check_types(path=path, rulebook=rulebook, options=options)
    file, settings = os.fspath(path), tuple(bind(rulebook, options).settings.items())
    try:
        folder = current_folder() if rulebook.endswith(".toml") else ""
        evening = read_evening(file, Context(rulebook, settings, folder=folder))
    except (OSError, EOFError, ValueError) as error:
        if isinstance(error, Refused):
            raise
        reason = getattr(error, "strerror", None) or error
        raise refuse("unreadable", "damaged", path=escape_controls(file), reason=reason) from None
    check_played(evening, escape_controls(file))
    return Evening.of(evening)


def exchange(
    settlement: Settlement,
    counters: str = "harr",
    *,
    holdings: Mapping[str, Sequence[int]] | None = None,
    pair_by_pair: bool = False,
    bank: bool = False,
) -> Exchange:
    """Return the counters that change hands: as few as possible or, *pair_by_pair*, payment by payment.

    *counters* is ``harr``, ``babcock`` or a TOML file; *holdings*, if known, are how many of each kind each
    seat has, the most valuable first; with *bank*, a bank may give change. Raises Refused if *counters* or
    *holdings* are wrong or the settlement was refused, and TypeError.

    >>> settlement = mjscore.settle({"E": 480, "S": 64, "W": 272, "N": 16}, winner="E")
    >>> mjscore.exchange(settlement).lines()[0]
    'South hands East: 1 × 1000 (gold dot), 1 × 100 (one black dot), 2 × 10 (ten red dots)'
    """
    _check_types(**locals())
    from mjscore.counters.holdings import table_counters

    if settlement.error is not None:
        raise Refused(settlement.error)  # an empty exchange would look like an answer
    held = [f"{seat}={','.join(map(str, counts))}" for seat, counts in (holdings or {}).items()]
    return table_counters(counters, held, pair_by_pair, bank).settle(settlement)


def _answer(
    hand: str | Hand,
    rulebook: str | Rulebook,
    options: Mapping[str, object] | None,
    seat: str | None,
    round_wind: str | None,
    of_hand: Callable[[Hand, Rulebook], Result],
    without: Callable[[Refusal, str, Hand | None], Result],
) -> Result:
    """Return ``of_hand(hand, book)`` or, if anything is refused, ``without(refusal, book's id, hand)``."""
    _check_types(hand=hand, rulebook=rulebook, options=options, seat=seat, round=round_wind)
    name = rulebook if isinstance(rulebook, str) else rulebook.id
    read, reading = None if isinstance(hand, str) else hand, None
    try:
        book = rulebook_of(rulebook, options)
        name = book.id
        reading = _reading_of(hand)
        read = placed_hand(reading.hand, seat, round_wind)
        return of_hand(read, book)
    except Refused as refused:
        refusal = refused.refusal
        return without(refusal if reading is None else reading.placed(refusal), name, read)


def settle(
    hands: Mapping[str, int | str | Hand | None],
    winner: str | None = None,
    rulebook: str | Rulebook = "harr",
    *,
    options: Mapping[str, object] | None = None,
    discarder: str | None = None,
    drawn: bool | None = None,
    round: str | None = None,
    label: str | None = None,
) -> Settlement:
    """Return the settlement of a hand: who pays whom, in points.

    *hands* has each seat's score, its hand (text or parsed), or None for a dead hand. *winner* is the seat
    that won; it may be left out if one of the hands has a winning tile. *discarder* is the seat that
    discarded the winning tile, *drawn* says that this was drawn; both matter only under some rulebooks.
    *label* names the result. If anything is refused, ``error`` says why. Raises TypeError for other types.

    >>> mjscore.settle({"E": "RRR GGG 11b 22b 3f ...", "S": 0, "W": 20, "N": None}, winner="W").scores
    {'E': 64, 'S': 0, 'W': 20, 'N': 0}
    """
    _check_types(**locals())
    name = rulebook if isinstance(rulebook, str) else rulebook.id
    try:
        book = rulebook_of(rulebook, options)
        name = book.id
        results = {seat: _result(seat, given, book, round, drawn, discarder) for seat, given in hands.items()}
        held = {seat: result.hand for seat, result in results.items() if result.hand is not None}
        won = [seat for seat, hand in held.items() if hand.win is not None]
        who = WIND_NAMES.get(winner or "", winner)
        if winner in book.seat_numbers and won not in ([], [winner]):
            raise refuse("two-winners", "named", who=WIND_NAMES.get(won[0], won[0]), winner=who)
        if winner is None and len(won) > 1:
            raise Refused(two_winners(won))
        if winner in held and not won:
            raise refuse("no-winning-tile", winner=who)
        winner = won[0] if winner is None and won else winner
        settled = settle_results(results, winner, book, drawn=drawn, discarder=discarder)
        return Settlement.of(settled._replace(label=label), book)
    except Refused as refused:
        return Settlement(label, rulebook=name, error=refused.refusal)


def _reading_of(hand: str | Hand) -> HandReading:
    """Parse a hand; a Hand is formatted and parsed again, to be checked. Raises Refused, TypeError."""
    try:
        text = str(hand)
    except (TypeError, AttributeError, LookupError) as error:
        raise TypeError(f"hand must be as parse gives it: {error}") from None
    reading = parse_reading(text)
    return reading if isinstance(hand, str) else reading._replace(typed="")


# the types that an argument of each name may have
_KINDS: dict[str, tuple[type, ...]] = {
    "hand": (str, Hand),
    "hands": (Mapping,),
    "rulebook": (str, Rulebook),
    "options": (Mapping, NoneType),
    "players": (Mapping, NoneType),
    "holdings": (Mapping, NoneType),
    "settlement": (Settlement,),
    "path": (str, os.PathLike),
    **dict.fromkeys(("name", "text", "counters"), (str,)),
    **dict.fromkeys(("pair_by_pair", "bank"), (bool,)),
    "drawn": (bool, NoneType),
    **dict.fromkeys(("seat", "round", "winner", "discarder", "label"), (str, NoneType)),
}

_BY_SEAT = {"hands": (int, str, Hand, NoneType), "players": (str,), "holdings": (tuple, list)}


def _check_types(**arguments: Any) -> None:
    """Raise TypeError if an argument, or a value inside it, has the wrong type, or an option is too large."""
    for name, value in arguments.items():
        _check_type(name, value, *_KINDS[name])
    for name, kinds in _BY_SEAT.items():
        for seat, held in (arguments.get(name) or {}).items():
            _check_type(f"a seat of {name}", seat, str)
            _check_type(f"{name}[{seat!r}]", held, *kinds)
    for name, value in (arguments.get("options") or {}).items():
        _check_type("the name of an option", name, str)
        _check_type(f"options[{name!r}]", value, str, int, bool, NoneType)
        if isinstance(value, int) and abs(value) >= 10**15:
            raise TypeError(f"options[{name!r}] must be of 15 digits at the most")


def _check_type(what: str, value: object, *kinds: type) -> None:
    # True and False are not accepted as numbers, although Python's bool is an int
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        names = " or ".join("None" if kind is NoneType else kind.__name__ for kind in kinds)
        raise TypeError(f"{what} must be {names}, not {type(value).__name__}")


def _result(
    seat: str,
    score: int | str | Hand | None,
    book: Rulebook,
    round_wind: str | None,
    drawn: bool | None,
    discarder: str | None,
) -> SeatResult:
    if score is None or score == "dead":
        return SeatResult(0, 0, dead=True)
    who = WIND_NAMES.get(seat, seat)
    if isinstance(score, int):
        if abs(score) >= 10**15:
            raise refuse("huge-number", "seat", who=who)
        if score < 0:
            raise refuse("negative-score", who=who, points=score)
        return SeatResult(score)
    reading = None
    try:
        reading = _reading_of(score)
        hand = reading.hand
        if hand.seat not in (None, seat):
            raise refuse("seat-mismatch", other=WIND_NAMES.get(hand.seat or "", hand.seat), who=who)
        return result_of(_with_how_won(placed_hand(hand, seat, round_wind), drawn, discarder), book)
    except Refused as refused:
        refusal = refused.refusal if reading is None else reading.placed(refused.refusal)
        raise Refused(refusal._replace(seat=seat)) from None


def _with_how_won(hand: Hand, drawn: bool | None, discarder: str | None) -> Hand:
    """Return the hand, *discarder* added to a claimed win. Raises Refused if the win contradicts either."""
    win = hand.win
    if win is None or win.discarder not in (None, *WIND_NAMES):
        return hand
    from_whom = discarder is not None and (win.drawn or win.discarder not in (None, discarder))
    if from_whom or drawn not in (None, win.drawn):
        clause = f"{'+' if win.drawn else '<'}{win.tile}{f':{win.discarder}' if win.discarder else ''}"
        origin = f"came from {WIND_NAMES.get(discarder, discarder)}" if discarder is not None else ""
        origin = origin or f"was {'drawn' if drawn else 'claimed'}"
        raise refuse("won-otherwise", clause=clause, told=origin)
    return hand if win.drawn or discarder is None else hand._replace(win=win._replace(discarder=discarder))
