"""``mjscore report``: an evening in the terminal, as a page, or as figures for programs."""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import click

from mjscore.batch.results import csv_text
from mjscore.cli import file_access, options, printing
from mjscore.cli.streams import csv_beginning, write_as_utf8
from mjscore.page import report
from mjscore.record import season, statistics
from mjscore.record.checker import still_open
from mjscore.record.context import Context
from mjscore.record.statistics import RecordedEvening, read_evening
from mjscore.refusal import escape_controls, refuse

_out_option = partial(click.option, metavar="OUT", shell_complete=options.offered("file"))


@click.command(name="report")
@click.argument("files", metavar="FILE…", nargs=-1, required=True, shell_complete=options.offered("file"))
@_out_option("--html", "page", help="Write a page to read, print or send round.")
@_out_option("--png", help="Draw standings, chart and biggest hand as one picture (needs resvg-py).")
@click.option("--hands", "print_hands", is_flag=True, help="Include the sheet of every hand in the page.")
@_out_option("--csv", "rows", help="Write a row for each hand; - is standard output.")
@options.byte_order_mark_option
@click.option("--title", metavar="TEXT", help="The evening's title; defaults to the file's name.")
@click.option(
    "--width", "columns", type=click.IntRange(40, 400), help="Width in columns; defaults to the terminal's."
)
@options.tiles_option
@options.rulebook_options()
@options.pager_option
@options.format_option()
def command(
    files: tuple[str, ...],
    page: str | None,
    png: str | None,
    print_hands: bool,
    rows: str | None,
    mark: bool,
    title: str | None,
    columns: int | None,
    tile_style: str | None,
    rules: options.Rules,
    output: str,
) -> None:
    """Report on the evening in FILE (`-` is standard input): standings, hands, chart, biggest hand.

    Several files are the evenings of a season; players are matched by name.

    \b
    mjscore report samples/evening.mj
    mjscore report samples/evening.mj --html evening.html
    mjscore report samples/season/*.mj
    """
    if (output == "json") + (rows == "-") + (page == "-") > 1:
        raise click.UsageError("only one of --format json, --csv - and --html - can use standard output")
    if print_hands and (page is None or len(files) > 1):
        raise click.UsageError("--hands is for the page of one evening: add --html OUT")
    rules.book()
    for number, file in enumerate(files):
        _check_once(file, files[:number], filter(None, (page, rows, png)))
    evenings = [_evening(file, rules.context()) for file in files]
    style = printing.style()._replace(width=columns or printing.width())
    report, name, (as_text, as_page, as_picture, as_rows) = _forms(evenings, title, tile_style, print_hands)
    if page is not None:
        _write(page, as_page(report, name))
    if png is not None:
        file_access.write_drawing(png, as_picture(report, name), True, "as a page: --html evening.html")
    if rows is not None:
        _write(rows, csv_beginning(mark) + csv_text(as_rows(report)))
    if output == "json":
        printing.print_json(report.as_json())
    elif page is None and rows is None and png is None:
        printing.show_long(as_text(report, style, name))
    if any(evening.refusals for evening in evenings):
        sys.exit(1)


def _forms(
    evenings: list[RecordedEvening], title: str | None, tile_style: str | None, print_hands: bool
) -> tuple[Any, str, Sequence[Callable[..., Any]]]:
    """Return an evening or a season, its title, and functions to format it: text, page, picture, rows."""
    forms: Sequence[Callable[..., Any]]
    if len(evenings) > 1:
        as_text = partial(report.show_season, tile_style=tile_style)
        forms = as_text, report.season_page, report.season_picture, season.season_csv
        return season.season_of(evenings), title or "Season", forms
    as_text = partial(report.show_evening, tile_style=tile_style)
    as_page = partial(report.evening_page, print_hands=print_hands)
    forms = as_text, as_page, report.evening_picture, statistics.csv_rows
    return evenings[0], title or statistics.title_of(evenings[0]), forms


def _evening(file: str, context: Context) -> RecordedEvening:
    """Return the evening in a file and print its mistakes. Raises Refused if nothing can be reported."""
    file_access.check_readable(file)
    try:
        evening = read_evening(file, context)
    except (OSError, EOFError) as error:
        raise file_access.unreadable(file, error) from None
    for refusal in evening.refusals:
        printing.say_refusal(refusal)
    for played in evening.left_out:
        click.echo(f"{escape_controls(evening.file)}:{played.line}: hand {played.mark} is left out", err=True)
    under_way = evening.open_hand
    if under_way is not None:
        remark = still_open(evening.file, under_way.line, under_way.missing, under_way.refusals)
        click.echo(f"{remark}; it is left out", err=True)
    statistics.check_played(evening, escape_controls(evening.file))
    return evening


def _check_once(file: str, before: Iterable[str], targets: Iterable[str]) -> None:
    """Raise Refused if *file* is among those *before*, or would be overwritten as one of *targets*."""
    for other in before:
        if os.path.realpath(other) == os.path.realpath(file):
            raise refuse("second-evening", path=escape_controls(file), other=escape_controls(other))
    for target in targets:
        there = "-" not in (target, file) and os.path.exists(target) and os.path.exists(file)
        if there and os.path.samefile(target, file):
            raise refuse("unwritable", "evening", path=escape_controls(target))


def _write(target: str, text: str) -> None:
    """Write *text* as UTF-8, to standard output for ``-``."""
    if target == "-":
        write_as_utf8(sys.stdout)
        click.echo(text, nl=False)
    else:
        file_access.write_file(target, text, announce=True)
