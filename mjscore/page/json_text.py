"""Values as lines of JSON: the one writer of what ``score``, ``check`` and the others print for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from mjscore.refusal import for_json

_encoder = json.JSONEncoder(ensure_ascii=False)


def json_line(members: Mapping[str, object], ascii_only: bool = False) -> str:
    """Write an object on a line, the values of tuples by their ``as_json``; with *ascii_only* other letters are
    escaped.

    Nearly all that score sheets hold are the same few items and sets, so their text is kept.
    """
    line = for_json(
        _template(tuple(members)) % tuple([_WRITERS[type(value)](value) for value in members.values()])
    )
    return json.dumps(json.loads(line)) if ascii_only and not line.isascii() else line


@lru_cache(maxsize=64)
def _template(keys: tuple[str, ...]) -> str:
    """Give an object of these keys, with a place for each value."""
    return "{" + ", ".join(f"{_encoder.encode(key).replace('%', '%%')}: %s" for key in keys) + "}"


def _list(values: tuple[Any, ...]) -> str:
    return f"[{', '.join(map(_part, values))}]" if values else "[]"


@lru_cache(maxsize=1 << 14)
def _part(part: Any) -> str:
    return _encoder.encode(part.as_json() if hasattr(part, "as_json") else part)


_WRITERS: dict[type, Callable[[Any], str]] = {
    int: int.__repr__,
    str: json.encoder.encode_basestring,
    tuple: _list,
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): lambda value: "null",
    dict: _encoder.encode,
    list: _encoder.encode,
}
