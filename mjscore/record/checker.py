"""Files checked block by block: expected scores against computed ones.

``check_block`` does it all and is pure: it takes the state before a block, and returns the state after it and its
results.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from mjscore.game.hand import Flag, Hand, Seat
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.reading import at_its_place
from mjscore.record import ledger
from mjscore.record.context import (
    Context,
    State,
    after_line,
    after_seats_change,
    check_count,
    without_rulebook,
)
from mjscore.record.events import EVENTS
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
    parse_text,
    renamed,
)
from mjscore.record.source import Block, SourceLine, read_blocks
from mjscore.refusal import PROGRAM_FAULT, Place, Refusal, Refused, escape_controls, program_fault, refuse
from mjscore.rulebook.rulebook import Rulebook
from mjscore.scoring.checks import placed_hand
from mjscore.scoring.scorer import score_hand
from mjscore.scoring.sheet import ScoreSheet, plain, refused_sheet
from mjscore.settling.checks import check_discarder, two_winners
from mjscore.settling.payment import SITTER_OUT, Payment, SeatResult
from mjscore.settling.settlement import Settlement, result_of, settle

_LABEL = re.compile(r'\s*(?:"([^"]*)")?')
_EXPECTED = re.compile(r"\s*(?:error|[0-9]{1,15})\s*")
_OF_RULEBOOK = re.compile(r"\s*rulebook\b", re.IGNORECASE)
ReadLine = tuple[SourceLine, Line | Row | Refusal]  # a line with its record, or why it has none
PlacedRow = tuple[SourceLine, Line | Row]
Wrong = tuple[SourceLine, Refusal]
Seated = tuple[SourceLine, SeatRow, SeatResult]  # the row of a seat and its result for the settlement


class Checked(NamedTuple):
    """The result of one hand, table or refused line of a file.

    *state* is the file's state before it, with the winds of this hand; *after* is the ledger's position after it,
    if players are named. *kind* is ``hand``, ``table``, ``line`` or ``blank`` (no hand); *expected* is a score,
    ``error`` or the nets by seat; *refusals* are all mistakes; *notes* are those above and inside the hand;
    *seats* are the players by wind. The last hand of an evening is open while players are *missing*, who have no
    line yet (its settlement holds what is known so far), or if it is *amiss*: each row is valid alone, but they
    contradict each other. *scores_expected*: a row expects a score. *cells*: other cells of a spreadsheet's row.
    """

    state: State
    line: int
    text: str
    kind: str
    label: str | None
    outcome: ScoreSheet | Settlement
    expected: Expected | Mapping[str, int]
    ok: bool
    refusals: tuple[Refusal, ...] = ()
    notes: tuple[str, ...] = ()
    seats: Mapping[str, str] = {}
    after: Position | None = None
    missing: tuple[str, ...] = ()
    scores_expected: bool = False
    amiss: bool = False
    cells: Mapping[str, str] = {}

    @property
    def is_open(self) -> bool:
        """Return whether this hand is still being played."""
        return bool(self.missing) or self.amiss

    @property
    def is_fault(self) -> bool:
        """Return whether the program itself failed."""
        return any(refusal.code == PROGRAM_FAULT for refusal in self.refusals)

    @property
    def people(self) -> dict[str, str]:
        """Return the players by wind, and those who sit at the table afterwards also by their own names."""
        return {**self.seats, **{name: name for name in (self.after.players if self.after else ())}}

    def as_json(self) -> dict[str, object]:
        """Return the JSON object of the outcome, with file, line, label, expected, ok and the like."""
        return plain(self.members())

    def members(self) -> dict[str, object]:
        """Return the members of the JSON object, with the items and sets of a score sheet still as values."""
        outcome = self.outcome
        members = outcome.members() if isinstance(outcome, ScoreSheet) else outcome.as_json()
        expected = dict(self.expected) if isinstance(self.expected, Mapping) else self.expected
        members["file"], members["line"], members["label"] = self.state.file, self.line, self.label
        members["expected"], members["ok"] = expected, self.ok
        if self.kind != "table":
            members["hand"] = _taken_apart(self.text)[1]
        if self.refusals:
            members["error"] = self.refusals[0].as_json()
            members["errors"] = [refusal.as_json() for refusal in self.refusals]
        if self.seats:
            members["players"] = dict(self.seats)
        if self.is_open:
            members["open"] = True
        if self.cells:
            members["cells"] = dict(self.cells)
        return members


class Reader:
    """Checks the blocks of one file in order; *state* is the state after those checked so far."""

    def __init__(self, file: str, context: Context) -> None:
        self.state = State.before(file, context)

    def check(self, blocks: Iterable[Block]) -> Iterator[Checked]:
        """Yield the results of blocks; a line that only sets something has a result only if it is refused."""
        for block in blocks:
            yield from self.check_together((block,))

    def check_together(self, blocks: Iterable[Block]) -> list[Checked]:
        """Return the results of blocks, parsing all before the first is checked, which takes a quarter less time."""
        results: list[Checked] = []
        for block, lines in [(block, _records(block, parse_text)) for block in blocks]:
            try:
                self.state, more = _check_records(self.state, lines, block.last)
            except Exception as error:
                # a fault in one line must not lose the others
                self.state, more = _check_lines(self.state, [(block.head, program_fault(error))])
            results += more
        return results


def check_file(path: str, context: Context) -> Iterator[Checked]:
    """Return the results of every hand and table of a file, in order. Raises OSError."""
    reader = Reader(path, context)
    return reader.check(read_blocks(path, reader.state.file))


def check_block(
    state: State, block: Block, read: Callable[[str], Line | Row] = parse_text
) -> tuple[State, tuple[Checked, ...]]:
    """Return the state after one line and its rows, and their results; *read* parses each line."""
    return _check_records(state, _records(block, read), block.last)


def after_head(state: State, line: SourceLine) -> State:
    """Return the state after a line that only sets something, or is refused."""
    record = _record(line, parse_text)
    if isinstance(record, Refusal):
        return _after_refused(state, line, record)
    return after_line(state, record, line.number)[0]


def _after_refused(state: State, line: SourceLine, refusal: Refusal) -> State:
    """Return the state after a refused line: if it was to name a rulebook, no rulebook is in force."""
    if _OF_RULEBOOK.match(line.text) and not EXPECTS_ERROR.search(line.text):
        return without_rulebook(state, refusal, line.number)
    return state


def still_open(file: str, line: int, missing: Iterable[str], refusals: Iterable[Refusal]) -> str:
    """Return in words why an evening's last hand is open: players are *missing*, or its lines contradict each other."""
    why = "; ".join(f"{escape_controls(refusal.message)} [{refusal.code}]" for refusal in refusals)
    if names := ", ".join(map(escape_controls, missing)):
        why = f"no line yet for {names}"
    return f"{escape_controls(file)}:{line}: the hand is open: {why}"


