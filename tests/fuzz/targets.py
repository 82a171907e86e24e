"""What the fuzzer throws bytes at: each target takes bytes and lets nothing but a refusal out."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import mjscore
from mjscore.batch.results import RENDERERS
from mjscore.page.cards import show_rulebook
from mjscore.page.text import Style
from mjscore.record.checker import Reader, check_file
from mjscore.record.context import Context
from mjscore.record.source import blocks, read_lines
from mjscore.refusal import Refused
from mjscore.rulebook.binding import bind, forget_rulebooks

FOLDER = Path(tempfile.mkdtemp(prefix="mjscore-fuzz-"))
SCRATCH = FOLDER / "scratch"


def notation(data: bytes) -> None:
    """A hand typed: a score or a refusal with its place."""
    text = data.decode("utf-8", "surrogateescape")
    for rulebook in ("harr", "harr-limit", "babcock-chinese", "bmja"):
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
    for one in Reader("x.mj", Context()).check(blocks(read_lines(io.BytesIO(data), "x.mj"))):
        for render in RENDERERS.values():
            shown = render(one)
            assert "\x1b" not in shown.replace("\\u001b", "")
        assert one.ok or one.refusals or one.expected is not None
        assert not one.is_fault, one.refusals
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


COMMANDS = ("score", "settle", "check", "waits", "rules", "report", "play", "help", "explain")


def command(data: bytes) -> None:
    """A whole command, from its outermost layer: arguments, then a file, then what is typed; an exit status of those that
    a user can bring about, never a fault of the program (3) and never a traceback.

    The parts are separated by \\x01, arguments by \\x00. The file can be named hands.mj and book.toml; what
    is written stays in a folder that is emptied each time.
    """
    from mjscore.cli.main import main

    head, _, rest = data.partition(b"\x01")
    text, _, typed = rest.partition(b"\x01")
    arguments = [part.decode("utf-8", "surrogateescape") for part in head.split(b"\x00")][:10]
    if arguments[0] not in COMMANDS:
        arguments.insert(0, "score")
    # nothing outside the folder, and no other processes
    arguments = [
        one for one in arguments if "/" not in one and ".." not in one and not one.startswith(("--j", "--cl"))
    ]
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir()
    for name in ("hands.mj", "book.toml"):
        (SCRATCH / name).write_bytes(text)
    forget_rulebooks()
    # an output that cannot be written is put aside for good, as at the end of a program
    before, given, output, thresholds = os.getcwd(), (sys.argv, sys.stdin), os.dup(1), gc.get_threshold()
    os.chdir(SCRATCH)
    sys.argv = ["mjscore", *arguments]
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8", errors="surrogateescape")
    out, err = (io.TextIOWrapper(io.BytesIO(), errors="backslashreplace") for _ in range(2))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as ended:
        assert ended.code in (0, 1, 2, None), f"{ended.code}: {_said(err)}"
        if arguments[0] == "play" and Path("new.mj").exists():
            # whatever was typed, what play has written holds
            refusals = [one.refusals for one in check_file("new.mj", Context())]
            assert not any(refusals), refusals
    finally:
        gc.unfreeze()  # a check has what is there stay for good, as it ends soon
        os.dup2(output, 1)
        os.close(output)
        sys.argv, sys.stdin = given
        # a program that ends need not collect: here what it made would be kept for ever
        gc.unfreeze()
        gc.set_threshold(*thresholds)
        os.chdir(before)
    for stream in (out, err):
        said = _said(stream)
        stream.close()  # click remembers every stream that it has written to
        assert "\x1b" not in said
        assert "Traceback" not in said


def _said(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode("utf-8", "backslashreplace")


TARGETS: dict[str, Callable[[bytes], None]] = {
    "notation": notation,
    "table": table,
    "rulebook": rulebook,
    "command": command,
}
sys.setrecursionlimit(1000)
