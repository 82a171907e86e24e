"""Changing an evening by what is typed: rows of the current hand, an event, a note, the pool; editing an entry.

Each ``add_*`` returns a ``Change`` or raises Refused; the caller reads the new text back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import gcd
from typing import NamedTuple

from mjscore.counters.counter_sets import NO_SET, load_counters
from mjscore.game.hand import Hand, quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.play.evening import (
    Entry,
    EveningFile,
    checked_lines,
    line_end,
    line_of,
    placeless,
    record_of,
    rewritten,
    row_of,
    rows_of,
    text_of,
    with_lines,
)
from mjscore.record import ledger
from mjscore.record.checker import Checked, check_block
from mjscore.record.context import State
from mjscore.record.events import EVENTS
from mjscore.record.lines import (
    MOST_DOUBLES,
    BlockLine,
    EastRow,
    EventLine,
    HeaderLine,
    Line,
    NoteLine,
    PaysRow,
    PlayersLine,
    Row,
    SeatRow,
    parse_line,
    renamed,
)
from mjscore.record.source import LONGEST_LINE, Block, SourceLine, is_blank
from mjscore.refusal import Place, Refused, escape_controls, refuse
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.settlement import Settlement

_EDITED = "edited; it paid before: "
_COUNTED = ("set", "bonus", "after", "limit", "shape")  # sections of a rulebook whose points add up to scores
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_INTO_THE_POOL = NoteLine("into the pool")


class Action(NamedTuple):
    """What a line asks for: its *kind*, and its argument as *text*.

    *records* are the parsed rows or event, for the kinds ``rows`` and ``event``; their names are those of the players
    whom the writer saw at the winds. *comment* is the comment that was typed, from its ``#`` on; *strict* says
    whether the line was in the notation.
    """

    kind: str
    text: str = ""
    records: tuple[SeatRow | EventLine, ...] = ()
    comment: str = ""
    strict: bool = True


class Change(NamedTuple):
    """A file's new text, with a description of what was added, for undo.

    *sheets* are the score sheets of typed hands.
    """

    text: str
    words: str
    sheets: tuple[ScoreSheet, ...] = ()


def check_row(state: State, row: SeatRow) -> tuple[SeatRow, ScoreSheet | None]:
    """Return a row with names in place of winds, and a hand's score sheet (None for a bare score).

    Raises Refused for a row that would be impossible even alone.
    """
    round_wind = state.round_wind
    said = row.given.round if isinstance(row.given, Hand) else row.round
    if said not in (None, round_wind):
        raise refuse("second-round", round=WIND_NAMES[round_wind], said=said)
    if (row.doubles or 0) > MOST_DOUBLES:
        raise refuse("huge-number", "hand", number=row.doubles)
    # a wind without a player is kept, to be refused
    named = _named(row, state.seats)
    records: dict[str, Line | Row] = {"hand": BlockLine(None, None), str(named): named}
    head, source = (SourceLine(1, text) for text in records)
    _, (checked,) = check_block(state, Block(head, (source,), last=True), records.__getitem__)
    for refusal in checked.refusals:
        raise Refused(refusal._replace(file=""))
    assert isinstance(checked.outcome, Settlement)
    return named, next(iter(checked.outcome.sheets.values()), None)


def _named(row: SeatRow, seats: dict[str, str]) -> SeatRow:
    """Return a row with names in place of winds, and without a round."""
    given = row.given._replace(round=None) if isinstance(row.given, Hand) else row.given
    return renamed(row._replace(given=given, round=None), seats)


def check_line(line: str) -> None:
    """Raise Refused for a line with characters that do not belong in a text file."""
    control = _CONTROL.search(line)
    if control:
        raise refuse("control-character", at=Place(line, *control.span()))
    try:
        encoded = line.encode("utf-8")
    except UnicodeEncodeError:
        # they come from a terminal set to another encoding, or from a damaged paste
        raise refuse("not-utf-8", "typed") from None
    if 2 * len(encoded) > LONGEST_LINE:
        raise refuse("long-line", count=len(encoded), at=Place(line, 0, 1))


@lru_cache(maxsize=8)
def score_granularity(book: Rulebook) -> int:
    """Return the number of which all scores by a rulebook are multiples: 2 in the books, where all points are even."""
    counted = [rule.points_under(book.limit) for rule in book.rules.values() if rule.section in _COUNTED]
    return gcd(*(points for points in (*counted, book.limit) if points is not None)) or 1


def impossible_score(record: SeatRow | EventLine, book: Rulebook) -> str:
    """Return why the rules cannot give the bare score in a row; empty if they can."""
    given, step = record.given if isinstance(record, SeatRow) else None, score_granularity(book)
    if not isinstance(given, int) or given % step == 0:
        return ""
    theirs = "even" if step == 2 else f"multiples of {step}"
    return f"{given} is not a possible score under these rules: all scores are {theirs}"


def add_rows(evening: EveningFile, typed: Sequence[SeatRow], comment: str = "") -> Change:
    """Return the text with rows, typed as one line, in the current hand, in place of the same players' earlier rows.

    The hand is settled when all players have rows that fit together. Raises Refused for impossible rows.
    """
    found = [check_row(evening.state, row) for row in typed]
    players = [escape_controls(row.name) for row, _ in found]
    words = f"the line of {', '.join(players)}" if len(players) > 1 else f"{players[0]}’s line"
    hand = evening.hand
    lines, given = list(hand.lines), hand.rows
    for number, (row, _) in enumerate(found, 1):
        place, said = given.get(row.name), comment if number == len(found) else ""
        if place is None:
            lines.append(row_of(row, evening.end, said))
        else:
            lines[place] = rewritten(lines[place], row, said)
    _, (checked,) = checked_lines(evening.state, lines)
    if checked.refusals and not checked.amiss:
        raise Refused(placeless(checked.refusals[0]))
    if not checked.missing and not checked.amiss:
        words = f"{words}, the last of hand {hand.mark}," if hand.is_open else f"hand {hand.mark}"
        assert isinstance(checked.outcome, Settlement)
        nets = tuple((checked.seats[wind], points) for wind, points in checked.outcome.net.items())
        there = {type(row) for _, row in rows_of(lines)}
        worked_out = (EastRow(checked.seats["E"]), PaysRow(nets))
        lines += [row_of(row, evening.end) for row in worked_out if type(row) not in there]
    sheets = tuple(sheet for _, sheet in found if sheet is not None)
    return Change(with_lines(evening.document, hand.place, lines), words, sheets)


def drop(evening: EveningFile) -> Change:
    """Return the text without the current hand. Raises Refused if no hand is in progress."""
    hand = evening.hand
    if not hand.is_open:
        raise refuse("nothing-to-drop")
    return Change(with_lines(evening.document, hand.place, ()), f"the dropping of hand {hand.mark}")


def check_between_hands(evening: EveningFile) -> None:
    """Raise Refused while a hand is in progress."""
    if evening.hand.is_open:
        raise refuse("hand-in-progress", "typed" if evening.hand.rows else "labelled")


def add_event(evening: EveningFile, line: EventLine, comment: str = "") -> Change:
    """Return the text with an event of ``EVENTS`` added, or with a change of seats. Raises Refused."""
    check_between_hands(evening)
    parse_line(str(line))
    return Change(
        evening.text + "".join(event_lines(evening, line, comment)), f"the {EVENTS[line.word].name}"
    )


def event_lines(evening: EveningFile, line: EventLine, comment: str = "") -> list[str]:
    """Return an event's lines: its head, and a row saying who was East if the event needs that. Raises Refused."""
    head = line_of(renamed(line, evening.state.seats), evening.end, comment=comment)
    _, (checked,) = checked_lines(evening.state, [head])
    for refusal in checked.refusals:
        raise Refused(refusal._replace(file=""))
    east = EastRow(evening.state.seats["E"])
    return [head, *([row_of(east, evening.end)] if EVENTS[line.word].names_east else [])]


