"""TOML files with places: which line an entry or a key stands on."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from mjscore.refusal import Refused, refuse


class Document(NamedTuple):
    """A TOML file: its data, its lines, and where it came from."""

    data: Mapping[str, Any]
    lines: tuple[str, ...]
    path: str


class Place(NamedTuple):
    """A table of a TOML file: its head, the *number*-th entry (from 0) of a section, or ``change.NAME``."""

    document: Document
    section: str = ""
    number: int | None = None

    def find(self, key: str) -> tuple[int, int, str]:
        """Line, column and text of *key* in the table, or of the table's header."""
        lines = self.document.lines
        current, count = "", -1
        header = (1, 1, lines[0])
        for line_number, line in enumerate(lines, 1):
            match = re.match(_HEADER, line)
            if match:
                current = match.group(2).replace('"', "")
                if match.group(1) == "[[" and current == self.section:
                    count += 1
            if current != self.section or self.number not in (None, count):
                continue
            if match:
                header = (line_number, line.index("[") + 1, line)
            elif key and re.match(rf'\s*"?{re.escape(key)}"?\s*=', line):
                return line_number, len(line) - len(line.lstrip()) + 1, line
        return header

    def refused(
        self,
        key: str,
        code: str,
        message: str,
        hint: str,
        column: int | None = None,
        length: int | None = None,
    ) -> Refused:
        """A refusal at *key*, or at the table's header; *column* counts in the text that is the key's value."""
        line, start, text = self.find(key)
        if column is not None:
            quotes = [place for place in (text.find('"', start - 1), text.find("'", start - 1)) if place >= 0]
            if quotes and key in text[: min(quotes) + 1]:
                start = min(quotes) + 1 + column
        mark = length or max(1, len(key))
        return refuse(code, message, hint, line, start, mark, text, self.document.path)


# compiled where they are first needed: only for what is refused
_HEADER = r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$"
_PLACE = r"\(at (?:line (\d+), column (\d+)|end of document)\)"


def read_document(text: str, path: str) -> Document:
    """The document *text*; raises Refused with line and column where it is no TOML."""
    import tomllib

    lines = tuple(text.split("\n"))
    try:
        return Document(tomllib.loads(text), lines, path)
    except tomllib.TOMLDecodeError as error:
        reason = str(error)
        match = re.search(_PLACE, reason)
        line = int(match.group(1)) if match and match.group(1) else len(lines)
        column = int(match.group(2)) if match and match.group(2) else 1
        message = re.sub(_PLACE, "", reason).strip()
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
