"""TOML files with places: which line an entry or a key stands on."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from mjscore.refusal import refuse


class Document(NamedTuple):
    """A TOML file: its data, its lines, and where it came from. *change* names a [change.…] table."""

    data: Mapping[str, Any]
    lines: tuple[str, ...]
    path: str
    change: str = ""


_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_PLACE = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)")


def read_document(text: str, path: str) -> Document:
    """The document *text*; raises Refused with line and column where it is no TOML."""
    import tomllib

    lines = tuple(text.split("\n"))
    try:
        return Document(tomllib.loads(text), lines, path)
    except tomllib.TOMLDecodeError as error:
        reason = str(error)
        match = _PLACE.search(reason)
        line = int(match.group(1)) if match and match.group(1) else len(lines)
        column = int(match.group(2)) if match and match.group(2) else 1
        message = _PLACE.sub("", reason).strip()
    except RecursionError:
        line, column, message = 1, 1, "brackets are nested too deeply"
    raise refuse(
        "bad-toml",
        f"the file is no TOML: {message[:1].lower() + message[1:]}",
        'an entry is [[double]], then lines such as title = "…" and doubles = 1',
        line,
        column,
        1,
        lines[min(line, len(lines)) - 1],
        path,
    )


def place_of(document: Document, section: str, index: int | None, key: str) -> tuple[int, int, str]:
    """Line, column and text of *key* in a table (the *index*-th of a section), or of the table's header.

    An entry that was changed is looked for in its [change.…] table.
    """
    wanted = f"change.{document.change}" if document.change else section
    number = None if document.change else index
    current, count = "", -1
    header: tuple[int, int, str] | None = (1, 1, document.lines[0]) if not wanted else None
    for place, line in enumerate(document.lines, 1):
        match = _HEADER.match(line)
        if match:
            current = match.group(2).replace('"', "")
            if match.group(1) == "[[" and current == wanted:
                count += 1
            if current == wanted and (number is None or count == number):
                header = (place, line.index("[") + 1, line)
            continue
        if current == wanted and (number is None or count == number) and key:
            found = re.match(rf'\s*"?{re.escape(key)}"?\s*=', line)
            if found:
                return place, len(line) - len(line.lstrip()) + 1, line
    return header or (1, 1, document.lines[0])
