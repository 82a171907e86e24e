"""What the lines of a file say of the lines below them: rulebook, options, round, players, notes."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from mjscore.record import ledger
from mjscore.record.ledger import Position
from mjscore.record.lines import (
    FingerprintLine,
    Line,
    NoteLine,
    OccasionLine,
    PlayersLine,
    RoundLine,
    RulebookLine,
    SettingLine,
)
from mjscore.refusal import Refusal, Refused, refuse
from mjscore.rulebook.binding import Rulebook, bind
from mjscore.rulebook.entries import rulebook_called


class Context(NamedTuple):
    """Under which rulebook a line is read, and what it need not say itself.

    *settings* are option names with their values; *folder* is where rulebook files are looked for;
    *refused* says why the rulebook named last is none.
    """

    rulebook: str = "harr"
    settings: tuple[tuple[str, str], ...] = ()
    round: str | None = None
    seat: str | None = None
    folder: str = ""
    refused: Refusal | None = None

    def book(self) -> Rulebook:
        """Give the rulebook in force. Raises Refused."""
        if self.refused is not None:
            raise refuse(
                "no-rulebook",
                f"the rulebook for this line was refused (line {self.refused.line})",
                "put that line right; this one is checked then",
            )
        return bind(self.rulebook, dict(self.settings), self.folder)


class Occasion(NamedTuple):
    """What an evening's file remembers of its table.

    *counters* is the set played with, ``harr``, ``babcock`` or a file; *bank* whether the bank gives change,
    *pair_by_pair* whether every payment is handed over by itself; *date* as in 2026-11-21.
    """

    title: str = ""
    date: str = ""
    counters: str = ""
    bank: bool = False
    pair_by_pair: bool = False


class State(NamedTuple):
    """Where a file stands before a line: all that the lines above say of it.

    *position* is the ledger's, once players are named; *notes* stand above the next result;
    *winds_differ* is true once a hand's winds did not fit the ledger, for only the first is refused;
    *occasion* is what the file remembers of its table.
    """

    file: str
    context: Context
    position: Position | None = None
    notes: tuple[str, ...] = ()
    winds_differ: bool = False
    occasion: Occasion = Occasion()


def after_line(state: State, line: Line, number: int) -> tuple[State, Refusal | None]:
    """Give the state after line *number*, which only sets something; why it cannot be set, if so."""
    context = state.context
    try:
        if isinstance(line, RulebookLine):
            context = Context(rulebook_called(line.name), (), context.round, context.seat, context.folder)
            context.book()
        elif isinstance(line, SettingLine):
            settings = tuple(setting for setting in context.settings if setting[0] != line.option)
            context = context._replace(settings=(*settings, (line.option, line.value)))
            context.book()
        elif isinstance(line, RoundLine):
            context = context._replace(round=line.wind)
        elif isinstance(line, PlayersLine):
            return state._replace(position=_first_position(state, line)), None
        elif isinstance(line, FingerprintLine):
            _check_fingerprint(context.book(), line)
        elif isinstance(line, OccasionLine):
            return state._replace(occasion=_occasion_after(state, line)), None
        elif isinstance(line, NoteLine):
            return state._replace(notes=(*state.notes, line.text)), None
    except Refused as refused:
        if isinstance(line, RulebookLine):
            context = context._replace(refused=refused.refusal._replace(line=number))
            return state._replace(context=context), refused.refusal
        return state, refused.refusal
    return state._replace(context=context), None


def _first_position(state: State, line: PlayersLine) -> Position:
    book = state.context.book()
    if state.position is not None:
        raise refuse("second-players", "the players are named already", "one file keeps one evening")
    count = len(line.names)
    if "players" in book.options and count != book.players:
        raise refuse(
            "player-count",
            f"{count} players, and the rulebook is set for {book.players}",
            f"put set players {count} above this line",
        )
    _check_fifth(count, book)
    return ledger.begin(line.names)


def _check_fifth(count: int, book: Rulebook) -> None:
    if count == 5 and book.settling.sitter_out is None:
        raise refuse(
            "player-count",
            f"five players, and the rulebook {book.id} knows no fifth",
            "babcock with set players 5 does; of five friends one rests: eve for ann",
        )


def after_seats_change(state: State, comes: str, leaves: str) -> State:
    """Give the state after a change of seats, its rulebook set for as many as play then. Raises Refused."""
    book = state.context.book()
    if state.position is None:
        raise refuse(
            "no-players", "nobody sits here by name", "write players Ann Ben Cid Dee above this line"
        )
    count = len(state.position.players) + bool(comes) - bool(leaves)
    if not 2 <= count <= 5:
        raise refuse(
            "player-count", f"{count} would play", "two to five play: somebody may come in their place"
        )
    context = state.context
    if "players" in book.options and count != book.players:
        others = tuple(setting for setting in context.settings if setting[0] != "players")
        context = context._replace(settings=(*others, ("players", str(count))))
    _check_fifth(count, context.book())
    position = ledger.change_seats(state.position, comes, leaves, book, context.book())
    return state._replace(context=context, position=position)


def _occasion_after(state: State, line: OccasionLine) -> Occasion:
    occasion = state.occasion
    if line.key == "counters":
        from mjscore.counters.sets import load_counters

        load_counters(line.value, state.context.folder)
        return occasion._replace(counters=line.value)
    if line.key == "date":
        try:
            return occasion._replace(date=date.fromisoformat(line.value).isoformat())
        except ValueError:
            raise refuse(
                "bad-date", f"there is no day {line.value[:20]!r}", "write it as in date 2026-11-21"
            ) from None
    if line.key == "title":
        return occasion._replace(title=line.value)
    if line.key == "bank":
        return occasion._replace(bank=True)
    return occasion._replace(pair_by_pair=True)


def _check_fingerprint(book: Rulebook, line: FingerprintLine) -> None:
    if line.fingerprint != book.fingerprint:
        raise refuse(
            "rules-changed",
            f"this file was kept under other rules: {line.fingerprint} then, {book.fingerprint} now",
            "its results may differ; put the old rulebook and options back, or change this line to accept the new ones",
        )
