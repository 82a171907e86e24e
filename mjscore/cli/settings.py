"""``mjscore settings``: the defaults in force, and where each comes from."""

import os
from typing import Any

import click

from mjscore.cli import options, printing
from mjscore.cli.settings_file import read_settings, settings_path
from mjscore.page.tables import tabulated
from mjscore.refusal import escape_controls


@click.command(name="settings")
@options.rulebook_options()
@options.format_option()
@click.pass_context
def command(context: click.Context, rules: options.Rules, output: str) -> None:
    """Show the defaults in force and where each comes from; an .mj file may override them.

    \b
    The settings file is TOML, and every line is optional:
      rulebook = "babcock"            # a name, or a file of your own
      counters = "babcock"            # which counters settle and play hand over
      tiles = "unicode"               # auto, plain, unicode, boxed
      players = ["Ann", "Ben", "Cid", "Dee"]   # of a new evening
      languages = ["de"]              # understood besides English
      [options]                       # of that rulebook
      limit = 500
    """
    settings = read_settings()
    of_tiles = os.environ.get("MJSCORE_TILES")
    origin = "MJSCORE_RULEBOOK" if os.environ.get("MJSCORE_RULEBOOK") else "the file"
    source = context.get_parameter_source("rulebook")
    if source is not click.core.ParameterSource.DEFAULT_MAP:
        origin = "mjscore" if source is click.core.ParameterSource.DEFAULT else "the command line"
    rows: list[tuple[str, Any, str]] = [("rulebook", rules.name, origin)]
    for pair in rules.settings:
        rows.append((f"option {pair[0]}", pair[1], "the command line" if pair in rules.typed else "the file"))
    for key in ("counters", "tiles", "players", "languages"):
        if key == "tiles" and of_tiles:
            rows.append((key, of_tiles, "MJSCORE_TILES"))
        elif getattr(settings, key):
            rows.append((key, getattr(settings, key), "the file"))
    path = settings_path()
    if output == "json":
        counting = {name: {"value": value, "from": origin} for name, value, origin in rows}
        printing.print_json({"path": path or None, "read": bool(settings.path), "settings": counting})
        return
    missing = " (there is no such file)" if path and not settings.path else ""
    click.echo(f"{escape_controls(path) or 'no file'}{missing}\n")
    shown = [
        (name, ", ".join(value) if isinstance(value, tuple) else value, origin)
        for name, value, origin in rows
    ]
    click.echo(tabulated(["", "", "from"], shown, "lll", printing.style()))
