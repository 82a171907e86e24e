"""Reading a line at the table: with a live line below it if the terminal can show one, or else plainly."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from mjscore.cli.printing import end_refused
from mjscore.refusal import refuse

if TYPE_CHECKING:
    from mjscore.cli.live_line import LiveLine
    from mjscore.play.offers import PromptText

LONGEST_TYPED = 1_000_000  # characters; a pipe may be endless
# reads a line after a prompt; the line may begin with a text
Read = Callable[[str, "PromptText | None"], str]


def shows_live_lines() -> bool:
    """Return whether the terminal can show a line below the one being typed."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def line_reader(live_line: LiveLine) -> Read:
    """Return the function that reads a line: with a live line, with readline, or from a pipe."""
    if shows_live_lines():
        from mjscore.cli.live_prompt import LivePrompt

        return LivePrompt(live_line).read
    with contextlib.suppress(ImportError):
        if sys.stdin.isatty():
            return _readline_reader(live_line)
    return lambda prompt, standing: _plain_line(prompt)


def ask(question: str, known: Sequence[str]) -> str:
    """Print *question* and return the answer typed behind it; with live lines, Tab completes *known* ones."""
    if not shows_live_lines():
        return _plain_line(question)
    from prompt_toolkit import prompt
    from prompt_toolkit.completion import WordCompleter

    completer = WordCompleter(list(known), sentence=True)
    return prompt(question, completer=completer, complete_while_typing=False, reserve_space_for_menu=0)


def _plain_line(prompt: str) -> str:
    """Return a line read without a live line. Raises EOFError at the end of the input."""
    if sys.stdin.isatty():
        return input(prompt)
    click.echo(prompt, nl=False)
    line = sys.stdin.readline(LONGEST_TYPED)
    if not line:
        raise EOFError
    if len(line) == LONGEST_TYPED:
        end_refused(refuse("long-line", "endless", most=LONGEST_TYPED).refusal)
    click.echo()  # a pipe does not echo the line end, as a terminal does
    return line.rstrip("\r\n")


def _readline_reader(live_line: LiveLine) -> Read:
    """Return a reader with history and completion, where Enter may take an offer. Raises ImportError."""
    import readline
    from time import monotonic

    from mjscore.play.offers import after_key

    def complete(text: str, state: int) -> str | None:
        _, fitting = live_line.offers(readline.get_line_buffer()[: readline.get_endidx()])
        return fitting[state] if state < len(fitting) else None

    def read(prompt: str, standing: PromptText | None) -> str:
        begun = monotonic()
        line = input(prompt)
        if line.strip() or standing is None or not standing.offered:
            return line
        pressed = after_key(standing, "enter", round(1000 * (monotonic() - begun)))
        return pressed.text if pressed.taken else ""

    readline.set_completer(complete)
    readline.set_completer_delims(" \t:!")
    readline.parse_and_bind("tab: complete")
    return read
