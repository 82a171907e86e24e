"""Files checked block by block: expected against computed.

``check_block`` is the whole of it, and pure: the state before a block and the block go in, the state
after it and its results come out. A hand at a table goes from its rows to what each seat brings, to the
settlement, to the ledger's next position.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.building import located
from mjscore.record import ledger
from mjscore.record.context import Context, Occasion, State, after_line, after_seats_change, check_count
from mjscore.record.events import EVENTS, kind_of
from mjscore.record.ledger import Position
from mjscore.record.lines import (
    EXPECTS_ERROR,
    BlockLine,
    EastRow,
    EventLine,
    Expected,
    HandLine,
    HeaderLine,
    Line,
    NoteLine,
    PaysRow,
    Row,
    SeatRow,
    parse_line,
    parse_row,
    renamed,
)
from mjscore.record.source import Block, SourceLine, read_blocks
from mjscore.refusal import PROGRAM_FAULT, About, Place, Refusal, Refused, program_fault, refuse, visible
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.checks import placed_hand
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.sheet import ScoreSheet, plain, refused_sheet
from mjscore.settling.checks import check_discarder
from mjscore.settling.payment import SITTER_OUT, SeatResult
from mjscore.settling.settlement import Settlement, refused_settlement, result_of, settle, two_winners

__all__ = ["Checked", "Context", "Reader", "State", "check_block", "check_file", "resolved_seat"]

_SAID = re.compile(r'(?:"[^"]*"|[^"#])*')  # a line without its comment
Wrong = tuple[SourceLine, Refusal]
PlacedRow = tuple[SourceLine, Line | Row]


class Checked(NamedTuple):
    """One hand, table or refused line of a file, and whether it holds.

    *kind* is ``hand``, ``table`` or ``line``; *expected* what the file expects (a score, ``error``, or
    the nets by seat); *refusals* all that is wrong with it; *seats* who sat at which wind, *before* and
    *after* the ledger's positions, where the file names its players. *missing* are the players who have
    no line yet in an evening's last hand: it is open then, and its settlement holds what is known so far.
    *amiss* is true where the rows of that hand hold one by one and not together, as play keeps them until one is put
    right. *occasion* is what the file remembers of its table, *scores_expected* whether a row says what it scores.
    """

    file: str
    line: int
    text: str
    kind: str
    label: str | None
    outcome: ScoreSheet | Settlement
    expected: Expected | Mapping[str, int]
    ok: bool
    refusals: tuple[Refusal, ...] = ()
    seats: Mapping[str, str] = {}
    before: Position | None = None
    after: Position | None = None
    notes: tuple[str, ...] = ()
    rulebook: str = "harr"
    settings: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()
    occasion: Occasion = Occasion()
    scores_expected: bool = False
    amiss: bool = False

    @property
    def is_fault(self) -> bool:
        """Tell whether the program itself failed at it."""
        return any(refusal.code == PROGRAM_FAULT for refusal in self.refusals)

    def as_json(self) -> dict[str, object]:
        """Give the object that programs read: the outcome with file, line, label, expected, ok."""
        return plain(self.members())

    def members(self) -> dict[str, object]:
        """Give the members of that object, the items and sets of a score sheet as they are."""
        outcome = self.outcome
        members = outcome.members() if isinstance(outcome, ScoreSheet) else outcome.as_json()
        expected = dict(self.expected) if isinstance(self.expected, Mapping) else self.expected
        members["file"], members["line"], members["label"] = self.file, self.line, self.label
        members["expected"], members["ok"] = expected, self.ok
        if self.refusals:
            members["error"] = self.refusals[0].as_json()
            members["errors"] = [refusal.as_json() for refusal in self.refusals]
        if self.seats:
            members["players"] = dict(self.seats)
        if self.missing:
            members["open"] = True
        return members


Results = tuple[Checked, ...]


class Reader:
    """Checks the blocks of one file in order; *state* is what those so far leave for the next."""

    def __init__(self, file: str, context: Context) -> None:
        self.state = State.before(file, context)

    def check(self, found: Iterable[Block]) -> Iterator[Checked]:
        """Give the results of blocks; lines that only set something give none unless refused."""
        for block in found:
            yield from self.check_together((block,))

    def check_together(self, found: Iterable[Block]) -> list[Checked]:
        """Give the results of blocks that are all in memory, in a quarter less time than one by one.

        All are read before the first is checked: a processor is quicker at more of the same.
        """
        results: list[Checked] = []
        for block, line in [(block, _head_of(block)) for block in found]:
            try:
                self.state, more = _check_read(self.state, block, line)
            except Exception as error:
                # a fault in one line never costs the others
                self.state, more = _refused_lines(self.state, [(block.head, program_fault(error))])
            results += more
        return results


def check_file(path: str, context: Context) -> Iterator[Checked]:
    """Give the results of every hand and table of a file, in order. Raises OSError where it cannot be read."""
    reader = Reader(path, context)
    return reader.check(read_blocks(path, reader.state.file))


def check_block(state: State, block: Block) -> tuple[State, Results]:
    """Give the state after one line and its rows, and their results."""
    return _check_read(state, block, _head_of(block))


def _finished(
    state: State,
    head: SourceLine,
    kind: str,
    label: str | None,
    outcome: ScoreSheet | Settlement,
    expected: Expected | Mapping[str, int],
    ok: bool,
    refusals: tuple[Refusal, ...],
    **more: Any,
) -> tuple[State, Checked]:
    """Give the result of the line or block that begins with *head*, and the state after it: the notes went with it."""
    notes, context = state.notes, state.context
    checked = Checked(
        state.file, head.number, head.text, kind, label, outcome, expected, ok, refusals,
        notes=notes, rulebook=context.rulebook, settings=context.settings, **more,
    )  # fmt: skip
    return state._replace(notes=()) if notes else state, checked


def still_open(file: str, line: int, missing: Iterable[str]) -> str:
    """Tell what to say of an evening's last hand while players are *missing*."""
    names = ", ".join(visible(name) for name in missing)
    return f"{visible(file)}:{line}: the hand is open: nothing is said yet of {names}"


