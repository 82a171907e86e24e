"""An evening as a function: from a session and an action to the next session and the results.

Nothing here writes a file or knows a terminal. A changed text is read and settled again before it is returned, so
that nothing is written that could not be read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from mjscore.counters.counter_sets import load_counters
from mjscore.counters.exchange import Exchange
from mjscore.counters.holdings import Purses
from mjscore.play import changes, history
from mjscore.play.changes import Change
from mjscore.play.evening import Entry, EveningFile, read_evening
from mjscore.play.history import Step
from mjscore.play.rendering import Counters, Next, Outcome, PlayedEntry, Points, Proposal
from mjscore.refusal import escape_controls, refuse


class Session(NamedTuple):
    """An evening in progress.

    *steps* led to its text, the latest last; *draft* is the entry being edited, with its new lines, and *proposal*
    its result.
    """

    evening: EveningFile
    steps: tuple[Step, ...] = ()
    draft: Entry | None = None
    proposal: Proposal | None = None

    @property
    def then(self) -> EveningFile:
        """Return the evening that the next line is about: during an edit, the evening as it was before the edited entry."""
        return self.evening if self.draft is None else self.evening.at(self.draft)

    @property
    def seats(self) -> dict[str, str]:
        """Return who sits at which wind, for what is typed next."""
        return self.then.state.seats

    def after(self, step: Step) -> Session:
        """Return the session after a step. Raises Refused."""
        evening = self.evening.with_text(history.applied(self.evening.text, step))
        return Session(evening, (*self.steps, step)[-history.MOST_STEPS :])

    def changed(self, change: Change) -> Session:
        """Return the session after a change: the same one if the text stays the same. Raises Refused."""
        if change.text == self.evening.text:
            return self
        return self.after(history.step_between(self.evening.text, change.text, change.words))


# results are computed when they are shown, after the file is written: that may be interrupted
Outcomes = tuple[Session, Iterable[Outcome]]


def open_session(text: str, file: str = "", folder: str = "", steps: Sequence[Step] = ()) -> Session:
    """Open the session of a file's text, with those *steps* that lead to it. Raises Refused for its first mistake."""
    return Session(read_evening(text, file, folder), history.leading_to(text, steps))


def prompt(session: Session) -> str:
    """Return the prompt: the hand being typed or edited, and whose rows are missing, or the possible answers."""
    if session.draft is not None:
        asks = f": write it? {session.proposal.answers}" if session.proposal is not None else ""
        return f"edit {session.draft.mark}{asks}> "
    evening = session.evening
    if not evening.hand.is_open:
        return f"{evening.hand.mark}> "
    missing = ", ".join(map(escape_controls, evening.missing.values()))
    return f"{evening.hand.mark} ({missing or 'correct a line'})> "


def played_entry(session: Session, entry: Entry) -> PlayedEntry:
    """Return a hand or event with the counters that were moved by it, for display."""
    # a player puts their small counters into the pool, not those with which they would pay
    if entry.kind == "seat" or changes.is_of_pool(entry):
        return PlayedEntry(entry)
    so_far = [earlier for earlier in session.evening.played if earlier.place <= entry.place]
    return PlayedEntry(entry, counted(session.evening, so_far)[1])


def played_since(before: Session, after: Session) -> Iterator[Outcome]:
    """Yield, to show, the entries that the session *after* adds, with the totals, and what comes next."""
    new = after.evening.played[len(before.evening.played) :]
    for entry in new:
        yield played_entry(after, entry)
    yield from _seated(before, after)
    if new:
        yield Points(after.evening.position.points)
    if any(map(changes.is_of_pool, new)):
        yield Counters(purses(after), "reckoned")
    yield Next(after.evening)


def _seated(before: Session, after: Session) -> Iterator[Outcome]:
    """Yield the counters and debts of those who sat down or left between two sessions."""
    held, _ = counted(after.evening, after.evening.played)
    moved = {*before.evening.position.players} ^ {*after.evening.position.players}
    if moved and held is not None and held.holdings:
        yield Counters(held.of(moved))


def put_right(before: Session, after: Session) -> Iterator[Outcome]:
    """Yield, to show, corrected counters, debts, totals if earlier entries changed; then what comes next."""
    then, now = before.evening, after.evening
    if [entry.lines for entry in then.played] != [entry.lines for entry in now.played]:
        yield from _seated(before, after)
        held, _ = counted(then, then.played)
        holds, _ = counted(now, now.played)
        if held is not None and holds is not None:
            points = Counter(now.position.points)
            points.subtract(then.position.points)
            yield Points(held.differences(holds) or points, "corrected")
            if holds.debts != held.debts:
                yield from holds.debt_lines() or ["nobody owes anything"]
        yield Points(now.position.points)
    yield Next(now)


def purses(session: Session) -> Purses:
    """Return what everybody holds between hands. Raises Refused without counters, or while a hand is in progress."""
    held, _ = counted(session.evening, session.evening.played)
    if held is None:
        raise refuse("no-counters")
    changes.check_between_hands(session.evening)
    return held


def counted(evening: EveningFile, played: Sequence[Entry]) -> tuple[Purses | None, Exchange | None]:
    """Return the counters held after the entries *played*, and those moved by the last; None without counters."""
    occasion, folder = evening.state.occasion, evening.state.context.folder
    if not occasion.counters:
        return None, None
    counters = load_counters(occasion.counters, folder)
    starting = counters.starting(evening.first_players)
    held = Purses(counters, starting, occasion.pair_by_pair, occasion.bank, {}, True)
    moved: Exchange | None = None
    earlier = _worked_out(
        occasion.counters, folder, occasion.pair_by_pair, occasion.bank, evening.first_players
    )
    for number, entry in enumerate(played):
        assert entry.checked is not None
        came_to = tuple(entry.settlement.payments), entry.checked.people
        if number < len(earlier) and earlier[number][0] != came_to:
            del earlier[number:]
        if number == len(earlier):
            held = replace(held)
            earlier.append((came_to, held.settle(entry.settlement, entry.checked.people), held))
        _, moved, held = earlier[number]
    return held, moved


@lru_cache(maxsize=4)
def _worked_out(*evening: object) -> list[tuple[object, Exchange, Purses]]:
    """Return a list, cached for an *evening*, that ``counted`` fills: payments, counters moved and held, by entry."""
    return []
