"""Options that mean the same in every command, and what commands share in printing."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

import click

from mjscore.cli.completion import complete_counters, complete_rulebook, complete_seat, complete_setting
from mjscore.refusal import Refusal, Refused, visible

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from mjscore.game.hand import Hand
    from mjscore.notation.choosing import Worth
    from mjscore.notation.hands import Reading
    from mjscore.notation.names import People
    from mjscore.record.source import SourceLine
    from mjscore.rulebook.binding import Rulebook

Function = TypeVar("Function", bound=Callable[..., Any])


class Setting(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """KEY=VALUE on the command line, as a pair."""

    name = "KEY=VALUE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, tuple):
            return value
        key, equals, setting = str(value).partition("=")
        if not equals or not key.strip():
            self.fail(f"{value!r} is no KEY=VALUE; type for instance -s limit=600", param, ctx)
        return key.strip(), setting.strip()


class Wind(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A wind, in any case, by its letter or any beginning of its name."""

    name = "wind"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        wind = seat_argument(str(value))
        if wind not in ("E", "S", "W", "N"):
            self.fail(f"{value!r} is no wind; type E, S, W or N, or a name such as east", param, ctx)
        return wind

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return complete_seat(ctx, param, incomplete)


_RULEBOOKS = "harr, harr-limit, babcock, babcock-chinese, bmja, dmjl, or a TOML file"


def settings_option(what: str = "An option of the rulebook; repeatable.") -> Callable[[Function], Function]:
    """``-s/--set``, as *settings*; *what* is its help."""
    return click.option(
        "-s",
        "--set",
        "settings",
        type=Setting(),
        multiple=True,
        shell_complete=complete_setting,
        help=what,
    )


_WITHOUT_RULES = ("settings", "rules", "help", "explain")  # commands that score nothing


def by_settings(function: Function) -> Function:
    """Have a command go by the options of the settings file too, and say which settings decided."""

    @wraps(function)
    def by_settings(*given: Any, settings: tuple[tuple[str, str], ...], **named: Any) -> Any:
        from mjscore.cli.settings_file import Settings, options_in_force, read_settings

        context = click.get_current_context()
        found = Settings() if context.command.name == "phone" else read_settings()
        books = named["rulebooks"] if "rulebooks" in named else [named["rulebook"]]
        in_force = options_in_force(books, settings, found)
        context.meta["mjscore.typed"] = settings
        said = []
        if is_default(context, "rulebook") or is_default(context, "rulebooks"):
            by = " by MJSCORE_RULEBOOK" if os.environ.get("MJSCORE_RULEBOOK") else ""
            said.append(f"rulebook {books[0]}{by}")
        said += [f"{key} {value}" for key, value in in_force if (key, value) not in settings]
        said += [f"{name} {named[name]}" for name in ("counters", "players") if is_default(context, name)]
        if said and context.command.name not in _WITHOUT_RULES:
            to_errors = named.get("output") != "text" or "-" in (named.get("page"), named.get("rows"))
            where = f" ({found.path})" if found.path else ""
            click.echo(visible(f"settings: {', '.join(said)}{where}"), err=to_errors)
        return function(*given, settings=in_force, **named)

    return by_settings  # type: ignore[return-value]


def is_default(context: click.Context, name: str) -> bool:
    """Tell whether an option has its value from the settings file or the environment."""
    return context.get_parameter_source(name) is click.core.ParameterSource.DEFAULT_MAP


def rulebook_options(function: Function) -> Function:
    """``-r/--rulebook`` and ``-s/--set``, as *rulebook* and *settings*."""
    function = by_settings(function)
    return click.option(
        "-r",
        "--rulebook",
        default="harr",
        show_default=True,
        metavar="NAME|FILE",
        shell_complete=complete_rulebook,
        help=f"{_RULEBOOKS} of your own.",
    )(settings_option()(function))


def several_rulebooks_options(function: Function) -> Function:
    """``-r/--rulebook``, which may be repeated, and ``-s/--set``, as *rulebooks* and *settings*."""
    function = by_settings(function)
    return click.option(
        "-r",
        "--rulebook",
        "rulebooks",
        multiple=True,
        default=("harr",),
        show_default=True,
        metavar="NAME|FILE",
        shell_complete=complete_rulebook,
        help=f"{_RULEBOOKS} of your own; several give a column each.",
    )(settings_option()(function))


def counters_options(function: Function) -> Function:
    """``--counters``, ``--pair-by-pair`` and ``--bank``, as *counters*, *pair_by_pair* and *bank*."""
    function = click.option("--bank", is_flag=True, help="The bank gives change too.")(function)
    function = click.option(
        "--pair-by-pair", is_flag=True, help="Hand over counters pair by pair, as the books do, not net."
    )(function)
    return click.option(
        "--counters",
        metavar="harr|babcock|FILE",
        shell_complete=complete_counters,
        help="Say which counters change hands.",
    )(function)


