"""Read TOML files safely, and know where in them each table, key and value stands.

All that a file of somebody else's could do harm by is bounded here: its size, how deep it goes, and its numbers.
"""

import errno
import os
import re
import stat
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from mjscore.refusal import Place, Refused, refuse, visible
from mjscore.system import NONBLOCK

LARGEST = 1_000_000  # bytes of a file
DEEPEST = 12  # tables, keys and arrays within each other
LONGEST_NUMBER = 18  # digits
Path: TypeAlias = tuple[str | int, ...]


class Mark(NamedTuple):
    """Where in a file a table, a key or a member of an array stands; *value* is where the text of its value begins, if it is one."""

    start: int
    end: int
    value: int | None = None


class Document(NamedTuple):
    """A TOML file: its data, its text, and where it came from."""

    data: Mapping[str, Any]
    text: str
    path: str

    @property
    def lines(self) -> list[str]:
        """Give its lines."""
        return self.text.split("\n")

    def at(self, *path: str | int) -> "TomlTable":
        """Give the table that stands under these keys and numbers."""
        return TomlTable(self, path)


class TomlTable(NamedTuple):
    """A table of a TOML file: the way to it, by keys and by the numbers (from 0) of entries."""

    document: Document
    path: Path = ()

    def find(self, *keys: str | int) -> tuple[Place, int | None]:
        """Find a key in the table, else what it would stand in; and where on its line the text of its value begins, if it is one."""
        text = self.document.text
        marks = _Scanner(text).scan()  # only what is refused asks for it
        path = (*self.path, *keys)
        while path and path not in marks:
            path = path[:-1]
        start, end, value = marks.get(path) or Mark(0, max(1, len(str(keys[0]) if keys else "")))
        line, first = text.count("\n", 0, start), text.rfind("\n", 0, start) + 1
        place = Place(self.document.lines[line], start - first, end - first, line + 1, self.document.path)
        return place, value and value - first

    def refused(self, key: str | tuple[str, int], code: str, kind: str = "", **words: Any) -> Refused:
        """Make a refusal at *key*, or at the table itself."""
        return refuse(code, kind, at=self._place(key), key=key, **words)

    def moved(self, key: str, refused: Refused, name: str = "") -> Refused:
        """Make a refusal of the text under *key* one of the file, at the same place in it; *name* is said before it."""
        refusal = refused.refusal
        message = f"{name}: {refusal.message}" if name else refusal.message
        place = self._place(key, refusal.column, refusal.length)
        return Refused(refusal._replace(message=message, about=None).at(place))

    def _place(self, key: str | tuple[str, int], column: int | None = None, length: int = 1) -> Place:
        """Give the place of *key*, or of the table itself; *column*, from 1, counts in the text that is the key's value."""
        place, value = self.find(*((key,) if isinstance(key, str) and key else key or ()))
        if column is not None and value is not None:
            place = place._replace(start=value + column - 1, end=value + column - 1 + length)
        return place


# texts go on to the end where they are not closed, so that each letter is looked at once
_TOKEN = re.compile(
    r'#[^\n]*|(?P<text>"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)|\'\'\'.*?(?:\'{3,5}|\Z)'
    r'|"(?:\\.|[^"\\\n])*"?|\'[^\'\n]*\'?)|(?P<bare>[\w+-]+)|(?P<sign>[\[\]{}=,.\n])|(?P<end>\Z)',
    re.DOTALL,
)


