"""What typed lines make of a file's text: a row of the hand under way, an event, a note, the pool.

Each function takes the account of the text as it is and gives a ``Change``, or raises Refused. Whether the
new text reads back is found out by whoever takes it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from mjscore.game.hand import Hand, quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.play.document import INDENT, line_end, with_lines, without
from mjscore.play.names import with_names
from mjscore.play.reading import Account, Entry, checked_block, placeless, source_line, try_block
from mjscore.play.rows import WAS, in_one_line, replaced, settled, taken_in, told_rows, waiting
from mjscore.record.checked import Checked
from mjscore.record.events import EVENTS
from mjscore.record.lines import EastRow, PaysRow, SeatRow, parse_row
from mjscore.record.source import LONGEST_LINE, Block
from mjscore.refusal import Refusal, Refused, refuse, visible
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.settlement import Settlement

_INTO_THE_POOL = "note into the pool"
WHOSE_POOL = "note the pool goes to "
_LABEL = re.compile(r'[ \t]*(?:"[^"\n]*"|[^\s"#:!=+<>()\[\],]+)[ \t]*:')
_HEAD_LABEL = re.compile(r'hand\b[ \t]*(?P<label>"[^"\n]*")?[ \t]*')


class Change(NamedTuple):
    """A file's new text, and in words what it holds that the old one did not: what undoing takes back.

    *sheets* are the score sheets of typed hands, *waits* is why a line waits for another to be put right.
    """

    text: str
    words: str
    sheets: tuple[ScoreSheet, ...] = ()
    waits: Refusal | None = None


class TypedRow(NamedTuple):
    """A player's line: what stands behind its colon, and the score sheet where it holds a hand."""

    player: str
    body: str
    sheet: ScoreSheet | None


def typed_row(account: Account, line: str, seats: dict[str, str], round_wind: str) -> TypedRow:
    """A player's line, scored by itself at a table of *seats*. Raises Refused, with the place in it."""
    row = parse_row(line)
    if not isinstance(row, SeatRow):
        raise refuse(
            "no-seat-line", "a line begins with a seat, or is a command", "type help", 1, 1, len(line), line
        )
    player = seats.get(row.name, row.name)
    if isinstance(row.given, Hand) and row.given.round not in (None, round_wind):
        raise refuse(
            "second-round",
            f"this is the {WIND_NAMES[round_wind]} round",
            f"leave out @{row.given.round}",
            1,
            1,
            len(line),
            line,
        )
    named = with_names(line, seats)
    label = _LABEL.match(named)
    assert label is not None
    body = named[label.end() :].strip()
    return TypedRow(player, body, _sheet_of(account, player, body, line))


def _sheet_of(account: Account, player: str, body: str, line: str) -> ScoreSheet | None:
    """The score sheet of a hand in a line, checked as if nobody else had one."""
    row = source_line(f"{quote_name(player)}: {body}")
    state = account.state._replace(position=account.hand_position)
    _, (checked,) = checked_block(state, Block(source_line("hand"), (row,), last=True))
    for refusal in checked.refusals:
        # the place is that in the line as it was typed, where it is stored as it was
        here = refusal.text == line
        raise Refused(refusal._replace(file="") if here else placeless(refusal))
    assert isinstance(checked.outcome, Settlement)
    return next(iter(checked.outcome.sheets.values()), None)


def check_line(line: str) -> None:
    """Raises Refused for a typed line that no file of text should have."""
    for number, character in enumerate(line, 1):
        if (character < " " and character != "\t") or character == "\x7f":
            raise refuse(
                "control-character",
                "a control character was typed or pasted into the line",
                "type the line again",
                1,
                number,
                1,
                line,
            )
    try:
        encoded = line.encode("utf-8")
    except UnicodeEncodeError:
        # a terminal that is set for another encoding gives such characters, and so does a damaged paste
        raise refuse(
            "not-utf-8", "what was typed is not UTF-8 text", "type it again, or set the terminal to UTF-8"
        ) from None
    if 2 * len(encoded) > LONGEST_LINE:
        raise refuse("long-line", f"a line of {len(encoded)} bytes", "one line holds one hand", 1, 1, 1, line)


# ------------------------------------------------------------- the hand under way


def add_rows(account: Account, typed: Sequence[str]) -> Change:
    """Players' lines, typed as one, for the hand under way, in place of earlier ones of theirs; it is settled when
    all have one. A line that is right by itself but does not go with the others (two winners) waits as a comment.
    """
    rows = [typed_row(account, line, account.seats, account.round_wind) for line in typed]
    sheets = tuple(row.sheet for row in rows if row.sheet is not None)
    told = told_rows(row.player for row in rows)
    end = line_end(account.text)
    hand = account.open_hand
    lines = list(account.document[hand.place].lines) if hand is not None else [_head(account)]
    if hand is not None:
        for row in rows:
            before = {**hand.rows, **hand.waiting}.get(row.player)
            if before is not None:
                lines[before] = replaced(lines[before])
    new = [f"{INDENT}{quote_name(row.player)}: {row.body}{end}" for row in rows]
    refusal: Refusal | None = None
    try:
        found = try_block(account.state, (*map(taken_in, lines), *new))
    except Refused as refused:
        refusal = placeless(refused.refusal)
    else:
        if not found.missing:
            number = account.hands + 1
            closing = settled(lines, new, end) if hand is not None else [*lines, *new]
            words = f"{told}, the last of hand {number}," if hand is not None else f"hand {number}"
            return Change(_with_hand(account, [*closing, *_worked_out(closing, found, end)]), words, sheets)
    return Change(_with_hand(account, lines + _that_go(account, lines, new, end)), told, sheets, refusal)