def placed(refusal: Refusal, file: str, line: SourceLine) -> Refusal:
    """Give a refusal of something in *line* with its place there; one of a rulebook's file keeps its own."""
    if refusal.file:
        return refusal
    column = refusal.column or 1
    length = refusal.length if refusal.column else max(1, len(line.text.rstrip()))
    return refusal._replace(file=file, line=line.number, column=column, length=length, text=line.text)


def _said(line: SourceLine) -> Line | Row | Refusal:
    """Tell what a line says, or why it says nothing."""
    if line.refusal is not None:
        return line.refusal
    try:
        if line.record is not None:
            return cast("Line | Row", line.record)
        return parse_row(line.text) if line.is_indented else parse_line(line.text)
    except Refused as refused:
        return refused.refusal
    except Exception as error:
        return program_fault(error)


def _head_of(block: Block) -> Line | Row | Refusal:
    """Tell what the line that begins a block says, or why it says nothing."""
    if block.head.is_indented and block.head.refusal is None:
        return _stray_row(block.head, "first")
    return _said(block.head)


def _check_read(state: State, block: Block, line: Line | Row | Refusal) -> tuple[State, Results]:
    """Do what ``check_block`` does for a block whose first line has been read."""
    head = block.head
    if isinstance(line, BlockLine | EventLine):
        state, checked = _check_table(state, line, block)
        return state, (checked,)
    wrong = [(row, _stray_row(row, "below")) for row in block.rows]
    if isinstance(line, HandLine):
        state, checked = _check_hand(state, line, head)
        state, results = _refused_lines(state, wrong)
        return state, (checked, *results)
    if isinstance(line, Refusal):
        if not EXPECTS_ERROR.search(head.text):
            # what is wrong with the rows below a refused line is said too
            below = () if head.refusal is not None or head.is_indented else block.rows
            wrong = [(row, said) for row in below if isinstance(said := _said(row), Refusal)]
        wrong.insert(0, (head, line))
        return _refused_lines(state, wrong)
    state, refusal = after_line(state, line, head.number)
    if refusal is not None:
        if isinstance(line, HeaderLine) and line.word == "rules":
            refusal = refusal._replace(column=head.text.index(line.value) + 1, length=len(line.value))
        wrong.insert(0, (head, refusal))
    return _refused_lines(state, wrong)


def _check_hand(state: State, line: HandLine, head: SourceLine) -> tuple[State, Checked]:
    context = state.context
    expected, hand = line.expected, line.hand
    refusals: tuple[Refusal, ...] = ()
    try:
        book = context.book()
        hand = placed_hand(hand, context.seat, context.round)
        sheet = score_hand(hand, book).sheet
        holds = expected is None or expected == sheet.score
    except Refused as refused:
        refusal = placed(located(refused.refusal, head.text), state.file, head)
        sheet = refused_sheet(refusal, context.rulebook, hand)
        holds = expected == "error"
        refusals = () if holds else (refusal,)
    return _finished(state, head, "hand", line.label, sheet, expected, holds, refusals)


