"""Files checked hand by hand and table by table: expected against computed.

The reader goes through a file's groups in order and keeps what lines above say of those below: the
rulebook, its options, the round and, with ``players``, who sits where.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from mjscore.game.hand import Hand, Win
from mjscore.game.tiles import WIND_NAMES
from mjscore.notation.places import located
from mjscore.record import ledger
from mjscore.record.ledger import Position
from mjscore.record.lines import (
    EXPECTS_ERROR,
    BlockLine,
    DrawLine,
    EastRow,
    Expected,
    FalseLine,
    FingerprintLine,
    HandLine,
    Line,
    LongLine,
    NoteLine,
    PayLine,
    PaysRow,
    PlayersLine,
    RoundLine,
    Row,
    RulebookLine,
    SeatRow,
    SettingLine,
    WashLine,
    parse_line,
    parse_row,
)
from mjscore.record.source import Group, SourceLine, groups, open_table, read_lines
from mjscore.refusal import Refusal, Refused, refuse
from mjscore.rulebook.binding import Rulebook, bind
from mjscore.scoring.scorer import ScoreSheet, placed_hand, refused_sheet, score_hand
from mjscore.settling import penalties as events
from mjscore.settling.payment import SITTER_OUT, SeatResult
from mjscore.settling.settlement import (
    Settlement,
    refused_settlement,
    result_of,
    settle,
    two_winners,
)


class Context(NamedTuple):
    """What lines above say of the lines below. *settings* are option names with their values."""

    rulebook: str = "harr"
    settings: tuple[tuple[str, str], ...] = ()
    round: str | None = None
    seat: str | None = None
    folder: str = ""
    refused: Refusal | None = None

    def book(self) -> Rulebook:
        """The rulebook in force. Raises Refused."""
        if self.refused is not None:
            raise refuse(
                "no-rulebook",
                f"the rulebook for this line was refused (line {self.refused.line})",
                "put that line right; this one is checked then",
            )
        return bind(self.rulebook, dict(self.settings), self.folder)


class Checked(NamedTuple):
    """One hand, table or refused line of a file, and whether it holds.

    *kind* is ``hand``, ``table`` or ``line``; *expected* what the file expects (a score, ``error``, or
    the nets by seat); *refusals* all that is wrong with it; *seats* who sat at which wind, *before* and
    *after* the ledger's positions, where the file names its players.
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
    event: str = ""
    notes: tuple[str, ...] = ()
    rulebook: str = "harr"
    settings: tuple[tuple[str, str], ...] = ()

    def as_json(self) -> dict[str, object]:
        """The object that programs read: the outcome with file, line, label, expected, ok."""
        found = self.outcome.as_json()
        expected = dict(self.expected) if isinstance(self.expected, Mapping) else self.expected
        found.update(file=self.file, line=self.line, label=self.label, expected=expected, ok=self.ok)
        if self.refusals:
            found["error"] = self.refusals[0].as_json()
            found["errors"] = [refusal.as_json() for refusal in self.refusals]
        if self.seats:
            found["players"] = dict(self.seats)
        return found


