"""TOML files read safely, with the place of every table, key and value in them.

The size of a file, its depth and its numbers are bounded, so that an untrusted file can do no harm.
"""

import errno
import os
import re
import shlex
import stat
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from mjscore.refusal import Place, Refusal, Refused, escape_controls, refuse

LARGEST = 1_000_000  # bytes in a file
DEEPEST = 12  # levels of nested tables, keys and arrays
LONGEST_NUMBER = 18  # digits
Path: TypeAlias = tuple[str | int, ...]


class NotOurs(Refused):
    """Raised for a file that is missing or is not the kind of file that was asked for.

    *unshown* are the code and kind of the refusal for somebody who may not see the file's contents.
    """

    def __init__(self, refusal: Refusal, *unshown: str) -> None:
        super().__init__(refusal)
        self._unshown = unshown

    @property
    def unshown(self) -> Refusal:
        """The refusal to use if another file named this one, since its author may not be allowed to read this one."""
        path = self.refusal.file
        if self.refusal.line is None:
            return self.refusal
        return refuse(*self._unshown, path=path, typed=shlex.quote(path)).refusal


class Mark(NamedTuple):
    """The place of a table, a key or a member of an array; *value* is where its text begins, if it has one."""

    start: int
    end: int
    value: int | None = None


class Document(NamedTuple):
    """A TOML file: its data, its text, and its path."""

    data: Mapping[str, Any]
    text: str
    path: str

    def at(self, *path: str | int) -> "TomlTable":
        """Return the table to which these keys and indexes lead."""
        return TomlTable(self, path)


class TomlTable(NamedTuple):
    """A table of a TOML file, identified by the keys and the indexes (from 0) that lead to it."""

    document: Document
    path: Path = ()

    def find(self, key: str | tuple[str, int] = "", column: int | None = None, length: int = 1) -> Place:
        """Return the place of a key in the table, or else that of the nearest enclosing table.

        *column*, from 1, is a column in the key's text.
        """
        text = self.document.text
        marks = _marks(text)
        keys: Path = (key,) if key and isinstance(key, str) else tuple(key)
        path = (*self.path, *keys)
        while path and path not in marks:
            path = path[:-1]
        start, end, value = marks.get(path) or Mark(0, max(1, len(str(keys[0]) if keys else "")))
        line, first = text.count("\n", 0, start), text.rfind("\n", 0, start) + 1
        if column is not None and value is not None:
            start, end = value + column - 1, value + column - 1 + length
        return Place(text.split("\n")[line], start - first, end - first, line + 1, self.document.path)

    def refused(self, key: str | tuple[str, int], code: str, kind: str = "", **words: Any) -> Refused:
        """Return a refusal at *key*, or at the table itself."""
        return refuse(code, kind, at=self.find(key), key=key, **words)

    def moved(self, key: str, refused: Refused, name: str = "") -> Refused:
        """Return a refusal of the text under *key* with its place in the file; *name* is put before its message."""
        refusal = refused.refusal
        message = f"{name}: {refusal.message}" if name else refusal.message
        place = self.find(key, refusal.column, refusal.length)
        return Refused(refusal._replace(message=message, about=None).at(place))


# an unclosed text extends to the end, so that each character is scanned only once
_TOKEN = (
    r'#[^\n]*|(?P<text>"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)|\'\'\'.*?(?:\'{3,5}|\Z)'
    r'|"(?:\\.|[^"\\\n])*"?|\'[^\'\n]*\'?)|(?P<bare>[\w+-]+)|(?P<sign>[\[\]{}=,\n])'
)


@lru_cache(maxsize=8)
def _marks(text: str) -> dict[Path, Mark]:
    """Return the places of everything in a TOML file; whatever is not TOML is skipped.

    Raises ValueError, worded like those of ``tomllib``, if it is nested too deeply or a number is too long.
    """
    return _Scan(text).marks


