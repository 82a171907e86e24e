"""Typed lines as the actions that they ask for."""

from __future__ import annotations

from collections.abc import Mapping

from mjscore.play.actions import Action, action_of
from mjscore.play.session import Session, act
from mjscore.play.table import with_records


def asked(line: str, seats: Mapping[str, str] | None = None, editing: bool = False) -> Action:
    """What a strict line asks for, rows of several players one below the other."""
    action = action_of(line, seats or {}, editing)
    return with_records(action, line.split("\n")) if action.kind in ("rows", "event") else action


def after(session: Session, *lines: str) -> Session:
    """The session after some strict lines."""
    for line in lines:
        session, _ = act(session, asked(line, session.evening.seats, session.draft is not None))
    return session
