"""Text in, value out: what Python programs call. The package itself gives these names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.hands import parse as parse
from mjscore.notation.hands import parse_reading
from mjscore.notation.reading import Reading
from mjscore.refusal import Refusal, Refused, refuse
from mjscore.rulebook.binding import bind, rulebook_of
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.checks import placed_hand
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.sheet import ScoreSheet, refused_sheet
from mjscore.settling.checks import two_winners
from mjscore.settling.payment import SeatResult
from mjscore.settling.settlement import Frozen, Settlement, result_of
from mjscore.settling.settlement import settle as settle_results

if TYPE_CHECKING:
    from mjscore.scoring.waits import Waits

Told = TypeVar("Told")


def load_rulebook(name: str = "harr", options: Mapping[str, object] | None = None) -> Rulebook:
    """Load the rulebook *name* (one of those shipped, or a TOML file) under *options*. Raises Refused, TypeError."""
    _check_types(name=name, options=options)
    return bind(name, options)


def score(
    hand: str | Hand,
    rulebook: str | Rulebook = "harr",
    *,
    options: Mapping[str, object] | None = None,
    seat: str | None = None,
    round: str | None = None,
) -> ScoreSheet:
    """Score a hand: its items in points, its doubles, its final score in points.

    *seat* and *round* (``E S W N``) hold where the hand does not say; East is the default of both.
    A hand that is refused gives a sheet whose ``error`` says why. Raises TypeError for values of other types.
    """
    return _told(
        hand, rulebook, options, seat, round, lambda hand, book: score_hand(hand, book).sheet, refused_sheet
    )


def waits(
    hand: str | Hand,
    rulebook: str | Rulebook = "harr",
    *,
    options: Mapping[str, object] | None = None,
    seat: str | None = None,
    round: str | None = None,
) -> Waits:
    """Return the tiles that would complete a hand of thirteen, each with its scores, drawn and claimed; what a hand of fourteen
    can discard, the best first; how near one is that waits for nothing.

    The ``error`` of a hand that is refused says why. Raises TypeError for values of other types.
    """
    from mjscore.scoring.waits import Waits, waits_for

    def refuse_to(refusal: Refusal, name: str, read: Hand | None) -> Waits:
        try:
            return waits_for(refusal, rulebook_of(rulebook, options), seat, round)
        except Refused as refused:
            return Waits(name, (), read, refused.refusal)

    return _told(hand, rulebook, options, seat, round, waits_for, refuse_to)


def _told(
    hand: str | Hand,
    rulebook: str | Rulebook,
    options: Mapping[str, object] | None,
    seat: str | None,
    round_wind: str | None,
    tell: Callable[[Hand, Rulebook], Told],
    refuse_to: Callable[[Refusal, str, Hand | None], Told],
) -> Told:
    """Return what *tell* says of a hand at its place, or *refuse_to* if it is refused. Raises TypeError."""
    _check_types(hand=hand, rulebook=rulebook, options=options, seat=seat, round=round_wind)
    name = rulebook if isinstance(rulebook, str) else rulebook.id
    read, reading = None if isinstance(hand, str) else hand, None
    try:
        book = rulebook_of(rulebook, options)
        name = book.id
        reading = _reading_of(hand)
        read = placed_hand(reading.hand, seat, round_wind)
        return tell(read, book)
    except Refused as refused:
        refusal = refused.refusal
        return refuse_to(refusal if reading is None else reading.placed(refusal), name, read)


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
    """Settle a hand: who pays whom, in points.

    *hands* gives each seat's score, its hand (text or parsed), or None for a dead hand. *winner* is the
    seat that won (told by the hand with a winning tile where there is one); *discarder* who discarded
    the winning tile, *drawn* that it was drawn, where the rulebook asks. The nets sum to zero. A table
    that is refused gives a settlement whose ``error`` says why. Raises TypeError for values of other types.
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
        scores, net, sheets = Frozen(settled.scores), Frozen(settled.net), Frozen(settled.sheets)
        return settled._replace(label=label, scores=scores, net=net, sheets=sheets)
    except Refused as refused:
        return Settlement(label, rulebook=name, error=refused.refusal)


