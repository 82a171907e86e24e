"""Players' names in place of winds, in what is said to people at the table."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mjscore.game.hand import quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.refusal import Refusal, visible

_IN_WORDS = re.compile(r"\b(?P<name>East|South|West|North)\b(?! (?:wind|round))")
_LABEL_IN_WORDS = re.compile(r"(?:(?<=\btype )|(?<=\bor ))[ESWN](?=: )")


def told_in_names(refusal: Refusal, seats: Mapping[str, str]) -> Refusal:
    """Give a refusal that speaks of the players of an evening, not of the winds where they sit."""
    players = {WIND_NAMES[wind]: visible(name) for wind, name in seats.items() if wind in WIND_NAMES}
    if not players.keys().isdisjoint(players.values()):
        return refusal  # a player is called East: who is meant would not be clear
    message = _IN_WORDS.sub(lambda match: players.get(match["name"], match["name"]), refusal.message)
    hint = _LABEL_IN_WORDS.sub(
        lambda match: visible(quote_name(seats.get(match.group(), match.group()))), refusal.hint
    )
    return refusal._replace(message=message, hint=hint)
