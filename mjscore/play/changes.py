"""What typed lines make of a file's text: a row of the hand under way, an event, a note, the pool.

Each function takes the account of the text as it is and gives a ``Change``, or raises Refused. Whether the
new text reads back is found out by whoever takes it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mjscore.game.hand import Hand, quote_name
from mjscore.game.tiles import WIND_NAMES
from mjscore.play.document import INDENT, line_end, with_lines, without
from mjscore.play.names import with_names
from mjscore.play.reading import (
    WAITING,
    WAS,
    Account,
    checked_block,
    placeless,
    source_line,
    taken_in,
    try_block,
)
from mjscore.record.checked import Checked
from mjscore.record.lines import EastRow, PaysRow, SeatRow, parse_row
from mjscore.record.source import LONGEST_LINE, Block
from mjscore.refusal import Refusal, Refused, refuse, visible
from mjscore.scoring.sheet import ScoreSheet
from mjscore.settling.settlement import Settlement

INTO_THE_POOL = "into the pool"
_LABEL = re.compile(r'[ \t]*(?:"[^"\n]*"|[^\s"#:!=+<>()\[\],]+)[ \t]*:')
_HEAD_LABEL = re.compile(r'hand\b[ \t]*(?P<label>"[^"\n]*")?[ \t]*')


class Change(NamedTuple):
    """A file's new text, and in words what it holds that the old one did not.

    *base* is the text that undoing brings back: for a hand, the one before its first line. *sheet* is the
    score sheet of a typed hand, *waits* why a line waits for another to be put right.
    """

    text: str
    words: str
    base: str
    sheet: ScoreSheet | None = None
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
    playing = [name for wind, name in seats.items() if wind in WIND_NAMES]
    if player not in playing:
        raise refuse(
            "unknown-player",
            f"nobody here is called {row.name[:40]!r}",
            f"the players are {', '.join(map(visible, playing))}",
            1,
            1,
            len(row.name),
            line,
        )
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
    _, (checked,) = checked_block(account.state, Block(source_line("hand"), (row,), last=True))
    for refusal in checked.refusals:
        # the place is that in the line as it was typed, where the two begin alike
        raise Refused(refusal._replace(file="", line=1) if row.text == line else placeless(refusal))
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
    if len(encoded) > LONGEST_LINE // 2:
        raise refuse("long-line", f"a line of {len(encoded)} bytes", "one line holds one hand", 1, 1, 1, line)


# ------------------------------------------------------------- the hand under way


def add_row(account: Account, line: str) -> Change:
    """A player's line for the hand under way, in place of an earlier one of his; the last settles the hand.

    A line that is right by itself but does not go with the others (two winners) waits as a comment.
    """
    row = typed_row(account, line, account.seats, account.round_wind)
    end = line_end(account.text)
    hand = account.open_hand
    lines = [f"hand @{account.round_wind}{end}"]
    if hand is not None:
        lines = list(account.document[hand.place].lines)
        before = {**hand.rows, **hand.waiting}.get(row.player)
        if before is not None:
            lines[before] = f"{INDENT}{WAS}{lines[before].lstrip()}"
    new = f"{INDENT}{quote_name(row.player)}: {row.body}{end}"
    together = [taken_in(old) for old in lines] + [new]
    waits: Refusal | None = None
    try:
        settled = try_block(account.state, tuple(together), last=True)
    except Refused as refused:
        waits = placeless(refused.refusal)
    else:
        if not settled.missing:
            text = _with_hand(account, _closed(together, settled, end))
            return Change(text, f"hand {account.hands + 1}", _without_hand(account), row.sheet)
    try:
        try_block(account.state, (*lines, new), last=True)
    except Refused:
        new = f"{INDENT}{WAITING}{new.lstrip()}"
    words = f"{visible(row.player)}’s line"
    return Change(_with_hand(account, [*lines, new]), words, account.text, row.sheet, waits)


def _closed(lines: list[str], settled: Checked, end: str) -> list[str]:
    """A settled hand with who was East and who pays what below it, and without the lines that were replaced."""
    assert isinstance(settled.outcome, Settlement)
    pays = " ".join(
        f"{quote_name(settled.seats[wind])} {points:+d}" for wind, points in settled.outcome.net.items()
    )
    kept = [line for line in lines if not line.startswith(INDENT + WAS)]
    said = [parse_row(line.rstrip("\r\n")) for line in kept[1:]]
    if not any(isinstance(row, EastRow) for row in said):
        kept.append(f"{INDENT}east {quote_name(settled.seats['E'])}{end}")
    if not any(isinstance(row, PaysRow) for row in said):
        kept.append(f"{INDENT}pays {pays}{end}")
    return kept


def _with_hand(account: Account, lines: list[str]) -> str:
    hand = account.open_hand
    if hand is None:
        return account.text + "".join(lines)
    return with_lines(account.document, hand.place, lines)


def _without_hand(account: Account) -> str:
    hand = account.open_hand
    return account.text if hand is None else without(account.document, [hand.place])


def drop(account: Account) -> Change:
    """The text without the hand under way."""
    if account.open_hand is None:
        raise refuse("nothing-to-drop", "no hand is being typed", "type undo to take back the last one")
    return Change(_without_hand(account), f"the dropping of hand {account.hands + 1}", account.text)


# ------------------------------------------------------------- between hands


def check_between_hands(account: Account) -> None:
    """Raises Refused while a hand is under way."""
    if account.open_hand is not None:
        raise refuse("hand-in-progress", "a hand is being typed", "finish it, or type drop")


def add_event(account: Account, line: str) -> Change:
    """A draw, a wash, a false win, a long hand or a payment."""
    check_between_hands(account)
    block = event_block(account, line)
    return Change(account.text + block, told_event(line), account.text)


def event_block(account: Account, line: str) -> str:
    """An event's lines below what there is: with who was East, where it is not a payment."""
    end = line_end(account.text)
    named = with_names(line, account.seats)
    block = named + end
    if not named.startswith("pay"):
        block += f"{INDENT}east {quote_name(account.seats['E'])}{end}"
    try:
        try_block(account.state, (named + end,))
    except Refused as refused:
        refusal = refused.refusal
        raise Refused(refusal._replace(file="", line=1) if named == line else placeless(refusal)) from None
    return block


