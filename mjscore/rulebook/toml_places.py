"""TOML files read safely, with the place of every table, key and value in them.

The size of a file, its depth and its numbers are bounded, so that a stranger's file can do no harm.
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

LARGEST = 1_000_000  # bytes of a file
DEEPEST = 12  # tables, keys and arrays within each other
LONGEST_NUMBER = 18  # digits
Path: TypeAlias = tuple[str | int, ...]


class NotOurs(Refused):
    """Raised for a file that is missing or is not at all what it was named for.

    *unshown* are the code and kind of the refusal shown to somebody who may not see what is in the file.
    """

    def __init__(self, refusal: Refusal, *unshown: str) -> None:
        super().__init__(refusal)
        self._unshown = unshown

    @property
    def unshown(self) -> Refusal:
        """The refusal for the case that another file named this one, whose writer may not be its reader."""
        path = self.refusal.file
        if self.refusal.line is None:
            return self.refusal
        return refuse(*self._unshown, path=path, typed=shlex.quote(path)).refusal


class Mark(NamedTuple):
    """Where a table, a key or a member of an array stands; *value* is where its text begins, if it is one."""

    start: int
    end: int
    value: int | None = None


class Document(NamedTuple):
    """A TOML file: its data, its text, and its path."""

    data: Mapping[str, Any]
    text: str
    path: str

    def at(self, *path: str | int) -> "TomlTable":
        """Return the table under these keys and numbers."""
        return TomlTable(self, path)


class TomlTable(NamedTuple):
    """A table of a TOML file: the keys, and numbers (from 0) of entries, that lead to it."""

    document: Document
    path: Path = ()

    def find(self, key: str | tuple[str, int] = "", column: int | None = None, length: int = 1) -> Place:
        """Return the place of a key in the table, else of what it would stand in.

        *column*, from 1, counts in the text that is its value.
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
        """Move a refusal of the text under *key* to its place in the file; *name* is put before its message."""
        refusal = refused.refusal
        message = f"{name}: {refusal.message}" if name else refusal.message
        place = self.find(key, refusal.column, refusal.length)
        return Refused(refusal._replace(message=message, about=None).at(place))


# texts go on to the end where they are not closed, so that each letter is looked at once
_TOKEN = (
    r'#[^\n]*|(?P<text>"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)|\'\'\'.*?(?:\'{3,5}|\Z)'
    r'|"(?:\\.|[^"\\\n])*"?|\'[^\'\n]*\'?)|(?P<bare>[\w+-]+)|(?P<sign>[\[\]{}=,\n])'
)


@lru_cache(maxsize=8)
def _marks(text: str) -> dict[Path, Mark]:
    """Return where everything in a TOML file stands; what is not TOML is passed over.

    Raises ValueError, worded like those of ``tomllib``, if it goes too deep or a number is too long.
    """
    return _Scan(text).marks


class _Scan:
    """A TOML file scanned token by token: brackets that are open, the words of a key, the value that is awaited."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.marks: dict[Path, Mark] = {}
        self.numbers: dict[Path, int] = {}  # of each array that of its last member
        self.table: Path = ()
        self.headers: list[int] = []  # where the brackets of a header begin
        self.words: list[tuple[str, int, int]] = []  # of a key, each with where it begins and ends
        self.opened: list[Path] = []  # the arrays and tables whose brackets are open
        self.awaited: Path | None = None  # what the next token is the value of
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
        """Mark what stands under *path*, and the tables that it implies."""
        self._check(len(path) <= DEEPEST, f"the file goes more than {DEEPEST} brackets and keys deep", start)
        while path and path not in self.marks:
            self.marks[path] = Mark(start, end)
            path = path[:-1]

    def _check(self, holds: bool, fault: str, start: int) -> None:
        if not holds:
            raise ValueError(f"{fault} (at line {self.text.count(chr(10), 0, start) + 1}, column 1)")

    def _value(self, path: Path, kind: str, word: str, start: int, end: int) -> None:
        """Mark the value under *path*, or the bracket with which it begins."""
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
        """Take a sign that begins no value: of a key, between members, of a header, the end of a line."""
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
        """Enter the table of a header: of one in two brackets the next of its array."""
        keys = [key for key, _, _ in self.words[: DEEPEST + 1]]  # more are refused as too deep
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
    """Read the TOML file at *path*, of a size that a person would write; pipes and devices are not read.

    Raises Refused with the code and kind *large* if *what* is too large, *unread* if it cannot be read.
    """
    try:
        data = _bytes_of(path)
    except (OSError, ValueError) as error:
        # what Python says of a name that no file can have is worded otherwise in each version
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
    """Return what a TOML file holds now, as its document has it; None if it cannot be read."""
    try:
        return _text(_bytes_of(path))
    except (OSError, ValueError):
        return None


def _bytes_of(path: str) -> bytes:
    """Return the bytes of a file, one too many at most. Raises OSError, ValueError for an impossible name."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "it is not a file", path)
    with open(path, "rb") as stream:
        return stream.read(LARGEST + 1)


