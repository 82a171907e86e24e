"""Evenings: typed lines as the actions that they ask for, and whole files as the command plays them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from programs import run_command

from mjscore.play.actions import action_of
from mjscore.play.changes import Action, Edit, apply, put_label, put_note, put_records
from mjscore.play.commands import act
from mjscore.play.evening import EveningFile, comment_of, read_evening
from mjscore.play.session import Session
from mjscore.record.checker import check_file
from mjscore.record.context import Context
from mjscore.record.events import kind_of
from mjscore.record.lines import EventLine, SeatRow, parse_line, parse_row

HEAD = 'rulebook harr-limit\nplayers Ann Ben "Old Cid" Dee\n'
SEATS = {"E": "Ann", "S": "Ben", "W": "Old Cid", "N": "Dee"}


def account(below: str = "", head: str = HEAD) -> EveningFile:
    """The evening of four players with what stands below them."""
    return read_evening(head + below)


def edited(before: EveningFile, mark: str, *typed: str, keep: bool = False) -> Edit:
    """What lines make of an entry."""
    entry = before.entry(mark)
    assert entry is not None
    for line in typed:
        action = asked(line)
        put = {"note": put_note, "label": put_label}.get(action.kind, put_records)
        entry = put(before, entry, action)
    return apply(before, entry, keep)


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
        session, _ = act(session, asked(line, session.evening.state.seats, session.draft is not None))
    return session


FOUR = ("--players", "Ann Ben 'Old Cid' Dee")


def play(path: Path, *lines: str, options: Sequence[str] = FOUR, columns: int = 100) -> str:
    """What the command shows when the lines are typed."""
    typed = "".join(f"{line}\n" for line in lines)
    return run_command("play", str(path), *options, input=typed, COLUMNS=str(columns)).output


def holds(path: Path) -> list[str]:
    """The kinds of all that was played; all of it holds."""
    found = [one for one in check_file(str(path), Context()) if not one.missing]
    assert all(one.ok for one in found), [one.refusals for one in found]
    return [kind_of(one.text) for one in found]


def body(path: Path) -> str:
    """The file below its players."""
    return path.read_text(encoding="utf-8").partition("players ")[2].partition("\n")[2]
