"""Typed lines as the actions that they ask for."""

from __future__ import annotations

from collections.abc import Mapping

from mjscore.play.actions import Action, action_of
from mjscore.play.evening import comment_of
from mjscore.play.session import Session, act
from mjscore.record.lines import EventLine, SeatRow, parse_line, parse_row


def asked(line: str, seats: Mapping[str, str] | None = None, editing: bool = False) -> Action:
    """What a strict line asks for, rows of several players one below the other."""
    action = action_of(line, seats or {}, editing)
    if action.kind not in ("rows", "event"):
        return action
    parse = parse_row if action.kind == "rows" else parse_line
    records = [record for record in map(parse, line.split("\n")) if isinstance(record, SeatRow | EventLine)]
    return action._replace(records=tuple(records), comment=comment_of(line))


def after(session: Session, *lines: str) -> Session:
    """The session after some strict lines."""
    for line in lines:
        session, _ = act(session, asked(line, session.evening.seats, session.draft is not None))
    return session