def placed(refusal: Refusal, file: str, line: SourceLine) -> Refusal:
    """Return a refusal with its place in *line*, unless it is about another file."""
    if refusal.file:
        return refusal
    column = refusal.column or 1
    length = refusal.length if refusal.column else max(1, len(line.text.rstrip()))
    return refusal._replace(file=file, line=line.number, column=column, length=length, text=line.text)


def _records(block: Block, read: Callable[[str], Line | Row]) -> list[ReadLine]:
    """Return the lines of a block, each with its record or refusal."""
    head = block.head
    if head.is_indented and head.refusal is None:
        head = head._replace(refusal=_stray_row(head, "first"))
    return [(line, _record(line, read)) for line in (head, *block.rows)]


def _record(line: SourceLine, read: Callable[[str], Line | Row]) -> Line | Row | Refusal:
    if line.refusal is not None:
        return line.refusal
    try:
        return read(line.text)
    except Refused as refused:
        return refused.refusal
    except Exception as error:
        return program_fault(error)


def _check_records(
    state: State, records: Sequence[ReadLine], last: bool
) -> tuple[State, tuple[Checked, ...]]:
    """Return the state after a block, and its results; *last* says that nothing follows the block."""
    (head, line), *rows = records
    if isinstance(line, BlockLine | EventLine):
        after, checked = _check_table(state, line, records, last)
        if state.other_rules and isinstance(line, BlockLine):
            after, checked = _as_booked(after, checked, rows)
        return after, (checked,)
    wrong = [(row, _stray_row(row, "below")) for row, _ in rows]
    if isinstance(line, Refusal) and not EXPECTS_ERROR.search(head.text):
        # report the mistakes in the rows below a refused line too
        below = rows if head.refusal is None else []
        wrong = [(row, refusal) for row, refusal in below if isinstance(refusal, Refusal)]
    if isinstance(line, HandLine | Refusal):
        state, results = _check_lines(state, [(head, line), *wrong])
        return _after_refused(state, head, line) if isinstance(line, Refusal) else state, results
    state, refusal = after_line(state, line, head.number)
    if refusal is not None:
        if isinstance(line, HeaderLine) and refusal.about is not None:
            refusal = at_its_place(refusal, head.text, line.parts)
        wrong.insert(0, (head, refusal))
    return _check_lines(state, wrong)