def format_option(
    *formats: str, what: str = "Text for people or JSON for programs."
) -> Callable[[Function], Function]:
    """``--format``, text for people being the default; *what* is its help."""
    return click.option(
        "--format",
        "output",
        type=click.Choice(("text", "json", *formats)),
        default="text",
        show_default=True,
        help=what,
    )


def pager_option(function: Function) -> Function:
    """``--no-pager``, which ``show_long`` asks for."""

    def remember(context: click.Context, parameter: click.Parameter, value: bool) -> None:
        context.meta["mjscore.no-pager"] = value

    return click.option(
        "--no-pager", is_flag=True, expose_value=False, callback=remember, help="Do not page what is long."
    )(function)


def show_long(text: str) -> None:
    """Print a text, page by page where it is longer than the terminal."""
    no_pager = click.get_current_context().meta.get("mjscore.no-pager")
    lines = shutil.get_terminal_size((100, 24)).lines
    if (
        no_pager
        or not sys.stdout.isatty()
        or os.environ.get("TERM") == "dumb"
        or text.count("\n") < lines - 1
    ):
        click.echo(text)
    else:
        click.echo_via_pager(text + "\n", color=coloured())


def byte_order_mark_option(function: Function) -> Function:
    """``--bom``, as *mark*."""
    return click.option(
        "--bom", "mark", is_flag=True, help="Begin CSV with the byte order mark that some spreadsheets want."
    )(function)


def round_option(what: str = "The round, where the hand does not say.") -> Callable[[Function], Function]:
    """``--round``, as *round_wind*; *what* is its help."""
    return click.option("--round", "round_wind", type=Wind(), metavar="E|S|W|N", help=what)


def place_options(function: Function) -> Function:
    """``--seat`` and ``--round``, for hands that do not say."""
    seat = click.option(
        "--seat", type=Wind(), metavar="E|S|W|N", help="The seat, where the hand does not say."
    )
    return seat(round_option()(function))


def tiles_option(function: Function) -> Function:
    """``--tiles``, as *tile_style*."""
    return click.option(
        "--tiles",
        "tile_style",
        type=click.Choice(("auto", "plain", "unicode", "boxed")),
        help="How to show the tiles in the terminal; else the environment's MJSCORE_TILES.",
    )(function)


def width() -> int:
    """Give the columns to print in: those of the terminal, at the most 100."""
    columns = shutil.get_terminal_size((100, 24)).columns
    return max(40, min(columns, 100))


def say_refusal(refusal: Refusal) -> None:
    """Print a refusal to standard error, wrapped by words where that is a terminal."""
    click.echo(refusal.render(message_width()), err=True)


def message_width() -> int | None:
    """Give the columns of the terminal that messages go to; None where they go elsewhere and stay whole."""
    return screen_width(sys.stderr)


def screen_width(stream: TextIO) -> int | None:
    """Give the columns of the terminal that *stream* goes to; None where it goes elsewhere."""
    if not stream.isatty() and not os.environ.get("COLUMNS"):
        return None
    return max(40, shutil.get_terminal_size((100, 24)).columns)


