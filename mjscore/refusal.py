"""A refusal: what is wrong with something that a user typed, as a value.

A refusal has a stable code, one sentence in the words of the game, a hint on what to type instead, and a
place. It is data, collected and printed; ``Refused`` is raised with a refusal where work cannot go on.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from textwrap import wrap
from traceback import extract_tb
from typing import Any, NamedTuple

PROGRAM_FAULT = "program-fault"  # the one code that no user can provoke
_EXCERPT = 76  # columns of the offending line that are shown


class Place(NamedTuple):
    """The position of something typed: characters *start* to *end* of *text*, which is line *line* of *file*.

    *start* and *end* count from 0 as slices do, *line* from 1.
    """

    text: str
    start: int
    end: int
    line: int = 1
    file: str = ""


def whole(text: str, line: int = 1, file: str = "") -> Place:
    """Return the place of a whole line, without the spaces around it."""
    stripped = text.strip()
    start = text.find(stripped)
    return Place(text, start, start + len(stripped), line, file)


class Refusal(NamedTuple):
    """Why an input was refused.

    *about* is the refused object, e.g. ``hand.win`` or a tile, set by code that does not see the text; the
    reader of the text adds the place (``notation.reading.placed``). *line* and *column* count from 1 and are
    None if there is no place; *length* is the number of characters marked; *text* is the line itself and
    *file* its file, both for display. *seat* is the wind whose hand is refused, when the hands of a table are
    given together. *lines* are the whole lines that *hint* offers; *otherwise* replaces the hint when none of
    those lines can be read, or nobody is there to answer. *answers* are texts to put in place of the mark.

    >>> error = mjscore.score("S: WW 123b ...").error
    >>> error.code, error.offset, error.marked
    ('ambiguous-w', 3, ('S: ', 'WW', ' 123b ...'))
    """

    code: str
    message: str
    hint: str = ""
    line: int | None = None
    column: int | None = None
    length: int = 1
    text: str = ""
    file: str = ""
    about: object = None
    seat: str | None = None
    lines: tuple[str, ...] = ()
    otherwise: str = ""
    answers: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same JSON; *file*, *about* and *otherwise* are ignored."""
        return isinstance(other, Refusal) and self.as_json() == other.as_json()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.code, self.message, self.line, self.column))

    def at(self, place: Place) -> "Refusal":
        """Return the same refusal at *place*."""
        length = max(1, place.end - place.start)
        return self._replace(
            line=place.line, column=place.start + 1, length=length, text=place.text, file=place.file
        )

    @property
    def offset(self) -> int | None:
        """Where the place begins in *text*, in characters counted from 0; None if there is no place."""
        return None if self.column is None else self.column - 1

    @property
    def marked(self) -> tuple[str, str, str]:
        """The line in three parts: before the place, the place, after the place."""
        start = self.offset if self.offset is not None else len(self.text)
        end = start + self.length
        return self.text[:start], self.text[start:end], self.text[end:]

    def as_json(self) -> dict[str, object]:
        """Return the JSON object: the fields but *file*, *about* and *otherwise*, and ``offset``."""
        members = {name: getattr(self, name) for name in _IN_JSON}
        members |= {"offset": self.offset, "text": self.text or None}
        members |= {name: list(getattr(self, name)) for name in _OFFERED}
        return members if self.column is not None else members | {"length": None}

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> "Refusal":
        """Return the refusal described by the JSON object *told*."""
        values = {name: told.get(name) for name in _IN_JSON} | {"text": told.get("text") or ""}
        values |= {name: tuple(told.get(name, ())) for name in _OFFERED}
        return cls(**values | {"length": told.get("length") or 1})

    def render(self, width: int | None = None) -> str:
        """Return the refusal as text for people: place, message, the line with the place marked, help.

        With *width*, words wrap to that many columns. The line is cut to 76 of its own, or to fit *width*.
        """
        parts = (escape_controls(self.file), self.line, self.column)
        place = "".join(f"{part}:" for part in parts if part not in ("", None))
        message = f"{escape_controls(self.message)} [{self.code}]"
        lines = wrapped(f"{place} {message}" if place else message, "  ", width)
        if self.text and self.column is not None:
            gutter = str(self.line or 1)
            room = _EXCERPT if width is None else min(_EXCERPT, width - len(gutter) - 7)
            excerpt, offset, marks = _marked_excerpt(self.text, self.column - 1, self.length, room)
            lines.append(f"  {gutter} | {excerpt}")
            lines.append(f"  {' ' * len(gutter)} | {' ' * offset}{'^' * marks}")
        if self.hint:
            lines += wrapped(f"  help: {escape_controls(self.hint)}", "        ", width)
        return "\n".join(lines)


