"""Files checked block by block: expected against computed.

``check_block`` is the whole of it, and pure: the state before a block and the block go in, the state
after it and its results come out. A hand at a table goes from its rows to what each seat brings, to the
settlement, to the ledger's next position.
"""

from __future__ import annotations

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
from mjscore.refusal import (
    PROGRAM_FAULT,
    Place,
    Refusal,
    Refused,
    escape_controls,
    program_fault,
    refuse,
)
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
Said = tuple[SourceLine, Line | Row | Refusal]  # a line with what it says, or why it says nothing
PlacedRow = tuple[SourceLine, Line | Row]
Wrong = tuple[SourceLine, Refusal]
Brought = tuple[SourceLine, SeatRow, SeatResult]  # the row of a seat and what it brings to the settling


class Checked(NamedTuple):
    """One hand, table or refused line of a file, and whether it holds.

    *state* is that of the file above it, with the winds at which it was played. *kind* is ``hand``, ``table`` or ``line``;
    *expected* what the file expects (a score, ``error``, or the nets by seat); *refusals* all that is wrong with it;
    *notes* stand above it and in it; *seats* who sat at which wind, and *after* is the ledger's position behind it, where
    the file names its players. *missing* are the players who have no line yet in an evening's last hand: it is open then, and
    its settlement holds what is known so far. *amiss* is true where the rows of that hand hold one by one and not together, as
    play keeps them until one is put right: it is open too, and *refusals* say why. *scores_expected* says whether a row tells what it scores.
    *cells* are those beside the hand in a spreadsheet, by column.
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
        """Return whether it is the hand under way: players have no line yet, or the lines do not go together."""
        return bool(self.missing) or self.amiss

    @property
    def is_fault(self) -> bool:
        """Return whether it is a fault of the program itself."""
        return any(refusal.code == PROGRAM_FAULT for refusal in self.refusals)

    @property
    def people(self) -> dict[str, str]:
        """Return who sits at which wind, and who has come by a change of seats, by their names."""
        return {**self.seats, **{name: name for name in (self.after.players if self.after else ())}}

    def as_json(self) -> dict[str, object]:
        """Return the object that programs read: the outcome with file, line, label, expected, ok."""
        return plain(self.members())

    def members(self) -> dict[str, object]:
        """Return the members of that object, the items and sets of a score sheet as they are."""
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
    """Checks the blocks of one file in order; *state* is what those so far leave for the next."""

    def __init__(self, file: str, context: Context) -> None:
        self.state = State.before(file, context)

    def check(self, found: Iterable[Block]) -> Iterator[Checked]:
        """Return the results of blocks; lines that only set something give none unless refused."""
        for block in found:
            yield from self.check_together((block,))

    def check_together(self, found: Iterable[Block]) -> list[Checked]:
        """Return the results of blocks that are all in memory, in a quarter less time than one by one.

        All are read before the first is checked: a processor is quicker at more of the same.
        """
        results: list[Checked] = []
        for block, said in [(block, _said_in(block, parse_text)) for block in found]:
            try:
                self.state, more = _check_said(self.state, said, block.last)
            except Exception as error:
                # a fault in one line never costs the others
                self.state, more = _check_lines(self.state, [(block.head, program_fault(error))])
            results += more
        return results


def check_file(path: str, context: Context) -> Iterator[Checked]:
    """Return the results of every hand and table of a file, in order. Raises OSError where it cannot be read."""
    reader = Reader(path, context)
    return reader.check(read_blocks(path, reader.state.file))


def check_block(
    state: State, block: Block, read: Callable[[str], Line | Row] = parse_text
) -> tuple[State, tuple[Checked, ...]]:
    """Return the state after one line and its rows, and their results; *read* tells what each says."""
    return _check_said(state, _said_in(block, read), block.last)


def after_head(state: State, line: SourceLine) -> State:
    """Return the state after a line that only sets something, or is refused."""
    said = _said(line, parse_text)
    if isinstance(said, Refusal):
        return _after_refused(state, line, said)
    return after_line(state, said, line.number)[0]


def _after_refused(state: State, line: SourceLine, refusal: Refusal) -> State:
    """Return the state after a line that was refused: one of a rulebook, however it is written, leaves none."""
    if _OF_RULEBOOK.match(line.text) and not EXPECTS_ERROR.search(line.text):
        return without_rulebook(state, refusal, line.number)
    return state


def still_open(file: str, line: int, missing: Iterable[str], refusals: Iterable[Refusal]) -> str:
    """Return what to say of an evening's last hand while players are *missing* or the lines do not go together."""
    names = ", ".join(escape_controls(name) for name in missing)
    why = (
        f"nothing is said yet of {names}"
        if names
        else "; ".join(f"{escape_controls(one.message)} [{one.code}]" for one in refusals)
    )
    return f"{escape_controls(file)}:{line}: the hand is open: {why}"


