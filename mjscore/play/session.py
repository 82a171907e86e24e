"""An evening as a function: the session as it is and an action give the session after it, and what that came to.

Nothing here writes a file or knows a terminal. Whatever changes the file's text has been read and settled again
before it is handed back, so that nothing is written that would not be read.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from mjscore.counters.counter_sets import load_counters
from mjscore.counters.exchange import Exchange
from mjscore.counters.holdings import Purses
from mjscore.play import changes, history
from mjscore.play.actions import Action, player_called
from mjscore.play.changes import Change, Edit, apply, describe_draft
from mjscore.play.evening import Entry, Evening, read_evening, rows_of, told_in_names, written
from mjscore.play.history import Step
from mjscore.play.rendering import Counters, Help, Next, Outcome, PlayedEntry, Points, Proposal, Scored
from mjscore.record.lines import EventLine, SeatRow
from mjscore.refusal import Refused, escape_controls, refuse


class Session(NamedTuple):
    """An evening under way. *steps* are those that led to its text, the latest last; *draft* is an entry that is
    edited, with its lines as they are to be, *proposal* what it would come to.
    """

    evening: Evening
    steps: tuple[Step, ...] = ()
    draft: Entry | None = None
    proposal: Proposal | None = None

    @property
    def then(self) -> Evening:
        """Return the evening that the next line belongs to: as it stood before an entry that is edited."""
        return self.evening if self.draft is None else self.evening.at(self.draft)

    @property
    def seats(self) -> dict[str, str]:
        """Return who sits at which wind, for what is typed next."""
        return self.then.state.seats


# what it came to is worked out as it is shown, when the file has it: that may be stopped
Outcomes = tuple[Session, Iterable[Outcome]]


def open_session(text: str, file: str = "", folder: str = "", steps: Sequence[Step] = ()) -> Session:
    """Open the session of a file, with those of *steps* that lead to its text. Raises Refused, with the first thing that
    does not hold in it.
    """
    return Session(read_evening(text, file, folder), history.leading_to(text, steps))


def act(session: Session, action: Action) -> Outcomes:
    """Return the session after an action, and what that came to. Raises Refused, and nothing has happened."""
    asking = _ASKING.get(action.kind)
    if asking is not None:
        return session, asking(session, action)
    if session.draft is not None:
        return _edited(session, session.draft, action)
    does = _DOING.get(action.kind)
    if does is None:
        raise refuse("nothing-to-write", "asked")
    return does(session, action)


def _show(session: Session, action: Action) -> Iterable[Outcome]:
    if not action.text:
        under_way = session.draft or session.evening.hand
        is_there = under_way.is_open or session.draft is not None
        return (written(under_way.lines) if is_there else Next(session.evening),)
    entry = _entry(session.evening, action.text)
    if entry.checked is None or entry.checked.after is None:
        return (written(entry.lines),)
    return written(entry.lines), _played(session, entry), Points(entry.checked.after.points)


def _add_rows(session: Session, action: Action) -> Outcomes:
    evening = session.evening
    rows = [record for record in action.records if isinstance(record, SeatRow)]
    change = changes.add_rows(evening, rows, action.comment)
    after = _changed(session, change)
    scored: list[Outcome] = [
        Scored(sheet, evening.state.book, evening.state.seats) for sheet in change.sheets
    ]
    hand = after.evening.hand
    if not hand.is_open:
        return after, chain(scored, _played_since(session, after))
    if hand.amiss is not None:
        scored += [told_in_names(hand.amiss, session.seats), "the line is kept; type the line to change"]
    return after, scored


def _add_event(session: Session, action: Action) -> Outcomes:
    (record,) = action.records
    assert isinstance(record, EventLine)
    return _with_change(session, changes.add_event(session.evening, record, action.comment))


def _add_pool(session: Session, action: Action) -> Outcomes:
    winner = player_called(action.text, session.evening, or_away=True)
    before = purses(session)
    if not before.holdings:
        raise refuse("no-holdings")
    points = {holder: share.points for holder, share in before.pool().items()}
    return _with_change(session, changes.add_pool(session.evening, winner, points))


def _add_note(session: Session, action: Action) -> Outcomes:
    return _changed(session, changes.add_note(session.evening, action.text)), ("noted",)


def _label(session: Session, action: Action) -> Outcomes:
    named = f"is called {escape_controls(action.text)}" if action.text else "has no label"
    return _changed(session, changes.add_label(session.evening, action.text)), (f"this hand {named}",)


def _other_counters(session: Session, action: Action) -> Outcomes:
    after = _changed(session, changes.with_counters(session.evening, action.text))
    held, _ = _counted(after.evening, after.evening.played)
    if held is None:
        return after, ("no counters are kept",)
    kept: Outcome = (
        Counters(held, "reckoned") if held.holdings else f"{held.counters.title} change hands from now on"
    )
    return after, (kept,)


def _edit(session: Session, action: Action) -> Outcomes:
    entry = _entry(session.evening, action.text)
    # neither comments nor what is worked out
    typed = [
        entry.lines[place]
        for place, row in rows_of(entry.lines)
        if isinstance(row, SeatRow) or changes.is_peoples_note(row)
    ]
    block = written((entry.lines[0], *typed))
    to_do = "type the line to change, as it is to be; drop leaves it as it was"
    return session._replace(draft=entry, proposal=None), (block, to_do)


def _drop(session: Session, action: Action) -> Outcomes:
    forgotten = "the lines of this hand are forgotten; undo brings them back"
    return _with_change(session, changes.drop(session.evening), forgotten)


def _undo(session: Session, action: Action) -> Outcomes:
    done, _ = history.to_undo_and_redo(session.steps)
    if not done:
        raise refuse("nothing-to-undo", "changed" if session.evening.blocks else "yet")
    after = _after(session, history.inverse(done[-1], "undo"))
    return after, chain([f"{done[-1].words} is undone; redo brings it back"], put_right(session, after))


def _redo(session: Session, action: Action) -> Outcomes:
    _, undone = history.to_undo_and_redo(session.steps)
    if not undone:
        raise refuse("nothing-to-redo")
    after = _after(session, undone[-1]._replace(kind="redo"))
    back = map(PlayedEntry, after.evening.played[len(session.evening.played) :])
    return after, chain([f"{undone[-1].words} is back"], back, put_right(session, after))


def _settle(session: Session, action: Action) -> Outcomes:
    return session, chain(["a hand is settled by its last line"], _played_since(session, session))


def _with_change(session: Session, change: Change, *words: str) -> Outcomes:
    """Return the session after a change, and what was played by it."""
    after = _changed(session, change)
    return after, chain(words, _played_since(session, after))


# what only asks, while an entry is edited too
_ASKING: dict[str, Callable[[Session, Action], Iterable[Outcome]]] = {
    "standings": lambda session, action: (Points(session.evening.position.points, "standings"),),
    "who": lambda session, action: (Next(session.evening),),
    "help": lambda session, action: (Help(action.text.casefold(), session.then.state.book),),
    "counters": lambda session, action: (Counters(purses(session), "holdings"),),
    "pool-shown": lambda session, action: (Counters(purses(session), "pool"),),
    "show": _show,
}
_DOING: dict[str, Callable[[Session, Action], Outcomes]] = {
    "rows": _add_rows,
    "event": _add_event,
    "pool": _add_pool,
    "other-counters": _other_counters,
    "note": _add_note,
    "label": _label,
    "edit": _edit,
    "drop": _drop,
    "undo": _undo,
    "redo": _redo,
    "settle": _settle,
}


def prompt(session: Session) -> str:
    """Return the prompt: which hand is being typed, and whose line is missing."""
    if session.draft is not None:
        asks = f": write it? {session.proposal.answers}" if session.proposal is not None else ""
        return f"edit {session.draft.mark}{asks}> "
    evening = session.evening
    if not evening.hand.is_open:
        return f"{evening.hand.mark}> "
    missing = ", ".join(map(escape_controls, evening.missing.values()))
    return f"{evening.hand.mark} ({missing or 'a line put right'})> "


def _after(session: Session, step: Step) -> Session:
    """Return the session after a step."""
    evening = session.evening.with_text(history.applied(session.evening.text, step))
    return Session(evening, (*session.steps, step)[-history.MOST_STEPS :])


def _changed(session: Session, change: Change) -> Session:
    if change.text == session.evening.text:
        return session  # what is typed again as it was is nothing to undo
    return _after(session, history.step_between(session.evening.text, change.text, change.words))


def _edited(session: Session, draft: Entry, action: Action) -> Outcomes:
    """Take what is typed while an entry is edited: its lines, and then yes, keep or no."""
    evening, proposal = session.evening, session.proposal
    left = session._replace(draft=None, proposal=None)
    if action.kind in ("drop", "no"):
        return left, (f"{describe_draft(draft)} is left; nothing has changed", Next(evening))
    if action.kind in ("yes", "keep"):
        if proposal is None:
            raise refuse("nothing-to-write", "yet")
        edit = proposal.moved if action.kind == "yes" else proposal.kept
        if edit is None:
            raise refuse("nothing-to-write", "kept" if action.kind == "yes" else "moved")
        after = _changed(left, Change(edit.after.text, describe_draft(draft)))
        edited = map(PlayedEntry, (one for one in after.evening.played if one.place == draft.place))
        return after, chain(edited, put_right(left, after))
    if action.kind not in ("rows", "event", "note", "label"):
        raise refuse("edit-in-progress", edit=describe_draft(draft))
    typed = changes.typed_into(evening, draft, action)
    after = session._replace(draft=typed, proposal=None)
    kept: Edit | None = None
    with contextlib.suppress(Refused):
        kept = apply(evening, typed, keep_winds=True)
    try:
        moved = apply(evening, typed, keep_winds=False)
        proposal = Proposal(moved, moved if _winds(moved.after) == _winds(evening) else kept)
    except Refused as refused:
        unfit = told_in_names(refused.refusal, session.seats).message
        if kept is None:
            return after, (f"{unfit}; type the other line too, or drop",)
        proposal = Proposal(None, kept, unfit)
    return after._replace(proposal=proposal), (proposal,)


def _winds(evening: Evening) -> list[tuple[dict[str, str], str]]:
    """Return who sat where in which round in everything that was played, and sits there now."""
    played = [(dict(entry.state.seats), entry.state.round_wind) for entry in evening.played]
    return [*played, (evening.state.seats, evening.state.round_wind)]


def _entry(evening: Evening, mark: str) -> Entry:
    entry = evening.entry(mark)
    if entry is not None:
        return entry
    known = ", ".join(entry.mark for entry in evening.entries[-8:])
    kind = "which" if not mark else "known" if known else "none"
    raise refuse("no-such-hand", kind, mark=mark[:20], known=known)


def _played(session: Session, entry: Entry) -> PlayedEntry:
    """Return a hand or event, with the counters that it moved."""
    # into the pool goes what each has of small counters, not what they would pay with
    if entry.kind == "seat" or changes.is_of_pool(entry):
        return PlayedEntry(entry)
    so_far = [one for one in session.evening.played if one.place <= entry.place]
    return PlayedEntry(entry, _counted(session.evening, so_far)[1])


def _played_since(before: Session, after: Session) -> Iterator[Outcome]:
    """Return what was played between two sessions, the totals after it, and what comes next."""
    new = after.evening.played[len(before.evening.played) :]
    for entry in new:
        yield _played(after, entry)
    yield from _seated(before, after)
    if new:
        yield Points(after.evening.position.points)
    if any(map(changes.is_of_pool, new)):
        yield Counters(purses(after), "reckoned")
    yield Next(after.evening)


def _seated(before: Session, after: Session) -> Iterator[Outcome]:
    """Return what those hold, owe and are owed who have sat down between two sessions, or left."""
    held, _ = _counted(after.evening, after.evening.played)
    moved = {*before.evening.position.players} ^ {*after.evening.position.players}
    if moved and held is not None and held.holdings:
        yield Counters(held.of(moved))


def put_right(before: Session, after: Session) -> Iterator[Outcome]:
    """Return what was changed in what had been played: who sat down or left, the counters, the debts, the totals; and what
    comes next.
    """
    then, now = before.evening, after.evening
    if [entry.lines for entry in then.played] != [entry.lines for entry in now.played]:
        yield from _seated(before, after)
        held, _ = _counted(then, then.played)
        holds, _ = _counted(now, now.played)
        if held is not None and holds is not None:
            points = Counter(now.position.points)
            points.subtract(then.position.points)
            yield Points(held.differences(holds) or points, "corrected")
            if holds.debts != held.debts:
                yield from holds.debt_lines() or ["nobody owes anything"]
        yield Points(now.position.points)
    yield Next(now)


def purses(session: Session) -> Purses:
    """Return what everybody holds between hands. Raises Refused."""
    held, _ = _counted(session.evening, session.evening.played)
    if held is None:
        raise refuse("no-counters")
    changes.check_between_hands(session.evening)
    return held


def _counted(evening: Evening, played: Sequence[Entry]) -> tuple[Purses | None, Exchange | None]:
    """Return what everybody holds after what was *played*, and what the last of it moved, where counters are kept."""
    occasion, folder = evening.state.occasion, evening.state.context.folder
    if not occasion.counters:
        return None, None
    counters = load_counters(occasion.counters, folder)
    starting = counters.starting(evening.first_players)
    held = Purses(counters, starting, occasion.pair_by_pair, occasion.bank, {}, True)
    moved: Exchange | None = None
    kept = _kept(occasion.counters, folder, occasion.pair_by_pair, occasion.bank, evening.first_players)
    for number, entry in enumerate(played):
        assert entry.checked is not None
        came_to = tuple(entry.settlement.payments), entry.checked.people
        if number < len(kept) and kept[number][0] != came_to:
            del kept[number:]
        if number == len(kept):
            held = replace(held)
            kept.append((came_to, held.settle(entry.settlement, entry.checked.people), held))
        _, moved, held = kept[number]
    return held, moved


@lru_cache(maxsize=4)
def _kept(*evening: object) -> list[tuple[object, Exchange, Purses]]:
    """Return what each hand of an evening came to, the counters that it moved, and who held what after it: worked out once."""
    return []
