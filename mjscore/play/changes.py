"""What is typed made part of an evening: rows of the hand under way, an event, a note, the pool.

Each function takes the evening as it is and gives a ``Change``, or raises Refused. Whether the new text reads back is
found out by whoever takes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mjscore.game.hand import Hand, quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.play.document import line_end, with_lines, without
from mjscore.play.evening import (
    Entry,
    Evening,
    block_of,
    checked_block,
    line_of,
    placeless,
    record_of,
    rewritten,
    row_of,
    rows_of,
    try_block,
)
from mjscore.record.checked import Checked
from mjscore.record.events import EVENTS
from mjscore.record.lines import (
    MOST_DOUBLES,
    MOST_POINTS,
    BlockLine,
    EastRow,
    EventLine,
    NoteLine,
    PaysRow,
    SeatRow,
    parse_line,
    renamed,
)
from mjscore.record.source import LONGEST_LINE, Block, SourceLine
from mjscore.refusal import Place, Refused, refuse, visible
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.settlement import Settlement

_INTO_THE_POOL = NoteLine("into the pool")


class Change(NamedTuple):
    """A file's new text, and in words what it holds that the old one did not: what undoing takes back.

    *sheets* are the score sheets of typed hands.
    """

    text: str
    words: str
    sheets: tuple[ScoreSheet, ...] = ()


class CheckedRow(NamedTuple):
    """A player's row, with names for winds, and the score sheet where it holds a hand."""

    row: SeatRow
    sheet: ScoreSheet | None


def check_row(evening: Evening, row: SeatRow, seats: dict[str, str], round_wind: str) -> CheckedRow:
    """Score a player's row at a table of *seats*, as if nobody else had one. Raises Refused."""
    said = row.given.round if isinstance(row.given, Hand) else row.round
    if said not in (None, round_wind):
        raise refuse("second-round", f"this is the {WIND_NAMES[round_wind]} round", f"leave out @{said}")
    for number, most in ((row.given, MOST_POINTS), (row.doubles, MOST_DOUBLES)):
        if isinstance(number, int) and not 0 <= number <= most:
            raise refuse("huge-number", f"{number} is no score of a hand", "type the points of one hand")
    given = row.given._replace(round=None) if isinstance(row.given, Hand) else row.given
    # a wind that is nobody's stays what it is, and is refused
    named = renamed(row._replace(given=given, round=None), seats)
    source = SourceLine(1, str(named), None, named)
    state = evening.state._replace(position=evening.hand_position)
    _, (checked,) = checked_block(
        state, Block(SourceLine(1, "hand", None, BlockLine(None, None)), (source,), last=True)
    )
    for refusal in checked.refusals:
        raise Refused(refusal._replace(file=""))
    assert isinstance(checked.outcome, Settlement)
    return CheckedRow(named, next(iter(checked.outcome.sheets.values()), None))


def check_line(line: str) -> None:
    """Raise Refused for a typed line that no file of text should have."""
    for number, character in enumerate(line):
        if (character < " " and character != "\t") or character == "\x7f":
            raise refuse(
                "control-character",
                "a control character was typed or pasted into the line",
                "type the line again",
                at=Place(line, number, number + 1),
            )
    try:
        encoded = line.encode("utf-8")
    except UnicodeEncodeError:
        # a terminal that is set for another encoding gives such characters, and so does a damaged paste
        raise refuse(
            "not-utf-8", "what was typed is not UTF-8 text", "type it again, or set the terminal to UTF-8"
        ) from None
    if 2 * len(encoded) > LONGEST_LINE:
        raise refuse(
            "long-line", f"a line of {len(encoded)} bytes", "one line holds one hand", at=Place(line, 0, 1)
        )


# ------------------------------------------------------------- the hand under way


def add_rows(evening: Evening, typed: Sequence[SeatRow], comment: str = "") -> Change:
    """Take players' rows, typed as one line, for the hand under way, in place of earlier ones of theirs; it is settled
    when all have one and they go together.
    """
    found = [check_row(evening, row, evening.seats, evening.round_wind) for row in typed]
    sheets = tuple(row.sheet for row in found if row.sheet is not None)
    words = told_rows([row.row.name for row in found])
    end = line_end(evening.text)
    hand = evening.open_hand
    lines = list(evening.document[hand.place].lines) if hand is not None else [_head(evening)]
    for number, (row, _) in enumerate(found, 1):
        line = row_of(row, end, comment if number == len(found) else "")
        if hand is not None and row.name in hand.rows:
            lines[hand.rows[row.name]] = line
        else:
            lines.append(line)
    _, (checked,) = checked_block(evening.state, block_of(tuple(lines)))
    if checked.refusals and not checked.amiss:
        raise Refused(placeless(checked.refusals[0]))
    if not checked.missing and not checked.amiss:
        number = evening.hands + 1
        words = f"{words}, the last of hand {number}," if hand is not None else f"hand {number}"
        lines += _worked_out(lines, checked, end)
    return Change(_with_hand(evening, lines), words, sheets)


def told_rows(players: Sequence[str]) -> str:
    """Give a typed line in words: whose it is."""
    first, *others = map(visible, players)
    return f"the line of {', '.join([first, *others])}" if others else f"{first}’s line"