def _reading_of(given: str | Hand) -> Reading:
    """Read a hand; one that a program has put together goes by what it says in the notation. Raises Refused, TypeError."""
    try:
        text = str(given)
    except (TypeError, AttributeError, LookupError) as error:
        raise TypeError(f"hand must be as parse gives it: {error}") from None
    reading = parse_reading(text)
    return reading if isinstance(given, str) else reading._replace(typed="")


# what an argument of each name may be
_KINDS: dict[str, tuple[type, ...]] = {
    "hand": (str, Hand),
    "hands": (Mapping,),
    "rulebook": (str, Rulebook),
    "options": (Mapping, NoneType),
    "name": (str,),
    "drawn": (bool, NoneType),
    **dict.fromkeys(("seat", "round", "winner", "discarder", "label"), (str, NoneType)),
}


def _check_types(**given: Any) -> None:
    """Raise TypeError for an argument, or something in it, that is of another type than it may be."""
    for name, value in given.items():
        _check_type(name, value, *_KINDS[name])
    for seat, hand in given.get("hands", {}).items():
        _check_type("a seat of hands", seat, str)
        _check_type(f"hands[{seat!r}]", hand, int, str, Hand, NoneType)
    for name, value in (given.get("options") or {}).items():
        _check_type("the name of an option", name, str)
        _check_type(f"options[{name!r}]", value, str, int, bool, NoneType)
        if isinstance(value, int) and abs(value) >= 10**15:
            raise TypeError(f"options[{name!r}] must be of 15 digits at the most")


def _check_type(what: str, given: object, *kinds: type) -> None:
    # what is on or off is no number, whatever Python says
    if not isinstance(given, kinds) or (isinstance(given, bool) and bool not in kinds):
        names = " or ".join("None" if kind is NoneType else kind.__name__ for kind in kinds)
        raise TypeError(f"{what} must be {names}, not {type(given).__name__}")


def _result(
    seat: str,
    given: int | str | Hand | None,
    book: Rulebook,
    round_wind: str | None,
    drawn: bool | None,
    discarder: str | None,
) -> SeatResult:
    if given is None or given == "dead":
        return SeatResult(0, 0, dead=True)
    who = WIND_NAMES.get(seat, seat)
    if isinstance(given, int):
        if abs(given) >= 10**15:
            raise refuse("huge-number", "seat", who=who)
        if given < 0:
            raise refuse("negative-score", who=who, points=given)
        return SeatResult(given)
    reading = None
    try:
        reading = _reading_of(given)
        hand = reading.hand
        if hand.seat not in (None, seat):
            raise refuse("seat-mismatch", other=WIND_NAMES.get(hand.seat or "", hand.seat), who=who)
        return result_of(_won_as_told(placed_hand(hand, seat, round_wind), drawn, discarder), book)
    except Refused as refused:
        refusal = refused.refusal if reading is None else reading.placed(refused.refusal)
        raise Refused(refusal._replace(seat=seat)) from None


def _won_as_told(hand: Hand, drawn: bool | None, discarder: str | None) -> Hand:
    """Join a hand with what is told beside it of its winning tile. Raises Refused where it says otherwise itself."""
    win = hand.win
    if win is None or win.discarder not in (None, *WIND_NAMES):
        return hand
    from_whom = discarder is not None and (win.drawn or win.discarder not in (None, discarder))
    if from_whom or drawn not in (None, win.drawn):
        clause = f"{'+' if win.drawn else '<'}{win.tile}{f':{win.discarder}' if win.discarder else ''}"
        told = f"came from {WIND_NAMES.get(discarder, discarder)}" if discarder is not None else ""
        told = told or f"was {'drawn' if drawn else 'claimed'}"
        raise refuse("won-otherwise", clause=clause, told=told)
    return hand if win.drawn or discarder is None else hand._replace(win=win._replace(discarder=discarder))