def _check_lines(
    state: State, lines: Iterable[tuple[SourceLine, HandLine | Refusal]]
) -> tuple[State, tuple[Checked, ...]]:
    """Return the state after single hands and refused lines, and their results."""
    results = []
    for source, record in lines:
        results.append(_check_line(state, source, record))
        state = state._replace(notes=()) if state.notes else state
    return state, tuple(results)


def _check_line(state: State, source: SourceLine, record: HandLine | Refusal) -> Checked:
    """Return the result of a single hand or a refused line."""
    label = hand = expected = None
    refusal, kind = record, "line"
    refusals: tuple[Refusal, ...] = ()
    if isinstance(record, HandLine):
        kind, (label, hand, expected, parts) = "hand", record
        try:
            book = state.context.book()
            hand = placed_hand(hand, state.context.seat, state.context.round)
            sheet = score_hand(hand, book).sheet
            holds = expected in (None, sheet.score)
        except Refused as refused:
            refusal = at_its_place(refused.refusal, source.text, parts)
    else:
        label, _, expected = _taken_apart(source.text)
        expected = None if record.code == PROGRAM_FAULT and expected == "error" else expected
    if isinstance(refusal, Refusal):
        refusal = placed(refusal, state.file, source)
        sheet = refused_sheet(refusal, state.context.rulebook, hand)
        holds = expected == "error"
        refusals = () if holds else (refusal,)
    return Checked(
        state, source.number, source.text, kind, label, sheet, expected, holds, refusals, state.notes
    )


def _taken_apart(text: str) -> tuple[str | None, str, Expected]:
    """Split a line, even a refused one, into its label, its hand as typed, and the expected score."""
    label = _LABEL.match(text)
    assert label is not None
    content = text[label.end() :].partition("#")[0]
    hand, _, expected = content.rpartition("=")
    if not _EXPECTED.fullmatch(expected):
        return label[1], content.strip(), None
    expected = expected.strip()
    return label[1], hand.strip(), expected if expected == "error" else int(expected)


def _stray_row(row: SourceLine, kind: str) -> Refusal:
    return refuse("stray-row", kind, at=Place(row.text, 0, len(row.text))).refusal