class Reader:
    """Goes through the groups of one file; *context* and *position* change as it goes."""

    def __init__(self, file: str, context: Context) -> None:
        self.file = file
        self._context = context
        self._book: Rulebook | None = None
        self.position: Position | None = None
        self.winds_differ = False
        self.notes: list[str] = []

    @property
    def context(self) -> Context:
        """What the lines read so far say of the next."""
        return self._context

    @context.setter
    def context(self, context: Context) -> None:
        self._context = context
        self._book = None

    def book(self) -> Rulebook:
        """The rulebook in force. Raises Refused."""
        if self._book is None:
            self._book = self._context.book()
        return self._book

    def check(self, found: Iterable[Group]) -> Iterator[Checked]:
        """What each group gives; lines that only set something give nothing unless refused."""
        for group in found:
            yield from self.check_group(group)

    def check_group(self, group: Group) -> Iterator[Checked]:
        """What one line and its rows come to."""
        head = group.head
        if head.refusal is not None:
            yield self._bad_line(head, head.refusal)
            return
        if head.text[:1] in (" ", "\t"):
            yield self._bad_line(
                head,
                Refusal(
                    "stray-row",
                    "an indented line belongs to the block above it, and there is none",
                    "begin the line at the margin, or put hand above it",
                    1,
                    1,
                    len(head.text),
                    head.text,
                ),
            )
            return
        try:
            line = parse_line(head.text)
        except Refused as refused:
            yield self._bad_line(head, refused.refusal)
            yield from self._bad_rows(group)
            return
        if isinstance(line, HandLine):
            yield self._hand(line, head)
            yield from self._stray_rows(group)
        elif isinstance(line, BlockLine):
            yield self._table(line, group)
        elif isinstance(line, (DrawLine, WashLine, FalseLine, LongLine, PayLine)):
            yield self._event(line, group)
        elif isinstance(line, NoteLine):
            self.notes.append(line.text)
            yield from self._stray_rows(group)
        elif line is not None:
            refusal = self.set_context(line, head.number)
            if refusal is not None:
                if isinstance(line, FingerprintLine):
                    column = head.text.index(line.fingerprint) + 1
                    refusal = refusal._replace(column=column, length=len(line.fingerprint))
                yield self._bad_line(head, refusal)
            yield from self._stray_rows(group)

    def set_context(self, line: Line, number: int) -> Refusal | None:
        """What line *number* says of those below; why not, where it cannot."""
        context = self.context
        try:
            if isinstance(line, RulebookLine):
                self.context = Context(line.name, (), context.round, context.seat, context.folder)
                self.context.book()
            elif isinstance(line, SettingLine):
                settings = tuple(one for one in context.settings if one[0] != line.option)
                tried = context._replace(settings=(*settings, (line.option, line.value)))
                tried.book()
                self.context = tried
            elif isinstance(line, RoundLine):
                self.context = context._replace(round=line.wind)
            elif isinstance(line, PlayersLine):
                self._begin(line)
            elif isinstance(line, FingerprintLine):
                self._check_fingerprint(line)
        except Refused as refused:
            if isinstance(line, RulebookLine):
                self.context = self.context._replace(refused=refused.refusal._replace(line=number))
            return refused.refusal
        return None

    def _begin(self, line: PlayersLine) -> None:
        book = self.context.book()
        if self.position is not None:
            raise refuse("second-players", "the players are named already", "one file keeps one evening")
        count = len(line.names)
        if "players" in book.options and count != book.players:
            raise refuse(
                "player-count",
                f"{count} players, and the rulebook is set for {book.players}",
                f"put set players {count} above this line",
            )
        if count == 5 and "sitter-out" not in book.settle:
            raise refuse(
                "player-count",
                f"five players, and the rulebook {book.id} knows no fifth",
                "babcock with set players 5 does",
            )
        self.position = ledger.begin(line.names)

    def _check_fingerprint(self, line: FingerprintLine) -> None:
        book = self.context.book()
        if line.fingerprint != book.fingerprint:
            raise refuse(
                "rules-changed",
                f"this file was kept under other rules: {line.fingerprint} then, {book.fingerprint} now",
                "its results may differ; put the old rulebook and options back, or change this line to accept the new ones",
            )

    # ------------------------------------------------------------- one hand

    def _hand(self, line: HandLine, head: SourceLine) -> Checked:
        context = self.context
        hand: Hand = line.hand
        try:
            book = self.book()
            hand = placed_hand(line.hand, context.seat, context.round)
            sheet = score_hand(hand, book)
        except Refused as refused:
            refusal = self._placed(located(refused.refusal, head.text), head)
            sheet = refused_sheet(refusal, context.rulebook, hand)
            holds = line.expected == "error"
            return self._checked(
                head, "hand", line.label, sheet, line.expected, holds, () if holds else (refusal,)
            )
        return self._checked(
            head,
            "hand",
            line.label,
            sheet,
            line.expected,
            line.expected is None or line.expected == sheet.score,
        )

    def _checked(
        self,
        head: SourceLine,
        kind: str,
        label: str | None,
        outcome: ScoreSheet | Settlement,
        expected: Expected | Mapping[str, int],
        ok: bool,
        refusals: tuple[Refusal, ...] = (),
    ) -> Checked:
        notes, self.notes = tuple(self.notes), []
        return Checked(
            self.file,
            head.number,
            head.text,
            kind,
            label,
            outcome,
            expected,
            ok,
            refusals,
            notes=notes,
            rulebook=self.context.rulebook,
            settings=self.context.settings,
        )

    def _placed(self, refusal: Refusal, line: SourceLine) -> Refusal:
        if refusal.file:
            return refusal  # it speaks of a rulebook's file
        column = refusal.column or 1
        length = refusal.length if refusal.column else max(1, len(line.text.rstrip()))
        return refusal._replace(
            file=self.file, line=line.number, column=column, length=length, text=line.text
        )

    def _bad_line(self, line: SourceLine, refusal: Refusal) -> Checked:
        placed = self._placed(refusal, line)
        holds = bool(EXPECTS_ERROR.search(line.text))
        sheet = refused_sheet(placed, self.context.rulebook)
        return self._checked(
            line,
            "line",
            _label_of(line.text),
            sheet,
            "error" if holds else None,
            holds,
            () if holds else (placed,),
        )

    def _bad_rows(self, group: Group) -> Iterator[Checked]:
        """The rows below a refused line are not lost: what is wrong with them is said too."""
        for row in group.rows:
            try:
                parse_row(row.text)
            except Refused as refused:
                yield self._bad_line(row, refused.refusal)

    def _stray_rows(self, group: Group) -> Iterator[Checked]:
        for row in group.rows:
            yield self._bad_line(
                row,
                Refusal(
                    "stray-row",
                    "an indented line belongs to a block, and the line above begins none",
                    "begin the line at the margin, or put hand above it",
                    1,
                    1,
                    max(1, len(row.text)),
                    row.text,
                ),
            )

    # ------------------------------------------------------------- one table

    def _rows(self, group: Group) -> tuple[list[tuple[SourceLine, Row]], list[Refusal]]:
        rows: list[tuple[SourceLine, Row]] = []
        refusals: list[Refusal] = []
        for row in group.rows:
            try:
                if row.refusal is not None:
                    raise Refused(row.refusal)
                rows.append((row, parse_row(row.text)))
            except Refused as refused:
                refusals.append(self._placed(refused.refusal, row))
        return rows, refusals

    def _table(self, line: BlockLine, group: Group) -> Checked:
        rows, refusals = self._rows(group)
        head = group.head
        context = self.context
        seats: dict[str, str] = {}
        before = self.position
        try:
            book = self.book()
            seats = ledger.seating(before, book) if before is not None else {}
        except Refused as refused:
            refusals.append(self._placed(refused.refusal, head))
            return self._refused_table(head, line.label, refusals, {})
        self._check_winds(rows, line, head, seats, book, refusals)
        if self.position is not before and self.position is not None:
            before, seats = self.position, ledger.seating(self.position, book)
        results: dict[str, SeatResult] = {}
        winners: list[str] = []
        drawn: bool | None = None
        discarder: str | None = None
        expected: dict[str, int] | None = None
        wrong_scores: list[Refusal] = []
        round_wind = line.round or (ledger.round_wind(before, book) if before is not None else context.round)
        for source, row in rows:
            if isinstance(row, PaysRow):
                expected = self._expected_nets(row, source, seats, book, refusals, expected)
            elif isinstance(row, SeatRow):
                try:
                    seat, result = self.seat_result(row, source, seats, book, round_wind, before)
                    if seat in results:
                        raise refuse(
                            "second-seat",
                            f"a second line for {WIND_NAMES.get(seat, seat)}",
                            "every seat has one line",
                        )
                except Refused as refused:
                    refusals.append(self._placed(located(refused.refusal, source.text), source))
                    continue
                results[seat] = result
                if isinstance(row.expected, int) and row.expected != result.score:
                    wrong_scores.append(self._wrong_score(row, result, source))
                if row.won:
                    winners.append(seat)
                    drawn = row.drawn
                    if row.discarder is not None:
                        discarder = resolved_seat(row.discarder, seats)
        absent = [name for wind, name in seats.items() if wind not in results and wind != SITTER_OUT]
        if absent and not refusals:
            refusals.append(
                self._placed(
                    Refusal(
                        "missing-seat",
                        f"nothing is said of {', '.join(absent)}",
                        f"give every player a hand, a score or dead: {absent[0]}: 0",
                    ),
                    head,
                )
            )
        if not refusals:
            try:
                if len(winners) > 1:
                    raise Refused(two_winners(winners))
                settlement = settle(
                    results,
                    winners[0] if winners else None,
                    book,
                    drawn=drawn,
                    discarder=discarder,
                    label=line.label,
                    names=seats or WIND_NAMES,
                )
            except Refused as refused:
                refusals.append(self._placed(refused.refusal, head))
        if refusals:
            return self._refused_table(head, line.label, refusals, seats)
        holds = all(settlement.net.get(seat) == points for seat, points in (expected or {}).items())
        if before is not None:
            self.position = ledger.with_net(before, settlement.net, seats)
            if settlement.winner is not None:
                self.position = ledger.after_win(self.position, settlement.winner, book)
            else:
                self.position = ledger.after_stop(self.position)
        checked = self._checked(
            head, "table", line.label, settlement, expected, holds and not wrong_scores, tuple(wrong_scores)
        )
        remarks = tuple(row.text for _, row in rows if isinstance(row, NoteLine))
        return checked._replace(
            seats=seats, before=before, after=self.position, event="hand", notes=checked.notes + remarks
        )

    def _wrong_score(self, row: SeatRow, result: SeatResult, source: SourceLine) -> Refusal:
        return self._placed(
            Refusal(
                "expected-score",
                f"{row.name} scores {result.score}, not {row.expected}",
                "put the score right, or the hand",
            ),
            source,
        )

    def _refused_table(
        self, head: SourceLine, label: str | None, refusals: list[Refusal], seats: Mapping[str, str]
    ) -> Checked:
        settlement = refused_settlement(refusals[0], label, self.context.rulebook)
        checked = self._checked(head, "table", label, settlement, None, False, tuple(refusals))
        return checked._replace(seats=seats, before=self.position, after=self.position, event="refused")

    def _check_winds(
        self,
        rows: list[tuple[SourceLine, Row]],
        line: BlockLine | None,
        head: SourceLine,
        seats: Mapping[str, str],
        book: Rulebook,
        refusals: list[Refusal],
    ) -> None:
        """Whether the file's own word on East and the round fits the ledger; the first misfit is named."""
        if self.position is None:
            return
        derived = ledger.round_wind(self.position, book)
        if line is not None and line.round is not None and line.round != derived and not self.winds_differ:
            self.winds_differ = True
            refusals.append(
                self._placed(
                    Refusal(
                        "winds-differ",
                        f"this hand is headed {WIND_NAMES[line.round]} round, and by the hands above it is {WIND_NAMES[derived]} round",
                        "from here on the winds no longer fit: put right a hand above, or this line",
                    ),
                    head,
                )
            )
        for source, row in rows:
            if not isinstance(row, EastRow) or row.name == seats.get("E"):
                continue
            if not self.winds_differ:
                self.winds_differ = True
                refusals.append(
                    self._placed(
                        Refusal(
                            "winds-differ",
                            f"East is {row.name} here, and by the hands above it is {seats.get('E')}",
                            "from here on the winds no longer fit: put right a hand above, or this line",
                        ),
                        source,
                    )
                )
            playing = [name for name in self.position.players if name != seats.get(SITTER_OUT)]
            if row.name in playing:
                self.position = self.position._replace(east=playing.index(row.name))

    def _expected_nets(
        self,
        row: PaysRow,
        source: SourceLine,
        seats: Mapping[str, str],
        book: Rulebook,
        refusals: list[Refusal],
        known: dict[str, int] | None,
    ) -> dict[str, int] | None:
        found = dict(known or {})
        for name, points in row.nets:
            seat = resolved_seat(name, seats)
            if seat not in (*book.seats, SITTER_OUT) or seat in found:
                refusals.append(
                    self._placed(_no_seat(name, seats, book), source)
                    if seat not in found
                    else self._placed(Refusal("second-seat", f"{name} stands twice", "say it once"), source)
                )
                continue
            found[seat] = points
        return found

    def seat_result(
        self,
        row: SeatRow,
        source: SourceLine,
        seats: Mapping[str, str],
        book: Rulebook,
        round_wind: str | None,
        before: Position | None,
    ) -> tuple[str, SeatResult]:
        """A seat's wind and what its row brings to the settling. Raises Refused."""
        seat = resolved_seat(row.name, seats)
        if seat not in tuple(seats or book.seats) or seat == SITTER_OUT:
            start = source.text.find(row.name)
            refusal = _no_seat(row.name, seats, book)
            raise Refused(
                refusal._replace(line=1, column=max(0, start) + 1, length=len(row.name), text=source.text)
            )
        ninth = before is not None and before.east_wins == 8 and seat == "E" and row.won
        if isinstance(row.given, Hand):
            hand = row.given
            win = hand.win
            if win is not None:
                win = _resolved_win(win, seats)
                if ninth:
                    win = win._replace(flags=win.flags | {"ninth"})
            if hand.round is not None and round_wind is not None and hand.round != round_wind:
                raise refuse(
                    "second-round", "the round is told by the head of the block", f"leave out @{hand.round}"
                )
            return seat, result_of(placed_hand(hand._replace(seat=seat, win=win), seat, round_wind), book)
        if row.given is None:
            return seat, SeatResult(0, 0, dead=True)
        return seat, SeatResult(row.given, row.doubles, ninth=row.ninth or ninth)

    # ------------------------------------------------------------- events

    def _event(self, line: DrawLine | WashLine | FalseLine | LongLine | PayLine, group: Group) -> Checked:
        head = group.head
        rows, refusals = self._rows(group)
        before = self.position
        seats: dict[str, str] = {}
        expected: dict[str, int] | None = None
        settlement: Settlement | None = None
        try:
            book = self.book()
            seats = ledger.seating(before, book) if before is not None else {}
            self._check_winds(rows, None, head, seats, book, refusals)
            if self.position is not before and self.position is not None:
                before, seats = self.position, ledger.seating(self.position, book)
            for source, row in rows:
                if isinstance(row, PaysRow):
                    expected = self._expected_nets(row, source, seats, book, refusals, expected)
                elif isinstance(row, SeatRow):
                    refusals.append(
                        self._placed(
                            Refusal(
                                "row-of-event",
                                "nobody shows a hand here",
                                "only pays and note stand below this line",
                            ),
                            source,
                        )
                    )
            settlement = self._settled_event(line, seats, book)
            after = self._after_event(line, before, settlement, seats, book)
        except Refused as refused:
            refusals.append(self._placed(refused.refusal, head))
        if refusals or settlement is None:
            return self._refused_table(head, None, refusals, seats)
        holds = all(settlement.net.get(seat) == points for seat, points in (expected or {}).items())
        if before is not None:
            self.position = after
        checked = self._checked(head, "table", None, settlement, expected, holds)
        remarks = tuple(row.text for _, row in rows if isinstance(row, NoteLine))
        return checked._replace(
            seats=seats,
            before=before,
            after=self.position,
            event=settlement.kind,
            notes=checked.notes + remarks,
        )

    def _settled_event(
        self,
        line: DrawLine | WashLine | FalseLine | LongLine | PayLine,
        seats: Mapping[str, str],
        book: Rulebook,
    ) -> Settlement:
        def seat_of(name: str) -> str:
            seat = resolved_seat(name, seats)
            if seat not in tuple(seats or book.seats) or seat == SITTER_OUT:
                raise Refused(_no_seat(name, seats, book))
            return seat

        taken = [seat for seat in seats or book.seats if seat != SITTER_OUT]
        if isinstance(line, DrawLine):
            return events.drawn_game(taken, book)
        if isinstance(line, WashLine):
            return events.wash(seat_of(line.seat), line.tiles, line.heads, taken, book)
        if isinstance(line, FalseLine):
            return events.false_win(seat_of(line.seat), taken, book)
        if isinstance(line, LongLine):
            return events.long_hand(seat_of(line.seat), taken, book)
        payer, payee = (
            SITTER_OUT
            if "sitter-out" in book.settle and resolved_seat(name, seats) == SITTER_OUT
            else seat_of(name)
            for name in (line.payer, line.payee)
        )
        return events.agreed(payer, payee, line.points, taken, book)

    def _after_event(
        self,
        line: DrawLine | WashLine | FalseLine | LongLine | PayLine,
        before: Position | None,
        settlement: Settlement,
        seats: Mapping[str, str],
        book: Rulebook,
    ) -> Position | None:
        if before is None:
            return None
        position = ledger.with_net(before, settlement.net, seats)
        if isinstance(line, DrawLine):
            return ledger.after_draw(position, line.four, book)
        if isinstance(line, WashLine):
            return ledger.after_wash(position, resolved_seat(line.seat, seats), book)
        if isinstance(line, LongLine):
            return ledger.after_stop(position)
        return position


