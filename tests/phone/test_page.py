"""The site with its Python by Node, and its page in a browser: tapped, killed, reloaded, offline, narrow and wide."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from amounts import WHOLE, in_turn, part_of
from taps import taps_of

import mjscore
from mjscore.page.text import signed
from mjscore.phone.carried import own_files, packed
from mjscore.phone.site import build_site
from mjscore.record.context import Context
from mjscore.record.statistics import read_evening
from mjscore.rulebook.binding import bind
from mjscore.rulebook.entries import RULEBOOKS

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SAMPLES = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "samples").rglob("*.mj"))]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
EVENING = (ROOT / "samples" / "evening.mj").read_text(encoding="utf-8")
HOUSE_EVENING = "rulebook house-rules.toml\nplayers Ann Ben Cid Dee\nhand @E\n  Ann: 14 win\n  Ben: 0\n  Cid: 0\n  Dee: 0\n"
# a hand of each kind: runs, on the table and held; threes and fours; a declared four; a special hand; pairs; honors; no win; bonus tiles
HANDS = [
    ("harr", "S@E: (222d) [1111c] 123b 456b 5c +5c!loose"),
    ("harr", "E@E: (123b) (789c) 456d 11d 23d <4d"),
    ("babcock", "W@S: (RRRd) (9999b) 123d WWw 77c <7c:E"),
    ("bmja", "N@E: 19b19c19d ESWNw RGWd +1b"),
    ("bmja", "S@E: (111b) 22b 444c 55d 777b +5d"),
    ("dmjl", "E@W: (EEEw) (SSSw) (WWWw) NNw RRd +Nw"),
    ("harr-limit", "S@E: (RRRd) (111+1c) 99d 1f ..."),
    ("harr", "W@E: 123456789b 1112d"),
]
SCENARIOS = ("hands", "evening", "killed", "widths", "updated", "broken")


def clicks(taps: list[str]) -> list[str]:
    """Taps as the handles on which a person taps."""
    handles = []
    for tap in taps:
        key, _, rest = tap.partition(" ")
        if key in ("pung", "kong", "chow"):
            handles.append(f"set={key}")
            key = rest
        elif key in ("drawn", "claimed"):
            handles.append(f"win={key}")
        elif key in ("in", "set"):
            handles.append(f"in={rest.split()[-1]}")
        elif not key.startswith("!"):
            handles.append(f"tile={key}")
    return handles


def version_of(site: Path) -> Path:
    """Return the folder of the site's version."""
    return next(path for path in site.iterdir() if path.is_dir())