class TableState(NamedTuple):
    """A table before a hand. If no players are named, *seats* is empty and *position* None; *round* is empty if unknown."""

    book: Rulebook
    seats: Mapping[str, str]
    position: Position | None
    round: str

    @classmethod
    def at(cls, state: State) -> "TableState":
        """Return the table of the next hand. Raises Refused if the rulebook does not allow its number of players."""
        if state.position is not None:
            check_count(len(state.position.players), state.book)
        return cls(state.book, state.seats, state.position, state.round_wind)

    @property
    def playing(self) -> list[str]:
        """Return the winds at which somebody plays or, if no players are named, could play."""
        return [seat for seat in self.seats or self.book.seats if seat != SITTER_OUT]

    def absent(self, seated: Collection[str]) -> list[str]:
        """Return the winds of named players who have no row yet."""
        return [wind for wind in self.playing if wind not in seated] if self.seats else []

    def seat_of(self, name: str, or_absent: bool = False) -> str:
        """Return the wind at which *name*, a player or a wind, plays. Raises Refused if there is none.

        With *or_absent*, return X for the player who sits out, and the name itself of a player who has left.
        """
        seat = resolved_seat(name, self.seats)
        if or_absent and seat == SITTER_OUT and self.book.settling.sitter_out is not None:
            return seat
        if or_absent and self.position is not None and seat in dict(self.position.left):
            return seat
        if seat not in self.playing:
            raise self.no_seat(name)
        return seat

    def no_seat(self, name: str) -> Refused:
        """Return the refusal of a *name* that is neither a player's nor a wind's."""
        about = Seat(name)
        if self.seats:
            players = ", ".join(self.seats[wind] for wind in self.playing)
            return refuse("unknown-player", "file", about=about, name=name[:40], players=players)
        return refuse("no-such-seat", "file", about=about, name=name[:40], seats=" ".join(self.book.seats))


def resolved_seat(name: str, seats: Mapping[str, str]) -> str:
    """Return the wind at which the player *name* sits; a wind or an unknown name is returned unchanged."""
    return next((wind for wind, player in seats.items() if player == name), name)


Kind = TypeVar("Kind", SeatRow, PaysRow, EastRow, NoteLine, Refusal)


def _of_kind(kind: type[Kind], rows: Iterable[ReadLine]) -> list[tuple[SourceLine, Kind]]:
    return [(source, row) for source, row in rows if isinstance(row, kind)]


class TableRows(NamedTuple):
    """The rows of a block.

    *seats* are the players by wind, *seated* the rows by wind; *nets* are those expected, *missing* the players
    without a row.
    """

    seats: Mapping[str, str] = {}
    seated: Mapping[str, Seated] = {}
    nets: Mapping[str, int] = {}
    missing: tuple[str, ...] = ()


def _check_table(
    state: State, line: BlockLine | EventLine, records: Sequence[ReadLine], last: bool
) -> tuple[State, Checked]:
    """Return the state after a hand at the table or an event, and its result; only the *last* hand may be open."""
    (head, _), *below = records
    wrong = _of_kind(Refusal, below)
    placed_rows = [(source, row) for source, row in below if not isinstance(row, Refusal)]
    is_hand, of_round = isinstance(line, BlockLine), line.round if isinstance(line, BlockLine) else None
    rows, settlement, after, amiss = TableRows(), None, state, False
    try:
        state, misfits = _check_winds(state, placed_rows, of_round, head)
        table = TableState.at(state)
        rows, table = TableRows(table.seats), table._replace(round=of_round or table.round)
        rows, others = _table_rows(placed_rows, table, is_hand)
        wrong += [*misfits, *others]
        if rows.missing and not wrong and not last:
            raise refuse("missing-seat", "player", names=", ".join(rows.missing), first=rows.missing[0])
        if not (is_hand and wrong):
            settlement, after = _settled(state, line, table, rows.seated)
            rows = rows._replace(seats=_with_those_paid(rows.seats, settlement, after))
    except Refused as refused:
        wrong.append(_among_rows(refused.refusal, placed_rows, head, line))
        amiss = is_hand and last and bool(rows.seats) and not _of_kind(PaysRow, placed_rows)
    if wrong:
        settlement, after = None, state
    checked = _table_result(state, head, line, rows, settlement, wrong or _wrong_scores(rows.seated))
    notes = () if wrong else tuple(row.text for _, row in _of_kind(NoteLine, placed_rows))
    checked = checked._replace(
        notes=state.notes + notes, after=after.position, amiss=amiss, ok=checked.ok or amiss
    )
    return after._replace(notes=()), checked


