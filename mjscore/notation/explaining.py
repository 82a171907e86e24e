"""Explain why the strict notation refuses a hand: what is wrong with it, or what is loose about it and how it is read."""

from __future__ import annotations

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER
from mjscore.notation.building import Proposing, UnbracketedKong, Worth
from mjscore.notation.choosing import choose, line_of, meant_hand, with_states
from mjscore.notation.faults import fault_of, looseness, unread
from mjscore.notation.lexer import Lattice
from mjscore.notation.names import People
from mjscore.notation.speech import speech_parser
from mjscore.notation.tokens import flag_of
from mjscore.notation.ways import read_ways
from mjscore.refusal import Refusal, Refused

LONGEST_EXPLAINED = 1000  # characters; a hand has far fewer
# what only a count of the tiles tells is not put right without the rules, and comes after what is no notation
_COUNTED = ("too-many-tiles", "too-few-tiles")

EXAMPLE = "S@E: (222d) 123b 456b EE 7c8c +9c"


def explain(text: str, position: int | None) -> Refusal:
    """Give the refusal of *text*, which the strict grammar refused at *position*."""
    refusal, line = explained(text, position)
    return refusal if line is None else refusal._replace(hint=f"type {line}")


def recount(text: str, refusal: Refusal) -> Refusal:
    """Give the question about a four without brackets where that is why *text* has too many tiles, else *refusal*."""
    lattice = Lattice(text)
    try:
        ways = read_ways(speech_parser(), "hand", lattice)
        meant_hand(ways.read, lattice, None, (Refused(refusal),))
    except UnbracketedKong as kong:
        return kong.refusal
    except Refused:
        pass
    return refusal


def explained(text: str, position: int | None) -> tuple[Refusal, str | None]:
    """Give the refusal of *text*, and the strict line that may be typed instead where there is one."""
    lattice = Lattice(text)
    if len(text) > LONGEST_EXPLAINED:
        return unread(lattice, position or 0).refusal, None
    try:
        ways = read_ways(speech_parser(), "hand", lattice)
        fault = fault_of(ways, lattice)
        if fault is not None:
            return fault.refusal, None
        meant = meant_hand(ways.read, lattice, None)
    except Refused as refused:
        if refused.refusal.code in _COUNTED:
            unasked = next((typed for typed in ways.read if not typed.asked), None)
            if unasked is not None:
                return looseness(line_of(with_states(unasked)[0][1], lattice.people), lattice).refusal, None
        refusal = refused.refusal
        return refusal._replace(text=refusal.text or text), None
    refusal = looseness(meant.tokens, lattice).refusal
    flags = (*FLAG_CLAUSES, *FLAGS_OF_A_LOSER)
    named = [flag_of(token.value)[0] for token in meant.tokens if token.type == "FLAG"]
    if refusal.code == "unknown-flag" and not all(word in flags for word in named):
        return refusal._replace(hint=f"the flags are !{' !'.join(flags)}"), None
    return refusal, meant.text


def with_whole_line(refused: Refused, text: str, people: People, worth: Worth | None) -> Refused:
    """Give a refusal whose help names a whole line that would be read: *text* without what is wrong in it, if it can be
    read so, or else an example.
    """
    refusal = refused.refusal
    if isinstance(refused, Proposing):
        return refused
    for mended in _mended(refusal, text, people):
        try:
            chosen = choose(mended, False, (), people, worth)
        except Refused:
            continue
        if chosen is not None and (worth is None or worth(chosen.hand) is not None):
            hint = f"{refusal.hint}; so {chosen.text} would be read"
            return Proposing(refusal._replace(hint=hint), (chosen.text,))
    return Proposing(refusal._replace(hint=f"{refusal.hint}; a whole hand is {EXAMPLE}"), (EXAMPLE,))


def _mended(refusal: Refusal, text: str, people: People) -> list[str]:
    """Give the texts that a refused one may become by one small change where it is wrong."""
    start = (refusal.column or 1) - 1
    before, marked, after = text[:start], text[start : start + refusal.length], text[start + refusal.length :]
    if refusal.code == "missing-class":
        classes = ("b", "c", "d") if marked.isdecimal() else (" bamboo", " characters", " dots")
        return [f"{before}{marked}{letter} {after}" for letter in classes]
    if refusal.code in ("two-people", "unknown-player", "nobody-again"):
        return [f'{before}"{name}"{after}' for name in people.players.values()]
    if refusal.code == "no-such-seat":
        return [f"{before}{wind}{after}" for wind in "ESWN"] + [f"{before}{after}"]
    if refusal.code == "too-few-tiles":
        return [f"{text} ...", f"{text} dead"]
    return [f"{before} {after}"] if marked.strip() != text.strip() else []