def add_note(evening: EveningFile, words: str) -> Change:
    """Return the text with a note added to the current hand, or else between hands. Raises Refused."""
    note, hand, end = note_of(words), evening.hand, evening.end
    told = f"the note “{escape_controls(words[:30])}{'…' if len(words) > 30 else ''}”"
    lines = (*hand.lines, row_of(note, end)) if hand.is_open else (line_of(note, end),)
    return Change(with_lines(evening.document, hand.place, lines), told)


def note_of(words: str) -> NoteLine:
    """Return the note with these *words*. Raises Refused if it is empty."""
    if not words.strip():
        raise refuse("empty-note")
    return NoteLine(words.strip())


def add_label(evening: EveningFile, words: str) -> Change:
    """Return the text with a label for the current hand, even before its first row. Raises Refused."""
    hand = evening.hand
    head = labelled(hand.lines[0], words)
    if head == hand.lines[0]:
        raise refuse("empty-label", "same" if words else "none")
    return Change(with_lines(evening.document, hand.place, (head, *hand.lines[1:])), "the label")


def labelled(head: str, words: str) -> str:
    """Return the head line of a hand with another label, or with none. Raises Refused."""
    words = words.strip().strip('"')
    if '"' in words:
        raise refuse("not-in-entry", "quotation")
    record = record_of(head)
    assert isinstance(record, BlockLine)
    return rewritten(head, record._replace(label=words or None))


