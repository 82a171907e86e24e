"""Options that mean the same in every command, and what commands share in reading and printing."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TextIO, TypeVar

import click

from mjscore.cli.completion import complete_name, complete_seat, complete_setting
from mjscore.cli.streams import is_unicode
from mjscore.refusal import Refusal, Refused, escape_controls, refuse, whole

if TYPE_CHECKING:
    from mjscore.game.hand import Hand
    from mjscore.notation.hand_builder import Worth
    from mjscore.notation.reading import Reading
    from mjscore.page.text import Style
    from mjscore.record.context import Context, State
    from mjscore.record.source import SourceLine
    from mjscore.record.spreadsheet import Sheet
    from mjscore.rulebook.rulebook import Rulebook

Found = TypeVar("Found")
Function = TypeVar("Function", bound=Callable[..., Any])
NO_PAGER, REFUSED_IN = "mjscore.no-pager", "mjscore.refused-in"  # what a context of click keeps for us
Pairs = tuple[tuple[str, str], ...]  # options of a rulebook with their values


def _pairs(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> Pairs:
    """Return what is typed as KEY=VALUE."""
    pairs = []
    for value in values:
        key, equals, setting = value.partition("=")
        if not equals or not key.strip():
            raise click.BadParameter(f"{value!r} is no KEY=VALUE; type for instance -s limit=600")
        pairs.append((key.strip(), setting.strip()))
    return tuple(pairs)


def _wind(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Return the wind that is typed, in any case, by its letter or any beginning of its name."""
    if value is None:
        return None
    from mjscore.notation.names import ANYBODY

    wind = ANYBODY.named(value)
    if wind is None:
        raise click.BadParameter(f"{value!r} is not a wind; type E, S, W or N, or a name such as east")
    return wind


class Rules(NamedTuple):
    """The rulebooks to go by and their options in force; *typed* are those options that the command line has."""

    names: tuple[str, ...]
    settings: Pairs
    typed: Pairs

    @property
    def name(self) -> str:
        """Return the rulebook's name, where there is one."""
        return self.names[0]

    def book(self) -> Rulebook:
        """Return the rulebook. Raises Refused."""
        return self.books()[0]

    def books(self) -> list[Rulebook]:
        """Return the rulebooks; beside each other, an option is set where one has it. Raises Refused."""
        from mjscore.rulebook.binding import bind, read_rulebook

        if len(self.names) == 1:
            return [bind(self.name, dict(self.settings))]
        return [
            bind(name, {key: value for key, value in self.settings if key in read_rulebook(name).options})
            for name in self.names
        ]

    def context(self, round_wind: str | None = None) -> Context:
        """Return the context of a file's lines: a rulebook's file is named as seen from here."""
        from mjscore.record.context import Context

        folder = os.getcwd() if self.name.endswith(".toml") else ""
        return Context(self.name, self.settings, round_wind, None, folder)


_WITHOUT_RULES = ("settings", "rules", "help", "explain")  # commands that score nothing


def _by_settings(function: Function, several: bool) -> Function:
    """Have a command go by the options of the settings file too, as *rules*, and say which settings decided."""

    @wraps(function)
    def by_settings(*given: Any, settings: Pairs, rulebook: tuple[str, ...], **named: Any) -> Any:
        from mjscore.cli.settings_file import Settings, options_in_force, read_settings

        context = click.get_current_context()
        found = Settings() if context.command.name == "phone" else read_settings()
        books = rulebook if several else rulebook[-1:]
        in_force = options_in_force(books, settings, found)
        said = []
        if from_settings(context, "rulebook"):
            by = " by MJSCORE_RULEBOOK" if os.environ.get("MJSCORE_RULEBOOK") else ""
            said.append(f"rulebook {books[0]}{by}")
        said += [f"{key} {value}" for key, value in in_force if (key, value) not in settings]
        said += [f"{name} {named[name]}" for name in ("counters", "players") if from_settings(context, name)]
        if said and context.command.name not in _WITHOUT_RULES:
            to_errors = named.get("output") != "text" or "-" in (named.get("page"), named.get("rows"))
            where = f" ({found.path})" if found.path else ""
            click.echo(escape_controls(f"settings: {', '.join(said)}{where}"), err=to_errors)
        if context.command.name in _WITHOUT_RULES and rulebook and not from_settings(context, "rulebook"):
            Rules(books, settings, settings).books()  # what is typed is never passed over
        return function(*given, rules=Rules(books, in_force, settings), **named)

    return by_settings  # type: ignore[return-value]


