"""``mjscore waits``: the tiles that would complete a hand of thirteen."""

from __future__ import annotations

import click

from mjscore.cli import options
from mjscore.refusal import Refused


@click.command(name="waits")
@click.argument("hand", metavar="HAND")
@options.rulebook_options
@options.place_options
@options.tiles_option
@options.format_option()
def command(
    hand: str,
    rulebook: str,
    settings: tuple[tuple[str, str], ...],
    seat: str | None,
    round_wind: str | None,
    tile_style: str | None,
    output: str,
) -> None:
    """Find the tiles that would complete HAND (thirteen tiles), and what each would score, drawn and claimed.

    \b
    mjscore waits 1112345678999c
    """
    from mjscore.api import waits
    from mjscore.record.checked import placed
    from mjscore.scoring.waits import Waits

    book = options.bound(rulebook, settings, output)
    reading = line = None
    if hand == "-":
        lines = options.standard_input()
        line = next(lines, None)
        for _ in lines:
            pass  # what is damaged further on is told
        hand = options.hand_on(line) if line is not None else ""
    else:
        try:
            reading = options.read_argument(hand, (book,), seat, round_wind, waiting=True)
        except Refused as refused:
            options.end_refused(refused.refusal, output, Waits(book.id, error=refused.refusal).as_json())
    found = waits(hand if reading is None else reading.hand, book, seat=seat, round=round_wind)
    if reading is not None and found.error is not None:
        found = found._replace(error=reading.placed(found.error))
    if line is not None and found.error is not None:
        found = found._replace(error=line.refusal or placed(found.error, "<stdin>", line))
    shown = found.as_json() | ({"read": reading.text} if reading is not None and reading.loosely else {})
    if found.error is not None:
        options.end_refused(found.error, output, shown)
    if output == "json":
        options.print_json(shown)
        return
    if reading is not None:
        options.show_reading(reading)
    from mjscore.page.sheets import show_waits
    from mjscore.page.text import Style

    click.echo(show_waits(found, Style(options.width(), options.coloured()), tile_style))