def _table_result(
    state: State,
    head: SourceLine,
    line: BlockLine | EventLine,
    rows: TableRows,
    settlement: Settlement | None,
    wrong: Iterable[Wrong],
) -> Checked:
    """Return the result of a table, which is refused if *settlement* is None."""
    kind, label = ("hand", line.label) if isinstance(line, BlockLine) else (line.word, None)
    refusals = tuple(placed(refusal, state.file, source) for source, refusal in wrong)
    if settlement is None:
        rows = TableRows(rows.seats)
        settlement = Settlement(label, rulebook=state.context.rulebook, kind=kind, error=refusals[0])
    nets = {} if rows.missing else rows.nets
    holds = not refusals and nets.items() <= settlement.net.items()
    scores_expected = not rows.missing and any(row.expected is not None for _, row, _ in rows.seated.values())
    return Checked(
        state, head.number, head.text, "table", label, settlement, nets or None, holds, refusals,
        seats=rows.seats, missing=rows.missing, scores_expected=scores_expected,
    )  # fmt: skip


def _with_those_paid(seats: Mapping[str, str], settlement: Settlement, after: State) -> dict[str, str]:
    """Return the players by wind, and by their own names those who have left and still pay or are paid."""
    left = dict(after.position.left) if after.position is not None else {}
    return {**seats, **{name: name for name in settlement.net if name in left}}


def _as_booked(after: State, checked: Checked, rows: Sequence[ReadLine]) -> tuple[State, Checked]:
    """Return the state after a hand recorded under other rules, and its result.

    If the rules in force give other nets or refuse the hand, the recorded nets are kept if complete.
    """
    seats, outcome, position = checked.seats, checked.outcome, checked.state.position
    nets = [net for _, row in _of_kind(PaysRow, rows) for net in row.nets]
    booked = {resolved_seat(name, seats): points for name, points in nets}
    seated = {resolved_seat(row.name, seats): row for _, row in _of_kind(SeatRow, rows)}
    winners = [seat for seat, row in seated.items() if row.won]
    is_whole = booked.keys() == seats.keys() == seated.keys() | ({SITTER_OUT} & seats.keys())
    misfits = any(refusal.code == "winds-differ" for refusal in checked.refusals)
    if position is None or not isinstance(outcome, Settlement) or not is_whole or misfits:
        return after, checked
    if len(winners) != 1 or sum(booked.values()) != 0 or outcome.net == booked:
        return after, checked
    (winner,) = winners
    now = ", ".join(f"{seats[seat]} {points:+d}" for seat, points in outcome.net.items())
    if outcome.error is not None:
        now = outcome.error.message
        scores = {seat: row.given if isinstance(row.given, int) else 0 for seat, row in seated.items()}
        outcome = Settlement(checked.label, scores, winner, rulebook=outcome.rulebook)
    refusal = refuse("nets-differ", "booked", now=now).refusal
    refusals = (placed(refusal, checked.state.file, SourceLine(checked.line, checked.text)),)
    position = ledger.after_win(ledger.with_net(position, booked, seats), winner, checked.state.book)
    remarks = *outcome.remarks, refusal.message
    outcome = outcome._replace(payments=_payments_to(winner, booked), net=booked, remarks=remarks)
    checked = checked._replace(outcome=outcome, expected=booked, ok=False, after=position, refusals=refusals)
    return after._replace(position=position, notes=()), checked


def _payments_to(winner: str, nets: Mapping[str, int]) -> tuple[Payment, ...]:
    """Return payments, each to or by the winner, that add up to the *nets*."""
    owed = {seat: points for seat, points in nets.items() if points and seat != winner}
    return tuple(
        Payment(seat, winner, -points) if points < 0 else Payment(winner, seat, points)
        for seat, points in owed.items()
    )