def _refused_lines(state: State, wrong: Iterable[Wrong]) -> tuple[State, Results]:
    """Give the state after some lines that were refused, and their results."""
    results: Results = ()
    for line, refusal in wrong:
        refusal = placed(refusal, state.file, line)
        holds = refusal.code != PROGRAM_FAULT and bool(EXPECTS_ERROR.search(line.text))
        quoted = line.text[1:].partition('"') if line.text.startswith('"') else ("", "", "")
        label, refusals = quoted[0] if quoted[1] else None, () if holds else (refusal,)
        sheet = refused_sheet(refusal, state.context.rulebook)
        state, checked = _finished(
            state, line, "line", label, sheet, "error" if holds else None, holds, refusals
        )
        results += (checked,)
    return state, results


def _stray_row(row: SourceLine, kind: str) -> Refusal:
    return refuse("stray-row", kind, at=Place(row.text, 0, len(row.text))).refusal


class Table(NamedTuple):
    """A table before a hand. Where no players are named it has neither *seats* nor *position*."""

    book: Rulebook
    seats: Mapping[str, str]
    position: Position | None

    @property
    def playing(self) -> list[str]:
        """Give the winds at which somebody plays, or could."""
        return [seat for seat in self.seats or self.book.seats if seat != SITTER_OUT]

    def seat_of(self, name: str, or_sits_out: bool = False) -> str:
        """Give the wind at which *name*, a player or a wind, plays; of who sits out only where asked. Raises Refused."""
        seat = resolved_seat(name, self.seats)
        if or_sits_out and seat == SITTER_OUT and self.book.settling.sitter_out is not None:
            return seat
        if seat not in self.playing:
            raise Refused(self.no_seat(name))
        return seat

    def no_seat(self, name: str) -> Refusal:
        """Give the refusal of a *name* that is neither a player's nor a wind's."""
        if self.seats:
            players, about = ", ".join(self.seats[wind] for wind in self.playing), About("seat", name)
            return refuse("unknown-player", "file", about=about, name=name[:40], players=players).refusal
        return refuse("no-such-seat", "file", name=name[:40], seats=" ".join(self.book.seats)).refusal


def resolved_seat(name: str, seats: Mapping[str, str]) -> str:
    """Give the wind at which the player *name* sits; a wind (or an unknown name) as it is."""
    return next((wind for wind, player in seats.items() if player == name), name)


def _table_at(state: State) -> Table:
    """Give the table at which the next hand is played. Raises Refused where there is none by the rulebook."""
    book, position = state.context.book(), state.position
    if position is None:
        return Table(book, {}, None)
    check_count(len(position.players), book)
    return Table(book, ledger.seating(position, book), position)


def _check_table(state: State, line: BlockLine | EventLine, block: Block) -> tuple[State, Checked]:
    """Give the state after a hand at the table, or after what stopped one or came between two, and its result.

    An evening's last hand may be open.
    """
    head = block.head
    kind, label, said_round = ("hand", *line) if isinstance(line, BlockLine) else (line.word, None, None)
    said = [(source, _said(source)) for source in block.rows]
    rows = [(source, row) for source, row in said if not isinstance(row, Refusal)]
    wrong = [(source, row) for source, row in said if isinstance(row, Refusal)]
    try:
        state, misfits = _check_winds(state, rows, said_round, head)
        table = _table_at(state)
    except Refused as refused:
        return _refused_table(state, head, label, [*wrong, (head, refused.refusal)], {})
    derived = state.context.round if table.position is None else ledger.round_wind(table.position, table.book)
    told = _told_by(rows, table, kind, said_round or derived)
    wrong += [*misfits, *told.wrong]
    absent = {
        wind: name for wind, name in table.seats.items() if wind not in told.seated and wind != SITTER_OUT
    }
    missing = tuple(absent.values()) if kind == "hand" else ()
    if missing and not wrong and not block.last:
        lacks = refuse("missing-seat", "player", names=", ".join(missing), first=missing[0])
        wrong.append((head, lacks.refusal))
    amiss = False
    if isinstance(line, EventLine) or not wrong:
        try:
            if isinstance(line, EventLine):
                settlement, after = _happened(state, line, table)
            else:
                settlement, after = _settled(state, told.seated, absent, table, label)
        except Refused as refused:
            wrong.append(_at_its_flag(refused.refusal, rows, head))
            nets_said = any(isinstance(row, PaysRow) for _, row in rows)
            amiss = kind == "hand" and block.last and bool(table.seats) and not nets_said
    if wrong:
        return _refused_table(state, head, label, wrong, table.seats, amiss)
    nets = {} if missing else told.nets
    holds = all(settlement.net.get(seat) == points for seat, points in nets.items())
    refusals = tuple(placed(refusal, state.file, source) for source, refusal in told.wrong_scores)
    _, checked = _finished(
        state, head, "table", label, settlement, nets or None, holds and not refusals, refusals,
        seats=table.seats, before=table.position, after=after.position, missing=missing, occasion=state.occasion,
        scores_expected=not missing and any(row.expected is not None for row, _ in told.seated.values()),
    )  # fmt: skip
    remarks = tuple(row.text for _, row in rows if isinstance(row, NoteLine))
    return after._replace(notes=()), checked._replace(notes=checked.notes + remarks)