def told_event(line: str) -> str:
    """An event in words: ``the draw``, ``the payment``."""
    return {
        "draw": "the draw",
        "wash": "the washing of the tiles",
        "false": "the false win",
        "long": "the long hand",
        "pay": "the payment",
    }[line.split(maxsplit=1)[0].partition(":")[0]]


def add_note(account: Account, words: str) -> Change:
    """A remark: in the hand under way, else between hands."""
    if not words:
        raise refuse("empty-note", "the note says nothing", "type note and what it is to say")
    end = line_end(account.text)
    told = f"the note “{visible(words[:30])}{'…' if len(words) > 30 else ''}”"
    if account.open_hand is not None:
        lines = account.document[account.open_hand.place].lines
        text = _with_hand(account, [*lines, f"{INDENT}note {words}{end}"])
        return Change(text, told, account.text)
    return Change(f"{account.text}note {words}{end}", told, account.text)


def add_label(account: Account, words: str) -> Change:
    """What the hand that is being typed is called; the first of its lines may come afterwards."""
    head = f"hand @{account.round_wind}{line_end(account.text)}"
    hand = account.open_hand
    lines = [head] if hand is None else list(account.document[hand.place].lines)
    lines[0] = labelled(lines[0], words)
    return Change(_with_hand(account, lines), "the label", account.text)


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
    text = account.text + f"note the pool goes to {quote_name(winner)}{end}"
    for name, points in payers.items():
        text += f"pay {quote_name(name)} {quote_name(winner)} {points}{end}{INDENT}note {INTO_THE_POOL}{end}"
    return Change(text, f"the pool of {visible(winner)}", account.text)
