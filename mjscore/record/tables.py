"""One hand at a table: rows to what each seat brings, to the settlement, to the ledger's next position.

What the rows of every block have in common stands here too: the winds and the nets that they expect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.places import located
from mjscore.record import ledger
from mjscore.record.checked import Checked, placed
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
Name = TypeVar("Name", bound=str | None)


class Table(NamedTuple):
    """A table before a hand. Where no players are named it has neither *seats* nor *position*."""

    file: str
    book: Rulebook
    seats: Mapping[str, str] = {}
    position: Position | None = None

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
            return Refusal(
                "unknown-player",
                f"nobody here is called {name[:40]!r}",
                f"the players are {', '.join(player for wind, player in self.seats.items() if wind != SITTER_OUT)}",
                about=About("seat", name),
            )
        return Refusal(
            "no-such-seat",
            f"there is no seat {name[:40]!r}",
            f"the seats are {' '.join(self.book.seats)}; name the players above with players",
        )


def resolved_seat(name: Name, seats: Mapping[str, str]) -> str | Name:
    """Give the wind at which the player *name* sits; a wind (or an unknown name, or none) as it is."""
    for wind, player in seats.items():
        if player == name:
            return wind
    return name


def table_at(state: State) -> Table:
    """Give the table at which the next hand is played. Raises Refused where the rulebook was refused."""
    book, position = state.context.book(), state.position
    return Table(state.file, book, {} if position is None else ledger.seating(position, book), position)


def read_rows(block: Block, file: str) -> tuple[list[PlacedRow], list[Refusal]]:
    """Give the rows of a block that can be read, and why the others cannot."""
    rows: list[PlacedRow] = []
    refusals: list[Refusal] = []
    for source in block.rows:
        try:
            if source.refusal is not None:
                raise Refused(source.refusal)
            rows.append((source, parse_row(source.text) if source.record is None else source.record))
        except Refused as refused:
            refusals.append(placed(refused.refusal, file, source))
    return rows, refusals


def check_winds(
    state: State, table: Table, rows: Sequence[PlacedRow], line: BlockLine | None, head: SourceLine
) -> tuple[State, list[Refusal]]:
    """Tell whether the block's own word on East and the round fits the ledger; the file's first misfit is named.

    The state after it has the East that the block names. A row ``east Ben @S`` is taken at its word: the
    winds are kept as they were played.
    """
    if state.position is None:
        return state, []
    position, differ = state.position, state.winds_differ
    refusals: list[Refusal] = []
    kept = next(
        ((row.name, row.round) for _, row in rows if isinstance(row, EastRow) and row.round is not None), None
    )
    if kept is not None:
        east, wind = kept
        played = ledger.as_played(position, east, wind, table.book)
        as_headed = line is None or line.round in (None, wind)
        if as_headed and ledger.seating(played, table.book)["E"] == east:
            return state._replace(position=played), []
    derived = ledger.round_wind(position, table.book)
    if line is not None and line.round is not None and line.round != derived and not differ:
        differ = True
        refusals.append(
            _misfit(
                f"this hand is headed {WIND_NAMES[line.round]} round, "
                f"and by the hands above it is {WIND_NAMES[derived]} round",
                state.file,
                head,
            )
        )
    for source, row in rows:
        if not isinstance(row, EastRow) or row.name == table.seats.get("E"):
            continue
        if not differ:
            differ = True
            refusals.append(
                _misfit(
                    f"East is {row.name} here, and by the hands above it is {table.seats.get('E')}",
                    state.file,
                    source,
                )
            )
        playing = [name for name in position.players if name != table.seats.get(SITTER_OUT)]
        if row.name in playing:
            position = position._replace(east=playing.index(row.name))
    return state._replace(position=position, winds_differ=differ), refusals


def _misfit(message: str, file: str, line: SourceLine) -> Refusal:
    hint = "from here on the winds no longer fit: put right a hand above, or this line"
    return placed(Refusal("winds-differ", message, hint), file, line)


def add_expected(nets: dict[str, int], row: PaysRow, source: SourceLine, table: Table) -> list[Refusal]:
    """Add what a ``pays`` row expects to *nets*, by wind; what is wrong with the row."""
    refusals = []
    for name, points in row.nets:
        seat = resolved_seat(name, table.seats)
        if seat in nets:
            refusals.append(Refusal("second-seat", f"{name} stands twice", "say it once"))
        elif seat not in (*table.book.seats, SITTER_OUT):
            refusals.append(table.no_seat(name))
        else:
            nets[seat] = points
    return [placed(refusal, table.file, source) for refusal in refusals]


def refused_table(
    state: State, head: SourceLine, label: str | None, refusals: Sequence[Refusal], seats: Mapping[str, str]
) -> tuple[State, Checked]:
    """Give the state after a block that was refused, and its result."""
    settlement = refused_settlement(refusals[0], label, state.context.rulebook, kind_of(head.text))
    return _result(state, head, settlement, None, False, refusals, seats, state.position, "refused")


def settled_table(
    state: State,
    head: SourceLine,
    settlement: Settlement,
    nets: Mapping[str, int],
    wrong_scores: Sequence[Refusal],
    table: Table,
    rows: Sequence[PlacedRow],
    event: str,
) -> tuple[State, Checked]:
    """Give the state after a settled block, and its result; *nets* are those expected, by wind."""
    holds = all(settlement.net.get(seat) == points for seat, points in nets.items())
    state, checked = _result(
        state, head, settlement, nets or None, holds and not wrong_scores, wrong_scores,
        table.seats, table.position, event,
    )  # fmt: skip
    remarks = tuple(row.text for _, row in rows if isinstance(row, NoteLine))
    return state, checked._replace(notes=checked.notes + remarks)


def _result(
    state: State,
    head: SourceLine,
    settlement: Settlement,
    expected: Mapping[str, int] | None,
    ok: bool,
    refusals: Sequence[Refusal],
    seats: Mapping[str, str],
    before: Position | None,
    event: str,
) -> tuple[State, Checked]:
    context = state.context
    checked = Checked(
        state.file, head.number, head.text, "table", settlement.label, settlement, expected, ok,
        tuple(refusals), seats, before, state.position, event, state.notes, context.rulebook, context.settings,
        occasion=state.occasion,
    )  # fmt: skip
    return state._replace(notes=()), checked


class _Rows(NamedTuple):
    """What the rows of a hand say: each seat's result, who wins and how, the nets expected."""

    results: Mapping[str, SeatResult]
    winners: Sequence[str]
    drawn: bool | None
    discarder: str | None
    nets: Mapping[str, int]
    wrong_scores: Sequence[Refusal]
    refusals: Sequence[Refusal]


