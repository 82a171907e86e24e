"""An entry put right: its lines replaced, and all that follows worked out again.

A mended entry keeps what it was: above each line that an edit replaced stands the old one, as a comment
(``# edit 2 of 9, before:   Dee: dead``: the second edit, when there were nine entries). Where a hand was under way, it says
behind which of its lines (``# edit 2 of 9, made here``). Taking an edit back restores those lines and works out
again what follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mjscore.game.hand import quote_name
from mjscore.play.changes import event_block, labelled, told_event, typed_row
from mjscore.play.document import INDENT, Lines, line_end, text_of
from mjscore.play.names import with_names
from mjscore.play.reading import Account, Entry, block_of, checked_block, east_and_round, placeless
from mjscore.play.rows import is_typed
from mjscore.record import ledger
from mjscore.record.checked import Checked
from mjscore.record.context import State
from mjscore.record.events import EVENTS
from mjscore.record.lines import EastRow, NoteLine, PaysRow, Row, SeatRow, parse_row
from mjscore.refusal import Refused, refuse
from mjscore.settling.settlement import Settlement

_EDIT = re.compile(
    r"[ \t]*# edit (?P<number>[0-9]{1,6}) of (?P<entries>[0-9]{1,6}), "
    r"(?:before: (?P<line>.*\n?)|added below\r?\n?|(?P<here>made here)\r?\n?)\Z",
    re.DOTALL,
)
_EAST = re.compile(r'(?P<before>\A[ \t]*east[ \t]+)("[^"\n]*"|[^\s"#@]+)')
_HEAD_ROUND = re.compile(r'(?P<before>\Ahand\b(?:[ \t]*"[^"\n]*")?[ \t]*)@[ \t]*[ESWN]')
_PAIR = re.compile(
    r'(?P<aside>#.*)|(?P<name>"[^"\n]*"|(?<![^\s"#:!=+<>()\[\],])[^\s"#:!=+<>()\[\],]+)(?P<space>[ \t]+)(?P<points>[+\-−]?[0-9]+)'
)
_EXPECTED = re.compile(
    r'(?P<before>\A(?:"[^"\n]*"|[^"#])*=[ \t]*)(?P<points>[0-9]+)(?P<after>[ \t]*(?:#.*)?(?:\r?\n)?)\Z',
    re.DOTALL,
)


class Draft(NamedTuple):
    """An edit under way: the entry, its lines as they are to be, and which of them are new.

    *changed* are places in *lines*, each with the line that it replaces, None for one that was added.
    """

    entry: Entry
    lines: tuple[str, ...]
    changed: Mapping[int, str | None] = {}


class Rewritten(NamedTuple):
    """A line of a later entry that would be changed because a wind stands in it."""

    mark: str
    before: str
    after: str


class Mended(NamedTuple):
    """The text after an edit, and the lines of others that it has to change."""

    text: str
    rewritten: tuple[Rewritten, ...]


# ------------------------------------------------------------- what is typed


def begin_draft(account: Account, entry: Entry) -> Draft:
    """The draft of an edit before anything was typed."""
    return Draft(entry, account.document[entry.place].lines)


def typed_into(account: Account, draft: Draft, line: str) -> Draft:
    """The draft with a typed line in place of the one that it stands for. Raises Refused."""
    entry = draft.entry
    word, _, rest = line.partition(" ")
    end = line_end(account.text)
    if word == "note":
        return _with_note(draft, rest.strip(), end)
    if word == "label":
        return _with_label(draft, rest.strip())
    if entry.kind == "hand":
        return _with_row(account, draft, line, end)
    if entry.kind == "note":
        raise refuse("not-in-entry", "this entry is a note", "type note and what it is to say; or drop")
    if word not in EVENTS:
        raise refuse(
            "not-in-entry",
            "this entry is no hand",
            "type the line that it is to be: draw, wash S 11, pay S E 100",
        )
    assert entry.checked is not None
    then = _account_then(account, entry)
    named = event_block(then, with_names(line, entry.checked.seats)).splitlines(keepends=True)[0]
    return _replaced(draft, 0, named)


def _account_then(account: Account, entry: Entry) -> Account:
    """The account as it stood when an entry was played, with the winds that it was played at."""
    assert entry.checked is not None
    return account._replace(state=entry.before._replace(position=entry.checked.before), open_hand=None)


def _replaced(draft: Draft, place: int, line: str) -> Draft:
    old = draft.changed[place] if place in draft.changed else draft.lines[place]
    lines = (*draft.lines[:place], line, *draft.lines[place + 1 :])
    return draft._replace(lines=lines, changed={**draft.changed, place: old})


def _added(draft: Draft, line: str) -> Draft:
    return draft._replace(lines=(*draft.lines, line), changed={**draft.changed, len(draft.lines): None})


def _with_row(account: Account, draft: Draft, line: str, end: str) -> Draft:
    entry = draft.entry
    assert entry.checked is not None
    row = typed_row(_account_then(account, entry), line, dict(entry.checked.seats), east_and_round(entry)[1])
    new = f"{INDENT}{quote_name(row.player)}: {row.body}{end}"
    seats = entry.checked.seats
    place = next(
        place
        for place, old in _rows(draft.lines)
        if isinstance(old, SeatRow) and seats.get(old.name, old.name) == row.player
    )
    return _replaced(draft, place, new)


def _with_note(draft: Draft, words: str, end: str) -> Draft:
    if not words:
        raise refuse("empty-note", "the note says nothing", "type note and what it is to say")
    if draft.entry.kind == "note":
        return _replaced(draft, 0, f"note {words}{end}")
    notes = [
        place
        for place, row in _rows(draft.lines)
        if isinstance(row, NoteLine) and not row.text.startswith("edited; ")
    ]
    if not notes:
        return _added(draft, f"{INDENT}note {words}{end}")
    if len(notes) == 1:
        (only,) = notes
        return _replaced(draft, only, f"{INDENT}note {words}{end}")
    number, _, rest = words.partition(" ")
    numbered = {str(number): place for number, place in enumerate(notes, 1)}
    if number not in numbered or not rest:
        raise refuse(
            "not-in-entry", f"there are {len(notes)} notes here", "say which: note 1 and what it is to say"
        )
    return _replaced(draft, numbered[number], f"{INDENT}note {rest}{end}")


def _with_label(draft: Draft, words: str) -> Draft:
    if draft.entry.kind != "hand":
        raise refuse("not-in-entry", "only a hand has a label", "type note and what is to be said")
    return _replaced(draft, 0, labelled(draft.lines[0], words))


def _rows(lines: tuple[str, ...]) -> Iterator[tuple[int, Row]]:
    """The rows of a block with their places in it, comments left out."""
    for place, line in enumerate(lines[1:], 1):
        row = parse_row(line.rstrip("\r\n"))
        if row is not None:
            yield place, row


# ------------------------------------------------------------- what it makes of the file


def mended(account: Account, draft: Draft, keep_winds: bool) -> Mended:
    """The text with a draft in place of its entry; *keep_winds* leaves later hands the seats that they had.

    Raises Refused where the entry, or one that follows, would not hold.
    """
    number = 1 + max((edit for edit, _ in _edits(account)), default=0)
    mark = f"{INDENT}# edit {number} of {len(account.entries)}, "
    end = line_end(account.text)
    lines: list[str] = []
    for place, line in enumerate(draft.lines):
        marks = []
        if place in draft.changed:
            old = draft.changed[place]
            marks = [f"{mark}added below{end}" if old is None else f"{mark}before: {old}"]
        # nothing of a block can stand above its head
        lines += [*marks, line] if place else [line, *marks]
    if draft.entry.checked is not None:
        nets = " ".join(f"{quote_name(name)} {points:+d}" for name, points in draft.entry.nets.items())
        lines += [f"{mark}added below{end}", f"{INDENT}note edited; it paid before: {nets}{end}"]
    return _worked_out_again(account, draft.entry.place, tuple(lines), mark, keep_winds)


def told_draft(draft: Draft) -> str:
    """An edit in words."""
    return f"the edit of {told_entry(draft.entry)}"


def told_entry(entry: Entry) -> str:
    """An entry in words: ``hand 3``, ``the draw, hand 4``, ``the payment 4a``."""
    if entry.kind == "hand":
        return f"hand {entry.mark}"
    if entry.kind == "note":
        return f"note {entry.mark[1:]}"
    told = told_event(entry.kind)
    return f"{told}, hand {entry.mark}" if entry.mark.isdecimal() else f"{told} {entry.mark}"


def _edits(account: Account) -> Iterator[tuple[int, int]]:
    """The edits whose marks stand in the file: the number of each, and how many entries there were."""
    for block in account.document:
        for line in block.lines:
            found = _EDIT.match(line) if block.head else None
            if found:
                yield int(found["number"]), int(found["entries"])


def last_edit(account: Account) -> int | None:
    """The number of the edit that was done last, if nothing has been typed since."""
    latest = max(_edits(account), default=None)
    if latest is None or latest[1] < len(account.entries):
        return None
    number = latest[0]
    if account.open_hand is None:
        return number
    lines = account.document[account.open_hand.place].lines
    here = [place for place, line in enumerate(lines) if _EDIT.match(line)]
    return number if here and not any(map(is_typed, lines[here[-1] :])) else None


def unmended(account: Account, number: int) -> tuple[str, str]:
    """The text before an edit, from the marks that it left, and what it was the edit of."""
    document: list[Lines] = []
    first = len(account.document)
    for place, block in enumerate(account.document):
        lines = _restored(block.lines, number) if block.head else block.lines
        if lines != block.lines:
            first = min(first, place)
        document.append(block._replace(lines=lines))
    entry = next(entry for entry in account.entries if entry.place == first)
    # the blocks keep their places, though not their line numbers
    return (
        _worked_out_again(
            account._replace(document=tuple(document)), first, document[first].lines, "", False
        ).text,
        f"the edit of {told_entry(entry)}",
    )


def _restored(lines: tuple[str, ...], number: int) -> tuple[str, ...]:
    restored: list[str] = []
    skip = False
    for line in lines:
        found = _EDIT.match(line)
        if found and int(found["number"]) == number:
            old = found["line"]
            if found["here"]:
                continue
            if old is not None and old[:1] not in (" ", "\t"):
                restored = [old]  # the head, below which its old form stands
                continue
            skip = True
            if old is not None:
                restored.append(old)
        elif skip:
            skip = False
        else:
            restored.append(line)
    return tuple(restored)


def _worked_out_again(
    account: Account, first: int, lines: tuple[str, ...], mark: str, keep_winds: bool
) -> Mended:
    """The text with other lines for the block at *first*, and every later one fitted to it.

    *mark* is how the marks of an edit begin. With *keep_winds* they are kept as they were played, said so in the
    first block that would differ.
    """
    keep_mark = mark if keep_winds else None
    entries = {entry.place: entry for entry in account.entries}
    under_way = account.open_hand.place if account.open_hand is not None else None
    state = entries[first].before
    text = text_of(account.document[:first])
    rewritten: list[Rewritten] = []
    for place, block in enumerate(account.document[first:], first):
        new = lines if place == first else block.lines
        entry = entries.get(place)
        if entry is not None and entry.checked is not None:
            new = _fitted(new, entry, state, keep_mark)
            if place != first:
                rewritten += _rewritten(entry.mark, block.lines, new)
        elif place == under_way:
            new = _at_winds(new, account.seats, account.round_wind, state, keep_mark)
            _check(checked_block(state, block_of(new))[1], "the hand under way")
            rewritten += _rewritten(str(account.hands + 1), block.lines, new)
            new = (*new, f"{mark}made here{line_end(account.text)}") if mark else new
        text += "".join(new)
        if block.head:
            state, _ = checked_block(state, block_of(new))
    return Mended(text, tuple(rewritten))


def _position(state: State) -> ledger.Position:
    assert state.position is not None
    return state.position


def _check(results: tuple[Checked, ...], told: str) -> None:
    for checked in results:
        for refusal in checked.refusals:
            message = f"{told} would no longer fit: {refusal.message}"
            raise Refused(placeless(refusal)._replace(message=message))


def _rewritten(mark: str, before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[Rewritten]:
    """The lines that somebody wrote and that are others now; what is worked out is not among them."""
    for one, other in zip(_written(before), _written(after), strict=True):
        if _HEAD_ROUND.sub("", one) != _HEAD_ROUND.sub("", other):
            yield Rewritten(mark, one.strip(), other.strip())


def _written(lines: tuple[str, ...]) -> list[str]:
    """The lines that are neither worked out nor marks of edits."""
    return [line for line in lines if not (isinstance(_row(line), EastRow | PaysRow) or _EDIT.match(line))]


def _row(line: str) -> Row:
    """The row that a line is; None for a head."""
    try:
        return parse_row(line.rstrip("\r\n"))
    except Refused:
        return None


def _fitted(lines: tuple[str, ...], entry: Entry, state: State, keep_mark: str | None) -> tuple[str, ...]:
    """The lines of a hand or event, fitted to where it is played now: winds, round, points."""
    assert entry.checked is not None
    seats, (_, round_wind) = dict(entry.checked.seats), east_and_round(entry)
    says_east = any(isinstance(row, EastRow) for _, row in _rows(lines))
    lines = _at_winds(
        lines, seats, round_wind, state, keep_mark if says_east or entry.kind != "pay" else None
    )
    bare = tuple(line for line in lines if not isinstance(_row(line), PaysRow))
    _, results = checked_block(state, block_of(bare))
    _check(tuple(one._replace(refusals=_but_scores(one)) for one in results), told_entry(entry))
    (checked,) = results
    return tuple(_figures(line, checked) for line in lines)


def _at_winds(
    lines: tuple[str, ...], seats: Mapping[str, str], round_wind: str, state: State, keep_mark: str | None
) -> tuple[str, ...]:
    """The lines of a block that was played at *seats*, fitted to who sits where now; with *keep_mark* as played."""
    book = state.context.book()
    new_seats = ledger.seating(_position(state), book)
    new_round = ledger.round_wind(_position(state), book)
    as_played = any(isinstance(row, EastRow) and row.round for _, row in _rows(lines))
    if as_played or (new_seats == seats and new_round == round_wind):
        return lines
    if keep_mark is not None:
        return _kept(lines, seats["E"], round_wind, keep_mark)
    return _moved(lines, seats, new_seats["E"], new_round)


def _but_scores(checked: Checked) -> tuple:  # type: ignore[type-arg]
    return tuple(refusal for refusal in checked.refusals if refusal.code != "expected-score")


def _kept(lines: tuple[str, ...], east: str, round_wind: str, mark: str) -> tuple[str, ...]:
    """The lines with an ``east`` row that holds whatever the hands above say."""
    end = line_end("".join(lines))
    kept = f"{INDENT}east {quote_name(east)} @{round_wind}{end}"
    for place, row in _rows(lines):
        if isinstance(row, EastRow):
            return (*lines[:place], f"{mark}before: {lines[place]}", kept, *lines[place + 1 :])
    return (*lines, f"{mark}added below{end}", kept)


def _moved(lines: tuple[str, ...], seats: Mapping[str, str], east: str, round_wind: str) -> tuple[str, ...]:
    """The lines with the players who sat at the winds that they name, and with the new East and round."""
    moved = [_HEAD_ROUND.sub(rf"\g<before>@{round_wind}", with_names(lines[0], seats))]
    for line in lines[1:]:
        row = _row(line)
        if isinstance(row, EastRow):
            line = _EAST.sub(lambda match: f"{match['before']}{quote_name(east)}", line)
        elif row is not None:
            line = with_names(line, seats)
        moved.append(line)
    return tuple(moved)


def _figures(line: str, checked: Checked) -> str:
    """A line with the points that are worked out now, where it says any."""
    settlement = checked.outcome
    assert isinstance(settlement, Settlement)
    row = _row(line)
    seat_of = {name: wind for wind, name in checked.seats.items()}
    if isinstance(row, PaysRow):

        def worked_out(match: re.Match[str]) -> str:
            if match["aside"]:
                return match.group()
            name = match["name"].strip('"')
            points = settlement.net[seat_of.get(name, name)]
            if points == int(match["points"].replace("−", "-")):
                return match.group()
            return f"{match['name']}{match['space']}{points:+d}"

        return _PAIR.sub(worked_out, line)
    if isinstance(row, SeatRow) and row.expected is not None:
        score = settlement.sheets[seat_of.get(row.name, row.name)].score
        return _EXPECTED.sub(rf"\g<before>{score}\g<after>", line)
    return line
