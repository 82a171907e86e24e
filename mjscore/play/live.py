"""What is shown below a line while it is typed, and the completions of its last word.

Shown are the hand's tiles, their number, what the hand waits for and scores, and the first mistake. It is read at
every key by the function that reads it at Enter. A last word that may still become a known one is no mistake.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from mjscore.game.hand import FLAG_CLAUSES, FLAGS_OF_A_LOSER, Flag, Hand, quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.disambiguation import UnbracketedKong
from mjscore.notation.hands import LONGEST_HAND
from mjscore.notation.lexer import keyboard
from mjscore.notation.parses import read_ways
from mjscore.notation.reading import HandReading
from mjscore.page.tile_styles import render_tiles
from mjscore.play.actions import command_begun
from mjscore.play.commands import ANSWERS, COMMANDS, show_help
from mjscore.play.line_speech import AtTable, LineLattice, play_parser
from mjscore.play.reading import OF_SCORES, at_table, read_typed
from mjscore.play.remedies import RefusedLine
from mjscore.play.session import Session
from mjscore.play.typed_line import TypedLine, may_become
from mjscore.record.events import EVENTS
from mjscore.record.lines import renamed
from mjscore.refusal import Refusal, Refused, escape_controls
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.checks import placed_hand
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.waits import waiting_tiles

_MOST_HELP = 3  # lines of help on a command, or on a mistake
_NO_BREAK = "\N{NO-BREAK SPACE}"
ENTERED = "\n"  # appended to a finished line, whose last word is complete
_FLAG = re.compile(r"!(?P<word>[a-z-]*)\Z", re.IGNORECASE)
_ARGUMENT = re.compile(r'^(?P<command>[a-z]+)\s+(?P<word>"?[^\s":]*)$', re.IGNORECASE)
_FIRST = re.compile(r'^\s*(?P<word>"?[^\s":]*)$')
# what may be a phrase: the last word, or the last two or three
_LAST_WORDS = (
    re.compile(r'(?<![^\s:<>+])"?[^\W\d_]*$'),
    re.compile(r"(?<!\S)(?:[^\W\d_]+\s+){2}[^\W\d_]*$"),
    re.compile(r"(?<!\S)[^\W\d_]+\s+[^\W\d_]*$"),
)
_OF_NAMES = frozenset(("WHO", "DISCARDER", "WHOLE_NAME", "STRANGER", "HOLDER", "SITTER", "OWNER", "IS"))


class LiveView(NamedTuple):
    """The lines to show, each with its kind (``tiles``, ``state``, ``fault``, ``hint``).

    *refusal* is that of the first mistake.
    """

    lines: tuple[tuple[str, str], ...] = ()
    refusal: Refusal | None = None

    @property
    def fault(self) -> tuple[int, int] | None:
        """Return the start and end of the mistake in the typed text."""
        if self.refusal is None or self.refusal.column is None:
            return None
        return self.refusal.column - 1, self.refusal.column - 1 + self.refusal.length


def live(session: Session, text: str, width: int, tiles: str | None = None) -> LiveView:
    """Return what to show below *text* in lines of at most *width* columns; *tiles* is the style for tiles.

    If the text ends with ``ENTERED``, it is judged as a finished line.
    """
    lines: list[tuple[str, str]] = []
    refusal: Refusal | None = None
    for kind, part in _parts(session, text, width, tiles):
        if isinstance(part, Refusal):
            refusal = part
            fault, hint = (
                wrap(
                    escape_controls(words),
                    width,
                    subsequent_indent="  ",
                    max_lines=_MOST_HELP,
                    placeholder=" …",
                )
                for words in (part.message, part.hint)
            )
            lines += [*((kind, line) for line in fault), *(("hint", line) for line in hint)]
        else:
            wrapped = [part] if kind == "tiles" else wrap(part, width, subsequent_indent="  ")
            lines += [(kind, line.replace(_NO_BREAK, " ")) for line in wrapped]
    return LiveView(tuple(lines), refusal)


_Parts = Iterator[tuple[str, str | Refusal]]  # texts to show, each with its kind


def _parts(session: Session, text: str, width: int, tiles: str | None) -> _Parts:
    """Return what to show for a line: help on its command, or its hand and scores."""
    table = at_table(session)
    if not text.strip() or len(text) > LONGEST_HAND:
        return iter([("hint", _to_come(session, table, ()))])
    command = command_begun(keyboard(text).strip(), table)
    if command and not _is_event(session, text):
        usage = show_help(width, command) or show_help(width, "edit")  # an answer to an edit
        last = [f"{line.rpartition(' ')[0]} …" for line in usage[_MOST_HELP - 1 : _MOST_HELP]]
        shown = usage if len(usage) <= _MOST_HELP else usage[: _MOST_HELP - 1] + last
        return (("hint", line.strip()) for line in shown)
    return _of_line(session, table, text, width, tiles)


def _is_event(session: Session, text: str) -> bool:
    """Return whether a line tells a whole event, which is shown rather than its usage."""
    with contextlib.suppress(Refused):
        return text.split(" ")[0].casefold() in EVENTS and read_typed(text.strip(), session).event is not None
    return False


def _of_line(session: Session, table: AtTable, text: str, width: int, tiles: str | None) -> _Parts:
    try:
        typed = read_typed(text.removesuffix(ENTERED), session, text.endswith(ENTERED))
    except UnbracketedKong as kong:
        yield "hint", f"{kong.refusal.message}: you will be asked how it was made"
        return
    except Refused as refused:
        typed = TypedLine(fault=refused.refusal)
    if typed.event is not None:
        yield "hint", f"enter: {typed.event}"
    fault, scores = typed.fault, typed.rows
    if typed.reading is not None:
        # a hand with too many tiles is read as far as possible, and shown whole
        hand = fault.about if fault is not None and isinstance(fault.about, Hand) else typed.reading.hand
        scores, reading = scores[1:], typed.reading._replace(hand=hand)
        unscored = yield from _of_hand(session, table, typed.rows[0].name, reading, width, tiles)
        fault = fault if unscored is None or _may_become_flag(session, unscored, text) else unscored
    yield "state", " · ".join(f"{_who(row.name, table)} {str(row).partition(': ')[2]}" for row in scores)
    seats = [row.name for row in typed.rows if row.name]
    if fault is not None:
        yield _mistake(fault, text, table)
    elif seats and (scores or hand.win is not None or hand.dead or hand.tiles_over >= 0):
        yield "hint", _to_come(session, table, seats)


def _mistake(fault: Refusal, text: str, table: AtTable) -> tuple[str, str | Refusal]:
    """Return the kind of line to show and the mistake, or a hint if the line tells a hand in words."""
    if fault.code in OF_SCORES and RefusedLine(text, table).tells_of_a_hand:
        return "hint", "Enter reads all of it, or says what is not clear"
    return "fault", fault


def _of_hand(
    session: Session, table: AtTable, seat: str, reading: HandReading, width: int, tiles: str | None
) -> Generator[tuple[str, str], None, Refusal | None]:
    """Yield how many tiles a hand has, what it scores and waits for. Return its fault, if any."""
    state, hand, unscored = session.then.state, reading.hand, None
    if hand.tile_count or hand.bonus:
        faces = render_tiles(hand._replace(unlisted=False), tiles, width, table.seats)
        yield from (("tiles", line) for line in faces.split("\n"))
    count, won = 13 + hand.tiles_over, hand.win is not None
    words = [f"{count + won} of {13 + won} tiles"]
    if count <= 13:
        win = hand.win and renamed(hand.win, {name: wind for wind, name in table.seats.items()})
        placed = placed_hand(hand._replace(seat=seat or None, win=win), None, state.round_wind)
        try:
            score = score_hand(placed, state.book).sheet.score
            words.append(f"{score} points" if count == 13 else f"{score} points so far")
            if count == 13 and not won and not hand.dead:
                words.append(_waits(placed, state.book))
        except Refused as refused:
            unscored = reading.placed(refused.refusal)
    whose = _who(seat, table) if seat else f"whose? begin with {', '.join(table.untold).lower()}"
    # keep a figure together with its unit
    yield "state", f"{whose}: {' · '.join(word.replace(' ', _NO_BREAK, 3) for word in words)}"
    return unscored


def _waits(hand: Hand, book: Rulebook) -> str:
    waits = waiting_tiles(hand._replace(unlisted=False), book)
    if not waits:
        return "not waiting yet"
    scores = [score for wait in waits for score in (wait.drawn, wait.claimed) if score is not None]
    worth = " to ".join(map(str, sorted({min(scores), max(scores)})))
    return f"waits for {' '.join(str(wait.tile) for wait in waits)}, to score {worth}"


def _may_become_flag(session: Session, unscored: Refusal, text: str) -> bool:
    """Return whether a line ends with the beginning of a flag, for which *unscored* refuses it."""
    flag = unscored.about.word if isinstance(unscored.about, Flag) else " "
    return text.endswith(flag) and any(known.startswith(flag) for known in _flags(session))


def _flags(session: Session) -> tuple[str, ...]:
    return (*FLAG_CLAUSES, *FLAGS_OF_A_LOSER, *session.evening.state.book.flags)


def _to_come(session: Session, table: AtTable, seats: Sequence[str]) -> str:
    """Return text on whose rows are still missing, apart from those of *seats*, or on what to type in an edit."""
    left = [wind for wind in table.missing if wind not in seats]
    if session.proposal is not None:
        return f"write it? {session.proposal.answers}"
    if session.draft is not None:
        return "type the corrected line; drop leaves it as it was"
    if not left:
        return "this line settles the hand" if seats else "type the corrected line"
    return f"to come: {', '.join(_who(wind, table) for wind in left)}"


def _who(wind: str, table: AtTable) -> str:
    name = table.seats.get(wind, "")  # nobody may sit there
    return f"{WIND_NAMES[wind]} {escape_controls(name)}".rstrip()


def completions(session: Session, before: str) -> tuple[str, list[str]]:
    """Return the word begun at the end of *before*, and its completions: names, words, commands, flags, signs."""
    table = at_table(session)
    names = [quote_name(name) for name in table.people.players.values()]
    first = [*(f"{name}:" for name in names), *COMMANDS, *(ANSWERS if session.draft is not None else ())]
    behind = _ARGUMENT.match(before)
    command = COMMANDS.get(behind["command"].casefold()) if behind else None
    known = command.takes.known(session) if command is not None and command.takes is not None else ()
    for pattern, words in ((_FLAG, _flags(session)), (_ARGUMENT, tuple(known)), (_FIRST, first)):
        match = pattern.search(before)
        if match and words:
            return match["word"], _beginning_so(match["word"], dict.fromkeys(words))
    for begun in filter(None, (last.search(before) for last in _LAST_WORDS)):
        lattice = LineLattice(before[: begun.start()], table)
        with contextlib.suppress(Refused):  # nothing can follow what cannot be read
            ways = read_ways(play_parser(), "line", lattice)
            expected = ways.expected if ways.furthest == lattice.end else frozenset()
            if expected and expected <= _OF_NAMES:
                return begun[0], _beginning_so(begun[0], names)
            fitting = may_become(begun[0], expected, table) if begun[0].strip('"') else []
            if fitting:
                players = table.seats.values()
                return begun[0], [
                    quote_name(word) if word in players else word for word in sorted(fitting, key=len)
                ]
    return "", []


def _beginning_so(typed: str, words: Iterable[str]) -> list[str]:
    beginning = typed.strip('"').casefold()
    return [word for word in words if word.strip('"').casefold().startswith(beginning)]
