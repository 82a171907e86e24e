"""Complete a line that is being typed: what may stand next, as the driver that reads it says."""

from __future__ import annotations

import re

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER, quote_name
from mjscore.notation.ways import read_ways
from mjscore.play.score_lines import AtTable, LineLattice, play_parser
from mjscore.play.session import Session
from mjscore.play.table import at_table
from mjscore.play.typing import COMMANDS, may_become
from mjscore.refusal import Refused

_FLAG = re.compile(r"!(?P<word>[a-z-]*)\Z", re.IGNORECASE)
_MARK = re.compile(r"^(?:edit|show)\s+(?P<word>\w*)$", re.IGNORECASE)
_POOL = re.compile(r'^pool\s+(?P<word>"?[^\s":]*)$', re.IGNORECASE)
_FIRST = re.compile(r'^\s*(?P<word>"?[^\s":]*)$')
# what may be a phrase: the last word, three words, two
_LAST_WORDS = (
    re.compile(r'(?<![^\s:<>+])"?[^\W\d_]*$'),
    re.compile(r"(?<!\S)(?:[^\W\d_]+\s+){2}[^\W\d_]*$"),
    re.compile(r"(?<!\S)[^\W\d_]+\s+[^\W\d_]*$"),
)
_OF_NAMES = frozenset(("WHO", "WHOLE_NAME", "STRANGER", "HOLDER", "SITTER", "OWNER"))


def completions(session: Session, before: str) -> tuple[str, list[str]]:
    """Give the word begun at the end of *before*, and what it may become: names, words, commands, flags, marks of hands."""
    table = at_table(session)
    names = [quote_name(name) for name in table.people.players.values()]
    first = [*(f"{name}:" for name in names), *COMMANDS]
    if session.draft is not None:
        first += ["yes", "keep", "no"]
    flags = [*FLAG_CLAUSES, *FLAGS_OF_A_LOSER, *session.evening.book.flags]
    marks = [entry.mark for entry in session.evening.entries]
    for pattern, words in ((_FLAG, flags), (_MARK, marks), (_POOL, names), (_FIRST, first)):
        match = pattern.search(before)
        if match:
            said = match["word"].strip('"').casefold()
            fitting = [word for word in dict.fromkeys(words) if word.strip('"').casefold().startswith(said)]
            return match["word"], fitting
    for last in _LAST_WORDS:
        begun = last.search(before)
        if begun is None:
            continue
        expected = _expected(before[: begun.start()], table)
        said = begun[0].strip('"').casefold()
        if expected and expected <= _OF_NAMES:
            return begun[0], [name for name in names if name.strip('"').casefold().startswith(said)]
        fitting = may_become(said, expected, table) if said else []
        if fitting:
            known = set(table.seats.values())
            return begun[0], [
                quote_name(word) if word in known else word for word in sorted(fitting, key=len)
            ]
    return "", []


def _expected(text: str, table: AtTable) -> frozenset[str]:
    """Give the kinds of pieces that may stand behind *text*; none where it cannot be read."""
    lattice = LineLattice(text, table)
    try:
        ways = read_ways(play_parser(), "line", lattice)
    except Refused:
        return frozenset()
    return ways.expected if ways.furthest == lattice.end else frozenset()
