"""What a line about a hand, an event or the seats means at the table of a session; refused lines with what to type instead."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Sequence
from functools import partial

from mjscore.game.hand import Hand
from mjscore.notation.disambiguation import UnbracketedKong, choose, mended, without_fault
from mjscore.notation.lexer import Lattice
from mjscore.play.actions import action_of, who_rests
from mjscore.play.changes import Action
from mjscore.play.evening import comment_of
from mjscore.play.line_speech import AtTable
from mjscore.play.remedies import RefusedLine, remedied
from mjscore.play.session import Session
from mjscore.play.typed_line import TypedLine, read_line
from mjscore.record.events import EVENTS
from mjscore.record.lines import renamed
from mjscore.refusal import Place, Refusal, Refused, escape_controls, refuse, tried
from mjscore.scoring.waits import worth
from mjscore.settling.payment import SITTER_OUT

OF_SCORES = ("bad-line", "no-seat-line")  # codes of refusals of lines of scores
# refusals of lines taken for hands
_OF_A_TILE = ("missing-class", "two-meanings", "ambiguous-w", "unknown-character")
# refusals that need no suggestions
_SURE = ("sits-out", "huge-number", "no-limit", "nobody-rests", "nobody-again")


def read_action(line: str, session: Session) -> Action:
    """Return the action of a line about a hand, an event or the seats, with players in place of winds.

    Raises Refused for other lines, with lines to type instead if any can be found.
    """
    try:
        typed = read_typed(line, session)
    except UnbracketedKong:
        raise  # a question, whose lines are its answers
    except Refused as refused:
        if refused.refusal.code == "long-line":
            raise  # too long to look for suggestions
        setting = re.match(r"\s*set\s+([\w-]+)\s+(\S+)", line, re.IGNORECASE)
        if setting and setting[1].casefold() in session.evening.state.book.options:
            at = Place(line, *setting.span())
            raise refuse(
                "bad-line", "setting", at=at, option=setting[1].casefold(), value=escape_controls(setting[2])
            ) from None
        if (each := _one_each(line, session, refused.refusal.lines)) is not None:
            raise each from None
        raise _remedied(tried(refused.refusal, partial(read_typed, session=session)), line, session) from None
    records = (typed.event,) if typed.event is not None else typed.rows
    named = tuple(renamed(record, session.seats) for record in records)
    return Action("event" if typed.event is not None else "rows", line, named, comment_of(line), typed.strict)


def _one_each(line: str, session: Session, lines: Sequence[str]) -> Refused | None:
    """Return the refusal of a line with tiles of several players, offering a line for each; None for other lines.

    A line is of one hand if its possible *lines* have every later player as the discarder. A part that is not read is
    offered as its remedy, if others tell tiles of two players.
    """
    names = "|".join(re.escape(word) for name in session.seats.values() for word in (name, *name.split()))
    parts = re.split(
        rf"(?<!\s)(?:\s*[,;.]\s*(?:and\s+)?|\s+and\s+)(?=(?:{names})\b)", line, flags=re.IGNORECASE
    )
    parts = list(filter(str.strip, parts))  # without one before the first name
    name = re.compile(rf"(?:{names})", re.IGNORECASE)
    for at in reversed([at for at, part in enumerate(parts[:-1]) if name.fullmatch(part.strip())]):
        parts[at : at + 2] = [f"{parts[at]} and {parts[at + 1]}"]  # Ben and Eve have nothing, Dee ...
    threw = tuple(name.casefold() for one in lines for name in re.findall(r'<\w+:"?([^"!]+)', one))
    named = set(re.findall(rf"\b(?:{names})\b", line.casefold(), flags=re.IGNORECASE))
    of_one = threw and all(part.casefold().startswith(threw) for part in parts[1:])
    told = [] if len(parts) < 2 or len(named) < 2 or of_one else _told_by_parts(parts, session)
    if not told:
        return None
    shown = ", then ".join(map(escape_controls, told))
    refusal = refuse("bad-line", "each", at=Place(line, 0, len(line)), lines=shown).refusal
    return Refused(refusal._replace(lines=tuple(told)), "each")


def _told_by_parts(parts: Sequence[str], session: Session) -> list[str]:
    """Return a line for each part; none if they do not tell the tiles of several players."""
    told, holders, has_tiles, unsure = list[str](), set[str](), False, False
    for part in parts:
        try:
            told.append(_meant(part, session))
            holders |= {told[-1].partition(":")[0]} if ":" in told[-1] else set()
        except Refused as refused:
            asks = bool(refused.refusal.lines[1:] or refused.refusal.answers)
            remedied = () if asks else _remedied(refused.refusal, part, session).refusal.lines
            if not (asks or len(remedied) == 1):
                return []
            told += remedied or (part,)  # it is asked about in its turn
            unsure |= not asks
            has_tiles |= isinstance(refused, UnbracketedKong) or ":" in "".join(refused.refusal.lines)
    is_read = any(one not in parts for one in told)  # in other words: some part at least
    return told if is_read and (has_tiles or holders) and not (unsure and len(holders) < 2) else []


def _remedied(refusal: Refusal, line: str, session: Session) -> Refused:
    """Return a refusal with lines to type instead, if any can be found."""
    told = RefusedLine(line, at_table(session))
    if told.tells_of_a_hand:
        return Refused(_of_a_hand(refusal, line, session))
    if told.is_of_scores and ":" in "".join(refusal.lines):
        refusal = refusal._replace(lines=(), answers=(), hint=refusal.otherwise or refusal.hint)
    offers = refusal.lines or (refusal.answers and refusal.text)
    if refusal.code == "passed-over":  # a hand is offered only if the line can be nothing else
        found = remedied(refusal, told, partial(_meant, session=session))
        return found if found.refusal.lines or found.kind == "swap" else Refused(refusal)
    if (offers and refusal.code not in _OF_A_TILE) or refusal.code in _SURE or line.strip() in EVENTS:
        return Refused(refusal)
    return remedied(refusal, told, partial(_meant, session=session))


def _of_a_hand(refusal: Refusal, line: str, session: Session) -> Refusal:
    """Return the refusal of a line taken for a hand, offering the line without its fault if that can be read."""
    if refusal.code in OF_SCORES:
        table = at_table(session)
        lattice = Lattice(line, table.people)
        try:
            choose(lattice, table.worth)
        except Refused as refused:
            unread = mended(refused.refusal, lattice, table.worth)
            refusal = tried(unread, partial(read_typed, session=session))
    behind = line[(refusal.column or 1) - 1 :]
    # the words before a seat's colon, and the colon, say whose hand it is
    left = "" if refusal.lines or ":" in behind.partition("<")[0] else without_fault(refusal, line)
    with contextlib.suppress(Refused):
        typed = read_typed(left, session)
        if left and typed.reading is not None:
            first, *others = typed.lines
            said = ", ".join([first, *(row.replace(":", "", 1) for row in others)])
            hint = f"{refusal.hint}; without it, {said} would be read"
            return refusal._replace(hint=hint, lines=(said,), otherwise=refusal.hint)
    return refusal


def _meant(line: str, session: Session) -> str:
    """Return text for what a line asks for, the same for lines that ask for the same. Raises Refused."""
    action = action_of(line, session.seats, session.draft is not None)
    if action.kind not in ("rows", "event"):
        return line.strip()
    typed = read_typed(line, session)
    rows = tuple(renamed(row, session.seats) for row in typed.rows)
    event = renamed(typed.event, session.seats) if typed.event is not None else None
    first, *others = typed._replace(rows=rows, event=event).lines
    in_scores = int(typed.reading is None and event is None)
    return ", ".join([first.replace(":", "", in_scores), *(row.replace(":", "", 1) for row in others)])


def read_typed(line: str, session: Session, whole: bool = True) -> TypedLine:
    """Return the meaning of a line at the table of a session, as ``read_line`` does. Raises Refused."""
    return read_line(line, at_table(session), whole)


def at_table(session: Session) -> AtTable:
    """Return what the meaning of a line depends on in a session: seats, missing rows, last discarder, rules' scores."""
    evening = session.then
    missing = list(evening.missing)

    def worth_here(hand: Hand) -> int | None:
        if hand.seat is None and len(missing) != 1:
            return None  # nobody's hand: other readings may give it to a player
        return worth(hand, evening.state.book, None, evening.state.round_wind)

    won = next((entry for entry in reversed(evening.played) if entry.kind == "hand"), None)
    again = won.state.seats.get(won.settlement.discarder or "") if won is not None else None
    state, limit, friends = evening.state, evening.state.book.limit, evening.position.points
    sits_out, rests = state.seats.get(SITTER_OUT), who_rests(evening)
    return AtTable(
        evening.playing, missing, again, worth_here, sits_out, limit, friends, rests, state.round_wind
    )


def one_line(records: Iterable[object]) -> str:
    """Return rows as one line that can be typed; the first name has no colon."""
    return ", ".join(map(str, records)).replace(":", "", 1)
