"""An evening as a function: the session as it is and an action give the session after it, and what that came to.

Nothing here knows a disk or a terminal. Whatever changes the file's text has been read and settled again
before it is handed back, so that nothing is written that would not be read.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from mjscore.counters.holdings import EveningCounters, Purses, pool_of_small_counters
from mjscore.counters.sets import load_counters
from mjscore.notation.names import People, nobody_called
from mjscore.play import changes, outcomes
from mjscore.play.actions import ASKING, Action
from mjscore.play.changes import Change, Draft, Edit, apply, describe_draft, is_peoples_note, typed_into
from mjscore.play.evening import Entry, Evening, read_evening, rows_of, told_in_names
from mjscore.play.history import (
    MOST_STEPS,
    Step,
    applied,
    inverse,
    leading_to,
    step_between,
    to_undo_and_redo,
)
from mjscore.play.outcomes import Outcome, Proposal
from mjscore.record.lines import EventLine, SeatRow
from mjscore.refusal import Refused, refuse, visible


class Session(NamedTuple):
    """An evening under way. *steps* are those that led to its text, the latest last; *draft* is the edit that is being
    typed, *proposal* what it would come to.
    """

    evening: Evening
    steps: tuple[Step, ...] = ()
    draft: Draft | None = None
    proposal: Proposal | None = None

    @property
    def then(self) -> Evening:
        """Give the evening of which is typed next: as it stood before an entry that is edited."""
        return self.evening if self.draft is None else self.evening.at(self.draft.entry)

    @property
    def seats(self) -> dict[str, str]:
        """Tell who sits at which wind, for what is typed next."""
        return self.then.seats


Outcomes = tuple[Session, tuple[Outcome, ...]]


def open_session(text: str, file: str = "", folder: str = "", steps: Sequence[Step] = ()) -> Session:
    """Open the session of a file, with those of *steps* that lead to its text. Raises Refused, with the first thing that
    does not hold in it.
    """
    return Session(read_evening(text, file, folder), leading_to(text, steps))


def act(session: Session, action: Action) -> Outcomes:
    """Do an action: give the session after it, and what that came to. Raises Refused, and nothing has happened."""
    if action.kind in ASKING:
        return session, tuple(_asked(session, action))
    if session.draft is not None:
        return _edited(session, session.draft, action)
    if action.kind in _ACTS:
        return _ACTS[action.kind](session, action)
    if action.kind == "settle":
        return session, (outcomes.Said("a hand is settled by its last line"), outcomes.Next(session.evening))
    raise refuse("nothing-to-write", "nothing was asked", "type help")


def prompt(session: Session) -> str:
    """Tell which hand is being typed, and whose line is missing."""
    if session.draft is not None:
        asks = f": write it? {session.proposal.answers}" if session.proposal is not None else ""
        return f"edit {session.draft.entry.mark}{asks}> "
    evening = session.evening
    hand = evening.open_hand
    if hand is None:
        return f"{evening.hands + 1}> "
    missing = [name for name in evening.playing if name not in hand.rows]
    return f"{evening.hands + 1} ({', '.join(map(visible, missing)) or 'a line put right'})> "


def _after(session: Session, step: Step) -> Session:
    """Give the session after a step."""
    evening = session.evening.with_text(applied(session.evening.text, step))
    return Session(evening, (*session.steps, step)[-MOST_STEPS:])


def _changed(session: Session, change: Change) -> Session:
    if change.text == session.evening.text:
        return session  # what is typed again as it was is nothing to undo
    return _after(session, step_between(session.evening.text, change.text, change.words))


def _rows(session: Session, action: Action) -> Outcomes:
    rows = [record for record in action.records if isinstance(record, SeatRow)]
    change = changes.add_rows(session.evening, rows, action.comment)
    after = _changed(session, change)
    evening = session.evening
    said: list[Outcome] = [outcomes.Scored(sheet, evening.book, evening.seats) for sheet in change.sheets]
    hand = after.evening.open_hand
    if hand is not None and hand.amiss is not None:
        said.append(outcomes.Amiss(told_in_names(hand.amiss, session.seats)))
    if hand is None:
        said += _played_since(session, after)
    return after, tuple(said)


def _event(session: Session, action: Action) -> Outcomes:
    (record,) = action.records
    assert isinstance(record, EventLine)
    after = _changed(session, changes.add_event(session.evening, record, action.comment))
    said = list(_played_since(session, after))
    gone = set(session.evening.position.players) - set(after.evening.position.players)
    held = purses(after) if gone and _counters_of(session.evening) is not None else None
    if held is not None and held.holdings is not None:
        said.insert(1, outcomes.Counters(held.of(gone)))
    return after, tuple(said)


def _worded(session: Session, action: Action) -> Outcomes:
    """Take a note or a label, or drop the hand under way."""
    evening, words = session.evening, action.text
    if action.kind == "note":
        return _changed(session, changes.add_note(evening, words)), (outcomes.Said("noted"),)
    if action.kind == "label":
        said = f"this hand is called {visible(words)}" if words else "this hand has no label"
        return _changed(session, changes.add_label(evening, words)), (outcomes.Said(said),)
    after = _changed(session, changes.drop(evening))
    said = "the lines of this hand are forgotten; undo brings them back"
    return after, (outcomes.Said(said), outcomes.Next(after.evening))


def _pool(session: Session, action: Action) -> Outcomes:
    evening = session.evening
    players = evening.position.players
    known = {**evening.seats, **{name: name for name in players}}
    named = People(evening.seats).named(action.text, discarder=True)
    if named not in known:
        raise nobody_called(action.text, players)
    held = purses(session)
    if held.holdings is None:
        raise refuse(
            "no-holdings",
            "it is not known who holds which counters: the set does not say with how many a player begins",
            "begin an evening with --counters babcock",
        )
    shares = pool_of_small_counters(held.counters, held.holdings)
    points = {holder: share.points for holder, share in shares.items()}
    after = _changed(session, changes.add_pool(evening, known[named], points))
    *played, coming = _played_since(session, after)
    return after, (*played, outcomes.Counters(purses(after), "reckoned"), coming)


def _undo(session: Session, action: Action) -> Outcomes:
    done, _ = to_undo_and_redo(session.steps)
    if not done:
        if not session.evening.entries and session.evening.open_hand is None:
            raise refuse("nothing-to-undo", "nothing has been played yet", "type the first hand")
        raise refuse(
            "nothing-to-undo",
            "the file was changed since by something else, and it is not known what was done before that",
            "type edit and the number of what is to be put right, or drop",
        )
    step = inverse(done[-1], "undo")
    after = _after(session, step)
    said = outcomes.Said(f"{step.words} is undone; redo brings it back")
    return after, (said, outcomes.Next(after.evening))


def _redo(session: Session, action: Action) -> Outcomes:
    _, undone = to_undo_and_redo(session.steps)
    if not undone:
        raise refuse("nothing-to-redo", "nothing was undone since", "type the line again")
    step = undone[-1]._replace(kind="redo")
    after = _after(session, step)
    return after, (outcomes.Said(f"{step.words} is back"), *_played_since(session, after))


def _edit(session: Session, action: Action) -> Outcomes:
    entry = _entry(session.evening, action.text)
    # neither comments nor what is worked out
    rows = [place for place, row in rows_of(entry.lines) if isinstance(row, SeatRow) or is_peoples_note(row)]
    written = outcomes.Block(tuple(entry.lines[place] for place in (0, *rows)))
    said = outcomes.Said("type the line to change, as it is to be; drop leaves it as it was")
    return session._replace(draft=Draft(entry, entry.lines), proposal=None), (written, said)


def _edited(session: Session, draft: Draft, action: Action) -> Outcomes:
    """Take what is typed while an entry is edited: its lines, and then yes, keep or no."""
    left = session._replace(draft=None, proposal=None)
    if action.kind in ("drop", "no"):
        said = outcomes.Said(f"{describe_draft(draft)} is left; nothing has changed")
        return left, (said, outcomes.Next(session.evening))
    if action.kind in ("yes", "keep"):
        return _write_edit(left, draft, session.proposal, action)
    if action.kind not in ("rows", "event", "note", "label"):
        raise refuse(
            "edit-in-progress",
            f"{describe_draft(draft)} is under way",
            "type yes, or drop to leave it, first",
        )
    typed = typed_into(session.evening, draft, action)
    after = session._replace(draft=typed, proposal=None)
    kept: Edit | None = None
    with contextlib.suppress(Refused):
        kept = apply(session.evening, typed, keep_winds=True)
    try:
        moved = apply(session.evening, typed, keep_winds=False)
    except Refused as refused:
        unfit = told_in_names(refused.refusal, session.seats)
        if kept is None:
            return after, (outcomes.Unfit(unfit),)
        proposal = Proposal(None, kept, unfit)
    else:
        same = _winds(moved.after) == _winds(session.evening)
        proposal = Proposal(moved, None if same else kept)
    return after._replace(proposal=proposal), (proposal,)


def _write_edit(session: Session, draft: Draft, proposal: Proposal | None, action: Action) -> Outcomes:
    if proposal is None:
        raise refuse("nothing-to-write", "nothing has been changed yet", "type the line to change")
    edit = proposal.moved if action.kind == "yes" or proposal.kept is None else proposal.kept
    if edit is None:
        raise refuse("nothing-to-write", "what follows holds only as it was played", "type keep or no")
    after = _changed(session, Change(edit.after.text, describe_draft(draft)))
    entry = next(entry for entry in after.evening.entries if entry.place == draft.entry.place)
    said: list[Outcome] = [outcomes.Played(entry)] if entry.checked is not None else []
    if after.evening.occasion.counters:
        before, now = session.evening.points, after.evening.points
        said.append(
            outcomes.Corrected({name: now.get(name, 0) - before.get(name, 0) for name in {**now, **before}})
        )
    said += [outcomes.Totals(after.evening.points)] if after.evening.played else []
    return after, (*said, outcomes.Next(after.evening))


def _winds(evening: Evening) -> list[tuple[dict[str, str], str]]:
    """Tell who sat where in which round in everything that was played, and sits there now."""
    played = [(dict(entry.seats), entry.round_wind) for entry in evening.played]
    return [*played, (evening.seats, evening.round_wind)]


def _asked(session: Session, action: Action) -> Iterator[Outcome]:
    """Tell what is asked for; nothing changes."""
    evening = session.evening
    if action.kind == "standings":
        yield outcomes.Standings(evening.points)
    elif action.kind == "help":
        yield outcomes.Help(action.text.casefold())
    elif action.kind in ("counters", "pool-shown"):
        yield outcomes.Counters(purses(session), "holdings" if action.kind == "counters" else "pool")
    elif action.text:
        entry = _entry(evening, action.text)
        yield outcomes.Block(entry.lines)
        if entry.checked is not None and entry.checked.after is not None:
            yield _played(session, entry)
            yield outcomes.Totals(entry.checked.after.points)
    elif session.draft is not None:
        yield outcomes.Block(session.draft.lines)
    elif evening.open_hand is not None:
        yield outcomes.Block(evening.open_hand.lines)
    else:
        yield outcomes.Next(evening)


def _entry(evening: Evening, mark: str) -> Entry:
    entry = evening.entry(mark)
    if not mark:
        raise refuse("no-such-hand", "which hand?", "type its number, as in edit 3")
    if entry is None:
        known = ", ".join(entry.mark for entry in evening.entries[-8:])
        raise refuse(
            "no-such-hand",
            f"there is no hand {mark[:20]}",
            f"the last entries are {known}" if known else "none has been played",
        )
    return entry


def _played(session: Session, entry: Entry) -> outcomes.Played:
    """Give a hand or event, with the counters that it moved."""
    counters = _counters_of(session.evening)
    # into the pool goes what each has of small counters, not what they would pay with
    if counters is None or entry.kind == "seat" or changes.is_of_pool(entry):
        return outcomes.Played(entry)
    so_far = [(one.settlement, one.seats) for one in session.evening.played if one.place <= entry.place]
    return outcomes.Played(entry, counters.after(session.evening.first_players, so_far)[1])


def _played_since(before: Session, after: Session) -> Iterator[Outcome]:
    """Tell what was played between two sessions, the totals after it, and what comes next."""
    new = after.evening.played[len(before.evening.played) :]
    for entry in new:
        yield _played(after, entry)
    if new:
        yield outcomes.Totals(after.evening.points)
    yield outcomes.Next(after.evening)


def purses(session: Session) -> Purses:
    """Tell what everybody holds between hands. Raises Refused."""
    counters = _counters_of(session.evening)
    if counters is None:
        raise refuse("no-counters", "no counters are kept", "put counters babcock below players in the file")
    changes.check_between_hands(session.evening)
    played = [(entry.settlement, entry.seats) for entry in session.evening.played]
    return counters.after(session.evening.first_players, played)[0]


def _counters_of(evening: Evening) -> EveningCounters | None:
    name, pair_by_pair, bank = evening.occasion.counters, evening.occasion.pair_by_pair, evening.occasion.bank
    return _kept_counters(name, evening.state.context.folder, pair_by_pair, bank) if name else None


@lru_cache(maxsize=4)
def _kept_counters(name: str, folder: str, pair_by_pair: bool, bank: bool) -> EveningCounters:
    return EveningCounters(load_counters(name, folder), pair_by_pair, bank)


_ACTS: dict[str, Callable[[Session, Action], Outcomes]] = {
    "rows": _rows,
    "event": _event,
    "note": _worded,
    "label": _worded,
    "drop": _worded,
    "pool": _pool,
    "undo": _undo,
    "redo": _redo,
    "edit": _edit,
}
