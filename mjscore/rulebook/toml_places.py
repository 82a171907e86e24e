"""TOML files read safely, with places: which line an entry or a key stands on."""

import os
import re
import stat
from collections.abc import Mapping
from typing import Any, NamedTuple

from mjscore.refusal import Refused, refuse, visible
from mjscore.system import AT_ONCE


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
            table = _table_begun(line)
            if table is not None:
                current = table.lstrip("[").strip().replace('"', "")
                if table.startswith("[[") and current == self.section:
                    count += 1
            if current != self.section or self.number not in (None, count):
                continue
            if table is not None:
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


_LARGEST = 1_000_000  # bytes
# compiled where they are first needed: only for what is refused
_PLACE = r"\(at (?:line (\d+), column (\d+)|end of document)\)"


def _table_begun(line: str) -> str | None:
    """What stands before the closing bracket where *line* is the header of a table: ``[[double``."""
    head, closed, rest = line.partition("]")
    head, rest = head.strip(), rest.removeprefix("]").lstrip()
    if not closed or head[:1] != "[" or not head.strip("[ \t") or rest[:1] not in ("", "#"):
        return None
    return head


def read_text(path: str | os.PathLike[str], code: str, what: str) -> str:
    """The text of a file that is no longer than a person would write.

    A pipe or a device is not read: it may have no end, or nothing to give. Raises OSError, UnicodeDecodeError, and
    Refused with *code* where *what* is too large.
    """
    with open(os.open(path, os.O_RDONLY | AT_ONCE), "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError(22, "it is no file", str(path))
        data = stream.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise refuse(
            code, f"{what} is larger than a million bytes", "a page or two of TOML is enough", file=str(path)
        )
    return data.decode("utf-8").replace("\r\n", "\n")


_SHOWN = ("id", "title", "book", "source")


def _shown(data: Any) -> Any:
    """What a file says, its titles and sources spelt out as they will be shown: nothing in them moves a cursor."""
    if isinstance(data, list):
        return [_shown(one) for one in data]
    if not isinstance(data, dict):
        return data
    return {
        key: visible(value.replace("\n", " ")) if key in _SHOWN and isinstance(value, str) else _shown(value)
        for key, value in data.items()
    }


def read_document(text: str, path: str) -> Document:
    """The document *text*; raises Refused with line and column where it is no TOML."""
    import tomllib

    lines = tuple(text.split("\n"))
    try:
        return Document(_shown(tomllib.loads(text)), lines, path)
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
