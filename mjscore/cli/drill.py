"""``mjscore drill``: hands for practising scoring."""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import randrange
from textwrap import fill, indent
from typing import Any

import click

from mjscore.atomic import write_whole
from mjscore.cli import file_access, options, printing
from mjscore.cli.prompt import LONGEST_TYPED, ask
from mjscore.drill.questions import Question, asked_now, question, questions_of, tell
from mjscore.page.text import indented
from mjscore.page.tile_styles import render_tiles
from mjscore.record.checker import check_file
from mjscore.record.context import Context
from mjscore.refusal import escape_controls, refuse
from mjscore.system import state_folder

_ASKED = ("winners", "losers", "sets", "points", "doubles", "payments", "waits")
_REMIND = "Type a number, ? for the next line of the sheet, Enter to skip, q to end."
_COLOURS = {"right": 32, "nearly": 33, "wrong": 31, "skipped": 0}
_MEMBERS = ("hand", "seat", "round", "rulebook", "guess", "score", "right", "slips", "sheet")


@click.command(name="drill")
@click.option(
    "--ask",
    "asked",
    type=click.Choice(_ASKED),
    help="Ask only this; by default questions grow harder as you answer right.",
)
@click.option(
    "--about",
    default="",
    metavar="ENTRY",
    help="Only hands with this entry of the rulebook, such as no-runs.",
)
@click.option("--missed", is_flag=True, help="Ask again what you missed last time.")
@click.option(
    "--book", type=click.Choice(("harr", "babcock")), help="Go through the worked examples of a book."
)
@click.option(
    "--hands",
    type=click.Path(),
    shell_complete=options.offered("file"),
    help="Ask about the hands in this file.",
)
@click.option("--seed", type=int, metavar="NUMBER", help="Draw the same hands every time.")
@options.rulebook_options()
@options.tiles_option
@options.format_option(what="json prints an object for each hand, and reads one answer per line.")
def command(rules: options.Rules, missed: bool, tile_style: str | None, output: str, **chosen: Any) -> None:
    """Learn to score: answer questions about hands, and see the sheet and where a wrong answer comes from.

    `?` shows the next line of the sheet, Enter skips, `q` ends. An answer is nearly right if one slip explains
    it. Six in ten hands are winners, and every entry of the rulebook takes its turn. Only what you miss is remembered.

    \b
    mjscore drill -r bmja --ask points --about no-runs
    """
    memory = Path(state_folder() or os.devnull, "missed.json")
    drill = _drill(rules, missed, memory, chosen)
    tally, slips, wrong = Counter[str](), Counter[str](), dict(drill["only"])
    try:
        for number, one in _questions(drill, tally):
            how, explained = _put(one, tally.total() + 1, tile_style, output)
            tally[how] += 1
            slips.update(explained)
            if how == "right":
                wrong.pop(str(number), None)
            elif how != "skipped":
                wrong[str(number)] = one.asked
    except EOFError:
        pass
    finally:
        if tally:  # otherwise the questions missed earlier are kept
            with suppress(OSError):
                memory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_whole(memory, json.dumps(drill | {"only": wrong}).encode(), mode=0o600)
    if output == "text":
        click.echo("\n" + (", ".join(f"{many} {how}" for how, many in tally.items()) or "nothing answered"))
        for kind, many in slips.most_common():
            click.echo(f"  {kind.replace('-', ' ')}: {many}")


