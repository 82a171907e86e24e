"""Read TOML files safely, and know where in them each table, key and value stands.

All that a file of somebody else's could do harm by is bounded here: its size, how deep it goes, and its numbers.
"""

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
    """Where a table, a key or a member of an array stands: its *line* from 1, and columns from 0.

    *value* is the column at which the text of a key's value begins, None where that is no text.
    """

    line: int
    start: int
    end: int
    value: int | None = None


class Document(NamedTuple):
    """A TOML file: its data, its lines, and where it came from."""

    data: Mapping[str, Any]
    lines: tuple[str, ...]
    path: str

    def at(self, *path: str | int) -> "TomlTable":
        """Give the table that stands under these keys and numbers."""
        return TomlTable(self, path)


class TomlTable(NamedTuple):
    """A table of a TOML file: the way to it, by keys and by the numbers (from 0) of entries."""

    document: Document
    path: Path = ()

    def find(self, *keys: str | int) -> Mark:
        """Find a key in the table; where it is not there, what it would stand in."""
        marks = _Scanner("\n".join(self.document.lines)).scan()  # only what is refused asks for it
        path = (*self.path, *keys)
        while path and path not in marks:
            path = path[:-1]
        return marks.get(path) or Mark(1, 0, max(1, len(str(keys[0]) if keys else "")))

    def refused(
        self,
        key: str | tuple[str, int],
        code: str,
        message: str,
        hint: str,
        column: int | None = None,
        length: int | None = None,
    ) -> Refused:
        """Make a refusal at *key*, or at the table itself; *column*, from 1, counts in the text that is the key's value."""
        line, start, end, value = self.find(*((key,) if isinstance(key, str) and key else key or ()))
        if column is not None and value is not None:
            start, end = value + column - 1, value + column - 1 + (length or 1)
        text = self.document.lines[line - 1]
        return refuse(code, message, hint, at=Place(text, start, end, line, self.document.path))

    def moved(self, key: str, refused: Refused, name: str = "") -> Refused:
        """Make a refusal of the text under *key* one of the file, at the same place in it; *name* is said before it."""
        refusal = refused.refusal
        message = f"{name}: {refusal.message}" if name else refusal.message
        return self.refused(key, refusal.code, message, refusal.hint, refusal.column, refusal.length)


# texts go on to the end where they are not closed, so that each letter is looked at once
_TOKEN = re.compile(
    r'(?P<comment>#[^\n]*)|(?P<text>"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)|\'\'\'.*?(?:\'{3,5}|\Z)'
    r'|"(?:\\.|[^"\\\n])*"?|\'[^\'\n]*\'?)|(?P<bare>[\w+-]+)|(?P<sign>[\[\]{}=,.\n])',
    re.DOTALL,
)


