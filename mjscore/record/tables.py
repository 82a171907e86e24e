"""What is played at a table: rows to what each seat brings, to the settlement, to the ledger's next position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.places import located
from mjscore.record import ledger
from mjscore.record.checked import Checked, finished, placed
from mjscore.record.context import State, after_seats_change
from mjscore.record.events import EVENTS
from mjscore.record.ledger import Position
from mjscore.record.lines import (
    BlockLine,
    EastRow,
    EventLine,
    NoteLine,
    PaysRow,
    Row,
    SeatRow,
    parse_row,
    renamed_win,
)
from mjscore.record.marks import kind_of
from mjscore.record.source import Block, SourceLine
from mjscore.refusal import About, Refusal, Refused, refuse
from mjscore.rulebook.binding import Rulebook
from mjscore.scoring.checks import placed_hand
from mjscore.settling.checks import check_discarder
from mjscore.settling.payment import SITTER_OUT, SeatResult
from mjscore.settling.settlement import (
    Settlement,
    refused_settlement,
    result_of,
    settle,
    two_winners,
)

PlacedRow = tuple[SourceLine, Row]
Wrong = tuple[SourceLine, Refusal]


class Table(NamedTuple):
    """A table before a hand. Where no players are named it has neither *seats* nor *position*."""

    book: Rulebook
    seats: Mapping[str, str]
    position: Position | None

    def seat_of(self, name: str, or_sits_out: bool = False) -> str:
        """Give the wind at which *name*, a player or a wind, plays; of who sits out only where asked. Raises Refused."""
        seat = resolved_seat(name, self.seats)
        if or_sits_out and seat == SITTER_OUT and self.book.settling.sitter_out is not None:
            return seat
        if seat not in tuple(self.seats or self.book.seats) or seat == SITTER_OUT:
            raise Refused(self.no_seat(name))
        return seat

    def no_seat(self, name: str) -> Refusal:
        """Give the refusal of a *name* that is neither a player's nor a wind's."""
        if self.seats:
            players = ", ".join(player for wind, player in self.seats.items() if wind != SITTER_OUT)
            message, hint = f"nobody here is called {name[:40]!r}", f"the players are {players}"
            return Refusal("unknown-player", message, hint, about=About("seat", name))
        hint = f"the seats are {' '.join(self.book.seats)}; name the players above with players"
        return Refusal("no-such-seat", f"there is no seat {name[:40]!r}", hint)


def resolved_seat(name: str, seats: Mapping[str, str]) -> str:
    """Give the wind at which the player *name* sits; a wind (or an unknown name) as it is."""
    return next((wind for wind, player in seats.items() if player == name), name)


def table_at(state: State) -> Table:
    """Give the table at which the next hand is played. Raises Refused where the rulebook was refused."""
    book, position = state.context.book(), state.position
    return Table(book, {} if position is None else ledger.seating(position, book), position)


def check_table(state: State, line: BlockLine | EventLine, block: Block) -> tuple[State, Checked]:
    """Give the state after a hand at the table, or after what stopped one or came between two, and its result.

    An evening's last hand may be open.
    """
    head = block.head
    kind, label, said_round = ("hand", *line) if isinstance(line, BlockLine) else (line.word, None, None)
    rows, wrong = _read_rows(block)
    try:
        state, misfits = _check_winds(state, rows, said_round, head)
        table = table_at(state)
    except Refused as refused:
        return _refused(state, head, line, [*wrong, (head, refused.refusal)], {})
    derived = state.context.round if table.position is None else ledger.round_wind(table.position, table.book)
    told = _told_by(rows, table, kind, said_round or derived)
    wrong += [*misfits, *told.wrong]
    absent = [wind for wind in table.seats if wind not in told.results and wind != SITTER_OUT]
    missing = tuple(table.seats[wind] for wind in absent) if kind == "hand" else ()
    if missing and not wrong and not block.last:
        message = f"nothing is said of {', '.join(missing)}"
        hint = f"give every player a hand, a score or dead: {missing[0]}: 0"
        wrong.append((head, Refusal("missing-seat", message, hint)))
    amiss, after = False, state
    if isinstance(line, EventLine) or not wrong:
        try:
            if isinstance(line, EventLine):
                settlement, after = _happened(state, line, table)
            else:
                settlement = _settled(told, absent, table, label)
                if table.position is not None and not missing:
                    position = ledger.with_net(table.position, settlement.net, table.seats)
                    winner = settlement.winner
                    after = state._replace(
                        position=ledger.after_win(position, winner, table.book)
                        if winner is not None
                        else ledger.after_stop(position)
                    )
        except Refused as refused:
            wrong.append(_at_its_flag(refused.refusal, rows, head))
            nets_said = any(isinstance(row, PaysRow) for _, row in rows)
            amiss = kind == "hand" and block.last and bool(table.seats) and not nets_said
    if wrong:
        return _refused(state, head, line, wrong, table.seats, amiss)
    nets = {} if missing else told.nets
    holds = all(settlement.net.get(seat) == points for seat, points in nets.items())
    after, checked = finished(
        after,
        head,
        "table",
        label,
        settlement,
        nets or None,
        holds and not told.wrong_scores,
        tuple(placed(refusal, state.file, source) for source, refusal in told.wrong_scores),
        seats=table.seats,
        before=table.position,
        after=after.position,
        missing=missing,
        occasion=state.occasion,
        scores_expected=not missing
        and any(isinstance(row, SeatRow) and row.expected is not None for _, row in rows),
    )
    remarks = tuple(row.text for _, row in rows if isinstance(row, NoteLine))
    # it was played by the rules before it: a change of seats may set others
    rulebook, settings = state.context.rulebook, state.context.settings
    return after, checked._replace(notes=checked.notes + remarks, rulebook=rulebook, settings=settings)


def _refused(
    state: State,
    head: SourceLine,
    line: BlockLine | EventLine,
    wrong: Sequence[Wrong],
    seats: Mapping[str, str],
    amiss: bool = False,
) -> tuple[State, Checked]:
    """Give the state after a block that was refused, and its result."""
    label = line.label if isinstance(line, BlockLine) else None
    refusals = tuple(placed(refusal, state.file, source) for source, refusal in wrong)
    settlement = refused_settlement(refusals[0], label, state.context.rulebook, kind_of(head.text))
    return finished(
        state, head, "table", label, settlement, None, False, refusals, seats=seats, before=state.position,
        after=state.position, occasion=state.occasion, amiss=amiss,
    )  # fmt: skip


def _read_rows(block: Block) -> tuple[list[PlacedRow], list[Wrong]]:
    """Give the rows of a block that can be read, and why the others cannot."""
    rows: list[PlacedRow] = []
    wrong: list[Wrong] = []
    for source in block.rows:
        try:
            if source.refusal is not None:
                raise Refused(source.refusal)
            rows.append((source, parse_row(source.text) if source.record is None else source.record))
        except Refused as refused:
            wrong.append((source, refused.refusal))
    return rows, wrong


def _check_winds(
    state: State, rows: Sequence[PlacedRow], said_round: str | None, head: SourceLine
) -> tuple[State, list[Wrong]]:
    """Tell whether the block's own word on East and the round fits the ledger; the file's first misfit is named.

    The state after it has the East that the block names. A row ``east Ben @S`` is taken at its word: the
    winds are kept as they were played. Raises Refused where the rulebook was refused.
    """
    position = state.position
    if position is None:
        return state, []
    table = table_at(state)
    easts = [(source, row) for source, row in rows if isinstance(row, EastRow)]
    kept = next(((row.name, row.round) for _, row in easts if row.round is not None), None)
    if kept is not None and said_round in (None, kept[1]):
        played = ledger.as_played(position, *kept, table.book)
        if ledger.seating(played, table.book)["E"] == kept[0]:
            return state._replace(position=played), []
    misfits: list[tuple[SourceLine, str]] = []
    derived = ledger.round_wind(position, table.book)
    if said_round is not None and said_round != derived:
        headed, above = WIND_NAMES[said_round], WIND_NAMES[derived]
        message = f"this hand is headed {headed} round, and by the hands above it is {above} round"
        misfits.append((head, message))
    for source, row in easts:
        if row.name == table.seats["E"]:
            continue
        misfits.append((source, f"East is {row.name} here, and by the hands above it is {table.seats['E']}"))
        playing = [name for name in position.players if name != table.seats.get(SITTER_OUT)]
        if row.name in playing:
            position = position._replace(east=playing.index(row.name))
    hint = "from here on the winds no longer fit: put right a hand above, or this line"
    wrong = [(source, Refusal("winds-differ", message, hint)) for source, message in misfits[:1]]
    differ = state.winds_differ
    return state._replace(position=position, winds_differ=differ or bool(misfits)), [] if differ else wrong


class _Told(NamedTuple):
    """What the rows of a block tell: each seat's result, who wins and how, the nets expected, and what is wrong."""

    results: Mapping[str, SeatResult]
    winners: Sequence[str]
    drawn: bool | None
    discarder: str | None
    nets: Mapping[str, int]
    wrong_scores: Sequence[Wrong]
    wrong: Sequence[Wrong]


