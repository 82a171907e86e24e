"""What somebody always plays by, read from the settings file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import click

from mjscore.refusal import Place, Refused, refuse


class Settings(NamedTuple):
    """What the settings file says; None or empty what it leaves open. *path* is the file, empty where none is read.

    *options* hold where *rulebook* is played by, *languages* are those whose words are read besides English ones.
    """

    path: str = ""
    rulebook: str | None = None
    options: Mapping[str, str] = {}
    counters: str | None = None
    tiles: str | None = None
    players: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


def settings_path() -> str:
    """Give the settings file's path: that of MJSCORE_SETTINGS, none where it is empty, else where the system keeps such files."""
    named = os.environ.get("MJSCORE_SETTINGS")
    return os.path.join(click.get_app_dir("mjscore"), "settings.toml") if named is None else named


def read_settings() -> Settings:
    """Read the settings file. Raises Refused where something in it cannot be."""
    path = settings_path()
    try:
        status = os.stat(path) if path else None
    except (OSError, ValueError):
        status = None
    return _read(path, status.st_mtime_ns, status.st_size) if status is not None else Settings()


@lru_cache(maxsize=1)
def _read(path: str, *changed: int) -> Settings:
    from mjscore.rulebook.toml_places import read_document, read_text

    try:
        document = read_document(read_text(path, "bad-settings", "the settings file"), path)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise refuse("bad-settings", f"{path} cannot be read: {reason}", "look at the file") from None
    found: dict[str, Any] = {}
    for key, value in document.data.items():
        try:
            if key not in _READERS:
                raise ValueError(f"there is no setting {key[:40]!r}; the settings are {', '.join(_READERS)}")
            found[key] = _READERS[key](value, os.path.dirname(path))
        except ValueError as error:
            said = str(error).partition("; ")
            number = next((n for n, line in enumerate(document.lines, 1) if key in line), 1)
            line = document.lines[number - 1]
            place = Place(line, line.find(key), line.find(key) + len(key), number, path)
            raise refuse("bad-settings", said[0], said[2], at=place) from None
    return Settings(path, **found)


def _name(value: Any, folder: str, load: Callable[[str], object]) -> str:
    """Read the name of a rulebook or of a set of counters, which *load* finds; a file is named as seen from the settings."""
    if not isinstance(value, str) or not value:
        raise ValueError('it is a name or a file; write it in quotes: "harr"')
    name = os.path.join(folder, os.path.expanduser(value)) if value.endswith(".toml") else value
    try:
        load(name)
    except Refused as refused:
        raise ValueError(f"{refused.refusal.message}; {refused.refusal.hint}") from None
    return name


def _rulebook(value: Any, folder: str) -> str:
    from mjscore.rulebook.binding import read_rulebook

    return _name(value, folder, read_rulebook)


def _counters(value: Any, folder: str) -> str:
    from mjscore.counters.sets import load_counters

    return _name(value, folder, load_counters)


def _options(value: Any, folder: str) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(one, str | int) for one in value.values()):
        raise ValueError("options are names with their values; write below [options] limit = 500")
    return {key: ("off", "on")[one] if isinstance(one, bool) else str(one) for key, one in value.items()}


def _tiles(value: Any, folder: str) -> str:
    from mjscore.page.tiles import STYLES

    if value not in STYLES:
        raise ValueError(f"tiles cannot be {str(value)[:40]!r}; they are {', '.join(STYLES)}")
    return str(value)


def _names(value: Any, folder: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        raise ValueError('it is a list of names; write ["Ann", "Ben", "Cid", "Dee"]')
    return tuple(value)


def _languages(value: Any, folder: str) -> tuple[str, ...]:
    from mjscore.notation.vocabulary import LANGUAGES

    names = _names(value, folder)
    for name in names:
        if name not in LANGUAGES:
            raise ValueError(
                f"no words of a language {name[:40]!r} are known; known are {', '.join(LANGUAGES)}"
            )
    return names


_READERS: dict[str, Callable[[Any, str], Any]] = {
    "rulebook": _rulebook,
    "options": _options,
    "counters": _counters,
    "tiles": _tiles,
    "players": _names,
    "languages": _languages,
}


def settings_for_commands(settings: Settings) -> dict[str, Any]:
    """Give what options are where the command line leaves them out: by the environment, else by the settings."""
    rulebook = os.environ.get("MJSCORE_RULEBOOK") or settings.rulebook
    from mjscore.game.hand import quote_name

    found = {
        "rulebook": rulebook,
        "rulebooks": [rulebook] if rulebook else None,
        "counters": settings.counters,
        "tile_style": None if os.environ.get("MJSCORE_TILES") else settings.tiles,
        "players": " ".join(map(quote_name, settings.players)),
    }
    if settings.languages:
        from mjscore.notation.vocabulary import use_languages

        use_languages(settings.languages)
    return {name: value for name, value in found.items() if value}


def options_in_force(
    books: Sequence[str], typed: tuple[tuple[str, str], ...], settings: Settings
) -> tuple[tuple[str, str], ...]:
    """Give the options typed, and before them those of the settings where their own rulebook is played by."""
    if list(books) != [settings.rulebook or "harr"]:
        return typed
    given = {key for key, _ in typed}
    return (*((key, value) for key, value in settings.options.items() if key not in given), *typed)
