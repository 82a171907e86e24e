"""``mjscore settle``: who pays whom."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from mjscore.cli import file_access, options, printing
from mjscore.cli.typed_hands import worth_by
from mjscore.game.hand import Hand
from mjscore.game.tiles import WIND_NAMES
from mjscore.refusal import Place, Refused, escape_controls, refuse, told, whole

if TYPE_CHECKING:
    from mjscore.counters.exchange import Exchange
    from mjscore.counters.holdings import Purses
    from mjscore.notation.names import People
    from mjscore.notation.reading import HandReading
    from mjscore.play.line_speech import AtTable
    from mjscore.play.typed_line import TypedLine
    from mjscore.record.checker import Checked
    from mjscore.record.context import Context
    from mjscore.record.lines import SeatRow
    from mjscore.rulebook.rulebook import Rulebook
    from mjscore.settling.settlement import Settlement


_seat_option = partial(click.option, metavar="SEAT|NAME", shell_complete=options.offered("seat"))


@click.command(name="settle")
@click.argument(
    "what", nargs=-1, metavar="[FILE | E=480 S=64 W=272 N=16]", shell_complete=options.offered("file")
)
@_seat_option("--winner", help="Who won, for scores given as arguments.")
@_seat_option("--from", "discarder", help="Who discarded the winning tile.")
@click.option("--drawn", is_flag=True, help="The winning tile was drawn.")
@options.round_option(help="The round.")
@options.counters_options
@click.option(
    "--holds",
    "holdings",
    multiple=True,
    metavar="E=2,9,8,10",
    help="The counters that a seat holds, most valuable first; give it once for each seat.",
)
@click.option(
    "--pool", is_flag=True, help="Also show what everybody puts into the pool of small counters at the end."
)
@options.rulebook_options()
@options.format_option()
def command(
    what: tuple[str, ...],
    winner: str | None,
    discarder: str | None,
    drawn: bool,
    round_wind: str | None,
    counters: str | None,
    pair_by_pair: bool,
    bank: bool,
    holdings: tuple[str, ...],
    pool: bool,
    rules: options.Rules,
    output: str,
) -> None:
    """Settle every hand of FILE (`-` is standard input), or the scores given as arguments.

    \b
    mjscore settle samples/table.mj
    mjscore settle E=480 S=64 W=272 N=16 --winner E
    mjscore settle 480w 64 272 16
    mjscore settle Ann=480 Ben=64 Cid=272 Dee=16 --winner ann    # from East
    """
    from mjscore.counters.holdings import table_counters

    arguments, win = _by_seat(what), (winner, discarder, drawn)
    of_file, unnamed = not arguments, counters is None and any((pair_by_pair, bank, holdings, pool))
    wrong = {
        "name a file, or give scores: mjscore settle E=480 S=64 W=272 N=16 --winner E": not what,
        "say which counters: --counters harr, --counters babcock, or a file": unnamed,
        "--drawn and --from exclude each other": arguments and drawn and discarder,
        "one file at a time; scores are written E=480": of_file and len(what) > 1,
        "in a file, the winner is the seat whose hand has a winning tile, or win after its score": of_file
        and any(win),
    }
    for message in (message for message, is_wrong in wrong.items() if is_wrong):
        raise click.UsageError(message)
    book = rules.book()
    people = _people([seat.strip('"') for seat, _ in arguments], book)
    table = None
    if counters is not None:
        held = (holding.partition("=") for holding in holdings)
        holdings = tuple(f"{_seat(seat, people)}={counts}" for seat, _, counts in held)
        table = table_counters(counters, holdings, pair_by_pair, bank)
    if of_file:
        of_settings = options.from_settings(click.get_current_context(), "counters")
        table = _settle_file(what[0], rules.context(round_wind), table, output, of_settings)
    else:
        _settle_scores(arguments, people, book, win, round_wind, table, output)
    if pool and table is not None:
        unknown = "--pool: who holds which counters is unknown; add --holds for each seat"
        if output == "json":
            printing.print_json({"pool": table.pool_json()})
        else:
            click.echo("\n".join(["", *(table.pool_lines() or [unknown])]))


# a seat named before ``=`` or ``:`` and the text about it; with an empty name, the text is about all seats
_SeatText = tuple[str, str]
_Win = tuple[str | None, str | None, bool]  # the winner, the discarder, whether the tile was drawn
# refusals with another hint for scores given as arguments, where options say what lines say in a file
_TOLD_BY_OPTIONS = ("no-winner", "who-discarded", "doubles-needed")


def _settle_scores(
    arguments: Sequence[_SeatText],
    people: People,
    book: Rulebook,
    win: _Win,
    round_wind: str | None,
    table: Purses | None,
    output: str,
) -> None:
    """Settle the scores and hands given as arguments, and print the settlement."""
    from mjscore.api import settle
    from mjscore.settling.settlement import Settlement

    readings = {}
    settlement: Settlement
    try:
        lines = _lines(arguments, people, book, round_wind)
        rows = [row for line in lines for row in line.rows]
        winner, discarder, drawn = _who_won(rows, people, book, win)
        readings = {line.rows[0].name: line.reading for line in lines if line.reading is not None}
        hands = {row.name: _seat_result(row, readings.get(row.name)) for row in rows}
        settlement = settle(hands, winner, book, discarder=discarder, drawn=drawn or None, round=round_wind)
    except Refused as refused:
        settlement = Settlement(rulebook=book.id, error=refused.refusal)
    loosely = {seat: reading.text for seat, reading in readings.items() if reading.loosely}
    read = {"read": loosely} if loosely else {}
    error = settlement.error
    if error is not None:
        if error.code in _TOLD_BY_OPTIONS:
            error = error._replace(hint=told(error.code, "argument")[1])
        printing.end_refused(error, output, Settlement.as_json(settlement._replace(error=error)) | read)
    if output == "text":
        for reading in readings.values():
            printing.show_reading(reading)
    seated = {"players": dict(people.players)} if people.players else {}
    exchange = table.settle(settlement, {}) if table is not None else None
    _show(output, Settlement.as_json(settlement) | seated | read, settlement, people.players, exchange)


# a seat or a player's name before ``=`` (of several words only at the start of an argument or after a comma)
# or before ``:`` (at the start of an argument or with a score after it)
_HEAD = re.compile(
    r"(?<=[\n,;])[^\S\n]*+([^=,;\s]++(?:[^\S\n]++[^=,;\s]++)*+)(?<!\s[eswnESWN])\s*+=|(?<=\n)[^\S\n]*+([^\W\d][^\s:=]*+)\s*+:"
    r"|(?<=[\s,;])([^\W\d][^\s:=,;]*+)\s*+(?:=|:(?=\s*+\d))"
)
# a thousands comma is possible only in a single number after its seat
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_STANDS_ALONE = re.compile(r"(?<![\w./\\-])[0-9]+[wW]?(?![\w.])")


def _by_seat(what: tuple[str, ...]) -> list[_SeatText]:
    """Return the seats that the arguments name, with the text about each; empty if they name a file."""
    is_file = len(what) == 1 and (what[0] == "-" or os.path.exists(what[0]))
    if "=" not in "".join(what) and (is_file or not _STANDS_ALONE.search(" ".join(what))):
        return []
    text = "".join(f"\n{argument}" for argument in what)
    heads = list(_HEAD.finditer(text))
    if not heads or text[: heads[0].start()].strip():
        # with spaces inside them, each argument is about one seat
        between = ", " if all(" " in argument.strip() for argument in what) else " "
        return [("", between.join(what))]
    ends = [*(head.start() for head in heads[1:]), len(text)]
    names = ("".join(filter(None, head.groups())) for head in heads)
    texts = (text[head.end() : end].replace("\n", " ") for head, end in zip(heads, ends, strict=True))
    return [(name, _THOUSANDS.sub("", about).strip(" ,;")) for name, about in zip(names, texts, strict=True)]


def _people(names: Sequence[str], book: Rulebook) -> People:
    """Return the players *names*, from East on; nobody for a wrong number, equal names or a wind's name."""
    from mjscore.notation.names import ANYBODY, People
    from mjscore.record.ledger import seats_for

    seats = seats_for(len(names), book)
    others = {name.casefold() for name in names}
    if not len(others) == len(names) == len(seats) or any(map(ANYBODY.named, names)):
        return ANYBODY
    return People(dict(zip(seats, names, strict=True)))


