"""An entry put right: its lines replaced, and all that follows worked out again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from mjscore.game.hand import Hand
from mjscore.play.actions import Action
from mjscore.play.changes import check_row, event_lines, labelled, note_of, told_event
from mjscore.play.document import line_end, text_of
from mjscore.play.evening import (
    Entry,
    Evening,
    block_of,
    checked_block,
    east_and_round,
    placeless,
    record_of,
    rewritten,
    row_of,
    rows_of,
)
from mjscore.record import ledger
from mjscore.record.checked import Checked
from mjscore.record.context import State
from mjscore.record.events import EVENTS
from mjscore.record.lines import BlockLine, EastRow, EventLine, Line, NoteLine, PaysRow, Row, SeatRow, renamed
from mjscore.refusal import Refused, refuse
from mjscore.settling.settlement import Settlement

_EDITED = "edited; it paid before: "


class Draft(NamedTuple):
    """An edit under way: the entry, and its lines as they are to be."""

    entry: Entry
    lines: tuple[str, ...]


class Rewritten(NamedTuple):
    """A line of a later entry that would be changed because a wind stands in it."""

    mark: str
    before: str
    after: str


class Edited(NamedTuple):
    """The text after an edit, and the lines of others that it has to change."""

    text: str
    rewritten: tuple[Rewritten, ...]


# ------------------------------------------------------------- what is typed


def begin_draft(evening: Evening, entry: Entry) -> Draft:
    """Begin the draft of an edit, before anything was typed."""
    return Draft(entry, evening.document[entry.place].lines)


def typed_into(evening: Evening, draft: Draft, action: Action) -> Draft:
    """Give the draft with what was typed in place of what it stands for. Raises Refused."""
    entry, end = draft.entry, line_end(evening.text)
    if action.kind == "note":
        return _with_note(draft, action.text, end)
    if action.kind == "label":
        if entry.kind != "hand":
            raise refuse("not-in-entry", "only a hand has a label", "type note and what is to be said")
        return _replaced(draft, 0, labelled(draft.lines[0], action.text))
    if entry.kind == "note":
        raise refuse("not-in-entry", "this entry is a note", "type note and what it is to say; or drop")
    for record in action.records:
        if entry.kind == "hand" and isinstance(record, SeatRow):
            draft = _with_row(evening, draft, record, end, action.comment)
        elif entry.kind != "hand" and isinstance(record, EventLine):
            draft = _replaced(draft, 0, event_lines(_evening_then(evening, entry), record, action.comment)[0])
        elif entry.kind == "hand":
            raise refuse("not-in-entry", "this entry is a hand", "type the line of a player as it is to be")
        else:
            raise refuse(
                "not-in-entry",
                "this entry is no hand",
                "type the line that it is to be: draw, wash S 11, pay S E 100",
            )
    return draft


def _evening_then(evening: Evening, entry: Entry) -> Evening:
    """Give the evening as it stood when an entry was played, with the winds that it was played at."""
    assert entry.checked is not None
    return evening._replace(state=entry.before._replace(position=entry.checked.before), open_hand=None)


def _replaced(draft: Draft, place: int, line: str) -> Draft:
    return draft._replace(lines=(*draft.lines[:place], line, *draft.lines[place + 1 :]))


def _with_row(evening: Evening, draft: Draft, typed: SeatRow, end: str, comment: str) -> Draft:
    entry = draft.entry
    then = _evening_then(evening, entry)
    row = check_row(then, typed, dict(entry.seats), east_and_round(entry)[1]).row
    place = next(
        place
        for place, old in rows_of(draft.lines)
        if isinstance(old, SeatRow) and entry.seats.get(old.name, old.name) == row.name
    )
    return _replaced(draft, place, row_of(row, end, comment))


def _with_note(draft: Draft, words: str, end: str) -> Draft:
    note = note_of(words)
    if draft.entry.kind == "note":
        return _replaced(draft, 0, rewritten(draft.lines[0], note))
    notes = [
        place
        for place, row in rows_of(draft.lines)
        if isinstance(row, NoteLine) and not row.text.startswith("edited; ")
    ]
    if not notes:
        return draft._replace(lines=(*draft.lines, row_of(note, end)))
    if len(notes) == 1:
        return _replaced(draft, notes[0], row_of(note, end))
    number, _, rest = words.partition(" ")
    numbered = {str(number): place for number, place in enumerate(notes, 1)}
    if number not in numbered or not rest:
        raise refuse(
            "not-in-entry", f"there are {len(notes)} notes here", "say which: note 1 and what it is to say"
        )
    return _replaced(draft, numbered[number], row_of(note_of(rest), end))


# ------------------------------------------------------------- what it makes of the file


def apply(evening: Evening, draft: Draft, keep_winds: bool) -> Edited:
    """Put a draft in the place of its entry, and fit every later one to it; *keep_winds* leaves later hands the seats
    that they had. Raises Refused where the entry, or one that follows, would not hold.
    """
    first = draft.entry.place
    lines = draft.lines
    if draft.entry.checked is not None:
        nets = str(PaysRow(tuple(draft.entry.nets.items()))).partition(" ")[2]
        lines = (*lines, row_of(NoteLine(f"{_EDITED}{nets}"), line_end(evening.text)))
    entries = {entry.place: entry for entry in evening.entries}
    under_way = evening.open_hand.place if evening.open_hand is not None else None
    state = entries[first].before
    text = text_of(evening.document[:first])
    changed: list[Rewritten] = []
    for place, block in enumerate(evening.document[first:], first):
        new = lines if place == first else block.lines
        entry = entries.get(place)
        if entry is not None and entry.checked is not None:
            new = _recomputed(new, entry, state, keep_winds)
            if place != first:
                changed += _rewritten(entry.mark, block.lines, new)
        elif place == under_way:
            new = _reseated(new, evening.seats, evening.round_wind, state, keep_winds)
            _, (checked,) = checked_block(state, block_of(new))
            _check([checked] if not checked.amiss else [], "the hand under way")
            changed += _rewritten(str(evening.hands + 1), block.lines, new)
        text += "".join(new)
        if block.head:
            state, _ = checked_block(state, block_of(new))
    return Edited(text, tuple(changed))


def told_draft(draft: Draft) -> str:
    """Give an edit in words."""
    return f"the edit of {told_entry(draft.entry)}"


def told_entry(entry: Entry) -> str:
    """Give an entry in words: ``hand 3``, ``the draw, hand 4``, ``the payment 4a``."""
    if entry.kind == "hand":
        return f"hand {entry.mark}"
    if entry.kind == "note":
        return f"note {entry.mark[1:]}"
    told = told_event(entry.kind)
    return f"{told}, hand {entry.mark}" if entry.mark.isdecimal() else f"{told} {entry.mark}"


def _check(results: Sequence[Checked], told: str) -> None:
    for checked in results:
        for refusal in checked.refusals:
            message = f"{told} would no longer fit: {refusal.message}"
            raise Refused(placeless(refusal)._replace(message=message))


def _rewritten(mark: str, before: Sequence[str], after: Sequence[str]) -> Iterator[Rewritten]:
    """Give the lines that somebody wrote and that say another thing now; what is worked out is not among them."""
    for old, new in zip(_written(before), _written(after), strict=True):
        said, says = record_of(old), record_of(new)
        if said != says and not isinstance(said, BlockLine):
            yield Rewritten(mark, old.strip(), new.strip())


def _written(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if not isinstance(record_of(line), EastRow | PaysRow)]


def _with(lines: Sequence[str], change: Callable[[Line | Row], Line | Row]) -> tuple[str, ...]:
    """Give lines that say what *change* makes of what they say."""
    return tuple(rewritten(line, change(record_of(line))) for line in lines)


def _recomputed(lines: Sequence[str], entry: Entry, state: State, keep_winds: bool) -> tuple[str, ...]:
    """Give the lines of a hand or event, fitted to where it is played now: winds, round, points."""
    says_east = any(isinstance(row, EastRow) for _, row in rows_of(lines))
    names_east = entry.kind == "hand" or EVENTS[entry.kind].names_east
    keep = keep_winds and (says_east or names_east)
    lines = _reseated(lines, dict(entry.seats), east_and_round(entry)[1], state, keep)
    bare = tuple(line for line in lines if not isinstance(record_of(line), PaysRow))
    _, results = checked_block(state, block_of(bare))
    wrong = (
        one._replace(refusals=tuple(each for each in one.refusals if each.code != "expected-score"))
        for one in results
    )
    _check(tuple(wrong), told_entry(entry))
    return _with(lines, lambda record: _with_figures(record, results[0]))


def _reseated(
    lines: Sequence[str], seats: dict[str, str], round_wind: str, state: State, keep: bool
) -> tuple[str, ...]:
    """Fit the lines of a block that was played at *seats* to who sits where now; with *keep* as it was played."""
    book = state.context.book()
    assert state.position is not None
    seats_now, round_now = ledger.seating(state.position, book), ledger.round_wind(state.position, book)
    rows = list(rows_of(lines))
    as_played = any(isinstance(row, EastRow) and row.round for _, row in rows)
    if as_played or (seats_now, round_now) == (seats, round_wind):
        return tuple(lines)
    if keep:
        east = EastRow(seats["E"], round_wind)
        if any(isinstance(row, EastRow) for _, row in rows):
            return _with(lines, lambda record: east if isinstance(record, EastRow) else record)
        return (*lines, row_of(east, line_end("".join(lines))))
    return _with(lines, lambda record: _moved(record, seats, seats_now["E"], round_now))


def _moved(record: Line | Row, seats: dict[str, str], east: str, round_wind: str) -> Line | Row:
    """Give a record with the players who sat at the winds that it names, and with the new East and round."""
    if isinstance(record, BlockLine):
        return record._replace(round=round_wind) if record.round else record
    if isinstance(record, EastRow):
        return record._replace(name=east)
    if isinstance(record, SeatRow):
        given = record.given._replace(round=None) if isinstance(record.given, Hand) else record.given
        return renamed(record._replace(given=given, round=None), seats)
    return renamed(record, seats) if isinstance(record, PaysRow | EventLine) else record


def _with_figures(record: Line | Row, checked: Checked) -> Line | Row:
    """Give a record with the points that are worked out now, where it says any."""
    settlement = checked.outcome
    assert isinstance(settlement, Settlement)
    winds = {name: wind for wind, name in checked.seats.items()}
    if isinstance(record, PaysRow):
        nets = ((name, settlement.net[winds.get(name, name)]) for name, _ in record.nets)
        return record._replace(nets=tuple(nets))
    if isinstance(record, SeatRow) and record.expected is not None:
        return record._replace(expected=settlement.sheets[winds.get(record.name, record.name)].score)
    return record
