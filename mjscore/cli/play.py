"""``mjscore play``: keeps an evening at the table in a file, hand by hand."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

import click

from mjscore.cli import options, printing
from mjscore.cli.live_line import LiveLine
from mjscore.cli.prompt import LONGEST_TYPED, ask, line_reader, shows_live_lines
from mjscore.refusal import Refused, escape_controls
from mjscore.system import terminations

if TYPE_CHECKING:
    from mjscore.play.beginning import NewEvening
    from mjscore.play.controller import Controller
    from mjscore.play.offers import PromptText
    from mjscore.play.store import Store
    from mjscore.refusal import Refusal


@click.command(name="play")
@click.argument("file", type=click.Path(), required=False)
@click.option(
    "--players",
    metavar='"Ann Ben Cid Dee"',
    help="The players of a new evening, seated East, South, West, North.",
)
@options.counters_options
@click.option("--title", default="", metavar="TEXT", help="What to call a new evening.")
@click.option(
    "--date", "day", default="", metavar="2026-11-21", help="The date of a new evening; defaults to today."
)
@options.rulebook_options()
@options.format_option(what="json prints the standings at the end for programs.", refused_in_json=False)
@click.pass_context
def command(
    context: click.Context,
    file: str | None,
    players: str | None,
    counters: str | None,
    pair_by_pair: bool,
    bank: bool,
    title: str,
    day: str,
    rules: options.Rules,
    output: str,
) -> None:
    """Keep an evening in FILE: type each seat's hand, see who pays whom, go on. `help` lists the commands.
    Without FILE it asks for everything that a new evening needs.

    FILE is plain text, one hand after another, and records the rulebook, players and counters. Everything shown
    is already saved: an interrupted evening continues where it stopped, even in the middle of a hand.
    """
    from mjscore.game.hand import quote_name
    from mjscore.play.beginning import NewEvening, as_played, beginning, check_as_begun, free_file, names_of
    from mjscore.play.controller import Controller
    from mjscore.play.history import keep_last
    from mjscore.play.rendering import Points, show
    from mjscore.play.store import Store
    from mjscore.record.context import Occasion

    guides = file is None or sys.stdin.isatty()
    if file is None:
        file = free_file()
        click.echo(f"Kept in {file}; mjscore play FILE continues another")
    # a house rulebook is named relative to the evening's file
    folder = os.path.dirname(file)
    is_named = context.get_parameter_source("rulebook") is not click.core.ParameterSource.DEFAULT
    with terminations(lambda: sys.exit(143)), contextlib.closing(Store(file)) as store:
        try:
            begun = bool(store.read())
            # an existing evening has settings in its own lines; the settings file is for new evenings
            unsaid = {name for name in context.params if begun and options.from_settings(context, name)}
            wanted = NewEvening(
                rules.name if is_named and "rulebook" not in unsaid else None,
                dict(rules.typed if begun else rules.settings),
                None if players is None or "players" in unsaid else names_of(players),
                Occasion(title, day, "" if "counters" in unsaid else counters or "", bank, pair_by_pair),
                folder,
            )
            if not begun:
                _begin(store, wanted, guides)
            table = Controller(store, click.echo, printing.style(), folder, sys.stdin.isatty())
            if begun:
                check_as_begun(table.session.evening, wanted, file)
        except (EOFError, KeyboardInterrupt):
            click.echo("\nno evening was begun")
            sys.exit(2)
        try:
            _loop(table)
        except OSError:
            # the terminal is gone: everything shown is in the file, and nobody reads a message
            with contextlib.suppress(OSError):
                sys.stdout.close()
            return
        evening = table.session.evening
        keep_last(beginning(as_played(evening).with_number()))
        left_out = table.left_out()
        if left_out:
            click.echo(f"The evening in {escape_controls(file)} is incomplete: {left_out}", err=True)
            sys.exit(1)
        if output == "json":
            hands = int(evening.hand.mark) - 1
            printing.print_json({"file": file, "totals": evening.position.points, "hands": hands})
            return
        if evening.played:
            table.say(show([Points(evening.position.points, "standings")], table.style))
        page = quote_name(f"{os.path.splitext(file)[0]}.html")
        click.echo(f"The evening is in {escape_controls(file)}; its page:")
        click.echo(escape_controls(f"  mjscore report {quote_name(file)} --html {page}"))


def _begin(store: Store, wanted: NewEvening, asks: bool) -> None:
    """Write the head of a new evening to *store*; if *asks*, ask for what *wanted* lacks. Raises Refused."""
    from datetime import date

    from mjscore.page.text import wrapped
    from mjscore.play.beginning import beginning, guided, names_of, read_as_played
    from mjscore.play.history import beginning_of, keep_step, read_last

    if not wanted.occasion.date:
        wanted = wanted._replace(occasion=wanted.occasion._replace(date=date.today().isoformat()))
    if asks and wanted.players is None:
        wanted = guided(
            wanted, ask, lambda told: click.echo(wrapped(told, printing.style())), read_as_played(read_last())
        )
    elif wanted.players is None:
        wanted = wanted._replace(players=names_of(sys.stdin.readline(LONGEST_TYPED)))
    text = beginning(wanted)
    keep_step(beginning_of(text))
    if store.read() is None:
        store.create(text)
    else:
        store.replace(text)


def _loop(table: Controller) -> None:
    """Read and carry out lines until one ends the evening or the input ends."""
    from mjscore.play.rendering import show_return
    from mjscore.play.session import prompt

    click.echo(show_return(table.session.evening, table.style))
    typed = LiveLine(table)
    read = line_reader(typed)
    standing: PromptText | None = None
    pasted: list[str] = []
    while True:
        try:
            typed.say_fault()
            if not pasted:
                pasted = read(prompt(table.session), standing).split("\n")
            line, standing = pasted.pop(0).strip(), None
            table.style = printing.style()
            if not table.take(line):
                break
            standing = _offered(table) if table.goes_on else None
        except EOFError:
            click.echo()
            break
        except Refused as refused:
            standing = _told(table, typed, line, refused.refusal)
            if any(map(str.strip, pasted)):
                click.echo(
                    f"  (the lines pasted after it were ignored: {escape_controls(pasted[0].strip())} …)"
                )
            pasted = []
        except KeyboardInterrupt:
            standing = None
            if not table.is_untold:
                click.echo("  (the line is discarded; quit ends the evening)")
            try:
                table.look()  # an action may have been interrupted
            except Refused as refused:
                click.echo(refused.refusal.render(printing.message_width()))
    if table.session.draft is not None:
        click.echo(f"the edit of {table.session.draft.mark} was not written")


# refusals after which the next prompt is empty: questions, and those not caused by the line
_BEGUN_ANEW = (
    "four-without-brackets", "near-name", "odd-score",
    "hand-in-progress", "edit-in-progress", "nothing-to-undo", "nothing-to-redo", "nothing-to-drop", "nothing-to-write",
    "no-counters", "no-holdings", "empty-pool", "no-penalty", "no-washing",
)  # fmt: skip


def _offered(table: Controller) -> PromptText | None:
    """Print the lines that *table* offers; return the text that the next prompt begins with, if any."""
    from mjscore.play.offers import PromptText
    from mjscore.play.rendering import show_offers

    for offered in show_offers(table.offers, printing.width()):
        click.echo(offered)
    if table.offers and sys.stdin.isatty() and not shows_live_lines():
        click.echo(f"  (Enter alone takes {'1' if table.offers[1:] else 'it'})")
    return PromptText(table.offers, True) if table.offers else None


def _told(table: Controller, typed: LiveLine, line: str, refusal: Refusal) -> PromptText | None:
    """Print why *line* is refused and the lines offered instead; return what the next prompt begins with."""
    from mjscore.play.live import ENTERED
    from mjscore.play.offers import standing_after

    shown, fault = _placed(typed, line, refusal)
    click.echo(shown.render(printing.message_width()))
    _offered(table)
    below = typed.line(line + ENTERED, printing.width()).lines
    was_read = any(kind in ("tiles", "state") for kind, _ in below)
    return standing_after(line, fault, was_read, table.offers, refusal.code in _BEGUN_ANEW)


def _placed(typed: LiveLine, line: str, refusal: Refusal) -> tuple[Refusal, int]:
    """Return a *refusal* with its place in *line*, and where to put the cursor: at the first mistake."""
    from mjscore.play.live import ENTERED

    below = typed.line(line + ENTERED, printing.width())
    start, end = below.fault or (len(line), len(line))
    if refusal.column is not None and refusal.length < len(line.strip()):
        return refusal, refusal.column - 1 if refusal.text.strip() == line.strip() else start
    if below.refusal is None or below.refusal.code != refusal.code or end - start in (0, len(line.strip())):
        return refusal, start
    return refusal._replace(line=1, column=start + 1, length=max(1, end - start), text=line), start