def placed(refusal: Refusal, file: str, line: SourceLine) -> Refusal:
    """Return a refusal of something in *line* with its place there; one of a rulebook's file keeps its own."""
    if refusal.file:
        return refusal
    column = refusal.column or 1
    length = refusal.length if refusal.column else max(1, len(line.text.rstrip()))
    return refusal._replace(file=file, line=line.number, column=column, length=length, text=line.text)


def _said_in(block: Block, read: Callable[[str], Line | Row]) -> list[Said]:
    """Return the lines of a block, each with what it says."""
    head = block.head
    if head.is_indented and head.refusal is None:
        head = head._replace(refusal=_stray_row(head, "first"))
    return [(line, _said(line, read)) for line in (head, *block.rows)]


def _said(line: SourceLine, read: Callable[[str], Line | Row]) -> Line | Row | Refusal:
    if line.refusal is not None:
        return line.refusal
    try:
        return read(line.text)
    except Refused as refused:
        return refused.refusal
    except Exception as error:
        return program_fault(error)


def _check_said(state: State, said: Sequence[Said], last: bool) -> tuple[State, tuple[Checked, ...]]:
    """Do what ``check_block`` does for a block whose lines have been read; *last* where nothing stands below it."""
    (head, line), *rows = said
    if isinstance(line, BlockLine | EventLine):
        after, checked = _check_table(state, line, said, last)
        if state.other_rules and isinstance(line, BlockLine):
            after, checked = _as_booked(after, checked, rows)
        return after, (checked,)
    wrong = [(row, _stray_row(row, "below")) for row, _ in rows]
    if isinstance(line, Refusal) and not EXPECTS_ERROR.search(head.text):
        # what is wrong with the rows below a refused line is said too
        below = rows if head.refusal is None else []
        wrong = [(row, refusal) for row, refusal in below if isinstance(refusal, Refusal)]
    if isinstance(line, HandLine | Refusal):
        state, found = _check_lines(state, [(head, line), *wrong])
        return _after_refused(state, head, line) if isinstance(line, Refusal) else state, found
    state, refusal = after_line(state, line, head.number)
    if refusal is not None:
        if isinstance(line, HeaderLine) and refusal.about is not None:
            refusal = at_its_place(refusal, head.text, line.parts)
        wrong.insert(0, (head, refusal))
    return _check_lines(state, wrong)


def _check_lines(
    state: State, lines: Iterable[tuple[SourceLine, HandLine | Refusal]]
) -> tuple[State, tuple[Checked, ...]]:
    """Return the state after hands that stand by themselves and lines that were refused, and their results."""
    results = []
    for source, said in lines:
        results.append(_check_line(state, source, said))
        if state.notes:
            state = state._replace(notes=())
    return state, tuple(results)


def _check_line(state: State, source: SourceLine, said: HandLine | Refusal) -> Checked:
    """Return the result of a hand that stands by itself, or of a line that was refused."""
    label = hand = expected = None
    refusal, kind = said, "line"
    refusals: tuple[Refusal, ...] = ()
    if isinstance(said, HandLine):
        kind, (label, hand, expected, parts) = "hand", said
        try:
            book = state.context.book()
            hand = placed_hand(hand, state.context.seat, state.context.round)
            sheet = score_hand(hand, book).sheet
            holds = expected in (None, sheet.score)
        except Refused as refused:
            refusal = at_its_place(refused.refusal, source.text, parts)
    else:
        label, _, expected = _taken_apart(source.text)
        expected = None if said.code == PROGRAM_FAULT and expected == "error" else expected
    if isinstance(refusal, Refusal):
        refusal = placed(refusal, state.file, source)
        sheet = refused_sheet(refusal, state.context.rulebook, hand)
        holds = expected == "error"
        refusals = () if holds else (refusal,)
    return Checked(
        state, source.number, source.text, kind, label, sheet, expected, holds, refusals, state.notes
    )


def _taken_apart(text: str) -> tuple[str | None, str, Expected]:
    """Return the label of a line, its hand as it is written, and the score that it expects, though it were refused."""
    label = _LABEL.match(text)
    assert label is not None
    said = text[label.end() :].partition("#")[0]
    hand, _, expected = said.rpartition("=")
    if not _EXPECTED.fullmatch(expected):
        return label[1], said.strip(), None
    expected = expected.strip()
    return label[1], hand.strip(), expected if expected == "error" else int(expected)


