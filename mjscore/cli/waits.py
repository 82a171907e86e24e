"""``mjscore waits``: the tiles that would complete a hand of thirteen."""

from __future__ import annotations

import click

from mjscore.cli import options
from mjscore.refusal import Refused


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

    \b
    mjscore waits 1112345678999c
    """
    from mjscore.page.sheets import show_waits
    from mjscore.scoring.waits import Waits, waiting_tiles

    book = rules.book()
    # what is damaged further on in standard input is told too
    typed, *_ = (
        *options.typed_hands([hand], [book], seat, round_wind, waiting=True),
        options.strictly_typed(""),
    )
    try:
        thirteen = typed.hand(seat, round_wind)
        found = Waits(book.id, tuple(waiting_tiles(thirteen, book)), thirteen)
    except Refused as refused:
        found = Waits(book.id, error=typed.placed(refused.refusal))
    shown = found.as_json() | typed.members()
    if found.error is not None:
        options.end_refused(found.error, output, shown)
    if output == "json":
        options.print_json(shown)
        return
    options.show_reading(typed.reading)
    click.echo(show_waits(found, options.style(), tile_style))
