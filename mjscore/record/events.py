"""What comes between hands: a drawn game, a wash, a false win, a long hand, an agreed payment."""

from __future__ import annotations

from mjscore.record import ledger
from mjscore.record.checked import Checked, placed
from mjscore.record.context import State
from mjscore.record.ledger import Position
from mjscore.record.lines import (
    DrawLine,
    FalseLine,
    LongLine,
    PayLine,
    PaysRow,
    PenaltyLine,
    SeatRow,
    WashLine,
)
from mjscore.record.source import Block
from mjscore.record.tables import (
    Table,
    add_expected,
    check_winds,
    read_rows,
    refused_table,
    resolved_seat,
    settled_table,
    table_at,
)
from mjscore.refusal import Refusal, Refused
from mjscore.settling import penalties
from mjscore.settling.payment import SITTER_OUT
from mjscore.settling.settlement import Settlement

EventLine = DrawLine | WashLine | FalseLine | LongLine | PenaltyLine | PayLine


def check_event(state: State, line: EventLine, block: Block) -> tuple[State, Checked]:
    """The state after what stopped a hand or came between hands, and its result."""
    head = block.head
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
        settlement = _settlement(line, table)
    except Refused as refused:
        refusals.append(placed(refused.refusal, state.file, head))
    if refusals:
        return refused_table(state, head, None, refusals, table.seats)
    state = state._replace(position=_position_after(line, table, settlement))
    return settled_table(state, head, settlement, nets, (), table, rows, settlement.kind)


def _settlement(line: EventLine, table: Table) -> Settlement:
    book = table.book
    playing = [seat for seat in table.seats or book.seats if seat != SITTER_OUT]
    if isinstance(line, DrawLine):
        return penalties.drawn_game(playing, book)
    if isinstance(line, WashLine):
        if line.not_touching:
            table.seat_of(line.seat)
            return penalties.not_touching(playing, book)
        return penalties.wash(table.seat_of(line.seat), line.tiles, line.heads, playing, book)
    if isinstance(line, FalseLine):
        seat = table.seat_of(line.seat)
        return penalties.false_win(seat, playing, book)._replace(by=seat)
    if isinstance(line, LongLine):
        return penalties.long_hand(table.seat_of(line.seat), playing, book)
    if isinstance(line, PenaltyLine):
        named = [table.seat_of(name) for name in line.seats]
        return penalties.of_the_rulebook(line.rule, named, playing, book)
    payer, payee = (
        SITTER_OUT
        if book.settling.sitter_out is not None and resolved_seat(name, table.seats) == SITTER_OUT
        else table.seat_of(name)
        for name in (line.payer, line.payee)
    )
    return penalties.agreed(payer, payee, line.points, playing, book)


def _position_after(line: EventLine, table: Table, settlement: Settlement) -> Position | None:
    if table.position is None:
        return None
    position = ledger.with_net(table.position, settlement.net, table.seats)
    if isinstance(line, DrawLine):
        return ledger.after_draw(position, line.four, table.book)
    if isinstance(line, WashLine):
        settling = table.book.settling
        rule = settling.not_touching if line.not_touching else settling.wash
        return ledger.after_wash(position, table.seat_of(line.seat), rule, table.book)
    if isinstance(line, LongLine):
        return ledger.after_stop(position)
    return position
