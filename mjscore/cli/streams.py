"""Input and output in any encoding: nothing printed is lost, nothing read is misread."""

import codecs
import io
import os
import sys
from typing import TYPE_CHECKING, TextIO

from mjscore.system import wait_for_input

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_PLAIN = {"×": "x", "·": ".", "🀫": "--"}


class _Input(io.FileIO):
    """Standard input; a signal interrupts a read even if the signal comes just before it."""

    def readinto(self, buffer: "WriteableBuffer", /) -> int | None:
        wait_for_input(self.fileno())
        return super().readinto(buffer)


def prepare_streams() -> None:
    """Make output replace characters that its encoding lacks; read pipes and files as UTF-8.

    Output to a file or pipe is UTF-8 too if the locale or a terminal of the process uses it. PYTHONIOENCODING
    overrides both. Bytes that are not UTF-8 become surrogates, which readers refuse.
    """
    codecs.register_error("mjscore.plain", _plain)
    as_said = "PYTHONIOENCODING" in os.environ
    utf8 = not as_said and _has_utf8()
    for stream in (sys.stdout, sys.stderr):
        _set(stream, "utf-8" if utf8 and not stream.isatty() else None, "mjscore.plain")
    if isinstance(getattr(sys.stdin.buffer, "raw", None), io.FileIO) and not sys.stdin.isatty():
        raw = _Input(sys.stdin.fileno(), closefd=False)
        sys.stdin = io.TextIOWrapper(io.BufferedReader(raw), sys.stdin.encoding, sys.stdin.errors)
    stays = sys.stdin.isatty() or (as_said and codecs.lookup(sys.stdin.encoding).name != "utf-8")
    _set(sys.stdin, None if stays else "utf-8-sig", "surrogateescape")


def write_as_utf8(stream: TextIO) -> None:
    """Switch a stream to UTF-8, the documented encoding of pages and tables."""
    _set(stream, "utf-8", "mjscore.plain")


def csv_beginning(mark: bool) -> str:
    """Return a byte order mark if *mark*, or if spreadsheets on this system would otherwise misread UTF-8."""
    import locale

    return "\ufeff" if mark or not is_unicode(locale.getpreferredencoding(False)) else ""


def is_unicode(encoding: str | None) -> bool:
    """Return whether an encoding has every character."""
    return (encoding or "").lower().replace("-", "") in ("utf8", "utf8sig", "utf16", "utf32", "cp65001")


def _has_utf8() -> bool:
    locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_CTYPE", "LANG"))), "")
    terminals = (os.device_encoding(number) for number in range(3))
    return any(map(is_unicode, (locale.partition(".")[2].partition("@")[0], *terminals)))


def _set(stream: TextIO, encoding: str | None, errors: str) -> None:
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding=encoding, errors=errors)


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Return text for the characters that an encoding lacks (tiles: their notation), and where they end."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from anyascii import anyascii

    from mjscore.game.tiles import TILE_GLYPHS, TILE_NAMES

    known = _PLAIN | dict(zip(TILE_GLYPHS, TILE_NAMES, strict=True))
    lacking = error.object[error.start : error.end]
    plain = (
        known.get(one) or anyascii(one) or one.encode("ascii", "backslashreplace").decode() for one in lacking
    )
    return "".join(plain), error.end
