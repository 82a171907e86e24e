"""From what a user hands over (text or hand, name or rulebook) to a score sheet."""

from __future__ import annotations

from collections.abc import Mapping

from mjscore.hand import Hand
from mjscore.notation import parse, place_of_tile
from mjscore.refusal import Refusal, Refused
from mjscore.rulebook import Rulebook, bind
from mjscore.sheet import ScoreSheet, placed_hand, refused_sheet, score_hand
from mjscore.tiles import WIND_NAMES


def rulebook_of(rulebook: str | Rulebook, options: Mapping[str, object] | None) -> Rulebook:
    """The rulebook itself; options are for one given by name. Raises Refused."""
    if isinstance(rulebook, Rulebook):
        if options:
            return Rulebook(rulebook.text, {**rulebook.options, **bind_options(rulebook, options)})
        return rulebook
    return bind(rulebook, options)


def bind_options(rulebook: Rulebook, options: Mapping[str, object]) -> Mapping[str, bool | int | str | None]:
    """*options* as values of a rulebook's options. Raises Refused."""
    from mjscore.rulebook_text import settled_options

    settled = settled_options(rulebook.text, options)
    return {name: settled[name] for name in options}


def score_text(
    hand: str | Hand,
    rulebook: str | Rulebook,
    options: Mapping[str, object] | None = None,
    seat: str | None = None,
    round_wind: str | None = None,
) -> ScoreSheet:
    """The score sheet of a hand, parsed or not; a refusal is in the sheet."""
    name = rulebook if isinstance(rulebook, str) else rulebook.id
    text = hand if isinstance(hand, str) else ""
    parsed: Hand | None = None if isinstance(hand, str) else hand
    try:
        book = rulebook_of(rulebook, options)
        name = book.id
        parsed = placed_hand(parse(hand) if isinstance(hand, str) else hand, seat, round_wind)
        return score_hand(parsed, book)
    except Refused as refused:
        return refused_sheet(located(refused.refusal, text, parsed), name, parsed)


def located(refusal: Refusal, text: str, hand: Hand | None) -> Refusal:
    """A refusal of the scorer with the place in the hand's *text* that it is about."""
    if not text or refusal.column is not None or refusal.file:
        return refusal
    start, length = 0, max(1, len(text))
    code = refusal.code
    flags = {
        "original-not-east": "!original",
        "earth-by-east": "!earth",
        "ninth-not-east": "!ninth",
        "loose-without-four": "!loose",
        "robbed-held": "!robbed",
    }
    mark = flags.get(code)
    if code == "dealt-with-sets":
        mark = refusal.message.partition(":")[0]
    if mark and mark in text:
        start, length = text.rindex(mark), len(mark)
    elif (
        hand is not None
        and hand.win is not None
        and code in ("not-a-winning-hand", "too-few-doubles", "from-oneself", "no-thirteen-tiles")
    ):
        clause = max(text.rfind("+"), text.rfind("<"))
        if clause >= 0:
            end = text.find(" ", clause + 2)
            start, length = clause, (end if end > 0 else len(text)) - clause
    elif code == "no-west":
        from mjscore.tiles import Tile

        start, length = place_of_tile(Tile.parse("Ww"), text)
    elif code == "no-such-seat" and ":" in text:
        start, length = _place_of_seat(refusal, text, hand)
    return refusal._replace(line=refusal.line or 1, column=start + 1, length=max(1, length), text=text)


def _place_of_seat(refusal: Refusal, text: str, hand: Hand | None) -> tuple[int, int]:
    """Where the seat stands that nobody has: in the win clause, a flag, or before the hand."""
    win = hand.win if hand is not None else None
    if hand is not None and win is not None:
        for name, mark in ((win.discarder, "<"), (win.earlier, "!earlier"), (win.all_from, "!allfrom")):
            if name and name != hand.seat and WIND_NAMES.get(name, repr(name)) in refusal.message:
                start = text.rindex(mark)
                end = text.find("!", start + 1)
                return start, len(text[start : end if end > 0 else None].rstrip())
    return 0, text.index(":")
