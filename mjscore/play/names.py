"""Players' names in place of winds, in a line as it was written: the rest of the line stays as it is.

What is stored names players, since a mended hand may move the winds of those that follow.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mjscore.game.hand import quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.refusal import Refusal, visible

_ASIDE = r'(?P<aside>"[^"\n]*"|\#.*)'  # a wind in a label or a comment is none
_SEAT_LABEL = re.compile(r"(?P<before>[ \t]*)(?P<wind>[ESWN])(?:@[ESWN])?(?=[ \t]*:)")
_IN_HAND = re.compile(
    _ASIDE
    + r"""|(?P<before><[ \t]*[^\s:"\#!<+]+[ \t]*:[ \t]*|!(?:earlier|allfrom)[ \t]*:[ \t]*|\bfrom[ \t]+)"""
    + r"(?P<wind>[ESWN])(?![^\s!\#])"
)
_IN_EVENT = re.compile(r"\A(?P<before>(?:wash|false|long|pay)[ \t]+)(?P<wind>[ESWN])(?=[\s:]|$)")
_PENALTY = re.compile(r'penalty[ \t]+(?:"[^"\n]*"|\S+)')
_IN_PENALTY = re.compile(_ASIDE + r"|(?P<before>[ \t])(?P<wind>[ESWN])(?!\S)")
_PAYEE = re.compile(r'\A(?P<before>pay[ \t]+(?:"[^"\n]*"|\S+)[ \t]+)(?P<wind>[ESWN])(?=[ \t])')
_IN_PAYS = re.compile(_ASIDE + r"|(?P<before>[ \t])(?P<wind>[ESWN])(?=[ \t]+[+\-−]?[0-9])")
_IN_WORDS = re.compile(r"\b(?P<name>East|South|West|North)\b(?! (?:wind|round))")
_LABEL_IN_WORDS = re.compile(r"(?:(?<=\btype )|(?<=\bor ))[ESWN](?=: )")
_NOTE = re.compile(r"[ \t]*note\b(?![ \t]*:)")
_PAYS = re.compile(r"[ \t]*pays\b(?![ \t]*:)")


def with_names(line: str, seats: Mapping[str, str]) -> str:
    """A row, a typed line or the head of an event with the player who sits there for each wind."""

    def named(match: re.Match[str]) -> str:
        if match["wind"] not in seats:  # nor is what a label or a comment says
            return match.group()
        return f"{match['before']}{quote_name(seats[match['wind']])}"

    if _NOTE.match(line):
        return line
    if _PAYS.match(line):
        return _IN_PAYS.sub(named, line)
    penalty = _PENALTY.match(line)
    if penalty:
        return penalty[0] + _IN_PENALTY.sub(named, line[penalty.end() :])
    if _IN_EVENT.match(line) or _PAYEE.match(line):
        return _PAYEE.sub(named, _IN_EVENT.sub(named, line))
    label = _SEAT_LABEL.match(line)
    # a name in quotes could not be followed by the round, which the hand's head tells anyway
    start = named(label) if label else ""
    return start + _IN_HAND.sub(named, line[label.end() if label else 0 :])


def told_in_names(refusal: Refusal, seats: Mapping[str, str]) -> Refusal:
    """A refusal that speaks of the players of an evening, not of the winds where they sit."""
    players = {WIND_NAMES[wind]: visible(name) for wind, name in seats.items() if wind in WIND_NAMES}
    if not players.keys().isdisjoint(players.values()):
        return refusal  # a player is called East: who is meant would not be clear
    message = _IN_WORDS.sub(lambda match: players.get(match["name"], match["name"]), refusal.message)
    hint = _LABEL_IN_WORDS.sub(
        lambda match: visible(quote_name(seats.get(match.group(), match.group()))), refusal.hint
    )
    return refusal._replace(message=message, hint=hint)