class _Scan:
    """Scans a TOML file token by token, keeping the open brackets, the words of a key, and the awaited value."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.marks: dict[Path, Mark] = {}
        self.numbers: dict[Path, int] = {}  # index of the last member of each array
        self.table: Path = ()
        self.headers: list[int] = []  # positions of a header's brackets
        self.words: list[tuple[str, int, int]] = []  # the words of a key with their start and end
        self.opened: list[Path] = []  # arrays and tables with open brackets
        self.awaited: Path | None = None  # the key whose value is the next token
        for token in re.finditer(_TOKEN, text, re.DOTALL):
            word, kind, span = token.group(), token.lastgroup, token.span()
            if not kind or (word == "\n" and self.opened):
                continue
            path, self.awaited = self.awaited, None
            if kind == "sign" and (path is None or word not in "[{"):
                self._sign(word, *span)
            elif path is not None:
                self._value(path, kind, word, *span)
            else:
                self.words.append((word.strip("\"'"), *span))
                continue
            self.words.clear()

    def _mark(self, path: Path, start: int, end: int) -> None:
        """Record the place of *path*, and of the tables that it implies."""
        self._check(len(path) <= DEEPEST, f"the file goes more than {DEEPEST} brackets and keys deep", start)
        while path and path not in self.marks:
            self.marks[path] = Mark(start, end)
            path = path[:-1]

    def _check(self, holds: bool, fault: str, start: int) -> None:
        if not holds:
            raise ValueError(f"{fault} (at line {self.text.count(chr(10), 0, start) + 1}, column 1)")

    def _value(self, path: Path, kind: str, word: str, start: int, end: int) -> None:
        """Record the place of the value of *path*, or that its bracket is open."""
        self._mark(path, start, end)
        if kind == "sign":
            self.opened.append(path)
            if word == "[":
                self.numbers[path], self.awaited = 0, (*path, 0)
        elif kind == "text":
            quotes = 3 if word.startswith(('"""', "'''")) else 1
            self.marks[path] = self.marks[path]._replace(value=start + quotes)
        elif word.lstrip("+-")[:1].isdigit():
            self._check(len(word) <= LONGEST_NUMBER, f"a number of {len(word)} digits", start)

    def _sign(self, sign: str, start: int, end: int) -> None:
        """Process a sign that does not begin a value: in a key, between members, in a header, at the end of a line."""
        match sign:
            case "=" if self.words:
                keys = (key for key, _, _ in self.words)
                self.awaited = (*(self.opened[-1] if self.opened else self.table), *keys)
                self._mark(self.awaited, self.words[0][1], self.words[-1][2])
            case "," if self.opened and self.opened[-1] in self.numbers:
                self.numbers[self.opened[-1]] += 1
                self.awaited = (*self.opened[-1], self.numbers[self.opened[-1]])
            case "]" | "}" if self.opened:
                self.opened.pop()
            case "[":
                self.headers.append(start)
            case "]" if self.headers:
                self._header()
                self._mark(self.table, self.headers[0], end + len(self.headers) - 1)
                self.headers.clear()
            case "\n":
                self.headers.clear()

    def _header(self) -> None:
        """Enter the table of a header; a header in double brackets starts the next table of its array."""
        keys = [key for key, _, _ in self.words[: DEEPEST + 1]]  # deeper ones are refused elsewhere
        self.table = ()
        for step, key in enumerate(keys, 1):
            self.table = (*self.table, key)
            if len(self.headers) > 1 and step == len(self.words):
                self.numbers[self.table] = self.numbers.get(self.table, -1) + 1
            if self.table in self.numbers:
                self.table = (*self.table, self.numbers[self.table])


