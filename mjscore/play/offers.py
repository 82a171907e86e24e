"""What may stand next in a line that is being typed: names, commands, flags, marks of hands."""

from __future__ import annotations

import re

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER, quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.play.session import Session
from mjscore.play.typing import COMMANDS

_FLAG = re.compile(r"!(?P<word>[a-z-]*)\Z", re.IGNORECASE)
_PLAYER = re.compile(
    r'(?:[<>+][^\s<>+:]+:|\bfrom\s+|!\w+:|^(?:wash|false|long|pool|pay(?:\s+\S+)?|penalty(?:\s+\S+)+)\s+)(?P<word>"?[^\s":]*)$',
    re.IGNORECASE,
)
_MARK = re.compile(r"^(?:edit|show)\s+(?P<word>\w*)$", re.IGNORECASE)
_FIRST = re.compile(r'^\s*(?P<word>"?[^\s":]*)$')


def offers(session: Session, before: str) -> tuple[str, list[str]]:
    """The word begun at the end of *before*, and the words that it may become."""
    seats = session.seats
    names = [quote_name(name) for wind, name in seats.items() if wind in WIND_NAMES]
    flags = [*FLAG_CLAUSES, *FLAGS_OF_A_LOSER, *session.evening.book.flags]
    marks = [entry.mark for entry in session.evening.entries]
    first = [*(f"{name}:" for name in names), *COMMANDS]
    if session.draft is not None:
        first += ["yes", "keep", "no"]
    for pattern, words in ((_FLAG, flags), (_PLAYER, names), (_MARK, marks), (_FIRST, first)):
        match = pattern.search(before)
        if match:
            said = match["word"].strip('"').casefold()
            fitting = [word for word in dict.fromkeys(words) if word.strip('"').casefold().startswith(said)]
            return match["word"], fitting
    return "", []