def _told_by(rows: Sequence[PlacedRow], table: Table, kind: str, round_wind: str | None) -> _Told:
    results: dict[str, SeatResult] = {}
    winners: list[str] = []
    drawn: bool | None = None
    discarder: str | None = None
    nets: dict[str, int] = {}
    wrong_scores: list[Wrong] = []
    wrong: list[Wrong] = []
    for source, row in rows:
        if isinstance(row, PaysRow):
            for name, points in row.nets:
                seat = resolved_seat(name, table.seats)
                if seat in nets:
                    wrong.append((source, Refusal("second-seat", f"{name} stands twice", "say it once")))
                elif seat not in (*table.book.seats, SITTER_OUT):
                    wrong.append((source, table.no_seat(name)))
                else:
                    nets[seat] = points
        elif isinstance(row, SeatRow) and kind != "hand":
            hint = "only pays and note stand below this line"
            wrong.append((source, Refusal("row-of-event", "nobody shows a hand here", hint)))
        elif isinstance(row, SeatRow):
            # while a name is looked up, it is what a refusal is about
            name = row.name
            start: int | None = source.text.find(name)
            try:
                seat = table.seat_of(name)
                start = None
                result = _seat_result(row, seat, table, round_wind)
                if seat in results:
                    message = f"a second line for {WIND_NAMES.get(seat, seat)}"
                    raise refuse("second-seat", message, "every seat has one line")
                if row.discarder is not None:
                    name, start = row.discarder, source.text.rfind(row.discarder)
                    discarder = resolved_seat(name, table.seats)
                    check_discarder(discarder, seat, list(table.seats or table.book.seats))
            except Refused as refused:
                refusal = refused.refusal
                if start is not None:
                    refusal = refusal._replace(column=start + 1, length=len(name))
                wrong.append((source, located(refusal, source.text)))
                continue
            results[seat] = result
            if isinstance(row.expected, int) and row.expected != result.score:
                message = f"{row.name} scores {result.score}, not {row.expected}"
                refusal = Refusal("expected-score", message, "put the score right, or the hand")
                wrong_scores.append((source, refusal))
            if row.won:
                winners.append(seat)
                drawn = row.drawn
    return _Told(results, winners, drawn, discarder, nets, wrong_scores, wrong)