def _seat(word: str, people: People) -> str:
    """Return the wind that *word* names, or at which the player so called sits; without *people*, the word.

    Raises Refused if it names nobody among *people*.
    """
    from mjscore.notation.names import nobody_called

    named = people.named(word)
    if named is None and people.players:
        raise nobody_called(word, people.players.values())
    return next((wind for wind, name in people.players.items() if name == named), named or word)


def _lines(
    arguments: Sequence[_SeatText], people: People, book: Rulebook, round_wind: str | None
) -> list[TypedLine]:
    """Return what the arguments say, a line a seat, with winds for names. Raises Refused, UsageError.

    Arguments that name no seats are one line about four seats, or about as many as there are scores.
    """
    from mjscore.play.line_speech import AtTable
    from mjscore.play.typed_line import read_line
    from mjscore.record.ledger import seats_for
    from mjscore.record.lines import renamed

    worth = worth_by((book,), None, round_wind)
    if arguments[0][0]:
        seats = people.players or {wind: wind for wind in WIND_NAMES}
        winds = {name: wind for wind, name in seats.items()}
        lines: dict[str, TypedLine] = {}
        for name, line in arguments:
            seat = _seat(name.strip('"'), people)
            if seat in lines:
                raise click.UsageError(f"{name!r}: every seat is written once, as E=480")
            typed = _line(name, line, AtTable(seats, [seat], None, worth))
            lines[seat] = typed._replace(rows=(renamed(typed.rows[0], winds),))
        return list(lines.values())
    ((_, line),) = arguments
    refusals = []
    for count in (4, 3, 2):
        table = AtTable({wind: wind for wind in seats_for(count, book)}, (), None, worth)
        try:
            return [read_line(line, table)]
        except Refused as refused:
            refusals.append(refused.refusal)
            if refused.refusal.code != "whose-score":
                break
    first = refusals[0]
    if first.code == "unknown-command":
        message, hint = told("bad-line", "arguments", said=line)
        first = first._replace(code="bad-line", message=message, hint=hint)
    raise Refused(first)


