"""``mjscore play``: keeps an evening at the table, hand by hand, in a file."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from mjscore.cli.completion import complete_counters
from mjscore.cli.options import coloured, end_refused, message_width, print_json, rulebook_options, width
from mjscore.refusal import Refused

if TYPE_CHECKING:
    from mjscore.play.store import Store
    from mjscore.play.table import Table

_COMMANDS = (
    "draw", "wash", "false", "long", "pay", "undo", "redo", "edit", "show", "standings", "counters", "pool",
    "note", "label", "drop", "yes", "keep", "no", "help", "quit",
)  # fmt: skip


@click.command(name="play")
@click.argument("file", type=click.Path())
@click.option(
    "--players",
    metavar='"Ann Ben Cid Dee"',
    help="The players of a new evening, seated East, South, West, North.",
)
@click.option(
    "--counters",
    metavar="harr|babcock|FILE",
    shell_complete=complete_counters,
    help="Say which counters change hands.",
)
@click.option(
    "--pair-by-pair", is_flag=True, help="Hand over counters pair by pair, as the books do, not net."
)
@click.option("--bank", is_flag=True, help="The bank gives change too.")
@click.option("--title", default="", metavar="TEXT", help="What to call a new evening.")
@click.option("--date", "day", default="", metavar="2026-11-21", help="The day of a new evening; else today.")
@rulebook_options
@click.option("--format", "output", type=click.Choice(("text", "json")), default="text", show_default=True,
              help="json prints the standings at the end for programs.")  # fmt: skip
@click.pass_context
def command(
    context: click.Context,
    file: str,
    players: str | None,
    counters: str | None,
    pair_by_pair: bool,
    bank: bool,
    title: str,
    day: str,
    rulebook: str,
    settings: tuple[tuple[str, str], ...],
    output: str,
) -> None:
    """Keep an evening in FILE: type each seat's hand, see who pays whom, go on. `help` lists the commands.

    FILE is plain text, one hand after another, and remembers its table: rulebook, players, counters. What
    has been shown is on the disk; a broken-off evening goes on where it was, in the middle of a hand too.
    """
    from mjscore.page.text import Style
    from mjscore.play.beginning import Asked, check_as_begun
    from mjscore.play.store import Store
    from mjscore.play.table import Table
    from mjscore.record.context import Occasion

    # a house rulebook is named as seen from the evening's file
    folder = os.path.dirname(file)
    given = context.get_parameter_source("rulebook") is not click.core.ParameterSource.DEFAULT
    asked = Asked(
        rulebook if given else None,
        dict(settings),
        None if players is None else _names(players),
        Occasion(title, day, counters or "", bank, pair_by_pair),
    )
    try:
        store = Store(file)
    except Refused as refused:
        end_refused(refused.refusal)
    with contextlib.closing(store):
        try:
            begun = bool(store.read())
            if not begun:
                _begin(store, asked, folder)
            table = Table(store, click.echo, Style(width(), coloured()), folder)
            if begun:
                check_as_begun(table.session.account, asked, file)
        except Refused as refused:
            end_refused(refused.refusal)
        if _play(table) and output == "json":
            position = table.session.account.position
            print_json({"file": file, "totals": dict(zip(position.players, position.totals, strict=True)),
                        "hands": table.session.account.hands})  # fmt: skip


def _begin(store: Store, asked: object, folder: str) -> None:
    """Writes the head of a new evening. Raises Refused."""
    from datetime import date

    from mjscore.play.beginning import Asked, beginning

    assert isinstance(asked, Asked)
    occasion = asked.occasion
    if not occasion.date:
        occasion = occasion._replace(date=date.today().isoformat())
    names = asked.players if asked.players is not None else _asked_names()
    text = beginning(asked._replace(players=names, occasion=occasion), folder)
    if store.read() is None:
        store.create(text)
    else:
        store.replace(text)


def _asked_names() -> list[str]:
    if sys.stdin.isatty():
        return _names(click.prompt("Players, seated East, South, West, North"))
    return _names(sys.stdin.readline())


def _names(players: str) -> list[str]:
    try:
        return shlex.split(players.replace(",", " "))
    except ValueError:
        return players.replace('"', "").split()


def _play(table: Table) -> bool:
    """Takes lines until one ends the evening or the input ends; False where the terminal is gone."""
    from mjscore.play.showing import show_greeting

    try:
        click.echo(show_greeting(table.session.account, table.style))
        with _reading(table) as read:
            _loop(table, read)
        return True
    except OSError:
        # the terminal is gone: all that was shown is in the file, and there is nobody to tell
        with contextlib.suppress(OSError):
            sys.stdout.close()
        return False


def _loop(table: Table, read: Callable[[str, str], str]) -> None:
    from mjscore.play.session import prompt

    mend = ""
    while True:
        try:
            line = read(prompt(table.session), mend)
            mend = ""
            if not table.take(line.strip()):
                break
        except EOFError:
            click.echo()
            break
        except Refused as refused:
            click.echo(refused.refusal.render(message_width()))
            mend = line if sys.stdin.isatty() and ":" in line else ""
        except KeyboardInterrupt:
            mend = ""
            _stopped(table)
    if table.session.draft is not None:
        click.echo(f"the edit of {table.session.draft.entry.mark} is not written")


def _stopped(table: Table) -> None:
    """Says what Ctrl-C has stopped: what was being typed, or what was being done."""
    click.echo("  (the line is dropped; quit ends the evening)")
    try:
        table.look()
    except Refused as refused:
        click.echo(refused.refusal.render(message_width()))


@contextlib.contextmanager
def _reading(table: Table) -> Iterator[Callable[[str, str], str]]:
    """A function that reads a line, with history, completion and a line to mend where readline is there."""
    try:
        import readline
    except ImportError:
        yield lambda prompt, mend: input(prompt)
        return
    if not sys.stdin.isatty():
        yield lambda prompt, mend: _plain(prompt)
        return

    def complete(text: str, state: int) -> str | None:
        names = [f"{name}:" for name in table.session.account.position.players]
        fitting = [word for word in (*names, *_COMMANDS) if word.lower().startswith(text.lower())]
        return fitting[state] if state < len(fitting) else None

    def read(prompt: str, mend: str) -> str:
        readline.set_startup_hook((lambda: readline.insert_text(mend)) if mend else None)
        try:
            return input(prompt)
        finally:
            readline.set_startup_hook(None)

    readline.set_completer(complete)
    readline.set_completer_delims(" \t:")
    readline.parse_and_bind("tab: complete")
    yield read


def _plain(prompt: str) -> str:
    click.echo(prompt, nl=False)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    click.echo()
    return line
