"""The commands of play, each a row of one table with its function, and performing an action by its row."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Mapping, Set
from functools import partial
from itertools import chain
from textwrap import wrap
from typing import NamedTuple

from mjscore.counters.counter_sets import COUNTER_SETS, NO_SET
from mjscore.game.hand import Hand, quote_name
from mjscore.notation.names import People, nobody_called
from mjscore.notation.vocabulary import plain
from mjscore.page.text import Style
from mjscore.play import changes, history
from mjscore.play.changes import Action, Change, Edit, describe_draft
from mjscore.play.evening import Entry, EveningFile, rows_of, told_in_names, written
from mjscore.play.rendering import Counters, Next, Outcome, PlayedEntry, Points, Proposal, Scored
from mjscore.play.session import Outcomes, Session, counted, played_entry, played_since, purses, put_right
from mjscore.record.events import EVENTS
from mjscore.record.lines import EventLine, SeatRow
from mjscore.refusal import Refused, did_you_mean, escape_controls, refuse
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.sheet import ScoreSheet

_OF_AN_ENTRY = re.compile("n?[0-9]+[a-z]*|all")  # 3, 3a, n2
_WIDE_ENOUGH = 72  # columns needed to show the help beside the commands
_OF_LINES = (
    "A line for each seat, by wind or name; the winner's hand ends with the winning tile:",
    "  Ann: (RRR) 123b 456b 789b 5d <5d:Ben",
    "  E: 64     S: dead     W: 40 win from N",
    "All in one line, sets on the table before a slash, bare scores in order from East:",
    "  w 123b444ceee/77d67c<8c:e 2 8 0",
    "  2 8 64w 0     e 2, s 8, w 64 win from s, n 0",
    "A seat's line typed again replaces the first. When all have one, the hand is settled.",
)


class Argument(NamedTuple):
    """What may follow a command: *known* words can be completed; if *verbatim*, words without meaning are kept.

    *fits* tells whether a text may be the argument; before any other text, only the command's own name means it.
    """

    known: Callable[[Session], Iterable[str]] = lambda session: ()
    verbatim: bool = False
    fits: Callable[[str], bool] = lambda words: True


class Command(NamedTuple):
    """A command by its *word*, with its *usage* and *help*; if these are empty, the row above in the table has them.

    Other words for it are in the files of words. A command *shows* something without changing anything, or *does*
    something; if it has both, it does so when it has an argument; *edits* takes its place while an entry is edited.
    *adds* says that the command is still meant if somebody else has just added to the evening.
    """

    word: str
    usage: str = ""
    help: str = ""
    takes: Argument | None = None
    shows: Callable[[Session, Action], Iterable[Outcome]] | None = None
    does: Callable[[Session, Action], Outcomes] | None = None
    edits: Callable[[Session, Entry, Action], Outcomes] | None = None
    adds: bool = False

    def only_shows(self, action: Action) -> bool:
        """Return whether an action of this row changes nothing."""
        return self.shows is not None and not (self.does is not None and action.text)


class Help(NamedTuple):
    """Help on everything, on one command, or on a word of the game and its value by a *book*."""

    command: str = ""
    book: Rulebook | None = None

    def lines(self, style: Style) -> Iterable[str]:
        lines = show_help(style.width, self.command)
        event = EVENTS.get(self.command)
        if event is not None and event.name in ("false win", "draw"):
            lines += _about_word(event.name, self.book, style)
        return lines or _about_word(self.command, self.book, style) or show_help(style.width)


def act(session: Session, action: Action) -> Outcomes:
    """Return the session after an action, and the values to show. Raises Refused, and then nothing has changed."""
    command = row_of(action)
    if command.shows is not None and command.only_shows(action):
        return session, command.shows(session, action)
    if session.draft is not None:
        if command.edits is None:
            raise refuse("edit-in-progress", edit=describe_draft(session.draft))
        return command.edits(session, session.draft, action)
    if command.does is None:
        raise refuse("nothing-to-write", "asked")
    return command.does(session, action)


def _show(session: Session, action: Action) -> Iterable[Outcome]:
    if action.text == "all":
        return [f"{entry.mark.removeprefix('n')}: {_in_short(entry)}" for entry in session.evening.entries]
    if not action.text:
        under_way = session.draft or session.evening.hand
        is_there = under_way.is_open or session.draft is not None
        return (written(under_way.lines) if is_there else Next(session.evening),)
    entry = entry_named(session.evening, action.text)
    if entry.checked is None or entry.checked.after is None:
        return (written(entry.lines),)
    return written(entry.lines), played_entry(session, entry), Points(entry.checked.after.points)


def _why(session: Session, action: Action) -> Iterable[Outcome]:
    """Return the sheets of the hand named, or of the one under way or the last; of all players or those named.

    Raises Refused if there is no hand.
    """
    evening, words = session.evening, plain(action.text).split()
    marks = [entry.mark for entry in evening.entries]
    # a longer number that is no mark is a score
    mark = action.text if len(action.text) == 1 else next(filter(marks.__contains__, words), "")
    last = next((entry.mark for entry in reversed(evening.entries) if entry.kind == "hand"), "")
    entry = evening.hand if evening.hand.is_open and not mark else entry_named(evening, mark or last or "1")
    sheets = filter(None, _sheets_of(entry, {*words} - {mark}))
    shown = [Scored(sheet, entry.state.book, entry.state.seats) for sheet in sheets]
    return shown or (written(entry.lines), "only scores were typed, so what they are made of is not known")


def _sheets_of(entry: Entry, words: Set[str]) -> list[ScoreSheet | None]:
    """Return the sheets, None for a bare score, of the players or else the scores in some *words*; of all if there are none."""
    rows = [row for _, row in rows_of(entry.lines) if isinstance(row, SeatRow)]
    told = [(row, changes.check_row(entry.state, row)[1]) for row in rows]
    names = {row.name: plain(entry.state.seats.get(row.name, row.name)).split() for row in rows}
    named = [sheet for row, sheet in told if not words.isdisjoint(names[row.name])]
    scored = [sheet for row, sheet in told if str(sheet.score if sheet else row.given) in words]
    return named or scored or [sheet for _, sheet in told]


def _in_short(entry: Entry) -> str:
    """Return the lines of an entry as one line, without comments."""
    first, *others = (line.partition("#")[0].strip() for line in written(entry.lines).split("\n"))
    return escape_controls(", ".join(filter(None, others)) if entry.kind == "hand" else first)


def _add_rows(session: Session, action: Action) -> Outcomes:
    evening = session.evening
    rows = [record for record in action.records if isinstance(record, SeatRow)]
    change = changes.add_rows(evening, rows, action.comment)
    after = session.changed(change)
    scored: list[Outcome] = [
        Scored(sheet, evening.state.book, evening.state.seats) for sheet in change.sheets
    ]
    hand = after.evening.hand
    if not hand.is_open:
        return after, chain(scored, played_since(session, after))
    if hand.amiss is not None:
        scored += [told_in_names(hand.amiss, session.seats), "the line is kept; type the line to change"]
    return after, scored


def _add_event(session: Session, action: Action) -> Outcomes:
    (record,) = action.records
    assert isinstance(record, EventLine)
    return _with_change(session, changes.add_event(session.evening, record, action.comment))


def _add_pool(session: Session, action: Action) -> Outcomes:
    evening = session.evening
    seats = {**evening.state.seats, **{name: name for name, _ in evening.position.left}}
    wind = People(seats).named(action.text) or ""
    winner = seats.get(wind, wind)
    if winner not in seats.values():
        raise nobody_called(action.text, seats.values())
    before = purses(session)
    if not before.holdings:
        raise refuse("no-holdings")
    points = {holder: share.points for holder, share in before.pool().items()}
    return _with_change(session, changes.add_pool(evening, winner, points))


def _label(session: Session, action: Action) -> Outcomes:
    labelled = f"is called {escape_controls(action.text)}" if action.text else "has no label"
    after = session.changed(changes.add_label(session.evening, action.text))
    return after, (f"this hand {labelled}",)


def _take_up_counters(session: Session, action: Action) -> Outcomes:
    after = session.changed(changes.with_counters(session.evening, action.text))
    held, _ = counted(after.evening, after.evening.played)
    if held is None:
        return after, ("this evening has no counters",)
    if not held.holdings:
        return after, (f"{held.counters.title} change hands from now on",)
    return after, (Counters(held, "reckoned"),)


def _edit(session: Session, action: Action) -> Outcomes:
    entry = entry_named(session.evening, action.text)
    # without comments and computed figures
    typed = [
        entry.lines[place]
        for place, row in rows_of(entry.lines)
        if isinstance(row, SeatRow) or changes.is_peoples_note(row)
    ]
    block = written((entry.lines[0], *typed))
    to_do = "type the corrected line; drop leaves it as it was"
    return session._replace(draft=entry, proposal=None), (block, to_do)


def _drop(session: Session, action: Action) -> Outcomes:
    forgotten = "the lines of this hand are discarded; undo brings them back"
    return _with_change(session, changes.drop(session.evening), forgotten)


def _undo(session: Session, action: Action) -> Outcomes:
    done, _ = history.to_undo_and_redo(session.steps)
    if not done:
        raise refuse("nothing-to-undo", "changed" if session.evening.blocks else "yet")
    after = session.after(history.inverse(done[-1], "undo"))
    return after, chain([f"{done[-1].words} is undone; redo brings it back"], put_right(session, after))


def _redo(session: Session, action: Action) -> Outcomes:
    _, undone = history.to_undo_and_redo(session.steps)
    if not undone:
        raise refuse("nothing-to-redo")
    after = session.after(undone[-1]._replace(kind="redo"))
    back = map(PlayedEntry, after.evening.played[len(session.evening.played) :])
    return after, chain([f"{undone[-1].words} is back"], back, put_right(session, after))


def _settle(session: Session, action: Action) -> Outcomes:
    return session, chain(["a hand is settled when its last line is typed"], played_since(session, session))


def _same(session: Session, action: Action) -> Outcomes:
    """Raise Refused: the question whether to repeat the last entry, or that there is none, or that it has tiles."""
    last = next((entry for entry in reversed(session.evening.played) if entry.kind != "seat"), None)
    if last is None:
        raise refuse("nothing-again", "yet")
    line = last.lines[0].partition("#")[0].strip()
    if last.kind == "hand":
        rows = [row for _, row in rows_of(last.lines) if isinstance(row, SeatRow)]
        if any(isinstance(row.given, Hand) for row in rows):
            raise refuse("nothing-again", "tiles")
        line = ", ".join(str(row._replace(expected=None)).replace(":", "", 1) for row in rows)
    once_more = refuse("same-again", line=escape_controls(line))
    raise Refused(once_more.refusal._replace(lines=(line,)))


def _with_change(session: Session, change: Change, *words: str) -> Outcomes:
    """Return the session after a change, with *words* and the entries that were completed by it, to show."""
    after = session.changed(change)
    return after, chain(words, played_since(session, after))


def entry_named(evening: EveningFile, mark: str) -> Entry:
    """Return the entry with this *mark*. Raises Refused with the marks that there are."""
    entry = evening.entry(mark)
    if entry is not None:
        return entry
    known = ", ".join(entry.mark for entry in evening.entries[-8:])
    kind = "which" if not mark else "known" if known else "none"
    raise refuse("no-such-hand", kind, mark=mark.partition(" ")[0].rstrip(":")[:20], known=known)


def _leave(session: Session, draft: Entry, action: Action) -> Outcomes:
    """Return the session without the edit of an entry, and words that say so."""
    left = session._replace(draft=None, proposal=None)
    return left, (f"{describe_draft(draft)} is cancelled; nothing has changed", Next(session.evening))


def _write(session: Session, draft: Entry, action: Action) -> Outcomes:
    """Return the session with the edit written, and what to show; "yes" moves later winds, "keep" does not.

    Raises Refused if nothing can be written so."""
    if session.proposal is None:
        raise refuse("nothing-to-write", "yet")
    edit = session.proposal.moved if action.kind == "yes" else session.proposal.kept
    if edit is None:
        raise refuse("nothing-to-write", "kept" if action.kind == "yes" else "moved")
    left = session._replace(draft=None, proposal=None)
    after = left.changed(Change(edit.after.text, describe_draft(draft)))
    edited = map(PlayedEntry, (entry for entry in after.evening.played if entry.place == draft.place))
    return after, chain(edited, put_right(left, after))


def _put(
    put: Callable[[EveningFile, Entry, Action], Entry], session: Session, draft: Entry, action: Action
) -> Outcomes:
    """Return the session with the entry being edited changed by *put*, and the proposed result. Raises Refused."""
    evening = session.evening
    typed = put(evening, draft, action)
    after = session._replace(draft=typed, proposal=None)
    kept: Edit | None = None
    with contextlib.suppress(Refused):
        kept = changes.apply(evening, typed, keep_winds=True)
    try:
        moved = changes.apply(evening, typed, keep_winds=False)
        proposal = Proposal(moved, moved if _winds(moved.after) == _winds(evening) else kept)
    except Refused as refused:
        unfit = told_in_names(refused.refusal, session.seats).message
        if kept is None:
            return after, (f"{unfit}; type the other line too, or drop",)
        proposal = Proposal(None, kept, unfit)
    return after._replace(proposal=proposal), (proposal,)


def _winds(evening: EveningFile) -> list[tuple[dict[str, str], str]]:
    """Return the seats and the round at every entry, and the present ones last."""
    played = [(dict(entry.state.seats), entry.state.round_wind) for entry in evening.played]
    return [*played, (evening.state.seats, evening.state.round_wind)]


_WORDS = Argument(verbatim=True)
_MARK = Argument(
    lambda session: [entry.mark for entry in session.evening.entries],
    fits=lambda words: _OF_AN_ENTRY.fullmatch(words) is not None,
)
_PLAYER = Argument(lambda session: map(quote_name, session.then.playing.values()), verbatim=True)
_ANYTHING = Argument(lambda session: map(quote_name, session.then.playing.values()))
_SET = Argument(lambda session: (*COUNTER_SETS, NO_SET))
_TABLE = (
    *(Command(event.word, event.usage, event.help) for event in EVENTS.values()),
    Command(
        "undo", "undo, redo", "take back the last thing done, whatever it was; bring it back", does=_undo,
    ),
    Command("redo", does=_redo),
    Command(
        "edit", "edit 3, edit 3a", "correct hand 3, or what came after it; later hands are worked out again"
        " (type the corrected line, label words or note words; then yes, keep or no)", _MARK, does=_edit,
    ),
    Command(
        "show", "show, show 3, show last", "the hand in progress; hand 3; what was played last (show all: all of it)", _MARK, _show,
    ),
    Command(
        "why", "why, why 3", "what the scores of the last hand, or of hand 3, are made of, with the pages", _ANYTHING, _why,
    ),
    Command(
        "standings", "standings, who", "the totals; who sits where, and which round it is",
        shows=lambda session, action: (Points(session.evening.position.points, "standings"),),
    ),
    Command("who", shows=lambda session, action: (Next(session.evening),)),
    Command(
        "counters", "counters, pool", "who holds which counters (counters babcock: use these from now on;"
        " counters none); the pool at the end (pool Ann: she takes it)", _SET,
        lambda session, action: (Counters(purses(session), "holdings"),), _take_up_counters,
    ),
    Command(
        "pool", takes=_PLAYER, shows=lambda session, action: (Counters(purses(session), "pool"),), does=_add_pool,
    ),
    Command(
        "note", "note any words", "a remark, saved in the file", _WORDS,
        does=lambda session, action: (session.changed(changes.add_note(session.evening, action.text)), ("noted",)),
        edits=partial(_put, changes.put_note), adds=True,
    ),
    Command(
        "label", "label any words", "a name for the hand under way", _WORDS,
        does=_label, edits=partial(_put, changes.put_label), adds=True,
    ),
    Command("drop", "drop", "discard the lines of this hand", does=_drop, edits=_leave),
    Command("same", "same again", "repeat the scores of the last hand, or the last event", does=_same),
    Command(
        "help", "help, help edit, quit", "this list; a command's help; the end", _WORDS,
        lambda session, action: (Help(action.text.casefold(), session.then.state.book),),
    ),
    Command("quit"),
)  # fmt: skip
COMMANDS: Mapping[str, Command] = {command.word: command for command in _TABLE}
# answers to a proposed edit
ANSWERS = {
    word: Command(word, edits=edits) for word, edits in (("yes", _write), ("keep", _write), ("no", _leave))
}
# lines that are not commands; and settle, which people type although the last line settles the hand
_TOLD = {
    "rows": Command("rows", does=_add_rows, edits=partial(_put, changes.put_records), adds=True),
    "event": Command("event", does=_add_event, edits=partial(_put, changes.put_records), adds=True),
    "settle": Command("settle", does=_settle),
}


def row_of(action: Action) -> Command:
    """Return the command, answer or kind of line that an action belongs to."""
    return {**COMMANDS, **ANSWERS, **_TOLD}.get(action.kind) or Command(action.kind)


def show_help(width: int, command: str = "") -> list[str]:
    """Return the lines of help on all commands, or on those that begin with *command*; none if none does."""
    usages = [row for row in COMMANDS.values() if row.usage]
    rows = [row for row in usages if any(part.startswith(command) for part in row.usage.split(", "))]
    lines: list[str] = []
    for line in () if command else _OF_LINES:
        # an example of several parts is broken between them if it is too wide
        parts = [line] if len(line) <= width else [f"  {part.strip()}" for part in line.split("     ")]
        lines += parts if line.startswith("  ") else wrap(line, width)
    longest = max((len(row.usage) for row in rows), default=0)
    for row in rows:
        if width < _WIDE_ENOUGH:
            lines += wrap(f"{row.usage}: {row.help}", width, initial_indent="  ", subsequent_indent="      ")
        else:
            first = f"  {row.usage:<{longest}}  "
            lines += wrap(row.help, width, initial_indent=first, subsequent_indent=" " * len(first))
    return lines


def _about_word(called: str, book: Rulebook | None, style: Style) -> list[str]:
    """Return text on the meaning and value of a word of the game, or on the nearest word; none if none is near."""
    from mjscore.page.glossary import glossary, word_called, word_in
    from mjscore.page.manual import show_word  # the glossary is loaded only when needed

    word = word_called(called) or word_in(called)
    if word is not None and book is not None:
        return [show_word(word, book, style)]
    near = did_you_mean(called, (*COMMANDS, *glossary()), " ").strip()
    return (
        [escape_controls(f"{called!r} is neither a command nor a word of the game; {near}")] if near else []
    )
