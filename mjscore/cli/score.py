"""``mjscore score``: the itemised score sheet of a hand."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from textwrap import indent
from typing import TYPE_CHECKING

import click

from mjscore.cli import options
from mjscore.refusal import Refusal, Refused

if TYPE_CHECKING:
    from mjscore.notation.hands import Reading
    from mjscore.record.source import SourceLine
    from mjscore.rulebook.binding import Rulebook
    from mjscore.scoring.scorer import ScoredHand
    from mjscore.scoring.sheet import ScoreSheet


@click.command(name="score")
@click.argument("hands", nargs=-1, required=True, metavar="HAND...")
@options.several_rulebooks_options
@options.place_options
@click.option("--why", is_flag=True, help="Add what was not given and why.")
@options.tiles_option
@click.option(
    "--svg", type=click.Path(), help="Draw the hand into this file; one that ends in .png is a PNG."
)
@click.option(
    "--png", type=click.Path(), help="Draw the hand into this file as a PNG (the extra mjscore[png])."
)
@click.option("--sheet", "whole_sheet", is_flag=True, help="Draw its score sheet too, as wide as a phone.")
@options.format_option()
def command(
    hands: tuple[str, ...],
    rulebooks: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    seat: str | None,
    round_wind: str | None,
    why: bool,
    tile_style: str | None,
    svg: str | None,
    png: str | None,
    whole_sheet: bool,
    output: str,
) -> None:
    """Score each HAND item by item, with the page of every rule. `-` reads hands from standard input.

    \b
    mjscore score "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"
    mjscore score "(RRR) 123b 456b 789b 5d <5d" -r harr -r babcock
    """
    from mjscore.api import score_in_full
    from mjscore.scoring.sheet import refused_sheet

    drawings = [path for path in (svg, png) if path]
    if whole_sheet and not drawings:
        raise click.UsageError("--sheet is for the drawing: add --svg FILE or --png FILE")
    books = _books(rulebooks, settings, output)
    texts = _texts(hands)
    if drawings:
        first_two = list(islice(texts, 2))
        if len(first_two) > 1:
            message = "one file holds the drawing of one hand"
            options.end_refused(Refusal("one-drawing", message, "give one hand with --svg or --png"), output)
        texts = iter(first_two)
    scored_hands = refused = 0
    for text, line in texts:
        scored_hands += 1
        reading = None
        try:
            if line is not None and line.refusal is not None:
                raise Refused(line.refusal)
            if line is None:
                reading = options.read_argument(text, books, seat, round_wind)
            hand = reading.hand if reading is not None else text
            results = [
                score_in_full(hand, book, seat=seat, round=round_wind, keep_others=why) for book in books
            ]
            if reading is not None:
                results = [(_as_typed(sheet, reading), scored) for sheet, scored in results]
        except Refused as unread:
            results = [(refused_sheet(unread.refusal, book.id), None) for book in books]
        if line is not None:
            results = [(_placed(sheet, line), scored) for sheet, scored in results]
        errors = [sheet.error for sheet, _ in results if sheet.error is not None]
        refused += bool(errors)
        for path in drawings if not errors else ():
            _draw(results[0], books[0], path, whole_sheet, path == png, output)
        if output == "json":
            _print_json(results, books, why, reading)
        else:
            if scored_hands > 1:
                click.echo()
            if reading is not None:
                options.show_reading(reading)
            if len(errors) < len(results):
                _print(results, books, why, tile_style)
                continue
        messages = [error.render(options.message_width()) for error in errors]
        for message in messages if output == "json" else dict.fromkeys(messages):
            click.echo(message, err=True)
    if not scored_hands:
        options.end_refused(
            Refusal("empty-hand", "standard input holds no hand", "type one hand a line"), output
        )
    if refused:
        sys.exit(2 if refused == scored_hands else 1)


def _texts(hands: Iterable[str]) -> Iterator[tuple[str, SourceLine | None]]:
    """Give the hands typed; ``-`` stands for those on standard input, which come with their lines."""
    for hand in hands:
        if hand == "-":
            yield from ((options.hand_on(line), line) for line in options.standard_input())
        else:
            yield hand, None


def _as_typed(sheet: ScoreSheet, reading: Reading) -> ScoreSheet:
    """Give a sheet whose refusal, if any, has its place in what was typed."""
    return sheet if sheet.error is None else sheet._replace(error=reading.placed(sheet.error))


def _placed(sheet: ScoreSheet, line: SourceLine) -> ScoreSheet:
    """Give a sheet whose refusal, if any, tells the line of standard input."""
    from mjscore.record.checked import placed

    return sheet if sheet.error is None else sheet._replace(error=placed(sheet.error, "<stdin>", line))


def _print_json(
    results: list[tuple[ScoreSheet, ScoredHand | None]],
    books: list[Rulebook],
    why: bool,
    reading: Reading | None,
) -> None:
    from mjscore.scoring.why import reasons_json
    from mjscore.settling.settlement import collected

    for (sheet, scored), book in zip(results, books, strict=True):
        shown = sheet.members()
        if reading is not None and reading.loosely:
            shown["read"] = reading.text
        if sheet.won:
            paid = collected(sheet, book, scored=scored)
            shown["payments"] = None if paid is None else [one.as_json() for one in paid.payments]
            if paid is not None and paid.excused is not None:
                shown["payments_if_excused"] = [one.as_json() for one in paid.excused]
        if why and scored is not None:
            shown["why"] = reasons_json(scored, book)
        options.print_json(shown)


def _books(names: tuple[str, ...], settings: tuple[tuple[str, str], ...], output: str) -> list[Rulebook]:
    if len(names) == 1:
        return [options.bound(names[0], settings, output)]
    # beside each other, an option is set where a rulebook has it; one that none of them has is a mistake
    from mjscore.rulebook.binding import read_rulebook

    books = []
    known: set[str] = set()
    for name in names:
        try:
            has = read_rulebook(name).options
        except Refused as refused:
            options.end_refused(refused.refusal, output)
        known |= set(has)
        books.append(options.bound(name, tuple(setting for setting in settings if setting[0] in has), output))
    for key, _ in settings:
        if key not in known:
            options.end_refused(
                Refusal(
                    "unknown-option",
                    f"none of these rulebooks has an option {key!r}",
                    "see mjscore rules show NAME",
                ),
                output,
            )
    return books


def _print(
    results: list[tuple[ScoreSheet, ScoredHand | None]],
    books: list[Rulebook],
    why: bool,
    tile_style: str | None,
) -> None:
    from mjscore.page.sheets import show_sheet
    from mjscore.page.text import Style
    from mjscore.page.tiles import render_tiles

    style = Style(options.width(), options.coloured())
    sheets = [sheet for sheet, _ in results]
    arranged = next(sheet for sheet in sheets if sheet.error is None)
    tiles = indent(render_tiles(arranged, tile_style, style.width - 2), "  ")
    if len(results) == 1:
        click.echo(show_sheet(sheets[0], books[0], style, tiles, scored=results[0][1]))
    else:
        from mjscore.page.side_by_side import show_side_by_side

        click.echo(tiles)
        click.echo(show_side_by_side(sheets, books, style))
    if why:
        from mjscore.page.why import show_why

        found = [
            (scored, book) for (_, scored), book in zip(results, books, strict=True) if scored is not None
        ]
        click.echo("\n" + show_why(found, style))


def _draw(
    result: tuple[ScoreSheet, ScoredHand | None],
    book: Rulebook,
    path: str,
    whole_sheet: bool,
    as_png: bool,
    output: str,
) -> None:
    """Draw a hand into a file, alone or with its sheet, and say so."""
    sheet, scored = result
    if whole_sheet:
        from mjscore.page.picture import draw_sheet
        from mjscore.page.sheets import payments_text

        drawing = draw_sheet(sheet, book, payments_text(sheet, book, scored=scored) if sheet.won else "")
    else:
        from mjscore.page.drawings import draw_hand

        drawing = draw_hand(sheet).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    options.write_drawing(path, drawing, as_png or path.lower().endswith(".png"), output)