def _line(name: str, text: str, table: AtTable) -> TypedLine:
    """Read *text*, a score or hand, for the open seat of *table*, which is typed *name*. Raises Refused."""
    from mjscore.play.typed_line import TypedLine, read_line
    from mjscore.record.lines import SeatRow

    (seat,) = table.missing
    if text.removeprefix("-").isdecimal():  # digits of any script
        if len(text) > 15:
            raise refuse("huge-number", "score", digits=len(text))
        return TypedLine((SeatRow(seat, int(text)),))
    typed = TypedLine()
    try:
        typed = read_line(text, table)
    except Refused as refused:
        can_be_hand = len(text) > 8 or not text.isalnum()
        if can_be_hand and refused.refusal.code not in ("unknown-command", "bad-line"):
            raise  # it is a hand with a mistake
    if len(typed.rows) != 1:
        raise refuse("bad-line", "argument", at=Place(text, 0, len(text)), said=text[:40], seat=name)
    named = typed.rows[0].name
    if named != seat:
        other, who = (WIND_NAMES.get(wind, wind) for wind in (named, seat))
        raise refuse("seat-mismatch", at=whole(text), other=other, who=who)
    return typed


def _who_won(rows: Sequence[SeatRow], people: People, book: Rulebook, win: _Win) -> _Win:
    """Return who won and how, by the options *win* and the scores. Raises Refused if these do not fit."""
    from mjscore.settling.checks import two_winners

    winner, discarder = (name and _seat(name, people) for name in win[:2])
    drawn = win[2]
    for row in (row for row in rows if row.won and not isinstance(row.given, Hand)):
        if winner in (None, row.name):
            if row.doubles is not None or row.ninth:
                raise refuse("doubles-needed", "argument")
            winner, discarder, drawn = row.name, discarder or row.discarder, drawn or bool(row.drawn)
        elif winner in book.seats and row.name in book.seats:  # unknown seats are refused elsewhere
            raise Refused(two_winners([winner, row.name]))
    return winner, discarder, drawn


