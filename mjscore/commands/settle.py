"""``mjscore settle``: who pays whom."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from mjscore.commands.options import (
    bound,
    check_folder,
    coloured,
    format_option,
    print_json,
    refuse,
    rulebook_options,
    width,
)
from mjscore.refusal import Refusal, Refused

if TYPE_CHECKING:
    from mjscore.settlement import Settlement


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
    if any("=" in one for one in what):
        _settle_scores(
            what, winner, discarder, drawn, round_wind, counters, pair_by_pair, rulebook, settings, output
        )
    elif len(what) > 1:
        raise click.UsageError("one file at a time; scores are written E=480")
    elif winner or discarder or drawn:
        raise click.UsageError(
            "in a file, the winner is the seat whose hand has a winning tile, or win behind its score"
        )
    else:
        _settle_file(what[0], round_wind, counters, pair_by_pair, rulebook, settings, output)


def _settle_scores(
    what: tuple[str, ...],
    winner: str | None,
    discarder: str | None,
    drawn: bool,
    round_wind: str | None,
    counters: str | None,
    pair_by_pair: bool,
    rulebook: str,
    settings: tuple[tuple[str, str], ...],
    output: str,
) -> None:
    from mjscore.settlement import settle_hands

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
    settlement = settle_hands(
        hands, winner, book, discarder=discarder, drawn=True if drawn else None, round_wind=round_wind
    )
    if settlement.error is not None:
        refuse(settlement.error, output, settlement.as_json())
    if counters:
        settlement = _counted(settlement, counters, pair_by_pair, output)
    _print(settlement, {}, output)


def _settle_file(
    path: str,
    round_wind: str | None,
    counters: str | None,
    pair_by_pair: bool,
    rulebook: str,
    settings: tuple[tuple[str, str], ...],
    output: str,
) -> None:
    from mjscore.checking import Context, check_file
    from mjscore.settlement import Settlement

    bound(rulebook, settings, output)
    check_folder(path)
    wrong = first = False
    try:
        for one in check_file(path, Context(rulebook, tuple(settings), round_wind)):
            if not isinstance(one.outcome, Settlement):
                for refusal in one.refusals:
                    wrong = True
                    click.echo(refusal.render(), err=True)
                continue
            settlement = one.outcome
            wrong = wrong or not one.ok
            if settlement.error is None and counters:
                settlement = _counted(settlement, counters, pair_by_pair, output)
            if output == "json":
                print_json(one._replace(outcome=settlement).as_json())
                for refusal in one.refusals:
                    click.echo(refusal.render(), err=True)
                continue
            if first:
                click.echo()
            first = True
            for refusal in one.refusals:
                click.echo(refusal.render(), err=True)
            if settlement.error is None:
                _print(settlement, one.seats, output)
                if not one.ok and isinstance(one.expected, Mapping):
                    from mjscore.show import name_of, signed

                    for seat, points in one.expected.items():
                        if settlement.net.get(seat) != points:
                            click.echo(
                                f"{one.file}:{one.line}: {name_of(seat, one.seats)}: {signed(points)} expected, "
                                f"{signed(settlement.net.get(seat, 0))} computed",
                                err=True,
                            )
    except OSError as error:
        refuse(
            Refusal("unreadable", f"{path} cannot be read: {error.strerror or error}", "look at the file"),
            output,
        )
    if wrong:
        sys.exit(1)


def _counted(settlement: Settlement, counters: str, pair_by_pair: bool, output: str) -> Settlement:
    """The settlement with the counters that change hands."""
    from mjscore.counters import counters_for

    try:
        return settlement._replace(counters=counters_for(settlement, counters, pair_by_pair))
    except Refused as refused:
        refuse(refused.refusal, output)


def _print(settlement: Settlement, names: Mapping[str, str], output: str) -> None:
    if output == "json":
        print_json(settlement.as_json())
        return
    from mjscore.show import Style, show_settlement

    click.echo(show_settlement(settlement, names, Style(width(), coloured())))
    if settlement.counters is not None:
        click.echo()
        for line in settlement.counters.lines(names):
            click.echo(line)
