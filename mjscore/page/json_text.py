"""Values as lines of JSON: the one writer of what ``score``, ``check`` and the others print for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from mjscore.refusal import for_json

_encoder = json.JSONEncoder(ensure_ascii=False)
_quoted = json.encoder.encode_basestring
_CONSTANTS = {None: "null", True: "true", False: "false"}


def json_line(members: Mapping[str, object], ascii_only: bool = False) -> str:
    """Write an object on a line, the values of tuples by their ``as_json``; with *ascii_only* other letters are escaped.

    Nearly all that score sheets hold are the same few items and sets, so their text is kept.
    """
    line = for_json("{" + ", ".join([f'"{key}": {_written(value)}' for key, value in members.items()]) + "}")
    return json.dumps(json.loads(line)) if ascii_only and not line.isascii() else line


def _written(value: Any) -> str:
    kind = type(value)
    if kind is int:
        return str(value)
    if kind is str:
        return _quoted(value)
    if kind is tuple:
        return f"[{', '.join(map(_part, value))}]" if value else "[]"
    if value is None or kind is bool:
        return _CONSTANTS[value]
    return _encoder.encode(value)


@lru_cache(maxsize=1 << 14)
def _part(part: Any) -> str:
    return _encoder.encode(part.as_json() if hasattr(part, "as_json") else part)