def _seat_result(row: SeatRow, seat: str, table: Table, round_wind: str | None) -> SeatResult:
    """Tell what the row of a seat brings to the settling. Raises Refused."""
    hand = row.given if isinstance(row.given, Hand) else None
    win = hand.win if hand is not None else None
    wins = table.position.east_wins if table.position is not None and seat == "E" else 0
    if (row.ninth or (win is not None and "ninth" in win.flags)) and wins != 8 and table.position is not None:
        message = (
            f"{row.name} has won {wins or 'none'} of the hands before this one as East, not eight in a row"
        )
        hint = "leave out ninth: an evening counts the wins itself"
        raise refuse("not-the-ninth", message, hint, about=About("flag", "ninth"))
    said_round = row.round if hand is None else hand.round
    if said_round is not None and round_wind is not None and said_round != round_wind:
        raise refuse("second-round", "the round is told by the head of the block", f"leave out @{said_round}")
    if hand is None:
        score = row.given if isinstance(row.given, int) else 0
        return SeatResult(score, row.doubles, dead=row.given is None, ninth=row.ninth or wins == 8)
    if win is not None:
        win = renamed_win(win, {player: wind for wind, player in table.seats.items()})
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


def _settled(told: _Told, absent: Sequence[str], table: Table, label: str | None) -> Settlement:
    """Settle a hand. Of one under way, for which some are *absent*, it is what is known so far: refused is what no further
    row could put right. Raises Refused.
    """
    if len(told.winners) > 1:
        raise Refused(two_winners(list(told.winners)))
    try:
        settlement = settle(
            {**told.results, **dict.fromkeys(absent, SeatResult(0))},
            told.winners[0] if told.winners else None,
            table.book,
            drawn=told.drawn,
            discarder=told.discarder,
            label=label,
            names=table.seats or WIND_NAMES,
        )
    except Refused as refused:
        if not absent or refused.refusal.code != "no-winner":
            raise
        settlement = Settlement(label, {}, None, None, rulebook=table.book.id)
    if not absent:
        return settlement
    return settlement._replace(
        scores={wind: result.score for wind, result in told.results.items()},
        payments=(),
        net={},
        remarks=(),
        sheets={wind: result.sheet for wind, result in told.results.items() if result.sheet is not None},
    )


def _happened(state: State, line: EventLine, table: Table) -> tuple[Settlement, State]:
    """Settle what stopped a hand or came between hands; the state after it. Raises Refused."""
    event, after = EVENTS[line.word], state
    if event.changes_seats:
        named = [table.seats.get(name, name) for name in line.names]
        after = after_seats_change(state, *named)
    else:
        named = [table.seat_of(name, event.names_sitter_out) for name in line.names]
    playing = [seat for seat in table.seats or table.book.seats if seat != SITTER_OUT]
    settlement = event.settle(line, named, playing, table.book)
    if table.position is not None and not event.changes_seats:
        position = ledger.with_net(table.position, settlement.net, table.seats)
        if event.after is not None:
            position = event.after(line, named, position, table.book)
        after = state._replace(position=position)
    return settlement, after
