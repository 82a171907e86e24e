"""Writing values as lines of JSON, for all commands that print JSON."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from mjscore.scoring.sheet import as_object

_encoder = json.JSONEncoder(ensure_ascii=False)


def json_line(members: Mapping[str, object], ascii_only: bool = False) -> str:
    """Return an object as a line of JSON; *ascii_only* escapes all other characters.

    The JSON of the members of tuples is cached, since many score sheets have the same items.
    """
    line = for_json(
        _template(tuple(members)) % tuple([_WRITERS[type(value)](value) for value in members.values()])
    )
    return json.dumps(json.loads(line)) if ascii_only and not line.isascii() else line


def for_json(text: str) -> str:
    """Escape control, bidirectional and invisible characters in a line of JSON, without changing its values."""
    if text.isascii() and "\x7f" not in text:
        return text  # the encoder escapes control characters
    return "".join(
        letter if letter.isprintable() else json.encoder.encode_basestring_ascii(letter)[1:-1]
        for letter in text
    )


@lru_cache(maxsize=64)
def _template(keys: tuple[str, ...]) -> str:
    """Return a JSON object with these keys, and a placeholder for each value."""
    return "{" + ", ".join(f"{_encoder.encode(key).replace('%', '%%')}: %s" for key in keys) + "}"


@lru_cache(maxsize=1 << 14, typed=True)
def _text(part: Any) -> str:
    """Return an item or set as JSON."""
    return _encoder.encode(as_object(part))


_WRITERS: dict[type, Callable[[Any], str]] = {
    int: int.__repr__,
    str: json.encoder.encode_basestring,
    tuple: lambda parts: f"[{', '.join(map(_text, parts))}]",
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): lambda value: "null",
    dict: _encoder.encode,
    list: _encoder.encode,
}