class _Scanner:
    """Reads a TOML file word by word and keeps where each thing stands; what is no TOML it passes over."""

    def __init__(self, text: str) -> None:
        self.marks: dict[Path, Mark] = {}
        self.entries: dict[Path, int] = {}  # of each array of tables the number of the last
        self.tokens = (token for token in _TOKEN.finditer(text) if token.lastgroup)
        self._next()

    def _next(self) -> None:
        """Go on to the next word; at the end, stay there."""
        if (token := next(self.tokens, None)) is not None:
            self.kind, self.word = token.lastgroup, token.group()
            self.start, self.end = token.span()

    def scan(self) -> dict[Path, Mark]:
        """Give the marks. Raises ValueError where it goes too deep, or a number is too long."""
        table: Path = ()
        while self.kind != "end":
            if self.word == "[":
                table = self._header()
            elif self.kind == "sign":
                self._next()
            else:
                self._pair(table)
        return self.marks

    def _mark(self, path: Path, start: int, end: int) -> None:
        """Mark what stands under *path*, and what is made on the way to it."""
        if len(path) > DEEPEST:
            raise ValueError(f"the file goes more than {DEEPEST} brackets and keys deep")
        while path and path not in self.marks:
            self.marks[path] = Mark(start, end)
            path = path[:-1]

    def _words(self) -> tuple[list[str], int]:
        """Read a key, dotted or not, or a number; give its parts, and where it ends."""
        parts, end = [], self.end
        while self.kind in ("text", "bare") or self.word == ".":
            if self.word != ".":
                parts.append(self.word.strip("\"'") if self.kind == "text" else self.word)
            end = self.end
            self._next()
        if not parts:
            self._next()
        return parts, end

    def _header(self) -> Path:
        """Read a header ``[a.b]``, or ``[[a]]``, which is one more entry; give the way to its table."""
        start = self.start
        self._next()
        if is_entry := self.word == "[":
            self._next()
        keys, _ = self._words()
        path: Path = ()
        for steps, key in enumerate(keys, 1):
            path = (*path, key)
            if is_entry and steps == len(keys):
                self.entries[path] = self.entries.get(path, -1) + 1
            if path in self.entries:
                path = (*path, self.entries[path])
        self._mark(path, start, self.end + is_entry)
        return path

    def _pair(self, table: Path) -> None:
        """Read a key of a table and its value."""
        start = self.start
        keys, end = self._words()
        if keys and self.word == "=":
            self._mark((*table, *keys), start, end)
            self._next()
            self._value((*table, *keys))

    def _value(self, path: Path) -> None:
        """Read a value; a bracket to its end."""
        word, start, kind = self.word, self.start, self.kind
        self._mark(path, start, self.end)
        if kind == "text":
            quotes = 3 if word[:3] in ('"""', "'''") else 1
            self.marks[path] = self.marks[path]._replace(value=start + quotes)
        elif word.lstrip("+-")[:1].isdigit() and len(word) > LONGEST_NUMBER:
            raise ValueError(f"a number of {len(word)} digits")
        if word not in ("[", "{"):
            self._words()
            return
        self._next()
        number = 0
        while self.kind != "end" and self.word != ("]" if word == "[" else "}"):
            if self.word in (",", "\n"):
                number += self.word == ","
                self._next()
            elif word == "[":
                self._value((*path, number))
            else:
                self._pair(path)
        self._next()


def read_file(
    path: str, what: str, large: tuple[str, str], unread: tuple[str, str], **words: Any
) -> Document:
    """Read the TOML file at *path*, no longer than a person would write; a pipe or a device may have no end, and is not read.

    Raises Refused, by code and kind: *large* where *what* is too large, *unread* where it cannot be read, told with *words*.
    """
    try:
        with open(os.open(path, os.O_RDONLY | NONBLOCK), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise OSError(errno.EINVAL, "it is no file", path)
            data = stream.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        # what Python says of a name that no file can have is worded otherwise in each version
        reason = error.strerror if isinstance(error, OSError) else "no file can have such a name"
        if isinstance(error, OSError) and error.errno == errno.ELOOP:
            reason = "it is a link, and its links lead in a circle"
        raise refuse(*unread, file=path, reason=reason, **words) from None
    if len(data) > LARGEST:
        raise refuse(*large, file=path, what=what)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise refuse("not-utf-8", "toml", file=path, what=what) from None
    return read_document(text.replace("\r\n", "\n"), path)


_SHOWN = ("id", "title", "book", "source")


def _shown(data: Any) -> Any:
    """Spell out titles and sources as they will be shown: nothing in them moves a cursor."""
    if isinstance(data, list):
        return [_shown(one) for one in data]
    if not isinstance(data, dict):
        return data
    return {
        key: visible(value.replace("\n", " ")) if key in _SHOWN and isinstance(value, str) else _shown(value)
        for key, value in data.items()
    }


_AT = r"\(at (?:line (\d+), column (\d+)|end of document)\)"


def read_document(text: str, path: str) -> Document:
    """Read the document *text*; raises Refused with line and column where it is no TOML."""
    import tomllib

    lines = text.split("\n")
    scanner = _Scanner(text)
    try:
        scanner.scan()
        return Document(_shown(tomllib.loads(text)), text, path)
    except tomllib.TOMLDecodeError as error:
        match = re.search(_AT, str(error))
        line = int(match.group(1)) if match and match.group(1) else len(lines)
        column = int(match.group(2)) if match and match.group(2) else 1
        said = re.sub(_AT, "", str(error)).strip()
        said = f"the file is no TOML: {said[:1].lower() + said[1:]}"
    except ValueError as error:
        line, column, said = text.count("\n", 0, scanner.start) + 1, 1, str(error)
    raise refuse("bad-toml", said=said, at=Place(lines[line - 1], column - 1, column, line, path))