def read_file(
    path: str, what: str, large: tuple[str, str], unread: tuple[str, str], **words: Any
) -> Document:
    """Return the TOML file at *path*, of a size that a person might write; pipes and devices are not read.

    Raises Refused: code and kind *large* if *what* is too large, *unread* if unreadable; or not TOML.
    """
    try:
        data = _bytes_of(path)
    except (OSError, ValueError) as error:
        # Python's wording for impossible file names varies from version to version
        reason = error.strerror if isinstance(error, OSError) else "no file can have such a name"
        if isinstance(error, OSError) and error.errno == errno.ELOOP:
            reason = "it is a link, and its links lead in a circle"
        raise refuse(*unread, file=path, reason=reason, **words) from None
    if len(data) > LARGEST:
        raise refuse(*large, file=path, what=what)
    try:
        return read_document(_text(data), path)
    except UnicodeDecodeError:
        raise refuse("not-utf-8", "toml", file=path, what=what) from None


def text_now(path: str) -> str | None:
    """Return the current text of a TOML file, as a document would hold it; None if it cannot be read."""
    try:
        return _text(_bytes_of(path))
    except (OSError, ValueError):
        return None


def _bytes_of(path: str) -> bytes:
    """Return a file's bytes, at most one more than allowed. Raises OSError, ValueError for an impossible name."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "it is not a file", path)
    with open(path, "rb") as stream:
        return stream.read(LARGEST + 1)


def _text(data: bytes) -> str:
    """Return a file's text, without the byte order mark that some editors add. Raises UnicodeDecodeError."""
    return data.decode("utf-8-sig").replace("\r\n", "\n")


_SHOWN = ("id", "title", "book", "source")


def _shown(data: Any, key: str = "") -> Any:
    """Return *data* with control characters in titles and sources escaped, so that they cannot move a cursor."""
    match data:
        case dict():
            return {key: _shown(value, key) for key, value in data.items()}
        case list():
            return [_shown(member) for member in data]
        case str() if key in _SHOWN:
            return escape_controls(data.replace("\n", " "))
    return data


_KEY, _END = r"\s*(?P<key>[\w-]+)\s*=\s*", r"(?:\s*|\s*#.*)"
# common slips recognizable in a single line, by kind of refusal; very long lines are not searched
_SLIPS = {
    "curly": r"[^\"'#“”„‘’«»]*[“”„‘’«»].*",
    "header": r"\s*\[[\w-]+\.[^\]\"'\s]+\s[^\]\"']*\].*",
    "yes": f"{_KEY}(?i:yes|on|true){_END}",
    "no": f"{_KEY}(?i:no|off|false){_END}",
    # a text without quotes (points and doubles take numbers); and quotes inside quotes
    "bare": rf"(?!\s*(?:points|doubles)\b){_KEY}(?P<value>[^\W\d][^#']*|\d+/\d+){_END}",
    "quotes": rf"{_KEY}\"(?P<value>[^\"'\\]*\(\"[^'\\#]*)\"\s*",
}


def _slip(line: str, fault: str) -> tuple[str, dict[str, Any]]:
    """Return the kind of a common slip in a line that is not TOML, and the words for its message."""
    if "overwrite" in fault or "twice" in fault:
        return "twice", {}
    for kind, pattern in _SLIPS.items() if len(line) < 500 else ():
        if match := re.fullmatch(pattern, line):
            words = match.groupdict()
            value = escape_controls(words.get("value", "").strip())
            return kind, {**words, "value": f"'{value}'" if '"' in value else f'"{value}"'}
    return "line", {}


def read_document(text: str, path: str) -> Document:
    """Return the TOML document *text*. Raises Refused with line and column if it is not TOML."""
    import tomllib

    lines = text.split("\n")
    try:
        _marks(text)
        return Document(_shown(tomllib.loads(text)), text, path)
    except ValueError as error:
        fault, _, place = str(error).rpartition(" (at ")
        if isinstance(error, tomllib.TOMLDecodeError):
            fault = f"the file is not TOML: {fault[:1].lower() + fault[1:]}"
    # without a place, the fault is at the end of the file
    line, column = map(int, re.findall("[0-9]+", place) or (len(lines), 1))
    at = Place(lines[line - 1], column - 1, column, line, path)
    kind, words = _slip(at.text, fault)
    raise refuse("bad-toml", kind, said=fault, at=at, **words)
