"""``mjscore score``: the itemised score sheet of a hand."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import islice
from textwrap import indent
from typing import TYPE_CHECKING, NamedTuple

import click

from mjscore.cli import file_access, options, printing
from mjscore.cli.streams import csv_beginning, write_as_utf8
from mjscore.cli.typed_hands import TypedHand, typed_hands
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
    "csv",
    what="Text for people, JSON for programs, or CSV: one row per hand, a spreadsheet's own columns first.",
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
    """Score each HAND item by item, with the page of every rule. `-` reads hands from standard input; of a CSV or TSV file,
    the column of hands is read.

    \b
    mjscore score "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"
    mjscore score "(RRR) 123b 456b 789b 5d <5d" -r harr -r babcock
    """
    if whole_sheet and not (svg or png):
        raise click.UsageError("--sheet is for the drawing: add --svg FILE or --png FILE")
    books = rules.books()
    for key, _ in rules.settings:
        if not any(key in book.options for book in books):
            raise refuse("unknown-option", "none", key=key)
    sources = [
        file_access.source_of(text, column, expected) if text == "-" or os.path.isfile(text) else text
        for text in hands
    ]
    header = _begun(sources, mark) if output == "csv" else []
    show = {
        "json": partial(_print_json, why=why),
        "csv": partial(_print_rows, header=header),
        "text": partial(_print_text, why=why, tile_style=tile_style),
    }[output]
    all_typed = typed_hands(sources, books, seat, round_wind, context=partial(rules.context, round_wind))
    refused: list[bool] = []
    for typed in _alone(all_typed) if svg or png else all_typed:
        results = _results(typed, books, seat, round_wind, why)
        is_refused = any(result.sheet.error is not None for result in results)
        if results and not is_refused:
            _draw(results[0], svg, png, whole_sheet)
        show(results, typed, not refused)
        refused.append(is_refused)
    if not refused:
        raise refuse("empty-hand", "input")
    if any(refused):
        sys.exit(2 if all(refused) else 1)


def _alone(hands: Iterable[TypedHand]) -> list[TypedHand]:
    """Return the only hand, if any, as a list. Raises Refused for several, since a drawing shows one."""
    first_two = list(islice(hands, 2))
    if len(first_two) > 1:
        raise refuse("one-drawing")
    return first_two


def _begun(sources: list[str | Sheet], mark: bool) -> list[str]:
    """Print the head of a CSV table, and return the names of its columns."""
    from mjscore.batch.results import csv_columns, csv_text

    header = csv_columns(source.layout for source in sources if not isinstance(source, str))
    write_as_utf8(sys.stdout)
    click.echo(csv_beginning(mark) + csv_text([header]), nl=False)
    return header


class _Result(NamedTuple):
    """The result of a hand by one rulebook."""

    sheet: ScoreSheet
    scored: ScoredHand | None
    book: Rulebook


def _results(
    typed: TypedHand, books: list[Rulebook], seat: str | None, round_wind: str | None, why: bool
) -> list[_Result]:
    """Return the result of a hand by each rulebook; empty for a row without a hand."""
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


def _say_refusals(results: Iterable[_Result]) -> None:
    for result in results:
        if result.sheet.error is not None:
            printing.say_refusal(result.sheet.error)


def _print_rows(results: list[_Result], typed: TypedHand, first: bool, header: list[str]) -> None:
    """Print a CSV row for each rulebook, and refusals; a row without a hand is printed unchanged."""
    from mjscore.batch.results import csv_row

    beginning = {
        "file": typed.state.file if typed.state else "",
        "line": typed.line and typed.line.number,
        "kind": "line" if isinstance(typed.given, Refusal) else "hand",
    }
    text = typed.line.text if typed.line else typed.reading and typed.reading.text
    rows: list[Mapping[str, object]] = []
    for sheet, _, _ in results:
        error = sheet.error
        code, message, line = (error.code, error.message, error.text) if error else ("", "", "")
        row = {"hand": line if text is None else text, "ok": error is None, "code": code, "message": message}
        rows.append(sheet.members() | beginning | row)
    # with several rulebooks, only the command line's apply
    cells = {name: cell for name, cell in typed.cells.items() if name != "rulebook" or len(rows) < 2}
    for members in rows or [{}]:
        click.echo(csv_row(members, cells, header), nl=False)
    _say_refusals(results)


def _print_json(results: list[_Result], typed: TypedHand, first: bool, why: bool) -> None:
    """Print JSON by each rulebook (sheet, a winner's payments and, if *why*, rules not applied); refusals."""
    from mjscore.scoring.reasons import reasons_json
    from mjscore.settling.settlement import collected

    for sheet, scored, book in results:
        members = sheet.members() | typed.members()
        if sheet.won:
            paid = collected(sheet, book, scored=scored)
            members["payments"] = None if paid is None else [payment.as_json() for payment in paid.payments]
            if paid is not None and paid.excused is not None:
                members["payments_if_excused"] = [payment.as_json() for payment in paid.excused]
        if why and scored is not None:
            members["why"] = reasons_json(scored, book)
        printing.print_json(members)
    _say_refusals(results)


def _print_text(
    results: list[_Result], typed: TypedHand, first: bool, why: bool, tile_style: str | None
) -> None:
    """Print sheets, below an empty line unless *first*, or why there are none; nothing without a hand."""
    from mjscore.page.sheets import show_sheet, show_side_by_side, show_why
    from mjscore.page.tile_styles import render_tiles

    if not results:
        return
    if not first:
        click.echo()
    printing.show_reading(typed.reading)
    arranged = next((result.sheet for result in results if result.sheet.error is None), None)
    if arranged is None:
        _say_refusals({result.sheet.error: result for result in results}.values())
        return
    style = printing.style()
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
    click.echo(text)


def _draw(result: _Result, svg: str | None, png: str | None, whole_sheet: bool) -> None:
    """Draw a hand to the named files, alone or with its sheet."""
    paths = [path for path in (svg, png) if path]
    if not paths:
        return
    from mjscore.page.drawings import draw_hand, draw_sheet

    sheet, scored, book = result
    for path in paths:
        if whole_sheet:
            drawing = draw_sheet(sheet, book, scored=scored)
        else:
            drawing = draw_hand(sheet).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
        file_access.write_drawing(path, drawing, path == png or path.lower().endswith(".png"))