def coloured() -> bool:
    """Tell whether to colour: on a terminal only, and not where NO_COLOR is set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def takes_unicode() -> bool:
    """Tell whether the output takes any character; elsewhere JSON escapes them."""
    return (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "") in ("utf8", "utf16", "utf32")


def print_json(shown: Mapping[str, object]) -> None:
    """Print one object on one line."""
    from mjscore.page.json_text import json_line

    click.echo(json_line(shown, ascii_only=not takes_unicode()))


def end_refused(
    refusal: Refusal, output: str = "text", shown: Mapping[str, object] | None = None
) -> NoReturn:
    """End the program with status 2 and a refusal, in JSON too where that is asked for."""
    if output == "json":
        print_json(shown if shown is not None else {"error": refusal.as_json()})
    say_refusal(refusal)
    sys.exit(2)


def bound(rulebook: str, settings: tuple[tuple[str, str], ...], output: str = "text") -> Any:
    """Bind the rulebook to its settings; ends the program with status 2 where there is none such."""
    from mjscore.rulebook.binding import bind

    try:
        return bind(rulebook, dict(settings))
    except Refused as refused:
        end_refused(refused.refusal, output)


def unreadable(path: str) -> Refusal | None:
    """Tell why *path* cannot be read before it is: a folder, nothing, a link in a circle."""
    if path == "-":
        return None
    try:
        folder = stat.S_ISDIR(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return Refusal("unreadable", f"there is no file {path}", "look at its name and folder again")
    except OSError as error:
        return cannot_be_read(path, error)
    return Refusal("unreadable", f"{path} is a folder", "name a file") if folder else None


def check_folder(path: str, output: str = "text") -> None:
    """End the program where *path* is nothing that can be read."""
    refusal = unreadable(path)
    if refusal is not None:
        end_refused(refusal, output)


def end_unreadable(path: str, error: Exception, output: str = "text") -> NoReturn:
    """End the program where a file is there and cannot be read."""
    end_refused(cannot_be_read(path, error), output)


def cannot_be_read(path: str, error: Exception) -> Refusal:
    """That a file is there and cannot be read; the error may be about another one than *path*."""
    named = str(getattr(error, "filename", None) or path)
    reason = getattr(error, "strerror", None) or error
    return Refusal(
        "unreadable",
        f"{'standard input' if named == '-' else named} cannot be read: {reason}",
        "look at the file",
    )


def write_file(path: str, content: str | bytes, output: str = "text", new: bool = False) -> None:
    """Write *content*, whole or not at all, with *new* only where nothing is; ends the program where it cannot."""
    from pathlib import Path

    from mjscore.atomic import write_whole

    try:
        write_whole(Path(path), content.encode("utf-8") if isinstance(content, str) else content, new=new)
    except OSError as error:
        end_refused(
            Refusal(
                "unwritable",
                f"{visible(path)} cannot be written: {error.strerror or error}",
                "name a file that is not there yet"
                if isinstance(error, FileExistsError)
                else "name a file in a folder that you may write to",
            ),
            output,
        )


def write_drawing(path: str, drawing: str, as_png: bool, output: str = "text") -> None:
    """Write a drawing, as SVG or as PNG, and say so; ends the program where that cannot be."""
    from mjscore.page.png import png_of

    try:
        content = png_of(drawing) if as_png else drawing + "\n"
    except Refused as refused:
        end_refused(refused.refusal, output)
    write_file(path, content, output)
    click.echo(f"written: {visible(path)}", err=True)


def read_argument(
    text: str,
    books: Sequence[Rulebook],
    seat: str | None,
    round_wind: str | None,
    waiting: bool = False,
) -> Reading:
    """Read the hand that an argument means; of two readings, the one that some of *books* scores. Raises Refused.

    *waiting* asks for a hand of thirteen tiles instead.
    """
    from mjscore.notation.hands import read_hand

    return read_hand(text, worth=worth_by(books, seat, round_wind, waiting=waiting))


def worth_by(
    books: Sequence[Rulebook],
    seat: str | None,
    round_wind: str | None,
    people: People | None = None,
    waiting: bool = False,
) -> Worth:
    """Give the function that says what *books* score a hand, None where none does; it may name *people*."""
    from mjscore.scoring.checks import placed_hand
    from mjscore.scoring.scorer import score_hand

    def worth(hand: Hand) -> tuple[int | None, ...] | None:
        if waiting and (hand.win is not None or hand.tiles_over != 0):
            return None
        scores = []
        for book in books:
            try:
                scores.append(
                    score_hand(placed_hand(of_winds(hand, people), seat, round_wind), book).sheet.score
                )
            except Refused:
                scores.append(None)
        return None if scores.count(None) == len(scores) else tuple(scores)

    return worth


def of_winds(hand: Hand, people: People | None) -> Hand:
    """Give a hand with winds for the people whom it names."""
    if people is None or not people.players or hand.win is None:
        return hand
    from mjscore.record.lines import renamed_win

    return hand._replace(win=renamed_win(hand.win, {name: wind for wind, name in people.players.items()}))


def standard_input() -> Iterator[SourceLine]:
    """Read the lines of standard input that hold a hand, one by one, as those of a file."""
    from mjscore.record.source import is_blank, open_table, read_lines

    try:
        for line in read_lines(open_table("-"), "<stdin>"):
            if line.refusal is not None or not is_blank(line.text):
                yield line
    except OSError as error:
        end_unreadable("-", error)


def hand_on(line: SourceLine) -> str:
    """Give the hand on a line of standard input, without the comment behind it."""
    return line.text.partition("#")[0].rstrip()


def show_reading(reading: Reading) -> None:
    """Say how a loosely typed hand was read."""
    if reading.loosely:
        remarks = f"  ({'; '.join(reading.remarks)})" if reading.remarks else ""
        click.echo(f"read: {visible(reading.text)}{remarks}")


def seat_argument(word: str, people: People | None = None) -> str:
    """Find the wind that an argument names, in any case and by any beginning, or at which one of *people* sits; the word
    itself where it names none. Raises Refused where it is nobody among *people*.
    """
    from mjscore.notation.names import ANYBODY, nobody_called

    players = people.players if people is not None else {}
    named = (people or ANYBODY).seat(word)
    if named is None and players:
        raise nobody_called(word, players.values())
    return next((wind for wind, name in players.items() if name == named), named or word)