def check_table(state: State, line: BlockLine, block: Block) -> tuple[State, Checked]:
    """Give the state after one hand at the table, and its result. An evening's last hand may be open."""
    head = block.head
    rows, refusals = read_rows(block, state.file)
    try:
        table = table_at(state)
    except Refused as refused:
        refusals.append(placed(refused.refusal, state.file, head))
        return refused_table(state, head, line.label, refusals, {})
    state, misfits = check_winds(state, table, rows, line, head)
    table = table_at(state)
    found = _read_seats(table, rows, line.round or _round_wind(state, table))
    refusals += [*misfits, *found.refusals]
    absent = [wind for wind in table.seats if wind not in found.results and wind != SITTER_OUT]
    missing = tuple(table.seats[wind] for wind in absent)
    if missing and not refusals and not block.last:
        refusal = Refusal(
            "missing-seat",
            f"nothing is said of {', '.join(missing)}",
            f"give every player a hand, a score or dead: {missing[0]}: 0",
        )
        refusals.append(placed(refusal, state.file, head))
    if refusals:
        return refused_table(state, head, line.label, refusals, table.seats)
    try:
        settlement = (
            _open_settlement(found, absent, table, line.label)
            if missing
            else _settlement(found, table, line.label)
        )
    except Refused as refused:
        refusal = _placed_in(rows, refused.refusal, state.file, head)
        nets_said = any(isinstance(row, PaysRow) for _, row in rows)
        state, checked = refused_table(state, head, line.label, [refusal], table.seats)
        return state, checked._replace(amiss=bool(block.last and table.seats and not nets_said))
    if missing:
        state, checked = settled_table(state, head, settlement, {}, found.wrong_scores, table, rows, "open")
        return state, checked._replace(missing=missing)
    state = state._replace(position=_position_after(table, settlement))
    state, checked = settled_table(
        state, head, settlement, found.nets, found.wrong_scores, table, rows, "hand"
    )
    expected = any(isinstance(row, SeatRow) and row.expected is not None for _, row in rows)
    return state, checked._replace(scores_expected=expected)


