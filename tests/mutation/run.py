"""Breaks the code and the rulebooks in small ways, one at a time, and says which faults no test notices.

    python tests/mutation/run.py --seconds 600            a sample, as far as the time goes
    python tests/mutation/run.py --only settling          the mutants whose name holds the word
    python tests/mutation/run.py --list --only ledger     their names alone

Each mutant is tried on the tests of its subject alone, in a copy of the repository. Those that cannot be noticed
stand in equivalent.txt, each with the reason above it.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mutants import Mutant, python_mutants, rulebook_mutants

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RANDOM_TABLES = "tests/properties/test_settling.py"
# for each subject the tests that are to notice its faults, the quick ones first
SUBJECTS = {
    "mjscore/scoring": "tests/scoring tests/rulebook/test_every_entry.py tests/properties/test_brute_force.py",
    "mjscore/settling": f"tests/settling {RANDOM_TABLES} tests/record/test_reader.py tests/rulebook/test_settling.py "
    "tests/rulebook/test_every_entry.py tests/rulebook/test_language.py tests/properties/test_insurance.py",
    "mjscore/counters": "tests/counters",
    "mjscore/record/ledger.py": f"tests/record/test_ledger.py {RANDOM_TABLES}",
    "mjscore/rulebook/conditions.py": "tests/rulebook/test_conditions.py tests/rulebook/test_language.py",
    "mjscore/rulebook/books": f"tests/rulebook/test_every_entry.py {RANDOM_TABLES} tests/properties/test_brute_force.py "
    "tests/properties/test_insurance.py tests/documents/test_books.py tests/record/test_ledger.py",
}
SECONDS_EACH = 300


def all_mutants() -> list[tuple[Mutant, str]]:
    """Every mutant there is, with the tests of its subject."""
    found = []
    for subject, tests in SUBJECTS.items():
        base = ROOT / subject
        for path in [base] if base.is_file() else sorted(base.glob("*.*")):
            make = {".py": python_mutants, ".toml": rulebook_mutants}.get(path.suffix)
            if make is not None:
                name = path.relative_to(ROOT).as_posix()
                found += [(mutant, tests) for mutant in make(name, path.read_text(encoding="utf-8"))]
    return found


def equivalent() -> set[str]:
    """The names of those that cannot be noticed."""
    lines = (HERE / "equivalent.txt").read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def survives(mutant: Mutant, tests: str, copy: Path) -> bool:
    """Whether the tests of its subject pass with the fault in place; one that never ends is noticed."""
    path = copy / mutant.path
    whole = path.read_text(encoding="utf-8")
    path.write_text(mutant.text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *tests.split()]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(copy)}
    running = subprocess.Popen(
        command,
        cwd=copy,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return running.wait(SECONDS_EACH) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
        path.write_text(whole, encoding="utf-8")


def main() -> int:
    """0 where every mutant that was tried is noticed or known to be equivalent, else 1."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=600, help="when to stop")
    parser.add_argument("--only", default="", help="a part of the mutants' names")
    parser.add_argument("--seed", default="0", help="another sample")
    parser.add_argument("--list", action="store_true", help="name the mutants, and try none")
    asked = parser.parse_args()
    known = equivalent()
    mutants = [(mutant, tests) for mutant, tests in all_mutants() if asked.only in str(mutant)]
    if asked.list:
        for mutant, _ in mutants:
            print(f"{mutant}{'  (equivalent)' if str(mutant) in known else ''}")
        return 0
    random.Random(asked.seed).shuffle(mutants)
    end = time.monotonic() + asked.seconds
    tried = noticed = skipped = 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder) / "repository"
        shutil.copytree(
            ROOT, copy, ignore=shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", "build")
        )
        for tests in {tests: None for _, tests in mutants}:
            path = mutants[0][0].path
            if not survives(Mutant(path, 0, "", (copy / path).read_text(encoding="utf-8")), tests, copy):
                print(f"these fail as it is: {tests}")
                return 2
        for mutant, tests in mutants:
            if time.monotonic() > end:
                break
            if str(mutant) in known:
                skipped += 1
                continue
            tried += 1
            if survives(mutant, tests, copy):
                print(f"line {mutant.line}: {mutant}", flush=True)
            else:
                noticed += 1
    print(
        f"{noticed} of {tried} tried were noticed; {skipped} are known to be equivalent; {len(mutants)} in all"
    )
    return 0 if noticed == tried else 1


if __name__ == "__main__":
    sys.exit(main())