def _check_winds(
    state: State, rows: Sequence[PlacedRow], of_round: str | None, head: SourceLine
) -> tuple[State, list[Wrong]]:
    """Return the state with the East that a block names, and the first East or round that contradicts the ledger.

    Only the file's first contradiction is returned. A row ``east Ben @S`` overrides the ledger: the winds are taken
    as they were played.
    """
    table, position = TableState.at(state), state.position
    if position is None:
        return state, []
    easts = _of_kind(EastRow, rows)
    as_played = next((row for _, row in easts if row.round is not None), None)
    if as_played is not None and as_played.round is not None and of_round in (None, as_played.round):
        played = ledger.as_played(position, as_played.name, as_played.round, as_played.passed, table.book)
        if ledger.seating(played, table.book)["E"] == as_played.name:
            return state._replace(position=played), []
    misfits: list[Wrong] = []
    if of_round not in (None, table.round):
        headed, above = WIND_NAMES[of_round or ""], WIND_NAMES[table.round]
        misfits.append((head, refuse("winds-differ", "round", headed=headed, above=above).refusal))
    playing = [name for name in position.players if name != table.seats.get(SITTER_OUT)]
    for source, row in easts:
        east = table.seats["E"]
        if row.name != east:
            misfits.append((source, refuse("winds-differ", "east", name=row.name, east=east).refusal))
            if row.name in playing:
                position = position._replace(east=playing.index(row.name))
    after = state._replace(position=position, winds_differ=state.winds_differ or bool(misfits))
    return after, [] if state.winds_differ else misfits[:1]


def _table_rows(rows: Sequence[PlacedRow], table: TableState, is_hand: bool) -> tuple[TableRows, list[Wrong]]:
    """Return the rows of a block by seat, and their mistakes."""
    seated: dict[str, Seated] = {}
    nets: dict[str, int] = {}
    wrong: list[Wrong] = []
    for source, row in rows:
        try:
            if isinstance(row, PaysRow):
                _add_nets(nets, row, table)
            elif isinstance(row, SeatRow):
                if not is_hand:
                    raise refuse("row-of-event")
                seat = table.seat_of(row.name)
                result = _seat_result(row, seat, table)
                if seat in seated:
                    raise refuse("second-seat", "row", name=WIND_NAMES.get(seat, seat))
                if row.discarder is not None:
                    check_discarder(table.seat_of(row.discarder), seat, table.playing, row.discarder)
                seated[seat] = source, row, result
        except Refused as refused:
            parts = row.parts if isinstance(row, SeatRow | PaysRow) else ()
            wrong.append((source, at_its_place(refused.refusal, source.text, parts)))
    absent = table.absent(seated) if is_hand else []
    return TableRows(table.seats, seated, nets, tuple(table.seats[wind] for wind in absent)), wrong


def _add_nets(nets: dict[str, int], row: PaysRow, table: TableState) -> None:
    """Add the nets that a row expects. Raises Refused for an unknown seat, and for one named twice."""
    for name, points in row.nets:
        seat = resolved_seat(name, table.seats)
        if seat in nets:
            raise refuse("second-seat", "nets", about=Seat(name), name=name)
        if seat not in (*table.book.seats, SITTER_OUT):
            raise table.no_seat(name)
        nets[seat] = points


def _wrong_scores(seated: Mapping[str, Seated]) -> list[Wrong]:
    """Return a refusal for each row whose score differs from the expected one."""
    return [
        (source, refuse("expected-score", name=row.name, score=result.score, expected=row.expected).refusal)
        for source, row, result in seated.values()
        if isinstance(row.expected, int) and row.expected != result.score
    ]


def _seat_result(row: SeatRow, seat: str, table: TableState) -> SeatResult:
    """Return the result of a seat for the settlement. Raises Refused."""
    hand = row.given if isinstance(row.given, Hand) else None
    win = hand.win if hand is not None else None
    is_ninth = _is_ninth(row.ninth or (win is not None and "ninth" in win.flags), row, seat, table.position)
    of_round = row.round if hand is None else hand.round
    if of_round and table.round and of_round != table.round:
        raise refuse("second-round", "row", said=of_round)
    if hand is None:
        score = row.given if isinstance(row.given, int) else 0
        return SeatResult(score, row.doubles, dead=row.given is None, ninth=is_ninth)
    if win is not None:
        win = renamed(win, {player: wind for wind, player in table.seats.items()})
        win = win._replace(flags=win.flags | {"ninth"}) if is_ninth else win
    return result_of(placed_hand(hand._replace(seat=seat, win=win), seat, table.round), table.book)