def _label_of(text: str) -> str | None:
    if text.startswith('"') and '"' in text[1:]:
        return text[1 : text.index('"', 1)]
    return None


def resolved_seat(name: str, seats: Mapping[str, str]) -> str:
    """The wind at which the player *name* sits; a wind (or an unknown name) as it is."""
    for wind, player in seats.items():
        if player == name:
            return wind
    return name


def _resolved_win(win: Win, seats: Mapping[str, str]) -> Win:
    return win._replace(
        discarder=resolved_seat(win.discarder, seats) if win.discarder is not None else None,
        earlier=resolved_seat(win.earlier, seats) if win.earlier is not None else None,
        all_from=resolved_seat(win.all_from, seats) if win.all_from is not None else None,
    )


def _no_seat(name: str, seats: Mapping[str, str], book: Rulebook) -> Refusal:
    if seats:
        return Refusal(
            "unknown-player",
            f"nobody here is called {name[:40]!r}",
            f"the players are {', '.join(player for wind, player in seats.items() if wind != SITTER_OUT)}",
        )
    return Refusal(
        "no-such-seat",
        f"there is no seat {name[:40]!r}",
        f"the seats are {' '.join(book.seats)}; name the players above with players",
    )


def check_file(path: str, context: Context) -> Iterator[Checked]:
    """What every hand and table of a file comes to, in order. Raises OSError where it cannot be read."""
    folder = str(Path(path).parent) if path != "-" else ""
    reader = Reader(path if path != "-" else "<stdin>", context._replace(folder=context.folder or folder))
    with open_table(path) as stream:
        yield from reader.check(groups(read_lines(stream, path)))
