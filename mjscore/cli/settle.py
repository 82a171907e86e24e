"""``mjscore settle``: who pays whom."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import click

from mjscore.cli.options import (
    bound,
    check_folder,
    coloured,
    end_refused,
    format_option,
    print_json,
    rulebook_options,
    width,
)
from mjscore.game.tiles import WIND_NAMES
from mjscore.refusal import Refusal, Refused

if TYPE_CHECKING:
    from mjscore.counters.sets import Exchange
    from mjscore.record.checked import Checked
    from mjscore.settling.settlement import Settlement


@click.command(name="settle")
@click.argument("what", nargs=-1, metavar="[FILE | E=480 S=64 W=272 N=16]")
@click.option("--winner", metavar="SEAT", help="Who won, for scores given as arguments.")
@click.option("--from", "discarder", metavar="SEAT", help="Who discarded the winning tile.")
@click.option("--drawn", is_flag=True, help="The winning tile was drawn.")
@click.option("--round", "round_wind", type=click.Choice(("E", "S", "W", "N")), help="The round.")
@click.option("--counters", metavar="harr|babcock|FILE", help="Say which counters change hands.")
@click.option(
    "--pair-by-pair", is_flag=True, help="Hand over counters pair by pair, as the books do, not net."
)
@click.option("--bank", is_flag=True, help="The bank gives change too.")
@click.option(
    "--holds",
    "holdings",
    multiple=True,
    metavar="E=2,9,8,10",
    help="What a seat holds, the most valuable counters first; once for each seat.",
)
@click.option("--pool", is_flag=True, help="At the end, what everybody puts into the pool of small counters.")
@rulebook_options
@format_option()
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
    rulebook: str,
    settings: tuple[tuple[str, str], ...],
    output: str,
) -> None:
    """Settle every hand of FILE (`-` is standard input), or the scores given as arguments.

    \b
    mjscore settle samples/table.mj
    mjscore settle E=480 S=64 W=272 N=16 --winner E
    """
    if not what:
        raise click.UsageError("name a file, or give scores: mjscore settle E=480 S=64 W=272 N=16 --winner E")
    if counters is None and (pair_by_pair or bank or holdings or pool):
        raise click.UsageError("say which counters: --counters harr, --counters babcock, or a file")
    table = _Counters(counters, pair_by_pair, bank, holdings, output) if counters else None
    if any("=" in one for one in what):
        _settle_scores(what, winner, discarder, drawn, round_wind, table, rulebook, settings, output)
    elif len(what) > 1:
        raise click.UsageError("one file at a time; scores are written E=480")
    elif winner or discarder or drawn:
        raise click.UsageError(
            "in a file, the winner is the seat whose hand has a winning tile, or win behind its score"
        )
    else:
        _settle_file(what[0], round_wind, table, rulebook, settings, output)
    if pool and table is not None:
        table.show_pool()


def _settle_scores(
    what: tuple[str, ...],
    winner: str | None,
    discarder: str | None,
    drawn: bool,
    round_wind: str | None,
    table: _Counters | None,
    rulebook: str,
    settings: tuple[tuple[str, str], ...],
    output: str,
) -> None:
    from mjscore.api import settle

    book = bound(rulebook, settings, output)
    if drawn and discarder:
        raise click.UsageError("--drawn and --from cannot both be")
    hands: dict[str, int | str | None] = {}
    for one in what:
        seat, equals, given = one.partition("=")
        if not equals or seat in hands:
            raise click.UsageError(f"{one!r}: every seat is written once, as E=480")
        given = given.strip()
        if given.isascii() and given.isdigit() and len(given) < 16:
            hands[seat] = int(given)
        else:
            hands[seat] = None if given == "dead" else given
    settlement = settle(
        hands, winner, book, discarder=discarder, drawn=True if drawn else None, round=round_wind
    )
    if settlement.error is not None:
        end_refused(settlement.error, output, settlement.as_json())
    _print(settlement, {}, output, table.moved(settlement, {}) if table is not None else None)


def _settle_file(
    path: str,
    round_wind: str | None,
    table: _Counters | None,
    rulebook: str,
    settings: tuple[tuple[str, str], ...],
    output: str,
) -> None:
    from mjscore.record.checked import still_open
    from mjscore.record.context import Context
    from mjscore.record.reader import check_file
    from mjscore.settling.settlement import Settlement

    bound(rulebook, settings, output)
    check_folder(path)
    wrong = first = False
    for one in _readable(path, check_file(path, Context(rulebook, tuple(settings), round_wind)), output):
        if not isinstance(one.outcome, Settlement):
            for refusal in one.refusals:
                wrong = True
                click.echo(refusal.render(), err=True)
            continue
        settlement = one.outcome
        wrong = wrong or not one.ok
        if one.missing:
            for refusal in one.refusals:
                click.echo(refusal.render(), err=True)
            click.echo(f"{still_open(one.file, one.line, one.missing)}; it is left out", err=True)
            continue
        exchange = None
        if settlement.error is None and table is not None:
            exchange = table.moved(settlement, one.seats)
        if output == "json":
            print_json(one.as_json() | ({"counters": exchange.as_json()} if exchange is not None else {}))
            for refusal in one.refusals:
                click.echo(refusal.render(), err=True)
            continue
        if first:
            click.echo()
        first = True
        for refusal in one.refusals:
            click.echo(refusal.render(), err=True)
        if settlement.error is None:
            _print(settlement, one.seats, output, exchange)
            if not one.ok and isinstance(one.expected, Mapping):
                from mjscore.page.text import name_of, signed

                for seat, points in one.expected.items():
                    if settlement.net.get(seat) != points:
                        click.echo(
                            f"{one.file}:{one.line}: {name_of(seat, one.seats)}: {signed(points)} expected, "
                            f"{signed(settlement.net.get(seat, 0))} computed",
                            err=True,
                        )
    if wrong:
        sys.exit(1)


def _readable(path: str, found: Iterator[Checked], output: str) -> Iterator[Checked]:
    """What is found in a file; refuses one that cannot be read (what cannot be written is another matter)."""
    try:
        yield from found
    except OSError as error:
        end_refused(
            Refusal("unreadable", f"{path} cannot be read: {error.strerror or error}", "look at the file"),
            output,
        )


class _Counters:
    """The counters on the table, hand after hand where it is known who holds what at first."""

    def __init__(
        self, name: str, pair_by_pair: bool, bank: bool, holdings: tuple[str, ...], output: str
    ) -> None:
        from mjscore.counters.holdings import Purses
        from mjscore.counters.sets import load_counters, parse_holding

        try:
            counters = load_counters(name)
            held = dict(parse_holding(one, counters) for one in holdings)
        except Refused as refused:
            end_refused(refused.refusal, output)
        self.output = output
        self.held = held
        self.pair_by_pair, self.bank = pair_by_pair, bank
        self.purses = Purses(counters, held or None, pair_by_pair, bank)
        self.evening = False

    def moved(self, settlement: Settlement, names: Mapping[str, str]) -> Exchange:
        """The counters that change hands for a settlement."""
        from mjscore.counters.holdings import Purses

        if names and not self.evening:
            # the players of an evening begin with what the set gives each
            self.evening = True
            counters = self.purses.counters
            seated = {names.get(seat, seat): counts for seat, counts in self.held.items()}
            starting = counters.starting(names.values())
            begin = {**(starting or {}), **seated} if self.held or starting else None
            self.purses = Purses(counters, begin, self.pair_by_pair, self.bank)
        known = self.purses.holdings
        for seat in settlement.net:
            if known is not None and names.get(seat, seat) not in known:
                end_refused(
                    Refusal(
                        "missing-holding",
                        f"it is not said what {WIND_NAMES.get(seat, seat)} holds",
                        f"add --holds {seat}=…, or leave out --holds",
                    ),
                    self.output,
                )
        return self.purses.settle(settlement, names)

    def show_pool(self) -> None:
        """What everybody puts into the pool at the end."""
        if self.output == "json":
            print_json({"pool": self.purses.pool_json()})
            return
        lines = self.purses.pool_lines()
        click.echo()
        for line in lines or ["a pool: it is not known who holds which counters; say --holds for each seat"]:
            click.echo(line)


def _print(settlement: Settlement, names: Mapping[str, str], output: str, exchange: Exchange | None) -> None:
    if output == "json":
        print_json(settlement.as_json(exchange.as_json() if exchange is not None else None))
        return
    from mjscore.page.settlements import show_exchange, show_settlement
    from mjscore.page.text import Style

    style = Style(width(), coloured())
    click.echo(show_settlement(settlement, names, style))
    if exchange is not None:
        click.echo()
        click.echo(show_exchange(exchange, names, style))