def _worked_out(lines: Sequence[str], checked: Checked, end: str) -> list[str]:
    """Tell who was East and who pays what, for a settled hand that does not say it."""
    assert isinstance(checked.outcome, Settlement)
    rows = [row for _, row in rows_of(lines)]
    nets = tuple((checked.seats[wind], points) for wind, points in checked.outcome.net.items())
    said = []
    if not any(isinstance(row, EastRow) for row in rows):
        said.append(row_of(EastRow(checked.seats["E"]), end))
    if not any(isinstance(row, PaysRow) for row in rows):
        said.append(row_of(PaysRow(nets), end))
    return said


def _head(evening: Evening) -> str:
    return line_of(BlockLine(None, evening.round_wind), line_end(evening.text))


def _with_hand(evening: Evening, lines: list[str]) -> str:
    hand = evening.open_hand
    if hand is None:
        return evening.text + "".join(lines)
    return with_lines(evening.document, hand.place, lines)


def drop(evening: Evening) -> Change:
    """Give the text without the hand under way."""
    if evening.open_hand is None:
        raise refuse("nothing-to-drop", "no hand is being typed", "type undo to take back the last one")
    text = without(evening.document, [evening.open_hand.place])
    return Change(text, f"the dropping of hand {evening.hands + 1}")


# ------------------------------------------------------------- between hands


def check_between_hands(evening: Evening) -> None:
    """Raise Refused while a hand is under way."""
    if evening.open_hand is not None:
        raise refuse("hand-in-progress", "a hand is being typed", "finish it, or type drop")


def add_event(evening: Evening, line: EventLine, comment: str = "") -> Change:
    """Add a draw, a wash, a false win, a long hand, a penalty or a payment."""
    check_between_hands(evening)
    parse_line(str(line))
    return Change(evening.text + "".join(event_lines(evening, line, comment)), told_event(line.word))


def event_lines(evening: Evening, line: EventLine, comment: str = "") -> list[str]:
    """Give an event's lines, with who was East where that belongs to it. Raises Refused."""
    end = line_end(evening.text)
    head = line_of(renamed(line, evening.seats), end, comment=comment)
    try:
        try_block(evening.state, (head,))
    except Refused as refused:
        raise Refused(refused.refusal._replace(file="")) from None
    return [head, *([row_of(EastRow(evening.seats["E"]), end)] if EVENTS[line.word].names_east else [])]


def told_event(word: str) -> str:
    """Give an event in words: ``the draw``, ``the payment``."""
    return f"the {EVENTS[word].name}"


def add_note(evening: Evening, words: str) -> Change:
    """Add a remark: in the hand under way, else between hands."""
    note = note_of(words)
    end = line_end(evening.text)
    told = f"the note “{visible(words[:30])}{'…' if len(words) > 30 else ''}”"
    hand = evening.open_hand
    if hand is not None:
        return Change(_with_hand(evening, [*evening.document[hand.place].lines, row_of(note, end)]), told)
    return Change(evening.text + line_of(note, end), told)


def note_of(words: str) -> NoteLine:
    """Give the note that says *words*. Raises Refused where it says nothing."""
    if not words.strip():
        raise refuse("empty-note", "the note says nothing", "type note and what it is to say")
    return NoteLine(words.strip())


def add_label(evening: Evening, words: str) -> Change:
    """Label the hand that is being typed; the first of its lines may come afterwards."""
    hand = evening.open_hand
    lines = [_head(evening)] if hand is None else list(evening.document[hand.place].lines)
    before = lines[0]
    lines[0] = labelled(before, words)
    if lines[0] == before:
        raise refuse(
            "empty-label",
            "it has that label" if words else "label what?",
            "type label and what the hand is called",
        )
    return Change(_with_hand(evening, lines), "the label")


def labelled(head: str, words: str) -> str:
    """Give the head of a hand with a label, or without one. Raises Refused."""
    words = words.strip().strip('"')
    if '"' in words:
        raise refuse("not-in-entry", "a quotation mark cannot stand in a label", "leave it out")
    record = record_of(head)
    assert isinstance(record, BlockLine)
    return rewritten(head, record._replace(label=words or None))


def add_pool(evening: Evening, winner: str, shares: dict[str, int]) -> Change:
    """Add the pool of small counters, which *winner* has thrown the highest for: a payment from each of the others."""
    check_between_hands(evening)
    end = line_end(evening.text)
    payers = {name: points for name, points in shares.items() if points and name != winner}
    if not payers:
        raise refuse(
            "empty-pool", "nobody has anything to put into the pool", "play on: everybody holds even hundreds"
        )
    text = evening.text + line_of(NoteLine(f"the pool goes to {quote_name(winner)}"), end)
    for name, points in payers.items():
        text += line_of(EventLine("pay", (name, winner), number=points), end) + row_of(_INTO_THE_POOL, end)
    return Change(text, f"the pool of {visible(winner)}")


def is_of_pool(evening: Evening, entry: Entry) -> bool:
    """Tell whether an entry is what a player has put into the pool."""
    rows = rows_of(evening.document[entry.place].lines)
    return entry.kind == "pay" and any(row == _INTO_THE_POOL for _, row in rows)
