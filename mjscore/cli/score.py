"""``mjscore score``: the itemised score sheet of a hand."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mjscore.cli.options import (
    Setting,
    bound,
    coloured,
    end_refused,
    format_option,
    place_options,
    print_json,
    width,
)
from mjscore.refusal import Refusal

if TYPE_CHECKING:
    from mjscore.rulebook.binding import Rulebook
    from mjscore.scoring.scorer import ScoreSheet


@click.command(name="score")
@click.argument("hands", nargs=-1, required=True, metavar="HAND...")
@click.option(
    "-r",
    "--rulebook",
    "rulebooks",
    multiple=True,
    metavar="NAME|FILE",
    help="harr (the default), harr-limit, babcock, babcock-chinese, or a TOML file; several give a column each.",
)
@click.option(
    "-s", "--set", "settings", type=Setting(), multiple=True, help="An option of the rulebook; repeatable."
)
@place_options
@click.option("--why", is_flag=True, help="Add what was not given and why.")
@click.option(
    "--tiles",
    "tile_style",
    type=click.Choice(("auto", "plain", "unicode", "boxed")),
    default=None,
    help="How to show the tiles; else the environment's MJSCORE_TILES.",
)
@click.option("--svg", type=click.Path(), help="Draw the hand into this file.")
@format_option()
def command(
    hands: tuple[str, ...],
    rulebooks: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    seat: str | None,
    round_wind: str | None,
    why: bool,
    tile_style: str | None,
    svg: str | None,
    output: str,
) -> None:
    """Score each HAND item by item, with the page of every rule. `-` reads hands from standard input.

    \b
    mjscore score "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"
    mjscore score "(RRR) 123b 456b 789b 5d <5d" -r harr -r babcock
    """
    from mjscore.api import score

    books = _books(rulebooks or ("harr",), settings, output)
    texts = list(hands)
    if "-" in texts:
        place = texts.index("-")
        read = [line.strip() for line in sys.stdin if line.strip() and not line.startswith("#")]
        texts[place : place + 1] = read
        if not texts:
            end_refused(Refusal("empty-hand", "standard input holds no hand", "type one hand a line"), output)
    refused = 0
    for number, text in enumerate(texts):
        sheets = [score(text, book, seat=seat, round=round_wind) for book in books]
        failed = [sheet for sheet in sheets if sheet.error is not None]
        refused += len(failed) == len(sheets)
        if svg and not failed:
            _draw(sheets[0], svg, len(texts) > 1, output)
        if output == "json":
            from mjscore.scoring.why import reasons_json

            for sheet, book in zip(sheets, books, strict=True):
                found = sheet.as_json()
                if sheet.won:
                    found["payments"] = _payments(sheet, book)
                if why and sheet.error is None:
                    found["why"] = reasons_json(sheet, book)
                print_json(found)
            for sheet in failed:
                if sheet.error is not None:
                    click.echo(sheet.error.render(), err=True)
            continue
        if number:
            click.echo()
        if len(failed) == len(sheets) and failed[0].error is not None:
            for message in dict.fromkeys(sheet.error.render() for sheet in failed if sheet.error is not None):
                click.echo(message, err=True)
            continue
        _print(sheets, books, why, tile_style)
    if refused:
        sys.exit(2 if refused == len(texts) else 1)


def _books(names: tuple[str, ...], settings: tuple[tuple[str, str], ...], output: str) -> list[Rulebook]:
    if len(names) == 1:
        return [bound(names[0], settings, output)]
    # beside each other, an option is set where a rulebook has it; one that none of them has is a mistake
    from mjscore.refusal import Refused
    from mjscore.rulebook.binding import read_rulebook

    books = []
    known: set[str] = set()
    for name in names:
        try:
            options = read_rulebook(name).options
        except Refused as refused:
            end_refused(refused.refusal, output)
        known |= set(options)
        books.append(bound(name, tuple(one for one in settings if one[0] in options), output))
    for key, _ in settings:
        if key not in known:
            end_refused(
                Refusal(
                    "unknown-option",
                    f"none of these rulebooks has an option {key!r}",
                    "see mjscore rules show NAME",
                ),
                output,
            )
    return books


def _print(sheets: list[ScoreSheet], books: list[Rulebook], why: bool, tile_style: str | None) -> None:
    from mjscore.page.sheets import show_sheet
    from mjscore.page.side_by_side import show_side_by_side
    from mjscore.page.text import Style
    from mjscore.page.tiles import render_tiles

    style = Style(width(), coloured())
    drawn = render_tiles(next(sheet for sheet in sheets if sheet.error is None), tile_style, style.width - 2)
    tiles = "\n".join("  " + line for line in drawn.splitlines())
    if len(sheets) == 1:
        click.echo(show_sheet(sheets[0], books[0], style, tiles))
    else:
        click.echo(tiles)
        click.echo(show_side_by_side(sheets, books, style))
    if why:
        from mjscore.scoring.why import show_why

        for sheet, book in zip(sheets, books, strict=True):
            if sheet.error is None:
                click.echo()
                click.echo(show_why(sheet, book, style))


def _payments(sheet: ScoreSheet, book: Rulebook) -> list[dict[str, object]] | None:
    from mjscore.settling.settlement import collected

    payments = collected(sheet, book)
    return None if payments is None else [payment.as_json() for payment in payments]


def _draw(sheet: ScoreSheet, path: str, several: bool, output: str) -> None:
    from pathlib import Path

    from mjscore.atomic import write_whole
    from mjscore.page.drawings import draw_hand

    if several:
        end_refused(
            Refusal("one-drawing", "one file holds the drawing of one hand", "give one hand with --svg"),
            output,
        )
    assert sheet.hand is not None
    drawing = draw_hand(sheet.hand).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    try:
        write_whole(Path(path), f"{drawing}\n".encode())
    except OSError as error:
        end_refused(
            Refusal(
                "unwritable",
                f"{path} cannot be written: {error.strerror}",
                "name a file in a folder of yours",
            ),
            output,
        )