def _refused_table(
    state: State,
    head: SourceLine,
    label: str | None,
    wrong: Sequence[Wrong],
    seats: Mapping[str, str],
    amiss: bool = False,
) -> tuple[State, Checked]:
    """Give the state after a block that was refused, and its result."""
    refusals = tuple(placed(refusal, state.file, source) for source, refusal in wrong)
    settlement = refused_settlement(refusals[0], label, state.context.rulebook, kind_of(head.text))
    return _finished(
        state, head, "table", label, settlement, None, False, refusals, seats=seats, before=state.position,
        after=state.position, occasion=state.occasion, amiss=amiss,
    )  # fmt: skip


def _check_winds(
    state: State, rows: Sequence[PlacedRow], said_round: str | None, head: SourceLine
) -> tuple[State, list[Wrong]]:
    """Tell whether the block's own word on East and the round fits the ledger; the file's first misfit is named.

    The state after it has the East that the block names. A row ``east Ben @S`` is taken at its word: the
    winds are kept as they were played. Raises Refused where the rulebook was refused.
    """
    table, position = _table_at(state), state.position
    if position is None:
        return state, []
    easts = [(source, row) for source, row in rows if isinstance(row, EastRow)]
    kept = next(((row.name, row.round) for _, row in easts if row.round is not None), None)
    if kept is not None and said_round in (None, kept[1]):
        played = ledger.as_played(position, *kept, table.book)
        if ledger.seating(played, table.book)["E"] == kept[0]:
            return state._replace(position=played), []
    misfits: list[Wrong] = []
    derived, east = ledger.round_wind(position, table.book), table.seats["E"]
    if said_round not in (None, derived):
        headed, above = WIND_NAMES[said_round or ""], WIND_NAMES[derived]
        misfits.append((head, refuse("winds-differ", "round", headed=headed, above=above).refusal))
    playing = [name for name in position.players if name != table.seats.get(SITTER_OUT)]
    for source, row in easts:
        if row.name != east:
            misfits.append((source, refuse("winds-differ", "east", name=row.name, east=east).refusal))
            if row.name in playing:
                position = position._replace(east=playing.index(row.name))
    after = state._replace(position=position, winds_differ=state.winds_differ or bool(misfits))
    return after, [] if state.winds_differ else misfits[:1]


class _Told(NamedTuple):
    """What the rows of a block tell: by seat its row and result, the nets expected, and what is wrong."""

    seated: Mapping[str, tuple[SeatRow, SeatResult]]
    nets: Mapping[str, int]
    wrong_scores: Sequence[Wrong]
    wrong: Sequence[Wrong]


def _told_by(rows: Sequence[PlacedRow], table: Table, kind: str, round_wind: str | None) -> _Told:
    seated: dict[str, tuple[SeatRow, SeatResult]] = {}
    nets: dict[str, int] = {}
    wrong_scores: list[Wrong] = []
    wrong: list[Wrong] = []
    for source, row in rows:
        if isinstance(row, PaysRow):
            for name, points in row.nets:
                seat = resolved_seat(name, table.seats)
                if seat in nets:
                    wrong.append((source, refuse("second-seat", "nets", name=name).refusal))
                elif seat not in (*table.book.seats, SITTER_OUT):
                    wrong.append((source, table.no_seat(name)))
                else:
                    nets[seat] = points
        elif isinstance(row, SeatRow) and kind != "hand":
            wrong.append((source, refuse("row-of-event").refusal))
        elif isinstance(row, SeatRow):
            # while a name is looked up, it is what a refusal is about
            name = row.name
            start: int | None = source.text.find(name)
            try:
                seat = table.seat_of(name)
                start = None
                result = _seat_result(row, seat, table, round_wind)
                if seat in seated:
                    raise refuse("second-seat", "row", name=WIND_NAMES.get(seat, seat))
                if row.discarder is not None:
                    said = _SAID.match(source.text)
                    name, start = row.discarder, said[0].rfind(row.discarder) if said else 0
                    discarder = resolved_seat(name, table.seats)
                    check_discarder(discarder, seat, list(table.seats or table.book.seats))
            except Refused as refused:
                refusal = refused.refusal
                if start is not None:
                    refusal = refusal._replace(column=start + 1, length=len(name))
                wrong.append((source, located(refusal, source.text)))
                continue
            seated[seat] = row, result
            if isinstance(row.expected, int) and row.expected != result.score:
                wrong_score = refuse(
                    "expected-score", name=row.name, score=result.score, expected=row.expected
                )
                wrong_scores.append((source, wrong_score.refusal))
    return _Told(seated, nets, wrong_scores, wrong)


