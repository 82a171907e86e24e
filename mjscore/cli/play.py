"""``mjscore play``: keeps an evening at the table, hand by hand, in a file."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from collections.abc import Iterator

import click

from mjscore.cli.completion import complete_counters
from mjscore.cli.options import coloured, end_refused, print_json, rulebook_options, width
from mjscore.refusal import Refused

_COMMANDS = [
    "draw",
    "wash",
    "false",
    "long",
    "pay",
    "undo",
    "redo",
    "edit",
    "show",
    "standings",
    "counters",
    "pool",
    "note",
    "drop",
    "help",
    "quit",
    "settle",
]


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
@rulebook_options
@click.option("--format", "output", type=click.Choice(("text", "json")), default="text", show_default=True,
              help="json prints the standings at the end for programs.")  # fmt: skip
def command(
    file: str,
    players: str | None,
    counters: str | None,
    pair_by_pair: bool,
    bank: bool,
    rulebook: str,
    settings: tuple[tuple[str, str], ...],
    output: str,
) -> None:
    """Keep an evening in FILE: type each seat's hand, see who pays whom, go on. `help` lists the commands.

    FILE is plain text, one hand after another. What has been shown is on the disk; a broken-off evening
    goes on where it was.
    """
    from mjscore.page.text import Style
    from mjscore.play.session import Evening, beginning
    from mjscore.play.store import Store

    # a house rulebook is named as seen from the evening's file
    folder = os.path.dirname(file)
    try:
        store = Store(file)
    except Refused as refused:
        end_refused(refused.refusal)
    with contextlib.closing(store):
        try:
            if not store.exists():
                names = _names(players)
                store.create(beginning(names, rulebook, dict(settings), folder))
            evening = Evening(
                store, click.echo, Style(width(), coloured()), counters, folder, pair_by_pair, bank
            )
        except Refused as refused:
            end_refused(refused.refusal)
        click.echo(evening.greeting())
        _loop(evening)
        if output == "json":
            print_json({"file": file, "totals": dict(zip(evening.position.players, evening.position.totals, strict=True)),
                        "hands": len(evening.entries)})  # fmt: skip


def _names(players: str | None) -> list[str]:
    if players is None:
        if sys.stdin.isatty():
            players = click.prompt("Players, seated East, South, West, North")
        else:
            players = sys.stdin.readline()
    try:
        return shlex.split((players or "").replace(",", " "))
    except ValueError:
        return (players or "").replace('"', "").split()


def _loop(evening) -> None:  # type: ignore[no-untyped-def]
    mend = ""
    with _editing(evening) as read:
        while True:
            try:
                line = read(evening.prompt(), mend)
            except EOFError:
                click.echo()
                return
            except KeyboardInterrupt:
                click.echo("  (the line is dropped; quit ends the evening)")
                mend = ""
                continue
            mend = ""
            try:
                if not evening.take(line.strip()):
                    return
            except Refused as refused:
                click.echo(refused.refusal.render())
                mend = line if sys.stdin.isatty() and ":" in line else ""
            except KeyboardInterrupt:
                click.echo("  (stopped)")


@contextlib.contextmanager
def _editing(evening) -> Iterator:  # type: ignore[type-arg, no-untyped-def]
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
        names = [f"{name}:" for name in evening.position.players]
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