_IN_JSON = ("message", "hint", "line", "column", "code", "length", "seat")
_OFFERED = ("lines", "answers")


def tried(refusal: Refusal, read: Callable[[str], object]) -> Refusal:
    """Return *refusal* with only those offers, in its hint too, that are new and that *read* can read."""
    left = []
    for line in (line for line in refusal.lines if line.strip() != refusal.text.strip()):
        with suppress(Refused):
            left += [line] if read(line) is not None else []
    if len(left) == len(refusal.lines):
        return refusal
    return refusal._replace(
        hint=f"type {' or '.join(left)}" if left else refusal.otherwise, lines=tuple(left)
    )


def offering(refusal: Refusal, lines: tuple[str, ...]) -> Refusal:
    """Return the refusal with *lines* in place of those it offers, in its hint too."""
    new = dict(zip(refusal.lines, lines, strict=True))
    # longest first: one line may be the beginning of another
    old = "|".join(re.escape(line) for line in sorted(new, key=len, reverse=True))
    hint = re.sub(old, lambda line: new[line[0]], refusal.hint) if new else refusal.hint
    return refusal._replace(hint=hint, lines=lines)


class Refused(ValueError):  # noqa: N818 - a refusal is not an error of the program
    """Raised where text cannot be read or scored; *refusal* says why, in a message of *kind* and *words*.

    >>> try:
    ...     mjscore.parse("S: 12x")
    ... except mjscore.Refused as refused:
    ...     print(refused.refusal.code)
    unknown-class
    """

    def __init__(self, refusal: Refusal, kind: str = "", words: Mapping[str, Any] | None = None) -> None:
        super().__init__(refusal.message)
        self.refusal, self.kind, self.words = refusal, kind, words or {}

    @property
    def unshown(self) -> Refusal:
        """Return the refusal without text from another file, which the user may not be allowed to see."""
        return self.refusal


