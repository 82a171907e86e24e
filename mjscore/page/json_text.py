"""Values as lines of JSON: the one writer of what ``score``, ``check`` and the others print for programs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from mjscore.scoring.sheet import as_object

_encoder = json.JSONEncoder(ensure_ascii=False)
_MOST_TEXTS = 1 << 14  # of one type, so that a long file cannot fill the memory


def json_line(members: Mapping[str, object], ascii_only: bool = False) -> str:
    """Write an object on a line, the values of tuples by their ``as_json``; with *ascii_only* other letters are
    escaped.

    Nearly all that score sheets hold are the same few items and sets, so their text is kept.
    """
    line = for_json(
        _template(tuple(members)) % tuple([_WRITERS[type(value)](value) for value in members.values()])
    )
    return json.dumps(json.loads(line)) if ascii_only and not line.isascii() else line


def for_json(text: str) -> str:
    """Escape control, bidirectional and invisible characters in a line of JSON; its values stay the same."""
    if text.isascii() and "\x7f" not in text:
        return text  # the encoder escapes what is below the space
    return "".join(
        letter if letter.isprintable() else json.encoder.encode_basestring_ascii(letter)[1:-1]
        for letter in text
    )


@lru_cache(maxsize=64)
def _template(keys: tuple[str, ...]) -> str:
    """Return an object of these keys, with a place for each value."""
    return "{" + ", ".join(f"{_encoder.encode(key).replace('%', '%%')}: %s" for key in keys) + "}"


class _Texts(dict[Any, str]):
    """The text of each item or set of one type that was written before."""

    def __missing__(self, part: Any) -> str:
        """Write an item that is new here."""
        if len(self) >= _MOST_TEXTS:
            self.clear()
        text = self[part] = _encoder.encode(as_object(part))
        return text


_texts: defaultdict[type, _Texts] = defaultdict(_Texts)


def _list(parts: tuple[Any, ...]) -> str:
    """Write items of one type."""
    return f"[{', '.join(map(_texts[type(parts[0])].__getitem__, parts))}]" if parts else "[]"


_WRITERS: dict[type, Callable[[Any], str]] = {
    int: int.__repr__,
    str: json.encoder.encode_basestring,
    tuple: _list,
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): lambda value: "null",
    dict: _encoder.encode,
    list: _encoder.encode,
}