def _drill(rules: options.Rules, missed: bool, memory: Path, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the drill as *chosen* or, if *missed*, the last one. Raises Refused if nothing was missed."""
    path = Path(__file__).parents[1] / "drill" / f"{chosen['book']}.mj" if chosen["book"] else chosen["hands"]
    book = os.path.abspath(rules.name) if rules.name.endswith(".toml") else rules.name
    drill: dict[str, Any] = {**chosen, "rulebook": book, "settings": rules.settings, "only": {}}
    begun = randrange(10**6) if chosen["seed"] is None else chosen["seed"]
    drill |= {"hands": path and os.path.abspath(path), "seed": begun}
    with suppress(OSError, ValueError, AttributeError):
        before = json.loads(memory.read_bytes()) if missed else {}
        drill = before if before.keys() == drill.keys() else drill
    if missed and not drill["only"]:
        raise refuse("nothing-missed")
    return drill


def _put(one: Question, number: int, tile_style: str | None, output: str) -> tuple[str, list[str]]:
    """Ask; return ``right``, ``nearly``, ``wrong`` or ``skipped``, and kinds of slips. Raises EOFError."""
    style = printing.style()
    lines = one.show(style).split("\n\n", 1)[-1].split("\n")
    if output == "text":
        click.echo(f"\n{style.strong(escape_controls(f'{number}  {one.head}'))}")
        if one.hand is not None:
            click.echo(indent(render_tiles(one.hand, tile_style, style.width - 2), "  "))
        click.echo(fill(escape_controls(one.put), style.width))
    guess = _answer(one, [*filter(str.strip, lines)], output)
    slips = one.explain(guess) if guess not in (None, one.right) else []
    missed_by = "nearly" if slips and not slips[0][1:] else "wrong"
    how = "skipped" if guess is None else "right" if guess == one.right else missed_by
    if output == "json":
        printing.print_json(_members(one, guess, slips))
    else:
        click.echo(style.tinted(f"{how.capitalize()}: it is {one.typed(one.right)}.", _COLOURS[how]))
        for line in tell(slips):
            click.echo("\n".join(indented(f"- {escape_controls(line)}", style, "  ")))
        click.echo("\n".join(lines))
    return how, [slip.kind for some in slips[:1] for slip in some]


def _questions(drill: Mapping[str, Any], tally: Mapping[str, int]) -> Iterator[tuple[int, Question]]:
    """Yield number and question: of a file's or endless new ones; in a repeated drill, of those missed."""
    only = {int(number): kind for number, kind in drill["only"].items()}
    kind_asked, about, path = drill["asked"], drill["about"], drill["hands"]
    context = Context(drill["rulebook"], tuple(map(tuple, drill["settings"])))
    numbers = count()
    for checked in file_access.readable(path, check_file(path, context)) if path else ():
        for refusal in checked.refusals:
            printing.say_refusal(refusal)
        for one, number in zip(questions_of(checked, kind_asked or "score"), numbers, strict=False):
            if not only or number in only:
                yield number, one
    for number in (only or count()) if not path else ():
        kind = only.get(number) or kind_asked or ("score" if about else asked_now(tally["right"], number))
        yield number, question(context.book(), drill["seed"], number, kind, about)


def _answer(one: Question, lines: list[str], output: str) -> int | None:
    """Return the answer, None if skipped; for ?, print one of *lines*. Raises EOFError on q or at the end."""
    by_line, hints = output == "json", iter(lines)
    while True:
        line = sys.stdin.readline(LONGEST_TYPED) or "q" if by_line else ask("Answer: ", ("?", "q"))
        if (line := line.strip()) == "q":
            raise EOFError
        if not line or (guess := one.read(line)) is not None:
            return guess if line else None
        click.echo(next(hints, "That was the last line.") if line == "?" else _REMIND, err=by_line)


def _members(one: Question, guess: int | None, found: list[Any]) -> dict[str, object]:
    """Return the JSON object of a question, the answer *guess*, and the slips *found* in it."""
    whose = (str(one.hand), one.hand.seat, one.hand.round) if one.hand is not None else (one.put, None, None)
    answers = [one.typed(it) if it is not None and one.asked == "waits" else it for it in (guess, one.right)]
    slips = [" and ".join(f"{slip.kind} {slip.of}".strip() for slip in some) for some in found]
    values = (*whose, one.outcome.rulebook, *answers, guess == one.right, slips, one.outcome.as_json())
    return dict(zip(_MEMBERS, values, strict=True))