def _placed_in(rows: Sequence[PlacedRow], refusal: Refusal, file: str, head: SourceLine) -> Refusal:
    """Give a refusal of a whole table, at the row with the flag that it is about, if any, else at its head."""
    if refusal.about is not None and refusal.about.kind == "flag":
        for source, _ in rows:
            if f"!{refusal.about.name}" in source.text:
                return placed(located(refusal, source.text), file, source)
    return placed(refusal, file, head)


def _round_wind(state: State, table: Table) -> str | None:
    if table.position is not None:
        return ledger.round_wind(table.position, table.book)
    return state.context.round


def _position_after(table: Table, settlement: Settlement) -> Position | None:
    if table.position is None:
        return None
    position = ledger.with_net(table.position, settlement.net, table.seats)
    if settlement.winner is None:
        return ledger.after_stop(position)
    return ledger.after_win(position, settlement.winner, table.book)


def _settlement(found: _Rows, table: Table, label: str | None) -> Settlement:
    if len(found.winners) > 1:
        raise Refused(two_winners(list(found.winners)))
    return settle(
        found.results,
        found.winners[0] if found.winners else None,
        table.book,
        drawn=found.drawn,
        discarder=found.discarder,
        label=label,
        names=table.seats or WIND_NAMES,
    )


def _open_settlement(found: _Rows, absent: list[str], table: Table, label: str | None) -> Settlement:
    """Tell what is known so far of a hand under way. Raises Refused for what no further row could put right."""
    tried = found._replace(results={**found.results, **{wind: SeatResult(0) for wind in absent}})
    try:
        settlement = _settlement(tried, table, label)
    except Refused as refused:
        if refused.refusal.code != "no-winner":
            raise
        settlement = Settlement(label, {}, None, None, rulebook=table.book.id)
    return settlement._replace(
        scores={wind: result.score for wind, result in found.results.items()},
        payments=(),
        net={},
        remarks=(),
        sheets={wind: result.sheet for wind, result in found.results.items() if result.sheet is not None},
    )


def _read_seats(table: Table, rows: Sequence[PlacedRow], round_wind: str | None) -> _Rows:
    results: dict[str, SeatResult] = {}
    winners: list[str] = []
    drawn: bool | None = None
    discarder: str | None = None
    nets: dict[str, int] = {}
    wrong_scores: list[Refusal] = []
    refusals: list[Refusal] = []
    for source, row in rows:
        if isinstance(row, PaysRow):
            refusals += add_expected(nets, row, source, table)
        elif isinstance(row, SeatRow):
            try:
                seat, result = _seat_result(row, source, table, round_wind)
                if seat in results:
                    raise refuse(
                        "second-seat",
                        f"a second line for {WIND_NAMES.get(seat, seat)}",
                        "every seat has one line",
                    )
                if row.discarder is not None:
                    discarder = _bare_discarder(row.discarder, seat, source, table)
            except Refused as refused:
                refusals.append(placed(located(refused.refusal, source.text), table.file, source))
                continue
            results[seat] = result
            if isinstance(row.expected, int) and row.expected != result.score:
                wrong_scores.append(placed(_wrong_score(row, result), table.file, source))
            if row.won:
                winners.append(seat)
                drawn = row.drawn
    return _Rows(results, winners, drawn, discarder, nets, wrong_scores, refusals)


