"""``mjscore waits``: the tiles that would complete a hand of thirteen."""

import click

from mjscore.cli import options, printing
from mjscore.cli.typed_hands import strictly_typed, typed_hands
from mjscore.page.sheets import show_waits
from mjscore.refusal import Refusal, Refused
from mjscore.scoring.waits import Waits, waits_for


@click.command(name="waits")
@click.argument("hand", metavar="HAND")
@options.rulebook_options()
@options.place_options
@options.tiles_option
@options.format_option()
def command(
    hand: str,
    rules: options.Rules,
    seat: str | None,
    round_wind: str | None,
    tile_style: str | None,
    output: str,
) -> None:
    """Find the tiles that would complete HAND (thirteen tiles), and what each would score, drawn and claimed.

    For fourteen tiles, shows what each discard would leave to wait for; for a hand not waiting, how far away it is.

    \b
    mjscore waits 1112345678999c
    mjscore waits 123b456b789b11c256d
    """
    book = rules.book()
    # read to the end, so that damage further on in standard input is reported too
    typed, *_ = (
        *typed_hands([hand], [book], seat, round_wind, waiting=True),
        strictly_typed(""),
    )
    try:
        hand_or_refusal = typed.given if isinstance(typed.given, Refusal) else typed.hand(seat, round_wind)
        waits = waits_for(hand_or_refusal, book, seat, round_wind)
    except Refused as refused:
        waits = Waits(book.id, error=typed.placed(refused.refusal))
    read = {"read": str(waits.hand)} if waits.discards else typed.members()
    members = waits.as_json() | read
    if waits.error is not None:
        printing.end_refused(waits.error, output, members)
    if output == "json":
        printing.print_json(members)
        return
    if waits.discards:
        click.echo(f"read: {waits.hand}")
    printing.show_reading(typed.reading)
    click.echo(show_waits(waits, book, printing.style(), tile_style))
