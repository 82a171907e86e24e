"""The same evenings and commands on any system, into a folder: what they print, and what they write.

``.ci/windows`` runs it on Windows' Python and on that of this system, and wants the same bytes; only where lines end in what is
printed does not count. Run by itself:   python tests/windows/evenings.py FOLDER SAMPLES
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

# eight hands of an evening and a draw, in four runs of the program: with an edit, undo and redo over restarts, and a friend who comes late
BEGUN = [
    "--players",
    "Ann Ben 'Old Cid' Jürgen",
    "--counters",
    "babcock",
    "--date",
    "2026-11-21",
    "-r",
    "harr-limit",
]
EVENING = [
    ["Ann: 8", "Ben: (222d) [1111c] 123b 456b 5c +5c!loose", "old: 12", "Jürgen: 10", "2 8 64w 0", "draw", "note Tee für alle"],
    ["undo", "undo", "redo", "12 20 8 96w", "Ann: 16"],
    ["undo", "eve for ann", "2 40wn 6 8", "edit 1", "Ann: 16", "yes", "undo", "redo", "wash S 11", "4 2 64w 8"],
    ["undo", "redo", "8 16w 4 2", "false W", "20 4 8 30ws", "pay Jürgen Eve 50", "label Rote Drachen", "20 10 8 40w", "standings", "counters"],
]  # fmt: skip
WINDOWS_LINES = 'rulebook babcock\r\nplayers Ann Ben Cid Dee\r\n\r\nhand "eins" # mit Notepad\r\n  Ann: 20 win\r\n  Ben: 4\r\n  Cid: 2\r\n  Dee: 8\r\n'
NAMES = ["tee.mj", "ein Ordner/Tee am Donnerstag.mj", "Gäste/Öfter „später“ – 2.mj"]


def run(*words: str, typed: Iterable[str] = (), output: Path, **environment: str) -> int:
    """Runs a command on what is *typed*; what it says is added to a file."""
    source = output.with_suffix(".typed")
    source.write_bytes("".join(f"{line}\n" for line in typed).encode())
    with source.open("rb") as stdin, output.open("ab") as stdout:
        done = subprocess.run(
            [sys.executable, *(["-X", "utf8"] if not environment else []), "-m", "mjscore", *words],
            stdin=stdin, stdout=stdout, stderr=subprocess.STDOUT, env={**os.environ, **environment}, check=False,
        )  # fmt: skip
    source.unlink()
    output.write_bytes(output.read_bytes().replace(b"\r\n", b"\n") + f"status {done.returncode}\n".encode())
    return done.returncode


def evenings() -> None:
    """An evening under each of several names, and one whose lines end as Windows has them."""
    for number, name in enumerate(NAMES):
        Path(name).parent.mkdir(exist_ok=True)
        for typed in EVENING:
            run(
                "play",
                name,
                *(BEGUN if typed is EVENING[0] else ()),
                typed=typed,
                output=Path(f"play{number}.txt"),
            )
        for words in ([], ["--html", f"{number}.html"], ["--csv", "-"], ["--format", "json"]):
            run("report", name, *words, output=Path(f"report{number}.txt"))
        assert "9 hands, 1 draw" in Path(f"report{number}.txt").read_text(encoding="utf-8")
        run("settle", name, "--counters", "babcock", output=Path(f"report{number}.txt"))
    Path("windows.mj").write_bytes(WINDOWS_LINES.encode())
    for typed in (["2 8 64w 0", "edit 1", "Ben: 6", "yes", "note Käse"], ["undo", "undo", "draw"]):
        run("play", "windows.mj", typed=typed, output=Path("windows.txt"))
    assert Path("windows.mj").read_bytes().count(b"\n") == Path("windows.mj").read_bytes().count(b"\r\n") > 10


def commands(samples: Path) -> None:
    """Everything else that mjscore does, with the samples."""
    for path in samples.rglob("*.toml"):
        Path(path.name).write_bytes(path.read_bytes())
    names = []
    for path in sorted(samples.rglob("*.mj")):
        names.append(path.relative_to(samples).as_posix().replace("/", "-"))
        Path(names[-1]).write_bytes(path.read_bytes())
    run("check", *names, output=Path("samples.txt"))
    run("check", *names, "--format", "json", output=Path("samples.txt"))
    hand = "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"
    Path("many.mj").write_bytes(f'"eine" {hand} = 68\n'.encode() * 6000)
    Path("hands.txt").write_bytes(f"{hand}\n123b\n".encode())
    for words in (
        ["check", "many.mj", "--jobs", "2"], ["check", "many.mj", "--jobs", "2", "--format", "summary"],
        ["check", "evening.mj", "--update", "counted.mj"], ["score", hand, "--why"], ["score", hand, "-r", "harr", "-r", "babcock"],
        ["score", hand, "--svg", "hand.svg"], ["score", "-"], ["score", hand, "-r", "house-rules.toml"],
        ["waits", "(123c) (789c) 678c 45c 11c"], ["settle", "2 8 64w 0"], ["rules", "show", "babcock"],
        ["rules", "diff", "harr", "bmja"], ["rules", "new", "club.toml"], ["explain", "in-use"], ["explain", "pung"], ["help", "notation"],
        ["settings", "--format", "json"], ["phone", "site", "--pyodide", "none"],
    ):  # fmt: skip
        run(*words, typed=[hand] if words[-1] == "-" else (), output=Path("commands.txt"))


if __name__ == "__main__":
    folder, samples = Path(sys.argv[1]), Path(sys.argv[2]).absolute()
    folder.mkdir(parents=True)
    os.chdir(folder)
    os.environ |= {"MJSCORE_SETTINGS": "", "COLUMNS": "100", "MJSCORE_TILES": "plain"}
    evenings()
    commands(samples)