def from_settings(context: click.Context, name: str) -> bool:
    """Return whether an option has its value from the settings file or the environment."""
    return context.get_parameter_source(name) is click.core.ParameterSource.DEFAULT_MAP


def _together(*options: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """Return several options as one decorator; help shows them in this order."""
    return lambda function: reduce(lambda made, option: option(made), reversed(options), function)


settings_option = partial(
    click.option,
    *("-s", "--set", "settings"),
    metavar="KEY=VALUE",
    multiple=True,
    callback=_pairs,
    shell_complete=complete_setting,
    help="Set an option of the rulebook; may be repeated.",
)


def rulebook_options(several: bool = False) -> Callable[[Function], Function]:
    """``-r`` and ``-s``, as *rules*, with *several* rulebooks where that is wanted."""
    more = "; several give a column each" if several else ""
    rulebook = click.option(
        *("-r", "--rulebook"),
        multiple=True,
        default=("harr",),
        show_default=True,
        metavar="NAME|FILE",
        shell_complete=complete_name,
        help=f"harr, harr-limit, babcock, babcock-chinese, bmja, dmjl, or a TOML file of your own{more}.",
    )
    return _together(rulebook, settings_option(), lambda function: _by_settings(function, several))


counters_options = _together(
    click.option(
        "--counters",
        metavar="harr|babcock|FILE",
        shell_complete=complete_name,
        help="Also say which counters change hands.",
    ),
    click.option(
        "--pair-by-pair", is_flag=True, help="Hand over counters pair by pair, as the books do, not net."
    ),
    click.option("--bank", is_flag=True, help="The bank gives change as well."),
)


column_options = _together(
    click.option("--column", metavar="NAME", help="The column of hands in a CSV or TSV, if not hand."),
    click.option("--expected", metavar="NAME", help="The column of what they should score, if not expected."),
)
byte_order_mark_option = click.option(
    "--bom",
    "mark",
    is_flag=True,
    help="Begin CSV with the byte order mark that some spreadsheets need; always done on Windows.",
)
tiles_option = click.option(
    "--tiles",
    "tile_style",
    type=click.Choice(("auto", "plain", "unicode", "boxed")),
    help="How to show tiles in the terminal; defaults to MJSCORE_TILES in the environment.",
)
pager_option = click.option(
    "--no-pager",
    is_flag=True,
    expose_value=False,
    callback=lambda context, parameter, value: context.meta.update({NO_PAGER: value}),
    help="Do not page long output.",
)


_wind_option = partial(click.option, metavar="E|S|W|N", callback=_wind, shell_complete=complete_seat)
round_option = partial(
    _wind_option, "--round", "round_wind", help="The round, if the hand does not name one."
)  # as *round_wind*
# for hands that do not say
place_options = _together(
    _wind_option("--seat", help="The seat, if the hand does not name one."), round_option()
)


def format_option(
    *formats: str, what: str = "Text for people or JSON for programs.", refused_in_json: bool = True
) -> Callable[[Function], Function]:
    """``--format``, text for people being the default, as *output*; *what* is its help.

    A command that has it may raise Refused: the program ends then with status 2, and says so in JSON too.
    """

    def noted(context: click.Context, parameter: click.Parameter, value: str) -> str:
        context.meta[REFUSED_IN] = value if refused_in_json else "text"
        return value

    return click.option(
        "--format",
        "output",
        type=click.Choice(("text", "json", *formats)),
        default="text",
        show_default=True,
        callback=noted,
        help=what,
    )


def show_long(text: str) -> None:
    """Print a text, page by page where it is longer than the terminal."""
    no_pager = click.get_current_context().meta.get(NO_PAGER)
    if no_pager or not on_terminal() or text.count("\n") < shutil.get_terminal_size((100, 24)).lines - 1:
        click.echo(text)
    else:
        click.echo_via_pager(text + "\n", color=coloured())


def width() -> int:
    """Return the columns to print in: those of the terminal, at the most 100."""
    return max(40, min(shutil.get_terminal_size((100, 24)).columns, 100))


def on_terminal() -> bool:
    """Return whether what is printed goes to a terminal that can do more than print."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def coloured() -> bool:
    """Return whether to colour: on a terminal only, and unless NO_COLOR is set."""
    return on_terminal() and not os.environ.get("NO_COLOR")


def style() -> Style:
    """Return the style in which text for people is printed."""
    from mjscore.page.text import Style

    return Style(width(), coloured())


def message_width(stream: TextIO | None = None) -> int | None:
    """Return the columns of the terminal that messages go to, or *stream*; None where they go elsewhere and stay whole."""
    if not (stream or sys.stderr).isatty() and not os.environ.get("COLUMNS"):
        return None
    return max(40, shutil.get_terminal_size((100, 24)).columns)


def say_refusal(refusal: Refusal) -> None:
    """Print a refusal to standard error, wrapped by words where that is a terminal."""
    click.echo(refusal.render(message_width()), err=True)


def takes_unicode() -> bool:
    """Return whether the output takes any character; elsewhere JSON escapes them."""
    return is_unicode(getattr(sys.stdout, "encoding", ""))


def print_json(*shown: Mapping[str, object]) -> None:
    """Print objects, each on a line."""
    from mjscore.page.json_text import json_line

    for one in shown:
        click.echo(json_line(one, ascii_only=not takes_unicode()))


def end_refused(
    refusal: Refusal, output: str = "text", shown: Mapping[str, object] | None = None
) -> NoReturn:
    """End the program with status 2 and a refusal, in JSON too where that is asked for."""
    if output == "json":
        print_json(shown if shown is not None else {"error": refusal.as_json()})
    say_refusal(refusal)
    sys.exit(2)


def check_readable(path: str) -> None:
    """Raise Refused for what cannot be read, before it is: a folder, nothing, a link in a circle."""
    try:
        if path == "-" or not stat.S_ISDIR(os.stat(path).st_mode):
            return
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise refuse("unreadable", "missing", path=path) from None
    except OSError as error:
        raise unreadable(path, error) from None
    raise refuse("unreadable", "folder", path=path)


def source_of(path: str, column: str | None, expected: str | None) -> str | Sheet:
    """Return a file's path, or what it holds if it is a spreadsheet. Raises Refused."""
    from mjscore.record.spreadsheet import read_sheet

    check_readable(path)
    try:
        return read_sheet(path, column, expected) or path
    except OSError as error:
        raise unreadable(path, error) from None


def readable(path: str, found: Iterable[Found]) -> Iterator[Found]:
    """Pass on what is found in a file. Raises Refused where it cannot be read, or no further."""
    check_readable(path)
    try:
        yield from found
    except (OSError, EOFError) as error:
        raise unreadable(path, error) from None


def unreadable(path: str, error: Exception) -> Refused:
    """Return the refusal of a file that is there and cannot be read; the error may be about another one than *path*."""
    named = str(getattr(error, "filename", None) or path)
    reason = getattr(error, "strerror", None) or error
    return refuse("unreadable", "damaged", path="standard input" if named == "-" else named, reason=reason)


def write_file(path: str, content: str | bytes, new: bool = False, said: bool = False) -> None:
    """Write *content*, whole or not at all, with *new* only where nothing is; say so where it is to be *said*.

    Raises Refused.
    """
    from pathlib import Path

    from mjscore.atomic import write_whole

    try:
        write_whole(Path(path), content.encode("utf-8") if isinstance(content, str) else content, new=new)
    except OSError as error:
        kind = "taken" if isinstance(error, FileExistsError) else "closed"
        raise refuse("unwritable", kind, path=escape_controls(path), reason=error.strerror or error) from None
    if said:
        click.echo(f"written: {escape_controls(path)}", err=True)


def write_drawing(path: str, drawing: str, as_png: bool, instead: str = "as SVG: --svg hand.svg") -> None:
    """Write a drawing, as SVG or as PNG, and say so. Raises Refused, with what to do *instead* where there can be no PNG."""
    from mjscore.page.png import png_of

    write_file(path, png_of(drawing, instead) if as_png else drawing + "\n", said=True)


class TypedHand(NamedTuple):
    """A hand that is typed, or why it cannot be read, or None in a row that has none; how it was read, and on standard input its *line*.

    In a spreadsheet it has the *state* in which it is read, and other *cells*.
    """

    given: Hand | Refusal | None
    reading: Reading | None = None
    line: SourceLine | None = None
    state: State | None = None
    cells: Mapping[str, str] = {}

    def hand(self, seat: str | None, round_wind: str | None) -> Hand:
        """Return the hand at its place. Raises Refused."""
        from mjscore.scoring.checks import placed_hand

        assert self.given is not None
        if isinstance(self.given, Refusal):
            raise Refused(self.given)
        if self.state is not None:
            seat, round_wind = self.state.context.seat or seat, self.state.context.round or round_wind
        return placed_hand(self.given, seat, round_wind)

    def placed(self, refusal: Refusal) -> Refusal:
        """Return a refusal of the hand with its place in what was typed."""
        if self.reading is not None:
            refusal = self.reading.placed(refusal)
        if self.line is not None:
            from mjscore.record.checker import placed

            return placed(refusal, "<stdin>" if self.state is None else self.state.file, self.line)
        return refusal

    def books(self, books: list[Rulebook]) -> list[Rulebook]:
        """Return the rulebooks to go by: *books*, or the one that its row names in place of one. Raises Refused."""
        if self.state is None or len(books) > 1:
            return books
        return [self.state.context.book()]

    def members(self) -> dict[str, object]:
        """Return what JSON says of how it was read."""
        return {"read": self.reading.text} if self.reading is not None and self.reading.loosely else {}


def typed_hands(
    arguments: Iterable[str | Sheet],
    books: Sequence[Rulebook],
    seat: str | None,
    round_wind: str | None,
    waiting: bool = False,
    context: Context | None = None,
) -> Iterator[TypedHand]:
    """Return the hands that arguments mean; ``-`` stands for the lines of standard input that hold one, read as those of a file.

    Of two readings of an argument the one that some of *books* scores is meant. *waiting* asks for thirteen tiles instead.
    """
    from mjscore.notation.hands import read_hand
    from mjscore.record.source import is_blank, open_table, read_lines
    from mjscore.record.spreadsheet import Sheet

    worth = worth_by(books, seat, round_wind, waiting)
    for text in arguments:
        if isinstance(text, Sheet):
            assert context is not None
            yield from _typed_rows(text, context)
            continue
        try:
            if text != "-":
                reading = read_hand(text, worth=worth)
                yield TypedHand(reading.hand, reading)
                continue
            for line in read_lines(open_table("-"), "<stdin>"):
                if line.refusal is not None:
                    yield TypedHand(line.refusal, None, line)
                elif not is_blank(line.text):
                    yield strictly_typed(line.text.partition("#")[0].rstrip(), line)
        except Refused as refused:
            if text.endswith((".mj", ".csv", ".tsv")) or os.path.isfile(text):
                yield TypedHand(
                    refuse("unknown-character", "file", at=whole(text), path=escape_controls(text)).refusal
                )
            else:
                yield TypedHand(refused.refusal)
        except OSError as error:
            raise unreadable("-", error) from None


def _typed_rows(sheet: Sheet, context: Context) -> Iterator[TypedHand]:
    """Return the hands of a spreadsheet."""
    from mjscore.batch.results import CSV_COLUMNS
    from mjscore.record.context import State
    from mjscore.record.source import SourceLine
    from mjscore.record.spreadsheet import check_row, state_at

    layout, before = sheet.layout, State.before(sheet.path, context)
    results = set(CSV_COLUMNS) - layout.others(CSV_COLUMNS)
    for row in sheet.rows:
        line, state = SourceLine(row.number, layout.cell("hand", row)), before
        typed = TypedHand(None)
        try:
            check_row(layout, row, sheet.path)
            state = state_at(layout, row, before)
            state.context.book()
            typed = strictly_typed(line.text, line) if line.text else typed
        except Refused as refused:
            typed = TypedHand(refused.refusal, None, line)
        yield typed._replace(state=state, cells=layout.kept(row, results))


def strictly_typed(text: str, line: SourceLine | None = None) -> TypedHand:
    """Read a hand in the notation, which stands in a *line* of standard input."""
    from mjscore.notation.hands import parse_reading

    try:
        reading = parse_reading(text)
    except Refused as refused:
        return TypedHand(refused.refusal, None, line)
    return TypedHand(reading.hand, reading, line)


def worth_by(
    books: Sequence[Rulebook], seat: str | None, round_wind: str | None, waiting: bool = False
) -> Worth:
    """Return the function that says what *books* score a hand, None where none does."""
    from mjscore.scoring.waits import worth

    def worth_in_all(hand: Hand) -> tuple[int | None, ...] | None:
        if waiting and (hand.win is not None or hand.tiles_over != 0):
            return None
        scores = tuple(worth(hand, book, seat, round_wind) for book in books)
        return scores if any(score is not None for score in scores) else None

    return worth_in_all


def show_reading(reading: Reading | None) -> None:
    """Say how a loosely typed hand was read."""
    if reading is not None and reading.loosely:
        remarks = f"  ({'; '.join(reading.remarks)})" if reading.remarks else ""
        click.echo(f"read: {escape_controls(reading.text)}{remarks}")