def _stray_row(row: SourceLine, kind: str) -> Refusal:
    return refuse("stray-row", kind, at=Place(row.text, 0, len(row.text))).refusal


class TableState(NamedTuple):
    """A table before a hand of a *round*, which is empty where nothing tells it. Where no players are named it has neither
    *seats* nor *position*.
    """

    book: Rulebook
    seats: Mapping[str, str]
    position: Position | None
    round: str

    @classmethod
    def at(cls, state: State) -> TableState:
        """Return the table at which the next hand is played. Raises Refused where there is none by the rulebook."""
        if state.position is not None:
            check_count(len(state.position.players), state.book)
        return cls(state.book, state.seats, state.position, state.round_wind)

    @property
    def playing(self) -> list[str]:
        """Return the winds at which somebody plays, or could."""
        return [seat for seat in self.seats or self.book.seats if seat != SITTER_OUT]

    def absent(self, seated: Collection[str]) -> list[str]:
        """Return the winds of named players at which nobody is *seated* yet."""
        return [wind for wind in self.playing if wind not in seated] if self.seats else []

    def seat_of(self, name: str, or_absent: bool = False) -> str:
        """Return the wind at which *name*, a player or a wind, plays; of who sits out only where asked, as the name of who has
        left. Raises Refused.
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
    """Return the wind at which the player *name* sits; a wind (or an unknown name) as it is."""
    return next((wind for wind, player in seats.items() if player == name), name)


Kind = TypeVar("Kind", SeatRow, PaysRow, EastRow, NoteLine, Refusal)


def _of_kind(kind: type[Kind], rows: Iterable[Said]) -> list[tuple[SourceLine, Kind]]:
    return [(source, row) for source, row in rows if isinstance(row, kind)]


class Told(NamedTuple):
    """What the rows of a block say: who sits at which wind, the row of each, the net that each is expected to have, and which
    players have no row yet.
    """

    seats: Mapping[str, str] = {}
    seated: Mapping[str, Brought] = {}
    nets: Mapping[str, int] = {}
    missing: tuple[str, ...] = ()


def _check_table(
    state: State, line: BlockLine | EventLine, said: Sequence[Said], last: bool
) -> tuple[State, Checked]:
    """Return the state after a hand at the table, or after what stopped one or came between two, and its result.

    The *last* hand of an evening may be open.
    """
    (head, _), *below = said
    wrong = _of_kind(Refusal, below)
    rows = [(source, row) for source, row in below if not isinstance(row, Refusal)]
    is_hand, said_round = isinstance(line, BlockLine), line.round if isinstance(line, BlockLine) else None
    told, settlement, after, amiss = Told(), None, state, False
    try:
        state, misfits = _check_winds(state, rows, said_round, head)
        table = TableState.at(state)
        told, table = Told(table.seats), table._replace(round=said_round or table.round)
        told, others = _told_by(rows, table, is_hand)
        wrong += [*misfits, *others]
        if told.missing and not wrong and not last:
            raise refuse("missing-seat", "player", names=", ".join(told.missing), first=told.missing[0])
        if not (is_hand and wrong):
            settlement, after = _settled(state, line, table, told.seated)
            told = told._replace(seats=_with_those_paid(told.seats, settlement, after))
    except Refused as refused:
        wrong.append(_among_rows(refused.refusal, rows, head, line))
        amiss = is_hand and last and bool(told.seats) and not _of_kind(PaysRow, rows)
    if wrong:
        settlement, after = None, state
    checked = _table_result(state, head, line, told, settlement, wrong or _wrong_scores(told.seated))
    notes = () if wrong else tuple(row.text for _, row in _of_kind(NoteLine, rows))
    checked = checked._replace(
        notes=state.notes + notes, after=after.position, amiss=amiss, ok=checked.ok or amiss
    )
    return after._replace(notes=()), checked


def _table_result(
    state: State,
    head: SourceLine,
    line: BlockLine | EventLine,
    told: Told,
    settlement: Settlement | None,
    wrong: Iterable[Wrong],
) -> Checked:
    """Return the result of a table from what its rows say: refused where it could not be settled."""
    kind, label = ("hand", line.label) if isinstance(line, BlockLine) else (line.word, None)
    refusals = tuple(placed(refusal, state.file, source) for source, refusal in wrong)
    if settlement is None:
        told = Told(told.seats)
        settlement = Settlement(label, rulebook=state.context.rulebook, kind=kind, error=refusals[0])
    nets = {} if told.missing else told.nets
    holds = not refusals and nets.items() <= settlement.net.items()
    scores_expected = not told.missing and any(row.expected is not None for _, row, _ in told.seated.values())
    return Checked(
        state, head.number, head.text, "table", label, settlement, nets or None, holds, refusals,
        seats=told.seats, missing=told.missing, scores_expected=scores_expected,
    )  # fmt: skip


def _with_those_paid(seats: Mapping[str, str], settlement: Settlement, after: State) -> dict[str, str]:
    """Return who sits at which wind, and those who have left the table and pay or are paid all the same, by their names."""
    left = dict(after.position.left) if after.position is not None else {}
    return {**seats, **{name: name for name in settlement.net if name in left}}


def _as_booked(after: State, checked: Checked, rows: Sequence[Said]) -> tuple[State, Checked]:
    """Return the state after a hand that was kept under other rules, and its result: with what was booked then, where the
    rules in force give other nets, or refuse a hand in it.
    """
    seats, outcome, position = checked.seats, checked.outcome, checked.state.position
    nets = [net for _, row in _of_kind(PaysRow, rows) for net in row.nets]
    booked = {resolved_seat(name, seats): points for name, points in nets}
    told = {resolved_seat(row.name, seats): row for _, row in _of_kind(SeatRow, rows)}
    winners = [seat for seat, row in told.items() if row.won]
    is_whole = booked.keys() == seats.keys() == told.keys() | ({SITTER_OUT} & seats.keys())
    misfits = any(refusal.code == "winds-differ" for refusal in checked.refusals)
    if position is None or not isinstance(outcome, Settlement) or not is_whole or misfits:
        return after, checked
    if len(winners) != 1 or sum(booked.values()) != 0 or outcome.net == booked:
        return after, checked
    (winner,) = winners
    now = ", ".join(f"{seats[seat]} {points:+d}" for seat, points in outcome.net.items())
    if outcome.error is not None:
        now = outcome.error.message
        scores = {seat: row.given if isinstance(row.given, int) else 0 for seat, row in told.items()}
        outcome = Settlement(checked.label, scores, winner, rulebook=outcome.rulebook)
    refusal = refuse("nets-differ", "booked", now=now).refusal
    refusals = (placed(refusal, checked.state.file, SourceLine(checked.line, checked.text)),)
    position = ledger.after_win(ledger.with_net(position, booked, seats), winner, checked.state.book)
    outcome = outcome._replace(
        payments=_payments_to(winner, booked), net=booked, remarks=(*outcome.remarks, refusal.message)
    )
    checked = checked._replace(outcome=outcome, expected=booked, ok=False, after=position, refusals=refusals)
    return after._replace(position=position, notes=()), checked


def _payments_to(winner: str, nets: Mapping[str, int]) -> tuple[Payment, ...]:
    """Return the payments that leave the *nets*, each between the winner and one other."""
    return tuple(
        Payment(seat, winner, -points) if points < 0 else Payment(winner, seat, points)
        for seat, points in nets.items()
        if points and seat != winner
    )


def _check_winds(
    state: State, rows: Sequence[PlacedRow], said_round: str | None, head: SourceLine
) -> tuple[State, list[Wrong]]:
    """Return the state with the East that a block names, and the file's first misfit of East or round with the ledger.

    The state after it has the East that the block names. A row ``east Ben @S`` is taken at its word: the
    winds are kept as they were played. Raises Refused where the rulebook was refused.
    """
    table, position = TableState.at(state), state.position
    if position is None:
        return state, []
    easts = _of_kind(EastRow, rows)
    kept = next((row for _, row in easts if row.round is not None), None)
    if kept is not None and kept.round is not None and said_round in (None, kept.round):
        played = ledger.as_played(position, kept.name, kept.round, kept.passed, table.book)
        if ledger.seating(played, table.book)["E"] == kept.name:
            return state._replace(position=played), []
    misfits: list[Wrong] = []
    if said_round not in (None, table.round):
        headed, above = WIND_NAMES[said_round or ""], WIND_NAMES[table.round]
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


def _told_by(rows: Sequence[PlacedRow], table: TableState, is_hand: bool) -> tuple[Told, list[Wrong]]:
    """Return what the rows of a block say, and what is wrong with them."""
    seated: dict[str, Brought] = {}
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
    return Told(table.seats, seated, nets, tuple(table.seats[wind] for wind in absent)), wrong


def _add_nets(nets: dict[str, int], row: PaysRow, table: TableState) -> None:
    """Add what a row expects each seat to win or lose. Raises Refused for a seat that is none, or stands twice."""
    for name, points in row.nets:
        seat = resolved_seat(name, table.seats)
        if seat in nets:
            raise refuse("second-seat", "nets", about=Seat(name), name=name)
        if seat not in (*table.book.seats, SITTER_OUT):
            raise table.no_seat(name)
        nets[seat] = points


def _wrong_scores(seated: Mapping[str, Brought]) -> list[Wrong]:
    """Return the refusals of rows that say another score than theirs."""
    return [
        (source, refuse("expected-score", name=row.name, score=result.score, expected=row.expected).refusal)
        for source, row, result in seated.values()
        if isinstance(row.expected, int) and row.expected != result.score
    ]


def _seat_result(row: SeatRow, seat: str, table: TableState) -> SeatResult:
    """Return what the row of a seat brings to the settling. Raises Refused."""
    hand = row.given if isinstance(row.given, Hand) else None
    win = hand.win if hand is not None else None
    is_ninth = _is_ninth(row.ninth or (win is not None and "ninth" in win.flags), row, seat, table.position)
    said_round = row.round if hand is None else hand.round
    if said_round and table.round and said_round != table.round:
        raise refuse("second-round", "row", said=said_round)
    if hand is None:
        score = row.given if isinstance(row.given, int) else 0
        return SeatResult(score, row.doubles, dead=row.given is None, ninth=is_ninth)
    if win is not None:
        win = renamed(win, {player: wind for wind, player in table.seats.items()})
        win = win._replace(flags=win.flags | {"ninth"}) if is_ninth else win
    return result_of(placed_hand(hand._replace(seat=seat, win=win), seat, table.round), table.book)


def _is_ninth(said: bool, row: SeatRow, seat: str, position: Position | None) -> bool:
    """Return whether this would be East's ninth hand won in succession. Raises Refused where that is *said* and is not so."""
    if position is None:
        return said
    wins = position.east_wins if seat == "E" else 0
    if said and wins != 8:
        raise refuse("not-the-ninth", about=Flag("ninth"), name=row.name, wins=wins or "none")
    return wins == 8


