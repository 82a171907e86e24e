"""What can go wrong with an evening on Windows: kills, two at once, files that others hold open, names, folders, code pages.

``.ci/windows`` runs it on Windows' Python; all of it but what is Windows' own holds elsewhere too. It needs a folder that is not
there yet:   python tests/windows/trials.py FOLDER SAMPLES [KILLS]
"""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path

HEAD = ["--players", "Ann Ben Cid Dee", "--date", "2026-11-21"]
LINES = [
    "Ann: 8", "Ben: 64 win", "Cid: 2", "Dee: 4", "2 8 64w 0", "undo", "redo", "edit 1", "Cid: 12", "yes", "draw", "undo", "note so",
    "eve for ann", "12 4 8 30w", "undo", "undo", "redo", "pay Ben Dee 20", "20 2 4 16w",
]  # fmt: skip
PROMPT = re.compile(rb"> (?=\r?\n|\Z)")  # its line is ended when an answer is read
ON_WINDOWS = os.sep == "\\"


def check(one: object, other: object, said: object) -> None:
    assert one, said
    assert other, said


def started(*words: str, **environment: str) -> subprocess.Popen[bytes]:
    """A command that is running; its errors stand in its output."""
    return subprocess.Popen(
        [sys.executable, "-m", "mjscore", *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **environment},
    )  # fmt: skip


def run(*words: str, typed: Iterable[str] = (), encoding: str = "", **environment: str) -> tuple[int, str]:
    """How a command ends that reads what is *typed*, and what it says; as UTF-8 where that does not count."""
    with started(*words, **({} if encoding else {"PYTHONIOENCODING": "utf-8"}), **environment) as process:
        said, _ = process.communicate("".join(f"{line}\n" for line in typed).encode())
    return process.returncode, said.decode(encoding or "utf-8").replace("\r\n", "\n")


def shown(process: subprocess.Popen[bytes], prompts: int, sought: bytes = b"\0") -> bytes:
    """What a command has said when it asks for the time of that number, has said what is *sought*, or has ended."""
    assert process.stdout is not None
    said = b""
    while (
        len(PROMPT.findall(said)) < prompts
        and sought not in said
        and (more := os.read(process.stdout.fileno(), 1 << 16))
    ):
        said += more
    return said


def typed_into(process: subprocess.Popen[bytes], *lines: str) -> None:
    assert process.stdin is not None
    process.stdin.write("".join(f"{line}\n" for line in lines).encode())
    process.stdin.flush()


def killed_at_any_time(kills: int) -> str:
    """Whenever it is killed, the file is as before the line that was being done, or as after it, and undo goes on from there."""
    states = []
    with started("play", "whole.mj", *HEAD) as process:
        shown(process, 1)
        begun = time.monotonic()
        for line in LINES:
            states.append(Path("whole.mj").read_bytes())
            typed_into(process, line)
            shown(process, 1)
        lasted = time.monotonic() - begun
        states.append(Path("whole.mj").read_bytes())
    undone = 0
    chance = random.Random(31)
    reached: set[int] = set()
    for number in range(kills):
        path = Path(f"killed{number}.mj")
        with started("play", str(path), *HEAD) as process:
            said = shown(process, 1)
            typed_into(process, *LINES)
            threading.Timer(chance.uniform(0, lasted), process.kill).start()
            said += shown(process, len(LINES) + 2)
        done = len(PROMPT.findall(said)) - 1
        left = path.read_bytes()
        assert left in states[done : done + 2], (number, done, left.decode())
        reached.add(done)
        if number % 5 == 0 and left != states[0]:
            status, said_then = run("play", str(path), typed=["undo", "redo"])
            assert (status, path.read_bytes()) == (0, left), said_then
            undone += 1
        else:
            assert run("play", str(path))[0] == 0
        assert not [one.name for one in Path().iterdir() if one.name.startswith((".mjscore", ".~"))]
    return (
        f"{kills} kills, at {len(reached)} of {len(states)} places: old state or new; {undone} undone after"
    )


def kept_by_one() -> str:
    """Two at once are refused, and a dead one keeps nobody out."""
    with started("play", "one.mj", *HEAD) as first:
        shown(first, 1)
        status, said = run("play", "one.mj", typed=["2 8 64w 0"])
        check(status == 2, "in-use" in said, said)
        first.kill()
    status, said = run("play", "one.mj", typed=["2 8 64w 0"])
    assert status == 0, said
    return "kept by one at a time; a dead one keeps nobody out"


def held_open_by_another() -> str:
    """A line is said to wait while another program has the file open; it is taken when that is closed, or left out and told."""
    run("play", "held.mj", *HEAD, typed=["2 8 64w 0"])
    before = Path("held.mj").read_bytes()
    with Path("held.mj").open("rb"):
        status, said = run("play", "held.mj", typed=["4 8 16w 2", "standings"])
    check("another program has" in said, "trying again" in said, said)
    check(status == 1, "not saved, and not typed again: 4 8 16w 2" in said, said)
    assert Path("held.mj").read_bytes() == before
    with Path("held.mj").open("rb") as held, started("play", "held.mj") as process:
        shown(process, 1)
        typed_into(process, "4 8 16w 2")
        waits = shown(process, 1, b"trying again")
        held.close()
        waits += process.communicate()[0]
    check(process.returncode == 0, waits.count(b"trying again") == 1, waits)
    after = Path("held.mj").read_bytes()
    check(after.startswith(before), b"16 win" in after, after)
    return "held open by another: said, tried again, taken when it is closed; else told and left out"


