"""``mjscore rules``: list, show, compare, write and check rulebooks."""

import glob
import json
import os
import sys
from pathlib import Path
from shlex import quote
from textwrap import wrap

import click

import mjscore
from mjscore.cli import file_access, options, printing
from mjscore.page.tables import Table, columns_of, show_table
from mjscore.page.text import counted
from mjscore.refusal import escape_controls, refuse
from mjscore.rulebook.binding import bind, read_rulebook
from mjscore.rulebook.entries import ALIASES, RULEBOOKS
from mjscore.rulebook.rulebook import Rulebook
from mjscore.system import path_from


@click.group(name="rules", invoke_without_command=True)
@options.rulebook_options()
@options.format_option()
@click.pass_context
def command(ctx: click.Context, rules: options.Rules, output: str) -> None:
    """Work with the rulebooks: list them, show the score card of one, compare two, or list what a file can contain."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_command, output=output)


@command.command(name="list")
@options.format_option()
def list_command(output: str) -> None:
    """List the rulebooks that come with mjscore, and in a clone the samples."""
    books = [bind(name) for name in RULEBOOKS]
    if output == "json":
        members = ("id", "title", "book", "limit", "fingerprint")
        printing.print_json(*({name: getattr(book, name) for name in members} for book in books))
        return
    limits = ("no limit" if book.limit is None else f"limit {book.limit}" for book in books)
    rows = [(book.id, book.title, limit, book.book) for book, limit in zip(books, limits, strict=True)]
    columns = printing.width()
    name, title, limit, origin = columns_of(["name", "", "", "from"], rows, "llll")
    title = title._replace(most=24)
    origin = origin._replace(most=max(20, columns - 60), rank=1, below=True)
    table = Table([name, title, limit, origin], narrowed=((1, 10),))
    click.echo(show_table(table, printing.style()))
    called = ", ".join(f"{alias} ({name})" for alias, name in ALIASES.items())
    more = "mjscore rules show NAME prints a score card; NAME may also be a TOML file of your own, or, in capitals or small letters, "
    click.echo("\n" + "\n".join(wrap(f"{more}{called}.", columns)))
    if samples := _samples():
        folder, names = os.path.dirname(samples[0]), ", ".join(map(os.path.basename, samples))
        text = f"{folder} has more, as files: {names}. mjscore rules show {samples[0]} prints one."
        click.echo("\n" + "\n".join(wrap(escape_controls(text), columns, break_on_hyphens=False)))


def _samples() -> list[str]:
    """Return the paths of the sample rulebooks, relative if below this folder; empty except in a clone."""
    folder = os.path.join(os.path.dirname(os.path.dirname(mjscore.__file__)), "samples", "rules")
    near = path_from(os.curdir, folder)
    return sorted(glob.glob(os.path.join(folder if near.startswith(os.pardir) else near, "*.toml")))


@command.command(name="show")
@click.argument("name", shell_complete=options.offered("name"))
@options.settings_option()
@click.option(
    "--ids", is_flag=True, help="Put each entry's id before its title, for use in drop and [change.ID]."
)
@click.option("--all", "everything", is_flag=True, help="Explain in words what each entry requires.")
@click.option(
    "--html",
    type=click.Path(),
    metavar="PAGE",
    help="Write the card as a page to print, with its hands drawn.",
)
@options.pager_option
@options.format_option()
def show_command(
    name: str,
    settings: options.Pairs,
    ids: bool,
    everything: bool,
    html: str | None,
    output: str,
) -> None:
    """Show the score card of NAME (a rulebook, or a TOML file): every rule with its worth and its page."""
    from mjscore.page.cards import card_json, card_page, show_rulebook

    book = bind(name, dict(settings))
    if output == "json":
        printing.print_json(card_json(book))
    elif html is not None:
        file_access.write_file(html, card_page(book, ids, everything))
    else:
        printing.show_long(show_rulebook(book, printing.style(), ids, everything))


@command.command(name="new")
@click.argument("file", type=click.Path())
@click.option(
    "--extends",
    "extended",
    default="babcock",
    show_default=True,
    metavar="NAME",
    help="The rulebook to start from.",
)
def new_command(file: str, extended: str) -> None:
    """Write a house rulebook FILE that extends NAME, with comments on everything that it can contain."""
    from mjscore.page.language import house_file

    path = Path(file)
    if path.suffix != ".toml":
        raise refuse("no-rulebook", "suffix", path=file, stem=path.stem)
    file_access.write_file(file, house_file(bind(extended), path, extended), new=True)
    click.echo(escape_controls(f"{file} is written: mjscore rules show {quote(file)}"))


@command.command(name="check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=options.offered("name"))
@options.format_option()
def check_command(files: tuple[str, ...], output: str) -> None:
    """List every mistake in each rulebook FILE, in the order of its lines, and whatever looks doubtful.

    Ends with status 1 if there is a mistake; doubts alone are not mistakes.
    """
    from mjscore.rulebook.loading import faults_in

    wrong = False
    for file in files:
        faults, doubtful = faults_in(file, read_rulebook, lambda definition: Rulebook(definition, {}))
        wrong |= bool(faults)
        for refusal in (*faults, *doubtful):
            kind = "mistake" if refusal in faults else "doubtful"
            if output == "json":
                printing.print_json({"file": refusal.file or file, "kind": kind, **refusal.as_json()})
                continue
            message = f"doubtful: {refusal.message}" if refusal in doubtful else refusal.message
            click.echo(refusal._replace(message=message).render(printing.message_width(sys.stdout)) + "\n")
        if output == "text":
            count = counted(len(faults), "mistake", "mistakes") if faults else "no mistakes"
            click.echo(escape_controls(f"{file}: {count}{f', {len(doubtful)} doubtful' if doubtful else ''}"))
    sys.exit(1 if wrong else 0)


@command.command(name="schema")
def schema_command() -> None:
    """Print the JSON Schema of rulebook files, for editors that check and complete TOML."""
    from mjscore.rulebook.keys import json_schema

    click.echo(json.dumps(json_schema(), indent=2, ensure_ascii=False))


@command.command(name="diff")
@click.argument("left", metavar="A", shell_complete=options.offered("name"))
@click.argument("right", metavar="B", shell_complete=options.offered("name"))
@options.settings_option(help="Set an option in each rulebook that has it.")
@click.option("--all", "everything", is_flag=True, help="Also show what is the same.")
@options.pager_option
@options.format_option()
def diff_command(left: str, right: str, settings: options.Pairs, everything: bool, output: str) -> None:
    """Compare what A and B give for the same thing, in two columns."""
    from mjscore.page.differences import diff_rows, show_diff

    left_book, other = options.Rules((left, right), settings, ()).books()
    if output == "text":
        printing.show_long(show_diff(left_book, other, printing.style(), everything))
        return
    for row in diff_rows(left_book, other, everything):
        values = {side.book: side.worth for side in row.sides}
        sources = " | ".join(side.source or "–" for side in row.sides)
        printing.print_json({"section": row.section, "title": row.title, **values, "sources": sources})


@command.command(name="facts")
@options.pager_option
@options.format_option("markdown")
def facts_command(output: str) -> None:
    """List what a rulebook file can contain: its sections, the facts and classes of conditions, the settling rules."""
    from mjscore.page.language import markdown_tables, rulebook_tables, show_tables

    if output == "markdown":
        click.echo(markdown_tables())
    elif output == "text":
        printing.show_long(show_tables(printing.style()))
    else:
        tables = {
            table.name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
            for table in rulebook_tables()
        }
        printing.print_json(tables)