def _text(data: bytes) -> str:
    """Decode a file, which some editors begin with a byte order mark. Raises UnicodeDecodeError."""
    return data.decode("utf-8-sig").replace("\r\n", "\n")


_SHOWN = ("id", "title", "book", "source")


def _shown(data: Any, key: str = "") -> Any:
    """Escape control characters in titles and sources, so that nothing in them moves a cursor."""
    match data:
        case dict():
            return {key: _shown(value, key) for key, value in data.items()}
        case list():
            return [_shown(member) for member in data]
        case str() if key in _SHOWN:
            return escape_controls(data.replace("\n", " "))
    return data


_KEY, _END = r"\s*(?P<key>[\w-]+)\s*=\s*", r"(?:\s*|\s*#.*)"
# slips that a line itself shows, by the kind of the refusal; they are looked for in no line that nobody would write
_SLIPS = {
    "curly": r"[^\"'#“”„‘’«»]*[“”„‘’«»].*",
    "header": r"\s*\[[\w-]+\.[^\]\"'\s]+\s[^\]\"']*\].*",
    "yes": f"{_KEY}(?i:yes|on|true){_END}",
    "no": f"{_KEY}(?i:no|off|false){_END}",
    # a text without quotes, but for what is to be a number; and one with quotes in quotes
    "bare": rf"(?!\s*(?:points|doubles)\b){_KEY}(?P<value>[^\W\d][^#']*|\d+/\d+){_END}",
    "quotes": rf"{_KEY}\"(?P<value>[^\"'\\]*\(\"[^'\\#]*)\"\s*",
}


def _slip(line: str, fault: str) -> tuple[str, dict[str, Any]]:
    """Return which common slip a line that is not TOML has, and the words for saying what to type."""
    if "overwrite" in fault or "twice" in fault:
        return "twice", {}
    for kind, pattern in _SLIPS.items() if len(line) < 500 else ():
        if match := re.fullmatch(pattern, line):
            words = match.groupdict()
            value = escape_controls(words.get("value", "").strip())
            return kind, {**words, "value": f"'{value}'" if '"' in value else f'"{value}"'}
    return "line", {}


def read_document(text: str, path: str) -> Document:
    """Parse the document *text*. Raises Refused with line and column if it is not TOML."""
    import tomllib

    lines = text.split("\n")
    try:
        _marks(text)
        return Document(_shown(tomllib.loads(text)), text, path)
    except ValueError as error:
        fault, _, place = str(error).rpartition(" (at ")
        if isinstance(error, tomllib.TOMLDecodeError):
            fault = f"the file is not TOML: {fault[:1].lower() + fault[1:]}"
    # or it is said to be at the end
    line, column = map(int, re.findall("[0-9]+", place) or (len(lines), 1))
    at = Place(lines[line - 1], column - 1, column, line, path)
    kind, words = _slip(at.text, fault)
    raise refuse("bad-toml", kind, said=fault, at=at, **words)