class _Scanner:
    """Walks through the words of a TOML file, keeps where each stands, and how deep it goes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.marks: dict[Path, Mark] = {}
        self.entries: dict[Path, int] = {}  # how many tables of an array have begun
        self.table: Path = ()
        self.open: list[tuple[str, Path]] = []  # brackets that are open, and what stands in them
        self.key: list[str] = []  # of the key that is being read
        self.begun = 0  # where it began
        self.value: Path | None = None  # what the value that is read belongs to
        self.line, self.line_start = 1, 0

    def scan(self) -> dict[Path, Mark]:
        """Give the marks. Raises ValueError where it goes too deep, or a number is too long."""
        for token in _TOKEN.finditer(self.text):
            kind, word, start = token.lastgroup, token.group(), token.start()
            if kind in ("text", "bare"):
                self._word(word, kind == "text", start)
            elif kind == "sign":
                self._sign(word, start)
            self.line += word.count("\n")
            if "\n" in word:
                self.line_start = start + word.rindex("\n") + 1
            if len(self.open) + len(self.key) + len(self.table) > DEEPEST:
                raise ValueError(f"the file goes more than {DEEPEST} brackets and keys deep")
        return self.marks

    def _word(self, word: str, is_text: bool, start: int) -> None:
        if self.value is None:
            if not self.key and not self._in_header():
                self.begun = start
            self.key.append(word.strip("\"'") if is_text else word)
            return
        if not is_text and word.lstrip("+-")[:1].isdigit() and len(word) > LONGEST_NUMBER:
            raise ValueError(f"a number of {len(word)} digits")
        first = start - self.line_start
        quotes = 3 if word[:3] in ('"""', "'''") else 1
        if self.open and self.open[-1][0] == "[":
            self.marks[self.value] = Mark(
                self.line, first, first + len(word), first + quotes if is_text else None
            )
        elif is_text and self.value in self.marks:
            self.marks[self.value] = self.marks[self.value]._replace(value=first + quotes)

    def _sign(self, sign: str, start: int) -> None:
        if self.value is None and not self.open and sign == "[" and not self.key:
            self.begun = start
            self.open.append(("header", ()))
        elif self._in_header():
            if sign == "[":
                self.open.append(("header", ()))
            elif sign in "]\n":
                self._header(len(self.open) > 1, start)
        elif sign == "=" and self.key:
            self.value = self._mark((*self._inside(), *self.key), start)
            self.key = []
        elif sign in "[{" and self.value is not None:
            self.open.append((sign, self.value))
            self.value = (*self.value, 0) if sign == "[" else None
            if self.value is not None or sign == "{":
                self.marks.setdefault(self.open[-1][1], self._here(start, 1))
        elif sign in "]}" and self.open:
            self.value = self.open.pop()[1]
        elif sign == "," and self.open:
            bracket, path = self.open[-1]
            number = self.value[-1] if bracket == "[" and self.value is not None else None
            self.value = (*path, number + 1) if isinstance(number, int) else None
        elif sign == "\n" and not self.open:
            self.value, self.key = None, []

    def _in_header(self) -> bool:
        return bool(self.open) and self.open[-1][0] == "header"

    def _inside(self) -> Path:
        return self.open[-1][1] if self.open else self.table

    def _here(self, start: int, length: int) -> Mark:
        return Mark(self.line, start - self.line_start, start - self.line_start + length)

    def _mark(self, path: Path, end: int) -> Path:
        length = len(self.text[self.begun : end].rstrip())
        inside = len(self._inside())
        for place in range(inside + 1, len(path) + 1):
            self.marks.setdefault(path[:place], self._here(self.begun, length))
        return path

    def _header(self, is_entry: bool, end: int) -> None:
        """Begin a table: of a header ``[a.b]``, or of ``[[a]]``, which is one more entry."""
        self.open, self.table = [], ()
        path: Path = ()
        for number, part in enumerate(self.key):
            path = (*path, part)
            if is_entry and number == len(self.key) - 1:
                self.entries[path] = self.entries.get(path, -1) + 1
            if path in self.entries:
                path = (*path, self.entries[path])
        self.table = self._mark(path, end + 1 + is_entry)
        self.key, self.value = [], path


def read_text(path: str | os.PathLike[str], code: str, what: str) -> str:
    """Read a file that is no longer than a person would write.

    A pipe or a device is not read: it may have no end, or nothing to give. Raises OSError, UnicodeDecodeError, and
    Refused with *code* where *what* is too large.
    """
    with open(os.open(path, os.O_RDONLY | NONBLOCK), "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError(22, "it is no file", str(path))
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise refuse(
            code, f"{what} is larger than a million bytes", "a page or two of TOML is enough", file=str(path)
        )
    return data.decode("utf-8").replace("\r\n", "\n")


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

    lines = tuple(text.split("\n"))
    scanner = _Scanner(text)
    try:
        scanner.scan()
        return Document(_shown(tomllib.loads(text)), lines, path)
    except tomllib.TOMLDecodeError as error:
        match = re.search(_AT, str(error))
        line = int(match.group(1)) if match and match.group(1) else len(lines)
        column = int(match.group(2)) if match and match.group(2) else 1
        message = re.sub(_AT, "", str(error)).strip()
        message = f"the file is no TOML: {message[:1].lower() + message[1:]}"
    except ValueError as error:
        line, column, message = scanner.line, 1, str(error)
    raise refuse(
        "bad-toml",
        message,
        'an entry is [[double]], then lines such as title = "…" and doubles = 1',
        at=Place(lines[line - 1], column - 1, column, line, path),
    )