def names() -> str:
    """Devices are no files; spaces, umlauts and drives are nothing special."""
    for name in ("aux.mj", "con", "NUL.mj", "com1.mj", "ordner\\lpt1"):
        status, said = run("play", name, *HEAD, typed=["2 8 64w 0"])
        check(status == 2, "no file can be called" in said, (name, said))
    status, said = run("report", "whole.mj", "--html", "aux.html")
    assert status == 2, said
    here = Path().absolute()
    Path("Gäste und Öl").mkdir()
    drive, tail = os.path.splitdrive(here)
    ways = [
        "Gäste und Öl\\tee am Abend.mj",
        f"{here}\\absolut.mj",
        f"{drive}relativ.mj",
        f"{tail}\\ohne Laufwerk.mj",
        f"\\\\?\\{here}\\lang.mj",
    ]
    for name in ways:
        for typed in ("2 8 64w 0", "undo"):
            status, said = run("play", name, *(HEAD if typed != "undo" else ()), typed=[typed])
            assert status == 0, (name, said)
            assert ("64 win" in Path(name).read_text(encoding="utf-8")) == (typed != "undo"), name
    for name in ("absolut.mj", "relativ.mj", "ohne Laufwerk.mj", "lang.mj"):
        assert Path(name).exists(), name
    return f"{len(ways)} ways to name a file; 6 names that are none"


def folders() -> str:
    """Steps and what is prepared once stand where Windows has such things; what stands in the place of old is found."""
    local = Path(os.environ["LOCALAPPDATA"], "mjscore")
    assert list((local / "steps").glob("*.json")), "no steps"
    assert list((local / "Cache").iterdir()), "no cache"
    home = Path("home").absolute()
    (home / ".local" / "state" / "mjscore").mkdir(parents=True)
    run("play", "moved.mj", *HEAD, typed=["2 8 64w 0"], USERPROFILE=str(home))
    assert list((home / ".local" / "state" / "mjscore" / "steps").glob("*.json"))
    return "folders as Windows has them; an old one is found"


def code_pages(samples: Path) -> str:
    """In any code page what lacks a character is shown plainly; UTF-8 where the environment has it; tables and pages are UTF-8."""
    file = str(samples / "evening.mj")
    for encoding, environment in (
        ("cp1252", {}), ("cp1252", {"PYTHONIOENCODING": "cp1252"}), ("cp437", {"PYTHONIOENCODING": "cp437"}), ("utf-8", {"LANG": "de_DE.UTF-8"}),
    ):  # fmt: skip
        for words in (
            ["report", file],
            ["settle", file],
            ["score", "S: 123b 456b 789b 55c 67d <8d", "--tiles", "unicode"],
            ["help", "notation"],
        ):
            status, said = run(*words, encoding=encoding, **environment)
            assert status == 0, said
            assert not re.search(r"\\[ux]|\?\?", said), (encoding, said)
            if words[0] == "settle":
                assert ("−" if encoding == "utf-8" else "-") in said
    for words in (["report", file, "--csv", "-"], ["check", file, "--format", "csv"]):
        with started(*words) as process:
            said = process.communicate()[0]
        check(said.startswith(b"\xef\xbb\xbf"), said.decode("utf-8-sig"), said[:40])
    with started("report", file, "--html", "-") as process:
        assert "−" in process.communicate()[0].decode("utf-8")
    with started("play", "alt.mj", *HEAD) as process:
        assert b"not-utf-8" in process.communicate("note Käse\n".encode("cp1252"))[0]
    status, said = run("play", "neu.mj", *HEAD, typed=["\ufeffnote Käse"])
    assert "Käse" in Path("neu.mj").read_text(encoding="utf-8"), said
    return "code pages 1252 and 437, UTF-8 where the environment has it"


def interrupted() -> str:
    """Ctrl-Break, which a window that is closed is to a program too, loses nothing that was shown."""
    group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    process = subprocess.Popen(
        [sys.executable, "-m", "mjscore", "play", "closed.mj", *HEAD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=group
    )  # fmt: skip
    with process:
        shown(process, 1)
        typed_into(process, "2 8 64w 0")
        shown(process, 1)
        how = "told"
        try:
            process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM))
        except (OSError, SystemError):
            how = "ended, as there is no console here"  # as Windows ends it a moment after it was told
            process.kill()
        process.wait(60)
    assert b"64 win" in Path("closed.mj").read_bytes()
    status, said = run("play", "closed.mj", typed=["undo"])
    check(status == 0, "undone" in said, said)
    return f"a window that is closed loses nothing ({how})"


if __name__ == "__main__":
    folder, samples = Path(sys.argv[1]), Path(sys.argv[2]).absolute()
    folder.mkdir(parents=True)
    os.chdir(folder)
    os.environ |= {"MJSCORE_SETTINGS": "", "COLUMNS": "100"}
    for variable in ("LANG", "LC_ALL", "LC_CTYPE"):
        os.environ.pop(variable, None)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8")
    only = sys.argv[4:]
    trials = {
        "kills": lambda: killed_at_any_time(int(sys.argv[3])), "one": kept_by_one, "names": names, "held": held_open_by_another,
        "folders": folders, "codepages": lambda: code_pages(samples), "closed": interrupted,
    }  # fmt: skip
    for name, trial in trials.items():
        if (not only or name in only) and (ON_WINDOWS or name in ("kills", "one", "closed")):
            print(trial(), flush=True)