def _bare_discarder(name: str, seat: str, source: SourceLine, table: Table) -> str:
    """Give the wind of who discarded, named behind the bare score of *seat*. Raises Refused, at that name."""
    discarder = resolved_seat(name, table.seats)
    try:
        check_discarder(discarder, seat, list(table.seats or table.book.seats))
    except Refused as refused:
        column = source.text.rfind(name) + 1
        raise Refused(
            refused.refusal._replace(line=1, column=column, length=len(name), text=source.text)
        ) from None
    return discarder


def _wrong_score(row: SeatRow, result: SeatResult) -> Refusal:
    return Refusal(
        "expected-score",
        f"{row.name} scores {result.score}, not {row.expected}",
        "put the score right, or the hand",
    )


def _seat_result(
    row: SeatRow, source: SourceLine, table: Table, round_wind: str | None
) -> tuple[str, SeatResult]:
    """Give a seat's wind and what its row brings to the settling. Raises Refused."""
    try:
        seat = table.seat_of(row.name)
    except Refused as refused:
        column = source.text.find(row.name) + 1
        raise Refused(
            refused.refusal._replace(line=1, column=column, length=len(row.name), text=source.text)
        ) from None
    ninth = table.position is not None and table.position.east_wins == 8 and seat == "E"
    said = row.ninth or (
        isinstance(row.given, Hand) and row.given.win is not None and "ninth" in row.given.win.flags
    )
    if said and not ninth and table.position is not None:
        wins = table.position.east_wins if seat == "E" else 0
        raise refuse(
            "not-the-ninth",
            f"{row.name} has won {wins or 'none'} of the hands before this one as East, not eight in a row",
            "leave out ninth: an evening counts the wins itself",
            about=About("flag", "ninth"),
        )
    said_round = row.given.round if isinstance(row.given, Hand) else row.round
    if said_round is not None and round_wind is not None and said_round != round_wind:
        raise refuse("second-round", "the round is told by the head of the block", f"leave out @{said_round}")
    if isinstance(row.given, Hand):
        hand = row.given
        win = hand.win
        if win is not None:
            win = renamed_win(win, {player: wind for wind, player in table.seats.items()})
            if ninth:
                win = win._replace(flags=win.flags | {"ninth"})
        return seat, result_of(placed_hand(hand._replace(seat=seat, win=win), seat, round_wind), table.book)
    if row.given is None:
        return seat, SeatResult(0, dead=True)
    return seat, SeatResult(row.given, row.doubles, ninth=row.ninth or ninth)


# ----------------------------------------------------------------- between hands


def check_event(state: State, line: EventLine, block: Block) -> tuple[State, Checked]:
    """Give the state after what stopped a hand or came between hands, and its result."""
    head = block.head
    event = EVENTS[line.word]
    rows, refusals = read_rows(block, state.file)
    try:
        table = table_at(state)
    except Refused as refused:
        refusals.append(placed(refused.refusal, state.file, head))
        return refused_table(state, head, None, refusals, {})
    state, misfits = check_winds(state, table, rows, None, head)
    refusals += misfits
    table = table_at(state)
    nets: dict[str, int] = {}
    for source, row in rows:
        if isinstance(row, PaysRow):
            refusals += add_expected(nets, row, source, table)
        elif isinstance(row, SeatRow):
            refusal = Refusal(
                "row-of-event", "nobody shows a hand here", "only pays and note stand below this line"
            )
            refusals.append(placed(refusal, state.file, source))
    try:
        if event.changes_seats:
            named = [table.seats.get(name, name) for name in line.names]
            seated = after_seats_change(state, named[0], named[1])
        else:
            named = [table.seat_of(name, event.names_sitter_out) for name in line.names]
            seated = state
        playing = [seat for seat in table.seats or table.book.seats if seat != SITTER_OUT]
        settlement = event.settle(line, named, playing, table.book)
    except Refused as refused:
        refusals.append(placed(refused.refusal, state.file, head))
    if refusals:
        return refused_table(state, head, None, refusals, table.seats)
    if table.position is not None:
        paid = ledger.with_net(table.position, settlement.net, table.seats)
        moved = event.after(line, named, paid, table.book)
        state = state._replace(position=seated.position if event.changes_seats else moved)
    state, checked = settled_table(state, head, settlement, nets, (), table, rows, settlement.kind)
    return state._replace(context=seated.context), checked