def _that_go(account: Account, lines: list[str], new: list[str], end: str) -> list[str]:
    """New rows below a hand's lines, as comments those that do not go with them."""
    kept: list[str] = []
    for row in new:
        try:
            try_block(account.state, (*lines, *kept, row))
        except Refused:
            row = waiting(row)
        kept.append(row)
    return in_one_line(kept, end)


def _worked_out(lines: list[str], checked: Checked, end: str) -> list[str]:
    """Who was East and who pays what, for a settled hand that does not say it."""
    assert isinstance(checked.outcome, Settlement)
    rows = [parse_row(line.rstrip("\r\n")) for line in lines[1:]]
    said = []
    if not any(isinstance(row, EastRow) for row in rows):
        said.append(f"{INDENT}east {quote_name(checked.seats['E'])}{end}")
    if not any(isinstance(row, PaysRow) for row in rows):
        pays = " ".join(
            f"{quote_name(checked.seats[wind])} {points:+d}" for wind, points in checked.outcome.net.items()
        )
        said.append(f"{INDENT}pays {pays}{end}")
    return said


def _head(account: Account) -> str:
    return f"hand @{account.round_wind}{line_end(account.text)}"


def _with_hand(account: Account, lines: list[str]) -> str:
    hand = account.open_hand
    if hand is None:
        return account.text + "".join(lines)
    return with_lines(account.document, hand.place, lines)


def drop(account: Account) -> Change:
    """The text without the hand under way."""
    if account.open_hand is None:
        raise refuse("nothing-to-drop", "no hand is being typed", "type undo to take back the last one")
    text = without(account.document, [account.open_hand.place])
    return Change(text, f"the dropping of hand {account.hands + 1}")


# ------------------------------------------------------------- between hands


def check_between_hands(account: Account) -> None:
    """Raises Refused while a hand is under way."""
    if account.open_hand is not None:
        raise refuse("hand-in-progress", "a hand is being typed", "finish it, or type drop")


def add_event(account: Account, line: str) -> Change:
    """A draw, a wash, a false win, a long hand, a penalty or a payment."""
    check_between_hands(account)
    block = event_block(account, line)
    return Change(account.text + block, told_event(line))


def event_block(account: Account, line: str) -> str:
    """An event's lines below what there is: with who was East, where it is not a payment."""
    end = line_end(account.text)
    named = with_names(line, account.seats)
    block = named + end
    if EVENTS[named.split()[0]].names_east:
        block += f"{INDENT}east {quote_name(account.seats['E'])}{end}"
    try:
        try_block(account.state, (named + end,))
    except Refused as refused:
        refusal = refused.refusal
        raise Refused(refusal._replace(file="") if named == line else placeless(refusal)) from None
    return block


def told_event(line: str) -> str:
    """An event in words: ``the draw``, ``the payment``."""
    return f"the {EVENTS[line.split()[0]].name}"


def add_note(account: Account, words: str) -> Change:
    """A remark: in the hand under way, else between hands."""
    if not words:
        raise refuse("empty-note", "the note says nothing", "type note and what it is to say")
    end = line_end(account.text)
    told = f"the note “{visible(words[:30])}{'…' if len(words) > 30 else ''}”"
    hand = account.open_hand
    if hand is not None:
        text = _with_hand(account, [*account.document[hand.place].lines, f"{INDENT}note {words}{end}"])
        return Change(text, told)
    return Change(f"{account.text}note {words}{end}", told)


def add_label(account: Account, words: str) -> Change:
    """What the hand that is being typed is called; the first of its lines may come afterwards."""
    hand = account.open_hand
    lines = [_head(account)] if hand is None else list(account.document[hand.place].lines)
    before = lines[0]
    lines[0] = labelled(before, words)
    if lines[0] == before:
        raise refuse(
            "empty-label",
            "label what?" if not words else "it has that label",
            "type label and what the hand is called",
        )
    if hand is not None:
        lines.append(f"{INDENT}{WAS}{before}")
    return Change(_with_hand(account, lines), "the label")


def labelled(head: str, words: str) -> str:
    """The head of a hand with a label, or without one. Raises Refused."""
    words = words.strip('"')
    if '"' in words:
        raise refuse("not-in-entry", "a quotation mark cannot stand in a label", "leave it out")
    found = _HEAD_LABEL.match(head)
    assert found is not None
    label = f'"{words}" ' if words else ""
    return f"hand {label}{head[found.end() :]}"


def add_pool(account: Account, winner: str, shares: dict[str, int]) -> Change:
    """The pool of small counters, which *winner* has thrown the highest for: a payment from each of the others."""
    check_between_hands(account)
    end = line_end(account.text)
    payers = {name: points for name, points in shares.items() if points and name != winner}
    if not payers:
        raise refuse(
            "empty-pool", "nobody has anything to put into the pool", "play on: everybody holds even hundreds"
        )
    text = account.text + f"{WHOSE_POOL}{quote_name(winner)}{end}"
    for name, points in payers.items():
        text += f"pay {quote_name(name)} {quote_name(winner)} {points}{end}{INDENT}{_INTO_THE_POOL}{end}"
    return Change(text, f"the pool of {visible(winner)}")


def is_of_pool(account: Account, entry: Entry) -> bool:
    """Whether an entry is what a player has put into the pool."""
    lines = account.document[entry.place].lines
    return entry.kind == "pay" and any(line.strip() == _INTO_THE_POOL for line in lines)
