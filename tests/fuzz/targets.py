"""What the fuzzer throws bytes at: each target takes bytes and lets nothing but a refusal out."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import mjscore
from mjscore.batch import RENDERERS
from mjscore.checking import Context, Reader
from mjscore.refusal import Refused
from mjscore.rulebook import bind, forget_rulebooks
from mjscore.show import Style, show_rulebook
from mjscore.table_file import groups, read_lines

FOLDER = Path(tempfile.mkdtemp(prefix="mjscore-fuzz-"))


def notation(data: bytes) -> None:
    """A hand typed: a score or a refusal with its place."""
    text = data.decode("utf-8", "surrogateescape")
    for rulebook in ("harr", "harr-limit", "babcock-chinese"):
        sheet = mjscore.score(text, rulebook)
        if sheet.error is None:
            assert sheet.score is not None
            assert mjscore.parse(str(sheet.hand)) == sheet.hand
        else:
            assert sheet.error.column is not None
            sheet.error.render().encode("utf-8", "backslashreplace")
    waits = mjscore.waits(text)
    assert waits.error is not None or waits.hand is not None


def table(data: bytes) -> None:
    """A file of hands: every line a result, and nothing of it raw on the terminal."""
    for one in Reader("x.mj", Context()).check(groups(read_lines(io.BytesIO(data), "x.mj"))):
        for render in RENDERERS.values():
            shown = render(one)
            assert "\x1b" not in shown.replace("\\u001b", "")
        assert one.ok or one.refusals or one.expected is not None
        net = getattr(one.outcome, "net", {})
        assert sum(net.values()) == 0


def rulebook(data: bytes) -> None:
    """A rulebook file: bound and scored by, or refused."""
    forget_rulebooks()
    path = FOLDER / "fuzzed.toml"
    path.write_bytes(data)
    try:
        book = bind(str(path))
    except Refused as refused:
        refused.refusal.render().encode("utf-8", "backslashreplace")
        return
    for hand in (
        "S@E: (222d) [1111c] 123b 456b 5c +5c!loose",
        "(RRR) GGG 11b 22b 3f ...",
        "19b19c19dESWNwRGWd +1b",
        "1133b 55b 2299c 77c 8c +8c",
    ):
        sheet = mjscore.score(hand, book)
        assert sheet.score is None or len(str(sheet.score)) < 400
    mjscore.waits("1133b 55b 2299c 77c 8c", book)
    for hands in (
        {"E": "(RRR) (GGG) (123b) 456b 5c <5c:S", "S": 20, "W": "(NNN) [2222d] ...", "N": None},
        {"E": 3, "S": "1133b 55b 2299c 77c 8c +8c", "N": 2},
        {"E": 3, "W": "(RRR) (GGG) (123b) 456b 5c <5c:E"},
    ):
        settlement = mjscore.settle(hands, rulebook=book)
        assert sum(settlement.net.values()) == 0
    show_rulebook(book, Style(60))


def command(data: bytes) -> None:
    """Arguments on the command line: an exit status, never a traceback."""
    from mjscore.command_line import cli

    arguments = [part.decode("utf-8", "surrogateescape") for part in data.split(b"\x00")][:8]
    # a fuzzed path must not be written to or read from
    arguments = [argument for argument in arguments if not argument.startswith(("--update", "/", "-"))] + [
        argument for argument in arguments if argument in ("--why", "--format", "json", "-r", "babcock")
    ]
    with (
        contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), errors="backslashreplace")),
        contextlib.redirect_stderr(io.TextIOWrapper(io.BytesIO(), errors="backslashreplace")),
    ):
        try:
            cli(["score", *arguments], prog_name="mjscore")
        except SystemExit as ended:
            assert ended.code in (0, 1, 2, None)


TARGETS: dict[str, Callable[[bytes], None]] = {
    "notation": notation,
    "table": table,
    "rulebook": rulebook,
    "command": command,
}
os.environ.setdefault("COLUMNS", "80")
sys.setrecursionlimit(1000)
