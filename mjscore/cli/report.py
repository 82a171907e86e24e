"""``mjscore report``: an evening in the terminal, as a page, or as figures for programs."""

from __future__ import annotations

import csv
import io
import os
import sys
from pathlib import Path

import click

from mjscore.cli.completion import complete_file
from mjscore.cli.options import (
    bound,
    check_folder,
    coloured,
    end_refused,
    end_unreadable,
    format_option,
    print_json,
    rulebook_options,
    tiles_option,
    width,
    write_file,
)
from mjscore.refusal import Refusal, Refused, visible


@click.command(name="report")
@click.argument("file", metavar="FILE", shell_complete=complete_file)
@click.option(
    "--html",
    "page",
    metavar="OUT",
    shell_complete=complete_file,
    help="Write a page to look at, print or send around.",
)
@click.option("--hands", "print_hands", is_flag=True, help="Have the page print the sheet of every hand too.")
@click.option(
    "--csv",
    "rows",
    metavar="OUT",
    shell_complete=complete_file,
    help="Write one row a hand; - is standard output.",
)
@click.option("--title", metavar="TEXT", help="What to call the evening; else the file's name.")
@click.option("--width", "columns", type=click.IntRange(40, 400), help="Columns; else those of the terminal.")
@tiles_option
@rulebook_options
@format_option()
def command(
    file: str,
    page: str | None,
    print_hands: bool,
    rows: str | None,
    title: str | None,
    columns: int | None,
    tile_style: str | None,
    rulebook: str,
    settings: tuple[tuple[str, str], ...],
    output: str,
) -> None:
    """Report the evening that FILE keeps (`-` is standard input): standings, hands, chart, biggest hand.

    \b
    mjscore report samples/evening.mj
    mjscore report samples/evening.mj --html evening.html
    """
    from mjscore.record.checked import still_open
    from mjscore.record.context import Context
    from mjscore.record.statistics import check_played, read_evening

    if rows == "-" and (output == "json" or page == "-"):
        raise click.UsageError("only one of --format json, --csv - and --html - can have standard output")
    if print_hands and page is None:
        raise click.UsageError("--hands is for the page: add --html OUT")
    if page == "-" and output == "json":
        raise click.UsageError("--format json and --html - cannot both have standard output")
    bound(rulebook, settings, output)
    check_folder(file)
    for target in (page, rows):
        if target is not None:
            _check_target(target, file)
    try:
        folder = os.getcwd() if rulebook.endswith(".toml") else ""
        evening = read_evening(file, Context(rulebook, settings, folder=folder))
    except (OSError, EOFError) as error:
        end_unreadable(file, error, output)
    for refusal in evening.refusals:
        click.echo(refusal.render(), err=True)
    for played in evening.left_out:
        click.echo(f"{visible(evening.file)}:{played.line}: hand {played.number} is left out", err=True)
    if evening.open_hand is not None:
        remark = still_open(evening.file, evening.open_hand.line, evening.open_hand.missing)
        click.echo(f"{remark}; it is left out", err=True)
    try:
        check_played(evening, visible(file))
    except Refused as refused:
        end_refused(refused.refusal, output)
    name = title or _title_of(file)
    if page is not None:
        from mjscore.page.html import evening_page

        _write(page, evening_page(evening, name, print_hands))
    if rows is not None:
        from mjscore.record.statistics import csv_rows

        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(csv_rows(evening))
        _write(rows, text.getvalue())
    if output == "json":
        print_json(evening.as_json())
    elif page is None and rows is None:
        from mjscore.page.report import show_evening
        from mjscore.page.text import Style

        click.echo(show_evening(evening, Style(columns or width(), coloured()), name, tile_style))
    if evening.refusals:
        sys.exit(1)


def _title_of(file: str) -> str:
    """The file's name as a title: ``tea-at-anns.mj`` is Tea at anns."""
    stem = Path(file).name.partition(".")[0].replace("-", " ").replace("_", " ").strip()
    return stem[:1].upper() + stem[1:] if stem else "Evening"


def _check_target(target: str, file: str) -> None:
    """Ends the program where writing *target* would write over the evening itself."""
    if target == "-" or file == "-" or not os.path.exists(target):
        return
    if os.path.samefile(target, file):
        end_refused(
            Refusal("unwritable", f"{visible(target)} is the evening itself", "give the report another name")
        )


def _write(target: str, text: str) -> None:
    """Writes *text* and says so; ``-`` is standard output."""
    if target == "-":
        click.echo(text, nl=False)
        return
    write_file(target, text)
    click.echo(f"written: {visible(target)}", err=True)