def driven(site: Path, browser: str, playwright: Path, folder: Path) -> dict[str, Any]:
    """What the browser has found, all scenarios in one run."""
    hands = []
    for rulebook, line in HANDS:
        hand = mjscore.parse(line)
        # from whom and which words is not said by the handles of the keyboard
        if hand.win is not None:
            hand = hand._replace(win=hand.win._replace(flags=frozenset(), discarder=None))
        sheet = mjscore.score(hand, rulebook)
        assert sheet.error is None, line
        hands.append({"rulebook": rulebook, "seat": hand.seat, "round": hand.round, "taps": clicks(taps_of(hand)), "read": str(hand), "score": sheet.score})  # fmt: skip
    job = folder / "job.json"
    job.write_text(
        json.dumps(
            {
                "site": str(site),
                "version": version_of(site).name,
                "browser": browser,
                "playwright": str(playwright),
                "whole": WHOLE,
                "hands": hands,
                "evening": EVENING,
                "carrying": HOUSE_EVENING
                + packed(own_files(bind(str(ROOT / "samples" / "house-rules.toml")))),
                "samples": str(ROOT / "samples"),
                "house": mjscore.score(
                    "E: 123456789d ESWNw +5d", str(ROOT / "samples" / "house-rules.toml")
                ).score,
                "rulebooks": RULEBOOKS,
                "folder": str(folder),
                "pictures": os.environ.get("MJSCORE_PICTURES"),
                "only": os.environ.get("MJSCORE_SCENARIO"),
            }
        )
    )
    done = subprocess.run(["node", HERE / "page.mjs", job], capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check_samples(site: Path) -> None:
    """The site's Python gives for samples, some or all, the bytes that this one gives."""
    version = version_of(site)
    spec = find_spec("click")
    assert spec is not None
    command = ["check", "--format", "json", *in_turn(SAMPLES, 0, 8)]
    here = subprocess.run(
        [sys.executable, "-m", "mjscore", *command], cwd=ROOT, capture_output=True, check=True
    )
    packages = Path(spec.origin or "").parents[1]
    node = ["node", "--liftoff-only", HERE / "python.mjs", version / "pyodide", version, ROOT, packages, "--"]
    there = subprocess.run([*node, *command], capture_output=True)
    assert there.stderr == b""
    assert there.stdout == here.stdout
    assert there.returncode == 0
    assert len(here.stdout.splitlines()) > part_of(700, 8)


def build_in(folder: Path, pyodide: Path, **environment: str) -> Path:
    """Build a copy of the source in a folder of its own."""
    for part in ("mjscore", "grammar"):
        shutil.copytree(ROOT / part, folder / "a copy" / part, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "mjscore", "phone", folder / "site", "--pyodide", pyodide]
    environment = {**os.environ, "MJSCORE_CACHE": "", **environment}
    subprocess.run(command, cwd=folder / "a copy", env=environment, check=True, stdout=subprocess.DEVNULL)
    return folder / "site"


def check_same(*sites: Path) -> None:
    """The same source gives the same bytes, wherever it is built, so that a phone fetches nothing anew."""
    first, second = (
        {path.relative_to(built): path.read_bytes() for path in built.rglob("*") if path.is_file()}
        for built in sites
    )
    assert {
        str(name) for name in first.keys() | second.keys() if first.get(name) != second.get(name)
    } == set()


def test_the_same_source_is_the_same_site(request, empty, tmp_path):
    """With hashes in another order, on the other side of the earth; where all is tried, it is a real Python, prepared too."""
    pyodide = request.getfixturevalue("pyodide") if WHOLE else empty
    node = {} if WHOLE else {"PATH": ""}
    one = build_in(tmp_path / "one", pyodide, PYTHONHASHSEED="0", TZ="UTC", **node)
    check_same(one, build_in(tmp_path / "two", pyodide, PYTHONHASHSEED="1", TZ="Asia/Shanghai", **node))
    assert any(one.rglob("snapshot.bin")) == WHOLE


@pytest.mark.timeout(600)
def test_the_site(pyodide, playwright, tmp_path):
    """One test, since it builds the site and starts a browser. The samples; a hand of each kind; an
    evening, undone, offline, in two tabs, lost and opened again; killed between taps; narrow, wide, large and dark;
    without Python.
    """
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    with ThreadPoolExecutor() as beside:
        build_site(site := tmp_path / "site", pyodide, "harr", lambda said: None)
        samples = beside.submit(check_samples, site)
        found = driven(site, browser, playwright, tmp_path) if browser is not None else None
    samples.result()
    if found is None:
        pytest.skip("its Python gives the same on every sample; no browser is installed for its page")
    assert {name: fault for name, fault in found["results"].items() if fault} == {}
    assert set(found["results"]) == set(SCENARIOS)
    assert found["elsewhere"] == []
    kept = found["kept"]
    assert kept["python"] == "snapshot"
    assert kept["bytes"] < 12_400_000
    assert kept["winner"] <= 12
    assert kept["loser"] == 4
    assert "#: house-rules.toml\n#| # The rules of a club" in kept["carrying"]
    path = tmp_path / "evening.mj"
    path.write_text(kept["text"], encoding="utf-8")
    evening = read_evening(str(path), Context())
    assert evening.refusals == ()
    assert len(evening.hands_won) == 8
    assert kept["totals"] == " ".join(f"{name} {signed(evening.total(name))}" for name in evening.players)
