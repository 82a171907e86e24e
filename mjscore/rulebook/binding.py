"""Rulebooks: data files read, checked, joined with those they extend, and bound to a table's options.

A rulebook is a TOML file. Every set value, bonus, double, limit hand, special hand and settling rule is an entry with
an id, a title, a source and usually a condition. ``read_rulebook`` returns the entries as written; ``bind`` settles
the options and compiles the conditions.
"""

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from mjscore.notation.cache import cached_on_disk
from mjscore.notation.parsers import grammar_text
from mjscore.refusal import Faults
from mjscore.rulebook.entries import RULEBOOKS, Definition, rulebook_called
from mjscore.rulebook.rulebook import Rulebook
from mjscore.system import current_folder


def read_rulebook(name: str, folder: str = "") -> Definition:
    """Return the rulebook *name*: a shipped one, or a TOML file, relative to *folder*.

    Raises Refused if it is unknown or malformed, or extends itself.
    """
    name = rulebook_called(name)
    return _shipped(name) if name in RULEBOOKS else _read(current_folder(), name, folder)


@lru_cache(maxsize=len(RULEBOOKS))
def _shipped(name: str) -> Definition:
    return cached_on_disk(f"{name}.toml", _sources, lambda: _read_anew(name, ""))


@lru_cache(maxsize=64)
def _read(here: str, name: str, folder: str) -> Definition:
    """Read a file; *here*, the current folder, is part of the cache's key, since file names are relative to it."""
    return _read_anew(name, folder)


def _read_anew(name: str, folder: str) -> Definition:
    # the loader is imported only if the rulebook is not in the cache
    from mjscore.rulebook.loading import read

    return read(name, folder, (), read_rulebook, Faults())


def _sources() -> list[bytes]:
    """Return the contents of all files that a shipped rulebook depends on. Raises OSError if they are not files."""
    here = os.path.dirname(__file__)
    contents = [grammar_text(name).encode() for name in ("condition.lark", "shape.lark")]
    for folder in (here, os.path.join(here, "books"), os.path.join(os.path.dirname(here), "game")):
        for name in sorted(os.listdir(folder)):
            if name.endswith((".py", ".toml")):
                with open(os.path.join(folder, name), "rb") as stream:
                    contents.append(stream.read())
    return contents


@lru_cache(maxsize=128)
def _bound(definition: Definition, settings: tuple[tuple[str, str], ...]) -> Rulebook:
    return Rulebook(definition, dict(settings))


def bind(
    name: str, settings: Mapping[str, Any] | None = None, folder: str = "", *, as_it_is_now: bool = False
) -> Rulebook:
    """Return the rulebook *name*, bound to *settings* (option names to values). Raises Refused.

    A file is read only once in a process, so that an evening keeps the rules with which it began; with
    *as_it_is_now*, all files are read again if this one, or one that it extends, has changed since.
    """
    plain = tuple(sorted((key, str(value)) for key, value in settings.items())) if settings else ()
    definition = read_rulebook(name, folder)
    if as_it_is_now and not definition.is_unchanged():
        _read.cache_clear()
        definition = read_rulebook(name, folder)
    return _bound(definition, plain)


def rulebook_of(rulebook: str | Rulebook, options: Mapping[str, object] | None) -> Rulebook:
    """Return the rulebook, with *options* set besides its own settings, or in their place. Raises Refused."""
    if isinstance(rulebook, Rulebook):
        return Rulebook(rulebook.definition, {**rulebook.settings, **options}) if options else rulebook
    return bind(rulebook, options, as_it_is_now=True)


def forget_rulebooks() -> None:
    """Empty the cache of files, so that changed ones are read again; shipped rulebooks stay."""
    _read.cache_clear()
