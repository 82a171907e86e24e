"""``mjscore score``: the itemised score sheet of a hand."""

from __future__ import annotations

import os
import sys
from itertools import islice
from textwrap import indent
from typing import TYPE_CHECKING, NamedTuple

import click

from mjscore.cli import options
from mjscore.cli.streams import csv_beginning, write_as_utf8
from mjscore.refusal import Refusal, Refused, refuse

if TYPE_CHECKING:
    from mjscore.record.spreadsheet import Sheet
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
@options.column_options
@options.byte_order_mark_option
@options.format_option(
    "csv", what="Text for people, JSON for programs, or CSV: a row a hand, a spreadsheet's own columns first."
)
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
    column: str | None,
    expected: str | None,
    mark: bool,
    output: str,
) -> None:
    """Score each HAND item by item, with the page of every rule. `-` reads hands from standard input, and a CSV or TSV is read
    by its column of hands.

    \b
    mjscore score "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"
    mjscore score "(RRR) 123b 456b 789b 5d <5d" -r harr -r babcock
    """
    drawings = [path for path in (svg, png) if path]
    if whole_sheet and not drawings:
        raise click.UsageError("--sheet is for the drawing: add --svg FILE or --png FILE")
    books = rules.books()
    for key, _ in rules.settings:
        if not any(key in book.options for book in books):
            raise refuse("unknown-option", "none", key=key)
    sources = [_source(text, column, expected) for text in hands]
    header = _begun(sources, mark) if output == "csv" else []
    hands_typed = options.typed_hands(sources, books, seat, round_wind, context=rules.context(round_wind))
    if drawings:
        first_two = list(islice(hands_typed, 2))
        if len(first_two) > 1:
            raise refuse("one-drawing")
        hands_typed = iter(first_two)
    number = refused = 0
    for number, typed in enumerate(hands_typed, 1):
        results = _results(typed, books, seat, round_wind, why)
        errors = [result.sheet.error for result in results if result.sheet.error is not None]
        refused += bool(errors)
        for path in drawings if results and not errors else ():
            drawing = _drawing(results[0], whole_sheet)
            options.write_drawing(path, drawing, path == png or path.lower().endswith(".png"))
        messages = [error.render(options.message_width()) for error in errors]
        if output == "json":
            options.print_json(*(_members(result, typed.members(), why) for result in results))
        elif output == "csv":
            _print_rows(results, typed, header)
        elif results:
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


def _source(text: str, column: str | None, expected: str | None) -> str | Sheet:
    """Return what is typed, or the spreadsheet that it names. Raises Refused."""
    return options.source_of(text, column, expected) if text == "-" or os.path.isfile(text) else text


def _begun(sources: list[str | Sheet], mark: bool) -> list[str]:
    """Print the head of a table, and return its columns."""
    from mjscore.batch.results import csv_columns, csv_text

    header = csv_columns(source.layout for source in sources if not isinstance(source, str))
    write_as_utf8(sys.stdout)
    click.echo(csv_beginning(mark) + csv_text([header]), nl=False)
    return header


class _Result(NamedTuple):
    """What a rulebook makes of a hand."""

    sheet: ScoreSheet
    scored: ScoredHand | None
    book: Rulebook


def _results(
    typed: options.TypedHand, books: list[Rulebook], seat: str | None, round_wind: str | None, why: bool
) -> list[_Result]:
    """Return what each rulebook makes of a hand; nothing in a row that has none."""
    from mjscore.scoring.scorer import score_hand
    from mjscore.scoring.sheet import refused_sheet

    results = []
    for book in typed.books(books) if typed.given is not None else ():
        hand = None
        try:
            hand = typed.hand(seat, round_wind)
            scored = score_hand(hand, book, why)
            results.append(_Result(scored.sheet, scored, book))
        except Refused as unfit:
            sheet = refused_sheet(typed.placed(unfit.refusal), book.id, hand)
            results.append(_Result(sheet, None, book))
    return results


def _print_rows(results: list[_Result], typed: options.TypedHand, header: list[str]) -> None:
    """Print a hand as a row of CSV by each rulebook, or the row as it was where it has none."""
    from mjscore.batch.results import csv_row

    line, read, rows = typed.line, typed.reading, []
    for sheet, _, _ in results:
        error = sheet.error
        text = line.text if line else read.text if read else error.text if error else ""
        rows.append(
            sheet.members() | {
                "file": typed.state.file if typed.state else "", "line": line and line.number, "hand": text,
                "kind": "line" if isinstance(typed.given, Refusal) else "hand", "ok": error is None,
                "code": error.code if error else "", "message": error.message if error else "",
            }
        )  # fmt: skip
    # several rulebooks are those of the command line
    cells = {name: cell for name, cell in typed.cells.items() if name != "rulebook" or len(rows) < 2}
    for members in rows or [{}]:
        click.echo(csv_row(members, cells, header), nl=False)


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
