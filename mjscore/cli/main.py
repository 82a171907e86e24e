"""The ``mjscore`` program: a click group whose commands are loaded when they are called."""

import contextlib
import gc
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import click

from mjscore import __version__
from mjscore.cli.streams import prepare_streams
from mjscore.refusal import Refused, describe_fault, did_you_mean, escape_controls

COMMANDS = {
    "score": "the itemised score sheet of a hand",
    "settle": "who pays whom after a hand",
    "check": "every hand and table of a file, expected score against computed",
    "waits": "the tiles that would complete a hand, and what each would score",
    "rules": "the rulebooks: list, show NAME, diff A B, facts",
    "play": "keep an evening at the table, hand by hand",
    "drill": "learn to score: questions about hands",
    "report": "standings, hands and chart of an evening",
    "settings": "your defaults: rulebook, options, counters, tiles, players",
    "phone": "a page for phones, which works offline: a folder for any web server",
    "help": "how hands and files are written, guides, or the help of a command",
    "explain": "what a refusal means and how to fix it; what a word of the game means",
}


class _Commands(click.Group):
    """The group of commands; imports each command's module when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"mjscore.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            hint = did_you_mean(name, COMMANDS, f"commands: {', '.join(COMMANDS)}.")
            if any(character in name for character in "+<([") or name[1:2] in (":", "@"):
                hint = f"to score a hand: mjscore score {name!r}"
            if name == "version":
                hint = "type mjscore --version"
            ctx.fail(f"No command {name!r}. {hint[:1].upper()}{hint[1:]}")
        return super().resolve_command(ctx, args)

    def make_context(self, *arguments: Any, **named: Any) -> click.Context:
        with _spelt_out():
            return super().make_context(*arguments, **named)

    def invoke(self, ctx: click.Context) -> Any:
        from mjscore.cli.settings_file import read_settings, settings_for_commands

        try:
            # the settings file has the defaults of options; but a page for a phone is made
            # for others, who have settings of their own
            ctx.default_map = dict.fromkeys(COMMANDS, settings_for_commands(read_settings())) | {"phone": {}}
            with _spelt_out():
                return super().invoke(ctx)
        except Refused as refused:
            from mjscore.cli.options import REFUSED_IN
            from mjscore.cli.printing import end_refused

            end_refused(refused.refusal, ctx.meta.get(REFUSED_IN, "text"))
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            sys.exit(130)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@contextlib.contextmanager
def _spelt_out() -> Iterator[None]:
    """Escape control characters in the messages of click."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.ClickException as error:
        error.message = escape_controls(error.message)  # type: ignore[misc, unused-ignore]
        raise


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", message="mjscore %(version)s")
def cli() -> None:
    """Score and settle classical Mah-Jongg by the books of the 1920s, citing the page for every item."""


def main() -> None:
    """Run the program; if the program itself fails, end with status 3 and without a traceback."""
    # starting makes many objects that stay: the garbage collector need not scan them again and again
    gc.set_threshold(100_000)
    _replace_closed()
    prepare_streams()
    if "_MJSCORE_COMPLETE" in os.environ:
        from mjscore.cli.completion import prepare_completion

        prepare_completion()
    try:
        try:
            cli(prog_name="mjscore", standalone_mode=True)
        finally:
            if not sys.stdout.closed:  # play closes it when the terminal is gone
                sys.stdout.flush()
            gc.freeze()  # the process is about to end: the garbage collector need not scan anything
    except BrokenPipeError:
        # nobody reads the output any more
        _drop_output()
        sys.exit(1)
    except OSError as error:
        _drop_output()
        where = escape_controls(str(error.filename)) if error.filename else "the output cannot be written"
        _say(f"{where}: {error.strerror or error}")
        sys.exit(2)
    except Exception as error:
        _say(describe_fault(error))
        sys.exit(3)


def _say(message: str) -> None:
    """Print a last message to standard error, if possible."""
    with contextlib.suppress(OSError):
        click.echo(message, err=True)


def _replace_closed() -> None:
    """Replace closed streams: empty input, output that cannot be written, errors that are discarded."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            stream = open(number, "w" if number else "r", encoding="utf-8", closefd=False)  # noqa: SIM115 - open until the program ends
            setattr(sys, name, stream)


def _drop_output() -> None:
    """Discard the output not yet written."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
