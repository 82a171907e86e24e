"""``mjscore waits``: the tiles that would complete a hand of thirteen."""

from __future__ import annotations

import sys

import click

from mjscore.cli.options import (
    bound,
    coloured,
    end_refused,
    format_option,
    place_options,
    print_json,
    rulebook_options,
    tiles_option,
    width,
)


@click.command(name="waits")
@click.argument("hand", metavar="HAND")
@rulebook_options
@place_options
@tiles_option
@format_option()
def command(
    hand: str,
    rulebook: str,
    settings: tuple[tuple[str, str], ...],
    seat: str | None,
    round_wind: str | None,
    tile_style: str | None,
    output: str,
) -> None:
    """The tiles that would complete HAND (thirteen tiles), and what each would score, drawn and claimed.

    \b
    mjscore waits 1112345678999c
    """
    from mjscore.api import waits

    book = bound(rulebook, settings, output)
    if hand == "-":
        hand = sys.stdin.readline().strip()
    found = waits(hand, book, seat=seat, round=round_wind)
    if found.error is not None:
        end_refused(found.error, output, {"waits": [], "error": found.error.as_json()})
    if output == "json":
        print_json(found.as_json())
        return
    from mjscore.page.sheets import show_waits
    from mjscore.page.text import Style

    click.echo(show_waits(found, Style(width(), coloured()), tile_style))