def _seat_result(row: SeatRow, seat: str, table: Table, round_wind: str | None) -> SeatResult:
    """Tell what the row of a seat brings to the settling. Raises Refused."""
    hand = row.given if isinstance(row.given, Hand) else None
    win = hand.win if hand is not None else None
    wins = table.position.east_wins if table.position is not None and seat == "E" else 0
    if (row.ninth or (win is not None and "ninth" in win.flags)) and wins != 8 and table.position is not None:
        raise refuse("not-the-ninth", about=About("flag", "ninth"), name=row.name, wins=wins or "none")
    said_round = row.round if hand is None else hand.round
    if said_round is not None and round_wind is not None and said_round != round_wind:
        raise refuse("second-round", "row", said=said_round)
    if hand is None:
        score = row.given if isinstance(row.given, int) else 0
        return SeatResult(score, row.doubles, dead=row.given is None, ninth=row.ninth or wins == 8)
    if win is not None:
        win = renamed(win, {player: wind for wind, player in table.seats.items()})
        if wins == 8:
            win = win._replace(flags=win.flags | {"ninth"})
    return result_of(placed_hand(hand._replace(seat=seat, win=win), seat, round_wind), table.book)


def _at_its_flag(refusal: Refusal, rows: Sequence[PlacedRow], head: SourceLine) -> Wrong:
    """Give a refusal of a whole table with the row of the flag that it is about, if any, else with its head."""
    if refusal.about is not None and refusal.about.kind == "flag":
        for source, _ in rows:
            if f"!{refusal.about.name}" in source.text:
                return source, located(refusal, source.text)
    return head, refusal


def _settled(
    state: State,
    seated: Mapping[str, tuple[SeatRow, SeatResult]],
    absent: Iterable[str],
    table: Table,
    label: str | None,
) -> tuple[Settlement, State]:
    """Settle a hand; the state after it. Raises Refused.

    Of one under way, for which some are *absent*, it is what is known so far; only what no further row could put right is
    refused.
    """
    results = {seat: result for seat, (_, result) in seated.items()}
    won = {seat: row for seat, (row, _) in seated.items() if row.won}
    winner, row = next(iter(won.items()), (None, None))
    if len(won) > 1:
        raise Refused(two_winners(list(won)))
    try:
        settlement = settle(
            {**results, **dict.fromkeys(absent, SeatResult(0))},
            winner,
            table.book,
            drawn=row and row.drawn,
            discarder=row and row.discarder and resolved_seat(row.discarder, table.seats),
            label=label,
            names=table.seats or WIND_NAMES,
        )
    except Refused as refused:
        if not absent or refused.refusal.code != "no-winner":
            raise
        settlement = Settlement(label, rulebook=table.book.id)
    if absent:
        scores = {wind: result.score for wind, result in results.items()}
        sheets = {wind: result.sheet for wind, result in results.items() if result.sheet is not None}
        return settlement._replace(scores=scores, payments=(), net={}, remarks=(), sheets=sheets), state
    if table.position is None:
        return settlement, state
    position = ledger.with_net(table.position, settlement.net, table.seats)
    if settlement.winner is None:
        return settlement, state._replace(position=ledger.after_stop(position))
    return settlement, state._replace(position=ledger.after_win(position, settlement.winner, table.book))


def _happened(state: State, line: EventLine, table: Table) -> tuple[Settlement, State]:
    """Settle what stopped a hand or came between hands; the state after it. Raises Refused."""
    event = EVENTS[line.word]
    if event.changes_seats:
        named = [table.seats.get(name, name) for name in line.names]
        after = after_seats_change(state, *named)
        return event.settle(line, named, table.playing, table.book), after
    named = [table.seat_of(name, event.names_sitter_out) for name in line.names]
    settlement = event.settle(line, named, table.playing, table.book)
    if table.position is None:
        return settlement, state
    position = ledger.with_net(table.position, settlement.net, table.seats)
    if event.after is not None:
        position = event.after(line, named, position, table.book)
    return settlement, state._replace(position=position)
