"""What a file's lines set for those below them: rulebook, options, round, players, notes."""

import os
from datetime import date
from typing import Any, NamedTuple

from mjscore.record import ledger
from mjscore.record.ledger import Position
from mjscore.record.lines import HeaderLine, Line, NoteLine, PlayersLine, Row, SettingLine
from mjscore.refusal import Refusal, Refused, refuse
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import rulebook_called
from mjscore.rulebook.rulebook import Rulebook


class Context(NamedTuple):
    """The rulebook by which a line is read, with its *settings*; and the *seat* and *round* of hands that name none.

    Rulebook files are looked for in *folder*; *refused* says why the rulebook named last cannot be used.
    """

    rulebook: str = "harr"
    settings: tuple[tuple[str, str], ...] = ()
    round: str | None = None
    seat: str | None = None
    folder: str = ""
    refused: Refusal | None = None

    def book(self) -> Rulebook:
        """Return the rulebook in force. Raises Refused."""
        if self.refused is not None:
            raise refuse("no-rulebook", "line", line=self.refused.line)
        return bind(self.rulebook, dict(self.settings), self.folder)

    def with_setting(self, option: str, value: str) -> "Context":
        """Return the context with an option set."""
        others = (setting for setting in self.settings if setting[0] != option)
        return self._replace(settings=(*others, (option, value)))


class Occasion(NamedTuple):
    """What an evening's file says about its table.

    *counters* is the set played with: ``harr``, ``babcock`` or a file; *bank* says whether the bank gives change,
    *pair_by_pair* whether each payment is made separately; *date* is like 2026-11-21.
    """

    title: str = ""
    date: str = ""
    counters: str = ""
    bank: bool = False
    pair_by_pair: bool = False


class State(NamedTuple):
    """All that the meaning of a line depends on.

    *position* is the ledger's, once players are named; *notes* are those since the last result; *winds_differ* is
    true once a hand's winds have contradicted the ledger, because only the first is refused; *other_rules* says, if
    not empty, that the file was recorded under other rules than those in force: recorded nets then stand.
    """

    file: str
    context: Context
    position: Position | None = None
    notes: tuple[str, ...] = ()
    winds_differ: bool = False
    occasion: Occasion = Occasion()
    other_rules: str = ""

    @property
    def book(self) -> Rulebook:
        """Return the rulebook in force. Raises Refused."""
        return self.context.book()

    @property
    def seats(self) -> dict[str, str]:
        """Return the players by wind, and at X the player who sits out; empty if no players are named."""
        return ledger.seating(self.position, self.book) if self.position is not None else {}

    @property
    def round_wind(self) -> str:
        """Return the wind of the round; empty if it is unknown."""
        if self.position is None:
            return self.context.round or ""
        return ledger.round_wind(self.position, self.book)

    @classmethod
    def before(cls, path: str, context: Context) -> "State":
        """Return the state before a file's first line; rulebook files are beside it unless *context* has a folder."""
        if path == "-":
            return cls("<stdin>", context)
        return cls(path, context._replace(folder=context.folder or os.path.dirname(path)))


def after_line(state: State, line: Line | Row, number: int) -> tuple[State, Refusal | None]:
    """Return the state after line *number*, which only sets something, and its refusal or None."""
    context = state.context
    try:
        match line:
            case HeaderLine("rulebook", name):
                context = Context(rulebook_called(name), (), context.round, context.seat, context.folder)
                context.book()
            case HeaderLine("round", wind):
                context = context._replace(round=wind)
            case HeaderLine("rules", fingerprint):
                now = context.book().fingerprint
                if fingerprint != now:
                    refused = refuse(
                        "rules-changed", about=next(iter(line.parts[1:]), None), then=fingerprint, now=now
                    )
                    state = state._replace(other_rules=refused.refusal.message)
                    raise refused
            case HeaderLine(key, value):
                return state._replace(occasion=_occasion_after(state, key, value)), None
            case SettingLine(option, value):
                context = context.with_setting(option, value)
                context.book()
            case PlayersLine(names):
                book = context.book()
                if state.position is not None:
                    raise refuse("second-players")
                check_count(len(names), book)
                return state._replace(position=ledger.begin(names)), None
            case NoteLine(text):
                return state._replace(notes=(*state.notes, text)), None
    except Refused as refused:
        refusal = refused.unshown
        if isinstance(line, HeaderLine) and line.word == "rulebook":
            state = without_rulebook(state, refusal, number)
        return state, refusal
    return state._replace(context=context), None


def without_rulebook(state: State, refusal: Refusal, number: int) -> State:
    """Return the state after line *number*, which named a bad rulebook: hands below it are not scored by another."""
    return state._replace(context=state.context._replace(refused=refusal._replace(line=number)))


def _occasion_after(state: State, key: str, value: str) -> Occasion:
    """Return the occasion with the *value* of a line *key*. Raises Refused for unknown counters, an impossible date."""
    remembered: dict[str, Any] = {key.replace("-", "_"): True if key in ("bank", "pair-by-pair") else value}
    if key == "counters":
        from mjscore.counters.counter_sets import load_counters

        load_counters(value, state.context.folder)
    if key == "date":
        try:
            remembered["date"] = date.fromisoformat(value).isoformat()
        except ValueError:
            raise refuse("bad-date", day=value[:20]) from None
    return state.occasion._replace(**remembered)


def check_count(count: int, book: Rulebook) -> None:
    """Raise Refused unless the rulebook allows *count* players."""
    if "players" in book.options and count != book.players:
        raise refuse("player-count", "set", count=count, players=book.players)
    if count == 5 and book.settling.sitter_out is None:
        raise refuse("player-count", "fifth", book=book.id)


def after_seats_change(state: State, comes: str, leaves: str) -> State:
    """Return the state after a change of seats, with the rulebook for the new number of players. Raises Refused."""
    context, book = state.context, state.context.book()
    if state.position is None:
        raise refuse("no-players", "above")
    count = len(state.position.players) + bool(comes) - bool(leaves)
    if not 2 <= count <= 5:
        raise refuse("player-count", "change", count=count)
    if "players" in book.options and count != book.players:
        context = context.with_setting("players", str(count))
    check_count(count, context.book())
    position = ledger.change_seats(state.position, comes, leaves, book, context.book())
    return state._replace(context=context, position=position)