def _seat_result(row: SeatRow, reading: HandReading | None) -> int | str | Hand | None:
    """Return a seat's result for ``mjscore.settle``, a hand as text, so that refusals can mark a place."""
    if reading is None or not isinstance(row.given, Hand) or row.given.win != reading.hand.win:
        return row.given
    return reading.text


def _settle_file(
    path: str, context: Context, table: Purses | None, output: str, of_settings: bool
) -> Purses | None:
    """Settle the hands of a file, print the settlements, and return the purses used, if any.

    Ends the program with status 1 if something is wrong, with 3 if the program failed. The purses are
    *table*, but the file's own if *table* is None or only from the settings (*of_settings*).
    """
    from mjscore.counters.holdings import table_counters
    from mjscore.page.text import counted
    from mjscore.record.checker import check_file
    from mjscore.settling.settlement import Settlement

    status, is_first, alone, has_tables = 0, True, 0, False
    for checked in file_access.readable(path, check_file(path, context)):
        settlement = checked.outcome
        is_table = isinstance(settlement, Settlement)
        wrong = not checked.ok if is_table else bool(checked.refusals)
        alone, has_tables = alone + (not is_table and settlement.error is None), has_tables or is_table
        status = max(status, 3 if checked.is_fault else int(wrong))
        _say_what_is_wrong(checked)
        if not isinstance(settlement, Settlement) or checked.is_open:
            continue
        occasion = checked.state.occasion
        if occasion.counters and (of_settings or table is None):
            folder = os.path.dirname(path)
            table = table_counters(occasion.counters, (), occasion.pair_by_pair, occasion.bank, folder)
        of_settings = False
        holds = settlement.error is None
        if output == "text":
            if not holds:
                continue
            click.echo("\n" * (not is_first), nl=False)
            is_first = False
        exchange = table.settle(settlement, checked.people) if table is not None and holds else None
        _show(output, checked.as_json(), settlement, checked.seats, exchange)
    if status:
        sys.exit(status)
    if not has_tables:
        hands = counted(alone, "single hand", "single hands")
        why = f"only {hands}, which mjscore check scores" if alone else "it has no hands"
        file = escape_controls("<stdin>" if path == "-" else path)
        click.echo(f"{file}: there is nothing to settle: {why}", err=True)
    return table


def _say_what_is_wrong(checked: Checked) -> None:
    """Print to standard error the mistakes in a hand of a file and, of an open hand, that it is left out."""
    from mjscore.batch.results import as_text
    from mjscore.record.checker import still_open

    if (checked.kind == "table" or checked.refusals) and not checked.amiss:
        click.echo(as_text(checked._replace(missing=()), printing.message_width()), nl=False, err=True)
    if checked.is_open:
        remark = still_open(checked.state.file, checked.line, checked.missing, checked.refusals)
        click.echo(f"{remark}; it is left out", err=True)


def _show(
    output: str,
    members: dict[str, object],
    settlement: Settlement,
    names: Mapping[str, str],
    exchange: Exchange | None,
) -> None:
    """Print who pays whom and, with an *exchange*, the counters that change hands; *members* are for JSON."""
    if output == "json":
        printing.print_json(members | ({"counters": exchange.as_json(names)} if exchange is not None else {}))
        return
    from mjscore.page.sheets import show_exchange, show_settlement

    style = printing.style()
    click.echo(show_settlement(settlement, names, style))
    if exchange is not None:
        click.echo(f"\n{show_exchange(exchange, names, style)}")
