"""An evening as a function: the session as it is and an action give the session after it, and what to say.

Nothing here knows a disk or a terminal. Whatever changes the file's text has been read and settled again
before it is handed back, so that nothing is written that would not be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from mjscore.counters.holdings import EveningCounters, Purses, pool_of_small_counters
from mjscore.counters.sets import load_counters
from mjscore.game.tiles import format_tiles
from mjscore.notation.names import People, nobody_called
from mjscore.page.settlements import show_exchange
from mjscore.page.sheets import show_sheet
from mjscore.page.text import Style
from mjscore.play import changes
from mjscore.play.actions import Action
from mjscore.play.changes import Change
from mjscore.play.mending import Draft, Mended, begin_draft, mended, told_draft, typed_into
from mjscore.play.names import told_in_names
from mjscore.play.reading import Account, Entry, east_and_round, read_account
from mjscore.play.showing import (
    show_as_written,
    show_block,
    show_edit,
    show_entry,
    show_greeting,
    show_help,
    show_lines,
    show_put_right,
    show_standings,
    show_totals,
)
from mjscore.play.undoing import before_last
from mjscore.refusal import Refused, refuse, visible
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.settlement import Settlement

_NOT_KNOWN = "it is not known who holds which counters: the set does not say with how many a player begins"


class Step(NamedTuple):
    """Something that was done: the text before and after it, and what it was, in words."""

    before: str
    after: str
    words: str


class Proposal(NamedTuple):
    """An edit that waits for an answer: what it would make of the evening with the winds *moved*, None where what
    follows would not hold then, and with the winds *kept*, None where none would move.
    """

    moved: Account | None
    kept: Account | None

    @property
    def answers(self) -> str:
        """What can be answered."""
        if self.kept is None:
            return "yes or no"
        return "keep or no" if self.moved is None else "yes, keep or no"


class Session(NamedTuple):
    """An evening under way. *done* and *undone* are the steps since it was opened, the latest last;
    *draft* is the edit that is being typed, *proposal* what it would come to.
    """

    account: Account
    folder: str = ""
    done: tuple[Step, ...] = ()
    undone: tuple[Step, ...] = ()
    draft: Draft | None = None
    proposal: Proposal | None = None

    @property
    def seats(self) -> dict[str, str]:
        """Who sits at which wind, for what is typed next."""
        if self.draft is not None and self.draft.entry.checked is not None:
            return dict(self.draft.entry.checked.seats)
        return self.account.seats


Outcome = tuple[Session, str]


def open_session(text: str, file: str = "", folder: str = "") -> Session:
    """The session at the opening of a file. Raises Refused, with the first thing that does not hold in it."""
    return Session(read_account(text, file, folder), folder)


def act(session: Session, action: Action, style: Style) -> Outcome:
    """The session after an action, and what to say of it. Raises Refused, and nothing has happened."""
    if session.draft is not None and action.kind not in _SHOWING:
        return _edited(session, session.draft, action, style)
    return _ACTS[action.kind](session, action.text, style)


def prompt(session: Session) -> str:
    """Which hand is being typed, and whose line is missing."""
    if session.draft is not None:
        asks = f": write it? {session.proposal.answers}" if session.proposal is not None else ""
        return f"edit {session.draft.entry.mark}{asks}> "
    account = session.account
    hand = account.open_hand
    if hand is None:
        return f"{account.hands + 1}> "
    missing = [name for name in account.playing if name not in hand.rows and name not in hand.waiting]
    return f"{account.hands + 1} ({', '.join(map(visible, missing)) or 'a line put right'})> "


# ------------------------------------------------------------- what changes the text


def _changed(session: Session, change: Change) -> Session:
    account = read_account(change.text, session.account.state.file, session.folder)
    return Session(
        account, session.folder, (*session.done, Step(session.account.text, change.text, change.words))
    )


def _rows(session: Session, typed: str, style: Style) -> Outcome:
    change = changes.add_rows(session.account, typed.split("\n"))
    after = _changed(session, change)
    said = [_sheet(sheet, session.account, style) for sheet in change.sheets]
    for sheet in change.sheets:
        said += _undeclared(sheet)
    if change.waits is not None:
        said.append(told_in_names(change.waits, session.seats).render(style.width))
        said.append("the line is kept; type the line to change")
    if len(after.account.entries) > len(session.account.entries):
        said += _shown_since(session, after, style)
    return after, "\n".join(said)


def _undeclared(sheet: ScoreSheet) -> Iterator[str]:
    """A remark on each four that a loser holds: legal, and easily a forgotten bracket."""
    hand = sheet.hand
    assert hand is not None
    for tile in sorted(set(hand.concealed)):
        if hand.win is None and hand.concealed.count(tile) == 4:
            four = format_tiles((tile,) * 4)
            yield f"four {four} undeclared count as three; type [{four}] if declared, ({four}) if claimed"


def _sheet(sheet: ScoreSheet, account: Account, style: Style) -> str:
    """The score sheet of a typed hand; who pays is told once, when the hand is settled."""
    return show_sheet(sheet, account.book, style, names=account.seats, pays=False)


def _event(session: Session, line: str, style: Style) -> Outcome:
    after = _changed(session, changes.add_event(session.account, line))
    return after, "\n".join(_shown_since(session, after, style))


def _note(session: Session, words: str, style: Style) -> Outcome:
    return _changed(session, changes.add_note(session.account, words)), "noted"


def _label(session: Session, words: str, style: Style) -> Outcome:
    after = _changed(session, changes.add_label(session.account, words))
    return after, f"this hand is called {visible(words)}" if words else "this hand has no label"


def _drop(session: Session, words: str, style: Style) -> Outcome:
    after = _changed(session, changes.drop(session.account))
    return (
        after,
        f"the lines of this hand are forgotten; undo brings them back\n{show_greeting(after.account, style)}",
    )


def _pool(session: Session, words: str, style: Style) -> Outcome:
    account = session.account
    players = account.position.players
    known = {**account.seats, **{name: name for name in players}}
    named = People(account.seats).strict(words)
    if named not in known:
        raise nobody_called(words, players)
    purses = _purses(session)
    if purses.holdings is None:
        raise refuse("no-holdings", _NOT_KNOWN, "begin an evening with --counters babcock")
    shares = pool_of_small_counters(purses.counters, purses.holdings)
    points = {holder: share.points for holder, share in shares.items()}
    after = _changed(session, changes.add_pool(account, known[named], points))
    tracked = ["The counters are reckoned from here on as", *_purses(after).holding_lines()]
    *played, greeting = _shown_since(session, after, style)
    return after, "\n".join([*played, show_lines(tracked, style), greeting])


def _undo(session: Session, words: str, style: Style) -> Outcome:
    account, done = session.account, session.done
    if done and done[-1].after == account.text:
        step, done = done[-1], done[:-1]
    else:
        before, told = before_last(account)
        step, done = Step(before, account.text, told), ()
    after = Session(
        read_account(step.before, account.state.file, session.folder),
        session.folder,
        done,
        (*session.undone, step),
    )
    return after, f"{step.words} is undone; redo brings it back\n{show_greeting(after.account, style)}"


def _redo(session: Session, words: str, style: Style) -> Outcome:
    if not session.undone or session.undone[-1].before != session.account.text:
        raise refuse(
            "nothing-to-redo",
            "nothing was undone since play was opened; what was undone before that is forgotten",
            "type the line again",
        )
    step = session.undone[-1]
    after = Session(
        read_account(step.after, session.account.state.file, session.folder),
        session.folder,
        (*session.done, step),
        session.undone[:-1],
    )
    return after, "\n".join([f"{step.words} is back", *_shown_since(session, after, style)])


# ------------------------------------------------------------- an edit


def _edit(session: Session, mark: str, style: Style) -> Outcome:
    entry = _entry(session.account, mark)
    said = show_as_written(session.account.document, entry.place)
    after = session._replace(draft=begin_draft(session.account, entry), proposal=None)
    return after, f"{said}\ntype the line to change, as it is to be; drop leaves it as it was"


def _edited(session: Session, draft: Draft, action: Action, style: Style) -> Outcome:
    """What is typed while an entry is edited: its lines, and then yes, keep or no."""
    left = session._replace(draft=None, proposal=None)
    if action.kind in ("drop", "no"):
        return (
            left,
            f"{told_draft(draft)} is left; nothing has changed\n{show_greeting(session.account, style)}",
        )
    if action.kind in ("yes", "keep"):
        if session.proposal is None:
            raise refuse("nothing-to-write", "nothing has been changed yet", "type the line to change")
        moved, kept = session.proposal
        account = moved if action.kind == "yes" or kept is None else kept
        if account is None:
            raise refuse("nothing-to-write", "what follows holds only as it was played", "type keep or no")
        change = Change(account.text, told_draft(draft))
        after = _changed(left, change)
        entry = next(entry for entry in after.account.entries if entry.place == draft.entry.place)
        shown = [show_entry(entry, style)]
        if after.account.occasion.counters:
            shown.append(show_put_right(session.account, after.account, style))
        shown += [show_totals(after.account.played[-1], style)] if after.account.played else []
        return after, "\n".join([*filter(None, shown), show_greeting(after.account, style)])
    if action.kind not in ("rows", "note"):
        raise refuse(
            "edit-in-progress", f"{told_draft(draft)} is under way", "type yes, or drop to leave it, first"
        )
    typed = draft
    for line in [f"note {action.text}"] if action.kind == "note" else action.text.split("\n"):
        typed = typed_into(session.account, typed, line)
    after = session._replace(draft=typed, proposal=None)
    try:
        kept, how = _proposed(session, typed, keep_winds=True)
    except Refused as refused:
        # another line may put it right
        return after, f"{_reason(refused, session)}; type the other line too, or drop"
    try:
        moved, said = _proposed(session, typed, keep_winds=False)
    except Refused as refused:
        how.append(
            f"With the winds moved, {_reason(refused, session)}; with keep they stay as they were played"
        )
        return after._replace(proposal=Proposal(None, kept)), show_lines(how, style)
    if _winds(moved) == _winds(session.account):
        return after._replace(proposal=Proposal(moved, None)), show_lines(said, style)
    said += ["With keep, the winds stay as they were played", *(line for line in how if line not in said)]
    return after._replace(proposal=Proposal(moved, kept)), show_lines(said, style)


def _reason(refused: Refused, session: Session) -> str:
    return told_in_names(refused.refusal, session.seats).message


def _proposed(session: Session, draft: Draft, keep_winds: bool) -> tuple[Account, list[str]]:
    made: Mended = mended(session.account, draft, keep_winds)
    account = read_account(made.text, session.account.state.file, session.folder)
    return account, show_edit(session.account, account, draft.entry, made)


def _winds(account: Account) -> list[tuple[dict[str, str], str]]:
    """Who sat where in which round in everything that was played, and sits there now."""
    played = [(dict(entry.seats), east_and_round(entry)[1]) for entry in account.played]
    return [*played, (account.seats, account.round_wind)]


# ------------------------------------------------------------- what only shows


def _show(session: Session, mark: str, style: Style) -> Outcome:
    account = session.account
    if mark:
        entry = _entry(account, mark)
        said = [show_block(account.document, entry.place)]
        if entry.checked is not None:
            said += [*_shown(session, entry, style), show_totals(entry, style)]
        return session, "\n".join(said)
    if session.draft is not None:
        return session, "\n".join(visible(line.rstrip("\r\n")) for line in session.draft.lines)
    if account.open_hand is not None:
        return session, show_block(account.document, account.open_hand.place)
    return session, show_greeting(account, style)


def _entry(account: Account, mark: str) -> Entry:
    entry = account.entry(mark)
    if not mark:
        raise refuse("no-such-hand", "which hand?", "type its number, as in edit 3")
    if entry is None:
        known = ", ".join(entry.mark for entry in account.entries[-8:])
        raise refuse(
            "no-such-hand",
            f"there is no hand {mark[:20]}",
            f"the last entries are {known}" if known else "none has been played",
        )
    return entry


def _shown(session: Session, entry: Entry, style: Style) -> Iterator[str]:
    """A hand's or event's payments, and the counters that it moved."""
    yield show_entry(entry, style)
    counters = _evening_counters(session)
    # into the pool goes what each has of small counters, not what he would pay with
    if counters is not None and not changes.is_of_pool(session.account, entry):
        so_far = [one for one in session.account.played if one.place <= entry.place]
        exchange = counters.after(session.account.position.players, _hands(so_far))[1]
        if exchange is not None:
            yield show_exchange(exchange, entry.seats, style)


def _shown_since(before: Session, after: Session, style: Style) -> Iterator[str]:
    """What was played between two sessions, the totals after it, and what comes next."""
    played = after.account.played
    new = played[len(before.account.played) :]
    for entry in new:
        yield from _shown(after, entry, style)
    if new:
        yield show_totals(new[-1], style)
    yield show_greeting(after.account, style)


def _standings(session: Session, words: str, style: Style) -> Outcome:
    return session, show_standings(session.account)


def _help(session: Session, words: str, style: Style) -> Outcome:
    return session, "\n".join(show_help(style.width, words.casefold()) or show_help(style.width))


def _settle(session: Session, words: str, style: Style) -> Outcome:
    return session, f"a hand is settled by its last line\n{show_greeting(session.account, style)}"


def _unanswered(session: Session, words: str, style: Style) -> Outcome:
    raise refuse("nothing-to-write", "nothing was asked", "type help")


# ------------------------------------------------------------- counters


def _holdings(session: Session, words: str, style: Style) -> Outcome:
    purses = _purses(session)
    lines = purses.holding_lines() or [_NOT_KNOWN]
    lines += [
        f"{visible(name)} {'is owed' if points > 0 else 'owes'} {abs(points)}"
        for name, points in purses.owing.items()
    ]
    return session, show_lines(lines, style)


def _pool_shown(session: Session, words: str, style: Style) -> Outcome:
    return session, show_lines(_purses(session).pool_lines() or [_NOT_KNOWN], style)


def _purses(session: Session) -> Purses:
    counters = _evening_counters(session)
    if counters is None:
        raise refuse("no-counters", "no counters are kept", "put counters babcock below players in the file")
    changes.check_between_hands(session.account)
    return counters.after(session.account.position.players, _hands(session.account.played))[0]


def _evening_counters(session: Session) -> EveningCounters | None:
    occasion = session.account.occasion
    if not occasion.counters:
        return None
    return _kept_counters(occasion.counters, session.folder, occasion.pair_by_pair, occasion.bank)


@lru_cache(maxsize=4)
def _kept_counters(name: str, folder: str, pair_by_pair: bool, bank: bool) -> EveningCounters:
    return EveningCounters(load_counters(name, folder), pair_by_pair, bank)


def _hands(played: Iterable[Entry]) -> Iterator[tuple[Settlement, Mapping[str, str]]]:
    """What was played, as the counters take it."""
    return ((entry.settlement, entry.seats) for entry in played)


_ACTS: dict[str, Callable[[Session, str, Style], Outcome]] = {
    "rows": _rows,
    "event": _event,
    "note": _note,
    "label": _label,
    "drop": _drop,
    "pool": _pool,
    "undo": _undo,
    "redo": _redo,
    "edit": _edit,
    "show": _show,
    "standings": _standings,
    "help": _help,
    "settle": _settle,
    "counters": _holdings,
    "pool-shown": _pool_shown,
    "yes": _unanswered,
    "no": _unanswered,
    "keep": _unanswered,
}
_SHOWING = frozenset({"show", "standings", "help", "counters", "pool-shown"})