class Faults:
    """Collects the faults of a file: the first is raised or, with *keep*, all are put into *kept*."""

    def __init__(self, keep: bool = False) -> None:
        self.keep = keep
        self.kept: list[Refusal] = []

    def in_order(self) -> list[Refusal]:
        """Return the kept faults in the order of their lines, without repeats."""
        places = {(one.file, one.line or 0, one.column or 0, one.code, one.message): one for one in self.kept}
        return [places[place] for place in sorted(places)]

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Catch a Refused raised in the block and keep it; let it through if faults are not kept."""
        try:
            yield
        except Refused as refused:
            if not self.keep:
                raise
            self.kept.append(refused.refusal)


@lru_cache(maxsize=1)
def messages() -> dict[str, dict[str, list[str]]]:
    """Return each refusal's message and hint by code and kind; the kind is empty if the code has one message.

    A hint may be followed by its replacement, used when the whole lines it offers cannot be read or nobody is
    there to answer. Messages are in the ``messages.toml`` of each folder, read on first use.
    """
    import pkgutil
    import tomllib

    import mjscore

    tables: dict[str, dict[str, list[str]]] = {}
    for _, folder, is_package in pkgutil.iter_modules(mjscore.__path__):
        with suppress(OSError):
            file = pkgutil.get_data("mjscore", f"{folder}/messages.toml") if is_package else None
            for code, rows in tomllib.loads((file or b"").decode()).items():
                tables.setdefault(code, {}).update(rows if isinstance(rows, dict) else {"": rows})
    return tables


def told(code: str, kind: str = "", **words: Any) -> tuple[str, str]:
    """Return the message and the hint for *code*, and *kind* if it has several, filled in with *words*."""
    message, hint, *_ = messages()[code][kind]
    return message.format(**words), hint.format(**words)


def refuse(
    code: str,
    kind: str = "",
    *,
    at: Place | None = None,
    file: str = "",
    about: object = None,
    answers: Iterable[str] = (),
    **words: Any,
) -> Refused:
    """Return the exception for a refusal of this *code* and *kind*, as in ``raise refuse(code, at=place)``.

    *at* is the place of the fault in the text, *about* the faulty object, *file* the file if only that is
    known, *answers* are texts that may replace the marked one; *words* fill in message and hint.
    """
    refusal = Refusal(code, *told(code, kind, **words), file=file, about=about, answers=tuple(answers))
    _, hint, *rest = messages()[code][kind]
    for otherwise in rest:
        lines = [words[name] for name in re.findall(r"{(\w+)}", hint) if f"{{{name}}}" not in otherwise]
        refusal = refusal._replace(lines=tuple(lines), otherwise=otherwise.format(**words))
    return Refused(refusal if at is None else refusal.at(at), kind, words)


def program_fault(error: Exception) -> Refusal:
    """Return the refusal of a line on which the program itself failed, naming exception and place."""
    frame = extract_tb(error.__traceback__)[-1]
    module = frame.filename.replace("\\", "/").rpartition("/")[2]
    hint = f"please report it with this line; it happened in {module}, line {frame.lineno}"
    return Refusal(PROGRAM_FAULT, f"mjscore has a fault here: {_named(error)}", hint)


def describe_fault(error: Exception) -> str:
    """Return a line about a fault of the program; if possible, write details to a file to send along."""
    import os
    import platform
    import sys
    import tempfile
    import traceback

    from mjscore import __version__

    details = (
        f"mjscore {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"{' '.join(map(repr, sys.argv[1:]))}\n\n{''.join(traceback.format_exception(error))}"
    )
    where = "what was typed"
    with suppress(OSError):
        handle, path = tempfile.mkstemp(prefix="mjscore-fault-", suffix=".txt")
        with os.fdopen(handle, "wb") as stream:
            stream.write(details.encode("utf-8", "backslashreplace"))
        where += f" and the file {path}"
    return f"mjscore has a fault: {escape_controls(_named(error))}; please report it with {where}"


def _named(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return the hint for an unknown name: the nearest of the *known* ones, else *otherwise*, else all."""
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(name, names, 1)
    return f"did you mean {near[0]}?" if near else otherwise or f"known: {', '.join(sorted(names))}"


def escape_controls(text: str) -> str:
    """Return *text* safe to print: tabs as spaces; control, bidirectional and unassigned characters escaped.

    A label in a file must not be able to move the cursor or to reorder the text around it.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else _spelt_out(letter) for letter in text)


def _spelt_out(letter: str) -> str:
    if letter == "\t" or unicodedata.category(letter) == "Zs":
        return letter.replace("\t", " ")  # spaces of other widths are kept
    number = ord(letter)
    return f"\\x{number:02x}" if number < 256 else f"\\u{{{number:x}}}"


def text_width(text: str) -> int:
    """Return how many terminal columns *text* takes."""
    if text.isascii():
        return len(text)
    letters = [letter for letter in text if not unicodedata.combining(letter)]
    return len(letters) + sum(unicodedata.east_asian_width(letter) in "WF" for letter in letters)


def wrapped(text: str, indent: str, width: int | None) -> list[str]:
    """Return the lines of *text* wrapped to *width* columns (if given), all but the first indented."""
    if width is None or text_width(text) <= width:
        return [text]
    return wrap(text, width, subsequent_indent=indent, break_on_hyphens=False)


def _marked_excerpt(text: str, start: int, length: int, room: int) -> tuple[str, int, int]:
    """Return about *room* characters of *text* around *start*, and the column and width of the ^^^ below."""
    first = max(0, min(start - room // 2, len(text) - room))
    excerpt = text[first : first + room]
    before = escape_controls(excerpt[: start - first])
    marked = escape_controls(excerpt[start - first : start - first + max(1, length)])
    lead, tail = "…" if first else "", "…" if first + room < len(text) else ""
    return lead + escape_controls(excerpt) + tail, text_width(lead + before), max(1, text_width(marked))