def _among_rows(
    refusal: Refusal, rows: Sequence[PlacedRow], head: SourceLine, line: BlockLine | EventLine
) -> Wrong:
    """Return a refusal of a whole table with the row of the flag that it is about, if any, else with its head."""
    if isinstance(refusal.about, Flag):
        for source, row in _of_kind(SeatRow, rows):
            if row.parts.flag(refusal.about.word):
                return source, at_its_place(refusal, source.text, row.parts)
    if isinstance(refusal.about, Seat) and isinstance(line, EventLine):
        refusal = at_its_place(refusal, head.text, line.parts)
    return head, refusal


def _settled(
    state: State, line: BlockLine | EventLine, table: TableState, seated: Mapping[str, Brought]
) -> tuple[Settlement, State]:
    """Settle a hand, or what stopped one or came between hands; the state after it. Raises Refused."""
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
    label: str | None, table: TableState, seated: Mapping[str, Brought], absent: Sequence[str]
) -> Settlement:
    """Settle a hand. Raises Refused.

    Of one under way, for which some are *absent*, it is what is known so far; only what no further row could put right is
    refused.
    """
    results = {seat: result for seat, (_, _, result) in seated.items()}
    won = {seat: row for seat, (_, row, _) in seated.items() if row.won}
    winner, row = next(iter(won.items()), (None, SeatRow("", None)))
    if len(won) > 1:
        raise Refused(two_winners(list(won), table.seats))
    discarder, names = row.discarder and resolved_seat(row.discarder, table.seats), table.seats or WIND_NAMES
    everybody = {**results, **dict.fromkeys(absent, SeatResult(0))}
    try:
        settlement = settle(
            everybody, winner, table.book, drawn=row.drawn, discarder=discarder, names=names
        )._replace(label=label)
    except Refused as refused:
        if not absent or refused.refusal.code != "no-winner":
            raise
        settlement = Settlement(label, rulebook=table.book.id)
    if not absent:
        return settlement
    scores = {wind: result.score for wind, result in results.items()}
    sheets = {wind: result.sheet for wind, result in results.items() if result.sheet is not None}
    return settlement._replace(scores=scores, payments=(), net={}, remarks=(), sheets=sheets)
