"""Where in a hand's text something stands that a later stage refused."""

from __future__ import annotations

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES, Tile
from mjscore.notation.hands import place_of_tile
from mjscore.refusal import Refusal


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
        and code in ("not-a-winning-hand", "may-not-win", "from-oneself", "no-thirteen-tiles")
    ):
        clause = max(text.rfind("+"), text.rfind("<"))
        if clause >= 0:
            end = text.find(" ", clause + 2)
            start, length = clause, (end if end > 0 else len(text)) - clause
    elif code == "no-west":
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