def add_pool(evening: EveningFile, winner: str, shares: dict[str, int]) -> Change:
    """Return the text with payments of *shares* (points) to *winner*, who gets the pool. Raises Refused."""
    check_between_hands(evening)
    payers = {name: points for name, points in shares.items() if points and name != winner}
    if not payers:
        raise refuse("empty-pool")
    text = evening.text + line_of(NoteLine(f"the pool goes to {quote_name(winner)}"), evening.end)
    for name, points in payers.items():
        text += line_of(EventLine("pay", (name, winner), number=points), evening.end)
        text += row_of(_INTO_THE_POOL, evening.end)
    return Change(text, f"the pool of {escape_controls(winner)}")


def with_counters(evening: EveningFile, name: str) -> Change:
    """Return the text with another set of counters in the head of the file, or none. Raises Refused."""
    name = "" if name.casefold() == NO_SET else name
    if name:
        load_counters(name, evening.state.context.folder)
    head = (line_of(HeaderLine("counters", name), evening.end),) if name else ()
    document: list[tuple[str, ...]] = []
    for lines in evening.document:
        record = None if is_blank(lines[0].rstrip("\r\n")) else record_of(lines[0])
        if isinstance(record, PlayersLine):
            document.append(head)
        if not (isinstance(record, HeaderLine) and record.word == "counters"):
            document.append(lines)
    return Change(text_of(document), f"the choice of counters, {name or NO_SET},")


def is_of_pool(entry: Entry) -> bool:
    """Return whether an entry is a payment into the pool."""
    return entry.kind == "pay" and any(row == _INTO_THE_POOL for _, row in rows_of(entry.lines))


class Edit(NamedTuple):
    """An evening before and after an edit, and the edited entry."""

    before: EveningFile
    after: EveningFile
    entry: Entry


def put_records(evening: EveningFile, entry: Entry, action: Action) -> Entry:
    """Return the entry being edited with typed lines in place of its own. Raises Refused."""
    lines = list(entry.lines)
    is_hand, is_event = entry.kind == "hand", entry.kind in EVENTS
    for record in action.records:
        if is_hand and isinstance(record, SeatRow):
            row, _ = check_row(entry.state, record)
            place = entry.rows[row.name]
            lines[place] = rewritten(lines[place], row, action.comment)
        elif is_event and isinstance(record, EventLine):
            event = record_of(event_lines(evening.at(entry), record)[0])
            lines[0] = rewritten(lines[0], event, action.comment)
        else:
            raise refuse("not-in-entry", "event" if is_event else entry.kind)
    return entry._replace(lines=tuple(lines))


def put_label(evening: EveningFile, entry: Entry, action: Action) -> Entry:
    """Return the hand being edited with another label, or without one. Raises Refused."""
    if entry.kind != "hand":
        raise refuse("not-in-entry", "label")
    return entry._replace(lines=(labelled(entry.lines[0], action.text), *entry.lines[1:]))


def put_note(evening: EveningFile, entry: Entry, action: Action) -> Entry:
    """Return the entry being edited with another note, or with one more. Raises Refused."""
    lines, words = list(entry.lines), action.text
    note = note_of(words)
    is_note = isinstance(record_of(lines[0]), NoteLine)
    notes = [0] if is_note else [place for place, row in rows_of(lines) if is_peoples_note(row)]
    if len(notes) > 1:
        number, _, rest = words.partition(" ")
        count = len(notes)
        notes = [place for which, place in enumerate(notes, 1) if number == str(which)]
        if not notes or not rest:
            raise refuse("not-in-entry", "notes", count=count)
        note = note_of(rest)
    for place in notes:
        lines[place] = rewritten(lines[place], note)
    if not notes:
        lines.append(row_of(note, evening.end))
    return entry._replace(lines=tuple(lines))


def is_peoples_note(row: Line | Row) -> bool:
    """Return whether a row is a note written by people, and not the record of an edit."""
    return isinstance(row, NoteLine) and not row.text.startswith("edited; ")


def apply(evening: EveningFile, draft: Entry, keep_winds: bool) -> Edit:
    """Return the edit that puts a draft, with a note of the old nets, in its entry's place; later ones adapt.

    With *keep_winds*, later hands keep the seats they had. Raises Refused if the entry, or a later one, would become
    invalid.
    """
    if draft.checked is not None:
        nets = str(PaysRow(tuple(draft.nets.items()))).partition(" ")[2]
        note = row_of(NoteLine(f"{_EDITED}{nets}"), evening.end)
        draft = draft._replace(lines=(*draft.lines, note))
    entries = {entry.place: entry for entry in (*evening.blocks, draft)}
    document, state = list(evening.document), draft.state
    for place in range(draft.place, len(document)):
        if place in entries:
            document[place] = _fitted(entries[place], state, keep_winds, place == draft.place)
        state, _ = checked_lines(state, document[place])
    return Edit(evening, evening.with_text(text_of(document)), draft)


