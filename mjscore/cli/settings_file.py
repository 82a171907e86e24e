"""The settings file, with the user's defaults."""

import os
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import click

from mjscore.refusal import Refused, did_you_mean, refuse


class Settings(NamedTuple):
    """The contents of the settings file *path* (empty if none was read); missing settings are None or empty.

    *options* belong to *rulebook*; *languages* are those whose words are understood besides English.
    """

    path: str = ""
    rulebook: str | None = None
    options: Mapping[str, str] = {}
    counters: str | None = None
    tiles: str | None = None
    players: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


_KEYS = Settings._fields[1:]


def settings_path() -> str:
    """Return the path in MJSCORE_SETTINGS (which may be empty), or else the usual one on this system."""
    named = os.environ.get("MJSCORE_SETTINGS")
    return os.path.join(click.get_app_dir("mjscore"), "settings.toml") if named is None else named


def read_settings() -> Settings:
    """Return what the settings file contains, nothing if there is none. Raises Refused for a mistake."""
    path = settings_path()
    try:
        status = os.stat(path) if path else None
    except (OSError, ValueError):
        status = None
    return _read(path, status.st_mtime_ns, status.st_size) if status is not None else Settings()


@lru_cache(maxsize=1)
def _read(path: str, *changed: int) -> Settings:
    from mjscore.rulebook.toml_places import read_file

    large, unread = ("bad-settings", "large"), ("bad-settings", "unread")
    document = read_file(path, "the settings file", large, unread)
    values = {}
    for key, value in document.data.items():
        try:
            values[key] = _checked(key, value, os.path.dirname(path))
        except Refused as refused:
            refusal = refused.unshown._replace(code="bad-settings", column=None)
            raise document.at().moved(key, Refused(refusal)) from None
    return Settings(path, **values)


def _checked(key: str, value: Any, folder: str) -> Any:
    """Return the checked value of the setting *key*; *folder* completes a file's path. Raises Refused."""
    from mjscore.counters.counter_sets import load_counters
    from mjscore.notation.vocabulary import LANGUAGES
    from mjscore.page.tile_styles import STYLES
    from mjscore.rulebook.binding import read_rulebook

    if key not in _KEYS:
        near = did_you_mean(key, _KEYS, f"the settings are {', '.join(_KEYS)}")
        raise refuse("bad-settings", "unknown", key=key[:40], near=near)
    listed = isinstance(value, list) and all(isinstance(one, str) and one for one in value)
    match key, value:
        case "options", dict() if all(isinstance(one, str | int) for one in value.values()):
            return {
                name: ("off", "on")[one] if isinstance(one, bool) else str(one) for name, one in value.items()
            }
        case "rulebook" | "counters", str() if value:
            name = os.path.join(folder, os.path.expanduser(value)) if value.endswith(".toml") else value
            (read_rulebook if key == "rulebook" else load_counters)(name)
            return name
        case ("players" | "languages", list()) | ("tiles", str()) if listed or isinstance(value, str):
            known = {"languages": LANGUAGES, "tiles": STYLES}.get(key)
            for word in value if listed else [value]:
                if known is not None and word not in known:
                    raise refuse("bad-settings", "word", key=key, word=word[:40], known=", ".join(known))
            return tuple(value) if listed else value
    raise refuse("bad-settings", key)


def settings_for_commands(settings: Settings) -> dict[str, Any]:
    """Return options' defaults by MJSCORE_RULEBOOK and *settings*; put the settings' languages to use."""
    rulebook = os.environ.get("MJSCORE_RULEBOOK") or settings.rulebook
    from mjscore.game.hand import quote_name

    defaults = {
        "rulebook": rulebook and [rulebook],
        "counters": settings.counters,
        "tile_style": None if os.environ.get("MJSCORE_TILES") else settings.tiles,
        "players": " ".join(map(quote_name, settings.players)),
    }
    if settings.languages or "mjscore.notation.vocabulary" in sys.modules:
        from mjscore.notation.vocabulary import use_languages

        use_languages(settings.languages)
    return {name: value for name, value in defaults.items() if value}


def options_in_force(
    books: Sequence[str], typed: tuple[tuple[str, str], ...], settings: Settings
) -> tuple[tuple[str, str], ...]:
    """Return the settings' options (if just their rulebook is used) and the *typed* ones, which prevail."""
    if not settings.options:
        return typed
    from mjscore.rulebook.entries import rulebook_called

    if [rulebook_called(book) for book in books] != [rulebook_called(settings.rulebook or "harr")]:
        return typed
    keys = {key for key, _ in typed}
    return (*((key, value) for key, value in settings.options.items() if key not in keys), *typed)
