"""Options that have the same meaning in every command."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial, reduce, wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from mjscore.refusal import escape_controls

if TYPE_CHECKING:
    from mjscore.record.context import Context
    from mjscore.rulebook.rulebook import Rulebook

Function = TypeVar("Function", bound=Callable[..., Any])
NO_PAGER, REFUSED_IN = "mjscore.no-pager", "mjscore.refused-in"  # keys of click's context.meta
Pairs = tuple[tuple[str, str], ...]  # options of a rulebook with their values


def offered(what: str) -> Callable[..., Any]:
    """Return the completion function for *what*, e.g. ``file``; its module is loaded only for shells."""
    return lambda *given: getattr(import_module("mjscore.cli.completion"), f"complete_{what}")(*given)


def _pairs(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> Pairs:
    """Return texts like KEY=VALUE as pairs. Raises BadParameter."""
    pairs = []
    for value in values:
        key, equals, setting = value.partition("=")
        if not equals or not key.strip():
            raise click.BadParameter(f"{value!r} is not KEY=VALUE; type, for example, -s limit=600")
        pairs.append((key.strip(), setting.strip()))
    return tuple(pairs)


def _wind(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Return a wind's letter, typed so or as its name's beginning, or None. Raises BadParameter."""
    if value is None:
        return None
    from mjscore.notation.names import ANYBODY

    wind = ANYBODY.named(value)
    if wind is None:
        raise click.BadParameter(f"{value!r} is not a wind; type E, S, W or N, or a name such as east")
    return wind


class Rules(NamedTuple):
    """The rulebooks to use and their options in force; *typed* are those given on the command line."""

    names: tuple[str, ...]
    settings: Pairs
    typed: Pairs

    @property
    def name(self) -> str:
        """Return the name of the first rulebook."""
        return self.names[0]

    def book(self) -> Rulebook:
        """Return the first rulebook. Raises Refused."""
        return self.books()[0]

    def books(self) -> list[Rulebook]:
        """Return the rulebooks; if there are several, each gets the options that it knows. Raises Refused."""
        from mjscore.rulebook.binding import bind, read_rulebook

        if len(self.names) == 1:
            return [bind(self.name, dict(self.settings))]
        return [
            bind(name, {key: value for key, value in self.settings if key in read_rulebook(name).options})
            for name in self.names
        ]

    def context(self, round_wind: str | None = None) -> Context:
        """Return the context of a file's lines; a rulebook's own file is looked for in the current folder."""
        from mjscore.record.context import Context

        folder = os.getcwd() if self.name.endswith(".toml") else ""
        return Context(self.name, self.settings, round_wind, None, folder)


_WITHOUT_RULES = ("settings", "rules", "help", "explain")  # commands that score nothing


def _by_settings(function: Function, several: bool) -> Function:
    """Return a command that passes -r, -s and settings as *rules*, and prints what only settings say."""

    @wraps(function)
    def by_settings(*arguments: Any, settings: Pairs, rulebook: tuple[str, ...], **named: Any) -> Any:
        from mjscore.cli.settings_file import Settings, options_in_force, read_settings

        context = click.get_current_context()
        from_file = Settings() if context.command.name == "phone" else read_settings()
        books = rulebook if several else rulebook[-1:]
        in_force = options_in_force(books, settings, from_file)
        shown = []
        if from_settings(context, "rulebook"):
            by = " by MJSCORE_RULEBOOK" if os.environ.get("MJSCORE_RULEBOOK") else ""
            shown.append(f"rulebook {books[0]}{by}")
        shown += [f"{key} {value}" for key, value in in_force if (key, value) not in settings]
        shown += [f"{name} {named[name]}" for name in ("counters", "players") if from_settings(context, name)]
        if shown and context.command.name not in _WITHOUT_RULES:
            to_errors = named.get("output") != "text" or "-" in (named.get("page"), named.get("rows"))
            where = f" ({from_file.path})" if from_file.path else ""
            click.echo(escape_controls(f"settings: {', '.join(shown)}{where}"), err=to_errors)
        if context.command.name in _WITHOUT_RULES and rulebook and not from_settings(context, "rulebook"):
            Rules(books, settings, settings).books()  # refuse unknown rulebooks although nothing is scored
        return function(*arguments, rules=Rules(books, in_force, settings), **named)

    return by_settings  # type: ignore[return-value]


def from_settings(context: click.Context, name: str) -> bool:
    """Return whether an option's value comes from the settings file or the environment."""
    return context.get_parameter_source(name) is click.core.ParameterSource.DEFAULT_MAP


def _together(*options: Callable[[Any], Any]) -> Callable[[Function], Function]:
    """Return one decorator for several options, which help shows in this order."""
    return lambda function: reduce(lambda made, option: option(made), reversed(options), function)


settings_option = partial(
    click.option,
    *("-s", "--set", "settings"),
    metavar="KEY=VALUE",
    multiple=True,
    callback=_pairs,
    shell_complete=offered("setting"),
    help="Set an option of the rulebook; may be repeated.",
)


def rulebook_options(several: bool = False) -> Callable[[Function], Function]:
    """Return the options ``-r`` and ``-s``, passed as *rules*; with *several*, ``-r`` may be repeated."""
    more = "; several give one column each" if several else ""
    rulebook = click.option(
        *("-r", "--rulebook"),
        multiple=True,
        default=("harr",),
        show_default=True,
        metavar="NAME|FILE",
        shell_complete=offered("name"),
        help=f"harr, harr-limit, babcock, babcock-chinese, bmja, dmjl, or a TOML file of your own{more}.",
    )
    return _together(rulebook, settings_option(), lambda function: _by_settings(function, several))


counters_options = _together(
    click.option(
        "--counters",
        metavar="harr|babcock|FILE",
        shell_complete=offered("name"),
        help="Also say which counters change hands.",
    ),
    click.option(
        "--pair-by-pair", is_flag=True, help="Hand over counters pair by pair, as the books do, not net."
    ),
    click.option("--bank", is_flag=True, help="The bank gives change as well."),
)


column_options = _together(
    click.option("--column", metavar="NAME", help="The column of hands in a CSV or TSV, if not hand."),
    click.option("--expected", metavar="NAME", help="The column of expected scores, if not expected."),
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


_wind_option = partial(click.option, metavar="E|S|W|N", callback=_wind, shell_complete=offered("seat"))
round_option = partial(
    _wind_option, "--round", "round_wind", help="The round, if the hand does not name one."
)  # passed as *round_wind*
# for hands that do not name their seat or round
place_options = _together(
    _wind_option("--seat", help="The seat, if the hand does not name one."), round_option()
)


def format_option(
    *formats: str, what: str = "Text for people or JSON for programs.", refused_in_json: bool = True
) -> Callable[[Function], Function]:
    """Return the option ``--format``, passed as *output*; refusals are in JSON too if *refused_in_json*."""

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