def describe_draft(draft: Entry) -> str:
    """Return words for an edit, as in "the edit of hand 3"."""
    return f"the edit of {describe_entry(draft)}"


def describe_entry(entry: Entry) -> str:
    """Return words for an entry: ``hand 3``, ``the draw, hand 4``, ``the payment 4a``, ``the hand under way``."""
    if entry.is_open:
        return "the hand under way"
    if entry.kind in ("hand", "note"):
        return f"{entry.kind} {entry.mark.removeprefix('n')}"
    return f"the {EVENTS[entry.kind].name}{', hand' if entry.mark.isdecimal() else ''} {entry.mark}"


def _fitted(entry: Entry, state: State, keep_winds: bool, is_draft: bool) -> tuple[str, ...]:
    """Return the lines of an entry with winds, round and points adapted to the state before it. Raises Refused.

    With *keep_winds*, an entry that has, or may have, an ``east`` row keeps the winds at which it was played.
    """
    if entry.checked is None:
        return entry.lines
    lines = _with_winds(entry, state, keep_winds)
    if state.other_rules and not is_draft and lines == entry.lines:
        return lines  # as it was recorded
    bare = (line for line in lines if not isinstance(record_of(line), PaysRow))
    _, (checked,) = checked_lines(state, bare)
    if entry.is_open and checked.amiss:
        return lines
    unfit = [one for one in checked.refusals if entry.is_open or one.code != "expected-score"]
    if checked.missing and not entry.is_open:  # after a change of seats, others may play
        unfit.append(refuse("missing-seat", "moved", players=", ".join(checked.missing)).refusal)
    for refusal in unfit:
        message = f"{describe_entry(entry)} would no longer fit: {refusal.message}"
        raise Refused(placeless(refusal)._replace(message=message))
    before = entry.settlement
    return lines if entry.is_open else _with(lines, lambda record: _with_figures(record, checked, before))


def _with_winds(entry: Entry, state: State, keep_winds: bool) -> tuple[str, ...]:
    """Return an entry's lines with the present winds or, if *keep_winds*, an ``east`` row for old ones."""
    lines, then = entry.lines, entry.state
    easts = [row for _, row in rows_of(lines) if isinstance(row, EastRow)]
    stays = any(row.round for row in easts)
    is_moved = (state.seats, state.round_wind) != (then.seats, then.round_wind)
    assert state.position is not None
    assert then.position is not None
    # if the winner takes the East, the end of a round depends on how often it has passed
    by_passes, passes = state.book.settling.winner_takes_east is not None, then.position.passes
    if keep_winds and by_passes and state.position.passes != passes:
        is_moved, stays = True, False
    if not is_moved or stays:
        return lines
    if not keep_winds or not (easts or entry.kind == "hand" or EVENTS[entry.kind].names_east):
        return _with(lines, lambda record: _moved(record, then.seats, state))
    passed = passes % len(ledger.seats_for(len(then.position.players), then.book)) if by_passes else None
    kept = EastRow(then.seats["E"], then.round_wind, passed)
    if not easts:
        return (*lines, row_of(kept, line_end(lines[0])))
    return _with(lines, lambda record: kept if isinstance(record, EastRow) else record)


def _with(lines: Sequence[str], change: Callable[[Line | Row], Line | Row]) -> tuple[str, ...]:
    """Return lines with the records that *change* makes of theirs."""
    return tuple(rewritten(line, change(record_of(line))) for line in lines)


def _moved(record: Line | Row, seats: dict[str, str], now: State) -> Line | Row:
    """Return a record with players in place of the winds where they sat, and with the East and the round of *now*."""
    match record:
        case BlockLine(_, str()):
            return record._replace(round=now.round_wind)
        case EastRow():
            return EastRow(now.seats["E"])
        case SeatRow():
            return _named(record, seats)
    return renamed(record, seats)


def _with_figures(record: Line | Row, checked: Checked, then: Settlement) -> Line | Row:
    """Return a record whose points, if it has any, are those just computed; *then* is the old settlement."""
    settlement = checked.outcome
    assert isinstance(settlement, Settlement)
    winds = {name: wind for wind, name in checked.seats.items()}
    match record:
        case PaysRow(nets):
            names = [name for name, _ in nets]
            paid = {winds.get(name, name) for name in names}
            # after a correction above, others play or somebody sits out: then list all players
            if not paid <= settlement.net.keys() or len(names) == len(then.net) < len(settlement.net):
                names = [checked.seats[wind] for wind in settlement.net]
            return PaysRow(tuple((name, settlement.net[winds.get(name, name)]) for name in names))
        case SeatRow(name) if record.expected is not None:
            return record._replace(expected=settlement.sheets[winds.get(name, name)].score)
    return record