def _is_ninth(claimed: bool, row: SeatRow, seat: str, position: Position | None) -> bool:
    """Return whether this is East's ninth win in succession. Raises Refused if it is *claimed* and not true."""
    if position is None:
        return claimed
    wins = position.east_wins if seat == "E" else 0
    if claimed and wins != 8:
        raise refuse("not-the-ninth", about=Flag("ninth"), name=row.name, wins=wins or "none")
    return wins == 8


def _among_rows(
    refusal: Refusal, rows: Sequence[PlacedRow], head: SourceLine, line: BlockLine | EventLine
) -> Wrong:
    """Return the *refusal* of a whole table with the row whose flag it is about, or else with the head line."""
    if isinstance(refusal.about, Flag):
        for source, row in _of_kind(SeatRow, rows):
            if row.parts.flag(refusal.about.word):
                return source, at_its_place(refusal, source.text, row.parts)
    if isinstance(refusal.about, Seat) and isinstance(line, EventLine):
        refusal = at_its_place(refusal, head.text, line.parts)
    return head, refusal


def _settled(
    state: State, line: BlockLine | EventLine, table: TableState, seated: Mapping[str, Seated]
) -> tuple[Settlement, State]:
    """Return the settlement of a hand or an event, and the state after it. Raises Refused."""
    if isinstance(line, BlockLine):
        absent = table.absent(seated)
        settlement = _settled_hand(line.label, table, seated, absent)
        winner = settlement.winner
        if absent:
            return settlement, state
    else:
        event = EVENTS[line.word]
        if event.changes_seats:
            named = [table.seats.get(name, name) for name in line.names]
            after = after_seats_change(state, *named)
            return event.settle(line, named, table.playing, table.book), after
        named = [table.seat_of(name, event.names_absent) for name in line.names]
        settlement = event.settle(line, named, table.playing, table.book)
    if table.position is None:
        return settlement, state
    position = ledger.with_net(table.position, settlement.net, table.seats)
    if isinstance(line, EventLine):
        position = event.after(line, named, position, table.book)
    elif winner is None:
        position = ledger.after_stop(position)
    else:
        position = ledger.after_win(position, winner, table.book)
    return settlement, state._replace(position=position)


def _settled_hand(
    label: str | None, table: TableState, seated: Mapping[str, Seated], absent: Sequence[str]
) -> Settlement:
    """Return a hand's settlement, or what is known if winds are *absent*. Raises Refused if no more rows could help."""
    results = {seat: result for seat, (_, _, result) in seated.items()}
    won = {seat: row for seat, (_, row, _) in seated.items() if row.won}
    winner, row = next(iter(won.items()), (None, SeatRow("", None)))
    if len(won) > 1:
        raise Refused(two_winners(list(won), table.seats))
    discarder, names = row.discarder and resolved_seat(row.discarder, table.seats), table.seats or WIND_NAMES
    everybody = {**results, **dict.fromkeys(absent, SeatResult(0))}
    try:
        settlement = settle(everybody, winner, table.book, drawn=row.drawn, discarder=discarder, names=names)
    except Refused as refused:
        if not absent or refused.refusal.code != "no-winner":
            raise
        settlement = Settlement(rulebook=table.book.id)
    settlement = settlement._replace(label=label)
    if not absent:
        return settlement
    scores = {wind: result.score for wind, result in results.items()}
    sheets = {wind: result.sheet for wind, result in results.items() if result.sheet is not None}
    return settlement._replace(scores=scores, payments=(), net={}, remarks=(), sheets=sheets)
