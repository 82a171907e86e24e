"""``mjscore score``: the itemised score sheet of a hand."""

from __future__ import annotations

import sys
from itertools import islice
from textwrap import indent
from typing import TYPE_CHECKING, NamedTuple

import click

from mjscore.cli import options
from mjscore.refusal import Refused, refuse

if TYPE_CHECKING:
    from mjscore.rulebook.rulebook import Rulebook
    from mjscore.scoring.sheet import ScoredHand, ScoreSheet


@click.command(name="score")
@click.argument("hands", nargs=-1, required=True, metavar="HAND...")
@options.rulebook_options(several=True)
@options.place_options
@click.option("--why", is_flag=True, help="Also show what was not given, and why.")
@options.tiles_option
@click.option("--svg", type=click.Path(), help="Draw the hand to this file; a PNG if its name ends in .png.")
@click.option("--png", type=click.Path(), help="Draw the hand to this file as a PNG (needs resvg-py).")
@click.option(
    "--sheet", "whole_sheet", is_flag=True, help="Draw its score sheet as well, as wide as a phone."
)
@options.format_option()
def command(
    hands: tuple[str, ...],
    rules: options.Rules,
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
    from mjscore.scoring.scorer import score_hand
    from mjscore.scoring.sheet import refused_sheet

    drawings = [path for path in (svg, png) if path]
    if whole_sheet and not drawings:
        raise click.UsageError("--sheet is for the drawing: add --svg FILE or --png FILE")
    books = rules.books()
    for key, _ in rules.settings:
        if not any(key in book.options for book in books):
            raise refuse("unknown-option", "none", key=key)
    hands_typed = options.typed_hands(hands, books, seat, round_wind)
    if drawings:
        first_two = list(islice(hands_typed, 2))
        if len(first_two) > 1:
            raise refuse("one-drawing")
        hands_typed = iter(first_two)
    number = refused = 0
    for number, typed in enumerate(hands_typed, 1):
        results = []
        for book in books:
            hand = None
            try:
                hand = typed.hand(seat, round_wind)
                scored = score_hand(hand, book, why)
                results.append(_Result(scored.sheet, scored, book))
            except Refused as unfit:
                sheet = refused_sheet(typed.placed(unfit.refusal), book.id, hand)
                results.append(_Result(sheet, None, book))
        errors = [result.sheet.error for result in results if result.sheet.error is not None]
        refused += bool(errors)
        for path in drawings if not errors else ():
            drawing = _drawing(results[0], whole_sheet)
            options.write_drawing(path, drawing, path == png or path.lower().endswith(".png"))
        messages = [error.render(options.message_width()) for error in errors]
        if output == "json":
            options.print_json(*(_members(result, typed.members(), why) for result in results))
        else:
            if number > 1:
                click.echo()
            options.show_reading(typed.reading)
            messages = list(dict.fromkeys(messages))
            if len(errors) < len(results):
                click.echo(_text(results, why, tile_style))
                continue
        for message in messages:
            click.echo(message, err=True)
    if not number:
        raise refuse("empty-hand", "input")
    if refused:
        sys.exit(2 if refused == number else 1)


class _Result(NamedTuple):
    """What a rulebook makes of a hand."""

    sheet: ScoreSheet
    scored: ScoredHand | None
    book: Rulebook


def _members(result: _Result, read: dict[str, object], why: bool) -> dict[str, object]:
    """Return the object that programs read: the sheet, what is paid, and why something was not given."""
    from mjscore.scoring.reasons import reasons_json
    from mjscore.settling.settlement import collected

    sheet, scored, book = result
    shown = sheet.members() | read
    if sheet.won:
        paid = collected(sheet, book, scored=scored)
        shown["payments"] = None if paid is None else [one.as_json() for one in paid.payments]
        if paid is not None and paid.excused is not None:
            shown["payments_if_excused"] = [one.as_json() for one in paid.excused]
    if why and scored is not None:
        shown["why"] = reasons_json(scored, book)
    return shown


def _text(results: list[_Result], why: bool, tile_style: str | None) -> str:
    from mjscore.page.sheets import show_sheet, show_side_by_side, show_why
    from mjscore.page.tile_styles import render_tiles

    style = options.style()
    arranged = next(result.sheet for result in results if result.sheet.error is None)
    tiles = indent(render_tiles(arranged, tile_style, style.width - 2), "  ")
    if len(results) == 1:
        sheet, scored, book = results[0]
        text = show_sheet(sheet, book, style, tiles, scored=scored)
    else:
        sheets, _, books = zip(*results, strict=True)
        text = f"{tiles}\n{show_side_by_side(sheets, books, style)}"
    if why:
        found = [(result.scored, result.book) for result in results if result.scored is not None]
        text += f"\n\n{show_why(found, style)}"
    return text


def _drawing(result: _Result, whole_sheet: bool) -> str:
    """Draw a hand, alone or with its sheet."""
    from mjscore.page.drawings import draw_hand, draw_sheet

    sheet, scored, book = result
    if whole_sheet:
        return draw_sheet(sheet, book, scored=scored)
    return draw_hand(sheet).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
